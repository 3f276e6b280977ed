//! What is a position worth? A hand-made evaluation: material, squares, reach, pawns, kings.
//!
//! Every term is computed for both colours from the board alone and subtracted, so a position and
//! its mirror image with colours exchanged are worth the same.

pub mod parameters;
mod pawns;

use crate::position::{DARK_SQUARES, Position};
use crate::rules::Chess;
use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use parameters::*;
use zug_core::{Evaluator, Scale};

/// The hand-made evaluation of chess. It also guides the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandMade;

impl Evaluator<Chess> for HandMade {
    fn scale(&self) -> Scale {
        Scale::Pawns
    }

    fn evaluate(&self, _: &Chess, position: &Position) -> i32 {
        evaluate(position)
    }
}

/// The value for the side to move, in hundredths of a pawn.
///
/// ```
/// use zug_chess::{Position, eval, fen};
/// // Equal but for the right to move.
/// assert_eq!(eval::evaluate(&Position::start()), eval::parameters::TEMPO);
/// let queen_up = fen::parse("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
/// assert!(eval::evaluate(&queen_up) > 800);
/// # Ok::<(), zug_core::TextError>(())
/// ```
#[must_use]
pub fn evaluate(position: &Position) -> i32 {
    evaluate_board(position.board())
}

/// The same of a bare board, whose own clock counts up to 100.
#[must_use]
pub fn evaluate_board(board: &Board) -> i32 {
    let us = board.side_to_move();
    let view = View::of(board);
    let sum = view.side(us) - view.side(!us);
    let phase = phase(board);
    let end = sum.end + view.endgame(us, sum.end);
    let mixed = (sum.middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;
    let mixed = mixed * view.winning_chances(if mixed > 0 { us } else { !us }) / 8;
    // A lead that makes no progress fades as the fifty-move rule comes near.
    let fading = 250 - i32::from(board.halfmove_clock());
    mixed * fading / 250 + TEMPO
}

fn phase(board: &Board) -> i32 {
    let count = |piece| board.pieces(piece).len() as i32 * PHASE[piece as usize];
    let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    pieces.into_iter().map(count).sum::<i32>().min(FULL_PHASE)
}

/// A board with what several terms need.
struct View<'a> {
    board: &'a Board,
    /// Squares that pawns attack, by colour.
    pawn_attacks: [BitBoard; 2],
}

impl View<'_> {
    fn of(board: &Board) -> View<'_> {
        let attacks = |color| pawns::attacks(board.colored_pieces(color, Piece::Pawn), color);
        View { board, pawn_attacks: [attacks(Color::White), attacks(Color::Black)] }
    }

    /// Everything that speaks for one colour.
    fn side(&self, color: Color) -> Tapered {
        let board = self.board;
        let mut sum = Tapered::default();
        for piece in Piece::ALL {
            let own = board.colored_pieces(color, piece);
            sum += MATERIAL[piece as usize] * own.len() as i32;
            for square in own {
                sum += SQUARES[piece as usize][square.relative_to(color) as usize];
            }
        }
        if board.colored_pieces(color, Piece::Bishop).len() >= 2 {
            sum += BISHOP_PAIR;
        }
        sum += pawns::structure(board, color);
        sum += self.pieces(color);
        sum.middle += self.shield(color);
        sum
    }

    /// Reach, posts and the assault on the enemy king.
    fn pieces(&self, color: Color) -> Tapered {
        let board = self.board;
        let occupied = board.occupied();
        let own_pawns = board.colored_pieces(color, Piece::Pawn);
        let enemy_pawns = board.colored_pieces(!color, Piece::Pawn);
        let enemy_pawn_attacks = self.pawn_attacks[!color as usize];
        let free =
            !(board.colors(color) & (own_pawns | board.pieces(Piece::King))) - enemy_pawn_attacks;
        let enemy_king = board.king(!color);
        let ring = get_king_moves(enemy_king);
        let (mut sum, mut assault, mut attackers) = (Tapered::default(), 0, 0);
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let kind = piece as usize;
            for square in board.colored_pieces(color, piece) {
                let reach = reach(board, piece, square, occupied, color);
                sum += REACH[kind] * ((reach & free).len() as i32 - USUAL_REACH[kind]);
                let hits = (reach & ring).len() as i32;
                if hits > 0 {
                    attackers += 1;
                    assault += ASSAULT[kind] * hits;
                }
                match piece {
                    Piece::Rook => sum += self.rook(color, square, own_pawns, enemy_pawns),
                    Piece::Knight => {
                        let guarded = self.pawn_attacks[color as usize].has(square);
                        let rank = square.rank().relative_to(color);
                        let forward = rank >= Rank::Fourth && rank <= Rank::Sixth;
                        if guarded
                            && forward
                            && (pawns::chasers(square, color) & enemy_pawns).is_empty()
                        {
                            sum += OUTPOST;
                        }
                    }
                    _ => {}
                }
            }
        }
        let threatened = board.colors(color) & enemy_pawn_attacks;
        let threatened = threatened - own_pawns - board.pieces(Piece::King);
        sum += PAWN_THREAT * threatened.len() as i32;
        if attackers >= 2 {
            let danger = (assault * assault / ASSAULT_DIVISOR).min(ASSAULT_MOST);
            let queen = !board.colored_pieces(color, Piece::Queen).is_empty();
            sum.middle += if queen { danger } else { danger / 3 };
        }
        sum
    }

    fn rook(&self, color: Color, square: Square, own: BitBoard, enemy: BitBoard) -> Tapered {
        let file = square.file().bitboard();
        let mut sum = Tapered::default();
        if (file & own).is_empty() {
            sum += if (file & enemy).is_empty() { ROOK_OPEN } else { ROOK_HALF_OPEN };
        }
        let seventh = Rank::Seventh.relative_to(color);
        let last = Rank::Eighth.relative_to(color);
        if square.rank() == seventh
            && (self.board.king(!color).rank() == last || !(enemy & seventh.bitboard()).is_empty())
        {
            sum += ROOK_SEVENTH;
        }
        sum
    }

    /// Pawns before the king, on its file and those beside it.
    fn shield(&self, color: Color) -> i32 {
        let king = self.board.king(color);
        let pawns = self.board.colored_pieces(color, Piece::Pawn);
        let row = king.rank().relative_to(color) as usize;
        if row > 1 {
            return SHIELD[2] * 3;
        }
        let before = |steps: usize| Rank::index(row + steps).relative_to(color).bitboard();
        let mut sum = 0;
        for file in (king.file().adjacent() | king.file().bitboard()) & Rank::First.bitboard() {
            let on_file = pawns & file.file().bitboard();
            sum += if !(on_file & before(1)).is_empty() {
                SHIELD[0]
            } else if !(on_file & before(2)).is_empty() {
                SHIELD[1]
            } else {
                SHIELD[2]
            };
            if on_file.is_empty() {
                sum += SHIELD_OPEN;
            }
        }
        sum
    }

    /// Material besides pawns and kings, as exchanges count it.
    fn pieces_worth(&self, color: Color) -> i32 {
        [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
            .into_iter()
            .map(|p| self.board.colored_pieces(color, p).len() as i32 * EXCHANGE[p as usize])
            .sum()
    }

    /// What helps to mate a bare king.
    fn endgame(&self, us: Color, lead: i32) -> i32 {
        let strong = if lead > 0 { us } else { !us };
        let weak = self.board.colors(!strong);
        if weak.len() > 1 || self.pieces_worth(strong) < EXCHANGE[Piece::Rook as usize] {
            return 0;
        }
        let (king, enemy) = (self.board.king(strong), self.board.king(!strong));
        let knights = self.board.colored_pieces(strong, Piece::Knight).len();
        let bishops = self.board.colored_pieces(strong, Piece::Bishop);
        let only_both = knights == 1 && bishops.len() == 1 && self.board.occupied().len() == 4;
        let far = if only_both {
            // Bishop and knight mate only in a corner that the bishop can attack.
            let dark = !(bishops & DARK_SQUARES).is_empty();
            let corners = if dark { [Square::A1, Square::H8] } else { [Square::A8, Square::H1] };
            7 - corners.into_iter().map(|c| distance(c, enemy)).min().unwrap_or(7)
        } else {
            from_centre(enemy)
        };
        let drive = DRIVE.0 * far + DRIVE.1 * (7 - distance(king, enemy));
        if strong == us { drive } else { -drive }
    }

    /// In eighths: how much of a lead of this colour can be won at all.
    fn winning_chances(&self, strong: Color) -> i32 {
        let board = self.board;
        let lead = self.pieces_worth(strong) - self.pieces_worth(!strong);
        if board.colored_pieces(strong, Piece::Pawn).is_empty()
            && lead <= EXCHANGE[Piece::Bishop as usize]
        {
            return 1;
        }
        let bishops = board.pieces(Piece::Bishop);
        let alone =
            board.occupied() == bishops | board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        let (own, other) = (bishops & board.colors(strong), bishops & board.colors(!strong));
        if alone && own.len() == 1 && other.len() == 1 {
            let shade = |b: BitBoard| (b & DARK_SQUARES).is_empty();
            if shade(own) != shade(other) {
                return 4;
            }
        }
        8
    }
}

/// The squares that a piece attacks; sliders look through their own queen or rook behind which
/// they stand in a battery.
fn reach(
    board: &Board,
    piece: Piece,
    square: Square,
    occupied: BitBoard,
    color: Color,
) -> BitBoard {
    let own = board.colors(color);
    match piece {
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied - (own & board.pieces(Piece::Queen))),
        Piece::Rook => {
            let battery = own & (board.pieces(Piece::Queen) | board.pieces(Piece::Rook));
            get_rook_moves(square, occupied - battery)
        }
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::Pawn => get_pawn_attacks(square, color),
        Piece::King => get_king_moves(square),
    }
}

/// Steps of a king from one square to another.
pub(crate) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    files.max((a.rank() as i32 - b.rank() as i32).abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn value(text: &str) -> i32 {
        evaluate(&fen::parse(text).unwrap())
    }

    #[test]
    fn a_piece_more_is_worth_about_its_material() {
        let minus = |square: usize| {
            let mut text: Vec<char> = "rnbqkbnr".chars().collect();
            text[square] = '1';
            let row: String = text.into_iter().collect();
            value(&format!("{row}/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"))
        };
        assert!((250..450).contains(&minus(1)));
        assert!((280..480).contains(&minus(2)));
        assert!((400..620).contains(&minus(0)));
        assert!((850..1150).contains(&minus(3)));
    }

    #[test]
    fn what_cannot_be_won_is_nearly_even() {
        assert!(value("4k3/8/8/8/8/8/4r3/R2BK3 w - - 0 1") < 80);
        assert!(value("4k3/8/8/8/8/3NN3/8/4K3 w - - 0 1").abs() > 100, "no bare minor piece");
        assert!(value("4k3/4p3/8/8/8/3N4/8/4K3 w - - 0 1") < 80);
    }

    #[test]
    fn a_king_that_is_driven_to_the_edge_is_nearer_to_mate() {
        let centre = value("8/8/8/4k3/8/4K3/8/R7 w - - 0 1");
        let edge = value("4k3/8/4K3/8/8/8/8/R7 w - - 0 1");
        assert!(edge > centre + 20, "{edge} {centre}");
    }

    #[test]
    fn a_lead_fades_with_the_clock() {
        let fresh = value("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1");
        let stale = value("4k3/8/8/8/8/8/4P3/R3K3 w - - 90 60");
        assert!(stale < fresh);
    }

    #[test]
    fn the_castled_king_is_safer_than_the_wandering_one() {
        let castled = value("r4rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R2Q1RK1 w - - 0 12");
        let wandering = value("r4rk1/ppp2ppp/2n5/8/4K3/2N5/PPP2PPP/R2Q1R2 w - - 0 12");
        assert!(castled > wandering + 50);
    }
}

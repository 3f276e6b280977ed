//! Every legal position of an ending, set up man by man.
//!
//! This knows nothing of the index by which a database numbers positions: a position that the
//! index forgets is met here all the same.

use anyhow::{Context, Result};
use cozy_chess::{
    BitBoard, BoardBuilder, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use zug_chess::Position;

/// The men beside the kings; equal ones follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Men(Vec<(Color, Piece)>);

/// Where both kings stand, and for how many placements this one speaks.
#[derive(Clone, Copy, Debug)]
pub struct Kings {
    white: Square,
    black: Square,
    /// Placements of the kings that symmetry makes of this one, itself included.
    pub weight: u64,
}

/// What the rules say to a placement.
pub enum Placed<'a> {
    /// A position.
    Position(&'a Position),
    /// Nobody who is not to move is in check, but the board was refused.
    Refused(&'a BoardBuilder),
}

impl Men {
    /// Reads `KRvKN`.
    pub fn parse(name: &str) -> Result<Men> {
        let (white, black) = name.split_once('v').context("expected two sides, as in KRvKN")?;
        let mut men = Vec::new();
        for (color, side) in [(Color::White, white), (Color::Black, black)] {
            for c in side.chars() {
                let piece = Piece::try_from(c.to_ascii_lowercase()).ok();
                let piece = piece.with_context(|| format!("'{c}' in {name} is no man"))?;
                if piece != Piece::King {
                    men.push((color, piece));
                }
            }
        }
        men.sort_by_key(|&(color, piece)| (color as usize, piece as usize));
        Ok(Men(men))
    }

    /// The same with colours swapped.
    pub fn swapped(&self) -> Men {
        let mut men: Vec<_> = self.0.iter().map(|&(color, piece)| (!color, piece)).collect();
        men.sort_by_key(|&(color, piece)| (color as usize, piece as usize));
        Men(men)
    }

    /// Are there pawns?
    pub fn has_pawns(&self) -> bool {
        self.0.iter().any(|&(_, piece)| piece == Piece::Pawn)
    }

    /// All placements of the kings; or, unless `whole`, those with the white king on one of the
    /// squares that reflections make the same: ten of them, or half the board if there are pawns.
    pub fn kings(&self, whole: bool) -> Vec<Kings> {
        let mut kings = Vec::new();
        for white in Square::ALL {
            let (file, rank) = (white.file() as usize, white.rank() as usize);
            let weight = match (whole, self.has_pawns()) {
                (true, _) => 1,
                (false, true) if file < 4 => 2,
                (false, false) if file < 4 && rank < file => 8,
                (false, false) if file < 4 && rank == file => 4,
                _ => continue,
            };
            let apart = |black: &Square| *black != white && !get_king_moves(white).has(*black);
            let pairs = Square::ALL.into_iter().filter(apart);
            kings.extend(pairs.map(|black| Kings { white, black, weight }));
        }
        kings
    }

    /// Shows every legal position with the kings on these squares, for both sides to move and with
    /// every pawn that can be captured *en passant*.
    pub fn visit(&self, kings: Kings, see: &mut impl FnMut(Placed<'_>)) {
        let mut builder = BoardBuilder::empty();
        *builder.square_mut(kings.white) = Some((Piece::King, Color::White));
        *builder.square_mut(kings.black) = Some((Piece::King, Color::Black));
        let occupied = kings.white.bitboard() | kings.black.bitboard();
        let mut squares = Vec::with_capacity(self.0.len());
        self.place(kings, &mut builder, occupied, &mut squares, see);
    }

    fn place(
        &self,
        kings: Kings,
        builder: &mut BoardBuilder,
        occupied: BitBoard,
        squares: &mut Vec<Square>,
        see: &mut impl FnMut(Placed<'_>),
    ) {
        let n = squares.len();
        let Some(&(color, piece)) = self.0.get(n) else {
            return self.judge(kings, builder, occupied, squares, see);
        };
        let mut free = !occupied;
        if piece == Piece::Pawn {
            free -= Rank::First.bitboard() | Rank::Eighth.bitboard();
        }
        // Equal men in ascending order, so that none are met twice.
        let first = match n.checked_sub(1) {
            Some(before) if self.0[before] == self.0[n] => squares[before] as usize + 1,
            _ => 0,
        };
        for square in free.iter().filter(|&square| square as usize >= first) {
            *builder.square_mut(square) = Some((piece, color));
            squares.push(square);
            self.place(kings, builder, occupied | square.bitboard(), squares, see);
            squares.pop();
            *builder.square_mut(square) = None;
        }
    }

    fn judge(
        &self,
        kings: Kings,
        builder: &mut BoardBuilder,
        occupied: BitBoard,
        squares: &[Square],
        see: &mut impl FnMut(Placed<'_>),
    ) {
        for color in Color::ALL {
            let waiting = if color == Color::White { kings.black } else { kings.white };
            let men = self.0.iter().zip(squares);
            let takes = |(&(owner, piece), &from): (&(Color, Piece), &Square)| {
                owner == color && attacks(owner, piece, from, occupied).has(waiting)
            };
            if men.clone().any(takes) {
                continue;
            }
            builder.side_to_move = color;
            builder.en_passant = None;
            match builder.build() {
                Ok(board) => see(Placed::Position(&Position::from(board).without_clocks())),
                Err(_) => see(Placed::Refused(builder)),
            }
            for (&(owner, piece), &square) in men {
                if piece == Piece::Pawn && owner != color {
                    self.en_passant(builder, square, owner, see);
                }
            }
        }
    }

    /// Shows the position in which this pawn has just moved two squares, if it can have done so and
    /// can be captured for it.
    fn en_passant(
        &self,
        builder: &mut BoardBuilder,
        pawn: Square,
        owner: Color,
        see: &mut impl FnMut(Placed<'_>),
    ) {
        if pawn.rank() != Rank::Fourth.relative_to(owner) {
            return;
        }
        let at = |file: usize| {
            File::try_index(file).map(|f| builder.square(Square::new(f, pawn.rank())))
        };
        let file = pawn.file() as usize;
        let captor = Some(Some((Piece::Pawn, !owner)));
        if at(file.wrapping_sub(1)) != captor && at(file + 1) != captor {
            return;
        }
        let target = Square::new(pawn.file(), Rank::Third.relative_to(owner));
        builder.en_passant = Some(target);
        // A board is refused here if the last move cannot have been that of the pawn.
        if let Ok(board) = builder.build() {
            let position = Position::from(board).without_clocks();
            if position.en_passant() == Some(target) {
                see(Placed::Position(&position));
            }
        }
        builder.en_passant = None;
    }
}

fn attacks(color: Color, piece: Piece, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Legal positions of an ending on the whole board, with White and with Black to move, and
    /// those with a pawn to be captured in passing.
    fn count(name: &str, whole: bool) -> ([u64; 2], u64) {
        let men = Men::parse(name).unwrap();
        let (mut sides, mut passing) = ([0; 2], 0);
        for kings in men.kings(whole) {
            men.visit(kings, &mut |placed| {
                let Placed::Position(position) = placed else { panic!("refused") };
                sides[position.color() as usize] += kings.weight;
                passing += kings.weight * u64::from(position.en_passant().is_some());
            });
        }
        (sides, passing)
    }

    #[test]
    fn a_part_of_the_board_speaks_for_the_whole() {
        for name in ["KRvK", "KNvK", "KPvK"] {
            assert_eq!(count(name, false), count(name, true), "{name}");
        }
    }

    #[test]
    fn legal_positions_of_three_men_are_as_many_as_published() {
        // 399,112 positions of king and rook against king and 331,352 with pawn are known from
        // the literature; kings apart leave 3612 pairs, and 62 squares are left for the third man.
        let ([white, black], _) = count("KRvK", false);
        assert_eq!((white, black), (175_168, 223_944));
        assert_eq!(count("KPvK", false).0.iter().sum::<u64>(), 331_352);
    }

    #[test]
    fn equal_men_are_met_once_and_passing_pawns_are_met() {
        let men = Men::parse("KNNvK").unwrap();
        let apart = 64 * 63 - 420;
        let kings = men.kings(true);
        assert_eq!(kings.len(), apart);
        let mut seen = 0;
        men.visit(kings[0], &mut |placed| {
            let Placed::Position(position) = placed else { panic!("refused") };
            seen += u64::from(position.color() == Color::Black);
        });
        assert_eq!(seen, 62 * 61 / 2);
        let men = Men::parse("KPvKP").unwrap();
        let mut passing = 0;
        for kings in men.kings(false).into_iter().take(40) {
            men.visit(kings, &mut |placed| {
                if let Placed::Position(p) = placed {
                    passing += u64::from(p.en_passant().is_some());
                }
            });
        }
        assert!(passing > 0);
    }
}

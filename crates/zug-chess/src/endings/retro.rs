//! Which moves can have led here?
//!
//! Slow but plainly right: every way in which a man can have come to its square is tried, and kept
//! if the move, played forward, leads here.

use super::material::{Material, OFFICERS_AND_PAWN};
use crate::position::Position;
use crate::rules::Chess;
use cozy_chess::{
    BitBoard, BoardBuilder, Color, File, Move, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use zug_core::{Game, Retro};

/// Where a man that stands on `to` can have come from without capturing.
fn sources(piece: Piece, to: Square, occupied: BitBoard) -> BitBoard {
    let from = match piece {
        Piece::King => get_king_moves(to),
        Piece::Queen => get_rook_moves(to, occupied) | get_bishop_moves(to, occupied),
        Piece::Rook => get_rook_moves(to, occupied),
        Piece::Bishop => get_bishop_moves(to, occupied),
        Piece::Knight => get_knight_moves(to),
        Piece::Pawn => BitBoard::EMPTY,
    };
    from - occupied
}

fn square(file: File, rank: Rank, color: Color) -> Square {
    Square::new(file, rank.relative_to(color))
}

/// A move to be taken back: what was moved, and what was captured where.
struct Unmove {
    mv: Move,
    moved: Piece,
    captured: Option<(Piece, Square)>,
}

/// All ways in which the side that is not to move can have moved, and more that it cannot.
fn candidates(position: &Position) -> Vec<Unmove> {
    let board = position.board();
    let (color, foe) = (!position.color(), position.color());
    let occupied = board.occupied();
    let mut found = Vec::new();
    for to in board.colors(color) {
        let Some(piece) = board.piece_on(to) else { continue };
        let captures = || {
            OFFICERS_AND_PAWN.into_iter().filter(move |&captured| {
                captured != Piece::Pawn || !matches!(to.rank(), Rank::First | Rank::Eighth)
            })
        };
        for from in sources(piece, to, occupied) {
            let mv = Move { from, to, promotion: None };
            found.push(Unmove { mv, moved: piece, captured: None });
            for captured in captures() {
                found.push(Unmove { mv, moved: piece, captured: Some((captured, to)) });
            }
        }
        let last = to.rank() == Rank::Eighth.relative_to(color);
        let promotion = (last && piece != Piece::King).then_some(piece);
        if piece != Piece::Pawn && promotion.is_none() {
            continue;
        }
        let mut push = |from: Square, captured| {
            if !occupied.has(from) && from.rank() != Rank::First.relative_to(color) {
                let mv = Move { from, to, promotion };
                found.push(Unmove { mv, moved: Piece::Pawn, captured });
            }
        };
        let steps: i8 = if color == Color::White { -1 } else { 1 };
        push(to.offset(0, steps), None);
        if to.rank() == Rank::Fourth.relative_to(color) {
            push(to.offset(0, 2 * steps), None);
        }
        for from in get_pawn_attacks(to, foe) {
            for captured in captures() {
                push(from, Some((captured, to)));
            }
            if to.rank() == Rank::Sixth.relative_to(color) {
                push(from, Some((Piece::Pawn, square(to.file(), Rank::Fifth, color))));
            }
        }
    }
    found
}

impl Chess {
    /// The positions before a move that is taken back: without a passing pawn of the other side,
    /// and with each that can have been there.
    fn before(&self, position: &Position, unmove: &Unmove, out: &mut Vec<Position>) {
        let (color, foe) = (!position.color(), position.color());
        let mut builder = BoardBuilder::from_board(position.board());
        let Unmove { mv, moved, captured } = *unmove;
        builder.side_to_move = color;
        builder.en_passant = None;
        *builder.square_mut(mv.to) = None;
        *builder.square_mut(mv.from) = Some((moved, color));
        if let Some((piece, at)) = captured {
            if builder.square(at).is_some() {
                return;
            }
            *builder.square_mut(at) = Some((piece, foe));
        }
        let passed = File::ALL.into_iter().filter(|&file| {
            let on = |rank| builder.square(square(file, rank, foe));
            on(Rank::Fourth) == Some((Piece::Pawn, foe))
                && on(Rank::Third).is_none()
                && on(Rank::Second).is_none()
        });
        let targets = passed.map(|file| Some(square(file, Rank::Third, foe)));
        for target in std::iter::once(None).chain(targets.collect::<Vec<_>>()) {
            builder.en_passant = target;
            let kings = Color::ALL.map(|c| {
                let here = |s: &Square| builder.square(*s) == Some((Piece::King, c));
                Square::ALL.into_iter().find(here)
            });
            let [Some(white), Some(black)] = kings else { return };
            if get_king_moves(white).has(black) {
                return;
            }
            let Ok(board) = builder.build() else { continue };
            let before = Position::from(board).without_clocks();
            if before.en_passant() != target || self.is_drawn(&before).is_some() {
                continue;
            }
            let mut after = before.clone();
            if after.board().is_legal(mv) {
                self.play(&mut after, mv);
                if after == *position {
                    out.push(before);
                }
            }
        }
    }
}

/// For endings; a game with clocks would have a predecessor for every state of them, and the
/// whole game names none.
impl Retro for Chess {
    fn predecessors(&self, position: &Position, out: &mut Vec<Position>) {
        let Some(scope) = self.scope() else { return };
        let here = Material::of(position.board());
        for unmove in candidates(position) {
            let side = position.color() as usize;
            let mut material = here;
            if let Some((piece, _)) = unmove.captured {
                let kind = OFFICERS_AND_PAWN.iter().position(|&p| p == piece);
                material.counts[side][kind.unwrap_or(0)] += 1;
            }
            if let Some(piece) = unmove.mv.promotion {
                let kind = OFFICERS_AND_PAWN.iter().position(|&p| p == piece);
                material.counts[1 - side][kind.unwrap_or(0)] -= 1;
                material.counts[1 - side][super::material::PAWN] += 1;
            }
            if scope.contains(&material) {
                self.before(position, &unmove, out);
            }
        }
    }
}

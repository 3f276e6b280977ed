//! Endings as a game of their own: a few men, every position numbered, moves taken back.
//!
//! `chess:KRvKN` is chess from some position with this material; `chess:men=4` is every ending of
//! up to four men. Such a game is what a perfect-play database is made for:
//!
//! | module | answers |
//! |---|---|
//! | `material` | which men are there, and what can become of them? |
//! | `layout` | how are their positions numbered? |
//! | `retro` | which moves can have led here? |
//! | `cells` | the same, fast enough for a solver |
//!
//! Differences from the whole game: nobody may castle, and positions carry no clocks, so that two
//! ways to the same placement lead to one position. The fifty-move rule does not apply; mate,
//! stalemate and material that cannot mate end a game, and so does a threefold repetition.

mod cells;
mod layout;
mod material;
mod retro;

pub use cells::{EndingCells, EndingScratch};
pub use material::{Material, Scope};

use crate::position::Position;
use crate::rules::Chess;
use cozy_chess::{Color, Square};
use layout::KINDS;
use material::OFFICERS_AND_PAWN;
use std::sync::Arc;
use zug_core::seed::RngExt;
use zug_core::{Game, GameEntry, Indexed, Side, TextError, rng};
use zug_solve::SolvableEntry;
use zug_solve::checks::IndexedEntry;
use zug_solve::face::Endings;

/// Notes that an ending can be solved, by its fast cells.
pub(crate) fn solvable(entry: GameEntry, chess: &Chess) -> GameEntry {
    entry.indexed(chess).retro_indexed(chess).solvable_with(chess, EndingCells::open)
}

/// So many men can be solved while somebody waits.
const FEW_MEN: u32 = 5;

/// The ending that a position of chess belongs to, for databases of such endings.
pub(crate) fn ending_of() -> Endings {
    Endings(Arc::new(|text| {
        let position = Chess::new().read_position(text).ok()?;
        let material = Material::of(position.board());
        let few = (3..=FEW_MEN).contains(&material.men());
        let scope = Scope::Material(material);
        (few && confine(scope, position).is_ok()).then(|| format!("chess:{material}"))
    }))
}

/// A position to begin with: White to move, nobody in check, the men at home or near.
pub(crate) fn start(scope: Scope) -> Position {
    let material = scope.first();
    let rules = Chess::new().with_draws(crate::Draws::Claimed);
    let mut rng = rng(0, 0);
    // At home first. With several men of a kind somebody may stand in check there, or be mated;
    // then the dice are thrown.
    for attempt in 0.. {
        let mut boards = [0u64; KINDS.len()];
        let mut taken = 0u64;
        for (board, &(_, color, piece)) in boards.iter_mut().zip(&KINDS[..12]) {
            let kind = OFFICERS_AND_PAWN.iter().position(|&p| p == piece);
            let men = kind.map_or(1, |k| material.counts[color as usize][k]);
            for _ in 0..men {
                let home = home(piece).iter().map(|s| s.relative_to(color));
                let free = |s: &Square| taken & s.bitboard().0 == 0;
                let mut square = home.clone().find(free).unwrap_or(Square::A4);
                while attempt > 0 || !free(&square) {
                    square = Square::index(rng.random_range(8..56));
                    if free(&square) {
                        break;
                    }
                }
                taken |= square.bitboard().0;
                *board |= square.bitboard().0;
            }
        }
        if let Some(position) = rules.position_of(&boards, Side::First)
            && !position.in_check()
            && rules.outcome(&position).is_none()
        {
            return position;
        }
    }
    unreachable!("random placements are legal sooner or later")
}

/// Where the men of White stand at the start of a game.
fn home(piece: cozy_chess::Piece) -> &'static [Square] {
    use cozy_chess::Piece as P;
    match piece {
        P::King => &[Square::E1],
        P::Queen => &[Square::D1],
        P::Rook => &[Square::A1, Square::H1],
        P::Bishop => &[Square::C1, Square::F1],
        P::Knight => &[Square::B1, Square::G1],
        P::Pawn => &[Square::E2, Square::D2, Square::C2, Square::F2],
    }
}

/// A position that was read, if it belongs to these endings; without its clocks.
pub(crate) fn confine(scope: Scope, position: Position) -> Result<Position, TextError> {
    let board = position.board();
    let castles = |c| board.castle_rights(c).short.or(board.castle_rights(c).long).is_some();
    if Color::ALL.into_iter().any(castles) {
        let expected = "no castling rights ('-') in an ending";
        return Err(TextError::new(0, expected, "castling rights"));
    }
    let material = Material::of(board);
    if !scope.contains(&material) {
        let expected = match scope {
            Scope::Material(whole) => {
                format!("{whole} or what captures and promotions make of it")
            }
            Scope::Men(men) => format!("at most {men} men"),
        };
        let found = match material.men() {
            men @ 0..=8 if matches!(scope, Scope::Material(_)) => {
                debug_assert!(men >= 2);
                material.to_string()
            }
            men => format!("{men} men"),
        };
        return Err(TextError::new(0, expected, found));
    }
    Ok(position.without_clocks())
}

#[cfg(test)]
mod tests;

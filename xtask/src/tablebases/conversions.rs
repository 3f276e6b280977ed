//! How far is the next capture, or mate? Ours beside Syzygy's distances, in endings without pawns.
//!
//! Syzygy counts plies to the next capture or pawn move that keeps the result (*DTZ*); without pawns
//! on the board that is what we call the distance to conversion. Many of its tables hold full moves
//! and not plies, so that a distance may be one ply off either way; that counts as agreement, and is
//! counted apart.

use super::ours::Ours;
use super::placements::{Men, Placed};
use super::syzygy::Syzygy;
use anyhow::Result;
use zug_chess::fen;
use zug_solve::Value;

/// What was met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distances {
    /// Positions that were looked up.
    pub compared: u64,
    /// Those in which one plays a ply more than the other.
    pub rounded: u64,
    /// Those that differ by more.
    pub different: u64,
    /// The longest distance.
    pub longest: u16,
}

/// Compares every `every`th position of an ending.
pub fn compare(men: &Men, every: u64, ours: &Ours, syzygy: &Syzygy) -> Result<Distances> {
    let mut found = Distances::default();
    let (mut met, mut trouble) = (0, None);
    for kings in men.kings(false) {
        men.visit(kings, &mut |placed| {
            let Placed::Position(position) = placed else { return };
            met += 1;
            if met % every != 0 {
                return;
            }
            let asked = ours.value(position).and_then(|v| Ok((v, syzygy.distance(position)?)));
            let (value, theirs) = match asked {
                Ok(asked) => asked,
                Err(e) => return trouble = Some(e),
            };
            found.compared += 1;
            let plies = value.and_then(Value::plies).unwrap_or(0);
            found.longest = found.longest.max(plies);
            match plies.abs_diff(theirs) {
                0 => {}
                1 => found.rounded += 1,
                _ => {
                    found.different += 1;
                    if found.different <= 10 {
                        let fen = fen::write(position);
                        println!("{fen}: {value:?}, Syzygy {theirs} plies");
                    }
                }
            }
        });
        if let Some(e) = trouble.take() {
            return Err(e);
        }
    }
    Ok(found)
}

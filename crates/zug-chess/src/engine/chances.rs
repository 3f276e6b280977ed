//! How often is a value won?
//!
//! What a search finds becomes a chance by a curve whose middle and width depend on the material that
//! is left: three pawns ahead with all pieces on the board are less of a win than three pawns ahead
//! in an ending. The numbers are fitted to games of the engine against itself (`cargo xtask
//! chess-chances`).

use crate::{Chess, Piece, Position};
use zug_core::{AnyLine, Chances, Score, Verdict};

/// The chances of what the search finds.
pub const CHANCES: Chances = Chances(of_line);

/// As `scripts/chess-chances` has printed it, from 600 games of 4000 against 3000 positions a move.
const FITTED: Curve = Curve { middle: [183.0, -129.0], width: [58.5, 70.0] };

/// A curve: which value wins every second game, and how quickly chances rise about it. Both are
/// straight lines over the material.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Curve {
    /// Hundredths of a pawn without material, and what all of it adds.
    middle: [f64; 2],
    /// The same for the width.
    width: [f64; 2],
}

/// What men are worth in units of a pawn, and what both sides have at the start.
const WORTH: [u32; 6] = [1, 3, 3, 5, 9, 0];
const ALL: f64 = 78.0;

/// The share of the material of the start that is still there.
fn material(position: &Position) -> f64 {
    let count = |piece| {
        let men = position.board().pieces(piece);
        men.len() * WORTH[piece as usize]
    };
    f64::from(Piece::ALL.map(count).iter().sum::<u32>()) / ALL
}

impl Curve {
    /// The chance to win with this value and material, 0 to 1.
    fn wins(&self, hundredths: f64, material: f64) -> f64 {
        let at = |line: [f64; 2]| line[0] + line[1] * material.clamp(0.0, 1.0);
        1.0 / (1.0 + ((at(self.middle) - hundredths) / at(self.width).max(1.0)).exp())
    }
}

fn of_line(line: &dyn AnyLine, score: Score) -> [u16; 3] {
    let hundredths = match score.verdict() {
        Verdict::Estimate(value) => f64::from(value),
        Verdict::WonIn(_) | Verdict::WonBy(_) => return [1000, 0, 0],
        Verdict::LostIn(_) | Verdict::LostBy(_) => return [0, 0, 1000],
    };
    let line = zug_core::erased::downcast::<Chess>(line);
    let material = line.map_or(1.0, |line| material(line.position()));
    let [won, lost] = [hundredths, -hundredths]
        .map(|value| (1000.0 * FITTED.wins(value, material)).round() as u16);
    let drawn = 1000u16.saturating_sub(won + lost);
    [won, drawn, 1000 - won - drawn]
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Line;

    #[test]
    fn chances_add_up_and_rise_with_the_value() {
        let endgame = crate::fen::parse("8/5pk1/4p1p1/3pP2p/p2P3P/P4PP1/5K2/8 w - - 0 41").unwrap();
        let lines = [Line::new(Chess::new()), Line::from_position(Chess::new(), endgame)];
        for line in lines {
            let chances = |score| (CHANCES.0)(&line, score);
            let mut before = chances(Score::lost_in(4));
            assert_eq!(before, [0, 0, 1000]);
            for value in (-30_000..=30_000).step_by(25) {
                let [won, drawn, lost] = chances(Score::estimate(value));
                assert_eq!(won + drawn + lost, 1000, "{value}");
                assert!(won >= before[0] && lost <= before[2], "{value}");
                assert_eq!(chances(Score::estimate(-value)), [lost, drawn, won], "{value}");
                before = [won, drawn, lost];
            }
            assert!(chances(Score::DRAW)[1] > 150, "{:?}", chances(Score::DRAW));
            assert_eq!(chances(Score::won_in(3)), [1000, 0, 0]);
        }
    }

    #[test]
    fn no_curve_promises_more_than_there_is() {
        for part in 0..=10 {
            let material = f64::from(part) / 10.0;
            assert!(FITTED.wins(0.0, material) <= 0.5, "{material}");
        }
        assert!((material(&Position::start()) - 1.0).abs() < 1e-9);
    }
}

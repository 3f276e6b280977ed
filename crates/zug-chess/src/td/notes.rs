//! What is remembered of a game while it is played: all moves, and for every own one what the search
//! said. The raw material of the learner (thesis 6.1, step 4).

use super::lesson::Finish;
use super::log::{GameLog, LoggedPly, LoggedThought};
use crate::position::Position;
use cozy_chess::{Color, Move};
use zug_core::Score;

/// A game as the learner saw it.
#[derive(Clone, Debug, PartialEq)]
pub struct GameNotes {
    /// Where it began.
    pub start: Position,
    /// The learner's colour.
    pub own: Color,
    /// All moves, those of an opening included.
    pub moves: Vec<Move>,
    /// What was thought, in the order of the moves.
    pub thoughts: Vec<Noted>,
}

/// What was thought about one own move.
#[derive(Clone, Debug, PartialEq)]
pub struct Noted {
    /// The index of the move.
    pub ply: usize,
    /// For the learner.
    pub score: Score,
    /// The principal variation, the move itself first.
    pub line: Vec<Move>,
    /// Plies searched in full; 0 where nobody knows.
    pub depth: u32,
    /// Milliseconds on the clocks of White and Black.
    pub clocks: [u64; 2],
}

impl GameNotes {
    /// A game that begins.
    #[must_use]
    pub fn new(start: Position, own: Color) -> GameNotes {
        GameNotes { start, own, moves: Vec::new(), thoughts: Vec::new() }
    }

    /// The positions from the first to the last, one more than there are moves.
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        let mut position = self.start.clone();
        let mut all = vec![position.clone()];
        for &mv in &self.moves {
            position.play(mv);
            all.push(position.clone());
        }
        all
    }

    /// Did the opponent answer this thought's move as its variation foretold?
    #[must_use]
    pub fn predicted(&self, noted: &Noted) -> bool {
        noted.line.get(1).is_some_and(|mv| self.moves.get(noted.ply + 1) == Some(mv))
    }

    /// The log of the game, with what the learner knew when it was played.
    #[must_use]
    pub fn log(
        &self,
        learned: u64,
        rates: Vec<f64>,
        lambda: f64,
        weights: Vec<f64>,
        finish: Option<Finish>,
    ) -> GameLog {
        let mut plies: Vec<LoggedPly> =
            self.moves.iter().map(|&mv| LoggedPly { mv, thought: None }).collect();
        for noted in &self.thoughts {
            let score = if self.own == Color::White { noted.score.0 } else { -noted.score.0 };
            if let Some(ply) = plies.get_mut(noted.ply) {
                let (clocks, line) = (noted.clocks, noted.line.clone());
                ply.thought = Some(LoggedThought { score, clocks, line });
            }
        }
        let (own, start) = (self.own, self.start.clone());
        let result = finish.map(Finish::sign);
        GameLog { learned, rates, lambda, weights, own, start, plies, result }
    }

    /// The notes of a logged game.
    #[must_use]
    pub fn of_log(log: &GameLog) -> GameNotes {
        let thoughts = (log.plies.iter().enumerate())
            .filter_map(|(ply, logged)| {
                let thought = logged.thought.as_ref()?;
                Some(Noted {
                    ply,
                    score: Score(log.own_view(thought.score)),
                    line: thought.line.clone(),
                    depth: 0,
                    clocks: thought.clocks,
                })
            })
            .collect();
        GameNotes {
            start: log.start.clone(),
            own: log.own,
            moves: log.plies.iter().map(|p| p.mv).collect(),
            thoughts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::td::log::tests::sample;

    #[test]
    fn notes_go_into_a_log_and_come_back() {
        let log = GameLog::read(&sample(), 3).unwrap();
        let notes = GameNotes::of_log(&log);
        assert_eq!(notes.thoughts.len(), 15);
        let predicted: Vec<usize> =
            notes.thoughts.iter().filter(|t| notes.predicted(t)).map(|t| t.ply / 2 + 1).collect();
        assert_eq!(predicted, [4, 10, 12, 13]);
        let (rates, weights) = (log.rates.clone(), log.weights.clone());
        let again = notes.log(log.learned, rates, log.lambda, weights, Some(Finish::Won));
        assert_eq!(again, log);
        assert_eq!(notes.positions().len(), 30);
    }
}

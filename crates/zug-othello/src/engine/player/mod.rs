//! The engine as a player of the workbench.
//!
//! | file | answers |
//! |---|---|
//! | `options` | which evaluation, which cuts, how certain, how large? |
//! | `clock` | how long may this move take? |
//! | `ponder` | what to do while the opponent thinks? |
//! | `words` | how is a thought told? |

mod clock;
mod options;
mod ponder;
#[cfg(test)]
mod tests;
mod words;

use super::{Evaluation, Thought, Unit, Wish};
use crate::bits::Squares;
use crate::{Board, Move, Othello};
use options::Options;
use ponder::Seat;
use zug_core::seed::RngExt;
use zug_core::{
    AnyLine, Choice, Game, Limits, Line, Outcome, Player, PlayerError, Scale, StopFlag, Watch, rng,
};
use zug_search::players::{Configure, allowed_moves, line_of};

pub use options::engine_player;

/// A player with one evaluation.
struct EnginePlayer<E: Evaluation + 'static> {
    name: String,
    seat: Seat<E>,
    unit: Unit,
    options: Options,
}

/// Positions a second with one thread on a usual machine.
const PACE: u64 = 8_000_000;

impl<E: Evaluation + 'static> Player for EnginePlayer<E> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, line: &dyn AnyLine) -> Result<(), PlayerError> {
        line_of::<Othello>(line)?;
        self.seat.thinker().clear();
        Ok(())
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let line = line_of::<Othello>(line)?;
        let limits = self.options.own.over(limits);
        let allowed = allowed_moves(line, &limits)?;
        let board = Board::from(line.position());
        let wish = self.wish(line, &limits, &allowed);
        let stop = StopFlag::from(watch.stop.clone());
        let thinker = self.seat.thinker();
        let unit = thinker.unit();
        let told = if self.options.noise > 0 { limits.lines.max(1) } else { usize::MAX };
        let thought = thinker.think(board, &wish, &stop, &mut |thought| {
            for info in words::infos(line, thought, unit).into_iter().take(told) {
                (watch.report)(&info);
            }
        });
        let infos = words::infos(line, &thought, unit);
        let chosen = self.pick(line, &thought);
        // A game that is not over has a move, and every thought names one.
        let info = infos.into_iter().nth(chosen);
        let mv = thought.lines.get(chosen).map_or(allowed[0], |found| found.mv);
        let text = line.game().write_move(line.position(), mv);
        let expects = info.as_ref().and_then(|info| info.line.get(1).cloned());
        if self.options.ponder {
            let reply = thought.lines.get(chosen).and_then(|found| found.line.get(1).copied());
            self.seat.ponder(board.after_move(mv), reply);
        }
        Ok(Choice { mv: text, resigns: false, info, expects })
    }

    fn game_over(&mut self, _: &dyn AnyLine, _: Option<&Outcome>) {
        self.seat.thinker();
    }

    fn pace(&self) -> Option<u64> {
        (self.options.threads == 1 && self.options.noise == 0).then_some(PACE)
    }

    fn scale(&self) -> Option<Scale> {
        (self.unit == Unit::LogOdds).then_some(Scale::LogOdds)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        let player = self.name.clone();
        let mut options = self.options.clone();
        options.set_running(&player, name, value)?;
        self.seat
            .thinker()
            .set_settings(options.settings())
            .map_err(|why| PlayerError::Option(format!("'{name}' cannot be {value}: {why}")))?;
        self.options = options;
        Ok(())
    }
}

impl<E: Evaluation + 'static> EnginePlayer<E> {
    fn wish(&self, line: &Line<Othello>, limits: &Limits, allowed: &[Move]) -> Wish {
        let time = limits.time_for(line.to_move(), clock::moves_left(line.position()));
        // A fixed time for a move is there to be used; a clock's time may be saved.
        let saves = limits.movetime.is_none();
        let squares = allowed.iter().filter_map(|mv| mv.square());
        let only = squares.fold(0, |set: Squares, square| set | 1 << square);
        let lines = if self.options.noise > 0 { usize::MAX } else { limits.lines.max(1) };
        Wish {
            depth: limits.depth,
            nodes: limits.nodes,
            aim: time.map(|(aim, _)| aim).filter(|_| saves),
            most: time.map(|(_, most)| most),
            lines,
            only,
            ..Wish::default()
        }
    }

    /// Which of the lines to play: the first, or with noise any that is little worse.
    fn pick(&self, line: &Line<Othello>, thought: &Thought) -> usize {
        if self.options.noise == 0 {
            return 0;
        }
        let worth: Vec<i32> = thought.lines.iter().map(|found| found.value.hundredths()).collect();
        let Some(&best) = worth.first() else { return 0 };
        let near = worth.iter().take_while(|&&w| w >= best - self.options.noise).count();
        rng(self.options.seed, line.ply() as u64).random_range(0..near.max(1))
    }
}

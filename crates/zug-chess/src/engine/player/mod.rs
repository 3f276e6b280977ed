//! The engine as a player of the workbench.
//!
//! | file | answers |
//! |---|---|
//! | `options` | which evaluation, which techniques, how large? |
//! | `judge` | what is a position worth to it? |
//! | `ponder` | what to do while the opponent thinks? |
//! | `words` | how is a thought told? |

mod judge;
mod options;
mod ponder;
#[cfg(test)]
mod tests;
mod words;

use super::polyglot::Polyglot;
use super::{Root, Thought, Wish};
use crate::Chess;
use cozy_chess::Move;
use judge::{Judge, PlayedModel};
use options::Options;
use ponder::Seat;
use std::sync::Arc;
use zug_core::error::shorten;
use zug_core::seed::RngExt;
use zug_core::{
    AnyLine, Choice, Game, Info, Limits, Line, Outcome, Player, PlayerError, StopFlag, Watch, rng,
};
use zug_search::players::{Configure, allowed_moves, line_of, parse_switch};

pub use options::engine_player;

/// Positions a second with one thread on a usual machine.
const PACE: u64 = 1_000_000;

/// The engine at the board.
struct EnginePlayer {
    name: String,
    seat: Seat<Judge>,
    options: Options,
    model: PlayedModel,
    /// The one that it began with.
    first_model: PlayedModel,
    book: Option<Arc<Polyglot>>,
    /// What is asked for is an analysis, which the book cannot give.
    analyses: bool,
    /// Games begun, so that each draws its own moves from the book.
    games: u64,
}

impl Player for EnginePlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, line: &dyn AnyLine) -> Result<(), PlayerError> {
        line_of::<Chess>(line)?;
        self.seat.engine().clear();
        self.games += 1;
        Ok(())
    }

    fn pace(&self) -> Option<u64> {
        (self.options.threads == 1 && self.options.noise == 0).then_some(PACE)
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let line = line_of::<Chess>(line)?;
        let limits = self.options.own.over(limits);
        let allowed = allowed_moves(line, &limits)?;
        // Who asks for several lines, or for a mate, wants an analysis too.
        let analyses = self.analyses || self.options.mate || limits.lines > 1;
        if let Some(mv) = self.book_move(line, &allowed).filter(|_| !analyses) {
            self.seat.engine();
            let mv = line.game().write_move(line.position(), mv);
            // Nothing was searched, and that is how one sees that it is from a book.
            let info = Info { rank: 1, line: vec![mv.clone()], ..Info::default() };
            return Ok(Choice { info: Some(info), ..Choice::of(mv) });
        }
        let wish = self.wish(line, &limits, allowed);
        let root = root_of(line);
        let stop = StopFlag::from(watch.stop.clone());
        let told = if self.options.noise > 0 { limits.lines.max(1) } else { usize::MAX };
        let thought = self.seat.engine().search(&root, &wish, &stop, &mut |thought| {
            for info in words::infos(line, thought).into_iter().take(told) {
                (watch.report)(&info);
            }
        });
        let chosen = self.pick(line, &thought);
        let moves = match thought.lines.get(chosen) {
            Some(found) => found.moves.as_slice(),
            None => &wish.only[..1],
        };
        let mv = moves[0];
        let info = words::infos(line, &thought).into_iter().nth(chosen);
        let expects = info.as_ref().and_then(|info| info.line.get(1).cloned());
        if self.options.ponder {
            self.seat.ponder(root, mv, moves.get(1).copied());
        }
        let mv = line.game().write_move(line.position(), mv);
        Ok(Choice { mv, resigns: false, info, expects })
    }

    fn game_over(&mut self, _: &dyn AnyLine, _: Option<&Outcome>) {
        self.seat.engine();
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        if name.eq_ignore_ascii_case("model") {
            return self.set_model(value);
        }
        if name == "analyse" {
            self.analyses = parse_switch(name, value)?;
            return Ok(());
        }
        let player = self.name.clone();
        let mut options = self.options.clone();
        options.set_running(&player, name, value)?;
        let engine = self.seat.engine();
        engine
            .set_settings(options.settings())
            .map_err(|why| PlayerError::Option(format!("'{name}' cannot be {value}: {why}")))?;
        if options.endings() != self.options.endings() {
            let model = self.model.clone();
            engine.set_evaluation(Arc::new(Judge { model, endings: options.endings() }));
        } else if options.mate && !self.options.mate
            || options.techniques != self.options.techniques
        {
            // What was found by leaving moves out, or by other means, proves nothing.
            engine.clear();
        }
        if options.knowledge != self.options.knowledge {
            engine.set_oracles(options.knowledge.oracles.clone());
            self.book = options.knowledge.book.clone();
        }
        self.options = options;
        Ok(())
    }
}

/// The position of a line, with those before it that may come again.
fn root_of(line: &Line<Chess>) -> Root {
    let position = line.position().clone();
    let keys = line.keys();
    let earlier = &keys[..keys.len().saturating_sub(1)];
    let back = line.game().reversible_plies(&position).min(earlier.len());
    Root { position, earlier: earlier[earlier.len() - back..].to_vec() }
}

impl EnginePlayer {
    /// Plays on with another model, by its name or file; without a name with the first one.
    fn set_model(&mut self, name: &str) -> Result<(), PlayerError> {
        let model = match name {
            "" => self.first_model.clone(),
            name => PlayedModel::open(name).map_err(|why| {
                PlayerError::Option(format!("'model' cannot be '{}': {why}", shorten(name)))
            })?,
        };
        self.model = model.clone();
        let endings = self.options.endings();
        self.seat.engine().set_evaluation(Arc::new(Judge { model, endings }));
        Ok(())
    }

    fn wish(&self, line: &Line<Chess>, limits: &Limits, only: Vec<Move>) -> Wish {
        let time = limits.time_for(line.to_move(), moves_left(line));
        // A fixed time for a move is there to be used; a clock's time may be saved.
        let saves = limits.movetime.is_none();
        Wish {
            depth: limits.depth,
            nodes: limits.nodes,
            aim: time.map(|(aim, _)| aim).filter(|_| saves),
            most: time.map(|(_, most)| most),
            lines: if self.options.noise > 0 { usize::MAX } else { limits.lines.max(1) },
            only,
            draws: line.game().draws(),
        }
    }

    /// Which of the lines to play: the first, or with noise any that is little worse.
    fn pick(&self, line: &Line<Chess>, thought: &Thought) -> usize {
        if self.options.noise == 0 {
            return 0;
        }
        let Some(best) = thought.score() else { return 0 };
        let least = best.0 - self.options.noise;
        let near = thought.lines.iter().take_while(|found| found.score.0 >= least).count();
        rng(self.options.seed, line.moves().len() as u64).random_range(0..near.max(1))
    }

    fn book_move(&self, line: &Line<Chess>, allowed: &[Move]) -> Option<Move> {
        let book = self.book.as_ref()?;
        let lot = rng(self.options.seed, self.games << 32 | line.moves().len() as u64).random();
        book.choose(line.position(), lot).filter(|mv| allowed.contains(mv))
    }
}

/// A guess at the number of moves of one side that the time left must last for.
fn moves_left(line: &Line<Chess>) -> u32 {
    let played = (line.moves().len() / 2) as u32;
    40u32.saturating_sub(played / 2).clamp(24, 40)
}

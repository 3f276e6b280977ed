//! The engine as a player of the workbench.
//!
//! | file | answers |
//! |---|---|
//! | `options` | which evaluation, which techniques, how large? |
//! | `judge` | what is a position worth to it? |
//! | `strength` | how does it play like somebody of a rating? |
//! | `ponder` | what to do while the opponent thinks? |
//! | `words` | how is a thought told? |

mod judge;
mod options;
mod ponder;
mod strength;
#[cfg(test)]
mod tests;
mod words;

use super::polyglot::Polyglot;
use super::{Beat, Oracles, Root, Thought, Wish};
use crate::Chess;
use cozy_chess::Move;
use judge::{Judge, PlayedModel};
use options::Options;
use ponder::Seat;
use std::sync::Arc;
use strength::Handicap;
use zug_core::error::shorten;
use zug_core::seed::RngExt;
use zug_core::{
    AnyLine, Choice, Game, Info, Limits, Line, Outcome, Player, PlayerError, StopFlag, Watch, rng,
};
use zug_search::players::{Configure, allowed_moves, line_of, parse_switch};

pub use options::engine_player;
pub use strength::range as elo_range;

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
        let is_plain = self.options.noise == 0 && self.options.handicap.is_none();
        (self.options.threads == 1 && is_plain).then_some(PACE)
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let line = line_of::<Chess>(line)?;
        let mut limits = self.options.own.over(limits);
        let handicap = self.handicap();
        if let Some(handicap) = handicap {
            limits.nodes = Some(limits.nodes.map_or(handicap.nodes, |n| n.min(handicap.nodes)));
        }
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
        let is_held_back = handicap.is_some() || self.options.noise > 0;
        let told = if is_held_back { limits.lines.max(1) } else { usize::MAX };
        let report = &mut *watch.report;
        let mut report = |thought: &Thought| {
            for info in words::infos(line, thought).into_iter().take(told) {
                report(&info);
            }
        };
        let mut beat = watch
            .pulse
            .as_deref_mut()
            .map(|pulse| move |beat: &Beat| pulse(&words::pulse(line, beat)));
        let beat = beat.as_mut().map(|beat| beat as &mut dyn FnMut(&Beat));
        let engine = self.seat.engine();
        let thought = engine.search_told(&root, &wish, &stop, &mut report, beat);
        let chosen = self.pick(line, &thought);
        let moves = match thought.lines.get(chosen) {
            Some(found) => found.moves.as_slice(),
            None => &wish.only[..1],
        };
        let mv = moves[0];
        let info = words::infos(line, &thought).into_iter().nth(chosen);
        let expects = info.as_ref().and_then(|info| info.line.get(1).cloned());
        if self.options.ponder && !analyses {
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
        if name.eq_ignore_ascii_case("analyse") {
            self.analyses = parse_switch("analyse", value)?;
            return Ok(());
        }
        if name.eq_ignore_ascii_case("syzygy") {
            return self.set_tables(value);
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

    /// Plays on with other Syzygy tables. A process has room for one list of folders, so that those
    /// that are open are closed first, and opened again where the others cannot be had.
    fn set_tables(&mut self, folders: &str) -> Result<(), PlayerError> {
        let engine = self.seat.engine();
        engine.set_oracles(Oracles::default());
        let knowledge = &mut self.options.knowledge;
        let before = knowledge.close_tables();
        let set = knowledge.open_tables(folders);
        if set.is_err() {
            // What is gone meanwhile is told by the next who asks for it.
            let _ = knowledge.open_tables(&before);
        }
        engine.set_oracles(knowledge.oracles.clone());
        Ok(set?)
    }

    /// How it is held back, where it is not to tell the truth about a position.
    fn handicap(&self) -> Option<Handicap> {
        self.options.handicap.filter(|_| !self.analyses && !self.options.mate)
    }

    /// By how much the move that it plays may be worse than the best.
    fn margin(&self) -> i32 {
        self.handicap().map_or(0, |handicap| handicap.margin).max(self.options.noise)
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
            lines: match self.handicap() {
                Some(handicap) => handicap.lines().max(limits.lines),
                None if self.options.noise > 0 => usize::MAX,
                None => limits.lines.max(1),
            },
            only,
            draws: line.game().draws(),
        }
    }

    /// Which of the lines to play: the first, or with a margin any that is little worse.
    fn pick(&self, line: &Line<Chess>, thought: &Thought) -> usize {
        let margin = self.margin();
        let Some(best) = thought.score().filter(|_| margin > 0) else { return 0 };
        let near = thought.lines.iter().take_while(|found| found.score.0 >= best.0 - margin);
        let ply = line.moves().len() as u64;
        if self.handicap().is_none() {
            return rng(self.options.seed, ply).random_range(0..near.count().max(1));
        }
        let losses: Vec<i32> = near.map(|found| best.0 - found.score.0).collect();
        let mut lots = rng(self.options.seed, self.games << 32 | ply);
        strength::pick(&losses, margin, &mut lots)
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

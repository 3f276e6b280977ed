//! The thread that thinks: from `go` to `bestmove`.

use super::command::Go;
use super::events::{Event, tell_searched};
use super::info::{info_line, pulse_line, shows_mate_in};
use crate::control::Control;
use crate::options::Options;
use crate::output::Output;
use crate::seat;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;
use zug_core::bench::Bench;
use zug_core::erased::SharedGame;
use zug_core::{
    AnyGame, AnyLine, Chances, Choice, Clock, Info, Limits, Player, PlayerError, Pulse, Score,
    Watch,
};

/// A guess at the moves that a game still lasts, for the time that remains after a ponder hit. The
/// player knows better, but it was told to think without a clock.
const MOVES_LEFT: u32 = 30;

/// The player that comes back from a search (`None`: it did not survive); a count of leaves has
/// none to give back.
type Returned = Option<Option<Box<dyn Player>>>;

/// Where a search speaks: to the GUI, and to the session when it has answered.
pub(super) struct Channel<'env, W> {
    pub(super) output: &'env Output<W>,
    pub(super) events: SyncSender<Event>,
}

impl<W: Write> Channel<'_, W> {
    /// The last line of a search.
    fn answer(&self, control: &Control, text: &str) {
        control.answer();
        self.output.line(text);
        tell_searched(&self.events);
    }
}

/// A search in progress.
pub(super) struct Search<'scope> {
    pub(super) control: Arc<Control>,
    handle: ScopedJoinHandle<'scope, Returned>,
    /// Does it think on the opponent's time?
    pub(super) ponders: bool,
    /// Will it end by itself?
    pub(super) bounded: bool,
    /// Will it when the opponent has played the move that it thinks about?
    bounded_after_hit: bool,
    /// The time it may take after `ponderhit`; `None` for no limit on time.
    time: Option<Duration>,
}

impl<'scope> Search<'scope> {
    /// The opponent has played the move that we think about: from now on it is our time.
    pub(super) fn ponder_hit<'env>(&mut self, scope: &'scope Scope<'scope, 'env>) {
        self.control.release();
        self.bounded = self.bounded_after_hit;
        if let Some(time) = self.time {
            let control = Arc::clone(&self.control);
            scope.spawn(move || control.stop_after(time));
        }
    }

    pub(super) fn wait(self) -> Returned {
        // Players are guarded, so only a fault of this crate could end the thread badly.
        self.handle.join().unwrap_or(Some(None))
    }
}

/// The limits that `go` asks for, and what was wrong with it.
pub(super) fn limits(go: &Go, options: &Options, line: &dyn AnyLine) -> (Limits, Vec<String>) {
    let mut errors = Vec::new();
    let mut only = Vec::new();
    for (byte, text) in &go.search_moves {
        match line.boxed_clone().play(text) {
            Ok(mv) => only.push(mv),
            Err(e) if errors.len() < 8 => errors.push(format!("searchmoves (byte {byte}): {e}")),
            // Nobody reads more, and the line may be a megabyte.
            Err(_) => {}
        }
    }
    let less = |time: Duration| {
        time.saturating_sub(options.overhead).max(Duration::from_millis(1)).min(time)
    };
    let clock = (go.time != [None, None]).then(|| {
        // A GUI that tells one clock only cares for that one.
        let either = go.time[0].or(go.time[1]).unwrap_or_default();
        Clock {
            remaining: go.time.map(|t| less(t.unwrap_or(either))),
            increment: go.increment.map(Option::unwrap_or_default),
            moves_to_go: go.moves_to_go.filter(|&n| n > 0),
        }
    });
    // A mate in n moves takes 2n - 1 plies; one more sees that it is one.
    let mate_depth = go.mate.map(|n| n.saturating_mul(2));
    let depth = [go.depth, mate_depth].into_iter().flatten().min().map(|d| d.max(1));
    let limits = Limits {
        depth,
        nodes: go.nodes.map(|n| n.max(1)),
        movetime: go.movetime.map(less),
        clock,
        lines: options.lines,
        only,
    };
    (limits, errors)
}

/// What a search is limited by, for somebody who reads along.
pub(super) fn in_words(limits: &Limits, go: &Go) -> String {
    let seconds = |time: Duration| format!("{} s", time.as_secs_f64());
    let mut words = Vec::new();
    words.extend(limits.depth.map(|n| format!("to depth {n}")));
    words.extend(limits.nodes.map(|n| format!("to {n} nodes")));
    words.extend(limits.movetime.map(|time| format!("for {}", seconds(time))));
    words.extend(limits.clock.map(|clock| {
        let [white, black] = [0, 1]
            .map(|i| format!("{} + {}", seconds(clock.remaining[i]), seconds(clock.increment[i])));
        let until = clock.moves_to_go.map_or(String::new(), |n| format!(", {n} moves to go"));
        format!("by the clocks (white {white}, black {black}{until})")
    }));
    if go.ponder {
        words.push("until 'ponderhit' or 'stop'".to_string());
    } else if go.infinite || !limits.is_bounded() {
        words.push("until 'stop'".to_string());
    }
    if limits.lines > 1 {
        words.push(format!("{} lines", limits.lines));
    }
    if !limits.only.is_empty() {
        words.push(format!("only {}", limits.only.join(" ")));
    }
    words.join(", ")
}

/// What is told beside the moves.
#[derive(Clone, Copy)]
pub(super) struct Told {
    /// May a move come from a book?
    pub(super) has_book: bool,
    /// What scores mean, where it is to be told.
    pub(super) chances: Option<Chances>,
}

/// Starts to think about `line`. `analyses`: so does every search of the session.
#[allow(clippy::too_many_arguments, reason = "they are what a search is about")]
pub(super) fn start<'scope, 'env, W: Write + Send>(
    scope: &'scope Scope<'scope, 'env>,
    channel: Channel<'env, W>,
    mut player: Box<dyn Player>,
    line: Box<dyn AnyLine>,
    mut limits: Limits,
    go: &Go,
    analyses: bool,
    told: Told,
) -> Search<'scope> {
    let mate = go.mate.map(|moves| Mate::ask(moves, &mut *player, &mut limits));
    let bounded_after_hit = limits.is_bounded() && !go.infinite;
    let bounded = bounded_after_hit && !go.ponder;
    let time = limits.time_for(line.to_move(), MOVES_LEFT).map(|(aim, _)| aim);
    if !bounded {
        limits.movetime = None;
        limits.clock = None;
    }
    // A search that is to find out about a position, and not what a book says about it.
    let analysis = !analyses && (!bounded_after_hit || mate.is_some());
    if analysis {
        // A player that has no such option has no book of its own either.
        switch(&mut *player, "analyse", "on");
    }
    let control = Control::new(!bounded);
    let reins = Arc::clone(&control);
    let handle = scope.spawn(move || {
        let output = channel.output;
        let (mut player, text) = if line.outcome().is_some() {
            (Some(player), nothing_to_play(&*line, output))
        } else {
            think(player, &*line, &limits, mate, told, &reins, output)
        };
        channel.answer(&reins, &text);
        if let Some(player) = player.as_mut().filter(|_| analysis) {
            switch(&mut **player, "analyse", "off");
        }
        Some(player)
    });
    Search { control, handle, ponders: go.ponder, bounded, bounded_after_hit, time }
}

/// A mate that was asked for.
#[derive(Clone, Copy)]
struct Mate {
    moves: u32,
    /// Can the player look for it without leaving anything out?
    thorough: bool,
}

impl Mate {
    /// Tells the player to leave no mate out, if it can. Then it sees a mate in n moves 2n - 1 plies
    /// ahead.
    fn ask(moves: u32, player: &mut dyn Player, limits: &mut Limits) -> Mate {
        let thorough = switch(player, "mate", "on");
        if thorough {
            let plies = moves.saturating_mul(2).saturating_sub(1).max(1);
            limits.depth = Some(limits.depth.map_or(plies, |depth| depth.min(plies)));
        }
        Mate { moves, thorough }
    }

    /// What to say after a search that has not shown it.
    fn missing(self, last: Option<&Info>) -> String {
        let plies = self.moves.saturating_mul(2).saturating_sub(1);
        let all = self.thorough && last.is_some_and(|info| info.depth >= plies);
        match all {
            true => format!("info string there is no mate in {}", self.moves),
            false => format!("info string no mate in {} was found", self.moves),
        }
    }
}

/// Does the player take this option? One that breaks down over it does not.
fn switch(player: &mut dyn Player, name: &str, value: &str) -> bool {
    catch_unwind(AssertUnwindSafe(|| player.set_option(name, value).is_ok())).unwrap_or(false)
}

/// The answer where the game is over: the value, and no move.
fn nothing_to_play<W: Write>(line: &dyn AnyLine, output: &Output<W>) -> String {
    if let Some(outcome) = line.outcome() {
        let score = Score::of_outcome(&outcome, line.to_move(), 0);
        output.line(&format!("info depth 0 score {}", super::info::score_text(score)));
    }
    "bestmove (none)".to_string()
}

fn think<W: Write>(
    player: Box<dyn Player>,
    line: &dyn AnyLine,
    limits: &Limits,
    mate: Option<Mate>,
    told: Told,
    control: &Control,
    output: &Output<W>,
) -> (Option<Box<dyn Player>>, String) {
    let mut last: Option<Info> = None;
    let mut shown = false;
    let chances = told.chances.map(|Chances(chances)| move |score| chances(line, score));
    let chances = chances.as_ref().map(|chances| chances as &dyn Fn(Score) -> [u16; 3]);
    let mut report = |info: &Info| {
        let sent = output.line(&info_line(info, chances));
        let found = mate.is_some_and(|mate| shows_mate_in(info, mate.moves));
        shown |= found;
        if info.rank <= 1 {
            last = Some(info.clone());
        }
        if !sent || found {
            // Nobody listens any more, or what was asked for has been found.
            control.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let mut pulse = |pulse: &Pulse| {
        output.line(&pulse_line(pulse, chances));
    };
    let mut watch = Watch::new(Arc::clone(&control.stop), &mut report).with_pulse(&mut pulse);
    let (mut player, chosen) = seat::choose(player, line, limits, &mut watch);
    if let Some(mate) = mate {
        if let Some(player) = player.as_mut().filter(|_| mate.thorough) {
            switch(&mut **player, "mate", "off");
        }
        if !shown {
            output.line(&mate.missing(last.as_ref()));
        }
    }
    let text = match chosen {
        Ok(choice) => {
            if let (None, Some(info)) = (&last, &choice.info) {
                output.line(&info_line(info, chances));
            }
            let by_book = choice.info.as_ref().filter(|info| info.depth == 0 && info.nodes == 0);
            if told.has_book && by_book.is_some_and(|info| info.line.first() == Some(&choice.mv)) {
                output.line(&format!("info string book move {}", choice.mv));
            }
            best_move(line, &choice, last.as_ref())
        }
        Err(e) => fallback(line, limits, &e, output),
    };
    (player, text)
}

fn best_move(line: &dyn AnyLine, choice: &Choice, last: Option<&Info>) -> String {
    let reported = last.or(choice.info.as_ref());
    let expected = choice.expects.clone().or_else(|| {
        reported.filter(|i| i.line.first() == Some(&choice.mv)).and_then(|i| i.line.get(1).cloned())
    });
    let mut after = line.boxed_clone();
    // A reply is only named where it can be played.
    let ponder = after.play(&choice.mv).ok().and(expected).and_then(|mv| after.play(&mv).ok());
    match ponder {
        Some(ponder) => format!("bestmove {} ponder {ponder}", choice.mv),
        None => format!("bestmove {}", choice.mv),
    }
}

/// A player that fails costs the game less with some legal move than with none.
fn fallback<W: Write>(
    line: &dyn AnyLine,
    limits: &Limits,
    error: &PlayerError,
    output: &Output<W>,
) -> String {
    output.line(&format!("info string error: {error}; playing the first legal move"));
    let first = limits.only.first().cloned().or_else(|| line.legal_moves().into_iter().next());
    format!("bestmove {}", first.as_deref().unwrap_or("0000"))
}

/// Counts leaves, below each move and in all.
pub(super) fn perft<'scope, 'env, W: Write + Send>(
    scope: &'scope Scope<'scope, 'env>,
    channel: Channel<'env, W>,
    game: SharedGame,
    line: Box<dyn AnyLine>,
    depth: u32,
) -> Search<'scope> {
    let control = Control::new(false);
    let reins = Arc::clone(&control);
    let handle = scope.spawn(move || {
        let output = channel.output;
        let mut total = 0;
        let mut complete = true;
        for mv in line.legal_moves() {
            let mut next = line.boxed_clone();
            let counted = next
                .play(&mv)
                .ok()
                .and_then(|_| leaves(&*game, &*next, depth.saturating_sub(1), &reins));
            let Some(leaves) = counted.filter(|_| !output.is_broken()) else {
                complete = false;
                break;
            };
            total += leaves;
            output.line(&format!("{mv}: {leaves}"));
        }
        let text = if complete {
            format!("Nodes searched: {total}")
        } else {
            "info string perft was stopped".to_string()
        };
        channel.answer(&reins, &text);
        None
    });
    Search { control, handle, ponders: false, bounded: true, bounded_after_hit: true, time: None }
}

/// Counts the positions of a fixed search.
pub(super) fn bench<'scope, 'env, W: Write + Send>(
    scope: &'scope Scope<'scope, 'env>,
    channel: Channel<'env, W>,
    game: SharedGame,
    mut player: Box<dyn Player>,
    bench: Bench,
    depth: u32,
) -> Search<'scope> {
    let control = Control::new(false);
    let reins = Arc::clone(&control);
    let handle = scope.spawn(move || {
        let output = channel.output;
        let count = bench.positions.len();
        let mut tell = |number: usize, position: &str| {
            if !output.line(&format!("info string position {number} of {count}: {position}")) {
                reins.stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        };
        let run =
            AssertUnwindSafe(|| bench.run(&*game, &mut *player, depth, &reins.stop, &mut tell));
        let text = match catch_unwind(run) {
            Ok(Ok(Some(sum))) => {
                // As Stockfish says it, for programs that read it there.
                output.line(&format!("Total time (ms) : {}", sum.elapsed.as_millis()));
                output.line(&format!("Nodes searched  : {}", sum.nodes));
                format!("Nodes/second    : {}", sum.nodes_per_second())
            }
            Ok(Ok(None)) => "info string the bench was stopped".to_string(),
            Ok(Err(error)) => format!("info string error: {error}"),
            Err(_) => "info string error: the player broke down".to_string(),
        };
        channel.answer(&reins, &text);
        None
    });
    Search { control, handle, ponders: false, bounded: true, bounded_after_hit: true, time: None }
}

/// Leaves at a depth, counted by the game itself near them and by hand above, where it may have to
/// stop. `None` when it was stopped.
fn leaves(game: &dyn AnyGame, line: &dyn AnyLine, depth: u32, control: &Control) -> Option<u64> {
    const UNSTOPPABLE: u32 = 3;
    if control.is_stopped() {
        return None;
    }
    if depth <= UNSTOPPABLE {
        return Some(game.perft(line, depth));
    }
    // Rules without history count, as in every perft: each position begins a line of its own.
    let fresh = game.line_from(&line.position_text()).ok()?;
    let mut total = 0;
    for mv in fresh.legal_moves() {
        let mut next = fresh.boxed_clone();
        next.play(&mv).ok()?;
        total += leaves(game, &*next, depth - 1, control)?;
    }
    Some(total)
}

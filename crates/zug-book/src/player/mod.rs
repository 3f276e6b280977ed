//! A player with a book: it plays by the book as long as the book knows, searches otherwise, and
//! learns from its games.
//!
//! | file | answers |
//! |---|---|
//! | `options` | which book, and may it learn? |
//! | `lesson` | what does a game teach? |
//!
//! [`with_books`] gives every searching player of a game the options `book`, `learn` and `draws`. The
//! player inside stays as it is; it is asked where the book is silent, and it is the judge of the
//! alternatives, with the limits that it had in the game.
//!
//! A game is learned when the player is told its result ([`Player::game_over`]). Where nobody tells
//! it (a GUI just begins another game), a result that the player's own search has proven will do.

mod lesson;
mod options;
#[cfg(test)]
mod tests;

use crate::judge::proof;
use crate::shelf::{Moment, OpenBook};
use crate::twins::choose_among;
use crate::{Advice, Book, BookMove, Chance, Draws, Leaf, Places, Values, advise, draw_by_weight};
use lesson::Lesson;
use options::{KEYS, Options};
use std::sync::Arc;
use std::time::{Duration, Instant};
use zug_core::erased::SharedGame;
use zug_core::{
    AnyLine, Choice, GameEntry, Info, Limits, Outcome, Player, PlayerError, PlayerKind, Scale,
    Score, Side, Watch, rng,
};

/// What a game may bring: a book that is part of the program, as the bytes of its file.
#[derive(Clone, Copy, Debug)]
pub struct ShippedBook(pub &'static [u8]);

/// With thoughts as long as this, the alternatives of a game take seconds.
const LONG: Duration = Duration::from_millis(50);

/// Players that do not search have no use for a book.
const WITHOUT: [&str; 1] = ["random"];

/// Gives every searching player of a game the options `book=FILE`, `learn=on|off`, `draws=neutral|avoid`
/// and `vary=on|off`.
#[must_use]
pub fn with_books(mut entry: GameEntry) -> GameEntry {
    let about = About {
        spec: entry.game.spec(),
        game: entry.game.clone(),
        places: Places::of(&entry),
        shipped: entry.extension::<ShippedBook>().copied(),
    };
    let kinds = std::mem::take(&mut entry.players);
    entry.players = kinds
        .into_iter()
        .map(|kind| if WITHOUT.contains(&kind.name) { kind } else { with_book(kind, &about) })
        .collect();
    entry
}

/// What players must know of their game.
#[derive(Clone)]
struct About {
    spec: String,
    game: SharedGame,
    places: Places,
    shipped: Option<ShippedBook>,
}

fn with_book(kind: PlayerKind, about: &About) -> PlayerKind {
    let about = about.clone();
    let shipped = if about.shipped.is_some() { "FILE|shipped" } else { "FILE" };
    let help = format!(
        "{}; book={shipped}, learn=on|off (from every game), draws=neutral|avoid (in the book), vary=on|off \
         (draw lots between its moves, by their success)",
        kind.help
    );
    let make = kind.make;
    PlayerKind {
        name: kind.name,
        help,
        make: Box::new(move |spec| {
            let mut inner = spec.clone();
            inner.options.retain(|(key, _)| !KEYS.contains(&key.as_str()));
            // Its own options first: a mistake there should not cost the reading of a book.
            let player = make(&inner)?;
            let options = Options::of_spec(spec, &about)?;
            Ok(Box::new(BookPlayer {
                name: spec.to_string(),
                inner: player,
                about: about.clone(),
                options,
                analyses: false,
                game: Game::default(),
                number: 0,
            }))
        }),
    }
}

struct BookPlayer {
    name: String,
    inner: Box<dyn Player>,
    about: About,
    options: Options,
    /// Somebody wants to know about positions: that is no game, and the book is no answer.
    analyses: bool,
    game: Game,
    /// Games that it has begun.
    number: u64,
}

/// What is remembered of the game that is being played.
struct Game {
    /// When it began.
    begun: Moment,
    /// As it was after our last move.
    line: Option<Box<dyn AnyLine>>,
    /// The side that we moved for last.
    side: Option<Side>,
    /// The first position whose result we have proven: its ply, and the result for its mover.
    proof: Option<(usize, Leaf)>,
    /// The limits of our thoughts.
    limits: Option<Limits>,
    /// The longest of our thoughts.
    longest: Duration,
}

impl Default for Game {
    fn default() -> Game {
        let (line, side, proof, limits) = (None, None, None, None);
        Game { begun: Moment::now(), line, side, proof, limits, longest: Duration::ZERO }
    }
}

impl Player for BookPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, line: &dyn AnyLine) -> Result<(), PlayerError> {
        self.learn_what_is_proven(true);
        self.begin();
        self.prepare();
        self.inner.new_game(line)
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        // Who asks for several lines wants an analysis, not a move.
        if limits.lines > 1 {
            return choose_among(&mut *self.inner, &self.about.places, line, limits, watch);
        }
        let Some(open) = self.options.book.clone().filter(|_| !self.analyses) else {
            return self.inner.choose(line, limits, watch);
        };
        self.follow(line, limits);
        let (choice, thought) = match self.ask(&open, line, limits) {
            Asked::Play(choice) => {
                if let Some(info) = &choice.info {
                    (watch.report)(info);
                }
                (*choice, false)
            }
            Asked::Search(only) => {
                let limits = Limits { only, ..limits.clone() };
                let begin = Instant::now();
                let choice = self.inner.choose(line, &limits, watch)?;
                self.game.longest = self.game.longest.max(begin.elapsed());
                (choice, true)
            }
        };
        self.remember(line, &choice, thought);
        Ok(choice)
    }

    fn game_over(&mut self, line: &dyn AnyLine, outcome: Option<&Outcome>) {
        if self.options.learns() {
            match outcome {
                Some(outcome) => self.learn(line, outcome),
                None => self.learn_what_is_proven(true),
            }
        }
        self.begin();
        self.inner.game_over(line, outcome);
    }

    fn learns(&self) -> bool {
        self.options.learns() || self.inner.learns()
    }

    fn pace(&self) -> Option<u64> {
        self.inner.pace()
    }

    fn scale(&self) -> Option<Scale> {
        self.inner.scale()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        let small = name.to_ascii_lowercase();
        if small == "analyse" {
            self.analyses = options::switch(value).map_err(PlayerError::Option)?;
            // A player that does not know of it does the same in a game and out of one.
            let _ = self.inner.set_option(name, value);
            return Ok(());
        }
        if KEYS.contains(&small.as_str()) {
            return self.options.set(&small, value, &self.about).map_err(PlayerError::Option);
        }
        let inner = self.inner.set_option(name, value);
        if small != "contempt" {
            return inner;
        }
        // It matters in the book, in the search, or in both.
        let book = self.options.set(&small, value, &self.about).map_err(PlayerError::Option);
        inner.or(book)
    }
}

/// A game that nobody has told the end of is not lost when the program ends. The alternatives can
/// wait: whoever ends a program does not want to wait.
impl Drop for BookPlayer {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.learn_what_is_proven(false);
        }
    }
}

/// What the book says.
enum Asked {
    Play(Box<Choice>),
    /// Search, among these moves if there are any.
    Search(Vec<String>),
}

impl BookPlayer {
    /// Another game, with other lots.
    fn begin(&mut self) {
        self.game = Game::default();
        self.number += 1;
    }

    /// Works out the values of the book now, so that no move has to wait for them.
    fn prepare(&self) {
        if let Some(open) = &self.options.book {
            let mut state = open.lock();
            for side in Side::BOTH {
                state.with_values(self.draws(side));
            }
        }
    }

    fn draws(&self, side: Side) -> Draws {
        if self.options.avoids_draws { Draws::LostFor(side) } else { Draws::Neutral }
    }

    fn ask(&self, open: &OpenBook, line: &dyn AnyLine, limits: &Limits) -> Asked {
        let begin = Instant::now();
        let mut state = open.lock();
        let (book, values) = state.with_values(self.draws(line.to_move()));
        let allowed = |mv: &String| limits.only.is_empty() || limits.only.contains(mv);
        let places = &self.about.places;
        let drawn = self.options.vary.and_then(|seed| {
            // Every game of the session has lots of its own.
            let mut lots = rng(seed, (self.number << 24) ^ line.ply() as u64);
            draw_by_weight(book, values, places, line, &mut lots)
        });
        let advice = drawn.map_or_else(|| advise(book, values, places, line), Advice::Play);
        match advice {
            Advice::Play(found) if allowed(&found.mv) => {
                let moves = expected_line(book, values, places, line, &found);
                let info = Info {
                    rank: 1,
                    score: found.chance.map(in_score),
                    elapsed: begin.elapsed(),
                    line: moves.clone(),
                    ..Info::default()
                };
                Asked::Play(Box::new(Choice {
                    mv: found.mv,
                    resigns: false,
                    info: Some(info),
                    expects: moves.get(1).cloned(),
                }))
            }
            Advice::Search(only) if limits.only.is_empty() => Asked::Search(only),
            _ => Asked::Search(limits.only.clone()),
        }
    }

    /// Notes what game we are in; a line that does not go on from the last one is another game.
    fn follow(&mut self, line: &dyn AnyLine, limits: &Limits) {
        let goes_on = self.game.line.as_ref().is_none_or(|before| continues(&**before, line));
        if !goes_on {
            self.learn_what_is_proven(true);
            self.begin();
        }
        self.game.limits = Some(Limits { only: Vec::new(), ..limits.clone() });
    }

    fn remember(&mut self, line: &dyn AnyLine, choice: &Choice, thought: bool) {
        let found = choice.info.as_ref().filter(|_| thought).and_then(proof);
        if let Some(found) = found
            && self.game.proof.is_none_or(|(_, known)| known.value.signum() != found.value.signum())
        {
            self.game.proof = Some((line.ply(), found));
        }
        let mut after = line.boxed_clone();
        if choice.resigns || after.play(&choice.mv).is_err() {
            after = line.boxed_clone();
        }
        self.game.side = Some(line.to_move());
        self.game.line = Some(after);
    }

    /// The limits with which alternatives are judged: those of the game.
    fn judging_limits(&self) -> Limits {
        let mut limits = self.game.limits.clone().unwrap_or_default();
        if limits.clock.take().is_some() || !limits.is_bounded() {
            // With a clock: as long as the longest thought of the game.
            limits.movetime = Some(self.game.longest.max(Duration::from_millis(10)));
        }
        limits
    }

    fn learn(&mut self, line: &dyn AnyLine, outcome: &Outcome) {
        let winner_at = |ply: usize, leaf: Leaf| {
            let mut at = line.boxed_clone();
            while at.ply() > ply && at.undo() {}
            match leaf.value.signum() {
                0 => None,
                1 => Some(at.to_move()),
                _ => Some(at.to_move().other()),
            }
        };
        // What the search had proven is the end of the lesson, if the game went that way.
        let proven = self
            .game
            .proof
            .filter(|&(ply, leaf)| ply <= line.ply() && winner_at(ply, leaf) == outcome.winner);
        let end = proven.unwrap_or_else(|| {
            let by_rules = line.outcome().is_some();
            (line.ply(), Leaf::of_outcome(outcome, line.to_move(), by_rules))
        });
        self.study(line.boxed_clone(), end, true);
    }

    fn learn_what_is_proven(&mut self, judges: bool) {
        if !self.options.learns() {
            return;
        }
        let Some(line) = self.game.line.take() else { return };
        let by_rules =
            line.outcome().map(|o| (line.ply(), Leaf::of_outcome(&o, line.to_move(), true)));
        if let Some(end) = self.game.proof.or(by_rules) {
            self.study(line, end, judges);
        }
    }

    fn study(&mut self, line: Box<dyn AnyLine>, (plies, leaf): (usize, Leaf), judges: bool) {
        let Some(open) = self.options.book.clone() else { return };
        let side = self.game.side.unwrap_or(line.to_move());
        let limits = self.judging_limits();
        let is_long = self.game.longest > LONG;
        let begun = self.game.begun;
        let lesson = Lesson { line: &*line, plies, leaf, side, begun, is_long };
        let inner: &mut dyn Player = &mut *self.inner;
        let judge = if judges { Some((inner, limits)) } else { None };
        if let Err(error) = lesson.learn(&open, &self.about, judge) {
            tracing::warn!("a game was not learned: {error}");
        }
    }
}

/// Does a line go on from another?
fn continues(before: &dyn AnyLine, line: &dyn AnyLine) -> bool {
    let (old, new) = (before.moves(), line.moves());
    old.len() <= new.len()
        && old[..] == new[..old.len()]
        && (before.starts_at_start() == line.starts_at_start())
        && (line.starts_at_start() || before.start_text() == line.start_text())
}

/// What both sides would play by the book.
fn expected_line(
    book: &Book,
    values: &Values,
    places: &Places,
    line: &dyn AnyLine,
    first: &BookMove,
) -> Vec<String> {
    const LONGEST: usize = 24;
    let mut moves = Vec::new();
    let mut at = line.boxed_clone();
    let mut next = Some(first.mv.clone());
    while let Some(mv) = next {
        if moves.len() == LONGEST || at.play(&mv).is_err() {
            break;
        }
        moves.push(mv);
        next = crate::choose(book, values, places, &*at).map(|found| found.mv);
    }
    moves
}

/// A chance as a score. What games have shown is no proof, so it is told as an estimate.
fn in_score(chance: Chance) -> Score {
    let points = |margin: u32| 100 * margin.clamp(1, 1000) as i32;
    match chance {
        Chance::Estimate(hundredths) => Score::estimate(hundredths),
        Chance::Won(end) => Score::estimate(points(end.margin)),
        Chance::Lost(end) => Score::estimate(-points(end.margin)),
    }
}

/// A book shared by players.
type Shared = Arc<OpenBook>;

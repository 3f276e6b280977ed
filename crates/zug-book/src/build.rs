//! How does a book come out of records of games?
//!
//! Every game goes into the book up to the first of these:
//!
//! * the first position with few enough empty squares to be solved (Othello), or the end of the game:
//!   there the result is known, exactly in the first case;
//! * a position that was seen in fewer games than asked for, or lies beyond the plies asked for, or
//!   is not among the most frequent ones where only so many are wanted.
//!
//! In the second case the result of that one game says little about the position, and calling it
//! won or lost would make the book trust it blindly. Such a position at the edge stays **open**: its
//! tree value is that of a draw, neither won nor lost, and its chance is the value that the search
//! gives it, just as for a position that is not in the tree at all. Above open positions the chance
//! is thus the plain NegaMax value of the searches at the edge; where games with known results meet
//! them, a known win is better than any estimate and a known loss worse.
//!
//! Then the alternative of every position is searched, and the late positions are solved, by a
//! [`Team`]. At last the book may play against itself: games that follow its own preferences, with
//! some variety, leave it at its edge, and are played on to their end, add what it would meet next.

use crate::judge::{cut, left};
use crate::team::{Diary, Found, Task, Team, WorkError};
use crate::{Book, Draws, Leaf, Places, Values, every_move, unplayed, visited};
use std::collections::{HashMap, HashSet};
use zug_core::seed::RngExt;
use zug_core::{AnyLine, Outcome, RecordResult, Rng, rng};

/// Which games and positions go in.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Seen in at least so many games.
    pub min_games: u32,
    /// Moves from the beginning of the game, at most.
    pub plies: usize,
    /// At most so many positions, the most frequent ones.
    pub positions: usize,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { min_games: 1, plies: usize::MAX, positions: 1_000_000 }
    }
}

/// Hands over games one after the other, until it is answered false; it can be asked again and tells
/// the same.
pub type Games<'a> = dyn FnMut(&mut dyn FnMut(&dyn AnyLine, RecordResult) -> bool) + 'a;

/// Reads games into a book. No search is made. Where the game can be solved, `Team::exact` is where
/// games are cut.
pub fn read_games(
    book: &mut Book,
    places: &Places,
    selection: &Selection,
    team: &Team<'_>,
    games: &mut Games<'_>,
) -> u64 {
    let chosen = choose_positions(places, selection, team, games);
    let mut added = 0;
    games(&mut |line, result| {
        let (plies, leaf) = usable(line, result, team, selection.plies);
        let path = visited(places, line, plies.min(selection.plies));
        let known = path.iter().take_while(|v| chosen.contains(&v.key)).count();
        if known < 2 {
            return !team.stop.is_set();
        }
        let whole = known == path.len() && known - 1 == plies;
        match leaf.filter(|_| whole) {
            Some(leaf) => book.add_line(places, line, plies, leaf),
            None => book.add_open(places, line, known - 1, winner(line, result)),
        };
        added += 1;
        !team.stop.is_set()
    });
    book.link_all(&*team.entry.game, places);
    added
}

/// Who won, as far as it is known: for the counts of a position.
fn winner(line: &dyn AnyLine, result: RecordResult) -> Option<Outcome> {
    line.outcome().or(match result {
        RecordResult::Unknown => None,
        RecordResult::Known { winner, margin } => {
            Some(Outcome { winner, margin, reason: "stated" })
        }
    })
}

/// How many moves of a game count, and the result after them. The result of a position that will
/// be solved is that of the game until then.
fn usable(
    line: &dyn AnyLine,
    result: RecordResult,
    team: &Team<'_>,
    most: usize,
) -> (usize, Option<Leaf>) {
    let outcome = winner(line, result);
    let plies = line.ply();
    // Beyond what is wanted nobody looks for the end.
    if let Some(search) = team.exact_search()
        && let Some(at) = cut(search, team.exact, line, plies.min(most))
    {
        let mut end = line.boxed_clone();
        while end.ply() > at && end.undo() {}
        // Without an outcome it stays open until it is solved.
        return (at, outcome.map(|o| Leaf::of_outcome(&o, end.to_move(), false)));
    }
    let leaf = outcome.map(|o| Leaf::of_outcome(&o, line.to_move(), line.outcome().is_some()));
    (plies, leaf)
}

/// The places that go in: frequent enough, and the most frequent where there are too many.
fn choose_positions(
    places: &Places,
    selection: &Selection,
    team: &Team<'_>,
    games: &mut Games<'_>,
) -> HashSet<u64> {
    // For each place: games, and the earliest ply.
    let mut counts: HashMap<u64, (u32, u32)> = HashMap::new();
    games(&mut |line, result| {
        let (plies, _) = usable(line, result, team, selection.plies);
        for v in visited(places, line, plies.min(selection.plies)) {
            let count = counts.entry(v.key).or_insert((0, v.ply));
            count.0 += 1;
            count.1 = count.1.min(v.ply);
        }
        team.progress.advance(1);
        // Places seen once are most of a large collection; when memory runs short they go.
        if counts.len() > MOST_COUNTED && selection.min_games > 1 {
            counts.retain(|_, count| count.0 > 1);
        }
        !team.stop.is_set()
    });
    let mut all: Vec<(u64, (u32, u32))> =
        counts.into_iter().filter(|(_, count)| count.0 >= selection.min_games).collect();
    if all.len() > selection.positions {
        all.sort_unstable_by_key(|&(key, (games, ply))| (std::cmp::Reverse(games), ply, key));
        all.truncate(selection.positions);
    }
    all.into_iter().map(|(key, _)| key).collect()
}

/// Places that are counted at the same time.
const MOST_COUNTED: usize = 20_000_000;

/// The positions of a book that still need work: late ones to be solved, others to be searched.
#[must_use]
pub fn open_work(book: &Book, places: &Places, team: &Team<'_>) -> Vec<Task> {
    let mut nodes: Vec<_> = book.nodes().collect();
    nodes.sort_unstable_by_key(|node| (node.ply, node.key));
    // A game that was given up early has a result, but no end that could be solved.
    let is_late = |key| {
        let line = book.line_to(&*team.entry.game, places, key);
        let empties = team.exact_search().zip(line).and_then(|(search, line)| left(search, &*line));
        empties.is_some_and(|empties| empties <= team.exact)
    };
    nodes
        .into_iter()
        .filter_map(|node| match node.result() {
            Some(result) if result.exact => None,
            Some(_) if node.is_leaf() => is_late(node.key).then_some(Task::Solve(node.key)),
            _ if node.alternative().is_some() => None,
            None if node.is_leaf() && is_late(node.key) => Some(Task::Solve(node.key)),
            _ => Some(Task::Alternative(node.key)),
        })
        .collect()
}

/// Enters what was found.
pub fn enter(book: &mut Book, places: &Places, tasks: &[Task], found: Vec<Found>, team: &Team<'_>) {
    for (task, found) in tasks.iter().zip(found) {
        match (task, found) {
            (Task::Alternative(key), Found::Alternative(found)) => {
                book.set_alternative(*key, found);
            }
            (Task::Solve(key), Found::Result(leaf)) => {
                book.set_result(*key, leaf);
            }
            (Task::Play { start, .. }, Found::Game { moves, plies, leaf: Some(leaf) }) => {
                let game = &*team.entry.game;
                let begin =
                    if start.is_empty() { Ok(game.new_line()) } else { game.line_from(start) };
                let Ok(mut line) = begin else { continue };
                if moves.iter().all(|mv| line.play(mv).is_ok()) {
                    book.add_line(places, &*line, plies, leaf);
                }
            }
            _ => {}
        }
    }
}

/// Does the work that a book still needs; false when stopped.
pub fn complete(
    book: &mut Book,
    places: &Places,
    team: &Team<'_>,
    round: u64,
    diary: &mut Diary,
) -> Result<bool, WorkError> {
    let tasks = open_work(book, places, team);
    let Some(found) = team.work(book, places, round, &tasks, diary)? else { return Ok(false) };
    enter(book, places, &tasks, found, team);
    Ok(true)
}

/// Games of one round of self-play. A number of its own, so that the book does not depend on the
/// number of threads.
const ROUND: usize = 16;

/// How unlike each other the moves may be, in hundredths of the evaluation's unit, between which the
/// self-play of a book draws lots.
const VARIETY: f64 = 150.0;

/// How often lots are drawn for a game that goes a new way, each time more freely.
const TRIES: u32 = 8;

/// Lets the book play so many games against itself and learn from them; false when stopped.
pub fn self_play(
    book: &mut Book,
    places: &Places,
    team: &Team<'_>,
    games: usize,
    seed: u64,
    first_round: u64,
    diary: &mut Diary,
) -> Result<bool, WorkError> {
    let mut values = Values::of(book, Draws::Neutral);
    let mut done = 0;
    // A book from nothing begins with one game, and so do rounds that find few new ways.
    for number in 0..2 * games as u64 {
        if done >= games {
            break;
        }
        values.update(book);
        let walk = Walk { book, values: &values, places, team };
        let mut ways: Vec<Vec<String>> = Vec::new();
        for game in 0..ROUND.min(games - done) as u64 {
            let mut random = rng(seed, number * ROUND as u64 + game);
            match walk.new_way(&ways, &mut random) {
                Some(way) => ways.push(way),
                None => break,
            }
        }
        if ways.is_empty() {
            break;
        }
        team.progress.message(&format!("self-play, game {} of {games}", done + 1));
        done += ways.len();
        let tasks: Vec<Task> =
            ways.into_iter().map(|moves| Task::Play { start: String::new(), moves }).collect();
        let round = first_round + 2 * number;
        let Some(found) = team.work(book, places, round, &tasks, diary)? else { return Ok(false) };
        enter(book, places, &tasks, found, team);
        if !complete(book, places, team, round + 1, diary)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Ways through a book.
struct Walk<'a> {
    book: &'a Book,
    values: &'a Values,
    places: &'a Places,
    team: &'a Team<'a>,
}

impl Walk<'_> {
    /// The moves of a game that follows the book to a place where it is not decided, on a way that
    /// is not among those given.
    fn new_way(&self, known: &[Vec<String>], random: &mut Rng) -> Option<Vec<String>> {
        let mut last = None;
        for tries in 1..=TRIES {
            let line = self.by_the_book(VARIETY * f64::from(tries), random);
            let decided = line.outcome().is_some()
                || self.book.get(self.places.key(&*line)).is_some_and(|n| n.result().is_some());
            if !decided && !known.contains(&line.moves()) {
                return Some(line.moves());
            }
            last = Some(line);
        }
        // Everything that the book prefers is known: somewhere on the way, something else.
        let mut line = last?;
        let ply = random.random_range(0..line.ply().max(1));
        while line.ply() > ply && line.undo() {}
        let others = unplayed(self.book, self.places, &*line);
        let other = others.get(random.random_range(0..others.len().max(1)))?;
        line.play(other).ok()?;
        (line.outcome().is_none() && !known.contains(&line.moves())).then(|| line.moves())
    }

    /// A game by the book to its edge, drawing lots between moves of nearly the same chance.
    fn by_the_book(&self, variety: f64, random: &mut Rng) -> Box<dyn AnyLine> {
        let mut line = self.team.entry.game.new_line();
        loop {
            let weigh = |chance: f64, best: f64| ((chance - best) * 100.0 / variety).exp();
            let known: Vec<(String, f64)> = every_move(self.book, self.values, self.places, &*line)
                .into_iter()
                .filter_map(|m| Some((m.mv, m.chance?.as_f64().clamp(-64.0, 64.0))))
                .collect();
            let best = known.iter().map(|(_, chance)| *chance).fold(f64::MIN, f64::max);
            let total: f64 = known.iter().map(|&(_, chance)| weigh(chance, best)).sum();
            let mut lot = random.random::<f64>() * total;
            let drawn = known.iter().find(|&&(_, chance)| {
                lot -= weigh(chance, best);
                lot <= 0.0
            });
            match drawn.or(known.last()) {
                Some((mv, _)) if line.play(mv).is_ok() => {}
                _ => return line,
            }
        }
    }
}

#[cfg(test)]
mod tests;

//! How does a book get better while nobody plays?
//!
//! * **Suspicious positions**: not won for the mover in the stored games, but with an alternative of
//!   good chances. Playing on from the alternative at full strength, and storing that game, shows
//!   whether the line is as good as it looks.
//! * **Corrections of endgames**: where a stored game was played to its end and not solved, the
//!   positions a few plies before are solved now; a result that was thrown away later comes to
//!   light.
//! * **Re-evaluation**: when the evaluation has changed, every alternative is searched anew.
//!
//! All of it is done by a [`Team`], and can be broken off and resumed.

use crate::build::{complete, enter};
use crate::judge::left;
use crate::team::{Diary, Found, Task, Team, WorkError};
use crate::{Book, Chance, Draws, Places, Standing, Values};
use std::collections::HashSet;

/// A position whose stored games may mislead.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// Its place.
    pub key: u64,
    /// The place after the alternative.
    pub after: u64,
    /// What the search gave the alternative.
    pub chance: Chance,
    /// How the position stands in the stored games.
    pub standing: Standing,
    /// Stored games through it.
    pub games: u32,
    /// Its ply.
    pub ply: u32,
}

/// The suspicious positions: not won for their mover, with an alternative of at least so many
/// hundredths. Those that the book itself would come to are first, then the better chances.
#[must_use]
pub fn suspicious(book: &Book, places: &Places, team: &Team<'_>, least: i32) -> Vec<Suspect> {
    let values = Values::of(book, Draws::Neutral);
    let met = main_lines(book, &values, places, team);
    let mut suspects: Vec<Suspect> = book
        .nodes()
        .filter_map(|node| {
            let alternative = node.alternative()?;
            let standing = values.standing(node.key)?;
            let good = alternative.value >= Chance::Estimate(least);
            let misleads = match standing {
                Standing::Lost | Standing::Drawn => true,
                Standing::Won => false,
                // Nothing stored could mislead, unless what was played is worse than what was not.
                Standing::Open => values.chance(node.key) == Some(alternative.value),
            };
            (good && misleads && !node.is_leaf()).then_some(Suspect {
                key: node.key,
                after: alternative.key,
                chance: alternative.value,
                standing,
                games: node.games,
                ply: node.ply,
            })
        })
        .collect();
    suspects.sort_by(|a, b| {
        let rank = |s: &Suspect| (!met.contains(&s.key), std::cmp::Reverse(s.chance), s.ply, s.key);
        rank(a).cmp(&rank(b))
    });
    suspects
}

/// The places that games between two followers of the book would go through: in every position the
/// best move of the book, and all that were played by somebody at the first plies.
fn main_lines(book: &Book, values: &Values, places: &Places, team: &Team<'_>) -> HashSet<u64> {
    let mut met = HashSet::new();
    let mut line = team.entry.game.new_line();
    loop {
        met.insert(places.key(&*line));
        let Some(found) = crate::choose(book, values, places, &*line) else { return met };
        if met.contains(&found.key) || line.play(&found.mv).is_err() {
            return met;
        }
    }
}

/// What a tending did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tended {
    /// Games played from suspicious positions.
    pub games: usize,
    /// Positions whose standing those games changed.
    pub changed: usize,
    /// Late positions that were solved.
    pub solved: usize,
    /// … and of these, how many turned out otherwise than played.
    pub corrected: usize,
    /// Alternatives that were searched.
    pub searched: usize,
}

/// Games of one round: fixed, so that the result does not depend on the number of threads.
const ROUND: usize = 16;

/// Plays games from suspicious positions, at most so many; `None` when stopped.
pub fn correct_by_play(
    book: &mut Book,
    places: &Places,
    team: &Team<'_>,
    games: usize,
    least: i32,
    diary: &mut Diary,
) -> Result<Option<Tended>, WorkError> {
    let mut tended = Tended::default();
    let mut tried = HashSet::new();
    for number in 0.. {
        let suspects: Vec<Suspect> = suspicious(book, places, team, least)
            .into_iter()
            .filter(|s| !tried.contains(&(s.key, s.after)))
            .take(ROUND.min(games - tended.games))
            .collect();
        if suspects.is_empty() {
            break;
        }
        let before = Values::of(book, Draws::Neutral);
        let mut tasks = Vec::new();
        for suspect in &suspects {
            tried.insert((suspect.key, suspect.after));
            let Some(mut line) = book.line_to(&*team.entry.game, places, suspect.key) else {
                continue;
            };
            let step = places.steps(&*line).into_iter().find(|s| s.key == suspect.after);
            if step.is_some_and(|step| line.play(&step.mv).is_ok()) {
                let start = if line.starts_at_start() { String::new() } else { line.start_text() };
                tasks.push(Task::Play { start, moves: line.moves() });
            }
        }
        team.progress.message(&format!("games from suspicious positions: {}", tended.games));
        let Some(found) = team.work(book, places, 1000 + 2 * number, &tasks, diary)? else {
            return Ok(None);
        };
        tended.games += suspects.len();
        enter(book, places, &tasks, found, team);
        if !complete(book, places, team, 1001 + 2 * number, diary)? {
            return Ok(None);
        }
        let after = Values::of(book, Draws::Neutral);
        tended.changed += book
            .nodes()
            .filter(|n| before.standing(n.key).is_some_and(|s| Some(s) != after.standing(n.key)))
            .count();
        if tended.games >= games {
            break;
        }
    }
    Ok(Some(tended))
}

/// Solves positions of the book that are near the end and not proven yet, up to `earlier` plies
/// before those at which games are cut; `None` when stopped.
pub fn correct_endings(
    book: &mut Book,
    places: &Places,
    team: &Team<'_>,
    earlier: u32,
    diary: &mut Diary,
) -> Result<Option<Tended>, WorkError> {
    let Some(search) = team.exact_search() else { return Ok(Some(Tended::default())) };
    let values = Values::of(book, Draws::Neutral);
    let mut near: Vec<(u32, u64)> = book
        .nodes()
        .filter(|node| node.result().is_none_or(|r| !r.exact))
        .filter(|node| {
            book.line_to(&*team.entry.game, places, node.key)
                .and_then(|line| left(search, &*line))
                .is_some_and(|empties| empties <= team.exact + earlier)
        })
        .map(|node| (node.ply, node.key))
        .collect();
    near.sort_unstable();
    let tasks: Vec<Task> = near.iter().map(|&(_, key)| Task::Solve(key)).collect();
    team.progress.message("endgames");
    let Some(found) = team.work(book, places, 1, &tasks, diary)? else { return Ok(None) };
    let mut tended = Tended::default();
    for (&(_, key), found) in near.iter().zip(&found) {
        if let Found::Result(leaf) = found {
            tended.solved += 1;
            let stood = values.tree(key).filter(|_| values.standing(key) != Some(Standing::Open));
            let otherwise = stood.is_some_and(|tree| tree.signum() != leaf.value.signum());
            tended.corrected += usize::from(otherwise);
        }
    }
    enter(book, places, &tasks, found, team);
    if !complete(book, places, team, 2, diary)? {
        return Ok(None);
    }
    Ok(Some(tended))
}

/// Searches every alternative anew; `None` when stopped.
pub fn reevaluate(
    book: &mut Book,
    places: &Places,
    team: &Team<'_>,
    diary: &mut Diary,
) -> Result<Option<Tended>, WorkError> {
    let mut nodes: Vec<_> = book
        .nodes()
        .filter(|node| node.result().is_none_or(|r| !r.exact && !node.is_leaf()))
        .map(|node| (node.ply, node.key))
        .collect();
    nodes.sort_unstable();
    let tasks: Vec<Task> = nodes.into_iter().map(|(_, key)| Task::Alternative(key)).collect();
    let Some(found) = team.work(book, places, 3, &tasks, diary)? else { return Ok(None) };
    let searched = tasks.len();
    enter(book, places, &tasks, found, team);
    Ok(Some(Tended { searched, ..Tended::default() }))
}

//! Which move does the book play, and where does it deviate?
//!
//! The three strategies of the thesis (section 5.1) come down to one rule: play the move that
//! attains the chance of the position. In a won position that is a winning move that was played
//! before; in a drawn or lost one it is a move that keeps the result but leads to the best deviation
//! known, here or later, or the alternative of this very position; in an open one it is the best move
//! known (see [`Values`]).
//!
//! Beyond the thesis:
//!
//! * Successors are all legal moves whose place is in the book, also where no stored game went that
//!   way.
//! * When nothing but losses is known, the move that was played least often is taken, played losses
//!   before proven ones: no game is lost twice before every other way was tried. If no alternative
//!   was searched here, the moves that were not played yet are to be searched ([`Advice::Search`]),
//!   or the one that is left is played.
//! * Between equal chances, the move that was played more often is repeated, and a known move is
//!   preferred to the alternative, which can be played later still.
//!
//! A second way to use the same book follows the dynamic book of FUSc#: every move carries a
//! [`weight`](MoveInfo::weight) that own successes raise and own failures lower, and
//! [`draw_by_weight`] draws lots.

use crate::chance::Chance;
use crate::graph::{Book, Node};
use crate::places::{Places, Step};
use crate::values::{Scope, Standing, Tree, Value, Values, Way};
use std::cmp::Reverse;
use std::collections::HashSet;
use zug_core::seed::RngExt;
use zug_core::{AnyLine, Rng};

/// Where a book move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// It leads to a place of the book.
    Played,
    /// It is the searched alternative of the position.
    Alternative,
    /// It is the only move that does not lead to a known loss.
    OnlyLeft,
}

/// A move of the book.
#[derive(Clone, Debug, PartialEq)]
pub struct BookMove {
    /// The move.
    pub mv: String,
    /// The place after it.
    pub key: u64,
    /// The chance it leads to, from the view of the mover; `None` when it is not known.
    pub chance: Option<Chance>,
    /// Why it is played.
    pub from: Origin,
    /// The tree value of the position in points, from the view of the mover.
    pub tree: i32,
    /// How many stored games went this way.
    pub games: u32,
}

/// What the book says about a position.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// Play this.
    Play(BookMove),
    /// All that is known loses, and none of the other moves was searched: search among these.
    Search(Vec<String>),
    /// The position is not in the book, or stored games end here.
    Unknown,
}

/// What the book knows about a legal move. All values are from the view of the side that makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveInfo {
    /// The move.
    pub mv: String,
    /// The place after it.
    pub key: u64,
    /// How many stored games made it here.
    pub games: u32,
    /// Games through the place after it that the side won, also by other ways.
    pub wins: u32,
    /// … that were drawn.
    pub draws: u32,
    /// … that it lost.
    pub losses: u32,
    /// The tree value of the place after it, in points; `None` outside the book.
    pub tree: Option<i32>,
    /// Won, drawn, lost or open, draws counted as asked for.
    pub standing: Option<Standing>,
    /// The chance of the place after it, or of the alternative.
    pub chance: Option<Chance>,
    /// Set for the searched alternative: the depth of the search.
    pub alternative: Option<u32>,
    /// For a book that draws lots: how much a move deserves to be played, 0 outside the book. The
    /// share of points it brought, with one win and one loss added so that one game does not decide,
    /// times the root of the number of games: trusted lines are varied, rare ones still tried.
    pub weight: f64,
    /// Does it keep the standing of the position, or compete where that is open (the moves that
    /// [`choose`] chooses from)?
    pub candidate: bool,
}

/// The move that the book plays here, if it knows one.
#[must_use]
pub fn choose(
    book: &Book,
    values: &Values,
    places: &Places,
    line: &dyn AnyLine,
) -> Option<BookMove> {
    match advise(book, values, places, line) {
        Advice::Play(found) => Some(found),
        Advice::Search(_) | Advice::Unknown => None,
    }
}

/// What the book says here.
#[must_use]
pub fn advise(book: &Book, values: &Values, places: &Places, line: &dyn AnyLine) -> Advice {
    let Some(node) = book.get(places.key(line)).filter(|n| !n.is_leaf() || n.is_open()) else {
        return Advice::Unknown;
    };
    let options = options(book, values, node, places.steps(line));
    let Some((tree, scope)) = scope_here(values, node, &options) else { return Advice::Unknown };
    let candidates = options.iter().filter(|o| o.is_candidate(scope));
    let best = candidates.max_by_key(|o| o.preference());
    let book_move = |option: &Candidate, chance, from| {
        let (mv, key) = (option.step.mv.clone(), option.step.key);
        Advice::Play(BookMove { mv, key, chance, from, tree: tree.points(), games: option.games })
    };
    // Proven lost here means that the other moves lose as well; else they may be worth a try.
    let exact = node.result.is_some_and(|r| r.exact);
    let all_lose = best.and_then(Candidate::chance).is_none_or(|c| c < Chance::LEAST_ESTIMATE);
    if tree.standing() == Standing::Lost && all_lose && !exact && node.alternative.is_none() {
        let left: Vec<&Candidate> = options.iter().rev().filter(|o| o.value.is_none()).collect();
        match left[..] {
            [] => {}
            [only] => return book_move(only, None, Origin::OnlyLeft),
            _ => return Advice::Search(left.iter().map(|o| o.step.mv.clone()).collect()),
        }
    }
    match best {
        None => Advice::Unknown,
        Some(option) => {
            let from =
                if option.alternative.is_some() { Origin::Alternative } else { Origin::Played };
            book_move(option, option.chance(), from)
        }
    }
}

/// How far below the best chance, in hundredths, a move may lie between which lots are drawn: two
/// discs or two pawns.
pub const VARIETY: i32 = 200;

/// Is a chance good enough to be varied with, where this is the best?
fn is_near(chance: Chance, best: Chance) -> bool {
    match (chance, best) {
        (Chance::Estimate(chance), Chance::Estimate(best)) => {
            i64::from(best) - i64::from(chance) <= i64::from(VARIETY)
        }
        // Wins are varied with wins, and losses with losses where nothing else is known.
        _ => chance.class().signum() == best.class().signum(),
    }
}

/// A known move drawn by lot, each with its [`weight`](MoveInfo::weight): for varied play, and for a
/// book that drifts towards the lines that its owner does well with. Moves whose chance is more than
/// [`VARIETY`] below the best are left out; `None` when only the alternative is better than that.
/// Moves that lead to the same place share one lot.
#[must_use]
pub fn draw_by_weight(
    book: &Book,
    values: &Values,
    places: &Places,
    line: &dyn AnyLine,
    rng: &mut Rng,
) -> Option<BookMove> {
    let tree = values.tree(places.key(line))?;
    let mut seen = HashSet::new();
    let mut moves = every_move(book, values, places, line);
    let best = moves.iter().filter_map(|m| m.chance).max()?;
    moves.retain(|m| {
        let is_good = m.chance.is_some_and(|chance| is_near(chance, best));
        m.tree.is_some() && is_good && seen.insert(m.key)
    });
    let mut lot = rng.random::<f64>() * moves.iter().map(|m| m.weight).sum::<f64>();
    let last = moves.len().checked_sub(1)?;
    let drawn = moves.iter().position(|m| {
        lot -= m.weight;
        lot < 0.0
    });
    let found = moves.swap_remove(drawn.unwrap_or(last));
    let MoveInfo { mv, key, chance, games, .. } = found;
    Some(BookMove { mv, key, chance, from: Origin::Played, tree, games })
}

/// What the book knows about each legal move, in the game's order. Moves that lead to the same place
/// are listed each.
#[must_use]
pub fn every_move(
    book: &Book,
    values: &Values,
    places: &Places,
    line: &dyn AnyLine,
) -> Vec<MoveInfo> {
    let Some(node) = book.get(places.key(line)) else {
        // Moves into the book are worth showing from anywhere.
        let outside = places.steps(line).into_iter();
        return outside
            .map(|step| info(book, line.to_move(), &Candidate::new(step), None))
            .collect();
    };
    let mut all = Vec::new();
    let steps = places.steps(line);
    let options = options(book, values, node, steps.clone());
    let scope = scope_here(values, node, &options).map(|(_, scope)| scope);
    for step in steps {
        if let Some(option) = options.iter().find(|o| o.step.key == step.key) {
            all.push(info(book, node.side, &Candidate { step, ..option.clone() }, scope));
        }
    }
    all
}

/// A place that a move leads to.
#[derive(Clone, Debug)]
struct Candidate {
    step: Step,
    games: u32,
    /// In the book: its value from the view of the mover here.
    value: Option<Value>,
    /// Was it played here, or is only the place it leads to known?
    played: bool,
    /// The searched alternative: its chance and the depth.
    alternative: Option<(Chance, u32)>,
}

impl Candidate {
    fn new(step: Step) -> Candidate {
        Candidate { step, games: 0, value: None, played: false, alternative: None }
    }

    fn chance(&self) -> Option<Chance> {
        self.value.map(|v| v.chance).or(self.alternative.map(|a| a.0))
    }

    fn way(&self) -> Option<Way> {
        match self.value {
            Some(value) if self.played => Some(Way::Played(value)),
            Some(value) => Some(Way::Known(value)),
            None => self.alternative.map(|(chance, _)| Way::Alternative(chance)),
        }
    }

    /// Is it among what the chance of the position is the best of?
    fn is_candidate(&self, scope: Scope) -> bool {
        self.way().is_some_and(|way| scope.has(way))
    }

    /// Larger is better; the first of equal ones must win, hence the reversed order of options.
    fn preference(&self) -> (i8, Reverse<u32>, Option<Chance>, u32, bool) {
        let chance = self.chance();
        let class = chance.map_or(0, Chance::class);
        // Only among losses does it matter most how often a move was tried.
        let tried = if class < 0 { self.games } else { 0 };
        (class, Reverse(tried), chance, self.games, self.value.is_some())
    }
}

/// The places that the moves lead to, each once with its first move; the last first.
fn options(book: &Book, values: &Values, node: &Node, steps: Vec<Step>) -> Vec<Candidate> {
    let mut seen = HashSet::new();
    let mut options: Vec<Candidate> = Vec::with_capacity(steps.len());
    for step in steps.into_iter().filter(|s| seen.insert(s.key)) {
        let mut option = Candidate::new(step);
        let key = option.step.key;
        if book.leads_on(Some(node), key)
            && let (Some(after), Some(value)) = (book.get(key), values.value(key))
        {
            option.value = Some(value.seen(node.side, after.side));
            let edge = node.children.binary_search_by_key(&key, |e| e.key);
            option.games = edge.map_or(0, |at| node.children[at].games);
            option.played = edge.is_ok_and(|at| node.has_played(&node.children[at]));
        } else if let Some(alternative) = node.alternative.as_ref().filter(|a| a.key == key) {
            option.alternative = Some((alternative.value, alternative.depth));
        }
        options.push(option);
    }
    // `max_by_key` takes the last of equal ones.
    options.reverse();
    options
}

/// The tree value of the position, with ways to known places counted that no edge stands for yet,
/// and the moves that count in it.
fn scope_here(values: &Values, node: &Node, options: &[Candidate]) -> Option<(Tree, Scope)> {
    if node.result.is_some_and(|r| r.exact) {
        let tree = values.value(node.key)?.tree;
        return Some((tree, Scope::Keep(tree.standing())));
    }
    let ways: Vec<Way> = options.iter().filter_map(Candidate::way).collect();
    let is_played = ways.iter().any(|way| matches!(way, Way::Played(_)));
    (is_played || node.is_open()).then(|| Scope::of(&ways))
}

fn info(book: &Book, mover: zug_core::Side, option: &Candidate, scope: Option<Scope>) -> MoveInfo {
    let after = book.get(option.step.key);
    let (wins, draws, losses) = match after {
        None => (0, 0, 0),
        Some(n) if n.side == mover => (n.wins, n.draws, n.losses()),
        Some(n) => (n.losses(), n.draws, n.wins),
    };
    let games = f64::from(wins) + f64::from(draws) + f64::from(losses);
    let share = (f64::from(wins) + f64::from(draws) / 2.0 + 1.0) / (games + 2.0);
    MoveInfo {
        mv: option.step.mv.clone(),
        key: option.step.key,
        games: option.games,
        wins,
        draws,
        losses,
        tree: option.value.map(|v| v.tree.points()),
        standing: option.value.map(|v| v.tree.standing()),
        chance: option.chance(),
        alternative: option.alternative.map(|a| a.1),
        weight: if after.is_some() { share * games.max(1.0).sqrt() } else { 0.0 },
        candidate: scope.is_some_and(|s| option.is_candidate(s)),
    }
}

#[cfg(test)]
mod tests;

//! What does the learner hold, and what does it make of a game?
//!
//! A study goes through the own positions of a game: the search's score, the leaf of its principal
//! variation, the exact counts of factors there. The evaluation is linear, so the counts *are* the
//! gradient; the thesis's way, two quiescence searches for each weight with δ = 1, is a twin that
//! can be chosen. If several leaves qualify, the thesis takes one at random; here it is the one that
//! the search found first, which its tables and its order of moves make arbitrary enough.
//!
//! A study reads the weights and changes nothing; applying it moves them. So games that were played
//! with the same weights can be studied side by side, and are applied in their order.

use super::lesson::{Finish, Gradient, Rule, Step, Sums, Value};
use super::notes::{GameNotes, Noted};
use super::quiet;
use super::rates::{Change, Memory, Rates, Seen, changes};
use crate::engine::Eye;
use crate::factors::{self, FACTORS};
use crate::position::Position;
use crate::types::{Scheme, WHOLE};
use crate::uci;
use cozy_chess::{Board, Color};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use zug_core::score::Verdict;

/// From which positions is learned?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The quiet leaves of the principal variations: TD-Leaf(λ).
    Leaf,
    /// The ends of the principal variations at the nominal horizon, unquiet as they are (a negative
    /// control).
    Unquiet,
    /// The own positions themselves: TD(λ) of the earlier programs (a negative control).
    Root,
}

/// How is the gradient found?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivative {
    /// The counts of factors at the leaf: exact.
    Counts,
    /// Quiescence searches with a weight as it is and raised by 1.
    Finite,
    /// The same with all other weights set to 0, as printed. What it measures may belong to another
    /// leaf.
    FiniteZeroed,
}

/// How games are studied.
#[derive(Clone, Debug, PartialEq)]
pub struct Teaching {
    /// How differences are made.
    pub rule: Rule,
    /// How large steps are.
    pub rates: Rates,
    /// From which positions.
    pub source: Source,
    /// How the gradient is found.
    pub derivative: Derivative,
    /// Factors that never move, by index.
    pub frozen: Vec<bool>,
}

/// What a game says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Study {
    /// Sums by weight.
    pub sums: Sums,
    /// Positions of each column, by index; columns that did not occur are not among them.
    pub columns: Vec<(usize, u64)>,
    /// Own positions.
    pub positions: u64,
    /// Positions whose value was proven, so that no weight had a part in it.
    pub proven: u64,
    /// Positions whose variation had to be played out further to explain its score.
    pub resolved: u64,
    /// Replies that were foretold.
    pub predicted: u64,
    /// Differences that were dropped or made smaller as the opponent's blunders.
    pub dropped: u64,
    /// Σ|Δ|.
    pub error: f64,
    /// Every own position, in order.
    pub judged: Vec<Judged>,
}

/// What was made of one own position. Written as a list, since there are many of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "JudgedRow", into = "JudgedRow")]
pub struct Judged {
    /// The index of the move.
    pub ply: usize,
    /// The search's score, for the learner.
    pub score: i32,
    /// The reply that the variation foretold, as UCI writes it.
    pub reply: Option<String>,
    /// Did it come?
    pub came: bool,
    /// v: the score on the scale of the rule.
    pub value: f64,
    /// d: the difference to the next value.
    pub difference: f64,
    /// What the rule about blunders left of it.
    pub kept: f64,
    /// The column of the leaf with the largest share; none where no weight had a part in the score.
    pub column: Option<usize>,
}

/// The same as it is written.
type JudgedRow = (usize, i32, Option<String>, bool, f64, f64, f64, Option<usize>);

impl From<JudgedRow> for Judged {
    fn from(row: JudgedRow) -> Judged {
        let (ply, score, reply, came, value, difference, kept, column) = row;
        Judged { ply, score, reply, came, value, difference, kept, column }
    }
}

impl From<Judged> for JudgedRow {
    fn from(of: Judged) -> JudgedRow {
        // Four digits are enough to look at.
        let short = |x: f64| (x * 1e4).round() / 1e4 + 0.0;
        let [value, difference, kept] = [of.value, of.difference, of.kept].map(short);
        (of.ply, of.score, of.reply, of.came, value, difference, kept, of.column)
    }
}

/// The gradient of the evaluation at a position from White's view: counts by weight.
#[must_use]
pub fn gradient_of(scheme: &Scheme, board: &Board) -> Gradient {
    let mut counts = Vec::new();
    factors::count(board, &mut counts);
    let mut gradient = Gradient::with_capacity(counts.len());
    for (column, parts) in scheme.shares(board).iter() {
        let share = f64::from(parts) / f64::from(WHOLE);
        let at = column * FACTORS;
        let of = |&(f, n): &(u16, i16)| ((at + usize::from(f)) as u32, share * f64::from(n));
        gradient.extend(counts.iter().map(of));
    }
    gradient
}

fn dot(gradient: &Gradient, weights: &[f64]) -> f64 {
    gradient.iter().map(|&(w, n)| weights[w as usize] * n).sum()
}

/// The gradient at a position by finite differences, δ = 1: for each weight of the position's columns
/// the quiescence search is done as it is and with the weight raised.
#[must_use]
pub fn finite_gradient(
    scheme: &Scheme,
    weights: &[f64],
    position: &Position,
    zeroed: bool,
) -> Gradient {
    let mut known: HashMap<u64, Gradient> = HashMap::new();
    let mut with = |weights: &dyn Fn(u32) -> f64, seen: &mut Option<Sums>| {
        let value = &mut |board: &Board| {
            let gradient = known.entry(board.hash()).or_insert_with(|| gradient_of(scheme, board));
            if let Some(seen) = seen {
                seen.extend(gradient.iter().map(|&(w, _)| (w, 0.0)));
            }
            gradient.iter().map(|&(w, n)| weights(w) * n).sum()
        };
        let found = quiet::resolve(position, value);
        if found.mate { 0.0 } else { found.value }
    };
    let saved = |w: u32| weights[w as usize];
    // A weight that no position of the search counts changes nothing in it.
    let mut seen = Some(Sums::new());
    let base = if zeroed { with(&|_| 0.0, &mut seen) } else { with(&saved, &mut seen) };
    let columns: Vec<usize> = scheme.shares(position.board()).iter().map(|(c, _)| c).collect();
    let candidates = seen.take().unwrap_or_default();
    (candidates.into_keys())
        .filter(|w| columns.contains(&(*w as usize / FACTORS)))
        .filter_map(|b| {
            let (one, other) = if zeroed {
                let alone =
                    |raised: f64| move |w: u32| if w == b { saved(b) + raised } else { 0.0 };
                (with(&alone(1.0), &mut None), with(&alone(0.0), &mut None))
            } else {
                (with(&|w| saved(w) + f64::from(u8::from(w == b)), &mut None), base)
            };
            (one != other).then_some((b, one - other))
        })
        .collect()
}

/// Positions of columns, while a game is gone through.
type Columns = std::collections::BTreeMap<usize, u64>;

struct Moment {
    value: Value,
    /// Where the gradient is taken; nowhere for what was proven.
    leaf: Option<Position>,
}

impl Teaching {
    /// Studies a game. `eye` sees with the weights that it was played with; `weights` are those.
    pub fn study(
        &self,
        scheme: &Scheme,
        weights: &[f64],
        eye: &mut dyn Eye,
        notes: &GameNotes,
        finish: Finish,
    ) -> Study {
        let mut study = Study::default();
        let mut columns = Columns::new();
        let positions = notes.positions();
        let sign = if notes.own == Color::White { 1.0 } else { -1.0 };
        let (mut steps, mut gradients) = (Vec::new(), Vec::new());
        for noted in &notes.thoughts {
            let Some(root) = positions.get(noted.ply) else { continue };
            let moment = self.moment(scheme, weights, eye, root, noted, &mut study);
            let predicted = notes.predicted(noted);
            let forced = positions.get(noted.ply + 1).is_some_and(has_one_move);
            steps.push(Step { value: moment.value, predicted, forced });
            study.predicted += u64::from(predicted);
            let after = positions.get(noted.ply + 1);
            let reply = (noted.line.get(1).zip(after)).map(|(&mv, at)| uci::write(at, mv, false));
            study.judged.push(Judged {
                ply: noted.ply,
                score: noted.score.0,
                reply,
                came: predicted,
                value: 0.0,
                difference: 0.0,
                kept: 0.0,
                column: moment.leaf.as_ref().map(|leaf| scheme.shares(leaf.board()).main()),
            });
            let mut gradient = match &moment.leaf {
                None => Gradient::new(),
                Some(leaf) => {
                    for (column, _) in scheme.shares(leaf.board()).iter() {
                        *columns.entry(column).or_default() += 1;
                    }
                    match self.derivative {
                        Derivative::Counts => gradient_of(scheme, leaf.board()),
                        Derivative::Finite => finite_gradient(scheme, weights, leaf, false),
                        Derivative::FiniteZeroed => finite_gradient(scheme, weights, leaf, true),
                    }
                }
            };
            gradient.iter_mut().for_each(|(_, n)| *n *= sign);
            gradients.push(gradient);
        }
        let course = self.rule.course(&steps, finish);
        study.positions = steps.len() as u64;
        study.dropped =
            course.raw.iter().zip(&course.differences).filter(|(a, b)| a != b).count() as u64;
        study.error = course.errors.iter().map(|e| e.abs()).sum();
        for (t, judged) in study.judged.iter_mut().enumerate() {
            judged.value = course.values[t];
            judged.difference = course.raw[t];
            judged.kept = course.differences[t];
        }
        study.sums = self.rule.double_sum(&course, &gradients);
        study.columns = columns.into_iter().collect();
        study
    }

    fn moment(
        &self,
        scheme: &Scheme,
        weights: &[f64],
        eye: &mut dyn Eye,
        root: &Position,
        noted: &Noted,
        study: &mut Study,
    ) -> Moment {
        let mut own_value = |at: &Position| {
            let value = f64::from(eye.evaluate(at.board()));
            if at.color() == root.color() { value } else { -value }
        };
        let played = |plies: usize| {
            let mut leaf = root.clone();
            noted.line.iter().take(plies).for_each(|&mv| leaf.play(mv));
            leaf
        };
        match self.source {
            Source::Root => {
                Moment { value: Value::Estimate(own_value(root)), leaf: Some(root.clone()) }
            }
            Source::Unquiet => {
                let leaf = played(noted.depth.max(1) as usize);
                if !leaf.has_moves() {
                    study.proven += 1;
                    return Moment { value: proven(noted), leaf: None };
                }
                Moment { value: Value::Estimate(own_value(&leaf)), leaf: Some(leaf) }
            }
            Source::Leaf => {
                let Verdict::Estimate(score) = noted.score.verdict() else {
                    study.proven += 1;
                    return Moment { value: proven(noted), leaf: None };
                };
                let score = f64::from(score);
                let leaf = played(usize::MAX);
                if own_value(&leaf) == score {
                    return Moment { value: Value::Estimate(score), leaf: Some(leaf) };
                }
                // A draw by the rules, or by repetition of a position of the game: no weight had a
                // part in it.
                if score == 0.0 || !leaf.has_moves() || leaf.is_dead() {
                    study.proven += 1;
                    return Moment { value: Value::Estimate(score), leaf: None };
                }
                // A variation that ends at the nominal horizon: play the captures out.
                study.resolved += 1;
                let value = &mut |board: &Board| dot(&gradient_of(scheme, board), weights);
                let quiet = quiet::resolve(&leaf, value);
                let leaf = (!quiet.mate).then(|| Position::from(quiet.leaf));
                Moment { value: Value::Estimate(score), leaf }
            }
        }
    }
}

fn proven(noted: &Noted) -> Value {
    match noted.score.verdict() {
        Verdict::WonIn(_) | Verdict::WonBy(_) => Value::Proven(1.0),
        Verdict::LostIn(_) | Verdict::LostBy(_) => Value::Proven(-1.0),
        Verdict::Estimate(score) => Value::Estimate(f64::from(score)),
    }
}

fn has_one_move(position: &Position) -> bool {
    let mut count = 0;
    position.board().generate_moves(|moves| {
        count += moves.len();
        count > 1
    });
    count == 1
}

/// What the learner holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Student {
    /// How positions are given to columns of weights.
    pub scheme: Scheme,
    /// The weights, column after column, in hundredths of a pawn.
    pub weights: Vec<f64>,
    /// What was seen of each column.
    pub seen: Vec<Seen>,
    /// What the descents of single weights remember.
    pub memory: Memory,
    /// Games learned from.
    pub learned: u64,
}

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applied {
    /// Weights that moved at all.
    pub moved: u64,
    /// Weights that moved as the thesis would see it: as whole numbers with a pawn of 200.
    pub visible: u64,
    /// Columns with such weights.
    pub visible_columns: u64,
    /// Σ|change|.
    pub total: f64,
    /// The largest change.
    pub largest: f64,
}

impl Student {
    /// A learner that begins with these weights.
    #[must_use]
    pub fn new(scheme: Scheme, weights: Vec<f64>, rates: &Rates) -> Student {
        let columns = scheme.columns();
        assert_eq!(weights.len(), columns * FACTORS, "a column of weights for each type");
        let memory = Memory::new(rates.descent, weights.len());
        Student { scheme, weights, seen: vec![Seen::default(); columns], memory, learned: 0 }
    }

    /// The rate of each column.
    #[must_use]
    pub fn rates(&self, rates: &Rates) -> Vec<f64> {
        self.seen.iter().map(|&seen| rates.rate(seen)).collect()
    }

    /// Moves the weights by what a study says. Columns that did not occur stay as they are, weights
    /// and rates, bit for bit.
    pub fn apply(&mut self, teaching: &Teaching, study: &Study) -> Applied {
        let rates = self.rates(&teaching.rates);
        let unit = teaching.rule.squash.unit();
        let found = changes(
            &teaching.rates,
            unit,
            &study.sums,
            &|w| rates[w as usize / FACTORS],
            &|w| teaching.frozen.get(w as usize % FACTORS).is_some_and(|&f| f),
            &mut self.memory,
        );
        let mut applied = Applied { moved: found.len() as u64, ..Applied::default() };
        let mut columns = std::collections::BTreeSet::new();
        for Change { weight, by } in found {
            let place = &mut self.weights[weight as usize];
            let before = (*place * 2.0).round();
            *place += by;
            if before != (*place * 2.0).round() {
                applied.visible += 1;
                columns.insert(weight as usize / FACTORS);
            }
            applied.total += by.abs();
            applied.largest = applied.largest.max(by.abs());
        }
        applied.visible_columns = columns.len() as u64;
        for &(column, positions) in &study.columns {
            self.seen[column].games += 1;
            self.seen[column].positions += positions;
        }
        self.learned += 1;
        applied
    }
}

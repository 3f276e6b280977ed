//! How well do a model and other features rank positions with the same number of discs?

use super::data::{Examples, Group};
use crate::Board;
use crate::engine::Evaluation;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use zug_learn::Class;
use zug_learn::discordance::{Ranked, discordance};

/// More positions than this of a disc count are not needed: the error of a discordance is then
/// below a thousandth.
const MOST: usize = 100_000;

/// A number that can be read off a board, with a name.
pub struct Compared<'a> {
    /// The name.
    pub name: String,
    /// The number, larger where the side to move stands better.
    pub value: Box<dyn Fn(Board) -> f64 + Sync + 'a>,
}

impl<'a> Compared<'a> {
    /// Any function.
    pub fn new(name: impl Into<String>, value: impl Fn(Board) -> f64 + Sync + 'a) -> Compared<'a> {
        Compared { name: name.into(), value: Box::new(value) }
    }

    /// An evaluation that the engine can use.
    pub fn evaluation(name: impl Into<String>, evaluation: &'a impl Evaluation) -> Compared<'a> {
        Compared::new(name, |board| f64::from(evaluation.value(board, &evaluation.state(board))))
    }
}

/// The difference of moves and that of discs: what a model must beat by far.
#[must_use]
pub fn plain_features() -> Vec<Compared<'static>> {
    let count = |squares: u64| f64::from(squares.count_ones());
    vec![
        Compared::new("moves", move |b| count(b.moves()) - count(b.replies())),
        Compared::new("discs", move |b| count(b.own) - count(b.other)),
    ]
}

/// Discordances of several features at one disc count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiscordanceRow {
    /// The disc count.
    pub discs: u32,
    /// Positions.
    pub count: u64,
    /// One for each feature.
    pub values: Vec<f64>,
}

/// The discordance of each feature by disc count.
#[must_use]
pub fn discordances(examples: &Examples, features: &[Compared<'_>]) -> Vec<DiscordanceRow> {
    let row = |group: &Group| {
        let step = group.boards.len().div_ceil(MOST).max(1);
        let chosen: Vec<usize> = (0..group.boards.len()).step_by(step).collect();
        let one = |feature: &Compared<'_>| {
            let mut ranked: Vec<Ranked> = chosen
                .iter()
                .map(|&at| Ranked {
                    value: (feature.value)(group.boards[at]),
                    class: Class::of_score(i32::from(group.scores[at])),
                    count: 1,
                })
                .collect();
            // A feature that gives no number says nothing.
            discordance(&mut ranked).map_or(f64::NAN, |d| d.value())
        };
        DiscordanceRow {
            discs: group.discs,
            count: chosen.len() as u64,
            values: features.iter().map(one).collect(),
        }
    };
    examples.groups.par_iter().map(row).collect()
}

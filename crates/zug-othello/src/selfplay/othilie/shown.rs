//! Polynomials as boards: what a disc on each square adds, by the classes alone and with rings and
//! totals; and a list of what belongs to no square.

use super::features::{CLASSES, FEATURES, FeatureSet, RINGS, class_of};
use super::run::{self, GroupResult};
use std::path::Path;
use zug_learn::face::{Named, TaskError};
use zug_learn::report::Page;
use zug_learn::td::face::Look;
use zug_learn::weights::{Board, List, Part, Weights, after, moment, moments, named};

/// The weights of a run; nothing if it is none of these, or has kept none yet.
pub fn weights(folder: &Path, look: &Look) -> Result<Option<Weights>, TaskError> {
    let histories = run::histories(folder)?;
    let names: Vec<String> = histories.iter().map(|(name, _)| name.clone()).collect();
    let Some((number, name)) = named("experiment", &names, look.experiment.as_ref())? else {
        return Ok(None);
    };
    if !look.types.is_empty() || !look.groups.is_empty() {
        let message = "the weights of these features have neither types nor groups";
        return Err(TaskError::Unfit(message.to_string()));
    }
    let history = &histories[number].1;
    let kept: Vec<u64> = history.rows().map(|row| row.game).collect();
    let Some(games) = moment(&kept, look)? else { return Ok(None) };
    let Some(polynomial) = history.polynomial(games) else { return Ok(None) };
    let mut shown = boards(&after(games), polynomial);
    let options = names.iter().map(|n| Named::new(n.as_str(), n.as_str()));
    shown.offer(Part::Experiment, "Experiment", name.as_str(), options);
    shown.offer(Part::Games, "Moment", games.to_string(), moments(&kept, games));
    Ok(Some(shown))
}

/// What discs on squares are worth in the end, on boards; of several experiments behind their names.
pub(super) fn add(page: &mut Page, result: &GroupResult<'_>) {
    page.subheading("Weights on the board");
    for e in &result.experiments {
        let Some(last) = e.history.last() else { continue };
        let about = format!("{}, {}", e.name, after(last.game));
        let weights = boards(&about, last.weights);
        match result.experiments.len() {
            1 => page.weights(&weights),
            _ => page.folded(&e.name, |page| page.weights(&weights)),
        }
    }
}

/// A polynomial as it is drawn.
fn boards(about: &str, weights: &[f64]) -> Weights {
    let mut shown = Weights::new(about, "the value (between −1 and 1)");
    for (side, owner) in ["own", "opponent's"].into_iter().enumerate() {
        let class: [f64; 64] = std::array::from_fn(|s| weights[16 * side + class_of(s as u32)]);
        let board = Board::of_squares(format!("{owner} discs, by class"), &class, true);
        shown.boards.push(board.about("the weight of the square's class"));
    }
    for (side, owner) in ["own", "opponent's"].into_iter().enumerate() {
        let disc: [f64; 64] = std::array::from_fn(|s| disc(weights, side, s as u32));
        let board = Board::of_squares(format!("one {owner} disc"), &disc, true);
        shown.boards.push(board.about("what one disc adds by its class, its ring and all discs"));
    }
    let names = FeatureSet::of_len(weights.len()).map(FeatureSet::names).unwrap_or_default();
    let rest = names.into_iter().zip(weights.iter().copied()).skip(2 * CLASSES.len());
    let list = List::new("Other weights", rest.collect::<Vec<_>>());
    shown.lists.push(list.about("rings from the border inwards, all discs, who is ahead"));
    shown
}

/// What one disc of a side on a square adds to the value, who is ahead aside.
fn disc(weights: &[f64], side: usize, square: u32) -> f64 {
    let class = class_of(square);
    let mut sum = weights[16 * side + class] / f64::from(CLASSES[class].count_ones());
    let groups = RINGS.into_iter().chain([!0]).enumerate();
    for (number, squares) in groups.filter(|(_, squares)| squares >> square & 1 == 1) {
        sum += weights[32 + 2 * number + side] / f64::from(squares.count_ones());
    }
    debug_assert!(weights.len() >= FEATURES);
    sum
}

#[cfg(test)]
mod tests {
    use super::super::features::features;
    use super::*;

    #[test]
    fn a_disc_adds_what_the_features_say() {
        let weights: Vec<f64> = (0..FEATURES).map(|i| (i as f64 * 0.37).sin()).collect();
        let value = |own: u64, other: u64| -> f64 {
            let mut x = features(own, other);
            (x[40], x[41]) = (0.0, 0.0);
            x.iter().zip(&weights).map(|(x, w)| x * w).sum()
        };
        for square in 0..64 {
            let disc = 1u64 << square;
            assert!((super::disc(&weights, 0, square) - value(disc, 0)).abs() < 1e-12);
            assert!((super::disc(&weights, 1, square) - value(0, disc)).abs() < 1e-12);
        }
        let shown = boards("now", &weights);
        assert_eq!((shown.boards.len(), shown.lists[0].items.len()), (4, 10));
        // The classes are mirrored: corners are equal.
        let corners = [0, 7, 56, 63].map(|c| shown.boards[0].cells[c]);
        assert_eq!(corners, [Some(weights[0]); 4]);
    }
}

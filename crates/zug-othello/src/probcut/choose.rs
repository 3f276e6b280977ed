//! Which shallow searches are worth making?
//!
//! A shallow search costs its nodes and saves those of the deep one as often as it leads to a cut.
//! How often it does follows from the error: values at nodes scatter around the bound about as they
//! scatter in the sample, and a cut is made when the foretold value lies beyond the bound by so
//! many errors. Since deep searches make cuts themselves, their cost is built up ply by ply.
//!
//! By cost alone, a search two plies shallower would often be best. But its value rests on such cuts
//! itself, and so on down, until a deep search is a chain of guesses; so a shallow search has at most
//! one ply more than half the depth, as in the thesis.

use crate::engine::{Pair, ProbCut, Tries, Unit};
use arrayvec::ArrayVec;

/// The confidence that the choice is made for, in deviations: that of the thesis.
const PERCENTILE: f64 = 1.5;
/// A test is made on both sides of a window now and then.
const TESTS: f64 = 1.25;
/// A node with an evaluation takes so many times the time of a node of the solver.
const EVALUATED_NODE: f64 = 4.0;
/// A choice must save this share of the cost at least.
const WORTH: f64 = 0.03;
/// With fewer empty squares the solver needs no help.
pub const FIRST_END: u32 = 10;
/// With more empty squares nothing is searched to the end.
pub const LAST_END: u32 = 40;

/// What the choice needs to know.
pub struct Known<'a> {
    /// The unit of the evaluation.
    pub unit: Unit,
    /// The line of a search of `deep` plies with `discs` discs from a shallow one.
    pub pair: &'a dyn Fn(u32, u32, u32) -> Option<Pair>,
    /// The line of a search to the end with so many empty squares.
    pub end_pair: &'a dyn Fn(u32, u32) -> Option<Pair>,
    /// Nodes of a search of full width: discs, depth.
    pub nodes: &'a dyn Fn(u32, u32) -> f64,
    /// Nodes of a search to the end, by empty squares.
    pub end_nodes: &'a dyn Fn(u32) -> f64,
    /// How far values scatter with so many discs, in the unit of the evaluation.
    pub spread: &'a dyn Fn(u32) -> f64,
    /// The same for the scores of searches to the end, in hundredths of a disc.
    pub end_spread: &'a dyn Fn(u32) -> f64,
}

/// A shallow search: its cost, and how often it leads to a cut.
struct Candidate {
    pair: Pair,
    cost: f64,
    cuts: f64,
}

/// The cuts that save most.
pub fn choose(known: &Known<'_>) -> ProbCut {
    let mut cuts = ProbCut::none(known.unit);
    // Cost of searches with cuts, by depth and disc count.
    let mut costs: Vec<[f64; 66]> = Vec::new();
    for depth in 0..=60u32 {
        let mut row = [1.0; 66];
        for discs in 4..=64u32 {
            let full = match depth {
                0 => 1.0,
                _ => {
                    let growth = (known.nodes)(discs, depth) / (known.nodes)(discs + 1, depth - 1);
                    growth.clamp(1.2, 10.0) * costs[depth as usize - 1][discs as usize + 1]
                }
            };
            row[discs as usize] = full;
            if depth < 3 || depth + discs >= 64 {
                continue;
            }
            // Searches of the same parity only: others end with the other side's move.
            let shallows = (1..=depth / 2 + 1).filter(|s| s + 2 <= depth && (depth - s) % 2 == 0);
            let candidate = |shallow: u32| {
                let pair = (known.pair)(discs, depth, shallow)?;
                let cost = TESTS * costs[shallow as usize][discs as usize];
                let cuts = chance(pair.sigma.into(), (known.spread)(discs));
                Some(Candidate { pair, cost, cuts })
            };
            let (cost, tries) = best(full, shallows.filter_map(candidate).collect());
            row[discs as usize] = cost;
            cuts.set_midgame(discs, depth, tries);
        }
        costs.push(row);
    }
    let mut before = (known.end_nodes)(FIRST_END - 1);
    for empties in FIRST_END..=LAST_END {
        let discs = 64 - empties;
        let growth = (known.end_nodes)(empties) / (known.end_nodes)(empties - 1);
        let full = before * growth.clamp(1.2, 10.0);
        let candidate = |shallow: u32| {
            let pair = (known.end_pair)(empties, shallow)?;
            let cost = TESTS * EVALUATED_NODE * costs[shallow as usize][discs as usize];
            let cuts = chance(pair.sigma.into(), (known.end_spread)(discs));
            Some(Candidate { pair, cost, cuts })
        };
        let (cost, tries) = best(full, (1..=empties / 2).filter_map(candidate).collect());
        cuts.set_endgame(empties, tries);
        before = cost;
    }
    cuts
}

/// How often the foretold value lies far enough from the bound.
fn chance(sigma: f64, spread: f64) -> f64 {
    let foretold = (spread * spread - sigma * sigma).max(1e-9).sqrt();
    2.0 * (1.0 - normal(PERCENTILE * sigma / foretold))
}

/// The distribution function of the normal distribution, good to seven digits.
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = series.iter().rev().fold(0.0, |sum, c| (sum + c) * t);
    let tail = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt() * sum;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

/// The least cost of a search whose cost is `full` without cuts, and the candidates for it, cheapest
/// first.
///
/// The candidates agree mostly: what the rough one cuts the fine one would have cut as well. So the
/// last one tried decides how often the deep search is made, and the ones before it only spare some
/// of the work of those behind them.
fn best(full: f64, candidates: Vec<Candidate>) -> (f64, Tries) {
    // Dearer ones that cut no more often are of no use.
    let mut useful: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        if useful.last().is_none_or(|last| candidate.cuts > last.cuts) {
            useful.push(candidate);
        }
    }
    let cost = |chosen: &[usize]| {
        let (mut cost, mut open) = (0.0, 1.0);
        for &i in chosen {
            cost += open * useful[i].cost;
            open = 1.0 - useful[i].cuts;
        }
        cost + open * full
    };
    let mut least: (f64, ArrayVec<usize, 3>) = (full * (1.0 - WORTH), ArrayVec::new());
    let mut consider = |chosen: &[usize]| {
        let now = cost(chosen);
        // One more must be worth its place.
        if now < least.0 * if chosen.len() > 1 { 0.99 } else { 1.0 } {
            least = (now, chosen.iter().copied().collect());
        }
    };
    let count = useful.len();
    (0..count).for_each(|i| consider(&[i]));
    (0..count).for_each(|i| (i + 1..count).for_each(|j| consider(&[i, j])));
    for i in 0..count {
        for j in i + 1..count {
            (j + 1..count).for_each(|k| consider(&[i, j, k]));
        }
    }
    if least.1.is_empty() {
        return (full, Tries::new());
    }
    (least.0, least.1.iter().map(|&i| useful[i].pair).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_has_the_values_of_the_tables() {
        for (x, p) in [(0.0, 0.5), (1.2, 0.884_930), (1.5, 0.933_193), (-2.0, 0.022_750)] {
            assert!((normal(x) - p).abs() < 1e-6, "{x}");
        }
    }

    fn known(sigma: f64) -> ProbCut {
        let pair = |sigma: f64, shallow: u32| {
            let sigma = (sigma * (1.0 - 0.04 * f64::from(shallow))) as f32;
            Some(Pair { shallow: shallow as u8, a: 1.0, b: 0.0, sigma })
        };
        choose(&Known {
            unit: Unit::Discs,
            pair: &|_, deep, shallow| pair(sigma * f64::from(deep - shallow).sqrt() / 2.0, shallow),
            end_pair: &|_, shallow| pair(sigma, shallow),
            nodes: &|_, depth| 3f64.powi(depth as i32),
            end_nodes: &|empties| 3f64.powi(empties as i32),
            spread: &|_| 1000.0,
            end_spread: &|_| 1500.0,
        })
    }

    #[test]
    fn good_foretellers_are_used_cheapest_first_and_bad_ones_not_at_all() {
        let cuts = known(300.0);
        let tries = cuts.midgame(30, 8);
        assert!(!tries.is_empty());
        for depth in 3..=20u32 {
            let tries = cuts.midgame(30, depth);
            assert!(tries.windows(2).all(|t| t[0].shallow < t[1].shallow));
            for pair in tries {
                let shallow = u32::from(pair.shallow);
                assert!(shallow >= 1 && shallow + 2 <= depth && (depth - shallow) % 2 == 0);
            }
        }
        assert!(!cuts.endgame(20).is_empty());
        assert!(cuts.endgame(9).is_empty() && cuts.endgame(41).is_empty());
        let bad = known(5000.0);
        assert!((3..=20).all(|depth| bad.midgame(30, depth).is_empty()));
        assert!(bad.endgame(20).is_empty());
    }

    #[test]
    fn a_search_that_sees_the_end_is_not_cut_as_a_midgame_one() {
        let cuts = known(300.0);
        assert!(cuts.midgame(50, 14).is_empty() && !cuts.midgame(50, 13).is_empty());
    }
}

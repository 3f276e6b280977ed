//! Ratings of several players from the results between them.
//!
//! The Bradley–Terry model: a player of rating a scores 1/(1 + 10^((b-a)/400)) against one of
//! rating b; a draw is half a win. Ratings are the likeliest ones, found by Newton's method. Error
//! bars come from the spread of the pair results themselves (the "sandwich" H⁻¹·M·H⁻¹), so that
//! draws and paired openings count as what they are.

use super::Z95;
use super::elo::{Tally, score_of_elo};
use serde::{Deserialize, Serialize};

/// Results of one encounter.
#[derive(Clone, Copy, Debug)]
pub struct RatingInput {
    /// Numbers of the two players.
    pub players: (usize, usize),
    /// Results of the first of them.
    pub tally: Tally,
}

/// The rating of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The player.
    pub player: String,
    /// Its rating; relative to the anchor, else to the average 0.
    pub rating: f64,
    /// Half the width of the 95 % interval; 0 for the anchor.
    pub error_95: f64,
    /// Games.
    pub games: u64,
    /// Points divided by games.
    pub score: f64,
    /// Did a player win or lose everything, so that only an imagined draw with an average player
    /// keeps ratings finite? They are then rather bounds than estimates.
    pub bounded: bool,
}

/// Rates players. `anchor` fixes the rating of one.
#[must_use]
pub fn ratings(
    names: &[String],
    inputs: &[RatingInput],
    anchor: Option<(usize, f64)>,
) -> Vec<Rating> {
    let n = names.len();
    let bounded = !strongly_connected(n, inputs);
    // An imagined draw with a player of rating 0 for everyone.
    let prior = if bounded { 1.0 } else { 0.0 };
    let mut r = vec![0.0f64; n];
    for _ in 0..100 {
        let (gradient, hessian) = derivatives(&r, inputs, prior);
        let Some(step) = solve(hessian, gradient) else { break };
        let largest = step.iter().fold(0.0f64, |m, s| m.max(s.abs()));
        // A full Newton step may overshoot far from the optimum.
        let damp = (200.0 / largest).min(1.0);
        for (r, s) in r.iter_mut().zip(&step) {
            *r += damp * s;
        }
        centre(&mut r);
        if largest < 1e-9 {
            break;
        }
    }
    let covariance = covariance(&r, inputs, prior);
    let shift = anchor.map_or(0.0, |(a, rating)| rating - r[a]);
    let mut out: Vec<Rating> = (0..n)
        .map(|i| {
            let total = total_of(i, inputs);
            let variance = match anchor {
                Some((a, _)) => {
                    covariance[i][i] + covariance[a][a] - covariance[i][a] - covariance[a][i]
                }
                None => covariance[i][i],
            };
            let points = total.wins as f64 + total.draws as f64 / 2.0;
            Rating {
                player: names[i].clone(),
                // The anchor's rating is exactly what was given.
                rating: match anchor {
                    Some((a, rating)) if a == i => rating,
                    _ => r[i] + shift,
                },
                error_95: Z95 * variance.max(0.0).sqrt(),
                games: total.games(),
                score: points / (total.games() as f64).max(1.0),
                bounded,
            }
        })
        .collect();
    out.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    out
}

/// All results of one player.
pub(crate) fn total_of(player: usize, inputs: &[RatingInput]) -> Tally {
    inputs.iter().fold(Tally::default(), |sum, input| match input.players {
        (a, _) if a == player => sum.plus(&input.tally),
        (_, b) if b == player => sum.plus(&input.tally.reversed()),
        _ => sum,
    })
}

/// Does everyone lie on a circle of "took points from"? Only then are the likeliest ratings finite.
fn strongly_connected(n: usize, inputs: &[RatingInput]) -> bool {
    let mut reach = vec![vec![false; n]; n];
    for input in inputs {
        let (a, b) = input.players;
        reach[a][b] |= input.tally.wins + input.tally.draws > 0;
        reach[b][a] |= input.tally.losses + input.tally.draws > 0;
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
        }
    }
    (0..n).all(|i| (0..n).all(|j| i == j || reach[i][j]))
}

const SCALE: f64 = std::f64::consts::LN_10 / 400.0;

/// Gradient and negative Hessian of the log-likelihood, with the sum of ratings pinned.
fn derivatives(r: &[f64], inputs: &[RatingInput], prior: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = r.len();
    let mut gradient = vec![0.0; n];
    // Ratings are determined up to a common shift; pinning their sum makes the matrix regular.
    let mut hessian = vec![vec![SCALE * SCALE; n]; n];
    for input in inputs {
        let (a, b) = input.players;
        let games = input.tally.games() as f64;
        let points = input.tally.wins as f64 + input.tally.draws as f64 / 2.0;
        let p = score_of_elo(r[a] - r[b]);
        let g = SCALE * (points - games * p);
        gradient[a] += g;
        gradient[b] -= g;
        let h = SCALE * SCALE * games * p * (1.0 - p);
        hessian[a][a] += h;
        hessian[b][b] += h;
        hessian[a][b] -= h;
        hessian[b][a] -= h;
    }
    for i in 0..n {
        let p = score_of_elo(r[i]);
        gradient[i] += prior * SCALE * (0.5 - p);
        hessian[i][i] += prior * SCALE * SCALE * p * (1.0 - p);
    }
    (gradient, hessian)
}

fn covariance(r: &[f64], inputs: &[RatingInput], prior: f64) -> Vec<Vec<f64>> {
    let n = r.len();
    let (_, hessian) = derivatives(r, inputs, prior);
    let columns: Option<Vec<Vec<f64>>> = (0..n)
        .map(|i| {
            let mut unit = vec![0.0; n];
            unit[i] = 1.0;
            solve(hessian.clone(), unit)
        })
        .collect();
    let Some(inverse) = columns else { return vec![vec![0.0; n]; n] };
    // The spread of the gradient: every encounter pushes its two players apart.
    let mut meat = vec![vec![0.0; n]; n];
    for input in inputs {
        let (a, b) = input.players;
        let spread = SCALE * SCALE * points_variance(&input.tally);
        meat[a][a] += spread;
        meat[b][b] += spread;
        meat[a][b] -= spread;
        meat[b][a] -= spread;
    }
    for (i, row) in meat.iter_mut().enumerate() {
        row[i] += prior * SCALE * SCALE * 0.25;
    }
    multiply(&multiply(&inverse, &meat), &inverse)
}

/// The variance of the points scored in an encounter, as in [`Tally`]'s own error bars.
fn points_variance(tally: &Tally) -> f64 {
    let games = tally.games() as f64;
    match tally.summary().score_interval_95 {
        Some([low, high]) => {
            let error = (high - low) / (2.0 * Z95);
            games * games * error * error
        }
        None => 0.0,
    }
}

fn centre(r: &mut [f64]) {
    let mean = r.iter().sum::<f64>() / r.len().max(1) as f64;
    r.iter_mut().for_each(|r| *r -= mean);
}

fn multiply(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    a.iter()
        .map(|row| {
            (0..b.len()).map(|j| row.iter().zip(b).map(|(x, other)| x * other[j]).sum()).collect()
        })
        .collect()
}

/// Gauss elimination with pivoting; `None` for a singular matrix.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        if a[pivot][k].abs() < 1e-300 {
            return None;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let (upper, lower) = a.split_at_mut(i);
            for (x, y) in lower[0][k..].iter_mut().zip(&upper[k][k..]) {
                *x -= factor * y;
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Pentanomial;
    use zug_core::rng;
    use zug_core::seed::RngExt;

    fn names(n: usize) -> Vec<String> {
        (0..n).map(|i| format!("p{i}")).collect()
    }

    fn result(a: usize, b: usize, wins: u64, draws: u64, losses: u64) -> RatingInput {
        let tally = Tally { wins, draws, losses, pairs: Pentanomial::default() };
        RatingInput { players: (a, b), tally }
    }

    fn rating<'a>(list: &'a [Rating], name: &str) -> &'a Rating {
        list.iter().find(|r| r.player == name).unwrap()
    }

    #[test]
    fn two_players_differ_by_the_elo_of_the_score() {
        let input = result(0, 1, 60, 20, 20);
        let list = ratings(&names(2), &[input], None);
        let elo = input.tally.summary().elo.unwrap();
        assert!((list[0].rating - list[1].rating - elo).abs() < 1e-6);
        assert!((list[0].rating + list[1].rating).abs() < 1e-6);
        assert!(!list[0].bounded);
        // Relative to the other player the bar is that of the match.
        let anchored = ratings(&names(2), &[input], Some((1, 2000.0)));
        let error = input.tally.summary().elo_error_95.unwrap();
        assert_eq!(rating(&anchored, "p1").rating, 2000.0);
        assert_eq!(rating(&anchored, "p1").error_95, 0.0);
        let found = rating(&anchored, "p0");
        assert!((found.rating - 2000.0 - elo).abs() < 1e-6);
        assert!((found.error_95 / error - 1.0).abs() < 0.03, "{} {error}", found.error_95);
    }

    #[test]
    fn a_chain_of_exact_scores_gives_exact_ratings() {
        // 10 : 1 is 400 Elo, 100 : 1 is 800.
        let inputs = [result(0, 1, 10, 0, 1), result(1, 2, 10, 0, 1), result(0, 2, 100, 0, 1)];
        let list = ratings(&names(3), &inputs, Some((2, 0.0)));
        assert!((rating(&list, "p0").rating - 800.0).abs() < 1e-6);
        assert!((rating(&list, "p1").rating - 400.0).abs() < 1e-6);
        assert_eq!(list[0].player, "p0");
    }

    #[test]
    fn clean_scores_stay_finite_and_are_marked() {
        let list = ratings(&names(3), &[result(0, 1, 20, 0, 0), result(0, 2, 20, 0, 0)], None);
        assert!(list.iter().all(|r| r.bounded && r.rating.is_finite() && r.error_95.is_finite()));
        assert_eq!(list[0].player, "p0");
        assert!(list[0].rating > 300.0);
        // No game at all.
        let list = ratings(&names(2), &[result(0, 1, 0, 0, 0)], None);
        assert!(list.iter().all(|r| r.rating.abs() < 1e-9 && r.games == 0));
    }

    #[test]
    fn the_bars_of_a_round_robin_cover_the_truth() {
        let truth = [150.0, 50.0, -60.0, -140.0];
        let mut rng = rng(11, 0);
        let (mut covered, mut total) = (0, 0);
        for _ in 0..400 {
            let mut inputs = Vec::new();
            for a in 0..4 {
                for b in a + 1..4 {
                    let p = score_of_elo(truth[a] - truth[b]);
                    let wins = (0..100).filter(|_| rng.random::<f64>() < p).count() as u64;
                    inputs.push(result(a, b, wins, 0, 100 - wins));
                }
            }
            for r in ratings(&names(4), &inputs, None) {
                let i: usize = r.player[1..].parse().unwrap();
                total += 1;
                covered += usize::from((r.rating - truth[i]).abs() <= r.error_95);
            }
        }
        let share = covered as f64 / total as f64;
        assert!((0.93..=0.97).contains(&share), "{share}");
    }
}

//! How do the weights change after a move of the learning side? (Section 4.2.1, Listing 4.2; the
//! modified difference of chapter 6, Listing 6.1.)
//!
//! Every place where the thesis leaves a choice open is a choice here; the defaults are those that
//! fit its printed results best.

use super::evaluation::{running_score, score};
use super::features::FeatureSet;
use super::search::Leaf;
use crate::Board;

/// Which two evaluations are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Difference {
    /// The leaf's with that of the board after the learner's move before this one (groups A to E).
    #[default]
    Original,
    /// The leaf's with that of the current board (group F).
    Modified,
}

/// What an evaluation is divided by before it is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tau {
    /// The number of moves made: discs less four. What the listings do.
    #[default]
    Moves,
    /// The number of discs. What the text says.
    Discs,
    /// Nothing.
    None,
}

impl Tau {
    /// The divisor for a board with so many discs.
    #[must_use]
    pub fn of(self, discs: u32) -> f64 {
        match self {
            Tau::Moves => f64::from(discs.saturating_sub(4).max(1)),
            Tau::Discs => f64::from(discs.max(1)),
            Tau::None => 1.0,
        }
    }
}

/// Whose features tell which weights change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gradient {
    /// Those of the board before the move.
    #[default]
    Current,
    /// Those of the earlier board of the comparison.
    Stored,
    /// Those of the leaf.
    Leaf,
}

/// How weights are kept between -1 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// All are divided by the largest when it is beyond 1.
    #[default]
    Rescale,
    /// Each is cut off for itself.
    Clamp,
}

/// The rule of learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Learning factor α.
    pub alpha: f64,
    /// Differentiation factor γ: strengthens changes that lead towards 0.
    pub gamma: f64,
    /// What is compared.
    pub difference: Difference,
    /// What is divided by.
    pub tau: Tau,
    /// Which features.
    pub gradient: Gradient,
    /// How weights are bounded.
    pub bounds: Bounds,
}

impl Default for Rule {
    fn default() -> Rule {
        Rule {
            alpha: 0.1,
            gamma: 1.0,
            difference: Difference::Original,
            tau: Tau::Moves,
            gradient: Gradient::Current,
            bounds: Bounds::Rescale,
        }
    }
}

/// What one game did to the weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Changes {
    /// Σδ.
    pub delta_sum: f64,
    /// The largest δ.
    pub delta_max: f64,
    /// Σ|Δw|, as the rule asks for it, before the weights are bounded.
    pub change_sum: f64,
    /// The largest |Δw|.
    pub change_max: f64,
    /// How many times the weights were changed.
    pub updates: u32,
}

impl Changes {
    fn add(&mut self, delta: f64) {
        self.delta_max = if self.updates == 0 { delta } else { self.delta_max.max(delta) };
        self.delta_sum += delta;
        self.updates += 1;
    }
}

/// A board as the learner sees it: its own discs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The learner's discs.
    pub own: u64,
    /// The other side's.
    pub opponent: u64,
}

impl Seen {
    fn discs(self) -> u32 {
        (self.own | self.opponent).count_ones()
    }
}

/// The learner's memory within a game.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The board after the learner's last move.
    stored: Option<Seen>,
    /// What the game has done so far.
    pub changes: Changes,
    features: Vec<f64>,
}

impl Memory {
    /// A new game: nothing is stored.
    pub fn new_game(&mut self) {
        self.stored = None;
        self.changes = Changes::default();
    }

    /// Learns from the search that chose `leaf` at `board`, where the learner is to move, and
    /// remembers the board after the move. Tells δ when there was an update.
    pub fn learn(
        &mut self,
        rule: &Rule,
        weights: &mut [f64],
        board: Board,
        leaf: &Leaf,
    ) -> Option<f64> {
        let current = Seen { own: board.own, opponent: board.other };
        let earlier = match rule.difference {
            Difference::Original => self.stored,
            Difference::Modified => Some(current),
        };
        let delta = earlier.map(|earlier| {
            // The current board is never final, since the learner is to move; a stored one is not
            // either, since the game went on.
            let old = match rule.difference {
                Difference::Original => score(weights, earlier.own, earlier.opponent),
                Difference::Modified => running_score(weights, earlier.own, earlier.opponent),
            };
            let delta = leaf.score(weights) / rule.tau.of(leaf.discs())
                - old / rule.tau.of(earlier.discs());
            let seen = match rule.gradient {
                Gradient::Current => current,
                Gradient::Stored => earlier,
                Gradient::Leaf => Seen { own: leaf.own, opponent: leaf.opponent },
            };
            let set = FeatureSet::of_len(weights.len()).expect("as many weights as features");
            set.write(seen.own, seen.opponent, &mut self.features);
            self.changes.add(delta);
            change(rule, weights, delta, &self.features, &mut self.changes);
            delta
        });
        if let Some(square) = leaf.square {
            let after = board.after(square);
            self.stored = Some(Seen { own: after.other, opponent: after.own });
        }
        delta
    }
}

/// Steps 4 and 5 of the update: changes the weights by δ and keeps them between -1 and 1.
pub fn change(rule: &Rule, weights: &mut [f64], delta: f64, x: &[f64], changes: &mut Changes) {
    for (w, x) in weights.iter_mut().zip(x) {
        let towards_zero = *w >= 0.0 && delta < 0.0 || *w < 0.0 && delta >= 0.0;
        let factor = if towards_zero { rule.gamma } else { 1.0 };
        let step = rule.alpha * delta * x * factor;
        *w += step;
        changes.change_sum += step.abs();
        changes.change_max = changes.change_max.max(step.abs());
    }
    bound(rule.bounds, weights);
}

/// Keeps weights between -1 and 1.
pub fn bound(bounds: Bounds, weights: &mut [f64]) {
    match bounds {
        Bounds::Clamp => weights.iter_mut().for_each(|w| *w = w.clamp(-1.0, 1.0)),
        Bounds::Rescale => {
            let largest = weights.iter().fold(0.0f64, |m, w| m.max(w.abs()));
            if largest > 1.0 {
                weights.iter_mut().for_each(|w| *w /= largest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::othilie::evaluation::Evaluation;
    use crate::selfplay::othilie::search::{Order, Search, Tie};

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }

    /// After f5 of black: black d5 e5 f5 e4, white d4, white to move.
    fn after_f5() -> Board {
        Board::START.after(37)
    }

    #[test]
    fn one_step_of_the_modified_difference_is_as_computed_by_hand() {
        // One ply, and only "own discs" has a weight.
        let board = after_f5();
        let mut weights = vec![0.0; 42];
        weights[38] = 0.64;
        let rule = Rule {
            difference: Difference::Modified,
            alpha: 1.0,
            tau: Tau::Discs,
            ..Rule::default()
        };
        let mut search = Search::new(1, Order::Rows, Tie::First);
        let leaf = search.best(&Evaluation::new(&weights), board);
        // d6, f4 and f6 all give three white discs; f4 comes first in the order of rows.
        assert_eq!(leaf.square, Some(29));
        let mut memory = Memory::default();
        let delta = memory.learn(&rule, &mut weights, board, &leaf).unwrap();
        // Leaf: 0.64 * 3/64 / 42 / 6 discs; now: 0.64 * 1/64 / 42 / 5 discs.
        let expected = 0.03 / 42.0 / 6.0 - 0.01 / 42.0 / 5.0;
        near(delta, expected);
        // White's only disc is d4, one of the four squares of class P; black is ahead.
        near(weights[15], expected * 0.25);
        near(weights[38], 0.64 + expected / 64.0);
        near(weights[41], expected);
        near(weights[0], 0.0);
        assert_eq!(memory.changes.updates, 1);
    }

    #[test]
    fn the_original_difference_learns_nothing_at_the_first_move_of_a_game() {
        let board = after_f5();
        let start: Vec<f64> = (0..42).map(|i| f64::from(i) / 50.0 - 0.4).collect();
        let mut weights = start.clone();
        let rule = Rule { tau: Tau::Moves, ..Rule::default() };
        let mut search = Search::new(1, Order::Rows, Tie::First);
        let mut memory = Memory::default();
        let leaf = search.best(&Evaluation::new(&weights), board);
        assert_eq!(memory.learn(&rule, &mut weights, board, &leaf), None);
        assert_eq!(weights, start);
        // Black answers; now the board after white's own move is compared with the new leaf.
        let stored = board.after(leaf.square.unwrap());
        let next = stored.after(stored.moves().trailing_zeros());
        let leaf = search.best(&Evaluation::new(&weights), next);
        let delta = memory.learn(&rule, &mut weights, next, &leaf).unwrap();
        let expected = running_score(&start, leaf.own, leaf.opponent) / f64::from(leaf.discs() - 4)
            - running_score(&start, stored.other, stored.own) / f64::from(stored.discs() - 4);
        near(delta, expected);
        let x = crate::selfplay::othilie::features::features(next.own, next.other);
        for i in 0..42 {
            near(weights[i], start[i] + 0.1 * expected * x[i]);
        }
        // A new game forgets the stored board.
        memory.new_game();
        assert_eq!(memory.learn(&rule, &mut weights, board, &leaf), None);
    }

    #[test]
    fn gamma_strengthens_only_what_leads_towards_zero() {
        let rule = Rule { gamma: 1.5, alpha: 0.1, ..Rule::default() };
        let x = [1.0; 4];
        let mut weights = [0.5, -0.5, 0.0, -0.2];
        let mut changes = Changes::default();
        change(&rule, &mut weights, -0.1, &x, &mut changes);
        for (found, expected) in weights.into_iter().zip([0.485, -0.51, -0.015, -0.21]) {
            near(found, expected);
        }
        near(changes.change_sum, 0.05);
        near(changes.change_max, 0.015);
        let mut weights = [0.5, -0.5, 0.0, -0.2];
        change(&rule, &mut weights, 0.1, &x, &mut changes);
        for (found, expected) in weights.into_iter().zip([0.51, -0.485, 0.01, -0.185]) {
            near(found, expected);
        }
    }

    #[test]
    fn rescaling_divides_all_weights_and_clamping_cuts_off_one() {
        let mut weights = [2.0, -1.0, 0.5];
        bound(Bounds::Rescale, &mut weights);
        assert_eq!(weights, [1.0, -0.5, 0.25]);
        bound(Bounds::Rescale, &mut weights);
        assert_eq!(weights, [1.0, -0.5, 0.25], "inside the bounds nothing is stretched");
        let mut weights = [2.0, -1.0, 0.5];
        bound(Bounds::Clamp, &mut weights);
        assert_eq!(weights, [1.0, -1.0, 0.5]);
    }

    #[test]
    fn a_search_that_sees_the_end_compares_the_result_divided_by_tau() {
        // One empty square left: white takes h8 and wins.
        let board = Board { own: !0 >> 1 & !0xFF, other: 0xFF };
        let board = Board { own: board.own & !(1 << 62), other: board.other | 1 << 62 };
        assert_eq!(board.moves(), 1 << 63);
        let mut weights = vec![0.1; 42];
        let leaf = Search::new(4, Order::Rows, Tie::First).best(&Evaluation::new(&weights), board);
        assert!(leaf.over && leaf.discs() == 64);
        let old = running_score(&weights, board.own, board.other);
        for (tau, end, now) in [(Tau::Moves, 60.0, 59.0), (Tau::Discs, 64.0, 63.0)] {
            let rule = Rule { difference: Difference::Modified, tau, ..Rule::default() };
            let delta = Memory::default().learn(&rule, &mut weights.clone(), board, &leaf);
            near(delta.unwrap(), 1.0 / end - old / now);
        }
        let rule = Rule { difference: Difference::Modified, tau: Tau::None, ..Rule::default() };
        let delta = Memory::default().learn(&rule, &mut weights, board, &leaf).unwrap();
        near(delta, 1.0 - old);
    }
}

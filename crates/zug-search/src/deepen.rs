//! The root of the alpha-beta search: iterative deepening, aspiration windows, several best lines.

use crate::node::{Plan, Window};
use crate::parameters::{
    ASPIRATION_DEPTH, ASPIRATION_TRIES, ASPIRATION_WIDTH, MAX_DEPTH, late_move_reduction,
};
use crate::worker::{Value, Worker};
use zug_core::{Game, Guide, Score};

/// A move at the root and what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<G: Game> {
    pub mv: G::Move,
    /// The score of this iteration; minus infinity for moves that were shown to be no better than
    /// the best, and for those not yet searched.
    pub score: Score,
    /// The last score that was no mere bound.
    pub known: Score,
    /// The line that begins with this move.
    pub line: Vec<G::Move>,
}

impl<G: Game> RootMove<G> {
    pub fn new(mv: G::Move) -> RootMove<G> {
        RootMove { mv, score: -Score::INFINITE, known: Score::DRAW, line: vec![mv] }
    }
}

/// What is told about the search after each iteration.
pub(crate) struct Progress<'r, G: Game> {
    /// Plies searched in full.
    pub depth: u32,
    pub deepest: usize,
    pub nodes: u64,
    /// Are the values exact, with no estimate in them?
    pub complete: bool,
    /// The best lines, best first.
    pub best: &'r [RootMove<G>],
}

/// How an iterative deepening is to be done.
pub(crate) struct Errand {
    /// The depths of the iterations.
    pub depths: std::ops::RangeInclusive<u32>,
    /// How many best lines are wanted.
    pub lines: usize,
    /// Is this the thread whose result counts?
    pub leads: bool,
}

/// How an iterative deepening ended.
pub(crate) struct Deepened {
    /// Plies searched in full.
    pub depth: u32,
    /// Is the result exact?
    pub complete: bool,
}

impl<G: Game, V: Guide<G>> Worker<'_, G, V> {
    /// Searches deeper and deeper until the errand is done or the budget spent. Afterwards `roots`
    /// begins with the best moves.
    pub fn deepen(
        &mut self,
        position: &G::Position,
        roots: &mut [RootMove<G>],
        errand: &Errand,
        report: &mut dyn FnMut(Progress<'_, G>),
    ) -> Deepened {
        let lines = errand.lines.clamp(1, roots.len());
        let mut done = Deepened { depth: 0, complete: false };
        // Rises when the best move changes and sinks when it stays: more doubt, more time.
        let mut doubt = 0.0;
        let (first, last) = (*errand.depths.start(), (*errand.depths.end()).min(MAX_DEPTH));
        for depth in first..=last {
            self.root_depth = depth;
            self.must_finish = errand.leads && depth == first;
            let favourite = roots[0].mv;
            for root in roots.iter_mut() {
                root.score = -Score::INFINITE;
            }
            let mut all_complete = true;
            for rank in 0..lines {
                let value = self.aspire(position, roots, rank, depth);
                all_complete &= value.complete;
                if self.aborted {
                    break;
                }
            }
            // Moves that were not searched to the end of this iteration are in the order of the
            // last one, behind those that were.
            roots[..lines].sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.aborted {
                break;
            }
            done = Deepened { depth, complete: all_complete };
            if errand.leads {
                let nodes = self.tell();
                report(Progress {
                    depth,
                    deepest: self.deepest,
                    nodes,
                    complete: all_complete,
                    best: &roots[..lines],
                });
            }
            if done.complete || roots[..lines].iter().all(|r| settled(r.score, depth)) {
                break;
            }
            doubt *= 0.5;
            if roots[0].mv != favourite {
                doubt += 0.6;
            }
            self.must_finish = false;
            if self.finished() {
                break;
            }
            let budget = self.shared.budget;
            let no_choice = roots.len() == 1 && budget.saves_time();
            if errand.leads && (no_choice || budget.enough(doubt)) {
                break;
            }
        }
        done
    }

    /// Searches the moves from `rank` on with a narrow window around the last score, and with
    /// wider ones until the score lies inside.
    fn aspire(
        &mut self,
        position: &G::Position,
        roots: &mut [RootMove<G>],
        rank: usize,
        depth: u32,
    ) -> Value {
        let options = self.shared.options;
        let known = roots[rank].known;
        let narrow = options.aspiration
            && options.noise == 0
            && depth >= ASPIRATION_DEPTH
            && !known.is_proven();
        if !narrow {
            return self.search_roots(position, roots, rank, depth, Window::FULL);
        }
        let mut width = ASPIRATION_WIDTH;
        let mut window = Window::new(Score(known.0 - width), Score(known.0 + width));
        for _ in 0..ASPIRATION_TRIES {
            let value = self.search_roots(position, roots, rank, depth, window);
            if self.aborted {
                return value;
            }
            width *= 4;
            if value.score <= window.alpha {
                window.alpha = Score(value.score.0 - width).max(-Score::INFINITE);
            } else if value.score >= window.beta {
                window.beta = Score(value.score.0 + width).min(Score::INFINITE);
            } else {
                return value;
            }
        }
        self.search_roots(position, roots, rank, depth, Window::FULL)
    }

    /// One search of the root moves from `from` on. Those that turn out best come to the front,
    /// the others keep their order.
    fn search_roots(
        &mut self,
        position: &G::Position,
        roots: &mut [RootMove<G>],
        from: usize,
        depth: u32,
        window: Window,
    ) -> Value {
        let (game, guide, options) = (self.shared.game, self.shared.guide, self.shared.options);
        let side = game.to_move(position);
        let mut child = position.clone();
        let mut alpha = window.alpha;
        let mut best: Option<Value> = None;
        let mut all_complete = guide.width().is_none();
        for (place, root) in roots[from..].iter_mut().enumerate() {
            child.clone_from(position);
            game.play(&mut child, root.mv);
            let mut reduction = 0;
            if options.reductions && options.noise == 0 && guide.reducible(game, position, root.mv)
            {
                reduction = (late_move_reduction(depth as i32, place) - 1).max(0);
            }
            let plan = Plan {
                window: Window::new(alpha, window.beta),
                depth: depth as i32 - 1,
                reduction,
                first: place == 0,
            };
            // Root moves are legal, superko included, so there always is a value.
            self.path.push(root.mv);
            let value = self.child_value(&child, side, plan, 1);
            self.path.pop();
            let Some(value) = value else { continue };
            if self.aborted {
                break;
            }
            all_complete &= value.complete;
            if place == 0 || value.score > alpha {
                root.score = value.score;
                root.known = value.score;
                root.line.truncate(1);
                root.line.extend_from_slice(&self.scratch.plies[1].line);
            } else {
                root.score = -Score::INFINITE;
            }
            if best.is_none_or(|b| value.score > b.score) {
                best = Some(value);
            }
            // With noise the scores of slightly worse moves are wanted too.
            alpha = alpha.max(best.map_or(alpha, |b| Score(b.score.0 - options.noise)));
            if alpha >= window.beta {
                break;
            }
        }
        roots[from..].sort_by_key(|root| std::cmp::Reverse(root.score));
        let Some(value) = best else { return Value::guessed(Score::DRAW) };
        let complete = if value.score >= window.beta { value.complete } else { all_complete };
        Value { complete, ..value }
    }
}

/// Is a result final? A win or loss within the searched depth will not become quicker or slower by
/// searching deeper.
fn settled(score: Score, depth: u32) -> bool {
    match score.verdict() {
        zug_core::Verdict::WonIn(plies) | zug_core::Verdict::LostIn(plies) => plies <= depth,
        _ => false,
    }
}

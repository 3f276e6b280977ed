//! Which move of the position itself is best? Iterative deepening, the window about the last score,
//! and several best lines.

use super::budget::Doubt;
use super::evaluation::Evaluation;
use super::parameters::{MAX_DEPTH, THESIS_WINDOW, WINDOW, WINDOW_DEPTH, WINDOW_GROWTH};
use super::search::Aim;
use super::table::{Entry, Kind};
use super::value::{INFINITE, MATE, NONE, Value, is_proven, to_table};
use super::worker::Worker;
use cozy_chess::{Board, Move};
use zug_core::Bound;

/// A move at the root and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// The value in this iteration; minus infinity for moves that were shown to be no better than
    /// the best, and for those not yet searched.
    pub value: Value,
    /// The last value that was no mere bound, and its line.
    pub known: Value,
    pub line: Vec<Move>,
    /// Was that found by the search at hand?
    fresh: bool,
    /// Positions below it in this search.
    pub effort: u64,
}

impl RootMove {
    pub fn new(mv: Move) -> RootMove {
        let (value, known) = (-INFINITE, NONE);
        RootMove { mv, value, known, line: vec![mv], fresh: false, effort: 0 }
    }
}

/// How an iterative deepening is to be done.
pub(super) struct Errand {
    pub depth: i32,
    pub lines: usize,
    /// The score of the last own move in the game.
    pub own_score: Option<Value>,
}

impl<E: Evaluation> Worker<'_, E> {
    /// Searches deeper and deeper until the errand is done or the budget spent. `roots` begins with
    /// the best moves whenever `report` is called with the depth that is done, and afterwards.
    pub fn deepen(
        &mut self,
        board: &Board,
        roots: &mut [RootMove],
        errand: &Errand,
        report: &mut dyn FnMut(&Self, &[RootMove], i32),
    ) -> i32 {
        let leads = self.number == 0;
        let lines = errand.lines.clamp(1, roots.len());
        let last = errand.depth.clamp(1, MAX_DEPTH);
        let mut done = 0;
        let mut doubt = Doubt::default();
        for depth in 1..=last {
            // Threads that do not lead look at other depths first, so that they do not all do
            // the same.
            if !leads
                && depth > 1
                && depth < last
                && (depth as usize + self.number).is_multiple_of(3)
            {
                continue;
            }
            self.root_depth = depth;
            self.must_finish = leads && depth == 1;
            let (favourite, value_before) = (roots[0].mv, roots[0].known);
            let order: Vec<Move> = roots[..lines].iter().map(|root| root.mv).collect();
            for root in roots.iter_mut() {
                root.value = -INFINITE;
            }
            for rank in 0..lines {
                self.aspire(board, roots, rank, depth, errand);
                if self.aborted {
                    restore(roots, rank, &order);
                    break;
                }
            }
            if self.aborted {
                break;
            }
            roots[..lines].sort_by_key(|root| std::cmp::Reverse(root.value));
            // What takes long to refute is looked at early, and less reduced.
            roots[lines..].sort_by_key(|root| std::cmp::Reverse(root.effort));
            done = depth;
            self.guide.clone_from(&roots[0].line);
            if !leads {
                continue;
            }
            self.publish();
            report(self, &*roots, depth);
            if let Some(heart) = &mut self.heart {
                heart.reported();
            }
            self.must_finish = false;
            if self.is_over() || roots[..lines].iter().all(|root| is_settled(root.known, depth)) {
                break;
            }
            let same = roots[0].mv == favourite;
            doubt.same = if same { doubt.same + 1 } else { 0 };
            let fell = if depth > 1 { value_before - roots[0].known } else { 0 };
            doubt.fell = (doubt.fell / 2).max(0) + fell;
            let all: u64 = roots.iter().map(|root| root.effort).sum();
            doubt.effort = roots[0].effort as f64 / all.max(1) as f64;
            let budget = &self.shared.budget;
            if (roots.len() == 1 && budget.saves()) || (depth >= 4 && budget.is_enough(doubt)) {
                break;
            }
        }
        self.publish();
        done
    }

    /// Searches the moves from `rank` on with a narrow window about the last score, and with wider
    /// ones until the value lies inside.
    fn aspire(
        &mut self,
        board: &Board,
        roots: &mut [RootMove],
        rank: usize,
        depth: i32,
        errand: &Errand,
    ) {
        let techniques = self.shared.techniques;
        let known = roots[rank].known;
        let centre = if techniques.own_score { errand.own_score } else { Some(known) };
        let centre = centre.filter(|&value| {
            let deep = techniques.own_score || depth >= WINDOW_DEPTH;
            techniques.aspiration && deep && value != NONE && !is_proven(value)
        });
        let Some(centre) = centre else {
            self.search_roots(board, roots, rank, Aim::new(-INFINITE, INFINITE, depth));
            return;
        };
        let mut width = if techniques.own_score { THESIS_WINDOW } else { WINDOW };
        let (mut alpha, mut beta) = (centre - width, centre + width);
        let mut less = 0;
        loop {
            let aim = Aim::new(alpha, beta, (depth - less).max(1));
            let value = self.search_roots(board, roots, rank, aim);
            if self.aborted || (alpha < value && value < beta) {
                return;
            }
            if errand.lines == 1 {
                let bound = if value <= alpha { Bound::AtMost } else { Bound::AtLeast };
                self.missed(&roots[rank], value, bound);
            }
            width *= WINDOW_GROWTH;
            let wide = width > 600 || is_proven(value) || techniques.own_score;
            if value <= alpha {
                if !techniques.own_score {
                    beta = (alpha + beta) / 2;
                }
                alpha = if wide { -INFINITE } else { value.max(-MATE) - width };
                less = 0;
            } else {
                beta = if wide { INFINITE } else { value.min(MATE) + width };
                less = (less + 1).min(2);
                if techniques.own_score {
                    less = 0;
                }
            }
            alpha = alpha.max(-INFINITE);
            beta = beta.min(INFINITE);
        }
    }

    /// One search of the root moves from `from` on. The best comes to the front, the others keep
    /// their order.
    fn search_roots(
        &mut self,
        board: &Board,
        roots: &mut [RootMove],
        from: usize,
        aim: Aim,
    ) -> Value {
        let techniques = self.shared.techniques;
        let Aim { mut alpha, beta, depth } = aim;
        let mut best = -INFINITE;
        let mut best_place = from;
        for root in &mut roots[from..] {
            root.fresh = false;
        }
        self.stack[0].evaluation = None;
        if board.checkers().is_empty() {
            self.stack[0].evaluation = Some(self.evaluate(board));
        }
        for (place, root) in roots.iter_mut().enumerate().skip(from) {
            let mv = root.mv;
            self.look_at(mv, place + 1);
            let nodes = self.nodes;
            let first = place == from;
            let quiet = super::picker::is_quiet(board, mv);
            let child = self.play(board, mv, 0);
            self.stack[1].twice = 0;
            let below = depth - 1;
            let mut value = -INFINITE;
            let mut whole = true;
            if !first {
                let mut less = below;
                if techniques.reductions && depth >= 3 && place > from + 2 && quiet {
                    let reduction = self.shared.reductions.of(depth, (place - from) as i32) / 1024;
                    let checking = i32::from(!child.checkers().is_empty());
                    less = (below - reduction + 1 + checking).clamp(1, below.max(1));
                }
                if less < below {
                    value =
                        -self.search::<false>(&child, Aim::new(-alpha - 1, -alpha, less), 1, true);
                    whole = value > alpha;
                }
                if whole && techniques.pvs && !self.aborted {
                    value =
                        -self.search::<false>(&child, Aim::new(-alpha - 1, -alpha, below), 1, true);
                    whole = value > alpha;
                }
            }
            if whole && !self.aborted {
                value = -self.search::<true>(&child, Aim::new(-beta, -alpha, below), 1, false);
            }
            self.take_back();
            root.effort += self.nodes - nodes;
            if self.aborted {
                break;
            }
            if value > best {
                best = value;
            }
            if value > alpha || first {
                root.value = value;
                if value > alpha && value < beta {
                    root.known = value;
                    root.fresh = true;
                    root.line.truncate(1);
                    root.line.extend_from_slice(self.lines.at(1));
                }
                if value > alpha {
                    best_place = place;
                    alpha = value;
                }
                if value >= beta {
                    break;
                }
            } else {
                root.value = -INFINITE;
            }
        }
        roots[from..=best_place].rotate_right(1);
        if !self.aborted && techniques.table && best > -INFINITE {
            let kind = if best >= beta {
                Kind::AtLeast
            } else if best > aim.alpha {
                Kind::Exact
            } else {
                Kind::AtMost
            };
            let evaluation = self.stack[0].evaluation.unwrap_or(NONE);
            if from == 0 {
                let mv = (kind != Kind::AtMost).then_some(roots[from].mv);
                let value = to_table(best, 0);
                let entry = Entry { mv, value, evaluation, depth, kind, principal: true };
                self.shared.table.store(self.key(), entry);
            }
        }
        best
    }
}

/// After a search that was broken off: a move that it found with its whole line stays in front; a
/// mere promise gives way to what the last iteration found.
fn restore(roots: &mut [RootMove], rank: usize, order: &[Move]) {
    let from = if roots[rank].fresh { rank + 1 } else { rank };
    let mut place = from;
    for mv in order {
        if place < order.len()
            && let Some(at) = roots[place..].iter().position(|root| root.mv == *mv)
        {
            roots[place..=place + at].rotate_right(1);
            place += 1;
        }
    }
}

/// Will a deeper search find no other value? So it is with mates inside the searched depth.
fn is_settled(value: Value, depth: i32) -> bool {
    value != NONE && value.abs() >= super::value::MATES && MATE - value.abs() <= depth
}

//! What is a position worth, so many plies ahead?
//!
//! Principal variation search with the usual prunings, each behind its switch: of whole nodes
//! (`cutoffs`), of moves (`pruning`), and of depth (`depths`). `PV` nodes give a
//! line with their value: a value inside the window comes from a leaf that the line leads to, never
//! from the table, and is never corrected. So the evaluation at the end of the root's line is the
//! score. Nodes without lines only give bounds.
//!
//! With plain alpha-beta (without `pvs`) every node is of the first kind. Prunings that only ever
//! prove a bound outside the window are allowed there too.

use super::checks::Checks;
use super::cutoffs::has_pieces;
use super::depths::Singular;
use super::evaluation::Evaluation;
use super::parameters::*;
use super::picker::{Picker, Wanted, is_quiet};
use super::pruning::Candidate;
use super::table::{Entry, Kind};
use super::value::{
    INFINITE, MATES, NONE, Value, from_table, is_proven, mate_in, mated_in, to_table,
};
use super::worker::Worker;
use crate::see;
use arrayvec::ArrayVec;
use cozy_chess::{Board, Move};

/// A window and a depth.
#[derive(Clone, Copy)]
pub(super) struct Aim {
    pub alpha: Value,
    pub beta: Value,
    pub depth: i32,
}

impl Aim {
    pub fn new(alpha: Value, beta: Value, depth: i32) -> Aim {
        Aim { alpha, beta, depth }
    }
}

/// What is known of a node before its moves are searched.
pub(super) struct Node {
    pub ply: usize,
    pub in_check: bool,
    pub cut: bool,
    pub entry: Option<Entry>,
    pub mv: Option<Move>,
    /// The value from the table, counted from the root.
    pub known: Value,
    /// The evaluation as it is, or [`NONE`] in check.
    pub raw: Value,
    /// The same, corrected by what is known: for decisions.
    pub judged: Value,
    pub improving: bool,
}

impl<E: Evaluation> Worker<'_, E> {
    /// The value of a position below the root. `cut`: a cut-off is expected.
    pub fn search<const PV: bool>(
        &mut self,
        board: &Board,
        mut aim: Aim,
        ply: usize,
        cut: bool,
    ) -> Value {
        if aim.depth <= 0 {
            return self.quiesce::<PV>(board, aim.alpha, aim.beta, ply, 0);
        }
        if PV {
            self.lines.clear(ply);
        }
        if self.is_over() {
            return 0;
        }
        self.deepest = self.deepest.max(ply);
        let techniques = &self.shared.techniques;
        let principal = PV && techniques.pvs;
        let excluded = self.stack[ply].excluded;
        if excluded.is_none() {
            if let Some(value) = self.drawn(board, ply) {
                return value;
            }
            if techniques.mate_distance {
                aim.alpha = aim.alpha.max(mated_in(ply));
                aim.beta = aim.beta.min(mate_in(ply + 1));
                if aim.alpha >= aim.beta {
                    return aim.alpha;
                }
            }
            if let Some(value) = self.ask_oracle(board, ply, aim.depth) {
                return value;
            }
        }
        if ply >= MAX_PLY {
            return self.evaluate(board);
        }

        let entry = match excluded {
            None if techniques.table => self.shared.table.probe(self.key()),
            _ => None,
        };
        let known = entry.map_or(NONE, |entry| from_table(entry.value, ply));
        let mut narrowed = aim;
        if let Some(entry) = entry
            && entry.depth >= aim.depth
            && entry.kind != Kind::None
            && !principal
        {
            let high = entry.kind.is_lower() && known >= aim.beta;
            let low = entry.kind.is_upper() && known <= aim.alpha;
            // An exact value inside the window has no line; nodes that need one search on.
            if high || low || (!PV && entry.kind == Kind::Exact) {
                // Near the fifty-move rule the table knows too little.
                if board.halfmove_clock() < 90 {
                    return known;
                }
            } else if techniques.narrowing {
                if entry.kind.is_lower() {
                    narrowed.alpha = narrowed.alpha.max(known - 1);
                }
                if entry.kind.is_upper() {
                    narrowed.beta = narrowed.beta.min(known + 1);
                }
            }
        }

        let mv = entry.and_then(|entry| entry.mv).filter(|&mv| board.is_legal(mv));
        let mv = mv.or_else(|| {
            let guide = if self.stack[ply].follows { self.guide.get(ply) } else { None };
            guide.copied().filter(|&mv| board.is_legal(mv))
        });
        let in_check = !board.checkers().is_empty();
        let mut node = Node {
            ply,
            in_check,
            cut,
            entry,
            mv,
            known,
            raw: NONE,
            judged: NONE,
            improving: false,
        };
        self.judge(board, &mut node);
        if !in_check && excluded.is_none() && !principal {
            if let Some(value) = self.cut_early(board, aim, &node) {
                return value;
            }
            if self.aborted {
                return 0;
            }
        }
        if techniques.internal_reduction
            && aim.depth >= INTERNAL_DEPTH
            && node.mv.is_none()
            && excluded.is_none()
            && (PV || cut)
        {
            aim.depth -= 1;
            narrowed.depth -= 1;
        }
        let value = self.moves::<PV>(board, narrowed, &node);
        // A window that the table made narrower was missed: the value must come with its line.
        let missed = value <= narrowed.alpha && narrowed.alpha > aim.alpha
            || value >= narrowed.beta && narrowed.beta < aim.beta;
        if missed && PV && !self.aborted {
            return self.moves::<PV>(board, aim, &node);
        }
        value
    }

    /// Finds the evaluation of a node, and whether things go well.
    fn judge(&mut self, board: &Board, node: &mut Node) {
        let (ply, techniques) = (node.ply, &self.shared.techniques);
        if node.in_check {
            self.stack[ply].evaluation = None;
            return;
        }
        if self.stack[ply].excluded.is_some()
            && let Some(evaluation) = self.stack[ply].evaluation
        {
            // The same node is searched around this one.
            (node.raw, node.judged) = (evaluation, evaluation);
        } else {
            let stored = match node.entry {
                Some(entry) if techniques.table_eval => entry.evaluation,
                _ => NONE,
            };
            node.raw = if stored == NONE { self.evaluate(board) } else { stored };
            node.judged = node.raw;
            if techniques.correction {
                let corrected = node.raw + self.mind.histories.correction(board);
                node.judged = super::value::estimate(corrected);
            }
            self.stack[ply].evaluation = Some(node.judged);
            if techniques.table && node.entry.is_none() && self.stack[ply].excluded.is_none() {
                self.shared.table.store(self.key(), Entry::evaluation(node.raw));
            }
        }
        let earlier =
            |back: usize| ply.checked_sub(back).and_then(|ply| self.stack[ply].evaluation);
        let before = earlier(2).or_else(|| earlier(4));
        node.improving = before.is_none_or(|before| node.judged > before);
        if techniques.table_eval
            && let Some(entry) = node.entry
            && entry.kind != Kind::None
            && !is_proven(node.known)
        {
            let above = node.known > node.judged;
            if (above && entry.kind.is_lower()) || (!above && entry.kind.is_upper()) {
                node.judged = node.known;
            }
        }
    }

    /// Writes a value to the table.
    pub fn remember(
        &mut self,
        node: &Node,
        depth: i32,
        value: Value,
        kind: Kind,
        mv: Option<Move>,
        principal: bool,
    ) {
        if self.shared.techniques.table && self.stack[node.ply].excluded.is_none() {
            let value = to_table(value, node.ply);
            let entry = Entry { mv, value, evaluation: node.raw, depth, kind, principal };
            self.shared.table.store(self.key(), entry);
        }
    }

    /// Searches the moves of a node.
    fn moves<const PV: bool>(&mut self, board: &Board, aim: Aim, node: &Node) -> Value {
        let Aim { mut alpha, beta, depth } = aim;
        let ply = node.ply;
        let techniques = &self.shared.techniques;
        let principal = PV && techniques.pvs;
        let excluded = self.stack[ply].excluded;
        let before = self.before(ply);
        let killers = self.killers(ply, before);
        let checks = Checks::of(board);
        let mut picker = Picker::new(&self.mind.lists, Wanted::All, node.mv, killers);
        let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut captures: ArrayVec<Move, 32> = ArrayVec::new();
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut place = 0;
        let pieces = has_pieces(board);
        let was_principal = node.entry.is_some_and(|entry| entry.principal);
        let noisy_first = node.mv.is_some_and(|mv| !is_quiet(board, mv));
        self.mind.killers[ply + 2] = [None; 2];

        let ordering = techniques.check_order.then_some(&checks);
        while let Some(mv) = self.pick(&mut picker, board, before, ordering) {
            if Some(mv) == excluded {
                continue;
            }
            place += 1;
            let quiet = is_quiet(board, mv);
            let gives_check = checks.gives(board, mv);
            let candidate = Candidate {
                mv,
                place,
                quiet,
                gives_check,
                history: self.history(board, mv, quiet, before),
                reduction: self.shared.reductions.of(depth, place),
                late: picker.is_late(),
            };
            if best > -MATES && !principal && pieces {
                let left_out = self.prune(board, Aim::new(alpha, beta, depth), node, &candidate);
                if left_out.quiets {
                    picker.skip_quiets();
                }
                if left_out.this {
                    continue;
                }
            }

            let mut extension = 0;
            if Some(mv) == node.mv && excluded.is_none() {
                match self.singular::<PV>(board, aim, node, mv) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(value) => {
                        picker.finish(&mut self.mind.lists);
                        return value;
                    }
                }
                if self.aborted {
                    break;
                }
            }
            let twice = self.stack[ply].twice + u8::from(extension >= 2);

            let child = self.play(board, mv, ply);
            self.stack[ply + 1].twice = twice;
            let checking = !child.checkers().is_empty();
            if techniques.check_extension
                && extension == 0
                && checking
                && (ply as i32) < 2 * self.root_depth
                && see::at_least(board, mv, 0)
            {
                extension = 1;
            }
            let depth_below = depth - 1 + extension;

            let mut value = -INFINITE;
            let mut whole = true;
            if techniques.reductions && depth >= REDUCE_DEPTH && place > 1 + i32::from(PV) {
                let mut reduction = candidate.reduction_by_history(&killers, noisy_first);
                reduction -= 1024 * i32::from(principal || was_principal);
                reduction += 1024 * i32::from(!node.improving);
                reduction += 1536 * i32::from(node.cut);
                reduction -= 1024 * i32::from(checking || node.in_check);
                let less = (depth_below - reduction / 1024).clamp(1, depth_below.max(1));
                if less < depth_below {
                    let aim = Aim::new(-alpha - 1, -alpha, less);
                    value = -self.search::<false>(&child, aim, ply + 1, true);
                    whole = value > alpha;
                    if whole && techniques.pvs && !self.aborted {
                        let aim = Aim::new(-alpha - 1, -alpha, depth_below);
                        value = -self.search::<false>(&child, aim, ply + 1, !node.cut);
                        whole = PV && value > alpha;
                    }
                } else if techniques.pvs {
                    let aim = Aim::new(-alpha - 1, -alpha, depth_below);
                    value = -self.search::<false>(&child, aim, ply + 1, !node.cut);
                    whole = PV && value > alpha;
                }
            } else if techniques.pvs && (!PV || place > 1) {
                let aim = Aim::new(-alpha - 1, -alpha, depth_below);
                value = -self.search::<false>(&child, aim, ply + 1, !node.cut);
                whole = PV && value > alpha;
            }
            if whole && !self.aborted {
                let aim = Aim::new(-beta, -alpha, depth_below);
                value = -self.search::<PV>(&child, aim, ply + 1, false);
            }
            self.take_back();
            if self.aborted {
                break;
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.lines.set(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
            if quiet {
                let _ = quiets.try_push(mv);
            } else {
                let _ = captures.try_push(mv);
            }
        }
        picker.finish(&mut self.mind.lists);
        if self.aborted {
            return 0;
        }
        if place == 0 {
            // All that there is was left out, or there is nothing: mate or stalemate.
            return match excluded {
                Some(_) => alpha,
                None if node.in_check => mated_in(ply),
                None => self.draw(ply),
            };
        }
        if let Some(mv) = best_move
            && best >= beta
        {
            self.learn(board, mv, depth, node, before, &quiets, &captures);
        }
        let kind = match best_move {
            _ if best >= beta => Kind::AtLeast,
            Some(_) => Kind::Exact,
            None => Kind::AtMost,
        };
        self.remember(node, depth, best, kind, best_move, principal || was_principal);
        if techniques.correction
            && !node.in_check
            && excluded.is_none()
            && best_move.is_none_or(|mv| is_quiet(board, mv))
            && !is_proven(best)
            && !(kind == Kind::AtLeast && best <= node.raw)
            && !(kind == Kind::AtMost && best >= node.raw)
        {
            self.mind.histories.correct(board, best - node.raw, depth);
        }
        best
    }
}

//! What is a position worth once the captures are played out?
//!
//! The side to move may stand still and take the evaluation, unless it is in check, when every move
//! is looked at. Checks are tried in the first ply. Mate and stalemate are seen at the node.

use super::evaluation::Evaluation;
use super::parameters::{DELTA_MARGIN, FIRST_MOST, MAX_PLY};
use super::picker::{Picker, Wanted, is_quiet};
use super::table::{Entry, Kind, UNSEARCHED};
use super::value::{INFINITE, MATES, NONE, Value, from_table, mated_in, to_table};
use super::worker::Worker;
use crate::eval::parameters::EXCHANGE;
use crate::see;
use cozy_chess::{Board, Move, Piece};

impl<E: Evaluation> Worker<'_, E> {
    /// The value of a position by captures alone; `steps` plies of them came before.
    pub fn quiesce<const PV: bool>(
        &mut self,
        board: &Board,
        mut alpha: Value,
        beta: Value,
        ply: usize,
        steps: u32,
    ) -> Value {
        if PV {
            self.lines.clear(ply);
        }
        if self.is_over() {
            return 0;
        }
        self.deepest = self.deepest.max(ply);
        let techniques = &self.shared.techniques;
        if let Some(value) = self.drawn(board, ply) {
            return value;
        }
        // At the horizon what is known is better than what is guessed; among the captures behind it
        // asking would cost more than it tells.
        if steps == 0
            && let Some(value) = self.ask_oracle(board, ply, 0)
        {
            return value;
        }
        let in_check = !board.checkers().is_empty();
        // The first iteration is always finished; where captures have no end, it takes no more of
        // them.
        let tired = self.must_finish && (self.hurries || self.nodes > FIRST_MOST) && steps > 0;
        if ply >= MAX_PLY || tired {
            return self.evaluate(board);
        }
        // With checks more is seen than without.
        let depth = if steps == 0 || in_check { 0 } else { UNSEARCHED };
        let entry = if techniques.table { self.shared.table.probe(self.key()) } else { None };
        if let Some(entry) = entry
            && entry.kind != Kind::None
            && entry.depth >= depth
            && !(PV && techniques.pvs)
        {
            let known = from_table(entry.value, ply);
            let high = entry.kind.is_lower() && known >= beta;
            let low = entry.kind.is_upper() && known <= alpha;
            if high || low || (!PV && entry.kind == Kind::Exact) {
                return known;
            }
        }

        let floor = alpha;
        let mut best = -INFINITE;
        let mut raw = NONE;
        if !in_check {
            raw = match entry {
                // The leaf of a line is evaluated anew: the table may know it with another clock.
                Some(entry) if !PV && techniques.table_eval && entry.evaluation != NONE => {
                    entry.evaluation
                }
                _ => self.evaluate(board),
            };
            best = raw;
            if best >= beta || !techniques.quiescence {
                if !board.generate_moves(|_| true) {
                    return self.draw(ply);
                }
                if techniques.table && entry.is_none() {
                    let value = to_table(best, ply);
                    let kind = if best >= beta { Kind::AtLeast } else { Kind::None };
                    let entry = Entry { value, kind, depth, ..Entry::evaluation(raw) };
                    self.shared.table.store(self.key(), entry);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        let wanted = if in_check {
            Wanted::All
        } else if techniques.quiescence_checks && steps == 0 {
            Wanted::CapturesAndChecks
        } else {
            Wanted::Captures
        };
        let first = entry.and_then(|entry| entry.mv);
        let first = first.filter(|&mv| (in_check || !is_quiet(board, mv)) && board.is_legal(mv));
        let mut picker = Picker::new(&self.mind.lists, wanted, first, [None; 3]);
        if first.is_none() && !picker.any_move(&mut self.mind.lists, board) {
            picker.finish(&mut self.mind.lists);
            return if in_check { mated_in(ply) } else { self.draw(ply) };
        }
        let before = self.before(ply);
        let mut best_move = None;
        while let Some(mv) = self.pick(&mut picker, board, before, None) {
            if in_check {
                // One answer that does not lose is enough to see that it is no mate.
                if best > -MATES && is_quiet(board, mv) && !PV {
                    picker.skip_quiets();
                    continue;
                }
            } else if techniques.delta && !is_quiet(board, mv) && best > -MATES {
                let most = raw + DELTA_MARGIN + gain(board, mv);
                if most <= alpha {
                    best = best.max(most);
                    continue;
                }
                if raw + DELTA_MARGIN <= alpha && !see::at_least(board, mv, 1) {
                    best = best.max(raw + DELTA_MARGIN);
                    continue;
                }
            }
            let child = self.play(board, mv, ply);
            let value = -self.quiesce::<PV>(&child, -beta, -alpha, ply + 1, steps + 1);
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
        }
        picker.finish(&mut self.mind.lists);
        if self.aborted {
            return 0;
        }
        if techniques.table {
            let kind = match best_move {
                _ if best >= beta => Kind::AtLeast,
                Some(_) => Kind::Exact,
                None if best > floor => Kind::Exact,
                None => Kind::AtMost,
            };
            let value = to_table(best, ply);
            let entry = Entry { mv: best_move, value, evaluation: raw, depth, kind, principal: PV };
            self.shared.table.store(self.key(), entry);
        }
        best
    }
}

/// The material that a capture or promotion wins if nothing takes back.
fn gain(board: &Board, mv: Move) -> Value {
    let taken = board
        .piece_on(mv.to)
        .map_or(EXCHANGE[Piece::Pawn as usize], |piece| EXCHANGE[piece as usize]);
    let promoted =
        mv.promotion.map_or(0, |piece| EXCHANGE[piece as usize] - EXCHANGE[Piece::Pawn as usize]);
    taken + promoted
}

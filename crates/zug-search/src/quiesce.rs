//! The alpha-beta search below the horizon: is this position quiet enough to be judged?

use crate::node::Window;
use crate::order::pick;
use crate::parameters::{MAX_PLY, QUIESCENCE_PLIES, QUIESCENCE_PRESSED_PLIES};
use crate::worker::{Comeback, Value, Worker};
use zug_core::{Game, Guide, Score};

impl<G: Game, V: Guide<G>> Worker<'_, G, V> {
    /// The value of a position at the horizon. Unless the side to move is pressed it may stand
    /// still and take the estimate, so only forcing moves are tried.
    pub fn quiesce(
        &mut self,
        position: &G::Position,
        window: Window,
        ply: usize,
        below: u32,
    ) -> Value {
        let (game, guide, options) = (self.shared.game, self.shared.guide, self.shared.options);
        self.scratch.plies[ply].line.clear();
        if self.tick() {
            return Value::guessed(Score::DRAW);
        }
        self.deepest = self.deepest.max(ply);
        if game.outcome(position).is_some() {
            return self.finished_value(position, ply);
        }
        if let Some(score) = self.shared.oracle.and_then(|o| o.probe(game, position)) {
            return Value::proven(score.delayed(ply as i32));
        }
        if !options.quiescence || ply >= MAX_PLY || below >= QUIESCENCE_PLIES {
            return Value::guessed(self.evaluate(position));
        }
        let pressed = below < QUIESCENCE_PRESSED_PLIES && guide.pressed(game, position);
        let mut moves = std::mem::take(&mut self.scratch.plies[ply].moves);
        moves.clear();
        let mut stand = None;
        if pressed {
            game.moves(position, &mut moves);
        } else {
            let value = Value::guessed(self.evaluate(position));
            stand = Some(value);
            if value.score < window.beta {
                guide.forcing(game, position, &mut moves);
            }
        }
        let value = match stand {
            Some(stand) if moves.is_empty() => stand,
            _ => self.try_forcing(position, window, ply, below, &moves, stand),
        };
        self.scratch.plies[ply].moves = moves;
        value
    }

    fn try_forcing(
        &mut self,
        position: &G::Position,
        window: Window,
        ply: usize,
        below: u32,
        moves: &[G::Move],
        stand: Option<Value>,
    ) -> Value {
        let (game, guide) = (self.shared.game, self.shared.guide);
        let side = game.to_move(position);
        let mut order = std::mem::take(&mut self.scratch.plies[ply].order);
        order.clear();
        order.extend(
            (0..u16::MAX).zip(moves).map(|(r, &mv)| (guide.promise(game, position, mv), r)),
        );
        let mut child = match self.scratch.plies[ply].child.take() {
            Some(old) => old,
            None => Box::new(position.clone()),
        };
        let mut best = stand;
        let mut all_complete = stand.is_none();
        let mut alpha = stand.map_or(window.alpha, |s| s.score.max(window.alpha));
        for place in 0..order.len() {
            let mv = moves[usize::from(pick(&mut order, place))];
            (*child).clone_from(position);
            game.play(&mut child, mv);
            let key = self.repetition_key(&child);
            let value = match self.comes_back(&child, key) {
                Comeback::Illegal => {
                    all_complete = false;
                    continue;
                }
                Comeback::Draw => {
                    self.scratch.plies[ply + 1].line.clear();
                    Value::guessed(Score::DRAW)
                }
                Comeback::No => {
                    self.keys.push(key);
                    let window = Window::new(alpha, window.beta);
                    let value = if game.to_move(&child) == side {
                        self.quiesce(&child, window, ply + 1, below + 1)
                    } else {
                        -self.quiesce(&child, window.swapped(), ply + 1, below + 1)
                    };
                    self.keys.pop();
                    value
                }
            };
            if self.aborted {
                break;
            }
            all_complete &= value.complete;
            if best.is_none_or(|b| value.score > b.score) {
                best = Some(value);
                if value.score > alpha {
                    alpha = value.score;
                    self.extend_line(ply, mv);
                }
            }
            if alpha >= window.beta {
                break;
            }
        }
        self.scratch.plies[ply].order = order;
        self.scratch.plies[ply].child = Some(child);
        let Some(best) = best else { return Value::guessed(Score::DRAW) };
        let complete = if best.score >= window.beta { best.complete } else { all_complete };
        Value { complete, ..best }
    }
}

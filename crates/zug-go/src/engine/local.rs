//! A policy from little more than the eight cells around a move: quick, for every board size.

use super::answers::{answers, self_atari};
use super::field::Field;
use super::weights::{PlayoutModel, SURROUNDINGS, Weights, distance, exchanged, place_of};
use crate::point::Point;
use crate::policy::{Guess, Guesser, Policy, Scene};
use std::sync::Arc;

/// Knows surroundings, answers, and distances from the edge and from the last two moves.
pub struct Local {
    model: Arc<PlayoutModel>,
    plain: Weights,
}

impl Local {
    /// Guesses by this model.
    #[must_use]
    pub fn new(model: Arc<PlayoutModel>) -> Local {
        Local { model, plain: Weights::plain() }
    }

    /// What it knows.
    #[must_use]
    pub fn model(&self) -> &PlayoutModel {
        &self.model
    }
}

impl Policy for Local {
    fn name(&self) -> String {
        "local".to_string()
    }
    fn knows_size(&self, _: usize) -> bool {
        true
    }
    fn guesser(&self) -> Box<dyn Guesser + '_> {
        Box::new(LocalGuesser(self))
    }
}

struct LocalGuesser<'a>(&'a Local);

impl Guesser for LocalGuesser<'_> {
    fn guess(&mut self, scene: Scene<'_>, out: &mut Vec<Guess>) {
        out.clear();
        let Local { model, plain } = self.0;
        let (board, side) = (scene.position.board(), scene.position.to_move());
        let field = Field::new(scene.position, plain);
        let recent = scene.recent.map(|p| p.map_or(0, |p| p.0));
        let opening = field.is_opening();
        let mut extra = [0.0f32; 512];
        answers(&field, side.index(), recent[0], |p, kind| {
            extra[usize::from(p) & 511] += model.answers[kind as usize];
        });
        for p in field.points().filter(|&p| field.at(p) == 0) {
            let point = Point(p);
            if board.check(point, side, false).is_err() {
                continue;
            }
            let code = field.code(p);
            let code = if side.index() == 0 { code } else { exchanged(code) };
            let class = SURROUNDINGS.class(code);
            let mut log = class.map_or(0.0, |class| model.around[class]) + extra[usize::from(p)];
            log += model.lines[place_of(p, field.size(), opening)];
            log += model.near[0][distance(p, recent[0])] + model.near[1][distance(p, recent[1])];
            if field.weight(p, side.index()) == 0 {
                // An own eye: legal, and never good.
                log = -20.0;
            } else if let Some((kind, _)) = self_atari(&field, p, side.index()) {
                log += model.answers[kind as usize];
            }
            out.push(Guess { point, probability: log.clamp(-40.0, 40.0).exp() });
        }
        let sum: f32 = out.iter().map(|g| g.probability).sum();
        let share = 1.0 / sum.max(f32::MIN_POSITIVE);
        out.iter_mut().for_each(|g| g.probability *= share);
    }
}

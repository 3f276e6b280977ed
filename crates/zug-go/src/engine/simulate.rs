//! How does a game end when both sides play moves that look likely?

use super::answers::{answers, fights, liberties_after, self_atari, threatens};
use super::field::{AROUND, Field, Work};
use super::weights::Weights;
use crate::playout::below;
use crate::shape::is_shape_code;
use std::ops::RangeInclusive;
use zug_core::Rng;
use zug_core::seed::RngCore;

/// Moves that answer the last one, with the product of their factors. More are not looked at.
const MOST_ANSWERS: usize = 40;
/// How often a move that puts its own stones at risk is drawn again.
const REDRAWS: usize = 8;
/// A chain of so many stones is never given up for nothing.
const LARGE_CHAIN: u32 = 7;
/// So many stones may be given up inside an eye to make it small, with at least this chance. Good
/// players do not play such moves out, so games do not teach them.
const SMALL_CHAIN: u32 = 5;
const THREAT: f32 = 0.5;

/// A move and the side that makes it, as one number; the point 0 is a pass.
pub(crate) const fn stone(p: u16, side: usize) -> u16 {
    p | (side as u16) << 15
}

/// The point of a [`stone`].
pub(crate) const fn point_of(stone: u16) -> u16 {
    stone & 0x7FFF
}

/// How moves are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// All moves by their weights, those that answer the last one with theirs.
    Weighed,
    /// Stones in atari first, then shapes beside the last move, then anything by its weight.
    Mixed,
}

/// How often (in 256) fights and shapes are looked for.
const FIGHT: usize = 230;
const SHAPE: usize = 240;

/// Plays games to their end; one for each thread.
pub struct Simulator<'a> {
    weights: &'a Weights,
    manner: Manner,
    work: Work,
    local: [(u16, f32); MOST_ANSWERS],
    count: usize,
    /// For each point, when it was last among the answers, and where.
    mark: [(u32, u16); 512],
    time: u32,
}

impl<'a> Simulator<'a> {
    /// Plays by these weights.
    #[must_use]
    pub fn new(weights: &'a Weights, manner: Manner) -> Simulator<'a> {
        Simulator {
            weights,
            manner,
            work: Work::default(),
            local: [(0, 0.0); MOST_ANSWERS],
            count: 0,
            mark: [(0, 0); 512],
            time: 0,
        }
    }

    /// Plays a move on a field, 0 for a pass.
    #[inline]
    pub fn play(&mut self, field: &mut Field, mv: u16, side: usize) {
        if mv == 0 {
            field.pass(self.weights);
        } else {
            field.play(mv, side, self.weights, &mut self.work);
        }
    }

    /// Plays to the end, where two passes or `limit` moves end the game, and a number of black stones
    /// more than white ones outside of `mercy` as well. Appends each stone to `trace`; see `stone`.
    // One call is one playout: what it needs is what a game is.
    #[allow(clippy::too_many_arguments)]
    pub fn play_out(
        &mut self,
        field: &mut Field,
        mut side: usize,
        mut passes: usize,
        limit: usize,
        mercy: RangeInclusive<i32>,
        rng: &mut Rng,
        trace: &mut Vec<u16>,
    ) {
        let mut last = if passes > 0 { 0 } else { trace.last().map_or(0, |&s| point_of(s)) };
        for _ in 0..limit {
            let mv = self.choose(field, side, last, rng);
            trace.push(stone(mv, side));
            if mv == 0 {
                passes += 1;
                field.pass(self.weights);
                if passes >= 2 {
                    return;
                }
            } else {
                passes = 0;
                field.play(mv, side, self.weights, &mut self.work);
                if !mercy.contains(&field.stone_difference()) {
                    return;
                }
            }
            last = mv;
            side ^= 1;
        }
    }

    /// A move of a side, 0 for a pass.
    #[inline]
    pub fn choose(&mut self, field: &Field, side: usize, last: u16, rng: &mut Rng) -> u16 {
        let total = field.total(side);
        if total == 0 {
            return 0;
        }
        if self.manner == Manner::Mixed {
            return self.choose_mixed(field, side, last, total, rng);
        }
        self.gather(field, side, last);
        let (mut inside, mut plain) = (0.0f32, 0);
        for &(p, factor) in &self.local[..self.count] {
            let weight = field.weight(p, side);
            plain += weight;
            inside += weight as f32 * factor;
        }
        let outside = total - plain;
        for _ in 0..REDRAWS {
            let p = self.draw(field, side, total, outside, inside, rng);
            let Some((kind, stones)) = self_atari(field, p, side) else { return p };
            let mut chance = self.weights.answers[kind as usize];
            if stones <= SMALL_CHAIN && threatens(field, p, side) {
                chance = chance.max(THREAT);
            }
            if stones < LARGE_CHAIN && unit(rng) < chance {
                return p;
            }
        }
        0
    }

    /// Fights first, then shapes beside the last move, then anything by its weight.
    fn choose_mixed(
        &mut self,
        field: &Field,
        side: usize,
        last: u16,
        total: u32,
        rng: &mut Rng,
    ) -> u16 {
        if last != 0 {
            self.count = 0;
            if below(rng, 256) < FIGHT {
                fights(field, side, last, |p| {
                    if self.count < MOST_ANSWERS && field.weight(p, side) > 0 {
                        self.local[self.count] = (p, 1.0);
                        self.count += 1;
                    }
                });
                if self.count > 0 {
                    return self.local[below(rng, self.count)].0;
                }
            }
            if below(rng, 256) < SHAPE {
                let mut sum = 0;
                for step in AROUND {
                    let p = last.wrapping_add(step);
                    let weight = field.weight(p, side);
                    if weight > 0
                        && is_shape_code(field.code(p) as usize)
                        && liberties_after(field, p, side) >= 2
                    {
                        sum += weight;
                        self.local[self.count] = (p, weight as f32);
                        self.count += 1;
                    }
                }
                if self.count > 0 {
                    let mut drawn = below(rng, sum as usize) as f32;
                    for &(p, weight) in &self.local[..self.count] {
                        drawn -= weight;
                        if drawn < 0.0 {
                            return p;
                        }
                    }
                    return self.local[0].0;
                }
            }
        }
        for _ in 0..REDRAWS {
            let p = field.draw(side, below(rng, total as usize) as u32);
            let Some((_, stones)) = self_atari(field, p, side) else { return p };
            let chance = match stones {
                1 => 0.5,
                2 => 0.3,
                _ if stones <= SMALL_CHAIN && threatens(field, p, side) => THREAT,
                _ => 0.03,
            };
            if stones < LARGE_CHAIN && unit(rng) < chance {
                return p;
            }
        }
        0
    }

    fn gather(&mut self, field: &Field, side: usize, last: u16) {
        self.time = self.time.wrapping_add(1);
        self.count = 0;
        answers(field, side, last, |p, kind| {
            if field.weight(p, side) == 0 {
                return;
            }
            let factor = self.weights.answers[kind as usize];
            let mark = &mut self.mark[usize::from(p) & 511];
            if mark.0 == self.time {
                self.local[usize::from(mark.1)].1 *= factor;
            } else if self.count < MOST_ANSWERS {
                *mark = (self.time, self.count as u16);
                self.local[self.count] = (p, factor);
                self.count += 1;
            }
        });
    }

    fn draw(
        &self,
        field: &Field,
        side: usize,
        total: u32,
        outside: u32,
        inside: f32,
        rng: &mut Rng,
    ) -> u16 {
        let mut drawn = unit(rng) * (inside + outside as f32);
        if drawn >= inside && outside > 0 {
            // The answers are left out by drawing again: they are few.
            for _ in 0..64 {
                let p = field.draw(side, below(rng, total as usize) as u32);
                if self.mark[usize::from(p) & 511].0 != self.time {
                    return p;
                }
            }
            drawn = unit(rng) * inside;
        }
        let mut found = 0;
        for &(p, factor) in &self.local[..self.count] {
            found = p;
            drawn -= field.weight(p, side) as f32 * factor;
            if drawn < 0.0 {
                break;
            }
        }
        if found == 0 { field.draw(side, below(rng, total as usize) as u32) } else { found }
    }
}

/// A number from 0 to 1, 1 left out.
#[inline]
fn unit(rng: &mut Rng) -> f32 {
    (rng.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0)
}

#[cfg(test)]
mod tests {
    use super::super::weights::PlayoutModel;
    use super::*;
    use crate::{Position, Rules, score};
    use zug_core::rng;

    #[test]
    fn playouts_end_with_a_board_that_can_be_counted() {
        let weights = Weights::new(&PlayoutModel::plain(), 1.0, 1.0);
        let mut simulator = Simulator::new(&weights, Manner::Mixed);
        let rules = Rules::new(9).unwrap().with_komi(0.0);
        for seed in 0..40 {
            let mut position = Position::new(9);
            let mut field = Field::new(&position, &weights);
            let mut trace = Vec::new();
            simulator.play_out(&mut field, 0, 0, 300, -99..=99, &mut rng(seed, 0), &mut trace);
            for mv in trace.into_iter().map(point_of) {
                let mv =
                    if mv == 0 { crate::Move::Pass } else { crate::Move::Play(crate::Point(mv)) };
                position.play(mv);
            }
            assert_eq!(field.key(), position.board().key());
            let counted = score::lead(position.board(), &rules) as i32;
            assert!((field.area() - counted).abs() <= 4, "{} {counted}", field.area());
        }
    }
}

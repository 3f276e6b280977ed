//! A part coded by its neighbours: the coding of [`Coding::Mixed`](super::Coding).
//!
//! A block is a run of slots that is coded by itself; the model is the same for all blocks of a
//! part.

use super::model::{Around, Model, Places, SIZE, Shape, UNIT};
use super::range_coder::{Decoder, Encoder};
use super::walk::walk;
use crate::part::Part;
use crate::sweep::pieces;
use std::ops::Range;

/// Slots of a block: at least so many, if the part has them. Half as many make a first probe twice
/// as fast and the file some 3 % larger.
const BLOCK: u64 = 8 << 10;
/// The largest block that is read.
pub(super) const MOST_BLOCK: u64 = 64 << 20;
/// The largest model that is read.
pub(super) const MOST_MODEL: u64 = 1 << 24;
/// Slots from which a model is fitted.
const FIT_SLOTS: u64 = 2 << 20;
/// Slots from which an order of kinds is judged.
const JUDGE_SLOTS: u64 = 96 << 10;
/// Rounds of fitting.
const ROUNDS: usize = 4;
/// A number that was used less often in a round is not worth its byte.
const FEW_USES: u32 = 20;

/// A symbol, or anything.
pub(super) const FREE: u16 = u16::MAX;

/// The slots of a block of this part; `None` where the part is too simple to be coded so.
pub(super) fn block_slots(part: &Part) -> Option<u64> {
    let last = part.last_step()?;
    // A block begins where a kind begins anew, so that its pieces are easily followed.
    let unit = part.weights().take_while(|&w| w <= BLOCK).last().unwrap_or(last.ways);
    Some((BLOCK.div_ceil(unit) * unit).min(part.size()).max(1))
}

/// The width of a board of so many fields, as far as can be guessed: square if it can be.
pub(super) fn width(fields: u32) -> usize {
    let root = (1..=8u32).find(|w| w * w >= fields).unwrap_or(8);
    root as usize
}

/// Codes a block. A free slot may get any symbol; it gets the one that is expected.
pub(super) fn encode(
    part: &Part,
    slots: Range<u64>,
    shape: &Shape,
    model: &Model,
    symbol: &dyn Fn(u64) -> u16,
) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut around = Around::new();
    let bits = rest_bits(shape);
    let first = slots.start;
    walk(part, slots.start, slots.end, |offset, pieces| {
        let wanted = symbol(first + offset as u64);
        let situation = around.situation(shape, pieces);
        let wanted = if wanted == FREE { situation.near[0] } else { wanted };
        let mut escaped = false;
        situation.tell(
            shape,
            |places, candidate| {
                let hit = candidate == wanted;
                encoder.put(hit, model.probability(places));
                hit
            },
            || {
                escaped = true;
                wanted
            },
        );
        if escaped {
            for bit in (0..bits).rev() {
                encoder.put(wanted >> bit & 1 == 1, 1 << 15);
            }
        }
        around.set(pieces, wanted);
    });
    encoder.finish()
}

/// Blocks that a thread codes before their bytes are passed on.
const BATCH: usize = 16;

/// Codes all blocks of a part and passes their bytes on, in order.
pub(super) fn encode_all<E>(
    part: &Part,
    block: u64,
    shape: &Shape,
    model: &Model,
    threads: usize,
    symbol: &(dyn Fn(u64) -> u16 + Sync),
    mut put: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let count = part.size().div_ceil(block);
    let code = |number: u64| {
        let begin = number * block;
        encode(part, begin..(begin + block).min(part.size()), shape, model, &symbol)
    };
    let batch = threads.max(1) * BATCH;
    for first in (0..count).step_by(batch) {
        let length = (count - first).min(batch as u64) as usize;
        let blocks = pieces(length, 1, threads, |at| code(first + at.start as u64));
        blocks.iter().try_for_each(|bytes| put(bytes))?;
    }
    Ok(())
}

/// Reads a block: a symbol for every slot.
pub(super) fn decode(
    part: &Part,
    slots: Range<u64>,
    shape: &Shape,
    model: &Model,
    bytes: &[u8],
) -> Vec<u16> {
    let mut symbols = vec![0; (slots.end - slots.start) as usize];
    let decoder = std::cell::RefCell::new(Decoder::new(bytes));
    let mut around = Around::new();
    let bits = rest_bits(shape);
    let top = shape.classes.len() as u16 - 1;
    walk(part, slots.start, slots.end, |offset, pieces| {
        let situation = around.situation(shape, pieces);
        let found = situation.tell(
            shape,
            |places, _| decoder.borrow_mut().get(model.probability(places)),
            || {
                let mut decoder = decoder.borrow_mut();
                let read = (0..bits).fold(0, |s, _| s << 1 | u16::from(decoder.get(1 << 15)));
                read.min(top)
            },
        );
        symbols[offset] = found;
        around.set(pieces, found);
    });
    symbols
}

fn rest_bits(shape: &Shape) -> u32 {
    (shape.classes.len() as u32 - 1).checked_ilog2().map_or(0, |b| b + 1)
}

/// The symbols of some blocks, from which a model is fitted.
pub(super) struct Sample {
    blocks: Vec<(Range<u64>, Vec<u16>)>,
}

impl Sample {
    /// Blocks of a part, evenly spread, of about so many slots together.
    pub(super) fn new(part: &Part, block: u64, slots: u64, symbol: &dyn Fn(u64) -> u16) -> Sample {
        let count = part.size().div_ceil(block);
        let step = (count * block).div_ceil(slots).max(1);
        let range = |number: u64| number * block..((number + 1) * block).min(part.size());
        let blocks = (0..count).step_by(step as usize).map(range);
        Sample { blocks: blocks.map(|r| (r.clone(), r.map(symbol).collect())).collect() }
    }

    /// Slots that are not free, for comparing costs of different samples.
    fn weight(&self) -> f64 {
        let slots = self.blocks.iter().flat_map(|(_, symbols)| symbols);
        slots.filter(|&&s| s != FREE).count().max(1) as f64
    }
}

/// A model while it is fitted: logistic regression by stochastic descent, every number with its own
/// step length (AdaGrad).
struct Fitting {
    numbers: Vec<f32>,
    squares: Vec<f32>,
    seen: Vec<u32>,
}

impl Fitting {
    fn new() -> Fitting {
        Fitting { numbers: vec![0.0; SIZE], squares: vec![0.0; SIZE], seen: vec![0; SIZE] }
    }

    /// Goes through a sample once; gives back the nats that it would have cost to code.
    fn round(&mut self, part: &Part, shape: &Shape, sample: &Sample, rate: f32) -> f64 {
        let mut cost = 0.0;
        for (slots, symbols) in &sample.blocks {
            let mut around = Around::new();
            walk(part, slots.start, slots.end, |offset, pieces| {
                let wanted = symbols[offset];
                let situation = around.situation(shape, pieces);
                let wanted = if wanted == FREE { situation.near[0] } else { wanted };
                situation.tell(
                    shape,
                    |places, candidate| {
                        let hit = candidate == wanted;
                        cost += self.learn(places, hit, rate);
                        hit
                    },
                    || wanted,
                );
                around.set(pieces, wanted);
            });
        }
        cost
    }

    #[inline]
    fn learn(&mut self, places: &Places, hit: bool, rate: f32) -> f64 {
        let sum: f32 = places.iter().map(|&p| self.numbers[p as usize]).sum();
        let error = f32::from(u8::from(hit)) - 1.0 / (1.0 + (-sum).exp());
        if error.abs() < 0.0005 {
            return 0.0;
        }
        for &p in places {
            let p = p as usize;
            self.squares[p] += error * error;
            self.seen[p] += 1;
            self.numbers[p] += rate * error / (self.squares[p] + 0.1).sqrt();
        }
        -f64::from(1.0 - error.abs().min(0.999_999)).ln()
    }
}

/// Fits a model to a part, as long as `heed` has no objection.
pub(super) fn fit<E>(
    part: &Part,
    block: u64,
    shape: &Shape,
    symbol: &dyn Fn(u64) -> u16,
    heed: impl Fn() -> Result<(), E>,
) -> Result<Model, E> {
    let sample = Sample::new(part, block, FIT_SLOTS, symbol);
    let mut fitting = Fitting::new();
    for round in 0..ROUNDS {
        heed()?;
        fitting.round(part, shape, &sample, 0.3 / (1.0 + round as f32));
    }
    let quantised = fitting.numbers.iter().zip(&fitting.seen).map(|(&n, &seen)| {
        if seen < FEW_USES * ROUNDS as u32 {
            0
        } else {
            (n * UNIT).round().clamp(-127.0, 127.0) as i8
        }
    });
    Ok(Model::new(quantised.collect()).expect("the numbers are of the right size"))
}

/// What a slot costs on average, in nats, judged from a small sample.
pub(super) fn judge(part: &Part, shape: &Shape, symbol: &dyn Fn(u64) -> u16) -> Option<f64> {
    let sample = Sample::new(part, block_slots(part)?, JUDGE_SLOTS, symbol);
    let cost = Fitting::new().round(part, shape, &sample, 0.3);
    Some(cost / sample.weight())
}

/// The orders of kinds that are worth a try: all if they are few, else those that differ in which
/// two kinds come last.
pub(super) fn orders(kinds: usize, first_stays: bool) -> Vec<Vec<u8>> {
    let natural: Vec<u8> = (0..kinds as u8).collect();
    let begin = usize::from(first_stays);
    let mut orders = vec![natural.clone()];
    let mut add = |order: Vec<u8>| {
        if !orders.contains(&order) {
            orders.push(order);
        }
    };
    for last in begin..kinds {
        for before in (begin..kinds).filter(|&k| k != last) {
            let chosen = [before as u8, last as u8];
            let mut order: Vec<u8> =
                natural.iter().copied().filter(|k| !chosen.contains(k)).collect();
            order.extend(chosen);
            add(order);
        }
    }
    orders
}

/// The numbers of a model as bytes.
pub(super) fn bytes_of(model: &Model) -> Vec<u8> {
    model.numbers().iter().map(|&n| n as u8).collect()
}

/// A model from its bytes.
pub(super) fn model_of(bytes: &[u8]) -> Option<Model> {
    Model::new(bytes.iter().map(|&b| b as i8).collect())
}

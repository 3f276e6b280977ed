//! Which patterns were played often enough to be worth a weight?
//!
//! Most patterns of a collection occur once. A first pass counts them roughly, in a table of small
//! counters that patterns share; the second counts exactly those that may be frequent. So memory is
//! bounded by the table and by what is kept, not by the number of games.

use super::dictionary::kept;
use super::features::Extractor;
use super::fields::{KEYS, key_name};
use crate::corpus::GoRecord;
use crate::point::{Move, Point};
use crate::policy::Scene;
use crate::position::Position;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering};
use zug_core::seed::mix;
use zug_core::{Progress, StopFlag};

/// Shows the wanted positions of a game in which a stone was played, with the stone.
pub fn replay(
    game: &GoRecord,
    mut wanted: impl FnMut(usize) -> bool,
    mut visit: impl FnMut(Scene<'_>, Point, usize),
) {
    let mut position = Position::new(game.size());
    let mut recent = [None, None];
    for (ply, mv) in game.moves().enumerate() {
        if let Some(p) = mv
            && wanted(ply)
        {
            visit(Scene { position: &position, recent }, p, ply);
        }
        position.play(mv.map_or(Move::Pass, Move::Play));
        recent = [mv, recent[0]];
    }
}

/// Patterns that are worth a weight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Harvest {
    /// Their kept keys, the most frequent first.
    pub keys: Vec<u64>,
    /// How many there are of each field.
    pub by_field: [usize; KEYS],
}

impl Harvest {
    /// In words: `shape-3: 812, …`.
    #[must_use]
    pub fn words(&self) -> String {
        let all = self.by_field.iter().enumerate().filter(|(_, n)| **n > 0);
        all.map(|(field, n)| format!("{} {n}", key_name(field))).collect::<Vec<_>>().join(", ")
    }
}

/// Counters saturate here.
const FULL: u8 = 250;
/// Parts that count for themselves, whatever the number of threads.
const PARTS: usize = 64;

/// The patterns that were played at least `least` times; nothing when asked to stop.
pub fn harvest(
    games: &[GoRecord],
    least: u8,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Option<Harvest> {
    let plies: u64 = games.iter().map(|g| g.codes().len() as u64).sum();
    // About thirty patterns a ply, most of them met for the first time.
    let bits = (64 - (plies * 16).leading_zeros()).clamp(16, 29);
    let sketch: Vec<AtomicU8> = (0..1usize << bits).map(|_| AtomicU8::new(0)).collect();
    let counter = |key: u64| &sketch[(mix(kept(key)) >> (64 - bits)) as usize];
    let part = games.len().div_ceil(PARTS).max(1);
    games.par_chunks(part).for_each_init(Extractor::default, |extractor, games| {
        for game in games {
            if stop.is_set() {
                return;
            }
            replay(
                game,
                |_| true,
                |scene, p, _| {
                    extractor.patterns_of(scene, p, |_, key| {
                        // Never beyond: several threads count at once, and 255 is followed by 0.
                        let next = |count: u8| (count < FULL).then_some(count + 1);
                        let relaxed = Ordering::Relaxed;
                        let _ = counter(key).fetch_update(relaxed, relaxed, next);
                        true
                    });
                },
            );
            progress.advance(1);
        }
    });
    type Counts = HashMap<u64, (u32, u8)>;
    let counts: Vec<Counts> = games
        .par_chunks(part)
        .map_init(Extractor::default, |extractor, games| {
            let mut counts = Counts::new();
            for game in games {
                if stop.is_set() {
                    break;
                }
                replay(
                    game,
                    |_| true,
                    |scene, p, _| {
                        extractor.patterns_of(scene, p, |field, key| {
                            let often = counter(key).load(Ordering::Relaxed) >= least.min(FULL);
                            if often {
                                counts.entry(kept(key)).or_insert((0, field as u8)).0 += 1;
                            }
                            often
                        });
                    },
                );
                progress.advance(1);
            }
            counts
        })
        .collect();
    if stop.is_set() {
        return None;
    }
    let mut all = Counts::new();
    for part in counts {
        for (key, (count, field)) in part {
            all.entry(key).or_insert((0, field)).0 += count;
        }
    }
    let mut list: Vec<(u32, u64, u8)> = all
        .into_iter()
        .filter(|&(_, (count, _))| count >= u32::from(least))
        .map(|(key, (count, field))| (count, key, field))
        .collect();
    list.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut harvest = Harvest::default();
    for (_, key, field) in list {
        harvest.keys.push(key);
        harvest.by_field[usize::from(field)] += 1;
    }
    Some(harvest)
}

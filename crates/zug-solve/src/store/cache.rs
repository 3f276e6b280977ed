//! Unpacked blocks that many threads share.
//!
//! Two generations instead of a list by age: new and used blocks are young; when the young ones
//! fill half the room, the old ones go and the young become old. A hit costs one lock of one shard
//! and one look-up.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

const SHARDS: usize = 64;

/// Stage, part and block as one number are mixed well enough by a multiplication.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers");
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = zug_core::seed::mix(key);
    }
}

type Blocks = HashMap<u64, Arc<[u16]>, BuildHasherDefault<KeyHasher>>;

#[derive(Default)]
struct Shard {
    young: Blocks,
    old: Blocks,
    young_bytes: usize,
}

/// Blocks of codes by key.
pub(crate) struct Cache {
    shards: Vec<Mutex<Shard>>,
    /// Bytes of young blocks that a shard may hold.
    room: usize,
}

impl Cache {
    /// A cache of about so many bytes.
    pub(crate) fn new(bytes: usize) -> Cache {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Cache { shards, room: bytes / SHARDS / 2 }
    }

    fn shard(&self, key: u64) -> std::sync::MutexGuard<'_, Shard> {
        let number = zug_core::seed::mix(key) >> 32;
        // A thread that died with the lock held has left whole blocks: they are inserted finished.
        self.shards[number as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One code of a block, if the block is here.
    pub(crate) fn code(&self, key: u64, offset: usize) -> Option<u16> {
        let mut shard = self.shard(key);
        if let Some(block) = shard.young.get(&key) {
            return block.get(offset).copied();
        }
        let block = shard.old.remove(&key)?;
        let code = block.get(offset).copied();
        shard.insert(key, block, self.room);
        code
    }

    /// Keeps a block.
    pub(crate) fn insert(&self, key: u64, block: Arc<[u16]>) {
        self.shard(key).insert(key, block, self.room);
    }
}

impl Shard {
    fn insert(&mut self, key: u64, block: Arc<[u16]>, room: usize) {
        let bytes = block.len() * 2 + 64;
        if self.young_bytes + bytes > room && !self.young.is_empty() {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        if self.young.insert(key, block).is_none() {
            self.young_bytes += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_blocks_stay_and_unused_ones_go() {
        let cache = Cache::new(64 * SHARDS * 2 * 20);
        for round in 0..2_000u64 {
            cache.insert(round, vec![round as u16; 64].into());
            if round > 0 {
                cache.insert(0, vec![7; 64].into());
                assert_eq!(cache.code(0, 63), Some(7));
            }
        }
        assert_eq!(cache.code(1_999, 0), Some(1_999));
        let kept = (0..2_000).filter(|&key| cache.code(key, 0).is_some()).count();
        assert!(kept < 1_500, "{kept} blocks");
        assert_eq!(cache.code(0, 64), None, "beyond the block");
    }
}

//! What is to be said at each distance, in files: where memory is short, facts wait there until
//! their level comes.

use super::SolveError;
use super::disk::{Scratch, trouble};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::PathBuf;

/// Numbers that are read back at a time.
const READ: usize = 1 << 13;

/// Numbers by level.
pub(super) struct Levels {
    /// Where the files of levels are: this path with the level behind it.
    path: PathBuf,
    waiting: Vec<Vec<u64>>,
    /// Numbers that wait in memory, and how many may.
    held: usize,
    room: usize,
}

impl Levels {
    /// Nothing yet, with about so many bytes of memory.
    pub(super) fn new(scratch: &Scratch, name: &str, bytes: u64) -> Levels {
        let room = (bytes / 16).max(1 << 10) as usize;
        Levels { path: scratch.path(name), waiting: Vec::new(), held: 0, room }
    }

    fn file(&self, level: usize) -> PathBuf {
        self.path.with_extension(level.to_string())
    }

    pub(super) fn push(&mut self, level: usize, number: u64) -> Result<(), SolveError> {
        if self.waiting.len() <= level {
            self.waiting.resize_with(level + 1, Vec::new);
        }
        self.waiting[level].push(number);
        self.held += 1;
        if self.held >= self.room { self.flush() } else { Ok(()) }
    }

    /// Puts everything into the files.
    pub(super) fn flush(&mut self) -> Result<(), SolveError> {
        let mut bytes = Vec::new();
        for level in 0..self.waiting.len() {
            let numbers = std::mem::take(&mut self.waiting[level]);
            if numbers.is_empty() {
                continue;
            }
            bytes.clear();
            bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
            let path = self.file(level);
            let file = OpenOptions::new().create(true).append(true).open(&path);
            file.and_then(|mut file| file.write_all(&bytes)).map_err(|e| trouble(&path, &e))?;
        }
        self.held = 0;
        Ok(())
    }

    /// The number of levels on which there is something to say.
    pub(super) fn levels(&self) -> u32 {
        self.waiting.len() as u32
    }

    /// Tells all numbers of a level, in pieces, and forgets them. Everything must have been flushed.
    pub(super) fn take(
        &self,
        level: u32,
        mut tell: impl FnMut(&[u64]) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let path = self.file(level as usize);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(trouble(&path, &error)),
        };
        let (mut bytes, mut numbers) = (Vec::with_capacity(8 * READ), Vec::with_capacity(READ));
        loop {
            bytes.clear();
            let read = Read::by_ref(&mut file).take(8 * READ as u64).read_to_end(&mut bytes);
            if read.map_err(|e| trouble(&path, &e))? == 0 {
                break;
            }
            numbers.clear();
            numbers.extend(bytes.as_chunks::<8>().0.iter().map(|n| u64::from_le_bytes(*n)));
            tell(&numbers)?;
        }
        std::fs::remove_file(&path).map_err(|e| trouble(&path, &e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_by_level_and_only_once() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(&folder.path().join("work")).unwrap();
        let mut levels = Levels::new(&scratch, "told", 0);
        for n in 0..50_000u64 {
            levels.push((n % 7) as usize * 3, n).unwrap();
        }
        levels.flush().unwrap();
        assert_eq!(levels.levels(), 19);
        let take = |level| {
            let mut all: Vec<u64> = Vec::new();
            let tell = |numbers: &[u64]| {
                all.extend(numbers);
                Ok(())
            };
            levels.take(level, tell).unwrap();
            all
        };
        for level in 0..20u64 {
            let right: Vec<u64> = (0..50_000).filter(|n| n % 7 * 3 == level).collect();
            assert_eq!(take(level as u32), right, "level {level}");
            assert!(take(level as u32).is_empty());
        }
    }
}

//! Whose games are they?

use super::Index;
use super::read::MOST_TEXT;
use rayon::prelude::*;
use std::ops::Range;
use zug_learn::face::TaskError;

/// Texts that are read together, and then one game's: so much memory is enough for any collection.
const TOGETHER: u64 = 1 << 20;

impl Index {
    /// For each game: does one of its players fit?
    pub(super) fn fitting(
        &self,
        games: Range<usize>,
        fits: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<bool>, TaskError> {
        let (first, count) = (games.start as u64, games.len());
        let starts: Vec<u32> = self
            .file
            .section("text-starts")
            .and_then(|s| s.array_part(first..first + count as u64 + 1))
            .map_err(TaskError::below)?;
        let length = |from: usize, to: usize| starts[to].checked_sub(starts[from]).map(u64::from);
        let mut parts: Vec<Range<usize>> = Vec::new();
        for game in 0..count {
            if length(game, game + 1).is_none_or(|n| n > MOST_TEXT) {
                return Err(self.damaged("the text of a game"));
            }
            match parts.last_mut() {
                Some(part) if length(part.start, game).is_some_and(|n| n < TOGETHER) => {
                    part.end = game + 1;
                }
                _ => parts.push(game..game + 1),
            }
        }
        let section = self.file.section("texts").map_err(TaskError::below)?;
        let fitting: Vec<Vec<bool>> = parts
            .into_par_iter()
            .map(|part| {
                let bounds = &starts[part.start..=part.end];
                let begin = bounds[0];
                let bytes = section.read(u64::from(begin)..u64::from(bounds[bounds.len() - 1]));
                let bytes = bytes.map_err(TaskError::below)?;
                let own = |ends: &[u32]| {
                    let [from, to] = [ends[0], ends[1]].map(|at| (at - begin) as usize);
                    // The first text is the file, then come the players.
                    let names = bytes[from..to].split(|&b| b == 0).skip(1).take(2);
                    names.map(String::from_utf8_lossy).any(|name| fits(&name))
                };
                Ok(bounds.windows(2).map(own).collect())
            })
            .collect::<Result<_, TaskError>>()?;
        Ok(fitting.concat())
    }
}

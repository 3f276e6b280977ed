//! Which position is asked about?

use super::collection::each_file;
use crate::names::play_all;
use std::path::PathBuf;
use zug_core::{AnyLine, GameEntry};

/// Reads `start`, a list of moves, a position, or `FILE:MOVE` (the position in which that move of
/// the first game was made; without a number the end of the game).
pub fn read(text: &str, entry: &GameEntry) -> Result<Box<dyn AnyLine>, String> {
    let text = text.trim();
    if text.is_empty() || text == "start" {
        return Ok(entry.game.new_line());
    }
    if let Some(line) = of_file(text, entry)? {
        return Ok(line);
    }
    let moves = match play_all(&*entry.game, text) {
        Ok(line) => return Ok(line),
        Err(error) => error,
    };
    match entry.game.line_from(text) {
        Ok(line) => Ok(line),
        // A position has fewer words that are moves: the complaint that read on farther is told.
        Err(_) if !moves.starts_with("move 1:") => Err(moves),
        Err(position) => Err(format!(
            "expected a position, moves, FILE:MOVE or 'start'; as moves: {moves}; as a position: \
             {position}"
        )),
    }
}

fn of_file(text: &str, entry: &GameEntry) -> Result<Option<Box<dyn AnyLine>>, String> {
    let (path, number) = match text.rsplit_once(':') {
        Some((path, number)) if number.parse::<usize>().is_ok() => (path, number.parse().ok()),
        _ => (text, None),
    };
    let path = PathBuf::from(path);
    let known = path.extension().and_then(|e| e.to_str()).is_some_and(|ending| {
        entry.formats.iter().any(|f| f.extensions().contains(&ending.to_ascii_lowercase().as_str()))
    });
    if !known {
        return Ok(None);
    }
    let mut first = None;
    each_file(entry, std::slice::from_ref(&path), &mut |mut found| {
        found.format.stream(&mut found.input, &mut |record| {
            first = Some(record);
            false
        })?;
        Ok(false)
    })
    .map_err(|e| e.to_string())?;
    let place = path.display();
    let record = first.ok_or_else(|| format!("{place}: no record in this file"))?;
    let record = record.map_err(|e| format!("{place}: {e}"))?;
    let count = number.map_or(record.moves.len(), |n: usize| n.saturating_sub(1));
    if number == Some(0) || count > record.moves.len() {
        let all = record.moves.len();
        return Err(format!("{place}: expected a move from 1 to {}, found {}", all + 1, count + 1));
    }
    let begin = record.start.as_deref();
    let mut line = match begin {
        Some(start) => entry.game.line_from(start).map_err(|e| format!("{place}: {e}"))?,
        None => entry.game.new_line(),
    };
    for (ply, mv) in record.moves[..count].iter().enumerate() {
        line.play_ranked(&mv.text).map_err(|e| format!("{place}: move {}: {e}", ply + 1))?;
    }
    Ok(Some(line))
}

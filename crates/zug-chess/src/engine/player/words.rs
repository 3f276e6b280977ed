//! How is a thought told to the outer world?

use super::super::Thought;
use crate::Chess;
use zug_core::{Info, Line};
use zug_search::players::write_line;

/// One report for each line of a thought, best first.
pub(super) fn infos(line: &Line<Chess>, thought: &Thought) -> Vec<Info> {
    let each = thought.lines.iter().enumerate();
    each.map(|(place, found)| Info {
        rank: place + 1,
        depth: thought.depth,
        deepest: thought.deepest,
        score: Some(found.score),
        bound: found.bound,
        proven: found.score.is_proven(),
        win_rate: None,
        nodes: thought.nodes,
        elapsed: thought.elapsed,
        hash_full: Some(thought.hash_full),
        oracle_hits: thought.oracle_hits,
        line: write_line(line, &found.moves),
    })
    .collect()
}

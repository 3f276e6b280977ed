//! How is a thought told to the outer world?

use super::super::{Beat, Thought};
use crate::Chess;
use zug_core::{Game, Info, Line, Pulse};
use zug_search::players::write_line;

/// One report for each line of a thought, best first.
pub(super) fn infos(line: &Line<Chess>, thought: &Thought) -> Vec<Info> {
    let each = thought.lines.iter().enumerate();
    each.map(|(place, found)| Info {
        rank: place + 1,
        score: Some(found.score),
        bound: found.bound,
        proven: found.score.is_proven(),
        line: write_line(line, &found.moves),
        ..progress(thought)
    })
    .collect()
}

/// How far the search is.
fn progress(thought: &Thought) -> Info {
    Info {
        depth: thought.depth,
        deepest: thought.deepest,
        nodes: thought.nodes,
        elapsed: thought.elapsed,
        hash_full: Some(thought.hash_full),
        oracle_hits: thought.oracle_hits,
        ..Info::default()
    }
}

/// A sign of life.
pub(super) fn pulse(line: &Line<Chess>, beat: &Beat) -> Pulse {
    let found = infos(line, &beat.thought).into_iter().next();
    let write = |mv| line.game().write_move(line.position(), mv);
    Pulse {
        info: found.unwrap_or_else(|| progress(&beat.thought)),
        current: beat.current.map(|(mv, number)| (write(mv), number)),
    }
}

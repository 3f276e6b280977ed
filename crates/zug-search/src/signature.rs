//! A number that changes when the behaviour of the search changes.

use crate::parameters::Options;
use crate::pvs::Pvs;
use std::sync::Arc;
use zug_core::{Game, Guide, Limits, Line, PlayerError, Watch};

/// The number of nodes of a fixed search: one thread, a small table, each line searched from
/// scratch to the same depth. Lock it in a test; a change that was meant to leave the search alone
/// and moves this number did not.
pub fn signature<G: Game, V: Guide<G>>(
    guide: Arc<V>,
    lines: &[Line<G>],
    depth: u32,
) -> Result<u64, PlayerError> {
    let mut search = Pvs::new(guide, Options { hash: 4, ..Options::default() });
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut nodes = 0;
    for line in lines {
        search.clear();
        let mut ignore = |_: &zug_core::Info| {};
        nodes += search.search(line, &limits, &mut Watch::new(Arc::default(), &mut ignore))?.nodes;
    }
    Ok(nodes)
}

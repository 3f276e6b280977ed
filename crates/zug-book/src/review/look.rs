//! What does a player say of a position, and within which limits is it asked?

use super::{Judged, Worth};
use std::collections::BTreeMap;
use std::time::Duration;
use zug_core::{
    AnyLine, Bound, Info, Limits, Player, PlayerError, Scale, Score, StopFlag, Verdict, Watch,
};

/// A clock that is this many times over its limit ends a search whose positions are counted: on a
/// machine so slow nothing can be promised.
const PATIENCE: f64 = 20.0;
/// And never before this: what is short on an idle machine is long on one with other work to do.
const LEAST_PATIENCE: Duration = Duration::from_secs(10);

/// The limits of one look, as a share of what was asked for.
///
/// A time is turned into a number of positions where the player says how many it visits in a second
/// on a usual machine. So a game is judged alike on every run, busy machine or not.
pub(super) fn share(limits: &Limits, pace: Option<u64>, share: f64) -> Limits {
    let times = |time: Duration, factor: f64| {
        Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
    };
    let mut share_of = Limits { clock: None, only: Vec::new(), lines: 1, ..limits.clone() };
    if let Some(nodes) = limits.nodes {
        share_of.nodes = Some(((nodes as f64 * share) as u64).max(1));
    }
    if let Some(depth) = limits.depth {
        // A ply costs about twice as much in the games that are searched by depth.
        share_of.depth = Some((f64::from(depth) + share.log2().max(0.0)).round() as u32);
    }
    if let Some(time) = limits.movetime {
        share_of.movetime = Some(times(time, share));
        if let (Some(pace), None) = (pace, limits.nodes) {
            share_of.nodes = Some(((time.as_secs_f64() * pace as f64 * share) as u64).max(1));
            share_of.movetime = Some(times(time, share * PATIENCE).max(LEAST_PATIENCE));
        }
    }
    share_of
}

/// What a player said of a position.
pub(super) struct Told {
    /// The move that it chose.
    pub mv: String,
    /// Its last word on that.
    pub last: Option<Judged>,
    /// Was that a bound?
    pub bound: Bound,
    /// All lines of one search, best first.
    pub lines: Vec<Judged>,
}

/// Asks a player that remembers nothing.
pub(super) fn ask(
    player: &mut dyn Player,
    line: &dyn AnyLine,
    limits: &Limits,
    scale: Scale,
    stop: &StopFlag,
) -> Result<Told, PlayerError> {
    // All lines of one search, and of the one before, should this one be broken off.
    let mut whole: BTreeMap<usize, Info> = BTreeMap::new();
    let mut previous = BTreeMap::new();
    let mut last: Option<Info> = None;
    let mut guess: Option<Score> = None;
    let mut report = |info: &Info| {
        let rank = info.rank.max(1);
        if info.bound == Bound::Exact {
            if rank == 1 && !whole.is_empty() {
                previous = std::mem::take(&mut whole);
            }
            whole.insert(rank, info.clone());
        }
        if rank == 1 {
            last = Some(info.clone());
            if let Some(score) = info.score
                && !info.proven
                && matches!(score.verdict(), Verdict::Estimate(_))
            {
                guess = Some(score);
            }
        }
    };
    // What is known of the moves after the one that was played would favour or harm it.
    player.new_game(line)?;
    let mut watch = Watch::new(stop.shared(), &mut report);
    let choice = player.choose(line, limits, &mut watch)?;
    if whole.len() < previous.len() {
        whole = previous;
    }
    let last = choice.info.or(last);
    let judged = |info: &Info| {
        let worth = Worth::of_info(info, guess, scale)?;
        Some(Judged { worth, line: info.line.clone(), depth: info.depth, others: Vec::new() })
    };
    Ok(Told {
        mv: choice.mv,
        bound: last.as_ref().map_or(Bound::Exact, |info| info.bound),
        last: last.as_ref().and_then(judged),
        lines: whole.values().filter_map(judged).collect(),
    })
}

/// The best move with its value, and further lines where they were asked for.
pub(super) fn best(told: Told) -> Option<Judged> {
    let Told { mv, last, bound, lines } = told;
    let mut lines = lines.into_iter();
    let mut judged = match (last, lines.next()) {
        // A bound says less than the estimate before it, unless it contradicts that or proves
        // something.
        (Some(last), Some(best)) if bound != Bound::Exact && !last.worth.is_settled() => {
            let contradicts = match bound {
                Bound::AtLeast => last.worth.score > best.worth.score,
                _ => last.worth.score < best.worth.score,
            };
            if contradicts { last } else { best }
        }
        (Some(last), _) => last,
        (None, best) => best?,
    };
    judged.others = lines.map(|other| (other.worth, other.line)).collect();
    if judged.line.first() != Some(&mv) {
        judged.line = vec![mv];
    }
    // A search that was broken off may have found another best move; then the lines of the one
    // before are no measure for it.
    let first = judged.line.first().cloned();
    let best = judged.worth.score;
    if judged.others.iter().any(|(w, l)| w.score > best || l.first() == first.as_ref()) {
        judged.others.clear();
    }
    Some(judged)
}

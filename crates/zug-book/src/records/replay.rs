//! Does this record count, and which positions does it come by?

use super::gather::{Ended, cut, player, year_of};
use super::put_number;
use crate::places::Places;
use zug_core::{AnyLine, GameEntry, Record, RecordResult, Side};
use zug_learn::explore::Span;

/// No game of any kind is longer.
const MOST_MOVES: usize = 1 << 16;

/// A game that was played through.
pub(super) struct Through {
    /// Ranks of the moves, seven bits a byte.
    pub moves: Vec<u8>,
    /// The key of every position.
    pub keys: Vec<u64>,
    /// How it ended.
    pub ended: Ended,
}

/// A game that does not count.
pub(super) struct Refused {
    /// Why, in a word or two.
    pub reason: &'static str,
    /// What is wrong with it, where something is.
    pub fault: Option<String>,
}

impl Refused {
    fn quietly(reason: &'static str) -> Refused {
        Refused { reason, fault: None }
    }
}

/// Plays a record through, or says why it does not count.
pub(super) fn play_through(
    entry: &GameEntry,
    places: &Places,
    record: &Record,
    span: &Span,
) -> Result<Through, Refused> {
    let year = year_of(record);
    if *span != Span::default() && year == 0 {
        return Err(Refused::quietly("without a year"));
    }
    if span.from.is_some_and(|from| year < from) || span.until.is_some_and(|until| year > until) {
        return Err(Refused::quietly("of another year"));
    }
    if record.moves.is_empty() {
        return Err(Refused::quietly("without moves"));
    }
    let spec = entry.game.spec();
    let family = |text: &str| text.split(':').next().unwrap_or(text).to_string();
    if family(&record.game) != family(&spec) {
        return Err(Refused::quietly("of another game"));
    }
    let refused = |fault: String| match record.game == spec {
        true => Refused { reason: "illegal", fault: Some(fault) },
        // Another board or another start: nothing is wrong with it.
        false => Refused::quietly("of another game"),
    };
    let mut line = match &record.start {
        Some(start) => entry.game.line_from(start).map_err(|e| refused(e.to_string()))?,
        None => entry.game.new_line(),
    };
    let mut through = Through { moves: Vec::new(), keys: Vec::new(), ended: ended(record, None) };
    through.keys.push(places.key(&*line));
    for (ply, mv) in record.moves.iter().enumerate().take(MOST_MOVES) {
        match line.play_ranked(&mv.text) {
            Ok(rank) => put_number(&mut through.moves, rank as u64),
            // Some played on after a draw that nobody claimed.
            Err(_) if ply > 0 && over(&*line) => break,
            Err(error) => return Err(refused(format!("move {}: {error}", ply + 1))),
        }
        through.keys.push(places.key(&*line));
    }
    if through.keys.len() == 1 {
        return Err(Refused::quietly("without moves"));
    }
    through.ended = ended(record, Some(&*line));
    Ok(through)
}

/// Has the game ended by the rules of the position alone?
fn over(line: &dyn AnyLine) -> bool {
    !line.boxed_clone().play_rank(0)
}

/// As the record says, or as the rules do.
fn ended(record: &Record, line: Option<&dyn AnyLine>) -> Ended {
    let of = |winner: Option<Side>| winner.map_or(Ended::Drawn, Ended::Won);
    match record.result {
        RecordResult::Known { winner, .. } => of(winner),
        RecordResult::Unknown => {
            let outcome = line.and_then(AnyLine::outcome);
            outcome.map_or(Ended::Unknown, |outcome| of(outcome.winner))
        }
    }
}

/// A digest by which a game that is there twice is known: moves, players, event, date. Two games of
/// nobody that went the same way are two games.
pub(super) fn same(entry: &GameEntry, record: &Record, through: &Through) -> Option<u64> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let players = Side::BOTH.map(|side| player(entry, record, side, ""));
    if players.iter().any(|name| cut(name).is_empty()) {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    (&through.keys, &record.start, players).hash(&mut hasher);
    ["Event", "Date", "Round"].map(|name| record.tag(name)).hash(&mut hasher);
    Some(hasher.finish())
}

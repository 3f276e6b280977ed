//! What do the games say about a position: in words and in figures?

use super::gather::Ended;
use super::index::{Facts, Hit, Index, Reply};
use super::tally::{Tally, Wanted};
use crate::names::Names;
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Instant;
use zug_core::{AnyLine, Side, StopFlag};
use zug_learn::explore::ExploreOrder;
use zug_learn::face::{Account, TaskError};

/// Moves that are followed at each step of the lines.
const WIDE: usize = 3;

/// Looks a position up and tells about it.
pub fn answer(
    index: &Index,
    line: &dyn AnyLine,
    order: &ExploreOrder,
    extra: &Names,
    began: Instant,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let searching = Instant::now();
    let facts = index.facts()?;
    let words: &[String] = if order.player.is_some() { index.words()? } else { &[] };
    let wanted = Wanted::new(&order.span, order.player.as_deref(), words);
    let asker = Asker { index, facts, wanted: &wanted, stop };
    let found = asker.ask(line)?;
    let mover = line.to_move();
    let total = found.hits.len();
    let searched = match wanted.all() {
        true => index.games(),
        false => (0..index.games()).filter(|&game| wanted.has(facts, game)).count(),
    };
    let moves: Vec<Value> =
        found.groups.iter().take(order.top).map(|g| g.figures(total, mover)).collect();
    let games = asker.named(line, &found, order)?;
    let lines = match order.depth {
        0 | 1 => Vec::new(),
        depth => asker.lines(line, &found, depth)?,
    };
    let places = index.places();
    let name = match extra.name_of(places, line) {
        Some(name) => Some(name),
        None => index.names()?.name_of(places, line),
    };
    let all = found.groups.iter().fold(Tally::default(), |mut all, group| {
        all.times += group.tally.times;
        (0..3).for_each(|i| all.results[i] += group.tally.results[i]);
        all.unknown += group.tally.unknown;
        all
    });
    let milliseconds = |since: Instant| (since.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    let (search, whole) = (milliseconds(searching), milliseconds(began));

    let mut figures = Map::new();
    let mut put = |key: &str, value: Value| {
        figures.insert(key.to_string(), value);
    };
    put("source", json!(index.name()));
    put("games_searched", json!(searched));
    put("position", json!(line.position_text()));
    put("to_move", json!(line.side_name(mover)));
    put("sides", json!(Side::BOTH.map(|side| line.side_name(side))));
    put("name", json!(name));
    put("games_found", json!(total));
    put("wins", json!(all.results));
    put("unknown", json!(all.unknown));
    put("moves", Value::Array(moves.clone()));
    put("moves_in_all", json!(found.groups.len()));
    put("games", Value::Array(games.clone()));
    put("lines", Value::Array(lines.clone()));
    put("milliseconds", json!({"search": search, "all": whole}));

    let mut text = String::new();
    let _ = writeln!(text, "{}", line.position_text());
    if let Some(name) = name {
        let _ = writeln!(text, "{name}");
    }
    let _ = writeln!(text, "in {total} of {searched} games ({search:.1} ms)");
    if total == 0 {
        text.push_str("no game has this position\n");
    } else {
        let sides = Side::BOTH.map(|side| line.side_name(side));
        table(&mut text, sides, &found.groups[..moves.len()], total);
        let left = found.groups.len() - moves.len();
        if left > 0 {
            let _ = writeln!(text, "      and {left} more (--top)");
        }
    }
    if !lines.is_empty() {
        text.push_str("how it goes on (times, share):\n");
        lines_text(&mut text, &lines, 1);
    }
    if !games.is_empty() {
        text.push_str("games, the strongest and the latest first:\n");
        games.iter().for_each(|game| game_text(&mut text, game));
    }
    Ok(Account { text, figures, page: String::new() })
}

/// Games that made the same move.
struct Group {
    /// The move in notation, and for people; both empty where the records end.
    mv: String,
    shown: String,
    tally: Tally,
}

impl Group {
    fn figures(&self, total: usize, mover: Side) -> Value {
        let mut figures = self.tally.figures(total, mover);
        let end = self.mv.is_empty();
        figures["move"] = json!(if end { "end" } else { &self.mv });
        figures["shown"] = json!(if end { "end" } else { &self.shown });
        figures["kind"] = json!(if end { "end of the record" } else { "move" });
        figures
    }
}

/// What was found of one position.
struct Found {
    hits: Vec<Hit>,
    /// The most frequent first.
    groups: Vec<Group>,
    /// The group of each reply.
    of: HashMap<Reply, usize>,
}

struct Asker<'a> {
    index: &'a Index,
    facts: &'a Facts,
    wanted: &'a Wanted,
    stop: &'a StopFlag,
}

impl Asker<'_> {
    fn ask(&self, line: &dyn AnyLine) -> Result<Found, TaskError> {
        if self.stop.is_set() {
            return Err(TaskError::Stopped { resumable: false });
        }
        let by_rank = self.index.places().keys_after(line);
        let mut after = by_rank.clone();
        after.sort_unstable();
        after.dedup();
        let mut hits = self.index.hits(line, &after)?;
        if !self.wanted.all() {
            hits.retain(|hit| self.wanted.has(self.facts, hit.game as usize));
        }
        let mover = line.to_move();
        let mut tallies: HashMap<Reply, Tally> = HashMap::new();
        for &hit in &hits {
            tallies.entry(hit.reply).or_default().add(hit, self.facts, mover);
        }
        let mut replies: Vec<(Reply, Tally)> = tallies.into_iter().collect();
        replies.sort_by_key(|(reply, tally)| (Reverse(tally.times), *reply));
        let mut found = Found { hits, groups: Vec::new(), of: HashMap::new() };
        for (reply, tally) in replies {
            let (mv, shown) = match reply {
                Reply::End => Default::default(),
                Reply::Move(rank) => {
                    // Of moves that lead to the same place the first stands for all.
                    let key = after.get(rank as usize);
                    let Some(rank) = by_rank.iter().position(|k| Some(k) == key) else { continue };
                    let mut next = line.boxed_clone();
                    if !next.play_rank(rank) {
                        continue;
                    }
                    let last = |all: Vec<String>| all.last().cloned().unwrap_or_default();
                    (last(next.moves()), last(next.shown_moves()))
                }
            };
            found.of.insert(reply, found.groups.len());
            found.groups.push(Group { mv, shown, tally });
        }
        Ok(found)
    }

    /// The games of the strongest players, then the latest; or the latest at once.
    fn named(
        &self,
        line: &dyn AnyLine,
        found: &Found,
        order: &ExploreOrder,
    ) -> Result<Vec<Value>, TaskError> {
        let most = order.games;
        let weight = |hit: &Hit| {
            let game = hit.game as usize;
            let [a, b] = self.facts.ratings[game].map(u32::from);
            (
                Reverse(if a > 0 && b > 0 && !order.latest { a + b } else { 0 }),
                Reverse(self.facts.years[game]),
                Reverse(hit.game),
            )
        };
        let mut hits = found.hits.clone();
        if most < hits.len() {
            if most > 0 {
                hits.select_nth_unstable_by_key(most - 1, weight);
            }
            hits.truncate(most);
        }
        hits.sort_by_key(weight);
        let key = self.index.places().key(line);
        hits.iter().map(|hit| self.game(*hit, key, line, found)).collect()
    }

    fn game(
        &self,
        hit: Hit,
        key: u64,
        line: &dyn AnyLine,
        found: &Found,
    ) -> Result<Value, TaskError> {
        let card = self.index.card(hit.game)?;
        let game = hit.game as usize;
        let group = found.of.get(&hit.reply).map(|&at| &found.groups[at]);
        let end = "end".to_string();
        let (mv, shown) = match group {
            Some(group) if !group.mv.is_empty() => (&group.mv, &group.shown),
            _ => (&end, &end),
        };
        let (winner, result) = match self.facts.ended[game] {
            Ended::Unknown => (Value::Null, Value::Null),
            Ended::Drawn => (Value::Null, json!("draw")),
            Ended::Won(side) => {
                (json!(side.index()), json!(format!("{} won", line.side_name(side))))
            }
        };
        let ply = self.index.find_in(hit.game, key)?;
        Ok(json!({
            "number": hit.game,
            "players": card.players,
            "ratings": self.facts.ratings[game].map(|r| (r > 0).then_some(r)),
            "event": card.event,
            "date": card.date,
            "year": Some(self.facts.years[game]).filter(|&y| y > 0),
            "winner": winner,
            "result": result,
            "file": card.file,
            "game_in_file": card.number,
            "ply": ply,
            "played": mv,
            "shown": shown,
        }))
    }

    /// The most frequent moves, and what followed them.
    fn lines(
        &self,
        line: &dyn AnyLine,
        found: &Found,
        depth: usize,
    ) -> Result<Vec<Value>, TaskError> {
        let total = found.hits.len();
        let mut lines = Vec::new();
        for group in found.groups.iter().filter(|g| !g.mv.is_empty()).take(WIDE) {
            let mut next = line.boxed_clone();
            let then = match next.play(&group.mv) {
                Ok(_) if depth > 1 => self.lines(&*next, &self.ask(&*next)?, depth - 1)?,
                _ => Vec::new(),
            };
            let figures = group.tally.figures(total, line.to_move());
            lines.push(json!({
                "move": group.mv,
                "shown": group.shown,
                "times": group.tally.times,
                "share": figures["share"],
                "won_by_mover": figures["won_by_mover"],
                "then": then,
            }));
        }
        Ok(lines)
    }
}

fn table(text: &mut String, sides: [&str; 2], groups: &[Group], total: usize) {
    let rated = groups.iter().any(|g| g.tally.rating().is_some());
    let _ = writeln!(
        text,
        "      {:<10} {:>8} {:>8} {:>8} {:>8} {:>8}   {:<9}{}",
        "move",
        "games",
        "share",
        sides[0],
        "draws",
        sides[1],
        "years",
        if rated { "  rating  performance" } else { "" }
    );
    let mut rank = 0;
    for Group { mv, shown, tally } in groups {
        let mut number = String::new();
        if !mv.is_empty() {
            rank += 1;
            number = rank.to_string();
        }
        let all: usize = tally.results.iter().sum();
        let percent = tally.results.map(|n| match all {
            0 => "?".to_string(),
            _ => format!("{:.1} %", 100.0 * n as f64 / all as f64),
        });
        let years = tally.years.map_or(String::new(), |[a, b]| format!("{a}-{b}"));
        let or_none = |n: Option<String>| n.unwrap_or_default();
        let ratings = match rated {
            true => format!(
                "  {:>6}  {:>11}",
                or_none(tally.rating().map(|n| n.to_string())),
                or_none(tally.performance().map(|n| n.to_string()))
            ),
            false => String::new(),
        };
        let row = format!(
            "{number:>4}  {:<10} {:>8} {:>6.1} % {:>8} {:>8} {:>8}   {years:<9}{ratings}",
            if mv.is_empty() { "(end)" } else { shown },
            tally.times,
            100.0 * tally.times as f64 / total.max(1) as f64,
            percent[0],
            percent[1],
            percent[2],
        );
        let _ = writeln!(text, "{}", row.trim_end());
    }
}

fn lines_text(text: &mut String, lines: &[Value], depth: usize) {
    for line in lines {
        let _ = writeln!(
            text,
            "{}{} {} ({:.1} %)",
            "   ".repeat(depth),
            line["shown"].as_str().unwrap_or_default(),
            line["times"],
            100.0 * line["share"].as_f64().unwrap_or(0.0)
        );
        lines_text(text, line["then"].as_array().map_or(&[][..], Vec::as_slice), depth + 1);
    }
}

fn game_text(text: &mut String, game: &Value) {
    let name = |side: usize| {
        let name = game["players"][side].as_str().filter(|n| !n.is_empty()).unwrap_or("?");
        match game["ratings"][side].as_u64() {
            Some(rating) => format!("{name} ({rating})"),
            None => name.to_string(),
        }
    };
    let part = |key: &str| game[key].as_str().unwrap_or_default();
    let words = [part("date"), part("event"), part("result")];
    let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
    let ply = game["ply"].as_u64().unwrap_or(0) + 1;
    let _ = writeln!(
        text,
        "   {} - {}: {} (ply {ply}: {})\n      {}, game {}",
        name(0),
        name(1),
        words.join(", "),
        part("shown"),
        part("file"),
        game["game_in_file"]
    );
}

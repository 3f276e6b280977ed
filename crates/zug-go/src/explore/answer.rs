//! What was played how often, with what result, when, and by whom?

use super::library::{Card, Facts, Library, Winner};
use super::query::{Query, Scope, name_of, side_of};
use super::search::{Hit, Reply};
use super::squares::point_of;
use super::wanted::Wanted;
use crate::guess::heat::board_text;
use crate::guess::story::Moment;
use crate::policy::Guess;
use crate::position::side_word;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::time::Instant;
use zug_learn::explore::ExploreOrder;
use zug_learn::face::{Account, TaskError};

/// Games that are named for each move.
const NAMED: usize = 3;
/// Moves that are followed at each step of the lines.
const WIDE: usize = 3;

/// All finds with the same reply.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// How many.
    pub times: usize,
    /// Won by the side that moved.
    pub wins: usize,
    /// Lost by it.
    pub losses: usize,
    /// Games whose winner nobody knows, or that nobody won.
    pub open: usize,
    /// The first and the last year.
    pub years: Option<[u16; 2]>,
    /// Finds by decade, in tens of years.
    decades: Vec<usize>,
    /// The last finds, in order.
    pub last: VecDeque<Hit>,
}

impl Group {
    fn add(&mut self, hit: Hit, facts: &Facts) {
        let game = hit.game as usize;
        let mover = side_of(usize::from(hit.ply));
        self.times += 1;
        match Winner::of_byte(facts.winners.get(game).copied().unwrap_or(0)) {
            Winner::Side(side) if side == mover => self.wins += 1,
            Winner::Side(_) => self.losses += 1,
            _ => self.open += 1,
        }
        let year = facts.years.get(game).copied().unwrap_or(0);
        if year > 0 {
            let [first, last] = self.years.unwrap_or([year, year]);
            self.years = Some([first.min(year), last.max(year)]);
            let decade = usize::from(year / 10);
            if self.decades.len() <= decade {
                self.decades.resize(decade + 1, 0);
            }
            self.decades[decade] += 1;
        }
        if self.last.len() == NAMED {
            self.last.pop_front();
        }
        self.last.push_back(hit);
    }

    /// Decades with finds, and how many.
    pub fn decades(&self) -> impl Iterator<Item = (u16, usize)> + '_ {
        let all = self.decades.iter().enumerate().filter(|&(_, &times)| times > 0);
        all.map(|(decade, &times)| (10 * decade as u16, times))
    }

    /// The share of decided games that the side that moved has won.
    #[must_use]
    pub fn won(&self) -> Option<f64> {
        let decided = self.wins + self.losses;
        (decided > 0).then(|| self.wins as f64 / decided as f64)
    }
}

/// The finds by reply, the most frequent first.
#[must_use]
pub fn groups(hits: &[Hit], facts: &Facts) -> Vec<(Reply, Group)> {
    // By number rather than by hash: there may be half a million finds.
    let slot = |reply: Reply| match reply {
        Reply::Elsewhere => 0,
        Reply::Pass => 1,
        Reply::End => 2,
        Reply::Move(code) => 3 + usize::from(code),
    };
    let mut slots: Vec<Option<(Reply, Group)>> = Vec::new();
    for &hit in hits {
        let at = slot(hit.reply);
        if slots.len() <= at {
            slots.resize(at + 1, None);
        }
        slots[at].get_or_insert_with(|| (hit.reply, Group::default())).1.add(hit, facts);
    }
    let mut groups: Vec<_> = slots.into_iter().flatten().collect();
    groups.sort_by_key(|&(reply, ref group)| (std::cmp::Reverse(group.times), reply));
    groups
}

/// Looks a question up and tells about it.
pub fn answer(
    library: &dyn Library,
    query: &Query,
    order: &ExploreOrder,
    began: Instant,
) -> Result<Account, TaskError> {
    let size = query.size();
    let numbers = library.numbers(size);
    if numbers.is_empty() {
        let what = format!("{}: there are no games on boards of {size}×{size}", library.name());
        return Err(TaskError::Unfit(what));
    }
    let searching = Instant::now();
    let facts = library.facts()?;
    let wanted = Wanted::new(library, numbers.clone(), order)?;
    let hits = wanted.of(library.hits(query)?, &facts);
    let count = numbers.filter(|&game| wanted.has(&facts, game)).count();
    let groups = groups(&hits, &facts);
    let mut teller = Teller { library, facts: &facts, size, cards: HashMap::new() };
    let total = hits.len();
    // The finds are in order: the last of a game, the last game first.
    let games: Vec<Hit> =
        hits.chunk_by(|a, b| a.game == b.game).rev().map(|game| game[game.len() - 1]).collect();
    let moves = groups
        .iter()
        .take(order.top)
        .map(|(reply, group)| teller.group(*reply, group, total))
        .collect::<Result<Vec<Value>, _>>()?;
    let named = games.iter().take(order.games);
    let named = named.map(|&hit| teller.game(hit)).collect::<Result<Vec<Value>, _>>()?;
    let lines = match order.depth {
        0 | 1 => Vec::new(),
        depth => lines(library, &facts, query, &wanted, depth)?,
    };
    let milliseconds = |since: Instant| (since.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    let (search, all) = (milliseconds(searching), milliseconds(began));

    let mut figures = Map::new();
    let mut put = |key: &str, value: Value| {
        figures.insert(key.to_string(), value);
    };
    put("source", json!(library.name()));
    put("games_searched", json!(count));
    put("position", json!(query.position.to_text()));
    put("to_move", json!(side_word(query.position.to_move())));
    put("part", json!(query.scope_words()));
    put("colours_exchanged", json!(query.exchange));
    put("finds", json!(total));
    put("games_found", json!(games.len()));
    put("moves", Value::Array(moves.clone()));
    put("moves_in_all", json!(groups.len()));
    put("games", Value::Array(named.clone()));
    put("lines", Value::Array(lines.clone()));
    put("milliseconds", json!({"search": search, "all": all}));

    let mut text = board(query, &groups, total);
    let _ = writeln!(
        text,
        "{}{}: {total} {} in {} of {count} games ({search:.1} ms)",
        query.scope_words(),
        if query.exchange { ", either colour" } else { "" },
        if total == 1 { "find" } else { "finds" },
        games.len()
    );
    if total == 0 {
        text.push_str("no game has this position\n");
    } else {
        table(&mut text, &moves, &groups[..moves.len()], groups.len() - moves.len());
    }
    if !lines.is_empty() {
        text.push_str("how it goes on (times, share):\n");
        line_text(&mut text, &lines, 1);
    }
    if !named.is_empty() {
        text.push_str("games, the most recent first:\n");
        named.iter().for_each(|game| game_text(&mut text, game));
    }
    Ok(Account { text, figures, page: String::new() })
}

struct Teller<'a> {
    library: &'a dyn Library,
    facts: &'a Facts,
    size: usize,
    cards: HashMap<u32, Card>,
}

impl Teller<'_> {
    fn group(&mut self, reply: Reply, group: &Group, total: usize) -> Result<Value, TaskError> {
        let games = group.last.iter().rev().map(|&hit| self.game(hit));
        let games = games.collect::<Result<Vec<Value>, _>>()?;
        let decades: Map<String, Value> =
            group.decades().map(|(d, n)| (d.to_string(), json!(n))).collect();
        Ok(json!({
            "move": word(reply, self.size),
            "kind": kind(reply),
            "times": group.times,
            "share": round(group.times as f64 / total.max(1) as f64),
            "wins": group.wins,
            "losses": group.losses,
            "undecided": group.open,
            "won_by_mover": group.won().map(round),
            "first_year": group.years.map(|y| y[0]),
            "last_year": group.years.map(|y| y[1]),
            "decades": decades,
            "games": games,
        }))
    }

    fn game(&mut self, hit: Hit) -> Result<Value, TaskError> {
        if !self.cards.contains_key(&hit.game) {
            self.cards.insert(hit.game, self.library.card(hit.game)?);
        }
        let card = &self.cards[&hit.game];
        let year = self.facts.years.get(hit.game as usize).copied().filter(|&y| y > 0);
        let mut told = json!({
            "black": card.black,
            "white": card.white,
            "event": card.event,
            "date": card.date,
            "year": year,
            "result": card.result,
            "file": card.name,
            "ply": hit.ply,
            "move_number": hit.ply + 1,
            "played": word(hit.reply, self.size),
        });
        if self.library.keeps_numbers() {
            told["number"] = json!(hit.game);
        }
        Ok(told)
    }
}

fn word(reply: Reply, size: usize) -> String {
    match reply {
        Reply::Move(code) => name_of(code, size),
        Reply::Elsewhere => "elsewhere".to_string(),
        Reply::Pass => "pass".to_string(),
        Reply::End => "end".to_string(),
    }
}

fn kind(reply: Reply) -> &'static str {
    match reply {
        Reply::Move(_) => "move",
        Reply::Elsewhere => "elsewhere",
        Reply::Pass => "pass",
        Reply::End => "end of the record",
    }
}

fn round(value: f64) -> f64 {
    (value * 1e5).round() / 1e5
}

/// The most frequent moves, and what followed them.
fn lines(
    library: &dyn Library,
    facts: &Facts,
    query: &Query,
    wanted: &Wanted,
    depth: usize,
) -> Result<Vec<Value>, TaskError> {
    let groups = groups(&wanted.of(library.hits(query)?, facts), facts);
    let total: usize = groups.iter().map(|(_, g)| g.times).sum();
    let mut found = Vec::new();
    for (reply, group) in groups {
        let Reply::Move(code) = reply else { continue };
        if found.len() == WIDE {
            break;
        }
        let next = query.after(point_of(code, query.size()));
        let then = match next {
            Some(next) if depth > 1 => lines(library, facts, &next, wanted, depth - 1)?,
            _ => Vec::new(),
        };
        found.push(json!({
            "move": word(reply, query.size()),
            "times": group.times,
            "share": round(group.times as f64 / total.max(1) as f64),
            "won_by_mover": group.won().map(round),
            "then": then,
        }));
    }
    Ok(found)
}

fn board(query: &Query, groups: &[(Reply, Group)], total: usize) -> String {
    let moves = groups.iter().filter_map(|(reply, group)| match reply {
        Reply::Move(code) => Some(Guess {
            point: point_of(*code, query.size()),
            probability: group.times as f32 / total.max(1) as f32,
        }),
        _ => None,
    });
    let moves: Vec<Guess> = moves.collect();
    let moment = Moment {
        number: query.position.moves_played() as usize + 1,
        position: query.position.clone(),
        recent: [query.last, None],
        played: None,
    };
    let mut text = board_text(&moment, &moves, 9, true);
    if query.scope != Scope::Whole {
        let _ = writeln!(text, "   only {} counts", query.area().name(query.size()));
    }
    text
}

fn table(text: &mut String, moves: &[Value], groups: &[(Reply, Group)], left: usize) {
    let decades: Vec<u16> =
        groups.iter().flat_map(|(_, g)| g.decades().map(|(decade, _)| decade)).collect();
    let (first, last) = (decades.iter().copied().min(), decades.iter().copied().max());
    let head = match (first, last) {
        (Some(first), Some(last)) => format!("by decade, {first}s to {last}s"),
        _ => String::new(),
    };
    let _ = writeln!(
        text,
        "      {:<10} {:>7} {:>8} {:>11}   {:<9}  {head}",
        "move", "times", "share", "mover wins", "years"
    );
    let mut rank = 0;
    for (value, (reply, group)) in moves.iter().zip(groups) {
        let number = match reply {
            Reply::Move(_) => {
                rank += 1;
                rank.to_string()
            }
            _ => String::new(),
        };
        let won = group.won().map_or("?".to_string(), |w| format!("{:.1} %", 100.0 * w));
        let years = group.years.map_or("?".to_string(), |[a, b]| format!("{a}-{b}"));
        let share = 100.0 * value["share"].as_f64().unwrap_or(0.0);
        let _ = writeln!(
            text,
            "{number:>4}  {:<10} {:>7} {share:>6.1} % {won:>11}   {years:<9}  {}",
            value["move"].as_str().unwrap_or_default(),
            group.times,
            spark(&group.decades, first, last)
        );
    }
    if left > 0 {
        let _ = writeln!(text, "      and {left} more (--top)");
    }
}

/// A bar for each decade.
fn spark(decades: &[usize], first: Option<u16>, last: Option<u16>) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (Some(first), Some(last)) = (first, last) else { return String::new() };
    let most = decades.iter().copied().max().unwrap_or(1).max(1);
    (first..=last)
        .step_by(10)
        .map(|decade| match decades.get(usize::from(decade / 10)) {
            None | Some(0) => ' ',
            Some(&n) => BARS[(n * 8).div_ceil(most).clamp(1, 8) - 1],
        })
        .collect()
}

fn line_text(text: &mut String, lines: &[Value], depth: usize) {
    for line in lines {
        let _ = writeln!(
            text,
            "{}{} {} ({:.1} %)",
            "   ".repeat(depth),
            line["move"].as_str().unwrap_or_default(),
            line["times"],
            100.0 * line["share"].as_f64().unwrap_or(0.0)
        );
        if let Some(then) = line["then"].as_array() {
            line_text(text, then, depth + 1);
        }
    }
}

fn game_text(text: &mut String, game: &Value) {
    let part = |key: &str| game[key].as_str().unwrap_or_default();
    let words = [part("date"), part("event"), part("result")];
    let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
    let _ = writeln!(
        text,
        "   {} - {}: {} (move {}: {})\n      {}",
        part("black"),
        part("white"),
        words.join(", "),
        game["move_number"],
        part("played"),
        part("file")
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Corpus, Filter};
    use crate::explore::library::Shelf;
    use zug_learn::explore::Part;

    fn shelf() -> Shelf {
        let files: [(&str, &[u8]); 4] = [
            ("a.sgf", b"(;SZ[9]DT[1961-03-02]PB[Ann]PW[Bob]RE[B+R]EV[Cup];B[ee];W[cc];B[gg])"),
            ("b.sgf", b"(;SZ[9]DT[2001]PB[Cid]PW[Dan]RE[W+2.5];B[ee];W[gc];B[cc])"),
            ("c.sgf", b"(;SZ[9]DT[2002-01-01]PB[Eve]PW[Fay]RE[W+R];B[ee];W[dd];B[cc])"),
            ("d.sgf", b"(;SZ[9]PB[Gus]PW[Hal];B[ee];W[gg])"),
        ];
        Shelf::new(Corpus::of_files(files, &Filter::default()).games)
    }

    fn ask(text: &str, part: Part, change: impl FnOnce(&mut ExploreOrder)) -> Account {
        let mut order = ExploreOrder { top: 10, games: 5, depth: 1, ..ExploreOrder::default() };
        change(&mut order);
        let query = Query::read(text, 9, &part, order.exchange).unwrap();
        answer(&shelf(), &query, &order, Instant::now()).unwrap()
    }

    #[test]
    fn moves_are_counted_with_results_years_and_games() {
        let told = ask("E5", Part::Whole, |_| {});
        let moves = told.figures["moves"].as_array().unwrap();
        assert_eq!((told.figures["finds"].as_u64(), moves.len()), (Some(4), 2));
        // Three of four corners are the same point to an empty board with a stone in the middle.
        assert_eq!((&moves[0]["move"], &moves[0]["times"]), (&json!("G7"), &json!(3)));
        assert_eq!((&moves[0]["wins"], &moves[0]["losses"]), (&json!(1), &json!(1)));
        assert_eq!((&moves[0]["first_year"], &moves[0]["last_year"]), (&json!(1961), &json!(2001)));
        assert_eq!(moves[0]["decades"], json!({"1960": 1, "2000": 1}));
        assert_eq!(moves[1]["won_by_mover"], json!(1.0));
        let games = told.figures["games"].as_array().unwrap();
        assert_eq!(games[0]["black"], "Eve");
        assert_eq!(games[3]["black"], "Gus");
        assert!(
            told.text.contains("Ann - Bob: 1961-03-02, Cup, B+R (move 2: G7)"),
            "{}",
            told.text
        );
    }

    #[test]
    fn years_and_depth_are_heeded() {
        let told = ask("E5", Part::Whole, |order| order.span.from = Some(2000));
        assert_eq!(told.figures["finds"], 2);
        let told = ask("E5", Part::Whole, |order| order.depth = 2);
        let lines = told.figures["lines"].as_array().unwrap();
        let then = lines[0]["then"].as_array().unwrap();
        assert_eq!(then.iter().map(|l| l["times"].as_u64().unwrap()).sum::<u64>(), 2);
        let told = ask("A1", Part::Whole, |_| {});
        assert!(told.text.contains("no game has this position"));
    }

    #[test]
    fn moves_elsewhere_are_told_apart() {
        let told = ask("E5 G7", Part::Corner(None), |_| {});
        let moves = told.figures["moves"].as_array().unwrap();
        assert!(moves.iter().any(|m| m["kind"] == "elsewhere"), "{}", told.text);
        assert_eq!(told.figures["colours_exchanged"], true);
    }
}

//! What did learned games look like, move by move? A part of a page with a board on which games are
//! replayed: each own move with the search's score, what the learner expected, the reply it foretold,
//! and what came of it for the weights. Without scripts it is the table of one game and its end.

use super::experiment::{GAMES, GameRow, SideRow};
use super::game::color_word;
use super::lesson::{Rule, Squash, Value};
use super::results::ExperimentResult;
use super::student::Judged;
use crate::pgn::{PgnGame, Reader};
use crate::position::Position;
use crate::{san, uci};
use cozy_chess::{Color, Move, Square};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use zug_core::Score;
use zug_core::score::Verdict;
use zug_learn::markup::escape;
use zug_learn::report::Page;

/// Games on a page, at most.
pub const MOST: usize = 100;
const STYLE: &str = include_str!("viewer.css");
const SCRIPT: &str = include_str!("viewer.js");
/// What is told of an own move, and whether it is a number.
const HEADS: [(&str, bool); 8] = [
    ("move", false),
    ("score", true),
    ("expected v", true),
    ("foretold reply", false),
    ("reply", false),
    ("difference d", true),
    ("counted", true),
    ("type", false),
];

/// A game to be replayed.
pub struct Replayed {
    /// `fusc-1, game 12: won as white`.
    pub title: String,
    /// More about it.
    pub info: String,
    /// Where it began.
    pub start: Position,
    /// All moves.
    pub moves: Vec<Move>,
    /// The own moves with thoughts, in the order of the game.
    pub thoughts: Vec<Thought>,
}

/// What is told of one own move.
pub struct Thought {
    judged: Judged,
    /// Is it known which reply was foretold, and what the rule about blunders did?
    whole: bool,
    /// The type, by name.
    column: String,
}

impl Thought {
    /// What was judged, with the name of its type.
    pub fn new(judged: Judged, column: impl Fn(usize) -> String) -> Thought {
        let name = judged.column.map_or("none: proven".to_string(), column);
        Thought { judged, whole: true, column: name }
    }
}

/// Hundredths of a pawn, or a proven result.
fn score_text(score: Score) -> String {
    match score.verdict() {
        Verdict::Estimate(e) => format!("{e:+}").replace("+0", "0"),
        _ => score.to_string(),
    }
}

/// The texts of a thought after its move.
fn cells(game: &Replayed, positions: &[Position], thought: &Thought) -> [String; 7] {
    let judged = &thought.judged;
    let after = positions.get(judged.ply + 1);
    let reply = |text: &String| {
        let at = after?;
        uci::parse(at, text).ok().map(|mv| san::write(at, mv))
    };
    let foretold = match (&judged.reply, thought.whole) {
        (_, false) => "not kept".to_string(),
        (None, _) => "none".to_string(),
        (Some(text), _) => reply(text).unwrap_or_else(|| text.clone()),
    };
    let answer = match (game.moves.get(judged.ply + 1).zip(after), judged.came) {
        (None, _) => "the game is over".to_string(),
        (Some((&mv, at)), true) => format!("{}, as foretold", san::write(at, mv)),
        (Some((&mv, at)), false) => san::write(at, mv),
    };
    let counted = match (thought.whole, judged.kept == judged.difference) {
        (false, _) => "not kept".to_string(),
        (_, true) => "whole".to_string(),
        _ if judged.kept == 0.0 => "dropped".to_string(),
        _ => signed(judged.kept),
    };
    [
        score_text(Score(judged.score)),
        signed(judged.value),
        foretold,
        answer,
        signed(judged.difference),
        counted,
        thought.column.clone(),
    ]
}

/// Three digits, and a plus.
fn signed(value: f64) -> String {
    let digits = if value.abs() >= 10.0 { 0 } else { 3 };
    let text = format!("{value:+.digits$}");
    if text.trim_start_matches(['+', '-']).chars().all(|c| "0.".contains(c)) {
        return "0".to_string();
    }
    text
}

/// A board as 64 letters, a1 first.
fn letters(position: &Position) -> String {
    Square::ALL.into_iter().map(|square| letter(position, square)).collect()
}

fn letter(position: &Position, square: Square) -> char {
    let board = position.board();
    match (board.piece_on(square), board.color_on(square)) {
        (Some(piece), Some(Color::White)) => char::from(piece).to_ascii_uppercase(),
        (Some(piece), _) => char::from(piece),
        _ => '-',
    }
}

impl Replayed {
    fn positions(&self) -> Vec<Position> {
        let mut all = vec![self.start.clone()];
        for &mv in &self.moves {
            let mut next = all[all.len() - 1].clone();
            next.play(mv);
            all.push(next);
        }
        all
    }

    /// Half-moves before the game, for numbering.
    fn before(&self) -> usize {
        let moves = usize::from(self.start.move_number()).saturating_sub(1);
        2 * moves + usize::from(self.start.color() == Color::Black)
    }

    fn data(&self) -> Json {
        let positions = self.positions();
        let change = |ply: usize| -> String {
            let (before, after) = (&positions[ply], &positions[ply + 1]);
            (Square::ALL.into_iter())
                .filter(|&s| letter(before, s) != letter(after, s))
                .map(|s| format!("{s}{}", letter(after, s)))
                .collect()
        };
        let moves: Vec<String> = (self.moves.iter().enumerate())
            .map(|(ply, &mv)| format!("{} {}", san::write(&positions[ply], mv), change(ply)))
            .collect();
        let thoughts: Vec<Json> = (self.thoughts.iter())
            .map(|t| {
                let texts = cells(self, &positions, t).map(Json::from);
                std::iter::once(json!(t.judged.ply)).chain(texts).collect()
            })
            .collect();
        json!({
            "t": self.title,
            "i": self.info,
            "b": letters(&self.start),
            "n": self.before(),
            "m": moves,
            "s": thoughts,
        })
    }
}

/// Adds games to a page, the one that is open first at their head; nothing where there are none.
/// `values` says what v is.
pub fn add(page: &mut Page, games: &[Replayed], values: &str) {
    let Some(first) = games.first() else { return };
    let positions = first.positions();
    let mut out = format!("<div class=\"rg\"><style>{}</style>", STYLE.replace('\n', ""));
    out.push_str(
        "<p hidden=\"hidden\"><label>Game <select class=\"gs\"></select></label></p>\
         <p hidden=\"hidden\"><button title=\"first\">|◀</button><button title=\"back\">◀</button>\
         <button title=\"forward\">▶</button><button title=\"last\">▶|</button> \
         <span class=\"at\"></span></p>",
    );
    let _ = write!(out, "<p class=\"info\">{}: {}</p>", escape(&first.title), escape(&first.info));
    out.push_str("<div class=\"two\">");
    out.push_str(&board(&positions[positions.len() - 1]));
    out.push_str(
        "<dl class=\"now\" hidden=\"hidden\"><dt>move</dt><dd></dd><dt>whose</dt><dd></dd>",
    );
    for (head, _) in &HEADS[1..] {
        let _ = write!(out, "<dt>{head}</dt><dd></dd>");
    }
    out.push_str("</dl></div><div class=\"scroll moves\"><table><thead><tr>");
    let class = |number: bool| if number { " class=\"number\"" } else { "" };
    for (head, number) in HEADS {
        let _ = write!(out, "<th{}>{head}</th>", class(number));
    }
    out.push_str("</tr></thead><tbody class=\"mv\">");
    for thought in &first.thoughts {
        let ply = thought.judged.ply;
        let Some((&mv, at)) = first.moves.get(ply).zip(positions.get(ply)) else { continue };
        let number = (first.before() + ply) / 2 + 1;
        let dots = if at.color() == Color::White { ". " } else { "… " };
        let name = format!("{number}{dots}{}", san::write(at, mv));
        let texts = std::iter::once(name).chain(cells(first, &positions, thought));
        out.push_str("<tr>");
        for (text, (_, number)) in texts.zip(HEADS) {
            let _ = write!(out, "<td{}>{}</td>", class(number), escape(&text));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div></div>");
    page.drawing(
        &out,
        &format!(
            "Scores are in hundredths of a pawn, for the learner. {values} The difference d is what \
             came of v until the learner's next move (at the end, until the result); a rise that \
             the learner had not foretold may be a blunder of the opponent, and is dropped. The \
             type is that of the leaf of the variation, whose weights are moved."
        ),
    );
    let right: Vec<bool> = HEADS.iter().map(|(_, number)| *number).collect();
    let games: Vec<Json> = games.iter().map(Replayed::data).collect();
    page.data("learned-games", &json!({ "right": right, "games": games }));
    page.script(SCRIPT);
}

fn board(position: &Position) -> String {
    let mut out = String::from("<div class=\"bd\">");
    for rank in (0..8).rev() {
        let _ = write!(out, "<span>{}</span>", rank + 1);
        for file in 0..8 {
            let man = letter(position, Square::index(rank * 8 + file));
            let glyph = match man.to_ascii_uppercase() {
                'K' => "♚",
                'Q' => "♛",
                'R' => "♜",
                'B' => "♝",
                'N' => "♞",
                'P' => "♟\u{FE0E}",
                _ => "",
            };
            let dark = if (file + rank) % 2 == 0 { "d" } else { "" };
            let white = if man.is_ascii_uppercase() { " w" } else { "" };
            let _ = write!(out, "<i class=\"{dark}{white}\">{glyph}</i>");
        }
    }
    out.push_str("<span></span>");
    for file in 'a'..='h' {
        let _ = write!(out, "<span class=\"f\">{file}</span>");
    }
    out.push_str("</div>");
    out
}

/// What v is, in words.
pub fn values(rule: &Rule) -> String {
    match rule.squash {
        Squash::Tanh { .. } => {
            "What the learner expects, v, lies between −1 (lost) and 1 (won).".to_string()
        }
        Squash::Raw { reward } => format!(
            "What the learner expects, v, is the score in hundredths of a pawn; a won game counts \
             {reward}."
        ),
    }
}

/// The games of an experiment that are shown: the newest, and those that moved the weights most.
fn chosen(rows: &[GameRow], most: usize) -> BTreeSet<u64> {
    let mut learned: Vec<&GameRow> = rows.iter().filter(|r| r.learned()).collect();
    let newest = learned.iter().rev().take(most.div_ceil(2)).map(|r| r.game);
    let mut all: BTreeSet<u64> = newest.collect();
    learned.sort_by(|a, b| b.total.total_cmp(&a.total).then(b.game.cmp(&a.game)));
    for row in learned {
        if all.len() < most {
            all.insert(row.game);
        }
    }
    all
}

/// The games of an experiment that are worth replaying, at most so many, the newest first; and why
/// there are no more where the file of games cannot be read.
pub fn of_experiment(
    experiment: &ExperimentResult,
    rule: &Rule,
    column: &dyn Fn(usize) -> String,
    most: usize,
) -> (Vec<Replayed>, Option<String>) {
    let wanted = chosen(&experiment.rows, most);
    let path = experiment.folder.join(GAMES);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) => return (Vec::new(), Some(format!("{}: {error}", path.display()))),
    };
    let (mut found, mut failed) = (Vec::new(), None);
    for game in Reader::new(BufReader::new(file)).main_lines_only() {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                failed = Some(format!("{}: {error}", path.display()));
                break;
            }
        };
        let number: Option<u64> = game.tag("Round").and_then(|n| n.parse().ok());
        let Some(number) = number.filter(|n| wanted.contains(n)) else { continue };
        let Some(row) = experiment.rows.iter().find(|r| r.game == number) else { continue };
        found.push(of_row(&experiment.name, row, &game, rule, column));
    }
    found.reverse();
    (found, failed)
}

fn of_row(
    experiment: &str,
    row: &GameRow,
    game: &PgnGame,
    rule: &Rule,
    column: &dyn Fn(usize) -> String,
) -> Replayed {
    let points = ["lost", "drawn", "won"][row.half_points.min(2)];
    let mut thoughts: Vec<Thought> = (row.sides.iter())
        .flat_map(|side: &SideRow| &side.judged)
        .map(|judged| Thought::new(judged.clone(), column))
        .collect();
    if thoughts.is_empty() {
        thoughts = of_comments(row, game, rule);
    }
    thoughts.sort_by_key(|t| t.judged.ply);
    Replayed {
        title: format!("{experiment}, game {}: {points} as {}", row.game, row.own),
        info: format!(
            "Against {}, {} plies, {}; {} replies foretold, {} differences dropped, {} weights \
             moved, by {:.1} hundredths of a pawn in sum, {:.2} at most.",
            row.opponent,
            row.plies,
            row.reason,
            row.predicted,
            row.dropped,
            row.moved,
            row.total,
            row.largest
        ),
        start: game.start.clone(),
        moves: game.main.moves.iter().map(|m| m.mv).collect(),
        thoughts,
    }
}

/// The thoughts of a run that kept the scores alone, in the comments of its games.
fn of_comments(row: &GameRow, game: &PgnGame, rule: &Rule) -> Vec<Thought> {
    let own = if row.own == color_word(Color::White) { Color::White } else { Color::Black };
    let first = game.start.color();
    let mut found: Vec<(usize, Score)> = Vec::new();
    for (ply, mv) in game.main.moves.iter().enumerate() {
        let color = if ply % 2 == 0 { first } else { !first };
        let score = mv.comments.iter().find_map(|text| read_score(text));
        if let Some(score) = score.filter(|_| color == own) {
            found.push((ply, if own == Color::White { score } else { -score }));
        }
    }
    let value = |score: Score| {
        rule.squash.value(match score.verdict() {
            Verdict::Estimate(e) => Value::Estimate(f64::from(e)),
            Verdict::WonIn(_) | Verdict::WonBy(_) => Value::Proven(1.0),
            Verdict::LostIn(_) | Verdict::LostBy(_) => Value::Proven(-1.0),
        })
    };
    let end = match row.half_points {
        1 => rule.squash.value(Value::Estimate(rule.draw)),
        half => rule.squash.value(Value::Proven(half as f64 - 1.0)),
    };
    let next = found.iter().skip(1).map(|(_, s)| value(*s)).chain([end]);
    (found.iter().zip(next))
        .map(|(&(ply, score), next)| {
            let (reply, came, value) = (None, false, value(score));
            let (difference, kept) = (next - value, next - value);
            let (score, column) = (score.0, None);
            let judged = Judged { ply, score, reply, came, value, difference, kept, column };
            Thought { judged, whole: false, column: "not kept".to_string() }
        })
        .collect()
}

/// A score as [`Score`] writes it.
fn read_score(text: &str) -> Option<Score> {
    if let Some(plies) = text.strip_prefix("won in ") {
        return plies.parse().ok().filter(|&n| n <= 9999).map(Score::won_in);
    }
    if let Some(plies) = text.strip_prefix("lost in ") {
        return plies.parse().ok().filter(|&n| n <= 9999).map(Score::lost_in);
    }
    let pawns: f64 = text.parse().ok().filter(|p: &f64| p.abs() < 4000.0)?;
    Some(Score::estimate((pawns * 100.0).round() as i32))
}

#[cfg(test)]
mod tests;

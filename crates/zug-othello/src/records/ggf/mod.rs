//! GGF: games of the Generic Game Server, and what NBoard and its engines exchange.
//!
//! ```text
//! 1 (;GM[Othello]PC[GGS/os]PB[ada]PW[grace]RE[+4.00]TI[05:00//02:00]TY[8]
//!    BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
//!    B[f5/+0.30/1.20]W[d6//0.01]…;)
//! ```
//!
//! A game is a list of properties between `(;` and `;)`; a move may carry an evaluation and a time.
//! In a file of the server each line has a number before its games: 1, or 2 for a pair of games
//! played at the same time with colours swapped. Both forms are read. In a [`Record`]:
//!
//! | property | tag | | property | tag |
//! |---|---|---|---|---|
//! | `PC` | Site | | `RB`, `RW` | BlackElo, WhiteElo |
//! | `DT` | Date, Time | | `TI` | TimeControl |
//! | `PB`, `PW` | Black, White | | `TY` | Variant |
//!
//! Ours, for games of the tournament base: `EV` Event, `EVN`, `BN`, `WN` the numbers of event and
//! players, `BS`, `BSE` BestScore and BestScoreEmpties (see [`wthor`](super::wthor)).
//!
//! The letter after a result (`r`, `t`, `s`) is the tag Termination ("resigned", "time forfeit",
//! "agreed"), a game of a pair has the tag Pair ("1/2", "2/2"), evaluation and time of a move are
//! its comment ("eval +0.30, time 1.20"), and other properties are tags under their own name. Text
//! that is not UTF-8 is taken for Latin-1.

mod scan;
mod write;

use super::{StreamError, from_latin1};
use crate::{Move, Othello, Position};
use scan::{Property, RawGame, Scanner};
use std::io::{self, BufRead};
use zug_core::record::RecordSink;
use zug_core::{Game, Outcome, Record, RecordError, RecordFormat, RecordMove, Side, TextError};

/// Properties and the tags that they become.
const TAGS: [(&str, &str); 13] = [
    ("PC", "Site"),
    ("PB", "Black"),
    ("PW", "White"),
    ("RB", "BlackElo"),
    ("RW", "WhiteElo"),
    ("TI", "TimeControl"),
    ("TY", "Variant"),
    ("EV", "Event"),
    ("EVN", "EventNumber"),
    ("BN", "BlackNumber"),
    ("WN", "WhiteNumber"),
    ("BS", "BestScore"),
    ("BSE", "BestScoreEmpties"),
];

/// Letters after the result and what they mean.
const TERMINATIONS: [(&str, &str); 3] = [("r", "resigned"), ("t", "time forfeit"), ("s", "agreed")];

/// More properties than this, moves aside, have no place in a game.
const MOST_TAGS: usize = 64;

/// Reads games from a stream, one at a time.
pub struct Reader<R> {
    game: Othello,
    scanner: Scanner<R>,
    games: usize,
}

impl<R: BufRead> Reader<R> {
    /// Reads games of this kind; games on other boards are errors in their place.
    pub fn new(game: Othello, input: R) -> Reader<R> {
        Reader { game, scanner: Scanner::new(input), games: 0 }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        let raw = match self.scanner.next()? {
            Ok(raw) => raw,
            Err(error) => return Some(Err(error)),
        };
        self.games += 1;
        Some(read_game(&self.game, self.games, &raw).map_err(StreamError::from))
    }
}

fn read_game(game: &Othello, number: usize, raw: &RawGame) -> Result<Record, RecordError> {
    let properties = raw.properties()?;
    let text = |p: &Property<'_>| raw.decode(p.value);
    let find = |name: &str| properties.iter().find(|p| p.name == name.as_bytes());
    let unsupported = |what: String| {
        Err(RecordError::Unsupported(format!("game {number}, line {}: {what}", raw.line)))
    };
    if let Some(name) = find("GM").map(text)
        && !name.trim().eq_ignore_ascii_case("othello")
    {
        return unsupported(format!("a game of {}, not of Othello", name.trim()));
    }
    if find("TY").is_some_and(|p| raw.decode(p.value).contains('a')) {
        return unsupported("a game of anti-Othello, which has other rules".to_string());
    }
    let start = match find("BO") {
        None => game.start(),
        Some(property) => match read_board(game, &text(property)) {
            Ok(Ok(start)) => start,
            Ok(Err(size)) => return unsupported(format!("a board of size {size}")),
            Err(error) => return Err(raw.place(property.at + 3 + error.byte, error).into()),
        },
    };
    let mut record = Record {
        game: game.spec(),
        start: (start != game.start()).then(|| game.write_position(&start)),
        ..Record::default()
    };
    let mut position = start;
    for property in &properties {
        match property.name {
            b"B" | b"W" => {
                let side = if property.name == b"B" { Side::First } else { Side::Second };
                let value = text(property);
                read_move(game, &mut position, side, &value, &mut record.moves).map_err(|e| {
                    let error = raw.place(property.at, e);
                    RecordError::Move { game: number, ply: record.moves.len(), error }
                })?;
            }
            b"GM" | b"BO" => {}
            b"RE" => read_result(game, text(property).trim(), &mut record),
            name => {
                if record.tags.len() >= MOST_TAGS {
                    let error = TextError::new(0, "fewer properties", "one more");
                    return Err(raw.place(property.at, error).into());
                }
                read_tag(&from_latin1(name), text(property).trim(), &mut record);
            }
        }
    }
    if let Some((index, count)) = raw.pair {
        record.set_tag("Pair", format!("{index}/{count}"));
    }
    Ok(record)
}

/// Reads `8 -------- … *`; the inner error is a size that is not this game's.
fn read_board(game: &Othello, text: &str) -> Result<Result<Position, String>, TextError> {
    let lead = text.len() - text.trim_start().len();
    let trimmed = text.trim_start();
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let size = &trimmed[..digits];
    if size.is_empty() {
        return Err(TextError::new(lead, "the size of the board", "something else"));
    }
    if size.parse() != Ok(game.size()) {
        return Ok(Err(size.to_string()));
    }
    let board = &trimmed[digits..];
    game.read_position(board).map(Ok).map_err(|e| TextError { byte: e.byte + lead + digits, ..e })
}

/// Reads `f5/+0.30/1.20` and plays it, with the pass that may have been left out before it.
fn read_move(
    game: &Othello,
    position: &mut Position,
    side: Side,
    value: &str,
    moves: &mut Vec<RecordMove>,
) -> Result<(), TextError> {
    let mut parts = value.splitn(3, '/').map(str::trim);
    let mv = game.read_any_move(parts.next().unwrap_or_default())?;
    if mv.is_pass() && game.is_over(position) {
        return Ok(());
    }
    let push = |moves: &mut Vec<RecordMove>, mv: Move, comment| {
        moves.push(RecordMove { text: mv.to_string(), comment });
    };
    if position.to_move() != side && game.is_legal(position, Move::PASS) {
        position.play(Move::PASS);
        push(moves, Move::PASS, None);
    }
    if position.to_move() != side || !game.is_legal(position, mv) {
        let found = format!("'{mv}' of {}", game.side_name(side));
        return Err(TextError::new(0, game.expected_move(position), found));
    }
    position.play(mv);
    let (eval, time) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let remarks = [("eval", eval), ("time", time)];
    let comment: Vec<String> = remarks
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    push(moves, mv, (!comment.is_empty()).then(|| comment.join(", ")));
    Ok(())
}

/// Reads `-12.00` or `+64.00:r`; what is no result leaves it unknown.
fn read_result(game: &Othello, text: &str, record: &mut Record) {
    let (number, flag) = text.split_once(':').unwrap_or((text, ""));
    let most = f32::from(game.size()) * f32::from(game.size());
    if let Ok(lead) = number.trim().parse::<f32>()
        && lead.abs() <= most
    {
        record.result = Outcome::by_points(lead, "as recorded").into();
    }
    if let Some((_, word)) = TERMINATIONS.iter().find(|(letter, _)| *letter == flag.trim()) {
        record.set_tag("Termination", *word);
    }
}

fn read_tag(name: &str, value: &str, record: &mut Record) {
    // A type that is nothing but the size of the board says nothing that the board does not.
    if value.is_empty() || (name == "TY" && value.bytes().all(|b| b.is_ascii_digit())) {
        return;
    }
    if name == "DT" {
        let (date, time) = value.split_once('_').unwrap_or((value, ""));
        record.set_tag("Date", date);
        if !time.is_empty() {
            record.set_tag("Time", time);
        }
        return;
    }
    let known = TAGS.iter().find(|(property, _)| *property == name);
    record.set_tag(known.map_or(name, |(_, tag)| tag), value);
}

/// GGF as a record format.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ggf {
    /// The board.
    pub game: Othello,
}

impl RecordFormat for Ggf {
    fn name(&self) -> &'static str {
        "GGF"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ggf"]
    }

    fn stream(&self, input: &mut dyn BufRead, sink: &mut RecordSink<'_>) -> io::Result<()> {
        super::hand_over(Reader::new(self.game, input), sink)
    }

    fn write(&self, records: &[Record]) -> Result<Vec<u8>, RecordError> {
        write::write(&self.game, records)
    }
}

#[cfg(test)]
mod tests;

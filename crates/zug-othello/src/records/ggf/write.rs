//! Writes games as GGF.

use super::super::moves_of;
use super::{TAGS, TERMINATIONS};
use crate::Othello;
use crate::position::Letters;
use zug_core::{Record, RecordError, RecordResult, Side};

/// One game a line; a pair of games that were played at the same time shares one, with the number
/// of games before it. Tags that GGF has no word for, and remarks other than evaluation and time,
/// are left out.
pub(super) fn write(game: &Othello, records: &[Record]) -> Result<Vec<u8>, RecordError> {
    let mut out = String::new();
    let is_pair = |i: usize| {
        let pair = |i: usize| records.get(i).and_then(|r| r.tag("Pair"));
        pair(i) == Some("1/2") && pair(i + 1) == Some("2/2")
    };
    let mut i = 0;
    while i < records.len() {
        let together = if is_pair(i) { 2 } else { 1 };
        if together == 2 {
            out.push_str("2 ");
        }
        for (n, record) in records[i..i + together].iter().enumerate() {
            write_game(game, i + n + 1, record, &mut out)?;
        }
        out.push('\n');
        i += together;
    }
    Ok(out.into_bytes())
}

fn write_game(
    game: &Othello,
    number: usize,
    record: &Record,
    out: &mut String,
) -> Result<(), RecordError> {
    let (start, moves) = moves_of(game, number, record)?;
    let mut property = |name: &str, value: &str| {
        let clean = |c: char| match c {
            '[' => '(',
            ']' => ')',
            c if c.is_control() => ' ',
            c => c,
        };
        out.push_str(name);
        out.push('[');
        out.extend(value.chars().map(clean));
        out.push(']');
    };
    let tag = |name: &str| record.tag(name).unwrap_or_default();
    property("(;GM", "Othello");
    property("PC", tag("Site"));
    match (tag("Date"), tag("Time")) {
        ("", _) => {}
        (date, "") => property("DT", date),
        (date, time) => property("DT", &format!("{date}_{time}")),
    }
    let size = game.size().to_string();
    for (name, word) in TAGS.iter().skip(1) {
        match (*name, tag(word)) {
            ("TY", "") => property("TY", &size),
            ("PB" | "PW", value) => property(name, value),
            (_, "") => {}
            (name, value) => property(name, value),
        }
    }
    for (name, value) in &record.tags {
        if is_own_name(name) {
            property(name, value);
        }
    }
    property("RE", &result_text(game, record));
    let letters = Letters { black: '*', ..Letters::default() };
    let side = match start.to_move() {
        Side::First => '*',
        Side::Second => 'O',
    };
    property("BO", &format!("{size} {} {side}", start.write_squares(game.size(), letters)));
    let mut position = start;
    for (mv, recorded) in moves.iter().zip(&record.moves) {
        let name = match position.to_move() {
            Side::First => "B",
            Side::Second => "W",
        };
        position.play(*mv);
        let square = if mv.is_pass() { "PA".into() } else { mv.to_string().to_uppercase() };
        let (eval, time) = remarks(recorded.comment.as_deref().unwrap_or_default());
        property(
            name,
            &match (eval, time) {
                ("", "") => square,
                (eval, "") => format!("{square}/{eval}"),
                (eval, time) => format!("{square}/{eval}/{time}"),
            },
        );
    }
    out.push_str(";)");
    Ok(())
}

/// Is this tag a property of GGF under its own name?
fn is_own_name(name: &str) -> bool {
    (2..=4).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_uppercase())
        && !["GM", "DT", "RE", "BO"].contains(&name)
        && !TAGS.iter().any(|(property, _)| *property == name)
}

/// Black's lead; a win without a margin is stated as one by all squares, as the server does.
fn result_text(game: &Othello, record: &Record) -> String {
    let all = f32::from(game.size()) * f32::from(game.size());
    let lead = match record.result {
        RecordResult::Unknown => return "?".to_string(),
        RecordResult::Known { winner: None, .. } => 0.0,
        RecordResult::Known { winner: Some(Side::First), margin } => margin.unwrap_or(all),
        RecordResult::Known { winner: Some(Side::Second), margin } => -margin.unwrap_or(all),
    };
    let reason = TERMINATIONS.iter().find(|(_, word)| record.tag("Termination") == Some(word));
    match reason {
        Some((letter, _)) => format!("{lead:+.2}:{letter}"),
        None => format!("{lead:+.2}"),
    }
}

/// Evaluation and time out of a remark, where it has them.
fn remarks(comment: &str) -> (&str, &str) {
    let (mut eval, mut time) = ("", "");
    for part in comment.split(", ") {
        if let Some(value) = part.strip_prefix("eval ") {
            eval = value;
        } else if let Some(value) = part.strip_prefix("time ") {
            time = value;
        }
    }
    // A slash would be read as the end of the value.
    if eval.contains('/') { ("", time) } else { (eval, time) }
}

//! The types of all positions in the games of the thesis, against counts worked out once.

use crate::types::{THESIS_TYPES, Zones, text_number, thesis_type};
use crate::{Pgn, Position, uci};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use zug_core::RecordFormat;

/// Positions after every ply of the eleven games, by the text number of their type; all other types
/// do not occur.
const PLIES: [(u8, usize); 14] = [
    (28, 298),
    (23, 163),
    (27, 122),
    (7, 62),
    (20, 43),
    (24, 21),
    (12, 20),
    (1, 15),
    (11, 13),
    (31, 10),
    (13, 9),
    (29, 8),
    (19, 5),
    (9, 2),
];

/// Games in which a type occurs, by its text number.
const GAMES: [(u8, usize); 4] = [(23, 11), (27, 8), (28, 7), (1, 3)];

/// Classifies every position of `fusc_thesis_games.pgn`; tells what does not agree.
pub fn thesis_types(file: &Path, out: &mut dyn Write) -> io::Result<Vec<String>> {
    let (mut plies, mut games) = ([0; THESIS_TYPES + 1], [0; THESIS_TYPES + 1]);
    let mut wrong = Vec::new();
    for (number, record) in Pgn.read(&fs::read(file)?).into_iter().enumerate() {
        let record = match record {
            Ok(record) => record,
            Err(e) => {
                wrong.push(format!("game {}: {e}", number + 1));
                continue;
            }
        };
        let mut seen = [false; THESIS_TYPES + 1];
        let mut position = Position::start();
        for mv in &record.moves {
            match uci::parse(&position, &mv.text) {
                Ok(mv) => position.play(mv),
                Err(e) => {
                    wrong.push(format!("game {}: {e}", number + 1));
                    break;
                }
            }
            let code = thesis_type(position.board(), &Zones::default());
            let text = usize::from(text_number(code));
            plies[text] += 1;
            // The first position of a game counts for the game as those after its plies do.
            if !std::mem::replace(&mut seen[text], true) {
                games[text] += 1;
            }
        }
    }
    let of = |list: &[(u8, usize)], number: usize| {
        list.iter().find(|e| usize::from(e.0) == number).map_or(0, |e| e.1)
    };
    for (number, &found) in plies.iter().enumerate().skip(1) {
        let expected = of(&PLIES, number);
        if found != expected {
            wrong.push(format!("type {number}: {found} plies, expected {expected}"));
        }
    }
    for (number, expected) in GAMES {
        let found = games[usize::from(number)];
        if found != expected {
            wrong.push(format!("type {number}: in {found} games, expected {expected}"));
        }
    }
    let all: usize = plies.iter().sum();
    writeln!(out, "{}: {all} plies classified, {} differ", file.display(), wrong.len())?;
    for line in &wrong {
        writeln!(out, "  {line}")?;
    }
    Ok(wrong)
}

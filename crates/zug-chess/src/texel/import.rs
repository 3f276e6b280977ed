//! Examples from what others have played and labelled: games in PGN, positions in EPD.

use super::quiet;
use super::record::{Example, GameResult};
use crate::engine::Eye;
use crate::pgn::{self, PgnError};
use crate::{Position, epd};
use cozy_chess::Color;
use std::io::BufRead;
use zug_core::seed::RngExt;
use zug_core::{RecordError, RecordResult, Side, TextError, rng};

/// Which positions of games become examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// So many plies at the beginning are left out.
    pub skip: usize,
    /// The share of the other positions that is taken.
    pub share: f64,
    /// The seed of the choice.
    pub seed: u64,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice { skip: 12, share: 1.0, seed: 1 }
    }
}

/// What was read, and what was not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Sound games, or positions.
    pub read: u64,
    /// Games or positions without a result.
    pub without_result: u64,
    /// Positions that were not quiet.
    pub loud: u64,
    /// Examples made.
    pub examples: u64,
    /// What was broken, each with its place.
    pub broken: Vec<String>,
    /// How many were broken.
    pub broken_count: u64,
}

/// So many broken games are told one by one.
const TOLD: usize = 1000;

impl Tally {
    /// Why there is no example in what was read.
    #[must_use]
    pub fn nothing(&self) -> String {
        let mut text = "there is no example in these files".to_string();
        if let Some(why) = self.broken.first() {
            text.push_str(&format!(" ({why})"));
        }
        if self.without_result > 0 {
            text.push_str(&format!(
                "; without a result: {} of {} read (a position needs one, such as c9 \"1-0\")",
                self.without_result, self.read
            ));
        }
        text
    }

    fn breaks(&mut self, why: String) {
        self.broken_count += 1;
        if self.broken.len() < TOLD {
            self.broken.push(why);
        }
    }
}

/// Makes examples of the games of a stream. `name` is the file, for messages; `first` the number of
/// the first game; the sink may fail. Broken games are counted and left out; where the stream itself
/// breaks, that is told like a broken game and nothing more is read.
pub fn games<E>(
    name: &str,
    input: impl BufRead,
    choice: &Choice,
    first: u32,
    eye: &mut impl Eye,
    tally: &mut Tally,
    sink: &mut dyn FnMut(&Example) -> Result<(), E>,
) -> Result<u32, E> {
    let mut reader = pgn::Reader::new(input).main_lines_only();
    let mut number = first;
    while let Some(game) = reader.next() {
        number = number.wrapping_add(1);
        let game = match game {
            Ok(game) => game,
            Err(PgnError::Io(error)) => {
                tally.breaks(format!("{name}: after game {}: {error}", reader.games()));
                break;
            }
            Err(PgnError::Game(error @ RecordError::Move { .. })) => {
                tally.breaks(format!("{name}: {error}"));
                continue;
            }
            Err(PgnError::Game(error)) => {
                tally.breaks(format!("{name}: game {}: {error}", reader.games()));
                continue;
            }
        };
        tally.read += 1;
        let Some(result) = result_of(&game.result) else {
            tally.without_result += 1;
            continue;
        };
        let mut rng = rng(choice.seed, u64::from(number));
        for (ply, position) in game.positions().enumerate() {
            let chosen = choice.share >= 1.0 || rng.random_bool(choice.share.max(0.0));
            if ply < choice.skip || !chosen {
                continue;
            }
            take(&position, result, None, number, eye, tally, sink)?;
        }
    }
    Ok(number)
}

fn result_of(result: &RecordResult) -> Option<GameResult> {
    match result {
        RecordResult::Unknown => None,
        RecordResult::Known { winner, .. } => Some(GameResult::of_winner(winner.map(color_of))),
    }
}

fn color_of(side: Side) -> Color {
    match side {
        Side::First => Color::White,
        Side::Second => Color::Black,
    }
}

fn take<E>(
    position: &Position,
    result: GameResult,
    score: Option<i16>,
    game: u32,
    eye: &mut impl Eye,
    tally: &mut Tally,
    sink: &mut dyn FnMut(&Example) -> Result<(), E>,
) -> Result<(), E> {
    if !position.has_moves() || !quiet::is_quiet(position.board(), eye) {
        tally.loud += 1;
        return Ok(());
    }
    let mut board = position.board().clone();
    board.set_fullmove_number(1);
    tally.examples += 1;
    sink(&Example { board, result, score, game })
}

/// Makes examples of the positions of a stream, one a line, each with a result: `c9 "1-0"`,
/// `c0 "1/2-1/2"`, `[1.0]`, or the result alone after the position. A score may follow as `ce`
/// (hundredths of a pawn for the side to move). Every position is a game of its own.
pub fn positions<E>(
    name: &str,
    mut input: impl BufRead,
    first: u32,
    eye: &mut impl Eye,
    tally: &mut Tally,
    sink: &mut dyn FnMut(&Example) -> Result<(), E>,
) -> Result<u32, E> {
    let mut number = first;
    let mut line = Vec::new();
    for at in 1.. {
        line.clear();
        match read_line(&mut input, &mut line) {
            Ok(false) => break,
            Ok(true) => {}
            Err(error) => {
                tally.breaks(format!("{name}: line {at}: {error}"));
                break;
            }
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        number = number.wrapping_add(1);
        match labelled(text) {
            Err(error) => tally.breaks(format!("{name}: line {at}: {error}")),
            Ok((_, None, _)) => {
                tally.read += 1;
                tally.without_result += 1;
            }
            Ok((position, Some(result), score)) => {
                tally.read += 1;
                take(&position, result, score, number, eye, tally, sink)?;
            }
        }
    }
    Ok(number)
}

/// The longest line of a position.
const LONGEST_LINE: usize = 4096;

/// Reads a line; of one that is too long only the beginning.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = buffer.iter().position(|&b| b == b'\n');
        let used = end.map_or(buffer.len(), |i| i + 1);
        let room = LONGEST_LINE.saturating_sub(line.len());
        line.extend_from_slice(&buffer[..used.min(room)]);
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Reads a position with its label: the result, and the score of a search for White.
pub fn labelled(text: &str) -> Result<(Position, Option<GameResult>, Option<i16>), TextError> {
    // The brackets of `[0.5]` are no EPD.
    if let Some((front, back)) = text.split_once('[') {
        let inside = back.split(']').next().unwrap_or_default().trim();
        let position = crate::fen::parse(front.trim().trim_end_matches([';', ',']).trim_end())?;
        let result = parse_result(inside).ok_or_else(|| {
            let expected = "a result such as 1.0, 0.5 or 0.0 in brackets";
            TextError::new(front.len(), expected, format!("'{}'", zug_core::error::shorten(inside)))
        })?;
        return Ok((position, Some(result), None));
    }
    let epd = epd::parse(text)?;
    let mut result = None;
    for operation in &epd.operations {
        let known = matches!(operation.opcode.as_str(), "c9" | "c0" | "c1" | "result" | "res");
        let words = operation.operands.iter().map(epd::Operand::as_str);
        if known && result.is_none() {
            result = words.clone().find_map(parse_result);
        }
        result = result.or_else(|| parse_result(&operation.opcode));
    }
    let score = epd.number("ce").and_then(|score| {
        let score =
            if epd.position.color() == Color::White { score } else { score.checked_neg()? };
        Some(score.clamp(-32_000, 32_000) as i16)
    });
    Ok((epd.position, result, score))
}

/// Reads White's result.
fn parse_result(text: &str) -> Option<GameResult> {
    match text.trim().trim_end_matches(';') {
        "1-0" | "1.0" | "1" => Some(GameResult::Won),
        "0-1" | "0.0" | "0" => Some(GameResult::Lost),
        "1/2-1/2" | "1/2" | "0.5" => Some(GameResult::Drawn),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HandMade;
    use std::convert::Infallible;

    fn read_games(text: &str, choice: &Choice) -> (Vec<Example>, Tally) {
        let (mut found, mut tally) = (Vec::new(), Tally::default());
        let mut sink = |e: &Example| {
            found.push(e.clone());
            Ok::<(), Infallible>(())
        };
        games("a.pgn", text.as_bytes(), choice, 0, &mut HandMade, &mut tally, &mut sink).unwrap();
        (found, tally)
    }

    const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 1-0\n\n\
        [White \"B\"]\n\n1. e4 Ke7 0-1\n\n[White \"C\"]\n\n1. d4 d5 *\n\n\
        [White \"D\"]\n\n1. d4 d5 2. c4 e6 0-1\n";

    #[test]
    fn quiet_positions_of_sound_games_become_examples_and_broken_ones_are_told() {
        let choice = Choice { skip: 1, ..Choice::default() };
        let (found, tally) = read_games(GAMES, &choice);
        assert_eq!((tally.read, tally.without_result, tally.broken_count), (3, 1, 1));
        assert!(tally.broken[0].starts_with("a.pgn: game 2, ply 1:"), "{:?}", tally.broken);
        assert_eq!(tally.examples as usize, found.len());
        assert!(tally.loud > 0, "after 4. Bxc6 a bishop can be taken");
        assert!(found.iter().all(|e| e.score.is_none()));
        let of_game = |n| found.iter().filter(|e| e.game == n).collect::<Vec<_>>();
        assert!(of_game(1).iter().all(|e| e.result == GameResult::Won) && of_game(1).len() > 3);
        assert!(of_game(4).iter().all(|e| e.result == GameResult::Lost) && of_game(4).len() > 1);
        let few = read_games(GAMES, &Choice { share: 0.4, ..choice.clone() });
        assert!(few.0.len() < found.len());
        assert_eq!(few, read_games(GAMES, &Choice { share: 0.4, ..choice }));
    }

    #[test]
    fn positions_are_read_with_every_usual_label() {
        let fen = "8/5k2/8/8/3K4/8/4P3/8 w - -";
        for (label, result) in [
            ("c9 \"1-0\";", Some(GameResult::Won)),
            ("c0 \"1/2-1/2\";", Some(GameResult::Drawn)),
            ("id \"x\"; c9 \"0-1\";", Some(GameResult::Lost)),
            ("0 1 [0.5]", Some(GameResult::Drawn)),
            ("0 1; [1.0]", Some(GameResult::Won)),
            ("bm e4;", None),
        ] {
            let found = labelled(&format!("{fen} {label}")).unwrap();
            assert_eq!(found.1, result, "{label}");
        }
        let scored = labelled("8/5k2/8/8/3K4/8/4P3/8 b - - c9 \"1-0\"; ce -120;").unwrap();
        assert_eq!(scored.2, Some(120), "for White");
        assert!(labelled("8/5k2/8 w - - [0.5]").is_err());
        assert!(labelled("8/5k2/8/8/3K4/8/4P3/8 w - - 0 1 [win]").is_err());
    }

    #[test]
    fn broken_lines_are_told_with_their_numbers_and_the_rest_is_read() {
        let text = "# a list\n8/5k2/8/8/3K4/8/4P3/8 w - - c9 \"1-0\";\nrubbish\n\
                    8/5k2/8/8/3K4/8/4P3/8 b - - c9 \"1-0\";\n";
        let (mut found, mut tally) = (Vec::new(), Tally::default());
        let mut sink = |e: &Example| {
            found.push(e.game);
            Ok::<(), Infallible>(())
        };
        let last = positions("b.epd", text.as_bytes(), 10, &mut HandMade, &mut tally, &mut sink);
        assert_eq!((last, found), (Ok(13), vec![11, 13]));
        assert!(tally.broken[0].starts_with("b.epd: line 3:"), "{:?}", tally.broken);
    }
}

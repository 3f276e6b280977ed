//! Which position do lines of the Go Text Protocol lead to?
//!
//! What a controller would send to an engine is read from a file: `boardsize`, `clear_board`, `komi`,
//! `play`, `undo`, `fixed_handicap`, `set_free_handicap`, `loadsgf FILE [MOVE]`. `genmove COLOUR` says who
//! is to move; the answer is what we are asked for, so nothing but questions may follow. Commands that
//! change no board are passed over, others are refused with their line.

use super::story::Story;
use crate::point::{MAX_SIZE, MIN_SIZE, Move, Point, read_move};
use crate::position::{Position, read_side};
use crate::rules::handicap_points;
use zug_core::error::shorten;
use zug_core::{Side, TextError};

/// Commands that ask or set what has nothing to do with the stones.
const IDLE: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "komi",
    "time_settings",
    "time_left",
    "showboard",
    "final_score",
    "final_status_list",
    "kgs-time_settings",
    "kgs-game_over",
    "kgs-rules",
    "reg_genmove",
    "gogui-rules_board",
];

/// No game is longer; checking takes the square of it.
const MOST_MOVES: usize = 2000;

/// A line that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct LineError {
    /// From 1 on.
    pub line: usize,
    /// What is wrong with it.
    pub error: TextError,
}

/// How `loadsgf` gets at a file: its name and a move number give a story up to there.
pub type Load<'a> = dyn Fn(&str, Option<usize>) -> Result<Story, String> + 'a;

/// Follows all lines.
pub fn follow(text: &str, load: &Load<'_>) -> Result<Story, LineError> {
    let mut board = Board::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if words.first().is_some_and(|w| w.bytes().all(|b| b.is_ascii_digit())) {
            words.remove(0);
        }
        let Some((&command, rest)) = words.split_first() else { continue };
        if command == "quit" {
            break;
        }
        board.obey(command, rest, load).map_err(|error| LineError { line: i + 1, error })?;
    }
    Ok(board.story)
}

struct Board {
    story: Story,
    /// Has a move been asked for?
    asked: bool,
}

fn bad(expected: &str, found: &str) -> TextError {
    let found =
        if found.is_empty() { "nothing".to_string() } else { shorten(&format!("'{found}'")) };
    TextError::new(0, expected, found)
}

impl Board {
    fn new() -> Board {
        Board { story: Story::bare(Position::new(MAX_SIZE)), asked: false }
    }

    fn obey(&mut self, command: &str, rest: &[&str], load: &Load<'_>) -> Result<(), TextError> {
        if IDLE.contains(&command) {
            return Ok(());
        }
        let word = |i: usize| rest.get(i).copied().unwrap_or_default();
        match command {
            "boardsize" => {
                let size = word(0).parse().ok().filter(|s| (MIN_SIZE..=MAX_SIZE).contains(s));
                let size = size.ok_or_else(|| bad("a board size from 2 to 19", word(0)))?;
                self.story = Story::bare(Position::new(size));
                self.asked = false;
            }
            "clear_board" => {
                self.story = Story::bare(Position::new(self.story.size()));
                self.asked = false;
            }
            "loadsgf" => {
                let number = match word(1) {
                    "" => None,
                    n => Some(n.parse().map_err(|_| bad("a move number", n))?),
                };
                if word(0).is_empty() {
                    return Err(bad("the name of a file", ""));
                }
                self.story = load(word(0), number).map_err(|e| bad("a file with a game", &e))?;
                self.asked = false;
            }
            _ if self.asked => return Err(bad("no change of the board after 'genmove'", command)),
            "genmove" => {
                self.story.asked = Some(side(word(0))?);
                self.asked = true;
            }
            "play" => {
                let (side, mv) = (side(word(0))?, read_move(word(1), self.story.size())?);
                if self.story.moves.len() == MOST_MOVES {
                    return Err(bad(&format!("at most {MOST_MOVES} moves"), "another"));
                }
                let at = match mv {
                    Move::Play(p) => Some(p),
                    Move::Pass => None,
                };
                self.story.moves.push((side, at));
                self.check()?;
            }
            "undo" => {
                self.story.moves.pop().ok_or_else(|| bad("a move to take back", ""))?;
            }
            "fixed_handicap" => {
                let stones = word(0).parse().unwrap_or(0);
                let points = handicap_points(self.story.size(), stones);
                let expected = "a number of handicap stones that the board has points for";
                self.handicap(&points.ok_or_else(|| bad(expected, word(0)))?)?;
            }
            "set_free_handicap" => {
                let points: Vec<Point> = rest
                    .iter()
                    .map(|w| crate::point::read_point(w, self.story.size()))
                    .collect::<Result<_, _>>()?;
                self.handicap(&points)?;
            }
            _ => return Err(bad("a command of the Go Text Protocol that sets up a game", command)),
        }
        Ok(())
    }

    /// Checks all moves again: a file has a few hundred.
    fn check(&self) -> Result<(), TextError> {
        self.story.at(None).map_err(|e| bad("a legal move", &e.to_string()))?;
        Ok(())
    }

    fn handicap(&mut self, points: &[Point]) -> Result<(), TextError> {
        let size = self.story.size();
        if !self.story.moves.is_empty() || self.story.start.board().empty_count() < size * size {
            return Err(bad("handicap on an empty board", "stones"));
        }
        let stones = points.iter().map(|&p| (p, Side::First));
        let board = crate::board::Board::with_stones(size, stones)
            .map_err(|p| bad("different points with liberties", &p.name(size)))?;
        self.story.start = Position::from_board(board, Side::Second);
        Ok(())
    }
}

fn side(word: &str) -> Result<Side, TextError> {
    read_side(word).ok_or_else(|| bad("black or white", word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(_: &str, _: Option<usize>) -> Result<Story, String> {
        Err("no such file".into())
    }

    fn end(text: &str) -> String {
        follow(text, &nothing).unwrap().at(None).unwrap().position.to_text()
    }

    #[test]
    fn commands_lead_to_a_position() {
        let text =
            "1 boardsize 4\nkomi 7\n# a remark\n2 play b B3 # here\nplay w c3\nplay b C2\nundo\n";
        assert_eq!(end(text), "4/1XO1/4/4 black ko=- caps=0,0 passes=0 moves=2");
        assert!(end("boardsize 4\nplay b B3\ngenmove b\nquit\nnonsense").contains(" black "));
        assert!(end("boardsize 9\nfixed_handicap 2").contains("white"));
        assert!(
            end("boardsize 9\nset_free_handicap A1 B2").starts_with("9/9/9/9/9/9/9/1X7/X8 white")
        );
        assert_eq!(follow("", &nothing).unwrap().size(), 19);
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, line) in [
            ("boardsize 40", 1),
            ("\nplay red A1", 2),
            ("play b Z9", 1),
            ("boardsize 9\nplay b A1\nplay w A1", 3),
            ("undo", 1),
            ("fixed_handicap 77", 1),
            ("play b A1\nfixed_handicap 2", 2),
            ("genmove b\nplay w A1", 2),
            ("loadsgf", 1),
            ("loadsgf none.sgf", 1),
            ("loadsgf x.sgf many", 1),
            ("launch", 1),
            ("set_free_handicap A1 A1", 1),
        ] {
            assert_eq!(follow(text, &nothing).unwrap_err().line, line, "{text}");
        }
    }
}

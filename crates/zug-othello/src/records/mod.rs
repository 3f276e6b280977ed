//! How games and positions are written down.
//!
//! | module | file | holds |
//! |---|---|---|
//! | [`transcript`] | `.txt` | moves alone, one game a line: `f5d6c3…` |
//! | [`ggf`] | `.ggf` | games of the Generic Game Server, with players, times and evaluations |
//! | [`wthor`] | `.wtb` | the tournament base, 68 bytes a game |
//! | [`names`] | `.jou`, `.trn` | the players and tournaments of that base |
//! | [`obf`] | `.obf` | positions with the values of their moves |
//!
//! Each has a `Reader` over any [`std::io::Read`] that gives one game at a time and holds no more
//! than one in memory, and a [`RecordFormat`](zug_core::RecordFormat) where games are concerned.
//!
//! Passes are forced, so most formats leave them out; [`replay`] puts them back and tells how a
//! game ends: at its end, before it (resigned, out of time, cut off), or with a move that the
//! rules do not allow.

pub mod ggf;
mod lines;
pub mod names;
pub mod obf;
pub mod transcript;
pub mod wthor;

use crate::{Move, Othello, Position};
use std::io;
use zug_core::record::RecordSink;
use zug_core::{Game, Record, RecordError, RecordMove, RecordResult, TextError};

/// A stream of records that cannot go on, or a record in it that is broken.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The bytes could not be had; the stream ends here.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// This record is broken; the next one may be sound.
    #[error("{0}")]
    Record(#[from] RecordError),
}

impl From<TextError> for StreamError {
    fn from(error: TextError) -> StreamError {
        StreamError::Record(error.into())
    }
}

/// How the moves of a record end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Neither side can move.
    Complete,
    /// The game could go on: resigned, out of time, or cut off.
    StopsEarly,
    /// The rules do not allow a move.
    Illegal {
        /// Its place among the stored moves, from 0.
        index: usize,
        /// The move, if it names a square at all.
        mv: Option<Move>,
    },
}

/// A record played through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The legal moves, with the passes that the record leaves out.
    pub moves: Vec<Move>,
    /// The position after them.
    pub last: Position,
    /// How they end.
    pub ending: Ending,
}

/// Plays stored moves from a position as far as they are legal. A pass may be stored or left out.
#[must_use]
pub fn replay(game: &Othello, start: &Position, stored: impl IntoIterator<Item = Move>) -> Replay {
    let mut moves = Vec::new();
    let mut last = *start;
    for (index, mv) in stored.into_iter().enumerate() {
        if !mv.is_pass() && game.is_legal(&last, Move::PASS) {
            moves.push(Move::PASS);
            last.play(Move::PASS);
        }
        if !game.is_legal(&last, mv) {
            return Replay { moves, last, ending: Ending::Illegal { index, mv: Some(mv) } };
        }
        moves.push(mv);
        last.play(mv);
    }
    let ending = if game.is_over(&last) { Ending::Complete } else { Ending::StopsEarly };
    Replay { moves, last, ending }
}

impl Replay {
    /// The record of these moves, with the result that the last position gives.
    fn into_record(self, game: &Othello) -> Record {
        Record {
            game: game.spec(),
            moves: self
                .moves
                .iter()
                .map(|mv| RecordMove { text: mv.to_string(), comment: None })
                .collect(),
            result: game.outcome(&self.last).map_or(RecordResult::Unknown, RecordResult::from),
            ..Record::default()
        }
    }
}

/// The start position and moves of a record, checked; the error names the first bad ply.
pub(crate) fn moves_of(
    game: &Othello,
    number: usize,
    record: &Record,
) -> Result<(Position, Vec<Move>), RecordError> {
    if record.game != game.spec() {
        let message = format!("game {number} is one of {}, not {}", record.game, game.spec());
        return Err(RecordError::Unsupported(message));
    }
    let start = match &record.start {
        Some(text) => game.read_position(text)?,
        None => game.start(),
    };
    let mut position = start;
    let mut moves = Vec::with_capacity(record.moves.len());
    for (ply, mv) in record.moves.iter().enumerate() {
        let mv = game.read_move(&position, &mv.text).map_err(|error| RecordError::Move {
            game: number,
            ply,
            error,
        })?;
        position.play(mv);
        moves.push(mv);
    }
    Ok((start, moves))
}

/// Hands over the records of a stream until `sink` answers false.
fn hand_over(
    stream: impl Iterator<Item = Result<Record, StreamError>>,
    sink: &mut RecordSink<'_>,
) -> io::Result<()> {
    for record in stream {
        let goes_on = match record {
            Ok(record) => sink(Ok(record)),
            Err(StreamError::Record(error)) => sink(Err(error)),
            Err(StreamError::Io(error)) => return Err(error),
        };
        if !goes_on {
            break;
        }
    }
    Ok(())
}

pub(crate) fn record_error(error: StreamError) -> RecordError {
    match error {
        StreamError::Record(error) => error,
        StreamError::Io(error) => RecordError::Unsupported(error.to_string()),
    }
}

/// Text of bytes in Latin-1, the encoding of the old formats.
fn from_latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&b| char::from(b)).collect()
}

/// Bytes of text in Latin-1; a question mark for what it lacks.
fn to_latin1(text: &str) -> impl Iterator<Item = u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
}

#[cfg(test)]
pub(crate) mod testing {
    //! Games that the tests make for themselves.

    use super::*;
    use zug_core::seed::RngExt;

    /// A random game to its end, or for at most `plies` plies.
    pub fn random_game(game: &Othello, seed: u64, plies: usize) -> Vec<Move> {
        let mut rng = zug_core::rng(seed, 0);
        let (mut position, mut played, mut legal) = (game.start(), Vec::new(), Vec::new());
        while played.len() < plies {
            legal.clear();
            game.moves(&position, &mut legal);
            if legal.is_empty() {
                break;
            }
            let mv = legal[rng.random_range(0..legal.len())];
            position.play(mv);
            played.push(mv);
        }
        played
    }

    /// Its record.
    pub fn random_record(game: &Othello, seed: u64, plies: usize) -> Record {
        replay(game, &game.start(), random_game(game, seed, plies)).into_record(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_that_were_left_out_are_put_back() {
        let game = Othello::default();
        let mut with_passes = 0;
        for seed in 0..50 {
            let played = testing::random_game(&game, seed, usize::MAX);
            let stored = played.iter().copied().filter(|mv| !mv.is_pass());
            let again = replay(&game, &game.start(), stored);
            assert_eq!(again.moves, played);
            assert_eq!(again.ending, Ending::Complete);
            assert_eq!(replay(&game, &game.start(), played.clone()), again);
            with_passes += usize::from(played.contains(&Move::PASS));
        }
        assert!(with_passes > 5, "random games have passes");
    }

    #[test]
    fn games_that_stop_early_and_games_with_bad_moves_are_told_apart() {
        let game = Othello::default();
        let mut played = testing::random_game(&game, 1, 20);
        assert_eq!(replay(&game, &game.start(), played.clone()).ending, Ending::StopsEarly);
        assert_eq!(replay(&game, &game.start(), []).ending, Ending::StopsEarly);
        let bad = Move::at(3, 3);
        played.push(bad.unwrap());
        let again = replay(&game, &game.start(), played);
        assert_eq!(again.ending, Ending::Illegal { index: 20, mv: bad });
        assert_eq!(again.moves.len(), 20);
    }

    #[test]
    fn moves_after_the_end_are_bad_moves() {
        let game = Othello::with_size(4).unwrap();
        let mut played = testing::random_game(&game, 1, usize::MAX);
        let end = played.len();
        played.push(Move::PASS);
        let ending = replay(&game, &game.start(), played).ending;
        assert_eq!(ending, Ending::Illegal { index: end, mv: Some(Move::PASS) });
    }
}

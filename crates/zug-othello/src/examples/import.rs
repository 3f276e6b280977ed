//! Which games do record files hold, and which of them can examples come from?
//!
//! Games to their end are told apart from games that stop early (resigned, out of time, cut off),
//! from games with a move that the rules do not allow, and from what is no game at all. The result
//! that a record states is compared with that of its last position; where they differ, the position
//! is believed.

use super::{Example, FOLDS, Source};
use crate::records::{Ending, StreamError, moves_of, replay, wthor};
use crate::{Board, Move, Othello};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead};
use zug_core::seed::mix;
use zug_core::{Record, RecordError, RecordFormat, RecordResult, Side};

/// What was found in files of games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportCounts {
    /// Files.
    pub files: u64,
    /// Games, broken ones not counted.
    pub games: u64,
    /// Games to their end.
    pub complete: u64,
    /// Games that could go on.
    pub unfinished: u64,
    /// Games with a move that the rules do not allow.
    pub illegal: u64,
    /// Complete games whose stated result is not that of the last position.
    pub other_result: u64,
    /// Records that could not be read.
    pub broken: u64,
    /// Plies of the complete and the unfinished games, passes counted.
    pub plies: u64,
}

impl ImportCounts {
    /// Counts what was met.
    pub fn count(&mut self, met: &Met) {
        match met {
            Met::Game(game) => {
                self.games += 1;
                self.plies += game.moves.len() as u64;
                if game.is_finished {
                    self.complete += 1;
                    self.other_result += u64::from(game.is_result_other);
                } else {
                    self.unfinished += 1;
                }
            }
            Met::Illegal(_) => {
                self.games += 1;
                self.illegal += 1;
            }
            Met::Broken(_) => self.broken += 1,
        }
    }
}

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// Where it begins.
    pub start: Board,
    /// Its moves, with the passes.
    pub moves: Vec<Move>,
    /// Does it come to the end of the game?
    pub is_finished: bool,
    /// Does the record state another result than the last position has?
    pub is_result_other: bool,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Met {
    /// A game.
    Game(PlayedGame),
    /// A game with a move that the rules do not allow: which.
    Illegal(String),
    /// No game: why.
    Broken(String),
}

/// Hands over the games of a file, one at a time, until `sink` answers false.
pub fn read_games(
    format: &dyn RecordFormat,
    input: &mut dyn BufRead,
    sink: &mut dyn FnMut(Met) -> bool,
) -> io::Result<()> {
    if format.name() == "WTHOR" {
        return read_wthor(input, sink);
    }
    let game = Othello::default();
    let mut number = 0;
    format.stream(input, &mut |record| {
        number += 1;
        sink(record.map_or_else(|e| failed(&e), |record| of_record(&game, number, &record)))
    })
}

fn failed(error: &RecordError) -> Met {
    match error {
        RecordError::Move { .. } => Met::Illegal(error.to_string()),
        _ => Met::Broken(error.to_string()),
    }
}

/// WTHOR without the detour over text, which would take most of the time.
fn read_wthor(input: &mut dyn BufRead, sink: &mut dyn FnMut(Met) -> bool) -> io::Result<()> {
    let reader = match wthor::Reader::new(input) {
        Ok(reader) => reader,
        Err(StreamError::Io(error)) => return Err(error),
        Err(error) => {
            sink(Met::Broken(error.to_string()));
            return Ok(());
        }
    };
    let header = *reader.header();
    for (i, stored) in reader.enumerate() {
        let met = match stored {
            Err(StreamError::Io(error)) => return Err(error),
            Err(error) => Met::Broken(error.to_string()),
            Ok(stored) => {
                let played = stored.replay();
                match played.ending {
                    Ending::Illegal { .. } => match stored.to_record(&header, i + 1) {
                        Err(error) => failed(&error),
                        Ok(_) => unreachable!("the record of an illegal game is an error"),
                    },
                    ending => {
                        let is_finished = ending == Ending::Complete;
                        let last = &played.last;
                        let is_other = is_finished && is_other_result(&stored.result(), last);
                        Met::Game(PlayedGame {
                            start: Board::START,
                            moves: played.moves,
                            is_finished,
                            is_result_other: is_other,
                        })
                    }
                }
            }
        };
        if !sink(met) {
            break;
        }
    }
    Ok(())
}

fn of_record(game: &Othello, number: usize, record: &Record) -> Met {
    let (start, moves) = match moves_of(game, number, record) {
        Ok(parts) => parts,
        Err(error) => return failed(&error),
    };
    let played = replay(game, &start, moves);
    let is_finished = played.ending == Ending::Complete;
    Met::Game(PlayedGame {
        start: Board::from(&start),
        is_finished,
        is_result_other: is_finished && is_other_result(&record.result, &played.last),
        moves: played.moves,
    })
}

fn is_other_result(stated: &RecordResult, last: &crate::Position) -> bool {
    let lead = Othello::default().final_lead(last);
    let won = match lead {
        0 => None,
        1.. => Some(Side::First),
        _ => Some(Side::Second),
    };
    match *stated {
        RecordResult::Unknown => false,
        RecordResult::Known { winner, margin } => {
            let is_other_margin = |m: f32| winner.is_some() && (m - lead.abs() as f32).abs() > 0.5;
            winner != won || margin.is_some_and(is_other_margin)
        }
    }
}

impl PlayedGame {
    /// The positions in which a side was to move, in their canonical images, and the position after
    /// the last move.
    #[must_use]
    pub fn positions(&self) -> (Vec<Board>, Board) {
        let mut board = self.start;
        let mut met = Vec::with_capacity(self.moves.len() + 1);
        for &mv in &self.moves {
            met.push(board.canonical());
            board = board.after_move(mv);
        }
        if !board.is_over() {
            met.push(board.canonical());
        }
        (met, board)
    }

    /// The examples of the game, labelled by its result (0 where it has none). The fold comes from
    /// its positions, so the same game is dealt to the same fold whatever file it stands in and
    /// whichever way its board was turned.
    #[must_use]
    pub fn examples(&self, seed: u64) -> Vec<Example> {
        let (met, last) = self.positions();
        let fold = fold(&met, seed);
        let mut score = 0;
        if self.is_finished {
            // For the mover of the last position; the one before it is the other side's.
            score = last.final_score() as i8;
        }
        let mut out: Vec<Example> = Vec::with_capacity(met.len());
        for &board in met.iter().rev() {
            score = -score;
            out.push(Example { board, score, source: Source::Game, fold, count: 1 });
        }
        out
    }
}

fn fold(boards: &[Board], seed: u64) -> u8 {
    let key = boards
        .iter()
        .fold(mix(seed), |key, board| mix(mix(key ^ board.own).wrapping_add(board.other)));
    (key % u64::from(FOLDS)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::ggf::Ggf;
    use crate::records::testing::random_record;
    use crate::records::transcript::Transcripts;
    use crate::records::wthor::Wthor;
    use zug_core::TextRecords;

    fn counted(format: &dyn RecordFormat, mut bytes: &[u8]) -> (ImportCounts, Vec<Met>) {
        let (mut counts, mut all) = (ImportCounts::default(), Vec::new());
        let read = read_games(format, &mut bytes, &mut |met| {
            counts.count(&met);
            all.push(met);
            true
        });
        read.unwrap();
        (counts, all)
    }

    fn records() -> Vec<Record> {
        (0..5).map(|seed| random_record(&Othello::default(), seed, usize::MAX)).collect()
    }

    #[test]
    fn every_format_gives_the_same_games() {
        let records = records();
        let formats: [&dyn RecordFormat; 4] =
            [&Wthor, &Transcripts::default(), &Ggf::default(), &TextRecords];
        let all: Vec<Vec<Met>> = formats
            .iter()
            .map(|f| {
                let (counts, met) = counted(*f, &f.write(&records).unwrap());
                assert_eq!((counts.games, counts.complete, counts.other_result), (5, 5, 0));
                met
            })
            .collect();
        assert!(all.iter().all(|met| *met == all[0]));
    }

    #[test]
    fn illegal_unfinished_and_wrongly_counted_games_are_told_apart() {
        let mut base = Wthor.write(&records()).unwrap();
        base[16 + 8 + 30..16 + 68].fill(0);
        base[16 + 68 + 8 + 30] = 44;
        base[16 + 2 * 68 + 6] ^= 1;
        let (counts, met) = counted(&Wthor, &base);
        let told = (counts.games, counts.complete, counts.unfinished, counts.illegal);
        assert_eq!(told, (5, 3, 1, 1));
        assert_eq!((counts.other_result, counts.broken), (1, 0));
        assert!(matches!(&met[1], Met::Illegal(why) if why.contains("'d4'")));
        let (counts, _) = counted(&Wthor, &base[..base.len() - 1]);
        assert_eq!((counts.games, counts.broken), (4, 1));

        let text = "f5d6\nf5a8\nx\n";
        let (counts, _) = counted(&Transcripts::default(), text.as_bytes());
        assert_eq!((counts.unfinished, counts.illegal, counts.broken), (1, 1, 1));
    }

    #[test]
    fn games_on_other_boards_are_no_games() {
        let small = Othello::with_size(6).unwrap();
        let record = random_record(&small, 1, usize::MAX);
        let bytes = TextRecords.write(&[record]).unwrap();
        let (counts, met) = counted(&TextRecords, &bytes);
        assert_eq!((counts.games, counts.broken), (0, 1));
        assert!(matches!(&met[0], Met::Broken(why) if why.contains("othello:6x6")), "{met:?}");
        let mut base = Wthor.write(&records()).unwrap();
        base[12] = 10;
        assert_eq!(counted(&Wthor, &base).0.broken, 1);
    }

    #[test]
    fn results_alternate_along_a_game_and_turned_games_share_their_fold() {
        let bytes = Wthor.write(&records()).unwrap();
        let (_, met) = counted(&Wthor, &bytes);
        let mut folds = std::collections::BTreeSet::new();
        for met in met {
            let Met::Game(game) = met else { panic!() };
            let examples = game.examples(7);
            let (positions, last) = game.positions();
            assert_eq!(examples.len(), positions.len());
            assert!(examples.windows(2).all(|pair| pair[0].score == -pair[1].score));
            assert_eq!(i32::from(examples[0].score), -last.final_score());
            // By the diagonal through a1, which the start position has.
            let turned = |mv: &Move| match mv.square() {
                Some(square) => Move::to_square(square % 8 * 8 + square / 8).unwrap(),
                None => Move::PASS,
            };
            let mirror = PlayedGame { moves: game.moves.iter().map(turned).collect(), ..game };
            assert_eq!(mirror.examples(7), examples);
            folds.insert(examples[0].fold);
            assert!(examples.iter().all(|e| e.fold == examples[0].fold && e.fold < FOLDS));
        }
        assert!(folds.len() > 1);
    }
}

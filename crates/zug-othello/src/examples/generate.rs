//! Training games: openings played out by an engine.
//!
//! Each game is a task of its own: its opening and its dice come from the seed and its number, and
//! the player forgets the game before. So the games are the same for any number of threads, and work
//! that was interrupted goes on from a journal.

use super::ExampleError;
use super::journalled::{Tasks, do_all};
use super::openings;
use super::player::{Chooser, NewChooser};
use crate::records::{Ending, replay, transcript};
use crate::{Board, Move, Othello};
use std::path::Path;
use zug_core::seed::RngExt;
use zug_core::{Game, Progress, Rng, StopFlag, rng};

/// How the games begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// With every opening of a length, each so many times.
    All {
        /// The length.
        plies: u32,
        /// Games with each opening.
        games: u32,
    },
    /// With random moves.
    Random {
        /// So many.
        plies: u32,
        /// Games in all.
        games: u32,
    },
}

/// What to generate.
#[derive(Clone, Debug)]
pub struct GenerateOrder<'a> {
    /// How the games begin.
    pub starts: Starts,
    /// How often a move after the opening is a random one.
    pub noise: f64,
    /// From so many discs on no move is random: the player is perfect there.
    pub noise_below: u32,
    /// Seed of openings and of random moves.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Where to keep what is done.
    pub journal: Option<&'a Path>,
    /// The command line without what does not change the result; the first line of the journal.
    pub command: &'a str,
}

/// Plays the games, in the order of their numbers.
pub fn generate(
    order: &GenerateOrder<'_>,
    new_chooser: &NewChooser,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<Vec<Move>>, ExampleError> {
    let (openings, count) = match order.starts {
        Starts::All { plies, games } => {
            let openings = openings::all(plies);
            let count = openings.len() * games as usize;
            (openings, count)
        }
        Starts::Random { games, .. } => (Vec::new(), games as usize),
    };
    progress.set_length(Some(count as u64));
    let play = |chooser: &mut Box<dyn Chooser>, number: usize| {
        let mut rng = rng(order.seed, number as u64);
        let opening = match order.starts {
            Starts::All { .. } => openings[number % openings.len()].clone(),
            Starts::Random { plies, .. } => openings::random(plies, &mut rng),
        };
        chooser.begin();
        play_out(opening, &mut **chooser, Some((&mut rng, order)), stop).map(|game| to_text(&game))
    };
    let tasks = Tasks {
        count,
        plan: order.command,
        journal: order.journal,
        threads: order.threads,
        units: &|_| 1,
    };
    let texts = do_all(&tasks, new_chooser, &play, progress, stop)?;
    texts.iter().map(|text| from_text(text)).collect()
}

/// Plays on from a line to the end of the game. `None` when stopped.
pub(super) fn play_out(
    mut line: Vec<Move>,
    chooser: &mut dyn Chooser,
    mut dice: Option<(&mut Rng, &GenerateOrder<'_>)>,
    stop: &StopFlag,
) -> Option<Vec<Move>> {
    let mut board = line.iter().fold(Board::START, |board, &mv| board.after_move(mv));
    loop {
        let moves = openings::legal(board);
        let is_random = dice.as_mut().is_some_and(|(rng, order)| {
            moves.len() > 1 && board.discs() < order.noise_below && rng.random_bool(order.noise)
        });
        let mv = match (moves.as_slice(), &mut dice) {
            ([], _) => return Some(line),
            ([only], _) => *only,
            (moves, Some((rng, _))) if is_random => moves[rng.random_range(0..moves.len())],
            _ => chooser.choose(board, stop)?,
        };
        line.push(mv);
        board = board.after_move(mv);
    }
}

/// A game as a transcript; passes go without saying.
pub(super) fn to_text(moves: &[Move]) -> String {
    moves.iter().filter(|mv| !mv.is_pass()).map(ToString::to_string).collect()
}

/// The moves of a game that was played to its end.
pub(super) fn from_text(text: &str) -> Result<Vec<Move>, ExampleError> {
    let game = Othello::default();
    let wrong = || {
        let start: String = text.chars().take(40).collect();
        ExampleError::Other(format!("the journal holds a game that is none: '{start}'"))
    };
    let moves = transcript::read_moves(&game, text.as_bytes()).map_err(|_| wrong())?;
    let played = replay(&game, &game.start(), moves.into_iter().map(|(_, mv)| mv));
    if played.ending == Ending::Complete { Ok(played.moves) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::super::player::{EngineChooser, Judge};
    use super::*;
    use std::collections::BTreeSet;
    use zug_core::Silent;

    fn order(starts: Starts, noise: f64) -> GenerateOrder<'static> {
        GenerateOrder {
            starts,
            noise,
            noise_below: 56,
            seed: 1,
            threads: 2,
            journal: None,
            command: "generate",
        }
    }

    fn run(order: &GenerateOrder<'_>) -> Vec<Vec<Move>> {
        let chooser: &NewChooser = &|| Box::new(EngineChooser::new(Judge::hand().engine(1), 1, 8));
        generate(order, chooser, &Silent, &StopFlag::new()).unwrap()
    }

    #[test]
    fn every_opening_is_played_out_to_its_end() {
        let games = run(&order(Starts::All { plies: 3, games: 2 }, 0.0));
        assert_eq!(games.len(), 28);
        let starts: BTreeSet<Board> = games
            .iter()
            .map(|game| {
                let end = game.iter().fold(Board::START, |board, &mv| {
                    assert!(openings::legal(board).contains(&mv));
                    board.after_move(mv)
                });
                assert!(end.is_over());
                game[..3].iter().fold(Board::START, |b, &mv| b.after_move(mv)).canonical()
            })
            .collect();
        assert_eq!(starts.len(), 14);
        assert_eq!(games[0], games[14], "without noise a player repeats itself");
    }

    #[test]
    fn games_come_from_the_seed_whatever_the_threads() {
        let random = Starts::Random { plies: 6, games: 12 };
        let games = run(&order(random, 0.2));
        assert_eq!(run(&GenerateOrder { threads: 1, ..order(random, 0.2) }), games);
        assert_ne!(run(&GenerateOrder { seed: 2, ..order(random, 0.2) }), games);
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("games.part");
        let kept = GenerateOrder { journal: Some(&journal), ..order(random, 0.2) };
        assert_eq!(run(&kept), games);
        assert_eq!(run(&kept), games, "read from the journal");
    }

    #[test]
    fn the_end_of_a_game_is_perfect() {
        use super::super::labeller::tests::plain;
        let games = run(&order(Starts::Random { plies: 20, games: 6 }, 0.3));
        for game in games {
            let mut board = Board::START;
            for mv in game {
                let next = board.after_move(mv);
                if board.empties() <= 6 {
                    assert_eq!(plain(board), -plain(next));
                }
                board = next;
            }
        }
    }
}

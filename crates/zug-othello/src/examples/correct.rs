//! Where did a side miss a better result, and how does the game go on then?
//!
//! A pass over games with a newer engine (S 3.3 of the thesis): the games become one tree. Where the
//! tree says that the mover loses or draws, the engine looks for a move that no game has tried and
//! that, by its search, changes the outcome for the better. The latest such mistake of a game is
//! corrected: the engine plays its move and then both sides to the end, and that line is a new game.
//! Labels of the games before the mistake change when the games are labelled again together with the
//! new ones; passes can be repeated until they find nothing.
//!
//! The tree is held in memory, about 50 bytes for each different position.

use super::ExampleError;
use super::generate::{from_text, play_out, to_text};
use super::journalled::{Tasks, do_all};
use super::player::{EngineChooser, Judge, Thinker};
use crate::{Board, Move, bits};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::path::Path;
use zug_core::{Progress, StopFlag};

/// What to look for, and with what.
pub struct CorrectOrder<'a> {
    /// The evaluation of the engine.
    pub judge: &'a Judge,
    /// Its depth.
    pub depth: u32,
    /// Positions with at most so many empty squares are solved.
    pub exact: u32,
    /// Memory of each thread's engine, in mebibytes.
    pub hash_mib: usize,
    /// The disc counts at which mistakes are looked for.
    pub discs: RangeInclusive<u32>,
    /// How sure a search that does not see the end must be that the outcome changes, in hundredths
    /// of discs, or in the steps of the evaluation's log-odds.
    pub margin: i32,
    /// Threads.
    pub threads: usize,
    /// Where to keep the mistakes that were found, and the games that were played.
    pub journals: Option<(&'a Path, &'a Path)>,
    /// The command line without what does not change the result.
    pub command: &'a str,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Corrected {
    /// Different positions in the tree.
    pub positions: usize,
    /// Of them searched: those in which the mover does not win.
    pub searched: usize,
    /// Moves found that change the outcome.
    pub mistakes: usize,
    /// New games, with all their moves.
    #[serde(skip)]
    pub games: Vec<Vec<Move>>,
}

/// A digest of games in their order, since the tasks of an interrupted pass are numbered by it.
#[must_use]
pub fn digest(games: &[Vec<Move>]) -> String {
    let mut hasher = blake3::Hasher::new();
    for game in games {
        hasher.update(to_text(game).as_bytes()).update(b"\n");
    }
    hasher.finalize().to_hex().to_string()
}

/// The tree of games: what each position is worth by their results.
struct Tree {
    values: HashMap<Board, i8>,
}

impl Tree {
    /// Games must be finished.
    fn new(games: &[Vec<Move>]) -> Tree {
        let mut boards: HashSet<Board> = HashSet::new();
        for game in games {
            let mut board = Board::START;
            for &mv in game {
                boards.insert(board.canonical());
                board = board.after_move(mv);
            }
        }
        let mut sorted: Vec<Board> = boards.into_iter().collect();
        // From the full board backwards; a side that must pass after the one that can move.
        sorted.sort_unstable_by_key(|b| (std::cmp::Reverse(b.discs()), b.moves() == 0, *b));
        let mut tree = Tree { values: HashMap::with_capacity(sorted.len()) };
        for board in sorted {
            let value = match board.moves() {
                0 => tree.value(board),
                moves => bits::each(moves)
                    .filter_map(|square| tree.value(board.after(square)).map(|v| -v))
                    .max(),
            };
            tree.values.extend(value.map(|value| (board, value)));
        }
        tree
    }

    /// What is known of a position.
    fn value(&self, board: Board) -> Option<i8> {
        if board.is_over() {
            return Some(board.final_score() as i8);
        }
        if board.moves() == 0 {
            return self.value(board.passed()).map(|v| -v);
        }
        self.values.get(&board.canonical()).copied()
    }
}

/// A position in which something may have been missed: the game and the ply where it was met first.
struct Doubt {
    game: usize,
    ply: usize,
    board: Board,
    value: i8,
}

/// Looks for mistakes in finished games, and corrects them.
pub fn correct(
    order: &CorrectOrder<'_>,
    games: &[Vec<Move>],
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Corrected, ExampleError> {
    progress.message("tree");
    let tree = Tree::new(games);
    let doubts = doubts(order, games, &tree);
    progress.message("mistakes");
    progress.set_length(Some(doubts.len() as u64));
    let moves = find_mistakes(order, &doubts, &tree, progress, stop)?;
    let mistakes = moves.iter().flatten().count();

    // One correction a game: the latest. What comes before it is looked at again in the next pass.
    let mut latest: HashMap<usize, usize> = HashMap::new();
    for (number, _) in moves.iter().enumerate().filter(|(_, mv)| mv.is_some()) {
        let kept = latest.entry(doubts[number].game).or_insert(number);
        if doubts[number].ply > doubts[*kept].ply {
            *kept = number;
        }
    }
    let mut kept: Vec<usize> = latest.into_values().collect();
    kept.sort_unstable();
    let lines: Vec<Vec<Move>> = kept
        .iter()
        .map(|&number| {
            let doubt = &doubts[number];
            let mut line = games[doubt.game][..doubt.ply].to_vec();
            line.extend(moves[number]);
            line
        })
        .collect();
    progress.message("new games");
    progress.set_length(Some((doubts.len() + lines.len()) as u64));
    let games = play_lines(order, &lines, progress, stop)?;
    let (positions, searched) = (tree.values.len(), doubts.len());
    Ok(Corrected { positions, searched, mistakes, games })
}

/// The positions to search: in the range, each once, where the mover does not win.
fn doubts(order: &CorrectOrder<'_>, games: &[Vec<Move>], tree: &Tree) -> Vec<Doubt> {
    let mut seen: HashSet<Board> = HashSet::new();
    let mut found = Vec::new();
    for (game, moves) in games.iter().enumerate() {
        let mut board = Board::START;
        for (ply, &mv) in moves.iter().enumerate() {
            // With one move there was nothing to miss.
            if order.discs.contains(&board.discs()) && board.moves().count_ones() > 1 {
                let value = tree.value(board).unwrap_or(0);
                if value <= 0 && seen.insert(board.canonical()) {
                    found.push(Doubt { game, ply, board, value });
                }
            }
            board = board.after_move(mv);
        }
    }
    found
}

/// For each doubt the move that changes the outcome, if there is one.
fn find_mistakes(
    order: &CorrectOrder<'_>,
    doubts: &[Doubt],
    tree: &Tree,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<Option<Move>>, ExampleError> {
    let plan = format!("mistakes: {}", order.command);
    let tasks = Tasks {
        count: doubts.len(),
        plan: &plan,
        journal: order.journals.map(|(found, _)| found),
        threads: order.threads,
        units: &|_| 1,
    };
    let search = |engine: &mut Box<dyn Thinker>, number: usize| {
        engine.forget();
        let better = better_move(order, &mut **engine, &doubts[number], tree, stop)?;
        Some(better.map_or(String::new(), |mv| mv.to_string()))
    };
    let new_engine = || order.judge.engine(order.hash_mib);
    let texts = do_all(&tasks, &new_engine, &search, progress, stop)?;
    doubts
        .iter()
        .zip(&texts)
        .map(|(doubt, text)| {
            let legal = super::openings::legal(doubt.board);
            match legal.iter().find(|mv| mv.to_string() == **text) {
                None if !text.is_empty() => {
                    let what = format!("the journal names '{text}', which is no legal move");
                    Err(ExampleError::Other(what))
                }
                found => Ok(found.copied()),
            }
        })
        .collect()
}

/// A move that no game tried and that changes the outcome for the better. The outer `None` means
/// that the search was stopped.
fn better_move(
    order: &CorrectOrder<'_>,
    engine: &mut dyn Thinker,
    doubt: &Doubt,
    tree: &Tree,
    stop: &StopFlag,
) -> Option<Option<Move>> {
    let found = engine.think(doubt.board, order.depth.max(1), order.exact, stop)?;
    let Some(mv) = found.best else { return Some(None) };
    if tree.value(doubt.board.after_move(mv)).is_some() {
        return Some(None);
    }
    // A draw is worth a search that sees the end; an estimate near nought says nothing.
    let changes = match found.exact {
        Some(score) => score.signum() > i32::from(doubt.value.signum()),
        None => found.value >= order.margin.max(1),
    };
    Some(changes.then_some(mv))
}

/// Plays the corrected lines to their ends.
fn play_lines(
    order: &CorrectOrder<'_>,
    lines: &[Vec<Move>],
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<Vec<Move>>, ExampleError> {
    let plan = format!("new games: {}", order.command);
    let tasks = Tasks {
        count: lines.len(),
        plan: &plan,
        journal: order.journals.map(|(_, played)| played),
        threads: order.threads,
        units: &|_| 1,
    };
    let new_player =
        || EngineChooser::new(order.judge.engine(order.hash_mib), order.depth, order.exact);
    let play = |player: &mut EngineChooser, number: usize| {
        super::player::Chooser::begin(player);
        play_out(lines[number].clone(), player, None, stop).map(|game| to_text(&game))
    };
    let texts = do_all(&tasks, &new_player, &play, progress, stop)?;
    texts.iter().map(|text| from_text(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::labeller::tests::plain;
    use super::super::openings::legal;
    use super::*;
    use crate::Othello;
    use crate::records::testing::random_game;
    use zug_core::Silent;

    fn order(judge: &Judge) -> CorrectOrder<'_> {
        CorrectOrder {
            judge,
            depth: 1,
            exact: 7,
            hash_mib: 1,
            discs: 57..=62,
            margin: 400,
            threads: 2,
            journals: None,
            command: "correct",
        }
    }

    fn end(game: &[Move]) -> Board {
        game.iter().fold(Board::START, |board, &mv| board.after_move(mv))
    }

    #[test]
    fn late_mistakes_that_change_the_outcome_are_found_and_played_better() {
        let game = Othello::default();
        let games: Vec<Vec<Move>> = (0..40).map(|seed| random_game(&game, seed, 99)).collect();
        let judge = Judge::hand();
        let found = correct(&order(&judge), &games, &Silent, &StopFlag::new()).unwrap();
        assert!(found.mistakes >= found.games.len() && found.games.len() > 5, "{found:?}");

        // By the definition: a game has a new line if and only if a loser or drawer could do better.
        let tree = Tree::new(&games);
        let mut wanted = 0;
        for moves in &games {
            let mut board = Board::START;
            let mut is_missed = false;
            for &mv in moves {
                if (57..=62).contains(&board.discs()) && board.moves().count_ones() > 1 {
                    let value = i32::from(tree.value(board).unwrap());
                    is_missed |= value <= 0 && plain(board).signum() > value.signum();
                }
                board = board.after_move(mv);
            }
            wanted += usize::from(is_missed);
        }
        assert_eq!(found.games.len(), wanted);

        // Each new game leaves an old one at a place where its mover then does better.
        for new in &found.games {
            assert!(end(new).is_over());
            let shared =
                |old: &&Vec<Move>| new.iter().zip(*old).take_while(|(a, b)| a == b).count();
            let old = games.iter().max_by_key(shared).unwrap();
            let ply = shared(&old);
            let mover = |game: &[Move]| {
                let board = end(game);
                let sign = if (game.len() - ply).is_multiple_of(2) { 1 } else { -1 };
                sign * board.final_score()
            };
            assert!(mover(new).signum() > mover(old).signum());
        }
        let again = CorrectOrder { threads: 1, ..order(&judge) };
        assert_eq!(correct(&again, &games, &Silent, &StopFlag::new()).unwrap(), found);
    }

    #[test]
    fn passes_come_to_rest() {
        let game = Othello::default();
        let mut games: Vec<Vec<Move>> = (0..10).map(|seed| random_game(&game, seed, 99)).collect();
        let judge = Judge::hand();
        for pass in 0.. {
            let found = correct(&order(&judge), &games, &Silent, &StopFlag::new()).unwrap();
            if found.games.is_empty() {
                assert!(pass > 0);
                break;
            }
            assert!(pass < 50, "corrections of corrections must end");
            games.extend(found.games);
        }
        // Then the tree is right about the outcome of every position that was looked at.
        let tree = Tree::new(&games);
        for moves in &games {
            let mut board = Board::START;
            for &mv in moves {
                if (57..=62).contains(&board.discs()) && legal(board).len() > 1 {
                    let value = i32::from(tree.value(board).unwrap());
                    assert!(value > 0 || plain(board).signum() == value.signum());
                }
                board = board.after_move(mv);
            }
        }
    }
}

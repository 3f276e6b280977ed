//! How often does a program find the professional's move? GNU Go is asked for one move in positions of
//! the test games, as the thesis did.

use super::measure::TestGame;
use crate::game::Go;
use crate::point::{Point, read_point};
use std::path::{Path, PathBuf};
use zug_core::seed::{RngExt, rng};
use zug_core::{Limits, Line, Player, PlayerError, Spec, StopFlag, Watch};

/// The program and its words, as the thesis used it.
pub const COMMAND: &str = "gnugo --mode gtp --level 10 --seed 1";
/// Where systems put games that are not on everybody's path.
const GAMES: &str = "/usr/games";

/// How long an answer may take: a second by itself, much more where many work on the same machine.
const PATIENCE: &str = "600s";

/// A question: the moves that led to a position, and the one that was made there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    moves: Vec<Option<Point>>,
    played: Point,
    size: usize,
}

/// Draws so many examples of the test games by a seed.
#[must_use]
pub fn questions(tests: &[TestGame<'_>], count: usize, seed: u64) -> Vec<Question> {
    let all: usize = tests.iter().map(|t| t.examples).sum();
    let mut chosen: Vec<usize> = (0..all).collect();
    let mut rng = rng(seed, 0x60);
    for i in 0..count.min(all) {
        let j = rng.random_range(i..all);
        chosen.swap(i, j);
    }
    chosen.truncate(count);
    chosen.sort_unstable();
    let (mut questions, mut number, mut next) = (Vec::new(), 0, chosen.into_iter().peekable());
    for test in tests {
        let (mut moves, mut over) = (Vec::new(), false);
        for mv in test.game.moves() {
            let Some(played) = mv else {
                moves.push(None);
                continue;
            };
            if moves.iter().flatten().count() == test.examples {
                break;
            }
            // What follows two passes is no game any more for a program.
            over |= moves.ends_with(&[None, None]);
            if next.next_if_eq(&number).is_some() && !over {
                questions.push(Question { moves: moves.clone(), played, size: test.game.size() });
            }
            number += 1;
            moves.push(mv);
        }
    }
    questions
}

/// The command with the whole path of its program, where it is only found among the games; `None` where
/// there is no such program.
#[must_use]
pub fn find(command: &str) -> Option<String> {
    let (program, rest) = command.split_once(' ').unwrap_or((command, ""));
    let found =
        |dir: PathBuf| -> Option<PathBuf> { Some(dir.join(program)).filter(|p| p.is_file()) };
    if program.contains('/') {
        return Path::new(program).is_file().then(|| command.to_string());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&path).any(|dir| found(dir).is_some()) {
        return Some(command.to_string());
    }
    found(GAMES.into()).map(|p| format!("{} {rest}", p.display()))
}

/// How many of the questions the program answers with the move that was made.
pub fn ask(
    command: &str,
    questions: &[Question],
    stop: &StopFlag,
    mut told: impl FnMut(bool),
) -> Result<usize, PlayerError> {
    let failed = |e: &dyn std::fmt::Display| PlayerError::Option(e.to_string());
    let options = vec![("cmd".into(), command.into()), ("timeout".into(), PATIENCE.into())];
    let spec = Spec { name: "gtp".into(), options };
    let mut player = zug_arena::foreign_player(&spec).map_err(|e| failed(&e))?;
    let mut hits = 0;
    for question in questions {
        if stop.is_set() {
            break;
        }
        let hit = ask_one(&mut *player, question, stop)?;
        hits += usize::from(hit);
        told(hit);
    }
    Ok(hits)
}

fn ask_one(
    player: &mut dyn Player,
    question: &Question,
    stop: &StopFlag,
) -> Result<bool, PlayerError> {
    let failed = |e: &dyn std::fmt::Display| PlayerError::Option(e.to_string());
    let game = Go::open(&format!("go:{0}x{0},ko=simple", question.size)).map_err(|e| failed(&e))?;
    let mut line = Line::new(game);
    player.new_game(&line)?;
    for mv in &question.moves {
        let text = mv.map_or("pass".to_string(), |p| p.name(question.size));
        line.play_text(&text).map_err(|e| failed(&e))?;
    }
    let mut ignore = |_: &zug_core::Info| {};
    let mut watch = Watch::new(stop.shared(), &mut ignore);
    let choice = player.choose(&line, &Limits::default(), &mut watch)?;
    Ok(!choice.resigns && read_point(&choice.mv, question.size) == Ok(question.played))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knn::tests::random_game;

    #[test]
    fn questions_are_drawn_by_seed_and_are_examples_of_the_games() {
        // Games in which nobody passes twice in a row.
        let twice = |game: &crate::corpus::GoRecord| {
            let moves: Vec<Option<Point>> = game.moves().collect();
            moves.windows(2).any(|pair| pair == [None, None])
        };
        let games: Vec<_> =
            (0..).map(|i| random_game(9, 30, i)).filter(|game| !twice(game)).take(3).collect();
        let tests: Vec<TestGame<'_>> =
            games.iter().map(|game| TestGame { game, examples: 10 }).collect();
        let drawn = questions(&tests, 12, 1);
        assert_eq!(drawn.len(), 12);
        assert_eq!(drawn, questions(&tests, 12, 1));
        assert_ne!(drawn, questions(&tests, 12, 2));
        assert_eq!(questions(&tests, 99, 1).len(), 30);
        for question in &drawn {
            let of = |game: &&crate::corpus::GoRecord| {
                let moves: Vec<Option<Point>> = game.moves().collect();
                let n = question.moves.len();
                moves[..n] == question.moves && moves[n] == Some(question.played)
            };
            assert!(games.iter().any(|game| of(&game)));
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_not_found() {
        assert_eq!(find("no-such-program-of-ours --mode gtp"), None);
        assert_eq!(find("/no/such/program"), None);
        assert!(find("sh -c true").is_some());
    }
}

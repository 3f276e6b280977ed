//! The Monte-Carlo search: proofs are true, chance repeats, memory is bounded, hints are heeded.

use crate::testing::{Blind, Maze, Room, TicTacToe, to_nodes, unwatched};
use crate::{Mcts, MctsOptions, MctsResult, RandomRollout, Rollout, minimax};
use proptest::prelude::*;
use std::sync::Arc;
use zug_core::{Game, Line, Outcome, Repetition, Rng, Score};

const ROLLOUT: RandomRollout = RandomRollout { max_plies: 200 };

fn search<G: Game>(line: &Line<G>, options: MctsOptions, nodes: u64) -> MctsResult<G> {
    let mut search = Mcts::new(Arc::new(ROLLOUT), options);
    unwatched(|watch| search.search(line, &to_nodes(nodes), watch)).expect("the game is not over")
}

fn small() -> MctsOptions {
    MctsOptions { hash: 1, ..MctsOptions::default() }
}

/// −1, 0, 1 for lost, drawn, won, with perfect play that knows the path: for the side to move, or
/// `None` when the position must not come back.
fn perfect(maze: &Maze, position: &Room, path: &mut Vec<u64>) -> Option<i32> {
    let key = maze.repetition_key(position);
    let back = path.contains(&key);
    if back && maze.repetition == Repetition::Forbidden {
        return None;
    }
    if let Some(outcome) = maze.outcome(position) {
        return Some(Score::of_outcome(&outcome, position.side, 0).0.signum());
    }
    if back && maze.repetition != Repetition::Allowed {
        return Some(0);
    }
    path.push(key);
    let mut moves = Vec::new();
    maze.moves(position, &mut moves);
    let best = moves.into_iter().filter_map(|mv| after(maze, position, mv, path)).max();
    path.pop();
    Some(best.unwrap_or(0))
}

/// The same for a move, seen by the side that makes it.
fn after(maze: &Maze, position: &Room, mv: u8, path: &mut Vec<u64>) -> Option<i32> {
    let mut child = position.clone();
    maze.play(&mut child, mv);
    let value = perfect(maze, &child, path)?;
    Some(if child.side == position.side { value } else { -value })
}

fn mazes() -> impl Strategy<Value = Maze> {
    let rules = prop_oneof![
        Just((false, Repetition::Allowed)),
        Just((true, Repetition::Draw(3))),
        Just((true, Repetition::Forbidden)),
    ];
    (any::<u64>(), 1u8..4, any::<bool>(), any::<bool>(), rules).prop_map(
        |(seed, width, points, irregular, (cycles, repetition))| Maze {
            seed,
            width,
            points,
            irregular,
            cycles,
            repetition,
            height: if cycles { 3 } else { 5 },
            rooms: if cycles { 2 } else { u64::MAX },
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_is_proven_is_true(
        maze in mazes(), seed: u64, rave in prop_oneof![Just(0.0), Just(50.0)],
        threads in 1usize..3,
    ) {
        let line = Line::new(maze);
        if line.legal_moves().is_empty() {
            return Ok(());
        }
        let options = MctsOptions { seed, rave: Some(rave), threads, ..small() };
        let found = search(&line, options, 6000);
        for stat in &found.moves {
            let Some(score) = stat.proven else { continue };
            let mut path = vec![maze.repetition_key(line.position())];
            let value = after(&maze, line.position(), stat.line[0], &mut path);
            prop_assert_eq!(Some(score.0.signum()), value);
        }
        // A search that ends early has solved the root, and then the best move is a best one.
        if found.playouts < 6000 {
            let score = found.moves[0].proven.expect("the root is solved");
            let value = perfect(&maze, line.position(), &mut Vec::new());
            prop_assert_eq!(Some(score.0.signum()), value);
        }
    }

    #[test]
    fn chance_repeats_with_the_seed_and_the_number_of_threads(
        maze in mazes(), seed: u64, threads in 1usize..3,
    ) {
        let line = Line::new(maze);
        if line.legal_moves().is_empty() {
            return Ok(());
        }
        let run = || {
            let found = search(&line, MctsOptions { seed, threads, ..small() }, 40);
            let stats: Vec<_> = found.moves.into_iter().map(|m| (m.line, m.visits)).collect();
            (found.best, stats)
        };
        prop_assert_eq!(run(), run());
    }
}

#[test]
fn a_threat_is_seen_and_a_win_is_taken() {
    for (moves, answer) in [
        (["a1", "b2", "a2"].as_slice(), "a3"), // parry
        (&["a1", "b1", "a2", "b2"], "a3"),     // win
    ] {
        let mut line = Line::new(TicTacToe);
        for text in moves {
            line.play_text(text).unwrap();
        }
        for rave in [0.0, 100.0] {
            let found = search(&line, MctsOptions { rave: Some(rave), ..small() }, 2000);
            assert_eq!(TicTacToe.write_move(line.position(), found.best), answer);
        }
    }
}

#[test]
fn tic_tac_toe_is_solved() {
    let mut line = Line::new(TicTacToe);
    for text in ["b2", "a1", "c1", "a3"] {
        line.play_text(text).unwrap();
    }
    let found = search(&line, small(), 1_000_000);
    assert!(found.playouts < 1_000_000, "the search ends when the root is proven");
    assert_eq!(found.moves[0].proven, Some(Score::DRAW));
    assert_eq!(found.moves[0].win_rate, 0.5);
    let mut won = Line::new(TicTacToe);
    for text in ["a1", "b1"] {
        won.play_text(text).unwrap();
    }
    let found = search(&won, small(), 1_000_000);
    let least = minimax(&TicTacToe, &Blind, won.position(), 9, 0);
    assert!(found.moves[0].proven.is_some_and(|s| s.is_proven() && s <= least));
}

#[test]
fn the_tree_is_kept_for_the_next_move_of_the_same_game_only() {
    let mut search = Mcts::new(Arc::new(ROLLOUT), small());
    let mut line = Line::new(TicTacToe);
    let mut run = |line: &Line<TicTacToe>, nodes: u64| {
        let found = unwatched(|w| search.search(line, &to_nodes(nodes), w)).unwrap();
        found.moves.iter().map(|m| m.visits).sum::<u64>()
    };
    assert_eq!(run(&line, 500), 500);
    line.play_text("b2").unwrap();
    let kept = run(&line, 1);
    assert!(kept > 30, "{kept} visits of the first search are left");
    line.undo();
    assert_eq!(run(&line, 1), 1, "a line that does not go on begins anew");
}

/// Never touches the first move of the list.
struct Careful;

impl Rollout<TicTacToe> for Careful {
    fn rollout(
        &self,
        game: &TicTacToe,
        position: &<TicTacToe as Game>::Position,
        rng: &mut Rng,
    ) -> Outcome {
        ROLLOUT.rollout(game, position, rng)
    }
    fn prune(&self, _: &TicTacToe, _: &<TicTacToe as Game>::Position, moves: &mut Vec<u8>) {
        moves.retain(|&mv| mv != 0);
    }
}

#[test]
fn pruned_moves_are_not_played_unless_nothing_else_is_left() {
    let mut search = Mcts::new(Arc::new(Careful), small());
    let mut line = Line::new(TicTacToe);
    while line.outcome().is_none() {
        let found = unwatched(|w| search.search(&line, &to_nodes(300), w)).unwrap();
        assert!(found.best != 0 || line.legal_moves().len() == 1);
        line.play(found.best);
    }
}

#[test]
fn a_loss_is_not_proven_where_moves_were_pruned() {
    // The second side must go to a1, which is pruned: lost in the tree, not in truth.
    let mut line = Line::new(TicTacToe);
    for text in ["b1", "b2", "c1"] {
        line.play_text(text).unwrap();
    }
    let mut search = Mcts::new(Arc::new(Careful), small());
    let found = unwatched(|w| search.search(&line, &to_nodes(3000), w)).unwrap();
    assert!(found.playouts == 3000, "the root stays open");
    assert!(found.moves.iter().all(|m| m.line[0] != 0));
}

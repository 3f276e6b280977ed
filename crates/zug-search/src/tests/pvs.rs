//! The alpha-beta search against plain minimax, and its manners: limits, lines, repetition.

use crate::testing::{
    Blind, Matches, Maze, MazeGuide, OpenRows, RestlessGuide, Room, Stones, TicTacToe, to_depth,
    to_nodes, unwatched,
};
use crate::tt::Bound;
use crate::{Options, Pvs, SearchResult, minimax, signature};
use proptest::prelude::*;
use std::sync::Arc;
use zug_core::{Evaluator, Game, Guide, Limits, Line, Oracle, Repetition, Score, Side, Verdict};

/// Everything off that is not plain alpha-beta.
fn plain() -> Options {
    Options {
        hash: 1,
        table: false,
        aspiration: false,
        null_move: false,
        reductions: false,
        futility: false,
        quiescence: false,
        extensions: false,
        history: false,
        ..Options::default()
    }
}

fn search<G: Game, V: Guide<G>>(
    line: &Line<G>,
    guide: V,
    options: Options,
    limits: &Limits,
) -> SearchResult<G> {
    let mut search = Pvs::new(Arc::new(guide), options);
    unwatched(|watch| search.search(line, limits, watch)).expect("the game is not over")
}

/// The value at the end of a line, seen from the root.
fn value_of_line<G: Game>(line: &Line<G>, moves: &[G::Move], guide: &impl Evaluator<G>) -> Score {
    let game = line.game();
    let mut position = line.position().clone();
    for &mv in moves {
        let mut legal = Vec::new();
        game.moves(&position, &mut legal);
        assert!(legal.contains(&mv), "a line holds legal moves only");
        game.play(&mut position, mv);
    }
    let side = game.to_move(&position);
    let score = match game.outcome(&position) {
        Some(outcome) => Score::of_outcome(&outcome, side, moves.len() as u32),
        None => Score::estimate(guide.evaluate(game, &position)),
    };
    if side == line.to_move() { score } else { -score }
}

fn mazes() -> impl Strategy<Value = Maze> {
    let rooms = prop_oneof![Just(u64::MAX), 1u64..12];
    (any::<u64>(), 1u8..6, 1u8..7, rooms, any::<bool>(), any::<bool>()).prop_map(
        |(seed, width, height, rooms, points, irregular)| Maze {
            seed,
            width,
            height,
            rooms,
            points,
            irregular,
            ..Maze::default()
        },
    )
}

/// Small mazes in which positions come back; some moves are passes.
fn cyclic_mazes() -> impl Strategy<Value = Maze> {
    let rules = prop_oneof![Just(Repetition::Forbidden), Just(Repetition::Draw(3))];
    (any::<u64>(), 1u64..4, 1u8..4, rules, any::<bool>()).prop_map(
        |(seed, rooms, height, repetition, irregular)| Maze {
            seed,
            rooms,
            height,
            repetition,
            irregular,
            width: 3,
            cycles: true,
            ..Maze::default()
        },
    )
}

/// The positions that can be reached in so many plies.
fn reachable(maze: &Maze, plies: u32) -> Vec<Room> {
    let mut seen = vec![maze.start()];
    let mut first_new = 0;
    for _ in 0..plies {
        let last_new = seen.len();
        for i in first_new..last_new {
            let position = seen[i].clone();
            let mut moves = Vec::new();
            maze.moves(&position, &mut moves);
            for mv in moves {
                let mut child = position.clone();
                maze.play(&mut child, mv);
                if !seen.contains(&child) {
                    seen.push(child);
                }
            }
        }
        first_new = last_new;
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_sound_combination_equals_minimax(
        maze in mazes(), depth in 1u32..7, table: bool, aspiration: bool, history: bool,
        threads in 1usize..3,
    ) {
        let line = Line::new(maze);
        let options = Options { table, aspiration, history, threads, ..plain() };
        let found = search(&line, MazeGuide, options, &to_depth(depth));
        let right = minimax(&maze, &MazeGuide, line.position(), depth, 0);
        prop_assert_eq!(found.score, right);
        prop_assert_eq!(found.lines[0].moves[0], found.best);
        prop_assert_eq!(value_of_line(&line, &found.lines[0].moves, &MazeGuide), right);
    }

    #[test]
    fn a_search_without_limits_ends_when_the_value_is_exact(maze in mazes(), threads in 1usize..3) {
        let line = Line::new(maze);
        let options = Options { hash: 1, threads, ..Options::default() };
        let found = search(&line, MazeGuide, options, &Limits::default());
        let right = minimax(&maze, &MazeGuide, line.position(), u32::MAX, 0);
        prop_assert_eq!(found.score, right);
        prop_assert_eq!(value_of_line(&line, &found.lines[0].moves, &MazeGuide), right);
    }

    #[test]
    fn so_does_a_search_with_forcing_moves_and_extensions(maze in mazes()) {
        let line = Line::new(maze);
        let options = Options { hash: 1, ..Options::default() };
        let found = search(&line, RestlessGuide, options, &Limits::default());
        let right = minimax(&maze, &MazeGuide, line.position(), u32::MAX, 0);
        prop_assert_eq!(found.score, right);
    }

    #[test]
    fn what_the_table_calls_complete_is_true(
        maze in prop_oneof![mazes(), cyclic_mazes()], depth in 2u32..9,
    ) {
        let line = Line::new(maze);
        if line.legal_moves().is_empty() {
            return Ok(());
        }
        let mut search = Pvs::new(Arc::new(MazeGuide), Options { hash: 1, ..Options::default() });
        unwatched(|w| search.search(&line, &to_depth(depth), w)).unwrap();
        let table = search.table().unwrap();
        for position in reachable(&maze, depth) {
            let entry = table.get(maze.key(&position)).filter(|entry| entry.complete);
            let Some(entry) = entry else { continue };
            let mut path = vec![maze.repetition_key(&position)];
            let right = with_path(&maze, &position, 12, 0, &mut path);
            match entry.bound {
                Bound::Exact => prop_assert_eq!(entry.score, right),
                Bound::Lower => prop_assert!(entry.score <= right, "{entry:?} {right:?} {position:?}"),
                Bound::Upper => prop_assert!(entry.score >= right),
            }
        }
    }

    #[test]
    fn a_kept_table_still_gives_exact_values_at_the_end(maze in mazes()) {
        let mut line = Line::new(maze);
        let mut search = Pvs::new(Arc::new(MazeGuide), Options { hash: 1, ..Options::default() });
        while line.outcome().is_none() {
            let right = minimax(&maze, &MazeGuide, line.position(), u32::MAX, 0);
            let found = unwatched(|w| search.search(&line, &Limits::default(), w)).unwrap();
            prop_assert_eq!(found.score, right);
            line.play(found.best);
        }
    }

    #[test]
    fn several_lines_are_the_best_moves_with_their_values(
        maze in mazes(), depth in 1u32..6, lines in 1usize..5,
    ) {
        let line = Line::new(maze);
        let limits = Limits { lines, ..to_depth(depth) };
        let options = Options { hash: 1, ..Options::default() };
        let found = search(&line, MazeGuide, options, &limits);
        let mut right: Vec<Score> = line
            .legal_moves()
            .into_iter()
            .map(|mv| {
                let mut child = line.position().clone();
                maze.play(&mut child, mv);
                let value = minimax(&maze, &MazeGuide, &child, depth - 1, 1);
                if child.side == Side::First { value } else { -value }
            })
            .collect();
        right.sort_by_key(|&s| std::cmp::Reverse(s));
        right.truncate(lines);
        let scores: Vec<Score> = found.lines.iter().map(|l| l.score).collect();
        // A settled result may end the search before the full depth, with the same values.
        prop_assert_eq!(scores, right);
    }

    #[test]
    fn forcing_moves_and_extensions_equal_their_plain_definition(
        maze in mazes(), depth in 1u32..4, table: bool,
    ) {
        let maze = Maze { rooms: u64::MAX, ..maze };
        let line = Line::new(maze);
        let options = Options { quiescence: true, extensions: true, table, ..plain() };
        // Only one iteration deep enough counts, so a proven result must not end the search early:
        // compare with the reference at the depth that was reached.
        let found = search(&line, RestlessGuide, options, &to_depth(depth));
        let right = restless(&maze, line.position(), found.depth as i32, 0, found.depth);
        prop_assert_eq!(found.score, right);
    }

    #[test]
    fn repetition_equals_its_plain_definition(
        maze in cyclic_mazes(), depth in 1u32..8,
    ) {
        let line = Line::new(maze);
        let options = Options { aspiration: true, history: true, ..plain() };
        if line.legal_moves().is_empty() {
            return Ok(());
        }
        let found = search(&line, MazeGuide, options, &to_depth(depth));
        let mut path = vec![maze.repetition_key(line.position())];
        let right = with_path(&maze, line.position(), found.depth, 0, &mut path);
        prop_assert_eq!(found.score, right);
        let mut replay = line.clone();
        for mv in &found.lines[0].moves {
            prop_assert!(replay.legal_moves().contains(mv));
            replay.play(*mv);
        }
    }

    #[test]
    fn nodes_are_counted_exactly_and_searches_repeat(maze in mazes(), nodes in 1u64..3000) {
        let line = Line::new(Maze { height: 12, ..maze });
        let run = || search(&line, MazeGuide, Options { hash: 1, ..Options::default() }, &to_nodes(nodes));
        let (a, b) = (run(), run());
        let first = search(&line, MazeGuide, Options { hash: 1, ..Options::default() }, &to_depth(1));
        prop_assert!(a.nodes <= nodes.max(first.nodes));
        prop_assert_eq!((a.nodes, a.best, a.score, a.lines), (b.nodes, b.best, b.score, b.lines));
    }

    #[test]
    fn noise_chooses_among_the_nearly_best(maze in mazes(), noise in 1i32..200, seed: u64) {
        let line = Line::new(maze);
        let options = Options { noise, seed, hash: 1, ..Options::default() };
        let found = search(&line, MazeGuide, options, &to_depth(3));
        let mut child = line.position().clone();
        maze.play(&mut child, found.best);
        let value = minimax(&maze, &MazeGuide, &child, found.depth - 1, 1);
        let value = if child.side == Side::First { value } else { -value };
        let best = minimax(&maze, &MazeGuide, line.position(), found.depth, 0);
        prop_assert_eq!(found.score, value);
        prop_assert!(value.0 >= best.0 - noise);
    }
}

/// Minimax with forcing moves below the horizon and deeper looks under pressure.
fn restless(maze: &Maze, position: &Room, depth: i32, ply: u32, root_depth: u32) -> Score {
    if let Some(outcome) = maze.outcome(position) {
        return Score::of_outcome(&outcome, position.side, ply);
    }
    let pressed = ply > 0 && RestlessGuide.pressed(maze, position);
    let depth = if pressed && ply < 2 * root_depth { depth + 1 } else { depth };
    if depth <= 0 {
        return restless_below(maze, position, ply, 0);
    }
    let mut moves = Vec::new();
    maze.moves(position, &mut moves);
    let value = |mv| {
        let mut child = position.clone();
        maze.play(&mut child, mv);
        let value = restless(maze, &child, depth - 1, ply + 1, root_depth);
        if child.side == position.side { value } else { -value }
    };
    moves.into_iter().map(value).max().unwrap()
}

fn restless_below(maze: &Maze, position: &Room, ply: u32, below: u32) -> Score {
    if let Some(outcome) = maze.outcome(position) {
        return Score::of_outcome(&outcome, position.side, ply);
    }
    let stand = Score::estimate(RestlessGuide.evaluate(maze, position));
    if below >= crate::parameters::QUIESCENCE_PLIES {
        return stand;
    }
    let mut moves = Vec::new();
    let pressed = below < crate::parameters::QUIESCENCE_PRESSED_PLIES
        && RestlessGuide.pressed(maze, position);
    if pressed {
        maze.moves(position, &mut moves);
    } else {
        RestlessGuide.forcing(maze, position, &mut moves);
    }
    let value = |mv| {
        let mut child = position.clone();
        maze.play(&mut child, mv);
        let value = restless_below(maze, &child, ply + 1, below + 1);
        if child.side == position.side { value } else { -value }
    };
    moves.into_iter().map(value).chain((!pressed).then_some(stand)).max().unwrap()
}

/// Minimax that knows the path: a position that comes back is a draw, or not allowed.
fn with_path(maze: &Maze, position: &Room, depth: u32, ply: u32, path: &mut Vec<u64>) -> Score {
    if let Some(outcome) = maze.outcome(position) {
        return Score::of_outcome(&outcome, position.side, ply);
    }
    if depth == 0 {
        return Score::estimate(MazeGuide.evaluate(maze, position));
    }
    let mut moves = Vec::new();
    maze.moves(position, &mut moves);
    let mut best = None;
    for mv in moves {
        let mut child = position.clone();
        maze.play(&mut child, mv);
        let key = maze.repetition_key(&child);
        let value = match (path.contains(&key), maze.repetition) {
            (true, Repetition::Draw(_)) if maze.outcome(&child).is_none() => Score::DRAW,
            (true, Repetition::Forbidden) if path.last() != Some(&key) => continue,
            _ => {
                path.push(key);
                let value = with_path(maze, &child, depth - 1, ply + 1, path);
                path.pop();
                if child.side == position.side { value } else { -value }
            }
        };
        best = best.max(Some(value));
    }
    best.unwrap_or(Score::DRAW)
}

#[test]
fn tic_tac_toe_is_a_draw_and_the_search_knows_that_it_knows() {
    for guided in [false, true] {
        let line = Line::new(TicTacToe);
        let found = if guided {
            search(
                &line,
                OpenRows,
                Options { null_move: false, futility: false, ..Options::default() },
                &Limits::default(),
            )
        } else {
            search(&line, Blind, Options::default(), &Limits::default())
        };
        assert_eq!(found.score, Score::DRAW);
        assert!(found.complete, "no estimate is left in the value");
        assert!(found.depth <= 9);
    }
}

#[test]
fn all_hints_together_find_the_forced_win() {
    // After a1, b1, a3 the first side threatens and wins wherever the second side goes.
    let mut line = Line::new(TicTacToe);
    for text in ["a1", "b1"] {
        line.play_text(text).unwrap();
    }
    let right = minimax(&TicTacToe, &Blind, line.position(), 9, 0);
    assert_eq!(right.verdict(), Verdict::WonIn(5));
    for threads in [1, 2] {
        let options = Options { threads, ..Options::default() };
        let found = search(&line, OpenRows, options, &to_depth(7));
        assert_eq!(found.score, right);
        assert_eq!(found.lines[0].moves.len(), 5, "the line goes to the end");
    }
}

#[test]
fn the_quickest_win_and_the_longest_defence_are_found() {
    for pile in 2..20 {
        let line = Line::new(Matches(pile));
        let found = search(&line, Blind, Options::default(), &to_depth(30));
        let right = minimax(&Matches(pile), &Blind, line.position(), 30, 0);
        assert_eq!(found.score, right, "{pile} matches");
        assert_eq!(matches!(right.verdict(), Verdict::LostIn(_)), pile % 3 == 1);
    }
}

#[test]
fn very_long_games_are_searched_to_the_end_by_every_thread() {
    for pile in [180, 181] {
        let line = Line::new(Matches(pile));
        let options = Options { threads: 2, ..Options::default() };
        let found = search(&line, Blind, options, &Limits::default());
        let won = matches!(found.score.verdict(), Verdict::WonIn(_));
        assert_eq!(won, pile % 3 != 1);
    }
}

#[test]
fn an_oracle_is_believed() {
    /// Knows piles below ten.
    struct SmallPiles;
    impl Oracle<Matches> for SmallPiles {
        fn probe(&self, game: &Matches, position: &(u8, Side)) -> Option<Score> {
            (position.0 < 10).then(|| minimax(game, &Blind, position, 30, 0))
        }
    }
    let line = Line::new(Matches(12));
    let right = minimax(&Matches(12), &Blind, line.position(), 30, 0);
    let mut with = Pvs::new(Arc::new(Blind), Options::default()).with_oracle(Arc::new(SmallPiles));
    let found = unwatched(|w| with.search(&line, &to_depth(4), w)).unwrap();
    assert_eq!(found.score, right);
    let without = search(&line, Blind, Options::default(), &to_depth(4));
    assert_eq!(without.score, Score::DRAW);
}

#[test]
fn a_stopped_search_gives_the_move_of_its_last_full_iteration_or_better() {
    // The reports tell what was known; the result may only be at least as deep.
    let maze = Maze { seed: 3, height: 30, width: 6, ..Maze::default() };
    let line = Line::new(maze);
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let flag = stop.clone();
    let mut depths = Vec::new();
    let mut report = |info: &zug_core::Info| {
        depths.push(info.depth);
        if info.depth == 4 {
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let mut watch = zug_core::Watch::new(stop, &mut report);
    let mut search = Pvs::new(Arc::new(MazeGuide), Options::default());
    let found = search.search(&line, &Limits::default(), &mut watch).unwrap();
    assert_eq!(found.depth, 4);
    assert_eq!(depths, [1, 2, 3, 4]);
    assert!(line.legal_moves().contains(&found.best));
}

#[test]
fn the_signature_of_the_search_is_unchanged() {
    let mazes: Vec<Line<Maze>> = (0..4)
        .map(|seed| {
            Line::new(Maze {
                seed,
                height: 20,
                width: 9,
                rooms: 900,
                points: true,
                ..Maze::default()
            })
        })
        .collect();
    assert_eq!(signature(Arc::new(MazeGuide), &mazes, 11), Ok(36947));
    assert_eq!(signature(Arc::new(OpenRows), &[Line::new(TicTacToe)], 9), Ok(12257));
}

/// Looks at two moves of a position, and complains when the path does not lead there.
struct Narrow;

impl Evaluator<TicTacToe> for Narrow {
    fn evaluate(&self, _: &TicTacToe, _: &Stones) -> i32 {
        0
    }
}

impl Guide<TicTacToe> for Narrow {
    fn promises(
        &self,
        game: &TicTacToe,
        position: &Stones,
        path: &[u8],
        moves: &[u8],
        out: &mut Vec<i32>,
    ) {
        let mut replayed = game.start();
        path.iter().for_each(|&mv| game.play(&mut replayed, mv));
        assert_eq!(&replayed, position, "{path:?}");
        // The last squares first: not the order in which they come.
        out.clear();
        out.extend(moves.iter().map(|&mv| 1000 * i32::from(mv)));
    }
    fn width(&self) -> Option<usize> {
        Some(2)
    }
}

#[test]
fn a_narrow_search_leaves_moves_out_and_does_not_claim_to_be_certain() {
    let mut line = Line::new(TicTacToe);
    line.play(4);
    let mut search = Pvs::new(Arc::new(Narrow), Options { null_move: false, ..Options::default() });
    let found = unwatched(|watch| search.search(&line, &to_depth(6), watch)).unwrap();
    assert!([7, 8].contains(&found.best), "{:?}", found.best);
    assert!(found.nodes <= 2 + 4 + 8 + 16 + 32 + 64 + 6 * 64, "{} nodes", found.nodes);
    assert!(!found.complete);
    // What is asked about is searched, likely or not.
    let limits = Limits { only: vec!["a1".to_string()], ..to_depth(3) };
    let only = unwatched(|watch| search.search(&line, &limits, watch));
    assert_eq!(only.unwrap().best, 0);
}

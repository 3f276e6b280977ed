//! Is a value what looking at everything finds, and do cuts leave out what they may and no more?

use super::*;
use crate::bits;
use crate::engine::Pair;
use crate::engine::probcut::Tries;
use crate::patterns::{PatternModel, PatternSet, Phases};
use crate::records::testing::random_game;
use crate::solve::level::{Machine, at_level};
use crate::{Move, Othello};
use zug_core::rng;
use zug_core::seed::RngExt;

pub fn model(seed: u64) -> PatternModel {
    let set = PatternSet::parse(&["corner2x4", "diagonal4", "mobility"]).unwrap();
    let phases = Phases::new(&[10, 40]).unwrap();
    let mut rng = rng(seed, 0);
    let weights = (0..2 * set.cells()).map(|_| rng.random_range(-300i32..300) as i16).collect();
    PatternModel::new(set, phases, weights).unwrap()
}

pub fn board_after(seed: u64, plies: usize) -> Board {
    let game = random_game(&Othello::default(), seed, plies);
    game.into_iter().fold(Board::START, Board::after_move)
}

/// Full width, without tables or windows.
pub fn plain<E: Evaluation>(model: &E, board: Board, depth: u32) -> i32 {
    if board.is_over() {
        return final_value(model.unit(), board.final_score());
    }
    if board.moves() == 0 {
        return -plain(model, board.passed(), depth);
    }
    if depth == 0 {
        return model.value(board, &model.state(board));
    }
    let worth = |square| -plain(model, board.after(square), depth - 1);
    bits::each(board.moves()).map(worth).max().unwrap()
}

fn principal_value<E: Evaluation>(mid: &mut Mid<'_, E>, board: Board, depth: u32) -> i32 {
    let state = mid.evaluation.state(board);
    at_level!(Machine::detected(), level => {
        principal(level, mid, board, &state, depth, (-INFINITE, INFINITE))
    })
}

fn null_value<E: Evaluation>(mid: &mut Mid<'_, E>, board: Board, depth: u32, alpha: i32) -> i32 {
    let state = mid.evaluation.state(board);
    at_level!(Machine::detected(), level => null(level, mid, board, &state, depth, alpha))
}

/// The model with the values of log-odds.
struct Odds(PatternModel);

impl Evaluation for Odds {
    type State = <PatternModel as Evaluation>::State;

    fn unit(&self) -> Unit {
        Unit::LogOdds
    }

    fn state(&self, board: Board) -> Self::State {
        self.0.state(board)
    }

    fn played(&self, state: &Self::State, square: u32, flips: Squares) -> Self::State {
        self.0.played(state, square, flips)
    }

    fn passed(&self, state: &Self::State) -> Self::State {
        self.0.passed(state)
    }

    fn value(&self, board: Board, state: &Self::State) -> i32 {
        10 * self.0.value(board, state)
    }
}

/// Searches with one table find, on every machine and with any window, what looking at everything
/// finds.
fn check<E: Evaluation>(model: &E, boards: &[Board], depths: std::ops::Range<u32>) {
    let table = MidTable::new(1).unwrap();
    let stop = StopFlag::new();
    let cuts = ProbCut::guessed();
    let mut mid = Mid::new(model, &table, Some(&cuts), Confidence::FULL, &stop);
    for &board in boards {
        for depth in depths.clone() {
            let expected = plain(model, board, depth);
            assert_eq!(principal_value(&mut mid, board, depth), expected, "{board:?} {depth}");
            for alpha in [expected - 150, expected - 1, expected, expected + 150] {
                let found = null_value(&mut mid, board, depth, alpha);
                assert_eq!(found > alpha, expected > alpha, "{board:?} {depth} {alpha}");
                assert!(if found > alpha { found <= expected } else { found >= expected });
            }
            assert!(!mid.stopped);
        }
    }
}

#[test]
fn full_confidence_finds_what_looking_at_everything_finds() {
    let boards: Vec<Board> = (0..24).map(|s| board_after(s, 8 + 2 * s as usize)).collect();
    check(&model(1), &boards, 0..5);
}

#[test]
fn log_odds_are_searched_like_discs() {
    let boards: Vec<Board> = (0..12).map(|s| board_after(s, 30 + 2 * s as usize)).collect();
    check(&Odds(model(1)), &boards, 0..5);
}

#[test]
fn a_search_as_deep_as_the_game_finds_the_final_score() {
    let boards: Vec<Board> = (0..30).map(|s| board_after(s, 52 + s as usize % 6)).collect();
    check(&model(2), &boards, 6..12);
    check(&Odds(model(2)), &boards, 6..12);
    let table = MidTable::new(1).unwrap();
    let (model, stop) = (model(2), StopFlag::new());
    let mut mid = Mid::new(&model, &table, None, Confidence::FULL, &stop);
    for board in (0..10).map(|seed| board_after(seed, 48)) {
        assert_eq!(principal_value(&mut mid, board, 60), 100 * crate::solve::score(board));
    }
}

#[test]
fn discs_are_found_from_values_in_both_units() {
    for unit in [Unit::Discs, Unit::LogOdds] {
        for score in -64..=64 {
            let value = final_value(unit, score);
            assert_eq!(discs_up_to(unit, value), score);
            assert_eq!(discs_up_to(unit, value - 1), score - 1);
        }
        assert_eq!(discs_up_to(unit, INFINITE), 64);
        assert_eq!(discs_up_to(unit, -INFINITE), -65);
    }
}

#[test]
fn a_stopped_search_ends() {
    let (model, stop) = (model(3), StopFlag::new());
    let table = MidTable::new(1).unwrap();
    stop.set();
    let mut mid = Mid::new(&model, &table, None, Confidence::FULL, &stop);
    principal_value(&mut mid, Board::START, 40);
    assert!(mid.stopped && mid.nodes < 10);
    let stop = StopFlag::new();
    let mut mid = Mid::new(&model, &table, None, Confidence::FULL, &stop);
    mid.most_nodes = 20_000;
    principal_value(&mut mid, Board::START, 40);
    assert!(mid.stopped && (20_000..21_000).contains(&mid.nodes), "{}", mid.nodes);
    let mut mid = Mid::new(&model, &table, None, Confidence::FULL, &stop);
    mid.deadline = Some(Instant::now());
    principal_value(&mut mid, Board::START, 40);
    assert!(mid.stopped);
}

/// Pairs with deviation `sigma`, from each depth on.
fn pairs(sigma: f32, shallow: impl Fn(u32) -> Vec<u8>) -> ProbCut {
    let mut cuts = ProbCut::none(Unit::Discs);
    for discs in 4..=64 {
        for depth in 3..=20 {
            let pair = |shallow| Pair { shallow, a: 1.0, b: 0.0, sigma };
            let tries: Tries = shallow(depth).into_iter().map(pair).collect();
            cuts.set_midgame(discs, depth, tries);
        }
    }
    cuts
}

#[test]
fn cuts_that_ask_for_endless_certainty_change_nothing() {
    let (model, stop) = (model(4), StopFlag::new());
    let cuts = pairs(100_000.0, |depth| vec![depth as u8 - 2]);
    let confidence = Confidence::deviations(12.0).unwrap();
    for board in (0..12).map(|seed| board_after(seed, 10 + 3 * seed as usize)) {
        let table = MidTable::new(1).unwrap();
        let mut mid = Mid::new(&model, &table, Some(&cuts), confidence, &stop);
        assert_eq!(principal_value(&mut mid, board, 5), plain(&model, board, 5));
    }
}

/// The largest difference of depths of the pairs.
fn largest_difference(shallow: &dyn Fn(u32) -> Vec<u8>) -> u32 {
    let differences = |depth: u32| shallow(depth).into_iter().map(move |s| depth - u32::from(s));
    (3..=20).flat_map(differences).max().unwrap_or(0)
}

#[test]
fn no_position_is_judged_nearer_than_two_differences_of_pairs_allow() {
    let (model, stop) = (model(5), StopFlag::new());
    // No deviation: every null window ends in a cut where a pair is tried.
    let ladders: [fn(u32) -> Vec<u8>; 4] = [
        |depth| vec![depth as u8 - 2],
        // The thesis: one height, and so one cut on a path.
        |depth| if depth == 8 { vec![4] } else { vec![] },
        |depth| if depth % 2 == 0 { vec![depth as u8 - 4, depth as u8 - 2] } else { vec![] },
        |depth| vec![depth as u8 - depth.min(5) as u8, depth as u8 - 1],
    ];
    let mut saved = 0;
    for (number, shallow) in ladders.into_iter().enumerate() {
        let cuts = pairs(0.0, shallow);
        for seed in 0..4 {
            let board = board_after(seed, 12);
            let depth = 9;
            let table = MidTable::new(1).unwrap();
            let confidence = Confidence::deviations(0.0).unwrap();
            let mut mid = Mid::new(&model, &table, Some(&cuts), confidence, &stop);
            principal_value(&mut mid, board, depth);
            let least = cut::least_depth(depth, 0, &shallow);
            assert!(least + cut::NESTED * largest_difference(&shallow) >= depth);
            assert_eq!(least == depth - 4, number == 0 || number == 1);
            let seen = mid.shallowest - board.discs();
            assert!(seen >= least, "{seen} < {least}, pairs {number}");
            saved += u32::from(seen < depth);
        }
    }
    assert!(saved >= 12, "cuts were made: {saved}");
}

#[test]
fn the_table_names_moves_of_the_line() {
    let (model, stop) = (model(6), StopFlag::new());
    let table = MidTable::new(1).unwrap();
    let board = board_after(3, 20);
    let mut mid = Mid::new(&model, &table, None, Confidence::FULL, &stop);
    let value = principal_value(&mut mid, board, 5);
    let known = table.probe(board, super::table::key(board)).unwrap();
    assert_eq!((known.lower, known.upper), (value, value));
    assert!(Move::to_square(known.best[0].into()).is_some());
    assert_eq!(-plain(&model, board.after(known.best[0].into()), 4), value);
}

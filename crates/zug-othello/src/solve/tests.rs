//! The solver against a plain search of the whole tree, and against itself in other settings.

use super::*;
use crate::Othello;
use crate::records::testing::random_game;
use proptest::prelude::*;

/// The whole tree, without any cut.
fn plain(board: Board) -> i32 {
    let moves = board.moves();
    if moves == 0 {
        return if board.replies() == 0 { board.final_score() } else { -plain(board.passed()) };
    }
    each(moves).map(|square| -plain(board.after(square))).max().expect("a move")
}

/// A position of a random game with this many empty squares (fewer when the game ends before).
fn late(seed: u64, empties: u32) -> Board {
    let mut board = Board::START;
    for mv in random_game(&Othello::default(), seed, usize::MAX) {
        if board.empties() <= empties {
            break;
        }
        board = board.after_move(mv);
    }
    board
}

/// Every level that this machine has.
fn machines() -> Vec<Machine> {
    let mut all = vec![Machine::Portable(level::Portable)];
    #[cfg(target_arch = "x86_64")]
    {
        all.extend(level::x86::Avx2::detected().map(Machine::Avx2));
        all.extend(level::x86::Avx512::detected().map(Machine::Avx512));
    }
    all
}

/// Counts discs: a guide that often errs.
struct Discs;

impl Evaluation for Discs {
    type State = ();
    fn unit(&self) -> Unit {
        Unit::Discs
    }
    fn state(&self, _: Board) {}
    fn played(&self, (): &(), _: u32, _: Squares) {}
    fn passed(&self, (): &()) {}
    fn value(&self, board: Board, (): &()) -> i32 {
        100 * (board.own.count_ones() as i32 - board.other.count_ones() as i32)
    }
}

/// The line of a result is legal, and leads to the score if it leads to the end.
fn check_line(board: Board, solved: &Solved) {
    let mut at = board;
    for &mv in &solved.line {
        assert!(!at.is_over());
        match mv.square() {
            None => assert_eq!(at.moves(), 0),
            Some(square) => assert!(at.moves() >> square & 1 == 1),
        }
        at = at.after_move(mv);
    }
    assert_eq!(solved.best, solved.line.first().copied());
    assert_eq!(solved.best.is_none(), board.is_over());
    if at.is_over() && solved.confidence == Confidence::FULL {
        let sign = if solved.line.len().is_multiple_of(2) { 1 } else { -1 };
        assert_eq!(sign * at.final_score(), solved.score, "the line ends with the score");
    }
}

/// The line of an exact score goes to the end.
fn check_whole_line(board: Board, solved: &Solved) {
    check_line(board, solved);
    assert!(solved.line.iter().fold(board, |at, &mv| at.after_move(mv)).is_over());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn scores_are_those_of_the_whole_tree(seed in any::<u64>(), empties in 0u32..9) {
        let board = late(seed, empties);
        let expected = plain(board);
        prop_assert_eq!(score(board), expected);
        let mut solver = Solver::new(1);
        for machine in machines() {
            solver.machine = machine;
            [solver.near, solver.table] = [Table::new(0), Table::new(0)].map(Result::unwrap);
            let solved = solver.solve(board, -64, 64, &StopFlag::new()).unwrap();
            prop_assert_eq!(solved.score, expected, "{:?}", machine);
            check_whole_line(board, &solved);
            for (mv, score) in solver.every_move(board, &StopFlag::new()).unwrap() {
                prop_assert_eq!(score, -plain(board.after_move(mv)));
            }
        }
    }

    #[test]
    fn windows_are_respected(
        seed in any::<u64>(), empties in 0u32..9, alpha in -66i32..66, width in 1i32..20
    ) {
        let board = late(seed, empties);
        let expected = plain(board);
        let beta = alpha + width;
        let mut solver = Solver::new(0);
        let stop = StopFlag::new();
        for _ in 0..2 {
            let solved = solver.solve(board, alpha, beta, &stop).unwrap();
            check_bounds(solved.score, expected, alpha, beta)?;
        }
        let outcome = solver.solve_outcome(board, &stop).unwrap();
        prop_assert_eq!(outcome.score.signum(), expected.signum());
    }
}

fn check_bounds(score: i32, expected: i32, alpha: i32, beta: i32) -> Result<(), TestCaseError> {
    if score <= alpha {
        prop_assert!(expected <= score);
    } else if score >= beta {
        prop_assert!(expected >= score);
    } else {
        prop_assert_eq!(expected, score);
    }
    Ok(())
}

#[test]
fn table_guide_and_instructions_change_nothing_but_time() {
    let stop = StopFlag::new();
    let (mut kept, mut guided) = (Solver::new(4), Solver::with_guide(0, Discs));
    guided.guide_from(9);
    let mut nodes = [0, 0];
    for seed in 0..12 {
        let board = late(seed, 12 + seed as u32 % 3);
        let expected = score(board);
        let solved = kept.solve(board, -64, 64, &stop).unwrap();
        assert_eq!(solved.score, expected);
        check_whole_line(board, &solved);
        let again = kept.solve(board, -64, 64, &stop).unwrap();
        assert_eq!((again.score, again.best), (solved.score, solved.best));
        assert!(again.nodes <= solved.nodes, "the table was kept");
        let with_guide = guided.solve(board, -64, 64, &stop).unwrap();
        assert_eq!(with_guide.score, expected);
        check_whole_line(board, &with_guide);
        nodes[0] += solved.nodes;
        nodes[1] += with_guide.nodes;
        let best = kept.every_move(board, &stop).unwrap().into_iter().map(|(_, s)| s).max();
        assert_eq!(best.unwrap_or(expected), expected);
    }
    assert_ne!(nodes[0], nodes[1], "the guide was asked");
}

#[test]
fn a_side_that_cannot_move_passes_and_a_finished_game_has_its_score() {
    let stop = StopFlag::new();
    let mut solver = Solver::new(0);
    let mut passes = 0;
    for seed in 0..300 {
        let board = late(seed, 2 + seed as u32 % 6);
        // The side that has just moved can often not move again.
        for board in [board, board.passed()] {
            if board.moves() != 0 || board.is_over() {
                continue;
            }
            passes += 1;
            let solved = solver.solve(board, -64, 64, &stop).unwrap();
            assert_eq!(solved.score, plain(board));
            assert_eq!(solved.best, Some(Move::PASS));
            check_line(board, &solved);
            assert_eq!(solver.every_move(board, &stop), Some(vec![(Move::PASS, solved.score)]));
        }
        let end = late(seed, 0);
        let solved = solver.solve(end, -64, 64, &stop).unwrap();
        assert!(end.is_over() && solved.line.is_empty() && solved.best.is_none());
        assert_eq!(solved.score, end.final_score());
    }
    assert!(passes > 5);
    // The other side has no disc left: over, and the empty squares are the winner's.
    let alone = Board { own: 1, other: 0 };
    assert_eq!(solver.solve(alone, -64, 64, &stop).unwrap().score, 64);
    assert_eq!(score(alone.passed()), -64);
}

#[test]
fn preliminary_searches_and_a_lost_table_leave_the_score_and_the_whole_line() {
    let stop = StopFlag::new();
    for seed in 0..3 {
        let board = late(seed, 18);
        // A table of one bucket keeps next to nothing.
        let mut small = Solver::with_guide(0, Discs).cuts(Some(Arc::new(ProbCut::guessed())));
        small.guide_from(12);
        let solved = small.solve(board, -64, 64, &stop).unwrap();
        let (expected, _) = Solver::new(8).value(board, &stop).unwrap();
        assert_eq!(solved.score, expected);
        check_whole_line(board, &solved);
        let outcome = small.solve_outcome(board, &stop).unwrap();
        assert_eq!(outcome.score.signum(), expected.signum());
    }
}

#[test]
fn a_pass_is_exact_with_full_confidence_and_says_so_when_it_is_not() {
    let stop = StopFlag::new();
    let mut solver = Solver::with_guide(4, Discs).cuts(Some(Arc::new(ProbCut::guessed())));
    let some = Confidence::deviations(0.5).unwrap();
    let (mut wrong, mut doubtful) = (0, 0);
    for seed in 0..8 {
        let board = late(seed, 16);
        solver.clear();
        let (expected, _) = Solver::new(4).value(board, &stop).unwrap();
        let first = solver.pass(board, -64, 64, some, &stop).unwrap();
        doubtful += i32::from(first.confidence == some);
        assert!(first.confidence == some || first.score == expected);
        assert_eq!(first.best, first.line.first().copied());
        wrong += i32::from(first.score != expected);
        // What the first pass left out does not spoil the second.
        let second = solver.pass(board, -64, 64, Confidence::FULL, &stop).unwrap();
        assert_eq!((second.score, second.confidence), (expected, Confidence::FULL));
        check_whole_line(board, &second);
    }
    assert!(0 < wrong && wrong <= doubtful, "{wrong} wrong, {doubtful} doubtful");
}

#[test]
fn several_threads_find_the_same_scores() {
    let stop = StopFlag::new();
    let mut one = Solver::with_guide(4, Discs);
    for threads in [2, 5] {
        let mut many = Solver::with_guide(4, Discs).threads(threads);
        for seed in 0..6 {
            let board = late(seed, 18);
            let solved = many.solve(board, -64, 64, &stop).unwrap();
            assert_eq!(solved.score, one.solve(board, -64, 64, &stop).unwrap().score);
            check_whole_line(board, &solved);
        }
    }
}

#[test]
fn one_thread_does_the_same_again_after_forgetting() {
    let stop = StopFlag::new();
    let mut solver = Solver::with_guide(1, Discs);
    let board = late(5, 18);
    let first = solver.solve(board, -64, 64, &stop).unwrap();
    solver.clear();
    assert_eq!(solver.solve(board, -64, 64, &stop).unwrap(), first);
}

#[test]
fn a_table_larger_than_the_memory_is_refused_or_made_smaller() {
    for mib in [usize::MAX, usize::MAX >> 22] {
        let error = Solver::try_new(mib).err().expect("refused");
        assert!(error.to_string().contains(&mib.to_string()), "{error}");
        assert!(Solver::try_with_guide(mib, Discs).is_err());
    }
}

#[test]
fn a_search_that_is_stopped_has_no_result_and_spoils_nothing() {
    let mut solver = Solver::new(4);
    let stop = StopFlag::new();
    stop.set();
    let board = late(3, 13);
    assert_eq!(solver.solve(board, -64, 64, &stop), None);
    assert_eq!(solver.every_move(board, &stop), None);
    // From another thread, in the middle of a search that would take years.
    let stop = StopFlag::new();
    std::thread::scope(|scope| {
        let searching = scope.spawn(|| solver.solve(Board::START, -64, 64, &stop));
        std::thread::sleep(std::time::Duration::from_millis(30));
        stop.set();
        assert_eq!(searching.join().unwrap(), None);
    });
    let solved = solver.solve(board, -64, 64, &StopFlag::new()).unwrap();
    assert_eq!(solved.score, score(board));
    // Several threads, in the middle of a search that has begun to share its work.
    let mut solver = Solver::with_guide(4, Discs).threads(3);
    let (hard, stop) = (late(2, 30), StopFlag::new());
    std::thread::scope(|scope| {
        let searching = scope.spawn(|| solver.pass(hard, -64, 64, Confidence::FULL, &stop));
        std::thread::sleep(std::time::Duration::from_millis(100));
        stop.set();
        assert_eq!(searching.join().unwrap(), None);
    });
    let solved = solver.solve(board, -64, 64, &StopFlag::new()).unwrap();
    assert_eq!(solved.score, score(board));
}

#[test]
fn a_stop_ends_the_work_of_many_threads_wherever_they_are() {
    let board = late(3, 30);
    assert_eq!(board.empties(), 30);
    // Unprepared and prepared; with more threads than cores, so that some wait and some search.
    for prepared in [false, true] {
        let mut solver = Solver::with_guide(256, Discs).threads(8);
        solver.clear();
        let stop = StopFlag::new();
        let flag = stop.clone();
        let waiter = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(300));
            flag.set();
        });
        let solved = if prepared {
            solver.solve(board, -64, 64, &stop)
        } else {
            solver.pass(board, -64, 64, Confidence::FULL, &stop)
        };
        assert_eq!(solved, None);
        waiter.join().unwrap();
    }
}

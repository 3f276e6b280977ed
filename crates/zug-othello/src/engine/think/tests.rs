use super::super::mid::tests::{board_after, model, plain};
use super::*;
use crate::bits;
use crate::patterns::PatternModel;

fn thinker(seed: u64) -> Thinker<PatternModel> {
    let settings = Settings { hash_mib: 4, ..Settings::default() };
    Thinker::new(Arc::new(model(seed)), None, settings).unwrap()
}

fn selective(seed: u64, threads: usize) -> Thinker<PatternModel> {
    let settings = Settings { hash_mib: 4, threads, ..Settings::default() };
    Thinker::new(Arc::new(model(seed)), Some(Arc::new(ProbCut::guessed())), settings).unwrap()
}

fn think(thinker: &mut Thinker<PatternModel>, board: Board, wish: &Wish) -> Thought {
    thinker.think(board, wish, &StopFlag::new(), &mut |_| {})
}

fn to_depth(depth: u32) -> Wish {
    Wish { depth: Some(depth), ..Wish::default() }
}

/// Is every line a game that can be played?
fn check_lines(board: Board, thought: &Thought) {
    let mut first = 0;
    for found in &thought.lines {
        assert_eq!(found.line.first(), Some(&found.mv));
        let mut board = board;
        for &mv in &found.line {
            match mv.square() {
                Some(square) => assert_eq!(board.moves() >> square & 1, 1),
                None => assert!(board.moves() == 0 && !board.is_over()),
            }
            board = board.after_move(mv);
        }
        let bit = found.mv.square().map_or(0, |square| 1u64 << square);
        assert!(first & bit == 0, "a move is told once");
        first |= bit;
    }
}

#[test]
fn without_cuts_a_thought_finds_what_looking_at_everything_finds() {
    let mut thinker = thinker(1);
    for seed in 0..12 {
        let board = board_after(seed, 8 + 3 * seed as usize);
        thinker.clear();
        let thought = think(&mut thinker, board, &to_depth(4));
        let expected = plain(thinker.evaluation().as_ref(), board, 4);
        assert_eq!(thought.lines[0].value, Value::Estimate(expected), "seed {seed}");
        assert_eq!(thought.depth, 4);
        check_lines(board, &thought);
    }
}

#[test]
fn the_values_of_all_moves_are_those_of_looking_at_everything() {
    let mut thinker = thinker(2);
    for seed in 0..8 {
        let board = board_after(seed, 10 + 4 * seed as usize);
        thinker.clear();
        let wish = Wish { lines: usize::MAX, ..to_depth(4) };
        let thought = think(&mut thinker, board, &wish);
        assert_eq!(thought.lines.len() as u32, board.moves().count_ones());
        assert!(thought.lines.is_sorted_by_key(|line| -line.value.hundredths()));
        for found in &thought.lines {
            let next = board.after_move(found.mv);
            let expected = -plain(thinker.evaluation().as_ref(), next, 3);
            assert_eq!(found.value, Value::Estimate(expected));
        }
        check_lines(board, &thought);
    }
}

#[test]
fn late_positions_are_solved_by_every_kind_of_thought() {
    for seed in 0..8 {
        let board = board_after(seed, 48);
        if board.is_over() {
            continue;
        }
        let expected = crate::solve::score(board);
        let mut exact: Vec<i32> = bits::each(board.moves())
            .map(|square| -crate::solve::score(board.after(square)))
            .collect();
        exact.sort_unstable_by_key(|score| -score);
        for wish in [
            Wish::default(),
            to_depth(60),
            Wish { exact_from: 12, ..to_depth(2) },
            Wish { nodes: Some(100_000_000), ..Wish::default() },
        ] {
            for mut thinker in [thinker(3), selective(3, 1), selective(3, 2)] {
                let thought = think(&mut thinker, board, &wish);
                assert_eq!(thought.lines[0].value, Value::Exact(expected), "{seed} {wish:?}");
                assert_eq!(thought.lines[0].confidence, Confidence::FULL);
                assert_eq!(thought.phase, Phase::Maximisation);
                check_lines(board, &thought);
                let wish = Wish { lines: 3, ..wish.clone() };
                let thought = think(&mut thinker, board, &wish);
                let told: Vec<Value> = thought.lines.iter().map(|line| line.value).collect();
                let best: Vec<Value> = exact.iter().take(3).map(|&s| Value::Exact(s)).collect();
                assert!(board.moves() == 0 || told == best, "{told:?} {best:?} {wish:?}");
                check_lines(board, &thought);
            }
        }
    }
}

#[test]
fn phases_follow_each_other_and_a_proven_win_or_draw_is_kept() {
    let mut won = 0;
    for seed in 0..16 {
        let board = board_after(seed, 47);
        if board.moves() == 0 {
            continue;
        }
        let expected = crate::solve::score(board);
        let mut thinker = selective(13, 1 + seed as usize % 2);
        // So dear that nothing is done at once.
        thinker.costs = Costs::dear(20.0);
        let mut told: Vec<Thought> = Vec::new();
        let mut report = |thought: &Thought| told.push(thought.clone());
        let thought = thinker.think(board, &Wish::default(), &StopFlag::new(), &mut report);
        assert!(told.is_sorted_by_key(|thought| thought.phase));
        let phases = [Phase::Heuristic, Phase::SelectiveDecision, Phase::ExactDecision];
        for phase in phases {
            assert!(told.iter().any(|thought| thought.phase == phase), "{phase:?}");
        }
        assert_eq!(thought.lines[0].value, Value::Exact(expected));
        let after = told.iter().filter(|thought| thought.phase >= Phase::ExactDecision);
        for thought in after {
            let kept = -crate::solve::score(board.after_move(thought.lines[0].mv));
            assert_eq!(kept.signum(), expected.signum(), "seed {seed}");
            won += u32::from(expected > 0);
            check_lines(board, thought);
            if thought.phase == Phase::ExactDecision {
                let value = thought.lines[0].value;
                assert!(match value {
                    Value::AtLeast(discs) => discs > 0 && expected >= discs,
                    Value::AtMost(discs) => discs < 0 && expected <= discs,
                    exact => exact == Value::Exact(0) && expected == 0,
                });
            }
        }
        let wish = Wish { lines: 2, ..Wish::default() };
        let thought = think(&mut thinker, board, &wish);
        assert_eq!(thought.lines[0].value, Value::Exact(expected));
    }
    assert!(won >= 8, "there were wins to lose: {won}");
}

#[test]
fn only_the_moves_asked_for_are_thought_about() {
    for plies in [20, 50] {
        let board = board_after(5, plies);
        for square in bits::each(board.moves()) {
            for lines in [1, 4] {
                let wish = Wish { only: 1 << square, lines, depth: Some(5), ..Wish::default() };
                let thought = think(&mut selective(4, 1), board, &wish);
                assert_eq!(thought.lines.len(), 1);
                assert_eq!(thought.lines[0].mv.square(), Some(square));
            }
        }
        // What is not legal is not asked for.
        let wish = Wish { only: !board.moves(), depth: Some(3), ..Wish::default() };
        assert_eq!(think(&mut selective(4, 1), board, &wish).lines.len(), 1);
    }
}

#[test]
fn a_thought_that_is_stopped_at_once_names_a_legal_move() {
    let stop = StopFlag::new();
    stop.set();
    for threads in [1, 3] {
        for plies in [0, 30, 50, 57] {
            let board = board_after(8, plies);
            let mut thinker = selective(5, threads);
            let thought = thinker.think(board, &Wish::default(), &stop, &mut |_| {});
            assert_eq!(thought.lines.len(), 1);
            check_lines(board, &thought);
        }
    }
}

#[test]
fn a_thought_without_limits_ends_when_it_is_stopped() {
    for threads in [1, 2] {
        let mut thinker = selective(6, threads);
        let stop = StopFlag::new();
        let mut reports = 0;
        let thought = thinker.think(Board::START, &Wish::default(), &stop, &mut |thought| {
            reports += 1;
            if thought.depth >= 6 {
                stop.set();
            }
        });
        assert!(thought.depth >= 6 && thought.lines.len() == 1 && reports >= 6);
        check_lines(Board::START, &thought);
    }
}

#[test]
fn time_ends_a_thought_in_every_phase() {
    for (plies, lines) in [(4, 1), (4, 3), (30, 1), (36, 2)] {
        let mut thinker = selective(7, 1);
        let most = Some(std::time::Duration::from_millis(30));
        let board = board_after(2, plies);
        let thought = think(&mut thinker, board, &Wish { most, lines, ..Wish::default() });
        assert_eq!(thought.lines.len(), lines);
        check_lines(board, &thought);
        let aim = Some(std::time::Duration::from_millis(10));
        check_lines(board, &think(&mut thinker, board, &Wish { aim, most, ..Wish::default() }));
    }
}

#[test]
fn passes_and_finished_games_are_thought_about() {
    let (mut passes, mut finished) = (0, 0);
    let mut thinker = selective(8, 1);
    for seed in 0..60 {
        for plies in 40..70 {
            let board = board_after(seed, plies);
            if board.is_over() {
                finished += 1;
                assert!(think(&mut thinker, board, &Wish::default()).lines.is_empty());
                break;
            }
            if board.moves() == 0 && board.empties() <= 10 {
                passes += 1;
                let thought = think(&mut thinker, board, &Wish::default());
                assert_eq!(thought.lines[0].mv, Move::PASS);
                let score = crate::solve::score(board);
                assert_eq!(thought.lines[0].value, Value::Exact(score));
                check_lines(board, &thought);
                check_lines(board, &think(&mut thinker, board, &to_depth(3)));
            }
        }
    }
    assert!(passes >= 5 && finished >= 50);
}

#[test]
fn one_thread_thinks_the_same_twice() {
    for wish in [to_depth(7), Wish { nodes: Some(30_000), ..Wish::default() }] {
        for plies in [10, 44] {
            let board = board_after(3, plies);
            let thoughts = [0, 1].map(|_| {
                let mut told = Vec::new();
                let mut report =
                    |thought: &Thought| told.push((thought.nodes, thought.lines.clone()));
                selective(9, 1).think(board, &wish, &StopFlag::new(), &mut report);
                told
            });
            assert_eq!(thoughts[0], thoughts[1]);
        }
    }
}

#[test]
fn the_limit_of_nodes_counts_all_threads() {
    for threads in [1, 3] {
        let wish = Wish { nodes: Some(200_000), ..Wish::default() };
        let thought = think(&mut selective(10, threads), board_after(1, 12), &wish);
        let most = 200_000 + 5_000 * threads as u64;
        assert!((150_000..most).contains(&thought.nodes), "{threads}: {}", thought.nodes);
    }
}

#[test]
fn what_is_known_from_the_last_move_is_used() {
    let mut used = selective(11, 1);
    let board = board_after(4, 14);
    let thought = think(&mut used, board, &to_depth(9));
    let next = thought.lines[0].line.iter().take(2).fold(board, |b, &mv| b.after_move(mv));
    let after = think(&mut used, next, &to_depth(7));
    let fresh = think(&mut selective(11, 1), next, &to_depth(7));
    assert!(after.nodes * 2 < fresh.nodes, "{} {}", after.nodes, fresh.nodes);
}

#[test]
fn too_much_memory_is_refused_and_changes_nothing() {
    let mut thinker = thinker(12);
    let before = thinker.settings().clone();
    let wanted = Settings { hash_mib: usize::MAX >> 22, ..before.clone() };
    let error = thinker.set_settings(wanted).unwrap_err();
    assert!(error.to_string().contains("MiB"));
    assert_eq!(thinker.settings(), &before);
    assert_eq!(think(&mut thinker, Board::START, &to_depth(3)).depth, 3);
}

/// Counts discs, and panics on the thread that asks when it has been asked often.
struct Faulty {
    thread: std::thread::ThreadId,
    asked: std::sync::atomic::AtomicU64,
}

impl Evaluation for Faulty {
    type State = ();

    fn unit(&self) -> Unit {
        Unit::Discs
    }
    fn state(&self, _: Board) {}
    fn played(&self, (): &(), _: u32, _: bits::Squares) {}
    fn passed(&self, (): &()) {}
    fn value(&self, board: Board, (): &()) -> i32 {
        if std::thread::current().id() == self.thread {
            let asked = self.asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            assert!(asked < 400_000, "a fault of the first thread");
        }
        100 * (board.own.count_ones() as i32 - board.other.count_ones() as i32)
    }
}

#[test]
fn helpers_stop_when_the_first_thread_panics() {
    let evaluation = Faulty { thread: std::thread::current().id(), asked: 0.into() };
    let settings = Settings { hash_mib: 4, threads: 3, ..Settings::default() };
    let mut thinker = Thinker::new(Arc::new(evaluation), None, settings).unwrap();
    let run = || thinker.think(Board::START, &to_depth(50), &StopFlag::new(), &mut |_| {});
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
}

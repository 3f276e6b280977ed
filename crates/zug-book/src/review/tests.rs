use super::*;
use crate::testing::Script;
use std::collections::HashMap;
use zug_core::{Bound, Choice, Info, Scale, Watch};

/// Says what a table says of the position after each move, for the side that makes it: the value of
/// a quick look, and that of a long one.
struct Table {
    values: HashMap<&'static str, (i32, i32)>,
    /// How often it was asked, and with how many positions at most.
    asked: std::sync::Arc<std::sync::Mutex<Vec<u64>>>,
}

/// From so many positions on a look is long.
const LONG: u64 = 3_000;

impl Player for Table {
    fn name(&self) -> String {
        "table".into()
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let nodes = limits.nodes.expect("positions are counted");
        self.asked.lock().unwrap().push(nodes);
        let mut moves = line.legal_moves();
        moves.retain(|mv| limits.only.is_empty() || limits.only.contains(mv));
        let value = |mv: &String| {
            let (quick, long) = self.values.get(mv.as_str()).copied().unwrap_or_default();
            if nodes >= LONG { long } else { quick }
        };
        moves.sort_by_key(|mv| -value(mv));
        let info = |(place, mv): (usize, &String)| Info {
            rank: place + 1,
            depth: 3,
            score: Some(Score::estimate(value(mv))),
            line: vec![mv.clone()],
            ..Info::default()
        };
        let infos: Vec<Info> = moves.iter().enumerate().map(info).collect();
        infos.iter().take(limits.lines.max(1)).for_each(|info| (watch.report)(info));
        Ok(Choice { info: infos.into_iter().next(), ..Choice::of(&moves[0]) })
    }

    fn pace(&self) -> Option<u64> {
        Some(10_000)
    }

    fn scale(&self) -> Option<Scale> {
        Some(Scale::Discs)
    }
}

/// All steps of a game, the first move first, and what the player was asked.
fn reviewed(game: &str, moves: &str, values: &[(&'static str, i32, i32)]) -> (Vec<Step>, Vec<u64>) {
    reviewed_knowing(game, moves, values, None)
}

/// The same, where the position after so many plies has a certain score for its mover.
fn reviewed_knowing(
    game: &str,
    moves: &str,
    values: &[(&'static str, i32, i32)],
    certain: Option<(usize, Score)>,
) -> (Vec<Step>, Vec<u64>) {
    let game = Script::new(game);
    let entry = GameEntry::new(game.clone()).with_extension(game.places());
    let asked = std::sync::Arc::default();
    let values = values.iter().map(|&(mv, quick, long)| (mv, (quick, long))).collect();
    let player = Table { values, asked: std::sync::Arc::clone(&asked) };
    // A thousand positions for a whole look.
    let limits =
        Limits { movetime: Some(std::time::Duration::from_millis(100)), ..Limits::default() };
    let mut reviewer = Reviewer::new(&entry, Box::new(player), limits);
    if let Some((ply, score)) = certain {
        reviewer = reviewer.knowing(Box::new(move |line| {
            let worth = Worth::of_score(score, Sure::Exact, Scale::Discs);
            let best = line.legal_moves().pop().unwrap();
            let judged = Judged { worth, line: vec![best], depth: 0, others: Vec::new() };
            (line.ply() == ply).then_some(judged)
        }));
    }
    let stop = StopFlag::new();
    reviewer.begin(&game.line(moves), &stop).unwrap().unwrap();
    let mut steps = std::collections::BTreeMap::new();
    while let Some(told) = reviewer.step(&stop).unwrap() {
        steps.extend(told.again.into_iter().chain([told.step]).map(|step| (step.ply, step)));
    }
    let steps = steps.into_values().collect();
    let asked = asked.lock().unwrap().clone();
    (steps, asked)
}

/// A game of two moves whose ends are far away.
const OPEN: &str = "a: B C\nB: d e\nC: f g\nd: H\ne: I\nf: J\ng: K\nH = 1\nI = 1\nJ = 1\nK = 1";

fn check(steps: &[Step]) {
    for (before, after) in steps.iter().zip(&steps[1..]) {
        let handed = after.before.worth.before();
        assert_eq!(before.played.points(64.0), handed.points(64.0), "{}", before.mv);
        assert!((before.played.chance - handed.chance).abs() < 1e-9, "{}", before.mv);
    }
    for step in steps {
        let (best, played) = (step.before.worth.points(64.0), step.played.points(64.0));
        assert!(best >= played - 1e-9, "{} raised its value: {best} {played}", step.mv);
        assert!(step.before.worth.chance >= step.played.chance - 1e-9, "{step:?}");
        assert!(step.loss >= 0.0 && step.loss <= best - played + 0.01, "{}", step.mv);
    }
}

#[test]
fn a_mark_needs_a_second_look_that_agrees() {
    // The quick look says that C costs three discs; whether it does, the long one knows.
    for (long, mark) in [(300, Some(Mark::Mistake)), (0, None)] {
        let values = [("B", 300, long), ("C", 0, 0), ("f", 0, 0), ("g", -50, -50), ("J", 0, 0)];
        let (steps, asked) = reviewed(OPEN, "C f", &values);
        check(&steps);
        assert_eq!(steps[0].mark, mark, "{:?}", steps[0]);
        assert_eq!(steps[0].loss > 0.0, mark.is_some());
        assert!(asked.iter().any(|&nodes| nodes >= LONG));
        assert_eq!(steps[1].mark, None);
    }
}

#[test]
fn what_is_known_of_later_positions_is_handed_back() {
    // After B the second side is thought to stand well, until two plies later the end is seen.
    let game = "a: B C\nB: d\nd: E\nE = 5\nC: f\nf: G\nG = 1";
    let values = [("B", 100, 100), ("C", 50, 50)];
    let (steps, _) = reviewed(game, "B d E", &values);
    check(&steps);
    // The first side wins by five: that is what its moves are worth.
    assert_eq!(steps[0].played.points(64.0), 5.0);
    assert!(steps[0].before.worth.points(64.0) >= 5.0);
    assert_eq!(steps[0].before.worth.sure, Sure::Winner, "it wins, perhaps by more");
    assert_eq!((steps[0].loss, steps[0].mark), (0.0, None));
}

#[test]
fn the_best_move_costs_nothing_and_what_nobody_saw_is_no_ones_fault() {
    // Both looks like B; the end shows that it lost eight discs.
    let game = "a: B C\nB: d\nd: E\nE = -8\nC: f\nf: G\nG = 1";
    let (steps, _) = reviewed(game, "B d E", &[("B", 100, 100), ("C", -100, -100)]);
    check(&steps);
    assert_eq!((steps[0].loss, steps[0].mark), (0.0, None));
    assert_eq!(steps[0].played.points(64.0), -8.0);
    assert_eq!(steps[0].before.worth.points(64.0), 1.0, "the look is told, not the surprise");
    // A long look that would have played something else makes it a mistake.
    let (steps, _) = reviewed(game, "B d E", &[("B", 100, -700), ("C", -100, -100)]);
    check(&steps);
    assert_eq!(steps[0].mark, Some(Mark::Blunder));
    assert_eq!((steps[0].loss, steps[0].best()), (6.0, "C"));
}

/// The second side's move d looks good for the first side, whose position was lost all the same.
#[test]
fn what_an_earlier_position_proves_is_told_of_those_after_it() {
    let values = [
        ("B", 300, 300),
        ("C", 300, 300),
        ("d", -300, -300),
        ("e", -300, -300),
        ("f", -300, -300),
        ("g", -300, -300),
        ("H", 300, 300),
        ("J", 300, 300),
    ];
    for (score, words) in [
        (-Score::won_by(4.0), "White wins, proven"),
        (-Score::won_in(6), "White wins, proven"),
        (Score::DRAW, "+0.00"),
        (Score::won_by(2.0), "-2.00"),
    ] {
        for (moves, plies) in [("B", 1), ("B d", 2), ("C f", 2)] {
            let (steps, _) = reviewed_knowing(OPEN, moves, &values, Some((0, score)));
            check(&steps);
            assert_eq!((steps.len(), steps[0].before.worth.sure), (plies, Sure::Exact));
            assert_eq!(steps[0].mark, None, "{:?}", steps[0]);
            if moves == "B d" {
                assert_eq!(steps[1].before.worth.text(["white", "black"]), words, "{score}");
            }
        }
    }
    // Certain in the middle: what came before it is handed on, what comes after is limited by it.
    let (steps, _) = reviewed_knowing(OPEN, "B d H", &values, Some((1, Score::won_by(8.0))));
    check(&steps);
    assert_eq!(steps[0].played.points(64.0), -8.0);
}

/// A move that wins for certain was played in a position that is at least won.
#[test]
fn a_position_with_a_winning_move_is_won_whatever_else_costs() {
    let game = "a: B C\nB: d\nd: E\nE = 5\nC: f\nf: G\nG = 1";
    let (steps, _) = reviewed(game, "B d E", &[("B", 500, 500), ("C", 900, 900)]);
    check(&steps);
    assert_eq!((steps[0].loss, steps[0].mark), (4.0, Some(Mark::Mistake)));
    assert_eq!((steps[0].before.worth.sure, steps[0].before.worth.chance), (Sure::Winner, 1.0));
    assert_eq!(steps[0].before.worth.points(64.0), 9.0);
}

#[test]
fn positions_are_counted_so_that_two_runs_agree() {
    let values = [("B", 300, 250), ("C", 0, 0), ("f", 10, 20), ("g", 30, -50), ("K", 5, 5)];
    assert_eq!(reviewed(OPEN, "C g", &values), reviewed(OPEN, "C g", &values));
    let (_, asked) = reviewed(OPEN, "C g", &values);
    assert!(asked.iter().all(|nodes| [500, 1000, 4000].contains(nodes)), "{asked:?}");
}

#[test]
fn a_proof_without_a_score_is_told_as_such() {
    let info =
        |score: Score, bound| Info { score: Some(score), bound, proven: true, ..Info::default() };
    let worth = |info: &Info| Worth::of_info(info, Some(Score::estimate(-2651)), Scale::Discs);
    let lost = worth(&info(-Score::won_by(2.0), Bound::AtMost)).unwrap();
    assert_eq!((lost.sure, lost.chance), (Sure::Winner, 0.0));
    assert_eq!(lost.text(["black", "white"]), "White wins, proven");
    assert_eq!(lost.points(64.0), -26.51, "the guess behind it, for comparisons");
    assert_eq!(lost.before().text(["white", "black"]), "White wins, proven");
    // A guess on the wrong side of zero is none.
    let won = worth(&info(Score::won_by(2.0), Bound::AtLeast)).unwrap();
    assert_eq!(
        (won.points(64.0), won.text(["black", "white"])),
        (2.0, "Black wins, proven".into())
    );
    // "At least a draw" proves no winner.
    let open = worth(&info(Score::DRAW, Bound::AtLeast)).unwrap();
    assert_eq!(open.sure, Sure::Estimate);
}

#[test]
fn values_tell_exact_from_estimated() {
    let text = |score, sure| Worth::of_score(score, sure, Scale::Discs).text(["black", "white"]);
    assert_eq!(text(Score::won_by(6.0), Sure::Exact), "+6");
    assert_eq!(text(-Score::won_by(12.0), Sure::Exact), "-12");
    assert_eq!(text(Score::DRAW, Sure::Exact), "0");
    assert_eq!(text(Score::estimate(-135), Sure::Estimate), "-1.35");
    assert_eq!(text(Score::won_in(5), Sure::Exact), "won in 5");
    assert_eq!(text(Score::won_by(62.0), Sure::Estimate), "+62.00");
}

#[test]
fn marks_follow_the_loss_and_a_changed_winner() {
    let grading = Grading::usual(Scale::Discs);
    let mark = |loss| grading.mark(loss, None);
    assert_eq!([mark(0.9), mark(1.0)], [None, Some(Mark::Doubtful)]);
    assert_eq!([mark(2.0), mark(6.0)], [Some(Mark::Mistake), Some(Mark::Blunder)]);
    assert_eq!(grading.mark(2.0, Some(Thrown::Win)), Some(Mark::Blunder));
    assert_eq!(grading.mark(1.0, Some(Thrown::Draw)), Some(Mark::Mistake));
    assert_eq!(grading.mark(8.0, Some(Thrown::HalfTheWin)), Some(Mark::Blunder));
    let chances = Grading::usual(Scale::Pawns);
    assert_eq!(chances.unit, Unit::Percent);
    assert_eq!(chances.mark(12.0, None), Some(Mark::Mistake));
    let worth = |score, sure| Worth::of_score(score, sure, Scale::Discs);
    let (won, lost) =
        (worth(Score::won_by(2.0), Sure::Exact), worth(-Score::won_by(2.0), Sure::Winner));
    assert_eq!(Thrown::of(won, lost), Some(Thrown::Win));
    assert_eq!(Thrown::of(won, worth(-Score::won_by(2.0), Sure::Estimate)), None);
}

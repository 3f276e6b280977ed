use super::*;
use crate::graph::{Alternative, Leaf};
use crate::testing::{Script, exact, played, way};
use proptest::prelude::*;
use zug_core::seed::RngExt;
use zug_core::{Line, rng};

fn estimate(book: &mut Book, at: u64, hundredths: i32) {
    let (key, value) = (1000 + at, Chance::Estimate(hundredths));
    let alternative = Alternative { mv: "a".to_string(), key, value, depth: 8 };
    assert!(book.set_alternative(at, Some(alternative)));
}

fn value(book: &Book, key: u64) -> (i32, Chance) {
    let values = Values::of(book, Draws::Neutral);
    (values.tree(key).unwrap(), values.chance(key).unwrap())
}

fn won(proven: bool, margin: u32, ply: u32) -> Chance {
    Chance::Won(End { proven, margin, ply })
}

fn lost(proven: bool, margin: u32, ply: u32) -> Chance {
    Chance::Lost(End { proven, margin, ply })
}

#[test]
fn leaves_are_infinite_or_drawn() {
    for (leaf, chance) in [
        (exact(6), won(true, 6, 0)),
        (played(6), won(false, 6, 0)),
        (exact(0), Chance::DRAW),
        (played(-2), lost(false, 2, 0)),
    ] {
        let mut book = Book::new("x");
        book.add_game(&way(&[1]), leaf);
        assert_eq!(value(&book, 1), (leaf.value, chance));
    }
}

#[test]
fn in_a_won_node_only_the_winning_moves_of_the_book_count() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2]), played(-4));
    book.add_game(&way(&[1, -3]), played(4));
    estimate(&mut book, 1, 500);
    assert_eq!(value(&book, 1), (4, won(false, 4, 1)));
    // The opponent has a good deviation at 2: the win is as good as what comes of it.
    book.add_game(&way(&[1, -2, 5]), played(4));
    estimate(&mut book, 2, 30);
    assert_eq!(value(&book, 2), (-4, Chance::Estimate(30)));
    assert_eq!(value(&book, 1), (4, Chance::Estimate(-30)));
}

#[test]
fn in_a_drawn_node_the_drawing_moves_and_the_alternative_count() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2]), played(0));
    book.add_game(&way(&[1, -3]), played(4));
    assert_eq!(value(&book, 1), (0, Chance::DRAW));
    estimate(&mut book, 1, -10);
    assert_eq!(value(&book, 1), (0, Chance::DRAW));
    estimate(&mut book, 1, 10);
    assert_eq!(value(&book, 1), (0, Chance::Estimate(10)));
}

#[test]
fn in_a_lost_node_all_moves_and_the_alternative_count() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2]), played(8));
    book.add_game(&way(&[1, -3]), played(2));
    // All moves are in the book: the best of them.
    assert_eq!(value(&book, 1), (-2, lost(false, 2, 1)));
    estimate(&mut book, 1, -300);
    assert_eq!(value(&book, 1), (-2, Chance::Estimate(-300)));
}

#[test]
fn an_alternative_that_search_proves_is_infinite() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2]), played(8));
    let value_of = |book: &mut Book, chance| {
        let alternative = Alternative { mv: "a".into(), key: 50, value: chance, depth: 20 };
        book.set_alternative(1, Some(alternative));
        value(book, 1).1
    };
    assert_eq!(value_of(&mut book, won(true, 3, 0)), won(true, 3, 0));
    // Proven lost is worse than a loss that was only played.
    assert_eq!(value_of(&mut book, lost(true, 1, 0)), lost(false, 8, 1));
}

#[test]
fn signs_follow_the_side_to_move_through_passes() {
    let mut book = Book::new("x");
    // The second side passes at 2 by moving to 3, where the first moves; at 3 the first moves twice.
    book.add_game(&way(&[1, -2, 3, 4, -5]), exact(-6));
    for (key, tree) in [(5, -6), (4, 6), (3, 6), (2, -6), (1, 6)] {
        assert_eq!(value(&book, key).0, tree, "at {key}");
    }
    assert_eq!(value(&book, 3).1, won(true, 6, 4));
    estimate(&mut book, 2, -40);
    assert_eq!(value(&book, 1), (6, Chance::Estimate(40)));
}

#[test]
fn an_exact_result_decides_over_what_comes_after_it() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2, 3]), played(5));
    assert_eq!(value(&book, 1).0, 5);
    book.set_result(2, exact(2));
    assert_eq!(value(&book, 2), (2, won(true, 2, 1)));
    assert_eq!(value(&book, 1), (-2, lost(true, 2, 1)));
}

#[test]
fn draws_can_count_as_lost_for_one_colour_and_are_still_better_than_losses() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2]), exact(0));
    book.add_game(&way(&[1, -3]), played(7));
    let own = Values::of(&book, Draws::LostFor(Side::First));
    assert_eq!(own.standing(1), Some(Standing::Lost));
    assert_eq!(own.tree(1), Some(0));
    assert_eq!(own.chance(1), Some(lost(true, 0, 1)), "the draw, not the loss by 7");
    assert_eq!(own.standing(2), Some(Standing::Won));
    let other = Values::of(&book, Draws::LostFor(Side::Second));
    assert_eq!(other.standing(1), Some(Standing::Won));
    assert_eq!(other.chance(1), Some(won(true, 0, 1)));
    assert_eq!(Values::of(&book, Draws::Neutral).standing(1), Some(Standing::Drawn));
    // So the alternative is looked at, where a draw would have been repeated.
    estimate(&mut book, 1, -20);
    let own = Values::of(&book, Draws::LostFor(Side::First));
    assert_eq!(own.chance(1), Some(Chance::Estimate(-20)));
    assert_eq!(value(&book, 1).1, Chance::DRAW);
}

#[test]
fn an_open_position_is_worth_its_alternative_however_draws_count() {
    let game = Script::new("a: B C\nB: x y\nC = 1\nx = 0\ny = 0");
    let mut book = Book::new("script");
    book.add_open(&game.places(), &game.line("B"), 1, None);
    let key = |name| game.key_of(name);
    let all = [Draws::Neutral, Draws::LostFor(Side::First), Draws::LostFor(Side::Second)];
    for draws in all {
        let values = Values::of(&book, draws);
        assert_eq!(values.standing(key("B")), Some(Standing::Open));
        assert_eq!(values.standing(key("a")), Some(Standing::Open));
        assert_eq!(values.chance(key("a")), Some(Chance::DRAW));
    }
    let (mv, value) = ("x".to_string(), Chance::Estimate(70));
    book.set_alternative(key("B"), Some(Alternative { mv, key: key("x"), value, depth: 4 }));
    for draws in all {
        assert_eq!(Values::of(&book, draws).chance(key("a")), Some(Chance::Estimate(-70)));
    }
}

/// One open line and one won line from the same position, with an estimate for each.
fn half_open(won: i32, open: i32, here: i32) -> (Book, impl Fn(&str) -> u64) {
    let game = Script::new("a: B C D\nB: x y\nC: v w\nD = 1\nx = 0\ny = 0\nv = 3\nw = -3");
    let mut book = Book::new("script");
    for _ in 0..9 {
        book.add_open(&game.places(), &game.line("B"), 1, None);
    }
    book.add_line(&game.places(), &game.line("C v"), 2, exact(3));
    let key = move |name: &str| game.key_of(name);
    for (at, mv, hundredths) in [("B", "x", -open), ("C", "w", -won), ("a", "D", here)] {
        let value = Chance::Estimate(hundredths);
        let alternative = Alternative { mv: mv.to_string(), key: key(mv), value, depth: 4 };
        assert!(book.set_alternative(key(at), Some(alternative)));
    }
    (book, key)
}

#[test]
fn one_won_game_does_not_blind_for_open_moves_of_better_chance() {
    let stand = |won, open, here| {
        let (book, key) = half_open(won, open, here);
        let values = Values::of(&book, Draws::Neutral);
        (values.standing(key("a")).unwrap(), values.chance(key("a")).unwrap())
    };
    // The opponent has a good way out of the lost game: the open move is better.
    assert_eq!(stand(-331, 423, -900), (Standing::Open, Chance::Estimate(423)));
    assert_eq!(stand(-545, -122, -900), (Standing::Open, Chance::Estimate(-122)));
    assert_eq!(stand(-545, -600, -80), (Standing::Open, Chance::Estimate(-80)));
    // The win is the best of all, or good in itself: it is repeated.
    assert_eq!(stand(-100, -122, -900), (Standing::Won, Chance::Estimate(-100)));
    assert_eq!(stand(20, 120, 110), (Standing::Won, Chance::Estimate(20)));
    assert_eq!(stand(20, 121, 110), (Standing::Open, Chance::Estimate(121)));
}

#[test]
fn above_open_moves_a_lost_game_counts_by_the_deviation_that_is_known_in_it() {
    let stand = |deviation: Option<i32>| {
        let text = "a: B C D\nB: x y\nC: v\nv: M N\nD = 1\nM = -3\nN = 0\nx = 0\ny = 0";
        let game = Script::new(text);
        let mut book = Book::new("script");
        book.add_open(&game.places(), &game.line("B"), 1, None);
        book.add_line(&game.places(), &game.line("C v M"), 3, exact(3));
        let mut set =
            |at, mv, hundredths| {
                let value = Chance::Estimate(hundredths);
                let (mv, key) = (String::from(mv), game.key_of(mv));
                assert!(book.set_alternative(
                    game.key_of(at),
                    Some(Alternative { mv, key, value, depth: 4 })
                ));
            };
        set("B", "x", 500);
        if let Some(hundredths) = deviation {
            set("v", "N", hundredths);
        }
        let values = Values::of(&book, Draws::Neutral);
        assert_eq!(values.standing(game.key_of("C")), Some(Standing::Won));
        assert_eq!(values.standing(game.key_of("a")), Some(Standing::Open));
        values.chance(game.key_of("a")).unwrap()
    };
    assert_eq!(stand(None), Chance::Estimate(-500), "a known loss is worse than any estimate");
    assert_eq!(stand(Some(-600)), Chance::Estimate(-500));
    assert_eq!(stand(Some(-80)), Chance::Estimate(-80));
}

/// The definition, word by word and without memory: points, and whether it is open.
fn naive_tree(book: &Book, key: u64) -> (i32, bool) {
    let node = book.get(key).unwrap();
    match node.result() {
        Some(leaf) if leaf.exact || node.is_leaf() => return (leaf.value, false),
        None if node.is_leaf() => return (0, true),
        _ => {}
    }
    let best = best_played(book, key);
    if open_moves(book, key) == 0 {
        return (best.expect("a successor"), false);
    }
    match naive_wins(book, key) {
        Some(win) if win >= naive_best(book, key) => (best.unwrap(), false),
        Some(win) if win >= Chance::DRAW => match (win, naive_best(book, key)) {
            (Chance::Won(_), Chance::Won(_)) => (best.unwrap(), false),
            (Chance::Estimate(a), Chance::Estimate(b)) if b <= a + 100 => (best.unwrap(), false),
            _ => (0, true),
        },
        _ => (0, true),
    }
}

/// The largest tree value of a move that was played.
fn best_played(book: &Book, key: u64) -> Option<i32> {
    successors(book, key, true).map(|(k, sign)| sign * naive_tree(book, k).0).max()
}

/// How many moves lead to places that are open.
fn open_moves(book: &Book, key: u64) -> usize {
    let edges = book.get(key).unwrap().children().iter();
    edges.filter(|e| naive_tree(book, e.key).1).count()
}

/// The best chance of the moves that win.
fn naive_wins(book: &Book, key: u64) -> Option<Chance> {
    let wins = successors(book, key, true).filter(|&(k, sign)| sign * naive_tree(book, k).0 > 0);
    wins.map(|(k, sign)| signed(naive_chance(book, k), sign)).max()
}

/// The best chance of all moves and of the alternative.
fn naive_best(book: &Book, key: u64) -> Chance {
    let both = [true, false].into_iter().flat_map(|played| successors(book, key, played));
    let known = both.map(|(k, sign)| signed(naive_chance(book, k), sign)).max();
    known.max(book.get(key).unwrap().alternative().map(|a| a.value)).unwrap_or(Chance::DRAW)
}

fn signed(chance: Chance, sign: i32) -> Chance {
    if sign > 0 { chance } else { -chance }
}

/// Where moves lead that were played, or those that were not.
fn successors(book: &Book, key: u64, played: bool) -> impl Iterator<Item = (u64, i32)> + '_ {
    let node = book.get(key).unwrap();
    let none = node.children().iter().all(|edge| edge.games == 0);
    let wanted = move |edge: &&Edge| (edge.games > 0 || none) == played;
    node.children().iter().filter(wanted).map(move |edge| {
        let same = book.get(edge.key).unwrap().side == node.side;
        (edge.key, if same { 1 } else { -1 })
    })
}

fn naive_chance(book: &Book, key: u64) -> Chance {
    let node = book.get(key).unwrap();
    let (tree, is_open) = naive_tree(book, key);
    if let Some(leaf) = node.result().filter(|l| l.exact || node.is_leaf()) {
        let end = End { proven: leaf.exact, margin: leaf.value.unsigned_abs(), ply: node.ply };
        return match leaf.value {
            v if v > 0 => Chance::Won(end),
            0 => Chance::DRAW,
            _ => Chance::Lost(end),
        };
    }
    if is_open {
        return naive_best(book, key);
    }
    let after = |wanted: fn(i32) -> bool| {
        let kept = successors(book, key, true)
            .filter(move |&(k, sign)| wanted(sign * naive_tree(book, k).0))
            .map(|(k, sign)| signed(naive_chance(book, k), sign));
        kept.max()
    };
    let known = successors(book, key, false).map(|(k, sign)| signed(naive_chance(book, k), sign));
    let alternative = node.alternative().map(|a| a.value).max(known.max());
    match tree {
        t if t > 0 => after(|t| t > 0).unwrap(),
        0 => after(|t| t == 0).max(alternative).unwrap_or(Chance::DRAW),
        _ => after(|t| t < 0).max(alternative).unwrap(),
    }
}

/// Plays random games of a random script into a book, with alternatives and corrections in between;
/// `after` sees the book after each.
fn grow(seed: u64, mut after: impl FnMut(&Book)) {
    let game = Script::random(seed, 24);
    let places = game.places();
    let mut rng = rng(seed, 1);
    let mut book = Book::new("script");
    for _ in 0..12 {
        let mut line = Line::new(game.clone());
        while line.outcome().is_none() && (line.moves().is_empty() || rng.random_range(0..8) > 0) {
            let moves = line.legal_moves();
            let mv = moves[rng.random_range(0..moves.len())];
            line.play(mv);
        }
        let over = line.outcome().map(|o| Leaf::of_outcome(&o, line.to_move(), true));
        let leaf = over.unwrap_or_else(|| played(rng.random_range(-2..3)));
        if over.is_none() && rng.random_range(0..2) == 0 {
            book.add_open(&places, &line, usize::MAX, None);
        } else {
            book.add_line(&places, &line, usize::MAX, leaf);
        }
        let keys: Vec<u64> = book.nodes().map(|n| n.key).collect();
        for _ in 0..3 {
            let key = keys[rng.random_range(0..keys.len())];
            let hundredths = rng.random_range(-200..200);
            let alternative = Alternative {
                mv: "a".to_string(),
                key: rng.random_range(0..1 << 60),
                value: match rng.random_range(0..5) {
                    0 => won(true, 1, 3),
                    1 => lost(true, 1, 3),
                    _ => Chance::Estimate(hundredths),
                },
                depth: 4,
            };
            book.set_alternative(key, Some(alternative).filter(|_| hundredths % 5 != 0));
        }
        if rng.random_range(0..4) == 0 {
            let key = keys[rng.random_range(0..keys.len())];
            book.set_result(key, exact(rng.random_range(-2..3)));
        }
        after(&book);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn values_are_those_of_the_naive_definition(seed in any::<u64>()) {
        grow(seed, |book| {
            let values = Values::of(book, Draws::Neutral);
            for node in book.nodes() {
                let (points, is_open) = naive_tree(book, node.key);
                assert_eq!(values.tree(node.key), Some(points));
                assert_eq!(values.standing(node.key) == Some(Standing::Open), is_open);
                assert_eq!(values.chance(node.key), Some(naive_chance(book, node.key)));
            }
        });
    }

    #[test]
    fn following_the_changes_equals_working_everything_out_again(seed in any::<u64>()) {
        let all = [Draws::Neutral, Draws::LostFor(Side::First), Draws::LostFor(Side::Second)];
        let mut kept = all.map(|draws| Values::of(&Book::new("script"), draws));
        grow(seed, |book| {
            for values in &mut kept {
                values.update(book);
                assert_eq!(values.values, Values::of(book, values.draws).values);
            }
        });
    }
}

use super::*;
use crate::testing::{exact, played, way};
use proptest::prelude::*;

fn alternative(key: u64, value: i32) -> Option<Alternative> {
    Some(Alternative { mv: format!("m{key}"), key, value: Chance::Estimate(value), depth: 8 })
}

fn children(book: &Book, key: u64) -> Vec<(u64, u32)> {
    book.get(key).unwrap().children().iter().map(|e| (e.key, e.games)).collect()
}

#[test]
fn games_that_share_positions_share_nodes_and_count_from_each_movers_view() {
    let mut book = Book::new("x");
    let first = book.add_game(&way(&[1, -2, 3, -4]), exact(-5));
    assert_eq!(first, Added { new: vec![1, 2, 3, 4], changed: vec![] });
    // Another order of moves to the same place.
    let second = book.add_game(&way(&[1, -6, 3, -7]), played(0));
    assert_eq!(second, Added { new: vec![6, 7], changed: vec![1, 3] });
    assert_eq!(book.len(), 6);
    assert_eq!(book.games(), 2);
    assert_eq!(children(&book, 1), [(2, 1), (6, 1)]);
    assert_eq!(children(&book, 3), [(4, 1), (7, 1)]);
    assert_eq!(book.parents(3), [2, 6]);
    let count = |key| {
        let node = book.get(key).unwrap();
        (node.games, node.wins, node.draws, node.losses())
    };
    assert_eq!(count(1), (2, 1, 1, 0));
    assert_eq!(count(2), (1, 0, 0, 1));
    assert_eq!(count(7), (1, 0, 1, 0));
    assert_eq!(book.roots(), [Root { key: 1, position: String::new() }]);
}

#[test]
fn a_game_without_a_result_is_lost_for_nobody() {
    let game = crate::testing::Script::new("a: B C\nB: c d\nC = 1\nc = 2\nd = 3");
    let mut book = Book::new("script");
    let outcome = |winner| Some(Outcome { winner, margin: None, reason: "stated" });
    for end in [None, outcome(Some(Side::First)), outcome(Some(Side::Second)), outcome(None), None]
    {
        book.add_open(&game.places(), &game.line("B"), 1, end);
    }
    for node in book.nodes() {
        let counts = [node.games, node.wins, node.draws, node.losses(), node.unknown];
        assert_eq!(counts, [5, 1, 1, 1, 2], "{}", node.key);
    }
    // … and it survives the file.
    let read = Book::from_bytes(book.to_bytes().unwrap(), None).unwrap();
    assert!(read.nodes().all(|n| n.unknown == 2 && n.losses() == 1));
}

#[test]
fn the_same_game_again_changes_counts_alone() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2, 3]), played(1));
    let mark = book.mark();
    assert_eq!(book.add_game(&way(&[1, -2, 3]), played(1)), Added::default());
    assert_eq!(book.changes_since(mark), Some(&[][..]));
    assert_eq!(children(&book, 1), [(2, 2)]);
}

#[test]
fn loops_of_a_game_are_cut_out() {
    let mut book = Book::new("x");
    // 2 comes back twice; what was between is no part of the game.
    book.add_game(&way(&[1, -2, 3, -4, 5, -2, 6, -7, -2, 8]), played(0));
    let mut keys: Vec<u64> = book.nodes().map(|n| n.key).collect();
    keys.sort_unstable();
    assert_eq!(keys, [1, 2, 8]);
    // A game that ends by repetition ends where the position was first.
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2, 3, -4, 1, -2, 3, -4, 1]), played(0));
    assert_eq!(book.len(), 1);
    assert_eq!(book.get(1).unwrap().result(), Some(played(0)));
}

#[test]
fn a_move_that_closes_a_circle_over_two_games_is_not_stored() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2, 3, -4]), played(1));
    // From 3 back to 2 by way of 5, and on to 6.
    let added = book.add_game(&way(&[1, -9, 3, -5, 2, -6]), played(-1));
    assert_eq!(added.new, [9, 5, 6]);
    assert!(book.get(5).unwrap().is_leaf());
    // The part before the cut ends with the result of the game: lost for the mover at 6, the
    // second side, which moves at 5 as well.
    assert_eq!(book.get(5).unwrap().result(), Some(played(-1)));
    assert_eq!(children(&book, 2), [(3, 1), (6, 1)]);
    for node in book.nodes() {
        assert!(node.children().iter().all(|e| book.get(e.key).unwrap().ply > node.ply));
    }
}

#[test]
fn a_shorter_way_first_and_a_longer_later_raises_the_plies_behind() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2, 3, -4]), played(1));
    book.add_game(&way(&[1, -5, 6, -7, 8, -2]), played(1));
    let ply = |key| book.get(key).unwrap().ply;
    assert_eq!((ply(8), ply(2), ply(3), ply(4)), (4, 5, 6, 7));
}

#[test]
fn a_longer_game_makes_a_leaf_an_inner_node() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2]), played(1));
    let added = book.add_game(&way(&[1, -2, 3]), played(1));
    assert_eq!(added.changed, [2]);
    assert_eq!(book.get(2).unwrap().result(), None, "a played result goes");

    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2]), exact(1));
    book.add_game(&way(&[1, -2, 3]), played(1));
    assert_eq!(book.get(2).unwrap().result(), Some(exact(1)), "an exact result stays");
    // A game that ended early says nothing where others went on.
    assert!(!book.set_result(1, played(-3)));
    book.add_game(&way(&[1]), played(-3));
    assert_eq!(book.get(1).unwrap().result(), None);
    assert!(book.set_result(1, exact(-3)));
}

#[test]
fn exact_beats_played_and_otherwise_the_newest_result_holds() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1]), played(1));
    let result = |book: &Book| book.get(1).unwrap().result();
    for (leaf, changes, then) in [
        (played(-2), true, played(-2)),
        (played(-2), false, played(-2)),
        (exact(0), true, exact(0)),
        (played(5), false, exact(0)),
        (exact(4), true, exact(4)),
    ] {
        assert_eq!(book.set_result(1, leaf), changes, "{leaf:?}");
        assert_eq!(result(&book), Some(then));
    }
    assert!(!book.set_result(77, exact(1)));
}

#[test]
fn half_a_point_is_no_draw() {
    let by = |lead| Outcome::by_points(lead, "count");
    assert_eq!(Leaf::of_outcome(&by(0.5), Side::First, true), exact(1));
    assert_eq!(Leaf::of_outcome(&by(-7.5), Side::First, false), played(-8));
    assert_eq!(Leaf::of_outcome(&by(-12.0), Side::Second, true), exact(12));
    assert_eq!(Leaf::of_outcome(&by(0.0), Side::Second, true), exact(0));
    let mate = Outcome::win(Side::Second, "mate");
    assert_eq!(Leaf::of_outcome(&mate, Side::First, true), exact(-1));
}

#[test]
fn an_alternative_goes_when_its_place_comes_into_the_book() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2, 3]), played(1));
    assert!(book.set_alternative(1, alternative(9, 10)));
    assert!(book.set_alternative(2, alternative(8, 10)));
    assert!(!book.set_alternative(77, alternative(8, 10)));
    // Played from here.
    let added = book.add_game(&way(&[1, -9, 4]), played(1));
    assert_eq!(added.changed, [1]);
    assert_eq!(book.get(1).unwrap().alternative(), None);
    // Come to by another way: it is a successor of 2 as well now.
    let added = book.add_game(&way(&[1, -9, 8]), played(1));
    assert_eq!(added.changed, [2, 9]);
    assert_eq!(book.get(2).unwrap().alternative(), None);
    assert_eq!(children(&book, 2), [(3, 1), (8, 0)]);
    // A place of the book is no alternative.
    assert!(!book.set_alternative(2, alternative(4, 10)));
    assert_eq!(children(&book, 2), [(3, 1), (4, 0), (8, 0)]);
    assert_eq!(book.get(2).unwrap().alternative(), None);
}

#[test]
fn an_alternative_back_to_an_earlier_place_stays_one() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2, 3, -4]), played(1));
    assert!(book.set_alternative(3, alternative(1, 0)));
    assert_eq!(book.get(3).unwrap().alternative().unwrap().key, 1);
    assert!(book.set_alternative(3, None));
    assert_eq!(book.get(3).unwrap().alternative(), None);
}

#[test]
fn a_log_that_grows_too_long_is_begun_anew() {
    let mut book = Book::new("x");
    book.add_game(&way(&[1, -2]), played(1));
    let mark = book.mark();
    for value in 0..2000 {
        book.set_alternative(1, alternative(9, value));
    }
    assert_eq!(book.changes_since(mark), None);
    assert!(book.changes_since(book.mark()).is_some());
}

proptest! {
    #[test]
    fn whatever_is_added_no_circle_and_no_loose_end_comes_about(
        games in prop::collection::vec((prop::collection::vec(0i64..12, 1..14), -1i32..2, any::<bool>()), 1..12),
        alternatives in prop::collection::vec((0u64..12, 0u64..20), 0..12),
    ) {
        let mut book = Book::new("x");
        for (numbers, value, exact) in games {
            // Sides by the parity of the number, so that a place always has the same mover.
            let visited: Vec<Visited> = numbers.iter().enumerate().map(|(ply, &n)| Visited {
                key: n as u64,
                side: if n % 2 == 0 { Side::First } else { Side::Second },
                ply: ply as u32,
            }).collect();
            book.add_game(&visited, Leaf { value, exact });
            for &(key, to) in &alternatives {
                book.set_alternative(key, alternative(to, 3));
            }
        }
        for node in book.nodes() {
            for edge in node.children() {
                let to = book.get(edge.key).unwrap();
                prop_assert!(to.ply > node.ply);
                prop_assert!(book.parents(edge.key).contains(&node.key));
            }
            prop_assert!(node.children().is_sorted_by(|a, b| a.key < b.key));
            prop_assert!(!node.is_leaf() || node.result().is_some());
            prop_assert!(node.is_leaf() || node.result().is_none_or(|r| r.exact));
            prop_assert!(node.wins + node.draws + node.losses() == node.games && node.unknown == 0);
            if let Some(alternative) = node.alternative() {
                let at = |key| book.index[&key];
                prop_assert!(
                    !book.contains(alternative.key)
                        || book.closes_circle(at(node.key), at(alternative.key))
                );
            }
        }
    }
}

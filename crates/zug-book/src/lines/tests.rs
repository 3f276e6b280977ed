use super::*;
use crate::testing::{Script, exact, played};

#[test]
fn a_line_is_visited_up_to_the_ply_asked_for() {
    let game = Script::new("a: B\nB: c\nc: D\nD = 1");
    let places = game.places();
    let line = game.line("B c D");
    let keys = |plies| -> Vec<(u64, u32)> {
        visited(&places, &line, plies).iter().map(|v| (v.key, v.ply)).collect()
    };
    let key = |name| game.key_of(name);
    assert_eq!(keys(2), [(key("a"), 0), (key("B"), 1), (key("c"), 2)]);
    assert_eq!(keys(9).len(), 4);
    assert_eq!(keys(0), [(key("a"), 0)]);
    let mut book = Book::new("script");
    book.add_line(&places, &line, 2, played(1));
    assert_eq!(book.len(), 3);
    assert!(book.get(key("c")).unwrap().is_leaf());
}

#[test]
fn new_positions_are_linked_to_what_the_book_knows_of_their_moves() {
    let game = Script::new("a: B C\nB: d e\nC: d e\nd = 1\ne = -1");
    let mut book = Book::new("script");
    game.add(&mut book, "B d", None);
    game.add(&mut book, "C e", None);
    let children = |book: &Book, name| -> Vec<(u64, u32)> {
        let node = book.get(game.key_of(name)).unwrap();
        node.children().iter().map(|e| (e.key, e.games)).collect()
    };
    let (d, e) = (game.key_of("d"), game.key_of("e"));
    let sorted = |mut edges: Vec<(u64, u32)>| {
        edges.sort_unstable();
        edges
    };
    assert_eq!(children(&book, "C"), sorted(vec![(d, 0), (e, 1)]));
    // B came before e was known; linking everything finds it.
    assert_eq!(children(&book, "B"), [(d, 1)]);
    let places = game.places();
    assert_eq!(unplayed(&book, &places, &game.line("B")), Vec::<String>::new());
    assert_eq!(book.link_all(&game, &places), [game.key_of("B")]);
    assert_eq!(children(&book, "B"), sorted(vec![(d, 1), (e, 0)]));
    assert_eq!(book.link_all(&game, &places), Vec::<u64>::new());
}

#[test]
fn a_place_becomes_a_line_that_leads_there() {
    let game = Script::new("a: B C\nB: d\nC: d e\nd: F\nF = 1\ne = 0");
    let mut book = Book::new("script");
    let places = game.places();
    game.add(&mut book, "C d F", None);
    game.add(&mut book, "C e", None);
    let line = book.line_to(&game, &places, game.key_of("F")).unwrap();
    assert_eq!(line.moves(), ["C", "d", "F"]);
    assert!(book.line_to(&game, &places, 12345).is_none());
    // A game that begins elsewhere has its own root.
    let begun = zug_core::AnyGame::line_from(&game, "B").unwrap();
    let mut begun = begun;
    begun.play("d").unwrap();
    book.add_line(&places, &*begun, 1, played(0));
    assert_eq!(book.roots().len(), 2);
    let line = book.line_to(&game, &places, game.key_of("B")).unwrap();
    assert_eq!((line.start_text(), line.ply()), ("B".to_string(), 0));
}

#[test]
fn a_walk_visits_every_node_once_with_a_line_that_leads_there() {
    for seed in 0..40 {
        let game = Script::random(seed, 30);
        let places = game.places();
        let mut book = Book::new("script");
        for stream in 0..6 {
            let mut line = zug_core::Line::new(game.clone());
            let mut rng = zug_core::rng(seed, stream);
            while line.outcome().is_none() {
                let moves = line.legal_moves();
                use zug_core::seed::RngExt;
                line.play(moves[rng.random_range(0..moves.len())]);
            }
            let leaf = Leaf::of_outcome(&line.outcome().unwrap(), line.to_move(), true);
            book.add_line(&places, &line, usize::MAX, leaf);
        }
        let mut visits = Vec::new();
        let seen = book.walk(&game, &places, |_, node, line, steps| {
            assert_eq!(places.key(line), node.key);
            assert_eq!(places.steps(line), steps);
            visits.push(node.key);
        });
        assert_eq!(visits.len(), book.len());
        assert_eq!(seen.len(), book.len());
    }
}

#[test]
fn moves_back_into_the_book_can_be_searched_as_they_cannot_be_stored() {
    // A circle: c leads back to a.
    let game = Script::new("a: B\nB: c d\nc: a2 E\na2: B\nE = 1\nd = -1");
    let mut table = (*game.0).clone();
    let (a, back) = (0, table.iter().position(|p| p.name == "a2").unwrap());
    let c = table.iter().position(|p| p.name == "c").unwrap();
    table[c].to.retain(|&to| to != back);
    table[c].to.push(a);
    let game = Script(std::sync::Arc::new(table));
    let places = game.places();
    let mut book = Book::new("script");
    let line = game.line("B c a B d");
    book.add_line(&places, &line, usize::MAX, exact(-1));
    assert_eq!(book.len(), 3, "the loop is left out");
    let line = game.line("B c E");
    book.add_line(&places, &line, usize::MAX, exact(1));
    assert_eq!(unplayed(&book, &places, &game.line("B c")), ["a"]);
    assert!(book.link_all(&game, &places).is_empty());
}

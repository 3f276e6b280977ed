use super::*;
use crate::Chance;
use crate::graph::{Alternative, Leaf, Root, Visited};
use crate::testing::{Script, exact};

const TEXT: &str = "a: B C\nB: d e\nC: d\nd: F G\nF = 2\nG = -2\ne = -1";

fn good() -> (Script, Book) {
    let game = Script::new(TEXT);
    let mut book = Book::new("script");
    game.add(&mut book, "B d F", None);
    game.add(&mut book, "C d F", None);
    let key = |name| game.key_of(name);
    let value = Chance::Estimate(-20);
    let alternative = Alternative { mv: "e".into(), key: key("e"), value, depth: 6 };
    assert!(book.set_alternative(key("B"), Some(alternative)));
    (game, book)
}

/// The faults of a book after something was done to it.
fn faults(spoil: impl FnOnce(&Script, &mut Book)) -> Vec<String> {
    let (game, mut book) = good();
    spoil(&game, &mut book);
    let report = check(&book, &game, &game.places());
    assert_eq!(report.is_good(), report.faults.is_empty());
    report.faults.iter().map(ToString::to_string).collect()
}

fn node<'a>(book: &'a mut Book, game: &Script, name: &str) -> &'a mut Node {
    let at = book.index[&game.key_of(name)];
    &mut book.nodes[at as usize]
}

#[test]
fn a_good_book_is_counted_and_has_no_faults() {
    let (game, book) = good();
    let report = check(&book, &game, &game.places());
    let expected = Report {
        positions: 5,
        games: 2,
        leaves: 1,
        exact: 1,
        edges: 5,
        alternatives: 1,
        ..Report::default()
    };
    assert_eq!(report, expected);
}

#[test]
fn every_fault_is_found_and_named_with_its_position() {
    let one = |what: &str, spoil: &dyn Fn(&Script, &mut Book)| {
        let found = faults(|game, book| spoil(game, book));
        assert!(found.iter().any(|f| f.contains(what)), "{what}: {found:?}");
    };
    one("position B (", &|game, book| node(book, game, "B").side = Side::First);
    one("the other side is to move", &|game, book| node(book, game, "B").side = Side::First);
    one("the game is over here, with another result", &|game, book| {
        book.set_result(game.key_of("F"), exact(5));
    });
    one("the game is over here", &|game, book| node(book, game, "F").result = None);
    one("games go on after a result that is not exact", &|game, book| {
        node(book, game, "d").result = Some(Leaf { value: 1, exact: false });
    });
    one("left without a result than played", &|game, book| {
        node(book, game, "d").wins = 9;
    });
    one("more games go on from it than came to it", &|game, book| {
        node(book, game, "a").games = 1;
    });
    one("more games lead to a successor", &|game, book| node(book, game, "F").games = 1);
    one("a successor does not come after it", &|game, book| node(book, game, "d").ply = 1);
    one("a successor is not in the book", &|game, book| {
        node(book, game, "d").children[0].key = 99;
    });
    one("it does not know the ways", &|game, book| node(book, game, "F").parents.clear());
    one("no legal move leads to one of its successors", &|game, book| {
        let from = book.index[&game.key_of("C")];
        let to = book.index[&game.key_of("F")];
        assert!(book.connect(from, to, 0, &mut Vec::new()));
    });
    one("the alternative is no legal move", &|game, book| {
        let at = book.index[&game.key_of("B")];
        let value = Chance::DRAW;
        let alternative = Alternative { mv: "x".into(), key: 99, value, depth: 6 };
        book.replace_alternative(at, Some(alternative));
    });
    one("the alternative is in the book", &|game, book| {
        let (at, key) = (book.index[&game.key_of("C")], game.key_of("d"));
        let alternative = Alternative { mv: "d".into(), key, value: Chance::DRAW, depth: 6 };
        book.replace_alternative(at, Some(alternative));
    });
    one("no legal moves of the book lead here", &|_, book| {
        book.add_game(&[Visited { key: 77, side: Side::First, ply: 0 }], exact(1));
    });
    one("games begin here, but the place has the key", &|_, book| book.roots[0].key = 77);
    one("where games begin cannot be read", &|_, book| {
        book.roots.push(Root { key: 77, position: "nowhere".into() });
    });
    one("its exact result is worse than that of a successor", &|game, book| {
        book.set_result(game.key_of("d"), exact(-1));
    });
    one("its exact result is better than that of every move", &|game, book| {
        book.set_result(game.key_of("d"), exact(2));
        book.set_result(game.key_of("C"), exact(3));
    });
    one("the book is for 'other'", &|_, book| book.spec = "other".into());
}

#[test]
fn a_flood_of_faults_is_counted_not_listed() {
    let (game, mut book) = good();
    for key in 1000..1200 {
        book.add_game(&[Visited { key, side: Side::First, ply: 0 }], exact(1));
    }
    let report = check(&book, &game, &game.places());
    assert_eq!(report.faults.len(), MAX_FAULTS);
    assert!(report.more >= 100);
}

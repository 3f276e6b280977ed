//! A learning book for chess: transpositions are one place, rights to castle and to capture *en
//! passant* are not, and repetitions leave no circle.

use zug_book::{Book, Draws, Leaf, Places, Values, check, choose, unplayed};
use zug_core::{AnyLine, GameEntry, Spec};

fn entry() -> (GameEntry, Places) {
    let entry = zug_chess::open(&Spec::parse("chess").unwrap()).unwrap();
    let places = Places::of(&entry);
    (entry, places)
}

fn line(entry: &GameEntry, moves: &str) -> Box<dyn AnyLine> {
    let mut line = entry.game.new_line();
    for mv in moves.split_whitespace() {
        line.play(mv).unwrap();
    }
    line
}

fn played(value: i32) -> Leaf {
    Leaf { value, exact: false }
}

#[test]
fn other_orders_of_moves_lead_to_the_same_place() {
    let (entry, places) = entry();
    let key = |moves| places.key(&*line(&entry, moves));
    assert_eq!(key("d4 d5 c4 e6"), key("c4 e6 d4 d5"));
    assert_eq!(key("e4 e6 d4 d5"), key("d4 e6 e4 d5"));
    // No pawn can capture e.p., so the double step is forgotten at once.
    assert_eq!(key("Nf3 Nf6 e4 d6"), key("e4 d6 Nf3 Nf6"));
    // Two moves more, and the same position.
    assert_eq!(key("e4 e5 Nf3"), key("e3 e6 e4 e5 Nf3"));
}

#[test]
fn rights_make_another_place() {
    let (entry, places) = entry();
    let key = |moves| places.key(&*line(&entry, moves));
    // The king has been to e2 and back.
    assert_ne!(key("e4 e5 Ke2 Nf6 Ke1 Ng8"), key("e4 e5"));
    // e5xd6 e.p. is possible after d7-d5 now, and not a move later.
    assert_ne!(key("e4 a6 e5 d5"), key("e4 d6 e5 a6"));
    assert_ne!(key("e4 a6 e5 d5"), key("e4 a6 e5 d5 Nf3 Nf6 Ng1 Ng8"));
    assert_eq!(key("e4 a6 e5 d5 Nf3 Nf6"), key("Nf3 d5 e4 a6 e5 Nf6"));
}

#[test]
fn repetitions_are_cut_out_and_leave_no_circle() {
    let (entry, places) = entry();
    let mut book = Book::new("chess");
    let drawn = line(&entry, "e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert!(drawn.outcome().is_some_and(|o| o.winner.is_none()));
    book.add_line(&places, &*drawn, usize::MAX, played(0));
    // The position after e4 e5 came back: the rest is a loop.
    assert_eq!(book.len(), 3);
    // A game that goes through the loop's positions and out of them again.
    let long = line(&entry, "e4 e5 Nf3 Nf6 Ng1 Ng8 d4 exd4");
    book.add_line(&places, &*long, usize::MAX, played(1));
    let report = check(&book, &*entry.game, &places);
    assert!(report.is_good(), "{:?}", report.faults);
    assert_eq!(book.len(), 5);
    // And one that closes a circle over two games.
    for moves in ["e4 e5 Nf3 Nf6 Nc3", "e4 e5 Nc3 Nf6 Nf3 Nc6 Ng1 Ng8 Nb1 Nb8 Bc4"] {
        book.add_line(&places, &*line(&entry, moves), usize::MAX, played(0));
        book.link_all(&*entry.game, &places);
        let report = check(&book, &*entry.game, &places);
        assert!(report.is_good(), "{:?}", report.faults);
    }
}

#[test]
fn the_loser_of_a_game_deviates_and_the_winner_does_not() {
    let (entry, places) = entry();
    let mut book = Book::new("chess");
    // The shortest mate; black wins.
    let mate = line(&entry, "f3 e5 g4 Qh4#");
    let outcome = mate.outcome().expect("mate");
    book.add_line(&places, &*mate, 4, Leaf::of_outcome(&outcome, mate.to_move(), true));
    let values = Values::of(&book, Draws::Neutral);
    let best = choose(&book, &values, &places, &*line(&entry, "f3 e5 g4")).expect("the mate");
    assert_eq!(best.mv, line(&entry, "f3 e5 g4 Qh4#").moves().pop().unwrap());
    // White is to search among the other moves at every step of it.
    assert_eq!(unplayed(&book, &places, &*line(&entry, "")).len(), 19);
    assert!(choose(&book, &values, &places, &*line(&entry, "f3 e5")).is_none());
    // g2-g4 first leads to a known loss as well.
    let turned = line(&entry, "g4 e5");
    book.add_line(&places, &*line(&entry, "g4 e5 f3"), 3, played(1));
    assert_eq!(unplayed(&book, &places, &*turned).len(), places.steps(&*turned).len() - 1);
}

//! The book that is part of the program: does it keep what it promises?

use crate::talk::{json, zug};
use zug_book::{Book, Chance, Draws, MoveInfo, Places, Standing, Values, choose, every_move};
use zug_othello::Othello;

const BYTES: &[u8] = include_bytes!("../../../../models/othello-book.zug");

#[test]
fn the_shipped_book_is_large_in_positions_small_in_bytes_and_good() {
    let book = Book::from_bytes(BYTES, Some("othello")).unwrap();
    assert!(book.len() >= 10_000, "{}", book.len());
    assert!(BYTES.len() < 2_000_000, "{}", BYTES.len());
    assert!(book.names.len() >= 40, "{}", book.names.len());
    let checked = json(&zug(&["book", "check", "shipped", "--json"]));
    assert_eq!(checked["good"], true, "{checked}");
}

#[test]
fn the_shipped_book_plays_no_move_much_worse_than_another_that_it_knows() {
    let book = Book::from_bytes(BYTES, Some("othello")).unwrap();
    let game = Othello::default();
    let places = Places::symmetric(&game);
    let values = Values::of(&book, Draws::Neutral);
    let hundredths = |chance: Chance| (chance.as_f64() * 100.0).clamp(-6400.0, 6400.0) as i32;
    let (mut seen, mut decided, mut worse) = (0, 0, Vec::new());
    for node in book.nodes().filter(|n| n.games >= 10 && !n.is_leaf()) {
        let line = book.line_to(&game, &places, node.key).expect("a way there");
        let chosen = choose(&book, &values, &places, &*line).expect("a move");
        let moves = every_move(&book, &values, &places, &*line);
        // Where everything is decided, what won is repeated: that is the strategy of the thesis.
        let is_open = |m: &MoveInfo| m.standing == Some(Standing::Open);
        if values.standing(node.key) == Some(Standing::Won) && !moves.iter().any(is_open) {
            decided += 1;
            continue;
        }
        let best = moves.iter().filter(|m| m.tree.is_some()).filter_map(|m| m.chance).max();
        seen += 1;
        let (best, played) = (hundredths(best.unwrap()), hundredths(chosen.chance.unwrap()));
        if best - played > 100 {
            let way = line.moves().join("");
            worse.push(format!(
                "{way}: {} {played}, best {best}, {:?}",
                chosen.mv,
                values.standing(node.key)
            ));
        }
    }
    assert!(seen > 10_000 && decided < 100, "{seen}, {decided}");
    assert!(worse.is_empty(), "{} of {seen}:\n{}", worse.len(), worse.join("\n"));
}

#[test]
fn one_game_of_self_play_does_not_decide_what_the_shipped_book_plays() {
    for (name, moves, choice) in [
        ("Brightwell", "d3c5f6f5e6e3f4", "f3"),
        ("Swallow", "d3c5e6d2c6d6b5", "f5"),
        ("Inoue", "d3c5d6e3f4c6c4f5", "e6"),
    ] {
        let shown = json(&zug(&["book", "show", "shipped", moves, "--json"]));
        assert_eq!(shown["choice"]["move"], choice, "{shown}");
        assert!(shown["name"].as_str().unwrap().contains(name), "{shown}");
        assert_eq!(shown["standing"], "open", "{shown}");
    }
}

//! A learning book for Othello: turned boards are one place, passes keep the signs right, and the
//! names of openings are found whichever way the game was played.

use zug_book::{Book, Chance, Draws, Leaf, Names, Places, Values, check, choose, unplayed};
use zug_core::seed::RngExt;
use zug_core::{AnyGame, AnyLine, GameEntry, Line, Side, Spec, Symmetric, rng};
use zug_othello::Othello;

const NAMES: &str = include_str!("../../../models/othello-openings.txt");

fn entry() -> (GameEntry, Places) {
    let entry = zug_othello::open(&Spec::parse("othello").unwrap()).unwrap();
    let places = Places::of(&entry);
    (entry, places)
}

fn line(moves: &str) -> Line<Othello> {
    let mut line = Line::new(Othello::default());
    for mv in moves.as_bytes().chunks(2) {
        line.play_text(std::str::from_utf8(mv).unwrap()).unwrap();
    }
    line
}

/// The same game on a turned or mirrored board.
fn turned(line: &Line<Othello>, symmetry: usize) -> Line<Othello> {
    let game = Othello::default();
    let start = game.map_position(symmetry, &line.positions()[0]);
    let mut image = Line::from_position(game, start);
    for &mv in line.moves() {
        image.play(game.map_move(symmetry, mv));
    }
    image
}

fn random_game(seed: u64) -> Line<Othello> {
    let mut rng = rng(seed, 0);
    let mut line = Line::new(Othello::default());
    while line.outcome().is_none() {
        let moves = line.legal_moves();
        line.play(moves[rng.random_range(0..moves.len())]);
    }
    line
}

#[test]
fn a_game_is_the_same_whichever_way_the_board_is_turned() {
    let (_, places) = entry();
    let game = random_game(1);
    for symmetry in 0..8 {
        let image = turned(&game, symmetry);
        assert_eq!(
            zug_book::visited(&places, &image, usize::MAX),
            zug_book::visited(&places, &game, usize::MAX),
        );
    }
    // The four first moves are one place; so one is left to play, and none once it is in the book.
    let mut book = Book::new("othello");
    assert_eq!(unplayed(&book, &places, &line("")), ["d3"]);
    book.add_line(&places, &line("f5"), 1, Leaf { value: -2, exact: false });
    assert!(unplayed(&book, &places, &line("")).is_empty());
    assert_eq!(book.len(), 2);
}

#[test]
fn what_was_learned_on_one_board_is_played_on_a_turned_one() {
    let (_, places) = entry();
    let mut book = Book::new("othello");
    let won = line("f5d6c3d3c4f4f6");
    // Good for black, who has just moved.
    book.add_line(&places, &won, 7, Leaf { value: -10, exact: true });
    let values = Values::of(&book, Draws::Neutral);
    for symmetry in 0..8 {
        let image = turned(&line("f5d6c3d3c4f4"), symmetry);
        let wanted = turned(&won, symmetry).move_texts().pop();
        let found = choose(&book, &values, &places, &image).expect("a move of the book");
        assert_eq!(Some(found.mv), wanted);
        assert_eq!(found.chance.map(Chance::as_f64), Some(f64::INFINITY));
    }
}

#[test]
fn results_keep_their_signs_through_passes() {
    let (entry, places) = entry();
    let mut passes = 0;
    let mut book = Book::new("othello");
    for seed in 0..60 {
        let game = random_game(seed);
        passes += game.move_texts().iter().filter(|m| *m == "pass").count();
        let outcome = game.outcome().unwrap();
        let leaf = Leaf::of_outcome(&outcome, game.to_move(), true);
        book.add_line(&places, &game, usize::MAX, leaf);
    }
    assert!(passes > 20, "{passes} passes");
    let report = check(&book, &*entry.game, &places);
    assert!(report.is_good(), "{:?}", report.faults);
    // One game alone: every position has the result of the game for its mover.
    let game = (0..).map(random_game).find(|g| g.move_texts().contains(&"pass".into())).unwrap();
    let outcome = game.outcome().unwrap();
    let mut book = Book::new("othello");
    book.add_line(&places, &game, usize::MAX, Leaf::of_outcome(&outcome, game.to_move(), true));
    let values = Values::of(&book, Draws::Neutral);
    let lead = |side: Side| Leaf::of_outcome(&outcome, side, true).value;
    for node in book.nodes() {
        assert_eq!(values.tree(node.key), Some(lead(node.side)));
    }
}

#[test]
fn a_book_of_many_games_is_in_order_after_a_round_trip() {
    let (entry, places) = entry();
    let mut book = Book::new("othello");
    for seed in 0..300 {
        let game = random_game(seed);
        let leaf = Leaf { value: game.positions().len() as i32 % 5 - 2, exact: false };
        book.add_line(&places, &game, 12, leaf);
    }
    book.link_all(&*entry.game, &places);
    let bytes = book.to_bytes().unwrap();
    let book = Book::from_bytes(bytes, Some("othello")).unwrap();
    let report = check(&book, &*entry.game, &places);
    assert!(report.is_good(), "{:?}", report.faults);
    assert!(report.positions > 1500, "{report:?}");
    for node in book.nodes().step_by(97) {
        let line = book.line_to(&*entry.game, &places, node.key).expect("a line leads there");
        assert_eq!(places.key(&*line), node.key);
    }
}

#[test]
fn openings_have_their_names_in_any_direction_and_order() {
    let (entry, places) = entry();
    let names = Names::read(NAMES, "othello-openings.txt", &*entry.game, &places).unwrap();
    let lines = NAMES.lines().filter(|l| l.contains('\t')).count();
    assert!(lines >= 70, "{lines} names");
    assert_eq!(names.len(), lines, "no two names for one position");
    for (moves, name) in [
        ("f5d6", "Perpendicular"),
        ("f5f4", "Parallel"),
        ("f5d6c3d3c4", "Tiger"),
        ("f5d6c3d3c4f4f6", "Stephenson"),
        ("f5d6c3d3c4f4f6f3", "Comp'Oth"),
        ("f5d6c3d3c4f4f6g5", "No-Kung"),
        ("f5d6c5f4e3c6d3f6e6d7", "Rose"),
        ("f5f6e6f4g5", "Heath (Tobidashi)"),
        // Further on the last name holds.
        ("f5d6c3d3c4f4f6b4", "Kung"),
        ("f5f6e6f4e3c5c4e7g4e2", "Aircraft (Feldborg)"),
        // Another order of moves.
        ("f5d6c4d3c3", "Tiger"),
    ] {
        for symmetry in 0..8 {
            let image = turned(&line(moves), symmetry);
            assert_eq!(names.name_of(&places, &image), Some(name), "{moves} {symmetry}");
        }
    }
    assert_eq!(names.name_of(&places, &line("f5")), None);
    let line: &dyn AnyLine = &*entry.game.new_line();
    assert_eq!(names.name_of(&places, line), None);
}

#[test]
fn the_smaller_boards_have_places_too() {
    let entry = zug_othello::open(&Spec::parse("othello:6x6").unwrap()).unwrap();
    let places = Places::of(&entry);
    let line = entry.game.new_line();
    let steps = places.steps(&*line);
    assert_eq!(steps.len(), 4);
    assert!(steps.iter().all(|s| s.key == steps[0].key));
    assert_ne!(AnyGame::spec(&*entry.game), "othello");
}

//! What does a book cost a player? A probe (the places of all moves, their values, the choice) in a
//! book of forty thousand positions, following a game that was added, opening the file.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use zug_book::{Alternative, Book, Chance, Draws, Leaf, Places, Values, advise};
use zug_core::seed::RngExt;
use zug_core::{Line, Rng, rng};
use zug_othello::Othello;

const POSITIONS: usize = 40_000;
const PLIES: usize = 20;

fn game(rng: &mut Rng) -> Line<Othello> {
    let mut line = Line::new(Othello::default());
    for _ in 0..PLIES {
        let moves = line.legal_moves();
        if moves.is_empty() {
            break;
        }
        line.play(moves[rng.random_range(0..moves.len())]);
    }
    line
}

/// Random openings with random results, and an alternative at every inner position.
fn book(places: &Places, rng: &mut Rng) -> Book {
    let mut book = Book::new("othello");
    while book.len() < POSITIONS {
        let line = game(rng);
        let leaf = Leaf { value: rng.random_range(-64..65), exact: true };
        book.add_line(places, &line, PLIES, leaf);
    }
    let inner: Vec<u64> = book.nodes().filter(|n| !n.is_leaf()).map(|n| n.key).collect();
    for key in inner {
        let value = Chance::Estimate(rng.random_range(-2000..2000));
        let alternative = Alternative { mv: "f5".to_string(), key: rng.random(), value, depth: 12 };
        book.set_alternative(key, Some(alternative));
    }
    book
}

fn costs(c: &mut Criterion) {
    let places = Places::symmetric(&Othello::default());
    let mut rng = rng(1, 0);
    let mut book = book(&places, &mut rng);
    let mut values = Values::of(&book, Draws::Neutral);
    let bytes = book.to_bytes().expect("a book");
    println!("{} positions, {} bytes", book.len(), bytes.len());

    let known: Vec<Line<Othello>> = book
        .nodes()
        .filter(|n| !n.is_leaf())
        .step_by(97)
        .filter_map(|n| book.line_to(&Othello::default(), &places, n.key))
        .map(|line| line.as_any().downcast_ref::<Line<Othello>>().expect("of Othello").clone())
        .collect();
    let mut at = 0;
    c.bench_function("probe", |b| {
        b.iter(|| {
            at = (at + 1) % known.len();
            black_box(advise(&book, &values, &places, &known[at]))
        });
    });
    c.bench_function("open", |b| {
        b.iter(|| Book::from_bytes(black_box(bytes.clone()), Some("othello")).expect("a book"));
    });
    c.bench_function("values of all", |b| {
        b.iter(|| Values::of(black_box(&book), Draws::Neutral));
    });
    c.bench_function("add a game and follow it", |b| {
        b.iter(|| {
            let line = game(&mut rng);
            let added = book.add_line(&places, &line, PLIES, Leaf { value: 2, exact: true });
            values.update(&book);
            added
        });
    });
}

criterion_group!(benches, costs);
criterion_main!(benches);

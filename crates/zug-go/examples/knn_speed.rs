//! How long do guesses take? Asks a model for the best moves of every position of some games, again and
//! again, and counts the processor time of the thread: first game by game, as positions follow each
//! other, then in an order in which no position has to do with the one before.
//!
//! ```text
//! cargo run --release -p zug-go --example knn_speed -- RUN/model.zug games/pro9 MOVES ROUNDS [small]
//! ```

use std::path::Path;
use zug_core::StopFlag;
use zug_core::progress::Silent;
use zug_go::Position;
use zug_go::corpus::{Corpus, Filter};
use zug_go::knn::{
    Model,
    measure::{TestGame, own_time},
    trie::Forms,
};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [model, data, most, rounds, kind @ ..] = &words[..] else {
        panic!("expected: MODEL GAMES MOVES ROUNDS [small]");
    };
    let mut model = Model::open(Path::new(model)).expect("a model");
    if !kind.is_empty() {
        model = Model::with("small", model.database().clone(), Forms::One);
    }
    let (most, rounds): (usize, usize) =
        (most.parse().expect("a number"), rounds.parse().expect("a number"));
    let filter = Filter::of_size(model.database().size());
    let corpus = Corpus::read(&[data.into()], &filter, &Silent, &StopFlag::new()).expect("games");
    let mut positions: Vec<Position> = Vec::new();
    for game in corpus.games.iter().step_by(corpus.games.len().div_ceil(GAMES)) {
        TestGame { game, examples: usize::MAX }.visit(|p, _| positions.push(p.clone()));
    }
    // The golden section scatters them; a step that has no divisor in common with their number meets all.
    let n = positions.len();
    let step = (n * 618 / 1000..).find(|&step| common_divisor(step, n) == 1).unwrap_or(1);
    let scattered: Vec<&Position> = (0..n).map(|i| &positions[i * step % n]).collect();
    let in_order: Vec<&Position> = positions.iter().collect();
    for (order, positions) in [("game by game", in_order), ("scattered", scattered)] {
        let (mut finder, mut found, began) = (model.finder(), 0, own_time());
        for _ in 0..rounds {
            found += positions.iter().map(|p| finder.best(p, most).len()).sum::<usize>();
        }
        let guesses = n * rounds;
        let rate = guesses as f64 / (own_time() - began);
        println!("{order}: {guesses} guesses, {found} moves, {rate:.0} a second");
    }
    println!("{} bytes for {} patterns", model.bytes(), model.database().len());
}

/// Games that positions are taken from.
const GAMES: usize = 200;

fn common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

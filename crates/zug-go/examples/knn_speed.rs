//! How long do guesses take? Asks a model for the best moves of every position of some games, again and
//! again: for profilers, and for machines on which only the time of the process itself says something.
//!
//! ```text
//! time cargo run --release -p zug-go --example knn_speed -- RUN/model.zug games/pro9 MOVES ROUNDS [small]
//! ```

use std::path::Path;
use std::time::Instant;
use zug_core::StopFlag;
use zug_core::progress::Silent;
use zug_go::Position;
use zug_go::corpus::{Corpus, Filter};
use zug_go::knn::{Model, measure::TestGame, trie::Forms};

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
    for game in corpus.games.iter().step_by(corpus.games.len().div_ceil(60)) {
        TestGame { game, examples: usize::MAX }.visit(|p, _| positions.push(p.clone()));
    }
    let (mut finder, mut found, began) = (model.finder(), 0, Instant::now());
    for _ in 0..rounds {
        found += positions.iter().map(|p| finder.best(p, most).len()).sum::<usize>();
    }
    let guesses = positions.len() * rounds;
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{guesses} guesses, {found} moves, {:.0} a second by the clock; {} bytes for {} patterns",
        guesses as f64 / seconds,
        model.bytes(),
        model.database().len()
    );
}

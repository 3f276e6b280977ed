//! How fast is the general index? Prints positions to numbers, and numbers to positions, in
//! millions a second, for the games of the thesis.
//!
//! `cargo run --release -p zug-games --example index_speed`

use std::hint::black_box;
use std::time::Instant;
use zug_core::seed::RngExt;
use zug_core::{Indexed, rng};
use zug_games::{Dodgem, KInARow, Morris};
use zug_solve::{Index, Options, Reference};

fn measure<G: Indexed>(name: &str, game: &G, options: Options) {
    let begun = Instant::now();
    let index = match Index::new(game, options) {
        Ok(index) => index,
        Err(error) => {
            println!("{name}: {error}");
            return;
        }
    };
    let built = begun.elapsed();
    let mut rng = rng(1, 0);
    let slots: Vec<u64> = (0..200_000).map(|_| rng.random_range(0..index.size())).collect();
    let begun = Instant::now();
    let positions: Vec<G::Position> =
        slots.iter().filter_map(|&slot| index.position(slot)).collect();
    let decode = slots.len() as f64 / begun.elapsed().as_secs_f64() / 1e6;
    let begun = Instant::now();
    for position in &positions {
        black_box(index.index_of(position));
    }
    let encode = positions.len() as f64 / begun.elapsed().as_secs_f64() / 1e6;
    println!(
        "{name:34} {:>18} slots, built in {built:>8.1?}, to numbers {encode:5.1} M/s, back {decode:5.1} M/s",
        index.size()
    );
}

fn main() {
    let dodgem = Dodgem::new(4).expect("a size");
    measure("Dodgem 4×4", &dodgem, Options::default());
    measure("Dodgem 5×5", &Dodgem::new(5).expect("a size"), Options::default());
    let losing = KInARow::new(4, 4, 3, true).expect("a board");
    measure("losing tic-tac-toe, full", &losing, Options::full());
    measure("losing tic-tac-toe, reduced", &losing, Options::default());
    let most = Options { reference: Reference::Most, ..Options::default() };
    measure("losing tic-tac-toe, most", &losing, most);
    measure("morris, with placing", &Morris::new(9).expect("men"), Options::default());
}

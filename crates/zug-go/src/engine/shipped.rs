//! The weights that come with the program, opened once.

use super::local::Local;
use super::weights::{PlayoutModel, Weights};
use std::sync::{Arc, LazyLock};

/// Learned from 9×9 games; used on boards up to this size.
const SMALL: usize = 12;
/// What makes playouts answer the last move more often than good players do.
pub const LOCALITY: f32 = 1.0;

fn read(name: &str, bytes: &'static [u8]) -> Arc<PlayoutModel> {
    // A test opens all of them: what is shipped can be read.
    Arc::new(PlayoutModel::from_bytes(name, bytes).unwrap_or_else(|_| PlayoutModel::plain()))
}

static PLAYOUTS: LazyLock<[Arc<PlayoutModel>; 2]> = LazyLock::new(|| {
    [
        read("go-playouts-9.zug", include_bytes!("../../../../models/go-playouts-9.zug")),
        read("go-playouts-19.zug", include_bytes!("../../../../models/go-playouts-19.zug")),
    ]
});

static WEIGHTS: LazyLock<[Arc<Weights>; 2]> =
    LazyLock::new(|| [0, 1].map(|i| Arc::new(Weights::new(&PLAYOUTS[i], 1.0, LOCALITY))));

static LOCAL: LazyLock<[Arc<Local>; 2]> = LazyLock::new(|| {
    [
        read("go-local-9.zug", include_bytes!("../../../../models/go-local-9.zug")),
        read("go-local-19.zug", include_bytes!("../../../../models/go-local-19.zug")),
    ]
    .map(|model| Arc::new(Local::new(model)))
});

/// The weights of playouts for a board size, as logarithms divided by `temperature`, answers
/// times `locality`.
#[must_use]
pub fn playout_weights(size: usize, temperature: f32, locality: f32) -> Arc<Weights> {
    let place = usize::from(size > SMALL);
    if temperature == 1.0 && locality == LOCALITY {
        return Arc::clone(&WEIGHTS[place]);
    }
    Arc::new(Weights::new(&PLAYOUTS[place], temperature, locality))
}

/// The quick policy for a board size.
#[must_use]
pub fn local_policy(size: usize) -> Arc<Local> {
    Arc::clone(&LOCAL[usize::from(size > SMALL)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped_can_be_read_and_has_learned_something() {
        let plain = PlayoutModel::plain();
        for model in PLAYOUTS.iter() {
            assert_ne!(model.around, plain.around);
            assert_eq!(model.lines, plain.lines);
        }
        for local in LOCAL.iter() {
            assert_ne!(local.model().lines, plain.lines);
        }
    }
}

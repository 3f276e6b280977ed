//! Why a model could not be fitted, measured or read.

use crate::examples::ExampleError;
use zug_core::TextError;
use zug_core::container::ContainerError;
use zug_learn::LearnError;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ThesisError {
    /// The examples cannot be read.
    #[error(transparent)]
    Examples(#[from] ExampleError),
    /// A container: damaged, cut off, of another kind or game.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// A sound container that holds no such model.
    #[error("{file}: {message}")]
    Content {
        /// The file.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// A list of features.
    #[error("in the list of features: {0}")]
    Features(#[from] TextError),
    /// Options that contradict each other or make no sense.
    #[error("{0}")]
    Options(String),
    /// A fit gave no result.
    #[error("with {discs} discs: {error}")]
    Fit {
        /// The disc count.
        discs: u32,
        /// Why.
        error: LearnError,
    },
    /// The examples do not suffice.
    #[error("{0}")]
    TooFew(String),
    /// Asked to stop.
    #[error("stopped")]
    Stopped,
}

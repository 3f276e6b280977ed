//! Guessing moves, with the type of the game forgotten.
//!
//! A game that can say which moves a good player would look at says so when it is opened, by adding
//! [`Guesses`] to its [`GameEntry`](zug_core::GameEntry). `zug guess GAME` then hands over files and
//! text, and gets back what is shown.

use crate::face::{Account, Named, TaskError};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use zug_core::{Progress, StopFlag};

/// Where the position is that is asked about.
#[derive(Clone, Debug)]
pub enum Question {
    /// In a game of a record file.
    Record {
        /// The file.
        name: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// In the game's notation.
    Position(String),
    /// After these lines of the protocol that the game's engines speak.
    Commands {
        /// Where they come from.
        name: String,
        /// The lines.
        text: String,
    },
}

/// A position that is asked about.
#[derive(Clone, Debug)]
pub struct GuessOrder {
    /// Where it is.
    pub question: Question,
    /// The game of the file, from 1 on.
    pub game: usize,
    /// The position in which this move was made, from 1 on; the last position for `None`.
    pub at: Option<u32>,
    /// How many moves are told.
    pub top: usize,
    /// A model by name or file; the best that ships with the game for `None`.
    pub model: Option<String>,
    /// Is the text for a terminal that shows colours?
    pub colours: bool,
    /// Is a drawing wanted?
    pub svg: bool,
    /// Is a drawing in pixels wanted?
    pub png: bool,
}

/// What a model thinks of one position.
#[derive(Clone, Debug, Default)]
pub struct Guessed {
    /// For a terminal.
    pub text: String,
    /// For scripts.
    pub figures: Map<String, Value>,
    /// The drawing as SVG, if it was asked for.
    pub svg: Option<String>,
    /// The drawing as PNG, if it was asked for.
    pub png: Option<Vec<u8>>,
}

/// A file whose games are to get remarks.
#[derive(Clone, Debug)]
pub struct AnnotateOrder {
    /// The file.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How many guesses are noted at each move.
    pub top: usize,
    /// A model by name or file; the best that ships with the game for `None`.
    pub model: Option<String>,
}

/// A file with remarks.
#[derive(Clone, Debug, Default)]
pub struct Annotated {
    /// The new file.
    pub bytes: Vec<u8>,
    /// How well the moves were guessed.
    pub account: Account,
}

/// Records on which guesses are to be judged.
#[derive(Clone, Debug, Default)]
pub struct MeasureOrder {
    /// Files, folders, archives.
    pub data: Vec<PathBuf>,
    /// A model by name or file; the best that ships with the game for `None`.
    pub model: Option<String>,
    /// Another one that is judged on the same positions.
    pub baseline: Option<String>,
    /// Points along an edge of the board; whatever the model knows for `None`.
    pub size: Option<usize>,
    /// Not before this year.
    pub from: Option<u16>,
    /// Not after this year.
    pub until: Option<u16>,
    /// So many games, drawn at random.
    pub games: Option<usize>,
    /// The seed of the drawing.
    pub seed: u64,
    /// Moves of a stage of the game; the game's own choice for `None`.
    pub stage: Option<u32>,
    /// Every so manieth position of a game; all for `None`.
    pub every: Option<u32>,
    /// Threads.
    pub threads: usize,
}

/// What one game can guess.
pub trait AnyGuesser: Send + Sync {
    /// The models that come with the program, the default one first.
    fn models(&self) -> Vec<Named>;

    /// Which moves are likely in a position?
    fn guess(&self, order: &GuessOrder) -> Result<Guessed, TaskError>;

    /// Notes at each move of a record how likely it was.
    fn annotate(&self, order: &AnnotateOrder) -> Result<Annotated, TaskError>;

    /// How often is the move that was played among the first guesses?
    fn measure(
        &self,
        order: &MeasureOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError>;
}

/// What a [`GameEntry`](zug_core::GameEntry) carries when moves of its game can be guessed.
#[derive(Clone)]
pub struct Guesses(Arc<dyn AnyGuesser>);

impl Guesses {
    /// From what the game can do.
    pub fn new(guesser: impl AnyGuesser + 'static) -> Guesses {
        Guesses(Arc::new(guesser))
    }
}

impl std::ops::Deref for Guesses {
    type Target = dyn AnyGuesser;
    fn deref(&self) -> &(dyn AnyGuesser + 'static) {
        &*self.0
    }
}

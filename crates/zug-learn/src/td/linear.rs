//! The evaluation that is learned: a weighted sum of features, squashed to a value between -1 (lost)
//! and 1 (won) or left as it is; and its file.

use super::features::{Features, SharedFeatures, Sparse, dot};
use super::leaf::{LARGEST_ESTIMATE, Value};
use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use zug_core::container::{Container, ContainerError, Expect, Header, Kind, Writer};
use zug_core::error::shorten;
use zug_core::{Evaluator, Game};

/// How the files are to be understood.
pub const LAYOUT: &str = "td-linear/1";

/// What becomes of the weighted sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Squash {
    /// The hyperbolic tangent: any sum is a value between -1 and 1.
    Tanh,
    /// Nothing: the sum is the value.
    Plain,
}

impl Squash {
    /// The value of a sum.
    #[must_use]
    pub fn value(self, sum: f64) -> f64 {
        match self {
            Squash::Tanh => sum.tanh(),
            Squash::Plain => sum,
        }
    }

    /// By how much the value changes with the sum, where the value is this.
    #[must_use]
    pub fn slope(self, value: f64) -> f64 {
        match self {
            Squash::Tanh => 1.0 - value * value,
            Squash::Plain => 1.0,
        }
    }
}

impl fmt::Display for Squash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Squash::Tanh => "tanh",
            Squash::Plain => "none",
        })
    }
}

impl FromStr for Squash {
    type Err = String;
    fn from_str(text: &str) -> Result<Squash, String> {
        match text {
            "tanh" => Ok(Squash::Tanh),
            "none" => Ok(Squash::Plain),
            _ => Err("tanh or none".to_string()),
        }
    }
}

/// Features with weights that somebody else holds, ready to value positions.
pub struct Sight<'a, G: Game> {
    /// What is seen.
    pub features: &'a dyn Features<G>,
    /// What it is worth.
    pub weights: &'a [f32],
    /// What becomes of the sum.
    pub squash: Squash,
    seen: Sparse,
}

impl<'a, G: Game> Sight<'a, G> {
    /// Features and weights together.
    pub fn new(features: &'a dyn Features<G>, weights: &'a [f32], squash: Squash) -> Sight<'a, G> {
        Sight { features, weights, squash, seen: Vec::new() }
    }

    /// The features of the position that was valued last.
    #[must_use]
    pub fn seen(&self) -> &[(u32, f32)] {
        &self.seen
    }
}

impl<G: Game> Value<G> for Sight<'_, G> {
    fn value(&mut self, game: &G, position: &G::Position) -> f64 {
        self.seen.clear();
        self.features.extract(game, position, &mut self.seen);
        self.squash.value(dot(self.weights, &self.seen))
    }
}

/// A learned evaluation.
#[derive(Clone)]
pub struct Linear<G: Game> {
    features: SharedFeatures<G>,
    weights: Arc<[f32]>,
    squash: Squash,
}

/// A model that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LinearError {
    /// The file: damaged, cut off, of another kind, game or layout.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The file is sound, but what it says does not fit.
    #[error("{file}: {what}")]
    Unfit {
        /// The file.
        file: String,
        /// What does not fit.
        what: String,
    },
}

impl<G: Game> Linear<G> {
    /// From its parts; `None` unless there is one weight for each feature and all are finite.
    #[must_use]
    pub fn new(
        features: SharedFeatures<G>,
        weights: Vec<f32>,
        squash: Squash,
    ) -> Option<Linear<G>> {
        let fits = weights.len() == features.count() && weights.iter().all(|w| w.is_finite());
        fits.then(|| Linear { features, weights: weights.into(), squash })
    }

    /// The features.
    #[must_use]
    pub fn features(&self) -> &SharedFeatures<G> {
        &self.features
    }

    /// The weights, one for each feature.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Ready to value positions.
    #[must_use]
    pub fn sight(&self) -> Sight<'_, G> {
        Sight::new(&*self.features, &self.weights, self.squash)
    }

    /// The header of its file, to which the maker adds how it was made.
    #[must_use]
    pub fn header(&self, game: &G) -> Header {
        let mut header = Header::new(Kind::Model, game.spec(), LAYOUT);
        header.notes.insert("features".into(), self.features.name().to_string());
        header.notes.insert("signature".into(), self.features.signature());
        header.notes.insert("squash".into(), self.squash.to_string());
        header
    }

    /// Writes its sections.
    pub fn write<W: std::io::Write>(&self, writer: &mut Writer<W>) -> Result<(), ContainerError> {
        writer.array("weights", &self.weights)
    }

    /// Opens a file. `known` are the sets of features of the game; the file says which one it needs.
    pub fn open(
        path: &Path,
        game: &G,
        known: &[SharedFeatures<G>],
    ) -> Result<Linear<G>, LinearError> {
        let expect = Expect::model(game.spec()).layout(LAYOUT);
        Linear::read(&Container::open(path, &expect)?, known)
    }

    /// Reads a container that is known to be a model of the game in this layout.
    pub fn read(
        container: &Container,
        known: &[SharedFeatures<G>],
    ) -> Result<Linear<G>, LinearError> {
        let notes = &container.header().notes;
        let unfit = |what: String| LinearError::Unfit { file: container.file().to_string(), what };
        let note = |name: &str| {
            notes.get(name).ok_or_else(|| unfit(format!("the header has no note '{name}'")))
        };
        let (name, signature) = (note("features")?, note("signature")?);
        let features = known.iter().find(|f| f.name() == name.as_str()).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|f| f.name()).collect();
            let known = names.join(", ");
            unfit(format!("it needs the features '{}'; known are: {known}", shorten(name)))
        })?;
        if features.signature() != *signature {
            return Err(unfit(format!(
                "it was learned with other features of the name '{}' (expected {}, found {})",
                shorten(name),
                features.signature(),
                shorten(signature)
            )));
        }
        let squash = note("squash")?;
        let squash = squash.parse().map_err(|expected| {
            unfit(format!("expected {expected} for 'squash', found '{}'", shorten(squash)))
        })?;
        let weights = container.section("weights")?.array(features.count() as u64)?;
        let found = weights.len();
        Linear::new(features.clone(), weights, squash).ok_or_else(|| {
            unfit(format!(
                "expected {} finite weights, found {found}{}",
                features.count(),
                if found == features.count() { ", some of them not finite" } else { "" }
            ))
        })
    }
}

thread_local! {
    // The search values millions of positions; none of them should allocate.
    static SEEN: RefCell<Sparse> = const { RefCell::new(Vec::new()) };
}

/// In thousandths of the sum before squashing, which can tell a won position from a more clearly
/// won one.
impl<G: Game> Evaluator<G> for Linear<G> {
    fn evaluate(&self, game: &G, position: &G::Position) -> i32 {
        SEEN.with_borrow_mut(|seen| {
            seen.clear();
            self.features.extract(game, position, seen);
            let sum = dot(&self.weights, seen);
            (sum * 1000.0).clamp(-499_999.0, 499_999.0) as i32
        })
    }
}

/// A hand-made evaluation as a value between -1 and 1: something to compare with.
pub struct Handmade<'a, G: Game>(pub &'a dyn Evaluator<G>);

impl<G: Game> Value<G> for Handmade<'_, G> {
    fn value(&mut self, game: &G, position: &G::Position) -> f64 {
        // Only the order counts, and that must not be lost by rounding.
        f64::from(self.0.evaluate(game, position)) / 500_000.0 * LARGEST_ESTIMATE
    }
}

//! The readable part: what the file is and how it was made.

use super::Problem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Learned: weights, patterns.
    Model,
    /// Solved: exact values.
    Database,
    /// Openings.
    Book,
    /// The state of a run.
    Checkpoint,
    /// Positions with labels, to learn from.
    Examples,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Model => "model",
            Kind::Database => "database",
            Kind::Book => "book",
            Kind::Checkpoint => "checkpoint",
            Kind::Examples => "file of examples",
        })
    }
}

/// The header of a container. It is stored as TOML text near the beginning of the file, so that
/// `head` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// What the file is for.
    pub kind: Kind,
    /// The game's spec.
    pub game: String,
    /// How the sections are to be understood, with a number that grows when that changes:
    /// `othello-patterns/1`.
    pub layout: String,
    /// How it was made.
    #[serde(default)]
    pub made: Made,
    /// Anything else that a reader or a person wants to know.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: BTreeMap<String, String>,
}

/// Everything needed to make the same file again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The seed of everything random. (As text in the file: TOML has no numbers above 2⁶³.)
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seed_text")]
    pub seed: Option<u64>,
    /// The BLAKE3 digest of the data that it was made from, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The version of Zug.
    #[serde(default)]
    pub version: String,
    /// The date, if the maker wanted it kept; the same input then gives other bytes tomorrow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
}

impl Default for Made {
    fn default() -> Made {
        Made {
            command: None,
            seed: None,
            data: None,
            version: env!("CARGO_PKG_VERSION").to_string(),
            created: None,
        }
    }
}

mod seed_text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(seed: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        match seed {
            Some(seed) => to.serialize_str(&seed.to_string()),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        let text: Option<String> = Option::deserialize(from)?;
        text.map(|t| t.parse().map_err(|_| D::Error::custom("expected a seed from 0 to 2^64 - 1")))
            .transpose()
    }
}

impl Header {
    /// A header that says only what the file is.
    #[must_use]
    pub fn new(kind: Kind, game: impl Into<String>, layout: impl Into<String>) -> Header {
        Header {
            kind,
            game: game.into(),
            layout: layout.into(),
            made: Made::default(),
            notes: BTreeMap::new(),
        }
    }

    pub(super) fn to_text(&self) -> Result<String, Problem> {
        let text = toml::to_string(self)
            .map_err(|e| Problem::Unwritable(format!("the header does not fit TOML: {e}")))?;
        // On its own line, after the binary prelude.
        Ok(format!("\n{text}"))
    }

    /// Reads the text of a header; the error is in words.
    pub fn from_toml(text: &str) -> Result<Header, String> {
        toml::from_str(text).map_err(|e| crate::error::shorten(e.message()))
    }
}

/// What a reader wants; anything else is refused.
///
/// ```
/// use zug_core::container::Expect;
/// let want = Expect::model("othello").layout("othello-patterns/1");
/// let anything = Expect::anything();
/// # let _ = (want, anything);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Expect {
    kind: Option<Kind>,
    game: Option<String>,
    layout: Option<String>,
}

impl Expect {
    /// Any container, for `info` commands.
    #[must_use]
    pub fn anything() -> Expect {
        Expect::default()
    }

    /// This kind, of any game.
    #[must_use]
    pub fn kind(kind: Kind) -> Expect {
        Expect { kind: Some(kind), ..Expect::default() }
    }

    /// A model of this game.
    #[must_use]
    pub fn model(game: impl Into<String>) -> Expect {
        Expect::kind(Kind::Model).game(game)
    }

    /// A database of this game.
    #[must_use]
    pub fn database(game: impl Into<String>) -> Expect {
        Expect::kind(Kind::Database).game(game)
    }

    /// A book of this game.
    #[must_use]
    pub fn book(game: impl Into<String>) -> Expect {
        Expect::kind(Kind::Book).game(game)
    }

    /// A checkpoint of this game.
    #[must_use]
    pub fn checkpoint(game: impl Into<String>) -> Expect {
        Expect::kind(Kind::Checkpoint).game(game)
    }

    /// … of this game.
    #[must_use]
    pub fn game(mut self, game: impl Into<String>) -> Expect {
        self.game = Some(game.into());
        self
    }

    /// … arranged in this way.
    #[must_use]
    pub fn layout(mut self, layout: impl Into<String>) -> Expect {
        self.layout = Some(layout.into());
        self
    }

    pub(super) fn check(&self, header: &Header) -> Result<(), Problem> {
        if let Some(expected) = self.kind.filter(|&k| k != header.kind) {
            return Err(Problem::WrongKind { expected, found: header.kind });
        }
        if let Some(expected) = self.game.clone().filter(|g| *g != header.game) {
            return Err(Problem::WrongGame { expected, found: header.game.clone() });
        }
        if let Some(expected) = self.layout.clone().filter(|l| *l != header.layout) {
            return Err(Problem::WrongLayout { expected, found: header.layout.clone() });
        }
        Ok(())
    }
}

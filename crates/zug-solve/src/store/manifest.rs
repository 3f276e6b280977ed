//! What is in a database folder, how was it made, and which stages are finished? The file
//! `database.toml`.
//!
//! It is written anew, in one step, after each stage; a stage stands in it only when its file has
//! reached the disk. The last line is a digest of the rest: the file can be read by people, but not
//! changed by them.

use super::StoreError;
use crate::space::{Options, Order, Reference};
use crate::value::Value;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use zug_core::Score;
use zug_core::files::{read_text, write_atomically};

/// The file's name.
pub const MANIFEST: &str = "database.toml";
/// The format that is written.
pub const FORMAT: u32 = 1;
/// The longest that is read: room for a hundred thousand stages.
const MOST_BYTES: u64 = 64 << 20;
const DIGEST: &str = "# blake3 ";

/// What the values of a database tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Won, drawn or lost; distances are not kept.
    Wdl,
    /// Plies to the end of the game.
    #[default]
    Dtm,
    /// Plies to the end of the game or to the next stage, whichever is first.
    Dtc,
}

impl Measure {
    /// What a move to a position of this value is worth for the side that makes it. `converts`: the
    /// move leads to another stage.
    #[must_use]
    pub fn for_mover(self, value: Value, converts: bool) -> Value {
        let value = value.for_mover();
        let plies = match self {
            Measure::Dtm => return value,
            Measure::Wdl => 0,
            Measure::Dtc if converts => 1,
            Measure::Dtc => return value,
        };
        match value {
            Value::Win(_) => Value::Win(plies),
            Value::Draw => Value::Draw,
            Value::Loss(_) => Value::Loss(plies),
        }
    }

    /// A value as a score of the search, which would take a distance at its word: where there is
    /// none to the end of the game it gets none.
    #[must_use]
    pub fn score(self, value: Value) -> Score {
        match (self, value) {
            (Measure::Dtm, value) => value.score(),
            (_, Value::Draw) => Score::DRAW,
            (_, Value::Win(_)) => Score::won_by(0.0),
            (_, Value::Loss(_)) => -Score::won_by(0.0),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Measure::Wdl => "win/draw/loss",
            Measure::Dtm => "distance to mate",
            Measure::Dtc => "distance to conversion",
        })
    }
}

/// How many slots of a stage hold what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// No position.
    pub illegal: u64,
    /// The same position as a lower slot.
    pub duplicate: u64,
    /// Won for the side to move.
    pub won: u64,
    /// Drawn.
    pub drawn: u64,
    /// Lost for the side to move.
    pub lost: u64,
    /// The longest distance.
    pub longest: u16,
}

/// A finished stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageEntry {
    /// Its rank.
    pub rank: u32,
    /// Its name.
    pub name: String,
    /// Its file in the folder.
    pub file: String,
    /// Its slots.
    pub slots: u64,
    /// The size of the file.
    pub bytes: u64,
    /// The BLAKE3 digest of the file, in hexadecimal.
    pub digest: String,
    /// What the slots hold.
    pub counts: Counts,
}

/// How the index was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexEntry {
    /// Colour swap used.
    pub mirror: bool,
    /// Board symmetries used.
    pub symmetry: bool,
    /// `fewest` or `most`.
    pub reference: String,
    /// `ascending` or `declared`.
    pub order: String,
    /// All slots.
    pub slots: u64,
}

impl IndexEntry {
    /// Writes down options.
    #[must_use]
    pub fn new(options: Options, slots: u64) -> IndexEntry {
        let reference = match options.reference {
            Reference::Fewest => "fewest",
            Reference::Most => "most",
        };
        let order = match options.order {
            Order::Ascending => "ascending",
            Order::AsDeclared => "declared",
        };
        IndexEntry {
            mirror: options.mirror,
            symmetry: options.symmetry,
            reference: reference.into(),
            order: order.into(),
            slots,
        }
    }

    /// The options, or which word was not understood.
    pub fn options(&self) -> Result<Options, String> {
        let reference = match self.reference.as_str() {
            "fewest" => Reference::Fewest,
            "most" => Reference::Most,
            other => return Err(format!("expected reference 'fewest' or 'most', found '{other}'")),
        };
        let order = match self.order.as_str() {
            "ascending" => Order::Ascending,
            "declared" => Order::AsDeclared,
            other => {
                return Err(format!("expected order 'ascending' or 'declared', found '{other}'"));
            }
        };
        let (mirror, symmetry) = (self.mirror, self.symmetry);
        Ok(Options { mirror, symmetry, reference, order, ..Options::default() })
    }
}

impl fmt::Display for IndexEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let switch = |on| if on { "with" } else { "without" };
        write!(
            f,
            "{} colour swap, {} board symmetry, reference {}, order {}, {} slots",
            switch(self.mirror),
            switch(self.symmetry),
            self.reference,
            self.order,
            self.slots
        )
    }
}

/// All of `database.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: u32,
    /// The game's spec.
    pub game: String,
    /// What the values tell.
    pub metric: Measure,
    /// The version of the program that made it.
    pub program: String,
    /// How it was made: the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Only one side to move is stored where a one-ply search gives the other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_side: bool,
    /// How the index was built.
    pub index: IndexEntry,
    /// The finished stages, by ascending rank.
    #[serde(default, rename = "stage")]
    pub stages: Vec<StageEntry>,
}

impl Manifest {
    /// One digest for a whole database: of the digests of its stages, in their order.
    #[must_use]
    pub fn digest(&self) -> String {
        let all: Vec<&str> = self.stages.iter().map(|stage| stage.digest.as_str()).collect();
        blake3::hash(all.join("\n").as_bytes()).to_hex().to_string()
    }

    /// Reads the manifest of a folder. What only a newer program understands is refused.
    pub fn read(folder: &Path) -> Result<Manifest, StoreError> {
        let path = folder.join(MANIFEST);
        let text = read_text(&path, MOST_BYTES)?;
        Manifest::from_text(&text).map_err(|what| StoreError::refused(&path, what))
    }

    /// Reads the text of a manifest; the error is in words.
    pub fn from_text(text: &str) -> Result<Manifest, String> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        // The version first: a newer file may differ in everything else, the digest included.
        let refuse = |e: toml::de::Error| {
            format!("the file is damaged: {}", zug_core::error::shorten(e.message()))
        };
        let version: Version = toml::from_str(text).map_err(refuse)?;
        if version.format > FORMAT {
            return Err(format!(
                "this database has format {}, and this program reads up to {FORMAT}: \
                 a newer Zug is needed",
                version.format
            ));
        }
        let damaged =
            "the file is damaged: cut off or changed, its last line does not fit the rest";
        let (body, digest) = text.rsplit_once(DIGEST).ok_or(damaged)?;
        if digest != format!("{}\n", blake3::hash(body.as_bytes()).to_hex()) {
            return Err(damaged.into());
        }
        toml::from_str(body).map_err(refuse)
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        Manifest::seal(&toml::to_string(self).expect("plain fields fit TOML"))
    }

    /// Adds the last line with the digest.
    #[must_use]
    pub fn seal(text: &str) -> String {
        format!("{text}{DIGEST}{}\n", blake3::hash(text.as_bytes()).to_hex())
    }

    /// Replaces the manifest of a folder in one step.
    pub fn write(&self, folder: &Path) -> Result<(), StoreError> {
        Ok(write_atomically(&folder.join(MANIFEST), self.to_text().as_bytes())?)
    }

    /// A finished stage by rank and name.
    #[must_use]
    pub fn stage(&self, rank: u32, name: &str) -> Option<&StageEntry> {
        self.stages.iter().find(|s| s.rank == rank && s.name == name)
    }
}

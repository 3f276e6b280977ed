//! Everything needed to repeat a run, and what it means to repeat it.

use super::utc_text;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::SystemTime;

/// Everything needed to repeat a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunConfig {
    /// What is done: `td`, `examples`, `solve`.
    pub task: String,
    /// The game's spec.
    pub game: String,
    /// The command line, word by word.
    pub command: Vec<String>,
    /// The seed of everything random. (As text in the file: TOML has no numbers above 2⁶³.)
    #[serde(with = "seed_text")]
    pub seed: u64,
    /// Threads; the result may depend on them.
    pub threads: usize,
    /// The version of Zug.
    pub version: String,
    /// The BLAKE3 digest of the data that goes in, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Every option that matters, given or by default.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

mod seed_text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(seed: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&seed.to_string())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(|_| D::Error::custom("expected a seed from 0 to 2^64 - 1, in quotation marks"))
    }
}

/// One way in which two configurations differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `seed`, `threads`, `option depth`, …
    pub what: String,
    /// In `run.toml`.
    pub stored: String,
    /// Asked for now.
    pub given: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the run has {}, now {}", self.what, self.stored, self.given)
    }
}

impl RunConfig {
    /// A configuration of this version, begun now, with this process's command line.
    #[must_use]
    pub fn new(task: impl Into<String>, game: impl Into<String>, seed: u64) -> RunConfig {
        RunConfig {
            task: task.into(),
            game: game.into(),
            command: std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect(),
            seed,
            threads: 1,
            version: env!("CARGO_PKG_VERSION").to_string(),
            data: None,
            created: Some(utc_text(SystemTime::now())),
            options: BTreeMap::new(),
        }
    }

    /// The differences that would change the result: neither the wording of the command nor the
    /// date nor the version counts.
    #[must_use]
    pub fn differences(&self, given: &RunConfig) -> Vec<Difference> {
        let fields = |c: &RunConfig| {
            let mut fields = BTreeMap::from([
                ("task".to_string(), c.task.clone()),
                ("game".to_string(), c.game.clone()),
                ("seed".to_string(), c.seed.to_string()),
                ("threads".to_string(), c.threads.to_string()),
            ]);
            fields.extend(c.data.clone().map(|d| ("data".to_string(), d)));
            fields.extend(c.options.iter().map(|(k, v)| (format!("option {k}"), v.clone())));
            fields
        };
        let (stored, given) = (fields(self), fields(given));
        let names: BTreeSet<&String> = stored.keys().chain(given.keys()).collect();
        let text = |v: Option<&String>| v.map_or("nothing".to_string(), |v| format!("'{v}'"));
        names
            .into_iter()
            .filter(|&name| stored.get(name) != given.get(name))
            .map(|name| Difference {
                what: name.clone(),
                stored: text(stored.get(name)),
                given: text(given.get(name)),
            })
            .collect()
    }
}

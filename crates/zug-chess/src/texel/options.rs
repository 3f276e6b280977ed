//! What is learned from, and with which settings?

use super::ExampleFile;
use crate::model::{Model, ModelError, Start};
use crate::types::Scheme;
use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use zug_core::error::shorten;
use zug_learn::face::{Order, TaskError};

/// The files of an order, opened.
pub(super) struct Data {
    pub files: Vec<ExampleFile>,
    /// One digest for all of them, whatever their order.
    pub digest: String,
}

impl Data {
    /// Opens the files; each must hold examples, and none may be given twice.
    pub fn open(order: &Order) -> Result<Data, TaskError> {
        let (mut files, mut digests) = (Vec::new(), Vec::new());
        for path in &order.data {
            let file = ExampleFile::open(path).map_err(TaskError::below)?;
            if file.is_empty() {
                let message = format!("{}: there are no examples in it", file.name());
                return Err(TaskError::Unfit(message));
            }
            let digest = file.digest().map_err(TaskError::below)?;
            if digests.contains(&digest) {
                let message = format!("{}: the same examples are given twice", file.name());
                return Err(TaskError::Unfit(message));
            }
            digests.push(digest);
            files.push(file);
        }
        if files.is_empty() {
            return Err(TaskError::Unfit("there is no file of examples to learn from".into()));
        }
        digests.sort();
        let digest = match digests.as_slice() {
            [one] => one.clone(),
            all => blake3::hash(all.concat().as_bytes()).to_hex().to_string(),
        };
        Ok(Data { files, digest })
    }

    /// All examples.
    pub fn len(&self) -> u64 {
        self.files.iter().map(ExampleFile::len).sum()
    }
}

/// The options that only one method knows, each used once.
pub(super) struct Options {
    given: BTreeMap<String, String>,
    known: Vec<&'static str>,
}

impl Options {
    /// From `--set KEY=VALUE`.
    pub fn new(order: &Order) -> Result<Options, TaskError> {
        let mut given = BTreeMap::new();
        for (key, value) in &order.options {
            if given.insert(key.clone(), value.clone()).is_some() {
                return Err(TaskError::Unfit(format!("--set {key} is given twice")));
            }
        }
        Ok(Options { given, known: Vec::new() })
    }

    /// The text of an option.
    pub fn take(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
        self.given.remove(key)
    }

    /// A number between two others, or what it is by default.
    pub fn number<T: FromStr + PartialOrd + std::fmt::Display>(
        &mut self,
        key: &'static str,
        default: T,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<T, TaskError> {
        let Some(text) = self.take(key) else { return Ok(default) };
        text.parse().ok().filter(|value| range.contains(value)).ok_or_else(|| {
            let (low, high) = (range.start(), range.end());
            let text = shorten(&text);
            TaskError::Unfit(format!("--set {key}={text}: expected a number from {low} to {high}"))
        })
    }

    /// Complains about options that nobody asked for.
    pub fn finish(self) -> Result<(), TaskError> {
        match self.given.keys().next() {
            None => Ok(()),
            Some(key) => Err(TaskError::unknown("option", key, self.known)),
        }
    }
}

/// Runs work on so many threads.
pub(super) fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, TaskError> + Send,
) -> Result<T, TaskError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    pool.map_err(TaskError::below)?.install(work)
}

/// The name of the model that knows nothing: all weights are zero.
pub const ZERO: &str = "zero";

/// Opens a model of weights by its file, or [`ZERO`].
pub fn open_weights(name: &str) -> Result<Model, ModelError> {
    match name {
        ZERO => Ok(Model::start(Scheme::Phases, Start::Zero)),
        path => Model::open(Path::new(path)),
    }
}

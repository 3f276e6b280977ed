//! What is learned from, and with which settings?

use super::ExampleFile;
use crate::model::{Model, ModelError, Start};
use crate::types::Scheme;
use std::path::Path;
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

/// The name of the model that knows nothing: all weights are zero.
pub const ZERO: &str = "zero";

/// Opens a model of weights by its file, or [`ZERO`].
pub fn open_weights(name: &str) -> Result<Model, ModelError> {
    match name {
        ZERO => Ok(Model::start(Scheme::Phases, Start::Zero)),
        path => Model::open(Path::new(path)),
    }
}

//! What is learned from, and with which settings?

use super::{ExampleError, ExampleFile};
use crate::model::{Model, Start};
use crate::models::{self, AnyModel};
use crate::types::Scheme;
use std::path::Path;
use zug_learn::face::{Order, TaskError};

/// The files of an order, opened.
pub(super) struct Data {
    pub files: Vec<ExampleFile>,
    /// One digest for all of them, whatever their order.
    pub digest: String,
}

/// Why a file cannot be learned from; games and positions as text can be made into one that can.
fn no_examples(path: &Path, error: ExampleError) -> TaskError {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".zst").or(name.strip_suffix(".gz")).unwrap_or(&name);
    if path.is_file() && [".epd", ".pgn", ".fen"].iter().any(|ending| name.ends_with(ending)) {
        return TaskError::Unfit(format!(
            "{error}; zug data chess label makes examples of games (.pgn) and positions (.epd)"
        ));
    }
    TaskError::below(error)
}

impl Data {
    /// Opens the files; each must hold examples, and none may be given twice.
    pub fn open(order: &Order) -> Result<Data, TaskError> {
        let (mut files, mut digests) = (Vec::new(), Vec::new());
        for path in &order.data {
            let file = ExampleFile::open(path).map_err(|error| no_examples(path, error))?;
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

/// Opens a model of weights by its name or its file; [`ZERO`] has two phases.
pub fn open_weights(name: &str) -> Result<Model, TaskError> {
    if name == ZERO {
        return Ok(Model::start(Scheme::Phases, Start::Zero));
    }
    match models::open_model(name).map_err(TaskError::below)? {
        AnyModel::Factors(model) => Ok(model),
        AnyModel::Hand => {
            let message = "the evaluation by hand has no weights, and is always compared with";
            Err(TaskError::Unfit(message.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_opened_by_the_names_of_models() {
        assert_eq!(open_weights("zero").unwrap().scheme, Scheme::Phases);
        assert_eq!(open_weights("learned").unwrap().scheme, Scheme::PhasesPlus);
        assert_eq!(open_weights("thesis").unwrap().scheme.columns(), 33);
        assert!(open_weights("hand").unwrap_err().to_string().contains("no weights"));
        assert!(open_weights("weather").unwrap_err().to_string().contains("'weather'"));
    }
}

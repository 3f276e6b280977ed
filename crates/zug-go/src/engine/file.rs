//! Weights of playouts as a file.
//!
//! Sections: `codes` (the smallest code of each class of surroundings: what a weight means does not
//! hang on its place), `around` (a weight for each), `answer-names` (one a line), `answers`, `lines`
//! and `near`.

use super::weights::{ANSWER_NAMES, ANSWERS, DISTANCES, LINES, PlayoutModel, SURROUNDINGS};
use std::path::Path;
use zug_core::container::{Container, ContainerError, Expect, Header, Kind, Writer};

const LAYOUT: &str = "go-playouts/1";
/// More than any program would have.
const MOST: u64 = 1 << 16;

/// Weights that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The file.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// What it says.
    #[error("{file}: {message}")]
    Content {
        /// The file.
        file: String,
        /// What is wrong.
        message: String,
    },
}

impl PlayoutModel {
    /// The header of such a file, to which the maker adds how it was made.
    #[must_use]
    pub fn header() -> Header {
        Header::new(Kind::Model, "go", LAYOUT)
    }

    /// Writes the model, whole or not at all.
    pub fn write(&self, path: &Path, header: &Header) -> Result<(), ContainerError> {
        let mut writer = Writer::create(path, header)?;
        self.put(&mut writer)?;
        writer.commit()
    }

    /// The bytes of the file.
    pub fn to_bytes(&self, header: &Header) -> Result<Vec<u8>, ContainerError> {
        let mut writer = Writer::new(Vec::new(), header)?;
        self.put(&mut writer)?;
        writer.finish()
    }

    fn put<W: std::io::Write>(&self, writer: &mut Writer<W>) -> Result<(), ContainerError> {
        // Most surroundings never occurred; their weights are zero and are left out.
        let (codes, around): (Vec<u32>, Vec<f32>) = SURROUNDINGS
            .classes
            .iter()
            .zip(&self.around)
            .filter(|(_, w)| **w != 0.0)
            .map(|(&code, &weight)| (code, weight))
            .unzip();
        writer.array("codes", &codes)?;
        writer.array("around", &around)?;
        writer.bytes("answer-names", ANSWER_NAMES.join("\n").as_bytes())?;
        writer.array("answers", &self.answers)?;
        writer.array("lines", &self.lines)?;
        writer.array("near", &self.near.concat())
    }

    /// Reads a model from a file.
    pub fn open(path: &Path) -> Result<PlayoutModel, WeightsError> {
        PlayoutModel::read(&Container::open(path, &Expect::model("go").layout(LAYOUT))?)
    }

    /// Reads a model from bytes; `name` stands for the file in messages.
    pub fn from_bytes(name: &str, bytes: &'static [u8]) -> Result<PlayoutModel, WeightsError> {
        let expect = Expect::model("go").layout(LAYOUT);
        PlayoutModel::read(&Container::from_source(name.to_string(), Box::new(bytes), &expect)?)
    }

    /// Reads a model from the sections of an opened file.
    pub fn read(file: &Container) -> Result<PlayoutModel, WeightsError> {
        let bad =
            |message: String| WeightsError::Content { file: file.file().to_string(), message };
        let names = file.section("answer-names")?.bytes(MOST)?;
        if names != ANSWER_NAMES.join("\n").as_bytes() {
            return Err(bad("its kinds of answers are not those of this program".to_string()));
        }
        let mut model = PlayoutModel::plain();
        let codes = file.section("codes")?.array::<u32>(MOST)?;
        let around = numbers(file, "around", codes.len())?;
        for (code, weight) in codes.into_iter().zip(around) {
            let class = SURROUNDINGS.classes.binary_search(&code);
            let class = class.map_err(|_| bad(format!("no board has the surroundings {code}")))?;
            model.around[class] = weight;
        }
        model.answers.copy_from_slice(&numbers(file, "answers", ANSWERS)?);
        model.lines.copy_from_slice(&numbers(file, "lines", LINES)?);
        let near = numbers(file, "near", 2 * DISTANCES)?;
        model.near[0].copy_from_slice(&near[..DISTANCES]);
        model.near[1].copy_from_slice(&near[DISTANCES..]);
        Ok(model)
    }
}

/// A section of so many finite numbers.
fn numbers(file: &Container, name: &str, count: usize) -> Result<Vec<f32>, WeightsError> {
    let numbers = file.section(name)?.array::<f32>(MOST)?;
    let bad = |message: String| WeightsError::Content { file: file.file().to_string(), message };
    if numbers.len() != count {
        let found = numbers.len();
        return Err(bad(format!("expected {count} numbers in section '{name}', found {found}")));
    }
    match numbers.iter().find(|w| !w.is_finite()) {
        Some(w) => Err(bad(format!("section '{name}' has {w}, no number"))),
        None => Ok(numbers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_survives_its_file_and_a_broken_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.zug");
        let mut model = PlayoutModel::plain();
        model.around[17] = 1.5;
        model.answers[3] = -2.0;
        model.near[1][4] = 0.25;
        model.write(&path, &PlayoutModel::header()).unwrap();
        assert_eq!(PlayoutModel::open(&path).unwrap(), model);
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 40;
        bytes[last] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(PlayoutModel::open(&path).is_err());
        model.answers[0] = f32::NAN;
        model.write(&path, &PlayoutModel::header()).unwrap();
        assert!(PlayoutModel::open(&path).unwrap_err().to_string().contains("answers"));
    }
}

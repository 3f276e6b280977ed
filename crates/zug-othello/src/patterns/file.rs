//! A pattern model as a file.
//!
//! Sections: `patterns` (their names or squares, one a line), `knots` (a disc count a byte),
//! `weights` (16 bits each, knot by knot; every knot but the first as the difference to the one
//! before it, which packs better, low bytes before high bytes), and in corrected models `tempo` (what is
//! taken off the value of the side to move, 16 bits for each disc count from 0 to 64, in hundredths of
//! a disc).

use super::{PatternModel, PatternSet, Phases};
use crate::engine::Evaluation;
use crate::tempo::Tempo;
use std::path::Path;
use zug_core::container::{Container, ContainerError, Expect, Header, Kind, Writer};

const LAYOUT: &str = "othello-patterns/1";
const MOST_TEXT: u64 = 1 << 16;
/// What is taken off values; not in models that nothing is taken off from.
const TEMPO: &str = "tempo";

/// A model that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
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

impl PatternModel {
    /// The header of such a file, to which the maker adds how it was made.
    #[must_use]
    pub fn header() -> Header {
        Header::new(Kind::Model, "othello", LAYOUT)
    }

    /// Is this the header of a pattern model?
    #[must_use]
    pub fn is_header(header: &Header) -> bool {
        header.kind == Kind::Model && header.layout == LAYOUT
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
        writer.bytes("patterns", self.set().list().join("\n").as_bytes())?;
        writer.bytes("knots", self.phases().knots())?;
        let cells = self.set().cells();
        let weights = self.weights();
        let change = |i: usize| match i.checked_sub(cells) {
            None => weights[i],
            Some(before) => weights[i].wrapping_sub(weights[before]),
        };
        let low = (0..weights.len()).map(|i| change(i) as u8);
        let high = (0..weights.len()).map(|i| (change(i) >> 8) as u8);
        writer.bytes("weights", &low.chain(high).collect::<Vec<u8>>())?;
        // A model without one is what it always was, byte for byte.
        let tempo = self.tempo();
        if tempo.is_none() { Ok(()) } else { writer.bytes(TEMPO, &tempo.to_bytes()) }
    }

    /// Reads a model.
    pub fn open(path: &Path) -> Result<PatternModel, ModelError> {
        PatternModel::read(&Container::open(path, &Expect::model("othello").layout(LAYOUT))?)
    }

    /// Reads a model from memory; `name` stands for the file in messages.
    pub fn from_bytes(name: &str, bytes: &'static [u8]) -> Result<PatternModel, ModelError> {
        let expect = Expect::model("othello").layout(LAYOUT);
        PatternModel::read(&Container::from_source(name.to_string(), Box::new(bytes), &expect)?)
    }

    /// Reads a model from an opened file.
    pub fn read(file: &Container) -> Result<PatternModel, ModelError> {
        let bad = |message: String| ModelError::Content { file: file.file().to_string(), message };
        let list = file.section("patterns")?.bytes(MOST_TEXT)?;
        let list = String::from_utf8(list).map_err(|_| bad("the patterns are no text".into()))?;
        let set = PatternSet::parse(&list.lines().collect::<Vec<_>>())
            .map_err(|e| bad(format!("in the patterns: {e}")))?;
        let knots = file.section("knots")?.bytes(64)?;
        let phases = Phases::new(&knots)
            .ok_or_else(|| bad(format!("the knots {knots:?} are no rising disc counts")))?;
        let cells = set.cells();
        let wanted = cells * phases.len();
        let section = file.section("weights")?;
        if section.length() != 2 * wanted as u64 {
            return Err(bad(format!("expected {wanted} weights, found {}", section.length() / 2)));
        }
        let bytes = section.bytes(2 * wanted as u64)?;
        let (low, high) = bytes.split_at(wanted);
        let mut weights: Vec<i16> =
            low.iter().zip(high).map(|(&l, &h)| i16::from_le_bytes([l, h])).collect();
        for i in cells..wanted {
            weights[i] = weights[i].wrapping_add(weights[i - cells]);
        }
        let tempo = match file.sections().find(|section| section.name() == TEMPO) {
            None => Tempo::NONE,
            Some(section) => {
                let bytes = section.bytes(MOST_TEXT)?;
                Tempo::from_bytes(&bytes).ok_or_else(|| {
                    bad(format!("section '{TEMPO}': expected 65 numbers from -6400 to 6400"))
                })?
            }
        };
        Ok(PatternModel::new(set, phases, weights).expect("counted").with_tempo(tempo))
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::random_model;
    use super::*;

    #[test]
    fn a_model_survives_being_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.zug");
        let model = random_model(3);
        model.write(&path, &PatternModel::header()).unwrap();
        let again = PatternModel::open(&path).unwrap();
        assert_eq!(again.weights(), model.weights());
        assert_eq!(again.phases(), model.phases());
        assert_eq!(again.set().list(), model.set().list());
    }

    #[test]
    fn a_corrected_model_keeps_its_table_and_one_that_is_none_is_refused() {
        let mut table = [0; 65];
        (table[0], table[30], table[64]) = (6400, -150, 7);
        let tempo = Tempo::new(table);
        let read = |bytes| {
            let file = Container::from_bytes(bytes, &Expect::anything()).unwrap();
            PatternModel::read(&file).map_err(|e| e.to_string())
        };
        let model = random_model(3).with_tempo(tempo.clone());
        let bytes = model.to_bytes(&PatternModel::header()).unwrap();
        assert_eq!(read(bytes).ok().unwrap().tempo(), &tempo);
        let mut writer = Writer::new(Vec::new(), &PatternModel::header()).unwrap();
        writer.bytes("patterns", b"diagonal3").unwrap();
        writer.bytes("knots", &[10]).unwrap();
        let cells = PatternSet::parse(&["diagonal3"]).unwrap().cells();
        writer.bytes("weights", &vec![0; 2 * cells]).unwrap();
        writer.bytes(TEMPO, &[1; 9]).unwrap();
        assert!(read(writer.finish().unwrap()).err().unwrap().contains("'tempo'"));
    }

    #[test]
    fn files_that_contradict_themselves_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.zug");
        let write = |patterns: &str, knots: &[u8], weights: &[u8]| {
            let mut writer = Writer::create(&path, &PatternModel::header()).unwrap();
            writer.bytes("patterns", patterns.as_bytes()).unwrap();
            writer.bytes("knots", knots).unwrap();
            writer.bytes("weights", weights).unwrap();
            writer.commit().unwrap();
            PatternModel::open(&path).err().map(|e| e.to_string())
        };
        let cells = PatternSet::parse(&["diagonal3"]).unwrap().cells();
        assert_eq!(write("diagonal3", &[10], &vec![0; 2 * cells]), None);
        assert!(write("diagonal9", &[10], &[]).unwrap().contains("diagonal9"));
        assert!(write("diagonal3", &[10, 10], &[]).unwrap().contains("rising"));
        assert!(write("diagonal3", &[10], &[0; 4]).unwrap().contains("found 2"));
    }
}

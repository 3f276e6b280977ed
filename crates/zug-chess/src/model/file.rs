//! A model as a file.
//!
//! Sections: `scheme` (its word), `factors` (their names, one a line: what the weights mean does not
//! hang on a number), `weights` (32 bits each, column after column), and for clusters `cluster-bias`,
//! `cluster-weights` and `cluster-soft`.

use super::Model;
use crate::factors::{self, FACTORS};
use crate::types::{Clusters, Scheme};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use zug_core::container::{Container, ContainerError, Expect, Header, Kind, Writer};
use zug_core::error::shorten;

const LAYOUT: &str = "chess-factors/1";
const MOST_NAMES: u64 = 1 << 20;
/// More columns than any scheme makes sense with.
const MOST_COLUMNS: u64 = 4096;

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

impl Model {
    /// The header of such a file, to which the maker adds how it was made.
    #[must_use]
    pub fn header() -> Header {
        Header::new(Kind::Model, "chess", LAYOUT)
    }

    /// Is this the header of such a model?
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

    /// Writes the sections of the model, for files that hold more than a model.
    pub fn put<W: Write>(&self, writer: &mut Writer<W>) -> Result<(), ContainerError> {
        writer.bytes("scheme", self.scheme.word().as_bytes())?;
        let names: Vec<&str> = (0..FACTORS).map(factors::name).collect();
        writer.bytes("factors", names.join("\n").as_bytes())?;
        writer.array("weights", &self.weights)?;
        if let Scheme::Clusters(clusters) = &self.scheme {
            writer.array("cluster-bias", &clusters.bias)?;
            writer.array("cluster-weights", &clusters.weights)?;
            writer.bytes("cluster-soft", &[u8::from(clusters.soft)])?;
        }
        Ok(())
    }

    /// Reads a model from a file.
    pub fn open(path: &Path) -> Result<Model, ModelError> {
        Model::read(&Container::open(path, &Expect::model("chess").layout(LAYOUT))?)
    }

    /// Reads a model from bytes; `name` stands for the file in messages.
    pub fn from_bytes(name: &str, bytes: &'static [u8]) -> Result<Model, ModelError> {
        let expect = Expect::model("chess").layout(LAYOUT);
        Model::read(&Container::from_source(name.to_string(), Box::new(bytes), &expect)?)
    }

    /// Reads a model from the sections of an opened file.
    pub fn read(file: &Container) -> Result<Model, ModelError> {
        let bad = |message: String| ModelError::Content { file: file.file().to_string(), message };
        let text = |section: &str, most: u64| {
            let bytes = file.section(section)?.bytes(most)?;
            String::from_utf8(bytes).map_err(|_| bad(format!("section '{section}' is no text")))
        };
        let names = text("factors", MOST_NAMES)?;
        check_names(&names).map_err(bad)?;
        let scheme = match text("scheme", 256)?.as_str() {
            "clusters" => {
                let most = MOST_COLUMNS * 4096;
                let bias = file.section("cluster-bias")?.array::<f32>(MOST_COLUMNS)?;
                let weights = file.section("cluster-weights")?.array::<f32>(most)?;
                let soft = file.section("cluster-soft")?.bytes(1)? == [1];
                let clusters = Clusters::new(bias, weights, soft).ok_or_else(|| {
                    bad("the figures of the clusters do not fit each other, or are not finite"
                        .into())
                })?;
                Scheme::Clusters(Arc::new(clusters))
            }
            word => Scheme::parse(word).map_err(&bad)?,
        };
        let section = file.section("weights")?;
        let (wanted, found) = (scheme.columns() * FACTORS, section.count::<f32>()?);
        if found != wanted as u64 {
            return Err(bad(format!(
                "expected {wanted} weights ({} columns of {FACTORS} factors), found {found}",
                scheme.columns()
            )));
        }
        let weights = section.array::<f32>(found)?;
        if let Some(i) = weights.iter().position(|w| !w.is_finite()) {
            let name = factors::name(i % FACTORS);
            return Err(bad(format!("the weight of '{name}' is {}, no number", weights[i])));
        }
        Ok(Model { scheme, weights })
    }
}

/// The factors of the file must be those of this program.
fn check_names(names: &str) -> Result<(), String> {
    let found = names.lines().count();
    if found != FACTORS {
        return Err(format!("this is a model of {found} factors; this program counts {FACTORS}"));
    }
    for (i, name) in names.lines().enumerate() {
        if name != factors::name(i) {
            return Err(format!(
                "factor {i} of this model is '{}'; in this program it is '{}'",
                shorten(name),
                factors::name(i)
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Start;
    use crate::types::Zones;
    use crate::types::clusters::DESCRIPTORS;

    fn reread(model: &Model) -> Model {
        let bytes = model.to_bytes(&Model::header()).unwrap();
        Model::read(&Container::from_bytes(bytes, &Expect::model("chess")).unwrap()).unwrap()
    }

    #[test]
    fn a_model_of_every_scheme_survives_being_written_and_read() {
        let clusters =
            Clusters::new(vec![0.5; 3], (0..3 * DESCRIPTORS).map(|i| i as f32).collect(), true);
        for scheme in [
            Scheme::One,
            Scheme::Phases,
            Scheme::PhasesPlus,
            Scheme::KnightCap,
            Scheme::Thesis(Zones::default()),
            Scheme::Clusters(Arc::new(clusters.unwrap())),
        ] {
            let mut model = Model::start(scheme, Start::Thesis);
            for (i, weight) in model.weights.iter_mut().enumerate() {
                *weight += i as f32 / 1024.0;
            }
            assert_eq!(reread(&model), model);
        }
    }

    #[test]
    fn files_that_are_damaged_or_say_something_else_are_refused_with_words() {
        let write = |scheme: &str, names: &str, weights: &[f32]| {
            let mut writer = Writer::new(Vec::new(), &Model::header()).unwrap();
            writer.bytes("scheme", scheme.as_bytes()).unwrap();
            writer.bytes("factors", names.as_bytes()).unwrap();
            writer.array("weights", weights).unwrap();
            let file =
                Container::from_bytes(writer.finish().unwrap(), &Expect::model("chess")).unwrap();
            Model::read(&file).err().map(|e| e.to_string())
        };
        let names: Vec<&str> = (0..FACTORS).map(factors::name).collect();
        let good = names.join("\n");
        assert_eq!(write("one", &good, &[0.0; FACTORS]), None);
        assert!(write("weather", &good, &[]).unwrap().contains("'weather'"));
        assert!(write("phases", &good, &[0.0; FACTORS]).unwrap().contains("found 1706"));
        assert!(write("one", "a\nb", &[]).unwrap().contains("2 factors"));
        let other = good.replace("isolated/c", "isolated/x");
        assert!(write("one", &other, &[]).unwrap().contains("'isolated/x'"));
        let mut weights = [0.0; FACTORS];
        weights[9] = f32::NAN;
        assert!(write("one", &good, &weights).unwrap().contains("isolated/c"));

        let mut bytes = Model::start(Scheme::One, Start::Zero).to_bytes(&Model::header()).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        let refusal = Container::from_bytes(bytes, &Expect::model("chess"))
            .map_err(ModelError::from)
            .and_then(|file| Model::read(&file));
        assert!(refusal.is_err());
    }
}

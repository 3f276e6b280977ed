//! A model of the thesis as a file.
//!
//! Sections: `method` and `features` (text), `formulas` (for each disc count the constant, the
//! weights, the pairs), and for each feature that is a pattern `table-N` (a byte an instance, phase
//! by phase; every phase but the first as the difference to the one before it, which packs better).

use super::ThesisError;
use super::feature::{Feature, FeatureSet, Measure};
use super::model::{DISCS, Formula, Method, ThesisModel};
use super::table::{PHASES, PatternTable};
use std::path::Path;
use zug_core::container::{Container, ContainerError, Expect, Header, Kind, Writer};

const LAYOUT: &str = "othello-thesis/1";
const MOST_TEXT: u64 = 1 << 16;

impl ThesisModel {
    /// The header of such a file, to which the maker adds how it was made.
    #[must_use]
    pub fn header(&self) -> Header {
        let mut header = Header::new(Kind::Model, "othello", LAYOUT);
        header.notes.insert("method".into(), self.method().to_string());
        header.notes.insert("features".into(), self.features().names().join(","));
        header
    }

    /// Is this the header of a model of the thesis?
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
        writer.bytes("method", self.method().name().as_bytes())?;
        writer.bytes("features", self.features().names().join(",").as_bytes())?;
        let numbers: Vec<f64> = self
            .formulas()
            .iter()
            .flat_map(|f| std::iter::once(&f.constant).chain(&f.weights).chain(&f.pairs))
            .copied()
            .collect();
        writer.array("formulas", &numbers)?;
        for (number, table) in self.tables().iter().enumerate() {
            if let Some(table) = table {
                let (values, instances) = (table.values(), table.pattern().instances());
                let change = |i: usize| match i.checked_sub(instances) {
                    None => values[i],
                    Some(before) => values[i].wrapping_sub(values[before]),
                };
                let changes: Vec<i8> = (0..values.len()).map(change).collect();
                writer.array(&format!("table-{number}"), &changes)?;
            }
        }
        Ok(())
    }

    /// Reads a model.
    pub fn open(path: &Path) -> Result<ThesisModel, ThesisError> {
        ThesisModel::read(&Container::open(path, &Expect::model("othello").layout(LAYOUT))?)
    }

    /// Reads a model from memory.
    pub fn from_bytes(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<ThesisModel, ThesisError> {
        let expect = Expect::model("othello").layout(LAYOUT);
        ThesisModel::read(&Container::from_bytes(bytes, &expect)?)
    }

    /// Reads a model from an opened file.
    pub fn read(file: &Container) -> Result<ThesisModel, ThesisError> {
        file.check(&Expect::model("othello").layout(LAYOUT))?;
        let bad = |message: String| ThesisError::Content { file: file.file().to_string(), message };
        let text = |name: &str| -> Result<String, ThesisError> {
            let bytes = file.section(name)?.bytes(MOST_TEXT)?;
            String::from_utf8(bytes).map_err(|_| bad(format!("section '{name}' is no text")))
        };
        let method: Method =
            text("method")?.parse().map_err(|e| bad(format!("in section 'method': {e}")))?;
        let features = Feature::parse_list(&text("features")?)
            .and_then(FeatureSet::new)
            .map_err(|e| bad(format!("in section 'features': {e}")))?;
        let width = features.len();
        let pairs = if method == Method::Quadratic { width * (width + 1) / 2 } else { 0 };
        let (each, count) = (1 + width + pairs, DISCS.count());
        let numbers = file.section("formulas")?.array::<f64>((each * count) as u64)?;
        if numbers.len() != each * count {
            let found = numbers.len();
            return Err(bad(format!(
                "expected {} numbers in 'formulas', found {found}",
                each * count
            )));
        }
        let formula = |numbers: &[f64]| Formula {
            constant: numbers[0],
            weights: numbers[1..=width].to_vec(),
            pairs: numbers[1 + width..].to_vec(),
        };
        let formulas = numbers.chunks(each).map(formula).collect();
        let mut tables = Vec::new();
        for (number, feature) in features.features().iter().enumerate() {
            let Measure::Pattern(pattern) = feature.measure() else {
                tables.push(None);
                continue;
            };
            let name = format!("table-{number}");
            let instances = pattern.instances();
            let most = PHASES * instances;
            let mut values = file.section(&name)?.array::<i8>(most as u64)?;
            if values.len() != most {
                let found = values.len();
                return Err(bad(format!("expected {most} values in '{name}', found {found}")));
            }
            for i in instances..most {
                values[i] = values[i].wrapping_add(values[i - instances]);
            }
            tables.push(PatternTable::new(pattern.clone(), values));
        }
        ThesisModel::new(method, features, tables, formulas).map_err(|e| bad(e.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::random_model;
    use super::*;
    use proptest::prelude::*;

    fn small(method: Method) -> ThesisModel {
        random_model(method, "mobility,diagonal3,pattern:a1,b2", 5)
    }

    #[test]
    fn models_survive_being_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.zug");
        for method in Method::ALL {
            let model = small(method);
            model.write(&path, &model.header()).unwrap();
            let again = ThesisModel::open(&path).unwrap();
            assert_eq!(again.method(), method);
            assert_eq!(again.features().names(), model.features().names());
            assert_eq!(again.formulas(), model.formulas());
            assert_eq!(again.tables(), model.tables());
            assert_eq!(std::fs::read(&path).unwrap(), model.to_bytes(&model.header()).unwrap());
        }
    }

    proptest! {
        #[test]
        fn a_changed_byte_is_an_error(at: prop::sample::Index, to: u8) {
            let model = small(Method::Quadratic);
            let mut bytes = model.to_bytes(&model.header()).unwrap();
            let at = at.index(bytes.len());
            prop_assume!(bytes[at] != to);
            bytes[at] = to;
            prop_assert!(ThesisModel::from_bytes(bytes).is_err());
        }
    }

    #[test]
    fn foreign_files_and_files_that_contradict_themselves_are_refused() {
        let model = small(Method::Logistic);
        let refused = |bytes: Vec<u8>| ThesisModel::from_bytes(bytes).unwrap_err().to_string();
        let bytes = model.to_bytes(&model.header()).unwrap();
        assert!(refused(bytes[..bytes.len() - 3].to_vec()).contains("end of the file"));
        let other = Header::new(Kind::Model, "othello", "othello-patterns/1");
        assert!(refused(model.to_bytes(&other).unwrap()).contains("layout"));
        let chess = Header::new(Kind::Model, "chess", LAYOUT);
        assert!(refused(model.to_bytes(&chess).unwrap()).contains("chess"));

        let write = |method: &str, features: &str, formulas: &[f64], table: &[i8]| {
            let mut writer = Writer::new(Vec::new(), &model.header()).unwrap();
            writer.bytes("method", method.as_bytes()).unwrap();
            writer.bytes("features", features.as_bytes()).unwrap();
            writer.array("formulas", formulas).unwrap();
            writer.array("table-0", table).unwrap();
            ThesisModel::from_bytes(writer.finish().unwrap()).err().map(|e| e.to_string())
        };
        let (formulas, table) = (vec![0.0; 2 * 51], vec![0; 12 * 27]);
        assert_eq!(write("logistic", "diagonal3", &formulas, &table), None);
        assert!(write("log", "diagonal3", &formulas, &table).unwrap().contains("'method'"));
        assert!(write("logistic", "diagonal9", &formulas, &table).unwrap().contains("diagonal9"));
        assert!(write("logistic", "diagonal3", &formulas[1..], &table).unwrap().contains("101"));
        assert!(write("quadratic", "diagonal3", &formulas, &table).unwrap().contains("153"));
        assert!(write("logistic", "diagonal3", &formulas, &table[1..]).unwrap().contains("323"));
        let mut wild = formulas.clone();
        wild[0] = f64::INFINITY;
        assert!(write("logistic", "diagonal3", &wild, &table).unwrap().contains("not finite"));
    }
}

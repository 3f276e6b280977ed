//! Models in files.

use super::fields::{FIELDS, KEYS, PLAIN, key_name};
use super::model::{Packed, PatternModel};
use super::weights::{FACTORS, Layers, UNITS};
use std::path::Path;
use zug_core::container::{Container, ContainerError, Expect, Header, Kind, Problem, Writer};

/// The layout of the sections.
pub const LAYOUT: &str = "go-patterns/1";

/// More patterns than this are no model.
const MOST: u64 = 1 << 26;

/// What all features mean, in one line: a model of other fields is refused.
#[must_use]
pub fn signature() -> String {
    let plain = FIELDS.iter().map(|(name, answers)| format!("{name} {answers}"));
    let keys = (0..KEYS).map(key_name);
    let all: Vec<String> = plain.chain(keys).chain([format!("{FACTORS}/{UNITS}")]).collect();
    blake3::hash(all.join(",").as_bytes()).to_hex()[..16].to_string()
}

/// A header for a model of these board sizes.
#[must_use]
pub fn header(sizes: &[usize]) -> Header {
    let mut header = Header::new(Kind::Model, "go", LAYOUT);
    let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    header.notes.insert("sizes".to_string(), sizes.join(" "));
    header.notes.insert("fields".to_string(), signature());
    header
}

/// Writes a model, whole or not at all.
pub fn write(path: &Path, header: &Header, packed: &Packed) -> Result<(), ContainerError> {
    let mut writer = Writer::create(path, header)?;
    let low: Vec<u32> = packed.keys.iter().map(|&key| key as u32).collect();
    let high: Vec<u16> = packed.keys.iter().map(|&key| (key >> 32) as u16).collect();
    writer.array("keys-low", &low)?;
    writer.array("keys-high", &high)?;
    writer.array("single", &packed.single)?;
    writer.array("factors", &packed.factors)?;
    writer.array("scales", &packed.scales)?;
    let layers: Vec<f32> = packed.layers.parts().into_iter().flatten().copied().collect();
    writer.array("layers", &layers)?;
    writer.commit()
}

/// The model of a file.
pub fn read(path: &Path) -> Result<PatternModel, ContainerError> {
    of_container(&Container::open(path, &expect())?)
}

/// The model in these bytes.
pub fn read_bytes(name: &str, bytes: &'static [u8]) -> Result<PatternModel, ContainerError> {
    let mut model = of_container(&Container::from_bytes(bytes, &expect())?)?;
    model.rename(name);
    Ok(model)
}

fn expect() -> Expect {
    Expect::model("go").layout(LAYOUT)
}

/// The model in a container.
pub fn of_container(file: &Container) -> Result<PatternModel, ContainerError> {
    let failed = |problem| ContainerError { file: file.file().to_string(), problem };
    let wrong = |why: &str| failed(Problem::Damaged { at: 0, what: why.to_string() });
    let notes = &file.header().notes;
    let fields = notes.get("fields").map_or("none", String::as_str);
    if fields != signature() {
        return Err(failed(Problem::WrongLayout {
            expected: format!("{LAYOUT} with the fields {}", signature()),
            found: format!("{LAYOUT} with the fields {fields}: learn the model again"),
        }));
    }
    let sizes: Option<Vec<usize>> = notes
        .get("sizes")
        .map(|text| text.split_whitespace().map(|s| s.parse().ok()).collect())
        .unwrap_or_default();
    let sizes = sizes.ok_or_else(|| wrong("the board sizes are no numbers"))?;
    let low = file.section("keys-low")?.array::<u32>(MOST)?;
    let high = file.section("keys-high")?.array::<u16>(MOST)?;
    let single = file.section("single")?.array::<i16>(MOST)?;
    let factors = file.section("factors")?.array::<i8>(MOST * FACTORS as u64)?;
    let scales = file.section("scales")?.array::<f32>(FACTORS as u64)?;
    let numbers = file.section("layers")?.array::<f32>(1 << 20)?;
    let mut layers = Layers::zero();
    let fits = low.len() == high.len()
        && single.len() == PLAIN + low.len()
        && factors.len() % FACTORS == 0
        && factors.len() / FACTORS <= single.len()
        && (factors.is_empty() || factors.len() / FACTORS >= PLAIN)
        && scales.len() == FACTORS
        && numbers.len() == layers.len()
        && scales.iter().chain(&numbers).all(|x| x.is_finite());
    if !fits {
        return Err(wrong("the lengths of its sections do not fit together"));
    }
    let mut rest = numbers.into_iter();
    for part in layers.parts_mut() {
        part.iter_mut().zip(&mut rest).for_each(|(to, from)| *to = from);
    }
    let keys = low.iter().zip(&high).map(|(&l, &h)| u64::from(h) << 32 | u64::from(l)).collect();
    let packed = Packed { keys, single, factors, scales, layers };
    Ok(PatternModel::new(file.file().to_string(), sizes, packed))
}

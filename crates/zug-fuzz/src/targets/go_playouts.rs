//! The parser of weights of playouts.

use super::check;
use super::models::stretched;
use crate::Target;
use zug_core::container::{Container, ContainerError, Expect, Writer};
use zug_go::engine::weights::{
    ANSWER_NAMES, ANSWERS, DISTANCES, LINES, PlayoutModel, SURROUNDINGS, Weights,
};

/// Bytes of which codes and weights are made, packed with the right checksums: the first byte says how
/// many surroundings have weights, the second whether their codes are real ones.
pub const MODEL: Target = Target {
    name: "go-playouts",
    words: &["\u{0}\u{0}\u{7f}\u{3f}", "\u{40}\u{1}", "\u{3}\u{0}"],
    run: |input| {
        read(Container::from_bytes(input.to_vec(), &Expect::model("go")));
        let (count, real) = match input {
            [count, real, ..] => (usize::from(*count), *real % 4 != 0),
            _ => (0, true),
        };
        let numbers = |count: usize| {
            let bytes = stretched(input, 4 * count);
            let (numbers, _) = bytes.as_chunks::<4>();
            numbers.to_vec()
        };
        let floats = |count| numbers(count).into_iter().map(f32::from_le_bytes).collect::<Vec<_>>();
        let codes: Vec<u32> = match real {
            true => SURROUNDINGS.classes.iter().copied().skip(count).take(count).collect(),
            false => numbers(count).into_iter().map(u32::from_le_bytes).collect(),
        };
        let written = Writer::new(Vec::new(), &PlayoutModel::header()).and_then(|mut writer| {
            writer.array("codes", &codes)?;
            writer.array("around", &floats(codes.len()))?;
            writer.bytes("answer-names", ANSWER_NAMES.join("\n").as_bytes())?;
            writer.array("answers", &floats(ANSWERS))?;
            writer.array("lines", &floats(LINES))?;
            writer.array("near", &floats(2 * DISTANCES))?;
            writer.finish()
        });
        read(written.and_then(|b| Container::from_bytes(b, &Expect::model("go"))));
    },
};

/// What is read can be written, reads back the same, and makes a table.
fn read(file: Result<Container, ContainerError>) {
    let model = match file {
        Ok(file) => PlayoutModel::read(&file).map_err(|e| e.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match model {
        Ok(model) => {
            let bytes = model.to_bytes(&PlayoutModel::header()).expect("what was read");
            let file = Container::from_bytes(bytes, &Expect::model("go")).expect("a file");
            assert_eq!(PlayoutModel::read(&file).expect("what was written"), model);
            let _ = Weights::new(&model, 1.0, 1.0);
        }
        Err(error) => check::error_is_short(&error),
    }
}

/// A file of the corpus.
pub fn seed() -> Vec<u8> {
    let mut bytes = vec![40, 1, 0, 0];
    bytes.extend([0.5f32, -1.25, 3.0].iter().flat_map(|w| w.to_le_bytes()));
    bytes
}

//! The parsers of labelled positions of chess: files of examples, and lines of EPD with a result.

use super::check;
use crate::Target;
use zug_chess::texel::file::BLOCK;
use zug_chess::texel::record::{self, BYTES, GameResult};
use zug_chess::texel::{Example, ExampleError, ExampleFile, ExampleWriter, import};
use zug_chess::{HandMade, fen};
use zug_core::container::Writer;

/// The name of a section; a new line; and its examples. Packed with the right checksums.
pub const EXAMPLES: Target = Target {
    name: "chess-examples",
    words: &["part-0\n", "part-1\n", "part-", "\u{1}", "\u{0}\u{0}\u{0}", "\u{10}\u{32}\u{54}"],
    run: |input| {
        read(ExampleFile::from_bytes(input.to_vec()));
        let split = input.iter().position(|&b| b == b'\n').unwrap_or(0);
        let (name, body) = input.split_at(split);
        let name = check::text(name);
        let written = Writer::new(Vec::new(), &ExampleFile::new_header()).and_then(|mut writer| {
            let mut section = writer.section(&name, BLOCK as usize * BYTES)?;
            section.push(body.get(1..).unwrap_or_default())?;
            section.end()?;
            writer.finish()
        });
        match written {
            Ok(bytes) => read(ExampleFile::from_bytes(bytes)),
            Err(error) => check::error_is_short(&error.to_string()),
        }
    },
};

/// What is read can be written, and reads back the same.
fn read(file: Result<ExampleFile, ExampleError>) {
    let mut read: Vec<Example> = Vec::new();
    let outcome = file.and_then(|file| {
        file.for_each(|example| {
            assert_eq!(record::decode(&record::encode(&example)).as_ref(), Ok(&example));
            read.push(example);
        })?;
        let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header())?;
        for example in &read {
            writer.push(example).expect("what was read can be written");
        }
        let again = ExampleFile::from_bytes(writer.finish()?)?;
        assert_eq!(again.len(), read.len() as u64);
        assert_eq!(again.range(0..again.len())?, read);
        Ok(())
    });
    if let Err(error) = outcome {
        check::error_is_short(&error.to_string());
    }
}

/// Lines of positions with results.
pub const LABELLED: Target = Target {
    name: "chess-labelled",
    words: &[
        "c9 \"1-0\";",
        "c0 \"1/2-1/2\";",
        "[0.5]",
        "[1.0]",
        "ce 35;",
        " w - - ",
        "8/",
        "k",
        "K",
    ],
    run: |input| {
        for line in check::text(input).lines().take(100) {
            match import::labelled(line) {
                Ok((position, _, score)) => {
                    assert!(score.is_none_or(|s| s.abs() <= 32_000));
                    assert!(fen::parse(&fen::write(&position)).is_ok());
                }
                Err(error) => check::error_is_short(&error.to_string()),
            }
        }
        let mut tally = import::Tally::default();
        let mut count = 0;
        let mut sink = |_: &Example| {
            count += 1;
            Ok::<(), std::convert::Infallible>(())
        };
        let short = &input[..input.len().min(4096)];
        let eye = &mut HandMade;
        let read = import::positions("input", short, 0, eye, &mut tally, &mut sink);
        assert!(read.is_ok_and(|number| u64::from(number) >= tally.examples));
        assert_eq!(count, tally.examples);
        tally.broken.iter().for_each(|why| check::error_is_short(why));
    },
};

/// Examples of a few positions.
pub fn seed() -> Vec<u8> {
    let mut out = b"part-0\n".to_vec();
    for (game, text) in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/3pP3/8/8/R3K2R b Kq e3 0 1",
        "8/8/4k3/8/8/3K4/4P3/8 w - - 9 1",
    ]
    .into_iter()
    .enumerate()
    {
        let board = fen::parse(text).expect("a position").board().clone();
        let (result, score) = (GameResult::ALL[game], (game != 1).then_some(-20));
        out.extend(record::encode(&Example { board, result, score, game: game as u32 }));
    }
    out
}

//! The parsers of Othello: positions and moves, and six kinds of files.

use super::check;
use crate::Target;
use std::sync::LazyLock;
use zug_core::container::Writer;
use zug_othello::Othello;
use zug_othello::examples::file::BLOCK_BYTES;
use zug_othello::examples::{Example, ExampleError, ExampleFile, ExampleWriter};
use zug_othello::records::ggf::Ggf;
use zug_othello::records::names::{self, Kind};
use zug_othello::records::obf::Problem;
use zug_othello::records::transcript::Transcripts;
use zug_othello::records::wthor::{self, Wthor};

pub static OTHELLO: LazyLock<Othello> = LazyLock::new(Othello::default);

pub const POSITIONS: Target = Target {
    name: "othello",
    words: &["f5\n", "pass\n", "--\n", "PS\n", " b", " w", " X", " O", "---", "8/8/", "\n"],
    run: |input| {
        check::position_and_moves(&*OTHELLO, input);
        if let Some(small) = Othello::with_size(4) {
            check::position_and_moves(&small, input);
        }
    },
};

pub const GGF: Target = Target {
    name: "ggf",
    words: &[
        "(;",
        ";)",
        "GM[Othello]",
        "PB[a]",
        "RE[+12.00]",
        "TI[5:00]",
        "TY[8]",
        "BO[8 ",
        "B[F5//1.5]",
        "W[PA]",
        "B[d6/0.0/2]",
        "RE[-64:r]",
        "\\]",
        "1 (;",
        " *]",
        " O]",
        "TY[8k5]",
        "KM[",
        "2 ",
    ],
    run: |input| check::record_format(&Ggf { game: *OTHELLO }, input),
};

pub const WTHOR: Target = Target {
    name: "wthor",
    words: &["\u{0}", "8", "\u{b}", "XXX"],
    run: |input| {
        check::record_format(&Wthor, input);
        if let Ok(header) = wthor::Header::read(input) {
            assert_eq!(wthor::Header::read(&header.to_bytes()).as_ref(), Ok(&header));
        }
    },
};

pub const NAMES: Target = Target {
    name: "wthor-names",
    words: &["\u{0}", "Player", "Tournament"],
    run: |input| {
        for kind in [Kind::Players, Kind::Tournaments] {
            match names::read(kind, input) {
                Ok(read) => {
                    if let Ok(written) = names::write(kind, &read) {
                        assert_eq!(names::read(kind, &written).as_ref(), Ok(&read));
                    }
                }
                Err(error) => check::error_is_short(&error.to_string()),
            }
        }
    },
};

pub const TRANSCRIPTS: Target = Target {
    name: "transcript",
    words: &["f5", "d6", "c3", "--", "pa", "F5D6", " ", "\n", ":", ": +02", "\t"],
    run: |input| check::record_format(&Transcripts { game: *OTHELLO }, input),
};

pub const OBF: Target = Target {
    name: "obf",
    words: &[" X;", " O;", " C4:+02;", " pass:0;", " --:", " % ", "X", "O", "-", ";\n"],
    run: |input| {
        for line in check::text(input).lines() {
            match Problem::read(&OTHELLO, line) {
                Ok(problem) => {
                    let written = problem.write(&OTHELLO);
                    let again = Problem::read(&OTHELLO, &written);
                    assert_eq!(again.as_ref(), Ok(&problem), "{written}");
                }
                Err(error) => check::error_is_short(&error.to_string()),
            }
        }
        for problem in zug_othello::records::obf::read(&OTHELLO, input).into_iter().flatten() {
            let _ = problem.value();
        }
    },
};

/// The name of a section, a line end, and the bytes of the section: packed with the right checksums,
/// so that mutations get past the outer checks.
pub const EXAMPLES: Target = Target {
    name: "othello-examples",
    words: &["discs-4.0\n", "discs-64.0\n", "discs-12.1\n", "discs-", "\u{1}", "\u{0}\u{0}\u{0}"],
    run: |input| {
        read_examples(ExampleFile::from_bytes(input.to_vec()));
        let split = input.iter().position(|&b| b == b'\n').unwrap_or(0);
        let (name, body) = input.split_at(split);
        let name = check::text(name);
        let written = Writer::new(Vec::new(), &ExampleFile::new_header()).and_then(|mut writer| {
            let mut section = writer.section(&name, BLOCK_BYTES)?;
            section.push(body.get(1..).unwrap_or_default())?;
            section.end()?;
            writer.finish()
        });
        match written {
            Ok(bytes) => read_examples(ExampleFile::from_bytes(bytes)),
            Err(error) => check::error_is_short(&error.to_string()),
        }
    },
};

/// What is read can be written, and reads back the same.
fn read_examples(file: Result<ExampleFile, ExampleError>) {
    let mut read: Vec<Example> = Vec::new();
    let outcome = file.and_then(|file| {
        file.for_each(0..=64, |example| read.push(example))?;
        let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header())?;
        for &example in &read {
            writer.push(example).expect("what was read can be written");
        }
        let again = ExampleFile::from_bytes(writer.finish()?)?;
        assert_eq!(again.len(), read.len() as u64);
        let mut numbers = 0..;
        again.for_each(0..=64, |example| {
            assert_eq!(Some(&example), numbers.next().and_then(|i: usize| read.get(i)));
        })
    });
    if let Err(error) = outcome {
        check::error_is_short(&error.to_string());
    }
}

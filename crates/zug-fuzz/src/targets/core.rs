//! The parsers of the core: containers, specs, durations, text records.

use super::check;
use crate::Target;
use zug_core::container::{Container, Expect, Header, Writer};
use zug_core::limits::parse_duration;
use zug_core::textrecord::TextRecords;
use zug_core::{RecordFormat, Spec};

/// No container may take more memory than this for a section.
const SECTION: u64 = 1 << 20;

pub const CONTAINER: Target = Target {
    name: "container",
    words: &["kind = \"model\"\n", "game = \"x\"\n", "[made]\n", "layout", "[[[[", "\nZUGEND\n"],
    run: |input| read_container(input.to_vec()),
};

/// A header and a section, packed with right checksums: mutations get past the outer checks.
pub const CONTAINER_PARTS: Target = Target {
    name: "container-parts",
    words: &["kind = \"book\"\n", "seed = \"1\"\n", "[notes]\n", "[made]\n", "{a=", "'''", "\"\\u"],
    run: |input| {
        let text = check::text(input);
        let Some((header, body)) = text.split_once('\0') else { return };
        let Ok(header) = Header::from_toml(header) else { return };
        let written = Writer::new(Vec::new(), &header).and_then(|mut writer| {
            let mut section = writer.section("body", 1 + body.len() / 3)?;
            section.push(body.as_bytes())?;
            section.end()?;
            writer.finish()
        });
        match written {
            Ok(bytes) => {
                let container = Container::from_bytes(bytes, &Expect::anything())
                    .expect("what was written is read");
                assert_eq!(*container.header(), header);
                let section = container.section("body").expect("it was written");
                let read = section.bytes(body.len() as u64).expect("it is whole");
                assert_eq!(read, body.as_bytes());
            }
            Err(error) => check::error_is_short(&error.to_string()),
        }
    },
};

fn read_container(bytes: Vec<u8>) {
    match Container::from_bytes(bytes, &Expect::anything()) {
        Ok(container) => {
            let whole = container.verify();
            for section in container.sections() {
                let read = section.bytes(SECTION);
                if let Ok(bytes) = &read {
                    assert_eq!(bytes.len() as u64, section.length());
                }
                assert!(
                    whole.is_err() || read.is_ok() || section.length() > SECTION,
                    "verified, but a section cannot be read"
                );
            }
        }
        Err(error) => check::error_is_short(&error.to_string()),
    }
}

pub const DURATION: Target = Target {
    name: "duration",
    words: &["ms", "s", "m", "h", "min", "inf", "nan", "e", "1e308", "."],
    run: |input| {
        if let Some(duration) = parse_duration(&check::text(input)) {
            let written = format!("{}s", duration.as_secs_f64());
            let again = parse_duration(&written).expect("seconds are a duration");
            let apart = again.abs_diff(duration);
            assert!(apart.as_micros() <= 1, "{written} is {apart:?} from {duration:?}");
        }
    },
};

pub const SPEC: Target = Target {
    name: "spec",
    words: &["zug", "cmd=", "\"", ",", "=", ":", "depth=8", "4x4", "movetime=50ms"],
    run: |input| match Spec::parse(&check::text(input)) {
        Ok(spec) => {
            let written = spec.to_string();
            assert_eq!(Spec::parse(&written).as_ref(), Ok(&spec), "written as {written}");
        }
        Err(error) => check::error_is_short(&error.to_string()),
    },
};

pub const TEXT_RECORDS: Target = Target {
    name: "text-records",
    words: &[
        "[Game \"dodgem:4x4\"]\n",
        "[Start \"",
        "[Result \"1-0\"]\n",
        "[Margin \"0.5\"]\n",
        "1-0",
        "1/2-1/2",
        "*",
        "{",
        "}",
        "\\n",
        "\\\"",
        "(",
        ")",
        "1.",
        "1...",
        "$1",
        ";",
        "\n%",
    ],
    run: |input| {
        check::record_format(&TextRecords, input);
        let all: Vec<_> = TextRecords.read(input).into_iter().flatten().collect();
        if let Ok(bytes) = TextRecords.write(&all) {
            let again: Result<Vec<_>, _> = TextRecords.read(&bytes).into_iter().collect();
            assert_eq!(again.as_ref(), Ok(&all), "{}", String::from_utf8_lossy(&bytes));
        }
    },
};

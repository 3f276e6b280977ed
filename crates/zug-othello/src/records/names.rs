//! The names that go with the tournament base: players (`.jou`) and tournaments (`.trn`).
//!
//! A header of 16 bytes, of which the ninth and tenth count the names, then 20 (players) or 26
//! (tournaments) bytes a name: Latin-1, ended by a zero. Games refer to names by their number,
//! from 0.

use super::wthor::{HEADER_BYTES, Header};
use super::{from_latin1, to_latin1};
use std::fmt::Display;
use zug_core::{Record, RecordError, TextError};

/// Which of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.jou`, 20 bytes a name.
    Players,
    /// `.trn`, 26 bytes a name.
    Tournaments,
}

impl Kind {
    /// Bytes a name, the zero at the end included.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Kind::Players => 20,
            Kind::Tournaments => 26,
        }
    }
}

/// Reads a file of names.
pub fn read(kind: Kind, bytes: &[u8]) -> Result<Vec<String>, RecordError> {
    let header = Header::read(bytes)?;
    let body = &bytes[HEADER_BYTES..];
    let wanted = usize::from(header.names) * kind.width();
    if body.len() != wanted {
        let expected = format!("{} names of {} bytes", header.names, kind.width());
        let found = format!("{} bytes", body.len());
        return Err(TextError::new(HEADER_BYTES, expected, found).into());
    }
    Ok(body
        .chunks_exact(kind.width())
        .map(|name| from_latin1(name.split(|&b| b == 0).next().unwrap_or_default()))
        .collect())
}

/// Puts names in place of the numbers (`#12`) that a record of the base has for its players and its
/// tournament; a number without a name stays. The number goes on as a tag of its own
/// (`BlackNumber`), since names are not always one to a number.
pub fn put_names(record: &mut Record, players: &[String], tournaments: &[String]) {
    for (tag, names) in [("Event", tournaments), ("Black", players), ("White", players)] {
        let number = record.tag(tag).and_then(|v| v.strip_prefix('#')).and_then(|v| v.parse().ok());
        if let Some(name) = number.and_then(|n: usize| names.get(n)) {
            record.set_tag(tag, name);
            record.set_tag(&format!("{tag}Number"), number.unwrap_or_default().to_string());
        }
    }
}

/// Writes a file of names; what is too long is cut off.
pub fn write<S: AsRef<str>>(kind: Kind, names: &[S]) -> Result<Vec<u8>, RecordError> {
    let count = u16::try_from(names.len()).map_err(|_| too_many(names.len()))?;
    let header = Header { names: count, ..Header::default() };
    let mut out = header.to_bytes().to_vec();
    for name in names {
        let begin = out.len();
        let longest = kind.width() - 1;
        out.extend(to_latin1(name.as_ref()).filter(|&b| b != 0).take(longest));
        out.resize(begin + kind.width(), 0);
    }
    Ok(out)
}

fn too_many(count: impl Display) -> RecordError {
    RecordError::Unsupported(format!("{count} names are more than the 65535 that can be numbered"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn broken_files_are_refused() {
        assert!(read(Kind::Players, &[0; 7]).is_err());
        let mut file = write(Kind::Players, &["Ada", "Grace"]).unwrap();
        file.pop();
        assert!(read(Kind::Players, &file).is_err());
    }

    #[test]
    fn names_take_the_place_of_numbers() {
        let mut record = Record::default();
        for (tag, value) in [("Event", "#0"), ("Black", "#1"), ("White", "#9"), ("Site", "#0")] {
            record.set_tag(tag, value);
        }
        put_names(&mut record, &["Ada".into(), "Grace".into()], &["Open".into()]);
        let values = ["Event", "Black", "White", "Site"].map(|tag| record.tag(tag).unwrap());
        assert_eq!(values, ["Open", "Grace", "#9", "#0"]);
        let numbers = ["EventNumber", "BlackNumber", "WhiteNumber"].map(|tag| record.tag(tag));
        assert_eq!(numbers, [Some("0"), Some("1"), None]);
    }

    proptest! {
        #[test]
        fn names_survive_being_written_and_read(
            names in prop::collection::vec("[a-zA-Z é-ÿ]{0,19}", 0..20),
            players: bool,
        ) {
            let kind = if players { Kind::Players } else { Kind::Tournaments };
            prop_assert_eq!(read(kind, &write(kind, &names).unwrap()).unwrap(), names);
        }

        #[test]
        fn reading_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = read(Kind::Tournaments, &bytes);
        }
    }
}

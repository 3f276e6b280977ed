//! The index of the record explorer.

use super::check;
use crate::Target;
use std::sync::LazyLock;
use zug_book::names::Names;
use zug_book::records::gather::of_records;
use zug_book::records::{Index, LAYOUT, write};
use zug_core::container::{Container, Expect, Header, Kind, Writer};
use zug_core::{GameEntry, Record, Spec, StopFlag};

static GAME: LazyLock<GameEntry> = LazyLock::new(|| {
    let spec = Spec::parse("tictactoe").expect("a name");
    zug_games::open(&spec).expect("a small game").expect("without options")
});

/// The sections of an index, each behind its length in two bytes, packed with the right checksums, so
/// that mutations get past the outer checks; and a file as it is.
pub const INDEX: Target = Target {
    name: "record-index",
    words: &["\0\0", "\u{1}\0", "\u{8}\0\0\0\0\0\0\0", "records/1", "kind = \"book\"\n"],
    run: |input| {
        ask(input.to_vec());
        let mut rest = input;
        let header = Header::new(Kind::Book, GAME.game.spec(), LAYOUT);
        let written = Writer::new(Vec::new(), &header).and_then(|mut writer| {
            for name in SECTIONS {
                writer.bytes(name, take_section(&mut rest))?;
            }
            writer.finish()
        });
        ask(written.expect("sections of a few bytes"));
    },
};

const SECTIONS: [&str; 16] = [
    "lists",
    "starts",
    "moves",
    "move-starts",
    "years",
    "results",
    "ratings",
    "players",
    "events",
    "dates",
    "files",
    "numbers",
    "begins",
    "words",
    "names",
    "check",
];

fn take_section<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let Some((length, after)) = rest.split_at_checked(2) else { return &[] };
    let length = usize::from(u16::from_le_bytes([length[0], length[1]])).min(after.len());
    let (section, after) = after.split_at(length);
    *rest = after;
    section
}

/// An index that was opened answers or complains, whatever is in it.
fn ask(bytes: Vec<u8>) {
    let index = match Index::from_bytes(bytes, &GAME) {
        Ok(index) => index,
        Err(error) => return check::error_is_short(&error.to_string()),
    };
    let complain = |error: Option<String>| error.iter().for_each(|e| check::error_is_short(e));
    let mut line = GAME.game.new_line();
    for mv in ["b2", "a1", "c3"] {
        let mut after = index.places().keys_after(&*line);
        after.sort_unstable();
        after.dedup();
        match index.hits(&*line, &after) {
            Ok(hits) => hits.iter().take(3).for_each(|hit| {
                complain(index.card(hit.game).err().map(|e| e.to_string()));
                complain(index.record(hit.game).err().map(|e| e.to_string()));
            }),
            Err(error) => check::error_is_short(&error.to_string()),
        }
        line.play(mv).expect("a legal move");
    }
    complain(index.facts().err().map(|e| e.to_string()));
    complain(index.names().err().map(|e| e.to_string()));
}

/// A small index, whole and as sections.
pub fn seeds() -> Vec<(&'static str, String, Vec<u8>)> {
    let games = ["b2 a1 c3", "b2 c3 a1", "a1 b2"].map(|moves| {
        let mut line = GAME.game.new_line();
        moves.split(' ').for_each(|mv| drop(line.play(mv).expect("a legal move")));
        let mut record = Record::of_line(&*line);
        for (tag, value) in [("White", "Ann"), ("Black", "Bob"), ("Date", "1999"), ("Event", moves)]
        {
            record.set_tag(tag, value);
        }
        record
    });
    let mut names = Names::default();
    names.insert(1, "Middle");
    let shelf = of_records(&GAME, &games);
    let bytes = write::to_bytes(&GAME, &shelf, &names, &StopFlag::new()).expect("three games");
    let container =
        Container::from_bytes(bytes.clone(), &Expect::anything()).expect("what was written");
    let mut parts = Vec::new();
    for name in SECTIONS {
        let section = container.section(name).and_then(|s| s.bytes(1 << 20)).expect("a section");
        let length = u16::try_from(section.len()).expect("a small section");
        parts.extend(length.to_le_bytes());
        parts.extend(section);
    }
    vec![("record-index", "whole".into(), bytes), ("record-index", "sections".into(), parts)]
}

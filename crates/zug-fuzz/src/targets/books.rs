//! The parsers of opening books: the file, and lists of names.

use super::check;
use super::othello::OTHELLO;
use crate::Target;
use zug_book::file::{OPTIONAL, SECTIONS};
use zug_book::{Alternative, Book, Chance, Draws, Leaf, Names, Places, Values};
use zug_core::container::{Container, Expect, Header, Kind, Writer};
use zug_core::{AnyLine, Line, Side};

/// A file as it is; and the sections of one, each behind its length in two bytes, packed with the
/// right checksums, so that mutations get past the outer checks.
pub const BOOK: Target = Target {
    name: "book",
    words: &["\u{1}\0", "\0\0", "\u{8}\0", "\u{10}\0", "kind = \"book\"\n", "book/1", "f5"],
    run: |input| {
        read_book(input.to_vec());
        let mut rest = input;
        let header = Header::new(Kind::Book, "othello", "book/1");
        let written = Writer::new(Vec::new(), &header).and_then(|mut writer| {
            for name in SECTIONS {
                let section = take_section(&mut rest);
                if name != OPTIONAL || !section.is_empty() {
                    writer.bytes(name, section)?;
                }
            }
            writer.finish()
        });
        read_book(written.expect("sections of a few bytes"));
    },
};

fn take_section<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let Some((length, after)) = rest.split_at_checked(2) else { return &[] };
    let length = usize::from(u16::from_le_bytes([length[0], length[1]])).min(after.len());
    let (section, after) = after.split_at(length);
    *rest = after;
    section
}

/// A book that was read can be worked with, and is written as it was.
fn read_book(bytes: Vec<u8>) {
    let mut book = match Book::from_bytes(bytes, Some("othello")) {
        Ok(book) => book,
        Err(error) => return check::error_is_short(&error.to_string()),
    };
    let written = book.to_bytes().expect("what was read");
    let again = Book::from_bytes(written.clone(), Some("othello")).expect("what was written");
    assert_eq!(again.to_bytes().expect("what was read"), written);

    let places = Places::symmetric(&*OTHELLO);
    let mut values = Values::of(&book, Draws::LostFor(Side::First));
    let faults = zug_book::check(&book, &*OTHELLO, &places).faults;
    faults.iter().for_each(|fault| check::error_is_short(&fault.to_string()));
    let mut line = Line::new(*OTHELLO);
    for _ in 0..4 {
        let _ = zug_book::advise(&book, &values, &places, &line);
        let _ = zug_book::every_move(&book, &values, &places, &line);
        line.play(line.legal_moves()[0]);
    }
    book.add_line(&places, &line, 4, Leaf { value: 2, exact: false });
    values.update(&book);
    let fresh = Values::of(&book, values.draws());
    for node in book.nodes() {
        assert_eq!(values.chance(node.key), fresh.chance(node.key));
        assert_eq!(values.tree(node.key), fresh.tree(node.key));
    }
}

/// Names and moves, one opening a line.
pub const BOOK_NAMES: Target = Target {
    name: "book-names",
    words: &["\t", "\n", "#", "Tiger\tf5d6c3d3c4\n", "f5", "d6", " ", "pass"],
    run: |input| {
        let places = Places::symmetric(&*OTHELLO);
        match Names::read(&check::text(input), "names.txt", &*OTHELLO, &places) {
            Ok(names) => {
                let mut book = Book::new("othello");
                book.names = names.clone();
                let bytes = book.to_bytes().expect("names of a few bytes");
                let again = Book::from_bytes(bytes, None).expect("what was written");
                assert_eq!(again.names, names);
            }
            Err(error) => check::error_is_short(&error.to_string()),
        }
    },
};

/// A small book as a file, and its sections as [`BOOK`] takes them.
pub fn seeds() -> Vec<(&'static str, String, Vec<u8>)> {
    let places = Places::symmetric(&*OTHELLO);
    let mut book = Book::new("othello");
    for (moves, value, exact) in [
        ("f5 d6 c3 d3 c4", -3, false),
        ("f5 d6 c3 d3 c4 f4 f6", 6, true),
        ("f5 f6 e6 f4 e3", 0, false),
    ] {
        let mut line: Box<dyn AnyLine> = Box::new(Line::new(*OTHELLO));
        for mv in moves.split(' ') {
            line.play(mv).expect("an opening");
        }
        book.add_line(&places, &*line, usize::MAX, Leaf { value, exact });
        book.add_open(&places, &*line, 2, None);
        // Some place that is not in the book.
        let key = zug_core::seed::mix(line.key());
        let value = Chance::Estimate(-40 * value);
        let alternative = Alternative { mv: "f4".to_string(), key, value, depth: 9 };
        book.set_alternative(places.key(&*line), Some(alternative));
        book.names.insert(places.key(&*line), "Opening");
    }
    let bytes = book.to_bytes().expect("a small book");
    let container =
        Container::from_bytes(bytes.clone(), &Expect::anything()).expect("what was written");
    let mut parts = Vec::new();
    for name in SECTIONS {
        let section = container.section(name).and_then(|s| s.bytes(1 << 16)).expect("a section");
        parts.extend_from_slice(&(section.len() as u16).to_le_bytes());
        parts.extend_from_slice(&section);
    }
    vec![("book", "self-0".into(), bytes), ("book", "self-1".into(), parts)]
}

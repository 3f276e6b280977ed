//! What people ask about games of Go: lines of the protocol, questions to the explorer, its index.

use super::check;
use crate::Target;
use zug_core::Spec;
use zug_core::container::{Header, Kind, Writer};
use zug_go::corpus::{Corpus, Filter};
use zug_go::explore::index::{Index, LAYOUT, to_bytes};
use zug_go::explore::library::{Library, Shelf};
use zug_go::explore::query::Query;
use zug_go::guess::commands::follow;
use zug_learn::explore::Part;

/// Lines that lead to a position: it is one that can be written and read again.
pub const COMMANDS: Target = Target {
    name: "go-commands",
    words: &[
        "boardsize 9\n",
        "clear_board\n",
        "play b E5\n",
        "play w pass\n",
        "undo\n",
        "fixed_handicap 2\n",
        "set_free_handicap C3 G7\n",
        "loadsgf x.sgf 3\n",
        "genmove w\n",
        "komi 7\n",
        "7 ",
        "#",
        "quit\n",
    ],
    run: |input| {
        let nothing = |_: &str, _: Option<usize>| Err("no files here".to_string());
        match follow(&check::text(input), &nothing) {
            Ok(story) => {
                let end = story.at(None).expect("every move was checked").position;
                let text = end.to_text();
                let again = zug_go::guess::face::read_position(&text).expect("what was written");
                assert_eq!(again.to_text(), text);
            }
            Err(error) => check::error_is_short(&error.to_string()),
        }
    },
};

/// The first line is a question, the second a part of the board.
pub const QUESTIONS: Target = Target {
    name: "go-questions",
    words: &[
        "start",
        "Q16 D4",
        "E5, C3",
        "pass",
        "9/9/2X3O2/9/4X4/9/2O3X2/9/9 white",
        "\nA1:E5",
        "\ntop-left",
        "\n",
        "/",
    ],
    run: |input| {
        let text = check::text(input);
        let (question, part) = text.split_once('\n').unwrap_or((&text, ""));
        // Files are not looked for here.
        if question.to_ascii_lowercase().contains(".sgf") {
            return;
        }
        let part = match part {
            "" => Part::Whole,
            part if part.contains(':') => Part::Region(part.to_string()),
            part => Part::Corner(Some(part.to_string())),
        };
        match Query::read(question, 9, &part, None) {
            Ok(query) => {
                let wanted = query.wanted();
                assert_eq!(wanted.len(), query.size() * query.size());
                assert_eq!(query.exchanged().stones(), query.stones());
                assert_eq!(query.exchanged().exchanged().wanted(), wanted);
            }
            Err(error) => check::error_is_short(&error),
        }
    },
};

/// The sections of an index, each behind its length in two bytes, packed with the right checksums, so
/// that mutations get past the outer checks; and a file as it is.
pub const INDEX: Target = Target {
    name: "go-index",
    words: &["\u{9}\0\0\0", "\0\0", "\u{1}\0", "\u{10}\0", "go-explorer/1", "kind = \"book\"\n"],
    run: |input| {
        ask(input.to_vec());
        let mut rest = input;
        let header = Header::new(Kind::Book, "go", LAYOUT);
        let written = Writer::new(Vec::new(), &header).and_then(|mut writer| {
            for name in SECTIONS {
                writer.bytes(name, take_section(&mut rest))?;
            }
            writer.finish()
        });
        ask(written.expect("sections of a few bytes"));
    },
};

/// The sections of an index of games on 9×9.
const SECTIONS: [&str; 16] = [
    "boards",
    "years",
    "winners",
    "texts",
    "text-starts",
    "moves",
    "move-starts",
    "stones-9",
    "whole-fences",
    "whole-keys",
    "whole-starts",
    "whole-postings",
    "corner-fences",
    "corner-keys",
    "corner-starts",
    "corner-postings",
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
    let index = match Index::from_bytes(bytes) {
        Ok(index) => index,
        Err(error) => return check::error_is_short(&error.to_string()),
    };
    let parts = [Part::Whole, Part::Corner(Some("top-left".into())), Part::Region("A1:C3".into())];
    for (question, part) in ["start", "E5", "E5 C3"].iter().zip(parts).chain([(&"E5", Part::Whole)])
    {
        let query = Query::read(question, 9, &part, None).expect("a good question");
        match index.hits(&query) {
            Ok(hits) => hits.iter().take(3).for_each(|hit| {
                if let Err(error) = index.card(hit.game) {
                    check::error_is_short(&error.to_string());
                }
            }),
            Err(error) => check::error_is_short(&error.to_string()),
        }
    }
    if let Err(error) = index.facts() {
        check::error_is_short(&error.to_string());
    }
    for number in [0, 1, u32::MAX] {
        match index.record(number) {
            Ok(record) => assert!(Spec::parse(&record.game).is_ok(), "{}", record.game),
            Err(error) => check::error_is_short(&error.to_string()),
        }
    }
    let games = index.numbers(9);
    match index.of_players(games.clone(), &|name| name.contains('a')) {
        Ok(fitting) => assert_eq!(fitting.len(), games.len()),
        Err(error) => check::error_is_short(&error.to_string()),
    }
}

/// A small index, whole and as sections.
pub fn seeds() -> Vec<(&'static str, String, Vec<u8>)> {
    let files: [(&str, &[u8]); 3] = [
        ("a.sgf", b"(;SZ[9]KM[6.5]DT[1961]PB[Ann]PW[Bob]RE[B+R];B[ee];W[cc];B[gg];W[gc])"),
        ("b.sgf", b"(;SZ[9]DT[2001]PB[Cid]PW[Dan]RE[W+2.5];B[ee];W[gc];B[cd])"),
        ("c.sgf", b"(;SZ[9]PB[Eve]PW[Fay];B[cc];W[gg];B[])"),
    ];
    let shelf = Shelf::new(Corpus::of_files(files, &Filter::default()).games);
    let bytes = to_bytes(&shelf).expect("three games");
    let container = zug_core::container::Container::from_bytes(
        bytes.clone(),
        &zug_core::container::Expect::anything(),
    )
    .expect("what was written");
    let mut parts = Vec::new();
    for name in SECTIONS {
        let section = container.section(name).and_then(|s| s.bytes(1 << 20)).expect("a section");
        let length = u16::try_from(section.len()).expect("a small section");
        parts.extend(length.to_le_bytes());
        parts.extend(section);
    }
    vec![
        ("go-index", "whole".into(), bytes),
        ("go-index", "sections".into(), parts),
        ("go-questions", "start".into(), b"start".to_vec()),
        ("go-questions", "corner".into(), b"E5 C3\ntop-left".to_vec()),
        ("go-questions", "region".into(), b"9/9/2X6/9/4O4/9/9/9/9 black\nA1:E5".to_vec()),
        (
            "go-commands",
            "game".into(),
            b"boardsize 9\nkomi 7\n1 play b E5\nplay w C3\nundo\ngenmove w\n".to_vec(),
        ),
        (
            "go-commands",
            "handicap".into(),
            b"boardsize 9\nfixed_handicap 2\nplay w E5\nplay b pass # so\nquit\n".to_vec(),
        ),
    ]
}

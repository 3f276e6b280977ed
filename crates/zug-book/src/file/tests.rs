use super::SECTIONS;
use crate::graph::{Alternative, Book, Leaf};
use crate::testing::{Script, exact, played, way};
use crate::{BookError, Chance, End};
use proptest::prelude::*;
use std::fs;
use zug_core::container::{Header, Kind, Writer};
use zug_core::seed::RngExt;
use zug_core::{Line, rng};

/// A book of random games with everything in it.
fn book(seed: u64, games: usize) -> Book {
    let game = Script::random(seed, 40);
    let places = game.places();
    let mut rng = rng(seed, 7);
    let mut book = Book::new("script");
    for _ in 0..games {
        let mut line = Line::new(game.clone());
        while line.outcome().is_none() {
            let moves = line.legal_moves();
            line.play(moves[rng.random_range(0..moves.len())]);
        }
        let leaf = Leaf::of_outcome(&line.outcome().unwrap(), line.to_move(), true);
        let cut = rng.random_range(1..=line.moves().len());
        let leaf = if cut < line.moves().len() { played(rng.random_range(-5..6)) } else { leaf };
        book.add_line(&places, &line, cut, leaf);
        book.add_open(&places, &line, 1, None);
    }
    for key in book.nodes().map(|n| n.key).collect::<Vec<_>>() {
        let end = End {
            proven: rng.random_range(0..2) == 0,
            margin: rng.random_range(0..70),
            ply: rng.random_range(0..60),
        };
        let value = match rng.random_range(0..4) {
            0 => Chance::Won(end),
            1 => Chance::Lost(end),
            2 => Chance::Estimate(rng.random_range(-90_000..90_000)),
            _ => continue,
        };
        let (mv, depth) = (format!("m{}", rng.random_range(0..60)), rng.random_range(0..30));
        book.set_alternative(key, Some(Alternative { mv, key: rng.random(), value, depth }));
        book.names.insert(rng.random(), &format!("Opening {depth}"));
    }
    book.made.command = Some("zug book build".into());
    book.notes.insert("depth".into(), "12".into());
    book
}

/// All that a book holds, in the order of keys.
fn contents(book: &Book) -> impl PartialEq + std::fmt::Debug {
    let mut nodes: Vec<_> = book
        .nodes()
        .map(|n| {
            let mut parents = book.parents(n.key);
            parents.sort_unstable();
            let fixed = (n.key, n.side, n.ply, n.games, n.wins, n.draws, n.unknown);
            (fixed, n.result(), n.alternative().cloned(), n.children().to_vec(), parents)
        })
        .collect();
    nodes.sort_unstable_by_key(|n| n.0.0);
    let about = (book.spec().to_string(), book.games(), book.made.clone(), book.notes.clone());
    let mut roots = book.roots().to_vec();
    roots.sort_unstable_by_key(|r| r.key);
    (nodes, about, roots, book.names.clone())
}

fn read(bytes: Vec<u8>) -> Result<Book, BookError> {
    Book::from_bytes(bytes, Some("script"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn books_survive_being_written_and_read(seed in any::<u64>(), games in 0usize..20) {
        let book = book(seed, games);
        let bytes = book.to_bytes().unwrap();
        let back = read(bytes.clone()).unwrap();
        prop_assert_eq!(contents(&back), contents(&book));
        prop_assert_eq!(back.to_bytes().unwrap(), bytes, "same contents, same bytes");
    }

    #[test]
    fn damaged_bytes_are_refused_and_never_panic(seed in any::<u64>(), at in any::<u64>(), bit in 0u8..8) {
        let mut bytes = book(seed, 6).to_bytes().unwrap();
        let at = (at % bytes.len() as u64) as usize;
        bytes[at] ^= 1 << bit;
        prop_assert!(read(bytes.clone()).is_err());
        bytes.truncate(at);
        prop_assert!(read(bytes).is_err());
    }
}

/// A file whose checksums fit but whose sections were written by someone else.
fn forged(changed: &str, contents: &[u8]) -> Vec<u8> {
    let good = book(3, 6).to_bytes().unwrap();
    let good =
        zug_core::container::Container::from_bytes(good, &zug_core::container::Expect::anything())
            .unwrap();
    let mut writer = Writer::new(Vec::new(), good.header()).unwrap();
    for section in good.sections() {
        let bytes = section.bytes(1 << 20).unwrap();
        let bytes = if section.name() == changed { contents } else { &bytes[..] };
        writer.bytes(section.name(), bytes).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn whole_bytes_that_make_no_book_are_refused_by_section_and_byte() {
    assert!(read(forged("", &[])).is_ok());
    for name in SECTIONS {
        for junk in [&[][..], &[0x80; 7], &[0xFF; 400], &[1; 1000]] {
            let Err(error) = read(forged(name, junk)) else { panic!("{name} {junk:?}") };
            let message = error.to_string();
            assert!(message.contains("section '") && message.contains("byte"), "{message}");
            assert!(error.is_damage());
        }
    }
}

#[test]
fn a_damaged_block_is_named() {
    let book = book(5, 12);
    let bytes = book.to_bytes().unwrap();
    let container = zug_core::container::Container::from_bytes(
        bytes.clone(),
        &zug_core::container::Expect::anything(),
    )
    .unwrap();
    // The keys do not pack, so their first bytes are found in the file as they are.
    let keys = container.section("keys").unwrap().bytes(1 << 20).unwrap();
    let at = bytes.windows(24).position(|w| keys.windows(24).any(|k| k == w)).unwrap();
    let mut spoilt = bytes;
    spoilt[at] ^= 0x10;
    let message = read(spoilt).unwrap_err().to_string();
    assert!(message.contains("block 1 of 1 in section 'keys'"), "{message}");
}

#[test]
fn other_games_kinds_and_newer_layouts_are_refused() {
    let bytes = book(1, 3).to_bytes().unwrap();
    let message = Book::from_bytes(bytes, Some("othello")).unwrap_err().to_string();
    assert!(message.contains("'othello'") && message.contains("'script'"), "{message}");
    let write = |kind, layout: &str| {
        let header = Header::new(kind, "script", layout);
        Writer::new(Vec::new(), &header).unwrap().finish().unwrap()
    };
    let message = read(write(Kind::Book, "book/2")).unwrap_err().to_string();
    assert!(message.contains("a newer Zug is needed"), "{message}");
    assert!(read(write(Kind::Book, "cookery/1")).is_err());
    let message = read(write(Kind::Model, "book/1")).unwrap_err().to_string();
    assert!(message.contains("expected a book, found a model"), "{message}");
}

#[test]
fn the_book_before_is_kept_and_used_when_the_file_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("book.zug");
    let mut book = Book::new("script");
    book.add_game(&way(&[1, -2, 3]), exact(1));
    book.save(&path).unwrap();
    book.add_game(&way(&[1, -2, 4]), exact(-1));
    book.save(&path).unwrap();
    let open = || Book::open_or_last_good(&path, Some("script"));
    let (found, note) = open().unwrap();
    assert_eq!((found.games(), note), (2, None));

    let spoil = || {
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(&path, bytes).unwrap();
    };
    spoil();
    assert!(Book::open(&path, Some("script")).is_err());
    let (mut found, note) = open().unwrap();
    assert_eq!(found.games(), 1);
    let note = note.unwrap();
    assert!(note.contains("book.zug:") && note.contains("book.zug.bak"), "{note}");

    // Saving over the damaged file keeps the last good one and sets the damaged one aside.
    found.add_game(&way(&[1, -5]), exact(0));
    found.save(&path).unwrap();
    assert_eq!(Book::open(&path, None).unwrap().games(), 2);
    assert_eq!(Book::open(&dir.path().join("book.zug.bak"), None).unwrap().games(), 1);
    assert!(dir.path().join("book.zug.damaged").exists());

    // Nothing is fallen back on where the file is for another game, or is not there.
    let other = Book::open_or_last_good(&path, Some("othello"));
    assert!(other.unwrap_err().to_string().contains("othello"));
    assert!(Book::open_or_last_good(&dir.path().join("none"), None).is_err());
    // With both damaged, the error is that of the file itself.
    spoil();
    fs::write(dir.path().join("book.zug.bak"), b"junk").unwrap();
    assert!(open().unwrap_err().to_string().contains("book.zug:"));
}

#[test]
fn an_empty_book_is_a_book() {
    let bytes = Book::new("script").to_bytes().unwrap();
    let book = read(bytes).unwrap();
    assert!(book.is_empty() && book.roots().is_empty());
}

#[test]
fn forty_thousand_positions_with_alternatives_take_less_than_two_megabytes() {
    let mut rng = rng(9, 9);
    let mut book = Book::new("script");
    // Lines of 24 plies that leave each other at random points, as openings do; random keys.
    let mut lines: Vec<Vec<u64>> = vec![vec![1]];
    while book.len() < 40_000 {
        let from = lines[rng.random_range(0..lines.len())].clone();
        let keep = rng.random_range(1..=from.len().min(20));
        let mut line = from[..keep].to_vec();
        line.extend((keep..24).map(|_| rng.random::<u64>()));
        let visited: Vec<_> = line
            .iter()
            .enumerate()
            .map(|(ply, &key)| crate::Visited {
                key,
                side: zug_core::Side::BOTH[ply % 2],
                ply: ply as u32,
            })
            .collect();
        book.add_game(&visited, exact(rng.random_range(-64..65)));
        lines.push(line);
    }
    let keys: Vec<u64> = book.nodes().filter(|n| !n.is_leaf()).map(|n| n.key).collect();
    for key in keys {
        let value = Chance::Estimate(rng.random_range(-3000..3000));
        let mv = format!("m{}", rng.random_range(0..60));
        book.set_alternative(key, Some(Alternative { mv, key: rng.random(), value, depth: 12 }));
    }
    for i in 0..100 {
        book.names.insert(i, &format!("Opening number {i}"));
    }
    let bytes = book.to_bytes().unwrap();
    assert!(bytes.len() < 2_000_000, "{} positions: {} bytes", book.len(), bytes.len());
    assert_eq!(contents(&read(bytes).unwrap()), contents(&book));
}

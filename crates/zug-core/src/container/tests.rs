use super::*;
use crate::seed::{RngExt, rng};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

fn header() -> Header {
    let mut header = Header::new(Kind::Database, "dodgem:4x4", "test/1");
    header.made = Made {
        command: Some("zug db build dodgem:4x4 --out \"a file\"".into()),
        seed: Some(u64::MAX),
        data: Some(blake3::hash(b"data").to_hex().to_string()),
        version: "0.1.0".into(),
        created: None,
    };
    header.notes.insert("remark".into(), "two\nlines, \u{1f600}".into());
    header
}

/// Writes sections with blocks of a given size.
fn pack(header: &Header, sections: &[(&str, usize, Vec<u8>)]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), header).unwrap();
    for (name, block, bytes) in sections {
        let mut section = writer.section(name, *block).unwrap();
        section.push(bytes).unwrap();
        section.end().unwrap();
    }
    writer.finish().unwrap()
}

/// A small container with every feature: several blocks, a short last block, an empty section.
fn sample() -> Vec<u8> {
    let noise: Vec<u8> = {
        let mut rng = rng(7, 0);
        (0..50).map(|_| rng.random()).collect()
    };
    pack(
        &header(),
        &[("values", 32, (0..100).collect()), ("empty", 16, vec![]), ("noise", 20, noise)],
    )
}

fn read(bytes: Vec<u8>) -> Result<Container, ContainerError> {
    Container::from_bytes(bytes, &Expect::anything())
}

fn refused(result: Result<Container, ContainerError>) -> Problem {
    match result {
        Ok(_) => panic!("the container should have been refused"),
        Err(e) => e.problem,
    }
}

#[test]
fn the_header_can_be_read_by_a_person_and_comes_back_the_same() {
    let bytes = sample();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("\nkind = \"database\"\ngame = \"dodgem:4x4\"\n"), "{text}");
    let container = read(bytes).unwrap();
    assert_eq!(*container.header(), header());
    assert!(container.header_text().starts_with("kind"));
}

#[test]
fn what_was_not_asked_for_is_refused_by_name() {
    let open = |expect: &Expect| Container::from_bytes(sample(), expect);
    assert!(open(&Expect::database("dodgem:4x4").layout("test/1")).is_ok());
    let message = |expect: &Expect| open(expect).err().unwrap().to_string();
    assert_eq!(
        message(&Expect::model("dodgem:4x4")),
        "container in memory: expected a model, found a database"
    );
    assert_eq!(
        message(&Expect::database("othello")),
        "container in memory: expected a file for 'othello', found one for 'dodgem:4x4'"
    );
    assert_eq!(
        message(&Expect::database("dodgem:4x4").layout("test/2")),
        "container in memory: expected the layout 'test/2', found 'test/1'"
    );
    let container = open(&Expect::anything()).unwrap();
    assert_eq!(
        container.section("value").err().unwrap().to_string(),
        "container in memory: there is no section 'value' in it (it has: values, empty, noise)"
    );
}

#[test]
fn a_newer_format_is_refused_as_such_and_other_files_as_no_container() {
    let mut bytes = sample();
    bytes[8] = 2;
    assert!(matches!(refused(read(bytes)), Problem::NewerVersion { found: 2, known: 1 }));
    for other in [&b""[..], b"\x28\xb5\x2f\xfd", b"[Event \"?\"]\n", b"ZUG"] {
        assert!(matches!(refused(read(other.to_vec())), Problem::NotAContainer));
    }
}

#[test]
fn every_truncation_is_refused() {
    let bytes = sample();
    for length in 0..bytes.len() {
        match refused(read(bytes[..length].to_vec())) {
            Problem::Truncated => assert!(length > 0),
            Problem::NotAContainer => assert_eq!(length, 0),
            other => panic!("cut to {length} bytes: {other}"),
        }
    }
}

#[test]
fn bytes_added_at_either_end_are_noticed() {
    let mut longer = sample();
    longer.push(0);
    assert!(matches!(refused(read(longer)), Problem::Truncated));
    let mut twice = sample();
    twice.extend(sample());
    assert!(matches!(refused(read(twice)), Problem::Damaged { .. }));
}

#[test]
fn every_single_byte_corruption_is_found() {
    let good = sample();
    for at in 0..good.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = good.clone();
            bytes[at] ^= flip;
            let found = read(bytes).and_then(|c| c.verify());
            assert!(found.is_err(), "byte {at} ^ {flip:#x} went unnoticed");
        }
    }
}

#[test]
fn damage_in_one_block_leaves_the_others_readable() {
    let mut bytes = sample();
    let container = read(bytes.clone()).unwrap();
    let packed: u64 = container.section("values").unwrap().packed_length();
    let noise_at = bytes.len() as u64
        - layout::FOOTER as u64
        - layout::write_table(&table_of(&container)).len() as u64
        - container.section("noise").unwrap().packed_length();
    assert!(packed > 0);
    bytes[noise_at as usize + 5] ^= 1;
    let container = read(bytes).unwrap();
    assert_eq!(container.section("values").unwrap().bytes(100).unwrap().len(), 100);
    let noise = container.section("noise").unwrap();
    let error = noise.read(0..1).unwrap_err().to_string();
    assert!(error.contains(&format!("damaged at byte {noise_at}")), "{error}");
    let block = format!("(block 1 of {} in section 'noise')", noise.blocks());
    assert!(error.contains(&block), "{error}");
    assert_eq!(noise.read(20..50).unwrap().len(), 30);
}

fn table_of(container: &Container) -> Vec<layout::SectionEntry> {
    container.sections().map(|s| s.entry().clone()).collect()
}

/// Rebuilds a container around a forged table with all checksums right, as an attacker would.
fn forge(change: impl FnOnce(&mut Vec<layout::SectionEntry>)) -> Vec<u8> {
    let good = sample();
    let mut sections = table_of(&read(good.clone()).unwrap());
    let table_at = good.len() - layout::FOOTER - layout::write_table(&sections).len();
    change(&mut sections);
    let table = layout::write_table(&sections);
    let mut bytes = good[..table_at].to_vec();
    bytes.extend(&table);
    bytes.extend(layout::write_footer(table_at as u64, &table));
    bytes
}

#[test]
fn forged_tables_are_refused_or_bounded() {
    assert!(read(forge(|_| {})).unwrap().verify().is_ok());
    let damaged = |bytes| matches!(refused(read(bytes)), Problem::Damaged { .. });
    // Lengths that ask for more blocks than there are entries, up to overflow.
    assert!(damaged(forge(|s| s[0].length = u64::MAX)));
    assert!(damaged(forge(|s| s[1].length = 17)));
    assert!(damaged(forge(|s| s[0].block_size = 0)));
    assert!(damaged(forge(|s| s[0].block_size = u32::MAX)));
    assert!(damaged(forge(|s| s[0].blocks[1].offset = u64::MAX)));
    assert!(damaged(forge(|s| s[0].blocks[1].length = 0)));
    assert!(damaged(forge(|s| s[1].name = "noise".into())));
    assert!(damaged(forge(|s| s.truncate(2))));
    // A block that unpacks to less or more than the table says.
    let shorter = read(forge(|s| s[0].length = 99)).unwrap();
    assert!(shorter.section("values").unwrap().bytes(100).is_err());
    let longer = read(forge(|s| s[0].length = 101)).unwrap();
    assert!(longer.section("values").unwrap().bytes(200).is_err());
}

#[test]
fn a_packed_bomb_takes_no_more_memory_than_was_allowed() {
    let header = Header::new(Kind::Model, "go", "bomb/1");
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    let mut section = writer.section("zeros", 1 << 20).unwrap();
    for _ in 0..64 {
        section.push(&vec![0; 1 << 20]).unwrap();
    }
    section.end().unwrap();
    let bytes = writer.finish().unwrap();
    assert!(bytes.len() < 10_000, "{} bytes", bytes.len());
    let container = read(bytes).unwrap();
    let zeros = container.section("zeros").unwrap();
    assert!(matches!(
        zeros.bytes(1 << 20).unwrap_err().problem,
        Problem::TooLarge { length, .. } if length == 64 << 20
    ));
    assert!(matches!(zeros.array::<f32>(100).unwrap_err().problem, Problem::TooLarge { .. }));
    assert_eq!(zeros.read(12_345_678..12_345_680).unwrap(), [0, 0]);
}

#[test]
fn ranges_outside_a_section_are_refused() {
    let container = read(sample()).unwrap();
    let values = container.section("values").unwrap();
    for range in [0..101, 101..101, u64::MAX..u64::MAX] {
        let error = values.read(range).unwrap_err().problem;
        assert!(matches!(error, Problem::OutOfRange { length: 100, .. }));
    }
    #[expect(clippy::reversed_empty_ranges)]
    let backwards = values.read(5..4);
    assert!(matches!(backwards.unwrap_err().problem, Problem::OutOfRange { .. }));
    assert!(values.array_part::<u64>(0..u64::MAX).is_err());
    assert!(values.read_block(4, &mut Vec::new()).is_err());
    assert!(container.section("noise").unwrap().array::<u32>(1000).is_err(), "50 is no multiple");
}

#[test]
fn sections_that_the_format_cannot_hold_are_not_written() {
    let mut writer = Writer::new(Vec::new(), &header()).unwrap();
    writer.bytes("a", b"x").unwrap();
    assert!(writer.bytes("a", b"y").unwrap_err().to_string().contains("already a section 'a'"));
    assert!(writer.bytes("", b"y").is_err());
    assert!(writer.bytes(&"n".repeat(256), b"y").is_err());
    assert!(writer.section("b", 0).is_err());
    assert!(writer.section("b", MAX_BLOCK + 1).is_err());
    let mut header = header();
    header.notes.insert("long".into(), "x".repeat(MAX_HEADER));
    assert!(Writer::new(Vec::new(), &header).is_err());
}

#[test]
fn a_file_appears_only_when_it_is_complete() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("model.zug");
    let mut writer = Writer::create(&path, &header()).unwrap();
    writer.array("numbers", &[1u16, 2, 3]).unwrap();
    assert!(!path.exists());
    drop(writer);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    let mut writer = Writer::create(&path, &header()).unwrap();
    writer.array("numbers", &[1u16, 2, 3]).unwrap();
    writer.commit().unwrap();
    let container = Container::open(&path, &Expect::anything()).unwrap();
    assert_eq!(container.section("numbers").unwrap().array::<u16>(3).unwrap(), [1, 2, 3]);
    assert_eq!(
        container.digest().unwrap(),
        blake3::hash(&fs::read(&path).unwrap()).to_hex().to_string()
    );
    let missing = Container::open(&dir.path().join("none.zug"), &Expect::anything());
    assert!(missing.err().unwrap().to_string().contains("none.zug"));
}

#[test]
fn a_file_that_shrinks_under_its_reader_gives_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.zug");
    fs::write(&path, sample()).unwrap();
    let container = Container::open(&path, &Expect::anything()).unwrap();
    fs::write(&path, b"").unwrap();
    assert!(matches!(container.verify().unwrap_err().problem, Problem::Io(_)));
}

/// The file was written by format version 1 and must stay readable for ever.
#[test]
fn the_fixture_of_version_1_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v1.zug");
    let container =
        Container::open(&path, &Expect::model("dodgem:3x3").layout("fixture/1")).unwrap();
    container.verify().unwrap();
    assert_eq!(container.header().made.seed, Some(42));
    assert_eq!(container.header().notes["remark"], "kept for compatibility");
    let weights = container.section("weights").unwrap();
    assert_eq!(weights.array::<f32>(1000).unwrap(), fixture_weights());
    assert_eq!(container.section("counts").unwrap().array::<u16>(9).unwrap(), [0, 1, 65535]);
    assert_eq!(container.section("text").unwrap().bytes(99).unwrap(), "grüße".as_bytes());
    assert_eq!(container.section("nothing").unwrap().length(), 0);
}

fn fixture_weights() -> Vec<f32> {
    (0..300).map(|i| i as f32 * 0.25 - 10.0).collect()
}

/// How the fixture was made; run with `--ignored` only to make that of a new version.
#[test]
#[ignore = "writes tests/fixtures"]
fn write_the_fixture() {
    let mut header = Header::new(Kind::Model, "dodgem:3x3", "fixture/1");
    header.made.command = Some("cargo test -p zug-core write_the_fixture -- --ignored".into());
    header.made.seed = Some(42);
    header.notes.insert("remark".into(), "kept for compatibility".into());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let path = folder.join(format!("v{FORMAT_VERSION}.zug"));
    let mut writer = Writer::create(&path, &header).unwrap();
    let mut section = writer.section("weights", 256).unwrap();
    section.push_array(&fixture_weights()).unwrap();
    section.end().unwrap();
    writer.array("counts", &[0u16, 1, 65535]).unwrap();
    writer.bytes("text", "grüße".as_bytes()).unwrap();
    writer.bytes("nothing", b"").unwrap();
    writer.commit().unwrap();
}

fn any_sections() -> impl Strategy<Value = Vec<(String, usize, Vec<u8>)>> {
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..600),
        prop::collection::vec(0..2u8, 0..3000),
    ];
    prop::collection::vec((1..700usize, bytes), 0..6).prop_map(|sections| {
        let named = sections.into_iter().enumerate();
        named.map(|(i, (block, bytes))| (format!("s{i}"), block, bytes)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sections_survive_whole_and_in_parts_and_the_bytes_are_always_the_same(
        sections in any_sections(),
        game in "[a-z]{1,8}(:[0-9]x[0-9])?",
        note in any::<String>(),
        cuts in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 4),
    ) {
        let mut header = Header::new(Kind::Book, game, "p/1");
        header.notes.insert("n".into(), note);
        let named: Vec<_> = sections.iter().map(|(n, b, v)| (n.as_str(), *b, v.clone())).collect();
        let bytes = pack(&header, &named);
        prop_assert_eq!(&bytes, &pack(&header, &named));
        let container = read(bytes).unwrap();
        prop_assert_eq!(container.header(), &header);
        prop_assert_eq!(container.sections().count(), sections.len());
        for (name, _, bytes) in &sections {
            let section = container.section(name).unwrap();
            prop_assert_eq!(&section.bytes(1 << 20).unwrap(), bytes);
            for &(a, b) in &cuts {
                let place = |x: f64| (x * (bytes.len() + 1) as f64) as u64;
                let (begin, end) = (place(a.min(b)), place(a.max(b)));
                let part = section.read(begin..end).unwrap();
                prop_assert_eq!(&part[..], &bytes[begin as usize..end as usize]);
            }
        }
    }

    #[test]
    fn numbers_of_every_type_survive(
        a in prop::collection::vec(any::<i16>(), 0..50),
        b in prop::collection::vec(any::<u64>(), 0..50),
        c in prop::collection::vec(any::<f64>(), 0..50),
        piece in 1..20usize,
    ) {
        let mut writer = Writer::new(Vec::new(), &header()).unwrap();
        writer.array("a", &a).unwrap();
        let mut section = writer.section("b", 7).unwrap();
        for part in b.chunks(piece) {
            section.push_array(part).unwrap();
        }
        section.end().unwrap();
        writer.array("c", &c).unwrap();
        let container = read(writer.finish().unwrap()).unwrap();
        prop_assert_eq!(container.section("a").unwrap().array::<i16>(50).unwrap(), a);
        let section = container.section("b").unwrap();
        prop_assert_eq!(section.array::<u64>(50).unwrap(), &b[..]);
        let middle = b.len() / 2;
        let part = section.array_part::<u64>(middle as u64..b.len() as u64).unwrap();
        prop_assert_eq!(&part, &b[middle..]);
        let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&container.section("c").unwrap().array(50).unwrap()), bits(&c));
    }

    #[test]
    fn any_damage_to_any_container_is_found_or_harmless(
        sections in any_sections(),
        at in any::<prop::sample::Index>(),
        flip in 1..=255u8,
    ) {
        let named: Vec<_> = sections.iter().map(|(n, b, v)| (n.as_str(), *b, v.clone())).collect();
        let mut bytes = pack(&header(), &named);
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        if let Ok(container) = read(bytes) {
            prop_assert_eq!(container.header(), &header());
            prop_assert!(container.verify().is_err());
        }
    }

    #[test]
    fn nonsense_never_panics(mut bytes in prop::collection::vec(any::<u8>(), 0..300), magic: bool) {
        if magic && bytes.len() >= 12 {
            bytes[..12].copy_from_slice(b"\x89ZUG\r\n\x1a\n\x01\0\0\0");
        }
        prop_assert!(read(bytes).is_err());
    }
}

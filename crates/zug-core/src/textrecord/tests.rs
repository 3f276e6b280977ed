use super::*;
use crate::RecordMove;
use proptest::prelude::*;

fn read(text: &str) -> Vec<Result<Record, RecordError>> {
    TextRecords.read(text.as_bytes())
}

fn moves(record: &Record) -> Vec<&str> {
    record.moves.iter().map(|m| m.text.as_str()).collect()
}

#[test]
fn a_file_in_the_manner_of_pgn_is_read() {
    let found = read(
        "\u{feff}% made by hand\r\n[Game \"dodgem:4x4\"]\r\n[White \"A \\\"B\\\"\"]\r\n\
         [Start \"W3/4 b\"]\r\n\r\n{first} 1. a2-b2 b1-b2 {good\r\nmove} {really} 2.c1-c2 $3 \
         (2. pass {not ) this} (deeper)) ; rest of the line a b c\r\n3... \"odd move\" 1-0\r\n\
         [Game \"nim:3-4\"]\n[Result \"0-1\"]\n[Margin \"2.5\"]\na1\n",
    );
    let first = found[0].as_ref().unwrap();
    assert_eq!(first.game, "dodgem:4x4");
    assert_eq!(first.tag("White"), Some("A \"B\""));
    assert_eq!(first.tag("Comment"), Some("first"));
    assert_eq!(first.start.as_deref(), Some("W3/4 b"));
    assert_eq!(moves(first), ["a2-b2", "b1-b2", "c1-c2", "odd move"]);
    assert_eq!(first.moves[1].comment.as_deref(), Some("good move really"));
    assert_eq!(first.result, result_word("1-0").unwrap());
    let second = found[1].as_ref().unwrap();
    let stated = RecordResult::Known { winner: Some(Side::Second), margin: Some(2.5) };
    assert_eq!((moves(second), second.result), (vec!["a1"], stated));
    assert_eq!(found.len(), 2);
}

#[test]
fn a_broken_record_is_reported_in_its_place_and_the_others_are_read() {
    let good = "[Game \"nim\"]\n\n1. a1 1-0\n";
    for (bad, line, byte, expected) in [
        ("[Game \"nim\n", 4, 6, "a closing '\"'"),
        ("[Game \"nim\"]\na1 {never closed\n", 5, 3, "a closing '}'"),
        ("[Game \"nim\"]\na1 (b2\n", 5, 3, "a closing ')'"),
        ("[Game \"nim\"]\n1. a1 } b2\n", 5, 6, "a move or a result"),
        ("[Game \"nim\"]\n[Result \"2-0\"]\n", 5, 0, "1-0, 0-1, 1/2-1/2 or * as Result"),
        ("[Game \"nim\"]\n[Margin \"inf\"]\n", 5, 0, "a number of points as Margin"),
        ("[Game nim]\n", 4, 6, "a value in quotation marks"),
        ("[ \"x\"]\n", 4, 2, "the name of a tag"),
        ("hello world\n", 4, 0, "a tag [Game \"...\"] before the moves"),
        ("[Game \"\"]\n", 4, 0, "the name of a game"),
    ] {
        let found = read(&format!("{good}{bad}{good}"));
        assert_eq!(found.len(), 3, "{bad:?}: {found:?}");
        assert!(found[0].is_ok() && found[2].is_ok(), "{bad:?}");
        let Err(RecordError::Text(e)) = &found[1] else { panic!("{bad:?} was accepted") };
        assert_eq!((e.line, e.byte, e.expected.as_str()), (Some(line), byte, expected));
    }
    let found = TextRecords.read(b"[Game \"nim\"]\n1. a\xFF\n[Game \"nim\"]\n*");
    assert!(found[0].as_ref().unwrap_err().to_string().contains("line 2, byte 3"));
    assert!(found[1].is_ok());
}

#[test]
fn what_the_format_cannot_hold_is_refused() {
    let mut record = Record::default();
    assert!(TextRecords.write(&[record.clone()]).is_err(), "no game");
    record.game = "nim".into();
    record.set_tag("Start", "x");
    assert!(TextRecords.write(&[record.clone()]).is_err(), "a tag of the format's own");
    record.tags = vec![("a b".into(), String::new())];
    assert!(TextRecords.write(&[record.clone()]).is_err(), "a tag with a blank");
    record.tags.clear();
    record.result = RecordResult::Known { winner: None, margin: Some(f32::NAN) };
    assert!(TextRecords.write(&[record]).is_err(), "not a number");
}

#[test]
fn lines_of_moves_stay_within_eighty_columns() {
    let mv = RecordMove { text: "a1-a4xd7".into(), comment: None };
    let record = Record { game: "morris".into(), moves: vec![mv; 101], ..Record::default() };
    let text = String::from_utf8(TextRecords.write(&[record]).unwrap()).unwrap();
    assert!(text.lines().all(|l| l.len() <= 80) && text.lines().count() > 10);
}

fn any_record() -> impl Strategy<Value = Record> {
    let moves = proptest::collection::vec(
        (
            "[a-h1-8.*/-]{0,6}|\\PC{0,12}|[ \"{}()\\[\\]\\\\;%$\n\r]{1,5}",
            proptest::option::of("\\PC{0,12}|[ \"{}()\\[\\]\\\\;%\n\r]{0,9}"),
        )
            .prop_map(|(text, comment)| RecordMove { text, comment }),
        0..12,
    );
    let winner = prop_oneof![Just(None), Just(Some(Side::First)), Just(Some(Side::Second))];
    let margin = proptest::option::of(0.0f32..1e6);
    let result = proptest::option::of((winner, margin));
    let tags =
        proptest::collection::vec(("[A-Z][a-z_0-9]{1,8}x", "\\PC{0,9}|[\"\\]\\\\\n\r]{1,5}"), 0..4);
    let start = proptest::option::of("\\PC{0,20}");
    ("[a-z:=,0-9\" ]{1,12}", tags, start, moves, result).prop_map(
        |(game, tags, start, moves, result)| Record {
            game,
            tags,
            start,
            moves,
            result: result.map_or(RecordResult::Unknown, |(winner, margin)| RecordResult::Known {
                winner,
                margin,
            }),
        },
    )
}

proptest! {
    #[test]
    fn records_survive_being_written_and_read(
        records in proptest::collection::vec(any_record(), 0..4)
    ) {
        let bytes = TextRecords.write(&records).unwrap();
        let read: Vec<Record> =
            TextRecords.read(&bytes).into_iter().map(|r| r.unwrap()).collect();
        prop_assert_eq!(read, records);
    }

    #[test]
    fn no_bytes_make_the_reader_fail(
        bytes in proptest::collection::vec(
            prop_oneof![any::<u8>(), Just(b'['), Just(b'"'), Just(b'{'), Just(b'\\'), Just(b'\n')],
            0..200,
        )
    ) {
        let mut file = b"[Game \"x\"]\n".to_vec();
        file.extend(bytes);
        file.extend(b"\n[Game \"y\"]\n1. a *\n");
        let found = TextRecords.read(&file);
        prop_assert_eq!(&found.last().unwrap().as_ref().unwrap().game, "y");
    }
}

#[test]
fn variations_and_marks_are_part_of_a_study() {
    let text = "[Game \"nim\"]\n[Result \"*\"]\n\n{first} 1. a1 $4 {bad} (1. b1 {good} c1 (1... c2) 2. c3) 1... d1 2. d2 *\n";
    let mut studies = Vec::new();
    TextRecords.read_studies(text.as_bytes(), Bounds::NONE, &mut |study| {
        studies.push(study.unwrap());
        true
    });
    let study = studies.remove(0);
    let texts: Vec<&str> = study.nodes().iter().map(|n| &*n.text).collect();
    assert_eq!(texts, ["", "a1", "b1", "c1", "c2", "c3", "d1", "d2"]);
    assert_eq!(study.nodes()[1].mark, Some(crate::Mark::Blunder));
    assert_eq!(study.nodes()[0].comment.as_deref(), Some("first"));
    assert_eq!((study.nodes()[4].parent(), study.nodes()[6].parent()), (2, 1));
    let written = TextRecords.write_studies(std::slice::from_ref(&study)).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), text);
    for bad in ["(1. a1) *", "1. a1 (1. b1 *", "1. a1 (1. b1 [Game \"nim\"]"] {
        let text = format!("[Game \"nim\"]\n{bad}");
        let mut found = Vec::new();
        TextRecords.read_studies(text.as_bytes(), Bounds::NONE, &mut |study| {
            found.push(study.is_err());
            true
        });
        assert!(found[0], "{bad}");
    }
}

/// Trees of any shape: each node follows one that came before.
fn any_study() -> impl Strategy<Value = Study> {
    let node = (any::<prop::sample::Index>(), "[ -~é]{1,6}", prop::option::of(".{0,12}"), 0u8..9);
    proptest::collection::vec(node, 0..30).prop_map(|nodes| {
        let mut study = Study::new(Record { game: "nim".into(), ..Record::default() });
        for (parent, text, comment, mark) in nodes {
            let parent = parent.index(study.nodes().len());
            let id = study.add(parent, text);
            study.node_mut(id).comment = comment;
            study.node_mut(id).mark = Mark::from_number(mark);
        }
        study
    })
}

/// The tree with its nodes in the order in which they are written.
fn in_order(study: &Study) -> Study {
    let mut places = vec![ROOT; study.nodes().len()];
    let mut ordered = Study::new(study.head.clone());
    let _ = study.walk(|step| {
        if let Step::Move(id, node) = step {
            places[id] = ordered.add(places[node.parent()], node.text.clone());
            let kept = ordered.node_mut(places[id]);
            (kept.comment, kept.mark) = (node.comment.clone(), node.mark);
        }
        Ok::<(), ()>(())
    });
    ordered
}

proptest! {
    #[test]
    fn any_study_survives_being_written_and_read(study in any_study()) {
        let written = TextRecords.write_studies(std::slice::from_ref(&study)).unwrap();
        let mut found = Vec::new();
        TextRecords.read_studies(&written, Bounds::NONE, &mut |study| { found.push(study); true });
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(found.remove(0).unwrap(), in_order(&study));
    }
}

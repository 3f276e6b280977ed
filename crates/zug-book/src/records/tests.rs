use super::gather::{gather, of_records};
use super::index::Reply;
use super::*;
use crate::names::Names;
use crate::places::Places;
use crate::testing::Script;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use zug_core::record::RecordMove;
use zug_core::seed::RngExt;
use zug_core::{AnyLine, GameEntry, Record, RecordFormat, Silent, StopFlag, TextRecords, rng};
use zug_learn::explore::{AnyExplorer, ExploreOrder, IndexOrder, Span};

fn entry(script: &Script) -> GameEntry {
    GameEntry::new(script.clone()).with_extension(Places::symmetric(script))
}

/// Games that were played at random, some of them not to their end.
fn random_games(entry: &GameEntry, seed: u64, count: usize) -> Vec<Record> {
    let mut rng = rng(seed, 1);
    let one = |number: usize| {
        let mut line = entry.game.new_line();
        let most = rng.random_range(1..12usize);
        while line.ply() < most {
            let moves = line.legal_moves();
            if moves.is_empty() {
                break;
            }
            line.play(&moves[rng.random_range(0..moves.len())]).unwrap();
        }
        let mut record = Record::of_line(&*line);
        record.set_tag("White", format!("W{}", number % 3));
        record.set_tag("Black", format!("B{}", number % 2));
        record.set_tag("Round", number.to_string());
        record.set_tag("Date", format!("{}.01.01", 1990 + number % 7));
        record
    };
    (0..count).map(one).filter(|record| !record.moves.is_empty()).collect()
}

/// For every position its games, each with the position that followed: by playing all through.
fn by_replay(entry: &GameEntry, records: &[Record]) -> BTreeMap<u64, BTreeMap<u32, Option<u64>>> {
    let places = Places::of(entry);
    let mut found: BTreeMap<u64, BTreeMap<u32, Option<u64>>> = BTreeMap::new();
    for (number, record) in records.iter().enumerate() {
        let mut line = entry.game.new_line();
        let mut keys = vec![places.key(&*line)];
        for mv in &record.moves {
            line.play(&mv.text).unwrap();
            keys.push(places.key(&*line));
        }
        for (ply, key) in keys.iter().enumerate() {
            let games = found.entry(*key).or_default();
            games.entry(number as u32).or_insert(keys.get(ply + 1).copied());
        }
    }
    found
}

fn every_position(entry: &GameEntry, records: &[Record]) -> Vec<Box<dyn AnyLine>> {
    let mut all = vec![entry.game.new_line()];
    for record in records {
        let mut line = entry.game.new_line();
        for mv in &record.moves {
            line.play(&mv.text).unwrap();
            all.push(line.boxed_clone());
        }
    }
    all
}

fn built(entry: &GameEntry, records: &[Record]) -> Vec<u8> {
    let shelf = of_records(entry, records);
    assert_eq!(shelf.games.len(), records.len(), "{:?}", shelf.skipped);
    write::to_bytes(entry, &shelf, &Names::default(), &StopFlag::new()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_index_counts_as_playing_all_games_through_does(
        seed in any::<u64>(), size in 5usize..60, count in 1usize..150,
    ) {
        let mut script = Script::random(seed, size);
        // Some positions are images of each other.
        let places = std::sync::Arc::make_mut(&mut script.0);
        for i in (1..size.saturating_sub(5)).step_by(5) {
            if places[i].side == places[i + 1].side {
                (places[i].twin, places[i + 1].twin) = (i + 1, i);
                places[i + 1].to = places[i].to.clone();
                if places[i].to.contains(&(i + 1)) {
                    places[i + 1].to.retain(|&to| to > i + 1);
                    places[i].to = places[i + 1].to.clone();
                }
            }
        }
        let entry = entry(&script);
        let records = random_games(&entry, seed, count);
        prop_assume!(!records.is_empty());
        let bytes = built(&entry, &records);
        prop_assert_eq!(&bytes, &built(&entry, &records), "the same games, the same bytes");
        let index = Index::from_bytes(bytes, &entry).unwrap();
        let plain = by_replay(&entry, &records);
        for line in every_position(&entry, &records) {
            let mut after = index.places().keys_after(&*line);
            after.sort_unstable();
            after.dedup();
            let found: BTreeMap<u32, Option<u64>> = index.hits(&*line, &after).unwrap().into_iter()
                .map(|hit| (hit.game, match hit.reply {
                    Reply::Move(rank) => Some(after[rank as usize]),
                    Reply::End => None,
                }))
                .collect();
            prop_assert_eq!(Some(&found), plain.get(&index.places().key(&*line)));
        }
        for (number, record) in records.iter().enumerate() {
            let whole = index.record(number as u32).unwrap();
            prop_assert_eq!(&whole.moves, &record.moves);
            prop_assert_eq!(whole.result, record.result);
        }
    }

    #[test]
    fn numbers_survive_being_written_and_read(numbers in prop::collection::vec(any::<u64>(), 0..40)) {
        let numbers: Vec<u64> = numbers.into_iter().map(|n| n >> (n % 60) >> 1).collect();
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&n| put_number(&mut bytes, n));
        let mut rest = &bytes[..];
        let read: Vec<u64> = std::iter::from_fn(|| take_number(&mut rest)).collect();
        prop_assert_eq!(read, numbers);
        prop_assert!(rest.is_empty());
    }

    #[test]
    fn damaged_bytes_are_refused_or_answered_and_never_panic(
        seed in any::<u64>(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let script = Script::random(7, 30);
        let entry = entry(&script);
        let records = random_games(&entry, seed, 20);
        prop_assume!(!records.is_empty());
        let mut bytes = built(&entry, &records);
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] ^= byte.max(1);
        }
        match Index::from_bytes(bytes, &entry) {
            Err(error) => prop_assert!(!error.to_string().is_empty()),
            Ok(index) => {
                for line in every_position(&entry, &records) {
                    let _ = index.hits(&*line, &[]);
                }
                let _ = (index.facts(), index.words(), index.names());
                (0..records.len()).for_each(|game| drop(index.record(game as u32)));
            }
        }
    }
}

fn small() -> (Script, GameEntry) {
    let script = Script::new("a: B C\nB: d e\nC: d\nd: F\ne = 0\nF: g\ng = 1");
    let entry = entry(&script);
    (script, entry)
}

fn record(moves: &str, tags: &[(&str, &str)]) -> Record {
    let text = |text: &str| RecordMove { text: text.to_string(), comment: None };
    let tags = tags.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let moves = moves.split_whitespace().map(text).collect();
    Record { game: "script".into(), tags, moves, ..Record::default() }
}

#[test]
fn bad_games_are_counted_and_named_and_the_rest_is_answered_the_same_with_and_without_an_index() {
    let (script, _) = small();
    let dir = tempfile::tempdir().unwrap();
    let games = [
        record(
            "B d F g",
            &[
                ("White", "Ann"),
                ("Black", "Bob"),
                ("Date", "1999"),
                ("WhiteElo", "2000"),
                ("BlackElo", "2100"),
            ],
        ),
        record(
            "B d F g",
            &[
                ("White", "Ann"),
                ("Black", "Bob"),
                ("Date", "1999"),
                ("WhiteElo", "2000"),
                ("BlackElo", "2100"),
            ],
        ),
        record("C d F", &[("White", "Cid"), ("Black", "ann Two"), ("Date", "2003.05.06")]),
        record("C q", &[]),
        record("", &[]),
        Record { game: "nim".into(), ..record("B", &[]) },
    ];
    let path = dir.path().join("games.zgr");
    let mut bytes = TextRecords.write(&games).unwrap();
    bytes.extend(b"\n[Game \"script\"]\n1. B {never closed\n");
    std::fs::write(&path, bytes).unwrap();
    let explorer = RecordExplorer::new(move || Ok(entry(&script)));
    let index = dir.path().join("index.zug");
    let names = dir.path().join("names.txt");
    std::fs::write(&names, "Bee\tB\n").unwrap();
    let order = IndexOrder {
        data: vec![path.clone()],
        out: index.clone(),
        names: vec![names.clone()],
        ..IndexOrder::default()
    };
    let told = explorer.index(&order, &Silent, &StopFlag::new()).unwrap();
    assert_eq!(told.figures["games"], 2, "{}", told.text);
    let skipped = &told.figures["skipped"];
    for reason in ["duplicate", "illegal", "without moves", "of another game", "unreadable"] {
        assert_eq!(skipped[reason], 1, "{reason}: {skipped}");
    }
    let faults = told.figures["faults"].to_string();
    assert!(faults.contains("game 4: move 2") && faults.contains("games.zgr: game 7"), "{faults}");
    let first = std::fs::read(&index).unwrap();
    explorer.index(&order, &Silent, &StopFlag::new()).unwrap();
    assert!(first == std::fs::read(&index).unwrap(), "the same records, the same bytes");

    let ask = |data: &PathBuf, query: &str, change: &dyn Fn(&mut ExploreOrder)| {
        let mut order = ExploreOrder {
            data: vec![data.clone()],
            query: query.into(),
            names: if *data == path { vec![names.clone()] } else { Vec::new() },
            top: 10,
            games: 10,
            depth: 3,
            ..ExploreOrder::default()
        };
        change(&mut order);
        let mut told = explorer.explore(&order, &Silent, &StopFlag::new()).unwrap();
        for key in ["milliseconds", "source", "skipped", "faults"] {
            told.figures.remove(key);
        }
        told.figures
    };
    for query in ["start", "B", "B d", "C d", "1. C d 2. F", "d", "Bd"] {
        let (plain, indexed) = (ask(&path, query, &|_| {}), ask(&index, query, &|_| {}));
        assert_eq!(plain, indexed, "{query}");
    }
    let both = ask(&index, "C d", &|_| {});
    assert_eq!(both["games_found"], 2, "in whatever order the moves came");
    assert_eq!(both["games"][0]["players"][0], "Ann", "rated players first");
    assert_eq!(both["name"], serde_json::Value::Null);
    assert_eq!(ask(&index, "B d", &|_| {})["name"], "Bee");
    let start = ask(&index, "start", &|_| {});
    let moves = start["moves"].as_array().unwrap();
    let bee = moves.iter().find(|m| m["move"] == "B").unwrap();
    assert_eq!((&bee["rating"], &bee["performance"]), (&2000.into(), &2900.into()));
    assert_eq!(start["lines"][0]["then"][0]["shown"], "d");
    assert_eq!(ask(&index, "start", &|o| o.player = Some("ANN".into()))["games_found"], 2);
    assert_eq!(ask(&index, "start", &|o| o.player = Some("two ann".into()))["games_found"], 1);
    assert_eq!(ask(&index, "start", &|o| o.span.from = Some(2000))["games_found"], 1);
    assert_eq!(explorer.game(&index, 1).unwrap().tag("Black"), Some("ann Two"));
    assert!(explorer.game(&index, 2).unwrap_err().to_string().contains("no game 2"));
}

#[test]
fn what_cannot_be_asked_is_refused_in_words() {
    let (script, own) = small();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.zgr");
    std::fs::write(&path, TextRecords.write(&[record("B d", &[])]).unwrap()).unwrap();
    let explorer = RecordExplorer::new(move || Ok(entry(&script)));
    let said = |data: &str, query: &str| {
        let data = vec![dir.path().join(data)];
        let order = ExploreOrder { data, query: query.into(), ..ExploreOrder::default() };
        explorer.explore(&order, &Silent, &StopFlag::new()).unwrap_err().to_string()
    };
    assert!(said("games.zgr", "B q").contains("move 2: expected a legal move, found 'q'"));
    assert!(said("games.zgr", "q").contains("as a position"));
    assert!(said("games.zgr", "none.zgr:3").contains("none.zgr"));
    assert!(said("none.zgr", "start").contains("cannot read"));
    std::fs::write(dir.path().join("x.doc"), "x").unwrap();
    assert!(said("x.doc", "start").contains("end in .zgr"));
    std::fs::write(dir.path().join("x.zug"), "nonsense").unwrap();
    assert!(said("x.zug", "start").contains("no Zug file"));
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    assert!(said("empty", "start").contains("no game is left of 0 files"));
    std::fs::write(dir.path().join("b.zgr"), "[Game \"script\"]\n1. q *\n").unwrap();
    assert!(said("b.zgr", "start").contains("b.zgr: game 1: move 1"));
    let stop = StopFlag::new();
    stop.set();
    let stopped = gather(&own, &[path], &Span::default(), &Silent, &stop);
    assert_eq!(stopped.unwrap_err().to_string(), "stopped");
}

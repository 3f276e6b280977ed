use super::*;
use crate::space::{Options, Space};
use crate::store::folder::check_digest;
use crate::value::Value;
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use zug_core::indexed::{Layout, maps};
use zug_core::seed::RngExt;
use zug_core::{Side, StopFlag};

/// Two stages: with and without the second side's man.
fn layout() -> Layout {
    Layout::new(36)
        .piece("man", Side::First, 1..=2)
        .piece("man", Side::Second, 0..=1)
        .axes(|_| vec![maps::left_right(6, 6), maps::falling_diagonal(6)])
        .stages(|counts| (counts[1], format!("against{}", counts[1])))
}

fn plan(metric: Measure) -> Plan {
    let options = Options::default();
    Plan { game: "men:6x6".into(), options, metric, command: Some("zug db build men".into()) }
}

/// Values that depend on the place, with noise.
fn codes(space: &Space, seed: u64, longest: u16) -> PlainCodes {
    let mut rng = zug_core::rng(seed, 0);
    let mut boards = vec![0; space.kinds()];
    let code = |slot: u64| match rng.random_range(0..10) {
        _ if space.boards(slot, &mut boards).is_none() => Code::ILLEGAL,
        _ if Side::BOTH.iter().all(|&side| space.index(&boards, side) != Some(slot)) => {
            Code::DUPLICATE
        }
        0 => Code::ILLEGAL,
        1..=2 => Code::DRAW,
        3..=5 => Code::from(Value::Loss(rng.random_range(0..=longest))),
        _ => Code::from(Value::Win((slot % 50) as u16 / 10)),
    };
    PlainCodes { first: 0, codes: (0..space.size()).map(code).collect() }
}

fn write(folder: &Path, space: &Space, codes: &PlainCodes, metric: Measure) -> FolderWriter {
    let mut writer = FolderWriter::create(folder, &plan(metric), space).unwrap();
    for stage in space.stages() {
        writer.add(space, stage, codes).unwrap();
    }
    writer
}

/// All codes of a stage; slots without a position may hold anything.
fn read(
    file: &StageFile,
    space: &Space,
    stage: &crate::StageParts,
) -> Result<Vec<Code>, StoreError> {
    let mut all = Vec::new();
    for number in stage.parts.clone() {
        all.extend(file.codes(space, number)?);
    }
    Ok(all)
}

fn same(found: &[Code], want: &[Code]) -> bool {
    found.len() == want.len() && found.iter().zip(want).all(|(f, w)| w.value().is_none() || f == w)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn every_value_comes_back(seed in any::<u64>(), longest in prop_oneof![0..4u16, 0..crate::MOST_PLIES]) {
        let space = Space::new(&layout(), Options::default()).unwrap();
        let codes = codes(&space, seed, longest);
        let folder = tempfile::tempdir().unwrap();
        let writer = write(folder.path(), &space, &codes, Measure::Dtm);
        for stage in space.stages() {
            let file = writer.open_stage(&space, stage).unwrap();
            let want = &codes.codes[stage.slots.start as usize..stage.slots.end as usize];
            prop_assert!(same(&read(&file, &space, stage).unwrap(), want));
            check_digest(&file, writer.finished(stage).unwrap()).unwrap();
            for number in stage.parts.clone() {
                // In runs that begin and end anywhere.
                let part = &space.parts()[number];
                let mut runs = Vec::new();
                for start in (0..part.size()).step_by(997) {
                    let run = start..(start + 997).min(part.size());
                    let mut codes = vec![0; (run.end - run.start) as usize];
                    file.fill(&space, number, &run, &StopFlag::new(), &mut codes).unwrap();
                    runs.extend(codes.into_iter().map(Code));
                }
                let first = part.base() as usize;
                prop_assert!(same(&runs, &codes.codes[first..first + runs.len()]));
                prop_assert_eq!(runs.len() as u64, part.size());
            }
        }
        let counted: u64 = writer.manifest().stages.iter().map(|s| {
            let c = s.counts;
            c.illegal + c.duplicate + c.won + c.drawn + c.lost
        }).sum();
        prop_assert_eq!(counted, space.size());
    }
}

#[test]
fn the_same_values_give_the_same_bytes() {
    let space = Space::new(&layout(), Options::default()).unwrap();
    let codes = codes(&space, 1, 9);
    let digests = [(); 2].map(|()| {
        let folder = tempfile::tempdir().unwrap();
        let writer = write(folder.path(), &space, &codes, Measure::Dtm);
        writer.manifest().stages.iter().map(|s| s.digest.clone()).collect::<Vec<_>>()
    });
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn a_flipped_bit_or_a_missing_end_is_found_before_a_wrong_value_is_given() {
    let space = Space::new(&layout(), Options::default()).unwrap();
    let codes = codes(&space, 2, 9);
    let folder = tempfile::tempdir().unwrap();
    let writer = write(folder.path(), &space, &codes, Measure::Dtm);
    let stage = &space.stages()[1];
    let entry = writer.finished(stage).unwrap();
    let path = folder.path().join(&entry.file);
    let whole = fs::read(&path).unwrap();
    let want = &codes.codes[stage.slots.start as usize..stage.slots.end as usize];
    let attempt = || {
        let file = writer.open_stage(&space, stage)?;
        read(&file, &space, stage)
    };
    assert!(same(&attempt().unwrap(), want));
    for at in (0..whole.len()).step_by(5) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        let error = attempt().expect_err("every byte is under a checksum").to_string();
        assert!(error.contains(&entry.file), "a flip at {at}: {error}");
    }
    for length in (0..whole.len()).step_by(11) {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(attempt().is_err(), "cut to {length} bytes");
    }
    fs::write(&path, &whole).unwrap();
    assert!(attempt().is_ok());
}

#[test]
fn a_changed_list_of_stages_is_refused() {
    let space = Space::new(&layout(), Options::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &space, &codes(&space, 3, 3), Measure::Dtm);
    let text = fs::read_to_string(folder.path().join("database.toml")).unwrap();
    assert!(Manifest::from_text(&text).is_ok());
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        assert!(Manifest::from_text(&changed).is_err(), "a flip at {at}");
        assert!(Manifest::from_text(&text[..at]).is_err(), "cut to {at}");
    }
    let newer = text.replace("format = 1", "format = 2");
    assert!(Manifest::from_text(&newer).unwrap_err().contains("newer"));
}

#[test]
fn resuming_keeps_what_is_finished_and_refuses_what_differs() {
    let space = Space::new(&layout(), Options::default()).unwrap();
    let codes = codes(&space, 4, 5);
    let folder = tempfile::tempdir().unwrap();
    let stages = space.stages();
    let mut writer = FolderWriter::resume(folder.path(), &plan(Measure::Dtm), &space).unwrap();
    writer.add(&space, &stages[0], &codes).unwrap();
    drop(writer);
    // A killed run has left half a file.
    fs::write(folder.path().join(".against1.zdb.1-0.tmp"), b"half").unwrap();
    let mut writer = FolderWriter::resume(folder.path(), &plan(Measure::Dtm), &space).unwrap();
    assert!(writer.finished(&stages[0]).is_some() && writer.finished(&stages[1]).is_none());
    assert!(!folder.path().join(".against1.zdb.1-0.tmp").exists());
    writer.add(&space, &stages[1], &codes).unwrap();
    assert!(writer.set_one_side(true).is_err(), "both sides are stored already");

    let other = FolderWriter::resume(folder.path(), &plan(Measure::Wdl), &space).unwrap_err();
    assert!(other.to_string().contains("metric"), "{other}");
    let full = Plan { options: Options::full(), ..plan(Measure::Dtm) };
    let space_full = Space::new(&layout(), Options::full()).unwrap();
    let other = FolderWriter::resume(folder.path(), &full, &space_full).unwrap_err();
    assert!(other.to_string().contains("board symmetry"), "{other}");
    let renamed = Plan { game: "women:6x6".into(), ..plan(Measure::Dtm) };
    let other = FolderWriter::resume(folder.path(), &renamed, &space).unwrap_err();
    assert!(other.to_string().contains("women"), "{other}");
    assert!(FolderWriter::create(folder.path(), &plan(Measure::Dtm), &space).is_err());

    // The file of a finished stage is not what it was.
    let path = folder.path().join("against0.zdb");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let damaged = FolderWriter::resume(folder.path(), &plan(Measure::Dtm), &space).unwrap_err();
    assert!(damaged.to_string().contains("against0.zdb"), "{damaged}");
}

#[test]
fn a_folder_that_cannot_be_written_is_reported_and_lists_nothing() {
    let space = Space::new(&layout(), Options::default()).unwrap();
    let codes = codes(&space, 5, 5);
    let folder = tempfile::tempdir().unwrap();
    let mut writer = FolderWriter::create(folder.path(), &plan(Measure::Dtm), &space).unwrap();
    // A folder in the way of the file: the last step of writing fails.
    let file = folder.path().join("against0.zdb");
    fs::create_dir_all(file.join("in-the-way")).unwrap();
    let error = writer.add(&space, &space.stages()[0], &codes).unwrap_err();
    assert!(error.to_string().contains("against0.zdb"), "{error}");
    assert!(writer.manifest().stages.is_empty());
    assert!(Manifest::read(folder.path()).unwrap().stages.is_empty());
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2, "no half file is left");
}

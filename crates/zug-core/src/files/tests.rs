use super::*;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::Write;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_given_up_half_way_leaves_the_old_one_and_no_trace() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    write_atomically(&path, b"old").unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(&[7; 1 << 20]).unwrap();
    assert_eq!(names(dir.path()).len(), 2);
    drop(file);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(dir.path()), ["a"]);
    write_atomically(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(dir.path()), ["a"]);
}

#[cfg(unix)]
#[test]
fn links_stay_and_what_is_no_file_is_never_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("folder")).unwrap();
    symlink("folder/real", at("link")).unwrap();
    symlink("link", at("link2")).unwrap();
    for text in ["first", "second"] {
        write_atomically(&at("link2"), text.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(at("folder/real")).unwrap(), text);
    }
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
    assert!(fs::symlink_metadata(at("link2")).unwrap().is_symlink());
    assert_eq!(names(&at("folder")), ["real"]);

    symlink("round", at("round")).unwrap();
    let message = write_atomically(&at("round"), b"x").unwrap_err().to_string();
    assert!(message.contains("lead to one another"), "{message}");
    let message = write_atomically(&at("folder"), b"x").unwrap_err().to_string();
    assert!(message.contains("it is a folder"), "{message}");
    let socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    let message = write_atomically(&at("socket"), b"x").unwrap_err().to_string();
    assert!(message.contains("no regular file"), "{message}");
    assert!(fs::metadata(at("socket")).unwrap().file_type().is_socket());
    drop(socket);
    assert_eq!(names(dir.path()), ["folder", "link", "link2", "round", "socket"]);
}

#[test]
fn errors_name_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("missing").join("file.toml");
    let message = write_atomically(&path, b"x").unwrap_err().to_string();
    assert!(message.contains("file.toml") && message.contains("missing"), "{message}");
    let message = read_bounded(&path, 10).unwrap_err().to_string();
    assert!(message.starts_with("cannot open") && message.contains("file.toml"), "{message}");
    assert!(write_atomically(Path::new("/"), b"x").is_err());
}

#[test]
fn files_that_are_too_long_or_no_text_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    fs::write(&path, b"one\ntwo\n\xff").unwrap();
    assert_eq!(read_bounded(&path, 9).unwrap().len(), 9);
    assert!(read_bounded(&path, 8).unwrap_err().to_string().contains("larger"));
    assert!(read_text(&path, 9).unwrap_err().to_string().contains("line 3"));
}

#[test]
fn temporaries_of_killed_processes_are_swept_and_other_files_stay() {
    let dir = tempfile::tempdir().unwrap();
    let all = [".a.1-0.tmp", "a", "notes.tmp", ".hidden", ".notes.tmp", ".a.b-1.tmp"];
    for name in all {
        fs::write(dir.path().join(name), b"").unwrap();
    }
    let living = AtomicFile::create(&dir.path().join("b")).unwrap();
    // The first file that was written here has swept already.
    assert_eq!(names(dir.path()).len(), all.len());
    fs::write(dir.path().join(".a.2-0.tmp"), b"").unwrap();
    assert_eq!(remove_temporaries(dir.path()).unwrap(), 1);
    living.commit().unwrap();
    assert_eq!(names(dir.path()), [".a.b-1.tmp", ".hidden", ".notes.tmp", "a", "b", "notes.tmp"]);
}

#[test]
fn a_lock_names_its_holder_and_a_killed_process_blocks_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    // As a killed process leaves it.
    fs::write(dir.path().join("out.lock"), "99999999\n").unwrap();
    let lock = FileLock::beside(&out).unwrap();
    let path = dir.path().join("out.lock");
    assert!(is_held(&path));
    let refused = FileLock::beside(&out).unwrap_err().to_string();
    assert!(refused.contains(&format!("process {}", std::process::id())), "{refused}");
    assert!(refused.contains("out.lock"), "{refused}");
    drop(lock);
    assert!(!is_held(&path));
    #[cfg(unix)]
    assert_eq!(names(dir.path()), Vec::<String>::new());
}

#[test]
fn only_one_of_many_has_a_lock_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let (path, inside) = (dir.path().join("l"), std::sync::atomic::AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let lock = FileLock::wait(&path, None, &mut |_| {}).unwrap();
                    assert_eq!(inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                    inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                    drop(lock);
                }
            });
        }
    });
}

#[test]
fn what_is_there_is_replaced_only_when_asked_and_unfinished_work_is_not_lost() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("games.txt");
    let message = |claimed: Result<Output, FileError>| claimed.unwrap_err().to_string();
    let claimed = Output::claim(&out, false).unwrap();
    assert!(message(Output::claim(&out, true)).contains("is locked by process"));
    let part = claimed.unfinished("games", false).unwrap();
    assert_eq!(part, dir.path().join("games.txt.games.part"));
    fs::write(&part, b"half").unwrap();
    assert!(claimed.unfinished("games", false).unwrap_err().to_string().contains("--resume"));
    assert_eq!(claimed.unfinished("games", true).unwrap(), part);
    drop(claimed);
    fs::write(&out, b"old").unwrap();
    assert!(message(Output::claim(&out, false)).contains("--force"));
    let claimed = Output::claim(&out, true).unwrap();
    claimed.unfinished("games", true).unwrap();
    assert!(part.exists());
    claimed.unfinished("games", false).unwrap();
    assert!(!part.exists());
    drop(claimed);
    assert_eq!(fs::read(&out).unwrap(), b"old");
    assert!(message(Output::claim(dir.path(), true)).contains("a folder"));
    assert!(message(Output::claim(&dir.path().join("no/a"), true)).contains("there is no folder"));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    number: u32,
    text: String,
}

fn sealed(path: &Path) -> Result<(SealedJournal, JournalContents<Entry>), FileError> {
    SealedJournal::open(path, "{\"number\":")
}

fn entry(number: u32) -> Entry {
    Entry { number, text: format!("the square is {}", number * number) }
}

#[test]
fn a_sealed_journal_refuses_every_change_and_names_the_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("j");
    let (mut journal, _) = sealed(&path).unwrap();
    (0..4).for_each(|n| journal.append(&entry(n)).unwrap());
    drop(journal);
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let with = |lines: &[&str]| {
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        sealed(&path).map(|(_, contents)| contents.entries.len())
    };
    let message = |lines: &[&str]| with(lines).unwrap_err().to_string();
    assert_eq!(with(&lines).unwrap(), 4);
    let changed = lines[2].replace("is 4", "is 5");
    assert_ne!(changed, lines[2]);
    let told = message(&[lines[0], lines[1], &changed, lines[3]]);
    assert!(told.contains("line 3") && told.contains("not as it was written"), "{told}");
    assert!(message(&[lines[0], lines[2], lines[3]]).contains("line 2"), "one is missing");
    assert!(message(&[lines[0], lines[1], lines[1]]).contains("line 3"), "one is there twice");
    let bare = serde_json::to_string(&entry(4)).unwrap();
    let told = message(&[lines[0], lines[1], lines[2], lines[3], &bare]);
    assert!(told.contains("line 5") && told.contains("no proof"), "{told}");
    // Nothing of this changes the file.
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 5);
    // What a crash tears off is written again, and the chain goes on.
    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    let (mut journal, contents) = sealed(&path).unwrap();
    assert_eq!((contents.entries.len(), contents.note.is_some()), (3, true));
    journal.append(&entry(3)).unwrap();
    drop(journal);
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn files_that_are_no_sealed_journals_are_left_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("j");
    for other in ["a poem", "{\"x\":1}\n{", "{\"number\":1}\n"] {
        fs::write(&path, other).unwrap();
        let told = sealed(&path).unwrap_err().to_string();
        assert!(told.contains("line 1"), "{told}");
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
    }
    fs::write(&path, "{\"numb").unwrap();
    assert!(sealed(&path).unwrap().1.entries.is_empty(), "torn in its first line");
    let (mut journal, _) = sealed(&path).unwrap();
    assert!(journal.append(&[1, 2]).is_err(), "no object");
}

#[test]
fn who_ends_the_process_waits_for_half_a_record() {
    struct Slow(std::sync::mpsc::Sender<()>);
    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            assert!(settle(Duration::ZERO).is_none());
            self.0.send(()).unwrap();
            Ok(bytes.len().min(3))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (sender, receiver) = std::sync::mpsc::channel();
    write_whole(&mut Slow(sender), b"seven b").unwrap();
    assert_eq!(receiver.iter().count(), 3);
    // Other tests of this process write too, but none for long.
    assert!(settle(Duration::from_secs(60)).is_some());
}

#[test]
fn a_broken_line_in_the_middle_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("j");
    fs::write(&path, b"1\nx\n3\n").unwrap();
    let message = read_journal::<u32>(&path).unwrap_err().to_string();
    assert!(message.contains("line 2"), "{message}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_journal_cut_anywhere_keeps_its_whole_lines_and_can_grow_on(
        entries in prop::collection::vec(".{0,40}", 1..20),
        cut in 0.0..1.0f64,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("j");
        let mut ends = Vec::new();
        let mut journal = Journal::open(&path).unwrap();
        for entry in &entries {
            journal.append(entry).unwrap();
            ends.push(fs::metadata(&path).unwrap().len());
        }
        drop(journal);
        let length = (cut * (*ends.last().unwrap() + 1) as f64) as u64;
        OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();

        let whole = ends.iter().filter(|&&e| e <= length).count();
        let torn = length > whole.checked_sub(1).map_or(0, |i| ends[i]);
        let read = read_journal::<String>(&path).unwrap();
        prop_assert_eq!(&read.entries[..], &entries[..whole]);
        prop_assert_eq!(read.note.is_some(), torn);

        let mut journal = Journal::open(&path).unwrap();
        prop_assert_eq!(journal.note().is_some(), torn);
        journal.append("more").unwrap();
        let read = read_journal::<String>(&path).unwrap();
        prop_assert_eq!(read.entries.len(), whole + 1);
        prop_assert_eq!(read.entries.last().unwrap(), "more");
        prop_assert_eq!(read.note, None);
    }
}

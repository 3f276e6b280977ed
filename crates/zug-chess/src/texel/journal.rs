//! How is long work dealt out to threads, so that a killed process loses seconds of it, and the
//! result does not depend on how it was dealt?
//!
//! Work is a number of tasks, each with some bytes as its result. Results are appended to a journal
//! as frames; a torn frame at the end is cut off when the work goes on, and tasks that stand there
//! are not done again. The first frame says what the work is, so that nobody goes on with another.
//!
//! ```text
//! a frame:  task (4 bytes)  length (4)  CRC-32 of task, length and bytes (4)  the bytes
//! ```

use super::ExampleError;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use zug_core::files::FileError;
use zug_core::{Progress, StopFlag};

/// The task number of the frame that tells about the work.
const PLAN: u32 = u32::MAX;
/// The largest result of a task.
pub const LARGEST: usize = 64 << 20;
const FRONT: usize = 12;
/// What is done reaches the disk so often.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// Results of tasks on disk.
pub struct Journal {
    file: File,
    name: String,
    /// For each task the place of its bytes and their length.
    done: Vec<Option<(u64, u32)>>,
    end: u64,
    synced: Instant,
}

impl Journal {
    /// Opens or begins the journal of `tasks` tasks; `plan` says what the work is.
    pub fn open(path: &Path, plan: &str, tasks: usize) -> Result<Journal, ExampleError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(FileError::io("open", path))?;
        let name = path.display().to_string();
        let now = Instant::now();
        let mut journal = Journal { file, name, done: vec![None; tasks], end: 0, synced: now };
        journal.scan(plan).map_err(|e| match e {
            Scan::Io(e) => FileError::io("read", path)(e).into(),
            Scan::Wrong(what) => ExampleError::Other(format!("{}: {what}", path.display())),
        })?;
        Ok(journal)
    }

    /// Reads the frames that are there and cuts off a torn one.
    fn scan(&mut self, plan: &str) -> Result<(), Scan> {
        let length = self.file.metadata()?.len();
        let mut reader = BufReader::new(&self.file);
        let mut bytes = Vec::new();
        let mut found: Vec<(u32, u64, u32)> = Vec::new();
        let mut at = 0;
        while let Some(task) = read_frame(&mut reader, length - at, &mut bytes)? {
            if at == 0 {
                let old = String::from_utf8_lossy(&bytes);
                if task != PLAN {
                    return Err(Scan::Wrong("it does not say what it is a journal of".into()));
                }
                if old != plan {
                    let old: String = old.chars().take(300).collect();
                    let what =
                        format!("this is the work of another command: '{old}', not '{plan}'");
                    return Err(Scan::Wrong(what));
                }
            } else {
                found.push((task, at + FRONT as u64, bytes.len() as u32));
            }
            at += (FRONT + bytes.len()) as u64;
        }
        if at == 0 && length >= (FRONT + plan.len()) as u64 {
            return Err(Scan::Wrong("this is no journal of tasks".into()));
        }
        for (task, place, length) in found {
            match self.done.get_mut(task as usize) {
                Some(done) => *done = Some((place, length)),
                None => return Err(Scan::Wrong(format!("there is no task {task}"))),
            }
        }
        self.file.set_len(at)?;
        self.end = at;
        if at == 0 {
            self.append_frame(PLAN, plan.as_bytes())?;
        }
        Ok(())
    }

    fn append_frame(&mut self, task: u32, bytes: &[u8]) -> std::io::Result<()> {
        let mut frame = Vec::with_capacity(FRONT + bytes.len());
        frame.extend(task.to_le_bytes());
        frame.extend((bytes.len() as u32).to_le_bytes());
        frame.extend(checksum(task, bytes).to_le_bytes());
        frame.extend(bytes);
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&frame)?;
        self.end += frame.len() as u64;
        if self.synced.elapsed() >= SAVE_EVERY {
            self.file.sync_data()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Adds the result of a task.
    pub fn append(&mut self, task: usize, bytes: &[u8]) -> Result<(), ExampleError> {
        if bytes.len() > LARGEST {
            return Err(ExampleError::Other(format!("the result of task {task} is too large")));
        }
        let place = self.end + FRONT as u64;
        let name = self.name.clone();
        self.append_frame(task as u32, bytes).map_err(FileError::io("write", Path::new(&name)))?;
        self.done[task] = Some((place, bytes.len() as u32));
        Ok(())
    }

    /// Is this task done?
    #[must_use]
    pub fn is_done(&self, task: usize) -> bool {
        self.done[task].is_some()
    }

    /// The tasks that are done.
    #[must_use]
    pub fn count(&self) -> usize {
        self.done.iter().flatten().count()
    }

    /// The result of a task, if it is done.
    pub fn read(&mut self, task: usize) -> Result<Option<Vec<u8>>, ExampleError> {
        let Some((place, length)) = self.done[task] else { return Ok(None) };
        let mut bytes = vec![0; length as usize];
        let read = self.file.seek(SeekFrom::Start(place));
        let read = read.and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(FileError::io("read", Path::new(&self.name)))?;
        Ok(Some(bytes))
    }
}

enum Scan {
    Io(std::io::Error),
    Wrong(String),
}

impl From<std::io::Error> for Scan {
    fn from(error: std::io::Error) -> Scan {
        Scan::Io(error)
    }
}

fn checksum(task: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&task.to_le_bytes());
    hasher.update(&(bytes.len() as u32).to_le_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

/// Reads a frame of a file that has so many bytes left: its task, or nothing where it is torn.
fn read_frame(
    reader: &mut impl Read,
    left: u64,
    bytes: &mut Vec<u8>,
) -> std::io::Result<Option<u32>> {
    let mut front = [0; FRONT];
    if left < FRONT as u64 {
        return Ok(None);
    }
    reader.read_exact(&mut front)?;
    let number = |i: usize| u32::from_le_bytes(front[i..i + 4].try_into().expect("four bytes"));
    let (task, length, sum) = (number(0), number(4) as usize, number(8));
    if length > LARGEST || (FRONT + length) as u64 > left {
        return Ok(None);
    }
    bytes.resize(length, 0);
    reader.read_exact(bytes)?;
    Ok((checksum(task, bytes) == sum).then_some(task))
}

/// Does all tasks that the journal does not have yet, each by the worker of some thread. A worker
/// answers `None` only when asked to stop. Ends early, without an error, when the flag is set.
pub fn do_all<W>(
    journal: &mut Journal,
    threads: usize,
    new_worker: &(dyn Fn() -> W + Sync),
    work: &(dyn Fn(&mut W, usize) -> Option<Vec<u8>> + Sync),
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<(), ExampleError> {
    let open: Vec<usize> = (0..journal.done.len()).filter(|&t| !journal.is_done(t)).collect();
    progress.advance(journal.count() as u64);
    let next = AtomicUsize::new(0);
    let desk = Mutex::new((journal, None));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1).min(open.len()) {
            scope.spawn(|| {
                let mut worker = new_worker();
                while let Some(&task) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if stop.is_set() {
                        return;
                    }
                    let Some(bytes) = work(&mut worker, task) else { return };
                    let mut desk = desk.lock().expect("no thread panicked");
                    if desk.1.is_none() {
                        desk.1 = desk.0.append(task, &bytes).err();
                    }
                    if desk.1.is_some() {
                        return;
                    }
                    progress.advance(1);
                }
            });
        }
    });
    match desk.into_inner().expect("no thread panicked").1 {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Silent;

    fn work(journal: &mut Journal, most: usize) -> usize {
        let (stop, begun) = (StopFlag::new(), AtomicUsize::new(0));
        let square = |(): &mut (), task: usize| {
            if begun.fetch_add(1, Ordering::Relaxed) >= most {
                stop.set();
                return None;
            }
            Some(vec![7; task * task])
        };
        do_all(journal, 3, &|| (), &square, &Silent, &stop).unwrap();
        journal.count()
    }

    #[test]
    fn stopped_work_goes_on_from_its_journal_and_only_with_the_same_plan() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("squares.part");
        let mut journal = Journal::open(&path, "squares", 50).unwrap();
        assert_eq!(work(&mut journal, 20), 20);
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        // A torn frame, as a crash leaves it, costs one task only.
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        let other = Journal::open(&path, "cubes", 50).err().unwrap().to_string();
        assert!(other.contains("'squares', not 'cubes'"), "{other}");
        let mut journal = Journal::open(&path, "squares", 50).unwrap();
        assert_eq!(journal.count(), 19);
        assert_eq!(work(&mut journal, 100), 50);
        for task in 0..50 {
            assert_eq!(journal.read(task).unwrap(), Some(vec![7; task * task]));
        }
        drop(journal);
        let fewer = Journal::open(&path, "squares", 5).err().unwrap().to_string();
        assert!(fewer.contains("there is no task"), "{fewer}");
        std::fs::write(&path, "some text that somebody wrote").unwrap();
        assert!(Journal::open(&path, "squares", 5).is_err());
    }

    #[test]
    fn a_changed_bit_ends_the_journal_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let mut journal = Journal::open(&path, "p", 3).unwrap();
        for task in 0..3 {
            journal.append(task, &[task as u8; 10]).unwrap();
        }
        drop(journal);
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() - 30;
        bytes[middle] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let journal = Journal::open(&path, "p", 3).unwrap();
        assert_eq!(
            (journal.is_done(0), journal.is_done(1), journal.is_done(2)),
            (true, false, false)
        );
    }
}

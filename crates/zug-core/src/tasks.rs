//! How is long work dealt out to threads, so that a killed process loses seconds of it, and the
//! result does not depend on how it was dealt?
//!
//! Work is a number of tasks, each with some bytes as its result. Results are appended to a journal
//! as frames; a frame that a crash has torn is cut off when the work goes on, and tasks that stand
//! there are not done again. The first frame says what the work is, so that nobody goes on with
//! another. A frame that was changed is refused: it would change the result of the work in silence.
//!
//! ```text
//! a frame:  task (4 bytes)  length (4)  CRC-32 of plan, task and bytes (4)  CRC-32 of these (4)  the bytes
//! ```

use crate::files::{FileError, write_whole};
use crate::{Progress, StopFlag};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The task number of the frame that tells about the work.
const PLAN: u32 = u32::MAX;
/// The largest result of a task.
pub const LARGEST: usize = 64 << 20;
const FRONT: usize = 16;
/// What is done reaches the disk so often.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// Results of tasks: in a file, or in memory where nothing is to be kept.
pub struct TaskJournal {
    disk: Option<Disk>,
    /// For each task the place of its frame; 0, where the plan is, for one that is not done.
    done: Vec<u64>,
    /// The frames, where there is no file.
    memory: Vec<u8>,
}

struct Disk {
    file: File,
    path: PathBuf,
    /// Of the plan; every frame builds on it.
    sum: u32,
    end: u64,
    synced: Instant,
}

impl TaskJournal {
    /// Results that are not kept.
    #[must_use]
    pub fn in_memory(tasks: usize) -> TaskJournal {
        TaskJournal { disk: None, done: vec![0; tasks], memory: vec![0] }
    }

    /// Opens or begins the journal of `tasks` tasks; `plan` says what the work is.
    pub fn open(path: &Path, plan: &str, tasks: usize) -> Result<TaskJournal, FileError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(FileError::io("open", path))?;
        let sum = crc32fast::hash(plan.as_bytes());
        let disk = Disk { file, path: path.to_path_buf(), sum, end: 0, synced: Instant::now() };
        let mut journal = TaskJournal::in_memory(tasks);
        journal.scan(disk, plan)?;
        Ok(journal)
    }

    /// Reads the frames that are there and cuts off a torn one.
    fn scan(&mut self, mut disk: Disk, plan: &str) -> Result<(), FileError> {
        let path = disk.path.clone();
        let read = FileError::io("read", &path);
        let length = disk.file.metadata().map_err(read)?.len();
        let mut reader = BufReader::new(&disk.file);
        let mut bytes = Vec::new();
        let mut at = 0;
        loop {
            let sum = if at == 0 { 0 } else { disk.sum };
            let frame = read_frame(&mut reader, length - at, sum, &mut bytes);
            let damaged = |message: &str| {
                Err(FileError::Damaged { path: path.clone(), at, message: message.to_string() })
            };
            let task = match frame.map_err(FileError::io("read", &path))? {
                Frame::Task(task) => task,
                Frame::End => break,
                Frame::Changed if at == 0 => return damaged("this is no journal of tasks"),
                Frame::Changed => {
                    return damaged(
                        "a result is not as it was written: its checksum does not fit; remove the \
                         file to do the work again",
                    );
                }
            };
            if at == 0 {
                self.insist_on_plan(&path, task, &bytes, plan)?;
            } else {
                match self.done.get_mut(task as usize) {
                    Some(done) => *done = at,
                    None => return damaged(&format!("there is no task {task}")),
                }
            }
            at += (FRONT + bytes.len()) as u64;
        }
        disk.file.set_len(at).map_err(FileError::io("shorten", &path))?;
        disk.end = at;
        if at == 0 {
            disk.append(PLAN, 0, plan.as_bytes())?;
        }
        self.disk = Some(disk);
        Ok(())
    }

    fn insist_on_plan(
        &self,
        path: &Path,
        task: u32,
        bytes: &[u8],
        plan: &str,
    ) -> Result<(), FileError> {
        if task != PLAN {
            return Err(FileError::refused(path, "it does not say what it is a journal of"));
        }
        let old = String::from_utf8_lossy(bytes);
        if old == plan {
            return Ok(());
        }
        let old: String = old.chars().take(300).collect();
        let what = format!("this is the work of another command: '{old}', not '{plan}'");
        Err(FileError::refused(path, what))
    }

    /// Adds the result of a task.
    pub fn append(&mut self, task: usize, bytes: &[u8]) -> Result<(), FileError> {
        let place = match &mut self.disk {
            Some(disk) if bytes.len() > LARGEST => {
                let what = format!("the result of task {task} is too large");
                return Err(FileError::refused(&disk.path, what));
            }
            Some(disk) => {
                let place = disk.end;
                disk.append(task as u32, disk.sum, bytes)?;
                place
            }
            None => {
                let place = self.memory.len() as u64;
                self.memory.extend(front(task as u32, 0, bytes));
                self.memory.extend(bytes);
                place
            }
        };
        self.done[task] = place;
        Ok(())
    }

    /// Is this task done?
    #[must_use]
    pub fn is_done(&self, task: usize) -> bool {
        self.done[task] != 0
    }

    /// The tasks that are done.
    #[must_use]
    pub fn count(&self) -> usize {
        self.done.iter().filter(|&&place| place != 0).count()
    }

    /// The result of a task, if it is done.
    pub fn read(&mut self, task: usize) -> Result<Option<Vec<u8>>, FileError> {
        let place = self.done[task];
        if place == 0 {
            return Ok(None);
        }
        let (mut bytes, length) = (Vec::new(), self.memory.len() as u64);
        let read = match &mut self.disk {
            None => {
                let frame = &mut &self.memory[place as usize..];
                read_frame(frame, length - place, 0, &mut bytes)
            }
            Some(disk) => disk
                .file
                .seek(SeekFrom::Start(place))
                .and_then(|_| read_frame(&mut disk.file, disk.end - place, disk.sum, &mut bytes)),
        };
        let path = self.disk.as_ref().map_or(Path::new("memory"), |disk| &disk.path);
        match read.map_err(FileError::io("read", path))? {
            Frame::Task(found) if found == task as u32 => Ok(Some(bytes)),
            _ => {
                let message = "a result was changed while the work went on".to_string();
                Err(FileError::Damaged { path: path.to_path_buf(), at: place, message })
            }
        }
    }
}

impl Disk {
    fn append(&mut self, task: u32, sum: u32, bytes: &[u8]) -> Result<(), FileError> {
        let mut frame = front(task, sum, bytes).to_vec();
        frame.extend(bytes);
        self.file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| write_whole(&mut self.file, &frame))
            .map_err(FileError::io("write", &self.path))?;
        self.end += frame.len() as u64;
        if self.synced.elapsed() >= SAVE_EVERY {
            self.file.sync_data().map_err(FileError::io("flush", &self.path))?;
            self.synced = Instant::now();
        }
        Ok(())
    }
}

impl Drop for TaskJournal {
    fn drop(&mut self) {
        // Work that was stopped before its first result leaves nothing to go on with.
        if let Some(disk) = self.disk.take().filter(|_| self.count() == 0 && !self.done.is_empty())
        {
            let _ = std::fs::remove_file(&disk.path);
        }
    }
}

fn front(task: u32, sum: u32, bytes: &[u8]) -> [u8; FRONT] {
    let mut hasher = crc32fast::Hasher::new_with_initial(sum);
    hasher.update(&task.to_le_bytes());
    hasher.update(bytes);
    let mut front = [0; FRONT];
    front[..4].copy_from_slice(&task.to_le_bytes());
    front[4..8].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    front[8..12].copy_from_slice(&hasher.finalize().to_le_bytes());
    let own = crc32fast::hash(&front[..12]);
    front[12..].copy_from_slice(&own.to_le_bytes());
    front
}

enum Frame {
    Task(u32),
    /// Nothing follows, or a frame that a crash has torn.
    End,
    /// Something else than was written.
    Changed,
}

/// Reads a frame of a file that has so many bytes left.
fn read_frame(
    reader: &mut impl Read,
    left: u64,
    sum: u32,
    bytes: &mut Vec<u8>,
) -> io::Result<Frame> {
    let mut found = [0; FRONT];
    if left < FRONT as u64 {
        return Ok(Frame::End);
    }
    reader.read_exact(&mut found)?;
    let number = |i: usize| u32::from_le_bytes(found[i..i + 4].try_into().expect("four bytes"));
    let (task, length) = (number(0), number(4) as usize);
    if crc32fast::hash(&found[..12]) != number(12) || length > LARGEST {
        // A machine that lost its power may have left room without what was to be there.
        return Ok(if is_zero(&found, reader)? { Frame::End } else { Frame::Changed });
    }
    if (FRONT + length) as u64 > left {
        return Ok(Frame::End);
    }
    bytes.resize(length, 0);
    reader.read_exact(bytes)?;
    Ok(match front(task, sum, bytes) == found {
        true => Frame::Task(task),
        false if (FRONT + length) as u64 == left && bytes.last() == Some(&0) => Frame::End,
        false => Frame::Changed,
    })
}

fn is_zero(begin: &[u8], rest: &mut impl Read) -> io::Result<bool> {
    let mut piece = begin.to_vec();
    while !piece.is_empty() {
        if piece.iter().any(|&b| b != 0) {
            return Ok(false);
        }
        piece.clear();
        rest.take(1 << 16).read_to_end(&mut piece)?;
    }
    Ok(true)
}

/// Does all tasks that the journal does not have yet, each by the worker of some thread; `units` says
/// how much each of them counts as progress. A worker answers `None` only when asked to stop. Ends
/// early, without an error, when the flag is set.
pub fn do_all<W>(
    journal: &mut TaskJournal,
    threads: usize,
    units: &(dyn Fn(usize) -> u64 + Sync),
    new_worker: &(dyn Fn() -> W + Sync),
    work: &(dyn Fn(&mut W, usize) -> Option<Vec<u8>> + Sync),
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<(), FileError> {
    let count = journal.done.len();
    let open = count - journal.count();
    progress.advance((0..count).filter(|&t| journal.is_done(t)).map(units).sum());
    let next = AtomicUsize::new(0);
    let desk = Mutex::new((journal, None));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1).min(open) {
            scope.spawn(|| {
                let mut worker = new_worker();
                loop {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if stop.is_set() || task >= count {
                        return;
                    }
                    if desk.lock().expect("no thread panicked").0.is_done(task) {
                        continue;
                    }
                    let Some(bytes) = work(&mut worker, task) else { return };
                    let mut desk = desk.lock().expect("no thread panicked");
                    if desk.1.is_none() {
                        desk.1 = desk.0.append(task, &bytes).err();
                    }
                    if desk.1.is_some() {
                        return;
                    }
                    progress.advance(units(task));
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
    use crate::progress::Counter;

    fn work(journal: &mut TaskJournal, most: usize) -> usize {
        let (stop, begun) = (StopFlag::new(), AtomicUsize::new(0));
        let square = |(): &mut (), task: usize| {
            if begun.fetch_add(1, Ordering::Relaxed) >= most {
                stop.set();
                return None;
            }
            Some(vec![7; task * task])
        };
        let counter = Counter::default();
        do_all(journal, 3, &|_| 2, &|| (), &square, &counter, &stop).unwrap();
        assert_eq!(counter.done(), 2 * journal.count() as u64);
        journal.count()
    }

    fn refused(path: &Path, plan: &str, tasks: usize) -> String {
        TaskJournal::open(path, plan, tasks).err().expect("an error").to_string()
    }

    #[test]
    fn stopped_work_goes_on_from_its_journal_and_only_with_the_same_plan() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("squares.part");
        let mut journal = TaskJournal::open(&path, "squares", 50).unwrap();
        assert_eq!(work(&mut journal, 20), 20);
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        // A torn frame, as a crash leaves it, costs one task only.
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        let other = refused(&path, "cubes", 50);
        assert!(other.contains("'squares', not 'cubes'"), "{other}");
        let mut journal = TaskJournal::open(&path, "squares", 50).unwrap();
        assert_eq!(journal.count(), 19);
        assert_eq!(work(&mut journal, 100), 50);
        for task in 0..50 {
            assert_eq!(journal.read(task).unwrap(), Some(vec![7; task * task]));
        }
        drop(journal);
        assert!(refused(&path, "squares", 5).contains("there is no task"));
        let mut journal = TaskJournal::in_memory(50);
        assert_eq!(work(&mut journal, 100), 50);
        assert_eq!(journal.read(7).unwrap(), Some(vec![7; 49]));
    }

    #[test]
    fn work_that_came_to_nothing_leaves_no_journal_and_other_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        drop(TaskJournal::open(&path, "p", 3).unwrap());
        assert!(!path.exists());
        std::fs::write(&path, "some text that somebody wrote").unwrap();
        assert!(refused(&path, "p", 3).contains("no journal of tasks"));
        assert!(path.exists());
    }

    #[test]
    fn a_changed_byte_anywhere_is_refused_and_a_torn_tail_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let mut journal = TaskJournal::open(&path, "p", 3).unwrap();
        for task in 0..3 {
            journal.append(task, &[task as u8 + 1; 10]).unwrap();
        }
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            let told = refused(&path, "p", 3);
            assert!(told.contains("byte ") || told.contains("another command"), "{at}: {told}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "left as it is");
        }
        for length in FRONT + 1..whole.len() {
            let count = (length - FRONT - 1) / (FRONT + 10);
            // As a killed process leaves it, and as a machine without power may.
            for room in [0, 40] {
                let mut bytes = whole[..length].to_vec();
                let is_whole = (length - FRONT - 1).is_multiple_of(FRONT + 10);
                bytes.resize(length + if is_whole { room } else { 0 }, 0);
                std::fs::write(&path, &bytes).unwrap();
                let journal = TaskJournal::open(&path, "p", 3).unwrap();
                assert_eq!(journal.count(), count, "{length} {room}");
            }
        }
    }
}

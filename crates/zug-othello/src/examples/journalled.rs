//! How is long work dealt out to threads, so that a killed process loses seconds of it, and the
//! result does not depend on how it was dealt?
//!
//! Work is a number of tasks, each with a short text as its result. What is done is added to a
//! journal about once a second (work that takes less leaves none, since waiting for the disk would
//! take longer than the work); tasks that stand there already are not done again. The first line of
//! the journal says what the work is, so that nobody goes on with another.

use super::ExampleError;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use zug_core::files::{FileError, Journal, read_journal};
use zug_core::{Progress, StopFlag};

/// What is done is written down so often.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// The number of a task with its result.
type Entry = (usize, String);

/// The number that the line about the work itself has.
const PLAN: usize = u32::MAX as usize;

/// The work.
pub struct Tasks<'a> {
    /// How many there are.
    pub count: usize,
    /// What the work is, for the first line of the journal.
    pub plan: &'a str,
    /// Where to keep what is done; nowhere otherwise.
    pub journal: Option<&'a Path>,
    /// Threads.
    pub threads: usize,
    /// Hears of each task: the units that it has.
    pub units: &'a (dyn Fn(usize) -> u64 + Sync),
}

/// What the threads share.
struct Desk<'a> {
    results: Vec<Option<String>>,
    journal: Option<Journal>,
    /// Done, not yet written down.
    unsaved: Vec<Entry>,
    saved: Instant,
    error: Option<ExampleError>,
    tasks: &'a Tasks<'a>,
    progress: &'a dyn Progress,
}

impl<'a> Desk<'a> {
    fn open(tasks: &'a Tasks<'a>, progress: &'a dyn Progress) -> Result<Desk<'a>, ExampleError> {
        let mut desk = Desk {
            results: vec![None; tasks.count],
            journal: None,
            unsaved: Vec::new(),
            saved: Instant::now(),
            error: None,
            tasks,
            progress,
        };
        let Some(path) = tasks.journal.filter(|path| path.exists()) else { return Ok(desk) };
        // Opened first: that cuts off a torn line.
        let mut journal = Journal::open(path)?;
        let mut entries = read_journal::<Vec<Entry>>(path)?.entries.into_iter().flatten();
        let wrong = |what: &str| ExampleError::Other(format!("{}: {what}", path.display()));
        match entries.next() {
            None => journal.append(&[(PLAN, tasks.plan)])?,
            Some((PLAN, plan)) if plan == tasks.plan => {}
            Some((PLAN, plan)) => {
                let plan: String = plan.chars().take(300).collect();
                let now = tasks.plan;
                return Err(wrong(&format!(
                    "this is the work of another command: '{plan}', not '{now}'"
                )));
            }
            Some(_) => return Err(wrong("it does not say what it is a journal of")),
        }
        for (task, result) in entries {
            let place = desk.results.get_mut(task);
            *place.ok_or_else(|| wrong(&format!("there is no task {task}")))? = Some(result);
            progress.advance((tasks.units)(task));
        }
        desk.journal = Some(journal);
        Ok(desk)
    }

    fn take_in(&mut self, task: usize, result: String) {
        self.progress.advance((self.tasks.units)(task));
        if self.tasks.journal.is_some() {
            self.unsaved.push((task, result.clone()));
        }
        self.results[task] = Some(result);
        if self.saved.elapsed() >= SAVE_EVERY {
            self.save();
        }
    }

    fn save(&mut self) {
        self.saved = Instant::now();
        if let Some(path) = self.tasks.journal.filter(|_| !self.unsaved.is_empty()) {
            match self.append(path) {
                Ok(()) => self.unsaved.clear(),
                Err(error) => self.error = Some(error.into()),
            }
        }
    }

    fn append(&mut self, path: &Path) -> Result<(), FileError> {
        let journal = match &mut self.journal {
            Some(journal) => journal,
            none => {
                let mut journal = Journal::open(path)?;
                journal.append(&[(PLAN, self.tasks.plan)])?;
                none.insert(journal)
            }
        };
        journal.append(&self.unsaved)
    }
}

/// Does all tasks, each by the worker of some thread; the results are in the order of the tasks. A
/// worker answers `None` only when asked to stop.
pub fn do_all<W>(
    tasks: &Tasks<'_>,
    new_worker: &(dyn Fn() -> W + Sync),
    work: &(dyn Fn(&mut W, usize) -> Option<String> + Sync),
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<String>, ExampleError> {
    let desk = Desk::open(tasks, progress)?;
    let open: Vec<usize> = (0..tasks.count).filter(|&t| desk.results[t].is_none()).collect();
    let (next, desk) = (AtomicUsize::new(0), Mutex::new(desk));
    std::thread::scope(|scope| {
        for _ in 0..tasks.threads.max(1).min(open.len()) {
            scope.spawn(|| {
                let mut worker = new_worker();
                while let Some(&task) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if stop.is_set() {
                        return;
                    }
                    let Some(result) = work(&mut worker, task) else { return };
                    let mut desk = desk.lock().expect("no thread panicked");
                    desk.take_in(task, result);
                    if desk.error.is_some() {
                        return;
                    }
                }
            });
        }
    });
    let mut desk = desk.into_inner().expect("no thread panicked");
    // Quick work that is done needs no journal any more.
    if desk.journal.is_some() || desk.results.iter().any(Option::is_none) {
        desk.save();
    }
    if let Some(error) = desk.error {
        return Err(error);
    }
    desk.results.into_iter().collect::<Option<Vec<String>>>().ok_or(ExampleError::Stopped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Silent;

    fn squares(journal: &Path, plan: &str, most: usize) -> Result<Vec<String>, ExampleError> {
        let (stop, done) = (StopFlag::new(), AtomicUsize::new(0));
        let work = |_: &mut (), task: usize| {
            if done.fetch_add(1, Ordering::Relaxed) == most {
                stop.set();
                return None;
            }
            Some((task * task).to_string())
        };
        let journal = Some(journal);
        let tasks = Tasks { count: 100, plan, journal, threads: 3, units: &|_| 1 };
        do_all(&tasks, &|| (), &work, &Silent, &stop)
    }

    #[test]
    fn stopped_work_goes_on_from_its_journal_and_only_with_the_same_plan() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("squares.jsonl");
        assert!(matches!(squares(&journal, "squares", 40), Err(ExampleError::Stopped)));
        let kept = read_journal::<Vec<Entry>>(&journal).unwrap().entries.concat().len();
        assert!((39..=43).contains(&kept), "{kept}: the plan and about forty results");
        // A torn line, as a crash leaves it.
        let text = std::fs::read_to_string(&journal).unwrap();
        std::fs::write(&journal, format!("{text}[[7,\"00")).unwrap();
        let other = squares(&journal, "cubes", 100).unwrap_err().to_string();
        assert!(other.contains("'squares', not 'cubes'"), "{other}");
        let wanted: Vec<String> = (0..100).map(|i| (i * i).to_string()).collect();
        assert_eq!(squares(&journal, "squares", 62).unwrap(), wanted, "the rest is done");
        assert_eq!(squares(&journal, "squares", 0).unwrap(), wanted, "nothing is left to do");
        let quick = folder.path().join("quick.jsonl");
        assert_eq!(squares(&quick, "squares", 100).unwrap(), wanted);
        assert!(!quick.exists(), "what takes less than a second is not written down");
        std::fs::write(&journal, "[[3,\"9\"]]\n").unwrap();
        assert!(squares(&journal, "squares", 0).is_err());
        let beyond = format!("[[{PLAN},\"squares\"]]\n[[100,\"9\"]]\n");
        std::fs::write(&journal, beyond).unwrap();
        assert!(squares(&journal, "squares", 0).unwrap_err().to_string().contains("task 100"));
    }
}

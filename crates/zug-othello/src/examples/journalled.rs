//! Long work of this crate as numbered tasks with short texts as results: see [`zug_core::tasks`].

use super::ExampleError;
use std::path::Path;
use zug_core::tasks::{TaskJournal, do_all as work_through};
use zug_core::{Progress, StopFlag};

/// The work.
pub struct Tasks<'a> {
    /// How many there are.
    pub count: usize,
    /// What the work is, so that nobody goes on with another.
    pub plan: &'a str,
    /// Where to keep what is done; nowhere otherwise.
    pub journal: Option<&'a Path>,
    /// Threads.
    pub threads: usize,
    /// How much a task counts as progress.
    pub units: &'a (dyn Fn(usize) -> u64 + Sync),
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
    let mut journal = match tasks.journal {
        Some(path) => TaskJournal::open(path, tasks.plan, tasks.count)?,
        None => TaskJournal::in_memory(tasks.count),
    };
    let bytes = |worker: &mut W, task| work(worker, task).map(String::into_bytes);
    work_through(&mut journal, tasks.threads, tasks.units, new_worker, &bytes, progress, stop)?;
    let text = |task| {
        let bytes = journal.read(task)?.ok_or(ExampleError::Stopped)?;
        String::from_utf8(bytes)
            .map_err(|_| ExampleError::Other(format!("the result of task {task} is no text")))
    };
    (0..tasks.count).map(text).collect()
}

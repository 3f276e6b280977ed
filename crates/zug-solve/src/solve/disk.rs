//! A stage that does not fit into memory: cells and messages lie in files.
//!
//! The same message passing as in memory, arranged so that files are only read and written from
//! front to back. Every region has a file with its cells and, for each level, a file with its
//! mail. A level is one pass over the regions that have mail:
//!
//! ```text
//! for each region: read cells ─▶ apply mail(n) ─▶ write cells
//!                                └─ new values tell their predecessors ─▶ mail(n+1), by region
//! ```
//!
//! What lower stages have to say waits in files, too ([`Levels`]). Memory holds one region and some
//! boxes of mail for each thread.

use super::levels::Levels;
use super::region::{Kept, Level, Message, Region};
use super::seeds::{Ahead, Ends, Fact, Seeds};
use super::sources::{level, share};
use super::table::{Table, Words};
use super::words::{Scheme, Word, counter};
use super::{Figures, Metric, Settings, SolveError, Solved};
use crate::cells::Cells;
use crate::value::MOST_PLIES;
use std::fs::File;
use std::io::{Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;
use zug_core::usage::process_seconds;
use zug_core::{Progress, StopFlag};

/// Messages that are gathered before they go to a file, at least and at most.
const BOX: std::ops::RangeInclusive<usize> = 1 << 8..=1 << 14;
/// Bytes of mail that are read at a time, at least and at most.
const READ: std::ops::RangeInclusive<usize> = 1 << 12..=1 << 22;
/// Regions that are wanted: each has a box.
const REGIONS: u64 = 200;
/// Bytes of memory below which another thread is not worth it.
const THREAD: u64 = 2 << 20;
/// Cells that are written at a time, and facts that are gathered.
const PIECE: usize = 1 << 16;
const FACTS: usize = 1 << 12;

/// Where to work, and with how much memory.
#[derive(Clone, Debug)]
pub struct DiskPlan {
    /// A folder that does not exist yet; it is removed in the end.
    pub folder: PathBuf,
    /// Bytes of memory to use. Fewer threads are used where more would need more.
    pub memory: u64,
}

/// The folder of the files, removed with everything in it when nobody needs it any more.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    pub(super) fn create(folder: &Path) -> Result<Scratch, SolveError> {
        std::fs::create_dir_all(folder).map_err(|e| trouble(folder, &e))?;
        Ok(Scratch { folder: folder.to_path_buf() })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn cells(&self, region: usize) -> PathBuf {
        self.folder.join(format!("cells-{region}"))
    }

    /// The mail that is being read, and that which is being written for the next level.
    fn mail(&self, region: usize) -> PathBuf {
        self.folder.join(format!("mail-{region}"))
    }

    fn new_mail(&self, region: usize) -> PathBuf {
        self.folder.join(format!("new-{region}"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing can be done about a folder that will not go, and it does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub(crate) fn trouble(path: &Path, error: &std::io::Error) -> SolveError {
    SolveError::File { file: path.display().to_string(), what: error.to_string() }
}

struct Worker<C: Cells> {
    scratch: C::Scratch,
    before: Vec<u64>,
    boxes: Vec<Vec<Message>>,
}

struct Disk<'a, C: Cells> {
    game: &'a C,
    stage: Range<u64>,
    bits: u32,
    /// Messages in a box, and bytes that are read at a time.
    box_length: usize,
    read_length: usize,
    scratch: Scratch,
    /// What must be remembered of each region besides its cells.
    kept: Vec<Mutex<Kept>>,
    /// Messages for the next level in the file of each region.
    inboxes: Vec<Mutex<u64>>,
    workers: Vec<Mutex<Worker<C>>>,
    /// What the cells of lower stages say, and what is known of moves to them.
    told: Levels,
    facts: Mutex<Levels>,
    ends: Ends,
    scheme: Scheme,
    messages: AtomicU64,
    figures: Figures,
}

/// Solves the cells of one stage with the cells in files; see
/// [`solve_stage`](super::solve_stage).
pub fn solve_stage_on_disk<C: Cells>(
    game: &C,
    stage: Range<u64>,
    sources: &[&Table],
    settings: &Settings,
    plan: &DiskPlan,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Solved, SolveError> {
    let (begun, cpu) = (Instant::now(), process_seconds());
    let (told, ahead) = share(game, &stage, sources, settings.metric);
    let most = usize::try_from(plan.memory / THREAD).unwrap_or(usize::MAX);
    let threads = settings.threads.min(most).max(1);
    let size = stage.end - stage.start;
    let bits = settings.region_bits.unwrap_or_else(|| region_bits(size, threads, plan.memory));
    let count = size.div_ceil(1 << bits) as usize;
    // An eighth of the memory is for boxes, an eighth for mail that is read, an eighth for what
    // comes from lower stages.
    let share = usize::try_from(plan.memory / 8).unwrap_or(usize::MAX) / threads;
    let fitting = share / size_of::<Message>() / count.max(1);
    let scratch = Scratch::create(&plan.folder)?;
    let mut disk = Disk {
        game,
        stage,
        bits,
        box_length: fitting.clamp(*BOX.start(), *BOX.end()),
        read_length: share.clamp(*READ.start(), *READ.end()),
        told: Levels::new(&scratch, "told", plan.memory / 16),
        facts: Mutex::new(Levels::new(&scratch, "facts", plan.memory / 16)),
        ends: Ends::default(),
        scratch,
        kept: (0..count).map(|_| Mutex::default()).collect(),
        inboxes: (0..count).map(|_| Mutex::default()).collect(),
        workers: (0..threads)
            .map(|_| {
                let boxes = vec![Vec::new(); count];
                Mutex::new(Worker { scratch: game.scratch(), before: Vec::new(), boxes })
            })
            .collect(),
        scheme: Scheme::LossEven,
        messages: AtomicU64::new(0),
        figures: Figures { cells: size, width: 1, ..Figures::default() },
    };
    for table in told {
        disk.hear(table, settings.metric, stop)?;
    }
    disk.told.flush()?;
    disk.survey::<u8>(&ahead, progress, stop)?;
    let (done, level) = disk.run::<u8>(0, progress, stop)?;
    let level = if done {
        level
    } else {
        disk.widen::<u8, u16>(level, stop)?;
        disk.figures.width = 2;
        let (done, level) = disk.run::<u16>(level, progress, stop)?;
        if !done {
            return Err(SolveError::TooLong(MOST_PLIES));
        }
        level
    };
    let Disk { stage, scratch, scheme, messages, mut figures, .. } = disk;
    let words = Words::gathered(&scratch, count, figures.width)?;
    let table = Table::new(stage, Table::UNDIVIDED, scheme, scheme.top(level), words);
    figures.messages = messages.into_inner();
    figures.seconds = begun.elapsed().as_secs_f64();
    figures.cpu_seconds = process_seconds() - cpu;
    Ok(Solved { table, figures })
}

/// The largest regions of which each thread can hold one in half of the memory.
fn region_bits(size: u64, threads: usize, memory: u64) -> u32 {
    let room = memory / 2 / threads as u64;
    // Two bytes a cell at worst, and two bits of frontier.
    let fitting = (room * 4 / 9).max(1 << 12).ilog2();
    let wanted = size.div_ceil(REGIONS).max(1 << 12).next_power_of_two().ilog2();
    // Small regions share out better, but too many boxes cost more than they give.
    fitting.min(28).min(wanted.max(fitting.min(22)))
}

impl<C: Cells> Disk<'_, C> {
    /// Notes what the cells of a lower stage will say on which level.
    fn hear(&mut self, table: &Table, metric: Metric, stop: &StopFlag) -> Result<(), SolveError> {
        for slot in table.range() {
            if slot.is_multiple_of(PIECE as u64) && stop.is_set() {
                return Err(SolveError::Stopped);
            }
            if let Some((plies, won)) = level(table.code(slot).value(), metric) {
                self.ends.note(won, plies);
                self.told.push(plies, slot << 1 | u64::from(won))?;
            }
        }
        table.forget();
        // What could not be read was no value.
        table.check()
    }

    fn first(&self, region: usize) -> u64 {
        self.stage.start + ((region as u64) << self.bits)
    }

    fn survey<W: Word>(
        &mut self,
        ahead: &Ahead<'_>,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<(), SolveError> {
        progress.message("looking at all positions");
        progress.set_length(Some(self.figures.cells));
        let seen = Mutex::new(super::region::Seen::default());
        let ends = Mutex::new(Ends::default());
        self.each_region(stop, |disk, r, worker| {
            let first = disk.first(r);
            let cells = (disk.stage.end - first).min(1 << disk.bits) as usize;
            let mut region: Region<W> = Region::new(first, cells);
            let found = region.survey(disk.game, &mut worker.scratch);
            seen.lock().expect("no thread panics").add(found);
            let mut gathered: Vec<(usize, Fact)> = Vec::new();
            let mut failure = Ok(());
            let mut note = |level, fact| {
                gathered.push((level, fact));
                if gathered.len() >= FACTS && failure.is_ok() {
                    failure = disk.note(&mut gathered, &ends);
                }
            };
            region.look_ahead(ahead, disk.game, &mut worker.scratch, &mut note);
            failure?;
            disk.note(&mut gathered, &ends)?;
            disk.save(r, &region)?;
            // Distance 0 is written alike in every scheme.
            disk.speak(&region, &region.current, Scheme::Both, worker)?;
            progress.advance(cells as u64);
            Ok(())
        })?;
        let seen = seen.into_inner().expect("no thread panics");
        self.figures.illegal = seen.illegal;
        self.figures.duplicates = seen.duplicates;
        // Tables that were asked ahead and could not be read would be found out too late.
        ahead.tables.iter().try_for_each(|table| table.check())?;
        self.facts.get_mut().expect("no thread panics").flush()?;
        self.ends.add(ends.into_inner().expect("no thread panics"));
        self.scheme = seen.scheme(self.ends);
        Ok(())
    }

    /// Puts facts where they wait for their level.
    fn note(
        &self,
        gathered: &mut Vec<(usize, Fact)>,
        ends: &Mutex<Ends>,
    ) -> Result<(), SolveError> {
        let mut ends = ends.lock().expect("no thread panics");
        let mut facts = self.facts.lock().expect("no thread panics");
        gathered.drain(..).try_for_each(|(level, fact)| {
            ends.note(Seeds::read(fact).2, level);
            facts.push(level, fact)
        })
    }

    /// One pass a level; false when cells must become wider first. Gives back the level.
    fn run<W: Word>(
        &mut self,
        from: u32,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<(bool, u32), SolveError> {
        let told = self.facts.get_mut().expect("no thread panics").levels();
        let told = told.max(self.told.levels());
        let mut level = from;
        loop {
            let most = self.kept.iter_mut().map(|k| k.get_mut().expect("no thread panics").most);
            let top = self.scheme.top(level + 1);
            let full = top >= counter::<W>(most.max().unwrap_or(0).max(1));
            if full || level >= u32::from(MOST_PLIES) {
                return Ok((false, level));
            }
            self.sources_speak(level, stop)?;
            let mail = self.close_inboxes()?;
            if mail.iter().all(|&m| m == 0) && level >= told {
                return Ok((true, level));
            }
            progress.message(&format!("distance {level}"));
            let found = AtomicU64::new(0);
            self.each_region(stop, |disk, r, worker| {
                if mail[r] > 0 {
                    found.fetch_add(disk.pass::<W>(r, level, worker)?, Ordering::Relaxed);
                }
                Ok(())
            })?;
            level += 1;
            if found.into_inner() > 0 {
                self.figures.longest = level as u16;
            }
        }
    }

    /// Gives a region its mail of a level and lets its new values speak; how many are there?
    fn pass<W: Word>(
        &self,
        r: usize,
        level: u32,
        worker: &mut Worker<C>,
    ) -> Result<u64, SolveError> {
        let mut region: Region<W> = self.load(r)?;
        let path = self.scratch.mail(r);
        let mut file = File::open(&path).map_err(|e| trouble(&path, &e))?;
        let mut bytes = vec![0; self.read_length / 8 * 4];
        let mut messages: Vec<Message> = Vec::new();
        loop {
            let mut filled = 0;
            while filled < bytes.len() {
                match file.read(&mut bytes[filled..]).map_err(|e| trouble(&path, &e))? {
                    0 => break,
                    n => filled += n,
                }
            }
            if filled == 0 {
                break;
            }
            messages.clear();
            let (words, _) = bytes[..filled].as_chunks::<4>();
            messages.extend(words.iter().map(|w| Message::from_le_bytes(*w)));
            let level = Level { scheme: self.scheme, plies: level };
            region
                .apply(&messages, level, self.game, &mut worker.scratch)
                .map_err(SolveError::miscounted)?;
        }
        drop(file);
        std::fs::remove_file(&path).map_err(|e| trouble(&path, &e))?;
        self.save(r, &region)?;
        self.speak(&region, &region.next, self.scheme, worker)?;
        Ok(region.next.count)
    }

    /// The marked cells of a region tell their predecessors.
    fn speak<W: Word>(
        &self,
        region: &Region<W>,
        marked: &super::region::Marked,
        scheme: Scheme,
        worker: &mut Worker<C>,
    ) -> Result<(), SolveError> {
        for offset in marked.iter() {
            let (won, _) = scheme.read(region.cells[offset].unpack());
            let Worker { scratch, before, .. } = &mut *worker;
            before.clear();
            self.game.predecessors(region.first + offset as u64, &self.stage, scratch, before);
            self.post(won, worker)?;
        }
        Ok(())
    }

    /// What comes from lower stages on this level.
    fn sources_speak(&self, level: u32, stop: &StopFlag) -> Result<(), SolveError> {
        let mut worker = self.workers[0].lock().expect("no thread panics");
        let heed = || if stop.is_set() { Err(SolveError::Stopped) } else { Ok(()) };
        self.told.take(level, |numbers| {
            heed()?;
            for &number in numbers {
                let Worker { scratch, before, .. } = &mut *worker;
                before.clear();
                self.game.told(number >> 1, &self.stage, scratch, before);
                self.post(number & 1 == 1, &mut worker)?;
            }
            Ok(())
        })?;
        self.facts.lock().expect("no thread panics").take(level, |facts| {
            heed()?;
            for &fact in facts {
                let (cell, messages, won) = Seeds::read(fact);
                worker.before.clear();
                worker.before.resize(messages, self.stage.start + cell);
                self.post(won, &mut worker)?;
            }
            Ok(())
        })?;
        drop(worker);
        // What was gathered for this level must not get into the mail of the next.
        self.flush_all()
    }

    /// Drops a message for each cell that was gathered.
    fn post(&self, won: bool, worker: &mut Worker<C>) -> Result<(), SolveError> {
        let Worker { before, boxes, .. } = worker;
        let mask = (1u64 << self.bits) - 1;
        for &cell in before.iter() {
            let cell = cell - self.stage.start;
            let r = (cell >> self.bits) as usize;
            if boxes[r].capacity() == 0 {
                boxes[r].reserve_exact(self.box_length);
            }
            boxes[r].push(((cell & mask) as u32) << 1 | u32::from(won));
            if boxes[r].len() >= self.box_length {
                self.flush(r, &mut boxes[r])?;
            }
        }
        Ok(())
    }

    /// Appends a box to the mail of its region. Mail that is being written is always that of the
    /// level after the one being read.
    fn flush(&self, r: usize, messages: &mut Vec<Message>) -> Result<(), SolveError> {
        if messages.is_empty() {
            return Ok(());
        }
        let mut inbox = self.inboxes[r].lock().expect("no thread panics");
        let path = self.scratch.new_mail(r);
        let bytes: Vec<u8> = messages.iter().flat_map(|m| m.to_le_bytes()).collect();
        // Opened anew each time: there may be more regions than files that can be open.
        let file = File::options().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(&bytes)).map_err(|e| trouble(&path, &e))?;
        *inbox += messages.len() as u64;
        self.messages.fetch_add(messages.len() as u64, Ordering::Relaxed);
        messages.clear();
        Ok(())
    }

    fn flush_all(&self) -> Result<(), SolveError> {
        for worker in &self.workers {
            let mut worker = worker.lock().expect("no thread panics");
            for (r, messages) in worker.boxes.iter_mut().enumerate() {
                self.flush(r, messages)?;
            }
        }
        Ok(())
    }

    /// New mail becomes the mail of the level at hand; how much has each region?
    fn close_inboxes(&mut self) -> Result<Vec<u64>, SolveError> {
        let (mut mail, mut on_disk) = (Vec::new(), 0);
        for r in 0..self.inboxes.len() {
            let messages = std::mem::take(self.inboxes[r].get_mut().expect("no thread panics"));
            if messages > 0 {
                let (from, to) = (self.scratch.new_mail(r), self.scratch.mail(r));
                std::fs::rename(&from, &to).map_err(|e| trouble(&to, &e))?;
            }
            on_disk += messages * size_of::<Message>() as u64;
            mail.push(messages);
        }
        let width = u64::from(self.figures.width);
        self.figures.disk_bytes = self.figures.disk_bytes.max(on_disk + self.figures.cells * width);
        let region = (1u64 << self.bits).min(self.figures.cells);
        let boxes = (self.inboxes.len() * self.box_length * size_of::<Message>()) as u64;
        let each = region * width + region / 4 + boxes + self.read_length as u64;
        self.figures.peak_bytes = each * self.workers.len() as u64;
        Ok(mail)
    }

    fn save<W: Word>(&self, r: usize, region: &Region<W>) -> Result<(), SolveError> {
        let path = self.scratch.cells(r);
        let mut file = File::create(&path).map_err(|e| trouble(&path, &e))?;
        let mut bytes = Vec::new();
        for piece in region.cells.chunks(PIECE) {
            bytes.clear();
            W::write(piece, &mut bytes);
            file.write_all(&bytes).map_err(|e| trouble(&path, &e))?;
        }
        *self.kept[r].lock().expect("no thread panics") = region.kept();
        Ok(())
    }

    fn load<W: Word>(&self, r: usize) -> Result<Region<W>, SolveError> {
        let path = self.scratch.cells(r);
        let first = self.first(r);
        let cells = (self.stage.end - first).min(1 << self.bits) as usize;
        let (mut read, mut words) = (0, Vec::with_capacity(cells));
        let mut file = File::open(&path).map_err(|e| trouble(&path, &e))?;
        let mut bytes = vec![0; PIECE.min(cells) * usize::from(W::BYTES)];
        while read < cells {
            let piece = &mut bytes[..(cells - read).min(PIECE) * usize::from(W::BYTES)];
            file.read_exact(piece).map_err(|e| trouble(&path, &e))?;
            W::read(piece, &mut words);
            read = words.len();
        }
        let kept = std::mem::take(&mut *self.kept[r].lock().expect("no thread panics"));
        Ok(Region::restore(first, words, kept))
    }

    fn widen<A: Word, B: Word>(&mut self, level: u32, stop: &StopFlag) -> Result<(), SolveError> {
        let top = self.scheme.top(level);
        self.each_region(stop, |disk, r, _| {
            let region: Region<A> = disk.load(r)?;
            disk.save(r, &region.widen::<B>(top))
        })
    }

    fn each_region(
        &self,
        stop: &StopFlag,
        work: impl Fn(&Self, usize, &mut Worker<C>) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let next = AtomicUsize::new(0);
        let run = |worker: &Mutex<Worker<C>>| {
            let mut worker = worker.lock().expect("each thread has its own worker");
            loop {
                if stop.is_set() {
                    return Err(SolveError::Stopped);
                }
                let r = next.fetch_add(1, Ordering::Relaxed);
                if r >= self.kept.len() {
                    return Ok(());
                }
                work(self, r, &mut worker)?;
            }
        };
        super::engine::on_all(&self.workers, &run)?;
        self.flush_all()
    }
}

//! The levels of a stage: who speaks, who hears, on how many threads.

use super::region::{Level, MOST_BITS, Message, Region, Seen};
use super::seeds::{Ahead, Seeds};
use super::sources::{Source, share};
use super::table::{Table, Words};
use super::words::{Scheme, Word, counter};
use super::{Figures, Settings, SolveError, Solved};
use crate::cells::Cells;
use crate::value::MOST_PLIES;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};
use std::time::Instant;
use zug_core::usage::process_seconds;
use zug_core::{Progress, StopFlag};

/// Words of the frontier that a thread takes at a time.
const UNIT: usize = 128;
/// Cells of a source that a thread takes at a time.
const SOURCE_UNIT: usize = 1 << 11;
/// Below so many speaking cells a level is not worth a second thread.
const FEW: u64 = 2000;
/// Regions are as large as a processor's second cache, and there are enough of them to share out.
const REGION_BITS: std::ops::RangeInclusive<u32> = 12..=19;
const REGIONS: u64 = 64;

/// A thread with what it owns.
struct Worker<C: Cells> {
    scratch: C::Scratch,
    before: Vec<u64>,
    /// Messages for each region.
    boxes: Vec<Vec<Message>>,
    /// Messages in all boxes.
    held: usize,
}

/// Something to speak about: a piece of a region's frontier, or of a source's level.
#[derive(Clone)]
enum Unit {
    Frontier(usize, Range<usize>),
    Source(usize, Range<usize>),
    Seeds(Range<usize>),
}

/// A stage while it is being solved.
struct Engine<'a, C: Cells, W> {
    game: &'a C,
    stage: Range<u64>,
    bits: u32,
    /// Many threads may read the frontier of a region; one writes when its mail comes.
    regions: Vec<RwLock<Region<W>>>,
    workers: Vec<Mutex<Worker<C>>>,
    sources: Vec<Source>,
    seeds: Seeds,
    scheme: Scheme,
    level: u32,
    /// Messages that a worker may hold before they must be delivered.
    budget: usize,
    figures: Figures,
}

pub(super) fn solve<C: Cells>(
    game: &C,
    stage: Range<u64>,
    sources: &[&Table],
    settings: &Settings,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Solved, SolveError> {
    let (begun, cpu) = (Instant::now(), process_seconds());
    let (told, ahead) = share(game, &stage, sources, settings.metric);
    let sources: Vec<Source> = told
        .into_iter()
        .map(|table| Source::new(table, settings.metric))
        .collect::<Result<_, _>>()?;
    let mut engine: Engine<'_, C, u8> =
        Engine::survey(game, stage, sources, &ahead, settings, progress, stop)?;
    let mut solved = match engine.run(progress, stop)? {
        true => engine.finish(Words::Narrow),
        false => {
            let mut engine = engine.widen::<u16>();
            if !engine.run(progress, stop)? {
                return Err(SolveError::TooLong(MOST_PLIES));
            }
            engine.finish(Words::Wide)
        }
    };
    solved.figures.seconds = begun.elapsed().as_secs_f64();
    solved.figures.cpu_seconds = process_seconds() - cpu;
    Ok(solved)
}

impl<'a, C: Cells, W: Word> Engine<'a, C, W> {
    fn survey(
        game: &'a C,
        stage: Range<u64>,
        sources: Vec<Source>,
        ahead: &Ahead<'_>,
        settings: &Settings,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Engine<'a, C, W>, SolveError> {
        let size = stage.end - stage.start;
        let chosen = (size / REGIONS).max(1).next_power_of_two().ilog2();
        let bits = settings
            .region_bits
            .unwrap_or(chosen.clamp(*REGION_BITS.start(), *REGION_BITS.end()))
            .min(MOST_BITS);
        let count = size.div_ceil(1 << bits) as usize;
        let regions: Vec<RwLock<Region<W>>> = (0..count as u64)
            .map(|r| {
                let first = stage.start + (r << bits);
                let cells = (stage.end - first).min(1 << bits);
                RwLock::new(Region::new(first, cells as usize))
            })
            .collect();
        let workers = (0..settings.threads.max(1))
            .map(|_| {
                let boxes = vec![Vec::new(); count];
                Mutex::new(Worker { scratch: game.scratch(), before: Vec::new(), boxes, held: 0 })
            })
            .collect();
        let threads = settings.threads.max(1);
        let budget = match settings.mail {
            // Boxes grow by doubling.
            Some(bytes) => (bytes as usize / threads / 2 / size_of::<Message>()).max(1 << 12),
            None => (size as usize / 32 / threads).max(1 << 18),
        };
        let figures = Figures { cells: size, width: W::BYTES, ..Figures::default() };
        let mut engine = Engine {
            game,
            stage,
            bits,
            regions,
            workers,
            sources,
            seeds: Seeds::default(),
            scheme: Scheme::LossEven,
            level: 0,
            budget,
            figures,
        };
        progress.message("looking at all positions");
        progress.set_length(Some(size));
        let (seen, seeds) = (Mutex::new(Seen::default()), Mutex::new(Seeds::default()));
        engine.each_region(stop, |region, worker| {
            let found = region.survey(engine.game, &mut worker.scratch);
            seen.lock().expect("no thread panics").add(found);
            let mut facts = Seeds::default();
            let mut note = |level, fact| facts.push(level, fact);
            region.look_ahead(ahead, engine.game, &mut worker.scratch, &mut note);
            seeds.lock().expect("no thread panics").add(facts);
            progress.advance(region.cells.len() as u64);
            Ok(())
        })?;
        let seen = seen.into_inner().expect("no thread panics");
        engine.figures.illegal = seen.illegal;
        engine.figures.duplicates = seen.duplicates;
        engine.seeds = seeds.into_inner().expect("no thread panics");
        let mut told = engine.seeds.ends;
        engine.sources.iter().for_each(|source| told.add(source.ends));
        engine.scheme = seen.scheme(told);
        Ok(engine)
    }

    /// Goes through the levels until nobody has anything to say; false if cells must be wider
    /// first.
    fn run(&mut self, progress: &dyn Progress, stop: &StopFlag) -> Result<bool, SolveError> {
        loop {
            let (mut speaking, mut most) = (0, 0);
            for region in &mut self.regions {
                let region = region.get_mut().expect("no thread panics");
                speaking += region.current.count;
                most = most.max(region.most);
            }
            let told = self.sources.iter().map(Source::levels).max().unwrap_or(0);
            let told = told.max(self.seeds.levels());
            if speaking == 0 && self.level >= told {
                return Ok(true);
            }
            let top = self.scheme.top(self.level + 1);
            if top >= counter::<W>(most.max(1)) || self.level >= u32::from(MOST_PLIES) {
                return Ok(false);
            }
            if speaking > 0 {
                self.figures.longest = self.level as u16;
            }
            progress.message(&format!("distance {}", self.level));
            self.tell_level(speaking, stop)?;
            for region in &mut self.regions {
                region.get_mut().expect("no thread panics").turn();
            }
            self.level += 1;
        }
    }

    /// All cells at this distance tell their predecessors, in as many rounds as the messages
    /// need.
    fn tell_level(&mut self, speaking: u64, stop: &StopFlag) -> Result<(), SolveError> {
        let mut units = Vec::new();
        let mut spoken = speaking;
        for (r, region) in self.regions.iter_mut().enumerate() {
            let region = region.get_mut().expect("no thread panics");
            if region.current.count > 0 {
                let words = region.current.words.len();
                let pieces = (0..words).step_by(UNIT).map(|w| w..(w + UNIT).min(words));
                units.extend(pieces.map(|piece| Unit::Frontier(r, piece)));
            }
        }
        for (s, source) in self.sources.iter().enumerate() {
            let cells = source.at(self.level).len();
            spoken += cells as u64;
            let pieces = (0..cells).step_by(SOURCE_UNIT).map(|c| c..(c + SOURCE_UNIT).min(cells));
            units.extend(pieces.map(|piece| Unit::Source(s, piece)));
        }
        let facts = self.seeds.at(self.level).len();
        let pieces = (0..facts).step_by(SOURCE_UNIT).map(|c| c..(c + SOURCE_UNIT).min(facts));
        units.extend(pieces.map(Unit::Seeds));
        spoken += facts as u64;
        let threads = if spoken < FEW { 1 } else { self.workers.len() };
        let level = Level { scheme: self.scheme, plies: self.level };
        let next = AtomicUsize::new(0);
        while next.load(Ordering::Relaxed) < units.len() {
            self.on_threads(threads, |engine, worker| {
                while worker.held < engine.budget {
                    let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    if stop.is_set() {
                        return Err(SolveError::Stopped);
                    }
                    engine.speak(unit, worker);
                }
                Ok(())
            })?;
            self.note_peak();
            self.deliver(threads, level)?;
        }
        Ok(())
    }

    /// Drops the messages of a unit into their boxes.
    fn speak(&self, unit: &Unit, worker: &mut Worker<C>) {
        match unit {
            Unit::Frontier(r, words) => {
                let region = self.regions[*r].read().expect("no thread panics");
                for w in words.clone() {
                    let mut rest = region.current.words[w];
                    while rest != 0 {
                        let offset = w * 64 + rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        let (won, _) = self.scheme.read(region.cells[offset].unpack());
                        worker.before.clear();
                        self.game.predecessors(
                            region.first + offset as u64,
                            &self.stage,
                            &mut worker.scratch,
                            &mut worker.before,
                        );
                        self.post(won, worker);
                    }
                }
            }
            Unit::Source(s, entries) => {
                let source = &self.sources[*s];
                for &entry in &source.at(self.level)[entries.clone()] {
                    let (slot, won) = source.read(entry);
                    worker.before.clear();
                    self.game.told(slot, &self.stage, &mut worker.scratch, &mut worker.before);
                    self.post(won, worker);
                }
            }
            Unit::Seeds(facts) => {
                for &fact in &self.seeds.at(self.level)[facts.clone()] {
                    let (cell, messages, won) = Seeds::read(fact);
                    worker.before.clear();
                    worker.before.resize(messages, self.stage.start + cell);
                    self.post(won, worker);
                }
            }
        }
    }

    /// Drops a message for each cell that was gathered.
    #[inline]
    fn post(&self, won: bool, worker: &mut Worker<C>) {
        let Worker { before, boxes, held, .. } = worker;
        let mask = (1u64 << self.bits) - 1;
        for &cell in before.iter() {
            let cell = cell - self.stage.start;
            let message = ((cell & mask) as u32) << 1 | u32::from(won);
            boxes[(cell >> self.bits) as usize].push(message);
        }
        *held += before.len();
    }

    /// Every region empties its boxes.
    fn deliver(&mut self, threads: usize, level: Level) -> Result<(), SolveError> {
        let mut sent = 0;
        let mut mail: Vec<Vec<Vec<Message>>> = Vec::new();
        for worker in &mut self.workers {
            let worker = worker.get_mut().expect("no thread panics");
            sent += worker.held;
            worker.held = 0;
            mail.push(std::mem::take(&mut worker.boxes));
        }
        self.figures.messages += sent as u64;
        let next = AtomicUsize::new(0);
        self.on_threads(threads, |engine, worker| {
            loop {
                let r = next.fetch_add(1, Ordering::Relaxed);
                let Some(region) = engine.regions.get(r) else { return Ok(()) };
                let mut region = region.write().expect("no thread panics");
                for boxes in &mail {
                    region
                        .apply(&boxes[r], level, engine.game, &mut worker.scratch)
                        .map_err(SolveError::miscounted)?;
                }
            }
        })?;
        // Boxes are kept for the next round unless together they have become too large.
        for (worker, mut boxes) in self.workers.iter_mut().zip(mail) {
            let room: usize = boxes.iter().map(Vec::capacity).sum();
            for messages in &mut boxes {
                messages.clear();
                if room > 2 * self.budget {
                    messages.shrink_to(self.budget / self.regions.len());
                }
            }
            worker.get_mut().expect("no thread panics").boxes = boxes;
        }
        Ok(())
    }

    fn note_peak(&mut self) {
        let boxes: usize = self
            .workers
            .iter_mut()
            .flat_map(|w| &w.get_mut().expect("no thread panics").boxes)
            .map(|b| b.capacity() * size_of::<Message>())
            .sum();
        let frontier = self.figures.cells / 4;
        let cells = self.figures.cells * u64::from(W::BYTES);
        let sources: u64 = self.sources.iter().map(Source::bytes).sum();
        let sources = sources + self.seeds.bytes();
        let bytes = cells + frontier + boxes as u64 + sources;
        self.figures.peak_bytes = self.figures.peak_bytes.max(bytes);
    }

    /// Runs the same on several threads, each with its worker.
    fn on_threads(
        &self,
        threads: usize,
        work: impl Fn(&Self, &mut Worker<C>) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let run = |worker: &Mutex<Worker<C>>| {
            work(self, &mut worker.lock().expect("each thread has its own worker"))
        };
        on_all(&self.workers[..threads], &run)
    }

    fn each_region(
        &self,
        stop: &StopFlag,
        work: impl Fn(&mut Region<W>, &mut Worker<C>) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let next = AtomicUsize::new(0);
        self.on_threads(self.workers.len(), |engine, worker| {
            loop {
                if stop.is_set() {
                    return Err(SolveError::Stopped);
                }
                let r = next.fetch_add(1, Ordering::Relaxed);
                let Some(region) = engine.regions.get(r) else { return Ok(()) };
                work(&mut region.write().expect("no thread panics"), worker)?;
            }
        })
    }

    fn widen<B: Word>(self) -> Engine<'a, C, B> {
        let top = self.scheme.top(self.level);
        let regions = self
            .regions
            .into_iter()
            .map(|r| RwLock::new(r.into_inner().expect("no thread panics").widen(top)))
            .collect();
        let Engine { game, stage, bits, workers, sources, seeds, scheme, level, budget, .. } = self;
        let figures = Figures { width: B::BYTES, ..self.figures };
        Engine {
            game,
            stage,
            bits,
            regions,
            workers,
            sources,
            seeds,
            scheme,
            level,
            budget,
            figures,
        }
    }

    fn finish(self, words: impl Fn(Vec<Vec<W>>) -> Words) -> Solved {
        let top = self.scheme.top(self.level);
        let cells = self
            .regions
            .into_iter()
            .map(|r| r.into_inner().expect("no thread panics").cells)
            .collect();
        let table = Table::new(self.stage, self.bits, self.scheme, top, words(cells));
        Solved { table, figures: self.figures }
    }
}

/// Gives each worker its thread; the first works on this one.
pub(super) fn on_all<T: Send>(
    workers: &[Mutex<T>],
    run: &(impl Fn(&Mutex<T>) -> Result<(), SolveError> + Sync),
) -> Result<(), SolveError> {
    let (first, others) = workers.split_first().expect("there is a worker");
    if others.is_empty() {
        return run(first);
    }
    std::thread::scope(|scope| {
        let others: Vec<_> = others.iter().map(|w| scope.spawn(move || run(w))).collect();
        let mut result = run(first);
        for other in others {
            result = result.and(other.join().expect("no thread panics"));
        }
        result
    })
}

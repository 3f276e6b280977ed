//! Many mutated inputs for one target, each within bounds of memory and time.

use crate::mutate::mutate;
use crate::{Target, allocations};
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use zug_core::{Progress, StopFlag, rng};

/// What an input may cost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes in use at once, for any input.
    pub memory: usize,
    /// And for each byte of the input.
    pub memory_per_byte: usize,
    /// Time.
    pub time: Duration,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { memory: 64 << 20, memory_per_byte: 64, time: Duration::from_secs(5) }
    }
}

/// An input that a target did not survive.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What happened, with the place in the source where it panicked.
    pub what: String,
    /// The input.
    pub input: Vec<u8>,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Inputs tried.
    pub inputs: u64,
    /// Time for all.
    pub elapsed: Duration,
    /// The slowest input and its time.
    pub slowest: (Duration, Vec<u8>),
    /// The most memory that an input took, and that input.
    pub largest: (usize, Vec<u8>),
    /// One failure for each place.
    pub failures: Vec<Failure>,
}

/// After so many different failures a campaign ends early.
const MOST_FAILURES: usize = 10;

/// What is being tried now, for a watcher that must end a process which hangs.
static CURRENT: Mutex<Option<(Instant, Vec<u8>)>> = Mutex::new(None);

/// Where the last panic happened, told by the hook.
static PANICKED_AT: Mutex<String> = Mutex::new(String::new());

/// The input that has been running for longer than `patience`, or has hit the hard limit of memory.
#[must_use]
pub fn stuck(patience: Duration) -> Option<Failure> {
    let current = CURRENT.lock().unwrap_or_else(|e| e.into_inner());
    let (began, input) = current.as_ref()?;
    let what = if allocations::is_exceeded() {
        format!("more than {} bytes of memory", allocations::HARD_LIMIT)
    } else if began.elapsed() > patience {
        format!("no end after {} s", began.elapsed().as_secs())
    } else {
        return None;
    };
    Some(Failure { what, input: input.clone() })
}

/// Keeps panics from being printed and remembers where they happened, on any thread.
pub fn hush_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let message = info.payload_as_str().unwrap_or("a panic without words");
        let message: String = message.chars().take(2000).collect();
        *PANICKED_AT.lock().unwrap_or_else(|e| e.into_inner()) = format!("{place}: {message}");
    }));
}

/// Tries an input; gives back time and memory, or why it failed.
pub fn try_input(
    target: &Target,
    input: &[u8],
    bounds: &Bounds,
) -> Result<(Duration, usize), Failure> {
    let fail = |what: String| Failure { what, input: input.to_vec() };
    PANICKED_AT.lock().unwrap_or_else(|e| e.into_inner()).clear();
    let (live, began) = (allocations::begin(), Instant::now());
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let (elapsed, peak) = (began.elapsed(), allocations::peak_since(live));
    // A panic that the code under test caught itself is a fault all the same.
    let panicked_at = PANICKED_AT.lock().unwrap_or_else(|e| e.into_inner()).clone();
    if outcome.is_err() || !panicked_at.is_empty() {
        return Err(fail(format!("panic at {panicked_at}")));
    }
    if peak > bounds.memory + bounds.memory_per_byte * input.len() {
        return Err(fail(format!("{peak} bytes of memory for an input of {}", input.len())));
    }
    if elapsed > bounds.time {
        return Err(fail(format!("{:.1} s", elapsed.as_secs_f64())));
    }
    Ok((elapsed, peak))
}

/// Tries the corpus itself, then mutations of it. Same seed, same inputs.
pub fn run(
    target: &Target,
    corpus: &[Vec<u8>],
    inputs: u64,
    seed: u64,
    bounds: &Bounds,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Report {
    hush_panics();
    progress.set_length(Some(inputs));
    let began = Instant::now();
    let mut rng =
        rng(seed, target.name.bytes().fold(0, |h: u64, b| h.wrapping_mul(31) + u64::from(b)));
    let mut report = Report::default();
    let mut seen = BTreeSet::new();
    while report.inputs < inputs && !stop.is_set() && report.failures.len() < MOST_FAILURES {
        let input = match corpus.get(report.inputs as usize) {
            Some(good) => good.clone(),
            None => mutate(&mut rng, corpus, target.words),
        };
        set_current(Some((Instant::now(), input.clone())));
        match try_input(target, &input, bounds) {
            Ok((elapsed, peak)) => {
                if elapsed > report.slowest.0 {
                    report.slowest = (elapsed, input.clone());
                }
                if peak > report.largest.0 {
                    report.largest = (peak, input);
                }
            }
            Err(failure) => {
                // The same place fails again and again; the first input tells enough.
                let place: String = failure.what.split(": ").next().unwrap_or("").to_string();
                if seen.insert(place) {
                    report.failures.push(failure);
                }
            }
        }
        set_current(None);
        report.inputs += 1;
        if report.inputs.is_multiple_of(1024) {
            progress.advance(1024);
        }
    }
    progress.finish();
    report.elapsed = began.elapsed();
    report
}

fn set_current(input: Option<(Instant, Vec<u8>)>) {
    *CURRENT.lock().unwrap_or_else(|e| e.into_inner()) = input;
}

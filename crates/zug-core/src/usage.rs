//! What has this program taken so far: processor time, memory?
//!
//! Processor time says what a piece of work costs, however busy the machine is; the clock on the
//! wall says how long somebody waits. Nothing should print one under the name of the other.

use rustix::time::{ClockId, clock_gettime};

/// Processor seconds of this process so far, all threads together.
#[must_use]
pub fn process_seconds() -> f64 {
    seconds_of(ClockId::ProcessCPUTime)
}

/// Processor seconds of the calling thread so far.
#[must_use]
pub fn thread_seconds() -> f64 {
    seconds_of(ClockId::ThreadCPUTime)
}

fn seconds_of(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The most memory, in bytes, that this process has had resident at any time, as the system counts
/// it; `None` where the system does not say.
#[must_use]
pub fn peak_resident() -> Option<u64> {
    status("VmHWM:")
}

/// The memory, in bytes, that this process has resident now.
#[must_use]
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time_and_waiting_takes_none() {
        let before = (process_seconds(), thread_seconds());
        let mut sum = 0u64;
        while thread_seconds() - before.1 < 0.01 {
            sum = (0..10_000).fold(sum, |sum, n| std::hint::black_box(sum ^ n));
        }
        assert!(process_seconds() - before.0 >= 0.01);
        let before = thread_seconds();
        std::thread::sleep(std::time::Duration::from_millis(200));
        assert!(thread_seconds() - before < 0.1);
    }

    #[test]
    fn memory_that_was_touched_shows_in_the_peak_when_it_is_gone() {
        let Some(before) = resident() else { return };
        let bytes = std::hint::black_box(vec![1u8; 64 << 20]);
        drop(bytes);
        assert!(peak_resident().is_some_and(|peak| peak > before + (32 << 20)));
    }
}

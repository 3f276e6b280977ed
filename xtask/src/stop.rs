//! Ctrl-C: chores that look at a flag stop and sum up; the others are ended with a line.

use anyhow::{Context, Result};
use std::time::Instant;
use zug_core::StopFlag;

/// A flag that the first Ctrl-C sets; the second ends the process.
pub fn on_interrupt() -> Result<StopFlag> {
    let flag = StopFlag::new();
    let seen = flag.clone();
    ctrlc::set_handler(move || {
        if seen.is_set() {
            std::process::exit(130);
        }
        seen.set();
        eprintln!("stopping; press Ctrl-C again to stop at once");
    })
    .context("cannot listen to Ctrl-C")?;
    Ok(flag)
}

/// For chores that print as they go and have nothing to save.
pub fn sum_up_on_interrupt(chore: &str) -> Result<()> {
    let (chore, began) = (chore.to_string(), Instant::now());
    ctrlc::set_handler(move || {
        eprintln!("{chore}: interrupted after {:.0?}; what is above is not all", began.elapsed());
        std::process::exit(130);
    })
    .context("cannot listen to Ctrl-C")
}

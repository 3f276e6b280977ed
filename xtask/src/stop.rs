//! Ctrl-C: the first asks the chore to stop and sum up, the second ends it.

use anyhow::{Context, Result};
use zug_core::StopFlag;

/// A flag that the first Ctrl-C sets.
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

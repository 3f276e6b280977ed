//! Ctrl-C: the first asks the work to stop and save itself, the second ends the process.

use std::time::Duration;
use zug_core::StopFlag;

/// A flag that the first Ctrl-C (or a termination signal) sets.
pub fn on_interrupt() -> StopFlag {
    let flag = StopFlag::new();
    let seen = flag.clone();
    let installed = ctrlc::set_handler(move || {
        if seen.is_set() {
            // A game that is being written is written to its end.
            let _rest = zug_core::files::settle(Duration::from_secs(1));
            std::process::exit(130);
        }
        seen.set();
        tell!("zug: stopping; press Ctrl-C again to stop at once");
    });
    if let Err(error) = installed {
        tracing::warn!("Ctrl-C will end the program at once: {error}");
    }
    flag
}

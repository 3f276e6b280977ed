//! Being written.

pub mod beyond;
pub mod evaluation;
pub mod features;
pub mod measures;
pub mod players;
pub mod printed;
pub mod search;
pub mod tree;
pub mod update;

use std::path::Path;
use zug_core::{Progress, StopFlag};
use zug_learn::face::{Account, Named, TaskError};
use zug_learn::td::face::TdOrder;

/// Learns.
pub fn learn(_: &TdOrder, _: &dyn Progress, _: &StopFlag) -> Result<Account, TaskError> {
    Err(TaskError::Unfit("not here yet".to_string()))
}

/// The page of a run, if it is one of these.
pub fn report(_: &Path) -> Result<Option<String>, TaskError> {
    Ok(None)
}

/// The options with their defaults.
pub fn options() -> Vec<Named> {
    Vec::new()
}

/// The named configurations.
pub fn groups() -> Vec<Named> {
    Vec::new()
}

//! Learning Othello from nothing but games against oneself.
//!
//! | question | module |
//! |---|---|
//! | what did Othilie learn, and what can be had from its features? | [`othilie`] |
//! | what do pattern tables learn by themselves? | [`tables`] |

pub mod othilie;
pub mod tables;

use std::path::Path;
use zug_core::{Progress, StopFlag};
use zug_learn::face::{Account, Named, TaskError};
use zug_learn::report::Page;
use zug_learn::td::face::{AnySelfPlay, Look, TdOrder};
use zug_learn::weights::Weights;

/// The set of features that are cells of pattern tables.
const PATTERNS: &str = "patterns";

/// Self-play on the 8x8 board.
pub(crate) struct OthelloSelfPlay;

impl AnySelfPlay for OthelloSelfPlay {
    fn groups(&self) -> Vec<Named> {
        othilie::groups()
    }

    fn methods(&self) -> Vec<Named> {
        vec![
            Named::new("othilie", "the thesis's update after every move of the learning side"),
            Named::new("td", "TD(lambda) on the positions of a game"),
            Named::new("td-leaf", "TD(lambda) on the leaves that the searches expected"),
        ]
    }

    fn features(&self) -> Vec<Named> {
        vec![
            Named::new("othilie", "the 42 numbers of the thesis: discs by class, ring and in all"),
            Named::new("mobility", "moves of both sides; joined to others with +"),
            Named::new("corners", "corners and the squares beside them; joined to others with +"),
            Named::new(PATTERNS, "the pattern tables of the examples, cell by cell"),
        ]
    }

    fn options(&self) -> Vec<Named> {
        let of = |what: &str, options: Vec<Named>| -> Vec<Named> {
            let say = |o: Named| match o.help.starts_with(othilie::BEYOND) {
                true => o,
                false => Named::new(o.name, format!("{what}: {}", o.help)),
            };
            options.into_iter().map(say).collect()
        };
        [of("othilie groups", othilie::options()), of(PATTERNS, tables::options())].concat()
    }

    fn learn(
        &self,
        order: &TdOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        match order.features.as_deref() {
            Some(PATTERNS) if order.group.is_some() => {
                Err(TaskError::Unfit("groups have features of their own".to_string()))
            }
            Some(PATTERNS) => tables::learn(order, progress, stop),
            Some(joined) if joined.split('+').any(|part| part == PATTERNS) => {
                Err(TaskError::Unfit("pattern tables are not joined to other features".to_string()))
            }
            _ => othilie::learn(order, progress, stop),
        }
    }

    fn report(&self, folder: &Path) -> Result<Option<Page>, TaskError> {
        match tables::report(folder)? {
            Some(page) => Ok(Some(page)),
            None => othilie::report(folder),
        }
    }

    fn weights(&self, folder: &Path, look: &Look) -> Result<Option<Weights>, TaskError> {
        match tables::weights(folder, look)? {
            Some(weights) => Ok(Some(weights)),
            None => othilie::weights(folder, look),
        }
    }
}

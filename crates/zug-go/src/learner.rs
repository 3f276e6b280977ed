//! What Go can learn from records, told to the workbench.

use crate::{knn, patterns};
use std::path::Path;
use zug_core::{Progress, StopFlag};
use zug_learn::face::{Account, Named, TaskError};
use zug_learn::records::{AnyRecordLearner, RecordOrder};
use zug_learn::report::Page;

/// The methods by which Go learns moves. Another method is another line in each of these functions.
pub struct RecordLearner {
    /// Points along an edge of the board that is asked for.
    pub size: usize,
}

impl AnyRecordLearner for RecordLearner {
    fn methods(&self) -> Vec<Named> {
        vec![
            Named::new(
                "bt",
                "patterns of many sizes, tactics and factors, fitted together (Bradley-Terry)",
            ),
            Named::new(
                "knn",
                "patterns of the k nearest stones and sides, valued by how often their move was played",
            ),
        ]
    }

    fn experiments(&self, method: &str) -> Vec<Named> {
        match method {
            "knn" => knn::plan::EXPERIMENTS.iter().map(|e| Named::new(e.name, e.help)).collect(),
            _ => Vec::new(),
        }
    }

    fn options(&self, method: &str) -> Vec<Named> {
        match method {
            "bt" => patterns::order::options(),
            "knn" => knn::plan::options(),
            _ => Vec::new(),
        }
    }

    fn learn(
        &self,
        order: &RecordOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        match order.method.as_str() {
            "bt" => patterns::order::run(order, self.size, progress, stop),
            "knn" => knn::learn(order, progress, stop),
            other => {
                let methods = self.methods();
                let known = methods.iter().map(|m| m.name.as_str());
                Err(TaskError::unknown("method", other, known))
            }
        }
    }

    fn report(&self, folder: &Path) -> Result<Option<Page>, TaskError> {
        knn::page::page(folder)
    }
}

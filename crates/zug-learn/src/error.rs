//! What can go wrong in a fit. Every message names the feature, and the row where there is one:
//! a person must be able to find the fault in the data without a debugger.

use std::error::Error as StdError;

/// Why a fit, or a measure of one, gives no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// There are no examples of a class.
    #[error(
        "the examples hold no {missing} ({wins} wins, {losses} losses by weight): both classes are needed"
    )]
    EmptyClass {
        /// Which class is missing: "win" or "loss".
        missing: &'static str,
        /// Weight of the wins.
        wins: f64,
        /// Weight of the losses.
        losses: f64,
    },
    /// There are no examples at all.
    #[error("there are no examples")]
    NoExamples,
    /// A feature has the same value everywhere.
    #[error(
        "feature {feature:?} has the value {value} in every example: without variance it has no weight"
    )]
    NoVariance {
        /// The feature.
        feature: String,
        /// Its only value.
        value: f64,
    },
    /// A feature is a linear function of others.
    #[error("feature {feature:?} is a linear function of {}: their weights are not determined", listed(.others))]
    Dependent {
        /// The feature that adds nothing.
        feature: String,
        /// The features that it depends on.
        others: Vec<String>,
    },
    /// The classes can be told apart without error, so that the likelihood has no maximum.
    #[error(
        "{} {} wins from losses {}: larger weights always fit better and no finite ones are best; more examples, or fewer features, are needed",
        listed(.features), if .features.len() == 1 { "separates" } else { "together separate" },
        if *.complete { "perfectly" } else { "perfectly outside a common boundary" }
    )]
    Separable {
        /// The features that separate.
        features: Vec<String>,
        /// No example lies on the boundary.
        complete: bool,
    },
    /// A value is not a finite number.
    #[error("row {row}, feature {feature:?}: the value {value} is not a finite number")]
    NotFinite {
        /// The row, counted from 1.
        row: u64,
        /// The feature.
        feature: String,
        /// The value found.
        value: f64,
    },
    /// A weight is negative or not a finite number.
    #[error("row {row}: the weight {weight} is not a finite number of at least 0")]
    BadWeight {
        /// The row, counted from 1.
        row: u64,
        /// The weight found.
        weight: f64,
    },
    /// A row has another number of values than there are features.
    #[error("row {row} has {found} values where {expected} features are named")]
    WrongWidth {
        /// The row, counted from 1.
        row: u64,
        /// Number of values in the row.
        found: usize,
        /// Number of features.
        expected: usize,
    },
    /// An iteration stopped without reaching the optimum.
    #[error(
        "no convergence after {iterations} iterations (largest weight change {step:e}, at {feature:?})"
    )]
    NoConvergence {
        /// Number of iterations made.
        iterations: usize,
        /// The last change of a weight, in units of a standard deviation.
        step: f64,
        /// The feature whose weight changed most.
        feature: String,
    },
    /// An argument that makes no sense.
    #[error("{0}")]
    Argument(String),
    /// Reading the examples failed.
    #[error("reading the examples: {0}")]
    Source(#[source] Box<dyn StdError + Send + Sync>),
}

impl LearnError {
    /// Wraps an error of whatever supplies the rows.
    pub fn source(error: impl Into<Box<dyn StdError + Send + Sync>>) -> LearnError {
        LearnError::Source(error.into())
    }
}

/// `"a", "b" and "c"`.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("{n:?}")).collect();
    match quoted.as_slice() {
        [] => "nothing".into(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_list_features_as_a_person_would() {
        let error = LearnError::Dependent {
            feature: "x".into(),
            others: vec!["a".into(), "b".into(), "c".into()],
        };
        assert_eq!(
            error.to_string(),
            "feature \"x\" is a linear function of \"a\", \"b\" and \"c\": their weights are not determined"
        );
        let error = LearnError::Separable { features: vec!["a".into()], complete: true };
        assert!(error.to_string().starts_with("\"a\" separates wins from losses perfectly:"));
    }
}

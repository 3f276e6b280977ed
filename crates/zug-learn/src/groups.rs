//! Which groups of examples share a set of parameters.
//!
//! The examples come in groups (disc counts). One parameter set rests on two adjacent groups
//! (thesis section 3.3), to even out wins and losses of the side to move.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// How groups are merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    /// Each group has its own parameters, from its own examples.
    Single,
    /// Groups 2k and 2k+1 share their parameters.
    Pairs,
    /// Each group t has its own parameters, from the examples of t and t+1 (the last one from t-1
    /// and t).
    #[default]
    Sliding,
}

/// One set of parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The groups that use the parameters.
    pub serves: RangeInclusive<usize>,
    /// The groups whose examples give the parameters.
    pub learns: RangeInclusive<usize>,
}

impl Grouping {
    /// The parameter sets that serve these groups, in order. Every group is served exactly once.
    #[must_use]
    pub fn over(self, groups: RangeInclusive<usize>) -> Vec<Group> {
        let (first, last) = (*groups.start(), *groups.end());
        if first > last {
            return Vec::new();
        }
        match self {
            Grouping::Single => groups.map(|t| Group { serves: t..=t, learns: t..=t }).collect(),
            Grouping::Pairs => (first / 2..=last / 2)
                .map(|k| {
                    let pair = (2 * k).max(first)..=(2 * k + 1).min(last);
                    Group { serves: pair.clone(), learns: pair }
                })
                .collect(),
            Grouping::Sliding => groups
                .map(|t| {
                    let start = if t == last && t > first { t - 1 } else { t };
                    Group { serves: t..=t, learns: start..=(start + 1).min(last) }
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn adjacent_groups_are_merged() {
        let learns = |g: Grouping, r| -> Vec<RangeInclusive<usize>> {
            g.over(r).into_iter().map(|g| g.learns).collect()
        };
        assert_eq!(learns(Grouping::Pairs, 11..=15), [11..=11, 12..=13, 14..=15]);
        assert_eq!(learns(Grouping::Sliding, 12..=14), [12..=13, 13..=14, 13..=14]);
        assert_eq!(learns(Grouping::Single, 12..=13), [12..=12, 13..=13]);
        assert_eq!(learns(Grouping::Sliding, 12..=12), [12..=12]);
    }

    proptest! {
        #[test]
        fn every_group_is_served_once_and_learned_from(first in 0usize..70, more in 0usize..70) {
            for grouping in [Grouping::Single, Grouping::Pairs, Grouping::Sliding] {
                let groups = grouping.over(first..=first + more);
                let served: Vec<usize> = groups.iter().flat_map(|g| g.serves.clone()).collect();
                prop_assert_eq!(served, (first..=first + more).collect::<Vec<_>>());
                for g in groups {
                    prop_assert!(g.serves.clone().all(|t| g.learns.contains(&t)));
                    prop_assert!(*g.learns.start() >= first && *g.learns.end() <= first + more);
                }
            }
        }
    }
}

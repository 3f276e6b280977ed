//! Everything about learning that the thesis states or leaves open, and its defaults.

use super::neighbours::{Metric, Nearness, Ties};
use zug_learn::choices::{number, word, yes};
use zug_learn::face::{Named, TaskError};

/// What a match of a pattern is counted for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Count {
    /// Once for each point that it proposes.
    #[default]
    Placements,
    /// Once for each example.
    Examples,
}

/// How a pattern is valued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// Played matches / matches, as in the thesis.
    #[default]
    Share,
    /// The lower end of the 95 % interval (Wilson) of that share: rare patterns no longer come first.
    Lower,
    /// The share without the game that the pattern was found in first.
    LeaveOut,
}

/// Where a pattern without sides may lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Translations {
    /// In the smallest rectangle that holds all places where it was played.
    #[default]
    Observed,
    /// Anywhere.
    Anywhere,
}

/// How patterns are learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Points along an edge.
    pub size: usize,
    /// Which neighbours are nearest.
    pub nearness: Nearness,
    /// Fewest stones and sides of a pattern.
    pub k_min: usize,
    /// Most stones and sides of a pattern.
    pub k_max: usize,
    /// The last move of each stage but the open one at the end.
    pub stages: Vec<u32>,
    /// Do patterns know of ko?
    pub ko: bool,
    /// What matches are counted for.
    pub count: Count,
    /// How patterns are valued.
    pub value: Value,
    /// Where patterns without sides may lie.
    pub translations: Translations,
    /// Patterns that matched less often are dropped.
    pub support: u32,
    /// Patterns of less value are dropped.
    pub confidence: f64,
    /// Only the first moves of games are learned from.
    pub plies: Option<u32>,
}

impl Settings {
    /// Those of the thesis for a board of this size.
    #[must_use]
    pub fn of_size(size: usize) -> Settings {
        Settings {
            size,
            nearness: Nearness::default(),
            k_min: 4,
            k_max: 9,
            stages: slices(5, default_slice(size)),
            ko: true,
            count: Count::Placements,
            value: Value::Share,
            translations: Translations::Observed,
            support: 3,
            confidence: 0.01,
            plies: None,
        }
    }

    /// The stage of a move, by its number in the game from 1.
    #[must_use]
    pub fn stage(&self, number: u32) -> usize {
        stage_of(&self.stages, number)
    }

    /// How many stages there are.
    #[must_use]
    pub fn stage_count(&self) -> usize {
        self.stages.len() + 1
    }

    /// Changes one of them by its name; false if there is none of that name.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, TaskError> {
        match key {
            "metric" => self.nearness.metric = word(key, value, &Metric::NAMES)?,
            "side" => self.nearness.side = number(key, value, 0..=1)?,
            "ties" => self.nearness.ties = word(key, value, &Ties::NAMES)?,
            "k-min" => self.k_min = number(key, value, 1..=16)?,
            "k-max" => self.k_max = number(key, value, 1..=16)?,
            "stages" => {
                let count: u32 = number(key, value, 1..=MOST_STAGES)?;
                let length = self.stages.first().copied().unwrap_or(default_slice(self.size));
                self.stages = slices(count, length);
            }
            "stage-length" => {
                let length = number(key, value, 1..=1000)?;
                self.stages = slices(self.stage_count() as u32, length);
            }
            "ko" => self.ko = yes(key, value)?,
            "count" => self.count = word(key, value, &COUNTS)?,
            "value" => self.value = word(key, value, &VALUES)?,
            "translations" => self.translations = word(key, value, &TRANSLATIONS)?,
            "support" => self.support = number(key, value, 0..=1_000_000)?,
            "confidence" => self.confidence = number(key, value, 0.0..=1.0)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Do they fit together?
    pub fn check(&self) -> Result<(), TaskError> {
        if self.k_min > self.k_max {
            let Settings { k_min, k_max, .. } = self;
            return Err(TaskError::Unfit(format!("k-min={k_min} is more than k-max={k_max}")));
        }
        Ok(())
    }

    /// Names and values, for the file of a run and the header of a model.
    #[must_use]
    pub fn list(&self) -> Vec<(&'static str, String)> {
        let length = self.stages.first().map_or(0, |&l| l);
        let mut list = vec![
            ("metric", name(&Metric::NAMES, self.nearness.metric)),
            ("side", self.nearness.side.to_string()),
            ("ties", name(&Ties::NAMES, self.nearness.ties)),
            ("k-min", self.k_min.to_string()),
            ("k-max", self.k_max.to_string()),
            ("stages", self.stage_count().to_string()),
            ("ko", if self.ko { "yes" } else { "no" }.to_string()),
            ("count", name(&COUNTS, self.count)),
            ("value", name(&VALUES, self.value)),
            ("translations", name(&TRANSLATIONS, self.translations)),
            ("support", self.support.to_string()),
            ("confidence", self.confidence.to_string()),
        ];
        if length > 0 {
            list.push(("stage-length", length.to_string()));
        }
        list
    }

    /// What can be set, with defaults.
    #[must_use]
    pub fn options() -> Vec<Named> {
        [
            ("metric", "euclid|manhattan|chebyshev|gridcular: how near is a neighbour? (euclid)"),
            ("side", "1|0: how far is the side from a move on the first line? (1)"),
            ("ties", "sides|stones|all: which of those equally near comes first, or are all taken? (sides)"),
            ("k-min", "fewest stones and sides of a pattern (4)"),
            ("k-max", "most stones and sides of a pattern (9)"),
            ("stages", "stages of the game; 1 is none (5)"),
            ("stage-length", "moves of a stage; the last one is open (15 on 9x9, 50 on 19x19)"),
            ("ko", "yes|no: do patterns know whether there is a ko? (yes)"),
            ("count", "placements|examples: is a match counted for each point or each example? (placements)"),
            ("value", "share|lower|leave-out: played/matched, its lower bound, or without the game of origin (share)"),
            ("translations", "observed|anywhere: where may a pattern without sides lie? (observed)"),
            ("support", "drop patterns that matched less often (3)"),
            ("confidence", "drop patterns of less value (0.01)"),
        ]
        .into_iter()
        .map(|(key, help)| Named::new(key, help))
        .collect()
    }
}

/// The most stages: a pattern's words have three bits for them.
const MOST_STAGES: u32 = 8;

const COUNTS: [(&str, Count); 2] =
    [("placements", Count::Placements), ("examples", Count::Examples)];
const VALUES: [(&str, Value); 3] =
    [("share", Value::Share), ("lower", Value::Lower), ("leave-out", Value::LeaveOut)];
const TRANSLATIONS: [(&str, Translations); 2] =
    [("observed", Translations::Observed), ("anywhere", Translations::Anywhere)];

fn name<T: PartialEq>(names: &[(&str, T)], value: T) -> String {
    names.iter().find(|(_, v)| *v == value).map_or("", |(n, _)| n).to_string()
}

/// Moves of a stage: 15 on 9×9 as the thesis says, and in proportion to the points elsewhere, rounded
/// to fives; 50 on 19×19.
fn default_slice(size: usize) -> u32 {
    match size {
        19 => 50,
        _ => ((size * size * 15) as f64 / 405.0).round().max(1.0) as u32 * 5,
    }
}

fn slices(count: u32, length: u32) -> Vec<u32> {
    (1..count).map(|i| i * length).collect()
}

/// The stage of a move: `borders` are the last moves of all stages but the open one.
pub(super) fn stage_of(borders: &[u32], number: u32) -> usize {
    borders.iter().take_while(|&&last| number > last).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_those_of_the_thesis() {
        let nine = Settings::of_size(9);
        assert_eq!(nine.stages, [15, 30, 45, 60]);
        let stages: Vec<usize> =
            [1, 15, 16, 45, 60, 61, 500].iter().map(|&n| nine.stage(n)).collect();
        assert_eq!(stages, [0, 0, 1, 2, 3, 4, 4]);
        assert_eq!(Settings::of_size(19).stages, [50, 100, 150, 200]);
    }

    #[test]
    fn what_is_set_is_listed_and_what_is_wrong_is_told() {
        let mut settings = Settings::of_size(9);
        for (key, value) in [
            ("metric", "gridcular"),
            ("side", "0"),
            ("ties", "all"),
            ("k-min", "2"),
            ("k-max", "12"),
            ("stages", "3"),
            ("stage-length", "20"),
            ("ko", "no"),
            ("count", "examples"),
            ("value", "lower"),
            ("translations", "anywhere"),
            ("support", "5"),
            ("confidence", "0.02"),
        ] {
            assert!(settings.set(key, value).unwrap(), "{key}");
            assert!(settings.list().contains(&(key, value.to_string())), "{key}");
            assert!(Settings::options().iter().any(|o| o.name == key), "{key}");
        }
        assert_eq!(settings.stages, [20, 40]);
        assert!(!settings.set("colour", "red").unwrap());
        let told = settings.set("k-max", "99").unwrap_err().to_string();
        assert_eq!(told, "k-max: expected a number from 1 to 16, found '99'");
        settings.set("k-max", "1").unwrap();
        assert!(settings.check().is_err());
    }
}

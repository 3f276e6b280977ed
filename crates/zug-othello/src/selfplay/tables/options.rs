//! How are the tables to be learned?

use crate::joint::DEFAULT_PATTERNS;
use crate::patterns::{PatternSet, Phases};
use std::collections::BTreeMap;
use std::str::FromStr;
use zug_core::error::shorten;
use zug_learn::face::{Named, TaskError};
use zug_learn::td::face::TdOrder;

/// Whose values make the errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Those of the positions of the game.
    Td,
    /// Those of searches.
    TdLeaf,
}

/// What an error of TD-Leaf(λ) changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// The value of the leaf that the search expected.
    Leaf,
    /// The value of the position that was searched.
    Root,
    /// Both.
    Both,
}

/// All of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub method: Method,
    pub games: u64,
    pub batch: u64,
    pub depth: u32,
    pub exact: u32,
    pub lambda: f64,
    pub update: Update,
    pub opening: (u32, u32),
    pub explore: f64,
    pub rate: f64,
    pub fall: f64,
    pub last_rate: f64,
    pub ridge: f64,
    pub clip: f64,
    pub noise: f64,
    pub patterns: Vec<String>,
    pub knots: Vec<u8>,
    pub measure: u64,
    pub measure_pairs: u64,
    pub measure_depth: u32,
    pub against: String,
    /// Not part of what the run is: the result does not depend on it.
    pub save: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: Method::TdLeaf,
            games: 200_000,
            batch: 256,
            depth: 2,
            exact: 10,
            lambda: 0.7,
            update: Update::Both,
            opening: (4, 20),
            explore: 0.05,
            rate: 1.0,
            fall: 0.3,
            last_rate: 0.05,
            ridge: 20.0,
            clip: 64.0,
            noise: 0.02,
            patterns: DEFAULT_PATTERNS.split_whitespace().map(str::to_string).collect(),
            knots: (8..=60).step_by(4).collect(),
            measure: 20_000,
            measure_pairs: 300,
            measure_depth: 2,
            against: "patterns".to_string(),
            save: 0,
        }
    }
}

const UPDATES: [(&str, Update); 3] =
    [("both", Update::Both), ("leaf", Update::Leaf), ("root", Update::Root)];
const METHODS: [(&str, Method); 2] = [("td-leaf", Method::TdLeaf), ("td", Method::Td)];

/// The options with their defaults.
pub fn options() -> Vec<Named> {
    let d = Options::default();
    let list = [
        ("batch", format!("games between two changes of the weights ({})", d.batch)),
        ("depth", format!("plies that the searches of a game look ahead ({})", d.depth)),
        ("exact", format!("so many last empty squares are solved; 0 plays out ({})", d.exact)),
        ("lambda", format!("how much later values count, 0 to 1 ({})", d.lambda)),
        (
            "update",
            "what td-leaf changes: leaf, root, the position searched, or both (both)".into(),
        ),
        (
            "opening",
            format!("random plies that a game begins with ({}-{})", d.opening.0, d.opening.1),
        ),
        ("explore", format!("share of random moves after that ({})", d.explore)),
        ("rate", format!("how far a batch moves a value towards its target ({})", d.rate)),
        ("fall", format!("share of the games after which the rate falls ({})", d.fall)),
        ("last-rate", format!("the rate of the last batch ({})", d.last_rate)),
        ("ridge", format!("visits that hold a cell at its beginning ({})", d.ridge)),
        ("clip", format!("errors beyond so many discs count as so many ({})", d.clip)),
        ("noise", format!("the largest weight to begin with, in discs ({})", d.noise)),
        ("patterns", format!("the tables, joined by + ({})", d.patterns.join("+"))),
        ("knots", "disc counts at which tables have weights of their own (8-60:4)".into()),
        ("measure", format!("games between two measurements; 0: never ({})", d.measure)),
        ("measure-pairs", format!("pairs of games of a measurement ({})", d.measure_pairs)),
        ("measure-depth", format!("plies that both sides look ahead in it ({})", d.measure_depth)),
        ("against", format!("the model to be measured against ({})", d.against)),
        ("save", "games between two checkpoints; 0: one a minute (0)".into()),
    ];
    list.into_iter().map(|(name, help)| Named::new(name, help)).collect()
}

/// The options of an order, each used once.
struct Given {
    given: BTreeMap<String, String>,
}

impl Given {
    fn new(order: &TdOrder) -> Result<Given, TaskError> {
        let mut given = BTreeMap::new();
        for (key, value) in &order.options {
            if given.insert(key.clone(), value.clone()).is_some() {
                return Err(TaskError::Unfit(format!("--set {} is given twice", shorten(key))));
            }
        }
        Ok(Given { given })
    }

    fn take<T>(
        &mut self,
        key: &str,
        default: T,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, TaskError> {
        let Some(text) = self.given.remove(key) else { return Ok(default) };
        read(&text).ok_or_else(|| {
            TaskError::Unfit(format!("--set {key}={}: expected {expected}", shorten(&text)))
        })
    }

    fn number<T: FromStr + PartialOrd + Copy + std::fmt::Display>(
        &mut self,
        key: &str,
        default: T,
        least: T,
        most: T,
    ) -> Result<T, TaskError> {
        let expected = format!("a number from {least} to {most}");
        let fits = |text: &str| text.parse().ok().filter(|v| least <= *v && *v <= most);
        self.take(key, default, &expected, fits)
    }

    fn finish(self) -> Result<(), TaskError> {
        match self.given.keys().next() {
            None => Ok(()),
            Some(key) => {
                let known: Vec<Named> = options();
                Err(TaskError::unknown("option", key, known.iter().map(|n| n.name.as_str())))
            }
        }
    }
}

/// `8-60:4` is 8, 12, … 60; `10+20+40` are these.
fn knots(text: &str) -> Option<Vec<u8>> {
    let list: Vec<u8> = match text.split_once('-') {
        Some((first, rest)) => {
            let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
            let step: usize = step.parse().ok().filter(|&s| s > 0)?;
            (first.parse::<u8>().ok()?..=last.parse::<u8>().ok()?).step_by(step).collect()
        }
        None => text.split([',', '+']).map(|k| k.trim().parse().ok()).collect::<Option<_>>()?,
    };
    Phases::new(&list).map(|_| list)
}

/// `4-20`, or one number.
fn range(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = (first.parse().ok()?, last.parse().ok()?);
    (range.0 <= range.1 && range.1 <= MOST_OPENING).then_some(range)
}

/// After more random plies too many games are over.
const MOST_OPENING: u32 = 44;

impl Options {
    /// What an order asks for.
    pub fn of(order: &TdOrder) -> Result<Options, TaskError> {
        let d = Options::default();
        if order.experiments.is_some_and(|e| e != 1) {
            return Err(TaskError::Unfit(
                "pattern tables are learned once; other seeds (--seed) are other experiments"
                    .into(),
            ));
        }
        let method = match order.method.as_deref() {
            None => d.method,
            Some(name) => METHODS.iter().find(|m| m.0 == name).map(|m| m.1).ok_or_else(|| {
                TaskError::unknown("method for pattern tables", name, METHODS.map(|m| m.0))
            })?,
        };
        let games = order.games.unwrap_or(d.games);
        if games == 0 {
            return Err(TaskError::Unfit("--games 0: expected at least one".into()));
        }
        let mut given = Given::new(order)?;
        let patterns = given.take(
            "patterns",
            d.patterns,
            "patterns by name or squares, joined by +, with at most 64 images in all",
            |text| {
                let list: Vec<String> = text.split('+').map(str::to_string).collect();
                PatternSet::parse(&list).is_ok().then_some(list)
            },
        )?;
        let options = Options {
            method,
            games,
            batch: given.number("batch", d.batch, 1, 1 << 20)?,
            depth: given.number("depth", d.depth, 1, 6)?,
            exact: given.number("exact", d.exact, 0, 20)?,
            lambda: given.number("lambda", d.lambda, 0.0, 1.0)?,
            update: given.take("update", d.update, "one of both, leaf, root", |text| {
                UPDATES.iter().find(|u| u.0 == text).map(|u| u.1)
            })?,
            opening: given.take(
                "opening",
                d.opening,
                &format!("two rising numbers up to {MOST_OPENING}, such as 4-20"),
                range,
            )?,
            explore: given.number("explore", d.explore, 0.0, 1.0)?,
            rate: given.number("rate", d.rate, 1e-6, 2.0)?,
            fall: given.number("fall", d.fall, 0.0, 1.0)?,
            last_rate: given.number("last-rate", d.last_rate, 0.0, 2.0)?,
            ridge: given.number("ridge", d.ridge, 1e-3, 1e9)?,
            clip: given.number("clip", d.clip, 0.01, 128.0)?,
            noise: given.number("noise", d.noise, 0.0, 10.0)?,
            patterns,
            knots: given.take(
                "knots",
                d.knots,
                "rising disc counts up to 64, such as 8-60:4 or 10+20+40",
                knots,
            )?,
            measure: given.number("measure", d.measure, 0, u64::MAX)?,
            measure_pairs: given.number("measure-pairs", d.measure_pairs, 1, 1_000_000)?,
            measure_depth: given.number("measure-depth", d.measure_depth, 1, 6)?,
            against: given.take("against", d.against, "a model", |t| Some(t.to_string()))?,
            save: given.number("save", d.save, 0, u64::MAX)?,
        };
        given.finish()?;
        Ok(options)
    }

    /// By name, for `run.toml`: all that the result depends on.
    pub fn described(&self) -> BTreeMap<String, String> {
        let name = |list: &[(&str, Update)]| {
            list.iter().find(|u| u.1 == self.update).map_or("", |u| u.0).to_string()
        };
        let method = METHODS.iter().find(|m| m.1 == self.method).map_or("", |m| m.0);
        let knots: Vec<String> = self.knots.iter().map(u8::to_string).collect();
        [
            ("method", method.to_string()),
            ("features", "patterns".to_string()),
            ("games", self.games.to_string()),
            ("batch", self.batch.to_string()),
            ("depth", self.depth.to_string()),
            ("exact", self.exact.to_string()),
            ("lambda", self.lambda.to_string()),
            ("update", name(&UPDATES)),
            ("opening", format!("{}-{}", self.opening.0, self.opening.1)),
            ("explore", self.explore.to_string()),
            ("rate", self.rate.to_string()),
            ("fall", self.fall.to_string()),
            ("last-rate", self.last_rate.to_string()),
            ("ridge", self.ridge.to_string()),
            ("clip", self.clip.to_string()),
            ("noise", self.noise.to_string()),
            ("patterns", self.patterns.join("+")),
            ("knots", knots.join("+")),
            ("measure", self.measure.to_string()),
            ("measure-pairs", self.measure_pairs.to_string()),
            ("measure-depth", self.measure_depth.to_string()),
            ("against", self.against.clone()),
        ]
        .map(|(k, v)| (k.to_string(), v))
        .into()
    }

    /// The rate after so many games: even at first, then falling in a straight line.
    pub fn rate_after(&self, games: u64) -> f64 {
        let done = games as f64 / self.games as f64;
        let share = ((done - self.fall) / (1.0 - self.fall).max(1e-9)).clamp(0.0, 1.0);
        self.rate + share * (self.last_rate.min(self.rate) - self.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(key: &str, value: &str) -> Result<Options, TaskError> {
        let options = vec![(key.to_string(), value.to_string())];
        Options::of(&TdOrder { options, ..TdOrder::default() })
    }

    #[test]
    fn options_are_read_and_told_again() {
        assert_eq!(Options::of(&TdOrder::default()).unwrap(), Options::default());
        assert_eq!(with("lambda", "0.25").unwrap().lambda, 0.25);
        assert_eq!(with("opening", "3-7").unwrap().opening, (3, 7));
        assert_eq!(with("opening", "6").unwrap().opening, (6, 6));
        assert_eq!(with("knots", "10-30:10").unwrap().knots, [10, 20, 30]);
        assert_eq!(with("update", "leaf").unwrap().update, Update::Leaf);
        assert_eq!(with("patterns", "edge+mobility").unwrap().patterns, ["edge", "mobility"]);
        // Every option can be given, and given its own description changes nothing.
        let default = Options::default();
        let described = default.described();
        for named in options() {
            let value = described.get(&named.name).map_or("0", String::as_str);
            assert_eq!(with(&named.name, value).unwrap(), default, "{}", named.name);
        }
    }

    #[test]
    fn options_that_make_no_sense_are_refused_with_what_was_expected() {
        for (key, value, words) in [
            ("lambda", "1.5", "--set lambda=1.5: expected a number from 0 to 1"),
            ("lambda", "NaN", "from 0 to 1"),
            ("depth", "0", "from 1 to 6"),
            ("exact", "21", "from 0 to 20"),
            ("batch", "0", "from 1"),
            ("update", "branch", "one of both, leaf, root"),
            ("opening", "9-3", "such as 4-20"),
            ("opening", "0-60", "up to 44"),
            ("knots", "60-8", "rising"),
            ("knots", "8-60:0", "rising"),
            ("patterns", "edge+edge", "joined by +"),
            ("dream", "1", "there is no option 'dream'; known are: batch, depth"),
        ] {
            let error = with(key, value).expect_err(key).to_string();
            assert!(error.contains(words), "{error}");
        }
        let wrong = |order: TdOrder| Options::of(&order).unwrap_err().to_string();
        let method = Some("othilie".to_string());
        assert!(wrong(TdOrder { method, ..TdOrder::default() }).contains("td-leaf, td"));
        assert!(wrong(TdOrder { games: Some(0), ..TdOrder::default() }).contains("at least one"));
        assert!(wrong(TdOrder { experiments: Some(3), ..TdOrder::default() }).contains("--seed"));
        let twice = vec![("depth".to_string(), "1".to_string()); 2];
        assert!(wrong(TdOrder { options: twice, ..TdOrder::default() }).contains("twice"));
    }

    #[test]
    fn the_rate_falls_in_the_last_part() {
        let options =
            Options { games: 100, rate: 0.4, fall: 0.5, last_rate: 0.1, ..Options::default() };
        assert_eq!(options.rate_after(0), 0.4);
        assert_eq!(options.rate_after(50), 0.4);
        assert!((options.rate_after(75) - 0.25).abs() < 1e-12);
        assert!((options.rate_after(100) - 0.1).abs() < 1e-12);
    }
}

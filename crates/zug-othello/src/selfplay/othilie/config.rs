//! What exactly is run? The experiment groups of the thesis as named configurations (Tables 5.1 and
//! 6.1), those that go beyond it, and every choice that can be changed.

use super::beyond::{Beyond, Positions};
use super::features::FeatureSet;
use super::players::Sight;
use super::search::{Order, Tie};
use super::update::{Bounds, Difference, Gradient, Rule, Tau};
use zug_learn::choices::{bad, number, word, yes};
use zug_learn::face::{Named, TaskError};
use zug_learn::td::face::TdOrder;

/// How weights are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// By the rule of the thesis: Alpha as white against Beta.
    Thesis(Rule),
    /// As in [`super::beyond`].
    Beyond(Beyond),
}

/// One group of experiments, with all choices made.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// `A` to `F`, `beyond`, …
    pub group: String,
    /// How many experiments.
    pub experiments: u32,
    /// Learning games of each.
    pub games: u64,
    /// The features.
    pub set: FeatureSet,
    /// How weights are learned.
    pub method: Method,
    /// How every player of the thesis looks ahead, in learning and in tests.
    pub sight: Sight,
    /// Does Beta begin with Alpha's weights?
    pub same_start: bool,
    /// Beta is handed Alpha's weights after so many wins.
    pub hand_over: u64,
    /// Runs of the first and of the third test.
    pub test_runs: u32,
    /// Games of a run.
    pub test_games: u32,
    /// Is the second test played?
    pub second: bool,
    /// Is the third test played?
    pub third: bool,
    /// Every so many games the polynomial is kept.
    pub keep_every: u64,
    /// Points of the learning curve.
    pub curve: u32,
    /// Stretches of so many games without a win are told.
    pub stretch: usize,
    /// Games between two checkpoints; changes no result.
    pub save_every: u64,
}

/// The learning games of the thesis.
pub const GAMES: u64 = 6500;
/// Those of the groups that go beyond it: in the time of a few groups of the thesis.
const GAMES_BEYOND: u64 = 40_000;
/// No more polynomials are kept of an experiment unless asked for.
const MOST_KEPT: u64 = 10_000;

const GROUPS: [(&str, &str); 11] = [
    ("A", "of the thesis: learning factor 1.0"),
    ("B", "of the thesis: learning factor 0.1"),
    ("C", "of the thesis: learning factor 0.05"),
    ("D", "of the thesis: learning factor 0.01"),
    ("E", "of the thesis: learning factor 0.1, differentiation factor 1.5"),
    ("F", "of the thesis: learning factor 0.1, the modified difference of chapter 6"),
    ("programme", "A to E with the first and second test: the 265,500 games of chapter 5"),
    ("all", "A to F with all tests"),
    ("beyond", "the same features by TD-Leaf(lambda): both colours, chance, falling rate, gate"),
    ("beyond-td", "the same by TD(lambda) on the positions of the games"),
    ("beyond-plus", "as beyond, with mobility and corners"),
];

/// The named configurations.
pub fn groups() -> Vec<Named> {
    GROUPS.iter().map(|(name, help)| Named::new(*name, *help)).collect()
}

/// How the help of options begins that belong to the groups beyond the thesis; they stand last.
pub const BEYOND: &str = "beyond: ";

const OPTIONS: [(&str, &str, &str); 31] = [
    ("alpha", "by group", "learning factor"),
    ("gamma", "by group", "differentiation factor: strengthens changes towards 0"),
    ("difference", "by group", "original | modified: what the leaf is compared with"),
    ("tau", "moves", "moves | discs | none: what values are divided by"),
    ("gradient", "current", "current | stored | leaf: the board whose features tell what changes"),
    ("bounds", "rescale", "rescale | clamp: how weights are kept between -1 and 1"),
    ("depth", "4", "plies of every search (the thesis's five counts the root)"),
    ("order", "rows", "rows | columns: the order in which moves are looked at"),
    ("tie", "first", "first | last | random: which of equal moves is played"),
    ("same-start", "yes", "yes | no: Beta begins with Alpha's weights"),
    ("hand-over", "10", "wins after which Beta gets Alpha's weights"),
    ("test-runs", "3", "runs of the first and third test"),
    ("test-games", "1000", "games of a run"),
    ("second", "by group", "yes | no: play the second test"),
    ("third", "by group", "yes | no: play the third test"),
    ("curve", "0; 12 beyond", "points of the learning curve: the first test on the way"),
    ("keep-every", "1, more beyond 10,000 games", "games between two kept polynomials"),
    ("stretch", "100", "games without a win that make a stretch"),
    ("save-every", "1000", "games between two checkpoints"),
    ("lambda", "0.7", "beyond: weight of later errors"),
    ("rate", "0.05", "beyond: rate of the first game"),
    ("rate-end", "0.002", "beyond: rate of the last game"),
    ("decay", "0.001", "beyond: share of a weight lost at an update of rate 1"),
    ("learn-depth", "2", "beyond: plies of search in learning games, even"),
    ("opening", "12", "beyond: games begin with up to so many random plies"),
    ("explore", "0.02", "beyond: probability of a random move"),
    ("last-discs", "60", "beyond: positions with more discs are not learned from"),
    ("average", "0.5", "beyond: share of the games over whose end weights are averaged"),
    ("gate-every", "500", "beyond: games between matches at the gate, 0 for none"),
    ("gate-games", "50", "beyond: games of such a match"),
    ("gate-score", "0.5", "beyond: share of points that opens the gate"),
];

/// The options with their defaults.
pub fn options() -> Vec<Named> {
    let one = |(name, default, help): &(&str, &str, &str)| {
        Named::new(*name, format!("{help} [{default}]"))
    };
    OPTIONS.iter().map(one).collect()
}

/// The groups that an order asks for, with all choices made.
pub fn plan(order: &TdOrder) -> Result<Vec<Settings>, TaskError> {
    let names: Vec<&str> = match order.group.as_deref() {
        Some("programme") => vec!["A", "B", "C", "D", "E"],
        Some("all") => vec!["A", "B", "C", "D", "E", "F"],
        Some(name) => vec![name],
        None if matches!(order.method.as_deref(), Some("td" | "td-leaf")) => vec!["beyond"],
        None => vec!["own"],
    };
    let mut plan = Vec::new();
    for name in names {
        let mut settings = named(name)?;
        if order.group.as_deref() == Some("programme") {
            settings.third = false;
        }
        change(&mut settings, order)?;
        plan.push(settings);
    }
    Ok(plan)
}

fn named(group: &str) -> Result<Settings, TaskError> {
    let rule = Rule::default();
    let thesis =
        |alpha, gamma, difference| Method::Thesis(Rule { alpha, gamma, difference, ..rule });
    let leaf = Beyond::default();
    let (method, second, set) = match group {
        "A" => (thesis(1.0, 1.0, Difference::Original), true, FeatureSet::THESIS),
        "B" => (thesis(0.1, 1.0, Difference::Original), true, FeatureSet::THESIS),
        "C" => (thesis(0.05, 1.0, Difference::Original), true, FeatureSet::THESIS),
        "D" => (thesis(0.01, 1.0, Difference::Original), true, FeatureSet::THESIS),
        "E" => (thesis(0.1, 1.5, Difference::Original), false, FeatureSet::THESIS),
        "F" => (thesis(0.1, 1.0, Difference::Modified), false, FeatureSet::THESIS),
        "own" => (thesis(0.1, 1.0, Difference::Original), true, FeatureSet::THESIS),
        "beyond" => (Method::Beyond(leaf), true, FeatureSet::THESIS),
        "beyond-td" => {
            let how = Beyond { positions: Positions::Played, ..leaf };
            (Method::Beyond(how), true, FeatureSet::THESIS)
        }
        "beyond-plus" => (Method::Beyond(leaf), true, FeatureSet { mobility: true, corners: true }),
        _ => {
            let known = GROUPS.iter().map(|(name, _)| *name);
            return Err(TaskError::unknown("group", group, known));
        }
    };
    Ok(Settings {
        group: group.to_string(),
        experiments: 3,
        games: if matches!(method, Method::Beyond(_)) { GAMES_BEYOND } else { GAMES },
        set,
        method,
        sight: Sight::default(),
        same_start: true,
        hand_over: 10,
        test_runs: 3,
        test_games: 1000,
        second,
        third: true,
        keep_every: 0,
        curve: if matches!(method, Method::Beyond(_)) { 12 } else { 0 },
        stretch: 100,
        save_every: 1000,
    })
}

fn change(settings: &mut Settings, order: &TdOrder) -> Result<(), TaskError> {
    if let Some(method) = &order.method {
        settings.method = match (method.as_str(), settings.method) {
            ("othilie", Method::Thesis(rule)) => Method::Thesis(rule),
            ("othilie", Method::Beyond(_)) => Method::Thesis(Rule::default()),
            ("td", Method::Beyond(how)) => {
                Method::Beyond(Beyond { positions: Positions::Played, ..how })
            }
            ("td-leaf", Method::Beyond(how)) => {
                Method::Beyond(Beyond { positions: Positions::Leaves, ..how })
            }
            ("td" | "td-leaf", Method::Thesis(_)) => {
                let group = &settings.group;
                return Err(TaskError::Unfit(format!(
                    "group {group} learns by the rule of the thesis; for {method} take the group \
                     'beyond', or none"
                )));
            }
            _ => return Err(TaskError::unknown("method", method, ["othilie", "td", "td-leaf"])),
        };
    }
    if let Some(features) = &order.features {
        settings.set = FeatureSet::THESIS;
        for part in features.split('+') {
            match part {
                "othilie" => {}
                "mobility" => settings.set.mobility = true,
                "corners" => settings.set.corners = true,
                _ => {
                    let known = ["othilie", "mobility", "corners"];
                    return Err(TaskError::unknown("set of features", part, known));
                }
            }
        }
        if settings.is_of_the_thesis() && settings.set != FeatureSet::THESIS {
            let group = &settings.group;
            return Err(TaskError::Unfit(format!(
                "group {group} has features of its own, those of the thesis; for other features \
                 take a group 'beyond', or none"
            )));
        }
    }
    settings.experiments = order.experiments.unwrap_or(settings.experiments);
    settings.games = order.games.unwrap_or(settings.games);
    if settings.experiments == 0 || settings.games == 0 {
        return Err(TaskError::Unfit("there must be at least one experiment and one game".into()));
    }
    for (key, value) in &order.options {
        set(settings, key, value)?;
    }
    if settings.keep_every == 0 {
        settings.keep_every = settings.games.div_ceil(MOST_KEPT);
    }
    let kept = settings.games.div_ceil(settings.keep_every);
    if kept > 1_000_000 {
        return Err(TaskError::Unfit(format!(
            "{kept} polynomials of each experiment are too many to keep: set keep-every to at \
             least {}",
            settings.games.div_ceil(1_000_000)
        )));
    }
    Ok(())
}

fn set(settings: &mut Settings, key: &str, value: &str) -> Result<(), TaskError> {
    match key {
        "depth" => settings.sight.depth = number(key, value, 1..=10)?,
        "order" => {
            settings.sight.order =
                word(key, value, &[("rows", Order::Rows), ("columns", Order::Columns)])?;
        }
        "tie" => {
            let known = [("first", Tie::First), ("last", Tie::Last), ("random", Tie::Random)];
            settings.sight.tie = word(key, value, &known)?;
        }
        "same-start" => settings.same_start = yes(key, value)?,
        "hand-over" => settings.hand_over = number(key, value, 1..=1_000_000)?,
        "test-runs" => settings.test_runs = number(key, value, 1..=1000)?,
        "test-games" => settings.test_games = number(key, value, 1..=1_000_000)?,
        "second" => settings.second = yes(key, value)?,
        "third" => settings.third = yes(key, value)?,
        "curve" => settings.curve = number(key, value, 0..=30)?,
        "keep-every" => settings.keep_every = number(key, value, 1..=1_000_000_000)?,
        "stretch" => settings.stretch = number(key, value, 1..=1_000_000_000)?,
        "save-every" => settings.save_every = number(key, value, 1..=1_000_000_000)?,
        _ => {
            let known = match &mut settings.method {
                Method::Thesis(rule) => set_rule(rule, key, value)?,
                Method::Beyond(how) => set_beyond(how, key, value)?,
            };
            if !known {
                return Err(unfit(&settings.method, key));
            }
        }
    }
    Ok(())
}

fn unfit(method: &Method, key: &str) -> TaskError {
    let all = options();
    if all.iter().any(|o| o.name == key) {
        let other = match method {
            Method::Thesis(_) => "is not part of the thesis's rule; it belongs to td and td-leaf",
            Method::Beyond(_) => "belongs to the thesis's rule, not to td and td-leaf",
        };
        return TaskError::Unfit(format!("the option '{key}' {other}"));
    }
    TaskError::unknown("option", key, all.iter().map(|o| o.name.as_str()))
}

fn set_rule(rule: &mut Rule, key: &str, value: &str) -> Result<bool, TaskError> {
    match key {
        "alpha" => rule.alpha = number(key, value, 0.0..=1000.0)?,
        "gamma" => rule.gamma = number(key, value, 0.0..=1000.0)?,
        "difference" => {
            let known = [("original", Difference::Original), ("modified", Difference::Modified)];
            rule.difference = word(key, value, &known)?;
        }
        "tau" => {
            let known = [("moves", Tau::Moves), ("discs", Tau::Discs), ("none", Tau::None)];
            rule.tau = word(key, value, &known)?;
        }
        "gradient" => {
            let known = [
                ("current", Gradient::Current),
                ("stored", Gradient::Stored),
                ("leaf", Gradient::Leaf),
            ];
            rule.gradient = word(key, value, &known)?;
        }
        "bounds" => {
            let known = [("rescale", Bounds::Rescale), ("clamp", Bounds::Clamp)];
            rule.bounds = word(key, value, &known)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn set_beyond(how: &mut Beyond, key: &str, value: &str) -> Result<bool, TaskError> {
    match key {
        "lambda" => how.lambda = number(key, value, 0.0..=1.0)?,
        "rate" => how.rate = number(key, value, 1e-12..=1.0)?,
        "rate-end" => how.rate_end = number(key, value, 1e-12..=1.0)?,
        "decay" => how.decay = number(key, value, 0.0..=1.0)?,
        "learn-depth" => {
            how.depth = number(key, value, 2..=10)?;
            if !how.depth.is_multiple_of(2) {
                return Err(bad(key, value, "an even number of plies"));
            }
        }
        "opening" => how.opening = number(key, value, 0..=50)?,
        "explore" => how.explore = number(key, value, 0.0..=1.0)?,
        "last-discs" => how.last_discs = number(key, value, 5..=64)?,
        "average" => how.average = number(key, value, 0.0..=1.0)?,
        "gate-every" => how.gate_every = number(key, value, 0..=u64::MAX)?,
        "gate-games" => how.gate_games = number(key, value, 2..=1_000_000)?,
        "gate-score" => how.gate_score = number(key, value, 0.0..=1.0)?,
        _ => return Ok(false),
    }
    Ok(true)
}

impl Settings {
    /// All choices in words, for `run.toml` and the page.
    #[must_use]
    pub fn facts(&self) -> Vec<(String, String)> {
        let yes = |b: bool| if b { "yes" } else { "no" }.to_string();
        let small = |text: String| text.to_lowercase();
        let mut facts = vec![
            ("experiments", self.experiments.to_string()),
            ("games", self.games.to_string()),
            ("features", self.set.len().to_string()),
            ("depth", self.sight.depth.to_string()),
            ("order", small(format!("{:?}", self.sight.order))),
            ("tie", small(format!("{:?}", self.sight.tie))),
            ("test-runs", self.test_runs.to_string()),
            ("test-games", self.test_games.to_string()),
            ("second", yes(self.second)),
            ("third", yes(self.third)),
            ("curve", self.curve.to_string()),
            ("keep-every", self.keep_every.to_string()),
        ];
        match &self.method {
            Method::Thesis(rule) => facts.extend([
                ("method", "othilie".to_string()),
                ("alpha", rule.alpha.to_string()),
                ("gamma", rule.gamma.to_string()),
                ("difference", small(format!("{:?}", rule.difference))),
                ("tau", small(format!("{:?}", rule.tau))),
                ("gradient", small(format!("{:?}", rule.gradient))),
                ("bounds", small(format!("{:?}", rule.bounds))),
                ("same-start", yes(self.same_start)),
                ("hand-over", self.hand_over.to_string()),
            ]),
            Method::Beyond(how) => facts.extend([
                (
                    "method",
                    match how.positions {
                        Positions::Played => "td",
                        Positions::Leaves => "td-leaf",
                    }
                    .to_string(),
                ),
                ("lambda", how.lambda.to_string()),
                ("rate", how.rate.to_string()),
                ("rate-end", how.rate_end.to_string()),
                ("decay", how.decay.to_string()),
                ("learn-depth", how.depth.to_string()),
                ("opening", how.opening.to_string()),
                ("explore", how.explore.to_string()),
                ("last-discs", how.last_discs.to_string()),
                ("average", how.average.to_string()),
                ("gate-every", how.gate_every.to_string()),
                ("gate-games", how.gate_games.to_string()),
                ("gate-score", how.gate_score.to_string()),
            ]),
        }
        facts.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// Is this a group of the thesis with all its choices untouched?
    #[must_use]
    pub fn is_of_the_thesis(&self) -> bool {
        self.group.len() == 1
    }

    /// The name of an experiment, counted from 0: `A1`.
    #[must_use]
    pub fn name(&self, experiment: u32) -> String {
        let dash = if self.is_of_the_thesis() { "" } else { "-" };
        format!("{}{dash}{}", self.group, experiment + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(group: Option<&str>, options: &[(&str, &str)]) -> TdOrder {
        TdOrder {
            group: group.map(str::to_string),
            options: options.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
            ..TdOrder::default()
        }
    }

    #[test]
    fn the_groups_have_the_parameters_of_the_thesis() {
        let plan = plan(&order(Some("all"), &[])).unwrap();
        let found: Vec<_> = plan
            .iter()
            .map(|s| match s.method {
                Method::Thesis(r) => (s.group.as_str(), r.alpha, r.gamma, r.difference, s.second),
                Method::Beyond(_) => panic!("{}", s.group),
            })
            .collect();
        use Difference::{Modified, Original};
        assert_eq!(
            found,
            [
                ("A", 1.0, 1.0, Original, true),
                ("B", 0.1, 1.0, Original, true),
                ("C", 0.05, 1.0, Original, true),
                ("D", 0.01, 1.0, Original, true),
                ("E", 0.1, 1.5, Original, false),
                ("F", 0.1, 1.0, Modified, false),
            ]
        );
        assert!(plan.iter().all(|s| s.games == 6500 && s.experiments == 3 && s.sight.depth == 4));
        let programme = super::plan(&order(Some("programme"), &[])).unwrap();
        let games: u64 = programme
            .iter()
            .map(|s| {
                let first = u64::from(2 * s.test_runs * s.test_games);
                let second = if s.second { s.games } else { 0 };
                assert!(!s.third);
                u64::from(s.experiments) * (s.games + first + second)
            })
            .sum();
        assert_eq!(games, 265_500);
    }

    #[test]
    fn every_ambiguity_is_an_option_and_every_option_is_known() {
        let thesis = [
            ("alpha", "0.2"),
            ("gamma", "2"),
            ("difference", "modified"),
            ("tau", "none"),
            ("gradient", "leaf"),
            ("bounds", "clamp"),
            ("depth", "5"),
            ("order", "columns"),
            ("tie", "last"),
            ("same-start", "no"),
            ("hand-over", "7"),
            ("test-runs", "2"),
            ("test-games", "9"),
            ("second", "no"),
            ("third", "no"),
            ("curve", "6"),
            ("keep-every", "3"),
            ("stretch", "4"),
            ("save-every", "5"),
        ];
        let settings = plan(&order(Some("B"), &thesis)).unwrap().remove(0);
        let facts = settings.facts();
        for (key, value) in thesis.iter().filter(|(k, _)| !["stretch", "save-every"].contains(k)) {
            let value = value.to_string();
            assert!(facts.contains(&(key.to_string(), value.clone())), "{key}={value}");
        }
        let beyond = [
            ("lambda", "0.5"),
            ("rate", "0.01"),
            ("rate-end", "0.001"),
            ("decay", "0"),
            ("learn-depth", "4"),
            ("opening", "3"),
            ("explore", "0.1"),
            ("last-discs", "50"),
            ("average", "0.25"),
            ("gate-every", "0"),
            ("gate-games", "10"),
            ("gate-score", "0.6"),
        ];
        let facts = plan(&order(Some("beyond"), &beyond)).unwrap()[0].facts();
        for (key, value) in beyond {
            assert!(facts.contains(&(key.to_string(), value.to_string())), "{key}={value}");
        }
        let known: Vec<&str> = thesis.iter().chain(&beyond).map(|(k, _)| *k).collect();
        let options = options();
        let listed: Vec<&str> = options.iter().map(|o| o.name.as_str()).collect();
        assert_eq!(known, listed);
    }

    #[test]
    fn wrong_options_are_told_with_what_would_be_right() {
        let told = |group, options: &[(&str, &str)]| {
            plan(&order(Some(group), options)).unwrap_err().to_string()
        };
        assert!(told("B", &[("tau", "time")]).contains("moves, discs, none"));
        assert!(told("B", &[("depth", "0")]).contains("a number from 1 to 10"));
        assert!(told("B", &[("alpha", "NaN")]).contains("alpha"));
        assert!(told("B", &[("lambda", "0.5")]).contains("td-leaf"));
        assert!(told("beyond", &[("tau", "none")]).contains("thesis"));
        assert!(told("beyond", &[("learn-depth", "3")]).contains("even"));
        assert!(told("B", &[("speed", "1")]).contains("gate-score"));
        assert!(told("Z", &[]).contains("beyond-td"));
        let mut order = order(Some("A"), &[]);
        order.method = Some("td".into());
        assert!(plan(&order).unwrap_err().to_string().contains("beyond"));
        order.method = None;
        order.features = Some("othilie+mobility".into());
        assert!(plan(&order).unwrap_err().to_string().contains("features of its own"));
        order.group = Some("beyond".into());
        assert!(plan(&order).unwrap()[0].set.mobility);
    }
}

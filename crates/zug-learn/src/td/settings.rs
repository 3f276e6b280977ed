//! Every choice of a learner, by name, with its default.

use super::chain::Lesson;
use super::linear::Squash;
use super::rates::{Own, Rates, Schedule, words};
use crate::face::{Named, TaskError};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use zug_core::error::shorten;

/// Which value is moved: that of the position, or that of the leaf of its look-ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// TD(λ): the positions of the game.
    Td,
    /// TD-Leaf(λ): the leaves of their look-aheads.
    TdLeaf,
}

/// How moves are tried out that do not look best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explore {
    /// Some moves are drawn at random.
    Epsilon,
    /// The better a move looks, the likelier it is.
    Softmax,
}

/// Which positions follow each other in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// All positions of the game.
    All,
    /// Those of one side: a chain for each.
    Own,
}

/// When the weights change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// After a batch of games.
    Games,
    /// After every move.
    Moves,
}

/// Whom the learner plays against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Itself.
    Itself,
    /// The last of its earlier selves that has won its match.
    Champion,
    /// Any of those.
    Pool,
}

/// Which weights become the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Those at the end.
    Last,
    /// The mean over the second half of the run.
    Average,
    /// Those of the champion.
    Champion,
}

words!(Method, "td or td-leaf", "td" => Method::Td, "td-leaf" => Method::TdLeaf);
words!(Explore, "epsilon or softmax",
    "epsilon" => Explore::Epsilon, "softmax" => Explore::Softmax);
words!(Follow, "all or own", "all" => Follow::All, "own" => Follow::Own);
words!(Update, "games or moves", "games" => Update::Games, "moves" => Update::Moves);
words!(Opponent, "self, champion or pool",
    "self" => Opponent::Itself, "champion" => Opponent::Champion, "pool" => Opponent::Pool);
words!(Keep, "last, average or champion",
    "last" => Keep::Last, "average" => Keep::Average, "champion" => Keep::Champion);

/// Every choice of a learner.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The method.
    pub method: Method,
    /// Games to play.
    pub games: u64,
    /// λ.
    pub lambda: f64,
    /// Plies of look-ahead by which moves are chosen.
    pub depth: u32,
    /// The rate at the beginning.
    pub rate: f64,
    /// The rate at the end, where it decays.
    pub rate_end: f64,
    /// How the rate goes on.
    pub schedule: Schedule,
    /// What each weight adds.
    pub own: Own,
    /// Divide steps by the squared length of the features?
    pub normalise: bool,
    /// What becomes of the weighted sum.
    pub squash: Squash,
    /// The largest random weight at the beginning.
    pub init: f64,
    /// How moves are tried out.
    pub explore: Explore,
    /// The share of random moves at the beginning, or the temperature.
    pub epsilon: f64,
    /// … and at the end.
    pub epsilon_end: f64,
    /// Does a chain end where a move was tried out?
    pub cut: bool,
    /// Up to so many random moves begin each game.
    pub opening: u32,
    /// Which positions make a chain.
    pub follow: Follow,
    /// When the weights change.
    pub update: Update,
    /// Games with the same weights.
    pub batch: u32,
    /// Longer games count as drawn.
    pub max_plies: u32,
    /// The value of a draw for the first side.
    pub draw: f64,
    /// Whom the learner plays against.
    pub opponent: Opponent,
    /// In what share of the games.
    pub opponent_share: f64,
    /// How many earlier selves are kept.
    pub pool: u32,
    /// Games of the match against the champion.
    pub gate_games: u32,
    /// The share of points that makes a new champion.
    pub gate_score: f64,
    /// Which weights become the model.
    pub keep: Keep,
    /// How many times the learner is measured.
    pub rounds: u32,
    /// Positions on which it is measured.
    pub sample: u32,
    /// Games against random moves, and against the reference, at each measuring.
    pub test_games: u32,
    /// Plies that the reference looks ahead.
    pub reference_depth: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            method: Method::Td,
            games: 20_000,
            lambda: 0.7,
            depth: 1,
            rate: 0.3,
            rate_end: 0.03,
            schedule: Schedule::Decay,
            own: Own::Same,
            normalise: true,
            squash: Squash::Tanh,
            init: 0.0,
            explore: Explore::Epsilon,
            epsilon: 0.2,
            epsilon_end: 0.05,
            cut: true,
            opening: 2,
            follow: Follow::All,
            update: Update::Games,
            batch: 16,
            max_plies: 200,
            draw: 0.0,
            opponent: Opponent::Itself,
            opponent_share: 0.5,
            pool: 8,
            gate_games: 100,
            gate_score: 0.55,
            keep: Keep::Last,
            rounds: 20,
            sample: 1000,
            test_games: 100,
            reference_depth: 3,
        }
    }
}

/// Name, bounds or choices, and a line of help.
const OPTIONS: &[(&str, &str)] = &[
    ("lambda", "how far errors are carried back: 0 one step, 1 to the end of the game"),
    ("depth", "plies of look-ahead that choose the moves, 1 to 12"),
    ("rate", "how large the steps are at the beginning"),
    ("rate-end", "… and at the end, where they decay"),
    ("schedule", "the rate in between: constant, decay, harmonic (as 1/t)"),
    ("own", "what each weight adds to the rate: same, coherence (of its corrections), adagrad"),
    ("normalise", "divide steps by the squared length of the features: on, off"),
    ("squash", "the value from the weighted sum: tanh, none"),
    ("init", "random weights of up to this size at the beginning; 0 begins at nought"),
    ("explore", "how other moves are tried: epsilon (at random), softmax (by their value)"),
    ("epsilon", "share of random moves (epsilon) or temperature (softmax) at the beginning"),
    ("epsilon-end", "… and at the end; it falls evenly"),
    ("cut", "what came after a move that was tried out does not count before it: on, off"),
    ("opening", "each game begins with up to so many random moves, which are not learned from"),
    ("follow", "what is compared: all positions of a game, or own, those of each side"),
    ("update", "weights change after a batch of games, or after all moves: games, moves"),
    ("batch", "games that are played with the same weights, at once"),
    ("max-plies", "longer games are drawn"),
    ("draw", "the value of a draw for the first side, -1 to 1"),
    ("opponent", "self; champion, the last to win its match; pool, any earlier champion"),
    ("opponent-share", "share of the games against champion or pool; the rest is self-play"),
    ("pool", "how many champions are kept"),
    ("gate-games", "games of the match that makes a new champion; 0 for no match"),
    ("gate-score", "share of the points that wins it"),
    ("keep", "the model: last weights, average of the second half of the run, or champion"),
    ("rounds", "how many times the learner is measured and saved"),
    ("sample", "positions on which its moves are judged, of each kind"),
    ("test-games", "games against random moves and against the reference at each measuring"),
    ("reference-depth", "plies that the reference, the hand-made evaluation, looks ahead"),
];

impl Settings {
    /// All options with their defaults here.
    #[must_use]
    pub fn options(&self) -> Vec<Named> {
        let values = self.values();
        OPTIONS
            .iter()
            .map(|&(name, help)| Named::new(name, format!("{help} ({})", values[name])))
            .collect()
    }

    /// Every choice as text: what a run is made with.
    #[must_use]
    pub fn values(&self) -> BTreeMap<String, String> {
        let switch = |on: bool| if on { "on" } else { "off" }.to_string();
        let pairs: [(&str, String); 31] = [
            ("method", self.method.to_string()),
            ("games", self.games.to_string()),
            ("lambda", self.lambda.to_string()),
            ("depth", self.depth.to_string()),
            ("rate", self.rate.to_string()),
            ("rate-end", self.rate_end.to_string()),
            ("schedule", self.schedule.to_string()),
            ("own", self.own.to_string()),
            ("normalise", switch(self.normalise)),
            ("squash", self.squash.to_string()),
            ("init", self.init.to_string()),
            ("explore", self.explore.to_string()),
            ("epsilon", self.epsilon.to_string()),
            ("epsilon-end", self.epsilon_end.to_string()),
            ("cut", switch(self.cut)),
            ("opening", self.opening.to_string()),
            ("follow", self.follow.to_string()),
            ("update", self.update.to_string()),
            ("batch", self.batch.to_string()),
            ("max-plies", self.max_plies.to_string()),
            ("draw", self.draw.to_string()),
            ("opponent", self.opponent.to_string()),
            ("opponent-share", self.opponent_share.to_string()),
            ("pool", self.pool.to_string()),
            ("gate-games", self.gate_games.to_string()),
            ("gate-score", self.gate_score.to_string()),
            ("keep", self.keep.to_string()),
            ("rounds", self.rounds.to_string()),
            ("sample", self.sample.to_string()),
            ("test-games", self.test_games.to_string()),
            ("reference-depth", self.reference_depth.to_string()),
        ];
        pairs.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// Sets an option by its name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TaskError> {
        match name {
            "lambda" => self.lambda = number(name, value, 0.0, 1.0)?,
            "depth" => self.depth = number(name, value, 1, 12)?,
            "rate" => self.rate = number(name, value, 1e-9, 1e6)?,
            "rate-end" => self.rate_end = number(name, value, 1e-9, 1e6)?,
            "schedule" => self.schedule = word(name, value)?,
            "own" => self.own = word(name, value)?,
            "normalise" => self.normalise = switch(name, value)?,
            "squash" => self.squash = word(name, value)?,
            "init" => self.init = number(name, value, 0.0, 100.0)?,
            "explore" => self.explore = word(name, value)?,
            "epsilon" => self.epsilon = number(name, value, 0.0, 1.0)?,
            "epsilon-end" => self.epsilon_end = number(name, value, 0.0, 1.0)?,
            "cut" => self.cut = switch(name, value)?,
            "opening" => self.opening = number(name, value, 0, 1000)?,
            "follow" => self.follow = word(name, value)?,
            "update" => self.update = word(name, value)?,
            "batch" => self.batch = number(name, value, 1, 1 << 16)?,
            "max-plies" => self.max_plies = number(name, value, 1, 100_000)?,
            "draw" => self.draw = number(name, value, -1.0, 1.0)?,
            "opponent" => self.opponent = word(name, value)?,
            "opponent-share" => self.opponent_share = number(name, value, 0.0, 1.0)?,
            "pool" => self.pool = number(name, value, 1, 64)?,
            "gate-games" => self.gate_games = number(name, value, 0, 100_000)?,
            "gate-score" => self.gate_score = number(name, value, 0.0, 1.0)?,
            "keep" => self.keep = word(name, value)?,
            "rounds" => self.rounds = number(name, value, 1, 10_000)?,
            "sample" => self.sample = number(name, value, 1, 1_000_000)?,
            "test-games" => self.test_games = number(name, value, 0, 100_000)?,
            "reference-depth" => self.reference_depth = number(name, value, 1, 12)?,
            _ => return Err(TaskError::unknown("option", name, OPTIONS.iter().map(|o| o.0))),
        }
        Ok(())
    }

    /// Refuses what does not fit together.
    pub fn check(&self) -> Result<(), TaskError> {
        let unfit = |what: &str| Err(TaskError::Unfit(what.to_string()));
        if self.update == Update::Moves && self.follow == Follow::Own {
            return unfit(
                "'update=moves' learns from all positions: it does not go with 'follow=own'",
            );
        }
        if self.keep == Keep::Champion && self.gate_games == 0 {
            return unfit("'keep=champion' needs a match that makes one: set 'gate-games'");
        }
        if self.opponent != Opponent::Itself && self.gate_games == 0 {
            return unfit("an opponent other than self needs 'gate-games' of at least 1");
        }
        Ok(())
    }

    /// How chains are learned from.
    #[must_use]
    pub fn lesson(&self) -> Lesson {
        Lesson { lambda: self.lambda, squash: self.squash, normalise: self.normalise }
    }

    /// The rate over the run.
    #[must_use]
    pub fn rates(&self) -> Rates {
        Rates { first: self.rate, last: self.rate_end, schedule: self.schedule }
    }

    /// The share of random moves, or the temperature, after so many games.
    #[must_use]
    pub fn exploration(&self, game: u64) -> f64 {
        let done = game as f64 / self.games.max(1) as f64;
        self.epsilon + (self.epsilon_end - self.epsilon) * done
    }
}

fn bad(name: &str, expected: impl fmt::Display, value: &str) -> TaskError {
    TaskError::Unfit(format!("expected {expected} for '{name}', found '{}'", shorten(value)))
}

fn number<T: FromStr + PartialOrd + fmt::Display>(
    name: &str,
    value: &str,
    least: T,
    most: T,
) -> Result<T, TaskError> {
    let read = value.trim().parse().ok().filter(|n: &T| *n >= least && *n <= most);
    read.ok_or_else(|| bad(name, format!("a number from {least} to {most}"), value))
}

fn word<T: FromStr<Err = String>>(name: &str, value: &str) -> Result<T, TaskError> {
    value.trim().parse().map_err(|expected| bad(name, expected, value))
}

fn switch(name: &str, value: &str) -> Result<bool, TaskError> {
    match value.trim() {
        "on" | "yes" | "true" => Ok(true),
        "off" | "no" | "false" => Ok(false),
        _ => Err(bad(name, "on or off", value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_its_default() {
        let plain = Settings::default();
        let values = plain.values();
        let mut set = Settings::default();
        for (name, _) in OPTIONS {
            set.set(name, &values[*name]).unwrap();
        }
        assert_eq!(set, plain);
        // The method and the number of games have words of their own.
        assert_eq!(values.len(), OPTIONS.len() + 2);
    }

    #[test]
    fn bad_values_are_named_with_what_would_do() {
        let mut settings = Settings::default();
        let mut told = |name, value| settings.set(name, value).unwrap_err().to_string();
        assert_eq!(told("lambda", "2"), "expected a number from 0 to 1 for 'lambda', found '2'");
        assert!(told("lambda", "NaN").contains("from 0 to 1"));
        assert!(told("own", "x").contains("coherence"));
        assert!(told("cut", "x").contains("on or off"));
        assert!(told("lamda", "0").contains("known are: lambda"));
        settings.update = Update::Moves;
        settings.follow = Follow::Own;
        assert!(settings.check().is_err());
    }
}

//! Which choices are there? Everything that the thesis leaves open is an option; the experiments
//! are named sets of choices, of one or several variants that are compared.
//!
//! | file | answers |
//! |---|---|
//! | `experiments` | which sets of choices have names? |
//! | `options` | what can `--set` change? |
//! | `facts` | what was chosen, in words? |

mod experiments;
mod facts;
mod options;

pub use experiments::groups;
pub use options::{features, methods, options, set_option};

use super::lesson::Rule;
use super::rates::{Decay, Descent, Rates};
use super::student::{Derivative, Source, Teaching};
use crate::factors::FACTORS;
use crate::model::Start;
use crate::types::Scheme;
use std::path::PathBuf;
use zug_learn::choices::number;
use zug_learn::face::TaskError;
use zug_learn::td::face::TdOrder;

/// Against whom, unless said otherwise: the evaluation by hand, from hardly thinking to thinking
/// more than the learner.
pub const POOL: &str = "zug:model=hand,nodes=25,hash=1M;zug:model=hand,nodes=100,hash=1M;\
                        zug:model=hand,nodes=400,hash=1M;zug:model=hand,nodes=1600,hash=1M;\
                        zug:model=hand,nodes=6400,hash=1M";

/// Whom tests are played against, unless said otherwise. `start` is the learner as it began.
pub const TESTERS: &str = "start;zug:model=hand,nodes=100,hash=1M;zug:model=hand,nodes=800,hash=1M";

/// The word for a game against oneself.
pub const SELF: &str = "self";
/// The word for the learner as it began.
pub const BEGINNING: &str = "start";

/// The size of a step. From material alone 308 games gained 230 Elo with 0.5, 296 with 0.2 and 306
/// with 0.1.
const STEP: f64 = 0.2;
/// Where every weight is a pawn's, most of them have far to go.
const FAR_STEP: f64 = 0.5;
/// Weights that are good already are soon spoiled by large steps: the step and after how many games
/// it is halved, for what begins with weights set by hand.
const HAND_SET_STEP: f64 = 0.1;
const HAND_SET_HALF: f64 = 1000.0;

/// What the learner begins with.
#[derive(Clone, Debug, PartialEq)]
pub enum Beginning {
    /// One of the starts of a model.
    Set(Start),
    /// A model in a file, or a shipped one.
    File(String),
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// At the start position.
    Start,
    /// After so many random plies that a search finds balanced.
    Random(u32),
    /// With the openings of a file, in their order.
    File(PathBuf),
}

/// Which logs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logs {
    /// That of the last game.
    Last,
    /// All that were learned from.
    All,
    /// None.
    None,
}

/// All choices of one variant.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its name, and that of its folders.
    pub name: String,
    /// How many times the same is learned from other random beginnings.
    pub experiments: u32,
    /// Games of each.
    pub games: u64,
    /// How games are studied.
    pub teaching: Teaching,
    /// The factors that never move, in words.
    pub frozen: String,
    /// Are drawn games learned from?
    pub draws: bool,
    /// How positions are given to columns of weights.
    pub scheme: SchemeChoice,
    /// What the learner begins with.
    pub start: Beginning,
    /// Positions that are searched for each move.
    pub nodes: u64,
    /// The search: `modern` or `thesis`.
    pub search: String,
    /// Where games begin.
    pub opened: Opened,
    /// Against whom.
    pub opponents: Vec<String>,
    /// Is the one chosen that is nearest in strength? Else all in turn.
    pub matched: bool,
    /// Learn from both sides of a game against oneself?
    pub both: bool,
    /// Games that are played with the same weights, and learned from one after the other.
    pub batch: u64,
    /// Are only games learned from that begin at the start position?
    pub from_start: bool,
    /// Plies after which a game is broken off.
    pub most_plies: usize,
    /// Seconds after which a foreign engine that does not move is given up.
    pub patience: u64,
    /// Broken games in a row against one opponent after which the run gives up; 0: never.
    pub give_up: u64,
    /// Which logs are kept.
    pub logs: Logs,
    /// Games between checkpoints.
    pub save_every: u64,
    /// Whom tests are played against.
    pub testers: Vec<String>,
    /// Games of a test against each.
    pub test_games: u64,
    /// Positions that the learner searches for each move of a test; as many as in learning for 0.
    pub test_nodes: u64,
    /// After how many games tests are played, rising, 0 first.
    pub points: Vec<u64>,
    /// Keys that make the variant what it is, and cannot be changed.
    pub fixed: Vec<&'static str>,
}

/// A scheme, or a file that holds one.
#[derive(Clone, Debug, PartialEq)]
pub enum SchemeChoice {
    /// By its word.
    Scheme(Scheme),
    /// That of the model which the learner begins with.
    OfStart,
    /// That of some model, of which nothing else is taken.
    OfFile(String),
}

/// Two variants that play each other at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duel {
    /// Whose points are told.
    pub of: usize,
    /// Against whom.
    pub against: usize,
    /// Games for each pair of experiments.
    pub games: u64,
}

/// A whole experiment.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// What is compared.
    pub variants: Vec<Settings>,
    /// Who plays whom at the end.
    pub duels: Vec<Duel>,
    /// What the thesis says.
    pub printed: &'static [(&'static str, &'static str)],
    /// Is it the check of a single step?
    pub single_step: bool,
}

impl Settings {
    /// KnightCap's learner with the thesis's λ, from material alone.
    fn basic(name: &str) -> Settings {
        Settings {
            name: name.to_string(),
            experiments: 1,
            games: 300,
            teaching: Teaching {
                rule: Rule::knightcap(),
                rates: Rates {
                    start: 1.0,
                    step: STEP,
                    decay: Decay::Games,
                    half: 300.0,
                    descent: Descent::Plain,
                    most: 100.0,
                },
                source: Source::Leaf,
                derivative: Derivative::Counts,
                frozen: vec![false; FACTORS],
            },
            frozen: "none".to_string(),
            draws: false,
            scheme: SchemeChoice::Scheme(Scheme::KnightCap),
            start: Beginning::Set(Start::KnightCap1),
            nodes: 2000,
            search: "modern".to_string(),
            opened: Opened::Random(8),
            opponents: specs(POOL),
            matched: true,
            both: false,
            batch: 1,
            from_start: false,
            most_plies: 400,
            patience: 30,
            give_up: 10,
            logs: Logs::Last,
            save_every: 1,
            testers: specs(TESTERS),
            test_games: 100,
            test_nodes: 0,
            points: Vec::new(),
            fixed: Vec::new(),
        }
    }

    /// Those of a player that learns from the games that it is given.
    #[must_use]
    pub fn of_session(scheme: Scheme, start: Start) -> Settings {
        let mut settings = Settings::basic("session");
        settings.scheme = SchemeChoice::Scheme(scheme);
        settings.start = Beginning::Set(start);
        settings.teaching.rates.step = HAND_SET_STEP;
        settings.teaching.rates.half = HAND_SET_HALF;
        settings.from_start = true;
        settings
    }

    /// The word of the scheme.
    #[must_use]
    pub fn scheme_word(&self) -> String {
        match &self.scheme {
            SchemeChoice::Scheme(scheme) => scheme.word(),
            SchemeChoice::OfStart => "start".to_string(),
            SchemeChoice::OfFile(file) => file.clone(),
        }
    }

    /// Positions searched for each move of a test.
    #[must_use]
    pub fn nodes_in_tests(&self) -> u64 {
        if self.test_nodes == 0 { self.nodes } else { self.test_nodes }
    }

    /// The name of an experiment, counted from 0.
    #[must_use]
    pub fn experiment(&self, number: u32) -> String {
        format!("{}-{}", self.name, number + 1)
    }
}

/// Splits a list of players: at `;` where there is one, else at `+`.
#[must_use]
pub fn specs(text: &str) -> Vec<String> {
    let mark = if text.contains(';') { ';' } else { '+' };
    text.split(mark).map(|s| s.trim().to_string()).filter(|s| !s.is_empty()).collect()
}

/// What an order asks for.
pub fn plan(order: &TdOrder) -> Result<Plan, TaskError> {
    let mut plan = match order.group.as_deref() {
        None => Plan {
            name: "td-leaf".to_string(),
            variants: vec![Settings::basic("td-leaf")],
            duels: Vec::new(),
            printed: &[],
            single_step: false,
        },
        Some(group) => experiments::named(group).ok_or_else(|| {
            TaskError::unknown("experiment", group, groups().iter().map(|g| g.name.as_str()))
        })?,
    };
    let mut given = order.options.clone();
    let clusters = given.iter().position(|(k, _)| k == "clusters");
    if let Some(at) = clusters {
        let (_, file) = given.remove(at);
        let Some(like) = plan.variants.last().filter(|_| plan.name == "types") else {
            return Err(TaskError::Unfit(
                "clusters=FILE belongs to the experiment types; elsewhere say types=FILE"
                    .to_string(),
            ));
        };
        let found = super::open_model(&file)?.scheme;
        if !matches!(found, Scheme::Clusters(_)) {
            return Err(TaskError::Unfit(format!(
                "clusters={file}: expected a model whose types are clusters, found one with the \
                 types '{}'",
                found.word()
            )));
        }
        let variant = Settings {
            name: "types-clusters".into(),
            scheme: SchemeChoice::OfFile(file),
            ..like.clone()
        };
        let of = plan.variants.len();
        plan.variants.push(variant);
        plan.duels.push(Duel { of, against: 0, games: 200 });
    }
    let several = plan.variants.len() > 1;
    for settings in &mut plan.variants {
        let free = |key: &str| !settings.fixed.contains(&key);
        // What learns nothing stays so; and knightcap1's side of knightcap3 is as long as it was.
        match order.games {
            Some(games) if settings.name == "pool" => settings.games = settings.games.min(games),
            Some(games) if settings.games > 0 => settings.games = games,
            _ => {}
        }
        if order.games == Some(0) {
            return Err(TaskError::Unfit("there must be at least one game".into()));
        }
        settings.experiments = order.experiments.unwrap_or(settings.experiments).clamp(1, 10_000);
        if let Some(method) = &order.method {
            if !free("method") {
                return Err(fixed_here("method", &plan.name));
            }
            settings.teaching.source = match method.as_str() {
                "td-leaf" => Source::Leaf,
                "td-root" => Source::Root,
                "td-unquiet" => Source::Unquiet,
                other => {
                    let known = methods();
                    let names = known.iter().map(|m| m.name.as_str());
                    return Err(TaskError::unknown("method", other, names));
                }
            };
        }
        for (key, value) in &given {
            if !settings.fixed.contains(&key.as_str()) {
                set_option(settings, key, value)?;
            } else if !several || key == "types" {
                return Err(fixed_here(key, &plan.name));
            }
        }
        if settings.points.is_empty() {
            settings.points = options::spread(options::POINTS, settings.games);
        }
        settings.points.retain(|&p| p <= settings.games);
        if settings.points.first() != Some(&0) {
            settings.points.insert(0, 0);
        }
        if settings.scheme == SchemeChoice::OfStart && matches!(settings.start, Beginning::Set(_)) {
            return Err(TaskError::Unfit("types=start needs start=FILE".to_string()));
        }
    }
    if let Some((_, games)) = given.iter().find(|(k, _)| k == "test-games") {
        let games = number("test-games", games, 0..=1_000_000)?;
        plan.duels.iter_mut().for_each(|d| d.games = d.games.min(games));
        plan.duels.retain(|d| d.games > 0);
    }
    Ok(plan)
}

fn fixed_here(key: &str, plan: &str) -> TaskError {
    TaskError::Unfit(format!("{key} is what the variants of the experiment {plan} differ in"))
}

//! Which choices are there? Everything that the thesis leaves open is an option; the experiments
//! are named sets of choices, of one or several variants that are compared.

use super::lesson::{Blunders, Rule, Squash};
use super::rates::{Decay, Descent, Rates};
use super::student::{Derivative, Source, Teaching};
use crate::factors::{FACTORS, GROUPS};
use crate::model::Start;
use crate::types::Scheme;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use zug_core::error::shorten;
use zug_learn::face::{Named, TaskError};
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

/// The experiments by name.
#[must_use]
pub fn groups() -> Vec<Named> {
    vec![
        Named::new(
            "fusc",
            "33 types from hand-set weights with the search of the thesis: +200 Elo in 72 learned games",
        ),
        Named::new("knightcap1", "4 types from material alone (1 4 4 6 12): +500 Elo in 308 games"),
        Named::new("knightcap2", "4 types from every weight one pawn: +300 Elo in 1000 games"),
        Named::new(
            "knightcap3",
            "600 games against oneself, then against what knightcap1 learned: 11 %",
        ),
        Named::new(
            "types",
            "1, phases, 4 and 33 types (and clusters=FILE) with the same number of games: the open question",
        ),
        Named::new(
            "controls",
            "leaves of the search, roots, leaves without quiescence, and nothing learned",
        ),
        Named::new(
            "trex",
            "what one lost game changes, and whether its repetition deviates: 35 weights in 2 types",
        ),
        Named::new(
            "beyond",
            "phases from material alone, a rate for each weight, both sides of games against oneself",
        ),
    ]
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
                    step: 0.5,
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

fn scheme(word: &str) -> SchemeChoice {
    Scheme::parse(word).map_or(SchemeChoice::OfStart, SchemeChoice::Scheme)
}

fn named(name: &str) -> Option<Plan> {
    let basic = Settings::basic(name);
    let plan = |variants: Vec<Settings>, printed| Plan {
        name: name.to_string(),
        variants,
        duels: Vec::new(),
        printed,
        single_step: false,
    };
    let hand_set = || {
        let mut settings = Settings {
            scheme: scheme("thesis"),
            start: Beginning::Set(Start::Thesis),
            search: "thesis".to_string(),
            ..Settings::basic(name)
        };
        settings.teaching.rates.step = HAND_SET_STEP;
        settings.teaching.rates.half = HAND_SET_HALF;
        settings
    };
    Some(match name {
        "fusc" => plan(
            vec![Settings { games: 119, logs: Logs::All, ..hand_set() }],
            &[
                ("games", "119, of which 72 were learned from"),
                ("rating before", "1800 ± 50"),
                ("rating after", "2016: about +200"),
                ("most frequent types", "23 (in every game) and 24"),
            ],
        ),
        "knightcap1" => plan(
            vec![Settings { games: 308, ..basic }],
            &[("games", "308"), ("rating", "1650 to 2150: +500")],
        ),
        "knightcap2" => plan(
            vec![Settings { games: 1000, start: Beginning::Set(Start::KnightCap2), ..basic }],
            &[("games", "1000"), ("rating", "1250 to 1550: +300")],
        ),
        "knightcap3" => {
            let pool = Settings {
                name: "pool".into(),
                games: 308,
                fixed: vec!["opponents"],
                ..basic.clone()
            };
            let own = Settings {
                name: "self".into(),
                games: 600,
                opponents: vec![SELF.into()],
                fixed: vec!["opponents"],
                ..basic
            };
            let mut plan = plan(
                vec![pool, own],
                &[(
                    "score of 600 games of self-play against knightcap1's version",
                    "11 % of 100 games",
                )],
            );
            plan.duels.push(Duel { of: 1, against: 0, games: 100 });
            plan
        }
        "types" => {
            let variant = |short: &str, word: &str| Settings {
                name: short.to_string(),
                games: 1000,
                experiments: 4,
                scheme: scheme(word),
                fixed: vec!["types"],
                // From material alone there is most to learn, and most to see.
                ..Settings::basic(name)
            };
            let variants = vec![
                variant("types-1", "one"),
                variant("types-phases", "phases"),
                variant("types-4", "knightcap"),
                variant("types-33", "thesis"),
            ];
            let mut plan =
                plan(variants, &[("1 type against 33", "never measured: the open question")]);
            plan.duels = (1..4).map(|of| Duel { of, against: 0, games: 200 }).collect();
            plan
        }
        "controls" => {
            let variant = |short: &str, source, games| {
                let mut settings = Settings {
                    name: short.to_string(),
                    games,
                    experiments: 2,
                    fixed: vec!["method"],
                    ..basic.clone()
                };
                settings.teaching.source = source;
                settings
            };
            let variants = vec![
                variant("td-leaf", Source::Leaf, 308),
                variant("td-root", Source::Root, 308),
                variant("td-unquiet", Source::Unquiet, 308),
                variant("untuned", Source::Leaf, 0),
            ];
            let mut plan = plan(
                variants,
                &[
                    ("SAL, roots", "no win and 8 draws in 4200 games against GNU Chess"),
                    ("NeuroChess, roots", "13.1 % of 2400 games won against GNU Chess"),
                    ("depth 1 without quiescence (SCP)", "fails; with it works"),
                ],
            );
            plan.duels = (1..4).map(|of| Duel { of: 0, against: of, games: 200 }).collect();
            plan
        }
        "trex" => {
            let mut plan = plan(
                vec![Settings {
                    games: 20,
                    opened: Opened::Start,
                    opponents: specs("zug:model=hand,nodes=1600,hash=1M"),
                    test_games: 0,
                    ..hand_set()
                }],
                &[
                    ("weights changed by one lost game", "35 in 2 types"),
                    (
                        "the repetition",
                        "deviates after move 13 and is won in 51 (lost in 16 before)",
                    ),
                ],
            );
            plan.single_step = true;
            plan
        }
        "beyond" => {
            let mut settings = Settings {
                games: 5000,
                scheme: scheme("phases"),
                opponents: specs(&format!("{SELF};{POOL}")),
                both: true,
                batch: 8,
                draws: true,
                ..basic
            };
            settings.teaching.rule.draw = 0.0;
            settings.teaching.rates.descent = Descent::Adam;
            settings.teaching.rates.half = 1000.0;
            plan(vec![settings], &[])
        }
        _ => return None,
    })
}

/// The methods of learning.
#[must_use]
pub fn methods() -> Vec<Named> {
    vec![
        Named::new("td-leaf", "from the quiet leaves of the principal variations: TD-Leaf(lambda)"),
        Named::new("td-root", "from the own positions themselves: TD(lambda), a negative control"),
        Named::new(
            "td-unquiet",
            "from the ends of variations at the nominal horizon: a negative control",
        ),
    ]
}

/// The sets of features: there is one.
#[must_use]
pub fn features() -> Vec<Named> {
    vec![Named::new("factors", "all factors of the linear evaluation")]
}

type Set = fn(&mut Settings, &str, &str) -> Result<(), TaskError>;

/// Every option: its name, what it means with its usual value, and what it does.
const OPTIONS: &[(&str, &str, Set)] = &[
    (
        "types",
        "one, phases, phases-plus, knightcap (4), thesis (33); start: those of the model that is begun with; or a model's file: its types alone (the experiment's own)",
        |s, k, v| {
            s.scheme = match Scheme::parse(v) {
                Ok(scheme) => SchemeChoice::Scheme(scheme),
                Err(_) if v == "start" => SchemeChoice::OfStart,
                Err(_) if std::path::Path::new(v).exists() => SchemeChoice::OfFile(v.to_string()),
                Err(e) => return Err(bad(k, v, &e)),
            };
            Ok(())
        },
    ),
    (
        "start",
        "thesis (set by hand), knightcap1 (material alone), knightcap2 (all one pawn), zero, or a model's name or file (the experiment's own)",
        |s, _, v| {
            s.start = match v {
                "thesis" => Beginning::Set(Start::Thesis),
                "knightcap1" => Beginning::Set(Start::KnightCap1),
                "knightcap2" => Beginning::Set(Start::KnightCap2),
                "zero" => Beginning::Set(Start::Zero),
                file => Beginning::File(file.to_string()),
            };
            Ok(())
        },
    ),
    (
        "frozen",
        "groups of factors that never move, with + between, such as material; none (none)",
        |s, k, v| {
            s.teaching.frozen = frozen(v).map_err(|known| bad(k, v, &known))?;
            s.frozen = v.to_string();
            Ok(())
        },
    ),
    ("squash", "tanh or raw: the scale on which values are compared (tanh)", |s, k, v| {
        s.teaching.rule.squash =
            word(k, v, &[("tanh", Squash::tanh(0.25)), ("raw", Squash::Raw { reward: 300.0 })])?;
        if v == "raw" {
            s.teaching.rates.step = 0.01;
        }
        Ok(())
    }),
    ("pawn", "what a pawn is worth on the scale of tanh (0.25)", |s, k, v| {
        let worth: f64 = number(k, v, 0.01..=0.9)?;
        match &mut s.teaching.rule.squash {
            Squash::Tanh { beta } => *beta = worth.atanh() / super::lesson::PAWN,
            Squash::Raw { .. } => return Err(bad(k, v, "squash=tanh beside it")),
        }
        Ok(())
    }),
    (
        "reward",
        "what a win is worth on the scale of raw values, in hundredths of a pawn (300)",
        |s, k, v| {
            let worth = number(k, v, 1.0..=100_000.0)?;
            match &mut s.teaching.rule.squash {
                Squash::Raw { reward } => *reward = worth,
                Squash::Tanh { .. } => return Err(bad(k, v, "squash=raw before it")),
            }
            Ok(())
        },
    ),
    ("lambda", "how far later differences reach back, 0 to 1 (0.7)", |s, k, v| {
        s.teaching.rule.lambda = number(k, v, 0.0..=1.0)?;
        Ok(())
    }),
    (
        "blunders",
        "drop or keep: what is done about differences that speak well of the learner (drop)",
        |s, k, v| {
            let kept = word(k, v, &[("drop", false), ("keep", true)])?;
            s.teaching.rule.blunders = if kept { Blunders::KEPT } else { Blunders::THESIS };
            Ok(())
        },
    ),
    ("ramp", "the factor of such differences, 0 to 1 (0)", |s, k, v| {
        s.teaching.rule.blunders.ramp = number(k, v, 0.0..=1.0)?;
        Ok(())
    }),
    ("blunder-last", "does that hold for the last difference too? (yes)", |s, k, v| {
        s.teaching.rule.blunders.last = yes(k, v)?;
        Ok(())
    }),
    ("spare-predicted", "do they count in full where the reply was foretold? (yes)", |s, k, v| {
        s.teaching.rule.blunders.spare_predicted = yes(k, v)?;
        Ok(())
    }),
    ("spare-forced", "do they count in full where there was no other reply? (yes)", |s, k, v| {
        s.teaching.rule.blunders.spare_forced = yes(k, v)?;
        Ok(())
    }),
    ("draws", "are drawn games learned from? (no)", |s, k, v| {
        s.draws = yes(k, v)?;
        Ok(())
    }),
    ("draw-value", "what a draw is worth, in hundredths of a pawn (-10)", |s, k, v| {
        s.teaching.rule.draw = number(k, v, -1000.0..=1000.0)?;
        Ok(())
    }),
    (
        "trust-last",
        "is the last difference nothing where the game was lost on time or given up? (yes)",
        |s, k, v| {
            s.teaching.rule.trust_last = yes(k, v)?;
            Ok(())
        },
    ),
    ("rate", "the rate of every type at the beginning (1)", |s, k, v| {
        s.teaching.rates.start = number(k, v, 1e-9..=1e6)?;
        Ok(())
    }),
    (
        "step",
        "what a rate of 1 moves a weight by for an error of 1, in hundredths of a pawn (0.5; fusc: 0.1; raw: 0.01)",
        |s, k, v| {
            s.teaching.rates.step = number(k, v, 1e-9..=1e6)?;
            Ok(())
        },
    ),
    (
        "decay",
        "what rates fall with: games or positions of their type, or none (games)",
        |s, k, v| {
            let known =
                [("games", Decay::Games), ("positions", Decay::Positions), ("none", Decay::None)];
            s.teaching.rates.decay = word(k, v, &known)?;
            Ok(())
        },
    ),
    ("half", "after how many of them a rate is half (300; fusc: 1000)", |s, k, v| {
        s.teaching.rates.half = number(k, v, 1.0..=1e12)?;
        Ok(())
    }),
    ("descent", "plain, or a rate for each weight: rmsprop, adam (plain)", |s, k, v| {
        let known =
            [("plain", Descent::Plain), ("rmsprop", Descent::RmsProp), ("adam", Descent::Adam)];
        s.teaching.rates.descent = word(k, v, &known)?;
        Ok(())
    }),
    ("most", "the most that a weight moves at once, in hundredths of a pawn (100)", |s, k, v| {
        s.teaching.rates.most = number(k, v, 0.001..=1e6)?;
        Ok(())
    }),
    (
        "gradient",
        "counts (exact), finite (quiescence with a weight raised by 1), or finite-zeroed (and all others 0, as printed) (counts)",
        |s, k, v| {
            let known = [
                ("counts", Derivative::Counts),
                ("finite", Derivative::Finite),
                ("finite-zeroed", Derivative::FiniteZeroed),
            ];
            s.teaching.derivative = word(k, v, &known)?;
            Ok(())
        },
    ),
    ("nodes", "positions searched for each move (2000)", |s, k, v| {
        s.nodes = number(k, v, 1..=1_000_000_000)?;
        Ok(())
    }),
    ("search", "modern or thesis (modern; fusc: thesis)", |s, k, v| {
        s.search = word(k, v, &[("modern", "modern"), ("thesis", "thesis")])?.to_string();
        Ok(())
    }),
    (
        "opponents",
        "self and players, with ; between (or +): zug:model=hand,nodes=500;uci:cmd=stockfish,UCI_Elo=1350 (the evaluation by hand at five strengths)",
        |s, k, v| {
            s.opponents = specs(v);
            if s.opponents.is_empty() { Err(bad(k, v, "at least one player")) } else { Ok(()) }
        },
    ),
    (
        "matched",
        "meet the opponent that is nearest in strength rather than all in turn (yes)",
        |s, k, v| {
            s.matched = yes(k, v)?;
            Ok(())
        },
    ),
    ("both", "learn from both sides of a game against oneself (no)", |s, k, v| {
        s.both = yes(k, v)?;
        Ok(())
    }),
    (
        "openings",
        "start, a number of random plies that a search finds balanced, or a file (PGN, EPD) (8)",
        |s, _, v| {
            s.opened = match v.parse() {
                Ok(plies) if plies <= 40 => Opened::Random(plies),
                _ if v == "start" => Opened::Start,
                _ => Opened::File(PathBuf::from(v)),
            };
            Ok(())
        },
    ),
    ("batch", "games that are played with the same weights, side by side (1)", |s, k, v| {
        s.batch = number(k, v, 1..=100_000)?;
        Ok(())
    }),
    (
        "from-start",
        "learn only from games that begin at the start position (no; yes for a player with td=FOLDER)",
        |s, k, v| {
            s.from_start = yes(k, v)?;
            Ok(())
        },
    ),
    (
        "patience",
        "seconds after which a foreign engine that does not move is given up, unless it has a timeout (30)",
        |s, k, v| {
            s.patience = number(k, v, 1..=86_400)?;
            Ok(())
        },
    ),
    (
        "most-plies",
        "plies after which a game is broken off and not learned from (400)",
        |s, k, v| {
            s.most_plies = number(k, v, 10..=5000)?;
            Ok(())
        },
    ),
    ("logs", "logs in the thesis's format: last, all, none (last; fusc: all)", |s, k, v| {
        s.logs = word(k, v, &[("last", Logs::Last), ("all", Logs::All), ("none", Logs::None)])?;
        Ok(())
    }),
    ("save-every", "games between checkpoints (1)", |s, k, v| {
        s.save_every = number(k, v, 1..=1_000_000)?;
        Ok(())
    }),
    (
        "testers",
        "whom tests are played against, with ; between; start is the learner as it began (start and the evaluation by hand at two strengths)",
        |s, _, v| {
            s.testers = specs(v);
            Ok(())
        },
    ),
    ("test-games", "games of a test against each; 0 for none (100)", |s, k, v| {
        s.test_games = number(k, v, 0..=1_000_000)?;
        Ok(())
    }),
    (
        "test-nodes",
        "positions that the learner searches for each move of a test; 0: as in learning (0)",
        |s, k, v| {
            s.test_nodes = number(k, v, 0..=1_000_000_000)?;
            Ok(())
        },
    ),
    (
        "tests-at",
        "numbers of games after which tests are played, with + between, or one number: so many points (4)",
        |s, k, v| {
            s.points = points(k, v, s.games)?;
            Ok(())
        },
    ),
];

/// The options with their usual values.
#[must_use]
pub fn options() -> Vec<Named> {
    OPTIONS.iter().map(|(name, help, _)| Named::new(*name, *help)).collect()
}

/// Makes one choice.
pub fn set_option(settings: &mut Settings, key: &str, value: &str) -> Result<(), TaskError> {
    let Some((_, _, set)) = OPTIONS.iter().find(|(name, _, _)| *name == key) else {
        let names = OPTIONS.iter().map(|(name, _, _)| *name).chain(["clusters"]);
        return Err(TaskError::unknown("option", key, names));
    };
    set(settings, key, value)
}

/// How many points of a learning curve there are beside its beginning.
const POINTS: u64 = 4;

fn points(key: &str, value: &str, games: u64) -> Result<Vec<u64>, TaskError> {
    if let Ok(count) = value.parse::<u64>() {
        if count > 1000 {
            return Err(bad(key, value, "at most 1000 points"));
        }
        return Ok(spread(count, games));
    }
    let mut all = vec![0];
    for part in value.split('+') {
        all.push(number(key, part, 0..=u64::MAX)?);
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// So many points, evenly from 0 to the last game.
fn spread(count: u64, games: u64) -> Vec<u64> {
    let mut all: Vec<u64> = (0..=count)
        .map(|i| (games as f64 * i as f64 / count.max(1) as f64).round() as u64)
        .collect();
    if count == 0 {
        all = vec![games];
    }
    all.dedup();
    all
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
        Some(group) => named(group).ok_or_else(|| {
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
            settings.points = spread(POINTS, settings.games);
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

/// The factors of groups by their words.
fn frozen(text: &str) -> Result<Vec<bool>, String> {
    let mut out = vec![false; FACTORS];
    for part in text.split('+').filter(|p| *p != "none") {
        let Some(group) = GROUPS.iter().find(|g| g.word == part) else {
            let known: Vec<&str> = GROUPS.iter().map(|g| g.word).collect();
            return Err(format!("groups of factors ({})", known.join(", ")));
        };
        out[group.first..group.first + group.count].fill(true);
    }
    Ok(out)
}

fn bad(key: &str, value: &str, expected: &str) -> TaskError {
    TaskError::Unfit(format!("{key}: expected {expected}, found '{}'", shorten(value)))
}

fn number<T: FromStr + PartialOrd + Display>(
    key: &str,
    value: &str,
    range: RangeInclusive<T>,
) -> Result<T, TaskError> {
    let expected = format!("a number from {} to {}", range.start(), range.end());
    let number = value.parse().ok().filter(|n| range.contains(n));
    number.ok_or_else(|| bad(key, value, &expected))
}

fn word<T: Copy>(key: &str, value: &str, known: &[(&str, T)]) -> Result<T, TaskError> {
    let found = known.iter().find(|(name, _)| *name == value);
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    found.map(|(_, t)| *t).ok_or_else(|| bad(key, value, &names.join(", ")))
}

fn yes(key: &str, value: &str) -> Result<bool, TaskError> {
    word(key, value, &[("yes", true), ("no", false), ("on", true), ("off", false)])
}

impl Settings {
    /// All choices in words, for `run.toml` and the page.
    #[must_use]
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let yes = |b: bool| if b { "yes" } else { "no" }.to_string();
        let Teaching { rule, rates, source, derivative, .. } = &self.teaching;
        let small = |text: String| text.to_lowercase();
        let squash = match rule.squash {
            Squash::Tanh { beta } => format!("tanh, beta {beta:.7}"),
            Squash::Raw { reward } => format!("raw, reward {reward}"),
        };
        let mut facts = vec![
            ("experiments", self.experiments.to_string()),
            ("games", self.games.to_string()),
            ("method", format!("td-{}", small(format!("{source:?}")))),
            ("gradient", small(format!("{derivative:?}"))),
            ("types", self.scheme_word()),
            (
                "start",
                match &self.start {
                    Beginning::Set(start) => small(format!("{start:?}")),
                    Beginning::File(file) => file.clone(),
                },
            ),
            ("frozen", self.frozen.clone()),
            ("squash", squash),
            ("lambda", rule.lambda.to_string()),
            ("ramp", rule.blunders.ramp.to_string()),
            ("blunder-last", yes(rule.blunders.last)),
            ("spare-predicted", yes(rule.blunders.spare_predicted)),
            ("spare-forced", yes(rule.blunders.spare_forced)),
            ("draws", yes(self.draws)),
            ("draw-value", rule.draw.to_string()),
            ("trust-last", yes(rule.trust_last)),
            ("rate", rates.start.to_string()),
            ("step", rates.step.to_string()),
            ("decay", small(format!("{:?}", rates.decay))),
            ("half", rates.half.to_string()),
            ("descent", small(format!("{:?}", rates.descent))),
            ("most", rates.most.to_string()),
            ("nodes", self.nodes.to_string()),
            ("search", self.search.clone()),
            (
                "openings",
                match &self.opened {
                    Opened::Start => "start".to_string(),
                    Opened::Random(plies) => plies.to_string(),
                    Opened::File(path) => path.display().to_string(),
                },
            ),
            ("opponents", self.opponents.join(";")),
            ("matched", yes(self.matched)),
            ("both", yes(self.both)),
            ("batch", self.batch.to_string()),
            ("most-plies", self.most_plies.to_string()),
            ("logs", small(format!("{:?}", self.logs))),
            ("testers", self.testers.join(";")),
            ("test-games", self.test_games.to_string()),
            ("test-nodes", self.nodes_in_tests().to_string()),
            ("tests-at", self.points.iter().map(u64::to_string).collect::<Vec<_>>().join("+")),
        ];
        if self.from_start {
            facts.push(("from-start", yes(true)));
        }
        facts
    }
}

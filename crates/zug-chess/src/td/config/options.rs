//! Everything that `--set` can change.

use super::{Beginning, Logs, Opened, SchemeChoice, Settings, specs};
use crate::factors::{FACTORS, GROUPS};
use crate::model::Start;
use crate::td::lesson::{Blunders, Squash};
use crate::td::rates::{Decay, Descent};
use crate::td::student::Derivative;
use crate::types::Scheme;
use std::path::PathBuf;
use zug_learn::choices::{bad, number, word, yes};
use zug_learn::face::{Named, TaskError};

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
                Err(e) => {
                    let told = format!("{k}: {e}, start, or the file of a model");
                    return Err(TaskError::Unfit(told));
                }
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
            Squash::Tanh { beta } => *beta = worth.atanh() / crate::td::lesson::PAWN,
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
        "what a rate of 1 moves a weight by for an error of 1, in hundredths of a pawn (0.2; knightcap2, beyond: 0.5; fusc, trex: 0.1; raw: 0.01)",
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
        "give-up",
        "broken games in a row against one opponent after which the run gives up; 0: never (10)",
        |s, k, v| {
            s.give_up = number(k, v, 0..=1_000_000)?;
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
        "numbers of games after which tests are played, with + between, or one number: so many points; tests often take longer than learning (4)",
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
pub(super) const POINTS: u64 = 4;

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
pub(super) fn spread(count: u64, games: u64) -> Vec<u64> {
    let mut all: Vec<u64> = (0..=count)
        .map(|i| (games as f64 * i as f64 / count.max(1) as f64).round() as u64)
        .collect();
    if count == 0 {
        all = vec![games];
    }
    all.dedup();
    all
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

//! Which experiments have names? Those of the thesis and of KnightCap, the question that they leave
//! open, and what goes beyond.

use super::{
    Beginning, Duel, FAR_STEP, HAND_SET_HALF, HAND_SET_STEP, Logs, Opened, POOL, Plan, SELF,
    SchemeChoice, Settings, specs,
};
use crate::model::Start;
use crate::td::rates::Descent;
use crate::td::student::Source;
use crate::types::Scheme;
use zug_learn::face::Named;

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
            "a rate for each weight, both sides of games against oneself and draws, against plain TD-Leaf",
        ),
    ]
}

fn scheme(word: &str) -> SchemeChoice {
    Scheme::parse(word).map_or(SchemeChoice::OfStart, SchemeChoice::Scheme)
}

/// The experiment of a name.
pub(super) fn named(name: &str) -> Option<Plan> {
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
        "knightcap2" => {
            let mut settings =
                Settings { games: 1000, start: Beginning::Set(Start::KnightCap2), ..basic };
            settings.teaching.rates.step = FAR_STEP;
            plan(vec![settings], &[("games", "1000"), ("rating", "1250 to 1550: +300")])
        }
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
                    ("one lost game changes", "35 weights in 2 types"),
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
            // Both play the same number of games and have the same types, so that the ways of
            // learning alone are compared.
            let arm = |short: &str| Settings {
                name: short.to_string(),
                games: 5000,
                scheme: scheme("phases"),
                batch: 8,
                fixed: vec!["descent", "both", "draws", "draw-value", "opponents", "half", "step"],
                ..basic.clone()
            };
            let mut beyond = Settings {
                opponents: specs(&format!("{SELF};{POOL}")),
                both: true,
                draws: true,
                fixed: Vec::new(),
                ..arm(name)
            };
            beyond.teaching.rule.draw = 0.0;
            beyond.teaching.rates.descent = Descent::Adam;
            beyond.teaching.rates.half = 1000.0;
            // Adam's steps are of this size whatever the sums are.
            beyond.teaching.rates.step = 0.5;
            let mut plan = plan(vec![beyond, arm("plain")], &[]);
            plan.duels.push(Duel { of: 0, against: 1, games: 200 });
            plan
        }
        _ => return None,
    })
}

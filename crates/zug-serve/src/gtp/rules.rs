//! Which rules are played? `kata-get-rules`, `kata-set-rules`, `kata-set-rule`, `kgs-rules`.
//!
//! The words are those of KataGo. What our rules do not know (situational superko, taxes, the button,
//! points for handicap stones) is refused where it is asked for by itself. The names of whole sets
//! of rules mean the nearest that there is, as they do in KataGo.

use super::{Answer, Session};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Sets of rules by name: ko, suicide, scoring.
const SETS: [(&str, [&str; 3]); 11] = [
    ("tromp-taylor", ["superko", "yes", "area"]),
    ("chinese", ["simple", "no", "area"]),
    ("chinese-ogs", ["superko", "no", "area"]),
    ("chinese-kgs", ["superko", "no", "area"]),
    ("japanese", ["simple", "no", "territory"]),
    ("korean", ["simple", "no", "territory"]),
    ("aga", ["superko", "no", "area"]),
    ("bga", ["superko", "no", "area"]),
    ("french", ["superko", "no", "area"]),
    ("new-zealand", ["superko", "yes", "area"]),
    ("ing", ["superko", "yes", "area"]),
];

/// The options of the game that make up its rules.
const OPTIONS: [&str; 3] = ["ko", "suicide", "scoring"];

/// KataGo's fields that have one value here.
const FIXED: [(&str, &str); 3] =
    [("tax", "NONE"), ("hasButton", "false"), ("whiteHandicapBonus", "0")];

type Change = (&'static str, Option<String>);

impl<W: Write + Send> Session<'_, '_, W> {
    pub(super) fn rules(&self) -> Answer {
        let option = |name| self.board.line.option(name);
        let all = (option("ko"), option("suicide"), option("scoring"));
        let (Some(ko), Some(suicide), Some(scoring)) = all else {
            return Err("this game has no rules to choose from".into());
        };
        let rules = json!({
            "ko": if ko == "simple" { "SIMPLE" } else { "POSITIONAL" },
            "scoring": scoring.to_ascii_uppercase(),
            "suicide": suicide == "yes",
            "tax": "NONE",
            "hasButton": false,
            "whiteHandicapBonus": "0",
        });
        Ok(rules.to_string())
    }

    /// `kata-set-rules NAME` or `kata-set-rules {…}`.
    pub(super) fn set_rules(&mut self, arguments: &[String]) -> Result<(), String> {
        let text = arguments.join(" ");
        let changes = if text.starts_with('{') {
            let fields: Map<String, Value> = serde_json::from_str(&text)
                .map_err(|e| format!("syntax error: expected a dictionary in JSON: {e}"))?;
            let words = fields.iter().map(|(name, value)| match value {
                Value::String(word) => change(name, word),
                other => change(name, &other.to_string()),
            });
            words.collect::<Result<Vec<Option<Change>>, String>>()?.into_iter().flatten().collect()
        } else {
            set(&text)?
        };
        self.set_options_of_rules(&changes)
    }

    /// `kata-set-rule FIELD VALUE`.
    pub(super) fn set_rule(&mut self, arguments: &[String]) -> Result<(), String> {
        let [name, value] = arguments else {
            return Err("syntax error: expected a field and its value".into());
        };
        let change = change(name, value)?;
        self.set_options_of_rules(change.as_slice())
    }

    /// `kgs-rules NAME`, where Chinese rules know superko.
    pub(super) fn set_kgs_rules(&mut self, arguments: &[String]) -> Result<(), String> {
        let name = match arguments {
            [name] if name.eq_ignore_ascii_case("chinese") => "chinese-kgs",
            [name] if ["japanese", "aga", "new_zealand"].contains(&name.as_str()) => name,
            _ => return Err("expected 'chinese', 'aga', 'japanese' or 'new_zealand'".into()),
        };
        self.set_options_of_rules(&set(name)?)
    }

    fn set_options_of_rules(&mut self, changes: &[Change]) -> Result<(), String> {
        self.rules()?;
        self.change_options(changes)
    }
}

/// A whole set of rules by its name.
fn set(name: &str) -> Result<Vec<Change>, String> {
    let wanted = name.to_ascii_lowercase().replace('_', "-");
    let found = SETS.iter().find(|(known, _)| *known == wanted).ok_or_else(|| {
        let known: Vec<&str> = SETS.iter().map(|(name, _)| *name).collect();
        format!("unknown rules; known are {}, or a dictionary in JSON", known.join(", "))
    })?;
    Ok(OPTIONS.into_iter().zip(found.1).map(|(k, v)| (k, Some(v.to_string()))).collect())
}

/// What a field of KataGo's rules asks for; nothing where it is so in any case.
fn change(name: &str, value: &str) -> Result<Option<Change>, String> {
    let value = value.to_ascii_uppercase();
    let option = |key, word: &str| Ok(Some((key, Some(word.to_string()))));
    match (name, value.as_str()) {
        ("ko", "SIMPLE") => option("ko", "simple"),
        ("ko", "POSITIONAL") => option("ko", "superko"),
        ("ko", _) => Err("ko is SIMPLE or POSITIONAL here".into()),
        ("scoring", "AREA") => option("scoring", "area"),
        ("scoring", "TERRITORY") => option("scoring", "territory"),
        ("scoring", _) => Err("scoring is AREA or TERRITORY".into()),
        ("suicide", "TRUE") => option("suicide", "yes"),
        ("suicide", "FALSE") => option("suicide", "no"),
        ("suicide", _) => Err("suicide is true or false".into()),
        _ => match FIXED.iter().find(|(known, _)| *known == name) {
            Some((_, only)) if value.eq_ignore_ascii_case(only) => Ok(None),
            Some((_, only)) => Err(format!("{name} is always {only} here")),
            None => {
                let fixed = FIXED.map(|(name, _)| name);
                Err(format!(
                    "unknown field; known are {}, {}",
                    OPTIONS.join(", "),
                    fixed.join(", ")
                ))
            }
        },
    }
}

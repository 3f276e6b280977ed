//! `zug learn GAME methods`: what can be named.

use crate::registry::{self, families};
use anyhow::{Result, bail};
use serde_json::{Map, json};
use std::io::Write;
use std::process::ExitCode;
use zug_core::GameEntry;
use zug_learn::face::{Learner, Named};
use zug_learn::records::Records;
use zug_learn::td::face::SelfPlay;

/// Does the game learn, from whatever it be?
fn learns(entry: &GameEntry) -> bool {
    entry.extension::<Learner>().is_some()
        || entry.extension::<SelfPlay>().is_some()
        || entry.extension::<Records>().is_some()
}

pub fn run(entry: &GameEntry, as_json: bool) -> Result<ExitCode> {
    let (from_examples, from_play) = (entry.extension::<Learner>(), entry.extension::<SelfPlay>());
    if !learns(entry) {
        let with: Vec<&str> = families()
            .iter()
            .filter(|f| registry::open(f.name).is_ok_and(|e| learns(&e)))
            .map(|f| f.name)
            .collect();
        bail!("{} does not learn yet; these games do: {}", entry.game.spec(), with.join(", "));
    }
    let mut out = std::io::stdout().lock();
    let mut all = Map::new();
    let mut list = |title: &str, names: &[Named]| -> Result<()> {
        if !as_json && !names.is_empty() {
            writeln!(out, "{title}:")?;
            let width = names.iter().map(|n| n.name.len()).max().unwrap_or(0);
            for named in names {
                writeln!(out, "  {:width$}  {}", named.name, named.help)?;
            }
        }
        Ok(())
    };
    if let Some(learner) = from_examples {
        let lists = [
            ("methods", "Methods", learner.methods()),
            ("features", "Features", learner.features()),
            ("models", "Models", learner.models()),
        ];
        for (name, title, names) in lists {
            list(title, &names)?;
            all.insert(name.into(), json!(names));
        }
    }
    if let Some(learner) = from_play {
        let lists = [
            ("groups", "Groups of self-play (td --group)", learner.groups()),
            ("methods", "Methods of self-play (td --method)", learner.methods()),
            ("features", "Features of self-play (td --features)", learner.features()),
            ("options", "Options of self-play (td --set)", learner.options()),
        ];
        let mut td = Map::new();
        for (name, title, names) in lists {
            list(title, &names)?;
            td.insert(name.into(), json!(names));
        }
        all.insert("td".into(), td.into());
    }
    if let Some(learner) = entry.extension::<Records>() {
        let methods = learner.methods();
        list("Methods of learning from records (patterns --method)", &methods)?;
        let mut each = Vec::new();
        for Named { name, help } in methods {
            let (experiments, options) = (learner.experiments(&name), learner.options(&name));
            list(&format!("Experiments of {name} (patterns --experiment)"), &experiments)?;
            list(&format!("Options of {name} (patterns --set)"), &options)?;
            let method = json!({
                "name": name, "help": help, "experiments": experiments, "options": options,
            });
            each.push(method);
        }
        all.insert("patterns".into(), each.into());
    }
    if as_json {
        writeln!(out, "{:#}", serde_json::Value::from(all))?;
    }
    Ok(ExitCode::SUCCESS)
}

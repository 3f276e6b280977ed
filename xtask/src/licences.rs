//! `licences`: may we ship what we depend on?
//!
//! `cargo deny` with `deny.toml` where it is installed; otherwise a plainer look at the metadata
//! of every package, against the list in the same file.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Checks; the result is a line that sums up.
pub fn run() -> Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let deny = Command::new(&cargo).args(["deny", "--version"]).current_dir(&root).output()?;
    if deny.status.success() {
        let status = Command::new(&cargo)
            .args(["deny", "check", "licenses", "bans", "sources"])
            .current_dir(&root)
            .status()?;
        if !status.success() {
            bail!("cargo deny found something (see above)");
        }
        return Ok("cargo deny is content".into());
    }
    let metadata = Command::new(&cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
        .current_dir(&root)
        .output()
        .context("cannot run cargo metadata")?;
    if !metadata.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&metadata.stderr));
    }
    let metadata: Value = serde_json::from_slice(&metadata.stdout)?;
    let text = std::fs::read_to_string(root.join("deny.toml")).context("cannot read deny.toml")?;
    judge(&metadata, &allowed(&text))
}

/// The licences that `deny.toml` allows: the quoted words between `allow = [` and `]`.
fn allowed(deny: &str) -> Vec<String> {
    let list = deny.split_once("allow = [").map_or("", |(_, rest)| rest);
    let list = list.split_once(']').map_or(list, |(list, _)| list);
    list.split('"').skip(1).step_by(2).map(String::from).collect()
}

fn judge(metadata: &Value, allowed: &[String]) -> Result<String> {
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let bad: Vec<String> = packages
        .iter()
        .filter(|p| !p["license"].as_str().is_some_and(|l| fits(l, allowed)))
        .map(|p| format!("{} {} ({})", p["name"], p["version"], p["license"]))
        .collect();
    if !bad.is_empty() {
        bail!("licences that deny.toml does not allow: {}", bad.join(", "));
    }
    Ok(format!("{} packages, all with licences that deny.toml allows", packages.len()))
}

/// Can the conditions of an SPDX expression be met with these licences alone? `AND` binds closer
/// than `OR`; `/` is an old way to write `OR`.
fn fits(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let fits = any(&mut words, allowed);
    fits && words.peek().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let mut fits = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        fits |= all(words, allowed);
    }
    fits
}

fn all(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let mut fits = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        fits &= one(words, allowed);
    }
    fits
}

fn one(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let Some(word) = words.next() else { return false };
    if word == "(" {
        let fits = any(words, allowed);
        return words.next() == Some(")") && fits;
    }
    // An exception only ever allows more.
    if words.next_if_eq(&"WITH").is_some() {
        words.next();
    }
    allowed.iter().any(|a| a == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_judged_by_their_best_choice() {
        let allowed = allowed("[licenses]\nallow = [\n  \"MIT\", # good\n  \"ISC\",\n]\n");
        assert_eq!(allowed, ["MIT", "ISC"]);
        for good in ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "(GPL-3.0 OR ISC) AND MIT"] {
            assert!(fits(good, &allowed), "{good}");
        }
        for bad in
            ["GPL-3.0", "MIT AND GPL-3.0", "", "(MIT", "MIT)", "ISC AND (GPL-3.0 OR LGPL-3.0)"]
        {
            assert!(!fits(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn a_package_without_a_fitting_licence_is_named() {
        let metadata = serde_json::json!({"packages": [
            {"name": "good", "version": "1.0.0", "license": "MIT"},
            {"name": "bad", "version": "2.0.0", "license": "GPL-3.0"},
            {"name": "silent", "version": "3.0.0", "license": null},
        ]});
        let error = judge(&metadata, &["MIT".into()]).unwrap_err().to_string();
        assert!(error.contains("bad") && error.contains("silent") && !error.contains("good"));
    }
}

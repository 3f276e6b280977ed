//! Would the program understand this command?

use clap::{CommandFactory, Parser};
use std::path::Path;
use zug::cli::Cli;

/// Checks every simple command of a text, without running any.
pub fn check(text: &str) -> Result<(), String> {
    for part in crate::shell::split(text)? {
        check_one(&part)?;
    }
    Ok(())
}

fn check_one(words: &[String]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match words[0].as_str() {
        "zug" => understood(words),
        "cargo" => match words.iter().position(|word| word == "--") {
            // `cargo run -- …` runs the program itself, unless another is named.
            Some(at)
                if words[1] == "run" && !words.iter().any(|w| w == "-p" || w == "--example") =>
            {
                understood(&[&["zug".to_string()], &words[at + 1..]].concat())
            }
            _ => Ok(()),
        },
        script if script.contains('/') => {
            let there = root.join(script).is_file();
            if there { Ok(()) } else { Err(format!("there is no {script}")) }
        }
        program if KNOWN.contains(&program) => Ok(()),
        program => Err(format!(
            "'{program}' is no command that these pages use: does the line before lack a \\ at its end?"
        )),
    }
}

/// What a reader has beside the program.
const KNOWN: &[&str] = &[
    "cat", "cd", "cp", "curl", "echo", "gunzip", "head", "man", "mkdir", "npm", "printf", "xboard",
];

fn understood(words: &[String]) -> Result<(), String> {
    use clap::error::ErrorKind;
    match Cli::try_parse_from(words) {
        Ok(_) => Ok(()),
        Err(error)
            if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) =>
        {
            Ok(())
        }
        Err(error) => {
            let said = error.to_string();
            let first = said.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>();
            Err(format!("{}: {}", words.join(" "), first.join(" ")))
        }
    }
}

/// Checks a command that is only mentioned (`zug db stats DIR --csv`): its verbs and options must be there; the rest may
/// be left out, or stand for something.
pub fn check_mention(text: &str) -> Result<(), String> {
    // What stands in quotation marks is for others.
    let plain: String = text.split('\'').step_by(2).collect();
    let mut words = plain.split_whitespace();
    if words.next() != Some("zug") {
        return Ok(());
    }
    let mut cli = Cli::command();
    cli.build();
    let mut verb = &cli;
    for word in words.take_while(|word| !matches!(*word, "|" | "&&" | "#")) {
        let word = word.trim_matches(['[', ']']);
        if let Some(option) = word.strip_prefix("--") {
            let name = option.split(['=', '|', ',']).next().unwrap_or_default();
            let has = |argument: &clap::Arg| {
                argument.get_long() == Some(name)
                    || argument.get_all_aliases().is_some_and(|names| names.contains(&name))
            };
            if !verb.get_arguments().any(has) {
                return Err(format!("'{text}': {} has no --{name}", verb.get_name()));
            }
        } else if verb.has_subcommands() {
            // `build|add|show`: each must be there, and the first is followed. In a table it is `build\|add`.
            let names = word.split(['|', '\\']).filter(|name| !name.is_empty());
            let found: Vec<_> = names.map(|name| verb.find_subcommand(name)).collect();
            let several = found.len() > 1 && found.iter().any(Option::is_some);
            let first = std::ptr::eq(verb, &cli) && word.chars().all(|c| c.is_ascii_lowercase());
            if (several || first) && found.iter().any(Option::is_none) {
                return Err(format!("'{text}': {} has no verb '{word}'", verb.get_name()));
            }
            verb = found.into_iter().flatten().next().unwrap_or(verb);
        }
    }
    Ok(())
}

#[test]
fn mentions_of_what_is_not_there_are_found() {
    for right in [
        "zug",
        "zug match … --openings",
        "zug learn GAME td",
        "zug learn othello td --group F --set x=1",
        "zug book build|add|show",
        "zug db build GAME --out DIR [--resume]",
        "zug runs list|show|report DIR",
        "zugzwang --nonsense",
    ] {
        assert_eq!(check_mention(right), Ok(()), "{right}");
    }
    for wrong in [
        "zug matches",
        "zug db build --output DIR",
        "zug book build|burn",
        "zug learn othello td --books",
    ] {
        assert!(check_mention(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn every_verb_has_an_example_in_its_help_and_all_examples_are_understood() {
    let mut faults = Vec::new();
    let mut cli = Cli::command();
    cli.build();
    look_into(&cli, "zug", &mut faults);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Looks at the help of a verb and of all below it.
fn look_into(verb: &clap::Command, path: &str, faults: &mut Vec<String>) {
    let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (_, examples) = help.split_once("Example").unwrap_or_default();
    let examples: Vec<&str> =
        examples.lines().skip(1).map(str::trim).filter(|l| !l.is_empty()).collect();
    if !examples.iter().any(|line| is_of(line, path)) {
        faults.push(format!("{path} --help has no example"));
    }
    for line in examples {
        faults.extend(check(line).err().map(|fault| format!("{path} --help: {fault}")));
    }
    for below in verb.get_subcommands().filter(|below| below.get_name() != "help") {
        look_into(below, &format!("{path} {}", below.get_name()), faults);
    }
}

/// Whether a line is a command of this verb: `zug learn othello td` is one of `zug learn td`.
fn is_of(line: &str, path: &str) -> bool {
    let mut words = line.split_whitespace();
    path.split(' ').all(|verb| words.any(|word| word == verb))
}

#[test]
fn what_cannot_be_pasted_is_not_understood() {
    for wrong in [
        "zug learn chess td --games 4 --out run [--resume]",
        "zug bench othello --experiment probcut|percentile|endcut",
        "zug learn chess td --experiment types --games N --out RUN",
        "--set nodes=400",
        "zug db build chess:KRvK",
        "zug gmaes",
        "scripts/no-such-script",
        "cargo run --release -- serve --prot 80",
    ] {
        assert!(check(wrong).is_err(), "{wrong}");
    }
    for right in [
        "zug games --json > games.json",
        "printf 'f5\\nquit\\n' | zug play othello",
        "cargo run --release -- serve   # builds",
        "cargo xtask licences",
        "zug --version && scripts/test",
    ] {
        assert_eq!(check(right), Ok(()), "{right}");
    }
}

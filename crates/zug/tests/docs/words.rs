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
const KNOWN: &[&str] =
    &["cat", "cd", "cp", "curl", "echo", "gunzip", "head", "man", "mkdir", "npm", "printf"];

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

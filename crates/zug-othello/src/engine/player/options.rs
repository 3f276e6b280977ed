//! What a player of the engine can be told.

use super::EnginePlayer;
use super::ponder::Seat;
use crate::engine::{AnyGuide, Confidence, Evaluation, ProbCut, Settings, Thinker, Unit};
use crate::thesis::Hand;
use crate::{Othello, models, probcut};
use std::sync::Arc;
use zug_core::{Player, PlayerKind, Score, Spec, TextError};
use zug_search::players::{BadOption, Configure, OwnLimits, parse_number, parse_switch};
use zug_search::{MAX_HASH_MIB, MAX_THREADS};

/// How certain the cuts of a search ahead are, unless told otherwise.
const DEVIATIONS: f32 = 1.35;
/// The word for cuts that nobody has measured.
const GUESSED: &str = "guessed";
/// The size of the table.
const HASH_MIB: usize = 64;

const HELP: &str = "Othello search with a learned evaluation and ProbCut: depth=N, nodes=N, \
                    movetime=T, threads=N, hash=SIZE (MiB, or 256M, 4G), selectivity=off|DEVIATIONS (how certain a cut \
                    must be; fewer cut more), cuts=NAME|FILE|thesis|none (what shallow searches \
                    tell about deep ones), ponder=on|off, noise=N (hundredths of a disc), seed=N, \
                    model=NAME|FILE (hand for the one made by hand)";

/// What can be changed while a player runs.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub own: OwnLimits,
    pub threads: usize,
    pub hash: usize,
    pub confidence: Confidence,
    pub ponder: bool,
    pub noise: i32,
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        let confidence = Confidence::deviations(DEVIATIONS).expect("a sensible number");
        Options {
            own: OwnLimits::default(),
            threads: 1,
            hash: HASH_MIB,
            confidence,
            ponder: false,
            noise: 0,
            seed: 0,
        }
    }
}

impl Options {
    pub fn settings(&self) -> Settings {
        Settings { hash_mib: self.hash, threads: self.threads, confidence: self.confidence }
    }
}

impl Configure for Options {
    const NAMES: &'static [&'static str] = &[
        "depth",
        "nodes",
        "movetime",
        "threads",
        "hash",
        "selectivity",
        "ponder",
        "noise",
        "seed",
    ];

    fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        match name {
            "threads" => self.threads = parse_number(name, value, 1..=MAX_THREADS)?,
            "hash" => self.hash = mebibytes(name, value)?,
            "seed" => self.seed = parse_number(name, value, 0..=u64::MAX)?,
            "noise" => self.noise = parse_number(name, value, 0..=Score::MAX_ESTIMATE)?,
            "ponder" => self.ponder = parse_switch(name, value)?,
            "selectivity" => {
                let deviations = match value.trim() {
                    "off" => Some(f32::INFINITY),
                    text => text.parse().ok().filter(|d: &f32| d.is_finite()),
                };
                let confidence = deviations.and_then(Confidence::deviations);
                let expected = "off, or a number of deviations from 0 to 12";
                self.confidence =
                    confidence.ok_or_else(|| BadOption::new(name, value, expected))?;
            }
            _ => return self.own.set(name, value),
        }
        Ok(())
    }
}

/// A size in mebibytes, or with a letter that says otherwise.
fn mebibytes(name: &str, value: &str) -> Result<usize, BadOption> {
    let text = value.trim();
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'G' | 'g')) => (&text[..at], 1024),
        Some((at, 'M' | 'm')) => (&text[..at], 1),
        _ => (text, 1),
    };
    let size = digits.parse::<usize>().ok().and_then(|n| n.checked_mul(factor));
    size.filter(|mib| (1..=MAX_HASH_MIB).contains(mib)).ok_or_else(|| {
        let expected = format!("a size from 1 to {MAX_HASH_MIB} MiB (64, 256M, 4G)");
        BadOption::new(name, value, expected)
    })
}

/// The engine under a name.
#[must_use]
pub fn engine_player(name: &'static str) -> PlayerKind {
    PlayerKind { name, help: HELP.to_string(), make: Box::new(make) }
}

fn make(spec: &Spec) -> Result<Box<dyn Player>, TextError> {
    const OWN: [&str; 2] = ["model", "cuts"];
    let known: Vec<&str> = Options::NAMES.iter().chain(&OWN).copied().collect();
    spec.only(&known)?;
    let mut rest = spec.clone();
    rest.options.retain(|(key, _)| !OWN.contains(&key.as_str()));
    let mut options = Options::default();
    options.set_all(&rest)?;
    let model = spec.get("model").unwrap_or(models::SHIPPED[0].name);
    match &*AnyGuide::choose(&Othello::default(), spec)? {
        AnyGuide::Hand(_) => with(spec, options, Arc::new(Hand::default()), model),
        AnyGuide::Plain(guide) => with(spec, options, guide.evaluation(), model),
        AnyGuide::Patterns(guide) => with(spec, options, guide.evaluation(), model),
        AnyGuide::Thesis(guide) => with(spec, options, guide.evaluation(), model),
    }
}

/// A player with this evaluation. Where nobody has measured what shallow searches tell, a search is
/// as wide as the game.
fn with<E: Evaluation + 'static>(
    spec: &Spec,
    options: Options,
    evaluation: Arc<E>,
    model: &str,
) -> Result<Box<dyn Player>, TextError> {
    let refuse = |expected: &str, found: String| TextError {
        line: None,
        byte: spec.name.len() + 1,
        expected: expected.into(),
        found,
    };
    let cuts = match spec.get("cuts") {
        Some(GUESSED) if evaluation.unit() == Unit::Discs => Some(Arc::new(ProbCut::guessed())),
        asked => probcut::cuts_for(model, evaluation.unit(), asked).map_err(|why| {
            let asked = asked.unwrap_or("what comes with the evaluation");
            refuse("cuts that fit the evaluation for 'cuts'", format!("'{asked}' ({why})"))
        })?,
    };
    let thinker = Thinker::new(evaluation, cuts, options.settings()).map_err(|_| {
        let found = format!("{} MiB, for which there is no memory", options.hash);
        refuse("a smaller table for 'hash'", found)
    })?;
    let unit = thinker.unit();
    let name = spec.to_string();
    Ok(Box::new(EnginePlayer { name, seat: Seat::new(thinker), unit, options }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_the_table_is_written_as_everywhere() {
        for (text, mib) in [("64", 64), ("256M", 256), ("2G", 2048), (" 3m ", 3)] {
            assert_eq!(mebibytes("hash", text).unwrap(), mib, "{text}");
        }
        for text in ["", "M", "0", "0G", "-1", "1.5G", "12T", "99999999999999999999", "é"] {
            let said =
                zug_core::PlayerError::from(mebibytes("hash", text).unwrap_err()).to_string();
            assert!(said.contains("hash") && said.contains("256M"), "{text}: {said}");
        }
    }

    #[test]
    fn cuts_that_are_not_there_are_named_in_a_whole_sentence() {
        let spec = Spec::parse("zug:cuts=nofile").unwrap();
        let said = make(&spec).err().unwrap().to_string();
        assert!(said.contains("expected cuts that fit the evaluation"), "{said}");
        assert!(said.contains("found 'nofile' (there is no file"), "{said}");
    }
}

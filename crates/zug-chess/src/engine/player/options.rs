//! What a player of the engine can be told.

use super::EnginePlayer;
use super::judge::{Judge, PlayedModel};
use super::ponder::Seat;
use super::strength::{self, Handicap};
use crate::engine::polyglot::Polyglot;
use crate::engine::{Engine, Oracles, Probing, Settings, Techniques};
use crate::models;
use std::path::Path;
use std::sync::Arc;
use zug_core::limits::parse_duration;
use zug_core::{Player, PlayerKind, Score, Spec, TextError};
use zug_search::players::{BadOption, Configure, OwnLimits, parse_number, parse_switch};
use zug_search::{MAX_HASH_MIB, MAX_THREADS};

/// The size of the table, in mebibytes.
const HASH_MIB: usize = 64;

/// The deepest search that can be asked for before tables are.
const MAX_PROBE_DEPTH: u32 = 100;

/// What can be changed while a player runs.
#[derive(Clone)]
pub(super) struct Options {
    pub own: OwnLimits,
    pub threads: usize,
    pub hash: usize,
    pub techniques: Techniques,
    /// The search of the thesis was asked for.
    thesis: bool,
    /// Is the way to mate known in won endings? Unless it is said, in all but the thesis's search.
    endings: Option<bool>,
    pub ponder: bool,
    pub noise: i32,
    pub seed: u64,
    pub contempt: i32,
    pub knowledge: Knowledge,
    /// Mates are looked for: nothing is left out inside the searched depth.
    pub mate: bool,
    /// It plays like somebody of a rating.
    pub handicap: Option<Handicap>,
}

/// What it knows besides its evaluation, and by which words.
#[derive(Clone, Default)]
pub(super) struct Knowledge {
    words: [String; 3],
    pub oracles: Oracles,
    pub book: Option<Arc<Polyglot>>,
}

/// The places of the words.
const DATABASE: usize = 0;
const TABLES: usize = 1;
const BOOK: usize = 2;

/// By the words alone: the same words open the same files.
impl PartialEq for Knowledge {
    fn eq(&self, other: &Knowledge) -> bool {
        self.words == other.words && self.oracles.probing == other.oracles.probing
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            own: OwnLimits::default(),
            threads: 1,
            hash: HASH_MIB,
            techniques: Techniques::modern(),
            thesis: false,
            endings: None,
            ponder: false,
            noise: 0,
            seed: 0,
            contempt: 0,
            knowledge: Knowledge::default(),
            mate: false,
            handicap: None,
        }
    }
}

impl Options {
    pub fn settings(&self) -> Settings {
        Settings {
            techniques: if self.mate { self.techniques.thorough() } else { self.techniques },
            hash: self.hash << 20,
            // So that the number of positions is kept, on which the strength depends.
            threads: if self.handicap.is_some() { 1 } else { self.threads },
            contempt: self.contempt,
        }
    }

    /// Is the way to mate known?
    pub fn endings(&self) -> bool {
        self.endings.unwrap_or(!self.thesis)
    }

    /// Switches the techniques of a list such as `lmr+null`.
    fn switch(&mut self, name: &str, value: &str, on: bool) -> Result<(), BadOption> {
        for word in value.split('+').map(str::trim).filter(|word| !word.is_empty()) {
            if word == ENDINGS {
                self.endings = Some(on);
                continue;
            }
            let Some(switch) = self.techniques.switch(word) else {
                let known = Techniques::NAMES.join(", ");
                return Err(BadOption::new(name, word, format!("techniques ({known}, {ENDINGS})")));
            };
            *switch = on;
        }
        Ok(())
    }
}

impl Knowledge {
    /// Opens what a word names; an empty one closes it.
    fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        let bad = |why: String, what: &str| BadOption::new(name, value, format!("{what} ({why})"));
        let mut words = self.words.clone();
        let place = match name {
            "syzygy" => TABLES,
            "polyglot" => BOOK,
            _ => DATABASE,
        };
        words[place] = if value == "<empty>" { String::new() } else { value.to_string() };
        if place == BOOK {
            self.book = match words[BOOK].as_str() {
                "" => None,
                file => Some(Arc::new(
                    Polyglot::open(Path::new(file))
                        .map_err(|why| bad(why.to_string(), "a book of Polyglot"))?,
                )),
            };
        } else {
            let mut oracles = Oracles::asked_by(self.oracles.probing);
            if !words[DATABASE].is_empty() {
                oracles
                    .add_database(Path::new(&words[DATABASE]))
                    .map_err(|why| bad(why, "a database of this game"))?;
            }
            if !words[TABLES].is_empty() {
                oracles
                    .add_syzygy(&words[TABLES])
                    .map_err(|why| bad(why.to_string(), "a folder of Syzygy tables"))?;
            }
            self.oracles = oracles;
        }
        self.words = words;
        Ok(())
    }

    /// Lets go of the Syzygy tables, and says which they were.
    pub fn close_tables(&mut self) -> String {
        self.oracles.close_syzygy();
        std::mem::take(&mut self.words[TABLES])
    }

    /// Takes up tables that were let go.
    pub fn open_tables(&mut self, folders: &str) -> Result<(), BadOption> {
        self.set("syzygy", folders)
    }

    /// How tables are asked.
    fn ask(&mut self, probing: Probing) {
        self.oracles.probing = probing;
    }
}

/// The switch of what is known about endings.
const ENDINGS: &str = "endings";

const OWN: [&str; 22] = [
    "search",
    "on",
    "off",
    "depth",
    "nodes",
    "movetime",
    "threads",
    "hash",
    "ponder",
    "noise",
    "seed",
    "contempt",
    "oracle",
    "db",
    "syzygy",
    "syzygy-depth",
    "syzygy-fifty",
    "polyglot",
    "mate",
    "elo",
    "handicap",
    ENDINGS,
];

/// Our own options, and every technique as a switch.
const ALL: [&str; OWN.len() + Techniques::NAMES.len()] = {
    let mut all = [""; OWN.len() + Techniques::NAMES.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < OWN.len() { OWN[at] } else { Techniques::NAMES[at - OWN.len()] };
        at += 1;
    }
    all
};

impl Configure for Options {
    const NAMES: &'static [&'static str] = &ALL;

    fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        match name {
            "search" => {
                let expected = "modern or thesis";
                self.techniques = Techniques::named(value)
                    .ok_or_else(|| BadOption::new(name, value, expected))?;
                self.thesis = value == "thesis";
            }
            ENDINGS => self.endings = Some(parse_switch(name, value)?),
            "on" => self.switch(name, value, true)?,
            "off" => self.switch(name, value, false)?,
            "threads" => self.threads = parse_number(name, value, 1..=MAX_THREADS)?,
            "hash" => self.hash = mebibytes(name, value)?,
            "seed" => self.seed = parse_number(name, value, 0..=u64::MAX)?,
            "noise" => self.noise = parse_number(name, value, 0..=Score::MAX_ESTIMATE)?,
            "contempt" => self.contempt = parse_number(name, value, -1000..=1000)?,
            "ponder" => self.ponder = parse_switch(name, value)?,
            "mate" => self.mate = parse_switch(name, value)?,
            "movetime" if parse_duration(value).is_some_and(|time| time.is_zero()) => {
                return Err(BadOption::new(name, value, "a duration above 0, such as 50ms"));
            }
            "oracle" | "db" | "syzygy" | "polyglot" => self.knowledge.set(name, value)?,
            "syzygy-depth" => {
                let depth = parse_number(name, value, 0..=MAX_PROBE_DEPTH)?;
                self.knowledge.ask(Probing { depth, ..self.knowledge.oracles.probing });
            }
            "syzygy-fifty" => {
                let fifty = parse_switch(name, value)?;
                self.knowledge.ask(Probing { fifty, ..self.knowledge.oracles.probing });
            }
            "handicap" => {
                let expected = "NODES:MARGIN, such as 300:25";
                let handicap = Handicap::read(value);
                self.handicap =
                    Some(handicap.ok_or_else(|| BadOption::new(name, value, expected))?);
            }
            "elo" if value == "none" => self.handicap = None,
            "elo" => {
                let range = strength::range();
                let elo = parse_number(name, value, range.least..=range.most)?;
                self.handicap = Some(Handicap::of(elo));
            }
            _ => match self.techniques.switch(name) {
                Some(switch) => *switch = parse_switch(name, value)?,
                None => return self.own.set(name, value),
            },
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

fn help() -> String {
    format!(
        "chess search: model=NAME|FILE (names: {}), depth=N, nodes=N, movetime=T, threads=N, \
         hash=SIZE (MiB, or 256M, 4G), ponder=on|off, search=modern|thesis, on=A+B and off=A+B \
         (techniques: {} {ENDINGS}), noise=N (hundredths), seed=N, contempt=N (hundredths), \
         elo=N (plays like a rating, {} to {}, or none), \
         handicap=NODES:MARGIN (what a rating stands for), oracle=DIR (a solved database), \
         syzygy=DIR[:DIR], syzygy-depth=N (plies, 0), syzygy-fifty=on|off, polyglot=FILE (a book), \
         mate=on|off (leave no mate out)",
        models::names().join(", "),
        Techniques::NAMES.join(" "),
        strength::range().least,
        strength::range().most,
    )
}

/// The engine under a name.
#[must_use]
pub fn engine_player(name: &'static str) -> PlayerKind {
    PlayerKind { name, help: help(), make: Box::new(make) }
}

fn make(spec: &Spec) -> Result<Box<dyn Player>, TextError> {
    let known: Vec<&str> = ALL.iter().chain(&["model"]).copied().collect();
    spec.only(&known)?;
    if let Some((key, _)) = spec.options.iter().find(|(_, value)| value.trim().is_empty()) {
        // Over UCI nothing closes a file; in the name of a player it is a slip.
        return Err(TextError {
            line: None,
            byte: spec.name.len() + 1,
            expected: format!("a value after '{key}='"),
            found: "nothing".into(),
        });
    }
    let mut rest = spec.clone();
    rest.options.retain(|(key, _)| key != "model");
    let mut options = Options::default();
    options.set_all(&rest)?;
    let model = spec.get("model").unwrap_or(models::default_name());
    let model = PlayedModel::open(model).map_err(|why| TextError {
        line: None,
        byte: spec.name.len() + 1,
        expected: "a model of chess for 'model'".into(),
        found: why.to_string(),
    })?;
    let judge = Judge { model: model.clone(), endings: options.endings() };
    let mut engine = Engine::new(Arc::new(judge), options.settings()).map_err(|_| TextError {
        line: None,
        byte: spec.name.len() + 1,
        expected: "a smaller table for 'hash'".into(),
        found: format!("{} MiB, for which there is no memory", options.hash),
    })?;
    engine.set_oracles(options.knowledge.oracles.clone());
    let book = options.knowledge.book.clone();
    let (name, seat, first_model) = (spec.to_string(), Seat::new(engine), model.clone());
    let (analyses, games) = (false, 0);
    Ok(Box::new(EnginePlayer { name, seat, options, model, first_model, book, analyses, games }))
}

//! Which options does a chess engine offer to a GUI, and which of them are meant for the player?
//!
//! They are named and declared as in UCI; CECP offers those that it has no command for.

use crate::seat::Seat;
use std::time::Duration;
use zug_core::{AnyLine, EloRange, GameEntry, Spec};

/// What the GUI has set.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Best lines to show.
    pub(crate) lines: usize,
    /// Kept back from every clock for the way to the GUI and back.
    pub(crate) overhead: Duration,
    /// Castling is written as the king taking its own rook.
    pub(crate) chess960: bool,
    /// Which search the player has, so that asking for it again changes nothing.
    search: String,
    /// The book that the player plays by and may learn into; empty for none.
    pub(crate) book: String,
    /// The book of Polyglot that it plays by.
    polyglot: String,
    /// The model that values positions; empty for the one of the player.
    pub(crate) model: String,
    /// The GUI analyses and does not play.
    pub(crate) analyses: bool,
    /// Tell with each score how often it is won, drawn and lost.
    pub(crate) shows_chances: bool,
    /// The ratings that the player can be told to play like, where there are any.
    ratings: Option<EloRange>,
    /// Is it told to?
    limits_strength: bool,
    /// Like which one?
    elo: u32,
    /// Say more.
    pub(crate) debug: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            lines: 1,
            overhead: Duration::from_millis(10),
            chess960: false,
            search: SEARCHES[0].to_string(),
            book: String::new(),
            polyglot: String::new(),
            model: String::new(),
            analyses: false,
            shows_chances: false,
            ratings: None,
            limits_strength: false,
            elo: USUAL_ELO,
            debug: false,
        }
    }
}

/// The rating that is offered first, where it can be had.
const USUAL_ELO: u32 = 1500;

/// The searches of the engine, the default first.
const SEARCHES: [&str; 2] = ["modern", "thesis"];

/// What the rest of the engine has to do about a change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Nothing.
    Done,
    /// Pass it to the player, under the player's own name for it.
    Player(&'static str, String),
    /// Above 0, draws are to be avoided: a matter of the player's book.
    Contempt(i32),
    /// Analyse, or play, whatever `go` says: a matter of players that know the difference.
    Analyse(bool),
    /// Play as well as can be: a matter of players that can do otherwise.
    FullStrength,
    /// Forget what was learned in earlier searches.
    ClearHash,
    /// Open the game again with or without Chess960 castling.
    Chess960,
}

impl Change {
    /// Tells the player, where it is a matter of the player.
    pub(crate) fn tell(
        &self,
        seat: &mut Seat,
        entry: &GameEntry,
        line: &dyn AnyLine,
    ) -> Result<(), String> {
        match self {
            Change::Done | Change::Chess960 => Ok(()),
            // A GUI's default: the model that the player has anyway, if it has one at all.
            Change::Player("model", value) if value.is_empty() => {
                let _ = seat.set_option(entry, "model", value);
                Ok(())
            }
            Change::Player(name, value) => seat.set_option(entry, name, value),
            // Without a book it changes nothing, which is what a GUI's default of 0 asks for.
            Change::Contempt(0) => {
                let _ = seat.set_option(entry, "contempt", "0");
                Ok(())
            }
            Change::Contempt(n) => seat.set_option(entry, "contempt", &n.to_string()),
            // A player that has no such option does the same either way.
            Change::Analyse(on) => {
                let _ = seat.set_option(entry, "analyse", if *on { "on" } else { "off" });
                Ok(())
            }
            Change::FullStrength => {
                let _ = seat.set_option(entry, "elo", "none");
                Ok(())
            }
            Change::ClearHash => seat.new_game(entry, line),
        }
    }
}

/// The largest table in MiB that a GUI may ask for: as large as the player takes it in its spec.
const MAX_HASH: u64 = 16_384;

/// The lines that declare the options.
const DECLARATIONS: [&str; 18] = [
    "option name Hash type spin default 64 min 1 max 16384",
    "option name Threads type spin default 1 min 1 max 256",
    "option name MultiPV type spin default 1 min 1 max 256",
    "option name Ponder type check default false",
    "option name Clear Hash type button",
    "option name Move Overhead type spin default 10 min 0 max 10000",
    "option name UCI_Chess960 type check default false",
    "option name UCI_AnalyseMode type check default false",
    "option name UCI_ShowWDL type check default false",
    "option name Book type string default <empty>",
    "option name Learn type check default false",
    "option name Contempt type spin default 0 min -100 max 100",
    "option name SyzygyPath type string default <empty>",
    "option name SyzygyProbeDepth type spin default 0 min 0 max 100",
    "option name Syzygy50MoveRule type check default true",
    "option name Database type string default <empty>",
    "option name PolyglotBook type string default <empty>",
    "option name Model type string default <empty>",
];

impl Options {
    /// The options of a session with this player, in a game with these ratings.
    pub(crate) fn of(player: &Spec, ratings: Option<EloRange>) -> Options {
        let search = player.get("search").filter(|word| SEARCHES.contains(word));
        let default = Options::default();
        let named = |key| player.get(key).filter(|word| *word != "none").unwrap_or("").to_string();
        let elo = player.get("elo").and_then(|elo| elo.parse().ok());
        let usual = ratings.map_or(USUAL_ELO, |range| USUAL_ELO.clamp(range.least, range.most));
        Options {
            search: search.map_or(default.search, str::to_string),
            book: named("book"),
            polyglot: named("polyglot"),
            model: match player.get("td") {
                Some(folder) => format!("{folder}/model.zug"),
                None => named("model"),
            },
            ratings,
            limits_strength: elo.is_some(),
            elo: elo.unwrap_or(usual),
            ..default
        }
    }

    /// May a move come from a book?
    pub(crate) fn has_book(&self) -> bool {
        !(self.book.is_empty() && self.polyglot.is_empty())
    }

    /// The lines that declare the options.
    pub(crate) fn declare(&self) -> String {
        let mut text = DECLARATIONS.join("\n") + "\n";
        text.push_str(&self.declare_strength());
        text.push_str(&self.declare_search());
        text.push('\n');
        text
    }

    /// The line that declares the search: its default is what the player was made with.
    fn declare_search(&self) -> String {
        let choices: String = SEARCHES.iter().map(|word| format!(" var {word}")).collect();
        format!("option name Search type combo default {}{choices}", self.search)
    }

    /// The lines that declare how strong it plays, with what the player was made with.
    fn declare_strength(&self) -> String {
        let Some(EloRange { least, most }) = self.ratings else { return String::new() };
        format!(
            "option name UCI_LimitStrength type check default {}\n\
             option name UCI_Elo type spin default {} min {least} max {most}\n",
            self.limits_strength, self.elo
        )
    }

    /// Sets an option; names do not mind letter case.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, String> {
        let value = value.unwrap_or("");
        match name.to_ascii_lowercase().as_str() {
            "hash" => Ok(Change::Player("hash", spin(name, value, 1, MAX_HASH)?.to_string())),
            "threads" => Ok(Change::Player("threads", spin(name, value, 1, 256)?.to_string())),
            "multipv" => {
                self.lines = spin(name, value, 1, 256)? as usize;
                Ok(Change::Done)
            }
            "move overhead" => {
                self.overhead = Duration::from_millis(spin(name, value, 0, 10_000)?);
                Ok(Change::Done)
            }
            // The GUI announces that it will use `go ponder`; nothing depends on it here.
            "ponder" => check(name, value).map(|_| Change::Done),
            "clear hash" => Ok(Change::ClearHash),
            "book" => {
                self.book = text(value);
                Ok(Change::Player("book", text(value)))
            }
            "syzygypath" => Ok(Change::Player("syzygy", text(value))),
            "database" => Ok(Change::Player("oracle", text(value))),
            "polyglotbook" => {
                self.polyglot = text(value);
                Ok(Change::Player("polyglot", text(value)))
            }
            "syzygyprobedepth" => {
                Ok(Change::Player("syzygy-depth", spin(name, value, 0, 100)?.to_string()))
            }
            "syzygy50moverule" => {
                Ok(Change::Player("syzygy-fifty", check(name, value)?.to_string()))
            }
            "model" => {
                self.model = text(value);
                Ok(Change::Player("model", text(value)))
            }
            "uci_analysemode" => {
                self.analyses = check(name, value)?;
                Ok(Change::Analyse(self.analyses))
            }
            "uci_showwdl" => {
                self.shows_chances = check(name, value)?;
                Ok(Change::Done)
            }
            "uci_limitstrength" => {
                self.limits_strength = check(name, value)?;
                Ok(self.strength())
            }
            "uci_elo" if let Some(EloRange { least, most }) = self.ratings => {
                self.elo = spin(name, value, least.into(), most.into())? as u32;
                Ok(if self.limits_strength { self.strength() } else { Change::Done })
            }
            "search" => {
                let word = value.to_ascii_lowercase();
                if !SEARCHES.contains(&word.as_str()) {
                    let known = SEARCHES.map(|word| format!("'{word}'")).join(" or ");
                    return Err(format!("option {name}: expected {known}, found '{value}'"));
                }
                if word == self.search {
                    return Ok(Change::Done);
                }
                self.search.clone_from(&word);
                Ok(Change::Player("search", word))
            }
            "learn" => Ok(Change::Player("learn", check(name, value)?.to_string())),
            "contempt" => {
                let number = value.parse().ok().filter(|n| (-100..=100).contains(n));
                let number: i32 = number.ok_or_else(|| {
                    format!("option {name}: expected a number from -100 to 100, found '{value}'")
                })?;
                Ok(Change::Contempt(number))
            }
            "uci_chess960" => {
                self.chess960 = check(name, value)?;
                Ok(Change::Chess960)
            }
            _ => Err(format!("there is no option '{name}'")),
        }
    }
}

impl Options {
    fn strength(&self) -> Change {
        match self.limits_strength {
            true => Change::Player("elo", self.elo.to_string()),
            false => Change::FullStrength,
        }
    }
}

/// A text. GUIs send the default for no text at all.
fn text(value: &str) -> String {
    if value == "<empty>" { String::new() } else { value.to_string() }
}

fn spin(name: &str, value: &str, least: u64, most: u64) -> Result<u64, String> {
    match value.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => {
            Err(format!("option {name}: expected a number from {least} to {most}, found '{value}'"))
        }
    }
}

fn check(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("option {name}: expected 'true' or 'false', found '{value}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_option_can_be_set_to_its_default() {
        for line in DECLARATIONS {
            let name = line.strip_prefix("option name ").unwrap().split(" type ").next().unwrap();
            let value = line.split(" default ").nth(1).map(|v| v.split(' ').next().unwrap());
            assert!(Options::default().set(name, value).is_ok(), "{line}");
        }
    }

    #[test]
    fn the_search_is_declared_as_the_player_has_it_and_changed_only_when_it_changes() {
        let declared = |spec: &str| Options::of(&Spec::parse(spec).unwrap(), None).declare_search();
        let modern = "option name Search type combo default modern var modern var thesis";
        assert_eq!(declared("zug"), modern);
        assert_eq!(
            declared("zug:search=thesis"),
            modern.replace("default modern", "default thesis")
        );
        let mut options = Options::default();
        assert_eq!(options.set("search", Some("Modern")), Ok(Change::Done));
        let thesis = Change::Player("search", "thesis".to_string());
        assert_eq!(options.set("Search", Some("thesis")), Ok(thesis));
        assert_eq!(options.set("Search", Some("thesis")), Ok(Change::Done));
    }

    #[test]
    fn a_rating_is_kept_until_strength_is_limited() {
        let ratings = Some(EloRange { least: 800, most: 2500 });
        let mut options = Options::of(&Spec::parse("zug").unwrap(), ratings);
        let declared = "option name UCI_LimitStrength type check default false\n\
                        option name UCI_Elo type spin default 1500 min 800 max 2500\n";
        assert_eq!(options.declare_strength(), declared);
        assert_eq!(options.set("UCI_Elo", Some("1200")), Ok(Change::Done));
        let said = options.set("UCI_Elo", Some("700")).unwrap_err();
        assert_eq!(said, "option UCI_Elo: expected a number from 800 to 2500, found '700'");
        let elo = |n: &str| Ok(Change::Player("elo", n.to_string()));
        assert_eq!(options.set("UCI_LimitStrength", Some("true")), elo("1200"));
        assert_eq!(options.set("UCI_Elo", Some("1900")), elo("1900"));
        assert_eq!(options.set("UCI_LimitStrength", Some("false")), Ok(Change::FullStrength));
        let limited = Options::of(&Spec::parse("zug:elo=900").unwrap(), ratings);
        let expected = declared.replace("false", "true").replace("1500", "900");
        assert_eq!(limited.declare_strength(), expected);
        // A game without a ladder offers none.
        assert_eq!(Options::default().declare_strength(), "");
        assert!(Options::default().set("UCI_Elo", Some("1500")).is_err());
    }

    #[test]
    fn every_declared_limit_is_the_one_that_is_kept() {
        for line in DECLARATIONS.iter().filter(|l| l.contains(" max ")) {
            let name = line.strip_prefix("option name ").unwrap().split(" type ").next().unwrap();
            let most: u64 = line.split(" max ").nth(1).unwrap().parse().unwrap();
            let set = |value: u64| Options::default().set(name, Some(&value.to_string()));
            assert!(set(most).is_ok() && set(most + 1).is_err(), "{line}");
        }
    }

    #[test]
    fn values_out_of_range_are_refused_in_words() {
        let mut options = Options::default();
        assert_eq!(
            options.set("MultiPV", Some("0")).unwrap_err(),
            "option MultiPV: expected a number from 1 to 256, found '0'"
        );
        assert!(options.set("UCI_Chess960", Some("yes")).is_err());
        assert!(options.set("Contempt", Some("101")).unwrap_err().contains("-100 to 100"));
        let said = options.set("Search", Some("deep")).unwrap_err();
        assert_eq!(said, "option Search: expected 'modern' or 'thesis', found 'deep'");
        assert!(options.set("Bookmark", Some("3")).unwrap_err().contains("no option"));
        assert_eq!(options.set("multipv", Some("3")), Ok(Change::Done));
        assert_eq!(options.lines, 3);
    }
}

//! Who takes part, and how a player is made from its spec.

use crate::control::{TimeControl, USUAL_MOVETIME};
use crate::foreign;
use std::sync::Arc;
use zug_core::seed::mix;
use zug_core::{GameEntry, Player, PlayerError, Spec, TextError};

/// Makes players of one kind; every worker of a match makes its own.
#[derive(Clone)]
pub struct PlayerFactory<'a> {
    make: Make<'a>,
    reuse: bool,
    learns: bool,
}

type Make<'a> = Arc<dyn Fn(u64) -> Result<Box<dyn Player>, PlayerError> + Send + Sync + 'a>;

impl<'a> PlayerFactory<'a> {
    /// A factory whose players live for one game. The argument of `make` is a seed; equal seeds
    /// must make equal players.
    pub fn per_game(
        make: impl Fn(u64) -> Result<Box<dyn Player>, PlayerError> + Send + Sync + 'a,
    ) -> PlayerFactory<'a> {
        PlayerFactory { make: Arc::new(make), reuse: false, learns: false }
    }

    /// A factory whose players are used for many games, one after the other.
    pub fn reused(
        make: impl Fn(u64) -> Result<Box<dyn Player>, PlayerError> + Send + Sync + 'a,
    ) -> PlayerFactory<'a> {
        PlayerFactory { make: Arc::new(make), reuse: true, learns: false }
    }

    /// Says whether its players learn from game to game. Where one does, the games of a match are
    /// played one after the other.
    #[must_use]
    pub fn learning(self, learns: bool) -> PlayerFactory<'a> {
        PlayerFactory { learns, ..self }
    }

    /// Do its players learn from game to game?
    #[must_use]
    pub fn learns(&self) -> bool {
        self.learns
    }

    /// Makes a player.
    pub fn make(&self, seed: u64) -> Result<Box<dyn Player>, PlayerError> {
        (self.make)(seed)
    }

    /// May a player play several games?
    #[must_use]
    pub fn is_reused(&self) -> bool {
        self.reuse
    }
}

/// One of the players of a match.
#[derive(Clone)]
pub struct Participant<'a> {
    /// The name in tables and records; no two are the same.
    pub name: String,
    /// How it was asked for; a journal belongs to a match of the same specs.
    pub spec: String,
    /// Makes the player.
    pub factory: PlayerFactory<'a>,
    /// Has it a limit of its own (`zug:depth=8`), or no way to be told a time for a move (GTP knows
    /// whole seconds, NBoard none)? Then it does not lose by the match's time for a move; by a
    /// clock it does.
    pub limits_itself: bool,
}

impl Participant<'_> {
    /// What its moves are limited by in a match of this time control.
    pub(crate) fn limit_words(&self, control: &TimeControl) -> String {
        let mut own: Vec<String> = Vec::new();
        if let Ok(spec) = Spec::parse(&self.spec) {
            let said = OWN_LIMITS.iter().filter_map(|key| Some((key, spec.get(key)?)));
            own.extend(said.map(|(key, value)| format!("{key}={value}")));
        }
        if !own.is_empty() {
            // A clock runs for everybody.
            own.extend(control.clock.map(|clock| clock.to_string()));
            return own.join(",");
        }
        if *control == TimeControl::default() {
            let usual = TimeControl { movetime: Some(USUAL_MOVETIME), ..TimeControl::default() };
            return format!("{usual} (the usual one, since none was given)");
        }
        control.to_string()
    }
}

/// Options with which a player limits itself.
const OWN_LIMITS: [&str; 4] = ["depth", "nodes", "playouts", "movetime"];

/// Finds who can play this: one of the game's own players, or `uci`, `cecp`, `gtp`, `nboard` for a
/// foreign engine.
///
/// Our own players are made anew for each game, with a seed for that game where they take one (a
/// seed in the spec is mixed into it); so a match does not depend on how its games were divided
/// among threads. Foreign engines are started once for each worker and told of each new game.
pub fn player<'a>(entry: &'a GameEntry, spec: &Spec) -> Result<PlayerFactory<'a>, TextError> {
    if foreign::is_foreign(&spec.name) {
        let options = foreign::ForeignOptions::from_spec(spec)?;
        foreign::check_game(&spec.name, &entry.game.spec())?;
        return Ok(PlayerFactory::reused(move |_| options.player()));
    }
    if !entry.players.iter().any(|kind| kind.name == spec.name) {
        let mut known: Vec<&str> = entry.players.iter().map(|k| k.name).collect();
        known.extend(foreign::PROTOCOLS);
        let expected = format!("a player of {} ({})", entry.game.spec(), known.join(", "));
        return Err(TextError::new(0, expected, format!("'{}'", spec.name)));
    }
    let learns = entry.player(spec)?.learns();
    let own_seed = spec.parsed::<u64>("seed", "a number")?;
    let seeded = entry.player(&with_seed(spec, 0)).is_ok();
    let spec = spec.clone();
    Ok(PlayerFactory::per_game(move |seed| {
        let made = if seeded {
            let seed = own_seed.map_or(seed, |own| mix(seed ^ mix(own)));
            // Small enough to survive any way of writing numbers.
            entry.player(&with_seed(&spec, seed >> 16))
        } else {
            entry.player(&spec)
        };
        made.map_err(|e| PlayerError::Start(e.to_string()))
    })
    .learning(learns))
}

fn with_seed(spec: &Spec, seed: u64) -> Spec {
    let mut spec = spec.clone();
    spec.options.retain(|(key, _)| key != "seed");
    spec.options.push(("seed".to_string(), seed.to_string()));
    spec
}

/// Participants for a list of specs, with names that tell them apart: players of one engine are
/// named by the options in which they differ. A `name=` option names a foreign engine.
pub fn participants<'a>(
    entry: &'a GameEntry,
    specs: &[Spec],
) -> Result<Vec<Participant<'a>>, TextError> {
    let names = names(specs);
    let each = specs.iter().zip(names).map(|(spec, name)| {
        let factory = player(entry, spec)?;
        let limits_itself = OWN_LIMITS.iter().any(|k| spec.get(k).is_some())
            || ["gtp", "nboard"].contains(&spec.name.as_str());
        Ok(Participant { name, spec: spec.to_string(), factory, limits_itself })
    });
    each.collect()
}

/// The names of players, no two the same.
fn names(specs: &[Spec]) -> Vec<String> {
    let engines: Vec<Engine> = specs.iter().map(Engine::of).collect();
    let mut names: Vec<String> = Vec::new();
    for (at, engine) in engines.iter().enumerate() {
        let others: Vec<&Engine> = engines
            .iter()
            .enumerate()
            .filter(|(place, other)| *place != at && other.is_like(engine))
            .map(|(_, other)| other)
            .collect();
        let base = engine.name(&others);
        let mut name = base.clone();
        let mut copy = 2;
        while names.contains(&name) {
            name = format!("{base}#{copy}");
            copy += 1;
        }
        names.push(name);
    }
    names
}

/// What a name can be made of.
struct Engine {
    /// A name that was given to it.
    given: Option<String>,
    /// What kind of player it is: `zug`, or the program that it runs.
    program: String,
    /// The folders of the program, the innermost first.
    folders: Vec<String>,
    /// Options and arguments, as they are shown, and whether one that is alone shows them.
    words: Vec<(String, bool)>,
}

/// Options that say how a foreign engine is run, not how it plays.
const MEANS: [&str; 3] = ["dir", "timeout", "init"];

impl Engine {
    fn of(spec: &Spec) -> Engine {
        let is_foreign = foreign::is_foreign(&spec.name);
        let mut engine = Engine {
            given: None,
            program: spec.name.clone(),
            folders: Vec::new(),
            words: Vec::new(),
        };
        for (key, value) in &spec.options {
            let shown = if key.is_empty() { value.clone() } else { format!("{key}={value}") };
            match key.as_str() {
                "name" if is_foreign => engine.given = Some(value.clone()),
                "cmd" if is_foreign => {
                    let Ok(words) = foreign::command_words(value) else { continue };
                    let mut parts = words[0].rsplit(['/', '\\']).map(str::to_string);
                    engine.program = parts.next().unwrap_or_default();
                    engine.folders = parts.collect();
                    engine.words.extend(words[1..].iter().map(|word| (word.clone(), false)));
                }
                _ => engine.words.push((shown, !(is_foreign && MEANS.contains(&key.as_str())))),
            }
        }
        engine
    }

    /// Would both have the same name without their options?
    fn is_like(&self, other: &Engine) -> bool {
        self.given.is_none() && other.given.is_none() && self.program == other.program
    }

    fn differs(&self, other: &Engine) -> bool {
        let words = |engine: &Engine| {
            let mut words: Vec<String> =
                engine.words.iter().map(|(word, _)| word.clone()).collect();
            words.sort();
            words
        };
        words(self) != words(other)
    }

    /// What tells it from others like it.
    fn name(&self, others: &[&Engine]) -> String {
        if let Some(name) = &self.given {
            return name.clone();
        }
        let has = |engine: &Engine, word: &str| engine.words.iter().any(|(w, _)| w == word);
        let words: Vec<&str> = self
            .words
            .iter()
            .filter(|(word, alone)| match others.iter().any(|other| other.differs(self)) {
                false => *alone,
                true => !others.iter().all(|other| has(other, word)),
            })
            // `zug engine uci --player zug:depth=4` says twice what it is.
            .map(|(word, _)| word.strip_prefix(&format!("{}:", self.program)).unwrap_or(word))
            .collect();
        let mut name = self.program.clone();
        let differs = |depth: usize| {
            let mine = self.folders.get(..depth).unwrap_or(&self.folders);
            let same =
                |other: &&&Engine| other.folders.get(..depth).unwrap_or(&other.folders) != mine;
            others.iter().filter(same).count()
        };
        // As many folders as tell two programs of one name apart.
        let most = self.folders.len();
        let apart = differs(most.max(1));
        let depth =
            if apart == 0 { 0 } else { (1..=most).find(|&n| differs(n) == apart).unwrap_or(0) };
        for folder in &self.folders[..depth] {
            name = format!("{folder}/{name}");
        }
        if !words.is_empty() {
            name.push(':');
            name.push_str(&words.join(","));
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(specs: &[&str], expected: &[&str]) {
        let specs: Vec<Spec> = specs.iter().map(|text| Spec::parse(text).unwrap()).collect();
        assert_eq!(names(&specs), expected);
    }

    #[test]
    fn players_of_one_engine_are_named_by_what_they_differ_in() {
        check(&["zug:depth=4", "zug:depth=6"], &["zug:depth=4", "zug:depth=6"]);
        check(&["zug:depth=4,model=hand", "zug:depth=4"], &["zug:model=hand", "zug"]);
        check(&["zug:nodes=5,on=a", "pvs:nodes=5,on=a"], &["zug:nodes=5,on=a", "pvs:nodes=5,on=a"]);
        check(
            &[
                "uci:cmd=zug engine uci --player zug:depth=4",
                "uci:cmd=zug engine uci --player zug:depth=6",
            ],
            &["zug:depth=4", "zug:depth=6"],
        );
        check(
            &[
                "uci:cmd=/usr/games/stockfish,Hash=16,UCI_Elo=1400",
                "uci:cmd=/usr/games/stockfish,Hash=16,UCI_Elo=1600",
            ],
            &["stockfish:UCI_Elo=1400", "stockfish:UCI_Elo=1600"],
        );
        check(&["uci:cmd=/old/bin/zug", "uci:cmd=/new/bin/zug"], &["old/bin/zug", "new/bin/zug"]);
        check(&["uci:cmd=/a/zug", "cecp:cmd=/b/zug"], &["a/zug", "b/zug"]);
        check(&["uci:cmd=x,timeout=5s", "uci:cmd=x"], &["x:timeout=5s", "x"]);
    }

    #[test]
    fn one_player_of_an_engine_has_its_options_and_equals_have_numbers() {
        check(&["zug:depth=3", "random"], &["zug:depth=3", "random"]);
        check(&["random", "random", "random"], &["random", "random#2", "random#3"]);
        check(&["zug:depth=3", "zug:depth=3"], &["zug:depth=3", "zug:depth=3#2"]);
        check(
            &["uci:cmd=stockfish -v,UCI_Elo=1400,timeout=5s", "zug"],
            &["stockfish:UCI_Elo=1400", "zug"],
        );
        check(&["uci:cmd=x,name=Ann", "uci:cmd=x,name=Ann", "uci:cmd=x"], &["Ann", "Ann#2", "x"]);
    }
}

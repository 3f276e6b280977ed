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

/// Participants for a list of specs, with names that tell them apart. A `name=` option names a
/// foreign engine.
pub fn participants<'a>(
    entry: &'a GameEntry,
    specs: &[Spec],
) -> Result<Vec<Participant<'a>>, TextError> {
    let mut out: Vec<Participant<'a>> = Vec::new();
    for spec in specs {
        let factory = player(entry, spec)?;
        let base = display_name(spec);
        let mut name = base.clone();
        let mut copy = 2;
        while out.iter().any(|p| p.name == name) {
            name = format!("{base}#{copy}");
            copy += 1;
        }
        let limits_itself = OWN_LIMITS.iter().any(|k| spec.get(k).is_some())
            || ["gtp", "nboard"].contains(&spec.name.as_str());
        out.push(Participant { name, spec: spec.to_string(), factory, limits_itself });
    }
    Ok(out)
}

/// The spec itself for our own players; the program's name with its options for foreign ones.
fn display_name(spec: &Spec) -> String {
    if !foreign::is_foreign(&spec.name) {
        return spec.to_string();
    }
    if let Some(name) = spec.get("name") {
        return name.to_string();
    }
    let program = spec.get("cmd").and_then(|cmd| foreign::program_name(cmd).ok());
    let mut name = program.unwrap_or_else(|| spec.name.clone());
    let told: Vec<String> = spec
        .options
        .iter()
        .filter(|(k, _)| !["cmd", "dir", "timeout", "init"].contains(&k.as_str()))
        .map(|(k, v)| if k.is_empty() { v.clone() } else { format!("{k}={v}") })
        .collect();
    if !told.is_empty() {
        name.push(':');
        name.push_str(&told.join(","));
    }
    name
}

//! Who sits at the board? The player, kept between moves and built again when the game, an option
//! or a crash asks for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use zug_core::{AnyLine, Choice, GameEntry, Limits, Player, PlayerError, Spec, TextError, Watch};

/// The time for a move when neither the protocol nor the player's spec sets a limit. Thinking until
/// stopped would be no answer.
pub(crate) const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

/// A player that can be taken away to think on another thread, and that survives its own mistakes.
pub(crate) struct Seat {
    spec: Spec,
    player: Option<Box<dyn Player>>,
}

impl Seat {
    /// Builds the player, so that a bad spec is reported before the first command.
    pub(crate) fn new(entry: &GameEntry, spec: &Spec) -> Result<Seat, TextError> {
        Ok(Seat { spec: spec.clone(), player: Some(entry.player(spec)?) })
    }

    /// Takes the player away; a new one is built if there is none.
    pub(crate) fn take(&mut self, entry: &GameEntry) -> Result<Box<dyn Player>, String> {
        match self.player.take() {
            Some(player) => Ok(player),
            None => entry.player(&self.spec).map_err(|e| e.to_string()),
        }
    }

    /// Seats the player again; `None` when it did not survive.
    pub(crate) fn put(&mut self, player: Option<Box<dyn Player>>) {
        self.player = player;
    }

    /// Another game: the player for it is built when it is needed.
    pub(crate) fn rebuild(&mut self) {
        self.player = None;
    }

    /// Tells the player that a game begins.
    pub(crate) fn new_game(&mut self, entry: &GameEntry, line: &dyn AnyLine) -> Result<(), String> {
        let mut player = self.take(entry)?;
        let told = guarded(|| player.new_game(line));
        self.put(survivor(player, &told));
        told.map_err(|e| e.to_string())
    }

    /// Sets an option of the player: at once if it can, otherwise by building it again with the
    /// option in its spec.
    pub(crate) fn set_option(
        &mut self,
        entry: &GameEntry,
        name: &str,
        value: &str,
    ) -> Result<(), String> {
        let mut player = self.take(entry)?;
        let set = guarded(|| player.set_option(name, value));
        self.put(survivor(player, &set));
        let Err(first) = set else { return Ok(()) };
        let mut spec = self.spec.clone();
        spec.options.retain(|(key, _)| key != name);
        spec.options.push((name.to_string(), value.to_string()));
        match entry.player(&spec) {
            Ok(player) => {
                self.spec = spec;
                self.put(Some(player));
                Ok(())
            }
            Err(_) => Err(first.to_string()),
        }
    }

    /// Thinks on this thread.
    pub(crate) fn choose(
        &mut self,
        entry: &GameEntry,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, String> {
        let player = self.take(entry)?;
        let (player, choice) = choose(player, line, limits, watch);
        self.put(player);
        choice.map_err(|e| e.to_string())
    }

    /// Limits with the default time added where nothing else would end the search.
    pub(crate) fn bounded(&self, mut limits: Limits) -> Limits {
        let by_spec = ["depth", "nodes", "movetime", "playouts", "time"];
        if !limits.is_bounded() && !by_spec.iter().any(|key| self.spec.get(key).is_some()) {
            limits.movetime = Some(DEFAULT_MOVE_TIME);
        }
        limits
    }

    /// The player's name, for the protocols that ask.
    pub(crate) fn name(&self) -> String {
        self.player.as_ref().map_or_else(|| self.spec.to_string(), |p| p.name())
    }
}

/// Lets a player choose and checks what it says: a panic is a crash of that player alone (it is
/// not given back), and a move that the rules do not allow is an error.
pub(crate) fn choose(
    mut player: Box<dyn Player>,
    line: &dyn AnyLine,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> (Option<Box<dyn Player>>, Result<Choice, PlayerError>) {
    let chosen = guarded(|| player.choose(line, limits, watch));
    let player = survivor(player, &chosen);
    let checked = chosen.and_then(|mut choice| {
        if !choice.resigns {
            choice.mv = line
                .boxed_clone()
                .play(&choice.mv)
                .map_err(|e| PlayerError::Illegal(e.to_string()))?;
        }
        Ok(choice)
    });
    (player, checked)
}

/// Words that mark a player that must not be used again.
const PANICKED: &str = "the player broke down; it is built anew for the next move";

fn guarded<T>(act: impl FnOnce() -> Result<T, PlayerError>) -> Result<T, PlayerError> {
    catch_unwind(AssertUnwindSafe(act))
        .unwrap_or_else(|_| Err(PlayerError::Crashed(PANICKED.to_string())))
}

fn survivor<T>(
    player: Box<dyn Player>,
    result: &Result<T, PlayerError>,
) -> Option<Box<dyn Player>> {
    match result {
        Err(PlayerError::Crashed(_)) => None,
        _ => Some(player),
    }
}

//! Who sits at the board? The player, kept between moves and built again when the game, an option
//! or a crash asks for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use zug_core::{
    AnyLine, Choice, GameEntry, Limits, Outcome, Player, PlayerError, Spec, TextError, Watch,
};

/// The time for a move when neither the protocol nor the player's spec sets a limit. Thinking until
/// stopped would be no answer.
pub(crate) const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

/// A player that can be taken away to think on another thread, and that survives its own mistakes.
pub(crate) struct Seat {
    spec: Spec,
    /// Options set since, which a player that is built anew gets again.
    set: Vec<(String, String)>,
    player: Option<Box<dyn Player>>,
}

impl Seat {
    /// Builds the player, so that a bad spec is reported before the first command.
    pub(crate) fn new(entry: &GameEntry, spec: &Spec) -> Result<Seat, TextError> {
        Ok(Seat { spec: spec.clone(), set: Vec::new(), player: Some(entry.player(spec)?) })
    }

    /// Takes the player away; a new one is built if there is none.
    pub(crate) fn take(&mut self, entry: &GameEntry) -> Result<Box<dyn Player>, String> {
        if let Some(player) = self.player.take() {
            return Ok(player);
        }
        let mut player = entry.player(&self.spec).map_err(|e| e.to_string())?;
        for (name, value) in &self.set {
            guarded(|| player.set_option(name, value)).map_err(|e| e.to_string())?;
        }
        Ok(player)
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

    /// Tells the player that the game is over, with its result unless that says nothing: learners
    /// listen.
    pub(crate) fn game_over(
        &mut self,
        entry: &GameEntry,
        line: &dyn AnyLine,
        outcome: Option<&Outcome>,
    ) -> Result<(), String> {
        let mut player = self.take(entry)?;
        let told = guarded(|| {
            player.game_over(line, outcome);
            Ok(())
        });
        self.put(survivor(player, &told));
        told.map_err(|e| e.to_string())
    }

    /// Sets an option of the player.
    pub(crate) fn set_option(
        &mut self,
        entry: &GameEntry,
        name: &str,
        value: &str,
    ) -> Result<(), String> {
        let mut player = self.take(entry)?;
        let set = guarded(|| player.set_option(name, value));
        self.put(survivor(player, &set));
        set.map_err(|e| e.to_string())?;
        self.set.retain(|(n, _)| n != name);
        self.set.push((name.to_string(), value.to_string()));
        Ok(())
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
        choice.mv = match line.boxed_clone().play(&choice.mv) {
            Ok(mv) => mv,
            // Where one cannot resign a move is needed after all.
            Err(_) if choice.resigns => line.legal_moves().into_iter().next().unwrap_or_default(),
            Err(e) => return Err(PlayerError::Illegal(e.to_string())),
        };
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

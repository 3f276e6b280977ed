//! The Monte-Carlo search as a player.

use crate::Defaults;
use crate::mcts::Mcts;
use crate::parameters::{MAX_HASH_MIB, MAX_THREADS, MctsOptions};
use crate::players::{BadOption, Configure, OwnLimits, line_of, parse_number, parse_switch};
use crate::rollout::Rollout;
use std::sync::Arc;
use zug_core::{
    AnyLine, Choice, Game, Limits, Player, PlayerError, PlayerKind, Scale, Spec, TextError, Watch,
};

struct MctsPlayer<G: Game, R: Rollout<G>> {
    name: String,
    search: Mcts<G, R>,
    own: OwnLimits,
}

impl<G: Game, R: Rollout<G>> Configure for MctsPlayer<G, R> {
    const NAMES: &'static [&'static str] = &[
        "playouts", "nodes", "depth", "movetime", "threads", "hash", "seed", "c", "rave", "reuse",
        "resign",
    ];

    fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        let mut options = self.search.options().clone();
        match name {
            "threads" => options.threads = parse_number(name, value, 1..=MAX_THREADS)?,
            "hash" => options.hash = parse_number(name, value, 1..=MAX_HASH_MIB)?,
            "seed" => options.seed = parse_number(name, value, 0..=u64::MAX)?,
            "c" => options.exploration = Some(parse_number(name, value, 0.0..=100.0)?),
            "rave" => options.rave = Some(parse_number(name, value, 0.0..=1e9)?),
            "reuse" => options.reuse = parse_switch(name, value)?,
            "resign" => options.resign = parse_number(name, value, 0.0..=1.0)?,
            _ => return self.own.set(name, value),
        }
        self.search.set_options(options);
        Ok(())
    }
}

/// Playouts a second with one thread on a usual machine, whatever the game.
const PACE: u64 = 30_000;

impl<G: Game, R: Rollout<G> + 'static> Player for MctsPlayer<G, R> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, line: &dyn AnyLine) -> Result<(), PlayerError> {
        line_of::<G>(line)?;
        self.search.clear();
        Ok(())
    }

    fn pace(&self) -> Option<u64> {
        (self.search.options().threads == 1).then_some(PACE)
    }

    fn scale(&self) -> Option<Scale> {
        Some(Scale::Percent)
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let line = line_of::<G>(line)?;
        let found = self.search.search(line, &self.own.over(limits), watch)?;
        let info = found.infos(line, 1, None).into_iter().next();
        let win_rate = info.as_ref().and_then(|i| i.win_rate).unwrap_or(1.0);
        Ok(Choice {
            mv: line.game().write_move(line.position(), found.best),
            resigns: f64::from(win_rate) < self.search.options().resign,
            expects: info.as_ref().and_then(|i| i.line.get(1).cloned()),
            info,
        })
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        let player = self.name.clone();
        self.set_running(&player, name, value)
    }
}

/// The Monte-Carlo player under a name (`zug`, `mcts`).
pub fn mcts_player<G: Game, R: Rollout<G> + 'static>(
    name: &'static str,
    _: &G,
    rollout: Arc<R>,
    defaults: Defaults,
) -> PlayerKind {
    let make = move |spec: &Spec| -> Result<Box<dyn Player>, TextError> {
        let moves_in_game = defaults.moves_in_game;
        let options = MctsOptions { moves_in_game, ..MctsOptions::default() };
        let search = Mcts::<G, R>::new(rollout.clone(), options);
        let mut player = MctsPlayer { name: spec.to_string(), search, own: OwnLimits::default() };
        player.set_all(spec)?;
        Ok(Box::new(player))
    };
    let help = "Monte-Carlo tree search: playouts=N, movetime=T, threads=N, hash=MiB, c=X \
                (exploration), rave=N (0 for none), reuse=on|off, resign=X (share of wins), seed=N";
    PlayerKind { name, help: help.to_string(), make: Box::new(make) }
}

//! The player that moves at random: the baseline of every table.

use crate::players::{BadOption, Configure, allowed_moves, line_of, parse_number};
use std::marker::PhantomData;
use zug_core::seed::RngExt;
use zug_core::{
    AnyLine, Choice, Game, Limits, Player, PlayerError, PlayerKind, Rng, Spec, TextError, Watch,
    rng,
};

/// Chooses among the legal moves, each as likely as the other.
struct RandomPlayer<G: Game> {
    name: String,
    rng: Rng,
    game: PhantomData<G>,
}

impl<G: Game> Player for RandomPlayer<G> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        _: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let line = line_of::<G>(line)?;
        let moves = allowed_moves(line, limits)?;
        let mv = moves[self.rng.random_range(0..moves.len())];
        Ok(Choice::of(line.game().write_move(line.position(), mv)))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        self.set_running("random", name, value)
    }
}

impl<G: Game> Configure for RandomPlayer<G> {
    const NAMES: &'static [&'static str] = &["seed"];

    fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        self.rng = rng(parse_number(name, value, 0..=u64::MAX)?, 0);
        Ok(())
    }
}

/// The player that moves at random (`random:seed=1`). Its choices go on from game to game; set
/// `seed` again to repeat them.
pub fn random_player<G: Game>(_: &G) -> PlayerKind {
    let make = |spec: &Spec| -> Result<Box<dyn Player>, TextError> {
        let mut player =
            RandomPlayer::<G> { name: spec.to_string(), rng: rng(0, 0), game: PhantomData };
        player.set_all(spec)?;
        Ok(Box::new(player))
    };
    PlayerKind { name: "random", help: "moves at random: seed=N".to_string(), make: Box::new(make) }
}

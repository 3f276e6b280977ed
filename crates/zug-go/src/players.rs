//! What the workbench gets to know about Go.

use crate::engine::go_player;
use crate::explore::face::GoExplorer;
use crate::game::Go;
use crate::guess::face::GoGuesser;
use crate::guided::guided_player;
use crate::heavy::Heavy;
use crate::learner::RecordLearner;
use crate::playout::Light;
use crate::point::quote;
use crate::rollout::Playouts;
use crate::rules::Rules;
use crate::sgf::Sgf;
use std::sync::Arc;
use zug_book::Places;
use zug_core::{
    AnyLine, Capability, Choice, GameEntry, Limits, Outcome, Player, PlayerError, PlayerKind,
    Scale, Spec, TextError, Watch,
};
use zug_learn::explore::Explorer;
use zug_learn::guess::Guesses;
use zug_learn::records::Records;
use zug_search::{Defaults, mcts_player, random_player};

/// Opens Go under the rules of a spec, with its players and formats.
///
/// ```
/// use zug_core::Spec;
/// let entry = zug_go::open(&Spec::parse("go:9x9")?)?;
/// assert_eq!(entry.game.spec(), "go:9x9");
/// assert!(entry.player(&Spec::parse("zug:playouts=10")?).is_ok());
/// # Ok::<(), zug_core::TextError>(())
/// ```
pub fn open(options: &Spec) -> Result<GameEntry, TextError> {
    let game = Go::new(Rules::from_spec(options)?);
    let points = game.rules().size() * game.rules().size();
    // Games end when about five sixths of the points have been played on.
    let defaults = Defaults { moves_in_game: (points * 5 / 12).max(4) as u32 };
    Ok(GameEntry::new(game.clone())
        .symmetric(&game)
        .with_extension(Places::symmetric(&game))
        .with_extension(Scale::Points)
        .with_extension(Guesses::new(GoGuesser))
        .with_extension(Explorer::new(GoExplorer { size: game.rules().size() }))
        .with_extension(Records::new(RecordLearner { size: game.rules().size() }))
        .with_capability(Capability::Evaluation)
        .with_capability(Capability::Policy)
        .with_player(go_player("zug", &game))
        .with_player(monte_carlo("mcts", &game, defaults))
        .with_player(guided_player("pvs", &game, defaults))
        .with_player(random_player(&game))
        .with_format(Sgf))
}

/// The Monte-Carlo player, with a choice of playouts.
fn monte_carlo(name: &'static str, game: &Go, defaults: Defaults) -> PlayerKind {
    let light = mcts_player(name, game, Arc::new(Playouts(Light)), defaults);
    let heavy = mcts_player(name, game, Arc::new(Playouts(Heavy)), defaults);
    let help =
        format!("{}, style=heavy|light (playouts with or without local answers)", heavy.help);
    let make = move |spec: &Spec| -> Result<Box<dyn Player>, TextError> {
        let mut rest = spec.clone();
        rest.options.retain(|(key, _)| key != "style");
        if spec.get("c").is_none() && spec.get("rave") != Some("0") {
            rest.options.push(("c".to_string(), EXPLORATION.to_string()));
        }
        let player = match spec.get("style") {
            None | Some("heavy") => (heavy.make)(&rest)?,
            Some("light") => (light.make)(&rest)?,
            Some(other) => {
                let expected = "heavy or light for 'style'";
                return Err(TextError::new(name.len() + 1, expected, quote(other)));
            }
        };
        Ok(Box::new(Named { name: spec.to_string(), player }))
    };
    PlayerKind { name, help, make: Box::new(make) }
}

/// RAVE sees to it that moves are tried; little more is needed.
const EXPLORATION: f64 = 0.01;

/// A player under the name that it was asked for with.
struct Named {
    name: String,
    player: Box<dyn Player>,
}

impl Player for Named {
    fn name(&self) -> String {
        self.name.clone()
    }
    fn new_game(&mut self, line: &dyn AnyLine) -> Result<(), PlayerError> {
        self.player.new_game(line)
    }
    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        self.player.choose(line, limits, watch)
    }
    fn game_over(&mut self, line: &dyn AnyLine, outcome: Option<&Outcome>) {
        self.player.game_over(line, outcome);
    }
    fn learns(&self) -> bool {
        self.player.learns()
    }
    fn pace(&self) -> Option<u64> {
        self.player.pace()
    }
    fn scale(&self) -> Option<Scale> {
        self.player.scale()
    }
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        self.player.set_option(name, value)
    }
}

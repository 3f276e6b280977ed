//! What the small games have in common as learners: the judge that knows every position, and the
//! players that use what was learned.

use std::path::Path;
use std::sync::Arc;
use zug_core::{
    Evaluator, Game, GameEntry, Guide, Indexed, Player, PlayerKind, Retro, Spec, StopFlag,
    TextError,
};
use zug_learn::td::attach::OpenTruth;
use zug_learn::td::face::SelfPlay;
use zug_learn::td::judge::Truth;
use zug_learn::td::rates::{Own, Schedule};
use zug_learn::td::{Linear, SelfPlayOf};
use zug_search::{ChooseGuide, Defaults, pvs_player_with_guides};
use zug_solve::perfect::{InMemory, Values};
use zug_solve::{Index, Options, Value};

/// A game with more slots than this is not solved just to judge a learner.
const MOST_SLOTS: u64 = 6_000_000;

/// Every position of a game, solved in memory.
struct Solved<G: Indexed>(InMemory<G>);

impl<G: Indexed> Truth<G> for Solved<G> {
    fn help(&self) -> String {
        "the database of all positions".to_string()
    }

    fn judge(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        _: &StopFlag,
    ) -> Option<Vec<i8>> {
        let judge = |&mv: &G::Move| {
            let mut next = position.clone();
            game.play(&mut next, mv);
            Some(match self.0.value(&next).ok()?.for_mover() {
                Value::Loss(_) => -1,
                Value::Draw => 0,
                Value::Win(_) => 1,
            })
        };
        moves.iter().map(judge).collect()
    }
}

/// Judges by the database of all positions, where there are not too many.
pub(crate) fn solved<G: Indexed + Retro>() -> OpenTruth<G> {
    Arc::new(|game: &G, stop: &StopFlag| {
        let size = Index::new(game, Options::default()).ok()?.size();
        if size > MOST_SLOTS {
            return None;
        }
        Some(Box::new(Solved(InMemory::solve_until(game, stop).ok()??)))
    })
}

/// The choices that suit a small game. Its positions are better spread by random moves at the
/// beginning of a game, up to `opening` of them, than by more random moves later.
pub(crate) fn suited<G: Game>(
    learner: SelfPlayOf<G>,
    opening: usize,
    one_table: bool,
) -> SelfPlayOf<G> {
    learner.with_defaults(|settings| {
        (settings.own, settings.schedule, settings.rate) =
            (Own::Coherence, Schedule::Constant, 1.0);
        (settings.epsilon, settings.epsilon_end) = (0.3, 0.1);
        settings.opening = opening as u32;
        if one_table {
            // The games of a batch begin in the same few cells, which then step too far.
            settings.batch = 1;
        }
    })
}

/// A learned evaluation in the place of the hand-made one, whose hints about moves stay.
pub(crate) struct Trained<G: Game, V> {
    model: Linear<G>,
    hints: Arc<V>,
}

impl<G: Game, V: Guide<G>> Evaluator<G> for Trained<G, V> {
    fn evaluate(&self, game: &G, position: &G::Position) -> i32 {
        self.model.evaluate(game, position)
    }
}

impl<G: Game, V: Guide<G>> Guide<G> for Trained<G, V> {
    fn promise(&self, game: &G, position: &G::Position, mv: G::Move) -> i32 {
        self.hints.promise(game, position, mv)
    }
    fn forcing(&self, game: &G, position: &G::Position, out: &mut Vec<G::Move>) {
        self.hints.forcing(game, position, out);
    }
    fn pressed(&self, game: &G, position: &G::Position) -> bool {
        self.hints.pressed(game, position)
    }
}

const MODEL: &str = "model=FILE (what 'zug learn GAME td' has left)";

/// A searching player whose evaluation was learned: `name:model=FILE`.
fn trained<G: Game, V: Guide<G> + 'static>(
    name: &'static str,
    game: &G,
    hints: Arc<V>,
    learner: Arc<SelfPlayOf<G>>,
    defaults: Defaults,
) -> PlayerKind {
    let choose: ChooseGuide<Trained<G, V>> = Box::new(move |spec: &Spec| {
        let bad = |found: String| TextError {
            line: None,
            byte: spec.name.len() + 1,
            expected: "a model of this game for 'model'".to_string(),
            found,
        };
        let file = spec.get("model").ok_or_else(|| bad("none".to_string()))?;
        let model = learner.open(Path::new(file)).map_err(|e| bad(e.to_string()))?;
        Ok(Arc::new(Trained { model, hints: hints.clone() }))
    });
    pvs_player_with_guides(name, game, choose, &["model"], MODEL, defaults)
}

/// Gives an entry the learner, the option `model` of its searching players, and the player
/// `learned`, which looks one ply ahead as it did when it learned.
pub(crate) fn learns<G: Game, V: Guide<G> + 'static>(
    mut entry: GameEntry,
    game: &G,
    guide: &Arc<V>,
    learner: SelfPlayOf<G>,
    defaults: Defaults,
) -> GameEntry {
    let shared = Arc::new(learner.clone());
    let kind = |name| trained(name, game, guide.clone(), shared.clone(), defaults);
    for player in &mut entry.players {
        if matches!(player.name, "zug" | "pvs") {
            let (own, with_model) =
                (std::mem::replace(&mut player.make, refuse()), kind(player.name));
            player.help = format!("{}; {MODEL}, not with db", player.help);
            player.make = Box::new(move |spec: &Spec| match spec.get("model") {
                Some(_) => (with_model.make)(spec),
                None => own(spec),
            });
        }
    }
    let learned = kind("learned");
    let make = move |spec: &Spec| -> Result<Box<dyn Player>, TextError> {
        let mut spec = spec.clone();
        if !["depth", "nodes", "movetime"].iter().any(|limit| spec.get(limit).is_some()) {
            spec.options.push(("depth".to_string(), "1".to_string()));
        }
        (learned.make)(&spec)
    };
    let help = format!("what was learned by self-play, at depth=1 unless said otherwise: {MODEL}");
    entry
        .with_player(PlayerKind { name: "learned", help, make: Box::new(make) })
        .with_extension(SelfPlay::new(learner))
}

/// Stands in for a moment where another takes its place.
fn refuse() -> zug_core::entry::MakePlayer {
    Box::new(|spec: &Spec| Err(TextError::new(0, "a player", spec.name.clone())))
}

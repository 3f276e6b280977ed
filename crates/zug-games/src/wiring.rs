//! What all small games have in common when they are opened: their players, and how options and
//! moves are read.

use crate::learning::learns;
use std::sync::Arc;
use zug_core::{Capability, Game, GameEntry, Guide, Indexed, Repetition, Spec, TextError};
use zug_learn::td::SelfPlayOf;
use zug_search::{Defaults, RandomRollout, mcts_player, pvs_player_with_oracle, random_player};

/// An entry with the players that every small game has.
pub(crate) fn entry<G: Indexed, V: Guide<G> + 'static>(
    game: &G,
    guide: V,
    moves_in_game: u32,
    learner: SelfPlayOf<G>,
) -> GameEntry {
    let (guide, defaults) = (Arc::new(guide), Defaults { moves_in_game });
    let open = zug_solve::face::open_oracle(game);
    let rollout = Arc::new(RandomRollout { max_plies: 400 });
    let learner = learner.with_reference(guide.clone());
    let entry = GameEntry::new(game.clone())
        .with_capability(Capability::Evaluation)
        .with_player(pvs_player_with_oracle("zug", game, guide.clone(), defaults, open.clone()))
        .with_player(pvs_player_with_oracle("pvs", game, guide.clone(), defaults, open))
        .with_player(mcts_player("mcts", game, rollout, defaults))
        .with_player(random_player(game));
    learns(entry, game, &guide, learner, defaults)
}

/// Reads a move by comparing it with the legal ones. Case, blanks and hyphens do not matter.
pub(crate) fn find_move<G: Game>(
    game: &G,
    position: &G::Position,
    text: &str,
) -> Result<G::Move, TextError> {
    let plain = |text: &str| -> String {
        let kept = text.chars().filter(|c| !c.is_whitespace() && *c != '-');
        kept.map(|c| c.to_ascii_lowercase()).collect()
    };
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    // No move of these games is longer; a megabyte of text need not be looked at.
    let wanted = if text.len() <= 40 { plain(text) } else { String::new() };
    let found = moves.iter().find(|&&mv| plain(&game.write_move(position, mv)) == wanted);
    found.copied().ok_or_else(|| {
        let some: Vec<String> =
            moves.iter().take(8).map(|&mv| game.write_move(position, mv)).collect();
        let more = if moves.len() > 8 { ", …" } else { "" };
        let expected = if moves.is_empty() {
            "no move, the game has ended".to_string()
        } else {
            format!("a legal move ({}{more})", some.join(", "))
        };
        TextError::new(0, expected, format!("'{text}'"))
    })
}

/// The bare words of a spec (those without a key).
pub(crate) fn words(spec: &Spec) -> impl Iterator<Item = &str> {
    spec.options.iter().filter(|(key, _)| key.is_empty()).map(|(_, value)| value.as_str())
}

/// An error about an option.
pub(crate) fn bad_option(spec: &Spec, expected: impl Into<String>, found: &str) -> TextError {
    TextError::new(spec.name.len() + 1, expected, format!("'{found}'"))
}

/// "4x4": width and height.
pub(crate) fn size(text: &str) -> Option<(usize, usize)> {
    let (width, height) = text.split_once(['x', '×'])?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

/// One of two words for a key; the first is the default.
pub(crate) fn switch(spec: &Spec, key: &str, choices: [&str; 2]) -> Result<bool, TextError> {
    match spec.get(key) {
        None => Ok(false),
        Some(value) if value == choices[0] => Ok(false),
        Some(value) if value == choices[1] => Ok(true),
        Some(value) => {
            let expected = format!("{} or {} for '{key}'", choices[0], choices[1]);
            Err(bad_option(spec, expected, value))
        }
    }
}

/// The option `repetition=draw|allowed`.
pub(crate) fn repetition(spec: &Spec) -> Result<Repetition, TextError> {
    let allowed = switch(spec, "repetition", ["draw", "allowed"])?;
    Ok(if allowed { Repetition::Allowed } else { Repetition::Draw(3) })
}

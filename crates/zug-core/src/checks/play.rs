//! Do the rules keep the contract of [`Game`] in random play?

use super::{LEAVES, LONGEST_GAME, MOVES, after, at, moves_of, random_line, sample, thousands};
use crate::{Game, rng};
use std::collections::HashSet;

/// Moves are empty exactly at the end, distinct, appended, in an order that depends on the
/// position alone; playing one changes nothing else.
pub(super) fn random_play<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    let mut rng = rng(seed, 1);
    let (mut games, mut ended, mut plies, mut seen) = (0, 0, 0, 0);
    while games < 200 && seen < MOVES {
        let line = random_line(game, &mut rng);
        for position in line.positions() {
            seen += one_position(game, position)?.max(1);
        }
        games += 1;
        plies += line.moves().len();
        ended += usize::from(line.outcome().is_some());
        if line.outcome().is_none() && line.moves().len() < LONGEST_GAME {
            return Err(format!("no move and no outcome {}", at(game, line.position())));
        }
    }
    Ok(format!(
        "{} games, {} plies; {} ended, {} broken off after {LONGEST_GAME} plies",
        thousands(games),
        thousands(plies),
        thousands(ended),
        thousands(games - ended)
    ))
}

/// The contract of [`Game`] at one position; gives back the number of moves.
pub(super) fn one_position<G: Game>(game: &G, position: &G::Position) -> Result<usize, String> {
    let moves = moves_of(game, position);
    if moves.is_empty() != game.outcome(position).is_some() {
        let outcome = game.outcome(position).map_or("no outcome", |o| o.reason);
        return Err(format!("{} moves but {outcome} {}", moves.len(), at(game, position)));
    }
    if moves_of(&game.clone(), &position.clone()) != moves {
        return Err(format!("the order of moves changes {}", at(game, position)));
    }
    let mut distinct = HashSet::new();
    if let Some(mv) = moves.iter().find(|mv| !distinct.insert(**mv)) {
        return Err(format!("{mv:?} is generated twice {}", at(game, position)));
    }
    if let Some(&first) = moves.first() {
        let mut appended = vec![first];
        game.moves(position, &mut appended);
        if appended.len() != moves.len() + 1 || appended[0] != first {
            return Err("moves() does not append to what is in the list".to_string());
        }
        let (before, text) = (position.clone(), game.write_position(position));
        let next = after(game, position, first);
        moves_of(game, &next);
        if *position != before || game.write_position(position) != text {
            return Err(format!("playing on a copy changes the original {}", at(game, position)));
        }
    }
    Ok(moves.len())
}

/// A game's own way of counting leaves against the plain tree.
pub(super) fn perft<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    let (mut trees, mut leaves) = (0, 0);
    for position in sample(game, &mut rng(seed, 5), 60) {
        for depth in 0..=6 {
            let plain = plain_tree(game, &position, depth);
            let own = game.perft(&position, depth);
            if plain != own {
                let place = at(game, &position);
                return Err(format!("depth {depth} {place}: perft {own}, the tree has {plain}"));
            }
            trees += 1;
            leaves += plain;
            let branches = moves_of(game, &position).len().max(1) as u64;
            if plain == 0 || plain.saturating_mul(branches) > LEAVES {
                break;
            }
        }
    }
    Ok(format!("{} trees, {} leaves", thousands(trees), thousands(leaves)))
}

pub(super) fn plain_tree<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = moves_of(game, position);
    if moves.is_empty() {
        return game.finished_leaves();
    }
    moves.into_iter().map(|mv| plain_tree(game, &after(game, position, mv), depth - 1)).sum()
}

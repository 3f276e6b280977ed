//! Do symmetries and un-moves fit the moves?

use super::{MOVES, POSITIONS, after, at, moves_of, sample, thousands};
use crate::{Game, Retro, Symmetric, rng};
use std::collections::HashSet;

/// The maps are different, the first is the identity, together they are a group; the image of a
/// position has the images of its moves, of its outcome and of its successors.
pub(super) fn symmetry_holds<G: Symmetric>(game: &G, seed: u64) -> Result<String, String> {
    let n = game.symmetries();
    let positions = sample(game, &mut rng(seed, 9), POSITIONS);
    if n == 0 {
        return Err("the identity is missing".to_string());
    }
    let image = |s: usize, p: &G::Position| game.map_position(s, p);
    if let Some(p) = positions.iter().find(|p| image(0, p) != **p) {
        return Err(format!("symmetry 0 is not the identity {}", at(game, p)));
    }
    // Symmetries are told apart by what they do to a handful of positions.
    let probes: Vec<&G::Position> = positions.iter().rev().take(40).collect();
    let table: Vec<Vec<G::Position>> =
        (0..n).map(|s| probes.iter().map(|p| image(s, p)).collect()).collect();
    for a in 0..n {
        if let Some(b) = (0..a).find(|&b| table[b] == table[a]) {
            return Err(format!("symmetries {b} and {a} are the same"));
        }
        for b in 0..n {
            let both: Vec<G::Position> = table[a].iter().map(|p| image(b, p)).collect();
            if !table.contains(&both) {
                return Err(format!("symmetry {a} followed by {b} is not among the symmetries"));
            }
        }
    }
    let (mut count, mut seen) = (0, 0);
    for position in &positions {
        let moves = moves_of(game, position);
        for s in 0..n {
            let mapped = image(s, position);
            let place = || format!("(symmetry {s}) {}", at(game, position));
            if game.to_move(&mapped) != game.to_move(position)
                || game.outcome(&mapped) != game.outcome(position)
            {
                return Err(format!("side to move or outcome changes {}", place()));
            }
            let images: HashSet<G::Move> = moves.iter().map(|&mv| game.map_move(s, mv)).collect();
            let legal: HashSet<G::Move> = moves_of(game, &mapped).into_iter().collect();
            if images != legal || images.len() != moves.len() {
                return Err(format!("the images of the moves are not legal moves {}", place()));
            }
            for &mv in &moves {
                let there = after(game, &mapped, game.map_move(s, mv));
                if there != image(s, &after(game, position, mv)) {
                    return Err(format!("playing and mapping do not commute {}", place()));
                }
            }
            seen += moves.len() + 1;
        }
        count += 1;
        if seen > MOVES * 2 {
            break;
        }
    }
    Ok(format!("{n} symmetries, {} positions, {} moves mapped", thousands(count), thousands(seen)))
}

/// Is un-moving exactly the inverse of moving around these positions: q ∈ pred(p) ⇔ p ∈ succ(q)?
pub fn retro_holds<G: Retro>(game: &G, positions: &[G::Position]) -> Result<String, String> {
    let (mut count, mut forward, mut backward) = (0, 0, 0);
    let mut before = Vec::new();
    for position in positions {
        before.clear();
        game.predecessors(position, &mut before);
        let distinct: HashSet<&G::Position> = before.iter().collect();
        if distinct.len() != before.len() {
            return Err(format!("a predecessor is listed twice {}", at(game, position)));
        }
        for q in &before {
            if !moves_of(game, q).into_iter().any(|mv| after(game, q, mv) == *position) {
                let q = game.write_position(q);
                return Err(format!(
                    "no move leads from '{q}', a predecessor, {}",
                    to(game, position)
                ));
            }
        }
        backward += before.len();
        for mv in moves_of(game, position) {
            let next = after(game, position, mv);
            before.clear();
            game.predecessors(&next, &mut before);
            if !before.contains(position) {
                let text = game.write_move(position, mv);
                return Err(format!("'{text}' cannot be taken back {}", at(game, position)));
            }
            forward += 1;
        }
        count += 1;
        if forward + backward > MOVES {
            break;
        }
    }
    Ok(format!(
        "{} positions, {} moves, {} un-moves",
        thousands(count),
        thousands(forward),
        thousands(backward)
    ))
}

fn to<G: Game>(game: &G, position: &G::Position) -> String {
    format!("to '{}'", game.write_position(position))
}

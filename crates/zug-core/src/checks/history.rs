//! Are positions recognised when they are met again?

use super::{MOVES, POSITIONS, after, at, has_come_back, moves_of, random_line, sample, thousands};
use crate::{Game, Line, Repetition, rng};
use std::collections::{HashMap, HashSet};

/// Equal positions have equal keys, whatever way led to them; positions with one key play alike.
pub(super) fn keys<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    let mut by_position: HashMap<G::Position, (u64, u64)> = HashMap::new();
    let mut by_key: HashMap<u64, G::Position> = HashMap::new();
    let (mut again, mut collisions) = (0, 0);
    let mut meet = |position: &G::Position| -> Result<bool, String> {
        let found = (game.key(position), game.repetition_key(position));
        if let Some(&known) = by_position.get(position) {
            again += 1;
            if known != found {
                return Err(format!("equal positions have different keys {}", at(game, position)));
            }
            return Ok(false);
        }
        by_position.insert(position.clone(), found);
        let other = by_key.entry(found.0).or_insert_with(|| position.clone());
        if other != position {
            collisions += 1;
            if game.to_move(other) != game.to_move(position)
                || moves_of(game, other) != moves_of(game, position)
            {
                let (a, b) = (game.write_position(other), game.write_position(position));
                return Err(format!("'{a}' and '{b}' have one key but different moves"));
            }
        }
        Ok(true)
    };
    // Breadth first from the start: here moves in another order meet again.
    let mut frontier = vec![game.start()];
    meet(&frontier[0])?;
    let mut seen = 0;
    'breadth: while !frontier.is_empty() {
        let mut next = Vec::new();
        for position in &frontier {
            for mv in moves_of(game, position) {
                seen += 1;
                if seen > MOVES {
                    break 'breadth;
                }
                let successor = after(game, position, mv);
                if meet(&successor)? {
                    next.push(successor);
                }
            }
        }
        frontier = next;
    }
    // A key that is carried along must agree with one computed afresh.
    for position in sample(game, &mut rng(seed, 4), POSITIONS) {
        meet(&position)?;
        if let Ok(read) = game.read_position(&game.write_position(&position)) {
            meet(&read)?;
        }
    }
    let positions = thousands(by_position.len());
    let (again, collisions) = (thousands(again), thousands(collisions));
    Ok(format!("{positions} positions, {again} met again, {collisions} collisions"))
}

/// Repetition is found within the plies that the game calls reversible, equal repetition keys mean
/// equal play, and a forbidden repetition does not occur.
pub(super) fn repetition<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    let mut rng = rng(seed, 6);
    let (mut repeated, mut forbidden, mut plies, mut games) = (0, 0, 0, 0);
    while games < 100 && plies < POSITIONS * 4 {
        let line = random_line(game, &mut rng);
        let keys = line.keys();
        let mut last: HashMap<u64, usize> = HashMap::new();
        for (ply, position) in line.positions().iter().enumerate() {
            let reach = game.reversible_plies(position);
            if let Some(earlier) = last.insert(keys[ply], ply) {
                repeated += 1;
                let other = &line.positions()[earlier];
                if ply - earlier > reach {
                    let place = at(game, position);
                    return Err(format!(
                        "met {} plies before, but only {reach} are called reversible {place}",
                        ply - earlier
                    ));
                }
                if matches!(game.repetition(), Repetition::Draw(_))
                    && moves_of(game, other) != moves_of(game, position)
                {
                    let place = at(game, position);
                    return Err(format!("a repetition key is shared by different moves {place}"));
                }
            }
        }
        if game.repetition() == Repetition::Forbidden {
            forbidden += history_is_heeded(game, &line)?;
        }
        plies += line.moves().len();
        games += 1;
    }
    let rule = match game.repetition() {
        Repetition::Allowed => "allowed".to_string(),
        Repetition::Draw(times) => format!("a draw at {times}"),
        Repetition::Forbidden => format!("forbidden ({} moves withheld)", thousands(forbidden)),
    };
    Ok(format!("{rule}; {} repetitions in {} plies", thousands(repeated), thousands(plies)))
}

/// Goes through a line once more and looks now and then whether the moves that are offered are
/// those that bring nothing back; gives back the number of moves that are not offered.
fn history_is_heeded<G: Game>(game: &G, line: &Line<G>) -> Result<usize, String> {
    let mut again = Line::new(game.clone());
    let mut withheld = 0;
    for (ply, &mv) in line.moves().iter().enumerate() {
        if ply % 16 == 15 {
            let offered: HashSet<G::Move> = again.legal_moves().into_iter().collect();
            for mv in moves_of(game, again.position()) {
                again.play(mv);
                let comes_back = has_come_back(&again);
                again.undo();
                if comes_back == offered.contains(&mv) {
                    let place = at(game, again.position());
                    return Err(format!("the history is not heeded by move {mv:?} {place}"));
                }
                withheld += usize::from(comes_back);
            }
        }
        again.play(mv);
    }
    Ok(withheld)
}

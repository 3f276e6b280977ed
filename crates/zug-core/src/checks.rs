//! Is a game definition sound? Checks that hold the rules against themselves, for
//! `zug games check`.
//!
//! Every entry gets the [`basic`] checks; [`symmetry`] and [`retro`] are added by
//! [`GameEntry::symmetric`](crate::GameEntry::symmetric) and
//! [`GameEntry::retro`](crate::GameEntry::retro) for games with those traits. Each works on
//! positions from random play, says what it has counted, and names the position when something is
//! wrong.

use crate::entry::Check;
use crate::seed::RngExt;
use crate::{Game, Line, Repetition, Retro, Rng, Spec, Symmetric, rng};
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Random games are broken off after this many plies.
const LONGEST_GAME: usize = 400;
/// Positions that a check looks at.
const POSITIONS: usize = 2_000;
/// Moves that a check looks at: bounds the work in games with hundreds of moves a position.
const MOVES: usize = 20_000;
/// Leaves that a plain tree may have in the perft check.
const LEAVES: u64 = 20_000;

/// A check from a function; a panic of the game becomes a finding.
pub fn check<G: Game>(
    name: &'static str,
    game: &G,
    run: impl Fn(&G, u64) -> Result<String, String> + Send + Sync + 'static,
) -> Check {
    let game = game.clone();
    let run = move |seed| match catch_unwind(AssertUnwindSafe(|| run(&game, seed))) {
        Ok(result) => result,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
            Err(format!("the game panicked: {text}"))
        }
    };
    Check { name, run: Box::new(run) }
}

/// The checks that every game gets.
#[must_use]
pub fn basic<G: Game>(game: &G) -> Vec<Check> {
    vec![
        check("random play", game, random_play),
        check("notation", game, notation),
        check("garbage", game, garbage),
        check("keys", game, keys),
        check("perft", game, perft),
        check("repetition", game, repetition),
        check("picture", game, picture),
    ]
}

/// The check of [`Symmetric`].
#[must_use]
pub fn symmetry<G: Symmetric>(game: &G) -> Check {
    check("symmetry", game, symmetry_holds)
}

/// The check of [`Retro`].
#[must_use]
pub fn retro<G: Retro>(game: &G) -> Check {
    check("un-move", game, |game, seed| {
        let positions = sample(game, &mut rng(seed, 7), POSITIONS);
        retro_holds(game, &positions)
    })
}

/// A number for people: 13,412.
#[must_use]
pub fn thousands(n: impl TryInto<u64>) -> String {
    let digits = n.try_into().unwrap_or(u64::MAX).to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Positions met in random play from the start position, ends of games among them.
pub fn sample<G: Game>(game: &G, rng: &mut Rng, count: usize) -> Vec<G::Position> {
    let mut positions = vec![game.start()];
    while positions.len() < count {
        let line = random_line(game, rng);
        let last = line.positions().len() - 1;
        for (ply, position) in line.positions().iter().enumerate().skip(1) {
            // A share of each game, so that long games do not fill the sample alone.
            if ply == last || rng.random_range(0..4) == 0 {
                positions.push(position.clone());
            }
        }
        if last == 0 {
            break;
        }
    }
    positions.truncate(count);
    positions
}

fn random_line<G: Game>(game: &G, rng: &mut Rng) -> Line<G> {
    let mut line = Line::new(game.clone());
    while line.moves().len() < LONGEST_GAME {
        let moves = line.legal_moves();
        if moves.is_empty() {
            break;
        }
        line.play(moves[rng.random_range(0..moves.len())]);
    }
    line
}

fn moves_of<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

fn after<G: Game>(game: &G, position: &G::Position, mv: G::Move) -> G::Position {
    let mut next = position.clone();
    game.play(&mut next, mv);
    next
}

fn at<G: Game>(game: &G, position: &G::Position) -> String {
    format!("at '{}'", game.write_position(position))
}

/// Moves are empty exactly at the end, distinct, appended, in an order that depends on the
/// position alone; playing one changes nothing else.
fn random_play<G: Game>(game: &G, seed: u64) -> Result<String, String> {
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
fn one_position<G: Game>(game: &G, position: &G::Position) -> Result<usize, String> {
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

/// Positions and moves survive being written and read; different moves are written differently.
fn notation<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    if let Err(e) = Spec::parse(&game.spec()) {
        return Err(format!("the game's own name '{}' cannot be read: {e}", game.spec()));
    }
    let (mut positions, mut count) = (0, 0);
    for position in sample(game, &mut rng(seed, 2), POSITIONS) {
        let text = game.write_position(&position);
        if text.contains(['\n', '\r']) {
            return Err(format!("a position is written on several lines: '{text}'"));
        }
        let read = game.read_position(&text).map_err(|e| format!("cannot read '{text}': {e}"))?;
        if read != position {
            let again = game.write_position(&read);
            return Err(format!("'{text}' is read as another position ('{again}')"));
        }
        let moves = moves_of(game, &position);
        if moves_of(game, &read) != moves {
            return Err(format!("'{text}', once read, has its moves in another order"));
        }
        let mut texts = HashSet::new();
        for &mv in &moves {
            let text = game.write_move(&position, mv);
            let read = game
                .read_move(&position, &text)
                .map_err(|e| format!("cannot read move '{text}' {}: {e}", at(game, &position)))?;
            if read != mv {
                return Err(format!("move '{text}' is read as another {}", at(game, &position)));
            }
            if !texts.insert(text.clone()) {
                return Err(format!("two moves are written '{text}' {}", at(game, &position)));
            }
        }
        positions += 1;
        count += moves.len();
        if count > MOVES {
            break;
        }
    }
    Ok(format!("{} positions, {} moves", thousands(positions), thousands(count)))
}

/// Damaged text is refused or means something legal.
fn garbage<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    let mut rng = rng(seed, 3);
    let (mut refused, mut accepted) = (0, 0);
    let mut note = |ok: bool| if ok { accepted += 1 } else { refused += 1 };
    for position in sample(game, &mut rng, 200) {
        let moves = moves_of(game, &position);
        let texts: Vec<String> =
            moves.iter().map(|&mv| game.write_move(&position, mv)).take(8).collect();
        let mut attempts: Vec<String> = texts.iter().map(|t| damage(t, &mut rng)).collect();
        attempts.extend(["", " ", "\u{0}", "ß", "pass pass", "-1"].map(String::from));
        for text in attempts {
            let read = game.read_move(&position, &text);
            note(read.is_ok());
            if let Ok(mv) = read
                && !moves.contains(&mv)
            {
                return Err(format!("illegal move '{text}' is accepted {}", at(game, &position)));
            }
        }
        let text = game.write_position(&position);
        for _ in 0..8 {
            let text = damage(&text, &mut rng);
            let read = game.read_position(&text);
            note(read.is_ok());
            let Ok(read) = read else { continue };
            one_position(game, &read).map_err(|e| format!("after reading '{text}': {e}"))?;
            let written = game.write_position(&read);
            if game.read_position(&written).as_ref() != Ok(&read) {
                return Err(format!("'{text}' is accepted, but written as '{written}'"));
            }
        }
    }
    Ok(format!("{} texts refused, {} accepted", thousands(refused), thousands(accepted)))
}

/// A few bytes changed, removed, doubled or added, always valid UTF-8.
fn damage(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..4) {
        let i = rng.random_range(0..=chars.len());
        match rng.random_range(0..5) {
            0 if i < chars.len() => drop(chars.remove(i)),
            1 if i < chars.len() => chars[i] = chars[i].to_ascii_uppercase(),
            2 if i < chars.len() => chars.insert(i, chars[i]),
            3 => chars.truncate(i),
            _ => chars.insert(i, char::from(rng.random_range(b' '..b'\x7f'))),
        }
    }
    chars.into_iter().collect()
}

/// Equal positions have equal keys, whatever way led to them; positions with one key play alike.
fn keys<G: Game>(game: &G, seed: u64) -> Result<String, String> {
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

/// A game's own way of counting leaves against the plain tree.
fn perft<G: Game>(game: &G, seed: u64) -> Result<String, String> {
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

fn plain_tree<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = moves_of(game, position);
    if moves.is_empty() {
        return game.finished_leaves();
    }
    moves.into_iter().map(|mv| plain_tree(game, &after(game, position, mv), depth - 1)).sum()
}

/// Repetition is found within the plies that the game calls reversible, equal repetition keys mean
/// equal play, and a forbidden repetition does not occur.
fn repetition<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    let mut rng = rng(seed, 6);
    let (mut repeated, mut plies, mut games) = (0, 0, 0);
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
                if game.repetition() == Repetition::Forbidden && ply - earlier > 1 {
                    return Err(format!("a forbidden repetition occurs {}", at(game, position)));
                }
                if matches!(game.repetition(), Repetition::Draw(_))
                    && moves_of(game, other) != moves_of(game, position)
                {
                    let place = at(game, position);
                    return Err(format!("a repetition key is shared by different moves {place}"));
                }
            }
        }
        plies += line.moves().len();
        games += 1;
    }
    let rule = match game.repetition() {
        Repetition::Allowed => "allowed".to_string(),
        Repetition::Draw(times) => format!("a draw at {times}"),
        Repetition::Forbidden => "forbidden".to_string(),
    };
    Ok(format!("{rule}; {} repetitions in {} plies", thousands(repeated), thousands(plies)))
}

/// The picture is whole and moves touch cells that are on it.
fn picture<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    let (mut pictures, mut cells) = (0, 0);
    for position in sample(game, &mut rng(seed, 8), POSITIONS / 10) {
        let picture = game.picture(&position);
        let size = picture.width * picture.height;
        let labels = [
            (picture.column_labels.len(), picture.width),
            (picture.row_labels.len(), picture.height),
        ];
        if picture.cells.len() != size || labels.iter().any(|&(n, full)| n != 0 && n != full) {
            return Err(format!("the picture lacks cells or labels {}", at(game, &position)));
        }
        for mv in moves_of(game, &position) {
            let touched = game.move_cells(&position, mv);
            if let Some(cell) = touched.iter().find(|&&c| c >= size) {
                let text = game.write_move(&position, mv);
                return Err(format!("move '{text}' touches cell {cell} of {size}"));
            }
            cells += touched.len();
        }
        pictures += 1;
    }
    Ok(format!("{} pictures, {} cells touched", thousands(pictures), thousands(cells)))
}

/// The maps are different, the first is the identity, together they are a group; the image of a
/// position has the images of its moves, of its outcome and of its successors.
fn symmetry_holds<G: Symmetric>(game: &G, seed: u64) -> Result<String, String> {
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

#[cfg(test)]
mod tests;

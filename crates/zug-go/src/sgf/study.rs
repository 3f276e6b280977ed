//! All variations of a tree as a [`Study`], and back.
//!
//! The main line is checked as that of a record is. In variations, moves are kept as long as they can be
//! played; what follows a move that cannot, or stones that are set up in the middle, is left out.
//! Remarks and drawings at nodes without a move belong to the move before.

use super::drawn::{self, Drawn};
use super::record::{head_of, move_property, record_of};
use super::tree::{Node, NodeId, Property, Tree};
use crate::game::Go;
use crate::point::{Move, Point};
use crate::position::Position;
use crate::rules::Rules;
use zug_core::commands::{self, GLYPHS};
use zug_core::study::{ROOT, Step};
use zug_core::{Game, Mark, RecordError, Side, Spec, Study};

/// Properties that judge a move, and what they mean; `2` emphasises.
const MARKS: [(&str, &str, Mark); 6] = [
    ("TE", "2", Mark::Brilliant),
    ("TE", "1", Mark::Good),
    ("BM", "2", Mark::Blunder),
    ("BM", "1", Mark::Mistake),
    ("IT", "", Mark::Interesting),
    ("DO", "", Mark::Doubtful),
];

/// The study of a tree; `number` counts the games of the file from 1.
pub fn study_of(tree: &Tree, number: usize) -> Result<Study, RecordError> {
    let record = record_of(tree, number)?;
    let game = Go::new(Rules::from_spec(&Spec::parse(&record.game)?)?);
    let start = match &record.start {
        Some(text) => game.read_position(text)?,
        None => game.start(),
    };
    let size = game.rules().size();
    let mut study = Study::new(record);
    study.left_out = tree.left_out;
    let mut room = drawn::ROOM;
    let mut open: Vec<Branch<'_>> = Vec::new();
    let mut next = Some((NodeId::ROOT, ROOT, start));
    while let Some((id, parent, mut position)) = next.take().or_else(|| follow(&mut open)) {
        let (node, mut at) = (tree.node(id), parent);
        if !take(node, &game, &mut study, &mut at, &mut position) {
            continue;
        }
        remarks(node, &mut study, at, at != parent);
        let drawn = Drawn::of_node(node, size, &mut room).to_commands(size);
        if !drawn.is_empty() {
            study.say(at, &drawn);
        }
        match node.children.as_slice() {
            [] => {}
            [only] => next = Some((*only, at, position)),
            [..] if open.len() == DEEPEST => {
                let message = format!("SGF is read with variations at most {DEEPEST} deep here");
                return Err(RecordError::Unsupported(message));
            }
            children => open.push(Branch { children: children.iter(), at, position }),
        }
    }
    settle(&mut study, size);
    Ok(study)
}

/// Variations within variations; more is refused, since each keeps a position.
const DEEPEST: usize = 1000;

/// A node that several follow.
struct Branch<'a> {
    /// Those that are not read yet.
    children: std::slice::Iter<'a, NodeId>,
    /// Its place in the study, and the position there.
    at: usize,
    position: Position,
}

/// The next node of the innermost branch that has one.
fn follow(open: &mut Vec<Branch<'_>>) -> Option<(NodeId, usize, Position)> {
    loop {
        let branch = open.last_mut()?;
        let next = branch.children.next();
        if !branch.children.as_slice().is_empty() {
            return next.map(|&id| (id, branch.at, branch.position.clone()));
        }
        let branch = open.pop()?;
        if let Some(&id) = next {
            return Some((id, branch.at, branch.position));
        }
    }
}

/// Words first, then drawings: those of several nodes, or of a file that has them as commands, are put
/// together, so that what was read, written and read is the same.
fn settle(study: &mut Study, size: usize) {
    for id in 0..study.nodes().len() {
        let comment = study.nodes()[id].comment.as_deref().filter(|c| c.contains("[%"));
        let Some((words, drawn)) = comment.map(|comment| Drawn::take(comment, size)) else {
            continue;
        };
        let drawn = drawn.to_commands(size);
        if !drawn.is_empty() {
            study.node_mut(id).comment = (!words.trim().is_empty()).then_some(words);
            study.say(id, &drawn);
        }
    }
}

/// Plays the move of a node, if it has one; false where it cannot be played.
fn take(
    node: &Node,
    game: &Go,
    study: &mut Study,
    at: &mut usize,
    position: &mut Position,
) -> bool {
    for property in &node.properties {
        let side = match property.name.as_str() {
            "B" => Side::First,
            "W" => Side::Second,
            "AB" | "AW" | "AE" if *at != ROOT => return false,
            _ => continue,
        };
        let text = move_text(property.value(), game.rules().size());
        let played = text.and_then(|text| Some((game.read_move(position, &text).ok()?, text)));
        match played {
            Some((mv, text)) if side == position.to_move() && position.passes() < 2 => {
                position.play(mv);
                *at = study.add(*at, text);
            }
            _ => return false,
        }
    }
    true
}

/// A move of a file in our notation.
fn move_text(value: &str, size: usize) -> Option<String> {
    let letters = match value.trim().as_bytes() {
        b"" => return Some("pass".to_string()),
        b"tt" if size <= 19 => return Some("pass".to_string()),
        &[x, y] => [x, y],
        _ => return None,
    };
    let [x, y] = letters.map(|l| usize::from(l.wrapping_sub(b'a')));
    (x < size && y < size).then(|| Point::at(x, y).name(size))
}

fn remarks(node: &Node, study: &mut Study, at: usize, moved: bool) {
    if let Some(text) = node.get("C").map(Property::text).filter(|c| !c.trim().is_empty()) {
        study.say(at, &text);
    }
    if moved {
        let mark = MARKS.iter().find(|(name, value, _)| {
            node.get(name).is_some_and(|p| value.is_empty() || p.value().trim() == *value)
        });
        study.node_mut(at).mark = mark.map(|&(_, _, mark)| mark);
    }
}

/// The tree of a study; `number` stands in errors.
pub fn tree_of_study(study: &Study, number: usize) -> Result<Tree, RecordError> {
    let (mut tree, game, start) = head_of(&study.head)?;
    let size = game.rules().size();
    put_remarks(&mut tree, NodeId::ROOT, study.nodes()[ROOT].comment.as_deref(), size);
    // For each node of the study, its node of the tree; a walk meets parents first.
    let mut ids = vec![NodeId::ROOT; study.nodes().len()];
    // Positions before and after the last move, for each variation that is open.
    let mut levels = vec![(start.clone(), start)];
    let mut ply = 0;
    study.walk(|step| {
        let depth = levels.len();
        let Some((before, now)) = levels.last_mut() else { return Ok(()) };
        match step {
            Step::Move(id, node) => {
                let mv: Move = game
                    .read_move(now, &node.text)
                    .map_err(|error| RecordError::Move { game: number, ply, error })?;
                ply += usize::from(depth == 1);
                let place = tree.add_child(ids[node.parent()]);
                ids[id] = place;
                tree.push(place, move_property(now, mv));
                let mark = MARKS.iter().find(|(_, _, mark)| Some(*mark) == node.mark);
                if let Some((name, value, _)) = mark {
                    tree.push(place, Property::new(name, value));
                }
                put_remarks(&mut tree, place, node.comment.as_deref(), size);
                before.clone_from(now);
                now.play(mv);
            }
            Step::Open(_) => {
                let inner = before.clone();
                levels.push((inner.clone(), inner));
            }
            Step::Close => {
                levels.pop();
            }
        }
        Ok::<(), RecordError>(())
    })?;
    Ok(tree)
}

/// Drawings become properties; what SGF has no place for stays a command in the remark.
fn put_remarks(tree: &mut Tree, place: NodeId, comment: Option<&str>, size: usize) {
    let Some((mut words, drawn)) = comment.map(|comment| Drawn::take(comment, size)) else {
        return;
    };
    let (properties, glyphs) = drawn.to_properties();
    if let Some(command) = commands::write(GLYPHS, glyphs) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(&command);
    }
    if !words.trim().is_empty() {
        tree.push(place, Property::new("C", &words));
    }
    for property in properties {
        tree.push(place, property);
    }
}

#[cfg(test)]
mod tests {
    use crate::sgf::Sgf;
    use zug_core::study::Bounds;
    use zug_core::{Mark, RecordFormat, Study};

    fn studies(bytes: &[u8]) -> Vec<Study> {
        let mut all = Vec::new();
        Sgf.read_studies(bytes, Bounds::NONE, &mut |study| {
            all.push(study.unwrap());
            true
        });
        all
    }

    #[test]
    fn variations_remarks_and_marks_survive_being_read_and_written() {
        let text = "(;GM[1]SZ[9]C[root](;B[ee]C[main]TE[2];W[cc]BM[1];C[a thought];B[])\
                    (;B[dd]DO[];W[ee](;B[aa])(;B[bb];W[tt])))";
        let study = studies(text.as_bytes()).remove(0);
        let texts: Vec<&str> = study.nodes().iter().map(|n| &*n.text).collect();
        assert_eq!(texts, ["", "E5", "C7", "pass", "D6", "E5", "A9", "B8", "pass"]);
        let marks: Vec<Option<Mark>> = study.nodes().iter().map(|n| n.mark).collect();
        assert_eq!(marks[1..3], [Some(Mark::Brilliant), Some(Mark::Mistake)]);
        assert_eq!(marks[4], Some(Mark::Doubtful));
        assert_eq!(study.nodes()[2].comment.as_deref(), Some("a thought"));
        let written = Sgf.write_studies(std::slice::from_ref(&study)).unwrap();
        let again = studies(&written).remove(0);
        assert_eq!(again.nodes(), study.nodes());
        // A record passes over remarks at nodes without a move, so only the moves are the same.
        let moves = |record: &zug_core::Record| -> Vec<String> {
            record.moves.iter().map(|m| m.text.clone()).collect()
        };
        let record = Sgf.read(text.as_bytes()).remove(0).unwrap();
        assert_eq!(moves(&again.main_line()), moves(&record));
    }

    #[test]
    fn variations_are_kept_as_far_as_they_can_be_played() {
        let text = "(;GM[1]SZ[9];B[ee](;W[cc])(;W[ee];B[aa])(;W[dd];W[gg])(;W[ff];AB[aa];B[bb]))";
        let study = studies(text.as_bytes()).remove(0);
        let texts: Vec<&str> = study.nodes().iter().map(|n| &*n.text).collect();
        assert_eq!(texts, ["", "E5", "C7", "D6", "F4"]);
    }
}

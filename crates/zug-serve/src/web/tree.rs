//! A game with its variations, as it comes from a page and goes to it: a flat list of nodes, each after
//! the one that it follows, since the longest games would be nested too deep for JSON.

use super::error::Refusal;
use super::site::Site;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use zug_core::study::{ROOT, Step};
use zug_core::{AnyLine, GameEntry, Mark, Record, RecordResult, Side, Study};

/// More nodes are not taken from a page, nor sent to it.
const MOST_NODES: usize = 20_000;

/// A move, or the root where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeView {
    /// The node that it follows; missing at the root.
    #[serde(default)]
    parent: Option<usize>,
    /// The move as it is sent.
    #[serde(default, rename = "move")]
    mv: Option<String>,
    /// The move for people.
    #[serde(default)]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    /// "!", "?", "!!", "??", "!?", "?!".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
}

/// A game that a page sends.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyRequest {
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(default)]
    start: Option<String>,
    /// Moves alone, where there are no variations.
    #[serde(default)]
    moves: Vec<NodeView>,
    /// The root and all moves.
    #[serde(default)]
    nodes: Vec<NodeView>,
    /// Who won; the rules decide where it is missing.
    #[serde(default)]
    result: Option<ResultRequest>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultRequest {
    /// The side that won, or null for a draw.
    winner: Option<usize>,
    /// By how much, where that is counted.
    #[serde(default)]
    margin: Option<f32>,
}

impl StudyRequest {
    /// Plays everything, so that what is written is in proper notation.
    pub fn study(mut self, entry: &GameEntry) -> Result<Study, Refusal> {
        let nodes = if self.nodes.is_empty() { self.plain_nodes() } else { self.nodes };
        if nodes.len() > MOST_NODES {
            return Err(Refusal::bad(format!("expected at most {MOST_NODES} moves")).at("nodes"));
        }
        let mut record = Record {
            game: entry.game.spec(),
            tags: self.tags.into_iter().collect(),
            start: self.start.take(),
            ..Record::default()
        };
        let mut line = begin(entry, &record).map_err(|e| e.at("start"))?;
        let mut study = Study::new(record.clone());
        for (i, node) in nodes.iter().enumerate() {
            let place = |what: &str| format!("nodes[{i}].{what}");
            let id = match (i, node.parent, &node.mv) {
                (0, None, None) => ROOT,
                (1.., Some(parent), Some(mv)) if parent < i => study.add(parent, mv.clone()),
                _ => {
                    let message =
                        "expected a root without move, then moves that name an earlier node";
                    return Err(Refusal::bad(message).at(place("parent")));
                }
            };
            let mark = match &node.mark {
                Some(sign) => Some(Mark::from_sign(sign).ok_or_else(|| {
                    Refusal::bad(format!("expected one of ! ? !! ?? !? ?!, found '{sign}'"))
                        .at(place("mark"))
                })?),
                None => None,
            };
            let kept = study.node_mut(id);
            (kept.mark, kept.comment) = (mark, node.comment.clone());
        }
        let mut proper: Vec<Option<String>> = vec![None; study.nodes().len()];
        let mut outcome = None;
        let ahead: Vec<usize> = study.main_nodes().collect();
        visit(&study, line.as_mut(), &mut |id, line, played| {
            match played {
                Ok(played) => proper[id] = Some(played.mv),
                Err(error) => return Err(Refusal::bad(error).at(format!("nodes[{id}].move"))),
            }
            if ahead.last() == Some(&id) {
                outcome = line.outcome();
            }
            Ok(())
        })?;
        for (id, mv) in proper.into_iter().enumerate() {
            study.node_mut(id).text = mv.unwrap_or_default();
        }
        record.result = match self.result {
            Some(ResultRequest { winner, margin }) => RecordResult::Known {
                winner: winner.and_then(|w| Side::BOTH.get(w).copied()),
                margin: margin.filter(|m| m.is_finite()),
            },
            None => outcome.map_or(RecordResult::Unknown, RecordResult::from),
        };
        study.head.result = record.result;
        Ok(study)
    }

    /// The moves as nodes, one after the other.
    fn plain_nodes(&mut self) -> Vec<NodeView> {
        let moves = std::mem::take(&mut self.moves).into_iter().enumerate();
        let moves = moves.map(|(i, node)| NodeView { parent: Some(i), ..node });
        std::iter::once(NodeView::default()).chain(moves).collect()
    }
}

/// The line before the first move of a record.
pub fn begin(entry: &GameEntry, record: &Record) -> Result<Box<dyn AnyLine>, Refusal> {
    match &record.start {
        Some(text) => entry.game.line_from(text).map_err(Refusal::bad),
        None => Ok(entry.game.new_line()),
    }
}

/// A move in proper notation, and for people.
struct Played {
    mv: String,
    text: String,
}

/// Hears of each move that was played, or why it could not be. An error of its own ends the visit.
type Hear<'a> = dyn FnMut(usize, &dyn AnyLine, Result<Played, String>) -> Result<(), Refusal> + 'a;

/// Plays all moves of a study; what follows one that cannot be played is passed over.
fn visit(study: &Study, line: &mut dyn AnyLine, hear: &mut Hear<'_>) -> Result<(), Refusal> {
    let mut walker = Walker { study, line, path: vec![ROOT], at: vec![None; study.nodes().len()] };
    walker.at[ROOT] = Some(0);
    let mut playable = vec![false; study.nodes().len()];
    playable[ROOT] = true;
    study.walk(|step| {
        let Step::Move(id, node) = step else { return Ok(()) };
        if !playable[node.parent] {
            return Ok(());
        }
        walker.go_to(node.parent);
        let text = walker.line.shown(&node.text).unwrap_or_else(|_| node.text.clone());
        let played = walker.play(id).map(|mv| Played { mv, text });
        playable[id] = played.is_ok();
        hear(id, walker.line, played)
    })
}

/// A line that goes to and fro in a study.
struct Walker<'a> {
    study: &'a Study,
    line: &'a mut dyn AnyLine,
    /// The nodes whose moves are on the board, in order.
    path: Vec<usize>,
    /// Where in the path each node is, if it is.
    at: Vec<Option<usize>>,
}

impl Walker<'_> {
    fn play(&mut self, id: usize) -> Result<String, String> {
        let mv = self.line.play(&self.study.nodes()[id].text).map_err(|e| e.to_string())?;
        self.at[id] = Some(self.path.len());
        self.path.push(id);
        Ok(mv)
    }

    /// Brings a node onto the board whose moves are known to be possible.
    fn go_to(&mut self, id: usize) {
        let mut ahead = Vec::new();
        let mut joint = id;
        while self.at[joint].is_none() {
            ahead.push(joint);
            joint = self.study.nodes()[joint].parent;
        }
        while self.path.last() != Some(&joint) {
            self.line.undo();
            if let Some(left) = self.path.pop() {
                self.at[left] = None;
            }
        }
        for id in ahead.into_iter().rev() {
            let _ = self.play(id);
        }
    }
}

/// A game as a page shows it.
#[derive(Debug, Serialize)]
pub struct StudyView {
    game: String,
    sides: [&'static str; 2],
    tags: BTreeMap<String, String>,
    start: Option<String>,
    nodes: Vec<NodeView>,
    result: Option<String>,
    /// Moves of the main line.
    pub moves: usize,
    /// Variations that cannot be played, or are too many.
    #[serde(skip)]
    pub left_out: usize,
}

impl StudyView {
    /// Of a study, by the rules that it names; the error names the ply of the main line that is wrong.
    pub fn of(site: &Site, entry: &Arc<GameEntry>, study: &Study) -> Result<StudyView, String> {
        // A file may name other rules than the table has: another komi, another size.
        let entry = site.open(&study.head.game).unwrap_or_else(|_| Arc::clone(entry));
        let mut line = match &study.head.start {
            Some(text) => entry.game.line_from(text).map_err(|e| e.to_string())?,
            None => entry.game.new_line(),
        };
        let main: Vec<usize> = study.main_nodes().collect();
        let root = &study.nodes()[ROOT];
        let mut nodes = vec![NodeView { comment: root.comment.clone(), ..NodeView::default() }];
        // Where each node went.
        let mut places = vec![None; study.nodes().len()];
        places[ROOT] = Some(0);
        let (mut left_out, mut wrong) = (0, None);
        let visited = visit(study, line.as_mut(), &mut |id, _, played| {
            let node = &study.nodes()[id];
            match played {
                Ok(Played { mv, text }) if nodes.len() < MOST_NODES => {
                    places[id] = Some(nodes.len());
                    nodes.push(NodeView {
                        parent: places[node.parent],
                        mv: Some(mv),
                        text: Some(text),
                        comment: node.comment.clone(),
                        mark: node.mark.map(|mark| mark.sign().to_string()),
                    });
                }
                Ok(_) => left_out += 1,
                Err(error) => {
                    if let Some(ply) = main.iter().position(|&m| m == id) {
                        wrong = Some(format!("move {}: {error}", ply + 1));
                        return Err(Refusal::bad(error));
                    }
                    left_out += 1;
                }
            }
            Ok(())
        });
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        visited.map_err(|_| "the game cannot be played through".to_string())?;
        Ok(StudyView {
            game: entry.game.spec(),
            sides: Side::BOTH.map(|side| entry.game.side_name(side)),
            tags: study.head.tags.iter().cloned().collect(),
            start: study.head.start.clone(),
            nodes,
            result: result_text(&study.head.result),
            moves: main.len(),
            left_out,
        })
    }
}

/// "0 by 3" where the first side won by three points, "draw".
pub fn result_text(result: &RecordResult) -> Option<String> {
    match result {
        RecordResult::Unknown => None,
        RecordResult::Known { winner, margin } => {
            let by = margin.map_or_else(String::new, |m| format!(" by {m}"));
            Some(match winner {
                Some(side) => format!("{}{by}", side.index()),
                None => "draw".to_string(),
            })
        }
    }
}

/// The study with its moves as people write them.
pub fn shown_study(entry: &GameEntry, study: &Study) -> Result<Study, Refusal> {
    let mut shown = study.clone();
    let mut line = begin(entry, &study.head)?;
    visit(study, line.as_mut(), &mut |id, _, played| {
        if let Ok(Played { text, .. }) = played {
            shown.node_mut(id).text = text;
        }
        Ok(())
    })?;
    Ok(shown)
}

//! A game with its variations, as it comes from a page and goes to it: a flat list of nodes, each after
//! the one that it follows, since the longest games would be nested too deep for JSON.

use super::asked::{Few, Whole, from_objects};
use super::error::Refusal;
use super::site::Site;
use super::view::MOST_MOVES;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use zug_core::error::shorten;
use zug_core::study::{ROOT, Step};
use zug_core::{AnyLine, GameEntry, Mark, Record, RecordResult, Side, Study};

/// More nodes of a game are not taken from a page, nor sent to it.
const MOST_NODES: usize = 20_000;

/// A move, or the root where there is none, as it is sent to a page.
#[derive(Debug, Default, Serialize)]
pub struct NodeView {
    /// The node that it follows; missing at the root.
    parent: Option<usize>,
    /// The move as it is sent.
    #[serde(rename = "move")]
    mv: Option<Box<str>>,
    /// The move for people.
    text: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
}

/// The same as it comes from a page. There may be many, so they are small.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, remote = "Self")]
struct NodeRequest {
    parent: Option<Whole<0, { MOST_NODES as u64 }>>,
    #[serde(rename = "move")]
    mv: Option<Box<str>>,
    /// The move for people says nothing that the move does not say.
    #[serde(rename = "text")]
    _text: Option<Unread>,
    comment: Option<Box<str>>,
    /// "!", "?", "!!", "??", "!?", "?!".
    mark: Option<Sign>,
}

/// A text that nobody needs.
#[derive(Debug, Default)]
struct Unread;

impl<'de> Deserialize<'de> for Unread {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Unread, D::Error> {
        String::deserialize(from).map(|_| Unread)
    }
}

/// A mark by its sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sign(pub(super) Mark);

impl<'de> Deserialize<'de> for Sign {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Sign, D::Error> {
        let sign = String::deserialize(from)?;
        let bad = || format!("expected one of ! ? !! ?? !? ?!, found '{}'", shorten(&sign));
        Mark::from_sign(&sign).map(Sign).ok_or_else(|| serde::de::Error::custom(bad()))
    }
}

/// A game that a page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct StudyRequest {
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(default)]
    start: Option<String>,
    /// Moves alone, where there are no variations.
    #[serde(default)]
    moves: Few<NodeRequest, MOST_MOVES>,
    /// The root and all moves.
    #[serde(default)]
    nodes: Few<NodeRequest, MOST_NODES>,
    /// Who won; the rules decide where it is missing.
    #[serde(default)]
    result: Option<ResultRequest>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct ResultRequest {
    /// The side that won, or null for a draw.
    winner: Option<Whole<0, 1>>,
    /// By how much, where that is counted.
    #[serde(default)]
    margin: Option<f32>,
}

from_objects!(NodeRequest, StudyRequest, ResultRequest);

impl StudyRequest {
    /// Plays everything, so that what is written is in proper notation.
    pub fn study(mut self, entry: &GameEntry) -> Result<Study, Refusal> {
        let nodes = if self.nodes.0.is_empty() { self.plain_nodes() } else { self.nodes.0 };
        let mut record = Record {
            game: entry.game.spec(),
            tags: self.tags.into_iter().collect(),
            start: self.start.take(),
            ..Record::default()
        };
        let mut line = begin(entry, &record).map_err(|e| e.at("start"))?;
        let mut study = Study::new(record.clone());
        for (i, node) in nodes.into_iter().enumerate() {
            let id = match (i, node.parent.map(Whole::size), node.mv) {
                (0, None, None) => ROOT,
                (1.., Some(parent), Some(mv)) if parent < i => study.add(parent, mv),
                _ => {
                    let message =
                        "expected a root without move, then moves that name an earlier node";
                    return Err(Refusal::bad(message).at(format!("nodes[{i}].parent")));
                }
            };
            let kept = study.node_mut(id);
            (kept.mark, kept.comment) = (node.mark.map(|s| s.0), node.comment.map(String::from));
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
            study.node_mut(id).text = mv.unwrap_or_default().into();
        }
        record.result = match self.result {
            Some(ResultRequest { winner, margin }) => RecordResult::Known {
                winner: winner.and_then(|w| Side::BOTH.get(w.size()).copied()),
                margin: margin.filter(|m| m.is_finite()),
            },
            None => outcome.map_or(RecordResult::Unknown, RecordResult::from),
        };
        study.head.result = record.result;
        Ok(study)
    }

    /// The moves as nodes, one after the other.
    fn plain_nodes(&mut self) -> Vec<NodeRequest> {
        let moves = std::mem::take(&mut self.moves.0).into_iter().enumerate();
        let moves = moves.map(|(i, node)| NodeRequest { parent: Some(Whole::of(i)), ..node });
        std::iter::once(NodeRequest::default()).chain(moves).collect()
    }

    /// Moves that it has, as far as they are in variations or after each other.
    pub fn size(&self) -> usize {
        self.nodes.0.len() + self.moves.0.len()
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
        if !playable[node.parent()] {
            return Ok(());
        }
        walker.go_to(node.parent());
        let text = walker.line.shown(&node.text).unwrap_or_else(|_| node.text.to_string());
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
        // A line keeps all its positions.
        if self.path.len() > MOST_MOVES {
            return Err(format!(
                "expected at most {MOST_MOVES} moves one after the other, found more"
            ));
        }
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
            joint = self.study.nodes()[joint].parent();
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
    /// The moves and the root.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }
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
        let said = |id: usize| study.nodes()[id].comment.as_deref().map(Box::from);
        let mut nodes = vec![NodeView { comment: said(ROOT), ..NodeView::default() }];
        // Where each node went.
        let mut places = vec![0; study.nodes().len()];
        let (mut left_out, mut wrong) = (study.left_out, None);
        let visited = visit(study, line.as_mut(), &mut |id, _, played| {
            let node = &study.nodes()[id];
            match played {
                Ok(Played { mv, text }) if nodes.len() < MOST_NODES => {
                    places[id] = nodes.len();
                    nodes.push(NodeView {
                        parent: Some(places[node.parent()]),
                        mv: Some(mv.into()),
                        text: Some(text.into()),
                        comment: said(id),
                        mark: node.mark.map(Mark::sign),
                    });
                }
                Ok(_) => left_out += 1,
                Err(error) => {
                    if let Ok(ply) = main.binary_search(&id) {
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
            shown.node_mut(id).text = text.into();
        }
        Ok(())
    })?;
    Ok(shown)
}

//! A line of play as a page sends it, and the board at its end as a page draws it.

use super::asked::{Few, from_objects};
use super::error::Refusal;
use super::site::Site;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use zug_core::picture::Owner;
use zug_core::{AnyLine, GameEntry, Outcome, Picture, Side};

/// No game of any kind is as long. A line keeps all its positions, and those of Go are large.
pub const MOST_MOVES: usize = 1000;

/// A game with its moves.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct LineRequest {
    /// The spec of the game.
    pub game: String,
    /// The position at the beginning; the game's own for `None`.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves in notation.
    #[serde(default)]
    pub moves: Few<String, MOST_MOVES>,
}

from_objects!(LineRequest);

impl LineRequest {
    /// A game without moves.
    pub fn new(game: String) -> LineRequest {
        LineRequest { game, start: None, moves: Few::default() }
    }

    /// Plays it through.
    pub fn replay(&self, site: &Site) -> Result<(Arc<GameEntry>, Box<dyn AnyLine>), Refusal> {
        let entry = site.open(&self.game)?;
        let mut line = match &self.start {
            Some(text) => entry.game.line_from(text).map_err(|e| Refusal::bad(e).at("start"))?,
            None => entry.game.new_line(),
        };
        for (i, mv) in self.moves.0.iter().enumerate() {
            line.play(mv).map_err(|e| Refusal::bad(e).at(format!("moves[{i}]")))?;
        }
        Ok((entry, line))
    }
}

/// The board at the end of a line.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    game: String,
    title: String,
    sides: [&'static str; 2],
    start: Option<String>,
    moves: Vec<String>,
    texts: Vec<String>,
    position: String,
    to_move: usize,
    ply: usize,
    outcome: Option<OutcomeView>,
    legal: Vec<LegalMove>,
    last: Vec<usize>,
    picture: PictureView,
}

#[derive(Clone, Debug, Serialize)]
struct LegalMove {
    #[serde(rename = "move")]
    mv: String,
    text: String,
    cells: Vec<usize>,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize)]
pub struct OutcomeView {
    winner: Option<usize>,
    reason: &'static str,
    margin: Option<f32>,
}

impl From<Outcome> for OutcomeView {
    fn from(o: Outcome) -> OutcomeView {
        OutcomeView { winner: o.winner.map(Side::index), reason: o.reason, margin: o.margin }
    }
}

#[derive(Clone, Debug, Serialize)]
struct PictureView {
    width: usize,
    height: usize,
    chequered: bool,
    columns: Vec<String>,
    rows: Vec<String>,
    cells: Vec<CellView>,
    notes: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct CellView {
    owner: OwnerView,
    glyph: char,
    letter: char,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
enum OwnerView {
    Piece(usize),
    Word(Option<&'static str>),
}

impl From<Picture> for PictureView {
    fn from(p: Picture) -> PictureView {
        let owner = |owner: Owner| match owner {
            Owner::Empty => OwnerView::Word(None),
            Owner::Outside => OwnerView::Word(Some("outside")),
            Owner::Piece(side) => OwnerView::Piece(side.index()),
        };
        PictureView {
            width: p.width,
            height: p.height,
            chequered: p.chequered,
            columns: p.column_labels,
            rows: p.row_labels,
            cells: p
                .cells
                .into_iter()
                .map(|c| CellView { owner: owner(c.owner), glyph: c.glyph, letter: c.letter })
                .collect(),
            notes: p.notes,
        }
    }
}

impl View {
    /// Of a line.
    pub fn of(entry: &GameEntry, line: &dyn AnyLine) -> View {
        View { legal: legal_moves(line), ..View::plain(entry, line) }
    }

    /// Without the legal moves.
    pub fn plain(entry: &GameEntry, line: &dyn AnyLine) -> View {
        View {
            game: line.spec(),
            title: entry.game.title(),
            sides: Side::BOTH.map(|s| line.side_name(s)),
            start: (!line.starts_at_start()).then(|| line.start_text()),
            moves: line.moves(),
            texts: line.shown_moves(),
            position: line.position_text(),
            to_move: line.to_move().index(),
            ply: line.ply(),
            outcome: line.outcome().map(OutcomeView::from),
            legal: Vec::new(),
            last: line.last_move_cells(),
            picture: line.picture().into(),
        }
    }
}

fn legal_moves(line: &dyn AnyLine) -> Vec<LegalMove> {
    let legal = |mv: String| LegalMove {
        cells: line.move_cells(&mv).unwrap_or_default(),
        text: line.shown(&mv).unwrap_or_else(|_| mv.clone()),
        mv,
    };
    line.legal_moves().into_iter().map(legal).collect()
}

/// Moves that follow a line, for people; as far as they are legal.
pub fn shown(line: &dyn AnyLine, moves: &[String]) -> Vec<String> {
    let mut line = line.boxed_clone();
    let mut texts = Vec::new();
    for mv in moves {
        let Ok(text) = line.shown(mv) else { break };
        if line.play(mv).is_err() {
            break;
        }
        texts.push(text);
    }
    texts
}

//! Databases of endings as exact knowledge in the midst of a game of chess.

use crate::{Chess, Position};
use cozy_chess::Color;
use std::path::Path;
use std::sync::Arc;
use zug_core::{Oracle, Score, Spec, Verdict};
use zug_search::OpenOracle;
use zug_solve::{Database, Manifest};

/// Plies without capture or pawn move that end a game.
const FIFTY_MOVES: u32 = 100;

/// A database of endings, asked as soon as few enough men are left.
pub(crate) struct Endings {
    database: Database<Chess>,
    men: u32,
}

/// Opens a database of any endings for a search of the whole game.
pub(crate) fn open_oracle() -> OpenOracle<Chess> {
    Arc::new(|folder: &Path| Ok(Arc::new(Endings::open(folder)?)))
}

impl Endings {
    /// Opens a database by its folder; the error says why not.
    pub fn open(folder: &Path) -> Result<Endings, String> {
        let manifest = Manifest::read(folder).map_err(|e| e.to_string())?;
        let spec = Spec::parse(&manifest.game).map_err(|e| e.to_string())?;
        if spec.name != "chess" {
            return Err(format!("a database of {}", manifest.game));
        }
        let game = Chess::from_spec(&spec).map_err(|e| e.to_string())?;
        let database = Database::open(folder, &game).map_err(|e| e.to_string())?;
        let parts = database.index().space().parts();
        let men = parts.iter().map(|part| part.counts().iter().sum()).max().unwrap_or(0);
        Ok(Endings { database, men })
    }

    /// The most men of a position in it.
    pub fn men(&self) -> u32 {
        self.men
    }
}

impl Oracle<Chess> for Endings {
    fn probe(&self, game: &Chess, position: &Position) -> Option<Score> {
        let board = position.board();
        let castles = |c| board.castle_rights(c).short.or(board.castle_rights(c).long).is_some();
        if board.occupied().len() > self.men || Color::ALL.into_iter().any(castles) {
            return None;
        }
        let score = self.database.probe(game, position)?;
        match score.verdict() {
            // A mate that comes too late may be no mate: the database knows no fifty-move rule.
            Verdict::WonIn(plies) | Verdict::LostIn(plies)
                if plies + u32::from(position.clock()) > FIFTY_MOVES =>
            {
                None
            }
            _ => Some(score),
        }
    }
}

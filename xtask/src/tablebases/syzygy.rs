//! The Syzygy tables: who wins, and how far the next capture or pawn move is.

use anyhow::{Context, Result, bail};
use cozy_chess::{BitBoard, Color, Piece, Square};
use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TableBases, WdlProbeResult};
use std::path::Path;
use zug_chess::{Position, fen};

/// The attacks of men, as the probing code wants them.
#[derive(Clone)]
struct Attacks;

fn square(number: u64) -> Square {
    Square::index(number as usize)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        cozy_chess::get_pawn_attacks(square(from), color).0
    }
    fn knight_attacks(from: u64) -> u64 {
        cozy_chess::get_knight_moves(square(from)).0
    }
    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        cozy_chess::get_bishop_moves(square(from), BitBoard(occupied)).0
    }
    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        cozy_chess::get_rook_moves(square(from), BitBoard(occupied)).0
    }
    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        Attacks::bishop_attacks(from, occupied) | Attacks::rook_attacks(from, occupied)
    }
    fn king_attacks(from: u64) -> u64 {
        cozy_chess::get_king_moves(square(from)).0
    }
}

/// What a table says to a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Loss,
    /// Lost, but the fifty-move rule saves it.
    BlessedLoss,
    Draw,
    /// Won, but the fifty-move rule takes it away.
    CursedWin,
    Win,
}

/// A folder of tables.
pub struct Syzygy(TableBases<Attacks>);

impl Syzygy {
    /// Opens a folder. Only one can be open at a time.
    pub fn open(folder: &Path) -> Result<Syzygy> {
        let text = folder.to_str().context("the name of the folder is not UTF-8")?;
        match TableBases::new(text) {
            Ok(tables) => Ok(Syzygy(tables)),
            Err(e) => bail!("no Syzygy tables in {}: {e:?}", folder.display()),
        }
    }

    /// The most men that the tables know.
    pub fn most_men(&self) -> u32 {
        self.0.max_pieces()
    }

    /// Who wins?
    pub fn verdict(&self, position: &Position) -> Result<Verdict> {
        let [white, black, k, q, r, b, n, p] = boards(position);
        let (ep, turn) = (passing(position), position.color() == Color::White);
        let found = self.0.probe_wdl(white, black, k, q, r, b, n, p, ep, turn);
        match found {
            Ok(WdlProbeResult::Loss) => Ok(Verdict::Loss),
            Ok(WdlProbeResult::BlessedLoss) => Ok(Verdict::BlessedLoss),
            Ok(WdlProbeResult::Draw) => Ok(Verdict::Draw),
            Ok(WdlProbeResult::CursedWin) => Ok(Verdict::CursedWin),
            Ok(WdlProbeResult::Win) => Ok(Verdict::Win),
            Err(e) => bail!("the Syzygy tables do not know {}: {e:?}", fen::write(position)),
        }
    }

    /// Plies to the next capture or pawn move that keeps the result, or to mate; 0 in a draw and
    /// for a king that is mated. Not for several threads at once.
    pub fn distance(&self, position: &Position) -> Result<u16> {
        let [white, black, k, q, r, b, n, p] = boards(position);
        let (ep, turn) = (passing(position), position.color() == Color::White);
        let found = self.0.probe_root(white, black, k, q, r, b, n, p, 0, ep, turn);
        match found.map(|found| found.root) {
            Ok(DtzProbeValue::DtzResult(found)) => Ok(found.dtz),
            Ok(DtzProbeValue::Checkmate | DtzProbeValue::Stalemate) => Ok(0),
            Ok(DtzProbeValue::Failed) | Err(_) => {
                bail!("the Syzygy tables have no distance for {}", fen::write(position))
            }
        }
    }
}

fn boards(position: &Position) -> [u64; 8] {
    let board = position.board();
    let of = |piece| board.pieces(piece).0;
    [
        board.colors(Color::White).0,
        board.colors(Color::Black).0,
        of(Piece::King),
        of(Piece::Queen),
        of(Piece::Rook),
        of(Piece::Bishop),
        of(Piece::Knight),
        of(Piece::Pawn),
    ]
}

/// The square behind a pawn that can be captured in passing; 0 for none.
fn passing(position: &Position) -> u32 {
    position.en_passant().map_or(0, |square| square as u32)
}

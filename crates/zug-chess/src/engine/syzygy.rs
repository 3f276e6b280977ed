//! What do Syzygy tables say: won, drawn or lost, and which moves make progress?
//!
//! The tables are read by the crate `pyrrhic-rs`, which keeps them for the whole process. So all
//! players of a process share them, and only one list of folders can be open at a time.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TBError, TableBases, WdlProbeResult};
use std::cmp::Reverse;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock, Weak};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What the crate needs to know about attacks.
#[derive(Clone)]
struct Attacks;

fn at(square: u64) -> Square {
    Square::index(square as usize & 63)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        get_pawn_attacks(at(square), color).0
    }

    fn knight_attacks(square: u64) -> u64 {
        get_knight_moves(at(square)).0
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        get_bishop_moves(at(square), BitBoard(occupied)).0
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        get_rook_moves(at(square), BitBoard(occupied)).0
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(square, occupied) | Self::rook_attacks(square, occupied)
    }

    fn king_attacks(square: u64) -> u64 {
        get_king_moves(at(square)).0
    }
}

/// Won, drawn or lost for the side to move, with the fifty-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Lost.
    Lost,
    /// Drawn, by itself or by the fifty-move rule.
    Drawn,
    /// Won.
    Won,
}

/// Tables that are open.
pub struct Syzygy {
    // Asking about a root may not happen at the same time as anything else.
    tables: RwLock<TableBases<Attacks>>,
    men: u32,
}

/// Tables that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyzygyError {
    /// A folder without tables, or none at all.
    #[error("{}: {why}", folder.display())]
    Folder {
        /// The folder or file.
        folder: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Others are open.
    #[error("tables in {0} are in use, and a process has room for one list of folders")]
    Others(String),
    /// Others are being closed, and take long to.
    #[error("other tables are still being closed")]
    Busy,
    /// The tables as a whole.
    #[error("the tables cannot be opened ({0})")]
    Tables(String),
}

/// How long tables that are being closed are waited for.
const PATIENCE: Duration = Duration::from_secs(2);

static OPEN: Mutex<(String, Weak<Syzygy>)> = Mutex::new((String::new(), Weak::new()));

/// The first bytes of the two kinds of tables, and how their names end.
const KINDS: [(&str, [u8; 4]); 2] =
    [("rtbw", [0x71, 0xE8, 0x23, 0x5D]), ("rtbz", [0xD7, 0x66, 0x0C, 0xA5])];

impl Syzygy {
    /// Opens the tables in one or several folders, with `:` between them.
    pub fn open(folders: &str) -> Result<Arc<Syzygy>, SyzygyError> {
        let give_up = Instant::now() + PATIENCE;
        loop {
            match Syzygy::try_open(folders) {
                // Somebody is just closing others.
                Err(SyzygyError::Busy) if Instant::now() < give_up => sleep(PATIENCE / 1000),
                done => return done,
            }
        }
    }

    fn try_open(folders: &str) -> Result<Arc<Syzygy>, SyzygyError> {
        let mut open = OPEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(syzygy) = open.1.upgrade() {
            if open.0 == folders {
                return Ok(syzygy);
            }
            return Err(SyzygyError::Others(open.0.clone()));
        }
        let mut men = 0;
        for folder in folders.split(':').filter(|folder| !folder.is_empty()) {
            men = men.max(check_folder(Path::new(folder))?);
        }
        if men == 0 {
            let why = "holds no tables (files such as KQvK.rtbw)".to_string();
            return Err(SyzygyError::Folder { folder: folders.into(), why });
        }
        let tables = TableBases::<Attacks>::new(folders).map_err(|error| match error {
            TBError::AlreadyInitialized => SyzygyError::Busy,
            error => SyzygyError::Tables(format!("{error:?}")),
        })?;
        // The reader's own number may be larger than that of any table.
        let men = men.min(tables.max_pieces());
        let syzygy = Arc::new(Syzygy { tables: RwLock::new(tables), men });
        *open = (folders.to_string(), Arc::downgrade(&syzygy));
        Ok(syzygy)
    }

    /// The most men of a position that is known.
    #[must_use]
    pub fn men(&self) -> u32 {
        self.men
    }

    /// Won, drawn or lost, for positions whose clock is at zero; `fifty`: by the fifty-move rule.
    #[must_use]
    pub fn standing(&self, board: &Board, fifty: bool) -> Option<Standing> {
        if !self.may_know(board) || board.halfmove_clock() != 0 {
            return None;
        }
        let Parts { white, black, pieces, passing, turn } = Parts::of(board);
        let [pawns, knights, bishops, rooks, queens, kings] = pieces;
        let tables = self.tables.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        let answer = tables
            .probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, passing, turn);
        answer.ok().map(|answer| standing(answer, fifty))
    }

    /// The moves that keep the result and make the most progress, and that result.
    #[must_use]
    pub fn best_moves(&self, board: &Board, fifty: bool) -> Option<(Standing, Vec<Move>)> {
        if !self.may_know(board) {
            return None;
        }
        let Parts { white, black, pieces, passing, turn } = Parts::of(board);
        let [pawns, knights, bishops, rooks, queens, kings] = pieces;
        let tables = self.tables.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let clock = u32::from(board.halfmove_clock());
        let answer = tables
            .probe_root(
                white, black, kings, queens, rooks, bishops, knights, pawns, clock, passing, turn,
            )
            .ok()?;
        let mut ranked = Vec::new();
        for value in &answer.moves[..answer.num_moves] {
            let DtzProbeValue::DtzResult(found) = value else { continue };
            let promotion = match found.promotion {
                pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
                pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
                pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
                pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
                _ => None,
            };
            let (from, to) = (at(found.from_square.into()), at(found.to_square.into()));
            let mv = Move { from, to, promotion };
            if !board.is_legal(mv) {
                continue;
            }
            // Who wins hurries, who loses delays. A win that the fifty-move rule takes away is still
            // something to play for.
            let plies = i32::from(found.dtz);
            let rank = match (standing(found.wdl, fifty), found.wdl) {
                (Standing::Won, _) => (Standing::Won, -plies),
                (Standing::Lost, _) => (Standing::Lost, plies),
                (drawn, WdlProbeResult::CursedWin) => (drawn, 1),
                (drawn, WdlProbeResult::BlessedLoss) => (drawn, -1),
                (drawn, _) => (drawn, 0),
            };
            ranked.push((rank, mv));
        }
        ranked.sort_by_key(|&(rank, _)| Reverse(rank));
        let best = ranked.first()?.0;
        let moves = ranked.iter().take_while(|(rank, _)| *rank == best).map(|&(_, mv)| mv);
        Some((best.0, moves.collect()))
    }

    fn may_know(&self, board: &Board) -> bool {
        let castles = |color| {
            let rights = board.castle_rights(color);
            rights.short.or(rights.long).is_some()
        };
        board.occupied().len() <= self.men && !castles(Color::White) && !castles(Color::Black)
    }
}

fn standing(answer: WdlProbeResult, fifty: bool) -> Standing {
    match answer {
        WdlProbeResult::Win => Standing::Won,
        WdlProbeResult::CursedWin if !fifty => Standing::Won,
        WdlProbeResult::BlessedLoss if !fifty => Standing::Lost,
        WdlProbeResult::Loss => Standing::Lost,
        _ => Standing::Drawn,
    }
}

/// A board as the tables want it.
struct Parts {
    white: u64,
    black: u64,
    pieces: [u64; 6],
    passing: u32,
    turn: bool,
}

impl Parts {
    fn of(board: &Board) -> Parts {
        let us = board.side_to_move();
        let target = |file| Square::new(file, Rank::Sixth.relative_to(us)) as u32;
        Parts {
            white: board.colors(Color::White).0,
            black: board.colors(Color::Black).0,
            pieces: Piece::ALL.map(|piece| board.pieces(piece).0),
            passing: board.en_passant().map_or(0, target),
            turn: us == Color::White,
        }
    }
}

/// The most men of a table in a folder, 0 if there are none. The reader of the tables trusts them, so
/// that a file which is something else must not come so far.
fn check_folder(folder: &Path) -> Result<u32, SyzygyError> {
    let fault = |path: &Path, why: String| SyzygyError::Folder { folder: path.into(), why };
    let entries =
        fs::read_dir(folder).map_err(|e| fault(folder, format!("no such folder ({e})")))?;
    let mut most = 0;
    for entry in entries {
        let path = entry.map_err(|e| fault(folder, e.to_string()))?.path();
        let kind = path.extension().and_then(|ending| ending.to_str());
        let Some((_, magic)) = KINDS.iter().find(|(ending, _)| kind == Some(ending)) else {
            continue;
        };
        let cannot = |e: std::io::Error| fault(&path, format!("cannot be read ({e})"));
        let mut first = [0; 4];
        let mut file = fs::File::open(&path).map_err(cannot)?;
        let length = file.metadata().map_err(cannot)?.len();
        file.read_exact(&mut first).map_err(cannot)?;
        if first != *magic {
            return Err(fault(&path, format!("byte 0: expected {magic:02x?}, found {first:02x?}")));
        }
        if length % 64 != 16 {
            let why = format!("byte {length}: expected a multiple of 64 and 16 more bytes");
            return Err(fault(&path, why));
        }
        if kind == Some(KINDS[0].0) {
            most = most.max(men_of(&path));
        }
    }
    Ok(most)
}

/// The men of a table, by its name: one letter each, such as `KQvKR`. 0 for a name that no table
/// has: the reader, which asks for tables by their names, would find none, and never opens again.
fn men_of(path: &Path) -> u32 {
    const ORDER: &str = "KQRBNP";
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let Some((strong, weak)) = name.split_once('v') else { return 0 };
    let ranks = |side: &str| side.chars().map(|letter| ORDER.find(letter)).collect();
    let (Some(strong), Some(weak)): (Option<Vec<usize>>, Option<Vec<usize>>) =
        (ranks(strong), ranks(weak))
    else {
        return 0;
    };
    let proper =
        |side: &[usize]| side.is_sorted() && side.iter().filter(|&&rank| rank == 0).count() == 1;
    // The side with more men comes first, or the one with the better men.
    let first = strong.len() > weak.len() || strong.len() == weak.len() && strong <= weak;
    let men = strong.len() + weak.len();
    let is_table = proper(&strong) && proper(&weak) && first && (3..=7).contains(&men);
    if is_table { men as u32 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_table_tells_its_men() {
        for (name, men) in [
            ("KQvK.rtbw", 3),
            ("a/KQvKR.rtbz", 4),
            ("KRPPvKRP.rtbw", 7),
            ("KBNvKQ.rtbw", 5),
            ("", 0),
            ("KvK.rtbw", 0),
            ("KRvKQ.rtbw", 0),
            ("KvKQ.rtbw", 0),
            ("KNBvK.rtbw", 0),
            ("QvK.rtbw", 0),
            ("KQvKv.rtbw", 0),
            ("KQQQQQQvK.rtbw", 0),
        ] {
            assert_eq!(men_of(Path::new(name)), men, "{name}");
        }
    }

    #[test]
    fn folders_without_tables_and_files_that_are_none_are_refused_by_name() {
        let folder = std::env::temp_dir().join(format!("zug-syzygy-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let open = || Syzygy::open(folder.to_str().unwrap()).err().unwrap().to_string();
        assert!(open().contains("holds no tables"));
        for (bytes, expected) in [
            (&[][..], "cannot be read"),
            (&[0; 80][..], "byte 0: expected"),
            (&[0x71, 0xE8, 0x23, 0x5D, 0][..], "multiple of 64"),
        ] {
            fs::write(folder.join("KQvK.rtbw"), bytes).unwrap();
            let said = open();
            assert!(said.contains("KQvK.rtbw") && said.contains(expected), "{said}");
        }
        // A name that the reader does not ask for, so that it would find nothing.
        fs::remove_file(folder.join("KQvK.rtbw")).unwrap();
        let whole = [&KINDS[0].1[..], &[0; 76]].concat();
        fs::write(folder.join("KvKQ.rtbw"), &whole).unwrap();
        assert!(open().contains("holds no tables"));
        // Distances alone say nothing about who wins.
        fs::write(folder.join("KQvK.rtbz"), [&KINDS[1].1[..], &[0; 76]].concat()).unwrap();
        assert!(open().contains("holds no tables"));
        fs::remove_dir_all(&folder).unwrap();
        assert!(open().contains("no such folder"));
    }
}

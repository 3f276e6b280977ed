//! Why is a record not taken?

use crate::board::Board;
use crate::colour::Illegal;
use crate::point::Point;
use crate::sgf::MainLine;
use std::fmt;
use zug_core::Side;

/// Why a record is passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reject {
    /// The file is broken; what is wrong, and where.
    Broken(String),
    /// Larger than a file of records may be.
    Huge(u64),
    /// Cannot be read; why.
    Unreadable(String),
    /// Another board size.
    Size(usize),
    /// Handicap or set-up stones.
    Setup,
    /// Black does not begin, or the sides do not alternate.
    NotAlternating,
    /// Too few moves.
    Short,
    /// A move that simple ko and no suicide forbid, and its ply from 0.
    Illegal(Illegal, usize),
    /// Played too early or too late.
    Year,
    /// Nobody says when it was played, and that matters.
    Undated,
    /// A player is too weak, or nobody says how strong.
    Rank,
    /// Lost by too much.
    Margin,
    /// Ended otherwise than by counting, where that is asked for.
    Uncounted,
    /// The player looked for is not in it.
    Player,
    /// The same game, perhaps turned or mirrored, came before.
    Duplicate,
}

/// In few words; the first of them are those of `REASONS.tsv` beside the archives of records.
impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reject::Broken(why) => write!(f, "broken: {why}"),
            Reject::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Reject::Size(size) => write!(f, "size{size}"),
            other => f.write_str(other.word()),
        }
    }
}

impl Reject {
    /// One word for counting.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Reject::Broken(_) => "broken",
            Reject::Huge(_) => "too large",
            Reject::Unreadable(_) => "unreadable",
            Reject::Size(_) => "another board size",
            Reject::Setup => "handicap/setup",
            Reject::NotAlternating => "nonalternating",
            Reject::Short => "short",
            Reject::Illegal(Illegal::Ko, _) => "illegal-ko",
            Reject::Illegal(Illegal::Occupied, _) => "illegal-occupied",
            Reject::Illegal(Illegal::Suicide, _) => "illegal-suicide",
            Reject::Illegal(Illegal::Outside, _) => "illegal-outside",
            Reject::Year => "year",
            Reject::Undated => "without a year",
            Reject::Rank => "rank",
            Reject::Margin => "margin",
            Reject::Uncounted => "not counted",
            Reject::Player => "other players",
            Reject::Duplicate => "duplicate",
        }
    }

    /// The ply of the first illegal move.
    #[must_use]
    pub fn ply(&self) -> Option<usize> {
        match self {
            Reject::Illegal(_, ply) => Some(*ply),
            _ => None,
        }
    }

    /// The reason with the move that is at fault.
    #[must_use]
    pub fn told(&self) -> String {
        match self.ply() {
            Some(ply) => format!("{self} at move {}", ply + 1),
            None => self.to_string(),
        }
    }

    /// Is something wrong with the record, rather than with our wishes?
    #[must_use]
    pub fn is_fault(&self) -> bool {
        matches!(
            self,
            Reject::Broken(_)
                | Reject::Huge(_)
                | Reject::Unreadable(_)
                | Reject::NotAlternating
                | Reject::Illegal(..)
        )
    }
}

/// Is this a game that Black begins on an empty board, with alternating legal moves?
pub fn check(line: &MainLine) -> Result<(), Reject> {
    let handicap = line.handicap.is_some_and(|h| h > 0);
    if handicap || !line.setup.is_empty() || line.late_setup.is_some() {
        return Err(Reject::Setup);
    }
    let mut board = Board::new(line.size);
    let mut side = Side::First;
    for (ply, played) in line.moves.iter().enumerate() {
        match played.at {
            None => board.pass(),
            Some(at) => {
                let p = Point::new(usize::from(at.x), usize::from(at.y))
                    .ok_or(Reject::Illegal(Illegal::Outside, ply))?;
                board.check(p, played.side, false).map_err(|why| Reject::Illegal(why, ply))?;
                board.play(p, played.side);
            }
        }
        // After the rules of the point itself: a ko filled by the side that has just taken it is
        // a wrong move, not a wrong turn.
        if played.side != side {
            return Err(Reject::NotAlternating);
        }
        side = side.other();
    }
    Ok(())
}

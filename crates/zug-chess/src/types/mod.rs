//! Which kind of position is this? Schemes that choose among several columns of weights.
//!
//! One set of weights cannot know that a king belongs behind its pawns while there are queens and
//! into the centre when there are none. A scheme gives each position to one column of weights, or
//! blends a few; the shares are parts of [`WHOLE`] and add up to it.

pub mod clusters;
mod knightcap;
mod phases;
mod thesis;

pub use clusters::Clusters;
pub use knightcap::{KNIGHTCAP_TYPES, knightcap_type};
pub use phases::{ENDINGS, ending, phase};
pub use thesis::{THESIS_TYPES, Zones, describe, text_number, thesis_type};

use cozy_chess::Board;
use std::sync::Arc;

/// Shares are told in parts of this.
pub const WHOLE: i32 = 24;

/// How positions are given to columns of weights.
#[derive(Clone, Debug, PartialEq)]
pub enum Scheme {
    /// One column for all.
    One,
    /// Two columns, middlegame and ending, blended by the material on the board.
    Phases,
    /// The same with endings told apart: see [`ENDINGS`].
    PhasesPlus,
    /// Opening, middlegame, ending, mating.
    KnightCap,
    /// The 33 types of the thesis.
    Thesis(Zones),
    /// Types found by clustering.
    Clusters(Arc<Clusters>),
}

/// The shares of a few columns; they add up to [`WHOLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    list: [(u16, u8); Shares::MOST],
    len: u8,
}

impl Shares {
    /// The most columns that share a position.
    pub const MOST: usize = 4;

    /// All to one column.
    #[must_use]
    pub fn all(column: usize) -> Shares {
        Shares { list: [(column as u16, WHOLE as u8), (0, 0), (0, 0), (0, 0)], len: 1 }
    }

    /// So many parts to the first, the rest to the second column; no empty share is kept.
    #[must_use]
    pub fn blend(first: usize, parts: i32, second: usize) -> Shares {
        let parts = parts.clamp(0, WHOLE);
        if parts == WHOLE {
            return Shares::all(first);
        }
        if parts == 0 {
            return Shares::all(second);
        }
        let rest = (WHOLE - parts) as u8;
        let list = [(first as u16, parts as u8), (second as u16, rest), (0, 0), (0, 0)];
        Shares { list, len: 2 }
    }

    /// From a list of at most [`Shares::MOST`] shares that add up to [`WHOLE`].
    #[must_use]
    pub fn new(shares: &[(u16, u8)]) -> Option<Shares> {
        let sum: i32 = shares.iter().map(|&(_, parts)| i32::from(parts)).sum();
        if shares.len() > Shares::MOST || sum != WHOLE {
            return None;
        }
        let mut list = [(0, 0); Shares::MOST];
        list[..shares.len()].copy_from_slice(shares);
        Some(Shares { list, len: shares.len() as u8 })
    }

    /// Columns and their parts.
    pub fn iter(&self) -> impl Iterator<Item = (usize, i32)> + '_ {
        self.list[..usize::from(self.len)]
            .iter()
            .map(|&(column, parts)| (usize::from(column), i32::from(parts)))
    }

    /// The column with the largest share, the first of equal ones.
    #[must_use]
    pub fn main(&self) -> usize {
        let mut best = (0, -1);
        for (column, parts) in self.iter() {
            if parts > best.1 {
                best = (column, parts);
            }
        }
        best.0
    }
}

impl Scheme {
    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        match self {
            Scheme::One => 1,
            Scheme::Phases => 2,
            Scheme::PhasesPlus => 1 + ENDINGS.len(),
            Scheme::KnightCap => KNIGHTCAP_TYPES.len(),
            Scheme::Thesis(_) => THESIS_TYPES,
            Scheme::Clusters(clusters) => clusters.len(),
        }
    }

    /// Which columns a position belongs to.
    #[must_use]
    pub fn shares(&self, board: &Board) -> Shares {
        match self {
            Scheme::One => Shares::all(0),
            Scheme::Phases => Shares::blend(0, phase(board), 1),
            Scheme::PhasesPlus => Shares::blend(0, phase(board), 1 + ending(board)),
            Scheme::KnightCap => Shares::all(knightcap_type(board)),
            Scheme::Thesis(zones) => Shares::all(usize::from(thesis_type(board, zones))),
            Scheme::Clusters(clusters) => clusters.shares(board),
        }
    }

    /// The name of a column.
    #[must_use]
    pub fn column_name(&self, column: usize) -> String {
        match self {
            Scheme::One => "all positions".into(),
            Scheme::Phases => ["middlegame", "ending"][column.min(1)].into(),
            Scheme::PhasesPlus if column == 0 => "middlegame".into(),
            Scheme::PhasesPlus => ENDINGS[(column - 1).min(ENDINGS.len() - 1)].into(),
            Scheme::KnightCap => KNIGHTCAP_TYPES[column.min(3)].into(),
            Scheme::Thesis(_) => {
                format!("{}: {}", text_number(column as u8), describe(column as u8))
            }
            Scheme::Clusters(_) => format!("cluster {}", column + 1),
        }
    }

    /// The word by which the scheme is written, which [`Scheme::parse`] reads. Clusters are found,
    /// not named: their figures are part of a model.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Scheme::One => "one".into(),
            Scheme::Phases => "phases".into(),
            Scheme::PhasesPlus => "phases-plus".into(),
            Scheme::KnightCap => "knightcap".into(),
            Scheme::Thesis(zones) if *zones == Zones::default() => "thesis".into(),
            Scheme::Thesis(zones) => format!("thesis:{}", zones.word()),
            Scheme::Clusters(_) => "clusters".into(),
        }
    }

    /// Reads the word of a scheme.
    pub fn parse(word: &str) -> Result<Scheme, String> {
        match word {
            "one" => Ok(Scheme::One),
            "phases" => Ok(Scheme::Phases),
            "phases-plus" => Ok(Scheme::PhasesPlus),
            "knightcap" => Ok(Scheme::KnightCap),
            "thesis" => Ok(Scheme::Thesis(Zones::default())),
            other => match other.strip_prefix("thesis:") {
                Some(zones) => Ok(Scheme::Thesis(Zones::parse(zones)?)),
                None => Err(format!(
                    "there is no scheme of types '{}'; known are: one, phases, phases-plus, \
                     knightcap, thesis",
                    zug_core::error::shorten(other)
                )),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn every_scheme_is_read_back_from_its_word() {
        for scheme in [
            Scheme::One,
            Scheme::Phases,
            Scheme::PhasesPlus,
            Scheme::KnightCap,
            Scheme::Thesis(Zones::default()),
            Scheme::Thesis(Zones { low_rows: 1, ..Zones::default() }),
        ] {
            assert_eq!(Scheme::parse(&scheme.word()), Ok(scheme.clone()));
            let shares = scheme.shares(Position::start().board());
            assert_eq!(shares.iter().map(|(_, parts)| parts).sum::<i32>(), WHOLE);
            assert!(shares.iter().all(|(column, _)| column < scheme.columns()));
        }
        assert!(Scheme::parse("weather").unwrap_err().contains("'weather'"));
    }

    #[test]
    fn shares_that_do_not_add_up_are_refused() {
        assert!(Shares::new(&[(0, 12), (1, 12)]).is_some());
        assert!(Shares::new(&[(0, 12), (1, 11)]).is_none());
        assert!(Shares::new(&[(0, 8), (1, 4), (2, 4), (3, 4), (4, 4)]).is_none());
        assert_eq!(Shares::blend(0, 0, 1), Shares::all(1));
    }
}

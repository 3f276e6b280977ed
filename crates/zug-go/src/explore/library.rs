//! Which games are there, in which order, and what is known of each?
//!
//! Games are numbered by board size, then by date, then by the strength of the players, then by name:
//! so the last of a list are the most recent, and of one day those between the strongest players.

use super::query::Query;
use super::search::{Hit, Search};
use super::squares::Squares;
use crate::corpus::GoRecord;
use crate::sgf::main_line::write_result;
use rayon::prelude::*;
use std::ops::Range;
use zug_core::{RecordResult, Side};
use zug_learn::face::TaskError;

/// What is shown of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The file.
    pub name: String,
    /// Who had Black.
    pub black: String,
    /// Who had White.
    pub white: String,
    /// The tournament.
    pub event: String,
    /// As the record writes it.
    pub date: String,
    /// As in SGF; empty where nobody knows.
    pub result: String,
    /// Points for White; empty where nobody knows, as in an index of an older program.
    pub komi: String,
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// Nobody knows.
    Unknown,
    /// One side.
    Side(Side),
    /// A draw.
    Nobody,
}

impl Winner {
    /// As a byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        match self {
            Winner::Unknown => 0,
            Winner::Side(Side::First) => 1,
            Winner::Side(Side::Second) => 2,
            Winner::Nobody => 3,
        }
    }

    /// From a byte.
    #[must_use]
    pub const fn of_byte(byte: u8) -> Winner {
        match byte {
            1 => Winner::Side(Side::First),
            2 => Winner::Side(Side::Second),
            3 => Winner::Nobody,
            _ => Winner::Unknown,
        }
    }

    /// Of a record.
    #[must_use]
    pub fn of(game: &GoRecord) -> Winner {
        match game.result {
            RecordResult::Unknown => Winner::Unknown,
            RecordResult::Known { winner: Some(side), .. } => Winner::Side(side),
            RecordResult::Known { winner: None, .. } => Winner::Nobody,
        }
    }
}

/// What is known of all games: by their numbers, the year (0 where nobody knows) and the winner.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Years.
    pub years: Vec<u16>,
    /// Winners, as bytes.
    pub winners: Vec<u8>,
}

/// Games that can be asked.
pub trait Library: Sync {
    /// What it is, for people.
    fn name(&self) -> String;

    /// The numbers of the games on boards of this size.
    fn numbers(&self, size: usize) -> Range<usize>;

    /// Year and winner of all games.
    fn facts(&self) -> Result<Facts, TaskError>;

    /// What is shown of a game.
    fn card(&self, game: u32) -> Result<Card, TaskError>;

    /// Whose games are they? Asked of each of these games in order: does one of its players fit?
    fn of_players(
        &self,
        games: Range<usize>,
        fits: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<bool>, TaskError>;

    /// Do the numbers of its games stay, so that one can be opened by its number later?
    fn keeps_numbers(&self) -> bool;

    /// All finds, by game and ply.
    fn hits(&self, query: &Query) -> Result<Vec<Hit>, TaskError>;
}

/// Plies are kept in two bytes.
pub const MOST_MOVES: usize = 60_000;

/// Games in memory, asked by looking at all of them.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    games: Vec<GoRecord>,
}

impl Shelf {
    /// Puts games in order. What is longer than any game that people play is left out.
    #[must_use]
    pub fn new(mut games: Vec<GoRecord>) -> Shelf {
        games.retain(|game| game.codes().len() <= MOST_MOVES);
        games.sort_by_cached_key(|game| {
            let strength: i32 = game.ranks.iter().flatten().map(|r| i32::from(r.0)).sum();
            (game.size, day_of(game), strength, game.name.clone())
        });
        Shelf { games }
    }

    /// The games, in order.
    #[must_use]
    pub fn games(&self) -> &[GoRecord] {
        &self.games
    }
}

/// Year, month and day as far as the date tells them.
fn day_of(game: &GoRecord) -> [u16; 3] {
    let mut parts = game
        .date
        .split(|c: char| !c.is_ascii_digit())
        .filter(|w| !w.is_empty())
        .skip_while(|w| w.len() != 4)
        .skip(1)
        .map_while(|w| w.parse().ok());
    [game.year.unwrap_or(0), parts.next().unwrap_or(0), parts.next().unwrap_or(0)]
}

/// What is shown of a record.
#[must_use]
pub fn card_of(game: &GoRecord) -> Card {
    let [black, white] = game.players.clone();
    Card {
        name: game.name.clone(),
        black,
        white,
        event: game.event.clone(),
        date: game.date.clone(),
        result: write_result(game.result, game.termination).unwrap_or_default(),
        komi: game.komi.map(|komi| komi.to_string()).unwrap_or_default(),
    }
}

impl Library for Shelf {
    fn name(&self) -> String {
        format!("{} games read from files", self.games.len())
    }

    fn numbers(&self, size: usize) -> Range<usize> {
        let first = self.games.partition_point(|g| g.size() < size);
        first..self.games.partition_point(|g| g.size() <= size)
    }

    fn facts(&self) -> Result<Facts, TaskError> {
        Ok(Facts {
            years: self.games.iter().map(|g| g.year.unwrap_or(0)).collect(),
            winners: self.games.iter().map(|g| Winner::of(g).byte()).collect(),
        })
    }

    fn card(&self, game: u32) -> Result<Card, TaskError> {
        let game = self.games.get(game as usize);
        Ok(game.map(card_of).unwrap_or_default())
    }

    fn of_players(
        &self,
        games: Range<usize>,
        fits: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<bool>, TaskError> {
        let games = self.games.get(games).unwrap_or_default();
        Ok(games.par_iter().map(|game| game.players.iter().any(|name| fits(name))).collect())
    }

    /// They are those of the files that were read this time.
    fn keeps_numbers(&self) -> bool {
        false
    }

    fn hits(&self, query: &Query) -> Result<Vec<Hit>, TaskError> {
        let squares = Squares::new(query.size());
        let search = Search::new(query, &squares);
        let found = self.games.par_iter().enumerate().map(|(number, game)| {
            let mut hits = Vec::new();
            if game.size() == query.size() {
                search.game(number as u32, game.codes(), &mut hits);
            }
            hits
        });
        let mut hits: Vec<Hit> = found.flatten_iter().collect();
        hits.sort_unstable();
        Ok(hits)
    }
}

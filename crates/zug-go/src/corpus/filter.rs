//! Which games are wanted?

use super::record::{GoRecord, Rank};
use super::reject::Reject;
use zug_core::RecordResult;

/// Which endings are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Every one, unknown ones too.
    #[default]
    Any,
    /// Only games that were counted.
    Counted,
}

/// What is asked of a game. The default takes every sound one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Points along an edge.
    pub size: Option<usize>,
    /// Fewest moves, passes included.
    pub moves: usize,
    /// Not before this year; games without a year are then left out.
    pub from: Option<u16>,
    /// Not after this year; games without a year are then left out.
    pub until: Option<u16>,
    /// Both players at least this strong.
    pub rank: Option<Rank>,
    /// Does a player without a rank pass?
    pub unranked: bool,
    /// Leave out counted games lost by more points than this.
    pub margin: Option<f32>,
    /// Which endings.
    pub ending: Ending,
    /// One of the players' names has these letters in it, in any case.
    pub player: Option<String>,
    /// Keep games that were there before, up to symmetry?
    pub duplicates: bool,
}

impl Filter {
    /// Every sound game on a board of this size.
    #[must_use]
    pub fn of_size(size: usize) -> Filter {
        Filter { size: Some(size), ..Filter::default() }
    }

    /// Is the game wanted? Duplicates are not looked for here.
    pub fn admits(&self, game: &GoRecord) -> Result<(), Reject> {
        if self.size.is_some_and(|size| size != game.size()) {
            return Err(Reject::Size(game.size()));
        }
        if game.codes().len() < self.moves {
            return Err(Reject::Short);
        }
        match game.year {
            None if self.from.is_some() || self.until.is_some() => return Err(Reject::Undated),
            Some(year)
                if self.until.is_some_and(|until| year > until)
                    || self.from.is_some_and(|from| year < from) =>
            {
                return Err(Reject::Year);
            }
            _ => {}
        }
        if let Some(least) = self.rank {
            let passes = |rank: Option<Rank>| rank.map_or(self.unranked, |r| r >= least);
            if !game.ranks.into_iter().all(passes) {
                return Err(Reject::Rank);
            }
        }
        if let (Some(most), Some(margin)) = (self.margin, game.margin())
            && margin > most
        {
            return Err(Reject::Margin);
        }
        let counted = game.termination.is_none() && game.result != RecordResult::Unknown;
        if self.ending == Ending::Counted && !counted {
            return Err(Reject::Uncounted);
        }
        if let Some(name) = &self.player {
            let name = name.to_lowercase();
            if !game.players.iter().any(|p| p.to_lowercase().contains(&name)) {
                return Err(Reject::Player);
            }
        }
        Ok(())
    }
}

//! Which games count: of which years, and whose?

use super::library::{Facts, Library};
use super::search::Hit;
use std::ops::Range;
use zug_learn::explore::{ExploreOrder, NameWords, Span};
use zug_learn::face::TaskError;

/// The games that count.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    span: Span,
    /// The first of the games that were looked at, and for each of them whether its players fit.
    players: Option<(usize, Vec<bool>)>,
}

impl Wanted {
    /// What an order asks of the games with these numbers.
    pub fn new(
        library: &dyn Library,
        games: Range<usize>,
        order: &ExploreOrder,
    ) -> Result<Wanted, TaskError> {
        let players = match &order.player {
            None => None,
            Some(text) => {
                let words = NameWords::new(text);
                let first = games.start;
                Some((first, library.of_players(games, &|name| words.fit(name))?))
            }
        };
        Ok(Wanted { span: order.span.clone(), players })
    }

    /// Does a game count? One without a year does where no year is asked for.
    #[must_use]
    pub fn has(&self, facts: &Facts, game: usize) -> bool {
        let year = facts.years.get(game).copied().unwrap_or(0);
        let early = self.span.from.is_some_and(|from| year < from);
        let late = self.span.until.is_some_and(|until| year == 0 || year > until);
        let named = self.players.as_ref().is_none_or(|(first, fit)| {
            game.checked_sub(*first).and_then(|at| fit.get(at)).is_some_and(|&fits| fits)
        });
        !early && !late && named
    }

    /// The finds in games that count.
    #[must_use]
    pub fn of(&self, mut hits: Vec<Hit>, facts: &Facts) -> Vec<Hit> {
        if self.span != Span::default() || self.players.is_some() {
            hits.retain(|hit| self.has(facts, hit.game as usize));
        }
        hits
    }
}

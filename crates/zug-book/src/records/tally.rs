//! How often, with what result, when, and how strong were the players?

use super::gather::Ended;
use super::index::{Facts, Hit};
use serde_json::{Value, json};
use zug_core::Side;
use zug_learn::explore::{NameWords, Span};

/// A share of points of nearly 0 or 1 says little about strength: as far as this and no farther.
const FARTHEST: f64 = 800.0;

/// What games have in common that made the same move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many games.
    pub times: usize,
    /// Won by the first side, drawn, won by the second.
    pub results: [usize; 3],
    /// Games whose result nobody knows.
    pub unknown: usize,
    /// The first and the last year.
    pub years: Option<[u16; 2]>,
    /// Sum and number of the ratings of those who moved.
    own: (u64, u64),
    /// Sum and number of the ratings of their opponents, in games with a result; points in those.
    against: (u64, u64, f64),
}

impl Tally {
    /// Counts a game in which `mover` was to move.
    pub fn add(&mut self, hit: Hit, facts: &Facts, mover: Side) {
        let game = hit.game as usize;
        self.times += 1;
        let ended = facts.ended[game];
        let points = match ended {
            Ended::Unknown => {
                self.unknown += 1;
                None
            }
            Ended::Drawn => {
                self.results[1] += 1;
                Some(0.5)
            }
            Ended::Won(side) => {
                self.results[2 * side.index()] += 1;
                Some(if side == mover { 1.0 } else { 0.0 })
            }
        };
        let year = facts.years[game];
        if year > 0 {
            let [first, last] = self.years.unwrap_or([year, year]);
            self.years = Some([first.min(year), last.max(year)]);
        }
        let ratings = facts.ratings[game];
        let (own, other) = (ratings[mover.index()], ratings[mover.other().index()]);
        if own > 0 {
            self.own = (self.own.0 + u64::from(own), self.own.1 + 1);
        }
        if let (Some(points), true) = (points, other > 0) {
            let (sum, count, all) = self.against;
            self.against = (sum + u64::from(other), count + 1, all + points);
        }
    }

    /// The mover's share of the points, draws counted half; of games with a result.
    #[must_use]
    pub fn score(&self, mover: Side) -> Option<f64> {
        let [first, draws, second] = self.results.map(|n| n as f64);
        let all = first + draws + second;
        let own = if mover == Side::First { first } else { second };
        (all > 0.0).then(|| (own + draws / 2.0) / all)
    }

    /// The mean rating of those who moved.
    #[must_use]
    pub fn rating(&self) -> Option<u32> {
        (self.own.1 > 0).then(|| (self.own.0 as f64 / self.own.1 as f64).round() as u32)
    }

    /// The rating that their results speak of: the mean of the opponents, and what the share of the
    /// points is worth on the logistic scale.
    #[must_use]
    pub fn performance(&self) -> Option<i32> {
        let (sum, count, points) = self.against;
        if count == 0 {
            return None;
        }
        let (mean, share) = (sum as f64 / count as f64, points / count as f64);
        let above = 400.0 * (share / (1.0 - share)).log10();
        Some((mean + above.clamp(-FARTHEST, FARTHEST)).round() as i32)
    }

    /// As JSON, with what the caller adds.
    #[must_use]
    pub fn figures(&self, total: usize, mover: Side) -> Value {
        let round = |value: f64| (value * 1e5).round() / 1e5;
        json!({
            "times": self.times,
            "share": round(self.times as f64 / total.max(1) as f64),
            "wins": self.results,
            "unknown": self.unknown,
            "won_by_mover": self.score(mover).map(round),
            "first_year": self.years.map(|y| y[0]),
            "last_year": self.years.map(|y| y[1]),
            "rating": self.rating(),
            "performance": self.performance(),
        })
    }
}

/// Which games count?
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    span: Span,
    /// Numbers of the names that fit, in order; all for `None`.
    players: Option<Vec<u32>>,
}

impl Wanted {
    /// Of these years; of players whose names have all words of a text, large or small letters.
    #[must_use]
    pub fn new(span: &Span, player: Option<&str>, words: &[String]) -> Wanted {
        let players = player.map(|text| {
            let parts = NameWords::new(text);
            let all = words.iter().enumerate().skip(1);
            all.filter(|(_, name)| parts.fit(name)).map(|(number, _)| number as u32).collect()
        });
        Wanted { span: span.clone(), players }
    }

    /// Do all games count?
    #[must_use]
    pub fn all(&self) -> bool {
        self.span == Span::default() && self.players.is_none()
    }

    /// Does this one? One without a year does where no year is asked for.
    #[must_use]
    pub fn has(&self, facts: &Facts, game: usize) -> bool {
        let year = facts.years[game];
        let early = self.span.from.is_some_and(|from| year < from);
        let late = self.span.until.is_some_and(|until| year == 0 || year > until);
        let named = self.players.as_ref().is_none_or(|names| {
            facts.players[game].iter().any(|player| names.binary_search(player).is_ok())
        });
        !early && !late && named
    }
}

//! What a position is worth, and how sure that is.

use zug_core::{Bound, Info, Scale, Score, Side, Verdict};

/// How sure a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sure {
    /// Not at all: an evaluation.
    Estimate,
    /// Who wins is proven, by how much is not: the score is a guess on the right side of zero.
    Winner,
    /// It cannot be wrong.
    Exact,
}

/// A value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// In hundredths of the evaluation's unit where it is an estimate.
    pub score: Score,
    /// The chance to win that goes with it, 0 to 1.
    pub chance: f64,
    /// How sure it is.
    pub sure: Sure,
}

/// The least that a win without a known margin can be, in hundredths.
const LEAST: i32 = 100;

impl Worth {
    /// Of a score.
    #[must_use]
    pub fn of_score(score: Score, sure: Sure, scale: Scale) -> Worth {
        let chance = match (sure, score.0.signum()) {
            (Sure::Estimate, _) if !score.is_proven() => scale.chance(score),
            (_, 0) => 0.5,
            (_, sign) => f64::from(u8::from(sign > 0)),
        };
        Worth { score, chance, sure }
    }

    /// Of what a player said; `None` where it said nothing of values. `guess` is its last estimate,
    /// for results that are proven without a score.
    #[must_use]
    pub fn of_info(info: &Info, guess: Option<Score>, scale: Scale) -> Option<Worth> {
        let rate = info.win_rate.map(f64::from);
        let Some(score) = info.score else {
            let rate = rate?;
            let score = Score::estimate(((rate - 0.5) * 1e4).round() as i32);
            return Some(Worth { score, chance: rate, sure: Sure::Estimate });
        };
        let proven = info.proven || score.is_proven();
        let away = match info.bound {
            Bound::Exact => proven,
            Bound::AtLeast => proven && score > Score::DRAW,
            Bound::AtMost => proven && score < Score::DRAW,
        };
        if away && info.bound == Bound::Exact {
            return Some(Worth::of_score(score, Sure::Exact, scale));
        }
        if away {
            let sign = score.0.signum();
            let guess = guess.filter(|g| !g.is_proven()).map_or(0, |g| g.0 * sign);
            let margin = match score.verdict() {
                Verdict::WonBy(m) | Verdict::LostBy(m) => (100.0 * m) as i32,
                _ => LEAST,
            };
            let score = Score::estimate(sign * guess.max(margin).max(LEAST));
            return Some(Worth::of_score(score, Sure::Winner, scale));
        }
        // A bound of no outcome: what it says is that the value lies near.
        let score = if score.is_proven() { guess? } else { score };
        let worth = Worth::of_score(score, Sure::Estimate, scale);
        Some(Worth { chance: rate.unwrap_or(worth.chance), ..worth })
    }

    /// The same seen from the other side, a ply earlier.
    #[must_use]
    pub fn before(self) -> Worth {
        Worth { score: (-self.score).delayed(1), chance: 1.0 - self.chance, sure: self.sure }
    }

    /// The inverse of [`before`](Worth::before): seen from the other side, a ply later.
    #[must_use]
    pub fn after(self) -> Worth {
        Worth { score: (-self.score).delayed(-1), chance: 1.0 - self.chance, sure: self.sure }
    }

    /// What a move can be worth at most, where this is said of the position before it: in a lost
    /// position every move loses, and none is worth more than the best.
    #[must_use]
    pub fn limits(self, played: Worth, scale: Scale) -> Worth {
        let (most, found) = (self.points(f64::MAX), played.points(f64::MAX));
        match (self.is_settled(), self.score.0.signum()) {
            (false, _) => played,
            (true, -1) if played.is_settled() && played.score < Score::DRAW => played,
            (true, -1) => {
                // By how much is another question; less than nothing at least.
                let score = if found < most { played.score } else { self.score };
                Worth { score, chance: 0.0, sure: Sure::Winner }
            }
            (true, 0) if played.score > Score::DRAW => {
                Worth::of_score(Score::DRAW, Sure::Estimate, scale)
            }
            (true, _) if found > most && played.sure != Sure::Exact => {
                let score = Score::estimate((100.0 * most).round() as i32);
                Worth::of_score(score, played.sure, scale)
            }
            (true, _) => played,
        }
    }

    /// Is it certain who wins, or that nobody does?
    #[must_use]
    pub fn is_settled(self) -> bool {
        self.sure != Sure::Estimate
    }

    /// In the unit of the evaluation; wins without points are worth `most`.
    #[must_use]
    pub fn points(self, most: f64) -> f64 {
        let points = match self.score.verdict() {
            Verdict::Estimate(hundredths) => f64::from(hundredths) / 100.0,
            Verdict::WonBy(margin) => f64::from(margin),
            Verdict::LostBy(margin) => -f64::from(margin),
            Verdict::WonIn(_) => most,
            Verdict::LostIn(_) => -most,
        };
        points.clamp(-most, most)
    }

    /// "+6" is exact, "+5.62" is not, and "Black wins, proven" is no number: `names` are those of
    /// the side to move and of the other.
    #[must_use]
    pub fn text(self, names: [&str; 2]) -> String {
        match (self.score.verdict(), self.sure) {
            (_, Sure::Winner) => proven_text(names[usize::from(self.score < Score::DRAW)]),
            (Verdict::WonIn(_) | Verdict::LostIn(_), _) => self.score.to_string(),
            (Verdict::Estimate(0), Sure::Exact) => "0".into(),
            (Verdict::WonBy(m), Sure::Exact) => format!("+{m}"),
            (Verdict::LostBy(m), Sure::Exact) => format!("-{m}"),
            (_, _) => format!("{:+.2}", self.points(f64::MAX)),
        }
    }
}

/// "Black wins, proven".
#[must_use]
pub fn proven_text(name: &str) -> String {
    let mut letters = name.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{} wins, proven", letters.as_str())
}

/// Who wins for certain by what a player said, where it does not say by how much.
#[must_use]
pub fn proven_winner(info: &Info, to_move: Side) -> Option<Side> {
    let score = info.score.filter(|score| info.proven || score.is_proven())?;
    match info.bound {
        Bound::AtLeast if score > Score::DRAW => Some(to_move),
        Bound::AtMost if score < Score::DRAW => Some(to_move.other()),
        _ => None,
    }
}

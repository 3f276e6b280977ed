//! What is a position worth, in a form that a page can draw?

use super::asked::{to_and_from_objects, to_and_from_words};
use serde::{Deserialize, Serialize};
use zug_book::review::{Sure, Worth, proven_text, proven_winner};
use zug_core::{AnyLine, Info, Scale, Score, Side, Verdict};

/// A value for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Value {
    /// "+0.31", "won in 5", "57 %".
    pub text: String,
    /// How sure it is.
    pub kind: Kind,
    /// In the unit of the game where there is one; otherwise between −1 and 1. `None` where it is
    /// proven who wins, and not by how much.
    pub number: Option<f64>,
    /// Plies to the end, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// The estimated probability that the first side wins: for graphs and colours.
    pub chance: f64,
}

/// See [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", remote = "Self")]
pub enum Kind {
    /// An evaluation.
    Estimate,
    /// Proven.
    Won,
    /// Proven.
    Lost,
    /// Proven.
    Draw,
    /// A share of games.
    Chance,
}

to_and_from_objects!(Value);
to_and_from_words!(Kind);

impl Value {
    /// Of a score; `proven` tells a drawn game from an even one.
    pub fn of_score(score: Score, proven: bool, side: Side, scale: Scale) -> Value {
        let (kind, number, plies, text) = match score.verdict() {
            Verdict::Estimate(0) if proven => (Kind::Draw, 0.0, None, "draw".to_string()),
            Verdict::Estimate(e) => {
                let number = f64::from(e) / 100.0;
                // What is no unit of a game has to be named.
                let text = match scale {
                    Scale::LogOdds | Scale::Share => format!("{number:+.2} {}", scale.unit()),
                    _ => format!("{number:+.2}"),
                };
                (Kind::Estimate, number, None, text)
            }
            // Chess players count mates in moves.
            Verdict::WonIn(n) if scale == Scale::Pawns => {
                (Kind::Won, 1.0, Some(n), format!("mate in {}", n.div_ceil(2)))
            }
            Verdict::LostIn(n) if scale == Scale::Pawns => {
                (Kind::Lost, -1.0, Some(n), format!("mated in {}", n.div_ceil(2)))
            }
            Verdict::WonIn(n) => (Kind::Won, 1.0, Some(n), format!("won in {n}")),
            Verdict::LostIn(n) => (Kind::Lost, -1.0, Some(n), format!("lost in {n}")),
            Verdict::WonBy(m) => (Kind::Won, f64::from(m), None, format!("+{m}")),
            Verdict::LostBy(m) => (Kind::Lost, -f64::from(m), None, format!("-{m}")),
        };
        let own = match kind {
            Kind::Won => 1.0,
            Kind::Lost => 0.0,
            Kind::Draw => 0.5,
            _ => scale.chance(score),
        };
        Value { text, kind, number: Some(number), plies, chance: for_first(own, side) }
    }

    /// Of a share of games won.
    pub fn of_chance(chance: f64, side: Side) -> Value {
        Value {
            text: format!("{:.0} %", 100.0 * chance),
            kind: Kind::Chance,
            number: Some(2.0 * chance - 1.0),
            plies: None,
            chance: for_first(chance, side),
        }
    }

    /// Of what a player reported at this point of a line, if it said anything about values.
    pub fn of_info(info: &Info, at: &dyn AnyLine, scale: Scale) -> Option<Value> {
        let side = at.to_move();
        if let Some(winner) = proven_winner(info, side) {
            return Some(Value::of_winner(winner, at));
        }
        match (info.score, info.win_rate) {
            (Some(score), rate)
                if scale == Scale::Percent && !info.proven && !score.is_proven() =>
            {
                Some(Value::of_chance(rate.map_or_else(|| scale.chance(score), f64::from), side))
            }
            (Some(score), _) => Some(Value::of_score(score, info.proven, side, scale)),
            (None, Some(rate)) => Some(Value::of_chance(f64::from(rate), side)),
            (None, None) => None,
        }
    }

    /// Of what was judged at this point of a line.
    pub fn of_worth(worth: Worth, at: &dyn AnyLine, scale: Scale) -> Value {
        let side = at.to_move();
        match (worth.sure, scale) {
            (Sure::Winner, _) => {
                let winner = if worth.score > Score::DRAW { side } else { side.other() };
                Value::of_winner(winner, at)
            }
            (Sure::Estimate, Scale::Percent) => Value::of_chance(worth.chance, side),
            (sure, _) => Value::of_score(worth.score, sure == Sure::Exact, side, scale),
        }
    }

    /// Of a proof without a score: "Black wins, proven".
    fn of_winner(winner: Side, at: &dyn AnyLine) -> Value {
        let own = winner == at.to_move();
        Value {
            text: proven_text(at.side_name(winner)),
            kind: if own { Kind::Won } else { Kind::Lost },
            number: None,
            plies: None,
            chance: for_first(f64::from(u8::from(own)), at.to_move()),
        }
    }
}

fn for_first(own: f64, side: Side) -> f64 {
    if side == Side::First { own } else { 1.0 - own }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use zug_core::Bound;
    use zug_core::erased::SharedGame;

    #[test]
    fn values_are_for_the_side_to_move_and_chances_for_the_first() {
        let score = |s, proven, side| Value::of_score(s, proven, side, Scale::Pawns);
        let good = score(Score::estimate(170), false, Side::Second);
        assert_eq!((good.text.as_str(), good.kind), ("+1.70", Kind::Estimate));
        assert!((good.chance - (1.0 - 1.0 / (1.0 + (-1f64).exp()))).abs() < 1e-9);
        let mate = score(Score::won_in(5), true, Side::Second);
        assert_eq!((mate.plies, mate.chance, mate.kind), (Some(5), 0.0, Kind::Won));
        assert_eq!(mate.text, "mate in 3");
        let lost = Value::of_score(-Score::won_in(4), true, Side::First, Scale::Plain);
        assert_eq!(lost.text, "lost in 4");
        assert_eq!(score(Score::DRAW, true, Side::First).kind, Kind::Draw);
        assert_eq!(score(Score::DRAW, false, Side::First).kind, Kind::Estimate);
        assert_eq!(Value::of_chance(0.25, Side::Second).chance, 0.75);
        assert_eq!(score(-Score::won_by(6.0), true, Side::First).text, "-6");
    }

    #[test]
    fn a_proof_without_a_score_is_no_number() {
        let game: SharedGame = Arc::new(zug_othello::Othello::default());
        let line = game.new_line();
        let bound = |score, bound| {
            let info = Info { score: Some(score), bound, proven: true, ..Info::default() };
            Value::of_info(&info, &*line, Scale::Discs).unwrap()
        };
        let lost = bound(-Score::won_by(2.0), Bound::AtMost);
        assert_eq!((lost.text.as_str(), lost.kind), ("White wins, proven", Kind::Lost));
        assert_eq!((lost.number, lost.chance), (None, 0.0));
        let won = bound(Score::won_by(2.0), Bound::AtLeast);
        assert_eq!(
            (won.text.as_str(), won.kind, won.number),
            ("Black wins, proven", Kind::Won, None)
        );
        // What a player counts that is no unit of the game is named.
        let plain = |score, scale| {
            let info = Info { score: Some(Score::estimate(score)), ..Info::default() };
            Value::of_info(&info, &*line, scale).unwrap()
        };
        assert_eq!(plain(150, Scale::Discs).text, "+1.50");
        let (percent, share) = (plain(2500, Scale::Percent), plain(-1230, Scale::Share));
        assert_eq!((percent.text.as_str(), percent.chance), ("75 %", 0.75));
        assert_eq!((share.text.as_str(), share.kind), ("-12.30 percent of a win", Kind::Estimate));
        assert!((share.chance - 0.4385).abs() < 1e-9);
        // A score is one, and a bound on the other side of zero proves nothing.
        assert_eq!(bound(Score::won_by(2.0), Bound::Exact).number, Some(2.0));
        assert!(bound(-Score::won_by(2.0), Bound::AtLeast).number.is_some());
    }
}

//! Polynomials as players of `zug play`, `zug match` and every protocol: `othilie:weights=E1`,
//! `othilie:weights=RUN/F/F1/P_End.txt,depth=4`, `othilie:weights=random`.

use super::players::{Fixed, Mover, RandomWeights, Sight};
use super::search::{Order, Tie};
use super::weights;
use crate::{Board, Move, Othello};
use zug_core::{
    AnyLine, Choice, Game, Info, Limits, Player, PlayerError, PlayerKind, Rng, Scale, Score, Spec,
    TextError, Watch, rng,
};
use zug_search::players::{allowed_moves, line_of};

/// What plays.
enum Who {
    /// One polynomial.
    Fixed(Box<Fixed>),
    /// New random weights at every move.
    Random(Box<RandomWeights>),
}

struct OthiliePlayer {
    name: String,
    who: Who,
    depth: u32,
    rng: Rng,
}

impl Player for OthiliePlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        _: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let line = line_of::<Othello>(line)?;
        let allowed = allowed_moves(line, limits)?;
        let text = |mv: Move| line.game().write_move(line.position(), mv);
        // A pass, or the only move that was asked for: nothing to think about.
        if let [only] = allowed.as_slice() {
            return Ok(Choice::of(text(*only)));
        }
        let position = line.position();
        let board = Board { own: position.own(), other: position.other() };
        let (square, value) = match &mut self.who {
            Who::Random(player) => (player.choose(board, &mut self.rng), None),
            Who::Fixed(player) => {
                let leaf = player.best(board, &mut self.rng);
                let value = player.evaluation().normal(leaf.value);
                (leaf.square.unwrap_or(64), Some((value, leaf.over)))
            }
        };
        let best = Move::to_square(square).filter(|mv| allowed.contains(mv));
        let mv = best.unwrap_or(allowed[0]);
        let info = value.filter(|_| best.is_some()).map(|(value, over)| Info {
            rank: 1,
            depth: self.depth,
            deepest: self.depth,
            // Values lie between -1 and 1; a hundredth of that is told as one.
            score: Some(Score::estimate((value * 10_000.0).round() as i32)),
            proven: over && value == 0.0,
            line: vec![text(mv)],
            ..Info::default()
        });
        Ok(Choice { info, ..Choice::of(text(mv)) })
    }

    fn scale(&self) -> Option<Scale> {
        Some(Scale::Share)
    }
}

/// The player of polynomials.
pub fn othilie_player() -> PlayerKind {
    let make = |spec: &Spec| -> Result<Box<dyn Player>, TextError> {
        spec.only(&["weights", "depth", "order", "tie", "seed"])?;
        let bad = |expected: String, found: &str| {
            TextError::new(spec.name.len() + 1, expected, format!("'{found}'"))
        };
        let sight = Sight {
            depth: spec.parsed("depth", "a number of plies from 1 to 10")?.map_or(Ok(4), |d| {
                match d {
                    1..=10 => Ok(d),
                    _ => Err(bad("a number of plies from 1 to 10".into(), &d.to_string())),
                }
            })?,
            order: match spec.get("order") {
                None | Some("rows") => Order::Rows,
                Some("columns") => Order::Columns,
                Some(other) => return Err(bad("rows or columns for 'order'".into(), other)),
            },
            tie: match spec.get("tie") {
                None | Some("first") => Tie::First,
                Some("last") => Tie::Last,
                Some("random") => Tie::Random,
                Some(other) => return Err(bad("first, last or random for 'tie'".into(), other)),
            },
        };
        let who = match spec.get("weights").unwrap_or("F2") {
            "random" => Who::Random(Box::new(RandomWeights::new(sight))),
            name => {
                let found = weights::find(name).map_err(|e| {
                    bad(format!("weights: random, an experiment of the thesis, a file ({e})"), name)
                })?;
                Who::Fixed(Box::new(Fixed::new(&found, sight)))
            }
        };
        let seed = spec.parsed("seed", "a number")?.unwrap_or(0);
        let name = spec.to_string();
        Ok(Box::new(OthiliePlayer { name, who, depth: sight.depth, rng: rng(seed, 0) }))
    };
    PlayerKind {
        name: "othilie",
        help: "plays by a polynomial of Othilie, learned by self-play: weights=A1..F3 (the \
               thesis's)|FILE[@GAME]|random, depth=N (4), order=rows|columns, \
               tie=first|last|random, seed=N"
            .to_string(),
        make: Box::new(make),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Line;
    use zug_core::player::choose_quietly;

    fn player(text: &str) -> Result<Box<dyn Player>, TextError> {
        (othilie_player().make)(&Spec::parse(text).unwrap())
    }

    #[test]
    fn polynomials_play_whole_games_with_passes() {
        for spec in ["othilie:weights=E1,depth=2", "othilie:weights=random,depth=1,seed=3"] {
            let mut player = player(spec).unwrap();
            let mut line = Line::new(Othello::default());
            while line.outcome().is_none() {
                let choice = choose_quietly(&mut *player, &line, &Limits::default()).unwrap();
                line.play_text(&choice.mv).unwrap();
            }
            assert!(line.moves().len() >= 9, "{spec}");
        }
    }

    #[test]
    fn wrong_options_are_told() {
        for (text, told) in [
            ("othilie:weights=Z9", "A1 to F3"),
            ("othilie:depth=99", "1 to 10"),
            ("othilie:order=diagonal", "rows or columns"),
            ("othilie:power=9", "weights"),
        ] {
            let error = player(text).err().unwrap().to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}

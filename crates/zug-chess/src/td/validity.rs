//! May a game be learned from, and with which result? (The thesis's sections 4.2.1 and 6.1.)
//!
//! UCI tells an engine neither that a game has ended nor how. So the moves of the game are compared
//! with each new list of moves: where all earlier ones are the same the game goes on, else another
//! one has begun. A game is valid if it was followed from its first position on without a gap.
//!
//! | case | how it is known |
//! |---|---|
//! | the opponent is mated | by the board |
//! | the opponent gave up | only where somebody tells so |
//! | drawn | by the board (stalemate, repetition, fifty moves, material) |
//! | mated | by the board, or the last search saw it coming with the next move |
//! | lost on time | there was hardly any left |
//!
//! Everything else counts as drawn if at least 20 moves were played, since a resignation looks like
//! that; shorter games are thrown away as broken off.

use super::lesson::Finish;
use crate::position::side_of;
use crate::rules::Chess;
use cozy_chess::Color;
use zug_core::score::Verdict as ScoreVerdict;
use zug_core::{Line, Outcome, Score};

/// Moves (of both sides together) without which a game of unknown result is thrown away.
pub const LEAST_MOVES: usize = 20;
/// Milliseconds on the clock below which a game without a result is taken as lost on time.
const HARDLY_ANY_TIME: u64 = 500;

/// What a new list of moves says about the game that was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// It goes on: so many plies are new.
    Goes(usize),
    /// Another game has begun, and is seen from its beginning.
    New,
    /// Another game, of which the beginning was not seen, or one that was taken back: not valid.
    Broken,
}

/// Compares the moves of the game so far with those that are told now. A game that is first seen
/// with at most `known` moves played (an opening that both were given) is seen from its beginning.
#[must_use]
pub fn continuation<T: PartialEq>(
    followed: Option<(&str, &[T])>,
    start: &str,
    now: &[T],
    known: usize,
) -> Continuation {
    if let Some((old_start, old)) = followed
        && old_start == start
        && now.len() >= old.len()
        && now[..old.len()] == *old
        && (!old.is_empty() || now.len() <= known)
    {
        return Continuation::Goes(now.len() - old.len());
    }
    if now.len() <= known { Continuation::New } else { Continuation::Broken }
}

/// Why a game is not learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rejected {
    /// It was not seen from its beginning, or its history was changed.
    NotFollowed,
    /// Broken off before enough moves were played.
    TooShort,
    /// Drawn, and draws are not learned from.
    Drawn,
    /// No own position was searched.
    NoThoughts,
    /// A player crashed, played an illegal move or did not answer.
    Broken,
    /// Too long: broken off.
    TooLong,
    /// It did not begin at the start position.
    OtherStart,
}

impl Rejected {
    /// All of them.
    pub const ALL: [Rejected; 7] = [
        Rejected::NotFollowed,
        Rejected::TooShort,
        Rejected::Drawn,
        Rejected::NoThoughts,
        Rejected::Broken,
        Rejected::TooLong,
        Rejected::OtherStart,
    ];

    /// In a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Rejected::NotFollowed => "not-followed",
            Rejected::TooShort => "too-short",
            Rejected::Drawn => "drawn",
            Rejected::NoThoughts => "no-thoughts",
            Rejected::Broken => "broken",
            Rejected::TooLong => "too-long",
            Rejected::OtherStart => "other-start",
        }
    }
}

/// What is known about the end of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clues<'a> {
    /// The result, where somebody tells it.
    pub told: Option<&'a Outcome>,
    /// The score of the learner's last search, for the learner.
    pub last_score: Option<Score>,
    /// Milliseconds that the learner had left.
    pub time_left: Option<u64>,
}

/// The result of a game for the learner, inferred where nobody tells it.
pub fn finish(line: &Line<Chess>, own: Color, clues: Clues<'_>) -> Result<Finish, Rejected> {
    let side = side_of(own);
    let of = |outcome: &Outcome| match outcome.winner {
        None => Finish::Drawn,
        Some(winner) if winner == side => Finish::Won,
        Some(_) if outcome.reason == "resignation" || outcome.reason == "time" => Finish::GivenUp,
        Some(_) => Finish::Lost,
    };
    if let Some(outcome) = clues.told {
        return Ok(of(outcome));
    }
    if let Some(outcome) = line.outcome() {
        return Ok(of(&outcome));
    }
    // The opponent's last move is never told; but the last search may have seen it.
    if let Some(ScoreVerdict::LostIn(0..=2)) = clues.last_score.map(Score::verdict) {
        return Ok(Finish::Lost);
    }
    if clues.time_left.is_some_and(|left| left < HARDLY_ANY_TIME) {
        return Ok(Finish::GivenUp);
    }
    if line.moves().len() >= LEAST_MOVES { Ok(Finish::Drawn) } else { Err(Rejected::TooShort) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Side;

    #[test]
    fn a_game_goes_on_as_long_as_all_earlier_moves_are_the_same() {
        let check = |old: Option<&[&str]>, now: &[&str], expected| {
            let followed = old.map(|moves| ("start", moves));
            assert_eq!(continuation(followed, "start", now, 1), expected, "{old:?} {now:?}");
        };
        check(None, &[], Continuation::New);
        check(None, &["e2e4"], Continuation::New);
        check(None, &["e2e4", "e7e5", "d2d4"], Continuation::Broken);
        check(Some(&["e2e4"]), &["e2e4", "e7e5", "g1f3"], Continuation::Goes(2));
        check(Some(&["e2e4"]), &["e2e4"], Continuation::Goes(0));
        check(Some(&["e2e4", "e7e5"]), &["d2d4"], Continuation::New);
        check(Some(&["e2e4", "e7e5"]), &["e2e4"], Continuation::New);
        check(Some(&["e2e4", "e7e5"]), &["d2d4", "d7d5", "c2c4"], Continuation::Broken);
        let other = continuation(Some(("other", &["e2e4"][..])), "start", &["e2e4", "e7e5"], 1);
        assert_eq!(other, Continuation::Broken);
    }

    fn line(moves: &str) -> Line<Chess> {
        let mut line = Line::new(Chess::new());
        for mv in moves.split_whitespace() {
            line.play_text(mv).unwrap();
        }
        line
    }

    #[test]
    fn the_five_cases_are_told_apart() {
        let mate = line("f2f3 e7e5 g2g4 d8h4");
        let none = Clues::default();
        assert_eq!(finish(&mate, Color::Black, none), Ok(Finish::Won));
        assert_eq!(finish(&mate, Color::White, none), Ok(Finish::Lost));
        let drawn = line("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
        assert_eq!(finish(&drawn, Color::White, none), Ok(Finish::Drawn));
        let short = line("e2e4 e7e5");
        let gave_up = Outcome::win(Side::First, "resignation");
        let told = Clues { told: Some(&gave_up), ..none };
        assert_eq!(finish(&short, Color::White, told), Ok(Finish::Won));
        assert_eq!(finish(&short, Color::Black, told), Ok(Finish::GivenUp));
        let late = Clues { time_left: Some(30), ..none };
        assert_eq!(finish(&short, Color::Black, late), Ok(Finish::GivenUp));
        let early = Clues { time_left: Some(30_000), ..none };
        assert_eq!(finish(&short, Color::Black, early), Err(Rejected::TooShort));
        let seen = Clues { last_score: Some(Score::lost_in(2)), ..none };
        assert_eq!(finish(&short, Color::White, seen), Ok(Finish::Lost));
    }

    #[test]
    fn a_long_game_of_unknown_result_counts_as_drawn() {
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 \
                     e8g8 h2h3 c6b8 d2d4";
        let clues = Clues::default();
        assert_eq!(finish(&line(moves), Color::White, clues), Err(Rejected::TooShort));
        let longer = format!("{moves} b8d7");
        assert_eq!(finish(&line(&longer), Color::White, clues), Ok(Finish::Drawn));
    }
}

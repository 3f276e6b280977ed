//! The checks pass a sound description and find the faults planted in others.

use super::*;
use zug_core::indexed::maps;
use zug_core::{Cell, Game, Outcome, Picture, TextError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    None,
    TooFewStones,
    TwoPositionsOneIndex,
    BoardsDiffer,
    IllegalButReachable,
    FalseAxis,
    FalseMirror,
    ForgottenPredecessor,
    ForgottenAxis,
    RanksTurnedRound,
    OneRank,
    StarvedStage,
}

/// On a 2×3 board the sides fill fields in turn; three in the left column wins nothing, a full top
/// row does.
#[derive(Clone)]
struct Fill(Bug);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct At([u64; 2]);

const TOP: u64 = 0b000_111;

impl Game for Fill {
    type Position = At;
    type Move = u8;
    fn spec(&self) -> String {
        "fill".into()
    }
    fn title(&self) -> String {
        "Fill".into()
    }
    fn start(&self) -> At {
        At([0, 0])
    }
    fn to_move(&self, at: &At) -> Side {
        if at.0[0].count_ones() == at.0[1].count_ones() { Side::First } else { Side::Second }
    }
    fn outcome(&self, at: &At) -> Option<Outcome> {
        match Side::BOTH.into_iter().find(|s| at.0[s.index()] & TOP == TOP) {
            Some(side) => Some(Outcome::win(side, "a full row")),
            None => (at.0[0] | at.0[1] == 63).then_some(Outcome::draw("full board")),
        }
    }
    fn moves(&self, at: &At, out: &mut Vec<u8>) {
        if self.outcome(at).is_none() {
            out.extend((0..6).filter(|f| (at.0[0] | at.0[1]) >> f & 1 == 0));
        }
    }
    fn play(&self, at: &mut At, mv: u8) {
        at.0[self.to_move(at).index()] |= 1 << mv;
    }
    fn write_move(&self, _: &At, mv: u8) -> String {
        mv.to_string()
    }
    fn read_move(&self, _: &At, text: &str) -> Result<u8, TextError> {
        text.parse().map_err(|_| TextError::new(0, "a field", text))
    }
    fn write_position(&self, at: &At) -> String {
        format!("{:06b} {:06b}", at.0[0], at.0[1])
    }
    fn read_position(&self, text: &str) -> Result<At, TextError> {
        Err(TextError::new(0, "nothing", text))
    }
    fn picture(&self, _: &At) -> Picture {
        Picture::grid(3, 2, vec![Cell::empty(); 6], true)
    }
}

impl Indexed for Fill {
    fn layout(&self) -> Layout {
        let bug = self.0;
        let most = if bug == Bug::TooFewStones { 2 } else { 3 };
        Layout::new(6)
            .piece("stone", Side::First, 0..=most)
            .piece("stone", Side::Second, 0..=most)
            .admit(|counts, side| counts[0] == counts[1] + side.index() as u32)
            .axes(move |_| match bug {
                Bug::FalseAxis => vec![maps::up_down(3, 2)],
                Bug::ForgottenAxis => Vec::new(),
                _ => vec![maps::left_right(3, 2)],
            })
            .mirror(move |counts| {
                let claims = bug == Bug::FalseMirror && counts[0] == counts[1];
                claims.then(|| maps::left_right(3, 2))
            })
            .stages(move |counts| {
                let stones = counts[0] + counts[1];
                let rank = match bug {
                    Bug::RanksTurnedRound => stones,
                    Bug::OneRank => 0,
                    _ => 6 - stones,
                };
                (rank, format!("{stones}"))
            })
            .feeds(move |from, _| bug != Bug::StarvedStage || from[0] < 2)
    }
    fn boards(&self, at: &At, boards: &mut [u64]) {
        boards.copy_from_slice(&at.0);
        if self.0 == Bug::TwoPositionsOneIndex && at.0[0] == 0b000_010 {
            boards[0] = 0b000_001;
        }
    }
    fn position_of(&self, boards: &[u64], _: Side) -> Option<At> {
        if self.0 == Bug::IllegalButReachable && boards[0] == 0b010_000 {
            return None;
        }
        let extra = u64::from(self.0 == Bug::BoardsDiffer && boards[0] == 0b010_000);
        Some(At([boards[0] ^ extra, boards[1] & !extra]))
    }
}

impl Retro for Fill {
    fn predecessors(&self, at: &At, out: &mut Vec<At>) {
        let mover = self.to_move(at).other().index();
        for field in (0..6).filter(|f| at.0[mover] >> f & 1 == 1) {
            let mut before = at.clone();
            before.0[mover] ^= 1 << field;
            // Only met on positions that play from the start does not reach.
            let planted = self.0 == Bug::ForgottenPredecessor && at.0[1] & TOP == TOP;
            if self.outcome(&before).is_none() && !planted {
                out.push(before);
            }
        }
    }
}

fn finding(bug: Bug, name: &str) -> Result<String, String> {
    let game = Fill(bug);
    let entry = GameEntry::new(game.clone()).indexed(&game).retro_indexed(&game);
    entry.run_checks(3).into_iter().find(|(n, _)| *n == name).unwrap().1
}

#[test]
fn a_sound_description_passes() {
    let names = [
        "index",
        "index symmetry",
        "stages",
        "symmetries found",
        "un-move",
        "un-move on the index",
    ];
    for name in names {
        let text = finding(Bug::None, name).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(text.chars().any(|c| c.is_ascii_digit()), "{name} counted nothing: {text}");
    }
}

#[test]
fn planted_faults_are_found() {
    for (bug, name, words) in [
        (Bug::TooFewStones, "index", "has no index"),
        (Bug::TwoPositionsOneIndex, "index", ""),
        (Bug::BoardsDiffer, "index", "are others"),
        (Bug::IllegalButReachable, "index", "illegal"),
        (Bug::FalseAxis, "symmetries found", "does not hold"),
        (Bug::FalseMirror, "symmetries found", "colours swapped"),
        (Bug::RanksTurnedRound, "stages", "a higher rank"),
        (Bug::OneRank, "stages", "the same rank"),
        (Bug::StarvedStage, "stages", "said not to lead to"),
        (Bug::FalseAxis, "index symmetry", "equivalent"),
        (Bug::FalseMirror, "index symmetry", "equivalent"),
        (Bug::ForgottenPredecessor, "un-move on the index", "cannot be taken back"),
    ] {
        let error = finding(bug, name).expect_err(&format!("{bug:?} was not found"));
        assert!(error.contains(words), "{bug:?}: {error}");
    }
}

#[test]
fn symmetries_are_found_and_forgotten_ones_are_told() {
    let report = |bug| crate::symmetry::symmetries(&Fill(bug), 3).unwrap();
    let found = |map: Vec<u8>| crate::symmetry::Found { map, swaps: false };
    let (sound, forgotten) = (report(Bug::None), report(Bug::ForgottenAxis));
    let left_right = found(maps::left_right(3, 2));
    assert!(sound.holding.contains(&left_right) && !sound.missing.contains(&left_right));
    assert!(forgotten.missing.contains(&left_right));
    assert!(!sound.holding.contains(&found(maps::up_down(3, 2))));
    assert!(sound.holding.iter().all(|found| !found.swaps), "the first side is a stone ahead");
    let text = finding(Bug::ForgottenAxis, "symmetries found").unwrap();
    assert!(text.contains("not declared"), "{text}");
}

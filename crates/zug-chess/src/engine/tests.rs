//! The search as a whole: the law of the complete line, mates, draws, limits, and a signature.

use super::*;
use crate::{HandMade, fen};
use cozy_chess::Board;

fn engine(settings: Settings) -> Engine<HandMade> {
    let settings = Settings { hash: 1 << 20, ..settings };
    Engine::new(Arc::new(HandMade), settings).unwrap()
}

fn think(engine: &mut Engine<HandMade>, text: &str, wish: &Wish) -> Thought {
    let root = Root::new(fen::parse(text).unwrap());
    engine.search(&root, wish, &StopFlag::new(), &mut |_| {})
}

fn depth(plies: u32) -> Wish {
    Wish { depth: Some(plies), ..Wish::default() }
}

/// The positions of the tests: of our own making, all phases of the game.
pub(super) const POSITIONS: &[&str] = &[
    fen::START,
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1BN1PN2/PP2QPPP/R1BR2K1 w - - 0 12",
    "r1b2rk1/pp1nqppp/2pbpn2/3p4/2PP4/2NBPN2/PPQ2PPP/R1B2RK1 w - - 4 10",
    "2r3k1/1q3pp1/p3p2p/1p1pP3/3P1P2/1P1Q3P/P5P1/2R3K1 b - - 1 27",
    "8/5pk1/4p1p1/3pP2p/p2P3P/P4PP1/5K2/8 w - - 0 41",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "8/8/4k3/3n4/8/2B1K3/5P2/8 w - - 12 60",
    "3r2k1/pp3p1p/2p3p1/4n3/4P1q1/2NQ2P1/PPP2P1P/4R1K1 w - - 2 22",
    "r3k2r/pb1q1ppp/1p1bpn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 b kq - 5 10",
];

/// Replays a line and compares its leaf with its score.
fn check_law(text: &str, found: &FoundLine, settings: &Settings) {
    let mut position = fen::parse(text).unwrap();
    let mut keys = vec![position.key()];
    for &mv in &found.moves {
        assert!(position.board().is_legal(mv), "{text}: {mv} in {:?}", found.moves);
        position.play(mv);
        keys.push(position.key());
    }
    let board: &Board = position.board();
    let key = keys.pop().unwrap();
    let ended = !position.has_moves()
        || position.is_dead()
        || position.clock() >= 100
        || keys.contains(&key);
    let leaf = value::estimate(crate::eval::evaluate_board(board));
    let sign = if found.moves.len().is_multiple_of(2) { 1 } else { -1 };
    if ended {
        let mate = !position.has_moves() && position.in_check();
        let expected =
            if mate { Score::lost_in(0).delayed(found.moves.len() as i32) } else { Score::DRAW };
        let expected = if sign == 1 { expected } else { -expected };
        assert_eq!(found.score, expected, "{text}: {:?} {settings:?}", found.moves);
    } else {
        assert_eq!(found.score, Score::estimate(sign * leaf), "{text}: {:?}", found.moves);
    }
}

#[test]
fn the_leaf_of_every_line_is_worth_the_score() {
    for settings in [Settings::default(), Settings::thesis()] {
        let mut engine = engine(settings.clone());
        for text in POSITIONS {
            engine.clear();
            let root = Root::new(fen::parse(text).unwrap());
            let wish = Wish { nodes: Some(15_000), lines: 2, ..Wish::default() };
            let mut count = 0;
            let thought = engine.search(&root, &wish, &StopFlag::new(), &mut |thought| {
                for found in &thought.lines {
                    check_law(text, found, &settings);
                    count += 1;
                }
            });
            assert!(count > 4, "{text}");
            for found in &thought.lines {
                check_law(text, found, &settings);
            }
        }
    }
}

#[test]
fn mates_are_found_and_told_by_their_distance() {
    for settings in [Settings::default(), Settings::thesis()] {
        let mut engine = engine(settings);
        let thought = think(&mut engine, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &depth(4));
        assert_eq!(thought.score(), Some(Score::won_in(1)));
        let thought = think(&mut engine, "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", &depth(6));
        assert_eq!(thought.score(), Some(Score::won_in(3)));
        let thought = think(&mut engine, "k7/8/1K6/8/8/8/8/7R b - - 0 1", &depth(4));
        assert_eq!(thought.score(), Some(Score::lost_in(2)));
    }
}

//! The search as a whole: the law of the complete line, mates, draws and limits.

use super::bench::POSITIONS;
use super::*;
use crate::{HandMade, fen};
use cozy_chess::Board;
use proptest::prelude::*;
use zug_core::seed::RngExt;

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

/// Replays a line and compares its leaf with its score.
fn check_law(text: &str, found: &FoundLine, settings: &Settings) {
    check_law_from(&fen::parse(text).unwrap(), found, settings);
}

fn check_law_from(root: &Position, found: &FoundLine, settings: &Settings) {
    let mut position = root.clone();
    let text = fen::write(root);
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
            let wish = Wish { nodes: Some(12_000), lines: 2, ..Wish::default() };
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

#[test]
fn a_mate_behind_a_quiet_sacrifice_is_found_soon_where_threats_of_mate_are_seen() {
    // Black may take the queen that threatens mate, and stands well for all that is counted.
    let text = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
    let wish = Wish { nodes: Some(40_000), ..Wish::default() };
    let techniques = Techniques { mate_threats: true, ..Techniques::modern() };
    let settings = Settings { techniques, ..Settings::default() };
    let thought = think(&mut engine(settings), text, &wish);
    assert!(thought.score().unwrap().is_proven(), "{thought:?}");
    assert_eq!(thought.best().unwrap().to_string(), "g3g6");
}

#[test]
fn a_thorough_search_finds_every_mate_inside_its_depth() {
    let settings = Settings { techniques: Techniques::modern().thorough(), ..Settings::default() };
    let mut engine = engine(settings);
    for (text, plies, mv) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1, "a1a8"),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 3, "d2h6"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, "a1a6"),
    ] {
        engine.clear();
        let thought = think(&mut engine, text, &depth(plies));
        assert_eq!(thought.score(), Some(Score::won_in(plies)), "{text}");
        assert_eq!(thought.best().unwrap().to_string(), mv, "{text}");
    }
}

#[test]
fn the_line_that_is_played_is_the_last_that_was_told() {
    let mut engine = engine(Settings::default());
    let mut late = 0;
    for (at, text) in POSITIONS.iter().enumerate() {
        for nodes in (500..4000).step_by(500) {
            engine.clear();
            let root = Root::new(fen::parse(text).unwrap());
            let wish = Wish { nodes: Some(nodes + at as u64), ..Wish::default() };
            let mut told: Vec<Thought> = Vec::new();
            let mut report = |thought: &Thought| told.push(thought.clone());
            let thought = engine.search(&root, &wish, &StopFlag::new(), &mut report);
            assert_eq!(told.last().unwrap().lines, thought.lines, "{text}");
            late += usize::from(told.windows(2).any(|two| two[0].depth == two[1].depth));
        }
    }
    assert!(late > 0, "no search was broken off after it had found another move");
}

#[test]
fn tables_have_the_last_word_about_the_root_unless_there_is_a_mate() {
    use value::{TABLE_WIN, mate_in, mated_in};
    let said = |standing, found| to_score(by_tables(standing, found));
    assert_eq!(said(None, 141), Score::estimate(141));
    assert_eq!(said(Some(Standing::Drawn), 141), Score::DRAW);
    assert_eq!(said(Some(Standing::Won), 278), Score::estimate(TABLE_WIN));
    assert!(!said(Some(Standing::Won), 278).is_proven());
    assert_eq!(said(Some(Standing::Lost), 12), Score::estimate(-TABLE_WIN));
    assert_eq!(said(Some(Standing::Won), mate_in(5)), Score::won_in(5));
    assert_eq!(said(Some(Standing::Lost), mated_in(6)), Score::lost_in(6));
}

/// A position that random play reaches, of Chess960 too.
fn somewhere(seed: u64, plies: usize) -> Position {
    let mut random = zug_core::rng(seed, 0);
    let number = if seed.is_multiple_of(3) { random.random_range(0..960) } else { 518 };
    let mut position = Position::chess960(number).unwrap();
    for _ in 0..plies {
        let mut moves = Vec::new();
        position.board().generate_moves(|piece| {
            moves.extend(piece);
            false
        });
        let Some(last) = moves.len().checked_sub(1) else { break };
        position.play(moves[random.random_range(0..=last)]);
    }
    position
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn wherever_a_game_goes_the_leaf_of_the_line_is_worth_the_score(
        seed: u64,
        plies in 0..120usize,
        nodes in 1..4000u64,
        lines in 1..4usize,
        kind in 0..4usize,
    ) {
        let position = somewhere(seed, plies);
        let settings = match kind {
            0 => Settings::thesis(),
            1 => Settings { threads: 2, ..Settings::default() },
            _ => Settings::default(),
        };
        let mut engine = engine(settings.clone());
        let wish = Wish { nodes: Some(nodes), lines, ..Wish::default() };
        let root = Root::new(position.clone());
        // Twice, so that the table is full of what was found before.
        for _ in 0..2 {
            let thought = engine.search(&root, &wish, &StopFlag::new(), &mut |thought| {
                for found in &thought.lines {
                    check_law_from(&position, found, &settings);
                }
            });
            prop_assert_eq!(thought.lines.is_empty(), !position.has_moves());
            for found in &thought.lines {
                check_law_from(&position, found, &settings);
            }
        }
    }

    #[test]
    fn the_law_holds_with_any_techniques(seed: u64, plies in 0..80usize, switches: u64) {
        let position = somewhere(seed, plies);
        let mut settings = Settings::default();
        for (at, name) in Techniques::NAMES.iter().enumerate() {
            *settings.techniques.switch(name).unwrap() = switches >> at & 1 == 1;
        }
        let mut engine = engine(settings.clone());
        let wish = Wish { nodes: Some(2500), depth: Some(6), ..Wish::default() };
        let root = Root::new(position.clone());
        let thought = engine.search(&root, &wish, &StopFlag::new(), &mut |_| {});
        for found in &thought.lines {
            check_law_from(&position, found, &settings);
        }
    }
}

#[test]
fn the_same_search_finds_the_same_and_stays_within_its_nodes() {
    let mut engine = engine(Settings::default());
    for text in POSITIONS {
        let wish = Wish { nodes: Some(5000), ..Wish::default() };
        engine.clear();
        let first = think(&mut engine, text, &wish);
        engine.clear();
        let second = think(&mut engine, text, &wish);
        assert_eq!((&first.lines, first.nodes), (&second.lines, second.nodes), "{text}");
        assert!(first.nodes <= 5001, "{text}: {}", first.nodes);
    }
}

#[test]
fn draws_are_seen_in_every_form() {
    let mut engine = engine(Settings::default());
    let mut score = |text: &str| think(&mut engine, text, &depth(5)).score().unwrap();
    // Only giving the queen away, for stalemate, saves Black.
    assert_eq!(score("7k/5QR1/8/8/8/6qP/8/7K b - - 0 1"), Score::DRAW);
    // The pawn cannot be kept, and what is left cannot mate.
    assert_eq!(score("8/8/8/8/8/3k4/3p4/3KB3 b - - 0 1"), Score::DRAW);
    // One ply before the fifty-move rule ends the game.
    assert_eq!(score("4k3/8/8/8/8/8/3R4/4K3 w - - 99 90"), Score::DRAW);
    // Every move of the king stalemates or gives the pawn up.
    assert_eq!(score("k7/P7/8/1K6/8/8/8/8 w - - 0 1"), Score::DRAW);
    let claimed = Wish { draws: Draws::Claimed, ..depth(5) };
    let thought = think(&mut engine, "4k3/8/8/8/8/8/3R4/4K3 w - - 99 90", &claimed);
    assert!(thought.score().unwrap() > Score::estimate(100));
}

#[test]
fn a_position_that_came_twice_is_not_sought_by_who_stands_better() {
    let mut position = fen::parse("6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 4 1").unwrap();
    let mut earlier = Vec::new();
    for text in ["d1d2", "g8f8", "d2d1", "f8g8", "d1d2", "g8f8"] {
        earlier.push(position.key());
        position.play(crate::uci::parse(&position, text).unwrap());
    }
    let root = Root { position, earlier };
    let thought =
        engine(Settings::default()).search(&root, &depth(4), &StopFlag::new(), &mut |_| {});
    assert_ne!(thought.best().unwrap().to_string(), "d2d1");
    assert!(thought.score().unwrap() > Score::estimate(500));
}

#[test]
fn only_the_moves_asked_for_are_searched_and_several_lines_are_the_best_ones() {
    let mut engine = engine(Settings::default());
    let only = vec!["a2a3".parse().unwrap(), "h2h3".parse().unwrap()];
    let wish = Wish { only: only.clone(), lines: 5, ..depth(4) };
    let thought = think(&mut engine, fen::START, &wish);
    assert_eq!(thought.lines.len(), 2);
    assert!(thought.lines.iter().all(|found| only.contains(&found.moves[0])));
    let all = think(&mut engine, fen::START, &Wish { lines: 20, ..depth(3) });
    assert_eq!(all.lines.len(), 20);
    assert!(all.lines.is_sorted_by_key(|found| std::cmp::Reverse(found.score)));
}

#[test]
fn a_search_that_is_stopped_at_once_has_a_move_and_a_mated_side_has_none() {
    for threads in [1, 3] {
        let mut engine = engine(Settings { threads, ..Settings::default() });
        let stop = StopFlag::new();
        stop.set();
        let root = Root::new(Position::start());
        let thought = engine.search(&root, &Wish::default(), &stop, &mut |_| {});
        assert!(thought.best().is_some() && thought.nodes < 10_000);
        let mated = think(&mut engine, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", &Wish::default());
        assert_eq!(mated, Thought::default());
    }
}

#[test]
fn threads_share_their_nodes_and_find_the_mate() {
    let mut engine = engine(Settings { threads: 3, ..Settings::default() });
    let wish = Wish { nodes: Some(200_000), ..Wish::default() };
    let thought = think(&mut engine, "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", &wish);
    assert_eq!(thought.score(), Some(Score::won_in(3)));
    let wish = Wish { nodes: Some(30_000), ..Wish::default() };
    let thought = think(&mut engine, fen::START, &wish);
    assert!((30_000..60_000).contains(&thought.nodes), "{}", thought.nodes);
}

#[test]
fn settings_that_cannot_be_met_change_nothing() {
    let mut engine = engine(Settings::default());
    let before = engine.settings().clone();
    let huge = Settings { hash: usize::MAX / 2, ..before.clone() };
    assert_eq!(engine.set_settings(huge), Err(NoMemory(usize::MAX / 2)));
    assert_eq!(engine.settings(), &before);
    engine.set_settings(Settings { threads: 2, ..before }).unwrap();
    assert_eq!(engine.settings().threads, 2);
}

#[test]
fn the_search_of_the_thesis_begins_about_its_last_own_score() {
    let mut engine = engine(Settings::thesis());
    let first = think(&mut engine, POSITIONS[3], &depth(3));
    assert_eq!(engine.own_score().map(value::to_score), first.score());
    // A score that lies far off is found all the same.
    engine.set_own_score(Some(900));
    engine.table.clear();
    let second = think(&mut engine, POSITIONS[3], &depth(3));
    assert_eq!(second.score(), first.score());
    engine.clear();
    assert_eq!(engine.own_score(), None);
}

#[test]
fn captures_without_end_do_not_keep_a_search_from_its_end() {
    let text = "qqqqkqqq/8/qQqQqQqQ/8/8/QqQqQqQq/8/QQQQKQQQ w - - 0 1";
    for settings in [Settings::default(), Settings::thesis()] {
        let mut engine = engine(settings.clone());
        let thought = think(&mut engine, text, &Wish { nodes: Some(1000), ..Wish::default() });
        assert!(thought.nodes < 200_000, "{}", thought.nodes);
        check_law(text, &thought.lines[0], &settings);
    }
}

//! Endings against the published figures, and against the rules of the whole game.

use super::*;
use std::collections::HashMap;
use zug_core::Spec;
use zug_solve::{Code, Index, Options, Settings, Slot, Space, Value, solve_all};

pub(super) fn ending(text: &str) -> Chess {
    Chess::from_spec(&Spec::parse(&format!("chess:{text}")).unwrap()).unwrap()
}

fn slots(text: &str, options: Options) -> u64 {
    Space::new(&ending(text).layout(), options).unwrap().size()
}

#[test]
fn endings_have_the_sizes_of_the_thesis() {
    for (text, full, reduced) in [
        ("KRvK", 508_032, 79_380),
        ("KRvKN", 31_506_048, 4_922_820),
        ("KNvKR", 31_506_048, 4_922_820),
    ] {
        assert_eq!(slots(text, Options::full()), full, "{text}");
        assert_eq!(slots(text, Options::default()), reduced, "{text}");
    }
    let pawn = Space::new(&ending("KPvK").layout(), Options::default()).unwrap();
    let stage = pawn.stages().last().unwrap();
    assert_eq!(stage.stage.name, "KPvK");
    assert_eq!(stage.slots.end - stage.slots.start, 187_488);
}

#[test]
fn stages_are_named_after_the_stronger_side_and_ordered_by_men_and_pawns() {
    let names = |text: &str| -> Vec<String> {
        let space = Space::new(&ending(text).layout(), Options::default()).unwrap();
        space.stages().iter().map(|s| s.stage.name.clone()).collect()
    };
    assert_eq!(names("KNvKR"), ["KvK", "KNvK", "KRvK", "KRvKN"]);
    assert_eq!(names("KPvK"), ["KvK", "KBvK", "KNvK", "KQvK", "KRvK", "KPvK"]);
    assert_eq!(names("men=3"), names("KPvK"));
    // Two and three men, and both men on one side or one on each: 6 + 15 + 15 and kings alone.
    assert_eq!(names("men=4").len(), 1 + 5 + 15 + 15);
}

#[test]
fn the_colour_swap_halves_an_ending_of_equals() {
    let one_side = |text: &str| {
        let space = Space::new(&ending(text).layout(), Options::default()).unwrap();
        let stage = space.stages().last().unwrap().clone();
        stage.slots.end - stage.slots.start
    };
    assert_eq!(one_side("KRvKR"), 10 * 63 * 62 * 61);
    assert_eq!(one_side("KQvKR"), 2 * 10 * 63 * 62 * 61);
}

#[test]
fn a_position_outside_the_ending_is_refused_by_name() {
    let game = ending("KRvKN");
    for (text, word) in [
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "castling"),
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "KRvKN"),
        ("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1", "KRvKN"),
    ] {
        let e = game.read_position(text).unwrap_err();
        assert!(e.to_string().contains(word), "{text}: {e}");
    }
    let all = ending("men=3");
    let e = all.read_position("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1").unwrap_err();
    assert!(e.to_string().contains("at most 3 men"), "{e}");
    for text in ["4k3/8/8/8/8/8/8/R3K3 w - - 12 40", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"] {
        assert_eq!(game.read_position(text).unwrap().clock(), 0);
    }
}

#[test]
fn every_ending_starts_with_all_its_men_and_opens_again_by_its_name() {
    for (text, name) in [
        ("KRvKN", "chess:KRvKN"),
        ("krkn", "chess:KRvKN"),
        ("KQQQvKQ", "chess:KQQQvKQ"),
        ("KPPPvKP", "chess:KPPPvKP"),
        ("KNvKBB", "chess:KNvKBB"),
        ("men=3", "chess:men=3"),
        ("men=5", "chess:men=5"),
        ("KRvK,draws=claimed", "chess:KRvK,draws=claimed"),
        (
            "KRvK,start=8/8/8/8/8/2k5/8/K6R b - - 0 1",
            "chess:KRvK,start=8/8/8/8/8/2k5/8/K6R b - - 0 1",
        ),
    ] {
        let game = ending(text);
        assert_eq!(Game::spec(&game), name);
        let start = game.start();
        assert!(game.outcome(&start).is_none());
        assert_eq!(Material::of(start.board()), game.scope().unwrap().first());
    }
    for bad in ["KXvK", "men=2", "men=7", "KRvK,men=3", "KRvK,KNvK", "KRvK,960=3"] {
        let spec = Spec::parse(&format!("chess:{bad}")).unwrap();
        assert!(Chess::from_spec(&spec).is_err(), "{bad}");
    }
}

#[test]
fn a_passing_pawn_is_there_only_while_it_can_be_captured() {
    let game = ending("KPvKP");
    let index = Index::new(&game, Options::default()).unwrap();
    let number = |text: &str| index.index_of(&game.read_position(text).unwrap()).unwrap();
    // Capturable, not capturable for lack of a pawn beside, and pinned.
    let plain = number("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
    let passing = number("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    assert_ne!(plain, passing);
    assert_eq!(
        number("4k3/8/8/8/2p1P3/8/8/4K3 b - - 0 1"),
        number("4k3/8/8/8/2p1P3/8/8/4K3 b - e3 0 1")
    );
    for slot in [plain, passing] {
        let Slot::Position(position) = index.slot(slot) else { panic!("slot {slot}") };
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let captures = moves.iter().any(|&mv| position.is_en_passant(mv));
        assert_eq!(captures, slot == passing);
    }
}

#[test]
fn every_self_check_of_an_ending_passes() {
    for spec in ["chess:KRvKN", "chess:KPvKP", "chess:men=3", "chess:KRPvKR,draws=claimed"] {
        let entry = crate::open(&Spec::parse(spec).unwrap()).unwrap();
        for check in &entry.checks {
            let found = (check.run)(5);
            assert!(found.is_ok(), "{spec}, {}: {found:?}", check.name);
        }
    }
}

/// Wins of White and losses of Black in KR-K by plies, reduced, as the thesis has them.
const WON: [u64; 16] =
    [189, 587, 484, 238, 607, 1091, 1418, 2149, 2514, 2382, 2565, 2691, 2234, 2027, 662, 121];
const LOST: [u64; 17] =
    [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];

#[test]
fn king_and_rook_against_king_come_out_as_in_the_thesis() {
    let game = ending("KRvK");
    for (options, drawn, illegal, duplicates) in [
        (Options::default(), [462, 3_258], 15_932, 12_509),
        (Options::full(), [3_612, 25_856], 101_696, 0),
    ] {
        let space = Space::new(&game.layout(), options).unwrap();
        let cells = EndingCells::new(&game, &space).unwrap();
        let solved = solve_all(&cells, &game.layout(), &space, &Settings::default()).unwrap();
        let mut values: [HashMap<Value, u64>; 2] = Default::default();
        let mut codes: HashMap<Code, u64> = HashMap::new();
        for part in space.parts() {
            for slot in part.base()..part.base() + part.size() {
                let table = solved.iter().find(|s| s.table.range().contains(&slot)).unwrap();
                let code = table.table.code(slot);
                *codes.entry(code).or_default() += 1;
                if let Some(value) = code.value() {
                    *values[part.side().index()].entry(value).or_default() += 1;
                }
            }
        }
        assert_eq!(codes[&Code::ILLEGAL], illegal);
        assert_eq!(codes.get(&Code::DUPLICATE).copied().unwrap_or(0), duplicates);
        assert_eq!([0, 1].map(|side: usize| values[side][&Value::Draw]), drawn);
        assert_eq!(values[0].len(), 1 + WON.len());
        assert_eq!(values[1].len(), 1 + LOST.len());
        if duplicates == 0 {
            assert_eq!(values[0][&Value::Win(31)], 916);
            assert_eq!(values[1][&Value::Loss(32)], 3_056);
            continue;
        }
        for (i, &n) in WON.iter().enumerate() {
            assert_eq!(values[0][&Value::Win(2 * i as u16 + 1)], n, "won in {}", 2 * i + 1);
        }
        for (i, &n) in LOST.iter().enumerate() {
            assert_eq!(values[1][&Value::Loss(2 * i as u16)], n, "lost in {}", 2 * i);
        }
    }
}

/// Values that are known from the theory of endings or can be seen at a glance.
#[test]
fn a_pawn_against_the_king_comes_out_as_every_player_knows_it() {
    let game = ending("KPvK");
    let space = Space::new(&game.layout(), Options::default()).unwrap();
    let cells = EndingCells::new(&game, &space).unwrap();
    let solved = solve_all(&cells, &game.layout(), &space, &Settings::default()).unwrap();
    let index = Index::new(&game, Options::default()).unwrap();
    for (fen, white_wins) in [
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", false),
        // The king before its pawn on the sixth row wins, whoever is to move; behind it, no.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false),
        // A pawn at the edge wins only with the king out of the way.
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", false),
        ("8/8/8/8/8/8/k6P/7K w - - 0 1", true),
    ] {
        let position = game.read_position(fen).unwrap();
        let slot = index.index_of(&position).unwrap();
        let stage = solved.iter().find(|s| s.table.range().contains(&slot)).unwrap();
        let value = stage.table.code(slot).value().unwrap();
        let white_moves = game.to_move(&position) == Side::First;
        assert_eq!(matches!(value, Value::Win(_)), white_wins && white_moves, "{fen}: {value}");
        assert_eq!(matches!(value, Value::Loss(_)), white_wins && !white_moves, "{fen}: {value}");
    }
    // The longest win takes 28 moves.
    let codes = solved.iter().flat_map(|s| s.table.range().map(|slot| s.table.code(slot)));
    assert_eq!(codes.filter_map(|c| c.value()?.plies()).max(), Some(56));
}

#[test]
fn late_positions_of_chess_belong_to_an_ending_that_can_be_solved() {
    let entry = crate::open(&zug_core::Spec::parse("chess").unwrap()).unwrap();
    let endings = entry.extension::<zug_solve::face::Endings>().unwrap();
    let ending = |text: &str| (endings.0)(text);
    assert_eq!(ending("8/8/8/8/8/2k5/1n6/K6R w - - 3 70").as_deref(), Some("chess:KRvKN"));
    assert_eq!(ending("8/8/8/8/8/2k5/1q6/K7 w - - 0 1").as_deref(), Some("chess:KvKQ"));
    assert_eq!(ending("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), None, "castling is no part of an ending");
    assert_eq!(ending("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), None);
    assert_eq!(ending("nonsense"), None);
    for spec in ["chess:KRvKN", "chess:KvKQ"] {
        let ending = crate::open(&zug_core::Spec::parse(spec).unwrap()).unwrap();
        assert!(ending.extension::<zug_solve::face::Solver>().is_some(), "{spec}");
        assert!(ending.extension::<zug_solve::face::Endings>().is_none(), "{spec}");
    }
}

//! The index against looking at all games, and that against looking at all positions.

use super::*;
use crate::board::Board;
use crate::corpus::{GoRecord, decode};
use crate::explore::library::{Library, Shelf};
use crate::explore::query::{Area, Query, Scope, side_of};
use crate::explore::search::{Hit, Reply};
use crate::explore::squares::{Squares, code_of};
use crate::point::{Move, Point};
use crate::position::Position;
use proptest::prelude::*;
use zug_core::seed::{RngExt, rng};
use zug_core::{RecordResult, Side};

/// Games that begin alike, with captures, on a small board.
fn games(size: usize, count: usize, length: usize, seed: u64) -> Vec<GoRecord> {
    let mut rng = rng(seed, 0);
    let mut opening: Vec<usize> = (0..size * size).collect();
    (0..count)
        .map(|i| {
            let symmetry = rng.random_range(0..8);
            let mut position = Position::new(size);
            let mut moves = Vec::new();
            for ply in 0..length {
                // The first moves are mostly the same, in another orientation.
                let usual = opening.get(ply).filter(|_| ply < 4 && rng.random_range(0..4) > 0);
                let pick = match usual {
                    Some(&usual) => usual,
                    None => rng.random_range(0..size * size),
                };
                let code = crate::corpus::map_code(symmetry, size as u16, pick as u16);
                let p = decode(code, size).unwrap();
                let legal = position.board().check(p, position.to_move(), false).is_ok();
                moves.push(legal.then_some(p));
                position.play(if legal { Move::Play(p) } else { Move::Pass });
            }
            if i % 7 == 0 {
                opening.rotate_left(3);
            }
            let mut game = GoRecord::of_moves(size, &moves);
            game.name = format!("{i}.sgf");
            game.year = Some(1950 + (i as u16 * 7) % 70);
            let winner = [Some(Side::First), Some(Side::Second), None][i % 3];
            game.result = RecordResult::Known { winner, margin: None };
            game.players = [format!("Black {i}"), format!("White {i}")];
            game
        })
        .collect()
}

/// All finds by the definition: every ply, every way to look at it, every point compared.
fn by_definition(shelf: &Shelf, query: &Query) -> Vec<Hit> {
    let squares = Squares::new(query.size());
    let (wanted, shown, size) = (query.wanted(), query.shown(&squares), query.size());
    let mut hits = Vec::new();
    for (number, game) in shelf.games().iter().enumerate() {
        if game.size() != size {
            continue;
        }
        let mut boards = vec![Board::new(size)];
        for (ply, p) in game.moves().enumerate() {
            let mut board = boards[ply].clone();
            match p {
                Some(p) => drop(board.play(p, side_of(ply))),
                None => board.pass(),
            }
            boards.push(board);
        }
        let looks = |ply: usize, s: usize, exchange: bool| {
            wanted.iter().enumerate().all(|(code, &cell)| {
                let image = squares.image(s, code as u16);
                let there = boards[ply].at(decode(image, size).unwrap()).side();
                let there = there.map_or(0, |side| side.index() as u8 + 1);
                match (cell, exchange) {
                    (3, _) => true,
                    (0, _) | (_, false) => there == cell,
                    (cell, true) => there == 3 - cell,
                }
            })
        };
        let mut found: Vec<(usize, u64, Hit)> = Vec::new();
        for exchange in [false, true] {
            if exchange && !query.exchange {
                continue;
            }
            for s in 0..8 {
                let to_move = query.position.to_move();
                let side = if exchange { to_move.other() } else { to_move };
                for ply in 0..boards.len() {
                    if !looks(ply, s, exchange) || side_of(ply) != side {
                        continue;
                    }
                    if query.scope != Scope::Whole {
                        let before = |back: usize| ply >= back && looks(ply - back, s, exchange);
                        // Seen two plies ago and unchanged since: the same stretch.
                        if before(1) && before(2) {
                            continue;
                        }
                    }
                    // Where the stones must lie, as a set: equal sets are one find.
                    let place = (0..wanted.len() as u16)
                        .filter(|&c| wanted[usize::from(c)] != 3)
                        .map(|c| {
                            let cell = u64::from(wanted[usize::from(c)]);
                            zug_core::seed::mix(4 * u64::from(squares.image(s, c)) + cell)
                        })
                        .fold(0u64, u64::wrapping_add);
                    let reply = match game.codes().get(ply) {
                        None => Reply::End,
                        Some(&crate::corpus::PASS) if query.scope == Scope::Whole => Reply::Pass,
                        Some(&crate::corpus::PASS) => Reply::Elsewhere,
                        Some(&code) => {
                            let own = squares.image(squares.inverse(s), code);
                            match wanted[usize::from(own)] {
                                3 => Reply::Elsewhere,
                                _ => Reply::Move(shown[usize::from(own)]),
                            }
                        }
                    };
                    let hit = Hit { game: number as u32, ply: ply as u16, reply };
                    if !found.iter().any(|f| f.0 == ply && f.1 == place) {
                        found.push((ply, place, hit));
                    }
                }
            }
        }
        hits.extend(found.into_iter().map(|(_, _, hit)| hit));
    }
    hits.sort_unstable();
    hits
}

fn check(shelf: &Shelf, index: &Index, query: &Query) -> usize {
    let expected = by_definition(shelf, query);
    assert_eq!(shelf.hits(query).unwrap(), expected, "scan: {query:?}");
    assert_eq!(index.hits(query).unwrap(), expected, "index: {query:?}");
    expected.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn index_scan_and_definition_agree(
        seed in any::<u64>(),
        size in 4usize..8,
        game in 0usize..12,
        ply in 0usize..40,
        symmetry in 0u16..8,
        exchange in any::<bool>(),
        corner in 0usize..4,
        area in (0usize..4, 0usize..4, 0usize..4, 0usize..4),
    ) {
        let shelf = Shelf::new(games(size, 12, 40, seed));
        let index = Index::from_bytes(to_bytes(&shelf).unwrap()).unwrap();
        // A position of one of the games, turned.
        let mut board = Board::new(size);
        for (i, p) in shelf.games()[game].moves().take(ply).enumerate() {
            if let Some(p) = p {
                board.play(p, side_of(i));
            }
        }
        let image = |p: Point| {
            let code = crate::corpus::map_code(usize::from(symmetry), size as u16, code_of(p, size));
            decode(code, size).unwrap()
        };
        let stones = board.points().filter_map(|p| board.at(p).side().map(|s| (image(p), s)));
        let board = Board::with_stones(size, stones).unwrap();
        let position = Position::from_board(board, side_of(ply));
        let query = Query { position, last: None, scope: Scope::Whole, exchange };
        prop_assert!(check(&shelf, &index, &query) > 0);
        let corner = Query { scope: Scope::Corner(corner), ..query.clone() };
        check(&shelf, &index, &corner);
        check(&shelf, &index, &corner.exchanged());
        let span = |a: usize, b: usize| [a.min(b), a.max(b)];
        let area = Area { x: span(area.0, area.1), y: span(area.2, area.3) };
        check(&shelf, &index, &Query { scope: Scope::Area(area), ..query });
    }

    #[test]
    fn numbers_survive_being_written_and_read(numbers in prop::collection::vec(any::<u32>(), 0..20)) {
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&n| put_number(&mut bytes, n));
        let mut rest = &bytes[..];
        for &number in &numbers {
            prop_assert_eq!(take_number(&mut rest), Some(number));
        }
        prop_assert_eq!(take_number(&mut rest), None);
    }

    #[test]
    fn corner_replies_survive_being_written_and_read(number in 0u32..200) {
        if let Some(reply) = CornerReply::of_number(number, 81) {
            prop_assert_eq!(reply.number(81), number);
        }
    }
}

#[test]
fn large_boards_agree_beyond_what_is_listed() {
    let shelf = Shelf::new(games(9, 30, 75, 5));
    let index = Index::from_bytes(to_bytes(&shelf).unwrap()).unwrap();
    let mut found = 0;
    for (game, ply) in [(0, 74), (3, 60), (9, 48), (20, 30), (7, 5)] {
        let mut position = Position::new(9);
        for p in shelf.games()[game].moves().take(ply) {
            position.play(p.map_or(Move::Pass, Move::Play));
        }
        let query = Query { position, last: None, scope: Scope::Whole, exchange: true };
        found += check(&shelf, &index, &query);
        for corner in 0..4 {
            found +=
                check(&shelf, &index, &Query { scope: Scope::Corner(corner), ..query.clone() });
        }
    }
    assert!(found >= 25);
}

#[test]
fn cards_and_facts_are_those_of_the_games() {
    let mut all = games(5, 9, 10, 2);
    all.extend(games(7, 4, 10, 3));
    let shelf = Shelf::new(all);
    let index = Index::from_bytes(to_bytes(&shelf).unwrap()).unwrap();
    assert_eq!(index.games(), 13);
    assert_eq!([5, 7, 9].map(|size| index.numbers(size)), [0..9, 9..13, 0..0]);
    assert_eq!([5, 7].map(|size| shelf.numbers(size)), [0..9, 9..13]);
    assert!(shelf.numbers(9).is_empty());
    let (facts, own) = (index.facts().unwrap(), shelf.facts().unwrap());
    assert_eq!((facts.years, facts.winners), (own.years, own.winners));
    for game in 0..13 {
        assert_eq!(index.card(game).unwrap(), shelf.card(game).unwrap());
    }
    let years: Vec<_> = shelf.games().iter().filter(|g| g.size() == 5).map(|g| g.year).collect();
    assert!(years.is_sorted());
}

#[test]
fn damage_other_kinds_and_newer_files_are_refused() {
    use zug_core::container::{Header, Kind, Writer};
    let shelf = Shelf::new(games(5, 9, 10, 2));
    let bytes = to_bytes(&shelf).unwrap();
    for at in (0..bytes.len()).step_by(97) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x10;
        let whole = Index::from_bytes(broken).and_then(|index| index.verify());
        assert!(whole.is_err(), "byte {at}");
    }
    assert!(Index::from_bytes(bytes[..bytes.len() / 2].to_vec()).is_err());
    let told = |kind, layout: &str| {
        let header = Header::new(kind, "go", layout);
        let file = Writer::new(Vec::new(), &header).unwrap().finish().unwrap();
        Index::from_bytes(file).unwrap_err().to_string()
    };
    assert!(told(Kind::Model, LAYOUT).contains("expected a book"));
    assert!(told(Kind::Book, "go-explorer/2").contains("go-explorer/2"));
}

#[test]
fn the_same_games_give_the_same_bytes() {
    let one = to_bytes(&Shelf::new(games(6, 20, 20, 9))).unwrap();
    let mut turned = games(6, 20, 20, 9);
    turned.reverse();
    assert_eq!(one, to_bytes(&Shelf::new(turned)).unwrap());
}

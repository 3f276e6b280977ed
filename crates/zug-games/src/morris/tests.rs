use super::*;
use std::collections::{BTreeMap, BTreeSet};
use zug_core::checks::sample;
use zug_core::{Line, rng};

fn morris() -> Morris {
    Morris::new(9).unwrap()
}

fn moves(game: &Morris, text: &str) -> Vec<String> {
    let position = game.read_position(text).unwrap();
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    moves.into_iter().map(|mv| game.write_move(&position, mv)).collect()
}

#[test]
fn the_move_tree_has_the_known_counts() {
    let game = morris();
    let counts: Vec<u64> = (1..=5).map(|d| game.perft(&game.start(), d)).collect();
    // At ply five the first mills take one of two men: 16 mills, 3! orders, 21·20 replies.
    assert_eq!(counts, [24, 552, 12_144, 255_024, 5_100_480 + 16 * 6 * 420]);
}

/// The rules once more, as plainly as possible: fields are the names of a chess board, lines are
/// read off the coordinates.
struct Plain {
    fields: BTreeSet<(i32, i32)>,
}

type Men = BTreeMap<(i32, i32), usize>;

impl Plain {
    fn new() -> Plain {
        let reach = |c: i32, r: i32| (c - 3).abs().max((r - 3).abs());
        let on_line = |c: i32, r: i32| (c - 3).abs() == (r - 3).abs() || c == 3 || r == 3;
        let all = (0..7).flat_map(|c| (0..7).map(move |r| (c, r)));
        let fields = all.filter(|&(c, r)| reach(c, r) > 0 && on_line(c, r)).collect();
        Plain { fields }
    }

    /// The next field in a direction, along a drawn line.
    fn next(&self, (c, r): (i32, i32), (dc, dr): (i32, i32)) -> Option<(i32, i32)> {
        let mut at = (c + dc, r + dr);
        // Lines end at the middle of the board.
        while (0..7).contains(&at.0) && (0..7).contains(&at.1) && at != (3, 3) {
            if self.fields.contains(&at) {
                return Some(at);
            }
            at = (at.0 + dc, at.1 + dr);
        }
        None
    }

    fn neighbours(&self, field: (i32, i32)) -> Vec<(i32, i32)> {
        [(1, 0), (-1, 0), (0, 1), (0, -1)].iter().filter_map(|&d| self.next(field, d)).collect()
    }

    fn in_mill(&self, men: &Men, field: (i32, i32)) -> bool {
        let owner = men[&field];
        [[(1, 0), (-1, 0)], [(0, 1), (0, -1)]].iter().any(|directions| {
            let mut count = 1;
            for &direction in directions {
                let mut at = field;
                while let Some(next) = self.next(at, direction) {
                    at = next;
                    if men.get(&at) != Some(&owner) {
                        break;
                    }
                    count += 1;
                }
            }
            count == 3
        })
    }

    /// All (men, hands) after one move of `side`.
    fn successors(&self, men: &Men, hand: [u8; 2], side: usize) -> Vec<(Men, [u8; 2])> {
        let count = |who: usize| men.values().filter(|&&o| o == who).count();
        if count(side) + usize::from(hand[side]) < 3 {
            return Vec::new();
        }
        let mut placed = Vec::new();
        let free: Vec<_> = self.fields.iter().filter(|f| !men.contains_key(f)).collect();
        if hand[side] > 0 {
            for &&to in &free {
                placed.push((None, to));
            }
        } else {
            for (&from, _) in men.iter().filter(|&(_, &o)| o == side) {
                for &&to in &free {
                    if count(side) == 3 || self.neighbours(from).contains(&to) {
                        placed.push((Some(from), to));
                    }
                }
            }
        }
        let mut out = Vec::new();
        for (from, to) in placed {
            let (mut men, mut hand) = (men.clone(), hand);
            match from {
                Some(from) => drop(men.remove(&from)),
                None => hand[side] -= 1,
            }
            men.insert(to, side);
            let others: Vec<_> = men.iter().filter(|&(_, &o)| o != side).map(|(&f, _)| f).collect();
            if !self.in_mill(&men, to) || others.is_empty() {
                out.push((men, hand));
                continue;
            }
            let all_closed = others.iter().all(|&f| self.in_mill(&men, f));
            for victim in others {
                if all_closed || !self.in_mill(&men, victim) {
                    let mut fewer = men.clone();
                    fewer.remove(&victim);
                    out.push((fewer, hand));
                }
            }
        }
        out
    }

    fn of(position: &Position) -> (Men, [u8; 2], usize) {
        let mut men = Men::new();
        for side in 0..2 {
            for field in bits(position.men[side]) {
                let (c, r) = BOARD.places[field];
                men.insert((c as i32, r as i32), side);
            }
        }
        (men, position.hand, position.side.index())
    }
}

#[test]
fn a_plain_second_implementation_agrees_on_thousands_of_positions() {
    let (game, plain) = (morris(), Plain::new());
    assert_eq!(plain.fields.len(), 24);
    let (mut count, mut fewer) = (0, 0);
    for position in sample(&game, &mut rng(5, 0), 3_000) {
        let (men, hand, side) = Plain::of(&position);
        let mut expected = plain.successors(&men, hand, side);
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let mut found: Vec<(Men, [u8; 2])> = moves
            .into_iter()
            .map(|mv| {
                let mut next = position.clone();
                game.play(&mut next, mv);
                let (men, hand, _) = Plain::of(&next);
                (men, hand)
            })
            .collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{}", game.write_position(&position));
        count += found.len();
        fewer += found.iter().filter(|(m, _)| m.len() < men.len()).count();
    }
    assert!(count > 20_000 && fewer > 500, "{count} moves, {fewer} of them take a man");
}

#[test]
fn a_mill_takes_a_man_but_none_from_a_mill() {
    let game = morris();
    let start = ".../.../.../....../.../.../... x 9 9";
    assert_eq!(game.write_position(&game.start()), start);
    // White closes a7-d7-g7; black has a mill on row 1 and a single man on d2.
    let text = "XX./.../.../....X./.../.O./OOO x 0 0";
    let all = moves(&game, text);
    let closing: Vec<&String> = all.iter().filter(|m| m.contains('x')).collect();
    assert_eq!(closing, ["f4-g7xd2"], "three men fly; the mill on row 1 is safe");
    // Without the single man the mill is all there is.
    let text = "XX./.../.../....X./.../.../OOO x 0 0";
    let all = moves(&game, text);
    assert_eq!(all.iter().filter(|m| m.starts_with("f4-g7x")).count(), 3);
}

#[test]
fn flying_can_be_forbidden() {
    let text = "X../.../.../X...../.../..O/XOO x 0 0";
    let flying = moves(&morris(), text).len();
    let walking = moves(&Morris { flying: false, ..morris() }, text);
    assert!(flying > 30);
    assert_eq!(walking, ["a7-d7", "a4-b4"]);
}

#[test]
fn too_few_men_or_no_move_lose() {
    let game = morris();
    let few = game.read_position("XX./.../.../....../.../.../OOO x 0 0").unwrap();
    assert_eq!(game.outcome(&few).unwrap().reason, "fewer than three men");
    assert_eq!(game.outcome(&few).unwrap().winner, Some(Side::Second));
    let free = game.read_position("XOX/.O./.../XO..OX/.../.../OO. x 0 0").unwrap();
    assert!(game.outcome(&free).is_none(), "g4 can go to g1");
    let stuck = game.read_position("XOX/.O./.../XO..OX/.../.../OOO x 0 0").unwrap();
    assert_eq!(game.outcome(&stuck), Some(Outcome::win(Side::Second, "no man can move")));
}

#[test]
fn going_to_and_fro_is_a_draw() {
    let start = morris().read_position("XX./X../.../....X./.../.O./OO. x 0 0").unwrap();
    let mut line = Line::from_position(morris(), start);
    for mv in ["f4-f6", "d2-b2", "f6-f4", "b2-d2"].iter().cycle().take(8) {
        assert!(line.outcome().is_none());
        line.play_text(mv).unwrap();
    }
    assert_eq!(line.outcome(), Some(Outcome::draw("repetition")));
}

#[test]
fn broken_positions_and_options_are_refused() {
    let game = morris();
    for text in [
        "",
        "... x 9 9",
        ".../.../.../....../.../.../... x 9 8",
        ".../.../.../....../.../.../... o 9 9",
        ".../.../.../....../.../.../.... x 9 9",
        ".../.../.../....../.../.../... x 9",
        ".../.../.../....../.../.../... x 9 9 9",
        ".../.../.../....../.../.../... x 255 255",
        "XXX/.../.../....../.../.../O.. x 0 0",
        "XXX/XXX/XXX/X...../.../.../OOO x 0 0",
        "?../.../.../....../.../.../... x 9 9",
    ] {
        assert!(game.read_position(text).is_err(), "{text}");
    }
    for spec in ["morris:men=2", "morris:men=10", "morris:flying=maybe", "morris:9"] {
        assert!(Morris::open(&Spec::parse(spec).unwrap()).is_err(), "{spec}");
    }
}

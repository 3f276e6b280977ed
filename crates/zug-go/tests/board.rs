//! The board against a naive one that floods and compares whole grids.

use proptest::prelude::*;
use std::collections::BTreeSet;
use zug_core::{Game, Side, Symmetric};
use zug_go::{Board, Go, Ko, Move, Point, Position, Rules};

/// Stones in rows; everything is found by flooding.
#[derive(Clone, PartialEq, Debug)]
struct Naive {
    size: usize,
    grid: Vec<Option<Side>>,
}

impl Naive {
    fn new(size: usize) -> Naive {
        Naive { size, grid: vec![None; size * size] }
    }

    fn neighbours(&self, at: usize) -> Vec<usize> {
        let (x, y, n) = (at % self.size, at / self.size, self.size);
        let mut out = Vec::new();
        if x > 0 {
            out.push(at - 1);
        }
        if x + 1 < n {
            out.push(at + 1);
        }
        if y > 0 {
            out.push(at - n);
        }
        if y + 1 < n {
            out.push(at + n);
        }
        out
    }

    /// The chain of a stone and its liberties.
    fn flood(&self, at: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut chain, mut liberties) = (BTreeSet::from([at]), BTreeSet::new());
        let mut todo = vec![at];
        while let Some(p) = todo.pop() {
            for q in self.neighbours(p) {
                if self.grid[q].is_none() {
                    liberties.insert(q);
                } else if self.grid[q] == self.grid[at] && chain.insert(q) {
                    todo.push(q);
                }
            }
        }
        (chain, liberties)
    }

    fn remove_dead(&mut self, at: usize) -> usize {
        let (chain, liberties) = self.flood(at);
        if !liberties.is_empty() {
            return 0;
        }
        for &p in &chain {
            self.grid[p] = None;
        }
        chain.len()
    }

    /// The grid after a move, with the stones captured and the stones lost by suicide.
    fn after(&self, at: usize, side: Side) -> (Naive, usize, usize) {
        let mut next = self.clone();
        next.grid[at] = Some(side);
        let mut captured = 0;
        for q in self.neighbours(at) {
            if next.grid[q] == Some(side.other()) {
                captured += next.remove_dead(q);
            }
        }
        let lost = next.remove_dead(at);
        (next, captured, lost)
    }
}

fn point(size: usize, at: usize) -> Point {
    Point::new(at % size, at / size).unwrap()
}

fn number(size: usize, p: Point) -> usize {
    p.y() * size + p.x()
}

/// Is every chain, liberty and stone the same?
fn same(board: &Board, naive: &Naive) -> Result<(), TestCaseError> {
    let size = naive.size;
    prop_assert_eq!(board.key(), board.key_from_stones());
    let mut difference = 0;
    for at in 0..size * size {
        let p = point(size, at);
        prop_assert_eq!(board.at(p).side(), naive.grid[at]);
        let Some(side) = naive.grid[at] else { continue };
        difference += 1 - 2 * side.index() as i32;
        let (chain, liberties) = naive.flood(at);
        let found: BTreeSet<usize> = board.chain_stones(p).map(|q| number(size, q)).collect();
        prop_assert_eq!(board.chain_size(p), chain.len());
        prop_assert_eq!(found, chain);
        let found: BTreeSet<usize> =
            board.liberties(p, usize::MAX).into_iter().map(|q| number(size, q)).collect();
        let last = (liberties.len() == 1).then(|| point(size, *liberties.first().unwrap()));
        prop_assert_eq!(board.last_liberty(p), last);
        prop_assert_eq!(found, liberties);
    }
    prop_assert_eq!(board.stone_difference(), difference);
    let empty: BTreeSet<usize> = board.empty_points().map(|p| number(size, p)).collect();
    let expected: BTreeSet<usize> =
        (0..size * size).filter(|&at| naive.grid[at].is_none()).collect();
    prop_assert_eq!(board.empty_count(), expected.len());
    prop_assert_eq!(empty, expected);
    Ok(())
}

/// Plays random moves on both boards and compares all that can be seen.
fn play(size: usize, suicide: bool, choices: &[u16]) -> Result<(), TestCaseError> {
    let mut rules = Rules::new(size).unwrap();
    rules.suicide = suicide;
    rules.ko = Ko::Simple;
    let game = Go::new(rules);
    let mut position = game.start();
    let mut naive = Naive::new(size);
    let mut before = naive.clone();
    let mut captures = [0, 0];
    for &choice in choices {
        let side = position.to_move();
        let allowed: Vec<usize> = (0..size * size)
            .filter(|&at| {
                if naive.grid[at].is_some() {
                    return false;
                }
                let (next, _, lost) = naive.after(at, side);
                let is_suicide = lost > 0 && (!suicide || lost == 1);
                // `before` is the grid before the opponent's last move.
                !is_suicide && next != before
            })
            .collect();
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let mut expected: Vec<Move> =
            allowed.iter().map(|&at| Move::Play(point(size, at))).collect();
        expected.push(Move::Pass);
        prop_assert_eq!(&moves, &expected);
        // Few passes, or the board would stay empty.
        let choice = usize::from(choice) % (4 * moves.len());
        let mv = moves.get(choice % moves.len()).copied().unwrap();
        let mv = if choice >= moves.len() && mv == Move::Pass { moves[0] } else { mv };
        before = naive.clone();
        if let Move::Play(p) = mv {
            let (next, captured, lost) = naive.after(number(size, p), side);
            naive = next;
            captures[side.index()] += captured;
            captures[side.other().index()] += lost;
        }
        game.play(&mut position, mv);
        same(position.board(), &naive)?;
        for side in Side::BOTH {
            prop_assert_eq!(position.board().captures(side), captures[side.index()]);
        }
        let text = game.write_position(&position);
        let read = game.read_position(&text);
        prop_assert_eq!(read.as_ref(), Ok(&position));
        if game.outcome(&position).is_some() {
            break;
        }
    }
    for symmetry in 0..8 {
        let image = game.map_position(symmetry, &position);
        let back = (0..8).any(|s| game.map_position(s, &image) == position);
        prop_assert!(back, "symmetry {} has an inverse", symmetry);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_play_agrees_with_the_naive_board(
        size in 2usize..=7,
        suicide: bool,
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        play(size, suicide, &choices)?;
    }

    #[test]
    fn any_text_is_a_position_or_an_error(text in "[XO.0-9/ a-z=,-]{0,60}", size in 2usize..=19) {
        if let Ok(position) = Position::from_text(&text, size) {
            prop_assert_eq!(Position::from_text(&position.to_text(), size), Ok(position));
        }
    }

    #[test]
    fn any_text_is_a_move_or_an_error(text in "\\PC{0,6}", size in 2usize..=19) {
        let game = Go::new(Rules::new(size).unwrap());
        if let Ok(mv) = game.read_move(&game.start(), &text) {
            let written = game.write_move(&game.start(), mv);
            prop_assert_eq!(game.read_move(&game.start(), &written), Ok(mv));
        }
    }
}

#[test]
fn large_boards_agree_too() {
    let mut state = 1u64;
    let choices: Vec<u16> = std::iter::repeat_with(|| {
        state = zug_core::seed::mix(state.wrapping_add(0x9E37_79B9_7F4A_7C15));
        state as u16
    })
    .take(250)
    .collect();
    play(11, true, &choices).unwrap();
    play(19, false, &choices[..100]).unwrap();
}

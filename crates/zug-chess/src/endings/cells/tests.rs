//! The fast cells against the general index, the rules, and themselves.

use super::*;
use crate::endings::tests::ending;
use zug_core::rng;
use zug_core::seed::RngExt;
use zug_solve::{GameCells, Index, Options};

const ENDINGS: [&str; 12] = [
    "KRvK",
    "KRvKN",
    "KRvKR",
    "KPvK",
    "KRRvK",
    "KBvKB",
    "KBBvKB",
    "KPvKP",
    "KPPvKP",
    "KRPvKR",
    "KQPvKR,draws=claimed",
    "men=4",
];

fn options() -> [Options; 3] {
    [Options::default(), Options::full(), Options { mirror: false, ..Options::default() }]
}

fn cells(text: &str, options: Options) -> (EndingCells, GameCells<Chess>) {
    let game = ending(text);
    let index = Index::new(&game, options).unwrap();
    (EndingCells::new(&game, index.space()).unwrap(), GameCells::new(index))
}

#[test]
fn a_symmetry_that_two_men_carry_is_refused() {
    let most = Options { reference: zug_solve::Reference::Most, ..Options::default() };
    assert!(EndingCells::open(&ending("KRRvK"), most).is_err());
    assert!(EndingCells::open(&ending("KRvK"), most).is_ok());
}

/// Some cells of every part.
fn draw(cells: &EndingCells, each: usize, seed: u64) -> Vec<u64> {
    let mut rng = rng(seed, 0);
    let each = (each / cells.plans.len()).max(4);
    let mut drawn = Vec::new();
    for plan in &cells.plans {
        drawn.extend((0..each).map(|_| plan.base + rng.random_range(0..plan.size)));
    }
    drawn
}

fn count(list: &[u64], cell: u64) -> usize {
    list.iter().filter(|&&c| c == cell).count()
}

fn distinct(mut list: Vec<u64>) -> Vec<u64> {
    list.sort_unstable();
    list.dedup();
    list
}

#[test]
fn placements_have_the_numbers_of_the_general_index() {
    for text in ENDINGS {
        for options in options() {
            let (fast, slow) = cells(text, options);
            let space = slow.index().space();
            let mut boards = vec![0; space.kinds()];
            for cell in draw(&fast, 2_000, 1) {
                let mut scratch = fast.scratch();
                let plan = fast.part(cell, &mut scratch);
                let side = space.boards(cell, &mut boards);
                let Ok(men) = plan.place(cell - plan.base) else {
                    assert_eq!(side, None, "{text} {cell}");
                    continue;
                };
                let mut own = vec![0; space.kinds()];
                (0..men.n).for_each(|i| own[usize::from(men.kind[i])] |= bit(men.square[i]));
                assert_eq!(own, boards, "{text} {cell}");
                assert_eq!(side.map(|s| s.index()), Some(men.side));
                let number = fast.number(&men).map(|(cell, _)| cell);
                assert_eq!(number, space.index(&boards, side.unwrap()), "{text} {cell}");
            }
        }
    }
}

#[test]
fn cells_hold_and_lead_to_what_the_rules_say() {
    for text in ENDINGS {
        for options in options() {
            let (fast, slow) = cells(text, options);
            let (mut one, mut two) = (fast.scratch(), slow.scratch());
            let (mut here, mut there) = (Vec::new(), Vec::new());
            for cell in draw(&fast, 600, 2) {
                let content = fast.content(cell, &mut one);
                assert_eq!(content, slow.content(cell, &mut two), "{text} {cell}");
                if content != Content::Open {
                    continue;
                }
                here.clear();
                there.clear();
                fast.successors(cell, &mut one, &mut here);
                slow.successors(cell, &mut two, &mut there);
                assert_eq!(here.len() as u32, fast.count_successors(cell, &mut one));
                assert_eq!(distinct(here.clone()), there, "{text} {cell}");
            }
        }
    }
}

#[test]
fn a_survey_tells_what_each_cell_holds() {
    for text in ENDINGS {
        for options in options() {
            let (fast, _) = cells(text, options);
            let (mut one, mut two) = (fast.scratch(), fast.scratch());
            for start in draw(&fast, 100, 3) {
                let range = start..(start + 150).min(fast.size());
                let mut next = range.start;
                fast.survey(range.clone(), &mut one, &mut |cell, content| {
                    assert_eq!(cell, next);
                    next += 1;
                    assert_eq!(content, fast.content(cell, &mut two), "{text} {cell}");
                });
                assert_eq!(next, range.end);
            }
        }
    }
}

#[test]
fn predecessors_and_successors_name_each_other_equally_often() {
    for text in ENDINGS {
        for options in options() {
            let (fast, _) = cells(text, options);
            let mut scratch = fast.scratch();
            let (mut next, mut before) = (Vec::new(), Vec::new());
            let all = 0..fast.size();
            for cell in draw(&fast, 300, 4) {
                let content = fast.content(cell, &mut scratch);
                if matches!(content, Content::Illegal | Content::Duplicate) {
                    continue;
                }
                next.clear();
                if content == Content::Open {
                    fast.successors(cell, &mut scratch, &mut next);
                }
                for &q in &distinct(next.clone()) {
                    before.clear();
                    fast.predecessors(q, &all, &mut scratch, &mut before);
                    assert_eq!(count(&before, cell), count(&next, q), "{text}: {cell} to {q}");
                }
                before.clear();
                fast.predecessors(cell, &all, &mut scratch, &mut before);
                for &p in &distinct(before.clone()) {
                    assert_eq!(fast.content(p, &mut scratch), Content::Open, "{text} {p}");
                    next.clear();
                    fast.successors(p, &mut scratch, &mut next);
                    assert_eq!(count(&before, p), count(&next, cell), "{text}: {p} to {cell}");
                }
                // Stage by stage the same are found.
                let mut parts = Vec::new();
                for plan in &fast.plans {
                    let range = plan.base..plan.base + plan.size;
                    fast.predecessors(cell, &range, &mut scratch, &mut parts);
                }
                parts.sort_unstable();
                before.sort_unstable();
                assert_eq!(parts, before, "{text} {cell}");
            }
        }
    }
}

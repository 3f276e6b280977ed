//! The published figures of the index, and its properties on layouts at random.

use super::*;
use proptest::prelude::*;
use zug_core::indexed::maps;

fn dodgem(n: usize) -> Layout {
    let cars = n as u32 - 1;
    Layout::new((n * n) as u32)
        .piece("car", Side::First, 0..=cars)
        .piece("car", Side::Second, 0..=cars)
        .admit(|counts, _| counts[0] + counts[1] > 0)
        .mirror(move |_| Some(maps::rising_diagonal(n)))
}

fn losing_tictactoe() -> Layout {
    Layout::new(16)
        .piece("stone", Side::First, 0..=8)
        .piece("stone", Side::Second, 0..=8)
        .admit(|counts, side| counts[0] == counts[1] + side.index() as u32)
        .axes(|_| square_axes(4))
}

fn square_axes(n: usize) -> Vec<FieldMap> {
    vec![maps::left_right(n, n), maps::up_down(n, n), maps::falling_diagonal(n)]
}

/// Pieces of a chess ending, each once: kings, and these kinds for the first side.
fn chess_ending(others: &[(&'static str, u32, u64)], pawns: bool) -> Layout {
    let mut layout =
        Layout::new(64).piece("king", Side::First, 1..=1).piece("king", Side::Second, 1..=1);
    for &(name, count, fields) in others {
        layout = layout.piece_on(name, Side::First, count..=count, fields);
    }
    layout.axes(move |_| if pawns { vec![maps::left_right(8, 8)] } else { square_axes(8) })
}

fn size(layout: &Layout, options: Options) -> u64 {
    Space::new(layout, options).unwrap().size()
}

#[test]
fn dodgem_has_277_992_slots_with_the_colour_swap_and_twice_as_many_without() {
    let space = Space::new(&dodgem(4), Options::default()).unwrap();
    assert_eq!((space.size(), space.parts().len()), (277_992, 15));
    let full = Space::new(&dodgem(4), Options::full()).unwrap();
    assert_eq!((full.size(), full.parts().len()), (555_984, 30));
    assert_eq!(size(&dodgem(3), Options::default()), 1_422);
    assert_eq!(size(&dodgem(5), Options::default()), 120_030_200);
    assert_eq!(size(&dodgem(6), Options::default()), 94_355_345_352);
}

#[test]
fn the_start_of_dodgem_is_slot_18_017_of_its_part() {
    let space = Space::new(&dodgem(4), Options::default()).unwrap();
    let start = [0b1_0001_0001, 0b1110_0000_0000_0000];
    let index = space.index(&start, Side::First).unwrap();
    let part = space.parts().iter().find(|p| p.counts() == [3, 3]).unwrap();
    assert_eq!(index - part.base(), 18_017);
    // The mirrored start with the other side to move is the same position.
    assert_eq!(space.index(&start, Side::Second), Some(index));
}

#[test]
fn losing_tictactoe_has_the_published_sizes() {
    let layout = losing_tictactoe();
    let full = Space::new(&layout, Options::full()).unwrap();
    assert_eq!((full.size(), full.parts().len()), (10_165_779, 17));
    assert_eq!(size(&layout, Options::default()), 1_349_657);
    let most = Options { reference: Reference::Most, ..Options::default() };
    assert_eq!(size(&layout, most), 1_335_954);
}

#[test]
fn chess_endings_have_the_sizes_of_the_formula() {
    let all = u64::MAX;
    let not_at_the_edge = 0x00FF_FFFF_FFFF_FF00;
    let check = |others: &[(&'static str, u32, u64)], pawns: bool, slots: u64| {
        assert_eq!(size(&chess_ending(others, pawns), Options::default()), slots);
    };
    check(&[("rook", 1, all)], false, 78_120);
    check(&[("rook", 2, all)], false, 2_382_660);
    check(&[("queen", 1, all), ("rook", 1, all)], false, 4_765_320);
    check(&[("pawn", 1, not_at_the_edge)], true, 187_488);
}

#[test]
fn kings_and_rook_and_knight_fill_eight_parts() {
    let layout = Layout::new(64)
        .piece("king", Side::First, 1..=1)
        .piece("rook", Side::First, 0..=1)
        .piece("king", Side::Second, 1..=1)
        .piece("knight", Side::Second, 0..=1)
        .axes(|_| square_axes(8));
    let full = Space::new(&layout, Options::full()).unwrap();
    assert_eq!((full.size(), full.parts().len()), (31_506_048, 8));
    let reduced = Space::new(&layout, Options::default()).unwrap();
    assert_eq!((reduced.size(), reduced.parts().len()), (4_922_820, 8));
}

/// Corners at even places of each ring, spokes at odd ones; rings from the outside.
fn morris_axes() -> Vec<FieldMap> {
    let map = |f: &dyn Fn(u8, u8) -> (u8, u8)| -> FieldMap {
        (0..24).map(|field| f(field / 8, field % 8)).map(|(r, p)| r * 8 + p).collect()
    };
    vec![map(&|r, p| (r, (p + 2) % 8)), map(&|r, p| (r, (8 - p) % 8)), map(&|r, p| (2 - r, p))]
}

#[test]
fn the_playing_phase_of_nine_mens_morris_has_the_published_size() {
    let layout = Layout::new(24)
        .piece("man", Side::First, 3..=9)
        .piece("man", Side::Second, 3..=9)
        .mirror(|_| Some((0..24).collect()))
        .axes(|_| morris_axes());
    let most = Options { reference: Reference::Most, ..Options::default() };
    assert_eq!(size(&layout, most), 9_074_932_579);
    assert_eq!(size(&layout, Options::default()), 9_312_320_235);
}

/// Kinds of one piece set each, as the worked examples of §4.8 have them.
fn example(fields: u32, kinds: &[(&'static str, u32, u64)]) -> Space {
    let mut layout = Layout::new(fields);
    for &(name, count, mask) in kinds {
        layout = layout.piece_on(name, Side::First, count..=count, mask);
    }
    let layout = layout.admit(|_, side| side == Side::First);
    let options = Options { order: Order::AsDeclared, ..Options::full() };
    Space::new(&layout, options).unwrap()
}

fn fields(list: &[u32]) -> u64 {
    list.iter().fold(0, |mask, f| mask | 1 << f)
}

fn legal_slots(space: &Space) -> Vec<u64> {
    let mut boards = vec![0; space.kinds()];
    (0..space.size()).filter(|&i| space.boards(i, &mut boards).is_some()).collect()
}

#[test]
fn the_first_example_of_unreachable_fields_reserves_4_6_and_7() {
    let space = example(
        16,
        &[
            ("one", 2, fields(&[5, 6, 9, 10])),
            ("two", 3, fields(&[0, 1, 2, 3, 4, 5])),
            ("three", 1, fields(&[0, 1, 4, 5, 10, 11, 14, 15])),
        ],
    );
    let reserved: Vec<u32> = space.parts()[0].reserved().map(|(_, v)| v).collect();
    assert_eq!(reserved, [4, 6, 7]);
    assert_eq!(space.size(), 840);
    assert_eq!(legal_slots(&space).len(), 466);
}

#[test]
fn the_second_example_of_unreachable_fields_has_illegal_slots_1_and_7() {
    let space = example(9, &[("one", 3, fields(&[1, 3, 4, 7])), ("two", 1, fields(&[3, 4, 5]))]);
    assert_eq!(space.size(), 8);
    assert_eq!(legal_slots(&space), [0, 2, 3, 4, 5, 6]);
}

#[test]
fn sixteen_restricted_kinds_are_no_burden() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"];
    let kinds: Vec<(&'static str, u32, u64)> =
        names.iter().enumerate().map(|(i, &name)| (name, 1, 0b111 << i)).collect();
    let space = example(18, &kinds);
    assert!(space.size() > 0);
    let layout = (0..17)
        .fold(Layout::new(64), |layout, i| layout.piece_on("x", Side::First, 1..=1, 0b111 << i));
    assert!(matches!(Space::new(&layout, Options::full()), Err(IndexError::TooMany { .. })));
}

#[test]
fn reserves_cost_one_slot_for_each_number() {
    let layout = Layout::new(4)
        .piece("man", Side::First, 0..=2)
        .reserve("hand", Some(Side::First), 0..=2)
        .admit(|counts, _| counts[0] + counts[1] == 2);
    let space = Space::new(&layout, Options::full()).unwrap();
    assert_eq!(space.size(), 2 * (1 + 4 + 6));
    let index = space.index(&[0b100, reserve_board(1)], Side::Second).unwrap();
    let mut boards = [0; 2];
    assert_eq!(space.boards(index, &mut boards), Some(Side::Second));
    assert_eq!(boards, [0b100, 1]);
    assert_eq!(space.index(&[0b100, 0b10], Side::Second), None, "not in the low bits");
}

#[test]
fn placements_outside_the_layout_have_no_index() {
    let space = Space::new(&dodgem(4), Options::default()).unwrap();
    assert_eq!(space.index(&[0, 0], Side::First), None, "vetoed");
    assert_eq!(space.index(&[0b1111, 0], Side::First), None, "too many cars");
    assert_eq!(space.index(&[1, 1], Side::First), None, "two cars on one field");
    assert_eq!(space.index(&[1 << 16, 1], Side::First), None, "off the board");
    assert_eq!(space.index(&[1], Side::First), None, "a board is missing");
    assert_eq!(space.boards(space.size(), &mut [0; 2]), None, "beyond the end");
}

#[test]
fn false_symmetries_are_refused() {
    let pawn = Layout::new(64)
        .piece_on("pawn", Side::First, 1..=1, 0x00FF_FFFF_FFFF_0000)
        .axes(|_| vec![maps::up_down(8, 8)]);
    let error = Space::new(&pawn, Options::default()).unwrap_err();
    assert!(error.to_string().contains("pawn"), "{error}");
    let turned = dodgem(4).mirror(|_| {
        // A quarter turn: a permutation, but not its own inverse.
        Some((0..16).map(|f| (f % 4) * 4 + 3 - f / 4).collect())
    });
    assert!(matches!(Space::new(&turned, Options::default()), Err(IndexError::Symmetry { .. })));
    let broken = dodgem(4).mirror(|_| Some(vec![0; 16]));
    assert!(matches!(Space::new(&broken, Options::default()), Err(IndexError::Symmetry { .. })));
}

#[test]
fn what_is_too_large_is_refused() {
    let layout = Layout::new(64)
        .piece("x", Side::First, 16..=16)
        .piece("y", Side::First, 16..=16)
        .axes(|_| square_axes(8));
    assert!(matches!(Space::new(&layout, Options::default()), Err(IndexError::Table { .. })));
    assert_eq!(Space::new(&layout, Options::full()).unwrap_err(), IndexError::Overflow);
    let many = (0..8).fold(Layout::new(64), |layout, _| layout.piece("x", Side::First, 0..=15));
    assert!(matches!(Space::new(&many, Options::full()), Err(IndexError::TooMany { .. })));
}

/// With every option, every slot and every placement of a small layout agrees.
fn check_all_slots(layout: &Layout, options: Options) {
    let space = Space::new(layout, options).unwrap();
    let full = Space::new(layout, Options::full()).unwrap();
    let mut boards = vec![0; space.kinds()];
    let mut lowest = std::collections::HashSet::new();
    for i in 0..full.size() {
        let Some(side) = full.boards(i, &mut boards) else { continue };
        assert_eq!(full.index(&boards, side), Some(i));
        let reduced = space.index(&boards, side).expect("every placement has an index");
        assert!(reduced < space.size());
        lowest.insert(reduced);
    }
    let mut canonical = 0;
    for i in 0..space.size() {
        let Some(side) = space.boards(i, &mut boards) else { continue };
        let low = space.index(&boards, side).unwrap();
        assert!(low <= i && lowest.contains(&low));
        canonical += usize::from(low == i);
    }
    assert_eq!(canonical, lowest.len());
}

/// Every placement is an image, or the colour swap of one, of exactly one slot.
fn check_images(layout: &Layout) {
    let space = Space::new(layout, Options::default()).unwrap();
    let full = Space::new(layout, Options::full()).unwrap();
    let mirrored = space.mirrored_parts();
    let mut boards = vec![0; space.kinds()];
    let mut hits = vec![0; space.size() as usize];
    for i in 0..full.size() {
        let Some(side) = full.boards(i, &mut boards) else { continue };
        hits[space.index(&boards, side).unwrap() as usize] += 1;
    }
    for i in 0..space.size() {
        let Some(side) = space.boards(i, &mut boards) else { continue };
        if space.index(&boards, side) == Some(i) {
            let sides = 1 + u64::from(mirrored[space.part_of(i)]);
            assert_eq!(hits[i as usize], space.images(i) * sides, "slot {i}");
        }
    }
    assert_eq!(space.images(space.size()), 0);
}

#[test]
fn a_slot_knows_how_many_placements_it_stands_for() {
    check_images(&dodgem(3));
    check_images(&chess_ending(&[("rook", 1, u64::MAX)], false));
    let layout = Layout::new(9)
        .piece("x", Side::First, 0..=2)
        .piece_on("y", Side::First, 0..=1, fields(&[0, 2, 4, 6, 8]))
        .piece("x", Side::Second, 0..=2)
        .axes(|_| square_axes(3));
    check_images(&layout);
    check_images(&layout.mirror(|_| None).reserve("hand", None, 0..=1));
}

#[test]
fn reduced_and_full_index_agree_on_every_placement() {
    for reference in [Reference::Fewest, Reference::Most] {
        for order in [Order::Ascending, Order::AsDeclared] {
            let options = Options { reference, order, ..Options::default() };
            check_all_slots(&dodgem(3), options);
            let layout = Layout::new(9)
                .piece("x", Side::First, 0..=2)
                .piece_on("y", Side::First, 0..=1, fields(&[0, 2, 4, 6, 8]))
                .piece("x", Side::Second, 0..=2)
                .piece_on("y", Side::Second, 0..=1, fields(&[0, 2, 4, 6, 8]))
                .axes(|_| square_axes(3))
                .mirror(|_| Some(maps::up_down(3, 3)));
            check_all_slots(&layout, options);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn the_reserve_is_the_most_fields_that_are_ever_left(
        masks in proptest::collection::vec((1u64..1 << 7, 1u32..3), 1..4)
    ) {
        prop_assume!(masks.iter().all(|(m, n)| m.count_ones() >= *n));
        let kinds: Vec<(&'static str, u32, u64)> =
            masks.iter().zip(["a", "b", "c"]).map(|(&(m, n), name)| (name, n, m)).collect();
        let mut layout = Layout::new(7);
        for &(name, count, mask) in &kinds {
            layout = layout.piece_on(name, Side::First, count..=count, mask);
        }
        let layout = layout.admit(|_, side| side == Side::First);
        let options = Options { order: Order::AsDeclared, ..Options::full() };
        let space = Space::new(&layout, options).unwrap();
        // All placements by brute force.
        let mut placed: Vec<Vec<u64>> = vec![Vec::new()];
        let mut most_left = Vec::new();
        for &(_, count, mask) in &kinds {
            let mut left = 0;
            let mut next = Vec::new();
            for boards in &placed {
                let free = mask & !boards.iter().fold(0, |a, b| a | b);
                left = left.max(free.count_ones());
                for board in (0u64..128).filter(|b| b & !free == 0 && b.count_ones() == count) {
                    let mut more = boards.clone();
                    more.push(board);
                    next.push(more);
                }
            }
            most_left.push(left);
            placed = next;
        }
        prop_assume!(!placed.is_empty());
        let reserved: Vec<u32> = space.parts()[0].reserved().map(|(_, v)| v).collect();
        prop_assert_eq!(reserved, most_left);
        let mut indices: Vec<u64> =
            placed.iter().map(|b| space.index(b, Side::First).unwrap()).collect();
        indices.sort_unstable();
        prop_assert_eq!(indices, legal_slots(&space));
    }
}

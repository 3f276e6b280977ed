//! Which patterns lie around each move?
//!
//! Discs grow width by width for all moves at once. A move whose disc is not known at one width is
//! not followed to the next: every wider disc holds the narrower one, so it is rarer still, and so is
//! the same disc with marks or liberties. For the user of [`Surroundings::meet`] a key is just a
//! number; which ones are known is for the caller to say, of many moves at once: a look into a large
//! table takes long, many looks that do not wait for each other hardly longer.

use super::fields::*;
use super::geometry::{
    DISCS, Lanes, MARGIN, WIDEST, add, board_key, corner_key, distance, smallest,
};
use super::view::{BORDER, EMPTY, OWN, View, cell};
use crate::point::Point;
use crate::policy::Scene;
use std::sync::LazyLock;
use zug_core::seed::mix;

/// A salt for each field, so that equal stones in different fields have different keys.
static SALTS: LazyLock<[u64; KEYS]> =
    LazyLock::new(|| std::array::from_fn(|i| mix(0x5A17_0000 + i as u64)));

/// The widest square in a corner.
const SPAN: usize = CORNERS[CORNERS.len() - 1];

/// Keys of contents at places of a corner; content 0 is the move.
static CORNER_KEYS: LazyLock<Vec<[u64; 2]>> = LazyLock::new(|| {
    let mut keys = Vec::new();
    for content in 0..4 {
        for y in 0..SPAN {
            for x in 0..SPAN {
                keys.push(corner_key(content, x, y));
            }
        }
    }
    keys
});

fn at_corner(content: usize, x: usize, y: usize) -> [u64; 2] {
    CORNER_KEYS[(content * SPAN + y) * SPAN + x]
}

/// Contents of cells beside the colours 1 to 3: the last move, the one before it, the move itself.
const LAST: usize = 4;
const BEFORE: usize = 5;
const MOVE: usize = 6;
/// Stones by the liberties of their chain: own with 1, 2, 3 or more, others the same, from here on.
const BREATHING: usize = 7;

/// Answers may lie so far from the move that they answer.
const FARTHEST_REPLY: usize = 10;
/// From this ply on the whole board is not looked up.
pub const LATE: u32 = 40;

/// A move whose discs are still known.
struct Growing {
    at: u16,
    /// The offsets of the last two moves, and their distances.
    marks: [Option<(u8, u8)>; 2],
    lanes: Lanes,
    breath: Lanes,
    breathes: bool,
}

/// Moves by their number, each with the key of a pattern.
pub type Met = Vec<(u16, u64)>;

/// Hashes patterns; keeps its lists so that nothing is allocated.
#[derive(Default)]
pub struct Surroundings {
    growing: Vec<Growing>,
    /// Those that still grow.
    alive: Vec<u16>,
    met: Met,
    near: Vec<(u16, u8)>,
    unknown: Vec<bool>,
}

impl Surroundings {
    /// Tells `meet` the patterns of all moves: which field, which moves with which keys (never 0). It
    /// leaves those in the list that are known; wider ones are told of these only. Discs are told up
    /// to the width `widest`.
    pub fn meet(
        &mut self,
        view: &View,
        scene: &Scene<'_>,
        points: &[Point],
        widest: usize,
        mut meet: impl FnMut(usize, &mut Met),
    ) {
        self.discs(view, scene, points, widest, &mut meet);
        self.replies(view, scene, points, &mut meet);
        self.corners(view, points, &mut meet);
        if scene.position.moves_played() < LATE {
            self.boards(view, points, &mut meet);
        }
    }

    fn discs(
        &mut self,
        view: &View,
        scene: &Scene<'_>,
        points: &[Point],
        widest: usize,
        meet: &mut impl FnMut(usize, &mut Met),
    ) {
        let (discs, salts) = (&*DISCS, &*SALTS);
        let Surroundings { growing, alive, met, .. } = self;
        growing.clear();
        alive.clear();
        alive.extend(0..points.len() as u16);
        for p in points {
            let mark = |recent: Option<Point>| {
                let q = recent?;
                let (dx, dy) = (q.x() as i32 - p.x() as i32, q.y() as i32 - p.y() as i32);
                Some((discs.number(dx, dy)? as u8, distance(dx, dy) as u8))
            };
            growing.push(Growing {
                at: cell(p.x(), p.y()) as u16,
                marks: scene.recent.map(mark),
                lanes: [0; 8],
                breath: [0; 8],
                breathes: true,
            });
        }
        let (mut shape, mut breath, mut mark) = (0, 0, 0);
        for width in 2..=widest.min(WIDEST) {
            let ring = discs.within[width - 1]..discs.within[width];
            let breathing = breath < BREATHS.len();
            for &i in alive.iter() {
                let g = &mut growing[usize::from(i)];
                for number in ring.clone() {
                    let q = usize::from(g.at)
                        .wrapping_add_signed(isize::from(discs.offsets[number].step));
                    let content = view.grid[q];
                    if content == EMPTY {
                        continue;
                    }
                    add(&mut g.lanes, discs.key(number, usize::from(content)));
                    if breathing && g.breathes {
                        let content = if content == BORDER {
                            usize::from(BORDER)
                        } else {
                            let liberties = view.chains[usize::from(view.chain[q])].liberties;
                            let few = usize::from(liberties.min(3)) - 1;
                            BREATHING + few + if content == OWN { 0 } else { 3 }
                        };
                        add(&mut g.breath, discs.key(number, content));
                    }
                }
            }
            if breath < BREATHS.len() && BREATHS[breath] == width {
                let field = AT_BREATHS + breath;
                met.clear();
                for &i in alive.iter() {
                    let g = &mut growing[usize::from(i)];
                    if std::mem::take(&mut g.breathes) {
                        met.push((i, (smallest(&g.breath) ^ salts[field]).max(1)));
                    }
                }
                meet(field, met);
                met.iter().for_each(|&(i, _)| growing[usize::from(i)].breathes = true);
                breath += 1;
            }
            if mark < MARKED.len() && MARKED[mark] == width {
                let field = AT_MARKED + mark;
                met.clear();
                for &i in alive.iter() {
                    let g = &growing[usize::from(i)];
                    let [last, before] =
                        g.marks.map(|m| m.filter(|&(_, d)| usize::from(d) <= width));
                    if last.is_none() && before.is_none() {
                        continue;
                    }
                    let mut lanes = g.lanes;
                    for (mark, content) in [(last, LAST), (before, BEFORE)] {
                        if let Some((number, _)) = mark {
                            add(&mut lanes, discs.key(usize::from(number), content));
                        }
                    }
                    met.push((i, (smallest(&lanes) ^ salts[field]).max(1)));
                }
                // A disc that is not known with the last move in it may be known with both.
                meet(field, met);
                mark += 1;
            }
            if shape < SHAPES.len() && SHAPES[shape] == width {
                let field = AT_SHAPES + shape;
                met.clear();
                met.extend(alive.iter().map(|&i| {
                    (i, (smallest(&growing[usize::from(i)].lanes) ^ salts[field]).max(1))
                }));
                meet(field, met);
                alive.clear();
                alive.extend(met.iter().map(|&(i, _)| i));
                shape += 1;
            }
            if alive.is_empty() {
                break;
            }
        }
    }

    /// Discs around the last move, with the place of the answer.
    fn replies(
        &mut self,
        view: &View,
        scene: &Scene<'_>,
        points: &[Point],
        meet: &mut impl FnMut(usize, &mut Met),
    ) {
        let Some(last) = scene.recent[0] else { return };
        let (discs, salts) = (&*DISCS, &*SALTS);
        let Surroundings { met, near, .. } = self;
        near.clear();
        for (i, p) in points.iter().enumerate() {
            let (dx, dy) = (p.x() as i32 - last.x() as i32, p.y() as i32 - last.y() as i32);
            if distance(dx, dy) <= FARTHEST_REPLY
                && let Some(number) = discs.number(dx, dy)
            {
                near.push((i as u16, number as u8));
            }
        }
        let at = cell(last.x(), last.y());
        let mut lanes = [0; 8];
        let mut done = 0;
        for (j, &width) in REPLIES.iter().enumerate() {
            for number in done..discs.within[width] {
                let q = at.wrapping_add_signed(isize::from(discs.offsets[number].step));
                let content = view.grid[q];
                if content != EMPTY {
                    add(&mut lanes, discs.key(number, usize::from(content)));
                }
            }
            done = discs.within[width];
            let field = AT_REPLIES + j;
            met.clear();
            met.extend(near.iter().map(|&(i, number)| {
                let mut lanes = lanes;
                add(&mut lanes, discs.key(usize::from(number), MOVE));
                (i, (smallest(&lanes) ^ salts[field]).max(1))
            }));
            meet(field, met);
            // Both lists are in the same order.
            let mut known = met.iter().map(|&(i, _)| i).peekable();
            near.retain(|&(i, _)| known.next_if_eq(&i).is_some());
        }
    }

    /// Squares in the corner that a move is nearest to.
    fn corners(&mut self, view: &View, points: &[Point], meet: &mut impl FnMut(usize, &mut Met)) {
        let (size, salts) = (view.size, &*SALTS);
        let Surroundings { met, unknown, .. } = self;
        unknown.clear();
        unknown.resize(points.len(), false);
        let mut all = [[0u64; 2]; 4];
        let mut done = 0;
        for (j, &span) in CORNERS.iter().enumerate() {
            if span >= size {
                break;
            }
            for (corner, lanes) in all.iter_mut().enumerate() {
                for y in 0..span {
                    for x in (if y < done { done } else { 0 })..span {
                        let bx = if corner & 1 == 0 { x } else { size - 1 - x };
                        let by = if corner & 2 == 0 { y } else { size - 1 - y };
                        let content = view.grid[cell(bx, by)];
                        if content != EMPTY {
                            let key = at_corner(usize::from(content), x, y);
                            *lanes = [lanes[0] ^ key[0], lanes[1] ^ key[1]];
                        }
                    }
                }
            }
            done = span;
            let field = AT_CORNERS + j;
            met.clear();
            for (i, p) in points.iter().enumerate() {
                let (x, y) = (p.x().min(size - 1 - p.x()), p.y().min(size - 1 - p.y()));
                // A move in the middle belongs to no corner: mirror images would choose another.
                let middle = 2 * x + 1 == size || 2 * y + 1 == size;
                if middle || x >= span || y >= span || unknown[i] {
                    continue;
                }
                let corner = usize::from(x != p.x()) + 2 * usize::from(y != p.y());
                let (key, lanes) = (at_corner(0, x, y), all[corner]);
                let least = (lanes[0] ^ key[0]).min(lanes[1] ^ key[1]);
                met.push((i as u16, (least ^ salts[field]).max(1)));
                unknown[i] = true;
            }
            meet(field, met);
            met.iter().for_each(|&(i, _)| unknown[usize::from(i)] = false);
        }
    }

    /// The whole board.
    fn boards(&mut self, view: &View, points: &[Point], meet: &mut impl FnMut(usize, &mut Met)) {
        let size = view.size;
        let mut board: Lanes = [0; 8];
        for y in 0..size {
            for x in 0..size {
                let content = view.grid[cell(x, y)];
                if content != EMPTY {
                    add(&mut board, &board_key(usize::from(content), x, y, size));
                }
            }
        }
        self.met.clear();
        self.met.extend(points.iter().enumerate().map(|(i, p)| {
            let mut lanes = board;
            add(&mut lanes, &board_key(0, p.x(), p.y(), size));
            (i as u16, (smallest(&lanes) ^ SALTS[AT_BOARD]).max(1))
        }));
        meet(AT_BOARD, &mut self.met);
    }
}

const _: () = assert!(WIDEST / 2 <= MARGIN);

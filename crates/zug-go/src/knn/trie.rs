//! Which of very many patterns match here? A tree of their stones instead of a list.
//!
//! Patterns that ask for the same stage and ko and are tied to the same place share a tree. Each node
//! asks for one stone, and stones of a pattern come from near to far: the k nearest neighbours are the
//! k − 1 nearest and one more, so a pattern mostly adds a single node to that of its smaller sibling.
//! To match means to contain, so every child whose stone is there is entered; a stone that no child
//! asks for is passed over, as the mask of the thesis does.
//!
//! Patterns are numbered from the best to the worst. Each node keeps the smallest number below it and
//! children are in its order, so whoever only wants better patterns than he has leaves most of the
//! tree alone.
//!
//! Turned patterns are not stored. One walk a symmetry over the same tree turns the steps instead.

use super::offsets::{CODES, Code, step};
use super::shapes::Shapes;
use super::symmetry::Symmetry;
use crate::board::Board;
use crate::colour::Colour;
use zug_core::Side;

/// No pattern.
const NONE: u32 = u32::MAX;
/// A step of no length to an empty point: what follows is another pattern with the same stones.
const SAME: Code = CODES as Code;

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    code: Code,
    count: u16,
    first: u32,
    /// The smallest number here and below.
    best: u32,
    /// The pattern that ends here.
    pattern: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Root {
    first: u32,
    count: u32,
}

/// Patterns of one board size, as trees.
#[derive(Clone, Debug)]
pub struct Trie {
    size: usize,
    nodes: Vec<Node>,
    /// For each stage and ko: the places that both sides tie, the columns, and one for those untied.
    roots: Vec<Root>,
    ways: Ways,
}

/// A stone's cell relative to that of the move, and what must be there.
#[derive(Clone, Copy, Debug, Default)]
struct Probe {
    step: i16,
    want: u8,
}

/// How the eight symmetries see a board of some size.
#[derive(Clone, Debug)]
struct Ways {
    probes: Vec<[Probe; CODES + 1]>,
    /// For each symmetry and point: where the move lies in the frame of the pattern.
    frame: Vec<Vec<(u8, u8)>>,
}

impl Ways {
    fn new(size: usize) -> Ways {
        let stride = stride(size) as i32;
        let reach = size as i32 - 1;
        let probes = |s: Symmetry| {
            // Beyond the reach of the board nothing is asked: such stones are in no pattern.
            let mut probes = [Probe { step: 0, want: u8::MAX }; CODES + 1];
            for (code, probe) in probes[..CODES].iter_mut().enumerate() {
                let (dx, dy) = step(code as Code);
                if dx.abs() <= reach && dy.abs() <= reach {
                    let (dx, dy) = s.turn(dx, dy);
                    *probe = Probe { step: (dy * stride + dx) as i16, want: 1 + (code & 1) as u8 };
                }
            }
            probes[CODES] = Probe { step: 0, want: 0 };
            probes
        };
        let frame = |s: Symmetry| {
            let place = |i: usize| {
                let (x, y) = s.inverse().map(size, i % size, i / size);
                (x as u8, y as u8)
            };
            (0..size * size).map(place).collect()
        };
        Ways {
            probes: Symmetry::ALL.iter().map(|&s| probes(s)).collect(),
            frame: Symmetry::ALL.iter().map(|&s| frame(s)).collect(),
        }
    }
}

/// Cells from one row of a [`Grid`] to the next: as many empty ones beside the board as a step from
/// inside can reach.
const fn stride(size: usize) -> usize {
    2 * size - 1
}

/// The stones as the side to move sees them, with room on all sides.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    cells: Vec<u8>,
    size: usize,
}

impl Grid {
    /// Shows a board as this side sees it.
    pub fn show(&mut self, board: &Board, side: Side) {
        let size = board.size();
        if self.size != size {
            *self = Grid { cells: vec![0; (3 * size + 1) * stride(size)], size };
        }
        let own = Colour::of(side);
        for p in board.points() {
            self.cells[Grid::cell(size, p.x(), p.y())] = match board.at(p) {
                Colour::Empty | Colour::Border => 0,
                colour => 1 + u8::from(colour != own),
            };
        }
    }

    const fn cell(size: usize, x: usize, y: usize) -> usize {
        (y + size) * stride(size) + x
    }
}

/// A place to look at, and the patterns that may match there.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// The stage of the game.
    pub stage: usize,
    /// Is there a ko?
    pub ko: bool,
    /// Column and row of the move.
    pub at: (usize, usize),
}

/// A pattern that matches at a [`Spot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its number.
    pub pattern: u32,
    /// Is it tied to no side, so that its room decides?
    pub loose: bool,
    /// Where the move lies in the frame of the pattern.
    pub frame: (u8, u8),
}

impl Trie {
    /// Of patterns on a board of this size, numbered as they come.
    #[must_use]
    pub fn new(shapes: &Shapes, size: usize, stages: usize) -> Trie {
        let mut order: Vec<u32> = (0..shapes.len() as u32).collect();
        order.sort_unstable_by_key(|&i| {
            let shape = shapes.get(i as usize);
            (shape.place(), shape.stones(), i)
        });
        let roots = vec![Root::default(); stages * 2 * Trie::places(size)];
        let mut trie = Trie { size, nodes: Vec::new(), roots, ways: Ways::new(size) };
        for group in order
            .chunk_by(|&a, &b| shapes.get(a as usize).place() == shapes.get(b as usize).place())
        {
            let shape = shapes.get(group[0] as usize);
            let place = match (shape.column(), shape.row()) {
                (Some(x), Some(y)) => y * size + x,
                (Some(x), None) => size * size + x,
                _ => size * size + size,
            };
            let root = trie.root(shape.stage(), shape.ko(), place);
            let (first, count) = trie.grow(shapes, group, 0);
            trie.roots[root] = Root { first, count: u32::from(count) };
        }
        trie.nodes.shrink_to_fit();
        trie
    }

    /// Places that have a tree of their own, for each stage and ko.
    const fn places(size: usize) -> usize {
        size * size + size + 1
    }

    const fn root(&self, stage: usize, ko: bool, place: usize) -> usize {
        (stage * 2 + ko as usize) * Trie::places(self.size) + place
    }

    /// Adds the nodes below one whose patterns have their first `depth` stones in common.
    fn grow(&mut self, shapes: &Shapes, ids: &[u32], depth: usize) -> (u32, u16) {
        let code = |id: u32| shapes.get(id as usize).stones().get(depth).copied();
        let ended = ids.partition_point(|&id| code(id).is_none());
        // The first of those that end belongs to the node above, unless there is none.
        let same = &ids[..ended];
        let same = if depth == 0 { same } else { same.get(1..).unwrap_or(&[]) };
        let mut groups: Vec<&[u32]> = same.chunks(1).collect();
        groups.extend(ids[ended..].chunk_by(|&a, &b| code(a) == code(b)));
        let best = |group: &[u32]| group.iter().copied().min().unwrap_or(NONE);
        groups.sort_by_cached_key(|group| best(group));
        let first = self.nodes.len();
        self.nodes.resize(first + groups.len(), Node::default());
        for (i, group) in groups.iter().enumerate() {
            let stone = code(group[0]);
            let ends = stone.is_none() || shapes.get(group[0] as usize).stones().len() == depth + 1;
            let (below, count) = match stone {
                Some(_) => self.grow(shapes, group, depth + 1),
                None => (0, 0),
            };
            self.nodes[first + i] = Node {
                code: stone.unwrap_or(SAME),
                count,
                first: below,
                best: best(group),
                pattern: if ends { group[0] } else { NONE },
            };
        }
        (first as u32, groups.len() as u16)
    }

    /// Walks to all patterns with a number below `limit` that match at a spot, in all eight ways; the
    /// visitor may lower the limit. A pattern that matches in several ways is met as often.
    pub fn walk(
        &self,
        grid: &Grid,
        spot: Spot,
        limit: &mut u32,
        visit: &mut impl FnMut(Hit, &mut u32),
    ) {
        let (x, y) = spot.at;
        let at = Grid::cell(self.size, x, y);
        let roots = &self.roots[self.root(spot.stage, spot.ko, 0)..][..Trie::places(self.size)];
        for (probes, frames) in self.ways.probes.iter().zip(&self.ways.frame) {
            let frame = frames[y * self.size + x];
            let (fx, fy) = (usize::from(frame.0), usize::from(frame.1));
            let squared = self.size * self.size;
            for (place, loose) in
                [(fy * self.size + fx, false), (squared + fx, false), (squared + self.size, true)]
            {
                let Root { first, count } = roots[place];
                if count > 0 {
                    let mut eye = Eye { cells: &grid.cells, at, probes, loose, frame };
                    let children = first as usize..(first + count) as usize;
                    self.descend(&mut eye, children, limit, visit);
                }
            }
        }
    }

    fn descend(
        &self,
        eye: &mut Eye<'_>,
        children: std::ops::Range<usize>,
        limit: &mut u32,
        visit: &mut impl FnMut(Hit, &mut u32),
    ) {
        for node in &self.nodes[children] {
            if node.best >= *limit {
                return;
            }
            let probe = eye.probes[usize::from(node.code)];
            if eye.cells[(eye.at as isize + probe.step as isize) as usize] != probe.want {
                continue;
            }
            if node.pattern < *limit {
                visit(Hit { pattern: node.pattern, loose: eye.loose, frame: eye.frame }, limit);
            }
            if node.count > 0 {
                let first = node.first as usize;
                self.descend(eye, first..first + usize::from(node.count), limit, visit);
            }
        }
    }

    /// Bytes in memory, the tables of symmetries included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let ways = self.ways.probes.len() * size_of::<[Probe; CODES + 1]>()
            + 8 * 2 * self.size * self.size;
        self.nodes.capacity() * size_of::<Node>() + self.roots.len() * size_of::<Root>() + ways
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }
}

/// One walk.
struct Eye<'a> {
    cells: &'a [u8],
    at: usize,
    probes: &'a [Probe; CODES + 1],
    loose: bool,
    frame: (u8, u8),
}

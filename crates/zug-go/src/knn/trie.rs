//! Which of very many patterns match here? A tree of their stones instead of a list.
//!
//! Patterns that ask for the same stage and ko and are tied to the same place share a tree. Each node
//! asks for one stone, and stones of a pattern come from near to far: the k nearest neighbours are the
//! k − 1 nearest and one more, so a pattern mostly adds a single node to that of its smaller sibling.
//! To match means to contain, so every child whose stone is there is entered; a stone that no child
//! asks for is passed over, as the mask of the thesis does.
//!
//! Patterns are numbered from the best to the worst. Each node keeps the smallest number here and below,
//! so whoever only wants better patterns than he has leaves most of the tree alone.
//!
//! Nearly all stones of patterns are near: one word tells which of them are there, another which ones the
//! children of a node ask for. What both have in common are the children to enter; the others are never
//! looked at.
//!
//! Turned patterns need not be stored: one walk a symmetry over the same tree turns the steps instead.
//! That is the small tree. Where memory is no matter the large one holds all eight forms of every
//! pattern and is walked once, several times as fast; both meet the same patterns.

pub use super::grid::Grid;
use super::grid::{FAR, NEAR, stride};
use super::offsets::{CODES, Code, step, turned};
use super::shapes::{Shape, Shapes};
use super::symmetry::Symmetry;

/// No pattern.
const NONE: u32 = u32::MAX;
/// A step of no length to an empty point: what follows is another pattern with the same stones.
const SAME: Code = CODES as Code;

/// Children of a node: those that ask for near stones first, in the order of their numbers, then the
/// others from the best on.
#[derive(Clone, Copy, Debug, Default)]
struct Children {
    /// The near stones that they ask for, and whether one asks for another: see [`near_bit`].
    below: u64,
    first: u32,
    /// How many do not ask for a near stone.
    far: u16,
}

/// 24 bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    below: u64,
    first: u32,
    far: u16,
    /// The stone that it asks for.
    code: Code,
    /// The smallest form here and below.
    best: u32,
    /// The form that ends here: eight times the number of its pattern, plus its symmetry; that is the
    /// first one in the small tree.
    form: u32,
}

impl Node {
    const fn children(&self) -> Children {
        Children { below: self.below, first: self.first, far: self.far }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Root {
    children: Children,
    best: u32,
}

/// The bit of a stone in a set of near ones.
const fn near_bit(code: Code) -> u64 {
    if code < NEAR { 1 << code } else { FAR }
}

/// Which forms of a pattern are stored?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forms {
    /// One: little memory.
    One,
    /// All eight: fast.
    Eight,
}

/// Patterns of one board size, as trees.
#[derive(Clone, Debug)]
pub struct Trie {
    size: usize,
    forms: Forms,
    nodes: Vec<Node>,
    /// For each stage and ko: the places that both sides tie, the columns, the rows, and one for those
    /// untied.
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

/// A form of a pattern while the tree grows.
struct Form {
    stage: usize,
    ko: bool,
    place: usize,
    number: u32,
    /// Where its stones are among those of all forms.
    stones: std::ops::Range<usize>,
}

/// All forms that a tree is made of.
struct Grove {
    forms: Vec<Form>,
    stones: Vec<Code>,
}

/// The smallest of some forms.
fn best(forms: &[Form]) -> u32 {
    forms.iter().map(|form| form.number).min().unwrap_or(NONE)
}

impl Grove {
    fn new(shapes: &Shapes, size: usize, kinds: Forms) -> Grove {
        let symmetries = match kinds {
            Forms::One => &Symmetry::ALL[..1],
            Forms::Eight => &Symmetry::ALL[..],
        };
        let mut grove = Grove { forms: Vec::new(), stones: Vec::new() };
        grove.forms.reserve_exact(shapes.len() * symmetries.len());
        for (number, shape) in shapes.iter().enumerate() {
            symmetries.iter().for_each(|&s| grove.add(number as u32, shape, size, s));
        }
        let Grove { forms, stones } = &mut grove;
        forms.sort_unstable_by(|a, b| {
            let place = |f: &Form| (f.stage, f.ko, f.place);
            place(a)
                .cmp(&place(b))
                .then_with(|| stones[a.stones.clone()].cmp(&stones[b.stones.clone()]))
                .then_with(|| a.number.cmp(&b.number))
        });
        grove
    }

    fn add(&mut self, pattern: u32, shape: Shape<'_>, size: usize, s: Symmetry) {
        let begin = self.stones.len();
        self.stones.extend(shape.stones().iter().map(|&code| turned(s, code)));
        self.stones[begin..].sort_unstable();
        let place = place(shape, size, s);
        self.forms.push(Form {
            stage: shape.stage(),
            ko: shape.ko(),
            place,
            number: 8 * pattern + s.index() as u32,
            stones: begin..self.stones.len(),
        });
    }

    fn stones(&self, form: &Form) -> &[Code] {
        &self.stones[form.stones.clone()]
    }
}

/// The place that a form of a pattern is tied to: a point, a column, a row, or none.
pub(super) fn place(shape: Shape<'_>, size: usize, s: Symmetry) -> usize {
    let squared = size * size;
    match (shape.column(), shape.row()) {
        (Some(x), Some(y)) => {
            let (x, y) = s.map(size, x, y);
            y * size + x
        }
        (Some(x), None) => {
            // A column stays one, or becomes a row.
            let ((ax, ay), (bx, _)) = (s.map(size, x, 0), s.map(size, x, 1));
            if ax == bx { squared + ax } else { squared + size + ay }
        }
        _ => squared + 2 * size,
    }
}

/// The places whose patterns may match at a point.
pub(super) const fn places_at(size: usize, x: usize, y: usize) -> [usize; 4] {
    let squared = size * size;
    [y * size + x, squared + x, squared + size + y, squared + 2 * size]
}

impl Trie {
    /// Of patterns on a board of this size, numbered as they come.
    #[must_use]
    pub fn new(shapes: &Shapes, size: usize, stages: usize, forms: Forms) -> Trie {
        let grove = Grove::new(shapes, size, forms);
        let roots = vec![Root::default(); stages * 2 * Trie::places(size)];
        let mut trie = Trie { size, forms, nodes: Vec::new(), roots, ways: Ways::new(size) };
        let place = |f: &Form| (f.stage, f.ko, f.place);
        for group in grove.forms.chunk_by(|a, b| place(a) == place(b)) {
            let (stage, ko, place) = place(&group[0]);
            let root = trie.root(stage, ko, place);
            let children = trie.grow(&grove, group, 0);
            trie.roots[root] = Root { children, best: best(group) };
        }
        trie.nodes.shrink_to_fit();
        trie
    }

    /// Places that have a tree of their own, for each stage and ko.
    pub(super) const fn places(size: usize) -> usize {
        size * size + 2 * size + 1
    }

    const fn root(&self, stage: usize, ko: bool, place: usize) -> usize {
        (stage * 2 + ko as usize) * Trie::places(self.size) + place
    }

    /// Adds the nodes below one whose forms have their first `depth` stones in common.
    fn grow(&mut self, grove: &Grove, forms: &[Form], depth: usize) -> Children {
        let code = |form: &Form| grove.stones(form).get(depth).copied();
        let ended = forms.partition_point(|form| code(form).is_none());
        // The first of those that end belongs to the node above, unless there is none.
        let same = if depth == 0 { 0 } else { ended.min(1) };
        let mut groups: Vec<&[Form]> = forms[same..ended].chunks(1).collect();
        groups.extend(forms[ended..].chunk_by(|a, b| code(a) == code(b)));
        groups.sort_by_cached_key(|group| match code(&group[0]) {
            Some(code) if code < NEAR => (0, u32::from(code)),
            _ => (1, best(group)),
        });
        let first = self.nodes.len();
        self.nodes.resize(first + groups.len(), Node::default());
        let (mut below, mut far) = (0, 0);
        for (i, group) in groups.iter().enumerate() {
            let stone = code(&group[0]);
            let ends = stone.is_none() || grove.stones(&group[0]).len() == depth + 1;
            let children = match stone {
                Some(_) => self.grow(grove, group, depth + 1),
                None => Children::default(),
            };
            let code = stone.unwrap_or(SAME);
            below |= near_bit(code);
            far += u16::from(code >= NEAR);
            self.nodes[first + i] = Node {
                below: children.below,
                first: children.first,
                far: children.far,
                code,
                best: best(group),
                form: if ends { group[0].number } else { NONE },
            };
        }
        Children { below, first: first as u32, far }
    }

    /// Walks to all patterns with a number below `limit` that match at an empty spot, in any of the eight
    /// ways; the visitor may lower the limit. A pattern that matches in several ways is met as often.
    #[inline]
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
        let point = y * self.size + x;
        let mut go = Walk { trie: self, grid, at, point, near: 0, way: 0, loose: false };
        match self.forms {
            Forms::Eight => {
                go.near = grid.near(at) | FAR;
                let [tied @ .., loose] = places_at(self.size, x, y);
                tied.into_iter().for_each(|place| go.enter(&roots[place], limit, visit));
                go.loose = true;
                go.enter(&roots[loose], limit, visit);
            }
            Forms::One => {
                for way in 0..8 {
                    let (fx, fy) = self.ways.frame[way][point];
                    (go.way, go.loose) = (way, false);
                    go.look();
                    // No pattern is tied to a row in the form that is stored.
                    let [point, column, _, loose] =
                        places_at(self.size, usize::from(fx), usize::from(fy));
                    go.enter(&roots[point], limit, visit);
                    go.enter(&roots[column], limit, visit);
                    go.loose = true;
                    go.enter(&roots[loose], limit, visit);
                }
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
struct Walk<'a> {
    trie: &'a Trie,
    grid: &'a Grid,
    at: usize,
    point: usize,
    /// The near stones that are there, with the bit of the others set.
    near: u64,
    /// The symmetry that steps are turned by.
    way: usize,
    loose: bool,
}

impl Walk<'_> {
    fn probe(&self, code: Code) -> (u8, u8) {
        let probe = self.trie.ways.probes[self.way][usize::from(code)];
        (self.grid.at((self.at as isize + probe.step as isize) as usize), probe.want)
    }

    /// Looks which near stones are there in a turned board.
    #[inline]
    fn look(&mut self) {
        self.near = FAR;
        for own in (0..NEAR).step_by(2) {
            // Own stones are 1 and have even numbers, the others 2 and odd ones. Steps beyond the board
            // have no length and lead to the empty point itself.
            self.near |= u64::from(self.probe(own).0) << own;
        }
    }

    #[inline]
    fn enter(&self, root: &Root, limit: &mut u32, visit: &mut impl FnMut(Hit, &mut u32)) {
        if root.children.below & self.near != 0 && root.best >> 3 < *limit {
            self.descend(root.children, limit, visit);
        }
    }

    fn descend(&self, children: Children, limit: &mut u32, visit: &mut impl FnMut(Hit, &mut u32)) {
        let asked = children.below & !FAR;
        let mut there = asked & self.near;
        while there != 0 {
            let bit = there & there.wrapping_neg();
            there ^= bit;
            let before = (asked & (bit - 1)).count_ones();
            let node = &self.trie.nodes[(children.first + before) as usize];
            if node.best >> 3 < *limit {
                self.meet(node, limit, visit);
            }
        }
        if children.below & FAR != 0 {
            let first = (children.first + asked.count_ones()) as usize;
            for node in &self.trie.nodes[first..first + usize::from(children.far)] {
                if node.best >> 3 >= *limit {
                    return;
                }
                let (is, want) = self.probe(node.code);
                if is == want {
                    self.meet(node, limit, visit);
                }
            }
        }
    }

    /// The stone of a node is there.
    #[inline]
    fn meet(&self, node: &Node, limit: &mut u32, visit: &mut impl FnMut(Hit, &mut u32)) {
        let pattern = node.form >> 3;
        if node.form != NONE && pattern < *limit {
            let way = self.way | (node.form & 7) as usize;
            let frame = self.trie.ways.frame[way][self.point];
            visit(Hit { pattern, loose: self.loose, frame }, limit);
        }
        if node.below & self.near != 0 {
            self.descend(node.children(), limit, visit);
        }
    }
}

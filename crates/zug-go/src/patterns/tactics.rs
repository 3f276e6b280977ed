//! What do chains, liberties, ladders and distances say about each move?

use super::fields::{COUNT, FIELDS, FIRST};
use super::geometry::{CELLS, DISCS, STRIDE, distance};
use super::ladder::Reader;
use super::view::{
    AROUND, BORDER, Chain, EMPTY, NO_CHAIN, OWN, View, cell, contains, count, insert,
};
use crate::board::Board;
use crate::playout::is_eye;
use crate::point::Point;
use crate::policy::Scene;
use std::cmp::Reverse;

/// What ladders say about a chain.
#[derive(Clone, Copy, Debug)]
struct Fate {
    /// The liberties of a chain that has at most two.
    liberties: [Point; 2],
    /// Is it caught by an attacker who plays at the liberty first?
    caught: [bool; 2],
    /// A chain with one liberty: does it get away when it moves first?
    escapes: bool,
    /// A chain of the opponent: does it touch one of ours that has one liberty?
    chases: bool,
}

/// In steps from chain to chain: far away, and from nowhere.
const FAR: u8 = 10;
const NEVER: u8 = 11;

/// Farther than any stone can be.
const UNREACHED: u8 = 100;

/// Answers the fields that have few answers; keeps its tables so that nothing is allocated.
pub struct Tactics {
    reader: Reader,
    fates: Vec<Fate>,
    far: [Vec<u8>; 2],
    queue: Vec<u16>,
    next: Vec<u16>,
    /// What the stones nearby weigh, own and others.
    pull: Vec<[i16; 2]>,
    /// How far the nearest stones are, own and others.
    near: Vec<[u8; 2]>,
}

impl Default for Tactics {
    fn default() -> Tactics {
        Tactics {
            reader: Reader::default(),
            fates: Vec::new(),
            far: [Vec::new(), Vec::new()],
            queue: Vec::new(),
            next: Vec::new(),
            pull: vec![[0; 2]; CELLS],
            near: vec![[UNREACHED; 2]; CELLS],
        }
    }
}

impl Tactics {
    /// See [`Reader::given_up`].
    #[must_use]
    pub fn given_up(&self) -> u64 {
        self.reader.given_up()
    }

    /// The features of all moves, as numbers.
    pub fn answer(
        &mut self,
        view: &View,
        scene: &Scene<'_>,
        points: &[Point],
        out: &mut Vec<[u16; COUNT]>,
    ) {
        let board = scene.position.board();
        self.read_ladders(view, board);
        for i in 0..2 {
            self.measure(view, i, scene.recent[i]);
        }
        self.weigh(view);
        self.approach(view);
        let context = self.context(view, board, scene, scene.position.moves_played());
        out.clear();
        for &p in points {
            let answers = self.answers(view, board, scene, p, &context);
            out.push(std::array::from_fn(|i| {
                debug_assert!((answers[i] as u32) < FIELDS[i].1, "{} {}", FIELDS[i].0, answers[i]);
                (FIRST[i] + answers[i] as u32) as u16
            }));
        }
    }

    /// What stones weigh on the points around them.
    fn weigh(&mut self, view: &View) {
        let discs = &*DISCS;
        self.pull.fill([0; 2]);
        for y in 0..view.size {
            for x in 0..view.size {
                let at = cell(x, y);
                let content = view.grid[at];
                if content == EMPTY {
                    continue;
                }
                let owner = usize::from(content != OWN);
                let mut done = 0;
                for (&pull, &within) in PULL.iter().zip(&discs.within) {
                    for offset in &discs.offsets[done..within] {
                        let q = at.wrapping_add_signed(isize::from(offset.step));
                        self.pull[q][owner] += pull;
                    }
                    done = within;
                }
            }
        }
    }

    /// How far the nearest stones are from every point, own and others. The distance of the discs is
    /// what steps across a corner (3) and along a line (2) add up to, so two sweeps over the board
    /// find it.
    fn approach(&mut self, view: &View) {
        let near = &mut self.near;
        for (near, &content) in near.iter_mut().zip(view.grid.iter()) {
            *near = match content {
                EMPTY | BORDER => [UNREACHED; 2],
                OWN => [0, UNREACHED],
                _ => [UNREACHED, 0],
            };
        }
        let row = STRIDE as isize;
        let behind = [(-row - 1, 3), (-row, 2), (-row + 1, 3), (-1, 2)];
        let mut relax = |at: usize, sign: isize| {
            let mut least = near[at];
            for (step, cost) in behind {
                let other = near[at.wrapping_add_signed(sign * step)];
                least = [least[0].min(other[0] + cost), least[1].min(other[1] + cost)];
            }
            near[at] = least;
        };
        for y in 0..view.size {
            (0..view.size).for_each(|x| relax(cell(x, y), 1));
        }
        for y in (0..view.size).rev() {
            (0..view.size).rev().for_each(|x| relax(cell(x, y), -1));
        }
    }

    fn read_ladders(&mut self, view: &View, board: &Board) {
        self.read_fates(view, board);
        for chain in view.chains[1..].iter().filter(|c| c.owner == OWN && c.liberties == 1) {
            for stone in board.chain_stones(chain.stone) {
                let (near, len) = view.neighbours(cell(stone.x(), stone.y()));
                for &c in &near[..len] {
                    self.fates[usize::from(c)].chases = true;
                }
            }
        }
    }

    fn read_fates(&mut self, view: &View, board: &Board) {
        self.fates.clear();
        let unread = Fate {
            liberties: [Point::at(0, 0); 2],
            caught: [false; 2],
            escapes: false,
            chases: false,
        };
        self.fates.resize(view.chains.len(), unread);
        for (chain, fate) in view.chains.iter().zip(&mut self.fates).skip(1) {
            if chain.liberties > 2 {
                continue;
            }
            let mut liberties = view.points_of(&chain.around);
            let first = liberties.next().unwrap_or(chain.stone);
            let second = liberties.next().unwrap_or(first);
            fate.liberties = [first, second];
            if chain.liberties == 1 {
                fate.escapes = self.reader.escapes(board, chain.stone);
            } else {
                fate.caught = fate.liberties.map(|at| self.reader.catches(board, chain.stone, at));
            }
        }
    }

    /// How many steps it is from a point to all others, where stones of a chain are one step.
    fn measure(&mut self, view: &View, which: usize, from: Option<Point>) {
        let far = &mut self.far[which];
        far.clear();
        let Some(from) = from else {
            far.resize(CELLS, NEVER);
            return;
        };
        far.resize(CELLS, FAR);
        let (queue, next) = (&mut self.queue, &mut self.next);
        queue.clear();
        queue.push(cell(from.x(), from.y()) as u16);
        far[cell(from.x(), from.y())] = 0;
        for steps in 0..FAR {
            next.clear();
            let mut i = 0;
            while i < queue.len() {
                let at = usize::from(queue[i]);
                i += 1;
                if far[at] != steps {
                    continue;
                }
                let chain = view.chain[at];
                for step in AROUND {
                    let q = at.wrapping_add_signed(step);
                    if view.grid[q] == BORDER {
                        continue;
                    }
                    if chain != NO_CHAIN && view.chain[q] == chain {
                        if far[q] > steps {
                            far[q] = steps;
                            queue.push(q as u16);
                        }
                    } else if far[q] > steps + 1 {
                        far[q] = steps + 1;
                        next.push(q as u16);
                    }
                }
            }
            std::mem::swap(queue, next);
        }
    }

    /// The features that all moves share.
    fn context(&self, view: &View, board: &Board, scene: &Scene<'_>, ply: u32) -> Context {
        let points = (view.size * view.size) as u32;
        let ply = ply * 361 / points.max(1);
        let stage = [8, 20, 40, 80, 140, 200].iter().filter(|&&s| ply >= s).count();
        let mut own_alarm = 0;
        let mut other_alarm = 0;
        for chain in &view.chains[1..] {
            if chain.liberties == 1 {
                let size = bucket(chain.stones).min(3);
                let alarm = if chain.owner == OWN { &mut own_alarm } else { &mut other_alarm };
                *alarm = size.max(*alarm);
            }
        }
        let last = match scene.recent[0] {
            Some(p) => {
                let line = p.x().min(p.y()).min(view.size - 1 - p.x()).min(view.size - 1 - p.y());
                let chain = &view.chains[usize::from(view.chain[cell(p.x(), p.y())])];
                let liberties = usize::from(chain.liberties.clamp(1, 4)) - 1;
                let (near, len) = view.neighbours(cell(p.x(), p.y()));
                let threatens = near[..len].iter().any(|&c| {
                    let c = &view.chains[usize::from(c)];
                    c.owner == OWN && c.liberties == 1
                });
                let ko = board.ko().is_some();
                (((line.min(4) + 1) * 4 + liberties) * 2 + usize::from(threatens)) * 2
                    + usize::from(ko)
            }
            None => 0,
        };
        // The chain of the last stone, and the weakest of ours that it touches.
        let mut answered = [NO_CHAIN; 5];
        let mut threatened = 0;
        if let Some(p) = scene.recent[0] {
            answered[0] = view.chain[cell(p.x(), p.y())];
            let (near, len) = view.neighbours(cell(p.x(), p.y()));
            for &c in &near[..len] {
                if view.chains[usize::from(c)].owner == OWN {
                    threatened += 1;
                    answered[threatened] = c;
                }
            }
        }
        Context {
            stage,
            fine: (ply / 15).min(19) as usize,
            last,
            alarm: own_alarm * 4 + other_alarm,
            answered,
            threatened,
            ko: board.ko().is_some(),
        }
    }

    /// Does a ladder catch the chain, or can it not be saved from atari?
    fn is_caught(&self, view: &View, chain: u16) -> bool {
        let fate = &self.fates[usize::from(chain)];
        match view.chains[usize::from(chain)].liberties {
            1 => !fate.escapes,
            2 => fate.caught[0] || fate.caught[1],
            _ => false,
        }
    }

    /// The weakest chain has the least: few liberties, many stones, a ladder against it. Where all that
    /// is equal, chains have the same features, so mirror images agree.
    fn weakness(&self, view: &View, chain: u16) -> (u16, Reverse<u16>, bool) {
        let Chain { liberties, stones, .. } = view.chains[usize::from(chain)];
        (liberties, Reverse(stones), !self.is_caught(view, chain))
    }

    /// The answers of the fields that have few of them.
    fn answers(
        &self,
        view: &View,
        board: &Board,
        scene: &Scene<'_>,
        p: Point,
        context: &Context,
    ) -> [usize; COUNT] {
        let size = view.size;
        let (x, y) = (p.x(), p.y());
        let at = cell(x, y);
        let index = view.index(x, y);
        // Lines from the edge, the nearer first.
        let (a, b) = (x.min(size - 1 - x).min(9), y.min(size - 1 - y).min(9));
        let (line, other_line) = (a.min(b), a.max(b));
        let place = other_line * (other_line + 1) / 2 + line;

        let (near, len) = view.neighbours(at);
        let mut after = [0u64; 6];
        let mut captured = 0;
        let (mut own_most, mut other_least) = (0, 0);
        let (mut own_weak, mut other_weak): (Option<u16>, Option<u16>) = (None, None);
        let (mut own_stones, mut rescued, mut rescued_stones) = (1, 0, 0);
        let (mut capture_size, mut capture_urgent, mut capture_saves) = (0, false, false);
        let (mut atari_size, mut atari_works, mut ataris) = (0, false, 0);
        for step in AROUND {
            let q = at.wrapping_add_signed(step);
            if view.grid[q] == EMPTY {
                let i = index.wrapping_add_signed(match step {
                    -1 => -1,
                    1 => 1,
                    s if s < 0 => -(size as isize),
                    _ => size as isize,
                });
                insert(&mut after, i);
            }
        }
        for &c in &near[..len] {
            let chain = &view.chains[usize::from(c)];
            let fate = &self.fates[usize::from(c)];
            let liberties = usize::from(chain.liberties.min(5));
            if chain.owner == OWN {
                for (w, around) in after.iter_mut().zip(&chain.around) {
                    *w |= around;
                }
                own_stones += chain.stones;
                own_most = own_most.max(liberties);
                if own_weak.is_none_or(|o| self.weakness(view, c) < self.weakness(view, o)) {
                    own_weak = Some(c);
                }
                if chain.liberties == 1 {
                    rescued += 1;
                    rescued_stones = rescued_stones.max(chain.stones);
                }
            } else {
                other_least = if other_least == 0 { liberties } else { other_least.min(liberties) };
                if other_weak.is_none_or(|o| self.weakness(view, c) < self.weakness(view, o)) {
                    other_weak = Some(c);
                }
                if chain.liberties == 1 {
                    captured += chain.stones;
                    capture_size = capture_size.max(bucket(chain.stones));
                    capture_urgent |= fate.escapes;
                    capture_saves |= self.fates[usize::from(c)].chases;
                } else if chain.liberties == 2 {
                    ataris += 1;
                    atari_size = atari_size.max(bucket(chain.stones));
                    let which = usize::from(fate.liberties[1] == p);
                    atari_works |= fate.caught[which];
                }
            }
        }
        after[index >> 6] &= !(1 << (index & 63));
        let liberties = (count(&after) + u32::from(captured.min(3))).min(6) as usize;

        let d = |i: usize| match scene.recent[i] {
            None => 17,
            Some(q) => {
                let d = distance(q.x() as i32 - x as i32, q.y() as i32 - y as i32);
                d.saturating_sub(2).min(16)
            }
        };
        let relative = |i: usize| match scene.recent[i] {
            None => 46,
            Some(q) => {
                let (dx, dy) = (q.x().abs_diff(x), q.y().abs_diff(y));
                let (s, l) = (dx.min(dy), dx.max(dy));
                if l > 8 { 45 } else { l * (l + 1) / 2 + s }
            }
        };
        let five_lines = line.min(4);
        let rescue = if rescued == 0 {
            0
        } else {
            let result = match liberties {
                0 | 1 => 0,
                2 => {
                    let free = near[..len].iter().any(|&c| {
                        let chain = &view.chains[usize::from(c)];
                        let in_atari = chain.owner == OWN && chain.liberties == 1;
                        in_atari && self.fates[usize::from(c)].escapes
                    });
                    1 + usize::from(free)
                }
                _ => 3,
            };
            bucket(rescued_stones) * 4 + result
        };
        let weak = |chain: Option<u16>| match chain {
            None => 0,
            Some(c) => {
                let chain = &view.chains[usize::from(c)];
                let caught = self.is_caught(view, c);
                (usize::from(chain.liberties.min(5)) * 6 + bucket(chain.stones)) * 2
                    + usize::from(caught)
            }
        };
        let self_atari = if liberties <= 1 && captured == 0 { bucket(own_stones) } else { 0 };
        let side = view.side;
        let eye = if board.around(p, side) == 4 {
            1 + usize::from(is_eye(board, p, side))
        } else {
            3 * usize::from(board.around(p, side.other()) == 4)
        };
        let touched = |c: u16| {
            let chain = &view.chains[usize::from(c)];
            match contains(&chain.around, index) {
                true => usize::from(chain.liberties.min(4)),
                false => 0,
            }
        };
        let of_last =
            if context.answered[0] == NO_CHAIN { 0 } else { touched(context.answered[0]) };
        let mut of_own = 0;
        for &c in &context.answered[1..=context.threatened] {
            let t = touched(c);
            if t > 0 && (of_own == 0 || t < of_own) {
                of_own = t;
            }
        }
        let takes_ko = captured == 1 && len > 0 && board.around(p, side.other()) == 4;
        let [own_pull, other_pull] = self.pull[at].map(i32::from);
        // Distances begin at 2.
        let nearest = self.near[at].map(|d| usize::from(d).saturating_sub(2).min(11));
        let pull = |sum: i32| [0, 12, 40, 100, 200].iter().filter(|&&s| sum > s).count();
        let difference = own_pull - other_pull;
        let leaning =
            [-150, -70, -25, -6, 6, 25, 70, 150].iter().filter(|&&s| difference > s).count();

        [
            place * 7 + context.stage,
            d(0) * 18 + d(1),
            usize::from(self.far[0][at]) * 12 + usize::from(self.far[1][at]),
            relative(0) * 5 + five_lines,
            relative(1) * 5 + five_lines,
            (liberties * 5 + [0, 1, 2, 3, 3, 3, 4][usize::from(captured.min(6))]) * 2
                + usize::from(rescued > 0),
            ((capture_size * 2 + usize::from(capture_urgent)) * 2 + usize::from(capture_saves)) * 2
                + usize::from(takes_ko),
            rescue,
            ((atari_size * 2 + usize::from(atari_works)) * 2 + usize::from(ataris > 1)) * 2
                + usize::from(liberties <= 1),
            self_atari * 4 + eye,
            (other_least * 6 + own_most) * 5 + liberties.clamp(1, 5) - 1,
            weak(other_weak),
            weak(own_weak),
            (of_last * 5 + of_own) * 2 + usize::from(self.far[0][at] <= 1),
            (nearest[0] * 12 + nearest[1]) * 4 + [0, 0, 1, 2, 3][five_lines],
            leaning * 6 + pull(own_pull + other_pull),
            usize::from(context.ko) * 2 + usize::from(takes_ko),
            context.fine,
            context.last,
            context.alarm,
        ]
    }
}

/// What a stone at a distance weighs.
const PULL: [i16; 11] = [0, 0, 64, 48, 36, 27, 20, 15, 11, 8, 6];

/// Sizes of chains that are told apart: 1, 2, 3, 4 to 6, more; 0 for none.
fn bucket(stones: u16) -> usize {
    match stones {
        0..=3 => usize::from(stones),
        4..=6 => 4,
        _ => 5,
    }
}

/// What all moves of a position share.
struct Context {
    stage: usize,
    fine: usize,
    last: usize,
    alarm: usize,
    /// The chain of the last stone, then those of ours that it touches.
    answered: [u16; 5],
    threatened: usize,
    ko: bool,
}

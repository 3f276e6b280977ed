//! One game of the search: down the tree, a look at new moves, to the end by a playout, and back.

use super::field::Field;
use super::simulate::{Simulator, point_of, stone};
use super::tree::{End, Selection, State, Tree};
use crate::game::Go;
use crate::heavy::Heavy;
use crate::playout::{is_eye, play_out_telling};
use crate::point::{Move, Point};
use crate::policy::{Guess, Guesser, Scene};
use crate::position::Position;
use crate::rules::{Ko, Rules, Scoring};
use crate::score;
use zug_core::{Line, Rng};

/// Which playouts are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Fights and shapes first, then moves drawn by learned weights.
    Mixed,
    /// All moves drawn by learned weights.
    Learned,
    /// The hand-made playouts of [`Heavy`].
    Heavy,
}

/// What is the same for all games of a search.
pub(crate) struct Stage<'a> {
    pub line: &'a Line<Go>,
    /// The stones at the root.
    pub field: Field,
    /// The moves to choose from at the root, passes as 0.
    pub allowed: Vec<u16>,
    /// Were moves left out by the caller?
    pub restricted: bool,
    pub selection: Selection,
    pub style: Style,
    /// How often a move is met before its answers are looked at.
    pub expand: u32,
    /// Probabilities are raised to the power of this.
    pub sharpness: f32,
    /// The part of the value that counts points instead of the win.
    pub margin: f64,
    /// Is counted who owns each point at the end?
    pub ownership: bool,
}

impl Stage<'_> {
    fn rules(&self) -> &Rules {
        self.line.game().rules()
    }

    fn root(&self) -> &Position {
        self.line.position()
    }

    /// How a game ended in which Black leads by so many points.
    fn end(&self, lead: f32) -> End {
        End { value: self.value(lead), lead }
    }

    /// The value for Black of a lead in points.
    fn value(&self, lead: f32) -> f64 {
        let win = match lead {
            l if l > 0.0 => 1.0,
            l if l < 0.0 => 0.0,
            _ => 0.5,
        };
        let points = (self.field.size() * self.field.size()) as f32;
        let scaled = 0.5 + 0.5 * f64::from((lead / (0.25 * points)).clamp(-1.0, 1.0));
        win + self.margin * (scaled - win)
    }
}

/// What one thread keeps from game to game.
pub(crate) struct Walker<'a> {
    pub simulator: Simulator<'a>,
    pub guesser: Box<dyn Guesser + 'a>,
    pub rng: Rng,
    field: Field,
    path: Vec<u32>,
    trace: Vec<u16>,
    keys: Vec<u64>,
    guesses: Vec<Guess>,
    moves: Vec<(u16, f32)>,
    /// How much more often Black owned each point at the end of a playout than White did.
    owned: Vec<i32>,
    /// Playouts that were counted for it.
    counted: i32,
}

/// A move that a policy leaves out is this likely.
const FLOOR: f32 = 1e-4;
/// How likely a pass is thought to be, where it is looked at.
const PASS: f32 = 0.005;
/// The same for a move of the game that is won as the board lies: is there anything against it?
const WINNING_PASS: f32 = 0.15;

impl<'a> Walker<'a> {
    pub fn new(
        simulator: Simulator<'a>,
        guesser: Box<dyn Guesser + 'a>,
        rng: Rng,
        stage: &Stage<'_>,
    ) -> Walker<'a> {
        Walker {
            simulator,
            guesser,
            rng,
            field: stage.field.clone(),
            path: Vec::new(),
            trace: Vec::new(),
            keys: Vec::new(),
            guesses: Vec::new(),
            moves: Vec::new(),
            owned: vec![0; 512],
            counted: 0,
        }
    }

    /// Who owns a point at the end, from −1 (White, always) to 1; `None` before anything was counted.
    pub fn ownership(&self, p: Point) -> Option<f32> {
        (self.counted > 0).then(|| self.owned[p.index() & 511] as f32 / self.counted as f32)
    }

    /// One game.
    pub fn playout(&mut self, tree: &mut Tree, stage: &Stage<'_>) {
        if tree.nodes.is_empty() {
            tree.plant();
            self.trace.clear();
            self.expand(tree, 0, stage);
        }
        // A path that ends at a move that superko forbids teaches nothing; there are finitely many.
        while !self.walk(tree, stage) {}
    }

    fn walk(&mut self, tree: &mut Tree, stage: &Stage<'_>) -> bool {
        self.field.clone_from(&stage.field);
        self.trace.clear();
        self.path.clear();
        self.path.push(0);
        let superko = stage.rules().ko == Ko::Super;
        self.keys.clear();
        let root = stage.root();
        let root_side = root.to_move.index();
        let (mut side, mut passes, mut at) = (root_side, root.passes(), 0);
        let end = loop {
            if let State::Over(quarters) = tree.nodes[at].state {
                break stage.end(f32::from(quarters) / 4.0);
            }
            if !tree.nodes[at].has_children() {
                let patience = patience(stage.expand, tree.fullness());
                if tree.nodes[at].visits >= patience {
                    self.expand(tree, at, stage);
                }
                if !tree.nodes[at].has_children() {
                    break self.simulate(stage, side, passes);
                }
            }
            let Some(child) = tree.select(at, &stage.selection) else {
                // Every move is forbidden: the rules are silent, nobody wins.
                break End { value: 0.5, lead: 0.0 };
            };
            let mv = tree.nodes[child].mv;
            self.simulator.play(&mut self.field, mv, side);
            passes = if mv == 0 { passes + 1 } else { 0 };
            self.trace.push(stone(mv, side));
            if tree.nodes[child].visits == 0 && tree.nodes[child].state == State::Open {
                let key = self.field.key();
                if superko
                    && mv != 0
                    && (stage.line.keys().contains(&key) || self.keys.contains(&key))
                {
                    tree.nodes[child].state = State::Forbidden;
                    return false;
                }
                let moves = root.moves as usize + self.trace.len();
                if passes >= 2 || moves >= stage.rules().move_limit() as usize {
                    let lead = score::lead(self.position(stage).board(), stage.rules());
                    tree.nodes[child].state = State::Over((lead * 4.0) as i16);
                }
            }
            self.keys.push(self.field.key());
            self.path.push(child as u32);
            at = child;
            side ^= 1;
        };
        let rave = stage.selection.rave > 0.0;
        tree.learn(&self.path, &self.trace, end, root_side, rave);
        true
    }

    /// The position at the end of the path.
    fn position(&self, stage: &Stage<'_>) -> Position {
        let mut position = stage.root().clone();
        for p in self.trace.iter().map(|&s| point_of(s)) {
            position.play(if p == 0 { Move::Pass } else { Move::Play(Point(p)) });
        }
        position
    }

    fn expand(&mut self, tree: &mut Tree, node: usize, stage: &Stage<'_>) {
        let position = self.position(stage);
        let scene = Scene { position: &position, recent: self.recent(stage) };
        self.guesser.guess(scene, &mut self.guesses);
        self.moves.clear();
        let (board, side) = (position.board(), position.to_move);
        let all = stage.restricted && node == 0;
        self.moves.extend(
            self.guesses
                .iter()
                .filter(|g| all || !is_eye(board, g.point, side))
                .map(|g| (g.point.0, g.probability.max(0.0).powf(stage.sharpness))),
        );
        if self.guesses.len() < board.empty_count() {
            self.add_unguessed(&position, all);
        }
        let points = board.size() * board.size();
        let late = self.moves.len() <= points / 3;
        let lead = score::lead(board, stage.rules());
        let ahead = if side.index() == 0 { lead > 0.0 } else { lead < 0.0 };
        if ahead && position.passes == 1 {
            // The game is won at once.
            self.moves.clear();
            self.moves.push((0, 1.0));
        } else if late || all {
            let sum: f32 = self.moves.iter().map(|m| m.1).sum();
            let share = if ahead && node == 0 { WINNING_PASS } else { PASS };
            self.moves.push((0, share * sum.max(FLOOR)));
        }
        if node == 0 {
            let allowed = &stage.allowed;
            self.moves.retain(|(mv, _)| allowed.contains(mv));
            if self.moves.is_empty() {
                self.moves.extend(allowed.iter().map(|&mv| (mv, 1.0)));
            }
        }
        let sum: f32 = self.moves.iter().map(|m| m.1).sum();
        let share = 1.0 / sum.max(f32::MIN_POSITIVE);
        self.moves.iter_mut().for_each(|m| m.1 *= share);
        self.moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        tree.add_children(node, &self.moves);
    }

    /// Legal moves that the policy said nothing about.
    fn add_unguessed(&mut self, position: &Position, eyes: bool) {
        let (board, side) = (position.board(), position.to_move);
        let mut known = [false; 512];
        self.guesses.iter().for_each(|g| known[g.point.index() & 511] = true);
        for p in board.empty_points() {
            if !known[p.index() & 511]
                && board.check(p, side, false).is_ok()
                && (eyes || !is_eye(board, p, side))
            {
                self.moves.push((p.0, FLOOR));
            }
        }
    }

    /// The last two moves on the path or before it.
    fn recent(&self, stage: &Stage<'_>) -> [Option<Point>; 2] {
        let before = Scene::of_line(stage.line).recent;
        let point = |stone: u16| (point_of(stone) != 0).then(|| Point(point_of(stone)));
        match self.trace[..] {
            [] => before,
            [only] => [point(only), before[0]],
            [.., earlier, last] => [point(last), point(earlier)],
        }
    }

    /// A playout from the end of the path.
    fn simulate(&mut self, stage: &Stage<'_>, side: usize, passes: usize) -> End {
        let rules = stage.rules();
        if stage.style == Style::Heavy {
            let mut position = self.position(stage);
            let trace = &mut self.trace;
            let tell = |side: zug_core::Side, p: Point| trace.push(stone(p.0, side.index()));
            let (to_move, board) = (position.to_move, &mut position.board);
            let end = play_out_telling(&Heavy, board, to_move, passes, rules, &mut self.rng, tell);
            if stage.ownership {
                let owners = score::owners(&position.board);
                for (p, owner) in position.board.points().zip(owners) {
                    self.owned[p.index() & 511] +=
                        owner.map_or(0, |side| 1 - 2 * side.index() as i32);
                }
                self.counted += 1;
            }
            return stage.end(end.lead);
        }
        // Under territory scoring every stone that one side played more than the other costs a point
        // against the area; in the playout itself both are taken to play as many.
        let played = match rules.scoring {
            Scoring::Area => 0,
            Scoring::Territory => {
                let [black, white] = self.field.captures().map(i32::from);
                self.field.stone_difference() - (black - white)
            }
        };
        let points = self.field.size() * self.field.size();
        // So far ahead in stones alone that nobody comes back.
        let (level, far) = (rules.komi() as i32 + played, points as i32 * 2 / 5);
        self.simulator.play_out(
            &mut self.field,
            side,
            passes,
            points * 3,
            (level - far).min(-far)..=(level + far).max(far),
            &mut self.rng,
            &mut self.trace,
        );
        if stage.ownership {
            for p in stage.root().board().points() {
                self.owned[p.index() & 511] += self.field.owner(p.0);
            }
            self.counted += 1;
        }
        stage.end((self.field.area() - played) as f32 - rules.komi())
    }
}

/// How often a node must have been visited before it gets children: more when memory runs short.
fn patience(expand: u32, fullness: f64) -> u32 {
    let factor = match fullness {
        f if f < 0.5 => 1,
        f if f < 0.75 => 8,
        f if f < 0.9 => 32,
        _ => 128,
    };
    expand.max(1) * factor
}

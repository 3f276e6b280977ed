//! Which kinds of positions are there, if nobody says? Clusters found by expectation maximisation.
//!
//! A board is described by yes-or-no questions: on which squares do kings and pawns stand, which
//! pieces are left, who may castle, how open is it, do the kings stand on different wings? Most are
//! asked once a side, seen from that side; the number of yeses is 0, 1 or 2. So a position and its
//! mirror image with colours exchanged have the same description, belong to the same cluster, and
//! are worth the same to their sides.
//!
//! A cluster says how likely a yes is to each question, all answers being independent within it (a
//! mixture of binomial distributions). EM raises the likelihood of the boards with every step. Once
//! learned, a sum of logarithms over the answers, always in the same order, says which cluster is the
//! likeliest.

use super::{Shares, WHOLE};
use cozy_chess::{Board, Color, File, Piece, Square};
use rayon::prelude::*;
use zug_core::rng;
use zug_core::seed::RngExt;

/// Questions that each side answers: squares of the king, squares of pawns, and the words below.
const EACH: usize = 64 + 64 + EACH_WORDS;
const EACH_WORDS: usize = 9;
/// Questions about both sides together.
const BOTH: usize = 10;
/// All questions.
pub const DESCRIPTORS: usize = EACH + BOTH;
/// The most clusters.
pub const MOST: usize = 64;

/// The answers of a board: questions with their number of yeses, where there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers(Vec<(u8, u8)>);

impl Answers {
    /// Asks a board.
    #[must_use]
    pub fn of(board: &Board) -> Answers {
        let mut yes = [0_u8; DESCRIPTORS];
        for color in Color::ALL {
            yes[board.king(color).relative_to(color) as usize] += 1;
            for pawn in board.colored_pieces(color, Piece::Pawn) {
                yes[64 + pawn.relative_to(color) as usize] += 1;
            }
            let count = |piece| board.colored_pieces(color, piece).len();
            let minors = count(Piece::Knight) + count(Piece::Bishop);
            let rights = board.castle_rights(color);
            let words: [bool; EACH_WORDS] = [
                rights.short.is_some(),
                rights.long.is_some(),
                count(Piece::Queen) > 0,
                count(Piece::Rook) > 0,
                count(Piece::Rook) > 1,
                minors > 0,
                minors > 1,
                minors > 2,
                minors > 3,
            ];
            for (i, word) in words.into_iter().enumerate() {
                yes[128 + i] += u8::from(word);
            }
        }
        for (i, word) in both(board).into_iter().enumerate() {
            yes[EACH + i] = u8::from(word);
        }
        let some = yes.iter().enumerate().filter(|(_, y)| **y > 0);
        Answers(some.map(|(q, &y)| (q as u8, y)).collect())
    }
}

const _: () = assert!(DESCRIPTORS <= 256);

/// The questions about both sides.
fn both(board: &Board) -> [bool; BOTH] {
    let pawns = board.pieces(Piece::Pawn);
    let open = File::ALL.into_iter().filter(|f| (pawns & f.bitboard()).is_empty()).count();
    let white = board.colored_pieces(Color::White, Piece::Pawn);
    let black = board.colored_pieces(Color::Black, Piece::Pawn);
    let rammed = (white.0 << 8 & black.0).count_ones();
    let files = Color::ALL.map(|color| board.king(color).file() as i8);
    let men = |color| board.colors(color).len() as i32;
    let ahead = (men(Color::White) - men(Color::Black)).abs();
    [
        open > 0,
        open > 1,
        open > 3,
        rammed > 0,
        rammed > 1,
        rammed > 3,
        (files[0] > 3) != (files[1] > 3),
        (files[0] - files[1]).abs() > 2,
        ahead > 0,
        ahead > 2,
    ]
}

/// How often a question is asked.
fn asked(question: usize) -> f64 {
    if question < EACH { 2.0 } else { 1.0 }
}

/// Clusters of positions, ready to use.
#[derive(Clone, PartialEq)]
pub struct Clusters {
    /// For each cluster: the logarithms of its share and of a no to every question.
    pub bias: Vec<f32>,
    /// What a yes changes: `weights[question * len + cluster]`.
    pub weights: Vec<f32>,
    /// Do positions between clusters belong to several of them?
    pub soft: bool,
}

impl std::fmt::Debug for Clusters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clusters").field("len", &self.len()).field("soft", &self.soft).finish()
    }
}

impl Clusters {
    /// From logarithms; `None` if they are too few or too many, or too large to be added up.
    #[must_use]
    pub fn new(bias: Vec<f32>, weights: Vec<f32>, soft: bool) -> Option<Clusters> {
        let fits = (1..=MOST).contains(&bias.len()) && weights.len() == bias.len() * DESCRIPTORS;
        let good = |numbers: &[f32]| numbers.iter().all(|n| n.abs() <= 1e6);
        (fits && good(&bias) && good(&weights)).then_some(Clusters { bias, weights, soft })
    }

    /// How many there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.bias.len()
    }

    fn sums(&self, board: &Board) -> [f32; MOST] {
        let count = self.len();
        let mut sums = [f32::NEG_INFINITY; MOST];
        sums[..count].copy_from_slice(&self.bias);
        for (question, yeses) in Answers::of(board).0 {
            let begin = usize::from(question) * count;
            let row = &self.weights[begin..begin + count];
            for (sum, yes) in sums.iter_mut().zip(row) {
                *sum += yes * f32::from(yeses);
            }
        }
        sums
    }

    /// The likeliest cluster of a board, the first of equal ones.
    #[must_use]
    pub fn of(&self, board: &Board) -> usize {
        let sums = self.sums(board);
        let mut best = 0;
        for cluster in 1..self.len() {
            if sums[cluster] > sums[best] {
                best = cluster;
            }
        }
        best
    }

    /// The shares of the clusters in a board.
    #[must_use]
    pub fn shares(&self, board: &Board) -> Shares {
        if !self.soft {
            return Shares::all(self.of(board));
        }
        let sums = self.sums(board);
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| sums[b].total_cmp(&sums[a]).then(a.cmp(&b)));
        order.truncate(Shares::MOST);
        let top = sums[order[0]];
        let weigh = |&c: &usize| (sums[c] - top).exp();
        let total: f32 = order.iter().map(weigh).sum();
        let mut list: Vec<(u16, u8)> =
            order.iter().map(|c| (*c as u16, (weigh(c) / total * WHOLE as f32) as u8)).collect();
        let given: i32 = list.iter().map(|&(_, parts)| i32::from(parts)).sum();
        list[0].1 += (WHOLE - given) as u8;
        list.retain(|&(_, parts)| parts > 0);
        Shares::new(&list).expect("a few shares that add up")
    }

    /// The likeliest squares of a king in a cluster, each side's own way up, for people: at most
    /// three.
    #[must_use]
    pub fn likely_kings(&self, cluster: usize) -> Vec<Square> {
        let log = |s: &Square| self.weights[*s as usize * self.len() + cluster];
        let mut squares: Vec<Square> = Square::ALL.to_vec();
        squares.sort_by(|a, b| log(b).total_cmp(&log(a)).then(a.cmp(b)));
        squares.retain(|s| log(s) > -2.5);
        squares.truncate(3);
        squares
    }
}

/// Clusters while they are learned.
#[derive(Clone, Debug)]
pub struct Mixture {
    /// The share of each cluster.
    shares: Vec<f64>,
    /// The chance of a yes: `yes[cluster][question]`.
    yes: Vec<Vec<f64>>,
}

/// As if each question had been answered yes and no this often in each cluster, so that no chance
/// is ever 0 or 1.
const PRIOR: f64 = 0.5;
/// Boards are dealt to so many lanes, whatever the number of threads.
const LANES: usize = 64;

/// Sums of one pass.
#[derive(Clone)]
struct Sums {
    likelihood: f64,
    members: Vec<f64>,
    yes: Vec<Vec<f64>>,
}

impl Mixture {
    /// Begins with boards that the seed chooses, each mixed with the mean of all.
    ///
    /// # Panics
    /// Without boards, or for more than [`MOST`] clusters or none.
    #[must_use]
    pub fn begin(boards: &[Answers], count: usize, seed: u64) -> Mixture {
        assert!(!boards.is_empty() && (1..=MOST).contains(&count));
        let mut mean = [0.0; DESCRIPTORS];
        for board in boards {
            for &(question, yeses) in &board.0 {
                mean[usize::from(question)] += f64::from(yeses);
            }
        }
        for (question, mean) in mean.iter_mut().enumerate() {
            let asked = asked(question) * boards.len() as f64;
            *mean = (*mean + PRIOR) / (asked + 2.0 * PRIOR);
        }
        let mut rng = rng(seed, 0xC105);
        let yes = (0..count).map(|_| {
            let mut yes: Vec<f64> = mean.iter().map(|m| 0.6 * m).collect();
            for &(question, yeses) in &boards[rng.random_range(0..boards.len())].0 {
                let question = usize::from(question);
                yes[question] += 0.4 * 0.98 * f64::from(yeses) / asked(question);
            }
            yes.iter().map(|y| y.clamp(1e-4, 1.0 - 1e-4)).collect()
        });
        Mixture { shares: vec![1.0 / count as f64; count], yes: yes.collect() }
    }

    /// One step of expectation and maximisation. Tells the logarithm of the likelihood of the
    /// boards (and of the prior) before the step, which no step makes smaller.
    pub fn step(&mut self, boards: &[Answers]) -> f64 {
        let sums = self.expect(boards);
        let mut likelihood = sums.likelihood;
        let count = self.shares.len();
        for cluster in 0..count {
            likelihood += PRIOR * self.shares[cluster].ln();
            likelihood +=
                self.yes[cluster].iter().map(|y| PRIOR * (y * (1.0 - y)).ln()).sum::<f64>();
            let members = sums.members[cluster];
            self.shares[cluster] = (members + PRIOR) / (boards.len() as f64 + PRIOR * count as f64);
            for question in 0..DESCRIPTORS {
                let asked = asked(question) * members;
                self.yes[cluster][question] =
                    (sums.yes[cluster][question] + PRIOR) / (asked + 2.0 * PRIOR);
            }
        }
        likelihood
    }

    /// Logarithms: of each cluster with a no to everything, and of what a yes changes.
    fn logarithms(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let base = self.shares.iter().zip(&self.yes).map(|(share, yes)| {
            let no = yes.iter().enumerate().map(|(q, y)| asked(q) * (1.0 - y).ln());
            share.ln() + no.sum::<f64>()
        });
        let odds = |yes: &Vec<f64>| yes.iter().map(|y| (y / (1.0 - y)).ln()).collect();
        (base.collect(), self.yes.iter().map(odds).collect())
    }

    fn expect(&self, boards: &[Answers]) -> Sums {
        let count = self.shares.len();
        let (base, odds) = self.logarithms();
        let empty = Sums {
            likelihood: 0.0,
            members: vec![0.0; count],
            yes: vec![vec![0.0; DESCRIPTORS]; count],
        };
        let lane = |lane: usize| {
            let mut sums = empty.clone();
            let mut logs = vec![0.0; count];
            for board in &boards[lane * boards.len() / LANES..(lane + 1) * boards.len() / LANES] {
                for ((log, base), odds) in logs.iter_mut().zip(&base).zip(&odds) {
                    let yes = board.0.iter().map(|&(q, y)| odds[usize::from(q)] * f64::from(y));
                    *log = base + yes.sum::<f64>();
                }
                let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let total: f64 = logs.iter().map(|l| (l - top).exp()).sum();
                sums.likelihood += top + total.ln();
                for (cluster, log) in logs.iter().enumerate() {
                    let share = (log - top).exp() / total;
                    if share > 1e-6 {
                        sums.members[cluster] += share;
                        for &(q, y) in &board.0 {
                            sums.yes[cluster][usize::from(q)] += share * f64::from(y);
                        }
                    }
                }
            }
            sums
        };
        let lanes: Vec<Sums> = (0..LANES).into_par_iter().map(lane).collect();
        let mut sums = empty.clone();
        for lane in lanes {
            sums.likelihood += lane.likelihood;
            for cluster in 0..count {
                sums.members[cluster] += lane.members[cluster];
                let pairs = sums.yes[cluster].iter_mut().zip(&lane.yes[cluster]);
                pairs.for_each(|(sum, part)| *sum += part);
            }
        }
        sums
    }

    /// Ready to use, the largest cluster first.
    #[must_use]
    pub fn finish(&self) -> Clusters {
        let count = self.shares.len();
        let (base, odds) = self.logarithms();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| self.shares[b].total_cmp(&self.shares[a]).then(a.cmp(&b)));
        let bias = order.iter().map(|&c| base[c] as f32).collect();
        let rows = (0..DESCRIPTORS).flat_map(|q| order.iter().map(move |&c| (q, c)));
        let weights = rows.map(|(q, c)| odds[c][q] as f32).collect();
        Clusters { bias, weights, soft: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards() -> Vec<Board> {
        let mut boards = Vec::new();
        for game in 0..60 {
            let mut rng = rng(game, 1);
            let mut board = Board::startpos();
            for ply in 0..120 {
                let mut moves = Vec::new();
                board.generate_moves(|set| {
                    moves.extend(set);
                    false
                });
                if moves.is_empty() || board.halfmove_clock() >= 100 {
                    break;
                }
                board.play(moves[rng.random_range(0..moves.len())]);
                if ply % 8 == 0 {
                    boards.push(board.clone());
                }
            }
        }
        boards
    }

    fn mirrored(board: &Board) -> Board {
        let mut text = crate::fen::write(&board.clone().into());
        let mut fields = text.split(' ').map(String::from).collect::<Vec<_>>();
        fields[0] = fields[0].split('/').rev().collect::<Vec<_>>().join("/");
        text = fields[..3].join("|");
        let swap = |c: char| match c {
            c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
            c => c.to_ascii_uppercase(),
        };
        text = text.chars().map(swap).collect();
        let text = text.replace("|W|", " b ").replace("|B|", " w ").replace('|', " ");
        crate::fen::parse(&format!("{text} - 0 1")).unwrap().board().clone()
    }

    fn learn(answers: &[Answers], count: usize, seed: u64) -> (Mixture, Vec<f64>) {
        let mut mixture = Mixture::begin(answers, count, seed);
        let curve = (0..25).map(|_| mixture.step(answers)).collect();
        (mixture, curve)
    }

    #[test]
    fn every_step_raises_the_likelihood_and_a_seed_repeats_it() {
        let answers: Vec<Answers> = boards().iter().map(Answers::of).collect();
        let (mixture, curve) = learn(&answers, 7, 3);
        for pair in curve.windows(2) {
            assert!(pair[1] >= pair[0] - 1e-6 * pair[0].abs(), "{curve:?}");
        }
        assert!(curve[24] > curve[0] + 100.0, "something is learned: {curve:?}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let (again, _) = pool.install(|| learn(&answers, 7, 3));
        assert_eq!(mixture.finish(), again.finish());
        assert_ne!(mixture.finish(), learn(&answers, 7, 4).0.finish());
    }

    #[test]
    fn mirror_images_belong_to_the_same_cluster_and_shares_add_up() {
        let boards = boards();
        let answers: Vec<Answers> = boards.iter().map(Answers::of).collect();
        let clusters = learn(&answers, 9, 1).0.finish();
        let mut seen = [0; 9];
        for board in &boards {
            assert_eq!(Answers::of(board), Answers::of(&mirrored(board)));
            let cluster = clusters.of(board);
            assert_eq!(clusters.of(&mirrored(board)), cluster);
            assert_eq!(clusters.shares(board), Shares::all(cluster));
            let soft = Clusters { soft: true, ..clusters.clone() }.shares(board);
            assert_eq!(soft.main(), cluster);
            assert_eq!(soft.iter().map(|(_, parts)| parts).sum::<i32>(), WHOLE);
            seen[cluster] += 1;
        }
        assert!(seen.iter().filter(|n| **n > 0).count() >= 6, "{seen:?}");
    }

    #[test]
    fn figures_that_do_not_fit_are_refused() {
        let good = || (vec![0.0; 3], vec![0.0; 3 * DESCRIPTORS]);
        let (bias, weights) = good();
        assert!(Clusters::new(bias, weights, false).is_some());
        let (bias, weights) = good();
        assert!(Clusters::new(bias[..2].to_vec(), weights, false).is_none());
        for bad in [f32::NAN, f32::INFINITY, -1e7] {
            let (mut bias, weights) = good();
            bias[1] = bad;
            assert!(Clusters::new(bias, weights, false).is_none());
            let (bias, mut weights) = good();
            weights[7] = bad;
            assert!(Clusters::new(bias, weights, true).is_none());
        }
        assert!(Clusters::new(vec![], vec![], false).is_none());
        let many = MOST + 1;
        assert!(Clusters::new(vec![0.0; many], vec![0.0; many * DESCRIPTORS], false).is_none());
    }
}

//! One experiment: what is kept of its learning phase, and how does it go on after it was
//! interrupted? (Section 4.3.2; the thesis kept the same in a database.)
//!
//! Everything random in game `g` comes from a stream of its own, and nothing but weights and a
//! counter pass from game to game. So the state after any game is a handful of numbers, and a
//! learning phase that was killed ends with the same polynomials as one that was not.

use super::beyond::{self, Gate};
use super::config::{Method, Settings};
use super::features::FeatureSet;
use super::players::{Fixed, Learning, draw_weights, play};
use std::path::{Path, PathBuf};
use zug_core::checkpoint::Checkpoints;
use zug_core::container::{Container, Expect, Header, Kind, Writer};
use zug_core::seed::mix;
use zug_core::{Progress, Rng, StopFlag, rng};
use zug_learn::face::TaskError;

/// How the sections of a file of polynomials are to be understood.
const LAYOUT: &str = "othilie-polynomials/1";
/// How a checkpoint is.
const STATE: &str = "othilie-state/1";
/// The polynomials of a finished learning phase.
pub const POLYNOMIALS: &str = "polynomials.zug";
/// The folder of checkpoints, there only while learning.
const STATES: &str = "state";
/// Numbers before the weights in a row.
const FACTS: usize = 8;
/// Numbers of a match at the gate.
const GATE: usize = 4;
/// The section of those matches; there only where some were played.
const GATES: &str = "gates";
/// No file of ours is larger.
const MOST_NUMBERS: u64 = 1 << 30;

/// What is kept of one game, or of the games since the row before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<'a> {
    /// The game after which the weights stood like this.
    pub game: u64,
    /// Games won by Alpha since the row before.
    pub won: u64,
    /// Drawn.
    pub drawn: u64,
    /// Lost.
    pub lost: u64,
    /// Σδ.
    pub delta_sum: f64,
    /// The largest δ.
    pub delta_max: f64,
    /// Σ|Δw|.
    pub change_sum: f64,
    /// The largest |Δw|.
    pub change_max: f64,
    /// The polynomial.
    pub weights: &'a [f64],
}

/// All polynomials of an experiment, P_0 first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    features: usize,
    numbers: Vec<f64>,
    gates: Vec<f64>,
}

impl History {
    /// The number of polynomials.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len() / (FACTS + self.features)
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The number of features.
    #[must_use]
    pub fn features(&self) -> usize {
        self.features
    }

    /// A row, by its place.
    #[must_use]
    pub fn row(&self, place: usize) -> Row<'_> {
        let width = FACTS + self.features;
        let row = &self.numbers[place * width..(place + 1) * width];
        Row {
            game: row[0] as u64,
            won: row[1] as u64,
            drawn: row[2] as u64,
            lost: row[3] as u64,
            delta_sum: row[4],
            delta_max: row[5],
            change_sum: row[6],
            change_max: row[7],
            weights: &row[FACTS..],
        }
    }

    /// All rows, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.len()).map(|place| self.row(place))
    }

    /// The last row.
    #[must_use]
    pub fn last(&self) -> Option<Row<'_>> {
        self.len().checked_sub(1).map(|place| self.row(place))
    }

    /// The polynomial after this game.
    #[must_use]
    pub fn polynomial(&self, game: u64) -> Option<&[f64]> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.row(middle).game < game {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.len() && self.row(low).game == game).then(|| self.row(low).weights)
    }

    fn push(&mut self, row: &Row<'_>) {
        let facts = [row.game, row.won, row.drawn, row.lost].map(|n| n as f64);
        self.numbers.extend(facts);
        self.numbers.extend([row.delta_sum, row.delta_max, row.change_sum, row.change_max]);
        self.numbers.extend(row.weights);
    }

    /// The matches at the gate, in order: after which game, and what came of it.
    pub fn gates(&self) -> impl ExactSizeIterator<Item = (u64, Gate)> {
        self.gates.chunks_exact(GATE).map(|of| {
            let gate = Gate { games: of[1] as u64, points: of[2], opened: of[3] > 0.0 };
            (of[0] as u64, gate)
        })
    }

    fn push_gate(&mut self, game: u64, gate: Gate) {
        let opened = f64::from(u8::from(gate.opened));
        self.gates.extend([game as f64, gate.games as f64, gate.points, opened]);
    }

    pub(super) fn from_numbers(features: usize, numbers: Vec<f64>) -> Option<History> {
        FeatureSet::of_len(features)?;
        let whole = numbers.len().is_multiple_of(FACTS + features) && !numbers.is_empty();
        let finite = numbers.iter().all(|n| n.is_finite());
        (whole && finite).then_some(History { features, numbers, gates: Vec::new() })
    }

    fn with_gates(mut self, gates: Vec<f64>) -> Option<History> {
        let whole = gates.len().is_multiple_of(GATE) && gates.iter().all(|n| n.is_finite());
        self.gates = gates;
        whole.then_some(self)
    }

    /// Reads a file of polynomials.
    pub fn open(path: &Path) -> Result<History, TaskError> {
        let expect = Expect::model("othello").layout(LAYOUT);
        let file = Container::open(path, &expect).map_err(TaskError::below)?;
        History::from_container(&file, path)
    }

    fn from_container(file: &Container, path: &Path) -> Result<History, TaskError> {
        let array = |name: &str| {
            let section = file.section(name).map_err(TaskError::below)?;
            section.array::<f64>(MOST_NUMBERS).map_err(TaskError::below)
        };
        let features = array("features")?.first().map_or(0, |f| *f as usize);
        let rows = array("rows")?;
        let has_gates = file.sections().any(|s| s.name() == GATES);
        let gates = if has_gates { array(GATES)? } else { Vec::new() };
        let history = History::from_numbers(features, rows).and_then(|h| h.with_gates(gates));
        history.ok_or_else(|| {
            TaskError::Unfit(format!("{}: these are no polynomials of Othilie", path.display()))
        })
    }

    fn write_sections<W: std::io::Write>(
        &self,
        to: &mut Writer<W>,
    ) -> Result<(), zug_core::container::ContainerError> {
        to.array("features", &[self.features as f64])?;
        to.array("rows", &self.numbers)?;
        if self.gates.is_empty() { Ok(()) } else { to.array(GATES, &self.gates) }
    }
}

/// The learner of either kind.
enum Learner {
    Thesis { alpha: Box<Learning>, beta: Box<Fixed>, beta_weights: Vec<f64>, wins: u64 },
    Beyond(Box<beyond::Learner>),
}

/// One experiment of a group.
pub struct Experiment<'a> {
    /// The group.
    pub settings: &'a Settings,
    /// Which of the group's experiments, from 0.
    pub number: u32,
    /// The seed of the run.
    pub seed: u64,
    /// Where its files are.
    pub folder: PathBuf,
}

impl Experiment<'_> {
    /// `A1`, …
    #[must_use]
    pub fn name(&self) -> String {
        self.settings.name(self.number)
    }

    /// The generator of one thing that the experiment does: a purpose and up to two numbers.
    #[must_use]
    pub fn rng(&self, purpose: &str, a: u64, b: u64) -> Rng {
        let mut stream = u64::from(self.number);
        for byte in self.settings.group.bytes().chain([0]).chain(purpose.bytes()) {
            stream = mix(stream.wrapping_mul(257).wrapping_add(u64::from(byte) + 1));
        }
        rng(self.seed, mix(mix(stream ^ mix(a)).wrapping_add(b)))
    }

    fn start(&self) -> (Learner, History) {
        let mut weights = vec![0.0; self.settings.set.len()];
        let mut rng = self.rng("start", 0, 0);
        draw_weights(&mut weights, &mut rng);
        let mut history = History { features: weights.len(), ..History::default() };
        history.push(&Row {
            game: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            delta_sum: 0.0,
            delta_max: 0.0,
            change_sum: 0.0,
            change_max: 0.0,
            weights: &weights,
        });
        let learner = match self.settings.method {
            Method::Thesis(rule) => {
                let mut beta_weights = weights.clone();
                if !self.settings.same_start {
                    draw_weights(&mut beta_weights, &mut rng);
                }
                let sight = self.settings.sight;
                Learner::Thesis {
                    beta: Box::new(Fixed::new(&beta_weights, sight)),
                    alpha: Box::new(Learning::new(weights, rule, sight)),
                    beta_weights,
                    wins: 0,
                }
            }
            Method::Beyond(how) => Learner::Beyond(Box::new(beyond::Learner::new(how, weights))),
        };
        (learner, history)
    }

    fn states(&self) -> Result<Checkpoints, TaskError> {
        Checkpoints::open(&self.folder.join(STATES), 2).map_err(TaskError::below)
    }

    /// What has been learned so far: all of it, or up to the last checkpoint; nothing before that.
    pub fn so_far(&self, notes: &mut Vec<String>) -> Result<Option<History>, TaskError> {
        let whole = self.folder.join(POLYNOMIALS);
        if whole.exists() {
            return History::open(&whole).map(Some);
        }
        if !self.folder.join(STATES).exists() {
            return Ok(None);
        }
        Ok(self.latest(notes)?.map(|(history, _)| history))
    }

    fn latest(&self, notes: &mut Vec<String>) -> Result<Option<(History, Vec<f64>)>, TaskError> {
        let expect = Expect::checkpoint("othello").layout(STATE);
        let found = self.states()?.latest(&expect, notes).map_err(TaskError::below)?;
        let Some(checkpoint) = found else { return Ok(None) };
        let path = self.folder.join(STATES);
        let history = History::from_container(&checkpoint.container, &path)?;
        let section = checkpoint.container.section("state").map_err(TaskError::below)?;
        Ok(Some((history, section.array(MOST_NUMBERS).map_err(TaskError::below)?)))
    }

    /// Plays the learning phase, or what is missing of it. `Err(Stopped)` when asked to stop.
    pub fn learn(
        &self,
        command: &str,
        progress: &dyn Progress,
        stop: &StopFlag,
        notes: &mut Vec<String>,
    ) -> Result<History, TaskError> {
        let whole = self.folder.join(POLYNOMIALS);
        if whole.exists() {
            let history = History::open(&whole);
            match history {
                Ok(history) => {
                    progress.advance(self.settings.games);
                    return Ok(history);
                }
                Err(error) => {
                    if self.latest(notes)?.is_none() {
                        let what = format!(
                            "{error}; nothing is left to go on from: remove the file to learn this \
                             experiment again"
                        );
                        return Err(TaskError::Unfit(what));
                    }
                    let aside = whole.with_extension("damaged");
                    let note = format!(
                        "what was learned is set aside as {}, and is learned again from the last \
                         checkpoint on: {error}",
                        aside.display()
                    );
                    tracing::warn!("{note}");
                    notes.push(note);
                    std::fs::rename(&whole, aside).map_err(TaskError::below)?;
                }
            }
        }
        zug_core::files::create_folder(&self.folder).map_err(TaskError::below)?;
        let (mut learner, mut history) = self.start();
        let mut game = 0;
        if let Some((saved, state)) = self.latest(notes)? {
            game = saved.last().map_or(0, |row| row.game);
            let fits = saved.features() == history.features() && game <= self.settings.games;
            if !fits || learner.restore(&state, self.settings).is_none() {
                let folder = self.folder.join(STATES);
                let what = format!("{}: a state of another experiment", folder.display());
                return Err(TaskError::Unfit(what));
            }
            history = saved;
            progress.advance(game);
        }
        let keep = self.settings.keep_every;
        let mut tally = Tally::default();
        while game < self.settings.games {
            game += 1;
            let mut rng = self.rng("game", game, 0);
            if let Some(gate) = learner.play(self.settings, game, &mut rng, &mut tally) {
                history.push_gate(game, gate);
            }
            progress.advance(1);
            if game.is_multiple_of(keep) || game == self.settings.games {
                learner.keep(game, &tally, &mut history);
                tally = Tally::default();
                // Checkpoints stand where a row was just kept, so that no tally is lost.
                let rows = history.len() as u64 - 1;
                let stopped = stop.is_set() && game < self.settings.games;
                if stopped || rows.is_multiple_of(self.settings.save_every.div_ceil(keep)) {
                    self.save(&learner, &history, game, command)?;
                }
                if stopped {
                    return Err(TaskError::Stopped { resumable: true });
                }
            }
        }
        let mut header = Header::new(Kind::Model, "othello", LAYOUT);
        header.made.command = Some(command.to_string());
        header.made.seed = Some(self.seed);
        header.notes.insert("experiment".into(), self.name());
        header.notes.insert("features".into(), self.settings.set.names().join(", "));
        let mut writer = Writer::create(&whole, &header).map_err(TaskError::below)?;
        history.write_sections(&mut writer).map_err(TaskError::below)?;
        writer.commit().map_err(TaskError::below)?;
        std::fs::remove_dir_all(self.folder.join(STATES)).map_err(TaskError::below)?;
        Ok(history)
    }

    fn save(
        &self,
        learner: &Learner,
        history: &History,
        game: u64,
        command: &str,
    ) -> Result<(), TaskError> {
        let mut header = Header::new(Kind::Checkpoint, "othello", STATE);
        header.made.command = Some(command.to_string());
        header.made.seed = Some(self.seed);
        let saved = self.states()?.save(game, &header, |w| {
            history.write_sections(w)?;
            w.array("state", &learner.state())
        });
        saved.map(|_| ()).map_err(TaskError::below)
    }
}

/// What the games since the last row did.
#[derive(Default)]
struct Tally {
    results: [u64; 3],
    games: u64,
    delta_sum: f64,
    delta_max: f64,
    change_sum: f64,
    change_max: f64,
}

impl Tally {
    fn add(&mut self, result: i32, delta_sum: f64, delta_max: f64, changes: (f64, f64)) {
        self.results[(1 - result.signum()) as usize] += 1;
        self.delta_max = if self.games == 0 { delta_max } else { self.delta_max.max(delta_max) };
        self.games += 1;
        self.delta_sum += delta_sum;
        self.change_sum += changes.0;
        self.change_max = self.change_max.max(changes.1);
    }
}

impl Learner {
    /// Plays a game and learns from it; tells of the match at the gate, if there was one.
    fn play(
        &mut self,
        settings: &Settings,
        game: u64,
        rng: &mut Rng,
        tally: &mut Tally,
    ) -> Option<Gate> {
        match self {
            Learner::Thesis { alpha, beta, beta_weights, wins } => {
                let result = play(&mut **beta, &mut **alpha, rng).for_white();
                let c = alpha.memory.changes;
                tally.add(result, c.delta_sum, c.delta_max, (c.change_sum, c.change_max));
                *wins += u64::from(result > 0);
                if *wins == settings.hand_over {
                    *wins = 0;
                    beta_weights.copy_from_slice(alpha.weights());
                    beta.set_weights(beta_weights);
                }
                None
            }
            Learner::Beyond(learner) => {
                let l = learner.lesson(game, settings.games, rng);
                tally.add(l.result, l.error_sum, l.error_max, (l.change_sum, l.change_max));
                l.gate
            }
        }
    }

    fn keep(&self, game: u64, tally: &Tally, history: &mut History) {
        let scaled;
        let weights = match self {
            Learner::Thesis { alpha, .. } => alpha.weights(),
            Learner::Beyond(learner) => {
                scaled = learner.polynomial();
                &scaled
            }
        };
        let [won, drawn, lost] = tally.results;
        let &Tally { delta_sum, delta_max, change_sum, change_max, .. } = tally;
        history.push(&Row {
            game,
            won,
            drawn,
            lost,
            delta_sum,
            delta_max,
            change_sum,
            change_max,
            weights,
        });
    }

    fn state(&self) -> Vec<f64> {
        match self {
            Learner::Thesis { alpha, beta_weights, wins, .. } => {
                let mut state = vec![*wins as f64];
                state.extend(alpha.weights());
                state.extend(beta_weights);
                state
            }
            Learner::Beyond(learner) => learner.state(),
        }
    }

    fn restore(&mut self, state: &[f64], settings: &Settings) -> Option<()> {
        match (self, settings.method) {
            (Learner::Thesis { alpha, beta, beta_weights, wins }, Method::Thesis(rule)) => {
                let n = settings.set.len();
                if state.len() != 1 + 2 * n || state.iter().any(|v| !v.is_finite()) {
                    return None;
                }
                *wins = state[0] as u64;
                **alpha = Learning::new(state[1..=n].to_vec(), rule, settings.sight);
                beta_weights.copy_from_slice(&state[1 + n..]);
                beta.set_weights(beta_weights);
                Some(())
            }
            (Learner::Beyond(learner), Method::Beyond(_)) => learner.restore(state),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_game_and_what_are_no_rows_is_refused() {
        let row = |game: f64| {
            let mut row = vec![game, 1.0, 0.0, 1.0, 0.5, 0.25, 2.0, 1.0];
            row.extend([game / 100.0; 42]);
            row
        };
        let numbers: Vec<f64> = [0.0, 4.0, 8.0, 10.0].into_iter().flat_map(row).collect();
        let history = History::from_numbers(42, numbers.clone()).unwrap();
        assert_eq!(history.len(), 4);
        assert_eq!(history.polynomial(8), Some(&[0.08; 42][..]));
        assert_eq!(history.polynomial(10), Some(&[0.1; 42][..]));
        assert_eq!((history.polynomial(9), history.polynomial(11)), (None, None));
        assert_eq!(history.last().map(|r| (r.game, r.won, r.lost)), Some((10, 1, 1)));
        assert!(History::from_numbers(42, numbers[1..].to_vec()).is_none());
        let gated = history.clone().with_gates(vec![8.0, 50.0, 31.5, 1.0, 10.0, 50.0, 20.0, 0.0]);
        let gates: Vec<_> = gated.unwrap().gates().map(|(n, g)| (n, g.points, g.opened)).collect();
        assert_eq!(gates, [(8, 31.5, true), (10, 20.0, false)]);
        assert!(history.clone().with_gates(vec![8.0, 50.0, 31.5]).is_none());
        assert!(History::from_numbers(usize::MAX, numbers.clone()).is_none());
        assert!(History::from_numbers(0, numbers.clone()).is_none());
        let mut holed = numbers;
        holed[60] = f64::NAN;
        assert!(History::from_numbers(42, holed).is_none());
    }
}

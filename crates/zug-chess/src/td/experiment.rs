//! One experiment: games, lessons, and how it goes on after it was killed.
//!
//! ```text
//! RUN/knightcap1-1/
//!   state/            checkpoints, while it learns
//!   games.pgn         every game, with the learner's scores
//!   games.jsonl       what was made of it: result, learned or why not, weights moved, types, every
//!                     own position with its score, the reply foretold, and the difference
//!   weights/          models: before the first game, at the points of the curve, and in between
//!   logs/             rllastgame.rl, and archive/ with the games learned from
//!   tests/            results of test games
//!   model.zug         what was learned in the end
//! ```
//!
//! Everything random about game `g` comes from a stream of its own. Games are played in batches
//! with the same weights, studied side by side, and applied in their order; so the result does not
//! depend on the number of threads. A checkpoint remembers how long the files of games were: what a
//! killed process wrote after it is cut off, and played again.

use super::archive::Archive;
use super::config::{Beginning, Logs, SELF, SchemeChoice, Settings};
use super::game::{self, End, Played, Seat};
use super::lesson::Finish;
use super::opponents::{Breaks, Crew, Supply, estimate, matched};
use super::rates::Seen;
use super::results::counted;
use super::student::{Applied, Judged, Student, Study};
use super::validity::{self, Clues, Rejected};
use crate::engine::Evaluation;
use crate::factors::FACTORS;
use crate::model::{Fast, Model};
use crate::position::Position;
use cozy_chess::Color;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use zug_core::checkpoint::Checkpoints;
use zug_core::container::{Expect, Header, Kind, Writer};
use zug_core::files::{AtomicFile, FileError, create_folder, read_journal};
use zug_core::seed::{RngExt, mix};
use zug_core::{Progress, Rng, StopFlag, rng};
use zug_learn::face::TaskError;

/// How a checkpoint is.
const STATE: &str = "chess-td-state/1";
const STATES: &str = "state";
/// The games.
pub const GAMES: &str = "games.pgn";
/// What was made of each game.
pub const JOURNAL: &str = "games.jsonl";
/// What was learned in the end.
pub const MODEL: &str = "model.zug";
/// The folder of the kept weights.
pub const WEIGHTS: &str = "weights";
const MOST_NUMBERS: u64 = 1 << 28;
/// Models that are kept beside those at the points of the curve, for looking at: in a short run after
/// every game.
const KEPT: u64 = 100;

/// What is told of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// Its number, from 1.
    pub game: u64,
    /// Against whom.
    pub opponent: String,
    /// The learner's colour.
    pub own: String,
    /// Half points of the learner.
    pub half_points: usize,
    /// Plies.
    pub plies: usize,
    /// How it ended.
    pub reason: String,
    /// Why it was not learned from, if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
    /// Own positions.
    pub positions: u64,
    /// … whose value was proven.
    pub proven: u64,
    /// … whose variation did not explain its score.
    pub resolved: u64,
    /// Replies that were foretold.
    pub predicted: u64,
    /// Differences dropped as blunders.
    pub dropped: u64,
    /// Σ|Δ|.
    pub error: f64,
    /// Weights that moved.
    pub moved: u64,
    /// … visibly, in whole numbers with a pawn of 200.
    pub visible: u64,
    /// Columns with such weights.
    pub visible_columns: u64,
    /// Σ|change|.
    pub total: f64,
    /// The largest change.
    pub largest: f64,
    /// Columns and their positions.
    pub columns: Vec<(usize, u64)>,
    /// What was made of each own position, for each side that was learned from. Older runs do not
    /// tell it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<SideRow>,
}

/// What one side of a game taught.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideRow {
    /// The colour of the side.
    pub own: String,
    /// Its positions.
    pub judged: Vec<Judged>,
}

/// What passes from game to game.
#[derive(Clone, Debug)]
pub struct State {
    /// The learner.
    pub student: Student,
    /// Games played.
    pub game: u64,
    /// Estimated scores against the opponents.
    pub scores: Vec<f64>,
    /// Bytes of the files of games.
    lengths: [u64; 2],
}

/// One experiment of a variant.
pub struct Experiment<'a> {
    /// The variant.
    pub settings: &'a Settings,
    /// Which of its experiments, from 0.
    pub number: u32,
    /// The seed of the run.
    pub seed: u64,
    /// Where its files are.
    pub folder: PathBuf,
    /// The players.
    pub crew: &'a Crew<'a>,
    /// Where games begin.
    pub supply: &'a Supply,
    /// The command, for headers.
    pub command: &'a str,
    /// The model that it begins with.
    pub start: &'a Model,
}

/// The model that a variant begins with.
pub fn beginning(settings: &Settings) -> Result<Model, TaskError> {
    let scheme = match &settings.scheme {
        SchemeChoice::Scheme(scheme) => Some(scheme.clone()),
        SchemeChoice::OfFile(file) => Some(super::open_model(file)?.scheme),
        SchemeChoice::OfStart => None,
    };
    match (&settings.start, scheme) {
        (Beginning::Set(start), Some(scheme)) => Ok(Model::start(scheme, *start)),
        (Beginning::Set(_), None) => {
            Err(TaskError::Unfit("types=start needs start=FILE".to_string()))
        }
        (Beginning::File(name), scheme) => {
            let model = super::open_model(name)?;
            match scheme {
                None => Ok(model),
                Some(scheme) if scheme == model.scheme => Ok(model),
                // One column can be the beginning of every type.
                Some(scheme) if model.scheme.columns() == 1 => {
                    let weights = model.weights.repeat(scheme.columns());
                    Ok(Model { scheme, weights })
                }
                Some(scheme) => Err(TaskError::Unfit(format!(
                    "{name} has the types '{}', not '{}'; types=start takes them as they are",
                    model.scheme.word(),
                    scheme.word()
                ))),
            }
        }
    }
}

/// What a game says to one side, or why it says nothing.
type Studied = Result<(Finish, Study), Rejected>;

/// A game with what it says.
struct Lesson {
    played: Played,
    opponent: usize,
    own: Color,
    /// For each side that learns: the study, or why there is none.
    studies: Vec<(Color, Studied)>,
}

impl Experiment<'_> {
    /// `fusc-1`, …
    #[must_use]
    pub fn name(&self) -> String {
        self.settings.experiment(self.number)
    }

    /// The generator of one thing that the experiment does.
    #[must_use]
    pub fn rng(&self, purpose: &str, a: u64) -> Rng {
        rng(self.seed, self.stream(purpose, a))
    }

    fn stream(&self, purpose: &str, a: u64) -> u64 {
        let mut stream = u64::from(self.number);
        for byte in self.settings.name.bytes().chain([0]).chain(purpose.bytes()) {
            stream = mix(stream.wrapping_mul(257).wrapping_add(u64::from(byte) + 1));
        }
        mix(stream ^ mix(a))
    }

    /// Games after which the weights are kept: the points of the curve, and some more.
    #[must_use]
    pub fn kept(&self) -> Vec<u64> {
        let games = self.settings.games;
        // Weights are the same all through a batch, which must not be cut for looking.
        let batch = self.settings.batch;
        let each = games.div_ceil(KEPT).max(1).next_multiple_of(batch);
        let more = (0..=games / each).map(|i| each * i).chain([games]);
        let mut all: Vec<u64> = self.settings.points.iter().copied().chain(more).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Where the weights after a game are.
    #[must_use]
    pub fn weights_path(&self, game: u64) -> PathBuf {
        self.folder.join(WEIGHTS).join(format!("{game:06}.zug"))
    }

    /// The model after a game whose weights were kept.
    pub fn model_at(&self, game: u64) -> Result<Model, TaskError> {
        Model::open(&self.weights_path(game)).map_err(TaskError::below)
    }

    /// What was made of the games so far.
    pub fn rows(&self) -> Result<Vec<GameRow>, TaskError> {
        let path = self.folder.join(JOURNAL);
        if !path.exists() {
            return Ok(Vec::new());
        }
        Ok(read_journal(&path).map_err(TaskError::below)?.entries)
    }

    /// The state of the learner as far as its last checkpoint; nothing before the first.
    pub fn so_far(&self, notes: &mut Vec<String>) -> Result<Option<State>, TaskError> {
        let folder = self.folder.join(STATES);
        if !folder.exists() {
            return Ok(None);
        }
        let expect = Expect::checkpoint("chess").layout(STATE);
        let checkpoints = Checkpoints::open(&folder, 2).map_err(TaskError::below)?;
        let found = checkpoints.latest(&expect, notes).map_err(TaskError::below)?;
        let Some(checkpoint) = found else { return Ok(None) };
        let container = &checkpoint.container;
        let floats = |name: &str| {
            let section = container.section(name).map_err(TaskError::below)?;
            section.array::<f64>(MOST_NUMBERS).map_err(TaskError::below)
        };
        let counts = container.section("counts").map_err(TaskError::below)?;
        let counts: Vec<u64> = counts.array(MOST_NUMBERS).map_err(TaskError::below)?;
        let mut state = self.begin();
        let (columns, weights) = (state.student.seen.len(), floats("weights")?);
        let memory = [floats("mean")?, floats("square")?, floats("steps")?];
        let scores = floats("scores")?;
        let fits = counts.len() == 4 + 2 * columns
            && weights.len() == state.student.weights.len()
            && memory.iter().all(|m| m.len() == state.student.memory.mean.len())
            && scores.len() == state.scores.len()
            && weights.iter().chain(memory.iter().flatten()).all(|w| w.is_finite());
        if !fits {
            let what = format!("{}: a state of another experiment", folder.display());
            return Err(TaskError::Unfit(what));
        }
        state.game = counts[0];
        state.student.learned = counts[1];
        state.lengths = [counts[2], counts[3]];
        for (seen, pair) in state.student.seen.iter_mut().zip(counts[4..].chunks_exact(2)) {
            *seen = Seen { games: pair[0], positions: pair[1] };
        }
        state.student.weights = weights;
        let [mean, square, steps] = memory;
        state.student.memory = super::rates::Memory { mean, square, steps };
        state.scores = scores;
        Ok(Some(state))
    }

    fn begin(&self) -> State {
        let weights = self.start.weights.iter().map(|&w| f64::from(w)).collect();
        let rates = &self.settings.teaching.rates;
        State {
            student: Student::new(self.start.scheme.clone(), weights, rates),
            game: 0,
            scores: vec![0.5; self.settings.opponents.len()],
            lengths: [0, 0],
        }
    }

    fn save(&self, state: &State, keep: usize) -> Result<(), TaskError> {
        let mut header = Header::new(Kind::Checkpoint, "chess", STATE);
        header.made.command = Some(self.command.to_string());
        header.made.seed = Some(self.seed);
        let student = &state.student;
        let [pgn, journal] = state.lengths;
        let mut counts = vec![state.game, student.learned, pgn, journal];
        counts.extend(student.seen.iter().flat_map(|s| [s.games, s.positions]));
        let fill = |w: &mut Writer<AtomicFile>| {
            w.array("counts", &counts)?;
            w.array("weights", &student.weights)?;
            w.array("mean", &student.memory.mean)?;
            w.array("square", &student.memory.square)?;
            w.array("steps", &student.memory.steps)?;
            w.array("scores", &state.scores)
        };
        let folder = self.folder.join(STATES);
        let checkpoints = Checkpoints::open(&folder, keep).map_err(TaskError::below)?;
        checkpoints.save(state.game, &header, fill).map(|_| ()).map_err(TaskError::below)
    }

    /// Plays and learns, or what is missing of it.
    pub fn learn(
        &self,
        progress: &dyn Progress,
        stop: &StopFlag,
        notes: &mut Vec<String>,
    ) -> Result<State, TaskError> {
        create_folder(&self.folder.join(WEIGHTS)).map_err(TaskError::below)?;
        let mut state = match self.so_far(notes)? {
            Some(state) => state,
            None => self.begin(),
        };
        progress.advance(state.game);
        self.cut(&state)?;
        let kept = self.kept();
        if state.game == 0 {
            self.keep(&state, 0)?;
        }
        let mut breaks = Breaks::default();
        while state.game < self.settings.games {
            let next = kept.iter().copied().find(|&k| k > state.game);
            let until = next.unwrap_or(self.settings.games).min(self.settings.games);
            let batch = self.settings.batch.min(until - state.game);
            let Some(rows) = self.batch(&mut state, batch, stop)? else {
                self.save(&state, 2)?;
                return Err(TaskError::Stopped { resumable: true });
            };
            progress.advance(batch);
            if kept.contains(&state.game) {
                self.keep(&state, state.game)?;
            }
            // At the same games however often the run was interrupted.
            let every = self.settings.save_every;
            if state.game / every > (state.game - batch) / every {
                self.save(&state, 2)?;
            }
            for row in &rows {
                let broken = row.broken().then_some(row.reason.as_str());
                if let Err(error) = breaks.count(&row.opponent, broken, self.settings.give_up) {
                    self.save(&state, 2)?;
                    return Err(error);
                }
            }
        }
        self.save(&state, 1)?;
        let header = self.header(&state);
        let model = model_of(&state.student);
        model.write(&self.folder.join(MODEL), &header).map_err(TaskError::below)?;
        Ok(state)
    }

    fn header(&self, state: &State) -> Header {
        let mut header = Model::header();
        header.made.command = Some(self.command.to_string());
        header.made.seed = Some(self.seed);
        header.notes.insert("experiment".into(), self.name());
        header.notes.insert("games".into(), state.game.to_string());
        header.notes.insert("learned".into(), state.student.learned.to_string());
        header
    }

    fn keep(&self, state: &State, game: u64) -> Result<(), TaskError> {
        let model = model_of(&state.student);
        model.write(&self.weights_path(game), &self.header(state)).map_err(TaskError::below)
    }

    /// Cuts the files of games to what the state knows of.
    fn cut(&self, state: &State) -> Result<(), TaskError> {
        for (name, length) in [GAMES, JOURNAL].into_iter().zip(state.lengths) {
            let path = self.folder.join(name);
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
            let file = file.map_err(FileError::io("open", &path)).map_err(TaskError::below)?;
            let there = file.metadata().map(|m| m.len()).unwrap_or(0);
            if there < length {
                let told = format!(
                    "{}: {there} bytes, but {length} were written before the last checkpoint; the \
                     file was changed by someone else",
                    path.display()
                );
                return Err(TaskError::Unfit(told));
            }
            let cut = file.set_len(length).map_err(FileError::io("cut", &path));
            cut.map_err(TaskError::below)?;
        }
        Ok(())
    }

    /// Plays a batch of games with the same weights and learns from them. Nothing when stopped: then
    /// nothing has changed.
    fn batch(
        &self,
        state: &mut State,
        batch: u64,
        stop: &StopFlag,
    ) -> Result<Option<Vec<GameRow>>, TaskError> {
        let fast = model_of(&state.student).fast();
        let first = state.game;
        let lessons: Result<Vec<Lesson>, TaskError> = (0..batch as usize)
            .into_par_iter()
            .with_max_len(1)
            .map(|i| self.lesson(state, &fast, first + i as u64, stop))
            .collect();
        let lessons = lessons?;
        if lessons.iter().any(|l| l.played.end == End::Stopped) {
            return Ok(None);
        }
        let (mut pgn, mut journal) = (String::new(), String::new());
        let mut rows = Vec::with_capacity(lessons.len());
        for lesson in &lessons {
            state.game += 1;
            rows.push(self.learn_from(state, lesson, &mut pgn, &mut journal)?);
        }
        for (i, (name, text)) in [(GAMES, pgn), (JOURNAL, journal)].into_iter().enumerate() {
            let path = self.folder.join(name);
            append(&path, text.as_bytes()).map_err(TaskError::below)?;
            state.lengths[i] += text.len() as u64;
        }
        Ok(Some(rows))
    }

    /// Plays one game and studies it.
    fn lesson(
        &self,
        state: &State,
        fast: &Fast,
        number: u64,
        stop: &StopFlag,
    ) -> Result<Lesson, TaskError> {
        let settings = self.settings;
        let mut rng = self.rng("game", number);
        let count = settings.opponents.len();
        let opponent = if settings.matched {
            matched(&state.scores, rng.random::<f64>())
        } else {
            (number / 2 % count as u64) as usize
        };
        // Both colours of each opening.
        let own = if number.is_multiple_of(2) { Color::White } else { Color::Black };
        let line = self.supply.line(mix(self.stream("openings", 0)).wrapping_add(number / 2));
        let spec = &settings.opponents[opponent];
        let engine = || game::thinker(fast, &settings.search).map_err(TaskError::below);
        let mut learner = Seat::Thinker(Box::new(engine()?), settings.nodes);
        let mut other = if spec == SELF {
            Seat::Thinker(Box::new(engine()?), settings.nodes)
        } else {
            match self.crew.take(spec, rng.random()) {
                Ok(player) => Seat::Player(player, settings.nodes),
                Err(reason) => {
                    let end = End::Broken(!own, reason);
                    let played = Played { line, thoughts: [Vec::new(), Vec::new()], end };
                    let studies = vec![(own, Err(Rejected::Broken))];
                    return Ok(Lesson { played, opponent, own, studies });
                }
            }
        };
        let seats = match own {
            Color::White => [&mut learner, &mut other],
            Color::Black => [&mut other, &mut learner],
        };
        let played = game::play(line, seats, settings.most_plies, stop);
        if let (Seat::Player(player, _), End::Over(_) | End::TooLong) = (other, &played.end) {
            self.crew.give_back(spec, player);
        }
        let sides = if spec == SELF && settings.both { vec![own, !own] } else { vec![own] };
        let studies = (sides.into_iter())
            .map(|side| (side, self.study(&state.student, fast, &played, side)))
            .collect();
        Ok(Lesson { played, opponent, own, studies })
    }

    fn study(&self, student: &Student, fast: &Fast, played: &Played, own: Color) -> Studied {
        if self.settings.from_start && played.line.positions()[0] != Position::start() {
            return Err(Rejected::OtherStart);
        }
        let outcome = match &played.end {
            End::Over(outcome) => outcome,
            End::TooLong => return Err(Rejected::TooLong),
            End::Broken(..) | End::Stopped => return Err(Rejected::Broken),
        };
        let clues = Clues { told: Some(outcome), ..Clues::default() };
        let finish = validity::finish(&played.line, own, clues)?;
        if finish == Finish::Drawn && !self.settings.draws {
            return Err(Rejected::Drawn);
        }
        let notes = played.notes(own);
        if notes.thoughts.is_empty() {
            return Err(Rejected::NoThoughts);
        }
        let teaching = &self.settings.teaching;
        let (scheme, weights) = (&student.scheme, &student.weights);
        Ok((finish, teaching.study(scheme, weights, &mut fast.eye(), &notes, finish)))
    }

    /// Applies what a game says, and writes it down.
    fn learn_from(
        &self,
        state: &mut State,
        lesson: &Lesson,
        pgn: &mut String,
        journal: &mut String,
    ) -> Result<GameRow, TaskError> {
        let Lesson { played, opponent, own, studies } = lesson;
        let half_points = played.half_points(*own);
        let spec = &self.settings.opponents[*opponent];
        if matches!(played.end, End::Over(_)) && spec != SELF {
            state.scores[*opponent] = estimate(state.scores[*opponent], half_points);
        }
        let mut row = GameRow {
            game: state.game,
            opponent: spec.clone(),
            own: game::color_word(*own).to_string(),
            half_points,
            plies: played.line.moves().len(),
            reason: played.reason(),
            rejected: None,
            positions: 0,
            proven: 0,
            resolved: 0,
            predicted: 0,
            dropped: 0,
            error: 0.0,
            moved: 0,
            visible: 0,
            visible_columns: 0,
            total: 0.0,
            largest: 0.0,
            columns: Vec::new(),
            sides: Vec::new(),
        };
        for (side, study) in studies {
            let (finish, study) = match study {
                Ok(study) => study,
                Err(why) => {
                    row.rejected = Some(why.word().to_string());
                    continue;
                }
            };
            self.log(state, played, *side, *finish)?;
            let applied = state.student.apply(&self.settings.teaching, study);
            row.add(study, &applied);
            let own = game::color_word(*side).to_string();
            row.sides.push(SideRow { own, judged: study.judged.clone() });
        }
        let learner = format!("{} after {}", self.name(), counted(state.game - 1, "game"));
        let (white, black) = match own {
            Color::White => (learner, spec.clone()),
            Color::Black => (spec.clone(), learner),
        };
        let mut tags = vec![
            ("Event", format!("Zug learns: {}", self.name())),
            ("Round", state.game.to_string()),
            ("White", white),
            ("Black", black),
            ("Termination", played.reason()),
        ];
        tags.extend(row.rejected.clone().map(|why| ("Learned", format!("no: {why}"))));
        pgn.push_str(&played.pgn(&tags));
        let line = serde_json::to_string(&row).map_err(TaskError::below)?;
        journal.push_str(&line);
        journal.push('\n');
        Ok(row)
    }

    fn log(
        &self,
        state: &State,
        played: &Played,
        own: Color,
        finish: Finish,
    ) -> Result<(), TaskError> {
        if self.settings.logs == Logs::None {
            return Ok(());
        }
        let (student, teaching) = (&state.student, &self.settings.teaching);
        let rates = student.rates(&teaching.rates);
        // As the thesis stores them: whole numbers, here hundredths of a pawn.
        let weights = student.weights.iter().map(|w| w.round()).collect();
        let lambda = teaching.rule.lambda;
        let log = played.notes(own).log(student.learned, rates, lambda, weights, Some(finish));
        let archive = Archive::open(&self.folder.join("logs")).map_err(TaskError::below)?;
        archive.write_last(&log).map_err(TaskError::below)?;
        if self.settings.logs == Logs::All {
            archive.keep(student.learned + 1, &log).map_err(TaskError::below)?;
        }
        Ok(())
    }
}

impl GameRow {
    fn add(&mut self, study: &Study, applied: &Applied) {
        self.positions += study.positions;
        self.proven += study.proven;
        self.resolved += study.resolved;
        self.predicted += study.predicted;
        self.dropped += study.dropped;
        self.error += study.error;
        self.moved += applied.moved;
        self.visible += applied.visible;
        self.visible_columns = self.visible_columns.max(applied.visible_columns);
        self.total += applied.total;
        self.largest = self.largest.max(applied.largest);
        for &(column, positions) in &study.columns {
            match self.columns.iter_mut().find(|(c, _)| *c == column) {
                Some((_, n)) => *n += positions,
                None => self.columns.push((column, positions)),
            }
        }
    }

    /// Did a player crash, play an illegal move or not answer? Then it was neither won nor lost.
    #[must_use]
    pub fn broken(&self) -> bool {
        self.rejected.as_deref() == Some(Rejected::Broken.word())
    }

    /// Was it learned from?
    #[must_use]
    pub fn learned(&self) -> bool {
        self.positions > 0
    }
}

/// The learner's weights as a model to play with.
#[must_use]
pub fn model_of(student: &Student) -> Model {
    debug_assert_eq!(student.weights.len() % FACTORS, 0);
    let weights = student.weights.iter().map(|&w| w as f32).collect();
    Model { scheme: student.scheme.clone(), weights }
}

fn append(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(FileError::io("open", path))?;
    file.write_all(bytes).map_err(FileError::io("write", path))?;
    file.sync_data().map_err(FileError::io("write", path))
}

//! From games to a model in a file, with stops on the way.
//!
//! The work is: read games, harvest patterns, pass over the games, write the model, test it on later
//! games. After each pass the state goes to a folder beside the model (`model.zug.parts`), from where
//! the same command goes on after it was stopped or killed; the model is the same, byte for byte.

use super::file;
use super::harvest::{Harvest, harvest};
use super::model::{Packed, PatternModel};
use super::trainer::{Settings, Told, Trainer};
use super::weights::Layers;
use crate::corpus::{Corpus, CorpusError, Filter, GoRecord, Reject, Skipped};
use crate::guess::measure::{self, Plan};
use crate::guess::tally::Tally;
use std::path::{Path, PathBuf};
use zug_core::checkpoint::{CheckpointError, Checkpoints};
use zug_core::container::{ContainerError, Expect, Header, Kind};
use zug_core::{Progress, StopFlag};
use zug_learn::face::TaskError;

/// What is to be learned.
#[derive(Clone, Debug)]
pub struct Job {
    /// Files, folders and archives.
    pub data: Vec<PathBuf>,
    /// Points along an edge.
    pub size: usize,
    /// Only games from this year on.
    pub from: Option<u16>,
    /// Only games up to this year; later ones are what it is tested on.
    pub until: Option<u16>,
    /// Learn from at most so many games.
    pub games: usize,
    /// Test on at most so many games.
    pub tests: usize,
    /// How often a pattern must have been played.
    pub least: u8,
    /// How it is learned.
    pub settings: Settings,
    /// The seed of everything random.
    pub seed: u64,
    /// Where the model goes.
    pub out: PathBuf,
    /// Go on with what is there.
    pub resume: bool,
    /// For the header of the model.
    pub command: String,
}

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// There are no games.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The model cannot be written.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The state of the work cannot be saved or found.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Something about files.
    #[error(transparent)]
    File(#[from] zug_core::files::FileError),
    /// What is there is something else.
    #[error("{0}")]
    Unfit(String),
    /// Asked to stop.
    #[error("stopped")]
    Stopped,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Learned {
    /// Games that it learned from.
    pub games: usize,
    /// Their moves, passes included.
    pub plies: u64,
    /// What was passed over.
    pub skipped: Skipped,
    /// Patterns by field.
    pub harvest: Harvest,
    /// How likely the played moves were while it learned, pass by pass.
    pub passes: Vec<Told>,
    /// How well it foretells the moves of later games.
    pub test: Option<Tally>,
    /// What was found on the way: damaged checkpoints.
    pub notes: Vec<String>,
}

/// The folder of the state, beside the model.
fn parts_folder(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_os_string();
    name.push(".parts");
    out.with_file_name(name)
}

const STATE: &str = "go-patterns-state/1";

/// Learns a model.
pub fn learn(job: &Job, progress: &dyn Progress, stop: &StopFlag) -> Result<Learned, LearnError> {
    let unfit = |why: &str| Err(LearnError::Unfit(format!("{}: {why}", job.out.display())));
    if job.out.is_dir() {
        return unfit("this is a folder; a model is one file");
    }
    let above = job.out.parent().filter(|p| !p.as_os_str().is_empty());
    if above.is_some_and(|above| !above.is_dir()) {
        return unfit("there is no such folder for the model");
    }
    let folder = parts_folder(&job.out);
    if folder.exists() && !job.resume {
        return Err(LearnError::Unfit(format!(
            "{}: an earlier run has left its state here; --resume goes on with it, --force begins again",
            folder.display()
        )));
    }
    let filter = Filter { from: job.from, moves: 2, ..Filter::of_size(job.size) };
    let mut corpus = match Corpus::read(&job.data, &filter, progress, stop) {
        Err(CorpusError::Stopped) => return Err(LearnError::Stopped),
        other => other?,
    };
    let later = split(&mut corpus, job);
    if corpus.games.is_empty() {
        let until = job.until.unwrap_or_default();
        return Err(LearnError::Unfit(format!(
            "none of {} games is known to be from {until} or before",
            later.len()
        )));
    }
    let games = &corpus.games;
    let settings = &job.settings;
    let mut header = Header::new(Kind::Checkpoint, "go", STATE);
    let what = format!("{:?} least {} seed {}", settings, job.least, job.seed);
    header.notes.insert("settings".to_string(), what);
    header.notes.insert("games".to_string(), corpus.digest());
    let checkpoints = Checkpoints::open(&folder, 2)?;
    let mut notes = Vec::new();
    let (mut trainer, harvest, mut passes) = match resume(&checkpoints, &header, job, &mut notes)? {
        Some(state) => state,
        None => {
            progress.message("counting patterns");
            progress.begin(Some(2 * games.len() as u64));
            let harvest = harvest(games, job.least, progress, stop).ok_or(LearnError::Stopped)?;
            (Trainer::new(&harvest.keys, settings, job.seed), harvest, Vec::new())
        }
    };
    progress.message("learning");
    progress.begin(Some((settings.passes * games.len()) as u64));
    progress.advance((passes.len() * games.len()) as u64);
    for pass in passes.len()..settings.passes {
        let done = |games| progress.advance(games);
        let told = trainer.pass(games, settings, pass, job.seed, stop, &done);
        passes.push(told.ok_or(LearnError::Stopped)?);
        if let Some(told) = passes.last() {
            let share = 100.0 * told.hits / told.positions.max(1) as f64;
            progress.message(&format!("learning ({share:.1} % of moves foretold)"));
        }
        save(&checkpoints, &header, &trainer, &harvest, &passes)?;
    }
    let packed = Packed::new(&trainer.weights, &harvest.keys);
    let mut made = file::header(&[job.size]);
    made.made.command = Some(job.command.clone());
    made.made.seed = Some(job.seed);
    made.made.data = Some(corpus.digest());
    made.notes.insert("games".to_string(), games.len().to_string());
    if let Some(until) = job.until {
        made.notes.insert("until".to_string(), until.to_string());
    }
    file::write(&job.out, &made, &packed)?;
    std::fs::remove_dir_all(&folder).map_err(zug_core::files::FileError::io("remove", &folder))?;
    let model = PatternModel::new(String::new(), vec![job.size], packed);
    let test = test(&model, &later, job, progress, stop)?;
    if test.is_none() && !later.is_empty() {
        notes.push("stopped before the test; zug guess --test makes up for it".to_string());
    }
    Ok(Learned {
        games: games.len(),
        plies: corpus.plies(),
        skipped: corpus.skipped,
        harvest,
        passes,
        test,
        notes,
    })
}

/// Asks the model about every move of later games; nothing where there are none, or when asked to stop:
/// the model is there all the same.
fn test(
    model: &PatternModel,
    later: &[GoRecord],
    job: &Job,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Option<Tally>, LearnError> {
    if later.is_empty() {
        return Ok(None);
    }
    let games: Vec<&GoRecord> = later.iter().collect();
    let plan = Plan {
        stage: measure::usual_stage(job.size),
        every: 1,
        seed: job.seed,
        threads: rayon::current_num_threads(),
    };
    match measure::measure(model, &games, &plan, progress, stop) {
        Ok(measured) => Ok(Some(measured.total)),
        Err(TaskError::Stopped { .. }) => Ok(None),
        Err(error) => Err(LearnError::Unfit(error.to_string())),
    }
}

/// Takes later games away, to test on.
fn split(corpus: &mut Corpus, job: &Job) -> Vec<GoRecord> {
    let mut later = Vec::new();
    if let Some(until) = job.until {
        let (now, then): (Vec<_>, Vec<_>) = std::mem::take(&mut corpus.games)
            .into_iter()
            .partition(|game| game.year.is_some_and(|year| year <= until));
        corpus.games = now;
        // What nobody knows the year of is neither learned from nor tested on.
        let undated;
        (later, undated) = then.into_iter().partition(|game| game.year.is_some());
        let undated: Vec<GoRecord> = undated;
        undated.iter().for_each(|game| corpus.skipped.add(&game.name, Reject::Undated));
    }
    thin_out(&mut corpus.games, job.games);
    thin_out(&mut later, job.tests);
    later
}

/// Keeps at most so many games, evenly from the whole list.
fn thin_out(games: &mut Vec<GoRecord>, most: usize) {
    let (count, mut at) = (games.len(), 0);
    if count > most {
        games.retain(|_| {
            at += 1;
            at * most / count > (at - 1) * most / count
        });
    }
}

fn save(
    checkpoints: &Checkpoints,
    header: &Header,
    trainer: &Trainer,
    harvest: &Harvest,
    passes: &[Told],
) -> Result<(), LearnError> {
    let flat =
        |layers: &Layers| -> Vec<f32> { layers.parts().into_iter().flatten().copied().collect() };
    checkpoints.save(passes.len() as u64, header, |writer| {
        writer.array("keys", &harvest.keys)?;
        let by_field: Vec<u64> = harvest.by_field.iter().map(|&n| n as u64).collect();
        writer.array("by-field", &by_field)?;
        writer.array("single", &trainer.weights.single)?;
        writer.array("factors", &trainer.weights.factors)?;
        writer.array("single-squares", &trainer.squares[0])?;
        writer.array("factor-squares", &trainer.squares[1])?;
        writer.array("layers", &flat(&trainer.weights.layers))?;
        writer.array("means", &flat(&trainer.moments[0]))?;
        writer.array("layer-squares", &flat(&trainer.moments[1]))?;
        writer.array("step", &[trainer.step])?;
        let told: Vec<f64> =
            passes.iter().flat_map(|t| [t.positions as f64, t.hits, t.nats]).collect();
        writer.array("told", &told)
    })?;
    Ok(())
}

type State = (Trainer, Harvest, Vec<Told>);

fn resume(
    checkpoints: &Checkpoints,
    header: &Header,
    job: &Job,
    notes: &mut Vec<String>,
) -> Result<Option<State>, LearnError> {
    const MOST: u64 = 1 << 33;
    let expect = Expect::checkpoint("go").layout(STATE);
    let Some(found) = checkpoints.latest(&expect, notes)? else { return Ok(None) };
    let file = &found.container;
    for (key, what) in [("settings", "settings"), ("games", "games")] {
        if file.header().notes.get(key) != header.notes.get(key) {
            return Err(LearnError::Unfit(format!(
                "{}: this run was begun with other {what}; remove the folder to begin anew",
                file.file()
            )));
        }
    }
    let keys = file.section("keys")?.array::<u64>(MOST)?;
    let by_field = file.section("by-field")?.array::<u64>(MOST)?;
    let mut harvest = Harvest { keys, ..Harvest::default() };
    harvest.by_field.iter_mut().zip(by_field).for_each(|(to, from)| *to = from as usize);
    let mut trainer = Trainer::new(&harvest.keys, &job.settings, job.seed);
    let fill = |name: &str, to: &mut Vec<f32>| -> Result<(), LearnError> {
        let from = file.section(name)?.array::<f32>(MOST)?;
        if from.len() != to.len() {
            return Err(LearnError::Unfit(format!(
                "{}: section '{name}' has {} numbers, expected {}",
                file.file(),
                from.len(),
                to.len()
            )));
        }
        *to = from;
        Ok(())
    };
    fill("single", &mut trainer.weights.single)?;
    fill("factors", &mut trainer.weights.factors)?;
    fill("single-squares", &mut trainer.squares[0])?;
    fill("factor-squares", &mut trainer.squares[1])?;
    let [means, squares] = &mut trainer.moments;
    for (name, layers) in
        [("layers", &mut trainer.weights.layers), ("means", means), ("layer-squares", squares)]
    {
        let mut all = vec![0.0; layers.len()];
        fill(name, &mut all)?;
        let mut rest = all.into_iter();
        for part in layers.parts_mut() {
            part.iter_mut().zip(&mut rest).for_each(|(to, from)| *to = from);
        }
    }
    trainer.step = file.section("step")?.array::<u64>(1)?.first().copied().unwrap_or(0);
    let told = file.section("told")?.array::<f64>(MOST)?;
    let passes = told
        .chunks_exact(3)
        .map(|t| Told { positions: t[0] as u64, hits: t[1], nats: t[2] })
        .collect();
    Ok(Some((trainer, harvest, passes)))
}

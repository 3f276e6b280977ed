//! From games to a file of examples: import, merge, label.
//!
//! 1. *Import*: the positions of all games are sorted and merged out of core into `nodes.zug`.
//! 2. *Label*, by disc count from the full board backwards: exactly by the solver, by a search, or
//!    as the NegaMax value of the tree of all games. Each disc count becomes a file `level-44.zug`;
//!    while one is in the making, `solved-44.part` keeps what is done.
//! 3. *Join* the levels into the file that was asked for.
//!
//! The intermediate files lie in a folder beside the result, `examples.zug.work`, which goes away at
//! the end. A process that was killed at any point goes on from there, and ends with the same bytes
//! as one that was not.

use super::import::{ImportCounts, Met, PlayedGame, read_games};
use super::labeller::{NewLabeller, Pool, label_all};
use super::tree::{Level, negamax};
use super::{Example, ExampleError, ExampleFile, ExampleWriter, Sorter, Source};
use crate::Board;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use zug_core::files::{self, FileError, FileLock};
use zug_core::packed::{Hashed, Stream};
use zug_core::{Progress, RecordFormat, StopFlag};

/// What is done with games that stop early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unfinished {
    /// They are left out.
    #[default]
    Skip,
    /// Their positions are taken where they can be labelled: by the solver, or because other games
    /// know how to go on.
    Solve,
}

/// What to make.
#[derive(Clone, Debug)]
pub struct LabelOrder {
    /// The file.
    pub out: PathBuf,
    /// Positions with at least so many discs are solved.
    pub exact_from: Option<u32>,
    /// What is done with games that stop early.
    pub unfinished: Unfinished,
    /// Deals the games to other folds.
    pub seed: u64,
    /// Memory for sorting, in bytes.
    pub memory: u64,
    /// Threads.
    pub threads: usize,
    /// Goes on with what an interrupted process left.
    pub resume: bool,
    /// Gives up what an interrupted process left.
    pub replace: bool,
    /// The command line, without what does not change the result.
    pub command: String,
    /// The digest of the model that searches use, if any does.
    pub model: Option<String>,
}

/// How the labels are found.
#[derive(Clone, Copy)]
pub struct Methods<'a> {
    /// The solver.
    pub exact: &'a NewLabeller<'a>,
    /// A search for the positions with fewer discs than are solved; else the tree labels them.
    pub search: Option<&'a NewLabeller<'a>>,
}

/// A file of games.
pub struct GameFile<'a> {
    /// Its name, for messages.
    pub name: String,
    /// Its format.
    pub format: &'a dyn RecordFormat,
    /// Its bytes.
    pub input: Stream,
}

/// Files of games, one after the other.
pub type Files<'i, 'a> = dyn Iterator<Item = Result<GameFile<'a>, ExampleError>> + Send + 'i;

/// Hears of a game that cannot be used: the file, and why.
pub type Complain<'a> = dyn FnMut(&str, &str) + Send + 'a;

/// What was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labelled {
    /// What was found in the files.
    pub import: ImportCounts,
    /// Positions met, the same ones counted each time.
    pub met: u64,
    /// Different positions.
    pub distinct: u64,
    /// Positions that could not be labelled: of unfinished games.
    pub unlabelled: u64,
    /// Examples written.
    pub examples: u64,
}

/// What must be the same when work goes on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    command: String,
    exact_from: Option<u32>,
    unfinished: Unfinished,
    seed: u64,
    searches: bool,
    #[serde(default)]
    model: Option<String>,
    data: String,
}

/// Games whose positions are worked out together.
const BATCH: usize = 1 << 12;

/// Makes a file of examples from games; an error if there is no example. `games` gives one file after the other; the first problem
/// with any of them ends everything. Broken and illegal games are counted, and shown to `complain`.
pub fn label<'a>(
    order: &LabelOrder,
    methods: Methods<'_>,
    games: &mut Files<'_, 'a>,
    complain: &mut Complain<'_>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Labelled, ExampleError> {
    let work = Work::open(order)?;
    let made = label_in(&work, order, methods, games, complain, progress, stop);
    match &made {
        Ok(_) => work.remove()?,
        // Without a plan nothing is there that work could go on from.
        Err(_) if !work.folder.join(PLAN).exists() => work.remove()?,
        // It is done, and would come to nothing again.
        Err(ExampleError::NoExample(_)) => work.remove()?,
        Err(_) => {}
    }
    progress.finish();
    made
}

fn label_in<'a>(
    work: &Work,
    order: &LabelOrder,
    methods: Methods<'_>,
    games: &mut Files<'_, 'a>,
    complain: &mut Complain<'_>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Labelled, ExampleError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(order.threads.max(1))
        .build()
        .map_err(|e| ExampleError::Other(format!("cannot start threads: {e}")))?;
    let (plan, labelled) = pool.install(|| {
        let mut labelled = import(order, &methods, work, games, complain, progress, stop)?;
        let plan = work.read_plan()?.ok_or_else(|| work.lost())?;
        labelled.examples = 0;
        Ok::<_, ExampleError>((plan, labelled))
    })?;
    let nodes = ExampleFile::open(&work.nodes())?;
    pool.install(|| label_levels(order, methods, work, &nodes, progress, stop))?;
    progress.message("joining");
    join(order, work, &plan, labelled, stop)
}

/// The folder of intermediate files.
struct Work {
    folder: PathBuf,
    _lock: FileLock,
}

impl Work {
    fn open(order: &LabelOrder) -> Result<Work, ExampleError> {
        let mut name = order.out.file_name().unwrap_or_default().to_os_string();
        name.push(".work");
        let folder = order.out.with_file_name(name);
        files::create_folder(&folder)?;
        let lock = FileLock::take(&folder.join("lock"))?;
        if folder.join(PLAN).exists() && !order.resume {
            if !order.replace {
                return Err(ExampleError::Other(format!(
                    "{} holds the work of an interrupted process: --resume goes on with it, \
                     --force begins again",
                    folder.display()
                )));
            }
            let path = folder.join(PLAN);
            fs::remove_file(&path).map_err(FileError::io("remove", &path))?;
            for entry in fs::read_dir(&folder).map_err(FileError::io("list", &folder))? {
                let path = entry.map_err(FileError::io("list", &folder))?.path();
                if path.file_name().is_some_and(|name| name != "lock") {
                    fs::remove_file(&path).map_err(FileError::io("remove", &path))?;
                }
            }
        }
        files::remove_temporaries(&folder)?;
        Ok(Work { folder, _lock: lock })
    }

    fn nodes(&self) -> PathBuf {
        self.folder.join("nodes.zug")
    }

    fn level(&self, discs: u32) -> PathBuf {
        self.folder.join(format!("level-{discs:02}.zug"))
    }

    fn journal(&self, discs: u32) -> PathBuf {
        self.folder.join(format!("solved-{discs:02}.part"))
    }

    fn read<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>, ExampleError> {
        let path = self.folder.join(name);
        if !path.exists() {
            return Ok(None);
        }
        let text = files::read_text(&path, 1 << 20)?;
        let wrong = |e| ExampleError::Other(format!("{}: {e}", path.display()));
        serde_json::from_str(&text).map(Some).map_err(wrong)
    }

    fn write<T: Serialize>(&self, name: &str, value: &T) -> Result<(), ExampleError> {
        let text = serde_json::to_string_pretty(value).expect("plain data");
        Ok(files::write_atomically(&self.folder.join(name), text.as_bytes())?)
    }

    fn read_plan(&self) -> Result<Option<Plan>, ExampleError> {
        self.read(PLAN)
    }

    fn lost(&self) -> ExampleError {
        ExampleError::Other(format!("{} was changed by someone else", self.folder.display()))
    }

    fn remove(self) -> Result<(), ExampleError> {
        fs::remove_dir_all(&self.folder).map_err(FileError::io("remove", &self.folder))?;
        Ok(())
    }
}

const PLAN: &str = "plan.json";
const IMPORTED: &str = "imported.json";

/// Sorts and merges the positions of all games, unless that is done.
fn import<'a>(
    order: &LabelOrder,
    methods: &Methods<'_>,
    work: &Work,
    games: &mut Files<'_, 'a>,
    complain: &mut Complain<'_>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Labelled, ExampleError> {
    progress.set_length(None);
    progress.message("games");
    // The import is done when this file is there; it is then read again only for its digest.
    let done: Option<Labelled> = work.read(IMPORTED)?;
    let mut digests = Vec::new();
    let mut sorter = Sorter::new(&work.folder, order.memory);
    let mut counts = ImportCounts::default();
    for file in games {
        let GameFile { name, format, input } = file?;
        let cannot = |error| ExampleError::Other(format!("cannot read {name}: {error}"));
        let mut hasher = blake3::Hasher::new();
        let mut input = Hashed::new(input, &mut hasher);
        if done.is_some() {
            input.finish().map_err(cannot)?;
            digests.push(*hasher.finalize().as_bytes());
            continue;
        }
        counts.files += 1;
        let (mut batch, mut problem) = (Vec::new(), None);
        let read = read_games(format, &mut input, &mut |met| {
            counts.count(&met);
            progress.advance(1);
            match met {
                Met::Game(game) => {
                    if game.is_finished || order.unfinished == Unfinished::Solve {
                        batch.push(game);
                    }
                }
                Met::Illegal(why) | Met::Broken(why) => complain(&name, &why),
            }
            if batch.len() == BATCH {
                problem = take_in(&mut sorter, &mut batch, order.seed).err();
            }
            problem.is_none() && !stop.is_set()
        });
        read.map_err(cannot)?;
        if let Some(problem) = problem {
            return Err(problem);
        }
        if stop.is_set() {
            return Err(ExampleError::Stopped);
        }
        take_in(&mut sorter, &mut batch, order.seed)?;
        input.finish().map_err(cannot)?;
        digests.push(*hasher.finalize().as_bytes());
    }
    let plan = Plan {
        command: order.command.clone(),
        exact_from: order.exact_from,
        unfinished: order.unfinished,
        seed: order.seed,
        searches: methods.search.is_some(),
        model: order.model.clone(),
        data: digest(digests),
    };
    match work.read_plan()? {
        Some(before) if before != plan => {
            let folder = work.folder.display();
            if before.model != plan.model {
                return Err(ExampleError::Other(format!(
                    "the work in {folder} was begun with another model, though it may have had the \
                     same name"
                )));
            }
            let (now, before) = (&plan.command, &before.command);
            return Err(ExampleError::Other(format!(
                "the work in {folder} is that of another command or of other games: it was begun \
                 with '{before}', not '{now}'"
            )));
        }
        Some(_) => {}
        None => work.write(PLAN, &plan)?,
    }
    if let Some(done) = done {
        return Ok(done);
    }
    let met = sorter.pushed();
    progress.message("merging");
    let mut writer = ExampleWriter::create(&work.nodes(), &ExampleFile::new_header())?;
    for node in sorter.finish()? {
        writer.push(node?)?;
    }
    let distinct = writer.commit()?;
    let labelled = Labelled { import: counts, met, distinct, ..Labelled::default() };
    work.write(IMPORTED, &labelled)?;
    Ok(labelled)
}

fn take_in(
    sorter: &mut Sorter,
    batch: &mut Vec<PlayedGame>,
    seed: u64,
) -> Result<(), ExampleError> {
    let examples: Vec<Vec<Example>> = batch.par_iter().map(|game| game.examples(seed)).collect();
    batch.clear();
    for example in examples.into_iter().flatten() {
        sorter.push_canonical(example)?;
    }
    Ok(())
}

/// One digest for all files, whatever their order.
fn digest(mut digests: Vec<[u8; 32]>) -> String {
    digests.sort_unstable();
    blake3::hash(&digests.concat()).to_hex().to_string()
}

/// Labels disc count after disc count, from the full board backwards.
fn label_levels(
    order: &LabelOrder,
    methods: Methods<'_>,
    work: &Work,
    nodes: &ExampleFile,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<(), ExampleError> {
    progress.set_length(Some(nodes.len()));
    let (solvers, searchers) = (Pool::default(), Pool::default());
    let exact: &NewLabeller = &|| solvers.take(methods.exact);
    let search: &NewLabeller = &|| searchers.take(methods.search.expect("asked"));
    let mut after = Level::default();
    for discs in (0..64).rev() {
        if nodes.count(discs) == 0 {
            after = Level::default();
            continue;
        }
        progress.message(&format!("{discs} discs"));
        let path = work.level(discs);
        if path.exists() {
            let done = ExampleFile::open(&path)?;
            after = Level::default();
            done.for_each(discs..=discs, |e| after.push(e.board, e.score, e.source))?;
            progress.advance(nodes.count(discs));
            continue;
        }
        if stop.is_set() {
            return Err(ExampleError::Stopped);
        }
        let level = nodes.chunk(discs, 0..nodes.count(discs))?;
        let is_exact = order.exact_from.is_some_and(|from| discs >= from);
        let labels = if is_exact || methods.search.is_some() {
            let labeller = if is_exact { exact } else { search };
            let source = if is_exact { Source::Exact } else { Source::Search };
            let movable: Vec<Board> =
                level.iter().map(mover).filter(|board| board.moves() != 0).collect();
            let journal = work.journal(discs);
            let (threads, journal) = (order.threads, Some(journal.as_path()));
            let scores = label_all(&movable, &after, labeller, threads, journal, progress, stop)?;
            spread(&level, &scores, source)
        } else {
            let labels = level.par_iter().map(|node| by_tree(node.board, &level, &after)).collect();
            progress.advance(level.len() as u64);
            labels
        };
        after = write_level(&path, &level, labels)?;
        let journal = work.journal(discs);
        if journal.exists() {
            fs::remove_file(&journal).map_err(FileError::io("remove", &journal))?;
        }
    }
    Ok(())
}

/// The position with the side to move that can: where the mover must pass, the other one.
fn mover(node: &Example) -> Board {
    if node.board.moves() != 0 { node.board } else { node.board.passed() }
}

type Label = Option<(i8, Source)>;

/// Puts scores of the positions with moves in their places; those of passes turn their signs.
fn spread(level: &[Example], scores: &[i8], source: Source) -> Vec<Label> {
    let mut scores = scores.iter();
    level
        .iter()
        .map(|node| match (node.board.moves(), node.board.replies()) {
            (0, 0) => Some((node.board.final_score() as i8, Source::Exact)),
            (0, _) => scores.next().map(|&score| (-score, source)),
            _ => scores.next().map(|&score| (score, source)),
        })
        .collect()
}

/// The label of a node by the tree. `level` holds the nodes with as many discs, `after` the labels
/// of those with one more.
fn by_tree(board: Board, level: &[Example], after: &Level) -> Label {
    if board.moves() != 0 {
        return negamax(board, after);
    }
    if board.replies() == 0 {
        return Some((board.final_score() as i8, Source::Exact));
    }
    let other = board.passed().canonical();
    // A tree knows the position after a pass only if some game came to it.
    level.binary_search_by_key(&other, |node| node.board).ok()?;
    negamax(other, after).map(|(score, source)| (-score, source))
}

/// Writes a level, and gives back what the one before it needs to know.
fn write_level(path: &Path, level: &[Example], labels: Vec<Label>) -> Result<Level, ExampleError> {
    let mut known = Level::default();
    let mut writer = ExampleWriter::create(path, &ExampleFile::new_header())?;
    for (node, label) in level.iter().zip(labels) {
        if let Some((score, source)) = label {
            writer.push(Example { score, source, ..*node })?;
            known.push(node.board, score, source);
        }
    }
    writer.commit()?;
    Ok(known)
}

/// Why games gave no example.
fn none_usable(labelled: &Labelled) -> String {
    let import = &labelled.import;
    let hint = match import.unfinished {
        0 => "",
        _ => "; --unfinished solve with --exact-from takes positions of games that stop early",
    };
    format!(
        "no example, so nothing is written: of {} games {} are complete, {} stop early, {} have \
         illegal moves, and {} are unreadable{hint}",
        import.games, import.complete, import.unfinished, import.illegal, import.broken
    )
}

/// Writes all levels into the file that was asked for.
fn join(
    order: &LabelOrder,
    work: &Work,
    plan: &Plan,
    mut labelled: Labelled,
    stop: &StopFlag,
) -> Result<Labelled, ExampleError> {
    let mut levels = Vec::new();
    for path in (0..64).map(|discs| work.level(discs)).filter(|path| path.exists()) {
        levels.push(ExampleFile::open(&path)?);
    }
    labelled.examples = levels.iter().map(ExampleFile::len).sum();
    labelled.unlabelled = labelled.distinct - labelled.examples;
    if labelled.examples == 0 {
        return Err(ExampleError::NoExample(none_usable(&labelled)));
    }
    let mut header = ExampleFile::new_header();
    header.made.command = Some(order.command.clone());
    header.made.seed = Some(order.seed);
    header.made.data = Some(plan.data.clone());
    if let Some(model) = &order.model {
        header.notes.insert("model digest".into(), model.clone());
    }
    let import = &labelled.import;
    for (name, count) in [
        ("files", import.files),
        ("games", import.games),
        ("complete", import.complete),
        ("unfinished", import.unfinished),
        ("illegal", import.illegal),
        ("other result", import.other_result),
        ("broken", import.broken),
        ("positions met", labelled.met),
        ("different positions", labelled.distinct),
        ("not labelled", labelled.unlabelled),
    ] {
        header.notes.insert(name.into(), count.to_string());
    }
    let mut writer = ExampleWriter::create(&order.out, &header)?;
    for level in &levels {
        let mut problem = None;
        level.for_each(0..=64, |example| {
            if problem.is_none() {
                problem = match stop.is_set() {
                    true => Some(ExampleError::Stopped),
                    false => writer.push(example).err(),
                };
            }
        })?;
        if let Some(problem) = problem {
            return Err(problem);
        }
    }
    writer.commit()?;
    Ok(labelled)
}

#[cfg(test)]
mod tests {
    use super::super::labeller::ExactLabeller;
    use super::super::labeller::tests::{Plain, plain};
    use super::*;
    use crate::Othello;
    use crate::records::testing::random_game;
    use crate::records::transcript::Transcripts;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use zug_core::Silent;
    use zug_core::seed::RngExt;

    const TRANSCRIPTS: Transcripts = Transcripts { game: Othello::with_size(8).unwrap() };

    /// Games that begin alike, so that the tree has branches: of two random ways, mostly the first.
    fn games(seed: u64, count: u64, plies: usize) -> String {
        let game = Othello::default();
        let mut rng = zug_core::rng(seed, 1);
        let mut text = String::new();
        for _ in 0..count {
            let mut board = Board::START;
            for ply in 0..plies {
                if board.is_over() {
                    break;
                }
                if board.moves() == 0 {
                    board = board.passed();
                    continue;
                }
                let squares: Vec<u32> = (0..64).filter(|s| board.moves() >> s & 1 != 0).collect();
                let most = if ply < 40 { 2 } else { squares.len() };
                let pick = rng.random_range(0..most.min(squares.len()));
                let square = squares[if rng.random_range(0..4) == 0 { pick } else { 0 }];
                text.push_str(&crate::Move::to_square(square).unwrap().to_string());
                board = board.after(square);
            }
            text.push('\n');
        }
        let random = random_game(&game, seed, usize::MAX);
        text.extend(random.iter().filter(|m| !m.is_pass()).map(ToString::to_string));
        text.push('\n');
        text
    }

    #[test]
    fn work_goes_on_only_with_the_same_model_and_joining_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("examples.zug.work");
        let mut order = LabelOrder { model: Some("one".into()), ..order(folder.path()) };
        order.out = folder.path().join("examples.zug");
        let exact: &NewLabeller = &|| Box::new(ExactLabeller::new(Plain));
        let run = |order: &LabelOrder, stop: &StopFlag, at_join: bool| {
            struct StopAtJoin<'a>(&'a StopFlag, bool);
            impl Progress for StopAtJoin<'_> {
                fn set_length(&self, _: Option<u64>) {}
                fn advance(&self, _: u64) {}
                fn finish(&self) {}
                fn message(&self, text: &str) {
                    if self.1 && text == "joining" {
                        self.0.set();
                    }
                }
            }
            let input = stream(&games(5, 6, usize::MAX));
            let file = GameFile { name: "games".into(), format: &TRANSCRIPTS, input };
            let (mut files, progress) = (std::iter::once(Ok(file)), StopAtJoin(stop, at_join));
            let methods = Methods { exact, search: None };
            label(order, methods, &mut files, &mut |_, _| {}, &progress, stop)
        };
        let stopped = run(&order, &StopFlag::new(), true);
        assert!(matches!(stopped, Err(ExampleError::Stopped)), "{stopped:?}");
        assert!(work.exists() && !order.out.exists());
        order.resume = true;
        let other = LabelOrder { model: Some("other".into()), ..order.clone() };
        let refused = run(&other, &StopFlag::new(), false).unwrap_err().to_string();
        assert!(refused.contains("another model"), "{refused}");
        run(&order, &StopFlag::new(), false).unwrap();
        assert!(!work.exists());
        let file = ExampleFile::open(&order.out).unwrap();
        assert_eq!(file.header().notes["model digest"], "one");
    }

    fn stream(text: &str) -> Stream {
        Box::new(std::io::Cursor::new(text.as_bytes().to_vec()))
    }

    fn order(folder: &Path) -> LabelOrder {
        LabelOrder {
            out: folder.join("examples.zug"),
            exact_from: None,
            unfinished: Unfinished::Skip,
            seed: 1,
            memory: 1 << 20,
            threads: 2,
            resume: false,
            replace: false,
            command: "label".into(),
            model: None,
        }
    }

    fn run(order: &LabelOrder, texts: &[&str]) -> Result<(Labelled, Vec<Example>), ExampleError> {
        let mut files = texts.iter().enumerate().map(|(i, text)| {
            let (name, input) = (format!("{i}.txt"), stream(text));
            Ok(GameFile { name, format: &TRANSCRIPTS as &dyn RecordFormat, input })
        });
        let exact: &NewLabeller = &|| Box::new(ExactLabeller::new(Plain));
        let methods = Methods { exact, search: None };
        let stop = StopFlag::new();
        let made = label(order, methods, &mut files, &mut |_, _| {}, &Silent, &stop)?;
        let file = ExampleFile::open(&order.out)?;
        file.verify()?;
        let mut examples = Vec::new();
        file.for_each(0..=64, |e| examples.push(e))?;
        Ok((made, examples))
    }

    /// The definition: the tree as a map, the value by recursion.
    struct Naive {
        known: BTreeMap<Board, u32>,
    }

    impl Naive {
        fn new(text: &str) -> Naive {
            let mut known = BTreeMap::new();
            let _ = read_games(&TRANSCRIPTS, &mut text.as_bytes(), &mut |met| {
                let Met::Game(game) = met else { panic!("{met:?}") };
                if game.is_finished {
                    for board in game.positions().0 {
                        *known.entry(board).or_insert(0) += 1;
                    }
                }
                true
            });
            Naive { known }
        }

        fn value(&self, board: Board) -> Option<i32> {
            if board.is_over() {
                return Some(board.final_score());
            }
            if board.moves() == 0 {
                return self.value(board.passed()).map(|v| -v);
            }
            if !self.known.contains_key(&board.canonical()) {
                return None;
            }
            let squares = (0..64).filter(|s| board.moves() >> s & 1 != 0);
            squares.filter_map(|s| self.value(board.after(s))).map(|v| -v).max()
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn labels_are_the_values_of_the_tree_by_its_definition(seed: u64, count in 1u64..12) {
            let text = games(seed, count, 200);
            let naive = Naive::new(&text);
            let folder = tempfile::tempdir().unwrap();
            let (made, examples) = run(&order(folder.path()), &[&text]).unwrap();
            prop_assert_eq!(made.examples as usize, naive.known.len());
            prop_assert_eq!(made.met, naive.known.values().map(|&n| u64::from(n)).sum::<u64>());
            for example in examples {
                prop_assert_eq!(naive.known.get(&example.board), Some(&example.count));
                prop_assert_eq!(Some(i32::from(example.score)), naive.value(example.board));
                if example.source == Source::Exact && example.board.empties() < 7 {
                    prop_assert_eq!(i32::from(example.score), plain(example.board));
                }
            }
        }
    }

    #[test]
    fn late_positions_are_exact_and_the_tree_builds_on_them() {
        let text = games(3, 8, 200);
        let folder = tempfile::tempdir().unwrap();
        let solved = LabelOrder { exact_from: Some(58), ..order(folder.path()) };
        let (_, examples) = run(&solved, &[&text]).unwrap();
        let mut levels: BTreeMap<u32, Level> = BTreeMap::new();
        let mut late = 0;
        for example in examples.iter().rev().filter(|e| e.board.discs() >= 58) {
            assert_eq!(i32::from(example.score), plain(example.board));
            assert_eq!(example.source, Source::Exact);
            late += 1;
        }
        assert!(late > 20);
        for example in &examples {
            let level = levels.entry(example.board.discs()).or_default();
            level.push(example.board, example.score, example.source);
        }
        for example in examples.iter().filter(|e| e.board.discs() < 58 && e.board.moves() != 0) {
            let after = levels.get(&(example.board.discs() + 1)).cloned().unwrap_or_default();
            assert_eq!(Some((example.score, example.source)), negamax(example.board, &after));
        }
    }

    #[test]
    fn the_order_of_files_the_memory_and_the_threads_do_not_matter() {
        let (one, two) = (games(1, 6, 200), games(2, 6, 200));
        let bytes = |texts: &[&str], change: fn(&mut LabelOrder)| {
            let folder = tempfile::tempdir().unwrap();
            let mut order = LabelOrder { exact_from: Some(59), ..order(folder.path()) };
            change(&mut order);
            run(&order, texts).unwrap();
            assert!(!folder.path().join("examples.zug.work").exists());
            fs::read(&order.out).unwrap()
        };
        let first = bytes(&[&one, &two], |_| {});
        assert_eq!(bytes(&[&two, &one], |o| o.memory = 0), first);
        assert_eq!(bytes(&[&one, &two], |o| o.threads = 1), first);
        assert_ne!(bytes(&[&one, &two], |o| o.seed = 2), first);
    }

    #[test]
    fn unfinished_games_are_left_out_or_taken_as_far_as_they_can_be_solved() {
        let text = games(5, 3, 57);
        let folder = tempfile::tempdir().unwrap();
        let mut order = LabelOrder { exact_from: Some(58), ..order(folder.path()) };
        let (made, _) = run(&order, &[&text]).unwrap();
        assert!(made.import.unfinished > 0);
        assert_eq!((made.import.complete, made.unlabelled), (1, 0));
        order.unfinished = Unfinished::Solve;
        let (more, examples) = run(&order, &[&text]).unwrap();
        assert!(more.examples > made.examples);
        for example in examples.iter().filter(|e| e.board.discs() >= 58) {
            assert_eq!(i32::from(example.score), plain(example.board));
        }
    }

    #[test]
    fn interrupted_work_is_kept_and_goes_on_only_with_the_same_order() {
        let text = games(4, 5, 200);
        let folder = tempfile::tempdir().unwrap();
        let mut order = LabelOrder { exact_from: Some(58), ..order(folder.path()) };
        let (_, wanted) = run(&order, &[&text]).unwrap();
        let bytes = fs::read(&order.out).unwrap();
        fs::remove_file(&order.out).unwrap();

        struct Stopping;
        impl super::super::labeller::Labeller for Stopping {
            fn label(&mut self, board: Board, after: &Level, stop: &StopFlag) -> Option<i8> {
                if board.discs() == 60 {
                    stop.set();
                    return None;
                }
                ExactLabeller::new(Plain).label(board, after, stop)
            }
        }
        let file = || {
            let (name, input) = ("0.txt".to_string(), stream(&text));
            std::iter::once(Ok(GameFile { name, format: &TRANSCRIPTS, input }))
        };
        let stopping: &NewLabeller = &|| Box::new(Stopping);
        let methods = Methods { exact: stopping, search: None };
        let stop = StopFlag::new();
        let stopped = label(&order, methods, &mut file(), &mut |_, _| {}, &Silent, &stop);
        assert!(matches!(stopped, Err(ExampleError::Stopped)));
        assert!(!order.out.exists());

        let refused = run(&order, &[&text]).unwrap_err().to_string();
        assert!(refused.contains("--resume"), "{refused}");
        order.resume = true;
        let other = LabelOrder { seed: 9, ..order.clone() };
        assert!(run(&other, &[&text]).unwrap_err().to_string().contains("another command"));
        assert!(run(&order, &[&text, &text]).unwrap_err().to_string().contains("other games"));
        let (_, again) = run(&order, &[&text]).unwrap();
        assert_eq!(again, wanted);
        assert_eq!(fs::read(&order.out).unwrap(), bytes);
    }
}

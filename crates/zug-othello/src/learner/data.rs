//! What is learned from, and with which settings?

use crate::examples::{ExampleFile, FOLDS, Source};
use std::collections::BTreeMap;
use std::str::FromStr;
use zug_core::error::shorten;
use zug_learn::face::{Order, TaskError};

/// Examples that are looked through at a time.
const CHUNK: u64 = 1 << 14;

/// The files of an order, opened.
pub(super) struct Data {
    pub files: Vec<ExampleFile>,
    /// One digest for all of them, whatever their order.
    pub digest: String,
}

impl Data {
    /// Opens the files; each must hold examples, and none may be given twice.
    pub fn open(order: &Order) -> Result<Data, TaskError> {
        let mut files = Vec::new();
        let mut digests: Vec<String> = Vec::new();
        for path in &order.data {
            let file = ExampleFile::open(path).map_err(TaskError::below)?;
            insist_on_same_folds(files.first(), &file)?;
            if file.is_empty() {
                return Err(TaskError::Unfit(format!(
                    "{}: there are no examples in it",
                    file.name()
                )));
            }
            let digest = file.digest().map_err(TaskError::below)?;
            if digests.contains(&digest) {
                let message = format!("{}: the same examples are given twice", file.name());
                return Err(TaskError::Unfit(message));
            }
            digests.push(digest);
            files.push(file);
        }
        digests.sort();
        let digest = match digests.as_slice() {
            [one] => one.clone(),
            all => blake3::hash(all.concat().as_bytes()).to_hex().to_string(),
        };
        Ok(Data { files, digest })
    }

    /// All examples.
    pub fn len(&self) -> u64 {
        self.files.iter().map(ExampleFile::len).sum()
    }

    /// Complains unless some example belongs to one of these folds: an error on nothing would look
    /// like no error.
    pub fn insist_on_folds(&self, folds: &[u8]) -> Result<(), TaskError> {
        for file in &self.files {
            for discs in 0..=64 {
                for range in file.chunks(discs, CHUNK) {
                    let chunk = file.chunk(discs, range).map_err(TaskError::below)?;
                    if chunk.iter().any(|e| folds.contains(&e.fold)) {
                        return Ok(());
                    }
                }
            }
        }
        let folds: Vec<String> = folds.iter().map(u8::to_string).collect();
        Err(TaskError::Unfit(format!(
            "no example belongs to the fold {} that is to be held out; --fold chooses another, and \
             --set held-out=none learns from all",
            folds.join(" or ")
        )))
    }
}

/// Complains about files whose games were dealt to folds in different ways: a game that one of them
/// holds out could be learned from in the other.
fn insist_on_same_folds(first: Option<&ExampleFile>, file: &ExampleFile) -> Result<(), TaskError> {
    let Some(first) = first else { return Ok(()) };
    let (one, other) = (first.header().made.seed, file.header().made.seed);
    if one == other {
        return Ok(());
    }
    let told = |seed: Option<u64>| seed.map_or("no seed".to_string(), |s| format!("the seed {s}"));
    Err(TaskError::Unfit(format!(
        "{} and {}: their games were dealt to folds in different ways ({} and {}), so games that one \
         holds out may be learned from in the other; label them with the same --seed, best in one go",
        first.name(),
        file.name(),
        told(one),
        told(other)
    )))
}

/// The folds that an order holds out: those of `--fold`, of `--set held-out=…`, or the first.
pub(super) fn held_out(order: &Order, settings: &mut Settings) -> Result<Vec<u8>, TaskError> {
    let given = settings.take("held-out");
    let folds = match (order.fold, given.as_deref()) {
        (Some(_), Some(_)) => {
            let message = "--fold and --set held-out=… say the same; give one of them";
            return Err(TaskError::Unfit(message.into()));
        }
        (Some(fold), None) => vec![fold],
        (None, None) => vec![0],
        (None, Some("none")) => Vec::new(),
        (None, Some(list)) => {
            let numbers = list.split([',', '+']).map(|n| n.trim().parse());
            numbers.collect::<Result<_, _>>().map_err(|_| {
                TaskError::Unfit(format!("held-out={}: expected folds or none", shorten(list)))
            })?
        }
    };
    match folds.iter().find(|&&f| f >= FOLDS) {
        None => Ok(folds),
        Some(fold) => Err(TaskError::Unfit(format!(
            "there is no fold {fold}: they are numbered from 0 to {}",
            FOLDS - 1
        ))),
    }
}

/// The least trustworthy labels that are used: `--set labels=exact`.
pub(super) fn labels(settings: &mut Settings) -> Result<Source, TaskError> {
    let Some(name) = settings.take("labels") else { return Ok(Source::Game) };
    Source::ALL.into_iter().find(|s| s.name() == name).ok_or_else(|| {
        TaskError::unknown("kind of label", &name, Source::ALL.iter().map(|s| s.name()))
    })
}

/// The options that only one method knows, each used once.
pub(super) struct Settings {
    given: BTreeMap<String, String>,
    known: Vec<&'static str>,
}

impl Settings {
    /// From `--set KEY=VALUE`.
    pub fn new(order: &Order) -> Result<Settings, TaskError> {
        let mut given = BTreeMap::new();
        for (key, value) in &order.options {
            if given.insert(key.clone(), value.clone()).is_some() {
                return Err(TaskError::Unfit(format!("--set {key} is given twice")));
            }
        }
        Ok(Settings { given, known: Vec::new() })
    }

    /// The text of an option.
    pub fn take(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
        self.given.remove(key)
    }

    /// The value of an option, or what it is by default.
    pub fn value<T: FromStr>(&mut self, key: &'static str, default: T) -> Result<T, TaskError> {
        match self.take(key) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| {
                TaskError::Unfit(format!("--set {key}={}: expected a number", shorten(&text)))
            }),
        }
    }

    /// One of some words, or the first of them.
    pub fn word<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&str, T)],
    ) -> Result<T, TaskError> {
        let Some(text) = self.take(key) else { return Ok(words[0].1) };
        words.iter().find(|(w, _)| *w == text).map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
            let text = shorten(&text);
            TaskError::Unfit(format!("--set {key}={text}: expected one of {}", known.join(", ")))
        })
    }

    /// Complains about options that nobody asked for.
    pub fn finish(self) -> Result<(), TaskError> {
        match self.given.keys().next() {
            None => Ok(()),
            Some(key) => Err(TaskError::unknown("option", key, self.known)),
        }
    }
}

/// Runs work on so many threads.
pub(super) fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, TaskError> + Send,
) -> Result<T, TaskError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    pool.map_err(TaskError::below)?.install(work)
}

//! What is learned from, and with which settings?

use crate::examples::{ExampleFile, FOLDS, Source};
use zug_core::error::shorten;
use zug_learn::choices::Choices;
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
pub(super) fn held_out(order: &Order, settings: &mut Choices) -> Result<Vec<u8>, TaskError> {
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
pub(super) fn labels(settings: &mut Choices) -> Result<Source, TaskError> {
    let Some(name) = settings.take("labels") else { return Ok(Source::Game) };
    Source::ALL.into_iter().find(|s| s.name() == name).ok_or_else(|| {
        TaskError::unknown("kind of label", &name, Source::ALL.iter().map(|s| s.name()))
    })
}

//! Journals of results that are believed later.
//!
//! Each line ends with a digest of itself and of all lines before it. A line that was changed, taken
//! out or put in by hand is refused, with its number; a line that a crash has torn is dropped, as in
//! any journal.
//!
//! ```text
//! {"what":"squares","proof":"0c1f…"}
//! {"task":3,"result":9,"proof":"77ab…"}
//! ```

use super::FileError;
use super::journal::{Journal, JournalContents, for_each_line};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// An open journal whose lines prove themselves.
///
/// ```
/// use zug_core::files::SealedJournal;
/// use std::collections::BTreeMap;
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("results.jsonl");
/// type Line = BTreeMap<String, u32>;
/// let (mut journal, before) = SealedJournal::open::<Line>(&path, "{\"a\":")?;
/// assert!(before.entries.is_empty());
/// journal.append(&Line::from([("a".to_string(), 1)]))?;
/// drop(journal);
/// let changed = std::fs::read_to_string(&path)?.replace("\"a\":1", "\"a\":2");
/// std::fs::write(&path, changed)?;
/// let refused = SealedJournal::open::<Line>(&path, "{\"a\":").unwrap_err();
/// assert!(refused.to_string().contains("line 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SealedJournal {
    journal: Journal,
    path: PathBuf,
    chain: blake3::Hash,
}

impl SealedJournal {
    /// Opens a journal and reads it, or begins it. `beginning` is how the first line of such a
    /// journal begins: any other file is refused before anything is changed.
    pub fn open<T: DeserializeOwned>(
        path: &Path,
        beginning: &str,
    ) -> Result<(SealedJournal, JournalContents<T>), FileError> {
        let mut contents = JournalContents { entries: Vec::new(), note: None };
        let mut chain = blake3::hash(b"");
        if path.exists() {
            insist_on_beginning(path, beginning)?;
            contents.note = for_each_line(path, |_, line| {
                let (content, link) = unseal(line, &chain)?;
                chain = link;
                contents.entries.push(serde_json::from_slice(&content).map_err(|e| e.to_string())?);
                Ok(())
            })?;
        }
        let journal = Journal::open(path)?;
        Ok((SealedJournal { journal, path: path.to_path_buf(), chain }, contents))
    }

    /// Adds an entry, which must be a JSON object; when this returns, it is on the disk.
    pub fn append<T: Serialize + ?Sized>(&mut self, entry: &T) -> Result<(), FileError> {
        let failed = |e: io::Error| FileError::io("write", &self.path)(e);
        let content = serde_json::to_vec(entry).map_err(|e| failed(io::Error::other(e)))?;
        let Some(open) = content.strip_suffix(b"}").filter(|c| c.len() > 1) else {
            return Err(failed(io::Error::other("expected an entry with names")));
        };
        let link = link(&self.chain, &content);
        let line = [open, SEAL.as_bytes(), proof(&link).as_bytes(), b"\"}"].concat();
        self.journal.append_line(line)?;
        self.chain = link;
        Ok(())
    }
}

const SEAL: &str = ",\"proof\":\"";
/// Digits of a proof.
const DIGITS: usize = 16;

fn link(before: &blake3::Hash, content: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes()).update(content);
    hasher.finalize()
}

fn proof(link: &blake3::Hash) -> String {
    link.to_hex()[..DIGITS].to_string()
}

/// What a line says, and the chain up to it; or what is wrong with it.
fn unseal(line: &[u8], before: &blake3::Hash) -> Result<(Vec<u8>, blake3::Hash), String> {
    let open = line.strip_suffix(b"\"}").and_then(|l| l.split_last_chunk::<DIGITS>());
    let Some((open, given)) = open.and_then(|(l, p)| Some((l.strip_suffix(SEAL.as_bytes())?, p)))
    else {
        return Err("this line has no proof at its end: it was changed, or an older version of \
                    the program has written it; results that cannot be proved are not used"
            .into());
    };
    let content = [open, b"}"].concat();
    let link = link(before, &content);
    if proof(&link).as_bytes() != given {
        return Err(
            "this line is not as it was written, or one before it is missing: its proof does not \
                    fit; results that cannot be proved are not used"
                .into(),
        );
    }
    Ok((content, link))
}

/// Is there a file that begins so, or as much of it as a crash has left?
pub fn begins_with(path: &Path, beginning: &str) -> Result<bool, FileError> {
    if !path.exists() {
        return Ok(false);
    }
    let file = File::open(path).map_err(FileError::io("open", path))?;
    let mut head = Vec::new();
    let most = beginning.len() as u64;
    file.take(most).read_to_end(&mut head).map_err(FileError::io("read", path))?;
    Ok(beginning.as_bytes().starts_with(&head))
}

/// Refuses a file that is something else. One that was torn in its first line is ours.
fn insist_on_beginning(path: &Path, beginning: &str) -> Result<(), FileError> {
    if begins_with(path, beginning)? {
        return Ok(());
    }
    let message = format!("expected a journal that begins with {beginning}");
    Err(FileError::Content { path: path.to_path_buf(), line: 1, message })
}

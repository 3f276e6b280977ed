//! What is in this file of records? Its format by the ending, its bytes, the names beside it.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use zug_core::packed::{self, Stream, ending, inner_ending, is_compressed};
use zug_core::{GameEntry, Record, RecordFormat};

/// A compressed file that is read whole, to be written again as another, unpacks to no more.
const MOST_BYTES: u64 = 256 << 20;

/// The record format that a file name asks for; `.zst` after the ending does not count.
pub fn format_for<'a>(entry: &'a GameEntry, path: &Path) -> Result<&'a dyn RecordFormat> {
    let ending = inner_ending(path);
    let found = entry.formats.iter().find(|f| f.extensions().contains(&ending.as_str()));
    found.map(AsRef::as_ref).with_context(|| {
        let mut known: Vec<&str> = Vec::new();
        for &extension in entry.formats.iter().flat_map(|f| f.extensions()) {
            if !known.contains(&extension) {
                known.push(extension);
            }
        }
        format!(
            "{}: records of {} end in .{} (or one of these and .zst), not in '.{ending}'",
            path.display(),
            entry.game.spec(),
            known.join(", ."),
        )
    })
}

/// The format of a file, and its bytes as a stream.
pub fn open<'a>(entry: &'a GameEntry, path: &Path) -> Result<(&'a dyn RecordFormat, Stream)> {
    // Opened before its ending is looked at: a file that is not there is the plainer reason.
    let input = packed::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok((format_for(entry, path)?, input))
}

/// The format of a file, and its bytes.
pub fn read<'a>(entry: &'a GameEntry, path: &Path) -> Result<(&'a dyn RecordFormat, Vec<u8>)> {
    let (format, mut input) = open(entry, path)?;
    let most = if is_compressed(path) { MOST_BYTES } else { u64::MAX - 1 };
    let bytes = packed::read_all(&mut input, most);
    Ok((format, bytes.with_context(|| format!("cannot read {}", path.display()))?))
}

/// Writes a file whole, compressed if its name says so.
pub fn write(path: &Path, mut bytes: Vec<u8>) -> Result<()> {
    if is_compressed(path) {
        bytes = zstd::encode_all(bytes.as_slice(), 0).context("cannot compress")?;
    }
    Ok(zug_core::files::write_atomically(path, &bytes)?)
}

/// Puts names from the files beside `path` in place of numbers, where the format has such files.
pub fn put_names(format: &dyn RecordFormat, path: &Path, records: &mut [Record]) -> Result<()> {
    let endings = format.name_files();
    if endings.is_empty() {
        return Ok(());
    }
    let mut files = Vec::new();
    for wanted in endings {
        files.push(match beside(path, wanted)? {
            Some(found) => {
                fs::read(&found).with_context(|| format!("cannot read {}", found.display()))?
            }
            None => Vec::new(),
        });
    }
    format.put_names(records, &files).with_context(|| {
        format!("in the name files (.{}) beside {}", endings.join(", ."), path.display())
    })
}

/// The first file, by name, with this ending in the folder of `path`.
fn beside(path: &Path, wanted: &str) -> Result<Option<PathBuf>> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let found: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|e| e.map(|e| e.path())).collect())
        .with_context(|| format!("cannot read the folder {}", folder.display()))?;
    Ok(found.into_iter().filter(|p| ending(p) == wanted && p.is_file()).min())
}

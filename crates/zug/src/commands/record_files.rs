//! What is in this file of records? Its format by the ending, its bytes, the names beside it.

use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use zug_core::{GameEntry, Record, RecordFormat};

/// A compressed file that grows beyond this is refused; records are read from memory.
const MOST_BYTES: u64 = 4 << 30;

/// The largest window of a compressed file, as a power of two: what `zstd --long=31` writes.
const WINDOW: u32 = 31;

fn ending(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

/// Does the name say that the file is compressed (`games.pgn.zst`)?
pub fn is_compressed(path: &Path) -> bool {
    ending(path) == "zst"
}

/// The record format that a file name asks for; `.zst` after the ending does not count.
pub fn format_for<'a>(entry: &'a GameEntry, path: &Path) -> Result<&'a dyn RecordFormat> {
    let ending = if is_compressed(path) { ending(&path.with_extension("")) } else { ending(path) };
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

/// The format and the bytes of a file.
pub fn read<'a>(entry: &'a GameEntry, path: &Path) -> Result<(&'a dyn RecordFormat, Vec<u8>)> {
    let cannot = || format!("cannot read {}", path.display());
    // Opened before its ending is looked at: a file that is not there is the plainer reason.
    let mut file = File::open(path).with_context(cannot)?;
    let format = format_for(entry, path)?;
    let mut bytes = Vec::new();
    if is_compressed(path) {
        bytes = decompress(file, MOST_BYTES).with_context(cannot)?;
    } else {
        file.read_to_end(&mut bytes).with_context(cannot)?;
    }
    Ok((format, bytes))
}

/// Decompresses a stream.
pub fn decoder<R: std::io::BufRead>(input: R) -> Result<zstd::Decoder<'static, R>> {
    let mut decoder = zstd::Decoder::with_buffer(input)?;
    decoder.window_log_max(WINDOW)?;
    Ok(decoder)
}

/// Decompresses a stream whole, to at most so many bytes.
pub fn decompress(file: impl Read, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    decoder(std::io::BufReader::new(file))?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        bail!("it decompresses to more than {most} bytes");
    }
    Ok(bytes)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_beyond_the_bound_is_refused() {
        let packed = zstd::encode_all(&[7; 1000][..], 0).unwrap();
        assert_eq!(decompress(packed.as_slice(), 1000).unwrap(), [7; 1000]);
        assert!(decompress(packed.as_slice(), 999).unwrap_err().to_string().contains("999"));
        assert!(decompress(&packed[..packed.len() - 3], 1000).is_err());
        assert!(decompress(&b"1. e4 *"[..], 1000).is_err());
    }
}

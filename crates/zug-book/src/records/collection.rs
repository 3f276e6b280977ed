//! Which files of records are meant by these paths? Files, folders of files, archives of files;
//! each of them compressed or not, with the files beside them that hold names.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use zug_core::{GameEntry, RecordFormat};

/// A file of records.
pub struct Found<'a> {
    /// Where it was found, for messages: of an archive, the archive and the name in it.
    pub name: String,
    /// Its format.
    pub format: &'a dyn RecordFormat,
    /// Its bytes, decompressed.
    pub bytes: Vec<u8>,
    /// The bytes of the format's [`name_files`](RecordFormat::name_files), empty where there is none.
    pub names: Vec<Vec<u8>>,
}

/// A path that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The system refused, or the file is no archive, or not compressed.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// No format has this ending.
    #[error("{}: records of {game} end in .{known} (or one of these and .zst), in .tar or .tar.zst", path.display())]
    Format {
        /// Which file.
        path: PathBuf,
        /// The game.
        game: String,
        /// Endings that are known.
        known: String,
    },
}

/// What is unpacked may be as large as this.
const MOST_BYTES: u64 = 4 << 30;
/// The largest window of a compressed file, as a power of two: what `zstd --long=31` writes.
const WINDOW: u32 = 31;

fn ending(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

fn is_compressed(path: &Path) -> bool {
    ending(path) == "zst"
}

fn is_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    name.ends_with(".tar") || name.ends_with(".tar.zst")
}

fn format_of<'a>(entry: &'a GameEntry, path: &Path) -> Option<&'a dyn RecordFormat> {
    let ending = if is_compressed(path) { ending(&path.with_extension("")) } else { ending(path) };
    let mut formats = entry.formats.iter().map(|f| &**f);
    formats.find(|f| f.extensions().contains(&ending.as_str()))
}

fn cannot(path: &Path) -> impl Fn(io::Error) -> CollectionError + '_ {
    move |error| CollectionError::Io { path: path.to_path_buf(), error }
}

/// Hands over every file of records that paths mean, in a fixed order, until `sink` answers false.
pub fn each_file<'a>(
    entry: &'a GameEntry,
    paths: &[PathBuf],
    sink: &mut dyn FnMut(Found<'a>) -> bool,
) -> Result<(), CollectionError> {
    // Files are named without the folders above what was asked for: where it lay says nothing.
    let above = |path: &PathBuf| path.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut open: Vec<(PathBuf, PathBuf)> =
        paths.iter().rev().map(|path| (path.clone(), above(path))).collect();
    while let Some((path, base)) = open.pop() {
        let name = path.strip_prefix(&base).unwrap_or(&path).display().to_string();
        if path.is_dir() {
            let inside = inside(entry, &path)?.into_iter().rev();
            open.extend(inside.map(|path| (path, base.clone())));
        } else if is_archive(&path) {
            for found in unpack(entry, &path, &name).map_err(cannot(&path))? {
                if !sink(found) {
                    return Ok(());
                }
            }
        } else if !sink(plain(entry, &path, name)?) {
            return Ok(());
        }
    }
    Ok(())
}

/// What of a folder is read, by name.
fn inside(entry: &GameEntry, folder: &Path) -> Result<Vec<PathBuf>, CollectionError> {
    let mut inside: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|e| e.map(|e| e.path())).collect())
        .map_err(cannot(folder))?;
    inside.retain(|p| p.is_dir() || is_archive(p) || format_of(entry, p).is_some());
    inside.sort();
    Ok(inside)
}

fn plain<'a>(
    entry: &'a GameEntry,
    path: &Path,
    name: String,
) -> Result<Found<'a>, CollectionError> {
    // Opened before its ending is looked at: a file that is not there is the plainer reason.
    let file = File::open(path).map_err(cannot(path))?;
    let format = format_of(entry, path).ok_or_else(|| {
        let mut known: Vec<&str> = Vec::new();
        for &extension in entry.formats.iter().flat_map(|f| f.extensions()) {
            if !known.contains(&extension) {
                known.push(extension);
            }
        }
        let (game, known) = (entry.game.spec(), known.join(", ."));
        CollectionError::Format { path: path.to_path_buf(), game, known }
    })?;
    let bytes = contents(file, is_compressed(path), MOST_BYTES).map_err(cannot(path))?;
    let mut names = Vec::new();
    for wanted in format.name_files() {
        let beside = beside(path, wanted).map_err(cannot(path))?;
        names.push(match beside {
            Some(beside) => fs::read(&beside).map_err(cannot(&beside))?,
            None => Vec::new(),
        });
    }
    Ok(Found { name, format, bytes, names })
}

/// The first file, by name, with this ending in the folder of `path`.
fn beside(path: &Path, wanted: &str) -> io::Result<Option<PathBuf>> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        found.push(entry?.path());
    }
    Ok(found.into_iter().filter(|p| ending(p) == wanted && p.is_file()).min())
}

/// All bytes, unpacked, if there are not more than so many.
fn contents(file: impl Read, compressed: bool, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if compressed {
        let mut decoder = zstd::Decoder::new(file)?;
        decoder.window_log_max(WINDOW)?;
        decoder.take(most + 1).read_to_end(&mut bytes)?;
    } else {
        let mut file = file;
        file.by_ref().take(most + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it unpacks to more than {MOST_BYTES} bytes")));
    }
    Ok(bytes)
}

/// The files of records in an archive, by name, with the names that lie in it; other files are
/// passed over.
fn unpack<'a>(entry: &'a GameEntry, path: &Path, name: &str) -> io::Result<Vec<Found<'a>>> {
    let file = BufReader::new(File::open(path)?);
    let stream: Box<dyn Read> = if is_compressed(path) {
        let mut decoder = zstd::Decoder::with_buffer(file)?;
        decoder.window_log_max(WINDOW)?;
        Box::new(decoder)
    } else {
        Box::new(file)
    };
    let name_endings: Vec<&str> =
        entry.formats.iter().flat_map(|f| f.name_files()).copied().collect();
    let mut archive = tar::Archive::new(stream.take(MOST_BYTES));
    let (mut records, mut names, mut left) = (Vec::new(), Vec::new(), MOST_BYTES);
    for part in archive.entries()? {
        let part = part?;
        let inner = part.path()?.into_owned();
        let format = format_of(entry, &inner);
        let names_it = name_endings.contains(&ending(&inner).as_str());
        if !part.header().entry_type().is_file() || (format.is_none() && !names_it) {
            continue;
        }
        let bytes = contents(part, is_compressed(&inner), left)?;
        left -= bytes.len() as u64;
        match format {
            Some(format) => records.push((inner, format, bytes)),
            None => names.push((inner, bytes)),
        }
    }
    records.sort_by(|a, b| a.0.cmp(&b.0));
    names.sort_by(|a, b| a.0.cmp(&b.0));
    let found = records.into_iter().map(|(inner, format, bytes)| {
        let of = |wanted: &&str| {
            let found = names.iter().find(|(name, _)| ending(name) == **wanted);
            found.map(|(_, bytes)| bytes.clone()).unwrap_or_default()
        };
        Found {
            name: format!("{name}: {}", inner.display()),
            format,
            bytes,
            names: format.name_files().iter().map(of).collect(),
        }
    });
    Ok(found.collect())
}

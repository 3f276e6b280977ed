//! Which files of records are meant by these paths? Files, folders of files, archives of files;
//! each of them compressed or not, with the files beside them that hold names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use zug_core::packed::{Archive, Stream, ending, inner_ending, is_archive, open, read_all};
use zug_core::{GameEntry, RecordFormat};

/// A file of records.
pub struct Found<'a> {
    /// Where it was found, for messages: of an archive, the archive and the name in it.
    pub name: String,
    /// Its format.
    pub format: &'a dyn RecordFormat,
    /// Its bytes, decompressed.
    pub input: Stream,
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

/// A file of names is no larger.
const MOST_NAMES: u64 = 16 << 20;

fn format_of<'a>(entry: &'a GameEntry, path: &Path) -> Option<&'a dyn RecordFormat> {
    let ending = inner_ending(path);
    let mut formats = entry.formats.iter().map(|f| &**f);
    formats.find(|f| f.extensions().contains(&ending.as_str()))
}

fn cannot(path: &Path) -> impl Fn(io::Error) -> CollectionError + '_ {
    move |error| CollectionError::Io { path: path.to_path_buf(), error }
}

/// Hands over every file of records that paths mean, in a fixed order (that of an archive, names for the rest),
/// until `sink` answers false. Its errors are those of reading on.
pub fn each_file<'a>(
    entry: &'a GameEntry,
    paths: &[PathBuf],
    sink: &mut dyn FnMut(Found<'a>) -> io::Result<bool>,
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
            if !unpack(entry, &path, &name, sink).map_err(cannot(&path))? {
                return Ok(());
            }
        } else if !sink(plain(entry, &path, name)?).map_err(cannot(&path))? {
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
    let input = open(path).map_err(cannot(path))?;
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
    let mut names = Vec::new();
    for wanted in format.name_files() {
        let beside = beside(path, wanted).map_err(cannot(path))?;
        names.push(match beside {
            Some(beside) => open(&beside)
                .and_then(|file| read_all(file, MOST_NAMES))
                .map_err(cannot(&beside))?,
            None => Vec::new(),
        });
    }
    Ok(Found { name, format, input, names })
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

/// Hands over the files of records in an archive, with the names that lie in it; other files are passed over.
fn unpack<'a>(
    entry: &'a GameEntry,
    path: &Path,
    name: &str,
    sink: &mut dyn FnMut(Found<'a>) -> io::Result<bool>,
) -> io::Result<bool> {
    let names = names_inside(entry, path)?;
    for part in Archive::open(path)? {
        let part = part?;
        let Some(format) = format_of(entry, &part.name) else { continue };
        let of = |wanted: &&str| {
            let found = names.iter().find(|(name, _)| ending(name) == **wanted);
            found.map(|(_, bytes)| bytes.clone()).unwrap_or_default()
        };
        let found = Found {
            name: format!("{name}: {}", part.name.display()),
            format,
            input: part.input?,
            names: format.name_files().iter().map(of).collect(),
        };
        if !sink(found)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The files of names in an archive, by name. They may lie behind the records, so they are looked for first.
fn names_inside(entry: &GameEntry, path: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let endings: Vec<&str> = entry.formats.iter().flat_map(|f| f.name_files()).copied().collect();
    let mut names = Vec::new();
    if endings.is_empty() {
        return Ok(names);
    }
    for part in Archive::open(path)? {
        let part = part?;
        if endings.contains(&ending(&part.name).as_str()) {
            names.push((part.name, read_all(part.input?, MOST_NAMES)?));
        }
    }
    names.sort();
    Ok(names)
}

//! Which files of records are meant by these paths? Files, folders of files, archives of files;
//! each of them compressed or not.

use crate::commands::record_files;
use anyhow::{Context, Result, bail};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use zug_core::{GameEntry, RecordFormat};

/// A file of records.
pub struct Input<'a> {
    /// Where it was found, for messages: of an archive, the archive and the name in it.
    pub name: String,
    /// Its format.
    pub format: &'a dyn RecordFormat,
    /// Its bytes, decompressed.
    pub bytes: Vec<u8>,
}

/// The files that paths mean, in a fixed order. One at a time is read, or one archive.
pub struct Inputs<'a> {
    entry: &'a GameEntry,
    /// With whether somebody named it, or it was found in a folder.
    open: Vec<(PathBuf, bool)>,
    unpacked: VecDeque<Input<'a>>,
    /// Why files that were found in folders are left out, where one that cannot be read is no reason
    /// to leave the rest.
    passed_over: Option<Vec<String>>,
}

/// All that an archive may unpack to.
const MOST_BYTES: u64 = 4 << 30;

impl<'a> Inputs<'a> {
    pub fn new(entry: &'a GameEntry, paths: &[PathBuf]) -> Inputs<'a> {
        let open = paths.iter().rev().map(|path| (path.clone(), true)).collect();
        Inputs { entry, open, unpacked: VecDeque::new(), passed_over: None }
    }

    /// The same, but files in folders that cannot be read are passed over.
    pub fn lenient(entry: &'a GameEntry, paths: &[PathBuf]) -> Inputs<'a> {
        Inputs { passed_over: Some(Vec::new()), ..Inputs::new(entry, paths) }
    }

    /// Why files were passed over.
    pub fn passed_over(&self) -> &[String] {
        self.passed_over.as_deref().unwrap_or_default()
    }

    fn next_input(&mut self) -> Result<Option<Input<'a>>> {
        loop {
            if let Some(input) = self.unpacked.pop_front() {
                return Ok(Some(input));
            }
            let Some((path, is_named)) = self.open.pop() else { return Ok(None) };
            match (self.open_path(&path), &mut self.passed_over) {
                (Err(error), Some(reasons)) if !is_named => reasons.push(format!("{error:#}")),
                (opened, _) => opened?,
            }
        }
    }

    fn open_path(&mut self, path: &Path) -> Result<()> {
        if path.is_dir() {
            let inside = inside(self.entry, path)?;
            self.open.extend(inside.into_iter().rev().map(|path| (path, false)));
        } else if is_archive(path) {
            self.unpacked = unpack(self.entry, path)
                .with_context(|| format!("cannot read {}", path.display()))?;
        } else {
            let (format, bytes) = record_files::read(self.entry, path)?;
            let name = path.display().to_string();
            self.unpacked.push_back(Input { name, format, bytes });
        }
        Ok(())
    }
}

/// What of a folder is read, by name.
fn inside(entry: &GameEntry, path: &Path) -> Result<Vec<PathBuf>> {
    let mut inside: Vec<PathBuf> = std::fs::read_dir(path)
        .and_then(|entries| entries.map(|e| e.map(|e| e.path())).collect())
        .with_context(|| format!("cannot read the folder {}", path.display()))?;
    inside.retain(|p| p.is_dir() || is_archive(p) || record_files::format_for(entry, p).is_ok());
    inside.sort();
    Ok(inside)
}

/// The files that would be read, none of them opened for long: those that are not there, or of no
/// known format, are complained about now and not after hours.
pub fn files(entry: &GameEntry, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let (mut open, mut found): (Vec<PathBuf>, Vec<PathBuf>) = (paths.to_vec(), Vec::new());
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(inside(entry, &path)?);
            continue;
        }
        File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if !is_archive(&path) {
            record_files::format_for(entry, &path)?;
        }
        found.push(path);
    }
    Ok(found)
}

impl<'a> Iterator for Inputs<'a> {
    type Item = Result<Input<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_input().transpose()
    }
}

fn is_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    name.ends_with(".tar") || name.ends_with(".tar.zst")
}

/// The files of records in an archive; others in it are passed over.
fn unpack<'a>(entry: &'a GameEntry, path: &Path) -> Result<VecDeque<Input<'a>>> {
    let file = BufReader::new(File::open(path)?);
    let stream: Box<dyn Read> = if record_files::is_compressed(path) {
        Box::new(record_files::decoder(file)?)
    } else {
        Box::new(file)
    };
    let mut archive = tar::Archive::new(stream.take(MOST_BYTES));
    let (mut found, mut left) = (VecDeque::new(), MOST_BYTES);
    for part in archive.entries()? {
        let mut part = part?;
        let inner = part.path()?.into_owned();
        let Ok(format) = record_files::format_for(entry, &inner) else { continue };
        if !part.header().entry_type().is_file() {
            continue;
        }
        let name = format!("{}: {}", path.display(), inner.display());
        let mut bytes = Vec::new();
        if record_files::is_compressed(&inner) {
            bytes = record_files::decompress(&mut part, left)?;
        } else {
            part.by_ref().take(left).read_to_end(&mut bytes)?;
        }
        if bytes.len() as u64 >= left {
            bail!("it unpacks to more than {MOST_BYTES} bytes");
        }
        left -= bytes.len() as u64;
        found.push_back(Input { name, format, bytes });
    }
    Ok(found)
}

//! Which files of records are meant by these paths? Files, folders of files, archives of files;
//! each of them compressed or not.

use crate::commands::record_files;
use anyhow::{Context, Result};
use std::fs::File;
use std::path::{Path, PathBuf};
use zug_core::packed::{Archive, Stream, is_archive};
use zug_core::{GameEntry, Record, RecordError, RecordFormat};

/// A file of records.
pub struct Input<'a> {
    /// Where it was found, for messages: of an archive, the archive and the name in it.
    pub name: String,
    /// Its format.
    pub format: &'a dyn RecordFormat,
    /// Its bytes, decompressed. Those of an archive are lost when the next input is asked for.
    pub input: Stream,
}

impl Input<'_> {
    /// Hands over its records, one at a time, until `sink` answers false.
    pub fn for_each(
        &mut self,
        sink: &mut dyn FnMut(Result<Record, RecordError>) -> bool,
    ) -> Result<()> {
        let cannot = || format!("cannot read {}", self.name);
        self.format.stream(&mut self.input, sink).with_context(cannot)
    }
}

/// The files that paths mean, in a fixed order, one at a time.
pub struct Inputs<'a> {
    entry: &'a GameEntry,
    /// With whether somebody named it, or it was found in a folder.
    open: Vec<(PathBuf, bool)>,
    /// An archive that is being read.
    archive: Option<(PathBuf, Archive)>,
    /// Whether somebody named what is being read.
    is_named: bool,
    /// Why files that were found in folders are left out, where one that cannot be read is no reason
    /// to leave the rest.
    passed_over: Option<Vec<String>>,
}

impl<'a> Inputs<'a> {
    pub fn new(entry: &'a GameEntry, paths: &[PathBuf]) -> Inputs<'a> {
        let open = paths.iter().rev().map(|path| (path.clone(), true)).collect();
        Inputs { entry, open, archive: None, is_named: true, passed_over: None }
    }

    /// The same, but files in folders that cannot be read are passed over.
    pub fn lenient(entry: &'a GameEntry, paths: &[PathBuf]) -> Inputs<'a> {
        Inputs { passed_over: Some(Vec::new()), ..Inputs::new(entry, paths) }
    }

    /// Why files were passed over.
    pub fn passed_over(&self) -> &[String] {
        self.passed_over.as_deref().unwrap_or_default()
    }

    /// Leaves out the input that was handed over last, where reading it has failed and it was found in a
    /// folder; an error where somebody named it.
    pub fn pass_over(&mut self, error: anyhow::Error) -> Result<()> {
        match &mut self.passed_over {
            Some(reasons) if !self.is_named => {
                reasons.push(format!("{error:#}"));
                self.archive = None;
                Ok(())
            }
            _ => Err(error),
        }
    }

    fn next_input(&mut self) -> Result<Option<Input<'a>>> {
        loop {
            let next = match &mut self.archive {
                Some((path, archive)) => {
                    let part = next_part(self.entry, path, archive);
                    if matches!(part, Ok(None)) {
                        self.archive = None;
                    }
                    part
                }
                None => {
                    let Some((path, is_named)) = self.open.pop() else { return Ok(None) };
                    self.is_named = is_named;
                    self.open_path(path)
                }
            };
            match next {
                Ok(Some(input)) => return Ok(Some(input)),
                Ok(None) => {}
                Err(error) => self.pass_over(error)?,
            }
        }
    }

    fn open_path(&mut self, path: PathBuf) -> Result<Option<Input<'a>>> {
        if path.is_dir() {
            let inside = inside(self.entry, &path)?;
            self.open.extend(inside.into_iter().rev().map(|path| (path, false)));
        } else if is_archive(&path) {
            let archive = Archive::open(&path);
            let archive = archive.with_context(|| format!("cannot read {}", path.display()))?;
            self.archive = Some((path, archive));
        } else {
            let (format, input) = record_files::open(self.entry, &path)?;
            return Ok(Some(Input { name: path.display().to_string(), format, input }));
        }
        Ok(None)
    }
}

/// The next file of an archive that can hold records; others in it are passed over.
fn next_part<'a>(
    entry: &'a GameEntry,
    path: &Path,
    archive: &mut Archive,
) -> Result<Option<Input<'a>>> {
    let cannot = || format!("cannot read {}", path.display());
    for part in archive {
        let part = part.with_context(cannot)?;
        let Ok(format) = record_files::format_for(entry, &part.name) else { continue };
        let name = format!("{}: {}", path.display(), part.name.display());
        return Ok(Some(Input { name, format, input: part.input.with_context(cannot)? }));
    }
    Ok(None)
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

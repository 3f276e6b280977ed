//! Adding stages to a database so that a crash loses at most the one in work.

use super::manifest::{FORMAT, IndexEntry, MANIFEST};
use super::pack::{Coder, write_stage};
use super::stage::{Belongs, StageFile};
use super::{Codes, Manifest, Measure, StageEntry, StoreError};
use crate::space::{Options, Space, StageParts};
use std::path::{Path, PathBuf};
use zug_core::StopFlag;
use zug_core::files::{create_folder, remove_temporaries};

/// What a database shall be.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game's spec.
    pub game: String,
    /// How the index is built.
    pub options: Options,
    /// What the values tell.
    pub metric: Measure,
    /// How it is made: the command line.
    pub command: Option<String>,
}

/// A database in the making.
#[derive(Debug)]
pub struct FolderWriter {
    folder: PathBuf,
    manifest: Manifest,
    threads: usize,
    stop: StopFlag,
}

impl FolderWriter {
    /// Begins a database in a folder that holds none.
    pub fn create(folder: &Path, plan: &Plan, space: &Space) -> Result<FolderWriter, StoreError> {
        create_folder(folder)?;
        let path = folder.join(MANIFEST);
        if path.exists() {
            return Err(StoreError::refused(
                &path,
                "there is a database here already; resume it or choose another folder",
            ));
        }
        let manifest = Manifest {
            format: FORMAT,
            game: plan.game.clone(),
            metric: plan.metric,
            program: env!("CARGO_PKG_VERSION").to_string(),
            command: plan.command.clone(),
            one_side: false,
            index: IndexEntry::new(plan.options, space.size()),
            stages: Vec::new(),
        };
        manifest.write(folder)?;
        Ok(FolderWriter {
            folder: folder.to_path_buf(),
            manifest,
            threads: 1,
            stop: StopFlag::new(),
        })
    }

    /// Goes on with a database that was begun by the same plan, or begins it. Finished stages are
    /// read and compared with their digests; what killed runs left half-written is removed.
    pub fn resume(folder: &Path, plan: &Plan, space: &Space) -> Result<FolderWriter, StoreError> {
        let path = folder.join(MANIFEST);
        if !path.exists() {
            return FolderWriter::create(folder, plan, space);
        }
        let manifest = Manifest::read(folder)?;
        let index = IndexEntry::new(plan.options, space.size());
        let differs = |what: &str, here: &dyn std::fmt::Display, asked: &dyn std::fmt::Display| {
            let what = format!("this database has the {what} '{here}', and '{asked}' is asked for");
            Err(StoreError::refused(&path, what))
        };
        if manifest.game != plan.game {
            return differs("game", &manifest.game, &plan.game);
        }
        if manifest.metric != plan.metric {
            return differs("metric", &manifest.metric, &plan.metric);
        }
        if manifest.index != index {
            return differs("index", &manifest.index, &index);
        }
        let writer = FolderWriter {
            folder: folder.to_path_buf(),
            manifest,
            threads: 1,
            stop: StopFlag::new(),
        };
        for stage in space.stages() {
            if let Some(entry) = writer.finished(stage) {
                let file = writer.open_stage(space, stage)?;
                check_digest(&file, entry)?;
            }
        }
        remove_temporaries(folder)?;
        Ok(writer)
    }

    /// Stores one side to move only, in stages where a one-ply search gives the other, or both
    /// sides, which is quicker to ask. To be called before the first stage; afterwards the choice
    /// stands.
    pub fn set_one_side(&mut self, one_side: bool) -> Result<(), StoreError> {
        if self.manifest.one_side == one_side {
            return Ok(());
        }
        if !self.manifest.stages.is_empty() {
            let sides = if one_side { "both sides" } else { "one side" };
            let what = format!("this database was begun with {sides} to move");
            return Err(StoreError::refused(&self.folder.join(MANIFEST), what));
        }
        self.manifest.one_side = one_side;
        self.manifest.write(&self.folder)
    }

    /// Codes values on so many threads, and not on one, until the flag is set. The bytes are the
    /// same.
    pub fn work_with(&mut self, threads: usize, stop: &StopFlag) {
        (self.threads, self.stop) = (threads.max(1), stop.clone());
    }

    /// The entry of a stage, if it is finished.
    #[must_use]
    pub fn finished(&self, stage: &StageParts) -> Option<&StageEntry> {
        self.manifest.stage(stage.stage.rank, &stage.stage.name)
    }

    /// Opens the file of a finished stage, to solve later stages from it.
    pub fn open_stage(&self, space: &Space, stage: &StageParts) -> Result<StageFile, StoreError> {
        open_stage(&self.folder, &self.manifest, space, stage)
    }

    /// Writes the file of a stage, and then enters it in the list.
    pub fn add(
        &mut self,
        space: &Space,
        stage: &StageParts,
        table: &dyn Codes,
    ) -> Result<&StageEntry, StoreError> {
        let file = file_name(space, stage);
        let path = self.folder.join(&file);
        let (from, want) = (table.range(), &stage.slots);
        if from.start > want.start || from.end < want.end {
            let what = format!("the solved slots {from:?} do not cover the stage's {want:?}");
            return Err(StoreError::refused(&path, what));
        }
        let belongs = belongs(&self.manifest);
        // Where colours swap and numbers of pieces change within a stage, a search could meet a
        // side that is left out again.
        let parts = &space.parts()[stage.parts.clone()];
        let mirrored = space.mirrored_parts()[stage.parts.clone()].contains(&true);
        let alike = parts.iter().all(|part| part.counts() == parts[0].counts());
        let one_side = self.manifest.one_side && (alike || !mirrored);
        let counts = {
            let with = Coder { one_side, threads: self.threads, stop: &self.stop };
            write_stage(&path, &belongs, space, stage, table, &with)?
        };
        // What is on the disk now is what the digest is about.
        let written = StageFile::open(&path, &belongs, space, stage)?;
        let entry = StageEntry {
            rank: stage.stage.rank,
            name: stage.stage.name.clone(),
            file,
            slots: want.end - want.start,
            bytes: written.bytes(),
            digest: written.verify()?,
            counts,
        };
        let mut manifest = self.manifest.clone();
        manifest.stages.retain(|s| (s.rank, &s.name) != (entry.rank, &entry.name));
        let at = manifest.stages.partition_point(|s| (s.rank, &s.name) < (entry.rank, &entry.name));
        manifest.stages.insert(at, entry);
        manifest.write(&self.folder)?;
        self.manifest = manifest;
        Ok(&self.manifest.stages[at])
    }

    /// The list of what is finished.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }
}

pub(crate) fn belongs(manifest: &Manifest) -> Belongs<'_> {
    Belongs {
        game: &manifest.game,
        index: &manifest.index,
        metric: manifest.metric,
        command: manifest.command.as_deref(),
    }
}

/// Opens the file of a stage that the manifest lists.
pub(crate) fn open_stage(
    folder: &Path,
    manifest: &Manifest,
    space: &Space,
    stage: &StageParts,
) -> Result<StageFile, StoreError> {
    let missing =
        || StoreError::Missing { folder: folder.to_path_buf(), stage: stage.stage.name.clone() };
    let entry = manifest.stage(stage.stage.rank, &stage.stage.name).ok_or_else(missing)?;
    let name = file_name(space, stage);
    let path = folder.join(&name);
    if entry.file != name || entry.slots != stage.slots.end - stage.slots.start {
        let what = format!("the list of stages does not fit the game: {} ", entry.name);
        return Err(StoreError::refused(&folder.join(MANIFEST), what));
    }
    let file = StageFile::open(&path, &belongs(manifest), space, stage)?;
    if file.bytes() != entry.bytes {
        let what = format!("it has {} bytes, and should have {}", file.bytes(), entry.bytes);
        return Err(StoreError::refused(&path, what));
    }
    Ok(file)
}

/// Reads a whole file and compares it with its entry.
pub(crate) fn check_digest(file: &StageFile, entry: &StageEntry) -> Result<(), StoreError> {
    if file.verify()? == entry.digest {
        return Ok(());
    }
    let what = format!("its digest is not the one that {MANIFEST} has for it");
    Err(StoreError::refused(file.path(), what))
}

/// The name of a stage's file; the rank is added where several stages have one name.
pub(crate) fn file_name(space: &Space, stage: &StageParts) -> String {
    let name = &stage.stage.name;
    // A layout may call its stages anything; a file name must stay in its folder.
    let safe: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' })
        .collect();
    let same = space.stages().iter().filter(|s| s.stage.name.eq_ignore_ascii_case(name)).count();
    if same > 1 || safe != *name {
        format!("{safe}-{}.zdb", stage.stage.rank)
    } else {
        format!("{safe}.zdb")
    }
}

//! Good inputs to begin with: small files of our own making in `fuzz/corpus/TARGET/`.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The `fuzz` folder of this checkout.
#[must_use]
pub fn fuzz_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The corpus of a target, in the order of file names, so that a seed always means the same.
pub fn load(fuzz: &Path, target: &str) -> io::Result<Vec<Vec<u8>>> {
    let folder = fuzz.join("corpus").join(target);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|e| Ok(e?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    paths.into_iter().map(fs::read).collect()
}

/// Writes the files that the games play by themselves; tells how many.
pub fn write_seeds(fuzz: &Path) -> io::Result<usize> {
    let seeds = crate::targets::seeds();
    for (target, name, bytes) in &seeds {
        let folder = fuzz.join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)?;
    }
    Ok(seeds.len())
}

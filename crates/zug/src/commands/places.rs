//! Would a file that is to be written take the place of one that is read, or of one that is there?

use crate::cli::Overwrite;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use zug_core::files::Output;

/// Refuses outputs that are one file with an input or with each other, however their names are
/// spelled. Names of models that are no files are let pass.
pub fn insist_on_apart<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let inputs: Vec<PathBuf> = inputs.into_iter().filter_map(|p| p.canonicalize().ok()).collect();
    let mut written: Vec<(PathBuf, &Path)> = Vec::new();
    for output in outputs {
        let place = place(output);
        if inputs.contains(&place) {
            bail!("{}: this file is read; another name is needed to write to", output.display());
        }
        if let Some((_, other)) = written.iter().find(|(known, _)| *known == place) {
            bail!(
                "{} and {} are one file, and both would be written",
                other.display(),
                output.display()
            );
        }
        written.push((place, output));
    }
    Ok(())
}

/// One path for every spelling of a name, whether the file is there or not.
fn place(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// Claims the files that a command will write, before the work and not after it: no other process
/// writes them meanwhile, and what is there is overwritten only when asked.
pub fn claim<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    overwrite: Overwrite,
) -> Result<Vec<Output>> {
    Ok(outputs.into_iter().map(|p| Output::claim(p, overwrite.force)).collect::<Result<_, _>>()?)
}

/// Claims the one file that a command writes: see [`claim`].
pub fn claim_one(output: &Path, overwrite: Overwrite) -> Result<Output> {
    Ok(Output::claim(output, overwrite.force)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_known_under_every_spelling_of_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        fs::write(at("games.txt"), "").unwrap();
        let refusal = |outputs: &[&str], inputs: &[&str]| {
            let list = |names: &[&str]| names.iter().map(|n| at(n)).collect::<Vec<PathBuf>>();
            let (outputs, inputs) = (list(outputs), list(inputs));
            insist_on_apart(
                outputs.iter().map(PathBuf::as_path),
                inputs.iter().map(PathBuf::as_path),
            )
            .err()
            .map(|e| e.to_string())
        };
        let inputs = ["games.txt", "no-such-model"];
        assert_eq!(refusal(&["new.txt", "report.html"], &inputs), None);
        assert!(refusal(&["inner/../games.txt"], &inputs).unwrap().contains("is read"));
        assert!(refusal(&["new.txt", "inner/../new.txt"], &inputs).unwrap().contains("one file"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("games.txt"), at("link.txt")).unwrap();
            assert!(refusal(&["link.txt"], &inputs).is_some());
            assert!(refusal(&["games.txt"], &["link.txt"]).is_some());
        }
    }
}

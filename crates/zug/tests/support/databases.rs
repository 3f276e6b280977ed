//! Databases in folders, compared byte for byte.

use crate::talk::{Folder, zug};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Builds a database in a folder and gives its path.
pub fn build(folder: &Folder, name: &str, words: &[&str]) -> String {
    let out = folder.path(name);
    zug(&[&["db", "build"], words, &["--out", &out]].concat());
    out
}

/// The files of a database by name, without the notes on how long it took.
pub fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let entries = entries.map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    entries
        .filter(|path| name(path) != "build.jsonl")
        .map(|path| (name(&path), fs::read(&path).expect("a file")))
        .collect()
}

pub fn same_files(a: &str, b: &str) {
    let (a, b) = (files(a), files(b));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in &a {
        assert!(bytes == &b[name], "{name} differs");
    }
}

/// Takes the last stage out of a database, as if the build had been killed before it.
pub fn forget_last_stage(dir: &str) {
    let path = Path::new(dir).join("database.toml");
    let text = fs::read_to_string(&path).expect("a manifest");
    let body = &text[..text.rfind("[[stage]]").expect("a stage")];
    let sealed = zug_solve::Manifest::seal(body);
    fs::write(&path, sealed).expect("written");
}

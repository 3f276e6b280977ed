//! What the binary says when all is well, and when it complains; and a folder to try it in.

use crate::support::zug_with;

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs `zug`, expects success, gives its output.
pub fn zug(words: &[&str]) -> String {
    let output = zug_with(words, "");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "zug {words:?} failed: {err}\n{out}");
    out
}

/// Runs `zug`, expects a failure that is no panic, gives all it said.
pub fn complaint(words: &[&str]) -> String {
    let output = zug_with(words, "");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(!output.status.success(), "zug {words:?} should fail, but printed {out}");
    assert!(!err.contains("panicked"), "zug {words:?} panicked: {err}");
    format!("{out}{err}")
}

pub fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("not JSON ({e}): {text}"))
}

/// A folder that is removed in the end.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_string_lossy().into_owned()
    }
}

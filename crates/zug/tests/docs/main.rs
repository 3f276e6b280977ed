//! What the documentation says can be pasted, and does what it says.
//!
//! Every page of Markdown is followed block by block with the real program. What a page notes about its blocks, in
//! comments that readers do not see, is described in [`notes`]. With `ZUG_DATA` naming a folder of collections, blocks
//! that need them run too; with `ZUG_DOCS_TIMES` set, the time of each command is printed.

mod fences;
mod notes;
mod page;
mod shell;
mod tables;
mod words;

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    let path = root().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Fails with all faults; those that only reading finds come first.
fn follow(name: &str) {
    let told = |faults: Vec<String>| assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    match page::parts(name, &read(name)) {
        Err(faults) => told(faults),
        Ok(parts) => {
            told(page::misunderstood(name, &parts));
            told(page::follow(name, &parts));
        }
    }
}

#[test]
fn every_command_that_is_mentioned_is_there() {
    let mut faults = Vec::new();
    for name in PAGES.iter().filter(|name| **name != "CHANGELOG.md") {
        let page = read(name);
        let blocks =
            fences::blocks(&page).unwrap_or_else(|(line, fault)| panic!("{name}:{line}: {fault}"));
        for (line, span) in fences::spans(&page, &blocks) {
            faults.extend(words::check_mention(&span).err().map(|e| format!("{name}:{line}: {e}")));
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// A test for each page, since they run side by side.
macro_rules! pages {
    ($($test:ident: $name:literal,)*) => {
        const PAGES: &[&str] = &[$($name),*];
        $(
            #[test]
            fn $test() {
                follow($name);
            }
        )*
    };
}

pages! {
    the_readme: "README.md",
    architecture: "ARCHITECTURE.md",
    the_changelog: "CHANGELOG.md",
    contributing: "CONTRIBUTING.md",
    benchmarks: "docs/benchmarks.md",
    books: "docs/book.md",
    chess: "docs/chess.md",
    chess_evaluation: "docs/chess-evaluation.md",
    chess_learning: "docs/chess-learning.md",
    chess_search: "docs/chess-search.md",
    chess_tuning: "docs/chess-tuning.md",
    exploring: "docs/explore.md",
    go_guesses: "docs/go-guess.md",
    go_patterns: "docs/go-patterns.md",
    the_go_player: "docs/go-player.md",
    the_guide: "docs/guide.md",
    othello_evaluation: "docs/othello-evaluation.md",
    othello_search: "docs/othello-search.md",
    othello_self_play: "docs/othello-selfplay.md",
    perfect_play: "docs/perfect-play.md",
    self_play: "docs/self-play.md",
    serving: "docs/serve.md",
    a_game_of_your_own: "docs/write-your-own-game.md",
    models: "models/README.md",
    the_page: "web/README.md",
}

#[test]
fn every_page_has_a_test() {
    let mut found = Vec::new();
    let mut open = vec![root()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if path.is_dir() {
                if !name.starts_with('.') && !matches!(&*name, "target" | "node_modules") {
                    open.push(path);
                }
            } else if name.ends_with(".md") {
                found.push(
                    path.strip_prefix(root()).expect("below it").to_string_lossy().into_owned(),
                );
            }
        }
    }
    found.sort();
    let mut tested: Vec<&str> = PAGES.to_vec();
    tested.sort_unstable();
    assert_eq!(found, tested);
}

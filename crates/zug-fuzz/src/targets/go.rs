//! The parsers of Go: positions and moves, SGF as a tree and as a record.

use super::check;
use crate::Target;
use std::sync::LazyLock;
use zug_go::Go;
use zug_go::sgf::{MainLine, Sgf, Tree, read_collection, write_collection};

pub static NINE: LazyLock<Go> = LazyLock::new(|| Go::open("go:9x9").expect("a board size"));
static THREE: LazyLock<Go> =
    LazyLock::new(|| Go::open("go:3x3,ko=superko,suicide=yes").expect("a board size"));

pub const POSITIONS: Target = Target {
    name: "go",
    words: &["D4\n", "pass\n", "A1\n", "J9\n", "T19\n", "resign\n", "XO", "ko", "/", " b", " w"],
    run: |input| {
        check::position_and_moves(&*NINE, input);
        check::position_and_moves(&*THREE, input);
    },
};

pub const RULES: Target = Target {
    name: "go-rules",
    words: &[
        "go:",
        "9x9",
        "komi=",
        "handicap=",
        "ko=",
        "superko",
        "suicide=",
        "scoring=",
        "territory",
        ",",
    ],
    run: |input| match Go::open(&check::text(input)) {
        Ok(go) => {
            let spec = zug_core::Game::spec(&go);
            let again = Go::open(&spec).expect("a spec that we wrote");
            assert_eq!(zug_core::Game::spec(&again), spec);
        }
        Err(error) => check::error_is_short(&error.to_string()),
    },
};

pub const SGF_TREE: Target = Target {
    name: "sgf-tree",
    words: SGF_WORDS,
    run: |input| {
        let mut trees = Vec::new();
        for tree in read_collection(input) {
            match tree {
                Ok(tree) => trees.push(tree),
                Err(error) => check::error_is_short(&error.to_string()),
            }
        }
        for tree in &trees {
            if let Err(unusable) = MainLine::of(tree) {
                check::error_is_short(&unusable.error.to_string());
            }
        }
        // A variation that begins like a file is taken for one, since broken files are full of games
        // that are not closed.
        trees.retain(|tree| !looks_like_several(tree));
        if !trees.is_empty() {
            let written = write_collection(&trees);
            let again: Result<Vec<_>, _> =
                read_collection(written.as_bytes()).into_iter().collect();
            let again = again.expect("what was written is read");
            assert_eq!(write_collection(&again), written);
            if !written.contains("CA[") {
                assert_eq!(again, trees, "{written}");
            }
        }
    },
};

fn looks_like_several(tree: &Tree) -> bool {
    let mut inner = tree.root().children.clone();
    while let Some(id) = inner.pop() {
        let node = tree.node(id);
        if ["GM", "FF", "SZ", "CA", "AP"].iter().any(|name| node.get(name).is_some()) {
            return true;
        }
        inner.extend(&node.children);
    }
    false
}

pub const SGF: Target =
    Target { name: "sgf", words: SGF_WORDS, run: |input| check::record_format(&Sgf, input) };

const SGF_WORDS: &[&str] = &[
    "(;",
    ")",
    ";",
    "FF[4]",
    "GM[1]",
    "SZ[19]",
    "SZ[9]",
    "SZ[19:13]",
    "CA[UTF-8]",
    "CA[Shift_JIS]",
    "KM[6.5]",
    "HA[2]",
    "AB[dd][pp]",
    "AW[aa]",
    "AE[aa]",
    "PL[W]",
    "B[pd]",
    "W[tt]",
    "B[]",
    "C[a\\]b]",
    "RE[B+R]",
    "RE[W+0.5]",
    "AB[aa:cc]",
    "MN[1]",
    "KO[]",
    "\\",
    "[",
    "]",
    "RU[Japanese]",
];

//! The parsers of Go: positions and moves, SGF as a tree and as a record, models of patterns.

use super::check;
use super::models::{paragraph, stretched};
use crate::Target;
use std::sync::LazyLock;
use zug_core::container::{Container, ContainerError, Expect, Header, Kind, Writer};
use zug_go::sgf::{MainLine, Sgf, Tree, read_collection, write_collection};
use zug_go::{Go, Position, knn};

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

/// What must be known of a board, as JSON; an empty line; the words of each pattern, a byte that says how
/// many and two bytes each. Packed with the right checksums.
pub const KNN_MODEL: Target = Target {
    name: "go-knn-model",
    words: &[
        r#"{"size":9,"stages":[15],"ko":true,"lower":false}"#,
        r#"{"size":19,"stages":[],"ko":false,"lower":true}"#,
        "\n\n",
        "\u{4}\u{0}\u{0}\u{7f}\u{7f}",
        "\u{2}",
    ],
    run: |input| {
        let expect = Expect::model("go").layout(knn::LAYOUT);
        guess(Container::from_bytes(input.to_vec(), &expect));
        let (about, mut rest) = paragraph(input);
        let (mut words, mut starts) = (Vec::new(), vec![0u32]);
        while let [count, more @ ..] = rest {
            let count = (usize::from(*count) % 32).min(more.len() / 2);
            let pairs = more[..2 * count].as_chunks::<2>().0;
            words.extend(pairs.iter().map(|&pair| u16::from_le_bytes(pair)));
            starts.push(words.len() as u32);
            rest = &more[2 * count..];
        }
        let n = starts.len() - 1;
        let numbers = stretched(input, n).into_iter().map(u32::from).collect::<Vec<u32>>();
        // Mostly the room that sides leave, so that models of all kinds get as far as guessing.
        let room = |i: usize| {
            let tied = words.get(starts[i] as usize + 1).map_or([0xFF; 2], |w| w.to_be_bytes());
            tied.map(|at| if at == 0xFF { [0, 8] } else { [at, at] })
        };
        let rooms: Vec<u8> = (0..n).flat_map(room).flatten().collect();
        let header = Header::new(Kind::Model, "go", knn::LAYOUT);
        let written = Writer::new(Vec::new(), &header).and_then(|mut writer| {
            writer.bytes("about", about.as_bytes())?;
            writer.array("words", &words)?;
            writer.array("starts", &starts)?;
            writer.array("rooms", &rooms)?;
            writer.array("matched", &numbers)?;
            writer.array("played", &numbers)?;
            writer.finish()
        });
        guess(written.and_then(|bytes| Container::from_bytes(bytes, &expect)));
    },
};

/// A model that was read proposes the same moves by its tree and by its list.
fn guess(file: Result<Container, ContainerError>) {
    let model = file
        .map_err(|e| e.to_string())
        .and_then(|file| knn::Model::read("fuzz", &file).map_err(|e| e.to_string()));
    match model {
        Ok(model) => {
            for text in
                ["9/9/2X3O2/9/4X4/3XO4/2O3X2/9/9 white", "4X4/9/9/9/9/9/9/9/O8 black moves=40"]
            {
                let position = Position::from_text(text, 9).expect("a position");
                let found = model.finder().best(&position, 10).to_vec();
                if let Some(list) = knn::scan::Scan::<2>::new(model.database()) {
                    let listed = list.guess(model.database(), &position, 10);
                    assert!(model.database().size() != 9 || listed == found);
                }
            }
        }
        Err(error) => check::error_is_short(&error),
    }
}

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
    "TR[aa:cc]",
    "DD[]",
    "AR[aa:bb]",
    "LB[aa:x\\:]",
    "GW[2]",
    "[%tri A9\\]",
    "[%lbl A9=%2C\\]",
    "[%nag 16,36\\]",
];

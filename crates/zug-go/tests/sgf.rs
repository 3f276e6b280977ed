//! SGF as properties: what is written is read back, and no input is too strange.

use proptest::prelude::*;
use zug_core::{Game, Line, Record};
use zug_core::{RecordFormat, rng, seed::RngExt};
use zug_go::Go;
use zug_go::sgf::{MainLine, NodeId, Property, Sgf, Tree, read_collection, write_collection};

fn property() -> impl Strategy<Value = Property> {
    ("[A-Z]{1,3}", prop::collection::vec("[ -~\n\\[\\]\\\\éß囲:]{0,12}", 1..3)).prop_map(
        |(name, texts)| Property {
            // The values of a property as they come from plain text.
            values: texts.iter().map(|t| Property::new("C", t).values[0].clone()).collect(),
            name,
        },
    )
}

/// Nodes, each after an earlier one.
fn tree() -> impl Strategy<Value = Tree> {
    let nodes = (any::<prop::sample::Index>(), prop::collection::vec(property(), 0..3));
    (prop::collection::vec(property(), 1..4), prop::collection::vec(nodes, 0..20)).prop_map(
        |(root, nodes)| {
            let mut tree = Tree::new();
            for p in root {
                // Where the charset is named, text would be read in it.
                if p.name != "CA" {
                    tree.push(NodeId::ROOT, p);
                }
            }
            for (parent, properties) in nodes {
                let parent = NodeId(parent.index(tree.len()) as u32);
                let id = tree.add_child(parent);
                for p in properties {
                    // These names begin a game of their own.
                    if !["GM", "FF", "SZ", "CA", "AP"].contains(&p.name.as_str()) {
                        tree.push(id, p);
                    }
                }
            }
            tree
        },
    )
}

/// Nodes may be numbered differently after reading, so trees are compared as text.
fn text(tree: &Tree) -> String {
    write_collection(std::slice::from_ref(tree))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn trees_survive_being_written_and_read(trees in prop::collection::vec(tree(), 1..4)) {
        let written = write_collection(&trees);
        let read: Vec<Tree> =
            read_collection(written.as_bytes()).into_iter().map(Result::unwrap).collect();
        prop_assert_eq!(read.len(), trees.len());
        for (a, b) in read.iter().zip(&trees) {
            prop_assert_eq!(text(a), text(b));
            prop_assert_eq!(a.len(), b.len());
        }
    }

    #[test]
    fn plain_text_survives_escaping(plain in "[ -~éß囲\n]{0,40}") {
        prop_assert_eq!(Property::new("C", &plain).text(), plain);
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        Sgf.read(&bytes);
    }

    #[test]
    fn no_damage_is_too_strange(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = b"(;GM[1]FF[4]CA[Shift_JIS]SZ[9]HA[2]AB[cc:ee][gg]AW[aa]PL[W]KM[0.5]\
            RE[B+3.5];W[dd]C[a\\]b](;B[];W[tt])(;B[ff];W[hh]))(;SZ[5];B[aa])".to_vec();
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        for game in read_collection(&bytes) {
            let Ok(tree) = game else { continue };
            let _ = MainLine::of(&tree);
            let again = read_collection(text(&tree).as_bytes());
            prop_assert!(!again.is_empty());
        }
        for record in Sgf.read(&bytes).into_iter().flatten() {
            prop_assert!(Go::open(&record.game).is_ok_and(|g| record.replay(&g).is_ok()));
        }
    }

    #[test]
    fn played_games_survive_being_written_and_read(seed: u64, spec in prop::sample::select(vec![
        "go:5x5", "go:9x9,komi=5.5", "go:7x7,handicap=3,komi=-0.5", "go:6x6,ko=simple,scoring=territory",
        "go:4x4,suicide=yes",
    ])) {
        let game = Go::open(spec).unwrap();
        let mut line = Line::new(game.clone());
        let mut rng = rng(seed, 0);
        while line.outcome().is_none() {
            let moves = line.legal_moves();
            line.play(moves[rng.random_range(0..moves.len())]);
        }
        let mut record = Record::of_line(&line);
        record.set_tag("Black", "a ] \\ name");
        let written = Sgf.write(std::slice::from_ref(&record)).unwrap();
        let read = Sgf.read(&written).remove(0).unwrap();
        prop_assert_eq!(&read.game, &game.spec());
        prop_assert_eq!(read, record);
    }
}

//! The parsers of what the chess engine is given: models, books in the format of Polyglot.

use super::check;
use super::models::{paragraph, stretched};
use crate::Target;
use std::sync::LazyLock;
use zug_chess::engine::polyglot::{self, Polyglot};
use zug_chess::factors::FACTORS;
use zug_chess::model::{Model, Start};
use zug_chess::types::Scheme;
use zug_chess::types::clusters::DESCRIPTORS;
use zug_chess::{Position, fen};
use zug_core::container::{Container, ContainerError, Expect, Writer};

/// Positions that every model must value and every book may know: all phases, castling on both
/// sides, a pawn to capture in passing, a promotion.
static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pbppqpb1/1n2pnp1/3PN3/1p2P3/2N2Q2/PPPBBPPP/R3K2R b KQkq - 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "8/P3k3/8/8/8/8/4K2p/8 w - - 0 1",
        "5k2/8/8/8/8/8/QQ6/KQ6 w - - 0 1",
    ]
    .iter()
    .map(|text| fen::parse(text).expect("a position"))
    .collect()
});

/// The word of a scheme; an empty line; and bytes of which the weights are made, as many as there
/// must be. For clusters the first byte says how many, and the rest are their figures too. Packed
/// with the right checksums.
pub const MODEL: Target = Target {
    name: "chess-model",
    words: &[
        "one\n\n",
        "phases\n\n",
        "phases-plus\n\n",
        "knightcap\n\n",
        "clusters\n\n",
        "thesis:",
        "\u{0}\u{0}\u{7f}\u{3f}",
        "\u{3}",
    ],
    run: |input| {
        read(Container::from_bytes(input.to_vec(), &Expect::model("chess")));
        let (word, rest) = paragraph(input);
        let clusters = usize::from(rest.first().copied().unwrap_or(0)) % 5;
        let columns = match Scheme::parse(&word) {
            Ok(scheme) => scheme.columns(),
            Err(_) => clusters,
        };
        let numbers = |count: usize| {
            let bytes = stretched(rest, 4 * count);
            let (numbers, _) = bytes.as_chunks::<4>();
            numbers.iter().map(|b| f32::from_le_bytes(*b)).collect::<Vec<f32>>()
        };
        let names: Vec<&str> = (0..FACTORS).map(zug_chess::factors::name).collect();
        let written = Writer::new(Vec::new(), &Model::header()).and_then(|mut writer| {
            writer.bytes("scheme", word.as_bytes())?;
            writer.bytes("factors", names.join("\n").as_bytes())?;
            writer.array("weights", &numbers(columns * FACTORS))?;
            if word == "clusters" {
                writer.array("cluster-bias", &numbers(clusters))?;
                writer.array("cluster-weights", &numbers(clusters * DESCRIPTORS))?;
                writer.bytes("cluster-soft", &rest[..rest.len().min(1)])?;
            }
            writer.finish()
        });
        read(written.and_then(|b| Container::from_bytes(b, &Expect::model("chess"))));
    },
};

/// What is read can be written, reads back the same, and values any position.
fn read(file: Result<Container, ContainerError>) {
    let model = match file {
        Ok(file) => Model::read(&file).map_err(|e| e.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match model {
        Ok(model) => {
            let bytes = model.to_bytes(&Model::header()).expect("what was read");
            let file = Container::from_bytes(bytes, &Expect::model("chess")).expect("a file");
            assert_eq!(Model::read(&file).expect("what was written"), model);
            let fast = model.fast();
            for position in POSITIONS.iter() {
                let shares = model.scheme.shares(position.board());
                assert!(shares.iter().all(|(column, _)| column < model.scheme.columns()));
                assert!(model.value(position.board()).is_finite());
                let _ = fast.steps(position.board());
            }
        }
        Err(error) => check::error_is_short(&error),
    }
}

/// A book as it is; and the same entries under the keys of positions that we ask about.
pub const POLYGLOT: Target = Target {
    name: "polyglot",
    words: &["\u{46}\u{3b}\u{96}\u{18}\u{16}\u{91}", "\u{0}\u{1}", "\u{3}\u{1c}", "\u{1}\u{7}"],
    run: |input| {
        advise(input);
        for position in POSITIONS.iter() {
            let key = polyglot::key(position).to_be_bytes();
            let known: Vec<u8> = input
                .chunks_exact(16)
                .take(64)
                .flat_map(|entry| key.iter().chain(&entry[8..]).copied().collect::<Vec<u8>>())
                .collect();
            advise(&known);
        }
    },
};

/// A book that is read advises legal moves, each once, and draws among them.
fn advise(bytes: &[u8]) {
    match Polyglot::read(bytes) {
        Ok(book) => {
            assert_eq!(book.len() * 16, bytes.len());
            for position in POSITIONS.iter() {
                let moves = book.moves(position);
                for (at, (mv, _)) in moves.iter().enumerate() {
                    assert!(position.board().is_legal(*mv), "{mv}");
                    assert!(!moves[..at].iter().any(|(other, _)| other == mv), "{mv} twice");
                }
                for lot in [0, 1, bytes.len() as u64 * 7919, u64::MAX] {
                    let drawn = book.choose(position, lot);
                    assert_eq!(drawn.is_some(), !moves.is_empty());
                    assert!(drawn.is_none_or(|mv| moves.iter().any(|(other, _)| *other == mv)));
                }
            }
        }
        Err((byte, expected)) => {
            assert!(byte <= bytes.len() as u64);
            check::error_is_short(&expected);
        }
    }
}

/// Files of the corpus.
pub fn seeds() -> Vec<(&'static str, String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (number, word) in
        ["phases", "phases-plus", "one", "clusters", "thesis:2-3-5-2-6"].iter().enumerate()
    {
        let mut bytes = format!("{word}\n\n").into_bytes();
        let weights = Model::start(Scheme::One, Start::Thesis).weights;
        bytes.extend([number as u8, 0, 0, 0]);
        bytes.extend(weights.iter().take(40).flat_map(|w| w.to_le_bytes()));
        seeds.push(("chess-model", format!("self-{number}"), bytes));
    }
    let entry = |position: &Position, bits: u16, weight: u16| {
        let mut bytes = polyglot::key(position).to_be_bytes().to_vec();
        bytes.extend(bits.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    };
    // e2e4, castling to both sides in both ways of writing it, a capture in passing, a promotion.
    let moves = [(0, 0x31c), (1, 0xf3f), (1, 0xf3e), (1, 0xf38), (2, 0x6d4), (3, 0x4c38)];
    let mut entries: Vec<Vec<u8>> =
        moves.iter().map(|&(at, bits)| entry(&POSITIONS[at], bits, 3)).collect();
    entries.sort();
    seeds.push(("polyglot", "self-0".into(), entries.concat()));
    seeds.push(("polyglot", "self-1".into(), entries[0].clone()));
    seeds
}

//! A book as bytes.

use super::bytes::{put, put_signed, put_text};
use super::{BookError, LAYOUT, OPTIONAL};
use crate::chance::{Chance, End};
use crate::graph::{Book, Node};
use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use zug_core::Side;
use zug_core::container::{Header, Kind, Writer};

pub(super) const SECOND: u8 = 1;
pub(super) const RESULT: u8 = 2;
pub(super) const EXACT: u8 = 4;
pub(super) const ALTERNATIVE: u8 = 8;

/// How a chance is marked: the sign of its class and whether it is proven.
pub(super) const ESTIMATE: u8 = 0;
pub(super) const WON: u8 = 1;
pub(super) const LOST: u8 = 2;
pub(super) const PROVEN: u8 = 4;

impl Book {
    /// The book as the bytes of a file. The same positions, results, alternatives and names give
    /// the same bytes, in whatever order they came.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BookError> {
        let mut header = Header::new(Kind::Book, self.spec(), LAYOUT);
        header.made = self.made.clone();
        header.notes = self.notes.clone();
        let mut writer = Writer::new(Vec::new(), &header)?;
        self.write_sections(&mut writer)?;
        Ok(writer.finish()?)
    }

    fn write_sections<W: Write>(&self, writer: &mut Writer<W>) -> Result<(), BookError> {
        let mut order: Vec<&Node> = self.nodes.iter().collect();
        order.sort_unstable_by_key(|n| (n.ply, n.key));
        let columns = Columns::of(&order);

        let mut book = Vec::new();
        put(&mut book, self.games);
        put(&mut book, order.len() as u64);
        writer.bytes("book", &book)?;
        let keys: Vec<u64> = order.iter().map(|n| n.key).collect();
        writer.array("keys", &keys)?;
        writer.bytes("plies", &columns.plies)?;
        writer.bytes("flags", &columns.flags)?;
        writer.bytes("results", &columns.results)?;
        writer.bytes("counts", &columns.counts)?;
        // Most books have none, and older ones never had the column.
        if order.iter().any(|n| n.unknown > 0) {
            writer.bytes(OPTIONAL, &columns.unknown)?;
        }
        writer.bytes("edges", &columns.edges)?;
        writer.bytes("alternatives", &columns.alternatives)?;
        writer.array("places", &columns.places)?;
        writer.bytes("texts", &columns.texts)?;

        let mut roots: Vec<_> = self.roots.iter().map(|r| (r.key, r.position.as_str())).collect();
        roots.sort_unstable();
        writer.bytes("roots", &keyed_texts(roots.into_iter()))?;
        writer.bytes("names", &keyed_texts(self.names.iter()))?;
        Ok(())
    }
}

fn keyed_texts<'a>(texts: impl ExactSizeIterator<Item = (u64, &'a str)>) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, texts.len() as u64);
    for (key, text) in texts {
        out.extend_from_slice(&key.to_le_bytes());
        put_text(&mut out, text);
    }
    out
}

#[derive(Default)]
struct Columns {
    plies: Vec<u8>,
    flags: Vec<u8>,
    results: Vec<u8>,
    counts: Vec<u8>,
    unknown: Vec<u8>,
    edges: Vec<u8>,
    alternatives: Vec<u8>,
    places: Vec<u64>,
    texts: Vec<u8>,
}

impl Columns {
    fn of(order: &[&Node]) -> Columns {
        let mut columns = Columns::default();
        let rank: HashMap<u64, u64> = order.iter().zip(0..).map(|(n, i)| (n.key, i)).collect();
        let alternatives = order.iter().filter_map(|n| n.alternative.as_ref());
        let texts: BTreeSet<&str> = alternatives.map(|a| a.mv.as_str()).collect();
        put(&mut columns.texts, texts.len() as u64);
        texts.iter().for_each(|text| put_text(&mut columns.texts, text));
        let text_rank: HashMap<&str, u64> = texts.into_iter().zip(0..).collect();

        let mut ply = 0;
        for (node, here) in order.iter().zip(0u64..) {
            put(&mut columns.plies, u64::from(node.ply - ply));
            ply = node.ply;
            let mut flags = if node.side == Side::Second { SECOND } else { 0 };
            if let Some(result) = node.result {
                flags |= RESULT | if result.exact { EXACT } else { 0 };
                put_signed(&mut columns.results, i64::from(result.value));
            }
            for count in [node.games, node.wins, node.draws] {
                put(&mut columns.counts, u64::from(count));
            }
            put(&mut columns.unknown, u64::from(node.unknown));
            // In the order of the file, which is the order of reading back for any order of adding.
            put(&mut columns.edges, node.children.len() as u64);
            let mut ahead: Vec<(u64, u32)> =
                node.children.iter().map(|e| (rank[&e.key] - here, e.games)).collect();
            ahead.sort_unstable();
            for (distance, games) in ahead {
                put(&mut columns.edges, distance);
                put(&mut columns.edges, u64::from(games));
            }
            if let Some(alternative) = &node.alternative {
                flags |= ALTERNATIVE;
                put_chance(&mut columns.alternatives, alternative.value);
                put(&mut columns.alternatives, u64::from(alternative.depth));
                put(&mut columns.alternatives, text_rank[alternative.mv.as_str()]);
                columns.places.push(alternative.key);
            }
            columns.flags.push(flags);
        }
        columns
    }
}

fn put_chance(out: &mut Vec<u8>, chance: Chance) {
    let mut put_end = |mark: u8, end: End| {
        out.push(mark | if end.proven { PROVEN } else { 0 });
        put(out, u64::from(end.margin));
        put(out, u64::from(end.ply));
    };
    match chance {
        Chance::Won(end) => put_end(WON, end),
        Chance::Lost(end) => put_end(LOST, end),
        Chance::Estimate(hundredths) => {
            out.push(ESTIMATE);
            put_signed(out, i64::from(hundredths));
        }
    }
}

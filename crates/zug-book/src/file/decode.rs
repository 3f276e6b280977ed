//! Bytes as a book, if they are one.

use super::bytes::{Fault, Reader};
use super::encode::{ALTERNATIVE, ESTIMATE, EXACT, LOST, PROVEN, RESULT, SECOND, WON};
use super::{BookError, LAYOUT, MAX_POSITIONS, OPTIONAL};
use crate::chance::{Chance, End};
use crate::graph::{Alternative, Book, Edge, Leaf, MAX_PLY, MAX_VALUE, Node, Root};
use crate::names::{MAX_NAME, Names};
use std::collections::HashMap;
use std::path::Path;
use zug_core::Side;
use zug_core::container::{Container, Expect, Kind};

/// The longest text of a move or a position.
const MAX_TEXT: usize = 1 << 12;
/// The most roots, names and texts of moves.
const MAX_TEXTS: u64 = 1 << 20;
/// The most bytes of a section of texts.
const MAX_TEXT_BYTES: u64 = 64 << 20;
/// The most bytes that a column may have for each position: the widest are successors.
const WIDEST: u64 = 256;

impl Book {
    /// Opens a book; with a spec, only one of that game.
    pub fn open(path: &Path, spec: Option<&str>) -> Result<Book, BookError> {
        Book::from_container(&Container::open(path, &expect(spec))?)
    }

    /// Reads a book from the bytes of a file.
    pub fn from_bytes(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        spec: Option<&str>,
    ) -> Result<Book, BookError> {
        Book::from_container(&Container::from_bytes(bytes, &expect(spec))?)
    }

    /// Reads a book from an open container of kind book.
    pub fn from_container(container: &Container) -> Result<Book, BookError> {
        container.check(&Expect::kind(Kind::Book))?;
        check_layout(container)?;
        let header = container.header();
        let mut book = Book::new(&header.game);
        book.made = header.made.clone();
        book.notes = header.notes.clone();

        let (games, count) = section(container, "book", 20, |r| {
            let games = r.number(u64::MAX, "a number of games")?;
            Ok((games, r.number(MAX_POSITIONS, "a number of positions")?))
        })?;
        book.games = games;
        // Plies and keys first: they must rise, so a small file cannot claim many positions, and
        // the other columns are bounded by their number.
        let plies = section(container, "plies", 5 * count, |r| read_plies(r, count))?;
        let mut nodes = section(container, "keys", 8 * count, |r| read_keys(r, &plies))?;
        let column = WIDEST * count;
        let flags = section(container, "flags", column, |r| read_flags(r, &mut nodes))?;
        section(container, "results", column, |r| read_results(r, &flags, &mut nodes))?;
        section(container, "counts", column, |r| read_counts(r, &mut nodes))?;
        if container.sections().any(|section| section.name() == OPTIONAL) {
            section(container, OPTIONAL, column, |r| read_unknown(r, &mut nodes))?;
        }
        section(container, "edges", column, |r| read_edges(r, &mut nodes))?;
        let texts = section(container, "texts", MAX_TEXT_BYTES, read_texts)?;
        section(container, "alternatives", column, |r| {
            read_alternatives(r, &flags, &texts, &mut nodes)
        })?;
        let index = section(container, "places", column, |r| read_places(r, &mut nodes))?;
        let known = |key: &u64| index.contains_key(key);
        book.roots = section(container, "roots", MAX_TEXT_BYTES, |r| {
            let texts = keyed_texts(r, MAX_TEXT, "a position")?;
            if let Some((key, _)) = texts.iter().find(|(key, _)| !known(key)) {
                return Err(format!("games begin at {key:016x}, which is not in the book"));
            }
            let root = |(key, text): (u64, &str)| Root { key, position: text.to_string() };
            Ok(texts.into_iter().map(root).collect())
        })?;
        book.names = section(container, "names", MAX_TEXT_BYTES, |r| {
            let mut names = Names::default();
            for (key, name) in keyed_texts(r, MAX_NAME, "a name")? {
                if !names.insert(key, name) {
                    return Err("expected a name on one line".to_string());
                }
            }
            Ok(names)
        })?;
        Ok(book.with_nodes(nodes, index))
    }
}

fn expect(spec: Option<&str>) -> Expect {
    spec.map_or_else(|| Expect::kind(Kind::Book), Expect::book)
}

fn check_layout(container: &Container) -> Result<(), BookError> {
    let number = |layout: &str| layout.strip_prefix("book/").and_then(|n| n.parse::<u32>().ok());
    let found = &container.header().layout;
    if number(found) > number(LAYOUT) {
        let (file, found) = (container.file().to_string(), found.clone());
        return Err(BookError::Newer { file, found, known: LAYOUT });
    }
    Ok(container.check(&Expect::anything().layout(LAYOUT))?)
}

/// Unpacks a section block by block and reads it whole.
fn section<T>(
    container: &Container,
    name: &'static str,
    most: u64,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, Fault>,
) -> Result<T, BookError> {
    let section = container.section(name)?;
    let content = |at, what| BookError::Content {
        file: container.file().to_string(),
        section: name,
        at,
        what,
    };
    if section.length() > most {
        let what = format!("{} bytes, more than the {most} that it can need", section.length());
        return Err(content(0, what));
    }
    let (mut bytes, mut piece) = (Vec::new(), Vec::new());
    for block in 0..section.blocks() {
        section.read_block(block, &mut piece).map_err(|error| BookError::Block {
            section: name,
            block: block + 1,
            blocks: section.blocks(),
            error,
        })?;
        bytes.extend_from_slice(&piece);
    }
    let mut reader = Reader::new(&bytes);
    let found = read(&mut reader).and_then(|found| reader.end().map(|()| found));
    found.map_err(|what| content(reader.at(), what))
}

fn read_plies(r: &mut Reader<'_>, count: u64) -> Result<Vec<u32>, Fault> {
    let mut plies = Vec::new();
    let mut ply = 0;
    for _ in 0..count {
        // Raised plies can exceed the largest that is entered by one a node.
        let most = u64::from(MAX_PLY) + MAX_POSITIONS - u64::from(ply);
        ply += r.number(most, "the growth of a ply")? as u32;
        plies.push(ply);
    }
    Ok(plies)
}

fn read_keys(r: &mut Reader<'_>, plies: &[u32]) -> Result<Vec<Node>, Fault> {
    let mut nodes: Vec<Node> = Vec::new();
    for &ply in plies {
        let key = r.key()?;
        if nodes.last().is_some_and(|last| (last.ply, last.key) >= (ply, key)) {
            return Err(format!("position {key:016x} is out of order"));
        }
        nodes.push(Node::new(key, Side::First, ply));
    }
    Ok(nodes)
}

fn read_flags(r: &mut Reader<'_>, nodes: &mut [Node]) -> Result<Vec<u8>, Fault> {
    let mut all = Vec::with_capacity(nodes.len());
    for node in nodes {
        let flags = r.byte()?;
        let alone = flags & EXACT != 0 && flags & RESULT == 0;
        if alone || flags & !(SECOND | RESULT | EXACT | ALTERNATIVE) != 0 {
            return Err(format!("expected flags of a position, found {flags:#04x}"));
        }
        if flags & SECOND != 0 {
            node.side = Side::Second;
        }
        all.push(flags);
    }
    Ok(all)
}

fn read_results(r: &mut Reader<'_>, flags: &[u8], nodes: &mut [Node]) -> Result<(), Fault> {
    for (node, flags) in nodes.iter_mut().zip(flags).filter(|(_, f)| *f & RESULT != 0) {
        let value = r.signed(MAX_VALUE as u32, "a result")?;
        node.result = Some(Leaf { value, exact: flags & EXACT != 0 });
    }
    Ok(())
}

fn read_counts(r: &mut Reader<'_>, nodes: &mut [Node]) -> Result<(), Fault> {
    for node in nodes {
        node.games = r.number(u64::from(u32::MAX), "a number of games")? as u32;
        node.wins = r.number(u64::from(node.games), "a number of wins")? as u32;
        node.draws = r.number(u64::from(node.games - node.wins), "a number of draws")? as u32;
    }
    Ok(())
}

fn read_unknown(r: &mut Reader<'_>, nodes: &mut [Node]) -> Result<(), Fault> {
    for node in nodes {
        let most = node.games - node.wins - node.draws;
        node.unknown = r.number(u64::from(most), "a number of games without a result")? as u32;
    }
    Ok(())
}

fn read_edges(r: &mut Reader<'_>, nodes: &mut [Node]) -> Result<(), Fault> {
    for here in 0..nodes.len() {
        let after = (nodes.len() - 1 - here) as u64;
        let number = r.number(after, "a number of successors")?;
        let mut children = Vec::new();
        let mut last = 0;
        for _ in 0..number {
            let ahead = r.number(after, "the distance of a successor")?;
            let to = &nodes[here + ahead as usize];
            if ahead <= last || to.ply <= nodes[here].ply {
                let key = nodes[here].key;
                return Err(format!("a successor of {key:016x} does not come after it"));
            }
            last = ahead;
            let games = r.number(u64::from(u32::MAX), "a number of games")? as u32;
            children.push(Edge { key: to.key, games });
        }
        children.sort_unstable_by_key(|e| e.key);
        if children.windows(2).any(|w| w[0].key == w[1].key) {
            return Err(format!("position {:016x} has a successor twice", nodes[here].key));
        }
        let node = &mut nodes[here];
        node.children = children;
        if !node.is_leaf() && node.result.is_some_and(|r| !r.exact) {
            return Err(format!("games go on after the played result at {:016x}", node.key));
        }
    }
    Ok(())
}

fn read_texts(r: &mut Reader<'_>) -> Result<Vec<String>, Fault> {
    let mut texts: Vec<String> = Vec::new();
    for _ in 0..r.number(MAX_TEXTS, "a number of texts")? {
        let text = r.text(MAX_TEXT, "a move")?;
        if texts.last().is_some_and(|last| &**last >= text) {
            return Err(format!("the text '{}' is out of order", text.escape_debug()));
        }
        texts.push(text.to_string());
    }
    Ok(texts)
}

fn read_alternatives(
    r: &mut Reader<'_>,
    flags: &[u8],
    texts: &[String],
    nodes: &mut [Node],
) -> Result<(), Fault> {
    for (node, _) in nodes.iter_mut().zip(flags).filter(|(_, f)| *f & ALTERNATIVE != 0) {
        let value = read_chance(r)?;
        let depth = r.number(u64::from(u32::MAX), "a depth")? as u32;
        let text = r.number(texts.len() as u64, "the number of a text")? as usize;
        let mv = texts.get(text).ok_or("there is no text of this number")?.clone();
        node.alternative = Some(Alternative { mv, key: 0, value, depth });
    }
    Ok(())
}

fn read_chance(r: &mut Reader<'_>) -> Result<Chance, Fault> {
    let mark = r.byte()?;
    if mark == ESTIMATE {
        return Ok(Chance::Estimate(r.signed(i32::MAX as u32, "an estimate")?));
    }
    let margin = r.number(u64::from(u32::MAX), "a margin")? as u32;
    let ply = r.number(u64::from(u32::MAX), "a ply")? as u32;
    let end = End { proven: mark & PROVEN != 0, margin, ply };
    match mark & !PROVEN {
        WON => Ok(Chance::Won(end)),
        LOST => Ok(Chance::Lost(end)),
        _ => Err(format!("expected a chance, found the mark {mark:#04x}")),
    }
}

/// The places of alternatives, and where each position stands.
fn read_places(r: &mut Reader<'_>, nodes: &mut [Node]) -> Result<HashMap<u64, u32>, Fault> {
    let mut index = HashMap::with_capacity(nodes.len());
    for (node, i) in nodes.iter_mut().zip(0u32..) {
        if index.insert(node.key, i).is_some() {
            return Err(format!("position {:016x} is there twice", node.key));
        }
        let Some(alternative) = &mut node.alternative else { continue };
        alternative.key = r.key()?;
        if node.children.iter().any(|e| e.key == alternative.key) {
            let key = node.key;
            return Err(format!("the alternative of {key:016x} is one of its successors"));
        }
    }
    Ok(index)
}

fn keyed_texts<'a>(
    r: &mut Reader<'a>,
    most: usize,
    what: &str,
) -> Result<Vec<(u64, &'a str)>, Fault> {
    let mut texts: Vec<(u64, &str)> = Vec::new();
    for _ in 0..r.number(MAX_TEXTS, "a number of texts")? {
        let key = r.key()?;
        if texts.last().is_some_and(|&(last, _)| last >= key) {
            return Err(format!("{what} for {key:016x} is out of order"));
        }
        texts.push((key, r.text(most, what)?));
    }
    Ok(texts)
}

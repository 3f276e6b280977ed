//! Which game trees are in these bytes?
//!
//! A broken game is reported with the byte where it broke, and reading goes on at the next thing
//! that looks like the beginning of a game. Every byte is looked at a bounded number of times, and
//! nesting costs no stack.
//!
//! More is accepted than the standard allows, where the meaning is plain: small letters in names,
//! a missing first semicolon, anything before the first game and between games.

use super::text::{Places, decode};
use super::tree::{NodeId, Property, Tree};
use zug_core::study::Bounds;
use zug_core::{RecordError, TextError};

/// What a file holds: trees and errors, in order.
pub type Collection = Vec<Result<Tree, TextError>>;

/// Reads all games of a file. A broken game is an error in its place. A file without a game is
/// one error.
#[must_use]
pub fn read_collection(bytes: &[u8]) -> Collection {
    let mut games = Vec::new();
    visit_collection(bytes, Bounds::NONE, &mut |game| {
        games.push(game.map_err(|error| match error {
            RecordError::Text(error) => error,
            other => TextError::new(0, "a game", other.to_string()),
        }));
        true
    });
    games
}

/// The same, one game at a time until `sink` answers false, so that a large collection need not be in memory as
/// trees. Variations that do not fit are left out and counted; a main line that does not fit is an error.
pub fn visit_collection(
    bytes: &[u8],
    bounds: Bounds,
    sink: &mut dyn FnMut(Result<Tree, RecordError>) -> bool,
) {
    let decoded = decode(bytes);
    let mut places = Places::new(&decoded);
    let text = decoded.text.as_bytes();
    let mut reader = Reader { text, source: &decoded.text, at: 0, bounds, parts: 0 };
    let mut some = false;
    while reader.find_game() {
        some = true;
        let goes_on = match reader.game() {
            Ok(tree) => sink(Ok(tree)),
            Err(Broken { is_too_long: true, resume, .. }) => {
                reader.at = resume;
                reader.find_root();
                sink(Err(RecordError::TooLong { most: bounds.parts }))
            }
            Err(Broken { at, expected, resume, .. }) => {
                let found = match decoded.text.get(decoded.text.floor_char_boundary(at)..) {
                    Some(rest) if !rest.is_empty() => {
                        format!("'{}'", rest.chars().take(12).collect::<String>())
                    }
                    _ => "the end of the file".to_string(),
                };
                reader.at = resume;
                reader.find_root();
                sink(Err(TextError::new(places.byte(at), expected, found).into()))
            }
        };
        if !goes_on {
            return;
        }
    }
    if !some {
        let found = if bytes.is_empty() { "an empty file" } else { "no such thing" };
        sink(Err(TextError::new(0, "a game that begins with '(;'", found).into()));
    }
}

struct Broken {
    at: usize,
    expected: &'static str,
    is_too_long: bool,
    /// Where to look for the next game.
    resume: usize,
}

struct Reader<'a> {
    text: &'a [u8],
    source: &'a str,
    at: usize,
    bounds: Bounds,
    /// Nodes, properties and values of this game.
    parts: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace() || b == 0x0b || b == 0) {
            self.at += 1;
        }
    }

    /// Does `(;`, or `(` and a property, stand at `at`? If so, the byte after the parenthesis and
    /// white space.
    fn opens_tree(&self, at: usize) -> Option<usize> {
        if self.text.get(at) != Some(&b'(') {
            return None;
        }
        // A bounded look, so that hostile white space is not read again and again.
        let rest = &self.text[at + 1..self.text.len().min(at + 65)];
        let blank = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let begins_node = match rest.get(blank..)? {
            [b';', ..] => true,
            [a, b'[', ..] | [a, _, b'[', ..] => a.is_ascii_uppercase(),
            _ => false,
        };
        begins_node.then_some(at + 1 + blank)
    }

    /// Goes to the next tree.
    fn find_game(&mut self) -> bool {
        while self.at < self.text.len() {
            if self.opens_tree(self.at).is_some() {
                return true;
            }
            self.at += 1;
        }
        false
    }

    /// Does a tree begin here whose first property only roots have? It is then no variation.
    fn opens_root(&self, at: usize) -> bool {
        let Some(mut node) = self.opens_tree(at) else { return false };
        node += usize::from(self.text[node] == b';');
        let rest = &self.text[node..self.text.len().min(node + 64)];
        let rest = rest.trim_ascii_start();
        [&b"GM["[..], b"FF[", b"SZ[", b"CA[", b"AP["].iter().any(|name| rest.starts_with(name))
    }

    /// Goes to the next tree that is surely a game of its own.
    fn find_root(&mut self) {
        while self.at < self.text.len() && !self.opens_root(self.at) {
            self.at += 1;
        }
    }

    fn broken(&self, expected: &'static str) -> Broken {
        Broken { at: self.at, expected, is_too_long: false, resume: self.at }
    }

    fn too_long(&self) -> Broken {
        Broken { is_too_long: true, ..self.broken("a shorter game") }
    }

    fn is_full(&self) -> bool {
        self.parts >= self.bounds.parts
    }

    fn game(&mut self) -> Result<Tree, Broken> {
        self.at += 1;
        let mut tree = Tree::new();
        // The nodes after which the open parentheses stand; the current node is the last one.
        let mut open: Vec<Option<NodeId>> = vec![None];
        let mut now: Option<NodeId> = None;
        self.parts = 0;
        // Until the first variation ends, all is main line. Of a node that is left out, nothing is kept.
        let (mut is_main, mut is_lost) = (true, false);
        loop {
            self.skip_space();
            match self.peek() {
                Some(b';') => {
                    self.at += 1;
                    is_lost = self.is_full();
                    if is_lost && is_main {
                        return Err(self.too_long());
                    }
                    if is_lost {
                        tree.left_out += 1;
                        continue;
                    }
                    self.parts += 1;
                    now = Some(now.map_or(NodeId::ROOT, |parent| tree.add_child(parent)));
                }
                Some(b'(') => {
                    if self.opens_root(self.at) {
                        return Err(self.broken("')' at the end of the game before"));
                    }
                    let Some(parent) = now else {
                        return Err(self.broken("';' and the first node"));
                    };
                    self.at += 1;
                    open.push(Some(parent));
                }
                Some(b')') => {
                    if now.is_none() {
                        return Err(self.broken("';' and the first node"));
                    }
                    self.at += 1;
                    (is_main, is_lost) = (false, false);
                    match open.pop() {
                        Some(Some(parent)) => now = Some(parent),
                        _ => return Ok(tree),
                    }
                }
                Some(b) if b.is_ascii_alphabetic() => {
                    let id = now.unwrap_or(NodeId::ROOT);
                    now = Some(id);
                    if is_main && self.is_full() {
                        return Err(self.too_long());
                    }
                    let property = self.property(is_lost || self.is_full())?;
                    self.parts += property.values.len();
                    if !property.values.is_empty() {
                        tree.push(id, property);
                    }
                }
                Some(_) => return Err(self.broken("';', '(', ')' or a property")),
                None => return Err(self.broken("')' at the end of the game")),
            }
        }
    }

    /// A property, or one without values where it is only passed over.
    fn property(&mut self, is_passed: bool) -> Result<Property, Broken> {
        let begin = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let word = &self.text[begin..self.at];
        let mut name: String =
            word.iter().filter(|b| !b.is_ascii_lowercase()).map(|&b| char::from(b)).collect();
        if name.is_empty() {
            name = word.iter().map(|b| char::from(b.to_ascii_uppercase())).collect();
        }
        let (mut values, mut any) = (Vec::new(), false);
        loop {
            self.skip_space();
            if self.peek() != Some(b'[') {
                break;
            }
            any = true;
            let has_room = !is_passed && values.len() < self.bounds.parts;
            let value = self.value()?;
            if has_room {
                values.push(value.to_string());
            }
        }
        if !any {
            return Err(self.broken("'[' and a value"));
        }
        Ok(Property { name, values })
    }

    fn value(&mut self) -> Result<&str, Broken> {
        let open = self.at;
        self.at += 1;
        let begin = self.at;
        loop {
            match self.peek() {
                Some(b']') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => {
                    // Nothing after this can be closed either: the file ends here.
                    let resume = self.text.len();
                    let expected = "']' after this value";
                    return Err(Broken { at: open, expected, is_too_long: false, resume });
                }
            }
        }
        // Both ends are next to ASCII characters, so they are ends of characters.
        let end = self.at;
        self.at += 1;
        Ok(&self.source[begin..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::write_collection;

    fn one(text: &str) -> Tree {
        let mut games = read_collection(text.as_bytes());
        assert_eq!(games.len(), 1, "{text}: {games:?}");
        games.remove(0).unwrap()
    }

    #[test]
    fn variations_and_unknown_properties_are_kept_in_order() {
        let text = "(;FF[4]GM[1]XY[strange][two]C[a\\]b](;B[aa];W[bb](;B[cc])(;B[dd]))(;B[ee]))";
        let tree = one(text);
        assert_eq!(tree.len(), 6);
        assert_eq!(tree.root().get("XY").unwrap().values, ["strange", "two"]);
        assert_eq!(tree.root().get("C").unwrap().text(), "a]b");
        assert_eq!(tree.main_line().count(), 4);
        let written = write_collection(std::slice::from_ref(&tree));
        assert_eq!(one(&written), tree);
    }

    #[test]
    fn old_and_sloppy_files_are_understood() {
        let tree = one("From: someone\n\n( ; GaMe [1]SiZe[9]\n;Black[aa] ;White [ bb] )\ntrailing");
        assert_eq!(tree.root().get("GM").unwrap().value(), "1");
        assert_eq!(tree.main_line().count(), 3);
        let tree = one("(GM[1];B[aa])");
        assert_eq!(tree.main_line().count(), 2);
    }

    #[test]
    fn broken_games_are_reported_with_their_byte_and_skipped() {
        let text = "(;GM[1];B[aa])(;GM[1];B)(;GM[1];B[cc])(;GM[1];B[dd]\n(;GM[1];B[ee])(;C[never";
        let games = read_collection(text.as_bytes());
        let places: Vec<Option<usize>> =
            games.iter().map(|g| g.as_ref().err().map(|e| e.byte)).collect();
        assert_eq!(places, [None, Some(23), None, Some(52), None, Some(69)]);
    }

    #[test]
    fn a_file_without_a_game_is_an_error() {
        for bytes in [&b""[..], b"hello", b"()", b"((((", b"\xff\xfe"] {
            let games = read_collection(bytes);
            assert_eq!(games.len(), 1);
            assert!(games[0].is_err());
        }
    }

    #[test]
    fn nesting_a_million_deep_costs_no_stack() {
        let depth = 1_000_000;
        let text = "(;".repeat(depth) + &")".repeat(depth);
        let tree = one(&text);
        assert_eq!(tree.len(), depth);
        let written = write_collection(std::slice::from_ref(&tree));
        assert_eq!(one(&written), tree);
        assert!(read_collection("(;".repeat(depth).as_bytes())[0].is_err());
    }

    #[test]
    fn hostile_files_are_read_in_one_go() {
        for piece in ["(;GM[", "(;GM[1]", "(", "(;GM[1](", "[", "(;\\", "(     ", "(;GM[1])x"] {
            let text = piece.repeat(400_000 / piece.len());
            assert!(!read_collection(text.as_bytes()).is_empty());
        }
    }
}

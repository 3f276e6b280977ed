//! How is a game written down that has no format of its own? As plain text in the manner of PGN:
//! tags, numbered moves, remarks in braces, the result.
//!
//! ```text
//! [Game "dodgem:4x4"]
//! [White "zug"]
//! [Black "random"]
//! [Start "W3/1W2/W3/1BBB b"]
//! [Result "1-0"]
//!
//! 1. b1-b2 a2-b2 {the only move} 2. c1-c2 1-0
//! ```
//!
//! `Game` is required and names the game as on the command line; `Start` is there when the game
//! does not begin at the start position; `Margin` holds the points of games that count them. A
//! result `1-0` means that the side that moves first in the start position won.
//!
//! A move that could be mistaken for something else (it has a blank in it, or looks like a move
//! number) stands in quotation marks. Inside quotation marks and braces, a backslash takes the
//! meaning from the character after it, and `\n` is a new line. The reader also takes what other
//! PGN writers add: `;` remarks and `%` lines are skipped. Variations stand in parentheses after the move
//! that they replace, and glyphs (`$4` for a blunder) after the move that they judge; both are part of a
//! [`Study`], not of a [`Record`].

use crate::record::{LONGEST, RecordSink, StudySink};
use crate::study::{Bounds, ROOT, Step};
use crate::{Mark, Record, RecordError, RecordFormat, RecordResult, Side, Study, TextError};
use pieces::Pieces;
use std::io::{self, BufRead};

mod pieces;

/// The plain text format, for every game.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextRecords;

/// What no tag of a record may be called, because the format says it itself.
const RESERVED: [&str; 4] = ["Game", "Start", "Result", "Margin"];

impl RecordFormat for TextRecords {
    fn name(&self) -> &'static str {
        "text"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["zgr", "txt"]
    }

    fn stream(&self, input: &mut dyn BufRead, sink: &mut RecordSink<'_>) -> io::Result<()> {
        let mut record = |study: Result<Study, RecordError>| {
            sink(study.map(|study| {
                let mut record = study.main_line();
                // A record has no room for a remark before the first move.
                if let Some(comment) = &study.nodes()[ROOT].comment {
                    record.tags.push(("Comment".to_string(), comment.clone()));
                }
                record
            }))
        };
        let mut pieces = Pieces::new(input);
        while let Some(piece) = pieces.next()? {
            let goes_on = match piece.text {
                Ok(text) => {
                    let mut reader = Reader::new(&text, LONGEST);
                    (reader.line, reader.variations) = (piece.line, false);
                    reader.read_all(&mut record)
                }
                Err(error) => record(Err(error.on_line(piece.line).into())),
            };
            if !goes_on {
                break;
            }
        }
        Ok(())
    }

    fn write(&self, records: &[Record]) -> Result<Vec<u8>, RecordError> {
        let studies: Vec<Study> = records.iter().cloned().map(Study::of_record).collect();
        self.write_studies(&studies)
    }

    fn holds_variations(&self) -> bool {
        true
    }

    fn read_studies(&self, bytes: &[u8], bounds: Bounds, sink: &mut StudySink<'_>) {
        let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
        Reader::new(bytes, bounds).read_all(sink);
    }

    fn write_studies(&self, studies: &[Study]) -> Result<Vec<u8>, RecordError> {
        let mut out = String::new();
        for (i, study) in studies.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            write_study(study, &mut out)?;
        }
        Ok(out.into_bytes())
    }
}

/// What some programs put before text in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

fn write_study(study: &Study, out: &mut String) -> Result<(), RecordError> {
    let record = &study.head;
    if record.game.is_empty() {
        return Err(RecordError::Unsupported("the record does not name its game".into()));
    }
    write_tag("Game", &record.game, out);
    for (name, value) in &record.tags {
        let proper = !name.is_empty() && name.bytes().all(is_name);
        if !proper || RESERVED.contains(&name.as_str()) {
            let what = format!("'{}' cannot be the name of a tag", crate::error::shorten(name));
            return Err(RecordError::Unsupported(what));
        }
        write_tag(name, value, out);
    }
    if let Some(start) = &record.start {
        write_tag("Start", start, out);
    }
    let result = match record.result {
        RecordResult::Unknown => "*",
        RecordResult::Known { winner: None, .. } => "1/2-1/2",
        RecordResult::Known { winner: Some(Side::First), .. } => "1-0",
        RecordResult::Known { winner: Some(Side::Second), .. } => "0-1",
    };
    write_tag("Result", result, out);
    if let RecordResult::Known { margin: Some(margin), .. } = record.result {
        if !margin.is_finite() {
            return Err(RecordError::Unsupported(format!("a margin of {margin}")));
        }
        write_tag("Margin", &margin.to_string(), out);
    }
    out.push('\n');
    let mut words = Words { out, column: 0, front: "" };
    if let Some(comment) = &study.nodes()[ROOT].comment {
        words.put(&format!("{{{}}}", escape(comment, '}')));
    }
    // The ply of the next move, in each variation that is open, and whether its number was told.
    let mut plies = vec![(0usize, true)];
    study.walk(|step| {
        let (ply, numbered) = plies.last().copied().unwrap_or((0, true));
        match step {
            Step::Move(_, node) => {
                if ply % 2 == 0 {
                    words.put(&format!("{}.", ply / 2 + 1));
                } else if !numbered {
                    words.put(&format!("{}...", ply / 2 + 1));
                }
                words.put(&move_word(&node.text));
                if let Some(mark) = node.mark {
                    words.put(&format!("${}", mark as u8));
                }
                if let Some(comment) = &node.comment {
                    words.put(&format!("{{{}}}", escape(comment, '}')));
                }
                plies.pop();
                plies.push((ply + 1, true));
            }
            Step::Open(_) => {
                words.front = "(";
                plies.push((ply.saturating_sub(1), false));
            }
            Step::Close => {
                words.close();
                plies.pop();
                if let Some(outer) = plies.last_mut() {
                    outer.1 = false;
                }
            }
        }
        Ok::<(), RecordError>(())
    })?;
    words.put(result);
    out.push('\n');
    Ok(())
}

fn write_tag(name: &str, value: &str, out: &mut String) {
    out.push_str(&format!("[{name} \"{}\"]\n", escape(value, '"')));
}

/// Words with blanks or line ends between them.
struct Words<'a> {
    out: &'a mut String,
    column: usize,
    /// What stands before the next word, without a blank.
    front: &'static str,
}

impl Words<'_> {
    fn put(&mut self, word: &str) {
        let front = std::mem::take(&mut self.front);
        let length = front.len() + word.chars().count();
        if self.column > 0 {
            let wraps = self.column + 1 + length > 80;
            self.out.push(if wraps { '\n' } else { ' ' });
            self.column = if wraps { 0 } else { self.column + 1 };
        }
        self.out.push_str(front);
        self.out.push_str(word);
        self.column += length;
    }

    fn close(&mut self) {
        self.out.push(')');
        self.column += 1;
    }
}

fn move_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-+=/#@!?.,:_'<>^&|~*".contains(c);
    let safe = !text.is_empty()
        && text.chars().all(plain)
        && move_number(text) == 0
        && result_word(text).is_none();
    if safe { text.to_string() } else { format!("\"{}\"", escape(text, '"')) }
}

fn escape(text: &str, end: char) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c if c == end || c == '\\' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// Bytes of the move number ("12.", "3...") at the beginning of a word.
fn move_number(word: &str) -> usize {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let dots = word[digits..].bytes().take_while(|&b| b == b'.').count();
    if digits > 0 && dots > 0 { digits + dots } else { 0 }
}

fn result_word(word: &str) -> Option<RecordResult> {
    let known = |winner| RecordResult::Known { winner, margin: None };
    match word {
        "1-0" => Some(known(Some(Side::First))),
        "0-1" => Some(known(Some(Side::Second))),
        "1/2-1/2" => Some(known(None)),
        "*" => Some(RecordResult::Unknown),
        _ => None,
    }
}

/// Goes through the bytes once; every loop moves `at` forward.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    line_start: usize,
    /// Are variations read? Otherwise they are skipped, whatever is in them.
    variations: bool,
    bounds: Bounds,
    /// Moves and tags of this game.
    parts: usize,
}

impl Reader<'_> {
    fn new(bytes: &[u8], bounds: Bounds) -> Reader<'_> {
        Reader { bytes, at: 0, line: 1, line_start: 0, variations: true, bounds, parts: 0 }
    }

    /// Reads all games; false where `sink` wants no more.
    fn read_all(&mut self, sink: &mut StudySink<'_>) -> bool {
        loop {
            self.skip_blank();
            if self.peek().is_none() {
                return true;
            }
            self.parts = 0;
            let study = self.study();
            if study.is_err() {
                self.skip_to_next_record();
            }
            if !sink(study) {
                return false;
            }
        }
    }

    /// Is there no room for another move of a variation?
    fn is_full(&self) -> bool {
        self.parts >= self.bounds.for_variations()
    }

    /// Counts another move or tag, which must fit.
    fn count(&mut self) -> Result<(), RecordError> {
        self.parts += 1;
        self.bounds.admit(self.parts)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        if byte == b'\n' {
            self.line += 1;
            self.line_start = self.at;
        }
        Some(byte)
    }

    fn error(&self, expected: &str) -> TextError {
        let rest = &self.bytes[self.at..self.bytes.len().min(self.at + 80)];
        let found = match rest.first() {
            None => "the end of the file".to_string(),
            Some(b'\n' | b'\r') => "the end of the line".to_string(),
            Some(_) => {
                let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                format!("'{}'", String::from_utf8_lossy(&rest[..end]))
            }
        };
        TextError::new(self.at - self.line_start, expected, found).on_line(self.line)
    }

    /// Does a new record begin on this line? Damage never reaches beyond that.
    fn at_record(&self) -> bool {
        self.at == self.line_start && self.bytes[self.at..].starts_with(b"[Game ")
    }

    fn skip_to_next_record(&mut self) {
        while self.peek().is_some() && !self.at_record() {
            self.next();
        }
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|b| b != b'\n') {
            self.next();
        }
    }

    /// White space, and lines that begin with `%`.
    fn skip_blank(&mut self) {
        loop {
            match self.peek() {
                Some(b) if b.is_ascii_whitespace() => drop(self.next()),
                Some(b'%') if self.at == self.line_start => self.skip_line(),
                _ => return,
            }
        }
    }

    fn study(&mut self) -> Result<Study, RecordError> {
        let mut record = Record::default();
        let (mut stated, mut margin, mut named) = (RecordResult::Unknown, None, false);
        while self.peek() == Some(b'[') {
            if named && self.at_record() {
                break;
            }
            let place = (self.line, self.at - self.line_start);
            let (name, value) = self.tag()?;
            self.count()?;
            let bad = |expected: &str| {
                TextError::new(place.1, expected, format!("'{value}'")).on_line(place.0)
            };
            match name.as_str() {
                "Game" if value.is_empty() => return Err(bad("the name of a game").into()),
                "Game" => (record.game, named) = (value, true),
                "Start" => record.start = Some(value),
                "Result" => {
                    stated = result_word(&value)
                        .ok_or_else(|| bad("1-0, 0-1, 1/2-1/2 or * as Result"))?;
                }
                "Margin" => {
                    let number = value.parse().ok().filter(|m: &f32| m.is_finite());
                    margin = Some(number.ok_or_else(|| bad("a number of points as Margin"))?);
                }
                _ => record.tags.push((name, value)),
            }
            self.skip_blank();
        }
        if !named {
            return Err(self.error("a tag [Game \"...\"] before the moves").into());
        }
        let mut study = Study::new(record);
        if let Some(result) = self.moves(&mut study)? {
            stated = result;
        }
        if let RecordResult::Known { winner, .. } = stated {
            stated = RecordResult::Known { winner, margin };
        }
        study.head.result = stated;
        Ok(study)
    }

    fn tag(&mut self) -> Result<(String, String), TextError> {
        self.next();
        self.skip_spaces();
        let begin = self.at;
        while self.peek().is_some_and(is_name) {
            self.next();
        }
        let name = String::from_utf8_lossy(&self.bytes[begin..self.at]).into_owned();
        if name.is_empty() {
            return Err(self.error("the name of a tag"));
        }
        self.skip_spaces();
        if self.peek() != Some(b'"') {
            return Err(self.error("a value in quotation marks"));
        }
        let value = self.quoted(b'"')?;
        self.skip_spaces();
        if self.peek() != Some(b']') {
            return Err(self.error("']'"));
        }
        self.next();
        Ok((name, value))
    }

    fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.next();
        }
    }

    /// The text from an opening mark to its end. Quoted text ends on its line; a remark may go over
    /// several, whose breaks count as blanks.
    fn quoted(&mut self, end: u8) -> Result<String, TextError> {
        let open = self.error(if end == b'"' { "a closing '\"'" } else { "a closing '}'" });
        self.next();
        let mut text = Vec::new();
        loop {
            if self.at_record() {
                return Err(open);
            }
            match self.next() {
                Some(b) if b == end => break,
                None => return Err(open),
                Some(b'\n') if end == b'"' => return Err(open),
                Some(b'\n') => text.push(b' '),
                Some(b'\r') => {}
                Some(b'\\') => match self.peek() {
                    Some(b'n') => text.extend(self.next().map(|_| b'\n')),
                    Some(b'r') => text.extend(self.next().map(|_| b'\r')),
                    // A break is handled by the next round.
                    Some(b'\n' | b'\r') | None => {}
                    Some(_) => text.extend(self.next()),
                },
                Some(b) => text.push(b),
            }
        }
        String::from_utf8(text).map_err(|_| TextError { expected: "text in UTF-8".into(), ..open })
    }

    /// Moves and remarks up to the result, which is given back if it is there.
    fn moves(&mut self, study: &mut Study) -> Result<Option<RecordResult>, RecordError> {
        // The last move, and those to which open variations return.
        let (mut last, mut open) = (ROOT, Vec::new());
        loop {
            self.skip_blank();
            match self.peek() {
                None | Some(b'[') if !open.is_empty() => {
                    return Err(self.error("a closing ')'").into());
                }
                None | Some(b'[') => return Ok(None),
                Some(b'{') => {
                    let text = self.quoted(b'}')?;
                    study.say(last, &text);
                }
                Some(b';') => self.skip_line(),
                Some(b'(') if !self.variations => self.skip_variation()?,
                Some(b'(') if last == ROOT => {
                    return Err(self.error("a move before its variation").into());
                }
                Some(b'(') if self.is_full() => {
                    study.left_out += 1;
                    self.skip_variation()?;
                }
                Some(b'(') => {
                    self.next();
                    open.push(last);
                    last = study.nodes()[last].parent();
                }
                Some(b')') if !open.is_empty() => {
                    self.next();
                    last = open.pop().unwrap_or(ROOT);
                }
                Some(b'"') => {
                    let text = self.quoted(b'"')?;
                    self.add(study, &mut last, &mut open, text)?;
                }
                Some(b')' | b']' | b'}') => {
                    return Err(self.error("a move or a result").into());
                }
                Some(_) => {
                    let word = self.word()?;
                    let word = &word[move_number(&word)..];
                    match (result_word(word), word.strip_prefix('$')) {
                        (Some(result), _) if open.is_empty() => return Ok(Some(result)),
                        // What a variation might have led to says nothing about the game.
                        (Some(_), _) => {}
                        (None, Some(number)) => {
                            let mark = number.parse().ok().and_then(Mark::from_number);
                            if let Some(mark) = mark.filter(|_| last != ROOT) {
                                study.node_mut(last).mark = Some(mark);
                            }
                        }
                        (None, None) if word.is_empty() => {}
                        (None, None) => self.add(study, &mut last, &mut open, word.to_string())?,
                    }
                }
            }
        }
    }

    /// Adds a move. One of a variation that does not fit is passed over with the rest of the variation.
    fn add(
        &mut self,
        study: &mut Study,
        last: &mut usize,
        open: &mut Vec<usize>,
        text: String,
    ) -> Result<(), RecordError> {
        if self.is_full()
            && let Some(outer) = open.pop()
        {
            study.left_out += 1;
            self.skip_to_close(self.error("a closing ')'"))?;
            *last = outer;
            return Ok(());
        }
        self.count()?;
        *last = study.add(*last, text);
        Ok(())
    }

    fn word(&mut self) -> Result<String, TextError> {
        let begin = self.at;
        let error = self.error("text in UTF-8");
        let ends = |b: u8| b.is_ascii_whitespace() || b"{}()[];\"".contains(&b);
        while self.peek().is_some_and(|b| !ends(b)) {
            self.next();
        }
        let bytes = &self.bytes[begin..self.at];
        std::str::from_utf8(bytes).map(str::to_string).map_err(|_| error)
    }

    fn skip_variation(&mut self) -> Result<(), TextError> {
        let open = self.error("a closing ')'");
        self.next();
        self.skip_to_close(open)
    }

    /// Skips the rest of a variation that is open; the error is that it has no end.
    fn skip_to_close(&mut self, open: TextError) -> Result<(), TextError> {
        let mut depth = 1usize;
        loop {
            if self.at_record() {
                return Err(open);
            }
            match self.peek() {
                None => return Err(open),
                Some(b'{') => drop(self.quoted(b'}')?),
                Some(b) => {
                    self.next();
                    match b {
                        b'(' => depth += 1,
                        b')' if depth == 1 => return Ok(()),
                        b')' => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;

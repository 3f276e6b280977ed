//! Writes games: tags, then moves in lines of at most 80 characters.

use super::{PgnGame, PgnMove, Variation, fold_spaces};
use crate::position::Position;
use crate::{fen, san};
use cozy_chess::Color;
use std::fmt;
use zug_core::{RecordResult, Side};

/// The tags that every game has, in their order, with the value for "unknown".
pub(super) const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

const LINE: usize = 79;

/// One game, ended by an empty line.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        for (name, unknown) in ROSTER {
            push_tag(&mut out, name, self.tag(name).unwrap_or(unknown));
        }
        push_tag(&mut out, "Result", result_text(self.result));
        if self.start != Position::start() {
            push_tag(&mut out, "SetUp", "1");
            push_tag(&mut out, "FEN", &fen::write(&self.start));
        }
        for (name, value) in &self.tags {
            if !ROSTER.iter().any(|(n, _)| n == name) {
                push_tag(&mut out, name, value);
            }
        }
        out.push('\n');
        let mut lines = Lines { out, column: 0, pending: String::new(), glued: false };
        lines.variation(&self.start, &self.main);
        lines.word(result_text(self.result));
        lines.flush();
        lines.out.push_str("\n\n");
        f.write_str(&lines.out)
    }
}

pub(super) fn result_text(result: RecordResult) -> &'static str {
    match result {
        RecordResult::Unknown => "*",
        RecordResult::Known { winner: None, .. } => "1/2-1/2",
        RecordResult::Known { winner: Some(Side::First), .. } => "1-0",
        RecordResult::Known { winner: Some(Side::Second), .. } => "0-1",
    }
}

fn push_tag(out: &mut String, name: &str, value: &str) {
    out.push('[');
    out.push_str(name);
    out.push_str(" \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push_str("\"]\n");
}

/// Words with spaces or line ends between them.
struct Lines {
    out: String,
    column: usize,
    /// The word being put together.
    pending: String,
    /// Does what comes next belong to the same word?
    glued: bool,
}

impl Lines {
    fn word(&mut self, word: &str) {
        if !self.glued {
            self.flush();
        }
        self.glued = false;
        self.pending.push_str(word);
    }

    /// Writes the pending word, on a new line where it does not fit.
    fn flush(&mut self) {
        let length = self.pending.chars().count();
        if length == 0 {
            return;
        }
        if self.column > 0 {
            // A `%` at the beginning of a line would hide the rest of it.
            if self.column + 1 + length > LINE && !self.pending.starts_with('%') {
                self.end_line();
            } else {
                self.out.push(' ');
                self.column += 1;
            }
        }
        self.out.push_str(&self.pending);
        self.pending.clear();
        self.column += length;
    }

    fn end_line(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    fn variation(&mut self, start: &Position, variation: &Variation) {
        for comment in &variation.comments {
            self.comment(comment);
        }
        let mut position = start.clone();
        let mut numbered = false;
        for mv in &variation.moves {
            numbered = self.one_move(&position, mv, numbered);
            position.play(mv.mv);
        }
    }

    /// Writes a move; is the next one's number clear?
    fn one_move(&mut self, position: &Position, mv: &PgnMove, numbered: bool) -> bool {
        let number = position.move_number();
        match position.color() {
            Color::White => self.word(&format!("{number}.")),
            Color::Black if !numbered => self.word(&format!("{number}...")),
            Color::Black => {}
        }
        self.word(&san::write(position, mv.mv));
        for nag in &mv.nags {
            self.word(&format!("${nag}"));
        }
        for comment in &mv.comments {
            self.comment(comment);
        }
        for variation in &mv.variations {
            self.word("(");
            self.glued = true;
            self.variation(position, variation);
            self.glued = true;
            self.word(")");
        }
        mv.comments.is_empty() && mv.variations.is_empty()
    }

    fn comment(&mut self, comment: &str) {
        let comment = fold_spaces(comment);
        if comment.contains('}') {
            // Only a comment to the end of the line can hold a closing brace.
            self.word(&format!(";{comment}"));
            self.flush();
            self.end_line();
            return;
        }
        self.word("{");
        self.glued = true;
        for word in comment.split(' ') {
            self.word(word);
        }
        self.glued = true;
        self.word("}");
    }
}

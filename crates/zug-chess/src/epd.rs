//! Test positions with what is known about them: EPD.
//!
//! ```text
//! 1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
//! the first four fields of a FEN                   operations: a name, then operands
//! ```
//!
//! Every operation is kept, known or not, in its order, and is written back. Moves are checked only
//! when asked for ([`Epd::moves`]), since operands of unknown operations mean anything. Also read:
//! lines with all six fields of a FEN, and `;D1 20 ;D2 400` as files of perft counts have it.

use crate::position::Position;
use crate::{fen, san};
use cozy_chess::Move;
use std::fmt::{self, Write as _};
use zug_core::TextError;

/// A position with operations.
#[derive(Clone, Debug, PartialEq)]
pub struct Epd {
    /// The position; the operations `hmvc` and `fmvn` have set its clocks.
    pub position: Position,
    /// The operations in their order.
    pub operations: Vec<Operation>,
}

/// A name and its operands: `bm Nf3 e4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// `bm`, `am`, `id`, `dm`, `ce`, `acd`, `c0` …
    pub opcode: String,
    /// The operands.
    pub operands: Vec<Operand>,
}

/// An operand of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A bare word: a move, a number.
    Word(String),
    /// Text in quotation marks.
    Text(String),
}

impl Operand {
    /// The operand without quotation marks.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Operand::Word(s) | Operand::Text(s) => s,
        }
    }
}

/// Reads one line.
///
/// ```
/// use zug_chess::epd;
/// let e = epd::parse(r#"6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1; id "back row";"#)?;
/// assert_eq!(e.id(), Some("back row"));
/// assert_eq!(e.number("dm"), Some(1));
/// assert_eq!(e.moves("bm")?.len(), 1);
/// # Ok::<(), zug_core::TextError>(())
/// ```
pub fn parse(line: &str) -> Result<Epd, TextError> {
    let (position, at) = fen::parse_front(line)?;
    let operations = Scanner { text: line, at }.operations()?;
    let mut epd = Epd { position, operations };
    epd.set_clocks()?;
    Ok(epd)
}

/// Reads many lines; empty ones and those that begin with `#` are skipped. An error stands in the
/// place of its line.
pub fn parse_all(text: &str) -> impl Iterator<Item = Result<Epd, TextError>> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_ascii().is_empty() && !line.starts_with('#'))
        .map(|(i, line)| parse(line).map_err(|e| e.on_line(i + 1)))
}

impl Epd {
    /// The first operation of a name.
    #[must_use]
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|o| o.opcode == opcode)
    }

    /// The name of the position (`id`).
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.text("id")
    }

    /// The first operand of an operation.
    #[must_use]
    pub fn text(&self, opcode: &str) -> Option<&str> {
        self.operation(opcode)?.operands.first().map(Operand::as_str)
    }

    /// The first operand of an operation, if it is a whole number (`dm`, `ce`, `acd`, `D5` …).
    #[must_use]
    pub fn number(&self, opcode: &str) -> Option<i64> {
        self.text(opcode)?.parse().ok()
    }

    /// The operands of an operation, read as moves that are legal here (`bm`, `am`, `sm`). None
    /// where there is no such operation.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, TextError> {
        let operands = self.operation(opcode).map_or(&[][..], |o| &o.operands);
        operands.iter().map(|o| san::parse(&self.position, o.as_str())).collect()
    }

    /// The operands of an operation, read as moves that follow each other (`pv`).
    pub fn line(&self, opcode: &str) -> Result<Vec<Move>, TextError> {
        let mut position = self.position.clone();
        let operands = self.operation(opcode).map_or(&[][..], |o| &o.operands);
        let mut moves = Vec::with_capacity(operands.len());
        for operand in operands {
            let mv = san::parse(&position, operand.as_str())?;
            position.play(mv);
            moves.push(mv);
        }
        Ok(moves)
    }

    fn set_clocks(&mut self) -> Result<(), TextError> {
        let value = |opcode| {
            let Some(operation) = self.operation(opcode) else { return Ok(None) };
            let text = operation.operands.first().map_or("", Operand::as_str);
            let expected = format!("a number up to 65535 after '{opcode}'");
            text.parse::<u16>().map(Some).map_err(|_| TextError::new(0, expected, fen::quote(text)))
        };
        let (clock, number) = (value("hmvc")?, value("fmvn")?);
        if clock.is_none() && number.is_none() {
            return Ok(());
        }
        let clock = clock.unwrap_or(self.position.clock());
        let number = number.unwrap_or(self.position.move_number());
        self.position = Position::with_clocks(self.position.board().clone(), clock, number);
        Ok(())
    }
}

/// One line, with the clocks as operations where they are not 0 and 1.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&fen::write_short(&self.position))?;
        for operation in &self.operations {
            write!(f, " {operation}")?;
        }
        if self.position.clock() != 0 && self.operation("hmvc").is_none() {
            write!(f, " hmvc {};", self.position.clock())?;
        }
        if self.position.move_number() != 1 && self.operation("fmvn").is_none() {
            write!(f, " fmvn {};", self.position.move_number())?;
        }
        Ok(())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            match operand {
                Operand::Word(word) => write!(f, " {word}")?,
                Operand::Text(text) => {
                    f.write_str(" \"")?;
                    for c in text.chars() {
                        if matches!(c, '"' | '\\') {
                            f.write_char('\\')?;
                        }
                        f.write_char(c)?;
                    }
                    f.write_str("\"")?;
                }
            }
        }
        f.write_str(";")
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn operations(mut self) -> Result<Vec<Operation>, TextError> {
        let mut operations = Vec::new();
        loop {
            self.skip(|c| c.is_ascii_whitespace() || c == ';');
            let begin = self.at;
            let opcode = self.word();
            if opcode.is_empty() && self.at == self.text.len() {
                return Ok(operations);
            }
            if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) {
                let found = self.text[begin..].chars().take(20).collect::<String>();
                let expected = "the name of an operation, such as bm or id";
                return Err(TextError::new(begin, expected, fen::quote(&found)));
            }
            let operands = self.operands()?;
            operations.push(Operation { opcode, operands });
        }
    }

    /// The operands up to the semicolon, or to the end of the line.
    fn operands(&mut self) -> Result<Vec<Operand>, TextError> {
        let mut operands = Vec::new();
        loop {
            self.skip(|c| c.is_ascii_whitespace());
            match self.text[self.at..].chars().next() {
                None | Some(';') => return Ok(operands),
                Some('"') => operands.push(Operand::Text(self.quoted()?)),
                Some(_) => operands.push(Operand::Word(self.word())),
            }
        }
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(skipped).len();
    }

    fn word(&mut self) -> String {
        let rest = &self.text[self.at..];
        let stop = |c: char| c.is_ascii_whitespace() || c == ';';
        let len = rest.find(stop).unwrap_or(rest.len());
        self.at += len;
        rest[..len].to_string()
    }

    fn quoted(&mut self) -> Result<String, TextError> {
        let begin = self.at;
        let mut out = String::new();
        let mut chars = self.text[begin + 1..].char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = begin + 1 + i + 1;
                    return Ok(out);
                }
                // A backslash before anything else is itself: files name paths in comments.
                '\\' if chars.as_str().starts_with(['"', '\\']) => {
                    out.extend(chars.next().map(|(_, c)| c));
                }
                _ => out.push(c),
            }
        }
        Err(TextError::new(begin, "a closing quotation mark", "the end of the line"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_survive_being_read_and_written() {
        for line in [
            r#"1k6/8/8/8/8/8/5R2/2K5 b - - id "a \"quoted\" \\ name"; ce -15; acd 12;"#,
            r#"4k3/8/8/8/3pP3/8/8/4K3 b - e3 bm dxe3 Kd7; am Kf8; c0 "one; two"; noop;"#,
            r#"4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 Ke7 Kd2; hmvc 3; fmvn 17;"#,
            r"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        ] {
            assert_eq!(parse(line).unwrap().to_string(), line);
        }
    }

    #[test]
    fn operations_are_found_by_name() {
        let e = parse("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 Kd2; dm -3; pv e4 Kd7; hmvc 120; fmvn 90")
            .unwrap();
        assert_eq!(e.moves("bm").unwrap().len(), 2);
        assert_eq!(e.line("pv").unwrap().len(), 2);
        assert_eq!(e.number("dm"), Some(-3));
        assert_eq!(e.moves("am").unwrap(), []);
        assert_eq!((e.position.clock(), e.position.move_number()), (120, 90));
    }

    #[test]
    fn files_of_counts_are_read_too() {
        let e = parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66").unwrap();
        assert_eq!(e.number("D2"), Some(66));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let front = "4k3/8/8/8/8/8/8/4K2R w K - ";
        for (rest, byte, word) in [
            ("bm \"x", 30, "quotation"),
            ("bm Ke2; 17 x;", 35, "operation"),
            ("hmvc many;", 0, "hmvc"),
            ("hmvc;", 0, "hmvc"),
        ] {
            let e = parse(&format!("{front}{rest}")).expect_err(rest);
            assert_eq!(e.byte, byte, "{e}");
            assert!(e.expected.contains(word), "{e}");
        }
        let two = format!("# remark\n\n{front}bm Ke2;\n{front}\"\n");
        let all: Vec<_> = parse_all(&two).collect();
        assert_eq!(all.len(), 2);
        assert_eq!(all[1].as_ref().unwrap_err().line, Some(4));
    }
}

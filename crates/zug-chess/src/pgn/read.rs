//! Reads games, one after the other.

use super::split::{LONGEST_GAME, Splitter};
use super::{PgnGame, PgnMove, Variation, fold_spaces};
use crate::position::Position;
use crate::{fen, san};
use std::borrow::Cow;
use std::io::{self, BufRead};
use zug_core::record::LONGEST;
use zug_core::study::Bounds;
use zug_core::{RecordError, RecordResult, Side, TextError};

/// Variations within variations; more is refused.
pub(super) const DEEPEST: usize = 200;

/// Why a game could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The stream broke.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// The game is broken; the next one can be read.
    #[error("{0}")]
    Game(#[from] RecordError),
}

/// Reads games from a stream, one at a time. After a broken game it goes on with the next.
///
/// ```
/// let text = "[White \"A\"]\n\n1. e4 (1. d4 d5) e5 *\n\n[White \"B\"]\n\n1. Ke2 *\n\n1. c4 *\n";
/// let mut games = zug_chess::pgn::Reader::new(text.as_bytes());
/// assert_eq!(games.next().unwrap()?.main.moves[0].variations.len(), 1);
/// let error = games.next().unwrap().unwrap_err().to_string();
/// assert!(error.starts_with("game 2, ply 0: line 7, byte 3: expected a legal move"), "{error}");
/// # Ok::<(), zug_chess::pgn::PgnError>(())
/// ```
pub struct Reader<R> {
    splitter: Splitter<R>,
    /// The piece being read, as text.
    text: String,
    /// How far it has been read.
    at: usize,
    /// The number of the line there.
    line: usize,
    /// Games met so far, broken ones included.
    games: usize,
    variations: bool,
    bounds: Bounds,
    left_out: usize,
    done: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads everything, variations included.
    pub fn new(input: R) -> Reader<R> {
        Reader {
            splitter: Splitter::new(input),
            text: String::new(),
            at: 0,
            line: 1,
            games: 0,
            variations: true,
            bounds: LONGEST,
            left_out: 0,
            done: false,
        }
    }

    /// Keeps no more of a game than this.
    #[must_use]
    pub fn within(self, bounds: Bounds) -> Reader<R> {
        Reader { bounds, ..self }
    }

    /// Variations of the last game that were not kept.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Skips variations without looking at their moves.
    #[must_use]
    pub fn main_lines_only(self) -> Reader<R> {
        Reader { variations: false, ..self }
    }

    /// Games met so far, broken ones included.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            let begin = self.at;
            let mut parser = Parser {
                text: &self.text,
                at: begin,
                begin,
                line: self.line,
                game: self.games + 1,
                variations: self.variations,
                most: self.bounds,
                room: self.bounds,
                left_out: 0,
            };
            let game = parser.game();
            (self.at, self.left_out) = (parser.at, parser.left_out);
            self.line += self.text[begin..self.at].matches('\n').count();
            if let Some(game) = game {
                self.games += 1;
                return Some(game.map_err(PgnError::Game));
            }
            match self.splitter.next_piece() {
                Err(e) => {
                    self.done = true;
                    return Some(Err(e.into()));
                }
                Ok(None) => self.done = true,
                Ok(Some(piece)) => {
                    (self.at, self.line) = (0, piece.line);
                    let Some(bytes) = piece.bytes else {
                        self.text.clear();
                        self.games += 1;
                        let expected = format!("a game of at most {LONGEST_GAME} bytes");
                        let e = TextError::new(0, expected, "a longer one").on_line(piece.line);
                        return Some(Err(PgnError::Game(e.into())));
                    };
                    self.text = decode(&bytes).into_owned();
                }
            }
        }
        None
    }
}

/// UTF-8, or Latin-1 where it is not; without a byte order mark.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()),
    }
}

/// What stands in the move text.
#[derive(Debug, PartialEq)]
enum Token<'a> {
    Comment(&'a str),
    Nag(u8),
    Open,
    Close,
    Result(RecordResult),
    /// The byte where it stands, and the move.
    Move(usize, &'a str),
    /// The next game begins.
    Tag,
    End,
}

/// A variation being read.
struct Level {
    variation: Variation,
    /// The position before the last move, and now.
    before: Position,
    now: Position,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Where this game begins, and the number of the line there: lines are counted from here, so
    /// that a piece of a thousand broken games is counted once.
    begin: usize,
    line: usize,
    game: usize,
    variations: bool,
    /// What is kept of a game, and how much of that is left.
    most: Bounds,
    room: Bounds,
    /// Variations that were not kept.
    left_out: usize,
}

impl<'a> Parser<'a> {
    /// The next game, if there is one. After an error, the rest up to the next tags is skipped.
    fn game(&mut self) -> Option<Result<PgnGame, RecordError>> {
        let result = self.try_game();
        if result.is_err() {
            let rest = &self.text[self.at..];
            self.at = rest.find("\n[").map_or(self.text.len(), |i| self.at + i + 1);
        }
        result.transpose()
    }

    fn try_game(&mut self) -> Result<Option<PgnGame>, RecordError> {
        let (tags, mut game) = self.tags()?;
        let (any, stated) = self.moves(&mut game)?;
        if let Some(stated) = stated.filter(|s| *s != RecordResult::Unknown) {
            game.result = stated;
        }
        Ok((tags || any || stated.is_some()).then_some(game))
    }

    fn tags(&mut self) -> Result<(bool, PgnGame), RecordError> {
        let mut game = PgnGame::new();
        let (mut any, mut fen_at, mut fen_text) = (false, 0, None);
        let mut variant = None;
        loop {
            self.skip_space();
            let begin = self.at;
            if !self.text[begin..].starts_with('[') {
                break;
            }
            let (name, value) = self.tag()?;
            any = true;
            match name {
                "FEN" => (fen_at, fen_text) = (begin, Some(value)),
                "SetUp" => {}
                "Result" => game.result = result_of(&value).unwrap_or_default(),
                "Variant" => {
                    variant = Some((begin, value.clone()));
                    game.tags.push((name.to_string(), value));
                }
                _ => game.tags.push((name.to_string(), value)),
            }
            self.take_room()?;
        }
        if let Some((at, variant)) = variant
            && !is_chess(&variant)
        {
            return Err(self.error(at, "a variant that is chess", &fen::quote(&variant)).into());
        }
        if let Some(text) = fen_text {
            game.start = fen::parse(&text).map_err(|e| {
                let expected = format!("{} in the FEN tag", e.expected);
                self.error(fen_at, &expected, &e.found)
            })?;
        }
        Ok((any, game))
    }

    /// `[Name "value"]`. A quotation mark inside the value that is not followed by a bracket is
    /// taken as text, since many files forget to escape it.
    fn tag(&mut self) -> Result<(&'a str, String), TextError> {
        let begin = self.at;
        let line_end = self.text[begin..].find('\n').map_or(self.text.len(), |i| begin + i);
        let line = &self.text[begin..line_end];
        // Where an error is found, the reader goes on after this line.
        self.at = line_end;
        let inner = line[1..].trim_ascii_start();
        let name_len = inner
            .find(|c: char| !(c.is_ascii_alphanumeric() || "_+#=:-".contains(c)))
            .unwrap_or(inner.len());
        let (name, rest) = inner.split_at(name_len);
        let rest = rest.trim_ascii_start();
        let Some(quoted) = rest.strip_prefix('"').filter(|_| !name.is_empty()) else {
            return Err(self.error(begin, "a tag such as [White \"name\"]", &fen::quote(line)));
        };
        let mut value = String::new();
        let mut chars = quoted.char_indices();
        while let Some((i, c)) = chars.next() {
            let rest = &quoted[i + c.len_utf8()..];
            match c {
                '"' if rest.trim_ascii_start().starts_with(']') => {
                    let used = line.len() - rest.trim_ascii_start().len() + 1;
                    self.at = begin + used;
                    return Ok((name, value));
                }
                '\\' if rest.starts_with(['"', '\\']) => {
                    value.extend(chars.next().map(|(_, c)| c));
                }
                c if c.is_control() => value.push(' '),
                c => value.push(c),
            }
        }
        Err(self.error(begin, "a tag that ends with \"]", &fen::quote(line)))
    }

    /// The moves up to the result; were there any, and what result is stated?
    fn moves(&mut self, game: &mut PgnGame) -> Result<(bool, Option<RecordResult>), RecordError> {
        let close = |levels: &mut Vec<Level>| {
            let inner = levels.pop().map(|l| l.variation).unwrap_or_default();
            let outer = levels.last_mut().and_then(|l| l.variation.moves.last_mut());
            if let Some(mv) = outer.filter(|_| inner != Variation::default()) {
                mv.variations.push(inner);
            }
        };
        let level = |position: &Position| Level {
            variation: Variation::default(),
            before: position.clone(),
            now: position.clone(),
        };
        let mut levels = vec![level(&game.start)];
        let mut result = None;
        while result.is_none() {
            let at = self.at;
            let token = self.token()?;
            let depth = levels.len();
            let Some(top) = levels.last_mut() else { break };
            match token {
                Token::Comment(text) => {
                    let comment = fold_spaces(text);
                    if !comment.is_empty() {
                        let said = match top.variation.moves.last_mut() {
                            Some(mv) => &mut mv.comments,
                            None => &mut top.variation.comments,
                        };
                        match said.last_mut() {
                            // Many short remarks in a row are a list only as long as there is room for one.
                            Some(last) if self.is_full() => {
                                last.push(' ');
                                last.push_str(&comment);
                            }
                            _ => said.push(comment),
                        }
                        self.room.parts = self.room.parts.saturating_sub(1);
                    }
                }
                Token::Nag(nag) => {
                    if let Some(mv) = top.variation.moves.last_mut() {
                        mv.nags.push(nag);
                        self.take_room()?;
                    }
                }
                Token::Open if !self.variations => self.skip_variation()?,
                Token::Open if self.is_full() => {
                    self.left_out += 1;
                    self.skip_variation()?;
                }
                Token::Open if top.variation.moves.is_empty() => {
                    return Err(self.error(at, "a move before its variation", "'('").into());
                }
                Token::Open if depth > DEEPEST => {
                    let expected = format!("variations at most {DEEPEST} deep");
                    return Err(self.error(at, &expected, "more").into());
                }
                Token::Open => {
                    let inner = level(&top.before);
                    levels.push(inner);
                    self.take_room()?;
                }
                Token::Close => {
                    if depth == 1 {
                        return Err(self.error(at, "no ')' without '('", "')'").into());
                    }
                    close(&mut levels);
                }
                // The rest of a variation that does not fit.
                Token::Move(..) if depth > 1 && self.is_full() => {
                    self.left_out += 1;
                    self.skip_variation()?;
                    close(&mut levels);
                }
                Token::Move(at, text) => {
                    let ply = top.variation.moves.len();
                    let mv = san::parse(&top.now, text).map_err(|e| {
                        self.bad_move(at, if depth == 1 { Some(ply) } else { None }, e)
                    })?;
                    top.before.clone_from(&top.now);
                    top.now.play(mv);
                    top.variation.moves.push(PgnMove::new(mv));
                    self.take_room()?;
                }
                // Some programs end variations with a result; it says nothing about the game.
                Token::Result(_) if depth > 1 => {}
                Token::Result(stated) => result = Some(stated),
                Token::Tag | Token::End => {
                    if depth > 1 {
                        return Err(self.error(at, "')' at the end of a variation", "none").into());
                    }
                    break;
                }
            }
        }
        game.main = levels.swap_remove(0).variation;
        Ok((!game.main.moves.is_empty(), result))
    }

    /// Is there no room for more of a variation?
    fn is_full(&self) -> bool {
        self.most.parts - self.room.parts >= self.most.for_variations()
    }

    /// Takes room for a move, a tag or a variation.
    fn take_room(&mut self) -> Result<(), RecordError> {
        let left = self.room.parts.checked_sub(1);
        self.room.parts = left.ok_or(RecordError::TooLong { most: self.most.parts })?;
        Ok(())
    }

    /// Skips a variation, or the rest of one, up to its end.
    fn skip_variation(&mut self) -> Result<(), TextError> {
        let begin = self.at;
        let mut depth = 1;
        while depth > 0 {
            match self.token()? {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::Tag | Token::End => {
                    return Err(self.error(begin, "')' at the end of a variation", "none"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn token(&mut self) -> Result<Token<'a>, TextError> {
        loop {
            self.skip_space();
            let begin = self.at;
            let rest = &self.text[begin..];
            let Some(c) = rest.chars().next() else { return Ok(Token::End) };
            self.at += c.len_utf8();
            match c {
                '{' => {
                    let Some(len) = rest.find('}') else {
                        return Err(self.error(begin, "'}' at the end of a comment", "none"));
                    };
                    self.at = begin + len + 1;
                    return Ok(Token::Comment(&rest[1..len]));
                }
                ';' => {
                    let len = rest.find('\n').unwrap_or(rest.len());
                    self.at = begin + len;
                    return Ok(Token::Comment(&rest[1..len]));
                }
                '(' => return Ok(Token::Open),
                ')' => return Ok(Token::Close),
                '[' => {
                    self.at = begin;
                    return Ok(Token::Tag);
                }
                '*' => return Ok(Token::Result(RecordResult::Unknown)),
                '$' => {
                    let digits = leading_digits(&rest[1..]);
                    self.at += digits.len();
                    return match digits.parse() {
                        Ok(nag) => Ok(Token::Nag(nag)),
                        Err(_) => Err(self.error(
                            begin,
                            "a number from 0 to 255 after '$'",
                            &fen::quote(digits),
                        )),
                    };
                }
                '!' | '?' => {
                    let len = rest.find(|c| !matches!(c, '!' | '?')).unwrap_or(rest.len());
                    self.at = begin + len;
                    if let Some(nag) = nag_of(&rest[..len]) {
                        return Ok(Token::Nag(nag));
                    }
                }
                // Move numbers are not needed; `.` also stands alone in "1 ... e5".
                '.' | '…' => {}
                _ => {
                    if let Some(token) = self.symbol(begin, rest) {
                        return Ok(token);
                    }
                }
            }
        }
    }

    /// A move, a result, or a number that is passed over.
    fn symbol(&mut self, begin: usize, rest: &'a str) -> Option<Token<'a>> {
        let stop = |c: char| c.is_whitespace() || "(){}[];$!?".contains(c);
        // Before the end of the symbol is looked for: "1.1.1.1.…" is one symbol of many numbers.
        let digits = leading_digits(rest);
        let next = rest[digits.len()..].chars().next();
        if !digits.is_empty() && next.is_none_or(|c| stop(c) || matches!(c, '.' | '…')) {
            self.at = begin + digits.len();
            return None;
        }
        // At least one character, be it a stray bracket, so that reading always gets on.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let symbol = &rest[..rest[first..].find(stop).map_or(rest.len(), |i| first + i)];
        self.at = begin + symbol.len();
        if let Some(result) = result_of(symbol) {
            return Some(Token::Result(result));
        }
        // After a move with a space between.
        if matches!(symbol, "e.p." | "ep") {
            return None;
        }
        Some(Token::Move(begin, symbol))
    }

    /// White space, and lines that begin with `%`.
    fn skip_space(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let at_line_start = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
            if !(at_line_start && trimmed.starts_with('%')) {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// The line and the byte within it.
    fn place(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..at.min(self.text.len())];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (self.line + before[self.begin..].matches('\n').count(), before.len() - line_start)
    }

    fn error(&self, at: usize, expected: &str, found: &str) -> TextError {
        let (line, byte) = self.place(at);
        TextError::new(byte, expected, found).on_line(line)
    }

    fn bad_move(&self, at: usize, ply: Option<usize>, mut error: TextError) -> RecordError {
        let (line, byte) = self.place(at);
        error.byte += byte;
        let mut error = error.on_line(line);
        match ply {
            Some(ply) => RecordError::Move { game: self.game, ply, error },
            None => {
                error.expected.push_str(" in a variation");
                RecordError::Text(error)
            }
        }
    }
}

fn leading_digits(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

fn nag_of(marks: &str) -> Option<u8> {
    ["!", "?", "!!", "??", "!?", "?!"].iter().position(|&m| m == marks).map(|i| i as u8 + 1)
}

fn result_of(text: &str) -> Option<RecordResult> {
    let won = |winner| Some(RecordResult::Known { winner, margin: None });
    match text {
        "1-0" => won(Some(Side::First)),
        "0-1" => won(Some(Side::Second)),
        "1/2-1/2" | "1/2" | "½-½" => won(None),
        "*" => Some(RecordResult::Unknown),
        _ => None,
    }
}

/// Does the `Variant` tag name the rules that we know?
fn is_chess(variant: &str) -> bool {
    let letters: String =
        variant.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    matches!(
        letters.as_str(),
        "" | "chess"
            | "standard"
            | "normal"
            | "regular"
            | "fromposition"
            | "chess960"
            | "960"
            | "frc"
            | "fischerandom"
            | "fischerrandom"
            | "fischerandomchess"
            | "fischerrandomchess"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_bracket_in_a_variation_that_is_skipped_is_passed_over() {
        for text in ["1. e4 (]) e5 *", "1. e4 (}) e5 *", "1. e4 (1. d4 \"] c5) e5 *"] {
            let mut games = Reader::new(text.as_bytes()).main_lines_only();
            let game = games.next().unwrap().unwrap();
            assert_eq!(game.main.moves.len(), 2, "{text}");
            assert!(games.next().is_none());
        }
    }

    /// Takes minutes if the lines are counted from the beginning for each.
    #[test]
    fn many_broken_games_are_told_with_their_lines() {
        let text = "[\n".repeat(1 << 17);
        let errors: Vec<_> = Reader::new(text.as_bytes()).map(|game| game.unwrap_err()).collect();
        assert_eq!(errors.len(), 1 << 17);
        assert!(
            errors[99_999].to_string().starts_with("line 100000, byte 0"),
            "{}",
            errors[99_999]
        );
    }

    /// Takes hours if each number is looked at with all that follow it.
    #[test]
    fn a_megabyte_of_move_numbers_is_passed_over_in_one_go() {
        let text = format!("1. e4 {} e5 *", "70.".repeat(1 << 20));
        let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(game.main.moves.len(), 2);
    }
}

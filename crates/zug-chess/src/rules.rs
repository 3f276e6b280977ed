//! The rules of chess, in the workbench's vocabulary.
//!
//! A game ends by checkmate, stalemate, the fifty-move rule (100 plies; a mate on the last of them
//! counts), or material that cannot mate; and, as [`Line`](zug_core::Line) judges, when a position
//! occurs for the third time. Over the board the draws must be claimed, and players often do not:
//! `chess:draws=claimed` plays records of such games through, and ends by mate and stalemate only.

use crate::endings::{Material, Scope};
use crate::position::{FIFTY_MOVES, Position, side_of};
use crate::{endings, epd, fen, perft, san, uci};
use cozy_chess::{Color, File, Move, Piece, Rank, Square};
use zug_core::{Cell, Game, Outcome, Owner, Picture, Repetition, Side, Spec, TextError};

/// The game of chess, from the usual start or another.
#[derive(Clone, Debug, PartialEq)]
pub struct Chess {
    start: Start,
    position: Position,
    draws: Draws,
    /// The endings that the game is confined to.
    scope: Option<Scope>,
}

/// Where a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Usual,
    Chess960(u32),
    Ending,
    Other,
}

/// When draws by repetition, by the fifty-move rule and by lack of material take effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// At once.
    Automatic,
    /// Only when somebody claims them, which nobody does here.
    Claimed,
}

impl Chess {
    /// The usual game.
    #[must_use]
    pub fn new() -> Chess {
        Chess {
            start: Start::Usual,
            position: Position::start(),
            draws: Draws::Automatic,
            scope: None,
        }
    }

    /// An ending, or all with up to so many men, from some position.
    #[must_use]
    pub fn ending(scope: Scope) -> Chess {
        let position = endings::start(scope);
        Chess { start: Start::Ending, position, scope: Some(scope), ..Chess::new() }
    }

    /// When draws take effect.
    #[must_use]
    pub fn draws(&self) -> Draws {
        self.draws
    }

    /// The endings that the game is confined to.
    #[must_use]
    pub fn scope(&self) -> Option<Scope> {
        self.scope
    }

    /// Chess960 from a start position by its number, 0 to 959.
    #[must_use]
    pub fn chess960(number: u32) -> Option<Chess> {
        let position = Position::chess960(number)?;
        Some(Chess { start: Start::Chess960(number), position, ..Chess::new() })
    }

    /// The game from some position.
    #[must_use]
    pub fn from_position(position: Position) -> Chess {
        Chess { start: Start::Other, position, ..Chess::new() }
    }

    /// The same game with other draw rules.
    #[must_use]
    pub fn with_draws(self, draws: Draws) -> Chess {
        Chess { draws, ..self }
    }

    /// Reads the options `960=N`, `start=FEN`, `draws=claimed`, `men=N` and a word such as `KRvKN`.
    pub fn from_spec(spec: &Spec) -> Result<Chess, TextError> {
        spec.only(&["", "960", "start", "draws", "men"])?;
        let at = spec.name.len() + 1;
        let number = spec.parsed::<u32>("960", "a number from 0 to 959")?;
        let scope = scope_of(spec)?;
        let mut chess = match (number, scope) {
            (None, None) => Chess::new(),
            (Some(number), None) => Chess::chess960(number).ok_or_else(|| {
                TextError::new(at, "a number from 0 to 959 for '960'", number.to_string())
            })?,
            (None, Some(scope)) => Chess::ending(scope),
            (Some(_), Some(_)) => {
                return Err(TextError::new(at, "one of '960' and an ending", "both"));
            }
        };
        if let Some(text) = spec.get("start") {
            if number.is_some() {
                return Err(TextError::new(at, "one of '960' and 'start'", "both"));
            }
            chess.position = chess.read_position(text).map_err(|mut e| {
                e.expected.push_str(" in the FEN of 'start'");
                e
            })?;
            chess.start = Start::Other;
        }
        match spec.get("draws") {
            None | Some("automatic") => Ok(chess),
            Some("claimed") => Ok(chess.with_draws(Draws::Claimed)),
            Some(other) => {
                Err(TextError::new(at, "automatic or claimed for 'draws'", fen::quote(other)))
            }
        }
    }

    /// Is castling written "king takes rook" throughout?
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        matches!(self.start, Start::Chess960(_))
    }

    /// Is the game drawn although there may be moves?
    pub(crate) fn is_drawn(&self, position: &Position) -> Option<&'static str> {
        if self.draws == Draws::Claimed {
            None
        } else if position.clock() >= FIFTY_MOVES {
            Some("fifty-move rule")
        } else if position.is_dead() {
            Some("insufficient material")
        } else {
            None
        }
    }
}

/// The endings that a spec names.
fn scope_of(spec: &Spec) -> Result<Option<Scope>, TextError> {
    let at = spec.name.len() + 1;
    let men = spec.parsed::<u32>("men", "a number of men from 3 to 6")?;
    let mut words = spec.options.iter().filter(|(key, _)| key.is_empty());
    match (words.next(), men) {
        (None, None) => Ok(None),
        (None, Some(men)) => Scope::men(men).map(Some).ok_or_else(|| {
            TextError::new(at, "a number of men from 3 to 6 for 'men'", men.to_string())
        }),
        (Some((_, word)), None) if words.next().is_none() => {
            let material = Material::parse(word).map_err(|mut e| {
                e.byte += at;
                e
            })?;
            Ok(Some(Scope::Material(material)))
        }
        _ => Err(TextError::new(at, "one ending such as KRvKN, or 'men' alone", "several")),
    }
}

impl Default for Chess {
    fn default() -> Chess {
        Chess::new()
    }
}

impl Game for Chess {
    type Position = Position;
    type Move = Move;

    fn spec(&self) -> String {
        let mut spec = Spec { name: "chess".into(), options: Vec::new() };
        match self.start {
            Start::Usual | Start::Ending => {}
            Start::Chess960(number) => spec.options.push(("960".into(), number.to_string())),
            Start::Other => spec.options.push(("start".into(), fen::write(&self.position))),
        }
        match self.scope {
            None => {}
            Some(Scope::Material(material)) => {
                spec.options.insert(0, (String::new(), material.to_string()));
            }
            Some(Scope::Men(men)) => spec.options.insert(0, ("men".into(), men.to_string())),
        }
        if self.draws == Draws::Claimed {
            spec.options.push(("draws".into(), "claimed".into()));
        }
        spec.to_string()
    }

    fn title(&self) -> String {
        match (self.start, self.scope) {
            (Start::Chess960(number), _) => format!("Chess960, position {number}"),
            (_, Some(Scope::Material(material))) => format!("Chess ending {material}"),
            (_, Some(Scope::Men(men))) => format!("Chess endings of up to {men} men"),
            _ => "Chess".into(),
        }
    }

    fn start(&self) -> Position {
        self.position.clone()
    }

    fn to_move(&self, position: &Position) -> Side {
        side_of(position.color())
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if !position.has_moves() {
            return Some(if position.in_check() {
                Outcome::win(side_of(!position.color()), "checkmate")
            } else {
                Outcome::draw("stalemate")
            });
        }
        self.is_drawn(position).map(Outcome::draw)
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if self.is_drawn(position).is_none() {
            position.board().generate_moves(|moves| {
                out.extend(moves);
                false
            });
        }
    }

    fn play(&self, position: &mut Position, mv: Move) {
        position.play(mv);
        if self.scope.is_some() {
            *position = position.clone().without_clocks();
        }
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        uci::write(position, mv, self.is_chess960())
    }

    fn show_move(&self, position: &Position, mv: Move) -> String {
        crate::san::write(position, mv)
    }
    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        if self.is_drawn(position).is_some() {
            return Err(TextError::new(0, "no move, the game is drawn", fen::quote(text)));
        }
        if uci::shape(text).is_some() {
            uci::parse(position, text)
        } else {
            san::parse(position, text)
        }
    }

    fn write_position(&self, position: &Position) -> String {
        fen::write(position)
    }

    /// Also takes a line of EPD, of which it reads the position and its clocks alone. Operations
    /// end with a semicolon; other text after a FEN is an error.
    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        let position =
            if text.contains(';') { epd::parse(text)?.position } else { fen::parse(text)? };
        match self.scope {
            None => Ok(position),
            Some(scope) => endings::confine(scope, position),
        }
    }

    fn picture(&self, position: &Position) -> Picture {
        let squares = Rank::ALL
            .into_iter()
            .rev()
            .flat_map(|rank| File::ALL.into_iter().map(move |file| Square::new(file, rank)));
        let cells = squares.map(|square| cell(position, square)).collect();
        Picture { chequered: true, ..Picture::grid(8, 8, cells, false) }
    }

    fn move_cells(&self, position: &Position, mv: Move) -> Vec<usize> {
        let to = if self.is_chess960() { mv.to } else { uci::target(position, mv) };
        vec![cell_index(mv.from), cell_index(to)]
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn repetition(&self) -> Repetition {
        match self.draws {
            Draws::Automatic => Repetition::Draw(3),
            Draws::Claimed => Repetition::Allowed,
        }
    }

    fn reversible_plies(&self, position: &Position) -> usize {
        if self.scope.is_some() { usize::MAX } else { usize::from(position.clock()) }
    }

    /// Counts by the moves alone, as published counts do: draw rules end nothing.
    fn perft(&self, position: &Position, depth: u32) -> u64 {
        perft::count(position.board(), depth)
    }
}

/// Where a square stands in the picture: a8 first, h1 last.
fn cell_index(square: Square) -> usize {
    (7 - square.rank() as usize) * 8 + square.file() as usize
}

fn cell(position: &Position, square: Square) -> Cell {
    let board = position.board();
    let (Some(piece), Some(color)) = (board.piece_on(square), board.color_on(square)) else {
        return Cell { owner: Owner::Empty, glyph: ' ', letter: '.' };
    };
    let glyphs = match color {
        Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
        Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
    };
    let letter = match color {
        Color::White => fen::letter(piece),
        Color::Black => char::from(piece),
    };
    let order = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
    let index = order.iter().position(|&p| p == piece).unwrap_or(0);
    Cell { owner: Owner::Piece(side_of(color)), glyph: glyphs[index], letter }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Line;

    fn outcome(text: &str) -> Option<Outcome> {
        let chess = Chess::new();
        let position = chess.read_position(text).unwrap();
        let mut moves = Vec::new();
        chess.moves(&position, &mut moves);
        let outcome = chess.outcome(&position);
        assert_eq!(moves.is_empty(), outcome.is_some(), "{text}");
        outcome
    }

    #[test]
    fn the_ends_of_a_game_are_told_with_their_reason() {
        let mate = outcome("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        assert_eq!(mate, Outcome::win(Side::First, "checkmate"));
        for (text, reason) in [
            ("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", "stalemate"),
            ("4k3/8/8/8/8/8/8/R3K3 b - - 100 80", "fifty-move rule"),
            ("4k3/8/8/8/8/8/8/B3K3 b - - 3 80", "insufficient material"),
        ] {
            assert_eq!(outcome(text), Some(Outcome::draw(reason)), "{text}");
        }
        assert_eq!(outcome("4k3/8/8/8/8/8/8/R3K3 b - - 99 80"), None);
        assert_eq!(outcome(fen::START), None);
    }

    #[test]
    fn a_mate_on_the_hundredth_ply_wins() {
        let mate = outcome("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 90").unwrap();
        assert_eq!(mate.reason, "checkmate");
    }

    #[test]
    fn claimed_draws_end_nothing() {
        let chess = Chess::new().with_draws(Draws::Claimed);
        let mut line = Line::new(chess.clone());
        for mv in ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle().take(120) {
            line.play_text(mv).unwrap();
        }
        assert_eq!(line.outcome(), None);
        assert_eq!(line.position().clock(), 120);
        let dead = fen::parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(chess.outcome(&dead), None);
    }

    #[test]
    fn the_third_occurrence_of_a_position_is_a_draw() {
        let mut line = Line::new(Chess::new());
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8", "Nf3", "Nf6", "Ng1"] {
            line.play_text(mv).unwrap();
            assert_eq!(line.outcome(), None);
        }
        line.play_text("f6g8").unwrap();
        assert_eq!(line.outcome().unwrap().reason, "repetition");
        assert!(line.play_text("e4").unwrap_err().expected.contains("repetition"));
    }

    #[test]
    fn specs_open_the_same_game_again() {
        for text in ["chess", "chess:960=5", "chess:draws=claimed", "chess:960=900,draws=claimed"] {
            let chess = Chess::from_spec(&Spec::parse(text).unwrap()).unwrap();
            assert_eq!(Game::spec(&chess), text);
        }
        let text = "chess:start=4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        let chess = Chess::from_spec(&Spec::parse(text).unwrap()).unwrap();
        assert_eq!(Game::spec(&chess), text);
        for bad in ["chess:960=960", "chess:960=x", "chess:start=x", "chess:draws=no", "chess:x=1"]
        {
            assert!(Chess::from_spec(&Spec::parse(bad).unwrap()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_line_of_epd_is_a_position() {
        let chess = Chess::new();
        let fields = "4k3/8/8/8/8/8/8/R3K3 w Q -";
        let plain = chess.read_position(fields).unwrap();
        for rest in [r#" bm Ra8+; id "x; y";"#, " ;D1 16 ;D2 80", " 0 1 ; D1 16", " ;"] {
            assert_eq!(chess.read_position(&format!("{fields}{rest}")).unwrap(), plain, "{rest}");
        }
        let clocks = chess.read_position(&format!("{fields} hmvc 7; fmvn 30;")).unwrap();
        assert_eq!(chess.write_position(&clocks), format!("{fields} 7 30"));
        assert!(chess.read_position(&format!("{fields} 0 1 bm Ra8+")).is_err());
        assert!(chess.read_position(&format!("{fields} \"bm;")).is_err());
    }

    #[test]
    fn the_picture_is_chequered_with_row_eight_on_top() {
        let chess = Chess::new();
        let picture = chess.picture(&chess.start());
        assert!(picture.chequered);
        assert!(picture.letters().starts_with("rnbqkbnr\npppppppp\n........\n"));
        assert!(picture.letters().ends_with("RNBQKBNR"));
        assert_eq!(picture.row_labels[0], "8");
        assert_eq!(picture.cells[0].glyph, '♜');
        let mv = chess.read_move(&chess.start(), "e2e4").unwrap();
        assert_eq!(chess.move_cells(&chess.start(), mv), [52, 36]);
    }

    #[test]
    fn castling_in_chess960_is_king_takes_rook() {
        let chess = Chess::chess960(518).unwrap();
        let mut line = Line::new(chess);
        for mv in ["e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5", "O-O"] {
            line.play_text(mv).unwrap();
        }
        assert_eq!(line.move_texts().last().unwrap(), "e1h1");
        let mut usual = Line::new(Chess::new());
        for mv in line.move_texts() {
            usual.play_text(&mv).unwrap();
        }
        assert_eq!(usual.move_texts().last().unwrap(), "e1g1");
        assert_eq!(usual.position(), line.position());
    }
}

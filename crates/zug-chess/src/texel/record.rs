//! How is one labelled position written in 32 bytes?
//!
//! ```text
//!  0.. 8  the occupied squares, a bit each, a1 the lowest
//!  8..24  the man on each of them in that order, half a byte each, the lower half first:
//!         0 pawn … 5 king, 6 a rook with the right to castle; 8 added for Black; 0 past the last
//! 24      bit 0: Black is to move; bits 1-2: White's result in half points (0, 1, 2);
//!         bits 3-6: 0, or the file of an en passant square + 1; bit 7: there is a search score
//! 25      plies since the last capture or pawn move, at most 100
//! 26..28  the score of a search in hundredths of a pawn for White, 0 where there is none
//! 28..32  the number of the game
//! ```
//!
//! One position has one image: what is not canonical is refused, so that files can be compared.

use cozy_chess::{BitBoard, Board, BoardBuilder, Color, File, Piece, Rank, Square};

/// Bytes of an example.
pub const BYTES: usize = 32;

/// A rook that may castle.
const CASTLING_ROOK: u8 = 6;
const BLACK: u8 = 8;

/// How a game ended, for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum GameResult {
    /// White lost.
    Lost = 0,
    /// Nobody won.
    Drawn = 1,
    /// White won.
    Won = 2,
}

impl GameResult {
    /// From worst to best for White.
    pub const ALL: [GameResult; 3] = [GameResult::Lost, GameResult::Drawn, GameResult::Won];

    /// White's points: 0, 0.5 or 1.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    /// The result of a game that this colour has won; a draw for `None`.
    #[must_use]
    pub fn of_winner(winner: Option<Color>) -> GameResult {
        match winner {
            None => GameResult::Drawn,
            Some(Color::White) => GameResult::Won,
            Some(Color::Black) => GameResult::Lost,
        }
    }
}

/// A labelled position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The position; its move number is not kept.
    pub board: Board,
    /// The result of its game.
    pub result: GameResult,
    /// What a search thought of it: hundredths of a pawn for White.
    pub score: Option<i16>,
    /// The number of its game, by which examples are dealt to folds.
    pub game: u32,
}

/// Games are dealt out to so many folds.
pub const FOLDS: u8 = 20;

/// The fold of a game.
#[must_use]
pub fn fold_of(game: u32) -> u8 {
    (zug_core::seed::mix(u64::from(game) + 1) % u64::from(FOLDS)) as u8
}

/// Writes an example.
#[must_use]
pub fn encode(example: &Example) -> [u8; BYTES] {
    let board = &example.board;
    let mut out = [0; BYTES];
    out[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (i, square) in board.occupied().iter().enumerate().take(32) {
        let piece = board.piece_on(square).expect("the square is occupied");
        let color = board.color_on(square).expect("the square is occupied");
        let mut code = piece as u8;
        if may_castle(board, square, piece, color) {
            code = CASTLING_ROOK;
        }
        if color == Color::Black {
            code += BLACK;
        }
        out[8 + i / 2] |= code << (i % 2 * 4);
    }
    let black = u8::from(board.side_to_move() == Color::Black);
    let en_passant = board.en_passant().map_or(0, |file| file as u8 + 1);
    let scored = u8::from(example.score.is_some());
    out[24] = black | (example.result as u8) << 1 | en_passant << 3 | scored << 7;
    out[25] = board.halfmove_clock().min(100);
    out[26..28].copy_from_slice(&example.score.unwrap_or(0).to_le_bytes());
    out[28..].copy_from_slice(&example.game.to_le_bytes());
    out
}

fn may_castle(board: &Board, square: Square, piece: Piece, color: Color) -> bool {
    let rights = board.castle_rights(color);
    piece == Piece::Rook
        && square.rank() == Rank::First.relative_to(color)
        && (rights.short == Some(square.file()) || rights.long == Some(square.file()))
}

/// Reads an example; the error says what is wrong with it.
pub fn decode(bytes: &[u8; BYTES]) -> Result<Example, String> {
    let number =
        |range: std::ops::Range<usize>| -> [u8; 4] { bytes[range].try_into().expect("four bytes") };
    let occupied = BitBoard(u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")));
    let men = occupied.len() as usize;
    if !(2..=32).contains(&men) {
        return Err(format!("expected 2 to 32 men, found {men}"));
    }
    let mut builder = BoardBuilder::empty();
    let mut castling = [BitBoard::EMPTY; 2];
    for (i, square) in occupied.iter().enumerate() {
        let code = bytes[8 + i / 2] >> (i % 2 * 4) & 15;
        let color = if code & BLACK == 0 { Color::White } else { Color::Black };
        let piece = match code & 7 {
            CASTLING_ROOK => {
                castling[color as usize] |= square.bitboard();
                Piece::Rook
            }
            7 => return Err(format!("expected a man on {square}, found code {code}")),
            kind => Piece::index(usize::from(kind)),
        };
        builder.board[square as usize] = Some((piece, color));
    }
    let unused = (men..32).any(|i| bytes[8 + i / 2] >> (i % 2 * 4) & 15 != 0);
    if unused {
        return Err("there are men without a square".into());
    }
    for color in Color::ALL {
        grant_castling(&mut builder, color, castling[color as usize])?;
    }
    let flags = bytes[24];
    builder.side_to_move = if flags & 1 == 0 { Color::White } else { Color::Black };
    let result = match flags >> 1 & 3 {
        0 => GameResult::Lost,
        1 => GameResult::Drawn,
        2 => GameResult::Won,
        _ => return Err("expected a result of 0, 1 or 2 half points, found 3".into()),
    };
    builder.en_passant = match flags >> 3 & 15 {
        0 => None,
        file @ 1..=8 => {
            let rank = Rank::Sixth.relative_to(builder.side_to_move);
            Some(Square::new(File::index(usize::from(file) - 1), rank))
        }
        file => return Err(format!("expected an en passant file up to 8, found {file}")),
    };
    builder.halfmove_clock = bytes[25];
    let score = i16::from_le_bytes([bytes[26], bytes[27]]);
    if flags >> 7 == 0 && score != 0 {
        return Err("there is a score where none is announced".into());
    }
    let board = builder.build().map_err(|e| e.to_string())?;
    let game = u32::from_le_bytes(number(28..32));
    Ok(Example { board, result, score: (flags >> 7 == 1).then_some(score), game })
}

/// Gives a colour the right to castle with these rooks.
fn grant_castling(builder: &mut BoardBuilder, color: Color, rooks: BitBoard) -> Result<(), String> {
    let back = Rank::First.relative_to(color);
    let is_king = |s: &Square| builder.board[*s as usize] == Some((Piece::King, color));
    let king = Square::ALL.into_iter().find(is_king);
    for rook in rooks {
        let Some(king) = king.filter(|k| k.rank() == back && rook.rank() == back) else {
            return Err(format!(
                "expected king and castling rook on one row, found a rook on {rook}"
            ));
        };
        let rights = &mut builder.castle_rights[color as usize];
        let right = if rook.file() > king.file() { &mut rights.short } else { &mut rights.long };
        if right.replace(rook.file()).is_some() {
            return Err("two rooks have the same right to castle".into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn board(text: &str) -> Board {
        crate::fen::parse(text).unwrap().board().clone()
    }

    fn example(text: &str) -> Example {
        Example { board: board(text), result: GameResult::Won, score: Some(-35), game: 7 }
    }

    #[test]
    fn an_example_is_thirty_two_bytes_and_comes_back() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "8/8/4k3/8/8/3K4/8/8 w - - 99 1",
            // Chess960: the right belongs to the inner of two rooks.
            "4k3/8/8/8/8/8/8/R1RK3R w CH - 0 1",
        ] {
            let example = example(text);
            let again = decode(&encode(&example)).unwrap();
            assert_eq!(
                again.board.castle_rights(Color::White),
                example.board.castle_rights(Color::White)
            );
            assert_eq!(again, example, "{text}");
        }
        let unscored = Example { score: None, ..example("8/8/4k3/8/8/3K4/8/8 w - - 9 1") };
        assert_eq!(decode(&encode(&unscored)), Ok(unscored));
    }

    #[test]
    fn what_is_no_position_is_refused_in_words() {
        let good = encode(&example("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"));
        let broken = |at: usize, value: u8| {
            let mut bytes = good;
            bytes[at] = value;
            decode(&bytes).unwrap_err()
        };
        assert!(broken(0, 255).contains("board"), "men from nowhere");
        assert!(broken(8, 7).contains("code 7"));
        assert!(broken(23, 1).contains("without a square"));
        assert!(broken(24, 0b0000_0110).contains("half points"));
        assert!(broken(24, 0b0111_1000).contains("en passant file"));
        assert!(broken(24, 0b0000_0001).contains("score"));
        assert!(broken(25, 101).contains("clock"));
        assert!(decode(&[0; BYTES]).unwrap_err().contains("found 0"));
        assert!(decode(&[255; BYTES]).unwrap_err().contains("found 64"));
    }

    #[test]
    fn folds_are_dealt_evenly() {
        let mut counts = [0; FOLDS as usize];
        (0..20_000).for_each(|game| counts[usize::from(fold_of(game))] += 1);
        assert!(counts.iter().all(|c| (850..1150).contains(c)), "{counts:?}");
    }

    proptest! {
        #[test]
        fn positions_of_random_games_come_back(
            choices in prop::collection::vec(any::<u16>(), 0..160),
            start in 0_u32..960,
            score in proptest::option::of(any::<i16>()),
            game in any::<u32>(),
        ) {
            let mut board = Board::chess960_startpos(start);
            for choice in choices {
                let mut moves = Vec::new();
                board.generate_moves(|set| { moves.extend(set); false });
                if moves.is_empty() || board.halfmove_clock() >= 100 { break; }
                board.play(moves[usize::from(choice) % moves.len()]);
                let result = GameResult::ALL[usize::from(choice) % 3];
                let mut bare = board.clone();
                bare.set_fullmove_number(1);
                let example = Example { board: bare, result, score, game };
                prop_assert_eq!(decode(&encode(&example)), Ok(example));
            }
        }

        #[test]
        fn changed_bytes_are_an_example_or_an_error_and_have_one_image(
            changes in prop::collection::vec((0..BYTES, any::<u8>()), 0..4),
            start in 0_u32..960,
        ) {
            let board = Board::chess960_startpos(start);
            let example = Example { board, result: GameResult::Drawn, score: Some(3), game: 1 };
            let mut bytes = encode(&example);
            changes.iter().for_each(|&(at, value)| bytes[at] = value);
            if let Ok(example) = decode(&bytes) {
                prop_assert_eq!(encode(&example), bytes);
            }
        }
    }
}

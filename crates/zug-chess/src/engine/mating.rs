//! How near is mate, where only the way to it is missing?
//!
//! An evaluation of single factors sees in these endings that one side is far ahead, but not how a
//! win comes nearer: the lone king is driven to the edge, with bishop and knight to a corner of the
//! bishop's colour, and the other king helps. [`value`] says so for a bare king against enough
//! material to mate it, and for queen against rook.

use crate::eval::parameters::EXCHANGE;
use crate::position::DARK_SQUARES;
use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square};

/// What a bare king costs besides the material: more than any position where both sides have
/// something left, so that the last man is taken.
const BARE: i32 = 1000;
/// A queen against a rook: less than a queen against nothing, more than most of what leads there.
const QUEEN_AGAINST_ROOK: i32 = 700;
/// Each step from the middle, and each step towards the right corner. Steep slopes do worse: what
/// leads over a hill is pruned.
const EDGE: i32 = 9;
const CORNER: i32 = 12;
/// Each step of one king towards the other.
const NEAR: i32 = 3;
/// Each rank that a pawn has gone.
const PAWN_RANK: i32 = 20;

/// The value for the side to move, in hundredths of a pawn, where one side only has to find the
/// mate; `None` everywhere else.
#[must_use]
pub fn value(board: &Board) -> Option<i32> {
    let [white, black] = [Color::White, Color::Black].map(|color| board.colors(color).len());
    let (strong, value) = match (white, black) {
        (1, 1) => return None,
        (_, 1) => (Color::White, against_bare_king(board, Color::White)?),
        (1, _) => (Color::Black, against_bare_king(board, Color::Black)?),
        (2, 2) => {
            let strong = queen_against_rook(board)?;
            (strong, QUEEN_AGAINST_ROOK + EDGE * from_middle(board.king(!strong)))
        }
        _ => return None,
    };
    let value = value + NEAR * (14 - steps(board.king(Color::White), board.king(Color::Black)));
    Some(if board.side_to_move() == strong { value } else { -value })
}

fn against_bare_king(board: &Board, strong: Color) -> Option<i32> {
    let men = |piece| board.colored_pieces(strong, piece);
    let bishops = men(Piece::Bishop);
    let heavy = !(men(Piece::Queen) | men(Piece::Rook)).is_empty();
    let pair = !(bishops & DARK_SQUARES).is_empty() && !(bishops - DARK_SQUARES).is_empty();
    let king = board.king(!strong);
    let corner = if heavy || pair {
        0
    } else if !bishops.is_empty() && !men(Piece::Knight).is_empty() {
        CORNER * from_wrong_corners(king, bishops)
    } else {
        return None;
    };
    let driven = EDGE * from_middle(king) + corner;
    let material: i32 = Piece::ALL[..Piece::King as usize]
        .iter()
        .map(|&piece| EXCHANGE[piece as usize] * men(piece).len() as i32)
        .sum();
    let ranks: i32 = men(Piece::Pawn)
        .into_iter()
        .map(|square| square.rank().relative_to(strong) as i32 - Rank::Second as i32)
        .sum();
    Some(BARE + material + PAWN_RANK * ranks + driven)
}

/// Who has a queen and nothing else, against a rook and nothing else?
fn queen_against_rook(board: &Board) -> Option<Color> {
    let (queens, rooks) = (board.pieces(Piece::Queen), board.pieces(Piece::Rook));
    if queens.len() != 1 || rooks.len() != 1 {
        return None;
    }
    Color::ALL.into_iter().find(|&color| {
        !(queens & board.colors(color)).is_empty() && !(rooks & board.colors(!color)).is_empty()
    })
}

/// Steps along files and ranks from the four squares in the middle: 6 in a corner.
fn from_middle(square: Square) -> i32 {
    let off = |line: i32| (2 * line - 7).abs() / 2;
    off(square.file() as i32) + off(square.rank() as i32)
}

/// Lines crossed on the way from the diagonal between the corners that the bishop does not attack
/// to one that it does: 7 there.
fn from_wrong_corners(square: Square, bishops: BitBoard) -> i32 {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    if (bishops & DARK_SQUARES).is_empty() { (file - rank).abs() } else { (file + rank - 7).abs() }
}

/// Steps along files and ranks between two squares.
fn steps(a: Square, b: Square) -> i32 {
    (a.file() as i32 - b.file() as i32).abs() + (a.rank() as i32 - b.rank() as i32).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;
    use cozy_chess::BoardBuilder;

    fn of(text: &str) -> Option<i32> {
        value(fen::parse(text).unwrap().board())
    }

    /// What White's pieces are worth, with the kings on e4 and here, and Black to move.
    fn with(pieces: &[(Square, Piece)], king: Square) -> i32 {
        let mut builder = BoardBuilder::empty();
        *builder.square_mut(Square::E4) = Some((Piece::King, Color::White));
        *builder.square_mut(king) = Some((Piece::King, Color::Black));
        for &(square, piece) in pieces {
            *builder.square_mut(square) = Some((piece, Color::White));
        }
        builder.side_to_move = Color::Black;
        -value(&builder.build().unwrap()).unwrap()
    }

    #[test]
    fn bishop_and_knight_want_the_king_in_a_corner_of_the_bishops_colour() {
        for (bishop, right, wrong) in [
            (Square::B2, [Square::H8, Square::A1], [Square::A8, Square::H1]),
            (Square::B1, [Square::A8, Square::H1], [Square::H8, Square::A1]),
        ] {
            let men = [(bishop, Piece::Bishop), (Square::E5, Piece::Knight)];
            for (right, wrong) in right.into_iter().zip(wrong) {
                assert!(with(&men, right) > with(&men, wrong) + 40);
            }
            assert!(with(&men, right[0]) > with(&men, Square::F8));
            assert!(with(&men, Square::F8) > with(&men, Square::F7));
        }
    }

    #[test]
    fn other_pieces_want_the_king_at_the_edge_and_the_kings_together() {
        let rook = |king| with(&[(Square::A3, Piece::Rook)], king);
        assert!(rook(Square::E8) > rook(Square::E7) && rook(Square::E7) > rook(Square::D6));
        let near = of("4k3/8/4K3/8/8/8/8/R7 w - - 0 1");
        assert!(near > of("4k3/8/8/4K3/8/8/8/R7 w - - 0 1"));
    }

    #[test]
    fn both_colours_are_worth_the_same_and_each_side_sees_it_from_its_own() {
        for (white, black) in [
            ("4k3/8/8/8/8/5K2/8/1B3N2 w - - 0 1", "1b3n2/8/5k2/8/8/8/8/4K3 b - - 0 1"),
            ("3rk3/8/8/8/8/8/8/3QK3 w - - 0 1", "3qk3/8/8/8/8/8/8/3RK3 b - - 0 1"),
            ("8/3P4/8/7k/8/8/8/R3K3 w - - 0 1", "r3k3/8/8/8/7K/8/3p4/8 b - - 0 1"),
        ] {
            let seen = of(white).unwrap();
            assert!(seen > 0 && Some(seen) == of(black), "{white}");
            assert_eq!(of(&white.replace(" w ", " b ")), Some(-seen), "{white}");
        }
    }

    #[test]
    fn what_is_not_won_by_driving_a_king_is_left_to_the_evaluation() {
        for text in [
            "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
            "4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/4p3/8/8/8/8/8/R3K3 w - - 0 1",
            "4k3/8/8/8/8/8/4P3/1N2K3 w - - 0 1",
            "q3k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
            "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            fen::START,
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn more_material_and_a_pawn_nearer_its_goal_are_worth_more() {
        let rook = of("6k1/8/8/8/8/8/8/R3K3 w - - 0 1");
        let pawn = of("6k1/8/8/8/8/8/3P4/R3K3 w - - 0 1");
        let queen = of("6k1/8/8/8/8/8/8/Q3K3 w - - 0 1");
        assert!(rook < pawn && pawn < of("6k1/3P4/8/8/8/8/8/R3K3 w - - 0 1") && pawn < queen);
        assert!(of("3rk3/8/8/8/8/8/8/3QK3 w - - 0 1") < rook);
    }
}

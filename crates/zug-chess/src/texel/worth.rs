//! What is a man worth? The unit of a fitted model.
//!
//! A fit gives weights in log-odds. What a man is worth there is spread over many factors: its
//! kind, its square, its reach, what it guards. So it is asked of the whole: by how much does the
//! value fall, on average over positions of the data, when the man is taken off the board? The unit
//! is chosen such that a pawn is worth 100 in this sense. (In early fits to games of players that
//! know nothing a pawn may be worth next to nothing; it then counts as at least a fifteenth of a
//! queen, so that there is a scale.)

use crate::model::Model;
use crate::types::Scheme;
use cozy_chess::{Board, BoardBuilder, Color, Piece, Square};
use rayon::prelude::*;

/// What men are worth on average, pawn to queen, in the unit of the model; zero for a kind that no
/// board has.
#[must_use]
pub fn of_men(model: &Model, boards: &[Board]) -> [f64; 5] {
    let sums: Vec<[(f64, u64); 5]> = boards
        .par_iter()
        .enumerate()
        .map(|(number, board)| {
            let mut sums = [(0.0, 0); 5];
            let value = model.value(board);
            for color in Color::ALL {
                for (kind, sum) in Piece::ALL.into_iter().zip(&mut sums) {
                    let men: Vec<Square> = board.colored_pieces(color, kind).iter().collect();
                    if men.is_empty() {
                        continue;
                    }
                    // Another man each time, without dice.
                    let square = men[number % men.len()];
                    if let Some(without) = without(board, square) {
                        let loss = value - model.value(&without);
                        sum.0 += if color == Color::White { loss } else { -loss };
                        sum.1 += 1;
                    }
                }
            }
            sums
        })
        .collect();
    std::array::from_fn(|kind| {
        let sum = |at: (f64, u64), s: &[(f64, u64); 5]| (at.0 + s[kind].0, at.1 + s[kind].1);
        let (sum, count) = sums.iter().fold((0.0, 0), sum);
        if count == 0 { 0.0 } else { sum / count as f64 }
    })
}

/// The board without a man, if that is a position.
fn without(board: &Board, square: Square) -> Option<Board> {
    let mut builder = BoardBuilder::from_board(board);
    let (piece, color) = builder.board[square as usize].take()?;
    builder.en_passant = None;
    if piece == Piece::Rook {
        let rights = &mut builder.castle_rights[color as usize];
        for right in [&mut rights.short, &mut rights.long] {
            if *right == Some(square.file()) {
                *right = None;
            }
        }
    }
    builder.build().ok()
}

/// A model from weights in log-odds, in hundredths of a pawn; and how many log-odds a pawn is.
#[must_use]
pub fn in_pawns(scheme: Scheme, log_odds: &[f64], boards: &[Board]) -> Option<(Model, f64)> {
    let raw = Model::new(scheme, log_odds.iter().map(|&w| w as f32).collect())?;
    let men = of_men(&raw, boards);
    let unit = men[0].max(men[4] / 15.0);
    let unit = if unit > 1e-6 { unit } else { 1.0 };
    let weights = log_odds.iter().map(|&w| (w * 100.0 / unit) as f32).collect();
    Some((Model::new(raw.scheme, weights)?, unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factors;
    use crate::model::Start;

    fn boards() -> Vec<Board> {
        let texts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R3K2R b KQkq - 0 1",
            "8/5k2/4p3/8/3KP3/8/8/8 w - - 0 1",
        ];
        texts.iter().map(|t| crate::fen::parse(t).unwrap().board().clone()).collect()
    }

    #[test]
    fn material_alone_is_found_as_it_is_and_scaled_to_a_pawn() {
        let mut model = Model::start(Scheme::One, Start::Zero);
        for (piece, weight) in [("pawn", 0.5), ("knight", 1.5), ("rook", 2.5), ("queen", 5.0)] {
            model.weights[factors::find(&format!("material/{piece}")).unwrap()] = weight;
        }
        let worth = of_men(&model, &boards());
        assert_eq!(worth, [0.5, 1.5, 0.0, 2.5, 5.0]);
        let log_odds: Vec<f64> = model.weights.iter().map(|&w| f64::from(w)).collect();
        let (scaled, unit) = in_pawns(Scheme::One, &log_odds, &boards()).unwrap();
        assert!((unit - 0.5).abs() < 1e-9);
        assert!((of_men(&scaled, &boards())[4] - 1000.0).abs() < 1e-3);
        let nothing = vec![0.0; log_odds.len()];
        assert_eq!(in_pawns(Scheme::One, &nothing, &boards()).unwrap().1, 1.0);
    }
}

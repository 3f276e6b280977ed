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

/// Positions of all phases of the game, for models whose data are not at hand: some of our own
/// making, and those a quiet move later.
#[must_use]
pub fn sample() -> Vec<Board> {
    let mut all = Vec::new();
    for board in SAMPLE.iter().filter_map(|text| Board::from_fen(text, false).ok()) {
        let mut number = 0;
        board.generate_moves(|moves| {
            for mv in moves {
                number += 1;
                let quiet = board.color_on(mv.to).is_none() && mv.promotion.is_none();
                if quiet && number % 3 == 0 {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    all.push(after);
                }
            }
            false
        });
        all.push(board);
    }
    all
}

const SAMPLE: [&str; 18] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1BN1PN2/PP2QPPP/R1BR2K1 w - - 0 12",
    "r1b2rk1/pp1nqppp/2pbpn2/3p4/2PP4/2NBPN2/PPQ2PPP/R1B2RK1 w - - 4 10",
    "2r3k1/1q3pp1/p3p2p/1p1pP3/3P1P2/1P1Q3P/P5P1/2R3K1 b - - 1 27",
    "8/5pk1/4p1p1/3pP2p/p2P3P/P4PP1/5K2/8 w - - 0 41",
    "8/8/4k3/3n4/8/2B1K3/5P2/8 w - - 12 60",
    "3r2k1/pp3p1p/2p3p1/4n3/4P1q1/2NQ2P1/PPP2P1P/4R1K1 w - - 2 22",
    "r3k2r/pb1q1ppp/1p1bpn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 b kq - 5 10",
    "r1b2rk1/p1pn1ppp/5n2/1Pq1p3/1b6/1PNP2N1/1BPQ1PPP/R3KB1R b KQ - 9 11",
    "1r2n1k1/p1p2ppp/3r4/2q1p1PP/1b2P3/1PN2P2/1BP5/2KRQ2R b - - 0 21",
    "8/8/2k1p3/2RpP3/PK1P4/7r/8/8 b - - 10 44",
    "r2q1rk1/pbppbp1p/np4p1/3pP3/3N4/PP1B4/1BPP1PPP/R2QK2R b KQ - 1 11",
    "1r3r1k/7p/p2p2p1/1bp5/3p3q/3PR1N1/1B1P3P/R1Q3K1 b - - 3 31",
    "2r3k1/1pr2p1p/6p1/8/P2Q1P2/P2P1Bq1/4P3/1K1R2R1 b - - 1 31",
    "r4rk1/pp3pp1/2p1bn1p/4p3/4P3/1BP2N1P/PP3PP1/R4RK1 w - - 0 17",
    "r1br2k1/pp3ppp/2p2n2/2b1p3/4P3/2NP2P1/PPP1BP1P/R1B1K2R b KQ - 0 11",
    "1R6/p4ppk/2pB3p/8/P1P1b3/2b2PP1/2r4P/1K1R4 b - - 10 31",
];

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
    fn the_sample_is_whole_and_holds_every_kind_of_man_in_all_phases() {
        let boards = sample();
        assert!(SAMPLE.iter().all(|text| Board::from_fen(text, false).is_ok()));
        assert!(boards.len() > 100, "{}", boards.len());
        let men = |b: &Board| b.occupied().len();
        assert!(boards.iter().any(|b| men(b) < 8) && boards.iter().any(|b| men(b) > 28));
        // By material alone it does not matter where men stand.
        let model = Model::start(Scheme::One, Start::KnightCap1);
        let material = |kind: &str| f64::from(model.weights[factors::find(kind).unwrap()]);
        let worth = of_men(&model, &boards);
        assert!((worth[4] - material("material/queen")).abs() < 1e-6, "{worth:?}");
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

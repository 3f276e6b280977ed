//! Which weights does learning begin with?

use super::Model;
use crate::factors::FACTORS;
use crate::factors::layout::*;
use crate::types::{Scheme, Zones};

/// A choice of first weights; every column gets the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The hand-set weights of the thesis as far as they are known, and ours where they are lost.
    Thesis,
    /// KnightCap's first experiment: pawn 1, knight and bishop 4, rook 6, queen 12, all else 0.
    KnightCap1,
    /// KnightCap's second experiment: every weight is one pawn.
    KnightCap2,
    /// Everything 0.
    Zero,
}

impl Start {
    /// All choices.
    pub const ALL: [Start; 4] = [Start::Thesis, Start::KnightCap1, Start::KnightCap2, Start::Zero];

    /// The word by which it is chosen.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Start::Thesis => "thesis",
            Start::KnightCap1 => "knightcap1",
            Start::KnightCap2 => "knightcap2",
            Start::Zero => "zero",
        }
    }

    /// One line about it.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Start::Thesis => {
                "first weights: set by hand as in the thesis, 33 types that are all equal"
            }
            Start::KnightCap1 => "first weights: material alone (1, 4, 4, 6, 12), 4 types",
            Start::KnightCap2 => "first weights: one pawn for every factor, 4 types",
            Start::Zero => "first weights: nothing is worth anything",
        }
    }

    /// The types of positions of a model that is opened by the word alone.
    #[must_use]
    pub fn scheme(self) -> Scheme {
        match self {
            Start::Thesis => Scheme::Thesis(Zones::default()),
            Start::KnightCap1 | Start::KnightCap2 => Scheme::KnightCap,
            Start::Zero => Scheme::One,
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Result<Start, String> {
        Start::ALL.into_iter().find(|start| start.word() == word).ok_or_else(|| {
            let known = Start::ALL.map(Start::word).join(", ");
            let word = zug_core::error::shorten(word);
            format!("there are no first weights '{word}'; known are: {known}")
        })
    }

    /// The weights of one column.
    #[must_use]
    pub fn column(self) -> Vec<f32> {
        let mut weights = vec![0.0; FACTORS];
        match self {
            Start::Zero => {}
            Start::KnightCap1 => {
                for (i, value) in [100.0, 400.0, 400.0, 600.0, 1200.0].into_iter().enumerate() {
                    weights[MATERIAL + 1 + i] = value;
                }
            }
            Start::KnightCap2 => weights.fill(100.0),
            Start::Thesis => thesis(&mut weights),
        }
        weights
    }
}

impl Model {
    /// A model with first weights, the same in every column.
    #[must_use]
    pub fn start(scheme: Scheme, start: Start) -> Model {
        let weights = start.column().repeat(scheme.columns());
        Model { scheme, weights }
    }
}

/// The numbers that survive are from a file in which a pawn was 200; here it is 100, so they are
/// halved. Lost are the second half of the doubled pawns (taken as the mirror image of the first),
/// the last rows of the knights (taken as 0), the square tables of bishops, rooks, queens and
/// kings, and everything about mobility: the tables are set to a flat pull towards the centre, of
/// the size of the known ones, the king is kept at home, and mobility is a twentieth of a pawn for
/// two squares, the queen's nothing, as the thesis advises.
fn thesis(weights: &mut [f32]) {
    const MATERIALS: [f32; 6] = [200.0, 620.0, 650.0, 1000.0, 1800.0, 20_000.0];
    const ISOLATED_PAWNS: [f32; 8] = [-2.0, -3.0, -4.0, -5.0, -5.0, -4.0, -3.0, -2.0];
    const DOUBLED_PAWNS: [f32; 8] = [-10.0, -6.0, -8.0, -10.0, -10.0, -8.0, -6.0, -10.0];
    const PAWN_ROWS: [[f32; 8]; 8] = [
        [0.0; 8],
        [0.0; 8],
        [3.0, 2.0, 6.0, 6.0, 6.0, 6.0, 2.0, 3.0],
        [3.0, 3.0, 8.0, 9.0, 9.0, 6.0, 3.0, 3.0],
        [5.0, 5.0, 9.0, 11.0, 11.0, 9.0, 5.0, 5.0],
        [9.0, 9.0, 11.0, 13.0, 12.0, 11.0, 9.0, 9.0],
        [13.0, 13.0, 14.0, 15.0, 15.0, 14.0, 13.0, 13.0],
        [0.0; 8],
    ];
    const KNIGHT_ROWS: [[f32; 8]; 8] = [
        [-5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -5.0],
        [-1.0, 0.0, 2.0, 3.0, 3.0, 2.0, 0.0, -1.0],
        [-3.0, 1.0, 4.0, 2.0, 2.0, 4.0, 1.0, -3.0],
        [-2.0, 1.0, 3.0, 3.0, 3.0, 3.0, 1.0, -2.0],
        [0.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 0.0],
        [0.0, 1.0, 1.0, 2.0, 2.0, 1.0, 1.0, 0.0],
        [0.0; 8],
        [0.0; 8],
    ];
    for (i, value) in MATERIALS.into_iter().enumerate() {
        weights[MATERIAL + 1 + i] = value / 2.0;
    }
    for file in 0..8 {
        weights[ISOLATED + file] = ISOLATED_PAWNS[file] / 2.0;
        weights[DOUBLED + file] = DOUBLED_PAWNS[file] / 2.0;
    }
    for square in 0..64 {
        let (row, file) = (square / 8, square % 8);
        weights[SQUARES + square] = PAWN_ROWS[row][file] / 2.0;
        weights[KNIGHT_SQUARE + square] = KNIGHT_ROWS[row][file] / 2.0;
        let off = |x: usize| if x < 4 { 3 - x } else { x - 4 };
        let central = 3.0 - (off(row) + off(file)) as f32 / 2.0;
        weights[BISHOP_SQUARE + square] = central / 2.0;
        weights[QUEEN_SQUARE + square] = central / 4.0;
        weights[ROOK_SQUARE + square] = (3 - off(file)) as f32 / 4.0;
        weights[KING_SQUARE + square] = -3.0 * row.min(3) as f32 + off(file) as f32;
    }
    for (first, count, usual) in
        [(KNIGHT_MOBILITY, 9, 4.0), (BISHOP_MOBILITY, 14, 6.0), (ROOK_MOBILITY, 15, 7.0)]
    {
        for n in 0..count {
            weights[first + n] = 2.5 * (n as f32 - usual);
        }
    }
    for rank in 0..6 {
        for file in 0..8 {
            weights[PASSED + 8 * rank + file] = [5.0, 5.0, 8.0, 15.0, 30.0, 50.0][rank];
        }
    }
    weights[BISHOP_PAIR] = 10.0;
    weights[CASTLED] = 10.0;
    weights[CASTLED + 1] = 8.0;
    weights[CASTLING_RIGHT] = 4.0;
    weights[CASTLING_RIGHT + 1] = 3.0;
    weights[UNDEVELOPED] = -4.0;
    weights[EARLY_QUEEN] = -8.0;
    weights[ROOK_SEVENTH] = 5.0;
    for file in 0..8 {
        weights[ROOK_OPEN + file] = 6.0;
        weights[ROOK_HALF_OPEN + file] = 3.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn every_start_is_read_back_from_its_word() {
        for start in Start::ALL {
            assert_eq!(Start::parse(start.word()), Ok(start));
        }
        assert!(Start::parse("magic").unwrap_err().contains("'magic'"));
    }

    #[test]
    fn all_columns_begin_equal() {
        let model = Model::start(Scheme::KnightCap, Start::Thesis);
        for column in 1..4 {
            assert_eq!(model.column(column), model.column(0));
        }
        assert_eq!(model.column(0)[1..7], [100.0, 310.0, 325.0, 500.0, 900.0, 10_000.0]);
        let one = Model::start(Scheme::One, Start::Thesis);
        assert_eq!(model.value(Position::start().board()), one.value(Position::start().board()));
    }
}

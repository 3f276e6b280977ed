//! What is in a file of examples?

use super::record::{FOLDS, fold_of};
use super::{ExampleError, ExampleFile};
use cozy_chess::Color;

/// Counts over a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Examples.
    pub examples: u64,
    /// Games; those of a game stand together.
    pub games: u64,
    /// Examples by White's result: lost, drawn, won.
    pub results: [u64; 3],
    /// Examples with the score of a search.
    pub scored: u64,
    /// The mean of these scores, in hundredths of a pawn for White.
    pub mean_score: f64,
    /// Examples with Black to move.
    pub black_to_move: u64,
    /// Examples by the number of men on the board.
    pub men: [u64; 33],
    /// Examples by fold.
    pub folds: [u64; FOLDS as usize],
}

/// Reads a file through; also a check that every block and every example is sound.
pub fn survey(file: &ExampleFile) -> Result<Statistics, ExampleError> {
    let mut found = Statistics {
        examples: 0,
        games: 0,
        results: [0; 3],
        scored: 0,
        mean_score: 0.0,
        black_to_move: 0,
        men: [0; 33],
        folds: [0; FOLDS as usize],
    };
    let (mut last, mut sum) = (None, 0.0);
    file.for_each(|example| {
        found.examples += 1;
        found.games += u64::from(last != Some(example.game));
        last = Some(example.game);
        found.results[example.result as usize] += 1;
        if let Some(score) = example.score {
            found.scored += 1;
            sum += f64::from(score);
        }
        found.black_to_move += u64::from(example.board.side_to_move() == Color::Black);
        found.men[example.board.occupied().len() as usize] += 1;
        found.folds[usize::from(fold_of(example.game))] += 1;
    })?;
    found.mean_score = if found.scored == 0 { 0.0 } else { sum / found.scored as f64 };
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texel::{Example, ExampleWriter, GameResult};
    use cozy_chess::Board;

    #[test]
    fn everything_is_counted() {
        let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header()).unwrap();
        for (game, score) in [(1, Some(10)), (1, None), (2, Some(30))] {
            let result = if game == 1 { GameResult::Won } else { GameResult::Lost };
            let example = Example { board: Board::startpos(), result, score, game };
            writer.push(&example).unwrap();
        }
        let file = ExampleFile::from_bytes(writer.finish().unwrap()).unwrap();
        let found = survey(&file).unwrap();
        assert_eq!((found.examples, found.games, found.results), (3, 2, [1, 0, 2]));
        assert_eq!((found.scored, found.mean_score, found.men[32]), (2, 20.0, 3));
        assert_eq!(found.folds[usize::from(fold_of(1))] + found.folds[usize::from(fold_of(2))], 3);
    }
}

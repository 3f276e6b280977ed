//! Plain minimax, slow and plainly right: what the fast search is tested against.

use zug_core::{Evaluator, Game, Score};

/// The value of a position for its side to move, `ply` plies below the root, looking `depth` plies
/// ahead. Repetition plays no part.
pub fn minimax<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    depth: u32,
    ply: u32,
) -> Score {
    let side = game.to_move(position);
    if let Some(outcome) = game.outcome(position) {
        return Score::of_outcome(&outcome, side, ply);
    }
    if depth == 0 {
        return Score::estimate(evaluator.evaluate(game, position));
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let value = |mv| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        let value = minimax(game, evaluator, &child, depth - 1, ply + 1);
        if game.to_move(&child) == side { value } else { -value }
    };
    moves.into_iter().map(value).max().unwrap_or(Score::DRAW)
}

//! Where does a look-ahead end, and what is it worth?
//!
//! A plain alpha-beta search to a fixed depth that gives back, beside the move and the value, the
//! position at the end of the line that both sides would play: what TD-Leaf learns from. Sides need
//! not alternate.

use zug_core::{Game, Outcome};

/// Values a position that has not ended, for its side to move, strictly between -1 and 1.
pub trait Value<G: Game> {
    /// The value.
    fn value(&mut self, game: &G, position: &G::Position) -> f64;
}

impl<G: Game, F: FnMut(&G, &G::Position) -> f64> Value<G> for F {
    fn value(&mut self, game: &G, position: &G::Position) -> f64 {
        self(game, position)
    }
}

/// No estimate is as good as a win, however far away.
pub const LARGEST_ESTIMATE: f64 = 0.9999;
/// What a ply of delay takes from a win.
const DELAY: f64 = 1e-7;

/// What a finished game is worth to `side`: 1, 0 or -1.
#[must_use]
pub fn result(outcome: &Outcome, side: zug_core::Side) -> f64 {
    2.0 * outcome.points(side) - 1.0
}

/// The end of a line.
#[derive(Clone, Debug)]
pub struct Leaf<P> {
    /// The position there.
    pub position: P,
    /// How many plies below the root.
    pub ply: u32,
    /// Has the game ended there?
    pub ended: bool,
}

/// What a look-ahead found.
#[derive(Clone, Debug)]
pub struct Found<G: Game> {
    /// The best move; none at depth 0 and in a finished game.
    pub best: Option<G::Move>,
    /// The value for the side to move at the root. A win is a little less than 1 the later it
    /// comes.
    pub value: f64,
    /// Where the line of best moves ends; the value there is `value`, seen by the side to move
    /// there.
    pub leaf: Leaf<G::Position>,
    /// Positions visited.
    pub nodes: u64,
}

/// Looks `depth` plies ahead. `moves` are tried in this order, and of equally good ones the first
/// is chosen. `drawn` tells which of them end the game at once without a winner (a repetition that
/// the position alone does not show).
pub fn look_ahead<G: Game, V: Value<G> + ?Sized>(
    game: &G,
    value: &mut V,
    root: &G::Position,
    moves: &[G::Move],
    depth: u32,
    mut drawn: impl FnMut(G::Move) -> bool,
) -> Found<G> {
    let mut search = Search { game, value, nodes: 1 };
    if depth == 0 || moves.is_empty() {
        let (value, leaf) = search.node(root, 0, 0, -2.0, 2.0);
        return Found { best: None, value, leaf, nodes: search.nodes };
    }
    let mut best: Option<(G::Move, f64, Leaf<G::Position>)> = None;
    for &mv in moves {
        let mut child = root.clone();
        game.play(&mut child, mv);
        let alpha = best.as_ref().map_or(-2.0, |b| b.1);
        let (value, leaf) = if drawn(mv) {
            (0.0, Leaf { position: child, ply: 1, ended: true })
        } else {
            search.child(root, &child, depth - 1, 1, alpha, 2.0)
        };
        if best.as_ref().is_none_or(|b| value > b.1) {
            best = Some((mv, value, leaf));
        }
    }
    let (mv, value, leaf) = best.expect("there is a move");
    Found { best: Some(mv), value, leaf, nodes: search.nodes }
}

struct Search<'a, G: Game, V: ?Sized> {
    game: &'a G,
    value: &'a mut V,
    nodes: u64,
}

impl<G: Game, V: Value<G> + ?Sized> Search<'_, G, V> {
    /// The value of a child for the side to move at its parent.
    fn child(
        &mut self,
        parent: &G::Position,
        child: &G::Position,
        depth: u32,
        ply: u32,
        alpha: f64,
        beta: f64,
    ) -> (f64, Leaf<G::Position>) {
        if self.game.to_move(child) == self.game.to_move(parent) {
            self.node(child, depth, ply, alpha, beta)
        } else {
            let (value, leaf) = self.node(child, depth, ply, -beta, -alpha);
            (-value, leaf)
        }
    }

    fn node(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: u32,
        mut alpha: f64,
        beta: f64,
    ) -> (f64, Leaf<G::Position>) {
        self.nodes += 1;
        let here = |ended| Leaf { position: position.clone(), ply, ended };
        if let Some(outcome) = self.game.outcome(position) {
            let result = result(&outcome, self.game.to_move(position));
            return (result * (1.0 - DELAY * f64::from(ply)), here(true));
        }
        if depth == 0 {
            let value = self.value.value(self.game, position);
            return (value.clamp(-LARGEST_ESTIMATE, LARGEST_ESTIMATE), here(false));
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut best: Option<(f64, Leaf<G::Position>)> = None;
        for mv in moves {
            let mut child = position.clone();
            self.game.play(&mut child, mv);
            let (value, leaf) = self.child(position, &child, depth - 1, ply + 1, alpha, beta);
            if best.as_ref().is_none_or(|b| value > b.0) {
                best = Some((value, leaf));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        // A game that has not ended has a move; a broken one is worth nothing.
        best.unwrap_or_else(|| (0.0, here(true)))
    }
}

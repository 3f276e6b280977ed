//! The search of the thesis in its plain form, for any game (`AbstractSuchknoten`, Listing 4.3):
//! max and min by turns, the best leaf handed up with the move that leads to it. What the quick
//! search is measured against, and what the matchstick test (section 4.2.2) runs on.

/// A position of a game tree, evaluated for the player who is to move at the root.
pub trait Node: Clone {
    /// A move; the pass is one too.
    type Move: Copy;

    /// Moves and what follows them, in order; none when the game is over.
    fn children(&self) -> Vec<(Self::Move, Self)>;

    /// The value for the player at the root.
    fn score(&self) -> i64;
}

/// The best leaf below a node.
#[derive(Clone, Debug)]
pub struct Found<N: Node> {
    /// The leaf.
    pub leaf: N,
    /// Its value.
    pub score: i64,
    /// The move at the root that leads there.
    pub mv: Option<N::Move>,
    /// Positions looked at.
    pub count: u64,
}

/// Looks at every line of this depth.
#[must_use]
pub fn minimax<N: Node>(root: &N, depth: u32) -> Found<N> {
    walk(root, depth, true, None)
}

/// The same leaf, without the lines that cannot matter.
#[must_use]
pub fn alpha_beta<N: Node>(root: &N, depth: u32) -> Found<N> {
    walk(root, depth, true, Some((i64::MIN, i64::MAX)))
}

fn walk<N: Node>(node: &N, depth: u32, max: bool, window: Option<(i64, i64)>) -> Found<N> {
    let children = if depth == 0 { Vec::new() } else { node.children() };
    let mut best: Option<Found<N>> = None;
    let mut count = 1;
    let mut window = window;
    for (mv, child) in children {
        let mut found = walk(&child, depth - 1, !max, window);
        count += found.count;
        found.mv = Some(mv);
        let better = best
            .as_ref()
            .is_none_or(|b| if max { found.score > b.score } else { found.score < b.score });
        if !better {
            continue;
        }
        let score = found.score;
        best = Some(found);
        if let Some((alpha, beta)) = &mut window {
            if max {
                *alpha = score.max(*alpha);
            } else {
                *beta = score.min(*beta);
            }
            if alpha >= beta {
                break;
            }
        }
    }
    let own = || Found { leaf: node.clone(), score: node.score(), mv: None, count: 0 };
    let found = best.unwrap_or_else(own);
    Found { count, ..found }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Take one or two; whoever takes the last match loses.
    #[derive(Clone)]
    struct Matches {
        left: u32,
        root_moves: bool,
    }

    impl Node for Matches {
        type Move = u32;

        fn children(&self) -> Vec<(u32, Matches)> {
            let next = |n| (n, Matches { left: self.left - n, root_moves: !self.root_moves });
            (1..=2.min(self.left)).map(next).collect()
        }

        fn score(&self) -> i64 {
            // None left: the other player took the last one, and the mover wins.
            match (self.left, self.root_moves) {
                (0, true) => 1,
                (0, false) => -1,
                _ => 0,
            }
        }
    }

    /// Does the second player win against every play of the first?
    fn second_wins(left: u32, first_moves: bool) -> bool {
        if left == 0 {
            return !first_moves;
        }
        if first_moves {
            return (1..=2.min(left)).all(|n| second_wins(left - n, false));
        }
        let found = alpha_beta(&Matches { left, root_moves: true }, left);
        second_wins(left - found.mv.expect("a match is left"), true)
    }

    #[test]
    fn the_second_player_wins_with_4_7_10_13_and_16_matches_whatever_the_first_does() {
        for n in [4, 7, 10, 13, 16] {
            assert!(second_wins(n, true), "{n}");
            let root = Matches { left: n, root_moves: true };
            let (plain, pruned) = (minimax(&root, n), alpha_beta(&root, n));
            assert_eq!((plain.score, pruned.score), (-1, -1), "{n}");
            assert!(pruned.count < plain.count, "{n}");
        }
        assert!(!second_wins(5, true) && !second_wins(9, true));
    }
}

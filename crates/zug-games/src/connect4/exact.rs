//! Is a late position won, drawn or lost? A search to the end.
//!
//! Alpha-beta on the sign of the result alone, with a table of what is known already. Before it
//! looks at moves it looks at threats, the empty fields that complete a line: a side with one that
//! can be filled now has won; two of the opponent's cannot both be stopped; and under one of the
//! opponent's nobody puts a disc.

use super::{Connect4, Move, Position};
use std::sync::Mutex;
use zug_core::seed::mix;
use zug_core::{Game, StopFlag};
use zug_learn::td::judge::Truth;

/// Places of the table: a power of two.
const PLACES: usize = 1 << 20;
/// Positions between two looks at the wish to stop.
const LOOK_EVERY: u64 = 1 << 12;

/// Searches positions of one board to the end, and remembers.
pub struct Exact {
    game: Connect4,
    /// Key and bounds of what was searched, the key in all but the lowest four bits.
    table: Vec<u64>,
    /// Columns from the middle outwards.
    order: Vec<u64>,
    /// Positions visited.
    pub nodes: u64,
    /// Asks to stop, and whether that was heard: then values mean nothing.
    stop: StopFlag,
    stopped: bool,
}

impl Exact {
    /// For a board whose keys fit 60 bits, which all boards but the largest do.
    #[must_use]
    pub fn new(game: &Connect4) -> Option<Exact> {
        let stride = game.height + 1;
        if game.width * stride > 60 {
            return None;
        }
        let mut columns: Vec<usize> = (0..game.width).collect();
        columns.sort_by_key(|&c| (2 * c + 1).abs_diff(game.width));
        let column = |c: usize| ((1u64 << game.height) - 1) << (c * stride);
        let order = columns.into_iter().map(column).collect();
        let (game, table, stop) = (game.clone(), vec![0; PLACES], StopFlag::new());
        Some(Exact { game, table, order, nodes: 0, stop, stopped: false })
    }

    /// 1, 0 or -1 for the side to move.
    pub fn solve(&mut self, position: &Position) -> i8 {
        let side = Connect4::side(position);
        if let Some(outcome) = self.game.outcome(position) {
            return (2.0 * outcome.points(side) - 1.0) as i8;
        }
        let (own, other) = (position.discs[side.index()], position.discs[1 - side.index()]);
        if self.threats(own, own | other) & self.landings(own | other) != 0 {
            return 1;
        }
        self.search(own, other, -1, 1)
    }

    /// The empty fields that would complete a line of these discs.
    fn threats(&self, discs: u64, taken: u64) -> u64 {
        let missing = |line: &u64| {
            let rest = line & !discs;
            if rest & (rest - 1) == 0 { rest } else { 0 }
        };
        self.game.lines.iter().map(missing).fold(0, |all, field| all | field) & !taken
    }

    fn landings(&self, taken: u64) -> u64 {
        (taken + self.game.bottom) & self.game.board()
    }

    /// The value of a position whose side to move, the owner of `own`, cannot win at once.
    fn search(&mut self, own: u64, other: u64, mut alpha: i8, mut beta: i8) -> i8 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK_EVERY) && self.stop.is_set() {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let taken = own | other;
        let mut landings = self.landings(taken);
        let theirs = self.threats(other, taken);
        let forced = landings & theirs;
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                return -1;
            }
            landings = forced;
        }
        // Below a threat of the opponent.
        landings &= !(theirs >> 1);
        if landings == 0 {
            // The last field may be left: a full board is a draw.
            return if self.landings(taken) == 0 { 0 } else { -1 };
        }
        let left = (self.game.board() & !taken).count_ones();
        if left <= 2 {
            return 0;
        }
        let key = own + taken + self.game.bottom;
        let place = mix(key) as usize & (PLACES - 1);
        let known = self.table[place];
        if known >> 4 == key {
            let (least, most) = ((known & 3) as i8 - 1, (known >> 2 & 3) as i8 - 1);
            if least >= beta || least == most {
                return least;
            }
            if most <= alpha {
                return most;
            }
            (alpha, beta) = (alpha.max(least), beta.min(most));
        }
        let mut moves: Vec<(u32, u64)> = Vec::with_capacity(self.order.len());
        for column in &self.order {
            let landing = landings & column;
            if landing != 0 {
                let made = self.threats(own | landing, taken | landing).count_ones();
                moves.push((made, landing));
            }
        }
        // Most threats first; a stable sort keeps the middle before the edge.
        moves.sort_by_key(|&(made, _)| std::cmp::Reverse(made));
        let (mut best, mut low) = (-1, alpha);
        for (_, landing) in moves {
            let mine = own | landing;
            // What would win at once for the opponent was not left to it.
            let value = -self.search(other, mine, -beta, -low);
            best = best.max(value);
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        if self.stopped {
            return 0;
        }
        let (least, most) = if best >= beta {
            (best, 1)
        } else if best <= alpha {
            (-1, best)
        } else {
            (best, best)
        };
        self.table[place] = key << 4 | ((most + 1) as u64) << 2 | (least + 1) as u64;
        best
    }

    /// The value of each move of a position for whoever makes it, in the order of the game.
    pub fn moves(&mut self, position: &Position) -> Vec<i8> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves
            .into_iter()
            .map(|mv| {
                let mut next = position.clone();
                self.game.play(&mut next, mv);
                -self.solve(&next)
            })
            .collect()
    }
}

/// Judges the moves of late positions by searching them to the end.
pub struct Late {
    game: Connect4,
    /// Searchers that nobody uses at the moment.
    idle: Mutex<Vec<Exact>>,
}

impl Late {
    /// For boards that [`Exact`] can search.
    #[must_use]
    pub fn new(game: &Connect4) -> Option<Late> {
        Some(Late { game: game.clone(), idle: Mutex::new(vec![Exact::new(game)?]) })
    }
}

/// With so many empty fields a position is searched to the end in a moment.
const EMPTY: usize = 26;

impl Truth<Connect4> for Late {
    fn help(&self) -> String {
        format!("a search to the end, from {EMPTY} empty fields on")
    }

    fn first_ply(&self) -> usize {
        (self.game.width * self.game.height).saturating_sub(EMPTY)
    }

    fn judge(
        &self,
        game: &Connect4,
        position: &Position,
        moves: &[Move],
        stop: &StopFlag,
    ) -> Option<Vec<i8>> {
        let idle = self.idle.lock().ok()?.pop();
        let mut exact = match idle {
            Some(exact) => exact,
            None => Exact::new(game)?,
        };
        (exact.stop, exact.stopped) = (stop.clone(), false);
        let value = |&mv: &Move| {
            let mut next = position.clone();
            game.play(&mut next, mv);
            -exact.solve(&next)
        };
        let values = moves.iter().map(value).collect();
        let stopped = exact.stopped;
        self.idle.lock().ok()?.push(exact);
        (!stopped).then_some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::rng;
    use zug_core::seed::RngExt;
    use zug_solve::perfect::{InMemory, Values};

    #[test]
    fn the_search_to_the_end_agrees_with_the_database_of_small_boards() {
        for (width, height, k) in [(4, 4, 4), (4, 3, 3), (5, 3, 4), (3, 5, 3)] {
            let game = Connect4::new(width, height, k).unwrap();
            let database = InMemory::solve(&game).unwrap();
            let mut exact = Exact::new(&game).unwrap();
            let mut rng = rng(7, (width * height) as u64);
            let mut counts = [0; 3];
            for _ in 0..400 {
                let mut position = game.start();
                loop {
                    let value = database.value(&position).unwrap().score().0.signum() as i8;
                    assert_eq!(
                        exact.solve(&position),
                        value,
                        "{} {}",
                        game.spec(),
                        game.write_position(&position)
                    );
                    counts[(value + 1) as usize] += 1;
                    let mut moves = Vec::new();
                    game.moves(&position, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    game.play(&mut position, moves[rng.random_range(0..moves.len())]);
                }
            }
            assert!(counts[0] > 20 && counts[2] > 20, "{counts:?}");
        }
    }

    #[test]
    fn a_late_position_of_the_full_board_is_solved_move_by_move() {
        // Red threatens to fill d1 to g1; yellow must take one end and loses by the other.
        let game = Connect4::new(7, 6, 4).unwrap();
        let position = game.read_position("7/7/7/7/2OO3/2XXX2 o").unwrap();
        let mut exact = Exact::new(&game).unwrap();
        assert_eq!(exact.solve(&position), -1);
        assert!(exact.moves(&position).iter().all(|&v| v == -1));
    }
}

//! Which moves were good elsewhere in the tree?
//!
//! Every history is a number for a move that rises when the move cuts off and sinks when another
//! does, always by less the farther it has gone already ("gravity"), so that it stays bounded and
//! follows the search.

use super::parameters::{CORRECTION_MOST, CORRECTION_UNIT, HISTORY_MOST, history_bonus};
use super::value::Value;
use cozy_chess::{Board, Color, Move, Piece};

/// A piece of a colour that went to a square: 768 of them.
pub(super) type Moved = usize;
const MOVED: usize = 12 * 64;
const CORRECTIONS: usize = 1 << 14;

/// What a thread has learned about moves.
pub(super) struct Histories {
    quiet: Vec<i16>,
    capture: Vec<i16>,
    continuation: Vec<i16>,
    counter: Vec<Option<Move>>,
    corrections: Vec<i32>,
}

/// The index of a move by its piece and target.
pub(super) fn moved(board: &Board, mv: Move) -> Moved {
    let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    (board.side_to_move() as usize * 6 + piece as usize) * 64 + mv.to as usize
}

fn capture_index(board: &Board, mv: Move) -> usize {
    // En passant and promotions count as taking a pawn.
    let victim = board.piece_on(mv.to).unwrap_or(Piece::Pawn);
    moved(board, mv) * 6 + victim as usize
}

fn quiet_index(color: Color, mv: Move) -> usize {
    (color as usize * 64 + mv.from as usize) * 64 + mv.to as usize
}

fn pull(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_MOST) as i16;
}

impl Histories {
    pub fn new() -> Histories {
        Histories {
            quiet: vec![0; 2 * 64 * 64],
            capture: vec![0; MOVED * 6],
            continuation: vec![0; MOVED * MOVED],
            counter: vec![None; MOVED],
            corrections: vec![0; 2 * CORRECTIONS],
        }
    }

    pub fn quiet(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.quiet[quiet_index(color, mv)])
    }

    pub fn capture(&self, board: &Board, mv: Move) -> i32 {
        i32::from(self.capture[capture_index(board, mv)])
    }

    pub fn continuation(&self, before: Option<Moved>, now: Moved) -> i32 {
        before.map_or(0, |before| i32::from(self.continuation[before * MOVED + now]))
    }

    pub fn counter(&self, before: Option<Moved>) -> Option<Move> {
        before.and_then(|before| self.counter[before])
    }

    /// A quiet move cut off at this depth; the others before it did not.
    pub fn reward_quiet(
        &mut self,
        board: &Board,
        before: [Option<Moved>; 2],
        mv: Move,
        others: &[Move],
        depth: i32,
    ) {
        if let Some(last) = before[0] {
            self.counter[last] = Some(mv);
        }
        let bonus = history_bonus(depth);
        self.change_quiet(board, before, mv, bonus);
        for &other in others {
            self.change_quiet(board, before, other, -bonus);
        }
    }

    pub fn change_quiet(
        &mut self,
        board: &Board,
        before: [Option<Moved>; 2],
        mv: Move,
        bonus: i32,
    ) {
        pull(&mut self.quiet[quiet_index(board.side_to_move(), mv)], bonus);
        let now = moved(board, mv);
        for before in before.into_iter().flatten() {
            pull(&mut self.continuation[before * MOVED + now], bonus);
        }
    }

    pub fn change_capture(&mut self, board: &Board, mv: Move, bonus: i32) {
        pull(&mut self.capture[capture_index(board, mv)], bonus);
    }

    /// How much searches of like pawn structures found above the evaluation.
    pub fn correction(&self, board: &Board) -> Value {
        self.corrections[correction_index(board)] / CORRECTION_UNIT
    }

    /// A search of this depth found so much more than the evaluation said.
    pub fn correct(&mut self, board: &Board, more: Value, depth: i32) {
        let entry = &mut self.corrections[correction_index(board)];
        let weight = (depth + 1).min(16);
        let target = more.clamp(-300, 300) * CORRECTION_UNIT;
        *entry = (*entry * (256 - weight) + target * weight) / 256;
        *entry = (*entry).clamp(-CORRECTION_MOST, CORRECTION_MOST);
    }
}

fn correction_index(board: &Board) -> usize {
    let pawns = |color| board.colored_pieces(color, Piece::Pawn).0;
    let mixed = pawns(Color::White).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ pawns(Color::Black).wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(23);
    let mixed = mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (64 - 14);
    board.side_to_move() as usize * CORRECTIONS + mixed as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_bounded_and_turn_round() {
        let mut entry = 0i16;
        for _ in 0..1000 {
            pull(&mut entry, history_bonus(20));
        }
        assert!(i32::from(entry) <= HISTORY_MOST && entry > 7000, "{entry}");
        for _ in 0..1000 {
            pull(&mut entry, -history_bonus(20));
        }
        assert!(i32::from(entry) >= -HISTORY_MOST && entry < -7000, "{entry}");
    }

    #[test]
    fn what_cuts_off_rises_and_what_was_tried_before_it_sinks() {
        let board = Board::default();
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let mut histories = Histories::new();
        let before = [Some(5), None];
        histories.reward_quiet(&board, before, mv("e2e4"), &[mv("a2a3")], 5);
        assert!(histories.quiet(Color::White, mv("e2e4")) > 0);
        assert!(histories.quiet(Color::White, mv("a2a3")) < 0);
        assert_eq!(histories.quiet(Color::Black, mv("e2e4")), 0);
        let now = moved(&board, mv("e2e4"));
        assert!(histories.continuation(Some(5), now) > 0);
        assert_eq!(histories.continuation(Some(6), now), 0);
        assert_eq!(histories.counter(Some(5)), Some(mv("e2e4")));
    }

    #[test]
    fn corrections_go_towards_what_was_found_and_no_farther() {
        let board = Board::default();
        let mut histories = Histories::new();
        for _ in 0..2000 {
            histories.correct(&board, 40, 10);
        }
        assert!((35..=40).contains(&histories.correction(&board)));
    }
}

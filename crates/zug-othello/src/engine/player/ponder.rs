//! Thinking on the opponent's time.
//!
//! The position after the expected reply is searched until the real one comes. What was found stays
//! in the table, so that a right guess makes the next search begin far ahead.

use super::super::{Evaluation, Thinker, Wish};
use crate::{Board, Move};
use std::thread::JoinHandle;
use zug_core::StopFlag;

/// Where the thinker is: at hand, or away thinking.
pub(super) struct Seat<E: Evaluation + 'static> {
    thinker: Option<Thinker<E>>,
    away: Option<(StopFlag, JoinHandle<Thinker<E>>)>,
}

impl<E: Evaluation + 'static> Seat<E> {
    pub fn new(thinker: Thinker<E>) -> Seat<E> {
        Seat { thinker: Some(thinker), away: None }
    }

    /// The thinker, called back if it is away.
    pub fn thinker(&mut self) -> &mut Thinker<E> {
        if let Some((stop, handle)) = self.away.take() {
            stop.set();
            match handle.join() {
                Ok(thinker) => self.thinker = Some(thinker),
                // It is a fault of ours, and goes on where it would have gone without pondering.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        self.thinker.as_mut().expect("a thinker that is not away is here")
    }

    /// Thinks about the position after this reply, or about this one if none is expected.
    pub fn ponder(&mut self, board: Board, reply: Option<Move>) {
        self.thinker();
        let board =
            reply.filter(|&mv| is_legal(board, mv)).map_or(board, |mv| board.after_move(mv));
        if board.is_over() {
            return;
        }
        let Some(mut thinker) = self.thinker.take() else { return };
        let stop = StopFlag::new();
        let flag = stop.clone();
        let handle = std::thread::spawn(move || {
            thinker.think(board, &Wish::default(), &flag, &mut |_| {});
            thinker
        });
        self.away = Some((stop, handle));
    }
}

impl<E: Evaluation + 'static> Drop for Seat<E> {
    fn drop(&mut self) {
        if let Some((stop, handle)) = self.away.take() {
            stop.set();
            // Nobody is left to be told of a fault.
            let _ = handle.join();
        }
    }
}

fn is_legal(board: Board, mv: Move) -> bool {
    match mv.square() {
        Some(square) => board.moves() >> square & 1 == 1,
        None => board.moves() == 0 && !board.is_over(),
    }
}

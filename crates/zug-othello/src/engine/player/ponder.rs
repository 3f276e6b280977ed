//! Thinking on the opponent's time.
//!
//! The position after the expected reply is searched until the real one comes. What was found stays
//! in the table, so that a right guess makes the next search begin far ahead.

use super::super::{Evaluation, Thinker, Wish};
use crate::{Board, Move};
use std::io;
use std::sync::mpsc;
use std::thread::{Builder, JoinHandle};
use zug_core::StopFlag;

/// Where the thinker is: at hand, or away thinking.
pub(super) struct Seat<E: Evaluation + 'static> {
    thinker: Option<Thinker<E>>,
    away: Option<(StopFlag, JoinHandle<Option<Thinker<E>>>)>,
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
                Ok(thinker) => self.thinker = thinker,
                // It is a fault of ours, and goes on where it would have gone without pondering.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        self.thinker.as_mut().expect("a thinker that is not away is here")
    }

    /// Thinks about the position after this reply, or about this one if none is expected.
    pub fn ponder(&mut self, board: Board, reply: Option<Move>) {
        self.ponder_on(Ok(Builder::new()), board, reply);
    }

    /// The same on a thread begun like this; where there is none, nothing is pondered.
    fn ponder_on(&mut self, builder: io::Result<Builder>, board: Board, reply: Option<Move>) {
        self.thinker();
        let board =
            reply.filter(|&mv| is_legal(board, mv)).map_or(board, |mv| board.after_move(mv));
        if board.is_over() {
            return;
        }
        let stop = StopFlag::new();
        let flag = stop.clone();
        // The thinker goes to the thread when there is one: with a thread that cannot begin, what it
        // was given is lost.
        let (to, from) = mpsc::channel::<Thinker<E>>();
        let work = move || {
            let mut thinker = from.recv().ok()?;
            thinker.think(board, &Wish::default(), &flag, &mut |_| {});
            Some(thinker)
        };
        let Ok(handle) = builder.and_then(|builder| builder.spawn(work)) else { return };
        if let Some(thinker) = self.thinker.take() {
            // The thread is there and listens.
            let _ = to.send(thinker);
        }
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

#[cfg(test)]
mod tests {
    use super::super::super::{Confidence, Settings};
    use super::*;
    use crate::thesis::Hand;

    #[test]
    fn without_a_thread_nothing_is_pondered_and_the_thinker_stays() {
        let settings = Settings { hash_mib: 1, threads: 1, confidence: Confidence::FULL };
        let thinker = Thinker::new(std::sync::Arc::new(Hand::default()), None, settings).unwrap();
        let mut seat = Seat::new(thinker);
        let board = Board::from(&zug_core::Game::start(&crate::Othello::default()));
        seat.ponder_on(Err(io::ErrorKind::WouldBlock.into()), board, None);
        assert!(seat.away.is_none());
        seat.ponder_on(Ok(Builder::new()), board, None);
        assert!(seat.away.is_some());
        let wish = Wish { depth: Some(1), ..Wish::default() };
        let thought = seat.thinker().think(board, &wish, &StopFlag::new(), &mut |_| {});
        assert_eq!(thought.depth, 1);
    }
}

//! Thinking on the opponent's time.
//!
//! The position after the expected reply is searched until the real one comes. What was found stays
//! in the table, so that a right guess makes the next search begin far ahead.

use super::super::{Engine, Evaluation, Root, Wish};
use cozy_chess::Move;
use std::io;
use std::sync::mpsc;
use std::thread::{Builder, JoinHandle};
use zug_core::StopFlag;

/// Where the engine is: at hand, or away thinking.
pub(super) struct Seat<E: Evaluation> {
    engine: Option<Engine<E>>,
    away: Option<(StopFlag, JoinHandle<Option<Engine<E>>>)>,
}

impl<E: Evaluation> Seat<E> {
    pub fn new(engine: Engine<E>) -> Seat<E> {
        Seat { engine: Some(engine), away: None }
    }

    /// The engine, called back if it is away.
    pub fn engine(&mut self) -> &mut Engine<E> {
        if let Some((stop, handle)) = self.away.take() {
            stop.set();
            match handle.join() {
                Ok(engine) => self.engine = engine,
                // It is a fault of ours, and goes on where it would have gone without pondering.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        self.engine.as_mut().expect("an engine that is not away is here")
    }

    /// Thinks about the position after this move and reply, or before a reply if none is expected.
    pub fn ponder(&mut self, root: Root, mv: Move, reply: Option<Move>) {
        self.ponder_on(Ok(Builder::new()), root, mv, reply);
    }

    /// The same on a thread begun like this; where there is none, nothing is pondered.
    fn ponder_on(
        &mut self,
        builder: io::Result<Builder>,
        mut root: Root,
        mv: Move,
        reply: Option<Move>,
    ) {
        let own_score = self.engine().own_score();
        for mv in [Some(mv), reply].into_iter().flatten() {
            if !root.position.board().is_legal(mv) {
                break;
            }
            root.earlier.push(root.position.key());
            root.position.play(mv);
        }
        if !root.position.has_moves() {
            return;
        }
        let stop = StopFlag::new();
        let flag = stop.clone();
        // The engine goes to the thread when there is one: with a thread that cannot begin, what it
        // was given is lost.
        let (to, from) = mpsc::channel::<Engine<E>>();
        let work = move || {
            let mut engine = from.recv().ok()?;
            engine.search(&root, &Wish::default(), &flag, &mut |_| {});
            // A guess is no move of the game.
            engine.set_own_score(own_score);
            Some(engine)
        };
        let Ok(handle) = builder.and_then(|builder| builder.spawn(work)) else { return };
        if let Some(engine) = self.engine.take() {
            // The thread is there and listens.
            let _ = to.send(engine);
        }
        self.away = Some((stop, handle));
    }
}

impl<E: Evaluation> Drop for Seat<E> {
    fn drop(&mut self) {
        if let Some((stop, handle)) = self.away.take() {
            stop.set();
            // Nobody is left to be told of a fault.
            let _ = handle.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Settings;
    use super::*;
    use crate::{HandMade, Position};

    #[test]
    fn without_a_thread_nothing_is_pondered_and_the_engine_stays() {
        let settings = Settings { hash: 1 << 20, ..Settings::default() };
        let engine = Engine::new(std::sync::Arc::new(HandMade), settings).unwrap();
        let mut seat = Seat::new(engine);
        let root = Root::new(Position::start());
        let mv: Move = "e2e4".parse().unwrap();
        seat.ponder_on(Err(io::ErrorKind::WouldBlock.into()), root.clone(), mv, None);
        assert!(seat.away.is_none());
        seat.ponder_on(Ok(Builder::new()), root.clone(), mv, None);
        assert!(seat.away.is_some());
        let wish = Wish { depth: Some(1), ..Wish::default() };
        let thought = seat.engine().search(&root, &wish, &StopFlag::new(), &mut |_| {});
        assert_eq!(thought.depth, 1);
    }
}

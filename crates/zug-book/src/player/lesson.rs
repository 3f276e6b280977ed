//! What does a game teach?
//!
//! The moves up to the position whose result is known go into the book, with that result; then the
//! alternative of every position that is new or has changed is searched, for both colours. So a lost
//! game is there to be avoided and to be played with the colours exchanged; a won one is there to
//! be repeated, together with the best that the opponent could have done instead.
//!
//! Where thoughts are long, the game is written to the file before the alternatives are searched: they
//! cost about as much time as the game, and a program may be ended meanwhile. What is missing then
//! is searched when the next game goes that way.

use super::{About, Shared};
use crate::judge::{Judge, JudgeError};
use crate::shelf::{Moment, State};
use crate::{Alternative, BookError, Leaf};
use std::collections::HashSet;
use std::time::Duration;
use zug_core::{AnyLine, Limits, Player, Side, StopFlag};

/// How long the last game of a program waits for other processes.
const AT_THE_END: Duration = Duration::from_secs(10);

/// A game that is over.
pub(super) struct Lesson<'a> {
    /// The game.
    pub(super) line: &'a dyn AnyLine,
    /// How many of its moves count.
    pub(super) plies: usize,
    /// The result after them, for the mover there.
    pub(super) leaf: Leaf,
    /// Who learns.
    pub(super) side: Side,
    /// When it began.
    pub(super) begun: Moment,
    /// Will the alternatives take long?
    pub(super) is_long: bool,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum LessonError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

impl Lesson<'_> {
    /// Adds the game to the book, and judges the alternatives if there is a judge.
    pub(super) fn learn(
        &self,
        open: &Shared,
        about: &About,
        judge: Option<(&mut dyn Player, Limits)>,
    ) -> Result<(), LessonError> {
        let mut state = open.lock();
        // Whoever ends a program does not want to wait for another one.
        let patience = judge.is_none().then_some(AT_THE_END);
        let mut hold = open.hold(patience)?;
        open.refresh(&mut state)?;
        if !state.take_note(self.line.moves(), self.side, self.begun) {
            return Ok(());
        }
        let added = state.book.add_line(&about.places, self.line, self.plies, self.leaf);
        if self.is_long || judge.is_none() {
            open.save(&mut state)?;
            // Others may write while we search.
            hold = None;
        }
        let Some((player, limits)) = judge else { return Ok(()) };
        let touched: HashSet<u64> = added.new.into_iter().chain(added.changed).collect();
        let mut judge = Judge { player, limits, stop: StopFlag::new() };
        let found = self.alternatives(&state, about, touched, &mut judge)?;
        if hold.is_none() {
            hold = open.hold(None)?;
            open.refresh(&mut state)?;
        }
        for (key, alternative) in found {
            state.book.set_alternative(key, alternative);
        }
        open.save(&mut state)?;
        drop(hold);
        Ok(())
    }

    /// The alternatives of the positions that need one: those of this game, and others whose
    /// alternative this game has played.
    fn alternatives(
        &self,
        state: &State,
        about: &About,
        mut touched: HashSet<u64>,
        judge: &mut Judge<'_>,
    ) -> Result<Vec<(u64, Option<Alternative>)>, JudgeError> {
        let places = &about.places;
        let mut found = Vec::new();
        let mut at = self.line.boxed_clone();
        while at.ply() > self.plies && at.undo() {}
        judge.player.new_game(&*at)?;
        touched.remove(&places.key(&*at));
        // The end itself is known. From the end to the beginning, what was searched helps.
        while at.undo() {
            let key = places.key(&*at);
            let Some(node) = state.book.get(key) else { continue };
            let wants = touched.remove(&key) || node.alternative().is_none();
            if wants && node.result().is_none_or(|result| !result.exact) {
                found.push((key, judge.alternative(&state.book, places, &*at)?));
            }
        }
        let mut elsewhere: Vec<u64> = touched.into_iter().collect();
        elsewhere.sort_unstable();
        for key in elsewhere {
            let line = state.book.line_to(&*about.game, places, key);
            let open = state.book.get(key).is_some_and(|node| !node.is_leaf());
            if let Some(line) = line.filter(|_| open) {
                found.push((key, judge.alternative(&state.book, places, &*line)?));
            }
        }
        Ok(found)
    }
}

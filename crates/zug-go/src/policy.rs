//! Who can say which moves a good player would look at?
//!
//! A [`Policy`] is shared by all threads; each thread asks it for a [`Guesser`], which keeps what one
//! thread needs to work quickly. Patterns are one kind of policy; a network would be another, and
//! whoever uses one (`zug guess`, the search, the tests of accuracy) need not know which it is.

use crate::game::Go;
use crate::point::{Move, Point};
use crate::position::Position;
use zug_core::{Line, StopFlag};

/// A move, and how likely a good player is to make it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// Where.
    pub point: Point,
    /// How likely; all guesses of a position add up to 1 unless the policy leaves moves out.
    pub probability: f32,
}

/// A position, and what led to it.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The stones and the side to move.
    pub position: &'a Position,
    /// The last move and the one before it; `None` for a pass and before the game began.
    pub recent: [Option<Point>; 2],
}

impl<'a> Scene<'a> {
    /// A position that came from nowhere.
    #[must_use]
    pub fn bare(position: &'a Position) -> Scene<'a> {
        Scene { position, recent: [None, None] }
    }

    /// The end of a line.
    #[must_use]
    pub fn of_line(line: &'a Line<Go>) -> Scene<'a> {
        Scene { position: line.position(), recent: Scene::last_two(line.moves()) }
    }

    /// What is [`recent`](Scene::recent) after these moves.
    #[must_use]
    pub fn last_two(moves: &[Move]) -> [Option<Point>; 2] {
        let mut last = moves.iter().rev().map(|&mv| match mv {
            Move::Play(p) => Some(p),
            Move::Pass => None,
        });
        [last.next().flatten(), last.next().flatten()]
    }
}

/// Something that knows which moves are likely.
pub trait Policy: Send + Sync {
    /// A name for people: of a shipped model, or of a file.
    fn name(&self) -> String;

    /// Is this board size one that it has learned?
    fn knows_size(&self, size: usize) -> bool;

    /// A guesser for one thread.
    fn guesser(&self) -> Box<dyn Guesser + '_>;
}

/// Guesses moves; one for each thread.
pub trait Guesser: Send {
    /// The legal moves (simple ko, no suicide; a pass is none) with their probabilities, in no
    /// particular order. Thesis-like policies may leave moves out.
    fn guess(&mut self, scene: Scene<'_>, out: &mut Vec<Guess>);

    /// The same at the end of a line, for those to whom the history matters.
    fn guess_line(&mut self, line: &Line<Go>, out: &mut Vec<Guess>) {
        self.guess(Scene::of_line(line), out);
    }

    /// Is told by which flag slow work is to be broken off. What is guessed then is worth nothing.
    fn stop_with(&mut self, stop: &StopFlag) {
        let _ = stop;
    }
}

/// Orders guesses: likely ones first, points row by row where they are equal.
pub fn sort(guesses: &mut [Guess]) {
    guesses.sort_by(|a, b| {
        b.probability.total_cmp(&a.probability).then_with(|| a.point.index().cmp(&b.point.index()))
    });
}

/// Every legal move is as likely as any other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl Policy for Uniform {
    fn name(&self) -> String {
        "uniform".to_string()
    }
    fn knows_size(&self, _: usize) -> bool {
        true
    }
    fn guesser(&self) -> Box<dyn Guesser + '_> {
        Box::new(Uniform)
    }
}

impl Guesser for Uniform {
    fn guess(&mut self, scene: Scene<'_>, out: &mut Vec<Guess>) {
        out.clear();
        let (board, side) = (scene.position.board(), scene.position.to_move());
        out.extend(
            board
                .empty_points()
                .filter(|&p| board.check(p, side, false).is_ok())
                .map(|point| Guess { point, probability: 0.0 }),
        );
        let share = 1.0 / out.len().max(1) as f32;
        out.iter_mut().for_each(|g| g.probability = share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Game;

    #[test]
    fn a_scene_knows_the_last_two_moves() {
        let mut line = Line::new(Go::open("go:9x9").unwrap());
        for mv in ["E5", "pass", "C3"] {
            line.play_text(mv).unwrap();
        }
        let scene = Scene::of_line(&line);
        assert_eq!(scene.recent, [Some(Point::at(2, 6)), None]);
        assert_eq!(scene.position, line.position());
        assert_eq!(line.game().side_name(scene.position.to_move()), "white");
        let mut guesses = Vec::new();
        Uniform.guesser().guess(scene, &mut guesses);
        assert_eq!(guesses.len(), 79);
    }
}

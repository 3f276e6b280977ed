//! The models that are part of the program.

use super::file::read_bytes;
use super::model::PatternModel;
use crate::policy::{Guess, Guesser, Policy, Scene};
use std::sync::OnceLock;

const LARGE: &[u8] = include_bytes!("../../../../models/go-19.zug");
const SMALL: &[u8] = include_bytes!("../../../../models/go-9.zug");

/// What professionals play on large boards, and strong players on small ones. Each model is unpacked
/// when it is first asked.
#[derive(Default)]
pub struct Shipped {
    large: OnceLock<PatternModel>,
    small: OnceLock<PatternModel>,
}

/// Boards up to this size are small: learned on 9×9.
const SMALL_SIZE: usize = 10;

impl Shipped {
    /// The name by which they are asked for.
    pub const NAME: &'static str = "patterns";

    /// The model for a board size.
    #[must_use]
    pub fn for_size(&self, size: usize) -> &PatternModel {
        let (cell, bytes) =
            if size <= SMALL_SIZE { (&self.small, SMALL) } else { (&self.large, LARGE) };
        cell.get_or_init(|| {
            read_bytes(Self::NAME, bytes).expect("the models of the program are tested")
        })
    }
}

impl Policy for Shipped {
    fn name(&self) -> String {
        Self::NAME.to_string()
    }

    /// Learned on 9×9 and 19×19; what is between is close enough to one of them.
    fn knows_size(&self, size: usize) -> bool {
        (7..=19).contains(&size)
    }

    fn guesser(&self) -> Box<dyn Guesser + '_> {
        Box::new(ShippedGuesser { policy: self, now: None })
    }
}

struct ShippedGuesser<'a> {
    policy: &'a Shipped,
    now: Option<(usize, Box<dyn Guesser + 'a>)>,
}

impl Guesser for ShippedGuesser<'_> {
    fn guess(&mut self, scene: Scene<'_>, out: &mut Vec<Guess>) {
        let size = scene.position.board().size();
        if self.now.as_ref().is_none_or(|(known, _)| *known != size) {
            self.now = Some((size, self.policy.for_size(size).guesser()));
        }
        if let Some((_, guesser)) = &mut self.now {
            guesser.guess(scene, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Point;
    use crate::policy::sort;
    use crate::position::Position;

    #[test]
    fn the_first_move_goes_to_a_corner_of_a_large_board_and_near_the_middle_of_a_small_one() {
        let shipped = Shipped::default();
        let mut guesser = shipped.guesser();
        let mut first = |size: usize| -> Point {
            let mut guesses = Vec::new();
            guesser.guess(Scene::bare(&Position::new(size)), &mut guesses);
            sort(&mut guesses);
            guesses[0].point
        };
        let large = first(19);
        let line = |v: usize, size: usize| v.min(size - 1 - v);
        assert!((2..=4).contains(&line(large.x(), 19)) && (2..=4).contains(&line(large.y(), 19)));
        let small = first(9);
        assert!(line(small.x(), 9) >= 2 && line(small.y(), 9) >= 2);
    }

    #[test]
    fn a_stone_in_atari_is_taken() {
        let text = "19/19/19/3X15/2XO15/2XO15/3X15/19/19/19/19/19/19/19/19/15X3/19/19/19 black";
        let position = Position::from_text(text, 19).unwrap();
        let mut guesses = Vec::new();
        let shipped = Shipped::default();
        let scene = Scene { position: &position, recent: [Point::new(3, 5), Point::new(2, 5)] };
        shipped.guesser().guess(scene, &mut guesses);
        sort(&mut guesses);
        let likely: Vec<Point> = guesses.iter().take(4).map(|g| g.point).collect();
        let liberties = [Point::at(4, 4), Point::at(4, 5)];
        assert!(likely.iter().any(|p| liberties.contains(p)), "{likely:?}");
    }
}

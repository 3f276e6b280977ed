//! What does the player itself think likely? Its search as a [`Policy`]: the shares of the visits.
//!
//! So `zug guess` judges a search by the same positions and figures as the policy that it grows
//! from.

use super::player::{Configured, configured};
use crate::game::Go;
use crate::point::Move;
use crate::policy::{Guess, Guesser, Policy, Scene};
use crate::rules::Rules;
use zug_core::{Info, Limits, Line, Spec, StopFlag, TextError, Watch};

/// The word that a player begins with.
pub const NAME: &str = "zug";

/// A player that is asked for its moves.
pub struct Asked {
    spec: Spec,
}

impl Asked {
    /// From a spec such as `zug:playouts=1000`. Without a limit it would think for ever, so it needs
    /// one.
    pub fn new(text: &str) -> Result<Asked, TextError> {
        let spec = Spec::parse(text)?;
        // What is wrong with the options is said now, not at the first position.
        let player = configured(&spec, crate::point::MAX_SIZE)?;
        if player.own.over(&Limits::default()).is_bounded() {
            return Ok(Asked { spec });
        }
        let expected = "a limit, such as zug:playouts=1000 or zug:movetime=1s";
        Err(TextError::new(text.len(), expected, format!("'{text}'")))
    }
}

impl Policy for Asked {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn knows_size(&self, size: usize) -> bool {
        configured(&self.spec, size).is_ok()
    }

    fn guesser(&self) -> Box<dyn Guesser + '_> {
        Box::new(Thinker { spec: &self.spec, stop: StopFlag::new(), player: None })
    }
}

struct Thinker<'a> {
    spec: &'a Spec,
    stop: StopFlag,
    /// With the size of its board.
    player: Option<(usize, Configured)>,
}

impl Guesser for Thinker<'_> {
    fn guess(&mut self, scene: Scene<'_>, out: &mut Vec<Guess>) {
        let size = scene.position.board().size();
        let Some(rules) = Rules::new(size) else { return out.clear() };
        self.guess_line(&Line::from_position(Go::new(rules), scene.position.clone()), out);
    }

    fn guess_line(&mut self, line: &Line<Go>, out: &mut Vec<Guess>) {
        out.clear();
        let size = line.game().rules().size();
        if self.player.as_ref().is_none_or(|(known, _)| *known != size) {
            self.player = configured(self.spec, size).ok().map(|player| (size, player));
        }
        let Some((_, player)) = &mut self.player else { return };
        if line.outcome().is_some() {
            return;
        }
        // Each position by itself: what is found must not depend on those asked about before.
        player.search.clear();
        let limits = player.own.over(&Limits::default());
        let mut ignore = |_: &Info| {};
        let mut watch = Watch::new(self.stop.shared(), &mut ignore);
        let Ok(found) = player.search.search(line, &limits, &mut watch) else { return };
        // The policy's own opinion counts as one visit more: it orders what was never visited.
        let all: u64 = found.moves.iter().map(|m| m.visits).sum();
        out.extend(found.moves.iter().filter_map(|m| match m.line[0] {
            Move::Play(point) => {
                let probability = (m.visits as f32 + m.prior) / (all + 1) as f32;
                Some(Guess { point, probability })
            }
            Move::Pass => None,
        }));
    }

    fn stop_with(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Game;

    #[test]
    fn a_search_is_asked_like_a_model_and_says_the_same_every_time() {
        let asked = Asked::new("zug:playouts=60,hash=1,patterns=off").unwrap();
        assert!(asked.knows_size(5) && asked.name().contains("playouts=60"));
        let game = Go::open("go:5x5").unwrap();
        let mut line = Line::new(game);
        line.play_text("C3").unwrap();
        let (mut guesser, mut first, mut again) = (asked.guesser(), Vec::new(), Vec::new());
        guesser.guess_line(&line, &mut first);
        guesser.guess_line(&line, &mut again);
        assert_eq!(first, again);
        let mut legal = Vec::new();
        line.game().moves(line.position(), &mut legal);
        assert!(first.iter().all(|g| legal.contains(&Move::Play(g.point))));
        let sum: f32 = first.iter().map(|g| g.probability).sum();
        assert!(sum > 0.5 && sum <= 1.001, "{sum}");
    }

    #[test]
    fn a_player_without_a_limit_or_with_bad_options_is_refused() {
        assert!(Asked::new("zug").is_err_and(|e| e.to_string().contains("playouts")));
        assert!(Asked::new("zug:playouts=10,fly=1").is_err());
    }
}

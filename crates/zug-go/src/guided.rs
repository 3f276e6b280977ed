//! Alpha-beta search that looks only where good players would.
//!
//! A Go board offers hundreds of moves and most are absurd. A learned [`Policy`] puts them in order and
//! all but the first few are never searched; the thesis proposes that use of its patterns beside the
//! one in Monte-Carlo search. To ask takes as long as to evaluate dozens of positions, and a search
//! that deepens step by step meets the same positions again and again: answers are remembered.

use crate::engine::open_policy;
use crate::evaluate::Nearness;
use crate::game::Go;
use crate::playout::is_eye;
use crate::point::{Move, Point};
use crate::policy::{Guess, Policy, Scene, sort};
use crate::position::Position;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use zug_core::{Evaluator, Game, Guide, PlayerKind, Scale, Spec};
use zug_search::players::{BadOption, parse_number};
use zug_search::{ChooseGuide, Defaults, pvs_player_with_guides};

/// So many moves are searched unless told otherwise.
const WIDTH: usize = 8;
/// So many likely moves of a position are remembered at least: enough to put them in order.
const REMEMBERED: usize = 40;
/// So many positions are remembered; then all are forgotten at once.
const POSITIONS: usize = 1 << 16;

/// Promise of a move that is e times as likely as another: more than what history can turn over
/// takes a move about 30 times as likely.
const STEP: f32 = 60.0;
/// Moves that nobody guessed, and own eyes.
const UNLIKELY: i32 = -900;
const EYE: i32 = -2000;

/// What a policy said about a position: points and promises, the best first.
type Answer = Arc<[(u16, i32)]>;
/// What an answer depends on: the key of the position and the last two moves.
type Question = (u64, [Option<Point>; 2]);

/// The nearness of stones as evaluation, with a policy that knows where to look.
pub struct Guided {
    policy: Option<Arc<dyn Policy>>,
    width: usize,
    answers: Mutex<HashMap<Question, Answer>>,
}

impl Guided {
    /// Searches so many moves of a position, 0 for all. Without a policy moves are put in order by
    /// hand-made rules.
    #[must_use]
    pub fn new(policy: Option<Arc<dyn Policy>>, width: usize) -> Guided {
        Guided { policy, width, answers: Mutex::default() }
    }

    fn ask(&self, policy: &dyn Policy, game: &Go, scene: Scene<'_>) -> Answer {
        let key = (game.key(scene.position), scene.recent);
        let known = self.answers.lock().ok().and_then(|answers| answers.get(&key).cloned());
        if let Some(answer) = known {
            return answer;
        }
        let mut guesses: Vec<Guess> = Vec::new();
        policy.guesser().guess(scene, &mut guesses);
        let (board, side) = (scene.position.board(), scene.position.to_move());
        guesses.retain(|g| !is_eye(board, g.point, side));
        sort(&mut guesses);
        guesses.truncate(self.width.max(REMEMBERED));
        let promise = |p: f32| ((p.max(1e-6).ln() * STEP) as i32).max(UNLIKELY + 1);
        let answer: Answer = guesses.iter().map(|g| (g.point.0, promise(g.probability))).collect();
        if let Ok(mut answers) = self.answers.lock() {
            if answers.len() >= POSITIONS {
                answers.clear();
            }
            answers.insert(key, Arc::clone(&answer));
        }
        answer
    }
}

impl Evaluator<Go> for Guided {
    fn scale(&self) -> Scale {
        Nearness.scale()
    }
    fn evaluate(&self, game: &Go, position: &Position) -> i32 {
        Nearness.evaluate(game, position)
    }
}

impl Guide<Go> for Guided {
    fn promise(&self, game: &Go, position: &Position, mv: Move) -> i32 {
        Nearness.promise(game, position, mv)
    }

    fn promises(
        &self,
        game: &Go,
        position: &Position,
        path: &[Move],
        moves: &[Move],
        out: &mut Vec<i32>,
    ) {
        out.clear();
        let Some(policy) = &self.policy else {
            out.extend(moves.iter().map(|&mv| self.promise(game, position, mv)));
            return;
        };
        let scene = Scene { position, recent: Scene::last_two(path) };
        let answer = self.ask(&**policy, game, scene);
        let (board, side) = (position.board(), position.to_move());
        // A pass is always one of the moves that are searched: the last of them.
        let pass = match self.width {
            0 => UNLIKELY,
            width => answer.get(width.saturating_sub(2)).map_or(UNLIKELY, |a| a.1),
        };
        out.extend(moves.iter().map(|&mv| match mv {
            Move::Pass => pass,
            Move::Play(p) => match answer.iter().find(|a| a.0 == p.0) {
                Some(answer) => answer.1,
                None if is_eye(board, p, side) => EYE,
                None => UNLIKELY,
            },
        }));
    }

    fn width(&self) -> Option<usize> {
        (self.width > 0).then_some(self.width)
    }
}

const HELP: &str = "model=NAME|FILE|local|none (who knows likely moves; none unless given), width=N \
                    (moves searched in each position, 0 for all; 8 with a model)";

/// The alpha-beta player of Go: `pvs`, `pvs:model=…,width=…`.
#[must_use]
pub fn guided_player(name: &'static str, game: &Go, defaults: Defaults) -> PlayerKind {
    let size = game.rules().size();
    let choose: ChooseGuide<Guided> = Box::new(move |spec: &Spec| {
        let policy = match spec.get("model") {
            None | Some("none") => None,
            Some(model) => {
                let policy = open_policy(size, model);
                Some(policy.map_err(|e| BadOption::new("model", model, e).in_spec(spec))?)
            }
        };
        let usual = if policy.is_some() { WIDTH } else { 0 };
        let width = match spec.get("width") {
            None => usual,
            Some(width) => {
                parse_number("width", width, 0..=1000).map_err(|bad| bad.in_spec(spec))?
            }
        };
        Ok(Arc::new(Guided::new(policy, width)))
    });
    pvs_player_with_guides(name, game, choose, &["model", "width"], HELP, defaults)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Uniform;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use zug_core::{Limits, Line, Watch};
    use zug_search::{Options, Pvs};

    fn guided(width: usize) -> Guided {
        Guided::new(Some(open_policy(9, "local").unwrap()), width)
    }

    fn fight() -> Line<Go> {
        let mut line = Line::new(Go::open("go:9x9").unwrap());
        for mv in ["E5", "D5", "D4", "C4", "C3", "B3"] {
            line.play_text(mv).unwrap();
        }
        line
    }

    fn promises(guide: &Guided, line: &Line<Go>) -> Vec<(Move, i32)> {
        let (mut moves, mut out) = (Vec::new(), Vec::new());
        line.game().moves(line.position(), &mut moves);
        guide.promises(line.game(), line.position(), line.moves(), &moves, &mut out);
        moves.into_iter().zip(out).collect()
    }

    #[test]
    fn moves_are_in_the_order_of_the_policy_and_a_pass_is_never_left_out() {
        let (line, guide) = (fight(), guided(5));
        let mut guesses = Vec::new();
        guide.policy.as_ref().unwrap().guesser().guess(Scene::of_line(&line), &mut guesses);
        sort(&mut guesses);
        let mut promised = promises(&guide, &line);
        promised.sort_by_key(|p| std::cmp::Reverse(p.1));
        let first: Vec<Move> = promised.iter().map(|p| p.0).take(5).collect();
        assert!(first.contains(&Move::Pass), "{first:?}");
        let best = Move::Play(guesses[0].point);
        assert_eq!(first[0], best);
        assert_eq!(promises(&guide, &line), promises(&guided(5), &line), "remembered or asked");
    }

    #[test]
    fn own_eyes_come_last() {
        let game = Go::open("go:5x5").unwrap();
        let position = game.read_position("1X1X1/XXXXX/1X1X1/5/5 black").unwrap();
        let line = Line::from_position(game, position);
        let guide = Guided::new(Some(Arc::new(Uniform)), 0);
        let eye = Move::Play(Point::at(0, 0));
        for (mv, promise) in promises(&guide, &line) {
            assert_eq!(
                promise == EYE,
                is_eye(
                    line.position().board(),
                    match mv {
                        Move::Play(p) => p,
                        Move::Pass => continue,
                    },
                    line.position().to_move()
                ),
                "{mv:?}"
            );
            assert!(mv != eye || promise == EYE);
        }
    }

    /// Counts how often it is asked.
    struct Counting(Arc<AtomicUsize>);

    impl Policy for Counting {
        fn name(&self) -> String {
            "counting".to_string()
        }
        fn knows_size(&self, _: usize) -> bool {
            true
        }
        fn guesser(&self) -> Box<dyn crate::policy::Guesser + '_> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Uniform.guesser()
        }
    }

    fn search(guide: Guided, line: &Line<Go>, depth: u32) -> zug_search::SearchResult<Go> {
        let mut search = Pvs::new(Arc::new(guide), Options::default());
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut ignore = |_: &zug_core::Info| {};
        search.search(line, &limits, &mut Watch::new(Arc::default(), &mut ignore)).unwrap()
    }

    #[test]
    fn a_narrow_search_meets_few_positions_and_knows_that_it_is_not_certain() {
        let line = fight();
        let narrow = search(guided(4), &line, 4);
        assert!(narrow.nodes <= 1 + 4 + 16 + 64 + 4 * 256, "{} nodes", narrow.nodes);
        assert!(!narrow.complete);
        let wide = search(guided(0), &line, 2);
        assert!(wide.nodes > 80, "{} nodes", wide.nodes);
    }

    #[test]
    fn a_policy_is_asked_once_about_a_position() {
        let (line, asked) = (fight(), Arc::new(AtomicUsize::new(0)));
        let guide = Guided::new(Some(Arc::new(Counting(Arc::clone(&asked)))), 3);
        let first = promises(&guide, &line);
        assert_eq!(promises(&guide, &line), first);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        let mut longer = line.clone();
        longer.play_text("pass").unwrap();
        promises(&guide, &longer);
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }
}

//! Othello: rules on bitboards, records, evaluation.
//!
//! Play on the typed side, where positions are two words and moves are bytes:
//!
//! ```
//! use zug_core::{Game, Line, Side};
//! use zug_othello::{Move, Othello};
//!
//! let mut line = Line::new(Othello::default());
//! for mv in ["f5", "d6", "C3"] {
//!     line.play_text(mv)?;
//! }
//! assert_eq!(line.to_move(), Side::Second);
//! assert_eq!(line.position().lead(), 3); // five black discs, two white ones
//! assert_eq!(line.moves()[0], Move::at(4, 5).unwrap());
//! assert_eq!(
//!     line.game().write_position(line.position()),
//!     "------------------X--------XX------OXX-----O-------------------- O",
//! );
//! # Ok::<(), zug_core::TextError>(())
//! ```
//!
//! Read games, one at a time from a stream of any length, with the passes put back:
//!
//! ```
//! use zug_othello::{Othello, records::transcript};
//!
//! let file = "# two games\nf5d6c3d3c4\nF5 F6 E6 F4\n";
//! for record in transcript::Reader::new(Othello::default(), file.as_bytes()) {
//!     assert!(record?.moves.len() >= 4);
//! }
//! # Ok::<(), zug_othello::records::StreamError>(())
//! ```
//!
//! Judge a position by hand, in hundredths of a disc for the side to move:
//!
//! ```
//! use zug_core::{Evaluator, Game};
//! use zug_othello::{HandEvaluator, Othello};
//!
//! let game = Othello::default();
//! let with_corner = game.read_position(
//!     "XXX------XO-----X--O-------OX------XO--------------------------- X")?;
//! assert!(HandEvaluator::new(&game).evaluate(&game, &with_corner) > 500);
//! # Ok::<(), zug_core::TextError>(())
//! ```
//!
//! | module | answers |
//! |---|---|
//! | [`bits`] | where may a disc go, and what does it turn over? |
//! | [`position`] | what is a position, and how is it written? |
//! | [`perft`] | how many leaves has the move tree? |
//! | [`tempo`] | does an evaluation favour the side to move? |
//! | [`stability`] | which discs can never be turned over again? |
//! | [`records`] | how are games written down? |
//! | [`examples`] | which positions are evaluations learned from, and what are they worth? |
//! | [`thesis`] | the features, tables and discriminants of LOGISTELLO |
//! | [`patterns`] | sets of squares, and the model that is a sum of table cells |
//! | [`joint`] | how are all cells fitted together? |
//! | [`engine`] | which move is best, within limits? |
//! | [`models`] | which learned models are there? |
//! | [`probcut`] | how well does a shallow search foretell a deep one? |
//! | [`selfplay`] | what is learned by playing against oneself? |
//! | [`solve`] | what is a late position worth exactly? |

pub mod bits;
mod board;
mod buckets;
#[cfg(feature = "chores")]
pub mod chores;
pub mod engine;
mod eval;
mod exact;
pub mod examples;
pub mod joint;
mod learner;
pub mod models;
mod mv;
#[cfg(test)]
mod naive;
pub mod patterns;
pub mod perft;
pub mod position;
pub mod probcut;
pub mod records;
mod rollout;
mod rules;
pub mod selfplay;
pub mod solve;
pub mod stability;
pub mod tempo;
pub mod thesis;

pub use board::Board;
pub use eval::{HandEvaluator, TERM_NAMES, TERMS};
pub use models::{AnyModel, open_model};
pub use mv::Move;
pub use position::Position;
pub use rollout::RandomPlay;
pub use rules::Othello;

use engine::{AnyGuide, engine_player};
use records::{ggf::Ggf, transcript::Transcripts, wthor::Wthor};
use std::sync::Arc;
use zug_core::{Capability, GameEntry, Scale, Spec, TextError};
use zug_search::{Defaults, mcts_player, pvs_player_with_guides, random_player};

/// Opens `othello`, `othello:6x6` or `othello:4x4`, with everything that the workbench can do
/// with it.
///
/// ```
/// let entry = zug_othello::open(&zug_core::Spec::parse("othello:6x6")?)?;
/// assert_eq!(entry.game.title(), "Othello 6×6");
/// # Ok::<(), zug_core::TextError>(())
/// ```
pub fn open(options: &Spec) -> Result<GameEntry, TextError> {
    let game = game_of(options)?;
    let squares = u32::from(game.size()) * u32::from(game.size());
    let defaults = Defaults { moves_in_game: squares / 2 - 2 };
    let general = |name| {
        pvs_player_with_guides(
            name,
            &game,
            Box::new(move |spec| match spec.get("model") {
                None => Ok(Arc::new(AnyGuide::Hand(HandEvaluator::new(&game)))),
                Some(_) => AnyGuide::choose(&game, spec),
            }),
            &["model"],
            "model=NAME|FILE (a learned evaluation; without one it is made by hand)",
            defaults,
        )
    };
    // The engine knows the full board only.
    let best = if game.size() == 8 { engine_player("zug") } else { general("zug") };
    let entry = GameEntry::new(game)
        .symmetric(&game)
        .with_extension(zug_book::Places::symmetric(&game))
        .with_extension(Scale::Discs)
        .with_capability(Capability::Evaluation)
        .with_player(best)
        .with_player(general("pvs"))
        .with_player(mcts_player("mcts", &game, Arc::new(RandomPlay), defaults))
        .with_player(random_player(&game))
        .with_format(Ggf { game })
        .with_format(Transcripts { game });
    Ok(if game.size() == 8 {
        let learner = zug_learn::face::Learner::new(learner::OthelloLearner);
        let exact = zug_core::exact::ExactSearch::new(exact::OthelloExact);
        let self_play = zug_learn::td::face::SelfPlay::new(selfplay::OthelloSelfPlay);
        entry
            .with_player(selfplay::othilie::player::othilie_player())
            .with_format(Wthor)
            .with_extension(learner)
            .with_extension(self_play)
            .with_extension(exact)
    } else {
        entry
    })
}

/// The board that a spec asks for.
fn game_of(options: &Spec) -> Result<Othello, TextError> {
    match options.options.as_slice() {
        [] => Ok(Othello::default()),
        [(key, size)] if key.is_empty() => {
            let side = match size.to_lowercase().as_str() {
                "8x8" | "8" => 8,
                "6x6" | "6" => 6,
                "4x4" | "4" => 4,
                _ => 0,
            };
            Othello::with_size(side).ok_or_else(|| {
                let byte = options.name.len() + 1;
                TextError::new(byte, "a board of 4x4, 6x6 or 8x8", format!("'{size}'"))
            })
        }
        _ => {
            options.only(&[""])?;
            let byte = options.name.len() + 1;
            Err(TextError::new(byte, "one board size", format!("'{options}'")))
        }
    }
}

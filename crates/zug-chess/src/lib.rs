//! Chess: the rules, every usual notation, and a hand-made evaluation.
//!
//! ```
//! use zug_chess::Chess;
//! use zug_core::Line;
//!
//! let mut line = Line::new(Chess::new());
//! for mv in ["f3", "e5", "g2g4", "Qh4#"] {
//!     line.play_text(mv)?; // SAN and UCI are both read
//! }
//! assert_eq!(line.outcome().unwrap().reason, "checkmate");
//! assert_eq!(line.move_texts(), ["f2f3", "e7e5", "g2g4", "d8h4"]);
//! # Ok::<(), zug_core::TextError>(())
//! ```
//!
//! | module | answers |
//! |---|---|
//! | [`fen`], [`epd`] | how is a position written, and what is known about it? |
//! | [`uci`], [`san`] | how is a move written, for engines and for people? |
//! | [`pgn`] | how is a game written? |
//! | [`perft`] | how many move sequences are there? |
//! | [`endings`] | which positions are there with a few men, and what led to them? |
//! | [`attacks`] | which squares does a rook or bishop attack, by two ways? |
//! | [`suite`] | which moves solve a test position? |
//! | [`engine`] | which move is best? |
//! | [`eval`], [`see`] | what is a position worth, and what a capture? |
//!
//! Games and positions go in and out of text:
//!
//! ```
//! use zug_chess::{Pgn, epd};
//! use zug_core::RecordFormat;
//!
//! let records = Pgn.read(b"[White \"Ann\"]\n\n1. e4 e5 2. Ke2?! {why?} 1/2-1/2\n");
//! let record = records[0].as_ref().unwrap();
//! assert_eq!(record.tag("White"), Some("Ann"));
//! assert_eq!(record.moves[2].text, "e1e2");
//! assert_eq!(record.moves[2].comment.as_deref(), Some("why?"));
//! let text = String::from_utf8(Pgn.write(&[record.clone()])?).unwrap();
//! assert!(text.ends_with("1. e4 e5 2. Ke2 {why?} 1/2-1/2\n\n"));
//!
//! let test = epd::parse("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"back row\";")?;
//! assert_eq!(test.moves("bm")?.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! And the workbench opens the game by its name:
//!
//! ```
//! use zug_core::Spec;
//! let entry = zug_chess::open(&Spec::parse("chess:960=0")?)?;
//! assert_eq!(entry.game.title(), "Chess960, position 0");
//! # Ok::<(), zug_core::TextError>(())
//! ```

pub mod attacks;
mod checks;
#[cfg(feature = "chores")]
pub mod chores;
pub mod endings;
pub mod engine;
pub mod epd;
pub mod eval;
pub mod factors;
pub mod fen;
mod guide;
mod learner;
pub mod model;
pub mod models;
mod oracle;
pub mod perft;
pub mod pgn;
mod position;
mod rules;
pub mod san;
pub mod see;
pub mod suite;
pub mod td;
pub mod texel;
pub mod types;
pub mod uci;

pub use cozy_chess::{Board, Color, Move, Piece, Square};
pub use eval::HandMade;
pub use pgn::Pgn;
pub use position::{Position, side_of};
pub use rules::{Chess, Draws};

use std::sync::Arc;
use zug_core::{Capability, GameEntry, Spec, TextError};
use zug_search::Defaults;

/// How long a game of chess lasts, for the clock.
const DEFAULTS: Defaults = Defaults { moves_in_game: 40 };

/// Opens the game for the workbench: `chess`, `chess:960=N`, `chess:start=FEN`,
/// `chess:draws=claimed`, and the endings `chess:KRvKN` and `chess:men=N`.
pub fn open(options: &Spec) -> Result<GameEntry, TextError> {
    let chess = Chess::from_spec(options)?;
    let guide = Arc::new(HandMade);
    let (open, hand_made) = (oracle::open_oracle(), guide.clone());
    let search = |name| {
        let (guide, open) = (hand_made.clone(), open.clone());
        zug_search::pvs_player_with_oracle(name, &chess, guide, DEFAULTS, open)
    };
    let mut entry = GameEntry::new(chess.clone());
    // Counts of chess go on where draw rules end a game, so the general check does not fit.
    entry.checks.retain(|check| check.name != "perft");
    if chess.scope().is_some() {
        entry = endings::solvable(entry, &chess);
    } else {
        entry = entry.with_extension(endings::ending_of());
    }
    Ok(entry
        .with_capability(Capability::Evaluation)
        .with_extension(zug_book::Places::plain(&chess))
        .with_extension(zug_core::Scale::Pawns)
        .with_extension(engine::BENCH)
        .with_extension(engine::CHANCES)
        .with_extension(engine::elo_range())
        .with_extension(zug_learn::td::face::SelfPlay::new(td::ChessSelfPlay))
        .with_extension(zug_learn::face::Learner::new(learner::ChessLearner))
        .with_player(td::session::learning(engine::engine_player("zug")))
        .with_player(search("pvs"))
        .with_player(zug_search::mcts_player("mcts", &chess, guide, DEFAULTS))
        .with_player(zug_search::random_player(&chess))
        .with_format(Pgn)
        .with_check(checks::perft(&chess))
        .with_check(checks::text(&chess)))
}

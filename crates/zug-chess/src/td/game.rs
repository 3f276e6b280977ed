//! How is a game played that is learned from, or that tests what was learned?
//!
//! One side (or both) is the engine with the learner's weights, whose thoughts are noted; the other
//! is any player. What a player does wrong ends the game as a broken one, with the reason.

use super::notes::{GameNotes, Noted};
use crate::engine::{self, Engine, Root, Techniques, Wish};
use crate::model::Fast;
use crate::pgn::{PgnGame, PgnMove};
use crate::position::side_of;
use crate::rules::Chess;
use cozy_chess::Color;
use std::sync::Arc;
use zug_core::error::shorten;
use zug_core::{Limits, Line, Outcome, Player, RecordResult, StopFlag, Watch};

/// The memory of an engine that thinks for so short a time.
const HASH: usize = 1 << 20;

/// An engine with the learner's weights.
pub fn thinker(fast: &Fast, search: &str) -> Result<Engine<Fast>, engine::NoMemory> {
    let techniques = Techniques::named(search).unwrap_or_default();
    let settings = engine::Settings { techniques, hash: HASH, ..engine::Settings::default() };
    Engine::new(Arc::new(fast.clone()), settings)
}

/// Who sits at the board.
pub enum Seat {
    /// The learner, or a copy of it, searching so many positions a move.
    Thinker(Box<Engine<Fast>>, u64),
    /// Anybody else. So many positions a move, unless it has limits of its own.
    Player(Box<dyn Player>, u64),
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// By the rules, or a player gave up.
    Over(Outcome),
    /// Broken off after too many plies.
    TooLong,
    /// This player crashed, played an illegal move or did not answer.
    Broken(Color, String),
    /// Asked to stop in the middle.
    Stopped,
}

/// A played game.
pub struct Played {
    /// All of it.
    pub line: Line<Chess>,
    /// What the thinkers thought, White first; empty for other players.
    pub thoughts: [Vec<Noted>; 2],
    /// How it ended.
    pub end: End,
}

/// Plays a game on from where `line` stands.
pub fn play(
    mut line: Line<Chess>,
    seats: [&mut Seat; 2],
    most_plies: usize,
    stop: &StopFlag,
) -> Played {
    let mut thoughts = [Vec::new(), Vec::new()];
    let end = play_on(&mut line, seats, most_plies, stop, &mut thoughts);
    Played { line, thoughts, end }
}

fn play_on(
    line: &mut Line<Chess>,
    mut seats: [&mut Seat; 2],
    most_plies: usize,
    stop: &StopFlag,
    thoughts: &mut [Vec<Noted>; 2],
) -> End {
    for (seat, color) in seats.iter_mut().zip([Color::White, Color::Black]) {
        if let Seat::Player(player, _) = seat
            && let Err(error) = player.new_game(line)
        {
            return End::Broken(color, error.to_string());
        }
    }
    let end = loop {
        if let Some(outcome) = line.outcome() {
            break End::Over(outcome);
        }
        if stop.is_set() {
            return End::Stopped;
        }
        if line.moves().len() >= most_plies {
            break End::TooLong;
        }
        let color = line.position().color();
        let mv = match &mut *seats[color as usize] {
            Seat::Thinker(engine, nodes) => {
                let keys = line.keys();
                let root = Root {
                    position: line.position().clone(),
                    earlier: keys[..keys.len() - 1].to_vec(),
                };
                let wish = Wish { nodes: Some(*nodes), ..Wish::default() };
                let thought = engine.search(&root, &wish, stop, &mut |_| {});
                if stop.is_set() {
                    return End::Stopped;
                }
                let depth = thought.depth;
                let Some(found) = thought.lines.into_iter().next() else {
                    return End::Broken(color, "no move was found".to_string());
                };
                let mv = found.moves[0];
                thoughts[color as usize].push(Noted {
                    ply: line.moves().len(),
                    score: found.score,
                    line: found.moves,
                    depth,
                    clocks: [0, 0],
                });
                mv
            }
            Seat::Player(player, nodes) => {
                let limits = Limits { nodes: Some(*nodes), ..Limits::default() };
                let mut ignore = |_: &zug_core::Info| {};
                let mut watch = Watch::new(stop.shared(), &mut ignore);
                match player.choose(line, &limits, &mut watch) {
                    Err(_) if stop.is_set() => return End::Stopped,
                    Err(error) => break End::Broken(color, error.to_string()),
                    Ok(choice) if choice.resigns => {
                        break End::Over(Outcome::win(side_of(!color), "resignation"));
                    }
                    Ok(choice) => match read(line, &choice.mv) {
                        Ok(mv) => mv,
                        Err(reason) => break End::Broken(color, reason),
                    },
                }
            }
        };
        line.play(mv);
    };
    let told = match &end {
        End::Over(outcome) => Some(outcome),
        _ => None,
    };
    for seat in seats {
        if let Seat::Player(player, _) = seat {
            player.game_over(line, told);
        }
    }
    end
}

fn read(line: &Line<Chess>, text: &str) -> Result<cozy_chess::Move, String> {
    use zug_core::Game as _;
    line.game()
        .read_move(line.position(), text)
        .map_err(|e| format!("illegal move '{}': {e}", shorten(text)))
}

impl Played {
    /// What one side remembers.
    #[must_use]
    pub fn notes(&self, own: Color) -> GameNotes {
        GameNotes {
            start: self.line.positions()[0].clone(),
            own,
            moves: self.line.moves().to_vec(),
            thoughts: self.thoughts[own as usize].clone(),
        }
    }

    /// Half points of one side: 2, 1 or 0; a broken game is lost by who broke it.
    #[must_use]
    pub fn half_points(&self, of: Color) -> usize {
        let winner = match &self.end {
            End::Over(outcome) => outcome.winner,
            End::Broken(by, _) => Some(side_of(!*by)),
            End::TooLong | End::Stopped => None,
        };
        match winner {
            None => 1,
            Some(side) if side == side_of(of) => 2,
            Some(_) => 0,
        }
    }

    /// The game as PGN, with the scores of the thinkers (White's view).
    #[must_use]
    pub fn pgn(&self, tags: &[(&str, String)]) -> String {
        let mut game = PgnGame {
            tags: tags.iter().map(|(k, v)| (k.to_string(), v.clone())).collect(),
            start: self.line.positions()[0].clone(),
            ..PgnGame::new()
        };
        game.main.moves = self.line.moves().iter().map(|&mv| PgnMove::new(mv)).collect();
        for (color, thoughts) in [Color::White, Color::Black].into_iter().zip(&self.thoughts) {
            for noted in thoughts {
                let score = if color == Color::White { noted.score } else { -noted.score };
                game.main.moves[noted.ply].comments.push(score.to_string());
            }
        }
        game.result = match &self.end {
            End::Over(outcome) => RecordResult::from(*outcome),
            _ => RecordResult::Unknown,
        };
        game.to_string()
    }

    /// How it ended, in words.
    #[must_use]
    pub fn reason(&self) -> String {
        match &self.end {
            End::Over(outcome) => outcome.reason.to_string(),
            End::TooLong => "too many plies".to_string(),
            End::Broken(color, reason) => format!("{}: {reason}", color_word(*color)),
            End::Stopped => "stopped".to_string(),
        }
    }
}

/// `white` or `black`.
#[must_use]
pub fn color_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

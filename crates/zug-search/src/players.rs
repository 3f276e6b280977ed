//! Searches as players: options read from a spec, limits put together, moves written as text.
//!
//! Limits come from two sides. What a player's spec says (`zug:depth=8`) replaces the depth, nodes
//! and time that the caller asks for; a game clock stays in force, because it is a rule of the
//! match and no wish. When neither sets a limit the player thinks until it is stopped.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use zug_core::error::shorten;
use zug_core::limits::parse_duration;
use zug_core::{AnyLine, Game, Limits, Line, PlayerError, Spec, TextError, erased};

/// The line behind an [`AnyLine`], or the reason why this player cannot play it.
pub fn line_of<G: Game>(line: &dyn AnyLine) -> Result<&Line<G>, PlayerError> {
    erased::downcast(line)
        .ok_or_else(|| PlayerError::Unsupported(format!("a line of {}", line.spec())))
}

/// The moves that may be chosen: legal, history included, and among those that were asked for.
/// Never none.
pub fn allowed_moves<G: Game>(
    line: &Line<G>,
    limits: &Limits,
) -> Result<Vec<G::Move>, PlayerError> {
    let mut moves = line.legal_moves();
    if moves.is_empty() {
        return Err(PlayerError::Unsupported("the game has ended".to_string()));
    }
    if !limits.only.is_empty() {
        let mut only = Vec::new();
        for text in &limits.only {
            let mv = line.game().read_move(line.position(), text);
            only.push(mv.map_err(|e| PlayerError::Illegal(e.to_string()))?);
        }
        moves.retain(|mv| only.contains(mv));
        if moves.is_empty() {
            let asked = limits.only.join(" ");
            return Err(PlayerError::Illegal(format!("none of '{asked}' is legal here")));
        }
    }
    Ok(moves)
}

/// Moves that follow each other, in notation.
pub fn write_line<G: Game>(line: &Line<G>, moves: &[G::Move]) -> Vec<String> {
    let game = line.game();
    let mut position = line.position().clone();
    moves
        .iter()
        .map(|&mv| {
            let text = game.write_move(&position, mv);
            game.play(&mut position, mv);
            text
        })
        .collect()
}

/// An option with a value that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOption {
    name: String,
    expected: String,
    value: String,
}

impl BadOption {
    /// This option cannot have this value; what it can have.
    pub fn new(name: &str, value: &str, expected: impl Into<String>) -> BadOption {
        BadOption { name: name.to_string(), expected: expected.into(), value: shorten(value) }
    }

    /// As an error in the text of a spec.
    pub fn in_spec(self, spec: &Spec) -> TextError {
        let expected = format!("{} for '{}'", self.expected, self.name);
        TextError::new(spec.name.len() + 1, expected, format!("'{}'", self.value))
    }
}

impl From<BadOption> for PlayerError {
    fn from(bad: BadOption) -> PlayerError {
        let BadOption { name, expected, value } = bad;
        PlayerError::Option(format!("expected {expected} for '{name}', found '{value}'"))
    }
}

/// The options of a player, by name. The same code reads a spec and changes a running player.
pub trait Configure {
    /// The names, for messages and help.
    const NAMES: &'static [&'static str];

    /// Sets an option; the name is in small letters.
    fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption>;

    /// Sets all options of a spec.
    fn set_all(&mut self, spec: &Spec) -> Result<(), TextError> {
        spec.only(Self::NAMES)?;
        for (name, value) in &spec.options {
            self.set(name, value).map_err(|bad| bad.in_spec(spec))?;
        }
        Ok(())
    }

    /// Sets an option of a running player; names may be written in any case.
    fn set_running(&mut self, player: &str, name: &str, value: &str) -> Result<(), PlayerError> {
        let small = name.to_ascii_lowercase();
        if !Self::NAMES.contains(&small.as_str()) {
            let known = Self::NAMES.join(", ");
            return Err(PlayerError::Option(format!(
                "{player} has no option '{}' ({known})",
                shorten(name)
            )));
        }
        Ok(self.set(&small, value)?)
    }
}

/// The limits that a player sets for itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnLimits(Limits);

impl OwnLimits {
    /// Sets `depth`, `nodes` or `playouts`; any other name is taken for a time.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        match name {
            "depth" => self.0.depth = Some(parse_number(name, value, 1..=10_000)?),
            "nodes" | "playouts" => self.0.nodes = Some(parse_number(name, value, 1..=u64::MAX)?),
            _ => {
                let expected = "a duration such as 50ms, 2s or 1m";
                let time = parse_duration(value);
                self.0.movetime = Some(time.ok_or_else(|| BadOption::new(name, value, expected))?);
            }
        }
        Ok(())
    }

    /// Together with what the caller asks for.
    pub fn over(&self, asked: &Limits) -> Limits {
        if !self.0.is_bounded() {
            return asked.clone();
        }
        Limits {
            clock: asked.clock,
            lines: asked.lines,
            only: asked.only.clone(),
            ..self.0.clone()
        }
    }
}

/// Reads a number that has a smallest and a largest value.
pub fn parse_number<T: FromStr + PartialOrd + Display>(
    name: &str,
    value: &str,
    range: RangeInclusive<T>,
) -> Result<T, BadOption> {
    let expected = || format!("a number from {} to {}", range.start(), range.end());
    value
        .trim()
        .parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| BadOption::new(name, value, expected()))
}

/// Reads a switch.
pub fn parse_switch(name: &str, value: &str) -> Result<bool, BadOption> {
    match value.trim().to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => Ok(true),
        "off" | "false" | "no" | "0" => Ok(false),
        _ => Err(BadOption::new(name, value, "on or off")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use zug_core::Clock;

    #[test]
    fn own_limits_replace_wishes_but_not_the_clock() {
        let clock = Some(Clock { remaining: [Duration::from_secs(9); 2], ..Clock::default() });
        let asked = Limits {
            depth: Some(9),
            movetime: Some(Duration::from_secs(1)),
            clock,
            lines: 3,
            ..Limits::default()
        };
        let mut own = OwnLimits::default();
        assert_eq!(own.over(&asked), asked);
        own.set("nodes", "500").unwrap();
        let both = own.over(&asked);
        assert_eq!((both.depth, both.movetime, both.nodes), (None, None, Some(500)));
        assert_eq!((both.clock, both.lines), (clock, 3));
    }

    #[test]
    fn bad_values_are_named() {
        let bad = parse_number("hash", "many", 1..=8).unwrap_err();
        let spec = Spec::parse("zug:hash=many").unwrap();
        assert_eq!(
            bad.clone().in_spec(&spec).to_string(),
            "byte 4: expected a number from 1 to 8 for 'hash', found 'many'"
        );
        assert!(PlayerError::from(bad).to_string().contains("found 'many'"));
        assert!(parse_number("hash", "9", 1..=8).is_err());
        assert!(parse_switch("null", "maybe").is_err());
        assert_eq!(parse_switch("null", "OFF"), Ok(false));
    }
}

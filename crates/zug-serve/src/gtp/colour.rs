//! Whose move is it, in GTP's words? Colours in and out for every game.

use zug_core::{AnyGame, Side};

/// What a game calls its sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Colours {
    names: [&'static str; 2],
}

impl Colours {
    pub(super) fn of(game: &dyn AnyGame) -> Colours {
        Colours { names: Side::BOTH.map(|side| game.side_name(side)) }
    }

    /// Reads a colour: a side's own name or its beginning, `black`/`b` or `white`/`w`. In a game
    /// whose sides are neither black nor white, black is the side that moves first.
    pub(super) fn read(self, text: &str) -> Result<Side, String> {
        let word = text.to_lowercase();
        let named = |fits: &dyn Fn(&str) -> bool| {
            let mut sides = Side::BOTH
                .into_iter()
                .filter(|side| fits(&self.names[side.index()].to_lowercase()));
            // A beginning that both names share says nothing.
            sides.next().filter(|_| sides.next().is_none())
        };
        named(&|name| name == word)
            .or_else(|| match word.as_str() {
                "b" | "black" => Some(self.black()),
                "w" | "white" => Some(self.black().other()),
                "" => None,
                _ => named(&|name| name.starts_with(&word)),
            })
            .ok_or_else(|| {
                let [first, second] = self.names;
                format!("syntax error: expected a colour ({first} or {second}), found '{text}'")
            })
    }

    /// The side that GTP calls black.
    fn black(self) -> Side {
        let is = |side: Side, name| self.names[side.index()].eq_ignore_ascii_case(name);
        if is(Side::Second, "black") || is(Side::First, "white") {
            Side::Second
        } else {
            Side::First
        }
    }

    /// `B` or `W`.
    pub(super) fn letter(self, side: Side) -> char {
        if side == self.black() { 'B' } else { 'W' }
    }

    /// What the game calls a side.
    pub(super) fn name(self, side: Side) -> &'static str {
        self.names[side.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(first: &'static str, second: &'static str, text: &str) -> Option<Side> {
        Colours { names: [first, second] }.read(text).ok()
    }

    #[test]
    fn sides_are_known_by_their_names_and_by_black_and_white() {
        assert_eq!(read("black", "white", "B"), Some(Side::First));
        assert_eq!(read("black", "white", "white"), Some(Side::Second));
        assert_eq!(read("black", "white", "blue"), None);
        assert_eq!(read("white", "black", "b"), Some(Side::Second));
        assert_eq!(read("left", "right", "R"), Some(Side::Second));
        assert_eq!(read("left", "right", "black"), Some(Side::First));
        assert_eq!(read("left", "right", ""), None);
        assert_eq!(read("north", "nadir", "n"), None);
    }

    #[test]
    fn results_name_the_colours_of_the_protocol() {
        assert_eq!(Colours { names: ["white", "black"] }.letter(Side::First), 'W');
        assert_eq!(Colours { names: ["left", "right"] }.letter(Side::First), 'B');
    }
}

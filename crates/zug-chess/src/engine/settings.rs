//! How does the engine search: which techniques, how much memory, how many threads?
//!
//! Every technique is a switch with a name, so that its worth can be measured by playing with it
//! against without it. Two sets of switches have names of their own: [`Techniques::modern`], and
//! [`Techniques::thesis`], the search of the thesis on learning chess programs by temporal
//! differences.

use std::fmt;

macro_rules! techniques {
    ($($(#[doc = $doc:literal])+ $field:ident: $name:literal, modern $modern:literal, thesis $thesis:literal;)*) => {
        /// The switches of the search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Techniques {
            $($(#[doc = $doc])+ pub $field: bool,)*
        }

        impl Techniques {
            /// The names of all switches, in the order of the fields.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];

            /// Everything that makes the engine strong.
            #[must_use]
            pub const fn modern() -> Techniques {
                Techniques { $($field: $modern,)* }
            }

            /// The search of the thesis: plain alpha-beta, null move, a table with three kinds of
            /// entries, killers, captures by victim and attacker, a window of ±5 about the last
            /// own score, quiescence with captures and checks. (Mate is seen at the node, which
            /// the thesis names as a flaw of its program.)
            #[must_use]
            pub const fn thesis() -> Techniques {
                Techniques { $($field: $thesis,)* }
            }

            /// The switch of this name.
            pub fn switch(&mut self, name: &str) -> Option<&mut bool> {
                match name {
                    $($name => Some(&mut self.$field),)*
                    _ => None,
                }
            }

            /// Names and states.
            pub fn each(&self) -> impl Iterator<Item = (&'static str, bool)> {
                [$(($name, self.$field),)*].into_iter()
            }
        }
    };
}

techniques! {
    /// Values and moves are remembered in the transposition table. (Without it nothing is
    /// remembered but the principal variation.)
    table: "table", modern true, thesis true;
    /// The static evaluation is taken from the table, and made better by the value there.
    table_eval: "table-eval", modern true, thesis false;
    /// A bound from the table that does not cut makes the window narrower (thesis 3.7).
    narrowing: "narrowing", modern false, thesis true;
    /// Moves after the first are only shown to be no better, with a window of nothing.
    pvs: "pvs", modern true, thesis false;
    /// The search begins with a narrow window about the last score.
    aspiration: "aspiration", modern true, thesis true;
    /// That score is the one of the last own move in the game, not that of the last iteration.
    own_score: "own-score", modern false, thesis true;
    /// A side that stands well even if it does nothing is cut off.
    null_move: "null", modern true, thesis true;
    /// With a fixed reduction of two plies instead of one that grows.
    null_plain: "null-plain", modern false, thesis true;
    /// A cut-off by the null move deep in the tree is checked by a search without it.
    null_verify: "null-verify", modern true, thesis false;
    /// Late moves are searched less deep first.
    reductions: "lmr", modern true, thesis false;
    /// Late quiet moves are left out near the horizon.
    late_moves: "lmp", modern true, thesis false;
    /// A side that stands far above the window is cut off near the horizon.
    reverse_futility: "rfp", modern true, thesis false;
    /// But not where the opponent threatens to mate by the next move. (It solves more puzzles and
    /// loses some twenty Elo.)
    mate_threats: "mate-threats", modern false, thesis false;
    /// Quiet moves that cannot reach the window are left out near the horizon.
    futility: "futility", modern true, thesis false;
    /// A side that stands far below the window goes to quiescence at once.
    razoring: "razoring", modern true, thesis false;
    /// A capture that wins much, shown by a shallower search, cuts off.
    probcut: "probcut", modern true, thesis false;
    /// Moves that lose material by exchange are left out near the horizon.
    see_pruning: "see-pruning", modern true, thesis false;
    /// Captures that lose material by exchange come last.
    see_order: "see-order", modern true, thesis false;
    /// Quiet moves that give check come early, and checks that give up material are not left out.
    check_order: "check-order", modern true, thesis false;
    /// Quiet moves with a bad history are left out near the horizon.
    history_pruning: "history-pruning", modern true, thesis false;
    /// Quiet moves that cut off at the same ply elsewhere come early.
    killers: "killers", modern true, thesis true;
    /// The quiet move that answered the last move well elsewhere comes early.
    counter_moves: "counter", modern true, thesis false;
    /// Quiet moves are ordered by how often they cut off.
    history: "history", modern true, thesis false;
    /// The same, in answer to the last moves of both sides.
    continuation: "continuation", modern true, thesis false;
    /// Captures are ordered by how often they cut off, too.
    capture_history: "capture-history", modern true, thesis false;
    /// The evaluation is corrected by what searches of like pawn structures found, for the
    /// decisions of the search, never for its values.
    correction: "correction", modern true, thesis false;
    /// Without a move from the table a node is searched less deep.
    internal_reduction: "iir", modern true, thesis false;
    /// A side in check is searched one ply deeper.
    check_extension: "check-extension", modern true, thesis false;
    /// A move that alone holds the value is searched one ply deeper, or two.
    singular: "singular", modern true, thesis false;
    /// Captures are played out before a position is evaluated.
    quiescence: "quiescence", modern true, thesis true;
    /// Checks too, in the first ply.
    quiescence_checks: "quiescence-checks", modern true, thesis true;
    /// Captures that cannot reach the window are left out in quiescence.
    delta: "delta", modern true, thesis false;
    /// A mate found nearer the root ends the search for longer ones.
    mate_distance: "mate-distance", modern true, thesis false;
}

impl Techniques {
    /// A named set of switches: `modern` or `thesis`.
    #[must_use]
    pub fn named(name: &str) -> Option<Techniques> {
        match name {
            "modern" => Some(Techniques::modern()),
            "thesis" => Some(Techniques::thesis()),
            _ => None,
        }
    }
}

impl Techniques {
    /// The same without whatever may leave out a mate inside the searched depth.
    #[must_use]
    pub const fn thorough(self) -> Techniques {
        Techniques {
            aspiration: false,
            null_move: false,
            reductions: false,
            late_moves: false,
            reverse_futility: false,
            futility: false,
            razoring: false,
            probcut: false,
            see_pruning: false,
            history_pruning: false,
            internal_reduction: false,
            singular: false,
            delta: false,
            check_extension: true,
            ..self
        }
    }
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques::modern()
    }
}

/// The names of what is on, with spaces between.
impl fmt::Display for Techniques {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on: Vec<&str> = self.each().filter(|&(_, on)| on).map(|(name, _)| name).collect();
        f.write_str(&on.join(" "))
    }
}

/// How an engine works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The switches.
    pub techniques: Techniques,
    /// The memory of the transposition table, in bytes.
    pub hash: usize,
    /// How many threads search. One thread finds the same each time; several do not.
    pub threads: usize,
    /// What a draw is worth less than nothing to the side to move at the root, in hundredths.
    pub contempt: i32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { techniques: Techniques::modern(), hash: 16 << 20, threads: 1, contempt: 0 }
    }
}

impl Settings {
    /// The settings with the search of the thesis.
    #[must_use]
    pub fn thesis() -> Settings {
        Settings { techniques: Techniques::thesis(), ..Settings::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_technique_is_switched_by_its_name_alone() {
        for &name in Techniques::NAMES {
            let mut techniques = Techniques::modern();
            let switch = techniques.switch(name).unwrap();
            *switch = !*switch;
            let changed: Vec<_> = techniques
                .each()
                .zip(Techniques::modern().each())
                .filter(|(a, b)| a != b)
                .map(|(a, _)| a.0)
                .collect();
            assert_eq!(changed, [name]);
        }
        assert!(Techniques::modern().switch("magic").is_none());
        assert_eq!(Techniques::named("thesis"), Some(Techniques::thesis()));
    }

    #[test]
    fn the_thesis_knows_no_reductions_and_says_what_it_knows() {
        let text = Techniques::thesis().to_string();
        assert!(text.contains("narrowing") && text.contains("own-score"), "{text}");
        assert!(!text.contains("lmr") && !text.contains("pvs"), "{text}");
    }
}

//! The parsers of the small games.

use super::check;
use crate::Target;
use std::sync::LazyLock;
use zug_core::{GameEntry, Spec};

pub fn open(text: &str) -> GameEntry {
    let spec = Spec::parse(text).expect("a spec");
    zug_games::open(&spec).expect("a game of this crate").expect("options that fit")
}

macro_rules! game {
    ($target:ident, $name:literal, $spec:literal, $words:expr) => {
        pub const $target: Target = Target {
            name: $name,
            words: $words,
            run: |input| {
                static ENTRY: LazyLock<GameEntry> = LazyLock::new(|| open($spec));
                check::position_and_moves(&*ENTRY.game, input);
            },
        };
    };
}

game!(DODGEM, "dodgem", "dodgem:4x4", &["a1-a2\n", "b1-off\n", "W3/", "BBB1", " w", " b", "/"]);
game!(K_IN_A_ROW, "kinarow", "kinarow:4x4,k=3,lose", &["a1\n", "d4\n", "X", "O", "/", "...", " x"]);
game!(CONNECT4, "connect4", "connect4", &["d\n", "a\n", "4\n", "X", "O", "7/", "/", " x", " o"]);
game!(
    MORRIS,
    "morris",
    "morris",
    &["a1\n", "a1-a4\n", "a1-a4xd1\n", "a1xg7\n", " w", " b", " 9 9"]
);
game!(NIM, "nim", "nim:3-4-5", &["1:2\n", "3-4-5", "2x1\n", "-", " first", " second"]);

/// The options of every small game: what opens is opened again by its own spec.
pub const SPECS: Target = Target {
    name: "games-specs",
    words: &[
        "dodgem:",
        "tictactoe",
        "kinarow:",
        "connect4:",
        "morris:",
        "matches:",
        "nim:",
        "4x4",
        "k=3",
        "lose",
        "n=16",
        "take=2",
        "men=9",
        "flying=yes",
        "repetition=draw",
        "blocked=pass",
        "3-4-5",
        ",",
    ],
    run: |input| {
        let Ok(spec) = Spec::parse(&check::text(input)) else { return };
        match zug_games::open(&spec) {
            None => {}
            Some(Ok(entry)) => {
                let written = entry.game.spec();
                let spec = Spec::parse(&written).expect("a game's spec is a spec");
                let again = zug_games::open(&spec).expect("the name is known");
                match again {
                    Ok(again) => assert_eq!(again.game.spec(), written),
                    Err(error) => panic!("'{written}' cannot be opened: {error}"),
                }
            }
            Some(Err(error)) => check::error_is_short(&error.to_string()),
        }
    },
};

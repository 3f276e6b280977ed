//! A table of all styles against fallible opponents, for any game that has a database.
//!
//! ```text
//! zug db build dodgem:4x4 --out DIR
//! cargo run --release -p zug-games --example traps -- dodgem:4x4 DIR 600 2
//! ```
//!
//! Percent of games won from random positions, Dodgem 4×4 (600 games a cell) and Losing Tic-Tac-Toe
//! 4×4 (2000 games a cell), plain / thesis / trap. The model of the player of traps was fitted, and
//! looked at, with other seeds.
//!
//! | opponent | Dodgem drawn | Dodgem lost | Losing TTT drawn | Losing TTT lost |
//! |---|---|---|---|---|
//! | `perfect:noise=0.05` | 26.5 / 24.5 / 35.8 | 5.7 / 5.7 / 11.2 | 7.1 / 7.2 / 7.4 | 5.8 / 5.8 / 6.2 |
//! | `perfect:noise=0.1` | 45.0 / 41.7 / 59.0 | 8.0 / 8.2 / 19.5 | 13.0 / 13.0 / 13.2 | 10.1 / 10.1 / 11.2 |
//! | `perfect:noise=0.3` | 79.8 / 78.3 / 88.3 | 20.7 / 21.2 / 43.5 | 35.1 / 35.2 / 37.1 | 28.9 / 28.9 / 33.5 |
//! | `limited,depth=4` | 93.2 / 95.7 / 97.5 | 54.5 / 54.8 / 73.5 | 49.0 / 49.0 / 51.0 | 12.0 / 12.0 / 19.4 |
//! | `limited,depth=8` | 93.0 / 95.5 / 97.3 | 43.3 / 43.7 / 55.8 | 5.0 / 5.0 / 5.3 | 0.2 / 0.2 / 0.3 |
//! | `limited,depth=12` | 87.5 / 92.3 / 93.8 | 25.7 / 26.7 / 31.7 | 0 / 0 / 0 | 0 / 0 / 0 |
//! | `limited,depth=8,noise=0.1` | 94.5 / 96.3 / 98.2 | 44.2 / 44.3 / 59.0 | 16.4 / 16.4 / 16.6 | 10.2 / 10.2 / 11.6 |
//! | `zug:depth=2,noise=50` | 95.7 / 96.8 / 97.5 | 24.7 / 24.7 / 32.5 | 34.4 / 34.3 / 36.6 | 4.4 / 4.4 / 10.7 |
//! | `zug:depth=4,noise=50` | 94.2 / 96.3 / 97.3 | 22.5 / 22.5 / 32.3 | 25.4 / 25.5 / 27.8 | 2.1 / 2.1 / 5.1 |
//! | `zug:depth=6,noise=20` | 88.7 / 92.8 / 94.8 | 19.0 / 19.0 / 25.5 | 11.0 / 11.0 / 12.0 | 0.5 / 0.5 / 1.2 |
//!
//! A horizon of 12 plies sees to the end of nearly every game of Losing Tic-Tac-Toe, so nobody wins
//! there. Many differences in drawn Losing Tic-Tac-Toe are smaller than their intervals of two
//! percent.

use super::measure::{Begin, Tally, tally};
use crate::face::Solver;
use std::path::Path;
use zug_core::{GameEntry, Player, PlayerError, Spec};

/// The players that are compared.
pub const STYLES: [&str; 3] = ["style=plain", "style=thesis", "style=trap"];

/// Opponents that err: perfect players with slips, players with a horizon, and searches.
pub const OPPONENTS: [&str; 10] = [
    "perfect:noise=0.05",
    "perfect:noise=0.1",
    "perfect:noise=0.3",
    "perfect:style=limited,depth=4",
    "perfect:style=limited,depth=8",
    "perfect:style=limited,depth=12",
    "perfect:style=limited,depth=8,noise=0.1",
    "zug:depth=2,noise=50",
    "zug:depth=4,noise=50",
    "zug:depth=6,noise=20",
];

/// What is played.
pub struct Contest<'a> {
    /// The game.
    pub entry: &'a GameEntry,
    /// Its database.
    pub folder: &'a Path,
    /// Games in each cell of the table.
    pub games: usize,
    /// Longer games are draws.
    pub most_plies: usize,
    /// The seed.
    pub seed: u64,
    /// Further options of the thesis' player, such as `levels=1` where it would be too slow.
    pub thesis: &'a str,
    /// Further options of the player of traps, such as `see=6`.
    pub trap: &'a str,
}

/// One cell of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Where the games began.
    pub begin: Begin,
    /// The opponent.
    pub opponent: &'static str,
    /// The style.
    pub style: &'static str,
    /// What came out.
    pub tally: Tally,
}

impl Contest<'_> {
    /// Plays everything, and tells each result as soon as it is known. All styles play from the same
    /// positions.
    pub fn run(
        &self,
        opponents: &[&'static str],
        mut tell: impl FnMut(&Cell),
    ) -> Result<(), PlayerError> {
        let start = |why: String| PlayerError::Start(why);
        let solver = self.entry.extension::<Solver>();
        let solver = solver.ok_or_else(|| start("the game cannot be solved".to_string()))?;
        let database = solver.open(self.folder, crate::DEFAULT_CACHE);
        let database = database.map_err(|e| start(e.to_string()))?;
        for begin in [Begin::Drawn, Begin::Lost(2)] {
            let texts = database.sample(&|v| begin.admits(v), self.games, self.seed);
            let mut lines = Vec::new();
            for text in texts.map_err(|e| start(e.to_string()))? {
                lines.push(self.entry.game.line_from(&text).map_err(|e| start(e.to_string()))?);
            }
            for &opponent in opponents {
                let mut them = self.player(opponent)?;
                for style in STYLES {
                    let more = match style {
                        "style=thesis" => self.thesis,
                        "style=trap" => self.trap,
                        _ => "",
                    };
                    let comma = if more.is_empty() { "" } else { "," };
                    let mut us = self.player(&format!("perfect:{style}{comma}{more}"))?;
                    let tally = tally(&lines, &mut *us, &mut *them, self.most_plies, self.seed)?;
                    tell(&Cell { begin, opponent, style, tally });
                }
            }
        }
        Ok(())
    }

    fn player(&self, text: &str) -> Result<Box<dyn Player>, PlayerError> {
        let wrong = |e: zug_core::TextError| PlayerError::Option(e.to_string());
        let mut spec = Spec::parse(text).map_err(wrong)?;
        if spec.name == "perfect" {
            spec.options.push(("db".to_string(), self.folder.display().to_string()));
        }
        self.entry.player(&spec).map_err(wrong)
    }
}

/// What an example of a game crate does: reads from the command line the game, the folder, the
/// number of games, the seed, options of the thesis' player, options of the player of traps, and
/// a word that opponents must have in their spec; and prints the table.
pub fn main(open: impl Fn(&Spec) -> Result<GameEntry, String>) -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |i: usize, default: &'static str| arguments.get(i).map_or(default, String::as_str);
    let spec = Spec::parse(argument(0, ""))
        .map_err(|e| format!("GAME DIR [GAMES [SEED [THESIS [TRAP [OPPONENT]]]]]: {e}"))?;
    let number = |i: usize, default: &'static str| -> Result<u64, String> {
        argument(i, default)
            .parse()
            .map_err(|_| format!("expected a number, found {}", argument(i, "")))
    };
    let contest = Contest {
        entry: &open(&spec)?,
        folder: Path::new(argument(1, ".")),
        games: number(2, "200")? as usize,
        most_plies: 200,
        seed: number(3, "1")?,
        thesis: argument(4, ""),
        trap: argument(5, ""),
    };
    println!("{}, {} games a cell, seed {}", argument(0, ""), contest.games, contest.seed);
    println!("{:<8} {:<40} {:<13} won, drawn, points", "from", "opponent", "style");
    let print = |cell: &Cell| {
        let from = if cell.begin == Begin::Drawn { "drawn" } else { "lost" };
        let Cell { opponent, style, tally, .. } = cell;
        println!("{from:<8} {opponent:<40} {style:<13} {tally}, {:.3}", tally.score());
    };
    let chosen = argument(6, "");
    let opponents: Vec<&'static str> =
        OPPONENTS.into_iter().filter(|o| o.contains(chosen)).collect();
    contest.run(&opponents, print).map_err(|e| e.to_string())
}

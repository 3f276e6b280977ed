//! The options of the perfect players, read from a spec.

use super::graph::Belief;
use super::thesis::{Base, Leaf, MOST_WINDOW, Root, Share, Thesis};
use crate::store::Measure;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use zug_core::error::shorten;
use zug_core::{PlayerError, Spec, TextError};

/// How a perfect player chooses among moves that keep the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Any of them.
    #[default]
    Plain,
    /// By chapter 7 of the thesis.
    Thesis,
    /// By a model of the opponent.
    Trap,
    /// Not perfect: sees so many plies.
    Limited,
}

impl Style {
    /// Does a database with these values tell what this style weighs? If not, why.
    pub(crate) fn suits(self, measure: Measure) -> Result<(), String> {
        let name = match (self, measure) {
            (Style::Plain, _) | (_, Measure::Dtm) => return Ok(()),
            (Style::Thesis, _) => "thesis",
            (Style::Trap, _) => "trap",
            (Style::Limited, _) => "limited",
        };
        Err(format!(
            "style={name} weighs how many plies it is to the end of the game, and this database has \
             {measure}: build one with --metric dtm, or take style=plain"
        ))
    }
}

/// All options.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How to choose.
    pub style: Style,
    /// How often any legal move is played instead.
    pub noise: f64,
    /// The horizon of the limited style, in plies.
    pub depth: u32,
    /// The seed.
    pub seed: u64,
    /// The thesis' player.
    pub thesis: Thesis,
    /// The player of traps.
    pub belief: Belief,
    /// The largest database, in slots, whose chances are computed in full; or the largest stage,
    /// with those below it, whose distances are where the database has none.
    pub whole: u64,
    /// Positions to look at before each move where there are more slots.
    pub nodes: usize,
    /// Keep computed chances beside the database?
    pub keep: bool,
    /// Threads for computing chances.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            style: Style::Plain,
            noise: 0.0,
            depth: 4,
            seed: 1,
            thesis: Thesis::default(),
            belief: Belief::default(),
            whole: 16_000_000,
            nodes: 20_000,
            keep: true,
            threads: std::thread::available_parallelism().map_or(1, |n| n.get().min(64)),
        }
    }
}

/// The names of all options but `db`.
pub(crate) const NAMES: &[&str] = &[
    "db", "style", "noise", "depth", "seed", "w1", "w2", "share", "z", "base", "root", "f",
    "levels", "leaf", "see", "blur", "heat", "slip", "patience", "draw", "whole", "nodes", "keep",
    "threads",
];

/// The line of help.
pub(crate) const HELP: &str = "perfect play from a database: db=DIR, style=plain|thesis|trap|limited, \
    noise=X (chance of any legal move), depth=N (plies that 'limited' sees), seed=N; of style \
    thesis: w1=7, w2=12, share=off|after|line, z=on|off, base=c|1-c, root=square|count|inverse, \
    f=off|N (moves it looks back), levels=N (answers looked at), leaf=all|correct; of style trap, \
    about the opponent: see=N (plies), blur=X, heat=X, slip=X; patience=X, draw=X \
    (worth of a draw when lost), keep=on|off (tables beside the database); of style trap, and of \
    style plain with a database of outcomes alone: whole=N (most slots that are computed in full), \
    nodes=N (positions a move beyond that), threads=N";

/// A value that does not fit its option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bad {
    name: String,
    value: String,
    expected: String,
}

impl Bad {
    fn new(name: &str, value: &str, expected: impl Into<String>) -> Bad {
        Bad { name: name.to_string(), value: shorten(value), expected: expected.into() }
    }
}

impl From<Bad> for PlayerError {
    fn from(bad: Bad) -> PlayerError {
        let Bad { name, value, expected } = bad;
        PlayerError::Option(format!("expected {expected} for '{name}', found '{value}'"))
    }
}

impl Settings {
    /// Reads a spec; `db` is the caller's business.
    pub fn read(spec: &Spec) -> Result<Settings, TextError> {
        spec.only(NAMES)?;
        let mut settings = Settings::default();
        for (name, value) in spec.options.iter().filter(|(name, _)| name != "db") {
            settings.set(name, value).map_err(|bad| {
                let expected = format!("{} for '{}'", bad.expected, bad.name);
                TextError::new(spec.name.len() + 1, expected, format!("'{}'", bad.value))
            })?;
        }
        let Thesis { w1, w2, .. } = settings.thesis;
        if w1 >= w2 {
            let found = format!("w1={w1} and w2={w2}");
            return Err(TextError::new(spec.name.len() + 1, "a 'w1' smaller than 'w2'", found));
        }
        Ok(settings)
    }

    /// Sets one option.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), Bad> {
        let share = || number(name, value, 0.0..=1.0);
        let (thesis, belief) = (&mut self.thesis, &mut self.belief);
        match name {
            "style" => {
                self.style = one_of(
                    name,
                    value,
                    &[
                        ("plain", Style::Plain),
                        ("thesis", Style::Thesis),
                        ("trap", Style::Trap),
                        ("limited", Style::Limited),
                    ],
                )?;
            }
            "noise" => self.noise = share()?,
            "depth" => self.depth = number(name, value, 0..=10_000)?,
            "seed" => self.seed = number(name, value, 0..=u64::MAX)?,
            "w1" => thesis.w1 = number(name, value, 0.1..=1000.0)?,
            "w2" => thesis.w2 = number(name, value, 0.1..=1000.0)?,
            "share" => {
                let known =
                    [("off", Share::Ignored), ("after", Share::After), ("line", Share::Line)];
                thesis.share = one_of(name, value, &known)?;
            }
            "z" => thesis.variance = switch(name, value)?,
            "base" => {
                thesis.base = one_of(name, value, &[("c", Base::Share), ("1-c", Base::Rest)])?;
            }
            "root" => {
                let known =
                    [("square", Root::Square), ("count", Root::Count), ("inverse", Root::Inverse)];
                thesis.root = one_of(name, value, &known)?;
            }
            "f" if value == "off" => thesis.window = None,
            "f" => thesis.window = Some(number(name, value, 1..=MOST_WINDOW)?),
            "levels" => thesis.levels = number(name, value, 0..=20)?,
            "leaf" => {
                let known = [("all", Leaf::All), ("correct", Leaf::Correct)];
                thesis.leaf = one_of(name, value, &known)?;
            }
            "see" => belief.opponent.see = number(name, value, 0..=1000)?,
            "blur" => belief.opponent.blur = share()?,
            "heat" => belief.opponent.heat = number(name, value, 0.001..=1000.0)?,
            "slip" => belief.opponent.slip = share()?,
            "patience" => belief.patience = number(name, value, 0.0..=0.9999)?,
            "draw" => belief.draw = share()?,
            "whole" => self.whole = number(name, value, 0..=u64::from(u32::MAX - 1))?,
            "nodes" => self.nodes = number(name, value, 1..=100_000_000)?,
            "keep" => self.keep = switch(name, value)?,
            _ => self.threads = number(name, value, 1..=1024)?,
        }
        Ok(())
    }
}

fn number<T: FromStr + PartialOrd + Display>(
    name: &str,
    value: &str,
    range: RangeInclusive<T>,
) -> Result<T, Bad> {
    let expected = || format!("a number from {} to {}", range.start(), range.end());
    let read = value.trim().parse().ok().filter(|n| range.contains(n));
    read.ok_or_else(|| Bad::new(name, value, expected()))
}

fn switch(name: &str, value: &str) -> Result<bool, Bad> {
    one_of(name, value, &[("on", true), ("off", false)])
}

fn one_of<T: Copy>(name: &str, value: &str, known: &[(&str, T)]) -> Result<T, Bad> {
    let found = known.iter().find(|(word, _)| *word == value).map(|(_, t)| *t);
    found.ok_or_else(|| {
        let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
        Bad::new(name, value, words.join(" or "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_read_and_nonsense_is_named() {
        let text = "perfect:db=x,style=thesis,noise=0.2,depth=3,seed=9,w1=5,w2=9,share=line,z=on,\
                    base=c,root=count,f=5,levels=2,leaf=correct,see=6,blur=0.5,heat=0.3,slip=0.05,\
                    patience=0.9,draw=0.4,whole=10,nodes=50,keep=off,threads=2";
        let settings = Settings::read(&Spec::parse(text).unwrap()).unwrap();
        assert_eq!(settings.style, Style::Thesis);
        assert_eq!(settings.thesis.window, Some(5));
        assert_eq!(settings.thesis.share, Share::Line);
        assert_eq!((settings.belief.opponent.see, settings.threads), (6, 2));
        for (bad, why) in [
            ("perfect:style=wild", "plain or thesis"),
            ("perfect:noise=2", "from 0 to 1"),
            ("perfect:patience=1", "0.9999"),
            ("perfect:w1=12", "smaller than 'w2'"),
            ("perfect:colour=red", "an option of 'perfect'"),
            ("perfect:noise=NaN", "from 0 to 1"),
        ] {
            let error = Settings::read(&Spec::parse(bad).unwrap()).unwrap_err().to_string();
            assert!(error.contains(why), "{bad}: {error}");
        }
    }
}

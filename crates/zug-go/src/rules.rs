//! Which Go is played: size, komi, ko, suicide, scoring, handicap.
//!
//! | option | values | default |
//! |---|---|---|
//! | size | `2x2` to `19x19` | `19x19` |
//! | `komi` | points for White, in steps of ¼ | 7.5; 7 on 9×9; 0.5 below 9×9 and with handicap |
//! | `ko` | `superko` (no earlier board may come back), `simple` | `superko` |
//! | `suicide` | `no`, `yes` (chains of two stones or more) | `no` |
//! | `scoring` | `area`, `territory` | `area` |
//! | `handicap` | 2 to 9 black stones on the usual points | none |
//!
//! The komi of 7 on 9×9 is the one that the computer servers use: it is what perfect play is
//! believed to give Black there, so that the better player and not the colour decides; games may
//! then be drawn. Below 9×9 no komi is both fair and customary (perfect play wins all of 3×3 and
//! 5×5 for Black), so there it only breaks ties.

use crate::point::{MAX_SIZE, MIN_SIZE, Point, quote};
use std::fmt;
use zug_core::{Spec, TextError};

/// Which positions may not come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ko {
    /// The one before the opponent's last move.
    Simple,
    /// No earlier one in the game, whoever is to move (positional superko).
    Super,
}

/// What counts at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones and surrounded points.
    Area,
    /// Surrounded points and captured stones.
    Territory,
}

/// All options of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    pub(crate) size: u8,
    /// In quarter points.
    pub(crate) komi: i32,
    /// See [`Ko`].
    pub ko: Ko,
    /// May a chain of two or more stones take its own last liberty?
    pub suicide: bool,
    /// See [`Scoring`].
    pub scoring: Scoring,
    pub(crate) handicap: u8,
}

impl Rules {
    /// The default rules on a board of this size; `None` outside 2 to 19.
    #[must_use]
    pub fn new(size: usize) -> Option<Rules> {
        (MIN_SIZE..=MAX_SIZE).contains(&size).then(|| Rules {
            size: size as u8,
            komi: default_komi(size, 0),
            ko: Ko::Super,
            suicide: false,
            scoring: Scoring::Area,
            handicap: 0,
        })
    }

    /// Points along an edge.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// Points that White gets.
    #[must_use]
    pub fn komi(&self) -> f32 {
        self.komi as f32 / 4.0
    }

    /// The same rules with another komi, rounded to quarter points.
    #[must_use]
    pub fn with_komi(mut self, komi: f32) -> Rules {
        self.komi = (komi * 4.0).round().clamp(-8000.0, 8000.0) as i32;
        self
    }

    /// Black stones on the board at the start.
    #[must_use]
    pub fn handicap(&self) -> usize {
        usize::from(self.handicap)
    }

    /// The same rules with handicap stones and the komi that goes with them; `None` where the
    /// board has not so many fixed points.
    #[must_use]
    pub fn with_handicap(mut self, stones: usize) -> Option<Rules> {
        handicap_points(self.size(), stones)?;
        self.handicap = stones as u8;
        self.komi = default_komi(self.size(), stones);
        Some(self)
    }

    /// A game is broken off and counted after so many moves: three for each point, at least 100.
    /// Games between people end long before; it stops play that goes round in circles (three kos
    /// under simple ko) and random play.
    #[must_use]
    pub fn move_limit(&self) -> u32 {
        (3 * u32::from(self.size) * u32::from(self.size)).max(100)
    }

    /// Reads the options of a spec such as `go:9x9,komi=7,ko=superko`.
    pub fn from_spec(spec: &Spec) -> Result<Rules, TextError> {
        spec.only(&["", "size", "komi", "ko", "suicide", "scoring", "handicap"])?;
        let bad = |expected: &str, found: &str| {
            TextError::new(spec.name.len() + 1, expected, quote(found))
        };
        let sizes: Vec<&str> = spec
            .options
            .iter()
            .filter(|(k, _)| k.is_empty() || k == "size")
            .map(|(_, v)| v.as_str())
            .collect();
        let size = match sizes[..] {
            [] => MAX_SIZE,
            [text] => read_size(text).ok_or_else(|| bad("a board size from 2x2 to 19x19", text))?,
            [_, text, ..] => return Err(bad("one board size", text)),
        };
        let mut rules = Rules::new(size).expect("the size was checked");
        if let Some(text) = spec.get("handicap") {
            let stones = text.parse().ok().filter(|&n: &usize| n <= 9);
            rules = match stones {
                Some(0) => rules,
                Some(n) => rules.with_handicap(n).ok_or_else(|| {
                    bad("a number of handicap stones that this board has points for", text)
                })?,
                None => return Err(bad("0 or 2 to 9 handicap stones", text)),
            };
        }
        if let Some(text) = spec.get("komi") {
            let komi = read_komi(text)
                .ok_or_else(|| bad("a komi in quarter points from -2000 to 2000", text))?;
            rules.komi = komi;
        }
        if let Some(text) = spec.get("ko") {
            rules.ko = match text {
                "simple" => Ko::Simple,
                "superko" => Ko::Super,
                _ => return Err(bad("simple or superko for 'ko'", text)),
            };
        }
        if let Some(text) = spec.get("suicide") {
            rules.suicide = match text {
                "yes" => true,
                "no" => false,
                _ => return Err(bad("yes or no for 'suicide'", text)),
            };
        }
        if let Some(text) = spec.get("scoring") {
            rules.scoring = match text {
                "area" => Scoring::Area,
                "territory" => Scoring::Territory,
                _ => return Err(bad("area or territory for 'scoring'", text)),
            };
        }
        Ok(rules)
    }
}

/// The spec that opens these rules again; options at their defaults are left out.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        if self.size() != MAX_SIZE {
            options.push(format!("{0}x{0}", self.size));
        }
        if self.handicap > 0 {
            options.push(format!("handicap={}", self.handicap));
        }
        if self.komi != default_komi(self.size(), self.handicap()) {
            options.push(format!("komi={}", self.komi()));
        }
        if self.ko != Ko::Super {
            options.push("ko=simple".to_string());
        }
        if self.suicide {
            options.push("suicide=yes".to_string());
        }
        if self.scoring != Scoring::Area {
            options.push("scoring=territory".to_string());
        }
        f.write_str("go")?;
        if !options.is_empty() {
            write!(f, ":{}", options.join(","))?;
        }
        Ok(())
    }
}

/// In quarter points.
const fn default_komi(size: usize, handicap: usize) -> i32 {
    match (size, handicap) {
        (_, 2..) | (..=8, _) => 2,
        (9, _) => 28,
        _ => 30,
    }
}

/// `9x9`, or `9`.
fn read_size(text: &str) -> Option<usize> {
    let number = |text: &str| -> Option<usize> {
        text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
    };
    let size = match text.split_once(['x', '×']) {
        Some((width, height)) if number(width)? == number(height)? => number(width)?,
        Some(_) => return None,
        None => number(text)?,
    };
    (MIN_SIZE..=MAX_SIZE).contains(&size).then_some(size)
}

/// A komi in quarter points, if it is one.
fn read_komi(text: &str) -> Option<i32> {
    let quarters = text.parse::<f64>().ok()? * 4.0;
    (quarters.fract() == 0.0 && quarters.abs() <= 8000.0).then_some(quarters as i32)
}

/// Where handicap stones lie by custom (the fixed placement of the Go Text Protocol); `None` where
/// the board has not so many such points.
#[must_use]
pub fn handicap_points(size: usize, stones: usize) -> Option<Vec<Point>> {
    let most = match size {
        0..=6 => 0,
        7 => 4,
        n if n % 2 == 0 => 4,
        _ => 9,
    };
    if !(2..=most).contains(&stones) {
        return None;
    }
    let near = if size >= 13 { 3 } else { 2 };
    let (far, middle) = (size - 1 - near, size / 2);
    let p = Point::at;
    // Bottom left, top right, bottom right, top left; left, right, bottom, top; centre.
    let corners = [p(near, far), p(far, near), p(far, far), p(near, near)];
    let sides = [p(near, middle), p(far, middle), p(middle, far), p(middle, near)];
    let mut points = corners[..stones.min(4)].to_vec();
    match stones {
        5 | 7 | 9 => {
            points.extend(&sides[..stones - 5]);
            points.push(p(middle, middle));
        }
        6 | 8 => points.extend(&sides[..stones - 4]),
        _ => {}
    }
    Some(points)
}

/// The points that boards mark with a dot.
#[must_use]
pub fn star_points(size: usize) -> Vec<Point> {
    let middle = Point::at(size / 2, size / 2);
    match size {
        0..=4 => Vec::new(),
        5 | 7 => vec![middle],
        6 => Vec::new(),
        n if n % 2 == 0 => handicap_points(n, 4).unwrap_or_default(),
        n if n < 13 => handicap_points(n, 5).unwrap_or_default(),
        13 => handicap_points(13, 5).unwrap_or_default(),
        n => handicap_points(n, 9).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Rules, TextError> {
        Rules::from_spec(&Spec::parse(text)?)
    }

    #[test]
    fn specs_are_canonical_and_open_the_same_rules_again() {
        for (text, canonical) in [
            ("go", "go"),
            ("go:19x19,komi=7.5", "go"),
            ("go:9", "go:9x9"),
            ("go:size=9,komi=7", "go:9x9"),
            ("go:9x9,komi=7.5", "go:9x9,komi=7.5"),
            ("go:5x5,komi=-3.25,ko=simple,suicide=yes", "go:5x5,komi=-3.25,ko=simple,suicide=yes"),
            ("go:scoring=territory,handicap=4", "go:handicap=4,scoring=territory"),
            ("go:handicap=4,komi=0.5,ko=superko", "go:handicap=4"),
        ] {
            let rules = read(text).unwrap();
            assert_eq!(rules.to_string(), canonical);
            assert_eq!(read(canonical).unwrap(), rules);
        }
    }

    #[test]
    fn bad_options_are_refused() {
        for text in [
            "go:1x1",
            "go:20x20",
            "go:9x8",
            "go:9x9,7x7",
            "go:komi=many",
            "go:komi=nan",
            "go:komi=0.1",
            "go:ko=long",
            "go:suicide=maybe",
            "go:scoring=chess",
            "go:handicap=1",
            "go:handicap=10",
            "go:5x5,handicap=2",
            "go:8x8,handicap=5",
            "go:colour=red",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn handicap_stones_lie_on_the_usual_points() {
        let names = |size, n| -> Vec<String> {
            handicap_points(size, n).unwrap().into_iter().map(|p| p.name(size)).collect()
        };
        assert_eq!(names(19, 2), ["D4", "Q16"]);
        assert_eq!(names(9, 5), ["C3", "G7", "G3", "C7", "E5"]);
        assert_eq!(names(19, 7), ["D4", "Q16", "Q4", "D16", "D10", "Q10", "K10"]);
        assert_eq!(names(19, 8), ["D4", "Q16", "Q4", "D16", "D10", "Q10", "K4", "K16"]);
        assert_eq!(star_points(19).len(), 9);
        assert_eq!(star_points(9).len(), 5);
    }
}

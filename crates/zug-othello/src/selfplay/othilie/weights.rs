//! Polynomials as text: a line a feature, with its name and its weight. What is exported for the
//! playing program, and what it reads; `#` begins a remark.

use super::experiment::{History, POLYNOMIALS};
use super::features::FeatureSet;
use super::printed::printed;
use std::fmt::Write as _;
use std::path::Path;
use zug_core::files;

/// More than any file of weights of ours.
const MOST_BYTES: u64 = 1 << 20;

/// Writes a polynomial.
#[must_use]
pub fn write(weights: &[f64], remark: &str) -> String {
    let names = FeatureSet::of_len(weights.len()).map(FeatureSet::names).unwrap_or_default();
    let mut text = format!("# {remark}\n# feature, weight\n");
    for (name, weight) in names.iter().zip(weights) {
        let _ = writeln!(text, "{name}\t{weight}");
    }
    text
}

/// Reads a polynomial: the last word of each line. The error tells the line.
pub fn read(text: &str) -> Result<Vec<f64>, String> {
    let mut weights = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        let Some(word) = line.split_whitespace().last() else { continue };
        let weight: Option<f64> = word.parse().ok().filter(|w: &f64| w.is_finite());
        let found = zug_core::error::shorten(word);
        weights.push(weight.ok_or_else(|| {
            format!("line {}: expected a weight at its end, found '{found}'", number + 1)
        })?);
        if weights.len() > 1000 {
            break;
        }
    }
    match FeatureSet::of_len(weights.len()) {
        Some(_) => Ok(weights),
        None => Err(format!("expected 42, 46, 48 or 52 weights, found {}", weights.len())),
    }
}

/// Finds a polynomial by what a person calls it: an experiment of the thesis (`E1`), a file of text,
/// an experiment's folder or its file of polynomials, the last two with `@GAME` for the one after
/// that game (the last one without it).
pub fn find(name: &str) -> Result<Vec<f64>, String> {
    if let Some(printed) = printed(name) {
        return Ok(printed.weights.to_vec());
    }
    let (file, game) = match name.rsplit_once('@') {
        Some((file, game)) if game.bytes().all(|b| b.is_ascii_digit()) && !game.is_empty() => {
            (file, Some(game))
        }
        _ => (name, None),
    };
    let mut path = Path::new(file).to_path_buf();
    if path.is_dir() {
        path.push(POLYNOMIALS);
    }
    if path.extension().is_some_and(|e| e == "zug") {
        let history = History::open(&path).map_err(|e| e.to_string())?;
        let last = history.last().map_or(0, |row| row.game);
        let game =
            game.map_or(Ok(last), str::parse).map_err(|_| format!("{name}: no such game"))?;
        let found = history.polynomial(game).map(<[f64]>::to_vec);
        return found.ok_or_else(|| {
            format!("{}: no polynomial was kept after game {game} (of {last})", path.display())
        });
    }
    let text = files::read_text(&path, MOST_BYTES).map_err(|e| {
        format!("'{}' is neither an experiment of the thesis (A1 to F3) nor a file: {e}", name)
    })?;
    read(&text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_polynomial_is_refused_with_its_line() {
        assert!(read("own A 0.5\nown B half\n").unwrap_err().contains("line 2"));
        assert!(read("1\n2\n3").unwrap_err().contains("found 3"));
        assert!(read("NaN").unwrap_err().contains("line 1"));
        assert!(find("G7").unwrap_err().contains("A1 to F3"));
        assert_eq!(find("c2").unwrap()[41], -0.9998);
    }

    proptest! {
        #[test]
        fn a_polynomial_survives_being_written_and_read(
            weights in prop_oneof![
                proptest::collection::vec(-1.0f64..1.0, 42),
                proptest::collection::vec(-1.0f64..1.0, 48),
            ],
        ) {
            prop_assert_eq!(read(&write(&weights, "a remark")), Ok(weights));
        }

        #[test]
        fn reading_never_panics(text in ".{0,200}") {
            let _ = read(&text);
        }
    }
}

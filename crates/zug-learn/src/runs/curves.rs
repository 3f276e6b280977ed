//! Which curves are there in the figures of a run of which nothing is known? Runs write what they
//! know in each line: numbers, groups of numbers, and words that say which of several variants the
//! line is about.

use super::Figures;
use serde_json::Value;

/// Measures that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What is measured.
    pub title: String,
    /// What it is measured over.
    pub x: &'static str,
    /// Names and points.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}

/// Variants that are told apart; of more the eye gets lost.
const MOST_VARIANTS: usize = 8;

/// A line of figures, its groups spread out.
struct Row {
    step: f64,
    numbers: Vec<(String, f64)>,
    words: Vec<(String, String)>,
}

impl Row {
    fn of((place, figures): (usize, &Figures)) -> Row {
        let mut row = Row { step: place as f64, numbers: Vec::new(), words: Vec::new() };
        row.add("", figures, 0);
        if let Some(step) = row.number("step") {
            row.step = step;
        }
        row.numbers.retain(|(name, _)| name != "step");
        row
    }

    /// Lists are no curves and are left out.
    fn add(&mut self, before: &str, figures: &Figures, depth: usize) {
        for (key, value) in figures {
            let name = if before.is_empty() { key.clone() } else { format!("{before}.{key}") };
            match value {
                Value::Number(number) => {
                    self.numbers.extend(number.as_f64().map(|n| (name, n)));
                }
                Value::String(word) if depth == 0 => self.words.push((name, word.clone())),
                Value::Object(group) if depth < 2 => self.add(&name, group, depth + 1),
                _ => {}
            }
        }
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(n, _)| n == name).map(|(_, v)| *v)
    }

    fn word(&self, name: &str) -> Option<&str> {
        self.words.iter().find(|(n, _)| n == name).map(|(_, w)| w.as_str())
    }
}

/// Adds what is not there yet.
fn remember<T: PartialEq>(known: &mut Vec<T>, new: T) {
    if !known.contains(&new) {
        known.push(new);
    }
}

/// The word that tells variants apart, if lines are about several.
fn splitter(rows: &[Row]) -> Option<String> {
    let mut names: Vec<&String> = Vec::new();
    rows.iter().flat_map(|r| &r.words).for_each(|(name, _)| remember(&mut names, name));
    let several = |name: &&&String| {
        let mut words = Vec::new();
        rows.iter().for_each(|row| remember(&mut words, row.word(name)));
        (2..=MOST_VARIANTS).contains(&words.len())
    };
    names.iter().find(several).map(|name| (*name).clone())
}

/// All curves, those that measure the same on one chart, in the order of their first figures.
pub fn charts(entries: &[Figures]) -> Vec<Chart> {
    let rows: Vec<Row> = entries.iter().enumerate().map(Row::of).collect();
    let mut names: Vec<&str> = Vec::new();
    rows.iter().flat_map(|r| &r.numbers).for_each(|(name, _)| remember(&mut names, name));
    let split = splitter(&rows);
    // Variants begin again, so they count their own games.
    let by_games = split.is_some() && rows.iter().all(|r| r.number("games").is_some());
    if by_games {
        names.retain(|name| *name != "games");
    }
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for &name in &names {
        let key = key(name, &names);
        match groups.iter_mut().find(|(k, _)| *k == key) {
            Some((_, members)) => members.push(name),
            None => groups.push((key, vec![name])),
        }
    }
    let chart = |(key, members): (&str, Vec<&str>)| {
        let alone = members.len() == 1;
        let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for &name in &members {
            for row in &rows {
                let Some(value) = row.number(name) else { continue };
                let variant = split.as_ref().and_then(|s| row.word(s)).unwrap_or_default();
                let title = match (alone, variant) {
                    (_, "") => words(name),
                    (true, variant) => variant.to_string(),
                    (false, variant) => format!("{}, {variant}", words(name)),
                };
                let x = if by_games { row.number("games").unwrap_or(row.step) } else { row.step };
                match lines.iter_mut().find(|(known, _)| *known == title) {
                    Some((_, points)) => points.push((x, value)),
                    None => lines.push((title, vec![(x, value)])),
                }
            }
        }
        let title = capital(&words(if alone { members[0] } else { key }));
        Chart { title, x: if by_games { "games" } else { "step" }, lines }
    };
    groups.into_iter().map(chart).collect()
}

fn parts(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    name.split(['_', ' ', '.', '/', '-']).filter(|part| !part.is_empty())
}

/// Measures share a chart that begin with the same word (`loss_train` and `loss_test`), or that end
/// with the name of another one (`held_out_loss` and `loss`). Fits tell their errors by where they were
/// measured.
fn key<'a>(name: &'a str, all: &[&'a str]) -> &'a str {
    if matches!(name, "training" | "validation") {
        return "error";
    }
    let last = parts(name).next_back().unwrap_or(name);
    match all.contains(&last) {
        true => last,
        false => parts(name).next().unwrap_or(name),
    }
}

/// `held_out_loss` for people.
fn words(name: &str) -> String {
    name.replace('_', " ").replace('.', ", ")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |c| c.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entries(rows: Value) -> Vec<Figures> {
        serde_json::from_value(rows).unwrap()
    }

    #[test]
    fn numbers_are_found_also_in_groups_and_words_and_lists_are_not() {
        let rows = json!([
            {"step": 1, "loss_train": 2, "loss_test": 3, "note": "x", "list": [1, 2],
             "deep": {"all": {"found": 7}}},
            {"step": 2, "loss_train": 1, "elo": 5, "note": "x"},
        ]);
        let charts = charts(&entries(rows));
        let titles: Vec<&str> = charts.iter().map(|c| c.title.as_str()).collect();
        assert_eq!(titles, ["Loss", "Deep, all, found", "Elo"]);
        let expected = [
            ("loss train".to_string(), vec![(1.0, 2.0), (2.0, 1.0)]),
            ("loss test".to_string(), vec![(1.0, 3.0)]),
        ];
        assert_eq!(charts[0].lines, expected);
    }

    #[test]
    fn a_loss_and_its_held_out_twin_share_a_chart() {
        let rows = json!([{"step": 0, "loss": 0.5, "held_out_loss": 0.6, "rate": 1}]);
        let charts = charts(&entries(rows));
        assert_eq!((charts.len(), charts[0].title.as_str()), (2, "Loss"));
        assert_eq!(charts[0].lines[1].0, "held out loss");
    }

    #[test]
    fn variants_have_curves_of_their_own_over_their_own_games() {
        let rows = json!([
            {"step": 1, "variant": "a", "games": 0, "elo": 0},
            {"step": 2, "variant": "a", "games": 10, "elo": 9},
            {"step": 3, "variant": "b", "games": 0, "elo": 1},
        ]);
        let charts = charts(&entries(rows));
        assert_eq!((charts.len(), charts[0].x), (1, "games"));
        let a = ("a".to_string(), vec![(0.0, 0.0), (10.0, 9.0)]);
        assert_eq!(charts[0].lines, [a, ("b".to_string(), vec![(0.0, 1.0)])]);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert!(charts(&[]).is_empty());
        assert!(charts(&entries(json!([{"step": 1}, {}]))).is_empty());
    }
}

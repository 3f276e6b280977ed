//! What do weights look like on a terminal? Boards of the square tables, lists of everything else,
//! differences between types and between models, and the largest changes.

use super::Model;
use super::page::Scale;
use crate::factors::{self, FACTORS, GROUPS, Group, Shape};
use crate::texel::learn::MEN;
use crate::texel::worth;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use zug_core::error::shorten;
use zug_learn::face::{Account, TaskError};
use zug_learn::td::face::Look;

/// How many of the largest changes are listed.
const LISTED: usize = 20;
/// Characters in a line.
const WIDTH: usize = 80;

/// A model and what it is called.
pub struct Subject {
    /// `after 119 games`, or a file.
    pub name: String,
    /// The weights.
    pub model: Model,
}

/// What is drawn: a weight or a difference for each factor.
struct Drawn {
    title: String,
    values: Vec<f32>,
    types: Vec<usize>,
    /// Is it a difference, in which men have no worth?
    difference: bool,
}

/// One of the largest changes.
struct Largest {
    factor: usize,
    /// The type, where each has a change of its own.
    column: Option<usize>,
    before: f32,
    after: f32,
}

/// Tells a model. `other` is what it is compared with in the list of changes, and in the boards too
/// if that was asked for (`compared`).
pub fn account(
    subject: &Subject,
    other: Option<&Subject>,
    compared: bool,
    look: &Look,
) -> Result<Account, TaskError> {
    let model = &subject.model;
    let types = look.types.iter().map(|word| column(model, word)).collect::<Result<Vec<_>, _>>()?;
    let aligned = match other.filter(|o| o.model.scheme != model.scheme) {
        Some(other) => Some(align(subject, other, &types)?),
        None => None,
    };
    // Of models with other types one column is compared.
    let all = if aligned.is_some() { FACTORS } else { model.weights.len() };
    let other = aligned.as_ref().or(other);
    let drawn = drawn(subject, other, compared, &types)?;
    let groups = groups(&look.groups)?;
    let changed = other.map(|o| {
        model.weights.iter().zip(&o.model.weights).filter(|(after, before)| after != before).count()
    });
    let mut text = format!(
        "weights {}: {} of {FACTORS} factors ({})",
        subject.name,
        plural(model.scheme.columns(), "column"),
        model.scheme.word()
    );
    if let (Some(changed), Some(other)) = (changed, other) {
        let _ = write!(text, "; {changed} of {all} differ from {}", other.name);
    }
    let _ = writeln!(text, "\n{}, in hundredths of a pawn; squares are White's\n", drawn.title);
    if !drawn.difference {
        let _ = writeln!(text, "{}", worth(model));
    }
    for group in lists(&groups) {
        list(&mut text, group, &drawn.values[group.first..][..group.count]);
    }
    let scale = Scale::of([model]);
    boards(&mut text, &groups, &drawn, look.colours.then_some(scale));
    let (heading, largest) = largest(model, other, &drawn);
    if !largest.is_empty() {
        let _ = writeln!(text, "{heading}");
        for l in &largest {
            let change = l.after - l.before;
            let of = l.column.map_or(String::new(), |c| model.scheme.column_name(c));
            let line = format!(
                "  {change:+8.1}  {:>8} to {:>7}  {}  {of}",
                number(l.before, false),
                number(l.after, false),
                factors::name(l.factor)
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    let figures = figures(subject, other, compared, &drawn, changed, &largest);
    let page = super::page::tables(model, other.map(|o| &o.model));
    Ok(Account { text, figures, page })
}

/// What men are worth by all factors together: the material factor is a part of it alone.
#[must_use]
pub fn worth(model: &Model) -> String {
    let men = worth::of_men(model, &worth::sample());
    let men = MEN.iter().zip(men).map(|(name, worth)| format!("{name} {worth:.0}"));
    let men = men.collect::<Vec<_>>().join(", ");
    format!("A man is worth, with all that it adds on its square: {men}")
}

/// The other model with the types of this one: all as they are here, but for the chosen type, which
/// is the other's only one, or its type of the same name.
fn align(subject: &Subject, other: &Subject, types: &[usize]) -> Result<Subject, TaskError> {
    let (model, from) = (&subject.model, &other.model);
    let refuse = |more: &str| {
        let message = format!(
            "the weights {} have the types '{}', those of {} '{}': they cannot be compared{more}",
            subject.name,
            model.scheme.word(),
            other.name,
            from.scheme.word()
        );
        Err(TaskError::Unfit(message))
    };
    let &[column] = types else {
        return refuse(", but for one type at a time ('zug runs show' with --types A)");
    };
    let name = model.scheme.column_name(column);
    let columns = from.scheme.columns();
    // Some schemes number their types, which others of the same name do not.
    let plain = |name: &str| match name.split_once(": ") {
        Some((number, rest)) if number.parse::<u16>().is_ok() => rest.to_string(),
        _ => name.to_string(),
    };
    let same = |c: &usize| columns == 1 || plain(&from.scheme.column_name(*c)) == plain(&name);
    let same = (0..columns).find(same);
    let Some(same) = same else {
        return refuse(&format!("; {} has no type '{name}'", other.name));
    };
    let mut model = model.clone();
    model.weights[column * FACTORS..][..FACTORS].copy_from_slice(from.column(same));
    Ok(Subject { name: other.name.clone(), model })
}

/// `1 column`, `2 columns`.
fn plural(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A type by its number, counted from 1, or by the beginning of its name.
pub(super) fn column(model: &Model, word: &str) -> Result<usize, TaskError> {
    let columns = model.scheme.columns();
    if let Ok(number) = word.parse::<usize>() {
        if (1..=columns).contains(&number) {
            return Ok(number - 1);
        }
        let what = plural(columns, "type");
        return Err(TaskError::Unfit(format!("there is no type {number}; the model has {what}")));
    }
    let name = |c: usize| model.scheme.column_name(c);
    if let Some(exact) = (0..columns).find(|&c| name(c) == word) {
        return Ok(exact);
    }
    let begins = |c: &usize| name(*c).to_lowercase().starts_with(&word.to_lowercase());
    match (0..columns).filter(begins).collect::<Vec<_>>()[..] {
        [one] => Ok(one),
        [] => {
            let names: Vec<String> = (0..columns).map(name).collect();
            Err(TaskError::unknown("type", word, names.iter().map(String::as_str)))
        }
        [first, second, ..] => Err(TaskError::Unfit(format!(
            "'{}' may be '{}' or '{}'",
            shorten(word),
            name(first),
            name(second)
        ))),
    }
}

fn groups(words: &[String]) -> Result<Vec<&'static Group>, TaskError> {
    if words.is_empty() {
        let shown = |g: &&Group| {
            let plain = g.word.ends_with("-square") && g.first < 416;
            plain || g.word == "material"
        };
        return Ok(GROUPS.iter().filter(shown).collect());
    }
    if words.len() == 1 && words[0] == "all" {
        return Ok(GROUPS.iter().collect());
    }
    let find = |word: &String| {
        GROUPS.iter().find(|g| g.word == word).ok_or_else(|| {
            let known = GROUPS.iter().map(|g| g.word).chain(["all"]);
            TaskError::unknown("group of factors", word, known)
        })
    };
    words.iter().map(find).collect()
}

/// The column that differs most from the other model, or the first.
pub(super) fn most_changed(model: &Model, other: Option<&Model>) -> usize {
    let Some(other) = other else { return 0 };
    let size = |c: usize| -> f64 {
        let pairs = model.column(c).iter().zip(other.column(c));
        pairs.map(|(a, b)| f64::from((a - b).abs())).sum()
    };
    (0..model.scheme.columns()).fold(0, |best, c| if size(c) > size(best) { c } else { best })
}

fn drawn(
    subject: &Subject,
    other: Option<&Subject>,
    compared: bool,
    types: &[usize],
) -> Result<Drawn, TaskError> {
    let model = &subject.model;
    let name = |c: usize| model.scheme.column_name(c);
    let minus = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f32>>();
    let other = other.filter(|_| compared);
    match (types, other) {
        ([a, b], None) => Ok(Drawn {
            title: format!("{} minus {}", name(*a), name(*b)),
            values: minus(model.column(*a), model.column(*b)),
            types: types.to_vec(),
            difference: true,
        }),
        ([] | [_], other) => {
            let column = types.first().copied();
            let column = column.unwrap_or_else(|| most_changed(model, other.map(|o| &o.model)));
            let (title, values) = match other {
                Some(other) => (
                    format!("{}, {} minus {}", name(column), subject.name, other.name),
                    minus(model.column(column), other.model.column(column)),
                ),
                None => (name(column), model.column(column).to_vec()),
            };
            Ok(Drawn { title, values, types: vec![column], difference: other.is_some() })
        }
        ([_, _], Some(_)) => Err(TaskError::Unfit(
            "a difference of two types and one of two models at once: give one of them".to_string(),
        )),
        _ => Err(TaskError::Unfit("--types wants one type, or two".to_string())),
    }
}

fn lists<'a>(groups: &'a [&'static Group]) -> impl Iterator<Item = &'static Group> + 'a {
    groups.iter().copied().filter(|g| !matches!(g.shape, Shape::Squares(_)))
}

/// As few digits as tell something.
fn number(value: f32, whole: bool) -> String {
    let text = if whole { format!("{value:.0}") } else { format!("{value:.1}") };
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        return "0".to_string();
    }
    text
}

/// Everything that is no board: names and numbers, as many as a line holds.
fn list(text: &mut String, group: &Group, values: &[f32]) {
    if values.iter().all(|&v| v == 0.0) {
        let _ = writeln!(text, "{}: all 0", group.word);
        return;
    }
    let whole = values.iter().all(|v| *v == 0.0 || v.abs() >= 10.0);
    let mut line = format!("{}:", group.word);
    for (i, &value) in values.iter().enumerate() {
        let name = group.name(i);
        let short = name.strip_prefix(group.word).unwrap_or(&name).trim_matches('/');
        let item = format!(" {short} {}", number(value, whole)).replace("  ", " ");
        if line.len() + item.len() + 1 > WIDTH {
            let _ = writeln!(text, "{line}");
            line = " ".to_string();
        }
        let comma = if i + 1 < values.len() { "," } else { "" };
        let _ = write!(line, "{item}{comma}");
    }
    let _ = writeln!(text, "{line}");
}

/// A board as lines of equal width, its name first, coloured where there is a scale.
fn board(
    group: &Group,
    first: u8,
    values: &[f32],
    cell: usize,
    colours: Option<Scale>,
) -> Vec<String> {
    let whole = values.iter().any(|v| v.abs() >= 10.0);
    let width = 2 + 8 * cell;
    let mut lines = vec![format!("{:width$}", group.word)];
    for row in (0..values.len() / 8).rev() {
        let mut line = format!("{} ", row + usize::from(first));
        for &value in &values[row * 8..][..8] {
            let cell = format!("{:>cell$}", number(value, whole));
            if let Some(scale) = colours {
                let [r, g, b] = scale.colour(value);
                let _ = write!(line, "\x1b[38;2;17;17;17;48;2;{r};{g};{b}m{cell}\x1b[0m");
            } else {
                line.push_str(&cell);
            }
        }
        lines.push(line);
    }
    let files: String = "abcdefgh".chars().map(|c| format!("{c:>cell$}")).collect();
    lines.push(format!("  {files}"));
    lines
}

/// The boards, beside each other where a line holds two.
fn boards(text: &mut String, groups: &[&'static Group], drawn: &Drawn, colours: Option<Scale>) {
    let values = &drawn.values;
    let boards: Vec<(&Group, u8, &[f32])> = groups
        .iter()
        .filter_map(|g| match g.shape {
            Shape::Squares(first) => Some((*g, first, &values[g.first..][..g.count])),
            _ => None,
        })
        .collect();
    let long = |of: &[f32]| {
        let whole = of.iter().any(|v| v.abs() >= 10.0);
        of.iter().map(|v| number(*v, whole).len()).max().unwrap_or(1)
    };
    let cell = 1 + boards.iter().map(|(_, _, of)| long(of)).max().unwrap_or(3);
    let across = if 2 * (2 + 8 * cell) + 2 <= WIDTH + 6 { 2 } else { 1 };
    for pair in boards.chunks(across) {
        let drawn: Vec<Vec<String>> =
            pair.iter().map(|(g, first, of)| board(g, *first, of, cell, colours)).collect();
        let height = drawn.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let parts: Vec<&str> =
                drawn.iter().filter_map(|b| b.get(line)).map(String::as_str).collect();
            let _ = writeln!(text, "{}", parts.join("  ").trim_end());
        }
        text.push('\n');
    }
}

/// The largest changes since the other model, differences between two types, or else weights.
fn largest(model: &Model, other: Option<&Subject>, drawn: &Drawn) -> (String, Vec<Largest>) {
    let (heading, mut all): (String, Vec<Largest>) = match (&drawn.types[..], other) {
        (&[a, b], _) => {
            let (to, from) = (model.column(a), model.column(b));
            let pick = |factor: usize| Largest {
                factor,
                column: None,
                before: from[factor],
                after: to[factor],
            };
            let (a, b) = (model.scheme.column_name(a), model.scheme.column_name(b));
            (format!("largest differences, from {b} to {a}"), (0..FACTORS).map(pick).collect())
        }
        (_, Some(other)) => {
            let pick = |i: usize| Largest {
                factor: i % FACTORS,
                column: Some(i / FACTORS),
                before: other.model.weights[i],
                after: model.weights[i],
            };
            let heading = format!("largest changes since {}", other.name);
            (heading, (0..model.weights.len()).map(pick).collect())
        }
        (&[column, ..], None) => {
            let weights = model.column(column);
            let pick = |factor: usize| Largest {
                factor,
                column: None,
                before: 0.0,
                after: weights[factor],
            };
            // Men are always worth most.
            let rest = factors::layout::ISOLATED..FACTORS;
            ("largest weights besides material".to_string(), rest.map(pick).collect())
        }
        ([], None) => (String::new(), Vec::new()),
    };
    all.retain(|l| l.after != l.before);
    let size = |l: &Largest| (l.after - l.before).abs();
    all.sort_by(|a, b| size(b).total_cmp(&size(a)));
    all.truncate(LISTED);
    (heading, all)
}

fn figures(
    subject: &Subject,
    other: Option<&Subject>,
    compared: bool,
    drawn: &Drawn,
    changed: Option<usize>,
    largest: &[Largest],
) -> Map<String, Value> {
    let model = &subject.model;
    let names: Vec<String> =
        (0..model.scheme.columns()).map(|c| model.scheme.column_name(c)).collect();
    let values: Map<String, Value> = (drawn.values.iter().enumerate())
        .filter(|(_, v)| **v != 0.0)
        .map(|(factor, v)| (factors::name(factor).to_string(), json!(v)))
        .collect();
    let largest: Vec<Value> = (largest.iter())
        .map(|l| {
            json!({
                "factor": factors::name(l.factor),
                "type": l.column.map(|c| names[c].clone()),
                "before": l.before,
                "after": l.after,
                "change": l.after - l.before,
            })
        })
        .collect();
    let shown: Vec<&String> = drawn.types.iter().map(|&c| &names[c]).collect();
    let figures = json!({
        "of": subject.name,
        "scheme": model.scheme.word(),
        "types": names,
        "shown": shown,
        "minus": other.filter(|_| compared).map(|o| &o.name),
        "values": values,
        "since": other.map(|o| &o.name),
        "changed": changed,
        "largest": largest,
    });
    match figures {
        Value::Object(figures) => figures,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factors::layout::KNIGHT_SQUARE;
    use crate::model::Start;
    use crate::types::{Scheme, Zones};

    fn two() -> (Subject, Subject) {
        let before = Model::start(Scheme::Thesis(Zones::default()), Start::Thesis);
        let mut after = before.clone();
        after.weights[22 * FACTORS + KNIGHT_SQUARE + 21] += 34.0;
        after.weights[4 * FACTORS + 9] -= 3.5;
        let subject = |name: &str, model| Subject { name: name.to_string(), model };
        (subject("after 7 games", after), subject("the beginning", before))
    }

    fn told(look: &Look, compared: bool) -> Account {
        let (after, before) = two();
        account(&after, Some(&before), compared, look).unwrap()
    }

    #[test]
    fn boards_show_the_type_asked_for_and_the_list_what_changed_most() {
        let look = Look { types: vec!["23".into()], ..Look::default() };
        let text = told(&look, false).text;
        assert!(text.contains("2 of 56298 differ from the beginning"), "{text}");
        assert!(text.contains("23: queens"), "{text}");
        let board: Vec<&str> = text.lines().skip_while(|l| !l.starts_with("pawn-sq")).collect();
        assert!(board[0].contains("knight-square"), "{text}");
        // Row 3 of the second board, file f.
        assert_eq!(board[6].split_whitespace().nth(9 + 6), Some("36"), "{text}");
        assert!(
            text.contains("+34.0       2.0 to    36.0  knight-square/f3  23: queens"),
            "{text}"
        );
        assert!(text.contains("-3.5"), "{text}");
        assert!(!text.contains('\x1b'));
        assert!(text.lines().all(|l| l.len() <= 110), "{text}");
    }

    #[test]
    fn two_types_are_shown_as_their_difference() {
        let look = Look { types: vec!["23".into(), "5".into()], ..Look::default() };
        let account = told(&look, false);
        assert!(account.text.contains(" minus 5: no queens"), "{}", account.text);
        let values = account.figures["values"].as_object().unwrap();
        assert_eq!(values.len(), 2);
        assert_eq!(values["knight-square/f3"], 34.0);
        assert_eq!(values["isolated/c"], 3.5);
    }

    #[test]
    fn a_comparison_of_models_shows_the_column_that_changed_most_unless_another_is_asked_for() {
        let account = told(&Look::default(), true);
        assert_eq!(account.figures["shown"][0].as_str().unwrap().split(':').next(), Some("23"));
        assert_eq!(account.figures["values"].as_object().unwrap().len(), 1);
        let look =
            Look { types: vec!["5".into()], groups: vec!["isolated".into()], ..Look::default() };
        let text = told(&look, true).text;
        assert!(text.contains("isolated: a 0, b 0, c -3.5, d 0,"), "{text}");
        assert!(!text.contains("pawn-square"), "{text}");
    }

    #[test]
    fn colours_are_those_of_the_page() {
        let look = Look { colours: true, ..Look::default() };
        let text = told(&look, true).text;
        assert!(text.contains("48;2;235;157;92m 34"), "{text:?}");
        // No difference is neither blue nor orange.
        assert!(text.contains("48;2;245;245;240m  0"));
        assert!(!text.contains("48;2;91;141;199m"));
    }

    #[test]
    fn what_cannot_be_shown_is_refused_with_words() {
        let (after, before) = two();
        let refused = |look: Look, compared| {
            account(&after, Some(&before), compared, &look).unwrap_err().to_string()
        };
        let types = |words: &[&str]| Look {
            types: words.iter().map(ToString::to_string).collect(),
            ..Look::default()
        };
        let plus = Model::start(Scheme::PhasesPlus, Start::Thesis);
        assert_eq!(column(&plus, "ending").unwrap(), 1);
        assert!(column(&plus, "end").unwrap_err().to_string().contains("may be 'ending' or"));
        assert!(refused(types(&["34"]), false).contains("33 types"));
        assert!(refused(types(&["0"]), false).contains("33 types"));
        assert!(refused(types(&["weather"]), false).contains("'weather'"));
        assert!(refused(types(&["1", "2", "3"]), false).contains("one type, or two"));
        assert!(refused(types(&["1", "2"]), true).contains("at once"));
        let groups = Look { groups: vec!["weather".into()], ..Look::default() };
        assert!(refused(groups, false).contains("known are: material"));
        let other =
            Subject { name: "x.zug".into(), model: Model::start(Scheme::Phases, Start::Thesis) };
        let error = account(&after, Some(&other), true, &Look::default()).unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with("the weights after 7 games have the types 'thesis', those of x.zug")
                && error.contains("cannot be compared, but for one type at a time"),
            "{error}"
        );
        let error = account(&after, Some(&other), true, &types(&["5"])).unwrap_err().to_string();
        assert!(error.contains("x.zug has no type '5: "), "{error}");
    }

    #[test]
    fn one_type_is_compared_with_a_model_of_one_column_or_with_the_type_of_its_name() {
        let (after, _) = two();
        let mut model = Model::start(Scheme::One, Start::Thesis);
        model.weights[9] += 2.0;
        let one = Subject { name: "one.zug".into(), model };
        let look = Look { types: vec!["5".into()], ..Look::default() };
        let told = account(&after, Some(&one), true, &look).unwrap();
        assert!(told.text.contains("1 of 1706 differ from one.zug"), "{}", told.text);
        assert_eq!(told.figures["values"]["isolated/c"], -5.5);
        let plus = Subject {
            name: "plus.zug".into(),
            model: Model::start(Scheme::PhasesPlus, Start::Thesis),
        };
        let mut model = Model::start(Scheme::Phases, Start::Thesis);
        model.weights[FACTORS + 9] -= 1.0;
        let phases = Subject { name: "phases.zug".into(), model };
        let look = Look { types: vec!["ending".into()], ..Look::default() };
        let told = account(&plus, Some(&phases), true, &look).unwrap();
        assert_eq!(told.figures["values"].as_object().unwrap().len(), 1);
        assert_eq!(told.figures["values"]["isolated/c"], 1.0);
        // The first type of the thesis is the ending, too.
        assert!(account(&plus, Some(&after), true, &look).is_ok());
    }

    #[test]
    fn the_worth_of_men_is_that_of_all_factors() {
        let mut model = Model::start(Scheme::One, Start::KnightCap1);
        assert!(worth(&model).ends_with("knight 400, bishop 400, rook 600, queen 1200"));
        for square in &mut model.weights[KNIGHT_SQUARE..][..64] {
            *square += 50.0;
        }
        assert!(worth(&model).contains("pawn 100, knight 450, bishop 400"), "{}", worth(&model));
        let subject = Subject { name: "x".into(), model };
        let text = account(&subject, None, false, &Look::default()).unwrap().text;
        assert!(text.contains("\nA man is worth") && text.contains("knight 450"), "{text}");
    }
}

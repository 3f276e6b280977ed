//! The weights of a model as boards and lists that a page can draw: the squares of one group of
//! factors or of the plain tables, of one type of positions.

use super::Model;
use super::look::{column, most_changed};
use crate::factors::{GROUPS, Group, Shape};
use crate::texel::learn::MEN;
use crate::texel::worth;
use zug_learn::face::{Named, TaskError};
use zug_learn::td::face::Look;
use zug_learn::weights::{Board, List, Part, Weights};

/// The word for the groups that are shown first: material and the plain square tables.
const MAIN: &str = "main";
/// What the numbers are.
const UNIT: &str = "hundredths of a pawn";

/// The weights of a model; without a choice those of the type that differs most from `before`.
pub fn weights(
    about: &str,
    model: &Model,
    before: Option<&Model>,
    look: &Look,
) -> Result<Weights, TaskError> {
    let before = before.filter(|b| b.weights.len() == model.weights.len());
    let chosen = match &look.types[..] {
        [] => most_changed(model, before),
        [one] => column(model, one)?,
        _ => return Err(TaskError::Unfit("one type at a time".to_string())),
    };
    let word = match &look.groups[..] {
        [] => MAIN,
        [one] => one.as_str(),
        _ => return Err(TaskError::Unfit("one group at a time".to_string())),
    };
    let shown: Vec<&Group> = if word == MAIN {
        GROUPS.iter().filter(|g| is_main(g)).collect()
    } else {
        GROUPS.iter().filter(|g| g.word == word).collect()
    };
    if shown.is_empty() {
        let known = [MAIN].into_iter().chain(GROUPS.iter().map(|g| g.word));
        return Err(TaskError::unknown("group of factors", word, known));
    }
    let mut weights = Weights::new(about, UNIT);
    let types = (0..model.scheme.columns()).map(|c| {
        let name = model.scheme.column_name(c);
        Named::new((c + 1).to_string(), name)
    });
    weights.offer(Part::Type, "Type of position", (chosen + 1).to_string(), types);
    let main = Named::new(MAIN, "material and squares");
    let rest = GROUPS.iter().filter(|g| !is_main(g));
    let groups = [main].into_iter().chain(rest.map(|g| Named::new(g.word, g.word)));
    weights.offer(Part::Group, "Factors", word, groups);
    let column = model.column(chosen);
    for group in shown {
        add(&mut weights, group, &column[group.first..][..group.count]);
    }
    if word == MAIN {
        let men = MEN.iter().copied().zip(worth::of_men(model, &worth::sample()));
        let about = "by all factors of all types together, with what it adds on its square";
        weights.lists.push(List::new("What a man is worth", men).about(about));
    }
    Ok(weights)
}

fn is_main(group: &Group) -> bool {
    group.word == "material" || group.word.ends_with("-square") && group.first < 416
}

fn add(weights: &mut Weights, group: &Group, values: &[f32]) {
    let value = |place: usize| f64::from(values[place]);
    if let Shape::Squares(first) = group.shape {
        // Some tables have no weights for the outermost rows.
        let rows = values.len() / 8;
        let cells = (0..rows).rev().flat_map(|row| (0..8).map(move |file| 8 * row + file));
        let board = Board {
            columns: "abcdefgh".chars().map(String::from).collect(),
            rows: (0..rows).rev().map(|r| (r + usize::from(first)).to_string()).collect(),
            ..Board::new(group.word, 8, cells.map(|c| Some(value(c))).collect())
        };
        weights.boards.push(board.about(group.help));
        return;
    }
    let name = |place: usize| {
        let name = group.name(place);
        let short = name.strip_prefix(group.word).unwrap_or(&name).trim_start_matches('/');
        if short.is_empty() { name } else { short.to_string() }
    };
    // The first kind of man is none, and nobody loses a king: beside its number no other is seen.
    let places = (0..values.len()).filter(|&p| !["none", "king"].contains(&name(p).as_str()));
    let items: Vec<(String, f64)> = places.map(|p| (name(p), value(p))).collect();
    weights.lists.push(List::new(group.word, items).about(group.help));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factors::FACTORS;
    use crate::factors::layout::KNIGHT_SQUARE;
    use crate::model::Start;
    use crate::types::{Scheme, Zones};

    #[test]
    fn squares_are_boards_with_the_eighth_row_at_the_top() {
        let before = Model::start(Scheme::Thesis(Zones::default()), Start::Thesis);
        let mut model = before.clone();
        model.weights[4 * FACTORS + KNIGHT_SQUARE + 28] = 42.0; // e4
        let shown = weights("now", &model, Some(&before), &Look::default()).unwrap();
        assert_eq!(shown.boards.len(), 6);
        let board = shown.boards.iter().find(|b| b.title == "knight-square").unwrap();
        assert_eq!((board.cells[36], board.cell_name(36)), (Some(42.0), "e4".to_string()));
        let types = &shown.choices[0];
        assert_eq!((types.chosen.as_str(), types.options.len()), ("5", 33), "the changed one");
        assert!(shown.lists.iter().any(|l| l.title == "material"));
    }

    #[test]
    fn other_groups_can_be_chosen_and_wrong_words_are_told() {
        let model = Model::start(Scheme::Phases, Start::KnightCap2);
        let group = |word: &str| Look { groups: vec![word.into()], ..Look::default() };
        let passed = weights("now", &model, None, &group("passed")).unwrap();
        assert_eq!((passed.boards[0].height, passed.boards[0].rows[0].as_str()), (6, "7"));
        let files = weights("now", &model, None, &group("isolated")).unwrap();
        assert_eq!(files.lists[0].items.len(), 8);
        assert_eq!(files.lists[0].items[0].name, "a");
        let error = weights("now", &model, None, &group("weather")).unwrap_err().to_string();
        assert!(error.contains("no group of factors 'weather'"), "{error}");
        let look = Look { types: vec!["9".into()], ..Look::default() };
        assert!(weights("now", &model, None, &look).is_err());
    }
}

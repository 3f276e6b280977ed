use super::*;
use crate::markup::check;
use crate::report::Page;

fn sample(corner: f64) -> Weights {
    let mut cells = [0.0; 64];
    cells[0] = corner;
    cells[63] = -1.0;
    let mut weights = Weights::new("after 3 games", "points");
    weights.boards.push(Board::of_squares("own <discs>", &cells, true).about("a & b"));
    weights.boards.push(Board::new("gap", 2, vec![Some(0.25), None, None]));
    weights.lists.push(List::new("others", [("tempo", 0.5), ("pair", -corner)]).about("more"));
    weights
}

#[test]
fn nought_has_no_colour_and_signs_have_their_own() {
    assert_eq!(colour(0.0, 2.0), [245, 245, 240]);
    assert_eq!(colour(2.0, 2.0), [233, 138, 60]);
    assert_eq!(colour(-9.0, 2.0), [91, 141, 199]);
    assert_eq!(colour(0.5, 2.0), [239, 192, 150]);
    assert_eq!(colour(0.0, 0.0), [245, 245, 240]);
}

#[test]
fn the_first_row_is_at_the_top_or_at_the_bottom() {
    let mut cells = [0.0; 64];
    cells[1] = 7.0;
    let top = Board::of_squares("t", &cells, true);
    assert_eq!((top.cells[1], top.cell_name(1)), (Some(7.0), "b1".to_string()));
    let bottom = Board::of_squares("t", &cells, false);
    assert_eq!((bottom.cells[57], bottom.cell_name(57)), (Some(7.0), "b1".to_string()));
    assert_eq!(Board::new("x", 3, vec![None; 9]).cell_name(5), "column 3, row 2");
}

#[test]
fn differences_are_those_of_boards_and_names_that_both_have() {
    let (a, mut b) = (sample(2.0), sample(0.5));
    b.boards.pop();
    b.lists[0].items.remove(0);
    let minus = a.minus(&b);
    assert_eq!(minus.about, "after 3 games minus after 3 games");
    assert_eq!(minus.boards.len(), 1);
    assert_eq!((minus.boards[0].cells[0], minus.boards[0].cells[63]), (Some(1.5), Some(0.0)));
    assert_eq!(minus.lists[0].items, [Item { name: "pair".into(), value: -1.5 }]);
    assert_eq!(a.largest(), 2.0);
}

#[test]
fn a_moment_is_the_last_or_one_that_was_kept() {
    let kept: Vec<u64> = (0..=500).collect();
    let look = |games: &[u64]| Look { games: games.to_vec(), ..Look::default() };
    assert_eq!(moment(&kept, &look(&[])).unwrap(), Some(500));
    assert_eq!(moment(&kept, &look(&[7])).unwrap(), Some(7));
    assert_eq!(moment(&[], &look(&[])).unwrap(), None);
    let error = moment(&kept, &look(&[501])).unwrap_err().to_string();
    assert!(error.contains("after 501 games") && error.ends_with("500"), "{error}");
    assert!(moment(&[], &look(&[1])).unwrap_err().to_string().contains("yet"));
    assert!(moment(&kept, &look(&[1, 2])).is_err());
    let options = moments(&kept, 7);
    assert!(options.len() <= 60 && options.iter().any(|o| o.name == "7"), "{options:?}");
    assert_eq!(options.last().unwrap().help, "after 500 games");
    let names = ["A".to_string(), "B".to_string()];
    assert_eq!(named("experiment", &names, None).unwrap().unwrap().0, 0);
    assert_eq!(named("experiment", &names, Some(&"B".to_string())).unwrap().unwrap().0, 1);
    let error = named("experiment", &names, Some(&"../A".to_string())).unwrap_err().to_string();
    assert!(error.contains("known are: A, B"), "{error}");
}

#[test]
fn a_page_of_weights_is_well_formed_and_tells_every_number() {
    let mut page = Page::new("x");
    page.weights(&sample(2.0));
    let html = page.html();
    check(&html).unwrap();
    assert!(html.contains("After 3 games, in points."));
    assert!(html.contains("title=\"a1: 2.000\">2.0</td>"), "{html}");
    assert!(html.contains("own &lt;discs&gt;") && html.contains(">−1.0</td>"));
    assert!(html.contains("others: more") && html.contains(">tempo</th>"));
}

#[test]
fn a_choice_without_alternatives_is_none() {
    let mut weights = sample(1.0);
    weights.offer(Part::Type, "Type", "a", [Named::new("a", "")]);
    assert!(weights.choices.is_empty());
    weights.offer(Part::Games, "Moment", "a", [Named::new("a", ""), Named::new("b", "")]);
    let told = serde_json::to_value(&weights).unwrap();
    assert_eq!(
        (&told["choices"][0]["name"], &told["choices"][0]["chosen"]),
        (&"games".into(), &"a".into())
    );
    assert_eq!(told["boards"][1]["cells"].to_string(), "[0.25,null,null]");
}

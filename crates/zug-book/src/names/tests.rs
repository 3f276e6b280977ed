use super::*;
use crate::testing::Script;

fn game() -> Script {
    Script::new("a: B C\nB: d e\nC: d\nd: F\ne = 0\nF: g\ng = 1")
}

#[test]
fn a_line_has_the_name_of_its_last_named_place() {
    let game = game();
    let places = game.places();
    let text = "# openings\n\nBee\tB\nDee\tB d\nOther\tC d\n";
    let names = Names::read(text, "names.txt", &game, &places).unwrap();
    assert_eq!(names.len(), 2, "a place has one name, the first");
    let name = |moves| names.name_of(&places, &game.line(moves));
    assert_eq!(name(""), None);
    assert_eq!(name("B"), Some("Bee"));
    assert_eq!(name("B e"), Some("Bee"));
    assert_eq!(name("C"), None);
    assert_eq!(name("C d F g"), Some("Dee"), "in whatever order the moves came");
}

#[test]
fn moves_are_read_with_and_without_spaces() {
    let game = game();
    let places = game.places();
    let read =
        |text: &str| Names::read(text, "n", &game, &places).map(|n| n.iter().next().unwrap().0);
    assert_eq!(read("x\tBdFg"), read("x\tB d F g"));
    assert_eq!(read("x\tB dF g"), read("x\tBdF g"));
}

#[test]
fn bad_lines_are_refused_with_their_number() {
    let game = game();
    let refused =
        |text: &str| Names::read(text, "n.txt", &game, &game.places()).unwrap_err().to_string();
    assert_eq!(
        refused("ok\tB\nno tab here\n"),
        "n.txt: line 2: expected a name, a tab and moves; there is no tab"
    );
    assert!(refused("\tB").contains("expected a name"));
    let message = refused("x\tBdq");
    assert!(message.contains("line 1: move 3: expected a legal move, found 'q'"), "{message}");
    assert!(refused("x\tBé").contains("move 2"));
    assert!(refused(&format!("{}\tB", "x".repeat(300))).contains("200"));
    assert!(refused("a\u{7}b\tB").contains("without controls"));
}

#[test]
fn names_are_given_taken_and_merged() {
    let mut names = Names::default();
    assert!(names.insert(1, "One") && names.insert(2, "Two"));
    assert!(!names.insert(3, "") && !names.insert(3, "a\nb"));
    let mut other = Names::default();
    other.insert(2, "Zwei");
    names.merge(other);
    let all: Vec<(u64, &str)> = names.iter().collect();
    assert_eq!(all, [(1, "One"), (2, "Zwei")]);
}

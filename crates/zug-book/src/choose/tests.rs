use super::*;
use crate::graph::Alternative;
use crate::testing::{Script, exact};
use crate::values::Draws;
use std::collections::HashSet;
use zug_core::Side;

struct Desk {
    game: Script,
    book: Book,
    places: Places,
}

impl Desk {
    fn new(text: &str) -> Desk {
        let game = Script::new(text);
        Desk { book: Book::new("script"), places: game.places(), game }
    }

    fn add(mut self, names: &str) -> Desk {
        self.game.add(&mut self.book, names, None);
        self
    }

    fn add_played(mut self, names: &str, value: i32) -> Desk {
        self.game.add(&mut self.book, names, Some(value));
        self
    }

    /// A searched alternative at `at`, by its move.
    fn alternative(mut self, at: &str, mv: &str, value: Chance) -> Desk {
        let (at, key) = (self.game.key_of(at), self.game.key_of(mv));
        let alternative = Alternative { mv: mv.to_string(), key, value, depth: 10 };
        assert!(self.book.set_alternative(at, Some(alternative)));
        self
    }

    fn advise_with(&self, names: &str, draws: Draws) -> Advice {
        let values = Values::of(&self.book, draws);
        advise(&self.book, &values, &self.places, &self.game.line(names))
    }

    fn advise(&self, names: &str) -> Advice {
        self.advise_with(names, Draws::Neutral)
    }

    /// The chosen move and where it comes from.
    fn choice(&self, names: &str) -> Option<(String, Origin)> {
        match self.advise(names) {
            Advice::Play(found) => Some((found.mv, found.from)),
            _ => None,
        }
    }
}

fn is(mv: &str, from: Origin) -> Option<(String, Origin)> {
    Some((mv.to_string(), from))
}

/// Fig. 5.1 of the thesis, after its prose: three stored games, all lost for the first side.
#[test]
fn a_good_deviation_later_is_preferred_to_a_poor_one_at_once() {
    let desk = Desk::new(
        "v1: W v2x V2
         W = -4
         v2x = 0
         V2: v3 v3b
         v3: W3 V4
         W3 = -6
         v3b: W3b W3c
         W3b = -2
         W3c = 0
         V4 = 0",
    );
    let desk = desk.add("W").add("V2 v3 W3").add("V2 v3b W3b");
    // At once: -0.4; after the tree-losing second move and the opponent's winning answer: +0.1.
    let desk = desk
        .alternative("v1", "v2x", Chance::Estimate(-40))
        .alternative("v3", "V4", Chance::Estimate(10))
        .alternative("v3b", "W3c", Chance::Estimate(90));
    let values = Values::of(&desk.book, Draws::Neutral);
    let key = |name| desk.game.key_of(name);
    assert_eq!(values.standing(key("v1")), Some(Standing::Lost));
    // The opponent repeats the win that leaves us the least: v3, not v3b.
    assert_eq!(values.chance(key("V2")), Some(Chance::Estimate(-10)));
    assert_eq!(values.chance(key("v1")), Some(Chance::Estimate(10)));
    assert_eq!(desk.choice(""), is("V2", Origin::Played));
    assert_eq!(desk.choice("V2 v3"), is("V4", Origin::Alternative));
    // Without the late deviation it is the early one.
    let desk = desk.alternative("v3", "V4", Chance::Estimate(-80));
    assert_eq!(desk.choice(""), is("v2x", Origin::Alternative));
}

#[test]
fn a_win_is_repeated_and_used_by_the_other_colour() {
    let desk = Desk::new("a: B C\nB: d e\nC: f\nd = 5\ne = -3\nf = 2");
    let desk = desk.add("B d");
    assert_eq!(desk.choice(""), is("B", Origin::Played));
    assert_eq!(desk.choice("B"), is("e", Origin::OnlyLeft), "the loser tries the other move");
    // It worked: now the second side repeats that, and the first must look elsewhere.
    let desk = desk.add("B e");
    assert_eq!(desk.choice("B"), is("e", Origin::Played));
    assert_eq!(desk.choice(""), is("C", Origin::OnlyLeft));
}

#[test]
fn of_two_wins_the_proven_one_is_taken_and_then_the_larger() {
    let desk = Desk::new("a: B C D\nB: x y\nC = 4\nD = 9\nx = 0\ny = 0");
    let desk = desk.add_played("B", -30).add("C");
    assert_eq!(desk.choice(""), is("C", Origin::Played), "a played win by 30 is not proven");
    assert_eq!(desk.add("D").choice(""), is("D", Origin::Played));
}

#[test]
fn where_everything_known_loses_the_moves_not_played_yet_are_tried() {
    let desk = Desk::new("a: B C D\nB = -1\nC = -9\nD = -5").add("B");
    assert_eq!(desk.advise(""), Advice::Search(vec!["C".to_string(), "D".to_string()]));
    let desk = desk.add("C");
    assert_eq!(desk.choice(""), is("D", Origin::OnlyLeft));
    let Advice::Play(found) = desk.advise("") else { panic!() };
    assert_eq!((found.chance, found.tree, found.games), (None, -1, 0));
}

#[test]
fn no_game_is_lost_twice_before_every_other_was_tried_again() {
    let mut desk =
        Desk::new("a: B C D\nB: x\nC: y\nD = -2\nx = -1\ny = -5").add("D").add_played("B", 1);
    desk = desk.add_played("C", 5);
    // Played losses, the smaller first, in turn; the proven one is not repeated at all.
    let mut seen = Vec::new();
    for _ in 0..4 {
        let (mv, _) = desk.choice("").unwrap();
        desk = desk.add_played(&mv, if mv == "B" { 1 } else { 5 });
        seen.push(mv);
    }
    assert_eq!(seen, ["B", "C", "B", "C"]);
}

#[test]
fn proven_alternatives_decide() {
    let text = "a: B C\nB = -3\nC = 1";
    let end = |margin| crate::End { proven: true, margin, ply: 1 };
    let won = Desk::new(text).add("B").alternative("a", "C", Chance::Won(end(1)));
    assert_eq!(won.choice(""), is("C", Origin::Alternative));
    // Everything is proven lost: the smaller loss of those played least.
    let lost = Desk::new(text).add("B").alternative("a", "C", Chance::Lost(end(9)));
    assert_eq!(lost.choice(""), is("C", Origin::Alternative));
}

#[test]
fn a_draw_is_kept_or_avoided() {
    let desk = Desk::new("a: B C\nB = 0\nC = 0").add("B");
    let desk = desk.alternative("a", "C", Chance::Estimate(-25));
    assert_eq!(desk.choice(""), is("B", Origin::Played));
    let chosen = |draws| match desk.advise_with("", draws) {
        Advice::Play(found) => found.mv,
        other => panic!("{other:?}"),
    };
    assert_eq!(chosen(Draws::LostFor(Side::First)), "C", "the first side does not repeat draws");
    assert_eq!(chosen(Draws::LostFor(Side::Second)), "B", "for the first side it is a win");
}

#[test]
fn a_known_place_counts_though_no_game_went_this_way() {
    // d is reached by B and by C; the game by B is a win for the first side.
    let mut desk = Desk::new("a: B C\nB: d\nC: d e\nd: E\nE = 3\ne = -3").add("C e");
    desk = desk.add("B d E");
    // The second side has a move from C to d in the book now; it wins by e all the same.
    assert_eq!(desk.choice("C"), is("e", Origin::Played));
    let values = Values::of(&desk.book, Draws::Neutral);
    let moves = every_move(&desk.book, &values, &desk.places, &desk.game.line("C"));
    let known: Vec<(&str, Option<i32>, u32)> =
        moves.iter().map(|m| (m.mv.as_str(), m.tree, m.games)).collect();
    assert_eq!(known, [("d", Some(-3), 0), ("e", Some(3), 1)]);
}

#[test]
fn nothing_is_said_outside_the_book_and_at_its_leaves() {
    let desk = Desk::new("a: B C\nB: d\nC: d\nd: E\nE = 3").add_played("B d", 2);
    assert_eq!(desk.advise("C"), Advice::Unknown);
    assert_eq!(desk.advise("B d"), Advice::Unknown);
    assert_eq!(desk.advise("B d E"), Advice::Unknown);
}

#[test]
fn where_the_book_ends_without_a_result_its_alternative_is_played() {
    let mut desk = Desk::new("a: B\nB: c d\nc = 0\nd = 0");
    let line = desk.game.line("B");
    desk.book.add_open(&desk.places, &line, 1, None);
    assert_eq!(desk.advise("B"), Advice::Unknown);
    let desk = desk.alternative("B", "d", Chance::Estimate(-300));
    assert_eq!(desk.choice("B"), is("d", Origin::Alternative));
}

#[test]
fn an_exact_result_leaves_only_the_moves_that_keep_it() {
    let mut desk = Desk::new("a: B C\nB: x\nC = -1\nx = 1").add("C");
    assert_eq!(desk.choice(""), is("B", Origin::OnlyLeft));
    desk.book.set_result(desk.game.key_of("a"), exact(1));
    assert_eq!(desk.advise(""), Advice::Unknown, "won, but not by a move of the book");
    let desk = desk.add("B x");
    assert_eq!(desk.choice(""), is("B", Origin::Played));
}

#[test]
fn weights_rise_with_success_and_fall_with_failure() {
    let mut desk = Desk::new("a: B C D\nB: x y\nC = 0\nD = 0\nx = 1\ny = -1").add("C");
    let weight = |desk: &Desk, mv: &str| {
        let values = Values::of(&desk.book, Draws::Neutral);
        let moves = every_move(&desk.book, &values, &desk.places, &desk.game.line(""));
        moves.into_iter().find(|m| m.mv == mv).unwrap()
    };
    desk = desk.add("B x");
    let after_win = weight(&desk, "B");
    assert_eq!((after_win.wins, after_win.draws, after_win.losses), (1, 0, 0));
    assert!(after_win.weight > weight(&desk, "C").weight);
    let even = desk.add("B y");
    let before = weight(&even, "B").weight;
    let lost = even.add("B y");
    assert!(weight(&lost, "B").weight < before);
    let win = lost.add("B x").add("B x");
    assert!(weight(&win, "B").weight > before);
    assert_eq!(weight(&win, "D").weight, 0.0);
    assert_eq!(weight(&win, "D").tree, None);
}

#[test]
fn lots_are_drawn_by_weight_and_only_among_known_moves_of_good_chances() {
    let mut desk = Desk::new("a: B C D E\nB: x y\nC: x y\nD = 0\nE: y z\nx = 0\ny = 0\nz = 0");
    for (mv, games) in [("B", 20), ("C", 1), ("E", 30)] {
        for _ in 0..games {
            let line = desk.game.line(mv);
            let winner = Some(Side::First);
            let won = zug_core::Outcome { winner, margin: None, reason: "stated" };
            desk.book.add_open(&desk.places, &line, 1, Some(won));
        }
    }
    // For the second side, who moves there: E is bad for the first, however often it won.
    let desk = desk
        .alternative("B", "x", Chance::Estimate(-100))
        .alternative("C", "x", Chance::Estimate(90))
        .alternative("E", "y", Chance::Estimate(110));
    let values = Values::of(&desk.book, Draws::Neutral);
    let line = desk.game.line("");
    let weights = every_move(&desk.book, &values, &desk.places, &line);
    let share = weights[0].weight / (weights[0].weight + weights[1].weight);
    let mut rng = zug_core::rng(1, 0);
    let mut drawn = [0, 0];
    for _ in 0..2000 {
        let found = draw_by_weight(&desk.book, &values, &desk.places, &line, &mut rng).unwrap();
        drawn[["B", "C"].iter().position(|m| *m == found.mv).unwrap()] += 1;
    }
    assert!((f64::from(drawn[0]) / 2000.0 - share).abs() < 0.03, "{drawn:?} {share}");
    assert!(drawn[1] > 20, "a rare move is still tried");
    let end = desk.game.line("B");
    assert!(draw_by_weight(&desk.book, &values, &desk.places, &end, &mut rng).is_none());
}

#[test]
fn a_losing_move_is_never_drawn_beside_a_winning_one() {
    let mut desk = Desk::new("a: B C D\nB = 1\nC = -1\nD = 3").add("B").add("D");
    for _ in 0..20 {
        desk = desk.add("C");
    }
    let values = Values::of(&desk.book, Draws::Neutral);
    let (line, mut rng) = (desk.game.line(""), zug_core::rng(1, 0));
    let mut draw = || draw_by_weight(&desk.book, &values, &desk.places, &line, &mut rng);
    let drawn: HashSet<String> = (0..200).map(|_| draw().unwrap().mv).collect();
    assert_eq!(drawn, HashSet::from(["B".to_string(), "D".to_string()]));
}

use super::*;
use crate::testing::Script;
use std::sync::Arc as Shared;

#[test]
fn mirrored_positions_are_one_place_unless_places_are_plain() {
    let mut table = (*Script::new("a: B C\nB = 1\nC = 1").0).clone();
    (table[1].twin, table[2].twin) = (2, 1);
    let game = Script(Shared::new(table));
    let keys = |places: &Places| {
        let (b, c) = (game.line("B"), game.line("C"));
        (places.key(&b), places.key(&c))
    };
    let (b, c) = keys(&Places::symmetric(&game));
    assert_eq!(b, c);
    let (b, c) = keys(&Places::plain(&game));
    assert_ne!(b, c);
    assert_eq!(keys(&Places::general()), (b, c));
}

#[test]
fn steps_are_all_legal_moves_with_the_places_they_lead_to() {
    let game = Script::new("a: B C d\nB = 1\nC = 1\nd = 0");
    for places in [Places::symmetric(&game), Places::plain(&game), Places::general()] {
        let steps = places.steps(&game.line(""));
        let moves: Vec<&str> = steps.iter().map(|s| s.mv.as_str()).collect();
        assert_eq!(moves, ["B", "C", "d"]);
        for step in &steps {
            assert_eq!(step.key, places.key(&game.line(&step.mv)));
        }
        assert!(places.steps(&game.line("B")).is_empty(), "the game is over");
    }
}

#[test]
fn a_game_brings_its_places_or_gets_the_general_ones() {
    let game = Script::new("a: B C\nB = 1\nC = 1");
    let entry = GameEntry::new(game.clone());
    assert_eq!(Places::of(&entry).key(&game.line("B")), Places::plain(&game).key(&game.line("B")));
    struct Same;
    impl AnyPlaces for Same {
        fn key(&self, _: &dyn AnyLine) -> u64 {
            7
        }
        fn steps(&self, _: &dyn AnyLine) -> Vec<Step> {
            Vec::new()
        }
    }
    let entry = entry.with_extension(Places::new(Same));
    assert_eq!(Places::of(&entry).key(&game.line("B")), 7);
}

//! The behaviour that the thesis asks of a learner, on small games that are given by tables.

use super::*;
use crate::testing::Script;
use proptest::prelude::*;
use std::collections::HashSet;
use std::path::Path;
use zug_core::Spec;
use zug_core::player::choose_quietly;

/// Plays the first move that it may; it never thinks well of a position. It knows no results.
struct Eager;

impl Player for Eager {
    fn name(&self) -> String {
        "eager".into()
    }
    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        _: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let legal = line.legal_moves();
        let mv = legal.iter().find(|mv| limits.only.is_empty() || limits.only.contains(mv));
        let info =
            Info { rank: 1, depth: 1, score: Some(Score::estimate(-100)), ..Info::default() };
        Ok(Choice { info: Some(info), ..Choice::of(mv.unwrap().clone()) })
    }
}

fn entry(game: &Script) -> GameEntry {
    let kind = PlayerKind {
        name: "eager",
        help: "plays the first move".into(),
        make: Box::new(|spec| {
            spec.only(&[])?;
            Ok(Box::new(Eager))
        }),
    };
    with_books(GameEntry::new(game.clone()).with_extension(game.places()).with_player(kind))
}

fn learner(entry: &GameEntry, book: &Path, more: &str) -> Box<dyn Player> {
    let spec = format!("eager:book={},learn=on{more}", book.display());
    entry.player(&Spec::parse(&spec).unwrap()).unwrap()
}

/// A game between a learner and the eager player; its moves, and who won.
fn game(entry: &GameEntry, learner: &mut dyn Player, side: Side) -> (Vec<String>, Option<Side>) {
    let mut line = entry.game.new_line();
    learner.new_game(&*line).unwrap();
    while line.outcome().is_none() {
        let choice = if line.to_move() == side {
            choose_quietly(learner, &*line, &Limits::default()).unwrap()
        } else {
            choose_quietly(&mut Eager, &*line, &Limits::default()).unwrap()
        };
        line.play(&choice.mv).unwrap();
    }
    let outcome = line.outcome().unwrap();
    learner.game_over(&*line, Some(&outcome));
    (line.moves(), outcome.winner)
}

/// Can this side win against the eager player?
fn can_win(game: &Script, at: usize, side: Side) -> bool {
    let place = &game.0[at];
    match place.to.as_slice() {
        [] if side == Side::First => place.end > 0,
        [] => place.end < 0,
        [first, ..] if place.side != side => can_win(game, *first, side),
        all => all.iter().any(|&to| can_win(game, to, side)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn no_game_is_lost_twice_where_another_way_is_left_and_what_wins_once_wins_again(
        seed in 0u64..10_000,
    ) {
        let script = Script::random(seed, 18);
        let entry = entry(&script);
        for side in Side::BOTH {
            let folder = tempfile::tempdir().unwrap();
            let book = folder.path().join("b.zug");
            let winnable = can_win(&script, 0, side);
            let (mut lost, mut wins) = (HashSet::new(), 0);
            for _ in 0..if winnable { 80 } else { 4 } {
                // A new player for each game, as in a match: all that is known is in the book.
                let mut player = learner(&entry, &book, ",draws=avoid");
                let (moves, winner) = game(&entry, &mut *player, side);
                if winner == Some(side) {
                    wins += 1;
                } else {
                    prop_assert_eq!(wins, 0, "won before, and not now");
                    prop_assert!(!winnable || lost.insert(moves), "the same game again");
                }
                if wins == 3 {
                    break;
                }
            }
            prop_assert_eq!(winnable, wins == 3);
        }
    }
}

#[test]
fn the_opponents_winning_line_is_played_with_the_other_colour() {
    // The first side loses when both play the first move they see.
    let script = Script::new("a: B E\n B: c d\n c = -4\n d = 2\n E: f g\n f = -6\n g = 4");
    let entry = entry(&script);
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("b.zug");
    let (moves, winner) = game(&entry, &mut *learner(&entry, &book, ""), Side::First);
    assert_eq!((moves.join(" ").as_str(), winner), ("B c", Some(Side::Second)));
    // The eager player begins as the learner did, and meets its own reply: from the book.
    let mut second = learner(&entry, &book, "");
    let (moves, winner) = game(&entry, &mut *second, Side::Second);
    assert_eq!((moves.join(" ").as_str(), winner), ("B c", Some(Side::Second)));
    let mut line = entry.game.new_line();
    line.play("B").unwrap();
    let choice = choose_quietly(&mut *second, &*line, &Limits::default()).unwrap();
    let info = choice.info.unwrap();
    assert_eq!((info.depth, info.score), (0, Some(Score::estimate(400))), "by the book");
    assert_eq!(info.line, ["c"]);
    // And with its own colour it goes another way.
    let (moves, _) = game(&entry, &mut *learner(&entry, &book, ""), Side::First);
    assert_eq!(moves.join(" "), "E f");
}

#[test]
fn a_draw_is_repeated_or_avoided_as_asked_for() {
    let script = Script::new("a: B E\n B: c\n c = 0\n E: f\n f = -2");
    let entry = entry(&script);
    for (draws, second) in [("neutral", "B c"), ("avoid", "E f")] {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("b.zug");
        let more = format!(",draws={draws}");
        let play = || game(&entry, &mut *learner(&entry, &book, &more), Side::First).0.join(" ");
        assert_eq!(play(), "B c");
        assert_eq!(play(), second, "{draws}");
        // A draw is better than a known loss under either rule.
        assert_eq!(play(), "B c", "{draws}");
    }
}

#[test]
fn a_running_player_can_be_told_to_avoid_draws_and_given_another_book() {
    let script = Script::new("a: B E\n B: c\n c = 0\n E: f\n f = -2");
    let entry = entry(&script);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.zug");
    game(&entry, &mut *learner(&entry, &path, ""), Side::First);
    let mut player = entry.player(&Spec::parse("eager").unwrap()).unwrap();
    let first_move = |player: &mut dyn Player| {
        choose_quietly(player, &*entry.game.new_line(), &Limits::default()).unwrap()
    };
    assert!(player.set_option("contempt", "1").unwrap_err().to_string().contains("book"));
    assert_eq!(first_move(&mut *player).info.unwrap().depth, 1, "there is no book yet");
    player.set_option("Book", path.to_str().unwrap()).unwrap();
    assert_eq!(first_move(&mut *player).mv, "B");
    player.set_option("contempt", "2.5").unwrap();
    assert_eq!(first_move(&mut *player).mv, "E");
    player.set_option("contempt", "0").unwrap();
    assert_eq!(first_move(&mut *player).mv, "B");
    assert!(!player.learns());
    player.set_option("learn", "on").unwrap();
    assert!(player.learns());
    assert!(player.set_option("learn", "perhaps").is_err());
    assert!(player.set_option("depth", "3").unwrap_err().to_string().contains("depth"));
}

#[test]
fn a_fault_teaches_nothing_and_a_resignation_does() {
    let script = Script::new("a: B E\n B: c\n c: D\n D = 3\n E = 1");
    let entry = entry(&script);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.zug");
    let mut line = entry.game.new_line();
    line.play("B").unwrap();
    let mut player = learner(&entry, &path, "");
    player.new_game(&*entry.game.new_line()).unwrap();
    choose_quietly(&mut *player, &*entry.game.new_line(), &Limits::default()).unwrap();
    player.game_over(&*line, None);
    assert!(!path.exists());
    choose_quietly(&mut *player, &*entry.game.new_line(), &Limits::default()).unwrap();
    player.game_over(&*line, Some(&Outcome::win(Side::Second, "resignation")));
    let book = Book::open(&path, Some("script")).unwrap();
    let end = book.get(game_key(&script, "B")).unwrap();
    assert_eq!(end.result(), Some(Leaf { value: 1, exact: false }));
    assert_eq!(
        choose_quietly(&mut *player, &*entry.game.new_line(), &Limits::default()).unwrap().mv,
        "E"
    );
}

fn game_key(script: &Script, name: &str) -> u64 {
    script.key_of(name)
}

#[test]
fn a_game_between_two_learners_of_one_book_is_one_game() {
    let script = Script::new("a: B\n B: c\n c = 1");
    let entry = entry(&script);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.zug");
    let mut players = [learner(&entry, &path, ""), learner(&entry, &path, "")];
    for games in 1..=3 {
        let mut line = entry.game.new_line();
        players.iter_mut().for_each(|p| p.new_game(&*line).unwrap());
        while line.outcome().is_none() {
            let player = &mut *players[line.to_move().index()];
            let choice = choose_quietly(player, &*line, &Limits::default()).unwrap();
            line.play(&choice.mv).unwrap();
        }
        let outcome = line.outcome();
        players.iter_mut().for_each(|p| p.game_over(&*line, outcome.as_ref()));
        assert_eq!(Book::open(&path, None).unwrap().games(), games);
    }
}

#[test]
fn bad_options_are_refused_with_their_reason() {
    let script = Script::new("a: B\n B = 1");
    let entry = entry(&script);
    let folder = tempfile::tempdir().unwrap();
    let error = |options: &str| {
        let spec = Spec::parse(&format!("eager:{options}")).unwrap();
        entry.player(&spec).err().expect("a bad option").to_string()
    };
    let missing = folder.path().join("missing.zug");
    assert!(error(&format!("book={}", missing.display())).contains("missing.zug"));
    assert!(error("learn=on").contains("book=FILE"));
    assert!(error("book=shipped").contains("no book of script"));
    assert!(error("draws=maybe").contains("neutral or avoid"));
    assert!(error("depth=3").contains("depth"));
    let broken = folder.path().join("broken.zug");
    std::fs::write(&broken, b"no book at all").unwrap();
    assert!(error(&format!("book={}", broken.display())).contains("broken.zug"));
}

#[test]
fn the_same_game_with_colours_exchanged_is_another_and_one_between_two_learners_is_one() {
    let script = Script::new("a: B\n B: c\n c = 0");
    let entry = entry(&script);
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("b.zug");
    for side in Side::BOTH {
        game(&entry, &mut *learner(&entry, &book, ""), side);
    }
    assert_eq!(Book::open(&book, None).unwrap().games(), 2);
    let mut both = [learner(&entry, &book, ""), learner(&entry, &book, "")];
    let mut line = entry.game.new_line();
    for player in &mut both {
        player.new_game(&*line).unwrap();
    }
    for player in &mut both {
        let mv = choose_quietly(&mut **player, &*line, &Limits::default()).unwrap().mv;
        line.play(&mv).unwrap();
    }
    let outcome = line.outcome().unwrap();
    for player in &mut both {
        player.game_over(&*line, Some(&outcome));
    }
    assert_eq!(Book::open(&book, None).unwrap().games(), 3);
}

#[test]
fn lots_differ_from_game_to_game_and_are_the_same_for_the_same_seed() {
    let script = Script::new("a: B C D\n B: x\n C: x\n D: x\n x = 0");
    let entry = entry(&script);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.zug");
    let mut book = Book::new("script");
    for mv in ["B", "C", "D"] {
        book.add_open(&script.places(), &script.line(mv), 1, None);
    }
    book.spec = entry.game.spec();
    book.save(&path).unwrap();
    let series = || {
        let spec = format!("eager:book={},vary=on", path.display());
        let mut player = entry.player(&Spec::parse(&spec).unwrap()).unwrap();
        let line = entry.game.new_line();
        let mut moves = Vec::new();
        for _ in 0..20 {
            player.new_game(&*line).unwrap();
            moves.push(choose_quietly(&mut *player, &*line, &Limits::default()).unwrap().mv);
        }
        moves
    };
    let moves = series();
    assert_eq!(moves.iter().collect::<HashSet<_>>().len(), 3, "{moves:?}");
    assert_eq!(moves, series(), "the same seed, the same lots");
}

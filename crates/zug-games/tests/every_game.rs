//! What must hold for every game of this crate, whatever its options.

use zug_core::player::choose_quietly;
use zug_core::{Capability, GameEntry, Limits, Record, RecordFormat, Spec, TextRecords};
use zug_games::{NAMES, open};

const SPECS: &[&str] = &[
    "dodgem:4x4",
    "dodgem:3x3,blocked=wins",
    "dodgem:5x5,repetition=allowed",
    "dodgem:8x8",
    "tictactoe",
    "kinarow:4x4,k=3,lose",
    "kinarow:5x4,k=4",
    "kinarow:8x8,k=5",
    "kinarow:1x5,k=3",
    "connect4",
    "connect4:4x4",
    "connect4:8x7,k=5",
    "connect4:5x4",
    "hexapawn:3x3",
    "hexapawn:4x4",
    "hexapawn:5x6",
    "morris",
    "morris:men=4,flying=no",
    "matches:n=16",
    "matches:n=21,take=3",
    "nim:3-4-5",
    "nim:1-3-5-7,misere,take=3",
];

fn entry(spec: &str) -> GameEntry {
    open(&Spec::parse(spec).unwrap()).expect("a game of this crate").unwrap()
}

#[test]
fn every_check_passes_for_every_game() {
    for spec in SPECS {
        for (name, result) in entry(spec).run_checks(1) {
            let text = result.unwrap_or_else(|e| panic!("{spec}, {name}: {e}"));
            println!("{spec:28} {name:20} {text}");
        }
    }
}

#[test]
fn every_name_opens_and_tells_its_full_name() {
    for (name, help) in NAMES {
        assert!(help.len() > 20);
        let game = entry(name).game;
        assert_eq!(entry(&game.spec()).game.spec(), game.spec());
    }
    for spec in SPECS {
        assert_eq!(entry(spec).game.spec(), *spec);
    }
    assert!(open(&Spec::parse("checkers").unwrap()).is_none());
    for bad in ["dodgem:depth=3", "morris:x", "connect4:big", "nim:x=1", "tictactoe:k=3"] {
        let error = open(&Spec::parse(bad).unwrap()).unwrap().err();
        assert!(error.is_some(), "{bad}");
    }
}

#[test]
fn every_game_has_the_players_and_the_text_format() {
    for spec in SPECS {
        let entry = entry(spec);
        let players: Vec<&str> = entry.players.iter().map(|p| p.name).collect();
        assert_eq!(players[..5], ["zug", "pvs", "mcts", "random", "learned"]);
        // A game that can be solved can be played from a database.
        let solvable = entry.capabilities.contains(&Capability::Index);
        assert_eq!(players[5..] == ["perfect"], solvable, "{spec}: {players:?}");
        assert_eq!(entry.formats.len(), 1);
        assert!(entry.capabilities.contains(&Capability::Retro), "{spec}");
    }
}

/// Plays a game between two players with small limits.
fn play(entry: &GameEntry, first: &str, second: &str) -> Record {
    let limits = Limits { nodes: Some(200), ..Limits::default() };
    let mut players = [first, second].map(|p| entry.player(&Spec::parse(p).unwrap()).unwrap());
    let mut line = entry.game.new_line();
    while line.outcome().is_none() && line.ply() < 200 {
        let player = &mut players[line.ply() % 2];
        let choice = choose_quietly(player.as_mut(), line.as_ref(), &limits).unwrap();
        line.play(&choice.mv).unwrap();
    }
    let mut record = Record::of_line(line.as_ref());
    record.set_tag("White", first);
    record.set_tag("Black", second);
    record
}

#[test]
fn played_games_survive_being_written_and_read() {
    for spec in SPECS {
        let entry = entry(spec);
        let records =
            [play(&entry, "random:seed=1", "zug"), play(&entry, "mcts:seed=2", "random:seed=3")];
        let bytes = TextRecords.write(&records).unwrap();
        let read: Vec<Record> = TextRecords.read(&bytes).into_iter().map(Result::unwrap).collect();
        assert_eq!(read, records);
        for record in &read {
            let line = record.replay(entry.game.as_ref()).unwrap();
            let moves: Vec<&str> = record.moves.iter().map(|m| m.text.as_str()).collect();
            assert_eq!(line.moves(), moves);
        }
    }
}

#[test]
fn search_beats_random_moves() {
    for (spec, games) in [("dodgem:4x4", 4), ("connect4", 4), ("morris", 2), ("nim:3-4-5", 4)] {
        let entry = entry(spec);
        let mut points = 0.0;
        for seed in 0..games {
            let random = format!("random:seed={seed}");
            let record = play(&entry, "zug:depth=3", &random);
            let line = record.replay(entry.game.as_ref()).unwrap();
            points += line.outcome().map_or(0.5, |o| o.points(zug_core::Side::First));
        }
        assert!(points >= 0.75 * f64::from(games), "{spec}: {points} of {games}");
    }
}

/// For 4, 7, 10, 13 and 16 matches the second player wins against every sequence of moves.
#[test]
fn the_second_player_wins_the_matchstick_game_against_every_sequence() {
    fn all_sequences(entry: &GameEntry, moves: &mut Vec<String>) -> u32 {
        let mut line = entry.game.new_line();
        for mv in &*moves {
            line.play(mv).unwrap();
        }
        if let Some(outcome) = line.outcome() {
            assert_eq!(outcome.winner, Some(zug_core::Side::Second), "{moves:?}");
            return 1;
        }
        let mut games = 0;
        let choices = if line.to_move() == zug_core::Side::First {
            line.legal_moves()
        } else {
            // To the end of the game: the evaluation, which knows the theory, is never asked.
            let mut player = entry.player(&Spec::parse("pvs:depth=20,hash=1").unwrap()).unwrap();
            vec![choose_quietly(player.as_mut(), line.as_ref(), &Limits::default()).unwrap().mv]
        };
        for mv in choices {
            moves.push(mv);
            games += all_sequences(entry, moves);
            moves.pop();
        }
        games
    }
    for n in [4, 7, 10, 13, 16] {
        let games = all_sequences(&entry(&format!("matches:n={n}")), &mut Vec::new());
        assert_eq!(games, 1 << ((n - 1) / 3));
    }
}

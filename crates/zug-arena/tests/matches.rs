//! Matches between players of our own: schedules, results, resuming, adjudication, openings.

mod support;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use support::{players, sticks};
use zug_arena::{
    Adjudication, GameResult, MatchConfig, MatchReport, Opening, Openings, ResignRule, Schedule,
    Sprt, Termination, TimeControl, read_openings, run_match,
};
use zug_core::{GameEntry, Outcome, Side};

/// Plays a match and gives back the report and all games in their order.
fn play(entry: &GameEntry, specs: &[&str], config: &MatchConfig) -> (MatchReport, Vec<GameResult>) {
    let mut games = Vec::new();
    let mut note = |p: &zug_arena::Progress<'_>| games.push(p.game.clone());
    let report = run_match(entry, &players(entry, specs), config, &mut note).unwrap();
    games.sort_by_key(|g| g.index);
    (report, games)
}

fn failure(entry: &GameEntry, specs: &[&str], config: &MatchConfig) -> String {
    let result = run_match(entry, &players(entry, specs), config, &mut |_| {});
    result.expect_err("the match must fail").to_string()
}

fn config(games: usize) -> MatchConfig {
    MatchConfig { games, openings: Openings::Random { plies: 2 }, ..MatchConfig::default() }
}

#[test]
fn perfect_play_beats_random_play_and_colours_are_swapped() {
    let entry = sticks();
    let (report, games) = play(&entry, &["perfect", "random"], &config(40));
    assert_eq!((report.summary.games, report.played, report.complete), (40, 40, true));
    assert!(report.summary.score.unwrap() > 0.8, "{}", report.to_table());
    assert_eq!(report.summary.pairs, 20);
    assert_eq!(report.terminations["rules"], 40);
    assert_eq!(report.reasons["took the last one"], 40);
    for pair in games.chunks(2) {
        assert_eq!((pair[0].players, pair[1].players), ([0, 1], [1, 0]));
        let opening = |g: &GameResult| g.moves[..g.opening_plies].to_vec();
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
    }
}

#[test]
fn the_result_does_not_depend_on_how_many_games_are_played_at_once() {
    let entry = sticks();
    let (one, games) = play(&entry, &["random", "random"], &config(30));
    let (four, others) =
        play(&entry, &["random", "random"], &MatchConfig { concurrency: 4, ..config(30) });
    assert_eq!(games, others);
    assert_eq!(one, four);
    let (_, different) =
        play(&entry, &["random", "random"], &MatchConfig { seed: 2, ..config(30) });
    assert_ne!(games, different);
    // A seed in a player's spec changes that player, not the openings.
    let (_, seeded) = play(&entry, &["random:seed=5", "random"], &config(30));
    assert_ne!(games, seeded);
    let opening = |g: &GameResult| g.moves[..g.opening_plies].to_vec();
    assert!(games.iter().zip(&seeded).all(|(a, b)| opening(a) == opening(b)));
}

#[test]
fn a_round_robin_and_a_gauntlet_meet_whom_they_should() {
    let entry = sticks();
    let specs = ["random", "perfect", "random", "random"];
    let (report, games) = play(&entry, &specs, &config(3));
    assert_eq!(report.players, ["random", "perfect", "random#2", "random#3"]);
    assert_eq!((report.encounters.len(), games.len(), report.summary.games), (6, 18, 9));
    assert!(report.encounters.iter().all(|e| e.summary.games == 3 && e.summary.pairs == 1));
    assert_eq!(report.ratings[0].player, "perfect");
    let gauntlet = MatchConfig { schedule: Schedule::Gauntlet, ..config(2) };
    let (report, games) = play(&entry, &["perfect", "random", "random"], &gauntlet);
    assert_eq!((report.encounters.len(), games.len()), (2, 4));
    assert!(report.encounters.iter().all(|e| e.player == "perfect"));
    assert!(report.to_table().contains("perfect against random#2"), "{}", report.to_table());
}

#[test]
fn what_players_do_wrong_loses_the_game_and_is_reported() {
    let entry = sticks();
    for (who, termination, words) in [
        ("panics", Termination::Crash, "out of ideas"),
        ("illegal", Termination::IllegalMove, "illegal move '7'"),
    ] {
        let (report, games) = play(&entry, &[who, "perfect"], &config(4));
        assert_eq!(report.summary.losses, 4);
        assert!(games.iter().all(|g| g.termination == termination), "{games:?}");
        assert_eq!(report.incidents.len(), 4);
        assert!(report.incidents.iter().all(|i| i.player == who && i.detail.contains(words)));
        let faults = &report.faults[who];
        let expected = if who == "panics" { (0, 4, 0) } else { (4, 0, 0) };
        assert_eq!((faults.illegal, faults.crashes, faults.time_losses), expected);
        assert_eq!((report.illegal, report.crashes), (expected.0, expected.1));
    }
}

#[test]
fn a_player_that_thinks_without_end_is_stopped_and_loses_on_time() {
    let entry = sticks();
    let limit = TimeControl::parse("movetime=20ms").unwrap();
    // Generous, so that a busy machine does not stop the other one as well.
    let time_margin = Duration::from_millis(400);
    let (report, games) =
        play(&entry, &["endless", "perfect"], &MatchConfig { limit, time_margin, ..config(2) });
    assert_eq!((report.time_losses, report.summary.losses), (2, 2));
    assert!(games.iter().all(|g| g.termination == Termination::Time));
    assert!(games[0].reason.contains("0.020 s allowed"), "{}", games[0].reason);
}

#[test]
fn a_stopped_match_keeps_what_is_finished_and_goes_on_later() {
    let entry = sticks();
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let base = MatchConfig { concurrency: 2, ..config(24) };
    let whole = MatchConfig { records: Some(path("whole.txt")), ..base.clone() };
    let (expected, all) = play(&entry, &["random", "perfect"], &whole);

    // Stop after five games, several times over; games are never played twice.
    let mut seen = Vec::new();
    let mut report;
    loop {
        let stop = Arc::new(AtomicBool::new(false));
        let sitting = MatchConfig {
            journal: Some(path("journal")),
            records: Some(path("parts.txt")),
            stop: stop.clone(),
            ..base.clone()
        };
        let mut count = 0;
        let mut note = |p: &zug_arena::Progress<'_>| {
            seen.push(p.game.index);
            count += 1;
            if count == 5 {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let who = players(&entry, &["random", "perfect"]);
        report = run_match(&entry, &who, &sitting, &mut note).unwrap();
        if report.complete {
            break;
        }
        assert!(count >= 5, "a stopped sitting finishes at least the games that were told");
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..24).collect::<Vec<_>>());
    assert_eq!(report, expected);
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(read("whole.txt"), read("parts.txt"));
    assert_eq!(read("whole.txt").matches("[Game ").count(), all.len());
}

#[test]
fn a_match_killed_between_journal_and_records_writes_the_lost_records_again() {
    let entry = sticks();
    let dir = tempfile::tempdir().unwrap();
    let (journal, records) = (dir.path().join("j"), dir.path().join("r.txt"));
    let config =
        MatchConfig { journal: Some(journal.clone()), records: Some(records.clone()), ..config(6) };
    std::fs::write(&records, "# earlier text\n").unwrap();
    let (report, _) = play(&entry, &["random", "perfect"], &config);
    let whole = std::fs::read(&records).unwrap();
    // The last game is in the journal, half of it in the records; and a torn line follows.
    std::fs::write(&records, &whole[..whole.len() - 30]).unwrap();
    let mut text = std::fs::read(&journal).unwrap();
    text.extend_from_slice(b"{\"index\":6,\"pla");
    std::fs::write(&journal, text).unwrap();
    let (again, games) = play(&entry, &["random", "perfect"], &config);
    assert!(games.is_empty());
    assert_eq!(again, report);
    assert_eq!(std::fs::read(&records).unwrap(), whole);
    // A file that somebody else has changed is left alone.
    std::fs::write(&records, "# earlier text\nsomething else").unwrap();
    let error = failure(&entry, &["random", "perfect"], &config);
    assert!(error.contains("r.txt: does not hold the games of the journal; move it"), "{error}");
}

#[test]
fn a_journal_takes_more_games_but_no_other_match() {
    let entry = sticks();
    let dir = tempfile::tempdir().unwrap();
    let with = |games| MatchConfig { journal: Some(dir.path().join("j")), ..config(games) };
    play(&entry, &["random", "perfect"], &with(4));
    let (report, games) = play(&entry, &["random", "perfect"], &with(6));
    assert_eq!((report.played, games.len()), (6, 2));
    let (fresh, _) = play(&entry, &["random", "perfect"], &config(6));
    assert_eq!(report, fresh);
    let other = MatchConfig { seed: 9, ..with(6) };
    assert!(failure(&entry, &["random", "perfect"], &other).contains("seed was 1, is now 9"));
    assert!(failure(&entry, &["random", "random"], &with(6)).contains("players was"));
    assert!(failure(&entry, &["random", "perfect"], &with(2)).contains("holds game"));
}

#[test]
fn a_sequential_test_stops_early_and_at_the_same_pair_however_it_is_played() {
    let entry = sticks();
    let sprt = Some(Sprt::parse("0,200").unwrap());
    let one = MatchConfig { sprt, ..config(2000) };
    let (report, _) = play(&entry, &["perfect", "random"], &one);
    assert!(report.complete && report.played < 400, "{}", report.to_table());
    assert_eq!(report.sprt.unwrap().decision, zug_arena::stats::SprtDecision::AcceptH1);
    let (other, _) =
        play(&entry, &["perfect", "random"], &MatchConfig { concurrency: 3, ..one.clone() });
    assert_eq!(other, report);
    // In the journal of a decided match there is nothing left to play.
    let dir = tempfile::tempdir().unwrap();
    let kept = MatchConfig { journal: Some(dir.path().join("j")), ..one };
    let (first, _) = play(&entry, &["perfect", "random"], &kept);
    let (second, games) = play(&entry, &["perfect", "random"], &kept);
    assert!(games.is_empty());
    assert_eq!(first, second);
}

#[test]
fn games_that_a_decision_overtakes_are_in_none_of_the_numbers() {
    let entry = sticks();
    let sprt = Some(Sprt::parse("0,300").unwrap());
    // The first game of each pair takes so long that games of the next pair are over before it.
    let config = MatchConfig { sprt, concurrency: 3, ..config(400) };
    let (report, finished) = play(&entry, &["slow", "perfect"], &config);
    assert!(report.complete && report.played <= finished.len(), "{}", report.to_table());
    assert_eq!(report.played as u64, report.summary.games);
    assert_eq!(report.terminations.values().sum::<u64>(), report.summary.games);
    assert!(report.to_table().contains(&format!("{} of 400 games", report.summary.games)));
}

#[test]
fn games_are_broken_off_by_the_rules_of_adjudication() {
    let entry = sticks();
    let with = |adjudication| MatchConfig { adjudication, ..config(6) };
    // The test players know who is lost.
    let resign = Some(ResignRule { score: 500, moves: 2, both: true });
    let rules = with(Adjudication { resign, ..Adjudication::default() });
    let (report, games) = play(&entry, &["perfect", "perfect"], &rules);
    assert_eq!(report.terminations["adjudicated_win"], 6);
    assert!(games.iter().all(|g| g.moves.len() == 2 + 4), "{games:?}");
    let rules = with(Adjudication { max_plies: 5, ..Adjudication::default() });
    let (report, games) = play(&entry, &["perfect", "random"], &rules);
    assert_eq!((report.terminations["max_plies"], report.summary.draws), (6, 6));
    assert!(games.iter().all(|g| g.moves.len() == 5));
    let oracle: zug_arena::OracleHook = Arc::new(|line| {
        line.position_text()
            .starts_with("4 ")
            .then(|| Outcome::win(line.to_move().other(), "known"))
    });
    let rules = with(Adjudication { oracle: Some(oracle), ..Adjudication::default() });
    let (report, games) = play(&entry, &["perfect", "perfect"], &rules);
    assert_eq!(report.terminations["oracle"], 6);
    assert!(games.iter().all(|g| g.reason == "known"));
}

#[test]
fn random_openings_are_distinct_while_the_game_has_enough_and_never_finished() {
    let entry = sticks();
    let openings = Openings::Random { plies: 3 };
    let (_, games) = play(&entry, &["random", "random"], &MatchConfig { openings, ..config(14) });
    // Three plies leave 12 to 18 sticks: seven different positions.
    let mut piles: Vec<u32> = games
        .iter()
        .step_by(2)
        .map(|g| g.moves[..3].iter().map(|m| m.text.parse::<u32>().unwrap()).sum())
        .collect();
    piles.sort_unstable();
    assert_eq!(piles, [3, 4, 5, 6, 7, 8, 9]);
    // More plies than any game lasts: as many as there can be.
    let openings = Openings::Random { plies: 30 };
    let (_, games) = play(&entry, &["random", "random"], &MatchConfig { openings, ..config(2) });
    assert!(games.iter().all(|g| g.opening_plies < 21 && g.moves.len() > g.opening_plies));
}

fn opening(start: Option<&str>, moves: &[&str]) -> Opening {
    Opening {
        start: start.map(str::to_string),
        moves: moves.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn openings_are_read_from_lines_and_from_records() {
    let entry = sticks();
    let dir = tempfile::tempdir().unwrap();
    let read = |name: &str, text: &str, plies| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        read_openings(&entry, &path, plies)
    };
    let list = read("a.txt", "# openings\n\n12 second\n1 2 3\n1. 3 3 2. 1\n", None).unwrap();
    let expected = [
        opening(Some("12 second"), &[]),
        opening(None, &["1", "2", "3"]),
        opening(None, &["3", "3", "1"]),
    ];
    assert_eq!(list, expected);
    let error = read("b.txt", "12 second\n1 9\n", None).unwrap_err().to_string();
    assert!(error.ends_with("expected a number from 1 to 3, found '9'"), "{error}");
    assert!(error.contains("b.txt: line 2, byte 2: "), "{error}");
    let error = read("c.txt", "0 first\n", None).unwrap_err().to_string();
    assert!(error.contains("a position to play on"), "{error}");
    assert!(read("d.txt", "\n", None).unwrap_err().to_string().contains("no openings"));
    let error = read_openings(&entry, Path::new("no/such/file"), None).unwrap_err();
    assert!(error.to_string().starts_with("no/such/file: "), "{error}");
    let error = read("e.zst", "\u{28}", None).unwrap_err();
    assert!(error.to_string().contains("e.zst: line 1, byte 0: expected "), "{error}");
    // Whoever writes a chain of causes must not say the same thing twice.
    assert!(std::error::Error::source(&error).is_none());
    let packed = dir.path().join("f.pgn.zst");
    std::fs::write(&packed, b"\x28\xb5\x2f\xfd\x04\x00").unwrap();
    let error = read_openings(&entry, &packed, None).unwrap_err().to_string();
    assert!(error.ends_with("f.pgn.zst: the file is compressed; unpack it first"), "{error}");

    // Records of a match serve as openings, cut after some plies.
    let records = dir.path().join("games.zgr");
    play(
        &entry,
        &["random", "random"],
        &MatchConfig { records: Some(records.clone()), ..config(4) },
    );
    let list = read_openings(&entry, &records, Some(5)).unwrap();
    assert!(list.len() == 4 && list.iter().all(|o| o.moves.len() == 5));
    let error = read_openings(&entry, &records, None).unwrap_err().to_string();
    assert!(error.contains("say after how many plies"), "{error}");
}

#[test]
fn listed_openings_are_played_in_order_and_checked_before_the_match() {
    let entry = sticks();
    let list = vec![opening(Some("9 second"), &["1"]), opening(None, &["3"])];
    let config = MatchConfig { openings: Openings::List(list), ..config(6) };
    let (_, games) = play(&entry, &["perfect", "random"], &config);
    let starts: Vec<bool> = games.iter().map(|g| g.start.is_some()).collect();
    assert_eq!(starts, [true, true, false, false, true, true]);
    assert!(games.iter().all(|g| g.opening_plies == 1));
    for (bad, words) in [
        (vec![opening(Some("x"), &[])], "number 1"),
        (vec![opening(Some("1 first"), &["1"])], "the game is over"),
        (vec![], "the list is empty"),
    ] {
        let config = MatchConfig { openings: Openings::List(bad), ..config.clone() };
        let error = failure(&entry, &["perfect", "random"], &config);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn senseless_matches_are_refused_in_words() {
    let entry = sticks();
    let sprt = Some(Sprt::parse("0,5").unwrap());
    let three = ["random", "random", "random"];
    let cases: [(&[&str], MatchConfig, &str); 4] = [
        (&["random"], config(2), "at least two players"),
        (&["random", "perfect"], config(0), "at least one game"),
        (&three, MatchConfig { sprt, ..config(2) }, "compares two players"),
        (
            &["random", "perfect"],
            MatchConfig { anchor: Some(("nobody".into(), 0.0)), ..config(2) },
            "'nobody' is none of the players",
        ),
    ];
    for (specs, config, words) in cases {
        let error = failure(&entry, specs, &config);
        assert!(error.contains(words), "{error}");
    }
    let unknown = zug_core::Spec::parse("nobody").unwrap();
    let error = zug_arena::player(&entry, &unknown).err().unwrap().to_string();
    assert!(error.contains("random, perfect") && error.contains("uci"), "{error}");
    let missing = MatchConfig { journal: Some("no/such/folder/j".into()), ..config(2) };
    let result = run_match(&entry, &players(&entry, &["random", "perfect"]), &missing, &mut |_| {});
    let Err(refused) = result else { panic!("there is no such folder") };
    let refused = refused.to_string();
    assert!(refused.contains("no/such/folder"), "{refused}");
}

#[test]
fn records_carry_players_result_and_reason() {
    let entry = sticks();
    let dir = tempfile::tempdir().unwrap();
    let records = dir.path().join("games.zgr");
    let config = MatchConfig {
        records: Some(records.clone()),
        event: "Spring".into(),
        date: Some("2024.05.01".into()),
        ..config(2)
    };
    let (_, games) = play(&entry, &["illegal", "perfect"], &config);
    let bytes = std::fs::read(&records).unwrap();
    let read: Vec<_> = entry.formats[0].read(&bytes).into_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(read.len(), 2);
    for (record, game) in read.iter().zip(&games) {
        assert_eq!(record.tag("Event"), Some("Spring"));
        assert_eq!(record.tag("Date"), Some("2024.05.01"));
        assert_eq!(record.tag("Round"), Some((game.index + 1).to_string().as_str()));
        let names = ["illegal", "perfect"];
        assert_eq!(record.tag("White"), Some(names[game.players[0]]));
        assert_eq!(record.tag("Black"), Some(names[game.players[1]]));
        assert!(record.tag("Termination").unwrap().starts_with("illegal move: illegal move '7'"));
        let winner = if game.players[0] == 0 { Side::Second } else { Side::First };
        let expected = zug_core::RecordResult::Known { winner: Some(winner), margin: None };
        assert_eq!(record.result, expected);
        record.replay(entry.game.as_ref()).unwrap();
    }
}

#[test]
fn reports_have_stable_field_names_and_come_back_from_json() {
    let entry = sticks();
    let sprt = Some(Sprt::parse("0,5").unwrap());
    let (report, _) = play(&entry, &["illegal", "perfect"], &MatchConfig { sprt, ..config(4) });
    let json = serde_json::to_value(&report).unwrap();
    for name in [
        "game",
        "players",
        "schedule",
        "limit",
        "seed",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "elo",
        "elo_error_95",
        "elo_low",
        "elo_high",
        "normalized_elo",
        "los",
        "draw_ratio",
        "pentanomial",
        "pairs",
        "sprt",
        "encounters",
        "ratings",
        "terminations",
        "illegal",
        "crashes",
        "time_losses",
        "incidents",
        "planned",
        "played",
        "complete",
    ] {
        assert!(json.get(name).is_some(), "{name}");
    }
    assert_eq!((json["games"].as_u64(), json["illegal"].as_u64()), (Some(4), Some(4)));
    assert_eq!(json["pentanomial"], serde_json::json!([2, 0, 0, 0, 0]));
    assert_eq!(json["sprt"]["decision"], "continue");
    let back: MatchReport = serde_json::from_value(json).unwrap();
    assert_eq!(back, report);
}

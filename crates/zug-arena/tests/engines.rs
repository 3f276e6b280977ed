//! Foreign engines, most of them badly behaved on purpose. No test waits for a hang: each would fail
//! by never ending.

mod support;

use std::time::{Duration, Instant};
use support::{fake, players, sticks, sticks_for_engines};
use zug_arena::{
    GameResult, MatchConfig, MatchReport, Openings, Termination, TimeControl, foreign_player,
    run_match,
};
use zug_core::player::choose_quietly;
use zug_core::{GameEntry, Limits, Player, PlayerError, Score, Spec};

const THREE: [&str; 3] = ["uci", "cecp", "gtp"];

fn config(games: usize) -> MatchConfig {
    MatchConfig { games, openings: Openings::Random { plies: 2 }, ..MatchConfig::default() }
}

fn play(entry: &GameEntry, specs: &[&str], config: &MatchConfig) -> (MatchReport, Vec<GameResult>) {
    let mut games = Vec::new();
    let mut note = |p: &zug_arena::Progress<'_>| games.push(p.game.clone());
    let report = run_match(entry, &players(entry, specs), config, &mut note).unwrap();
    (report, games)
}

/// A player that has begun a game.
fn begun(entry: &GameEntry, spec: &str) -> Box<dyn Player> {
    let mut player = foreign_player(&Spec::parse(spec).unwrap()).unwrap();
    player.new_game(entry.game.new_line().as_ref()).unwrap();
    player
}

/// The match of a badly behaved engine: all games are lost for this reason.
fn loses(protocol: &str, behaviour: &str, options: &str, termination: Termination, words: &str) {
    let entry = sticks_for_engines();
    let engine = fake(protocol, behaviour, options);
    let config = MatchConfig { concurrency: 2, ..config(4) };
    let (report, games) = play(&entry, &[&engine, "random"], &config);
    assert_eq!((report.summary.losses, games.len()), (4, 4), "{protocol} {behaviour}");
    for game in &games {
        assert_eq!(game.termination, termination, "{protocol} {behaviour}: {}", game.reason);
        assert!(game.reason.contains(words), "{protocol} {behaviour}: {}", game.reason);
    }
    assert_eq!(report.incidents.len(), 4);
}

#[test]
fn a_good_engine_wins_over_every_protocol_from_every_opening() {
    let entry = sticks_for_engines();
    for protocol in THREE {
        let engine = fake(protocol, "good", "");
        let (report, _) = play(&entry, &[&engine, "perfect"], &config(10));
        // Both play perfectly, so each opening decides the game: one point for each pair.
        assert_eq!(report.summary.pentanomial.0, [0, 0, 5, 0, 0], "{}", report.to_table());
        assert_eq!(report.terminations["rules"], 10);
        let start = zug_arena::Opening { start: Some("11 second".into()), moves: vec!["1".into()] };
        let openings = Openings::List(vec![start]);
        let (report, games) =
            play(&entry, &[&engine, "perfect"], &MatchConfig { openings, ..config(2) });
        assert_eq!(report.terminations["rules"], 2, "{protocol}: {games:?}");
        assert_eq!(report.summary.pentanomial.0, [0, 0, 1, 0, 0]);
    }
}

#[test]
fn an_engine_tells_its_name_and_what_it_thinks() {
    let entry = sticks_for_engines();
    for (protocol, name) in [("uci", "Fake"), ("cecp", "Fake 1"), ("gtp", "Fake")] {
        let mut player = begun(&entry, &fake(protocol, "good", ""));
        assert_eq!(player.name(), name);
        let choice =
            choose_quietly(player.as_mut(), entry.game.new_line().as_ref(), &Limits::default());
        let choice = choice.unwrap();
        assert_eq!(choice.mv, "1");
        if protocol != "gtp" {
            let info = choice.info.unwrap();
            assert_eq!((info.depth, info.score), (3, Some(Score::estimate(25))));
            assert_eq!((info.nodes, info.line), (100, vec!["1".to_string(), "2".to_string()]));
        }
    }
}

#[test]
fn an_xboard_engine_that_sleeps_through_its_first_orders_is_woken() {
    // As GNU Chess does: it speaks only after so many lines, however long one waits.
    let entry = sticks_for_engines();
    let player = begun(&entry, &fake("cecp", "drowsy 150", ""));
    assert_eq!(player.name(), "Fake 1");
}

#[test]
fn an_engine_follows_a_line_that_jumps_back_and_forth() {
    let entry = sticks_for_engines();
    for protocol in THREE {
        let mut player = begun(&entry, &fake(protocol, "good", ""));
        let mut line = entry.game.new_line();
        for (mv, answer) in [("2", "3"), ("3", "2"), ("1", "1")] {
            // Moves taken back, a longer line, and then its own answer on the board.
            while line.undo() {}
            line.play(mv).unwrap();
            let choice = choose_quietly(player.as_mut(), line.as_ref(), &Limits::default());
            assert_eq!(choice.unwrap().mv, answer, "{protocol} after {mv}");
            line.play(answer).unwrap();
            line.play("1").unwrap();
            let left: u32 = line.position_text().split(' ').next().unwrap().parse().unwrap();
            let choice = choose_quietly(player.as_mut(), line.as_ref(), &Limits::default());
            assert_eq!(choice.unwrap().mv, (left % 4).max(1).to_string(), "{protocol}");
        }
    }
}

#[test]
fn a_crash_loses_the_game_with_the_engines_last_words_and_the_next_game_is_played() {
    for protocol in THREE {
        loses(protocol, "crash 1", "", Termination::Crash, "exit status: 3; it said: assertion");
        loses(protocol, "crash 0", "", Termination::Crash, "everything is fine");
    }
}

#[test]
fn an_illegal_move_loses_the_game() {
    for protocol in THREE {
        loses(protocol, "illegal 1", "", Termination::IllegalMove, "illegal move '99'");
    }
}

#[test]
fn an_engine_that_never_moves_is_stopped() {
    for protocol in THREE {
        let options = ",movetime=10ms,timeout=100ms";
        loses(protocol, "mute", options, Termination::NoAnswer, "no answer within 110ms");
        loses(protocol, "flood", options, Termination::NoAnswer, "no answer within 110ms");
    }
}

#[test]
fn an_answer_without_a_move_is_a_broken_protocol() {
    loses("uci", "empty", "", Termination::Crash, "broke the protocol: no move in 'bestmove'");
    loses("gtp", "empty", "", Termination::Crash, "broke the protocol: genmove: an empty answer");
}

#[test]
fn an_engine_may_give_up() {
    for protocol in ["cecp", "gtp"] {
        let entry = sticks_for_engines();
        let engine = fake(protocol, "resign 1", "");
        let (report, _) = play(&entry, &[&engine, "random"], &config(2));
        assert_eq!((report.terminations["resignation"], report.summary.losses), (2, 2));
    }
}

#[test]
fn megabytes_of_nonsense_do_not_hide_a_move() {
    let entry = sticks_for_engines();
    for protocol in THREE {
        let engine = fake(protocol, "garbage", "");
        let (report, games) = play(&entry, &[&engine, "perfect"], &config(2));
        assert_eq!(report.terminations.get("rules"), Some(&2), "{protocol}: {games:?}");
    }
}

#[test]
fn an_engine_that_writes_moves_without_end_and_does_not_read_is_no_hang() {
    let entry = sticks_for_engines();
    let limit = TimeControl::parse("movetime=10ms").unwrap();
    for protocol in THREE {
        let engine = fake(protocol, "deaf", ",timeout=100ms");
        let config = MatchConfig { limit, time_margin: Duration::from_secs(5), ..config(2) };
        let (report, _) = play(&entry, &[&engine, "random"], &config);
        assert_eq!(report.played, 2, "{protocol}");
    }
}

#[test]
fn a_slow_engine_loses_on_time_by_the_referees_clock() {
    let entry = sticks_for_engines();
    for (protocol, tc) in [("uci", "movetime=10ms"), ("cecp", "0.05+0.01"), ("gtp", "0.05")] {
        // By a time for a move, a GTP engine would not lose: it cannot be told a hundredth.
        let limit = TimeControl::parse(tc).unwrap();
        let config = MatchConfig { limit, time_margin: Duration::from_millis(30), ..config(2) };
        let engine = fake(protocol, "slow 300", "");
        let (report, games) = play(&entry, &[&engine, "random"], &config);
        assert_eq!(report.time_losses, 2, "{protocol}: {games:?}");
        assert!(games.iter().all(|g| g.termination == Termination::Time), "{protocol}: {games:?}");
    }
}

#[test]
fn a_match_does_not_begin_with_an_engine_that_cannot_be_used() {
    let entry = sticks_for_engines();
    let uci = |options: &str| fake("uci", "good", options);
    for (spec, words) in [
        ("uci:cmd=/no/such/engine".to_string(), "cannot start: '/no/such/engine'"),
        (fake("uci", "silent", ",timeout=50ms"), "no answer within"),
        (fake("gtp", "silent", ",timeout=50ms"), "no answer within"),
        (fake("uci", "good", ",Levle=3"), "no option 'Levle'; it has Level, UCI_Chess960"),
        (uci(",Level=12"), "'Level' expects a number from 1 to 9, not '12'"),
        (fake("cecp", "good", ",Levle=3"), "no option 'Levle'; it has Level"),
        (fake("gtp", "good", ",level=3"), "'level 3': no such level"),
    ] {
        let who = players(&entry, &[&spec, "random"]);
        let error = run_match(&entry, &who, &config(2), &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains(words), "{spec}: {error}");
    }
    for good in [uci(",Level=3"), fake("cecp", "good", ",Level=3"), fake("gtp", "good", ",level=5")]
    {
        let (report, _) = play(&entry, &[&good, "random"], &config(2));
        assert_eq!(report.played, 2);
    }
}

#[test]
fn an_engine_without_a_limit_on_depth_says_so_before_it_thinks_for_hours() {
    let entry = sticks_for_engines();
    let limit = TimeControl::parse("depth=2").unwrap();
    let engine = fake("cecp", "shallow", "");
    let who = players(&entry, &[&engine, "random"]);
    let config = MatchConfig { limit, ..config(2) };
    let error = run_match(&entry, &who, &config, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("no limit on depth"), "{error}");
    let engine = fake("cecp", "good", "");
    let (report, _) = play(&entry, &[&engine, "random"], &config);
    assert_eq!(report.terminations["rules"], 2);
}

#[test]
fn engines_that_play_one_game_only_are_refused_for_others_without_being_started() {
    let open = |text: &str| Spec::parse(text).unwrap();
    let othello = zug_othello::open(&open("othello")).unwrap();
    let go = zug_go::open(&open("go:9x9")).unwrap();
    let chess = zug_chess::open(&open("chess:960=10")).unwrap();
    for (entry, protocol, words) in [
        (&othello, "uci", "a player of othello; UCI engines play chess only, found 'uci'"),
        (&go, "cecp", "a player of go:9x9; xboard engines play chess only"),
        (&chess, "nboard", "NBoard engines play othello only, found 'nboard'"),
        (&sticks(), "uci", "a player of sticks; UCI engines play chess only"),
    ] {
        let specs = [open(&format!("{protocol}:cmd=/no/such/engine")), open("random")];
        let error = zug_arena::participants(entry, &specs).err().unwrap().to_string();
        assert!(error.contains(words), "{error}");
    }
    for (entry, protocol) in [(&chess, "uci"), (&chess, "cecp"), (&othello, "nboard"), (&go, "gtp")]
    {
        assert!(zug_arena::player(entry, &open(&format!("{protocol}:cmd=x"))).is_ok());
    }
}

#[test]
fn specs_of_engines_are_checked() {
    let error = |text: &str| {
        let spec = Spec::parse(text).unwrap();
        zug_arena::player(&sticks_for_engines(), &spec)
            .err()
            .map(|e| e.to_string())
            .unwrap_or_default()
    };
    assert!(error("uci:depth=3").contains("expected cmd=PROGRAM"));
    assert!(error("uci:cmd=x,depth=three").contains("'depth'"));
    assert!(error("uci:cmd=x,timeout=soon").contains("'timeout'"));
    assert!(error("uci:cmd=\"'x\"").contains("a closing '"));
    assert!(error("nboard:cmd=x,Level=3").contains("an option of nboard"));
    assert!(error("uci:cmd=x,odd").contains("OPTION=VALUE"));
}

#[test]
fn no_process_is_left_behind_however_it_behaves() {
    let entry = sticks_for_engines();
    let dir = tempfile::tempdir().unwrap();
    for (i, behaviour) in ["good", "stubborn", "mute", "crash"].into_iter().enumerate() {
        let pid_file = dir.path().join(i.to_string());
        let arguments = format!("{behaviour} 1 '{}'", pid_file.display());
        let mut player = begun(&entry, &fake("uci", &arguments, ",timeout=100ms"));
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let line = entry.game.new_line();
        let first = choose_quietly(player.as_mut(), line.as_ref(), &limits);
        if behaviour == "mute" {
            assert_eq!(first, Err(PlayerError::TimedOut(Duration::from_millis(100))));
        }
        if behaviour == "crash" {
            let second = choose_quietly(player.as_mut(), line.as_ref(), &limits);
            assert!(matches!(second, Err(PlayerError::Crashed(_))), "{second:?}");
        }
        let pid = std::fs::read_to_string(&pid_file).unwrap();
        drop(player);
        assert!(!is_running(&pid), "{behaviour}");
    }
}

#[test]
fn what_a_wrapper_script_has_started_is_ended_with_it() {
    let entry = sticks_for_engines();
    let dir = tempfile::tempdir().unwrap();
    let (pid_file, script) = (dir.path().join("pid"), dir.path().join("wrapper.sh"));
    let program = env!("CARGO_BIN_EXE_zug-fake-engine");
    let text = format!("'{program}' uci stubborn 0 '{}'\ntrue\n", pid_file.display());
    std::fs::write(&script, text).unwrap();
    let player = begun(&entry, &format!("uci:cmd=\"sh '{}'\"", script.display()));
    let pid = std::fs::read_to_string(&pid_file).unwrap();
    assert!(is_running(&pid));
    drop(player);
    // The killed grandchild is collected by the system, not by us: it may take a moment.
    let begin = Instant::now();
    while is_running(&pid) && begin.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!is_running(&pid));
}

/// Is there a process, other than a dead one that waits to be collected by its parent?
fn is_running(pid: &str) -> bool {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => {
            let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
            !state.starts_with('Z')
                || state.split(' ').nth(1) == Some(&std::process::id().to_string())
        }
        Err(_) => false,
    }
}

#[test]
fn a_stop_flag_ends_a_match_in_the_middle_of_a_move() {
    let entry = sticks_for_engines();
    for protocol in THREE {
        let config = config(2);
        let stop = config.stop.clone();
        let engine = fake(protocol, "mute", ",depth=5,timeout=1s");
        let who = players(&entry, &[&engine, "random"]);
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let report = run_match(&entry, &who, &config, &mut |_| {}).unwrap();
        stopper.join().unwrap();
        assert!(!report.complete && report.played == 0, "{protocol}");
    }
}

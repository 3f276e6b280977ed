//! Real engines, where they are installed. A test whose engine is missing says so and passes.

mod support;

use support::{fake, players};
use zug_arena::{
    MatchConfig, MatchReport, Opening, Openings, TimeControl, foreign_player, run_match,
};
use zug_core::player::choose_quietly;
use zug_core::{GameEntry, Limits, Spec, Verdict};

/// The path of a program, or a note that it is missing.
fn installed(program: &str) -> Option<String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let found = path
        .split(':')
        .chain(["/usr/games", "/usr/local/bin"])
        .map(|dir| format!("{dir}/{program}"))
        .find(|file| std::path::Path::new(file).is_file());
    if found.is_none() {
        eprintln!("note: {program} is not installed; this test was skipped");
    }
    found
}

fn chess() -> GameEntry {
    zug_chess::open(&Spec::parse("chess").unwrap()).unwrap()
}

fn play(entry: &GameEntry, specs: &[&str], config: &MatchConfig) -> MatchReport {
    let report = run_match(entry, &players(entry, specs), config, &mut |_| {}).unwrap();
    eprintln!("{}", report.to_table());
    report
}

/// Two engines play two games without a fault.
fn plays_cleanly(first: &str, second: &str, limit: &str, openings: Openings) {
    let entry = chess();
    let dir = tempfile::tempdir().unwrap();
    let records = dir.path().join("games.pgn");
    let config = MatchConfig {
        games: 2,
        limit: TimeControl::parse(limit).unwrap(),
        // Busy machines hand out time in large pieces.
        time_margin: std::time::Duration::from_secs(20),
        openings,
        records: Some(records.clone()),
        adjudication: zug_arena::Adjudication { max_plies: 40, ..Default::default() },
        ..MatchConfig::default()
    };
    let report = play(&entry, &[first, second], &config);
    assert_eq!((report.played, report.incidents.as_slice()), (2, &[][..]));
    let pgn = std::fs::read(&records).unwrap();
    let games = entry.formats[0].read(&pgn);
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(Result::is_ok), "{games:?}");
}

#[test]
fn stockfish_plays_at_fixed_nodes_and_by_the_clock() {
    let Some(stockfish) = installed("stockfish") else { return };
    let weak = format!("uci:cmd={stockfish},UCI_LimitStrength=true,UCI_Elo=1350,name=weak");
    let strong = format!("uci:cmd={stockfish},name=strong");
    plays_cleanly(&strong, &weak, "nodes=500", Openings::Random { plies: 4 });
    plays_cleanly(&strong, &weak, "1+0.02", Openings::Start);
}

#[test]
fn stockfish_finds_a_mate_and_tells_its_distance() {
    let Some(stockfish) = installed("stockfish") else { return };
    let entry = chess();
    let spec = Spec::parse(&format!("uci:cmd={stockfish}")).unwrap();
    let mut player = foreign_player(&spec).unwrap();
    let line = entry.game.line_from("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let choice = choose_quietly(player.as_mut(), line.as_ref(), &limits).unwrap();
    assert_eq!(choice.mv, "a1a8");
    assert_eq!(choice.info.unwrap().score.unwrap().verdict(), Verdict::WonIn(1));
}

#[test]
fn a_forced_castling_is_understood() {
    let Some(stockfish) = installed("stockfish") else { return };
    let entry = chess();
    for option in ["false", "true"] {
        // With the option on, the engine writes castling as "king takes rook".
        let spec = format!("uci:cmd={stockfish},UCI_Chess960={option}");
        let mut player = foreign_player(&Spec::parse(&spec).unwrap()).unwrap();
        let line = entry.game.line_from("5k2/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let limits = Limits { depth: Some(3), only: vec!["e1g1".to_string()], ..Limits::default() };
        let mut limits = limits;
        if option == "true" {
            limits.only = vec!["e1h1".to_string()];
        }
        let choice = choose_quietly(player.as_mut(), line.as_ref(), &limits).unwrap();
        assert_eq!(choice.mv, "e1g1", "UCI_Chess960={option}");
    }
}

#[test]
fn xboard_engines_play_each_other() {
    let (Some(fairymax), Some(phalanx)) = (installed("fairymax"), installed("phalanx")) else {
        return;
    };
    let fairymax = format!("cecp:cmd={fairymax}");
    let phalanx = format!("cecp:cmd=\"{phalanx} -l- -b- -p-\"");
    plays_cleanly(&fairymax, &phalanx, "movetime=50ms", Openings::Random { plies: 4 });
    plays_cleanly(&fairymax, &phalanx, "2+0.05", Openings::Start);
}

#[test]
fn xboard_engines_begin_at_a_given_position_at_fixed_depth() {
    let (Some(fairymax), Some(gnuchess)) = (installed("fairymax"), installed("gnuchess")) else {
        return;
    };
    // One takes it at once, the other (without setboard) piece by piece.
    let opening = Opening {
        start: Some("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3".into()),
        moves: vec!["f1b5".into()],
    };
    let fairymax = format!("cecp:cmd={fairymax}");
    let gnuchess = format!("cecp:cmd=\"{gnuchess} --xboard\"");
    plays_cleanly(&fairymax, &gnuchess, "depth=2", Openings::List(vec![opening]));
}

#[test]
fn engines_with_another_word_for_depth_play_at_fixed_depth() {
    let (Some(fairymax), Some(phalanx)) = (installed("fairymax"), installed("phalanx")) else {
        return;
    };
    let fairymax = format!("cecp:cmd={fairymax}");
    let phalanx = format!("cecp:cmd=\"{phalanx} -l- -b- -p-\"");
    plays_cleanly(&fairymax, &phalanx, "depth=2", Openings::Random { plies: 4 });
}

#[test]
fn gnugo_plays_go_with_handicap_and_from_a_position() {
    let Some(gnugo) = installed("gnugo") else { return };
    // It must take dead stones off the board: games are counted as the board lies.
    let gnugo =
        format!("gtp:cmd=\"{gnugo} --mode gtp --chinese-rules --capture-all-dead\",level=1");
    let start = |entry: &GameEntry| {
        let mut line = entry.game.new_line();
        line.play("D4").unwrap();
        let start = Opening { start: Some(line.position_text()), moves: vec!["pass".into()] };
        Openings::List(vec![start])
    };
    for game in ["go:5x5", "go:7x7,handicap=2"] {
        let entry = zug_go::open(&Spec::parse(game).unwrap()).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let records = dir.path().join("games.sgf");
        let handicap = game.contains("handicap");
        let config = MatchConfig {
            games: 2,
            openings: if handicap { Openings::Random { plies: 2 } } else { start(&entry) },
            records: Some(records.clone()),
            ..MatchConfig::default()
        };
        let report = play(&entry, &[&gnugo, "random"], &config);
        assert_eq!((report.played, report.incidents.as_slice()), (2, &[][..]));
        assert_eq!(report.summary.wins, 2, "{game}");
        let games = entry.formats[0].read(&std::fs::read(&records).unwrap());
        assert!(games.len() == 2 && games.iter().all(Result::is_ok), "{games:?}");
    }
}

#[test]
fn gnuchess_speaks_uci_too() {
    let (Some(gnuchess), Some(stockfish)) = (installed("gnuchess"), installed("stockfish")) else {
        return;
    };
    let gnuchess = format!("uci:cmd=\"{gnuchess} --uci\"");
    let weak = format!("uci:cmd={stockfish},Skill Level=0");
    plays_cleanly(&gnuchess, &weak, "depth=2", Openings::Random { plies: 4 });
}

#[test]
fn an_nboard_engine_gets_the_game_as_ggf_and_its_errors_are_losses() {
    let entry = zug_othello::open(&Spec::parse("othello").unwrap()).unwrap();
    let mut player = foreign_player(&Spec::parse(&fake("nboard", "good", "")).unwrap()).unwrap();
    let mut line = entry.game.new_line();
    player.new_game(line.as_ref()).unwrap();
    assert_eq!(player.name(), "Fake");
    for expected in ["f5", "d6", "c3"] {
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let choice = choose_quietly(player.as_mut(), line.as_ref(), &limits).unwrap();
        assert_eq!(choice.mv, expected);
        let info = choice.info.unwrap();
        assert_eq!((info.depth, info.score.unwrap().0), (4, 125));
        line.play(&choice.mv).unwrap();
    }
    for (behaviour, word) in [
        ("illegal 0", "illegal_move"),
        ("crash 0", "crash"),
        ("mute 0", "no_answer"),
        ("flood 0", "no_answer"),
        ("empty 0", "crash"),
    ] {
        let engine = fake("nboard", behaviour, ",movetime=10ms,timeout=100ms");
        let report =
            play(&entry, &[&engine, "random"], &MatchConfig { games: 2, ..MatchConfig::default() });
        assert_eq!(report.terminations.get(word), Some(&2), "{behaviour}");
    }
}

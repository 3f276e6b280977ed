//! `zug serve` as a browser and a shell see it: real requests over a socket.

#[path = "support/server.rs"]
mod server;

use serde_json::Value;
use server::Server;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

#[test]
fn the_page_and_the_games_are_served_until_ctrl_c() {
    let mut server = Server::start(&[]);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let (status, page) = server.ask("GET", "/", "");
    assert!(status == 200 && page.contains("<title>"), "{status}: {page}");
    let (status, games) = server.ask("GET", "/api/v1/games", "");
    let games: Value = serde_json::from_str(&games).unwrap();
    assert_eq!(status, 200);
    let games = games["games"].as_array().unwrap();
    assert!(games.len() > 5);
    for game in games {
        for spec in game["specs"].as_array().unwrap() {
            let path = format!("/api/v1/games/{}", spec.as_str().unwrap());
            let (status, detail) = server.ask("GET", &path, "");
            assert_eq!(status, 200, "{spec}: {detail}");
        }
    }
    let ask = r#"{"line": {"game": "othello", "moves": ["f5"]}, "source": "book"}"#;
    let (status, book) = server.ask("POST", "/api/v1/explore", ask);
    assert!(status == 200 && book.contains("\"move\":\"d6\""), "{book}");
    let (code, said) = server.signal("INT");
    assert_eq!((code, said.as_str()), (Some(0), ""));
}

#[test]
fn plain_records_are_indexed_at_the_start_and_their_games_can_be_opened() {
    let dir = tempfile::tempdir().unwrap();
    let games = dir.path().join("games.pgn");
    std::fs::write(&games, "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 c5 1-0\n\n1. Ke3 *\n")
        .unwrap();
    let names = dir.path().join("names.txt");
    std::fs::write(&names, "Sicilian\te4 c5\n").unwrap();
    let (records, names) =
        (format!("chess={}", games.display()), format!("chess={}", names.display()));
    let mut server = Server::start(&["--records", &records, "--names", &names]);
    let ask = r#"{"line": {"game": "chess", "moves": ["e4", "c5"]}, "source": "records"}"#;
    let (status, told) = server.ask("POST", "/api/v1/explore", ask);
    assert!(status == 200 && told.contains("Sicilian") && told.contains("Ann"), "{told}");
    let (status, game) = server.ask("GET", "/api/v1/explore/chess/game?number=0", "");
    assert!(status == 200 && game.contains("[\"e4\",\"c5\"]"), "{game}");
    let (code, said) = server.signal("TERM");
    assert_eq!(code, Some(0));
    assert!(said.contains("1 games of chess indexed") && said.contains("1 unreadable"), "{said}");
}

#[test]
fn an_analysis_under_way_does_not_keep_the_server_from_ending() {
    let mut server = Server::start(&["--engines", "1"]);
    let port = server.address.rsplit(':').next().unwrap().to_string();
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let body = r#"{"line": {"game": "chess"}, "lines": 1}"#;
    write!(
        stream,
        "POST /api/v1/analyse HTTP/1.1\r\nHost: localhost:{port}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut first = [0; 64];
    stream.read_exact(&mut first).unwrap();
    assert!(first.starts_with(b"HTTP/1.1 200"));
    let (code, _) = server.signal("INT");
    assert_eq!(code, Some(0));
    // The stream has ended in order, and was not cut off.
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert!(rest.ends_with(b"0\r\n\r\n"), "{}", String::from_utf8_lossy(&rest));
}

#[test]
fn silent_connections_lock_nobody_out_where_files_are_few() {
    let zug = env!("CARGO_BIN_EXE_zug");
    let command = format!("ulimit -n 64; exec '{zug}' serve --port 0");
    let mut server = Server::begin(Command::new("bash").args(["-c", &command]));
    let port = server.address.rsplit(':').next().unwrap().to_string();
    let connect = |_| TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let silent: Vec<TcpStream> = (0..90).map(connect).collect();
    for _ in 0..5 {
        assert_eq!(server.ask("GET", "/api/v1/games", "").0, 200);
    }
    drop(silent);
    let (code, said) = server.signal("INT");
    assert_eq!(code, Some(0));
    assert!(said.contains("silent connections"), "{said}");
}

/// The data of all events of this name.
fn events(stream: &str, name: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut is_wanted = false;
    for line in stream.lines() {
        if let Some(event) = line.strip_prefix("event: ") {
            is_wanted = event == name;
        } else if let Some(data) = line.strip_prefix("data: ").filter(|_| is_wanted) {
            found.push(serde_json::from_str(data).unwrap());
        }
    }
    found
}

#[test]
fn a_game_is_judged_alike_twice_and_no_move_raises_the_value_of_its_own_side() {
    let server = Server::start(&[]);
    for (game, moves, time, unit) in [
        ("othello", "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c6", 20, "discs"),
        ("chess", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", 30, "chance"),
        ("go:5x5", "C3 C4 D4 B3 D3", 10, "chance"),
    ] {
        let moves: Vec<&str> = moves.split(' ').collect();
        let ask = serde_json::json!({"line": {"game": game, "moves": moves},
            "limits": {"movetime_ms": time}});
        let judged = || {
            let (status, stream) = server.ask("POST", "/api/v1/judge", ask.to_string());
            assert_eq!(status, 200, "{stream}");
            let mut plies: Vec<Value> = vec![Value::Null; moves.len() + 1];
            // The last word on each counts.
            for ply in events(&stream, "ply") {
                let at = ply["ply"].as_u64().unwrap() as usize;
                plies[at] = ply;
            }
            plies
        };
        let plies = judged();
        assert_eq!(plies, judged(), "{game}: the second time is another");
        for (at, pair) in plies.windows(2).enumerate() {
            let own = |ply: &Value| {
                let first = ply["value"]["chance"].as_f64().unwrap();
                if at % 2 == 0 { first } else { 1.0 - first }
            };
            assert!(own(&pair[0]) >= own(&pair[1]) - 1e-9, "{game}: {pair:?}");
            assert_eq!(pair[0]["unit"], unit, "{game}");
            assert!(pair[0]["loss"].as_f64().unwrap() >= 0.0);
        }
    }
}

#[test]
fn moves_that_a_symmetry_exchanges_have_one_value_in_a_live_analysis() {
    let server = Server::start(&[]);
    let ask = r#"{"line": {"game": "othello", "moves": []}, "all": true,
        "limits": {"movetime_ms": 300}}"#;
    let (status, stream) = server.ask("POST", "/api/v1/analyse", ask);
    assert_eq!(status, 200, "{stream}");
    let told = events(&stream, "lines");
    let last = told.last().unwrap()["lines"].as_array().unwrap();
    assert_eq!(last.len(), 4, "{last:?}");
    for line in last {
        assert_eq!(line["value"], last[0]["value"], "{last:?}");
    }
}

#[test]
fn other_machines_need_the_token() {
    let server = Server::start(&["--host", "0.0.0.0"]);
    let token = server.query.strip_prefix("?token=").expect("a token").to_string();
    assert_eq!(server.ask("GET", "/api/v1/games", "").0, 401);
    assert_eq!(server.ask("GET", &format!("/api/v1/games?token={token}"), "").0, 200);
}

#[test]
fn what_is_not_there_is_refused_before_anything_is_served() {
    let run = |words: &[&str]| {
        let out =
            Command::new(env!("CARGO_BIN_EXE_zug")).arg("serve").args(words).output().unwrap();
        assert!(!out.status.success(), "{words:?}");
        String::from_utf8(out.stderr).unwrap()
    };
    assert!(run(&["--runs", "nowhere"]).contains("no such folder"));
    assert!(run(&["--records", "go"]).contains("GAME=FILE"));
    assert!(run(&["--records", "go=nowhere.zug"]).contains("no such file"));
    assert!(run(&["--names", "chess=Cargo.toml"]).contains("no plain records"));
    assert!(run(&["--records", "chess=Cargo.toml"]).contains("end in .pgn"));
    assert!(run(&["--records", "chequers=x"]).contains("no game 'chequers'"));
    assert!(run(&["--token-file", "nowhere"]).contains("nowhere"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    assert!(run(&["--port", &port]).contains("cannot listen"));
}

#[test]
fn what_was_solved_for_the_page_is_taken_away_at_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    let mut server =
        Server::begin(command.args(["serve", "--port", "0"]).env("TMPDIR", dir.path()));
    let body = r#"{"line": {"game": "hexapawn"}, "player": "perfect"}"#;
    let (status, answer) = server.ask("POST", "/api/v1/move", body);
    assert_eq!(status, 200, "{answer}");
    let left = || std::fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(left(), 1);
    assert_eq!(server.signal("INT").0, Some(0));
    assert_eq!(left(), 0);
}

#[test]
fn many_clients_are_answered_at_once() {
    let run = Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(["bench", "--clients", "24", "--movetime", "100ms", "--json"])
        .output()
        .unwrap();
    let told: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&told["answered"], &told["failed"]), (&24.into(), &0.into()), "{told}");
    assert!(run.status.success());
}

#[test]
fn a_port_that_is_taken_is_explained() {
    let server = Server::start(&[]);
    let port = server.address.rsplit(':').next().unwrap();
    let run =
        Command::new(env!("CARGO_BIN_EXE_zug")).args(["serve", "--port", port]).output().unwrap();
    assert!(!run.status.success());
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("cannot listen at") && said.contains("--port 0"), "{said}");
}

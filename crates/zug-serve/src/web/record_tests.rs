//! Questions about records: what was played here, by whom, and how did that game go on?

use super::tests::{ask, get, post, site_of};
use super::{Folders, router};
use axum::Router;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::path::Path;
use zug_book::RecordExplorer;
use zug_core::{GameEntry, Silent, StopFlag};
use zug_learn::explore::{AnyExplorer, Explorer, IndexOrder};

const GAMES: &str = "\
[White \"Ann\"]\n[Black \"Bob\"]\n[Date \"1999.??.??\"]\n[WhiteElo \"2400\"]\n[BlackElo \"2300\"]\n\n\
1. e4 e5 2. Nf3 Nc6 1-0\n\n\
[White \"Cid\"]\n[Black \"Ann\"]\n[Date \"2005.01.02\"]\n\n1. Nf3 Nc6 2. e4 e5 3. Bb5 1/2-1/2\n\n\
[White \"Dan\"]\n[Black \"Eve\"]\n[Date \"2010.??.??\"]\n\n1. d4 d5 0-1\n";

fn chess() -> Result<GameEntry, String> {
    super::tests::open("chess")
}

fn open(text: &str) -> Result<GameEntry, String> {
    let entry = super::tests::open(text)?;
    match entry.game.spec().as_str() {
        "chess" => Ok(entry.with_extension(Explorer::new(RecordExplorer::new(chess)))),
        _ => Ok(entry),
    }
}

fn app(folder: &Path) -> Router {
    let (games, index) = (folder.join("games.pgn"), folder.join("index.zug"));
    std::fs::write(&games, GAMES).unwrap();
    let order = IndexOrder { data: vec![games], out: index.clone(), ..IndexOrder::default() };
    RecordExplorer::new(chess).index(&order, &Silent, &StopFlag::new()).unwrap();
    let folders = Folders { records: vec![("chess".into(), index)], ..Folders::default() };
    router(site_of(Box::new(open), folders), "127.0.0.1:8080".parse().unwrap(), None)
}

#[tokio::test]
async fn records_tell_moves_results_and_games_by_whatever_order_of_moves() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    assert_eq!(get(&app, "/api/v1/games/chess").await["can"]["explore"], true);
    assert_eq!(get(&app, "/api/v1/games/othello").await["can"]["explore"], false);
    // An index of chess says nothing about Chess960.
    assert_eq!(get(&app, "/api/v1/games/chess:960=0").await["can"]["explore"], false);
    let body = json!({"line": {"game": "chess"}, "source": "records"});
    let told = post(&app, "/api/v1/explore", body).await;
    assert_eq!(told["source"], "records");
    let moves = told["moves"].as_array().unwrap();
    assert_eq!(moves.iter().map(|m| m["times"].as_u64().unwrap()).sum::<u64>(), 3);
    let e4 = moves.iter().find(|m| m["move"] == "e2e4").unwrap();
    assert_eq!((&e4["wins"], &e4["rating"]), (&json!([1, 0, 0]), &json!(2400)));
    let body = json!({"line": {"game": "chess", "moves": ["e4", "e5", "Nf3", "Nc6"]},
        "source": "records"});
    let told = post(&app, "/api/v1/explore", body).await;
    assert_eq!(told["games_found"], 2, "{told}");
    assert_eq!(told["games"][0]["players"], json!(["Ann", "Bob"]), "the rated one first");
    let body = json!({"line": {"game": "chess", "moves": ["e4", "e5", "Nf3", "Nc6"]},
        "source": "records", "latest": true});
    let latest = post(&app, "/api/v1/explore", body).await;
    assert_eq!(latest["games"][0]["players"], json!(["Cid", "Ann"]), "the latest one first");
    assert_eq!(told["games"][1]["shown"], "Bb5");
    // A position has no moves before it.
    let body = json!({"line": {"game": "chess", "start":
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"}, "source": "records"});
    assert_eq!(post(&app, "/api/v1/explore", body).await["games_found"], 2);
}

#[tokio::test]
async fn years_and_players_are_heeded() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let found = async |more: Value| {
        let mut body = json!({"line": {"game": "chess"}, "source": "records"});
        for (key, value) in more.as_object().unwrap() {
            body[key] = value.clone();
        }
        post(&app, "/api/v1/explore", body).await["games_found"].clone()
    };
    assert_eq!(found(json!({"from": 2000})).await, 2);
    assert_eq!(found(json!({"from": 2000, "until": 2006})).await, 1);
    assert_eq!(found(json!({"player": "ANN"})).await, 2);
    assert_eq!(found(json!({"player": "ann", "until": 2000})).await, 1);
    assert_eq!(found(json!({"player": "nobody"})).await, 0);
    for bad in [
        json!({"from": 2001, "until": 2000}),
        json!({"part": "corner"}),
        json!({"part": "left"}),
        json!({"player": "x".repeat(300)}),
        json!({"from": "soon"}),
    ] {
        let mut body = json!({"line": {"game": "chess"}, "source": "records"});
        for (key, value) in bad.as_object().unwrap() {
            body[key] = value.clone();
        }
        let (status, said) = ask(&app, "POST", "/api/v1/explore", &body).await;
        assert!(status.is_client_error(), "{bad}: {said}");
    }
    let body = json!({"line": {"game": "othello"}, "source": "records"});
    let (status, _) = ask(&app, "POST", "/api/v1/explore", &body).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_game_of_the_records_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let game = get(&app, "/api/v1/explore/chess/game?number=1").await;
    assert_eq!(game["texts"], json!(["Nf3", "Nc6", "e4", "e5", "Bb5"]));
    assert_eq!((&game["tags"]["White"], &game["known"]), (&json!("Cid"), &json!(true)));
    for path in
        ["chess/game?number=3", "chess/game", "chess/game?number=x", "othello/game?number=0"]
    {
        let path = format!("/api/v1/explore/{path}");
        let (status, said) = ask(&app, "GET", &path, &Value::Null).await;
        assert!(status.is_client_error(), "{path}: {said}");
    }
}

/// Games of Go, the second as the first but turned, with other komi; a handicap game is passed over.
fn go(folder: &Path) -> Router {
    let (games, index) = (folder.join("games.sgf"), folder.join("go.zug"));
    let text = "(;SZ[9]KM[5.5]DT[1999]PB[Ann]PW[Bob]RE[B+R];B[gc];W[cg];B[cc])\
                (;SZ[9]KM[6.5]DT[2005]PB[Cid]PW[Ann]RE[W+2.5];B[cc];W[gg];B[cg];W[];B[];W[])\
                (;SZ[9]HA[2]AB[gc][cg]PB[Ann]PW[Eve];W[cc];B[gg])";
    std::fs::write(&games, text).unwrap();
    let order = IndexOrder { data: vec![games], out: index.clone(), ..IndexOrder::default() };
    let explorer = open("go").unwrap().extension::<Explorer>().unwrap().clone();
    explorer.index(&order, &Silent, &StopFlag::new()).unwrap();
    let folders = Folders { records: vec![("go".into(), index)], ..Folders::default() };
    router(site_of(Box::new(open), folders), "127.0.0.1:8080".parse().unwrap(), None)
}

#[tokio::test]
async fn games_of_go_are_found_by_player_and_open_under_their_own_komi() {
    let folder = tempfile::tempdir().unwrap();
    let app = go(folder.path());
    let asked = async |part: &str, player: &str| {
        let body = json!({"line": {"game": "go:9x9", "moves": ["G7", "C3"]}, "source": "records",
            "part": part, "player": player});
        post(&app, "/api/v1/explore", body).await
    };
    for part in ["whole", "top-right"] {
        assert_eq!(asked(part, "ANN").await["games_found"], 2, "{part}");
        assert_eq!(asked(part, "cid").await["games_found"], 1, "{part}");
        assert_eq!(asked(part, "eve").await["games_found"], 0, "{part}");
    }
    let row = asked("whole", "cid").await["games"][0].clone();
    assert_eq!((&row["number"], &row["ply"]), (&json!(1), &json!(2)));
    // From whatever table: the game has its own komi and its own side of the board.
    for table in ["go:9x9", "go:9x9,komi=0.5", "go:9x9,handicap=2", "go"] {
        let path = format!("/api/v1/explore/{table}/game?number={}", row["number"]);
        let game = get(&app, &path).await;
        assert_eq!(game["game"], "go:9x9,komi=6.5", "{table}");
        assert_eq!(game["moves"], json!(["C7", "G3", "C3", "pass", "pass"]), "{table}");
        assert_eq!((&game["tags"]["Black"], &game["winner"]), (&json!("Cid"), &json!(1)));
    }
    let (status, said) = ask(&app, "GET", "/api/v1/explore/go/game?number=2", &Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{said}");
}

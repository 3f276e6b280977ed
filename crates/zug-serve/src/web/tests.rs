//! Questions as a page asks them, and as nobody should.

mod connections;
mod openapi;
mod runs;
mod solved;
mod studies;

use super::{Family, Folders, Site, router};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode, header};
use serde_json::{Value, json};
use std::sync::Arc;
use tower::ServiceExt;
use zug_core::{GameEntry, Spec};

pub(super) fn open(text: &str) -> Result<GameEntry, String> {
    let spec = Spec::parse(text).map_err(|e| e.to_string())?;
    let entry = match spec.name.as_str() {
        "chess" => zug_chess::open(&spec),
        "othello" => zug_othello::open(&spec).map(with_book),
        "go" => zug_go::open(&spec),
        _ => zug_games::open(&spec).ok_or_else(|| format!("there is no game '{}'", spec.name))?,
    };
    entry.map_err(|e| e.to_string())
}

/// The book that the program brings along.
fn with_book(entry: GameEntry) -> GameEntry {
    let bytes = include_bytes!("../../../../models/othello-book.zug");
    entry.with_extension(zug_book::ShippedBook(bytes))
}

fn site(folders: Folders) -> Arc<Site> {
    site_of(Box::new(open), folders)
}

pub(super) fn site_of(open: super::OpenGame, folders: Folders) -> Arc<Site> {
    let family = |name: &str| Family {
        name: name.to_string(),
        help: String::new(),
        specs: vec![name.to_string()],
    };
    let families = ["othello", "chess", "go", "tictactoe"].map(family).to_vec();
    Arc::new(Site::new(families, open, folders, 2))
}

fn app() -> Router {
    router(site(Folders::default()), "127.0.0.1:8080".parse().unwrap(), None)
}

fn request(method: &str, path: &str, body: impl Into<Body>) -> Request<Body> {
    Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "localhost:8080")
        .header(header::CONTENT_TYPE, "application/json")
        .body(body.into())
        .unwrap()
}

async fn text(response: Response<Body>) -> String {
    let bytes = axum::body::to_bytes(response.into_body(), 64 << 20).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub(super) async fn ask(
    app: &Router,
    method: &str,
    path: &str,
    body: &Value,
) -> (StatusCode, Value) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let response = app.clone().oneshot(request(method, path, body)).await.unwrap();
    let status = response.status();
    let text = text(response).await;
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

pub(super) async fn get(app: &Router, path: &str) -> Value {
    let (status, answer) = ask(app, "GET", path, &Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{path}: {answer}");
    answer
}

pub(super) async fn post(app: &Router, path: &str, body: Value) -> Value {
    let (status, answer) = ask(app, "POST", path, &body).await;
    assert_eq!(status, StatusCode::OK, "{path}: {answer}");
    answer
}

/// The events of a stream: names and data.
fn events(text: &str) -> Vec<(String, Value)> {
    let of = |block: &str, key: &str| {
        block.lines().find_map(|l| l.strip_prefix(key)).map(|v| v.trim().to_string())
    };
    text.split("\n\n")
        .filter_map(|b| Some((of(b, "event:")?, serde_json::from_str(&of(b, "data:")?).ok()?)))
        .collect()
}

#[tokio::test]
async fn players_that_draw_lots_draw_new_ones_each_time_unless_a_seed_is_named() {
    let app = app();
    let mut moves = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let body = json!({"line": {"game": "go:9x9"}, "level": "0"});
        moves.insert(post(&app, "/api/v1/move", body).await["move"].to_string());
    }
    assert!(moves.len() > 5, "{moves:?}");
    for player in ["random", "mcts:playouts=20"] {
        let mut same = std::collections::BTreeSet::new();
        for _ in 0..4 {
            let body = json!({"line": {"game": "tictactoe"}, "player": player, "seed": 7});
            same.insert(post(&app, "/api/v1/move", body).await["move"].to_string());
        }
        assert_eq!(same.len(), 1, "{player}");
    }
    // A player that draws none takes no seed, and moves all the same.
    let body = json!({"line": {"game": "chess"}, "player": "zug:depth=1"});
    assert!(post(&app, "/api/v1/move", body).await["move"].is_string());
}

#[tokio::test]
async fn a_wrong_method_is_refused_in_words() {
    let app = app();
    for (method, path) in
        [("DELETE", "/api/v1/games"), ("GET", "/api/v1/move"), ("PUT", "/"), ("POST", "/app.js")]
    {
        let (status, answer) = ask(&app, method, path, &Value::Null).await;
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
        assert!(answer["error"]["message"].is_string(), "{method} {path}: {answer}");
    }
}

#[tokio::test]
async fn games_are_listed_and_told_apart() {
    let app = app();
    let list = get(&app, "/api/v1/games").await;
    let names: Vec<&str> =
        list["games"].as_array().unwrap().iter().map(|g| g["kind"].as_str().unwrap()).collect();
    assert_eq!(names, ["othello", "chess", "go", "grid"]);
    let go = get(&app, "/api/v1/games/go:9x9").await;
    assert_eq!((&go["spec"], &go["unit"]), (&json!("go:9x9"), &json!("points")));
    assert_eq!(go["can"]["guess"], true);
    assert_eq!(go["view"]["legal"].as_array().unwrap().len(), 82);
    let levels = go["levels"].as_array().unwrap();
    assert!(levels.iter().any(|l| l["player"] == "zug:playouts=500"), "{levels:?}");
    let chess = get(&app, "/api/v1/games/chess").await;
    let levels = chess["levels"].as_array().unwrap();
    let rated = levels.iter().find(|l| l["player"] == "zug:elo=1600").expect("a level of 1600");
    assert_eq!(rated["label"], "1600 Elo");
    assert_eq!(chess["sides"], json!(["white", "black"]));
    let (status, none) = ask(&app, "GET", "/api/v1/games/chequers", &Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(none["error"]["message"].as_str().unwrap().contains("chequers"));
}

#[tokio::test]
async fn a_line_is_shown_and_a_bad_move_is_named() {
    let app = app();
    let line = json!({"game": "chess", "moves": ["e4", "e5", "Nf3"]});
    let view = post(&app, "/api/v1/view", line.clone()).await;
    assert_eq!((&view["to_move"], &view["ply"]), (&json!(1), &json!(3)));
    assert_eq!(view["picture"]["cells"].as_array().unwrap().len(), 64);
    assert_eq!(view["last"].as_array().unwrap().len(), 2);
    let legal = view["legal"].as_array().unwrap();
    let knight = legal.iter().find(|m| m["text"] == "Nc6").unwrap();
    assert_eq!((&knight["move"], &knight["cells"]), (&json!("b8c6"), &json!([1, 18])));
    assert_eq!(view["texts"], json!(["e4", "e5", "Nf3"]));
    let views = post(&app, "/api/v1/views", line).await;
    assert_eq!(views["views"].as_array().unwrap().len(), 4);
    let bad = json!({"game": "chess", "moves": ["e4", "e5", "Ke3"]});
    let (status, told) = ask(&app, "POST", "/api/v1/view", &bad).await;
    assert_eq!((status, &told["error"]["where"]), (StatusCode::BAD_REQUEST, &json!("moves[2]")));
    for bad in [json!({"game": "chess", "start": "nonsense"}), json!({"moves": []}), json!([1])] {
        let (status, told) = ask(&app, "POST", "/api/v1/view", &bad).await;
        assert!(status.is_client_error(), "{bad}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_computer_moves_and_knows_when_a_game_has_ended() {
    let app = app();
    let mate = json!({"line": {"game": "chess", "start": "7k/5K2/8/8/8/8/8/6R1 w - - 0 1"},
        "player": "zug:depth=3"});
    let answer = post(&app, "/api/v1/move", mate).await;
    assert_eq!(answer["view"]["outcome"]["reason"], "checkmate", "{answer}");
    assert_eq!(answer["info"]["value"]["kind"], "won");
    let mut line = answer["view"].clone();
    let ended = json!({"line": {"game": line["game"].take(), "start": line["start"].take(),
        "moves": line["moves"].take()}});
    let (status, told) = ask(&app, "POST", "/api/v1/move", &ended).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{told}");
    let level = json!({"line": {"game": "tictactoe"}, "level": "2"});
    assert_eq!(post(&app, "/api/v1/move", level).await["view"]["ply"], 1);
}

#[tokio::test]
async fn players_that_open_files_or_take_all_memory_are_refused() {
    let app = app();
    for player in [
        "uci:cmd=rm",
        "zug:model=/etc/passwd",
        "zug:model=../secret.zug",
        "zug:hash=4096",
        "zug:threads=64",
        "perfect:db=/",
        "zug:book=/tmp/book.zug,learn=on",
    ] {
        let body = json!({"line": {"game": "chess"}, "player": player});
        let (status, told) = ask(&app, "POST", "/api/v1/move", &body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{player}: {told}");
        assert_eq!(told["error"]["where"], "player", "{player}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_analysis_gets_better_and_ends() {
    let app = app();
    let body = json!({"line": {"game": "othello", "moves": ["f5"]}, "lines": 3,
        "limits": {"movetime_ms": 400}});
    let response = app.clone().oneshot(request("POST", "/api/v1/analyse", body.to_string()));
    let response = response.await.unwrap();
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
    let events = events(&text(response).await);
    let (name, last) = &events[events.len() - 2];
    assert_eq!((name.as_str(), events.last().unwrap().0.as_str()), ("lines", "end"));
    let lines = last["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3, "{last}");
    assert!(lines.iter().all(|l| l["value"]["kind"] == "estimate"), "{last}");
    let depths: Vec<u64> =
        events.iter().filter(|e| e.0 == "lines").map(|e| e.1["depth"].as_u64().unwrap()).collect();
    assert!(depths.is_sorted(), "{depths:?}");
    // Nothing is left to find out about a game that is as good as over.
    let body =
        json!({"line": {"game": "tictactoe", "moves": ["a1", "b1", "a2", "b2"]}, "all": true});
    let response = app.oneshot(request("POST", "/api/v1/analyse", body.to_string())).await.unwrap();
    let events = self::events(&text(response).await);
    assert_eq!(events.last().unwrap().1["reason"], "exact", "{events:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_is_free_again_when_its_asker_leaves() {
    let site = site(Folders::default());
    let app = router(Arc::clone(&site), "127.0.0.1:8080".parse().unwrap(), None);
    for _ in 0..6 {
        let body = json!({"line": {"game": "chess"}, "lines": 2});
        let response = app.clone().oneshot(request("POST", "/api/v1/analyse", body.to_string()));
        let response = response.await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        drop(response);
    }
    for _ in 0..600 {
        if site.engines.state() == (2, 0, 0) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("engines still at work: {:?}", site.engines.state());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_gone_through_from_its_end() {
    let app = app();
    let body = json!({"line": {"game": "chess", "moves": ["f3", "e5", "g4", "Qh4#"]},
        "limits": {"depth": 2}});
    let response = app.oneshot(request("POST", "/api/v1/judge", body.to_string())).await.unwrap();
    let events = events(&text(response).await);
    let plies: Vec<u64> =
        events.iter().filter(|e| e.0 == "ply").map(|e| e.1["ply"].as_u64().unwrap()).collect();
    assert_eq!(plies, [4, 3, 2, 1, 0]);
    assert_eq!(events[0].1["value"]["chance"], 0.0, "Black has won: {:?}", events[0]);
    assert_eq!(events[1].1["best_text"], "Qh4#");
}

#[tokio::test]
async fn files_come_in_and_go_out_and_broken_ones_say_why() {
    let app = app();
    let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {best by test} e5 2. Nf3 *\n";
    let read = |body: String, path: &'static str| {
        let app = app.clone();
        async move {
            let response = app.oneshot(request("POST", path, body)).await.unwrap();
            (response.status(), text(response).await)
        }
    };
    let path = "/api/v1/records/read?game=chess&name=x.pgn";
    let (status, answer) = read(pgn.to_string(), path).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let first = &answer["games"][0]["nodes"][1];
    assert_eq!((&first["text"], &first["comment"]), (&json!("e4"), &json!("best by test")));
    assert_eq!(answer["games"][0]["tags"]["White"], "A");
    let pasted = read(pgn.to_string(), "/api/v1/records/read?game=chess").await;
    assert!(pasted.1.contains("\"format\":\"PGN\""), "{}", pasted.1);
    let (status, answer) = read("1. e4 e5 2. Ke3 *".to_string(), path).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
    let (status, answer) = read("\u{1}garbage".to_string(), path).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
    let (status, _) = read("x".repeat(9 << 20), path).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);

    let body = json!({"game": "chess", "format": "pgn", "records": [{
        "tags": {"White": "A"}, "moves": [{"move": "e4", "comment": "good"}, {"move": "e5"}]}]});
    let response = app.clone().oneshot(request("POST", "/api/v1/records/write", body.to_string()));
    let response = response.await.unwrap();
    assert!(response.headers()[header::CONTENT_DISPOSITION].to_str().unwrap().contains("game.pgn"));
    let file = text(response).await;
    assert!(file.contains("1. e4 {good}"), "{file}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_policy_is_asked_about_a_position_of_go() {
    let app = app();
    let body = json!({"line": {"game": "go:9x9", "moves": ["E5", "C3"]}, "top": 4});
    let answer = post(&app, "/api/v1/guess", body).await;
    assert_eq!(answer["guesses"].as_array().unwrap().len(), 4, "{answer}");
    let body = json!({"line": {"game": "chess"}});
    let (status, _) = ask(&app, "POST", "/api/v1/guess", &body).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn other_sites_and_strangers_are_turned_away() {
    let app = app();
    let mut foreign = request("GET", "/api/v1/games", "");
    foreign.headers_mut().insert(header::ORIGIN, "http://evil.example".parse().unwrap());
    assert_eq!(app.clone().oneshot(foreign).await.unwrap().status(), StatusCode::FORBIDDEN);
    let mut rebound = request("GET", "/api/v1/games", "");
    rebound.headers_mut().insert(header::HOST, "evil.example".parse().unwrap());
    assert_eq!(app.oneshot(rebound).await.unwrap().status(), StatusCode::FORBIDDEN);

    let token = Some("0123456789abcdef".to_string());
    let app = router(site(Folders::default()), "0.0.0.0:8080".parse().unwrap(), token);
    let status = |path: &'static str, bearer: Option<&'static str>| {
        let app = app.clone();
        async move {
            let mut asked = request("GET", path, "");
            if let Some(bearer) = bearer {
                asked.headers_mut().insert(header::AUTHORIZATION, bearer.parse().unwrap());
            }
            app.oneshot(asked).await.unwrap().status()
        }
    };
    assert_eq!(status("/api/v1/games", None).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status("/api/v1/games", Some("Bearer wrong")).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status("/api/v1/games", Some("Bearer 0123456789abcdef")).await, StatusCode::OK);
    assert_eq!(status("/api/v1/games?token=0123456789abcdef", None).await, StatusCode::OK);
    // A person sees a sentence, not JSON.
    let mut asked = request("GET", "/", "");
    asked.headers_mut().insert(header::ACCEPT, "text/html,*/*".parse().unwrap());
    let response = app.clone().oneshot(asked).await.unwrap();
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert!(text(response).await.contains("<p>expected the token that 'zug serve' printed"));
}

#[tokio::test]
async fn answers_carry_headers_that_protect_the_page() {
    let response = app().oneshot(request("GET", "/", "")).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    for (name, part) in [
        ("content-security-policy", "default-src 'none'"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert!(response.headers()[name].to_str().unwrap().contains(part), "{name}");
    }
    let tag = response.headers()[header::ETAG].clone();
    let mut again = request("GET", "/", "");
    again.headers_mut().insert(header::IF_NONE_MATCH, tag);
    assert_eq!(app().oneshot(again).await.unwrap().status(), StatusCode::NOT_MODIFIED);
    for path in ["/../Cargo.toml", "/etc/passwd", "/api/v1/runs/..%2F..", "/nothing"] {
        let status = app().oneshot(request("GET", path, "")).await.unwrap().status();
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_is_sent_small_and_streams_are_sent_at_once() {
    let app = app();
    let mut asked = request("GET", "/app.js", "");
    asked.headers_mut().insert(header::ACCEPT_ENCODING, "gzip".parse().unwrap());
    let response = app.clone().oneshot(asked).await.unwrap();
    assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip");
    let body = json!({"line": {"game": "othello"}, "limits": {"depth": 2}});
    let mut asked = request("POST", "/api/v1/analyse", body.to_string());
    asked.headers_mut().insert(header::ACCEPT_ENCODING, "gzip".parse().unwrap());
    let response = app.oneshot(asked).await.unwrap();
    assert!(!response.headers().contains_key(header::CONTENT_ENCODING));
}

#[tokio::test]
async fn whatever_is_wrong_is_told_in_json_with_its_place() {
    let app = app();
    let told = |method: &'static str, path: &'static str, body: &'static str| {
        let app = app.clone();
        async move {
            let response = app.oneshot(request(method, path, body)).await.unwrap();
            let status = response.status().as_u16();
            let answer: Value = serde_json::from_str(&text(response).await).expect("JSON");
            let error = answer["error"].clone();
            assert!(error["message"].as_str().unwrap().contains("expected"), "{path}: {error}");
            (status, error["where"].clone())
        }
    };
    assert_eq!(told("POST", "/api/v1/view", "{").await.0, 400);
    assert_eq!(told("POST", "/api/v1/view", "[1]").await.0, 400);
    let place = told("POST", "/api/v1/view", r#"{"game": "chess", "moves": [1]}"#).await;
    assert_eq!(place, (400, json!("moves[0]")));
    let place =
        told("POST", "/api/v1/analyse", r#"{"line": {"game": "chess"}, "lines": -1}"#).await;
    assert_eq!(place, (400, json!("lines")));
    assert_eq!(told("GET", "/api/v1/databases/nim/random", "").await.0, 400);
    assert_eq!(told("GET", "/api/v1/databases/nim/random?value=won&far=9", "").await.0, 400);
    assert_eq!(told("POST", "/api/v1/records/read", "x").await.0, 400);
    let mut plain = request("POST", "/api/v1/view", "{}");
    plain.headers_mut().remove(header::CONTENT_TYPE);
    let response = app.oneshot(plain).await.unwrap();
    assert_eq!(response.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(text(response).await.contains("\"error\""));
}

/// A path with something in the place of its parameters.
fn filled(path: &str) -> String {
    path.replace("{spec}", "tictactoe").replace("{name}", "none")
}

#[tokio::test]
async fn the_description_lists_every_question_and_no_other() {
    let app = app();
    let document = get(&app, "/api/v1/openapi.json").await;
    let paths = document["paths"].as_object().unwrap();
    let mut listed: Vec<&str> = paths.keys().map(String::as_str).collect();
    let source = include_str!("mod.rs");
    let mut routes: Vec<&str> =
        source.split(".route(").skip(1).filter_map(|rest| rest.split('"').nth(1)).collect();
    listed.sort_unstable();
    routes.sort_unstable();
    assert_eq!(listed, routes);
    for (path, methods) in paths {
        for method in methods.as_object().unwrap().keys() {
            let method = method.to_uppercase();
            let full = format!("/api/v1{}", filled(path));
            let (status, answer) = ask(&app, &method, &full, &json!({})).await;
            assert_ne!(status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            let said = answer["error"]["message"].as_str().unwrap_or_default();
            assert!(!said.contains("no such question"), "{method} {path}: {answer}");
        }
    }
    // Every reference leads somewhere.
    let text = document.to_string();
    for name in text.split("#/components/schemas/").skip(1).filter_map(|r| r.split('"').next()) {
        assert!(document["components"]["schemas"].get(name).is_some(), "{name}");
    }
}

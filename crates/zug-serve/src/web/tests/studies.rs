//! Games with variations: read, written, judged, reported.

use super::*;
use zug_learn::markup::check;

async fn read(app: &Router, game: &str, name: &str, bytes: &str) -> Value {
    let path = format!("/api/v1/records/read?game={game}&name={name}");
    let response = app.clone().oneshot(request("POST", &path, bytes.to_string())).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    serde_json::from_str(&text(response).await).unwrap()
}

async fn file(app: &Router, path: &str, body: Value) -> String {
    let response = app.clone().oneshot(request("POST", path, body.to_string())).await.unwrap();
    let status = response.status();
    let text = text(response).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    text
}

fn moves(game: &Value) -> Vec<&str> {
    let nodes = game["nodes"].as_array().unwrap();
    nodes.iter().map(|n| n["text"].as_str().unwrap_or("")).collect()
}

#[tokio::test]
async fn variations_come_in_and_go_out_in_every_format_that_holds_them() {
    let app = app();
    for (game, name, text, expected) in [
        (
            "chess",
            "x.pgn",
            "{start} 1. e4 $1 (1. d4 {solid} d5) e5 *",
            ["", "e4", "d4", "d5", "e5"],
        ),
        (
            "go:9x9",
            "x.sgf",
            "(;GM[1]SZ[9]C[start](;B[ee]TE[1];W[cc])(;B[dd]C[solid];W[gg]))",
            ["", "E5", "D6", "G3", "C7"],
        ),
        (
            "tictactoe",
            "x.zgr",
            "[Game \"tictactoe\"]\n{start} 1. b2 $1 (1. a1 {solid} a3) b1 *",
            ["", "b2", "a1", "a3", "b1"],
        ),
    ] {
        let answer = read(&app, game, name, text).await;
        let read_game = &answer["games"][0];
        assert_eq!(moves(read_game), expected, "{answer}");
        let nodes = &read_game["nodes"];
        assert_eq!((&nodes[0]["comment"], &nodes[1]["mark"]), (&json!("start"), &json!("!")));
        assert_eq!((&nodes[2]["comment"], &nodes[2]["parent"]), (&json!("solid"), &json!(0)));
        let body = json!({"game": game, "format": answer["format"], "records": [{
            "tags": read_game["tags"], "start": read_game["start"], "nodes": nodes}]});
        let written = file(&app, "/api/v1/records/write", body).await;
        let again = read(&app, game, name, &written).await;
        assert_eq!(again["games"][0]["nodes"], *nodes, "{written}");
    }
}

#[tokio::test]
async fn a_file_brings_its_own_rules_and_bad_variations_are_left_out_and_counted() {
    let app = app();
    let sgf = "(;GM[1]SZ[9]KM[0.5]RU[Japanese];B[ee](;W[cc])(;W[ee];B[aa])(;W[dd];W[gg]))";
    let answer = read(&app, "go", "x.sgf", sgf).await;
    let game = answer["games"][0]["game"].as_str().unwrap();
    assert!(game.starts_with("go:9x9,komi=0.5"), "{game}");
    let text = "[Game \"tictactoe\"]\n1. b2 b1 (1... b2 2. a1) (1... a1) *";
    let answer = read(&app, "tictactoe", "x.zgr", text).await;
    assert_eq!(moves(&answer["games"][0]), ["", "b2", "b1", "a1"]);
    assert_eq!(answer["left_out"], 1);
}

#[tokio::test]
async fn of_a_huge_tree_the_main_line_is_kept_and_the_rest_counted() {
    let app = app();
    let many = |variation: &str| variation.repeat(60_000);
    for (game, name, text, moves) in [
        ("go", "x.sgf", format!("(;SZ[9](;B[ee];W[cc]){})", many("(;B[aa])")), 2),
        ("chess", "x.pgn", format!("1. e4 {} e5 2. Nf3 *", many("(d4)")), 3),
        ("chess", "x.pgn", format!("1. e4 ({}) e5 2. Nf3 *", "Nf3 Nf6 Ng1 Ng8 ".repeat(15_000)), 3),
        ("tictactoe", "x.zgr", format!("[Game \"tictactoe\"]\nb2 {} c3 *", many("(a1)")), 2),
    ] {
        let answer = read(&app, game, name, &text).await;
        let found = &answer["games"][0];
        assert_eq!(found["moves"], moves, "{name}");
        assert!(answer["left_out"].as_u64().unwrap() > 0, "{name}");
        assert!(found["nodes"].as_array().unwrap().len() <= 20_000, "{name}");
    }
}

#[tokio::test]
async fn a_game_that_is_too_long_is_told_the_limit() {
    let app = app();
    for (game, name, text) in [
        ("go", "x.sgf", format!("(;SZ[9]{})", ";B[aa];W[bb]".repeat(30_000))),
        ("chess", "x.pgn", "Nf3 Nf6 Ng1 Ng8 ".repeat(15_000)),
        ("chess", "x.pgn", "Nf3 Nf6 Ng1 Ng8 ".repeat(300)),
        ("chess", "x.pgn", format!("1. e4 {}", "$1 ".repeat(50_000))),
        ("tictactoe", "x.zgr", format!("[Game \"tictactoe\"]\n{}", "b2 ".repeat(50_000))),
    ] {
        let path = format!("/api/v1/records/read?game={game}&name={name}");
        let response = app.clone().oneshot(request("POST", &path, text)).await.unwrap();
        let status = response.status();
        let told = super::text(response).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{name}: {told}");
        assert!(told.contains("at most"), "{name}: {told}");
    }
}

#[tokio::test]
async fn a_game_that_makes_no_sense_is_not_written() {
    let app = app();
    for (nodes, place) in [
        (json!([{}, {"parent": 0, "move": "e5"}]), "records[0].nodes[1].move"),
        (json!([{}, {"parent": 1, "move": "e4"}]), "records[0].nodes[1].parent"),
        (json!([{"move": "e4"}]), "records[0].nodes[0].parent"),
        (json!([{}, {"parent": 0, "move": "e4", "mark": "??!"}]), "records[0].nodes[1].mark"),
    ] {
        let body = json!({"game": "chess", "format": "PGN", "records": [{"nodes": nodes}]});
        let (status, answer) = ask(&app, "POST", "/api/v1/records/write", &body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
        assert_eq!(answer["error"]["where"], place, "{answer}");
    }
}

/// A game in which Black is mated, judged.
async fn scholars_mate(app: &Router) -> (Value, Vec<Value>) {
    let moves = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"];
    let body = json!({"line": {"game": "chess", "moves": moves}, "limits": {"depth": 5}});
    let response = app.clone().oneshot(request("POST", "/api/v1/judge", body.to_string()));
    let events = events(&text(response.await.unwrap()).await);
    let judged: Vec<Value> = events.into_iter().filter(|e| e.0 == "ply").map(|e| e.1).collect();
    assert_eq!(judged.len(), 8);
    let nodes: Vec<Value> = std::iter::once(json!({}))
        .chain(moves.iter().enumerate().map(|(i, mv)| json!({"parent": i, "move": mv})))
        .collect();
    (json!({"tags": {"White": "Ada <A>", "Black": "Grace"}, "nodes": nodes}), judged)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_move_that_loses_is_marked_and_reported() {
    let app = app();
    let (record, judged) = scholars_mate(&app).await;
    // Judged from the end; Nf6 was made at ply 5.
    let bad = judged.iter().find(|j| j["ply"] == 5).unwrap();
    assert_eq!(bad["mark"], "??", "{bad}");
    assert!(bad["loss"].as_f64().unwrap() > 0.2);
    assert_eq!(judged[1]["mark"], Value::Null, "mate is no mistake: {}", judged[1]);

    let body = json!({"game": "chess", "record": record, "judged": judged, "by": "zug, 5 plies"});
    let page = file(&app, "/api/v1/report", body.clone()).await;
    assert_eq!(check(&page), Ok(()));
    for part in ["Ada &lt;A&gt;", "Nf6??", "3… Nf6", "zug, 5 plies", "white won", "better"] {
        assert!(page.contains(part), "{part}");
    }
    let mut as_file = body;
    as_file["format"] = "pgn".into();
    let pgn = file(&app, "/api/v1/report", as_file.clone()).await;
    assert!(pgn.contains("Nf6 $4 {"), "{pgn}");
    assert!(pgn.contains("[%eval ") && pgn.contains("blunder:"), "{pgn}");
    let again = read(&app, "chess", "x.pgn", &pgn).await;
    assert!(again["games"][0]["nodes"].as_array().unwrap().len() > 8, "no better line: {pgn}");
    as_file["format"] = "sgf".into();
    let (status, answer) = ask(&app, "POST", "/api/v1/report", &as_file).await;
    assert_eq!((status, &answer["error"]["where"]), (StatusCode::BAD_REQUEST, &json!("format")));
}

#[tokio::test]
async fn a_report_of_a_game_that_nobody_judged_is_the_game() {
    let app = app();
    let nodes = json!([{"comment": "hello"}, {"parent": 0, "move": "f5"}, {"parent": 1, "move": "d6"},
        {"parent": 1, "move": "f6", "mark": "?!"}]);
    let body = json!({"game": "othello", "record": {"nodes": nodes}});
    let page = file(&app, "/api/v1/report", body).await;
    assert_eq!(check(&page), Ok(()));
    assert!(page.contains("{hello} 1. f5 d6 (1… f6?!)"), "{page}");
    assert!(!page.contains("Bad moves"));
}

#[tokio::test]
async fn the_result_of_a_file_is_told_and_written_again() {
    let app = app();
    let answer = read(&app, "go", "x.sgf", "(;GM[1]SZ[9]RE[W+3.5];B[ee];W[cc])").await;
    let game = &answer["games"][0];
    assert_eq!((&game["result"], &game["sides"]), (&json!("1 by 3.5"), &json!(["black", "white"])));
    let body = json!({"game": game["game"], "format": "SGF", "records": [{
        "tags": game["tags"], "nodes": game["nodes"], "result": {"winner": 1, "margin": 3.5}}]});
    let written = file(&app, "/api/v1/records/write", body).await;
    assert!(written.contains("RE[W+3.5]"), "{written}");
}

#[tokio::test]
async fn what_cannot_be_read_is_blamed_on_the_format_that_was_meant() {
    let app = app();
    let path = "/api/v1/records/read?game=othello";
    let (status, answer) = {
        let response = app.clone().oneshot(request("POST", path, "f5d6c3a1")).await.unwrap();
        (response.status(), text(response).await)
    };
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(answer.contains("a1") && !answer.contains("GGF"), "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_replaces_values_that_were_there_and_hides_commands_from_people() {
    let app = app();
    let (mut record, judged) = scholars_mate(&app).await;
    record["nodes"][6]["comment"] = "[%eval 0.50] [%clk 0:10:00] oh".into();
    let body = json!({"game": "chess", "record": record, "judged": judged});
    let page = file(&app, "/api/v1/report", body.clone()).await;
    assert!(page.contains("{oh}") && !page.contains("[%"), "{page}");
    let mut as_file = body;
    as_file["format"] = "pgn".into();
    let pgn = file(&app, "/api/v1/report", as_file).await.replace('\n', " ");
    assert!(!pgn.contains("[%eval 0.50]"), "{pgn}");
    assert!(pgn.contains("[%clk 0:10:00] oh [%eval "), "{pgn}");
}

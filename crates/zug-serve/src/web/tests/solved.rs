//! Games that are solved: exact values in an analysis, players that never err, databases on the disk.

use super::*;
use zug_core::{Silent, StopFlag};
use zug_solve::face::{BuildOrder, Method, Solver};
use zug_solve::{Measure, Options};

async fn analysed(app: &Router, body: Value) -> Vec<(String, Value)> {
    let response = app.clone().oneshot(request("POST", "/api/v1/analyse", body.to_string()));
    events(&text(response.await.unwrap()).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_small_game_is_solved_when_somebody_asks() {
    let app = app();
    let detail = get(&app, "/api/v1/games/dodgem:3x3").await;
    assert_eq!(detail["can"]["database"], true);
    let levels = detail["levels"].as_array().unwrap();
    assert_eq!(levels.last().unwrap()["player"], "perfect:style=trap");
    let events = analysed(&app, json!({"line": {"game": "dodgem:3x3"}, "all": true})).await;
    assert_eq!(events.last().unwrap().1["reason"], "exact", "{events:?}");
    let lines = &events[0].1["lines"];
    assert_eq!(lines.as_array().unwrap().len(), detail["view"]["legal"].as_array().unwrap().len());
    assert_eq!(lines[0]["value"]["kind"], "won", "the first side wins Dodgem 3x3: {lines}");
    assert!(lines[0]["line"].as_array().unwrap().len() > 2, "{lines}");
    // Both sides play perfectly: the first side wins, in at most as many plies as the database says; one
    // that sets traps does not hold out as long as it could.
    let plies = lines[0]["value"]["plies"].as_u64().unwrap() as usize;
    let mut moves: Vec<Value> = Vec::new();
    loop {
        let body = json!({"line": {"game": "dodgem:3x3", "moves": moves},
            "player": if moves.len().is_multiple_of(2) { "perfect" } else { "perfect:style=trap" }});
        let answer = post(&app, "/api/v1/move", body).await;
        moves.push(answer["move"].clone());
        if let Some(winner) = answer["view"]["outcome"]["winner"].as_u64() {
            assert_eq!(winner, 0);
            assert!(moves.len() <= plies, "{} of {plies}", moves.len());
            break;
        }
        assert!(moves.len() < 60, "{moves:?}");
    }
    // What a certain player thinks can still be asked.
    let body = json!({"line": {"game": "dodgem:3x3"}, "player": "zug", "limits": {"depth": 1}});
    assert_eq!(analysed(&app, body).await.last().unwrap().1["reason"], "limit");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endings_of_chess_are_known_exactly() {
    let app = app();
    let line = json!({"game": "chess", "start": "8/8/8/8/8/1k6/7q/K7 b - - 0 1", "moves": []});
    let body = json!({"line": {"game": "chess", "start": "8/8/8/4k3/8/8/8/K6Q w - - 0 1"}});
    let events = analysed(&app, body).await;
    assert_eq!(events.last().unwrap().1["reason"], "exact", "{events:?}");
    assert_eq!(events[0].1["lines"][0]["value"]["kind"], "won");
    let detail = get(&app, "/api/v1/games/chess").await;
    let levels = detail["levels"].as_array().unwrap();
    assert!(!levels.iter().any(|l| l["label"] == "perfect"), "chess is not solved");
    let (status, answer) =
        ask(&app, "POST", "/api/v1/move", &json!({"line": {"game": "chess"}, "player": "perfect"}))
            .await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
    let explored = json!({"line": line, "source": "database"});
    let answer = post(&app, "/api/v1/explore", explored).await;
    assert_eq!(answer["position"]["value"]["kind"], "won", "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn databases_of_the_folder_are_used_under_any_name() {
    let dir = tempfile::tempdir().unwrap();
    let entry = open("tictactoe").unwrap();
    let order = BuildOrder {
        options: Options::default(),
        measure: Measure::Dtm,
        one_side: false,
        threads: 1,
        method: Method::Fast,
        cache_percent: None,
        memory: None,
        resume: false,
        command: String::new(),
    };
    let solver = entry.extension::<Solver>().unwrap();
    solver.build(&dir.path().join("any name"), &order, &Silent, &StopFlag::new()).unwrap();
    std::fs::create_dir(dir.path().join("broken")).unwrap();
    std::fs::write(dir.path().join("broken/database.toml"), "no database").unwrap();
    let folders = Folders { databases: Some(dir.path().to_path_buf()), ..Folders::default() };
    let app = router(site(folders), "127.0.0.1:8080".parse().unwrap(), None);
    let answer = get(&app, "/api/v1/databases/tictactoe").await;
    let positions: u64 =
        answer["distances"].as_array().unwrap().iter().map(|d| d["count"].as_u64().unwrap()).sum();
    assert!(positions > 100 && answer["draws"].as_u64().unwrap() > 0, "{answer}");
    let found = get(&app, "/api/v1/databases/tictactoe/random?value=won&plies=1&seed=7").await;
    let line = json!({"game": "tictactoe", "start": found["position"]});
    let body = json!({"line": line, "source": "database"});
    let answer = post(&app, "/api/v1/explore", body).await;
    assert_eq!(answer["position"]["value"]["plies"], 1, "{answer}");
    let (status, _) =
        ask(&app, "GET", "/api/v1/databases/tictactoe/random?value=odd", &Value::Null).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (status, _) = ask(&app, "GET", "/api/v1/databases/othello", &Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

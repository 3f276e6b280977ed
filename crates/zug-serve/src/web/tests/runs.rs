//! Runs as a page looks at them.

use super::*;
use std::path::Path;
use std::time::{Duration, SystemTime};
use zug_core::run::{Run, RunConfig, State, inspect};
use zug_core::{Silent, StopFlag};
use zug_learn::td::face::{SelfPlay, TdOrder};

fn serving(runs: &Path) -> Router {
    let folders = Folders { runs: Some(runs.to_path_buf()), ..Folders::default() };
    router(site(folders), "127.0.0.1:8080".parse().unwrap(), None)
}

/// A run of which nothing is known but its figures.
fn plain(folder: &Path, task: &str, game: &str, values: &[f64]) {
    let mut run = Run::create(folder, RunConfig::new(task, game, 1)).unwrap();
    for (step, value) in values.iter().enumerate() {
        run.record(step as u64, &json!({"loss": value, "held_out_loss": 2.0 * value})).unwrap();
    }
    run.set_state(State::Finished, "done").unwrap();
}

/// A small run of self-play.
fn learn(game: &str, games: u64, seed: u64, out: &Path) {
    let entry = open(game).unwrap();
    let small = [("rounds", "2"), ("gate-games", "4"), ("test-games", "4"), ("sample", "20")];
    let order = TdOrder {
        games: Some(games),
        seed,
        threads: 1,
        out: out.to_path_buf(),
        options: small.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
        ..TdOrder::default()
    };
    let learner = entry.extension::<SelfPlay>().unwrap();
    learner.learn(&order, &Silent, &StopFlag::new()).unwrap();
}

async fn page(app: &Router, path: &str) -> (StatusCode, String, axum::http::HeaderMap) {
    let response = app.clone().oneshot(request("GET", path, "")).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    (status, text(response).await, headers)
}

#[tokio::test]
async fn runs_are_listed_with_their_figures_and_plots() {
    let dir = tempfile::tempdir().unwrap();
    plain(&dir.path().join("first"), "texel", "chess", &[0.5, 0.6, 0.7]);
    std::fs::create_dir(dir.path().join("broken")).unwrap();
    std::fs::write(dir.path().join("broken/run.toml"), "nonsense").unwrap();
    let app = serving(dir.path());
    let list = get(&app, "/api/v1/runs").await;
    let find = |name: Value| {
        list["runs"].as_array().unwrap().iter().find(|r| r["name"] == name).cloned().unwrap()
    };
    assert_eq!(
        (&find(json!("first"))["task"], &find(json!("first"))["step"]),
        (&json!("texel"), &json!(2))
    );
    assert_eq!(find(Value::Null)["state"], "broken");
    let run = get(&app, "/api/v1/runs/first").await;
    assert_eq!(run["metrics"].as_array().unwrap().len(), 3, "{run}");
    assert_eq!((&run["plots"][0]["title"], &run["note"]), (&json!("Loss"), &Value::Null));
    assert_eq!(run["plots"][0]["series"][1]["name"], "held out loss");
    let response =
        app.clone().oneshot(request("GET", "/api/v1/runs/first/live", "")).await.unwrap();
    let events = events(&text(response).await);
    assert_eq!(events[0].1["metrics"].as_array().unwrap().len(), 3, "{events:?}");
    assert_eq!(events[0].1["plots"], run["plots"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weights_are_boards_that_can_be_chosen() {
    let dir = tempfile::tempdir().unwrap();
    learn("connect4:4x4", 40, 1, &dir.path().join("four"));
    let app = serving(dir.path());
    let told = get(&app, "/api/v1/runs/four/weights").await;
    let weights = &told["weights"];
    let board = &weights["boards"][0];
    assert_eq!((&board["width"], &board["title"]), (&json!(4), &json!("own")), "{told}");
    assert_eq!(board["cells"].as_array().unwrap().len(), 16);
    assert!(board["cells"].as_array().unwrap().iter().any(|c| c.as_f64().unwrap_or(0.0) != 0.0));
    assert!(!weights["lists"][0]["items"].as_array().unwrap().is_empty());
    let kinds =
        weights["choices"].as_array().unwrap().iter().find(|c| c["name"] == "type").unwrap();
    assert_eq!(kinds["options"].as_array().unwrap().len(), 2, "{kinds}");
    let second = get(&app, "/api/v1/runs/four/weights?type=the%20second%20side%20to%20move").await;
    assert_ne!(&second["weights"]["boards"], &weights["boards"]);
    for (query, word) in [
        ("type=third", "no type 'third'"),
        ("games=7777", "no weights were kept after 7777 games"),
        ("games=many", "games"),
        ("against=..%2F..%2Fsecret.zug", "against"),
    ] {
        let path = format!("/api/v1/runs/four/weights?{query}");
        let (status, told) = ask(&app, "GET", &path, &Value::Null).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}: {told}");
        assert!(told["error"]["message"].as_str().unwrap().contains(word), "{query}: {told}");
    }
    let long = format!("/api/v1/runs/four/weights?type={}", "x".repeat(300));
    assert_eq!(ask(&app, "GET", &long, &Value::Null).await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_is_what_the_command_line_writes() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("three");
    learn("tictactoe", 60, 1, &folder);
    learn("tictactoe", 60, 2, &dir.path().join("other"));
    let app = serving(dir.path());
    let written =
        || zug_learn::runs::page(&open("tictactoe").unwrap(), &inspect(&folder).unwrap()).unwrap();
    let (status, drawn, headers) = page(&app, "/api/v1/runs/three/report").await;
    assert_eq!(status, StatusCode::OK);
    assert!(drawn == written().html(), "drawn on demand, it is the same");
    assert!(
        headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap().contains("default-src 'none'")
    );
    // The plots of the page are those of the report.
    let run = get(&app, "/api/v1/runs/three").await;
    for plot in run["plots"].as_array().unwrap() {
        let title = plot["title"].as_str().unwrap();
        assert!(drawn.contains(&format!("aria-label=\"{title}\"")), "{title}");
    }
    // One that was written is served as it is, until the run goes on.
    let kept = folder.join("report.html");
    std::fs::write(&kept, "<p>as it was written</p>").unwrap();
    assert_eq!(page(&app, "/api/v1/runs/three/report").await.1, "<p>as it was written</p>");
    let old = SystemTime::now() - Duration::from_secs(3600);
    std::fs::File::options().write(true).open(&kept).unwrap().set_modified(old).unwrap();
    assert!(page(&app, "/api/v1/runs/three/report").await.1 == written().html());
    let (_, _, headers) = page(&app, "/api/v1/runs/three/report?download=true").await;
    assert_eq!(headers[header::CONTENT_DISPOSITION], "attachment; filename=\"three.html\"");
    let (status, both, _) = page(&app, "/api/v1/runs/three/report?against=other").await;
    assert_eq!(status, StatusCode::OK);
    assert!(both.contains("Runs three and other") && both.contains("Difference of the weights"));
}

#[tokio::test]
async fn what_is_not_there_is_refused_with_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    plain(&dir.path().join("empty"), "texel", "chess", &[]);
    plain(&dir.path().join("strange"), "td", "chequers", &[1.0]);
    std::fs::create_dir(dir.path().join("broken")).unwrap();
    std::fs::write(dir.path().join("broken/run.toml"), "nonsense").unwrap();
    let app = serving(dir.path());
    for (path, expected, word) in [
        ("second", 404, "no run 'second'"),
        ("second/weights", 404, "no run 'second'"),
        ("..%2Fsecret/weights", 404, "no run"),
        ("..%2Fsecret/report", 404, "no run"),
        ("%2Fetc/report", 404, "no run"),
        ("../weights", 404, ""),
        ("empty/report", 404, "no figures yet"),
        ("empty/report?against=..%2F..", 404, "no run"),
        ("empty/report?against=second", 404, "no run 'second'"),
        ("empty/report?download=perhaps", 400, "download"),
        ("strange/weights", 404, "chequers"),
        ("strange/report", 404, "chequers"),
        ("broken/weights", 500, "run.toml"),
        ("broken", 500, "run.toml"),
    ] {
        let (status, told) = ask(&app, "GET", &format!("/api/v1/runs/{path}"), &Value::Null).await;
        assert_eq!(status.as_u16(), expected, "{path}: {told}");
        assert!(
            told["error"]["message"].as_str().unwrap_or_default().contains(word),
            "{path}: {told}"
        );
    }
    let told = get(&app, "/api/v1/runs/empty/weights").await;
    assert_eq!(told["weights"], Value::Null);
    assert!(told["note"].as_str().unwrap().contains("keep no weights"), "{told}");
    let run = get(&app, "/api/v1/runs/empty").await;
    assert!(run["note"].as_str().unwrap().contains("measured nothing"), "{run}");
    let strange = get(&app, "/api/v1/runs/strange").await;
    assert!(strange["note"].as_str().unwrap().contains("not here"), "{strange}");
}

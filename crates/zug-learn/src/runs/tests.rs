use super::*;
use zug_core::run::{Run, RunConfig, State, inspect};

fn run(folder: &Path, seed: u64, values: &[f64]) -> RunSummary {
    let mut config = RunConfig::new("texel", "sticks", seed);
    config.options.insert("rate".into(), seed.to_string());
    let mut run = Run::create(folder, config).unwrap();
    for (step, value) in values.iter().enumerate() {
        run.record(step as u64, &serde_json::json!({"loss": value, "held_out_loss": 2.0 * value}))
            .unwrap();
    }
    run.set_state(State::Finished, "").unwrap();
    drop(run);
    inspect(folder).unwrap()
}

fn entry() -> GameEntry {
    GameEntry::new(crate::td::tests::games::Sticks(5))
}

#[test]
fn a_run_of_which_nothing_is_known_is_drawn_by_its_figures() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(&dir.path().join("one"), 1, &[3.0, 2.0, 1.0]);
    let entry = entry();
    let drawn = plots(&entry, &run, 2).unwrap();
    assert_eq!(drawn.len(), 1);
    assert_eq!((drawn[0].plot.title(), drawn[0].section.as_str()), ("Loss", "Figures"));
    let told = serde_json::to_value(&drawn[0]).unwrap();
    assert_eq!(told["series"][0]["points"].to_string(), "[[0.0,3.0],[2.0,1.0]]");
    let html = page(&entry, &run).unwrap().html();
    crate::markup::check(&html).unwrap();
    assert!(html.contains("held out loss"));
    assert_eq!((name(&run).as_str(), step(&run)), ("one", 2));
    assert!(weights(&entry, &run, &Look::default()).unwrap().is_none());
}

#[test]
fn a_run_without_figures_has_no_page_yet_and_no_plots() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(&dir.path().join("none"), 1, &[]);
    let error = page(&entry(), &run).unwrap_err().to_string();
    assert!(error.contains("no figures yet"), "{error}");
    assert!(plots(&entry(), &run, 10).unwrap().is_empty());
}

#[test]
fn two_runs_share_plots_and_tell_the_options_that_differ() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) =
        (run(&dir.path().join("a"), 1, &[3.0, 1.0]), run(&dir.path().join("b"), 2, &[4.0]));
    let entry = entry();
    let page = comparison((&entry, &a), (&entry, &b)).unwrap();
    let html = page.html();
    crate::markup::check(&html).unwrap();
    assert!(
        html.contains("Runs a and b") && html.contains("loss · a") && html.contains("loss · b")
    );
    assert!(html.contains("<td>rate</td>"), "{html}");
    assert_eq!(page.figures().len(), 1);
}

//! `zug learn`, `zug eval` and `zug runs`, run as a user or a script would: small models are fitted to
//! examples of random games, asked, damaged, resumed.

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::fmt::Write as _;
use std::fs;
use std::sync::LazyLock;
use support::zug_with;
use talk::{Folder, complaint, json, text, zug};
use zug_core::seed::RngExt;
use zug_othello::Board;
use zug_othello::examples::{Example, ExampleFile, ExampleWriter, MIXED, Source};

impl Folder {
    /// Is there anything under this name, or on its way there?
    fn has(&self, name: &str) -> bool {
        let files = fs::read_dir(self.0.path()).expect("the folder is there");
        let mut names =
            files.map(|f| f.expect("an entry").file_name().to_string_lossy().into_owned());
        names.any(|n| n.contains(name))
    }
}

/// Random games as lines of moves.
fn random_games(count: u64) -> String {
    let mut lines = String::new();
    for seed in 0..count {
        let mut rng = zug_core::rng(seed, 0);
        let mut board = Board::START;
        while !board.is_over() {
            let moves: Vec<u32> = (0..64).filter(|s| board.moves() >> s & 1 == 1).collect();
            if moves.is_empty() {
                board = board.passed();
                continue;
            }
            let square = moves[rng.random_range(0..moves.len())];
            let column = char::from(b'a' + (square % 8) as u8);
            let _ = write!(lines, "{column}{}", square / 8 + 1);
            board = board.after(square);
        }
        lines.push('\n');
    }
    lines
}

/// Examples that several tests learn from and none changes.
static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    let folder = Folder::new();
    let (games, examples) = (folder.path("games.txt"), folder.path("examples.zug"));
    fs::write(&games, random_games(250)).expect("written");
    zug(&["data", "othello", "label", &games, "--out", &examples]);
    Shared { examples, _folder: folder }
});

struct Shared {
    examples: String,
    _folder: Folder,
}

const SMALL: [&str; 6] = [
    "--features",
    "mobility,potential-mobility,edge,corner2x4",
    "--set",
    "grouping=pairs",
    "--threads",
    "2",
];

#[test]
fn each_method_of_the_thesis_is_fitted_reported_and_asked() {
    let folder = Folder::new();
    for method in ["fisher", "quadratic", "logistic", "fisher-plus", "logistic-plus"] {
        let (model, report) = (folder.path("model.zug"), folder.path("report.html"));
        let mut words =
            vec!["learn", "othello", "examples", "--method", method, "--data", &SHARED.examples];
        words.extend(["--out", &model, "--report", &report, "--force", "--json"]);
        words.extend(SMALL);
        let figures = json(&zug(&words));
        assert_eq!(figures["method"], method);
        let discordance = figures["figures"]["discordance"]["held_out"].as_f64().unwrap();
        assert!(discordance < 0.24, "{method}: {discordance} is no better than chance");
        let page = fs::read_to_string(&report).unwrap();
        assert!(page.contains("<svg") && page.contains("Standardised weights"));

        let seen = json(&zug(&["eval", "othello", "start", "--model", &model, "--json"]));
        assert_eq!(seen["unit"], "log-odds");
        assert_eq!(seen["moves"].as_array().unwrap().len(), 4);
        let chance = seen["win_probability"].as_f64().unwrap();
        assert!((0.2..0.8).contains(&chance), "{chance}");
    }
}

#[test]
fn the_same_command_gives_the_same_model_on_any_number_of_threads() {
    let folder = Folder::new();
    for method in ["logistic-plus", "joint"] {
        let models = ["1", "3"].map(|threads| {
            let model = folder.path(&format!("{method}-{threads}.zug"));
            zug(&[
                "learn",
                "othello",
                "examples",
                "--method",
                method,
                "--data",
                &SHARED.examples,
                "--out",
                &model,
                "--threads",
                threads,
                "--features",
                "edge,corner2x4",
                "--seed",
                "5",
            ]);
            fs::read(model).unwrap()
        });
        assert!(models[0] == models[1], "{method}");
        let header = text(&models[0][..2000]);
        assert!(header.contains(&format!("--method {method} --data examples.zug")), "{header}");
        assert!(header.contains("seed = \"5\"") && header.contains("data = \""), "{header}");
        assert!(!header.contains("/tmp"), "no folder of this machine: {header}");
    }
}

#[test]
fn a_joint_fit_is_run_in_a_folder_and_its_run_is_shown() {
    let folder = Folder::new();
    let (model, run, page) = (folder.path("m.zug"), folder.path("run"), folder.path("fit.html"));
    let words = [
        "learn",
        "othello",
        "examples",
        "--method",
        "joint",
        "--data",
        &SHARED.examples,
        "--out",
        &model,
        "--features",
        "edge,mobility",
        "--pattern",
        "a1-c1,a2-c2",
        "--set",
        "iterations=6",
        "--set",
        "knots=12-60:16",
        "--run",
        &run,
        "--report",
        &page,
        "--json",
    ];
    let figures = json(&zug(&words));
    let fit = &figures["figures"]["fit"];
    assert!(fit["all"]["mean_absolute"].as_f64().unwrap() < fit["all"]["labels"].as_f64().unwrap());
    assert!(!fit["calibration"].as_array().unwrap().is_empty());
    assert_eq!(figures["figures"]["features"].as_array().unwrap().len(), 6);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("Calibration") && html.contains("a1-c1,a2-c2"));

    assert!(complaint(&words).contains("--force replaces it"));
    let forced = [&words[..], &["--force"]].concat();
    assert!(complaint(&forced).contains("already holds a run"));
    let mut resumed = words.to_vec();
    resumed.extend(["--resume", "--force"]);
    assert_eq!(json(&zug(&resumed))["figures"], figures["figures"], "nothing is left to do");
    resumed.extend(["--set", "ridge=7"]);
    assert!(complaint(&resumed).contains("other options"));

    let list = json(&zug(&["runs", "list", &folder.path(""), "--json"]));
    assert_eq!((&list[0]["state"], &list[0]["task"]), (&"finished".into(), &"examples".into()));
    let shown = json(&zug(&["runs", "show", &run, "--json"]));
    assert_eq!(shown["config"]["options"]["method"], "joint");
    let steps = fit["iterations"].as_array().unwrap().len();
    assert_eq!(shown["lines"].as_u64().unwrap() as usize, steps, "each iteration once");
    assert_eq!(shown["step"].as_u64().unwrap() as usize + 1, steps, "the first line is step 0");
    assert!(zug(&["runs", "show", &run]).contains("finished"));
    assert!(zug(&["runs", "list", &folder.path("")]).contains("finished"));
    zug(&["runs", "report", &run]);
    assert!(fs::read_to_string(folder.path("run/report.html")).unwrap().contains("<svg"));
    assert!(complaint(&["runs", "show", &folder.path("nothing")]).contains("holds no run"));

    let seen = json(&zug(&["eval", "othello", "start", "--model", &model, "--json"]));
    assert_eq!(seen["unit"], "discs");
    assert!((0.0..=1.0).contains(&seen["win_probability"].as_f64().unwrap()));
}

#[test]
fn a_header_tells_of_a_validation_error_only_where_games_are_held_out() {
    let folder = Folder::new();
    let model = folder.path("m.zug");
    for (held_out, name) in [("1", "validation-error"), ("none", "training-error")] {
        let held_out = format!("held-out={held_out}");
        zug(&[
            "learn",
            "othello",
            "examples",
            "--method",
            "joint",
            "--data",
            &SHARED.examples,
            "--out",
            &model,
            "--force",
            "--features",
            "edge",
            "--set",
            "iterations=2",
            "--set",
            &held_out,
        ]);
        let bytes = fs::read(&model).unwrap();
        let header = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 13)]).into_owned();
        for error in ["validation-error", "training-error"] {
            assert_eq!(header.contains(error), error == name, "{header}");
        }
    }
}

#[test]
fn discordances_are_printed_as_a_table_as_csv_as_json_and_as_a_page() {
    let folder = Folder::new();
    let page = folder.path("curves.html");
    let mut words = vec![
        "learn",
        "othello",
        "discordance",
        "--data",
        &SHARED.examples,
        "--feature",
        "mobility,potential-mobility,edge,corner2x4,corner2x5",
        "--pattern",
        "a1-c1,a2-c2",
        "--report",
        &page,
        "--force",
    ];
    assert!(zug(&words).contains("potential-mobility"));
    words.push("--csv");
    let csv = zug(&words);
    let mut lines = csv.lines();
    assert_eq!(
        lines.next().unwrap(),
        "discs,examples,mobility,potential-mobility,edge,corner2x4,corner2x5,\"pattern:a1-c1,a2-c2\""
    );
    assert!(lines.all(|l| l.split(',').count() == 8));
    assert!(fs::read_to_string(&page).unwrap().contains("corner2x5"));
    *words.last_mut().unwrap() = "--json";
    let table = json(&zug(&words));
    let (mut sum, mut examples) = (0.0, 0.0);
    for row in table["rows"].as_array().unwrap() {
        let count = row["examples"].as_f64().unwrap();
        sum += count * row["values"][3].as_f64().unwrap();
        examples += count;
    }
    let corner = sum / examples;
    assert!(corner > 0.0 && corner < 0.25, "a corner block says something: {corner}");
}

/// Two examples of fold 3, one of them solved, and one that several folds share.
fn three_examples(path: &str) {
    let second = Board::START.after(19);
    let third = second.after(second.moves().trailing_zeros());
    let example = |board: Board, score, source, fold| Example {
        board: board.canonical(),
        score,
        source,
        fold,
        count: 1,
    };
    let mut writer = ExampleWriter::create(path.as_ref(), &ExampleFile::new_header()).unwrap();
    writer.push(example(Board::START, 2, Source::Tree, MIXED)).unwrap();
    writer.push(example(second, -4, Source::Exact, 3)).unwrap();
    writer.push(example(third, 6, Source::Game, 3)).unwrap();
    writer.commit().unwrap();
}

#[test]
fn labelled_examples_are_evaluated_by_fold_and_by_label() {
    let folder = Folder::new();
    let file = folder.path("three.zug");
    three_examples(&file);
    let eval = |more: &[&str]| {
        let mut words = vec!["eval", "othello", &file, "--model", "hand", "--json"];
        words.extend(more);
        json(&zug(&words))
    };
    let stages = |seen: &serde_json::Value| {
        let stages = seen["by_stage"].as_array().unwrap().iter();
        stages.map(|s| s["stage"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let all = eval(&[]);
    assert_eq!(stages(&all), [4, 5, 6]);
    // Alone at its disc count, a position has the error of its value.
    let at_start = json(&zug(&["eval", "othello", "start", "--model", "hand", "--json"]));
    let value = at_start["value"].as_f64().unwrap();
    assert_eq!(all["by_stage"][0]["bias"], value - 2.0);
    assert_eq!(all["by_stage"][0]["root_mean_square"], (value - 2.0).abs());
    assert_eq!(all["by_stage"][0]["discordance"], 0.0);
    assert_eq!(stages(&eval(&["--fold", "3"])), [5, 6]);
    assert_eq!(stages(&eval(&["--exact"])), [5]);
    assert_eq!(stages(&eval(&["--fold", "3", "--exact"])), [5]);

    let complain = |more: &[&str]| {
        let mut words = vec!["eval", "othello", &file, "--model", "hand"];
        words.extend(more);
        complaint(&words)
    };
    assert!(complain(&["--fold", "4"]).contains("three.zug: no example belongs to fold 4 alone"));
    assert!(complain(&["--fold", "20"]).contains("0..=19"));
    let start = ["eval", "othello", "start", "--model", "hand", "--exact"];
    assert!(complaint(&start).contains("file of examples"));
    let missing = folder.path("missing.zug");
    assert!(complaint(&["eval", "othello", &missing, "--fold", "1"]).contains("there is no file"));
    let mut bytes = fs::read(&file).unwrap();
    bytes.truncate(bytes.len() - 1);
    fs::write(&file, bytes).unwrap();
    assert!(complain(&[]).contains("three.zug"));
}

#[test]
fn many_examples_give_the_same_figures_on_any_number_of_threads() {
    let folder = Folder::new();
    let model = folder.path("model.zug");
    let mut words =
        vec!["learn", "othello", "examples", "--method", "fisher", "--data", &SHARED.examples];
    words.extend(["--fold", "2", "--out", &model]);
    words.extend(SMALL);
    zug(&words);
    let [one, three] = ["1", "3"].map(|threads| {
        let mut words = vec!["eval", "othello", &SHARED.examples, "--model", &model, "--json"];
        words.extend(["--fold", "2", "--threads", threads]);
        let mut seen = json(&zug(&words));
        for time in ["seconds", "positions_per_second", "threads"] {
            assert!(seen[time].is_number());
            seen[time] = serde_json::Value::Null;
        }
        seen
    });
    assert_eq!(one, three);
    // Log-odds have no error in discs, but they see winners and put positions in order.
    assert_eq!(one["errors"]["mean_absolute"], serde_json::Value::Null);
    assert!(one["errors"]["right_winner"].as_f64().unwrap() > 0.55);
    assert!(one["errors"]["discordance"].as_f64().unwrap() < 0.24);
    let words = ["eval", "othello", &SHARED.examples, "--model", &model, "--fold", "2"];
    let text = zug(&words);
    assert!(text.contains("discordance") && text.lines().count() > 50, "{text}");
    assert!(complaint(&["eval", "othello", &model, "--model", &model]).contains("found a model"));
}

#[test]
fn files_of_positions_are_evaluated_with_their_errors() {
    let folder = Folder::new();
    let file = folder.path("some.obf");
    let start = "---------------------------OX------XO--------------------------- X";
    fs::write(&file, format!("{start}; d3:+0; c4:-2;\n\n# comment\n{start}; f5:+8;\n")).unwrap();
    let seen = json(&zug(&["eval", "othello", &file, "--model", "hand", "--json"]));
    assert_eq!((&seen["positions"], &seen["errors"]["positions"]), (&2.into(), &2.into()));
    assert_eq!(seen["by_stage"][0]["stage"], 4);
    let at_start = json(&zug(&["eval", "othello", "start", "--model", "hand", "--json"]));
    let value = at_start["value"].as_f64().unwrap();
    let mean = seen["errors"]["mean_absolute"].as_f64().unwrap();
    assert!((mean - (value.abs() + (value - 8.0).abs()) / 2.0).abs() < 1e-9, "{mean}");
    assert_eq!(seen["values"][1]["exact"], 8);
    let summary = json(&zug(&["eval", "othello", &file, "--model", "hand", "--json", "--summary"]));
    assert!(summary.get("values").is_none());

    let (packed, bytes) = (format!("{file}.zst"), fs::read(&file).unwrap());
    fs::write(&packed, zstd::encode_all(&bytes[..], 0).unwrap()).unwrap();
    let unpacked = json(&zug(&["eval", "othello", &packed, "--model", "hand", "--json"]));
    assert_eq!(unpacked["errors"], seen["errors"]);
    fs::write(&packed, "no zstd").unwrap();
    let said = complaint(&["eval", "othello", &packed, "--model", "hand"]);
    assert!(said.contains("some.obf.zst"), "{said}");

    let output = zug_with(&["eval", "othello", "-", "--model", "hand"], &format!("{start}\n"));
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("1 positions"));

    fs::write(&file, format!("{start}\nrubbish\n")).unwrap();
    let words = ["eval", "othello", &file, "--model", "hand"];
    assert!(complaint(&words).contains("some.obf: line 2"), "{}", complaint(&words));
    fs::write(&file, "\n").unwrap();
    assert!(complaint(&words).contains("no position"));
    assert!(
        complaint(&["eval", "othello", "missing.obf"]).contains("there is no file missing.obf")
    );
    assert!(complaint(&["eval", "othello", "XO"]).contains("in the position 'XO'"));
    assert!(complaint(&["eval", "go", "start"]).contains("go does not learn from examples yet"));
}

#[test]
fn models_that_are_none_are_refused() {
    let folder = Folder::new();
    let file = folder.path("model.zug");
    let refusal = |name: &str| complaint(&["eval", "othello", "start", "--model", name]);
    assert!(refusal("dreams").contains("no model of that name"));
    assert!(refusal(&file).contains("model.zug"));
    fs::write(&file, "no model").unwrap();
    assert!(refusal(&file).contains("no Zug file"));
    assert!(refusal(&SHARED.examples).contains("expected a model"));
    zug(&[
        "learn",
        "othello",
        "examples",
        "--method",
        "fisher",
        "--data",
        &SHARED.examples,
        "--out",
        &file,
        "--force",
        "--features",
        "edge,mobility",
    ]);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&file, &bytes).unwrap();
    assert!(refusal(&file).contains("damaged"), "{}", refusal(&file));
    fs::write(&file, &bytes[..middle]).unwrap();
    assert!(refusal(&file).contains("cut off"), "{}", refusal(&file));
}

/// A file of examples with one position for each of these folds.
fn few_examples(path: &str, folds: &[u8]) {
    let mut examples: Vec<Example> = Vec::new();
    let mut board = Board::START;
    for &fold in folds {
        board = board.after(board.moves().trailing_zeros());
        let score = if fold % 2 == 0 { 2 } else { -2 };
        examples.push(Example {
            board: board.canonical(),
            score,
            source: Source::Game,
            fold,
            count: 1,
        });
    }
    let mut writer = ExampleWriter::create(path.as_ref(), &ExampleFile::new_header()).unwrap();
    examples.sort_by_key(Example::key);
    examples.into_iter().for_each(|e| writer.push(e).unwrap());
    writer.commit().unwrap();
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').expect("a path with a folder").0
}

#[test]
fn bad_orders_are_refused_before_anything_is_written() {
    let folder = Folder::new();
    let (model, empty, mixed, few) = (
        folder.path("out.zug"),
        folder.path("empty.ex"),
        folder.path("mixed.ex"),
        folder.path("few.ex"),
    );
    few_examples(&empty, &[]);
    few_examples(&mixed, &[MIXED; 8]);
    few_examples(&few, &[0, 1, 2, 3, 0, 1, 2, 3]);
    let broken = folder.path("broken.ex");
    let bytes = fs::read(&SHARED.examples).unwrap();
    fs::write(&broken, &bytes[..bytes.len() / 3]).unwrap();
    let good = SHARED.examples.as_str();
    let nowhere = folder.path("no/out.zug");
    let respelled = format!("{}/./{}", parent(good), good.rsplit('/').next().unwrap());
    let checks: &[(&str, &str, &[&str], &str)] = &[
        (
            "magic",
            good,
            &[],
            "known are: fisher, quadratic, logistic, fisher-plus, logistic-plus, joint",
        ),
        ("fisher", "missing.zug", &[], "missing.zug: there is no such file"),
        ("fisher", &empty, &[], "no examples in it"),
        ("joint", &empty, &[], "no examples in it"),
        ("fisher", &broken, &[], "cut off"),
        ("joint", &broken, &[], "cut off"),
        ("logistic", &mixed, &[], "no example belongs to the fold 0"),
        ("joint", &mixed, &[], "no example belongs to the fold 0"),
        ("logistic", &few, &[], "no disc count could be fitted"),
        ("fisher", good, &["--fold", "20"], "there is no fold 20"),
        ("fisher", good, &["--features", "mobility,magic"], "known are: mobility"),
        ("joint", good, &["--features", "magic"], "known are: edge"),
        ("fisher", good, &["--pattern", "a1-b3"], "a row, a column or a diagonal"),
        ("fisher", good, &["--pattern", "z9"], "byte 0: expected a square"),
        ("joint", good, &["--pattern", "a1-h1,a2-h2"], "at most 10 squares"),
        ("fisher", good, &["--set", "magic=1"], "there is no option 'magic'"),
        ("joint", good, &["--set", "ridge=-1"], "ridge"),
        ("joint", good, &["--set", "sample=2"], "sample"),
        ("joint", good, &["--memory", "1K"], "MiB"),
        ("fisher", good, &["--run", "somewhere"], "--run is of no use"),
        ("joint", good, &["--resume"], "--run"),
        ("fisher", good, &["--data", good], "given twice"),
        ("joint", &few, &[], "at least 1000 are asked for"),
        ("joint", good, &["--data", &few], "dealt to folds in different ways"),
        ("fisher", good, &["--features", ""], "the list of features is empty"),
        ("fisher", good, &["--report", &respelled], "this file is read"),
        ("fisher", good, &["--report", &model], "are one file"),
    ];
    for (method, data, more, words) in checks {
        let mut all = vec![
            "learn", "othello", "examples", "--method", method, "--data", data, "--out", &model,
        ];
        all.extend(*more);
        let said = complaint(&all);
        assert!(said.contains(words), "{method} {more:?}: {said}");
        assert!(!folder.has("out.zug"), "{method} {more:?}");
    }
    let said = complaint(&[
        "learn", "othello", "examples", "--method", "fisher", "--data", good, "--out", &nowhere,
    ]);
    assert!(said.contains("there is no folder"), "{said}");
    let said =
        complaint(&["learn", "othello", "discordance", "--data", &mixed, "--feature", "edge"]);
    assert!(said.contains("no example belongs"), "{said}");
    for verb in [&["discordance", "--feature", "edge"][..], &["pattern-search"]] {
        let words = [&["learn", "othello"], verb, &["--data", good, "--report", &respelled]];
        let said = complaint(&words.concat());
        assert!(said.contains("this file is read"), "{said}");
    }
    let said = complaint(&["learn", "othello", "discordance", "--data", good]);
    assert!(said.contains("name features"), "{said}");
    let game = "othello:6x6";
    let said = complaint(&["learn", game, "methods"]);
    assert!(
        said.contains(&format!("{game} does not learn yet; these games do: othello, ")),
        "{said}"
    );
    for game in ["go", "othello:6x6"] {
        let words =
            ["learn", game, "examples", "--method", "joint", "--data", good, "--out", "m.zug"];
        let said = complaint(&words);
        let expected =
            format!("{game} does not learn from examples yet; these games do: othello, chess\n");
        assert!(said.contains(&expected), "{said}");
        let said = complaint(&["learn", game, "td", "--games", "1", "--out", "never"]);
        let expected =
            format!("{game} does not learn from its own play yet; these games do: othello, ");
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn what_can_be_named_is_listed() {
    let all = json(&zug(&["learn", "othello", "methods", "--json"]));
    for (list, name) in
        [("methods", "joint"), ("features", "potential-mobility"), ("models", "hand")]
    {
        let names = all[list].as_array().unwrap();
        assert!(names.iter().any(|n| n["name"] == name), "{list}: {name}");
    }
    assert!(zug(&["learn", "othello", "methods"]).contains("logistic-plus"));
}

#[test]
fn every_verb_has_help_with_an_example() {
    for words in [
        &["learn"][..],
        &["learn", "othello", "methods"],
        &["learn", "othello", "examples"],
        &["learn", "othello", "discordance"],
        &["learn", "othello", "pattern-search"],
        &["eval"],
        &["runs"],
        &["runs", "list"],
        &["runs", "show"],
        &["runs", "report"],
    ] {
        let mut all = words.to_vec();
        all.push("--help");
        assert!(zug(&all).contains("Example"), "{words:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_fit_leaves_no_model_and_says_how_to_go_on() {
    let folder = Folder::new();
    let (model, run) = (folder.path("model.zug"), folder.path("run"));
    let endless = ["iterations=100000000", "tolerance=0", "patience=100000000"];
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_zug"));
    command.args(["learn", "othello", "examples", "--method", "joint", "--data", &SHARED.examples]);
    command.args(["--out", &model, "--run", &run, "--features", "edge,mobility", "--threads", "1"]);
    for option in endless {
        command.args(["--set", option]);
    }
    let child = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("zug starts");
    // The handler is there before the folder is.
    while !fs::exists(folder.path("run/run.toml")).expect("can be asked") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(killed.success());
    let output = child.wait_with_output().expect("zug ends");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("--resume goes on"), "{said}");
    assert!(!folder.has("model.zug"));
    let shown = json(&zug(&["runs", "show", &run, "--json"]));
    assert_eq!(shown["state"], "stopped");
}

#[test]
fn a_search_tells_every_set_of_patterns_that_it_tried() {
    let folder = Folder::new();
    let page = folder.path("search.html");
    let words = [
        "learn",
        "othello",
        "pattern-search",
        "--data",
        &SHARED.examples,
        "--features",
        "diagonal4,mobility",
        "--set",
        "rounds=1",
        "--set",
        "generated=1",
        "--set",
        "named=no",
        "--set",
        "iterations=3",
        "--set",
        "sample=0.3",
        "--report",
        &page,
        "--force",
        "--json",
    ];
    let found = json(&zug(&words));
    let search = &found["figures"]["search"];
    let trials = search["trials"].as_array().unwrap();
    assert!(trials.len() >= 3, "the set itself, and others: {trials:?}");
    let best = trials.iter().rfind(|t| t["taken"] == true).unwrap();
    assert_eq!(search["error"], best["error"]);
    assert!(fs::read_to_string(&page).unwrap().contains("<svg"));
    assert!(zug(&words[..words.len() - 1]).contains("round"));
}

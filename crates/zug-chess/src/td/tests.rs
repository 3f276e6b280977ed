//! The learner as a whole, on real games: studies against finite differences, runs that are killed
//! and resumed, broken opponents.

use super::archive::Archive;
use super::config;
use super::experiment::{Experiment, beginning, model_of};
use super::game::{self, Played, Seat};
use super::lesson::{Finish, Gradient, Squash};
use super::log::GameLog;
use super::log::tests::sample;
use super::notes::GameNotes;
use super::opponents::{Crew, Supply};
use super::quiet;
use super::run::{learn, report};
use super::student::{Source, Student, Teaching, finite_gradient, gradient_of};
use crate::engine::{Evaluation, Eye};
use crate::factors::{self, FACTORS};
use crate::model::{Model, Start};
use crate::types::{Scheme, Zones, text_number, thesis_type};
use cozy_chess::Color;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use zug_core::{GameEntry, Silent, Spec, StopFlag};
use zug_learn::face::TaskError;
use zug_learn::td::face::TdOrder;

fn order(group: &str, out: &Path, options: &[(&str, &str)]) -> TdOrder {
    let mut order = TdOrder {
        group: Some(group.to_string()),
        seed: 5,
        threads: 1,
        out: out.to_path_buf(),
        command: "zug learn chess td".to_string(),
        ..TdOrder::default()
    };
    order.options = options.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    order
}

/// So small that a test can afford it.
const SMALL: &[(&str, &str)] = &[
    ("nodes", "60"),
    ("opponents", "zug:model=hand,depth=1,hash=1M"),
    ("openings", "4"),
    ("testers", "start;random"),
    ("test-games", "4"),
    ("tests-at", "2"),
    ("most-plies", "160"),
];

fn thesis() -> Scheme {
    Scheme::Thesis(Zones::default())
}

fn teaching() -> Teaching {
    config::plan(&TdOrder { group: Some("fusc".into()), ..TdOrder::default() })
        .unwrap()
        .variants
        .remove(0)
        .teaching
}

/// A game of the learner against itself.
fn self_played(model: &Model, nodes: u64) -> Played {
    let fast = model.fast();
    let seat = || Seat::Thinker(Box::new(game::thinker(&fast, "thesis").unwrap()), nodes);
    let (mut white, mut black) = (seat(), seat());
    let line = Supply::Random { plies: 6, seed: 3 }.line(0);
    game::play(line, [&mut white, &mut black], 90, &StopFlag::new())
}

#[test]
fn every_variation_of_a_game_explains_its_score_by_the_counts_at_its_leaf() {
    let model = Model::start(thesis(), Start::Thesis);
    let played = self_played(&model, 300);
    let teaching = teaching();
    let weights: Vec<f64> = model.weights.iter().map(|&w| f64::from(w)).collect();
    for own in [Color::White, Color::Black] {
        let notes = played.notes(own);
        assert!(notes.thoughts.len() > 20);
        let mut eye = model.fast().eye();
        let study = teaching.study(&model.scheme, &weights, &mut eye, &notes, Finish::Lost);
        assert_eq!(study.resolved, 0, "a score that its leaf does not explain");
        assert_eq!(study.positions, notes.thoughts.len() as u64);
        let counted: u64 = study.columns.iter().map(|(_, n)| n).sum();
        assert_eq!(counted + study.proven, study.positions);
    }
}

#[test]
fn finite_differences_find_the_counts_wherever_the_leaf_stays_the_same() {
    let model = Model::start(Scheme::KnightCap, Start::Thesis);
    let weights: Vec<f64> = model.weights.iter().map(|&w| f64::from(w)).collect();
    let played = self_played(&Model::start(thesis(), Start::Thesis), 100);
    let (mut same, mut other) = (0, 0);
    for position in played.line.positions().iter().skip(8).step_by(9).take(8) {
        let value = &mut |board: &crate::Board| model.value(board);
        let quiet = quiet::resolve(position, value);
        if quiet.mate {
            continue;
        }
        let counts: BTreeMap<u32, f64> = (gradient_of(&model.scheme, &quiet.leaf).into_iter())
            .filter(|(_, n)| *n != 0.0)
            .collect();
        let at_root = model.scheme.shares(position.board()).main();
        let measured: BTreeMap<u32, f64> =
            finite_gradient(&model.scheme, &weights, position, false).into_iter().collect();
        for (&weight, &count) in &counts {
            if weight as usize / FACTORS != at_root {
                continue;
            }
            match measured.get(&weight) {
                Some(found) if (found - count).abs() < 1e-6 => same += 1,
                _ => other += 1,
            }
        }
    }
    // Raising a weight by 1 seldom makes another leaf the best one.
    assert!(same > 100 && other * 20 < same, "{same} the same, {other} not");
}

#[test]
fn zeroing_all_other_weights_measures_the_same_where_there_is_nothing_to_capture() {
    let scheme = Scheme::One;
    let weights: Vec<f64> = Start::Thesis.column().iter().map(|&w| f64::from(w)).collect();
    let position = crate::fen::parse("4k3/ppp5/8/8/8/8/5PPP/4K1N1 w - - 0 1").unwrap();
    let counts: Gradient =
        (gradient_of(&scheme, position.board()).into_iter()).filter(|(_, n)| *n != 0.0).collect();
    for zeroed in [false, true] {
        assert_eq!(finite_gradient(&scheme, &weights, &position, zeroed), counts);
    }
}

#[test]
fn one_lost_game_moves_its_own_types_and_leaves_the_others_bit_for_bit() {
    let model = Model::start(thesis(), Start::Thesis);
    let played = self_played(&model, 150);
    let teaching = teaching();
    let weights: Vec<f64> = model.weights.iter().map(|&w| f64::from(w)).collect();
    let mut student = Student::new(model.scheme.clone(), weights.clone(), &teaching.rates);
    let notes = played.notes(Color::White);
    let mut eye = model.fast().eye();
    let study = teaching.study(&student.scheme, &weights, &mut eye, &notes, Finish::Lost);
    let applied = student.apply(&teaching, &study);
    assert!(applied.visible > 0 && applied.moved >= applied.visible, "{applied:?}");
    let touched: Vec<usize> = study.columns.iter().map(|(c, _)| *c).collect();
    assert!(touched.len() < 10 && !touched.is_empty());
    for column in 0..33 {
        let of = |w: &[f64]| w[column * FACTORS..(column + 1) * FACTORS].to_vec();
        let (before, after) = (of(&weights), of(&student.weights));
        let rate = student.rates(&teaching.rates)[column];
        if touched.contains(&column) {
            assert!(rate < 1.0);
        } else {
            assert!(before.iter().zip(&after).all(|(a, b)| a.to_bits() == b.to_bits()));
            assert_eq!(rate, 1.0);
        }
    }
    // Frozen material stays in every type.
    let mut frozen = teaching.clone();
    frozen.frozen[..7].fill(true);
    let mut student = Student::new(model.scheme.clone(), weights.clone(), &teaching.rates);
    student.apply(&frozen, &study);
    for column in 0..33 {
        let of = |w: &[f64]| w[column * FACTORS..column * FACTORS + 7].to_vec();
        assert_eq!(of(&weights), of(&student.weights));
    }
}

#[test]
fn roots_and_unquiet_leaves_are_valued_where_they_stand() {
    let model = Model::start(thesis(), Start::Thesis);
    let played = self_played(&model, 150);
    let weights: Vec<f64> = model.weights.iter().map(|&w| f64::from(w)).collect();
    let notes = played.notes(Color::Black);
    let study = |source| {
        let teaching = Teaching { source, ..teaching() };
        let mut eye = model.fast().eye();
        teaching.study(&model.scheme, &weights, &mut eye, &notes, Finish::Won)
    };
    let (leaf, root, unquiet) = (study(Source::Leaf), study(Source::Root), study(Source::Unquiet));
    assert_ne!(leaf.sums, root.sums);
    assert_ne!(leaf.sums, unquiet.sums);
    assert_eq!(root.proven, 0);
    // The first difference of the roots, by hand.
    let own: Vec<f64> = notes
        .thoughts
        .iter()
        .map(|t| -model.fast().eye().evaluate(notes.positions()[t.ply].board()))
        .map(|black_to_move| f64::from(-black_to_move))
        .collect();
    let Squash::Tanh { beta } = teaching().rule.squash else { panic!() };
    let errors: f64 = own.windows(2).map(|w| (beta * w[1]).tanh() - (beta * w[0]).tanh()).sum();
    assert!(errors.is_finite());
}

#[test]
fn all_own_positions_of_the_sample_are_of_type_23() {
    let log = GameLog::read(&sample(), 3).unwrap();
    let notes = GameNotes::of_log(&log);
    let positions = notes.positions();
    for thought in &notes.thoughts {
        let kind = thesis_type(positions[thought.ply].board(), &Zones::default());
        assert_eq!(text_number(kind), 23);
    }
}

/// The sample of the thesis, learned from with its own scores: variations that end at the horizon are
/// played out.
#[test]
fn the_logged_game_of_the_thesis_can_be_learned_from() {
    let mut log = GameLog::read(&sample(), 3).unwrap();
    log.result = Some(-1);
    let notes = GameNotes::of_log(&log);
    let model = Model::start(thesis(), Start::Thesis);
    let weights: Vec<f64> = model.weights.iter().map(|&w| f64::from(w)).collect();
    let mut eye = model.fast().eye();
    let study = teaching().study(&model.scheme, &weights, &mut eye, &notes, Finish::Lost);
    assert_eq!((study.positions, study.predicted), (15, 4));
    assert!(study.resolved > 0);
    let columns: Vec<u8> = study.columns.iter().map(|(c, _)| text_number(*c as u8)).collect();
    assert_eq!(columns, [23]);
    assert!(!study.sums.is_empty());
}

/// Every file below a folder, but those that tell the time.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_path_buf();
            if path.is_dir() {
                open.push(path);
            } else if !["run.toml", "status.toml", "run.lock"].iter().any(|n| name.ends_with(n)) {
                all.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    all
}

#[test]
fn a_run_leaves_all_its_files_and_is_the_same_again_for_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = order("knightcap1", &dir.path().join("a"), SMALL);
    first.options.push(("batch".into(), "3".into()));
    first.options.push(("logs".into(), "all".into()));
    first.games = Some(7);
    first.experiments = Some(2);
    let account = learn(&first, &Silent, &StopFlag::new()).unwrap();
    let mut second = TdOrder { out: dir.path().join("b"), threads: 3, ..first.clone() };
    assert_eq!(learn(&second, &Silent, &StopFlag::new()).unwrap().text, account.text);
    let (a, b) = (tree(&first.out), tree(&second.out));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in &a {
        assert!(b[name] == *bytes, "{} differs", name.display());
    }
    for name in
        ["results.json", "metrics.jsonl", "knightcap1-2/model.zug", "knightcap1-1/games.pgn"]
    {
        assert!(a.contains_key(Path::new(name)), "{name}");
    }
    let page = report(&first.out).unwrap().unwrap().html();
    assert_eq!(page, account.page);
    zug_learn::markup::check(&page).unwrap();
    for words in ["Learning curve", "1650 to 2150", "Games of knightcap1-2", "start, random"] {
        assert!(page.contains(words), "{words}");
    }
    // Another seed is another run.
    second.out = dir.path().join("c");
    second.seed = 6;
    learn(&second, &Silent, &StopFlag::new()).unwrap();
    let games = Path::new("knightcap1-1/games.pgn");
    assert!(tree(&second.out)[games] != a[games]);
    // The games are good PGN, and the logs are read.
    let text = &a[games];
    let read = crate::pgn::Reader::new(&text[..]).collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(read.len(), 7);
    let logs = Archive::open(&first.out.join("knightcap1-1/logs")).unwrap();
    if let Some(log) = logs.last(FACTORS).unwrap() {
        assert_eq!(log.rates.len(), 4);
    }
}

#[test]
fn a_run_that_is_stopped_anywhere_goes_on_to_the_same_files() {
    struct StopAfter(StopFlag, std::sync::atomic::AtomicU64);
    impl zug_core::Progress for StopAfter {
        fn set_length(&self, _: Option<u64>) {}
        fn advance(&self, units: u64) {
            let left = &self.1;
            let now = left.load(std::sync::atomic::Ordering::Relaxed).saturating_sub(units);
            left.store(now, std::sync::atomic::Ordering::Relaxed);
            if now == 0 {
                self.0.set();
            }
        }
        fn message(&self, _: &str) {}
        fn finish(&self) {}
    }
    let dir = tempfile::tempdir().unwrap();
    let mut whole = order("fusc", &dir.path().join("whole"), SMALL);
    whole.games = Some(5);
    learn(&whole, &Silent, &StopFlag::new()).unwrap();
    let mut broken = TdOrder { out: dir.path().join("broken"), ..whole.clone() };
    for after in [2, 4, 8] {
        let stop = StopFlag::new();
        let progress = StopAfter(stop.clone(), after.into());
        match learn(&broken, &progress, &stop) {
            Err(TaskError::Stopped { resumable: true }) => {}
            Ok(_) => panic!("it was not stopped"),
            Err(error) => panic!("{error}"),
        }
        broken.resume = true;
        // What a killed process wrote after its last checkpoint is cut off.
        let games = broken.out.join("fusc-1/games.pgn");
        let mut bytes = std::fs::read(&games).unwrap();
        bytes.extend_from_slice(b"[Event \"half a ga");
        std::fs::write(&games, bytes).unwrap();
        assert!(report(&broken.out).unwrap().is_some());
    }
    learn(&broken, &Silent, &StopFlag::new()).unwrap();
    let (a, b) = (tree(&whole.out), tree(&broken.out));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in &a {
        assert!(b[name] == *bytes, "{} differs", name.display());
    }
    // Other choices are refused.
    let mut other = broken.clone();
    other.options[0].1 = "61".into();
    let error = learn(&other, &Silent, &StopFlag::new()).unwrap_err().to_string();
    assert!(error.contains("nodes"), "{error}");
}

#[test]
fn a_single_step_is_measured_and_the_repetition_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut order = order(
        "trex",
        &dir.path().join("run"),
        &[("nodes", "30"), ("opponents", "zug:model=hand,depth=3,hash=1M")],
    );
    order.games = Some(3);
    let account = learn(&order, &Silent, &StopFlag::new()).unwrap();
    let steps = &account.figures["single_step"];
    assert_eq!(steps["games"], 3);
    assert!(steps["lost"].as_u64().unwrap() >= 1, "{steps}");
    let rows = steps["rows"].as_array().unwrap();
    let lost = rows.iter().find(|r| !r["step"].is_null()).unwrap();
    assert!(lost["step"]["visible"].as_u64().unwrap() > 0);
    zug_learn::markup::check(&account.page).unwrap();
    assert!(account.page.contains("35 weights in 2 types"));
}

#[test]
fn an_opponent_that_cannot_play_is_counted_and_nothing_is_learned_from_it() {
    let dir = tempfile::tempdir().unwrap();
    let entry: GameEntry = crate::open(&Spec::parse("chess").unwrap()).unwrap();
    let order = order("fusc", dir.path(), SMALL);
    let mut plan = config::plan(&order).unwrap();
    let settings = &mut plan.variants[0];
    settings.games = 4;
    settings.opponents = vec!["nobody".to_string()];
    let start = beginning(settings).unwrap();
    let crew = Crew::new(&entry, [], std::time::Duration::from_secs(1)).unwrap();
    let experiment = Experiment {
        settings,
        number: 0,
        seed: 1,
        folder: dir.path().join("e"),
        crew: &crew,
        supply: &Supply::Start,
        command: "",
        start: &start,
    };
    let state = experiment.learn(&Silent, &StopFlag::new(), &mut Vec::new()).unwrap();
    assert_eq!((state.game, state.student.learned), (4, 0));
    assert_eq!(model_of(&state.student), start);
    let rows = experiment.rows().unwrap();
    assert!(rows.iter().all(|r| r.rejected.as_deref() == Some("broken") && r.broken()));
    // They say nothing about how strong it is.
    assert_eq!(state.scores, [0.5]);
    assert!(rows[0].reason.contains("nobody"));
}

#[test]
fn experiments_have_the_choices_of_the_thesis() {
    let plan = |group: &str| config::plan(&order(group, Path::new("x"), &[])).unwrap();
    for group in config::groups() {
        let plan = plan(&group.name);
        for settings in &plan.variants {
            assert_eq!(settings.teaching.rule.lambda, 0.7);
            assert_eq!(settings.teaching.rates.start, 1.0);
            assert_eq!(settings.points.first(), Some(&0));
            assert_eq!(settings.points.last(), Some(&settings.games));
        }
    }
    let fusc = plan("fusc");
    assert_eq!(fusc.variants[0].scheme_word(), "thesis");
    assert_eq!(fusc.variants[0].search, "thesis");
    assert_eq!(beginning(&fusc.variants[0]).unwrap().weights.len(), 56_298);
    let names: Vec<String> = plan("types").variants.iter().map(|s| s.scheme_word()).collect();
    assert_eq!(names, ["one", "phases", "knightcap", "thesis"]);
    let own = &plan("knightcap3");
    assert_eq!((own.variants[1].opponents[0].as_str(), own.variants[1].games), ("self", 600));
    assert_eq!(own.duels.len(), 1);
    let controls = plan("controls");
    assert_eq!(controls.variants[3].games, 0);
}

#[test]
fn wrong_choices_are_told_with_what_would_be_right() {
    let told = |group: &str, options: &[(&str, &str)]| {
        config::plan(&order(group, Path::new("x"), options)).unwrap_err().to_string()
    };
    assert!(told("fuscc", &[]).contains("knightcap3"));
    assert!(told("fusc", &[("lambda", "2")]).contains("0 to 1"));
    assert!(told("fusc", &[("speed", "2")]).contains("blunder-last"));
    assert!(told("fusc", &[("frozen", "kings")]).contains("material"));
    assert!(told("fusc", &[("reward", "100")]).contains("squash=raw"));
    assert!(told("fusc", &[("types", "lots")]).contains("knightcap"));
    assert!(told("types", &[("types", "one")]).contains("differ in"));
    assert!(told("fusc", &[("clusters", "x.zug")]).contains("types=FILE"));
    assert!(told("fusc", &[("types", "start")]).contains("start=FILE"));
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("no-clusters.zug");
    Model::start(thesis(), Start::Zero).write(&file, &Model::header()).unwrap();
    let why = told("types", &[("clusters", file.to_str().unwrap())]);
    assert!(why.contains("clusters") && why.contains("'thesis'"), "{why}");
    let every = [
        ("types", "phases"),
        ("start", "zero"),
        ("frozen", "material+isolated"),
        ("squash", "raw"),
        ("reward", "500"),
        ("lambda", "0.5"),
        ("blunders", "keep"),
        ("ramp", "0.5"),
        ("blunder-last", "no"),
        ("spare-predicted", "no"),
        ("spare-forced", "no"),
        ("draws", "yes"),
        ("draw-value", "0"),
        ("trust-last", "no"),
        ("rate", "0.5"),
        ("step", "0.1"),
        ("decay", "positions"),
        ("half", "1000"),
        ("descent", "adam"),
        ("most", "10"),
        ("gradient", "finite"),
        ("nodes", "100"),
        ("search", "modern"),
        ("opponents", "self+random"),
        ("matched", "no"),
        ("both", "yes"),
        ("openings", "start"),
        ("batch", "4"),
        ("from-start", "yes"),
        ("patience", "5"),
        ("give-up", "3"),
        ("most-plies", "100"),
        ("logs", "none"),
        ("save-every", "5"),
        ("testers", "random"),
        ("test-games", "10"),
        ("test-nodes", "50"),
        ("tests-at", "10+20"),
    ];
    let plan = config::plan(&order("fusc", Path::new("x"), &every)).unwrap();
    let facts: BTreeMap<&str, String> = plan.variants[0].facts().into_iter().collect();
    assert_eq!(facts["tests-at"], "0+10+20");
    assert_eq!(facts["squash"], "raw, reward 500");
    assert_eq!(facts["opponents"], "self;random");
    assert!(plan.variants[0].teaching.frozen[1] && !plan.variants[0].teaching.frozen[40]);
    assert!(factors::name(1).contains("material") || factors::name(1).contains("pawn"));
    // All options but 'pawn', which belongs to tanh, are among these.
    let mut known: Vec<String> = config::options().into_iter().map(|o| o.name).collect();
    known.retain(|k| k != "pawn");
    assert_eq!(known, every.map(|(k, _)| k.to_string()));
}

/// A foreign engine that plays an illegal move in its first game, and then dies in each game.
#[cfg(unix)]
#[test]
fn foreign_engines_that_crash_or_play_illegally_spoil_a_game_and_no_more() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let (program, mark) = (dir.path().join("engine.sh"), dir.path().join("played"));
    let script = format!(
        "#!/bin/sh\nwhile read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
         quit) exit 0;; go*) if [ -e {mark} ]; then exit 1; fi; touch {mark}; echo bestmove a1a8;; \
         esac; done\n",
        mark = mark.display()
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let opponents = format!("uci:cmd={};zug:model=hand,depth=1,hash=1M", program.display());
    let mut order = order("knightcap1", &dir.path().join("run"), SMALL);
    order.options.retain(|(key, _)| key != "opponents" && key != "test-games");
    let testers = format!("random;uci:cmd={}", program.display());
    for (key, value) in [
        ("opponents", opponents.as_str()),
        ("matched", "no"),
        ("testers", testers.as_str()),
        ("test-games", "2"),
        ("tests-at", "6"),
    ] {
        order.options.retain(|(k, _)| k != key);
        order.options.push((key.to_string(), value.to_string()));
    }
    order.games = Some(6);
    let account = learn(&order, &Silent, &StopFlag::new()).unwrap();
    let variant = &account.figures["variants"]["knightcap1"];
    assert_eq!(variant["games"], 6);
    // Games 1, 2, 5 and 6 are against the broken one.
    assert_eq!(variant["not_learned"]["broken"], 4, "{variant}");
    assert_eq!(variant["broken"], 4);
    let whole: u64 = ["wins", "draws", "losses"].map(|k| variant[k].as_u64().unwrap()).iter().sum();
    assert_eq!(whole, 2, "{variant}");
    assert!(account.text.contains(", 4 broken)"), "{}", account.text);
    // Of the tests only the games against the sound player count, at both points of the curve.
    assert_eq!(variant["broken_test_games"], variant["curve"].as_array().unwrap().len() * 2);
    for point in variant["curve"].as_array().unwrap() {
        assert_eq!((&point["test_games"], &point["broken"]), (&2.into(), &2.into()), "{point}");
        assert!(point["scores"][1].is_null(), "{point}");
    }
    assert!(account.text.contains("test games broken and left out"), "{}", account.text);
    zug_learn::markup::check(&account.page).unwrap();
    assert!(account.page.contains("test games that were broken"));
    let text = std::fs::read_to_string(order.out.join("knightcap1-1/games.jsonl")).unwrap();
    assert!(text.contains("illegal move 'a1a8'"), "{text}");
    assert!(text.contains("crashed"), "{text}");
}

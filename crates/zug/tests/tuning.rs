//! Labelled positions of chess and what is learned from them, as a user would do it.

mod support;
#[path = "support/talk.rs"]
mod talk;

use talk::{Folder, complaint, json, zug};

const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n\n\
    [White \"B\"]\n\n1. e4 Ke7 2. d4 0-1\n\n[White \"C\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 0-1\n\n\
    [White \"D\"]\n[SetUp \"1\"]\n[FEN \"8/8/8 w - - 0 1\"]\n\n1. e4 1-0\n";

#[test]
fn games_against_oneself_become_examples_and_examples_a_model() {
    let folder = Folder::new();
    let (examples, model) = (folder.path("examples.zug"), folder.path("model.zug"));
    let words = [
        "data",
        "chess",
        "generate",
        "--games",
        "40",
        "--nodes",
        "30",
        "--model",
        "hand",
        "--shake",
        "30",
        "--most-plies",
        "60",
        "--out",
        &examples,
        "--json",
    ];
    let made = json(&zug(&words));
    assert_eq!(made["games"], 40);
    let count = made["examples"].as_u64().unwrap();
    assert!(count > 300, "{made:#}");
    let stats = json(&zug(&["data", "chess", "stats", &examples, "--json"]));
    assert_eq!((&stats["examples"], &stats["scored"]), (&count.into(), &count.into()));

    let fit = ["learn", "chess", "texel", "--data", &examples, "--out", &model, "--json"];
    let settings = ["--set", "steps=15", "--set", "target=mix:0.3"];
    let report = json(&zug(&[&fit[..], &settings].concat()));
    let figures = &report["figures"];
    let curve = figures["fit"]["curve"].as_array().unwrap();
    assert!(curve[0][0].as_f64() > curve.last().unwrap()[0].as_f64(), "{figures:#}");
    assert!(figures["compared"].as_array().unwrap().len() >= 3);
    let bytes = std::fs::read(&model).unwrap();
    let again = folder.path("again.zug");
    let fit = ["learn", "chess", "texel", "--data", &examples, "--out", &again, "--threads", "3"];
    zug(&[&fit[..], &settings].concat());
    assert_eq!(std::fs::read(&again).unwrap(), bytes, "the same, whatever the threads");
    assert!(figures["fit"]["held_out_loss"].as_f64().is_some_and(|loss| loss > 0.0));
    let none = ["--set", "held-out=none", "--json", "--force"];
    let report = json(&zug(&[&fit[..], &settings, &none].concat()));
    assert!(report["figures"]["fit"]["held_out_loss"].is_null(), "nothing was held out");

    let clusters = folder.path("clusters.zug");
    let words = ["learn", "chess", "clusters", "--data", &examples, "--out", &clusters, "--json"];
    let found = json(&zug(&[&words[..], &["--set", "k=3", "--set", "em-steps=5"]].concat()));
    assert_eq!(found["figures"]["clusters"].as_array().unwrap().len(), 3);
    let of_clusters = format!("clusters={clusters}");
    let words =
        ["learn", "chess", "texel", "--data", &examples, "--out", &again, "--force", "--set"];
    let more = [of_clusters.as_str(), "--set", "scheme=clusters", "--set", "steps=3"];
    assert!(zug(&[&words[..], &more].concat()).contains("A man is worth"));
}

#[test]
fn games_and_positions_of_others_become_examples_and_what_is_broken_is_told() {
    let folder = Folder::new();
    let (games, positions) = (folder.path("games.pgn"), folder.path("some.epd"));
    let out = folder.path("examples.zug");
    std::fs::write(&games, GAMES).unwrap();
    std::fs::write(&positions, "8/5k2/8/8/3K4/8/4P3/8 w - - c9 \"1-0\";\nrubbish\n").unwrap();
    let words = ["data", "chess", "label", &games, &positions, "--out", &out, "--skip", "2"];
    let made = json(&zug(&[&words[..], &["--json"]].concat()));
    assert_eq!((&made["read"], &made["broken"]), (&3.into(), &3.into()), "{made:#}");
    let reasons = made["reasons"].to_string();
    assert!(
        reasons.contains("games.pgn: game 2")
            && reasons.contains("games.pgn: game 4: ")
            && reasons.contains("some.epd: line 2")
    );
    let text = zug(&["data", "chess", "stats", &out]);
    assert!(text.contains("examples of 3 games"), "{text}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = Folder::new();
    let (games, out) = (folder.path("games.pgn"), folder.path("examples.zug"));
    std::fs::write(&games, GAMES).unwrap();
    zug(&["data", "chess", "label", &games, "--out", &out, "--skip", "2"]);
    let model = folder.path("model.zug");
    let fit = ["learn", "chess", "texel", "--data", &out, "--out", &model];
    for (words, word) in [
        (&["--set", "target=score"][..], "no scores"),
        (&["--set", "target=luck"][..], "mix:SHARE"),
        (&["--set", "scheme=weather"][..], "'weather'"),
        (&["--set", "speed=9"][..], "there is no option 'speed'"),
        (&["--set", "ridge=-1"][..], "from 0 to"),
        (&["--fold", "20"][..], "fold"),
    ] {
        let said = complaint(&[&fit[..], words].concat());
        assert!(said.contains(word), "{said}");
    }
    let generate = ["data", "chess", "generate", "--out", &model];
    for (word, value) in
        [("--depth", "5"), ("--exact-from", "40"), ("--hash", "8M"), ("--player", "fast")]
    {
        let said = complaint(&[&generate[..], &[word, value]].concat());
        assert!(said.contains(&format!("{word} is for Othello")), "{said}");
    }
    let label = ["data", "chess", "label", &games, "--out", &model];
    for words in [
        &["--exact-from", "40"][..],
        &["--search-depth", "3"],
        &["--unfinished", "skip"],
        &["--memory", "2G"],
        &["--hash", "8M"],
        &["--threads", "2"],
        &["--resume"],
    ] {
        let said = complaint(&[&label[..], words].concat());
        assert!(said.contains(&format!("{} is for Othello", words[0])), "{said}");
    }
    let bare = folder.path("bare.epd");
    std::fs::write(&bare, "4k3/ppp5/8/8/8/8/5PPP/4K1N1 w - - bm Nf3;\n").unwrap();
    for (words, word) in [
        (&["data", "chess", "generate", "--out", "games.txt"][..], ".zug"),
        (&["data", "chess", "generate", "--openings", "3", "--out", &model][..], "--random-plies"),
        (&["data", "othello", "generate", "--nodes", "5", "--out", "g.txt"][..], "chess"),
        (&["data", "chess", "label", &out, "--out", &model][..], ".pgn"),
        (&["learn", "chess", "texel", "--data", &games, "--out", &model][..], "no Zug file"),
        (&["learn", "chess", "texel", "--data", &bare, "--out", &model][..], "data chess label"),
        (&["data", "chess", "label", &bare, "--out", &model][..], "without a result: 1 of 1"),
    ] {
        let said = complaint(words);
        assert!(said.contains(word), "{said}");
    }
}

//! `zug eval chess`: what a model makes of a position, told factor by factor.

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::fs;
use std::path::Path;
use talk::{Folder, complaint, json, zug};
use zug_chess::model::{Model, Start};
use zug_chess::types::{Scheme, Zones};

fn model(folder: &Folder) -> String {
    let path = folder.path("model.zug");
    let model = Model::start(Scheme::Thesis(Zones::default()), Start::Thesis);
    model.write(Path::new(&path), &Model::header()).expect("written");
    path
}

#[test]
fn a_position_is_told_with_its_type_and_every_factor() {
    let folder = Folder::new();
    let model = model(&folder);
    let queenless = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
    let seen = json(&zug(&["eval", "chess", queenless, "--model", &model, "--json"]));
    assert_eq!(seen["type"]["text_number"], 23);
    assert_eq!(seen["type"]["code"], 22);
    assert_eq!(seen["scheme"], "thesis");
    assert_eq!(seen["shares"][0]["column"], 22);
    assert_eq!(seen["phase"], 20);
    let factors = seen["factors"].as_array().expect("a list");
    let queen = factors.iter().find(|f| f["name"] == "material/queen").expect("the queen");
    assert_eq!((queen["count"].as_i64(), queen["weight"].as_f64()), (Some(-1), Some(900.0)));
    let product =
        |f: &serde_json::Value| f["count"].as_i64().unwrap() * f["played"].as_i64().unwrap();
    let sum: i64 = factors.iter().map(product).sum();
    assert_eq!(seen["product_for_white"], sum);
    assert_eq!(seen["value"].as_f64(), Some((sum / 384) as f64));
    let told = zug(&["eval", "chess", queenless, "--model", &model]);
    assert!(told.contains("type 23 of the thesis") && told.contains("material/queen"), "{told}");
}

#[test]
fn decided_games_are_told_in_words_and_hundredths_without_decimals() {
    let mated = zug(&["eval", "chess", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"]);
    assert!(mated.contains("checkmate, White has won"), "{mated}");
    assert!(!mated.contains("100000") && !mated.contains("centipawns"), "{mated}");
    let before = zug(&["eval", "chess", "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", "--model", "hand"]);
    assert!(before.contains("g5g7 won") && !before.contains(".00"), "{before}");
    let stuck = json(&zug(&["eval", "chess", "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", "--json"]));
    assert_eq!(stuck["outcome"], "drawn, stalemate");
}

#[test]
fn an_empty_file_is_called_empty() {
    let folder = Folder::new();
    let empty = folder.path("empty.epd");
    fs::write(&empty, "").unwrap();
    assert!(complaint(&["eval", "chess", &empty]).contains("the file is empty"));
    #[cfg(unix)]
    assert!(complaint(&["eval", "chess", "/dev/null"]).contains("the file is empty"));
}

#[test]
fn first_weights_are_models_by_name() {
    for (name, scheme) in [("thesis", "thesis"), ("knightcap1", "knightcap"), ("zero", "one")] {
        let seen = json(&zug(&["eval", "chess", "start", "--model", name, "--json"]));
        assert_eq!(seen["scheme"], scheme);
        assert_eq!(seen["value"], 0.0);
    }
    let listed = zug(&["learn", "chess", "methods"]);
    for name in ["zero", "thesis", "knightcap1", "knightcap2"] {
        assert!(listed.contains(name), "{listed}");
    }
}

#[test]
fn the_hand_made_evaluation_and_files_of_positions_are_told_too() {
    let folder = Folder::new();
    let hand = json(&zug(&["eval", "chess", "start", "--model", "hand", "--json"]));
    assert_eq!(hand["type"]["text_number"], 23);
    let file = folder.path("positions.epd");
    fs::write(&file, "4k3/8/8/8/8/8/8/3QK3 w - - bm Qd7;\n4k3/8/8/8/8/8/8/3QK3 b - -\n").unwrap();
    let all = json(&zug(&["eval", "chess", &file, "--model", "hand", "--json"]));
    assert_eq!(all["positions"], 2);
    assert!(all["values"][0]["value"].as_f64() > Some(0.0));
    assert!(all["values"][1]["value"].as_f64() < Some(0.0));
}

#[test]
fn illegal_positions_and_foreign_models_are_refused_in_words() {
    let folder = Folder::new();
    for (position, word) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("4k3/8/8/8/8/8/8/4K2X w - - 0 1", "'X'"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "king left in check"),
    ] {
        let told = complaint(&["eval", "chess", position]);
        assert!(told.contains(word), "{told}");
    }
    let broken = folder.path("broken.zug");
    let mut bytes = fs::read(model(&folder)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&broken, bytes).unwrap();
    let told = complaint(&["eval", "chess", "start", "--model", &broken]);
    assert!(told.contains("broken.zug"), "{told}");
    assert!(complaint(&["eval", "chess", "start", "--model", "dreams"]).contains("'dreams'"));
}

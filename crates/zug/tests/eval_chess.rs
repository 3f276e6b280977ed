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
    let sum: f64 = factors.iter().map(|f| f["adds"].as_f64().expect("a number")).sum();
    assert!((sum - seen["sum_for_white"].as_f64().expect("a number")).abs() < 0.01);
    assert!((sum - seen["value"].as_f64().expect("a number")).abs() <= 1.0);
    let told = zug(&["eval", "chess", queenless, "--model", &model]);
    assert!(told.contains("type 23 of the thesis") && told.contains("material/queen"), "{told}");
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

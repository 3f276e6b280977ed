use super::*;
use crate::rules::Chess;
use crate::td::look;
use zug_core::player::choose_quietly;
use zug_core::{Limits, Line, Outcome, Side, Spec};
use zug_learn::markup;
use zug_learn::td::face::Look;

/// Lets a player learn from two short games, one won and one lost.
fn learned(folder: &Path) {
    let text = format!("zug:depth=1,hash=1M,td={}", folder.display());
    let entry = crate::open(&Spec::parse("chess").unwrap()).unwrap();
    let mut player = entry.player(&Spec::parse(&text).unwrap()).unwrap();
    for winner in [Side::First, Side::Second] {
        let mut game = Line::new(Chess::new());
        player.new_game(&game).unwrap();
        for _ in 0..3 {
            let choice = choose_quietly(&mut *player, &game, &Limits::default()).unwrap();
            game.play_text(&choice.mv).unwrap();
            let reply = game.legal_moves()[0];
            game.play(reply);
        }
        player.game_over(&game, Some(&Outcome::win(winner, "resignation")));
    }
}

#[test]
fn a_folder_tells_its_games_results_types_and_changes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("player");
    learned(&path);
    assert!(session::is_session(&path));
    let told = look::look(&path, &Look::default()).unwrap().unwrap();
    assert!(told.text.contains("learned from 2 games: 1 won, 0 drawn, 1 lost"), "{}", told.text);
    assert!(told.text.contains("positions in"), "{}", told.text);
    assert!(told.text.contains("differ from the beginning"), "{}", told.text);
    assert_eq!(told.figures["kept"], json!([0, 1, 2]));
    assert_eq!(told.figures["learned"], 2);
    let between = Look { games: vec![1, 2], ..Look::default() };
    let between = look::look(&path, &between).unwrap().unwrap();
    assert_eq!(between.figures["minus"], "after 1 game");
    let experiment = Look { experiment: Some("x".into()), ..Look::default() };
    let error = look::look(&path, &experiment).err().unwrap().to_string();
    assert!(error.contains("the folder of a player"), "{error}");
}

#[test]
fn the_page_of_a_folder_replays_its_games() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("player");
    learned(&path);
    let page = report(&path).unwrap().html();
    markup::check(&page).unwrap();
    assert!(page.contains("1 won, 0 drawn, 1 lost"));
    assert!(page.contains("The newest 2 of 2 games"));
    assert!(page.contains("game 2: lost as white"));
    assert!(page.contains("Positions of each type"));
    // A folder of an older program has no model of its beginning: the first log has it.
    let first = Folder::open(&path).unwrap().at(0).unwrap();
    std::fs::remove_file(path.join(FIRST)).unwrap();
    assert_eq!(Folder::open(&path).unwrap().at(0).unwrap(), first);
    assert_eq!(Folder::open(&path).unwrap().kept(), [0, 1, 2]);
    markup::check(&report(&path).unwrap().html()).unwrap();
}

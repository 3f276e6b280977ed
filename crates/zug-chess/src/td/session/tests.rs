//! Games that are followed, concluded and learned from.

use super::*;
use zug_core::player::choose_quietly;

fn player(folder: &Path) -> Box<dyn Player> {
    let text = format!("zug:depth=1,hash=1M,td={}", folder.display());
    let entry = crate::open(&Spec::parse("chess").unwrap()).unwrap();
    entry.player(&Spec::parse(&text).unwrap()).unwrap()
}

fn line(moves: &str) -> Line<Chess> {
    let mut line = Line::new(Chess::new());
    for mv in moves.split_whitespace() {
        line.play_text(mv).unwrap();
    }
    line
}

/// Lets the player answer `replies`; gives back the line.
fn play(player: &mut dyn Player, replies: usize) -> Line<Chess> {
    let mut game = line("");
    for _ in 0..replies {
        let choice = choose_quietly(player, &game, &Limits::default()).unwrap();
        game.play_text(&choice.mv).unwrap();
        let reply = game.legal_moves()[0];
        game.play(reply);
    }
    game
}

fn refusal(folder: &Path, more: &str) -> String {
    let text = format!("zug:depth=1,hash=1M{more},td={}", folder.display());
    let entry = crate::open(&Spec::parse("chess").unwrap()).unwrap();
    entry.player(&Spec::parse(&text).unwrap()).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn a_folder_belongs_to_one_player_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let first = player(dir.path());
    let told = refusal(dir.path(), "");
    assert!(told.contains("is locked by process"), "{told}");
    drop(first);
    player(dir.path());
}

#[test]
fn values_come_from_the_weights_of_the_folder_alone_while_it_learns() {
    let dir = tempfile::tempdir().unwrap();
    let mut player = player(dir.path());
    for (name, value) in [("Model", "hand"), ("endings", "on")] {
        let told = player.set_option(name, value).unwrap_err().to_string();
        assert!(told.contains("while the player learns"), "{told}");
    }
    player.set_option("model", "").unwrap();
    player.set_option("search", "modern").unwrap();
    let position = crate::fen::parse("8/8/3k4/8/8/2K5/8/5BN1 w - - 0 1").unwrap();
    let game = Line::from_position(Chess::new(), position);
    let choice = choose_quietly(&mut *player, &game, &Limits::default()).unwrap();
    assert!(choice.info.unwrap().score.unwrap() < zug_core::Score::estimate(1500));
}

#[test]
fn a_foreign_folder_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("letter.txt"), "Dear all").unwrap();
    let told = refusal(dir.path(), "");
    assert!(told.contains("letter.txt"), "{told}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_wrong_model_is_told_once() {
    let dir = tempfile::tempdir().unwrap();
    for more in [",model=no-such-model", ",model=hand"] {
        let told = refusal(&dir.path().join("t"), more);
        assert_eq!(told.matches("expected").count(), 1, "{told}");
        assert!(!told.contains("a folder to learn in"), "{told}");
    }
}

#[test]
fn a_game_that_does_not_begin_at_the_start_is_learned_from_only_if_asked_for() {
    for (choice, games) in [("yes", 0), ("no", 1)] {
        let dir = tempfile::tempdir().unwrap();
        let text = format!("from-start = {choice}\n");
        std::fs::write(dir.path().join(CHOICES), text).unwrap();
        let mut player = player(dir.path());
        let position = crate::fen::parse("4k3/ppp5/8/8/8/8/5PPP/4K1N1 w - - 0 1").unwrap();
        let mut game = Line::from_position(Chess::new(), position);
        for _ in 0..4 {
            let choice = choose_quietly(&mut *player, &game, &Limits::default()).unwrap();
            game.play_text(&choice.mv).unwrap();
            let reply = game.legal_moves()[0];
            game.play(reply);
        }
        player.game_over(&game, Some(&Outcome::win(Side::Second, "resignation")));
        assert_eq!(learned(dir.path()), games, "from-start = {choice}");
    }
    let usual = choices(Path::new("no-such-file")).unwrap();
    assert!(usual.from_start);
    assert_eq!((usual.teaching.rates.step, usual.teaching.rates.half), (0.1, 1000.0));
}

fn learned(folder: &Path) -> u64 {
    let path = folder.join(MODEL);
    let file = Container::open(&path, &Expect::model("chess")).unwrap();
    file.header().notes["learned"].parse().unwrap()
}

#[test]
fn a_told_loss_is_learned_from_before_the_next_game() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("t");
    let mut player = player(&folder);
    assert!(player.learns());
    let before = Model::open(&folder.join(MODEL)).unwrap();
    let game = play(&mut *player, 6);
    let lost = Outcome::win(Side::Second, "checkmate");
    player.game_over(&game, Some(&lost));
    assert_eq!(learned(&folder), 1);
    let after = Model::open(&folder.join(MODEL)).unwrap();
    assert_ne!(before, after);
    let log = Archive::open(&folder).unwrap();
    assert!(log.path(1).exists());
    let text = std::fs::read_to_string(log.path(1)).unwrap();
    let log = GameLog::read(&text, FACTORS).unwrap();
    assert_eq!((log.result, log.own, log.rates.len()), (Some(-1), Color::White, 33));
    assert_eq!(log.plies.len(), 12);
    // And the next game is played.
    let game = play(&mut *player, 2);
    assert_eq!(game.moves().len(), 4);
}

#[test]
fn broken_and_drawn_games_teach_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut player = player(dir.path());
    let game = play(&mut *player, 3);
    player.game_over(&game, None);
    let game = play(&mut *player, 3);
    player.game_over(&game, Some(&Outcome::draw("repetition")));
    assert_eq!(learned(dir.path()), 0);
    // A short game that another one follows, as a program without results does it.
    play(&mut *player, 3);
    play(&mut *player, 3);
    assert_eq!(learned(dir.path()), 0);
}

#[test]
fn a_game_that_another_process_left_is_concluded_when_a_new_one_begins() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = player(dir.path());
    play(&mut *first, 4);
    drop(first);
    // As if the last search had seen mate with the next move.
    let archive = Archive::open(dir.path()).unwrap();
    let mut log = archive.last(FACTORS).unwrap().unwrap();
    assert_eq!((log.plies.len(), log.result), (7, None));
    let last = log.plies.last_mut().unwrap();
    last.thought.as_mut().unwrap().score = zug_core::Score::lost_in(2).0;
    archive.write_last(&log).unwrap();
    let mut second = player(dir.path());
    second.new_game(&line("")).unwrap();
    assert_eq!(learned(dir.path()), 1);
    assert!(archive.last(FACTORS).unwrap().unwrap().plies.is_empty());
}

#[test]
fn a_log_of_another_model_is_set_aside_and_not_learned_from() {
    let dir = tempfile::tempdir().unwrap();
    let mut other = player(&dir.path().join("other"));
    play(&mut *other, 4);
    let folder = dir.path().join("own");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join(CHOICES), "types = knightcap\n").unwrap();
    drop(player(&folder));
    // As if its last search had seen mate with the next move, so that it would be learned from.
    let mut log = Archive::open(&dir.path().join("other")).unwrap().last(FACTORS).unwrap().unwrap();
    let mated = zug_core::Score::lost_in(2).0;
    log.plies.last_mut().unwrap().thought.as_mut().unwrap().score = mated;
    let archive = Archive::open(&folder).unwrap();
    let model = Model::open(&folder.join(MODEL)).unwrap();
    archive.write_last(&log).unwrap();
    let strange = std::fs::read(archive.last_path()).unwrap();
    let why = stranger(&log, &model, 0).unwrap();
    assert!(why.contains("33 types") && why.contains("has 4"), "{why}");
    let mut own = player(&folder);
    own.new_game(&line("")).unwrap();
    play(&mut *own, 2);
    drop(own);
    assert_eq!(learned(&folder), 0);
    assert_eq!(std::fs::read(folder.join("rllastgame-1.rl")).unwrap(), strange);
    // The same number of types, but one weight is another.
    let mut log = archive.last(FACTORS).unwrap().unwrap();
    assert_eq!(stranger(&log, &model, 0), None);
    assert!(stranger(&log, &model, 1).is_some());
    log.weights[7] += 1.0;
    assert!(stranger(&log, &model, 0).unwrap().contains("other weights"));
    // A log that was cut off is kept too, and the folder still is one to learn in.
    let whole = std::fs::read(archive.last_path()).unwrap();
    std::fs::write(archive.last_path(), &whole[..whole.len() / 2]).unwrap();
    let mut own = player(&folder);
    play(&mut *own, 2);
    assert_eq!(std::fs::read(folder.join("rllastgame-2.rl")).unwrap(), whole[..whole.len() / 2]);
    assert_eq!(std::fs::read(folder.join("rllastgame-1.rl")).unwrap(), strange);
    drop(own);
    player(&folder);
}

#[test]
fn choices_of_a_folder_are_read_and_wrong_ones_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(CHOICES), "# mine\ntypes = knightcap\nstep = 1.5\n").unwrap();
    let settings = choices(&dir.path().join(CHOICES)).unwrap();
    assert_eq!(settings.teaching.rates.step, 1.5);
    player(dir.path());
    let model = Model::open(&dir.path().join(MODEL)).unwrap();
    assert_eq!(model.scheme, Scheme::KnightCap);
    std::fs::write(dir.path().join(CHOICES), "lambda = 3\n").unwrap();
    let why = choices(&dir.path().join(CHOICES)).unwrap_err();
    assert!(why.contains("learner.txt: line 1") && why.contains("lambda"), "{why}");
}

//! Where the corpus begins: positions and games that the games play by themselves, written by the
//! writers of each format.

use super::{
    books, chess, chess_files, games, go, go_playouts, go_questions, othello, record_index, texel,
};
use zug_core::seed::RngExt;
use zug_core::{AnyGame, AnyLine, Record, RecordFormat, rng};

/// A random game of at most so many moves.
fn play(game: &dyn AnyGame, seed: u64, most: usize) -> Box<dyn AnyLine> {
    let mut line = game.new_line();
    let mut rng = rng(seed, 0);
    for _ in 0..most {
        let moves = line.legal_moves();
        if moves.is_empty() {
            break;
        }
        line.play(&moves[rng.random_range(0..moves.len())]).expect("a legal move");
    }
    line
}

/// A position and the moves that follow it, as the position targets read them.
fn position_and_moves(game: &dyn AnyGame, seed: u64, plies: usize, most: usize) -> String {
    let line = play(game, seed, plies + most);
    let plies = plies.min(line.ply());
    let mut start = line.boxed_clone();
    while start.ply() > plies {
        start.undo();
    }
    let position = if plies == 0 { String::new() } else { start.position_text() };
    let moves = line.moves();
    format!("{position}\n{}\n", moves[plies..].join("\n"))
}

fn records(format: &dyn RecordFormat, game: &dyn AnyGame, seeds: &[u64], most: usize) -> Vec<u8> {
    let records: Vec<Record> = seeds
        .iter()
        .map(|&seed| {
            let mut record = Record::of_line(&*play(game, seed, most));
            record.set_tag("White", "Ann");
            record.set_tag("Black", format!("Bob {seed}"));
            record.set_tag("Event", "Self-played");
            if let Some(mv) = record.moves.get_mut(1) {
                mv.comment = Some("a remark".into());
            }
            record
        })
        .collect();
    format.write(&records).expect("a format can hold its own game")
}

/// Files of the corpus: target, name, bytes. Others are written by hand.
#[must_use]
pub fn seeds() -> Vec<(&'static str, String, Vec<u8>)> {
    let mut seeds = books::seeds();
    seeds.extend(chess_files::seeds());
    seeds.extend(go_questions::seeds());
    seeds.extend(record_index::seeds());
    seeds.push(("chess-examples", "self-0".into(), texel::seed()));
    seeds.push(("go-playouts", "self-0".into(), go_playouts::seed()));
    let small: Vec<(&'static str, _)> = [
        ("dodgem", "dodgem:4x4"),
        ("kinarow", "kinarow:4x4,k=3,lose"),
        ("connect4", "connect4"),
        ("morris", "morris"),
        ("nim", "nim:3-4-5"),
    ]
    .map(|(target, spec)| (target, games::open(spec)))
    .into();
    let mut of_game = |target: &'static str, game: &dyn AnyGame| {
        for (number, (plies, most)) in [(0, 30), (6, 8), (25, 20), (60, 60)].into_iter().enumerate()
        {
            let text = position_and_moves(game, number as u64, plies, most);
            seeds.push((target, format!("self-{number}"), text.into_bytes()));
        }
    };
    of_game("othello", &*othello::OTHELLO);
    of_game("chess", &*chess::CHESS);
    of_game("go", &*go::NINE);
    small.iter().for_each(|(target, entry)| of_game(target, &*entry.game));

    for seed in 0..3 {
        let position = play(&*chess::CHESS, seed, 30 * seed as usize).position_text();
        seeds.push(("fen", format!("self-{seed}"), position.into_bytes()));
    }
    let game = *othello::OTHELLO;
    let ggf = zug_othello::records::ggf::Ggf { game };
    let transcripts = zug_othello::records::transcript::Transcripts { game };
    let formats: [(&'static str, &dyn RecordFormat, &dyn AnyGame); 6] = [
        ("pgn", &zug_chess::pgn::Pgn, &*chess::CHESS),
        ("sgf", &zug_go::sgf::Sgf, &*go::NINE),
        ("sgf-tree", &zug_go::sgf::Sgf, &*go::NINE),
        ("ggf", &ggf, &game),
        ("transcript", &transcripts, &game),
        ("wthor", &zug_othello::records::wthor::Wthor, &game),
    ];
    for (target, format, game) in formats {
        seeds.push((target, "self-0".into(), records(format, game, &[1], 200)));
        seeds.push((target, "self-1".into(), records(format, game, &[2, 3], 200)));
    }
    seeds
}

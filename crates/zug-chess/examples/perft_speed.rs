//! How fast are moves counted, beside the plainest use of the crate the board comes from?
//! `cargo run --release -p zug-chess --example perft_speed`

use std::time::Instant;
use zug_chess::{Board, Chess, fen};
use zug_core::Game;

/// Bulk counting as that crate's own example program does it.
fn plain(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 0 {
        return 1;
    }
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut board = board.clone();
                board.play_unchecked(mv);
                nodes += plain(&board, depth - 1);
            }
        }
        false
    });
    nodes
}

fn main() {
    let chess = Chess::new();
    for (text, depth) in [
        (fen::START, 5),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ] {
        let position = fen::parse(text).expect("a position");
        let (mut ours, mut theirs, mut nodes) = (f64::MAX, f64::MAX, 0);
        // The best of several rounds, in turns: other programs disturb both alike.
        for _ in 0..5 {
            let begin = Instant::now();
            nodes = chess.perft(&position, depth);
            ours = ours.min(begin.elapsed().as_secs_f64());
            let begin = Instant::now();
            assert_eq!(plain(position.board(), depth), nodes);
            theirs = theirs.min(begin.elapsed().as_secs_f64());
        }
        let speed = |seconds: f64| nodes as f64 / seconds / 1e6;
        println!(
            "{text} depth {depth}: {nodes} nodes, {:.0} M/s, plain {:.0} M/s, ratio {:.2}",
            speed(ours),
            speed(theirs),
            theirs / ours
        );
    }
}

//! Self-checks of chess for `zug games check`, beside those that every game has.

use crate::pgn::Pgn;
use crate::position::Position;
use crate::rules::Chess;
use crate::{fen, perft, san};
use zug_core::entry::Check;
use zug_core::seed::RngExt;
use zug_core::{Game, Line, Record, RecordFormat, rng};

/// Published counts that exercise castling, pins, promotions and *en passant*.
const COUNTS: [(&str, u32, u64); 5] = [
    (fen::START, 4, 197_281),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3, 12_189),
];

/// Counts are as published, and agree with the moves of this game.
pub fn perft(game: &Chess) -> Check {
    let game = game.clone();
    let run = move |_seed| {
        for (text, depth, expected) in COUNTS {
            let position = fen::parse(text).map_err(|e| e.to_string())?;
            let counted = perft::count(position.board(), depth);
            if counted != expected {
                return Err(format!("depth {depth} of {text}: {counted}, published {expected}"));
            }
        }
        let start = game.start();
        let mut moves = Vec::new();
        game.moves(&start, &mut moves);
        let counted = game.perft(&start, 1);
        if game.outcome(&start).is_none() && counted != moves.len() as u64 {
            return Err(format!("{counted} counted, {} moves", moves.len()));
        }
        Ok(format!("{} published counts", COUNTS.len()))
    };
    Check { name: "perft", run: Box::new(run) }
}

/// SAN tells moves apart and reads back; PGN keeps games.
pub fn text(game: &Chess) -> Check {
    let game = game.clone();
    Check { name: "SAN and PGN", run: Box::new(move |seed| check_text(&game, seed)) }
}

fn check_text(game: &Chess, seed: u64) -> Result<String, String> {
    let (mut moves_seen, mut records) = (0, Vec::new());
    for stream in 0..20 {
        let mut rng = rng(seed, stream);
        let mut line = Line::new(game.clone());
        for _ in 0..200 {
            let moves = line.legal_moves();
            if moves.is_empty() {
                break;
            }
            moves_seen += san_is_sound(line.position(), &moves)?;
            line.play(moves[rng.random_range(0..moves.len())]);
        }
        records.push(Record::of_line(&line));
    }
    let written = Pgn.write(&records).map_err(|e| e.to_string())?;
    let read = Pgn.read(&written);
    if read.len() != records.len() {
        return Err(format!("{} games written, {} read", records.len(), read.len()));
    }
    for (record, read) in records.iter().zip(read) {
        let again = PgnMoves::of(&read.map_err(|e| e.to_string())?)?;
        if again != PgnMoves::of(record)? {
            return Err(format!("a game changed: {:?}", record.moves));
        }
    }
    Ok(format!("{moves_seen} moves, {} games", records.len()))
}

/// What PGN must keep, whatever the castling notation.
#[derive(PartialEq)]
struct PgnMoves(Vec<Position>, zug_core::RecordResult);

impl PgnMoves {
    fn of(record: &Record) -> Result<PgnMoves, String> {
        let game = crate::pgn::PgnGame::from_record(record, 1).map_err(|e| e.to_string())?;
        Ok(PgnMoves(game.positions().collect(), game.result))
    }
}

fn san_is_sound(position: &Position, moves: &[cozy_chess::Move]) -> Result<usize, String> {
    for &mv in moves {
        let text = san::write(position, mv);
        let read = san::parse(position, &text).map_err(|e| format!("{e} in {position:?}"))?;
        if read != mv {
            return Err(format!("{text} is read as {read} in {position:?}"));
        }
    }
    Ok(moves.len())
}

#[cfg(test)]
mod tests {
    use zug_core::Spec;

    #[test]
    fn every_self_check_passes() {
        for spec in
            ["chess", "chess:960=17", "chess:start=8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]
        {
            let entry = crate::open(&Spec::parse(spec).unwrap()).unwrap();
            for check in &entry.checks {
                let found = (check.run)(7);
                assert!(found.is_ok(), "{spec}, {}: {found:?}", check.name);
            }
        }
    }
}

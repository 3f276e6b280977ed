//! Everything that is written reads back the same, on positions of random play.

use proptest::prelude::*;
use zug_chess::pgn::{PgnGame, PgnMove, Reader, Variation};
use zug_chess::{Chess, Move, Pgn, Position, epd, eval, fen, san, uci};
use zug_core::seed::RngExt;
use zug_core::study::Bounds;
use zug_core::{Game, Line, Mark, Record, RecordFormat, RecordResult, Rng, Side, Study, rng};

/// A game of random moves; from the usual start, or from one of Chess960.
fn random_line(seed: u64, plies: usize) -> Line<Chess> {
    let mut rng = rng(seed, 0);
    let number = rng.random_range(0..1_920);
    let chess = Chess::chess960(number).unwrap_or_default();
    let mut line = Line::new(chess);
    for _ in 0..plies {
        let moves = line.legal_moves();
        if moves.is_empty() {
            break;
        }
        line.play(moves[rng.random_range(0..moves.len())]);
    }
    line
}

fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.board().generate_moves(|m| {
        moves.extend(m);
        false
    });
    moves
}

/// A tree of random moves with remarks.
fn random_variation(position: &Position, rng: &mut Rng, length: usize, depth: u32) -> Variation {
    const REMARKS: [&str; 8] = [
        "good",
        "[%clk 0:01:30] [%eval -0.4]",
        "a } brace",
        "% odd",
        "Ünïcode ½",
        "; semicolon (",
        "[%csl Gd4,Re5] [%cal Ge2e4] [%lbl d4=%2C]",
        "not closed [%nag 3",
    ];
    let remarks = |rng: &mut Rng| {
        let n = if rng.random_range(0..4) == 0 { rng.random_range(0..3) } else { 0 };
        (0..n).map(|_| REMARKS[rng.random_range(0..REMARKS.len())].to_string()).collect()
    };
    let mut position = position.clone();
    let mut variation = Variation { comments: remarks(rng), moves: Vec::new() };
    for _ in 0..length {
        let moves = legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        let mut mv = PgnMove::new(moves[rng.random_range(0..moves.len())]);
        mv.comments = remarks(rng);
        if rng.random_range(0..5) == 0 {
            mv.nags.extend((0..rng.random_range(1..4)).map(|_| rng.random_range(0..=40u8)));
        }
        if depth > 0 && rng.random_range(0..4) == 0 {
            let inner = random_variation(&position, rng, length / 2 + 1, depth - 1);
            mv.variations.push(inner);
        }
        position.play(mv.mv);
        variation.moves.push(mv);
    }
    variation
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn positions_survive_fen_and_epd(seed: u64, plies in 0usize..250) {
        let line = random_line(seed, plies);
        for position in line.positions() {
            let text = fen::write(position);
            let read = fen::parse(&text).unwrap();
            prop_assert_eq!(&read, position);
            prop_assert_eq!(read.key(), position.key());
            let test = epd::Epd { position: position.clone(), operations: Vec::new() };
            prop_assert_eq!(&epd::parse(&test.to_string()).unwrap().position, position);
        }
    }

    #[test]
    fn moves_survive_san_and_uci_and_are_told_apart(seed: u64, plies in 0usize..200) {
        let line = random_line(seed, plies);
        let position = line.position();
        let moves = legal_moves(position);
        for write in [
            |p: &Position, mv| san::write(p, mv),
            |p: &Position, mv| uci::write(p, mv, false),
            |p: &Position, mv| uci::write(p, mv, true),
        ] {
            let mut texts: Vec<String> = moves.iter().map(|&mv| write(position, mv)).collect();
            for (text, &mv) in texts.iter().zip(&moves) {
                let drawn = line.game().outcome(position).is_some();
                let read = if drawn {
                    san::parse(position, text).or_else(|_| uci::parse(position, text))
                } else {
                    line.game().read_move(position, text)
                };
                prop_assert_eq!(read, Ok(mv), "{} in {:?}", text, position);
            }
            texts.sort();
            texts.dedup();
            prop_assert_eq!(texts.len(), moves.len());
        }
    }

    #[test]
    fn records_survive_pgn(seed: u64, plies in 0usize..250) {
        let line = random_line(seed, plies);
        let mut record = Record::of_line(&line);
        record.set_tag("White", "A \"quoted\" \\ name");
        record.set_tag("Opening", "Rösselsprung");
        if let Some(mv) = record.moves.first_mut() {
            mv.comment = Some("[%clk 0:01:00] first".into());
        }
        let text = Pgn.write(&[record.clone(), record.clone()]).unwrap();
        let read = Pgn.read(&text);
        prop_assert_eq!(read.len(), 2);
        for read in read {
            let read = read.unwrap();
            prop_assert_eq!(&read.tags, &record.tags);
            prop_assert_eq!(read.result, record.result);
            prop_assert_eq!(read.moves.len(), record.moves.len());
            if let (Some(a), Some(b)) = (read.moves.first(), record.moves.first()) {
                prop_assert_eq!(&a.comment, &b.comment);
            }
            let replayed = read.replay(&Chess::new()).map_err(|(ply, e)| TestCaseError::fail(
                format!("ply {ply}: {e}")))?;
            prop_assert_eq!(replayed.position_text(), fen::write(line.position()));
        }
    }

    #[test]
    fn trees_survive_pgn(seed: u64, length in 0usize..30) {
        let mut rng = rng(seed, 1);
        let start = random_line(seed, 20).position().clone();
        let main = random_variation(&start, &mut rng, length, 3);
        let result = [
            RecordResult::Unknown,
            RecordResult::Known { winner: None, margin: None },
            RecordResult::Known { winner: Some(Side::First), margin: None },
            RecordResult::Known { winner: Some(Side::Second), margin: None },
        ][rng.random_range(0..4)];
        let tags = [("Event", "x"), ("Site", "?"), ("Date", "2001.02.03"), ("Round", "?"),
            ("White", "]\"["), ("Black", "\\"), ("Extra", "")];
        let tags = tags.map(|(k, v)| (k.to_string(), v.to_string())).to_vec();
        let game = PgnGame { tags, start, main, result };
        let text = game.to_string();
        let bytes = text.as_bytes();
        prop_assert!(text.lines().all(|l| l.chars().count() < 80 || l.contains([';', '"', '%'])));
        let read: Vec<PgnGame> = Reader::new(bytes).collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(read, vec![game]);
    }

    #[test]
    fn studies_survive_pgn(seed: u64, length in 0usize..30) {
        let mut rng = rng(seed, 2);
        let start = random_line(seed, 20).position().clone();
        let main = random_variation(&start, &mut rng, length, 3);
        let study = PgnGame { start, main, ..PgnGame::new() }.to_study();
        let written = Pgn.write_studies(std::slice::from_ref(&study)).unwrap();
        let mut read = Vec::new();
        Pgn.read_studies(&written, Bounds::NONE, &mut |study| {
            read.push(study.unwrap());
            true
        });
        // Variations of variations may come in another order, and so may the numbers of their nodes.
        let said = |study: &Study| {
            let mut all: Vec<_> = study
                .nodes()
                .iter()
                .map(|n| (n.text.clone(), n.comment.clone(), n.mark.map(Mark::sign)))
                .collect();
            all.sort();
            all
        };
        prop_assert_eq!(said(&read[0]), said(&study), "{}", String::from_utf8_lossy(&written));
    }

    #[test]
    fn the_evaluation_does_not_know_colours(seed: u64, plies in 0usize..200) {
        let line = random_line(seed, plies);
        let position = line.position();
        prop_assert_eq!(eval::evaluate(position), eval::evaluate(&mirrored(position)));
    }

    #[test]
    fn garbage_is_refused_without_a_panic(text in "[ -~\n]{0,200}", plies in 0usize..60) {
        let position = random_line(7, plies).position().clone();
        let _ = fen::parse(&text);
        let _ = epd::parse(&text);
        let _ = san::parse(&position, &text);
        let _ = uci::parse(&position, &text);
        for game in Reader::new(text.as_bytes()) {
            let _ = game;
        }
    }

    #[test]
    fn damaged_text_is_refused_or_read_without_a_panic(
        seed: u64,
        plies in 0usize..100,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let line = random_line(seed, plies);
        let mut pgn = Pgn.write(&[Record::of_line(&line)]).unwrap();
        let mut text = fen::write(line.position()).into_bytes();
        for (index, byte) in damage {
            let i = index.index(pgn.len());
            pgn[i] = byte;
            let i = index.index(text.len());
            text[i] = byte;
        }
        let _ = Pgn.read(&pgn);
        if let Ok(position) = fen::parse(&String::from_utf8_lossy(&text)) {
            // What is accepted can be played on and written.
            let again = fen::parse(&fen::write(&position)).unwrap();
            prop_assert_eq!(&again, &position);
            for mv in legal_moves(&position) {
                let mut next = position.clone();
                next.play(mv);
                prop_assert_eq!(san::parse(&position, &san::write(&position, mv)), Ok(mv));
                let _ = eval::evaluate(&next);
            }
        }
    }
}

/// The position with rows turned over and colours exchanged.
fn mirrored(position: &Position) -> Position {
    let text = fen::write(position);
    let mut fields: Vec<String> = text.split(' ').map(String::from).collect();
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    let rows: Vec<String> = fields[0].rsplit('/').map(|r| r.chars().map(swap).collect()).collect();
    fields[0] = rows.join("/");
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.into();
    if fields[2] != "-" {
        fields[2] = fields[2].chars().map(swap).collect();
    }
    fields[3] = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    fen::parse(&fields.join(" ")).unwrap()
}

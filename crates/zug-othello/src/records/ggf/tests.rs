use super::super::testing::random_record;
use super::*;
use proptest::prelude::*;
use zug_core::RecordResult;

const START: &str =
    "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";

fn read(text: &str) -> Vec<Result<Record, RecordError>> {
    Ggf::default().read(text.as_bytes())
}

fn texts(record: &Record) -> Vec<&str> {
    record.moves.iter().map(|m| m.text.as_str()).collect()
}

#[test]
fn a_game_of_the_server_is_read_with_all_it_says() {
    let text = format!(
        "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[ada]PW[grace]RB[2197.01]\n\
         TI[05:00//02:00]TY[8]RE[-12.000:r]{START}\nB[d3//0.01]W[c5/-1.50]B[e6/+2.00/3.5];)\n"
    );
    let games = read(&text);
    let record = games[0].as_ref().unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(record.tag("Site"), Some("GGS/os"));
    assert_eq!(
        (record.tag("Date"), record.tag("Time")),
        (Some("2003.12.15"), Some("13:24:03.MST"))
    );
    assert_eq!((record.tag("Black"), record.tag("White")), (Some("ada"), Some("grace")));
    assert_eq!(record.tag("BlackElo"), Some("2197.01"));
    assert_eq!(record.tag("Termination"), Some("resigned"));
    assert_eq!(record.tag("Pair"), None);
    let result = RecordResult::Known { winner: Some(Side::Second), margin: Some(12.0) };
    assert_eq!((record.result, &record.start), (result, &None));
    assert_eq!(texts(record), ["d3", "c5", "e6"]);
    let comments: Vec<Option<&str>> = record.moves.iter().map(|m| m.comment.as_deref()).collect();
    assert_eq!(comments, [Some("time 0.01"), Some("eval -1.50"), Some("eval +2.00, time 3.5")]);
}

#[test]
fn pairs_of_games_are_read_and_written_on_one_line() {
    let text = format!("2 (;GM[Othello]{START}B[f5];)(;GM[othello]{START}B[d3];)\n(;GM[Othello];)");
    let games: Vec<Record> = read(&text).into_iter().map(|r| r.unwrap()).collect();
    let pairs: Vec<Option<&str>> = games.iter().map(|r| r.tag("Pair")).collect();
    assert_eq!(pairs, [Some("1/2"), Some("2/2"), None]);
    let written = String::from_utf8(Ggf::default().write(&games).unwrap()).unwrap();
    assert_eq!(written.lines().count(), 2);
    assert!(written.starts_with("2 (;GM[Othello]"));
    assert_eq!(read(&written).into_iter().map(|r| r.unwrap()).collect::<Vec<_>>(), games);
}

#[test]
fn other_start_positions_and_boards_are_read() {
    let board = "BO[8 --*O-----------------------O*------*O--------------------------- O]";
    let record = read(&format!("(;GM[Othello]{board}W[b1];)")).pop().unwrap().unwrap();
    assert!(record.start.unwrap().starts_with("--XO"));
    let small = Othello::with_size(4).unwrap();
    let text = "(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]B[a2];)";
    let record = Ggf { game: small }.read(text.as_bytes()).pop().unwrap().unwrap();
    assert_eq!((record.game.as_str(), record.start), ("othello:4x4", None));
    assert!(matches!(read(text)[0], Err(RecordError::Unsupported(_))));
}

#[test]
fn passes_may_be_written_or_left_out() {
    let small = Ggf { game: Othello::with_size(4).unwrap() };
    // Black has no move.
    let board = "(;GM[Othello]BO[4 O*-- ---- ---- ---- *]";
    for moves in ["W[c1]", "B[PA]W[c1]", "B[pass]W[C1]B[pa]W[pass]"] {
        let text = format!("{board}{moves};)");
        let record = small.read(text.as_bytes()).pop().unwrap().unwrap();
        assert_eq!(texts(&record), ["pass", "c1"], "{moves}");
    }
    assert!(read(&format!("(;GM[Othello]{START}B[PA];)"))[0].is_err(), "black can move");
}

#[test]
fn broken_games_are_reported_in_their_place_and_the_others_are_read() {
    let good = format!("(;GM[Othello]{START}B[f5];)");
    for (bad, line, words) in [
        (format!("(;GM[Othello]{START}B[f5]"), 3, "the next game"),
        (format!("(;GM[Othello]PB[ada{START}B[f5"), 3, "the next game"),
        (format!("(;GM[Othello]\n{START}B f5;)"), 3, "'B f5'"),
        (format!("(;GM[Othello]{START}B[f5]B[d6];)"), 2, "of white"),
        (format!("(;GM[Othello]{START}B[a1];)"), 2, "'a1'"),
        ("(;GM[Othello]BO[8 ---- *];)".to_string(), 2, "64 squares"),
    ] {
        let games = read(&format!("{good}\n{bad}\n{good}\n"));
        assert_eq!(games.len(), 3, "{bad}: {games:?}");
        assert!(games[0].is_ok() && games[2].is_ok(), "{bad}: {games:?}");
        let message = games[1].as_ref().unwrap_err().to_string();
        assert!(message.contains(&format!("line {line}")), "{bad}: {message}");
        assert!(message.contains(words), "{bad}: {message}");
    }
    for bad in ["(;GM[Go];)", "(;GM[Othello]TY[8a];)", "(;GM[Othello]BO[10 *];)"] {
        let games = read(&format!("{bad}{good}"));
        assert!(matches!(games[0], Err(RecordError::Unsupported(_))), "{bad}");
        assert!(games[1].is_ok());
    }
}

#[test]
fn a_file_without_games_is_no_silent_success() {
    assert!(read(" \n").is_empty());
    assert!(matches!(&read("hello")[..], [Err(RecordError::Text(_))]));
    assert!(matches!(&read("(;GM[Othello]")[..], [Err(RecordError::Text(_))]));
}

#[test]
fn endless_games_do_not_fill_the_memory() {
    let long = format!("(;GM[Othello]CO[{}];)", "x".repeat(200_000));
    let games = read(&format!("{long}(;GM[Othello];)"));
    assert_eq!(games.len(), 2);
    assert!(games[0].is_err() && games[1].is_ok());
    let many: String = (0..100).map(|i| format!("A{}[1]", "B".repeat(i))).collect();
    assert!(read(&format!("(;GM[Othello]{many};)"))[0].is_err());
}

#[test]
fn latin_1_and_utf_8_names_are_read() {
    let latin = b"(;GM[Othello]PB[Andr\xE9];)";
    for bytes in [&latin[..], "(;GM[Othello]PB[André];)".as_bytes()] {
        let record = Ggf::default().read(bytes).pop().unwrap().unwrap();
        assert_eq!(record.tag("Black"), Some("André"));
    }
}

proptest! {
    #[test]
    fn games_survive_being_written_and_read(
        seed: u64, plies in 0usize..80, names in "[a-zA-Zé-ÿ一-三/(;][a-zA-Zé-ÿ一-三 /(;]{0,12}x",
        size in prop_oneof![Just(4u8), Just(6), Just(8)],
        resigned: bool, eval: Option<i16>,
    ) {
        let game = Othello::with_size(size).unwrap();
        let mut record = random_record(&game, seed, plies);
        record.set_tag("Site", names.clone());
        record.set_tag("Date", "2003.12.15");
        record.set_tag("Time", "13:24");
        record.set_tag("Black", names.clone());
        record.set_tag("White", "w");
        record.set_tag("Variant", format!("{size}k"));
        record.set_tag("KM", "3");
        if resigned {
            record.set_tag("Termination", "resigned");
            record.result = RecordResult::Known { winner: Some(Side::First), margin: Some(8.0) };
        }
        if let (Some(eval), Some(mv)) = (eval, record.moves.last_mut()) {
            mv.comment = Some(format!("eval {eval}, time 1.5"));
        }
        let format = Ggf { game };
        let written = format.write(std::slice::from_ref(&record)).unwrap();
        let again = format.read(&written).pop().unwrap().unwrap();
        let sorted = |r: &Record| {
            let mut r = r.clone();
            r.tags.sort();
            r
        };
        prop_assert_eq!(sorted(&again), sorted(&record));
    }

    #[test]
    fn reading_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Ggf::default().read(&bytes);
    }

    #[test]
    fn reading_nearly_right_text_never_panics(text in r"(\(;|;\)|\[|\]|GM|BO|B|8 |[a-h][1-8]|/|2 |\n|é){0,60}") {
        let _ = read(&text);
    }
}

//! The properties that targets have in common.

use zug_core::study::Bounds;
use zug_core::study::{Step, Study};
use zug_core::{AnyGame, AnyLine, Record, RecordError, RecordFormat, RecordResult, Side};

/// Text input; what is no UTF-8 is replaced, as it is at the border.
pub fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}

/// Plays at most this many moves of an input: games are judged by their whole history, and a
/// target must not spend its time there.
const MOST_MOVES: usize = 200;

/// The first line is a position (empty: the start), each other one a move.
///
/// A position that is read, written and read is the same position; a move that is read is legal,
/// and its own way of writing it reads as the same move; what is taken back is gone.
pub fn position_and_moves(game: &dyn AnyGame, input: &[u8]) {
    let text = text(input);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or("");
    let mut line = match first {
        "" => game.new_line(),
        position => match game.line_from(position) {
            Ok(line) => {
                position_survives(game, &*line);
                line
            }
            Err(error) => {
                error_is_short(&error.to_string());
                return;
            }
        },
    };
    for text in lines.take(MOST_MOVES) {
        let before = line.position_text();
        match line.play(text) {
            Ok(written) => {
                let after = line.position_text();
                assert!(line.undo(), "a move that was played can be taken back");
                assert_eq!(line.position_text(), before, "taking back '{text}'");
                assert!(
                    line.legal_moves().contains(&written),
                    "'{text}' was read as '{written}', which is not legal in {before}"
                );
                assert_eq!(line.play(&written).as_ref(), Ok(&written));
                assert_eq!(line.position_text(), after, "'{text}' is '{written}'");
            }
            Err(error) => error_is_short(&error.to_string()),
        }
    }
    position_survives(game, &*line);
    let _ = line.picture();
    let _ = line.outcome();
}

fn position_survives(game: &dyn AnyGame, line: &dyn AnyLine) {
    let written = line.position_text();
    match game.line_from(&written) {
        Ok(again) => {
            assert_eq!(again.position_text(), written);
            assert_eq!(again.key(), line.key(), "the key of {written}");
        }
        Err(error) => panic!("'{written}' was written and is not read: {error}"),
    }
}

/// A message must not carry the whole input.
pub fn error_is_short(message: &str) {
    assert!(message.len() < 2000, "an error of {} bytes", message.len());
}

/// Every record that is read can be written and reads back as the same game; or the format says
/// why not. What formats hold in other ways (names with control characters, half hundredths of a
/// point, remarks) may change at first, and comes to rest.
pub fn record_format(format: &dyn RecordFormat, input: &[u8]) {
    let mut records = format.read(input);
    other_ways(format, input, &records);
    studies(format, input);
    let names = vec![input.to_vec(); format.name_files().len()];
    for record in records.iter_mut().flatten() {
        let _ = format.put_names(std::slice::from_mut(record), &names);
    }
    for record in records {
        let again = record.and_then(|record| {
            let (written, again) = write_and_read(format, &record)?;
            assert_eq!(texts(&again), texts(&record), "{written}");
            assert_eq!(again.start, record.start, "{written}");
            assert_eq!(winner(&again), winner(&record), "{written}");
            Ok(again)
        });
        match again {
            Ok(again) => comes_to_rest(format, again),
            Err(error) => error_is_short(&error.to_string()),
        }
    }
}

/// Every tree of moves that is read can be written and reads back as the same tree; or the format says why
/// not.
fn studies(format: &dyn RecordFormat, input: &[u8]) {
    let read = |bytes: &[u8]| {
        let mut all = Vec::new();
        format.read_studies(bytes, Bounds::NONE, &mut |study| {
            all.push(study);
            true
        });
        all
    };
    for study in read(input) {
        let study = match study {
            Ok(study) => study,
            Err(error) => {
                error_is_short(&error.to_string());
                continue;
            }
        };
        assert!(format.holds_variations() || !study.has_variations());
        match format.write_studies(std::slice::from_ref(&study)) {
            Ok(written) => {
                let again: Vec<String> = read(&written).iter().flatten().map(shape).collect();
                let text = String::from_utf8_lossy(&written);
                assert_eq!(again, [shape(&study)], "{text}");
            }
            Err(error) => error_is_short(&error.to_string()),
        }
    }
}

/// The moves of a tree in the order in which they are written, with brackets around variations.
fn shape(study: &Study) -> String {
    let mut shape = String::new();
    let _ = study.walk(|step| {
        match step {
            Step::Move(_, node) => {
                shape.push_str(&node.text);
                shape.push(' ');
            }
            Step::Open(_) => shape.push('('),
            Step::Close => shape.push(')'),
        }
        Ok::<(), ()>(())
    });
    shape
}

/// Reading one by one finds the same games, and so does reading a file that was written again with
/// all that it holds. (That looks into variations too, so it may find fewer games sound.)
fn other_ways(format: &dyn RecordFormat, input: &[u8], read: &[Result<Record, RecordError>]) {
    let mut one_by_one = Vec::new();
    format.for_each(input, &mut |record| {
        one_by_one.push(record);
        true
    });
    assert!(one_by_one == read, "one by one: {one_by_one:?}\nat once: {read:?}");
    assert!(format.games_with_variations(input) <= read.len());
    let mut shown = Vec::new();
    let again = format.rewrite(input, &mut |record| {
        shown.push(record);
        true
    });
    let Some(again) = again else { return };
    match again {
        Ok(bytes) => {
            let games = |records: &[Result<Record, RecordError>]| -> Vec<_> {
                records.iter().flatten().map(|r| (texts(r), r.start.clone())).collect()
            };
            let written = String::from_utf8_lossy(&bytes);
            assert_eq!(games(&format.read(&bytes)), games(&shown), "{written}");
        }
        Err(error) => error_is_short(&error.to_string()),
    }
}

fn texts(record: &Record) -> Vec<String> {
    record.moves.iter().map(|m| m.text.clone()).collect()
}

/// Remarks that are cut in a place where the format looks for something may settle in steps.
fn comes_to_rest(format: &dyn RecordFormat, mut record: Record) {
    for _ in 0..3 {
        match write_and_read(format, &record) {
            Ok((_, again)) if again == record => return,
            Ok((_, again)) => record = again,
            Err(error) => panic!("{record:?} was read and cannot be written: {error}"),
        }
    }
    panic!("every writing changes {record:?}");
}

fn write_and_read(
    format: &dyn RecordFormat,
    record: &Record,
) -> Result<(String, Record), RecordError> {
    let bytes = format.write(std::slice::from_ref(record))?;
    let written = String::from_utf8_lossy(&bytes).into_owned();
    let mut read = format.read(&bytes);
    match (read.pop(), read.is_empty()) {
        (Some(Ok(again)), true) => Ok((written, again)),
        (last, _) => panic!("written as\n{written}\nand read as {read:?} and {last:?}"),
    }
}

fn winner(record: &Record) -> Option<Option<Side>> {
    match record.result {
        RecordResult::Unknown => None,
        RecordResult::Known { winner, .. } => Some(winner),
    }
}

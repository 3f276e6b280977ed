//! How the command line asks for guesses.

use super::story::Story;
use super::{annotate, answer, commands, measure};
use crate::models;
use crate::position::Position;
use crate::sgf::visit_collection;
use std::path::Path;
use zug_core::error::shorten;
use zug_core::record::LONGEST;
use zug_core::{Progress, StopFlag, files};
use zug_learn::face::{Account, Named, TaskError};
use zug_learn::guess::{
    AnnotateOrder, Annotated, AnyGuesser, GuessOrder, Guessed, MeasureOrder, Question,
};

/// A larger record is not taken apart: its tree would not fit in memory.
pub const MOST_BYTES: u64 = 64 << 20;

/// Go's side of `zug guess`.
#[derive(Clone, Copy, Debug, Default)]
pub struct GoGuesser;

impl AnyGuesser for GoGuesser {
    fn models(&self) -> Vec<Named> {
        models::names()
    }

    fn guess(&self, order: &GuessOrder) -> Result<Guessed, TaskError> {
        let policy = models::open(order.model.as_deref())?;
        let (source, story) = match &order.question {
            Question::Record { name, bytes } => (name.clone(), record(name, bytes, order.game)?),
            Question::Position(text) => {
                let position = read_position(text).map_err(TaskError::Unfit)?;
                ("position".to_string(), Story::bare(position))
            }
            Question::Commands { name, text } => {
                let story = commands::follow(text, &load)
                    .map_err(|e| TaskError::Unfit(format!("{name}: {e}")))?;
                (name.clone(), story)
            }
        };
        models::check_size(&*policy, story.size())?;
        let at = order.at.map(|at| at as usize);
        let moment = story.at(at).map_err(|e| TaskError::Unfit(format!("{source}: {e}")))?;
        Ok(answer::answer(&moment, &source, story.moves.len(), &*policy, order))
    }

    fn annotate(&self, order: &AnnotateOrder) -> Result<Annotated, TaskError> {
        let policy = models::open(order.model.as_deref())?;
        annotate::run(order, &*policy)
    }

    fn measure(
        &self,
        order: &MeasureOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        measure::run(order, progress, stop)
    }
}

/// A game of a record file; `number` counts from 1.
pub fn record(name: &str, bytes: &[u8], number: usize) -> Result<Story, TaskError> {
    let unfit = |why: String| TaskError::Unfit(format!("{name}: {why}"));
    let (mut count, mut found) = (0, None);
    visit_collection(bytes, LONGEST, &mut |tree| {
        count += 1;
        found = (count == number).then_some(tree);
        found.is_none()
    });
    let tree =
        found.ok_or_else(|| unfit(format!("there is no game {number}: the file has {count}")))?;
    let tree = tree.map_err(|e| unfit(e.to_string()))?;
    Story::of_tree(&tree).map_err(|e| unfit(e.to_string()))
}

/// The bytes of a file of records.
pub fn read_file(path: &Path) -> Result<Vec<u8>, TaskError> {
    files::read_bounded(path, MOST_BYTES).map_err(TaskError::below)
}

/// `loadsgf`: the position before a move, as the protocol has it.
fn load(name: &str, number: Option<usize>) -> Result<Story, String> {
    let bytes = read_file(Path::new(name)).map_err(|e| e.to_string())?;
    let mut story = record(name, &bytes, 1).map_err(|e| e.to_string())?;
    if let Some(number) = number {
        let moment = story.at(Some(number)).map_err(|e| format!("{name}: {e}"))?;
        story.moves.truncate(number - 1);
        story.asked = Some(moment.position.to_move());
    }
    Ok(story)
}

/// A position in our notation, on a board of as many rows as it has.
pub fn read_position(text: &str) -> Result<Position, String> {
    let rows = text.split_ascii_whitespace().next().unwrap_or_default();
    let size = rows.split('/').count();
    let whole = |e: String| format!("in the position '{}': {e}", shorten(text));
    if !(crate::point::MIN_SIZE..=crate::point::MAX_SIZE).contains(&size) {
        let found = if rows.is_empty() { 0 } else { size };
        return Err(whole(format!("expected 2 to 19 rows separated by '/', found {found}")));
    }
    Position::from_text(text, size).map_err(|e| whole(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(question: Question, at: Option<u32>) -> GuessOrder {
        let model = Some("uniform".to_string());
        GuessOrder { question, game: 1, at, top: 3, model, colours: false, svg: true, png: true }
    }

    fn record_of(text: &str) -> Question {
        Question::Record { name: "x.sgf".into(), bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn all_kinds_of_questions_get_the_same_answer() {
        let sgf = record_of("(;SZ[5];B[cc];W[bb];B[dd])");
        let position = Question::Position("5/1O3/2X2/5/5 black".into());
        let text = "boardsize 5\nplay b c3\nplay w b4\n".to_string();
        let gtp = Question::Commands { name: "-".into(), text };
        let answers: Vec<Guessed> = [order(sgf, Some(3)), order(position, None), order(gtp, None)]
            .iter()
            .map(|o| GoGuesser.guess(o).unwrap())
            .collect();
        for answer in &answers {
            assert_eq!(answer.figures["guesses"], answers[0].figures["guesses"]);
            assert_eq!(answer.figures["to_move"], "black");
            assert!(answer.svg.is_some() && answer.png.is_some());
        }
        assert_eq!(answers[0].figures["played"]["move"], "D2");
        assert_eq!(answers[0].figures["played"]["equally_likely"], 23);
        assert!(answers[0].text.contains("played: D2"));
        assert_eq!(answers[1].figures["played"], serde_json::Value::Null);
    }

    #[test]
    fn bad_questions_are_refused_with_a_reason() {
        for (question, at, words) in [
            (record_of("(;SZ[5];B[cc])"), Some(0), "there is no move 0"),
            (record_of("(;SZ[5];B[cc])"), Some(3), "there is no move 3"),
            (record_of("(;GM[2])"), None, "GM"),
            (record_of("chess"), None, "expected a game"),
            (record_of("(;SZ[5];B[cc];W[cc])"), None, "move 2 (white C3)"),
            (Question::Position("5/5".into()), None, "in the position"),
            (Question::Position(String::new()), None, "found 0"),
            (Question::Commands { name: "f".into(), text: "fly".into() }, None, "f: line 1"),
        ] {
            let said = GoGuesser.guess(&order(question, at)).unwrap_err().to_string();
            assert!(said.contains(words), "{said}");
        }
    }
}

//! A game with its variations as the workbench knows it, and back.

use super::read::DEEPEST;
use super::{PgnGame, PgnMove, Variation};
use crate::position::Position;
use crate::rules::{Chess, Draws};
use crate::uci;
use zug_core::commands::{self, GLYPHS};
use zug_core::study::{ROOT, Step};
use zug_core::{Game, Mark, RecordError, Study};

impl PgnGame {
    /// The game with its variations. What is said before a variation is said of its first move; of
    /// several glyphs the first one that judges the move is its mark, and the others are a command in
    /// its comment.
    #[must_use]
    pub fn to_study(&self) -> Study {
        let mut study = Study::new(self.to_record());
        for comment in &self.main.comments {
            study.say(ROOT, comment);
        }
        add(&mut study, ROOT, &self.start, &self.main, &[]);
        study
    }

    /// A game from a study; `number` stands in errors.
    pub fn from_study(study: &Study, number: usize) -> Result<PgnGame, RecordError> {
        let mut game = PgnGame::from_record(&study.head, number)?;
        let chess = Chess::new().with_draws(Draws::Claimed);
        let mut levels = vec![Level::at(&game.start)];
        // A glyph needs a move, so one before the first move stays in the comment.
        levels[0].variation.comments = remarks(study.nodes()[ROOT].comment.clone());
        let mut ply = 0;
        study.walk(|step| {
            let depth = levels.len();
            let Some(top) = levels.last_mut() else { return Ok(()) };
            match step {
                Step::Move(_, node) => {
                    let mv = chess
                        .read_move(&top.now, &node.text)
                        .map_err(|error| RecordError::Move { game: number, ply, error })?;
                    ply += usize::from(depth == 1);
                    top.before.clone_from(&top.now);
                    top.now.play(mv);
                    let mut nags: Vec<u8> = node.mark.iter().map(|&mark| mark as u8).collect();
                    let comments = node.comment.as_deref().map(|c| take_glyphs(c, &mut nags));
                    let comments = remarks(comments);
                    top.variation.moves.push(PgnMove { nags, comments, ..PgnMove::new(mv) });
                }
                Step::Open(_) if depth > DEEPEST => {
                    let message = format!("PGN holds variations at most {DEEPEST} deep here");
                    return Err(RecordError::Unsupported(message));
                }
                Step::Open(_) => {
                    let inner = Level::at(&top.before);
                    levels.push(inner);
                }
                Step::Close => {
                    let inner = levels.pop().map(|l| l.variation).unwrap_or_default();
                    if let Some(mv) = levels.last_mut().and_then(|l| l.variation.moves.last_mut()) {
                        mv.variations.push(inner);
                    }
                }
            }
            Ok(())
        })?;
        game.main = levels.swap_remove(0).variation;
        Ok(game)
    }
}

/// A variation in the making, with the positions before its last move and now.
struct Level {
    variation: Variation,
    before: Position,
    now: Position,
}

impl Level {
    fn at(start: &Position) -> Level {
        Level { variation: Variation::default(), before: start.clone(), now: start.clone() }
    }
}

fn remarks(comment: Option<String>) -> Vec<String> {
    comment.into_iter().filter(|c| !c.trim().is_empty()).collect()
}

/// The comment without its glyphs, which are added to those that are there.
fn take_glyphs(comment: &str, nags: &mut Vec<u8>) -> String {
    commands::take(comment, |command| match command.glyphs() {
        Some(glyphs) => {
            nags.extend(glyphs);
            true
        }
        None => false,
    })
}

/// Adds a variation after a node, with what is said `before` its first move. The reader refuses variations
/// that lie very deep in each other.
fn add(
    study: &mut Study,
    parent: usize,
    start: &Position,
    variation: &Variation,
    before: &[String],
) {
    let (mut parent, mut position) = (parent, start.clone());
    for (i, played) in variation.moves.iter().enumerate() {
        let id = study.add(parent, uci::write(&position, played.mv, false));
        let before = if i == 0 { before } else { &[] };
        let mut nags = played.nags.clone();
        for comment in before.iter().chain(&played.comments) {
            study.say(id, comment);
        }
        let node = study.node_mut(id);
        let comment = node.comment.take().map(|comment| take_glyphs(&comment, &mut nags));
        node.comment = comment.filter(|comment| !comment.is_empty());
        if let Some(first) = nags.iter().position(|&nag| Mark::from_number(nag).is_some()) {
            node.mark = Mark::from_number(nags.remove(first));
        }
        if let Some(others) = commands::write(GLYPHS, nags) {
            study.say(id, &others);
        }
        for other in &played.variations {
            add(study, parent, &position, other, &other.comments);
        }
        position.play(played.mv);
        parent = id;
    }
}

#[cfg(test)]
mod tests {
    use crate::pgn::Pgn;
    use zug_core::study::Bounds;
    use zug_core::{Mark, RecordFormat, Study};

    fn studies(text: &str) -> Vec<Study> {
        let mut all = Vec::new();
        Pgn.read_studies(text.as_bytes(), Bounds::NONE, &mut |study| {
            all.push(study.unwrap());
            true
        });
        all
    }

    #[test]
    fn variations_remarks_and_glyphs_survive_being_read_and_written() {
        let moves = "{first} 1. e4 $1 {good} (1. d4 $5 (1. c4) 1... d5 {solid}) 1... e5 2. Nf3 *";
        let study = studies(moves).remove(0);
        let texts: Vec<&str> = study.nodes().iter().map(|n| &*n.text).collect();
        assert_eq!(texts, ["", "e2e4", "d2d4", "c2c4", "d7d5", "e7e5", "g1f3"]);
        assert_eq!(study.nodes()[0].comment.as_deref(), Some("first"));
        assert_eq!(study.children(0).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(study.nodes()[2].mark, Some(Mark::Interesting));
        let written = Pgn.write_studies(std::slice::from_ref(&study)).unwrap();
        let written = String::from_utf8(written).unwrap();
        // A variation of a variation replaces the same move, so it may stand beside it.
        let line = written.replace('\n', " ");
        assert!(line.contains("(1. d4 $5 d5 {solid}) (1. c4)"), "{written}");
        assert_eq!(studies(&written)[0].main_line(), study.main_line());
        assert_eq!(studies(&written)[0].nodes().len(), study.nodes().len());
    }

    #[test]
    fn all_glyphs_and_drawings_survive_being_read_and_written() {
        let text = "{[%csl Gd4]} 1. e4 $14 $36 $1 $146 {plan [%cal Ge2e4,Rd1h5] more} \
                    ({so} 1. d4 $18 $2) 1... e5 $10 $10 2. Nf3 {[%nag 7,x] [%nag 4,22] [%nag 3} *";
        let study = studies(text).remove(0);
        let comments: Vec<&str> =
            study.nodes().iter().map(|n| n.comment.as_deref().unwrap_or("")).collect();
        assert_eq!(
            comments,
            [
                "[%csl Gd4]",
                "plan [%cal Ge2e4,Rd1h5] more [%nag 14,36,146]",
                "so [%nag 18]",
                "[%nag 10,10]",
                "[%nag 7,x] [%nag 3 [%nag 22]",
            ]
        );
        let marks: Vec<Option<Mark>> = study.nodes().iter().map(|n| n.mark).collect();
        let (good, mistake, blunder) = (Mark::Good, Mark::Mistake, Mark::Blunder);
        assert_eq!(marks, [None, Some(good), Some(mistake), None, Some(blunder)]);
        let written = Pgn.write_studies(std::slice::from_ref(&study)).unwrap();
        let written = String::from_utf8(written).unwrap();
        let line = written.replace('\n', " ");
        for part in [
            "{[%csl Gd4]} 1. e4 $1 $14 $36 $146 {plan [%cal Ge2e4,Rd1h5] more} (1. d4 $2 $18 {so})",
            "1... e5 $10 $10 2. Nf3 $4 $22 {[%nag 7,x] [%nag 3} *",
        ] {
            assert!(line.contains(part), "{written}");
        }
        assert_eq!(studies(&written)[0].nodes(), study.nodes());
    }

    #[test]
    fn a_glyph_before_the_first_move_stays_where_it_is() {
        let mut study = studies("1. e4 *").remove(0);
        study.node_mut(0).comment = Some("[%nag 10]".to_string());
        let written = String::from_utf8(Pgn.write_studies(&[study]).unwrap()).unwrap();
        assert!(written.contains("{[%nag 10]} 1. e4 *"), "{written}");
    }

    #[test]
    fn the_main_line_of_a_study_is_the_record() {
        let text =
            "[White \"A\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 (1. Kd2) Ke7 1-0\n";
        let record = Pgn.read(text.as_bytes()).remove(0).unwrap();
        assert_eq!(studies(text)[0].main_line(), record);
    }

    #[test]
    fn moves_that_cannot_be_played_are_not_written() {
        let mut study = studies("1. e4 *").remove(0);
        study.add(1, "e4e5");
        let error = Pgn.write_studies(&[study]).unwrap_err().to_string();
        assert!(error.starts_with("game 1, ply 1:"), "{error}");
    }
}

//! A game with its variations as the workbench knows it, and back.

use super::read::DEEPEST;
use super::{PgnGame, PgnMove, Variation};
use crate::position::Position;
use crate::rules::{Chess, Draws};
use crate::uci;
use zug_core::study::{Node, ROOT, Step};
use zug_core::{Game, Mark, RecordError, Study};

impl PgnGame {
    /// The game with its variations. What is said before a variation is said of its first move; of
    /// several glyphs the first one that judges the move is kept.
    #[must_use]
    pub fn to_study(&self) -> Study {
        let mut study = Study::new(self.to_record());
        for comment in &self.main.comments {
            study.say(ROOT, comment);
        }
        add(&mut study, ROOT, &self.start, &self.main);
        study
    }

    /// A game from a study; `number` stands in errors.
    pub fn from_study(study: &Study, number: usize) -> Result<PgnGame, RecordError> {
        let mut game = PgnGame::from_record(&study.head, number)?;
        let chess = Chess::new().with_draws(Draws::Claimed);
        let mut levels = vec![Level::at(&game.start)];
        levels[0].variation.comments = remarks(&study.nodes()[ROOT]);
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
                    let nags = node.mark.iter().map(|&mark| mark as u8).collect();
                    let comments = remarks(node);
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

fn remarks(node: &Node) -> Vec<String> {
    node.comment.iter().filter(|c| !c.trim().is_empty()).cloned().collect()
}

/// Adds a variation after a node. The reader refuses variations that lie very deep in each other.
fn add(study: &mut Study, parent: usize, start: &Position, variation: &Variation) {
    let (mut parent, mut position) = (parent, start.clone());
    for (i, played) in variation.moves.iter().enumerate() {
        let id = study.add(parent, uci::write(&position, played.mv, false));
        let before = if i == 0 && parent != ROOT { &variation.comments[..] } else { &[] };
        for comment in before.iter().chain(&played.comments) {
            study.say(id, comment);
        }
        study.node_mut(id).mark = played.nags.iter().find_map(|&nag| Mark::from_number(nag));
        for other in &played.variations {
            add(study, parent, &position, other);
        }
        position.play(played.mv);
        parent = id;
    }
}

#[cfg(test)]
mod tests {
    use crate::pgn::Pgn;
    use zug_core::{Mark, RecordFormat, Study};

    fn studies(text: &str) -> Vec<Study> {
        let mut all = Vec::new();
        Pgn.read_studies(text.as_bytes(), &mut |study| {
            all.push(study.unwrap());
            true
        });
        all
    }

    #[test]
    fn variations_remarks_and_glyphs_survive_being_read_and_written() {
        let moves = "{first} 1. e4 $1 {good} (1. d4 $5 (1. c4) 1... d5 {solid}) 1... e5 2. Nf3 *";
        let study = studies(moves).remove(0);
        let texts: Vec<&str> = study.nodes().iter().map(|n| n.text.as_str()).collect();
        assert_eq!(texts, ["", "e2e4", "d2d4", "c2c4", "d7d5", "e7e5", "g1f3"]);
        assert_eq!(study.nodes()[0].comment.as_deref(), Some("first"));
        assert_eq!(study.nodes()[0].children, [1, 2, 3]);
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

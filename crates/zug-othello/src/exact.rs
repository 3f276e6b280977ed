//! The solver of late positions, behind the face that knows no game.

use crate::bits::each;
use crate::engine::Evaluation;
use crate::models::{self, AnyModel};
use crate::records::obf;
use crate::solve::Solver;
use crate::{Board, Move, Othello, probcut};
use std::io::BufRead;
use std::sync::Arc;
use zug_core::exact::{
    Answer, AnyError, AnyExactSearch, Problem, Problems, Question, Searcher, Settings, SoFar,
};
use zug_core::{Game, StopFlag, TextError};

/// The word for no evaluation: moves are ordered by what the squares tell.
const NONE: &str = "none";

/// Exact search on the full board.
pub(crate) struct OthelloExact;

impl AnyExactSearch for OthelloExact {
    fn unit(&self) -> &'static str {
        "discs"
    }

    fn problem(&self, text: &str) -> Result<Problem, TextError> {
        let game = Othello::default();
        obf::Problem::read(&game, text).map(|problem| told(&game, &problem, None))
    }

    fn problems<'a>(&self, input: Box<dyn BufRead + 'a>) -> Problems<'a> {
        let game = Othello::default();
        let mut reader = obf::Reader::new(game, input);
        Box::new(std::iter::from_fn(move || {
            let problem = reader.next()?;
            let line = reader.line_number();
            Some(problem.map(|p| told(&game, &p, Some(line))).map_err(AnyError::from))
        }))
    }

    fn pace(&self) -> u64 {
        30_000_000
    }

    fn searcher(&self, settings: &Settings) -> Result<Box<dyn Searcher>, AnyError> {
        let name = settings.model.as_deref().unwrap_or(models::SHIPPED[0].name);
        if name == NONE {
            let solver = Solver::try_new(settings.hash_mib)?.threads(settings.threads);
            return Ok(Box::new(Exact::new(solver)));
        }
        match models::open_model(name)? {
            AnyModel::Patterns(model) => guided(settings, name, model),
            AnyModel::Thesis(model) => guided(settings, name, *model),
        }
    }
}

/// A solver with an evaluation, and the cuts that were measured for it.
fn guided<E: Evaluation + 'static>(
    settings: &Settings,
    name: &str,
    model: E,
) -> Result<Box<dyn Searcher>, AnyError> {
    let cuts = probcut::cuts_for(name, model.unit(), None)?;
    let mut solver = Solver::try_with_guide(settings.hash_mib, Arc::new(model))?;
    if cuts.is_some() {
        solver = solver.cuts(cuts);
    }
    Ok(Box::new(Exact::new(solver.threads(settings.threads))))
}

/// A problem in words.
fn told(game: &Othello, problem: &obf::Problem, line: Option<usize>) -> Problem {
    let position = &problem.position;
    let mut legal = Vec::new();
    game.moves(position, &mut legal);
    let name = |&(mv, value): &(Move, i32)| (mv.to_string(), value);
    Problem {
        line,
        position: game.write_position(position),
        to_move: Game::side_name(game, position.to_move()).to_string(),
        empties: Board::from(position).empties(),
        listed: problem.values.iter().map(name).collect(),
        lists_all: !legal.is_empty() && problem.values.len() == legal.len(),
    }
}

/// Where a line breaks off, so few empty squares are searched again in no time.
const SHORT: u32 = 14;

/// The solver with any guide.
struct Exact<E> {
    solver: Solver<E>,
    /// The score of the position, where only its moves were not done.
    score: Option<i32>,
}

impl<E: Evaluation> Exact<E> {
    fn new(solver: Solver<E>) -> Exact<E> {
        Exact { solver, score: None }
    }

    /// Goes on with a line that keeps this score, where the table has lost its end.
    fn complete(&mut self, mut board: Board, mut score: i32, line: &mut Vec<Move>) {
        for &mv in &*line {
            board = board.after_move(mv);
            score = -score;
        }
        while board.empties() <= SHORT && !board.is_over() {
            // A window around the known score: one move that keeps it is enough.
            let again = self.solver.solve(board, score - 1, score + 1, &StopFlag::new());
            let Some(mv) = again.and_then(|solved| solved.best) else { return };
            line.push(mv);
            board = board.after_move(mv);
            score = -score;
        }
    }

    fn every_move(&mut self, board: Board, stop: &StopFlag) -> Option<(Vec<(Move, i32)>, u64)> {
        let mut moves = Vec::new();
        let mut nodes = 0;
        for square in each(board.moves()) {
            let solved = self.solver.solve(board.after(square), -64, 64, stop)?;
            nodes += solved.nodes;
            moves.push((Move::to_square(square)?, -solved.score));
        }
        moves.sort_by_key(|&(_, score)| -score);
        Some((moves, nodes))
    }
}

impl<E: Evaluation> Searcher for Exact<E> {
    fn solve(
        &mut self,
        position: &str,
        question: Question,
        stop: &StopFlag,
    ) -> Result<Option<Answer>, TextError> {
        let board = Board::from(&Othello::default().read_position(position)?);
        self.score = None;
        let solved = match question {
            Question::Outcome => self.solver.solve_outcome(board, stop),
            Question::Score | Question::EveryMove => self.solver.solve(board, -64, 64, stop),
        };
        let Some(mut solved) = solved else { return Ok(None) };
        if question != Question::Outcome {
            self.complete(board, solved.score, &mut solved.line);
        }
        let mut answer = Answer {
            score: solved.score,
            best: solved.best.map(|mv| mv.to_string()),
            line: solved.line.iter().map(ToString::to_string).collect(),
            moves: Vec::new(),
            nodes: solved.nodes,
        };
        if question == Question::EveryMove {
            self.score = Some(solved.score);
            let Some((moves, nodes)) = self.every_move(board, stop) else { return Ok(None) };
            answer.nodes += nodes;
            answer.moves = moves.iter().map(|(mv, score)| (mv.to_string(), *score)).collect();
            if answer.moves.is_empty()
                && let Some(best) = &answer.best
            {
                answer.moves.push((best.clone(), answer.score));
            }
        }
        Ok(Some(answer))
    }

    fn so_far(&self) -> Option<SoFar> {
        Some(match self.score {
            Some(score) => SoFar { bounds: (score, score), expected: Some(score) },
            None => self.solver.so_far(),
        })
    }

    fn clear(&mut self) {
        self.solver.clear();
    }

    fn limit(&mut self, positions: Option<u64>) {
        self.solver.limit(positions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::testing::random_game;
    use crate::solve::score;

    fn searcher() -> Box<dyn Searcher> {
        let settings = Settings { hash_mib: 1, threads: 1, model: Some(NONE.into()) };
        OthelloExact.searcher(&settings).unwrap()
    }

    /// Positions of random games with this many plies left, which may be passes and ends.
    fn late(seed: u64, left: usize) -> String {
        let game = Othello::default();
        let mut position = game.start();
        let moves = random_game(&game, seed, usize::MAX);
        for &mv in &moves[..moves.len().saturating_sub(left)] {
            position.play(mv);
        }
        game.write_position(&position)
    }

    #[test]
    fn every_question_is_answered_alike() {
        let (mut searcher, stop, game) = (searcher(), StopFlag::new(), Othello::default());
        for seed in 0..30 {
            let text = late(seed, (seed % 9) as usize);
            let mut ask = |q| searcher.solve(&text, q, &stop).unwrap().unwrap();
            let (whole, sign, all) =
                (ask(Question::Score), ask(Question::Outcome), ask(Question::EveryMove));
            let board = Board::from(&game.read_position(&text).unwrap());
            assert_eq!(whole.score, score(board), "{text}");
            assert_eq!(sign.score.signum(), whole.score.signum(), "{text}");
            assert_eq!(all.score, whole.score);
            let mut end = board;
            for mv in &whole.line {
                let mv = game.read_move(&end.to_position(zug_core::Side::First), mv).unwrap();
                end = end.after_move(mv);
            }
            let sign = if whole.line.len() % 2 == 0 { 1 } else { -1 };
            assert!(end.is_over(), "{text}: {:?}", whole.line);
            assert_eq!(sign * end.final_score(), whole.score, "{text}");
            assert_eq!(whole.best.is_none(), board.is_over());
            match all.moves.first() {
                Some((_, best)) => assert_eq!(*best, whole.score),
                None => assert!(board.is_over()),
            }
            assert_eq!(
                all.moves.len(),
                board.moves().count_ones().max(u32::from(!board.is_over())) as usize
            );
        }
    }

    #[test]
    fn a_stopped_search_has_no_answer_and_a_bad_position_is_named() {
        let stop = StopFlag::new();
        stop.set();
        let start = "start of nothing";
        assert!(searcher().solve(start, Question::Score, &stop).is_err());
        let text = Othello::default().write_position(&Othello::default().start());
        assert_eq!(searcher().solve(&text, Question::EveryMove, &stop).unwrap(), None);
    }

    #[test]
    fn a_search_that_gives_up_says_what_it_knows() {
        let settings = Settings { hash_mib: 1, threads: 1, model: None };
        let mut searcher = OthelloExact.searcher(&settings).unwrap();
        let (stop, mut knew) = (StopFlag::new(), 0);
        for seed in 0..4 {
            let text = late(seed, 20);
            searcher.limit(None);
            searcher.clear();
            let answer = searcher.solve(&text, Question::Score, &stop).unwrap().unwrap();
            for positions in [1_000, 20_000, 100_000, 200_000] {
                searcher.limit(Some(positions));
                searcher.clear();
                if searcher.solve(&text, Question::Score, &stop).unwrap().is_none() {
                    let known = searcher.so_far().unwrap();
                    let (low, high) = known.bounds;
                    assert!(low <= answer.score && answer.score <= high, "{text}: {known:?}");
                    knew += u32::from(known.expected.is_some());
                }
            }
        }
        assert!(knew > 2, "{knew}");
    }

    #[test]
    fn problems_tell_their_line_and_what_is_known() {
        let text = late(3, 0);
        let file = format!("% two\n\n{text};\nnonsense\n");
        let all: Vec<_> = OthelloExact.problems(Box::new(file.as_bytes())).collect();
        assert_eq!(all.len(), 2);
        let first = all[0].as_ref().unwrap();
        assert_eq!((first.line, first.stated(), first.lists_all), (Some(3), None, false));
        assert!(all[1].as_ref().unwrap_err().to_string().contains("line 4"));
        assert!(OthelloExact.problem("X").is_err());
    }
}

//! What is a position worth, or each position of a file?

use crate::engine::Unit;
use crate::examples::{ExampleError, ExampleFile, FOLDS, Source};
use crate::models::{AnyModel, OpenedModel};
use crate::records::obf::{self, Problem};
use crate::{Board, HandEvaluator, Move, Othello};
use rayon::prelude::*;
use std::io::BufRead;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;
use zug_core::container::Header;
use zug_core::{Evaluator, Game, Progress, Side, StopFlag};
use zug_learn::face::{AnyEvaluation, Choice, Closely, Evaluated, TaskError};

/// Positions that are read before they are evaluated together.
const BATCH: usize = 1 << 17;
/// Positions that one thread takes at a time.
const SHARE: usize = 1 << 11;
/// Examples that one thread reads at a time.
const CHUNK: u64 = 1 << 14;
/// Log-odds that stand for a game that is won: no finite number would be right.
const CERTAIN: f64 = 10.0;

/// A model, or the evaluation written by hand, with its name.
pub(super) struct Judged {
    name: String,
    judge: Judge,
    header: Option<Header>,
    /// What values in discs mean for the chance to win, where the model tells it.
    curves: Vec<Curve>,
}

/// At these disc counts the log-odds to win are `offset + slope · discs`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curve {
    pub first_discs: u32,
    pub last_discs: u32,
    pub slope: f64,
    pub offset: f64,
}

/// The note of a model's header that holds the curves.
pub(super) const CURVES: &str = "win-curves";

impl Curve {
    /// As a note: disc counts, slope and offset of each.
    pub fn write(curves: &[Curve]) -> String {
        let one = |c: &Curve| {
            format!("{}-{} {:.5} {:.5}", c.first_discs, c.last_discs, c.slope, c.offset)
        };
        curves.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    /// From a note; none if it cannot be read, since values mean the same without them.
    pub fn read(note: &str) -> Vec<Curve> {
        let one = |text: &str| {
            let mut words = text.split_whitespace();
            let (first, last) = words.next()?.split_once('-')?;
            let curve = Curve {
                first_discs: first.parse().ok()?,
                last_discs: last.parse().ok()?,
                slope: words.next()?.parse().ok().filter(|x: &f64| x.is_finite())?,
                offset: words.next()?.parse().ok().filter(|x: &f64| x.is_finite())?,
            };
            words.next().is_none().then_some(curve)
        };
        note.split(';').map(one).collect::<Option<_>>().unwrap_or_default()
    }
}

enum Judge {
    Hand(HandEvaluator),
    Model(Box<AnyModel>),
}

impl Judged {
    pub fn by_hand(name: &str) -> Judged {
        let hand = HandEvaluator::new(&Othello::default());
        Judged {
            name: name.to_string(),
            judge: Judge::Hand(hand),
            header: None,
            curves: Vec::new(),
        }
    }

    pub fn by_model(name: &str, opened: OpenedModel) -> Judged {
        let note = opened.header.notes.get(CURVES);
        let curves = note.map(|note| Curve::read(note)).unwrap_or_default();
        let (judge, header) = (Judge::Model(Box::new(opened.model)), Some(opened.header));
        Judged { name: name.to_string(), judge, header, curves }
    }

    fn kind(&self) -> Unit {
        match &self.judge {
            Judge::Hand(_) => Unit::Discs,
            Judge::Model(model) => model.unit(),
        }
    }

    /// The values of positions in which the side to move has a move.
    fn raw(&self, boards: &[Board], out: &mut [i32]) {
        match &self.judge {
            Judge::Model(model) => model.values(boards, out),
            Judge::Hand(hand) => {
                let game = Othello::default();
                for (board, value) in boards.iter().zip(out) {
                    *value = hand.evaluate(&game, &board.to_position(Side::First));
                }
            }
        }
    }

    fn scaled(&self, value: i32) -> f64 {
        f64::from(value)
            / match self.kind() {
                Unit::Discs => 100.0,
                Unit::LogOdds => 10_000.0,
            }
    }

    /// What the end of a game is worth.
    fn result(&self, board: Board) -> f64 {
        let score = f64::from(board.final_score());
        match self.kind() {
            Unit::Discs => score,
            Unit::LogOdds => CERTAIN * if score == 0.0 { 0.0 } else { score.signum() },
        }
    }

    /// Evaluates; a side that must pass is worth what it is worth after the pass.
    fn judge(&self, boards: &[Board], out: &mut Vec<(f64, bool)>) {
        let asked: Vec<Board> =
            boards.iter().map(|b| if b.moves() == 0 { b.passed() } else { *b }).collect();
        let mut values = vec![0; boards.len()];
        self.raw(&asked, &mut values);
        out.extend(boards.iter().zip(asked).zip(values).map(|((&board, asked), value)| {
            if board == asked {
                (self.scaled(value), false)
            } else if asked.moves() == 0 {
                (self.result(board), true)
            } else {
                (-self.scaled(value), false)
            }
        }));
    }

    /// Evaluates many, in parallel, those with the same number of discs one after the other: the
    /// tables of one disc count fit into a cache, those of all do not.
    fn judge_all(&self, boards: &[Board]) -> Vec<(f64, bool)> {
        let mut places = [0; 66];
        for board in boards {
            places[board.discs() as usize + 1] += 1;
        }
        for discs in 1..66 {
            places[discs] += places[discs - 1];
        }
        let mut sorted = vec![(0, Board::default()); boards.len()];
        for (number, &board) in boards.iter().enumerate() {
            let place = &mut places[board.discs() as usize];
            sorted[*place] = (number, board);
            *place += 1;
        }
        let share = |part: &[(usize, Board)]| {
            let boards: Vec<Board> = part.iter().map(|(_, board)| *board).collect();
            let mut out = Vec::with_capacity(boards.len());
            self.judge(&boards, &mut out);
            out
        };
        let judged: Vec<Vec<(f64, bool)>> = sorted.par_chunks(SHARE).map(share).collect();
        let mut values = vec![(0.0, false); boards.len()];
        for (&(number, _), value) in sorted.iter().zip(judged.into_iter().flatten()) {
            values[number] = value;
        }
        values
    }

    /// Evaluates many with their true values, and adds to the time.
    fn timed(&self, asked: &[(Board, Option<i32>)], clock: &mut Clock) -> Vec<Evaluated> {
        let boards: Vec<Board> = asked.iter().map(|(board, _)| *board).collect();
        // Tables that are made when first asked for are none of the evaluation's time.
        for &board in &boards {
            if clock.seen >> board.discs() & 1 == 0 {
                self.one(board);
                clock.seen |= 1 << board.discs();
            }
        }
        let began = Instant::now();
        let values = self.judge_all(&boards);
        clock.seconds += began.elapsed().as_secs_f64();
        let judged = asked.iter().zip(values);
        judged
            .map(|(&(board, exact), (value, over))| Evaluated {
                stage: board.discs(),
                value,
                exact: exact.map(f64::from),
                over,
            })
            .collect()
    }

    fn one(&self, board: Board) -> (f64, bool) {
        let mut out = Vec::new();
        self.judge(&[board], &mut out);
        out[0]
    }
}

impl AnyEvaluation for Judged {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    fn unit(&self) -> &'static str {
        match self.kind() {
            Unit::Discs => "discs",
            Unit::LogOdds => "log-odds",
        }
    }

    fn stage(&self) -> &'static str {
        "discs"
    }

    fn win_probability(&self, stage: u32, value: f64) -> Option<f64> {
        let log_odds = match self.kind() {
            Unit::LogOdds => value,
            Unit::Discs => {
                let here = |c: &&Curve| (c.first_discs..=c.last_discs).contains(&stage);
                let curve = self.curves.iter().find(here)?;
                // The curves speak of values that nothing was taken off from.
                let taken = match &self.judge {
                    Judge::Hand(_) => 0,
                    Judge::Model(model) => model.tempo().of(stage),
                };
                curve.offset + curve.slope * (value + f64::from(taken) / 100.0)
            }
        };
        Some(1.0 / (1.0 + (-log_odds).exp()))
    }

    fn evaluate(&self, position: &str) -> Result<Closely, TaskError> {
        let game = Othello::default();
        let problem = match position.trim() {
            "start" => Problem { position: game.start(), values: Vec::new() },
            text => Problem::read(&game, text).map_err(TaskError::below)?,
        };
        let board = Board::from(&problem.position);
        let (value, over) = self.one(board);
        let mut legal: Vec<Move> = Vec::new();
        if !over {
            game.moves(&problem.position, &mut legal);
        }
        let after = |mv: &Move| (mv.to_string(), -self.one(board.after_move(*mv)).0);
        let mut moves: Vec<(String, f64)> = legal.iter().map(after).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(Closely {
            position: game.write_position(&problem.position),
            to_move: game.side_name(problem.position.to_move()).to_string(),
            evaluated: Evaluated {
                stage: board.discs(),
                value,
                exact: problem.value().map(f64::from),
                over,
            },
            moves,
            figures: serde_json::Map::new(),
            notes: String::new(),
        })
    }

    fn evaluate_all(
        &self,
        input: &mut dyn BufRead,
        threads: usize,
        stop: &StopFlag,
        sink: &mut dyn FnMut(&[Evaluated]),
    ) -> Result<f64, TaskError> {
        let pool = pool(threads)?;
        let mut problems = obf::Reader::new(Othello::default(), input);
        let mut clock = Clock::default();
        loop {
            if stop.is_set() {
                return Err(TaskError::Stopped { resumable: false });
            }
            let mut asked = Vec::new();
            for problem in problems.by_ref().take(BATCH) {
                let problem = problem.map_err(TaskError::below)?;
                asked.push((Board::from(&problem.position), problem.value()));
            }
            if asked.is_empty() {
                return Ok(clock.seconds);
            }
            sink(&pool.install(|| self.timed(&asked, &mut clock)));
        }
    }

    fn evaluate_examples(
        &self,
        file: &Path,
        choice: Choice,
        threads: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
        sink: &mut dyn FnMut(&[Evaluated]),
    ) -> Result<f64, TaskError> {
        if let Some(fold) = choice.fold.filter(|&fold| fold >= FOLDS) {
            let last = FOLDS - 1;
            let message = format!("there is no fold {fold}: they are numbered from 0 to {last}");
            return Err(TaskError::Unfit(message));
        }
        let file = ExampleFile::open(file).map_err(TaskError::below)?;
        let pool = pool(threads)?;
        let mut clock = Clock::default();
        progress.set_length(Some(file.len()));
        let chunks: Vec<(u32, Range<u64>)> = (0..=64)
            .flat_map(|discs| file.chunks(discs, CHUNK).map(move |range| (discs, range)))
            .collect();
        for batch in chunks.chunks(BATCH / CHUNK as usize) {
            if stop.is_set() {
                return Err(TaskError::Stopped { resumable: false });
            }
            let read = |(discs, range): &(u32, Range<u64>)| file.chunk(*discs, range.clone());
            let read: Result<Vec<_>, ExampleError> =
                pool.install(|| batch.par_iter().map(read).collect());
            let examples = read.map_err(TaskError::below)?.into_iter().flatten();
            let asked: Vec<(Board, Option<i32>)> = examples
                .filter(|e| choice.fold.is_none_or(|fold| e.fold == fold))
                .filter(|e| !choice.exact || e.source == Source::Exact)
                .map(|e| (e.board, Some(i32::from(e.score))))
                .collect();
            if !asked.is_empty() {
                sink(&pool.install(|| self.timed(&asked, &mut clock)));
            }
            progress.advance(batch.iter().map(|(_, range)| range.end - range.start).sum());
        }
        Ok(clock.seconds)
    }
}

/// The time that evaluating takes.
#[derive(Default)]
struct Clock {
    seconds: f64,
    /// The disc counts that were met: one bit each.
    seen: u128,
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, TaskError> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(TaskError::below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::{PatternModel, PatternSet, Phases};
    use crate::records::testing::random_game;

    fn corner_counter() -> Judged {
        // A model of one cell pattern that counts own corners: 8 discs for each, either sign.
        let set = PatternSet::parse(&["a1"]).unwrap();
        let phases = Phases::new(&[4]).unwrap();
        assert_eq!(set.cells(), 3);
        let model = PatternModel::from_discs(set, phases, &[-8.0, 0.0, 8.0]).unwrap();
        let opened =
            OpenedModel { model: AnyModel::Patterns(model), header: PatternModel::header() };
        Judged::by_model("corners", opened)
    }

    const CORNER: &str = "XXX------XO-----X--O-------OX------XO---------------------------";

    #[test]
    fn a_position_is_worth_the_same_with_the_colours_swapped_and_minus_that_for_the_other() {
        let model = corner_counter();
        let value = |text: &str| model.evaluate(text).unwrap().evaluated.value;
        assert_eq!(value(&format!("{CORNER} X")), 8.0);
        assert_eq!(value(&format!("{CORNER} O")), -8.0);
        assert_eq!(value("start"), 0.0);
    }

    #[test]
    fn a_forced_pass_and_the_end_of_the_game_are_seen() {
        let model = corner_counter();
        // White has no disc that could be turned over from: Black has a move, White must pass.
        let passing = format!("XO{} O", "-".repeat(62));
        let seen = model.evaluate(&passing).unwrap();
        assert_eq!((seen.evaluated.value, seen.evaluated.over), (-8.0, false));
        assert_eq!(seen.moves.len(), 1);
        let ended = model.evaluate(&format!("X{} O", "-".repeat(63))).unwrap();
        assert_eq!((ended.evaluated.value, ended.evaluated.over), (-64.0, true));
        assert!(ended.moves.is_empty());
    }

    #[test]
    fn curves_survive_being_written_and_nonsense_is_no_curve() {
        let curve = |first_discs, last_discs, slope, offset| Curve {
            first_discs,
            last_discs,
            slope,
            offset,
        };
        let curves = [curve(4, 15, 0.0625, -0.5), curve(16, 64, 0.125, 0.0)];
        assert_eq!(Curve::read(&Curve::write(&curves)), curves);
        for bad in ["", "4-15", "4-15 0.1", "4-15 0.1 nan", "4 0.1 0.1", "4-15 0.1 0.1 0.1"] {
            assert!(Curve::read(bad).is_empty(), "{bad}");
        }
        let mut model = corner_counter();
        assert_eq!(model.win_probability(20, 8.0), None);
        model.curves = curves.to_vec();
        let chance = model.win_probability(20, 8.0).unwrap();
        assert!((chance - 1.0 / (1.0 + (-1.0f64).exp())).abs() < 1e-12);
    }

    #[test]
    fn many_positions_of_all_disc_counts_are_worth_what_each_is_alone() {
        let model = corner_counter();
        let mut boards = Vec::new();
        for seed in 0..40 {
            let mut board = Board::START;
            for mv in random_game(&Othello::default(), seed, usize::MAX) {
                boards.push(board);
                board = board.after_move(mv);
            }
            boards.push(board);
        }
        let alone: Vec<(f64, bool)> = boards.iter().map(|&b| model.one(b)).collect();
        assert_eq!(model.judge_all(&boards), alone);
        assert_eq!(alone.iter().filter(|(_, over)| *over).count(), 40);
    }

    #[test]
    fn files_are_evaluated_in_order_on_any_number_of_threads() {
        let model = corner_counter();
        let lines = format!("{CORNER} X; \n# a comment\n{CORNER} O; d6:+4;\n").repeat(5000);
        let mut all: Vec<Vec<Evaluated>> = Vec::new();
        for threads in [1, 3] {
            let mut seen = Vec::new();
            model
                .evaluate_all(&mut lines.as_bytes(), threads, &StopFlag::new(), &mut |part| {
                    seen.extend_from_slice(part);
                })
                .unwrap();
            all.push(seen);
        }
        assert_eq!(all[0], all[1]);
        assert_eq!(all[0].len(), 10_000);
        assert_eq!(all[0][9_999].exact, Some(4.0));
        assert_eq!(all[0][9_999].value, -8.0);
        let broken = format!("{CORNER} X\nrubbish\n");
        let error = model
            .evaluate_all(&mut broken.as_bytes(), 1, &StopFlag::new(), &mut |_| {})
            .unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}

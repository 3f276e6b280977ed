//! What is a position worth, or each position of a file, and why?

use crate::engine::evaluation::{Evaluation, Eye};
use crate::factors;
use crate::model::{FastEye, Model, PARTS, Part};
use crate::models::{AnyModel, OpenedModel};
use crate::texel::{ExampleFile, FOLDS, fold_of};
use crate::types::{self, Scheme, WHOLE, Zones};
use crate::{Chess, Position, epd, eval, fen, uci};
use cozy_chess::{Board, Color, Move};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::BufRead;
use std::path::Path;
use std::time::Instant;
use zug_core::container::Header;
use zug_core::{Game, Outcome, Progress, Side, StopFlag, TextError};
use zug_learn::face::{AnyEvaluation, Choice, Closely, Evaluated, TaskError};

/// Positions that are read before they are evaluated together.
const BATCH: usize = 1 << 16;
/// Positions that one thread takes at a time.
const SHARE: usize = 1 << 10;
/// The longest line of a file of positions: hostile files cost no more.
const LONGEST_LINE: u64 = 1 << 12;
/// What a lost game is worth, as the end of a line.
const LOST: f64 = -100_000.0;

/// A model with its name.
pub(super) struct Judged {
    name: String,
    model: AnyModel,
    header: Option<Header>,
    /// What the expected points rise by with a pawn, as log-odds.
    slope: Option<f64>,
}

/// The note of a model's header that holds this slope.
const SLOPE: &str = "pawn-log-odds";

enum AnyEye {
    Hand,
    Fast(FastEye),
}

impl AnyEye {
    fn value(&mut self, position: &Position) -> f64 {
        f64::from(match self {
            AnyEye::Hand => eval::evaluate(position),
            AnyEye::Fast(eye) => eye.evaluate(position.board()),
        })
    }
}

impl Judged {
    pub fn new(name: &str, opened: OpenedModel) -> Judged {
        let OpenedModel { model, header } = opened;
        let note = header.as_ref().and_then(|h| h.notes.get(SLOPE));
        let slope = note.and_then(|note| note.parse().ok()).filter(|x: &f64| x.is_finite());
        Judged { name: name.to_string(), model, header, slope }
    }

    fn eye(&self) -> AnyEye {
        match &self.model {
            AnyModel::Hand => AnyEye::Hand,
            AnyModel::Factors(model) => AnyEye::Fast(model.fast().eye()),
        }
    }

    /// The value for the side to move, with what the rules say about it first.
    fn judge(eye: &mut AnyEye, game: &Chess, position: &Position) -> (f64, bool) {
        match game.outcome(position) {
            None => (eye.value(position), false),
            Some(outcome) => (if outcome.winner.is_some() { LOST } else { 0.0 }, true),
        }
    }

    fn judge_all(&self, positions: &[Position]) -> Vec<(f64, bool)> {
        let game = Chess::new();
        let share = |part: &[Position]| {
            let mut eye = self.eye();
            part.iter().map(|p| Judged::judge(&mut eye, &game, p)).collect::<Vec<_>>()
        };
        positions.par_chunks(SHARE).map(share).collect::<Vec<_>>().concat()
    }

    /// The type of the thesis, the shares of the columns and every factor with its weight.
    fn figures(&self, board: &Board) -> (Map<String, Value>, String) {
        let code = types::thesis_type(board, &zones(&self.model));
        let mut figures = Map::new();
        let mut text = String::new();
        let number = types::text_number(code);
        let words = types::describe(code);
        figures.insert("type".into(), json!({"text_number": number, "code": code, "words": words}));
        let _ = writeln!(text, "type {number} of the thesis (code {code}): {words}");
        if let AnyModel::Factors(model) = &self.model {
            explain(model, board, &mut figures, &mut text);
        }
        (figures, text)
    }
}

fn zones(model: &AnyModel) -> Zones {
    match model {
        AnyModel::Factors(Model { scheme: Scheme::Thesis(zones), .. }) => zones.clone(),
        _ => Zones::default(),
    }
}

/// Without digits that mean nothing.
fn round(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

fn explain(model: &Model, board: &Board, figures: &mut Map<String, Value>, text: &mut String) {
    let shares = model.scheme.shares(board);
    let share = |(column, parts): (usize, i32)| {
        let name = model.scheme.column_name(column);
        json!({"column": column, "name": name, "parts": parts, "of": WHOLE})
    };
    let mut parts = model.parts(board);
    parts.sort_by_key(|part| std::cmp::Reverse(part.product().abs()));
    let hundredths = |parts: i64| parts as f64 / PARTS as f64;
    let part = |p: &Part| {
        json!({
            "factor": p.factor,
            "name": factors::name(p.factor),
            "count": p.count,
            "weight": round(p.weight),
            "played": p.played,
            "product": p.product(),
            "adds": round(hundredths(p.product())),
        })
    };
    let sum: i64 = parts.iter().map(Part::product).sum();
    figures.insert("scheme".into(), model.scheme.word().into());
    figures.insert("shares".into(), shares.iter().map(share).collect());
    figures.insert("factors".into(), parts.iter().map(part).collect());
    figures.insert("parts_per_hundredth".into(), PARTS.into());
    figures.insert("product_for_white".into(), sum.into());
    // Not rounded: cut to a whole number it is the value.
    figures.insert("sum_for_white".into(), hundredths(sum).into());
    let columns: Vec<String> = shares
        .iter()
        .map(|(column, parts)| format!("{} {parts}/{WHOLE}", model.scheme.column_name(column)))
        .collect();
    let _ = writeln!(text, "weights of {}: {}", model.scheme.word(), columns.join(", "));
    let _ = writeln!(
        text,
        "  learned and adds are hundredths of a pawn; played and product are whole numbers, {PARTS} to \
         the hundredth"
    );
    let _ = writeln!(
        text,
        "  {:<36} {:>6} {:>9} {:>9} {:>9} {:>9}",
        "factor", "count", "learned", "played", "product", "adds"
    );
    for p in &parts {
        let (name, product) = (factors::name(p.factor), p.product());
        let _ = writeln!(
            text,
            "  {name:<36} {:>+6} {:>9.2} {:>9} {product:>+9} {:>+9.2}",
            p.count,
            p.weight,
            p.played,
            hundredths(product)
        );
    }
    let _ = writeln!(text, "  {:<36} {:>26} {sum:>+9}", "sum for White", "");
    let _ = writeln!(
        text,
        "  {sum:+} / {PARTS} = {:+} hundredths of a pawn for White (the fraction is dropped)",
        sum / PARTS
    );
}

/// A position that ends the game, in words.
fn ended(outcome: &Outcome) -> String {
    match outcome.winner {
        Some(Side::First) => format!("{}, White has won", outcome.reason),
        Some(Side::Second) => format!("{}, Black has won", outcome.reason),
        None => format!("drawn, {}", outcome.reason),
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
        "centipawns"
    }

    fn stage(&self) -> &'static str {
        "phase"
    }

    fn win_probability(&self, _: u32, value: f64) -> Option<f64> {
        Some(1.0 / (1.0 + (-self.slope? * value / 100.0).exp()))
    }

    fn evaluate(&self, text: &str) -> Result<Closely, TaskError> {
        let game = Chess::new();
        let position = match text.trim() {
            "start" => Position::start(),
            text => fen::parse(text).map_err(TaskError::below)?,
        };
        let mut eye = self.eye();
        let (value, over) = Judged::judge(&mut eye, &game, &position);
        let mut legal: Vec<Move> = Vec::new();
        if !over {
            game.moves(&position, &mut legal);
        }
        let mut after = |mv: &Move| {
            let mut next = position.clone();
            next.play(*mv);
            let name = uci::write(&position, *mv, false);
            // Minus nothing would be written as such.
            (name, 0.0 - Judged::judge(&mut eye, &game, &next).0)
        };
        let mut moves: Vec<(String, f64)> = legal.iter().map(&mut after).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let (mut figures, notes) = self.figures(position.board());
        let outcome = game.outcome(&position).map(|outcome| ended(&outcome));
        figures.insert("outcome".into(), outcome.into());
        let to_move = if position.color() == Color::White { "White" } else { "Black" };
        Ok(Closely {
            position: fen::write(&position),
            to_move: to_move.to_string(),
            evaluated: Evaluated {
                stage: types::phase(position.board()) as u32,
                value,
                exact: None,
                over,
            },
            moves,
            figures,
            notes,
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
        let (mut seconds, mut line) = (0.0, 0);
        loop {
            if stop.is_set() {
                return Err(TaskError::Stopped { resumable: false });
            }
            let positions = read_positions(input, &mut line)?;
            if positions.is_empty() {
                return Ok(seconds);
            }
            let began = Instant::now();
            let values = pool.install(|| self.judge_all(&positions));
            seconds += began.elapsed().as_secs_f64();
            let seen = positions.iter().zip(values).map(|(position, (value, over))| Evaluated {
                stage: types::phase(position.board()) as u32,
                value,
                exact: None,
                over,
            });
            sink(&seen.collect::<Vec<_>>());
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
        if choice.exact {
            let message = "no example of chess is labelled by solving: --exact finds none";
            return Err(TaskError::Unfit(message.into()));
        }
        let file = ExampleFile::open(file).map_err(TaskError::below)?;
        let pool = pool(threads)?;
        progress.set_length(Some(file.len()));
        // Examples lie in the order of their games, and are wanted by phase: what is kept of them is
        // how often each value met each result.
        let mut met: BTreeMap<(u32, i32, i8), u64> = BTreeMap::new();
        let mut seconds = 0.0;
        for block in 0..file.blocks() {
            if stop.is_set() {
                return Err(TaskError::Stopped { resumable: false });
            }
            let examples = file.block(block).map_err(TaskError::below)?;
            progress.advance(examples.len() as u64);
            let (mut positions, mut labels) = (Vec::new(), Vec::new());
            for example in examples {
                if choice.fold.is_some_and(|fold| fold_of(example.game) != fold) {
                    continue;
                }
                let white = (example.result.points() * 2.0) as i8 - 1;
                let own = example.board.side_to_move() == Color::White;
                labels.push(if own { white } else { -white });
                positions.push(Position::from(example.board));
            }
            let began = Instant::now();
            let values = pool.install(|| self.judge_all(&positions));
            seconds += began.elapsed().as_secs_f64();
            for ((position, label), (value, _)) in positions.iter().zip(labels).zip(values) {
                let phase = types::phase(position.board()) as u32;
                *met.entry((phase, value as i32, label)).or_default() += 1;
            }
        }
        for ((stage, value, label), count) in met {
            let (value, exact) = (f64::from(value), Some(f64::from(label)));
            let one = Evaluated { stage, value, exact, over: false };
            let some = vec![one; count.min(SHARE as u64) as usize];
            let mut left = count;
            while left > 0 {
                let part = left.min(SHARE as u64);
                sink(&some[..part as usize]);
                left -= part;
            }
        }
        Ok(seconds)
    }
}

/// The next positions of a file, FEN or EPD, one a line; empty at the end.
fn read_positions(input: &mut dyn BufRead, line: &mut u64) -> Result<Vec<Position>, TaskError> {
    let mut positions = Vec::new();
    let mut bytes = Vec::new();
    while positions.len() < BATCH {
        bytes.clear();
        *line += 1;
        let mut limited = std::io::Read::take(&mut *input, LONGEST_LINE + 1);
        let length = limited.read_until(b'\n', &mut bytes).map_err(TaskError::below)?;
        if length == 0 {
            break;
        }
        let wrong = |what: String| TaskError::Unfit(format!("line {line}: {what}"));
        if length as u64 > LONGEST_LINE {
            return Err(wrong(format!("longer than {LONGEST_LINE} bytes, which no position is")));
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| wrong("this is no text".into()))?;
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let position = fen::parse(text).or_else(|error: TextError| {
            // An EPD line has operations where a FEN has its two numbers.
            epd::parse(text).map(|test| test.position).map_err(|_| error)
        });
        positions.push(position.map_err(|e| wrong(e.to_string()))?);
    }
    Ok(positions)
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, TaskError> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(TaskError::below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Start;

    fn thesis() -> Judged {
        let model = Model::start(Scheme::Thesis(Zones::default()), Start::Thesis);
        let opened = OpenedModel { model: AnyModel::Factors(model), header: Some(Model::header()) };
        Judged::new("thesis", opened)
    }

    /// The value for White as anybody can work it out from the figures, with integers alone.
    fn recomputed(seen: &Closely) -> f64 {
        let mut sum = 0;
        for factor in seen.figures["factors"].as_array().unwrap() {
            let product = factor["count"].as_i64().unwrap() * factor["played"].as_i64().unwrap();
            assert_eq!(factor["product"], product);
            let learned = factor["weight"].as_f64().unwrap();
            let played = factor["played"].as_f64().unwrap() / 384.0;
            assert!((learned - played).abs() <= 1.0 / 32.0 + 1e-3, "{factor}");
            sum += product;
        }
        assert_eq!(seen.figures["product_for_white"], sum);
        assert_eq!(seen.figures["parts_per_hundredth"], 384);
        assert_eq!(seen.figures["sum_for_white"].as_f64().unwrap().trunc(), (sum / 384) as f64);
        (sum / 384) as f64
    }

    #[test]
    fn the_value_in_play_can_be_worked_out_from_what_is_shown() {
        let model = crate::models::open_with_header(crate::models::default_name()).unwrap();
        let model = Judged::new("learned", model);
        for (text, sign) in [
            ("6kr/1p1n3p/3bpP2/3r4/6Pp/2P5/QP2KR2/5R1N w - - 5 57", 1.0),
            ("6kr/1p1n3p/3bpP2/3r4/6Pp/2P5/QP2KR2/5R1N b - - 5 57", -1.0),
            ("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4", -1.0),
            ("8/5pk1/6p1/3R4/8/1r4P1/5PK1/8 w - - 0 40", 1.0),
        ] {
            let seen = model.evaluate(text).unwrap();
            assert_eq!(seen.evaluated.value, sign * recomputed(&seen), "{text}");
            assert_eq!(seen.figures["outcome"], Value::Null);
        }
    }

    #[test]
    fn a_position_is_explained_by_its_type_and_factors() {
        let model = thesis();
        let seen = model.evaluate("start").unwrap();
        assert_eq!(seen.evaluated.value, 0.0);
        assert_eq!(seen.figures["type"]["text_number"], 23);
        assert_eq!(seen.figures["type"]["code"], 22);
        assert_eq!(seen.moves.len(), 20);
        let up = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1";
        let seen = model.evaluate(up).unwrap();
        assert_eq!(recomputed(&seen), -seen.evaluated.value);
        assert!(seen.evaluated.value > 850.0);
        assert!(seen.notes.contains("material/queen"));
    }

    #[test]
    fn values_become_expected_points_where_the_model_knows_the_scale() {
        assert_eq!(thesis().win_probability(0, 100.0), None);
        let mut header = Model::header();
        header.notes.insert(SLOPE.into(), "1.0".into());
        let model = AnyModel::Factors(Model::start(Scheme::One, Start::Zero));
        let judged = Judged::new("zero", OpenedModel { model, header: Some(header) });
        let chance = judged.win_probability(0, 100.0).unwrap();
        assert!((chance - 1.0 / (1.0 + (-1.0f64).exp())).abs() < 1e-12);
    }

    #[test]
    fn the_end_of_a_game_is_worth_its_result() {
        let model = thesis();
        let mated = model.evaluate("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").unwrap();
        assert!(mated.evaluated.over && mated.evaluated.value == LOST);
        assert_eq!(mated.figures["outcome"], "checkmate, White has won");
        let stuck = model.evaluate("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        assert_eq!(stuck.figures["outcome"], "drawn, stalemate");
        let before = model.evaluate("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1").unwrap();
        assert_eq!(before.moves[0].1, -LOST);
    }

    #[test]
    fn illegal_positions_are_refused_with_what_is_wrong() {
        let model = thesis();
        for (text, word) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", "king"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "side to move"),
            ("", "rows of the board"),
        ] {
            let error = model.evaluate(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn files_of_positions_are_evaluated_in_order_and_errors_name_the_line() {
        let model = thesis();
        let text = format!("# two\n{}\n\n4k3/8/8/8/8/8/8/3QK3 w - - bm Qd7;\n", fen::START);
        let mut seen = Vec::new();
        let mut gather = |part: &[Evaluated]| seen.extend_from_slice(part);
        model.evaluate_all(&mut text.as_bytes(), 2, &StopFlag::new(), &mut gather).unwrap();
        assert_eq!(seen.len(), 2);
        assert!(seen[0].value == 0.0 && seen[1].value > 800.0);
        let broken = format!("{}\nrubbish\n", fen::START);
        let error = model
            .evaluate_all(&mut broken.as_bytes(), 1, &StopFlag::new(), &mut |_| {})
            .unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
        let long = "x".repeat(1 << 14);
        let error =
            model.evaluate_all(&mut long.as_bytes(), 1, &StopFlag::new(), &mut |_| {}).unwrap_err();
        assert!(error.to_string().contains("line 1"), "{error}");
    }
}

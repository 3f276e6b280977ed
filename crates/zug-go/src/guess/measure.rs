//! How often is the move that was played among the first guesses of a policy?

use super::place::Place;
use super::tally::{HEADLINE, OneGame, Tally};
use crate::corpus::{Corpus, Filter, GoRecord};
use crate::game::Go;
use crate::models::{self, SharedPolicy};
use crate::point::Move;
use crate::policy::{Guess, Guesser, Policy};
use crate::rules::Rules;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use zug_core::seed::{RngExt, rng};
use zug_core::{Line, Progress, StopFlag};
use zug_learn::face::{Account, TaskError};
use zug_learn::guess::MeasureOrder;

/// Games that are counted together. Sums run in this grouping whatever the number of threads.
const GROUP: usize = 16;
/// Stages of the game; the last has no end.
const STAGES: usize = 6;

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Stage after stage.
    pub stages: Vec<Tally>,
    /// All stages together.
    pub total: Tally,
    /// Time spent in guessing alone, all threads together.
    pub guessing: Duration,
}

impl Measured {
    fn join(&mut self, other: &Measured) {
        self.stages.resize(STAGES, Tally::default());
        for (stage, more) in self.stages.iter_mut().zip(&other.stages) {
            stage.join(more);
        }
        self.total.join(&other.total);
        self.guessing += other.guessing;
    }

    /// Microseconds that one guess takes on one thread.
    #[must_use]
    pub fn microseconds(&self) -> f64 {
        self.guessing.as_secs_f64() * 1e6 / self.total.positions.max(1) as f64
    }
}

/// Which positions are asked about, and how they are told apart.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Moves of a stage of the game.
    pub stage: u32,
    /// Every so manieth position, from one of the first ones on that chance picks for each game: so
    /// all plies count alike.
    pub every: usize,
    /// The seed of that chance.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

/// Asks a policy about the moves of games: the one way in which the accuracy of guesses is measured.
/// The figures do not depend on the number of threads.
pub fn measure(
    policy: &dyn Policy,
    games: &[&GoRecord],
    plan: &Plan,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Measured, TaskError> {
    progress.begin(Some(games.len() as u64));
    progress.message(&format!("asking {}", policy.name()));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(plan.threads.max(1))
        .build()
        .map_err(TaskError::below)?;
    let parts: Vec<Measured> = pool.install(|| {
        let groups = games.par_chunks(GROUP).enumerate();
        let measured = groups.map(|(number, group)| {
            let mut measured = Measured::default();
            let mut guesser = policy.guesser();
            guesser.stop_with(stop);
            for (game, i) in group.iter().zip(number * GROUP..) {
                let first = rng(plan.seed, 1 + i as u64).random_range(0..plan.every.max(1));
                let one = of_game(&mut *guesser, game, plan, first, stop);
                measured.join(&one.ok_or(TaskError::Stopped { resumable: false })?);
                progress.advance(1);
            }
            Ok(measured)
        });
        measured.collect::<Result<_, TaskError>>()
    })?;
    let mut all = Measured::default();
    parts.iter().for_each(|part| all.join(part));
    Ok(all)
}

/// The figures of one game, from its position number `first` on; nothing when asked to stop.
fn of_game(
    guesser: &mut dyn Guesser,
    game: &GoRecord,
    plan: &Plan,
    first: usize,
    stop: &StopFlag,
) -> Option<Measured> {
    let mut sums = vec![OneGame::default(); STAGES];
    let mut whole = OneGame::default();
    let mut measured = Measured { stages: vec![Tally::default(); STAGES], ..Measured::default() };
    let mut line = Line::new(Go::new(Rules::new(game.size())?));
    let mut guesses: Vec<Guess> = Vec::new();
    for (ply, played) in game.moves().enumerate() {
        let wanted = ply % plan.every.max(1) == first;
        if let (Some(played), true) = (played, wanted) {
            let began = Instant::now();
            guesser.guess_line(&line, &mut guesses);
            measured.guessing += began.elapsed();
            if stop.is_set() {
                return None;
            }
            if let Some(place) = Place::of(&guesses, played, line.position()) {
                sums[(ply / plan.stage.max(1) as usize).min(STAGES - 1)].add(&place);
                whole.add(&place);
            }
        }
        line.play(played.map_or(Move::Pass, Move::Play));
    }
    for (tally, sums) in measured.stages.iter_mut().zip(&sums) {
        tally.add(sums);
    }
    measured.total.add(&whole);
    Some(measured)
}

/// Moves of a stage of the game, where nobody says otherwise.
#[must_use]
pub fn usual_stage(size: usize) -> u32 {
    if size >= 13 { 50 } else { 15 }
}

/// Reads records, asks one policy or two, tells.
pub fn run(
    order: &MeasureOrder,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let policy = models::open(order.model.as_deref())?;
    let baseline = order.baseline.as_deref().map(|name| models::open(Some(name))).transpose()?;
    if let Some(size) = order.size {
        for policy in [Some(&policy), baseline.as_ref()].into_iter().flatten() {
            models::check_size(&**policy, size)?;
        }
    }
    if let (Some(from), Some(until)) = (order.from, order.until)
        && from > until
    {
        return Err(TaskError::Unfit(format!("no year lies from {from} until {until}")));
    }
    let filter =
        Filter { size: order.size, from: order.from, until: order.until, ..Filter::default() };
    let corpus = Corpus::read(&order.data, &filter, progress, stop).map_err(|e| match e {
        crate::corpus::CorpusError::Stopped => TaskError::Stopped { resumable: false },
        e => TaskError::below(e),
    })?;
    let known = |policy: &SharedPolicy, game: &GoRecord| policy.knows_size(game.size());
    let mut games: Vec<&GoRecord> = corpus
        .games
        .iter()
        .filter(|g| known(&policy, g) && baseline.as_ref().is_none_or(|b| known(b, g)))
        .collect();
    let foreign = corpus.games.len() - games.len();
    if games.is_empty() {
        models::check_size(&*policy, corpus.games[0].size())?;
        let why = "no game is left on a board that both models know";
        return Err(TaskError::Unfit(why.to_string()));
    }
    if let Some(wanted) = order.games {
        sample(&mut games, wanted, order.seed);
    }
    let largest = games.iter().map(|g| g.size()).max().unwrap_or(19);
    let stage = order.stage.unwrap_or_else(|| usual_stage(largest));
    let threads = order.threads.max(1);
    let every = order.every.unwrap_or(1).max(1) as usize;
    let plan = Plan { stage, every, seed: order.seed, threads };
    let began = Instant::now();
    let mut measured = Vec::new();
    for policy in [Some(&policy), baseline.as_ref()].into_iter().flatten() {
        let one = measure(&**policy, &games, &plan, progress, stop)?;
        measured.push((policy.name(), one));
    }
    let seconds = began.elapsed().as_secs_f64();
    if measured[0].1.total.positions == 0 {
        return Err(TaskError::Unfit("no move was played in these games".to_string()));
    }
    let mut figures = Map::new();
    let mut text = format!(
        "{} of {} games in {} files; {} positions\n",
        games.len(),
        corpus.games.len(),
        corpus.files,
        measured[0].1.total.positions
    );
    let mut skipped: Map<String, Value> =
        corpus.skipped.reasons.iter().map(|(why, n)| ((*why).to_string(), json!(n))).collect();
    if foreign > 0 {
        skipped.insert("a board that the model does not know".into(), json!(foreign));
    }
    if !skipped.is_empty() {
        let words: Vec<String> = skipped.iter().map(|(why, n)| format!("{n} {why}")).collect();
        let _ = writeln!(text, "passed over: {}", words.join(", "));
    }
    for (name, why) in corpus.skipped.faults.iter().take(5) {
        let _ = writeln!(text, "  {name}: {}", why.told());
    }
    let years = |pick: fn(std::vec::IntoIter<u16>) -> Option<u16>| {
        pick(games.iter().filter_map(|g| g.year).collect::<Vec<_>>().into_iter())
    };
    figures.insert("files".into(), json!(corpus.files));
    figures.insert("games".into(), json!(games.len()));
    figures.insert("games_read".into(), json!(corpus.games.len()));
    figures.insert("first_year".into(), json!(years(|y| y.min())));
    figures.insert("last_year".into(), json!(years(|y| y.max())));
    figures.insert("digest".into(), json!(corpus.digest()));
    figures.insert("skipped".into(), Value::Object(skipped));
    let faults = corpus.skipped.faults.iter();
    let faults = faults.map(|(name, why)| json!({"name": name, "why": why.told()}));
    figures.insert("faults".into(), faults.collect());
    figures.insert("interval".into(), json!("95 %, errors of ratios with games as clusters"));
    figures.insert("moves_of_a_stage".into(), json!(stage));
    figures.insert("every".into(), json!(every));
    figures.insert("threads".into(), json!(threads));
    figures.insert("seconds".into(), json!(seconds));
    for (i, (name, one)) in measured.iter().enumerate() {
        let mut report = report(name, one, stage, &mut text);
        if i == 0 {
            figures.append(&mut report);
        } else {
            figures.insert("baseline".into(), Value::Object(report));
        }
    }
    text.push_str(
        "± is half of the interval that holds the truth 95 times of 100, games being the units\n",
    );
    Ok(Account { text, figures, page: String::new() })
}

fn report(name: &str, one: &Measured, stage: u32, text: &mut String) -> Map<String, Value> {
    let micros = one.microseconds();
    let _ = writeln!(
        text,
        "\n{name}: {micros:.1} microseconds a position on one thread ({:.0} positions a second)",
        1e6 / micros.max(1e-9)
    );
    let _ = writeln!(text, "{:>9}  {HEADLINE}", "moves");
    let mut stages = Vec::new();
    for (i, tally) in one.stages.iter().enumerate() {
        let from = i as u32 * stage + 1;
        let to = (i + 1 < STAGES).then_some((i as u32 + 1) * stage);
        if tally.positions == 0 {
            continue;
        }
        let words = to.map_or(format!("{from}-"), |to| format!("{from}-{to}"));
        let _ = writeln!(text, "{words:>9}  {}", tally.line());
        let mut figures = tally.json();
        figures["from"] = json!(from);
        figures["to"] = json!(to);
        stages.push(figures);
    }
    let _ = writeln!(text, "{:>9}  {}", "all", one.total.line());
    let mut report = Map::new();
    report.insert("model".into(), json!(name));
    report.insert("positions".into(), json!(one.total.positions));
    report.insert("microseconds_per_position".into(), json!(micros));
    report.insert("positions_per_second".into(), json!(1e6 / micros.max(1e-9)));
    report.insert("total".into(), one.total.json());
    report.insert("stages".into(), Value::Array(stages));
    report
}

/// Keeps so many of the games, drawn at random, in their order.
fn sample(games: &mut Vec<&GoRecord>, wanted: usize, seed: u64) {
    let mut rng = rng(seed, 0);
    let mut left = games.len();
    let mut still = wanted;
    games.retain(|_| {
        let taken = still > 0 && rng.random_range(0..left) < still;
        left -= 1;
        still -= usize::from(taken);
        taken
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Point;
    use crate::policy::Uniform;
    use crate::position::Position;
    use zug_core::Silent;

    fn game(seed: u64) -> GoRecord {
        let mut rng = rng(seed, 0);
        let mut position = Position::new(5);
        let mut moves = Vec::new();
        for _ in 0..20 {
            let p = Point::at(rng.random_range(0..5), rng.random_range(0..5));
            if position.board().check(p, position.to_move(), false).is_ok() {
                position.play(Move::Play(p));
                moves.push(Some(p));
            } else {
                position.play(Move::Pass);
                moves.push(None);
            }
        }
        GoRecord::of_moves(5, &moves)
    }

    #[test]
    fn figures_do_not_depend_on_threads() {
        let games: Vec<GoRecord> = (0..70).map(game).collect();
        let games: Vec<&GoRecord> = games.iter().collect();
        let run = |threads| {
            let plan = Plan { stage: 5, every: 1, seed: 1, threads };
            measure(&Uniform, &games, &plan, &Silent, &StopFlag::new()).unwrap()
        };
        let (one, three) = (run(1), run(3));
        assert_eq!(one.total.json(), three.total.json());
        assert_eq!(one.stages[2].json(), three.stages[2].json());
        // The first move of all games but those that begin with a pass: one of 25 points.
        let first = one.stages[0].clone();
        assert!(first.accuracy(1).value > 1.0 / 26.0 && first.accuracy(1).value < 1.0 / 18.0);
        let positions: usize = games.iter().map(|g| g.moves().flatten().count()).sum();
        assert_eq!(one.total.positions, positions as u64);
    }

    #[test]
    fn a_sample_has_the_wanted_size_and_order() {
        let games: Vec<GoRecord> = (0..30).map(game).collect();
        let take = |wanted, seed| {
            let mut some: Vec<&GoRecord> = games.iter().collect();
            sample(&mut some, wanted, seed);
            some.iter().map(|g| std::ptr::from_ref::<GoRecord>(g) as usize).collect::<Vec<_>>()
        };
        assert_eq!(take(7, 1).len(), 7);
        assert!(take(7, 1).is_sorted());
        assert_eq!(take(7, 1), take(7, 1));
        assert_ne!(take(7, 1), take(7, 2));
        assert_eq!(take(100, 1).len(), 30);
    }

    #[test]
    fn where_a_part_of_the_positions_is_asked_about_all_plies_count_alike() {
        let games: Vec<GoRecord> = (0..400).map(game).collect();
        let games: Vec<&GoRecord> = games.iter().collect();
        let plan = |every| Plan { stage: 1, every, seed: 1, threads: 2 };
        let run = |every| measure(&Uniform, &games, &plan(every), &Silent, &StopFlag::new());
        let (all, part) = (run(1).unwrap(), run(4).unwrap());
        for ply in 0..4 {
            let share = part.stages[ply].positions as f64 / all.stages[ply].positions as f64;
            assert!((share - 0.25).abs() < 0.08, "ply {ply}: {share}");
        }
        assert_eq!(part.total.json(), run(4).unwrap().total.json());
    }

    #[test]
    fn a_wish_to_stop_is_heeded() {
        let game = game(1);
        let stop = StopFlag::new();
        stop.set();
        assert!(matches!(
            measure(
                &Uniform,
                &[&game],
                &Plan { stage: 5, every: 1, seed: 1, threads: 1 },
                &Silent,
                &stop
            ),
            Err(TaskError::Stopped { .. })
        ));
    }
}

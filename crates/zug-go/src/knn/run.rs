//! An experiment as a run: it can be stopped, killed and gone on with, and ends with the same model.
//!
//! The steps of a run are training games. After each batch of them what was counted is saved; patterns
//! themselves are gathered anew when a run goes on, which takes a moment and gives the same.

use super::database::LAYOUT;
use super::example::count_examples;
use super::gnugo;
use super::guess::Model;
use super::learn::{Counting, Gathered};
use super::measure::{Accuracy, measure, speed};
use super::page::{SPEED, page, results};
use super::plan::{Arm, Draw, Plan, Pools};
use super::results::{Asked, Line, Results, Timing, Unit};
use super::settings::Settings;
use crate::corpus::Corpus;
use crate::position::Position;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};
use zug_core::checkpoint::Checkpoint;
use zug_core::container::{Header, Kind, Writer};
use zug_core::files::write_atomically;
use zug_core::run::{Run, RunConfig, RunError, State};
use zug_core::{Progress, StopFlag};
use zug_learn::choices::on_threads;
use zug_learn::face::{Account, TaskError};
use zug_learn::records::{RecordOrder, TASK};

/// How checkpoints are to be understood.
const STATE: &str = "go-knn-run/1";
/// Games between two looks at the clock.
const BATCH: usize = 16;
/// Between two checkpoints.
const PAUSE: Duration = Duration::from_secs(10);
/// Positions that GNU Go is asked about between two checkpoints.
const QUESTIONS: usize = 25;
/// Positions that speed is measured on.
const TIMED: usize = 3000;

/// Learns by `--method knn`.
pub fn learn(
    order: &RecordOrder,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let plan = Plan::of(order)?;
    on_threads(order.threads, || {
        let corpus =
            Corpus::read(&order.data, &plan.filter, progress, stop).map_err(|e| match e {
                crate::corpus::CorpusError::Stopped => TaskError::Stopped { resumable: false },
                e => TaskError::below(e),
            })?;
        let pools = Pools::of(&plan, &corpus)?;
        let (run, begin) = open(order, &plan, &corpus)?;
        let mut job = Job { order, plan: &plan, corpus: &corpus, run, progress, stop };
        match job.work(&pools, begin) {
            Ok(account) => Ok(account),
            Err(error) => {
                let (state, message) = match &error {
                    TaskError::Stopped { .. } => (State::Stopped, String::new()),
                    other => (State::Failed, other.to_string()),
                };
                // The error that led here is the one to tell.
                let _ = job.run.set_state(state, &message);
                Err(error)
            }
        }
    })
}

fn open(
    order: &RecordOrder,
    plan: &Plan,
    corpus: &Corpus,
) -> Result<(Run, Option<Checkpoint>), TaskError> {
    let mut config = RunConfig::new(TASK, "go", order.seed);
    config.command = order.command.split(' ').map(str::to_string).collect();
    // The result is the same for any number.
    config.threads = 0;
    config.data = Some(corpus.digest());
    config.options = plan.list().into_iter().collect();
    if !order.resume {
        return Ok((Run::create(&order.out, config).map_err(TaskError::below)?, None));
    }
    match Run::resume(&order.out, Some(&config), STATE) {
        // Killed before it had begun.
        Err(RunError::NotARun(_)) => {
            Ok((Run::create(&order.out, config).map_err(TaskError::below)?, None))
        }
        other => other.map_err(TaskError::below),
    }
}

struct Job<'a> {
    order: &'a RecordOrder,
    plan: &'a Plan,
    corpus: &'a Corpus,
    run: Run,
    progress: &'a dyn Progress,
    stop: &'a StopFlag,
}

/// What was counted when a run was interrupted.
struct Half {
    games: usize,
    matched: Vec<u32>,
    played: Vec<u32>,
}

impl Job<'_> {
    fn work(&mut self, pools: &Pools, begin: Option<Checkpoint>) -> Result<Account, TaskError> {
        let (plan, corpus) = (self.plan, self.corpus);
        let draw_of = |draw: u64| pools.draw(plan, corpus, self.order.seed, draw);
        let first = draw_of(0)?;
        // Steps of each draw and way of learning: its games, and one for the result.
        let steps = first.training.len() as u64 + 1;
        let arms = plan.arms.len() as u64;
        let units = plan.draws * arms;
        let (done, mut half) = match &begin {
            None => (0, None),
            Some(saved) if saved.step >= units * steps => (units, None),
            Some(saved) => (saved.step / steps, read_half(saved, saved.step % steps)?),
        };
        self.progress.begin(Some(units * (steps - 1)));
        self.progress.advance((done * (steps - 1)).min(units * (steps - 1)));
        for number in done..units {
            let draw = if number / arms == 0 { first.clone() } else { draw_of(number / arms)? };
            let arm = &plan.arms[(number % arms) as usize];
            self.progress.message(&format!(
                "draw {} of {}: {}",
                number / arms + 1,
                plan.draws,
                arm.name
            ));
            let unit = self.unit(number, steps, &draw, arm, half.take())?;
            let step = (number + 1) * steps;
            self.run.record(step, &Line::Unit(Box::new(unit))).map_err(TaskError::below)?;
            self.save(step, None)?;
        }
        let asked = begin.map_or(0, |c| c.step.saturating_sub(units * steps));
        let note = self.ask_gnugo(&first, units * steps, asked)?;
        self.finish(pools, note)
    }

    /// Learns and tests once.
    fn unit(
        &mut self,
        number: u64,
        steps: u64,
        draw: &Draw<'_>,
        arm: &Arm,
        half: Option<Half>,
    ) -> Result<Unit, TaskError> {
        let (settings, training) = (&arm.settings, &draw.training);
        let acquisition = &training[..self.plan.acquisition.min(training.len())];
        let gathered = Gathered::from(acquisition, settings);
        let mut counting = Counting::new(settings, &gathered, training);
        if let Some(Half { games, matched, played }) = half {
            if !counting.go_on(games, &matched, &played) {
                return Err(TaskError::Unfit("the checkpoint is of other patterns".into()));
            }
            self.progress.advance(games as u64);
        }
        let mut saved = Instant::now();
        while counting.games < training.len() {
            if let Err(error) = counting.advance(training, BATCH, self.progress, self.stop) {
                self.save_half(number * steps, &counting)?;
                return Err(error);
            }
            if saved.elapsed() > PAUSE && counting.games < training.len() {
                self.save_half(number * steps, &counting)?;
                saved = Instant::now();
            }
        }
        let model = Model::new("knn", counting.database());
        if number == 0 {
            self.write_model(&model)?;
        }
        self.progress.message("testing");
        let stages = Settings::of_size(settings.size).stages;
        let accuracy = measure(&model, &draw.tests, &stages, self.stop)
            .ok_or(TaskError::Stopped { resumable: true })?;
        if self.plan.speed && number < self.plan.arms.len() as u64 {
            self.measure_speed(&model, draw, arm)?;
        }
        Ok(unit_of(
            number / self.plan.arms.len() as u64,
            draw,
            arm,
            acquisition.len(),
            &gathered,
            &model,
            accuracy,
        ))
    }

    fn save_half(&mut self, base: u64, counting: &Counting<'_>) -> Result<(), TaskError> {
        self.save(base + counting.games as u64, Some(counting.counted()))
    }

    fn save(&mut self, step: u64, counted: Option<(Vec<u32>, Vec<u32>)>) -> Result<(), TaskError> {
        let (matched, played) = counted.unwrap_or_default();
        self.run
            .checkpoint(step, STATE, |w| {
                w.array("matched", &matched)?;
                w.array("played", &played)
            })
            .map_err(TaskError::below)
    }

    fn write_model(&self, model: &Model) -> Result<(), TaskError> {
        let mut header = Header::new(Kind::Model, "go", LAYOUT);
        header.made.command = Some(self.order.command.clone());
        header.made.seed = Some(self.order.seed);
        header.made.data = Some(self.corpus.digest());
        header.notes.insert("experiment".into(), self.plan.experiment.name.into());
        header.notes.insert("patterns".into(), model.database().len().to_string());
        let path = self.order.out.join("model.zug");
        let mut writer = Writer::create(&path, &header).map_err(TaskError::below)?;
        model.database().write(&mut writer).map_err(TaskError::below)?;
        writer.commit().map_err(TaskError::below)
    }

    fn measure_speed(&self, model: &Model, draw: &Draw<'_>, arm: &Arm) -> Result<(), TaskError> {
        let mut positions: Vec<Position> = Vec::new();
        for test in &draw.tests {
            test.visit(|position, _| positions.push(position.clone()));
        }
        let every = positions.len().div_ceil(TIMED).max(1);
        let positions: Vec<Position> = positions.into_iter().step_by(every).collect();
        let Some(measured) = speed(model, &positions, self.plan.experiment.most) else {
            return Err(TaskError::Unfit("tree and list do not find the same moves".into()));
        };
        let mut timing: Timing = results(&self.order.out)?.timing;
        timing.speed.insert(arm.name.clone(), measured);
        let text = serde_json::to_string_pretty(&timing).map_err(TaskError::below)?;
        write_atomically(&self.order.out.join(SPEED), text.as_bytes()).map_err(TaskError::below)
    }

    /// Asks GNU Go about positions of the first draw, some at a time; says why not, where it does not.
    fn ask_gnugo(
        &mut self,
        draw: &Draw<'_>,
        base: u64,
        done: u64,
    ) -> Result<Option<String>, TaskError> {
        let Some(command) = &self.plan.gnugo else { return Ok(None) };
        let Some(found) = gnugo::find(command) else {
            return Ok(Some(format!("no GNU Go to compare with: '{command}' was not found")));
        };
        let all = gnugo::questions(&draw.tests, self.plan.gnugo_examples, self.order.seed);
        self.progress.message("asking GNU Go");
        self.progress.begin(Some(all.len() as u64));
        for (number, questions) in (1u64..).zip(all.chunks(QUESTIONS)) {
            if number <= done {
                continue;
            }
            let hits = gnugo::ask(&found, questions, self.stop, |_| self.progress.advance(1))
                .map_err(|e| TaskError::Unfit(format!("GNU Go ('{found}'): {e}")))?;
            if self.stop.is_set() {
                return Err(TaskError::Stopped { resumable: true });
            }
            let asked = Asked { gnugo_asked: questions.len(), gnugo_found: hits };
            self.run.record(base + number, &asked).map_err(TaskError::below)?;
            self.save(base + number, None)?;
        }
        Ok(None)
    }

    fn finish(&mut self, pools: &Pools, note: Option<String>) -> Result<Account, TaskError> {
        let skipped = match self.corpus.skipped.count() {
            0 => String::new(),
            n => format!("; {n} records passed over ({})", self.corpus.skipped),
        };
        let mut told = format!("{}{skipped}", pools.told);
        if let Some(note) = &note {
            told.push_str(&format!("\n{note}"));
        }
        self.run.set_state(State::Finished, &told).map_err(TaskError::below)?;
        let html = page(&self.order.out)?.map(|page| page.html()).unwrap_or_default();
        write_atomically(&self.order.out.join("report.html"), html.as_bytes())
            .map_err(TaskError::below)?;
        let results = results(&self.order.out)?;
        Ok(account(self.plan, &results, &told, html))
    }
}

fn read_half(saved: &Checkpoint, games: u64) -> Result<Option<Half>, TaskError> {
    if games == 0 {
        return Ok(None);
    }
    let read = |name: &str| {
        saved.container.section(name).and_then(|s| s.array(1 << 30)).map_err(TaskError::below)
    };
    Ok(Some(Half { games: games as usize, matched: read("matched")?, played: read("played")? }))
}

fn unit_of(
    draw_number: u64,
    draw: &Draw<'_>,
    arm: &Arm,
    acquisition: usize,
    gathered: &Gathered,
    model: &Model,
    accuracy: Accuracy,
) -> Unit {
    let examples = |g: &&crate::corpus::GoRecord| count_examples(g, arm.settings.plies);
    Unit {
        draw: draw_number + 1,
        arm: arm.name.clone(),
        training_games: draw.training.len(),
        training_examples: draw.training.iter().map(examples).sum(),
        acquisition_games: acquisition,
        test_games: draw.tests.len(),
        test_examples: draw.tests.iter().map(|t| t.examples).sum(),
        gathered: gathered.histogram(),
        kept: model.database().histogram(),
        bytes: model.bytes(),
        accuracy,
    }
}

fn account(plan: &Plan, results: &Results, told: &str, page: String) -> Account {
    let (rows, arms) = (results.rows(plan.experiment), results.arms());
    let mut text = format!("{}: {}\n", plan.experiment.name, plan.experiment.help);
    text.push_str(&format!("from {told}\n\n"));
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let line = |name: &str, cells: &[String]| {
        let cells: String = cells.iter().map(|c| format!("  {c:>18}")).collect();
        format!("{name:width$}{cells}\n")
    };
    if arms.len() > 1 {
        let names: Vec<String> = arms.iter().map(|a| (*a).to_string()).collect();
        text.push_str(&line("", &names));
    }
    rows.iter().for_each(|(name, cells)| text.push_str(&line(name, cells)));
    text.push_str("\nthe thesis:\n");
    for (what, value) in plan.experiment.thesis {
        text.push_str(&format!("  {what}: {value}\n"));
    }
    let longest = results.longest();
    let arms: Vec<Value> = arms.iter().map(|arm| arm_figures(results, arm, longest)).collect();
    let figures = Map::from_iter([
        ("experiment".to_string(), json!(plan.experiment.name)),
        ("taken".to_string(), json!(told)),
        ("arms".to_string(), json!(arms)),
        (
            "gnugo".to_string(),
            json!({
                "asked": results.asked.gnugo_asked,
                "found": results.asked.gnugo_found,
                "accuracy": results.gnugo(),
            }),
        ),
        (
            "thesis".to_string(),
            plan.experiment
                .thesis
                .iter()
                .map(|(k, v)| (k.to_string(), json!(v)))
                .collect::<Map<_, _>>()
                .into(),
        ),
    ]);
    Account { text, figures, page }
}

fn arm_figures(results: &Results, arm: &str, longest: usize) -> Value {
    let mean = |of: &dyn Fn(&Unit) -> f64| {
        let mean = results.mean(arm, of);
        json!({"mean": mean.mean, "spread": mean.spread, "draws": mean.draws})
    };
    let sum = |counts: &[usize]| counts.iter().sum::<usize>() as f64;
    let accuracy: Vec<f64> = (1..=longest).map(|m| results.accuracy(arm, m).mean).collect();
    let random: Vec<f64> =
        (1..=longest).map(|m| results.mean(arm, |u| u.accuracy.all.random(m)).mean).collect();
    let units: Vec<&Unit> = results.units.iter().filter(|u| u.arm == arm).collect();
    let per_k = |of: fn(&Unit) -> &Vec<usize>| {
        let longest = units.iter().map(|u| of(u).len()).max().unwrap_or(0);
        let at = |k: usize| results.mean(arm, |u| of(u).get(k).map_or(0.0, |&n| n as f64)).mean;
        (0..longest).map(at).collect::<Vec<f64>>()
    };
    json!({
        "name": arm,
        "training_games": mean(&|u| u.training_games as f64),
        "training_examples": mean(&|u| u.training_examples as f64),
        "acquisition_games": mean(&|u| u.acquisition_games as f64),
        "test_games": mean(&|u| u.test_games as f64),
        "test_examples": mean(&|u| u.test_examples as f64),
        "patterns_gathered": mean(&|u| sum(&u.gathered)),
        "patterns": mean(&|u| sum(&u.kept)),
        "gathered_by_k": per_k(|u| &u.gathered),
        "patterns_by_k": per_k(|u| &u.kept),
        "accuracy": accuracy,
        "accuracy_at_20": mean(&|u| u.accuracy.all.accuracy(20)),
        "limit": mean(&|u| u.accuracy.all.limit()),
        "mean_place_found": mean(&|u| u.accuracy.all.mean_found()),
        "mean_place_with_missed": mean(&|u| u.accuracy.all.mean_with_missed()),
        "random": random,
        "gnugo_passed_at": results.passes_gnugo_at(arm),
        "bytes": mean(&|u| u.bytes as f64),
        "bytes_per_pattern": mean(&|u| u.bytes as f64 / sum(&u.kept).max(1.0)),
        "stages": results.stages(arm),
        "speed": results.timing.speed.get(arm),
    })
}

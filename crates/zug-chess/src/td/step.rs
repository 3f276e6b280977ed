//! What does a single step of learning change? (Thesis 4.3: one lost game against a deterministic
//! opponent changed 35 weights in 2 position types; its repetition deviated after move 13 and was
//! won.)
//!
//! The learner plays with its first weights; if it loses, it learns from that one game and plays it
//! again from the same position. Everything is deterministic, so every difference comes from the
//! step. The games of a list begin at the start position (both colours), then after openings.

use super::experiment::{Experiment, model_of};
use super::game::{self, End, Played, Seat};
use super::lesson::Finish;
use super::opponents::{Breaks, Supply};
use super::student::Student;
use super::validity::{self, Clues};
use crate::engine::Evaluation;
use cozy_chess::Color;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use zug_core::files::{Journal, create_folder, read_journal};
use zug_core::seed::mix;
use zug_core::{Progress, StopFlag};
use zug_learn::face::TaskError;

const FILE: &str = "steps.jsonl";

/// One game and its repetition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeated {
    /// Its number, from 1.
    pub game: u64,
    /// The learner's colour.
    pub own: String,
    /// Half points of the learner in the first game.
    pub first: usize,
    /// Its plies.
    pub first_plies: usize,
    /// What the step did; nothing where the game was not lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Step>,
    /// By what the game or its repetition was broken, if one was: then neither says anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// What the step did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Weights that changed as whole numbers with a pawn of 200.
    pub visible: u64,
    /// In so many types.
    pub types: u64,
    /// Weights that moved at all.
    pub moved: u64,
    /// The ply of the repetition that is another one, from 1; nothing where it is the same game.
    pub deviates: Option<usize>,
    /// Half points of the learner in the repetition.
    pub second: usize,
    /// Its plies.
    pub second_plies: usize,
}

/// Plays the games of an experiment and their repetitions.
pub fn repeat(
    experiment: &Experiment<'_>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<(), TaskError> {
    create_folder(&experiment.folder).map_err(TaskError::below)?;
    let path = experiment.folder.join(FILE);
    let done = read(&experiment.folder).len() as u64;
    let mut journal = Journal::open(&path).map_err(TaskError::below)?;
    progress.set_length(Some(experiment.settings.games));
    progress.advance(done);
    let mut breaks = Breaks::default();
    for number in done..experiment.settings.games {
        let repeated = one(experiment, number, stop)?;
        journal.append(&repeated).map_err(TaskError::below)?;
        progress.advance(1);
        let (spec, give_up) = (opponent(experiment, number), experiment.settings.give_up);
        breaks.count(spec, repeated.broken.as_deref(), give_up)?;
    }
    Ok(())
}

/// What has been played in a folder.
#[must_use]
pub fn read(folder: &Path) -> Vec<Repeated> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Vec::new();
    }
    read_journal(&path).map(|j| j.entries).unwrap_or_default()
}

/// Against whom the game of this number is played.
fn opponent<'a>(experiment: &Experiment<'a>, number: u64) -> &'a str {
    let all = &experiment.settings.opponents;
    &all[(number / 2 % all.len() as u64) as usize]
}

fn one(experiment: &Experiment<'_>, number: u64, stop: &StopFlag) -> Result<Repeated, TaskError> {
    let settings = experiment.settings;
    let own = if number.is_multiple_of(2) { Color::White } else { Color::Black };
    let start = match (number < 2, experiment.supply) {
        (false, Supply::Start) => {
            Supply::Random { plies: 8, seed: experiment.seed }.line(number / 2)
        }
        (_, supply) => supply.line(number / 2),
    };
    let weights = experiment.start.weights.iter().map(|&w| f64::from(w)).collect();
    let mut student =
        Student::new(experiment.start.scheme.clone(), weights, &settings.teaching.rates);
    let spec = opponent(experiment, number);
    let play = |student: &Student| -> Result<Played, TaskError> {
        let fast = model_of(student).fast();
        let engine = game::thinker(&fast, &settings.search).map_err(TaskError::below)?;
        let mut learner = Seat::Thinker(Box::new(engine), settings.nodes);
        let player = match experiment.crew.take(spec, mix(number)) {
            Ok(player) => player,
            Err(reason) => {
                let thoughts = [Vec::new(), Vec::new()];
                return Ok(Played {
                    line: start.clone(),
                    thoughts,
                    end: End::Broken(!own, reason),
                });
            }
        };
        let mut other = Seat::Player(player, settings.nodes);
        let seats = match own {
            Color::White => [&mut learner, &mut other],
            Color::Black => [&mut other, &mut learner],
        };
        let played = game::play(start.clone(), seats, settings.most_plies, stop);
        // A foreign engine that did well plays the repetition too.
        if let (Seat::Player(player, _), End::Over(_) | End::TooLong) = (other, &played.end) {
            experiment.crew.give_back(spec, player);
        }
        match played.end {
            End::Stopped => Err(TaskError::Stopped { resumable: true }),
            _ => Ok(played),
        }
    };
    let first = play(&student)?;
    let mut repeated = Repeated {
        game: number + 1,
        own: game::color_word(own).to_string(),
        first: first.half_points(own),
        first_plies: first.line.moves().len(),
        step: None,
        broken: matches!(first.end, End::Broken(..)).then(|| first.reason()),
    };
    let End::Over(outcome) = &first.end else { return Ok(repeated) };
    let clues = Clues { told: Some(outcome), ..Clues::default() };
    if validity::finish(&first.line, own, clues) != Ok(Finish::Lost) {
        return Ok(repeated);
    }
    let fast = model_of(&student).fast();
    let notes = first.notes(own);
    let teaching = &settings.teaching;
    let (scheme, weights) = (&student.scheme, &student.weights);
    let study = teaching.study(scheme, weights, &mut fast.eye(), &notes, Finish::Lost);
    let applied = student.apply(teaching, &study);
    let second = play(&student)?;
    if let End::Broken(..) = second.end {
        repeated.broken = Some(second.reason());
        return Ok(repeated);
    }
    let same = first.line.moves().iter().zip(second.line.moves()).take_while(|(a, b)| a == b);
    let same = same.count();
    let whole = same == first.line.moves().len() && same == second.line.moves().len();
    repeated.step = Some(Step {
        visible: applied.visible,
        types: applied.visible_columns,
        moved: applied.moved,
        deviates: (!whole).then_some(same + 1),
        second: second.half_points(own),
        second_plies: second.line.moves().len(),
    });
    Ok(repeated)
}

/// Mean figures of all steps.
struct Summary {
    steps: usize,
    broken: usize,
    visible: f64,
    types: f64,
    deviated: usize,
    move_number: f64,
    better: usize,
    longer: usize,
}

fn summary(all: &[Repeated]) -> Summary {
    let steps: Vec<(&Repeated, &Step)> =
        all.iter().filter_map(|r| Some((r, r.step.as_ref()?))).collect();
    let mean = |of: &dyn Fn(&Step) -> f64| {
        steps.iter().map(|(_, s)| of(s)).sum::<f64>() / steps.len().max(1) as f64
    };
    let deviations: Vec<f64> =
        steps.iter().filter_map(|(_, s)| s.deviates).map(|ply| ply.div_ceil(2) as f64).collect();
    Summary {
        steps: steps.len(),
        broken: all.iter().filter(|r| r.broken.is_some()).count(),
        visible: mean(&|s| s.visible as f64),
        types: mean(&|s| s.types as f64),
        deviated: deviations.len(),
        move_number: deviations.iter().sum::<f64>() / deviations.len().max(1) as f64,
        better: steps.iter().filter(|(_, s)| s.second > 0).count(),
        longer: steps
            .iter()
            .filter(|(r, s)| s.second == 0 && s.second_plies > r.first_plies)
            .count(),
    }
}

/// Figures for scripts.
#[must_use]
pub fn figures(all: &[Repeated]) -> Value {
    let s = summary(all);
    json!({
        "games": all.len(),
        "lost": s.steps,
        "broken": s.broken,
        "mean_weights": s.visible,
        "mean_types": s.types,
        "deviated": s.deviated,
        "mean_move_of_deviation": s.move_number,
        "better": s.better,
        "lost_later": s.longer,
        "rows": all,
    })
}

/// The same in words.
#[must_use]
pub fn told(all: &[Repeated]) -> String {
    let s = summary(all);
    let mut text = String::new();
    let _ = write!(text, "{} games, {} lost", all.len(), s.steps);
    if s.steps > 0 {
        let (visible, types) = (s.visible, s.types);
        let _ =
            write!(text, "; a step changed {visible:.0} weights in {types:.1} types on average");
        let _ = write!(
            text,
            "\n{} repetitions deviated, at move {:.0} on average; not lost: {}, lost later: {}",
            s.deviated, s.move_number, s.better, s.longer
        );
    }
    text.push('\n');
    if let Some(first) = all.iter().find_map(|r| r.broken.as_ref()) {
        let _ = writeln!(text, "{} broken and left out, the first by {first}", s.broken);
    }
    text
}

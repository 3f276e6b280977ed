//! What is each position of a game worth, and which moves threw something away?
//!
//! [`zug_book::review`] says so; here it is asked ply by ply, in turn with everybody else's questions.

use super::asked::{Asked, Few, Whole, from_objects, to_and_from_objects};
use super::error::Refusal;
use super::players;
use super::site::Site;
use super::think::{Bell, LimitsRequest, MOST_MOVE_TIME, SEED, Sender, StopOnDrop, stream};
use super::value::Value;
use super::view::{LineRequest, MOST_MOVES, shown};
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use zug_book::review::{self, Reviewer, Step, Sure, Told, Unit, Worth};
use zug_core::exact::Settings;
use zug_core::{AnyLine, GameEntry, PlayerError, Scale, StopFlag};

/// Time for a position.
const TIME: Duration = Duration::from_millis(200);
/// Memory of a search to the end: many judge side by side.
const HASH_MIB: usize = 4;

/// A whole game is to be gone through.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct JudgeRequest {
    line: LineRequest,
    #[serde(default)]
    player: Option<String>,
    #[serde(default)]
    limits: Option<LimitsRequest>,
}

from_objects!(JudgeRequest);

/// What is told of the position after so many plies, and of the move that was played there.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Judged {
    /// Plies before the position.
    pub ply: Whole<0, { MOST_MOVES as u64 }>,
    /// What it is worth to the side to move.
    pub value: Option<Value>,
    /// The best move.
    #[serde(default)]
    pub best: Option<String>,
    /// The same for people.
    #[serde(default)]
    pub best_text: Option<String>,
    /// How the game would go on.
    #[serde(default)]
    pub line: Few<String, MOST_MOVES>,
    /// The same for people.
    #[serde(default)]
    pub texts: Few<String, MOST_MOVES>,
    /// What the move which was played lost, in `unit`.
    #[serde(default)]
    pub loss: Option<f64>,
    /// "discs", or "chance": the chance to win, 0 to 1.
    #[serde(default)]
    pub unit: Option<String>,
    /// "?!", "?", "??" where that was much.
    #[serde(default)]
    pub mark: Option<String>,
}

to_and_from_objects!(Judged);

/// `POST /judge`.
pub async fn judge(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<JudgeRequest>,
) -> Result<Response, Refusal> {
    let (entry, line) = request.line.replay(&site)?;
    let asked = request.player.is_some();
    let text = request.player.clone().unwrap_or_else(|| players::usual(&entry));
    let player = players::make(&site, &entry, &text, SEED).await?;
    let limits = request.limits.unwrap_or_default().limits(TIME);
    let settings = Settings { hash_mib: HASH_MIB, threads: 1, model: None };
    let mut reviewer = Reviewer::new(&entry, player, limits)
        .to_the_end(&entry, &settings)
        .map_err(Refusal::broken)?;
    // A player that was named judges, and no database.
    if !asked {
        let oracle = oracle(&site, &entry, reviewer.scale());
        reviewer = reviewer.knowing(oracle);
    }
    let (sender, events) = stream();
    tokio::spawn(async move {
        if let Err(refusal) = run(&site, reviewer, line, &sender).await {
            sender.send("error", &refusal.event()).await;
        }
    });
    Ok(events)
}

/// Asks the databases of the site.
fn oracle(site: &Arc<Site>, entry: &Arc<GameEntry>, scale: Scale) -> review::Oracle {
    let (site, entry) = (Arc::clone(site), Arc::clone(entry));
    Box::new(move |line| {
        let probe = site.exact(&entry, &line.position_text())?;
        let best = probe.moves.first().map(|found| found.mv.clone());
        Some(review::Judged {
            worth: Worth::of_score(probe.value.score(), Sure::Exact, scale),
            line: best.into_iter().collect(),
            depth: 0,
            others: Vec::new(),
        })
    })
}

/// Judges from the end to the beginning, and tells each ply.
async fn run(
    site: &Arc<Site>,
    mut reviewer: Reviewer,
    end: Box<dyn AnyLine>,
    sender: &Sender,
) -> Result<(), Refusal> {
    let stop = Arc::new(AtomicBool::new(false));
    let _guard = StopOnDrop(Arc::clone(&stop));
    let flag = StopFlag::from(Arc::clone(&stop));
    let scale = reviewer.scale();
    let mut is_end = true;
    loop {
        let (flag, first) = (flag.clone(), is_end.then(|| end.boxed_clone()));
        let bell = Arc::clone(&stop);
        let working = site.engines.work(move || {
            let _bell = Bell::after(MOST_MOVE_TIME, bell);
            let found = match first {
                Some(end) => reviewer.begin(&*end, &flag).map(|end| end.map(Found::End)),
                None => {
                    reviewer.step(&flag).map(|told| told.map(|told| Found::Step(Box::new(told))))
                }
            };
            (found, reviewer)
        });
        let done: (Result<Option<Found>, PlayerError>, Reviewer) = tokio::select! {
            done = working => done?,
            () = sender.closed() => return Ok(()),
        };
        reviewer = done.1;
        let Some(found) = done.0.map_err(Refusal::broken)? else { break };
        is_end = false;
        let mut at = end.boxed_clone();
        let mut told = Vec::new();
        if let Some(judged) = found.end() {
            told.push(Judged::of(&*at, judged, scale));
        }
        // What an earlier position says of later ones comes before it: the last word on each ply is
        // the one that counts.
        for step in found.steps() {
            while at.ply() > step.ply && at.undo() {}
            told.push(Judged::of_step(&*at, step, &reviewer, scale));
        }
        for judged in told {
            if !sender.send("ply", &judged).await {
                return Ok(());
            }
        }
    }
    if flag.is_set() {
        let most = MOST_MOVE_TIME.as_secs();
        return Err(Refusal::bad(format!("the player thought for longer than {most} s")));
    }
    sender.send("end", &json!({"reason": "limit"})).await;
    Ok(())
}

/// What was judged.
enum Found {
    End(review::Judged),
    Step(Box<Told>),
}

impl Found {
    /// The end of the game, if there is something new to say about it.
    fn end(&self) -> Option<&review::Judged> {
        match self {
            Found::End(judged) => Some(judged),
            Found::Step(told) => told.end.as_ref(),
        }
    }

    /// The moves that there is something new to say about, the last one first.
    fn steps(&self) -> impl Iterator<Item = &Step> {
        let told = match self {
            Found::End(_) => None,
            Found::Step(told) => Some(told),
        };
        told.into_iter().flat_map(|told| told.again.iter().rev().chain([&told.step]))
    }
}

impl Judged {
    fn of(at: &dyn AnyLine, judged: &review::Judged, scale: Scale) -> Judged {
        let best = judged.line.first().cloned();
        Judged {
            ply: Whole::of(at.ply()),
            value: Some(Value::of_worth(judged.worth, at, scale)),
            best_text: best.as_ref().and_then(|mv| at.shown(mv).ok()),
            best,
            texts: Few(shown(at, &judged.line)),
            line: Few(judged.line.clone()),
            loss: None,
            unit: None,
            mark: None,
        }
    }

    fn of_step(at: &dyn AnyLine, step: &Step, reviewer: &Reviewer, scale: Scale) -> Judged {
        let (loss, unit) = match reviewer.grading().unit {
            Unit::Discs => (step.loss, "discs"),
            Unit::Percent => (step.loss / 100.0, "chance"),
        };
        Judged {
            loss: Some(loss),
            unit: Some(unit.to_string()),
            mark: step.mark.map(|mark| mark.sign().to_string()),
            ..Judged::of(at, &step.before, scale)
        }
    }
}

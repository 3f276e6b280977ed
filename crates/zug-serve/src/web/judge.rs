//! What is each position of a game worth, and which moves threw something away?

use super::asked::Asked;
use super::error::Refusal;
use super::players;
use super::site::{Kind, Site};
use super::think::{LimitsRequest, SEED, Sender, StopOnDrop, stream};
use super::value::Value;
use super::view::{LineRequest, shown};
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use zug_core::{AnyLine, GameEntry, Info, Limits, Mark, Player, PlayerError, Score, Side, Watch};

/// Time for a position.
const TIME: Duration = Duration::from_millis(200);

/// A whole game is to be gone through.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeRequest {
    line: LineRequest,
    #[serde(default)]
    player: Option<String>,
    #[serde(default)]
    limits: Option<LimitsRequest>,
}

/// What is told of the position after so many plies, and of the move that was played there.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// Plies before the position.
    pub ply: usize,
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
    pub line: Vec<String>,
    /// The same for people.
    #[serde(default)]
    pub texts: Vec<String>,
    /// The chance to win, 0 to 1, that the move which was played gave away.
    #[serde(default)]
    pub loss: Option<f64>,
    /// "?!", "?", "??" where that was much.
    #[serde(default)]
    pub mark: Option<String>,
}

/// The name of a move that gave so much of the winning chances away.
pub fn verdict(loss: f64) -> Option<Mark> {
    match loss {
        l if l >= 0.2 => Some(Mark::Blunder),
        l if l >= 0.1 => Some(Mark::Mistake),
        l if l >= 0.05 => Some(Mark::Doubtful),
        _ => None,
    }
}

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
    let (sender, events) = stream();
    let judging = Judging { site, entry, limits, scale: Kind::of(&line.spec()), asked };
    tokio::spawn(async move {
        if let Err(refusal) = judging.run(player, line, &sender).await {
            sender.send("error", &refusal.event()).await;
        }
    });
    Ok(events)
}

struct Judging {
    site: Arc<Site>,
    entry: Arc<GameEntry>,
    limits: Limits,
    scale: Kind,
    /// Was a player named? Then it judges, and no database.
    asked: bool,
}

impl Judging {
    async fn run(
        &self,
        mut player: Box<dyn Player>,
        line: Box<dyn AnyLine>,
        sender: &Sender,
    ) -> Result<(), Refusal> {
        let stop = Arc::new(AtomicBool::new(false));
        let _guard = StopOnDrop(Arc::clone(&stop));
        let played = line.moves();
        let mut lines = vec![line.boxed_clone()];
        let mut at = line;
        while at.undo() {
            lines.push(at.boxed_clone());
        }
        // From the end to the beginning: what is remembered of later positions helps earlier ones.
        let mut after: Option<f64> = None;
        for at in lines {
            let (ply, side) = (at.ply(), at.to_move());
            let mut told = if let Some(outcome) = at.outcome() {
                let score = Score::of_outcome(&outcome, side, 0);
                let value = Value::of_score(score, true, side, self.scale.scale());
                Judged { value: Some(value), ..Judged::of(ply) }
            } else {
                let working = self.look(player, at, Arc::clone(&stop));
                let done = tokio::select! {
                    done = working => done?,
                    () = sender.closed() => return Ok(()),
                };
                player = done.1;
                done.0.map_err(Refusal::broken)?
            };
            told.weigh(side, played.get(ply), after);
            after = told.value.as_ref().map(|v| v.chance);
            if !sender.send("ply", &told).await {
                return Ok(());
            }
        }
        sender.send("end", &json!({"reason": "limit"})).await;
        Ok(())
    }

    /// What is known or thought of a position that is not the end.
    async fn look(
        &self,
        mut player: Box<dyn Player>,
        at: Box<dyn AnyLine>,
        stop: Arc<AtomicBool>,
    ) -> Result<(Result<Judged, PlayerError>, Box<dyn Player>), Refusal> {
        let (site, entry) = (Arc::clone(&self.site), Arc::clone(&self.entry));
        let (limits, scale, asked) = (self.limits.clone(), self.scale.scale(), self.asked);
        let work = move || {
            let (ply, side) = (at.ply(), at.to_move());
            let exact = if asked { None } else { site.exact(&entry, &at.position_text()) };
            if let Some(probe) = exact {
                let best = probe.moves.first().map(|m| m.mv.clone());
                let judged = Judged {
                    value: Some(Value::of_score(probe.value.score(), true, side, scale)),
                    best_text: best.as_ref().and_then(|mv| at.shown(mv).ok()),
                    texts: best.iter().filter_map(|mv| at.shown(mv).ok()).collect(),
                    line: best.iter().cloned().collect(),
                    best,
                    ..Judged::of(ply)
                };
                return (Ok(judged), player);
            }
            let mut ignore = |_: &Info| {};
            let chosen = player.choose(at.as_ref(), &limits, &mut Watch::new(stop, &mut ignore));
            let judged = chosen.map(|choice| {
                let info = choice.info.unwrap_or_default();
                Judged {
                    value: Value::of_info(&info, side, scale),
                    best_text: at.shown(&choice.mv).ok(),
                    best: Some(choice.mv),
                    texts: shown(at.as_ref(), &info.line),
                    line: info.line,
                    ..Judged::of(ply)
                }
            });
            (judged, player)
        };
        self.site.engines.work(work).await
    }
}

impl Judged {
    fn of(ply: usize) -> Judged {
        Judged {
            ply,
            value: None,
            best: None,
            best_text: None,
            line: Vec::new(),
            texts: Vec::new(),
            loss: None,
            mark: None,
        }
    }

    /// What did the move cost that was played here? `after` is the chance of the first side after it.
    fn weigh(&mut self, side: Side, played: Option<&String>, after: Option<f64>) {
        let (Some(played), Some(value), Some(after)) = (played, &self.value, after) else { return };
        let own = |chance: f64| if side == Side::First { chance } else { 1.0 - chance };
        // The best move itself costs nothing, whatever a deeper look says one ply later.
        let loss = if self.best.as_ref() == Some(played) {
            0.0
        } else {
            (own(value.chance) - own(after)).max(0.0)
        };
        self.loss = Some(loss);
        self.mark = verdict(loss).map(|mark| mark.sign().to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(side: Side, before: f64, after: f64, best: &str) -> Judged {
        let value = Value { chance: before, ..Value::of_chance(0.5, side) };
        let best = Some(best.to_string());
        let mut judged = Judged { value: Some(value), best, ..Judged::of(3) };
        judged.weigh(side, Some(&"e4".to_string()), Some(after));
        judged
    }

    #[test]
    fn a_move_costs_what_it_takes_from_the_chances_of_its_side() {
        let bad = judged(Side::First, 0.6, 0.35, "d4");
        assert!((bad.loss.unwrap() - 0.25).abs() < 1e-9);
        assert_eq!(bad.mark.as_deref(), Some("??"));
        assert_eq!(judged(Side::Second, 0.4, 0.52, "d4").mark.as_deref(), Some("?"));
        assert_eq!(judged(Side::Second, 0.4, 0.46, "d4").mark.as_deref(), Some("?!"));
        assert_eq!(judged(Side::Second, 0.6, 0.35, "d4").mark, None, "it gained");
        assert_eq!(judged(Side::First, 0.6, 0.35, "e4").loss, Some(0.0), "it was the best");
    }
}

//! Moves and analyses. An analysis is a stream that gets better: the engine thinks in slices, each
//! twice as long as the one before, and others have their turn in between. Whoever leaves is
//! forgotten at once.

use super::asked::{Asked, Whole, from_objects};
use super::error::Refusal;
use super::players;
use super::site::Site;
use super::value::Value;
use super::view::{LineRequest, View, shown};
use axum::Json;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use zug_book::review::{scale_of, scale_of_game};
use zug_core::{
    AnyLine, Choice, Clock, GameEntry, Info, Limits, Player, PlayerError, Scale, Watch,
};

/// No move takes longer, whatever is asked for.
pub(super) const MOST_MOVE_TIME: Duration = Duration::from_secs(60);
/// An analysis ends after so much thinking.
const MOST_ANALYSIS: Duration = Duration::from_secs(60);
/// The first slice of an analysis.
const FIRST_SLICE: Duration = Duration::from_millis(100);
const LAST_SLICE: Duration = Duration::from_secs(4);

/// A time; whatever is longer than [`MOST_MOVE_TIME`] is taken as that.
type Milliseconds = Whole<0, 10_000_000_000>;

/// How long to think.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, remote = "Self")]
pub struct LimitsRequest {
    movetime_ms: Option<Milliseconds>,
    depth: Option<Whole<0, 1000>>,
    nodes: Option<Whole<0, 1_000_000_000_000_000>>,
    clock: Option<ClockRequest>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct ClockRequest {
    remaining_ms: [Milliseconds; 2],
    #[serde(default)]
    increment_ms: Option<[Milliseconds; 2]>,
}

from_objects!(LimitsRequest, ClockRequest);

impl LimitsRequest {
    /// As the player gets it: there is always a bound on time.
    pub(super) fn limits(&self, usual: Duration) -> Limits {
        let time = |ms: Milliseconds| Duration::from_millis(ms.get());
        let given = self.movetime_ms.map(time);
        let bounded = self.depth.is_some() || self.nodes.is_some();
        let most = if bounded { MOST_MOVE_TIME } else { usual };
        let clock = self.clock.as_ref().map(|c| Clock {
            remaining: c.remaining_ms.map(time),
            increment: c.increment_ms.map_or([Duration::ZERO; 2], |ms| ms.map(time)),
            moves_to_go: None,
        });
        let movetime = match (given, &clock) {
            (None, Some(_)) => None,
            (time, _) => Some(time.unwrap_or(most).min(MOST_MOVE_TIME)),
        };
        let depth = self.depth.map(|depth| depth.get() as u32);
        Limits { depth, nodes: self.nodes.map(Whole::get), movetime, clock, ..Limits::default() }
    }
}

/// What a player thinks of a move.
#[derive(Clone, Debug, Serialize)]
pub struct InfoView {
    rank: usize,
    #[serde(rename = "move")]
    mv: Option<String>,
    value: Option<Value>,
    depth: u32,
    deepest: u32,
    nodes: u64,
    line: Vec<String>,
    texts: Vec<String>,
}

impl InfoView {
    fn of(info: &Info, line: &dyn AnyLine, scale: Scale) -> InfoView {
        InfoView {
            texts: shown(line, &info.line),
            rank: info.rank.max(1),
            mv: info.line.first().cloned(),
            value: Value::of_info(info, line, scale),
            depth: info.depth,
            deepest: info.deepest,
            nodes: info.nodes,
            line: info.line.clone(),
        }
    }
}

/// An analysis is not to change from one look to the next.
pub(super) const SEED: u64 = 1;

/// A move is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct MoveRequest {
    line: LineRequest,
    #[serde(default)]
    level: Option<String>,
    #[serde(default)]
    player: Option<String>,
    #[serde(default)]
    limits: Option<LimitsRequest>,
    /// For players that choose at random: the same one gives the same move.
    #[serde(default)]
    seed: Option<Whole<0, { u64::MAX }>>,
}

from_objects!(MoveRequest);

/// A move, and the board after it.
#[derive(Debug, Serialize)]
pub struct MoveAnswer {
    #[serde(rename = "move")]
    mv: String,
    resigns: bool,
    info: Option<InfoView>,
    view: View,
}

/// Sets a flag when it goes: the request was given up.
pub(super) struct StopOnDrop(pub(super) Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Sets a flag after a while, unless it is taken away before: a player with limits of its own (`depth=60`) heeds
/// no others, but it heeds this.
pub(super) struct Bell(tokio::task::AbortHandle);

impl Bell {
    pub(super) fn after(time: Duration, flag: Arc<AtomicBool>) -> Bell {
        let ring = async move {
            tokio::time::sleep(time).await;
            flag.store(true, Ordering::Relaxed);
        };
        Bell(tokio::runtime::Handle::current().spawn(ring).abort_handle())
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// `POST /move`.
pub async fn choose_move(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<MoveRequest>,
) -> Result<Json<MoveAnswer>, Refusal> {
    let (entry, mut line) = request.line.replay(&site)?;
    if line.outcome().is_some() {
        return Err(Refusal::bad("the game has ended").at("line"));
    }
    let text = match (&request.player, &request.level) {
        (Some(player), _) => player.clone(),
        (None, Some(level)) => {
            let solved = super::solved::is_playable(&site, &entry);
            let all = super::levels::levels(&entry, solved);
            let found = all.into_iter().find(|l| l.name == *level);
            found.ok_or_else(|| Refusal::bad("expected the name of a level").at("level"))?.player
        }
        (None, None) => players::usual(&entry),
    };
    let seed = request.seed.map_or_else(|| site.draw_seed(), Whole::get);
    let mut player = players::make(&site, &entry, &text, seed).await?;
    let limits = request.limits.unwrap_or_default().limits(Duration::from_secs(1));
    let scale = scale_of(&entry, &*player);
    let stop = Arc::new(AtomicBool::new(false));
    let _guard = StopOnDrop(Arc::clone(&stop));
    let bell = Arc::clone(&stop);
    let asked = line.boxed_clone();
    let thinking = move || {
        player.new_game(asked.as_ref())?;
        let _bell = Bell::after(MOST_MOVE_TIME, bell);
        let mut ignore = |_: &Info| {};
        player.choose(asked.as_ref(), &limits, &mut Watch::new(stop, &mut ignore))
    };
    let choice: Result<Choice, PlayerError> = site.engines.work(thinking).await?;
    let choice = choice.map_err(Refusal::broken)?;
    let info = choice.info.map(|info| InfoView::of(&info, line.as_ref(), scale));
    let mv = line.play(&choice.mv).map_err(Refusal::broken)?;
    Ok(Json(MoveAnswer {
        mv,
        resigns: choice.resigns,
        info,
        view: View::of(&entry, line.as_ref()),
    }))
}

/// An analysis is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct AnalyseRequest {
    line: LineRequest,
    #[serde(default)]
    player: Option<String>,
    /// Of more than there are moves, so many are meant.
    #[serde(default)]
    lines: Option<Whole<0, 1000>>,
    /// Every legal move?
    #[serde(default)]
    all: bool,
    #[serde(default)]
    limits: Option<LimitsRequest>,
}

from_objects!(AnalyseRequest);

/// Where events go; nobody listens any more when sending fails.
#[derive(Clone)]
pub(super) struct Sender(mpsc::Sender<Result<Event, Infallible>>);

impl Sender {
    /// Done when nobody listens any more.
    pub(super) async fn closed(&self) {
        self.0.closed().await;
    }

    pub(super) async fn send(&self, name: &str, data: &impl Serialize) -> bool {
        let event = Event::default().event(name).json_data(data);
        match event {
            Ok(event) => self.0.send(Ok(event)).await.is_ok(),
            Err(_) => false,
        }
    }
}

pub(super) fn stream() -> (Sender, Response) {
    let (sender, receiver) = mpsc::channel(8);
    let events = Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default());
    (Sender(sender), events.into_response())
}

/// The best lines so far, as they are shown.
struct Board {
    line: Box<dyn AnyLine>,
    scale: Scale,
    lines: BTreeMap<usize, Info>,
    /// Nodes of slices that are over.
    before: u64,
    began: Instant,
}

impl Board {
    /// Takes a report, unless a shallower one of a later slice.
    fn take(&mut self, info: &Info) {
        let rank = info.rank.max(1);
        let known = self.lines.get(&rank);
        let better = known.is_none_or(|k| info.win_rate.is_some() || info.depth >= k.depth);
        if better {
            self.lines.insert(rank, Info { nodes: self.before + info.nodes, ..info.clone() });
        }
    }

    fn finished(&self) -> bool {
        !self.lines.is_empty() && self.lines.values().all(|i| i.proven)
    }

    fn told(&self) -> serde_json::Value {
        // A slice may tell fewer lines than the one before; what is left of that must not come twice.
        let mut seen = std::collections::HashSet::new();
        let fresh = self.lines.values().filter(|i| seen.insert(i.line.first().cloned()));
        let lines: Vec<InfoView> =
            fresh.map(|i| InfoView::of(i, self.line.as_ref(), self.scale)).collect();
        let nodes = self.lines.values().map(|i| i.nodes).max().unwrap_or(0);
        json!({
            "depth": self.lines.values().map(|i| i.depth).max().unwrap_or(0),
            "nodes": nodes,
            "elapsed_ms": self.began.elapsed().as_millis() as u64,
            "finished": self.finished(),
            "lines": lines,
        })
    }
}

/// `POST /analyse`.
pub async fn analyse(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<AnalyseRequest>,
) -> Result<Response, Refusal> {
    let (entry, line) = request.line.replay(&site)?;
    if line.outcome().is_some() {
        return Err(Refusal::bad("the game has ended: there is nothing to analyse").at("line"));
    }
    let asked = request.player.is_some();
    let text = request.player.clone().unwrap_or_else(|| players::usual(&entry));
    let player = players::make(&site, &entry, &text, SEED).await?;
    let scale = scale_of(&entry, &*player);
    let legal = line.legal_moves().len();
    let lines = if request.all {
        legal
    } else {
        request.lines.map_or(1, Whole::size).clamp(1, legal.max(1))
    };
    let limits = Limits { lines, ..request.limits.unwrap_or_default().limits(MOST_ANALYSIS) };
    let (sender, events) = stream();
    tokio::spawn(async move {
        // Where a database knows the answer nobody has to think, unless the asker wants to know what a
        // certain player makes of it.
        if !asked && let Some(told) = known(&site, &entry, line.boxed_clone(), lines).await {
            sender.send("lines", &told).await;
            sender.send("end", &json!({"reason": "exact"})).await;
            return;
        }
        if let Err(refusal) = think(&site, (player, scale), line, limits, &sender).await {
            sender.send("error", &refusal.event()).await;
        }
    });
    Ok(events)
}

/// Plies of a line that is taken from a database.
const KNOWN_PLIES: usize = 12;

/// The best moves of a position that a database knows.
async fn known(
    site: &Arc<Site>,
    entry: &Arc<GameEntry>,
    line: Box<dyn AnyLine>,
    lines: usize,
) -> Option<serde_json::Value> {
    let (shelf, entry) = (Arc::clone(site), Arc::clone(entry));
    let look = move || {
        let began = Instant::now();
        let probe = shelf.exact(&entry, &line.position_text())?;
        let (side, scale) = (line.to_move(), scale_of_game(&entry));
        let moves = probe.moves.iter().take(lines).enumerate();
        let lines: Vec<InfoView> = moves
            .map(|(i, m)| {
                let moves = follow(&shelf, &entry, line.as_ref(), &m.mv);
                let plies = m.value.plies().map_or(0, u32::from);
                InfoView {
                    texts: shown(line.as_ref(), &moves),
                    rank: i + 1,
                    mv: Some(m.mv.clone()),
                    value: Some(Value::of_score(m.value.score(), true, side, scale)),
                    depth: plies,
                    deepest: plies,
                    nodes: 0,
                    line: moves,
                }
            })
            .collect();
        let depth = lines.iter().map(|l| l.depth).max().unwrap_or(0);
        (!lines.is_empty()).then(|| {
            json!({"depth": depth, "nodes": 0, "finished": true, "lines": lines,
                "elapsed_ms": began.elapsed().as_millis() as u64})
        })
    };
    site.engines.work(look).await.ok()?
}

/// A move, and how both sides go on best according to the database.
fn follow(site: &Site, entry: &GameEntry, line: &dyn AnyLine, first: &str) -> Vec<String> {
    let (mut line, mut moves) = (line.boxed_clone(), Vec::new());
    let mut next = Some(first.to_string());
    while let Some(mv) = next.take() {
        if moves.len() >= KNOWN_PLIES || line.play(&mv).is_err() {
            break;
        }
        moves.push(mv);
        if line.outcome().is_none() {
            let probe = site.exact(entry, &line.position_text());
            next = probe.and_then(|p| p.moves.into_iter().next()).map(|m| m.mv);
        }
    }
    moves
}

/// Thinks slice by slice until a limit is reached, nothing is left to find out, or nobody listens.
async fn think(
    site: &Site,
    (mut player, scale): (Box<dyn Player>, Scale),
    line: Box<dyn AnyLine>,
    limits: Limits,
    sender: &Sender,
) -> Result<(), Refusal> {
    let stop = Arc::new(AtomicBool::new(false));
    let _guard = StopOnDrop(Arc::clone(&stop));
    let mut board = Board {
        line: line.boxed_clone(),
        scale,
        lines: BTreeMap::new(),
        before: 0,
        began: Instant::now(),
    };
    let total = limits.movetime.unwrap_or(MOST_ANALYSIS);
    let (mut slice, mut spent, mut line, mut first) = (FIRST_SLICE, Duration::ZERO, line, true);
    let reason = loop {
        let ahead = site.engines.ahead();
        if ahead > 0 && !sender.send("wait", &json!({"ahead": ahead})).await {
            return Ok(());
        }
        let time = slice.min(total.saturating_sub(spent)).max(Duration::from_millis(1));
        let share = Limits { movetime: Some(time), clock: None, ..limits.clone() };
        let (told, mut reports) = mpsc::unbounded_channel();
        let flag = Arc::clone(&stop);
        let work = move || {
            let begun = if first { player.new_game(line.as_ref()) } else { Ok(()) };
            let mut keep = |info: &Info| {
                let _ = told.send(info.clone());
            };
            let _bell = Bell::after(MOST_ANALYSIS, Arc::clone(&flag));
            let chosen = begun.and_then(|()| {
                player.choose(line.as_ref(), &share, &mut Watch::new(flag, &mut keep))
            });
            (chosen, player, line)
        };
        let working = site.engines.work(work);
        tokio::pin!(working);
        let mut news = false;
        let mut tick = tokio::time::interval(Duration::from_millis(100));
        let (chosen, back, same) = loop {
            tokio::select! {
                // What was reported comes before the end of the work that reported it.
                biased;
                Some(info) = reports.recv() => {
                    board.take(&info);
                    news = true;
                }
                done = &mut working => break done?,
                () = sender.closed() => {
                    // The engine notices the flag; its permit is free when it has.
                    stop.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                _ = tick.tick() => {
                    if std::mem::take(&mut news) && !sender.send("lines", &board.told()).await {
                        return Ok(());
                    }
                }
            }
        };
        (player, line, first) = (back, same, false);
        while let Ok(info) = reports.try_recv() {
            board.take(&info);
        }
        let choice = chosen.map_err(Refusal::broken)?;
        if board.lines.is_empty() {
            let plain = || Info { line: vec![choice.mv.clone()], ..Info::default() };
            board.take(&choice.info.clone().unwrap_or_else(plain));
        }
        board.before = board.lines.values().map(|i| i.nodes).max().unwrap_or(0);
        if !sender.send("lines", &board.told()).await {
            return Ok(());
        }
        spent += time;
        slice = (slice * 2).min(LAST_SLICE);
        if board.finished() {
            break "exact";
        }
        // A player that reports nothing has said all it can.
        let deep = limits.depth.is_some_and(|d| board.lines.values().any(|i| i.depth >= d));
        let many = limits.nodes.is_some_and(|n| board.before >= n);
        let late = stop.load(Ordering::Relaxed);
        if spent >= total || deep || many || late || choice.info.is_none() {
            break "limit";
        }
    };
    sender.send("end", &json!({"reason": reason})).await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_bell_rings_unless_it_is_taken_away() {
        let (rung, taken) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let _bell = Bell::after(Duration::from_millis(1), Arc::clone(&rung));
        drop(Bell::after(Duration::from_millis(1), Arc::clone(&taken)));
        while !rung.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!taken.load(Ordering::Relaxed));
    }
}

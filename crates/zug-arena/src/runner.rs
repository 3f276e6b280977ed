//! How are the games of a match played, several at once, and resumed?
//!
//! Games are numbered: round after round, in each round every encounter, in each encounter two
//! games with colours swapped. Everything about a game follows from the seed and its number, so
//! the result does not depend on how many are played at once. (Where a player learns, its games are
//! played one after the other.) The calling thread keeps the books
//! (journal, records, standings, alarms); workers only play.

mod standings;

use crate::config::{MatchConfig, MatchError, Progress};
use crate::journal::{self, Journal};
use crate::openings::{Openings, Supply};
use crate::participant::Participant;
use crate::records::Records;
use crate::referee::{self, Alarm, NoResult, Rules};
use crate::report::{GameResult, MatchReport};
use standings::Standings;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tracing::{info, warn};
use zug_core::seed::mix;
use zug_core::{GameEntry, Player, PlayerError, Side};

/// Plays a match. `progress` is told after each finished game.
///
/// Where the journal exists, the games in it are not played again. When `config.stop` is set the
/// report covers the games finished so far and is not `complete`.
pub fn run_match(
    entry: &GameEntry,
    participants: &[Participant<'_>],
    config: &MatchConfig,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<MatchReport, MatchError> {
    let plan = Plan::new(participants, config)?;
    check_openings(entry, &config.openings)?;
    let names: Vec<String> = participants.iter().map(|p| p.name.clone()).collect();
    let mut records = Records::new(entry, names.clone(), &plan.games, config)?;
    let offset = if config.replace { 0 } else { records.as_ref().map_or(0, Records::length) };
    let description = journal::describe(entry, participants, config);
    let mut journal = match &config.journal {
        Some(path) => Some(Journal::open(path, &description, offset, config.replace)?),
        None => None,
    };
    // Not before it is sure that the match will be played.
    if let (true, Some(records)) = (config.replace, &records) {
        records.clear()?;
    }
    let learners = participants.iter().filter(|p| p.factory.learns());
    let learners: Vec<String> = learners.map(|p| p.name.clone()).collect();
    if !learners.is_empty() && config.concurrency > 1 {
        warn!("games are played one after the other, since {} learns", learners.join(", "));
    }
    let mut standings = Standings::new(entry, names, plan.encounters.clone(), config);
    standings.learners = learners;
    standings.limits = participants.iter().map(|p| p.limit_words(&config.limit)).collect();
    let mut done = HashSet::new();
    if let Some(journal) = &journal {
        for game in &journal.games {
            plan.check(game, &done).map_err(|reason| MatchError::Journal {
                path: config.journal.clone().unwrap_or_default(),
                reason,
            })?;
            done.insert(game.index);
            standings.add(game);
        }
        if let Some(records) = &mut records {
            if let Some(end) = standings.end() {
                records.end_at(end);
            }
            records.resume(&journal.games, journal.records_offset)?;
        }
    }
    let todo: Vec<usize> = plan.games.iter().copied().filter(|i| !done.contains(i)).collect();
    info!(
        game = entry.game.spec(),
        limit = %config.limit,
        seed = config.seed,
        concurrency = config.concurrency,
        "match of {} games, {} of them finished earlier: {}",
        plan.games.len(),
        done.len(),
        standings.names().join(", ")
    );
    let mut played = Ok(());
    if !todo.is_empty() && standings.end().is_none() {
        let ready = start_all(entry, participants)?;
        let mut books = Books {
            journal: journal.as_mut(),
            records: records.as_mut(),
            standings: &mut standings,
            played: done.len(),
            total: plan.games.len(),
            progress,
        };
        played = play_all(entry, participants, config, &plan, &todo, ready, &mut books);
    }
    // Whatever went wrong, the games that were finished are kept.
    let kept = records.as_mut().map_or(Ok(()), Records::finish);
    played.and(kept)?;
    standings.finish();
    let report = standings.report(plan.games.len());
    info!(played = report.played, planned = report.planned, "match over: {}", report.one_line());
    Ok(report)
}

/// Which games there are.
struct Plan {
    encounters: Vec<(usize, usize)>,
    games: Vec<usize>,
    per_encounter: usize,
}

impl Plan {
    fn new(participants: &[Participant<'_>], config: &MatchConfig) -> Result<Plan, MatchError> {
        let wrong = |reason: &str| Err(MatchError::Config(reason.to_string()));
        if participants.len() < 2 {
            return wrong("a match needs at least two players");
        }
        let names: HashSet<&str> = participants.iter().map(|p| p.name.as_str()).collect();
        if names.len() < participants.len() {
            return wrong("two players have the same name");
        }
        if config.games == 0 {
            return wrong("a match needs at least one game");
        }
        if config.sprt.is_some() && participants.len() != 2 {
            return wrong("a sequential test compares two players, not more");
        }
        if let Some((anchor, _)) = &config.anchor
            && !names.contains(anchor.as_str())
        {
            let known: Vec<&str> = participants.iter().map(|p| p.name.as_str()).collect();
            let reason =
                format!("the anchor '{anchor}' is none of the players ({})", known.join(", "));
            return Err(MatchError::Config(reason));
        }
        let encounters = config.schedule.encounters(participants.len());
        let rounds = config.games.div_ceil(2);
        if rounds.saturating_mul(encounters.len()) > 10_000_000 {
            return wrong("more than ten million pairs of games");
        }
        let mut plan = Plan { encounters, games: Vec::new(), per_encounter: config.games };
        let all = rounds * plan.encounters.len() * 2;
        plan.games = (0..all).filter(|&i| plan.is_planned(i)).collect();
        Ok(plan)
    }

    /// With an odd number of games the last round has one game, not two.
    fn is_planned(&self, index: usize) -> bool {
        self.pair(index) * 2 + index % 2 < self.per_encounter
    }

    /// The round, and with it the opening.
    fn pair(&self, index: usize) -> usize {
        index / (2 * self.encounters.len())
    }

    fn players(&self, index: usize) -> [usize; 2] {
        let (a, b) = self.encounters[index / 2 % self.encounters.len()];
        if index.is_multiple_of(2) { [a, b] } else { [b, a] }
    }

    /// Can a game of a journal be one of this match?
    fn check(&self, game: &GameResult, done: &HashSet<usize>) -> Result<(), String> {
        let number = game.index + 1;
        if !self.is_planned(game.index) {
            return Err(format!("holds game {number}, but the match has {}", self.games.len()));
        }
        if self.players(game.index) != game.players {
            return Err(format!("game {number} is between other players than planned"));
        }
        if done.contains(&game.index) {
            return Err(format!("holds game {number} twice"));
        }
        Ok(())
    }
}

fn check_openings(entry: &GameEntry, openings: &Openings) -> Result<(), MatchError> {
    let Openings::List(list) = openings else { return Ok(()) };
    if list.is_empty() {
        return Err(MatchError::Openings("the list is empty".to_string()));
    }
    for (i, opening) in list.iter().enumerate() {
        let number = i + 1;
        let line = opening
            .line(entry.game.as_ref())
            .map_err(|e| MatchError::Openings(format!("number {number}: {e}")))?;
        if let Some(outcome) = line.outcome() {
            let reason = format!("number {number}: the game is over ({})", outcome.reason);
            return Err(MatchError::Openings(reason));
        }
    }
    Ok(())
}

type Ready = HashMap<usize, Box<dyn Player>>;

/// Makes every player once, so that a missing program or a wrong option is an error before the
/// match and not a hundred lost games. Those that can be used again are kept for a worker.
fn start_all(entry: &GameEntry, participants: &[Participant<'_>]) -> Result<Ready, MatchError> {
    let mut ready = Ready::new();
    let line = entry.game.new_line();
    for (i, participant) in participants.iter().enumerate() {
        let failed = |error| MatchError::Player { name: participant.name.clone(), error };
        let mut player = participant.factory.make(0).map_err(failed)?;
        if participant.factory.is_reused() {
            player.new_game(line.as_ref()).map_err(failed)?;
            ready.insert(i, player);
        }
    }
    Ok(ready)
}

/// What the calling thread keeps.
struct Books<'b, 'p> {
    journal: Option<&'b mut Journal>,
    records: Option<&'b mut Records<'p>>,
    standings: &'b mut Standings<'p>,
    played: usize,
    total: usize,
    progress: &'b mut dyn FnMut(&Progress<'_>),
}

impl Books<'_, '_> {
    /// Enters a finished game. True when the match is decided.
    fn enter(&mut self, game: &GameResult) -> Result<bool, MatchError> {
        if self.standings.end().is_some() {
            // It was in progress when the decision fell, and counts for nothing.
            return Ok(true);
        }
        if let Some(journal) = &mut self.journal {
            journal.add(game)?;
        }
        self.standings.add(game);
        if let Some(records) = &mut self.records {
            if let Some(end) = self.standings.end() {
                records.end_at(end);
            }
            records.add(game)?;
        }
        self.played += 1;
        self.log(game);
        let report = self.standings.report(self.total);
        let (done, total) = (self.played, self.total);
        (self.progress)(&Progress { game, done, total, report: &report });
        Ok(self.standings.end().is_some())
    }

    fn log(&self, game: &GameResult) {
        let names = self.standings.names();
        let [first, second] = game.players.map(|i| names[i].as_str());
        let result = match game.winner {
            Some(0) => "1-0",
            Some(_) => "0-1",
            None => "½-½",
        };
        info!(
            plies = game.moves.len(),
            "game {}: {first} - {second} {result}: {}",
            game.index + 1,
            game.reason
        );
    }
}

enum Message {
    Finished(Box<GameResult>),
    Failed(MatchError),
    Left,
}

/// How often alarms and the stop flag are looked at.
const TICK: Duration = Duration::from_millis(10);

fn play_all(
    entry: &GameEntry,
    participants: &[Participant<'_>],
    config: &MatchConfig,
    plan: &Plan,
    todo: &[usize],
    ready: Ready,
    books: &mut Books<'_, '_>,
) -> Result<(), MatchError> {
    // What a learner makes of a game decides the next one: there is only one order to play them in.
    let learns = participants.iter().any(|p| p.factory.learns());
    let workers = if learns { 1 } else { config.concurrency.clamp(1, todo.len().min(1024)) };
    let alarms: Vec<Alarm> = (0..workers).map(|_| Alarm::default()).collect();
    let halt = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let supply = Mutex::new(Supply::new(entry.game.as_ref(), &config.openings, config.seed));
    let (sender, receiver) = channel();
    let mut ready = Some(ready);
    std::thread::scope(|scope| {
        for alarm in &alarms {
            let worker = Worker {
                entry,
                participants,
                config,
                plan,
                todo,
                next: &next,
                halt: &halt,
                alarm,
                supply: &supply,
                players: ready.take().unwrap_or_default(),
                sender: sender.clone(),
            };
            scope.spawn(move || worker.run());
        }
        drop(sender);
        keep_books(&receiver, &alarms, &halt, &config.stop, books)
    })
}

fn keep_books(
    receiver: &Receiver<Message>,
    alarms: &[Alarm],
    halt: &AtomicBool,
    stop: &AtomicBool,
    books: &mut Books<'_, '_>,
) -> Result<(), MatchError> {
    let mut result = Ok(());
    let mut left = 0;
    while left < alarms.len() {
        let message = receiver.recv_timeout(TICK);
        if stop.load(Ordering::Relaxed) {
            halt.store(true, Ordering::Relaxed);
        }
        match message {
            Ok(Message::Finished(game)) if result.is_ok() => match books.enter(&game) {
                Ok(decided) if decided => halt.store(true, Ordering::Relaxed),
                Ok(_) => {}
                Err(error) => {
                    result = Err(error);
                    halt.store(true, Ordering::Relaxed);
                }
            },
            Ok(Message::Finished(_)) | Err(RecvTimeoutError::Timeout) => {}
            Ok(Message::Failed(error)) => {
                result = result.and(Err(error));
                halt.store(true, Ordering::Relaxed);
            }
            Ok(Message::Left) => left += 1,
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let (now, halted) = (Instant::now(), halt.load(Ordering::Relaxed));
        alarms.iter().for_each(|alarm| alarm.check(now, halted));
    }
    result
}

struct Worker<'a, 'p> {
    entry: &'a GameEntry,
    participants: &'a [Participant<'p>],
    config: &'a MatchConfig,
    plan: &'a Plan,
    todo: &'a [usize],
    next: &'a AtomicUsize,
    halt: &'a AtomicBool,
    alarm: &'a Alarm,
    supply: &'a Mutex<Supply<'a>>,
    /// Players that play several games.
    players: Ready,
    sender: Sender<Message>,
}

impl Worker<'_, '_> {
    fn run(mut self) {
        while !self.halt.load(Ordering::Relaxed) {
            let Some(&index) = self.todo.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let message = match self.play(index) {
                Ok(Some(game)) => Message::Finished(Box::new(game)),
                Ok(None) => break,
                Err(error) => Message::Failed(error),
            };
            if self.sender.send(message).is_err() {
                break;
            }
        }
        // Engines are ended before the worker is counted as gone.
        self.players.clear();
        let _ = self.sender.send(Message::Left);
    }

    /// Plays one game; nothing when the match was halted meanwhile.
    fn play(&mut self, index: usize) -> Result<Option<GameResult>, MatchError> {
        let who = self.plan.players(index);
        let opening = {
            let mut supply = self.supply.lock().unwrap_or_else(PoisonError::into_inner);
            supply.get(self.plan.pair(index))
        };
        let line = opening
            .line(self.entry.game.as_ref())
            .map_err(|e| MatchError::Openings(format!("game {}: {e}", index + 1)))?;
        let opening_plies = line.ply();
        let start = (!line.starts_at_start()).then(|| line.start_text());
        let mut first = self.player(who[0], index, Side::First)?;
        let mut second = self.player(who[1], index, Side::Second)?;
        let rules = Rules {
            limit: self.config.limit,
            margin: self.config.time_margin,
            free: who.map(|i| self.participants[i].limits_itself),
            adjudication: &self.config.adjudication,
            alarm: self.alarm,
            halt: self.halt,
        };
        let outcome = referee::play_game([first.as_mut(), second.as_mut()], line, &rules);
        for (i, player) in [(who[0], first), (who[1], second)] {
            if self.participants[i].factory.is_reused() {
                self.players.insert(i, player);
            }
        }
        let (moves, end) = match outcome {
            Ok(played) => played,
            Err(NoResult::Halted) => return Ok(None),
            Err(NoResult::Refused(side, error)) => {
                let name = self.participants[who[side.index()]].name.clone();
                return Err(MatchError::Player { name, error });
            }
        };
        Ok(Some(GameResult {
            index,
            players: who,
            start,
            opening_plies,
            moves,
            winner: end.winner.map(Side::index),
            margin: end.margin,
            termination: end.termination,
            reason: end.reason,
        }))
    }

    fn player(
        &mut self,
        participant: usize,
        index: usize,
        side: Side,
    ) -> Result<Box<dyn Player>, MatchError> {
        if let Some(player) = self.players.remove(&participant) {
            return Ok(player);
        }
        let seed = mix(self.config.seed ^ mix(2 * index as u64 + side.index() as u64 + 1));
        let participant = &self.participants[participant];
        participant.factory.make(seed).map_err(|error: PlayerError| MatchError::Player {
            name: participant.name.clone(),
            error,
        })
    }
}

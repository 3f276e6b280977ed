//! The results so far, kept so that a report can be made after every game.

use crate::config::MatchConfig;
use crate::report::{Encounter, Faults, GameResult, Incident, MatchReport, Termination};
use crate::stats::{RatingInput, SprtDecision, Summary, Tally, ratings};
use std::collections::{BTreeMap, HashMap};
use zug_core::GameEntry;

/// Incidents beyond this number are only counted.
const MAX_INCIDENTS: usize = 100;

pub(super) struct Standings<'a> {
    config: &'a MatchConfig,
    game: String,
    names: Vec<String>,
    /// Players that learn from game to game.
    pub(super) learners: Vec<String>,
    /// What each player is limited by.
    pub(super) limits: Vec<String>,
    /// Half points of the first participant, game after game; kept where somebody learns.
    course: Vec<u8>,
    encounters: Vec<(usize, usize)>,
    tallies: Vec<Tally>,
    /// Half points of the first-named player in the game of a pair that is finished first.
    waiting: HashMap<usize, usize>,
    /// With a sequential test, games count in their order only; later ones wait here.
    ahead: HashMap<usize, GameResult>,
    counted: usize,
    decided: bool,
    plies: usize,
    games: usize,
    terminations: BTreeMap<String, u64>,
    reasons: BTreeMap<String, u64>,
    faults: BTreeMap<String, Faults>,
    incidents: Vec<Incident>,
}

impl<'a> Standings<'a> {
    pub(super) fn new(
        entry: &GameEntry,
        names: Vec<String>,
        encounters: Vec<(usize, usize)>,
        config: &'a MatchConfig,
    ) -> Standings<'a> {
        Standings {
            config,
            game: entry.game.spec(),
            names,
            learners: Vec::new(),
            limits: Vec::new(),
            course: Vec::new(),
            tallies: vec![Tally::default(); encounters.len()],
            encounters,
            waiting: HashMap::new(),
            ahead: HashMap::new(),
            counted: 0,
            decided: false,
            plies: 0,
            games: 0,
            terminations: BTreeMap::new(),
            reasons: BTreeMap::new(),
            faults: BTreeMap::new(),
            incidents: Vec::new(),
        }
    }

    /// Where the match ends once the sequential test has come to a decision: games from this number
    /// on do not count.
    pub(super) fn end(&self) -> Option<usize> {
        self.decided.then_some(self.counted)
    }

    /// What the players are called.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Enters a game. A sequential test must not depend on which games happen to finish first, so
    /// it looks at them in their order, and at none after its decision.
    pub(super) fn add(&mut self, game: &GameResult) {
        let Some(test) = self.config.sprt else { return self.count(game) };
        self.ahead.insert(game.index, game.clone());
        while !self.decided && self.has_next_pair() {
            for index in [self.counted, self.counted + 1] {
                if let Some(game) = self.ahead.remove(&index) {
                    self.count(&game);
                }
            }
            self.counted += 2;
            self.decided = test.state(&self.tallies[0].pairs).decision != SprtDecision::Continue;
        }
    }

    fn has_next_pair(&self) -> bool {
        (self.counted..self.counted + 2).all(|i| self.ahead.contains_key(&i))
    }

    /// No more games will come: those that wait for earlier ones count now, unless a decision was
    /// made without them.
    pub(super) fn finish(&mut self) {
        if self.decided {
            return;
        }
        let mut rest: Vec<GameResult> = self.ahead.drain().map(|(_, game)| game).collect();
        rest.sort_by_key(|game| game.index);
        rest.iter().for_each(|game| self.count(game));
    }

    fn count(&mut self, game: &GameResult) {
        let encounter = game.index / 2 % self.encounters.len();
        let swapped = game.players[0] != self.encounters[encounter].0;
        let first = game.half_points_first();
        let points = if swapped { 2 - first } else { first };
        if !self.learners.is_empty() && game.players.contains(&0) {
            self.course.push(if game.players[0] == 0 { first } else { 2 - first } as u8);
        }
        let tally = &mut self.tallies[encounter];
        tally.add_game(points);
        match self.waiting.remove(&(game.index / 2)) {
            Some(other) => tally.add_pair(points + other),
            None => {
                self.waiting.insert(game.index / 2, points);
            }
        }
        self.games += 1;
        self.plies += game.moves.len();
        *self.terminations.entry(game.termination.word().to_string()).or_default() += 1;
        if game.termination.is_fault() {
            self.blame(game);
        } else {
            *self.reasons.entry(game.reason.clone()).or_default() += 1;
        }
    }

    fn blame(&mut self, game: &GameResult) {
        let Some(winner) = game.winner else { return };
        let player = self.names[game.players[1 - winner.min(1)]].clone();
        let faults = self.faults.entry(player.clone()).or_default();
        match game.termination {
            Termination::IllegalMove => faults.illegal += 1,
            Termination::Crash => faults.crashes += 1,
            _ => faults.time_losses += 1,
        }
        let incident = Incident {
            game: game.index + 1,
            player,
            termination: game.termination,
            detail: game.reason.clone(),
        };
        let at = self.incidents.partition_point(|other| other.game < incident.game);
        self.incidents.insert(at, incident);
        self.incidents.truncate(MAX_INCIDENTS);
    }

    /// Where somebody learns, games follow from one another, and what counts on their being independent
    /// is left out.
    fn summary(&self, tally: &Tally) -> Summary {
        let summary = tally.summary();
        if self.learners.is_empty() {
            return summary;
        }
        Summary { elo_error_95: None, elo_low: None, elo_high: None, los: None, ..summary }
    }

    pub(super) fn report(&self, planned: usize) -> MatchReport {
        let inputs: Vec<RatingInput> = self
            .encounters
            .iter()
            .zip(&self.tallies)
            .map(|(&players, &tally)| RatingInput { players, tally })
            .collect();
        let anchor = self.config.anchor.as_ref().and_then(|(name, rating)| {
            self.names.iter().position(|n| n == name).map(|i| (i, *rating))
        });
        let total = |f: &dyn Fn(&Faults) -> u64| self.faults.values().map(f).sum();
        MatchReport {
            game: self.game.clone(),
            players: self.names.clone(),
            schedule: self.config.schedule,
            limit: self.config.limit.to_string(),
            limits: self.limits.clone(),
            seed: self.config.seed,
            summary: self.summary(&crate::stats::total_of(0, &inputs)),
            sprt: self.config.sprt.map(|test| test.state(&self.tallies[0].pairs)),
            encounters: inputs
                .iter()
                .map(|input| Encounter {
                    player: self.names[input.players.0].clone(),
                    opponent: self.names[input.players.1].clone(),
                    summary: self.summary(&input.tally),
                })
                .collect(),
            ratings: ratings(&self.names, &inputs, anchor),
            terminations: self.terminations.clone(),
            reasons: self.reasons.clone(),
            illegal: total(&|f| f.illegal),
            crashes: total(&|f| f.crashes),
            time_losses: total(&|f| f.time_losses),
            faults: self.faults.clone(),
            incidents: self.incidents.clone(),
            planned,
            played: self.games,
            complete: self.games == planned || self.decided,
            mean_plies: if self.games == 0 { 0.0 } else { self.plies as f64 / self.games as f64 },
            learners: self.learners.clone(),
            course: self.course.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Sprt;
    use zug_core::Spec;

    #[test]
    fn games_finished_ahead_of_a_decision_are_in_none_of_its_numbers() {
        let entry = zug_othello::open(&Spec::parse("othello").unwrap()).unwrap();
        let config = MatchConfig { sprt: Sprt::parse("0,300").ok(), ..MatchConfig::default() };
        let names = vec!["a".to_string(), "b".to_string()];
        let mut standings = Standings::new(&entry, names, vec![(0, 1)], &config);
        let mut finished = 0;
        // The first game of each pair is over after the second one of the next pair.
        for index in std::iter::once(1).chain((0..200).step_by(2).flat_map(|i| [i + 3, i])) {
            if standings.end().is_some() {
                break;
            }
            let second = index % 2;
            standings.add(&GameResult {
                index,
                players: [second, 1 - second],
                start: None,
                opening_plies: 0,
                moves: Vec::new(),
                winner: Some(second),
                margin: None,
                termination: Termination::Rules,
                reason: "over".to_string(),
            });
            finished += 1;
        }
        let end = standings.end().expect("a won match is decided");
        standings.finish();
        let report = standings.report(400);
        assert!(finished > end && report.complete);
        assert_eq!(
            (report.played, report.summary.games, report.summary.wins),
            (end, end as u64, end as u64)
        );
        assert_eq!(report.terminations["rules"], end as u64);
        assert!(report.to_table().contains(&format!("{end} of 400 games")));
    }
}

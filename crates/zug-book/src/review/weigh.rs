//! What is a move worth beside the best one?

use super::{
    COMPARE, DEEP, FIRST, Judged, MOST, PROOF, PROVEN_FROM, Reviewer, Sure, TO_THE_END, Unit,
    Worth, came_of, empty_cells, look,
};
use zug_core::{AnyLine, PlayerError, Score, StopFlag, Verdict};

/// A position and the move that was played there.
pub(super) struct Weighed {
    pub before: Judged,
    pub played: Worth,
    pub loss: f64,
}

/// Two moves beside each other.
struct Compared {
    best: Judged,
    loss: f64,
    /// Was the best the one that was played?
    is_best: bool,
}

impl Reviewer {
    /// A position and the move that was played there; `None` when stopped. `came` is what came of
    /// the move.
    pub(super) fn weigh(
        &mut self,
        line: &dyn AnyLine,
        mv: &String,
        came: Judged,
        stop: &StopFlag,
    ) -> Result<Option<Weighed>, PlayerError> {
        if let Some(known) = self.known(line, TO_THE_END, stop) {
            return self.beside_certain(line, known, mv, came, stop);
        }
        let Some(look) = self.look(line, &[], FIRST, stop)? else { return Ok(None) };
        if look.worth.sure == Sure::Exact {
            return self.beside_certain(line, look, mv, came, stop);
        }
        let mut is_best = self.alike(line, mv, look.line.first());
        let mut seen = 0.0;
        let mut best = look.clone();
        if !is_best {
            let firsts = self.firsts(&look, mv);
            let Some(compared) = self.compared(line, mv, &firsts, COMPARE, stop)? else {
                return Ok(None);
            };
            seen = compared.loss;
            is_best = compared.is_best;
            if !is_best {
                best = Judged { others: look.others.clone(), ..compared.best };
            }
        }
        // What is known of the position after the move may say that this is worse than it looked.
        let gap = self.unit(look.worth) - self.unit(came.worth);
        let suspicion = f64::max(seen, gap);
        let lowest = self.grading.doubtful();
        let mut loss = seen;
        let mut hoped = look.worth;
        if suspicion >= lowest {
            if self.searcher.is_some() && empty_cells(line) <= PROVEN_FROM {
                if let Some(proof) = self.solved(line, PROOF, stop) {
                    return self.beside_certain(line, proof, mv, came, stop);
                }
                // Nothing is proven, so nothing is held against the move.
                loss = 0.0;
            } else {
                let firsts = match is_best {
                    false => self.firsts(&best, mv),
                    true => {
                        let Some(deep) = self.look(line, &[], DEEP, stop)? else {
                            return Ok(None);
                        };
                        hoped = deep.worth;
                        let is_best = self.alike(line, mv, deep.line.first());
                        let firsts = self.firsts(&deep, mv);
                        best = deep;
                        if is_best { Vec::new() } else { firsts }
                    }
                };
                loss = 0.0;
                if !firsts.is_empty() {
                    let Some(deep) = self.compared(line, mv, &firsts, DEEP, stop)? else {
                        return Ok(None);
                    };
                    hoped = deep.best.worth;
                    loss = suspicion.min(deep.loss);
                    if loss > 0.0 {
                        best = Judged { others: look.others.clone(), ..deep.best };
                    }
                }
            }
            if stop.is_set() {
                return Ok(None);
            }
        }
        let played = came.worth;
        let mut worth = self.raised(played, loss);
        // What no look could lay to this move's charge was lost by others that nobody saw.
        if self.unit(hoped) >= self.unit(worth) + lowest && hoped.sure == Sure::Estimate {
            worth = self.at_least(hoped.score, played);
        }
        let before = match loss > 0.0 {
            true => Judged { worth, ..best },
            false => Judged { worth, others: look.others, ..came },
        };
        Ok(Some(Weighed { before, played, loss }))
    }

    /// A move beside the certain value of the position before it.
    fn beside_certain(
        &mut self,
        line: &dyn AnyLine,
        before: Judged,
        mv: &String,
        mut came: Judged,
        stop: &StopFlag,
    ) -> Result<Option<Weighed>, PlayerError> {
        let worth = before.worth;
        if came.worth.sure != Sure::Exact && !self.alike(line, mv, before.line.first()) {
            let mut next = line.boxed_clone();
            if next.play(mv).is_ok()
                && let Some(after) = self.known(&*next, PROOF, stop)
            {
                came = came_of(mv, &after);
            }
        }
        let is_best = self.alike(line, mv, before.line.first());
        Ok(Some(match (came.worth.sure == Sure::Exact, as_good(came.worth, worth)) {
            // Of moves that are equally good the one that was played is shown. How soon a game is won
            // is known better later.
            (true, true) => {
                let (worth, line) = (came.worth, came.line);
                Weighed { before: Judged { worth, line, ..before }, played: worth, loss: 0.0 }
            }
            _ if is_best => Weighed { before, played: worth, loss: 0.0 },
            // An estimate does not overrule what is certain.
            (false, true) => Weighed { before, played: came.worth, loss: 0.0 },
            (is_exact, false) => {
                let mut loss = (self.unit(worth) - self.unit(came.worth)).max(0.0);
                if !is_exact && loss >= self.grading.doubtful() {
                    let only = std::slice::from_ref(mv);
                    let Some(deep) = self.look(line, only, DEEP, stop)? else { return Ok(None) };
                    loss = loss.min(self.unit(worth) - self.unit(deep.worth)).max(0.0);
                }
                Weighed { before, played: came.worth, loss }
            }
        }))
    }

    /// At least what came of the move, and more by what it cost.
    fn raised(&self, came: Worth, loss: f64) -> Worth {
        if loss > 0.0 {
            let score = match self.grading.unit {
                Unit::Discs => Score::estimate((100.0 * (came.points(MOST) + loss)).round() as i32),
                Unit::Percent => self.scale.score_at(came.chance + loss / 100.0),
            };
            return self.at_least(score, came);
        }
        // Other moves may be better still: a win stays one, a loss need not be one.
        let estimate = |score| Worth::of_score(score, Sure::Estimate, self.scale);
        match (came.sure, came.score.verdict()) {
            (Sure::Exact, Verdict::WonBy(margin)) => {
                let score = Score::estimate((100.0 * margin) as i32);
                Worth { score, sure: Sure::Winner, ..came }
            }
            (Sure::Exact, Verdict::WonIn(_)) => came,
            (Sure::Winner, _) if came.score > Score::DRAW => came,
            (_, Verdict::LostIn(_)) => estimate(self.scale.score_at(0.0)),
            (_, Verdict::LostBy(margin)) => estimate(Score::estimate((-100.0 * margin) as i32)),
            (Sure::Winner, _) => estimate(came.score),
            _ => Worth { sure: Sure::Estimate, ..came },
        }
    }

    /// An estimate of a position in which this move can be played: who could win by it wins.
    fn at_least(&self, score: Score, came: Worth) -> Worth {
        if came.is_settled() && came.score > Score::DRAW {
            let score = if came.score.is_distance() { came.score } else { score };
            return Worth { score, chance: 1.0, sure: Sure::Winner };
        }
        let worth = Worth::of_score(score, Sure::Estimate, self.scale);
        Worth { chance: worth.chance.max(came.chance), ..worth }
    }

    /// Do two moves lead to one position, but for a symmetry of the board?
    fn alike(&self, line: &dyn AnyLine, mv: &str, other: Option<&String>) -> bool {
        let Some(other) = other else { return false };
        if mv == other {
            return true;
        }
        let steps = self.places.steps(line);
        let key = |mv: &str| steps.iter().find(|step| step.mv == mv).map(|step| step.key);
        key(mv).is_some_and(|one| key(other) == Some(one))
    }

    /// The best moves and the one that was played.
    fn firsts(&self, best: &Judged, mv: &String) -> Vec<String> {
        let others = best.others.iter().map(|(_, line)| line);
        let mut only: Vec<String> = Vec::new();
        for first in std::iter::once(&best.line).chain(others).filter_map(|line| line.first()) {
            if !only.contains(first) {
                only.push(first.clone());
            }
        }
        if !only.contains(mv) {
            only.push(mv.clone());
        }
        only
    }

    /// Some moves by one search of these alone.
    fn compared(
        &mut self,
        line: &dyn AnyLine,
        mv: &String,
        only: &[String],
        share: f64,
        stop: &StopFlag,
    ) -> Result<Option<Compared>, PlayerError> {
        let mut limits = look::share(&self.limits, self.player.pace(), share);
        (limits.lines, limits.only) = (only.len(), only.to_vec());
        let told = look::ask(&mut *self.player, line, &limits, self.scale, stop)?;
        if stop.is_set() {
            return Ok(None);
        }
        let found = told.lines.iter().find(|judged| judged.line.first() == Some(mv));
        if let (Some(played), true) = (found, told.lines.len() == only.len()) {
            let best = told.lines[0].clone();
            let loss = (self.unit(best.worth) - self.unit(played.worth)).max(0.0);
            let is_best = best.line.first() == Some(mv);
            return Ok(Some(Compared { best, loss, is_best }));
        }
        // A player that tells one line only: one search for each side of the question.
        let rivals: Vec<String> = only.iter().filter(|&m| m != mv).cloned().collect();
        let (Some(best), Some(played)) = (
            self.look(line, &rivals, share, stop)?,
            self.look(line, std::slice::from_ref(mv), share, stop)?,
        ) else {
            return Ok(None);
        };
        let loss = self.unit(best.worth) - self.unit(played.worth);
        let is_best = loss <= 0.0;
        Ok(Some(Compared {
            best: if is_best { played } else { best },
            loss: loss.max(0.0),
            is_best,
        }))
    }
}

/// Is the one at least as good as the other, for people? How far away a win is counts only among
/// wins.
fn as_good(one: Worth, other: Worth) -> bool {
    let (a, b) = (one.points(MOST), other.points(MOST));
    let distances = one.score.is_distance() && other.score.is_distance();
    a > b || a == b && (!distances || one.score >= other.score)
}

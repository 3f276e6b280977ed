//! The whole way, from games to a corrected model.
//!
//! Half of the positions teach the table, the other half show what it is worth: the curve before and
//! after on positions that it has not seen.

use super::{Curve, DISCS, Tempo};
use crate::Board;
use crate::engine::Evaluation;
use crate::examples::ExampleError;
use crate::examples::journalled::{Tasks, do_all};
use crate::examples::player::Judge;
use crate::patterns::PatternModel;
use crate::probcut::{Games, Measured, Reach};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use zug_core::checks::thousands;
use zug_core::{Progress, StopFlag};
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};

/// Positions with fewer empty squares are soon searched to the end, where nothing is favoured.
const FEWEST_EMPTY: u32 = 6;

/// What to measure.
#[derive(Clone, Copy)]
pub struct TempoOrder<'a> {
    /// Positions of each disc count.
    pub positions: usize,
    /// They are searched to all depths up to this one, at full width.
    pub depth: u32,
    /// Only every so many disc counts.
    pub every: u32,
    /// Is a table to be fitted?
    pub fits: bool,
    /// Threads.
    pub threads: usize,
    /// Memory of each search, in MiB.
    pub hash_mib: usize,
    /// Where to keep what is done: before the table is fitted, and after.
    pub journals: Option<[&'a Path; 2]>,
    /// The command line without what does not change the result.
    pub command: &'a str,
}

/// What was measured and learned.
pub struct LearnedTempo {
    /// Before, on the positions that are asked.
    pub before: Curve,
    /// With the table that was fitted to the others.
    pub after: Option<Curve>,
    /// The model with that table.
    pub model: Arc<PatternModel>,
    /// The digest of the positions.
    pub digest: String,
    /// How many there are.
    pub positions: usize,
}

/// Measures a model by positions of games and, if asked to, corrects it. The same on any number of
/// threads.
pub fn learn(
    order: &TempoOrder<'_>,
    model: PatternModel,
    games: &Games,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<LearnedTempo, ExampleError> {
    let boards = boards(order, games);
    let taught = boards.iter().filter(|board| board.teaches).count();
    if boards.is_empty() || order.fits && taught == 0 {
        let message = "the games have no positions to begin from";
        return Err(ExampleError::Other(message.to_string()));
    }
    let mut hasher = blake3::Hasher::new();
    for Asked { board, .. } in &boards {
        hasher.update(&board.own.to_le_bytes()).update(&board.other.to_le_bytes());
    }
    let digest = hasher.finalize().to_hex().to_string();
    let again = if order.fits { boards.len() - taught } else { 0 };
    progress.set_length(Some((boards.len() + again) as u64));
    let measure = |judge: &Judge, boards: &[Asked], stage: usize| {
        let plan =
            format!("{}, {} (positions {digest})", order.command, ["before", "after"][stage]);
        let journal = order.journals.map(|paths| paths[stage]);
        measure(order, judge, boards, (&plan, journal), progress, stop)
    };
    let mut model = Arc::new(model);
    let all = measure(&Judge::Patterns(Arc::clone(&model)), &boards, 0)?;
    let of = |teaches: bool| -> Vec<Measured> {
        let both = all.iter().zip(&boards);
        both.filter(|(_, asked)| asked.teaches == teaches).map(|(m, _)| m.clone()).collect()
    };
    let before = Curve::of(&of(false));
    let mut after = None;
    if order.fits {
        let tempo = Curve::of(&of(true)).tempo(model.tempo());
        let plain = Arc::into_inner(model)
            .ok_or_else(|| ExampleError::Other("the model is still in use".into()))?;
        model = Arc::new(plain.with_tempo(tempo));
        let asked: Vec<Asked> = boards.into_iter().filter(|asked| !asked.teaches).collect();
        let measured = measure(&Judge::Patterns(Arc::clone(&model)), &asked, 1)?;
        after = Some(Curve::of(&measured));
    }
    Ok(LearnedTempo { before, after, model, digest, positions: all.len() })
}

/// A position, and whether the table is fitted to it.
#[derive(Clone, Copy)]
struct Asked {
    board: Board,
    teaches: bool,
}

fn boards(order: &TempoOrder<'_>, games: &Games) -> Vec<Asked> {
    let mut asked = Vec::new();
    for discs in (4..=64 - FEWEST_EMPTY).step_by(order.every.max(1) as usize) {
        let mut met = std::collections::BTreeSet::new();
        let new = games.with_discs(discs).iter().filter(|board| met.insert(board.canonical()));
        for (number, &board) in new.take(order.positions).enumerate() {
            asked.push(Asked { board, teaches: order.fits && number % 2 == 0 });
        }
    }
    asked
}

fn measure(
    order: &TempoOrder<'_>,
    judge: &Judge,
    boards: &[Asked],
    (plan, journal): (&str, Option<&Path>),
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<Measured>, ExampleError> {
    let work = Tasks { count: boards.len(), plan, journal, threads: order.threads, units: &|_| 1 };
    let reach = Reach { depth: order.depth, end: 0 };
    let texts = do_all(
        &work,
        &|| judge.engine(order.hash_mib),
        &|engine, number| {
            let measured = Measured::of(engine.as_mut(), boards[number].board, reach, stop)?;
            Some(measured.to_text())
        },
        progress,
        stop,
    )?;
    let read = |(text, asked): (&String, &Asked)| {
        let found = Measured::from_text(text).filter(|m| m.discs == asked.board.discs());
        found.ok_or_else(|| ExampleError::Other(format!("the journal holds no values: '{text}'")))
    };
    texts.iter().zip(boards).map(read).collect()
}

impl LearnedTempo {
    /// What is taken off by the model.
    #[must_use]
    pub fn tempo(&self) -> &Tempo {
        self.model.tempo()
    }

    /// A summary for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{} positions\n", thousands(self.positions as u64));
        let _ = write!(text, "{:>5} {:>7} {:>16}", "discs", "pairs", "before");
        let _ = match self.after {
            Some(_) => writeln!(text, " {:>16} {:>10}", "after", "taken off"),
            None => writeln!(text),
        };
        let told = |mean: f64, error: f64| format!("{mean:+.2} ± {:.2}", 1.96 * error);
        for (place, point) in self.before.points.iter().enumerate() {
            if point.discs % 4 != 0 {
                continue;
            }
            let before = told(point.mean, point.error);
            let _ = write!(text, "{:>5} {:>7} {before:>16}", point.discs, point.pairs);
            let _ = match self.after.as_ref().and_then(|curve| curve.points.get(place)) {
                Some(after) => {
                    let taken = f64::from(self.tempo().of(point.discs)) / 100.0;
                    let after = told(after.mean, after.error);
                    writeln!(text, " {after:>16} {taken:>+10.2}")
                }
                None => writeln!(text),
            };
        }
        let _ = write!(
            text,
            "neighbouring depths lie {:.2} discs apart for no reason but the depth",
            self.before.swing()
        );
        if let Some(after) = &self.after {
            let _ = write!(text, ", and {:.2} afterwards", after.swing());
        }
        text.push('\n');
        text
    }

    /// The figures for scripts.
    #[must_use]
    pub fn figures(&self) -> Value {
        let tempo = (0..DISCS as u32).map(|k| f64::from(self.tempo().of(k)) / 100.0);
        json!({
            "data": self.digest,
            "positions": self.positions,
            "before": self.before.points,
            "swing_before": self.before.swing(),
            "after": self.after.as_ref().map(|curve| &curve.points),
            "swing_after": self.after.as_ref().map(Curve::swing),
            "taken_off": tempo.collect::<Vec<f64>>(),
        })
    }

    /// The curves.
    #[must_use]
    pub fn plot(&self) -> Plot {
        let line = |curve: &Curve| -> Vec<(f64, f64)> {
            curve.points.iter().map(|p| (f64::from(p.discs), p.mean)).collect()
        };
        let errors =
            |curve: &Curve| -> Vec<f64> { curve.points.iter().map(|p| 1.96 * p.error).collect() };
        let mut plot = Plot::new("What the evaluation thinks too well of the side to move")
            .x("discs at the leaves")
            .y("discs")
            .x_range(4.0, 64.0)
            .line("before", line(&self.before))
            .errors(errors(&self.before));
        if let Some(after) = &self.after {
            plot = plot.line("after", line(after)).errors(errors(after));
        }
        plot
    }

    /// The page.
    #[must_use]
    pub fn page(&self, command: &str) -> String {
        let mut page = Page::new("Othello: what an evaluation thinks too well of the side to move");
        page.facts([
            ("Positions", thousands(self.positions as u64)),
            ("Digest of the positions", self.digest.clone()),
        ]);
        page.preformatted(command);
        page.plot_with_caption(
            &self.plot(),
            "Half of the mean difference of the values of neighbouring depths, with intervals of \
             95 %, on positions that the table was not fitted to.",
        );
        let mut table = Table::new(["discs", "pairs", "before", "after", "taken off"]);
        for (place, point) in self.before.points.iter().enumerate() {
            let after = self.after.as_ref().and_then(|curve| curve.points.get(place));
            table.row([
                point.discs.to_string(),
                point.pairs.to_string(),
                format!("{:+.2}", point.mean),
                after.map_or(String::new(), |after| format!("{:+.2}", after.mean)),
                format!("{:+.2}", f64::from(self.tempo().of(point.discs)) / 100.0),
            ]);
        }
        page.table(&table);
        page.html()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::{PatternSet, Phases};
    use crate::thesis::Hand;
    use zug_core::Silent;

    /// A model that knows the corners and thinks two discs too well of the side to move.
    fn tilted() -> PatternModel {
        let set = PatternSet::parse(&["a1"]).unwrap();
        let model = PatternModel::new(set, Phases::new(&[4]).unwrap(), vec![-40, 0, 40]).unwrap();
        let mut table = [0; DISCS];
        table.iter_mut().for_each(|value| *value = -200);
        model.with_tempo(Tempo::new(table))
    }

    fn order(threads: usize) -> TempoOrder<'static> {
        TempoOrder {
            positions: 12,
            depth: 4,
            every: 3,
            fits: true,
            threads,
            hash_mib: 1,
            journals: None,
            command: "test",
        }
    }

    #[test]
    fn what_favours_the_mover_is_found_on_games_and_gone_afterwards() {
        let games = Games::own(&Hand::default(), 40, 40, 3, &StopFlag::new());
        let learned =
            |threads| learn(&order(threads), tilted(), &games, &Silent, &StopFlag::new()).unwrap();
        let (one, three) = (learned(1), learned(3));
        assert_eq!(one.figures(), three.figures());
        let after = one.after.as_ref().unwrap();
        assert!(one.before.swing() > 3.0, "{}", one.before.swing());
        assert!(after.swing() < 0.35 * one.before.swing(), "{}", one.text());
        assert!((20..=48).all(|k| one.tempo().of(k).abs() < 150), "{:?}", one.tempo());
        assert_eq!(zug_learn::markup::check(&one.page("zug <test>")), Ok(()));
        assert!(one.text().contains("afterwards"), "{}", one.text());
        // Only measured, nothing is changed.
        let order = TempoOrder { fits: false, ..order(2) };
        let measured = learn(&order, tilted(), &games, &Silent, &StopFlag::new()).unwrap();
        assert!(measured.after.is_none());
        assert_eq!(measured.tempo().of(30), -200);
        assert!(measured.positions >= one.positions);
    }

    #[test]
    fn games_without_positions_teach_nothing() {
        let none = Games::new(5, 1);
        let found = learn(&order(1), tilted(), &none, &Silent, &StopFlag::new());
        assert!(found.err().unwrap().to_string().contains("no positions"));
    }
}

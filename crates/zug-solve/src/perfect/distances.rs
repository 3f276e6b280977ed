//! Making progress with a database that knows outcomes alone.
//!
//! Where every winning move looks like the other, a player that takes any of them can go round in
//! circles. What is missing can be had again: a win always leads to the end of the game or to a
//! lower stage (a capture, a promotion), and as the outcomes are known, the plies to that *next
//! conversion* follow from the positions of one stage alone. They are solved when a game first comes
//! to the stage ([`Measured`]); then each move brings the conversion nearer, each conversion leads to
//! a stage of lower rank, and there are only so many.
//!
//! A stage that is too large for that is looked into instead, around the position at hand
//! ([`look_ahead`]): the shortest forced way to the conversion among the nearest positions. Where
//! there is none, the player says so.

use super::lookup::{Ranked, Values, survey_all};
use super::report;
use crate::cells::Cells;
use crate::database::Database;
use crate::index::Index;
use crate::solve::{Metric, Settings, Table, feeding, solve_stage};
use crate::space::{IndexError, Options};
use crate::store::Measure;
use crate::value::{Code, Value};
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex};
use zug_core::{Indexed, PlayerError, StopFlag};

/// A database with the way to make the game's cells, from which distances follow.
pub(crate) struct Measured<G: Indexed, F> {
    database: Database<G>,
    make: Arc<F>,
    /// For each stage that was asked for, its distances.
    tables: Mutex<HashMap<usize, Arc<Table>>>,
}

impl<G: Indexed, F> Measured<G, F> {
    pub(crate) fn new(database: Database<G>, make: Arc<F>) -> Measured<G, F> {
        Measured { database, make, tables: Mutex::default() }
    }
}

impl<G, C, F> Values<G> for Measured<G, F>
where
    G: Indexed,
    C: Cells,
    F: Fn(&G, Options) -> Result<C, IndexError> + Send + Sync,
{
    fn index(&self) -> &Index<G> {
        self.database.index()
    }

    fn code(&self, slot: u64) -> Result<Code, PlayerError> {
        Values::code(&self.database, slot)
    }

    fn value(&self, position: &G::Position) -> Result<Value, PlayerError> {
        Values::value(&self.database, position)
    }

    fn measure(&self) -> Measure {
        self.database.metric()
    }

    fn digest(&self) -> Option<String> {
        Values::digest(&self.database)
    }

    fn folder(&self) -> Option<&Path> {
        Some(self.database.folder())
    }

    fn conversions(
        &self,
        stage: usize,
        most: u64,
        threads: usize,
        stop: &StopFlag,
    ) -> Result<Option<Arc<Table>>, PlayerError> {
        let crashed = |why: String| PlayerError::Crashed(why);
        // Whoever asks while another computes waits, so that nothing is computed twice.
        let mut tables =
            self.tables.lock().map_err(|_| crashed("another player failed".to_string()))?;
        if let Some(table) = tables.get(&stage) {
            return Ok(Some(table.clone()));
        }
        let game = self.database.game();
        let space = self.database.index().space();
        let stages = space.stages();
        let sources = feeding(&game.layout(), space, stage);
        let slots = |stage: usize| stages[stage].slots.end - stages[stage].slots.start;
        if slots(stage) + sources.iter().map(|&source| slots(source)).sum::<u64>() > most {
            return Ok(None);
        }
        let options = self.database.manifest().index.options().map_err(crashed)?;
        let cells = (self.make)(game, options).map_err(|e| crashed(e.to_string()))?;
        let progress = report::begin(&format!(
            "{}: computing distances in stage {}, since the database knows outcomes alone",
            game.spec(),
            stages[stage].stage.name
        ));
        let read = |source: usize| self.database.table(&cells, source, stop);
        let sources: Vec<Table> = sources
            .into_iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map_err(|e| crashed(e.to_string()))?;
        let sources: Vec<&Table> = sources.iter().collect();
        let settings = Settings { threads, metric: Metric::Conversion, ..Settings::default() };
        let range = stages[stage].slots.clone();
        let solved = solve_stage(&cells, range, &sources, &settings, &*progress, stop)
            .map_err(|e| crashed(e.to_string()))?;
        progress.finish();
        let table = Arc::new(solved.table);
        tables.insert(stage, table.clone());
        Ok(Some(table))
    }
}

/// Gives moves of one position distances to the next conversion by a table of its stage.
pub(crate) fn by_table<G: Indexed>(
    values: &dyn Values<G>,
    table: &Table,
    moves: &mut [Ranked<G>],
) -> Result<(), PlayerError> {
    for mv in moves {
        if mv.converts || mv.ends {
            mv.value = converted(mv.value);
            continue;
        }
        let slot = values.index().index_of(&mv.next).filter(|slot| table.range().contains(slot));
        let value = slot.and_then(|slot| table.code(slot).value());
        let text = || values.index().game().write_position(&mv.next);
        let unknown = || PlayerError::Crashed(format!("no distance was found for {}", text()));
        mv.value = Measure::Dtc.for_mover(value.ok_or_else(unknown)?, false);
    }
    Ok(())
}

/// An outcome that comes with the next ply.
fn converted(outcome: Value) -> Value {
    match outcome {
        Value::Win(_) => Value::Win(1),
        Value::Draw => Value::Draw,
        Value::Loss(_) => Value::Loss(1),
    }
}

/// Gives the moves of a won position distances to the next conversion, as far as they can be proven
/// within about so many of the nearest positions; false where none of them can. A winning move that
/// is not proven counts as a draw then.
///
/// Positions are met in the order of their distance, a whole layer at a time. So what is proven
/// here in n plies is proven again, in n − 2 or fewer, when the opponent has answered: the play that
/// follows cannot go round in circles.
pub(crate) fn look_ahead<G: Indexed>(
    values: &dyn Values<G>,
    moves: &mut [Ranked<G>],
    most: usize,
    stop: &StopFlag,
) -> Result<bool, PlayerError> {
    let wins = |mv: &Ranked<G>| matches!(mv.value, Value::Win(_));
    let (mut region, mut layer) = (Region::default(), Vec::new());
    let mut roots = Vec::new();
    for mv in moves.iter() {
        let number = match wins(mv) && !mv.converts && !mv.ends {
            true => Some(region.number(values, &mv.next, &mut layer)?),
            false => None,
        };
        roots.push(number);
    }
    let mut plies: Vec<Option<u16>> = Vec::new();
    let mut found = moves.iter().any(|mv| wins(mv) && (mv.converts || mv.ends));
    let mut ours = false;
    while !found && !layer.is_empty() && region.nodes.len() < most {
        let mut next = Vec::new();
        for (number, position) in layer {
            if stop.is_set() {
                return Err(PlayerError::Unsupported("stopped while looking ahead".to_string()));
            }
            region.expand(values, number, &position, ours, &mut next)?;
        }
        plies = region.plies();
        found = roots.iter().flatten().any(|&root| plies[root as usize].is_some());
        (layer, ours) = (next, !ours);
    }
    if !found {
        return Ok(false);
    }
    for (mv, root) in moves.iter_mut().zip(roots) {
        mv.value = match (mv.value, root) {
            (Value::Win(_), None) => Value::Win(1),
            (Value::Win(_), Some(root)) => {
                let known = plies.get(root as usize).copied().flatten();
                known.map_or(Value::Draw, |plies| Value::Win(plies + 1))
            }
            (other, _) => other,
        };
    }
    Ok(true)
}

/// A position of a region.
struct Node {
    /// Is the winner to move?
    ours: bool,
    /// Have its moves been looked at?
    expanded: bool,
    /// Is there a move that converts? (For the winner: one that keeps the win.)
    converts: bool,
    /// Other moves, each counted once: where they lead, and where those that lead here come from.
    after: u32,
    before: Vec<u32>,
}

/// Positions of one stage around a won one: those of the winner with the moves that keep the win,
/// those of the loser with all moves.
#[derive(Default)]
struct Region {
    nodes: Vec<Node>,
    numbers: HashMap<u64, u32>,
}

impl Region {
    /// The number of a position; a new one goes into the layer.
    fn number<G: Indexed>(
        &mut self,
        values: &dyn Values<G>,
        position: &G::Position,
        layer: &mut Vec<(u32, G::Position)>,
    ) -> Result<u32, PlayerError> {
        let index = values.index();
        let text = || index.game().write_position(position);
        let outside = || PlayerError::Unsupported(format!("the database does not hold {}", text()));
        let slot = index.index_of(position).ok_or_else(outside)?;
        let number = *self.numbers.entry(slot).or_insert_with(|| {
            layer.push((self.nodes.len() as u32, position.clone()));
            self.nodes.len() as u32
        });
        if number as usize == self.nodes.len() {
            let (before, after) = (Vec::new(), 0);
            let (ours, expanded, converts) = (false, false, false);
            self.nodes.push(Node { ours, expanded, converts, after, before });
        }
        Ok(number)
    }

    fn expand<G: Indexed>(
        &mut self,
        values: &dyn Values<G>,
        number: u32,
        position: &G::Position,
        ours: bool,
        layer: &mut Vec<(u32, G::Position)>,
    ) -> Result<(), PlayerError> {
        let mut after = Vec::new();
        let mut converts = false;
        for mv in survey_all(values, position)? {
            if ours && !matches!(mv.value, Value::Win(_)) {
                continue;
            }
            if mv.converts || mv.ends {
                converts = true;
            } else {
                after.push(self.number(values, &mv.next, layer)?);
            }
        }
        // Under symmetry several moves can lead to one position.
        after.sort_unstable();
        after.dedup();
        for &next in &after {
            self.nodes[next as usize].before.push(number);
        }
        let node = &mut self.nodes[number as usize];
        (node.ours, node.expanded, node.converts) = (ours, true, converts);
        node.after = after.len() as u32;
        Ok(())
    }

    /// For each position the plies to the conversion, as far as the region proves them: retrograde
    /// analysis in the small.
    fn plies(&self) -> Vec<Option<u16>> {
        let mut plies: Vec<Option<u16>> = vec![None; self.nodes.len()];
        let mut open: Vec<u32> = self.nodes.iter().map(|node| node.after).collect();
        let mut known: VecDeque<u32> = VecDeque::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if node.expanded && node.converts && (node.ours || node.after == 0) {
                plies[number] = Some(1);
                known.push_back(number as u32);
            }
        }
        while let Some(number) = known.pop_front() {
            let next = plies[number as usize].map(|plies| plies + 1);
            for &before in &self.nodes[number as usize].before {
                let at = before as usize;
                open[at] -= 1;
                if plies[at].is_none() && (self.nodes[at].ours || open[at] == 0) {
                    plies[at] = next;
                    known.push_back(before);
                }
            }
        }
        plies
    }
}

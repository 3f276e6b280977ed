//! What do learned weights look like? Numbers on boards, lists of numbers with names, and what can be
//! chosen: made by a game that knows what its weights mean, and drawn by pages that do not.
//!
//! ```
//! use zug_learn::weights::{Board, Weights};
//! let mut weights = Weights::new("after 12 games", "points");
//! weights.boards.push(Board::new("own discs", 2, vec![Some(0.5), None, Some(-0.25), Some(0.0)]));
//! assert_eq!(weights.boards[0].height, 2);
//! assert_eq!(weights.largest(), 0.5);
//! ```

mod draw;

use crate::face::{Named, TaskError};
use crate::td::face::Look;
use serde::Serialize;

/// The weights of a run or a model at one moment, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Weights {
    /// Which weights these are: `after 119 games`.
    pub about: String,
    /// What the numbers mean: `hundredths of a pawn`.
    pub unit: String,
    /// What else could be shown.
    pub choices: Vec<Choice>,
    /// Weights that belong to squares.
    pub boards: Vec<Board>,
    /// Weights that do not.
    pub lists: Vec<List>,
}

/// Something that can be chosen when weights are shown: a part of [`Look`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// Which part.
    pub name: Part,
    /// For people: `Type of position`.
    pub label: String,
    /// What is shown now: the name of one of the options.
    pub chosen: String,
    /// What there is.
    pub options: Vec<Named>,
}

/// The parts of a [`Look`] that a page offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The experiment of the run.
    Experiment,
    /// The type of positions, the side or the phase.
    Type,
    /// After how many games.
    Games,
    /// The group of weights.
    Group,
}

/// Numbers on a board.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Board {
    /// What it shows: `knight-square`.
    pub title: String,
    /// One line about it; may be empty.
    pub about: String,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Names of the columns, from the left.
    pub columns: Vec<String>,
    /// Names of the rows, from the top.
    pub rows: Vec<String>,
    /// Row by row from the top; nothing where there is no field, or no weight.
    pub cells: Vec<Option<f64>>,
}

/// Numbers with names.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct List {
    /// What they are.
    pub title: String,
    /// One line about them; may be empty.
    pub about: String,
    /// In order.
    pub items: Vec<Item>,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// What it is the weight of.
    pub name: String,
    /// The weight.
    pub value: f64,
}

impl Weights {
    /// Nothing yet, but what it will be.
    pub fn new(about: impl Into<String>, unit: impl Into<String>) -> Weights {
        Weights { about: about.into(), unit: unit.into(), ..Weights::default() }
    }

    /// Offers a choice; one without alternatives is none.
    pub fn offer(
        &mut self,
        name: Part,
        label: &str,
        chosen: impl Into<String>,
        options: impl IntoIterator<Item = Named>,
    ) {
        let options: Vec<Named> = options.into_iter().collect();
        if options.len() > 1 {
            self.choices.push(Choice { name, label: label.into(), chosen: chosen.into(), options });
        }
    }

    /// The largest number on a board, without its sign; what the scale of colours ends with.
    #[must_use]
    pub fn largest(&self) -> f64 {
        let cells = self.boards.iter().flat_map(|b| b.cells.iter().flatten());
        cells.fold(0.0, |most: f64, w| most.max(w.abs()))
    }

    /// What these weights have more than others: boards and numbers that both have.
    #[must_use]
    pub fn minus(&self, other: &Weights) -> Weights {
        let board = |b: &Board| {
            let same = |o: &&Board| (&o.title, o.width, o.height) == (&b.title, b.width, b.height);
            let other = other.boards.iter().find(same)?;
            let minus = |(a, b): (&Option<f64>, &Option<f64>)| Some((*a)? - (*b)?);
            Some(Board {
                cells: b.cells.iter().zip(&other.cells).map(minus).collect(),
                ..b.clone()
            })
        };
        let list = |l: &List| {
            let other = other.lists.iter().find(|o| o.title == l.title)?;
            let value = |i: &Item| {
                let other = other.items.iter().find(|o| o.name == i.name)?;
                Some(Item { name: i.name.clone(), value: i.value - other.value })
            };
            let items: Vec<Item> = l.items.iter().filter_map(value).collect();
            (!items.is_empty()).then(|| List { items, ..l.clone() })
        };
        Weights {
            about: format!("{} minus {}", self.about, other.about),
            unit: self.unit.clone(),
            choices: Vec::new(),
            boards: self.boards.iter().filter_map(board).collect(),
            lists: self.lists.iter().filter_map(list).collect(),
        }
    }
}

impl Board {
    /// Of so many columns, without names of rows and columns.
    pub fn new(title: impl Into<String>, width: usize, cells: Vec<Option<f64>>) -> Board {
        let height = cells.len().div_ceil(width.max(1));
        Board { title: title.into(), width, height, cells, ..Board::default() }
    }

    /// Eight by eight with letters below and numbers at the side. `cells` begin with a1 and go row by
    /// row; the first row is `at_top` (Othello), or else at the bottom (chess).
    pub fn of_squares(title: impl Into<String>, cells: &[f64; 64], at_top: bool) -> Board {
        let rows: Vec<usize> = if at_top { (0..8).collect() } else { (0..8).rev().collect() };
        let cells = rows.iter().flat_map(|&row| cells[8 * row..][..8].iter().map(|c| Some(*c)));
        Board {
            rows: rows.iter().map(|row| (row + 1).to_string()).collect(),
            columns: "abcdefgh".chars().map(String::from).collect(),
            ..Board::new(title, 8, cells.collect())
        }
    }

    /// With a line about it.
    #[must_use]
    pub fn about(mut self, about: impl Into<String>) -> Board {
        self.about = about.into();
        self
    }

    /// What people call a cell: `e4`, or row and column by number where they have no names.
    #[must_use]
    pub fn cell_name(&self, cell: usize) -> String {
        let (column, row) = (cell % self.width.max(1), cell / self.width.max(1));
        match (self.columns.get(column), self.rows.get(row)) {
            (Some(column), Some(row)) => format!("{column}{row}"),
            _ => format!("column {}, row {}", column + 1, row + 1),
        }
    }
}

impl List {
    /// Names and numbers.
    pub fn new<S: Into<String>>(
        title: impl Into<String>,
        items: impl IntoIterator<Item = (S, f64)>,
    ) -> List {
        let items = items.into_iter().map(|(name, value)| Item { name: name.into(), value });
        List { title: title.into(), about: String::new(), items: items.collect() }
    }

    /// With a line about it.
    #[must_use]
    pub fn about(mut self, about: impl Into<String>) -> List {
        self.about = about.into();
        self
    }
}

/// The colour of a weight: near white for nought, towards orange for more and blue for less. Small
/// ones are told apart better than large ones; from `most` on the colour is full.
#[must_use]
pub fn colour(value: f64, most: f64) -> [u8; 3] {
    let strength = if most > 0.0 { (value.abs() / most).min(1.0).sqrt() } else { 0.0 };
    let far = if value < 0.0 { LOW } else { HIGH };
    std::array::from_fn(|i| (NOUGHT[i] + (far[i] - NOUGHT[i]) * strength).round() as u8)
}

/// The colours of less, nought and more. Dark letters can be read on all of them.
const LOW: [f64; 3] = [91.0, 141.0, 199.0];
const NOUGHT: [f64; 3] = [245.0, 245.0, 240.0];
const HIGH: [f64; 3] = [233.0, 138.0, 60.0];

/// Which of some moments (games after which weights were kept, rising) a look asks for: the last
/// unless one is named. The error tells those that there are; of very many, some.
pub fn moment(kept: &[u64], look: &Look) -> Result<Option<u64>, TaskError> {
    let asked = match look.games[..] {
        [] => return Ok(kept.last().copied()),
        [one] => one,
        _ => return Err(TaskError::Unfit("one moment at a time".to_string())),
    };
    if kept.contains(&asked) {
        return Ok(Some(asked));
    }
    let list: Vec<String> = some(kept, 20).iter().map(u64::to_string).collect();
    let message = match list.is_empty() {
        true => "no weights were kept yet".to_string(),
        false => format!(
            "no weights were kept after {asked} games, but after {}{}",
            if kept.len() > list.len() { "(among others) " } else { "" },
            list.join(", ")
        ),
    };
    Err(TaskError::Unfit(message))
}

/// Moments as options, at most about 60 of them, with the chosen one.
pub fn moments(kept: &[u64], chosen: u64) -> Vec<Named> {
    let mut shown = some(kept, 60);
    if let Err(place) = shown.binary_search(&chosen) {
        shown.insert(place, chosen);
    }
    shown.into_iter().map(|games| Named::new(games.to_string(), after(games))).collect()
}

/// `at the beginning`, `after 12 games`.
#[must_use]
pub fn after(games: u64) -> String {
    match games {
        0 => "at the beginning".to_string(),
        1 => "after 1 game".to_string(),
        games => format!("after {games} games"),
    }
}

/// Evenly chosen, the first and the last among them.
fn some(all: &[u64], most: usize) -> Vec<u64> {
    let step = all.len().div_ceil(most).max(1);
    let keep = |&(i, _): &(usize, &u64)| i.is_multiple_of(step) || i + 1 == all.len();
    all.iter().enumerate().filter(keep).map(|(_, games)| *games).collect()
}

/// The name among some that a look asks for, the first unless one is named.
pub fn named<'a>(
    what: &'static str,
    names: &'a [String],
    asked: Option<&String>,
) -> Result<Option<(usize, &'a String)>, TaskError> {
    let Some(asked) = asked else { return Ok(names.iter().enumerate().next()) };
    let found = names.iter().enumerate().find(|(_, name)| *name == asked);
    found.map(Some).ok_or_else(|| TaskError::unknown(what, asked, names.iter().map(String::as_str)))
}

#[cfg(test)]
mod tests;

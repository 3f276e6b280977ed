//! Where the numbers come from: rows of features with a class and a weight.
//!
//! A fit passes over the rows several times, and never asks for all of them at once, so that they
//! may come from a file that is larger than memory, or be computed from positions as they are read.
//!
//! The sums of a pass are made in blocks of fixed size that are shared out to threads and added up
//! in order: the result does not depend on the number of threads.

use rayon::prelude::*;

use crate::LearnError;

/// The outcome of an example for the side to move, in the order worse to better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Class {
    /// The class of a score: its sign.
    #[must_use]
    pub fn of_score(score: i32) -> Class {
        match score.signum() {
            -1 => Class::Loss,
            0 => Class::Draw,
            _ => Class::Win,
        }
    }

    /// 0 for a loss, ½ for a draw, 1 for a win.
    #[must_use]
    pub fn points(self) -> f64 {
        match self {
            Class::Loss => 0.0,
            Class::Draw => 0.5,
            Class::Win => 1.0,
        }
    }
}

/// How a drawn example enters a fit of win against loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Draws {
    /// Once as a win and once as a loss, each with the full weight (as in the thesis, section 3.0).
    #[default]
    Twice,
    /// Once as a win and once as a loss, each with half the weight.
    Halved,
    /// Not at all.
    Omitted,
}

impl Draws {
    /// The weights with which an example enters as a win and as a loss.
    #[must_use]
    pub fn split(self, class: Class, weight: f64) -> (f64, f64) {
        match (class, self) {
            (Class::Win, _) => (weight, 0.0),
            (Class::Loss, _) => (0.0, weight),
            (Class::Draw, Draws::Twice) => (weight, weight),
            (Class::Draw, Draws::Halved) => (weight / 2.0, weight / 2.0),
            (Class::Draw, Draws::Omitted) => (0.0, 0.0),
        }
    }
}

/// Examples as rows of numbers. A pass must give the same rows in the same order every time.
pub trait Rows {
    /// The names of the features, one for each column.
    fn names(&self) -> &[String];

    /// Calls `visit` with each row: features, class, weight.
    ///
    /// # Errors
    /// Fails when the rows cannot be read (`LearnError::source`).
    fn for_each(&self, visit: &mut dyn FnMut(&[f64], Class, f64)) -> Result<(), LearnError>;

    /// Number of features.
    fn width(&self) -> usize {
        self.names().len()
    }
}

/// Rows held in memory.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    names: Vec<String>,
    values: Vec<f64>,
    outcomes: Vec<(Class, f64)>,
}

impl Matrix {
    /// No rows yet, of these features.
    pub fn new<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Matrix {
        Matrix { names: names.into_iter().map(Into::into).collect(), ..Matrix::default() }
    }

    /// Adds a row of weight 1.
    ///
    /// # Errors
    /// See [`Matrix::push_weighted`].
    pub fn push(&mut self, row: &[f64], class: Class) -> Result<(), LearnError> {
        self.push_weighted(row, class, 1.0)
    }

    /// Adds a row.
    ///
    /// # Errors
    /// Refuses a row of the wrong length, a value or a weight that is not finite, a negative weight.
    pub fn push_weighted(
        &mut self,
        row: &[f64],
        class: Class,
        weight: f64,
    ) -> Result<(), LearnError> {
        check_row(&self.names, self.outcomes.len() as u64 + 1, row, weight)?;
        self.values.extend_from_slice(row);
        self.outcomes.push((class, weight));
        Ok(())
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Has it no row?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// The features, class and weight of a row.
    #[must_use]
    pub fn row(&self, index: usize) -> (&[f64], Class, f64) {
        let width = self.names.len();
        let (class, weight) = self.outcomes[index];
        (&self.values[index * width..(index + 1) * width], class, weight)
    }
}

impl Rows for Matrix {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn for_each(&self, visit: &mut dyn FnMut(&[f64], Class, f64)) -> Result<(), LearnError> {
        for index in 0..self.len() {
            let (row, class, weight) = self.row(index);
            visit(row, class, weight);
        }
        Ok(())
    }
}

/// Some columns of other rows, in the order asked for.
pub struct Columns<'a, R: Rows + ?Sized> {
    rows: &'a R,
    columns: Vec<usize>,
    names: Vec<String>,
}

impl<'a, R: Rows + ?Sized> Columns<'a, R> {
    /// These columns of `rows`.
    ///
    /// # Errors
    /// Refuses a column that does not exist.
    pub fn new(rows: &'a R, columns: &[usize]) -> Result<Columns<'a, R>, LearnError> {
        let names = columns
            .iter()
            .map(|&c| {
                rows.names().get(c).cloned().ok_or_else(|| {
                    LearnError::Argument(format!(
                        "there is no feature {c}: there are {}",
                        rows.width()
                    ))
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Columns { rows, columns: columns.to_vec(), names })
    }
}

impl<R: Rows + ?Sized> Rows for Columns<'_, R> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn for_each(&self, visit: &mut dyn FnMut(&[f64], Class, f64)) -> Result<(), LearnError> {
        let mut chosen = vec![0.0; self.columns.len()];
        let width = self.rows.width();
        self.rows.for_each(&mut |row, class, weight| {
            if row.len() == width {
                for (to, &from) in chosen.iter_mut().zip(&self.columns) {
                    *to = row[from];
                }
                visit(&chosen, class, weight);
            } else {
                // Passed on as it is, so that whoever checks the rows sees the fault.
                visit(row, class, weight);
            }
        })
    }
}

/// The rows of several sources one after the other, as merged groups need them.
pub struct Joined<'a, R: Rows + ?Sized>(Vec<&'a R>);

impl<'a, R: Rows + ?Sized> Joined<'a, R> {
    /// Joins sources of the same features.
    ///
    /// # Errors
    /// Refuses no source, and sources of different features.
    pub fn new(parts: Vec<&'a R>) -> Result<Joined<'a, R>, LearnError> {
        let Some(first) = parts.first() else { return Err(LearnError::NoExamples) };
        if let Some(other) = parts.iter().find(|p| p.names() != first.names()) {
            return Err(LearnError::Argument(format!(
                "the groups to join have different features: {:?} and {:?}",
                first.names(),
                other.names()
            )));
        }
        Ok(Joined(parts))
    }
}

impl<R: Rows + ?Sized> Rows for Joined<'_, R> {
    fn names(&self) -> &[String] {
        self.0[0].names()
    }

    fn for_each(&self, visit: &mut dyn FnMut(&[f64], Class, f64)) -> Result<(), LearnError> {
        self.0.iter().try_for_each(|part| part.for_each(visit))
    }
}

fn check_row(names: &[String], number: u64, row: &[f64], weight: f64) -> Result<(), LearnError> {
    if row.len() != names.len() {
        let (found, expected) = (row.len(), names.len());
        return Err(LearnError::WrongWidth { row: number, found, expected });
    }
    if let Some(at) = row.iter().position(|v| !v.is_finite()) {
        let (feature, value) = (names[at].clone(), row[at]);
        return Err(LearnError::NotFinite { row: number, feature, value });
    }
    if !(weight.is_finite() && weight >= 0.0) {
        return Err(LearnError::BadWeight { row: number, weight });
    }
    Ok(())
}

/// Rows given to one accumulator at a time. Part of the result of a sum, hence fixed.
const CHUNK: usize = 512;
/// Rows collected before they are shared out to threads.
const BLOCK: usize = 64 * CHUNK;

/// One pass over the rows: `add(sum, row, wins, losses)` into partial sums, which `merge` joins in
/// order. Rows are checked; rows without weight are passed over.
pub(crate) fn fold<A, R: Rows + ?Sized>(
    rows: &R,
    draws: Draws,
    new: impl Fn() -> A + Sync,
    add: impl Fn(&mut A, &[f64], f64, f64) + Sync,
    merge: impl Fn(&mut A, A),
) -> Result<A, LearnError>
where
    A: Send,
{
    let names = rows.names();
    let width = names.len();
    let mut total = new();
    let mut values: Vec<f64> = Vec::new();
    let mut outcomes: Vec<(f64, f64)> = Vec::new();
    let mut flush = |values: &mut Vec<f64>, outcomes: &mut Vec<(f64, f64)>| {
        let parts: Vec<A> = outcomes
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, outcomes)| {
                let mut sum = new();
                for (i, &(wins, losses)) in outcomes.iter().enumerate() {
                    let start = (chunk * CHUNK + i) * width;
                    add(&mut sum, &values[start..start + width], wins, losses);
                }
                sum
            })
            .collect();
        for part in parts {
            merge(&mut total, part);
        }
        values.clear();
        outcomes.clear();
    };
    let mut number = 0u64;
    let mut fault = None;
    rows.for_each(&mut |row, class, weight| {
        if fault.is_some() {
            return;
        }
        number += 1;
        if let Err(error) = check_row(names, number, row, weight) {
            fault = Some(error);
            return;
        }
        let (wins, losses) = draws.split(class, weight);
        if wins + losses > 0.0 {
            values.extend_from_slice(row);
            outcomes.push((wins, losses));
            if outcomes.len() == BLOCK {
                flush(&mut values, &mut outcomes);
            }
        }
    })?;
    if let Some(error) = fault {
        return Err(error);
    }
    flush(&mut values, &mut outcomes);
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Given(Vec<String>, Vec<(Vec<f64>, f64)>);

    impl Rows for Given {
        fn names(&self) -> &[String] {
            &self.0
        }
        fn for_each(&self, visit: &mut dyn FnMut(&[f64], Class, f64)) -> Result<(), LearnError> {
            self.1.iter().for_each(|(row, weight)| visit(row, Class::Win, *weight));
            Ok(())
        }
    }

    fn sum<R: Rows + ?Sized>(rows: &R, draws: Draws) -> Result<(f64, f64, f64), LearnError> {
        fold(
            rows,
            draws,
            || (0.0, 0.0, 0.0),
            |s, row, w, l| {
                s.0 += row[0] * (w + l);
                s.1 += w;
                s.2 += l;
            },
            |s, p| {
                s.0 += p.0;
                s.1 += p.1;
                s.2 += p.2;
            },
        )
    }

    #[test]
    fn draws_enter_as_a_win_and_a_loss() {
        let mut m = Matrix::new(["x"]);
        m.push(&[1.0], Class::Draw).unwrap();
        m.push_weighted(&[3.0], Class::Win, 2.0).unwrap();
        assert_eq!(sum(&m, Draws::Twice).unwrap(), (8.0, 3.0, 1.0));
        assert_eq!(sum(&m, Draws::Halved).unwrap(), (7.0, 2.5, 0.5));
        assert_eq!(sum(&m, Draws::Omitted).unwrap(), (6.0, 2.0, 0.0));
    }

    #[test]
    fn a_pass_longer_than_a_block_sees_every_row_once() {
        let mut m = Matrix::new(["x"]);
        let n = 2 * BLOCK + CHUNK + 3;
        for i in 0..n {
            m.push(&[i as f64], if i % 3 == 0 { Class::Loss } else { Class::Win }).unwrap();
        }
        let (total, wins, losses) = sum(&m, Draws::Twice).unwrap();
        assert_eq!(total, (n * (n - 1) / 2) as f64);
        assert_eq!(wins + losses, n as f64);
        assert_eq!(losses, n.div_ceil(3) as f64);
    }

    #[test]
    fn faults_are_reported_with_row_and_feature() {
        let names = || vec!["a".to_string(), "b".to_string()];
        let bad =
            |row: Vec<f64>, weight| Given(names(), vec![(vec![1.0, 2.0], 1.0), (row, weight)]);
        let message = |g: Given| sum(&g, Draws::Twice).unwrap_err().to_string();
        assert_eq!(
            message(bad(vec![0.0, f64::NAN], 1.0)),
            "row 2, feature \"b\": the value NaN is not a finite number"
        );
        assert!(message(bad(vec![f64::INFINITY, 0.0], 1.0)).contains("feature \"a\""));
        assert!(message(bad(vec![0.0], 1.0)).contains("row 2 has 1 values where 2 features"));
        assert!(message(bad(vec![0.0, 0.0], -1.0)).contains("row 2: the weight -1"));
    }

    #[test]
    fn columns_and_joined_rows_are_views_of_their_sources() {
        let mut m = Matrix::new(["a", "b", "c"]);
        m.push(&[1.0, 2.0, 3.0], Class::Win).unwrap();
        let view = Columns::new(&m, &[2, 0]).unwrap();
        assert_eq!(view.names(), ["c", "a"]);
        let joined = Joined::new(vec![&view, &view]).unwrap();
        let mut seen = Vec::new();
        joined.for_each(&mut |row, _, _| seen.push(row.to_vec())).unwrap();
        assert_eq!(seen, [vec![3.0, 1.0], vec![3.0, 1.0]]);
        assert!(Columns::new(&m, &[3]).is_err());
        let other = Matrix::new(["a"]);
        assert!(Joined::new(vec![&m, &other]).is_err());
    }
}

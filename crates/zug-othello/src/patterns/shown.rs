//! What do pattern tables say of a single square? A weight belongs to what stands on all squares of a
//! pattern together; on a board stands how much the mean of the weights in use changes when a disc is
//! known to stand on a square, added up over all tables that look at it.

use super::{PatternSet, Phases};
use zug_learn::face::{Named, TaskError};
use zug_learn::td::face::Look;
use zug_learn::weights::{Board, List, Part, Weights};

/// The digits of an instance and what they are.
const DISCS: [(usize, &str, &str); 2] = [
    (2, "own disc", "How much an own disc on the square changes the mean of the weights"),
    (0, "other disc", "How much a disc of the other side on the square changes the mean"),
];

/// Tables at one of their knots. `weights` are those of all cells, knot by knot, in discs; 0 is not in
/// use.
pub(crate) fn weights(
    about: &str,
    set: &PatternSet,
    phases: &Phases,
    weights: &[f32],
    look: &Look,
) -> Result<Weights, TaskError> {
    let knots: Vec<String> = phases.knots().iter().map(u8::to_string).collect();
    let knot = match &look.types[..] {
        // In the middle of the game squares matter most.
        [] => knots.len() / 2,
        [one] => knots.iter().position(|k| k == one).ok_or_else(|| {
            TaskError::unknown("number of discs", one, knots.iter().map(String::as_str))
        })?,
        _ => return Err(TaskError::Unfit("one number of discs at a time".to_string())),
    };
    let cells = set.cells();
    let Some(own) = weights.get(knot * cells..(knot + 1) * cells) else {
        return Err(TaskError::Unfit("expected a weight for each cell at each knot".to_string()));
    };
    let mut shown = Weights::new(about, "discs");
    let options = knots.iter().map(|k| Named::new(k.as_str(), format!("{k} discs on the board")));
    shown.offer(Part::Type, "Phase", knots[knot].as_str(), options);
    for (digit, title, about) in DISCS {
        shown.boards.push(Board::of_squares(title, &effects(set, own, digit), true).about(about));
    }
    let tables = set.tables().into_iter().map(|(name, range)| {
        let used = own[range].iter().filter(|w| **w != 0.0);
        let (sum, count) =
            used.fold((0.0, 0u32), |(s, n), w| (s + f64::from(*w) * f64::from(*w), n + 1));
        (name, (sum / f64::from(count.max(1))).sqrt())
    });
    let list = List::new("Tables", tables.collect::<Vec<_>>());
    shown.lists.push(list.about("root of the mean square of the weights in use"));
    Ok(shown)
}

fn effects(set: &PatternSet, weights: &[f32], digit: usize) -> [f64; 64] {
    let mut effects = [0.0; 64];
    let mut start = 0;
    for pattern in set.patterns() {
        let cell_of = &set.cell_of_instances()[start..][..pattern.instances()];
        start += pattern.instances();
        let (mut all, mut count) = (0.0, 0u32);
        let mut with = vec![(0.0, 0u32); pattern.len()];
        for (instance, &cell) in cell_of.iter().enumerate() {
            let weight = f64::from(weights[cell as usize]);
            if weight == 0.0 {
                continue;
            }
            (all, count) = (all + weight, count + 1);
            let mut rest = instance;
            for mean in &mut with {
                if rest % 3 == digit {
                    *mean = (mean.0 + weight, mean.1 + 1);
                }
                rest /= 3;
            }
        }
        let mean = all / f64::from(count.max(1));
        for placement in pattern.placements() {
            for (&square, &(sum, count)) in placement.iter().zip(&with) {
                if count > 0 {
                    effects[usize::from(square)] += sum / f64::from(count) - mean;
                }
            }
        }
    }
    effects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_likes_own_corners_shows_it_on_all_four() {
        let set = PatternSet::parse(&["edge"]).unwrap();
        let phases = Phases::new(&[8, 30]).unwrap();
        let mut all = vec![0.0; 2 * set.cells()];
        let pattern = &set.patterns()[0];
        for (instance, &cell) in set.cell_of_instances().iter().enumerate() {
            // Ends of the edge are the first and the last digit.
            let ends = [instance % 3, instance / 3usize.pow(pattern.len() as u32 - 1) % 3];
            let value: i32 = ends.iter().map(|&d| d as i32 - 1).sum();
            all[set.cells() + cell as usize] = value as f32 + 1e-3;
        }
        let look = |word: &str| Look { types: vec![word.into()], ..Look::default() };
        let shown = weights("now", &set, &phases, &all, &look("30")).unwrap();
        let own = &shown.boards[0];
        for corner in [0, 7, 56, 63] {
            assert!((own.cells[corner].unwrap() - 2.0).abs() < 0.01, "{:?}", own.cells);
            assert!((shown.boards[1].cells[corner].unwrap() + 2.0).abs() < 0.01);
        }
        assert!(own.cells[3].unwrap().abs() < 0.01 && own.cells[27] == Some(0.0));
        assert_eq!(shown.choices[0].options.len(), 2);
        let early = weights("now", &set, &phases, &all, &look("8")).unwrap();
        assert_eq!(early.largest(), 0.0);
        assert!(weights("now", &set, &phases, &all, &look("9")).is_err());
        assert!(weights("now", &set, &phases, &all[1..], &look("30")).is_err());
    }
}

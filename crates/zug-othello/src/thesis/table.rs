//! What is an instance of a pattern worth? The share of wins among the examples that show it.
//!
//! Section 2.3 of the thesis: the value of an instance is the probability that Black wins when it is
//! on the board, estimated by the relative frequency in the examples, separately for each of twelve
//! phases of the game, smoothed over the phases, and kept as one signed byte.
//!
//! *Whose win?* The thesis counts from Black's view whoever is to move. Examples do not know colours,
//! only their mover; but as the sides move in turn and a phase spans four disc counts, Black is the
//! mover in about half of the positions of a phase. So each example is counted twice, once as its
//! mover sees it and once, with the sides exchanged, as the other side does
//! ([`Colours::Symmetric`]). Then exchanging the sides negates every value, as it must if the sum over
//! a position is to say nothing about whose turn it is, and each cell rests on twice the examples.
//! [`Colours::Mover`] counts only from the mover's view; its cells hold the value of having the move,
//! too.
//!
//! *Smoothing and extrapolation* (the thesis gives no formula). Let an instance occur n(t) times in
//! phase t with w(t) wins. The other phases give an opinion q, the frequency in all of them together,
//! where phase s counts n(s)·decay^|t-s|; it is worth as many examples as stand behind it, but at
//! most `strength`:
//!
//! ```text
//! p(t) = (w(t) + m·q + prior/2) / (n(t) + m + prior),     m = min(strength, Σ n(s)·decay^|t-s|)
//! ```
//!
//! So well-known cells keep their own frequency, rare ones lean on their neighbours, cells never seen
//! in a phase take the value of the phases where they occur, and cells never seen at all get ½, which
//! is packed as 0. The `prior` keeps one lost game from being a certain loss.

use super::ThesisError;
use super::sample::{self, Division, Part};
use crate::examples::ExampleFile;
use crate::patterns::{Pattern, PatternSet};
use serde::{Deserialize, Serialize};
use zug_core::{Progress, StopFlag};
use zug_learn::Class;

/// How many phases the game has.
pub const PHASES: usize = 12;
/// The fewest discs in the first phase, and how many disc counts each has.
const FIRST: u32 = 10;
const WIDTH: u32 = 4;

/// The phase of a disc count: four disc counts each, from 10 on. Fewer discs belong to the first,
/// more than 57 to the last.
#[must_use]
pub const fn phase(discs: u32) -> usize {
    let phase = discs.saturating_sub(FIRST) / WIDTH;
    if phase < PHASES as u32 { phase as usize } else { PHASES - 1 }
}

/// The disc counts of a phase.
fn discs_of(phase: usize) -> std::ops::Range<u32> {
    let first = if phase == 0 { 0 } else { FIRST + WIDTH * phase as u32 };
    let end = if phase == PHASES - 1 { 65 } else { FIRST + WIDTH * (phase as u32 + 1) };
    first..end
}

/// From whose view examples are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colours {
    /// From both sides' views: exchanging the sides negates every value.
    #[default]
    Symmetric,
    /// From the mover's view only.
    Mover,
}

/// How tables are estimated. See the module for what the numbers mean.
///
/// The defaults matter little where examples are many. With tables from 150,000 tournament and club
/// games, strengths of 0, 20 and 100 and priors of 0, 2 and 10 were compared on other games, every
/// fourth disc count, for patterns of 8 and 10 squares: their discordances lay within 0.002 of each
/// other, with the larger numbers at the better end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableOptions {
    /// From whose view.
    pub colours: Colours,
    /// How much less the examples of a phase count one phase away. Between 0 and 1.
    pub decay: f64,
    /// As many examples the opinion of the other phases is worth at most.
    pub strength: f64,
    /// So many more examples, half won and half lost, are taken to stand behind every cell.
    pub prior: f64,
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions { colours: Colours::Symmetric, decay: 0.5, strength: 100.0, prior: 10.0 }
    }
}

impl TableOptions {
    /// Refuses numbers that make no sense.
    pub fn check(&self) -> Result<(), ThesisError> {
        let fits = |value: f64, most: f64| (0.0..=most).contains(&value);
        if !(fits(self.decay, 1.0) && fits(self.strength, 1e9) && fits(self.prior, 1e9)) {
            return Err(ThesisError::Options(format!(
                "expected a decay from 0 to 1, a strength and a prior of at least 0, found {}, {} and {}",
                self.decay, self.strength, self.prior
            )));
        }
        Ok(())
    }
}

/// How often the instances of a pattern occur in each phase, and how often they win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    pattern: Pattern,
    /// For each phase and instance: wins in halves (a draw is one), and occurrences. Instances that
    /// a symmetry of the pattern exchanges are counted at the smallest of them.
    cells: Vec<(u64, u64)>,
}

impl Tally {
    /// Nothing seen yet.
    #[must_use]
    pub fn new(pattern: &Pattern) -> Tally {
        Tally { pattern: pattern.clone(), cells: vec![(0, 0); PHASES * pattern.instances()] }
    }

    /// Notes that an instance (the smallest of its images) occurred.
    pub fn add(&mut self, phase: usize, representative: usize, class: Class) {
        let cell = &mut self.cells[phase * self.pattern.instances() + representative];
        cell.0 += (2.0 * class.points()) as u64;
        cell.1 += 1;
    }

    /// Occurrences in all phases.
    #[must_use]
    pub fn occurrences(&self) -> u64 {
        self.cells.iter().map(|c| c.1).sum()
    }

    /// The table.
    #[must_use]
    pub fn table(&self, options: &TableOptions) -> PatternTable {
        let instances = self.pattern.instances();
        let representatives = self.pattern.representatives();
        let mut values = vec![0; PHASES * instances];
        for (instance, &representative) in representatives.iter().enumerate() {
            let representative = usize::from(representative);
            if representative != instance {
                for phase in 0..PHASES {
                    values[phase * instances + instance] =
                        values[phase * instances + representative];
                }
                continue;
            }
            let exchanged = usize::from(representatives[self.pattern.swapped(instance)]);
            let seen: [(f64, f64); PHASES] = std::array::from_fn(|phase| {
                let at = |i: usize| {
                    let (halves, count) = self.cells[phase * instances + i];
                    (halves as f64 / 2.0, count as f64)
                };
                let (wins, count) = at(instance);
                match options.colours {
                    Colours::Mover => (wins, count),
                    Colours::Symmetric => {
                        let (lost, also) = at(exchanged);
                        (wins + also - lost, count + also)
                    }
                }
            });
            for phase in 0..PHASES {
                values[phase * instances + instance] = packed(smoothed(&seen, phase, options));
            }
        }
        PatternTable { pattern: self.pattern.clone(), values }
    }
}

/// The estimate for one phase from the wins and occurrences in all.
fn smoothed(seen: &[(f64, f64); PHASES], phase: usize, options: &TableOptions) -> f64 {
    let (mut wins, mut count) = (0.0, 0.0);
    for (other, (w, n)) in seen.iter().enumerate() {
        if other != phase {
            let weight = options.decay.powi(phase.abs_diff(other) as i32);
            wins += weight * w;
            count += weight * n;
        }
    }
    let (own_wins, own_count) = seen[phase];
    let trust = if count > 0.0 { count.min(options.strength) / count } else { 0.0 };
    let total = own_count + trust * count + options.prior;
    if total > 0.0 { (own_wins + trust * wins + options.prior / 2.0) / total } else { 0.5 }
}

/// A probability as a byte: -127 is a certain loss, 127 a certain win.
#[must_use]
pub fn packed(probability: f64) -> i8 {
    (127.0 * (2.0 * probability - 1.0)).round().clamp(-127.0, 127.0) as i8
}

/// The values of all instances of a pattern in all phases, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternTable {
    pattern: Pattern,
    values: Vec<i8>,
}

impl PatternTable {
    /// A table of a pattern, phase by phase; `None` when the number of values is wrong.
    #[must_use]
    pub fn new(pattern: Pattern, values: Vec<i8>) -> Option<PatternTable> {
        (values.len() == PHASES * pattern.instances()).then_some(PatternTable { pattern, values })
    }

    /// The pattern.
    #[must_use]
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// All values, phase by phase.
    #[must_use]
    pub fn values(&self) -> &[i8] {
        &self.values
    }

    /// The values of one phase, by instance.
    #[inline]
    #[must_use]
    pub fn phase(&self, phase: usize) -> &[i8] {
        let instances = self.values.len() / PHASES;
        &self.values[phase * instances..(phase + 1) * instances]
    }
}

/// Counts the instances of all patterns of a set in the examples of a part.
///
/// The memory is that of the counts, and of a phase's counts for each thread at work.
pub fn tally(
    files: &[ExampleFile],
    set: &PatternSet,
    division: &Division,
    part: Part,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<Tally>, ThesisError> {
    let representatives: Vec<Vec<u16>> =
        set.patterns().iter().map(Pattern::representatives).collect();
    let mut tallies: Vec<Tally> = set.patterns().iter().map(Tally::new).collect();
    for phase in 0..PHASES {
        // A chunk is turned into the numbers of its cells on any thread and counted on this one:
        // the look-ups of the lanes take longer than the counting, and one set of counts is enough.
        let work = |examples: &[crate::examples::Example]| {
            let used = examples.iter().filter(|e| division.part(e) == Some(part));
            used.map(|e| (set.indices(e.board), sample::class(e))).collect::<Vec<_>>()
        };
        let count = |chunk: Vec<(crate::patterns::Indices, Class)>| {
            let mut lane = 0;
            for (number, tally) in tallies.iter_mut().enumerate() {
                let images = tally.pattern.placements().len();
                for (indices, class) in &chunk {
                    for &instance in &indices.0[lane..lane + images] {
                        let cell = representatives[number][usize::from(instance)];
                        tally.add(phase, usize::from(cell), *class);
                    }
                }
                lane += images;
            }
        };
        sample::for_each_chunk(files, discs_of(phase), progress, stop, work, count)?;
    }
    Ok(tallies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_four_disc_counts_wide_and_clamped() {
        let phases: Vec<usize> = [0, 9, 10, 13, 14, 53, 54, 57, 58, 64].map(phase).to_vec();
        assert_eq!(phases, [0, 0, 0, 0, 1, 10, 11, 11, 11, 11]);
        for discs in 0..=64 {
            assert!(discs_of(phase(discs)).contains(&discs));
        }
        assert_eq!((0..PHASES).map(|p| discs_of(p).len()).sum::<usize>(), 65);
    }

    #[test]
    fn probabilities_fill_a_byte() {
        assert_eq!([0.0, 0.25, 0.5, 0.75, 1.0].map(packed), [-127, -64, 0, 64, 127]);
    }

    fn corner() -> Pattern {
        Pattern::parse("a1,b1").unwrap()
    }

    /// Own disc on a1, the rest empty: digits 2 and 1.
    const OWN_CORNER: usize = 2 + 3;

    fn exact() -> TableOptions {
        TableOptions { decay: 0.5, strength: 0.0, prior: 0.0, ..TableOptions::default() }
    }

    #[test]
    fn a_cell_is_the_share_of_wins_seen_from_both_sides() {
        let mut tally = Tally::new(&corner());
        let lost = corner().swapped(OWN_CORNER);
        for (instance, class) in [
            (OWN_CORNER, Class::Win),
            (OWN_CORNER, Class::Draw),
            (lost, Class::Win),
            (lost, Class::Loss),
        ] {
            tally.add(3, instance, class);
        }
        // Four occurrences for the side with the corner: won, drawn, lost, won.
        let table = tally.table(&exact());
        assert_eq!(table.phase(3)[OWN_CORNER], packed(2.5 / 4.0));
        assert_eq!(table.phase(3)[lost], -table.phase(3)[OWN_CORNER]);
        let options = TableOptions { colours: Colours::Mover, ..exact() };
        let table = tally.table(&options);
        assert_eq!(table.phase(3)[OWN_CORNER], packed(0.75));
        assert_eq!(table.phase(3)[lost], 0);
    }

    #[test]
    fn unseen_phases_are_filled_from_seen_ones_and_unseen_cells_are_even() {
        let mut tally = Tally::new(&corner());
        for _ in 0..10 {
            tally.add(5, OWN_CORNER, Class::Win);
        }
        let options = TableOptions { prior: 0.0, ..TableOptions::default() };
        let table = tally.table(&options);
        assert!((0..PHASES).all(|p| table.phase(p)[OWN_CORNER] == 127));
        assert!((0..PHASES).all(|p| table.phase(p)[0] == 0));
        // What is far away says less than what is near.
        for _ in 0..10 {
            tally.add(9, OWN_CORNER, Class::Loss);
        }
        let table = tally.table(&options);
        assert!(table.phase(6)[OWN_CORNER] > 0 && table.phase(8)[OWN_CORNER] < 0);
        assert_eq!(table.phase(7)[OWN_CORNER], 0);
    }

    #[test]
    fn well_known_cells_keep_their_own_frequency() {
        let mut tally = Tally::new(&corner());
        for phase in [4, 5] {
            for i in 0..10_000 {
                let class = if (i % 10 < 9) == (phase == 4) { Class::Win } else { Class::Loss };
                tally.add(phase, OWN_CORNER, class);
            }
        }
        let table = tally.table(&TableOptions::default());
        assert!((i32::from(table.phase(4)[OWN_CORNER]) - i32::from(packed(0.9))).abs() <= 3);
        assert!((i32::from(table.phase(5)[OWN_CORNER]) - i32::from(packed(0.1))).abs() <= 3);
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        let bad = |change: fn(&mut TableOptions)| {
            let mut options = TableOptions::default();
            change(&mut options);
            options.check().is_err()
        };
        assert!(
            bad(|o| o.decay = 1.5) && bad(|o| o.strength = -1.0) && bad(|o| o.prior = f64::NAN)
        );
        assert!(!bad(|_| ()));
    }
}

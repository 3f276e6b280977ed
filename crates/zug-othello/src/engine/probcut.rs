//! May a deep search be left out, because a shallow one tells its result well enough?
//!
//! The value of a deep search is a line of the value of a shallow one, with an error: `deep = a *
//! shallow + b + e`, where `e` is normal with deviation `sigma`. If the shallow value is so far
//! beyond a bound that the deep one is beyond it with the asked confidence, the deep search is not
//! made. The numbers depend on the stage of the game and on both depths; see `probcut` among the
//! methods of learning for where they come from.
//!
//! A search to the end of the game is a deep search too, the one that is as deep as there are empty
//! squares.

use super::Unit;
use crate::tempo::Tempo;
use arrayvec::ArrayVec;

/// How certain a cut must be: the number of deviations that lie between the bound and the expected
/// value, in twentieths. More is more certain; [`FULL`](Confidence::FULL) makes no cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Confidence(u8);

impl Confidence {
    /// No cuts at all.
    pub const FULL: Confidence = Confidence(u8::MAX);

    /// Cuts at this many deviations, from 0 to 12; infinity for none.
    #[must_use]
    pub fn deviations(deviations: f32) -> Option<Confidence> {
        if deviations == f32::INFINITY {
            return Some(Confidence::FULL);
        }
        (0.0..=12.0).contains(&deviations).then(|| Confidence((deviations * 20.0).round() as u8))
    }

    /// The number of deviations; infinite where there are no cuts.
    #[must_use]
    pub fn percentile(self) -> f32 {
        if self == Confidence::FULL { f32::INFINITY } else { f32::from(self.0) / 20.0 }
    }

    /// As it is kept in tables: larger is more certain.
    #[must_use]
    pub fn code(self) -> u8 {
        self.0
    }

    /// From a table.
    #[must_use]
    pub fn from_code(code: u8) -> Confidence {
        Confidence(code)
    }
}

/// What a shallow search tells about a deep one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Plies of the shallow search.
    pub shallow: u8,
    /// The slope.
    pub a: f32,
    /// The shift, in the unit of the evaluation.
    pub b: f32,
    /// The deviation of the error, in the unit of the evaluation.
    pub sigma: f32,
}

impl Pair {
    /// From which shallow value on the deep one is at least `beta`.
    #[must_use]
    #[inline]
    pub fn enough(&self, beta: i32, confidence: Confidence) -> i32 {
        ((confidence.percentile() * self.sigma + beta as f32 - self.b) / self.a).ceil() as i32
    }

    /// Up to which shallow value the deep one is at most `alpha`.
    #[must_use]
    #[inline]
    pub fn too_little(&self, alpha: i32, confidence: Confidence) -> i32 {
        ((-confidence.percentile() * self.sigma + alpha as f32 - self.b) / self.a).floor() as i32
    }
}

/// More depths than a game has plies.
pub const DEPTHS: usize = 61;
/// How many shallow depths are tried for one deep one.
pub const TRIES: usize = 3;
/// Disc counts.
const DISCS: usize = 65;

/// The pairs to try at a node, cheapest first.
pub type Tries = ArrayVec<Pair, TRIES>;

/// What shallow searches tell about deep ones, at every stage of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbCut {
    unit: Unit,
    /// What the values that it speaks of have had taken off.
    tempo: Tempo,
    /// By disc count and depth.
    midgame: Vec<Tries>,
    /// By empty squares: searches to the end.
    endgame: Vec<Tries>,
}

impl ProbCut {
    /// Knows nothing, and so never cuts.
    #[must_use]
    pub fn none(unit: Unit) -> ProbCut {
        ProbCut {
            unit,
            tempo: Tempo::NONE,
            midgame: vec![Tries::new(); DISCS * DEPTHS],
            endgame: vec![Tries::new(); DEPTHS],
        }
    }

    /// The unit of the values.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// What the values have had taken off.
    #[must_use]
    pub fn tempo(&self) -> &Tempo {
        &self.tempo
    }

    /// Says that these numbers come from values that have had this taken off.
    #[must_use]
    pub fn measured_with(self, tempo: Tempo) -> ProbCut {
        ProbCut { tempo, ..self }
    }

    /// The same cuts for values that have had another table taken off. All leaves of a search have
    /// the same disc count, so such values differ by one number for each depth: slopes and errors
    /// stay, and the shifts are moved by what the two searches differ.
    #[must_use]
    pub fn adapted(&self, tempo: &Tempo) -> ProbCut {
        // How much more a search is worth with the new table than with the old one.
        let more = |discs: u32, depth: u32| {
            let taken = tempo.of(discs + depth) - self.tempo.of(discs + depth);
            (if depth.is_multiple_of(2) { -taken } else { taken }) as f32
        };
        let mut cuts = self.clone().measured_with(tempo.clone());
        if self.unit != Unit::Discs || self.tempo == *tempo {
            return cuts;
        }
        for discs in 0..DISCS as u32 {
            for depth in 0..(DEPTHS as u32).min(65 - discs) {
                for pair in &mut cuts.midgame[discs as usize * DEPTHS + depth as usize] {
                    let shallow = more(discs, u32::from(pair.shallow));
                    pair.b += more(discs, depth) - pair.a * shallow;
                }
            }
        }
        for empties in 0..DEPTHS as u32 {
            for pair in &mut cuts.endgame[empties as usize] {
                pair.b -= pair.a * more(64 - empties, u32::from(pair.shallow));
            }
        }
        cuts
    }

    /// The pairs for a search of `depth` plies from a position with `discs` discs.
    #[must_use]
    #[inline]
    pub fn midgame(&self, discs: u32, depth: u32) -> &[Pair] {
        &self.midgame[discs.min(64) as usize * DEPTHS + depth.min(60) as usize]
    }

    /// The pairs for a search to the end from a position with this many empty squares. The deep value
    /// is the final score in hundredths of a disc, whatever the unit of the shallow one is.
    #[must_use]
    #[inline]
    pub fn endgame(&self, empties: u32) -> &[Pair] {
        &self.endgame[empties.min(60) as usize]
    }

    /// Sets the pairs for searches of `depth` plies with `discs` discs.
    pub fn set_midgame(&mut self, discs: u32, depth: u32, tries: Tries) {
        self.midgame[discs.min(64) as usize * DEPTHS + depth.min(60) as usize] = tries;
    }

    /// Sets the pairs for searches to the end with this many empty squares.
    pub fn set_endgame(&mut self, empties: u32, tries: Tries) {
        self.endgame[empties.min(60) as usize] = tries;
    }

    /// A first guess for an evaluation in discs, for searches before anything was measured: the
    /// error falls with the shallow depth and grows with the distance.
    #[must_use]
    pub fn guessed() -> ProbCut {
        let mut cuts = ProbCut::none(Unit::Discs);
        let sigma = |discs: u32, deep: u32, shallow: u32| {
            let stage = 1.0 + 0.02 * (discs as f32 - 20.0).max(0.0);
            (190.0 - 9.0 * shallow.min(12) as f32 + 16.0 * (deep - shallow) as f32) * stage
        };
        let tries = |discs: u32, deep: u32, factor: f32| -> Tries {
            let half = deep / 4 * 2 + deep % 2;
            [half.saturating_sub(2), half]
                .into_iter()
                .filter(|&shallow| shallow >= 1 && shallow + 2 <= deep)
                .map(|shallow| Pair {
                    shallow: shallow as u8,
                    a: 1.0,
                    b: 0.0,
                    sigma: factor * sigma(discs, deep, shallow),
                })
                .collect()
        };
        for discs in 4..=64 {
            for deep in 3..=60 {
                cuts.set_midgame(discs, deep, tries(discs, deep, 1.0));
            }
        }
        for empties in 10..=60 {
            cuts.set_endgame(empties, tries(64 - empties, empties.min(24), 1.3));
        }
        cuts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn confidence_is_kept_in_twentieths() {
        assert_eq!(Confidence::deviations(1.5).unwrap().percentile(), 1.5);
        assert_eq!(Confidence::deviations(f32::INFINITY), Some(Confidence::FULL));
        assert!(Confidence::deviations(2.0) > Confidence::deviations(1.5));
        assert!(Confidence::FULL > Confidence::deviations(12.0).unwrap());
        for bad in [-0.1, 12.1, f32::NAN] {
            assert_eq!(Confidence::deviations(bad), None);
        }
        for code in 0..=u8::MAX {
            assert_eq!(Confidence::from_code(code).code(), code);
        }
    }

    proptest! {
        #[test]
        fn bounds_lie_beyond_the_window_by_the_deviations(
            bound in -6400i32..6400, a in 0.5f32..1.5, b in -300f32..300.0, sigma in 1f32..900.0,
            deviations in 0f32..4.0,
        ) {
            let pair = Pair { shallow: 2, a, b, sigma };
            let confidence = Confidence::deviations(deviations).unwrap();
            let margin = confidence.percentile() * sigma;
            let deep = |shallow: i32| a * shallow as f32 + b;
            prop_assert!(deep(pair.enough(bound, confidence)) >= bound as f32 + margin - 0.1);
            prop_assert!(deep(pair.too_little(bound, confidence)) <= bound as f32 - margin + 0.1);
        }
    }

    #[test]
    fn guesses_never_look_deeper_than_what_they_replace() {
        let cuts = ProbCut::guessed();
        for discs in 4..=64 {
            for deep in 0..=60 {
                for pair in cuts.midgame(discs, deep) {
                    assert!(u32::from(pair.shallow) + 2 <= deep && pair.sigma > 0.0);
                }
            }
        }
        assert!(cuts.endgame(9).is_empty() && !cuts.endgame(20).is_empty());
    }

    fn tempo(seed: i16) -> Tempo {
        let mut table = [0i16; 65];
        for (k, value) in (0i16..).zip(&mut table) {
            *value = (k * seed) % 211 - 100;
        }
        Tempo::new(table)
    }

    #[test]
    fn cuts_for_values_with_a_table_taken_off_cut_where_they_did_before() {
        let (old, confidence) = (ProbCut::guessed(), Confidence::deviations(1.5).unwrap());
        let tempo = tempo(37);
        let new = old.adapted(&tempo);
        // What is added to a value of so many plies.
        let more = |discs: u32, depth: u32| {
            let taken = tempo.of(discs + depth);
            if depth.is_multiple_of(2) { -taken } else { taken }
        };
        let mut moved = 0;
        for discs in [12, 25, 40] {
            for depth in 4..=20 {
                for (a, b) in old.midgame(discs, depth).iter().zip(new.midgame(discs, depth)) {
                    let beta = 130;
                    let before = a.enough(beta, confidence) + more(discs, u32::from(a.shallow));
                    let after = b.enough(beta + more(discs, depth), confidence);
                    assert!((before - after).abs() <= 1, "{discs} {depth}: {before} {after}");
                    moved += u32::from(b.enough(beta, confidence) != a.enough(beta, confidence));
                }
            }
            let empties = 64 - discs;
            for (a, b) in old.endgame(empties).iter().zip(new.endgame(empties)) {
                let before = a.enough(200, confidence) + more(discs, u32::from(a.shallow));
                assert!((before - b.enough(200, confidence)).abs() <= 1);
            }
        }
        assert!(moved > 40, "{moved}");
        assert_eq!(new.adapted(&tempo), new);
        let back = new.adapted(&Tempo::NONE);
        for (a, b) in old.midgame(30, 12).iter().zip(back.midgame(30, 12)) {
            assert!((a.b - b.b).abs() < 0.01);
        }
    }
}

//! Which numbers describe a position, and how are they asked for by name?
//!
//! | name | what | section |
//! |---|---|---|
//! | `mobility` | local moves over all rays, by look-up | 2.1 |
//! | `exact-mobility` | legal moves | 2.1 |
//! | `potential-mobility` | local potential moves over all rays but the edges, by look-up | 2.2 |
//! | `potential-mobility-twice` | the same; a square between two discs of the opponent counts twice | 2.2 |
//! | `exact-potential-1` | empty squares beside discs of the opponent | 2.2 |
//! | `exact-potential-2` | discs of the opponent beside empty squares | 2.2 |
//! | `exact-potential-3` | pairs of a disc of the opponent and an empty square beside it | 2.2 |
//! | `edge`, `row2`, …, `diagonal8`, …, `corner2x4`, `corner2x5`, `edge2x` | patterns with a name | 2.3 |
//! | `pattern:a1-d1,a2-d2` | any other pattern | 2.3 |
//!
//! Every feature is an integer for the side to move: what it has minus what the other side has, or
//! the sum of the bytes of a pattern's table over all images of the pattern.

use super::mobility;
use super::rays::{RAY_PATTERNS, RayTables, TwoSided};
use super::table::{PatternTable, phase};
use crate::Board;
use crate::patterns::{Indices, LANES, NAMED, Pattern, PatternSet};
use std::fmt;
use std::ops::Range;
use zug_core::TextError;

/// The features of LOGISTELLO: four classes of rows and columns, four of diagonals, the corner block
/// and both mobilities.
pub const LOGISTELLO: [&str; 11] = [
    "mobility",
    "potential-mobility",
    "edge",
    "row2",
    "row3",
    "row4",
    "diagonal8",
    "diagonal7",
    "diagonal6",
    "diagonal5",
    "corner2x4",
];

/// What a feature measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Approximate mobility.
    Mobility,
    /// Approximate potential mobility.
    Potential(TwoSided),
    /// Exact mobility.
    ExactMobility,
    /// One of the three exact measures of potential mobility.
    ExactPotential(u8),
    /// A pattern.
    Pattern(Pattern),
}

/// A feature with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    name: String,
    measure: Measure,
}

const PATTERN: &str = "pattern:";

impl Feature {
    /// Reads the name of a feature.
    pub fn parse(name: &str) -> Result<Feature, TextError> {
        let name = name.trim();
        let measure = match name {
            "mobility" => Measure::Mobility,
            "potential-mobility" => Measure::Potential(TwoSided::Once),
            "potential-mobility-twice" => Measure::Potential(TwoSided::Twice),
            "exact-mobility" => Measure::ExactMobility,
            "exact-potential-1" => Measure::ExactPotential(1),
            "exact-potential-2" => Measure::ExactPotential(2),
            "exact-potential-3" => Measure::ExactPotential(3),
            "row1" => return Feature::parse("edge"),
            _ => {
                let (squares, skipped) = match name.strip_prefix(PATTERN) {
                    Some(squares) => (squares, PATTERN.len()),
                    None if NAMED.iter().any(|(known, _)| *known == name) => (name, 0),
                    None => {
                        let expected = "a feature such as mobility, edge or pattern:a1-d1,a2-d2";
                        let found = format!("'{}'", zug_core::error::shorten(name));
                        return Err(TextError::new(0, expected, found));
                    }
                };
                let pattern = Pattern::parse(squares).map_err(|mut error| {
                    error.byte += skipped;
                    error
                })?;
                // Names stand in lists, between commas: as the pattern writes itself.
                let name = format!("{}{pattern}", &name[..skipped]);
                return Ok(Feature { name, measure: Measure::Pattern(pattern) });
            }
        };
        Ok(Feature { name: name.to_string(), measure })
    }

    /// Reads a list of names with commas between them. Squares after a comma belong to the pattern
    /// before it: `mobility,pattern:a1-d1,a2-d2,edge` are three features.
    pub fn parse_list(text: &str) -> Result<Vec<Feature>, TextError> {
        let mut names: Vec<(usize, String)> = Vec::new();
        let mut byte = 0;
        for part in text.split(',') {
            let is_square = matches!(part.trim().as_bytes(), [b'a'..=b'h', b'1'..=b'8', ..]);
            match names.last_mut().filter(|(_, before)| is_square && before.starts_with(PATTERN)) {
                Some((_, before)) => {
                    before.push(',');
                    before.push_str(part.trim());
                }
                None => names.push((byte, part.trim().to_string())),
            }
            byte += part.len() + 1;
        }
        let mut features: Vec<Feature> = Vec::new();
        for (byte, name) in names {
            let feature = Feature::parse(&name).map_err(|mut error| {
                error.byte += byte;
                error
            })?;
            if features.iter().any(|f| f.measure == feature.measure) {
                return Err(TextError::new(byte, "each feature once", format!("'{name}' again")));
            }
            features.push(feature);
        }
        Ok(features)
    }

    /// Those of [`LOGISTELLO`].
    #[must_use]
    pub fn logistello() -> Vec<Feature> {
        LOGISTELLO.map(|name| Feature::parse(name).expect("the name of a feature")).to_vec()
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it measures.
    #[must_use]
    pub fn measure(&self) -> &Measure {
        &self.measure
    }

    /// Is it found on the rays?
    fn needs_rays(&self) -> bool {
        matches!(self.measure, Measure::Mobility | Measure::Potential(_))
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Features that are used together, with the lanes that they are found on.
#[derive(Clone, Debug)]
pub struct FeatureSet {
    features: Vec<Feature>,
    set: PatternSet,
    /// For each feature that is a pattern its number among those of the set, and its lanes.
    patterns: Vec<Option<(usize, Range<usize>)>>,
    /// Whether, and how, approximate mobilities are asked for. Then the rays are the first lanes.
    rays: Option<TwoSided>,
}

impl FeatureSet {
    /// These features. Refuses none, one twice, both ways of counting potential mobility together,
    /// and more patterns than there are lanes.
    pub fn new(features: Vec<Feature>) -> Result<FeatureSet, TextError> {
        if features.is_empty() {
            return Err(TextError::new(0, "at least one feature", "none"));
        }
        let two_sided: Vec<TwoSided> = features
            .iter()
            .filter_map(|f| match f.measure {
                Measure::Potential(two_sided) => Some(two_sided),
                _ => None,
            })
            .collect();
        if two_sided.len() > 1 {
            let expected = "one way to count approximate potential mobility";
            return Err(TextError::new(0, expected, "several"));
        }
        let has_patterns = features.iter().any(|f| matches!(f.measure, Measure::Pattern(_)));
        let has_rays = features.iter().any(Feature::needs_rays);
        // A set without patterns does not exist, so the rays stand in for none.
        let mut patterns: Vec<Pattern> = if has_rays || !has_patterns {
            RAY_PATTERNS.iter().map(|name| Pattern::parse(name).expect("a named one")).collect()
        } else {
            Vec::new()
        };
        let mut numbers = Vec::new();
        for feature in &features {
            let Measure::Pattern(pattern) = &feature.measure else {
                numbers.push(None);
                continue;
            };
            let same = |p: &Pattern| p.placements() == pattern.placements();
            numbers.push(Some(patterns.iter().position(same).unwrap_or_else(|| {
                patterns.push(pattern.clone());
                patterns.len() - 1
            })));
        }
        if numbers.iter().enumerate().any(|(i, n)| n.is_some() && numbers[..i].contains(n)) {
            return Err(TextError::new(0, "each pattern once", "one under two names"));
        }
        let mut starts = vec![0];
        for pattern in &patterns {
            starts.push(starts[starts.len() - 1] + pattern.placements().len());
        }
        let lanes = starts[patterns.len()];
        if lanes > LANES {
            let rays = if has_rays { " (the rays of mobility are 38 of them)" } else { "" };
            let expected = format!("patterns with at most {LANES} images in all{rays}");
            return Err(TextError::new(0, expected, lanes.to_string()));
        }
        let names: Vec<String> = patterns.iter().map(Pattern::to_string).collect();
        let place = |number: usize| (number, starts[number]..starts[number + 1]);
        Ok(FeatureSet {
            set: PatternSet::parse(&names)?,
            patterns: numbers.into_iter().map(|n| n.map(place)).collect(),
            rays: has_rays.then(|| two_sided.first().copied().unwrap_or(TwoSided::Once)),
            features,
        })
    }

    /// The features.
    #[must_use]
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// Their names.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.features.iter().map(|f| f.name.clone()).collect()
    }

    /// How many there are.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // There is always one.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// The patterns whose instances are followed.
    #[must_use]
    pub fn set(&self) -> &PatternSet {
        &self.set
    }

    /// The number of a feature's pattern among those of the set.
    #[must_use]
    pub fn pattern_number(&self, feature: usize) -> Option<usize> {
        self.patterns[feature].as_ref().map(|(number, _)| *number)
    }

    /// How approximate mobilities are counted, if they are asked for.
    #[must_use]
    pub fn rays(&self) -> Option<TwoSided> {
        self.rays
    }

    /// A feature that is not found on the lanes.
    #[must_use]
    pub fn exact(measure: &Measure, board: Board) -> Option<i32> {
        match measure {
            Measure::ExactMobility => Some(mobility::exact(board)),
            Measure::ExactPotential(1) => Some(mobility::potential_squares(board)),
            Measure::ExactPotential(2) => Some(mobility::potential_discs(board)),
            Measure::ExactPotential(_) => Some(mobility::potential_pairs(board)),
            _ => None,
        }
    }

    /// All features of a board. `tables` has one for each feature that is a pattern.
    ///
    /// No feature exceeds 16 bits: eight images of a byte each, or pairs of neighbouring squares.
    #[inline]
    pub fn vector(
        &self,
        tables: &[Option<PatternTable>],
        board: Board,
        indices: &Indices,
        out: &mut [i16],
    ) {
        let phase = phase(board.discs());
        let (moves, potential) =
            self.rays.map_or((0, 0), |two_sided| RayTables::get(two_sided).both(indices));
        for (number, feature) in self.features.iter().enumerate() {
            out[number] = match &feature.measure {
                Measure::Mobility => moves as i16,
                Measure::Potential(_) => potential as i16,
                Measure::Pattern(_) => {
                    let (Some((_, lanes)), Some(table)) = (&self.patterns[number], &tables[number])
                    else {
                        continue;
                    };
                    let values = table.phase(phase);
                    let lanes = &indices.0[lanes.clone()];
                    lanes.iter().map(|&i| i16::from(values[usize::from(i)])).sum()
                }
                exact => FeatureSet::exact(exact, board).unwrap_or(0) as i16,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Othello;
    use crate::records::testing::random_game;
    use crate::thesis::table::PHASES;

    #[test]
    fn names_can_stand_in_a_list_however_they_were_typed() {
        for typed in ["pattern:A1-C1, B2", "pattern: a1-c1,\tb2 ", "pattern:a1-c1,\nb2"] {
            let feature = Feature::parse(typed).unwrap();
            assert_eq!(feature.name(), "pattern:a1-c1,b2");
            assert_eq!(Feature::parse_list(feature.name()), Ok(vec![feature]));
        }
    }

    #[test]
    fn lists_keep_the_squares_of_a_pattern_together() {
        let names = |text: &str| -> Vec<String> {
            let list = Feature::parse_list(text).unwrap();
            list.iter().map(Feature::to_string).collect()
        };
        assert_eq!(
            names("mobility, pattern:a1-d1, a2-d2 ,row1,exact-potential-3"),
            ["mobility", "pattern:a1-d1,a2-d2", "edge", "exact-potential-3"]
        );
        assert_eq!(Feature::logistello().len(), 11);
    }

    #[test]
    fn what_is_no_feature_is_refused_with_its_place() {
        let bad = |text: &str| Feature::parse_list(text).unwrap_err();
        assert_eq!(bad("mobility,corner9").byte, 9);
        assert_eq!(bad("edge,pattern:a1-i1").byte, 16);
        assert_eq!(bad("edge,row2,row1").found, "'row1' again");
        assert_eq!(bad("").byte, 0);
        assert_eq!(bad("a1-d1").byte, 0);
        let set = |text: &str| FeatureSet::new(Feature::parse_list(text).unwrap());
        assert!(set("edge,pattern:a1-h1").is_err());
        assert!(set("potential-mobility,potential-mobility-twice").is_err());
        let many: Vec<String> = (1..=4).map(|k| format!("pattern:a1,b{k},d3")).collect();
        assert!(set(&format!("mobility,{}", many.join(","))).is_err());
        assert!(FeatureSet::new(Vec::new()).is_err());
    }

    #[test]
    fn a_pattern_feature_is_the_sum_over_its_images_in_the_phase() {
        let features = Feature::parse_list("corner2x4,exact-mobility,edge,mobility").unwrap();
        let set = FeatureSet::new(features).unwrap();
        let table = |name: &str| {
            let pattern = Pattern::parse(name).unwrap();
            let values = (0..PHASES * pattern.instances()).map(|i| (i * 31 % 255) as u8 as i8);
            PatternTable::new(pattern, values.collect())
        };
        let tables = [table("corner2x4"), None, table("edge"), None];
        let mut board = Board::START;
        for mv in random_game(&Othello::default(), 3, 30) {
            board = board.after_move(mv);
        }
        let mut out = [0; 4];
        set.vector(&tables, board, &set.set().indices(board), &mut out);
        for k in [0, 2] {
            let table = tables[k].as_ref().unwrap();
            let images = 0..table.pattern().placements().len();
            let sum: i16 = images
                .map(|p| {
                    i16::from(table.phase(phase(board.discs()))[table.pattern().instance(board, p)])
                })
                .sum();
            assert_eq!(out[k], sum);
        }
        let moves = board.moves().count_ones() as i16 - board.replies().count_ones() as i16;
        assert_eq!(out[1], moves);
    }
}

//! The parsers of what is learned: patterns, the two kinds of model files, cuts.

use super::check;
use crate::Target;
use std::sync::Arc;
use zug_core::StopFlag;
use zug_core::container::{Container, ContainerError, Expect, Writer};
use zug_othello::Board;
use zug_othello::engine::{Confidence, Engine, Evaluation, ProbCut, Unit};
use zug_othello::patterns::{Pattern, PatternModel, PatternSet, Phases};
use zug_othello::probcut::{Critical, CutsFile};
use zug_othello::thesis::feature::Measure;
use zug_othello::thesis::model::DISCS;
use zug_othello::thesis::table::PHASES;
use zug_othello::thesis::{Feature, FeatureSet, Method, ThesisModel};

/// The longest list of patterns or features: files hold short ones.
const MOST_TEXT: usize = 1 << 10;

pub const PATTERN: Target = Target {
    name: "othello-pattern",
    words: &["edge", "corner2x5", "a1", "-h8", "a1-d1", ",", "diagonal", "mobility", "pattern:"],
    run: |input| {
        let text = check::text(input);
        match Pattern::parse(&text) {
            Ok(pattern) => {
                let written = pattern.to_string();
                assert_eq!(Pattern::parse(&written).as_ref(), Ok(&pattern), "{written}");
                assert!(pattern.instance(Board::START, 0) < pattern.instances());
            }
            Err(error) => check::error_is_short(&error.to_string()),
        }
        match PatternSet::parse(&text.lines().collect::<Vec<_>>()) {
            Ok(set) => {
                let again = PatternSet::parse(&set.list()).expect("what was written");
                assert_eq!((again.list(), again.cells()), (set.list(), set.cells()));
            }
            Err(error) => check::error_is_short(&error.to_string()),
        }
        match Feature::parse_list(&text).and_then(FeatureSet::new) {
            Ok(set) => {
                let written = set.names().join(",");
                let again = Feature::parse_list(&written);
                assert_eq!(again.as_deref(), Ok(set.features()), "{written}");
            }
            Err(error) => check::error_is_short(&error.to_string()),
        }
    },
};

/// As many bytes as are wanted: what is given, over and over.
pub fn stretched(bytes: &[u8], count: usize) -> Vec<u8> {
    let zeros = [0; 1];
    let bytes = if bytes.is_empty() { &zeros } else { bytes };
    bytes.iter().copied().cycle().take(count).collect()
}

/// The text before an empty line, and what follows it.
pub fn paragraph(input: &[u8]) -> (String, &[u8]) {
    let end = input.windows(2).position(|w| w == b"\n\n");
    let (text, rest) = match end {
        Some(end) => (&input[..end], &input[end + 2..]),
        None => (input, &[][..]),
    };
    (check::text(&text[..text.len().min(MOST_TEXT)]).into_owned(), rest)
}

/// A model that was read can be searched with, whatever its numbers are.
fn search(evaluation: impl Evaluation) {
    Engine::new(Arc::new(evaluation), 1).search(Board::START, 2, 0, &StopFlag::new());
}

/// The patterns, one a line; an empty line; the knots and another one; and bytes of which the weights
/// are made, as many as there must be. Packed with the right checksums.
pub const PATTERN_MODEL: Target = Target {
    name: "othello-pattern-model",
    words: &["edge\n", "diagonal3\n", "mobility\n", "a1,b1\n", "\n\n", "\u{4}", "@", "\u{7f}"],
    run: |input| {
        read_patterns(Container::from_bytes(input.to_vec(), &Expect::model("othello")));
        let (list, rest) = paragraph(input);
        let (knots, weights) = paragraph(rest);
        let set = PatternSet::parse(&list.lines().collect::<Vec<_>>());
        let wanted = match (&set, Phases::new(knots.as_bytes())) {
            (Ok(set), Some(phases)) => 2 * set.cells() * phases.len(),
            _ => weights.len(),
        };
        let written = Writer::new(Vec::new(), &PatternModel::header()).and_then(|mut writer| {
            writer.bytes("patterns", list.as_bytes())?;
            writer.bytes("knots", knots.as_bytes())?;
            // Large ones take long to pack, and show nothing that small ones do not.
            writer.bytes("weights", &stretched(weights, wanted.min(1 << 18)))?;
            writer.finish()
        });
        read_patterns(written.and_then(|b| Container::from_bytes(b, &Expect::model("othello"))));
    },
};

fn read_patterns(file: Result<Container, ContainerError>) {
    let model = match file {
        Ok(file) => PatternModel::read(&file).map_err(|e| e.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match model {
        Ok(model) => {
            let bytes = model.to_bytes(&PatternModel::header()).expect("what was read");
            let file = Container::from_bytes(bytes, &Expect::model("othello")).expect("a file");
            let again = PatternModel::read(&file).expect("what was written");
            assert_eq!(again.weights(), model.weights());
            assert_eq!(again.set().list(), model.set().list());
            search(model);
        }
        Err(error) => check::error_is_short(&error),
    }
}

/// The method, the features on the next line, an empty line, and bytes of which formulas and tables
/// are made. Packed with the right checksums.
pub const THESIS_MODEL: Target = Target {
    name: "othello-thesis-model",
    words: &[
        "fisher\n",
        "quadratic\n",
        "logistic-plus\n",
        "mobility",
        ",",
        "diagonal3",
        "pattern:a1",
        "exact-potential-2",
        "\n\n",
    ],
    run: |input| {
        read_thesis(ThesisModel::from_bytes(input.to_vec()).map_err(|e| e.to_string()));
        let (text, rest) = paragraph(input);
        let (method, names) = text.split_once('\n').unwrap_or((&text, ""));
        let set = Feature::parse_list(names).and_then(FeatureSet::new);
        let known: Option<(Method, FeatureSet)> = method.parse().ok().zip(set.ok());
        let is_large = |set: &FeatureSet| {
            let squares = |f: &Feature| match f.measure() {
                Measure::Pattern(pattern) => pattern.len(),
                _ => 0,
            };
            set.len() > 12 || set.features().iter().any(|f| squares(f) > 6)
        };
        if known.as_ref().is_some_and(|(_, set)| is_large(set)) {
            return;
        }
        // The header says little that is read; any will do.
        let mut header = PatternModel::header();
        header.layout = "othello-thesis/1".into();
        let written = Writer::new(Vec::new(), &header).and_then(|mut writer| {
            writer.bytes("method", method.as_bytes())?;
            writer.bytes("features", names.as_bytes())?;
            if let Some((method, set)) = &known {
                let width = set.len();
                let pairs = if *method == Method::Quadratic { width * (width + 1) / 2 } else { 0 };
                let count = DISCS.count() * (1 + width + pairs);
                let numbers = stretched(rest, 8 * count);
                let (numbers, _) = numbers.as_chunks::<8>();
                let numbers: Vec<f64> = numbers.iter().map(|b| f64::from_le_bytes(*b)).collect();
                writer.array("formulas", &numbers)?;
                for (number, feature) in set.features().iter().enumerate() {
                    if let Measure::Pattern(pattern) = feature.measure() {
                        let values = stretched(rest, PHASES * pattern.instances());
                        let values: Vec<i8> = values.iter().map(|b| b.cast_signed()).collect();
                        writer.array(&format!("table-{number}"), &values)?;
                    }
                }
            }
            writer.finish()
        });
        match written {
            Ok(bytes) => read_thesis(ThesisModel::from_bytes(bytes).map_err(|e| e.to_string())),
            Err(error) => check::error_is_short(&error.to_string()),
        }
    },
};

fn read_thesis(model: Result<ThesisModel, String>) {
    match model {
        Ok(model) => {
            let bytes = model.to_bytes(&model.header()).expect("what was read");
            let again = ThesisModel::from_bytes(bytes).expect("what was written");
            assert_eq!(again.features().names(), model.features().names());
            assert_eq!(again.formulas(), model.formulas());
            assert_eq!(again.tables(), model.tables());
            search(model);
        }
        Err(error) => check::error_is_short(&error),
    }
}

/// Cuts of depth-limited searches, an empty line, those of searches to the end, another one, what
/// was measured. Packed with the right checksums. Also a line of a file of critical positions.
pub const CUTS: Target = Target {
    name: "othello-probcut",
    words: &["\u{14}\u{8}\u{4}", "\u{32}\u{e}\u{4}", "\u{0}\u{0}\u{7f}\u{3f}", "\n\n", "; d3; c4"],
    run: |input| {
        match Critical::from_text(&check::text(input)) {
            Ok(critical) => assert_eq!(Critical::from_text(&critical.to_text()), Ok(critical)),
            Err(error) => check::error_is_short(&error.to_string()),
        }
        read_cuts(Container::from_bytes(input.to_vec(), &Expect::model("othello")));
        let none = Arc::new(ProbCut::none(Unit::Discs));
        let empty = CutsFile {
            multi: Arc::clone(&none),
            thesis: none,
            fits: Vec::new(),
            end_fits: Vec::new(),
            model: "model".into(),
            model_digest: "digest".into(),
        };
        let part =
            |rest: &'_ [u8]| rest.windows(2).position(|w| w == b"\n\n").unwrap_or(rest.len());
        let (cuts, rest) = input.split_at(part(input));
        let rest = rest.get(2..).unwrap_or_default();
        let (ends, rest) = rest.split_at(part(rest));
        let fits = rest.get(2..).unwrap_or_default();
        let written = Writer::new(Vec::new(), &empty.header()).and_then(|mut writer| {
            writer.bytes("cuts", cuts)?;
            writer.bytes("thesis", &[])?;
            writer.bytes("end-cuts", ends)?;
            writer.bytes("fits", fits)?;
            writer.bytes("end-fits", &[])?;
            writer.finish()
        });
        read_cuts(written.and_then(|b| Container::from_bytes(b, &Expect::model("othello"))));
    },
};

fn read_cuts(file: Result<Container, ContainerError>) {
    let cuts = match file {
        Ok(file) => CutsFile::read(&file).map_err(|e| e.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match cuts {
        Ok(cuts) => {
            let bytes = cuts.to_bytes(&cuts.header()).expect("what was read");
            let file = Container::from_bytes(bytes, &Expect::model("othello")).expect("a file");
            let again = CutsFile::read(&file).expect("what was written");
            assert_eq!((&again.multi, &again.thesis), (&cuts.multi, &cuts.thesis));
            assert_eq!(again.fits.len(), cuts.fits.len());
            let confidence = Confidence::deviations(1.5).expect("within the range");
            for discs in 4..=64 {
                for pair in (0..=60).flat_map(|depth| cuts.multi.midgame(discs, depth)) {
                    // Whatever the numbers are, a bound moves away from the window.
                    assert!(pair.enough(0, confidence) >= pair.too_little(0, confidence));
                }
            }
        }
        Err(error) => check::error_is_short(&error),
    }
}

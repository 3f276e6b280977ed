//! From examples to models, whole.

use super::model::DISCS;
use super::report::{DiscReport, Discordances, Left};
use super::testing::{examples, file};
use super::*;
use crate::Board;
use crate::engine::Evaluation;
use crate::examples::{Example, ExampleFile, Source};
use std::sync::{LazyLock, OnceLock};
use zug_core::progress::Counter;
use zug_core::{Silent, StopFlag};
use zug_learn::Grouping;

fn some() -> &'static [ExampleFile] {
    static FILE: LazyLock<ExampleFile> = LazyLock::new(|| file(&examples(2000, 1)));
    std::slice::from_ref(&FILE)
}

/// Patterns so small that a few thousand games tell what they are worth, some of them overlapping.
const FEATURES: &str = "mobility,exact-mobility,potential-mobility,exact-potential-3,diagonal5,\
    diagonal4,pattern:a1-c1,a2-b2,pattern:b1-g1,pattern:c3-f3";

fn options(method: Method) -> ThesisOptions {
    ThesisOptions {
        method,
        division: Division { held_out: vec![0, 1, 2, 3], ..Division::default() },
        features: Feature::parse_list(FEATURES).unwrap(),
        grouping: Grouping::Pairs,
        ..ThesisOptions::default()
    }
}

fn fitted(options: &ThesisOptions) -> Result<(ThesisModel, ThesisReport), ThesisError> {
    fit(some(), options, &Silent, &StopFlag::new())
}

/// The fit with [`options`], made once for all tests.
fn known(method: Method) -> &'static (ThesisModel, ThesisReport) {
    static FITS: [OnceLock<(ThesisModel, ThesisReport)>; 5] = [const { OnceLock::new() }; 5];
    FITS[method as usize].get_or_init(|| fitted(&options(method)).unwrap())
}

/// The mean over the midgame and endgame, where there is something to tell apart.
fn mean(report: &ThesisReport, of: impl Fn(&DiscReport) -> Option<f64>) -> f64 {
    let values: Vec<f64> =
        report.discs.iter().filter(|r| (30..=58).contains(&r.discs)).filter_map(of).collect();
    assert!(values.len() > 20, "{} disc counts", values.len());
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn every_method_tells_more_than_each_of_its_features_on_games_not_seen() {
    for method in Method::ALL {
        let (model, report) = known(method);
        assert_eq!(model.method(), method);
        let combined = mean(report, |r| r.combined?.held_out);
        for (number, name) in report.features.iter().enumerate() {
            let alone = mean(report, |r| r.features[number].held_out);
            assert!(combined < alone, "{method}: {combined} together, {name} alone {alone}");
        }
        let learned = mean(report, |r| r.combined?.training);
        assert!(learned < combined, "{method}: {learned} on what it learned from, {combined}");
    }
}

#[test]
fn weights_never_contradict_their_feature_in_the_consistent_methods() {
    for method in [Method::FisherPlus, Method::LogisticPlus] {
        let (model, report) = known(method);
        let mut dropped = 0;
        for fit in report.discs.iter().filter_map(|r| r.fit.as_ref()) {
            for (number, weight) in fit.weights.iter().enumerate() {
                let alone = fit.win_means[number] - fit.loss_means[number];
                assert!(weight * alone >= 0.0);
                let left = fit.left_out.iter().find(|(f, _)| *f == report.features[number]);
                assert_eq!(left.is_some(), *weight == 0.0);
                dropped += usize::from(left.is_some_and(|l| l.1 == Left::WrongSign));
            }
            assert_eq!(fit.iterations.is_empty(), method == Method::FisherPlus);
        }
        // Features that measure nearly the same fight for the weight.
        assert!(dropped > 0);
        for (discs, report) in DISCS.zip(&report.discs) {
            let Some(fit) = &report.fit else { continue };
            assert_eq!((report.discs, &fit.weights), (discs, &model.formula(discs).weights));
        }
    }
}

#[test]
fn plain_logistic_regression_uses_all_features_and_converges_in_a_few_steps() {
    let (_, report) = known(Method::Logistic);
    for report in report.discs.iter().filter(|r| (30..=54).contains(&r.discs)) {
        let fit = report.fit.as_ref().unwrap();
        assert!(fit.left_out.is_empty() && fit.weights.iter().all(|w| *w != 0.0));
        assert!(fit.iterations.len() == 1 && fit.iterations[0] <= 12, "{:?}", fit.iterations);
        let standard = fit.standardised.iter().zip(&fit.weights);
        assert!(standard.clone().all(|(s, w)| s * w > 0.0));
        let covariances = fit.covariances.as_ref().unwrap();
        assert!(covariances.root_mean_square <= covariances.largest.abs());
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let bytes = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (model, report) = pool.install(|| fitted(&options(Method::LogisticPlus)).unwrap());
        (model.to_bytes(&model.header()).unwrap(), serde_json::to_string(&report).unwrap())
    };
    let (model, report) = known(Method::LogisticPlus);
    let other = (model.to_bytes(&model.header()).unwrap(), serde_json::to_string(report).unwrap());
    assert!(bytes(3) == other && bytes(1) == other);
}

#[test]
fn disc_counts_without_examples_borrow_and_say_so() {
    let late: Vec<Example> =
        examples(300, 2).into_iter().filter(|e| e.board.discs() >= 40).collect();
    let files = [file(&late)];
    let few = ThesisOptions { least_examples: 100, ..options(Method::FisherPlus) };
    let (model, report) = fit(&files, &few, &Silent, &StopFlag::new()).unwrap();
    let early = &report.discs[0];
    assert_eq!((early.discs, early.borrowed_from), (12, Some(40)));
    assert!(early.problem.as_ref().unwrap().contains("0 examples"), "{:?}", early.problem);
    assert!(early.fit.is_none() && early.combined.is_none());
    assert!(early.features.iter().all(|d| *d == Discordances::default()));
    assert_eq!(model.formula(12), model.formula(40));

    let none = ThesisOptions { least_examples: usize::MAX, ..few };
    let error = fit(&files, &none, &Silent, &StopFlag::new()).unwrap_err().to_string();
    assert!(error.contains("no disc count could be fitted"), "{error}");
}

#[test]
fn wins_alone_are_no_examples_to_learn_from() {
    let won: Vec<Example> = examples(50, 3).into_iter().filter(|e| e.score > 0).collect();
    let options = ThesisOptions { least_examples: 1, ..options(Method::LogisticPlus) };
    let error = fit(&[file(&won)], &options, &Silent, &StopFlag::new()).unwrap_err().to_string();
    assert!(error.contains("no loss"), "{error}");
}

#[test]
fn what_makes_no_sense_is_refused_and_work_can_be_stopped() {
    let bad = ThesisOptions {
        division: Division { held_out: vec![20], ..Division::default() },
        ..options(Method::Fisher)
    };
    assert!(fitted(&bad).unwrap_err().to_string().contains("no fold 20"));
    let bad = ThesisOptions {
        table: TableOptions { decay: 2.0, ..TableOptions::default() },
        ..options(Method::Fisher)
    };
    assert!(matches!(fitted(&bad), Err(ThesisError::Options(_))));
    let stop = StopFlag::new();
    stop.set();
    let stopped = fit(some(), &options(Method::Fisher), &Silent, &stop);
    assert!(matches!(stopped, Err(ThesisError::Stopped)));
}

#[test]
fn all_examples_are_read_once_for_the_tables_and_once_for_the_fits() {
    let counter = Counter::default();
    fit(some(), &options(Method::Fisher), &counter, &StopFlag::new()).unwrap();
    let used: u64 = DISCS.map(|d| some()[0].count(d)).sum();
    assert_eq!(counter.done(), some()[0].len() + used);
}

fn curves(features: &str, change: impl Fn(&mut CurveOptions)) -> Vec<Curve> {
    let mut options = CurveOptions {
        features: Feature::parse_list(features).unwrap(),
        division: options(Method::Fisher).division,
        ..CurveOptions::default()
    };
    change(&mut options);
    discordance(some(), &options, &Silent, &StopFlag::new()).unwrap()
}

#[test]
fn curves_are_those_of_the_report_and_come_in_the_order_asked_for() {
    let (_, report) = known(Method::Fisher);
    let names =
        "edge,mobility,corner2x4,exact-potential-3,corner2x5,diagonal5,edge2x,exact-mobility";
    for part in [Part::HeldOut, Part::Training] {
        let curves = curves(names, |o| o.measured_on = part);
        let found: Vec<&str> = curves.iter().map(|c| c.feature.as_str()).collect();
        assert_eq!(found.join(","), names);
        for curve in &curves {
            let Some(number) = report.features.iter().position(|f| *f == curve.feature) else {
                continue;
            };
            for point in curve.points.iter().filter(|p| DISCS.contains(&p.discs)) {
                let known = &report.discs[(point.discs - DISCS.start()) as usize].features[number];
                let (value, error) = match part {
                    Part::HeldOut => (known.held_out, known.held_out_error),
                    Part::Training => (known.training, known.training_error),
                };
                assert_eq!((Some(point.value), Some(point.error)), (value, error));
                assert!(point.error > 0.0 && point.error < 0.1);
            }
        }
    }
}

#[test]
fn large_patterns_learn_by_heart_what_they_are_shown() {
    let at = |part| {
        let curves = curves("corner2x5", |o| {
            o.measured_on = part;
            o.discs = 44..=44;
        });
        curves[0].points[0].value
    };
    assert!(at(Part::Training) + 0.05 < at(Part::HeldOut));
}

#[test]
fn only_labels_that_are_trusted_enough_are_used() {
    let options = ThesisOptions {
        division: Division { least: Source::Exact, ..options(Method::Fisher).division },
        ..options(Method::Fisher)
    };
    let (_, report) = fitted(&options).unwrap();
    for report in &report.discs {
        let used = report.training.wins + report.training.losses > 0;
        assert_eq!(used, report.discs == 57, "{}", report.discs);
    }
}

#[test]
fn a_fitted_model_prefers_the_side_with_the_corners() {
    let (model, _) = known(Method::LogisticPlus);
    let corners = 0x8100_0000_0000_0081;
    let (mut gained, mut tried) = (0, 0);
    for example in examples(100, 4) {
        let Board { own, other } = example.board;
        if (30..=40).contains(&example.board.discs()) && (own | other) & corners == 0 {
            let worth = |own, other| {
                let board = Board { own, other };
                model.value(board, &model.state(board))
            };
            gained += worth(own | corners, other) - worth(own, other | corners);
            tried += 1;
        }
    }
    assert!(tried > 20 && gained / tried > 5_000, "{gained} in {tried}");
}

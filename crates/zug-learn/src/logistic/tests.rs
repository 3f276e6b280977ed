use super::*;
use crate::rows::{Class, Matrix};
use crate::signs;
use crate::testing::{flat, forty, synthetic};
use proptest::prelude::*;

/// The log-likelihood by its formula.
fn likelihood(data: &Matrix, model: &Linear) -> f64 {
    flat(data)
        .iter()
        .map(|(row, won, w)| {
            let eta = model.evaluate(row);
            w * (if *won { eta } else { 0.0 } - (1.0 + eta.exp()).ln())
        })
        .sum()
}

/// Its gradient, constant first, for features scaled by their deviation.
fn gradient(data: &Matrix, model: &Linear) -> Vec<f64> {
    let deviation = Moments::of(data, Draws::Twice).unwrap().deviations();
    let mut g = vec![0.0; model.weights.len() + 1];
    for (row, won, w) in flat(data) {
        let residual = w * (f64::from(u8::from(won)) - model.probability(&row));
        g[0] += residual;
        for j in 0..row.len() {
            g[j + 1] += residual * row[j] / deviation[j];
        }
    }
    g
}

#[test]
fn the_fit_gives_the_numbers_of_another_program() {
    // Computed with statsmodels 0.15: Logit(y, add_constant(X)).fit(tol=1e-14).
    let fit = fit(&forty(), &Options::default()).unwrap();
    let close = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    };
    close(fit.model.constant, 2.955915882515);
    close(fit.model.weights[0], 0.612945538593);
    close(fit.model.weights[1], -1.774287518770);
    // At the last iteration the information still is that of the weights before the last step.
    assert!((fit.constant_error - 1.386006392974).abs() < 1e-6);
    assert!((fit.errors[0] - 0.273402797659).abs() < 1e-6);
    assert!((fit.errors[1] - 0.661669975077).abs() < 1e-6);
    close(fit.log_likelihood, -9.360748796603);
    close(fit.null_log_likelihood, -26.462529527127);
    assert!(fit.iterations.len() <= 9, "{:?}", fit.iterations);
}

#[test]
fn the_likelihood_never_falls_and_few_iterations_are_enough() {
    let fit = fit(&synthetic(2, 3000, &[1.0, -2.0, 0.5, 0.0], 0.6), &Options::default()).unwrap();
    assert!(fit.iterations.len() <= 8);
    for pair in fit.iterations.windows(2) {
        assert!(pair[1].log_likelihood >= pair[0].log_likelihood - 1e-9);
    }
    assert!(fit.iterations.last().unwrap().gradient < 1e-9);
}

#[test]
fn steps_that_lower_the_likelihood_are_halved() {
    // Nine of ten are won at 1 and lost at -1, so that the best weight is log 9. The start puts it
    // near 4.5, where a whole step of Newton's leads to about -3.7.
    let mut data = Matrix::new(["a"]);
    for i in 0..20 {
        let (side, usual) = (if i < 10 { 1.0 } else { -1.0 }, i % 10 != 0);
        let won = (side > 0.0) == usual;
        data.push(&[side], if won { Class::Win } else { Class::Loss }).unwrap();
    }
    let fit = fit(&data, &Options::default()).unwrap();
    assert!((fit.model.weights[0] - 9f64.ln()).abs() < 1e-9);
    assert!(fit.model.constant.abs() < 1e-9);
    assert_eq!(fit.iterations[1].halvings, 2);
    for pair in fit.iterations.windows(2) {
        assert!(pair[1].log_likelihood >= pair[0].log_likelihood - 1e-12);
    }
}

#[test]
fn the_fit_finds_the_model_that_made_the_classes() {
    let truth = [1.0, -2.0, 0.5];
    let data = synthetic(5, 40_000, &truth, 0.3);
    let options = Options { draws: Draws::Omitted, ..Options::default() };
    let fit = fit(&data, &options).unwrap();
    for (j, truth) in truth.into_iter().enumerate() {
        // The features were scaled by 1 + 10 j.
        let weight = fit.model.weights[j] * (1.0 + 10.0 * j as f64);
        assert!((weight - truth).abs() < 0.08, "{j}: {weight}");
        assert!(fit.errors[j] > 0.0);
    }
}

#[test]
fn no_features_leave_the_odds_of_the_classes() {
    let mut data = Matrix::new(Vec::<String>::new());
    for class in [Class::Win, Class::Win, Class::Win, Class::Loss] {
        data.push(&[], class).unwrap();
    }
    let fit = fit(&data, &Options::default()).unwrap();
    assert!((fit.model.constant - 3f64.ln()).abs() < 1e-12);
}

#[test]
fn a_feature_that_separates_alone_is_named() {
    let mut data = Matrix::new(["noise", "label"]);
    for i in 0..30 {
        let won = i % 2 == 0;
        let class = if won { Class::Win } else { Class::Loss };
        data.push(&[f64::from(i * 7 % 11), if won { 1.0 } else { -1.0 }], class).unwrap();
    }
    let error = fit(&data, &Options::default()).unwrap_err().to_string();
    assert!(error.starts_with("\"label\" separates wins from losses perfectly:"), "{error}");
}

#[test]
fn a_feature_seen_only_in_wins_is_named() {
    // A corner held only in won positions: no finite weight is enough for it.
    let mut data = Matrix::new(["noise", "corner"]);
    for i in 0..40 {
        let won = i * 3 % 7 < 3;
        let corner = won && i % 5 == 0;
        let class = if won { Class::Win } else { Class::Loss };
        data.push(&[f64::from(i * 7 % 11), f64::from(u8::from(corner))], class).unwrap();
    }
    let error = fit(&data, &Options::default()).unwrap_err();
    assert!(
        matches!(&error, LearnError::Separable { features, complete: false } if features == &["corner"]),
        "{error}"
    );
}

#[test]
fn features_that_separate_only_together_are_named() {
    let names = ["a", "b", "noise"];
    let (mut strict, mut touching) = (Matrix::new(names), Matrix::new(names));
    for i in 0..200 {
        let (a, b, noise) = (f64::from(i * 7 % 13), f64::from(i * 5 % 11), f64::from(i * 3 % 17));
        let row = [a, b, noise];
        if a == b {
            // On the boundary both classes occur.
            touching.push(&row, Class::Draw).unwrap();
        } else {
            let class = if a > b { Class::Win } else { Class::Loss };
            strict.push(&row, class).unwrap();
            touching.push(&row, class).unwrap();
        }
    }
    let error = fit(&strict, &Options::default()).unwrap_err();
    assert!(
        matches!(&error, LearnError::Separable { features, complete: true }
            if features.starts_with(&["a".into(), "b".into()])),
        "{error}"
    );
    let error = fit(&touching, &Options::default()).unwrap_err();
    assert!(
        matches!(&error, LearnError::Separable { features, complete: false } if features == &["a", "b"]),
        "{error}"
    );
}

#[test]
fn other_impossible_data_are_errors_that_name_the_feature() {
    let mut flat = Matrix::new(["a", "flat"]);
    let mut twins = Matrix::new(["a", "b", "c"]);
    for i in 0..20 {
        let (a, b) = (f64::from(i * 7 % 11), f64::from(i * 5 % 13));
        let class = if i % 3 == 0 { Class::Win } else { Class::Loss };
        flat.push(&[a, 0.0], class).unwrap();
        twins.push(&[a, b, 2.0 * b - a + 1.0], class).unwrap();
    }
    let message = |m: &Matrix| fit(m, &Options::default()).unwrap_err().to_string();
    assert!(message(&flat).contains("\"flat\" has the value 0 in every example"));
    assert!(message(&twins).contains("\"c\" is a linear function of \"a\" and \"b\""));
    let mut one = Matrix::new(["a"]);
    one.push(&[1.0], Class::Loss).unwrap();
    assert!(message(&one).contains("no win"));
}

#[test]
fn fits_do_not_depend_on_the_number_of_threads() {
    let data = synthetic(9, 5000, &[1.0, -1.0, 0.2], 0.5);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&data, &Options::default()).unwrap().model)
    };
    assert_eq!(with(1), with(3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_optimum_has_no_gradient_and_no_better_neighbour(
        seed in any::<u64>(), w in proptest::collection::vec(-1.5f64..1.5, 3), c in 0.0f64..0.9,
    ) {
        let data = synthetic(seed, 300, &w, c);
        let fit = fit(&data, &Options::default()).unwrap();
        for g in gradient(&data, &fit.model) {
            prop_assert!(g.abs() < 1e-7 * 300.0, "{g}");
        }
        let best = likelihood(&data, &fit.model);
        prop_assert!((best - fit.log_likelihood).abs() < 1e-8 * best.abs());
        for j in 0..3 {
            for sign in [-1.0, 1.0] {
                let mut other = fit.model.clone();
                other.weights[j] += sign * 0.1 * fit.errors[j];
                prop_assert!(likelihood(&data, &other) < best);
            }
        }
    }

    #[test]
    fn plain_gradient_ascent_arrives_at_the_same_weights(seed in any::<u64>()) {
        let data = synthetic(seed, 120, &[0.8, -0.4], 0.3);
        let fit = fit(&data, &Options::default()).unwrap();
        let moments = Moments::of(&data, Draws::Twice).unwrap();
        let (mean, deviation) = (moments.mean(), moments.deviations());
        let rows: Vec<([f64; 3], f64, f64)> = flat(&data)
            .iter()
            .map(|(r, y, w)| {
                let z = |j: usize| (r[j] - mean[j]) / deviation[j];
                ([1.0, z(0), z(1)], f64::from(u8::from(*y)), *w)
            })
            .collect();
        let total: f64 = rows.iter().map(|r| r.2).sum();
        let mut beta = [0.0f64; 3];
        for _ in 0..3000 {
            let mut g = [0.0; 3];
            for (x, y, w) in &rows {
                let p = 1.0 / (1.0 + (-dot(x, &beta)).exp());
                (0..3).for_each(|j| g[j] += w * (y - p) * x[j]);
            }
            (0..3).for_each(|j| beta[j] += 2.0 * g[j] / total);
        }
        for j in 0..2 {
            let expected = beta[j + 1] / deviation[j];
            prop_assert!((fit.model.weights[j] - expected).abs() < 1e-5 * (1.0 + expected.abs()));
        }
    }

    #[test]
    fn the_constrained_optimum_satisfies_the_conditions_of_one(
        seed in any::<u64>(), w in proptest::collection::vec(-1.0f64..1.0, 4),
    ) {
        let data = synthetic(seed, 300, &w, 0.85);
        let moments = Moments::of(&data, Draws::Twice).unwrap();
        let sign = signs::univariate_signs(&moments);
        let fit = fit_signed(&data, &moments, &sign, &Options::default()).unwrap();
        let g = gradient(&data, &fit.model);
        prop_assert!(g[0].abs() < 1e-5);
        for j in 0..4 {
            let weight = fit.model.weights[j];
            prop_assert!(weight * sign[j] >= 0.0);
            if weight == 0.0 {
                // A step in the permitted direction does not help.
                prop_assert!(g[j + 1] * sign[j] < 1e-5, "{g:?}");
            } else {
                prop_assert!(g[j + 1].abs() < 1e-5, "{g:?}");
            }
        }
    }
}

/// Do the classes separate? Exactly, for two features of small integers: the directions (constant,
/// a, b) that no example speaks against form a cone, and if there are any, one of them lies on an
/// edge of the cone, where two examples are on the boundary.
fn separates(examples: &[([i64; 2], Class)]) -> bool {
    let mut sided = Vec::new();
    for &([a, b], class) in examples {
        if class != Class::Loss {
            sided.push([1, a, b]);
        }
        if class != Class::Win {
            sided.push([-1, -a, -b]);
        }
    }
    let cross = |p: [i64; 3], q: [i64; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let product = |p: [i64; 3], q: [i64; 3]| (0..3).map(|i| p[i] * q[i]).sum::<i64>();
    sided.iter().any(|&p| {
        sided.iter().any(|&q| {
            let d = cross(p, q);
            [d, d.map(|x| -x)].iter().any(|&d| {
                sided.iter().all(|&r| product(r, d) >= 0)
                    && sided.iter().any(|&r| product(r, d) > 0)
            })
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_fit_fails_exactly_where_the_classes_separate(
        raw in proptest::collection::vec((-4i64..=4, -4i64..=4, 0usize..10), 4..16),
    ) {
        // Few draws, and enough examples on both sides of the question.
        let classes = [Class::Loss, Class::Win, Class::Draw];
        let examples: Vec<([i64; 2], Class)> =
            raw.iter().map(|&(a, b, k)| ([a, b], classes[if k == 9 { 2 } else { k % 2 }])).collect();
        let mut data = Matrix::new(["a", "b"]);
        for ([a, b], class) in &examples {
            data.push(&[*a as f64, *b as f64], *class).unwrap();
        }
        match fit(&data, &Options::default()) {
            Ok(fit) => {
                prop_assert!(!separates(&examples));
                prop_assert!(gradient(&data, &fit.model).iter().all(|g| g.abs() < 1e-6));
            }
            Err(LearnError::Separable { .. }) => prop_assert!(separates(&examples)),
            Err(
                LearnError::EmptyClass { .. }
                | LearnError::NoVariance { .. }
                | LearnError::Dependent { .. },
            ) => {}
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn a_weight_is_so_many_copies(
        raw in proptest::collection::vec((-4i32..=4, -4i32..=4, 0usize..3, 1u32..4), 12..24),
    ) {
        let classes = [Class::Loss, Class::Draw, Class::Win];
        let (mut weighted, mut copied) = (Matrix::new(["a", "b"]), Matrix::new(["a", "b"]));
        for (a, b, k, n) in raw {
            let row = [f64::from(a), f64::from(b)];
            weighted.push_weighted(&row, classes[k], f64::from(n)).unwrap();
            (0..n).for_each(|_| copied.push(&row, classes[k]).unwrap());
        }
        let fits = [&weighted, &copied].map(|m| fit(m, &Options::default()));
        if let [Ok(a), Ok(b)] = fits {
            for j in 0..2 {
                prop_assert!((a.model.weights[j] - b.model.weights[j]).abs() < 1e-7);
                prop_assert!((a.errors[j] - b.errors[j]).abs() < 1e-5 * a.errors[j]);
            }
        }
    }
}

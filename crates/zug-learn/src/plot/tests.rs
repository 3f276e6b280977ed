use super::*;
use crate::markup::check;
use proptest::prelude::*;

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn a_plot_shows_titles_ticks_legend_and_every_point() {
    let svg = Plot::new("Discordance & discs")
        .x("discs <n>")
        .y("discordance")
        .line("mobility", (12..62).map(|d| (f64::from(d), 0.2 + f64::from(d) / 1000.0)))
        .points("edge", [(20.0, 0.25), (30.0, 0.24)])
        .guide("nothing known", [(12.0, 0.25), (61.0, 0.25)])
        .svg();
    check(&svg).unwrap();
    for part in [
        "Discordance &amp; discs",
        "discs &lt;n&gt;",
        ">mobility<",
        ">edge<",
        ">nothing known<",
        ">0.25<",
        ">60<",
    ] {
        assert!(svg.contains(part), "{part}");
    }
    assert_eq!(count(&svg, "<polyline"), 2);
    // One mark a point and one in the legend.
    assert_eq!(count(&svg, "<circle"), 51);
    assert!(svg.contains("<title>edge: 20, 0.25</title>"));
    assert!(svg.contains("prefers-color-scheme:dark"));
    assert!(!svg.contains("<script") && !svg.contains("href"));
}

#[test]
fn points_lie_where_the_axes_say() {
    let svg = Plot::new("")
        .x_range(0.0, 10.0)
        .y_range(0.0, 1.0)
        .size(482, 284)
        .points("", [(5.0, 0.5)])
        .svg();
    // The frame reaches from 64 to 464 and from 236 up to 36.
    assert!(svg.contains("cx=\"264\" cy=\"136\""), "{svg}");
}

#[test]
fn bars_stand_on_zero_side_by_side() {
    let svg = Plot::new("Weights")
        .categories(["mobility", "an overlong name of a feature that nobody would choose"])
        .bars("LOG", [(0.0, 1.5), (1.0, -0.5)])
        .bars("LOG+", [(0.0, 1.4), (1.0, 0.0)])
        .errors([0.1, 0.1])
        .svg();
    check(&svg).unwrap();
    // Background, four bars, two in the legend.
    assert_eq!(count(&svg, "<rect"), 7);
    assert!(svg.contains(">mobility<") && svg.contains("…<"));
    assert!(svg.contains("<title>LOG: 1, -0.5</title>"));
    assert!(svg.contains(">0.0<") && svg.contains(">-0.5<"));
}

#[test]
fn gaps_split_lines_and_nothing_says_so() {
    let line = [(0.0, 0.0), (1.0, 1.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 2.0)];
    let svg = Plot::new("gap").line("a", line).svg();
    check(&svg).unwrap();
    assert_eq!(count(&svg, "<polyline"), 2);
    let svg = Plot::new("empty").line("a", [(f64::NAN, 1.0)]).svg();
    check(&svg).unwrap();
    assert!(svg.contains("no data"));
}

#[test]
fn many_points_make_no_large_drawing() {
    let wave = (0..300_000).map(|i| (f64::from(i), f64::from(i % 977)));
    let svg = Plot::new("many").line("a", wave.clone()).points("b", wave).svg();
    check(&svg).unwrap();
    assert!(svg.len() < 8_000_000, "{}", svg.len());
    let line =
        Plot::new("many").line("a", (0..300_000).map(|i| (f64::from(i), f64::from(i % 977)))).svg();
    assert!(line.len() < 60_000, "{}", line.len());
}

proptest! {
    #[test]
    fn any_numbers_and_names_make_a_well_formed_drawing(
        name in any::<String>(),
        points in proptest::collection::vec((any::<f64>(), any::<f64>()), 0..20),
        errors in proptest::collection::vec(any::<f64>(), 0..20),
        range in proptest::option::of((any::<f64>(), any::<f64>())),
    ) {
        let mut plot = Plot::new(name.clone()).x(name.clone()).y(name.clone());
        if let Some((a, b)) = range {
            plot = plot.x_range(a, b).y_range(b, a);
        }
        let svg = plot
            .line(name.clone(), points.clone())
            .errors(errors)
            .points(name.clone(), points.clone())
            .bars(name, points)
            .svg();
        prop_assert_eq!(check(&svg), Ok(()));
        prop_assert!(!svg.contains("NaN\"") && !svg.contains("inf\""));
    }
}

#[test]
fn a_long_series_is_thinned_and_keeps_its_end() {
    let points: Vec<(f64, f64)> = (0..1000).map(|i| (f64::from(i), 0.0)).collect();
    let plot = Plot::new("p").line("a", points).errors((0..1000).map(f64::from)).thinned(100);
    let series = &plot.series[0];
    assert!(series.points.len() <= 102 && series.points.len() == series.errors.len());
    assert_eq!((series.points[0].0, series.points.last().unwrap().0), (0.0, 999.0));
    assert_eq!(series.errors.last(), Some(&999.0));
    assert!(Plot::new("p").is_empty() && !plot.is_empty());
}

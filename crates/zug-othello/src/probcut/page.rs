//! How do the results look? A page with tables and plots, beside what the thesis found.

use super::fit::{CutsFit, PairFit};
use super::learn::Learned;
use crate::engine::Unit;
use std::fmt::Write as _;
use zug_core::checks::thousands;
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};

/// The disc counts that the thesis draws.
const DRAWN: [u32; 2] = [28, 44];
/// What the thesis found for the share of the variance at these.
const THESIS_R2: f64 = 0.9;

/// Values in the unit's own measure: discs, or natural logarithms of odds.
fn scale(unit: Unit) -> (f64, &'static str) {
    match unit {
        Unit::Discs => (100.0, "discs"),
        Unit::LogOdds => (10_000.0, "log-odds"),
    }
}

fn of(fits: &[PairFit], deep: u32, shallow: u32) -> impl Iterator<Item = &PairFit> {
    fits.iter().filter(move |f| (f.deep, f.shallow) == (deep, shallow))
}

fn curve(
    fits: &[PairFit],
    deep: u32,
    shallow: u32,
    y: impl Fn(&PairFit) -> f64,
) -> Vec<(f64, f64)> {
    of(fits, deep, shallow).map(|f| (f64::from(f.discs), y(f))).collect()
}

/// The deepest search of which the thesis's kind of pair was measured: 4 for 8, or less.
fn thesis_like(fit: &CutsFit) -> (u32, u32) {
    let has = |deep: u32, shallow: u32| of(&fit.midgame, deep, shallow).next().is_some();
    [(8, 4), (6, 2), (4, 2), (3, 1)].into_iter().find(|&(d, s)| has(d, s)).unwrap_or((2, 1))
}

impl Learned {
    /// A summary for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let fit = &self.fit;
        let (scale, unit) = scale(fit.unit);
        let (deep, shallow) = thesis_like(fit);
        let mut text = format!(
            "{} positions; searches of {shallow} plies foretell those of {deep}:\n\
             {:>5} {:>6} {:>7} {:>8} {:>8} {:>7}\n",
            thousands(self.measured.len() as u64),
            "discs",
            "pairs",
            "slope",
            "shift",
            "error",
            "r²"
        );
        for f in of(&fit.midgame, deep, shallow)
            .step_by(of(&fit.midgame, deep, shallow).count().div_ceil(14).max(1))
        {
            let l = &f.line;
            let _ = writeln!(
                text,
                "{:>5} {:>6} {:>7.3} {:>8.3} {:>8.3} {:>7.3}",
                f.discs,
                l.n,
                l.a,
                l.b / scale,
                l.sigma / scale,
                l.r2
            );
        }
        let _ = writeln!(text, "(shift and error in {unit})");
        if let Some(v) = &fit.validation {
            let _ = writeln!(
                text,
                "errors of {} pairs of depths up to {} foretold from depths up to {}: {:+.0}% on \
                 average, {:.0}% off",
                v.pairs,
                v.tried_to_depth,
                v.fitted_to_depth,
                100.0 * v.bias,
                100.0 * v.error
            );
        }
        text
    }

    /// The figures for scripts.
    #[must_use]
    pub fn figures(&self) -> serde_json::Value {
        serde_json::json!({
            "data": self.digest,
            "positions": self.measured.len(),
            "unit": super::file::unit_name(self.fit.unit),
            "steps_per_unit": scale(self.fit.unit).0,
            "model": self.file.model,
            "model_digest": self.file.model_digest,
            "midgame": self.fit.midgame,
            "end": self.fit.end,
            "validation": self.fit.validation,
            "thesis": {"depths": [4, 8], "r2_at_28_and_44_discs": "above 0.9"},
        })
    }

    /// The page.
    #[must_use]
    pub fn page(&self, command: &str) -> String {
        let fit = &self.fit;
        let (scale, unit) = scale(fit.unit);
        let (deep, shallow) = thesis_like(fit);
        let mut page = Page::new("Othello: how well shallow searches foretell deep ones");
        page.facts([
            ("Model", self.file.model.clone()),
            ("Digest of the model", self.file.model_digest.clone()),
            ("Positions", thousands(self.measured.len() as u64)),
            ("Digest of the positions", self.digest.clone()),
        ]);
        page.preformatted(command);

        page.heading("The pair of depths of the thesis");
        for discs in DRAWN {
            let pairs = self.pairs(discs, deep, shallow);
            let line = of(&fit.midgame, deep, shallow).find(|f| f.discs == discs);
            if let Some(f) = line.filter(|_| !pairs.is_empty()) {
                let points = pairs.iter().map(|&(x, y)| (x / scale, y / scale));
                let ends = pairs
                    .iter()
                    .map(|p| p.0)
                    .fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
                let on = |x: f64| (x / scale, (f.line.a * x + f.line.b) / scale);
                let plot = Plot::new(format!("{discs} discs"))
                    .x(format!("value of {shallow} plies, {unit}"))
                    .y(format!("value of {deep} plies, {unit}"))
                    .size(520, 420)
                    .points("positions", points)
                    .line("line", [on(ends.0), on(ends.1)]);
                page.plot_with_caption(
                    &plot,
                    &format!(
                        "{discs} discs: slope {:.3}, shift {:.3}, error {:.3} {unit}, r² {:.3} \
                         (thesis: r² above {THESIS_R2})",
                        f.line.a,
                        f.line.b / scale,
                        f.line.sigma / scale,
                        f.line.r2
                    ),
                );
            }
        }
        let title = format!("{shallow} plies for {deep}");
        let by_discs = |name: &str, y: &str| Plot::new(name).x("discs on the board").y(y);
        let r2 = curve(&fit.midgame, deep, shallow, |f| f.line.r2);
        let marks = DRAWN.map(|d| (f64::from(d), THESIS_R2));
        page.plot(
            &by_discs("Share of the variance", "r²").line(&title, r2).guide("thesis: above", marks),
        );
        let a = curve(&fit.midgame, deep, shallow, |f| f.line.a);
        page.plot(&by_discs("Slope", "a").line(&title, a));
        let b = curve(&fit.midgame, deep, shallow, |f| f.line.b / scale);
        page.plot(&by_discs("Shift", unit).line(&title, b));
        let sigma = curve(&fit.midgame, deep, shallow, |f| f.line.sigma / scale);
        let smooth = fit
            .smooth
            .iter()
            .filter(|((_, d, s), _)| (*d, *s) == (deep, shallow))
            .map(|&((discs, _, _), sigma)| (f64::from(discs), sigma / scale));
        page.plot_with_caption(
            &by_discs("Error", unit).points("measured", sigma).line("smoothed", smooth),
            "In the thesis the error grows with the number of discs.",
        );

        self.surface(&mut page, scale, unit);
        self.ends(&mut page);
        self.chosen(&mut page, scale);
        page.html()
    }

    /// The errors of all pairs.
    fn surface(&self, page: &mut Page, scale: f64, unit: &str) {
        page.heading("All pairs of depths");
        let fits = &self.fit.midgame;
        let deepest = fits.iter().map(|f| f.deep).max().unwrap_or(0);
        let mut stages: Vec<u32> =
            fits.iter().filter(|f| f.deep == deepest).map(|f| f.discs).collect();
        stages.dedup();
        for &discs in
            [stages.first(), stages.get(stages.len() / 2), stages.last()].into_iter().flatten()
        {
            let mut plot = Plot::new(format!("Error with {discs} discs")).x("deep depth").y(unit);
            for shallow in (0..deepest).step_by(2) {
                let points = fits
                    .iter()
                    .filter(|f| f.discs == discs && f.shallow == shallow)
                    .map(|f| (f64::from(f.deep), f.line.sigma / scale));
                plot = plot.line(format!("from {shallow} plies"), points);
            }
            page.plot(&plot);
        }
        if let Some(v) = &self.fit.validation {
            page.paragraph(&format!(
                "Depths that were not measured are foretold by a surface over disc count and both \
                 depths. Fitted to searches of up to {} plies and tried on {} pairs of up to {}, its \
                 errors are {:+.1}% too large on average and {:.1}% off.",
                v.fitted_to_depth,
                v.pairs,
                v.tried_to_depth,
                100.0 * v.bias,
                100.0 * v.error
            ));
        }
    }

    /// Searches to the end.
    fn ends(&self, page: &mut Page) {
        let fits = &self.fit.end;
        if fits.is_empty() {
            return;
        }
        page.heading("Searches to the end");
        let deepest = fits.iter().map(|f| f.shallow).max().unwrap_or(0);
        for (name, y, value) in [
            (
                "Error of the final score",
                "discs",
                (|f| f.line.sigma / 100.0) as fn(&PairFit) -> f64,
            ),
            ("Share of the variance of the final score", "r²", |f| f.line.r2),
        ] {
            let mut plot = Plot::new(name).x("empty squares").y(y);
            for shallow in (0..=deepest).step_by(2) {
                let points = fits
                    .iter()
                    .filter(|f| f.shallow == shallow)
                    .map(|f| (f64::from(f.deep), value(f)));
                plot = plot.line(format!("from {shallow} plies"), points);
            }
            page.plot(&plot);
        }
    }

    /// What searches use.
    fn chosen(&self, page: &mut Page, scale: f64) {
        page.heading("Chosen cuts");
        page.paragraph(
            "For each search the shallow ones that are tried, cheapest first, with their errors: \
             those that save most at 1.5 deviations by the measured cost of searches.",
        );
        let mut table = Table::new(["discs", "depth", "tried"]).caption("Depth-limited searches");
        let told = |tries: &[crate::engine::Pair], scale: f64| {
            let one = |p: &crate::engine::Pair| {
                format!("{} (±{:.2})", p.shallow, f64::from(p.sigma) / scale)
            };
            tries.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        for discs in [16u32, 28, 40, 52] {
            for depth in (3..64 - discs).take(18) {
                let tries = self.fit.multi.midgame(discs, depth);
                if !tries.is_empty() {
                    table.row([discs.to_string(), depth.to_string(), told(tries, scale)]);
                }
            }
        }
        page.folded("Depth-limited searches", |page| page.table(&table));
        let mut table = Table::new(["empty squares", "tried"]).caption("Searches to the end");
        for empties in 0..=60 {
            let tries = self.fit.multi.endgame(empties);
            if !tries.is_empty() {
                table.row([empties.to_string(), told(tries, 100.0)]);
            }
        }
        page.folded("Searches to the end", |page| page.table(&table));
    }
}

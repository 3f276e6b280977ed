//! Small drawings of numbers: lines, points and bars with axes and a legend, as SVG.
//!
//! The drawings stand alone (no script, nothing fetched), follow the light or dark mode of the
//! reader, and tell series apart by dashes and marks as well as by colours that most colour-blind
//! people can tell apart. Values that are not finite are gaps. The same plot gives the same bytes.
//!
//! ```
//! use zug_learn::plot::Plot;
//! let svg = Plot::new("Discordance")
//!     .x("discs")
//!     .y("discordance")
//!     .line("mobility", [(12.0, 0.24), (13.0, 0.22), (14.0, 0.21)])
//!     .svg();
//! assert!(svg.starts_with("<svg "));
//! ```

mod draw;
mod scale;

use serde::Serialize;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mark {
    /// A line through the points, in the order given.
    Line,
    /// Points alone.
    Points,
    /// Bars from 0.
    Bars,
    /// A thin dashed line for comparison.
    Guide,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Series {
    pub name: String,
    pub mark: Mark,
    pub points: Vec<(f64, f64)>,
    /// Half the height of the error bar of each point.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<f64>,
}

/// A drawing in the making. As data (it can be serialised) it is what another program needs to draw
/// the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plot {
    pub(crate) title: String,
    #[serde(rename = "x")]
    pub(crate) x_label: String,
    #[serde(rename = "y")]
    pub(crate) y_label: String,
    pub(crate) x_range: Option<(f64, f64)>,
    pub(crate) y_range: Option<(f64, f64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) categories: Vec<String>,
    pub(crate) series: Vec<Series>,
    #[serde(skip)]
    pub(crate) size: (u32, u32),
}

impl Plot {
    /// An empty plot.
    pub fn new(title: impl Into<String>) -> Plot {
        Plot {
            title: title.into(),
            x_label: String::new(),
            y_label: String::new(),
            x_range: None,
            y_range: None,
            categories: Vec::new(),
            series: Vec::new(),
            size: (760, 420),
        }
    }

    /// Names the horizontal axis.
    #[must_use]
    pub fn x(mut self, label: impl Into<String>) -> Plot {
        self.x_label = label.into();
        self
    }

    /// Names the vertical axis.
    #[must_use]
    pub fn y(mut self, label: impl Into<String>) -> Plot {
        self.y_label = label.into();
        self
    }

    /// Fixes the horizontal range; otherwise it is that of the points.
    #[must_use]
    pub fn x_range(mut self, from: f64, to: f64) -> Plot {
        self.x_range = Some((from, to));
        self
    }

    /// Fixes the vertical range; otherwise it is that of the points.
    #[must_use]
    pub fn y_range(mut self, from: f64, to: f64) -> Plot {
        self.y_range = Some((from, to));
        self
    }

    /// Names for 0, 1, 2, … on the horizontal axis instead of numbers.
    #[must_use]
    pub fn categories<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Plot {
        self.categories = names.into_iter().map(Into::into).collect();
        self
    }

    /// Width and height in pixels (at least 240 by 160).
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Plot {
        self.size = (width.clamp(240, 4000), height.clamp(160, 4000));
        self
    }

    /// Adds a line.
    #[must_use]
    pub fn line(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Plot {
        self.add(name, Mark::Line, points)
    }

    /// Adds points.
    #[must_use]
    pub fn points(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Plot {
        self.add(name, Mark::Points, points)
    }

    /// Adds bars; the bars of several series stand side by side.
    #[must_use]
    pub fn bars(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Plot {
        self.add(name, Mark::Bars, points)
    }

    /// Adds a thin dashed line to compare with.
    #[must_use]
    pub fn guide(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Plot {
        self.add(name, Mark::Guide, points)
    }

    /// Gives the points of the last series error bars (half heights).
    #[must_use]
    pub fn errors(mut self, half_heights: impl IntoIterator<Item = f64>) -> Plot {
        if let Some(series) = self.series.last_mut() {
            series.errors = half_heights.into_iter().collect();
        }
        self
    }

    fn add(
        mut self,
        name: impl Into<String>,
        mark: Mark,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Plot {
        let points = points.into_iter().collect();
        self.series.push(Series { name: name.into(), mark, points, errors: Vec::new() });
        self
    }

    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Is there nothing to draw?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|s| s.points.iter().all(|p| !(p.0.is_finite() && p.1.is_finite())))
    }

    /// The same with at most about so many points in a series, the last one among them: a screen
    /// shows no more.
    #[must_use]
    pub fn thinned(mut self, most: usize) -> Plot {
        for series in &mut self.series {
            let (step, last) = (series.points.len().div_ceil(most.max(1)), series.points.len());
            if step > 1 {
                let keep = |i: usize| i.is_multiple_of(step) || i + 1 == last;
                let mut place = 0;
                series.errors.retain(|_| (keep(place), place += 1).0);
                place = 0;
                series.points.retain(|_| (keep(place), place += 1).0);
            }
        }
        self
    }

    /// The series of both, the names of each followed by what its plot is called: to compare two
    /// plots of the same title.
    #[must_use]
    pub fn beside(mut self, called: &str, other: &Plot, other_called: &str) -> Plot {
        let name = |name: &str, of: &str| match name {
            "" => of.to_string(),
            name => format!("{name} · {of}"),
        };
        for series in &mut self.series {
            series.name = name(&series.name, called);
        }
        for series in &other.series {
            let name = name(&series.name, other_called);
            self.series.push(Series { name, ..series.clone() });
        }
        let wider =
            |a: Option<(f64, f64)>, b: Option<(f64, f64)>| Some((a?.0.min(b?.0), a?.1.max(b?.1)));
        self.x_range = wider(self.x_range, other.x_range);
        self.y_range = wider(self.y_range, other.y_range);
        self
    }

    /// The drawing.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::svg(self)
    }
}

#[cfg(test)]
mod tests;

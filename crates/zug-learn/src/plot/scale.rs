//! An axis: which numbers it covers, where the ticks are, how they are written.

/// A linear map from numbers to pixels, with ticks at round numbers.
#[derive(Clone, Debug)]
pub struct Scale {
    pub from: f64,
    pub to: f64,
    pub start: f64,
    pub end: f64,
    step: f64,
}

impl Scale {
    /// A scale for these values. A fixed range stays as it is; otherwise the range reaches out to
    /// the next ticks.
    pub fn new(
        values: impl Iterator<Item = f64>,
        fixed: Option<(f64, f64)>,
        (start, end): (f64, f64),
        ticks: f64,
    ) -> Scale {
        // Half of the largest numbers: differences must not overflow.
        let limit = f64::MAX / 4.0;
        let usable = |(a, b): &(f64, f64)| a.is_finite() && b.is_finite() && a < b;
        let fixed = fixed.map(|(a, b)| (a.max(-limit), b.min(limit))).filter(usable);
        let (low, high) = fixed.unwrap_or_else(|| {
            let (low, high) = values
                .filter(|v| v.is_finite())
                .map(|v| v.clamp(-limit, limit))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            match (low <= high, low < high) {
                (false, _) => (0.0, 1.0),
                (true, true) => (low, high),
                (true, false) => {
                    let half = if low == 0.0 { 1.0 } else { low.abs() / 2.0 };
                    (low - half, low + half)
                }
            }
        });
        let step = round_step((high - low) / ticks);
        let (from, to) = if fixed.is_some() {
            (low, high)
        } else {
            // A hair of room, so that a value at a tick by rounding opens no further interval.
            let hair = step * 1e-9;
            (((low + hair) / step).floor() * step, ((high - hair) / step).ceil() * step)
        };
        // Numbers closer than rounding leave no range.
        let to = if to > from { to } else { from + step.max(f64::MIN_POSITIVE) };
        Scale { from, to, start, end, step }
    }

    /// The pixel of a number.
    pub fn place(&self, value: f64) -> f64 {
        let share = (value - self.from) / (self.to - self.from);
        // Far outside the range is as good as just outside it.
        self.start + share.clamp(-2.0, 3.0) * (self.end - self.start)
    }

    /// Is the number within the range?
    pub fn covers(&self, value: f64) -> bool {
        let hair = (self.to - self.from) * 1e-9;
        (self.from - hair..=self.to + hair).contains(&value)
    }

    /// The ticks: numbers and how they are written.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let first = (self.from / self.step - 1e-9).ceil();
        (0..64)
            .map(|i| (first + f64::from(i)) * self.step)
            .take_while(|v| *v <= self.to + self.step * 1e-9)
            .map(|v| (v, written(v, self.step, self.from.abs().max(self.to.abs()))))
            .collect()
    }
}

/// The next step of the form 1, 2 or 5 times a power of ten.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    if !(power.is_finite() && power > 0.0) {
        return if rough > 0.0 { rough } else { 1.0 };
    }
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// A tick as text, with as many decimals as the step needs; all ticks of an axis in the same way.
fn written(value: f64, step: f64, largest: f64) -> String {
    let value = if value.abs() < step * 1e-6 { 0.0 } else { value };
    if value != 0.0 && (largest >= 1e7 || step < 1e-6) {
        let text = format!("{value:.3e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'));
    }
    let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
}

/// A value in a tip, to five figures.
pub fn tip(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    if !(1e-4..1e9).contains(&value.abs()) {
        return format!("{value:.4e}");
    }
    let decimals = (4.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(low: f64, high: f64) -> Vec<String> {
        let scale = Scale::new([low, high].into_iter(), None, (0.0, 100.0), 6.0);
        scale.ticks().into_iter().map(|t| t.1).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(texts(12.0, 62.0), ["10", "20", "30", "40", "50", "60", "70"]);
        assert_eq!(texts(0.113, 0.248), ["0.10", "0.15", "0.20", "0.25"]);
        assert_eq!(texts(-1.0, 1.0), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(texts(0.0, 3e7), ["0", "5e6", "1e7", "1.5e7", "2e7", "2.5e7", "3e7"]);
        assert_eq!(texts(5.0, 5.0), ["2", "3", "4", "5", "6", "7", "8"]);
    }

    #[test]
    fn tips_have_five_figures() {
        let tips = [0.0, 0.123456, 12.5, 1234567.0, 1e-9, -0.5].map(tip);
        assert_eq!(tips, ["0", "0.12346", "12.5", "1234567", "1.0000e-9", "-0.5"]);
    }

    proptest! {
        #[test]
        fn every_value_has_a_place_between_ticks(values in proptest::collection::vec(any::<f64>(), 0..6)) {
            let scale = Scale::new(values.iter().copied(), None, (0.0, 100.0), 6.0);
            let ticks = scale.ticks();
            prop_assert!(ticks.len() <= 64);
            for v in values.iter().filter(|v| v.is_finite()) {
                let place = scale.place(*v);
                prop_assert!(place.is_finite());
            }
            prop_assert!(scale.from < scale.to);
        }
    }
}

//! How far are values from the truth?

use serde_json::{Value, json};

/// How far the values are from the truth.
#[derive(Clone, Copy, Default)]
pub struct Errors {
    pub positions: u64,
    absolute: f64,
    signed: f64,
    squared: f64,
    decided: u64,
    right: f64,
}

impl Errors {
    pub fn add(&mut self, value: f64, exact: f64) {
        let error = value - exact;
        self.positions += 1;
        self.absolute += error.abs();
        self.signed += error;
        self.squared += error * error;
        if exact != 0.0 {
            self.decided += 1;
            // A value of nought favours nobody.
            self.right +=
                if value == 0.0 { 0.5 } else { f64::from((value > 0.0) == (exact > 0.0)) };
        }
    }

    /// Together with those of other positions.
    #[must_use]
    pub fn with(&self, other: &Errors) -> Errors {
        Errors {
            positions: self.positions + other.positions,
            absolute: self.absolute + other.absolute,
            signed: self.signed + other.signed,
            squared: self.squared + other.squared,
            decided: self.decided + other.decided,
            right: self.right + other.right,
        }
    }

    pub fn json(&self, in_discs: bool) -> Value {
        if self.positions == 0 {
            return Value::Null;
        }
        let n = self.positions as f64;
        let known = |figure: f64| if in_discs { Some(figure) } else { None };
        json!({
            "positions": self.positions,
            "mean_absolute": known(self.absolute / n),
            "bias": known(self.signed / n),
            "root_mean_square": known((self.squared / n).sqrt()),
            "right_winner": self.right_winner(),
        })
    }

    pub fn right_winner(&self) -> Option<f64> {
        (self.decided > 0).then(|| self.right / self.decided as f64)
    }

    pub fn text(&self, in_discs: bool) -> String {
        let n = self.positions.max(1) as f64;
        let winner = self.right_winner().map_or("-".into(), |r| format!("{:.1} %", 100.0 * r));
        if in_discs {
            let (mean, bias) = (self.absolute / n, self.signed / n);
            let root = (self.squared / n).sqrt();
            format!(
                "mean error {mean:5.2}   root {root:5.2}   bias {bias:+6.2}   right winner {winner}"
            )
        } else {
            format!("right winner {winner}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_summed_with_their_sign_and_without() {
        let mut errors = Errors::default();
        errors.add(3.0, 2.0);
        errors.add(-1.0, 4.0);
        errors.add(0.0, -2.0);
        errors.add(1.0, 0.0);
        let figures = errors.json(true);
        assert_eq!(figures["mean_absolute"], 9.0 / 4.0);
        assert_eq!(figures["bias"], -1.0 / 4.0);
        assert_eq!(figures["right_winner"], 0.5);
        let root = figures["root_mean_square"].as_f64().unwrap();
        assert!((root - (31.0f64 / 4.0).sqrt()).abs() < 1e-12, "{root}");
        assert_eq!(errors.json(false)["bias"], Value::Null);
        assert_eq!(Errors::default().json(true), Value::Null);
    }
}

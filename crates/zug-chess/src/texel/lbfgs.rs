//! Which point makes a smooth convex function least? Limited-memory BFGS with a diagonal
//! preconditioner, one step at a time, so that the caller may look, save and stop between steps.
//!
//! Every sum runs in a fixed order: the same function gives the same points.

/// Pairs of steps and changes of the gradient that are remembered.
const MEMORY: usize = 12;

/// A function with its gradient: gives its value and fills the gradient.
pub trait Smooth {
    /// The value at a point.
    fn at(&mut self, point: &[f64], gradient: &mut [f64]) -> f64;
}

impl<F: FnMut(&[f64], &mut [f64]) -> f64> Smooth for F {
    fn at(&mut self, point: &[f64], gradient: &mut [f64]) -> f64 {
        self(point, gradient)
    }
}

/// Where a minimisation stands.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The point.
    pub point: Vec<f64>,
    /// The gradient there.
    pub gradient: Vec<f64>,
    /// The value there.
    pub value: f64,
    /// Steps so far.
    pub steps: u64,
    /// Newest last: the last steps and what they changed of the gradient.
    pub pairs: Vec<(Vec<f64>, Vec<f64>)>,
    /// One over the curvature of each coordinate, guessed beforehand.
    pub inverse: Vec<f64>,
}

/// What a step has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The value has fallen.
    Down,
    /// No smaller value was found: this is the minimum, as far as numbers tell.
    Stuck,
}

impl State {
    /// Begins at a point; `curvature` guesses the second derivative along each coordinate.
    pub fn begin(function: &mut dyn Smooth, point: Vec<f64>, curvature: &[f64]) -> State {
        let mut gradient = vec![0.0; point.len()];
        let value = function.at(&point, &mut gradient);
        let inverse = curvature.iter().map(|&c| 1.0 / c.max(1e-12)).collect();
        State { point, gradient, value, steps: 0, pairs: Vec::new(), inverse }
    }

    /// The length of the gradient in the measure of the preconditioner: how far the value may still
    /// fall is about half its square.
    #[must_use]
    pub fn slope(&self) -> f64 {
        let squares = self.gradient.iter().zip(&self.inverse).map(|(g, i)| g * g * i);
        squares.sum::<f64>().sqrt()
    }

    /// Takes a step downwards.
    pub fn step(&mut self, function: &mut dyn Smooth) -> Step {
        let mut direction = self.direction();
        let mut descent = dot(&direction, &self.gradient);
        if descent >= 0.0 || !descent.is_finite() {
            // The memory misleads: begin anew with the preconditioned gradient.
            self.pairs.clear();
            direction = self.direction();
            descent = dot(&direction, &self.gradient);
        }
        if descent >= 0.0 {
            return Step::Stuck;
        }
        let Some((length, point, value, gradient)) = self.search(function, &direction, descent)
        else {
            return Step::Stuck;
        };
        let change: Vec<f64> = gradient.iter().zip(&self.gradient).map(|(a, b)| a - b).collect();
        let moved: Vec<f64> = direction.iter().map(|d| d * length).collect();
        // Without positive curvature along the step the pair would spoil the memory.
        if dot(&moved, &change) > 1e-12 * dot(&change, &change).sqrt() * dot(&moved, &moved).sqrt()
        {
            if self.pairs.len() == MEMORY {
                self.pairs.remove(0);
            }
            self.pairs.push((moved, change));
        }
        (self.point, self.value, self.gradient) = (point, value, gradient);
        self.steps += 1;
        Step::Down
    }

    /// The two loops of L-BFGS.
    fn direction(&self) -> Vec<f64> {
        let mut q = self.gradient.clone();
        let mut shares = Vec::with_capacity(self.pairs.len());
        for (s, y) in self.pairs.iter().rev() {
            let share = dot(s, &q) / dot(s, y);
            add(&mut q, -share, y);
            shares.push(share);
        }
        let scale = self.pairs.last().map_or(1.0, |(s, y)| {
            let weighed: f64 = y.iter().zip(&self.inverse).map(|(y, i)| y * y * i).sum();
            dot(s, y) / weighed
        });
        q.iter_mut().zip(&self.inverse).for_each(|(q, i)| *q *= i * scale);
        for ((s, y), share) in self.pairs.iter().zip(shares.into_iter().rev()) {
            let other = dot(y, &q) / dot(s, y);
            add(&mut q, share - other, s);
        }
        q.iter_mut().for_each(|q| *q = -*q);
        q
    }

    /// Looks along a direction for a point that is low enough and less steep (weak Wolfe
    /// conditions), by doubling and halving.
    fn search(
        &self,
        function: &mut dyn Smooth,
        direction: &[f64],
        descent: f64,
    ) -> Option<(f64, Vec<f64>, f64, Vec<f64>)> {
        let (mut low, mut high, mut length) = (0.0, f64::INFINITY, 1.0);
        let mut best = None;
        let mut gradient = vec![0.0; direction.len()];
        for _ in 0..25 {
            let mut point = self.point.clone();
            add(&mut point, length, direction);
            let value = function.at(&point, &mut gradient);
            if !value.is_finite() || value > self.value + 1e-4 * length * descent {
                high = length;
            } else {
                let is_flat = dot(&gradient, direction) >= 0.9 * descent;
                best = Some((length, point, value, gradient.clone()));
                if is_flat {
                    break;
                }
                low = length;
            }
            length = if high.is_finite() { f64::midpoint(low, high) } else { 2.0 * length };
        }
        best.filter(|found| found.2 < self.value)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(t, w)| *t += factor * w);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadratic_of_very_different_curvatures_is_minimised() {
        let curvature: Vec<f64> = (0..40).map(|i| 10_f64.powi(i % 6 - 2)).collect();
        let mut function = |x: &[f64], g: &mut [f64]| {
            let mut value = 0.0;
            for i in 0..x.len() {
                let (next, d) = (x[(i + 1) % x.len()], x[i] - i as f64);
                value += 0.5 * curvature[i] * d * d + 0.001 * x[i] * next;
            }
            for i in 0..x.len() {
                let (next, last) = (x[(i + 1) % x.len()], x[(i + x.len() - 1) % x.len()]);
                g[i] = curvature[i] * (x[i] - i as f64) + 0.001 * (next + last);
            }
            value
        };
        let mut state = State::begin(&mut function, vec![0.0; 40], &curvature);
        while state.steps < 100 && state.slope() > 1e-9 && state.step(&mut function) == Step::Down {
        }
        assert!(state.slope() < 1e-6, "{} after {} steps", state.slope(), state.steps);
        assert!(state.steps < 40, "the preconditioner helps: {}", state.steps);
    }

    #[test]
    fn a_valley_that_is_not_quadratic_is_followed_to_its_end() {
        let mut rosenbrock = |x: &[f64], g: &mut [f64]| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            (g[0], g[1]) = (-2.0 * a - 400.0 * x[0] * b, 200.0 * b);
            a * a + 100.0 * b * b
        };
        let mut state = State::begin(&mut rosenbrock, vec![-1.2, 1.0], &[100.0, 100.0]);
        let mut last = state.value;
        while state.steps < 200
            && state.slope() > 1e-10
            && state.step(&mut rosenbrock) == Step::Down
        {
            assert!(state.value < last, "every step goes down");
            last = state.value;
        }
        assert!((state.point[0] - 1.0).abs() < 1e-5, "{:?}", state.point);
        assert_eq!(state.step(&mut |_: &[f64], _: &mut [f64]| f64::NAN), Step::Stuck);
    }
}

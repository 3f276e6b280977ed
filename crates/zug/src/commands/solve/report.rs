//! How answers are shown: rows that appear one by one, and JSON.

use crate::terminal::count;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{self, Write};
use zug_core::exact::{Answer, Problem, Question, SoFar};

/// Is an answer what the file says?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file says nothing.
    Unknown,
    /// It is.
    Right,
    /// It is not, and why.
    Wrong(String),
}

/// A position with its answer.
pub struct Entry {
    /// Its number in the file, from 1.
    pub number: u64,
    pub problem: Problem,
    pub answer: Answer,
    pub seconds: f64,
    pub cpu_seconds: f64,
    pub verdict: Verdict,
}

/// An answer as a journal keeps it.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    pub position: String,
    pub score: i32,
    pub best: Option<String>,
    pub line: Vec<String>,
    pub moves: Vec<(String, i32)>,
    pub nodes: u64,
    pub seconds: f64,
    pub cpu_seconds: f64,
}

impl Entry {
    pub fn kept(&self) -> Kept {
        let answer = self.answer.clone();
        Kept {
            position: self.problem.position.clone(),
            score: answer.score,
            best: answer.best,
            line: answer.line,
            moves: answer.moves,
            nodes: answer.nodes,
            seconds: self.seconds,
            cpu_seconds: self.cpu_seconds,
        }
    }

    pub fn json(&self, question: Question) -> Value {
        let (problem, answer) = (&self.problem, &self.answer);
        let score = (question != Question::Outcome).then_some(answer.score);
        let mut value = json!({
            "number": self.number,
            "line": problem.line,
            "position": problem.position,
            "to_move": problem.to_move,
            "empties": problem.empties,
            "score": score,
            "outcome": outcome(answer.score),
            "move": answer.best,
            "moves": answer.line,
            "nodes": answer.nodes,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "nodes_per_second": speed(answer.nodes, self.seconds),
            "stated": problem.stated(),
            "right": match self.verdict {
                Verdict::Unknown => None,
                Verdict::Right => Some(true),
                Verdict::Wrong(_) => Some(false),
            },
        });
        if question == Question::EveryMove {
            let moves = answer.moves.iter().map(|(mv, score)| json!({"move": mv, "score": score}));
            value["every_move"] = moves.collect();
        }
        if let Verdict::Wrong(why) = &self.verdict {
            value["wrong"] = why.as_str().into();
        }
        value
    }
}

fn outcome(score: i32) -> &'static str {
    match score.signum() {
        1 => "won",
        0 => "drawn",
        _ => "lost",
    }
}

fn speed(nodes: u64, seconds: f64) -> u64 {
    (nodes as f64 / seconds.max(1e-6)) as u64
}

/// The position in which the work was stopped.
pub struct Unfinished {
    /// Its number in the file, from 1.
    pub number: u64,
    pub position: String,
    /// What is known of it.
    pub so_far: Option<SoFar>,
}

impl Unfinished {
    pub fn json(&self) -> Value {
        let bounds = self.so_far.map_or((-64, 64), |known| known.bounds);
        json!({
            "number": self.number,
            "position": self.position,
            "at_least": bounds.0,
            "at_most": bounds.1,
            "expected": self.so_far.and_then(|known| known.expected),
        })
    }

    /// What is there, and what is known of the rest.
    pub fn told(&self, solved: u64, asked: Option<usize>, is_kept: bool) -> String {
        let mut text = match asked {
            Some(1) => String::new(),
            Some(asked) => format!("{solved} of {asked} positions are solved, "),
            None => format!("{solved} positions are solved, "),
        };
        let name = if asked == Some(1) { "the position" } else { "position" };
        text.push_str(name);
        if asked != Some(1) {
            text.push_str(&format!(" {}", self.number));
        }
        text.push_str(if asked == Some(1) { " is not solved" } else { " is not" });
        if let Some(SoFar { bounds: (low, high), expected }) = self.so_far {
            let mut known = Vec::new();
            match (low > -64, high < 64) {
                _ if low == high => known.push(format!("its score is {low:+}")),
                (true, true) => known.push(format!("its score is {low:+} to {high:+}")),
                (true, false) => known.push(format!("its score is at least {low:+}")),
                (false, true) => known.push(format!("its score is at most {high:+}")),
                (false, false) => {}
            }
            let open = expected.filter(|_| low != high);
            known.extend(open.map(|score| format!("it is probably about {score:+}")));
            if !known.is_empty() {
                text.push_str(&format!(": {}", known.join(", ")));
            }
        }
        text.push_str(match (is_kept, asked) {
            (true, _) => "; the same command goes on from here",
            (false, Some(1)) => "",
            (false, _) => "; with --out FILE the same command would go on from here",
        });
        text
    }
}

/// The sum over all positions.
#[derive(Default)]
pub struct Totals {
    pub positions: u64,
    pub right: u64,
    pub wrong: u64,
    nodes: u64,
    seconds: f64,
    cpu_seconds: f64,
    pub stopped: bool,
}

impl Totals {
    pub fn add(&mut self, entry: &Entry) {
        self.positions += 1;
        self.right += u64::from(entry.verdict == Verdict::Right);
        self.wrong += u64::from(matches!(entry.verdict, Verdict::Wrong(_)));
        self.nodes += entry.answer.nodes;
        self.seconds += entry.seconds;
        self.cpu_seconds += entry.cpu_seconds;
    }

    pub fn json(&self) -> Value {
        json!({
            "positions": self.positions,
            "right": self.right,
            "wrong": self.wrong,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "nodes_per_second": speed(self.nodes, self.seconds),
            "stopped": self.stopped,
        })
    }
}

/// Rows on a terminal, each as soon as it is known.
pub struct Table {
    rows: u64,
    /// Only won, drawn or lost is known.
    signs: bool,
}

impl Table {
    pub fn new(question: Question) -> Table {
        Table { rows: 0, signs: question == Question::Outcome }
    }

    pub fn row(&mut self, out: &mut impl Write, entry: &Entry) -> io::Result<()> {
        if self.rows == 0 {
            writeln!(
                out,
                "{:>6} {:>5} {:>6} {:>5} {:>9} {:>9} {:>9}  line",
                "number", "empty", "score", "move", "nodes", "seconds", "nodes/s"
            )?;
        }
        self.rows += 1;
        let answer = &entry.answer;
        let score = match self.signs {
            true => outcome(answer.score).to_string(),
            false => format!("{:+}", answer.score),
        };
        write!(
            out,
            "{:>6} {:>5} {score:>6} {:>5} {:>9} {:>9.3} {:>9}  {}",
            entry.number,
            entry.problem.empties,
            answer.best.as_deref().unwrap_or("over"),
            count(answer.nodes),
            entry.seconds,
            count(speed(answer.nodes, entry.seconds)),
            answer.line.join(" "),
        )?;
        if let Verdict::Wrong(why) = &entry.verdict {
            write!(out, "   WRONG: {why}")?;
        }
        writeln!(out)?;
        if !answer.moves.is_empty() {
            let moves: Vec<String> =
                answer.moves.iter().map(|(mv, score)| format!("{mv} {score:+}")).collect();
            writeln!(out, "{:>6} {}", "", moves.join("  "))?;
        }
        out.flush()
    }

    pub fn end(&self, out: &mut impl Write, totals: &Totals) -> io::Result<()> {
        if totals.positions != 1 {
            writeln!(
                out,
                "{} positions: {} nodes, {:.3} s ({:.3} s of processor time), {} nodes/s",
                totals.positions,
                count(totals.nodes),
                totals.seconds,
                totals.cpu_seconds,
                count(speed(totals.nodes, totals.seconds)),
            )?;
        }
        if totals.right + totals.wrong > 0 {
            writeln!(out, "{} right, {} wrong", totals.right, totals.wrong)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stopped_tells_what_is_there() {
        let stopped = |so_far| Unfinished { number: 3, position: "x".into(), so_far };
        let known = |bounds, expected| Some(SoFar { bounds, expected });
        let told = |so_far, asked| stopped(so_far).told(2, asked, false);
        assert_eq!(
            told(known((2, 64), Some(6)), Some(9)),
            "2 of 9 positions are solved, position 3 is not: its score is at least +2, it is probably \
             about +6; with --out FILE the same command would go on from here"
        );
        assert_eq!(told(None, Some(1)), "the position is not solved");
        assert_eq!(
            told(known((4, 4), Some(4)), Some(1)),
            "the position is not solved: its score is +4"
        );
        let kept = stopped(known((-64, -2), None)).told(0, Some(2), true);
        assert!(kept.ends_with("at most -2; the same command goes on from here"), "{kept}");
    }
}

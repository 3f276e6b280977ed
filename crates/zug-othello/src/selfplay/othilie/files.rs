//! Which files does a group leave? Those of section 4.4: weights and statistics of every learning
//! game, a file a feature, the tests, and a control file for gnuplot beside each set of data. All
//! are made from what the run has stored, so that they can be made again at any time.
//!
//! ```text
//! RUN/A/                          a group
//!   feature-01.dat … -42.dat      the course of one weight in all experiments
//!   features.gp                   draws them
//!   similarity.dat                Q after every game
//!   report.html                   everything on one page
//!   A1/                           an experiment
//!     polynomials.zug             P_0 to P_End, with the statistics of every game
//!     P_0.txt, P_End.txt          for the playing program: othilie:weights=FILE
//!     learning.dat, learning.gp   weights and statistics, a line a game
//!     first-test-P_0.txt, …       shares, mean and standard deviation; the third test likewise
//!     second-test.dat, .gp        six columns of running totals
//!     tests/                      the result of every test game
//! ```

use super::experiment::{Experiment, History};
use super::features::FeatureSet;
use super::matches::{Strength, Tested};
use super::measures::similarity_of;
use super::weights;
use std::fmt::Write as _;
use std::path::Path;
use zug_core::files::write_atomically;
use zug_learn::face::TaskError;

fn put(path: &Path, text: &str) -> Result<(), TaskError> {
    write_atomically(path, text.as_bytes()).map_err(TaskError::below)
}

/// Writes the files of one experiment.
pub fn write_experiment(
    experiment: &Experiment<'_>,
    history: &History,
    tested: &Tested,
) -> Result<(), TaskError> {
    let folder = &experiment.folder;
    let name = experiment.name();
    put(&folder.join("learning.dat"), &learning(history))?;
    put(&folder.join("learning.gp"), &learning_plots(&name, experiment.settings.set))?;
    if let Some(last) = history.last() {
        let start = weights::write(history.row(0).weights, &format!("{name}: P_0"));
        put(&folder.join("P_0.txt"), &start)?;
        let end = weights::write(last.weights, &format!("{name}: P_{}", last.game));
        put(&folder.join("P_End.txt"), &end)?;
    }
    for (test, strengths) in [("first", &tested.first), ("third", &tested.third)] {
        for (polynomial, strength) in ["P_0", "P_End"].iter().zip(strengths) {
            if let Some(strength) = strength {
                let file = folder.join(format!("{test}-test-{polynomial}.txt"));
                put(&file, &strength_text(&name, polynomial, strength))?;
            }
        }
    }
    if !tested.second.is_empty() {
        put(&folder.join("second-test.dat"), &second(&tested.second))?;
        put(&folder.join("second-test.gp"), &second_plot(&name))?;
    }
    Ok(())
}

/// Writes the files of a group that compare its experiments.
pub fn write_group(
    folder: &Path,
    set: FeatureSet,
    names: &[String],
    histories: &[&History],
) -> Result<(), TaskError> {
    let rows = histories.iter().map(|h| h.len()).min().unwrap_or(0);
    let mut similarity = String::from("# game Q\n");
    for place in 0..rows {
        let weights: Vec<&[f64]> = histories.iter().map(|h| h.row(place).weights).collect();
        let game = histories[0].row(place).game;
        let _ = writeln!(similarity, "{game} {:.6}", similarity_of(&weights));
    }
    put(&folder.join("similarity.dat"), &similarity)?;
    let mut plots = String::from("# gnuplot features.gp: a picture a feature\nset terminal svg\n");
    for (feature, title) in set.names().iter().enumerate() {
        let file = format!("feature-{:02}", feature + 1);
        let mut text = format!("# {title}: game, then {}\n", names.join(" "));
        for place in 0..rows {
            let _ = write!(text, "{}", histories[0].row(place).game);
            for history in histories {
                let _ = write!(text, " {}", history.row(place).weights[feature]);
            }
            text.push('\n');
        }
        put(&folder.join(format!("{file}.dat")), &text)?;
        let curves: Vec<String> = (names.iter().enumerate())
            .map(|(i, n)| format!("'{file}.dat' using 1:{} with lines title '{n}'", i + 2))
            .collect();
        let _ = write!(
            plots,
            "set output '{file}.svg'\nset title '{title}'\nset yrange [-1:1]\nplot {}\n",
            curves.join(", ")
        );
    }
    put(&folder.join("features.gp"), &plots)
}

/// Games and statistics first, then the weights.
const BEFORE_WEIGHTS: usize = 11;

fn learning(history: &History) -> String {
    let set = FeatureSet::of_len(history.features()).unwrap_or_default();
    let names: Vec<String> = set.names().iter().map(|n| n.replace(' ', "-")).collect();
    let mut text = String::from(
        "# game won drawn lost wins losses win-share delta-sum delta-max change-sum change-max ",
    );
    text.push_str(&names.join(" "));
    text.push('\n');
    let (mut wins, mut losses) = (0, 0);
    for row in history.rows() {
        wins += row.won;
        losses += row.lost;
        let share = wins as f64 / row.game.max(1) as f64;
        let _ = write!(
            text,
            "{} {} {} {} {wins} {losses} {share:.6} {} {} {} {}",
            row.game,
            row.won,
            row.drawn,
            row.lost,
            row.delta_sum,
            row.delta_max,
            row.change_sum,
            row.change_max
        );
        for weight in row.weights {
            let _ = write!(text, " {weight}");
        }
        text.push('\n');
    }
    text
}

fn learning_plots(name: &str, set: FeatureSet) -> String {
    let mut text =
        format!("# gnuplot learning.gp: the learning phase of {name}\nset terminal svg\n");
    for (title, own) in [("own", true), ("opponent", false)] {
        let curves: Vec<String> = (set.names().iter().enumerate())
            .filter(|(i, _)| FeatureSet::is_own(*i) == own)
            .map(|(i, n)| {
                let column = BEFORE_WEIGHTS + 1 + i;
                format!("'learning.dat' using 1:{column} with lines title '{n}'")
            })
            .collect();
        let _ = write!(
            text,
            "set output 'weights-{title}.svg'\nset title '{name}: weights, {title}'\n\
             set yrange [-1:1]\nplot {}\n",
            curves.join(", \\\n  ")
        );
    }
    let _ = write!(
        text,
        "set output 'wins.svg'\nset title '{name}: games won'\nset autoscale y\n\
         plot 'learning.dat' using 1:5 with lines title 'Alpha', \
         'learning.dat' using 1:6 with lines title 'Beta'\n"
    );
    text
}

fn strength_text(name: &str, polynomial: &str, strength: &Strength) -> String {
    let mut text = format!("{name} {polynomial}\n");
    for (run, share) in strength.runs.iter().enumerate() {
        let _ = writeln!(text, "run {}: {share:.1} % won", run + 1);
    }
    let _ = write!(
        text,
        "mean: {:.1} %\nstandard deviation: {:.2}\ndraws: {:.1} %\n",
        strength.mean(),
        strength.deviation(),
        strength.draws
    );
    text
}

/// Running totals of the second test: wins of the learned polynomials, of P_0, and draws, each as
/// a number and a share.
#[must_use]
pub fn running_shares(results: &[i32]) -> Vec<[f64; 6]> {
    let mut totals = [0u64; 3];
    (results.iter().enumerate())
        .map(|(i, result)| {
            totals[match result {
                1 => 0,
                -1 => 1,
                _ => 2,
            }] += 1;
            let share = |n: u64| n as f64 / (i + 1) as f64;
            let [won, lost, drawn] = totals;
            [won as f64, share(won), lost as f64, share(lost), drawn as f64, share(drawn)]
        })
        .collect()
}

fn second(results: &[i32]) -> String {
    let mut text = String::from("# learned share P_0 share draws share\n");
    for [won, ws, lost, ls, drawn, ds] in running_shares(results) {
        let _ = writeln!(text, "{won} {ws:.6} {lost} {ls:.6} {drawn} {ds:.6}");
    }
    text
}

fn second_plot(name: &str) -> String {
    format!(
        "# gnuplot second-test.gp\nset terminal svg\nset output 'second-test.svg'\n\
         set title '{name}: second test'\nset yrange [0:1]\n\
         plot 'second-test.dat' using 0:2 with lines title 'learned', \
         'second-test.dat' using 0:4 with lines title 'P_0', \
         'second-test.dat' using 0:6 with lines title 'draws'\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_test_has_six_columns_of_running_totals() {
        let text = second(&[1, -1, 0, 1]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[4], "2 0.500000 1 0.250000 1 0.250000");
        assert_eq!(lines[1], "1 1.000000 0 0.000000 0 0.000000");
    }
}

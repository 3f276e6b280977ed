//! One page a group: the plots of chapter 5 drawn again, the tables beside the figures that the
//! thesis prints.

use super::config::{GAMES, Method, Settings};
use super::experiment::History;
use super::features::FeatureSet;
use super::files::running_shares;
use super::matches::{CURVE_GAMES, Strength};
use super::measures::{Signs, deviation, deviation_of, mean, relative_similarity};
use super::printed::{self, Printed};
use super::run::{ExperimentResult, GroupResult, stretches};
use super::shown;
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};

/// Points of a curve: more would not be seen.
const POINTS: usize = 200;

/// The page of one group.
pub fn of_group(result: &GroupResult<'_>, command: &str) -> Page {
    let mut page = Page::new(format!("Othello by self-play: group {}", result.settings.group));
    page.preformatted(command);
    add_group(&mut page, result);
    page
}

/// The page of a run with all its groups.
pub fn of_run(results: &[GroupResult<'_>], command: &str) -> Page {
    if let [only] = results {
        return of_group(only, command);
    }
    let mut page = Page::new("Othello by self-play");
    page.preformatted(command);
    page.heading("All groups");
    let mut table = Table::new([
        "experiment",
        "first test, P_0",
        "P_End",
        "thesis P_0",
        "thesis P_End",
        "third test, P_0",
        "P_End",
        "thesis P_0",
        "thesis P_End",
    ])
    .caption("Games won, percent: mean of the runs");
    for e in results.iter().flat_map(|r| &r.experiments) {
        let thesis = printed::printed(&e.name);
        let told = |of: fn(&Printed) -> f64| thesis.map_or(String::new(), |p| one(of(p)));
        table.row([
            e.name.clone(),
            mean_of(&e.tested.first[0]),
            mean_of(&e.tested.first[1]),
            told(|p| mean(&p.first_start)),
            told(|p| mean(&p.first_end)),
            mean_of(&e.tested.third[0]),
            mean_of(&e.tested.third[1]),
            told(|p| p.third[0]),
            told(|p| p.third[1]),
        ]);
    }
    page.table(&table);
    for result in results {
        add_group(&mut page, result);
    }
    page
}

fn one(value: f64) -> String {
    format!("{value:.1}")
}

fn mean_of(strength: &Option<Strength>) -> String {
    strength.as_ref().map_or(String::new(), |s| one(s.mean()))
}

fn add_group(page: &mut Page, result: &GroupResult<'_>) {
    let settings = result.settings;
    page.heading(&format!("Group {}", settings.group));
    page.facts(settings.facts());
    if result.experiments.is_empty() {
        page.paragraph("Nothing has been learned yet.");
        return;
    }
    page.subheading("Play strength");
    unsure(page, result);
    first_test(page, result);
    third_test(page, result);
    curve(page, result);
    if result.experiments.len() > 1 {
        page.subheading("Similarity of the experiments");
        similarity(page, result);
    }
    page.subheading("Signs of the weights");
    signs(page, result);
    page.subheading("Learning phases");
    for e in &result.experiments {
        learning(page, settings, e);
    }
    gate(page, result);
    if result.experiments.iter().any(|e| !e.tested.second.is_empty()) {
        page.subheading("Second test: every polynomial against P_0");
        second_test(page, result);
    }
    page.folded("Every feature in all experiments", |page| per_feature(page, result));
    page.folded("Final weights", |page| final_weights(page, result));
    shown::add(page, result);
}

/// Tells of results that are left out, or that nothing vouches for.
fn unsure(page: &mut Page, result: &GroupResult<'_>) {
    let count = |of: fn(&ExperimentResult) -> usize| result.experiments.iter().map(of).sum();
    let (damaged, unproven): (usize, usize) =
        (count(|e| e.tested.damaged), count(|e| e.tested.unproven));
    if damaged > 0 {
        page.paragraph(&format!(
            "Files of test results that are damaged and left out: {damaged}. The run's command with \
             --resume plays their games again."
        ));
    }
    if unproven > 0 {
        page.paragraph(&format!(
            "Files of test results without a checksum, taken as they are: {unproven}."
        ));
    }
}

/// Does the thesis tell anything of this group's experiments?
fn is_printed(result: &GroupResult<'_>) -> bool {
    result.experiments.iter().any(|e| printed::printed(&e.name).is_some())
}

/// A caption, with the thesis's number of games where ours is another.
fn beside_thesis(caption: &str, result: &GroupResult<'_>) -> String {
    if is_printed(result) && result.settings.games != GAMES {
        let ours = result.settings.games;
        return format!("{caption}; P_End here after {ours} games, in the thesis after {GAMES}");
    }
    caption.to_string()
}

fn first_test(page: &mut Page, result: &GroupResult<'_>) {
    let runs =
        |s: &Strength| s.runs.iter().map(|r| one(*r)).collect::<Vec<_>>().join("\u{202F}\u{202F}");
    let mut header = vec!["experiment", "polynomial", "runs", "mean", "σ", "draws", "verdict"];
    let beside = is_printed(result);
    if beside {
        header.extend(["thesis: runs", "mean", "σ"]);
    }
    let caption =
        "First test: percent of games won as white against new random weights at every move";
    let mut table = Table::new(header).caption(beside_thesis(caption, result));
    for e in &result.experiments {
        let thesis = printed::printed(&e.name);
        for (i, name) in ["P_0", "P_End"].into_iter().enumerate() {
            let Some(s) = &e.tested.first[i] else { continue };
            let theirs = thesis.map(|p| if i == 0 { p.first_start } else { p.first_end }.to_vec());
            let theirs = theirs.map(|runs| Strength { runs, draws: 0.0 });
            let told = |of: &dyn Fn(&Strength) -> String| theirs.as_ref().map_or(String::new(), of);
            let verdict = match (&e.tested.first, i) {
                ([Some(start), Some(end)], 1) => start.verdict(end),
                _ => "",
            };
            let mut row = vec![
                e.name.clone(),
                name.to_string(),
                runs(s),
                one(s.mean()),
                format!("{:.2}", s.deviation()),
                one(s.draws),
                verdict.to_string(),
            ];
            if beside {
                row.extend([
                    told(&runs),
                    told(&|s| one(s.mean())),
                    told(&|s| format!("{:.2}", s.deviation())),
                ]);
            }
            table.row(row);
        }
    }
    page.table(&table);
}

fn third_test(page: &mut Page, result: &GroupResult<'_>) {
    if result.experiments.iter().all(|e| e.tested.third[1].is_none()) {
        return;
    }
    let mut header = vec!["experiment", "P_0", "P_End", "σ of P_End", "draws of P_End"];
    let beside = is_printed(result);
    if beside {
        header.extend(["thesis P_0", "thesis P_End"]);
    }
    let caption = "Third test: percent of games won as white against random moves";
    let mut table = Table::new(header).caption(beside_thesis(caption, result));
    for e in &result.experiments {
        let thesis = printed::printed(&e.name);
        let end = e.tested.third[1].as_ref();
        let mut row = vec![
            e.name.clone(),
            mean_of(&e.tested.third[0]),
            mean_of(&e.tested.third[1]),
            end.map_or(String::new(), |s| format!("{:.2}", s.deviation())),
            end.map_or(String::new(), |s| one(s.draws)),
        ];
        if beside {
            row.extend([0, 1].map(|i| thesis.map_or(String::new(), |p| one(p.third[i]))));
        }
        table.row(row);
    }
    page.table(&table);
}

fn curve(page: &mut Page, result: &GroupResult<'_>) {
    let mut places: Vec<usize> =
        result.experiments.iter().flat_map(|e| e.tested.curve.iter().map(|c| c.0)).collect();
    places.sort_unstable();
    places.dedup();
    if places.is_empty() {
        return;
    }
    let history = &result.experiments[0].history;
    let game = |p: usize| history.row(p.min(history.len() - 1)).game.to_string();
    let mut plot = Plot::new("Learning curve: first test")
        .x("learning games")
        .y("won, percent")
        .categories(std::iter::once("0".to_string()).chain(places.iter().map(|p| game(*p))));
    for e in &result.experiments {
        let start = e.tested.first[0].as_ref().map(|s| (0.0, s.mean()));
        let points = e.tested.curve.iter().filter_map(|(place, share)| {
            places.binary_search(place).ok().map(|i| ((i + 1) as f64, *share))
        });
        plot = plot.line(e.name.as_str(), start.into_iter().chain(points));
    }
    let end = places.len() as f64;
    plot = plot.guide("best of the thesis: 82.9", [(0.0, 82.9), (end, 82.9)]);
    let caption = format!(
        "Percent of games won as white against random weights, {CURVE_GAMES} games a point; the \
         games double from point to point"
    );
    page.plot_with_caption(&plot, &caption);
}

fn similarity(page: &mut Page, result: &GroupResult<'_>) {
    let games = result.experiments[0].history.last().map_or(0, |r| r.game);
    let late = |games: u64| [3, 2, 1].map(|part| games - games * part / 13);
    let header = |games: u64| {
        let mut header = vec![String::new(), "Q_0".into(), format!("Q_{games}")];
        header.push("Q / Σ|w|".into());
        header.extend(late(games).map(|s| format!("Q*_{s}")));
        header
    };
    let mut table = Table::new(header(games)).caption(
        "Q: sum over the features of the standard deviation of their weights (0 is identical); \
         Q / Σ|w|: in proportion to the final weights; Q*: its sum over the last games",
    );
    let mut ours = vec!["here".to_string()];
    ours.extend(
        [result.q.first(), result.q.last()].map(|q| q.map_or(String::new(), |q| format!("{q:.3}"))),
    );
    let last: Vec<&[f64]> =
        result.experiments.iter().filter_map(|e| e.history.last()).map(|r| r.weights).collect();
    ours.push(format!("{:.3}", relative_similarity(&last)));
    ours.extend(late(games).map(|s| format!("{:.1}", result.persistence(s))));
    table.row(ours);
    if let Some(theirs) = printed::similarity(&result.settings.group) {
        let mut row = vec!["thesis".to_string()];
        let [start, end, late @ ..] = theirs;
        row.extend([start, end].map(|q| q.to_string()));
        let weights: Vec<&[f64]> =
            printed::of_group(&result.settings.group).map(|p| &p.weights[..]).collect();
        row.push(format!("{:.3}", relative_similarity(&weights)));
        row.extend(late.map(|q| q.to_string()));
        // Figures of other games do not stand under ours.
        if games != GAMES {
            page.table(&table);
            table = Table::new(header(GAMES)).caption("The same in the thesis, at its own games");
        }
        table.row(row);
    }
    page.table(&table);
    let history = &result.experiments[0].history;
    let points =
        places(result.q.len()).into_iter().map(|p| (history.row(p).game as f64, result.q[p]));
    page.plot(
        &Plot::new("Similarity of the experiments").x("learning game").y("Q").line("Q", points),
    );
}

fn signs(page: &mut Page, result: &GroupResult<'_>) {
    let mut header = vec!["experiment", "own weights above 0", "opponent weights below 0"];
    let beside = is_printed(result);
    if beside {
        header.extend(["thesis: own", "thesis: opponent"]);
    }
    let caption = "Signs of the final weights, of 21 each";
    let mut table = Table::new(header).caption(beside_thesis(caption, result));
    for e in &result.experiments {
        let Some(last) = e.history.last() else { continue };
        let signs = Signs::of(last.weights);
        let thesis = printed::printed(&e.name).map(|p| Signs::of(&p.weights));
        let told = |of: fn(Signs) -> usize| thesis.map_or(String::new(), |s| of(s).to_string());
        let mut row = vec![
            e.name.clone(),
            signs.own_positive.to_string(),
            signs.opponent_negative.to_string(),
        ];
        if beside {
            row.extend([told(|s| s.own_positive), told(|s| s.opponent_negative)]);
        }
        table.row(row);
    }
    page.table(&table);
}

/// Evenly spread places of so many rows, the first and the last among them.
fn places(rows: usize) -> Vec<usize> {
    let mut places: Vec<usize> = if rows <= POINTS {
        (0..rows).collect()
    } else {
        (0..POINTS).map(|i| i * (rows - 1) / (POINTS - 1)).collect()
    };
    places.dedup();
    places
}

fn course(history: &History, feature: usize) -> Vec<(f64, f64)> {
    let point = |p| {
        let row = history.row(p);
        (row.game as f64, row.weights[feature])
    };
    places(history.len()).into_iter().map(point).collect()
}

fn learning(page: &mut Page, settings: &Settings, e: &ExperimentResult) {
    let names = settings.set.names();
    for (title, own) in [("own", true), ("opponent", false)] {
        let mut plot = Plot::new(format!("{}: weights, {title}", e.name))
            .x("learning game")
            .y("weight")
            .y_range(-1.0, 1.0)
            .size(760, 520);
        for (i, name) in names.iter().enumerate().filter(|(i, _)| FeatureSet::is_own(*i) == own) {
            plot = plot.line(name.as_str(), course(&e.history, i));
        }
        page.plot(&plot);
    }
    let (mut won, mut lost) = (vec![(0.0, 0.0)], vec![(0.0, 0.0)]);
    let (mut wins, mut losses) = (0, 0);
    for row in e.history.rows() {
        wins += row.won;
        losses += row.lost;
        won.push((row.game as f64, wins as f64));
        lost.push((row.game as f64, losses as f64));
    }
    let thin =
        |all: &[(f64, f64)]| places(all.len()).into_iter().map(|p| all[p]).collect::<Vec<_>>();
    page.plot(
        &Plot::new(format!("{}: games won", e.name))
            .x("learning game")
            .y("games")
            .line("Alpha", thin(&won))
            .line("Beta", thin(&lost)),
    );
    let games = e.history.last().map_or(0, |r| r.game);
    let share = 100.0 * wins as f64 / games.max(1) as f64;
    let thesis = e.name[1..].parse().ok().and_then(|n: usize| {
        printed::learning_wins(&settings.group).and_then(|w| w.get(n.wrapping_sub(1)).copied())
    });
    let thesis = thesis.map_or(String::new(), |t| format!(" (thesis: {t:.1} % of {GAMES})"));
    page.paragraph(&format!(
        "{}: Alpha won {wins} of {games} games, {share:.1} %{thesis}.",
        e.name
    ));
    let mut found = stretches(settings, &e.history);
    let longest = found.iter().map(|s| s.len()).max().unwrap_or(0);
    found.retain(|s| s.len() >= settings.stretch);
    page.paragraph(&format!(
        "Stretches of at least {} games without a win of Alpha: {} (the longest: {longest} games).",
        settings.stretch,
        found.len()
    ));
    let mut by_length = found;
    by_length.sort_by_key(|s| (std::cmp::Reverse(s.len()), s.first));
    page.list(
        by_length
            .iter()
            .take(10)
            .map(|s| format!("games {} to {}: {} without a win", s.first, s.last, s.len())),
    );
}

/// The matches at the gate, for learners that have one.
fn gate(page: &mut Page, result: &GroupResult<'_>) {
    let Method::Beyond(how) = result.settings.method else { return };
    if result.experiments.iter().all(|e| e.history.gates().len() == 0) {
        return;
    }
    page.subheading("Matches at the gate");
    let mut table = Table::new([
        "experiment",
        "matches",
        "games",
        "opened",
        "mean score",
        "lowest",
        "highest",
        "last opened after game",
    ])
    .caption(format!(
        "Averaged weights against the opponent of the learning games, percent of the points; from \
         {} on they take its place",
        one(100.0 * how.gate_score)
    ));
    let mut plot = Plot::new("Matches at the gate").x("learning game").y("points, percent");
    let mut end = 0u64;
    for e in &result.experiments {
        let gates: Vec<_> = e.history.gates().collect();
        let scores: Vec<f64> = gates.iter().map(|(_, g)| 100.0 * g.score()).collect();
        let mut opened = gates.iter().filter(|(_, g)| g.opened);
        let bound = |all: f64, of: fn(f64, f64) -> f64| one(scores.iter().copied().fold(all, of));
        if !gates.is_empty() {
            table.row([
                e.name.clone(),
                gates.len().to_string(),
                gates.iter().map(|(_, g)| g.games).sum::<u64>().to_string(),
                opened.clone().count().to_string(),
                one(mean(&scores)),
                bound(100.0, f64::min),
                bound(0.0, f64::max),
                opened.next_back().map_or(String::new(), |(game, _)| game.to_string()),
            ]);
        }
        end = end.max(gates.last().map_or(0, |(game, _)| *game));
        let point = |p: usize| (gates[p].0 as f64, scores[p]);
        plot = plot.line(e.name.as_str(), places(gates.len()).into_iter().map(point));
    }
    let opens = 100.0 * how.gate_score;
    page.table(&table);
    page.plot(&plot.guide("opens", [(0.0, opens), (end as f64, opens)]));
}

fn second_test(page: &mut Page, result: &GroupResult<'_>) {
    let mut header = vec!["experiment", "won", "lost", "drawn"];
    let beside = is_printed(result);
    if beside {
        header.push("thesis: won");
    }
    let caption = "Shares over all polynomials, percent";
    let mut table = Table::new(header).caption(beside_thesis(caption, result));
    for e in result.experiments.iter().filter(|e| !e.tested.second.is_empty()) {
        let shares = running_shares(&e.tested.second);
        let at = |p: usize, column: usize| {
            ((p + 1) as f64 * result.settings.keep_every as f64, shares[p][column])
        };
        let curve = |column| places(shares.len()).into_iter().map(move |p| (p, column));
        page.plot(
            &Plot::new(format!("{}: second test", e.name))
                .x("polynomial after game")
                .y("share so far")
                .y_range(0.0, 1.0)
                .line("learned", curve(1).map(|(p, c)| at(p, c)))
                .line("P_0", curve(3).map(|(p, c)| at(p, c)))
                .line("draws", curve(5).map(|(p, c)| at(p, c))),
        );
        if let Some([_, won, _, lost, _, drawn]) = shares.last() {
            let percent = |s: &f64| one(100.0 * s);
            let thesis = match printed::printed(&e.name) {
                Some(p) => printed::second_test(p.name),
                None => "",
            };
            let mut row = vec![e.name.clone(), percent(won), percent(lost), percent(drawn)];
            row.extend(beside.then(|| thesis.to_string()));
            table.row(row);
        }
    }
    page.table(&table);
}

fn per_feature(page: &mut Page, result: &GroupResult<'_>) {
    for (i, name) in result.settings.set.names().iter().enumerate() {
        let mut plot = Plot::new(format!("{} {name}", i + 1))
            .x("learning game")
            .y("weight")
            .y_range(-1.0, 1.0)
            .size(520, 260);
        for e in &result.experiments {
            plot = plot.line(e.name.as_str(), course(&e.history, i));
        }
        page.plot(&plot);
    }
}

fn final_weights(page: &mut Page, result: &GroupResult<'_>) {
    let mut header = vec!["".to_string(), "feature".to_string()];
    header.extend(result.experiments.iter().map(|e| e.name.clone()));
    header.push("σ".into());
    let thesis: Vec<&Printed> = printed::of_group(&result.settings.group).collect();
    header.extend(thesis.iter().map(|p| format!("thesis {}", p.name)));
    if !thesis.is_empty() {
        header.push("thesis σ".into());
    }
    let last: Vec<&[f64]> =
        result.experiments.iter().filter_map(|e| e.history.last()).map(|r| r.weights).collect();
    let mut table = Table::new(header);
    for (i, name) in result.settings.set.names().iter().enumerate() {
        let mut row = vec![(i + 1).to_string(), name.clone()];
        row.extend(last.iter().map(|w| format!("{:.4}", w[i])));
        row.push(format!("{:.4}", deviation_of(&last, i)));
        if let (false, Some(_)) = (thesis.is_empty(), thesis.first().and_then(|p| p.weights.get(i)))
        {
            let theirs: Vec<f64> = thesis.iter().map(|p| p.weights[i]).collect();
            row.extend(theirs.iter().map(|w| format!("{w:.4}")));
            row.push(format!("{:.4}", deviation(&theirs)));
        }
        table.row(row);
    }
    page.table(&table);
    if thesis.iter().any(|p| p.rebuilt) {
        page.paragraph("Row 2 (own B) of group A is lost in the print; it is rebuilt from ring 0.");
    }
}

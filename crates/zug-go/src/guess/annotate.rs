//! A game with a remark at each move: how likely was it, and what was likelier?
//!
//! The file stays as it is but for what is added to nodes of the main line: to the comment, and labels
//! on the likeliest points where the node has no mark there yet. The labels number the guesses for the
//! position before the move of the node.

use super::answer::rank_words;
use super::place::Place;
use super::story::Story;
use super::tally::{OneGame, Tally};
use crate::models;
use crate::point::Point;
use crate::policy::{self, Guess, Policy};
use crate::sgf::text::escape;
use crate::sgf::{NodeId, Property, Tree, visit_collection, write_collection};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use zug_core::study::Bounds;
use zug_core::{RecordError, Side};
use zug_learn::face::{Account, TaskError};
use zug_learn::guess::{AnnotateOrder, Annotated};

/// Adds remarks to all games of a file.
pub fn run(order: &AnnotateOrder, policy: &dyn Policy) -> Result<Annotated, TaskError> {
    let mut account = Account::default();
    let (mut text, mut games) = (String::new(), Vec::new());
    let mut failed = None;
    visit_collection(&order.bytes, Bounds::NONE, &mut |tree| {
        match annotate(order, policy, tree, games.len() + 1, &mut account) {
            Ok((tree, figures)) => {
                text.push_str(&write_collection(std::slice::from_ref(&tree)));
                games.push(figures);
            }
            Err(error) => failed = Some(error),
        }
        failed.is_none()
    });
    if let Some(error) = failed {
        return Err(error);
    }
    account.figures.insert("model".into(), json!(policy.name()));
    account.figures.insert("games".into(), Value::Array(games));
    Ok(Annotated { bytes: text.into_bytes(), account })
}

/// Adds remarks to one game, and its figures to the account.
fn annotate(
    order: &AnnotateOrder,
    policy: &dyn Policy,
    tree: Result<Tree, RecordError>,
    number: usize,
    account: &mut Account,
) -> Result<(Tree, Value), TaskError> {
    let unfit = |why: String| TaskError::Unfit(format!("{}: game {number}: {why}", order.name));
    let mut tree = tree.map_err(|e| unfit(e.to_string()))?;
    let story = Story::of_tree(&tree).map_err(|e| unfit(e.to_string()))?;
    models::check_size(policy, story.size())?;
    let sides = remark(&mut tree, &story, policy, order.top).map_err(unfit)?;
    if !order.bytes.is_ascii() && tree.root().get("CA").is_none() {
        tree.push(NodeId::ROOT, Property::new("CA", "UTF-8"));
    }
    let names =
        ["PB", "PW"].map(|key| tree.root().get(key).map(|p| p.simple_text()).unwrap_or_default());
    let _ = writeln!(account.text, "game {number}, guessed by {}:", policy.name());
    let mut figures = Map::new();
    figures.insert("game".into(), json!(number));
    let mut both = Tally::default();
    for (word, (name, tally)) in ["black", "white"].iter().zip(names.iter().zip(&sides)) {
        both.join(tally);
        let _ = writeln!(account.text, "  {}", summary(word, name, tally));
        figures.insert((*word).to_string(), player_json(name, tally));
    }
    let _ = writeln!(account.text, "  {}", summary("both", "", &both));
    figures.insert("both".into(), player_json("", &both));
    Ok((tree, Value::Object(figures)))
}

fn summary(side: &str, name: &str, tally: &Tally) -> String {
    let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
    if tally.positions == 0 {
        return format!("{side}{name}: no moves");
    }
    let share = |m| 100.0 * tally.accuracy(m).value;
    format!(
        "{side}{name}: {} moves, first guess {:.1} %, among 5 {:.1} %, among 10 {:.1} %, mean rank {:.1}, \
         log-likelihood {:.2}",
        tally.positions,
        share(1),
        share(5),
        share(10),
        tally.mean_rank().value,
        tally.log_likelihood().value
    )
}

fn player_json(name: &str, tally: &Tally) -> Value {
    let any = tally.positions > 0;
    json!({
        "name": name,
        "moves": tally.positions,
        "top1": any.then(|| tally.accuracy(1).value),
        "top5": any.then(|| tally.accuracy(5).value),
        "top10": any.then(|| tally.accuracy(10).value),
        "mean_rank": any.then(|| tally.mean_rank().value),
        "log_likelihood": any.then(|| tally.log_likelihood().value),
    })
}

/// The node of each move of the main line.
fn nodes_of_moves(tree: &Tree) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    let mut next = Some(NodeId::ROOT);
    while let Some(id) = next {
        let node = tree.node(id);
        let moves = node.properties.iter().filter(|p| matches!(p.name.as_str(), "B" | "W")).count();
        nodes.extend(std::iter::repeat_n(id, moves));
        next = node.children.first().copied();
    }
    nodes
}

fn remark(
    tree: &mut Tree,
    story: &Story,
    policy: &dyn Policy,
    top: usize,
) -> Result<[Tally; 2], String> {
    let nodes = nodes_of_moves(tree);
    let size = story.size();
    let mut guesser = policy.guesser();
    let mut sums = [OneGame::default(), OneGame::default()];
    let mut guesses: Vec<Guess> = Vec::new();
    let mut remarks = Vec::new();
    story
        .walk(&mut |step| {
            let Some(Some(played)) = step.played else { return };
            guesser.guess(step.scene, &mut guesses);
            policy::sort(&mut guesses);
            match Place::of(&guesses, played, step.scene.position) {
                Some(place) => {
                    sums[step.scene.position.to_move().index()].add(&place);
                    let words = words(&policy.name(), &guesses, played, &place, top, size);
                    let points = guesses.iter().take(top).map(|g| g.point).collect();
                    remarks.push((step.number, words, points));
                }
                None => {
                    let words = "a suicide, which is not guessed".to_string();
                    remarks.push((step.number, words, Vec::new()));
                }
            }
        })
        .map_err(|e| e.to_string())?;
    for (number, words, points) in remarks {
        if let Some(&node) = nodes.get(number - 1) {
            add_comment(tree, node, &words);
            add_labels(tree, node, &points);
        }
    }
    let tallies = sums.map(|sums| {
        let mut tally = Tally::default();
        tally.add(&sums);
        tally
    });
    let lines = [Side::First, Side::Second].map(|side| {
        let key = ["PB", "PW"][side.index()];
        let name = tree.root().get(key).map(|p| p.simple_text()).unwrap_or_default();
        summary(["black", "white"][side.index()], &name, &tallies[side.index()])
    });
    add_comment(
        tree,
        NodeId::ROOT,
        &format!("Guessed by {}:\n{}", policy.name(), lines.join("\n")),
    );
    Ok(tallies)
}

fn words(
    model: &str,
    guesses: &[Guess],
    played: Point,
    place: &Place,
    top: usize,
    size: usize,
) -> String {
    let percent = |p: f64| format!("{:.1} %", 100.0 * p);
    let rank = rank_words(place);
    let likely: Vec<String> = guesses
        .iter()
        .take(top)
        .enumerate()
        .map(|(i, g)| {
            format!("{} {} {}", i + 1, g.point.name(size), percent(f64::from(g.probability)))
        })
        .collect();
    format!(
        "{model}: {} is {rank} ({})\n{}",
        played.name(size),
        percent(place.probability),
        likely.join(", ")
    )
}

/// Adds to the comment of a node, after a blank line where there is one already.
fn add_comment(tree: &mut Tree, node: NodeId, words: &str) {
    let properties = &mut tree.node_mut(node).properties;
    match properties.iter_mut().find(|p| p.name == "C") {
        Some(comment) => {
            let old = comment.values.first().cloned().unwrap_or_default();
            let new = match old.trim_end() {
                "" => escape(words),
                // An escape at the end must not swallow the line break.
                _ => format!("{old}\n\n{}", escape(words)),
            };
            comment.values = vec![new];
        }
        None => properties.push(Property::new("C", words)),
    }
}

/// Numbers points that have no mark yet.
fn add_labels(tree: &mut Tree, node: NodeId, points: &[Point]) {
    let properties = &mut tree.node_mut(node).properties;
    let marked: Vec<String> = properties
        .iter()
        .filter(|p| matches!(p.name.as_str(), "LB" | "TR" | "SQ" | "CR" | "MA" | "SL"))
        .flat_map(|p| p.values.iter().map(|v| v.trim().chars().take(2).collect()))
        .collect();
    let labels: Vec<String> = points
        .iter()
        .enumerate()
        .map(|(i, p)| (i, [p.x(), p.y()].map(|c| char::from(b'a' + c as u8))))
        .map(|(i, letters)| (i, letters.iter().collect::<String>()))
        .filter(|(_, at)| !marked.contains(at))
        .map(|(i, at)| format!("{at}:{}", i + 1))
        .collect();
    if labels.is_empty() {
        return;
    }
    match properties.iter_mut().find(|p| p.name == "LB") {
        Some(known) => known.values.extend(labels),
        None => properties.push(Property { name: "LB".into(), values: labels }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Uniform;
    use crate::sgf::read_collection;

    fn annotated(text: &str, top: usize) -> Annotated {
        let bytes = text.as_bytes().to_vec();
        run(&AnnotateOrder { name: "x.sgf".into(), bytes, top, model: None }, &Uniform).unwrap()
    }

    #[test]
    fn everything_else_in_the_file_stays() {
        let text = "(;SZ[9]XX[odd\\]value]PB[Ann];B[ee]C[a \\] remark]LB[aa:Z](;W[cc]YY[1];B[])(;W[gg];B[ff]))";
        let out = annotated(text, 3);
        let written = String::from_utf8(out.bytes).unwrap();
        for kept in
            ["XX[odd\\]value]", "YY[1]", "(;W[gg];B[ff])", "a \\] remark\n\n", "LB[aa:Z][ba:2]"]
        {
            assert!(written.contains(kept), "{kept} in {written}");
        }
        let trees = read_collection(written.as_bytes());
        let tree = trees[0].as_ref().unwrap();
        assert_eq!(tree.len(), 6);
        let comment = tree.main_line().nth(1).unwrap().get("C").unwrap().text();
        assert!(comment.contains("E5 is guess 1 to 81 (1.2 %)"), "{comment}");
        assert!(tree.root().get("C").unwrap().text().contains("black (Ann): 1 moves"));
        // A pass is no guess.
        assert!(tree.main_line().nth(3).unwrap().get("C").is_none());
        assert_eq!(out.account.figures["games"][0]["white"]["moves"], 1);
    }

    #[test]
    fn broken_and_illegal_games_are_errors_with_their_place() {
        for (text, words) in [
            ("(;SZ[9];B[ee];W[ee])", "game 1: move 2 (white E5): the point is occupied"),
            ("(;SZ[9];B[ee])(;SZ[9];B[e", "game 2"),
            ("no game", "game 1"),
        ] {
            let order = AnnotateOrder {
                name: "x.sgf".into(),
                bytes: text.as_bytes().to_vec(),
                top: 3,
                model: None,
            };
            let said = run(&order, &Uniform).unwrap_err().to_string();
            assert!(said.contains(words) && said.contains("x.sgf"), "{said}");
        }
    }
}

//! `zug book show`.

use super::{counted, line_of, open};
use crate::cli::{BookShowArgs, DrawsWord};
use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;
use zug_book::{Advice, Chance, Draws, MoveInfo, Node, Standing, Values, advise, every_move};

/// A chance for programs.
pub(super) fn in_json(chance: Chance) -> Value {
    match chance {
        Chance::Estimate(hundredths) => {
            json!({ "kind": "estimate", "value": f64::from(hundredths) / 100.0 })
        }
        Chance::Won(end) => json!({ "kind": "won", "by": end.margin, "proven": end.proven }),
        Chance::Lost(end) => json!({ "kind": "lost", "by": end.margin, "proven": end.proven }),
    }
}

pub(super) fn standing_word(standing: Standing) -> &'static str {
    match standing {
        Standing::Won => "won",
        Standing::Drawn => "drawn",
        Standing::Open => "open",
        Standing::Lost => "lost",
    }
}

pub fn run(args: &BookShowArgs) -> Result<ExitCode> {
    let (entry, places, book) = open(&args.book, &args.game)?;
    let line = line_of(&entry, &args.position)?;
    let key = places.key(&*line);
    let draws = match args.draws {
        DrawsWord::Neutral => Draws::Neutral,
        DrawsWord::Avoid => Draws::LostFor(line.to_move()),
    };
    let values = Values::of(&book, draws);
    let node = book.get(key);
    let moves = every_move(&book, &values, &places, &*line);
    let advice = advise(&book, &values, &places, &*line);
    let name = book.names.name_of(&places, &*line);
    let mut out = std::io::stdout().lock();
    if args.json {
        let told = json!({
            "game": book.spec(),
            "position": line.position_text(),
            "to_move": line.side_name(line.to_move()),
            "in_book": node.is_some(),
            "name": name,
            "games": node.map(|n| n.games),
            "wins": node.map(|n| n.wins),
            "draws": node.map(|n| n.draws),
            "losses": node.map(|n| n.losses()),
            "unknown": node.map(|n| n.unknown),
            "open": node.is_some_and(Node::is_open),
            "tree": values.tree(key),
            "standing": values.standing(key).map(standing_word),
            "chance": values.chance(key).map(in_json),
            "result": node.and_then(|n| n.result()).map(|r| json!({ "value": r.value, "exact": r.exact })),
            "alternative": node.and_then(|n| n.alternative()).map(|a| json!({
                "move": a.mv, "value": in_json(a.value), "depth": a.depth,
            })),
            "choice": match &advice {
                Advice::Play(found) => json!({
                    "move": found.mv,
                    "from": format!("{:?}", found.from).to_lowercase(),
                    "chance": found.chance.map(in_json),
                }),
                Advice::Search(only) => json!({ "search": only }),
                Advice::Unknown => Value::Null,
            },
            "moves": moves.iter().map(move_json).collect::<Vec<_>>(),
            "book": { "positions": book.len(), "games": book.games() },
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (positions, games) = (counted(book.len(), "position"), counted(book.games(), "game"));
    writeln!(out, "{}: {positions} of {games}", book.spec())?;
    writeln!(out, "{}", line.position_text())?;
    if let Some(name) = name {
        writeln!(out, "{name}")?;
    }
    let Some(node) = node else {
        writeln!(out, "not in the book")?;
        return Ok(ExitCode::SUCCESS);
    };
    let how = match values.standing(key) {
        Some(Standing::Open) => "neither won nor lost",
        standing => standing.map_or("unknown", standing_word),
    };
    let chance = values.chance(key).map_or(String::new(), |c| format!(", chance {c}"));
    let unknown = match node.unknown {
        0 => String::new(),
        unknown => format!(", {unknown} of unknown result"),
    };
    writeln!(
        out,
        "{} to move: {how}{chance}; {} games: {} won, {} drawn, {} lost{unknown}",
        line.side_name(line.to_move()),
        node.games,
        node.wins,
        node.draws,
        node.losses()
    )?;
    write_moves(&mut out, &moves)?;
    match advice {
        Advice::Play(found) => writeln!(out, "the book plays {}", found.mv)?,
        Advice::Search(only) => {
            writeln!(out, "all that was played loses; to be searched: {}", only.join(" "))?;
        }
        Advice::Unknown => writeln!(out, "the book says nothing here")?,
    }
    Ok(ExitCode::SUCCESS)
}

fn move_json(m: &MoveInfo) -> Value {
    json!({
        "move": m.mv,
        "games": m.games,
        "wins": m.wins,
        "draws": m.draws,
        "losses": m.losses,
        "tree": m.tree,
        "standing": m.standing.map(standing_word),
        "chance": m.chance.map(in_json),
        "alternative_depth": m.alternative,
        "weight": m.weight,
        "candidate": m.candidate,
    })
}

fn write_moves(out: &mut impl Write, moves: &[MoveInfo]) -> Result<()> {
    let mut known: Vec<&MoveInfo> = moves.iter().filter(|m| m.chance.is_some()).collect();
    known.sort_by_key(|m| std::cmp::Reverse((m.candidate, m.chance)));
    if known.is_empty() {
        return Ok(());
    }
    writeln!(out, "{:<8}{:>7}  {:<22}{:<9}what", "move", "games", "chance", "tree")?;
    for m in known {
        let chance = m.chance.map_or(String::new(), |c| c.to_string());
        let tree = match m.tree {
            Some(_) if m.standing == Some(Standing::Open) => "open".to_string(),
            Some(points) => format!("{points:+}"),
            None => String::new(),
        };
        let what = m.alternative.map_or(String::new(), |d| format!("alternative, depth {d}"));
        let line = format!("{:<8}{:>7}  {chance:<22}{tree:<9}{what}", m.mv, m.games);
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

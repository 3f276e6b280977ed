//! The analysis of games as one page that needs nothing else.

use super::account::word;
use super::game::{Analysed, Setting, points};
use zug_book::review::{Step, Sure};
use zug_core::Side;
use zug_learn::board::{self, Pointed};
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};

/// The page of all analysed games.
pub fn html(setting: &Setting, games: &[Analysed]) -> String {
    let title = match games {
        [one] => format!("{}: {}", setting.title, one.heading()),
        many => format!("{}: {} games", setting.title, many.len()),
    };
    let mut page = Page::new(title);
    page.paragraph(&format!(
        "Analysed by {}, {}. Values are in {}; a number without decimals is exact, one with decimals \
         is an estimate. A move is an error when it costs at least {} {unit}, and a blunder from {} on \
         or when it provably loses a won game.",
        setting.player,
        setting.limits,
        setting.scale.unit(),
        points(setting.grading.error),
        points(setting.grading.blunder),
        unit = setting.unit(),
    ));
    for game in games {
        add(&mut page, setting, game, games.len() > 1);
    }
    page.html()
}

fn add(page: &mut Page, setting: &Setting, game: &Analysed, many: bool) {
    if many {
        page.heading(&game.heading());
    }
    let mut facts: Vec<(String, String)> = game.tags.clone();
    facts.push(("Result".into(), game.result.clone()));
    if let Some(ply) = game.exact_from() {
        facts.push(("Exact".into(), format!("from move {} to the end", ply + 1)));
    }
    page.facts(facts);
    page.table(&summary(setting, game));
    page.plot_with_caption(&graph(setting, game), &format!(
        "The value of the game after each move, for {}. Errors and blunders are marked after the move.",
        setting.sides[0]
    ));
    let bad: Vec<&Step> = game.steps.iter().filter(|s| word(s).is_some()).collect();
    if many {
        page.subheading("Errors");
    } else {
        page.heading("Errors");
    }
    if bad.is_empty() {
        page.paragraph("No move cost as much as an error.");
    }
    for step in bad {
        error(page, setting, game, step);
    }
    if !many {
        page.heading("All moves");
    }
    page.folded("All moves with their values", |page| page.table(&moves(setting, game)));
}

fn summary(setting: &Setting, game: &Analysed) -> Table {
    let unit = setting.unit();
    let mut table = Table::new([
        "side".to_string(),
        format!("{unit} lost"),
        "of these exact".into(),
        "errors".into(),
        "blunders".into(),
        "moves with a choice".into(),
        "accuracy".into(),
    ]);
    for (side, account) in setting.sides.iter().zip(&game.accounts) {
        table.row([
            side.to_string(),
            points(account.lost),
            points(account.lost_exactly),
            account.errors.to_string(),
            account.blunders.to_string(),
            account.moves.to_string(),
            account.accuracy().map_or("–".into(), |a| format!("{a:.0}%")),
        ]);
    }
    table
}

fn graph(setting: &Setting, game: &Analysed) -> Plot {
    // The value after a move, for the first side.
    let value = |step: &Step| {
        let points = step.played.points(setting.most());
        (step.ply as f64 + 1.0, if step.side == Side::First { points } else { -points })
    };
    let mut exact: Vec<(f64, f64)> = Vec::new();
    let mut estimated: Vec<(f64, f64)> = Vec::new();
    for step in &game.steps {
        if step.played.sure == Sure::Exact {
            // The two parts of the curve meet.
            if exact.is_empty() {
                estimated.push(value(step));
            }
            exact.push(value(step));
        } else {
            estimated.push(value(step));
        }
    }
    let marked = |side: Side, name: &'static str| {
        let steps = game.steps.iter();
        steps
            .filter(move |s| s.side == side && word(s) == Some(name))
            .map(value)
            .collect::<Vec<_>>()
    };
    let (from, to) = (game.start_ply as f64, game.end_ply as f64);
    let mut plot = Plot::new(format!("Value for {}", setting.sides[0]))
        .x("move")
        .y(setting.scale.unit())
        .guide("even", [(from, 0.0), (to, 0.0)]);
    for (name, points) in [("estimated", estimated), ("exact", exact)] {
        if !points.is_empty() {
            plot = plot.line(name, points);
        }
    }
    for side in Side::BOTH {
        for name in ["error", "blunder"] {
            let points = marked(side, name);
            if !points.is_empty() {
                plot = plot.points(format!("{name} of {}", setting.sides[side.index()]), points);
            }
        }
    }
    plot
}

fn error(page: &mut Page, setting: &Setting, game: &Analysed, step: &Step) {
    let word = word(step).unwrap_or("move");
    let side = setting.sides[step.side.index()];
    let approximately = if step.is_exact() { "" } else { "about " };
    page.subheading(&format!(
        "Move {}: {side} plays {} — {word}, {approximately}{} {}",
        step.ply + 1,
        step.mv,
        points(step.loss),
        setting.unit()
    ));
    if let Some(thrown) = step.thrown {
        page.paragraph(&format!("This throws {} away.", thrown.word()));
    }
    let line = game.before(step.ply);
    let pointed = Pointed {
        played: line.move_cells(&step.mv).unwrap_or_default(),
        best: line.move_cells(step.best()).unwrap_or_default(),
    };
    let about = format!("The board before move {}", step.ply + 1);
    let caption = format!(
        "Before the move, {side} to move. Red: played. Green, dashed: best. {}",
        line.position_text()
    );
    page.drawing(&board::svg(&line.picture(), &pointed, &about), &caption);
    let mut facts = vec![
        ("Played".to_string(), format!("{} ({})", step.mv, setting.text(step.played, step.side))),
        (
            "Best".to_string(),
            format!("{} ({})", step.best(), setting.text(step.before.worth, step.side)),
        ),
        ("Best line".to_string(), step.before.line.join(" ")),
    ];
    for (worth, line) in step.before.others.iter().take(setting.lines) {
        facts.push((format!("Also ({})", setting.text(*worth, step.side)), line.join(" ")));
    }
    page.facts(facts);
}

fn moves(setting: &Setting, game: &Analysed) -> Table {
    let mut table =
        Table::new(["move", "side", "played", "value", "best", "its value", "lost", "depth", ""]);
    for step in &game.steps {
        table.row([
            (step.ply + 1).to_string(),
            setting.sides[step.side.index()].to_string(),
            step.mv.clone(),
            setting.text(step.played, step.side),
            step.best().to_string(),
            setting.text(step.before.worth, step.side),
            points(step.loss),
            step.before.depth.to_string(),
            word(step).unwrap_or("").to_string(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_learn::markup::check;

    #[test]
    fn boards_of_every_game_are_well_formed_drawings() {
        for family in crate::registry::families() {
            let entry = crate::registry::open(family.name).unwrap();
            let line = entry.game.new_line();
            let mv = line.legal_moves().into_iter().next().unwrap();
            let cells = line.move_cells(&mv).unwrap();
            let pointed = Pointed { played: cells.clone(), best: cells };
            let drawing = board::svg(&line.picture(), &pointed, "before <the> move");
            assert_eq!(check(&drawing), Ok(()), "{}", family.name);
        }
    }
}

//! A judged game for others to read: as one page that needs nothing else, or as a file of the game's own
//! format with what was found in it as marks, remarks and variations.
//!
//! What `/judge` said comes back with the request, so a report says what its reader saw, at once.

use super::asked::{Asked, Few, from_objects};
use super::error::Refusal;
use super::judge::Judged;
use super::site::{Kind, Site};
use super::tree::{StudyRequest, begin, result_text, shown_study};
use super::value::{Kind as Sure, Value};
use super::view::MOST_MOVES;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::sync::Arc;
use zug_core::study::{ROOT, Step};
use zug_core::{GameEntry, Mark, Side, Study, commands};
use zug_learn::board::{self, Pointed};
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};

/// A judged game is no larger. What is written of it is several times as large.
const MOST_REPORT: usize = 1 << 20;
/// Plies of a better line that are told.
const PLIES: usize = 8;
/// Boards that are drawn; a game with more bad moves is better studied at the board.
const MOST_BOARDS: usize = 60;
/// No value and no loss is larger.
const MOST_VALUE: f64 = 1e6;

/// `POST /report`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct ReportRequest {
    game: String,
    record: StudyRequest,
    /// What `/judge` said, in any order.
    #[serde(default)]
    judged: Few<Judged, { MOST_MOVES + 1 }>,
    /// `HTML`, or the name of a format of the game.
    #[serde(default)]
    format: Option<String>,
    /// How it was judged, in words: "zug, 0.3 s a move".
    #[serde(default)]
    by: Option<String>,
}

from_objects!(ReportRequest);

pub async fn report(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<ReportRequest, MOST_REPORT>,
) -> Result<Response, Refusal> {
    let entry = site.open(&request.game)?;
    let work = move || written(&entry, request);
    let (bytes, kind, ending) = site.engines.work(work).await??;
    let headers = [
        (header::CONTENT_TYPE, kind.to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"report.{ending}\"")),
    ];
    Ok((headers, bytes).into_response())
}

fn written(
    entry: &Arc<GameEntry>,
    request: ReportRequest,
) -> Result<(Vec<u8>, &'static str, &'static str), Refusal> {
    let study = request.record.study(entry).map_err(|refusal| refusal.within("record"))?;
    let found = Found::new(entry, study, request.judged.0, request.by)?;
    let wanted = request.format.as_deref().unwrap_or("HTML");
    if wanted.eq_ignore_ascii_case("html") {
        return Ok((found.page().into_bytes(), "text/html; charset=utf-8", "html"));
    }
    let format = entry.formats.iter().find(|f| f.name().eq_ignore_ascii_case(wanted));
    let Some(format) = format else {
        let names: Vec<&str> = entry.formats.iter().map(|f| f.name()).collect();
        let message = format!("expected HTML or one of {}, found '{wanted}'", names.join(", "));
        return Err(Refusal::bad(message).at("format"));
    };
    let bytes = format.write_studies(&[found.annotated()]).map_err(Refusal::bad)?;
    let ending = format.extensions().first().copied().unwrap_or("txt");
    Ok((bytes, "application/octet-stream", ending))
}

/// A game, and what was found in it.
struct Found<'a> {
    entry: &'a GameEntry,
    study: Study,
    /// The same with its moves as people write them.
    shown: Study,
    /// The main line.
    main: Vec<usize>,
    /// Who moves at each ply of it.
    movers: Vec<Side>,
    /// What was said of each ply, as far as something was.
    judged: Vec<Option<Judged>>,
    by: Option<String>,
    /// Boards before bad moves, by ply.
    boards: Vec<(usize, String)>,
}

impl<'a> Found<'a> {
    fn new(
        entry: &'a GameEntry,
        study: Study,
        said: Vec<Judged>,
        by: Option<String>,
    ) -> Result<Found<'a>, Refusal> {
        let main: Vec<usize> = study.main_nodes().collect();
        let mut judged = vec![None; main.len() + 1];
        for (i, one) in said.into_iter().enumerate() {
            one.check().map_err(|refusal| refusal.within(&format!("judged[{i}]")))?;
            let ply = one.ply.size();
            let Some(place) = judged.get_mut(ply) else {
                let message = format!("expected plies up to {}, found {ply}", main.len());
                return Err(Refusal::bad(message).at("judged"));
            };
            *place = Some(one);
        }
        let mut line = begin(entry, &study.head)?;
        let (mut movers, mut boards) = (Vec::new(), Vec::new());
        for (ply, &id) in main.iter().enumerate() {
            movers.push(line.to_move());
            let mv = &study.nodes()[id].text;
            let bad = judged[ply].as_ref().filter(|j| j.mark().is_some());
            if let Some(bad) = bad.filter(|_| boards.len() < MOST_BOARDS) {
                let cells = |mv: Option<&str>| {
                    mv.and_then(|mv| line.move_cells(mv).ok()).unwrap_or_default()
                };
                let pointed = Pointed { played: cells(Some(mv)), best: cells(bad.best.as_deref()) };
                let about = format!("The board before move {}", ply + 1);
                boards.push((ply, board::svg(&line.picture(), &pointed, &about)));
            }
            line.play(mv).map_err(Refusal::bad)?;
        }
        let shown = shown_study(entry, &study)?;
        Ok(Found { entry, study, shown, main, movers, judged, by, boards })
    }

    fn kind(&self) -> Kind {
        Kind::of(&self.entry.game.spec())
    }

    /// The game with its marks, and with what would have been better.
    fn annotated(&self) -> Study {
        let mut study = self.study.clone();
        for (ply, &id) in self.main.iter().enumerate() {
            let parent = study.nodes()[id].parent();
            let mut remarks = Vec::new();
            if let (Kind::Chess, Some(after)) = (self.kind(), self.after(ply)) {
                remarks.extend(evaluation(after, self.to_move(ply + 1)));
            }
            if let Some(bad) = self.judged[ply].as_ref().filter(|j| j.mark().is_some()) {
                remarks.push(self.told(ply, bad));
                let node = study.node_mut(id);
                node.mark = node.mark.or(bad.mark());
                add_line(&mut study, parent, &bad.line.0);
            }
            // Judging a report anew must not say everything twice.
            for remark in remarks {
                let comment = study.nodes()[id].comment.clone().unwrap_or_default();
                let is_value = remark.starts_with(EVAL);
                let kept = commands::take(&comment, |c| is_value && c.name == "eval");
                if !kept.contains(&remark) {
                    study.node_mut(id).comment = (!kept.is_empty()).then_some(kept);
                    study.say(id, &remark);
                }
            }
        }
        study
    }

    fn to_move(&self, ply: usize) -> Side {
        let last = self.movers.last().map_or(Side::First, |side| side.other());
        self.movers.get(ply).copied().unwrap_or(last)
    }

    /// The value after the move of this ply.
    fn after(&self, ply: usize) -> Option<&Value> {
        self.judged.get(ply + 1)?.as_ref()?.value.as_ref()
    }

    /// "blunder: 32 % of the chances lost; better Nf3 (+0.35)".
    fn told(&self, ply: usize, bad: &Judged) -> String {
        let word = bad.mark().map_or("", word);
        let lost = bad.loss.unwrap_or(0.0);
        let mut text = match self.counts_discs() {
            true => format!("{word}: {lost:.1} discs lost"),
            false => format!("{word}: {:.0} % of the chances lost", 100.0 * lost),
        };
        if let Some(best) = &bad.best_text {
            let value = bad.value.as_ref().map_or_else(String::new, |v| format!(" ({})", v.text));
            text.push_str(&format!("; better {best}{value}"));
        }
        if let (false, Some(after)) = (self.kind() == Kind::Chess, self.after(ply)) {
            // Where only the winner is proven, the words say who that is.
            let whose = if after.number.is_some() { " for the opponent" } else { "" };
            text.push_str(&format!("; after it {}{whose}", after.text));
        }
        text
    }

    /// Are losses discs? Otherwise they are chances to win.
    fn counts_discs(&self) -> bool {
        self.judged.iter().flatten().any(|j| j.unit.as_deref() == Some("discs"))
    }

    /// A loss in a table, where the head says of what.
    fn loss(&self, loss: f64) -> String {
        if self.counts_discs() { format!("{loss:.1}") } else { format!("{:.1} %", 100.0 * loss) }
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.entry.game.side_name(side)
    }

    fn page(&self) -> String {
        let head = &self.study.head;
        let names = Side::BOTH.map(|side| {
            let word = self.side_name(side);
            let tag = word[..1].to_uppercase() + &word[1..];
            head.tag(&tag).filter(|name| !name.is_empty()).map(ToString::to_string)
        });
        let title = match &names {
            [None, None] => self.entry.game.title(),
            [a, b] => {
                let name = |n: &Option<String>| n.clone().unwrap_or_else(|| "?".into());
                format!("{}: {} – {}", self.entry.game.title(), name(a), name(b))
            }
        };
        let mut page = Page::new(title);
        let mut facts: Vec<(String, String)> = head.tags.clone();
        if let Some(result) = self.result() {
            facts.push(("Result".into(), result));
        }
        facts.extend(head.start.clone().map(|start| ("Start".to_string(), start)));
        facts.extend(self.by.clone().map(|by| ("Judged by".to_string(), by)));
        page.facts(facts);
        if self.judged.iter().flatten().any(|j| j.value.is_some()) {
            page.table(&self.summary());
            page.plot_with_caption(&self.curve(), &format!(
                "The estimated chances of {} after each move. Bad moves are marked where they led.",
                self.side_name(Side::First)
            ));
            page.heading("Bad moves");
            self.bad_moves(&mut page);
        }
        page.heading("The game");
        page.paragraph(&self.text());
        page.heading("All moves");
        page.folded("All moves with their values", |page| page.table(&self.moves()));
        page.html()
    }

    fn result(&self) -> Option<String> {
        let text = result_text(&self.study.head.result)?;
        Some(match text.split_at_checked(1) {
            Some(("0", by)) => format!("{} won{by}", self.side_name(Side::First)),
            Some(("1", by)) => format!("{} won{by}", self.side_name(Side::Second)),
            _ => text,
        })
    }

    fn summary(&self) -> Table {
        let lost = if self.counts_discs() { "discs lost a move" } else { "chances lost a move" };
        let header = ["side", "blunders", "mistakes", "inaccuracies", lost];
        let mut table = Table::new(header);
        for side in Side::BOTH {
            let own: Vec<&Judged> = (0..self.main.len())
                .filter(|&ply| self.movers[ply] == side)
                .filter_map(|ply| self.judged[ply].as_ref())
                .collect();
            let count = |mark| own.iter().filter(|j| j.mark() == Some(mark)).count().to_string();
            let losses: Vec<f64> = own.iter().filter_map(|j| j.loss).collect();
            let mean = losses.iter().sum::<f64>() / losses.len().max(1) as f64;
            table.row([
                self.side_name(side).to_string(),
                count(Mark::Blunder),
                count(Mark::Mistake),
                count(Mark::Doubtful),
                self.loss(mean),
            ]);
        }
        table
    }

    fn curve(&self) -> Plot {
        let chance = |ply: usize| {
            let value = self.judged.get(ply)?.as_ref()?.value.as_ref()?;
            Some((ply as f64, 100.0 * value.chance))
        };
        let mut plot = Plot::new(format!("Chances of {}", self.side_name(Side::First)))
            .x("ply")
            .y("%")
            .x_range(0.0, self.main.len().max(1) as f64)
            .y_range(0.0, 100.0)
            .line("chances", (0..self.judged.len()).filter_map(chance));
        for (mark, name) in [(Mark::Blunder, "blunders"), (Mark::Mistake, "mistakes")] {
            let bad = |ply: &usize| self.judged[*ply].as_ref().and_then(Judged::mark) == Some(mark);
            let points: Vec<_> =
                (0..self.main.len()).filter(bad).filter_map(|ply| chance(ply + 1)).collect();
            if !points.is_empty() {
                plot = plot.points(name, points);
            }
        }
        plot
    }

    fn bad_moves(&self, page: &mut Page) {
        page.paragraph(if self.boards.is_empty() {
            "No move gave much away."
        } else {
            "The move that was played has a red frame, the better one a dashed green one."
        });
        for (ply, drawing) in &self.boards {
            let Some(bad) = &self.judged[*ply] else { continue };
            let sign = bad.mark().map_or("", Mark::sign);
            page.subheading(&format!("{}{}{sign}", self.number(*ply), self.move_text(*ply)));
            let line: Vec<&str> = bad.texts.0.iter().take(PLIES).map(String::as_str).collect();
            let line = match line.as_slice() {
                [] => String::new(),
                some => format!(" ({})", some.join(" ")),
            };
            page.drawing(drawing, &format!("{}{line}.", self.told(*ply, bad)));
        }
    }

    /// "12. " or "12… ": moves are counted in pairs, from the first side's.
    fn number(&self, ply: usize) -> String {
        number(ply + usize::from(self.movers.first() == Some(&Side::Second)))
    }

    fn move_text(&self, ply: usize) -> &str {
        &self.shown.nodes()[self.main[ply]].text
    }

    fn moves(&self) -> Table {
        let lost = if self.counts_discs() { "discs lost" } else { "chances lost" };
        let header = ["move", "side", "played", "value before", "better", lost, "remark"];
        let mut table = Table::new(header);
        for (ply, &id) in self.main.iter().enumerate() {
            let judged = self.judged[ply].as_ref();
            let better =
                judged.filter(|j| j.best.as_deref() != Some(&*self.study.nodes()[id].text));
            let own = self.study.nodes()[id].mark.map_or("", Mark::sign);
            let sign = judged.and_then(Judged::mark).map_or(own, Mark::sign);
            table.row([
                (ply + 1).to_string(),
                self.side_name(self.movers[ply]).to_string(),
                format!("{}{sign}", self.move_text(ply)),
                judged.and_then(|j| j.value.as_ref()).map_or_else(String::new, |v| v.text.clone()),
                better.and_then(|j| j.best_text.clone()).unwrap_or_default(),
                judged.and_then(|j| j.loss).map_or_else(String::new, |l| self.loss(l)),
                spoken(self.study.nodes()[id].comment.as_ref()).unwrap_or_default(),
            ]);
        }
        table
    }

    /// The game as people write it, with remarks in braces and variations in brackets.
    fn text(&self) -> String {
        let offset = usize::from(self.movers.first() == Some(&Side::Second));
        let mut words: Vec<String> = Vec::new();
        let root = spoken(self.shown.nodes()[ROOT].comment.as_ref());
        words.extend(root.map(|comment| format!("{{{comment}}}")));
        // The next ply of each variation that is open, and whether its number must be told.
        let mut plies = vec![(offset, true)];
        let mut front = "";
        let _ = self.shown.walk(|step| {
            let (ply, tell) = plies.last().copied().unwrap_or((0, true));
            match step {
                Step::Move(_, node) => {
                    let number = if tell || ply % 2 == 0 { number(ply) } else { String::new() };
                    let sign = node.mark.map_or("", Mark::sign);
                    words.push(format!("{front}{number}{}{sign}", node.text));
                    let comment = spoken(node.comment.as_ref());
                    front = "";
                    plies.pop();
                    plies.push((ply + 1, comment.is_some()));
                    words.extend(comment.map(|c| format!("{{{c}}}")));
                }
                Step::Open(_) => {
                    front = "(";
                    plies.push((ply.saturating_sub(1), true));
                }
                Step::Close => {
                    if let Some(last) = words.last_mut() {
                        last.push(')');
                    }
                    plies.pop();
                    if let Some(outer) = plies.last_mut() {
                        outer.1 = true;
                    }
                }
            }
            Ok::<(), ()>(())
        });
        if words.is_empty() { "No moves.".to_string() } else { words.join(" ") }
    }
}

fn number(ply: usize) -> String {
    format!("{}{} ", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "…" })
}

fn word(mark: Mark) -> &'static str {
    match mark {
        Mark::Blunder => "blunder",
        Mark::Mistake => "mistake",
        _ => "inaccuracy",
    }
}

/// A better line as a variation, as far as it is not there already.
fn add_line(study: &mut Study, parent: usize, line: &[String]) {
    let mut at = parent;
    for mv in line.iter().take(PLIES) {
        let known = study.children(at).find(|&child| *study.nodes()[child].text == **mv);
        at = match known {
            Some(child) => child,
            None => study.add(at, mv.clone()),
        };
    }
}

/// How chess programs begin a value inside a remark.
const EVAL: &str = "[%eval ";

/// What is said for people.
fn spoken(comment: Option<&String>) -> Option<String> {
    let words = commands::take(comment?, |_| true);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}

/// The value as chess programs exchange it: pawns, or moves to mate, for White.
fn evaluation(value: &Value, to_move: Side) -> Option<String> {
    let sign = if to_move == Side::First { 1.0 } else { -1.0 };
    match (value.kind, value.plies) {
        (Sure::Won, Some(plies)) if plies > 0 => {
            Some(format!("{EVAL}#{}]", sign * f64::from(plies.div_ceil(2))))
        }
        (Sure::Lost, Some(plies)) if plies > 0 => {
            Some(format!("{EVAL}#{}]", -sign * f64::from(plies.div_ceil(2))))
        }
        (Sure::Estimate | Sure::Draw, _) => {
            // No "-0.00".
            Some(format!("{EVAL}{:.2}]", sign * value.number? + 0.0))
        }
        _ => None,
    }
}

impl Judged {
    /// A page may send what it likes, but a report must make sense of it.
    fn check(&self) -> Result<(), Refusal> {
        let within = |number: f64, least: f64, most: f64, place: &str| {
            let bad = || format!("expected a number from {least} to {most}, found {number}");
            if (least..=most).contains(&number) {
                Ok(())
            } else {
                Err(Refusal::bad(bad()).at(place))
            }
        };
        if let Some(value) = &self.value {
            within(value.chance, 0.0, 1.0, "value.chance")?;
            within(value.number.unwrap_or(0.0), -MOST_VALUE, MOST_VALUE, "value.number")?;
        }
        within(self.loss.unwrap_or(0.0), 0.0, MOST_VALUE, "loss")?;
        let known = |word: &Option<String>, among: &[&str], place: &str| {
            let is_known = word.as_ref().is_none_or(|word| among.contains(&word.as_str()));
            let bad = || Refusal::bad(format!("expected one of {}", among.join(", "))).at(place);
            if is_known { Ok(()) } else { Err(bad()) }
        };
        known(&self.mark, &["?!", "?", "??"], "mark")?;
        known(&self.unit, &["discs", "chance"], "unit")
    }

    /// Its mark, if it is one that is known.
    pub fn mark(&self) -> Option<Mark> {
        self.mark.as_deref().and_then(Mark::from_sign)
    }
}

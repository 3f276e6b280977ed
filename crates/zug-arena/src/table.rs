//! A report as text for people.

use crate::report::MatchReport;
use crate::stats::{SprtDecision, Summary};
use std::fmt::Write;

/// Several lines, the last one ended.
pub(crate) fn render(report: &MatchReport) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(&mut out, report);
    out
}

fn write_report(out: &mut String, report: &MatchReport) -> std::fmt::Result {
    let state = if report.complete { "" } else { " (not finished)" };
    writeln!(out, "{}, {} of {} games{state}", report.game, report.played, report.planned)?;
    let widest = |names: &mut dyn Iterator<Item = &String>| {
        names.map(|n| n.chars().count()).max().unwrap_or(0)
    };
    for encounter in &report.encounters {
        let who = format!("{} against {}", encounter.player, encounter.opponent);
        write_summary(out, &who, &encounter.summary)?;
    }
    if report.players.len() > 2 {
        let width = widest(&mut report.players.iter());
        writeln!(out, "\n{:width$}  rating  error  games  score", "player")?;
        for r in &report.ratings {
            let mark = if r.bounded { "*" } else { "" };
            writeln!(
                out,
                "{:width$} {:+7.0} {:6.0} {:6} {:5.1}%{mark}",
                r.player,
                r.rating,
                r.error_95,
                r.games,
                r.score * 100.0
            )?;
        }
        if report.ratings.iter().any(|r| r.bounded) {
            writeln!(out, "* someone won or lost everything: ratings are bounds")?;
        }
    }
    if let Some(sprt) = &report.sprt {
        let verdict = match sprt.decision {
            SprtDecision::Continue => "undecided",
            SprtDecision::AcceptH0 => "H0 accepted",
            SprtDecision::AcceptH1 => "H1 accepted",
        };
        writeln!(
            out,
            "SPRT {:+} to {:+}: {verdict}, log-likelihood ratio {:.2} in [{:.2}, {:.2}]",
            sprt.test.elo0, sprt.test.elo1, sprt.llr, sprt.lower, sprt.upper
        )?;
    }
    let ends: Vec<String> =
        report.terminations.iter().map(|(k, v)| format!("{v} {}", k.replace('_', " "))).collect();
    if !ends.is_empty() {
        writeln!(out, "ends: {}", ends.join(", "))?;
    }
    if !report.learners.is_empty() {
        writeln!(
            out,
            "played one after the other, since {} learns; score of {} in tenths of the match: {}",
            report.learners.join(", "),
            report.players[0],
            tenths(&report.course)
        )?;
    }
    for incident in report.incidents.iter().take(10) {
        writeln!(out, "game {}: {}: {}", incident.game, incident.player, incident.detail)?;
    }
    if report.incidents.len() > 10 {
        writeln!(out, "… and {} more", report.incidents.len() - 10)?;
    }
    Ok(())
}

/// `20 % 35 % …`: how the score went along.
fn tenths(course: &[u8]) -> String {
    let part = course.len().div_ceil(10).max(1);
    let percent = |games: &[u8]| {
        let half_points: usize = games.iter().map(|&p| usize::from(p)).sum();
        format!("{:.0} %", 50.0 * half_points as f64 / games.len() as f64)
    };
    course.chunks(part).map(percent).collect::<Vec<_>>().join(" ")
}

/// `+12 =3 -5, Elo +127.0 ± 120.3`
pub(crate) fn one_line(s: &Summary) -> String {
    let elo = elo_words(s).map_or(String::new(), |elo| format!(", Elo {elo}"));
    format!("+{} ={} -{}{elo}", s.wins, s.draws, s.losses)
}

fn elo_words(s: &Summary) -> Option<String> {
    Some(match (s.elo, s.elo_error_95, s.elo_low, s.elo_high) {
        (Some(elo), Some(error), _, _) => format!("{elo:+.1} ± {error:.1}"),
        (Some(elo), None, Some(low), None) => format!("{elo:+.1}, at least {low:+.1}"),
        (Some(elo), None, None, Some(high)) => format!("{elo:+.1}, at most {high:+.1}"),
        (Some(elo), ..) => format!("{elo:+.1}, error unknown"),
        (None, _, Some(low), _) => format!("at least {low:+.1}"),
        (None, _, _, Some(high)) => format!("at most {high:+.1}"),
        _ => return None,
    })
}

fn write_summary(out: &mut String, who: &str, s: &Summary) -> std::fmt::Result {
    writeln!(out, "{who}")?;
    let score = s.score.map_or(String::new(), |p| format!(", score {:.1} %", p * 100.0));
    writeln!(out, "  {} won, {} drawn, {} lost{score}", s.wins, s.draws, s.losses)?;
    let Some(elo) = elo_words(s) else { return Ok(()) };
    let los = s.los.map_or(String::new(), |l| format!(", better with {:.1} %", l * 100.0));
    writeln!(out, "  Elo {elo} (95 %){los}")?;
    if s.pairs > 0 {
        let p = s.pentanomial.0;
        writeln!(
            out,
            "  pairs by points 0 ½ 1 1½ 2: {} {} {} {} {}",
            p[0], p[1], p[2], p[3], p[4]
        )?;
    }
    Ok(())
}

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
        write_summary(out, &who, &encounter.summary, report.learners.is_empty())?;
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
            "played one after the other, since {} learns; {}",
            report.learners.join(", "),
            course_words(&report.players[0], &report.course)
        )?;
    }
    for (player, limit) in report.players.iter().zip(&report.limits) {
        // A player's own limits are in its name.
        if report.limit == "none" && limit.contains("the usual one") {
            writeln!(out, "limit of {player}: {limit}")?;
        }
    }
    for incident in report.incidents.iter().take(10) {
        writeln!(out, "game {}: {}: {}", incident.game, incident.player, incident.detail)?;
    }
    if report.incidents.len() > 10 {
        writeln!(out, "… and {} more", report.incidents.len() - 10)?;
    }
    Ok(())
}

/// How the score went along: game after game, or, where there are many, in parts of ten games or of a
/// multiple of ten.
fn course_words(player: &str, course: &[u8]) -> String {
    if course.len() < 20 {
        let points = |&half_points: &u8| ["0", "½", "1"][usize::from(half_points.min(2))];
        let points: Vec<&str> = course.iter().map(points).collect();
        return format!("points of {player}, game after game: {}", points.join(" "));
    }
    let part = course.len().div_ceil(20).max(10).next_multiple_of(10);
    let percent = |games: &[u8]| {
        let half_points: usize = games.iter().map(|&p| usize::from(p)).sum();
        format!("{:.0} %", 50.0 * half_points as f64 / games.len() as f64)
    };
    let scores: Vec<String> = course.chunks(part).map(percent).collect();
    format!("score of {player}, {part} games at a time: {}", scores.join(" "))
}

/// `+12 =3 -5, Elo +127.0 ± 120.3`
pub(crate) fn one_line(s: &Summary, independent: bool) -> String {
    let elo =
        elo_words(s).filter(|_| independent).map_or(String::new(), |elo| format!(", Elo {elo}"));
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

fn write_summary(out: &mut String, who: &str, s: &Summary, independent: bool) -> std::fmt::Result {
    writeln!(out, "{who}")?;
    let score = s.score.map_or(String::new(), |p| format!(", score {:.1} %", p * 100.0));
    writeln!(out, "  {} won, {} drawn, {} lost{score}", s.wins, s.draws, s.losses)?;
    if !independent {
        let why = "  no Elo and no error: games of a learner depend on each other";
        return writeln!(out, "{why}");
    }
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

#[cfg(test)]
mod tests {
    use super::course_words;

    #[test]
    fn a_short_course_is_told_by_its_games_and_a_long_one_in_tens() {
        assert_eq!(course_words("a", &[0, 1, 2]), "points of a, game after game: 0 ½ 1");
        let mut course = vec![0; 10];
        course.extend([2; 15]);
        let told = course_words("a", &course);
        assert_eq!(told, "score of a, 10 games at a time: 0 % 100 % 100 %");
        assert!(course_words("a", &[2; 1000]).contains(", 50 games at a time: 100 %"));
    }
}

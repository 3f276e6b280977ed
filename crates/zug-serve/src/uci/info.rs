//! How is a thought said in UCI? Reports become `info` lines, scores become centipawns or moves to
//! mate.

use std::fmt::Write;
use zug_core::{Bound, Info, Pulse, Score, Verdict};

/// The score that a report states, in UCI's words; a player that thinks in probabilities is
/// translated by the rating formula (400 centipawns are ten to one).
///
/// ```
/// use zug_core::Score;
/// use zug_serve::uci::info::score_text;
/// assert_eq!(score_text(Score::estimate(35)), "cp 35");
/// assert_eq!(score_text(Score::won_in(3)), "mate 2");
/// assert_eq!(score_text(Score::lost_in(2)), "mate -1");
/// ```
#[must_use]
pub fn score_text(score: Score) -> String {
    match score.verdict() {
        Verdict::Estimate(cp) => format!("cp {cp}"),
        Verdict::WonIn(plies) => format!("mate {}", plies.div_ceil(2)),
        Verdict::LostIn(plies) => format!("mate {}", -i64::from(plies.div_ceil(2))),
        // Chess counts no points; a proven win by points is still a large number.
        Verdict::WonBy(margin) => format!("cp {}", 20_000 + (margin * 10.0) as i32),
        Verdict::LostBy(margin) => format!("cp {}", -20_000 - (margin * 10.0) as i32),
    }
}

fn win_rate_score(rate: f32) -> Score {
    let rate = f64::from(rate).clamp(1e-6, 1.0 - 1e-6);
    Score::estimate((400.0 * (rate / (1.0 - rate)).log10()).round() as i32)
}

/// The `info` line of a report, with the chances of its score if they are to be told.
#[must_use]
pub fn info_line(info: &Info, chances: Option<&dyn Fn(Score) -> [u16; 3]>) -> String {
    let mut text = depths(info);
    let _ = write!(text, " multipv {}", info.rank.max(1));
    if let Some(score) = info.score.or_else(|| info.win_rate.map(win_rate_score)) {
        let _ = write!(text, " score {}", score_text(score));
        text.push_str(match info.bound {
            Bound::Exact => "",
            Bound::AtLeast => " lowerbound",
            Bound::AtMost => " upperbound",
        });
        if let Some(chances) = chances {
            let [won, drawn, lost] = chances(score);
            let _ = write!(text, " wdl {won} {drawn} {lost}");
        }
    }
    text.push_str(&progress(info));
    if !info.line.is_empty() {
        let _ = write!(text, " pv {}", info.line.join(" "));
    }
    text
}

/// The `info` line of a sign of life.
#[must_use]
pub fn pulse_line(pulse: &Pulse, chances: Option<&dyn Fn(Score) -> [u16; 3]>) -> String {
    if pulse.info.score.is_some() {
        return info_line(&pulse.info, chances);
    }
    let mut text = depths(&pulse.info) + &progress(&pulse.info);
    if let Some((mv, number)) = &pulse.current {
        let _ = write!(text, " currmove {mv} currmovenumber {number}");
    }
    text
}

fn depths(info: &Info) -> String {
    format!("info depth {} seldepth {}", info.depth, info.deepest.max(info.depth))
}

fn progress(info: &Info) -> String {
    let mut text = format!(" nodes {} nps {}", info.nodes, info.nodes_per_second());
    if let Some(full) = info.hash_full {
        let _ = write!(text, " hashfull {full}");
    }
    if let Some(hits) = info.oracle_hits {
        let _ = write!(text, " tbhits {hits}");
    }
    let _ = write!(text, " time {}", info.elapsed.as_millis());
    text
}

/// Does this report show a mate within so many moves?
#[must_use]
pub fn shows_mate_in(info: &Info, moves: u32) -> bool {
    matches!(info.score.map(Score::verdict), Some(Verdict::WonIn(plies)) if plies.div_ceil(2) <= moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_report_is_written_on_one_line() {
        let info = Info {
            rank: 2,
            depth: 8,
            deepest: 14,
            score: Some(Score::estimate(-13)),
            win_rate: None,
            nodes: 1000,
            elapsed: Duration::from_millis(500),
            hash_full: Some(12),
            oracle_hits: Some(7),
            line: vec!["e2e4".into(), "e7e5".into()],
            ..Info::default()
        };
        assert_eq!(
            info_line(&info, None),
            "info depth 8 seldepth 14 multipv 2 score cp -13 nodes 1000 nps 2000 hashfull 12 \
             tbhits 7 time 500 pv e2e4 e7e5"
        );
        let chances = |_| [300, 360, 340];
        let info = Info { bound: Bound::AtMost, ..info };
        let text = info_line(&info, Some(&chances));
        assert!(text.contains(" score cp -13 upperbound wdl 300 360 340 nodes "), "{text}");
        assert_eq!(pulse_line(&Pulse { info: info.clone(), current: None }, Some(&chances)), text);
        let current = Some(("d2d4".to_string(), 3));
        assert_eq!(
            pulse_line(&Pulse { info: Info { score: None, ..info }, current }, Some(&chances)),
            "info depth 8 seldepth 14 nodes 1000 nps 2000 hashfull 12 tbhits 7 time 500 \
             currmove d2d4 currmovenumber 3"
        );
    }

    #[test]
    fn plies_to_the_end_become_moves_to_mate() {
        for (score, text) in [
            (Score::won_in(1), "mate 1"),
            (Score::won_in(2), "mate 1"),
            (Score::won_in(5), "mate 3"),
            (Score::lost_in(0), "mate 0"),
            (Score::lost_in(4), "mate -2"),
        ] {
            assert_eq!(score_text(score), text);
        }
        let info = Info { score: Some(Score::won_in(3)), ..Info::default() };
        assert!(shows_mate_in(&info, 2) && !shows_mate_in(&info, 1));
    }

    #[test]
    fn a_win_rate_becomes_centipawns() {
        let line = |rate| info_line(&Info { win_rate: Some(rate), ..Info::default() }, None);
        assert!(line(0.5).contains(" cp 0 "));
        assert!(line(10.0 / 11.0).contains(" cp 400 "));
        assert!(line(1.0).contains(" cp 2400 "));
        assert!(line(f32::NAN).contains(" cp "));
    }
}

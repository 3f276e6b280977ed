//! Checks of whole collections of games and positions: how many are there, and what is wrong with
//! them? And are the marks right that the judge gives ([`judge`])?
//!
//! The collection is a folder of `.wtb` and `.obf` files, which may be packed: `.zst`, or a
//! `.tar.zst` of many.

mod judge;

pub use judge::{JudgeOrder, JudgeReport, Share, judge};

use crate::Othello;
use crate::records::names::{self, Kind};
use crate::records::{Ending, StreamError, obf, wthor};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use zug_core::RecordResult;

/// What was found in files of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Files.
    pub files: u64,
    /// Games.
    pub games: u64,
    /// Games to their end.
    pub complete: u64,
    /// Games that could go on.
    pub stop_early: u64,
    /// Games with a move that the rules do not allow.
    pub illegal: u64,
    /// Complete games whose stated result is not that of the last position.
    pub other_result: u64,
    /// Files that could not be read to their end.
    pub broken_files: u64,
}

/// What was found in files of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemCounts {
    /// Files.
    pub files: u64,
    /// Positions that were read.
    pub problems: u64,
    /// Moves with values.
    pub values: u64,
    /// Lines that could not be read.
    pub broken_lines: u64,
}

/// What was found in a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The counts of each file or archive of games.
    pub games: Vec<(String, GameCounts)>,
    /// The counts of each file of positions.
    pub problems: Vec<(String, ProblemCounts)>,
    /// Names of players and of tournaments.
    pub names: [u64; 2],
}

impl Report {
    /// Could every file be read to its end, and every line of positions?
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.games.iter().all(|(_, c)| c.broken_files == 0)
            && self.problems.iter().all(|(_, c)| c.broken_lines == 0)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, c) in &self.games {
            writeln!(
                f,
                "{name}: {} games in {} files: {} complete ({} with another result than stated), \
                 {} stop early, {} illegal; {} files broken",
                c.games,
                c.files,
                c.complete,
                c.other_result,
                c.stop_early,
                c.illegal,
                c.broken_files
            )?;
        }
        for (name, c) in &self.problems {
            writeln!(
                f,
                "{name}: {} positions, {} values of moves, {} broken lines",
                c.problems, c.values, c.broken_lines
            )?;
        }
        writeln!(f, "names: {} players, {} tournaments", self.names[0], self.names[1])
    }
}

/// Reads every file of a folder that holds games or positions and tells what it found; true if
/// nothing was broken. Games that stop early or hold an illegal move are counted, not broken.
pub fn check_data(folder: &Path, out: &mut dyn Write) -> io::Result<bool> {
    let report = survey(folder)?;
    write!(out, "{report}")?;
    Ok(report.is_sound())
}

/// Reads every file of a folder that holds games or positions.
pub fn survey(folder: &Path) -> io::Result<Report> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut report = Report::default();
    for path in paths.iter().filter(|p| p.is_file()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let (plain, packed) = match name.strip_suffix(".zst") {
            Some(plain) => (plain, true),
            None => (name.as_str(), false),
        };
        let file = BufReader::new(File::open(path)?);
        let input: Box<dyn BufRead> = if packed {
            Box::new(BufReader::new(zstd::Decoder::new(file)?))
        } else {
            Box::new(file)
        };
        if plain.ends_with(".tar") {
            let mut counts = GameCounts::default();
            let mut archive = tar::Archive::new(input);
            for entry in archive.entries()? {
                let entry = entry?;
                let inner = entry.path()?.to_string_lossy().to_lowercase();
                read_part(&inner, BufReader::new(entry), &mut counts, &mut report)?;
            }
            report.games.push((name.clone(), counts));
        } else if plain.ends_with(".obf") {
            report.problems.push((name.clone(), count_problems(input)?));
        } else {
            let mut counts = GameCounts::default();
            read_part(plain, input, &mut counts, &mut report)?;
            if counts.files > 0 {
                report.games.push((name.clone(), counts));
            }
        }
    }
    Ok(report)
}

/// Reads a file of games into the counts, or a file of names into the report.
fn read_part(
    name: &str,
    mut input: impl BufRead,
    counts: &mut GameCounts,
    report: &mut Report,
) -> io::Result<()> {
    let kind = match name.rsplit('.').next() {
        Some("wtb") => return count_games(input, counts),
        Some("jou") => Kind::Players,
        Some("trn") => Kind::Tournaments,
        _ => return Ok(()),
    };
    // Numbers of names have 16 bits, which bounds the file.
    let mut bytes = Vec::new();
    input.by_ref().take(1 << 21).read_to_end(&mut bytes)?;
    match names::read(kind, &bytes) {
        Ok(found) => report.names[kind as usize] += found.len() as u64,
        Err(_) => counts.broken_files += 1,
    }
    Ok(())
}

fn count_games(input: impl Read, counts: &mut GameCounts) -> io::Result<()> {
    let game = Othello::default();
    counts.files += 1;
    let reader = match wthor::Reader::new(input) {
        Ok(reader) => reader,
        Err(StreamError::Io(error)) => return Err(error),
        Err(StreamError::Record(_)) => {
            counts.broken_files += 1;
            return Ok(());
        }
    };
    for stored in reader {
        let stored = match stored {
            Ok(stored) => stored,
            Err(StreamError::Io(error)) => return Err(error),
            Err(StreamError::Record(_)) => {
                counts.broken_files += 1;
                break;
            }
        };
        counts.games += 1;
        let played = stored.replay();
        match played.ending {
            Ending::Complete => {
                counts.complete += 1;
                let lead = game.final_lead(&played.last);
                let stated = match stored.result() {
                    RecordResult::Known { .. } => 2 * i32::from(stored.black_discs) - 64,
                    RecordResult::Unknown => i32::MAX,
                };
                counts.other_result += u64::from(lead != stated);
            }
            Ending::StopsEarly => counts.stop_early += 1,
            Ending::Illegal { .. } => counts.illegal += 1,
        }
    }
    Ok(())
}

fn count_problems(input: impl BufRead) -> io::Result<ProblemCounts> {
    let mut counts = ProblemCounts { files: 1, ..ProblemCounts::default() };
    for problem in obf::Reader::new(Othello::default(), input) {
        match problem {
            Ok(problem) => {
                counts.problems += 1;
                counts.values += problem.values.len() as u64;
            }
            Err(StreamError::Io(error)) => return Err(error),
            Err(StreamError::Record(_)) => counts.broken_lines += 1,
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::testing::random_record;
    use crate::records::wthor::Wthor;
    use zug_core::RecordFormat;

    #[test]
    fn files_packed_files_and_archives_are_counted() {
        let game = Othello::default();
        let records: Vec<_> = (0..5).map(|s| random_record(&game, s, usize::MAX)).collect();
        let mut base = Wthor.write(&records).unwrap();
        // The first game stops early, the second has a bad move, the third a wrong result.
        base[16 + 8 + 30..16 + 68].fill(0);
        base[16 + 68 + 8 + 30] = 44;
        base[16 + 2 * 68 + 6] ^= 1;
        let mut archive = tar::Builder::new(Vec::new());
        let players = names::write(Kind::Players, &["Ada", "Grace"]).unwrap();
        for (name, bytes) in [("A.WTB", &base), ("B.wtb", &base), ("P.JOU", &players)] {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, name, &bytes[..]).unwrap();
        }
        let archive = zstd::encode_all(&archive.into_inner().unwrap()[..], 1).unwrap();
        let start = "---------------------------OX------XO---------------------------";
        let problems = format!("{start} X; F5:+0;\n{start} X; A1:+0;\n");
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [
            ("a.wtb", &base[..]),
            ("cut.wtb", &base[..base.len() - 1]),
            ("base.tar.zst", &archive),
            ("p.obf.zst", &zstd::encode_all(problems.as_bytes(), 1).unwrap()),
            ("other.txt", b"no games"),
        ] {
            fs::write(folder.path().join(name), bytes).unwrap();
        }

        let report = survey(folder.path()).unwrap();
        let one = GameCounts {
            files: 1,
            games: 5,
            complete: 3,
            stop_early: 1,
            illegal: 1,
            other_result: 1,
            broken_files: 0,
        };
        assert_eq!(report.games[0], ("a.wtb".to_string(), one));
        let counts = &report.games[1].1;
        assert_eq!((counts.files, counts.games, counts.illegal), (2, 10, 2));
        assert_eq!((report.games[2].1.games, report.games[2].1.broken_files), (4, 1));
        let (problems, broken) = (report.problems[0].1.problems, report.problems[0].1.broken_lines);
        assert_eq!((problems, broken), (1, 1));
        assert_eq!(report.names, [2, 0]);
        assert!(!report.is_sound());
        let mut text = Vec::new();
        assert!(!check_data(folder.path(), &mut text).unwrap());
        assert!(String::from_utf8(text).unwrap().contains("3 complete"));
    }
}

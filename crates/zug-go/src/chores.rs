//! Checks that need the archives of game records, or minutes.

use crate::board::Board;
use crate::corpus::{Reject, check};
use crate::game::Go;
use crate::point::Point;
use crate::rules::Scoring;
use crate::sgf::{MainLine, Sgf, read_collection};
use crate::status::final_status_of_line;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::Path;
use zug_core::{AnyLine, RecordFormat, RecordResult, Side};

/// What the selection of an archive asks of a game.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Sizes that are taken.
    pub sizes: &'static [usize],
    /// Fewest moves, passes included.
    pub moves: usize,
}

/// Is the file one game that belongs to the selection? Returns its moves.
pub fn select(bytes: &[u8], selection: Selection) -> Result<usize, Reject> {
    let mut games = read_collection(bytes);
    if games.len() != 1 {
        return Err(Reject::Broken(format!("{} games in the file", games.len())));
    }
    let tree = games.remove(0).map_err(|e| Reject::Broken(e.to_string()))?;
    let line = MainLine::of(&tree).map_err(|e| Reject::Broken(e.error.to_string()))?;
    if !selection.sizes.contains(&line.size) {
        return Err(Reject::Size(line.size));
    }
    if line.moves.len() < selection.moves && check(&line) != Err(Reject::Setup) {
        return Err(Reject::Short);
    }
    check(&line)?;
    Ok(line.moves.len())
}

const ARCHIVES: [(&str, usize, Selection); 6] = [
    ("pro19_seven_titles", 22_072, Selection { sizes: &[19], moves: 30 }),
    ("pro19_other", 42_788, Selection { sizes: &[19], moves: 30 }),
    ("pro9", 467, Selection { sizes: &[9], moves: 10 }),
    ("goquest9", 4_642, Selection { sizes: &[9], moves: 10 }),
    ("ogs9", 4_018, Selection { sizes: &[9], moves: 20 }),
    ("cgos9", 4_438, Selection { sizes: &[9], moves: 10 }),
];

/// Reads every file of every archive in `dir`, and compares with what its README and the list of
/// rejected files say. True if all agrees.
pub fn check_data(dir: &Path, out: &mut dyn Write) -> io::Result<bool> {
    let mut good = true;
    for (name, expected, selection) in ARCHIVES {
        let (mut files, mut accepted, mut moves, mut no_record) = (0, 0, 0, 0);
        let mut rejects: BTreeMap<String, usize> = BTreeMap::new();
        for_each_file(&dir.join(format!("{name}.tar.zst")), |path, bytes| {
            if !path.ends_with(".sgf") {
                return Ok(());
            }
            files += 1;
            match select(bytes, selection) {
                Ok(count) => {
                    accepted += 1;
                    moves += count;
                    if let [Err(why)] = &Sgf.read(bytes)[..] {
                        no_record += 1;
                        writeln!(out, "  {path}: no record, {why}")?;
                    }
                }
                Err(reject) => {
                    *rejects.entry(reject.to_string()).or_default() += 1;
                    let ply = reject.ply().map_or(String::new(), |p| format!(" at ply {p}"));
                    writeln!(out, "  {path}: {reject}{ply}")?;
                }
            }
            Ok(())
        })?;
        let agrees = files == expected && accepted == expected;
        good &= agrees;
        writeln!(
            out,
            "{name}: {files} files, {accepted} games of {expected}, {moves} moves, \
             {no_record} that are no record{}",
            if agrees { "" } else { " — DIFFERS" }
        )?;
        for (reason, count) in rejects {
            writeln!(out, "  {count} {reason}")?;
        }
    }
    Ok(check_rejects(dir, out)? && good)
}

/// The rejected files, each with its reason and ply.
fn check_rejects(dir: &Path, out: &mut dyn Write) -> io::Result<bool> {
    let mut listed: BTreeMap<String, (String, Option<usize>)> = BTreeMap::new();
    let mut found: BTreeMap<String, (String, Option<usize>)> = BTreeMap::new();
    for_each_file(&dir.join("rejects.tar.zst"), |path, bytes| {
        let inner = path.split_once('/').map_or(path, |(_, rest)| rest);
        if inner == "REASONS.tsv" {
            for row in String::from_utf8_lossy(bytes).lines().skip(1) {
                let mut fields = row.split('\t');
                let mut next = || fields.next().unwrap_or("").to_string();
                let (path, reason, ply) = (next(), next(), next());
                listed.insert(path, (reason, ply.parse().ok()));
            }
        } else if inner.ends_with(".sgf") {
            // The files come from a collection of professional games, of which 9×9 games were
            // kept from 10 moves on.
            let mut verdict = select(bytes, Selection { sizes: &[19], moves: 30 });
            if verdict == Err(Reject::Size(9)) {
                verdict = select(bytes, Selection { sizes: &[9], moves: 10 });
            }
            let said = match verdict {
                Ok(_) => ("accepted".to_string(), None),
                Err(reject) => (reject.to_string(), reject.ply()),
            };
            found.insert(inner.to_string(), said);
        }
        Ok(())
    })?;
    let mut differences = 0;
    for path in listed.keys().chain(found.keys().filter(|p| !listed.contains_key(*p))) {
        if listed.get(path) != found.get(path) {
            differences += 1;
            writeln!(out, "  {path}: listed {:?}, found {:?}", listed.get(path), found.get(path))?;
        }
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (reason, _) in found.values() {
        *reasons.entry(reason).or_default() += 1;
    }
    let agreement = match differences {
        0 => "all as listed".to_string(),
        n => format!("{n} DIFFER from the list"),
    };
    writeln!(out, "rejects: {} files, {} listed, {agreement}", found.len(), listed.len())?;
    for (reason, count) in reasons {
        writeln!(out, "  {count} {reason}")?;
    }
    Ok(differences == 0)
}

/// How often does the judgement of dead stones agree with the result that a 9×9 record states,
/// where both sides passed and the area was counted?
pub fn check_status(dir: &Path, out: &mut dyn Write) -> io::Result<()> {
    for name in ["goquest9", "ogs9", "cgos9"] {
        let (mut games, mut exact, mut winner, mut untouched) = (0, 0, 0, 0);
        for_each_file(&dir.join(format!("{name}.tar.zst")), |_, bytes| {
            let Some(ended) = ended_by_passes(bytes) else { return Ok(()) };
            let (line, stated) = (ended.line, ended.lead);
            let Some(status) = final_status_of_line(&*line, 1) else { return Ok(()) };
            let counted = line
                .outcome()
                .and_then(|o| o.margin.map(|m| if o.winner == Some(Side::First) { m } else { -m }));
            games += 1;
            exact += usize::from(status.lead == stated);
            winner += usize::from((status.lead > 0.0) == (stated > 0.0));
            untouched += usize::from(counted == Some(stated));
            Ok(())
        })?;
        writeln!(
            out,
            "{name}: {games} games, score as stated in {exact}, same winner in {winner}; \
             with all stones alive, score as stated in {untouched}"
        )?;
    }
    Ok(())
}

struct Ended {
    line: Box<dyn AnyLine>,
    lead: f32,
}

fn ended_by_passes(bytes: &[u8]) -> Option<Ended> {
    let record = Sgf.read(bytes).into_iter().next()?.ok()?;
    let RecordResult::Known { winner, margin: Some(margin) } = record.result else { return None };
    let game = Go::open(&record.game).ok().filter(|g| g.rules().scoring == Scoring::Area)?;
    let line = record.replay(&game).ok()?;
    line.outcome()?;
    Some(Ended { line, lead: if winner == Some(Side::Second) { -margin } else { margin } })
}

/// Counts the positions of a 4×4 board by putting each of the 43 million arrangements of stones on
/// a [`Board`]. True if it is the published number, which [`count`](crate::count) finds too.
pub fn check_positions(out: &mut dyn Write) -> io::Result<bool> {
    let points: Vec<Point> = Board::new(4).points().collect();
    let mut legal = 0u128;
    for number in 0..3u32.pow(16) {
        let mut rest = number;
        let stones = points.iter().filter_map(|&p| {
            let kind = rest % 3;
            rest /= 3;
            [None, Some((p, Side::First)), Some((p, Side::Second))][kind as usize]
        });
        legal += u128::from(Board::with_stones(4, stones).is_ok());
    }
    writeln!(out, "4x4: {legal} positions")?;
    Ok(legal == 24_318_165 && crate::count::legal_positions(4) == Some(legal))
}

/// The files of a tar archive packed with zstd.
fn for_each_file(
    archive: &Path,
    mut visit: impl FnMut(&str, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let file = std::fs::File::open(archive)
        .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", archive.display())))?;
    let mut tar = tar::Archive::new(zstd::Decoder::new(file)?);
    let mut bytes = Vec::new();
    for entry in tar.entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry.path()?.to_string_lossy().into_owned();
        bytes.clear();
        entry.read_to_end(&mut bytes)?;
        visit(&path, &bytes)?;
    }
    Ok(())
}

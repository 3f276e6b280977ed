//! Cuts as a file.
//!
//! Sections: `cuts` and `thesis` hold what searches use, `end-cuts` the same for searches to the
//! end: discs, deep and shallow depth a byte each, then slope, shift and error, 32 bits each.
//! `fits` and `end-fits` hold what was measured: the same, with the number of pairs, r² and the
//! spread of the deep values. `tempo` tells what the measured values had had taken off
//! ([`Tempo`]), where they had. Everything is sorted by disc count, deep depth and shallow depth.

use super::fit::{CutsFit, PairFit};
use super::line::Line;
use crate::engine::{Pair, ProbCut, Tries, Unit};
use crate::tempo::Tempo;
use std::path::Path;
use std::sync::Arc;
use zug_core::container::{Container, ContainerError, Expect, Header, Kind, Section, Writer};
use zug_core::error::shorten;

const LAYOUT: &str = "othello-probcut/1";
/// The note that tells the unit.
const UNIT: &str = "unit";
/// The note that tells the model.
const MODEL: &str = "model";
/// The note that tells the digest of the model's file.
const MODEL_DIGEST: &str = "model-digest";
/// The section that tells what the measured values had had taken off.
const TEMPO: &str = "tempo";
const CUT_BYTES: usize = 15;
const FIT_BYTES: usize = 27;
/// The sections and the sizes of their records.
const SECTIONS: [(&str, usize); 5] = [
    ("cuts", CUT_BYTES),
    ("thesis", CUT_BYTES),
    ("end-cuts", CUT_BYTES),
    ("fits", FIT_BYTES),
    ("end-fits", FIT_BYTES),
];
/// More pairs than there can be: disc counts by depths by depths.
const MOST: u64 = 65 * 61 * 61;

/// Cuts that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum CutsError {
    /// The file: damaged, cut off, of another kind or game.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The file is sound, but what it says is not.
    #[error("{file}: {message}")]
    Content {
        /// The file.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// Neither a file nor a name.
    #[error(
        "there is no file '{}', and no cuts of that name come with the program (there are: {known})",
        shorten(name)
    )]
    NotFound {
        /// What was asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// Cuts for another kind of evaluation.
    #[error("{file}: these cuts are for values in {found}, and the model counts in {wanted}")]
    Unit {
        /// The file.
        file: String,
        /// What they are for.
        found: &'static str,
        /// What was wanted.
        wanted: &'static str,
    },
}

/// The word for a unit.
pub(super) fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Discs => "discs",
        Unit::LogOdds => "log-odds",
    }
}

/// Cuts, and what they were made from.
#[derive(Clone, Debug, PartialEq)]
pub struct CutsFile {
    /// The cuts that save most.
    pub multi: Arc<ProbCut>,
    /// The one pair of the thesis: depth 4 for depth 8.
    pub thesis: Arc<ProbCut>,
    /// What was measured.
    pub fits: Vec<PairFit>,
    /// The same for searches to the end, in hundredths of a disc.
    pub end_fits: Vec<PairFit>,
    /// The model that they belong to: its name or file.
    pub model: String,
    /// The digest of the model's file.
    pub model_digest: String,
}

impl CutsFile {
    /// From a fit with this model.
    #[must_use]
    pub fn new(fit: &CutsFit, model: &str, model_digest: &str) -> CutsFile {
        CutsFile {
            multi: Arc::new(fit.multi.clone()),
            thesis: Arc::new(fit.thesis.clone()),
            fits: fit.midgame.clone(),
            end_fits: fit.end.clone(),
            model: model.to_string(),
            model_digest: model_digest.to_string(),
        }
    }

    /// Says that all numbers come from values that have had this taken off.
    pub fn measured_with(&mut self, tempo: &Tempo) {
        for cuts in [&mut self.multi, &mut self.thesis] {
            *cuts = Arc::new((**cuts).clone().measured_with(tempo.clone()));
        }
    }

    /// The unit of the values.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.multi.unit()
    }

    /// A header, to which the maker adds how the cuts were made.
    #[must_use]
    pub fn header(&self) -> Header {
        let mut header = Header::new(Kind::Model, "othello", LAYOUT);
        for (name, value) in [
            (UNIT, unit_name(self.unit())),
            (MODEL, &self.model),
            (MODEL_DIGEST, &self.model_digest),
        ] {
            header.notes.insert(name.to_string(), value.to_string());
        }
        header
    }

    /// Is this the header of such a file?
    #[must_use]
    pub fn is_header(header: &Header) -> bool {
        header.kind == Kind::Model && header.layout == LAYOUT
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, path: &Path, header: &Header) -> Result<(), ContainerError> {
        let mut writer = Writer::create(path, header)?;
        self.put(&mut writer)?;
        writer.commit()
    }

    /// The bytes of the file.
    pub fn to_bytes(&self, header: &Header) -> Result<Vec<u8>, ContainerError> {
        let mut writer = Writer::new(Vec::new(), header)?;
        self.put(&mut writer)?;
        writer.finish()
    }

    fn put<W: std::io::Write>(&self, writer: &mut Writer<W>) -> Result<(), ContainerError> {
        for (name, cuts) in [("cuts", &self.multi), ("thesis", &self.thesis)] {
            let mut bytes = Vec::new();
            for discs in 4..=64 {
                for deep in 0..=60 {
                    cuts.midgame(discs, deep)
                        .iter()
                        .for_each(|p| put_cut(&mut bytes, discs, deep, p));
                }
            }
            writer.bytes(name, &bytes)?;
        }
        let mut bytes = Vec::new();
        for empties in (0..=60).rev() {
            let put = |p: &Pair| put_cut(&mut bytes, 64 - empties, empties, p);
            self.multi.endgame(empties).iter().for_each(put);
        }
        writer.bytes("end-cuts", &bytes)?;
        for (name, fits) in [("fits", &self.fits), ("end-fits", &self.end_fits)] {
            let mut bytes = Vec::with_capacity(fits.len() * FIT_BYTES);
            fits.iter().for_each(|fit| put_fit(&mut bytes, fit));
            writer.bytes(name, &bytes)?;
        }
        let tempo = self.multi.tempo();
        if tempo.is_none() { Ok(()) } else { writer.bytes(TEMPO, &tempo.to_bytes()) }
    }

    /// Reads a file.
    pub fn open(path: &Path) -> Result<CutsFile, CutsError> {
        CutsFile::read(&Container::open(path, &Expect::model("othello").layout(LAYOUT))?)
    }

    /// Reads a file that lies in memory; `name` stands for it in messages.
    pub fn from_bytes(name: &str, bytes: &'static [u8]) -> Result<CutsFile, CutsError> {
        let expect = Expect::model("othello").layout(LAYOUT);
        CutsFile::read(&Container::from_source(name.to_string(), Box::new(bytes), &expect)?)
    }

    /// Reads an opened file.
    pub fn read(file: &Container) -> Result<CutsFile, CutsError> {
        let bad = |message: String| CutsError::Content { file: file.file().to_string(), message };
        let note = |name: &str| {
            let found = file.header().notes.get(name).cloned();
            found.ok_or_else(|| bad(format!("the header has no note '{name}'")))
        };
        let unit = match note(UNIT)?.as_str() {
            "discs" => Unit::Discs,
            "log-odds" => Unit::LogOdds,
            other => {
                let other = shorten(other);
                return Err(bad(format!("the unit is '{other}'; expected discs or log-odds")));
            }
        };
        insist_on_whole(file)?;
        let cuts = |name: &str| -> Result<ProbCut, CutsError> {
            let mut cuts = ProbCut::none(unit);
            let told = |e: String| bad(format!("section '{name}': {e}"));
            let list = read_cuts(&file.section(name)?)?;
            for (discs, deep, tries) in by_search(list).map_err(told)? {
                if discs + deep > 64 {
                    return Err(told(format!(
                        "a search of {deep} plies with {discs} discs goes beyond the end"
                    )));
                }
                cuts.set_midgame(discs, deep, tries);
            }
            Ok(cuts)
        };
        let (mut multi, thesis) = (cuts("cuts")?, cuts("thesis")?);
        let told = |e: String| bad(format!("section 'end-cuts': {e}"));
        for (discs, deep, tries) in
            by_search(read_cuts(&file.section("end-cuts")?)?).map_err(told)?
        {
            if discs + deep != 64 {
                return Err(told(format!("{deep} plies with {discs} discs do not end the game")));
            }
            multi.set_endgame(deep, tries);
        }
        let tempo = match file.sections().find(|section| section.name() == TEMPO) {
            None => Tempo::NONE,
            Some(section) => Tempo::from_bytes(&section.bytes(1 << 10)?).ok_or_else(|| {
                bad(format!("section '{TEMPO}': expected 65 numbers from -6400 to 6400"))
            })?,
        };
        let fits = |name: &str| -> Result<Vec<PairFit>, CutsError> {
            let fits = read_fits(&file.section(name)?)?;
            let place = |f: &PairFit| (f.discs, f.deep, f.shallow);
            if !fits.windows(2).all(|w| place(&w[0]) < place(&w[1])) {
                return Err(bad(format!("section '{name}': not sorted by discs and depths")));
            }
            Ok(fits)
        };
        Ok(CutsFile {
            multi: Arc::new(multi.measured_with(tempo.clone())),
            thesis: Arc::new(thesis.measured_with(tempo)),
            fits: fits("fits")?,
            end_fits: fits("end-fits")?,
            model: note(MODEL)?,
            model_digest: note(MODEL_DIGEST)?,
        })
    }
}

fn put_cut(bytes: &mut Vec<u8>, discs: u32, deep: u32, pair: &Pair) {
    bytes.extend([discs as u8, deep as u8, pair.shallow]);
    [pair.a, pair.b, pair.sigma].iter().for_each(|v| bytes.extend(v.to_le_bytes()));
}

fn put_fit(bytes: &mut Vec<u8>, fit: &PairFit) {
    bytes.extend([fit.discs as u8, fit.deep as u8, fit.shallow as u8]);
    bytes.extend(u32::try_from(fit.line.n).unwrap_or(u32::MAX).to_le_bytes());
    let line = [fit.line.a, fit.line.b, fit.line.sigma, fit.line.r2, fit.line.spread];
    line.iter().for_each(|&v| bytes.extend((v as f32).to_le_bytes()));
}

/// The records of a section, all of one size.
fn records<const SIZE: usize>(section: &Section<'_>) -> Result<Vec<[u8; SIZE]>, ContainerError> {
    let bytes = section.bytes(MOST * SIZE as u64)?;
    Ok(bytes.chunks_exact(SIZE).map(|c| c.try_into().expect("of this size")).collect())
}

/// Complains about sections that end within a record.
fn insist_on_whole(file: &Container) -> Result<(), CutsError> {
    for (name, size) in SECTIONS {
        let length = file.section(name)?.length();
        if length % size as u64 != 0 {
            let message =
                format!("section '{name}': expected records of {size} bytes, found {length} bytes");
            return Err(CutsError::Content { file: file.file().to_string(), message });
        }
    }
    Ok(())
}

fn float(record: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(record[at..at + 4].try_into().expect("four bytes"))
}

type Cut = (u32, u32, Pair);

fn read_cuts(section: &Section<'_>) -> Result<Vec<Cut>, ContainerError> {
    let cut = |r: &[u8; CUT_BYTES]| {
        let pair = Pair { shallow: r[2], a: float(r, 3), b: float(r, 7), sigma: float(r, 11) };
        (u32::from(r[0]), u32::from(r[1]), pair)
    };
    Ok(records::<CUT_BYTES>(section)?.iter().map(cut).collect())
}

fn read_fits(section: &Section<'_>) -> Result<Vec<PairFit>, ContainerError> {
    let fit = |r: &[u8; FIT_BYTES]| PairFit {
        discs: r[0].into(),
        deep: r[1].into(),
        shallow: r[2].into(),
        line: Line {
            n: u32::from_le_bytes(r[3..7].try_into().expect("four bytes")).into(),
            a: float(r, 7).into(),
            b: float(r, 11).into(),
            sigma: float(r, 15).into(),
            r2: float(r, 19).into(),
            spread: float(r, 23).into(),
        },
    };
    Ok(records::<FIT_BYTES>(section)?.iter().map(fit).collect())
}

/// The cuts of each search together, every one of them checked.
fn by_search(cuts: Vec<Cut>) -> Result<Vec<(u32, u32, Tries)>, String> {
    let mut all: Vec<(u32, u32, Tries)> = Vec::new();
    let mut before = None;
    for (number, (discs, deep, pair)) in cuts.into_iter().enumerate() {
        let wrong = |what: String| Err(format!("cut {}: {what}", number + 1));
        let shallow = u32::from(pair.shallow);
        if !(4..=64).contains(&discs) || deep > 60 || shallow >= deep {
            return wrong(format!("depth {shallow} for depth {deep} with {discs} discs"));
        }
        if before.is_some_and(|before| before >= (discs, deep, shallow)) {
            return wrong("not sorted by discs and depths".to_string());
        }
        before = Some((discs, deep, shallow));
        if !(1e-4..=1e4).contains(&pair.a) {
            return wrong(format!("the slope {} is no number from 0.0001 to 10000", pair.a));
        }
        if !(pair.b.abs() <= 1e8 && pair.sigma > 0.0 && pair.sigma <= 1e8) {
            return wrong(format!("shift {} with error {}", pair.b, pair.sigma));
        }
        match all.last_mut() {
            Some((d, p, tries)) if (*d, *p) == (discs, deep) => {
                if tries.try_push(pair).is_err() {
                    return wrong(format!("more than {} for one search", tries.capacity()));
                }
            }
            _ => all.push((discs, deep, Tries::from_iter([pair]))),
        }
    }
    Ok(all)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::fit::{fit, tests::walk};
    use super::*;
    use proptest::prelude::*;

    fn example() -> CutsFile {
        let fit = fit(Unit::Discs, &walk(80.0, 30, (10..=60).step_by(5))).unwrap();
        CutsFile::new(&fit, "patterns", "0123")
    }

    fn again(file: &CutsFile) -> Result<CutsFile, CutsError> {
        let bytes = file.to_bytes(&file.header()).unwrap();
        let expect = Expect::model("othello").layout(LAYOUT);
        CutsFile::read(&Container::from_bytes(bytes, &expect)?)
    }

    #[test]
    fn cuts_survive_being_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cuts.zug");
        let file = example();
        file.write(&path, &file.header()).unwrap();
        let read = CutsFile::open(&path).unwrap();
        assert_eq!((&read.multi, &read.thesis), (&file.multi, &file.thesis));
        assert_eq!(read.fits.len(), file.fits.len());
        assert_eq!(read.fits[7].line.n, file.fits[7].line.n);
        assert!((read.fits[7].line.sigma - file.fits[7].line.sigma).abs() < 1e-3);
        assert_eq!((read.model.as_str(), read.model_digest.as_str()), ("patterns", "0123"));
        assert_eq!(again(&read).unwrap(), read);
    }

    /// What is said of a file whose section of cuts is this.
    fn refusal(cuts: &[u8], end: &[u8]) -> Option<String> {
        let mut writer = Writer::new(Vec::new(), &example().header()).unwrap();
        for (name, bytes) in
            [("cuts", cuts), ("thesis", &[]), ("end-cuts", end), ("fits", &[]), ("end-fits", &[])]
        {
            writer.bytes(name, bytes).unwrap();
        }
        let file = Container::from_bytes(writer.finish().unwrap(), &Expect::anything()).unwrap();
        CutsFile::read(&file).err().map(|e| e.to_string())
    }

    fn cut(discs: u8, deep: u8, shallow: u8, numbers: [f32; 3]) -> Vec<u8> {
        let mut bytes = vec![discs, deep, shallow];
        numbers.iter().for_each(|n| bytes.extend(n.to_le_bytes()));
        bytes
    }

    #[test]
    fn files_that_make_no_sense_are_refused_with_the_place() {
        let good = [1.0, 0.0, 100.0];
        assert_eq!(refusal(&cut(20, 8, 4, good), &cut(50, 14, 4, good)), None);
        for (bytes, word) in [
            (cut(20, 8, 8, good), "depth 8 for depth 8"),
            (cut(3, 8, 4, good), "3 discs"),
            (cut(60, 8, 4, good), "beyond the end"),
            (cut(20, 8, 4, [0.0, 0.0, 1.0]), "slope 0"),
            (cut(20, 8, 4, [f32::NAN, 0.0, 1.0]), "slope NaN"),
            (cut(20, 8, 4, [1.0, f32::INFINITY, 1.0]), "shift inf"),
            (cut(20, 8, 4, [1.0, 0.0, 0.0]), "error 0"),
            ([cut(20, 8, 4, good), cut(20, 8, 2, good)].concat(), "cut 2: not sorted"),
            ((1..5).flat_map(|s| cut(20, 8, s, good)).collect(), "cut 4: more than 3"),
        ] {
            let told = refusal(&bytes, &[]).unwrap();
            assert!(told.contains(word) && told.contains("'cuts'"), "{told}");
        }
        assert!(refusal(&[1, 2, 3], &[]).unwrap().contains("records of 15 bytes"));
        assert!(refusal(&[], &cut(50, 13, 4, good)).unwrap().contains("do not end"));
        let mut header = example().header();
        header.notes.insert(UNIT.into(), "stones".into());
        let bytes = Writer::new(Vec::new(), &header).unwrap().finish().unwrap();
        let file = Container::from_bytes(bytes, &Expect::anything()).unwrap();
        assert!(CutsFile::read(&file).unwrap_err().to_string().contains("'stones'"));
    }

    #[test]
    fn damage_is_found() {
        let file = example();
        let bytes = file.to_bytes(&file.header()).unwrap();
        for place in (0..bytes.len()).step_by(bytes.len() / 97) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            let read = Container::from_bytes(damaged, &Expect::model("othello").layout(LAYOUT))
                .map_err(CutsError::from)
                .and_then(|c| CutsFile::read(&c));
            assert!(read.is_err(), "byte {place}");
        }
    }

    fn tries(deep: u32) -> impl Strategy<Value = Tries> {
        let pair = (0..deep, 0.1f32..3.0, -1e4f32..1e4, 1f32..1e4);
        prop::collection::btree_map(0..deep, pair, 0..=3).prop_map(|all| {
            let pair = |(shallow, (_, a, b, sigma)): (u32, (u32, f32, f32, f32))| Pair {
                shallow: shallow as u8,
                a,
                b,
                sigma,
            };
            all.into_iter().map(pair).collect()
        })
    }

    proptest! {
        #[test]
        fn any_cuts_survive(
            is_discs in any::<bool>(),
            midgame in prop::collection::vec((4u32..=50, tries(8)), 0..12),
            end in prop::collection::vec(tries(10), 0..8),
        ) {
            let unit = if is_discs { Unit::Discs } else { Unit::LogOdds };
            let mut cuts = ProbCut::none(unit);
            midgame.into_iter().for_each(|(discs, tries)| cuts.set_midgame(discs, 8, tries));
            (10..).zip(end).for_each(|(empties, tries)| cuts.set_endgame(empties, tries));
            let file = CutsFile {
                multi: Arc::new(cuts),
                thesis: Arc::new(ProbCut::none(unit)),
                ..example_without_fits()
            };
            prop_assert_eq!(again(&file).unwrap(), file);
        }
    }

    fn example_without_fits() -> CutsFile {
        let none = Arc::new(ProbCut::none(Unit::Discs));
        CutsFile {
            multi: Arc::clone(&none),
            thesis: none,
            fits: Vec::new(),
            end_fits: Vec::new(),
            model: "m".into(),
            model_digest: "d".into(),
        }
    }
}

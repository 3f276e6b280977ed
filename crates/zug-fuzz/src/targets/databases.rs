//! The files of solved games: the list of stages, and the stages.

use super::check;
use crate::Target;
use std::sync::OnceLock;
use zug_core::Side;
use zug_core::container::Writer;
use zug_core::indexed::{Layout, maps};
use zug_solve::store::manifest::IndexEntry;
use zug_solve::store::{Manifest, StageFile};
use zug_solve::{Measure, Options, Space};

pub const DATABASE_LIST: Target = Target {
    name: "database-list",
    words: &["format = 1\n", "metric = \"wdl\"\n", "[index]\n", "[[stage]]\n", "[stage.counts]\n"],
    run: |input| {
        let text = check::text(input);
        if let Err(error) = Manifest::from_text(&text) {
            check::error_is_short(&error);
        }
        // With the right digest, what is inside comes under test.
        match Manifest::from_text(&Manifest::seal(&text)) {
            Ok(manifest) => {
                let again = Manifest::from_text(&manifest.to_text());
                assert_eq!(again.as_ref(), Ok(&manifest));
            }
            Err(error) => check::error_is_short(&error),
        }
    },
};

/// A description of the parts, a zero, and bytes that become model and blocks: packed with the
/// right checksums, so that mutations get past the outer checks.
pub const DATABASE_STAGE: Target = Target {
    name: "database-stage",
    words: &[
        "[[part]]\n",
        "coding = \"mixed\"\n",
        "coding = \"plain\"\n",
        "coding = \"dropped\"\n",
        "slots = 45\n",
        "codes = [0, 2, 3, 4]\n",
        "occur = [1, 2, 3, 4]\n",
        "block = 45\n",
        "width = 3\n",
    ],
    run: |input| {
        static SPACE: OnceLock<Space> = OnceLock::new();
        let space = SPACE.get_or_init(|| {
            let layout = Layout::new(9)
                .piece("man", Side::First, 1..=1)
                .piece("man", Side::Second, 2..=2)
                .axes(|_| vec![maps::left_right(3, 3)]);
            Space::new(&layout, Options::default()).expect("a small layout")
        });
        let stage = &space.stages()[0];
        let manifest = Manifest {
            format: 1,
            game: "men:3x3".into(),
            metric: Measure::Dtm,
            program: "0".into(),
            command: None,
            one_side: false,
            index: IndexEntry::new(Options::default(), space.size()),
            stages: Vec::new(),
        };
        let text = check::text(input);
        let (description, body) = text.split_once('\0').unwrap_or((&text, "m"));
        let model: Vec<u8> =
            body.bytes().chain([7]).cycle().take(StageFile::model_bytes()).collect();
        let written =
            Writer::new(Vec::new(), &StageFile::header(&manifest, stage)).and_then(|mut writer| {
                writer.bytes("parts", description.as_bytes())?;
                for part in 0..stage.parts.len() {
                    writer.bytes(&format!("{part}.model"), &model)?;
                    writer.array(&format!("{part}.lengths"), &[body.len() as u32])?;
                    let mut cells = writer.section(&format!("{part}.cells"), 4096)?;
                    cells.push(body.as_bytes())?;
                    cells.end()?;
                }
                writer.finish()
            });
        let bytes = written.expect("a small container can be written");
        match StageFile::from_bytes("fuzz.zdb", bytes, &manifest, space, stage) {
            Ok(file) => {
                for part in stage.parts.clone() {
                    if let Ok(codes) = file.codes(space, part) {
                        let slots = space.parts()[part].size() as usize;
                        assert!(codes.is_empty() || codes.len() == slots);
                    }
                }
            }
            Err(error) => check::error_is_short(&error.to_string()),
        }
    },
};

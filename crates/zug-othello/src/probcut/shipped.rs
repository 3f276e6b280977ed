//! Which cuts belong to which model, and how are they opened by name or file?

use super::file::{CutsError, CutsFile, unit_name};
use crate::engine::{ProbCut, Unit};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Cuts that are compiled into the program.
pub struct ShippedCuts {
    /// The model that they belong to, which is also their name.
    pub model: &'static str,
    /// The file.
    pub bytes: &'static [u8],
    opened: OnceLock<Arc<CutsFile>>,
}

impl ShippedCuts {
    const fn new(model: &'static str, bytes: &'static [u8]) -> ShippedCuts {
        ShippedCuts { model, bytes, opened: OnceLock::new() }
    }

    /// The file, read once.
    pub fn open(&self) -> Result<Arc<CutsFile>, CutsError> {
        if let Some(file) = self.opened.get() {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(CutsFile::from_bytes(self.model, self.bytes)?);
        Ok(Arc::clone(self.opened.get_or_init(|| file)))
    }
}

/// The cuts that come with the program.
pub static SHIPPED: [ShippedCuts; 2] = [
    ShippedCuts::new("patterns", include_bytes!("../../../../models/othello-probcut.zug")),
    ShippedCuts::new(
        "logistic-plus",
        include_bytes!("../../../../models/othello-probcut-logistic-plus.zug"),
    ),
];

/// The word for the one pair of depths of the thesis.
const THESIS: &str = "thesis";
/// The word for no cuts.
const NONE: &str = "none";

/// The cuts that belong to a shipped model, if any do.
#[must_use]
pub fn shipped(model: &str) -> Option<Arc<ProbCut>> {
    let file = SHIPPED.iter().find(|s| s.model == model)?.open().ok()?;
    Some(Arc::clone(&file.multi))
}

/// Opens cuts that come with the program by the name of their model, or from a file.
pub fn open_cuts(name_or_path: &str) -> Result<Arc<CutsFile>, CutsError> {
    if let Some(shipped) = SHIPPED.iter().find(|s| s.model == name_or_path) {
        return shipped.open();
    }
    let path = Path::new(name_or_path);
    // A word without dot and slash is meant as a name.
    if !path.exists() && !name_or_path.contains(['.', '/', '\\']) {
        let names: Vec<&str> = SHIPPED.iter().map(|s| s.model).collect();
        let known = [&[THESIS, NONE], names.as_slice()].concat().join(", ");
        return Err(CutsError::NotFound { name: name_or_path.to_string(), known });
    }
    CutsFile::open(path).map(Arc::new)
}

/// The cuts that a player with this model uses.
///
/// `cuts` is what was asked for: `thesis` (the one pair of depths of the thesis), `none`, the name of
/// a shipped model, a file, or nothing. Then they are those of the model; a model without cuts of its
/// own takes those of a shipped one that counts alike. An evaluation made by hand has none.
///
/// ```
/// use zug_othello::engine::Unit;
/// assert_eq!(zug_othello::probcut::cuts_for("hand", Unit::Discs, None)?, None);
/// assert!(zug_othello::probcut::cuts_for("patterns", Unit::Discs, Some("dreams")).is_err());
/// # Ok::<(), zug_othello::probcut::CutsError>(())
/// ```
pub fn cuts_for(
    model: &str,
    unit: Unit,
    cuts: Option<&str>,
) -> Result<Option<Arc<ProbCut>>, CutsError> {
    let own = || -> Result<Option<Arc<CutsFile>>, CutsError> {
        if BY_HAND.contains(&model) {
            return Ok(None);
        }
        if let Some(shipped) = SHIPPED.iter().find(|s| s.model == model) {
            return shipped.open().map(Some);
        }
        for shipped in &SHIPPED {
            let file = shipped.open()?;
            if file.unit() == unit {
                return Ok(Some(file));
            }
        }
        Ok(None)
    };
    match cuts {
        None => Ok(own()?.map(|file| Arc::clone(&file.multi))),
        Some(NONE) => Ok(None),
        Some(THESIS) => Ok(own()?.map(|file| Arc::clone(&file.thesis))),
        Some(name) => {
            let file = open_cuts(name)?;
            if file.unit() != unit {
                let (found, wanted) = (unit_name(file.unit()), unit_name(unit));
                return Err(CutsError::Unit { file: name.to_string(), found, wanted });
            }
            Ok(Some(Arc::clone(&file.multi)))
        }
    }
}

/// Evaluations whose errors nobody has measured.
const BY_HAND: [&str; 2] = ["hand", "mobility-and-corners"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models;

    #[test]
    fn every_shipped_file_opens_and_belongs_to_a_model_that_is_there() {
        for cuts in &SHIPPED {
            let file = cuts.open().unwrap();
            assert_eq!(file.model, cuts.model);
            let is_own = models::has_digest(cuts.model, &file.model_digest).unwrap();
            assert!(is_own, "{}: fit the cuts anew", cuts.model);
            assert!(shipped(cuts.model).is_some());
            assert_eq!(file.unit(), models::open_model(cuts.model).unwrap().unit());
            // Only the pair of the thesis, at its depth.
            assert_eq!(file.thesis.midgame(30, 8).len(), 1);
            assert!(file.thesis.midgame(30, 10).is_empty() && file.thesis.endgame(16).is_empty());
            assert!(!file.multi.midgame(30, 8).is_empty() && !file.multi.endgame(16).is_empty());
        }
    }

    #[test]
    fn cuts_are_found_by_word_name_and_file() {
        assert_eq!(shipped("dreams"), None);
        assert!(open_cuts("dreams").unwrap_err().to_string().contains("'dreams'"));
        assert!(open_cuts("no/such.zug").unwrap_err().to_string().contains("no/such.zug"));
        assert_eq!(cuts_for("patterns", Unit::Discs, Some("none")).unwrap(), None);
        assert_eq!(cuts_for("hand", Unit::Discs, Some("thesis")).unwrap(), None);
        for cuts in &SHIPPED {
            let (file, unit) = (cuts.open().unwrap(), cuts.open().unwrap().unit());
            let found = |word| cuts_for(cuts.model, unit, word).unwrap().unwrap();
            assert_eq!(found(None), file.multi);
            assert_eq!(found(Some("thesis")), file.thesis);
            assert_eq!(found(Some(cuts.model)), file.multi);
            assert!(cuts_for("file.zug", unit, None).unwrap().is_some());
            let other = if unit == Unit::Discs { Unit::LogOdds } else { Unit::Discs };
            let error = cuts_for("x", other, Some(cuts.model)).unwrap_err().to_string();
            assert!(error.contains("counts in"), "{error}");
        }
    }
}

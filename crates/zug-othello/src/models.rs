//! Which models are there, and how is one opened by its name or its file?

use crate::Board;
use crate::engine::{Evaluation, Unit};
use crate::patterns::{ModelError, PatternModel};
use crate::tempo::Tempo;
use crate::thesis::{ThesisError, ThesisModel};
use std::path::Path;
use zug_core::container::{Container, ContainerError, Expect, Header};
use zug_core::error::shorten;

/// A model that is compiled into the program.
pub struct Shipped {
    /// The word by which it is asked for.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// The file.
    pub bytes: &'static [u8],
}

/// The models that come with the program, the default one first.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "patterns",
        help: "all cells of thirteen tables fitted together; the strongest",
        bytes: include_bytes!("../../../models/othello.zug"),
    },
    Shipped {
        name: "self-play",
        help: "the same tables, learned from five million games against itself and nothing else",
        bytes: include_bytes!("../../../models/othello-self-play.zug"),
    },
    Shipped {
        name: "logistic-plus",
        help: "LOG+ of the thesis, the evaluation of LOGISTELLO",
        bytes: include_bytes!("../../../models/othello-logistic-plus.zug"),
    },
    Shipped {
        name: "logistic",
        help: "LOG of the thesis",
        bytes: include_bytes!("../../../models/othello-logistic.zug"),
    },
    Shipped {
        name: "fisher-plus",
        help: "FISHER+ of the thesis",
        bytes: include_bytes!("../../../models/othello-fisher-plus.zug"),
    },
    Shipped {
        name: "fisher",
        help: "FISHER of the thesis",
        bytes: include_bytes!("../../../models/othello-fisher.zug"),
    },
    Shipped {
        name: "quadratic",
        help: "QUAD of the thesis",
        bytes: include_bytes!("../../../models/othello-quadratic.zug"),
    },
];

/// A model of any layout.
// Few exist at a time, and none is moved often.
#[allow(clippy::large_enum_variant)]
pub enum AnyModel {
    /// A sum of table cells; values are discs.
    Patterns(PatternModel),
    /// Features weighed by a formula for each disc count; values are log-odds.
    Thesis(Box<ThesisModel>),
}

/// A model that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum OpenModelError {
    /// Neither a file nor a name.
    #[error(
        "there is no file '{}', and no model of that name comes with the program ({known})",
        shorten(name)
    )]
    NotFound {
        /// What was asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// The default model was asked for, and there is none.
    #[error("no model comes with this program; name a file")]
    NoneShipped,
    /// The file: damaged, cut off, of another kind or game.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The file is sound, but what it says is not.
    #[error(transparent)]
    Content(#[from] ModelError),
    /// The same, of a model of the thesis.
    #[error(transparent)]
    Thesis(#[from] ThesisError),
    /// A model of Othello, in a layout that this program does not know.
    #[error("{file}: this program knows no models of layout '{}' (only {KNOWN})", shorten(layout))]
    Layout {
        /// The file.
        file: String,
        /// Its layout.
        layout: String,
    },
}

const KNOWN: &str = "othello-patterns/1 and othello-thesis/1";

/// A model with the header that says how it was made.
pub struct OpenedModel {
    /// The model.
    pub model: AnyModel,
    /// How it was made.
    pub header: Header,
}

/// Opens a model that comes with the program by its name, or one from a file.
///
/// ```
/// let Err(error) = zug_othello::open_model("no-such-model") else { panic!() };
/// assert!(error.to_string().contains("no-such-model"));
/// ```
pub fn open_model(name_or_path: &str) -> Result<AnyModel, OpenModelError> {
    open_with_header(name_or_path).map(|opened| opened.model)
}

/// Opens a model, and tells how it was made.
pub fn open_with_header(name_or_path: &str) -> Result<OpenedModel, OpenModelError> {
    let container = match SHIPPED.iter().find(|s| s.name == name_or_path) {
        Some(shipped) => {
            let source = Box::new(shipped.bytes);
            Container::from_source(shipped.name.to_string(), source, &Expect::model("othello"))?
        }
        None => {
            let path = Path::new(name_or_path);
            // A word without dot and slash is meant as a name.
            if !path.exists() && !name_or_path.contains(['.', '/', '\\']) {
                let names: Vec<&str> = SHIPPED.iter().map(|s| s.name).collect();
                let known = match names.as_slice() {
                    [] => "none does".to_string(),
                    names => format!("there are: {}", names.join(", ")),
                };
                return Err(OpenModelError::NotFound { name: name_or_path.to_string(), known });
            }
            Container::open(path, &Expect::model("othello"))?
        }
    };
    read(&container)
}

/// The digest of a model's file, by its name or path; `None` is the default model. The same name
/// may stand for another model tomorrow.
pub fn digest(name_or_path: Option<&str>) -> std::io::Result<String> {
    let shipped = match name_or_path {
        None => SHIPPED.first(),
        Some(name) => SHIPPED.iter().find(|s| s.name == name),
    };
    let mut hasher = blake3::Hasher::new();
    match (shipped, name_or_path) {
        (Some(shipped), _) => hasher.update(shipped.bytes),
        (None, Some(path)) => hasher.update_reader(std::fs::File::open(path)?)?,
        (None, None) => &mut hasher,
    };
    Ok(hasher.finalize().to_hex().to_string())
}

/// The note of a model whose values have had something taken off ([`tempo`](crate::tempo)): the digest
/// of its file before.
pub const BEFORE_TEMPO: &str = "before-tempo";

/// Is this the digest of a model, or of the same weights with nothing taken off? What was measured with
/// these holds for the corrected model, too: searches differ by a number that is known
/// ([`ProbCut::adapted`](crate::engine::ProbCut::adapted)).
pub fn has_digest(name_or_path: &str, wanted: &str) -> Result<bool, OpenModelError> {
    let opened = open_with_header(name_or_path)?;
    let same = digest(Some(name_or_path)).is_ok_and(|digest| digest == wanted);
    Ok(same || opened.header.notes.get(BEFORE_TEMPO).is_some_and(|before| before == wanted))
}

/// The model that is used when none is asked for.
pub fn default_model() -> Result<OpenedModel, OpenModelError> {
    let first = SHIPPED.first().ok_or(OpenModelError::NoneShipped)?;
    open_with_header(first.name)
}

fn read(container: &Container) -> Result<OpenedModel, OpenModelError> {
    let header = container.header().clone();
    let model = if PatternModel::is_header(&header) {
        AnyModel::Patterns(PatternModel::read(container)?)
    } else if ThesisModel::is_header(&header) {
        AnyModel::Thesis(Box::new(ThesisModel::read(container)?))
    } else {
        let (file, layout) = (container.file().to_string(), header.layout);
        return Err(OpenModelError::Layout { file, layout });
    };
    Ok(OpenedModel { model, header })
}

impl AnyModel {
    /// The unit of the values.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self {
            AnyModel::Patterns(model) => model.unit(),
            AnyModel::Thesis(model) => model.unit(),
        }
    }

    /// What the values have had taken off.
    #[must_use]
    pub fn tempo(&self) -> &Tempo {
        match self {
            AnyModel::Patterns(model) => model.tempo(),
            AnyModel::Thesis(model) => model.tempo(),
        }
    }

    /// The values of positions in the steps of the [unit](AnyModel::unit), each for its side to
    /// move. No game may be over, and every side to move must have a move.
    pub fn values(&self, boards: &[Board], out: &mut [i32]) {
        match self {
            AnyModel::Patterns(model) => values(model, boards, out),
            AnyModel::Thesis(model) => values(&**model, boards, out),
        }
    }
}

fn values<E: Evaluation>(model: &E, boards: &[Board], out: &mut [i32]) {
    for (&board, value) in boards.iter().zip(out) {
        *value = model.value(board, &model.state(board));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::{PatternSet, Phases};
    use zug_core::container::{Kind, Writer};

    #[test]
    fn a_model_is_opened_by_its_file_with_how_it_was_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.zug");
        let set = PatternSet::parse(&["a1"]).unwrap();
        let model = PatternModel::new(set, Phases::new(&[4]).unwrap(), vec![-1, 0, 1]).unwrap();
        let mut header = PatternModel::header();
        header.made.seed = Some(7);
        model.write(&path, &header).unwrap();
        let opened = open_with_header(path.to_str().unwrap()).unwrap();
        assert_eq!(opened.header.made.seed, Some(7));
        assert_eq!(opened.model.unit(), Unit::Discs);
        let mut values = [0];
        opened.model.values(&[Board::START], &mut values);
        assert_eq!(values, [0]);
    }

    #[test]
    fn what_is_no_model_of_othello_is_refused_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.zug");
        let name = path.to_str().unwrap();
        let refusal = || open_model(name).err().expect("refused").to_string();
        assert!(refusal().contains("file.zug"));
        std::fs::write(&path, "nothing of ours").unwrap();
        assert!(refusal().contains("no Zug file"));
        for (kind, game, layout, word) in [
            (Kind::Model, "chess", "othello-patterns/1", "'chess'"),
            (Kind::Examples, "othello", "othello-patterns/1", "expected a model"),
            (Kind::Model, "othello", "othello-dreams/1", "othello-dreams/1"),
            (Kind::Model, "othello", "othello-patterns/1", "patterns"),
            (Kind::Model, "othello", "othello-thesis/1", "method"),
        ] {
            Writer::create(&path, &Header::new(kind, game, layout)).unwrap().commit().unwrap();
            assert!(refusal().contains(word), "{}", refusal());
        }
        assert!(open_model("dreams").err().unwrap().to_string().contains("'dreams'"));
    }

    #[test]
    fn every_shipped_model_opens() {
        for shipped in SHIPPED {
            assert!(open_model(shipped.name).is_ok(), "{}", shipped.name);
        }
    }
}

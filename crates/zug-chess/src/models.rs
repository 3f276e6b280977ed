//! Which models are there, and how is one opened by its name or its file?

use crate::model::{Model, ModelError, Start};
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
        name: "learned",
        help: "learned from nothing but games against itself: middlegame and five kinds of endings",
        bytes: include_bytes!("../../../models/chess.zug"),
    },
    Shipped {
        name: "td-leaf",
        help: "learned by TD-Leaf from material alone in 20,880 games: middlegame and ending",
        bytes: include_bytes!("../../../models/chess-td-leaf.zug"),
    },
];

/// The name of the evaluation that was written by hand.
pub const HAND: &str = "hand";

/// What positions are valued by.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyModel {
    /// The evaluation that was written by hand.
    Hand,
    /// Weights of factors.
    Factors(Model),
}

/// A model with the header that says how it was made, if it was learned.
pub struct OpenedModel {
    /// The model.
    pub model: AnyModel,
    /// How it was made.
    pub header: Option<Header>,
}

/// A model that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum OpenModelError {
    /// Neither a file nor a name.
    #[error(
        "there is no file '{}', and no model of that name comes with the program (there are: {known})",
        shorten(name)
    )]
    NotFound {
        /// What was asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// The file: damaged, cut off, of another kind or game.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The file is sound, but what it says is not.
    #[error(transparent)]
    Content(#[from] ModelError),
    /// A model of chess, in a layout that this program does not know.
    #[error(
        "{file}: this program knows no models of chess of layout '{}' (only chess-factors/1)",
        shorten(layout)
    )]
    Layout {
        /// The file.
        file: String,
        /// Its layout.
        layout: String,
    },
}

/// All names of models that come with the program: those that were learned, the one written by
/// hand, and the weights that learning begins with.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let starts = Start::ALL.map(Start::word);
    SHIPPED.iter().map(|s| s.name).chain([HAND]).chain(starts).collect()
}

/// Opens a model that comes with the program by its name, or one from a file.
///
/// ```
/// use zug_chess::models::{self, AnyModel};
/// assert!(matches!(models::open_model("hand"), Ok(AnyModel::Hand)));
/// let Err(error) = models::open_model("no-such-model") else { panic!() };
/// assert!(error.to_string().contains("no-such-model"));
/// ```
pub fn open_model(name_or_path: &str) -> Result<AnyModel, OpenModelError> {
    open_with_header(name_or_path).map(|opened| opened.model)
}

/// Opens a model, and tells how it was made.
pub fn open_with_header(name_or_path: &str) -> Result<OpenedModel, OpenModelError> {
    if name_or_path == HAND {
        return Ok(OpenedModel { model: AnyModel::Hand, header: None });
    }
    if let Ok(start) = Start::parse(name_or_path) {
        let model = AnyModel::Factors(Model::start(start.scheme(), start));
        return Ok(OpenedModel { model, header: None });
    }
    let expect = Expect::model("chess");
    let container = match SHIPPED.iter().find(|s| s.name == name_or_path) {
        Some(shipped) => {
            Container::from_source(shipped.name.to_string(), Box::new(shipped.bytes), &expect)?
        }
        None => {
            let path = Path::new(name_or_path);
            // A word without dot and slash is meant as a name.
            if !path.exists() && !name_or_path.contains(['.', '/', '\\']) {
                let (name, known) = (name_or_path.to_string(), names().join(", "));
                return Err(OpenModelError::NotFound { name, known });
            }
            Container::open(path, &expect)?
        }
    };
    let header = container.header().clone();
    if !Model::is_header(&header) {
        let file = container.file().to_string();
        return Err(OpenModelError::Layout { file, layout: header.layout });
    }
    let model = AnyModel::Factors(Model::read(&container)?);
    Ok(OpenedModel { model, header: Some(header) })
}

/// The name of the model that is used when none is asked for.
#[must_use]
pub fn default_name() -> &'static str {
    SHIPPED.first().map_or(HAND, |s| s.name)
}

/// The digest of a model's file, by its name or path; `None` is the default model. The same name
/// may stand for another model tomorrow. What was set by hand has its name for a digest.
pub fn digest(name_or_path: Option<&str>) -> std::io::Result<String> {
    let name = name_or_path.unwrap_or(default_name());
    if name == HAND || Start::parse(name).is_ok() {
        return Ok(name.to_string());
    }
    let mut hasher = blake3::Hasher::new();
    match SHIPPED.iter().find(|s| s.name == name) {
        Some(shipped) => hasher.update(shipped.bytes),
        None => hasher.update_reader(std::fs::File::open(name)?)?,
    };
    Ok(hasher.finalize().to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Scheme;
    use zug_core::container::{Kind, Writer};

    #[test]
    fn a_model_is_opened_by_its_file_with_how_it_was_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.zug");
        let model = Model::start(Scheme::Phases, Start::Thesis);
        let mut header = Model::header();
        header.made.seed = Some(7);
        model.write(&path, &header).unwrap();
        let name = path.to_str().unwrap();
        let opened = open_with_header(name).unwrap();
        assert_eq!(opened.header.unwrap().made.seed, Some(7));
        assert_eq!(opened.model, AnyModel::Factors(model));
        assert_eq!(digest(Some(name)).unwrap().len(), 64);
    }

    #[test]
    fn what_is_no_model_of_chess_is_refused_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.zug");
        let name = path.to_str().unwrap();
        let refusal = || open_model(name).expect_err("refused").to_string();
        assert!(refusal().contains("file.zug"));
        std::fs::write(&path, "nothing of ours").unwrap();
        assert!(refusal().contains("no Zug file"));
        for (kind, game, layout, word) in [
            (Kind::Model, "othello", "chess-factors/1", "'othello'"),
            (Kind::Examples, "chess", "chess-factors/1", "expected a model"),
            (Kind::Model, "chess", "chess-dreams/1", "chess-dreams/1"),
            (Kind::Model, "chess", "chess-factors/1", "factors"),
        ] {
            Writer::create(&path, &Header::new(kind, game, layout)).unwrap().commit().unwrap();
            assert!(refusal().contains(word), "{}", refusal());
        }
        assert!(open_model("dreams").unwrap_err().to_string().contains("'dreams'"));
    }

    #[test]
    fn every_model_that_comes_with_the_program_opens() {
        for name in names() {
            assert!(open_model(name).is_ok(), "{name}");
        }
        assert!(names().contains(&default_name()));
    }

    #[test]
    fn first_weights_are_opened_by_name_with_their_types() {
        for (name, columns) in [("thesis", 33), ("knightcap1", 4), ("knightcap2", 4), ("zero", 1)] {
            let Ok(AnyModel::Factors(model)) = open_model(name) else { panic!("{name}") };
            assert_eq!(model.scheme.columns(), columns, "{name}");
            assert_eq!(model.column(columns - 1), Start::parse(name).unwrap().column());
            assert_eq!(digest(Some(name)).unwrap(), name);
        }
        let unknown = open_model("dreams").unwrap_err().to_string();
        assert!(unknown.contains("hand, thesis, knightcap1, knightcap2, zero"), "{unknown}");
    }
}

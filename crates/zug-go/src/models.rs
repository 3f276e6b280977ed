//! Which policies are there, and how is one opened by its name or its file?
//!
//! A kind of model that is stored in files has a line in [`LAYOUTS`]; a model that comes with the
//! program has a line in [`SHIPPED`].

use crate::engine::asked;
use crate::knn;
use crate::patterns;
use crate::policy::{Policy, Uniform};
use std::path::Path;
use zug_core::container::{Container, Expect};
use zug_learn::face::{Named, TaskError};

/// A policy that everybody can hold.
pub type SharedPolicy = Box<dyn Policy>;

/// How a policy is made of a file; the name is for people.
pub type FromFile = fn(&Container, name: &str) -> Result<SharedPolicy, TaskError>;

/// A model that is part of the program.
pub struct Shipped {
    /// The word.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// Opens it.
    pub open: fn() -> Result<SharedPolicy, TaskError>,
}

/// Models that come with the program; the first is the default.
pub const SHIPPED: &[Shipped] = &[Shipped {
    name: patterns::shipped::Shipped::NAME,
    help: "patterns, tactics and factors, learned from professional games (19x19) and games of \
           strong players (9x9)",
    open: || Ok(Box::new(patterns::shipped::Shipped::default())),
}];

/// Kinds of files, by the word before the slash in the layout of their header.
pub const LAYOUTS: &[(&str, FromFile)] = &[
    ("go-patterns", |file, name| {
        let mut model = patterns::file::of_container(file).map_err(TaskError::below)?;
        model.rename(name);
        Ok(Box::new(model))
    }),
    ("go-knn", |file, name| Ok(Box::new(knn::Model::read(name, file)?))),
];

/// Every legal move is as likely as any other.
const UNIFORM: &str = "uniform";

/// All names, with a line about each.
#[must_use]
pub fn names() -> Vec<Named> {
    let mut names: Vec<Named> = SHIPPED.iter().map(|s| Named::new(s.name, s.help)).collect();
    names.push(Named::new(UNIFORM, "every legal move is as likely as any other: a baseline"));
    let help = "the player itself, as visits of its search are shared out; it needs a limit";
    names.push(Named::new("zug:playouts=N", help));
    names
}

/// Opens a policy by its name or its file; the default one for `None`.
pub fn open(model: Option<&str>) -> Result<SharedPolicy, TaskError> {
    let Some(name) = model else {
        return match SHIPPED.first() {
            Some(shipped) => (shipped.open)(),
            None => Err(TaskError::Unfit(format!(
                "no model comes with this program; name one: --model FILE, or --model {UNIFORM}"
            ))),
        };
    };
    if let Some(shipped) = SHIPPED.iter().find(|s| s.name == name) {
        return (shipped.open)();
    }
    if name == UNIFORM {
        return Ok(Box::new(Uniform));
    }
    if name.split(':').next() == Some(asked::NAME) {
        return Ok(Box::new(asked::Asked::new(name).map_err(|e| TaskError::Unfit(e.to_string()))?));
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<String> = names().into_iter().map(|n| n.name).collect();
        return Err(TaskError::Unfit(format!(
            "there is no model '{}', and no such file; known are: {}",
            zug_core::error::shorten(name),
            names.join(", ")
        )));
    }
    let file = Container::open(path, &Expect::anything()).map_err(TaskError::below)?;
    of_container(&file, name)
}

/// The policy that an open file holds.
pub fn of_container(file: &Container, name: &str) -> Result<SharedPolicy, TaskError> {
    let layout = &file.header().layout;
    let word = layout.split('/').next().unwrap_or_default();
    match LAYOUTS.iter().find(|(known, _)| *known == word) {
        Some((_, open)) => open(file, name),
        None => {
            let known: Vec<&str> = LAYOUTS.iter().map(|(word, _)| *word).collect();
            Err(TaskError::Unfit(format!(
                "{name}: this file guesses no moves of Go: it is a {} for {} in the layout '{}'; \
                 expected one of: {}",
                file.header().kind,
                zug_core::error::shorten(&file.header().game),
                zug_core::error::shorten(layout),
                if known.is_empty() { "(none yet)".to_string() } else { known.join(", ") },
            )))
        }
    }
}

/// Refuses a board that a policy has not learned.
pub fn check_size(policy: &dyn Policy, size: usize) -> Result<(), TaskError> {
    if policy.knows_size(size) {
        return Ok(());
    }
    let known: Vec<String> = (crate::point::MIN_SIZE..=crate::point::MAX_SIZE)
        .filter(|&s| policy.knows_size(s))
        .map(|s| format!("{s}×{s}"))
        .collect();
    Err(TaskError::Unfit(format!(
        "the model '{}' does not know boards of {size}×{size}; it knows: {}",
        policy.name(),
        known.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::container::{Header, Kind, Writer};

    fn told(result: Result<SharedPolicy, TaskError>) -> String {
        match result {
            Ok(policy) => policy.name(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn policies_are_opened_by_name() {
        assert_eq!(told(open(Some("uniform"))), "uniform");
        assert!(told(open(Some("nonsense"))).contains("known are: "));
        assert!(names().iter().any(|n| n.name == "uniform"));
    }

    #[test]
    fn files_of_another_kind_are_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("book.zug");
        let header = Header::new(Kind::Book, "othello", "book/1");
        Writer::create(&path, &header).unwrap().commit().unwrap();
        let said = told(open(path.to_str()));
        assert!(said.contains("book.zug") && said.contains("guesses no moves of Go"), "{said}");
        std::fs::write(&path, b"something else").unwrap();
        assert!(told(open(path.to_str())).contains("no Zug file"));
    }
}

//! Does every parser survive every input?
//!
//! A [`Target`] feeds bytes to one parser and states a property: mostly, that what was read and
//! written again reads back the same. A target panics when the property fails; returning means that
//! the input was read or refused in good order.
//!
//! Two drivers use the same targets:
//!
//! * `cargo xtask fuzz-million` mutates the corpus in `fuzz/corpus` on stable Rust, with a bound on
//!   memory and time for each input ([`campaign`]);
//! * the `fuzz` folder holds a libFuzzer binary for each target (`cargo fuzz run NAME`), which
//!   needs a nightly compiler and finds what only coverage can find.
//!
//! The tests of this crate run the whole corpus and a few hundred mutations of it.

pub mod allocations;
pub mod campaign;
pub mod corpus;
pub mod mutate;
mod targets;

pub use targets::TARGETS;

/// A parser under test.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name, which is that of its corpus folder too.
    pub name: &'static str,
    /// Feeds it an input; panics when the property fails.
    pub run: fn(&[u8]),
    /// Words of its language, for the mutator.
    pub words: &'static [&'static str],
}

/// The target of a name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|t| t.name == name)
}

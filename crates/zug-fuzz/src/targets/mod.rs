//! One target for every parser.

mod check;
mod core;

use crate::Target;

/// All of them.
pub const TARGETS: &[Target] = &[
    core::CONTAINER,
    core::CONTAINER_PARTS,
    core::DURATION,
    core::SPEC,
    core::TEXT_RECORDS,
];

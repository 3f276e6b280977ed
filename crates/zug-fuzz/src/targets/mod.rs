//! One target for every parser.

mod books;
mod check;
mod chess;
mod chess_files;
mod core;
mod databases;
mod games;
mod go;
mod go_playouts;
mod go_questions;
mod models;
mod othello;
mod protocols;
mod record_index;
mod seeds;
mod texel;

pub use seeds::seeds;

use crate::Target;

/// All of them.
pub const TARGETS: &[Target] = &[
    core::CONTAINER,
    core::CONTAINER_PARTS,
    core::DURATION,
    core::SPEC,
    core::TEXT_RECORDS,
    books::BOOK,
    books::BOOK_NAMES,
    record_index::INDEX,
    databases::DATABASE_LIST,
    databases::DATABASE_STAGE,
    othello::POSITIONS,
    othello::TRANSCRIPTS,
    othello::GGF,
    othello::WTHOR,
    othello::NAMES,
    othello::OBF,
    othello::EXAMPLES,
    models::PATTERN,
    models::PATTERN_MODEL,
    models::THESIS_MODEL,
    models::CUTS,
    chess::POSITIONS,
    chess::FEN,
    chess::SAN,
    chess::EPD,
    chess::PGN,
    chess::LEARNER_LOG,
    chess_files::MODEL,
    chess_files::POLYGLOT,
    texel::EXAMPLES,
    texel::LABELLED,
    go::POSITIONS,
    go::RULES,
    go::SGF_TREE,
    go::SGF,
    go_questions::COMMANDS,
    go_questions::QUESTIONS,
    go_questions::INDEX,
    go::KNN_MODEL,
    go_playouts::MODEL,
    games::SPECS,
    games::DODGEM,
    games::K_IN_A_ROW,
    games::CONNECT4,
    games::MORRIS,
    games::NIM,
    protocols::UCI_LINES,
    protocols::UCI_SESSION,
    protocols::CECP_SESSION,
    protocols::GTP_LINES,
    protocols::GTP_SESSION,
    protocols::NBOARD_LINES,
    protocols::NBOARD_SESSION,
    protocols::UCI_DRIVER,
    protocols::CECP_DRIVER,
    protocols::GTP_DRIVER,
    protocols::NBOARD_DRIVER,
    protocols::MATCH_OPTIONS,
];

//! Being an engine: UCI, GTP and NBoard.

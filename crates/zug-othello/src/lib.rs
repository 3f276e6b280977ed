//! Othello: rules on bitboards, records, evaluation.

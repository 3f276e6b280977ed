//! Chess: rules, FEN, EPD, SAN, PGN, evaluation.

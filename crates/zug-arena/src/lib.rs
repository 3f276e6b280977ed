//! Matches, ratings, and foreign engines over UCI, CECP, GTP and NBoard.

//! Features and pattern tables of the thesis, and the players that combine them.

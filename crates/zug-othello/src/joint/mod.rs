//! All cells of all pattern tables fitted together.

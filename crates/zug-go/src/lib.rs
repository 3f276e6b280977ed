//! Go: rules, SGF, scoring, playouts.

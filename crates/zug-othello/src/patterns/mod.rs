//! Patterns of squares, and the model that is a sum over them.

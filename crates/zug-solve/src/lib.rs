//! Perfect play: the general index of positions.

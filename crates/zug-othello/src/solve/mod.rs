//! The exact value of late positions, by search to the end of the game.

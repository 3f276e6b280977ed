//! Where do counted factors go: into a list, or straight into a weighted sum?

/// Takes the factors of one side, as they are found; those of White come first.
pub trait Sink {
    /// From here on the factors are those of the other side.
    fn turn(&mut self);

    /// The factor occurs once more.
    fn add(&mut self, factor: usize);

    /// The factor occurs so many times more.
    fn times(&mut self, factor: usize, times: usize);

    /// A piece (0 pawn to 5 king) stands on a square. Bit 0 of `wings`: the own king is on files a
    /// to d; bit 1: the enemy king is.
    fn piece(&mut self, piece: usize, square: usize, wings: usize);
}

/// Which wings the kings are on: bit 0 for the own king on files a to d, bit 1 for the enemy's.
#[inline(always)]
pub const fn wings(own_king: usize, enemy_king: usize) -> usize {
    (own_king & 7 < 4) as usize | ((enemy_king & 7 < 4) as usize) << 1
}

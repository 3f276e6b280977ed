//! Numbers as little-endian bytes.

/// A number that a section can hold an array of.
pub trait Element: Copy + 'static {
    /// Bytes of one.
    const SIZE: usize;
    /// Appends its bytes.
    fn put(self, out: &mut Vec<u8>);
    /// Reads it from exactly [`SIZE`](Element::SIZE) bytes.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($number:ty),*) => {$(
        impl Element for $number {
            const SIZE: usize = size_of::<$number>();
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> $number {
                <$number>::from_le_bytes(bytes.try_into().expect("the bytes of one element"))
            }
        }
    )*};
}

elements!(u8, i8, u16, i16, u32, i32, u64, i64, u128, f32, f64);

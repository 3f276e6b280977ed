//! Numbers of variable length, written and read with bounds.

/// Appends a number, seven bits a byte, the lowest first.
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a number with a sign: 0, −1, 1, −2, … become 0, 1, 2, 3, …
pub fn put_signed(out: &mut Vec<u8>, value: i64) {
    put(out, ((value << 1) ^ (value >> 63)) as u64);
}

/// Appends a text with its length.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Reads one section from its beginning to its end.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// What is wrong, in words; the caller knows the section.
pub type Fault = String;

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    /// Bytes read so far.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn byte(&mut self) -> Result<u8, Fault> {
        let byte = *self.bytes.get(self.at).ok_or("the section ends too early")?;
        self.at += 1;
        Ok(byte)
    }

    /// A number of at most `most`.
    pub fn number(&mut self, most: u64, what: &str) -> Result<u64, Fault> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                // One way to write a number, so that the same book is always the same bytes.
                if byte == 0 && shift > 0 {
                    break;
                }
                if value > most {
                    return Err(format!("expected {what} of at most {most}, found {value}"));
                }
                return Ok(value);
            }
        }
        Err(format!("expected {what}, found no number"))
    }

    /// A number with a sign, at most `most` either way.
    pub fn signed(&mut self, most: u32, what: &str) -> Result<i32, Fault> {
        let coded = self.number(u64::from(u32::MAX), what)?;
        let value = (coded >> 1) as i64 ^ -((coded & 1) as i64);
        if value.unsigned_abs() > u64::from(most) {
            return Err(format!("expected {what} of at most {most} either way, found {value}"));
        }
        i32::try_from(value).map_err(|_| format!("expected {what}, found {value}"))
    }

    pub fn key(&mut self) -> Result<u64, Fault> {
        let bytes = self.bytes.get(self.at..self.at + 8).ok_or("the section ends too early")?;
        self.at += 8;
        Ok(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }

    /// A text of at most `most` bytes.
    pub fn text(&mut self, most: usize, what: &str) -> Result<&'a str, Fault> {
        let length = self.number(most as u64, "the length of a text")? as usize;
        let bytes =
            self.bytes.get(self.at..self.at + length).ok_or("the section ends too early")?;
        let text =
            std::str::from_utf8(bytes).map_err(|_| format!("expected {what} as text in UTF-8"))?;
        self.at += length;
        Ok(text)
    }

    /// Nothing may be left.
    pub fn end(&self) -> Result<(), Fault> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            left => Err(format!("expected the end of the section, found {left} more bytes")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_survive_and_end_where_they_should(a in any::<u64>(), b in -1_000_000i32..1_000_000) {
            let mut out = Vec::new();
            put(&mut out, a);
            put_signed(&mut out, i64::from(b));
            put_text(&mut out, "f5d6");
            let mut reader = Reader::new(&out);
            prop_assert_eq!(reader.number(u64::MAX, "a"), Ok(a));
            prop_assert_eq!(reader.signed(1_000_000, "b"), Ok(b));
            prop_assert_eq!(reader.text(4, "c"), Ok("f5d6"));
            prop_assert_eq!(reader.end(), Ok(()));
            for cut in 0..out.len() {
                let mut reader = Reader::new(&out[..cut]);
                let read = reader.number(u64::MAX, "a").and_then(|_| reader.signed(1_000_000, "b"));
                prop_assert!(read.and_then(|_| reader.text(4, "c")).is_err());
            }
        }
    }

    #[test]
    fn numbers_out_of_bounds_and_written_longer_than_needed_are_refused() {
        assert!(Reader::new(&[0x81, 0x01]).number(128, "a size").unwrap_err().contains("129"));
        assert!(Reader::new(&[0x81, 0x00]).number(128, "a size").is_err());
        assert!(Reader::new(&[0xFF; 10]).number(u64::MAX, "a size").is_err());
        assert!(Reader::new(&[5]).signed(2, "a value").unwrap_err().contains("-3"));
    }
}

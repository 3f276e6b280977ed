//! What is in a file that may be compressed, and in an archive? Read as a stream, one part after the other: a
//! few kilobytes can unpack to gigabytes, which must never be in memory at once.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The largest window of a compressed file, as a power of two: what `zstd --long` writes. It is memory.
const WINDOW: u32 = 27;
/// An archive consists of blocks.
const BLOCK: u64 = 512;

/// A stream of bytes.
pub type Stream = Box<dyn BufRead + Send>;

/// The ending of a file name, in small letters.
#[must_use]
pub fn ending(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

/// Does the name say that the file is compressed (`games.pgn.zst`)?
#[must_use]
pub fn is_compressed(path: &Path) -> bool {
    ending(path) == "zst"
}

/// The ending of a file name without that of the compression.
#[must_use]
pub fn inner_ending(path: &Path) -> String {
    if is_compressed(path) { ending(&path.with_extension("")) } else { ending(path) }
}

/// Does the name say that it is an archive, compressed or not?
#[must_use]
pub fn is_archive(path: &Path) -> bool {
    inner_ending(path) == "tar"
}

/// Decompresses a stream.
pub fn unpacked(input: impl BufRead + Send + 'static) -> io::Result<Stream> {
    let mut decoder = zstd::Decoder::with_buffer(input)?;
    decoder.window_log_max(WINDOW)?;
    Ok(Box::new(BufReader::new(decoder)))
}

/// Opens a file, and decompresses it if its name says so.
pub fn open(path: &Path) -> io::Result<Stream> {
    let file = BufReader::new(File::open(path)?);
    if is_compressed(path) { unpacked(file) } else { Ok(Box::new(file)) }
}

/// All bytes of a stream, if there are at most so many.
pub fn read_all(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// The plain files in an archive, in its order. What is left of one when the next is asked for is passed over.
pub struct Archive(Arc<Mutex<Place>>);

/// A file in an archive.
pub struct Part {
    /// Its name with the folders of the archive.
    pub name: PathBuf,
    /// Its bytes, decompressed if its name says so.
    pub input: io::Result<Stream>,
}

/// How far an archive was read.
struct Place {
    input: Stream,
    /// Bytes of the present file that are left, and of its last block.
    left: u64,
    padding: u64,
    ended: bool,
}

impl Archive {
    /// Opens an archive.
    pub fn open(path: &Path) -> io::Result<Archive> {
        let place = Place { input: open(path)?, left: 0, padding: 0, ended: false };
        Ok(Archive(Arc::new(Mutex::new(place))))
    }
}

impl Place {
    fn skip(&mut self, count: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.input.by_ref().take(count), &mut io::sink())?;
        if skipped < count {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the archive breaks off"));
        }
        Ok(())
    }

    /// Goes to the next plain file, and tells its name.
    fn next(&mut self) -> io::Result<Option<PathBuf>> {
        loop {
            let rest = std::mem::take(&mut self.left) + std::mem::take(&mut self.padding);
            self.skip(rest)?;
            // What one header says, with the long name before it, is all that is asked of the library.
            let mut archive = tar::Archive::new(&mut self.input);
            let Some(entry) = archive.entries()?.next() else { return Ok(None) };
            let entry = entry?;
            let (kind, name, size) =
                (entry.header().entry_type(), entry.path()?.into_owned(), entry.size());
            self.left = if kind.is_file() { size } else { entry.header().entry_size()? };
            self.padding = self.left.next_multiple_of(BLOCK) - self.left;
            if kind.is_file() {
                return Ok(Some(name));
            }
        }
    }
}

impl Iterator for Archive {
    type Item = io::Result<Part>;

    fn next(&mut self) -> Option<io::Result<Part>> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if place.ended {
            return None;
        }
        let found = place.next();
        place.ended = !matches!(found, Ok(Some(_)));
        drop(place);
        let part = |name: PathBuf| {
            let input = BufReader::new(Inside(Arc::clone(&self.0)));
            let input =
                if is_compressed(&name) { unpacked(input) } else { Ok(Box::new(input) as Stream) };
            Part { name, input }
        };
        found.map(|name| name.map(part)).transpose()
    }
}

/// The present file of an archive.
struct Inside(Arc<Mutex<Place>>);

impl Read for Inside {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let most = usize::try_from(place.left).unwrap_or(usize::MAX).min(buffer.len());
        let got = place.input.read(&mut buffer[..most])?;
        if got == 0 && most > 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the archive breaks off"));
        }
        place.left -= got as u64;
        Ok(got)
    }
}

/// A stream that adds what is read to a digest.
pub struct Hashed<'h, R> {
    input: R,
    hasher: &'h mut blake3::Hasher,
}

impl<'h, R: BufRead> Hashed<'h, R> {
    /// Of a stream.
    pub fn new(input: R, hasher: &'h mut blake3::Hasher) -> Hashed<'h, R> {
        Hashed { input, hasher }
    }

    /// Reads what was not read before, so that the digest is that of the whole stream.
    pub fn finish(mut self) -> io::Result<()> {
        io::copy(&mut self, &mut io::sink()).map(|_| ())
    }
}

impl<R: BufRead> Read for Hashed<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.input.read(buffer)?;
        self.hasher.update(&buffer[..got]);
        Ok(got)
    }
}

impl<R: BufRead> BufRead for Hashed<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        // They are in the buffer, so nothing is read.
        if let Ok(buffer) = self.input.fill_buf() {
            self.hasher.update(&buffer[..count.min(buffer.len())]);
        }
        self.input.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, bytes) in parts {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, name, *bytes).unwrap();
        }
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Directory);
        header.set_size(0);
        tar.append_data(&mut header, "folder/", &[][..]).unwrap();
        tar.into_inner().unwrap()
    }

    fn all(path: &Path) -> Vec<(String, Vec<u8>)> {
        let parts = Archive::open(path).unwrap();
        let read = |part: Part| {
            let mut bytes = Vec::new();
            part.input.unwrap().read_to_end(&mut bytes).unwrap();
            (part.name.display().to_string(), bytes)
        };
        parts.map(|part| read(part.unwrap())).collect()
    }

    #[test]
    fn the_parts_of_an_archive_come_one_after_the_other() {
        let dir = tempfile::tempdir().unwrap();
        let long = format!("{}/b.txt", "x".repeat(150));
        let packed = zstd::encode_all(&[7; 100_000][..], 0).unwrap();
        let parts: [(&str, &[u8]); 4] =
            [("a.txt", b"one"), (&long, &[b'y'; 1024]), ("empty", b""), ("c.zst", &packed)];
        let tar = archive(&parts);
        let expected: Vec<(String, Vec<u8>)> = parts
            .iter()
            .map(|(name, bytes)| (name.to_string(), bytes.to_vec()))
            .map(|(name, b)| if name == "c.zst" { (name, vec![7; 100_000]) } else { (name, b) })
            .collect();
        let (plain, zst) = (dir.path().join("x.tar"), dir.path().join("x.tar.zst"));
        std::fs::write(&plain, &tar).unwrap();
        std::fs::write(&zst, zstd::encode_all(&tar[..], 0).unwrap()).unwrap();
        assert_eq!(all(&plain), expected);
        assert_eq!(all(&zst), expected);
        // What is not read is passed over.
        let names: Vec<_> = Archive::open(&zst).unwrap().map(|part| part.unwrap().name).collect();
        assert_eq!(names.len(), 4);
        std::fs::write(&plain, &tar[..700]).unwrap();
        assert!(Archive::open(&plain).unwrap().any(|part| part.is_err()));
    }

    #[test]
    fn a_digest_is_that_of_the_whole_stream() {
        let bytes: Vec<u8> = (0..100_000u32).map(|i| i as u8).collect();
        let mut hasher = blake3::Hasher::new();
        let mut hashed = Hashed::new(BufReader::new(&bytes[..]), &mut hasher);
        let mut line = Vec::new();
        hashed.read_until(b'\n', &mut line).unwrap();
        hashed.read_exact(&mut [0; 1000]).unwrap();
        hashed.finish().unwrap();
        assert_eq!(hasher.finalize(), blake3::hash(&bytes));
    }
}

//! The binary parts: prelude, table and footer. Bytes in, checked numbers out; no file in sight.

use super::Problem;

/// The format that is written. Older ones stay readable.
pub const FORMAT_VERSION: u32 = 1;
/// The longest header text.
pub const MAX_HEADER: usize = 1 << 20;
/// The largest block, unpacked.
pub const MAX_BLOCK: usize = 16 << 20;
/// The block size that is used unless the writer chooses: a good trade of packing against the cost
/// of reading one value.
pub const DEFAULT_BLOCK: usize = 64 << 10;
/// The longest table: 16 million blocks, a tebibyte at the default block size.
pub(super) const MAX_TABLE: u64 = 256 << 20;
/// The most sections, and the longest name of one.
pub(super) const MAX_SECTIONS: usize = 1 << 16;
pub(super) const MAX_NAME: usize = 255;

/// A byte that is no text, line ends of both kinds, and an end-of-file mark: whatever mangles text
/// files breaks it at once.
pub(super) const MAGIC: [u8; 8] = *b"\x89ZUG\r\n\x1a\n";
const END_MAGIC: [u8; 8] = *b"\nZUGEND\n";

pub(super) const PRELUDE: usize = 20;
pub(super) const FOOTER: usize = 32;
const ENTRY: usize = 16;

/// Magic, version, length of the header, checksum of those and the header.
pub(super) fn write_prelude(header: &str) -> [u8; PRELUDE] {
    let mut out = [0; PRELUDE];
    out[..8].copy_from_slice(&MAGIC);
    out[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    out[12..16].copy_from_slice(&(header.len() as u32).to_le_bytes());
    let checksum = prelude_checksum(&out, header.as_bytes());
    out[16..].copy_from_slice(&checksum.to_le_bytes());
    out
}

fn prelude_checksum(prelude: &[u8; PRELUDE], header: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&prelude[..16]);
    crc.update(header);
    crc.finalize()
}

/// The length of the header text; refuses what is no container or too new.
pub(super) fn header_length(prelude: &[u8; PRELUDE]) -> Result<usize, Problem> {
    if prelude[..8] != MAGIC {
        return Err(Problem::NotAContainer);
    }
    let found = u32_at(prelude, 8);
    if found > FORMAT_VERSION {
        return Err(Problem::NewerVersion { found, known: FORMAT_VERSION });
    }
    if found == 0 {
        return Err(Problem::damaged(8, "expected a format version from 1 on"));
    }
    let length = u32_at(prelude, 12) as usize;
    if length > MAX_HEADER {
        let (length, most) = (length as u64, MAX_HEADER as u64);
        return Err(Problem::TooLarge { what: "the header".into(), length, most });
    }
    Ok(length)
}

/// The header text, if its checksum fits.
pub(super) fn check_header(prelude: &[u8; PRELUDE], header: Vec<u8>) -> Result<String, Problem> {
    if prelude_checksum(prelude, &header) != u32_at(prelude, 16) {
        return Err(Problem::damaged(0, "the checksum of the header does not fit"));
    }
    String::from_utf8(header)
        .map_err(|_| Problem::damaged(PRELUDE as u64, "the header is no UTF-8 text"))
}

/// Where a block lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub offset: u64,
    pub length: u32,
    pub checksum: u32,
}

/// A section in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SectionEntry {
    pub name: String,
    /// Unpacked.
    pub length: u64,
    /// Unpacked; the last block may be shorter.
    pub block_size: u32,
    pub blocks: Vec<Block>,
}

impl SectionEntry {
    /// The unpacked length of a block.
    pub fn block_length(&self, block: usize) -> usize {
        let begin = block as u64 * u64::from(self.block_size);
        (self.length - begin).min(u64::from(self.block_size)) as usize
    }
}

pub(super) fn write_table(sections: &[SectionEntry]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend((sections.len() as u32).to_le_bytes());
    for section in sections {
        out.extend((section.name.len() as u16).to_le_bytes());
        out.extend(section.name.as_bytes());
        out.extend(section.length.to_le_bytes());
        out.extend(section.block_size.to_le_bytes());
    }
    for block in sections.iter().flat_map(|s| &s.blocks) {
        out.extend(block.offset.to_le_bytes());
        out.extend(block.length.to_le_bytes());
        out.extend(block.checksum.to_le_bytes());
    }
    out
}

/// Reads a table that lies at `table_at`; its blocks must fill the bytes from `blocks_at` to there.
pub(super) fn read_table(
    table: &[u8],
    blocks_at: u64,
    table_at: u64,
) -> Result<Vec<SectionEntry>, Problem> {
    let mut cursor = Cursor { rest: table, at: table_at };
    let count = cursor.u32()? as usize;
    if count > MAX_SECTIONS {
        return Err(cursor.bad("too many sections"));
    }
    let mut sections: Vec<SectionEntry> = Vec::new();
    let mut total_blocks = 0u64;
    for _ in 0..count {
        let name_length = usize::from(cursor.u16()?);
        let name = std::str::from_utf8(cursor.take(name_length)?)
            .map_err(|_| cursor.bad("the name of a section is no UTF-8 text"))?
            .to_string();
        let length = cursor.u64()?;
        let block_size = cursor.u32()?;
        if block_size == 0 || block_size as usize > MAX_BLOCK {
            return Err(cursor.bad(format!("the block size {block_size} of '{name}'")));
        }
        total_blocks = total_blocks.saturating_add(length.div_ceil(u64::from(block_size)));
        sections.push(SectionEntry { name, length, block_size, blocks: Vec::new() });
    }
    // Only now is memory taken for the blocks: their entries are known to be there.
    if total_blocks.checked_mul(ENTRY as u64) != Some(cursor.rest.len() as u64) {
        return Err(cursor.bad(format!("{total_blocks} blocks do not fit the table")));
    }
    let mut next = blocks_at;
    for section in &mut sections {
        let blocks = section.length.div_ceil(u64::from(section.block_size)) as usize;
        section.blocks.reserve_exact(blocks);
        for _ in 0..blocks {
            let block =
                Block { offset: cursor.u64()?, length: cursor.u32()?, checksum: cursor.u32()? };
            let end = block.offset.checked_add(u64::from(block.length));
            if block.offset != next || block.length == 0 || end.is_none_or(|e| e > table_at) {
                return Err(cursor.bad("the blocks do not follow one another"));
            }
            next += u64::from(block.length);
            section.blocks.push(block);
        }
    }
    if next != table_at {
        return Err(cursor.bad("the blocks end before the table begins"));
    }
    let mut names: Vec<&str> = sections.iter().map(|s| s.name.as_str()).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(cursor.bad("two sections have the same name"));
    }
    Ok(sections)
}

/// Place and length of the table, its checksum, a checksum of those, the end magic.
pub(super) fn write_footer(table_at: u64, table: &[u8]) -> [u8; FOOTER] {
    let mut out = [0; FOOTER];
    out[..8].copy_from_slice(&table_at.to_le_bytes());
    out[8..16].copy_from_slice(&(table.len() as u64).to_le_bytes());
    out[16..20].copy_from_slice(&crc32fast::hash(table).to_le_bytes());
    let checksum = crc32fast::hash(&out[..20]);
    out[20..24].copy_from_slice(&checksum.to_le_bytes());
    out[24..].copy_from_slice(&END_MAGIC);
    out
}

/// What the footer says about the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct TablePlace {
    pub offset: u64,
    pub length: u64,
    pub checksum: u32,
}

/// Reads the footer of a file of `file_length` bytes whose blocks begin at `blocks_at`.
pub(super) fn read_footer(
    footer: &[u8; FOOTER],
    blocks_at: u64,
    file_length: u64,
) -> Result<TablePlace, Problem> {
    let at = file_length - FOOTER as u64;
    if footer[24..] != END_MAGIC {
        return Err(Problem::Truncated);
    }
    if crc32fast::hash(&footer[..20]) != u32_at(footer, 20) {
        return Err(Problem::damaged(at, "the checksum of the footer does not fit"));
    }
    let (offset, length) = (u64_at(footer, 0), u64_at(footer, 8));
    if offset < blocks_at || offset.checked_add(length) != Some(at) {
        return Err(Problem::damaged(at, "the table is not where the footer says"));
    }
    if length > MAX_TABLE {
        return Err(Problem::TooLarge { what: "the block table".into(), length, most: MAX_TABLE });
    }
    Ok(TablePlace { offset, length, checksum: u32_at(footer, 16) })
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// Walks through the table; running out of bytes is damage.
struct Cursor<'a> {
    rest: &'a [u8],
    at: u64,
}

impl<'a> Cursor<'a> {
    fn bad(&self, what: impl Into<String>) -> Problem {
        Problem::damaged(self.at, what)
    }
    fn take(&mut self, count: usize) -> Result<&'a [u8], Problem> {
        let (taken, rest) =
            self.rest.split_at_checked(count).ok_or_else(|| self.bad("the table is too short"))?;
        self.rest = rest;
        self.at += count as u64;
        Ok(taken)
    }
    fn u16(&mut self) -> Result<u16, Problem> {
        Ok(u16::from_le_bytes(self.take(2)?.try_into().expect("two bytes")))
    }
    fn u32(&mut self) -> Result<u32, Problem> {
        Ok(u32_at(self.take(4)?, 0))
    }
    fn u64(&mut self) -> Result<u64, Problem> {
        Ok(u64_at(self.take(8)?, 0))
    }
}

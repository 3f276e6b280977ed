//! Features for any game with a board: tables over groups of cells (n-tuples).
//!
//! A tuple is a few cells of the board. What stands on them is a number, and each number has a
//! weight of its own: a table. The evaluation is the sum of one cell of each table. Where the board
//! has symmetries, every image of a tuple reads the same table; where both sides play by the same
//! rules, both share all tables (the board is turned so that the side to move always sees it the
//! same way), and otherwise each side has tables of its own.
//!
//! An author of a new game gets a learner with one line, [`NTuples::of`]: the cells and what stands
//! on them are then taken from the game's picture, and the tuples are random walks over
//! neighbouring cells. Games that know better set what they know.

use super::boards;
use super::features::{Features, Sparse, fingerprint};
pub use super::picture::picture_maps;
use super::picture::{name, neighbours};
use crate::weights;
use std::sync::Arc;
use zug_core::seed::RngExt;
use zug_core::{Game, Owner, Side, Symmetric, rng};

/// Writes what stands on each cell, as a number below the number of contents, from the view of the
/// side to move.
pub type ReadCells<G> = Arc<dyn Fn(&G, &<G as Game>::Position, &mut [u8]) + Send + Sync>;

/// A whole board that has no more contents than this is one table.
const WHOLE_BOARD: usize = 20_000;
/// The largest table of a random walk.
const LARGEST_TABLE: usize = 1 << 13;
/// More weights than any game here needs; keeps hostile boards from filling the memory.
const MOST_WEIGHTS: usize = 1 << 28;

/// The board as tuples see it.
pub struct Board<G: Game> {
    read: ReadCells<G>,
    /// Names of the cells, for people.
    pub(super) names: Vec<String>,
    /// How many things can stand on a cell.
    pub(super) contents: usize,
    /// What they are called, where they have names.
    pub(super) called: &'static [&'static str],
    /// Where each cell goes, for each symmetry, the identity first.
    maps: Vec<Vec<u16>>,
    /// Cells that touch each other.
    neighbours: Vec<Vec<u16>>,
    /// Has each side tables of its own?
    pub(super) apart: bool,
    /// The last so many cells are none of the board, and belong to every tuple.
    extra: usize,
}

impl<G: Game> Clone for Board<G> {
    fn clone(&self) -> Board<G> {
        Board {
            read: self.read.clone(),
            names: self.names.clone(),
            contents: self.contents,
            called: self.called,
            maps: self.maps.clone(),
            neighbours: self.neighbours.clone(),
            apart: self.apart,
            extra: self.extra,
        }
    }
}

impl<G: Game> Board<G> {
    /// The board of a game's picture: cells that are inside it, and on each nothing, or a piece of
    /// the side to move, or of the other, told apart by their letters in the start position. Each
    /// side has tables of its own.
    #[must_use]
    pub fn pictured(game: &G) -> Board<G> {
        let picture = game.picture(&game.start());
        let inside: Vec<usize> = (0..picture.cells.len())
            .filter(|&c| picture.cells[c].owner != Owner::Outside)
            .collect();
        let mut letters: Vec<char> = picture
            .cells
            .iter()
            .filter(|c| matches!(c.owner, Owner::Piece(_)))
            .map(|c| c.letter.to_ascii_lowercase())
            .collect();
        letters.sort_unstable();
        letters.dedup();
        // One kind of piece for each side is one kind, whatever the letters.
        if letters.len() <= 2 {
            letters.clear();
        }
        let kinds = letters.len().max(1);
        let cells = inside.clone();
        let read = move |game: &G, position: &G::Position, out: &mut [u8]| {
            let mover = game.to_move(position);
            let picture = game.picture(position);
            for (content, &cell) in out.iter_mut().zip(&cells) {
                let Some(cell) = picture.cells.get(cell) else { continue };
                let kind = letters.binary_search(&cell.letter.to_ascii_lowercase()).unwrap_or(0);
                *content = match cell.owner {
                    Owner::Piece(side) if side == mover => 1 + kind as u8,
                    Owner::Piece(_) => (1 + kinds + kind) as u8,
                    _ => 0,
                };
            }
        };
        let names = inside.iter().map(|&cell| name(&picture, cell)).collect();
        Board {
            neighbours: neighbours(&picture, &inside),
            ..Board::new(names, 1 + 2 * kinds, Arc::new(read))
        }
    }

    /// Cells with these names, on each of which so many things can stand; all are neighbours of
    /// one another. Each side has tables of its own.
    #[must_use]
    pub fn new(names: Vec<String>, contents: usize, read: ReadCells<G>) -> Board<G> {
        let cells = names.len() as u16;
        let neighbours =
            (0..cells).map(|cell| (0..cells).filter(|&c| c != cell).collect()).collect();
        let maps = vec![(0..cells).collect()];
        let (contents, called) = (contents.max(2), &[][..]);
        Board { read, names, contents, called, maps, neighbours, apart: true, extra: 0 }
    }

    /// The same board with a faster or finer way to read it.
    #[must_use]
    pub fn reading(mut self, contents: usize, read: ReadCells<G>) -> Board<G> {
        (self.contents, self.read) = (contents.max(2), read);
        self
    }

    /// With names for what can stand on a cell, beginning with an empty one.
    #[must_use]
    pub fn called(mut self, names: &'static [&'static str]) -> Board<G> {
        self.called = names;
        self
    }

    /// What stands on a cell, in words: the side to move is "own".
    pub(super) fn content(&self, content: usize) -> String {
        match (self.called.get(content), content, self.contents) {
            (Some(name), _, _) => (*name).to_string(),
            (None, 0, _) => ".".to_string(),
            (None, 1, 3) => "own".to_string(),
            (None, 2, 3) => "other".to_string(),
            (None, n, _) => n.to_string(),
        }
    }

    /// Both sides play by the same rules and see the same board.
    #[must_use]
    pub fn shared(mut self) -> Board<G> {
        self.apart = false;
        self
    }

    /// Both sides play by the same rules once the board is turned for the second: cell `c` of its
    /// view is cell `map[c]` of the board.
    #[must_use]
    pub fn turned(mut self, map: Vec<u16>) -> Board<G> {
        let (read, cells) = (self.read.clone(), map.len().min(self.names.len()));
        self.read = Arc::new(move |game: &G, position: &G::Position, out: &mut [u8]| {
            read(game, position, out);
            if game.to_move(position) == Side::Second {
                let seen: Vec<u8> = (0..cells).map(|c| out[usize::from(map[c])]).collect();
                out[..cells].copy_from_slice(&seen);
            }
        });
        self.shared()
    }

    /// The board looks the same under these maps of its cells (the identity need not be there).
    #[must_use]
    pub fn mapped(mut self, maps: impl IntoIterator<Item = Vec<u16>>) -> Board<G> {
        for mut map in maps {
            map.extend(map.len() as u16..self.names.len() as u16);
            if map.len() == self.names.len() && !self.maps.contains(&map) {
                self.maps.push(map);
            }
        }
        self
    }

    /// Something beside the board that changes what everything on it is worth (men in hand): a cell
    /// of its own, which is put into every tuple. `read` gives a number below the contents of a
    /// cell.
    #[must_use]
    pub fn beside(
        mut self,
        name: &str,
        read: impl Fn(&G, &G::Position) -> u8 + Send + Sync + 'static,
    ) -> Board<G> {
        let (board, at, most) = (self.read.clone(), self.names.len(), self.contents as u8 - 1);
        self.read = Arc::new(move |game: &G, position: &G::Position, out: &mut [u8]| {
            board(game, position, out);
            out[at] = read(game, position).min(most);
        });
        self.names.push(name.to_string());
        self.neighbours.push(Vec::new());
        self.maps.iter_mut().for_each(|map| map.push(at as u16));
        self.extra += 1;
        self
    }

    /// Cells, those beside the board included.
    fn cells(&self) -> usize {
        self.names.len()
    }

    /// Cells of the board alone.
    fn fields(&self) -> usize {
        self.names.len() - self.extra
    }

    /// Tables over these groups of cells.
    #[must_use]
    pub fn tuples(self, name: &'static str, tuples: &[Vec<u16>]) -> NTuples<G> {
        NTuples::new(name, self, tuples)
    }

    /// Groups of cells found by random walks: so many, of such a length.
    #[must_use]
    pub fn walks(&self, count: usize, length: usize) -> Vec<Vec<u16>> {
        let mut rng = rng(0x7475_706C_6573, 0);
        let fields = self.fields();
        let length = length.min(fields);
        let mut found: Vec<Vec<u16>> = Vec::new();
        // A small board has few different walks; so the tries are bounded.
        for _ in 0..count * 20 {
            if found.len() >= count || fields == 0 {
                break;
            }
            let mut tuple = vec![rng.random_range(0..fields) as u16];
            while tuple.len() < length {
                let last = usize::from(tuple[rng.random_range(0..tuple.len())]);
                let near: Vec<u16> = self.neighbours[last]
                    .iter()
                    .copied()
                    .filter(|cell| !tuple.contains(cell))
                    .collect();
                let any = (0..fields as u16).filter(|cell| !tuple.contains(cell));
                let next: Vec<u16> = if near.is_empty() { any.collect() } else { near };
                tuple.push(next[rng.random_range(0..next.len())]);
            }
            tuple.extend(fields as u16..self.cells() as u16);
            tuple.sort_unstable();
            let known = self.maps.iter().any(|map| {
                let mut image: Vec<u16> = tuple.iter().map(|&c| map[usize::from(c)]).collect();
                image.sort_unstable();
                found.contains(&image)
            });
            if !known {
                found.push(tuple);
            }
        }
        found
    }

    /// Tuples that suit the size of the board: all of it where that is one small table, random
    /// walks otherwise.
    #[must_use]
    pub fn suitable(&self) -> Vec<Vec<u16>> {
        if self.table_size(self.cells()).is_some_and(|size| size <= WHOLE_BOARD) {
            return vec![(0..self.cells() as u16).collect()];
        }
        let length = (1..=self.fields())
            .take_while(|&n| {
                self.table_size(n + self.extra).is_some_and(|size| size <= LARGEST_TABLE)
            })
            .last()
            .unwrap_or(1);
        self.walks((self.cells() * 3 / 2).clamp(8, 80), length)
    }

    fn table_size(&self, cells: usize) -> Option<usize> {
        self.contents.checked_pow(u32::try_from(cells).ok()?)
    }
}

/// One table, and the groups of cells that read it.
pub(super) struct Table {
    /// The first weight.
    pub offset: u32,
    /// Cells in a tuple.
    pub length: usize,
    /// The images, one after the other.
    pub cells: Vec<u16>,
}

/// Tables over groups of cells: see the [module](self).
pub struct NTuples<G: Game> {
    name: &'static str,
    pub(super) board: Board<G>,
    pub(super) tables: Vec<Table>,
    /// Weights of one side's tables.
    pub(super) each: usize,
}

impl<G: Game> NTuples<G> {
    /// The features of a game of which nothing is known but its rules and its picture.
    #[must_use]
    pub fn of(game: &G) -> NTuples<G> {
        let board = Board::pictured(game);
        let tuples = board.suitable();
        board.tuples("tuples", &tuples)
    }

    /// The same for a game with symmetries.
    #[must_use]
    pub fn of_symmetric(game: &G) -> NTuples<G>
    where
        G: Symmetric,
    {
        let board = Board::pictured(game).mapped(picture_maps(game));
        let tuples = board.suitable();
        board.tuples("tuples", &tuples)
    }

    fn new(name: &'static str, board: Board<G>, tuples: &[Vec<u16>]) -> NTuples<G> {
        // A table without cells is a constant: the worth of being to move.
        let mut tables = vec![Table { offset: 0, length: 0, cells: Vec::new() }];
        let mut each = 1;
        for tuple in tuples {
            let Some(size) = board.table_size(tuple.len()).filter(|s| each + s <= MOST_WEIGHTS / 2)
            else {
                continue;
            };
            let sorted = |cells: &[u16]| {
                let mut cells = cells.to_vec();
                cells.sort_unstable();
                cells
            };
            // An image of an earlier one reads the same table already.
            let known = |table: &Table| {
                table.length == tuple.len()
                    && table.cells.chunks(table.length.max(1)).any(|c| sorted(c) == sorted(tuple))
            };
            if tables.iter().any(known) {
                continue;
            }
            let mut images: Vec<Vec<u16>> = Vec::new();
            for map in &board.maps {
                let image: Vec<u16> = tuple.iter().map(|&c| map[usize::from(c)]).collect();
                if !images.contains(&image) {
                    images.push(image);
                }
            }
            tables.push(Table { offset: each as u32, length: tuple.len(), cells: images.concat() });
            each += size;
        }
        NTuples { name, board, tables, each }
    }
}

impl<G: Game> Features<G> for NTuples<G> {
    fn name(&self) -> &str {
        self.name
    }

    fn help(&self) -> String {
        let tables = self.tables.len() - 1;
        let longest = self.tables.iter().map(|t| t.length).max().unwrap_or(0);
        let sides = if self.board.apart { "each side its own" } else { "shared by both sides" };
        let tables = if tables == 1 { "1 table".into() } else { format!("{tables} tables") };
        format!("{tables} over up to {longest} cells, {sides}: {} weights", self.count())
    }

    fn count(&self) -> usize {
        self.each * if self.board.apart { 2 } else { 1 }
    }

    fn extract(&self, game: &G, position: &G::Position, out: &mut Sparse) {
        let mut small = [0u8; 128];
        let mut large = Vec::new();
        let cells = self.board.cells();
        let contents = match small.get_mut(..cells) {
            Some(contents) => contents,
            None => {
                large.resize(cells, 0);
                &mut large[..]
            }
        };
        (self.board.read)(game, position, contents);
        let second = self.board.apart && game.to_move(position) == Side::Second;
        let base = if second { self.each as u32 } else { 0 };
        let radix = self.board.contents as u32;
        for table in &self.tables {
            if table.length == 0 {
                out.push((base + table.offset, 1.0));
                continue;
            }
            for tuple in table.cells.chunks_exact(table.length) {
                let place = tuple
                    .iter()
                    .fold(0, |place, &cell| place * radix + u32::from(contents[usize::from(cell)]));
                out.push((base + table.offset + place, 1.0));
            }
        }
    }

    fn describe(&self, feature: usize) -> String {
        let side = match (self.board.apart, feature >= self.each) {
            (false, _) => "",
            (true, false) => ", the first side to move",
            (true, true) => ", the second side to move",
        };
        let place = feature % self.each;
        let number = self.tables.partition_point(|t| t.offset as usize <= place) - 1;
        let table = &self.tables[number];
        if table.length == 0 {
            return format!("to be on move{side}");
        }
        let (mut rest, radix) = (place - table.offset as usize, self.board.contents);
        let mut words: Vec<String> = table.cells[..table.length]
            .iter()
            .rev()
            .map(|&cell| {
                let content = rest % radix;
                rest /= radix;
                let sign = self.board.content(content);
                format!("{} {sign}", self.board.names[usize::from(cell)])
            })
            .collect();
        words.reverse();
        format!("{}{side}", words.join(", "))
    }

    fn signature(&self) -> String {
        let mut text = format!("{} {} {}", self.name, self.board.contents, self.board.apart);
        for table in &self.tables {
            text.push_str(&format!(" {}:{}:{:?}", table.offset, table.length, table.cells));
        }
        format!("{}/{}", self.name, fingerprint(&text))
    }

    fn boards(&self, game: &G, weights: &[f32]) -> Vec<(String, Vec<weights::Board>)> {
        boards::boards(self, game, weights)
    }
}

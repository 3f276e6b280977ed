//! Asking the file.

use super::{CornerReply, FENCE, LAYOUT, LISTED, LISTED_IN_CORNER, Local, section, take_number};
use crate::corpus::PASS;
use crate::explore::library::{Card, Facts, Library, MOST_MOVES};
use crate::explore::query::{Query, Scope, side_of, stones_of};
use crate::explore::search::{Hit, Reply, Search};
use crate::explore::squares::{Canonical, Keys, Squares};
use crate::point::{MAX_SIZE, MIN_SIZE};
use rayon::prelude::*;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::path::Path;
use zug_core::container::{Container, ContainerError, Expect};
use zug_learn::face::TaskError;

/// More games than there are.
const MOST_GAMES: u64 = 1 << 24;
/// The longest text of a game.
pub(super) const MOST_TEXT: u64 = 1 << 20;
/// So few games are played through rather than told apart by more stones.
const FEW: u32 = 4;
/// Games whose moves are read together.
const GROUP: usize = 64;

/// Games on boards of one size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boards {
    pub size: usize,
    pub first: usize,
    pub count: usize,
}

/// An open index.
#[derive(Debug)]
pub struct Index {
    pub(super) file: Container,
    pub(super) boards: Vec<Boards>,
    games: usize,
}

impl Index {
    /// Opens a file; what is damaged, of another kind or newer is refused.
    pub fn open(path: &Path) -> Result<Index, TaskError> {
        Container::open(path, &expected()).map_err(TaskError::below).and_then(Index::of)
    }

    /// Reads an index in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Index, TaskError> {
        Container::from_bytes(bytes, &expected()).map_err(TaskError::below).and_then(Index::of)
    }

    fn of(file: Container) -> Result<Index, TaskError> {
        let numbers = file.section("boards").and_then(|s| s.array::<u32>(3 * MAX_SIZE as u64));
        let numbers = numbers.map_err(TaskError::below)?;
        let mut index = Index { file, boards: Vec::new(), games: 0 };
        if numbers.len() % 3 != 0 {
            return Err(index.damaged("the table of boards"));
        }
        for part in numbers.chunks_exact(3) {
            let [size, first, count] = [part[0], part[1], part[2]].map(|n| n as usize);
            let rising = index.boards.last().is_none_or(|b| b.size < size);
            if !(MIN_SIZE..=MAX_SIZE).contains(&size) || first != index.games || !rising {
                return Err(index.damaged("the table of boards"));
            }
            index.boards.push(Boards { size, first, count });
            index.games += count;
        }
        if index.games as u64 > MOST_GAMES {
            return Err(index.damaged("the number of games"));
        }
        Ok(index)
    }

    /// How many games there are, on all boards.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games
    }

    /// Reads every block once, so that damage shows.
    pub fn verify(&self) -> Result<(), TaskError> {
        self.file.verify().map_err(TaskError::below)
    }

    pub(super) fn damaged(&self, what: &str) -> TaskError {
        TaskError::Unfit(format!("{}: the index is damaged: {what} cannot be", self.file.file()))
    }

    /// What is listed for a key.
    fn postings(&self, list: &str, key: u64) -> Result<Vec<u8>, TaskError> {
        let below = |e: ContainerError| TaskError::below(e);
        let part = |name: &str| self.file.section(&section(list, name)).map_err(below);
        let fences: Vec<u64> = part("fences")?.array(MOST_GAMES).map_err(below)?;
        let Some(block) = fences.partition_point(|&f| f <= key).checked_sub(1) else {
            return Ok(Vec::new());
        };
        let keys = part("keys")?;
        let count = keys.count::<u64>().map_err(below)?;
        let from = (block * FENCE) as u64;
        let some: Vec<u64> =
            keys.array_part(from..(from + FENCE as u64).min(count).max(from)).map_err(below)?;
        let Ok(at) = some.binary_search(&key) else { return Ok(Vec::new()) };
        let at = from + at as u64;
        let starts: Vec<u32> = part("starts")?.array_part(at..at + 2).map_err(below)?;
        let (from, to) = (u64::from(starts[0]), u64::from(starts[1]));
        // Five bytes a number, three numbers a find, four corners and many plies a game.
        if to < from || to - from > 64 * 15 * (self.games as u64 + 1) {
            return Err(self.damaged("the list of a position"));
        }
        part("postings")?.read(from..to).map_err(below)
    }

    /// Calls back with game, ply and reply of each find.
    fn each_posting(
        &self,
        bytes: &[u8],
        boards: Boards,
        use_it: &mut dyn FnMut(u32, u16, u32) -> Option<()>,
    ) -> Result<(), TaskError> {
        let (mut rest, mut game) = (bytes, 0u32);
        while !rest.is_empty() {
            let mut next = || {
                game = game.checked_add(take_number(&mut rest)?)?;
                let ply = take_number(&mut rest)?;
                let reply = take_number(&mut rest)?;
                let known = (game as usize).checked_sub(boards.first)? < boards.count;
                (known && ply as usize <= MOST_MOVES).then_some(())?;
                use_it(game, ply as u16, reply)
            };
            next().ok_or_else(|| self.damaged("the list of a position"))?;
        }
        Ok(())
    }

    /// Finds on the whole board, where they are listed.
    fn whole(
        &self,
        query: &Query,
        boards: Boards,
        squares: &Squares,
        shown: &[u16],
        hits: &mut Vec<Hit>,
    ) -> Result<(), TaskError> {
        let side = query.position.to_move();
        let canonical = keys_of(query, squares).whole(side);
        let points = squares.points() as u32;
        let bytes = self.postings("whole", canonical.key)?;
        self.each_posting(&bytes, boards, &mut |game, ply, reply| {
            let reply = match reply.checked_sub(points) {
                None => own(reply, canonical, squares, shown),
                Some(0) => Reply::Pass,
                Some(1) => Reply::End,
                Some(_) => return None,
            };
            (side_of(usize::from(ply)) == side).then_some(())?;
            hits.push(Hit { game, ply, reply });
            Some(())
        })
    }

    /// Finds in a corner, where they are listed.
    fn corner(
        &self,
        query: &Query,
        corner: usize,
        boards: Boards,
        squares: &Squares,
        shown: &[u16],
        hits: &mut Vec<Hit>,
    ) -> Result<(), TaskError> {
        let side = query.position.to_move();
        let canonical = keys_of(query, squares).corner(corner);
        let bytes = self.postings("corner", canonical.key)?;
        self.each_posting(&bytes, boards, &mut |game, ply, number| {
            let reply = CornerReply::of_number(number, squares.points())?;
            let (ply, local) = match side_of(usize::from(ply)) == side {
                true => (ply, reply.first),
                false => (ply + 1, reply.second),
            };
            let reply = match local {
                Local::At(code) => own(u32::from(code), canonical, squares, shown),
                Local::Elsewhere => Reply::Elsewhere,
                Local::End => Reply::End,
                Local::Gone => return Some(()),
            };
            hits.push(Hit { game, ply, reply });
            Some(())
        })
    }

    /// Finds by playing through the games that have all stones.
    fn search(
        &self,
        query: &Query,
        boards: Boards,
        squares: &Squares,
    ) -> Result<Vec<Hit>, TaskError> {
        let search = Search::new(query, squares);
        let mut wanted = self.with_stones(&search, boards)?;
        wanted.sort_unstable();
        let starts: Vec<u32> = self
            .file
            .section("move-starts")
            .and_then(|s| s.array(MOST_GAMES + 1))
            .map_err(TaskError::below)?;
        let moves = self.file.section("moves").map_err(TaskError::below)?;
        let groups: Vec<&[usize]> = wanted.chunk_by(|a, b| a / GROUP == b / GROUP).collect();
        let found: Vec<Vec<Hit>> = groups
            .par_iter()
            .map(|group| {
                let (first, last) = (group[0], group[group.len() - 1]);
                let (Some(&from), Some(&to)) = (starts.get(first), starts.get(last + 1)) else {
                    return Err(self.damaged("the table of moves"));
                };
                if to < from || (to - from) as usize > GROUP * MOST_MOVES {
                    return Err(self.damaged("the table of moves"));
                }
                let codes: Vec<u16> =
                    moves.array_part(u64::from(from)..u64::from(to)).map_err(TaskError::below)?;
                let points = squares.points();
                if codes.iter().any(|&c| c != PASS && usize::from(c) >= points) {
                    return Err(self.damaged("a move"));
                }
                let mut hits = Vec::new();
                for &game in *group {
                    let span = (starts[game].checked_sub(from), starts[game + 1].checked_sub(from));
                    let (Some(begin), Some(end)) = span else {
                        return Err(self.damaged("the table of moves"));
                    };
                    let own = codes.get(begin as usize..end as usize);
                    let own = own.ok_or_else(|| self.damaged("the table of moves"))?;
                    if own.len() <= MOST_MOVES {
                        search.game(game as u32, own, &mut hits);
                    }
                }
                Ok(hits)
            })
            .collect::<Result<_, TaskError>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The games in which all stones of a view were played at some time, for any of the views.
    fn with_stones(&self, search: &Search<'_>, boards: Boards) -> Result<Vec<usize>, TaskError> {
        let name = section("stones", &boards.size.to_string());
        let width = boards.count.div_ceil(8);
        let section = self.file.section(&name).map_err(TaskError::below)?;
        if section.length() != (2 * boards.size * boards.size * width) as u64 {
            return Err(self.damaged("the rows of stones"));
        }
        let mut rows: HashMap<usize, Vec<u8>> = HashMap::new();
        let mut any = vec![0u8; width];
        for stones in search.stones() {
            let mut all = vec![0xff; width];
            for (code, side) in stones {
                let number = 2 * usize::from(code) + side.index();
                let row = match rows.entry(number) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => {
                        let from = (number * width) as u64;
                        let bytes = section.read(from..from + width as u64);
                        new.insert(bytes.map_err(TaskError::below)?)
                    }
                };
                for (bits, row) in all.iter_mut().zip(row.iter()) {
                    *bits &= row;
                }
                // To play a few games through costs less than to read more rows.
                if all.iter().map(|bits| bits.count_ones()).sum::<u32>() <= FEW {
                    break;
                }
            }
            any.iter_mut().zip(&all).for_each(|(any, all)| *any |= all);
        }
        let has = |&i: &usize| any[i / 8] >> (i % 8) & 1 == 1;
        Ok((0..boards.count).filter(has).map(|i| boards.first + i).collect())
    }
}

fn expected() -> Expect {
    Expect::book("go").layout(LAYOUT)
}

/// A listed reply in the orientation of the question.
fn own(code: u32, canonical: Canonical, squares: &Squares, shown: &[u16]) -> Reply {
    let own = canonical.original(squares, code as u16);
    Reply::Move(shown[usize::from(own)])
}

/// The keys of the stones that count.
fn keys_of<'a>(query: &Query, squares: &'a Squares) -> Keys<'a> {
    let mut keys = Keys::new(squares);
    stones_of(query).into_iter().for_each(|(code, side)| keys.change(code, side, 1));
    keys
}

impl Library for Index {
    fn name(&self) -> String {
        self.file.file().to_string()
    }

    fn numbers(&self, size: usize) -> Range<usize> {
        let boards = self.boards.iter().find(|b| b.size == size);
        boards.map_or(0..0, |b| b.first..b.first + b.count)
    }

    fn facts(&self) -> Result<Facts, TaskError> {
        let years: Vec<u16> = self
            .file
            .section("years")
            .and_then(|s| s.array(MOST_GAMES))
            .map_err(TaskError::below)?;
        let winners: Vec<u8> = self
            .file
            .section("winners")
            .and_then(|s| s.array(MOST_GAMES))
            .map_err(TaskError::below)?;
        if years.len() != self.games || winners.len() != self.games {
            return Err(self.damaged("the years or winners"));
        }
        Ok(Facts { years, winners })
    }

    fn card(&self, game: u32) -> Result<Card, TaskError> {
        let at = u64::from(game);
        let starts: Vec<u32> = self
            .file
            .section("text-starts")
            .and_then(|s| s.array_part(at..at + 2))
            .map_err(TaskError::below)?;
        let (from, to) = (u64::from(starts[0]), u64::from(starts[1]));
        if to < from || to - from > MOST_TEXT {
            return Err(self.damaged("the text of a game"));
        }
        let bytes = self.file.section("texts").and_then(|s| s.read(from..to));
        let bytes = bytes.map_err(TaskError::below)?;
        let mut parts = bytes.split(|&b| b == 0).map(|b| String::from_utf8_lossy(b).into_owned());
        let mut next = || parts.next().unwrap_or_default();
        Ok(Card {
            name: next(),
            black: next(),
            white: next(),
            event: next(),
            date: next(),
            result: next(),
            komi: next(),
        })
    }

    fn of_players(
        &self,
        games: Range<usize>,
        fits: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<bool>, TaskError> {
        self.fitting(games, fits)
    }

    fn keeps_numbers(&self) -> bool {
        true
    }

    fn hits(&self, query: &Query) -> Result<Vec<Hit>, TaskError> {
        let Some(&boards) = self.boards.iter().find(|b| b.size == query.size()) else {
            return Ok(Vec::new());
        };
        let squares = Squares::new(query.size());
        let stones = query.stones();
        let both: Vec<Query> = match query.exchange {
            true => vec![query.clone(), query.exchanged()],
            false => vec![query.clone()],
        };
        let mut hits = Vec::new();
        match query.scope {
            Scope::Whole if stones < LISTED => {
                let shown = query.shown(&squares);
                for query in &both {
                    self.whole(query, boards, &squares, &shown, &mut hits)?;
                }
            }
            Scope::Corner(corner) if stones < LISTED_IN_CORNER => {
                let shown = query.shown(&squares);
                for query in &both {
                    self.corner(query, corner, boards, &squares, &shown, &mut hits)?;
                }
            }
            _ => hits = self.search(query, boards, &squares)?,
        }
        // Lists are nearly in order, which a stable sort makes use of.
        hits.sort();
        Ok(hits)
    }
}

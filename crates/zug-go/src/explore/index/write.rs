//! From games to the file.

use super::{
    CornerReply, FENCE, LAYOUT, LISTED, LISTED_IN_CORNER, Local, SMALL_BLOCK, put_number, section,
};
use crate::board::Board;
use crate::corpus::{GoRecord, PASS, decode};
use crate::explore::library::{Card, Shelf, Winner, card_of};
use crate::explore::query::side_of;
use crate::explore::squares::{Keys, Squares, code_of, play};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use zug_core::container::{ContainerError, DEFAULT_BLOCK, Header, Kind, MAX_BLOCK, Writer};
use zug_core::{Progress, StopFlag};
use zug_learn::face::TaskError;

/// Games whose positions are found together.
const GROUP: usize = 1024;

/// A listed position: key, game, ply, reply.
type Posting = (u64, u32, u16, u16);

/// Writes the index of games to a file; tells how many positions and corners are listed.
pub fn write(
    shelf: &Shelf,
    path: &Path,
    command: &str,
    digest: String,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<[usize; 2], TaskError> {
    let lists = list(shelf, progress, stop)?;
    progress.message("writing the index");
    let mut header = header(shelf);
    header.made.command = Some(command.to_string());
    header.made.data = Some(digest);
    let mut writer = Writer::create(path, &header).map_err(TaskError::below)?;
    put(&mut writer, shelf, &lists).map_err(TaskError::below)?;
    writer.commit().map_err(TaskError::below)?;
    Ok([lists[0].len(), lists[1].len()])
}

/// The index of games in memory.
pub fn to_bytes(shelf: &Shelf) -> Result<Vec<u8>, TaskError> {
    let lists = list(shelf, &zug_core::Silent, &StopFlag::new())?;
    let mut writer = Writer::new(Vec::new(), &header(shelf)).map_err(TaskError::below)?;
    put(&mut writer, shelf, &lists).map_err(TaskError::below)?;
    writer.finish().map_err(TaskError::below)
}

fn header(shelf: &Shelf) -> Header {
    let mut header = Header::new(Kind::Book, "go", LAYOUT);
    header.notes.insert("games".into(), shelf.games().len().to_string());
    header
}

/// All positions and corners that are listed, in order.
fn list(
    shelf: &Shelf,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<[Vec<Posting>; 2], TaskError> {
    progress.message("looking at all positions");
    progress.begin(Some(shelf.games().len() as u64));
    let squares: BTreeMap<usize, Squares> =
        sizes(shelf).into_keys().map(|size| (size, Squares::new(size))).collect();
    let groups = shelf.games().par_chunks(GROUP).enumerate();
    let parts: Vec<[Vec<Posting>; 2]> = groups
        .map(|(group, games)| {
            if stop.is_set() {
                return Err(TaskError::Stopped { resumable: false });
            }
            let mut lists = [Vec::new(), Vec::new()];
            for (i, game) in games.iter().enumerate() {
                let number = (group * GROUP + i) as u32;
                list_game(&squares[&game.size()], number, game, &mut lists);
            }
            progress.advance(games.len() as u64);
            Ok(lists)
        })
        .collect::<Result<_, _>>()?;
    let mut lists = [Vec::new(), Vec::new()];
    for part in parts {
        for (list, part) in lists.iter_mut().zip(part) {
            list.extend(part);
        }
    }
    progress.message("putting them in order");
    for list in &mut lists {
        list.par_sort_unstable();
    }
    Ok(lists)
}

/// The positions and corners of one game.
fn list_game(squares: &Squares, number: u32, game: &GoRecord, lists: &mut [Vec<Posting>; 2]) {
    let (size, codes) = (squares.size, game.codes());
    let points = squares.points() as u16;
    let mut board = Board::new(size);
    let mut keys = Keys::new(squares);
    // Does a corner look otherwise than one ply before? The empty board does.
    let mut changed = [true; 4];
    // Corners that became what they are one ply ago, and were left alone by the move since.
    let mut open: [Option<(u64, u8)>; 4] = [None; 4];
    for ply in 0..=codes.len() {
        let next = codes.get(ply).copied();
        if usize::from(keys.stones) < LISTED {
            let canonical = keys.whole(side_of(ply));
            let reply = match next {
                None => points + 1,
                Some(PASS) => points,
                Some(code) => canonical.image(squares, code),
            };
            lists[0].push((canonical.key, number, ply as u16, reply));
        }
        for corner in 0..4 {
            let local = |symmetries: u8| match next {
                None => Local::End,
                Some(code) if code != PASS && squares.lies_in(corner, code) => {
                    let mut canonical = keys.corner(corner);
                    canonical.symmetries = symmetries;
                    Local::At(canonical.image(squares, code))
                }
                Some(_) => Local::Elsewhere,
            };
            if let Some((key, symmetries)) = open[corner].take() {
                let second = if changed[corner] { Local::Gone } else { local(symmetries) };
                let reply = CornerReply { first: Local::Elsewhere, second };
                let reply = reply.number(squares.points()) as u16;
                lists[1].push((key, number, ply as u16 - 1, reply));
            }
            if !changed[corner] || usize::from(keys.in_corner[corner]) >= LISTED_IN_CORNER {
                continue;
            }
            let canonical = keys.corner(corner);
            match local(canonical.symmetries) {
                Local::Elsewhere => open[corner] = Some((canonical.key, canonical.symmetries)),
                first => {
                    let reply = CornerReply { first, second: Local::Gone };
                    let reply = reply.number(squares.points()) as u16;
                    lists[1].push((canonical.key, number, ply as u16, reply));
                }
            }
        }
        changed = [false; 4];
        let Some(p) = next.and_then(|code| decode(code, size)) else { continue };
        play(&mut board, p, side_of(ply), &mut |p, side, comes| {
            let code = code_of(p, size);
            keys.change(code, side, if comes { 1 } else { -1 });
            for (corner, changed) in changed.iter_mut().enumerate() {
                *changed |= squares.lies_in(corner, code);
            }
        });
    }
}

/// For each board size the first game and their number.
fn sizes(shelf: &Shelf) -> BTreeMap<usize, (usize, usize)> {
    let mut sizes = BTreeMap::new();
    for (number, game) in shelf.games().iter().enumerate() {
        sizes.entry(game.size()).or_insert((number, 0)).1 += 1;
    }
    sizes
}

fn put<W: Write>(
    writer: &mut Writer<W>,
    shelf: &Shelf,
    lists: &[Vec<Posting>; 2],
) -> Result<(), ContainerError> {
    let games = shelf.games();
    let sizes = sizes(shelf);
    let boards: Vec<u32> = sizes
        .iter()
        .flat_map(|(&size, &(first, count))| [size as u32, first as u32, count as u32])
        .collect();
    writer.array("boards", &boards)?;
    let years: Vec<u16> = games.iter().map(|g| g.year.unwrap_or(0)).collect();
    writer.array("years", &years)?;
    let winners: Vec<u8> = games.iter().map(|g| Winner::of(g).byte()).collect();
    writer.array("winners", &winners)?;
    let (mut texts, mut starts) = (Vec::new(), vec![0u32]);
    for game in games {
        let Card { name, black, white, event, date, result, komi } = card_of(game);
        for text in [name, black, white, event, date, result, komi] {
            texts.extend(text.bytes().filter(|&b| b != 0));
            texts.push(0);
        }
        starts.push(texts.len() as u32);
    }
    small(writer, "texts", &texts)?;
    writer.array("text-starts", &starts)?;
    let (mut moves, mut starts) = (Vec::new(), vec![0u32]);
    for game in games {
        moves.extend(game.codes().iter().flat_map(|code| code.to_le_bytes()));
        starts.push(moves.len() as u32 / 2);
    }
    small(writer, "moves", &moves)?;
    writer.array("move-starts", &starts)?;
    for (size, (first, count)) in sizes {
        let rows = rows_of(&games[first..first + count], size);
        // A row is a block, since questions need a few rows only.
        let width = count.div_ceil(8).min(MAX_BLOCK);
        let mut part = writer.section(&section("stones", &size.to_string()), width)?;
        part.push(&rows)?;
        part.end()?;
    }
    put_list(writer, "whole", &lists[0])?;
    put_list(writer, "corner", &lists[1])
}

fn small<W: Write>(writer: &mut Writer<W>, name: &str, bytes: &[u8]) -> Result<(), ContainerError> {
    let mut section = writer.section(name, SMALL_BLOCK)?;
    section.push(bytes)?;
    section.end()
}

/// In which games was a stone of this colour ever played on this point?
fn rows_of(games: &[GoRecord], size: usize) -> Vec<u8> {
    let width = games.len().div_ceil(8);
    let mut rows = vec![0u8; 2 * size * size * width];
    for (i, game) in games.iter().enumerate() {
        for (ply, &code) in game.codes().iter().enumerate() {
            if code != PASS {
                let row = 2 * usize::from(code) + side_of(ply).index();
                rows[row * width + i / 8] |= 1 << (i % 8);
            }
        }
    }
    rows
}

fn put_list<W: Write>(
    writer: &mut Writer<W>,
    name: &str,
    list: &[Posting],
) -> Result<(), ContainerError> {
    let (mut keys, mut starts, mut postings) = (Vec::new(), vec![0u32], Vec::new());
    for same in list.chunk_by(|a, b| a.0 == b.0) {
        keys.push(same[0].0);
        let mut last = 0;
        for &(_, game, ply, reply) in same {
            put_number(&mut postings, game - last);
            put_number(&mut postings, u32::from(ply));
            put_number(&mut postings, u32::from(reply));
            last = game;
        }
        starts.push(postings.len() as u32);
    }
    let fences: Vec<u64> = keys.iter().step_by(FENCE).copied().collect();
    writer.array(&section(name, "fences"), &fences)?;
    let mut part = writer.section(&section(name, "keys"), FENCE * 8)?;
    part.push_array(&keys)?;
    part.end()?;
    let mut part = writer.section(&section(name, "starts"), SMALL_BLOCK)?;
    part.push_array(&starts)?;
    part.end()?;
    let mut part = writer.section(&section(name, "postings"), DEFAULT_BLOCK)?;
    part.push(&postings)?;
    part.end()
}

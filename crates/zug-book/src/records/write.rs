//! From games to the file.

use super::gather::{Played, Shelf};
use super::index::digest_of;
use super::{BUCKET, LAYOUT, SMALL_BLOCK, place_of, put_number, take_number};
use crate::names::Names;
use crate::places::Places;
use rayon::prelude::*;
use std::io::Write;
use std::path::Path;
use zug_core::container::{ContainerError, Header, Kind, Writer};
use zug_core::{AnyLine, GameEntry, Progress, Silent, StopFlag};
use zug_learn::face::TaskError;

/// Games whose positions are looked at together.
const GROUP: usize = 256;

/// A section with one number a game.
type Column = (&'static str, fn(&Played) -> u32);

/// A position that a game came by, the first time.
#[derive(Clone, Copy)]
struct Visit {
    key: u64,
    game: u32,
    ply: u32,
}

/// What goes into the file besides the games themselves.
pub struct Lists {
    bytes: Vec<u8>,
    starts: Vec<u64>,
    /// Different positions.
    pub positions: usize,
    /// Positions that more than one game met.
    pub shared: usize,
}

/// Writes the index of games to a file; tells how many positions there are.
pub fn write(
    entry: &GameEntry,
    shelf: &Shelf,
    names: &Names,
    path: &Path,
    command: &str,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Lists, TaskError> {
    let lists = list(entry, shelf, progress, stop)?;
    progress.message("writing the index");
    let mut header = header(entry, shelf);
    header.made.command = Some(command.to_string());
    let mut writer = Writer::create(path, &header).map_err(TaskError::below)?;
    put(&mut writer, entry, shelf, names, &lists).map_err(TaskError::below)?;
    if stop.is_set() {
        return Err(TaskError::Stopped { resumable: false });
    }
    writer.commit().map_err(TaskError::below)?;
    Ok(lists)
}

/// The index of games in memory.
pub fn to_bytes(
    entry: &GameEntry,
    shelf: &Shelf,
    names: &Names,
    stop: &StopFlag,
) -> Result<Vec<u8>, TaskError> {
    let lists = list(entry, shelf, &Silent, stop)?;
    let mut writer = Writer::new(Vec::new(), &header(entry, shelf)).map_err(TaskError::below)?;
    put(&mut writer, entry, shelf, names, &lists).map_err(TaskError::below)?;
    writer.finish().map_err(TaskError::below)
}

fn header(entry: &GameEntry, shelf: &Shelf) -> Header {
    let mut header = Header::new(Kind::Book, entry.game.spec(), LAYOUT);
    header.notes.insert("games".into(), shelf.games.len().to_string());
    header
}

fn put<W: Write>(
    writer: &mut Writer<W>,
    entry: &GameEntry,
    shelf: &Shelf,
    names: &Names,
    lists: &Lists,
) -> Result<(), ContainerError> {
    let mut section = writer.section("lists", SMALL_BLOCK)?;
    section.push(&lists.bytes)?;
    section.end()?;
    small_array(writer, "starts", &lists.starts)?;
    let mut section = writer.section("moves", SMALL_BLOCK)?;
    let (mut starts, mut at) = (vec![0u64], 0);
    for game in &shelf.games {
        section.push(&game.moves)?;
        at += game.moves.len() as u64;
        starts.push(at);
    }
    section.end()?;
    small_array(writer, "move-starts", &starts)?;
    let games = || shelf.games.iter();
    writer.array("years", &games().map(|g| g.year).collect::<Vec<u16>>())?;
    writer.array("results", &games().map(|g| g.ended.byte()).collect::<Vec<u8>>())?;
    writer.array("ratings", &games().flat_map(|g| g.ratings).collect::<Vec<u16>>())?;
    writer.array("players", &games().flat_map(|g| g.players).collect::<Vec<u32>>())?;
    let columns: [Column; 5] = [
        ("events", |g| g.event),
        ("dates", |g| g.date),
        ("files", |g| g.file),
        ("numbers", |g| g.number),
        ("begins", |g| g.begin),
    ];
    for (name, of) in columns {
        small_array(writer, name, &games().map(of).collect::<Vec<u32>>())?;
    }
    let mut words = Vec::new();
    for word in shelf.words.list() {
        words.extend(word.replace('\0', " ").bytes());
        words.push(0);
    }
    writer.bytes("words", &words)?;
    let mut named = Vec::new();
    for (key, name) in names.iter() {
        named.extend(key.to_le_bytes());
        named.extend(name.bytes());
        named.push(0);
    }
    writer.bytes("names", &named)?;
    let first = shelf.games.first();
    let begin = first.map_or("", |g| shelf.words.list()[g.begin as usize].as_str());
    let moves = first.map_or(&[][..], |g| &g.moves);
    let digest = digest_of(&*entry.game, &Places::of(entry), begin, moves).unwrap_or(0);
    writer.array("check", &[digest])
}

fn small_array<W: Write, T: zug_core::container::Element>(
    writer: &mut Writer<W>,
    name: &str,
    values: &[T],
) -> Result<(), ContainerError> {
    let mut section = writer.section(name, SMALL_BLOCK)?;
    section.push_array(values)?;
    section.end()
}

/// All positions with their games, in order of the keys.
fn list(
    entry: &GameEntry,
    shelf: &Shelf,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Lists, TaskError> {
    let stopped = || TaskError::Stopped { resumable: false };
    progress.message("sorting positions");
    let mut visits: Vec<Visit> =
        shelf.games.par_iter().enumerate().flat_map_iter(|(i, game)| visits(i, game)).collect();
    if stop.is_set() {
        return Err(stopped());
    }
    visits.par_sort_unstable_by_key(|v| (v.key, v.game));
    let groups: Vec<&[Visit]> = visits.chunk_by(|a, b| a.key == b.key).collect();
    if stop.is_set() {
        return Err(stopped());
    }
    progress.message("looking at positions that more than one game met");
    let mut shared = bodies(entry, shelf, &groups, progress, stop)?;
    shared.par_sort_unstable_by_key(|&(group, _)| group);

    let mut bits = 0;
    while groups.len() >> bits > BUCKET {
        bits += 1;
    }
    let mut lists = Lists {
        bytes: Vec::new(),
        starts: Vec::with_capacity((1 << bits) + 1),
        positions: groups.len(),
        shared: shared.len(),
    };
    let mut bodies = shared.into_iter().peekable();
    for (number, group) in groups.iter().enumerate() {
        let (bucket, mark) = place_of(group[0].key, bits);
        while lists.starts.len() <= bucket {
            lists.starts.push(lists.bytes.len() as u64);
        }
        lists.bytes.push(mark);
        match bodies.next_if(|(group, _)| *group == number) {
            Some((_, body)) => {
                put_number(&mut lists.bytes, body.len() as u64);
                lists.bytes.extend(body);
            }
            None => {
                put_number(&mut lists.bytes, 0);
                put_number(&mut lists.bytes, u64::from(group[0].game));
            }
        }
    }
    while lists.starts.len() <= 1 << bits {
        lists.starts.push(lists.bytes.len() as u64);
    }
    Ok(lists)
}

/// The positions of a game, each the first time.
fn visits(number: usize, game: &Played) -> Vec<Visit> {
    let each = game.keys.iter().enumerate();
    let mut visits: Vec<Visit> =
        each.map(|(ply, &key)| Visit { key, game: number as u32, ply: ply as u32 }).collect();
    visits.sort_unstable_by_key(|v| (v.key, v.ply));
    visits.dedup_by_key(|v| v.key);
    visits
}

/// The lists of all positions that more than one game met, with the number of their group.
fn bodies(
    entry: &GameEntry,
    shelf: &Shelf,
    groups: &[&[Visit]],
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<(usize, Vec<u8>)>, TaskError> {
    let places = Places::of(entry);
    let child = |v: &Visit| shelf.games[v.game as usize].keys.get(v.ply as usize + 1).copied();
    // One game that goes on leads to the position; all that could follow is seen there.
    let mut leaders: Vec<(Visit, usize)> = groups
        .par_iter()
        .enumerate()
        .filter(|(_, group)| group.len() > 1)
        .map(|(number, group)| {
            let leader = group.iter().find(|v| child(v).is_some()).unwrap_or(&group[0]);
            (*leader, number)
        })
        .collect();
    leaders.par_sort_unstable_by_key(|(v, _)| (v.game, v.ply));
    let runs: Vec<&[(Visit, usize)]> = leaders.chunk_by(|a, b| a.0.game == b.0.game).collect();
    progress.begin(Some(runs.len() as u64));
    let parts: Vec<Vec<(usize, Vec<u8>)>> = runs
        .par_chunks(GROUP)
        .map(|runs| {
            if stop.is_set() {
                return Err(TaskError::Stopped { resumable: false });
            }
            let mut found = Vec::new();
            for run in runs {
                let game = &shelf.games[run[0].0.game as usize];
                let begin = &shelf.words.list()[game.begin as usize];
                let mut wanted = run.iter().peekable();
                walk(entry, begin, &game.moves, &mut |ply, line| {
                    while let Some((_, number)) = wanted.next_if(|(v, _)| v.ply as usize == ply) {
                        let mut after = places.keys_after(line);
                        after.sort_unstable();
                        after.dedup();
                        found.push((*number, body(groups[*number], &after, &child)));
                    }
                    wanted.peek().is_some()
                });
            }
            progress.advance(runs.len() as u64);
            Ok(found)
        })
        .collect::<Result<_, TaskError>>()?;
    Ok(parts.into_iter().flatten().collect())
}

/// Goes through a game, as long as `visit` wants more.
fn walk(
    entry: &GameEntry,
    begin: &str,
    mut moves: &[u8],
    visit: &mut dyn FnMut(usize, &dyn AnyLine) -> bool,
) {
    let mut line = match begin {
        "" => entry.game.new_line(),
        text => match entry.game.line_from(text) {
            Ok(line) => line,
            Err(_) => return,
        },
    };
    while visit(line.ply(), &*line) {
        let Some(rank) = take_number(&mut moves) else { return };
        if !line.play_rank(rank as usize) {
            return;
        }
    }
}

/// How many replies there are, each as a rank; then the games as differences, with their replies.
fn body(group: &[Visit], after: &[u64], child: &dyn Fn(&Visit) -> Option<u64>) -> Vec<u8> {
    let reply = |v: &Visit| match child(v).map(|key| after.binary_search(&key)) {
        Some(Ok(rank)) => rank as u64 + 1,
        // The game ends here.
        _ => 0,
    };
    let mut replies: Vec<u64> = group.iter().map(reply).collect();
    let mut out = Vec::new();
    let mut kinds = replies.clone();
    kinds.sort_unstable();
    kinds.dedup();
    put_number(&mut out, kinds.len() as u64);
    kinds.iter().for_each(|&kind| put_number(&mut out, kind));
    let mut last = 0;
    for (visit, reply) in group.iter().zip(&mut replies) {
        let kind = kinds.binary_search(reply).unwrap_or(0) as u64;
        put_number(&mut out, u64::from(visit.game - last) * kinds.len() as u64 + kind);
        last = visit.game;
    }
    out
}

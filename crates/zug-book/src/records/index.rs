//! Reading the file: a question unpacks a few blocks of it.

use super::gather::Ended;
use super::{LAYOUT, place_of, take_number};
use crate::names::Names;
use crate::places::Places;
use std::path::Path;
use std::sync::OnceLock;
use zug_core::container::{Container, ContainerError, Element, Expect};
use zug_core::erased::SharedGame;
use zug_core::{AnyGame, AnyLine, GameEntry, Record, RecordMove, RecordResult, Side};
use zug_learn::face::TaskError;

/// A larger collection does not fit the numbers of games.
const MOST_GAMES: u64 = 1 << 31;
/// All texts together.
const MOST_TEXT: u64 = 1 << 30;
/// No game of any kind has more bytes of moves.
const MOST_MOVES: u64 = 1 << 18;
/// Plies of the first game that show whether keys and moves are as they were.
const CHECKED: usize = 24;

/// What was played in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// The position after it has this rank among all keys that can follow, in order.
    Move(u32),
    /// Nothing: the record ends.
    End,
}

/// A game that came by a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The number of the game.
    pub game: u32,
    /// What was played.
    pub reply: Reply,
}

/// What is known of all games, by their numbers.
#[derive(Debug)]
pub struct Facts {
    /// Years, or 0.
    pub years: Vec<u16>,
    /// How they ended.
    pub ended: Vec<Ended>,
    /// Ratings of both sides, or 0.
    pub ratings: Vec<[u16; 2]>,
    /// The players of both sides, as numbers of words.
    pub players: Vec<[u32; 2]>,
}

/// A game as it is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The names of both sides.
    pub players: [String; 2],
    /// The event.
    pub event: String,
    /// The date as the record has it.
    pub date: String,
    /// The file that it was in.
    pub file: String,
    /// Its number in that file.
    pub number: u32,
}

/// An open index.
pub struct Index {
    file: Container,
    game: SharedGame,
    places: Places,
    bits: u32,
    games: usize,
    facts: OnceLock<Facts>,
    words: OnceLock<Vec<String>>,
    names: OnceLock<Names>,
}

impl Index {
    /// Opens a file.
    pub fn open(path: &Path, entry: &GameEntry) -> Result<Index, TaskError> {
        Index::new(Container::open(path, &expected(entry)).map_err(TaskError::below)?, entry)
    }

    /// Reads a file that is in memory.
    pub fn from_bytes(bytes: Vec<u8>, entry: &GameEntry) -> Result<Index, TaskError> {
        let file = Container::from_bytes(bytes, &expected(entry)).map_err(TaskError::below)?;
        Index::new(file, entry)
    }

    fn new(file: Container, entry: &GameEntry) -> Result<Index, TaskError> {
        let count = |name: &str| file.section(name).and_then(|s| s.count::<u64>());
        let buckets = count("starts").map_err(TaskError::below)?.saturating_sub(1);
        let games = count("move-starts").map_err(TaskError::below)?.saturating_sub(1);
        let index = Index {
            bits: buckets.checked_ilog2().unwrap_or(0),
            games: games as usize,
            game: entry.game.clone(),
            places: Places::of(entry),
            file,
            facts: OnceLock::new(),
            words: OnceLock::new(),
            names: OnceLock::new(),
        };
        if !buckets.is_power_of_two() || index.bits > 40 {
            return Err(index.damaged("the number of buckets"));
        }
        if games == 0 || games > MOST_GAMES {
            return Err(index.damaged("the number of games"));
        }
        index.check()?;
        Ok(index)
    }

    /// Refuses a file whose keys or order of moves are not ours: every answer would be wrong.
    fn check(&self) -> Result<(), TaskError> {
        let stored: Vec<u64> = self.section("check", |s| s.array(1))?;
        let (begin, moves) = (self.begin(0)?, self.moves_of(0)?);
        let digest = digest_of(&*self.game, &self.places, &begin, &moves);
        if stored.first().copied() == digest {
            return Ok(());
        }
        let file = self.file.file();
        Err(TaskError::Unfit(format!(
            "{file}: it was made by a version that numbers positions or moves in another way; make \
             it again from the records"
        )))
    }

    /// The name for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        self.file.file()
    }

    /// How many games it holds.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games
    }

    /// When are two positions the same?
    #[must_use]
    pub fn places(&self) -> &Places {
        &self.places
    }

    fn section<T>(
        &self,
        name: &str,
        read: impl FnOnce(zug_core::container::Section<'_>) -> Result<T, ContainerError>,
    ) -> Result<T, TaskError> {
        self.file.section(name).and_then(read).map_err(TaskError::below)
    }

    fn damaged(&self, what: &str) -> TaskError {
        TaskError::Unfit(format!("{}: damaged: {what} cannot be right", self.file.file()))
    }

    /// A column with so many numbers a game.
    fn column<T: Element>(&self, name: &str, each: usize) -> Result<Vec<T>, TaskError> {
        let all: Vec<T> = self.section(name, |s| s.array(MOST_GAMES * each as u64))?;
        if all.len() != self.games * each {
            return Err(self.damaged(name));
        }
        Ok(all)
    }

    /// What is known of all games.
    pub fn facts(&self) -> Result<&Facts, TaskError> {
        if let Some(known) = self.facts.get() {
            return Ok(known);
        }
        let pairs = |all: Vec<u16>| all.chunks_exact(2).map(|p| [p[0], p[1]]).collect();
        let players: Vec<u32> = self.column("players", 2)?;
        let ended: Vec<u8> = self.column("results", 1)?;
        let facts = Facts {
            years: self.column("years", 1)?,
            ended: ended.into_iter().map(Ended::of_byte).collect(),
            ratings: pairs(self.column("ratings", 2)?),
            players: players.chunks_exact(2).map(|p| [p[0], p[1]]).collect(),
        };
        Ok(self.facts.get_or_init(|| facts))
    }

    /// Players, events, dates, files: by number.
    pub fn words(&self) -> Result<&[String], TaskError> {
        if let Some(known) = self.words.get() {
            return Ok(known);
        }
        let bytes = self.section("words", |s| s.bytes(MOST_TEXT))?;
        let bytes = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
        let words = bytes.split(|&b| b == 0).map(|w| String::from_utf8_lossy(w).into_owned());
        Ok(self.words.get_or_init(|| words.collect()))
    }

    /// The names of openings that went in.
    pub fn names(&self) -> Result<&Names, TaskError> {
        if let Some(known) = self.names.get() {
            return Ok(known);
        }
        let bytes = self.section("names", |s| s.bytes(MOST_TEXT))?;
        let (mut names, mut rest) = (Names::default(), &bytes[..]);
        while let Some((key, after)) = rest.split_first_chunk::<8>() {
            let Some(end) = after.iter().position(|&b| b == 0) else {
                return Err(self.damaged("a name of an opening"));
            };
            if !names.insert(u64::from_le_bytes(*key), &String::from_utf8_lossy(&after[..end])) {
                return Err(self.damaged("a name of an opening"));
            }
            rest = &after[end + 1..];
        }
        Ok(self.names.get_or_init(|| names))
    }

    fn word(&self, number: u32) -> Result<String, TaskError> {
        let found = self.words()?.get(number as usize).cloned();
        found.ok_or_else(|| self.damaged("the number of a text"))
    }

    fn one(&self, column: &str, game: u32) -> Result<u32, TaskError> {
        let at = u64::from(game);
        let found: Vec<u32> = self.section(column, |s| s.array_part(at..at + 1))?;
        found.first().copied().ok_or_else(|| self.damaged(column))
    }

    /// Who played, where and when?
    pub fn card(&self, game: u32) -> Result<Card, TaskError> {
        let players = self.facts()?.players.get(game as usize).copied();
        let players = players.ok_or_else(|| self.damaged("the number of a game"))?;
        Ok(Card {
            players: [self.word(players[0])?, self.word(players[1])?],
            event: self.word(self.one("events", game)?)?,
            date: self.word(self.one("dates", game)?)?,
            file: self.word(self.one("files", game)?)?,
            number: self.one("numbers", game)?,
        })
    }

    fn begin(&self, game: u32) -> Result<String, TaskError> {
        match self.one("begins", game)? {
            0 => Ok(String::new()),
            number => self.word(number),
        }
    }

    /// The moves of a game, as ranks of seven bits a byte.
    fn moves_of(&self, game: u32) -> Result<Vec<u8>, TaskError> {
        let at = u64::from(game);
        let starts: Vec<u64> = self.section("move-starts", |s| s.array_part(at..at + 2))?;
        match starts[..] {
            [from, to] if from <= to && to - from <= MOST_MOVES => {
                self.section("moves", |s| s.read(from..to))
            }
            _ => Err(self.damaged("the moves of a game")),
        }
    }

    /// A whole game.
    pub fn record(&self, game: u32) -> Result<Record, TaskError> {
        if game as usize >= self.games {
            let message = format!("{}: there is no game {game}", self.file.file());
            return Err(TaskError::Unfit(message));
        }
        let mut line = self.line(game)?;
        let moves = self.moves_of(game)?;
        let mut moves = &moves[..];
        while let Some(rank) = take_number(&mut moves) {
            if !line.play_rank(rank as usize) {
                return Err(self.damaged("a move of a game"));
            }
        }
        let mut record = Record::of_line(&*line);
        let card = self.card(game)?;
        let facts = self.facts()?;
        let at = game as usize;
        for side in Side::BOTH {
            let name = self.game.side_name(side);
            let mut chars = name.chars();
            let first = chars.next().into_iter().flat_map(char::to_uppercase);
            let tag: String = first.chain(chars).collect();
            let rating = facts.ratings[at][side.index()];
            for (tag, value) in [
                (tag.clone(), card.players[side.index()].clone()),
                (format!("{tag}Elo"), if rating > 0 { rating.to_string() } else { String::new() }),
            ] {
                if !value.is_empty() {
                    record.set_tag(&tag, value);
                }
            }
        }
        for (tag, value) in [("Event", &card.event), ("Date", &card.date)] {
            if !value.is_empty() {
                record.set_tag(tag, value.clone());
            }
        }
        record.moves =
            line.moves().into_iter().map(|text| RecordMove { text, comment: None }).collect();
        let stated = match facts.ended[at] {
            Ended::Unknown => None,
            Ended::Won(side) => Some(Some(side)),
            Ended::Drawn => Some(None),
        };
        record.result = match (stated, record.result) {
            (None, by_rules) => by_rules,
            // The rules know the margin too.
            (Some(winner), RecordResult::Known { winner: same, margin }) if winner == same => {
                RecordResult::Known { winner, margin }
            }
            (Some(winner), _) => RecordResult::Known { winner, margin: None },
        };
        Ok(record)
    }

    fn line(&self, game: u32) -> Result<Box<dyn AnyLine>, TaskError> {
        match self.begin(game)?.as_str() {
            "" => Ok(self.game.new_line()),
            text => {
                let line = self.game.line_from(text);
                line.map_err(|_| self.damaged("the position where a game begins"))
            }
        }
    }

    /// The ply at which a position comes up in a game for the first time.
    pub fn find_in(&self, game: u32, key: u64) -> Result<Option<usize>, TaskError> {
        if game as usize >= self.games {
            return Err(self.damaged("the number of a game"));
        }
        Ok(self.keys_in(game)?.iter().position(|&k| k == key))
    }

    /// All games that came by the present position of a line; `after` are the keys that can follow,
    /// in order.
    pub fn hits(&self, line: &dyn AnyLine, after: &[u64]) -> Result<Vec<Hit>, TaskError> {
        let key = self.places.key(line);
        let (bucket, mark) = place_of(key, self.bits);
        let at = bucket as u64;
        let starts: Vec<u64> = self.section("starts", |s| s.array_part(at..at + 2))?;
        let bytes = match starts[..] {
            [from, to] if from <= to => self.section("lists", |s| s.read(from..to))?,
            _ => return Err(self.damaged("a bucket of positions")),
        };
        let candidates = self.candidates(&bytes, mark)?;
        for (number, hits) in candidates.iter().enumerate() {
            // The entries of a bucket are in order of their keys. So if a game came by several
            // positions that look alike here, the first of the entries that name it is that of the
            // smallest key, and so on.
            let Some(game) = hits.first().map(|hit| hit.game) else { continue };
            let keys = self.keys_in(game)?;
            let mut alike: Vec<u64> = keys
                .iter()
                .copied()
                .filter(|&k| place_of(k, self.bits) == (bucket, mark))
                .collect();
            alike.sort_unstable();
            alike.dedup();
            let named = |hits: &&Vec<Hit>| hits.binary_search_by_key(&game, |h| h.game).is_ok();
            let before = candidates[..number].iter().filter(named).count();
            if alike.get(before) != Some(&key) {
                continue;
            }
            if let [only] = hits[..] {
                let at = keys.iter().position(|&k| k == key).unwrap_or(keys.len());
                let next = keys.get(at + 1).and_then(|key| after.binary_search(key).ok());
                let reply = next.map_or(Reply::End, |rank| Reply::Move(rank as u32));
                return Ok(vec![Hit { reply, ..only }]);
            }
            return Ok(hits.clone());
        }
        Ok(Vec::new())
    }

    /// The entries of a bucket that may be the one that is looked for. What followed is not told in
    /// those of one game.
    fn candidates(&self, bytes: &[u8], mark: u8) -> Result<Vec<Vec<Hit>>, TaskError> {
        let mut rest = bytes;
        let broken = || self.damaged("a list of games");
        let mut found = Vec::new();
        while let Some((&here, tail)) = rest.split_first() {
            rest = tail;
            let length = take_number(&mut rest).ok_or_else(broken)?;
            let hits = if length == 0 {
                let game = take_number(&mut rest).and_then(|n| u32::try_from(n).ok());
                let game = game.filter(|&game| (game as usize) < self.games).ok_or_else(broken)?;
                Some(vec![Hit { game, reply: Reply::End }])
            } else {
                let length = usize::try_from(length).map_err(|_| broken())?;
                let (body, tail) = rest.split_at_checked(length).ok_or_else(broken)?;
                rest = tail;
                // Long lists that are not asked for are not unpacked.
                (here == mark).then(|| self.unpack(body).ok_or_else(broken)).transpose()?
            };
            found.extend(hits.filter(|_| here == mark));
        }
        Ok(found)
    }

    /// The keys of all positions of a game.
    fn keys_in(&self, game: u32) -> Result<Vec<u64>, TaskError> {
        let (mut line, moves) = (self.line(game)?, self.moves_of(game)?);
        let (mut moves, mut keys) = (&moves[..], vec![self.places.key(&*line)]);
        while let Some(rank) = take_number(&mut moves) {
            if !line.play_rank(rank as usize) {
                return Err(self.damaged("a move of a game"));
            }
            keys.push(self.places.key(&*line));
        }
        Ok(keys)
    }

    fn unpack(&self, mut body: &[u8]) -> Option<Vec<Hit>> {
        let count = take_number(&mut body)?;
        let mut kinds = Vec::new();
        for _ in 0..count {
            kinds.push(match take_number(&mut body)? {
                0 => Reply::End,
                rank => Reply::Move(u32::try_from(rank - 1).ok()?),
            });
        }
        let (mut hits, mut game) = (Vec::new(), 0u64);
        while !body.is_empty() {
            let number = take_number(&mut body)?;
            game = game.checked_add(number.checked_div(count)?)?;
            if game >= self.games as u64 {
                return None;
            }
            let reply = *kinds.get((number % count) as usize)?;
            hits.push(Hit { game: game as u32, reply });
        }
        Some(hits)
    }
}

fn expected(entry: &GameEntry) -> Expect {
    Expect::book(entry.game.spec()).layout(LAYOUT)
}

/// A digest of the keys and of the order of moves along the beginning of a game; `None` where it
/// cannot be played.
pub(crate) fn digest_of(
    game: &dyn AnyGame,
    places: &Places,
    begin: &str,
    mut moves: &[u8],
) -> Option<u64> {
    let mut line = match begin {
        "" => game.new_line(),
        text => game.line_from(text).ok()?,
    };
    let mut digest = 0u64;
    for _ in 0..CHECKED {
        digest = zug_core::seed::mix(digest ^ places.key(&*line));
        for key in places.keys_after(&*line) {
            digest = zug_core::seed::mix(digest.rotate_left(1) ^ key);
        }
        let Some(rank) = take_number(&mut moves) else { break };
        if !line.play_rank(rank as usize) {
            return None;
        }
    }
    Some(digest)
}

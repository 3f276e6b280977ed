//! Games from and to SGF.

use super::{Answer, Session};
use std::fs::File;
use std::io::{Read, Write};
use zug_core::{Record, RecordFormat, Spec};

/// The largest file that is read: collections of thousands of games fit.
const MAX_FILE: u64 = 64 << 20;

impl<W: Write + Send> Session<'_, '_, W> {
    fn sgf(&self) -> Result<&dyn RecordFormat, String> {
        let formats = &self.board.entry.formats;
        let sgf = formats.iter().find(|f| f.name().eq_ignore_ascii_case("sgf"));
        sgf.map(|f| &**f).ok_or_else(|| "this game is not written in SGF".into())
    }

    /// `loadsgf FILE [MOVE]`: the first game of a file, up to the position before that move.
    pub(super) fn load_sgf(&mut self, arguments: &[String]) -> Result<(), String> {
        let (name, until) = match arguments {
            [name] => (name.clone(), None),
            // A name may hold spaces, so only a number at the end is a move number.
            [name @ .., last] if !name.is_empty() => match last.parse::<usize>() {
                Ok(number) => (name.join(" "), Some(number)),
                Err(_) => (arguments.join(" "), None),
            },
            _ => return Err("syntax error: expected a file name".into()),
        };
        let mut record = self.read_first(&name).map_err(|e| format!("cannot load file: {e}"))?;
        if let Some(number) = until {
            record.moves.truncate(number.saturating_sub(1));
        }
        if record.game != self.board.entry.game.spec() {
            let entry = (self.open)(&record.game)?;
            self.base = Spec::parse(&entry.game.spec()).map_err(|e| e.to_string())?;
            self.board.entry = entry;
            self.seat.rebuild();
        }
        let line = record.replay(&*self.board.entry.game).map_err(|(ply, e)| {
            self.board.clear();
            format!("cannot load file: ply {ply}: {e}")
        })?;
        self.board.set_played_line(line);
        self.time.restart();
        self.seat.new_game(&self.board.entry, &*self.board.line)
    }

    fn read_first(&self, name: &str) -> Result<Record, String> {
        let sgf = self.sgf()?;
        let mut bytes = Vec::new();
        let file = File::open(name).map_err(|e| e.to_string())?;
        file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        if bytes.len() as u64 > MAX_FILE {
            return Err("the file is too large".into());
        }
        let first = sgf.read(&bytes).into_iter().next().ok_or("there is no game in it")?;
        first.map_err(|e| e.to_string())
    }

    pub(super) fn print_sgf(&self) -> Answer {
        let record = Record::of_line(&*self.board.line);
        let bytes = self.sgf()?.write(&[record]).map_err(|e| e.to_string())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

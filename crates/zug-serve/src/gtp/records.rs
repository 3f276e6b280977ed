//! Games from and to files: SGF, and whatever formats a game has.

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

    /// The format by its name or ending; by the ending of a file name.
    fn format(&self, wanted: &str) -> Result<&dyn RecordFormat, String> {
        let ending = wanted.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let formats = &self.board.entry.formats;
        let fits = |f: &&dyn RecordFormat| {
            f.name().eq_ignore_ascii_case(wanted) || f.extensions().contains(&ending.as_str())
        };
        formats.iter().map(|f| &**f).find(fits).ok_or_else(|| {
            let known: Vec<&str> = formats.iter().flat_map(|f| f.extensions()).copied().collect();
            format!("records of this game end in .{}", known.join(", ."))
        })
    }

    /// `loadsgf FILE [MOVE]`: the first game of a file, up to the position before that move.
    pub(super) fn load_sgf(&mut self, arguments: &[String]) -> Result<(), String> {
        self.load(arguments, |session, _| session.sgf())
    }

    /// `zug-load FILE [MOVE]`: the same in any format of the game, by the ending of the name.
    pub(super) fn load_record(&mut self, arguments: &[String]) -> Result<(), String> {
        self.load(arguments, |session, name| session.format(name))
    }

    fn load(
        &mut self,
        arguments: &[String],
        format: impl for<'a> Fn(&'a Self, &str) -> Result<&'a dyn RecordFormat, String>,
    ) -> Result<(), String> {
        let (name, until) = match arguments {
            [name] => (name.clone(), None),
            // A name may hold spaces, so only a number at the end is a move number.
            [name @ .., last] if !name.is_empty() => match last.parse::<usize>() {
                Ok(number) => (name.join(" "), Some(number)),
                Err(_) => (arguments.join(" "), None),
            },
            _ => return Err("syntax error: expected a file name".into()),
        };
        let mut record = format(self, &name)
            .and_then(|format| read_first(format, &name))
            .map_err(|e| format!("cannot load file: {e}"))?;
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

    /// `zug-print [FORMAT]`: the game so far, in the usual format unless said otherwise.
    pub(super) fn print_record(&self, arguments: &[String]) -> Answer {
        let record = Record::of_line(&*self.board.line);
        let format = match arguments.first() {
            Some(wanted) => self.format(wanted)?,
            None => &**self.board.entry.formats.first().ok_or("this game has no format")?,
        };
        let bytes = format.write(&[record]).map_err(|e| e.to_string())?;
        let text = String::from_utf8(bytes).map_err(|_| "this format is no text")?;
        // A blank line would end the response.
        Ok(text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn print_sgf(&self) -> Answer {
        let record = Record::of_line(&*self.board.line);
        let bytes = self.sgf()?.write(&[record]).map_err(|e| e.to_string())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The first game of a file.
fn read_first(format: &dyn RecordFormat, name: &str) -> Result<Record, String> {
    let mut bytes = Vec::new();
    let file = File::open(name).map_err(|e| e.to_string())?;
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() as u64 > MAX_FILE {
        return Err("the file is too large".into());
    }
    let mut first = None;
    format.for_each(&bytes, &mut |record| {
        first = Some(record);
        false
    });
    first.ok_or("there is no game in it")?.map_err(|e| e.to_string())
}

//! Which game, and from where? Board size, komi, handicap, set-up positions.

use super::board::{with_option, with_size};
use super::{Answer, Session};
use std::io::Write;
use zug_core::{AnyLine, GameEntry, Side, Spec};

impl<W: Write + Send> Session<'_, '_, W> {
    fn open(&self, spec: &Spec) -> Result<GameEntry, String> {
        (self.open)(&spec.to_string())
    }

    /// A new game of this kind; a player that knew another one is built again.
    fn begin(&mut self, entry: GameEntry) -> Result<(), String> {
        if entry.game.spec() != self.board.entry.game.spec() {
            self.board.entry = entry;
            self.seat.rebuild();
        }
        self.board.clear();
        self.time.restart();
        self.seat.new_game(&self.board.entry, &*self.board.line)
    }

    pub(super) fn board_size(&mut self, arguments: &[String]) -> Result<(), String> {
        let size = arguments.first().and_then(|text| text.parse().ok());
        let size: usize = size.ok_or("syntax error: boardsize not an integer")?;
        let spec = with_size(&self.base, size);
        if let Ok(entry) = self.open(&spec) {
            self.base = spec;
            return self.begin(entry);
        }
        // Games with one size only have no option for it.
        let picture = self.board.line.picture();
        if (picture.width, picture.height) == (size, size) {
            self.clear_board()
        } else {
            Err("unacceptable size".into())
        }
    }

    pub(super) fn clear_board(&mut self) -> Result<(), String> {
        let entry = self.open(&self.base)?;
        self.begin(entry)
    }

    pub(super) fn komi(&self) -> Option<String> {
        self.base
            .get("komi")
            .map(String::from)
            .or_else(|| self.board.komi().map(|komi| komi.to_string()))
    }

    /// Komi may change in the middle of a game: the moves are played again.
    pub(super) fn set_komi(&mut self, arguments: &[String]) -> Result<(), String> {
        let komi: Option<f32> = arguments.first().and_then(|text| text.parse().ok());
        let komi = komi.filter(|k| k.is_finite()).ok_or("syntax error: komi not a float")?;
        let komi = Some(komi.to_string());
        // Tournament managers send komi whatever is played; it means nothing elsewhere.
        if self.komi().is_none() {
            return Ok(());
        }
        self.change_options(&[("komi", komi)])
    }

    /// Other options of the same game, which may change in the middle of it: the moves stay.
    pub(super) fn change_options(
        &mut self,
        options: &[(&str, Option<String>)],
    ) -> Result<(), String> {
        let with_all = |spec: &Spec| {
            options.iter().fold(spec.clone(), |spec, (key, v)| with_option(&spec, key, v.clone()))
        };
        let current = Spec::parse(&self.board.entry.game.spec()).map_err(|e| e.to_string())?;
        let entry = self.open(&with_all(&current))?;
        self.board.reopen(entry)?;
        self.seat.rebuild();
        self.base = with_all(&self.base);
        Ok(())
    }

    fn require_empty_board(&self) -> Result<(), String> {
        let stones = Side::BOTH.iter().any(|&side| !self.board.stones(side).is_empty());
        if stones || self.board.line.ply() > 0 { Err("board not empty".into()) } else { Ok(()) }
    }

    pub(super) fn fixed_handicap(&mut self, arguments: &[String]) -> Answer {
        let stones = number_of_stones(arguments)?;
        self.require_empty_board()?;
        // Handicap has a komi of its own where none is stated; the one in force stays.
        let spec = with_option(&self.base, "komi", self.komi());
        let spec = with_option(&spec, "handicap", Some(stones.to_string()));
        let entry = self.open(&spec).map_err(|_| "invalid number of stones")?;
        self.begin(entry)?;
        Ok(self.board.stones(Side::First).join(" "))
    }

    /// The usual points are as good as any; fewer stones than asked for are allowed.
    pub(super) fn place_free_handicap(&mut self, arguments: &[String]) -> Answer {
        let stones = number_of_stones(arguments)?.min(9);
        (2..=stones)
            .rev()
            .map(|n| self.fixed_handicap(&[n.to_string()]))
            .find(|answer| !matches!(answer, Err(e) if e == "invalid number of stones"))
            .unwrap_or_else(|| Err("invalid number of stones".into()))
    }

    pub(super) fn set_free_handicap(&mut self, arguments: &[String]) -> Result<(), String> {
        self.require_empty_board()?;
        if arguments.len() < 2 {
            return Err("bad vertex list: at least two points".into());
        }
        let stones: Vec<(Side, &str)> =
            arguments.iter().map(|vertex| (Side::First, vertex.as_str())).collect();
        let line = self.with_stones(&stones).map_err(|e| format!("bad vertex list: {e}"))?;
        self.board.set_line(line);
        Ok(())
    }

    /// `set_position black D4 white Q16 …`: stones on an empty board, in an order in which they
    /// capture nothing.
    pub(super) fn set_position(&mut self, arguments: &[String]) -> Result<(), String> {
        if !arguments.len().is_multiple_of(2) {
            return Err("syntax error: expected pairs of colour and vertex".into());
        }
        let stones = arguments
            .chunks(2)
            .map(|pair| Ok((self.board.colours().read(&pair[0])?, pair[1].as_str())))
            .collect::<Result<Vec<_>, String>>()?;
        let line = self.with_stones(&stones)?;
        self.board.set_line(line);
        self.seat.new_game(&self.board.entry, &*self.board.line)
    }

    /// A line that begins with these stones on an otherwise empty board.
    fn with_stones(&self, stones: &[(Side, &str)]) -> Result<Box<dyn AnyLine>, String> {
        let mut line = self.board.entry.game.new_line();
        for &(side, vertex) in stones {
            if vertex.eq_ignore_ascii_case("pass") {
                return Err("a pass is no stone".into());
            }
            if line.to_move() != side {
                let turn = line.hand_over() || line.play("pass").is_ok();
                if !turn {
                    return Err(format!("{vertex}: it is not this colour's turn"));
                }
            }
            line.play(vertex).map_err(|e| format!("{vertex}: {e}"))?;
        }
        let lying = line.picture().cells.iter().filter(|c| is_piece(c)).count();
        let before = self.board.entry.game.new_line().picture();
        let before = before.cells.iter().filter(|c| is_piece(c)).count();
        if lying == before + stones.len() {
            // They were put there, not played: no rule about repetition looks back at them.
            self.board.entry.game.line_from(&line.position_text()).map_err(|e| e.to_string())
        } else {
            Err("these stones capture each other".into())
        }
    }

    /// `zug-game` tells the spec of the game, `zug-game SPEC` opens another one.
    pub(super) fn game(&mut self, arguments: &[String]) -> Answer {
        if !arguments.is_empty() {
            let spec = Spec::parse(&arguments.join(" ")).map_err(|e| e.to_string())?;
            let entry = self.open(&spec)?;
            self.base = Spec::parse(&entry.game.spec()).map_err(|e| e.to_string())?;
            self.begin(entry)?;
        }
        Ok(self.board.entry.game.spec())
    }

    /// `set_game NAME`: the game by the name that `list_games` gives, or by its spec.
    pub(super) fn set_game(&mut self, arguments: &[String]) -> Result<(), String> {
        let name = arguments.join(" ");
        if name.is_empty() {
            return Err("syntax error: expected a game".into());
        }
        if name.eq_ignore_ascii_case(&self.board.entry.game.title()) {
            return self.clear_board();
        }
        self.game(&[name.to_ascii_lowercase()]).map(drop)
    }

    pub(super) fn zug_set_position(&mut self, arguments: &[String]) -> Result<(), String> {
        let text = arguments.join(" ");
        let line = self.board.entry.game.line_from(&text).map_err(|e| e.to_string())?;
        self.board.set_line(line);
        self.seat.new_game(&self.board.entry, &*self.board.line)
    }
}

fn is_piece(cell: &zug_core::Cell) -> bool {
    matches!(cell.owner, zug_core::Owner::Piece(_))
}

fn number_of_stones(arguments: &[String]) -> Result<usize, String> {
    let number = arguments.first().and_then(|text| text.parse().ok());
    let number: usize = number.ok_or("syntax error: expected a number of stones")?;
    if number >= 2 { Ok(number) } else { Err("invalid number of stones".into()) }
}

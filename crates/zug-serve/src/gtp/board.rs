//! The board as GTP sees it: moves of either colour, taken back one at a time, on a game that can
//! be opened again under other options.
//!
//! GTP lets a colour move twice in a row. Where the rules leave room for it, the other side gives its
//! turn away in between ([`AnyLine::hand_over`]), which is no pass, and `undo` takes both back.
//!
//! GTP also lets play go on after both have passed, to take dead stones off the board. Our rules
//! end the game there, so the passes at its end are taken back first, as if they had not been made;
//! `undo` puts them back.

use super::colour::Colours;
use zug_core::{AnyLine, GameEntry, Outcome, Owner, Picture, Side, Spec};

/// The judgement of dead stones throws dice; the same position must always be judged alike.
const SETTLE_SEED: u64 = 1;

/// A game with a line of play.
pub(super) struct Board {
    pub(super) entry: GameEntry,
    pub(super) line: Box<dyn AnyLine>,
    entered: Vec<Entered>,
}

/// What one `play` or `genmove` did to the line.
#[derive(Default)]
struct Entered {
    /// Passes that were taken back first, the last one first, since they had ended the game.
    taken_back: Vec<String>,
    /// Plies since: the move, and before it perhaps a turn that was handed over.
    played: usize,
    handed_over: bool,
}

fn is_pass(mv: &str) -> bool {
    mv.eq_ignore_ascii_case("pass")
}

/// Finds the pass among the legal moves.
fn pass_of(line: &dyn AnyLine) -> Option<String> {
    line.legal_moves().into_iter().find(|mv| is_pass(mv))
}

fn when_all_pass(line: &dyn AnyLine) -> Option<Outcome> {
    let mut line = line.boxed_clone();
    for _ in 0..3 {
        if line.outcome().is_some() {
            break;
        }
        let pass = pass_of(&*line)?;
        line.play(&pass).ok()?;
    }
    line.outcome()
}

impl Board {
    pub(super) fn new(entry: GameEntry) -> Board {
        let line = entry.game.new_line();
        Board { entry, line, entered: Vec::new() }
    }

    pub(super) fn colours(&self) -> Colours {
        Colours::of(&*self.entry.game)
    }

    /// Begins again from here; what came before cannot be taken back.
    pub(super) fn set_line(&mut self, line: Box<dyn AnyLine>) {
        self.line = line;
        self.entered.clear();
    }

    /// A line that was played move by move, each of which can be taken back.
    pub(super) fn set_played_line(&mut self, line: Box<dyn AnyLine>) {
        self.entered =
            (0..line.ply()).map(|_| Entered { played: 1, ..Entered::default() }).collect();
        self.line = line;
    }

    pub(super) fn clear(&mut self) {
        self.set_line(self.entry.game.new_line());
    }

    /// May a side pass whenever it likes, as in Go?
    pub(super) fn passes_freely(&self) -> bool {
        pass_of(&*self.entry.game.new_line()).is_some()
    }

    /// The outcome of a game after which nothing can be played, not even as if the passes at its
    /// end had not been made.
    pub(super) fn ended_for_good(&self) -> Option<Outcome> {
        self.line.outcome().filter(|_| self.before_last_passes().is_none())
    }

    /// The line before the passes that ended it, and these passes, the last one first.
    fn before_last_passes(&self) -> Option<(Box<dyn AnyLine>, Vec<String>)> {
        if self.line.outcome().is_none() || !self.passes_freely() {
            return None;
        }
        let moves = self.line.moves().into_iter().rev();
        // One of each side; what stands before them may be a turn that was handed over.
        let passes: Vec<String> = moves.take_while(|mv| is_pass(mv)).take(2).collect();
        let mut before = self.line.boxed_clone();
        for _ in &passes {
            before.undo();
        }
        before.outcome().is_none().then_some((before, passes))
    }

    /// Makes it `side`'s turn.
    fn hand_turn_to(&mut self, side: Side) -> Result<Entered, String> {
        let mut entered = Entered::default();
        if let Some((before, passes)) = self.before_last_passes() {
            self.line = before;
            entered.taken_back = passes;
        }
        if self.line.to_move() == side {
            return Ok(entered);
        }
        if self.line.hand_over() {
            return Ok(Entered { played: 1, handed_over: true, ..entered });
        }
        self.put_back(entered);
        Err(format!("illegal move: it is {}'s turn", self.colours().name(side.other())))
    }

    fn put_back(&mut self, entered: Entered) {
        for _ in 0..entered.played {
            self.line.undo();
        }
        for mv in entered.taken_back.iter().rev() {
            let again = self.line.play(mv);
            debug_assert!(again.is_ok(), "a move that was taken back can be played again");
        }
    }

    /// Plays a move of a side; gives back its own way of writing it.
    pub(super) fn play(&mut self, side: Side, text: &str) -> Result<String, String> {
        let mut entered = self.hand_turn_to(side)?;
        match self.line.play(text) {
            Ok(mv) => {
                entered.played += 1;
                self.entered.push(entered);
                Ok(mv)
            }
            Err(e) => {
                self.put_back(entered);
                Err(format!("illegal move: expected {}, found {}", e.expected, e.found))
            }
        }
    }

    /// The same line under other options of the game.
    pub(super) fn reopen(&mut self, entry: GameEntry) -> Result<(), String> {
        let old = &*self.line;
        let mut line = if old.starts_at_start() {
            entry.game.new_line()
        } else {
            entry.game.line_from(&old.start_text()).map_err(|e| e.to_string())?
        };
        let given = self.handed_over();
        for (ply, mv) in old.moves().into_iter().enumerate() {
            if !(given.contains(&ply) && line.hand_over()) {
                line.play(&mv).map_err(|e| e.to_string())?;
            }
        }
        self.line = line;
        self.entry = entry;
        Ok(())
    }

    /// The plies of the line that are no moves, but turns that were handed over.
    fn handed_over(&self) -> Vec<usize> {
        let net = |e: &Entered| e.played as isize - e.taken_back.len() as isize;
        let mut ply = self.line.ply() as isize - self.entered.iter().map(net).sum::<isize>();
        let mut plies = Vec::new();
        for entered in &self.entered {
            ply -= entered.taken_back.len() as isize;
            plies.extend(entered.handed_over.then_some(ply as usize));
            ply += entered.played as isize;
        }
        plies
    }

    /// The line with `side` to move: what it would think about.
    pub(super) fn line_for(&mut self, side: Side) -> Result<Box<dyn AnyLine>, String> {
        let entered = self.hand_turn_to(side)?;
        let line = self.line.boxed_clone();
        self.put_back(entered);
        Ok(line)
    }

    /// Takes back the last move that was entered.
    pub(super) fn undo(&mut self) -> Result<(), String> {
        let entered = self.entered.pop().ok_or("cannot undo")?;
        self.put_back(entered);
        Ok(())
    }

    /// The outcome: counted as people would, where the game leaves that to judgement; else of the
    /// finished game, or, where the sides may pass freely, what it would be if both passed now.
    pub(super) fn final_outcome(&self) -> Option<Outcome> {
        if let Some(settled) = self.line.settle(SETTLE_SEED) {
            return Some(settled.outcome);
        }
        match self.line.outcome() {
            None if self.passes_freely() => when_all_pass(&*self.line),
            outcome => outcome,
        }
    }

    /// The score in GTP's words: `B+3.5`, `W+`, `0`.
    pub(super) fn score_text(&self) -> Result<String, String> {
        let outcome = self.final_outcome().ok_or("cannot score: the game has not ended")?;
        Ok(match (outcome.winner, outcome.margin) {
            (None, _) => "0".to_string(),
            (Some(side), margin) => {
                let margin = margin.map_or(String::new(), |m| m.to_string());
                format!("{}+{margin}", self.colours().letter(side))
            }
        })
    }

    /// Points that the second side gets: what it wins by on an untouched board when all pass.
    pub(super) fn komi(&self) -> Option<f32> {
        let start = self.entry.game.new_line();
        let empty = start.picture().cells.iter().all(|c| c.owner == Owner::Empty);
        let outcome = (empty && pass_of(&*start).is_some()).then(|| when_all_pass(&*start))??;
        let margin = outcome.margin?;
        Some(if outcome.winner == Some(Side::First) { -margin } else { margin })
    }

    /// The points where a side has stones, in reading order.
    pub(super) fn stones(&self, side: Side) -> Vec<String> {
        let picture = self.line.picture();
        (0..picture.cells.len())
            .filter(|&i| picture.cells[i].owner == Owner::Piece(side))
            .map(|i| vertex(&picture, i))
            .collect()
    }

    /// The points that a side surrounds, those of dead stones included.
    pub(super) fn territory(&self, side: Side) -> Vec<String> {
        let picture = self.line.picture();
        let settled = self.line.settle(SETTLE_SEED).map(|s| s.territory);
        let cells = settled.map(|[first, second]| if side == Side::First { first } else { second });
        cells.unwrap_or_default().into_iter().map(|cell| vertex(&picture, cell)).collect()
    }

    /// Moves by which dead stones of the opponent of the side to move come nearer to being taken,
    /// one list after the other: at their last points, at other points within their surroundings, all
    /// that are no pass. No list at all where no stone of the opponent is dead.
    pub(super) fn cleaning_moves(line: &dyn AnyLine) -> Vec<Vec<String>> {
        let (picture, other) = (line.picture(), line.to_move().other());
        let Some(settled) = line.settle(SETTLE_SEED) else { return Vec::new() };
        let owner = |cell: usize| picture.cells[cell].owner;
        let dead = settled.dead.iter().copied().filter(|&c| owner(c) == Owner::Piece(other));
        let dead: Vec<usize> = dead.collect();
        if dead.is_empty() {
            return Vec::new();
        }
        let beside: Vec<usize> = dead.iter().flat_map(|&cell| neighbours(&picture, cell)).collect();
        let mut around = dead.clone();
        let mut next = 0;
        while let Some(&cell) = around.get(next) {
            for cell in neighbours(&picture, cell) {
                let open = owner(cell) == Owner::Empty || dead.contains(&cell);
                if open && !around.contains(&cell) {
                    around.push(cell);
                }
            }
            next += 1;
        }
        let mut lists = vec![Vec::new(); 3];
        for mv in line.legal_moves().into_iter().filter(|mv| !is_pass(mv)) {
            let cells = line.move_cells(&mv).unwrap_or_default();
            if cells.iter().any(|cell| beside.contains(cell)) {
                lists[0].push(mv.clone());
            } else if cells.iter().any(|cell| around.contains(cell)) {
                lists[1].push(mv.clone());
            }
            lists[2].push(mv);
        }
        lists.retain(|list| !list.is_empty());
        lists
    }

    /// How many pieces of a side would be taken off if the game ended here.
    pub(super) fn dead_stones(line: &dyn AnyLine, side: Side) -> usize {
        let cells = line.picture().cells;
        let dead = line.settle(SETTLE_SEED).map_or(Vec::new(), |s| s.dead);
        dead.into_iter().filter(|&cell| cells[cell].owner == Owner::Piece(side)).count()
    }

    /// Connected stones of one colour, chain by chain: the dead ones, or the others.
    pub(super) fn chains(&self, dead: bool) -> Vec<Vec<String>> {
        let taken = self.line.settle(SETTLE_SEED).map_or(Vec::new(), |s| s.dead);
        let picture = self.line.picture();
        let mut seen = vec![false; picture.cells.len()];
        let mut chains = Vec::new();
        for start in 0..picture.cells.len() {
            let owner = picture.cells[start].owner;
            let wanted = matches!(owner, Owner::Piece(_)) && taken.contains(&start) == dead;
            if seen[start] || !wanted {
                continue;
            }
            seen[start] = true;
            let (mut chain, mut open) = (Vec::new(), vec![start]);
            while let Some(cell) = open.pop() {
                chain.push(cell);
                for next in neighbours(&picture, cell) {
                    if !seen[next] && picture.cells[next].owner == owner {
                        seen[next] = true;
                        open.push(next);
                    }
                }
            }
            chain.sort_unstable();
            chains.push(chain.into_iter().map(|cell| vertex(&picture, cell)).collect());
        }
        chains
    }

    /// The board drawn with letters, with coordinates where the game has them.
    pub(super) fn drawing(&self) -> String {
        let picture = self.line.picture();
        let margin = picture.row_labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
        let mut rows: Vec<String> = picture
            .cells
            .chunks(picture.width.max(1))
            .enumerate()
            .map(|(y, row)| {
                let label = picture.row_labels.get(y).map_or("", String::as_str);
                let cells: Vec<String> = row.iter().map(|c| c.letter.to_string()).collect();
                format!("{label:>margin$} {}", cells.join(" "))
            })
            .collect();
        if !picture.column_labels.is_empty() {
            rows.push(format!("{:>margin$} {}", "", picture.column_labels.join(" ")));
        }
        let side = self.colours().name(self.line.to_move());
        rows.push(match self.line.outcome() {
            None => format!("{side} to move"),
            Some(outcome) => format!("the game has ended: {}", outcome.reason),
        });
        rows.extend(picture.notes);
        format!("\n{}", rows.join("\n"))
    }
}

/// The cells above, below, left and right.
fn neighbours(picture: &Picture, cell: usize) -> impl Iterator<Item = usize> {
    let (width, height) = (picture.width, picture.height);
    let (x, y) = (cell % width, cell / width);
    let four = [
        (x > 0).then(|| cell - 1),
        (x + 1 < width).then(|| cell + 1),
        (y > 0).then(|| cell - width),
        (y + 1 < height).then(|| cell + width),
    ];
    four.into_iter().flatten()
}

/// The name of a cell: column and row as they are labelled.
fn vertex(picture: &Picture, cell: usize) -> String {
    let (x, y) = (cell % picture.width, cell / picture.width);
    let column = picture.column_labels.get(x).map_or("", String::as_str);
    let row = picture.row_labels.get(y).map_or("", String::as_str);
    format!("{column}{row}")
}

/// A game's spec with another size of board: the bare option that looks like one is replaced.
pub(super) fn with_size(spec: &Spec, size: usize) -> Spec {
    let is_size = |key: &str, value: &str| {
        key == "size"
            || key.is_empty()
                && value.starts_with(|c: char| c.is_ascii_digit())
                && value.chars().all(|c| c.is_ascii_digit() || c == 'x')
    };
    let mut new = spec.clone();
    new.options.retain(|(key, value)| !is_size(key, value));
    new.options.insert(0, (String::new(), format!("{size}x{size}")));
    new
}

/// A spec with an option set, or removed.
pub(super) fn with_option(spec: &Spec, key: &str, value: Option<String>) -> Spec {
    let mut new = spec.clone();
    new.options.retain(|(k, _)| k != key);
    new.options.extend(value.map(|v| (key.to_string(), v)));
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_takes_the_place_of_the_old_one() {
        let sized = |text: &str| with_size(&Spec::parse(text).unwrap(), 9).to_string();
        assert_eq!(sized("go"), "go:9x9");
        assert_eq!(sized("go:19x19,komi=6.5"), "go:9x9,komi=6.5");
        assert_eq!(sized("go:size=13,ko=simple"), "go:9x9,ko=simple");
        assert_eq!(sized("kinarow:misere"), "kinarow:9x9,misere");
    }

    #[test]
    fn options_are_set_and_removed() {
        let spec = Spec::parse("go:9x9,komi=7").unwrap();
        assert_eq!(with_option(&spec, "komi", Some("5.5".into())).to_string(), "go:9x9,komi=5.5");
        assert_eq!(with_option(&spec, "komi", None).to_string(), "go:9x9");
    }
}

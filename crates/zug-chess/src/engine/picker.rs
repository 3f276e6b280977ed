//! In which order are the moves of a node searched?
//!
//! In stages, so that a cut-off saves the work of those behind: the move from the table, captures
//! that do not lose material, killers, quiet moves by history, captures that do. Moves are written
//! to stacks that all nodes of a thread share, above those of the nodes before; nothing is
//! allocated.

use super::checks::Checks;
use super::history::{Histories, Moved, moved};
use super::settings::Techniques;
use crate::eval::parameters::EXCHANGE;
use crate::see;
use cozy_chess::{BitBoard, Board, Move, Piece, PieceMoves, Rank, Square};

/// A move with what it promises.
#[derive(Clone, Copy)]
pub(super) struct Promise {
    mv: Move,
    promise: i32,
}

/// The stacks.
#[derive(Default)]
pub(super) struct Lists {
    moves: Vec<Promise>,
    pieces: Vec<PieceMoves>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    Table,
    Generate,
    Good,
    Killers,
    Quiets,
    QuietsOut,
    Bad,
    Done,
}

/// What a node wants to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Every move.
    All,
    /// Captures and promotions.
    Captures,
    /// Those and quiet moves that give check.
    CapturesAndChecks,
}

/// What the order depends on.
pub(super) struct Order<'a> {
    pub board: &'a Board,
    pub histories: &'a Histories,
    pub techniques: &'a Techniques,
    pub before: [Option<Moved>; 2],
    /// Which moves give check, where that matters.
    pub checks: Option<&'a Checks>,
}

/// The moves of one node, one after the other.
pub(super) struct Picker {
    wanted: Wanted,
    stage: Stage,
    table: Option<Move>,
    killers: [Option<Move>; 3],
    killer: usize,
    moves_from: usize,
    pieces_from: usize,
    next: usize,
    end: usize,
    bad: usize,
    skip_quiets: bool,
}

/// Below every other: promotions to less than a queen.
const UNDER: i32 = -1_000_000;
/// What a quiet move that gives check is promised, if it loses no more than this.
const CHECK: i32 = 16_000;
const CHECK_LOSS: i32 = -75;

impl Picker {
    /// The table's move must be legal; killers are checked here.
    pub fn new(
        lists: &Lists,
        wanted: Wanted,
        table: Option<Move>,
        killers: [Option<Move>; 3],
    ) -> Picker {
        let (moves_from, pieces_from) = (lists.moves.len(), lists.pieces.len());
        Picker {
            wanted,
            stage: Stage::Table,
            table,
            killers,
            killer: 0,
            moves_from,
            pieces_from,
            next: moves_from,
            end: moves_from,
            bad: moves_from,
            skip_quiets: false,
        }
    }

    /// No more quiet moves are wanted.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Was the last move a capture that loses material, or behind those that do not?
    pub fn is_late(&self) -> bool {
        self.stage >= Stage::Bad
    }

    /// Gives the stacks back.
    pub fn finish(self, lists: &mut Lists) {
        lists.moves.truncate(self.moves_from);
        lists.pieces.truncate(self.pieces_from);
    }

    /// Whether there is any legal move; writes them down.
    pub fn any_move(&mut self, lists: &mut Lists, board: &Board) -> bool {
        lists.pieces.truncate(self.pieces_from);
        board.generate_moves(|moves| {
            lists.pieces.push(moves);
            false
        });
        lists.pieces.len() > self.pieces_from
    }

    /// The next move.
    pub fn next(&mut self, lists: &mut Lists, order: &Order<'_>) -> Option<Move> {
        let board = order.board;
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Generate;
                    if self.table.is_some() {
                        return self.table;
                    }
                }
                Stage::Generate => {
                    if lists.pieces.len() == self.pieces_from {
                        self.any_move(lists, board);
                    }
                    self.write_captures(lists, order);
                    self.stage = Stage::Good;
                }
                Stage::Good => {
                    if let Some(Promise { mv, promise }) = self.best(lists) {
                        if Some(mv) == self.table {
                            continue;
                        }
                        let losing = promise <= UNDER
                            || order.techniques.see_order && !see::at_least(board, mv, 0);
                        if losing {
                            lists.moves[self.bad] = Promise { mv, promise };
                            self.bad += 1;
                            continue;
                        }
                        return Some(mv);
                    }
                    self.stage = match self.wanted {
                        Wanted::All => Stage::Killers,
                        Wanted::Captures => Stage::Done,
                        Wanted::CapturesAndChecks => {
                            self.write_checks(lists, board);
                            Stage::QuietsOut
                        }
                    };
                }
                Stage::Killers => {
                    if self.skip_quiets || self.killer == self.killers.len() {
                        self.stage = Stage::Quiets;
                        continue;
                    }
                    let killer = self.killers[self.killer];
                    let again = self.killers[..self.killer].contains(&killer);
                    self.killer += 1;
                    if let Some(mv) = killer
                        && !again
                        && killer != self.table
                        && is_quiet(board, mv)
                        && board.is_legal(mv)
                    {
                        return Some(mv);
                    }
                    // What is not played here must not be left out later.
                    if !again {
                        self.killers[self.killer - 1] = None;
                    }
                }
                Stage::Quiets => {
                    if !self.skip_quiets {
                        self.write_quiets(lists, order);
                    }
                    self.stage = Stage::QuietsOut;
                }
                Stage::QuietsOut => {
                    if !self.skip_quiets
                        && let Some(Promise { mv, .. }) = self.best(lists)
                    {
                        if Some(mv) == self.table || self.killers.contains(&Some(mv)) {
                            continue;
                        }
                        return Some(mv);
                    }
                    self.next = self.moves_from;
                    self.end = self.bad;
                    self.stage = if self.wanted == Wanted::All { Stage::Bad } else { Stage::Done };
                }
                Stage::Bad => {
                    if self.next < self.end {
                        self.next += 1;
                        return Some(lists.moves[self.next - 1].mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Takes the most promising of what is left, the first of several.
    fn best(&mut self, lists: &mut Lists) -> Option<Promise> {
        let rest = &mut lists.moves[self.next..self.end];
        let mut best = 0;
        for at in 1..rest.len() {
            if rest[at].promise > rest[best].promise {
                best = at;
            }
        }
        let first = *rest.first()?;
        let found = rest[best];
        rest[best] = first;
        rest[0] = found;
        self.next += 1;
        Some(found)
    }

    fn write_captures(&mut self, lists: &mut Lists, order: &Order<'_>) {
        let board = order.board;
        let us = board.side_to_move();
        let enemies = board.colors(!us);
        let last = Rank::Eighth.relative_to(us).bitboard();
        let passing = board.en_passant().map_or(BitBoard::EMPTY, |file| {
            Square::new(file, Rank::Sixth.relative_to(us)).bitboard()
        });
        for at in self.pieces_from..lists.pieces.len() {
            let mut moves = lists.pieces[at];
            moves.to &= match moves.piece {
                // Only pawns beside it reach the square behind a pawn that advanced two steps.
                Piece::Pawn => enemies | last | passing & !moves.from.file().bitboard(),
                _ => enemies,
            };
            for mv in moves {
                let promise = promise(order, moves.piece, mv);
                lists.moves.push(Promise { mv, promise });
            }
        }
        self.end = lists.moves.len();
    }

    fn write_quiets(&mut self, lists: &mut Lists, order: &Order<'_>) {
        let board = order.board;
        let us = board.side_to_move();
        let (histories, techniques) = (order.histories, order.techniques);
        self.next = self.end;
        let quiet = quiet_squares(board);
        for at in self.pieces_from..lists.pieces.len() {
            let mut moves = lists.pieces[at];
            moves.to &= quiet(moves);
            let index = (us as usize * 6 + moves.piece as usize) * 64;
            let checking = match order.checks {
                Some(checks) => checks.targets(moves.piece, moves.from),
                None => BitBoard::EMPTY,
            };
            for mv in moves {
                let now = index + mv.to as usize;
                let mut promise = 0;
                if checking.has(mv.to) && see::at_least(board, mv, CHECK_LOSS) {
                    promise += CHECK;
                }
                if techniques.history {
                    promise += 2 * histories.quiet(us, mv);
                }
                if techniques.continuation {
                    promise += 2 * histories.continuation(order.before[0], now);
                    promise += histories.continuation(order.before[1], now);
                }
                lists.moves.push(Promise { mv, promise });
            }
        }
        self.end = lists.moves.len();
    }

    /// Quiet moves that give check and do not lose the piece.
    fn write_checks(&mut self, lists: &mut Lists, board: &Board) {
        let checks = Checks::of(board);
        self.next = self.end;
        let quiet = quiet_squares(board);
        for at in self.pieces_from..lists.pieces.len() {
            let mut moves = lists.pieces[at];
            moves.to &= quiet(moves) & checks.targets(moves.piece, moves.from);
            for mv in moves {
                if see::at_least(board, mv, 0) {
                    lists.moves.push(Promise { mv, promise: 0 });
                }
            }
        }
        self.end = lists.moves.len();
    }
}

/// Where quiet moves of a piece go: all but captures and promotions.
fn quiet_squares(board: &Board) -> impl Fn(PieceMoves) -> BitBoard {
    let us = board.side_to_move();
    let enemies = board.colors(!us);
    let last = Rank::Eighth.relative_to(us).bitboard();
    move |moves| match moves.piece {
        // A pawn that leaves its file captures, en passant too.
        Piece::Pawn => moves.from.file().bitboard() - last,
        _ => !enemies,
    }
}

/// Does this move neither capture nor promote?
pub(super) fn is_quiet(board: &Board, mv: Move) -> bool {
    mv.promotion.is_none()
        && !board.colors(!board.side_to_move()).has(mv.to)
        && !(mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from))
}

/// Most valuable victim, least valuable attacker; and what captures like this did elsewhere.
fn promise(order: &Order<'_>, piece: Piece, mv: Move) -> i32 {
    let board = order.board;
    let victim = board.piece_on(mv.to);
    let taken = match victim {
        Some(victim) => EXCHANGE[victim as usize],
        None if mv.from.file() != mv.to.file() => EXCHANGE[Piece::Pawn as usize],
        None => 0,
    };
    let promoted = match mv.promotion {
        None => 0,
        Some(Piece::Queen) => EXCHANGE[Piece::Queen as usize],
        Some(_) => return UNDER,
    };
    if order.techniques.capture_history {
        16 * (taken + promoted) + order.histories.capture(board, mv)
    } else {
        16 * (taken + promoted) - EXCHANGE[piece as usize].min(1000)
    }
}

/// The index of a move for histories, for whoever has none at hand.
pub(super) fn moved_by(board: &Board, mv: Move) -> Moved {
    moved(board, mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;
    use proptest::prelude::*;
    use zug_core::seed::RngExt;

    fn all(board: &Board, table: Option<Move>, killers: [Option<Move>; 3]) -> Vec<Move> {
        let (mut lists, histories) = (Lists::default(), Histories::new());
        let techniques = Techniques::modern();
        let order = Order {
            board,
            histories: &histories,
            techniques: &techniques,
            before: [None; 2],
            checks: None,
        };
        let mut picker = Picker::new(&lists, Wanted::All, table, killers);
        let mut found = Vec::new();
        while let Some(mv) = picker.next(&mut lists, &order) {
            found.push(mv);
        }
        picker.finish(&mut lists);
        assert!(lists.moves.is_empty() && lists.pieces.is_empty());
        found
    }

    fn key(mv: &Move) -> (usize, usize, usize) {
        (mv.from as usize, mv.to as usize, mv.promotion.map_or(9, |p| p as usize))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn every_legal_move_comes_once_and_only_those(seed: u64, plies in 0..90usize) {
            let mut random = zug_core::rng(seed, 0);
            let number = random.random_range(0..960u32);
            let mut board = Board::chess960_startpos(number);
            let mut before = Vec::new();
            for _ in 0..plies {
                let mut moves = Vec::new();
                board.generate_moves(|piece| { moves.extend(piece); false });
                if moves.is_empty() { break; }
                let mv = moves[random.random_range(0..moves.len())];
                before.push(mv);
                board.play_unchecked(mv);
            }
            let mut legal = Vec::new();
            board.generate_moves(|piece| { legal.extend(piece); false });
            let some = |random: &mut zug_core::Rng| {
                (!legal.is_empty()).then(|| legal[random.random_range(0..legal.len())])
            };
            let table = some(&mut random);
            let killers = [some(&mut random), before.last().copied(), some(&mut random)];
            let mut found = all(&board, table, killers);
            prop_assert!(found.is_empty() || found[0] == table.unwrap());
            found.sort_by_key(key);
            legal.sort_by_key(key);
            prop_assert_eq!(found, legal);
        }
    }

    #[test]
    fn good_captures_come_before_killers_and_bad_ones_last() {
        let board = fen::parse("4k3/4p3/3p2n1/8/8/6Q1/8/3R1K2 w - - 0 1").unwrap();
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let found = all(board.board(), None, [Some(mv("f1f2")), None, None]);
        assert_eq!(found[..2], [mv("g3g6"), mv("f1f2")]);
        let last: Vec<_> = found[found.len() - 2..].to_vec();
        assert!(last.contains(&mv("d1d6")) && last.contains(&mv("g3d6")), "{last:?}");
    }
}

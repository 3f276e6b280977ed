//! The tricky factors once more, square by square: slow, and without a single bitboard.

use super::*;
use cozy_chess::{File, Piece, Rank, Square};
use std::collections::BTreeMap;

/// The groups that are counted here.
pub const COVERED: &[&str] = &[
    "isolated",
    "doubled",
    "supported",
    "phalanx",
    "rammed",
    "backward",
    "passed",
    "passed-protected",
    "passed-connected",
    "passed-blocked",
    "passed-own-king",
    "passed-enemy-king",
    "candidate",
    "lever",
    "pawn-islands",
    "mobility/knight",
    "mobility/bishop",
    "mobility/rook",
    "mobility/queen",
    "mobility/king",
    "knight-outpost",
    "bishop-outpost",
    "rook-open-file",
    "rook-half-open-file",
    "hanging",
    "pinned",
    "shelter",
    "storm",
    "storm-blocked",
    "bishop-pair",
    "bishop-own-pawns",
    "king-square",
    "queen-square-own-king-left",
    "knight-square-enemy-king-left",
];

/// White minus Black, by name.
pub fn count(board: &Board) -> BTreeMap<String, i16> {
    let mut out = BTreeMap::new();
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        let view = View { board, color };
        view.each(|name| *out.entry(name).or_insert(0) += sign);
    }
    out.retain(|_, n| *n != 0);
    out
}

/// The board as one side sees it: its first row is row 0.
struct View<'a> {
    board: &'a Board,
    color: Color,
}

type Place = (i32, i32);
const STRAIGHT: [Place; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const SLANTING: [Place; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [Place; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

fn inside((file, row): Place) -> bool {
    (0..8).contains(&file) && (0..8).contains(&row)
}

fn steps(a: Place, b: Place) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

fn places() -> impl Iterator<Item = Place> {
    (0..8).flat_map(|row| (0..8).map(move |file| (file, row)))
}

fn square_name((file, row): Place) -> String {
    format!("{}{}", char::from(b'a' + file as u8), row + 1)
}

impl View<'_> {
    /// What stands there: the piece, and is it own?
    fn on(&self, (file, row): Place) -> Option<(Piece, bool)> {
        if !inside((file, row)) {
            return None;
        }
        let rank = Rank::index(row as usize).relative_to(self.color);
        let square = Square::new(File::index(file as usize), rank);
        Some((self.board.piece_on(square)?, self.board.color_on(square)? == self.color))
    }

    fn is(&self, place: Place, piece: Piece, own: bool) -> bool {
        self.on(place) == Some((piece, own))
    }

    fn king(&self, own: bool) -> Place {
        places().find(|&p| self.is(p, Piece::King, own)).unwrap()
    }

    /// Squares along a line up to the first that `stops`.
    fn line(&self, from: Place, by: Place, stops: impl Fn(Place) -> bool) -> Vec<Place> {
        let mut out = Vec::new();
        let mut at = (from.0 + by.0, from.1 + by.1);
        while inside(at) {
            out.push(at);
            if stops(at) {
                break;
            }
            at = (at.0 + by.0, at.1 + by.1);
        }
        out
    }

    fn pawn_attacks(&self, (file, row): Place, own: bool) -> [Place; 2] {
        let up = if own { 1 } else { -1 };
        [(file - 1, row + up), (file + 1, row + up)]
    }

    fn guarded_by_pawn(&self, place: Place, own: bool) -> bool {
        places().any(|p| self.is(p, Piece::Pawn, own) && self.pawn_attacks(p, own).contains(&place))
    }

    /// Is this own man alone between its king and an enemy slider?
    fn pin(&self, place: Place) -> Option<Place> {
        let king = self.king(true);
        for (lines, slider) in [(STRAIGHT, Piece::Rook), (SLANTING, Piece::Bishop)] {
            for by in lines {
                let met: Vec<Place> = self
                    .line(king, by, |_| false)
                    .into_iter()
                    .filter(|&p| self.on(p).is_some())
                    .collect();
                if met.len() >= 2
                    && met[0] == place
                    && self.on(place).unwrap().1
                    && (self.is(met[1], slider, false) || self.is(met[1], Piece::Queen, false))
                {
                    return Some(by);
                }
            }
        }
        None
    }

    /// What a piece attacks, as mobility counts it: bishops look through queens, rooks through
    /// queens and own rooks, pinned pieces along the pin only.
    fn reach(&self, place: Place) -> Vec<Place> {
        let (piece, own) = self.on(place).unwrap();
        if !own {
            // The same from the other side.
            let turn = |(file, row): Place| (file, 7 - row);
            let other = View { board: self.board, color: !self.color };
            return other.reach(turn(place)).into_iter().map(turn).collect();
        }
        let queen = |p| matches!(self.on(p), Some((Piece::Queen, _)));
        let all = |lines: &[Place], through: &dyn Fn(Place) -> bool| -> Vec<Place> {
            let stops = |p| self.on(p).is_some() && !through(p);
            lines.iter().flat_map(|&by| self.line(place, by, stops)).collect()
        };
        let squares: Vec<Place> = match piece {
            Piece::Pawn => self.pawn_attacks(place, true).to_vec(),
            Piece::Knight => LEAPS.iter().map(|l| (place.0 + l.0, place.1 + l.1)).collect(),
            Piece::Bishop => all(&SLANTING, &queen),
            Piece::Rook => all(&STRAIGHT, &|p| queen(p) || self.is(p, Piece::Rook, true)),
            Piece::Queen => {
                let mut both = all(&SLANTING, &|_| false);
                both.extend(all(&STRAIGHT, &|_| false));
                both
            }
            Piece::King => places().filter(|&p| steps(p, place) == 1).collect(),
        };
        let pin = if matches!(piece, Piece::Pawn | Piece::King) { None } else { self.pin(place) };
        let king = self.king(true);
        let in_line = |p: Place| match pin {
            None => true,
            Some(by) => {
                let (x, y) = (p.0 - king.0, p.1 - king.1);
                x * by.1 == y * by.0
            }
        };
        squares.into_iter().filter(|&p| inside(p) && in_line(p)).collect()
    }

    fn attacked(&self, place: Place, by_own: bool) -> bool {
        places().any(|p| {
            self.on(p).is_some_and(|(_, own)| own == by_own) && self.reach(p).contains(&place)
        })
    }

    fn pawns(&self, own: bool) -> Vec<Place> {
        places().filter(|&p| self.is(p, Piece::Pawn, own)).collect()
    }

    fn is_passed(&self, (file, row): Place) -> bool {
        let free = self.pawns(false).iter().all(|p| (p.0 - file).abs() > 1 || p.1 <= row);
        free && !self.pawns(true).iter().any(|p| p.0 == file && p.1 > row)
    }

    fn each(&self, mut add: impl FnMut(String)) {
        self.each_pawn(&mut add);
        self.each_piece(&mut add);
        self.king_things(&mut add);
    }

    fn each_pawn(&self, add: &mut impl FnMut(String)) {
        let (own, enemy) = (self.pawns(true), self.pawns(false));
        for &(file, row) in &own {
            let letter = char::from(b'a' + file as u8);
            let rank = row + 1;
            let doubled = own.iter().any(|p| p.0 == file && p.1 > row);
            let isolated = !own.iter().any(|p| (p.0 - file).abs() == 1);
            let opposed = enemy.iter().any(|p| p.0 == file && p.1 > row);
            let helpers = own.iter().filter(|p| (p.0 - file).abs() == 1 && p.1 <= row).count();
            let hinderers = enemy.iter().filter(|p| (p.0 - file).abs() == 1 && p.1 > row).count();
            let supported = self.guarded_by_pawn((file, row), true);
            if doubled {
                add(format!("doubled/{letter}"));
            }
            if isolated {
                add(format!("isolated/{letter}"));
            }
            if supported {
                add(format!("supported/rank{rank}"));
            }
            if own.contains(&(file - 1, row)) || own.contains(&(file + 1, row)) {
                add(format!("phalanx/rank{rank}"));
            }
            if enemy.contains(&(file, row + 1)) {
                add(format!("rammed/{letter}"));
            }
            let stopped =
                enemy.contains(&(file, row + 1)) || self.guarded_by_pawn((file, row + 1), false);
            if !isolated && helpers == 0 && stopped {
                add(format!("backward/{letter}"));
            }
            if self.is_passed((file, row)) {
                add(format!("passed/{letter}{rank}"));
                if supported {
                    add(format!("passed-protected/rank{rank}"));
                }
                let other = |p: &&Place| {
                    (p.0 - file).abs() == 1 && (p.1 - row).abs() <= 1 && self.is_passed(**p)
                };
                if own.iter().any(|p| other(&p)) {
                    add(format!("passed-connected/rank{rank}"));
                }
                if self.on((file, row + 1)).is_some() {
                    add(format!("passed-blocked/rank{rank}"));
                }
                if rank >= 4 {
                    for (word, side) in [("own", true), ("enemy", false)] {
                        let far = steps(self.king(side), (file, row + 1));
                        add(format!("passed-{word}-king/rank{rank}/{far}"));
                    }
                }
            } else if !doubled && !opposed && helpers >= hinderers {
                add(format!("candidate/rank{rank}"));
            }
        }
        for p in &enemy {
            if self.guarded_by_pawn(*p, true) {
                add("lever".into());
            }
        }
        let there = |file: i32| own.iter().any(|p| p.0 == file);
        let islands = (0..8).filter(|&f| there(f) && !there(f - 1)).count();
        if islands > 0 {
            add(format!("pawn-islands/{islands}"));
        }
    }

    fn each_piece(&self, add: &mut impl FnMut(String)) {
        let (own_pawns, enemy_pawns) = (self.pawns(true), self.pawns(false));
        let left = |own: bool| self.king(own).0 < 4;
        let dark = |p: Place| (p.0 + p.1) % 2 == 0;
        let bishops: Vec<Place> = places().filter(|&p| self.is(p, Piece::Bishop, true)).collect();
        if bishops.iter().any(|&p| dark(p)) && bishops.iter().any(|&p| !dark(p)) {
            add("bishop-pair".into());
        }
        for place in places() {
            let Some((piece, own)) = self.on(place) else { continue };
            let word = PIECES[piece as usize];
            if !own {
                if piece != Piece::King
                    && self.attacked(place, true)
                    && !self.attacked(place, false)
                {
                    add(format!("hanging/{word}"));
                }
                continue;
            }
            if piece != Piece::King && self.pin(place).is_some() {
                add(format!("pinned/{word}"));
            }
            if piece == Piece::Queen && left(true) {
                add(format!("queen-square-own-king-left/{}", square_name(place)));
            }
            if piece == Piece::Knight && left(false) {
                add(format!("knight-square-enemy-king-left/{}", square_name(place)));
            }
            if matches!(piece, Piece::Pawn | Piece::King) {
                continue;
            }
            let free = |&p: &Place| match self.on(p) {
                Some((Piece::King | Piece::Queen, true)) => false,
                Some((Piece::Pawn, true)) if p.1 <= 2 => false,
                Some((Piece::Pawn, true)) if self.on((p.0, p.1 + 1)).is_some() => false,
                _ => !self.guarded_by_pawn(p, false),
            };
            let mobility = self.reach(place).iter().filter(|p| free(p)).count();
            add(format!("mobility/{word}/{mobility}"));
            let chased = enemy_pawns.iter().any(|p| (p.0 - place.0).abs() == 1 && p.1 > place.1);
            let post = (3..6).contains(&place.1) && self.guarded_by_pawn(place, true) && !chased;
            if post && matches!(piece, Piece::Knight | Piece::Bishop) {
                add(format!("{word}-outpost/{}", square_name(place)));
            }
            if piece == Piece::Bishop {
                let same = own_pawns.iter().filter(|&&p| dark(p) == dark(place)).count();
                add(format!("bishop-own-pawns/{same}"));
            }
            if piece == Piece::Rook && !own_pawns.iter().any(|p| p.0 == place.0) {
                let letter = char::from(b'a' + place.0 as u8);
                let half = enemy_pawns.iter().any(|p| p.0 == place.0);
                add(format!("rook-{}open-file/{letter}", if half { "half-" } else { "" }));
            }
        }
    }

    fn king_things(&self, add: &mut impl FnMut(String)) {
        let king = self.king(true);
        add(format!("king-square/{}", square_name(king)));
        let free = places()
            .filter(|&p| steps(p, king) == 1)
            .filter(|&p| self.on(p).is_none_or(|(_, own)| !own) && !self.attacked(p, false))
            .count();
        add(format!("mobility/king/{free}"));
        let middle = king.0.clamp(1, 6);
        for file in middle - 1..=middle + 1 {
            let nearest =
                |own: bool| (king.1..8).find(|&row| self.is((file, row), Piece::Pawn, own));
            let edge = ["edge", "second", "third", "middle"][file.min(7 - file) as usize];
            let word = |row: Option<i32>| row.map_or("none".into(), |r| format!("rank{}", r + 1));
            let (shield, storm) = (nearest(true), nearest(false));
            add(format!("shelter/{edge}/{}", word(shield)));
            match (shield, storm) {
                (Some(own), Some(enemy)) if enemy == own + 1 => {
                    add(format!("storm-blocked/rank{}", enemy + 1));
                }
                _ => add(format!("storm/{edge}/{}", word(storm))),
            }
        }
    }
}

//! What should a search of chess look at first, and what may it skip?

use crate::eval::HandMade;
use crate::eval::parameters::{EXCHANGE, SQUARES};
use crate::position::{Position, side_of};
use crate::rules::Chess;
use crate::{eval, see};
use cozy_chess::{
    Move, Piece, get_bishop_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use zug_core::seed::RngExt;
use zug_core::{Game, Guide, Outcome, Rng};
use zug_search::Rollout;

/// Good captures and promotions come before every quiet move, bad ones after.
const GOOD: i32 = 100_000;

impl Guide<Chess> for HandMade {
    /// Most valuable victim, least valuable attacker; captures that lose material come last.
    fn promise(&self, _: &Chess, position: &Position, mv: Move) -> i32 {
        let board = position.board();
        let Some(mover) = board.piece_on(mv.from) else { return 0 };
        if position.is_capture(mv) || mv.promotion.is_some() {
            if matches!(mv.promotion, Some(Piece::Knight | Piece::Bishop | Piece::Rook)) {
                return -GOOD;
            }
            let victim = match board.piece_on(mv.to) {
                Some(piece) => EXCHANGE[piece as usize],
                None if mv.promotion.is_some() => 0,
                None => EXCHANGE[Piece::Pawn as usize],
            };
            let promotion = mv.promotion.map_or(0, |p| EXCHANGE[p as usize]);
            let order = 16 * (victim + promotion) - EXCHANGE[mover as usize].min(1_000);
            return if see::is_sound(position, mv) { GOOD + order } else { order - GOOD };
        }
        if position.is_castling(mv) {
            return 60;
        }
        let color = position.color();
        let squares = &SQUARES[mover as usize];
        let on = |square: cozy_chess::Square| squares[square.relative_to(color) as usize];
        let gain = on(mv.to) - on(mv.from);
        let check = if gives_direct_check(position, mv, mover) { 40 } else { 0 };
        gain.middle + gain.end + check
    }

    /// Captures that do not lose material, and promotions to a queen.
    fn forcing(&self, game: &Chess, position: &Position, out: &mut Vec<Move>) {
        // Here the game has ended although there may be captures.
        if game.is_drawn(position).is_some() {
            return;
        }
        let board = position.board();
        let color = board.side_to_move();
        let last_row = cozy_chess::Rank::Eighth.relative_to(color).bitboard();
        let enemies = board.colors(!color);
        let en_passant =
            position.en_passant().map_or(cozy_chess::BitBoard::EMPTY, |s| s.bitboard());
        board.generate_moves(|mut moves| {
            moves.to &= match moves.piece {
                Piece::Pawn => enemies | last_row | en_passant,
                _ => enemies,
            };
            for mv in moves {
                let queen = matches!(mv.promotion, None | Some(Piece::Queen));
                if queen && see::is_sound(position, mv) {
                    out.push(mv);
                }
            }
            false
        });
    }

    fn pressed(&self, _: &Chess, position: &Position) -> bool {
        position.in_check()
    }

    fn reducible(&self, _: &Chess, position: &Position, mv: Move) -> bool {
        let Some(mover) = position.board().piece_on(mv.from) else { return false };
        mv.promotion.is_none()
            && !position.in_check()
            && !position.is_capture(mv)
            && !gives_direct_check(position, mv, mover)
    }

    /// With only pawns left, having to move is often what loses.
    fn skip_turn(&self, _: &Chess, position: &Position) -> Option<Position> {
        let board = position.board();
        let light = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        let pieces = board.colors(position.color()) - light;
        if pieces.is_empty() { None } else { position.pass() }
    }
}

/// Does the moved piece itself attack the enemy king? (Uncovered checks are overlooked.)
fn gives_direct_check(position: &Position, mv: Move, mover: Piece) -> bool {
    let board = position.board();
    let color = board.side_to_move();
    let king = board.king(!color);
    let occupied = board.occupied() - mv.from.bitboard();
    match mv.promotion.unwrap_or(mover) {
        Piece::Pawn => get_pawn_attacks(mv.to, color).has(king),
        Piece::Knight => get_knight_moves(mv.to).has(king),
        Piece::Bishop => get_bishop_moves(mv.to, occupied).has(king),
        Piece::Rook => get_rook_moves(mv.to, occupied).has(king),
        Piece::Queen => {
            (get_bishop_moves(mv.to, occupied) | get_rook_moves(mv.to, occupied)).has(king)
        }
        Piece::King => false,
    }
}

/// Random play says little about chess. A simulated game is judged instead: the captures are
/// played out by the evaluation, and its value is turned into a chance to win, by which the outcome
/// is drawn.
impl Rollout<Chess> for HandMade {
    fn rollout(&self, game: &Chess, position: &Position, rng: &mut Rng) -> Outcome {
        if let Some(outcome) = game.outcome(position) {
            return outcome;
        }
        let value = quiet_value(self, game, position, -INFINITE, INFINITE, MOST_CAPTURES);
        let chance = 1.0 / (1.0 + 10f64.powf(-f64::from(value) / 400.0));
        let us = side_of(position.color());
        if rng.random::<f64>() < chance {
            Outcome::win(us, "judged")
        } else {
            Outcome::win(us.other(), "judged")
        }
    }
}

const INFINITE: i32 = 1_000_000;
/// Captures in a row that a simulated game plays out.
const MOST_CAPTURES: u32 = 12;

/// The evaluation after all captures that pay.
fn quiet_value(
    guide: &HandMade,
    game: &Chess,
    position: &Position,
    mut alpha: i32,
    beta: i32,
    depth: u32,
) -> i32 {
    let mut best = eval::evaluate(position);
    alpha = alpha.max(best);
    if alpha >= beta || depth == 0 {
        return best;
    }
    let mut moves = Vec::new();
    guide.forcing(game, position, &mut moves);
    moves.sort_by_cached_key(|&mv| -guide.promise(game, position, mv));
    for mv in moves {
        let mut next = position.clone();
        next.play(mv);
        best = best.max(-quiet_value(guide, game, &next, -beta, -alpha, depth - 1));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fen, uci};
    use cozy_chess::Color;

    fn promise(position: &Position, mv: &str) -> i32 {
        HandMade.promise(&Chess::new(), position, uci::parse(position, mv).unwrap())
    }

    #[test]
    fn good_captures_come_first_and_bad_ones_last() {
        let p = fen::parse("4k3/4p3/3p2n1/8/8/6Q1/8/3R1K2 w - - 0 1").unwrap();
        let (good, bad, quiet) = (promise(&p, "g3g6"), promise(&p, "d1d6"), promise(&p, "d1d2"));
        assert!(good > quiet && quiet > bad, "{good} {quiet} {bad}");
        let p = fen::parse("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(promise(&p, "a7a8q") > promise(&p, "e1e2"));
        assert!(promise(&p, "a7a8n") < promise(&p, "e1e2"));
    }

    #[test]
    fn forcing_moves_are_sound_captures_and_promotions() {
        let p = fen::parse("3nk3/P3p3/3p2n1/4Pp2/8/6Q1/8/3R1K2 w - f6 0 1").unwrap();
        let mut moves = Vec::new();
        HandMade.forcing(&Chess::new(), &p, &mut moves);
        let mut texts: Vec<String> = moves.iter().map(|&mv| uci::write(&p, mv, false)).collect();
        texts.sort();
        assert_eq!(texts, ["a7a8q", "e5d6", "e5f6", "g3g6"]);
    }

    #[test]
    fn turns_are_not_skipped_in_check_or_with_pawns_only() {
        let skip = |text| HandMade.skip_turn(&Chess::new(), &fen::parse(text).unwrap());
        assert_eq!(skip("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"), None);
        assert_eq!(skip("4k3/4r3/8/8/8/8/8/R3K3 w - - 0 1"), None);
        let skipped = skip("4k3/4p3/8/8/8/8/4P3/R3K3 w - - 7 1").unwrap();
        assert_eq!((skipped.color(), skipped.clock()), (Color::Black, 0));
    }

    #[test]
    fn quiet_moves_without_check_may_be_reduced() {
        let p = fen::parse("4k3/4p3/3p2n1/8/8/6Q1/8/3R1K2 w - - 0 1").unwrap();
        let may = |mv| HandMade.reducible(&Chess::new(), &p, uci::parse(&p, mv).unwrap());
        assert!(may("d1d2"));
        assert!(!may("g3g6"));
        let p = fen::parse("4k3/8/8/8/8/6Q1/8/3R1K2 w - - 0 1").unwrap();
        assert!(!HandMade.reducible(&Chess::new(), &p, uci::parse(&p, "g3g8").unwrap()));
    }
}

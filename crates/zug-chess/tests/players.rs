//! The players that the game registers do play.

use zug_core::player::choose_quietly;
use zug_core::{Limits, Score, Spec};

fn choose(player: &str, position: &str, limits: &Limits) -> (String, Option<Score>) {
    let entry = zug_chess::open(&Spec::parse("chess").unwrap()).unwrap();
    let mut player = entry.player(&Spec::parse(player).unwrap()).unwrap();
    let mut line = entry.game.line_from(position).unwrap();
    let choice = choose_quietly(&mut *player, &*line, limits).unwrap();
    line.play(&choice.mv).expect("a legal move");
    (choice.mv, choice.info.and_then(|info| info.score))
}

#[test]
fn the_alpha_beta_player_finds_mates_and_hanging_pieces() {
    // The depth of `zug` is that of its principal variation: late moves, such as the quiet one
    // that mates by force, are looked at less deep.
    for (name, depth) in [("zug", 8), ("pvs", 4)] {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let (mv, score) = choose(name, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &limits);
        assert_eq!((mv.as_str(), score), ("a1a8", Some(Score::won_in(1))));
        // Two rooks mate in two moves, three plies.
        let (_, score) = choose(name, "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", &limits);
        assert_eq!(score, Some(Score::won_in(3)));
        let (mv, _) = choose(name, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", &limits);
        assert_eq!(mv, "e4d5");
    }
}

#[test]
fn the_monte_carlo_player_takes_a_queen_and_random_play_is_legal() {
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    let (mv, _) = choose("mcts:seed=1", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", &limits);
    assert_eq!(mv, "e4d5");
    choose("random:seed=1", zug_chess::fen::START, &limits);
}

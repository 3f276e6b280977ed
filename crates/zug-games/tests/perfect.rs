//! The perfect players on games that are solved in a moment.

use std::sync::{Arc, OnceLock};
use zug_core::player::choose_quietly;
use zug_core::{AnyLine, Game, Indexed, Limits, Line, Player, Silent, Spec, StopFlag};
use zug_games::{Dodgem, KInARow};
use zug_solve::Value;
use zug_solve::perfect::measure::{Begin, observe, positions, tally};
use zug_solve::perfect::thesis::{Base, Estimator, Share, Thesis};
use zug_solve::perfect::trap::{Belief, Traps};
use zug_solve::perfect::{
    InMemory, Loaded, Opponent, PerfectPlayer, Settings, Shares, Values, fit, survey,
};

fn dodgem() -> &'static Arc<InMemory<Dodgem>> {
    static SOLVED: OnceLock<Arc<InMemory<Dodgem>>> = OnceLock::new();
    SOLVED.get_or_init(|| Arc::new(InMemory::solve(&Dodgem::new(4).unwrap()).unwrap()))
}

fn player<G: Indexed>(values: &Arc<InMemory<G>>, text: &str) -> PerfectPlayer<G> {
    let settings = Settings::read(&Spec::parse(text).unwrap()).unwrap();
    let loaded = Arc::new(Loaded::new(values.clone() as Arc<dyn Values<G>>));
    PerfectPlayer::new(text.to_string(), loaded, settings)
}

fn lines<G: Indexed>(values: &InMemory<G>, begin: Begin, n: usize, seed: u64) -> Vec<Line<G>> {
    let game = values.index().game();
    let starts = positions(values, begin, n, seed).unwrap();
    assert_eq!(starts.len(), n);
    starts.into_iter().map(|p| Line::from_position(game.clone(), p)).collect()
}

#[test]
fn the_start_of_dodgem_has_the_probabilities_of_every_reading() {
    let game = Dodgem::new(4).unwrap();
    let literal = Thesis { variance: true, base: Base::Share, ..Thesis::default() };
    let rest = Thesis { base: Base::Rest, ..literal.clone() };
    let readings = [
        (literal.clone(), [0.186, 0.167, 0.104, 0.0]),
        (Thesis { share: Share::Line, ..literal }, [0.195, 0.146, 0.090, 0.0]),
        (rest.clone(), [0.331, 0.349, 0.255, 0.0]),
        (Thesis { share: Share::Ignored, ..rest }, [0.542, 0.598, 0.456, 0.0]),
        (Thesis::default(), [0.481, 0.496, 0.498, 0.0]),
        (Thesis { share: Share::Ignored, ..Thesis::default() }, [0.829, 0.888, 0.932, 0.0]),
    ];
    for (thesis, expected) in readings {
        let mut estimator = Estimator::new(thesis.clone());
        // Reading (ii) depends on which of several optimal lines is followed.
        let slack = if thesis.share == Share::Line { 1.5e-3 } else { 6e-4 };
        for (mv, expected) in ["a4-b4", "a3-b3", "a2-b2", "a2-a1"].iter().zip(expected) {
            let mut line = Line::new(game.clone());
            line.play_text(mv).unwrap();
            let found = estimator.after_move(&**dodgem(), line.position(), 0).unwrap();
            assert!((found - expected).abs() < slack, "{mv}: {found}, {expected} by {thesis:?}");
        }
    }
}

#[test]
fn the_thesis_player_advances_the_lower_car_in_the_start_of_dodgem() {
    let mut player = player(dodgem(), "perfect:style=thesis");
    let line = Line::new(Dodgem::new(4).unwrap());
    let choice = choose_quietly(&mut player, &line, &Limits::default()).unwrap();
    assert_eq!(choice.mv, "a2-b2");
    let info = choice.info.unwrap();
    assert!(info.proven && (info.win_rate.unwrap() - 0.498).abs() < 1e-3);
}

#[test]
fn shares_of_won_positions_are_those_of_the_published_table() {
    let mut shares = Shares::default();
    for (own, other, share) in [
        (1, 1, 0.6083),
        (1, 2, 0.8923),
        (1, 3, 0.9305),
        (2, 1, 0.2375),
        (2, 2, 0.5875),
        (2, 3, 0.6922),
        (3, 1, 0.1543),
        (3, 2, 0.3969),
        (3, 3, 0.4822),
    ] {
        for (counts, side) in [([own, other], 0), ([other, own], 1)] {
            let side = zug_core::Side::BOTH[side];
            let found = shares.of_counts(&**dodgem(), &counts, side).unwrap().unwrap();
            assert!((found - share).abs() < 5.1e-5, "{own} against {other}: {found}");
        }
    }
    assert_eq!(shares.of_counts(&**dodgem(), &[4, 1], zug_core::Side::First).unwrap(), None);
}

#[test]
fn perfect_players_end_won_games_in_exactly_the_predicted_number_of_plies() {
    let values = dodgem();
    for style in ["plain", "thesis", "trap,keep=off"] {
        let mut winner = player(values, &format!("perfect:style={style},seed=3"));
        let mut loser = player(values, "perfect:seed=4");
        for mut line in lines(values, Begin::Won, 60, 5) {
            let Value::Win(plies) = values.value(line.position()).unwrap() else { unreachable!() };
            let side = line.to_move();
            for ply in 0..plies {
                assert!(Line::outcome(&line).is_none(), "{style}: over after {ply} of {plies}");
                let mover: &mut dyn Player =
                    if line.to_move() == side { &mut winner } else { &mut loser };
                let choice = choose_quietly(mover, &line, &Limits::default()).unwrap();
                line.play_text(&choice.mv).unwrap();
            }
            assert_eq!(Line::outcome(&line).unwrap().winner, Some(side), "{style}");
        }
    }
}

#[test]
fn no_style_ever_gives_a_draw_away_and_the_draw_is_kept_in_different_ways() {
    let values = dodgem();
    for style in ["plain", "thesis", "trap,keep=off"] {
        let mut player = player(values, &format!("perfect:style={style}"));
        let mut chosen = std::collections::HashSet::new();
        for line in lines(values, Begin::Drawn, 100, 9) {
            let choice = choose_quietly(&mut player, &line, &Limits::default()).unwrap();
            let mv = line.game().read_move(line.position(), &choice.mv).unwrap();
            let kept = survey(&**values, line.position(), &[mv]).unwrap();
            assert_eq!(kept[0].value, Value::Draw, "{style}");
        }
        for seed in 0..40 {
            player.set_option("seed", &seed.to_string()).unwrap();
            let line = Line::new(Dodgem::new(4).unwrap());
            chosen.insert(choose_quietly(&mut player, &line, &Limits::default()).unwrap().mv);
        }
        assert_eq!(chosen.len(), if style == "plain" { 4 } else { 1 }, "{style}");
    }
}

#[test]
fn noise_gives_draws_away_and_a_seed_repeats_it() {
    let values = dodgem();
    let play = |seed: u64| -> Vec<String> {
        let mut player = player(values, &format!("perfect:noise=0.5,seed={seed}"));
        let lines = lines(values, Begin::Drawn, 50, 2);
        let choose = |l| choose_quietly(&mut player, l, &Limits::default()).unwrap().mv;
        lines.iter().map(|l| l as &dyn AnyLine).map(choose).collect()
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
    let lines = lines(values, Begin::Drawn, 50, 2);
    let lost = lines.iter().zip(play(1)).filter(|(line, text)| {
        let mv = line.game().read_move(line.position(), text).unwrap();
        matches!(survey(&**values, line.position(), &[mv]).unwrap()[0].value, Value::Loss(_))
    });
    assert!(lost.count() > 3);
}

#[test]
fn the_fixpoint_is_one_whatever_the_threads_and_a_region_that_holds_everything_agrees() {
    let game = KInARow::new(3, 3, 3, false).unwrap();
    let values = InMemory::solve(&game).unwrap();
    let belief = Belief::default();
    let prepare =
        |threads| Traps::prepare(&values, &belief, threads, &Silent, &StopFlag::new()).unwrap();
    let (one, three) = (prepare(1), prepare(3));
    let mut seen = 0;
    for mv in ["a1", "a2", "b2"] {
        let mut line = Line::new(game.clone());
        line.play_text(mv).unwrap();
        let at = line.position().clone();
        let whole = one.chance(&values, &at);
        assert_eq!(whole, three.chance(&values, &at));
        assert!(whole > 0.0 && whole < 1.0);
        let near = Traps::around(&values, &belief, std::slice::from_ref(&at), 100_000).unwrap()[0];
        assert!((near - whole).abs() < 1e-5, "{mv}: {near} and {whole}");
        let small = Traps::around(&values, &belief, &[at], 3).unwrap()[0];
        assert!(small <= whole, "what lies beyond counts for nothing");
        seen += 1;
    }
    assert_eq!(seen, 3);
}

#[test]
fn chances_follow_from_the_chances_one_move_later() {
    let values = dodgem();
    let belief = Belief::default();
    let traps = Traps::prepare(&**values, &belief, 2, &Silent, &StopFlag::new()).unwrap();
    let game = values.index().game();
    let mut compared = 0;
    // The opponent is to move in a drawn position.
    for line in lines(values, Begin::Drawn, 200, 11) {
        let mut chances = Vec::new();
        let answers = survey(&**values, line.position(), &line.legal_moves()).unwrap();
        belief.opponent.chances(answers.iter().map(|a| a.value), &mut chances);
        let mut expected = 0.0;
        for (answer, chance) in answers.iter().zip(chances) {
            let mut moves = Vec::new();
            game.moves(&answer.next, &mut moves);
            let replies = survey(&**values, &answer.next, &moves).unwrap();
            let drawing = replies.iter().filter(|r| r.value == Value::Draw && !r.ends);
            let best = drawing.map(|r| traps.chance(&**values, &r.next)).fold(0.0, f64::max);
            let lost = matches!(answer.value, Value::Loss(_));
            expected += chance * if lost { 1.0 } else { belief.patience * best };
        }
        let found = traps.chance(&**values, line.position());
        assert!((found - expected).abs() < 1e-4, "{found} and {expected}");
        compared += 1;
    }
    assert_eq!(compared, 200);
}

#[test]
fn a_model_is_fitted_to_players_with_a_horizon_and_with_noise() {
    let values = dodgem();
    let mut starts = positions(&**values, Begin::Drawn, 400, 21).unwrap();
    starts.extend(positions(&**values, Begin::Won, 400, 22).unwrap());
    let fitted = |text: &str| -> (Opponent, f64) {
        let seen = observe(&**values, &starts, &mut player(values, text), 5).unwrap();
        assert_eq!(seen.len(), 800);
        let found = fit(&seen);
        let random = Opponent { see: 0, blur: 0.0, heat: 1e3, slip: 1.0 };
        (found, found.log_likelihood(&seen) - random.log_likelihood(&seen))
    };
    let (noisy, gain) = fitted("perfect:noise=0.3");
    assert!(noisy.slip >= 0.2 && gain > 100.0, "{noisy:?}");
    let (near, _) = fitted("perfect:style=limited,depth=2");
    let (far, gain) = fitted("perfect:style=limited,depth=8");
    assert!(gain > 50.0 && far.slip <= 0.05);
    // How clearly each sees a loss nine plies away.
    let clear = |o: &Opponent| -o.perceived(Value::Loss(8)) / o.heat;
    assert!(clear(&near) < clear(&far), "{near:?} {far:?}");
}

#[test]
fn the_player_of_traps_wins_more_drawn_and_lost_games_than_the_others() {
    let values = dodgem();
    let score = |begin: Begin, style: &str, them: &str| {
        let lines = lines(values, begin, 150, 77);
        let lines: Vec<Box<dyn AnyLine>> =
            lines.into_iter().map(|l| Box::new(l) as Box<dyn AnyLine>).collect();
        let mut us = player(values, &format!("perfect:keep=off,style={style}"));
        tally(&lines, &mut us, &mut player(values, them), 200, 7).unwrap()
    };
    for (begin, them) in
        [(Begin::Drawn, "perfect:noise=0.1"), (Begin::Lost(2), "perfect:style=limited,depth=4")]
    {
        let [plain, thesis, trap] = ["plain", "thesis", "trap"].map(|s| score(begin, s, them));
        assert_eq!((plain.games(), trap.games()), (150, 150));
        assert!(trap.wins > plain.wins + 5, "{begin:?}: {plain} {trap}");
        assert!(trap.wins > thesis.wins + 5, "{begin:?}: {thesis} {trap}");
        if begin == Begin::Drawn {
            assert_eq!(plain.losses + thesis.losses + trap.losses, 0);
        }
    }
}

#[test]
fn asking_for_other_moves_or_other_games_is_answered() {
    let values = dodgem();
    let mut player = player(values, "perfect");
    let line = Line::new(Dodgem::new(4).unwrap());
    let only = |text: &str| Limits { only: vec![text.to_string()], ..Limits::default() };
    assert_eq!(choose_quietly(&mut player, &line, &only("a2-a1")).unwrap().mv, "a2-a1");
    let error = choose_quietly(&mut player, &line, &only("a2-d2")).unwrap_err();
    assert!(error.to_string().contains("illegal"), "{error}");
    let other = Line::new(KInARow::new(3, 3, 3, false).unwrap());
    let error = choose_quietly(&mut player, &other, &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("cannot play"), "{error}");
    assert!(player.set_option("colour", "red").is_err());
    let entry = zug_games::open(&Spec::parse("dodgem:3x3").unwrap()).unwrap().unwrap();
    for (spec, why) in [
        ("perfect", "db=DIR"),
        ("perfect:db=/nowhere/at/all", "a database of this game"),
        ("perfect:db=x,style=odd", "plain or thesis"),
    ] {
        let error = entry.player(&Spec::parse(spec).unwrap()).err().unwrap().to_string();
        assert!(error.contains(why), "{spec}: {error}");
    }
}

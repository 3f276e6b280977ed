//! A match of Go without the rest of the workbench: `duel GAME GAMES SEED PLAYER PLAYER`. Quick to
//! build while the player is being worked on. With `RECORDS=FILE.sgf` the games are kept.

use zug_arena::{MatchConfig, Openings, participants, run_match};
use zug_core::Spec;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, games, seed, players @ ..] = &args[..] else {
        return Err("usage: duel GAME GAMES SEED PLAYER PLAYER".into());
    };
    let entry = zug_go::open(&Spec::parse(game)?)?;
    let specs = players.iter().map(|p| Spec::parse(p)).collect::<Result<Vec<_>, _>>()?;
    let participants = participants(&entry, &specs)?;
    let config = MatchConfig {
        games: games.parse()?,
        seed: seed.parse()?,
        openings: Openings::Random { plies: 0 },
        records: std::env::var_os("RECORDS").map(Into::into),
        ..MatchConfig::default()
    };
    let report = run_match(&entry, &participants, &config, &mut |p| {
        eprint!("\r{}/{} {}   ", p.done, p.total, p.report.one_line());
    })?;
    eprintln!();
    println!("{} {players:?}: {} {:?}", game, report.one_line(), report.reasons);
    for incident in &report.incidents {
        println!("{incident:?}");
    }
    Ok(())
}

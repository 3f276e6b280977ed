//! Do moves only lead to stages that are solved before, as the layout says?

use super::{build, counts_of, draw_slots, placement, successors};
use zug_core::checks::{check, sample, thousands};
use zug_core::{Check, Indexed, rng};

/// Positions from play that the check looks at, beside those from the index.
const SAMPLES: usize = 500;
/// Moves that the check looks at.
const MOVES: usize = 100_000;

/// No move leads to a stage of higher rank or to another one of the same rank, and where it leads
/// to another stage, [`feeds`](zug_core::indexed::Layout::feeds) says so.
#[must_use]
pub fn stages<G: Indexed>(game: &G) -> Check {
    check("stages", game, stages_hold)
}

fn stages_hold<G: Indexed>(game: &G, seed: u64) -> Result<String, String> {
    let (index, _) = build(game)?;
    let layout = game.layout();
    let kinds = layout.kinds().len();
    let mut rng = rng(seed, 23);
    let mut positions = sample(game, &mut rng, SAMPLES);
    let slots = draw_slots(&index, &mut rng);
    positions.extend(slots.into_iter().filter_map(|slot| index.position(slot)));
    let (mut moves, mut leaving) = (0usize, 0usize);
    for position in &positions {
        let here = counts_of(&placement(game, kinds, position));
        let stage = layout.stage_of(&here);
        for next in successors(game, position) {
            let there = counts_of(&placement(game, kinds, &next));
            let target = layout.stage_of(&there);
            moves += 1;
            if target == stage {
                continue;
            }
            leaving += 1;
            let wrong = if target.rank > stage.rank {
                "a higher rank"
            } else if target.rank == stage.rank {
                "the same rank"
            } else if !layout.may_lead(&here, &there) {
                "a stage that it is said not to lead to"
            } else {
                continue;
            };
            return Err(format!(
                "'{}' of stage '{}' leads to '{}' of stage '{}': {wrong}",
                game.write_position(position),
                stage.name,
                game.write_position(&next),
                target.name
            ));
        }
        if moves > MOVES {
            break;
        }
    }
    Ok(format!(
        "{} stages; {} moves, {} of them to another stage",
        thousands(index.space().stages().len()),
        thousands(moves),
        thousands(leaving)
    ))
}

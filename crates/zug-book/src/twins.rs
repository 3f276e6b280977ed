//! Which moves are one, because a symmetry of the position exchanges them?
//!
//! At the start of Othello the four moves differ by a turn of the board alone, and still a search
//! gives them different values: it orders them, cuts some off early and is stopped between two. Here
//! one move of each class is searched, and what is found is told of all.

use crate::Places;
use std::collections::{BTreeMap, HashMap};
use zug_core::{AnyLine, Choice, Info, Limits, Player, PlayerError, Pulse, Watch};

/// Moves that lead to the same place, in the game's order; the first stands for all.
#[must_use]
pub fn classes(places: &Places, line: &dyn AnyLine, only: &[String]) -> Vec<Vec<String>> {
    let mut classes: Vec<Vec<String>> = Vec::new();
    let mut by_key: HashMap<u64, usize> = HashMap::new();
    for step in places.steps(line) {
        if !only.is_empty() && !only.contains(&step.mv) {
            continue;
        }
        match by_key.get(&step.key) {
            Some(&class) => classes[class].push(step.mv),
            None => {
                by_key.insert(step.key, classes.len());
                classes.push(vec![step.mv]);
            }
        }
    }
    classes
}

/// Lets a player choose and tell about several moves. Moves that a symmetry exchanges get one value:
/// the player sees one of them.
pub fn choose_among(
    player: &mut dyn Player,
    places: &Places,
    line: &dyn AnyLine,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<Choice, PlayerError> {
    let classes = classes(places, line, &limits.only);
    let is_plain = classes.iter().all(|class| class.len() == 1);
    if limits.lines < 2 || is_plain {
        return player.choose(line, limits, watch);
    }
    let narrowed = Limits {
        lines: limits.lines.min(classes.len()),
        only: classes.iter().map(|class| class[0].clone()).collect(),
        ..limits.clone()
    };
    let twins: HashMap<&str, &[String]> =
        classes.iter().map(|class| (class[0].as_str(), class.as_slice())).collect();
    // How many lines each rank of the player stands for.
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    let all = classes.iter().map(Vec::len).sum::<usize>();
    let report = &mut *watch.report;
    let mut spread = |info: &Info| {
        let rank = info.rank.max(1);
        if rank == 1 {
            sizes.clear();
        }
        let class = info.line.first().and_then(|mv| twins.get(mv.as_str()));
        let class = class.copied().unwrap_or_default();
        let first = 1 + sizes.range(..rank).map(|(_, size)| size).sum::<usize>();
        sizes.insert(rank, class.len().max(1));
        // Lines of all classes are lines of all moves; of some of them, nobody knows yet how many.
        let of = if info.of == classes.len() { all.min(limits.lines) } else { 0 };
        if first <= limits.lines {
            report(&Info { rank: first, of, ..info.clone() });
        }
        for (place, twin) in class.iter().enumerate().skip(1) {
            let rank = first + place;
            if rank <= limits.lines {
                let line = places.carried(line, &info.line, twin);
                report(&Info { rank, of, line, ..info.clone() });
            }
        }
    };
    let stop = watch.stop.clone();
    let pulse = watch.pulse.as_deref_mut().map(|pulse| pulse as &mut dyn FnMut(&Pulse));
    let at_least = watch.at_least.min(classes.len());
    let mut narrow = Watch { stop, report: &mut spread, pulse, at_least, ..*watch };
    player.choose(line, &narrowed, &mut narrow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Script;
    use std::sync::{Arc, Mutex};
    use zug_core::Score;

    /// Tells a value for each move it may choose, the later the worse.
    #[derive(Default)]
    struct Teller(Arc<Mutex<Vec<Vec<String>>>>);

    impl Player for Teller {
        fn name(&self) -> String {
            "teller".into()
        }
        fn choose(
            &mut self,
            line: &dyn AnyLine,
            limits: &Limits,
            watch: &mut Watch<'_>,
        ) -> Result<Choice, PlayerError> {
            self.0.lock().unwrap().push(limits.only.clone());
            let mut moves = line.legal_moves();
            moves.retain(|mv| limits.only.is_empty() || limits.only.contains(mv));
            for (place, mv) in moves.iter().enumerate().take(limits.lines) {
                let score = Some(Score::estimate(-(place as i32)));
                let line = vec![mv.clone()];
                (watch.report)(&Info { rank: place + 1, score, line, ..Info::default() });
            }
            Ok(Choice::of(&moves[0]))
        }
    }

    /// Lines as they were told, and the moves that the player was asked about.
    type Told = (Vec<(usize, i32, String)>, Vec<Vec<String>>);

    fn told(lines: usize) -> Told {
        // B and C are mirror images, D is alone.
        let mut table = (*Script::new("a: B C D\nB = 1\nC = 1\nD = 2").0).clone();
        (table[1].twin, table[2].twin) = (2, 1);
        let game = Script(Arc::new(table));
        let (mut teller, mut told) = (Teller::default(), Vec::new());
        let asked = Arc::clone(&teller.0);
        let mut keep = |info: &Info| {
            told.push((info.rank, info.score.unwrap().0, info.line[0].clone()));
        };
        let mut watch = Watch::new(Arc::default(), &mut keep);
        let limits = Limits { lines, ..Limits::default() };
        let places = Places::symmetric(&game);
        choose_among(&mut teller, &places, &game.line(""), &limits, &mut watch).unwrap();
        let asked = asked.lock().unwrap().clone();
        (told, asked)
    }

    #[test]
    fn moves_that_a_symmetry_exchanges_have_one_value() {
        let line = |rank, value, mv: &str| (rank, value, mv.to_string());
        let (all, asked) = told(3);
        assert_eq!(all, [line(1, 0, "B"), line(2, 0, "C"), line(3, -1, "D")]);
        assert_eq!(asked, [["B", "D"]]);
        assert_eq!(told(2).0, [line(1, 0, "B"), line(2, 0, "C")]);
        // One move is asked for: nothing to tell apart.
        assert_eq!(told(1), (vec![line(1, 0, "B")], vec![Vec::new()]));
    }
}

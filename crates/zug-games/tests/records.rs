//! The record explorer on real games: boards that can be turned, positions that come back.

use proptest::prelude::*;
use std::collections::BTreeMap;
use zug_book::Places;
use zug_book::names::Names;
use zug_book::records::gather::of_records;
use zug_book::records::index::Reply;
use zug_book::records::{Index, write};
use zug_core::seed::RngExt;
use zug_core::{GameEntry, Record, Spec, StopFlag, rng};

fn open(spec: &str) -> GameEntry {
    zug_games::open(&Spec::parse(spec).unwrap()).unwrap().unwrap()
}

fn random_games(entry: &GameEntry, seed: u64, count: usize) -> Vec<Record> {
    let mut rng = rng(seed, 2);
    let one = |_| {
        let mut line = entry.game.new_line();
        for _ in 0..40 {
            // A few of the moves only, so that games meet again.
            let moves = line.legal_moves();
            if moves.is_empty() {
                break;
            }
            line.play(&moves[rng.random_range(0..moves.len().min(4))]).unwrap();
        }
        Record::of_line(&*line)
    };
    (0..count).map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn the_index_counts_as_replay_does(
        seed in any::<u64>(),
        spec in prop::sample::select(vec!["tictactoe", "connect4:5x4", "dodgem:3x3", "morris", "nim"]),
    ) {
        let entry = open(spec);
        let places = Places::of(&entry);
        let records = random_games(&entry, seed, 60);
        let shelf = of_records(&entry, &records);
        prop_assert_eq!(shelf.games.len(), records.len());
        let bytes = write::to_bytes(&entry, &shelf, &Names::default(), &StopFlag::new()).unwrap();
        let index = Index::from_bytes(bytes, &entry).unwrap();
        let mut plain: BTreeMap<u64, BTreeMap<u32, Option<u64>>> = BTreeMap::new();
        let mut lines = Vec::new();
        for (number, record) in records.iter().enumerate() {
            let mut line = entry.game.new_line();
            let mut keys = vec![places.key(&*line)];
            lines.push(line.boxed_clone());
            for mv in &record.moves {
                line.play(&mv.text).unwrap();
                keys.push(places.key(&*line));
                lines.push(line.boxed_clone());
            }
            for (ply, key) in keys.iter().enumerate() {
                let games = plain.entry(*key).or_default();
                games.entry(number as u32).or_insert(keys.get(ply + 1).copied());
            }
            prop_assert_eq!(&index.record(number as u32).unwrap().moves, &record.moves);
        }
        for line in &lines {
            let mut after = places.keys_after(&**line);
            after.sort_unstable();
            after.dedup();
            let hits = index.hits(&**line, &after).unwrap();
            let found: BTreeMap<u32, Option<u64>> = hits.iter().map(|hit| (hit.game, match hit.reply {
                Reply::Move(rank) => Some(after[rank as usize]),
                Reply::End => None,
            })).collect();
            prop_assert_eq!(Some(&found), plain.get(&places.key(&**line)), "{}", spec);
        }
    }
}

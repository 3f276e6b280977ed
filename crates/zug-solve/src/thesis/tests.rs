use super::*;
use crate::cells::{Cells, Content};
use crate::value::{Code, Value};
use proptest::prelude::*;
use std::ops::Range;
use zug_core::files::FileError;
use zug_core::{Silent, StopFlag};

/// A game that is nothing but a list of moves.
#[derive(Clone, Debug)]
struct Graph {
    contents: Vec<Content>,
    after: Vec<Vec<u64>>,
    before: Vec<Vec<u64>>,
}

impl Graph {
    /// Open cells without successors, which a game does not have, become drawn ends.
    fn new(mut contents: Vec<Content>, mut after: Vec<Vec<u64>>) -> Graph {
        let real = |c: Content| !matches!(c, Content::Illegal | Content::Duplicate);
        let mut before = vec![Vec::new(); contents.len()];
        for cell in 0..contents.len() {
            after[cell].retain(|&to| real(contents[to as usize]));
            if contents[cell] != Content::Open {
                after[cell].clear();
            } else if after[cell].is_empty() {
                contents[cell] = Content::Ended(Value::Draw);
            }
            for &to in &after[cell] {
                before[to as usize].push(cell as u64);
            }
        }
        Graph { contents, after, before }
    }

    /// Cell n leads to n − 1; cell 0 has ended.
    fn chain(length: u64, end: Value) -> Graph {
        let mut contents = vec![Content::Open; length as usize];
        contents[0] = Content::Ended(end);
        Graph::new(contents, (0..length).map(|n| n.checked_sub(1).into_iter().collect()).collect())
    }

    /// Values by going over all cells again and again, as their definition says.
    fn fixpoint(&self) -> Vec<Code> {
        let mut values: Vec<Option<Value>> = self
            .contents
            .iter()
            .map(|content| match content {
                Content::Ended(Value::Draw) => None,
                Content::Ended(value) => Some(*value),
                _ => None,
            })
            .collect();
        for level in 1..=self.contents.len() as u16 {
            let known = values.clone();
            for (cell, after) in self.after.iter().enumerate() {
                if known[cell].is_some() || after.is_empty() {
                    continue;
                }
                let next: Vec<Option<Value>> = after.iter().map(|&c| known[c as usize]).collect();
                if next.iter().any(|v| matches!(v, Some(Value::Loss(_)))) {
                    values[cell] = Some(Value::Win(level));
                } else if next.iter().all(|v| matches!(v, Some(Value::Win(_)))) {
                    values[cell] = Some(Value::Loss(level));
                }
            }
        }
        let code = |(content, value): (&Content, &Option<Value>)| match content {
            Content::Illegal => Code::ILLEGAL,
            Content::Duplicate => Code::DUPLICATE,
            _ => value.unwrap_or(Value::Draw).into(),
        };
        self.contents.iter().zip(&values).map(code).collect()
    }
}

impl Cells for Graph {
    type Scratch = ();

    fn scratch(&self) {}

    fn size(&self) -> u64 {
        self.contents.len() as u64
    }

    fn content(&self, cell: u64, _: &mut ()) -> Content {
        self.contents[cell as usize]
    }

    fn successors(&self, cell: u64, _: &mut (), out: &mut Vec<u64>) {
        out.extend(&self.after[cell as usize]);
    }

    fn predecessors(&self, cell: u64, within: &Range<u64>, _: &mut (), out: &mut Vec<u64>) {
        out.extend(self.before[cell as usize].iter().filter(|c| within.contains(c)));
    }
}

fn run<S: Store>(graph: &Graph, store: S, settings: &Settings) -> Result<Solved<S>, ThesisError> {
    solve(graph, store, settings, &Silent, &StopFlag::new())
}

fn by(algorithm: Algorithm) -> Settings {
    Settings { algorithm, ..Settings::default() }
}

fn graphs() -> impl Strategy<Value = Graph> {
    let content = prop_oneof![
        8 => Just(Content::Open),
        1 => Just(Content::Illegal),
        1 => Just(Content::Duplicate),
        1 => Just(Content::Ended(Value::Draw)),
        2 => Just(Content::Ended(Value::Loss(0))),
        2 => Just(Content::Ended(Value::Win(0))),
    ];
    (2usize..60, 0..3).prop_flat_map(move |(size, kinds)| {
        let contents = prop::collection::vec(content.clone(), size);
        let after = prop::collection::vec(prop::collection::vec(0..size as u64, 0..4), size);
        (contents, after).prop_map(move |(mut contents, after)| {
            for content in &mut contents {
                match (&content, kinds) {
                    (Content::Ended(Value::Win(_)), 0) | (Content::Ended(Value::Loss(_)), 1) => {
                        *content = Content::Open;
                    }
                    _ => {}
                }
            }
            Graph::new(contents, after)
        })
    })
}

proptest! {
    #[test]
    fn both_algorithms_find_the_values_of_the_definition(graph in graphs()) {
        let expected = graph.fixpoint();
        for algorithm in [Algorithm::Basic, Algorithm::Counters] {
            for width in [1, 2] {
                let store = MemoryStore::new(graph.size(), width);
                let solved = run(&graph, store, &by(algorithm)).unwrap();
                prop_assert_eq!(solved.figures().width, width);
                prop_assert_eq!(&solved.codes().unwrap(), &expected, "{:?} {}", algorithm, width);
            }
        }
    }
}

/// 400 plies straight on, beside a cell with 120 ways out that keep its counter busy.
fn long_game(end: Value) -> Graph {
    let mut graph = Graph::chain(400, end);
    graph.contents.push(Content::Open);
    graph.after.push((0..120).collect());
    Graph::new(graph.contents, graph.after)
}

#[test]
fn a_long_game_is_widened_to_two_bytes_and_goes_on() {
    for end in [Value::Loss(0), Value::Win(0)] {
        let graph = long_game(end);
        for algorithm in [Algorithm::Basic, Algorithm::Counters] {
            let narrow = run(&graph, MemoryStore::new(graph.size(), 1), &by(algorithm)).unwrap();
            let wide = run(&graph, MemoryStore::new(graph.size(), 2), &by(algorithm)).unwrap();
            assert!(narrow.figures().widened && !wide.figures().widened);
            assert_eq!((narrow.figures().width, narrow.figures().longest), (2, 399));
            let codes = narrow.codes().unwrap();
            assert_eq!(codes, wide.codes().unwrap());
            assert_eq!(codes, graph.fixpoint());
        }
    }
}

#[test]
fn without_widening_the_collision_is_a_clear_error() {
    let graph = long_game(Value::Loss(0));
    let settings = Settings { no_widening: true, ..Settings::default() };
    let error = run(&graph, MemoryStore::new(graph.size(), 1), &settings).unwrap_err();
    assert!(matches!(error, ThesisError::Collision { .. }));
    let text = error.to_string();
    assert!(text.contains("one byte") && text.contains("two bytes"), "{text}");
    // A shorter one has room.
    let graph = Graph::chain(200, Value::Loss(0));
    assert!(run(&graph, MemoryStore::new(200, 1), &settings).is_ok());
}

#[test]
fn the_file_gives_the_same_whatever_its_cache_and_widens_too() {
    let folder = tempfile::tempdir().unwrap();
    let graph = long_game(Value::Loss(0));
    let expected = graph.fixpoint();
    for values in [0, 1, 7, 64, 4096] {
        for algorithm in [Algorithm::Basic, Algorithm::Counters] {
            let path = folder.path().join("values");
            let cache = CacheSize { values, blocks: 1 };
            let store = CachedFile::create(&path, graph.size(), 1, cache).unwrap();
            let solved = run(&graph, store, &by(algorithm)).unwrap();
            assert!(solved.figures().widened && path.exists());
            assert_eq!(solved.codes().unwrap(), expected);
            assert!(!path.exists(), "a file that nobody wants is removed");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_kept_holds_the_numbers_of_the_thesis() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.rasd");
    let mut graph = Graph::chain(6, Value::Loss(0));
    graph.contents.extend([Content::Illegal, Content::Duplicate, Content::Ended(Value::Draw)]);
    // The last one can win, or go on to the draw: won. The one before: draw or a win of the other.
    graph.contents.extend([Content::Open, Content::Open]);
    graph.after.extend([vec![], vec![], vec![], vec![8, 1], vec![8, 0]]);
    let graph = Graph::new(graph.contents, graph.after);
    let store = CachedFile::create(&path, graph.size(), 1, CacheSize::LEAST).unwrap().keep();
    drop(run(&graph, store, &Settings::default()).unwrap());
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes, [0, 1, 2, 3, 4, 5, 254, 253, 255, 252, 1]);
}

proptest! {
    #[test]
    fn a_cached_file_remembers_what_memory_remembers(
        cells in 1u64..100_000,
        width in 1u8..=2,
        values in 0usize..600,
        blocks in 0usize..4,
        accesses in prop::collection::vec((any::<u64>(), any::<Option<u16>>()), 1..400),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values");
        let cache = CacheSize { values, blocks };
        let mut file = CachedFile::create(&path, cells, width, cache).unwrap().keep();
        let mut memory = MemoryStore::new(cells, width);
        for (cell, value) in accesses {
            let cell = cell % cells;
            match value {
                None => prop_assert_eq!(file.get(cell).unwrap(), memory.get(cell).unwrap()),
                Some(value) => {
                    let value = if width == 1 { value % 256 } else { value };
                    file.set(cell, value).unwrap();
                    memory.set(cell, value).unwrap();
                }
            }
        }
        file.flush().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        prop_assert_eq!(bytes.len() as u64, cells * u64::from(width));
        for cell in 0..cells {
            prop_assert_eq!(store::read(&bytes, cell as usize, width), memory.get(cell).unwrap());
        }
    }
}

#[test]
fn shares_of_the_file_go_from_one_block_to_all_of_it() {
    let cells = 1_349_657;
    assert_eq!(CacheSize::percent(cells, 1, 0.0), CacheSize::LEAST);
    assert_eq!(CacheSize::percent(cells, 1, 100.0).blocks, 42);
    let half = CacheSize::percent(cells, 1, 50.0).bytes() as u64;
    assert!(half < cells * 52 / 100, "{half}");
}

#[test]
fn failures_of_the_file_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nowhere").join("values");
    let refused = CachedFile::create(&path, 10, 1, CacheSize::LEAST).unwrap_err().to_string();
    assert!(refused.contains("cannot create") && refused.contains("nowhere"), "{refused}");
    let path = folder.path().join("values");
    std::fs::write(&path, b"precious").unwrap();
    assert!(CachedFile::create(&path, 10, 1, CacheSize::LEAST).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    assert!(CachedFile::create(&folder.path().join("x"), 1 << 48, 1, CacheSize::LEAST).is_err());

    let path = folder.path().join("cut");
    let graph = Graph::chain(100_000, Value::Loss(0));
    let store = CachedFile::create(&path, graph.size(), 1, CacheSize::LEAST).unwrap();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(1000).unwrap();
    match run(&graph, store, &Settings::default()) {
        Err(ThesisError::File(FileError::Io { action: "read", .. })) => {}
        other => panic!("a truncated file went unnoticed: {:?}", other.map(|s| *s.figures())),
    }
    assert!(!path.exists());
}

#[test]
fn a_wrong_length_a_stop_and_an_end_with_a_distance_are_told() {
    let graph = Graph::chain(10, Value::Loss(0));
    let error = run(&graph, MemoryStore::new(9, 1), &Settings::default()).unwrap_err();
    assert_eq!(error.to_string(), "the store has 9 cells, the game 10");
    let (stop, settings) = (StopFlag::new(), Settings::default());
    stop.set();
    let error = solve(&graph, MemoryStore::new(10, 1), &settings, &Silent, &stop).unwrap_err();
    assert!(matches!(error, ThesisError::Stopped));
    let graph = Graph::chain(10, Value::Win(3));
    let error = run(&graph, MemoryStore::new(10, 1), &Settings::default()).unwrap_err();
    assert!(matches!(error, ThesisError::Ended { cell: 0 }));
}

#[test]
fn counters_need_half_the_scans() {
    let graph = Graph::chain(200, Value::Loss(0));
    let scans =
        |algorithm| run(&graph, MemoryStore::new(200, 1), &by(algorithm)).unwrap().figures().scans;
    // Distances 0 to 199; with counters the first losses and the odd distances.
    assert_eq!((scans(Algorithm::Basic), scans(Algorithm::Counters)), (200, 101));
}

//! The engine against a plain fixpoint over random graphs, and its own variants against each other.

use super::*;
use crate::cells::Content;
use crate::value::{Code, Value};
use proptest::prelude::*;

/// A made-up game: cells with arbitrary moves between them, in two stages.
#[derive(Debug, Clone)]
struct Graph {
    contents: Vec<Content>,
    successors: Vec<Vec<u64>>,
    predecessors: Vec<Vec<u64>>,
    /// Cells below belong to the first stage.
    border: u64,
    /// Are moves to odd cells of the first stage looked up?
    looks_ahead: bool,
}

impl Graph {
    fn new(mut contents: Vec<Content>, wishes: Vec<Vec<u64>>, border: u64) -> Graph {
        let size = contents.len() as u64;
        let mut successors = vec![Vec::new(); contents.len()];
        let mut predecessors = vec![Vec::new(); contents.len()];
        for (p, wishes) in wishes.iter().enumerate() {
            if contents[p] != Content::Open {
                continue;
            }
            // Nobody moves from the first stage to the second, or to a cell without a position.
            let reach = if (p as u64) < border { border } else { size };
            for &wish in wishes {
                let q = wish % reach;
                let real = !matches!(contents[q as usize], Content::Illegal | Content::Duplicate);
                if real {
                    successors[p].push(q);
                }
            }
            if successors[p].is_empty() {
                contents[p] = Content::Ended(Value::Draw);
            }
        }
        for (p, list) in successors.iter().enumerate() {
            for &q in list {
                predecessors[q as usize].push(p as u64);
            }
        }
        Graph { contents, successors, predecessors, border, looks_ahead: false }
    }

    /// The definition: values by repeated one-ply look-ahead, level after level.
    fn plain(&self) -> Vec<Code> {
        let size = self.contents.len();
        let mut values: Vec<Option<Value>> = self
            .contents
            .iter()
            .map(|c| match c {
                Content::Ended(v) if *v != Value::Draw => Some(*v),
                _ => None,
            })
            .collect();
        for level in 0..=size as u16 {
            let mut found = Vec::new();
            for p in (0..size).filter(|&p| self.contents[p] == Content::Open) {
                if values[p].is_some() {
                    continue;
                }
                let next: Vec<Option<Value>> =
                    self.successors[p].iter().map(|&q| values[q as usize]).collect();
                if next.contains(&Some(Value::Loss(level))) {
                    found.push((p, Value::Win(level + 1)));
                } else if next.iter().all(|v| matches!(v, Some(Value::Win(n)) if *n <= level)) {
                    found.push((p, Value::Loss(level + 1)));
                }
            }
            for (p, value) in found {
                values[p] = Some(value);
            }
        }
        let code = |(content, value): (&Content, &Option<Value>)| match content {
            Content::Illegal => Code::ILLEGAL,
            Content::Duplicate => Code::DUPLICATE,
            _ => value.unwrap_or(Value::Draw).into(),
        };
        self.contents.iter().zip(&values).map(code).collect()
    }

    fn solve(&self, settings: &Settings) -> Vec<Code> {
        let stop = StopFlag::new();
        self.solve_with(|range, sources| {
            solve_stage(self, range, sources, settings, &zug_core::Silent, &stop).unwrap().table
        })
    }

    fn solve_on_disk(&self, settings: &Settings) -> Vec<Code> {
        let (folder, stop) = (tempfile::tempdir().unwrap(), StopFlag::new());
        self.solve_with(|range, sources| {
            let plan = DiskPlan {
                folder: folder.path().join(format!("{}", range.start)),
                memory: 1 << 20,
            };
            let quiet = &zug_core::Silent;
            let solved =
                solve_stage_on_disk(self, range, sources, settings, &plan, quiet, &stop).unwrap();
            solved.table.check().unwrap();
            solved.table
        })
    }

    fn solve_with(&self, part: impl Fn(Range<u64>, &[&Table]) -> Table) -> Vec<Code> {
        let size = self.contents.len() as u64;
        let lower = part(0..self.border, &[]);
        let upper = part(self.border..size, &[&lower]);
        let all = [lower, upper];
        all.iter().flat_map(|t| t.range().map(|slot| t.code(slot))).collect()
    }
}

impl Cells for Graph {
    type Scratch = ();
    fn scratch(&self) {}
    fn size(&self) -> u64 {
        self.contents.len() as u64
    }
    fn content(&self, cell: u64, (): &mut ()) -> Content {
        self.contents[cell as usize]
    }
    fn successors(&self, cell: u64, (): &mut (), out: &mut Vec<u64>) {
        out.extend(&self.successors[cell as usize]);
    }
    fn predecessors(&self, cell: u64, within: &Range<u64>, (): &mut (), out: &mut Vec<u64>) {
        out.extend(self.predecessors[cell as usize].iter().filter(|c| within.contains(c)));
    }
    fn ahead_within(&self, stage: &Range<u64>) -> Vec<Range<u64>> {
        let upper = self.looks_ahead && stage.start == self.border;
        if upper { vec![stage.clone()] } else { Vec::new() }
    }
    fn ahead(&self, cell: u64, (): &mut (), out: &mut Vec<u64>) {
        let odd = |q: &&u64| **q < self.border && **q % 2 == 1;
        out.extend(self.successors[cell as usize].iter().filter(odd));
    }
    fn told(&self, cell: u64, within: &Range<u64>, (): &mut (), out: &mut Vec<u64>) {
        if !self.looks_ahead || cell.is_multiple_of(2) {
            self.predecessors(cell, within, &mut (), out);
        }
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    let content = prop_oneof![
        12 => Just(Content::Open),
        1 => Just(Content::Illegal),
        1 => Just(Content::Duplicate),
        1 => Just(Content::Ended(Value::Draw)),
        2 => Just(Content::Ended(Value::Loss(0))),
        1 => Just(Content::Ended(Value::Win(0))),
    ];
    let cell = (content, proptest::collection::vec(any::<u64>(), 1..5));
    (proptest::collection::vec(cell, 2..120), any::<u64>()).prop_map(|(cells, border)| {
        let border = 1 + border % (cells.len() as u64 - 1);
        let (contents, wishes) = cells.into_iter().unzip();
        Graph::new(contents, wishes, border)
    })
}

proptest! {
    #[test]
    fn random_graphs_get_the_values_of_the_definition(graph in graphs()) {
        let right = graph.plain();
        for (threads, region_bits) in [(1, None), (1, Some(2)), (3, Some(3))] {
            let settings = Settings { threads, region_bits, ..Settings::default() };
            prop_assert_eq!(&graph.solve(&settings), &right);
            let graph = Graph { looks_ahead: true, ..graph.clone() };
            prop_assert_eq!(&graph.solve(&settings), &right);
        }
    }
}

proptest! {
    // Files cost much more time than the work itself.
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn work_on_disk_gives_the_same(
        graph in graphs(), threads in 1usize..3, looks_ahead in any::<bool>(),
    ) {
        let graph = Graph { looks_ahead, ..graph };
        let settings = Settings { threads, region_bits: Some(4), ..Settings::default() };
        prop_assert_eq!(graph.solve_on_disk(&settings), graph.plain());
    }
}

/// A corridor: every cell leads to the one before, the first is lost.
fn corridor(length: u64) -> Graph {
    let mut contents = vec![Content::Open; length as usize];
    contents[0] = Content::Ended(Value::Loss(0));
    let wishes = (0..length).map(|p| vec![p.saturating_sub(1)]).collect();
    Graph::new(contents, wishes, 1)
}

#[test]
fn long_distances_make_cells_wider() {
    let graph = corridor(700);
    let stop = StopFlag::new();
    let settings = Settings::default();
    let solved = solve_stage(&graph, 0..700, &[], &settings, &zug_core::Silent, &stop).unwrap();
    assert_eq!((solved.figures.width, solved.figures.longest), (2, 699));
    let narrow_regions = Settings { region_bits: Some(8), ..settings };
    assert_eq!(graph.solve_on_disk(&narrow_regions), graph.solve(&settings));
    for slot in 0..700u16 {
        let value = if slot % 2 == 0 { Value::Loss(slot) } else { Value::Win(slot) };
        assert_eq!(solved.table.code(u64::from(slot)).value(), Some(value));
    }
}

#[test]
fn a_counter_too_large_for_a_byte_is_kept_aside() {
    // Cell 0 is lost; 1 ..= 600 win by moving there; cell 601 can move to each of those.
    let mut contents = vec![Content::Open; 602];
    contents[0] = Content::Ended(Value::Loss(0));
    let mut wishes = vec![vec![0]; 602];
    wishes[601] = (1..=600).collect();
    let graph = Graph::new(contents, wishes, 1);
    let codes = graph.solve(&Settings::default());
    assert_eq!(codes[601].value(), Some(Value::Loss(2)));
    assert_eq!(codes, graph.plain());
}

#[test]
fn conversion_counts_the_plies_to_the_lower_stage() {
    // Three cells in the first stage, the rest of the corridor in the second.
    let graph = Graph { border: 3, ..corridor(8) };
    let codes = graph.solve(&Settings { metric: Metric::Conversion, ..Settings::default() });
    let values: Vec<Option<Value>> = codes.iter().map(|c| c.value()).collect();
    // Cell 2 is lost and counts as an end, so cell 3 wins by one move.
    assert_eq!(values[3..6], [Value::Win(1), Value::Loss(2), Value::Win(3)].map(Some));
}

#[test]
fn miscounted_moves_are_an_error_and_no_panic() {
    let mut graph = corridor(5);
    graph.predecessors[1] = vec![2, 2];
    let stop = StopFlag::new();
    let result = solve_stage(&graph, 0..5, &[], &Settings::default(), &zug_core::Silent, &stop);
    // Cell 1 is won; cell 2 hears of it twice, but has one move only: the second time it is
    // decided already and does not care.
    assert!(result.is_ok());
    graph.successors[2].clear();
    let result = solve_stage(&graph, 0..5, &[], &Settings::default(), &zug_core::Silent, &stop);
    assert!(matches!(result, Err(SolveError::Inconsistent { slot: 2, .. })));
}

#[test]
fn a_set_flag_stops_the_work() {
    let stop = StopFlag::new();
    stop.set();
    let result =
        solve_stage(&corridor(5), 0..5, &[], &Settings::default(), &zug_core::Silent, &stop);
    assert_eq!(result.unwrap_err(), SolveError::Stopped);
}

//! Solved endings against facts that every book on endings has.

use zug_chess::endings::{EndingCells, Material, Scope};
use zug_chess::{Chess, Position, fen};
use zug_core::Indexed;
use zug_solve::{Index, Options, Settings, Solved, Value, solve_all};

struct Ending {
    index: Index<Chess>,
    solved: Vec<Solved>,
}

impl Ending {
    fn solve(scope: Scope) -> Ending {
        let game = Chess::ending(scope);
        let index = Index::new(&game, Options::default()).unwrap();
        let cells = EndingCells::new(&game, index.space()).unwrap();
        let settings = Settings { threads: 2, ..Settings::default() };
        let solved = solve_all(&cells, &game.layout(), index.space(), &settings).unwrap();
        Ending { index, solved }
    }

    fn of(material: &str) -> Ending {
        Ending::solve(Scope::Material(Material::parse(material).unwrap()))
    }

    fn value(&self, text: &str) -> Value {
        let position: Position = fen::parse(text).unwrap();
        let slot = self.index.index_of(&position).unwrap();
        let stage = self.solved.iter().find(|s| s.table.range().contains(&slot)).unwrap();
        stage.table.code(slot).value().unwrap()
    }

    /// The longest loss of a stage: one ply longer than the longest win.
    fn longest(&self, stage: &str) -> u16 {
        let stages = self.index.space().stages();
        let number = stages.iter().position(|s| s.stage.name == stage).unwrap();
        self.solved[number].figures.longest
    }

    fn check(&self, facts: &[(&str, Value)]) {
        for &(text, value) in facts {
            assert_eq!(self.value(text), value, "{text}");
        }
    }
}

#[test]
fn three_men_mate_when_the_books_say() {
    let three = Ending::solve(Scope::men(3).unwrap());
    for (stage, plies) in [("KQvK", 20), ("KRvK", 32), ("KPvK", 56), ("KBvK", 0), ("KNvK", 0)] {
        assert_eq!(three.longest(stage), plies, "{stage}");
    }
    three.check(&[
        ("8/8/8/5k2/8/8/1Q6/K7 w - - 0 1", Value::Win(19)),
        ("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", Value::Win(31)),
        ("8/8/8/1k6/8/8/K5P1/8 w - - 0 1", Value::Win(55)),
        ("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", Value::Loss(0)),
        ("k7/8/1Q6/8/8/8/8/7K b - - 0 1", Value::Draw),
        // Black takes the rook.
        ("8/8/8/8/8/1k6/1R6/7K b - - 0 1", Value::Draw),
    ]);
}

#[test]
fn a_pawn_wins_or_not_by_the_opposition() {
    let three = Ending::solve(Scope::men(3).unwrap());
    let won = |text: &str| matches!(three.value(text), Value::Win(_));
    let lost = |text: &str| matches!(three.value(text), Value::Loss(_));
    let drawn = |text: &str| three.value(text) == Value::Draw;
    // One step in front of the pawn it matters who moves, two steps, or on the sixth rank, it does
    // not.
    assert!(drawn("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"));
    assert!(lost("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1"));
    assert!(won("8/8/4k3/8/4K3/8/4P3/8 w - - 0 1"));
    assert!(won("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"));
    assert!(lost("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"));
    // Stalemate, and the pawn at the edge.
    assert!(drawn("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"));
    assert!(drawn("k7/8/K7/P7/8/8/8/8 w - - 0 1"));
    // The same for Black.
    assert!(won("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1"));
    assert!(drawn("8/8/4p3/4k3/8/4K3/8/8 b - - 0 1"));
}

#[test]
fn bishop_and_knight_mate_in_thirty_three_moves() {
    let ending = Ending::of("KBNvK");
    assert_eq!(ending.longest("KBNvK"), 66);
    ending.check(&[
        ("8/8/7N/8/8/8/8/K1k1B3 w - - 0 1", Value::Win(65)),
        // Black takes the bishop or the knight.
        ("K7/8/8/8/8/8/1k6/B1N5 b - - 0 1", Value::Draw),
    ]);
}

#[test]
fn a_queen_beats_a_rook_in_thirty_five_moves() {
    let ending = Ending::of("KQvKR");
    assert_eq!(ending.longest("KQvKR"), 70);
    ending.check(&[("8/8/8/8/2r5/8/2k5/K6Q w - - 0 1", Value::Win(69))]);
}

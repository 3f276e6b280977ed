use super::*;
use crate::testing::Script;
use crate::{Chance, Standing};
use zug_core::{
    Choice, GameEntry, Info, Limits, Player, PlayerError, PlayerKind, Score, Silent, Spec,
    StopFlag, Watch,
};

/// Plays the last move that it may, and takes every position for a little worse than even.
struct Last;

impl Player for Last {
    fn name(&self) -> String {
        "last".into()
    }
    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        _: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let legal = line.legal_moves();
        let mv = legal.iter().rfind(|mv| limits.only.is_empty() || limits.only.contains(mv));
        let info = Info { rank: 1, depth: 2, score: Some(Score::estimate(-30)), ..Info::default() };
        Ok(Choice { info: Some(info), ..Choice::of(mv.unwrap().clone()) })
    }
}

fn entry(game: &Script) -> GameEntry {
    let make = |_: &Spec| -> Result<Box<dyn Player>, zug_core::TextError> { Ok(Box::new(Last)) };
    let kind = PlayerKind { name: "last", help: String::new(), make: Box::new(make) };
    GameEntry::new(game.clone()).with_extension(game.places()).with_player(kind)
}

/// Calls `work` with a team of so many threads.
fn with_team<T>(entry: &GameEntry, threads: usize, work: impl FnOnce(&Team<'_>) -> T) -> T {
    let stop = StopFlag::new();
    work(&Team {
        entry,
        player: Spec::parse("last").unwrap(),
        limits: Limits { depth: Some(2), ..Limits::default() },
        exact: 20,
        threads,
        progress: &Silent,
        stop: &stop,
    })
}

const GAMES: [&str; 4] = ["B d e", "B d e", "B d f", "C g h"];

fn script() -> Script {
    Script::new(
        "a: B C x\n B: d\n d: e f\n e = 2\n f = -2\n C: g\n g: h i\n h = 1\n i = 0\n x = -5",
    )
}

fn read(book: &mut Book, script: &Script, selection: &Selection, team: &Team<'_>) -> u64 {
    read_games(book, &script.places(), selection, team, &mut |sink| {
        for moves in GAMES {
            if !sink(&script.line(moves), RecordResult::Unknown) {
                return;
            }
        }
    })
}

#[test]
fn whole_games_end_with_their_results_and_rare_positions_stay_out() {
    let script = script();
    let entry = entry(&script);
    with_team(&entry, 1, |team| {
        let mut whole = Book::new("script");
        assert_eq!(read(&mut whole, &script, &Selection::default(), team), 4);
        let values = Values::of(&whole, Draws::Neutral);
        assert_eq!(values.tree(script.key_of("a")), Some(2));
        assert!(whole.nodes().all(|n| !n.is_open()));

        let mut frequent = Book::new("script");
        let selection = Selection { min_games: 3, ..Selection::default() };
        assert_eq!(read(&mut frequent, &script, &selection, team), 3);
        let edge = frequent.get(script.key_of("d")).unwrap();
        assert!(edge.is_open());
        // The mover is the first side, who won two of the three games.
        assert_eq!((edge.games, edge.wins, edge.draws), (3, 2, 0));
        assert_eq!(frequent.len(), 3);
        let first = Selection { plies: 1, ..Selection::default() };
        let mut short = Book::new("script");
        read(&mut short, &script, &first, team);
        assert_eq!(short.len(), 3);
        let most = Selection { positions: 2, ..Selection::default() };
        let mut small = Book::new("script");
        read(&mut small, &script, &most, team);
        assert!(small.contains(script.key_of("a")) && small.contains(script.key_of("B")));
        assert_eq!(small.len(), 2);
    });
}

#[test]
fn above_open_positions_the_chance_is_that_of_searches_however_draws_count() {
    let script = script();
    let entry = entry(&script);
    with_team(&entry, 2, |team| {
        let mut book = Book::new("script");
        let selection = Selection { min_games: 3, ..Selection::default() };
        read(&mut book, &script, &selection, team);
        let places = script.places();
        assert!(complete(&mut book, &places, team, 0, &mut Diary::none()).unwrap());
        for draws in [Draws::Neutral, Draws::LostFor(zug_core::Side::First)] {
            let values = Values::of(&book, draws);
            let of = |name| values.chance(script.key_of(name)).unwrap();
            assert_eq!(of("d"), Chance::Estimate(-30));
            assert_eq!(of("B"), Chance::Estimate(30));
            // The way through B is worth -0.30, and so is the alternative.
            assert_eq!(of("a"), Chance::Estimate(-30));
            assert_eq!(values.standing(script.key_of("a")), Some(Standing::Open));
        }
    });
}

#[test]
fn a_book_is_the_same_with_any_threads_and_after_any_interruption() {
    let script = Script::random(7, 40);
    let entry = entry(&script);
    let places = script.places();
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("j");
    let build = |threads, diary: &mut Diary| {
        with_team(&entry, threads, |team| {
            let mut book = Book::new("script");
            assert!(self_play(&mut book, &places, team, 12, 5, 0, diary).unwrap());
            book.to_bytes().unwrap()
        })
    };
    let whole = build(1, &mut Diary::open(&journal, "test", false, false).unwrap());
    assert_eq!(build(3, &mut Diary::none()), whole);
    let text = std::fs::read_to_string(&journal).unwrap();
    assert!(text.lines().count() > 4, "{text}");
    for cut in [1, text.len() / 3, text.len() / 2, text.len() - 1] {
        std::fs::write(&journal, &text[..cut]).unwrap();
        let mut diary = Diary::open(&journal, "test", true, false).unwrap();
        assert_eq!(build(2, &mut diary), whole, "cut at {cut}");
    }
    assert!(Diary::open(&journal, "other work", true, false).is_err());

    let told = Diary::open(&journal, "test", false, false).err().unwrap().to_string();
    assert!(told.contains("--resume") && told.contains("--force"), "{told}");
    let changed = std::fs::read_to_string(&journal).unwrap().replacen("\"game\"", "\"gime\"", 1);
    std::fs::write(&journal, changed).unwrap();
    let told = Diary::open(&journal, "test", true, false).err().unwrap().to_string();
    assert!(told.contains("line ") && told.contains("not as it was written"), "{told}");
    assert_eq!(build(1, &mut Diary::open(&journal, "test", false, true).unwrap()), whole);
}

#[test]
fn work_that_is_stopped_says_so() {
    let script = script();
    let entry = entry(&script);
    with_team(&entry, 1, |team| {
        let mut book = Book::new("script");
        read(&mut book, &script, &Selection::default(), team);
        team.stop.set();
        let done = complete(&mut book, &script.places(), team, 0, &mut Diary::none()).unwrap();
        assert!(!done);
    });
}

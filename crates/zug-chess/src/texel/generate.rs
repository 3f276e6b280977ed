//! Training games: an engine against itself, from random openings.
//!
//! Each game is its own: its opening and its dice come from the seed and its number, and the engine
//! forgets the game before. So the examples are the same for any number of threads, and work that
//! was interrupted goes on from a journal.
//!
//! A position becomes an example if it is quiet: nobody is in check, and the move that the engine
//! chose is no capture, no promotion and no check. It is labelled with the score of that search and
//! with the result of the game.

use super::ExampleError;
use super::file::{ExampleFile, ExampleWriter};
use super::record::{self, BYTES, Example, GameResult};
use crate::Position;
use crate::engine::{Engine, Evaluation, Eye, Root, Settings, Wish};
use cozy_chess::{Board, Color, Move};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zug_core::seed::{RngExt, mix};
use zug_core::tasks::{TaskJournal, do_all};
use zug_core::{Progress, Rng, Score, StopFlag, rng};

/// Games of one task: enough that a task takes longer than writing it down.
pub const GAMES_PER_TASK: u64 = 8;

/// How to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Positions that are looked at for each move.
    pub nodes: u64,
    /// Games begin with so many random plies, or one more.
    pub random_plies: u32,
    /// An opening that a search finds better than this for one side, in hundredths of a pawn, is
    /// drawn anew.
    pub balance: i32,
    /// The evaluation is shaken by up to this many hundredths, a different way in each game.
    pub shake: i32,
    /// The share of moves that are random ones; positions with such moves are no examples.
    pub noise: f64,
    /// A game is won when both sides have agreed for so many plies …
    pub win_plies: u32,
    /// … that one is ahead by this much.
    pub win_score: i32,
    /// Late in the game, so many plies with scores within [`DRAW_SCORE`] are a draw; 0 for never.
    pub draw_plies: u32,
    /// Games that last longer are drawn.
    pub most_plies: u32,
    /// The memory of each engine, in bytes.
    pub hash: usize,
}

/// What counts as a drawish score, in hundredths of a pawn.
pub const DRAW_SCORE: i32 = 8;
/// Games are drawn by agreement only after so many plies.
const DRAW_FROM: u32 = 70;
/// Openings that are tried before an unbalanced one is taken.
const TRIES: u32 = 30;

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            nodes: 5000,
            random_plies: 8,
            balance: 300,
            shake: 0,
            noise: 0.0,
            win_plies: 5,
            win_score: 1000,
            draw_plies: 0,
            most_plies: 400,
            hash: 1 << 20,
        }
    }
}

/// What to generate.
pub struct GenerateOrder<'a> {
    /// How many games.
    pub games: u64,
    /// How to play them.
    pub rules: Rules,
    /// The seed of openings and of all that is random.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Begin no game after this time, and be content with those that were played: how many that
    /// are depends on the machine.
    pub time: Option<Duration>,
    /// Where unfinished work is kept.
    pub journal: &'a Path,
    /// The command line without what does not change the result.
    pub command: &'a str,
    /// What the maker wants to say in the file, such as the digest of the model.
    pub notes: &'a [(&'a str, String)],
}

/// What was generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// Games.
    pub games: u64,
    /// Examples.
    pub examples: u64,
    /// Games by White's result: lost, drawn, won.
    pub results: [u64; 3],
    /// Plies of all games.
    pub plies: u64,
}

/// Plays the games and writes their examples to a file, in the order of the games.
pub fn generate<E: Evaluation>(
    order: &GenerateOrder<'_>,
    evaluation: &Arc<E>,
    out: &Path,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Generated, ExampleError> {
    let most = u64::from(u32::MAX) / 2;
    if order.games == 0 || order.games > most {
        return Err(ExampleError::Other(format!(
            "expected 1 to {most} games, not {}",
            order.games
        )));
    }
    let tasks = order.games.div_ceil(GAMES_PER_TASK) as usize;
    let mut journal = TaskJournal::open(order.journal, order.command, tasks)?;
    progress.set_length(Some(tasks as u64));
    let began = Instant::now();
    let is_late = || order.time.is_some_and(|time| began.elapsed() >= time);
    let work = |player: &mut SelfPlayer<E>, task: usize| {
        if is_late() {
            return None;
        }
        let first = task as u64 * GAMES_PER_TASK;
        let mut out = TaskBytes::new();
        for game in first..(first + GAMES_PER_TASK).min(order.games) {
            let played = player.play(&order.rules, order.seed, game as u32, stop)?;
            out.add(&played);
        }
        Some(out.0)
    };
    let player = || SelfPlayer::new(evaluation, &order.rules);
    do_all(&mut journal, order.threads, &|_| 1, &player, &work, progress, stop)?;
    if stop.is_set() {
        return Err(ExampleError::Stopped);
    }
    let mut header = ExampleFile::new_header();
    header.made.command = Some(order.command.to_string());
    header.made.seed = Some(order.seed);
    for (key, value) in order.notes {
        header.notes.insert((*key).to_string(), value.clone());
    }
    let mut writer = ExampleWriter::create(out, &header)?;
    let mut sum = Generated::default();
    for task in 0..tasks {
        if let Some(bytes) = journal.read(task)? {
            take_in(&bytes, &mut sum, &mut writer).map_err(|what| {
                ExampleError::Other(format!("{}: task {task}: {what}", order.journal.display()))
            })??;
        }
    }
    if sum.games == 0 {
        return Err(ExampleError::Other("there was no time for a single game".into()));
    }
    sum.examples = writer.commit()?;
    Ok(sum)
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The moves, the opening included.
    pub moves: Vec<Move>,
    /// How it ended.
    pub result: GameResult,
    /// Its quiet positions.
    pub examples: Vec<Example>,
}

/// The result of a task: for each game its result, its plies, the number of its examples, and these.
struct TaskBytes(Vec<u8>);

impl TaskBytes {
    fn new() -> TaskBytes {
        TaskBytes(Vec::new())
    }

    fn add(&mut self, game: &Played) {
        self.0.push(game.result as u8);
        self.0.extend((game.moves.len() as u16).to_le_bytes());
        self.0.extend((game.examples.len() as u16).to_le_bytes());
        game.examples.iter().for_each(|e| self.0.extend(record::encode(e)));
    }
}

fn take_in<W: std::io::Write>(
    mut bytes: &[u8],
    sum: &mut Generated,
    writer: &mut ExampleWriter<W>,
) -> Result<Result<(), ExampleError>, String> {
    while let Some((&[result, a, b, c, d], rest)) = bytes.split_first_chunk::<5>() {
        let count = usize::from(u16::from_le_bytes([c, d]));
        let place = sum.results.get_mut(usize::from(result)).ok_or("there is no such result")?;
        *place += 1;
        sum.games += 1;
        sum.plies += u64::from(u16::from_le_bytes([a, b]));
        let (records, rest) =
            rest.split_at_checked(count * BYTES).ok_or("it is too short for its examples")?;
        for record in records.as_chunks::<BYTES>().0 {
            if let Err(error) = writer.push_record(record) {
                return Ok(Err(error));
            }
        }
        bytes = rest;
    }
    if bytes.is_empty() { Ok(Ok(())) } else { Err("there are bytes left over".into()) }
}

/// An engine that plays against itself.
pub struct SelfPlayer<E: Evaluation> {
    evaluation: Arc<E>,
    engine: Engine<Shaken<E>>,
}

impl<E: Evaluation> SelfPlayer<E> {
    /// A player with a little memory.
    ///
    /// # Panics
    /// If there is no memory.
    #[must_use]
    pub fn new(evaluation: &Arc<E>, rules: &Rules) -> SelfPlayer<E> {
        let settings = Settings { hash: rules.hash, ..Settings::default() };
        let shaken = Shaken { inner: evaluation.clone(), seed: 0, most: rules.shake };
        let engine = Engine::new(Arc::new(shaken), settings).expect("a little memory");
        SelfPlayer { evaluation: evaluation.clone(), engine }
    }

    /// Plays a game. `None` when stopped.
    pub fn play(&mut self, rules: &Rules, seed: u64, game: u32, stop: &StopFlag) -> Option<Played> {
        let mut rng = rng(seed, u64::from(game));
        let inner = self.evaluation.clone();
        let shaken = Shaken { inner, seed: rng.random(), most: rules.shake };
        self.engine.set_evaluation(Arc::new(shaken));
        let (mut line, mut moves) = self.opening(rules, &mut rng, stop)?;
        let mut examples = Vec::new();
        let mut judge = Judge::default();
        let result = loop {
            if let Some(result) = over(&line, moves.len(), rules) {
                break result;
            }
            let position = &line.position;
            let (mv, score) = self.think(&line, rules.nodes, stop)?;
            let white = position.color() == Color::White;
            let for_white = if white { score } else { -score };
            if let Some(result) = judge.hears(for_white, moves.len() as u32, rules) {
                break result;
            }
            let mv = match rules.noise > 0.0 && rng.random_bool(rules.noise) {
                true => random_move(position.board(), &mut rng)?,
                false => {
                    if !score.is_proven() && is_quiet(position, mv) {
                        examples.push(Example {
                            board: bare(position.board()),
                            result: GameResult::Drawn,
                            score: Some(for_white.0.clamp(-32_000, 32_000) as i16),
                            game,
                        });
                    }
                    mv
                }
            };
            line.earlier.push(position.key());
            line.position.play(mv);
            moves.push(mv);
        };
        examples.iter_mut().for_each(|e| e.result = result);
        Some(Played { moves, result, examples })
    }

    /// A random opening that is about equal.
    fn opening(
        &mut self,
        rules: &Rules,
        rng: &mut Rng,
        stop: &StopFlag,
    ) -> Option<(Root, Vec<Move>)> {
        for attempt in 0.. {
            if stop.is_set() {
                return None;
            }
            let mut line = Root::new(Position::start());
            let plies = rules.random_plies + rng.random_range(0..2);
            let mut moves = Vec::new();
            for _ in 0..plies {
                let Some(mv) = random_move(line.position.board(), rng) else { break };
                line.earlier.push(line.position.key());
                line.position.play(mv);
                moves.push(mv);
            }
            if over(&line, 0, rules).is_some() {
                continue;
            }
            let (_, score) = self.think(&line, rules.nodes, stop)?;
            if score.0.abs() <= rules.balance || attempt >= TRIES && !score.is_proven() {
                return Some((line, moves));
            }
        }
        None
    }

    fn think(&mut self, line: &Root, nodes: u64, stop: &StopFlag) -> Option<(Move, Score)> {
        let wish = Wish { nodes: Some(nodes), ..Wish::default() };
        let thought = self.engine.search(line, &wish, stop, &mut |_| {});
        if stop.is_set() {
            return None;
        }
        Some((thought.best()?, thought.score()?))
    }
}

/// The board with the move number of a fresh game, which examples do not keep.
fn bare(board: &Board) -> Board {
    let mut board = board.clone();
    board.set_fullmove_number(1);
    board
}

fn random_move(board: &Board, rng: &mut Rng) -> Option<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
}

/// Is a position quiet, this being the best move?
#[must_use]
pub fn is_quiet(position: &Position, best: Move) -> bool {
    if position.in_check() || best.promotion.is_some() || position.is_capture(best) {
        return false;
    }
    let mut next = position.clone();
    next.play(best);
    !next.in_check()
}

/// The result of a game that the rules end.
fn over(line: &Root, plies: usize, rules: &Rules) -> Option<GameResult> {
    let position = &line.position;
    if !position.has_moves() {
        let loser = position.in_check().then_some(position.color());
        return Some(GameResult::of_winner(loser.map(|loser| !loser)));
    }
    let key = position.key();
    let repeated = line.earlier.iter().filter(|k| **k == key).count() >= 2;
    let long = plies as u32 >= rules.most_plies;
    (repeated || long || position.clock() >= 100 || position.is_dead()).then_some(GameResult::Drawn)
}

/// Ends games that both sides agree about.
#[derive(Default)]
struct Judge {
    /// Plies in a row with a large score for White, or for Black.
    won: [u32; 2],
    drawn: u32,
}

impl Judge {
    fn hears(&mut self, for_white: Score, ply: u32, rules: &Rules) -> Option<GameResult> {
        let sides = [(for_white, GameResult::Won), (-for_white, GameResult::Lost)];
        for (won, (score, result)) in self.won.iter_mut().zip(sides) {
            *won = if score.0 >= rules.win_score { *won + 1 } else { 0 };
            // A mate that was seen is a mate.
            if *won >= rules.win_plies || score.is_proven() && score.0 > 0 {
                return Some(result);
            }
        }
        self.drawn = if for_white.0.abs() <= DRAW_SCORE { self.drawn + 1 } else { 0 };
        let agreed = rules.draw_plies > 0 && ply >= DRAW_FROM && self.drawn >= rules.draw_plies;
        agreed.then_some(GameResult::Drawn)
    }
}

/// An evaluation, shaken a little, always the same way for the same position and seed. Games differ
/// by it even from the same opening; and a model that knows nothing still prefers positions with
/// many ways to go on, since the best of many random values is larger than that of few.
pub struct Shaken<E> {
    inner: Arc<E>,
    seed: u64,
    most: i32,
}

/// One thread's view of a shaken evaluation.
pub struct ShakenEye<I> {
    inner: I,
    seed: u64,
    most: i32,
}

impl<E: Evaluation> Evaluation for Shaken<E> {
    type Eye = ShakenEye<E::Eye>;

    fn eye(&self) -> Self::Eye {
        ShakenEye { inner: self.inner.eye(), seed: self.seed, most: self.most }
    }
}

impl<I: Eye> Eye for ShakenEye<I> {
    fn evaluate(&mut self, board: &Board) -> i32 {
        let value = self.inner.evaluate(board);
        if self.most == 0 {
            return value;
        }
        let width = 2 * self.most as u64 + 1;
        value + (mix(board.hash() ^ self.seed) % width) as i32 - self.most
    }

    fn begins(&mut self, root: &Board) {
        self.inner.begins(root);
    }

    fn played(&mut self, before: &Board, mv: Move) {
        self.inner.played(before, mv);
    }

    fn taken_back(&mut self) {
        self.inner.taken_back();
    }

    fn passed(&mut self) {
        self.inner.passed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HandMade;
    use zug_core::Silent;

    fn small() -> Rules {
        Rules { nodes: 40, most_plies: 60, hash: 1 << 16, shake: 20, ..Rules::default() }
    }

    fn order<'a>(journal: &'a Path, threads: usize) -> GenerateOrder<'a> {
        GenerateOrder {
            games: 20,
            rules: small(),
            seed: 3,
            threads,
            time: None,
            journal,
            command: "twenty games",
            notes: &[],
        }
    }

    #[test]
    fn games_are_the_same_for_any_number_of_threads_and_after_an_interruption() {
        let folder = tempfile::tempdir().unwrap();
        let run = |name: &str, threads, before: &dyn Fn(&Path)| {
            let (out, journal) =
                (folder.path().join(name), folder.path().join(format!("{name}.j")));
            before(&journal);
            let order = order(&journal, threads);
            let stop = StopFlag::new();
            let sum = generate(&order, &Arc::new(HandMade), &out, &Silent, &stop).unwrap();
            assert_eq!((sum.games, sum.results.iter().sum::<u64>()), (20, 20));
            assert!(sum.examples > 100 && sum.plies > 20 * 8, "{sum:?}");
            let file = ExampleFile::open(&out).unwrap();
            assert_eq!(file.len(), sum.examples);
            (std::fs::read(out).unwrap(), std::fs::read(journal).unwrap())
        };
        let (whole, journal) = run("one", 1, &|_| ());
        assert_eq!(run("three", 3, &|_| ()).0, whole);
        let torn = &journal[..journal.len() / 2];
        assert_eq!(run("torn", 2, &|path| std::fs::write(path, torn).unwrap()).0, whole);
    }

    #[test]
    fn examples_are_quiet_positions_of_the_game_with_its_result() {
        let rules = small();
        let mut player = SelfPlayer::new(&Arc::new(HandMade), &rules);
        for game in 0..3 {
            let played = player.play(&rules, 9, game, &StopFlag::new()).unwrap();
            let mut position = Position::start();
            let mut quiet = Vec::new();
            for &mv in &played.moves {
                if is_quiet(&position, mv) {
                    quiet.push(bare(position.board()));
                }
                position.play(mv);
            }
            for example in &played.examples {
                assert!(example.board.checkers().is_empty());
                assert!(quiet.contains(&example.board));
                assert_eq!((example.game, example.result), (game, played.result));
            }
        }
    }

    #[test]
    fn games_end_by_the_rules_and_by_agreement() {
        let rules = Rules { draw_plies: 4, ..Rules::default() };
        let line = |text: &str| Root::new(crate::fen::parse(text).unwrap());
        let mated = line("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        assert_eq!(over(&mated, 4, &rules), Some(GameResult::Lost));
        let stalemate = line("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(over(&stalemate, 4, &rules), Some(GameResult::Drawn));
        let mut twice = line("7k/8/6K1/8/8/8/8/R7 w - - 9 1");
        assert_eq!(over(&twice, 4, &rules), None);
        twice.earlier = vec![twice.position.key(); 2];
        assert_eq!(over(&twice, 4, &rules), Some(GameResult::Drawn));
        assert_eq!(over(&Root::new(Position::start()), 400, &rules), Some(GameResult::Drawn));

        let mut judge = Judge::default();
        let verdicts: Vec<_> = (0..6).map(|_| judge.hears(Score(-1100), 30, &rules)).collect();
        assert_eq!(
            verdicts,
            [None, None, None, None, Some(GameResult::Lost), Some(GameResult::Lost)]
        );
        assert_eq!(Judge::default().hears(Score::won_in(7), 30, &rules), Some(GameResult::Won));
        let mut judge = Judge::default();
        let ends = |from: u32, judge: &mut Judge| {
            (from..from + 4).filter_map(|ply| judge.hears(Score(3), ply, &rules)).count()
        };
        assert_eq!((ends(30, &mut judge), ends(80, &mut Judge::default())), (0, 1));
    }
}

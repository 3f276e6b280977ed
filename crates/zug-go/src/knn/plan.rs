//! The experiments of the thesis: which games, how many, with which settings?

use super::example::count_examples;
use super::gnugo;
use super::measure::TestGame;
use super::settings::Settings;
use crate::corpus::{Corpus, Filter, GoRecord, Rank};
use zug_core::seed::{RngExt, rng};
use zug_learn::choices::{bad, number, yes};
use zug_learn::face::{Named, TaskError};
use zug_learn::records::RecordOrder;

/// One way of learning, of several that an experiment compares.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// What it is called in tables.
    pub name: String,
    /// How it learns.
    pub settings: Settings,
}

/// Everything about a run but the games.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The experiment.
    pub experiment: &'static Experiment,
    /// What is compared; the first is the thesis's own, or what was asked for.
    pub arms: Vec<Arm>,
    /// Games to learn from.
    pub training: usize,
    /// Those of them that patterns are gathered from.
    pub acquisition: usize,
    /// Games to test on.
    pub test_games: usize,
    /// Examples to test on.
    pub test_examples: Option<usize>,
    /// Test games have this player.
    pub test_player: Option<String>,
    /// How many times games are drawn.
    pub draws: u64,
    /// Training games have this in their names, if any has.
    pub set: String,
    /// What is asked of a game.
    pub filter: Filter,
    /// The command of GNU Go; `None` for no such comparison.
    pub gnugo: Option<String>,
    /// How many positions GNU Go is asked about.
    pub gnugo_examples: usize,
    /// Is the speed measured?
    pub speed: bool,
}

/// A named configuration.
#[derive(Debug, PartialEq)]
pub struct Experiment {
    /// The word.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// Points along an edge.
    pub size: usize,
    set: &'static str,
    until: Option<u16>,
    training: usize,
    acquisition: Option<usize>,
    test_games: usize,
    test_examples: Option<usize>,
    test_player: Option<&'static str>,
    plies: Option<u32>,
    /// Moves asked for where speed is measured.
    pub most: usize,
    arms: &'static [(&'static str, &'static [(&'static str, &'static str)])],
    /// What the thesis found: what, and how much.
    pub thesis: &'static [(&'static str, &'static str)],
}

/// Games of the set enough for any number of examples.
const AS_MANY_AS_NEEDED: usize = usize::MAX;

const NINE: Experiment = Experiment {
    name: "9x9",
    help: "178 professional games on 9x9, tested on 58 others (section 4.3)",
    size: 9,
    set: "pro9",
    until: None,
    training: 178,
    acquisition: None,
    test_games: 58,
    test_examples: None,
    test_player: None,
    plies: None,
    most: 3,
    arms: &[("as the thesis", &[])],
    thesis: &[
        ("training examples", "8,263"),
        ("test examples", "2,683"),
        ("patterns gathered", "30,293"),
        ("patterns kept", "11,941"),
        ("accuracy, 20 guesses", "about 88 %"),
        ("moves ever proposed", "about 92 %"),
        ("mean place", "about 9"),
        ("GNU Go passed at", "3 guesses"),
        ("guesses a second (3 moves)", "380"),
        ("memory", "under 100 MB"),
    ],
};

/// All experiments of section 12 of the digest.
pub const EXPERIMENTS: [Experiment; 6] = [
    NINE,
    Experiment {
        name: "19x19",
        help: "274 title games on 19x19, patterns from 28 of them, tested on 18,698 examples (section 4.4)",
        size: 19,
        set: "pro19_seven_titles",
        until: Some(2008),
        training: 274,
        acquisition: Some(28),
        test_games: AS_MANY_AS_NEEDED,
        test_examples: Some(18_698),
        most: 20,
        thesis: &[
            ("test examples", "18,698"),
            ("patterns kept", "12,007"),
            ("moves ever proposed", "about 71 %"),
            ("mean place", "65.8"),
            ("GNU Go passed at", "5 guesses"),
            ("guesses a second (20 moves)", "17"),
            ("memory", "about 1 GB"),
        ],
        ..NINE
    },
    Experiment {
        name: "opening",
        help: "the first 30 moves of 1,265 title games, tested on games of Cho Chikun (section 4.5)",
        size: 19,
        set: "pro19_seven_titles",
        until: Some(2008),
        training: 1265,
        test_games: 568,
        test_player: Some("Cho Chikun"),
        plies: Some(30),
        most: 20,
        thesis: &[
            ("training examples", "37,950"),
            ("test examples", "35,130 (or 568 games)"),
            ("patterns kept", "13,892"),
            ("accuracy, 1 guess", "over 23 %"),
            ("accuracy, 2 guesses", "over 31 %"),
            ("moves ever proposed", "about 90 %"),
            ("mean place", "about 29.5"),
            ("GNU Go", "25 %"),
            ("GNU Go passed at", "2 guesses"),
            ("memory", "about 340 MB"),
        ],
        ..NINE
    },
    Experiment {
        name: "stages",
        help: "9x9 with and without stages of the game",
        arms: &[("with stages", &[]), ("without stages", &[("stages", "1")])],
        thesis: &[
            ("loss by stages, 20 guesses", "under 2.5 points"),
            ("time with stages", "about 1/6"),
        ],
        ..NINE
    },
    Experiment {
        name: "filtering",
        help: "9x9 with and without the filters of support and confidence",
        arms: &[
            ("with filters", &[]),
            ("without filters", &[("support", "0"), ("confidence", "0")]),
        ],
        thesis: &[
            ("patterns with filters", "11,941"),
            ("patterns without", "30,293"),
            ("gain without, 20 guesses", "0.7 points"),
            ("gain without, 37 guesses", "0.8 points"),
        ],
        ..NINE
    },
    Experiment {
        name: "k",
        help: "9x9: patterns of each size before and after filtering, and other ranges of k",
        arms: &[
            ("k from 4 to 9", &[]),
            ("k from 3 to 9", &[("k-min", "3")]),
            ("k from 2 to 9", &[("k-min", "2")]),
            ("k from 4 to 12", &[("k-max", "12")]),
            ("k from 4 to 6", &[("k-max", "6")]),
        ],
        thesis: &[("most patterns", "at k = 5, all of 4 to 9 survive")],
        ..NINE
    },
];

/// What can be set besides the settings of learning.
#[must_use]
pub fn options() -> Vec<Named> {
    let own = [
        ("training-games", "games to learn from (by the experiment)"),
        (
            "acquisition-games",
            "of these, games that patterns are gathered from (all; 28 for 19x19)",
        ),
        ("test-games", "games to test on (by the experiment)"),
        ("test-examples", "test on so many examples at most (18698 for 19x19)"),
        ("test-player", "test on games of this player, any for none (Cho Chikun for opening)"),
        ("plies", "learn and test on the first so many moves, 0 for all (30 for opening)"),
        ("draws", "draw games so many times, and tell mean and spread (1)"),
        (
            "set",
            "training games have this in their path, if any has (pro9, pro19_seven_titles); all for any",
        ),
        ("margin", "leave out games lost by more points, off for none (6.5)"),
        (
            "rank",
            "leave out games with a weaker player or one without a rank, off for none (off; 5k in the thesis's server games)",
        ),
        ("gnugo", "command of GNU Go, or off (gnugo --mode gtp --level 10 --seed 1)"),
        ("gnugo-examples", "positions that GNU Go is asked about (200)"),
        ("speed", "yes|no: measure guesses a second? (yes)"),
    ];
    let own = own.into_iter().map(|(key, help)| Named::new(key, help));
    Settings::options().into_iter().chain(own).collect()
}

impl Plan {
    /// What an order asks for.
    pub fn of(order: &RecordOrder) -> Result<Plan, TaskError> {
        let names = || EXPERIMENTS.iter().map(|e| e.name);
        let name = order.experiment.as_deref().unwrap_or(NINE.name);
        let experiment = EXPERIMENTS
            .iter()
            .find(|e| e.name == name)
            .ok_or_else(|| TaskError::unknown("experiment", name, names()))?;
        let mut settings = Settings::of_size(experiment.size);
        settings.plies = experiment.plies;
        let mut plan = Plan {
            experiment,
            arms: Vec::new(),
            training: experiment.training,
            acquisition: experiment.acquisition.unwrap_or(usize::MAX),
            test_games: experiment.test_games,
            test_examples: experiment.test_examples,
            test_player: experiment.test_player.map(str::to_string),
            draws: 1,
            set: experiment.set.to_string(),
            filter: Filter {
                until: order.until.or(experiment.until),
                from: order.from,
                margin: Some(6.5),
                ..Filter::of_size(experiment.size)
            },
            gnugo: Some(gnugo::COMMAND.to_string()),
            gnugo_examples: 200,
            speed: true,
        };
        for (key, value) in &order.options {
            plan.set(&mut settings, key, value)?;
        }
        settings.check()?;
        for (name, changes) in experiment.arms {
            let mut settings = settings.clone();
            for (key, value) in *changes {
                settings.set(key, value)?;
            }
            settings.check()?;
            plan.arms.push(Arm { name: (*name).to_string(), settings });
        }
        Ok(plan)
    }

    fn set(&mut self, settings: &mut Settings, key: &str, value: &str) -> Result<(), TaskError> {
        let many = 1..=100_000_000;
        match key {
            "training-games" => self.training = number(key, value, many)?,
            "acquisition-games" => self.acquisition = number(key, value, many)?,
            "test-games" => self.test_games = number(key, value, many)?,
            "test-examples" => self.test_examples = Some(number(key, value, many)?),
            "test-player" => self.test_player = (value != "any").then(|| value.to_string()),
            "plies" => {
                settings.plies = Some(number(key, value, 0..=10_000)?).filter(|&plies| plies > 0);
            }
            "draws" => self.draws = number(key, value, 1..=1000)?,
            "set" => self.set = if value == "all" { String::new() } else { value.to_string() },
            "margin" if value == "off" => self.filter.margin = None,
            "margin" => self.filter.margin = Some(number(key, value, 0.0..=1000.0)?),
            "rank" if value == "off" => self.filter.rank = None,
            "rank" => {
                let rank = Rank::read(value);
                self.filter.rank =
                    Some(rank.ok_or_else(|| bad(key, value, "a rank as in 5k, 3d or 9p"))?);
            }
            "gnugo" if value == "off" => self.gnugo = None,
            "gnugo" => self.gnugo = Some(value.to_string()),
            "gnugo-examples" => self.gnugo_examples = number(key, value, 1..=1_000_000)?,
            "speed" => self.speed = yes(key, value)?,
            _ => {
                if !settings.set(key, value)? {
                    let known = options();
                    let known = known.iter().map(|o| o.name.as_str());
                    return Err(TaskError::unknown("option", key, known));
                }
            }
        }
        Ok(())
    }

    /// Names and values of all that changes the result, for the file of a run.
    #[must_use]
    pub fn list(&self) -> Vec<(String, String)> {
        let limit = |n: usize| if n == usize::MAX { "all".to_string() } else { n.to_string() };
        let first = &self.arms[0].settings;
        let mut list: Vec<(String, String)> =
            first.list().into_iter().map(|(key, value)| (key.to_string(), value)).collect();
        let own = [
            ("method", "knn".to_string()),
            ("experiment", self.experiment.name.to_string()),
            ("training-games", self.training.to_string()),
            ("acquisition-games", limit(self.acquisition)),
            ("test-games", limit(self.test_games)),
            ("test-examples", limit(self.test_examples.unwrap_or(usize::MAX))),
            ("test-player", self.test_player.clone().unwrap_or("any".into())),
            ("plies", first.plies.unwrap_or(0).to_string()),
            ("draws", self.draws.to_string()),
            ("set", if self.set.is_empty() { "all".into() } else { self.set.clone() }),
            ("margin", self.filter.margin.map_or("off".into(), |m| m.to_string())),
            ("rank", self.filter.rank.map_or("off".into(), |r| format!("{r:?}"))),
            ("gnugo", self.gnugo.clone().unwrap_or("off".into())),
            ("gnugo-examples", self.gnugo_examples.to_string()),
        ];
        list.extend(own.into_iter().map(|(key, value)| (key.to_string(), value)));
        let years = [("from", self.filter.from), ("until", self.filter.until)];
        list.extend(
            years.into_iter().filter_map(|(key, y)| Some((key.to_string(), y?.to_string()))),
        );
        list
    }
}

/// The games of one draw.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    /// Games to learn from; patterns are gathered from the first of them.
    pub training: Vec<&'a GoRecord>,
    /// Games to test on.
    pub tests: Vec<TestGame<'a>>,
}

/// The games that training games are drawn from, and those that test games are.
#[derive(Clone, Debug)]
pub struct Pools {
    training: Vec<usize>,
    /// `None` where tests are drawn from the same.
    tests: Option<Vec<usize>>,
    /// What was taken, in words.
    pub told: String,
}

impl Pools {
    /// Picks the games of an experiment out of what was read.
    pub fn of(plan: &Plan, corpus: &Corpus) -> Result<Pools, TaskError> {
        let named = |i: &usize| corpus.games[*i].name.contains(&plan.set);
        let mut training: Vec<usize> = (0..corpus.games.len()).filter(named).collect();
        let whole = training.is_empty();
        if whole {
            training = (0..corpus.games.len()).collect();
        }
        let of = match (whole, plan.set.is_empty()) {
            (true, _) => format!("all games (none is of '{}')", plan.set),
            (false, true) => "all games".to_string(),
            (false, false) => format!("games of '{}'", plan.set),
        };
        let mut told = format!("{} {of}", training.len());
        let tests = plan.test_player.as_ref().map(|player| -> Vec<usize> {
            let wanted = player.to_lowercase();
            let plays = |i: &usize| {
                corpus.games[*i].players.iter().any(|p| p.to_lowercase().contains(&wanted))
            };
            (0..corpus.games.len()).filter(plays).collect()
        });
        if let (Some(tests), Some(player)) = (&tests, &plan.test_player) {
            told.push_str(&format!(", {} with {player} to test on", tests.len()));
            if tests.is_empty() {
                return Err(TaskError::Unfit(format!(
                    "no game is left to test on: none is played by '{player}' \
                     (--set test-player=any takes all)"
                )));
            }
        }
        if training.len() < 2 {
            return Err(TaskError::Unfit(format!(
                "one game is not enough to learn from and to test on: there is {told}"
            )));
        }
        Ok(Pools { training, tests, told })
    }

    /// Draws the games of an experiment by seed.
    pub fn draw<'a>(
        &self,
        plan: &Plan,
        corpus: &'a Corpus,
        seed: u64,
        draw: u64,
    ) -> Result<Draw<'a>, TaskError> {
        let mut pool = self.training.clone();
        shuffle(&mut pool, seed, 2 * draw);
        let mut wanted = plan.training;
        // Where there are too few, the parts keep their proportion.
        let test_games = match plan.test_games {
            AS_MANY_AS_NEEDED => plan.training / 3,
            games => games,
        };
        let parts = if self.tests.is_none() { wanted + test_games } else { wanted + 1 };
        if pool.len() < parts {
            let share = wanted as f64 / (wanted + test_games) as f64;
            wanted = ((pool.len() as f64 * share) as usize).clamp(1, pool.len() - 1);
            if let Some(others) = &self.tests {
                // Games that can be tested on are learned from last.
                pool.sort_by_key(|i| others.binary_search(i).is_ok());
            }
        }
        wanted = wanted.min(pool.len());
        let (training, rest) = pool.split_at(wanted);
        let mut tests: Vec<usize> = match &self.tests {
            None => rest.to_vec(),
            Some(others) => {
                let mut taken = training.to_vec();
                taken.sort_unstable();
                let mut left: Vec<usize> =
                    others.iter().copied().filter(|i| taken.binary_search(i).is_err()).collect();
                shuffle(&mut left, seed, 2 * draw + 1);
                left
            }
        };
        tests.truncate(plan.test_games);
        let (mut left, mut chosen) = (plan.test_examples.unwrap_or(usize::MAX), Vec::new());
        for i in tests {
            let game = &corpus.games[i];
            let examples = count_examples(game, plan.arms[0].settings.plies).min(left);
            left -= examples;
            if examples > 0 {
                chosen.push(TestGame { game, examples });
            }
        }
        if chosen.is_empty() {
            return Err(TaskError::Unfit("no game is left to test on".into()));
        }
        Ok(Draw { training: training.iter().map(|&i| &corpus.games[i]).collect(), tests: chosen })
    }
}

fn shuffle(items: &mut [usize], seed: u64, stream: u64) {
    let mut rng = rng(seed, stream);
    for i in (1..items.len()).rev() {
        items.swap(i, rng.random_range(0..=i));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knn::tests::random_game;

    fn order(experiment: &str, options: &[(&str, &str)]) -> RecordOrder {
        RecordOrder {
            experiment: Some(experiment.to_string()),
            options: options.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
            ..RecordOrder::default()
        }
    }

    fn corpus(games: u64) -> Corpus {
        let named = |i| {
            let mut game = random_game(9, 20, i);
            game.name = format!("x/pro9/{i}.sgf");
            game
        };
        let games = (0..games).map(named).collect();
        Corpus { games, ..Corpus::default() }
    }

    #[test]
    fn every_experiment_makes_a_plan_and_every_option_is_known() {
        for experiment in &EXPERIMENTS {
            let plan = Plan::of(&order(experiment.name, &[])).unwrap();
            assert_eq!(plan.arms.len(), experiment.arms.len());
            assert!(!experiment.thesis.is_empty());
            for (key, _) in plan.list() {
                let known = options().iter().any(|o| o.name == key);
                let asked = ["method", "experiment", "from", "until"].contains(&key.as_str());
                assert!(known || asked, "{key}");
            }
        }
        assert!(Plan::of(&order("13x13", &[])).is_err());
        for (key, value) in [("draws", "0"), ("rank", "strong"), ("margin", "-1"), ("luck", "1")] {
            assert!(Plan::of(&order("9x9", &[(key, value)])).is_err(), "{key}");
        }
    }

    #[test]
    fn draws_are_seeded_and_no_game_is_both_learned_from_and_tested_on() {
        let corpus = corpus(30);
        let plan =
            Plan::of(&order("9x9", &[("training-games", "20"), ("test-games", "7")])).unwrap();
        let pools = Pools::of(&plan, &corpus).unwrap();
        let names = |seed, draw| {
            let draw = pools.draw(&plan, &corpus, seed, draw).unwrap();
            let training: Vec<String> = draw.training.iter().map(|g| g.name.clone()).collect();
            let tests: Vec<String> = draw.tests.iter().map(|t| t.game.name.clone()).collect();
            (training, tests)
        };
        let (training, tests) = names(1, 0);
        assert_eq!((training.len(), tests.len()), (20, 7));
        assert!(tests.iter().all(|name| !training.contains(name)));
        assert_eq!(names(1, 0), (training.clone(), tests));
        assert_ne!(names(2, 0).0, training);
        assert_ne!(names(1, 1).0, training);
    }

    #[test]
    fn too_few_games_are_divided_in_proportion_and_one_is_refused() {
        let plan = Plan::of(&order("9x9", &[])).unwrap();
        let some = corpus(8);
        let draw = Pools::of(&plan, &some).unwrap().draw(&plan, &some, 1, 0).unwrap();
        assert_eq!((draw.training.len(), draw.tests.len()), (6, 2));
        assert!(Pools::of(&plan, &corpus(1)).is_err());
        let opening = Plan::of(&order("opening", &[])).unwrap();
        assert!(Pools::of(&opening, &corpus(9)).unwrap_err().to_string().contains("Cho Chikun"));
        let mut some = corpus(9);
        some.games.iter_mut().for_each(|game| game.players[1] = "Cho Chikun".to_string());
        let draw = Pools::of(&opening, &some).unwrap().draw(&opening, &some, 1, 0).unwrap();
        assert_eq!((draw.training.len(), draw.tests.len()), (6, 3));
    }

    #[test]
    fn test_examples_are_cut_to_the_number_asked_for() {
        let corpus = corpus(30);
        let plan =
            Plan::of(&order("9x9", &[("training-games", "5"), ("test-examples", "50")])).unwrap();
        let draw = Pools::of(&plan, &corpus).unwrap().draw(&plan, &corpus, 1, 0).unwrap();
        assert_eq!(draw.tests.iter().map(|t| t.examples).sum::<usize>(), 50);
    }
}

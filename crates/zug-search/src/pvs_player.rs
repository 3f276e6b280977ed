//! The alpha-beta search as a player.

use crate::Defaults;
use crate::parameters::{MAX_HASH_MIB, MAX_THREADS, Options};
use crate::players::{
    BadOption, Configure, OwnLimits, line_of, parse_number, parse_switch, write_line,
};
use crate::pvs::Pvs;
use std::path::Path;
use std::sync::Arc;
use zug_core::{
    AnyLine, Choice, Game, Guide, Info, Limits, Oracle, Player, PlayerError, PlayerKind, Score,
    Spec, TextError, Watch,
};

struct PvsPlayer<G: Game, V: Guide<G>> {
    name: String,
    search: Pvs<G, V>,
    own: OwnLimits,
}

impl<G: Game, V: Guide<G>> Configure for PvsPlayer<G, V> {
    const NAMES: &'static [&'static str] = &[
        "depth",
        "nodes",
        "movetime",
        "threads",
        "hash",
        "seed",
        "noise",
        "tt",
        "null",
        "lmr",
        "futility",
        "quiesce",
        "extend",
        "aspiration",
        "history",
    ];

    fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        let mut options = self.search.options().clone();
        let switch = || parse_switch(name, value);
        match name {
            "threads" => options.threads = parse_number(name, value, 1..=MAX_THREADS)?,
            "hash" => options.hash = parse_number(name, value, 1..=MAX_HASH_MIB)?,
            "seed" => options.seed = parse_number(name, value, 0..=u64::MAX)?,
            "noise" => options.noise = parse_number(name, value, 0..=Score::MAX_ESTIMATE)?,
            "tt" => options.table = switch()?,
            "null" => options.null_move = switch()?,
            "lmr" => options.reductions = switch()?,
            "futility" => options.futility = switch()?,
            "quiesce" => options.quiescence = switch()?,
            "extend" => options.extensions = switch()?,
            "aspiration" => options.aspiration = switch()?,
            "history" => options.history = switch()?,
            _ => return self.own.set(name, value),
        }
        self.search.set_options(options);
        Ok(())
    }
}

impl<G: Game, V: Guide<G> + 'static> Player for PvsPlayer<G, V> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, line: &dyn AnyLine) -> Result<(), PlayerError> {
        line_of::<G>(line)?;
        self.search.clear();
        Ok(())
    }

    fn pace(&self) -> Option<u64> {
        let options = self.search.options();
        (options.threads == 1 && options.noise == 0).then_some(PACE)
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let line = line_of::<G>(line)?;
        let found = self.search.search(line, &self.own.over(limits), watch)?;
        let chosen = found.lines.iter().find(|l| l.moves[0] == found.best);
        let moves = chosen.map_or(std::slice::from_ref(&found.best), |l| &l.moves);
        let texts = write_line(line, moves);
        Ok(Choice {
            mv: texts[0].clone(),
            resigns: false,
            expects: texts.get(1).cloned(),
            info: Some(Info {
                rank: 1,
                depth: found.depth,
                deepest: found.deepest,
                score: Some(found.score),
                proven: found.complete || found.score.is_proven(),
                nodes: found.nodes,
                elapsed: found.elapsed,
                line: texts,
                ..Info::default()
            }),
        })
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        let player = self.name.clone();
        self.set_running(&player, name, value)
    }
}

/// Positions a second with one thread on a usual machine, whatever the game.
const PACE: u64 = 1_000_000;

const HELP: &str = "alpha-beta search: depth=N, nodes=N, movetime=T, threads=N, hash=MiB, noise=N \
                    (hundredths), seed=N; on or off: tt, null, lmr, futility, quiesce, extend, \
                    aspiration, history";

/// Opens exact knowledge of some positions by the folder where it lies; the error says why not.
pub type OpenOracle<G> = Arc<dyn Fn(&Path) -> Result<Arc<dyn Oracle<G>>, String> + Send + Sync>;

/// The alpha-beta player under a name (`zug`, `pvs`).
pub fn pvs_player<G: Game, V: Guide<G> + 'static>(
    name: &'static str,
    _: &G,
    guide: Arc<V>,
    defaults: Defaults,
) -> PlayerKind {
    let make = move |spec: &Spec| -> Result<Box<dyn Player>, TextError> {
        Ok(Box::new(make::<G, V>(spec, spec, guide.clone(), defaults)?))
    };
    PlayerKind { name, help: HELP.to_string(), make: Box::new(make) }
}

/// The same with the option `db`, which names a folder of exact knowledge.
pub fn pvs_player_with_oracle<G: Game, V: Guide<G> + 'static>(
    name: &'static str,
    _: &G,
    guide: Arc<V>,
    defaults: Defaults,
    open: OpenOracle<G>,
) -> PlayerKind {
    let make = move |spec: &Spec| -> Result<Box<dyn Player>, TextError> {
        let mut rest = spec.clone();
        rest.options.retain(|(key, _)| key != "db");
        let mut player = make::<G, V>(spec, &rest, guide.clone(), defaults)?;
        if let Some(folder) = spec.get("db") {
            // The whole of it: the end of a message names the fault, and it is our own.
            let oracle = open(Path::new(folder)).map_err(|why| {
                let expected = "a database of this game for 'db'".to_string();
                TextError { line: None, byte: spec.name.len() + 1, expected, found: why }
            })?;
            player.search = player.search.with_oracle(oracle);
        }
        Ok(Box::new(player))
    };
    let help = format!("{HELP}; db=DIR (values from a solved database)");
    PlayerKind { name, help, make: Box::new(make) }
}

/// Finds the guide that a spec asks for; the error names the option.
pub type ChooseGuide<V> = Box<dyn Fn(&Spec) -> Result<Arc<V>, TextError> + Send + Sync>;

/// The same with further options, named in `own`, that choose the guide (a model, say).
pub fn pvs_player_with_guides<G: Game, V: Guide<G> + 'static>(
    name: &'static str,
    _: &G,
    choose: ChooseGuide<V>,
    own: &'static [&'static str],
    own_help: &str,
    defaults: Defaults,
) -> PlayerKind {
    let make = move |spec: &Spec| -> Result<Box<dyn Player>, TextError> {
        let mut rest = spec.clone();
        rest.options.retain(|(key, _)| !own.contains(&key.as_str()));
        let known: Vec<&str> = PvsPlayer::<G, V>::NAMES.iter().chain(own).copied().collect();
        spec.only(&known)?;
        Ok(Box::new(make::<G, V>(spec, &rest, choose(spec)?, defaults)?))
    };
    PlayerKind { name, help: format!("{HELP}; {own_help}"), make: Box::new(make) }
}

fn make<G: Game, V: Guide<G> + 'static>(
    spec: &Spec,
    options: &Spec,
    guide: Arc<V>,
    defaults: Defaults,
) -> Result<PvsPlayer<G, V>, TextError> {
    let plain = Options { moves_in_game: defaults.moves_in_game, ..Options::default() };
    let search = Pvs::<G, V>::new(guide, plain);
    let mut player = PvsPlayer { name: spec.to_string(), search, own: OwnLimits::default() };
    player.set_all(options)?;
    Ok(player)
}

//! The search as a player: options, when to pass, when to give up.

use super::asked;
use super::options::EngineOptions;
use super::search::{Found, Search};
use super::shipped::{LOCALITY, local_policy, playout_weights};
use super::walk::Style;
use crate::game::Go;
use crate::models;
use crate::point::Move;
use crate::policy::{Policy, Uniform};
use crate::score;
use std::sync::{Arc, LazyLock};
use zug_core::{
    AnyLine, Choice, Game, Limits, Line, Player, PlayerError, PlayerKind, Scale, Spec, TextError,
    Watch,
};
use zug_search::players::{BadOption, Configure, OwnLimits, line_of, parse_number, parse_switch};
use zug_search::{MAX_HASH_MIB, MAX_THREADS};

/// So many moves in a row must look lost before the player gives up.
const PATIENCE: u32 = 3;
/// A pass that is worth at most so much less than the best move is played where it wins.
const PASS_LOSS: f64 = 0.02;

/// A search that was set up by a spec.
pub(crate) struct Configured {
    pub search: Search,
    pub own: OwnLimits,
    size: usize,
}

struct GoPlayer {
    name: String,
    setup: Configured,
    /// Moves in a row that looked lost.
    lost: u32,
}

impl Configure for Configured {
    const NAMES: &'static [&'static str] = &[
        "playouts",
        "nodes",
        "depth",
        "movetime",
        "threads",
        "hash",
        "seed",
        "c",
        "rave",
        "reserve",
        "expand",
        "sharpness",
        "temperature",
        "locality",
        "margin",
        "style",
        "reuse",
        "resign",
        "model",
        "patterns",
    ];

    fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        let mut options = self.search.options().clone();
        match name {
            "threads" => options.threads = parse_number(name, value, 1..=MAX_THREADS)?,
            "hash" => options.hash = parse_number(name, value, 1..=MAX_HASH_MIB)?,
            "seed" => options.seed = parse_number(name, value, 0..=u64::MAX)?,
            "c" => options.selection.exploration = parse_number(name, value, 0.0..=100.0)?,
            "rave" => options.selection.rave = parse_number(name, value, 0.0..=1e9)?,
            "reserve" => options.selection.reserve = parse_number(name, value, -1.0..=1.0)?,
            "expand" => options.expand = parse_number(name, value, 1..=1_000_000)?,
            "sharpness" => options.sharpness = parse_number(name, value, 0.0..=10.0)?,
            "temperature" | "locality" => {
                let number = parse_number(name, value, 0.1..=100.0)?;
                match name {
                    "temperature" => options.temperature = number,
                    _ => options.locality = number,
                }
                let weights = playout_weights(self.size, options.temperature, options.locality);
                self.search.set_weights(weights);
            }
            "model" => {
                let policy = open_policy(self.size, value);
                let policy = policy.map_err(|e| BadOption::new(name, value, e))?;
                options.expand = usual_expansion(&*policy);
                self.search.set_policy(policy);
            }
            "patterns" => {
                if parse_switch(name, value)? {
                    options.style = Style::Mixed;
                    let policy = usual_policy(self.size);
                    options.expand = usual_expansion(&*policy);
                    self.search.set_policy(policy);
                } else {
                    options.style = Style::Heavy;
                    options.expand = usual_expansion(&Uniform);
                    self.search.set_policy(Arc::new(Uniform));
                }
            }
            "margin" => options.margin = parse_number(name, value, 0.0..=1.0)?,
            "style" => {
                options.style = match value {
                    "mixed" => Style::Mixed,
                    "learned" => Style::Learned,
                    "heavy" => Style::Heavy,
                    _ => return Err(BadOption::new(name, value, "mixed, learned or heavy")),
                }
            }
            "reuse" => options.reuse = parse_switch(name, value)?,
            "resign" if value == "off" => options.resign = 0.0,
            "resign" => options.resign = parse_number(name, value, 0.0..=1.0)?,
            _ => return self.own.set(name, value),
        }
        self.search.set_options(options);
        Ok(())
    }
}

/// Points that playouts of one thread fill in a second on a usual machine.
const POINTS_A_SECOND: u64 = 2_000_000;

impl Player for GoPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, line: &dyn AnyLine) -> Result<(), PlayerError> {
        line_of::<Go>(line)?;
        self.setup.search.clear();
        self.lost = 0;
        Ok(())
    }

    fn pace(&self) -> Option<u64> {
        // A playout visits every point of the board.
        let points = (self.setup.size as u64).pow(2).max(1);
        (self.setup.search.options().threads == 1).then_some(POINTS_A_SECOND / points)
    }

    fn scale(&self) -> Option<Scale> {
        Some(Scale::Percent)
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let line = line_of::<Go>(line)?;
        let limits = self.setup.own.over(limits);
        let found = self.setup.search.search(line, &limits, watch)?;
        let pick = if limits.only.is_empty() { sensible(line, &found) } else { 0 };
        let mut infos = found.infos(line, pick + 1, pick + 1);
        let info = infos.pop();
        let win_rate = found.moves[pick].win_rate;
        Ok(Choice {
            mv: line.game().write_move(line.position(), found.moves[pick].line[0]),
            resigns: self.gives_up(line, win_rate),
            expects: info.as_ref().and_then(|i| i.line.get(1).cloned()),
            info,
        })
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        let player = self.name.clone();
        self.setup.set_running(&player, name, value)
    }
}

impl GoPlayer {
    /// Not in the opening, and not because of one bad move.
    fn gives_up(&mut self, line: &Line<Go>, win_rate: f64) -> bool {
        let size = line.game().rules().size() as u32;
        let late = line.position().moves_played() > size * size / 5;
        let lost = late && win_rate < self.setup.search.options().resign;
        self.lost = if lost { self.lost + 1 } else { 0 };
        self.lost >= PATIENCE
    }
}

/// Where in the list is the move to play? Usually first. A pass is played instead where the board as
/// it lies is won and the search found nothing against it: nobody likes an opponent who fills the
/// last neutral point.
fn sensible(line: &Line<Go>, found: &Found) -> usize {
    let lead = score::lead(line.position().board(), line.game().rules());
    let ahead = if line.to_move().index() == 0 { lead > 0.0 } else { lead < 0.0 };
    let pass = found.moves.iter().position(|m| m.line[0] == Move::Pass);
    match pass {
        Some(pass) if ahead => {
            let (best, other) = (&found.moves[0], &found.moves[pass]);
            let known = other.visits * 20 >= best.visits;
            if known && other.win_rate + PASS_LOSS >= best.win_rate { pass } else { 0 }
        }
        _ => 0,
    }
}

/// The model that comes with the program, opened once: players are made anew for every game.
static SHIPPED: LazyLock<Option<Arc<dyn Policy>>> =
    LazyLock::new(|| models::open(None).ok().map(Arc::from));

/// The policy that is asked when nobody says which: the shipped model where it knows the board.
fn usual_policy(size: usize) -> Arc<dyn Policy> {
    match &*SHIPPED {
        Some(policy) if policy.knows_size(size) => Arc::clone(policy),
        _ => local_policy(size),
    }
}

/// How often a move is met before its answers are looked at: seldom where that takes as long as
/// several playouts.
fn usual_expansion(policy: &dyn Policy) -> u32 {
    if ["local", "uniform"].contains(&policy.name().as_str()) { 2 } else { 8 }
}

/// A policy by its name or file; the error says what could have been.
pub(crate) fn open_policy(size: usize, name: &str) -> Result<Arc<dyn Policy>, String> {
    match name {
        "local" => return Ok(local_policy(size)),
        "none" => return Ok(Arc::new(Uniform)),
        // A search that asks a search at each of its nodes would never end.
        _ if name.split(':').next() == Some(asked::NAME) => {
            return Err("local, none or a model".to_string());
        }
        _ => {}
    }
    let policy: Arc<dyn Policy> = match models::SHIPPED.first() {
        Some(first) if first.name == name => match &*SHIPPED {
            Some(policy) => Arc::clone(policy),
            None => return Err("local or none".to_string()),
        },
        _ => models::open(Some(name))
            .map(Arc::from)
            .map_err(|e| format!("local, none or a model ({e})"))?,
    };
    models::check_size(&*policy, size).map_err(|e| format!("a model for this board ({e})"))?;
    Ok(policy)
}

/// The search that a spec describes.
pub(crate) fn configured(spec: &Spec, size: usize) -> Result<Configured, TextError> {
    let (policy, weights) = (usual_policy(size), playout_weights(size, 1.0, LOCALITY));
    let expand = usual_expansion(&*policy);
    let options = EngineOptions { expand, ..EngineOptions::for_size(size) };
    let search = Search::new(options, policy, weights);
    let mut setup = Configured { search, own: OwnLimits::default(), size };
    setup.set_all(spec)?;
    // A model brings its own usual figure; what was asked for comes before it.
    if let Some(expand) = spec.get("expand") {
        setup.set("expand", expand).map_err(|bad| bad.in_spec(spec))?;
    }
    Ok(setup)
}

/// The Go player under a name.
#[must_use]
pub fn go_player(name: &'static str, game: &Go) -> PlayerKind {
    let size = game.rules().size();
    let make = move |spec: &Spec| -> Result<Box<dyn Player>, TextError> {
        let setup = configured(spec, size)?;
        Ok(Box::new(GoPlayer { name: spec.to_string(), setup, lost: 0 }))
    };
    let help = "Monte-Carlo tree search with learned patterns: playouts=N, movetime=T, threads=N, \
                hash=MiB, model=NAME|FILE|local|none (who knows likely moves), \
                patterns=on|off (all that was learned), style=mixed|learned|heavy (playouts), c=X (attention to likely moves), rave=N \
                (0 for none), expand=N (visits before a move's answers are looked at), \
                reuse=on|off, resign=X|off (share of wins), seed=N";
    PlayerKind { name, help: help.to_string(), make: Box::new(make) }
}

//! How the command line looks positions up.

use super::answer::answer;
use super::index::{self, Index};
use super::library::Shelf;
use super::query::Query;
use crate::corpus::{Corpus, CorpusError, Filter};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use zug_core::{Progress, Record, StopFlag};
use zug_learn::explore::{AnyExplorer, ExploreOrder, IndexOrder, the_index};
use zug_learn::face::{Account, TaskError};

/// Go's side of `zug explore`.
#[derive(Clone, Copy, Debug)]
pub struct GoExplorer {
    /// The board of a list of moves.
    pub size: usize,
}

impl AnyExplorer for GoExplorer {
    fn explore(
        &self,
        order: &ExploreOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        if !order.names.is_empty() {
            let what = "games of Go are looked up without names of openings";
            return Err(TaskError::Unfit(what.to_string()));
        }
        let query = Query::read(&order.query, self.size, &order.part, order.exchange)
            .map_err(TaskError::Unfit)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(order.threads.max(1))
            .build()
            .map_err(TaskError::below)?;
        let began = Instant::now();
        if let Some(path) = the_index(&order.data) {
            let index = Index::open(path)?;
            return pool.install(|| answer(&index, &query, order, began));
        }
        let size = Some(query.size());
        let filter = Filter { size, ..filter(order.span.from, order.span.until)? };
        let corpus = read(&order.data, &filter, progress, stop)?;
        let shelf = Shelf::new(corpus.games);
        let mut account = pool.install(|| answer(&shelf, &query, order, began))?;
        account.text.push_str(
            "An index answers at once: zug explore GAME --data FILES --build index.zug\n",
        );
        Ok(account)
    }

    fn index(
        &self,
        order: &IndexOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        if let Some(path) = the_index(&order.data) {
            let path = path.display();
            return Err(TaskError::Unfit(format!("{path}: this is an index; expected records")));
        }
        if !order.names.is_empty() {
            let what = "an index of Go holds no names of openings";
            return Err(TaskError::Unfit(what.to_string()));
        }
        let began = Instant::now();
        let filter = Filter { size: order.size, ..filter(order.span.from, order.span.until)? };
        let corpus = read(&order.data, &filter, progress, stop)?;
        let digest = corpus.digest();
        let (files, skipped) = (corpus.files, corpus.skipped);
        let shelf = Shelf::new(corpus.games);
        let listed = index::write(&shelf, &order.out, &order.command, digest, progress, stop)?;
        let bytes = std::fs::metadata(&order.out).map_or(0, |m| m.len());
        let games = shelf.games().len();
        let plies: usize = shelf.games().iter().map(|g| g.codes().len()).sum();
        let seconds = began.elapsed().as_secs_f64();
        let reasons: Map<String, Value> =
            skipped.reasons.iter().map(|(why, n)| ((*why).to_string(), json!(n))).collect();
        let mut figures = Map::new();
        for (key, value) in [
            ("games", json!(games)),
            ("files", json!(files)),
            ("moves", json!(plies)),
            ("positions_listed", json!(listed[0])),
            ("corners_listed", json!(listed[1])),
            ("bytes", json!(bytes)),
            ("seconds", json!(seconds)),
            ("skipped", Value::Object(reasons)),
        ] {
            figures.insert(key.to_string(), value);
        }
        let passed = match skipped.count() {
            0 => String::new(),
            _ => format!("passed over: {skipped}\n"),
        };
        let text = format!(
            "{games} games with {plies} moves from {files} files\n{passed}{:.1} MB; {} positions and {} \
             corners listed; {seconds:.1} s\n",
            bytes as f64 / 1e6,
            listed[0],
            listed[1]
        );
        Ok(Account { text, figures, page: String::new() })
    }

    fn game(&self, index: &Path, number: u32) -> Result<Record, TaskError> {
        Index::open(index)?.record(number)
    }

    fn spans_variants(&self) -> bool {
        true
    }
}

fn filter(from: Option<u16>, until: Option<u16>) -> Result<Filter, TaskError> {
    match (from, until) {
        (Some(from), Some(until)) if from > until => {
            Err(TaskError::Unfit(format!("no year lies from {from} until {until}")))
        }
        _ => Ok(Filter { from, until, ..Filter::default() }),
    }
}

/// The games, named without the folders above what was asked for.
fn read(
    data: &[PathBuf],
    filter: &Filter,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Corpus, TaskError> {
    let mut corpus = Corpus::read(data, filter, progress, stop).map_err(|e| match e {
        CorpusError::Stopped => TaskError::Stopped { resumable: false },
        e => TaskError::below(e),
    })?;
    let above: Vec<String> = data
        .iter()
        .filter_map(|path| path.parent())
        .filter(|folder| !folder.as_os_str().is_empty())
        .map(|folder| format!("{}/", folder.display().to_string().trim_end_matches('/')))
        .collect();
    for game in &mut corpus.games {
        if let Some(prefix) = above.iter().find(|prefix| game.name.starts_with(*prefix)) {
            game.name.drain(..prefix.len());
        }
    }
    Ok(corpus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Silent;
    use zug_learn::explore::{Part, Span};

    #[test]
    fn an_index_and_its_records_give_the_same_answer() {
        let dir = tempfile::tempdir().unwrap();
        let games = dir.path().join("games");
        std::fs::create_dir(&games).unwrap();
        for (name, text) in [
            ("a.sgf", "(;SZ[9]DT[1999]PB[A]PW[B]RE[B+R];B[ee];W[cc];B[gg];W[cg])"),
            ("b.sgf", "(;SZ[9]DT[2003]PB[C]PW[D]RE[W+R];B[ee];W[gg];B[cd];W[gc])"),
            ("bad.sgf", "(;SZ[9];B[ee];W[ee])"),
        ] {
            std::fs::write(games.join(name), text).unwrap();
        }
        let out = dir.path().join("index.zug");
        let explorer = GoExplorer { size: 9 };
        let (silent, stop) = (&Silent, &StopFlag::new());
        let build =
            IndexOrder { data: vec![games.clone()], out: out.clone(), ..IndexOrder::default() };
        let built = explorer.index(&build, silent, stop).unwrap();
        assert_eq!(built.figures["games"], 2);
        assert_eq!(built.figures["skipped"]["illegal-occupied"], 1);
        let ask = |data: &Path, query: &str| {
            let order = ExploreOrder {
                data: vec![data.to_path_buf()],
                query: query.into(),
                top: 10,
                games: 10,
                depth: 3,
                ..ExploreOrder::default()
            };
            explorer.explore(&order, silent, stop)
        };
        for query in ["start", "E5", "E5 C3"] {
            let (mut a, mut b) = (ask(&games, query).unwrap(), ask(&out, query).unwrap());
            for key in ["milliseconds", "source"] {
                a.figures.remove(key);
                b.figures.remove(key);
            }
            b.figures.values_mut().for_each(without_numbers);
            assert_eq!(a.figures, b.figures);
            assert_eq!(b.figures["games"][0]["file"], "games/b.sgf");
        }
        assert!(ask(&out, "K10").is_err());
        let other = GoExplorer { size: 13 };
        let order = ExploreOrder { data: vec![out.clone()], ..ExploreOrder::default() };
        let said = other.explore(&order, silent, stop).unwrap_err().to_string();
        assert!(said.contains("13×13"), "{said}");
        std::fs::write(&out, b"nonsense").unwrap();
        assert!(ask(&out, "start").unwrap_err().to_string().contains("no Zug file"));
    }

    /// Players by part of the board, in an index and in the records themselves.
    #[test]
    fn players_are_heeded_in_all_parts_of_the_board() {
        let dir = tempfile::tempdir().unwrap();
        let games = dir.path().join("games");
        std::fs::create_dir(&games).unwrap();
        for (name, text) in [
            ("a.sgf", "(;SZ[9]DT[1999]PB[Ann Lee]PW[Bob]RE[B+R];B[gc];W[cc];B[gg];W[cg])"),
            ("b.sgf", "(;SZ[9]DT[2003]PB[Cid]PW[LEE, Ann]RE[W+R];B[cg];W[gg];B[cd];W[gc])"),
            ("c.sgf", "(;SZ[9]DT[2004]PB[Ann Other]PW[Bob Lee];B[cc];W[ee];B[gc])"),
            ("d.sgf", "(;SZ[9]DT[2005];B[cc];W[gg];B[ee])"),
            ("e.sgf", "(;SZ[5]PB[Ann Lee];B[cc];W[cb])"),
        ] {
            std::fs::write(games.join(name), text).unwrap();
        }
        let out = dir.path().join("index.zug");
        let explorer = GoExplorer { size: 9 };
        let (silent, stop) = (&Silent, &StopFlag::new());
        let build =
            IndexOrder { data: vec![games.clone()], out: out.clone(), ..IndexOrder::default() };
        assert_eq!(explorer.index(&build, silent, stop).unwrap().figures["games"], 5);
        let ask = |data: &Path, part: &Part, player: &str, from: Option<u16>| {
            let order = ExploreOrder {
                data: vec![data.to_path_buf()],
                query: "G7".into(),
                part: part.clone(),
                span: Span { from, until: None },
                player: Some(player.into()),
                top: 10,
                games: 10,
                depth: 3,
                ..ExploreOrder::default()
            };
            let mut told = explorer.explore(&order, silent, stop).unwrap().figures;
            told.retain(|key, _| key != "milliseconds" && key != "source");
            told
        };
        for part in [Part::Whole, Part::Corner(None), Part::Region("E5:J9".into())] {
            for (player, from, searched, found) in [
                ("lee ann", None, 2, vec!["games/b.sgf", "games/a.sgf"]),
                ("LEE", Some(2000), 2, vec!["games/c.sgf", "games/b.sgf"]),
                ("bob", None, 2, vec!["games/c.sgf", "games/a.sgf"]),
                ("nobody", None, 0, vec![]),
                ("", None, 3, vec!["games/c.sgf", "games/b.sgf", "games/a.sgf"]),
            ] {
                let mut told = ask(&out, &part, player, from);
                assert_eq!(told["games_searched"], searched, "{part:?} {player}");
                let rows = told["games"].as_array_mut().unwrap();
                let files: Vec<&str> = rows.iter().map(|g| g["file"].as_str().unwrap()).collect();
                assert_eq!(files, found, "{part:?} {player}");
                for row in rows.iter_mut() {
                    let number = row["number"].as_u64().unwrap() as u32;
                    let record = explorer.game(&out, number).unwrap();
                    assert_eq!(record.tag("Source"), row["file"].as_str());
                }
                told.values_mut().for_each(without_numbers);
                assert_eq!(told, ask(&games, &part, player, from), "{part:?} {player}");
            }
        }
        // The ply is where the position or its image stood in the game as it was played.
        let told = ask(&out, &Part::Whole, "cid", None);
        assert_eq!((&told["games"][0]["ply"], &told["games"][0]["number"]), (&json!(1), &json!(2)));
        let record = explorer.game(&out, 2).unwrap();
        assert_eq!(record.moves[0].text, "C3");
        assert!(explorer.game(&out, 5).is_err() && explorer.game(&games, 0).is_err());
    }

    /// Numbers belong to an index; records that are read each time have none.
    fn without_numbers(value: &mut Value) {
        match value {
            Value::Array(all) => all.iter_mut().for_each(without_numbers),
            Value::Object(all) => {
                all.remove("number");
                all.values_mut().for_each(without_numbers);
            }
            _ => {}
        }
    }
}

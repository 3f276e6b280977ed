//! How much memory do very many patterns need? Gathers those of so many games, keeps all, and tells the
//! bytes of patterns and tree, and what the system says of the process.
//!
//! ```text
//! cargo run --release -p zug-go --example knn_memory -- games/pro19_seven_titles 1200
//! ```

use zug_core::StopFlag;
use zug_core::progress::Silent;
use zug_go::corpus::{Corpus, Filter, GoRecord};
use zug_go::knn::learn::{Counting, Gathered};
use zug_go::knn::{Model, Settings};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [data, games] = &words[..] else { panic!("expected: GAMES COUNT") };
    let games: usize = games.parse().expect("a number");
    let filter = Filter::of_size(19);
    let corpus = Corpus::read(&[data.into()], &filter, &Silent, &StopFlag::new()).expect("games");
    let every = (corpus.games.len() / games).max(1);
    let chosen: Vec<&GoRecord> = corpus.games.iter().step_by(every).take(games).collect();
    // Nothing is counted: memory does not depend on the numbers.
    let settings = Settings { support: 0, confidence: 0.0, ..Settings::of_size(19) };
    let model = {
        let gathered = Gathered::from(&chosen, &settings);
        println!("{} games, {} patterns", chosen.len(), gathered.len());
        Model::new("all", Counting::new(&settings, &gathered, &chosen).database())
    };
    let (bytes, patterns) = (model.bytes(), model.database().len());
    println!("{bytes} bytes for {patterns} patterns: {:.1} each", bytes as f64 / patterns as f64);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().filter(|l| l.starts_with("VmRSS") || l.starts_with("VmHWM")).for_each(|l| {
        println!("{l}");
    });
}

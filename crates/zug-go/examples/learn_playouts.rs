//! Learns the weights of playouts: `learn_playouts OUT SIZE whole|playouts EPOCHS GAMES PATH…`.

use zug_core::{StopFlag, progress::Silent};
use zug_go::corpus::{Corpus, Filter};
use zug_go::engine::learn::{LearnOptions, learn};
use zug_go::engine::weights::{ANSWER_NAMES, PlayoutModel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [out, size, kind, epochs, games, paths @ ..] = &args[..] else {
        return Err("usage: learn_playouts OUT SIZE whole|playouts EPOCHS GAMES PATH…".into());
    };
    let paths: Vec<std::path::PathBuf> = paths.iter().map(Into::into).collect();
    let stop = StopFlag::new();
    let mut corpus = Corpus::read(&paths, &Filter::of_size(size.parse()?), &Silent, &stop)?;
    let games: usize = games.parse()?;
    let step = (corpus.games.len() / games.max(1)).max(1);
    let mut i = 0;
    corpus.games.retain(|_| {
        i += 1;
        i % step == 0
    });
    let options =
        LearnOptions { epochs: epochs.parse()?, whole: kind == "whole", ..LearnOptions::default() };
    let learned = learn(&corpus, &options, &Silent, &stop);
    println!("{} games: {:?}", corpus.games.len(), learned.accuracy);
    for (name, weight) in ANSWER_NAMES.iter().zip(learned.model.answers) {
        println!("{name} {weight:.2}");
    }
    println!("lines {:?} near {:?}", learned.model.lines, learned.model.near);
    let mut header = PlayoutModel::header();
    let names: Vec<String> = paths
        .iter()
        .filter_map(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()))
        .collect();
    header.made.command = Some(format!(
        "cargo run --release -p zug-go --example learn_playouts OUT {size} {kind} {epochs} {games} {}",
        names.join(" ")
    ));
    header.made.data = Some(corpus.digest());
    header.made.seed = Some(options.seed);
    learned.model.write(std::path::Path::new(out), &header)?;
    Ok(())
}

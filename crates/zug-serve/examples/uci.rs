//! The smallest chess engine: chess, its default player, standard input and output.
//!
//! ```text
//! cargo run -p zug-serve --example uci
//! ```

use zug_core::Spec;

fn open(text: &str) -> Result<zug_core::GameEntry, String> {
    let spec = Spec::parse(text).map_err(|e| e.to_string())?;
    zug_chess::open(&spec).map_err(|e| e.to_string())
}

fn main() -> std::io::Result<()> {
    let entry = open("chess").map_err(std::io::Error::other)?;
    let player = Spec { name: "zug".into(), options: Vec::new() };
    let input = std::io::BufReader::new(std::io::stdin());
    zug_serve::uci::run(entry, &player, &open, input, std::io::stdout())
}

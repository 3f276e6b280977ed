//! `cargo run --release -p zug-othello --features chores --example check_data -- FOLDER`
fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_default();
    zug_othello::chores::check_data(std::path::Path::new(&folder), &mut std::io::stdout())
        .map(|_| ())
}

//! Reads archives of game records and compares with their lists: `check_data DIR`.

fn main() -> std::io::Result<()> {
    let dir = std::env::args().nth(1).unwrap_or_else(|| ".".to_string());
    let good = zug_go::chores::check_data(dir.as_ref(), &mut std::io::stdout().lock())?;
    std::process::exit(i32::from(!good));
}

//! The checks that take minutes: `check_data DIR` reads archives of game records and compares with
//! their lists, measures the judgement of dead stones, and counts the positions of 4×4.

use zug_go::chores;

fn main() -> std::io::Result<()> {
    let dir = std::env::args().nth(1).unwrap_or_else(|| ".".to_string());
    let mut out = std::io::stdout().lock();
    let mut good = chores::check_data(dir.as_ref(), &mut out)?;
    chores::check_status(dir.as_ref(), &mut out)?;
    good &= chores::check_positions(&mut out)?;
    std::process::exit(i32::from(!good));
}

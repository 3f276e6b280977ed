//! How often do the perfect players win positions that they should only draw, or save positions
//! that are lost? Styles against fallible opponents, from a finished database.
//!
//! ```text
//! zug db build dodgem:4x4 --out DIR
//! cargo run --release -p zug-games --example traps -- dodgem:4x4 DIR 600 2
//! ```

fn main() -> Result<(), String> {
    zug_solve::perfect::contest::main(|spec| {
        let entry = zug_games::open(spec).ok_or_else(|| format!("no game '{}' here", spec.name))?;
        entry.map_err(|e| e.to_string())
    })
}

//! How often do the perfect players win endings that they should only draw, or save endings that
//! are lost? Styles against fallible opponents, from a finished database.
//!
//! ```text
//! zug db build chess:KRvKN --out DIR
//! cargo run --release -p zug-chess --example traps -- chess:KRvKN DIR 200 2 levels=1
//! ```

fn main() -> Result<(), String> {
    zug_solve::perfect::contest::main(|spec| zug_chess::open(spec).map_err(|e| e.to_string()))
}

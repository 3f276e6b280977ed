//! Words for people on stderr. `eprintln!` panics where nobody reads them any more (`zug … 2>&1 | head`),
//! which would end hours of work for a line of progress.

/// Says a line on stderr, if somebody listens.
macro_rules! tell {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

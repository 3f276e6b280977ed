//! Words for people on stderr, above the progress bar if there is one. `eprintln!` panics where nobody reads them any more (`zug … 2>&1 | head`),
//! which would end hours of work for a line of progress.

/// Says a line on stderr, if somebody listens.
macro_rules! tell {
    ($($words:tt)*) => {{
        let _ = $crate::progress::write_above(format!("{}\n", format_args!($($words)*)).as_bytes());
    }};
}

//! NAME

use crate::Open;
use std::io::{self, BufRead, Write};
use zug_core::{GameEntry, Spec};

/// Speaks the protocol until `quit` or the end of the input.
pub fn run(
    entry: GameEntry,
    player: &Spec,
    open: &Open<'_>,
    input: impl BufRead,
    output: impl Write + Send,
) -> io::Result<()> {
    let _ = (entry, player, open, input, output);
    Ok(())
}

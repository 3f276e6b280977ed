//! `zug`: the command line. It parses words, calls the libraries and prints; it knows nothing
//! else.

#![deny(clippy::print_stderr)]

#[macro_use]
mod tell;

mod commands;
mod progress;
mod registry;
mod stop;
mod terminal;

use clap::Parser;
use std::io::IsTerminal;
use std::process::ExitCode;
use zug::cli;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    start_logging(cli.verbose);
    zug_solve::perfect::report_with(progress::announced);
    match commands::run(cli.command) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell!("zug: {}", in_words(&error));
            ExitCode::from(2)
        }
    }
}

/// Reports go to stderr, so that they never mix with results: warnings always, more with `-v`.
fn start_logging(verbose: u8) {
    let level = match verbose {
        0 => tracing::Level::WARN,
        1 => tracing::Level::INFO,
        2 => tracing::Level::DEBUG,
        _ => tracing::Level::TRACE,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(|| progress::Log)
        .with_ansi(std::io::stderr().is_terminal() && !terminal::is_plain_wanted())
        .with_target(verbose > 1)
        // Its own complaint about a closed stderr would be a panic.
        .log_internal_errors(false)
        .without_time()
        .init();
}

/// An error with its causes. Some already quote their cause; it is not said twice.
fn in_words(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |mut text, cause| {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
        text
    })
}

/// A reader that has seen enough (`zug … | head`) is no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

//! `zug completions` and `zug man`: both come from the definition of the command line.

use crate::cli::Cli;
use anyhow::{Context, Result};
use clap::CommandFactory;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub fn completions(shell: clap_complete::Shell) -> Result<ExitCode> {
    let mut buffer = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "zug", &mut buffer);
    std::io::stdout().write_all(&buffer)?;
    Ok(ExitCode::SUCCESS)
}

pub fn pages(folder: Option<&Path>) -> Result<ExitCode> {
    match folder {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
                .with_context(|| format!("cannot write manual pages to {}", folder.display()))?;
        }
        None => {
            let mut buffer = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut buffer)?;
            std::io::stdout().write_all(&buffer)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

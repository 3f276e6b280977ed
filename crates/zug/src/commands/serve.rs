//! `zug serve`: the board in the browser.

use crate::cli::ServeArgs;
use crate::registry;
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use zug_serve::web::{Family, Folders, Site, serve};

/// Variants that the page offers by name, besides the plain game.
const VARIANTS: &[(&str, &[&str])] = &[
    ("othello", &["othello", "othello:6x6", "othello:4x4"]),
    ("go", &["go:9x9", "go:13x13", "go"]),
    ("dodgem", &["dodgem:3x3", "dodgem:4x4"]),
    ("connect4", &["connect4", "connect4:5x4"]),
];

pub fn run(args: &ServeArgs) -> Result<ExitCode> {
    let token = token(args)?;
    let folders = Folders {
        runs: folder(args.runs.as_ref(), "--runs")?,
        databases: folder(args.databases.as_ref(), "--databases")?,
        records: args.records.iter().map(|text| index(text)).collect::<Result<_>>()?,
    };
    let families = registry::families().into_iter().map(|family| {
        let specs = VARIANTS.iter().find(|(name, _)| *name == family.name);
        let specs = specs.map_or(vec![family.name.to_string()], |(_, specs)| {
            specs.iter().map(ToString::to_string).collect()
        });
        Family { name: family.name.to_string(), help: family.help.to_string(), specs }
    });
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let engines = args.engines.map_or(threads, usize::from);
    let open = |spec: &str| registry::open(spec).map_err(|e| format!("{e:#}"));
    let site = Arc::new(Site::new(families.collect(), Box::new(open), folders, engines));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads.clamp(1, 4))
        .enable_all()
        .build()
        .context("cannot start the server")?;
    let served = runtime.block_on(async {
        let address = (args.host, args.port);
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen at {}:{}", args.host, args.port))?;
        let at = listener.local_addr()?;
        let query = token.as_ref().map_or_else(String::new, |t| format!("?token={t}"));
        {
            let mut out = std::io::stdout().lock();
            writeln!(out, "http://{at}/{query}")?;
            out.flush()?;
        }
        serve(listener, site, token, stopped()).await?;
        Ok(ExitCode::SUCCESS)
    });
    // Engines that are still at work end with the process.
    runtime.shutdown_background();
    served
}

/// Ctrl-C or a termination signal.
async fn stopped() {
    let interrupt = tokio::signal::ctrl_c();
    let mut terminate =
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(signal) => signal,
            Err(_) => {
                let _ = interrupt.await;
                return;
            }
        };
    tokio::select! {
        _ = interrupt => {}
        _ = terminate.recv() => {}
    }
}

/// Other machines need a token.
fn token(args: &ServeArgs) -> Result<Option<String>> {
    if let Some(path) = &args.token_file {
        let text = zug_core::files::read_text(path, 4096)?;
        let text = text.trim();
        let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        if text.len() < 16 || !plain {
            bail!(
                "{}: expected a token of at least 16 letters, digits, '-' and '_'",
                path.display()
            );
        }
        return Ok(Some(text.to_string()));
    }
    if args.host.is_loopback() {
        return Ok(None);
    }
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut bytes))
        .context("cannot make up a token; give one with --token-file")?;
    Ok(Some(bytes.iter().map(|b| format!("{b:02x}")).collect()))
}

fn folder(path: Option<&PathBuf>, option: &str) -> Result<Option<PathBuf>> {
    match path {
        Some(path) if !path.is_dir() => {
            bail!("{option} {}: there is no such folder", path.display())
        }
        path => Ok(path.cloned()),
    }
}

fn index(text: &str) -> Result<(String, PathBuf)> {
    let Some((game, file)) = text.split_once('=') else {
        bail!("--records '{text}': expected GAME=FILE");
    };
    registry::open(game)?;
    let file = PathBuf::from(file);
    if !file.is_file() {
        bail!("--records {}: there is no such file", file.display());
    }
    Ok((game.to_string(), file))
}

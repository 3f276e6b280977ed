//! `zug serve`: the board in the browser.

use super::learn::failed;
use crate::cli::ServeArgs;
use crate::progress::progress;
use crate::registry;
use crate::stop;
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use zug_core::container::{Container, Expect};
use zug_core::{Silent, StopFlag};
use zug_learn::explore::{ExploreOrder, Explorer, IndexOrder};
use zug_learn::face::TaskError;
use zug_serve::web::{Family, Folders, Site, Terms, serve};
use zug_solve::{Manifest, Solver};

/// Variants that the page offers by name, besides the plain game.
const VARIANTS: &[(&str, &[&str])] = &[
    ("othello", &["othello", "othello:6x6", "othello:4x4"]),
    ("go", &["go:9x9", "go:13x13", "go"]),
    ("dodgem", &["dodgem:3x3", "dodgem:4x4"]),
    ("connect4", &["connect4", "connect4:5x4"]),
];

pub fn run(args: &ServeArgs) -> Result<ExitCode> {
    let token = token(args)?;
    let runs = folder(args.runs.as_ref(), "--runs")?;
    let databases = folder(args.databases.as_ref(), "--databases")?;
    if let Some(folder) = &databases {
        tell_broken(folder);
    }
    // Held until the end: indexes that were made for this server go with it.
    let (records, _temporary) = match collections(args)? {
        Ok(found) => found,
        Err(error) => return failed(error),
    };
    let folders = Folders { runs, databases, records };
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
    let site = Site::new(families.collect(), Box::new(open), folders, engines);
    let terms = terms(args);
    let site = site.with_terms(&terms);
    let site = Arc::new(match args.seed {
        Some(seed) => site.with_seed(seed),
        None => site,
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads.clamp(1, 4))
        .enable_all()
        .build()
        .context("cannot start the server")?;
    let served = runtime.block_on(async {
        let address = (args.host, args.port);
        let listener = tokio::net::TcpListener::bind(address).await.with_context(|| {
            let (host, port) = (args.host, args.port);
            format!("cannot listen at {host}:{port} ('--port 0' takes any port that is free)")
        })?;
        let at = listener.local_addr()?;
        // Before the address is printed: who has read it may press Ctrl-C at once.
        let stop = stopped();
        let query = token.as_ref().map_or_else(String::new, |t| format!("?token={t}"));
        {
            let mut out = std::io::stdout().lock();
            writeln!(out, "http://{at}/{query}")?;
            out.flush()?;
        }
        if at.ip().is_unspecified() {
            tell!(
                "zug: other machines need this machine's name or address in place of {}",
                at.ip()
            );
        }
        if args.open {
            show(&format!("http://{at}/{query}"));
        }
        serve(listener, Arc::clone(&site), terms, token, stop).await?;
        Ok(ExitCode::SUCCESS)
    });
    // Engines that are still at work end with the process.
    runtime.shutdown_background();
    site.close();
    served
}

/// Descriptors that are no connections: standard streams, the listener, files that a question opens.
const OTHER_FILES: u64 = 24;

/// How many may be connected, and for how long. Where the system allows few open files, that is a bound, too.
fn terms(args: &ServeArgs) -> Terms {
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let room = files.map_or(usize::MAX, |files| {
        usize::try_from(files.saturating_sub(OTHER_FILES)).unwrap_or(usize::MAX).max(4)
    });
    let connections = usize::from(args.max_connections);
    if room < connections {
        tracing::info!("at most {room} connections: the system allows few open files (ulimit -n)");
    }
    Terms {
        connections: connections.min(room),
        per_address: usize::from(args.max_per_address),
        header: args.header_timeout,
        body: args.body_timeout,
        idle: args.idle_timeout,
    }
}

/// Asks the system to show a page; where it cannot, the address is there to be copied.
fn show(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = || std::process::Stdio::null();
    let started = std::process::Command::new(program)
        .arg(address)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
    match started {
        // It ends by itself; somebody must take note, or its remains stay in the table of processes.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => tell!("zug: no browser could be opened ({program}: {error})"),
    }
}

/// Ctrl-C or a termination signal, from this call on and not only from the first wait for it.
fn stopped() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    async move {
        let waits = signals.map(|signal| async move {
            match signal {
                Ok(mut signal) => signal.recv().await,
                Err(_) => std::future::pending().await,
            }
        });
        let [interrupt, terminate] = waits;
        tokio::select! {
            _ = interrupt => {}
            _ = terminate => {}
        }
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

/// Databases that cannot be asked are named at once, and passed over.
fn tell_broken(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.join("database.toml").exists()) {
        let opened = Manifest::read(path).map_err(anyhow::Error::from).and_then(|manifest| {
            let entry = registry::open(&manifest.game)?;
            let solver = entry.extension::<Solver>().context("this game cannot be solved")?;
            let database = solver.open(path, 1 << 20)?;
            if !database.is_complete() {
                bail!("it is not finished ('zug db build --resume' goes on with it)");
            }
            Ok(())
        });
        if let Err(error) = opened {
            tell!("zug: {} is passed over: {error:#}", path.display());
        }
    }
}

/// `GAME=FILE`, with the game as it calls itself.
fn pair(text: &str, option: &str) -> Result<(String, PathBuf)> {
    let Some((game, file)) = text.split_once('=') else {
        bail!("{option} '{text}': expected GAME=FILE");
    };
    let (entry, file) = (registry::open(game)?, PathBuf::from(file));
    let mut game = entry.game.spec();
    // One index of Go is for boards of all sizes.
    if entry.extension::<Explorer>().is_some_and(|e| e.spans_variants()) {
        game.truncate(game.find(':').unwrap_or(game.len()));
    }
    if !file.exists() {
        bail!("{option} {}: there is no such file", file.display());
    }
    Ok((game, file))
}

/// Indexes by their games, and the folder of those that were made just now.
type Collections = (Vec<(String, PathBuf)>, Temporary);

/// The indexes of all records; plain records are indexed now.
fn collections(args: &ServeArgs) -> Result<Result<Collections, TaskError>> {
    let names: Vec<(String, PathBuf)> =
        args.names.iter().map(|text| pair(text, "--names")).collect::<Result<_>>()?;
    let (mut found, mut temporary) = (Vec::new(), Temporary(None));
    let mut plain: Vec<(String, Vec<PathBuf>)> = Vec::new();
    for text in &args.records {
        let (game, path) = pair(text, "--records")?;
        if is_index(&path) {
            insist_on_index(&game, &path)?;
            found.push((game, path));
        } else if let Some((_, paths)) = plain.iter_mut().find(|(known, _)| *known == game) {
            paths.push(path);
        } else {
            plain.push((game, vec![path]));
        }
    }
    if let Some((game, _)) = names.iter().find(|(game, _)| plain.iter().all(|(g, _)| g != game)) {
        bail!(
            "--names {game}: there are no plain records of this game; names go into an index when it \
             is made (zug explore {game} --names FILE --build index.zug)"
        );
    }
    if plain.is_empty() {
        return Ok(Ok((found, temporary)));
    }
    let flag = stop::on_interrupt();
    for (number, (game, data)) in plain.into_iter().enumerate() {
        let out = temporary.folder()?.join(format!("{number}.zug"));
        let named = names.iter().filter(|(g, _)| *g == game).map(|(_, path)| path.clone());
        let order =
            IndexOrder { data, out: out.clone(), names: named.collect(), ..IndexOrder::default() };
        let explorer = explorer_of(&game)?;
        let bar = progress("files");
        let made = explorer.index(&order, bar.as_ref(), &flag);
        drop(bar);
        match made {
            Ok(account) => {
                let of = |key: &str| account.figures.get(key).cloned().unwrap_or_default();
                let seconds = of("seconds").as_f64().unwrap_or(0.0);
                tell!("zug: {} games of {game} indexed in {seconds:.1} s", of("games"));
                if let Some(over) = account.text.lines().find(|l| l.starts_with("passed over")) {
                    tell!("zug: {over}");
                }
            }
            Err(error) => return Ok(Err(error)),
        }
        found.push((game, out));
    }
    Ok(Ok((found, temporary)))
}

fn explorer_of(game: &str) -> Result<Explorer> {
    let entry = registry::open(game)?;
    let explorer = entry.extension::<Explorer>().cloned();
    explorer.with_context(|| format!("{game} does not look up positions in records"))
}

/// Does a file begin as ours do?
fn is_index(path: &Path) -> bool {
    let mut first = [0; 4];
    let read = std::fs::File::open(path)
        .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut first));
    read.is_ok() && first == *b"\x89ZUG"
}

/// A file that cannot be asked is refused now and not when somebody asks.
fn insist_on_index(game: &str, path: &Path) -> Result<()> {
    let explorer = explorer_of(game)?;
    if explorer.spans_variants() {
        // It may hold games of one size only, so a question about the start may have no answer.
        let container = Container::open(path, &Expect::anything())?;
        let family = |spec: &str| spec.split(':').next().unwrap_or(spec).to_string();
        let found = &container.header().game;
        if family(found) != family(game) {
            bail!("{}: expected an index of {game}, found a file of {found}", path.display());
        }
        return Ok(());
    }
    let order = ExploreOrder {
        data: vec![path.to_path_buf()],
        query: "start".into(),
        ..ExploreOrder::default()
    };
    match explorer.explore(&order, &Silent, &StopFlag::new()) {
        Ok(_) => Ok(()),
        Err(error) => Err(anyhow::anyhow!("{error}")),
    }
}

/// A folder that is removed in the end.
struct Temporary(Option<PathBuf>);

impl Temporary {
    fn folder(&mut self) -> Result<PathBuf> {
        if let Some(folder) = &self.0 {
            return Ok(folder.clone());
        }
        for number in 0.. {
            let name = format!("zug-serve-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            match std::fs::create_dir(&folder) {
                // Left behind by a killed process that had the same number.
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists && number < 100 => {}
                made => {
                    let cannot = || format!("cannot make the folder {}", folder.display());
                    made.with_context(cannot)?;
                    self.0 = Some(folder.clone());
                    return Ok(folder);
                }
            }
        }
        bail!("cannot make a folder for the indexes")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(folder) = &self.0 {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

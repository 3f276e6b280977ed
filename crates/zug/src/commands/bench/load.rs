//! How does the server stand many people at once? Clients that analyse, over real connections to a real
//! `zug serve` in a process of its own.

use crate::cli::BenchArgs;
use anyhow::{Context, Result, anyhow, bail};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

/// What the clients look at, in turn.
const LINES: [(&str, &[&str]); 4] = [
    ("chess", &["e4", "e5", "Nf3", "Nc6"]),
    ("othello", &["f5", "d6", "c3"]),
    ("go:9x9", &["E5", "C3"]),
    ("connect4", &["d", "d", "c"]),
];
/// Thinking for each client when nothing is said.
const THINKING: Duration = Duration::from_secs(1);
/// Whoever has no answer by then has none, for each client and second of thinking.
const PATIENCE: f64 = 10.0;
/// Failures that are told in words.
const MOST_TOLD: usize = 5;

/// A server that ends with this.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start() -> Result<Server> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut process = Command::new(program)
            .args(["serve", "--port", "0"])
            .stdout(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .context("cannot start 'zug serve'")?;
        let mut line = String::new();
        if let Some(out) = process.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_string();
        let server = Server { process, address };
        if server.address.is_empty() {
            bail!("'zug serve' did not print its address");
        }
        Ok(server)
    }

    /// The most memory that it has used, in MiB, where the system tells.
    fn peak(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
        Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? / 1024)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// When a client had its first lines, and all of them.
struct Answered {
    first: Duration,
    done: Duration,
}

pub fn run(clients: usize, args: &BenchArgs) -> Result<ExitCode> {
    let thinking = args.movetime.unwrap_or(THINKING);
    let server = Server::start()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .context("cannot start the clients")?;
    let began = Instant::now();
    let patience =
        Duration::from_secs_f64(60.0 + PATIENCE * clients as f64 * thinking.as_secs_f64());
    let results: Vec<Result<Answered>> = runtime.block_on(async {
        let asking: Vec<_> = (0..clients)
            .map(|i| {
                let (address, (game, moves)) = (server.address.clone(), LINES[i % LINES.len()]);
                let body = json!({"line": {"game": game, "moves": moves}, "lines": 3,
                    "limits": {"movetime_ms": thinking.as_millis() as u64}});
                tokio::spawn(async move {
                    let asked = tokio::time::timeout(patience, ask(&address, &body)).await;
                    asked.unwrap_or_else(|_| Err(anyhow!("no answer within {patience:?}")))
                })
            })
            .collect();
        let mut results = Vec::new();
        for one in asking {
            results.push(one.await.unwrap_or_else(|e| Err(anyhow!(e))));
        }
        results
    });
    let report = report(&results, began.elapsed(), server.peak());
    let failed = results.iter().filter(|r| r.is_err()).count();
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{report:#}")?;
    } else {
        let ms = |key: &str, which: &str| report[key][which].as_u64().unwrap_or(0);
        writeln!(out, "{clients} clients, {} answered, {failed} failed", clients - failed)?;
        for (key, words) in [("first_lines_ms", "first lines"), ("done_ms", "done")] {
            let (median, p95, most) = (ms(key, "median"), ms(key, "p95"), ms(key, "most"));
            writeln!(out, "{words}: median {median} ms, 95 % {p95} ms, most {most} ms")?;
        }
        if let Some(peak) = report["server_peak_mib"].as_u64() {
            writeln!(out, "most memory of the server: {peak} MiB")?;
        }
        for failure in report["failures"].as_array().into_iter().flatten() {
            writeln!(out, "failed: {}", failure.as_str().unwrap_or_default())?;
        }
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn report(results: &[Result<Answered>], wall: Duration, peak: Option<u64>) -> Value {
    let spread = |time: &dyn Fn(&Answered) -> Duration| {
        let mut all: Vec<u64> =
            results.iter().flatten().map(|a| time(a).as_millis() as u64).collect();
        all.sort_unstable();
        let at = |share: f64| {
            let place = (share * all.len() as f64) as usize;
            all.get(place.min(all.len().saturating_sub(1))).copied()
        };
        json!({"median": at(0.5), "p95": at(0.95), "most": at(1.0)})
    };
    let failures: Vec<String> =
        results.iter().filter_map(|r| r.as_ref().err()).map(|e| format!("{e:#}")).collect();
    json!({
        "clients": results.len(),
        "answered": results.len() - failures.len(),
        "failed": failures.len(),
        "failures": failures.iter().take(MOST_TOLD).collect::<Vec<_>>(),
        "first_lines_ms": spread(&|a| a.first),
        "done_ms": spread(&|a| a.done),
        "wall_seconds": wall.as_secs_f64(),
        "server_peak_mib": peak,
    })
}

/// One client: asks, and listens to the end.
async fn ask(address: &str, body: &Value) -> Result<Answered> {
    let began = Instant::now();
    let stream = TcpStream::connect(address).await.context("cannot connect")?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = hyper::Request::post("/api/v1/analyse")
        .header(header::HOST, address)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Full::new(Bytes::from(body.to_string())))?;
    let response = sender.send_request(request).await?;
    let status = response.status();
    if !status.is_success() {
        let text = response.into_body().collect().await?.to_bytes();
        bail!("{status}: {}", String::from_utf8_lossy(&text));
    }
    let (mut events, mut first, mut text) = (response.into_body(), None, String::new());
    while let Some(frame) = events.frame().await {
        let frame = frame.context("the answer broke off")?;
        let Some(data) = frame.data_ref() else { continue };
        text.push_str(&String::from_utf8_lossy(data));
        while let Some(end) = text.find("\n\n") {
            let event: String = text.drain(..end + 2).collect();
            if event.starts_with("event: lines") {
                first.get_or_insert_with(|| began.elapsed());
            } else if event.starts_with("event: error") {
                bail!("{}", event.trim());
            } else if event.starts_with("event: end") {
                let first = first.context("an end without lines")?;
                return Ok(Answered { first, done: began.elapsed() });
            }
        }
    }
    bail!("the answer ended early")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_counts_answers_and_names_failures() {
        let answer =
            |ms| Answered { first: Duration::from_millis(ms), done: Duration::from_millis(2 * ms) };
        let mut results: Vec<Result<Answered>> = (1..=100).map(|ms| Ok(answer(ms))).collect();
        results.push(Err(anyhow!("503")));
        let told = report(&results, Duration::from_secs(3), Some(7));
        assert_eq!((&told["answered"], &told["failed"]), (&json!(100), &json!(1)));
        assert_eq!(told["first_lines_ms"], json!({"median": 51, "p95": 96, "most": 100}));
        assert_eq!(told["failures"], json!(["503"]));
    }
}

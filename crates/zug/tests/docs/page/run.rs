//! Runs one command of a page, and ends it when it does not end by itself.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// After this a command hangs. It says nothing about speed: the slowest takes a few seconds on an idle machine.
const PATIENCE: Duration = Duration::from_secs(240);

/// A command for the shell, and where it is run.
pub struct Run<'a> {
    pub text: &'a str,
    pub folder: &'a Path,
    pub home: &'a Path,
}

/// How it ended; without a code it had to be killed.
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run<'_> {
    pub fn to_its_end(&self) -> Ended {
        self.watched(None)
    }

    /// Stops it by Ctrl-C when it has printed these words.
    pub fn until(&self, words: &str) -> Ended {
        self.watched(Some(words))
    }

    fn watched(&self, words: Option<&str>) -> Ended {
        let mut group = Group::start(self);
        let (sender, lines) = channel();
        let out = collect(group.0.stdout.take().expect("a pipe"), Some(sender));
        let err = collect(group.0.stderr.take().expect("a pipe"), None);
        let end = Instant::now() + PATIENCE;
        let mut waits_for = words;
        let status = loop {
            if let Some(status) = group.0.try_wait().expect("a child") {
                break Some(status);
            }
            if Instant::now() > end {
                group.signal(rustix::process::Signal::KILL);
                let _ = group.0.wait();
                break None;
            }
            match lines.recv_timeout(Duration::from_millis(5)) {
                Ok(line) if waits_for.is_some_and(|words| line.contains(words)) => {
                    waits_for = None;
                    group.signal(rustix::process::Signal::INT);
                }
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(Duration::from_millis(5)),
                _ => {}
            }
        };
        // Whatever it has left behind would keep the pipes open.
        group.signal(rustix::process::Signal::KILL);
        let (stdout, mut stderr) = (out.join().expect("a reader"), err.join().expect("a reader"));
        let mut code = status.and_then(|s| s.code().or(s.signal().map(|signal| 128 + signal)));
        if let (Some(words), Some(130 | 0)) = (words, code) {
            code = Some(0);
            if waits_for.is_some() {
                stderr.push_str(&format!("it ended before it printed '{words}'\n"));
                code = Some(-1);
            }
        }
        Ended { code, stdout, stderr }
    }
}

/// A command with all that it starts.
struct Group(Child);

impl Group {
    fn start(run: &Run) -> Group {
        let path = std::env::var("PATH").unwrap_or_default();
        let child = Command::new("sh")
            .args(["-c", run.text])
            .env("PATH", format!("{}:{path}:/usr/games", run.home.join("bin").display()))
            .env("HOME", run.home)
            .env("NO_COLOR", "1")
            .current_dir(run.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("a shell");
        Group(child)
    }

    fn signal(&self, signal: rustix::process::Signal) {
        // It may just have ended.
        let _ =
            rustix::process::kill_process_group(rustix::process::Pid::from_child(&self.0), signal);
    }
}

/// Reads to the end in a thread of its own, telling of each line.
fn collect(
    pipe: impl Read + Send + 'static,
    tell: Option<Sender<String>>,
) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let (mut pipe, mut all, mut line) = (BufReader::new(pipe), String::new(), Vec::new());
        while pipe.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
            let text = String::from_utf8_lossy(&line).into_owned();
            all.push_str(&text);
            if let Some(tell) = &tell {
                let _ = tell.send(text);
            }
            line.clear();
        }
        all
    })
}

/// The program `zug serve`, as long as this lives.
pub struct Server {
    group: Group,
    /// As `127.0.0.1:PORT`.
    pub address: String,
}

impl Server {
    pub fn start(home: &Path) -> Server {
        let mut group = Group::start(&Run { text: "exec zug serve --port 0", folder: home, home });
        let mut out = BufReader::new(group.0.stdout.take().expect("a pipe"));
        let mut line = String::new();
        while !line.contains("http://") {
            line.clear();
            assert!(out.read_line(&mut line).is_ok_and(|n| n > 0), "the server prints no address");
        }
        let (_, address) = line.split_once("http://").expect("the loop has found it");
        let address = address.split(['/', ' ', '\n']).next().expect("a first piece").to_string();
        Server { group, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.group.signal(rustix::process::Signal::KILL);
        let _ = self.group.0.wait();
    }
}

/// Where a program is.
pub fn installed(program: &str) -> Option<PathBuf> {
    let path = std::env::var("PATH").unwrap_or_default();
    path.split(':')
        .chain(["/usr/games"])
        .map(|dir| Path::new(dir).join(program))
        .find(|p| p.is_file())
}

/// Where a file of data is, below `$ZUG_DATA`.
pub fn data(file: &str) -> Option<PathBuf> {
    let mut open = vec![PathBuf::from(std::env::var_os("ZUG_DATA")?)];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).ok()?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.file_name().is_some_and(|name| name == file) {
                return path.canonicalize().ok();
            }
        }
    }
    None
}

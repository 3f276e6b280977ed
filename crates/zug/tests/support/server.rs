//! A `zug serve` for a test, and somebody who asks it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server that ends with the test.
pub struct Server {
    child: Child,
    pub address: String,
    #[allow(dead_code, reason = "not every test is about tokens")]
    pub query: String,
}

impl Server {
    pub fn start(more: &[&str]) -> Server {
        Server::begin(
            Command::new(env!("CARGO_BIN_EXE_zug")).args(["serve", "--port", "0"]).args(more),
        )
    }

    pub fn begin(command: &mut Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://").expect("an address").to_string();
        let (address, query) = rest.split_once('/').expect("a path");
        Server { child, address: address.to_string(), query: query.to_string() }
    }

    pub fn ask(&self, method: &str, path: &str, body: impl AsRef<[u8]>) -> (u16, String) {
        let body = body.as_ref();
        // A server on all interfaces is reached on loopback too.
        let port = self.address.rsplit(':').next().unwrap();
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        )
        .unwrap();
        stream.write_all(body).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_string();
        (status, body)
    }

    /// The most memory that it has used, in bytes, where the system tells.
    #[allow(dead_code, reason = "most tests do not ask")]
    pub fn peak(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
    }

    #[allow(dead_code, reason = "some just end it")]
    pub fn signal(&mut self, name: &str) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
        let status = self.child.wait().unwrap();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (status.code(), said)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

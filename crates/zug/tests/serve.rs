//! `zug serve` as a browser and a shell see it: real requests over a socket.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server that ends with the test.
struct Server {
    child: Child,
    address: String,
    query: String,
}

impl Server {
    fn start(more: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
            .args(["serve", "--port", "0"])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://").expect("an address").to_string();
        let (address, query) = rest.split_once('/').expect("a path");
        Server { child, address: address.to_string(), query: query.to_string() }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        // A server on all interfaces is reached on loopback too.
        let port = self.address.rsplit(':').next().unwrap();
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_string();
        (status, body)
    }

    fn signal(&mut self, name: &str) -> (Option<i32>, String) {
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

#[test]
fn the_page_and_the_games_are_served_until_ctrl_c() {
    let mut server = Server::start(&[]);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let (status, page) = server.ask("GET", "/", "");
    assert!(status == 200 && page.contains("<title>"), "{status}: {page}");
    let (status, games) = server.ask("GET", "/api/v1/games", "");
    let games: Value = serde_json::from_str(&games).unwrap();
    assert_eq!(status, 200);
    let games = games["games"].as_array().unwrap();
    assert!(games.len() > 5);
    for game in games {
        for spec in game["specs"].as_array().unwrap() {
            let path = format!("/api/v1/games/{}", spec.as_str().unwrap());
            let (status, detail) = server.ask("GET", &path, "");
            assert_eq!(status, 200, "{spec}: {detail}");
        }
    }
    let ask = r#"{"line": {"game": "othello", "moves": ["f5"]}, "source": "book"}"#;
    let (status, book) = server.ask("POST", "/api/v1/explore", ask);
    assert!(status == 200 && book.contains("\"move\":\"d6\""), "{book}");
    let (code, said) = server.signal("INT");
    assert_eq!((code, said.as_str()), (Some(0), ""));
}

#[test]
fn an_analysis_under_way_does_not_keep_the_server_from_ending() {
    let mut server = Server::start(&["--engines", "1"]);
    let port = server.address.rsplit(':').next().unwrap().to_string();
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let body = r#"{"line": {"game": "chess"}, "lines": 1}"#;
    write!(
        stream,
        "POST /api/v1/analyse HTTP/1.1\r\nHost: localhost:{port}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut first = [0; 64];
    stream.read_exact(&mut first).unwrap();
    assert!(first.starts_with(b"HTTP/1.1 200"));
    let (code, _) = server.signal("TERM");
    assert_eq!(code, Some(0));
}

#[test]
fn other_machines_need_the_token() {
    let server = Server::start(&["--host", "0.0.0.0"]);
    let token = server.query.strip_prefix("?token=").expect("a token").to_string();
    assert_eq!(server.ask("GET", "/api/v1/games", "").0, 401);
    assert_eq!(server.ask("GET", &format!("/api/v1/games?token={token}"), "").0, 200);
}

#[test]
fn what_is_not_there_is_refused_before_anything_is_served() {
    let run = |words: &[&str]| {
        let out =
            Command::new(env!("CARGO_BIN_EXE_zug")).arg("serve").args(words).output().unwrap();
        assert!(!out.status.success(), "{words:?}");
        String::from_utf8(out.stderr).unwrap()
    };
    assert!(run(&["--runs", "nowhere"]).contains("no such folder"));
    assert!(run(&["--records", "go"]).contains("GAME=FILE"));
    assert!(run(&["--records", "go=nowhere.zug"]).contains("no such file"));
    assert!(run(&["--records", "chequers=x"]).contains("no game 'chequers'"));
    assert!(run(&["--token-file", "nowhere"]).contains("nowhere"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    assert!(run(&["--port", &port]).contains("cannot listen"));
}

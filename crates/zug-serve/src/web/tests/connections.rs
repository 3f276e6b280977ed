//! Over real sockets: clients that say nothing, dribble, do not read, are too many, or do not let go.

use super::*;
use crate::web::{Terms, serve};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Long enough for the slowest machine; nothing here takes as long.
const PATIENCE: Duration = Duration::from_secs(60);

struct Served {
    at: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl Served {
    async fn begin(terms: Terms) -> Served {
        let families = Vec::new();
        let site = Site::new(families, Box::new(open), Folders::default(), 2).with_terms(&terms);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            let _ = stopped.await;
        };
        let serving = serve(listener, Arc::new(site), terms, None, stopped);
        let task = tokio::spawn(async { serving.await.unwrap() });
        Served { at, stop: Some(stop), task }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.at).await.unwrap()
    }

    /// The head of a request.
    fn head(&self, method: &str, path: &str, more: &str) -> String {
        format!("{method} /api/v1{path} HTTP/1.1\r\nhost: {}\r\n{more}\r\n", self.at)
    }

    async fn health(&self) -> String {
        let mut stream = self.connect().await;
        let head = self.head("GET", "/health", "connection: close\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        rest(&mut stream).await
    }

    /// A stream of events that goes on.
    async fn analysis(&self) -> TcpStream {
        let mut stream = self.connect().await;
        let body = r#"{"line": {"game": "chess"}, "lines": 1}"#;
        let kind = "content-type: application/json";
        let more = format!("{kind}\r\ncontent-length: {}\r\n", body.len());
        let head = self.head("POST", "/analyse", &more);
        stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        let mut seen = String::new();
        while !seen.contains("event: lines") {
            let mut bytes = [0; 4096];
            let got = within(stream.read(&mut bytes)).await.unwrap();
            assert!(got > 0, "{seen}");
            seen.push_str(&String::from_utf8_lossy(&bytes[..got]));
        }
        stream
    }
}

async fn within<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, work).await.expect("it takes far too long")
}

/// All that comes up to the end of a connection, be it abrupt.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = within(stream.read_to_end(&mut bytes)).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

fn short() -> Terms {
    let ms = Duration::from_millis;
    Terms { header: ms(300), body: ms(300), idle: ms(300), ..Terms::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_give_way_and_lock_nobody_out() {
    for terms in
        [Terms { connections: 8, ..Terms::default() }, Terms { per_address: 8, ..Terms::default() }]
    {
        let served = Served::begin(terms).await;
        let mut silent = Vec::new();
        for _ in 0..30 {
            silent.push(served.connect().await);
        }
        // Half a head is as good as none.
        silent[29].write_all(b"GET / HTTP/1.1\r\nhost").await.unwrap();
        for _ in 0..20 {
            assert!(served.health().await.starts_with("HTTP/1.1 200"));
        }
        assert_eq!(rest(&mut silent[0]).await, "", "the first one has given way");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_at_work_are_kept_and_one_too_many_is_told() {
    let served = Served::begin(Terms { connections: 2, ..Terms::default() }).await;
    let (one, two) = (served.analysis().await, served.analysis().await);
    let told = served.health().await;
    assert!(told.starts_with("HTTP/1.1 503") && told.contains("too many connections"), "{told}");
    drop(one);
    within(async {
        while !served.health().await.starts_with("HTTP/1.1 200") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    drop(two);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_say_nothing_or_dribble_are_not_waited_for() {
    let served = Served::begin(short()).await;
    let mut silent = served.connect().await;
    assert_eq!(rest(&mut silent).await, "");
    // A byte now and then keeps no connection open.
    let mut dribbling = served.connect().await;
    let head = served.head("GET", "/health", &"x-filler: 1\r\n".repeat(2000));
    within(async {
        for byte in head.as_bytes() {
            if dribbling.write_all(&[*byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the whole head was waited for");
    })
    .await;
    // One that was served is kept for the next request, and then let go.
    let mut served_once = served.connect().await;
    let twice = served.head("GET", "/health", "").repeat(2);
    served_once.write_all(twice.as_bytes()).await.unwrap();
    assert_eq!(rest(&mut served_once).await.matches("HTTP/1.1 200").count(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_does_not_come_is_an_error() {
    let served = Served::begin(Terms { idle: PATIENCE, header: PATIENCE, ..short() }).await;
    let kind = "content-type: application/json\r\n";
    for length in ["content-length: 100\r\n", "transfer-encoding: chunked\r\n"] {
        let mut stream = served.connect().await;
        let head = served.head("POST", "/view", &format!("{kind}{length}"));
        stream.write_all(head.as_bytes()).await.unwrap();
        let told = rest(&mut stream).await;
        assert!(told.starts_with("HTTP/1.1 408") && told.contains("too slowly"), "{told}");
    }
    // A byte now and then is too slow as well.
    let mut stream = served.connect().await;
    let head = served.head("POST", "/view", &format!("{kind}content-length: 100000\r\n"));
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut ours, mut theirs) = stream.into_split();
    let dribble = tokio::spawn(async move {
        while theirs.write_all(b" ").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let mut told = Vec::new();
    let _ = within(ours.read_to_end(&mut told)).await;
    assert!(told.starts_with(b"HTTP/1.1 408"), "{}", String::from_utf8_lossy(&told));
    dribble.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_do_not_read_are_let_go() {
    let served = Served::begin(Terms { idle: PATIENCE, ..short() }).await;
    let mut stream = served.connect().await;
    let head = format!("GET /app.js HTTP/1.1\r\nhost: {}\r\n\r\n", served.at);
    // Far more than the buffers of the system hold; none of it is read.
    within(async { while stream.write_all(head.as_bytes()).await.is_ok() {} }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_is_too_large_is_told_its_bound() {
    let served = Served::begin(Terms::default()).await;
    let large = "x".repeat(5 << 20);
    let chunked = format!("{:x}\r\n{large}\r\n0\r\n\r\n", large.len());
    let length = format!("content-length: {}\r\n", large.len());
    for (more, body) in [(length.as_str(), &large), ("transfer-encoding: chunked\r\n", &chunked)] {
        let mut stream = served.connect().await;
        let more = format!("{more}connection: close\r\n");
        let head = served.head("POST", "/records/read?game=chess", &more);
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(body.as_bytes()).await.unwrap();
        let told = rest(&mut stream).await;
        assert!(told.starts_with("HTTP/1.1 413") && told.contains("4194304 bytes"), "{told}");
    }
    // Packed bodies would make a mockery of all bounds.
    let more = "content-encoding: gzip\r\ncontent-length: 1\r\nconnection: close\r\n";
    let head = served.head("POST", "/records/read?game=chess", more);
    let mut stream = served.connect().await;
    stream.write_all(format!("{head}x").as_bytes()).await.unwrap();
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 415"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_is_open_ends_in_order_when_the_server_does() {
    let mut served = Served::begin(Terms::default()).await;
    let mut stream = served.analysis().await;
    let mut idle = served.connect().await;
    served.stop.take().unwrap().send(()).unwrap();
    let told = rest(&mut stream).await;
    assert!(told.ends_with("0\r\n\r\n"), "it was cut off: {told:?}");
    assert_eq!(rest(&mut idle).await, "");
    within(served.task).await.unwrap();
}

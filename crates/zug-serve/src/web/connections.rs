//! Who is connected, and for how long may they keep us waiting? The kernel hands out connections to anybody, a
//! token or not; so their number is bounded, in all and for each address, and so is the time of every step that
//! a client takes: the first byte, the whole head of a request, its body (see `uploads`), the reading of an answer.
//!
//! Where all places are taken, the connection that has been silent for longest gives way. Somebody who opens many
//! and says nothing therefore locks nobody out.

use super::error::Refusal;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, StatusCode, header};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper_util::rt::TokioIo;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tower::ServiceExt;

/// How many may be connected, and how long each step of theirs may take.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Connections in all.
    pub connections: usize,
    /// Of one address, or of one network of IPv6.
    pub per_address: usize,
    /// From the first byte of a request to the end of its head; a reader of an answer may pause for as long.
    pub header: Duration,
    /// A pause within the body of a request; as a whole it may take this and a second for every 32 KiB.
    pub body: Duration,
    /// Between two requests, and before the first one.
    pub idle: Duration,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            connections: 512,
            per_address: 256,
            header: Duration::from_secs(10),
            body: Duration::from_secs(20),
            idle: Duration::from_secs(60),
        }
    }
}

/// Time to finish what is under way when the server is to end.
const GRACE: Duration = Duration::from_secs(1);
/// A head is no longer.
const MOST_HEAD: usize = 32 << 10;
/// After an error of the system, such as no free descriptors.
const PAUSE: Duration = Duration::from_millis(20);
/// The same thing is said no more often.
const SELDOM: Duration = Duration::from_secs(10);

/// Accepts connections until `stop` is done, and lets what is under way end, but not for long: streams of events
/// end at once, since they go on for as long as somebody listens.
pub(super) async fn accept(
    listener: TcpListener,
    app: Router,
    terms: Terms,
    stop: impl Future<Output = ()> + Send,
) {
    let all = Arc::new(Connections::new(terms));
    let (tell, told) = watch::channel(false);
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => match all.admit(peer.ip()) {
                Some(life) => {
                    tokio::spawn(serve(stream, peer, app.clone(), life, told.clone()));
                }
                None => turn_away(&stream),
            },
            Err(error) => {
                // A descriptor is free again when somebody silent has gone.
                all.notes.say(Event::NoDescriptor, &error.to_string());
                all.evict(|_| true);
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    tell.send_replace(true);
    let _ = tokio::time::timeout(GRACE, all.emptied()).await;
}

/// Serves one connection to its end, or until it breaks the terms.
async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    app: Router,
    life: Life,
    mut told: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let state = Arc::clone(&life.state);
    let stop = told.clone();
    let answer = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let (app, stop) = (app.clone(), stop.clone());
        let busy = Busy::begin(&state);
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        async move {
            let response = app.oneshot(request).await?;
            let stream = is_stream(response.headers());
            let lasting = |body| Body::new(Lasting::new(body, busy, stream.then_some(stop)));
            Ok::<_, Infallible>(response.map(lasting))
        }
    });
    let io = TokioIo::new(Watched { stream, state: Arc::clone(&life.state) });
    let connection = hyper::server::conn::http1::Builder::new()
        .max_buf_size(MOST_HEAD)
        .serve_connection(io, answer);
    tokio::pin!(connection);
    let terms = life.all.terms;
    let mut tick = tokio::time::interval((terms.header.min(terms.idle) / 8).max(PAUSE / 4));
    let mut ending = false;
    loop {
        tokio::select! {
            biased;
            _ = connection.as_mut() => return,
            () = life.state.evicted.notified() => {
                return life.all.notes.say(Event::Evicted, &peer.ip().to_string());
            }
            _ = told.wait_for(|stopping| *stopping), if !ending => {
                ending = true;
                connection.as_mut().graceful_shutdown();
            }
            _ = tick.tick() => {
                if let Some(event) = life.state.overdue(&terms) {
                    return life.all.notes.say(event, &peer.ip().to_string());
                }
            }
        }
    }
}

fn is_stream(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream")
}

/// Says why, as far as that fits without waiting.
fn turn_away(stream: &TcpStream) {
    let body = Refusal::busy_with("too many connections; please try again in a moment").text();
    let _ = stream.try_write(
        format!(
            "HTTP/1.1 {} Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 2\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            StatusCode::SERVICE_UNAVAILABLE.as_u16(),
            body.len()
        )
        .as_bytes(),
    );
}

/// All that are connected.
struct Connections {
    terms: Terms,
    places: Mutex<HashMap<u64, (IpAddr, Arc<State>)>>,
    numbers: AtomicU64,
    left: Notify,
    notes: Notes,
}

impl Connections {
    fn new(terms: Terms) -> Connections {
        let (places, numbers, left, notes) = Default::default();
        Connections { terms, places, numbers, left, notes }
    }

    fn places(&self) -> MutexGuard<'_, HashMap<u64, (IpAddr, Arc<State>)>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for somebody, if need be that of somebody silent.
    fn admit(self: &Arc<Self>, from: IpAddr) -> Option<Life> {
        let from = network(from);
        let of_address = self.places().values().filter(|(address, _)| *address == from).count();
        let (is_full, is_crowded) =
            (self.places().len() >= self.terms.connections, of_address >= self.terms.per_address);
        let made_way = match (is_crowded, is_full) {
            (true, _) => self.evict(|address| address == from),
            (false, true) => self.evict(|_| true),
            (false, false) => true,
        };
        if !made_way {
            self.notes.say(Event::Refused, &from.to_string());
            return None;
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let state = Arc::new(State::default());
        self.places().insert(number, (from, Arc::clone(&state)));
        Some(Life { all: Arc::clone(self), number, state })
    }

    /// Ends the connection that has been silent for longest, of the address that has the most; false where all
    /// are at work.
    fn evict(&self, is_among: impl Fn(IpAddr) -> bool) -> bool {
        let mut places = self.places();
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for (address, _) in places.values() {
            *counts.entry(*address).or_default() += 1;
        }
        let silent = places.iter().filter(|(_, (address, _))| is_among(*address));
        let silent = silent.filter_map(|(&number, (address, state))| {
            Some((counts[address], Reverse(state.silent_since()?), number))
        });
        let Some((.., number)) = silent.max() else { return false };
        if let Some((_, state)) = places.remove(&number) {
            state.evicted.notify_one();
        }
        true
    }

    async fn emptied(&self) {
        loop {
            let left = self.left.notified();
            if self.places().is_empty() {
                return;
            }
            left.await;
        }
    }
}

/// Whose places are counted together: of IPv6 anybody has as many addresses as they like.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) if !six.is_loopback() => {
            let [a, b, c, d, ..] = six.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        other => other,
    }
}

/// A place that is free again when this goes.
struct Life {
    all: Arc<Connections>,
    number: u64,
    state: Arc<State>,
}

impl Drop for Life {
    fn drop(&mut self) {
        self.all.places().remove(&self.number);
        self.all.left.notify_waiters();
    }
}

/// How far is a connection?
struct State {
    step: Mutex<Step>,
    evicted: Notify,
}

#[derive(Clone, Copy)]
struct Step {
    /// Requests under way.
    busy: usize,
    /// When the last answer ended, or the connection began.
    idle: Instant,
    /// When the first byte after that came.
    begun: Option<Instant>,
    /// Since when the client takes no more of an answer.
    stalled: Option<Instant>,
}

impl Default for State {
    fn default() -> State {
        let step = Step { busy: 0, idle: Instant::now(), begun: None, stalled: None };
        State { step: Mutex::new(step), evicted: Notify::new() }
    }
}

impl State {
    fn step(&self) -> MutexGuard<'_, Step> {
        self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Since when nothing has been asked for, if nothing is.
    fn silent_since(&self) -> Option<Instant> {
        let step = *self.step();
        (step.busy == 0).then_some(step.idle)
    }

    /// Which term is broken?
    fn overdue(&self, terms: &Terms) -> Option<Event> {
        let step = *self.step();
        let is_over = |since: Option<Instant>, time| since.is_some_and(|s| s.elapsed() > time);
        if is_over(step.stalled, terms.header) {
            Some(Event::SlowReader)
        } else if step.busy > 0 {
            None
        } else if is_over(step.begun, terms.header) {
            Some(Event::SlowHead)
        } else {
            is_over(Some(step.idle), terms.idle).then_some(Event::Silent)
        }
    }
}

/// A request that is under way, up to the last byte of its answer.
struct Busy(Arc<State>);

impl Busy {
    fn begin(state: &Arc<State>) -> Busy {
        state.step().busy += 1;
        Busy(Arc::clone(state))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut step = self.0.step();
        step.busy -= 1;
        (step.idle, step.begun) = (Instant::now(), None);
    }
}

/// An answer that counts as work while it is sent. A stream of events ends when the server does.
struct Lasting {
    body: Body,
    _busy: Busy,
    stop: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Lasting {
    fn new(body: Body, busy: Busy, stop: Option<watch::Receiver<bool>>) -> Lasting {
        let stop = stop.map(|mut stop| -> Pin<Box<dyn Future<Output = ()> + Send>> {
            Box::pin(async move {
                let _ = stop.wait_for(|stopping| *stopping).await;
            })
        });
        Lasting { body, _busy: busy, stop }
    }
}

impl hyper::body::Body for Lasting {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(stop) = &mut self.stop
            && stop.as_mut().poll(context).is_ready()
        {
            self.stop = None;
            self.body = Body::empty();
        }
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A socket that notes when something comes, and when nothing more goes.
struct Watched {
    stream: TcpStream,
    state: Arc<State>,
}

impl Watched {
    fn written<T>(&self, written: Poll<T>) -> Poll<T> {
        let mut step = self.state.step();
        match written {
            Poll::Pending => step.stalled = step.stalled.or_else(|| Some(Instant::now())),
            Poll::Ready(_) => step.stalled = None,
        }
        written
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let mut step = self.state.step();
        if step.busy == 0 && step.begun.is_none() {
            step.begun = Some(Instant::now());
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// What is said in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// No place was left, and nobody silent.
    Refused,
    /// Somebody silent gave way.
    Evicted,
    SlowHead,
    SlowReader,
    Silent,
    NoDescriptor,
}

/// Says each thing seldom, and then how often it happened: a log is no place to fill a disk by.
#[derive(Default)]
struct Notes([Mutex<(Option<Instant>, usize)>; 6]);

impl Notes {
    fn say(&self, event: Event, about: &str) {
        let mut note = self.0[event as usize].lock().unwrap_or_else(PoisonError::into_inner);
        note.1 += 1;
        if note.0.is_some_and(|said| said.elapsed() < SELDOM) {
            return;
        }
        let (_, count) = std::mem::replace(&mut *note, (Some(Instant::now()), 0));
        drop(note);
        match event {
            Event::Refused => tracing::warn!(
                "turned away {count} connections (the last from {about}): all places are taken \
                 (--max-connections, --max-per-address)"
            ),
            Event::Evicted => tracing::warn!(
                "closed {count} silent connections (the last from {about}): others needed their \
                 places (--max-connections, --max-per-address)"
            ),
            Event::NoDescriptor => tracing::warn!("cannot accept connections ({about})"),
            Event::SlowHead => tracing::info!(
                "closed {count} connections (the last from {about}): the head of a request took too \
                 long (--header-timeout)"
            ),
            Event::SlowReader => tracing::info!(
                "closed {count} connections (the last from {about}): the answer was not read \
                 (--header-timeout)"
            ),
            Event::Silent => tracing::debug!(
                "closed {count} connections (the last from {about}): nothing was asked \
                 (--idle-timeout)"
            ),
        }
    }
}

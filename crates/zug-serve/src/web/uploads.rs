//! Bodies of requests. They are in memory before anything can be said about them, so each has a bound, all of
//! them together have one, and whoever dawdles is not waited for.

use super::connections::Terms;
use super::error::Refusal;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use hyper::body::Body as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// All bodies that are in memory at a time take no more.
const MOST_HELD: usize = 32 << 20;
/// Of a body that is refused so much is still read: a client that is busy sending does not hear an answer.
const MOST_DRAINED: usize = 32 << 20;
/// Bytes for which a sender gets a second.
const PACE: usize = 32 << 10;

/// See the [module](self).
#[derive(Clone)]
pub struct Uploads {
    held: Arc<AtomicUsize>,
    /// The longest pause.
    patience: Duration,
}

impl Default for Uploads {
    fn default() -> Uploads {
        Uploads { held: Arc::default(), patience: Terms::default().body }
    }
}

/// A body; its bytes count until this goes.
pub struct Upload {
    bytes: Vec<u8>,
    held: Arc<AtomicUsize>,
    counted: usize,
}

impl Upload {
    /// What was sent.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn push(&mut self, data: &[u8]) -> Result<(), Refusal> {
        self.counted += data.len();
        if self.held.fetch_add(data.len(), Ordering::Relaxed) + data.len() > MOST_HELD {
            return Err(Refusal::busy_with(
                "too many uploads at once; please try again in a moment",
            ));
        }
        self.bytes.extend_from_slice(data);
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        self.held.fetch_sub(self.counted, Ordering::Relaxed);
    }
}

impl Uploads {
    /// With another longest pause.
    pub fn with_patience(self, patience: Duration) -> Uploads {
        Uploads { patience, ..self }
    }

    /// A body of at most so many bytes.
    pub async fn take(&self, parts: &Parts, body: Body, most: usize) -> Result<Upload, Refusal> {
        if let Some(coding) =
            parts.headers.get(header::CONTENT_ENCODING).filter(|c| *c != "identity")
        {
            let message = format!("expected a body that is not packed, found {coding:?}");
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        let stated = stated_length(&parts.headers);
        let mut sender = Sender { body, begun: Instant::now(), patience: self.patience, seen: 0 };
        if stated.is_some_and(|stated| stated > most) {
            // Who waits for leave to send will not send.
            if !parts.headers.contains_key(header::EXPECT) {
                sender.drain().await;
            }
            return Err(too_large(most));
        }
        let bytes = Vec::with_capacity(stated.unwrap_or(0));
        let mut upload = Upload { bytes, held: Arc::clone(&self.held), counted: 0 };
        while let Some(data) = sender.next().await? {
            if upload.bytes.len() + data.len() > most {
                drop(upload);
                sender.drain().await;
                return Err(too_large(most));
            }
            upload.push(&data)?;
        }
        Ok(upload)
    }
}

fn stated_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(most: usize) -> Refusal {
    let size =
        if most >= 1 << 20 { format!("{} MiB", most >> 20) } else { format!("{} KiB", most >> 10) };
    let message = format!("expected a body of at most {size} ({most} bytes), found a larger one");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// Somebody who sends.
struct Sender {
    body: Body,
    begun: Instant,
    patience: Duration,
    seen: usize,
}

impl Sender {
    async fn next(&mut self) -> Result<Option<axum::body::Bytes>, Refusal> {
        loop {
            let pace = Duration::from_secs_f64(self.seen as f64 / PACE as f64);
            let until = (self.begun + self.patience + pace).min(Instant::now() + self.patience);
            let frame = poll_fn(|context| Pin::new(&mut self.body).poll_frame(context));
            let frame = tokio::time::timeout_at(until, frame).await;
            let frame = frame.map_err(|_| {
                let message = "the body of the request came too slowly";
                tracing::info!("{message} (--body-timeout)");
                Refusal::new(StatusCode::REQUEST_TIMEOUT, message)
            })?;
            match frame {
                None => return Ok(None),
                Some(Err(_)) => return Err(Refusal::bad("the request broke off")),
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.seen += data.len();
                        return Ok(Some(data));
                    }
                }
            }
        }
    }

    async fn drain(&mut self) {
        while self.seen < MOST_DRAINED && matches!(self.next().await, Ok(Some(_))) {}
    }
}

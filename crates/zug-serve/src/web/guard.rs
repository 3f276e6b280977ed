//! Who may ask? On loopback everybody at this machine, but no page of another site in their browser;
//! on other interfaces whoever has the token. And nobody too often.

use super::error::Refusal;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Requests of one address in a [`WINDOW`].
const MOST_REQUESTS: u32 = 3000;
const WINDOW: Duration = Duration::from_secs(10);
/// Addresses that are remembered.
const MOST_ADDRESSES: usize = 10_000;

/// What the guard knows.
pub struct Guard {
    /// Needed unless served on loopback.
    token: Option<String>,
    loopback: bool,
    counts: Mutex<HashMap<IpAddr, (Instant, u32)>>,
}

impl Guard {
    /// For a server at this address.
    #[must_use]
    pub fn new(address: SocketAddr, token: Option<String>) -> Guard {
        Guard { token, loopback: address.ip().is_loopback(), counts: Mutex::default() }
    }

    fn may_ask(&self, from: IpAddr) -> bool {
        let mut counts = self.counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if counts.len() >= MOST_ADDRESSES {
            counts.retain(|_, (since, _)| since.elapsed() < WINDOW);
        }
        let (since, count) = counts.entry(from).or_insert((Instant::now(), 0));
        if since.elapsed() >= WINDOW {
            (*since, *count) = (Instant::now(), 0);
        }
        *count += 1;
        *count <= MOST_REQUESTS
    }

    /// A page of another site, or a name that was made to point here, may not ask.
    fn same_origin(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).and_then(|v: &header::HeaderValue| v.to_str().ok());
        let once = |name| headers.get_all(name).iter().count() <= 1;
        let Some(host) = text(header::HOST).filter(|_| once(header::HOST)) else { return false };
        if self.loopback && !is_local_name(host) {
            return false;
        }
        // An origin that is no text is none of ours.
        !headers.contains_key(header::ORIGIN)
            || text(header::ORIGIN)
                .and_then(|origin| origin.split_once("://"))
                .is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(host) && once(header::ORIGIN))
    }

    fn knows(&self, request: &Request) -> bool {
        let Some(token) = &self.token else { return true };
        let bearer = request.headers().get(header::AUTHORIZATION);
        let bearer = bearer.and_then(|v| v.to_str().ok()).and_then(|v| v.strip_prefix("Bearer "));
        let cookie = request.headers().get(header::COOKIE).and_then(|v| v.to_str().ok());
        let cookie = cookie
            .and_then(|all| all.split(';').find_map(|one| one.trim().strip_prefix("zug_token=")));
        let query = request
            .uri()
            .query()
            .and_then(|q| q.split('&').find_map(|one| one.strip_prefix("token=")));
        [bearer, cookie, query].into_iter().flatten().any(|given| equal(given, token))
    }
}

/// Compares digests, so that the time taken tells nothing.
fn equal(given: &str, token: &str) -> bool {
    blake3::hash(given.as_bytes()) == blake3::hash(token.as_bytes())
}

fn is_local_name(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(""),
        None => host.split(':').next().unwrap_or(""),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Looks at every request before anything else does.
pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let accepts = request.headers().get(header::ACCEPT).and_then(|v| v.to_str().ok());
    let by_person = accepts.is_some_and(|kinds| kinds.contains("text/html"));
    match admit(&guard, request, next).await {
        Ok(response) => response,
        Err(refusal) if by_person => refusal.page(),
        Err(refusal) => refusal.into_response(),
    }
}

async fn admit(guard: &Guard, request: Request, next: Next) -> Result<Response, Refusal> {
    let from = request.extensions().get::<axum::extract::ConnectInfo<SocketAddr>>();
    if !guard.may_ask(from.map_or(IpAddr::from([127, 0, 0, 1]), |f| f.0.ip())) {
        let message = "too many requests; please wait a few seconds";
        return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, message));
    }
    if !guard.same_origin(request.headers()) {
        let message = "this server answers only to its own page";
        return Err(Refusal::new(StatusCode::FORBIDDEN, message));
    }
    if !guard.knows(&request) {
        let message = "expected the token that 'zug serve' printed";
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, message));
    }
    let by_query = request.method() == Method::GET
        && guard.token.is_some()
        && request.uri().query().is_some_and(|q| q.contains("token="));
    let mut response = next.run(request).await;
    if let (true, Some(token)) = (by_query, &guard.token) {
        let cookie = format!("zug_token={token}; HttpOnly; SameSite=Strict; Path=/");
        if let Ok(cookie) = header::HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut all = HeaderMap::new();
        all.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            all.insert(header::ORIGIN, origin.parse().unwrap());
        }
        all
    }

    #[test]
    fn only_its_own_page_may_ask_a_server_on_loopback() {
        let guard = Guard::new("127.0.0.1:8080".parse().unwrap(), None);
        let asks = |host: &str, origin| guard.same_origin(&headers(host, origin));
        assert!(asks("localhost:8080", None));
        assert!(asks("127.0.0.1:8080", Some("http://127.0.0.1:8080")));
        assert!(asks("[::1]:8080", Some("http://[::1]:8080")));
        assert!(asks("LocalHost:8080", None), "names have no case");
        assert!(asks("LOCALHOST:8080", Some("http://localhost:8080")));
        let mut two = headers("localhost:8080", None);
        two.append(header::HOST, "evil.example".parse().unwrap());
        assert!(!guard.same_origin(&two), "two names are one too many");
        let mut odd = headers("localhost:8080", None);
        odd.insert(header::ORIGIN, header::HeaderValue::from_bytes(b"http://\xff").unwrap());
        assert!(!guard.same_origin(&odd));
        assert!(!asks("localhost:8080", Some("http://evil.example")));
        assert!(!asks("localhost:8080", Some("null")));
        assert!(!asks("evil.example", Some("http://evil.example")), "a name that points here");
        assert!(!asks("localhost.evil.example:8080", None));
        assert!(!guard.same_origin(&HeaderMap::new()));
    }

    #[test]
    fn whoever_asks_too_often_has_to_wait() {
        let guard = Guard::new("127.0.0.1:8080".parse().unwrap(), None);
        let (one, other) = (IpAddr::from([1, 2, 3, 4]), IpAddr::from([1, 2, 3, 5]));
        assert!((0..MOST_REQUESTS).all(|_| guard.may_ask(one)));
        assert!(!guard.may_ask(one));
        assert!(guard.may_ask(other));
    }
}

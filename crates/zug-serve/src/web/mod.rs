//! The board in the browser: a page, and the questions that it asks.
//!
//! | file | answers |
//! |---|---|
//! | `site` | which games are served, and which folders may be looked into? |
//! | `connections`, `uploads` | who is connected, and what may they send, how slowly? |
//! | `guard` | who may ask, and how often? |
//! | `page` | what does a browser load first? |
//! | `games`, `view` | which games are there, and what does a board look like? |
//! | `think`, `engines`, `players`, `levels` | which move, what is each worth, and whose turn is it to think? |
//! | `judge` | what is each position of a game worth, and which moves were bad? |
//! | `study` | what do policies, books and databases know? |
//! | `collected` | what do collections of records know? |
//! | `solved` | which database knows a position, and what is in it? |
//! | `records`, `tree` | how do files of games come in and go out? |
//! | `report` | how is a judged game told to others? |
//! | `runs` | how far is the learning? |
//! | `asked` | what was sent, and does it make sense? |
//! | `value`, `error` | how are values and refusals told? |
//!
//! The server keeps no game. A page sends the whole line with each question; so it can be reloaded,
//! shared by its address, and open twice, and a server that starts again has lost nothing.

mod asked;
mod collected;
mod connections;
mod engines;
mod error;
mod games;
mod guard;
mod judge;
mod levels;
mod page;
mod players;
#[cfg(test)]
mod record_tests;
mod records;
mod report;
mod runs;
mod site;
mod solved;
mod study;
#[cfg(test)]
mod tests;
mod think;
mod tree;
mod uploads;
mod value;
mod view;

pub use connections::Terms;
pub use site::{Family, Folders, OpenGame, Site};

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use guard::Guard;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;

/// An answer begins within this time; streams go on after it.
const PATIENCE: Duration = Duration::from_secs(180);

/// What the page may do: nothing but what comes from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; \
                      frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// All that is answered.
pub fn router(site: Arc<Site>, address: SocketAddr, token: Option<String>) -> Router {
    let api = Router::new()
        .route("/games", get(games::list))
        .route("/games/{spec}", get(games::detail))
        .route("/view", post(games::view))
        .route("/views", post(games::views))
        .route("/settle", post(games::settle))
        .route("/move", post(think::choose_move))
        .route("/analyse", post(think::analyse))
        .route("/judge", post(judge::judge))
        .route("/guess", post(study::guess))
        .route("/explore", post(study::explore))
        .route("/explore/{spec}/game", get(collected::game))
        .route("/databases/{spec}", get(solved::database))
        .route("/databases/{spec}/random", get(solved::random))
        .route("/records/read", post(records::read))
        .route("/records/write", post(records::write))
        .route("/report", post(report::report))
        .route("/runs", get(runs::list))
        .route("/runs/{name}", get(runs::show))
        .route("/runs/{name}/live", get(runs::live))
        .route("/runs/{name}/weights", get(runs::weights))
        .route("/runs/{name}/report", get(runs::report))
        .route("/openapi.json", get(page::openapi))
        .route("/health", get(health))
        .fallback(|| async { error::Refusal::missing("there is no such question") })
        .method_not_allowed_fallback(|| async {
            error::Refusal::method("this question is not asked in that way; see openapi.json")
        });
    let guard = Arc::new(Guard::new(address, token));
    let fixed = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    Router::new()
        .nest("/api/v1", api)
        .fallback(
            axum::routing::get(page::file)
                .fallback(|| async { error::Refusal::method("a page can only be fetched (GET)") }),
        )
        .with_state(site)
        .layer(middleware::from_fn_with_state(guard, guard::check))
        // Streams of events are left alone: they must not wait for a block to fill.
        .layer(CompressionLayer::new())
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, PATIENCE))
        .layer(fixed(header::CONTENT_SECURITY_POLICY, POLICY))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer"))
        .layer(fixed(HeaderName::from_static("cross-origin-opener-policy"), "same-origin"))
        .layer(fixed(HeaderName::from_static("cross-origin-resource-policy"), "same-origin"))
        .layer(fixed(header::CACHE_CONTROL, "no-cache"))
}

async fn health(State(site): State<Arc<Site>>) -> Json<serde_json::Value> {
    let (all, busy, waiting) = site.engines.state();
    Json(serde_json::json!({
        "ok": true, "engines": {"all": all, "busy": busy, "waiting": waiting},
    }))
}

/// Serves until `stop` is done. Requests that are under way may finish, but not for long.
pub async fn serve(
    listener: tokio::net::TcpListener,
    site: Arc<Site>,
    terms: Terms,
    token: Option<String>,
    stop: impl Future<Output = ()> + Send,
) -> std::io::Result<()> {
    let address = listener.local_addr()?;
    connections::accept(listener, router(site, address, token), terms, stop).await;
    Ok(())
}

//! The page itself: files that are part of the program.

use super::error::Refusal;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

/// A file of the page.
struct File {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! files {
    ($($path:literal as $kind:literal),* $(,)?) => {
        &[$(File { path: $path, kind: $kind, bytes: include_bytes!(concat!("../../page", $path)) }),*]
    };
}

/// Built from `web/` by `npm run build`; the first is also what `/` shows.
const FILES: &[File] = files![
    "/index.html" as "text/html; charset=utf-8",
    "/app.js" as "text/javascript; charset=utf-8",
    "/app.css" as "text/css; charset=utf-8",
    "/icon.svg" as "image/svg+xml",
];

/// What is asked and answered, for programs.
pub async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("openapi.json"))
}

/// A file of the page by its path.
pub async fn file(uri: Uri, headers: HeaderMap) -> Result<Response, Refusal> {
    let path = if uri.path() == "/" { "/index.html" } else { uri.path() };
    let file = FILES.iter().find(|f| f.path == path);
    let file = file.ok_or_else(|| Refusal::missing("there is no such page"))?;
    // A browser that has this very file gets no second copy.
    let tag = format!("\"{}\"", &blake3::hash(file.bytes).to_hex()[..16]);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|v| v.as_bytes() == tag.as_bytes());
    let head = [(header::CONTENT_TYPE, file.kind.to_string()), (header::ETAG, tag)];
    Ok(if known {
        (StatusCode::NOT_MODIFIED, head).into_response()
    } else {
        (head, file.bytes).into_response()
    })
}

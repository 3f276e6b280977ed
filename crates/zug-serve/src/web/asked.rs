//! What somebody sends, or one sentence about what is wrong with it.

use super::error::Refusal;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// A body of JSON.
pub struct Asked<T>(pub T);

/// The words after the `?` of an address.
pub struct Words<T>(pub T);

/// A body of any kind.
pub struct Sent(pub Bytes);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Asked<T>, Refusal> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Asked(value)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "expected JSON, with the header 'content-type: application/json'",
            )),
            Err(JsonRejection::BytesRejection(error)) => Err(too_large(&error)),
            Err(error) => Err(explained(&error.body_text())),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Words<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Words<T>, Refusal> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        read.map(|Query(value)| Words(value)).map_err(|error: QueryRejection| {
            let text = error.body_text();
            let why = text.split_once(": ").map_or(text.as_str(), |(_, why)| why);
            Refusal::bad(format!("expected other words after '?': {why}"))
        })
    }
}

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Sent, Refusal> {
        Bytes::from_request(request, state).await.map(Sent).map_err(|error| too_large(&error))
    }
}

fn too_large(error: &BytesRejection) -> Refusal {
    let status = error.status();
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return Refusal::new(status, "expected less: this is more than is taken here");
    }
    Refusal::new(status, "the request broke off")
}

/// The library says `what went wrong: path: why`, or without the path.
fn explained(text: &str) -> Refusal {
    let why = text.split_once(": ").map_or(text, |(_, why)| why);
    let is_path = |part: &str| !part.is_empty() && !part.contains(' ') && part != ".";
    match why.split_once(": ").filter(|(path, _)| is_path(path)) {
        Some((path, why)) => {
            Refusal::bad(format!("expected what openapi.json describes; {why}")).at(path)
        }
        None => Refusal::bad(format!("expected what openapi.json describes; {why}")),
    }
}

//! What goes wrong, told to a page: a status and one sentence.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use serde::Serialize;

/// An answer that is none.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    message: String,
    place: Option<String>,
}

/// What is sent.
#[derive(Serialize)]
struct Body {
    error: Told,
}

#[derive(Serialize)]
struct Told {
    message: String,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

impl Refusal {
    /// With a status.
    pub fn new(status: StatusCode, message: impl ToString) -> Refusal {
        Refusal { status, message: message.to_string(), place: None }
    }

    /// The request makes no sense.
    pub fn bad(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// There is no such thing.
    pub fn missing(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, message)
    }

    /// It is asked in another way.
    pub fn method(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message)
    }

    /// Too many are waiting already.
    pub fn busy() -> Refusal {
        Refusal::busy_with(
            "too many questions are waiting for an engine; please try again in a moment",
        )
    }

    /// Too much is under way already, as these words say.
    pub fn busy_with(message: &str) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// It could be read, but is more than is taken.
    pub fn too_much(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// Something here broke.
    pub fn broken(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// The same, with other words for something that is not to be told.
    #[must_use]
    pub fn without(mut self, secret: &str, words: &str) -> Refusal {
        self.message = self.message.replace(secret, words);
        self
    }

    /// The same, with the part of the request that is at fault.
    #[must_use]
    pub fn at(mut self, place: impl ToString) -> Refusal {
        self.place = Some(place.to_string());
        self
    }

    /// The same, with the part of the request that holds the one at fault.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Refusal {
        self.place = Some(match self.place {
            Some(inner) => format!("{outer}.{inner}"),
            None => outer.to_string(),
        });
        self
    }

    /// The same for somebody who looks at it in a browser.
    pub fn page(&self) -> Response {
        let text: String = self
            .message
            .chars()
            .map(|c| match c {
                '<' | '>' | '&' => ' ',
                c => c,
            })
            .collect();
        let page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Zug</title>\
             <meta name=\"viewport\" content=\"width=device-width\"><h1>Zug</h1><p>{text}.</p>\
             <p><a href=\"\">Try again</a></p></html>"
        );
        (self.status, Html(page)).into_response()
    }

    /// For a stream that has begun: no status can be sent any more.
    pub fn event(&self) -> impl Serialize + use<> {
        Body { error: Told { message: self.message.clone(), place: self.place.clone() } }
    }

    /// What is sent, as text.
    pub fn text(&self) -> String {
        serde_json::to_string(&self.event()).unwrap_or_default()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.event())).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            let headers = response.headers_mut();
            headers.insert("retry-after", axum::http::HeaderValue::from_static("2"));
        }
        response
    }
}

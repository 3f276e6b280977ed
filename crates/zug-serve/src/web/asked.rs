//! What somebody sends, or one sentence about what is wrong with it.

use super::error::Refusal;
use super::site::Site;
use super::uploads::Upload;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A body of JSON is no larger: the longest game of Go fits twenty times.
const MOST_BODY: usize = 256 << 10;

/// A body of JSON.
pub struct Asked<T, const MOST: usize = MOST_BODY>(pub T);

/// The words after the `?` of an address.
pub struct Words<T>(pub T);

/// The part of an address that names something.
pub struct Named(pub String);

/// A body of any kind.
pub struct Sent<const MOST: usize>(pub Upload);

impl<T: DeserializeOwned, const MOST: usize> FromRequest<Arc<Site>> for Asked<T, MOST> {
    type Rejection = Refusal;

    async fn from_request(request: Request, site: &Arc<Site>) -> Result<Self, Refusal> {
        let (parts, body) = request.into_parts();
        if !is_json(&parts.headers) {
            return Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "expected JSON, with the header 'content-type: application/json'",
            ));
        }
        let upload = site.uploads.take(&parts, body, MOST).await?;
        read_json(upload.bytes()).map(Asked)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or("").trim();
    kind.eq_ignore_ascii_case("application/json")
}

impl<T: DeserializeOwned> FromRequestParts<Arc<Site>> for Words<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Site>) -> Result<Words<T>, Refusal> {
        // The guard has looked at the token.
        let query = parts.uri.query().unwrap_or_default().split('&');
        let query: Vec<&str> = query.filter(|word| !word.starts_with("token=")).collect();
        let bad = |why: &str| Refusal::bad(format!("expected other words after '?': {why}"));
        let uri: Uri = format!("/?{}", query.join("&")).parse().map_err(|_| bad("not readable"))?;
        let read = Query::<T>::try_from_uri(&uri);
        read.map(|Query(value)| Words(value)).map_err(|error| {
            let text = error.body_text();
            bad(text.split_once(": ").map_or(text.as_str(), |(_, why)| why))
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Named, Refusal> {
        let read = Path::<String>::from_request_parts(parts, state).await;
        let bad = |_| Refusal::bad("expected a name in UTF-8, percent-encoded, in the address");
        read.map(|Path(name)| Named(name)).map_err(bad)
    }
}

impl<const MOST: usize> FromRequest<Arc<Site>> for Sent<MOST> {
    type Rejection = Refusal;

    async fn from_request(request: Request, site: &Arc<Site>) -> Result<Self, Refusal> {
        let (parts, body) = request.into_parts();
        site.uploads.take(&parts, body, MOST).await.map(Sent)
    }
}

fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let mut text = serde_json::Deserializer::from_slice(bytes);
    let told = |why: &dyn fmt::Display| format!("expected what openapi.json describes; {why}");
    let value = serde_path_to_error::deserialize(&mut text).map_err(|error| {
        let place = error.path().to_string();
        let refusal = Refusal::bad(told(error.inner()));
        if place.is_empty() || place == "." { refusal } else { refusal.at(place) }
    })?;
    text.end().map_err(|error| Refusal::bad(told(&error)))?;
    Ok(value)
}

/// Reads a type by what was derived for it (`#[serde(remote = "Self")]`), but from objects alone: the derived code
/// takes an array for its fields in their order, and names the type when it is disappointed.
macro_rules! from_objects {
    ($($name:ty),* $(,)?) => {$(
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                <$name>::deserialize($crate::web::asked::Object(from))
            }
        }
    )*};
}
pub(crate) use from_objects;

/// The same for a type that is sent as well, and whose way out was derived along with its way in.
macro_rules! to_and_from_objects {
    ($($name:ty),* $(,)?) => {
        $crate::web::asked::from_objects!($($name),*);
        $(impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                <$name>::serialize(self, to)
            }
        })*
    };
}
pub(crate) use to_and_from_objects;

/// See [`from_objects`].
pub(crate) struct Object<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Object<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Fields(visitor))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Fields<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Fields<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(map)
    }
}

/// Reads a type whose values are words; `null` or an object is none.
macro_rules! from_words {
    ($($name:ty),* $(,)?) => {$(
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let word = <String as ::serde::Deserialize>::deserialize(from)?;
                <$name>::deserialize($crate::web::asked::word(&word))
            }
        }
    )*};
}
pub(crate) use from_words;

/// The same for a type that is sent as well.
macro_rules! to_and_from_words {
    ($($name:ty),* $(,)?) => {
        $crate::web::asked::from_words!($($name),*);
        $(impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                <$name>::serialize(self, to)
            }
        })*
    };
}
pub(crate) use to_and_from_words;

/// See [`from_words`].
pub(crate) fn word<E: de::Error>(word: &str) -> BorrowedStrDeserializer<'_, E> {
    BorrowedStrDeserializer::new(word)
}

/// A whole number within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const LEAST: u64, const MOST: u64>(u64);

impl<const LEAST: u64, const MOST: u64> Whole<LEAST, MOST> {
    /// A count that is known to lie within.
    pub fn of(count: usize) -> Self {
        Whole((count as u64).clamp(LEAST, MOST))
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The same as a count of something.
    pub const fn size(self) -> usize {
        self.0 as usize
    }
}

impl<const LEAST: u64, const MOST: u64> serde::Serialize for Whole<LEAST, MOST> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(self.0)
    }
}

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for Whole<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Number<const LEAST: u64, const MOST: u64>;
        impl<const LEAST: u64, const MOST: u64> Number<LEAST, MOST> {
            fn bounded<E: de::Error>(
                number: Option<u64>,
                found: &dyn fmt::Display,
            ) -> Result<u64, E> {
                let number = number.filter(|n| (LEAST..=MOST).contains(n));
                number.ok_or_else(|| {
                    E::custom(format_args!(
                        "expected a whole number from {LEAST} to {MOST}, found {found}"
                    ))
                })
            }
        }
        impl<const LEAST: u64, const MOST: u64> Visitor<'_> for Number<LEAST, MOST> {
            type Value = u64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number from {LEAST} to {MOST}")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<u64, E> {
                Self::bounded(Some(number), &number)
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<u64, E> {
                Self::bounded(u64::try_from(number).ok(), &number)
            }

            // 3.0 is a whole number, too.
            fn visit_f64<E: de::Error>(self, number: f64) -> Result<u64, E> {
                let is_whole = number >= 0.0 && number < 2f64.powi(64) && number.fract() == 0.0;
                Self::bounded(is_whole.then_some(number as u64), &number)
            }

            // Words after the '?' are text.
            fn visit_str<E: de::Error>(self, text: &str) -> Result<u64, E> {
                Self::bounded(text.parse().ok(), &format_args!("'{text}'"))
            }
        }
        from.deserialize_any(Number::<LEAST, MOST>).map(Whole)
    }
}

/// A list of at most so many things, refused before the next one is read.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct Few<T, const MOST: usize>(pub Vec<T>);

impl<T, const MOST: usize> Default for Few<T, MOST> {
    fn default() -> Self {
        Few(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for Few<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct List<T, const MOST: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for List<T, MOST> {
            type Value = Vec<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MOST}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
                let mut found = Vec::new();
                while let Some(next) = list.next_element()? {
                    if found.len() == MOST {
                        return Err(de::Error::custom(format_args!(
                            "expected at most {MOST}, found more"
                        )));
                    }
                    found.push(next);
                }
                Ok(found)
            }
        }
        from.deserialize_seq(List::<T, MOST>(PhantomData)).map(Few)
    }
}

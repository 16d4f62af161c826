//! What requests carry, read strictly: every refusal has the same form, whatever is wrong with a request.

use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};

use crate::limits;
use crate::refusal::Refusal;

/// The JSON object that a request carries.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Refusal> {
        let rejection = match Json::<ObjectOf<T>>::from_request(request, state).await {
            Ok(Json(ObjectOf(value))) => return Ok(Body(value)),
            Err(rejection) => rejection,
        };
        let status = rejection.status();
        let message = match status {
            StatusCode::PAYLOAD_TOO_LARGE => {
                let most = limits::REQUEST_BYTES;
                format!("the request is too long; at most {most} bytes are read")
            }
            _ => {
                let text = rejection.body_text();
                let why = text.split_once(": ").map_or(text.as_str(), |(_, why)| why);
                format!("the request is not understood: {why}")
            }
        };
        Err(Refusal { status, ..Refusal::bad(message) })
    }
}

/// The only parameter in the path of a request.
#[derive(Debug)]
pub(crate) struct PathName(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathName {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathName, Refusal> {
        let found = Path::<String>::from_request_parts(parts, state).await;
        let Path(name) = found.map_err(|rejection| Refusal::bad(rejection.body_text()))?;
        Ok(PathName(name))
    }
}

/// What stands behind the question mark of a request.
#[derive(Debug)]
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Refusal> {
        let found = Query::<T>::from_request_parts(parts, state).await;
        let Query(value) = found.map_err(|rejection| Refusal::bad(rejection.body_text()))?;
        Ok(Asked(value))
    }
}

/// A value that is written as a JSON object. By itself, serde takes a list of the fields' values, too.
struct ObjectOf<T>(T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for ObjectOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ObjectOf<T>, D::Error> {
        object(deserializer).map(ObjectOf)
    }
}

/// Reads a field that is an object and nothing else.
pub(crate) fn object<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    let fields = Map::<String, Value>::deserialize(deserializer)?;
    T::deserialize(Value::Object(fields)).map_err(D::Error::custom)
}

/// Reads a field that may be left out, but is not null.
pub(crate) fn present<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Reads a whole number, which may be written as `7.0`: for JSON that is the same.
pub(crate) fn whole<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: TryFrom<u64>,
    D: Deserializer<'de>,
{
    let number = Number::deserialize(deserializer)?;
    whole_of(&number).ok_or_else(|| D::Error::custom(format!("{number} is no such whole number")))
}

/// The same where there may be none.
pub(crate) fn whole_or_none<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: TryFrom<u64>,
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(bound = "T: TryFrom<u64>")]
    struct Whole<T>(#[serde(deserialize_with = "whole")] T);
    let read = Option::<Whole<T>>::deserialize(deserializer)?;
    Ok(read.map(|Whole(number)| number))
}

fn whole_of<T: TryFrom<u64>>(number: &Number) -> Option<T> {
    /// Up to here every whole number has a float of its own.
    const LARGEST: f64 = (1u64 << 53) as f64;
    let float = || number.as_f64().filter(|float| (0.0..=LARGEST).contains(float));
    let whole = || float().filter(|float| float.fract() == 0.0).map(|float| float as u64);
    T::try_from(number.as_u64().or_else(whole)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_a_point() {
        let read = |text: &str| {
            let number: Number = serde_json::from_str(text).expect("a number");
            whole_of::<u32>(&number)
        };
        for text in ["7", "7.0", "0.7e1"] {
            assert_eq!(read(text), Some(7), "{text}");
        }
        for text in ["7.5", "-7", "-7.0", "1e300", "4294967296", "4294967296.0"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}

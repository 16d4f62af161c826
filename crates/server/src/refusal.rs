//! Why a request is refused, as clients are told.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use regulus_game::Error;
use serde_json::json;

/// A request that is refused, with the reason in a sentence.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) id: &'static str,
    pub(crate) message: String,
    /// After how many seconds it may be tried again, if that is known.
    pub(crate) retry_after: Option<u64>,
}

impl Refusal {
    fn new(status: StatusCode, id: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { status, id, message: message.into(), retry_after: None }
    }

    /// The request is wrong.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, "bad-input", message)
    }

    /// It cannot be done with this game.
    pub(crate) fn unplayable(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "too-large", message)
    }

    /// There is no such thing.
    pub(crate) fn missing(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// The client may not do this.
    pub(crate) fn forbidden(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// A limit is reached that others use up, too.
    pub(crate) fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    /// A client asks for too much in a short time; after some seconds it may go on.
    pub(crate) fn too_fast(message: impl Into<String>, seconds: u64) -> Refusal {
        let refusal = Refusal::new(StatusCode::TOO_MANY_REQUESTS, "too-fast", message);
        Refusal { retry_after: Some(seconds), ..refusal }
    }

    /// The server itself has failed.
    pub(crate) fn broken(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", message)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        let id = error.id();
        let mut message = error.to_string();
        if let Some(first) = error.diagnostics().first().filter(|_| id == "bad-game") {
            message = format!("{message}: {}", first.message);
        }
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, id, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let error = json!({ "error": { "id": self.id, "message": self.message } });
        let retry = self.retry_after.map(|seconds| [(header::RETRY_AFTER, seconds.to_string())]);
        let answer = (self.status, Json(error));
        match retry {
            Some(retry) => (retry, answer).into_response(),
            None => answer.into_response(),
        }
    }
}

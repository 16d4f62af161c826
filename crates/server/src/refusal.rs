//! Why a request is refused, as clients are told.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use regulus_game::Error;
use serde_json::json;

/// A request that is refused, with the reason in a sentence.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) id: &'static str,
    pub(crate) message: String,
}

impl Refusal {
    /// The request is wrong.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, id: "bad-input", message: message.into() }
    }

    /// There is no such thing.
    pub(crate) fn missing(message: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::NOT_FOUND, id: "not-found", message: message.into() }
    }

    /// The client may not do this.
    pub(crate) fn forbidden(message: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::FORBIDDEN, id: "forbidden", message: message.into() }
    }

    /// A limit is reached that others use up, too.
    pub(crate) fn busy(message: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::SERVICE_UNAVAILABLE, id: "busy", message: message.into() }
    }

    /// The server itself has failed.
    pub(crate) fn broken(message: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::INTERNAL_SERVER_ERROR, id: "failed", message: message.into() }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        let (status, id) = (StatusCode::UNPROCESSABLE_ENTITY, error.id());
        let mut message = error.to_string();
        if let Some(first) = error.diagnostics().first().filter(|_| id == "bad-game") {
            message = format!("{message}: {}", first.message);
        }
        Refusal { status, id, message }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let error = json!({ "error": { "id": self.id, "message": self.message } });
        (self.status, Json(error)).into_response()
    }
}

//! Who may ask: pages of this server only, and what browsers may do with its answers.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::refusal::Refusal;

/// Nothing from elsewhere is loaded, and nothing within a page is run that is not one of our files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
    font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// By which names the server may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostNames {
    /// Those of this machine alone, so that no other site can pass its name off as that of this machine.
    Local,
    /// Any.
    Any,
}

/// Refuses requests that another site's page makes, and adds headers that keep browsers safe.
pub(crate) async fn guard(
    State(names): State<HostNames>,
    request: Request,
    next: Next,
) -> Response {
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_socket = request.headers().contains_key(header::UPGRADE);
    let mut response = if names == HostNames::Local && !is_local(request.headers()) {
        Refusal::forbidden("this server is called by the name of this machine only, as 127.0.0.1")
            .into_response()
    } else if (is_safe && !is_socket) || is_same_origin(request.headers()) {
        next.run(request).await
    } else {
        Refusal::forbidden("this request comes from a page of another site").into_response()
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        // A page that needs a policy of its own has one.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Whether a request calls the server by a name of this machine.
fn is_local(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name == "localhost"
        || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Whether a request comes from a page of this server, or from a program, which names no page.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    match (headers.get(header::ORIGIN), text(header::HOST)) {
        (None, _) => true,
        (Some(origin), Some(host)) => {
            let origin = origin.to_str().unwrap_or_default();
            origin.split_once("://").is_some_and(|(_, site)| site == host)
        }
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine_are_known() {
        let is_local = |host: &'static str| {
            is_local(&HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))]))
        };
        for host in ["127.0.0.1:7878", "localhost:80", "localhost", "[::1]:7878", "127.0.0.1"] {
            assert!(is_local(host), "{host}");
        }
        for host in ["evil.example:7878", "127.0.0.1.evil.example", "", "10.0.0.1:7878"] {
            assert!(!is_local(host), "{host}");
        }
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let headers = |origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:7070"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            headers
        };
        assert!(is_same_origin(&headers(None)));
        assert!(is_same_origin(&headers(Some("http://127.0.0.1:7070"))));
        assert!(!is_same_origin(&headers(Some("http://127.0.0.1:8080"))));
        assert!(!is_same_origin(&headers(Some("null"))));
    }
}

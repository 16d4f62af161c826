//! The files of the page, embedded in the program and compressed when they are first asked for.

use std::io::Write as _;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The path and the content of every file.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What the addresses of games and matches begin with.
const PLACES: [&str; 2] = ["g/", "m/"];

/// A file, ready to be sent.
struct Asset {
    path: &'static str,
    plain: &'static [u8],
    packed: Bytes,
    /// Changes when the content does.
    tag: String,
}

/// The file at a path, or the page itself, which finds out by the address what to show.
pub(crate) fn respond(path: &str, headers: &HeaderMap) -> Response {
    let assets = assets();
    let asset = assets.iter().find(|asset| asset.path == path);
    // Names of games and matches may have dots.
    let is_place = PLACES.iter().any(|place| path.starts_with(place));
    let looks_like_file = !is_place && path.contains('.');
    let asset = match asset {
        None if looks_like_file => None,
        None => assets.iter().find(|asset| asset.path == "index.html"),
        found => found,
    };
    let Some(asset) = asset else {
        return (StatusCode::NOT_FOUND, "There is no such page.").into_response();
    };
    let value = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let common = [(header::ETAG, asset.tag.as_str()), (header::CACHE_CONTROL, "no-cache")];
    if value(header::IF_NONE_MATCH) == asset.tag {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let kind =
        [(header::CONTENT_TYPE, content_type(asset.path)), (header::VARY, "accept-encoding")];
    if takes_packed(headers) {
        let packing = [(header::CONTENT_ENCODING, "gzip")];
        return (common, kind, packing, asset.packed.clone()).into_response();
    }
    (common, kind, asset.plain).into_response()
}

fn assets() -> &'static [Asset] {
    static ASSETS: OnceLock<Vec<Asset>> = OnceLock::new();
    ASSETS.get_or_init(|| {
        let asset = |&(path, plain): &(&'static str, &'static [u8])| {
            let packed = packed(plain);
            let tag = format!("\"{:08x}-{:x}\"", checksum(plain), plain.len());
            Asset { path, plain, packed, tag }
        };
        FILES.iter().map(asset).collect()
    })
}

/// Whether a client can read what is compressed.
pub(crate) fn takes_packed(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("gzip"))
}

/// Something compressed.
pub(crate) fn packed(plain: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(plain);
    encoder.finish().unwrap_or_default().into()
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    sum.sum()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_places_are_the_page_and_unknown_files_are_missing() {
        let none = HeaderMap::new();
        for path in ["index.html", "", "m/abc", "g/chess", "g/chess.abg", "new"] {
            assert_eq!(respond(path, &none).status(), StatusCode::OK, "{path}");
        }
        assert_eq!(respond("nothing.js", &none).status(), StatusCode::NOT_FOUND);
    }
}

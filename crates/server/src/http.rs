//! The requests that are answered, see docs/server.md.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Json;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any, get, post};
use regulus_agents::{KINDS, Kind, OptionInfo, OptionKind};
use regulus_game::{Theme, bundled};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::assets;
use crate::extract::{Asked, Body, PathName, object};
use crate::guard::{HostNames, guard};
use crate::hub::{Hub, MatchRequest, check_client};
use crate::library::{self, GameReference};
use crate::limits;
use crate::live::levels;
use crate::nets;
use crate::rates::Wish;
use crate::refusal::Refusal;
use crate::series::SeriesRequest;
use crate::socket;
use crate::texts::{self, AutomatonRequest, CheckRequest, GenerateRequest};
use crate::view;

type JsonAnswer = Result<Json<Value>, Refusal>;
type SharedHub = State<Arc<Hub>>;
/// Where a request comes from.
type Origin = ConnectInfo<SocketAddr>;

/// The description of all this for programs, see https://spec.openapis.org.
const OPENAPI: &str = include_str!("../openapi.json");

/// How many bytes a socket reads at a time.
const READ_BUFFER: usize = 4096;

/// The addresses that are answered; each is described in `openapi.json`.
fn routes() -> [(&'static str, MethodRouter<Arc<Hub>>); 19] {
    [
        ("/api/openapi.json", get(openapi)),
        ("/api/games", get(games)),
        ("/api/games/{name}", get(game)),
        ("/api/games/{name}/board.svg", get(picture)),
        ("/api/players", get(players)),
        ("/api/runs/{name}", get(run_report)),
        ("/api/check", post(check)),
        ("/api/format", post(formatted)),
        ("/api/guide", post(guide)),
        ("/api/automaton", post(automaton)),
        ("/api/eval", post(eval)),
        ("/api/generate", get(properties).post(generate)),
        ("/api/matches", post(create)),
        ("/api/matches/{id}", get(find)),
        ("/api/matches/{id}/transcript", get(transcript)),
        ("/api/matches/{id}/socket", get(open_socket)),
        ("/api/series", post(start_series)),
        ("/api/series/{id}", get(series)),
        ("/api/series/{id}/end", post(end_series)),
    ]
}

/// All requests.
pub(crate) fn router(hub: Arc<Hub>, names: HostNames) -> Router {
    let add = |router: Router<Arc<Hub>>, (path, methods)| router.route(path, methods);
    let unknown_places = ["/api", "/api/", "/api/{*rest}"].map(|path| (path, any(unknown)));
    let router = routes().into_iter().chain(unknown_places).fold(Router::new(), add);
    router
        .method_not_allowed_fallback(wrong_method)
        .fallback(page)
        .layer(DefaultBodyLimit::max(limits::REQUEST_BYTES))
        .layer(middleware::from_fn_with_state(names, guard))
        .with_state(hub)
}

async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return ([(header::ALLOW, "GET,HEAD")], wrong_method(method, uri).await).into_response();
    }
    assets::respond(uri.path().trim_start_matches('/'), &headers)
}

async fn unknown(uri: Uri) -> Refusal {
    Refusal::missing(format!("there is nothing at {}", uri.path()))
}

/// The header that says which methods there are is added where the methods are known.
async fn wrong_method(method: Method, uri: Uri) -> Refusal {
    let message = format!("{} does not answer to the method {method}", uri.path());
    Refusal { status: StatusCode::METHOD_NOT_ALLOWED, ..Refusal::bad(message) }
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

async fn games(State(hub): SharedHub) -> JsonAnswer {
    let cards = hub.run(false, |_| Ok(library::cards())).await?;
    Ok(Json(json!({ "games": cards })))
}

async fn game(State(hub): SharedHub, PathName(name): PathName) -> JsonAnswer {
    let card = hub.run(false, move |hub| {
        let mut card = library::card(&name)?;
        let source = bundled::find(&name);
        // Which nets play it.
        if let Some(source) = source.clone().filter(|_| !hub.nets().nets().is_empty()) {
            card["game"] = json!(format!("{:016x}", hub.shelf.load(source)?.fingerprint()));
        }
        card["source"] = json!(source.as_ref().map(regulus_lang::Source::text));
        Ok(card)
    });
    card.await.map(Json)
}

#[derive(Debug, Deserialize)]
struct PictureQuery {
    #[serde(default)]
    theme: Option<String>,
}

async fn picture(
    State(hub): SharedHub,
    PathName(name): PathName,
    Asked(query): Asked<PictureQuery>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let theme = match query.theme.as_deref() {
        None | Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        Some(other) => {
            return Err(Refusal::bad(format!(
                "there is no theme `{other}`; there are light and dark"
            )));
        }
    };
    let common = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "max-age=3600"),
        (header::VARY, "accept-encoding"),
    ];
    if assets::takes_packed(&headers) {
        let svg = hub.run(false, move |_| library::packed_picture(&name, theme)).await?;
        return Ok((common, [(header::CONTENT_ENCODING, "gzip")], svg).into_response());
    }
    let svg = hub.run(false, move |_| library::picture(&name, theme)).await?;
    Ok((common, svg).into_response())
}

async fn players(State(hub): SharedHub) -> JsonAnswer {
    let option = |option: &OptionInfo| match option.kind {
        OptionKind::Whole { default, least, most } => json!({
            "name": option.name, "about": option.about, "type": "whole",
            "default": default, "least": least, "most": most,
        }),
        OptionKind::Real { default, least, most } => json!({
            "name": option.name, "about": option.about, "type": "real",
            "default": default, "least": least, "most": most,
        }),
        OptionKind::Choice { names } => json!({
            "name": option.name, "about": option.about, "type": "choice",
            "default": names[0], "names": names,
        }),
    };
    let kind = |kind: &Kind| {
        let options: Vec<Value> = kind.options.iter().map(option).collect();
        json!({ "name": kind.name, "about": kind.about, "options": options })
    };
    // Each net is a kind of its own, of one game.
    let nets = hub.run(false, |hub| Ok(hub.nets().nets())).await?;
    let nets = nets.into_iter().map(|net| {
        let mut value = kind(nets::kind());
        value["name"] = json!(format!("net:{}", net.name));
        value["about"] = json!(net.about);
        value["game"] = json!(format!("{:016x}", net.fingerprint));
        if let Some(run) = net.report {
            value["run"] = json!(run);
        }
        value
    });
    let kinds: Vec<Value> = KINDS.iter().map(kind).chain(nets).collect();
    let levels: Vec<Value> = (1..)
        .zip(levels())
        .map(|(level, (name, player))| json!({ "level": level, "name": name, "player": player }))
        .collect();
    Ok(Json(json!({ "kinds": kinds, "levels": levels })))
}

/// The report of a run of training: a page without scripts, which needs nothing else.
async fn run_report(State(hub): SharedHub, PathName(name): PathName) -> Result<Response, Refusal> {
    let report = hub.run(false, move |hub| hub.nets().report(&name)).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ];
    Ok((headers, report).into_response())
}

async fn check(
    State(hub): SharedHub,
    ConnectInfo(from): Origin,
    Body(request): Body<CheckRequest>,
) -> JsonAnswer {
    hub.admit_text(from.ip())?;
    hub.run(true, move |_| texts::check(&request)).await.map(Json)
}

async fn formatted(
    State(hub): SharedHub,
    ConnectInfo(from): Origin,
    Body(request): Body<CheckRequest>,
) -> JsonAnswer {
    hub.admit_text(from.ip())?;
    hub.run(true, move |_| texts::formatted(&request)).await.map(Json)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameRequest {
    #[serde(deserialize_with = "object")]
    game: GameReference,
}

async fn guide(
    State(hub): SharedHub,
    ConnectInfo(from): Origin,
    Body(request): Body<GameRequest>,
) -> JsonAnswer {
    let game = request.game;
    hub.admit_text(from.ip())?;
    hub.run(game.is_untrusted(), move |_| texts::guide(&game)).await.map(Json)
}

async fn automaton(
    State(hub): SharedHub,
    ConnectInfo(from): Origin,
    Body(request): Body<AutomatonRequest>,
) -> JsonAnswer {
    hub.admit_text(from.ip())?;
    hub.run(true, move |_| texts::automaton(&request)).await.map(Json)
}

async fn eval(
    State(hub): SharedHub,
    ConnectInfo(from): Origin,
    Body(request): Body<GameRequest>,
) -> Result<Response, Refusal> {
    hub.admit_text(from.ip())?;
    let is_untrusted = request.game.is_untrusted();
    let game = request.game;
    let game = hub.run(is_untrusted, move |hub| hub.shelf.load(game.source()?)).await?;
    let worth = hub.tutor.worth(game, is_untrusted).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], worth.to_string()).into_response())
}

async fn properties() -> Json<Value> {
    Json(texts::properties())
}

async fn generate(
    State(hub): SharedHub,
    ConnectInfo(from): Origin,
    Body(request): Body<GenerateRequest>,
) -> JsonAnswer {
    hub.admit_text(from.ip())?;
    hub.run(false, move |_| texts::invent(&request)).await.map(Json)
}

async fn create(
    State(hub): SharedHub,
    ConnectInfo(from): Origin,
    Body(request): Body<MatchRequest>,
) -> Result<Response, Refusal> {
    hub.admit(Wish::Match, from.ip(), &request.client, &request.game)?;
    let is_untrusted = request.game.is_untrusted();
    let id = hub.run(is_untrusted, move |hub| hub.create(request)).await?;
    let place = [(header::LOCATION, format!("/api/matches/{id}"))];
    Ok((StatusCode::CREATED, place, Json(json!({ "id": id }))).into_response())
}

async fn find(State(hub): SharedHub, PathName(id): PathName) -> JsonAnswer {
    let found = hub.on_match(id, |live| {
        let source = live.game.source();
        let name = live.reference.name();
        let title = name.map_or_else(|| library::title_of_text(source), library::title);
        Ok(json!({
            "id": live.id,
            "game": {
                "name": name, "title": title, "language": library::language_name(source),
                "source": source.text(),
            },
            "board": view::board(&live.game),
        }))
    });
    found.await.map(Json)
}

async fn transcript(State(hub): SharedHub, PathName(id): PathName) -> Result<String, Refusal> {
    hub.on_match(id, |live| Ok(live.transcript().to_string())).await
}

async fn start_series(
    State(hub): SharedHub,
    ConnectInfo(from): Origin,
    Body(request): Body<SeriesRequest>,
) -> Result<Response, Refusal> {
    hub.admit(Wish::Series, from.ip(), &request.client, &request.game)?;
    let is_untrusted = request.game.is_untrusted();
    let series = hub.run(is_untrusted, move |hub| hub.start_series(request)).await?;
    let place = [(header::LOCATION, format!("/api/series/{}", series.id))];
    Ok((StatusCode::CREATED, place, Json(series.to_json())).into_response())
}

async fn series(State(hub): SharedHub, PathName(id): PathName) -> JsonAnswer {
    hub.series.find(&id).map(|series| Json(series.to_json()))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClientRequest {
    client: String,
}

async fn end_series(
    State(hub): SharedHub,
    PathName(id): PathName,
    Body(request): Body<ClientRequest>,
) -> JsonAnswer {
    let series = hub.series.find(&id)?;
    series.end(&request.client)?;
    Ok(Json(series.to_json()))
}

#[derive(Debug, Deserialize)]
struct SocketQuery {
    #[serde(default)]
    client: String,
}

async fn open_socket(
    State(hub): SharedHub,
    PathName(id): PathName,
    Asked(query): Asked<SocketQuery>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    check_client(&query.client)?;
    let live = hub.on_match(id, |live| Ok(Arc::clone(live))).await?;
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => {
            let message = format!("this address is a WebSocket: {}", rejection.body_text());
            let status = StatusCode::UPGRADE_REQUIRED;
            let refusal = Refusal { status, ..Refusal::bad(message) };
            return Ok(([(header::UPGRADE, "websocket")], refusal).into_response());
        }
    };
    if hub.sockets.fetch_add(1, Ordering::Relaxed) >= limits::SOCKETS {
        hub.sockets.fetch_sub(1, Ordering::Relaxed);
        let most = limits::SOCKETS;
        return Err(Refusal::busy(format!("{most} browsers are connected, and no more fit")));
    }
    // Messages of clients are short, and each socket keeps room for reading them.
    let upgrade = upgrade
        .max_message_size(limits::MESSAGE_BYTES)
        .max_frame_size(limits::MESSAGE_BYTES)
        .read_buffer_size(READ_BUFFER);
    let failed = Arc::clone(&hub);
    let upgrade = upgrade.on_failed_upgrade(move |_| {
        failed.sockets.fetch_sub(1, Ordering::Relaxed);
    });
    Ok(upgrade.on_upgrade(move |socket| socket::serve(socket, hub, live, query.client)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_is_described() {
        let document: Value = serde_json::from_str(OPENAPI).expect("JSON");
        let described: Vec<&String> =
            document["paths"].as_object().expect("an object").keys().collect();
        let mut answered: Vec<&str> = routes().iter().map(|(path, _)| *path).collect();
        answered.sort_unstable();
        assert_eq!(described, answered);
    }
}

//! The requests that are answered, see docs/server.md.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Json;
use axum::Router;
use axum::extract::rejection::JsonRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use regulus_agents::{KINDS, Kind, OptionInfo, OptionKind};
use regulus_game::{Theme, bundled};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::assets;
use crate::guard::{HostNames, guard};
use crate::hub::{Hub, MatchRequest, check_client};
use crate::library::{self, GameReference};
use crate::limits;
use crate::live::LEVELS;
use crate::refusal::Refusal;
use crate::series::SeriesRequest;
use crate::socket;
use crate::texts::{self, AutomatonRequest, CheckRequest, GenerateRequest};
use crate::view;

type JsonAnswer = Result<Json<Value>, Refusal>;
type SharedHub = State<Arc<Hub>>;
/// The JSON of a request, or why it is none.
type Sent<T> = Result<Json<T>, JsonRejection>;

/// All requests.
pub(crate) fn router(hub: Arc<Hub>, names: HostNames) -> Router {
    Router::new()
        .route("/api/games", get(games))
        .route("/api/games/{name}", get(game))
        .route("/api/games/{name}/board.svg", get(picture))
        .route("/api/players", get(players))
        .route("/api/check", post(check))
        .route("/api/format", post(formatted))
        .route("/api/guide", post(guide))
        .route("/api/automaton", post(automaton))
        .route("/api/generate", get(properties).post(generate))
        .route("/api/matches", post(create))
        .route("/api/matches/{id}", get(find))
        .route("/api/matches/{id}/transcript", get(transcript))
        .route("/api/matches/{id}/socket", get(open_socket))
        .route("/api/series", post(start_series))
        .route("/api/series/{id}", get(series))
        .route("/api/series/{id}/end", post(end_series))
        .route("/api/{*rest}", get(unknown).post(unknown))
        .fallback(page)
        .layer(DefaultBodyLimit::max(limits::REQUEST_BYTES))
        .layer(middleware::from_fn_with_state(names, guard))
        .with_state(hub)
}

async fn page(uri: Uri, headers: HeaderMap) -> Response {
    assets::respond(uri.path().trim_start_matches('/'), &headers)
}

async fn unknown(uri: Uri) -> Refusal {
    Refusal::missing(format!("there is nothing at {}", uri.path()))
}

fn body<T>(sent: Sent<T>) -> Result<T, Refusal> {
    match sent {
        Ok(Json(value)) => Ok(value),
        Err(rejection) => {
            let status = rejection.status();
            let message = match status {
                StatusCode::PAYLOAD_TOO_LARGE => {
                    format!(
                        "the request is too long; at most {} bytes are read",
                        limits::REQUEST_BYTES
                    )
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
}

async fn games(State(hub): SharedHub) -> JsonAnswer {
    let cards = hub.run(false, |_| Ok(library::cards())).await?;
    Ok(Json(json!({ "games": cards })))
}

async fn game(State(hub): SharedHub, Path(name): Path<String>) -> JsonAnswer {
    let card = hub.run(false, move |_| {
        let mut card = library::card(&name)?;
        let source = bundled::find(&name);
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
    Path(name): Path<String>,
    Query(query): Query<PictureQuery>,
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
    let svg = hub.run(false, move |_| library::picture(&name, theme)).await?;
    let headers =
        [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "max-age=3600")];
    Ok((headers, svg).into_response())
}

async fn players() -> Json<Value> {
    let option = |option: &OptionInfo| match option.kind {
        OptionKind::Whole { default, least, most } => json!({
            "name": option.name, "about": option.about, "type": "whole",
            "default": default, "least": least, "most": most,
        }),
        OptionKind::Real { default, least, most } => json!({
            "name": option.name, "about": option.about, "type": "real",
            "default": default, "least": least, "most": most,
        }),
    };
    let kind = |kind: &Kind| {
        let options: Vec<Value> = kind.options.iter().map(option).collect();
        json!({ "name": kind.name, "about": kind.about, "options": options })
    };
    let kinds: Vec<Value> = KINDS.iter().map(kind).collect();
    let levels: Vec<Value> = (1..)
        .zip(LEVELS)
        .map(|(level, (name, iterations))| {
            json!({ "level": level, "name": name, "player": format!("uct?iterations={iterations}") })
        })
        .collect();
    Json(json!({ "kinds": kinds, "levels": levels }))
}

async fn check(State(hub): SharedHub, sent: Sent<CheckRequest>) -> JsonAnswer {
    let request = body(sent)?;
    hub.run(true, move |_| texts::check(&request)).await.map(Json)
}

async fn formatted(State(hub): SharedHub, sent: Sent<CheckRequest>) -> JsonAnswer {
    let request = body(sent)?;
    hub.run(true, move |_| texts::formatted(&request)).await.map(Json)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameRequest {
    game: GameReference,
}

async fn guide(State(hub): SharedHub, sent: Sent<GameRequest>) -> JsonAnswer {
    let game = body(sent)?.game;
    hub.run(game.is_untrusted(), move |_| texts::guide(&game)).await.map(Json)
}

async fn automaton(State(hub): SharedHub, sent: Sent<AutomatonRequest>) -> JsonAnswer {
    let request = body(sent)?;
    hub.run(true, move |_| texts::automaton(&request)).await.map(Json)
}

async fn properties() -> Json<Value> {
    Json(texts::properties())
}

async fn generate(State(hub): SharedHub, sent: Sent<GenerateRequest>) -> JsonAnswer {
    let request = body(sent)?;
    hub.run(false, move |_| texts::invent(&request)).await.map(Json)
}

async fn create(State(hub): SharedHub, sent: Sent<MatchRequest>) -> Result<Response, Refusal> {
    let request = body(sent)?;
    let is_untrusted = request.game.is_untrusted();
    let id = hub.run(is_untrusted, move |hub| hub.create(request)).await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))).into_response())
}

async fn find(State(hub): SharedHub, Path(id): Path<String>) -> JsonAnswer {
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

async fn transcript(State(hub): SharedHub, Path(id): Path<String>) -> Result<String, Refusal> {
    hub.on_match(id, |live| Ok(live.transcript().to_string())).await
}

async fn start_series(
    State(hub): SharedHub,
    sent: Sent<SeriesRequest>,
) -> Result<Response, Refusal> {
    let request = body(sent)?;
    let is_untrusted = request.game.is_untrusted();
    let series = hub.run(is_untrusted, move |hub| hub.start_series(request)).await?;
    Ok((StatusCode::CREATED, Json(series.to_json())).into_response())
}

async fn series(State(hub): SharedHub, Path(id): Path<String>) -> JsonAnswer {
    hub.series.find(&id).map(|series| Json(series.to_json()))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClientRequest {
    client: String,
}

async fn end_series(
    State(hub): SharedHub,
    Path(id): Path<String>,
    sent: Sent<ClientRequest>,
) -> JsonAnswer {
    let client = body(sent)?.client;
    let series = hub.series.find(&id)?;
    series.end(&client)?;
    Ok(Json(series.to_json()))
}

#[derive(Debug, Deserialize)]
struct SocketQuery {
    #[serde(default)]
    client: String,
}

async fn open_socket(
    State(hub): SharedHub,
    Path(id): Path<String>,
    Query(query): Query<SocketQuery>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    check_client(&query.client)?;
    let live = hub.on_match(id, |live| Ok(Arc::clone(live))).await?;
    if hub.sockets.fetch_add(1, Ordering::Relaxed) >= limits::SOCKETS {
        hub.sockets.fetch_sub(1, Ordering::Relaxed);
        let most = limits::SOCKETS;
        return Err(Refusal::busy(format!("{most} browsers are connected, and no more fit")));
    }
    let upgrade = upgrade.max_message_size(limits::MESSAGE_BYTES);
    let failed = Arc::clone(&hub);
    let upgrade = upgrade.on_failed_upgrade(move |_| {
        failed.sockets.fetch_sub(1, Ordering::Relaxed);
    });
    Ok(upgrade.on_upgrade(move |socket| socket::serve(socket, hub, live, query.client)))
}

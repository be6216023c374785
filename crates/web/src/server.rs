//! The server: the embedded page, and a WebSocket for each board that is looked at.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Router, serve};
use engine::Library;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::backend::{Backend, CorpusCard, Item, Playing, Work};
use crate::limits::Limits;
use crate::listener::LimitedListener;
use crate::parsing::Parsers;
use crate::tables::Tables;
use crate::workers::Workers;
use crate::{assets, connection, origin};

/// Pages that may use the backend at once; the others wait.
const READERS: usize = 2;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Names by which the server is known, beside its address and `localhost`.
    pub names: Vec<String>,
    /// Threads that think.
    pub threads: usize,
    /// What clients may ask for.
    pub limits: Limits,
}

/// A server that listens and is yet to serve.
pub struct Server {
    listener: TcpListener,
    app: Arc<AppState>,
}

struct AppState {
    tables: Tables,
    backend: Arc<dyn Backend>,
    /// Permits to use the backend.
    readers: Arc<Semaphore>,
    workers: Arc<Workers>,
    parsers: Parsers,
    limits: Limits,
    names: Vec<String>,
    connections: Arc<Semaphore>,
}

impl Server {
    /// Listens at once, so that a browser may be sent there.
    ///
    /// # Errors
    /// If the place is taken or threads cannot be started.
    pub async fn bind(
        settings: Settings,
        library: Arc<Library>,
        backend: Arc<dyn Backend>,
    ) -> std::io::Result<Server> {
        let listener = TcpListener::bind(settings.listen).await?;
        let workers = Workers::start(settings.threads)?;
        let tables = Tables::new(library, Arc::clone(&backend), settings.limits.clone());
        let app = AppState {
            tables,
            backend,
            readers: Arc::new(Semaphore::new(READERS)),
            workers,
            parsers: Parsers::new(&settings.limits),
            connections: Arc::new(Semaphore::new(settings.limits.connections)),
            limits: settings.limits,
            names: settings.names,
        };
        Ok(Server { listener, app: Arc::new(app) })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `end`.
    ///
    /// # Errors
    /// If the network fails.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
        let Server { listener, app } = self;
        // A browser has a socket for the board and a few for the page.
        let limited =
            LimitedListener::new(listener, 3 * app.limits.connections, app.limits.silence);
        let workers = Arc::clone(&app.workers);
        let router = Router::new()
            .route("/board", get(board))
            .route("/models", get(models))
            .route("/lab/results", get(results))
            .route("/lab/result", get(result))
            .route("/lab/match", post(begin_match))
            .route("/lab/evaluation", post(begin_evaluation))
            .route("/lab/work", delete(stop_work))
            .fallback(asset)
            .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
            .with_state(app);
        // Pages that are open do not keep the program from ending.
        let done = tokio::select! {
            done = async { serve(limited, router).await } => done,
            () = end => Ok(()),
        };
        workers.close();
        done
    }
}

/// Headers that keep the page to itself: nothing from elsewhere, nowhere else to go.
const HEADERS: [(HeaderName, &str); 4] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-cache"),
];

/// Answers those only who call the server by a name that is its own.
async fn guard(State(app): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let host = text(request.headers(), &HOST);
    if !origin::is_own_host(host, &app.names) {
        let say = "This server does not go by that name; 'harie serve --name' gives it one.\n";
        return (StatusCode::MISDIRECTED_REQUEST, say).into_response();
    }
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        let headers = response.headers_mut();
        headers.entry(name).or_insert(axum::http::HeaderValue::from_static(value));
    }
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

async fn asset(request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    match assets::find(request.uri().path()) {
        Some(&(_, kind, text)) => ([(CONTENT_TYPE, kind)], text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}

/// Asks the backend, which may take time, on a thread that reads no messages.
async fn ask<T: Send + 'static>(
    app: &AppState,
    question: impl FnOnce(&dyn Backend) -> T + Send + 'static,
) -> Option<T> {
    let permit = Arc::clone(&app.readers).acquire_owned().await.ok()?;
    let backend = Arc::clone(&app.backend);
    // The permit goes with the work: a client that leaves does not end it.
    let work = move || {
        let _permit = permit;
        question(backend.as_ref())
    };
    tokio::task::spawn_blocking(work).await.ok()
}

fn json(value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The models that can be compared.
async fn models(State(app): State<Arc<AppState>>) -> Response {
    let models = ask(&app, |backend| backend.models()).await;
    json(&models.unwrap_or_default())
}

/// What is in the laboratory.
async fn results(State(app): State<Arc<AppState>>) -> Response {
    let found = ask(&app, |backend| {
        let (playing, work) = (backend.playing(), backend.work());
        // Where nothing can be started, nobody needs to know which records there are.
        let corpora = if playing == Playing::Never { Vec::new() } else { backend.corpora() };
        Some(Results { playing, work, corpora, items: backend.results()? })
    });
    match found.await.flatten() {
        Some(results) => json(&results),
        None => (StatusCode::NOT_FOUND, "There is no laboratory here.\n").into_response(),
    }
}

#[derive(Serialize)]
struct Results {
    items: Vec<Item>,
    playing: Playing,
    work: Option<Work>,
    corpora: Vec<CorpusCard>,
}

/// Why a request that starts or stops something is refused: pages of other sites can send such
/// requests as well, though not read the answer.
fn foreign(headers: &HeaderMap) -> Option<Response> {
    let (from, host) = (text(headers, &ORIGIN), text(headers, &HOST));
    let say = match origin::is_same(from, host) {
        true => return None,
        // Browsers always say where such a request comes from; programs have to be told.
        false if from.is_empty() => {
            format!("An Origin header is wanted: with curl, -H 'Origin: http://{host}'.\n")
        }
        false => "Pages of other sites start and stop nothing here.\n".to_owned(),
    };
    Some((StatusCode::FORBIDDEN, say).into_response())
}

/// What is wrong with a wish, without the names that things have in here.
fn misread(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let named = |from: &str| {
        let rest = said.strip_prefix(from)?.strip_prefix('`')?;
        Some(rest.split_once('`')?.0.to_owned())
    };
    let place = format!("line {}, column {}", error.line(), error.column());
    if !error.is_data() {
        format!("{place}: this is not JSON")
    } else if let Some(name) = named("missing field ") {
        format!("'{name}' is missing")
    } else if let Some(name) = named("unknown variant ") {
        format!("there is no player '{name}'")
    } else {
        format!("{place}: a value of another kind is wanted")
    }
}

/// Starts a match in the laboratory.
async fn begin_match(app: State<Arc<AppState>>, headers: HeaderMap, body: Bytes) -> Response {
    const WANTED: &str = r#"{"players":[{"who":"harie","visits":400},{"who":"gnugo"}],"size":9,"games":20}, where a player is also {"who":"knowledge","visits":400} or {"who":"level","level":"10k"}"#;
    begin(app, &headers, &body, WANTED, |backend, wish| backend.play(wish)).await
}

/// Starts an evaluation in the laboratory.
async fn begin_evaluation(app: State<Arc<AppState>>, headers: HeaderMap, body: Bytes) -> Response {
    const WANTED: &str = r#"{"models":["uct9","mc9"],"corpus":"games.sgf","games":100}"#;
    begin(app, &headers, &body, WANTED, |backend, wish| backend.measure(wish)).await
}

/// Starts what a page of this site wishes for; answers what the result is called.
async fn begin<Wish: DeserializeOwned + Send + 'static>(
    State(app): State<Arc<AppState>>,
    headers: &HeaderMap,
    body: &Bytes,
    wanted: &str,
    start: fn(&dyn Backend, &Wish) -> Result<String, String>,
) -> Response {
    if let Some(refusal) = foreign(headers) {
        return refusal;
    }
    let wish: Wish = match serde_json::from_slice(body) {
        Ok(wish) => wish,
        Err(error) => {
            let say = format!("{}; wanted is, for instance, {wanted}\n", misread(&error));
            return (StatusCode::BAD_REQUEST, say).into_response();
        }
    };
    match ask(&app, move |backend| start(backend, &wish)).await {
        Some(Ok(id)) => json(&id),
        Some(Err(why)) => (StatusCode::CONFLICT, why).into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Stops it.
async fn stop_work(State(app): State<Arc<AppState>>, headers: HeaderMap) -> Response {
    if let Some(refusal) = foreign(&headers) {
        return refusal;
    }
    ask(&app, |backend| backend.stop()).await;
    StatusCode::NO_CONTENT.into_response()
}

/// Results are pages by themselves: they bring their style along, and can do nothing.
const RESULT: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

async fn result(State(app): State<Arc<AppState>>, Query(wanted): Query<Wanted>) -> Response {
    let id = wanted.id.unwrap_or_default();
    let language = wanted.language.and_then(|name| name.parse().ok()).unwrap_or_default();
    match ask(&app, move |backend| backend.page(&id, language)).await.flatten() {
        Some(page) => {
            let headers = [(CONTENT_TYPE, assets::HTML), (CONTENT_SECURITY_POLICY, RESULT)];
            (headers, page).into_response()
        }
        None => (StatusCode::NOT_FOUND, "There is no such result.\n").into_response(),
    }
}

#[derive(Deserialize)]
struct Wanted {
    /// The name of a board that was open before, or of a result that is listed.
    id: Option<String>,
    /// For a result: `en` or `ja`.
    language: Option<String>,
}

async fn board(
    State(app): State<Arc<AppState>>,
    Query(wanted): Query<Wanted>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !origin::is_same(text(&headers, &ORIGIN), text(&headers, &HOST)) {
        return (StatusCode::FORBIDDEN, "Pages of other sites have no board here.\n")
            .into_response();
    }
    let full = || {
        let say = "All boards are taken; try again later.\n";
        (StatusCode::SERVICE_UNAVAILABLE, say).into_response()
    };
    let Ok(permit) = Arc::clone(&app.connections).try_acquire_owned() else { return full() };
    let Some(table) = app.tables.table(wanted.id.as_deref()) else { return full() };
    let limits = app.limits.clone();
    upgrade.max_message_size(limits.message).max_frame_size(limits.message).on_upgrade(
        async move |socket| {
            let workers = Arc::clone(&app.workers);
            connection::serve(socket, table, workers, &app.parsers, limits).await;
            drop(permit);
        },
    )
}

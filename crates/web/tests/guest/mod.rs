//! A server in this process, and guests that speak to it as the page does.
#![allow(dead_code)] // Each test uses a part of it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use engine::{Language, Library};
use futures_util::{SinkExt, StreamExt};
use goban::{Board, Color, Point};
use policy::{Model, Use};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};
use web::{
    Backend, CorpusCard, EvaluationWish, Item, Limits, ModelCard, Playing, Server, Settings,
    Solved, SolvedMove, Work,
};

/// Long enough for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The models that come with the program.
pub fn library() -> Library {
    Library::new(|of, size| {
        let bytes: &[u8] = match (of, size.side()) {
            (Use::Uct, ..=11) => include_bytes!("../../../../weights/uct9.model"),
            (Use::Mc, ..=11) => include_bytes!("../../../../weights/mc9.model"),
            (Use::Uct, _) => include_bytes!("../../../../weights/uct19.model"),
            (Use::Mc, _) => include_bytes!("../../../../weights/mc19.model"),
        };
        Model::from_bytes(bytes).unwrap()
    })
}

/// A backend with the models that come with the program, and one result. Some let pages measure
/// models: that takes three looks at how far it is, and many for a thousand games.
#[derive(Default)]
struct TestBackend {
    measures: bool,
    work: Mutex<Option<Work>>,
}

impl TestBackend {
    fn has_measured(&self) -> bool {
        self.work.lock().unwrap().as_ref().is_some_and(|work| work.state == "done")
    }
}

impl Backend for TestBackend {
    fn models(&self) -> Vec<ModelCard> {
        let card = |(id, size): (&str, u8)| ModelCard {
            id: id.to_owned(),
            name: id.to_owned(),
            size,
            playouts: id.starts_with("mc"),
        };
        [("uct9", 9), ("mc9", 9), ("uct19", 19), ("mc19", 19)].map(card).into()
    }

    fn model(&self, id: &str) -> Option<Arc<Model>> {
        let bytes: &[u8] = match id {
            "uct9" => include_bytes!("../../../../weights/uct9.model"),
            "mc9" => include_bytes!("../../../../weights/mc9.model"),
            "uct19" => include_bytes!("../../../../weights/uct19.model"),
            "mc19" => include_bytes!("../../../../weights/mc19.model"),
            _ => return None,
        };
        Some(Arc::new(Model::from_bytes(bytes).unwrap()))
    }

    fn has_solver(&self) -> bool {
        true
    }

    /// One who knows the answer to one problem.
    fn solve(&self, board: &Board, to_play: Color, _: Duration) -> Option<Solved> {
        let vital = Point::parse("B1")?;
        let told = |at: &str, outcome, line: &[&str]| SolvedMove {
            at: at.to_owned(),
            outcome,
            line: line.iter().map(|&at| at.to_owned()).collect(),
        };
        board.is_legal(vital, to_play).then(|| Solved {
            kills: to_play == Color::Black,
            outcome: "works",
            proved: true,
            unknown: 3,
            moves: vec![
                told("B1", "works", &["B1", "A1", "C1"]),
                told("A1", "fails", &["A1", "B1"]),
                told("G7", "open", &[]),
            ],
            nodes: 12,
        })
    }

    fn has_laboratory(&self) -> bool {
        true
    }

    fn results(&self) -> Option<Vec<Item>> {
        let item = |id: &str, kind, title: &str, summary: &str| Item {
            id: id.to_owned(),
            kind,
            title: title.to_owned(),
            summary: summary.to_owned(),
            changed: 1_700_000_000_000,
        };
        let mut items = vec![item("match one", "match", "one against another", "3 won, 1 lost")];
        if self.has_measured() {
            items.push(item("evaluation-1.json", "evaluation", "evaluation-1", "mc9, uct9 9×9"));
        }
        Some(items)
    }

    fn playing(&self) -> Playing {
        match self.work.lock().unwrap().as_ref() {
            _ if !self.measures => Playing::Never,
            Some(work) if work.state == "running" => Playing::Busy,
            _ => Playing::Idle,
        }
    }

    fn corpora(&self) -> Vec<CorpusCard> {
        let card = |(id, files): (&str, usize)| CorpusCard { id: id.to_owned(), files, bytes: 999 };
        [("games.sgf", 1), ("many", 12)].map(card).into()
    }

    fn measure(&self, wish: &EvaluationWish) -> Result<String, String> {
        if !self.measures {
            return Err("evaluations are not started from pages here".to_owned());
        }
        if !self.corpora().iter().any(|card| card.id == wish.corpus) {
            return Err("there are no such game records".to_owned());
        }
        if self.playing() == Playing::Busy {
            return Err("a match or an evaluation is under way already".to_owned());
        }
        *self.work.lock().unwrap() = Some(Work {
            kind: "evaluation",
            id: "evaluation-1.json".to_owned(),
            state: "running",
            stage: "measuring",
            name: wish.models.join(", "),
            done: 0,
            of: if wish.games < 1000 { 3 } else { 1000 },
            match1: Some(0.25),
            why: None,
        });
        Ok("evaluation-1.json".to_owned())
    }

    fn work(&self) -> Option<Work> {
        let mut work = self.work.lock().unwrap();
        let work = work.as_mut()?;
        if work.state == "running" {
            work.done = (work.done + 1).min(work.of);
            work.state = if work.done == work.of { "done" } else { "running" };
        }
        Some(work.clone())
    }

    fn stop(&self) {
        if let Some(work) = self.work.lock().unwrap().as_mut() {
            work.state = "stopped";
        }
    }

    fn page(&self, id: &str, language: Language) -> Option<String> {
        if id == "evaluation-1.json" && self.has_measured() {
            return Some(format!("<!doctype html><h1>evaluation in {language}</h1>"));
        }
        (id == "match one").then(|| {
            "<!doctype html><style>h1 { color: green }</style><h1>one against another</h1>\
             <script>parent.document.title = 'taken over'</script>"
                .to_owned()
        })
    }
}

/// Starts a server at any free port; it ends with the test.
pub async fn server(threads: usize, limits: Limits) -> SocketAddr {
    serve(threads, limits, TestBackend::default()).await
}

/// The same where pages may measure models.
pub async fn measuring_server(threads: usize) -> SocketAddr {
    serve(threads, Limits::default(), TestBackend { measures: true, ..TestBackend::default() })
        .await
}

async fn serve(threads: usize, limits: Limits, backend: TestBackend) -> SocketAddr {
    serve_at("127.0.0.1:0".parse().unwrap(), threads, limits, backend).await
}

async fn serve_at(
    listen: SocketAddr,
    threads: usize,
    limits: Limits,
    backend: TestBackend,
) -> SocketAddr {
    let settings = Settings { listen, names: Vec::new(), threads, limits };
    let server = Server::bind(settings, Arc::new(library()), Arc::new(backend)).await.unwrap();
    let address = server.address().unwrap();
    tokio::spawn(server.run(std::future::pending()));
    address
}

/// A server that can be ended with all that it knows, and started anew where it was.
pub struct Mortal {
    runtime: Option<tokio::runtime::Runtime>,
    pub address: SocketAddr,
}

impl Mortal {
    pub fn start() -> Mortal {
        let mut server = Mortal { runtime: None, address: "127.0.0.1:0".parse().unwrap() };
        server.restart();
        server
    }

    /// Every connection ends, and the port is free.
    pub fn stop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Within another runtime nobody may wait for the end of one.
            let end = std::thread::spawn(move || runtime.shutdown_timeout(PATIENCE));
            end.join().unwrap();
        }
    }

    pub fn restart(&mut self) {
        self.stop();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        let listen = self.address;
        runtime.spawn(async move {
            let serving = serve_at(listen, 1, Limits::default(), TestBackend::default());
            tell.send(serving.await).unwrap();
        });
        self.address = told.recv_timeout(PATIENCE).unwrap();
        self.runtime = Some(runtime);
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Someone at a board.
pub struct Guest {
    socket: WebSocketStream<TcpStream>,
    /// The last state that was told.
    pub state: Value,
}

impl Guest {
    /// Connects as a page of `origin` would.
    pub async fn try_new(
        address: SocketAddr,
        path: &str,
        host: &str,
        origin: Option<&str>,
    ) -> Result<Guest, Error> {
        let mut request = format!("ws://{address}{path}").into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("host", host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert("origin", origin.parse().unwrap());
        }
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (socket, _) = client_async(request, stream).await?;
        Ok(Guest { socket, state: Value::Null })
    }

    /// Sits down at a board of one's own, or at one that was left.
    pub async fn new(address: SocketAddr, id: Option<&str>) -> Guest {
        let path = id.map_or("/board".to_owned(), |id| format!("/board?id={id}"));
        let host = address.to_string();
        let origin = format!("http://{host}");
        let mut guest = Guest::try_new(address, &path, &host, Some(&origin)).await.unwrap();
        guest.wait("state").await;
        guest
    }

    pub async fn send(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).await.unwrap();
    }

    pub async fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.socket.send(Message::binary(bytes.to_vec())).await
    }

    /// The next message; none if the connection ended.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            match self.socket.next().await? {
                Ok(Message::Text(text)) => {
                    let value: Value = serde_json::from_str(&text).unwrap();
                    if value["type"] == "state" {
                        self.state = value.clone();
                    }
                    return Some(value);
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message that is as wanted.
    pub async fn until(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let next = tokio::time::timeout(left, self.next()).await;
            let value = next
                .unwrap_or_else(|_| panic!("no {what}; last state {}", self.state))
                .unwrap_or_else(|| panic!("the connection ended before {what}"));
            if wanted(&value) {
                return value;
            }
        }
    }

    /// The next message of a type.
    pub async fn wait(&mut self, kind: &str) -> Value {
        self.until(kind, |value| value["type"] == kind).await
    }

    /// A review at its end.
    pub async fn review(&mut self) -> Value {
        self.until("the end", |v| v["type"] == "review" && v["running"] == false).await
    }

    /// Begins a 9x9 game against 20k.
    pub async fn begin(&mut self, people: [bool; 2]) {
        self.send(json!({
            "type": "new", "size": 9, "people": people, "level": "20k", "rules": "chinese",
            "komi": 7.0, "handicap": 0,
        }))
        .await;
        self.until("a new game", |v| v["phase"] == "playing" && v["number"] == 0).await;
    }
}

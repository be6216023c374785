//! One page at one table: reads what it asks for, at the rate it may, and sends what changes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::{interval_at, sleep_until, timeout};

use crate::limits::Limits;
use crate::panes::Views;
use crate::parsing::{Parsers, Text};
use crate::request::Request;
use crate::table::{Reply, Shared, lock};
use crate::workers::Workers;

/// A page that takes nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a page is asked whether it is still there.
const PING: Duration = Duration::from_secs(25);

/// How many messages may come now.
struct Bucket {
    rate: f64,
    most: f64,
    left: f64,
    since: Instant,
}

impl Bucket {
    fn new(limits: &Limits) -> Bucket {
        let (rate, most) = (limits.rate, limits.burst);
        Bucket { rate, most, left: most, since: Instant::now() }
    }

    /// Takes one; says how long to wait before the next.
    fn take(&mut self) -> Duration {
        let now = Instant::now();
        let grown = self.rate * (now - self.since).as_secs_f64();
        self.left = (self.left + grown).min(self.most) - 1.0;
        self.since = now;
        Duration::from_secs_f64((-self.left).max(0.0) / self.rate)
    }
}

/// Says that nobody is at the table any more, however the connection ends.
struct Attendance(Shared);

impl Drop for Attendance {
    fn drop(&mut self) {
        lock(&self.0).leave();
    }
}

/// Serves one page until it goes.
pub async fn serve(
    socket: WebSocket,
    table: Shared,
    workers: Arc<Workers>,
    parsers: &Parsers,
    limits: Limits,
) {
    let (mut out, mut inn) = socket.split();
    let mut views = lock(&table).attend();
    let attendance = Attendance(Arc::clone(&table));
    workers.call(&table);
    let mut bucket = Bucket::new(&limits);
    let mut ready_at = tokio::time::Instant::now();
    // Also while much is being sent: a page that only reads must send something, or the listener closes its connection.
    let mut pings = interval_at(ready_at + PING, PING);
    let mut answered = true;
    loop {
        let message = tokio::select! {
            // While a page is to wait, what it sends stays in its own buffers.
            message = async {
                sleep_until(ready_at).await;
                inn.next().await
            } => match message {
                Some(Ok(message)) => message,
                _ => break,
            },
            text = changed(&mut views) => {
                if !send(&mut out, Message::Text(text)).await {
                    break;
                }
                continue;
            }
            _ = pings.tick() => {
                if !answered || !send(&mut out, Message::Ping(Default::default())).await {
                    break;
                }
                answered = false;
                continue;
            }
        };
        answered = true;
        ready_at = tokio::time::Instant::now() + bucket.take();
        let reply = match message {
            Message::Text(text) => ask(&table, parsers, &text).await,
            Message::Binary(bytes) => load(&table, parsers, bytes).await,
            Message::Close(_) => break,
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        workers.call(&table);
        let Some(reply) = reply else { continue };
        if !send(&mut out, Message::Text(reply.to_string().into())).await {
            break;
        }
    }
    drop(attendance);
}

/// What the page is told about its request; nothing if the panes show it.
async fn ask(table: &Shared, parsers: &Parsers, text: &str) -> Option<Value> {
    let request: Request = match serde_json::from_str(text) {
        Ok(request) => request,
        Err(error) => return Some(refused(&format!("not understood: {error}"), None)),
    };
    let of = matches!(request, Request::Restore { .. }).then_some("kept");
    let reply = lock(table).handle(request);
    match reply {
        Ok(Reply::Read(text)) => take(table, parsers, text, of).await,
        reply => told(reply, of),
    }
}

/// Game records come as they are: what characters they are written in is found out when they are read.
async fn load(table: &Shared, parsers: &Parsers, bytes: Bytes) -> Option<Value> {
    take(table, parsers, Text::Record(bytes), Some("record")).await
}

/// Has a text read, for which nobody else has to wait, and brings it to the table.
async fn take(
    table: &Shared,
    parsers: &Parsers,
    text: Text,
    of: Option<&'static str>,
) -> Option<Value> {
    let parsed = parsers.read(text).await;
    told(parsed.and_then(|parsed| lock(table).take(parsed)), of)
}

fn told(reply: Result<Reply, String>, of: Option<&'static str>) -> Option<Value> {
    match reply {
        Ok(Reply::Record(text)) => Some(json!({"type": "record", "text": text})),
        Ok(Reply::Kept(value)) => Some(value),
        Ok(Reply::Note(note)) => Some(json!({"type": "note", "note": note})),
        Ok(Reply::Done | Reply::Read(_)) => None,
        Err(why) => Some(refused(&why, of)),
    }
}

/// `of` says what was refused where a page has to know.
fn refused(why: &str, of: Option<&'static str>) -> Value {
    json!({"type": "refused", "why": why, "of": of})
}

async fn send(
    out: &mut (impl SinkExt<Message, Error = axum::Error> + Unpin),
    message: Message,
) -> bool {
    matches!(timeout(PATIENCE, out.send(message)).await, Ok(Ok(())))
}

/// The next pane that changed, as it is now.
async fn changed(views: &mut Views) -> Utf8Bytes {
    let [state, tree, insight, statistics, why, review, sight, compare, solution] = views;
    let view = tokio::select! {
        biased;
        Ok(()) = tree.changed() => tree,
        Ok(()) = state.changed() => state,
        Ok(()) = why.changed() => why,
        Ok(()) = review.changed() => review,
        Ok(()) = solution.changed() => solution,
        Ok(()) = sight.changed() => sight,
        Ok(()) = compare.changed() => compare,
        Ok(()) = insight.changed() => insight,
        Ok(()) = statistics.changed() => statistics,
        else => return std::future::pending().await,
    };
    view.borrow_and_update().clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_free_and_more_must_wait() {
        let limits = Limits { rate: 10.0, burst: 5.0, ..Limits::default() };
        let mut bucket = Bucket::new(&limits);
        for _ in 0..5 {
            assert!(bucket.take().is_zero());
        }
        let wait = bucket.take().as_secs_f64();
        assert!((0.05..=0.1).contains(&wait), "{wait}");
    }
}

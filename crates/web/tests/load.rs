//! Fifty boards at once, all of them thinking: how long a page waits for what it asks.
//!
//! `cargo test --release -p harie-web --test load -- --ignored --nocapture` prints the figures;
//! docs/web.md has those of one machine.

mod guest;

use std::time::{Duration, Instant};

use guest::{Guest, server};
use serde_json::json;
use web::Limits;

const BOARDS: usize = 50;
/// Moves that each page makes and takes back.
const ROUNDS: usize = 20;
/// Longer than this is no interaction.
const BOUND: Duration = Duration::from_millis(100);

fn share(sorted: &[Duration], share: f64) -> Duration {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

/// One page: it plays and takes back while its board is being thought about, and then waits for a
/// move of the engine.
async fn page(address: std::net::SocketAddr, number: usize) -> (Vec<Duration>, Duration) {
    let mut guest = Guest::new(address, None).await;
    let size = [9, 13, 19][number % 3];
    guest
        .send(json!({
            "type": "new", "size": size, "people": [true, true], "level": "20k",
            "rules": "chinese", "komi": 7.0, "handicap": 0,
        }))
        .await;
    guest.until("a game", |v| v["size"] == size && v["phase"] == "playing").await;
    guest.send(json!({"type": "analyse", "on": true, "visits": 500_000})).await;
    guest.send(json!({"type": "statistics", "on": number.is_multiple_of(2)})).await;
    let mut waited = Vec::new();
    for round in 0..ROUNDS {
        // People do not move in step.
        tokio::time::sleep(Duration::from_millis(100 + 13 * (number as u64 + round as u64) % 150))
            .await;
        let start = Instant::now();
        guest.send(json!({"type": "play", "at": "C3"})).await;
        guest.until("a move", |v| v["type"] == "state" && v["number"] == 1).await;
        waited.push(start.elapsed());
        let start = Instant::now();
        guest.send(json!({"type": "undo"})).await;
        guest.until("an undo", |v| v["type"] == "state" && v["number"] == 0).await;
        waited.push(start.elapsed());
    }
    let start = Instant::now();
    guest.send(json!({"type": "seats", "people": [false, true], "level": "20k"})).await;
    guest.until("an answer", |v| v["type"] == "state" && v["number"] == 1).await;
    (waited, start.elapsed())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute of all processors"]
async fn fifty_boards_stay_responsive() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let address = server(cores, Limits::default()).await;
    let pages: Vec<_> = (0..BOARDS).map(|i| tokio::spawn(page(address, i))).collect();
    let (mut waited, mut answers) = (Vec::new(), Vec::new());
    for page in pages {
        let (replies, answer) = page.await.unwrap();
        waited.extend(replies);
        answers.push(answer);
    }
    waited.sort();
    answers.sort();
    let told = |sorted: &[Duration]| {
        let [half, most, all] = [0.5, 0.95, 1.0].map(|s| share(sorted, s).as_secs_f64() * 1000.0);
        format!("median {half:.1} ms, p95 {most:.1} ms, longest {all:.1} ms")
    };
    println!("{BOARDS} boards thinking on {cores} threads");
    println!("reply to a move or undo ({}): {}", waited.len(), told(&waited));
    println!("the engine's answer at 20k ({}): {}", answers.len(), told(&answers));
    assert!(share(&waited, 0.95) < BOUND);
}

//! The server as pages and as strangers see it.

mod guest;

use std::sync::Arc;
use std::time::Duration;

use engine::review::{Effort, Review};
use engine::{Engine, Options};
use goban::Rules;
use guest::{Guest, measuring_server, server};
use kifu::Record;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use web::Limits;

fn stone(state: &Value, color: char) -> usize {
    state["stones"].as_str().unwrap().matches(color).count()
}

async fn get(address: std::net::SocketAddr, path: &str, host: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    ask(address, &request).await
}

/// Asks for a match as a page of an origin does.
async fn post(address: std::net::SocketAddr, origin: &str, body: &str) -> String {
    post_to(address, "/lab/match", origin, body).await
}

async fn post_to(address: std::net::SocketAddr, path: &str, origin: &str, body: &str) -> String {
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\norigin: {origin}\r\nconnection: close\r\n\
         content-length: {length}\r\n\r\n{body}"
    );
    ask(address, &request).await
}

async fn ask(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn the_page_is_served_and_nothing_else() {
    let address = server(1, Limits::default()).await;
    let host = address.to_string();
    let page = get(address, "/", &host).await;
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<!doctype html>"), "{page}");
    let lower = page.to_lowercase();
    assert!(lower.contains("content-security-policy: default-src 'self'"));
    assert!(get(address, "/board.js", &host).await.contains("text/javascript"));
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/etc/passwd", "/src"] {
        let answer = get(address, path, &host).await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
    // A name that someone else has pointed at this machine.
    assert!(get(address, "/", "evil.example").await.starts_with("HTTP/1.1 421"));
}

#[tokio::test]
async fn pages_of_other_sites_get_no_board() {
    let address = server(1, Limits::default()).await;
    let host = address.to_string();
    for origin in [Some("http://evil.example"), Some("null"), Some("http://localhost:1"), None] {
        let guest = Guest::try_new(address, "/board", &host, origin).await;
        assert!(guest.is_err(), "{origin:?}");
    }
    let rebound = Guest::try_new(address, "/board", "evil.example", Some("http://evil.example"));
    assert!(rebound.await.is_err());
}

#[tokio::test]
async fn a_board_survives_a_reload_and_the_engine_answers() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    guest.begin([true, false]).await;
    guest.send(json!({"type": "play", "at": "E5"})).await;
    let state = guest.until("an answer", |v| v["number"] == 2).await;
    assert_eq!((stone(&state, 'X'), stone(&state, 'O')), (1, 1));
    assert!(state["words"]["en"].as_str().unwrap().starts_with("I played"));
    let id = state["board"].as_str().unwrap().to_owned();
    drop(guest);
    let mut guest = Guest::new(address, Some(&id)).await;
    assert_eq!((&guest.state["board"], &guest.state["number"]), (&json!(id), &json!(2)));
    // What is taken back is the person's move and the answer.
    guest.send(json!({"type": "undo"})).await;
    let state = guest.until("an undo", |v| v["number"] == 0).await;
    assert_eq!(state["stones"], ".".repeat(81));
    // Another board is another.
    let other = Guest::new(address, None).await;
    assert_ne!(other.state["board"], json!(id));
}

#[tokio::test]
async fn illegal_moves_and_ko_are_refused_and_told() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    let ko = b"(;SZ[9];B[bc];W[cc];B[ab];W[db];B[ba];W[ca];B[cb];W[bb])";
    guest.send_bytes(ko).await.unwrap();
    let tree = guest.until("a tree", |v| v["type"] == "tree" && v["nodes"][8][0] == 8).await;
    assert_eq!(tree["nodes"].as_array().unwrap().len(), 9);
    guest.send(json!({"type": "go", "node": 8})).await;
    let state = guest.until("the ko", |v| v["number"] == 8).await;
    assert_eq!((&state["ko"], &state["captures"]), (&json!("C8"), &json!([0, 1])));
    guest.send(json!({"type": "play", "at": "C8"})).await;
    let refused = guest.wait("refused").await;
    assert_eq!(refused["why"], "it takes back a ko at once");
    for odd in [
        json!({"type": "play", "at": "Z99"}),
        json!({"type": "go", "node": 999}),
        json!({"type": "open", "path": "/etc/passwd"}),
        json!({"type": "new", "size": 26, "people": [true, true], "rules": "chinese", "komi": 7}),
        json!({"type": "new", "size": 9, "people": [true, true], "rules": "mine", "komi": 7}),
        json!({"type": "new", "size": 9, "people": [true, true], "rules": "aga", "komi": 1e30}),
        json!({"type": "dead", "at": "A1"}),
        json!([1, 2, 3]),
    ] {
        guest.send(odd.clone()).await;
        guest.until(&odd.to_string(), |v| v["type"] == "refused").await;
    }
}

#[tokio::test]
async fn the_engine_marks_dead_stones_and_people_correct_it() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    // A wall each, and a white stone that cannot live behind the black one.
    let mut sgf = "(;SZ[9]KM[7]RU[chinese]AB".to_owned();
    for row in 'a'..='i' {
        sgf += &format!("[d{row}]");
    }
    sgf += "AW[bb]";
    for row in 'a'..='i' {
        sgf += &format!("[e{row}]");
    }
    sgf += ")";
    guest.send_bytes(sgf.as_bytes()).await.unwrap();
    guest.until("the position", |v| v["type"] == "state" && stone(v, 'O') == 10).await;
    guest.send(json!({"type": "score"})).await;
    let state = guest.until("a count", |v| v["phase"] == "scoring").await;
    assert_eq!(state["count"]["dead"], json!(["B8"]));
    assert_eq!(state["count"]["result"], "W+16");
    guest.send(json!({"type": "dead", "at": "B8"})).await;
    let state = guest.until("a correction", |v| v["count"]["dead"] == json!([])).await;
    assert_eq!(state["count"]["black"], 9);
    guest.send(json!({"type": "dead", "at": "B8"})).await;
    guest.send(json!({"type": "accept"})).await;
    let state = guest.until("a result", |v| v["phase"] == "over").await;
    assert_eq!(state["result"], "W+16");
    guest.send(json!({"type": "save"})).await;
    let record = guest.wait("record").await;
    assert!(record["text"].as_str().unwrap().contains("RE[W+16]"), "{record}");
}

const OVER: &str = "the game is over; study it to go on";

#[tokio::test]
async fn a_game_that_is_over_takes_no_moves_until_it_is_studied() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    // Given up, and scored after two passes.
    let resigned = [json!({"type": "play", "at": "E5"}), json!({"type": "resign"})];
    let pass = json!({"type": "play", "at": "pass"});
    let counted = [pass.clone(), pass, json!({"type": "accept"})];
    for ending in [&resigned[..], &counted] {
        guest.begin([true, true]).await;
        for request in ending {
            if request["type"] == "accept" {
                guest.until("a count", |v| v["phase"] == "scoring").await;
            }
            guest.send(request.clone()).await;
        }
        let over = guest.until("the end", |v| v["phase"] == "over").await;
        assert!(over["result"].is_string(), "{over}");
        for request in [
            json!({"type": "play", "at": "C3"}),
            json!({"type": "play", "at": "pass"}),
            json!({"type": "undo"}),
            json!({"type": "score"}),
            json!({"type": "setup", "at": "A1", "stone": "white"}),
            json!({"type": "delete", "node": 1}),
        ] {
            guest.send(request.clone()).await;
            assert_eq!(guest.wait("refused").await["why"], OVER, "{request}");
        }
        // Looking at an earlier position does not open the game again.
        guest.send(json!({"type": "go", "node": 0})).await;
        let state = guest.until("the start", |v| v["node"] == 0).await;
        assert_eq!((&state["phase"], &state["result"]), (&json!("over"), &over["result"]));
        guest.send(json!({"type": "play", "at": "C3"})).await;
        assert_eq!(guest.wait("refused").await["why"], OVER);
        guest.send(json!({"type": "study"})).await;
        guest.send(json!({"type": "play", "at": "C3"})).await;
        let state = guest.until("a variation", |v| v["last"] == "C3").await;
        assert_eq!((&state["phase"], &state["result"]), (&json!("study"), &over["result"]));
    }
}

/// Asks for the game as a page keeps it.
async fn kept(guest: &mut Guest) -> Value {
    guest.send(json!({"type": "keep"})).await;
    guest.wait("kept").await
}

#[tokio::test]
async fn a_game_is_handed_back_to_a_server_that_has_lost_it() {
    let old = server(1, Limits::default()).await;
    let mut guest = Guest::new(old, None).await;
    assert_eq!(
        (&guest.state["fresh"], &guest.state["worthKeeping"]),
        (&json!(true), &json!(false))
    );
    let new = json!({
        "type": "new", "size": 13, "people": [true, false], "level": "18k", "seconds": 2.5,
        "rules": "japanese", "komi": 0.5, "handicap": 3,
        "clock": {"main": 600, "period": 30, "periods": 5},
    });
    guest.send(new).await;
    guest.until("an answer", |v| v["number"] == 1 && v["thinking"] == false).await;
    guest.send(json!({"type": "play", "at": "C3"})).await;
    guest.until("an answer", |v| v["number"] == 3).await;
    // A variation, a comment and a mark go along. Going back does not take the moves off.
    guest.send(json!({"type": "go", "node": 1})).await;
    guest.send(json!({"type": "play", "at": "L3"})).await;
    guest.until("an answer", |v| v["number"] == 3 && v["tip"] == 5).await;
    guest.send(json!({"type": "comment", "node": 5, "text": "日本"})).await;
    let before = guest.until("a comment", |v| v["comment"] == "日本").await;
    assert_eq!((&before["fresh"], &before["worthKeeping"]), (&json!(false), &json!(true)));
    let kept = kept(&mut guest).await;
    assert_eq!((&kept["board"], &kept["worthKeeping"]), (&before["board"], &json!(true)));

    // Another server knows nothing of it, but the board keeps its name.
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, before["board"].as_str()).await;
    assert_eq!((&guest.state["fresh"], &guest.state["board"]), (&json!(true), &before["board"]));
    guest.send(json!({"type": "restore", "kept": kept["game"]})).await;
    let after = guest.until("the game", |v| v["number"] == 3 && v["type"] == "state").await;
    for field in [
        "size", "stones", "toMove", "last", "captures", "komi", "handicap", "rules", "people",
        "level", "phase", "live", "result", "comment", "board",
    ] {
        assert_eq!(after[field], before[field], "{field}");
    }
    // The time that passed while it was asked for is what the person has used.
    assert_eq!(after["clock"]["running"], "black");
    assert_eq!(after["clock"]["white"], before["clock"]["white"]);
    let again = self::kept(&mut guest).await;
    assert_eq!(again["game"]["record"], kept["game"]["record"]);
    assert_eq!((&again["game"]["here"], &again["game"]["seconds"]), (&json!(5), &json!(2.5)));
    // A second page that has it too comes too late, unless it means to replace the game.
    guest.send(json!({"type": "restore", "kept": kept["game"]})).await;
    let refused = guest.wait("refused").await;
    assert_eq!(
        (&refused["why"], &refused["of"]),
        (&json!("there is a game on this board already"), &json!("kept"))
    );
    guest.send(json!({"type": "restore", "kept": kept["game"], "replace": true})).await;
    guest.until("the game", |v| v["records"] == 2).await;
    // The engine plays on.
    guest.send(json!({"type": "play", "at": "G7"})).await;
    guest.until("an answer", |v| v["number"] == 5).await;
    guest.send(json!({"type": "resign"})).await;
    guest.until("the end", |v| v["phase"] == "over").await;
    let over = self::kept(&mut guest).await;
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, before["board"].as_str()).await;
    guest.send(json!({"type": "restore", "kept": over["game"]})).await;
    let state = guest.until("the end", |v| v["phase"] == "over").await;
    assert_eq!(state["result"], "W+R");
    guest.send(json!({"type": "play", "at": "A1"})).await;
    assert_eq!(guest.wait("refused").await["why"], OVER);
}

#[tokio::test]
async fn a_kept_game_that_is_damaged_changes_nothing() {
    let limits = Limits { nodes: 50, depth: 30, ..Limits::default() };
    let address = server(1, limits).await;
    let mut guest = Guest::new(address, None).await;
    let whole = json!({
        "record": "(;SZ[9];B[ee])", "here": 1, "tip": 1, "phase": "playing",
        "people": [true, true], "level": null, "seconds": 3.0, "clock": null,
    });
    let with = |field: &str, value: Value| {
        let mut kept = whole.clone();
        kept[field] = value;
        kept
    };
    for (kept, why) in [
        (json!("nonsense"), "the game that was kept is damaged"),
        (json!({"here": 0}), "the game that was kept is damaged"),
        (with("here", json!(2)), "the game that was kept is damaged"),
        (with("tip", json!(usize::MAX)), "the game that was kept is damaged"),
        (with("phase", json!("asleep")), "the game that was kept is damaged"),
        (with("record", json!("nothing")), "there is no game record in it"),
        (
            with("record", json!(format!("(;SZ[9]{})", ";B[]".repeat(40)))),
            "the game has more than 30 moves",
        ),
        (
            with("record", json!(format!("(;SZ[9]{})", ";B[]".repeat(60)))),
            "the game has more than 50 nodes",
        ),
    ] {
        guest.send(json!({"type": "restore", "kept": kept})).await;
        let refused = guest.wait("refused").await;
        assert_eq!((&refused["why"], &refused["of"]), (&json!(why), &json!("kept")));
    }
    guest.send(json!({"type": "restore", "kept": with("level", json!("best"))})).await;
    guest.wait("refused").await;
    guest.send(json!({"type": "study"})).await;
    assert_eq!(guest.wait("state").await["fresh"], true);
    // What cannot be played to its end is studied as far as it goes.
    let mut broken = with("record", json!("(;SZ[9];B[ee];W[ee])"));
    (broken["here"], broken["tip"]) = (json!(2), json!(2));
    guest.send(json!({"type": "restore", "kept": broken})).await;
    let state = guest.until("the record", |v| v["fresh"] == false).await;
    assert_eq!((&state["phase"], stone(&state, 'X')), (&json!("study"), 1));
}

#[tokio::test]
async fn a_game_that_another_release_kept_comes_back() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    // One knew less of a game, another more.
    let less = json!({"record": "(;SZ[9];B[ee])"});
    let more = json!({"record": "(;SZ[9];B[ee])", "here": 1, "phase": "playing", "mood": "calm"});
    for (kept, records, phase, number) in [(less, 1, "study", 0), (more, 2, "playing", 1)] {
        guest.send(json!({"type": "restore", "kept": kept, "replace": true})).await;
        let answer = |v: &Value| v["type"] == "refused" || v["records"] == records;
        let state = guest.until("an answer", answer).await;
        assert_eq!((&state["phase"], &state["number"]), (&json!(phase), &json!(number)), "{state}");
        assert_eq!((&state["people"], &state["clock"]), (&json!([true, true]), &Value::Null));
    }
}

#[tokio::test]
async fn a_record_is_worth_keeping_when_something_was_added() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    let record = b"(;SZ[9]C[from a file];B[ee](;W[cc])(;W[gg]))";
    for (records, change) in [
        json!({"type": "play", "at": "A1"}),
        json!({"type": "comment", "node": 0, "text": "mine"}),
        json!({"type": "mark", "at": "A1", "mark": "TR"}),
        json!({"type": "setup", "at": "A1", "stone": "black"}),
        json!({"type": "promote", "node": 3}),
        json!({"type": "delete", "node": 3}),
    ]
    .into_iter()
    .enumerate()
    {
        guest.send_bytes(record).await.unwrap();
        let state = guest.until("the record", |v| v["records"] == records + 1).await;
        assert_eq!(state["worthKeeping"], false);
        // It was only looked at.
        guest.send(json!({"type": "go", "node": 1})).await;
        let state = guest.until("a position", |v| v["type"] == "state" && v["node"] == 1).await;
        assert_eq!(state["worthKeeping"], false);
        guest.send(change.clone()).await;
        assert_eq!(guest.wait("state").await["worthKeeping"], true, "{change}");
    }
    // Nor is there anything in a game of which every move was taken back.
    guest.begin([true, true]).await;
    for (request, worth) in
        [(json!({"type": "play", "at": "E5"}), true), (json!({"type": "undo"}), false)]
    {
        guest.send(request).await;
        assert_eq!(guest.wait("state").await["worthKeeping"], worth);
    }
}

#[tokio::test]
async fn a_set_of_problems_is_cut_at_the_limit_and_says_so() {
    let address = server(1, Limits { problems: 20, ..Limits::default() }).await;
    let mut guest = Guest::new(address, None).await;
    let problem = "(;SZ[9]AB[aa]AW[ba];B[ab])";
    guest.send_bytes(problem.repeat(5000).as_bytes()).await.unwrap();
    let note = guest.wait("note").await["note"].as_str().unwrap().to_owned();
    assert!(
        note.contains("at most 20 problems")
            && note.ends_with("the first 20 problems of the file were kept"),
        "{note}"
    );
    let state = guest.until("the set", |v| v["problem"].is_object()).await;
    assert_eq!(state["problem"]["marks"], ".".repeat(20));
    // The last that was kept can be opened, and no more.
    guest.send(json!({"type": "problem", "number": 19})).await;
    guest.until("the last", |v| v["problem"]["number"] == 19).await;
    guest.send(json!({"type": "problem", "number": 20})).await;
    assert_eq!(guest.wait("refused").await["why"], "there is no such problem");
    // A set that fits is not spoken of.
    guest.send_bytes(problem.repeat(20).as_bytes()).await.unwrap();
    let answer = |v: &Value| v["type"] == "note" || v["records"] == 2;
    assert_eq!(guest.until("the set", answer).await["type"], "state");
}

/// While the only thread on which records are read is held up, everybody else is answered, at the same
/// board as well.
#[test]
fn others_are_answered_while_a_record_is_read() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let address = server(1, Limits::default()).await;
        let mut sender = Guest::new(address, None).await;
        let id = sender.state["board"].as_str().unwrap().to_owned();
        let (mut neighbour, mut stranger) =
            (Guest::new(address, Some(&id)).await, Guest::new(address, None).await);
        let (gate, closed) = std::sync::mpsc::channel::<()>();
        let keeper = tokio::task::spawn_blocking(move || closed.recv());
        let set = "(;SZ[9]AB[aa]AW[ba];B[ab])".repeat(2000);
        sender.send_bytes(set.as_bytes()).await.unwrap();
        for at in ["A1", "B2", "C3", "D4", "E5", "F6", "G7", "H8", "J9"] {
            for guest in [&mut neighbour, &mut stranger] {
                guest.send(json!({"type": "play", "at": at})).await;
                let state = guest.until("a move", |v| v["last"] == at).await;
                assert_eq!(state["records"], 0, "the record was read at once");
            }
            let page = get(address, "/", &address.to_string()).await;
            assert!(page.starts_with("HTTP/1.1 200"));
        }
        drop(gate);
        let _ = keeper.await;
        let state = sender.until("the set", |v| v["records"] == 1).await;
        assert_eq!(state["problem"]["marks"].as_str().unwrap().len(), 2000);
        neighbour.until("the set", |v| v["records"] == 1).await;
    });
}

#[tokio::test]
async fn thoughts_statistics_and_reasons_stream() {
    let address = server(2, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    guest.begin([true, true]).await;
    guest.send(json!({"type": "analyse", "on": true, "visits": 400})).await;
    let seen = guest.until("400 playouts", |v| v["visits"].as_u64() >= Some(400)).await;
    assert_eq!(seen["ownership"].as_array().unwrap().len(), 81);
    assert!(seen["candidates"][0]["line"][0] == seen["candidates"][0]["at"]);
    assert!(seen["policy"][0][1].as_f64() > Some(0.01));
    guest.send(json!({"type": "statistics", "on": true})).await;
    let seen = guest.until("10,000 playouts", |v| v["playouts"] == 10_000).await;
    assert_eq!(seen["criticality"].as_array().unwrap().len(), 81);
    guest.send(json!({"type": "why", "at": "E5"})).await;
    let why = guest.wait("why").await;
    assert!(!why["reasons"].as_array().unwrap().is_empty() && why["rank"].is_u64(), "{why}");
    // In words, and in both languages.
    let said = |language: &str| why["words"][language][0].as_str().unwrap().to_owned();
    assert!(said("en").contains("E5") && said("ja").contains("E5"), "{why}");
    assert!(said("ja").contains('。'), "{why}");
    let reason = &why["reasons"][0][0];
    assert!(reason["en"].is_string() && reason["ja"].is_string() && reason["en"] != reason["ja"]);
    // A place where nobody may play has no reasons.
    guest.send(json!({"type": "play", "at": "E5"})).await;
    guest.send(json!({"type": "why", "at": "E5"})).await;
    let why = guest.wait("why").await;
    assert_eq!((&why["rank"], &why["reasons"]), (&Value::Null, &json!([])));
}

#[tokio::test]
async fn a_review_walks_through_the_game_and_is_written_into_it() {
    let address = server(2, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    // Whoever plays G9 takes a whole column and wins; Black plays into his own area instead. So
    // large a mistake is seen however two threads share their few playouts.
    let game = b"(;SZ[9]KM[12]AB[ea:ei][gb:gi]AW[fa:fi][ha:hi];B[ai];W[ga])";
    guest.send_bytes(game).await.unwrap();
    guest.until("the game", |v| v["header"].is_object() && v["komi"] == 12.0).await;
    guest.send(json!({"type": "review", "on": true, "visits": 150})).await;
    let review = guest.review().await;
    assert_eq!((&review["done"], &review["total"]), (&json!(3), &json!(3)));
    let mistakes = review["mistakes"].as_array().unwrap();
    assert!(mistakes.len() == 1 && mistakes[0]["played"] == "A1", "{review}");
    assert!(mistakes[0]["loss"].as_f64() > Some(0.5), "{review}");
    assert_eq!(mistakes[0]["line"][0], "G9");
    guest.send(json!({"type": "annotate"})).await;
    guest.send(json!({"type": "save"})).await;
    let text = guest.wait("record").await["text"].as_str().unwrap().to_owned();
    assert!(text.contains("SBKV[") && text.contains("Better was G9"), "{text}");
}

#[tokio::test]
async fn variations_comments_and_marks_are_kept() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    guest.send_bytes(b"(;SZ[13];B[dd];W[jj])").await.unwrap();
    guest.until("the game", |v| v["size"] == 13).await;
    for request in [
        json!({"type": "go", "node": 1}),
        // This one is there already: no node is made twice.
        json!({"type": "play", "at": "K4"}),
        json!({"type": "go", "node": 1}),
        json!({"type": "play", "at": "L4"}),
        json!({"type": "play", "at": "C3"}),
        json!({"type": "comment", "node": 4, "text": "why ] not? 日本"}),
        json!({"type": "mark", "at": "C3", "mark": "TR"}),
        json!({"type": "go", "node": 1}),
        json!({"type": "promote", "node": 3}),
        json!({"type": "setup", "at": "A1", "stone": "white"}),
        json!({"type": "save"}),
    ] {
        guest.send(request).await;
    }
    let text = guest.until("the record", |v| v["type"] == "record" || v["type"] == "refused").await;
    let text = text["text"].as_str().unwrap_or_else(|| panic!("{text}"));
    let expected =
        "(;CA[UTF-8]SZ[13];B[dd](;W[kj];B[ck]C[why \\] not? 日本]TR[ck])(;W[jj])(;AW[am]))";
    assert_eq!(text.replace('\n', ""), expected);
}

#[tokio::test]
async fn what_is_too_large_ends_one_connection_and_no_other() {
    let limits =
        Limits { message: 10_000, nodes: 50, depth: 30, written: 5000, ..Limits::default() };
    let address = server(1, limits).await;
    let (mut bad, mut good) = (Guest::new(address, None).await, Guest::new(address, None).await);
    let _ = bad.send_bytes(&vec![b'('; 20_000]).await;
    while bad.next().await.is_some() {}
    let mut long = Guest::new(address, None).await;
    let sgf = format!("(;SZ[9]{})", ";B[]".repeat(100));
    long.send_bytes(sgf.as_bytes()).await.unwrap();
    let refused = long.wait("refused").await;
    assert_eq!(
        (&refused["why"], &refused["of"]),
        (&json!("the game has more than 50 nodes"), &json!("record"))
    );
    for garbage in [&b"\xff\xfe\0\0"[..], b"(((((", b"", b"(;GM[2])"] {
        long.send_bytes(garbage).await.unwrap();
        long.wait("refused").await;
    }
    let sgf = format!("(;SZ[9]{})", ";B[]".repeat(40));
    long.send_bytes(sgf.as_bytes()).await.unwrap();
    assert_eq!(long.wait("refused").await["why"], "the game has more than 30 moves");
    for why in [Value::Null, json!("too much was written to this game; save it and load it again")]
    {
        long.send(json!({"type": "comment", "node": 0, "text": "x".repeat(3000)})).await;
        let answer = |v: &Value| v["type"] == "refused" || v["comment"].is_string();
        assert_eq!(long.until("an answer", answer).await["why"], why);
    }
    good.begin([true, true]).await;
}

#[tokio::test]
async fn a_flood_is_read_slowly_and_delays_nobody_else() {
    let address = server(1, Limits::default()).await;
    let (mut flood, mut good) = (Guest::new(address, None).await, Guest::new(address, None).await);
    good.begin([true, true]).await;
    let flooding = tokio::spawn(async move {
        for _ in 0..100_000 {
            flood.send(json!({"type": "analyse", "on": true, "visits": 400_000})).await;
        }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    for (i, at) in ["E5", "C3", "G7"].into_iter().enumerate() {
        good.send(json!({"type": "play", "at": at})).await;
        good.until("a move", |v| v["number"] == i + 1).await;
    }
    // All three were answered while most of the flood has not been read.
    assert!(!flooding.is_finished());
    flooding.abort();
}

#[tokio::test]
async fn there_is_room_for_so_many() {
    let limits = Limits { connections: 2, ..Limits::default() };
    let address = server(1, limits).await;
    let _guests = [Guest::new(address, None).await, Guest::new(address, None).await];
    let (host, origin) = (address.to_string(), format!("http://{address}"));
    assert!(Guest::try_new(address, "/board", &host, Some(&origin)).await.is_err());
}

#[tokio::test]
async fn sockets_that_say_nothing_make_room() {
    let silence = Duration::from_millis(300);
    let address = server(1, Limits { connections: 1, silence, ..Limits::default() }).await;
    let mut silent = Vec::new();
    for _ in 0..20 {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    let host = address.to_string();
    let page = tokio::time::timeout(guest::PATIENCE, get(address, "/", &host)).await.unwrap();
    assert!(page.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn every_size_handicap_and_rule_set_can_be_played() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    for size in 2..=25 {
        let handicap = if size >= 9 { 4 } else { 0 };
        let rules = ["chinese", "japanese", "aga", "new-zealand", "tromp-taylor"][size % 5];
        guest
            .send(json!({
                "type": "new", "size": size, "people": [true, true], "rules": rules,
                "komi": 0.5, "handicap": handicap,
            }))
            .await;
        let state = guest.until("a game", |v| v["type"] == "state" && v["size"] == size).await;
        assert_eq!(stone(&state, 'X'), handicap, "{size}");
        assert_eq!(state["toMove"], if handicap > 0 { "white" } else { "black" });
        assert_eq!((&state["rules"], &state["handicap"]), (&json!(rules), &json!(handicap)));
        guest.send(json!({"type": "play", "at": "A1"})).await;
        guest.until("a move", |v| v["number"] == 1).await;
    }
    guest
        .send(json!({
            "type": "new", "size": 8, "people": [true, true], "rules": "aga", "komi": 0.5,
            "handicap": 5,
        }))
        .await;
    let refused = guest.wait("refused").await;
    assert_eq!(refused["why"], "this board has places for 4 stones at most");
}

#[tokio::test]
async fn time_runs_out_on_the_clock_of_the_server() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    guest
        .send(json!({
            "type": "new", "size": 9, "people": [true, true], "rules": "japanese", "komi": 6.5,
            "clock": {"main": 3.0, "period": 0.3, "periods": 1},
        }))
        .await;
    let state = guest.until("a clock", |v| v["clock"]["running"] == "black").await;
    assert_eq!(state["clock"]["black"]["periods"], 1);
    // A page that says so too early is not believed.
    guest.send(json!({"type": "flag"})).await;
    assert_eq!(guest.wait("state").await["phase"], "playing");
    let state = loop {
        tokio::time::sleep(Duration::from_millis(200)).await;
        guest.send(json!({"type": "flag"})).await;
        let state = guest.wait("state").await;
        if state["result"].is_string() {
            break state;
        }
    };
    assert_eq!((&state["result"], &state["phase"]), (&json!("W+T"), &json!("over")));
    guest.send(json!({"type": "play", "at": "E5"})).await;
    assert_eq!(guest.wait("refused").await["why"], OVER);
}

#[tokio::test]
async fn a_review_survives_those_who_walk_about_meanwhile() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    guest.send_bytes(b"(;SZ[9]KM[7];B[ee];W[ec];B[cc];W[gf];B[gd])").await.unwrap();
    guest.until("the game", |v| v["komi"] == 7.0).await;
    guest.send(json!({"type": "review", "on": true, "visits": 300})).await;
    for node in [1, 2, 3, 4, 5, 4, 3, 2] {
        guest.send(json!({"type": "go", "node": node})).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let review = guest.review().await;
    assert_eq!((&review["done"], &review["total"]), (&json!(6), &json!(6)));
}

/// What `harie review` finds about a record with one thread, as the page is told.
fn reviewed(sgf: &[u8], visits: u64) -> (Vec<Value>, Vec<Value>) {
    let record = Record::new(&kifu::read(sgf).0[0], &mut Vec::new()).unwrap();
    let resumed = record.resume_far(Rules::CHINESE, record.komi.unwrap()).unwrap();
    let effort = Effort::visits(visits);
    let options = Options { megabytes: effort.megabytes(), ..Options::default() };
    let mut engine = Engine::new(Arc::new(guest::library()), options);
    let mut review = Review::new(&resumed.start, resumed.game.moves(), effort);
    assert!(review.run(&mut engine, &mut |_| true));
    let short = |x: f32| json!((f64::from(x) * 1000.0).round() / 1000.0);
    let standings = review.standings().iter();
    let positions = standings.map(|at| json!([short(at.winrate), short(at.score)])).collect();
    let mistakes = review.mistakes().into_iter().map(|mistake| {
        let (loss, points) = mistake.explanation.loss();
        let best = mistake.explanation.best.mv.to_string();
        json!([mistake.number, mistake.played().to_string(), short(loss), short(points), best])
    });
    (positions, mistakes.collect())
}

/// The same from what the page was told.
fn shown(review: &Value) -> (Vec<Value>, Vec<Value>) {
    let list = |name: &str| review[name].as_array().unwrap().clone();
    let positions = list("positions").into_iter().map(|at| json!([at[1], at[2]])).collect();
    let mut mistakes = list("mistakes");
    mistakes.sort_by_key(|m| m["number"].as_u64());
    let told = |m: &Value| json!([m["number"], m["played"], m["loss"], m["points"], m["line"][0]]);
    (positions, mistakes.iter().map(told).collect())
}

#[tokio::test]
async fn the_page_and_the_command_line_find_the_same_mistakes() {
    // Positions are cut into many slices.
    let slice = Duration::from_millis(1);
    let address = server(2, Limits { slice, ..Limits::default() }).await;
    let mut guest = Guest::new(address, None).await;
    let sgf = include_bytes!("../../../samples/9x9.sgf");
    let found = reviewed(sgf, 60);
    assert!(found.0.len() == 46 && found.1.len() > 2, "{found:?}");
    guest.send_bytes(sgf).await.unwrap();
    guest.send(json!({"type": "review", "on": true, "visits": 60})).await;
    let review = guest.review().await;
    assert_eq!(shown(&review), found);
    // What is told of a mistake goes together, and the worst comes first.
    let mistakes = review["mistakes"].as_array().unwrap();
    for mistake in mistakes {
        let number = |name: &str| mistake[name].as_f64().unwrap();
        let sign = if mistake["color"] == "black" { 1.0 } else { -1.0 };
        let cost = sign * (number("before") - number("after"));
        assert!((cost - number("loss")).abs() < 0.002, "{mistake}");
    }
    let weight = |m: &Value| {
        m["loss"].as_f64().unwrap() + 0.01 * m["points"].as_f64().unwrap().clamp(0.0, 30.0)
    };
    assert!(mistakes.is_sorted_by(|a, b| weight(a) >= weight(b) - 0.001), "{review}");
    // Other things that are thought about meanwhile change nothing.
    guest.send(json!({"type": "review", "on": true, "visits": 60})).await;
    for node in [3, 20, 7] {
        guest.send(json!({"type": "go", "node": node})).await;
        guest.send(json!({"type": "analyse", "on": true, "visits": 100})).await;
        guest.send(json!({"type": "why", "at": "E5"})).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(shown(&guest.review().await), found);
}

#[tokio::test]
async fn a_review_begins_where_stones_were_set_up() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    for (sgf, nodes) in [
        // Between the moves, in two nodes; before them all; in the root.
        (&b"(;SZ[9]KM[7];B[ee];W[ec];AB[gg];AW[cc];B[gc])"[..], json!([4, 5])),
        (b"(;SZ[9]KM[7];AB[gg];B[gc])", json!([1, 2])),
        (b"(;SZ[9]KM[7]AB[gg];B[gc])", json!([0, 1])),
    ] {
        guest.send_bytes(sgf).await.unwrap();
        guest.send(json!({"type": "review", "on": true, "visits": 20})).await;
        let review = guest.until("the end", |v| v["running"] == false && v["total"] == 2).await;
        let positions = review["positions"].as_array().unwrap();
        assert_eq!(positions.iter().map(|at| at[0].clone()).collect::<Value>(), nodes);
    }
}

#[tokio::test]
async fn a_review_goes_on_when_the_page_comes_back_and_says_when_it_is_done() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    guest.send_bytes(include_bytes!("../../../samples/9x9.sgf")).await.unwrap();
    guest.send(json!({"type": "review", "on": true, "visits": 60})).await;
    let begun = |v: &Value| v["type"] == "review" && v["done"].as_u64() > Some(3);
    let review = guest.until("some positions", begun).await;
    assert_eq!(review["running"], true);
    let id = guest.state["board"].as_str().unwrap().to_owned();
    drop(guest);
    let mut guest = Guest::new(address, Some(&id)).await;
    let review = guest.review().await;
    assert_eq!((&review["done"], &review["total"]), (&json!(46), &json!(46)));
    // One that is stopped says so, and keeps what it found.
    guest.send(json!({"type": "review", "on": true, "visits": 400})).await;
    guest.until("some positions", begun).await;
    guest.send(json!({"type": "review", "on": false})).await;
    let review = guest.review().await;
    let done = review["positions"].as_array().unwrap().len();
    assert!((4..46).contains(&done) && review["done"] == done, "{review}");
}

#[tokio::test]
async fn links_groups_and_territory_are_seen() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    // Two walls, a one-point jump in Black's, and a white stone behind it.
    let sgf = b"(;SZ[9]KM[7]AB[ca][cb][cc][cd][cf][cg][ch][ci]AW[ab][da][db][dc][dd][de][df][dg][dh][di])";
    guest.send_bytes(sgf).await.unwrap();
    guest.until("the position", |v| v["type"] == "state" && stone(v, 'O') == 10).await;
    guest.send(json!({"type": "sight", "on": true})).await;
    let seen = guest.wait("sight").await;
    let links = seen["links"].as_array().unwrap();
    let jump = |v: &&Value| v["player"] == "black" && v["kind"] == "one-point jump";
    assert_eq!(links.iter().find(jump).unwrap()["ends"], json!(["C6", "C4"]));
    let groups = seen["groups"].as_array().unwrap();
    let lost = groups.iter().find(|g| g["stones"] == json!(["A8"])).unwrap();
    // Playouts differ from board to board: what is sure is asked for.
    assert!(lost["player"] == "white" && lost["survives"].as_f64() < Some(0.5), "{lost}");
    let owners = seen["byOwnership"].as_str().unwrap();
    assert!(owners.starts_with("XXXO"), "{owners}");
    assert!(seen["areas"][1][0].as_u64() > Some(20), "{seen}");
    // Another position is seen anew, without being asked for.
    guest.send(json!({"type": "play", "at": "C5"})).await;
    let again = guest.until("another sight", |v| v["type"] == "sight" && v["node"] == 1).await;
    assert!(!again["links"].as_array().unwrap().iter().any(|v| jump(&v)));
}

#[tokio::test]
async fn two_models_are_compared_and_only_those_that_are_listed() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    let listed = get(address, "/models", &address.to_string()).await;
    assert!(listed.contains("\"uct9\"") && listed.contains("application/json"), "{listed}");
    guest.send_bytes(b"(;SZ[9]KM[7];B[ee];W[gc])").await.unwrap();
    guest.until("the game", |v| v["komi"] == 7.0).await;
    guest.send(json!({"type": "compare", "on": true, "models": ["uct9", "mc9"]})).await;
    let found = guest.wait("compare").await;
    assert_eq!((&found["played"], &found["toMove"]), (&json!("E5"), &json!("black")));
    let [tree, playouts] = [0, 1].map(|i| &found["models"][i]);
    assert_ne!(tree["policy"], playouts["policy"]);
    assert!(tree["played"]["rank"].is_u64() && playouts["policy"][0][1].as_f64() > Some(0.01));
    let distance = found["distance"].as_f64().unwrap();
    assert!(0.01 < distance && distance < 1.0, "{distance}");
    // A model agrees with itself.
    let same = json!({"type": "compare", "on": true, "models": ["mc9", "mc9"], "at": "C3"});
    guest.send(same).await;
    let found = guest.until("reasons", |v| v["type"] == "compare" && v["at"] == "C3").await;
    assert_eq!((&found["distance"], &found["same"]), (&json!(0.0), &json!(10)));
    assert!(found["models"][0]["reasons"][0][0]["ja"].is_string(), "{found}");
    for id in ["/etc/passwd", "../uct9", ""] {
        guest.send(json!({"type": "compare", "on": true, "models": ["uct9", id]})).await;
        let found = guest.until("an error", |v| v["error"].is_string()).await;
        assert_eq!(found["error"], "there is no such model");
    }
}

#[tokio::test]
async fn the_laboratory_shows_what_is_listed_and_nothing_else() {
    let address = server(1, Limits::default()).await;
    let host = address.to_string();
    let listed = get(address, "/lab/results", &host).await;
    assert!(listed.contains("\"id\":\"match one\""), "{listed}");
    let shown = get(address, "/lab/result?id=match%20one", &host).await;
    assert!(shown.contains("one against another"), "{shown}");
    // It can run nothing, fetch nothing, and be shown by this site only.
    let policy = shown.to_lowercase();
    for word in ["sandbox", "default-src 'none'", "frame-ancestors 'self'"] {
        assert!(policy.contains(word), "{word}: {shown}");
    }
    for id in ["", "match", "..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "match%20one%2f.."] {
        let answer = get(address, &format!("/lab/result?id={id}"), &host).await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{id}: {answer}");
    }
    for path in ["/lab/results", "/lab/result?id=match%20one", "/models"] {
        assert!(get(address, path, "evil.example").await.starts_with("HTTP/1.1 421"), "{path}");
    }
}

#[tokio::test]
async fn problems_are_answered_as_the_file_says() {
    let address = server(1, Limits::default()).await;
    let mut guest = Guest::new(address, None).await;
    let first = get(address, "/problems.sgf", &address.to_string()).await;
    let (_, body) = first.split_once("\r\n\r\n").unwrap();
    guest.send_bytes(body.as_bytes()).await.unwrap();
    let state = guest.until("problems", |v| v["problem"]["marks"] == "......").await;
    assert_eq!((&state["problem"]["said"], &state["toMove"]), (&json!("open"), &json!("black")));
    assert_eq!(state["problem"]["part"], json!([[0, 5], [5, 8]]));
    guest.send(json!({"type": "try", "at": "A1"})).await;
    let state = guest.until("a verdict", |v| v["problem"]["said"] == "wrong").await;
    assert_eq!(state["problem"]["comment"], "Wrong. White has two eyes. 失敗");
    // White has answered, which takes the stone off.
    assert_eq!((&state["number"], &state["captures"]), (&json!(2), &json!([0, 1])));
    guest.send(json!({"type": "try", "at": "C1"})).await;
    assert_eq!(guest.wait("refused").await["why"], "the problem is over; try it again");
    guest.send(json!({"type": "problem", "number": 0})).await;
    guest.until("the start", |v| v["problem"]["said"] == "open").await;
    guest.send(json!({"type": "try", "at": "B1"})).await;
    let state = guest.until("a verdict", |v| v["problem"]["said"] == "right").await;
    assert_eq!(state["problem"]["marks"], "/.....");
    // A problem of more than one move; one that White solves.
    guest.send(json!({"type": "problem", "number": 2})).await;
    guest.send(json!({"type": "try", "at": "A1"})).await;
    let state = guest.until("more", |v| v["problem"]["said"] == "on").await;
    assert_eq!((&state["last"], &state["toMove"]), (&json!("A2"), &json!("black")));
    guest.send(json!({"type": "try", "at": "B1"})).await;
    let state = guest.until("a verdict", |v| v["problem"]["said"] == "right").await;
    assert_eq!((&state["problem"]["marks"], stone(&state, 'O')), (&json!("/.+..."), 0));
    guest.send(json!({"type": "problem", "number": 3})).await;
    guest.until("White's", |v| v["toMove"] == "white" && v["problem"]["number"] == 3).await;
    guest.send(json!({"type": "try", "at": "J9"})).await;
    let state = guest.until("a verdict", |v| v["problem"]["said"] == "unknown").await;
    assert_eq!(state["problem"]["marks"], "/.+-..");
    // The score is kept over a reload; another record ends it.
    let id = state["board"].as_str().unwrap().to_owned();
    drop(guest);
    let mut guest = Guest::new(address, Some(&id)).await;
    assert_eq!(guest.state["problem"]["marks"], "/.+-..");
    guest.send(json!({"type": "problem", "number": 6})).await;
    assert_eq!(guest.wait("refused").await["why"], "there is no such problem");
    // The solver is asked about the position that is looked at.
    guest.send(json!({"type": "problem", "number": 1})).await;
    guest.send(json!({"type": "solve"})).await;
    let told = guest.wait("solution").await;
    assert_eq!((&told["toMove"], &told["solved"]["kills"]), (&json!("white"), &json!(false)));
    assert_eq!(told["solved"]["moves"][0]["line"], json!(["B1", "A1", "C1"]));
    guest.send_bytes(b"(;SZ[9];B[ee])").await.unwrap();
    guest.until("a game", |v| v["type"] == "state" && v["problem"].is_null()).await;
}

#[tokio::test]
async fn matches_are_started_by_pages_of_this_site_and_only_where_they_may() {
    let address = server(1, Limits::default()).await;
    let own = format!("http://{address}");
    let player = r#"{"who":"harie","visits":10}"#;
    let wish = |player: &str| {
        format!(r#"{{"players":[{player},{{"who":"level","level":"9k"}}],"size":9,"games":2}}"#)
    };
    for origin in ["http://evil.example", "null", ""] {
        let answer = post(address, origin, &wish(player)).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{origin}: {answer}");
        let other = answer.contains("other sites");
        assert!(other != origin.is_empty() && other != answer.contains(&own), "{answer}");
    }
    // This server does not let pages start matches.
    let answer = post(address, &own, &wish(player)).await;
    assert!(answer.starts_with("HTTP/1.1 409") && answer.contains("not started"), "{answer}");
    for (odd, why) in [
        (r#"{"who":"gtp","command":"rm"}"#, "there is no player 'gtp'"),
        (r#"{"who":"harie","visits":-1}"#, "a value of another kind"),
        (r#"{"who":"harie"}"#, "'visits' is missing"),
        (r#""harie""#, "a value of another kind"),
        ("{", "this is not JSON"),
    ] {
        let answer = post(address, &own, &wish(odd)).await;
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains(why), "{odd}: {answer}");
        assert!(answer.contains(r#"{"players":[{"who":"harie","visits":400}"#), "{answer}");
        assert!(!answer.contains("PlayerWish") && !answer.contains("u32"), "{answer}");
    }
}

#[tokio::test]
async fn evaluations_are_started_watched_and_stopped_by_pages_of_this_site() {
    let wish =
        |corpus: &str| format!(r#"{{"models":["mc9","uct9"],"corpus":"{corpus}","games":3}}"#);
    // This server does not let pages start any, and tells nobody which records it has.
    let closed = server(1, Limits::default()).await;
    let own = format!("http://{closed}");
    let answer = post_to(closed, "/lab/evaluation", &own, &wish("games.sgf")).await;
    assert!(answer.starts_with("HTTP/1.1 409") && answer.contains("not started"), "{answer}");
    let listed = get(closed, "/lab/results", &closed.to_string()).await;
    assert!(listed.contains(r#""corpora":[]"#) && !listed.contains("games.sgf"), "{listed}");

    let address = measuring_server(1).await;
    let (host, own) = (address.to_string(), format!("http://{address}"));
    let start =
        async |origin: &str, body: &str| post_to(address, "/lab/evaluation", origin, body).await;
    let look = async || {
        let answer = get(address, "/lab/results", &host).await;
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        serde_json::from_str::<Value>(body).unwrap()
    };
    for origin in ["http://evil.example", "null", ""] {
        assert!(start(origin, &wish("games.sgf")).await.starts_with("HTTP/1.1 403"), "{origin}");
    }
    for odd in
        ["{", r#"{"models":"mc9","corpus":"games.sgf","games":3}"#, r#"{"models":[],"games":-1}"#]
    {
        assert!(start(&own, odd).await.starts_with("HTTP/1.1 400"), "{odd}");
    }
    for odd in ["/etc/passwd", "../games.sgf", ""] {
        assert!(start(&own, &wish(odd)).await.contains("no such game records"), "{odd}");
    }
    let idle = look().await;
    assert_eq!((&idle["playing"], &idle["work"]), (&json!("idle"), &Value::Null));
    assert_eq!(idle["corpora"][0]["id"], "games.sgf");
    let answer = start(&own, &wish("games.sgf")).await;
    assert!(answer.ends_with("\"evaluation-1.json\""), "{answer}");
    assert!(start(&own, &wish("games.sgf")).await.contains("already"));
    let busy = look().await;
    assert_eq!((&busy["playing"], &busy["work"]["done"]), (&json!("busy"), &json!(1)));
    assert_eq!(busy["items"].as_array().unwrap().len(), 1);
    let stop = async |origin: &str| {
        let request = format!(
            "DELETE /lab/work HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nconnection: close\r\n\r\n"
        );
        ask(address, &request).await
    };
    let refused = stop("http://evil.example").await;
    assert!(refused.starts_with("HTTP/1.1 403") && refused.contains("stop nothing"), "{refused}");
    assert_eq!(look().await["work"]["state"], "running");
    assert!(stop(&own).await.starts_with("HTTP/1.1 204"));
    assert_eq!(look().await["work"]["state"], "stopped");
    // Another time it is let go on to its end.
    start(&own, &wish("many")).await;
    while look().await["work"]["state"] == "running" {}
    let done = look().await;
    assert_eq!(
        (&done["playing"], &done["items"][1]["id"]),
        (&json!("idle"), &json!("evaluation-1.json"))
    );
    for (asked, told) in [("", "in en"), ("&language=ja", "in ja"), ("&language=xx", "in en")] {
        let path = format!("/lab/result?id=evaluation-1.json{asked}");
        assert!(get(address, &path, &host).await.contains(told), "{asked}");
    }
}

//! The page in a real browser: a whole game by mouse, by finger and by keys; study; a look inside.
//! HARIE_SCREENSHOTS=folder keeps a picture of every view.

mod driven;
mod guest;

use std::time::{Duration, Instant};

use driven::{Browser, Kind};
use guest::Mortal;

/// Pictures and processors are shared: one browser at a time.
static ONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Stones on the board, black and white.
async fn stones(browser: &mut Browser) -> (u64, u64) {
    let count = browser
        .eval(
            "['black', 'white'].map(c => document.querySelectorAll(`#board svg > g \
             circle[fill=\"url(#${c}-stone)\"]:not(.ghost)`).length)",
        )
        .await;
    (count[0].as_u64().unwrap(), count[1].as_u64().unwrap())
}

/// Whether there is no stone at a point of a 9x9 board.
async fn is_empty(browser: &mut Browser, point: &str) -> bool {
    let script = format!(
        "![...document.querySelectorAll('#board circle[r=\"19\"]:not(.ghost)')].some(c => \
         c.cx.baseVal.value === 40 + 40 * 'ABCDEFGHJ'.indexOf('{point}'[0]) \
         && c.cy.baseVal.value === 40 + 40 * (9 - Number('{point}'.slice(1))))"
    );
    browser.eval(&script).await == true
}

async fn number(browser: &mut Browser) -> usize {
    browser.text("#number").await.parse().unwrap()
}

const OPEN: &str = "document.querySelector('#new-dialog').open";
/// The page asks whether the game on the board may go.
const ASKED: &str = "document.querySelector('#replace-dialog').open";
const MY_TURN: &str = "document.body.dataset.thinking === 'false'";

/// Begins a game by the dialog, as it is set.
async fn begin(browser: &mut Browser) {
    browser.wait(OPEN).await;
    replace_by(browser, "#begin").await;
    browser.wait("document.body.dataset.phase === 'playing'").await;
}

/// Clicks what puts another game on the board, and lets go the one that is there.
async fn replace_by(browser: &mut Browser, selector: &str) {
    let records = browser.eval("document.body.dataset.records").await;
    let replaced = format!("document.body.dataset.records !== {records}");
    browser.click(selector).await;
    browser.wait(&format!("{ASKED} || {replaced}")).await;
    if browser.eval(ASKED).await == true {
        browser.click("#replace-game").await;
    }
    browser.wait(&replaced).await;
}

async fn choose(browser: &mut Browser, name: &str, value: &str) {
    let script = format!(
        "(() => {{ const e = document.querySelector('#new-form').elements[{name:?}]; \
         e.value = {value:?}; \
         (e.length && !e.options ? e[0] : e).dispatchEvent(new Event('change', {{bubbles: true}})); }})()"
    );
    browser.eval(&script).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_in_chromium() {
    let _one = ONE.lock().await;
    let Some(mut browser) = Browser::start(Kind::Chromium).await else {
        eprintln!("skipped: there is no Chromium here (Debian: apt install chromium)");
        return;
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let address = guest::measuring_server(cores).await;
    // Someone else keeps a processor busy all the time.
    let mut other = guest::Guest::new(address, None).await;
    other.send(serde_json::json!({"type": "analyse", "on": true, "visits": 500_000})).await;
    let reading = tokio::spawn(async move { while other.next().await.is_some() {} });
    let url = format!("http://{address}/");
    browser.window(1280, 800, false).await;
    browser.dark(false).await;
    let start = Instant::now();
    browser.open(&url).await;
    browser.wait(OPEN).await;
    let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
    browser.wait(paint).await;
    let painted = browser.eval(paint).await.as_f64().unwrap();
    eprintln!("first paint {painted:.0} ms; a new page is ready in {:?}", start.elapsed());
    browser.picture("new-game").await;

    captures_are_taken_back_and_counted(&mut browser).await;
    a_whole_game_is_played(&mut browser).await;
    records_are_loaded_and_saved(&mut browser).await;
    overlays_appear(&mut browser, &url).await;
    models_are_compared(&mut browser).await;
    problems_are_tried(&mut browser).await;
    the_laboratory_is_shown(&mut browser, &url).await;
    nothing_is_left_untranslated(&mut browser, &url).await;
    keys_are_enough(&mut browser).await;
    a_phone_is_large_enough(&mut browser, &url).await;
    reading.abort();
    browser.window(1280, 800, false).await;
    games_are_kept(&mut browser).await;
    a_kept_game_may_be_damaged(&mut browser).await;
    kept_games_are_told_apart(&mut browser).await;
    nothing_has_to_be_stored(&mut browser).await;
    what_a_phone_says_is_seen(&mut browser).await;
    if std::env::var_os("HARIE_SCREENSHOTS").is_some() {
        pictures_for_the_documentation(&mut browser, &url).await;
    }
}

/// The same page in a browser of another make; phones and the system's colours are left to the first.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_in_firefox() {
    let _one = ONE.lock().await;
    let Some(mut browser) = Browser::start(Kind::Firefox).await else {
        eprintln!("skipped: there is no Firefox here (Debian: apt install firefox-esr)");
        return;
    };
    let address = guest::measuring_server(1).await;
    let url = format!("http://{address}/");
    browser.window(1280, 800, false).await;
    browser.open(&url).await;
    browser.wait(OPEN).await;
    captures_are_taken_back_and_counted(&mut browser).await;
    a_whole_game_is_played(&mut browser).await;
    records_are_loaded_and_saved(&mut browser).await;
    overlays_appear(&mut browser, &url).await;
    models_are_compared(&mut browser).await;
    problems_are_tried(&mut browser).await;
    the_laboratory_is_shown(&mut browser, &url).await;
    nothing_is_left_untranslated(&mut browser, &url).await;
    keys_are_enough(&mut browser).await;
    games_are_kept(&mut browser).await;
    a_kept_game_may_be_damaged(&mut browser).await;
    kept_games_are_told_apart(&mut browser).await;
}

/// What the browser has kept of the game on its board, as an expression.
const KEPT: &str = "(JSON.parse(localStorage.getItem('harie.kept.' \
                    + JSON.parse(localStorage.getItem('harie.board'))))?.game.record ?? '')";

/// Opens a page at a server that has nothing yet, and begins a game there.
async fn first_game(browser: &mut Browser, server: &Mortal) {
    browser.open(&format!("http://{}/", server.address)).await;
    browser.wait(OPEN).await;
    choose(browser, "people", "both").await;
    begin(browser).await;
    for (i, point) in ["E5", "C3", "G7"].into_iter().enumerate() {
        browser.play(point).await;
        browser
            .wait(&format!("document.querySelector('#number').textContent === '{}'", i + 1))
            .await;
    }
    browser.wait("document.querySelector('#line').textContent === ''").await;
}

/// A game outlives the server; it is not replaced unasked, and comes back if it was; when it is over it
/// takes no more moves.
async fn games_are_kept(browser: &mut Browser) {
    let mut server = Mortal::start();
    first_game(browser, &server).await;
    browser.wait(&format!("{KEPT}.includes(';B[gc]')")).await;
    let id = browser.eval("localStorage.getItem('harie.board')").await;
    server.stop();
    browser.wait("document.querySelector('#line').textContent !== ''").await;
    server.restart();
    browser
        .wait("document.querySelector('#notice-words').textContent.includes('brought it back')")
        .await;
    browser.wait("document.body.dataset.phase === 'playing'").await;
    browser.picture("game-brought-back").await;
    assert_eq!((stones(browser).await, number(browser).await), ((2, 1), 3));
    assert_eq!(browser.eval("localStorage.getItem('harie.board')").await, id);
    assert_eq!(browser.eval(OPEN).await, false);
    browser.play("E3").await;
    browser.wait("document.querySelector('#number').textContent === '4'").await;
    // A page that is opened after the server was started finds it as well.
    browser.wait(&format!("{KEPT}.includes(';W[eg]')")).await;
    server.restart();
    browser.open(&format!("http://{}/", server.address)).await;
    browser.wait("document.querySelector('#number')?.textContent === '4'").await;
    assert_eq!(browser.eval(OPEN).await, false);

    // It is asked before each way of replacing it, and the game stays if that is what is wanted.
    browser.click("#new").await;
    browser.wait(OPEN).await;
    browser.click("#begin").await;
    browser.wait(ASKED).await;
    browser.picture("replace").await;
    browser.click("#keep-game").await;
    browser.click("#tab-problems").await;
    browser.click("#first-problems").await;
    browser.wait(ASKED).await;
    browser.click("#keep-game").await;
    browser.click("#tab-study").await;
    paste(browser, SGF).await;
    browser.click("#paste-dialog button[value=load]").await;
    browser.wait(ASKED).await;
    browser.keys(&["Escape"]).await;
    browser.wait(&format!("!({ASKED})")).await;
    assert_eq!((stones(browser).await, number(browser).await), ((2, 2), 4));
    // What cannot be read replaces nothing.
    paste(browser, "(;FF[4]GM[2]SZ[9])").await;
    browser.click("#paste-dialog button[value=load]").await;
    browser.wait(ASKED).await;
    browser.click("#replace-game").await;
    browser.wait("document.querySelector('#notice-words').textContent.startsWith('The record cannot be read: ')").await;
    assert_eq!((stones(browser).await, number(browser).await), ((2, 2), 4));
    browser.picture("unreadable").await;
    browser.click("#notice-close").await;
    browser.eval("document.querySelector('#notice-words').textContent = ''").await;
    paste(browser, "").await;
    browser
        .eval("document.querySelector('#paste-text').value = `(;C[${'long '.repeat(200000)}])`")
        .await;
    browser.click("#paste-dialog button[value=load]").await;
    browser
        .wait("document.querySelector('#notice-words').textContent.includes('more than 512 KiB')")
        .await;
    assert_eq!(browser.text("#line").await, "");
    browser.click("#notice-close").await;
    browser.click("#tab-play").await;
    assert_eq!(browser.eval("document.querySelector('#previous-game').hidden").await, true);

    // Replaced, it is the previous game, and comes back for the one that took its place.
    browser.click("#new").await;
    choose(browser, "board", "13").await;
    begin(browser).await;
    browser.play("K10").await;
    browser.wait("document.querySelector('#number').textContent === '1'").await;
    browser.click("#previous-game").await;
    browser.wait("document.querySelector('#number').textContent === '4'").await;
    assert_eq!(stones(browser).await, (2, 2));
    browser.click("#previous-game").await;
    browser.wait("document.querySelector('#number').textContent === '1'").await;
    browser.click("#previous-game").await;
    browser.wait("document.querySelector('#number').textContent === '4'").await;

    // Pressed twice at once it brings the game back once, and the other one is not lost.
    let press = "document.querySelector('#previous-game').click()";
    browser.eval(&format!("{press}, {press}, null")).await;
    browser.wait("document.querySelector('#number').textContent === '1'").await;
    browser.wait("document.querySelector('#line').textContent === ''").await;
    browser.click("#previous-game").await;
    browser.wait("document.querySelector('#number').textContent === '4'").await;
    assert_eq!(stones(browser).await, (2, 2));

    // A game that is begun without a line replaces the one that is brought back: that is the previous one.
    server.stop();
    browser.wait("document.querySelector('#line').textContent !== ''").await;
    assert_eq!(browser.eval("document.querySelector('#previous-game').disabled").await, true);
    browser.click("#new").await;
    browser.wait(OPEN).await;
    choose(browser, "board", "19").await;
    browser.click("#begin").await;
    browser.wait(ASKED).await;
    browser.click("#replace-game").await;
    server.restart();
    browser.wait("document.querySelector('#board svg').dataset.size === '19'").await;
    browser.click("#previous-game").await;
    browser.wait("document.querySelector('#number').textContent === '4'").await;
    assert_eq!(stones(browser).await, (2, 2));

    // A record that was lost with the line is not heard of again: the tab stays.
    browser.click("#tab-problems").await;
    let binary = "typeof data !== 'string'";
    browser
        .eval(&format!(
            "(() => {{ const send = WebSocket.prototype.send; window.mend = () => {{              WebSocket.prototype.send = send; }}; WebSocket.prototype.send = function (data) {{              if ({binary}) window.dropped = true; else send.call(this, data); }}; }})()"
        ))
        .await;
    browser.click("#paste-problems").await;
    browser.eval(&format!("document.querySelector('#paste-text').value = {SGF:?}")).await;
    browser.click("#paste-dialog button[value=load]").await;
    browser.wait(ASKED).await;
    browser.click("#replace-game").await;
    browser.wait("window.dropped").await;
    browser.eval("window.mend()").await;
    browser.eval("document.querySelector('#notice-words').textContent = ''").await;
    server.restart();
    browser
        .wait("document.querySelector('#notice-words').textContent.includes('brought it back')")
        .await;
    browser.wait("document.querySelector('#number').textContent === '4'").await;
    assert_eq!(browser.eval("document.querySelector('#pane-problems').hidden").await, false);
    browser.click("#tab-play").await;

    // A game that is over takes no moves, and says why; when it is studied, it does.
    browser.eval("window.confirm = () => true").await;
    browser.click("#resign").await;
    browser.wait("document.body.dataset.phase === 'over'").await;
    browser.play("A9").await;
    browser.wait("document.querySelector('#notice-words').textContent.startsWith('The game is over; study')").await;
    browser.picture("over").await;
    for id in ["pass", "undo", "score", "resign"] {
        let disabled = browser.eval(&format!("document.querySelector('#{id}').disabled")).await;
        assert_eq!(disabled, true, "{id}");
    }
    assert_eq!((stones(browser).await, number(browser).await), ((2, 2), 4));
    // It is over as well where it is looked through, until a stone is put there.
    let shown = "!document.querySelector('#over').hidden";
    browser.click("#tab-inside").await;
    assert_eq!(browser.eval(shown).await, false);
    browser.click("#tab-study").await;
    browser.click("[data-walk=back]").await;
    browser.wait("document.querySelector('#number').textContent === '3'").await;
    assert_eq!(browser.eval("document.body.dataset.phase").await, "over");
    assert_eq!(browser.eval(shown).await, true);
    browser.picture("over-study").await;
    browser.play("A9").await;
    browser.wait("document.body.dataset.phase === 'study'").await;
    browser.wait("document.querySelector('#number').textContent === '4'").await;
    assert_eq!(browser.eval(shown).await, false);
    // One that ends while it is looked through can be gone on with.
    browser.click("#from-here").await;
    browser.wait("document.body.dataset.phase === 'playing'").await;
    browser.click("#tab-study").await;
    browser.eval("document.querySelector('#resign').click()").await;
    browser.wait("document.body.dataset.phase === 'over'").await;
    browser.click("#study-game").await;
    browser.wait("document.body.dataset.phase === 'study'").await;

    // What is too large to be kept is said before it is replaced, also where the previous game is to come.
    let said =
        "document.querySelector('#notice-words').textContent.includes('too large to be kept')";
    paste(browser, "").await;
    // A line break is two characters in the message that keeps it.
    let large =
        "document.querySelector('#paste-text').value = `(;SZ[9]C[${'\\n'.repeat(300000)}])`";
    browser.eval(large).await;
    replace_by(browser, "#paste-dialog button[value=load]").await;
    browser.wait(said).await;
    browser.play("A9").await;
    browser.wait("document.querySelector('#number').textContent === '1'").await;
    browser.click("#tab-play").await;
    for button in ["#new", "#previous-game"] {
        browser.click(button).await;
        if button == "#new" {
            browser.wait(OPEN).await;
            browser.click("#begin").await;
        }
        browser.wait(ASKED).await;
        let help = browser.text("#replace-help").await;
        assert!(help.contains("does not come back"), "{button}: {help}");
        browser.click("#keep-game").await;
    }
    assert_eq!((number(browser).await, browser.text("#line").await), (1, String::new()));
    browser.eval("localStorage.clear()").await;
}

/// What the keeper asks for, keeps and says, message by message.
async fn kept_games_are_told_apart(browser: &mut Browser) {
    // A keeper of its own, with nothing kept yet and with clocks that stand.
    let begin = "Promise.all([import('/keeper.js'), import('/looks.js')]).then(([{ Keeper }, { store }]) => {         for (const key of store.keys()) if (/^(kept|previous|refused)[.]/.test(key)) store.remove(key);         const [asked, told, timers, others] = [[], [], [], []];         const keeper = new Keeper((type) => asked.push(type), (key) => told.push(key), (...has) => others.push(has.join()));         const plain = { board: 'test', largest: 3000, records: 1, node: 0, tip: 0, phase: 'study', people: [true, true], marks: [] };         const state = (fields) => keeper.hearState({ ...plain, ...fields });         const game = (record) => ({ record, here: 0 });         const kept = (records, record, worthKeeping = true) =>             keeper.hearKept({ board: 'test', records, worthKeeping, game: game(record) });         const clock = window.setTimeout;         window.setTimeout = (act, pause) => { timers.push(pause); return 1e9 + timers.length; };         try {";
    let end = "} finally { window.setTimeout = clock; } })";
    for (what, script, expected) in [
        (
            "a walk is kept at its end, a change at once, and one is enough",
            "state(); state({ node: 1 }); state({ node: 2 }); keeper.hearTree(); state({ node: 3, tip: 3 });              state({ node: 2, tip: 3 }); return [asked, timers];",
            serde_json::json!([["keep"], [2000, 2000, 300]]),
        ),
        (
            "what was not changed is not asked for",
            "state(); state(); state({ thinking: true }); return [asked, timers];",
            serde_json::json!([["keep"], []]),
        ),
        (
            "what is too large is not asked for again until it is another game",
            "state(); kept(1, 'x'.repeat(3000)); kept(1, 'x'.repeat(3000)); state({ tip: 1 }); keeper.hearTree();              const before = timers.length; state({ records: 2 }); return [before, timers, told, others];",
            serde_json::json!([0, [300], ["tooLarge"], ["false,false", "false,false"]]),
        ),
        (
            "a game is the previous one by its own number, whatever was seen on the way",
            "state(); kept(1, 'first'); kept(2, 'second'); state({ records: 3 }); kept(4, 'fourth');              return [keeper.before.record, keeper.read('previous').record, keeper.read('kept').record];",
            serde_json::json!(["second", "second", "fourth"]),
        ),
        (
            "the previous game is asked for once, with the present one before it",
            "state(); kept(1, 'first'); state({ records: 2 }); kept(2, 'second'); asked.length = 0;              keeper.swap(); keeper.swap(); kept(2, 'second, later'); state({ records: 3 });              return [asked, keeper.before.record, keeper.read('kept').record];",
            serde_json::json!([["keep", "restore"], "second, later", "first"]),
        ),
        (
            "what is brought back is known before it is replaced",
            "store.set('kept.test', { at: 1, game: game('lost') }); state({ fresh: true, records: 0 });              kept(1, 'lost'); state({ records: 2 }); return [asked, told, keeper.before.record];",
            serde_json::json!([["restore", "keep"], ["restored"], "lost"]),
        ),
        (
            "what is refused is not thrown away, and not tried again",
            "store.set('kept.test', { at: 1, game: game('odd') }); state({ fresh: true, records: 0 });              keeper.hearRefused('no'); kept(0, 'empty', false); const again = state({ fresh: true, records: 0 });              return [again, told, others.at(-1), keeper.read('kept'), keeper.read('refused').record,              keeper.takeRefused(), keeper.read('refused')];",
            serde_json::json!([false, ["notRestored"], "false,true", null, "odd", "odd", null]),
        ),
        (
            "what another page brought back is not refused",
            "store.set('kept.test', { at: 1, game: game('twice') }); state({ fresh: true, records: 0 });              keeper.hearRefused('there is a game on this board already');              return [told, others.at(-1), keeper.read('kept').record];",
            serde_json::json!([[], "false,false", "twice"]),
        ),
        (
            "what is too large for this server is not sent to it",
            "store.set('kept.test', { at: 1, game: game('k'.repeat(3000)) });              store.set('previous.test', { at: 1, game: game('p'.repeat(3000)) });              const bringing = state({ fresh: true, records: 0 }); keeper.swap();              return [bringing, asked, told, keeper.read('refused').record[0], keeper.takeRefused()[0], keeper.before.record[0]];",
            serde_json::json!([false, [], ["notRestored", "notRestored"], "k", "p", "p"]),
        ),
        (
            "games are kept of so many boards, however many each has",
            "for (let i = 0; i < 7; i++) for (const kind of ['kept', 'previous', 'refused'])              store.set(`${kind}.board${i}`, { at: 10 * i, game: game('g') });              state(); return store.keys().filter((key) => /[.]board/.test(key)).length;",
            serde_json::json!(15),
        ),
        (
            "without room a game is kept as long as the page is open, and that is said once",
            "const set = Storage.prototype.setItem;              Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };              state(); kept(1, 'one'); kept(1, 'two'); const read = keeper.read('kept').record;              Storage.prototype.setItem = set;              return [told, read, localStorage.getItem('harie.kept.test')];",
            serde_json::json!([["notStored"], "two", null]),
        ),
        (
            "what another page takes out is gone",
            "const stored = store.set('kept.test', { at: 1, game: game('one') });              localStorage.removeItem('harie.kept.test'); state({ fresh: true, records: 0 });              return [stored, asked, store.read('kept.test') ?? null];",
            serde_json::json!([true, [], null]),
        ),
    ] {
        assert_eq!(browser.eval(&format!("{begin} {script} {end}")).await, expected, "{what}");
    }
    browser.eval("localStorage.clear()").await;
}

/// What the browser kept is no game any more: it is said, and there is an empty board.
async fn a_kept_game_may_be_damaged(browser: &mut Browser) {
    let mut server = Mortal::start();
    for (content, said) in [
        ("'{\"game\": {\"rec'", "is damaged and was left out"),
        ("JSON.stringify({game: {record: 'nothing'}})", "cannot be brought back"),
    ] {
        first_game(browser, &server).await;
        browser.wait(&format!("{KEPT}.includes(';B[gc]')")).await;
        server.stop();
        browser.wait("document.querySelector('#line').textContent !== ''").await;
        let key = "'harie.kept.' + JSON.parse(localStorage.getItem('harie.board'))";
        browser.eval(&format!("localStorage.setItem({key}, {content})")).await;
        server.restart();
        browser
            .wait(&format!(
                "document.querySelector('#notice-words').textContent.includes('{said}')"
            ))
            .await;
        browser.picture("kept-damaged").await;
        browser.wait("document.querySelector('#number').textContent === '0'").await;
        assert_eq!(
            browser.eval(&format!("localStorage.getItem({key})")).await,
            serde_json::Value::Null
        );
        // What was refused can be saved, also when the page comes back.
        if said.contains("brought back") {
            browser.open(&format!("http://{}/", server.address)).await;
            browser.wait("!document.querySelector('#save-refused').hidden").await;
            browser.wait(OPEN).await;
            browser.click("#new-dialog button[value=cancel]").await;
            catch_what_is_saved(browser).await;
            browser.click("#save-refused").await;
            browser.wait("window.saved === 'nothing'").await;
        }
        // The next round begins as on a new browser.
        browser.eval("localStorage.clear()").await;
    }
    // Settings that are damaged are as if they had never been made.
    for (key, content) in [("overlays", "7"), ("new", "{\"length\": 1}"), ("language", "{")] {
        browser.eval(&format!("localStorage.setItem('harie.{key}', '{content}')")).await;
    }
    first_game(browser, &server).await;
    browser.eval("localStorage.clear()").await;
}

/// Where the browser stores nothing, the page works, and keeps the game as long as it is open.
async fn nothing_has_to_be_stored(browser: &mut Browser) {
    let forbidden = "Object.defineProperty(window, 'localStorage', { get() { \
                     throw new DOMException('no', 'SecurityError'); } })";
    let prepared = browser.prepare(forbidden).await;
    let mut server = Mortal::start();
    first_game(browser, &server).await;
    browser.wait("document.body.dataset.kept === '3'").await;
    server.restart();
    browser
        .wait("document.querySelector('#notice-words').textContent.includes('brought it back')")
        .await;
    browser.wait("document.querySelector('#number').textContent === '3'").await;
    browser.forget(prepared).await;
}

/// On a phone, with the panel scrolled far down, and in Japanese.
async fn what_a_phone_says_is_seen(browser: &mut Browser) {
    let server = Mortal::start();
    browser.window(390, 844, true).await;
    browser.open(&format!("http://{}/", server.address)).await;
    browser.eval("localStorage.clear()").await;
    browser.open(&format!("http://{}/", server.address)).await;
    browser.wait(OPEN).await;
    browser.click("#new-dialog button[value=cancel]").await;
    browser.click("#language").await;
    browser.click("#tab-study").await;
    paste(browser, "nothing").await;
    browser.eval("window.scrollTo(0, document.documentElement.scrollHeight)").await;
    browser.click("#paste-dialog button[value=load]").await;
    browser.wait("document.querySelector('#notice-words').textContent === '棋譜を読めません: 棋譜が見つかりません'").await;
    let seen = "(() => { const b = document.querySelector('#notice').getBoundingClientRect(); \
                return b.top >= 0 && b.left >= 0 && b.bottom <= innerHeight && b.right <= innerWidth \
                && document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2).closest('#notice') !== null; })()";
    assert_eq!(browser.eval(seen).await, true);
    browser.picture("phone-unreadable-japanese").await;
    browser.click("#notice-close").await;
    // A packed record is unpacked, and an archive is refused.
    drop_file(browser, "new Blob(['PK\\x03\\x04\\0(;SZ[9];B[ee])'])").await;
    browser.wait("document.querySelector('#notice-words').textContent.includes('展開')").await;
    browser.click("#notice-close").await;
    let packed = "await new Response(new Blob(['(;SZ[9];B[ee];W[cc];B[dd])']).stream()\
                  .pipeThrough(new CompressionStream('gzip'))).blob()";
    drop_file(browser, packed).await;
    browser.wait("document.querySelectorAll('#tree .node').length === 4").await;
    // What would be lost with a move is asked about.
    browser.click("[data-walk=forth]").await;
    browser.wait("document.querySelector('#number').textContent === '1'").await;
    browser.eval("window.confirm = (words) => { window.asked = words; return false; }").await;
    browser.click("#delete").await;
    browser.wait("window.asked?.includes('2')").await;
    browser.click("[data-walk=last]").await;
    browser.wait("document.querySelector('#number').textContent === '3'").await;
    browser.eval("window.asked = null").await;
    browser.click("#delete").await;
    browser.wait("document.querySelectorAll('#tree .node').length === 3").await;
    assert_eq!(browser.eval("window.asked").await, serde_json::Value::Null);
    load(browser, SGF).await;
    let records = browser.eval("document.body.dataset.records").await;
    browser.play("A1").await;
    browser.wait("document.querySelector('#number').textContent === '1'").await;
    assert_eq!(browser.eval("document.body.dataset.records").await, records);
    browser.click("#tab-play").await;
    browser.click("#new").await;
    browser.wait(OPEN).await;
    browser.click("#begin").await;
    browser.wait(ASKED).await;
    browser.picture("phone-replace-japanese").await;
    browser.click("#replace-game").await;
    browser.wait("!document.querySelector('#previous-game').hidden").await;
    browser.picture("phone-previous-japanese").await;
    assert_eq!(browser.eval("document.documentElement.scrollWidth").await, 390);
    browser.eval("window.confirm = () => true").await;
    browser.wait("!document.querySelector('#resign').disabled").await;
    browser.click("#resign").await;
    browser.wait("document.body.dataset.phase === 'over'").await;
    browser.eval("window.scrollTo(0, 0)").await;
    browser.picture("phone-over-japanese").await;
    browser.click("#language").await;
}

/// Views that show much at once: docs/web-inside.png and docs/web-study.png are made from them.
async fn pictures_for_the_documentation(browser: &mut Browser, url: &str) {
    browser.window(1280, 860, false).await;
    // The page of the board would remember it again.
    browser.open(&format!("{url}lab")).await;
    browser.wait("document.querySelector('#list a')").await;
    browser.eval("localStorage.clear()").await;
    browser.dark(false).await;
    browser.open(url).await;
    browser.wait(OPEN).await;
    browser.click("#new-dialog button[value=cancel]").await;
    load(browser, include_str!("../../../samples/19x19.sgf")).await;
    browser.wait("document.querySelectorAll('#tree .node').length > 100").await;
    for _ in 0..6 {
        browser.click("[data-walk=forth10]").await;
    }
    browser.wait("document.querySelector('#number').textContent === '60'").await;
    browser.click("#tab-inside").await;
    browser.click("#analyse").await;
    browser.click("#show-ownership").await;
    browser.wait("document.querySelector('#verdict').textContent.match(/[4-9],[0-9]/)").await;
    browser.click("#candidates tbody td").await;
    browser.wait("document.querySelectorAll('#reasons li').length > 1").await;
    browser.hover((600.0, 5.0)).await;
    browser.picture("docs-inside").await;
    browser.click("#compare summary").await;
    browser.wait("document.querySelectorAll('#second-board .model').length > 2").await;
    browser.eval("window.scrollTo(0, 0)").await;
    browser.eval("document.querySelector('#compare').scrollIntoView({block: 'end'})").await;
    browser.picture("docs-compare").await;
    browser.click("#compare summary").await;
    browser.eval("window.scrollTo(0, 0)").await;
    browser.click("#analyse").await;
    load(browser, include_str!("../../../samples/9x9.sgf")).await;
    browser.wait("document.querySelectorAll('#tree .node').length < 60").await;
    browser.click("#review").await;
    browser.wait("document.querySelector('#mistakes button')").await;
    browser.wait("document.querySelector('#review').textContent.includes('Review')").await;
    browser.click("#mistakes button").await;
    browser.eval("window.scrollTo(0, 0)").await;
    browser.window(1280, 1000, false).await;
    browser.click("#theme").await;
    browser.picture("docs-study").await;
}

async fn captures_are_taken_back_and_counted(browser: &mut Browser) {
    choose(browser, "people", "both").await;
    begin(browser).await;
    for (i, point) in ["A2", "A1", "B1"].into_iter().enumerate() {
        browser.play(point).await;
        browser
            .wait(&format!("document.querySelector('#number').textContent === '{}'", i + 1))
            .await;
    }
    assert_eq!(stones(browser).await, (2, 0));
    assert_eq!(browser.text("#black .taken").await, "1 taken");
    browser.click("#undo").await;
    browser.wait("document.querySelector('#number').textContent === '2'").await;
    assert_eq!(stones(browser).await, (1, 1));
    // Where a stone is, none can be put, and the page says so.
    browser.play("A2").await;
    browser.wait("document.querySelector('#status').textContent.includes('occupied')").await;
}

async fn a_whole_game_is_played(browser: &mut Browser) {
    browser.click("#new").await;
    choose(browser, "people", "black").await;
    choose(browser, "level", "20k").await;
    begin(browser).await;
    // A wall through the middle, then whatever is free, then passes until the engine passes too.
    let wall = ["E5", "E4", "E6", "E3", "E7", "E2", "E8", "E1", "E9", "C5", "C3", "C7", "D4", "D6"];
    for point in wall {
        if !is_empty(browser, point).await {
            continue;
        }
        let before = number(browser).await;
        browser.play(point).await;
        let answered = format!(
            "{MY_TURN} && Number(document.querySelector('#number').textContent) > {before} + 1"
        );
        browser.wait(&answered).await;
    }
    let before = number(browser).await;
    browser.click("#undo").await;
    browser
        .wait(&format!("Number(document.querySelector('#number').textContent) === {before} - 2"))
        .await;
    browser.picture("game").await;
    for _ in 0..80 {
        if browser.eval("document.body.dataset.phase").await != "playing" {
            break;
        }
        let before = number(browser).await;
        browser.click("#pass").await;
        browser
            .wait(&format!(
                "document.body.dataset.phase !== 'playing' || \
                 {MY_TURN} && Number(document.querySelector('#number').textContent) > {before} + 1"
            ))
            .await;
    }
    browser.wait("document.body.dataset.phase === 'scoring'").await;
    let result = browser.text("#sum-result").await;
    browser.picture("counting").await;
    // Said to be alive, a dead chain changes the count; said again, it is as before.
    let stone = browser
        .eval(
            "(() => { const all = [...document.querySelectorAll('#board circle[r=\"19\"]')]; \
             const c = all.find(c => c.hasAttribute('opacity')) ?? all[0]; const x = (c.cx.baseVal.value - 40) / 40; \
             const y = (c.cy.baseVal.value - 40) / 40; return 'ABCDEFGHJ'[x] + (9 - y); })()",
        )
        .await;
    let stone = stone.as_str().unwrap().to_owned();
    browser.play(&stone).await;
    browser
        .wait(&format!("document.querySelector('#sum-result').textContent !== {result:?}"))
        .await;
    browser.play(&stone).await;
    browser
        .wait(&format!("document.querySelector('#sum-result').textContent === {result:?}"))
        .await;
    browser.click("#accept").await;
    browser.wait("document.querySelector('#status').textContent.includes('over')").await;
    assert!(browser.text("#status").await.contains(&result));
}

const SGF: &str = "(;GM[1]SZ[9]KM[7]PB[Aoi]PW[Ren]C[A game to look at];B[ee];W[ec]C[contact];B[gc]\
                   (;W[cf];B[ge];W[eg])(;W[gd];B[hd];W[fd]))";

/// Drops a file on the page and replaces what is there, if that is asked.
async fn drop_file(browser: &mut Browser, blob: &str) {
    let drop = format!(
        "(async () => {{ const data = new DataTransfer(); data.items.add(new File([{blob}], 'game')); \
         document.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true }})); }})()"
    );
    browser.eval(&drop).await;
}

async fn load(browser: &mut Browser, sgf: &str) {
    browser.click("#tab-study").await;
    paste(browser, sgf).await;
    replace_by(browser, "#paste-dialog button[value=load]").await;
}

/// Opens the dialog and puts a text into it.
async fn paste(browser: &mut Browser, sgf: &str) {
    browser.click("#paste").await;
    browser.eval(&format!("document.querySelector('#paste-text').value = {sgf:?}")).await;
}

async fn records_are_loaded_and_saved(browser: &mut Browser) {
    load(browser, SGF).await;
    browser.wait("document.querySelector('#comment').value === 'A game to look at'").await;
    // Keys and wheel go through the moves; the second variation is reached from the first.
    browser.eval("document.activeElement.blur()").await;
    browser.keys(&["ArrowRight", "ArrowRight"]).await;
    browser.wait("document.querySelector('#comment').value === 'contact'").await;
    browser.keys(&["ArrowRight", "ArrowRight"]).await;
    browser.wait("document.querySelector('#number').textContent === '4'").await;
    browser.keys(&["ArrowDown", "ArrowRight"]).await;
    browser.wait("document.body.dataset.node === '8'").await;
    browser.eval(
        "document.querySelector('#board').dispatchEvent(new WheelEvent('wheel', {deltaY: -50, bubbles: true, cancelable: true}))",
    ).await;
    browser.wait("document.body.dataset.node === '7'").await;
    browser.play("A9").await;
    browser.wait("document.body.dataset.node === '10'").await;
    assert_eq!(browser.eval("document.querySelectorAll('#tree .node').length").await, 11);
    browser
        .eval(
            "(() => { const c = document.querySelector('#comment'); c.value = 'my own'; \
             c.dispatchEvent(new Event('change')); })()",
        )
        .await;
    browser.click("[data-tool=TR]").await;
    browser.play("E5").await;
    browser.click("[data-tool=play]").await;
    catch_what_is_saved(browser).await;
    browser.click("#save").await;
    browser.wait("window.saved").await;
    let saved = browser.eval("window.saved").await;
    let saved = saved.as_str().unwrap().replace('\n', "");
    for part in ["PB[Aoi]", "C[contact]", "(;W[cf];B[ge];W[eg])", "B[aa]C[my own]TR[ee]"] {
        assert!(saved.contains(part), "{part} is not in {saved}");
    }
    browser.click("#review").await;
    browser.wait("document.querySelector('#graph path')").await;
    browser.wait("document.querySelector('#review').textContent.includes('Review')").await;
    let progress = browser.eval("document.querySelector('#mistakes .progress').textContent").await;
    let progress = progress.as_str().unwrap();
    assert!(progress.starts_with("All ") && progress.contains("were judged"), "{progress}");
    browser.picture("study").await;
}

/// What is saved is caught before it becomes a file.
async fn catch_what_is_saved(browser: &mut Browser) {
    let script = "(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => \
                  { blob.text().then(t => { window.saved = t; }); return make.call(URL, blob); }; })()";
    browser.eval(script).await;
}

async fn overlays_appear(browser: &mut Browser, url: &str) {
    let sample = include_str!("../../../samples/9x9.sgf");
    load(browser, sample).await;
    browser.wait("document.body.dataset.node === '0'").await;
    browser.click("[data-walk=forth10]").await;
    browser.click("[data-walk=forth10]").await;
    browser.wait("document.querySelector('#number').textContent === '20'").await;
    browser.click("#tab-inside").await;
    browser.click("#analyse").await;
    browser.wait("document.querySelectorAll('#board .candidate').length >= 2").await;
    browser.wait("document.querySelectorAll('#candidates tbody tr').length >= 2").await;
    for (name, seen) in [("model", ".model"), ("ownership", ".owner"), ("criticality", ".critical")]
    {
        browser.click(&format!("#show-{name}")).await;
        browser.wait(&format!("document.querySelectorAll('#board {seen}').length > 2")).await;
        browser.picture(&format!("inside-{name}")).await;
        browser.click(&format!("#show-{name}")).await;
        browser.wait(&format!("!document.querySelector('#board {seen}')")).await;
    }
    // What needs no search is seen at once, with a table of groups below.
    for (name, seen) in [("groups", ".group"), ("links", ".link"), ("territory", ".land")] {
        browser.click(&format!("#show-{name}")).await;
        browser.wait(&format!("document.querySelectorAll('#board {seen}').length > 2")).await;
        browser.picture(&format!("inside-{name}")).await;
        if name == "groups" {
            browser.wait("document.querySelectorAll('#groups tbody tr').length >= 2").await;
        }
        browser.click(&format!("#show-{name}")).await;
        browser.wait(&format!("!document.querySelector('#board {seen}')")).await;
    }
    for name in ["miai", "order", "ownership"] {
        browser.click(&format!("#show-{name}")).await;
    }
    clicks_are_answered_while_thinking(browser).await;
    // The line expected is shown where the mouse is.
    browser.wait("document.querySelectorAll('#candidates tbody tr').length >= 2").await;
    let best = browser.text("#candidates tbody td").await;
    let place = browser.place(&best).await;
    browser.hover(place).await;
    browser.wait("document.querySelectorAll('#board circle[r=\"19\"]').length > 25").await;
    browser.click("#candidates tbody td").await;
    browser.wait("document.querySelectorAll('#reasons li').length > 1").await;
    browser.wait("document.querySelector('#verdict').textContent.match(/[0-9],[0-9]/)").await;
    browser.picture("inside").await;
    browser.click("#theme").await;
    browser.picture("inside-dark").await;
    // A reload finds the same board and the same looks.
    browser.open(url).await;
    browser.wait("document.body.dataset.node === '20'").await;
    assert_eq!(browser.eval("document.documentElement.dataset.theme").await, "dark");
    browser.picture("reloaded-dark").await;
    browser.click("#theme").await;
}

/// Two boards with a model each; a move is explained by both.
async fn models_are_compared(browser: &mut Browser) {
    browser.click("#tab-inside").await;
    browser.click("#compare summary").await;
    let circles = "document.querySelectorAll('#board .model').length > 2 && \
                   document.querySelectorAll('#second-board .model').length > 2";
    browser.wait(circles).await;
    assert!(browser.text("#agreement").await.contains("first ten moves"));
    browser.click("#compared tbody button").await;
    browser.wait("document.querySelectorAll('#compared-why ul li').length > 3").await;
    browser.picture("compare").await;
    // Both boards follow the game.
    browser.click("[data-walk=back]").await;
    browser.wait("document.querySelector('#number').textContent === '19'").await;
    browser.wait(circles).await;
    assert_eq!(
        browser
            .eval(
                "['board', 'second-board'].map(b => document.querySelectorAll(`#${b} \
                 circle[r=\"19\"]`).length).every((n, _, all) => n === all[0] && n > 10)"
            )
            .await,
        true
    );
    browser.click("#compare summary").await;
    browser.wait("document.querySelector('#second').hidden").await;
}

/// A set of problems: the part of the board, a wrong move, another try, the next one.
async fn problems_are_tried(browser: &mut Browser) {
    browser.click("#tab-problems").await;
    browser.picture("problems-none").await;
    replace_by(browser, "#first-problems").await;
    browser.wait("document.querySelector('#problem-title').textContent.includes('1 of 6')").await;
    // Only the corner is shown.
    browser.wait("document.querySelector('#board svg').viewBox.baseVal.width < 300").await;
    browser.play("A1").await;
    browser.wait("document.querySelector('#problem-verdict').textContent === 'Wrong.'").await;
    browser.picture("problems-wrong").await;
    browser.click("#problem-again").await;
    browser.wait("document.querySelector('#problem-verdict').textContent.includes('Black')").await;
    browser.play("B1").await;
    browser.wait("document.querySelector('#problem-verdict').textContent === 'Right!'").await;
    assert!(browser.text("#problem-score").await.starts_with("0 solved at once, 1 after"));
    browser.picture("problems-right").await;
    browser.click("#problem-again").await;
    browser.wait("document.querySelector('#problem-verdict').textContent.includes('Black')").await;
    // The solver says what works, and shows how play goes on.
    browser.click("#solve").await;
    browser
        .wait("document.querySelector('#solution-words').textContent.includes('kills with B1')")
        .await;
    // One move works and one fails, but of three nothing is known.
    let words = browser.text("#solution-words").await;
    assert!(
        words.ends_with("Every other move that was read fails. Moves not known: 3."),
        "{words}"
    );
    browser.click("#solution-moves button").await;
    browser.wait("document.querySelectorAll('#board .text-large').length === 3").await;
    browser.picture("problems-solved").await;
    browser.click("#problem-next").await;
    browser.wait("document.querySelector('#problem-title').textContent.includes('2 of 6')").await;
    browser.wait("document.querySelector('#solution').hidden").await;
    browser.play("B1").await;
    browser.wait("document.querySelector('#problem-score').textContent.startsWith('1 ')").await;
    // The whole board, and the other tabs, show all of it.
    browser.click("#whole-board").await;
    browser.wait("document.querySelector('#board svg').viewBox.baseVal.width === 400").await;
    browser.click("#whole-board").await;
    // Moves that are not known are counted, and only where there are none every other move fails.
    let said = "import('/problems.js').then(({ Problems }) => [[true, 0], [true, 3], [false, 2], [false, 0]] \
                .map(([proved, unknown]) => ['works', 'open'].map((outcome) => \
                Problems.prototype.others({ outcome, proved, unknown }))))";
    assert_eq!(
        browser.eval(said).await,
        serde_json::json!([
            ["Every other move fails.", ""],
            ["Every other move that was read fails. Moves not known: 3.", ""],
            ["Moves not known: 2.", ""],
            ["", ""],
        ])
    );
    // A game that is loaded here is shown as a game, with all of the board.
    browser.click("#paste-problems").await;
    browser.eval(&format!("document.querySelector('#paste-text').value = {SGF:?}")).await;
    browser.click("#paste-dialog button[value=load]").await;
    browser.wait("document.querySelector('#comment').value === 'A game to look at'").await;
    browser.wait("!document.querySelector('#pane-study').hidden").await;
    browser.wait("document.querySelector('#board svg').viewBox.baseVal.width === 400").await;
}

/// Results in a frame that can do nothing.
async fn the_laboratory_is_shown(browser: &mut Browser, url: &str) {
    browser.click("#to-lab").await;
    browser.wait("document.querySelector('#list a')").await;
    browser.click("#list a").await;
    browser.wait("!document.querySelector('#shown').hidden").await;
    browser.wait("document.querySelector('#list a[aria-current]')").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(browser.eval("document.title").await, "Harie · Laboratory");
    browser.picture("lab").await;
    // Two models are measured: how far it is can be seen, then the result opens by itself.
    browser.click("#measurer summary").await;
    browser.wait("document.querySelector('#evaluation [name=second]').options.length === 2").await;
    browser
        .eval(
            "(() => { const form = document.querySelector('#evaluation').elements; \
             form.second.value = 'mc9'; form.corpus.value = 'many'; })()",
        )
        .await;
    browser.click("#evaluation button[type=submit]").await;
    browser.wait("!document.querySelector('#work').hidden").await;
    browser
        .wait("document.querySelector('#work-note').textContent.startsWith('uct9, mc9: ')")
        .await;
    assert_eq!(browser.eval("document.querySelector('#work-bar').max").await, 3);
    assert_eq!(browser.eval("document.querySelector('#evaluation button').disabled").await, true);
    browser.picture("lab-evaluation").await;
    browser.wait("document.querySelector('#shown').src.includes('evaluation-1.json')").await;
    browser.wait("document.querySelector('#work').hidden").await;
    // In Japanese the result is asked for again.
    browser.click("#language").await;
    browser.wait("document.querySelector('#shown').src.endsWith('language=ja')").await;
    assert_eq!(browser.text("#measurer summary").await, "モデルを評価する");
    tokio::time::sleep(Duration::from_millis(300)).await;
    browser.picture("lab-japanese").await;
    browser.click("#language").await;
    browser.wait("document.querySelector('#shown').src.endsWith('language=en')").await;
    // Another, which takes long, is stopped. While the frame goes to another page, Chromium may lose
    // a press, so that the form is sent without one.
    let again = "(() => { const form = document.querySelector('#evaluation'); \
         form.elements.games.value = 1000; form.requestSubmit(); })()";
    browser.eval(again).await;
    browser.wait("!document.querySelector('#stop').parentElement.hidden").await;
    browser.click("#stop").await;
    browser.wait("document.querySelector('#work-note').textContent.startsWith('Stopped')").await;
    browser.open(url).await;
    browser.wait("document.querySelector('#board svg')").await;
}

/// Japanese has words for everything that English has words for.
async fn nothing_is_left_untranslated(browser: &mut Browser, url: &str) {
    let left = browser
        .eval(
            "import('/words.js').then(({ words }) => { \
             const keys = words.keys(); const in_language = (l) => keys.map(k => { \
             words.language = l; return words.say(k); }); \
             const [en, ja] = ['en', 'ja'].map(in_language); words.language = 'en'; \
             const plain = /^[\\d{}×. ]*$/; \
             return keys.filter((k, i) => en[i] === ja[i] && !plain.test(en[i])); })",
        )
        .await;
    assert_eq!(left, serde_json::json!([]));
    browser.open(url).await;
    browser.wait("document.querySelector('#board svg')").await;
}

/// From a click to the next picture that shows what it did, with every processor thinking.
/// Back and forth, ten times. What is thought comes with the number of the move it is about: only
/// another number is the answer to a click, and a click forth before it does nothing.
async fn clicks_are_answered_while_thinking(browser: &mut Browser) {
    let script = "(async () => { const number = document.querySelector('#number'); \
        const took = []; \
        for (let i = 0; i < 20; i++) { \
            const start = performance.now(); \
            const before = number.textContent; \
            const seen = new Promise(done => { const o = new MutationObserver(() => { \
                if (number.textContent === before) return; o.disconnect(); requestAnimationFrame(() => done(performance.now() - start)); }); \
                o.observe(number, {childList: true}); }); \
            document.querySelector(`[data-walk=${i % 2 ? 'forth' : 'back'}]`).click(); \
            took.push(await seen); \
            await new Promise(done => setTimeout(done, 50)); \
        } \
        return took.sort((a, b) => a - b); })()";
    let took = browser.eval(script).await;
    let [median, worst] = [10, 18].map(|i| took[i].as_f64().unwrap());
    eprintln!("from a click to the picture: median {median:.0} ms, p95 {worst:.0} ms");
}

async fn keys_are_enough(browser: &mut Browser) {
    // A record to which nothing was added may go unasked.
    browser.play("A1").await;
    browser.wait("document.querySelector('#number').textContent !== '0'").await;
    browser.keys(&["n"]).await;
    browser.wait(OPEN).await;
    // Enter in the form begins the game; the board has the focus then, the cursor in its middle.
    browser.keys(&["Enter"]).await;
    // What is there stays if Enter is pressed once more: the tabulator reaches the other button.
    // Firefox without a screen has the focus, but takes no keys on buttons.
    browser.wait(ASKED).await;
    browser.wait("document.activeElement.id === 'keep-game'").await;
    browser.keys(&["Tab"]).await;
    browser.wait("document.activeElement.id === 'replace-game'").await;
    browser.click("#replace-game").await;
    browser.wait("document.body.dataset.phase === 'playing'").await;
    browser.wait("document.activeElement.id === 'board'").await;
    browser.keys(&["ArrowUp", "ArrowLeft", "Enter"]).await;
    browser.wait("Number(document.querySelector('#number').textContent) >= 2").await;
    browser.wait(MY_TURN).await;
    assert_eq!(stones(browser).await, (1, 1));
    let said = browser.text("#live").await;
    assert!(said.starts_with("White "), "{said}");
    browser.picture("keys").await;
    browser.keys(&["u"]).await;
    browser.wait("document.querySelector('#number').textContent === '0'").await;
    // From the board, the tabulator reaches the tabs, and arrows go from one to the next.
    browser.keys(&["Tab"; 1]).await;
    for _ in 0..12 {
        if browser.eval("document.activeElement.id").await == "tab-play" {
            break;
        }
        browser.keys(&["Tab"]).await;
    }
    browser.keys(&["ArrowRight"]).await;
    browser.wait("!document.querySelector('#pane-inside').hidden").await;
    browser.keys(&["ArrowLeft"]).await;
}

async fn a_phone_is_large_enough(browser: &mut Browser, url: &str) {
    browser.window(390, 844, true).await;
    browser.open(url).await;
    browser.wait("document.querySelector('#board svg')").await;
    browser.click("#new").await;
    browser.wait(OPEN).await;
    browser.picture("phone-new").await;
    choose(browser, "board", "19").await;
    begin(browser).await;
    let wide = browser.eval("document.documentElement.scrollWidth").await;
    assert_eq!(wide, 390);
    // On small points the first tap shows where, the second plays.
    browser.play("D4").await;
    browser.wait("document.querySelector('#board .ghost')").await;
    assert_eq!(number(browser).await, 0);
    // Two taps at once would be a double one.
    tokio::time::sleep(Duration::from_millis(400)).await;
    browser.play("D4").await;
    browser.wait("Number(document.querySelector('#number').textContent) >= 2").await;
    browser.picture("phone").await;
    browser.click("#tab-study").await;
    browser.picture("phone-study").await;
    browser.click("#tab-inside").await;
    browser.click("#analyse").await;
    browser.wait("document.querySelectorAll('#board .candidate').length >= 2").await;
    browser.picture("phone-inside").await;
    browser.click("#compare summary").await;
    browser.wait("document.querySelectorAll('#second-board .model').length > 2").await;
    assert_eq!(browser.eval("document.documentElement.scrollWidth").await, 390);
    browser.eval("window.scrollTo(0, 0)").await;
    browser.picture("phone-compare").await;
    browser.click("#compare summary").await;
    browser.wait("document.querySelector('#second').hidden").await;
    browser.click("#tab-problems").await;
    browser.wait("!document.querySelector('#pane-problems').hidden").await;
    replace_by(browser, "#first-problems").await;
    browser.wait("document.querySelector('#problem-title').textContent.includes('1 of 6')").await;
    browser.play("B1").await;
    browser.wait("document.querySelector('#status').textContent === 'Right!'").await;
    browser.eval("window.scrollTo(0, 0)").await;
    browser.picture("phone-problems").await;
    assert_eq!(browser.eval("document.documentElement.scrollWidth").await, 390);
    browser.click("#tab-inside").await;
    browser.click("#analyse").await;
    browser.click("#language").await;
    browser.wait("document.documentElement.lang === 'ja'").await;
    browser.click("#tab-play").await;
    browser.dark(true).await;
    browser.click("#theme").await;
    browser.picture("phone-japanese-dark").await;
    browser.click("#language").await;
}

//! A real browser, driven over a protocol that it speaks by itself: no driver program and no other
//! language. It does what hands do (mouse, finger, keys) and reads what eyes see.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    process: Child,
    // The browser's own files, gone with it.
    _folder: tempfile::TempDir,
    socket: WebSocketStream<TcpStream>,
    kind: Kind,
    /// The page: Chromium's session, or Firefox's context.
    page: Option<String>,
    last: u64,
    touch: bool,
}

/// Which browser, and so which protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Chromium, over the protocol of its developer tools.
    Chromium,
    /// Firefox, over WebDriver BiDi, which it speaks by itself.
    Firefox,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Where a browser is that can be driven.
fn program(kind: Kind) -> Option<&'static str> {
    let names: &[&str] = match kind {
        Kind::Chromium => &["chromium", "chromium-browser", "google-chrome"],
        Kind::Firefox => &["firefox-esr", "firefox"],
    };
    names.iter().copied().find(|name| {
        let version = Command::new(name).arg("--version").stderr(Stdio::null()).output();
        version.is_ok_and(|output| output.status.success())
    })
}

/// What Firefox is told before it starts: it asks nobody about anything, and is light.
const PREFERENCES: &str = r#"
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("layout.css.prefers-color-scheme.content-override", 1);
user_pref("intl.accept_languages", "en-US");
"#;

impl Browser {
    /// Starts a browser without a screen; none if there is none on this machine.
    pub async fn start(kind: Kind) -> Option<Browser> {
        let program = program(kind)?;
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(program);
        match kind {
            Kind::Chromium => command
                .args([
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--disable-dev-shm-usage",
                    "--force-color-profile=srgb",
                    "--hide-scrollbars",
                    "--lang=en-US",
                    "--remote-debugging-port=0",
                ])
                .arg(format!("--user-data-dir={}", folder.path().display())),
            Kind::Firefox => {
                std::fs::write(folder.path().join("user.js"), PREFERENCES).unwrap();
                let args = ["--headless", "--no-remote", "--remote-debugging-port", "0"];
                command.args(args).arg("--profile").arg(folder.path())
            }
        };
        let process = command
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let (port, path) = address(kind, folder.path()).await;
        let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let url = format!("ws://127.0.0.1:{port}{path}");
        // Pictures are large.
        let mut config = tokio_tungstenite::tungstenite::protocol::WebSocketConfig::default();
        config.max_message_size = None;
        config.max_frame_size = None;
        let (socket, _) = client_async_with_config(url, stream, Some(config)).await.unwrap();
        let (page, last, touch) = (None, 0, false);
        let mut browser = Browser { process, _folder: folder, socket, kind, page, last, touch };
        let page = match kind {
            Kind::Chromium => {
                let blank = json!({"url": "about:blank"});
                let target = browser.call("Target.createTarget", blank).await;
                let attach = json!({"targetId": target["targetId"], "flatten": true});
                browser.call("Target.attachToTarget", attach).await["sessionId"].take()
            }
            Kind::Firefox => {
                browser.call("session.new", json!({"capabilities": {}})).await;
                let tree = browser.call("browsingContext.getTree", json!({})).await;
                tree["contexts"][0]["context"].clone()
            }
        };
        browser.page = page.as_str().map(str::to_owned);
        if kind == Kind::Chromium {
            browser.call("Page.enable", json!({})).await;
        }
        Some(browser)
    }

    /// Asks the browser for something.
    async fn call(&mut self, method: &str, params: Value) -> Value {
        self.try_call(method, params).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    async fn try_call(&mut self, method: &str, mut params: Value) -> Result<Value, Value> {
        self.last += 1;
        let id = self.last;
        if let (Kind::Firefox, Some(page)) = (self.kind, &self.page) {
            params["context"] = page.as_str().into();
        }
        let mut request = json!({"id": id, "method": method, "params": params});
        if let (Kind::Chromium, Some(session)) = (self.kind, &self.page) {
            request["sessionId"] = session.as_str().into();
        }
        self.socket.send(Message::text(request.to_string())).await.unwrap();
        loop {
            let next = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            let message = next.unwrap_or_else(|_| panic!("{method}: no answer"));
            let Message::Text(text) = message.unwrap().unwrap() else { continue };
            let mut value: Value = serde_json::from_str(&text).unwrap();
            if value["id"] == id {
                return match value["error"].is_null() {
                    true => Ok(value["result"].take()),
                    false => Err(value),
                };
            }
        }
    }

    /// The size of the window; phones have fingers.
    pub async fn window(&mut self, width: u32, height: u32, phone: bool) {
        self.touch = phone;
        let scale = if phone { 2 } else { 1 };
        if self.kind == Kind::Firefox {
            let viewport = json!({"width": width, "height": height});
            let wanted = json!({"viewport": viewport, "devicePixelRatio": scale});
            self.call("browsingContext.setViewport", wanted).await;
            return;
        }
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone,
        });
        self.call("Emulation.setDeviceMetricsOverride", metrics).await;
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": phone})).await;
    }

    /// Whether the system prefers dark; Firefox is asked to be light from the start.
    pub async fn dark(&mut self, dark: bool) {
        if self.kind == Kind::Firefox {
            return;
        }
        let value = if dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": value}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features})).await;
    }

    pub async fn open(&mut self, url: &str) {
        match self.kind {
            Kind::Chromium => self.call("Page.navigate", json!({"url": url})).await,
            Kind::Firefox => {
                let params = json!({"url": url, "wait": "interactive"});
                self.call("browsingContext.navigate", params).await
            }
        };
    }

    /// Runs a script on every page before its own, in Chromium; `forget` with what comes back ends that.
    pub async fn prepare(&mut self, script: &str) -> Value {
        let added = self.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": script}));
        added.await["identifier"].take()
    }

    pub async fn forget(&mut self, prepared: Value) {
        let params = json!({"identifier": prepared});
        self.call("Page.removeScriptToEvaluateOnNewDocument", params).await;
    }

    /// What an expression is on the page.
    pub async fn eval(&mut self, script: &str) -> Value {
        self.try_eval(script).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// The same; an error if the browser cannot say, as when it goes to another page just then.
    async fn try_eval(&mut self, script: &str) -> Result<Value, Value> {
        if self.kind == Kind::Firefox {
            return self.eval_in_firefox(script).await;
        }
        let params = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let mut done = self.try_call("Runtime.evaluate", params).await?;
        assert!(done["exceptionDetails"].is_null(), "{script}: {}", done["exceptionDetails"]);
        Ok(done["result"]["value"].take())
    }

    /// The same; what comes back has types beside its values unless it is text.
    async fn eval_in_firefox(&mut self, script: &str) -> Result<Value, Value> {
        let text = format!("Promise.resolve({script}).then(v => JSON.stringify(v ?? null))");
        let target = json!({"context": self.page});
        let params = json!({"expression": text, "target": target, "awaitPromise": true});
        let done = self.try_call("script.evaluate", params).await?;
        assert_eq!(done["type"], "success", "{script}: {done}");
        Ok(serde_json::from_str(done["result"]["value"].as_str().unwrap_or("null")).unwrap())
    }

    /// Waits until an expression holds.
    pub async fn wait(&mut self, script: &str) {
        let end = Instant::now() + PATIENCE;
        // A page that is still being loaded has nothing yet, and one that is being left says nothing.
        let test =
            format!("(() => {{ try {{ return !!({script}); }} catch {{ return false; }} }})()");
        while self.try_eval(&test).await != Ok(true.into()) {
            if Instant::now() > end {
                let status = self.eval("document.getElementById('status')?.textContent").await;
                self.picture("failed").await;
                panic!("{script} does not come true; the page says {status}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The text of an element.
    pub async fn text(&mut self, selector: &str) -> String {
        let script = format!("document.querySelector({selector:?}).innerText.trim()");
        self.eval(&script).await.as_str().unwrap_or_default().to_owned()
    }

    /// Presses at a place of the window.
    async fn press(&mut self, x: f64, y: f64) {
        if self.kind == Kind::Firefox {
            let press = json!([
                {"type": "pointerMove", "x": x.round() as i64, "y": y.round() as i64},
                {"type": "pointerDown", "button": 0},
                {"type": "pointerUp", "button": 0},
            ]);
            return self.point(press).await;
        }
        if self.touch {
            let points = json!([{"x": x, "y": y}]);
            let start = json!({"type": "touchStart", "touchPoints": points});
            self.call("Input.dispatchTouchEvent", start).await;
            let end = json!({"type": "touchEnd", "touchPoints": []});
            self.call("Input.dispatchTouchEvent", end).await;
            return;
        }
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event).await;
        }
    }

    /// Moves the mouse or finger of Firefox.
    async fn point(&mut self, actions: Value) {
        let (id, kind) = if self.touch { ("finger", "touch") } else { ("mouse", "mouse") };
        let parameters = json!({"pointerType": kind});
        let pointer =
            json!({"type": "pointer", "id": id, "parameters": parameters, "actions": actions});
        self.call("input.performActions", json!({"actions": [pointer]})).await;
    }

    /// Moves the mouse over a place.
    pub async fn hover(&mut self, (x, y): (f64, f64)) {
        if self.kind == Kind::Firefox {
            let place =
                json!({"type": "pointerMove", "x": x.round() as i64, "y": y.round() as i64});
            return self.point(json!([place])).await;
        }
        let event = json!({"type": "mouseMoved", "x": x, "y": y});
        self.call("Input.dispatchMouseEvent", event).await;
    }

    /// Clicks an element, which must be visible and on top.
    pub async fn click(&mut self, selector: &str) {
        let script = format!(
            "(() => {{ const e = document.querySelector({selector:?}); \
             e.scrollIntoView({{block: 'nearest'}}); const b = e.getBoundingClientRect(); \
             const [x, y] = [b.left + b.width / 2, b.top + b.height / 2]; \
             const top = document.elementFromPoint(x, y); \
             return [x, y, e === top || e.contains(top)]; }})()"
        );
        let place = self.eval(&script).await;
        assert_eq!(place[2], true, "{selector} is covered");
        self.press(place[0].as_f64().unwrap(), place[1].as_f64().unwrap()).await;
    }

    /// Where a point of the board is in the window.
    pub async fn place(&mut self, point: &str) -> (f64, f64) {
        let script = format!(
            "(() => {{ const s = document.querySelector('#board svg'); \
             s.scrollIntoView({{block: 'nearest'}}); const b = s.getBoundingClientRect(); \
             const v = s.viewBox.baseVal; \
             const x = 'ABCDEFGHJKLMNOPQRSTUVWXYZ'.indexOf('{point}'[0]); \
             const y = Number(s.dataset.size) - Number('{point}'.slice(1)); \
             return [b.left + (40 + 40 * x - v.x) * b.width / v.width, \
             b.top + (40 + 40 * y - v.y) * b.height / v.height]; }})()"
        );
        let place = self.eval(&script).await;
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Clicks or taps a point of the board.
    pub async fn play(&mut self, point: &str) {
        let (x, y) = self.place(point).await;
        self.press(x, y).await;
    }

    /// Presses keys, one after the other.
    pub async fn keys(&mut self, keys: &[&str]) {
        for &key in keys {
            if self.kind == Kind::Firefox {
                let actions = json!([
                    {"type": "keyDown", "value": written(key)},
                    {"type": "keyUp", "value": written(key)},
                ]);
                let keyboard = json!({"type": "key", "id": "keys", "actions": actions});
                self.call("input.performActions", json!({"actions": [keyboard]})).await;
                continue;
            }
            let text = match key {
                "Enter" => Some("\r"),
                key if key.chars().count() == 1 => Some(key),
                _ => None,
            };
            let mut down = json!({"type": "keyDown", "key": key});
            if let Some(text) = text {
                down["text"] = text.into();
            }
            // Some keys work by their number only.
            let number = match key {
                "Tab" => 9,
                "Enter" => 13,
                "Escape" => 27,
                "ArrowLeft" => 37,
                "ArrowUp" => 38,
                "ArrowRight" => 39,
                "ArrowDown" => 40,
                _ => 0,
            };
            if number > 0 {
                down["windowsVirtualKeyCode"] = number.into();
            }
            self.call("Input.dispatchKeyEvent", down).await;
            self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key})).await;
        }
    }

    /// A picture of the window, if somebody wants to look at it: HARIE_SCREENSHOTS names a folder.
    pub async fn picture(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("HARIE_SCREENSHOTS") else { return };
        let (taken, name) = match self.kind {
            Kind::Chromium => {
                let taken = self.call("Page.captureScreenshot", json!({"format": "png"})).await;
                (taken, format!("{name}.png"))
            }
            Kind::Firefox => {
                let taken = self.call("browsingContext.captureScreenshot", json!({})).await;
                (taken, format!("firefox-{name}.png"))
            }
        };
        let bytes = decode(taken["data"].as_str().unwrap());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(Path::new(&folder).join(name), bytes).unwrap();
    }
}

/// A key as WebDriver writes it.
fn written(key: &str) -> &str {
    match key {
        "Tab" => "\u{e004}",
        "Enter" => "\u{e007}",
        "Escape" => "\u{e00c}",
        "ArrowLeft" => "\u{e012}",
        "ArrowUp" => "\u{e013}",
        "ArrowRight" => "\u{e014}",
        "ArrowDown" => "\u{e015}",
        key => key,
    }
}

/// Where the browser listens: it writes that into its folder.
async fn address(kind: Kind, folder: &Path) -> (u16, String) {
    let end = Instant::now() + PATIENCE;
    loop {
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        let found = match kind {
            Kind::Chromium => {
                let text = read("DevToolsActivePort");
                let mut lines = text.lines().map(str::to_owned);
                let port = lines.next().and_then(|port| port.parse().ok());
                port.zip(lines.next())
            }
            Kind::Firefox => {
                let told: Option<Value> =
                    serde_json::from_str(&read("WebDriverBiDiServer.json")).ok();
                let port = told.and_then(|told| told["ws_port"].as_u64());
                port.map(|port| (port as u16, "/session".to_owned()))
            }
        };
        if let Some(found) = found {
            return found;
        }
        assert!(Instant::now() < end, "the browser does not say where it listens");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Base64.
fn decode(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in text.bytes().filter_map(|b| DIGITS.iter().position(|&d| d == b)) {
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

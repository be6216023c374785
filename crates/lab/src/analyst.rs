//! An engine that judges positions, over the JSON analysis protocol or `kata-analyze` of the Go Text
//! Protocol: what oracle files are made with.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use goban::{Color, Game};
use gtp::{ClientError, Process};
use serde_json::{Value, json};

use crate::ladder::{Judged, JudgedMove};
use crate::wording;

/// How long an engine may take to get ready: networks are loaded and tuned.
const GET_READY: Duration = Duration::from_secs(600);

/// How often someone who waits looks whether it is still wanted.
const GLANCE: Duration = Duration::from_millis(100);

/// Hundredths of a second between the lines of an analysis.
const INTERVAL: u32 = 10;

/// Why an engine cannot judge.
#[derive(Debug, thiserror::Error)]
pub enum AnalystError {
    /// The process.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// It says no.
    #[error("{engine}: {message}")]
    Refused {
        /// The command line.
        engine: String,
        /// What it said.
        message: String,
    },
    /// It speaks neither language.
    #[error(
        "{0}: it speaks neither the JSON analysis protocol nor kata-analyze of the Go Text Protocol"
    )]
    Language(String),
    /// It repeats what it is told.
    #[error("{0}: it only repeats what it is told; is this an engine?")]
    Echo(String),
}

/// From whose view an engine tells win rates and ownership over the Go Text Protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eye {
    /// The player to move.
    Side,
    /// Black.
    Black,
    /// White.
    White,
}

/// How much an engine shall think.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Visits for each position.
    pub visits: u64,
    /// Seconds after which a position is given up.
    pub timeout: Duration,
    /// Whose view the Go Text Protocol tells.
    pub eye: Eye,
    /// Positions that a JSON engine is given at once.
    pub parallel: usize,
}

/// A position to be judged.
pub struct Question {
    /// A name of its own.
    pub id: String,
    /// The game up to it, from an empty board.
    pub game: Game,
}

enum Language {
    Json,
    Gtp,
}

/// An engine that judges.
pub struct Analyst {
    engine: String,
    process: Process,
    language: Language,
    /// Whether it can be told rules over the Go Text Protocol.
    has_rules: bool,
    /// By which rules it judges, if not by those of the games.
    note: Option<String>,
}

impl Analyst {
    /// Starts an engine and finds out what it speaks.
    ///
    /// # Errors
    /// If it cannot be started or speaks neither language.
    pub fn start(command_line: &str, go_on: &dyn Fn() -> bool) -> Result<Analyst, AnalystError> {
        let mut process = Process::start(command_line)?;
        // One answers with an object, the other that it knows no such command.
        const GREETING: &str = r#"{"id":"harie","action":"query_version"}"#;
        process.send(GREETING)?;
        let start = Instant::now();
        let unknown = || AnalystError::Language(command_line.to_owned());
        let mut analyst = loop {
            let line = process.line(GLANCE)?;
            let language = match line.as_deref().and_then(|line| line.chars().next()) {
                _ if line.as_deref() == Some(GREETING) => {
                    return Err(AnalystError::Echo(command_line.to_owned()));
                }
                Some('{') => Language::Json,
                Some('?' | '=') => Language::Gtp,
                // Some write a greeting first.
                _ if start.elapsed() < GET_READY && go_on() => continue,
                _ => return Err(unknown()),
            };
            let (engine, note) = (command_line.to_owned(), None);
            break Analyst { engine, process, language, has_rules: false, note };
        };
        if matches!(analyst.language, Language::Gtp) {
            analyst.rest_of_reply(go_on)?;
            if analyst.ask("known_command kata-analyze", go_on)?.trim() != "true" {
                return Err(unknown());
            }
            let answer = analyst.ask("known_command kata-set-rules", go_on)?;
            analyst.has_rules = answer.trim() == "true";
        }
        Ok(analyst)
    }

    /// By which rules it judged positions, if not by those of their games.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Judges positions; `found` is given each as it is done and ends it by saying false.
    ///
    /// # Errors
    /// If the engine fails or does not understand.
    pub fn judge(
        &mut self,
        questions: &[Question],
        effort: &Effort,
        go_on: &dyn Fn() -> bool,
        found: &mut dyn FnMut(Judged) -> bool,
    ) -> Result<(), AnalystError> {
        match self.language {
            Language::Json => self.judge_json(questions, effort, go_on, found),
            Language::Gtp => {
                for question in questions {
                    if !go_on() {
                        break;
                    }
                    let judged = self.judge_gtp(question, effort, go_on)?;
                    if !judged.is_some_and(&mut *found) {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    fn judge_json(
        &mut self,
        questions: &[Question],
        effort: &Effort,
        go_on: &dyn Fn() -> bool,
        found: &mut dyn FnMut(Judged) -> bool,
    ) -> Result<(), AnalystError> {
        let mut coming: VecDeque<&Question> = questions.iter().collect();
        let mut asked: BTreeMap<&str, &Question> = BTreeMap::new();
        let mut last = Instant::now();
        while (!coming.is_empty() || !asked.is_empty()) && go_on() {
            while asked.len() < effort.parallel.max(1)
                && let Some(question) = coming.pop_front()
            {
                self.process.send(&query(question, effort).to_string())?;
                asked.insert(&question.id, question);
            }
            let Some(line) = self.process.line(GLANCE)? else {
                if last.elapsed() > effort.timeout {
                    return Err(self.process.hung("an analysis", effort.timeout).into());
                }
                continue;
            };
            let Ok(answer) = serde_json::from_str::<Value>(&line) else { continue };
            if let Some(message) = answer["error"].as_str() {
                let message = format!("{message} ({})", answer["field"].as_str().unwrap_or("?"));
                return Err(AnalystError::Refused { engine: self.engine.clone(), message });
            }
            // A warning comes before the answer, under the same name.
            if answer["isDuringSearch"] == true || answer["warning"].is_string() {
                continue;
            }
            let Some(question) = answer["id"].as_str().and_then(|id| asked.remove(id)) else {
                continue;
            };
            if !answer["rootInfo"].is_object() || !answer["moveInfos"].is_array() {
                let message = "an answer without rootInfo and moveInfos".to_owned();
                return Err(AnalystError::Refused { engine: self.engine.clone(), message });
            }
            last = Instant::now();
            if !found(judged_json(question, &answer)) {
                break;
            }
        }
        Ok(())
    }

    /// Nothing if it was given up.
    fn judge_gtp(
        &mut self,
        question: &Question,
        effort: &Effort,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<Judged>, AnalystError> {
        let game = &question.game;
        self.ask(&format!("boardsize {}", game.board().size().side()), go_on)?;
        self.ask("clear_board", go_on)?;
        self.ask(&format!("komi {}", game.komi()), go_on)?;
        // Engines that know no rules have their own.
        if self.has_rules {
            let set = |rules: &str| match self.ask(&format!("kata-set-rules {rules}"), go_on) {
                Ok(_) => Ok(true),
                Err(AnalystError::Refused { .. }) => Ok(false),
                Err(error) => Err(error),
            };
            self.note = wording::announce(game.rules(), set)?.or(self.note.take());
        }
        for (color, mv) in game.moves() {
            self.ask(&format!("play {} {mv}", color.letter()), go_on)?;
        }
        let color = game.to_move().letter();
        let start = Instant::now();
        self.process
            .send(&format!("kata-analyze {color} {INTERVAL} rootInfo true ownership true"))?;
        let mut best: Option<Info> = None;
        while start.elapsed() < effort.timeout && go_on() {
            let Some(line) = self.process.line(GLANCE)? else { continue };
            if let Some(message) = line.strip_prefix('?') {
                let (engine, message) = (self.engine.clone(), message.trim().to_owned());
                return Err(AnalystError::Refused { engine, message });
            }
            if line.starts_with("info ") {
                let info = Info::parse(&line);
                let enough = info.visits >= effort.visits;
                best = Some(info);
                if enough {
                    break;
                }
            }
        }
        if !go_on() {
            return Ok(None);
        }
        // Any line ends an analysis.
        self.process.send("name")?;
        self.rest_of_reply(go_on)?;
        self.rest_of_reply(go_on)?;
        match best {
            Some(info) => Ok(Some(info.judged(question, effort.eye))),
            None => Err(self.process.hung("kata-analyze", effort.timeout).into()),
        }
    }

    /// Asks a command of the Go Text Protocol.
    fn ask(&mut self, command: &str, go_on: &dyn Fn() -> bool) -> Result<String, AnalystError> {
        self.process.send(command)?;
        let reply = self.rest_of_reply(go_on)?;
        match reply.strip_prefix('?') {
            Some(message) => {
                let message = format!("'{command}' was refused: {}", message.trim());
                Err(AnalystError::Refused { engine: self.engine.clone(), message })
            }
            None => Ok(reply.trim_start_matches('=').trim().to_owned()),
        }
    }

    /// The lines up to the next empty one.
    fn rest_of_reply(&mut self, go_on: &dyn Fn() -> bool) -> Result<String, AnalystError> {
        let start = Instant::now();
        let mut text = String::new();
        loop {
            match self.process.line(GLANCE)? {
                Some(line) if line.is_empty() => return Ok(text),
                Some(line) => text = if text.is_empty() { line } else { text + "\n" + &line },
                None if start.elapsed() < GET_READY && go_on() => {}
                None => return Err(self.process.hung("a command", start.elapsed()).into()),
            }
        }
    }
}

/// The moves as an oracle file writes them.
fn moves(game: &Game) -> impl Iterator<Item = (char, String)> + '_ {
    game.moves().iter().map(|(color, mv)| (color.letter(), mv.to_string()))
}

fn query(question: &Question, effort: &Effort) -> Value {
    let game = &question.game;
    let side = game.board().size().side();
    json!({
        "id": question.id,
        "moves": moves(game).map(|(color, mv)| json!([color.to_string(), mv])).collect::<Vec<_>>(),
        "initialPlayer": "B",
        "rules": wording::in_query(game.rules()),
        "komi": game.komi(),
        "boardXSize": side,
        "boardYSize": side,
        "maxVisits": effort.visits,
        "includeOwnership": true,
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"},
    })
}

/// A judged position without what the engine says.
fn blank(question: &Question) -> Judged {
    let game = &question.game;
    Judged {
        id: question.id.clone(),
        size: game.board().size().side(),
        komi: game.komi(),
        rules: game.rules().name().unwrap_or("chinese").to_owned(),
        moves: moves(game).map(|(color, mv)| format!("{color} {mv}")).collect(),
        winrate_black: 0.5,
        score_black: 0.0,
        visits: 0,
        candidates: Vec::new(),
        ownership_black: Vec::new(),
    }
}

fn judged_json(question: &Question, answer: &Value) -> Judged {
    let number = |value: &Value, name: &str| value[name].as_f64().unwrap_or(0.0) as f32;
    let candidates = answer["moveInfos"].as_array().into_iter().flatten();
    let ownership = answer["ownership"].as_array().into_iter().flatten();
    let root = &answer["rootInfo"];
    Judged {
        winrate_black: number(root, "winrate"),
        score_black: number(root, "scoreLead"),
        visits: root["visits"].as_u64().unwrap_or(0),
        candidates: candidates
            .map(|info| JudgedMove {
                mv: info["move"].as_str().unwrap_or("pass").to_owned(),
                visits: info["visits"].as_u64().unwrap_or(0),
                winrate_black: number(info, "winrate"),
                score_black: number(info, "scoreLead"),
                prior: number(info, "prior"),
            })
            .collect(),
        ownership_black: ownership.map(|x| x.as_f64().unwrap_or(0.0) as f32).collect(),
        ..blank(question)
    }
}

/// A line of `kata-analyze`, from the engine's view.
#[derive(Clone, PartialEq, Default, Debug)]
struct Info {
    visits: u64,
    winrate: f32,
    score: f32,
    candidates: Vec<JudgedMove>,
    ownership: Vec<f32>,
}

impl Info {
    /// Reads `info move D4 visits 3 winrate 0.5 … info move … rootInfo … ownership …`. A key is
    /// followed by one value but for the line of play and the ownership, which go on to the next key.
    fn parse(line: &str) -> Info {
        let mut info = Info::default();
        let mut in_root = false;
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "info" => {
                    in_root = false;
                    let mv = String::new();
                    info.candidates.push(JudgedMove {
                        mv,
                        visits: 0,
                        winrate_black: 0.0,
                        score_black: 0.0,
                        prior: 0.0,
                    });
                }
                "rootInfo" => in_root = true,
                "ownership" => {
                    while let Some(x) = words.peek().and_then(|word| word.parse().ok()) {
                        info.ownership.push(x);
                        words.next();
                    }
                }
                "move" | "visits" | "winrate" | "scoreLead" | "prior" => {
                    let Some(value) = words.next() else { break };
                    let number: f32 = value.parse().unwrap_or(0.0);
                    let last = info.candidates.last_mut().filter(|_| !in_root);
                    match (word, last) {
                        ("move", Some(c)) => c.mv = value.to_owned(),
                        ("visits", Some(c)) => c.visits = value.parse().unwrap_or(0),
                        ("winrate", Some(c)) => c.winrate_black = number,
                        ("scoreLead", Some(c)) => c.score_black = number,
                        ("prior", Some(c)) => c.prior = number,
                        ("visits", None) => info.visits = value.parse().unwrap_or(0),
                        ("winrate", None) => info.winrate = number,
                        ("scoreLead", None) => info.score = number,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        if info.visits == 0 {
            // An engine that tells nothing of the root: its moves tell.
            info.visits = info.candidates.iter().map(|c| c.visits).sum();
            let n = info.visits.max(1) as f32;
            let mean = |of: fn(&JudgedMove) -> f32| {
                info.candidates.iter().map(|c| c.visits as f32 * of(c)).sum::<f32>() / n
            };
            (info.winrate, info.score) = (mean(|c| c.winrate_black), mean(|c| c.score_black));
        }
        info
    }

    /// The same from Black's view.
    fn judged(mut self, question: &Question, eye: Eye) -> Judged {
        let to_move = question.game.to_move();
        let turned = match eye {
            Eye::Side => to_move == Color::White,
            Eye::Black => false,
            Eye::White => true,
        };
        if turned {
            self.winrate = 1.0 - self.winrate;
            self.score = -self.score;
            self.ownership.iter_mut().for_each(|x| *x = -*x);
            for c in &mut self.candidates {
                c.winrate_black = 1.0 - c.winrate_black;
                c.score_black = -c.score_black;
            }
        }
        Judged {
            winrate_black: self.winrate,
            score_black: self.score,
            visits: self.visits,
            candidates: self.candidates,
            ownership_black: self.ownership,
            ..blank(question)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Move, Rules, Size};

    #[test]
    fn an_analysis_is_read() {
        let line = "info move B2 visits 6 edgeVisits 6 utility 0.2 winrate 0.75 scoreMean 1.0 \
                    scoreLead 1.5 prior 0.5 order 0 pv B2 A1 info move pass visits 2 winrate 0.25 \
                    scoreLead -4 prior 0.1 pv pass rootInfo visits 9 winrate 0.7 scoreLead 1.25 \
                    ownership 0.5 -1 0 1";
        let info = Info::parse(line);
        assert_eq!((info.visits, info.winrate, info.score), (9, 0.7, 1.25));
        assert_eq!(info.ownership, [0.5, -1.0, 0.0, 1.0]);
        assert_eq!(info.candidates.len(), 2);
        let mut game = Game::new(Size::new(2).unwrap(), Rules::CHINESE, 0.5);
        game.play(Move::Pass).unwrap();
        let question = Question { id: "a".to_owned(), game };
        let judged = info.clone().judged(&question, Eye::Side);
        // White is to move, so White's 0.7 is Black's 0.3.
        assert!((judged.winrate_black - 0.3).abs() < 1e-6);
        assert_eq!(judged.candidates[1].mv, "pass");
        assert_eq!(judged.candidates[1].winrate_black, 0.75);
        assert_eq!(judged.candidates[0].score_black, -1.5);
        assert_eq!(judged.ownership_black, [-0.5, 1.0, 0.0, -1.0]);
        assert_eq!(judged.moves, ["B pass"]);
        assert_eq!(info.judged(&question, Eye::Black).winrate_black, 0.7);
        // Without the root, its moves tell.
        let info =
            Info::parse("info move A1 visits 3 winrate 0.5 info move B1 visits 1 winrate 0.9");
        assert_eq!(info.visits, 4);
        assert!((info.winrate - 0.6).abs() < 1e-6);
    }
}

//! A question of the analysis protocol, read with errors that name the field.

use std::time::Duration;

use engine::{Language, Restriction};
use goban::{Board, Color, Game, HandicapBonus, Move, Point, Rules, Scoring, Size};
use serde_json::{Map, Value};

use super::View;
use crate::limits::{DAY, MOST_KOMI};
use crate::rules;
use crate::solved::{self, GOALS};

/// What is wrong with a line, or odd about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    pub message: String,
    pub field: Option<String>,
    pub id: Option<String>,
}

/// What is used when a question does not say.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// Playouts for a position; no bound if `None`.
    pub visits: Option<u64>,
    /// Time for a position; no bound if `None`.
    pub time: Option<Duration>,
    /// Whose chances are told.
    pub view: View,
}

/// A line, understood. What is echoed is kept.
pub enum Asked {
    Version(Value),
    Models(Value),
    ClearCache(Value),
    Terminate(Value, Terminate),
    Analyse(Box<Query>),
}

/// Which work is to end.
pub struct Terminate {
    /// Of this question; of all if `None`.
    pub id: Option<String>,
    /// Of these turns; of all if `None`.
    pub turns: Option<Vec<usize>>,
}

/// Positions of a game and what to find out about them.
pub struct Query {
    pub id: String,
    start: Game,
    moves: Vec<(Color, Move)>,
    pub turns: Vec<usize>,
    /// One for each turn.
    pub priorities: Vec<i64>,
    pub visits: Option<u64>,
    pub time: Option<Duration>,
    pub every: Option<Duration>,
    pub avoid: Vec<Restriction>,
    pub allow: Vec<Restriction>,
    pub include_ownership: bool,
    pub include_moves_ownership: bool,
    pub include_policy: bool,
    pub include_line_visits: bool,
    /// Sentences about the best move in this language.
    pub explanation: Option<Language>,
    /// Moves of a line after its first.
    pub line_length: Option<usize>,
    pub view: View,
    /// Solve it as a problem instead of searching.
    pub problem: Option<Reading>,
}

/// How to read a problem.
pub struct Reading {
    pub asked: solved::Asked,
    pub time: Duration,
}

impl Query {
    /// The game after so many moves.
    pub fn game_at(&self, turn: usize) -> Result<Game, Fault> {
        let mut game = self.start.clone();
        for (i, &(color, mv)) in self.moves.iter().take(turn).enumerate() {
            game.play_as(color, mv).map_err(|why| Fault {
                message: format!("Illegal move {}: {mv}: {why}", i + 1),
                field: Some("moves".to_owned()),
                id: Some(self.id.clone()),
            })?;
        }
        Ok(game)
    }
}

/// For a problem when the question does not say.
const USUAL_READING: Duration = Duration::from_secs(10);

/// More turns than any game has.
const MOST_MOVES: usize = 10_000;

/// Settings of other engines that change how they search, not what is asked. They are not needed
/// here and not worth a warning each time.
const WITHOUT_MEANING: [&str; 10] = [
    "wideRootNoise",
    "ignorePreRootHistory",
    "antiMirror",
    "rootNumSymmetriesToSample",
    "playoutDoublingAdvantage",
    "playoutDoublingAdvantagePla",
    "conservativePass",
    "numSearchThreads",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
];

/// Reads a line.
pub fn read(line: &[u8], defaults: &Defaults, warnings: &mut Vec<Fault>) -> Result<Asked, Fault> {
    let general = |message: String| Fault { message, field: None, id: None };
    let value: Value = serde_json::from_slice(line)
        .map_err(|error| general(format!("Could not parse input line as JSON: {error}")))?;
    let Value::Object(object) = &value else {
        return Err(general("An input line must be a JSON object".to_owned()));
    };
    let id = match object.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(_) => {
            let message = "id must be a string".to_owned();
            return Err(Fault { message, field: Some("id".to_owned()), id: None });
        }
        None => return Err(general("Request must have a string \"id\" field".to_owned())),
    };
    let fields = Fields { object, id };
    match fields.object.get("action").map(Value::as_str) {
        None => fields.analyse(defaults, warnings).map(|query| Asked::Analyse(Box::new(query))),
        Some(Some("query_version")) => Ok(Asked::Version(value)),
        Some(Some("query_models")) => Ok(Asked::Models(value)),
        Some(Some("clear_cache")) => Ok(Asked::ClearCache(value)),
        Some(Some("terminate")) => {
            let id = fields.required("terminateId", "a string", |v| v.as_str().map(str::to_owned));
            let turns = fields.turn_list("turnNumbers")?;
            let which = Terminate { id: Some(id?), turns };
            Ok(Asked::Terminate(value, which))
        }
        Some(Some("terminate_all")) => {
            let turns = fields.turn_list("turnNumbers")?;
            Ok(Asked::Terminate(value, Terminate { id: None, turns }))
        }
        Some(_) => Err(fields.fault(
            "action",
            "must be query_version, query_models, clear_cache, terminate or terminate_all",
        )),
    }
}

/// The fields of a question.
struct Fields<'a> {
    object: &'a Map<String, Value>,
    id: String,
}

const KNOWN: [&str; 37] = [
    "solve",
    "solveAt",
    "solveGoal",
    "solveRegion",
    "solveThreats",
    "solveSeconds",
    "id",
    "moves",
    "initialStones",
    "initialPlayer",
    "rules",
    "komi",
    "whiteHandicapBonus",
    "boardXSize",
    "boardYSize",
    "analyzeTurns",
    "maxVisits",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "analysisPVLen",
    "includeOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includeNoResultValue",
    "includeExplanation",
    "explanationLanguage",
    "avoidMoves",
    "allowMoves",
    "overrideSettings",
    "reportDuringSearchEvery",
    "priority",
    "priorities",
    "action",
    "comment",
];

impl<'a> Fields<'a> {
    /// The language of the sentences, if they are wanted.
    fn language(&self) -> Result<Option<Language>, Fault> {
        let read = |v: &Value| v.as_str().and_then(|text| text.parse().ok());
        let language = self.optional("explanationLanguage", "\"en\" or \"ja\"", read)?;
        Ok(self.flag("includeExplanation")?.then_some(language.unwrap_or_default()))
    }

    fn fault(&self, field: &str, message: impl Into<String>) -> Fault {
        let message = format!("{field}: {}", message.into());
        Fault { message, field: Some(field.to_owned()), id: Some(self.id.clone()) }
    }

    /// A field, read; `None` if it is not there.
    fn optional<T>(
        &self,
        field: &str,
        expected: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        match self.object.get(field) {
            None => Ok(None),
            Some(value) => match read(value) {
                Some(value) => Ok(Some(value)),
                None => Err(self.fault(field, format!("must be {expected}"))),
            },
        }
    }

    fn required<T>(
        &self,
        field: &str,
        expected: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<T, Fault> {
        let value = self.optional(field, expected, read)?;
        value.ok_or_else(|| self.fault(field, format!("is missing: it must be {expected}")))
    }

    fn flag(&self, field: &str) -> Result<bool, Fault> {
        Ok(self.optional(field, "true or false", Value::as_bool)?.unwrap_or(false))
    }

    fn count(&self, field: &str) -> Result<Option<u64>, Fault> {
        let positive =
            |v: &Value| v.as_u64().or_else(|| u64::try_from(whole(v)?).ok()).filter(|&n| n > 0);
        self.optional(field, "a whole number from 1 up", positive)
    }

    fn turn_list(&self, field: &str) -> Result<Option<Vec<usize>>, Fault> {
        let turn = |v: &Value| whole(v).and_then(|n| usize::try_from(n).ok());
        self.optional(field, "a list of turn numbers from 0 up", |v| {
            v.as_array()?.iter().map(turn).collect()
        })
    }

    fn analyse(self, defaults: &Defaults, warnings: &mut Vec<Fault>) -> Result<Query, Fault> {
        for name in self.object.keys().filter(|name| !KNOWN.contains(&name.as_str())) {
            let name: String = name.chars().take(40).collect();
            warnings.push(self.fault(&name, "Unexpected or unused field"));
        }
        let size = self.size()?;
        let rules = self.rules(warnings)?;
        let komi = self.komi(&rules)?;
        let moves = self.moves("moves", size, true)?;
        if moves.len() > MOST_MOVES {
            return Err(self.fault("moves", format!("must be at most {MOST_MOVES}")));
        }
        let start = self.start(size, rules, komi, moves.first().map(|&(color, _)| color))?;
        let turns = self.turns(moves.len())?;
        let priorities = self.priorities(&turns)?;
        let every =
            self.optional("reportDuringSearchEvery", "a number of seconds above 0", |v| {
                seconds(v).filter(|time| !time.is_zero())
            })?;
        let mut query = Query {
            start,
            moves,
            turns,
            priorities,
            visits: self.count("maxVisits")?.or(defaults.visits),
            time: defaults.time,
            every: every.map(|time| time.max(Duration::from_millis(1))),
            avoid: self.restrictions("avoidMoves", size)?,
            allow: self.restrictions("allowMoves", size)?,
            include_ownership: self.flag("includeOwnership")?,
            include_moves_ownership: self.flag("includeMovesOwnership")?,
            include_policy: self.flag("includePolicy")?,
            include_line_visits: self.flag("includePVVisits")?,
            explanation: self.language()?,
            line_length: self.optional("analysisPVLen", "a whole number from 0 up", |v| {
                whole(v).and_then(|n| usize::try_from(n).ok())
            })?,
            view: defaults.view,
            problem: self.problem(size, warnings)?,
            id: self.id.clone(),
        };
        self.settings(&mut query, warnings)?;
        // An illegal move is told at once, not by one of the workers.
        query.game_at(query.moves.len())?;
        Ok(query)
    }

    fn problem(&self, size: Size, warnings: &mut Vec<Fault>) -> Result<Option<Reading>, Fault> {
        let text =
            |field: &str| self.optional(field, "a string", |v| v.as_str().map(str::to_owned));
        let region = text("solveRegion")?.map(|text| solved::region(&text, size)).transpose();
        let region = region.map_err(|why| self.fault("solveRegion", why))?;
        let goal = self.optional("solveGoal", GOALS, |v| solved::goal_named(v.as_str()?))?;
        let at = text("solveAt")?.map(|text| solved::stones(&text, size)).transpose();
        let at = at.map_err(|why| self.fault("solveAt", why))?.unwrap_or_default();
        let threats = text("solveThreats")?.map(|text| solved::threats(&text)).transpose();
        let threats = threats.map_err(|why| self.fault("solveThreats", why))?;
        let asked = solved::Asked { goal, at, region, threats };
        let wanted = "a number of seconds above 0 and up to a day";
        let time = self.optional("solveSeconds", wanted, |v| {
            seconds(v).filter(|time| !time.is_zero() && *time <= DAY)
        })?;
        let time = time.unwrap_or(USUAL_READING);
        let is_asked = self.flag("solve")?;
        if !is_asked {
            let others = self.object.keys().filter(|name| name.starts_with("solve"));
            for name in others.filter(|name| *name != "solve" && KNOWN.contains(&name.as_str())) {
                warnings.push(self.fault(name, "Unused without \"solve\": true"));
            }
        }
        Ok(is_asked.then_some(Reading { asked, time }))
    }

    fn size(&self) -> Result<Size, Fault> {
        let (least, most) = (Size::MIN.side(), Size::MAX.side());
        let expected = format!("a whole number from {least} to {most}");
        let side = |field: &str| {
            self.required(field, &expected, |v| {
                whole(v).and_then(|n| usize::try_from(n).ok()).and_then(Size::new)
            })
        };
        let (width, height) = (side("boardXSize")?, side("boardYSize")?);
        if width != height {
            return Err(self.fault("boardYSize", "must be as boardXSize: boards are square"));
        }
        Ok(width)
    }

    fn rules(&self, warnings: &mut Vec<Fault>) -> Result<Rules, Fault> {
        let value = self.required("rules", "a name or an object", |v| Some(v.clone()))?;
        let mut missed = Vec::new();
        let mut rules = rules::from_json(&value, Rules::TROMP_TAYLOR, &mut missed)
            .map_err(|message| self.fault("rules", message))?;
        warnings.extend(missed.into_iter().map(|message| self.fault("rules", message)));
        if let Some(bonus) = self.object.get("whiteHandicapBonus") {
            rules = rules::with(rules, "whiteHandicapBonus", bonus)
                .map_err(|message| self.fault("whiteHandicapBonus", message))?;
        }
        Ok(rules)
    }

    fn komi(&self, rules: &Rules) -> Result<f32, Fault> {
        let expected = format!("a number from -{MOST_KOMI} to {MOST_KOMI}");
        let komi = self.optional("komi", &expected, |v| {
            v.as_f64().map(|komi| komi as f32).filter(|komi| komi.abs() <= MOST_KOMI)
        })?;
        Ok(komi.unwrap_or(match rules.scoring {
            Scoring::Area => 7.5,
            Scoring::Territory => 6.5,
        }))
    }

    /// A list of pairs of a player and a vertex.
    fn moves(
        &self,
        field: &str,
        size: Size,
        is_required: bool,
    ) -> Result<Vec<(Color, Move)>, Fault> {
        let expected = "a list of pairs such as [\"B\",\"Q16\"]";
        let list = self.optional(field, expected, |v| v.as_array())?;
        let Some(list) = list else {
            if is_required {
                return Err(self.fault(field, format!("is missing: it must be {expected}")));
            }
            return Ok(Vec::new());
        };
        let pair = |value: &Value| {
            let [player, vertex] = value.as_array()?.as_slice() else { return None };
            Some((Color::parse(player.as_str()?)?, vertex_of(vertex.as_str()?, size)?))
        };
        let read = |(i, value): (usize, &Value)| {
            pair(value).ok_or_else(|| {
                let text: String = value.to_string().chars().take(60).collect();
                self.fault(field, format!("must be {expected} on {size}; entry {i} is {text}"))
            })
        };
        list.iter().enumerate().map(read).collect()
    }

    /// The position before the moves.
    fn start(
        &self,
        size: Size,
        rules: Rules,
        komi: f32,
        first: Option<Color>,
    ) -> Result<Game, Fault> {
        let stones = self.moves("initialStones", size, false)?;
        let mut points: Vec<(Point, Color)> = Vec::new();
        for (color, mv) in stones {
            let Move::Play(point) = mv else {
                return Err(self.fault("initialStones", "must be stones, not passes"));
            };
            points.push((point, color));
        }
        let board = Board::with_stones(size, points.iter().copied())
            .map_err(|wrong| self.fault("initialStones", rules::misplaced(wrong)))?;
        let handicap = match board.stones(Color::White) {
            0 => board.stones(Color::Black),
            _ => 0,
        };
        let player = |v: &Value| Color::parse(v.as_str()?);
        let named = self.optional("initialPlayer", "\"B\" or \"W\"", player)?;
        let usual = if handicap >= 2 { Color::White } else { Color::Black };
        let to_move = named.or(first).unwrap_or(usual);
        let mut game = Game::from_position(board, to_move, rules, komi);
        if rules.handicap_bonus != HandicapBonus::None {
            game.set_handicap(handicap);
        }
        Ok(game)
    }

    fn turns(&self, moves: usize) -> Result<Vec<usize>, Fault> {
        let turns = self.turn_list("analyzeTurns")?.unwrap_or_else(|| vec![moves]);
        match turns.iter().find(|&&turn| turn > moves) {
            Some(turn) => {
                Err(self.fault("analyzeTurns", format!("there is no turn {turn} of {moves} moves")))
            }
            None if turns.is_empty() => {
                Err(self.fault("analyzeTurns", "must have at least one turn"))
            }
            None if turns.len() > MOST_MOVES => {
                Err(self.fault("analyzeTurns", format!("must be at most {MOST_MOVES}")))
            }
            None => Ok(turns),
        }
    }

    fn priorities(&self, turns: &[usize]) -> Result<Vec<i64>, Fault> {
        let one = self.optional("priority", "a whole number", whole)?;
        let list = self.optional("priorities", "a list of whole numbers", |v| {
            v.as_array()?.iter().map(whole).collect::<Option<Vec<_>>>()
        })?;
        match list {
            Some(_) if one.is_some() => {
                Err(self.fault("priorities", "cannot be given together with priority"))
            }
            Some(list) if list.len() != turns.len() => {
                Err(self.fault("priorities", "must be as many as analyzeTurns"))
            }
            Some(list) => Ok(list),
            None => Ok(vec![one.unwrap_or(0); turns.len()]),
        }
    }

    fn restrictions(&self, field: &str, size: Size) -> Result<Vec<Restriction>, Fault> {
        let expected = "a list of objects with player, moves and untilDepth";
        let one = |value: &Value| {
            let color = Color::parse(value.get("player")?.as_str()?)?;
            let moves = value.get("moves")?.as_array()?.iter();
            let moves = moves.map(|v| vertex_of(v.as_str()?, size)).collect::<Option<Vec<_>>>()?;
            let depth = whole(value.get("untilDepth")?).filter(|&depth| depth > 0)?;
            Some(Restriction { color, moves, until_depth: usize::try_from(depth).ok()? })
        };
        let list = self.optional(field, expected, |v| {
            v.as_array()?.iter().map(one).collect::<Option<Vec<_>>>()
        })?;
        Ok(list.unwrap_or_default())
    }

    /// Settings for this question only.
    fn settings(&self, query: &mut Query, warnings: &mut Vec<Fault>) -> Result<(), Fault> {
        let field = "overrideSettings";
        let Some(settings) = self.optional(field, "an object", Value::as_object)? else {
            return Ok(());
        };
        // Of several bounds in one question the smallest holds.
        let mut bound = self.count("maxVisits")?;
        for (name, value) in settings {
            let fault = |expected: &str| self.fault(field, format!("{name} must be {expected}"));
            // Numbers may come as texts: configuration files know nothing else.
            let number = || value.as_f64().or_else(|| value.as_str()?.parse().ok());
            match name.as_str() {
                "maxVisits" | "maxPlayouts" => {
                    let visits = number().filter(|n| (1.0..=1e15).contains(n));
                    let visits = visits.ok_or_else(|| fault("a whole number from 1 up"))? as u64;
                    bound = Some(bound.map_or(visits, |known| known.min(visits)));
                    query.visits = bound;
                }
                "maxTime" => {
                    let time = number().filter(|&s| s > 0.0).and_then(|s| {
                        // Years are as good as for ever.
                        Duration::try_from_secs_f64(s.min(1e8)).ok()
                    });
                    let time = time.ok_or_else(|| fault("a number of seconds above 0"))?;
                    query.time = Some(time);
                }
                "analysisPVLen" => {
                    let length = number().filter(|n| (0.0..=1e6).contains(n));
                    query.line_length =
                        Some(length.ok_or_else(|| fault("a whole number from 0 up"))? as usize);
                }
                "reportAnalysisWinratesAs" => {
                    query.view = match value.as_str() {
                        Some("BLACK") => View::Black,
                        Some("WHITE") => View::White,
                        Some("SIDETOMOVE") => View::Side,
                        _ => return Err(fault("BLACK, WHITE or SIDETOMOVE")),
                    };
                }
                known if WITHOUT_MEANING.contains(&known) => {}
                unknown => {
                    let unknown: String = unknown.chars().take(40).collect();
                    warnings.push(self.fault(field, format!("Unknown setting '{unknown}'")));
                }
            }
        }
        Ok(())
    }
}

/// A whole number; some write it as `5.0`.
fn whole(value: &Value) -> Option<i64> {
    // Beyond this not every whole number can be told from its neighbours.
    let is_whole = |x: &f64| x.fract() == 0.0 && x.abs() <= 9e15;
    value.as_i64().or_else(|| value.as_f64().filter(is_whole).map(|x| x as i64))
}

fn seconds(value: &Value) -> Option<Duration> {
    Duration::try_from_secs_f64(value.as_f64()?.min(1e8)).ok()
}

/// `Q16`, `pass`, or column and row from the upper left corner as in `(15,3)`.
fn vertex_of(text: &str, size: Size) -> Option<Move> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let Some((column, row)) = inside.and_then(|inside| inside.split_once(',')) else {
        return size.parse_point(text).map(Move::Play);
    };
    let read = |text: &str| text.trim().parse::<u8>().ok().filter(|&n| n < size.side());
    let (column, row) = (read(column)?, read(row)?);
    Some(Move::Play(Point::new(column, size.side() - 1 - row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The visits and seconds of a question with these fields, where 500 visits and 2 s are usual.
    fn bounds(fields: &str) -> (Option<u64>, Option<Duration>) {
        let defaults =
            Defaults { visits: Some(500), time: Some(Duration::from_secs(2)), view: View::Side };
        let line = format!(
            r#"{{"id":"a","moves":[],"rules":"chinese","boardXSize":9,"boardYSize":9{fields}}}"#
        );
        match read(line.as_bytes(), &defaults, &mut Vec::new()) {
            Ok(Asked::Analyse(query)) => (query.visits, query.time),
            _ => panic!("{line}"),
        }
    }

    #[test]
    fn a_question_may_ask_for_more_than_is_usual() {
        let usual = Some(Duration::from_secs(2));
        assert_eq!(bounds(""), (Some(500), usual));
        assert_eq!(bounds(r#","overrideSettings":{"maxVisits":2000}"#), (Some(2000), usual));
        let both = r#","maxVisits":300,"overrideSettings":{"maxVisits":2000}"#;
        assert_eq!(bounds(both), (Some(300), usual));
        let playouts = r#","overrideSettings":{"maxPlayouts":50,"maxVisits":1000}"#;
        assert_eq!(bounds(playouts), (Some(50), usual));
        let longer = r#","overrideSettings":{"maxTime":8}"#;
        assert_eq!(bounds(longer), (Some(500), Some(Duration::from_secs(8))));
        assert_eq!(bounds(r#","maxVisits":70.0"#), (Some(70), usual));
        assert_eq!(bounds(r#","maxVisits":18446744073709551615"#), (Some(u64::MAX), usual));
    }

    #[test]
    fn whole_numbers_may_be_written_with_a_point() {
        let read = |text: &str| whole(&serde_json::from_str(text).unwrap());
        assert_eq!([read("5"), read("5.0"), read("-2.0"), read("5e1")], [5, 5, -2, 50].map(Some));
        assert_eq!([read("5.5"), read("1e300"), read("\"5\""), read("true")], [None; 4]);
    }
}

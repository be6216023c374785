//! Matches between players that behave and players that do not.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use engine::Library;
use goban::{Game, Rules, Size};
use kifu::Record;
use lab::statistics::Sprt;
use lab::{Contest, Ended, Finished, Folder, NoGnuGo, Openings, Plan, Player, Referee, Side, Spec};
use policy::{Model, Use};

fn library() -> Arc<Library> {
    static LIBRARY: OnceLock<Arc<Library>> = OnceLock::new();
    let load = |of: Use, _: Size| {
        let name = if of == Use::Uct { "uct9.model" } else { "mc9.model" };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights").join(name);
        Model::from_bytes(&std::fs::read(path).unwrap()).unwrap()
    };
    LIBRARY.get_or_init(|| Arc::new(Library::new(load))).clone()
}

fn player(text: &str) -> Player {
    let spec = Spec::parse(text).unwrap();
    Player::new(&spec, &Rules::CHINESE, |_| Ok::<_, NoGnuGo>(library())).unwrap()
}

/// A match that begins with two moves drawn from the model.
fn contest(side: usize, first: &str, second: &str) -> Contest {
    Contest {
        players: [player(first), player(second)],
        size: Size::new(side).unwrap(),
        komi: 7.5,
        rules: Rules::CHINESE,
        openings: Openings::Drawn(2),
        time: None,
        move_timeout: Duration::from_secs(60),
        referee: Referee::Playouts,
        seed: 5,
        library: library(),
    }
}

fn plan(games: usize) -> Plan {
    Plan { games, parallel: 1, sprt: None }
}

/// Plays a match and keeps it in a folder; stops after some games if asked to.
fn play(contest: &Contest, plan: &Plan, path: &Path, stop_after: Option<usize>) -> lab::Summary {
    let folder = Folder::open(path, &contest.header()).unwrap();
    let interrupted = AtomicBool::new(false);
    let summary = contest.run(plan, Some(folder), &interrupted, &mut |_, summary| {
        if stop_after.is_some_and(|games| summary.games >= games) {
            interrupted.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    summary.unwrap()
}

fn lines(path: &Path) -> Vec<Finished> {
    let text = std::fs::read_to_string(path.join("games.jsonl")).unwrap();
    let mut games: Vec<Finished> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game.game);
    games
}

/// Everything about the games but the time they took.
fn moves(path: &Path) -> Vec<String> {
    let show = |game: &Finished| {
        let bytes = std::fs::read(path.join(format!("game-{:04}.sgf", game.game))).unwrap();
        let (trees, _) = kifu::read(&bytes);
        let mut warnings = Vec::new();
        let record = Record::new(&trees[0], &mut warnings).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        let moves: Vec<String> = record
            .moves
            .iter()
            .map(|m| m.point.map_or("pass".to_owned(), |p| p.to_string()))
            .collect();
        assert_eq!(moves.len(), game.moves);
        assert_eq!(record.outcome.to_string(), game.result);
        format!("{} {:?} {} {}", game.game, game.black, game.result, moves.join(" "))
    };
    lines(path).iter().map(show).collect()
}

#[test]
fn a_match_is_the_same_every_time_and_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let small =
        |side| contest(side, "harie:visits=30,memory=16", "harie:visits=12,memory=16,amaf=0");
    for side in [5, 7] {
        let (once, again, parts) =
            (at(&format!("once{side}")), at(&format!("again{side}")), at(&format!("parts{side}")));
        let summary = play(&small(side), &plan(6), &once, None);
        assert_eq!(summary.games, 6);
        let sum = |c: &lab::Counts| c.wins + c.draws + c.losses;
        assert_eq!((sum(&summary.as_black), sum(&summary.as_white)), (3, 3));
        play(&small(side), &Plan { parallel: 3, ..plan(6) }, &again, None);
        assert_eq!(moves(&once), moves(&again));
        let stopped = play(&small(side), &plan(6), &parts, Some(2));
        assert!(stopped.games < 6, "{}", stopped.games);
        assert!(moves(&once).starts_with(&moves(&parts)));
        // A line that was being written when the power went.
        let games = parts.join("games.jsonl");
        let torn = std::fs::read_to_string(&games).unwrap() + "{\"game\":3,\"bla";
        std::fs::write(&games, torn).unwrap();
        assert_eq!(play(&small(side), &plan(6), &parts, None).games, 6);
        assert_eq!(moves(&once), moves(&parts));
    }
    // Both games of a pair begin alike, and another pair does not.
    let games = moves(&at("once7"));
    let text = std::fs::read_to_string(at("once7").join("game-0001.sgf")).unwrap();
    assert!(text.contains(" s; ") && text.contains(" of 30 playouts]"), "{text}");
    let opening = |i: usize| games[i].split(' ').skip(3).take(2).collect::<Vec<_>>();
    assert_eq!(opening(0), opening(1));
    assert_eq!(opening(2), opening(3));
    assert!((1..3).any(|pair| opening(2 * pair) != opening(0)), "{games:?}");
    let other = Contest { komi: 0.5, ..small(5) };
    let error = Folder::open(&at("once5"), &other.header()).err().unwrap().to_string();
    assert!(error.contains("another match is here") && error.contains("Its komi is 7.5, not 0.5."));
}

#[test]
fn the_games_behind_the_figures_are_whole() {
    let matches = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../matches");
    let folders = std::fs::read_dir(matches).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = folders.filter(|path| path.is_dir()).collect();
    assert!(!folders.is_empty());
    for folder in folders {
        // Every game has a record that says the same.
        let games = moves(&folder);
        let records = std::fs::read_dir(&folder).unwrap().flatten();
        let records = records.filter(|entry| entry.path().extension() == Some("sgf".as_ref()));
        assert_eq!(games.len(), records.count(), "{}", folder.display());
    }
}

#[test]
fn one_who_reads_wins_against_one_who_does_not() {
    let contest = contest(9, "harie:visits=60,memory=16", "harie:level=20k,memory=16");
    let sprt = Some(Sprt { elo0: 0.0, elo1: 300.0 });
    let plan = Plan { games: 40, parallel: 2, sprt };
    let summary = contest.run(&plan, None, &AtomicBool::new(false), &mut |_, _| {}).unwrap();
    assert!(summary.all.share > 0.6, "{summary:?}");
    // The test ends the match early.
    assert!(summary.games < 40 && summary.sprt.as_ref().unwrap().verdict == "elo1", "{summary:?}");
}

#[test]
fn openings_of_records_are_played_in_turn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.sgf");
    let text = "(;SZ[7];B[dd];W[cc];B[ee])(;SZ[9];B[ee])(;SZ[7];B[cd];W[ed];B[dc])(;SZ[7]AB[aa];W[dd])\
                (;SZ[7];B[dd];W[cc];B[cd])(;SZ[7];B[dd];W[dd])";
    std::fs::write(&file, text).unwrap();
    let empty = Game::new(Size::new(7).unwrap(), Rules::CHINESE, 7.5);
    let openings = Openings::read(&file, 2, &empty).unwrap();
    assert!(openings.about().contains("2 positions after 2 moves"), "{}", openings.about());
    let player = "harie:visits=4,memory=16";
    let contest = Contest { openings, ..contest(7, player, player) };
    play(&contest, &plan(6), &folder.path().join("match"), None);
    let games = moves(&folder.path().join("match"));
    for (i, game) in games.iter().enumerate() {
        let wanted = if i / 2 == 1 { " C4 E4 " } else { " D4 C5 " };
        assert!(game.contains(wanted), "{game}");
    }
    let error = Openings::read(&file, 2, &Game::new(Size::NINETEEN, Rules::CHINESE, 7.5)).err();
    assert!(error.unwrap().to_string().contains("none of its 6 games"));
}

#[test]
fn clocks_run() {
    let slow = contest(5, "harie:memory=16", "harie:visits=5,memory=16");
    let contest = Contest { time: Some(Duration::from_secs(3)), ..slow };
    let folder = tempfile::tempdir().unwrap();
    play(&contest, &plan(2), folder.path(), None);
    for game in lines(folder.path()) {
        let spent = game.effort(Side::First).seconds;
        assert!(spent < 3.0 || game.ended == Ended::Time, "{game:?}");
    }
    let text = std::fs::read_to_string(folder.path().join("game-0001.sgf")).unwrap();
    assert!(text.contains("TM[3]") && text.contains("BL["), "{text}");
    // What the players thought of their moves.
    assert!(text.contains(" of 5 playouts]"), "{text}");
    let slow = self::contest(5, "harie:seconds=3", "harie");
    let slow = Contest { move_timeout: Duration::from_secs(2), ..slow };
    let error = slow.run(&plan(1), None, &AtomicBool::new(false), &mut |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("harie:seconds=3 thinks 3 s about a move"), "{error}");
}

/// Engines that are shell scripts.
#[cfg(unix)]
mod programs {
    use super::*;

    /// A script that answers genmove with these shell commands, and everything else with `=`.
    fn program(folder: &Path, name: &str, genmove: &str) -> String {
        let file = folder.join(name);
        let text = format!(
            "while read -r word rest; do case \"$word\" in\n\
             genmove) {genmove};;\n\
             known_command) printf '= false\\n\\n';;\n\
             final_score) printf '= W+2.5\\n\\n';;\n\
             quit) printf '=\\n\\n'; exit;;\n\
             *) printf '=\\n\\n';; esac; done\n"
        );
        std::fs::write(&file, text).unwrap();
        format!("gtp:sh '{}'", file.display())
    }

    const HARIE: &str = "harie:visits=4,memory=16";

    #[test]
    fn those_that_misbehave_lose() {
        let folder = tempfile::tempdir().unwrap();
        for (name, genmove, ended, why) in [
            ("crash", "exit 3", Ended::Crash, "exit status: 3"),
            ("hang", "exec sleep 600", Ended::Timeout, "no answer to 'genmove"),
            ("babble", "printf '= Z99\\n\\n'", Ended::Illegal, "'Z99' is no move"),
            ("shout", "printf 'hello\\n\\n'", Ended::Illegal, "begins with 'hello'"),
            ("repeat", "printf '= a1\\n\\n'", Ended::Illegal, "A1"),
            ("refuse", "printf '? not now\\n\\n'", Ended::Refusal, "not now"),
            ("resign", "printf '= Resign\\n\\n'", Ended::Resignation, ""),
        ] {
            let program = program(folder.path(), name, genmove);
            let contest = contest(5, HARIE, &program);
            // Nobody else is to be late, however busy the machine is.
            let most = Duration::from_millis(if name == "hang" { 500 } else { 60_000 });
            let contest = Contest { move_timeout: most, ..contest };
            let path = folder.path().join(format!("{name}.match"));
            let summary = play(&contest, &plan(2), &path, None);
            assert_eq!(summary.all.wins, 2, "{name}: {summary:?}");
            for game in lines(&path) {
                assert_eq!(game.ended, ended, "{name}: {game:?}");
                assert!(game.why.unwrap_or_default().contains(why), "{name}");
                let forfeit = if ended == Ended::Resignation { "+R" } else { "+F" };
                assert!(game.result.ends_with(forfeit), "{name}: {}", game.result);
            }
        }
    }

    /// A script that passes, takes rules that match this pattern of the shell, and keeps what rules it was
    /// told in the file `NAME.told`.
    fn particular(folder: &Path, name: &str, knows: bool, takes: &str) -> String {
        let (file, told) = (folder.join(name), folder.join(format!("{name}.told")));
        let text = format!(
            "while read -r word rest; do case \"$word $rest\" in\n\
             genmove*) printf '= pass\\n\\n';;\n\
             'known_command kata-set-rules') printf '= {knows}\\n\\n';;\n\
             known_command*) printf '= false\\n\\n';;\n\
             kata-set-rules*) printf '%s\\n' \"$rest\" >>'{}'; case \"$rest\" in\n\
             {takes}) printf '=\\n\\n';; *) printf '? Unknown rules\\n\\n';; esac;;\n\
             quit*) printf '=\\n\\n'; exit;;\n\
             *) printf '=\\n\\n';; esac; done\n",
            told.display()
        );
        std::fs::write(&file, text).unwrap();
        format!("gtp:sh '{}'", file.display())
    }

    #[test]
    fn rules_are_told_in_words_that_the_other_side_knows() {
        let cgos = r#"{"friendlyPassOk":false,"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":false,"tax":"NONE","whiteHandicapBonus":"0"}"#;
        let folder = tempfile::tempdir().unwrap();
        for (name, knows, takes, told, note) in [
            ("all", true, "*", &["cgos"][..], None),
            ("katago", true, "tromp-taylor|'{'*", &["cgos", cgos], None),
            ("objects", true, "'{'*", &["cgos", cgos], None),
            (
                "names",
                true,
                "tromp-taylor",
                &["cgos", cgos, "tromp-taylor"],
                Some("was told tromp-taylor instead, which allows suicide"),
            ),
            ("none", true, "-", &["cgos", cgos, "tromp-taylor"], Some("was told the komi only")),
            ("never", false, "*", &[], None),
        ] {
            let program = particular(folder.path(), name, knows, takes);
            let contest = Contest { rules: Rules::CGOS, ..contest(5, HARIE, &program) };
            let contest = Contest { referee: Referee::Board, ..contest };
            let path = folder.path().join(format!("{name}.match"));
            let mut said = Vec::new();
            let kept = Folder::open(&path, &contest.header()).unwrap();
            let watch = &mut |game: Option<&Finished>, summary: &lab::Summary| {
                said.push((game.is_some(), summary.notes.clone()));
            };
            let summary =
                contest.run(&plan(2), Some(kept), &AtomicBool::new(false), watch).unwrap();
            assert_eq!((summary.games, summary.players[1].forfeits), (2, 0), "{name}");
            let asked = std::fs::read_to_string(folder.path().join(format!("{name}.told")));
            let asked = asked.unwrap_or_default();
            // Once before the match and once for each game.
            let lines: Vec<&str> = asked.lines().collect();
            assert_eq!(lines, told.repeat(3), "{name}");
            let notes: Vec<&String> = summary.notes.iter().collect();
            let wanted = note.map(|note| {
                format!("{}: it refuses the rules cgos and {note}", contest.players[1].label())
            });
            match &wanted {
                None => assert!(notes.is_empty(), "{name}: {notes:?}"),
                Some(wanted) => {
                    assert_eq!(notes.len(), 1, "{name}: {notes:?}");
                    assert!(notes[0].starts_with(wanted.as_str()), "{name}: {notes:?}");
                    // It is known before the first game, and every game keeps it.
                    assert!(said.contains(&(false, summary.notes.clone())), "{name}: {said:?}");
                    let record = std::fs::read_to_string(path.join("game-0002.sgf")).unwrap();
                    assert!(record.contains("it refuses the rules cgos"), "{name}: {record}");
                }
            }
            for game in super::lines(&path) {
                assert_eq!(game.notes.len(), wanted.iter().count(), "{name}: {game:?}");
            }
        }
    }

    #[test]
    fn those_that_pass_are_counted_by_the_referee() {
        let folder = tempfile::tempdir().unwrap();
        let program = program(folder.path(), "pass", "printf '= PASS\\n\\n'");
        let count = |referee| {
            let contest = Contest { referee, ..contest(5, &program, &program) };
            contest.run(&plan(2), None, &AtomicBool::new(false), &mut |_, _| {})
        };
        // An opening of a stone each: no territory for anybody, and White has the komi.
        let summary = count(Referee::Board).unwrap();
        assert_eq!((summary.all.wins, summary.as_white.wins), (1, 1));
        let command = program.strip_prefix("gtp:").unwrap();
        let folder = folder.path().join("match");
        let contest = Contest {
            referee: Referee::Program(command.to_owned()),
            ..contest(5, &program, &program)
        };
        play(&contest, &plan(2), &folder, None);
        for game in lines(&folder) {
            assert_eq!((game.result.as_str(), game.moves), ("W+2.5", 4), "{game:?}");
        }
        let error = count(Referee::Program("sh -c 'exit 1'".to_owned())).unwrap_err().to_string();
        assert!(error.contains("the referee cannot count"), "{error}");
    }

    #[test]
    fn time_runs_out_for_those_who_do_not_look_at_the_clock() {
        let folder = tempfile::tempdir().unwrap();
        let program = program(folder.path(), "slow", "sleep 0.4; printf '= pass\\n\\n'");
        let contest = contest(5, &program, HARIE);
        let contest = Contest { time: Some(Duration::from_millis(300)), ..contest };
        let path = folder.path().join("match");
        let summary = play(&contest, &plan(1), &path, None);
        assert_eq!(lines(&path)[0].ended, Ended::Time);
        assert_eq!(summary.players[0].lost_on_time, 1);
    }

    #[test]
    fn what_cannot_be_started_is_said_before_the_first_game() {
        let run = |second: &str| {
            let contest = contest(5, HARIE, second);
            let played = contest.run(&plan(2), None, &AtomicBool::new(false), &mut |_, _| {});
            played.unwrap_err().to_string()
        };
        let error = run("gtp:no-such-engine-anywhere --gtp");
        assert!(error.contains("cannot play this match") && error.contains("cannot be started"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("only19");
        std::fs::write(&file, "read line; printf '? unacceptable size\\n\\n'; read line").unwrap();
        let error = run(&format!("gtp:sh '{}'", file.display()));
        assert!(error.contains("'boardsize 5' was refused: unacceptable size"), "{error}");
    }

    #[test]
    fn a_match_stops_while_an_engine_thinks() {
        let folder = tempfile::tempdir().unwrap();
        let thinking = folder.path().join("thinking");
        // Renamed, so that what is there is whole.
        let shown = thinking.display();
        let thinks =
            format!("echo $$ >'{shown}.part'; mv '{shown}.part' '{shown}'; exec sleep 600");
        let program = program(folder.path(), "thinker", &thinks);
        let contest = contest(5, &program, HARIE);
        let interrupted = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !thinking.exists() {
                    std::thread::sleep(Duration::from_millis(5));
                }
                interrupted.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            let contest = Contest { move_timeout: Duration::from_secs(500), ..contest };
            let summary = contest.run(&plan(2), None, &interrupted, &mut |_, _| {}).unwrap();
            assert_eq!(summary.games, 0);
        });
        let id = std::fs::read_to_string(&thinking).unwrap();
        let mut kill = std::process::Command::new("kill");
        let runs = kill.args(["-0", id.trim()]).stderr(std::process::Stdio::null()).status();
        assert!(!runs.unwrap().success(), "it still thinks");
    }
}

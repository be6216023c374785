//! Whether groups live, in composed positions with known status (`life.txt`).

use std::path::Path;
use std::sync::Arc;

use engine::{Engine, Library, Options};
use goban::{Color, Diagram, Game, Point, Rules, Size};
use knowledge::{Groups, Life};
use policy::{Model, Use};

/// A composed position.
struct Composed {
    name: String,
    life: Life,
    stone: Point,
    diagram: String,
}

/// The positions of the file.
fn composed() -> Vec<Composed> {
    let text = include_str!("life.txt");
    let mut all: Vec<Composed> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let stone = Point::parse("A1").unwrap();
            let (name, diagram) = (name.to_owned(), String::new());
            all.push(Composed { name, life: Life::Alive, stone, diagram });
            continue;
        }
        let last = all.last_mut().expect("a name comes first");
        match line.split_once(' ') {
            Some((word, stone)) if word.len() > 1 => {
                last.life = match word {
                    "alive" => Life::Alive,
                    "dead" => Life::Dead,
                    "unsettled" => Life::Unsettled,
                    other => panic!("{other} is no status"),
                };
                last.stone = Point::parse(stone).unwrap();
            }
            _ => last.diagram += &format!("{line}\n"),
        }
    }
    all
}

fn engine() -> Engine {
    let load = |of: Use, _: Size| {
        let name = if of == Use::Uct { "uct9.model" } else { "mc9.model" };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights").join(name);
        Model::from_bytes(&std::fs::read(path).unwrap()).unwrap()
    };
    Engine::new(Arc::new(Library::new(load)), Options { megabytes: 32, ..Options::default() })
}

#[test]
fn composed_groups_are_judged_rightly() {
    let all = composed();
    assert!(all.len() >= 30, "{}", all.len());
    let mut engine = engine();
    let (mut right, mut gross, mut report) = (0, 0, String::new());
    for position in &all {
        let board = Diagram::parse(&position.diagram).unwrap().board;
        engine.set_game(Game::from_position(board, Color::Black, Rules::CHINESE, 7.5));
        let ownership = engine.judge().ownership;
        let groups = Groups::new(engine.game().board(), &ownership);
        let group = groups.at(position.stone).expect("a stone stands there");
        right += usize::from(group.life == position.life);
        let opposite = [group.life, position.life].map(|life| match life {
            Life::Alive => 1,
            Life::Unsettled => 0,
            Life::Dead => -1,
        });
        gross += usize::from(opposite[0] * opposite[1] < 0);
        if group.life != position.life {
            let (is, said) = (position.life.word(), group.life.word());
            let sure = 100.0 * group.strength;
            report += &format!("{}: is {is}, judged {said} ({sure:.0} %)\n", position.name);
        }
    }
    println!("{right} of {} right, {gross} the opposite\n{report}", all.len());
    assert_eq!(gross, 0, "alive for dead or dead for alive:\n{report}");
    assert!(10 * right >= 9 * all.len(), "{right} of {} right:\n{report}", all.len());
}

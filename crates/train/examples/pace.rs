//! How long tracking the features takes for a position: `cargo run --release -p harie-train --example pace --
//! GAMES.sgf.gz PATTERNS.dict`. Prints the time with and without learning.

use std::time::Instant;

use kifu::{Corpus, Record};
use policy::{FeatureSpace, FeatureTracker, Position, Use};
use shape::Dictionary;
use train::{Ascent, Games, Likelihood, Method};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, records, patterns] = args.as_slice() else {
        return Err("usage: pace GAMES PATTERNS.dict".into());
    };
    let dictionary = Dictionary::from_bytes(&std::fs::read(patterns)?)?;
    let mut games = Games::new(goban::Size::NINETEEN);
    for found in Corpus::new([records]) {
        games.add(&Record::new(&found?.tree, &mut Vec::new())?);
    }
    games.truncate(1000);
    let positions = games.positions();
    let space = FeatureSpace::new(Use::Uct, dictionary, games.size());
    let mut tracker = FeatureTracker::new(&space);
    let mut position = Position::default();
    let mut method = Ascent::plain(Likelihood::default(), space.weights());
    let mut time = |what: &str, visit: &mut dyn FnMut(&Position)| {
        let start = Instant::now();
        for game in games.iter() {
            game.visit(&mut tracker, &mut position, &mut *visit);
        }
        let micros = start.elapsed().as_secs_f64() * 1e6 / positions as f64;
        println!("{what}: {micros:.2} µs a position, {positions} positions");
    };
    let mut moves = 0;
    time("walking", &mut |position| moves += position.len());
    println!("{:.1} legal moves a position", moves as f64 / positions as f64);
    time("learning", &mut |position| {
        method.learn(position);
    });
    Ok(())
}

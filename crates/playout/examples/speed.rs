//! scratch
use goban::*;
use playout::{random::Random, uniform};
fn main() {
    for n in [9usize, 13, 19] {
        let start = Board::new(Size::new(n).unwrap());
        let mut b = start.clone();
        let sd = playout::draw::Draw::new(&b);
        let mut d = sd.clone();
        let mut r = Random::new(1);
        let reps = if std::env::args().len() > 1 {
            2000
        } else if n == 9 {
            600_000
        } else {
            120_000
        };
        let t = std::time::Instant::now();
        let (mut moves, mut wins) = (0u64, 0);
        for _ in 0..reps {
            b.copy_from(&start);
            d.copy_from(&sd, b.size());
            let o = uniform::run(&mut b, &mut d, Color::Black, &mut r);
            moves += o.moves as u64;
            wins += (o.score > 0) as u32;
        }
        let s = t.elapsed().as_secs_f64();
        println!(
            "{n}: {:.0} playouts/s, {:.1} ns/move, {:.1} moves, wins {:.3}",
            reps as f64 / s,
            s * 1e9 / moves as f64,
            moves as f64 / reps as f64,
            wins as f64 / reps as f64
        );
    }
}

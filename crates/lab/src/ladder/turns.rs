//! Work on many positions by threads that take them in turn.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// What `work` makes of the numbers below `n`, in their order, whatever the number of threads.
/// `watch` hears how many are done and ends it by saying false: then there is nothing, unless they were
/// all done.
pub fn in_turn<T: Send>(
    n: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
    mut watch: impl FnMut(usize) -> bool,
) -> Option<Vec<T>> {
    let next = AtomicUsize::new(0);
    let mut made: Vec<Option<T>> = (0..n).map(|_| None).collect();
    std::thread::scope(|scope| {
        let (give, take) = channel();
        for _ in 0..threads.clamp(1, n.max(1)) {
            let (give, next, work) = (give.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    // Nobody listens once it was ended.
                    if i >= n || give.send((i, work(i))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(give);
        for (done, (i, one)) in take.iter().enumerate() {
            made[i] = Some(one);
            if !watch(done + 1) {
                return;
            }
        }
    });
    made.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_in_its_place_and_may_be_ended() {
        for threads in [0, 1, 3, 50] {
            let mut heard = Vec::new();
            let squares = in_turn(
                20,
                threads,
                |i| i * i,
                |done| {
                    heard.push(done);
                    true
                },
            );
            assert_eq!(squares, Some((0..20).map(|i| i * i).collect()));
            assert_eq!(heard, (1..=20).collect::<Vec<_>>());
            assert_eq!(in_turn(20, threads, |i| i, |done| done < 5), None);
        }
        assert_eq!(in_turn(0, 2, |i| i, |_| true), Some(Vec::new()));
    }
}

//! The same work for many inputs, on all cores.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The result of the work on each input, in the order of the inputs.
pub(crate) fn map<T: Send, R: Send>(inputs: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(inputs.len());
    let queue = Mutex::new(inputs.into_iter().enumerate());
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        // All are started before the first is waited for.
        let workers: Vec<_> =
            (0..threads).map(|_| scope.spawn(|| work_off(&queue, &work))).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

fn work_off<T, R>(
    queue: &Mutex<impl Iterator<Item = (usize, T)>>,
    work: &impl Fn(T) -> R,
) -> Vec<(usize, R)> {
    let next = std::iter::from_fn(|| queue.lock().unwrap_or_else(PoisonError::into_inner).next());
    next.map(|(index, input)| (index, work(input))).collect()
}

/// Two pieces of work at once.
#[cfg(feature = "cli")]
pub(crate) fn both<A: Send, B>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B,
) -> (A, B) {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (one.join().unwrap_or_else(|panic| resume_unwind(panic)), other)
    })
}

#[cfg(test)]
mod tests {
    use super::map;
    use std::panic::catch_unwind;

    #[test]
    fn keeps_the_order_of_the_inputs() {
        let numbers: Vec<u64> = (0..1000).collect();
        assert_eq!(
            map(numbers.clone(), |number| number * 2),
            numbers.iter().map(|n| n * 2).collect::<Vec<_>>()
        );
        assert!(map(Vec::<u8>::new(), |number| number).is_empty());
    }

    #[test]
    fn a_panic_is_passed_on() {
        assert!(catch_unwind(|| map(vec![1, 0], |number| 1 / number)).is_err());
    }
}

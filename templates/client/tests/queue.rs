//! Work queues by the clock of tokio.

use kapigen_client::WorkQueue;
use kapigen_runtime::queue::{Counts, Handled, Queue};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// Runs a future on a clock that jumps to the next timer.
fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(future)
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn handles_several_keys_at_once_and_each_one_once() {
    block_on(async {
        let queue = WorkQueue::new(Queue::new().concurrency(10));
        let begin = Instant::now();
        let in_work = RefCell::new(BTreeMap::<u32, bool>::new());
        let handled = Cell::new(0);
        let handle = async |key: u32| {
            assert_eq!(
                in_work.borrow_mut().insert(key, true),
                None,
                "a key is handled once at a time"
            );
            assert!(in_work.borrow().len() <= 10);
            queue.add(key % 10 + 1000);
            sleep(SECOND).await;
            in_work.borrow_mut().remove(&key);
            handled.set(handled.get() + 1);
            if handled.get() == 110 {
                queue.drain();
            }
            Ok::<_, String>(Handled::Done)
        };
        (0..100).for_each(|key| queue.add(key));
        queue.run(handle).await;
        // The last ones were added again by themselves.
        assert!((110..=120).contains(&handled.get()), "{}", handled.get());
        assert!(begin.elapsed() <= 13 * SECOND, "ten at once");
    });
}

#[test]
fn handles_failures_again_after_growing_pauses() {
    block_on(async {
        let queue = WorkQueue::new(Queue::new().pauses(SECOND, 60 * SECOND));
        let begin = Instant::now();
        let times = RefCell::new(Vec::new());
        queue.add("a");
        let handle = async |_| {
            times.borrow_mut().push(begin.elapsed());
            match times.borrow().len() {
                1..4 => Err("no luck"),
                4 => Ok(Handled::Again(300 * SECOND)),
                _ => {
                    queue.drain();
                    Ok(Handled::Done)
                }
            }
        };
        queue.run(handle).await;
        let times = times.take();
        let pauses: Vec<_> =
            times.windows(2).map(|pair| pair[1].saturating_sub(pair[0]).as_secs()).collect();
        assert_eq!(pauses.len(), 4);
        for (pause, range) in pauses.iter().zip([1..=1, 2..=3, 4..=6, 300..=300]) {
            assert!(range.contains(pause), "{pauses:?}");
        }
    });
}

#[test]
fn keys_of_a_run_that_is_dropped_are_left_to_the_next_one() {
    block_on(async {
        let queue = WorkQueue::new(Queue::new().concurrency(2));
        (0..3).for_each(|key| queue.add(key));
        let slow = queue.run(async |_| {
            sleep(60 * SECOND).await;
            Ok::<_, String>(Handled::Done)
        });
        assert!(timeout(SECOND, slow).await.is_err());
        assert_eq!(queue.counts().ready, 3);
        queue.drain();
        let keys = RefCell::new(Vec::new());
        queue
            .run(async |key| {
                keys.borrow_mut().push(key);
                Ok::<_, String>(Handled::Done)
            })
            .await;
        assert_eq!((keys.take(), queue.counts()), (vec![2, 0, 1], Counts::default()));
    });
}

#[test]
fn keys_of_a_run_that_is_dropped_survive_a_drain_and_keep_their_pauses() {
    block_on(async {
        let queue = WorkQueue::new(Queue::new().pauses(SECOND, 60 * SECOND));
        let begin = Instant::now();
        queue.add("a");
        let fails = queue.run(async |_| {
            if begin.elapsed() >= SECOND {
                sleep(60 * SECOND).await;
            }
            Err::<Handled, _>("no luck")
        });
        // It fails once, and is dropped within the second attempt.
        assert!(timeout(2 * SECOND, fails).await.is_err());
        let times = RefCell::new(Vec::new());
        let again = queue.run(async |_| {
            times.borrow_mut().push(begin.elapsed().as_secs());
            Err::<Handled, _>("no luck")
        });
        assert!(timeout(4 * SECOND, again).await.is_err());
        assert_eq!(times.borrow()[0], 2, "at once");
        assert!(times.borrow()[1] >= 4, "the second pause is twice as long: {times:?}");

        let queue = WorkQueue::new(Queue::new());
        queue.add("b");
        queue.drain();
        let slow = queue.run(async |_| {
            sleep(60 * SECOND).await;
            Ok::<_, String>(Handled::Done)
        });
        assert!(timeout(SECOND, slow).await.is_err());
        let handled = Cell::new(0);
        queue
            .run(async |_| {
                handled.set(handled.get() + 1);
                Ok::<_, String>(Handled::Done)
            })
            .await;
        assert_eq!(handled.get(), 1, "a drain ends when the keys are handled");
    });
}

#[test]
fn a_handler_that_panics_leaves_no_key_in_work() {
    // While it begins, and while it works.
    for is_early in [true, false] {
        let queue = WorkQueue::new(Queue::new().concurrency(2));
        queue.add("a");
        queue.add("b");
        let run = || {
            block_on(queue.run(|key| {
                assert!(!is_early || key != "b", "a bug");
                async move {
                    sleep(SECOND).await;
                    assert!(key != "b", "a bug");
                    Ok::<_, String>(Handled::Done)
                }
            }));
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
        assert_eq!(queue.counts().in_work, 0, "{is_early}");
        queue.drain();
        let keys = RefCell::new(Vec::new());
        block_on(queue.run(async |key| {
            keys.borrow_mut().push(key);
            Ok::<_, String>(Handled::Done)
        }));
        assert!(keys.borrow().contains(&"b"), "{is_early}: {keys:?}");
    }
}

#[test]
fn keys_that_other_tasks_add_wake_the_handler() {
    block_on(async {
        let queue = WorkQueue::new(Queue::new());
        let other = queue.clone();
        let task = tokio::spawn(async move {
            sleep(SECOND).await;
            other.add("a");
            sleep(SECOND).await;
            other.add_after("b", SECOND);
        });
        let begin = Instant::now();
        let times = RefCell::new(Vec::new());
        let handle = async |key| {
            times.borrow_mut().push((key, begin.elapsed().as_secs()));
            if key == "b" {
                queue.drain();
            }
            Ok::<_, String>(Handled::Done)
        };
        queue.run(handle).await;
        task.await.unwrap();
        assert_eq!(times.take(), [("a", 1), ("b", 3)]);
    });
}

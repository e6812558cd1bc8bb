//! Queues of keys: kapigen-runtime's queue beside kube-runtime's scheduler, the queue of its
//! controllers.
//!
//! Arguments: the queue (`own` or `peer`), the number of keys, and the spread of their delays in
//! milliseconds. Each key is added twice and taken once. Prints the heap bytes per key while all
//! are queued, and the nanoseconds per key, without the time to make it.

use bench_informer::held;
use futures_util::{Stream, StreamExt, stream};
use kube::runtime::scheduler::{ScheduleRequest, scheduler};
use openshift_api::informer::Key;
use openshift_api::queue::{Handled, Queue, Work};
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: bench_informer::Counting = bench_informer::Counting;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [who, keys, spread] = &arguments[..] else {
        panic!("own or peer, number of keys, and spread of delays")
    };
    let keys: u32 = keys.parse().expect("a number");
    let spread: u64 = spread.parse().expect("a number");
    // In an order of its own, as keys change in a cluster.
    let step = |index: u32| u64::from(index.wrapping_mul(2_654_435_761)) % spread.max(1);
    let jobs: Vec<(Key, Duration)> = (0..keys)
        .map(|index| {
            (Key::new("default", &format!("web-{index}")), Duration::from_millis(step(index)))
        })
        .collect();
    let (bytes, seconds) = match who.as_str() {
        "own" => own(&jobs, spread),
        "peer" => {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build();
            runtime.expect("a runtime").block_on(tokio::task::unconstrained(peer(&jobs, spread)))
        }
        other => panic!("own or peer, not {other}"),
    };
    println!("{} {}", bytes / f64::from(keys), seconds * 1e9 / f64::from(keys));
}

fn own(jobs: &[(Key, Duration)], spread: u64) -> (f64, f64) {
    let before = held();
    let start = std::time::Instant::now();
    let mut queue = Queue::new();
    for (key, delay) in jobs.iter().chain(jobs) {
        queue.add_after(key.clone(), *delay, Duration::ZERO);
    }
    let bytes = held() - before;
    let mut taken = 0;
    let now = Duration::from_millis(spread);
    while let Work::Key { key, .. } = queue.poll(now) {
        taken += 1;
        queue.done(black_box(&key), Handled::Done, now);
    }
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(taken, jobs.len());
    (bytes, seconds)
}

async fn peer(jobs: &[(Key, Duration)], spread: u64) -> (f64, f64) {
    let before = held();
    let start = std::time::Instant::now();
    let begin = tokio::time::Instant::now();
    let requests = jobs.iter().chain(jobs);
    let requests = requests
        .map(|(key, delay)| ScheduleRequest { message: key.clone(), run_at: begin + *delay });
    // There may be more requests, until all keys are taken.
    let mut queue = pin!(scheduler(stream::iter(requests).chain(stream::pending())));
    let mut taken = usize::from(poll(queue.as_mut()).is_ready());
    let bytes = held() - before;
    tokio::time::advance(Duration::from_millis(spread + 1)).await;
    while poll(queue.as_mut()).is_ready() {
        taken += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(taken, jobs.len());
    (bytes, seconds)
}

fn poll<S: Stream>(stream: Pin<&mut S>) -> Poll<Option<S::Item>> {
    black_box(stream.poll_next(&mut Context::from_waker(Waker::noop())))
}

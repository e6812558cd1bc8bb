//! Sockets, behind a proxy.

use super::{Process, Random, Times, change, disturb, prepare, seconds, settle};
use crate::proxy::{Fault, Proxy};
use crate::{block_on, hyper, server};
use openshift_api::Store;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const TIMES: Times = Times {
    lease: Duration::from_secs(4),
    renewal: Duration::from_secs(2),
    retry: Duration::from_millis(400),
    watch: Duration::from_secs(3),
    response: Duration::from_secs(2),
};

/// The fate of a request.
fn fault(random: &mut Random) -> Fault {
    let bytes = usize::try_from(random.below(4000)).unwrap();
    match random.below(50) {
        0..3 => Fault::Refused,
        3..6 => Fault::Cut(0),
        6..9 => Fault::Cut(bytes),
        9..12 => Fault::Reset(bytes),
        12 => Fault::Silence(bytes),
        13..16 => Fault::Delay(Duration::from_millis(random.below(1000))),
        16..18 => Fault::Slow,
        18..20 => Fault::Bytes(crate::faults::ERROR),
        20 => Fault::Bytes(crate::faults::HTML),
        _ => Fault::None,
    }
}

#[test]
fn sockets_lose_nothing() {
    let time = seconds(4);
    let (server, listening) = server();
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    prepare(&server, &mut random);
    let has_faults = Arc::new(AtomicBool::new(true));
    let is_down = Arc::new(AtomicBool::new(false));
    let plan = Mutex::new(Random::new(7));
    let faulty = Arc::clone(&has_faults);
    let down = Arc::clone(&is_down);
    let proxy =
        Proxy::with_plan(listening.address(), move |_| match down.load(Ordering::Relaxed) {
            true => Fault::Refused,
            false if faulty.load(Ordering::Relaxed) => fault(&mut plan.lock().unwrap()),
            false => Fault::None,
        });
    block_on(async {
        let leaders = Arc::default();
        let processes = [("one", 1), ("two", 2)].map(|(identity, seed)| {
            let client = hyper(&proxy.url).timeout(TIMES.response);
            let leaders = Arc::clone(&leaders);
            Arc::new(Process { identity, client, times: TIMES, seed, leaders, pods: Store::new() })
        });
        let tasks =
            processes.clone().map(|process| tokio::spawn(async move { process.run().await }));
        let start = Instant::now();
        while start.elapsed() < time {
            sleep(Duration::from_millis(random.below(200))).await;
            change(&server, &mut random);
            if random.below(20) == 0 {
                is_down.store(disturb(&server, &mut random), Ordering::Relaxed);
                sleep(Duration::from_millis(random.below(500))).await;
                is_down.store(false, Ordering::Relaxed);
            }
            assert!(tasks.iter().all(|task| !task.is_finished()), "a process ended");
        }
        has_faults.store(false, Ordering::Relaxed);
        // An informer may have just begun the longest pause between attempts, of a minute.
        settle(&server, &processes, Duration::from_secs(180)).await;
        let terms = leaders.lock().unwrap().terms;
        println!("{time:?}: {} requests, {terms} terms of leaders", proxy.requests().len());
        assert!(terms > 0);
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
    });
}

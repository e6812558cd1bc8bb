//! A network in memory, by a clock that jumps from timer to timer.

use super::{Process, Random, Times, change, disturb, prepare, seconds, settle};
use bytes::Bytes;
use http_body::Frame;
use kapigen_client::{BoxError, Client};
use kapigen_fake::{Events, NextEvent, ReplyBody, Server};
use openshift_api::Store;
use openshift_api::http::{Request, Response};
use openshift_api::jiff::{SignedDuration, Timestamp};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

/// The state of the network.
struct State {
    random: Random,
    has_faults: bool,
    is_down: bool,
    /// The numbers of requests, and of those that went wrong.
    requests: [u32; 2],
}

#[derive(Clone)]
struct Network {
    server: Server,
    state: Arc<Mutex<State>>,
}

/// The fate of a request.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Served,
    LostRequest,
    LostResponse,
    Refused(u16),
    /// It comes after milliseconds.
    Delayed(u64),
    /// The response is spoiled after this many bytes.
    Spoiled(usize, Spoil),
    /// There is no response.
    Silence,
}

#[derive(Clone, Copy, Debug)]
enum Spoil {
    Broken,
    Truncated,
    Silent,
}

impl State {
    fn fate(&mut self) -> Fate {
        self.requests[0] += 1;
        let random = &mut self.random;
        let fate = match random.below(100) {
            _ if self.is_down => Fate::LostRequest,
            _ if !self.has_faults => Fate::Served,
            0..6 => Fate::LostRequest,
            6..12 => Fate::LostResponse,
            12..20 => {
                Fate::Refused([429, 500, 503, 504][usize::try_from(random.below(4)).unwrap()])
            }
            20..26 => Fate::Delayed(random.below(12_000)),
            26..40 => {
                let spoil = [Spoil::Broken, Spoil::Truncated, Spoil::Silent]
                    [usize::try_from(random.below(3)).unwrap()];
                Fate::Spoiled(usize::try_from(random.below(6000)).unwrap(), spoil)
            }
            40 => Fate::Silence,
            _ => Fate::Served,
        };
        self.requests[1] += u32::from(!matches!(fate, Fate::Served));
        fate
    }
}

impl tower::Service<Request<Vec<u8>>> for Network {
    type Response = Response<Wire>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Wire>, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Vec<u8>>) -> Self::Future {
        let network = self.clone();
        Box::pin(async move {
            // A round trip takes a moment, by this clock too.
            sleep(Duration::from_millis(1)).await;
            let fate = network.state.lock().unwrap().fate();
            match fate {
                Fate::LostRequest => return Err("connection refused".into()),
                Fate::Refused(code) => {
                    let wire = Wire::new(
                        &network.server,
                        ReplyBody::Whole(Bytes::from_static(b"no")),
                        None,
                    );
                    return Ok(Response::builder()
                        .status(code)
                        .header("retry-after", 1)
                        .body(wire)?);
                }
                Fate::Delayed(time) => sleep(Duration::from_millis(time)).await,
                Fate::Silence => std::future::pending().await,
                Fate::Served | Fate::LostResponse | Fate::Spoiled(..) => {}
            }
            let response = network.server.handle(request, network.server.now()).response;
            match fate {
                Fate::LostResponse => Err("connection reset".into()),
                Fate::Spoiled(bytes, spoil) => {
                    Ok(response.map(|body| Wire::new(&network.server, body, Some((bytes, spoil)))))
                }
                _ => Ok(response.map(|body| Wire::new(&network.server, body, None))),
            }
        })
    }
}

/// The body of a response.
struct Wire {
    server: Server,
    source: Source,
    /// The bytes before it is spoiled.
    spoil: Option<(usize, Spoil)>,
    timer: Pin<Box<Sleep>>,
}

enum Source {
    Whole(Bytes),
    Events(Box<Events>),
}

impl Wire {
    fn new(server: &Server, body: ReplyBody, spoil: Option<(usize, Spoil)>) -> Self {
        let source = match body {
            ReplyBody::Whole(bytes) => Source::Whole(bytes),
            ReplyBody::Stream(events) => Source::Events(events),
        };
        Self { server: server.clone(), source, spoil, timer: Box::pin(sleep(Duration::ZERO)) }
    }

    fn poll_bytes(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let events = match &mut self.source {
            Source::Whole(bytes) if bytes.is_empty() => return Poll::Ready(None),
            Source::Whole(bytes) => {
                return Poll::Ready(Some(bytes.split_to(bytes.len().min(1500))));
            }
            Source::Events(events) => events,
        };
        let now = self.server.now();
        match events.poll_next(now, context.waker()) {
            NextEvent::Event(line) => Poll::Ready(Some(line.into())),
            NextEvent::End => Poll::Ready(None),
            NextEvent::Wait(until) => {
                let left =
                    until.duration_since(now).max(SignedDuration::from_secs(1)).unsigned_abs();
                self.timer.as_mut().reset(Instant::now() + left.min(Duration::from_secs(3600)));
                ready!(self.timer.as_mut().poll(context));
                context.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }
}

impl http_body::Body for Wire {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match self.spoil {
            Some((0, Spoil::Broken)) => return Poll::Ready(Some(Err("connection reset".into()))),
            Some((0, Spoil::Truncated)) => return Poll::Ready(None),
            Some((0, Spoil::Silent)) => return Poll::Pending,
            _ => {}
        }
        let Some(mut bytes) = ready!(self.poll_bytes(context)) else { return Poll::Ready(None) };
        if let Some((left, _)) = &mut self.spoil {
            bytes.truncate(*left);
            *left -= bytes.len();
        }
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }
}

const TIMES: Times = Times {
    lease: Duration::from_secs(15),
    renewal: Duration::from_secs(10),
    retry: Duration::from_secs(2),
    watch: Duration::from_secs(60),
    response: Duration::from_secs(30),
};

#[test]
fn a_simulated_network_loses_nothing() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(simulate(seconds(300)));
}

async fn simulate(time: Duration) {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    let begin: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    server.set_time(begin);
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    prepare(&server, &mut random);
    let state =
        State { random: Random::new(7), has_faults: true, is_down: false, requests: [0; 2] };
    let network = Network { server: server.clone(), state: Arc::new(Mutex::new(state)) };
    let leaders = Arc::default();
    let client = Client::with_bodies(network.clone()).timeout(TIMES.response);
    let processes = [("one", 1), ("two", 2)].map(|(identity, seed)| {
        let client = client.clone();
        let leaders = Arc::clone(&leaders);
        Arc::new(Process { identity, client, times: TIMES, seed, leaders, pods: Store::new() })
    });
    let tasks = processes.clone().map(|process| tokio::spawn(async move { process.run().await }));
    let clock = tokio::spawn(tick(server.clone(), begin));
    let start = Instant::now();
    while start.elapsed() < time {
        sleep(Duration::from_millis(random.below(5000))).await;
        change(&server, &mut random);
        if random.below(20) == 0 {
            let is_restart = disturb(&server, &mut random);
            network.state.lock().unwrap().is_down = is_restart;
            sleep(Duration::from_millis(if is_restart { random.below(20_000) } else { 0 })).await;
            network.state.lock().unwrap().is_down = false;
        }
        assert!(tasks.iter().all(|task| !task.is_finished()), "a process ended");
    }
    network.state.lock().unwrap().has_faults = false;
    settle(&server, &processes, Duration::from_secs(300)).await;
    let [requests, spoiled] = network.state.lock().unwrap().requests;
    let terms = leaders.lock().unwrap().terms;
    println!("{time:?}: {requests} requests, {spoiled} of them spoiled, {terms} terms of leaders");
    assert!(terms > 0 && spoiled > requests / 5, "{terms} terms, {spoiled} of {requests}");
    tasks.iter().chain([&clock]).for_each(tokio::task::JoinHandle::abort);
}

/// Sets the clock of the server to the time of the test.
async fn tick(server: Server, begin: Timestamp) {
    let start = Instant::now();
    loop {
        sleep(Duration::from_secs(1)).await;
        server
            .set_time(begin + SignedDuration::try_from(start.elapsed()).expect("less than an age"));
    }
}

//! Memory during a relist: objects that stay are neither reported as a second copy nor replaced.

use crate::script::{informer, line, list_body};
use http::{HeaderMap, StatusCode};
use kapigen_runtime::informer::{Event, Key};
use kapigen_runtime::meta_v1::PartialObjectMetadata;
use kapigen_runtime::{Informer, Input, Machine, Step, Store};
use std::sync::{Arc, Weak};
use std::time::Duration;

type Thing = PartialObjectMetadata;

const OBJECTS: usize = 300;

/// An informer with a store, and all objects that it has reported.
struct Program {
    informer: Informer<Thing>,
    store: Store<Thing>,
    reported: Vec<Weak<Thing>>,
    now: Duration,
    /// The most of these that existed at a time.
    most: usize,
}

impl Program {
    fn new() -> Self {
        let informer = informer().lists();
        Self { informer, store: Store::new(), reported: Vec::new(), now: Duration::ZERO, most: 0 }
    }

    /// Applies all events, up to a request, and feeds the head of its response.
    fn run(&mut self) {
        loop {
            match self.informer.poll(self.now) {
                Step::Event(event) => {
                    if let Event::Applied { object, .. } = &event {
                        self.reported.push(Arc::downgrade(object));
                    }
                    self.store.apply(&event);
                    drop(event);
                    self.most = self.most.max(
                        self.reported.iter().filter(|object| object.strong_count() > 0).count(),
                    );
                }
                Step::Send(_) => {
                    self.informer.feed(Input::Head(StatusCode::OK, &HeaderMap::new()), self.now);
                }
                Step::Wait { until } => self.now = until,
                Step::Receive { .. } => return,
                Step::Done => panic!("an informer never ends"),
            }
        }
    }

    /// Feeds a list of all objects, of which the first ones have another version.
    fn list(&mut self, version: usize, changed: usize) {
        let version_of = |index: usize| if index < changed { version } else { 5 };
        let items = (0..OBJECTS).map(|index| format!("ns/thing-{index}@{}", version_of(index)));
        let words: Vec<String> = std::iter::once(version.to_string()).chain(items).collect();
        let body = list_body(&words.iter().map(String::as_str).collect::<Vec<_>>());
        // Objects are taken one by one, while the bytes arrive.
        for chunk in body.as_bytes().chunks(100) {
            self.informer.feed(Input::Bytes(chunk), self.now);
            self.run();
        }
        self.informer.feed(Input::End, self.now);
        self.run();
    }

    fn objects(&self) -> Vec<Arc<Thing>> {
        let key = |index: usize| Key::new("ns", &format!("thing-{index}"));
        (0..OBJECTS).map(|index| self.store.get(&key(index)).expect("it is in the list")).collect()
    }
}

#[test]
fn a_relist_reports_no_second_copy_of_what_stays() {
    let mut program = Program::new();
    program.run();
    program.list(10, 0);
    let before = program.objects();
    assert_eq!((program.reported.len(), program.most), (OBJECTS, OBJECTS));

    program.now += Duration::from_secs(60);
    program.informer.feed(Input::Bytes(line(&["ERROR", "410"]).as_bytes()), program.now);
    program.run();
    program.list(20, 3);
    let after = program.objects();
    assert_eq!((program.reported.len(), program.most), (OBJECTS + 3, OBJECTS + 3));
    let kept =
        before.iter().zip(&after).filter(|(before, after)| Arc::ptr_eq(before, after)).count();
    assert_eq!(kept, OBJECTS - 3);
}

//! The memory of values, and of decoding them.

use crate::inputs::{self, Input};
use crate::random::Random;
use crate::report::{Cell, Table, goal, median};
use crate::subjects::{self, FLOOR, OWN, PEER};
use openshift_api::core_v1::PodList;
use openshift_api::{Items, from_reader};
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// The allocator of the system, and the bytes that it has allocated while it counts.
pub struct Counting;

/// Off while speed is measured: counting costs something for each allocation.
static COUNTS: AtomicBool = AtomicBool::new(false);
/// May be negative: something is freed that was there before.
static HELD: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

fn add(size: usize) {
    if COUNTS.load(Relaxed) {
        let held = HELD.fetch_add(size.cast_signed(), Relaxed) + size.cast_signed();
        PEAK.fetch_max(held, Relaxed);
        COUNT.fetch_add(1, Relaxed);
    }
}

fn subtract(size: usize) {
    if COUNTS.load(Relaxed) {
        HELD.fetch_sub(size.cast_signed(), Relaxed);
    }
}

// SAFETY: every call is passed on to the allocator of the system, as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        subtract(layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        subtract(layout.size());
        add(size);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The memory of some work: bytes that its result holds, the most that was held on the way, and
/// allocations.
pub struct Taken {
    pub held: usize,
    peak: usize,
    count: usize,
}

pub fn taken<T>(work: impl FnOnce() -> T) -> (T, Taken) {
    HELD.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    COUNT.store(0, Relaxed);
    COUNTS.store(true, Relaxed);
    let result = work();
    COUNTS.store(false, Relaxed);
    let bytes = |figure: &AtomicIsize| usize::try_from(figure.load(Relaxed)).unwrap_or_default();
    (result, Taken { held: bytes(&HELD), peak: bytes(&PEAK), count: COUNT.load(Relaxed) })
}

pub fn tables(quick: bool) -> Vec<Table> {
    vec![objects(quick), sizes(), large_lists(quick), growth(quick)]
}

#[allow(clippy::cast_precision_loss)] // as everywhere here: sizes are far below 2^52
fn objects(quick: bool) -> Table {
    let mut rows = Vec::new();
    for input in inputs::ALL {
        let count = input.count(quick);
        let text = input.text(count);
        let mut peer = 0.0;
        for subject in subjects::of(input).into_iter().filter(|subject| subject.name() != FLOOR) {
            let (value, taken) = taken(|| subject.read(&text));
            drop(value);
            let bytes = taken.held as f64 / count as f64;
            let allocations = taken.count as f64 / count as f64;
            if subject.name() == PEER {
                peer = bytes;
            }
            let ratio = bytes / peer;
            let is_goal = input == Input::Pods && subject.name() == OWN;
            let goal = if is_goal { goal(ratio, false, 0.35) } else { Cell::None };
            let cells = [
                Cell::Number(bytes, 0),
                Cell::Number(ratio, 2),
                goal,
                Cell::Number(allocations, 1),
            ];
            rows.push(
                [Cell::text(input.name()), Cell::text(subject.name())]
                    .into_iter()
                    .chain(cells)
                    .collect(),
            );
        }
    }
    let notes = vec![
        "Bytes on the heap that are held after reading, and allocations on the way, for each \
         object."
            .to_owned(),
    ];
    Table {
        title: "Memory of objects",
        notes,
        columns: vec!["input", "who", "bytes", "×", "goal", "allocations"],
        rows,
    }
}

#[allow(clippy::cast_precision_loss)]
fn sizes() -> Table {
    use k8s_openapi::api as theirs;
    use k8s_openapi::apimachinery::pkg::apis::meta::v1 as their_meta;
    use openshift_api::{coordination_v1, core_v1, meta_v1};
    macro_rules! size {
        ($name:literal, $own:ty, $theirs:ty) => {{
            let own = size_of::<$own>() as f64;
            let theirs = size_of::<$theirs>() as f64;
            vec![
                Cell::text($name),
                Cell::Number(own, 0),
                Cell::Number(theirs, 0),
                Cell::Number(own / theirs, 2),
            ]
        }};
    }
    let rows = vec![
        size!("Pod", core_v1::Pod, theirs::core::v1::Pod),
        size!("PodSpec", core_v1::PodSpec, theirs::core::v1::PodSpec),
        size!("PodStatus", core_v1::PodStatus, theirs::core::v1::PodStatus),
        size!("Container", core_v1::Container, theirs::core::v1::Container),
        size!("Volume", core_v1::Volume, theirs::core::v1::Volume),
        size!("ObjectMeta", meta_v1::ObjectMeta, their_meta::ObjectMeta),
        size!("Event", core_v1::Event, theirs::core::v1::Event),
        size!("Lease", coordination_v1::Lease, theirs::coordination::v1::Lease),
    ];
    let notes =
        vec!["`size_of`, in bytes: what a value takes without what it points to.".to_owned()];
    Table { title: "Sizes of types", notes, columns: vec!["type", OWN, PEER, "×"], rows }
}

/// A list of pods that is as long as one likes, without being in memory.
struct Endless {
    items: Vec<Vec<u8>>,
    next: usize,
    count: usize,
    piece: io::Cursor<Vec<u8>>,
}

impl Endless {
    fn new(bytes: usize) -> Self {
        let mut random = Random::new(1);
        let items: Vec<Vec<u8>> = (0..100)
            .map(|index| format!(",{}", Input::Pods.item(index, &mut random)).into_bytes())
            .collect();
        let average = items.iter().map(Vec::len).sum::<usize>() / items.len();
        let head = br#"{"kind":"PodList","apiVersion":"v1","metadata":{},"items":["#.to_vec();
        Self { items, next: 0, count: bytes / average, piece: io::Cursor::new(head) }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.piece.read(buffer)?;
            if length > 0 || self.next > self.count {
                return Ok(length);
            }
            let item = &self.items[self.next % self.items.len()];
            let item = if self.next == 0 { &item[1..] } else { item };
            let piece = if self.next == self.count { b"]}" } else { item };
            self.piece = io::Cursor::new(piece.to_vec());
            self.next += 1;
        }
    }
}

const MB: f64 = 1e6;

#[allow(clippy::cast_precision_loss)]
fn large_lists(quick: bool) -> Table {
    let size = if quick { 1_000_000 } else { 100_000_000 };
    let mut rows = Vec::new();
    let mut add = |how: &str, taken: &Taken, goal: fn(f64) -> Cell| {
        let held = taken.held as f64 / MB;
        let peak = taken.peak as f64 / MB;
        let ratio = peak / held;
        let ratio_cell = if held < 0.1 { Cell::None } else { Cell::Number(ratio, 2) };
        rows.push(vec![
            Cell::text(how),
            Cell::Number(held, 1),
            Cell::Number(peak, 1),
            ratio_cell,
            goal(ratio),
        ]);
    };
    let endless = Endless::new(size);
    let (list, whole) = taken(|| from_reader::<PodList>(endless).expect("it can be read"));
    let count = list.items.len();
    drop(list);
    add("all at once, with `from_reader`", &whole, |ratio| goal(ratio, false, 1.3));
    let mut endless = Endless::new(size);
    let (found, one_by_one) = taken(|| one_by_one(&mut endless));
    assert_eq!(found, count, "both find all items");
    add("one by one, with `Items`", &one_by_one, |_| Cell::None);
    let notes = vec![format!(
        "A list of {count} pods, {} MB of text, from a reader. What is held when it is read, and \
         at most on the way.",
        size / 1_000_000
    )];
    let columns = vec!["how", "held MB", "peak MB", "peak / held", "goal"];
    Table { title: "Large lists", notes, columns, rows }
}

fn one_by_one(input: &mut dyn Read) -> usize {
    let mut items = Items::<PodList>::default();
    let mut chunk = vec![0; 64 * 1024];
    let mut count = 0;
    loop {
        let length = input.read(&mut chunk).expect("it can be read");
        items.push(&chunk[..length]);
        while let Some(item) = items.next_item() {
            item.expect("it is a pod");
            count += 1;
        }
        if length == 0 {
            items.finish().expect("it is a list");
            return count;
        }
    }
}

#[allow(clippy::cast_precision_loss)]
fn growth(quick: bool) -> Table {
    let sizes =
        if quick { [10_000, 100_000, 1_000_000] } else { [1_000_000, 10_000_000, 100_000_000] };
    let rows = sizes.map(|size| {
        let mut text = Vec::new();
        Endless::new(size).read_to_end(&mut text).expect("memory takes everything");
        let subjects = subjects::of(Input::Pods);
        let speed_of = |name| {
            let subject =
                subjects.iter().find(|subject| subject.name() == name).expect("it reads pods");
            let seconds = |_| {
                let start = Instant::now();
                let list = subject.read(&text);
                let seconds = start.elapsed().as_secs_f64();
                drop(list);
                seconds
            };
            Cell::Number(
                text.len() as f64 / MB / median(&(0..3).map(seconds).collect::<Vec<_>>()),
                0,
            )
        };
        vec![Cell::Number(text.len() as f64 / MB, 2), speed_of(OWN), speed_of(PEER)]
    });
    let notes = vec![
        "Lists of pods of several sizes, in MB of text, and how many are read in a second."
            .to_owned(),
    ];
    Table { title: "Growth", notes, columns: vec!["MB", OWN, PEER], rows: rows.into() }
}

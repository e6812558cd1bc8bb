//! Shared code of both programs: a program measures its own costs, with a counting allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};

/// The allocator of the system, and the bytes that are allocated.
pub struct Counting;

static HELD: AtomicIsize = AtomicIsize::new(0);

// SAFETY: every call is passed on to the allocator of the system, as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size().cast_signed(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size().cast_signed(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        HELD.fetch_add(size.cast_signed() - layout.size().cast_signed(), Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The bytes that are allocated.
#[allow(clippy::cast_precision_loss)] // far below 2^52
pub fn held() -> f64 {
    HELD.load(Relaxed) as f64
}

/// The progress of a program.
pub struct Progress {
    /// The number of changes to receive.
    wanted: usize,
    changes: usize,
    /// Heap and processor time after the list.
    listed: Option<(isize, f64)>,
}

/// The URL of the server, and the progress of a program that ends after as many changes as its
/// second argument says.
pub fn begin() -> (String, Progress) {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(changes)) = (arguments.next(), arguments.next()) else {
        panic!("URL and changes")
    };
    (url, Progress { wanted: changes.parse().expect("a number"), changes: 0, listed: None })
}

/// The third argument: the paths of the members to keep, separated by commas. `None` for all.
pub fn members() -> Option<Vec<String>> {
    let members = std::env::args().nth(3).filter(|members| !members.is_empty())?;
    Some(members.split(',').map(str::to_owned).collect())
}

impl Progress {
    /// All objects have been received. Returns whether the program is to end.
    pub fn listed(&mut self) -> bool {
        self.listed = Some((HELD.load(Relaxed), cpu()));
        self.wanted == 0
    }

    /// An object has been received. Returns whether the program is to end.
    pub fn changed(&mut self) -> bool {
        self.changes += usize::from(self.listed.is_some());
        self.changes == self.wanted && self.listed.is_some()
    }

    /// Prints objects, changes, bytes on the heap after the list and at the end, the most memory in
    /// kB, and the processor time in seconds up to the list and up to the end.
    pub fn end(&self, objects: usize) {
        let (heap, cpu_of_list) = self.listed.expect("a list");
        let changes = self.changes;
        let end = HELD.load(Relaxed);
        let peak = status("VmHWM:");
        println!("{objects} {changes} {heap} {end} {peak} {cpu_of_list} {}", cpu());
    }
}

/// A figure of this process.
fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.split_whitespace().next().and_then(|figure| figure.parse().ok()).unwrap_or_default()
}

/// Seconds of processor time so far: `utime` and `stime`, in hundredths on Linux.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

//! Pages: all items of a list, page by page, and item by item while the bytes arrive.
//!
//! ```
//! use kapigen_runtime::params::ListParams;
//! use kapigen_runtime::scope::DynamicScope;
//! use kapigen_runtime::verbs::Listable;
//! use kapigen_runtime::{Error, Pages};
//!
//! /// All objects of a kind, in pages of 500.
//! fn all<T: Listable>(scope: DynamicScope<'_>) -> Result<Pages<T>, Error> {
//!     Ok(Pages::new(T::list(scope, &ListParams::default().limit(500))?))
//! }
//! ```
//!
//! [`Pages`] is a [`Machine`]: drive it, and take an event for each item. It requests the next page
//! by itself, and only incomplete items are in memory. `limit` is the size of a page; without it
//! there is only one.

use crate::codec::json::DecodeError;
use crate::codec::{Object, Table, Target};
use crate::controller::machine::{
    self, Decide, Driver, End, Exchange, Failure, FailureKind, Format, Holder, Input, Machine,
    Open, Page, Sending, Step,
};
use crate::mask::form::HERE;
use crate::mask::{Observed, ObservedList};
use crate::request::{Request, Template};
use http::StatusCode;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

/// Takes all items of a list, page by page. See the [module](self).
#[doc(alias = "pagination")]
pub struct Pages<T> {
    core: Core,
    item: PhantomData<fn() -> T>,
}

/// An event of [`Pages`].
#[derive(Debug)]
#[non_exhaustive]
pub enum PageEvent<T> {
    /// An item.
    Item(Box<T>),
    /// An item that cannot be decoded. Others may follow.
    Undecodable(DecodeError),
    /// The list is complete, and nothing follows. A watch that begins at this version misses
    /// nothing.
    End {
        /// The version of the list. Empty if the server stated none.
        resource_version: String,
    },
    /// It failed, and nothing follows. After a 410 the server has forgotten the list: begin again.
    Failed(Failure),
}

/// The state, for items of any type.
#[derive(Debug)]
struct Core {
    template: Template,
    list: &'static Table,
    driver: Driver<Reading, RawPageEvent>,
    /// The version of the first page.
    version: String,
    /// The number of pages that were read.
    pages: u64,
    /// The token of an earlier page: the last one with a number that is a power of two. A cycle of
    /// repeated tokens, however long, reaches it again.
    mark: String,
}

/// A page that is read.
#[derive(Debug, Default)]
struct Reading {
    page: Page,
    /// The number of its items.
    count: usize,
}

/// An event without its item, which is in the holder.
#[derive(Debug)]
enum RawPageEvent {
    Item,
    Undecodable(DecodeError),
    End(String),
    Failed(Failure),
}

impl<T: Observed> Pages<T> {
    /// All items that this request lists.
    #[must_use]
    pub fn new<L: ObservedList<Item = T>>(list: Request<L>) -> Self {
        let core = Core {
            template: list.into_template(),
            list: L::begin(HERE).decoded(HERE).table(),
            driver: Driver::new(Reading::default(), RawPageEvent::Failed),
            version: String::new(),
            pages: 0,
            mark: String::new(),
        };
        Self { core, item: PhantomData }
    }

    /// Sets how long to wait for the next bytes. The default is one minute.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.core.driver.timeout = timeout;
        self
    }
}

impl<T: Observed> Machine for Pages<T> {
    type Event = PageEvent<T>;

    fn poll(&mut self, now: Duration) -> Step<PageEvent<T>> {
        let mut memory = Memory(None);
        self.core.poll(now, &mut memory).map(|event| match event {
            RawPageEvent::Item => PageEvent::Item(memory.0.expect("it was decoded in this step")),
            RawPageEvent::Undecodable(error) => PageEvent::Undecodable(error),
            RawPageEvent::End(resource_version) => PageEvent::End { resource_version },
            RawPageEvent::Failed(failure) => PageEvent::Failed(failure),
        })
    }

    fn feed(&mut self, input: Input<'_>, now: Duration) {
        self.core.driver.feed(input, now);
    }
}

/// Where an item is decoded.
struct Memory<T>(Option<Box<T>>);

impl<T: Observed> Holder for Memory<T> {
    fn begin(&mut self) -> &mut dyn Object {
        self.0.insert(Box::new(T::begin(HERE))).decoding(HERE)
    }

    fn object(&self) -> &dyn Object {
        self.0.as_ref().expect("an item was begun").decoded(HERE)
    }
}

impl Core {
    fn poll(&mut self, now: Duration, holder: &mut dyn Holder) -> Step<RawPageEvent> {
        machine::poll(self, now, |core| core.take(holder))
    }

    fn take(&mut self, holder: &mut dyn Holder) -> Option<End> {
        let Open { query: Reading { page, count }, exchange } = self.driver.open()?;
        let item = exchange.item(page)?;
        *count += 1;
        let read = item.and_then(|item| {
            page.check(self.list)?;
            let object = holder.begin();
            let mask = self.template.mask().map(|mask| &mask.object);
            let read = item.read(Target::Object(&mut *object), mask);
            page.complete(object);
            Ok(read)
        });
        let event = match read {
            Ok(Ok(())) => RawPageEvent::Item,
            Ok(Err(error)) => RawPageEvent::Undecodable(error),
            Err(error) => return Some(Err(FailureKind::Decode(error))),
        };
        self.driver.report(event);
        Some(Ok(()))
    }

    /// Decodes the end of a page, and continues with the next one.
    fn finish_page(
        &mut self,
        exchange: &mut Exchange,
        Reading { mut page, count }: Reading,
        now: Duration,
    ) -> Result<(), DecodeError> {
        exchange.take_list().finish(Target::Object(&mut page))?;
        page.check_end(self.list)?;
        let token = page.metadata.continue_.unwrap_or_default();
        if self.version.is_empty() {
            self.version = page.metadata.resource_version.unwrap_or_default();
        }
        if token.is_empty() {
            self.driver.report(RawPageEvent::End(std::mem::take(&mut self.version)));
            return Ok(());
        }
        if count == 0 {
            let empty = "metadata.continue: a page that goes on without having an item";
            return Err(DecodeError::new(empty));
        }
        if self.template.get("continue") == Some(&*token) || token == self.mark {
            return Err(Page::repeated_token());
        }
        self.pages += 1;
        if self.pages.is_power_of_two() {
            self.mark.clone_from(&token);
        }
        // The token contains the version that is listed; servers reject the parameters beside it.
        self.template.remove(&["resourceVersion", "resourceVersionMatch"]);
        self.template.set("continue", &token);
        self.driver.wait(now, Reading::default());
        Ok(())
    }
}

impl Decide<Reading, RawPageEvent> for Core {
    fn driver(&mut self) -> &mut Driver<Reading, RawPageEvent> {
        &mut self.driver
    }

    fn open(&mut self, _: &mut Reading, now: Duration) -> Result<Sending, FailureKind> {
        Exchange::send(&self.template, Format::Items, now)
    }

    fn on_end(&mut self, open: Open<Reading>, end: End, now: Duration) {
        let Open { query, mut exchange } = open;
        match end
            .and_then(|()| self.finish_page(&mut exchange, query, now).map_err(FailureKind::Decode))
        {
            Ok(()) => {}
            Err(FailureKind::Api(error))
                if error.code == StatusCode::NOT_ACCEPTABLE && self.template.refuse_drop() =>
            {
                self.driver.wait(now, Reading::default());
            }
            Err(failure) => self.driver.fail(Some(&exchange), failure),
        }
    }
}

impl<T> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").field("core", &self.core).finish()
    }
}

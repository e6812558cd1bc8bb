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
//! by itself, and only items that are not complete are in memory. `limit` is the size of a page;
//! without it there is only one.

use crate::codec::json::DecodeError;
use crate::codec::{Object, Table, Target};
use crate::controller::machine::{
    Exchange, Failure, FailureKind, Format, Holder, Input, Machine, Page, Part, Step,
};
use crate::mask::form::HERE;
use crate::mask::{Observed, ObservedList};
use crate::request::{Request, Template};
use http::StatusCode;
use std::fmt;
use std::marker::PhantomData;
use std::mem;
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
    timeout: Duration,
    stage: Stage,
    /// The version of the first page.
    version: String,
    /// The token of the page that is open.
    token: String,
    /// The number of pages that were read.
    pages: u64,
    /// The token of an earlier page: the last one with a number that is a power of two. A cycle of
    /// repeated tokens, however long, reaches it again.
    mark: String,
}

#[derive(Debug)]
enum Stage {
    Next,
    Open { exchange: Box<Exchange>, page: Box<Page>, count: usize },
    Done,
}

/// An event without its item, which is in the holder.
enum Raw {
    Item,
    Undecodable(DecodeError),
    End(String),
    Failed(Failure),
}

impl<T: Observed> Pages<T> {
    /// All items that this request lists.
    #[must_use]
    pub fn new<L: ObservedList<Item = T>>(list: Request<L>) -> Self {
        let template = list.into_template();
        let core = Core {
            token: template.get("continue").unwrap_or_default().to_owned(),
            template,
            list: L::begin(HERE).decoded(HERE).table(),
            timeout: Duration::from_secs(60),
            stage: Stage::Next,
            version: String::new(),
            pages: 0,
            mark: String::new(),
        };
        Self { core, item: PhantomData }
    }

    /// Sets how long to wait for the next bytes. The default is one minute.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.core.timeout = timeout;
        self
    }
}

impl<T: Observed> Machine for Pages<T> {
    type Event = PageEvent<T>;

    fn poll(&mut self, now: Duration) -> Step<PageEvent<T>> {
        let mut memory = Memory(None);
        self.core.poll(now, &mut memory).map(|event| match event {
            Raw::Item => PageEvent::Item(memory.0.expect("it was decoded in this step")),
            Raw::Undecodable(error) => PageEvent::Undecodable(error),
            Raw::End(resource_version) => PageEvent::End { resource_version },
            Raw::Failed(failure) => PageEvent::Failed(failure),
        })
    }

    fn feed(&mut self, input: Input<'_>, now: Duration) {
        if let Stage::Open { exchange, .. } = &mut self.core.stage {
            exchange.feed(input, now);
        }
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
    fn poll(&mut self, now: Duration, holder: &mut dyn Holder) -> Step<Raw> {
        loop {
            match &mut self.stage {
                Stage::Next => return self.open(now),
                Stage::Open { exchange, page, count } => {
                    if let Some(item) = exchange.item(&mut **page) {
                        *count += 1;
                        let read = item.and_then(|item| {
                            page.check(self.list)?;
                            let object = holder.begin();
                            let mask = self.template.mask().map(|mask| &mask.object);
                            let read = item.read(Target::Object(&mut *object), mask);
                            page.complete(object);
                            Ok(read)
                        });
                        return match read {
                            Ok(Ok(())) => Step::Event(Raw::Item),
                            Ok(Err(error)) => Step::Event(Raw::Undecodable(error)),
                            Err(error) => self.fail(FailureKind::Decode(error)),
                        };
                    }
                    match exchange.part() {
                        Part::Pending => {
                            let until = exchange.heard.saturating_add(self.timeout);
                            if now < until {
                                return Step::Receive { until };
                            }
                            let silent = FailureKind::Silent(now.saturating_sub(exchange.heard));
                            return self.fail(silent);
                        }
                        Part::Refusal(error)
                            if error.code == StatusCode::NOT_ACCEPTABLE
                                && self.template.refuse_drop() =>
                        {
                            return self.open(now);
                        }
                        Part::Refusal(error) => return self.fail(FailureKind::Api(error)),
                        Part::Fault(error) => return self.fail(FailureKind::Decode(error)),
                        Part::Broken(cause) => return self.fail(FailureKind::Disconnected(cause)),
                        Part::Unsendable(cause) => {
                            return self.fail(FailureKind::Unsendable(cause));
                        }
                        Part::Complete => {
                            if let Some(event) = self.finish_page() {
                                return Step::Event(event);
                            }
                        }
                    }
                }
                Stage::Done => return Step::Done,
            }
        }
    }

    fn open(&mut self, now: Duration) -> Step<Raw> {
        match self.template.to_http() {
            Ok(request) => {
                let exchange = Box::new(Exchange::new(self.template.line(), Format::Items, now));
                self.stage = Stage::Open { exchange, page: Box::default(), count: 0 };
                Step::Send(request)
            }
            Err(error) => self.fail(FailureKind::Invalid(error)),
        }
    }

    /// Decodes the end of a page. Returns an event if it was the last one.
    fn finish_page(&mut self) -> Option<Raw> {
        let Stage::Open { mut exchange, mut page, count } =
            mem::replace(&mut self.stage, Stage::Done)
        else {
            return None;
        };
        let failed = |exchange: &Exchange, error| {
            Some(Raw::Failed(exchange.failed(FailureKind::Decode(error))))
        };
        let read = exchange
            .take_list()
            .finish(Target::Object(&mut *page))
            .and_then(|()| page.check_end(self.list));
        let token = page.metadata.continue_.take().unwrap_or_default();
        let version = page.metadata.resource_version.take().unwrap_or_default();
        let is_empty = count == 0;
        if let Err(error) = read {
            return failed(&exchange, error);
        }
        if self.version.is_empty() {
            self.version = version;
        }
        if token.is_empty() {
            return Some(Raw::End(mem::take(&mut self.version)));
        }
        if is_empty {
            let error =
                DecodeError::new("metadata.continue: a page that goes on without having an item");
            return failed(&exchange, error);
        }
        if token == self.token || token == self.mark {
            return failed(&exchange, Page::repeated_token());
        }
        self.pages += 1;
        if self.pages.is_power_of_two() {
            self.mark.clone_from(&token);
        }
        // The token contains the version that is listed; servers reject the parameters beside it.
        self.template.remove(&["resourceVersion", "resourceVersionMatch"]);
        self.template.set("continue", &token);
        self.token = token;
        self.stage = Stage::Next;
        None
    }

    fn fail(&mut self, kind: FailureKind) -> Step<Raw> {
        let failure = match mem::replace(&mut self.stage, Stage::Done) {
            Stage::Open { exchange, .. } => exchange.failed(kind),
            Stage::Next | Stage::Done => kind.into(),
        };
        Step::Event(Raw::Failed(failure))
    }
}

impl<T> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").field("core", &self.core).finish()
    }
}

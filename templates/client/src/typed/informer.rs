//! Informers of types of your own.

use super::dynamic::{Dynamic, DynamicList, decode};
use kapigen_runtime::informer::Event;
use kapigen_runtime::{Error, Informer, Input, Machine, Request, Step};
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

/// An [`Informer`] of a type of your own: its events are those of an informer, and a
/// [`Store`](kapigen_runtime::Store) takes them. Each object is decoded twice, first for its name and then by serde.
pub struct TypedInformer<T> {
    informer: Informer<Dynamic>,
    object: PhantomData<fn() -> T>,
}

impl<T> TypedInformer<T> {
    pub(super) fn new(list: Request<DynamicList>) -> Result<Self, Error> {
        Ok(Self { informer: Informer::new(list)?.seed(crate::programs::random()), object: PhantomData })
    }
}

impl<T: DeserializeOwned> Machine for TypedInformer<T> {
    type Event = Event<T>;

    fn poll(&mut self, now: Duration) -> Step<Event<T>> {
        self.informer.poll(now).map(|event| event.try_map(decode))
    }

    fn feed(&mut self, input: Input<'_>, now: Duration) {
        self.informer.feed(input, now);
    }
}

impl<T> fmt::Debug for TypedInformer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedInformer").field("informer", &self.informer).finish()
    }
}

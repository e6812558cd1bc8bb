//! The crate's own JSON decoder and encoder, compared with serde's: which texts are valid, their
//! values, their encoding, and their unknown members.

mod lists;
mod streams;
mod times;
mod watches;

pub use streams::sessions;

use crate::random::Random;
use openshift_api::codec::serde::deserialize_strict;
use openshift_api::codec::{UnknownMembers, Value};
use openshift_api::coordination_v1::{Lease, LeaseList};
use openshift_api::core_v1::{Endpoints, Event, Pod, PodList};
use openshift_api::image_v1::Image;
use openshift_api::meta_v1::{DeleteOptions, Status};
use openshift_api::{from_reader, from_slice, from_slice_strict, to_string, to_vec, to_writer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::io;

/// Checks a body without other information, cut by a seed where it comes in pieces. Returns whether
/// it is a value, or the difference.
pub type Check = fn(&[u8], u64) -> Result<bool, String>;

/// Types that cover every feature: the names of their schemas, and their checks.
pub const TYPES: [(&str, Check); 11] = [
    ("io.k8s.api.core.v1.Pod", object::<Pod>),
    ("io.k8s.api.core.v1.PodList", lists::check::<PodList>),
    ("io.k8s.api.core.v1.Event", object::<Event>),
    ("io.k8s.api.core.v1.Endpoints", object::<Endpoints>),
    ("io.k8s.api.coordination.v1.Lease", object::<Lease>),
    ("io.k8s.api.coordination.v1.LeaseList", lists::check::<LeaseList>),
    ("com.github.openshift.api.image.v1.Image", object::<Image>),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.Status", object::<Status>),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", object::<DeleteOptions>),
    (WATCH_EVENT, watches::check::<Pod>),
    (WATCH_EVENT, watches::check::<Lease>),
];

/// The schema of events.
pub const WATCH_EVENT: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent";

/// A difference of two ways to decode that is right.
#[derive(Clone, Copy, Debug)]
pub struct Exception {
    /// The beginning of the difference.
    pub message: &'static str,
    /// The reason for which it is right.
    pub reason: &'static str,
    /// A body that differs so, and the schema that it is decoded as.
    pub example: (&'static str, &'static str),
    excuses: fn(&[u8]) -> bool,
}

/// All of them.
pub const EXCEPTIONS: [Exception; 3] = [lists::SECOND_ITEMS, lists::SECOND_KIND, times::ZERO];

impl Exception {
    /// Whether this is the difference of this body.
    #[must_use]
    pub fn excuses(&self, text: &[u8], difference: &str) -> bool {
        difference.starts_with(self.message) && (self.excuses)(text)
    }
}

/// A body in pieces of random lengths.
#[derive(Debug)]
struct Pieces<'a> {
    text: &'a [u8],
    random: Random,
}

impl<'a> Pieces<'a> {
    fn new(text: &'a [u8], seed: u64) -> Self {
        Self { text, random: Random::new(seed) }
    }

    /// The next piece, which is empty now and then.
    fn take(&mut self, longest: usize) -> &'a [u8] {
        // Mostly large ones, so that most of the time is not spent on pushing.
        let usual = if self.random.below(4) == 0 { 8 } else { self.text.len() };
        let length = self.random.below(usual + 1).min(self.text.len()).min(longest);
        let (piece, rest) = self.text.split_at(length);
        self.text = rest;
        piece
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];
    fn next(&mut self) -> Option<&'a [u8]> {
        (!self.text.is_empty()).then(|| self.take(usize::MAX))
    }
}

impl io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // An empty read would mean the end.
        let mut piece: &[u8] = &[];
        while piece.is_empty() && !self.text.is_empty() {
            piece = self.take(buffer.len());
        }
        buffer[..piece.len()].copy_from_slice(piece);
        Ok(piece.len())
    }
}

fn object<T>(text: &[u8], seed: u64) -> Result<bool, String>
where
    T: Value + DeserializeOwned + Serialize + PartialEq + Debug,
{
    whole::<T>(text, seed).map(|value| value.is_some())
}

/// Checks all ways to decode a whole body.
fn whole<T>(text: &[u8], seed: u64) -> Result<Option<T>, String>
where
    T: Value + DeserializeOwned + Serialize + PartialEq + Debug,
{
    let own = from_slice::<T>(text);
    let come = from_reader::<T>(Pieces::new(text, seed));
    if come.as_ref().ok() != own.as_ref().ok() {
        return Err(format!("piece by piece it is read as {come:?}, and at once as {own:?}"));
    }
    // serde_json does not check the encoding of strings that it skips, so it gets no invalid one.
    let other = str::from_utf8(text).map_err(|error| error.to_string());
    let other =
        other.and_then(|text| serde_json::from_str::<T>(text).map_err(|error| error.to_string()));
    let strict = from_slice_strict::<T>(text);
    match (own, other, strict) {
        (Ok(own), Ok(other), Ok((strict, unknown))) if own == other && own == strict => {
            written(&own, &other)?;
            known::<T>(text, &unknown)?;
            Ok(Some(own))
        }
        (Err(own), Err(_), Err(strict)) if own == strict => Ok(None),
        (Ok(_), Err(error), _) => Err(format!("only serde refuses it: {error}")),
        (Err(error), Ok(_), _) => Err(format!("only serde reads it: {error}")),
        (own, other, strict) => {
            Err(format!("it is read as {own:?}\nby serde as {other:?}\nstrictly as {strict:?}"))
        }
    }
}

/// Checks that the same bytes are written, and that they decode to the same value.
fn written<T: Value + Serialize + PartialEq + Debug>(own: &T, other: &T) -> Result<(), String> {
    let text = to_vec(own);
    let through_serde = [serde_json::to_vec(other).ok(), member_by_member(other)];
    if through_serde.iter().any(|other| other.as_ref() != Some(&text)) {
        return Err(format!("it is written as {}", String::from_utf8_lossy(&text)));
    }
    let mut pieces = Vec::new();
    if to_writer(&mut pieces, own).is_err() || pieces != text || to_string(own).into_bytes() != text
    {
        return Err("it is written otherwise in pieces".to_owned());
    }
    match from_slice::<T>(&text) {
        Ok(again) if again == *own => Ok(()),
        again => {
            Err(format!("written as {} it is read as {again:?}", String::from_utf8_lossy(&text)))
        }
    }
}

/// Encodes with a formatter that the crate does not know, so that it does not encode objects as
/// JSON of its own.
fn member_by_member<T: Serialize>(value: &T) -> Option<Vec<u8>> {
    struct Unknown;
    impl serde_json::ser::Formatter for Unknown {}
    let mut text = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Unknown)).ok()?;
    Some(text)
}

fn known<T: Value>(text: &[u8], unknown: &UnknownMembers) -> Result<(), String> {
    let other = deserialize_strict::<T, _>(&mut serde_json::Deserializer::from_slice(text));
    let (_, expected) = other.map_err(|error| error.to_string())?;
    if *unknown == expected {
        Ok(())
    } else {
        Err(format!("unknown are {unknown:?}, and by serde {expected:?}"))
    }
}

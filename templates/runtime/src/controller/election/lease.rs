//! The Lease of an election: its record, of which this module handles the fields that an election
//! needs, and the requests that read and write it.

use crate::codec::json::{self, DecodeError};
use crate::codec::{Value, View};
use crate::meta_v1::{MicroTime, RawJson};
use crate::operation::{Operation, Verb};
use crate::request::{Builder, InvalidRequest, Request};
use crate::response::Error;
use jiff::{SignedDuration, Timestamp};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde_json::json;
use serde_json::value::RawValue;
use std::fmt;

/// A Lease as servers store it: the fields that an election needs, and all other members as the
/// JSON that they were, in two strings. A tree of them could be hundreds of times as large.
#[derive(Clone, PartialEq)]
pub(super) struct Record {
    /// The members of the object but the specification, without braces.
    members: Vec<u8>,
    spec: Spec,
}

#[derive(Clone, Default, PartialEq)]
struct Spec {
    holder: Option<String>,
    seconds: Option<i64>,
    acquired: Option<String>,
    renewed: Option<String>,
    transitions: Option<i64>,
    /// All other members, without braces.
    others: Vec<u8>,
}

/// A claim to lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a> {
    pub(super) holder: &'a str,
    pub(super) seconds: i64,
    pub(super) now: Timestamp,
}

impl Record {
    /// The first record of an election.
    pub(super) fn new(namespace: &str, name: &str, claim: Claim<'_>) -> Self {
        let metadata = json!({ "namespace": namespace, "name": name }).to_string();
        let mut members = Vec::new();
        add(&mut members, "apiVersion", View::Str("coordination.k8s.io/v1"));
        add(&mut members, "kind", View::Str("Lease"));
        add(&mut members, "metadata", View::Raw(&metadata));
        let mut record = Self { members, spec: Spec::default() };
        record.claim(claim);
        record.spec.transitions = Some(0);
        record
    }

    /// Decodes the record from a response body.
    pub(super) fn decode(body: &[u8]) -> Result<Self, DecodeError> {
        let body = json::from_slice::<RawJson>(body)?;
        let mut record = Self { members: Vec::new(), spec: Spec::default() };
        let mut kind = String::new();
        let mut version = String::new();
        for_each_member(body.as_str(), "", &mut |name, value| {
            match name {
                "spec" => return record.spec.decode(value),
                "kind" => kind = decode(value, "kind")?.unwrap_or_default(),
                "metadata" => version = resource_version(value)?,
                _ => {}
            }
            add(&mut record.members, name, View::Raw(value));
            Ok(())
        })?;
        if kind != "Lease" {
            return Err(DecodeError::new("kind: expected Lease"));
        }
        if version.is_empty() {
            return Err(DecodeError::new(
                "metadata.resourceVersion: a Lease without it cannot be written",
            ));
        }
        Ok(record)
    }

    /// The object to write. With its resource version, so that the server refuses it if the record
    /// has changed.
    fn to_json(&self) -> RawJson {
        let spec = &self.spec;
        let mut text = Vec::with_capacity(self.members.len() + spec.others.len() + 256);
        text.push(b'{');
        text.extend_from_slice(&self.members);
        text.extend_from_slice(b",\"spec\":{");
        let mut members = Vec::new();
        add(&mut members, "holderIdentity", spec.holder.view());
        add(&mut members, "leaseDurationSeconds", spec.seconds.view());
        add(&mut members, "acquireTime", spec.acquired.view());
        add(&mut members, "renewTime", spec.renewed.view());
        add(&mut members, "leaseTransitions", spec.transitions.view());
        text.extend_from_slice(&members);
        if !spec.others.is_empty() {
            text.push(b',');
            text.extend_from_slice(&spec.others);
        }
        text.extend_from_slice(b"}}");
        RawJson::from_valid(String::from_utf8(text).unwrap_or_default())
    }

    /// The identity of the holder. Empty if there is none.
    pub(super) fn holder(&self) -> &str {
        self.spec.holder.as_deref().unwrap_or_default()
    }

    /// The time for which the holder leads without renewing, in seconds, if it states one.
    pub(super) fn seconds(&self) -> Option<u64> {
        self.spec
            .seconds
            .and_then(|seconds| u64::try_from(seconds).ok())
            .filter(|seconds| *seconds > 0)
    }

    /// Whether the record has not been written since another one was read. Labels and the like do
    /// not count.
    pub(super) fn is_unchanged_since(&self, other: &Self) -> bool {
        self.spec == other.spec
    }

    /// Writes a claim into the record: a renewal, or the claim of a new holder.
    pub(super) fn claim(&mut self, claim: Claim<'_>) {
        let is_renewal = self.holder() == claim.holder && !claim.holder.is_empty();
        let now = self.time_other_than_last(claim.now);
        let spec = &mut self.spec;
        spec.seconds = Some(claim.seconds);
        if !is_renewal {
            spec.holder = Some(claim.holder.to_owned());
            spec.acquired = Some(now.clone());
            spec.transitions = Some(spec.transitions.unwrap_or_default().saturating_add(1));
        }
        spec.renewed = Some(now);
    }

    /// A time for the record. It differs from the last one even if the clock does not advance,
    /// since others see a renewal by nothing else.
    fn time_other_than_last(&self, now: Timestamp) -> String {
        let time = MicroTime::from(now).to_string();
        if self.spec.renewed.as_ref() != Some(&time) {
            return time;
        }
        let later = now.checked_add(SignedDuration::from_micros(1)).unwrap_or(now);
        MicroTime::from(later).to_string()
    }
}

impl Spec {
    /// Decodes a specification, replacing an earlier one.
    fn decode(&mut self, spec: &str) -> Result<(), DecodeError> {
        *self = Self::default();
        for_each_member(spec, "spec", &mut |name, value| {
            match name {
                "holderIdentity" => self.holder = decode(value, "spec.holderIdentity")?,
                "leaseDurationSeconds" => {
                    self.seconds = decode(value, "spec.leaseDurationSeconds")?;
                }
                "acquireTime" => self.acquired = decode(value, "spec.acquireTime")?,
                "renewTime" => self.renewed = decode(value, "spec.renewTime")?,
                "leaseTransitions" => self.transitions = decode(value, "spec.leaseTransitions")?,
                _ => add(&mut self.others, name, View::Raw(value)),
            }
            Ok(())
        })
    }
}

/// Shows the holder and the length of all else.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.members.len() + self.spec.others.len();
        write!(f, "Record({:?}, {length} bytes)", self.holder())
    }
}

/// The resource version in metadata, or nothing.
fn resource_version(metadata: &str) -> Result<String, DecodeError> {
    let mut version = String::new();
    for_each_member(metadata, "metadata", &mut |name, value| {
        if name == "resourceVersion" {
            version = decode(value, "metadata.resourceVersion")?.unwrap_or_default();
        }
        Ok(())
    })?;
    Ok(version)
}

/// Decodes a value. Returns `None` for `null`.
fn decode<T: Value>(value: &str, path: &str) -> Result<Option<T>, DecodeError> {
    json::from_str(value).map_err(|error| DecodeError::new(format!("{path}: {}", error.message())))
}

/// Adds a member to others, unless there is no value.
fn add(members: &mut Vec<u8>, name: &str, value: View<'_>) {
    if matches!(value, View::Absent) {
        return;
    }
    if !members.is_empty() {
        members.push(b',');
    }
    json::append(members, &View::Str(name));
    members.push(b':');
    json::append(members, &value);
}

/// Calls `visit` with the name and the JSON of each member of an object. `null` is one without
/// members.
fn for_each_member(object: &str, path: &str, visit: &mut Visit<'_>) -> Result<(), DecodeError> {
    let mut fault = None;
    let members = Members { visit, fault: &mut fault };
    let visited = serde_json::Deserializer::from_str(object).deserialize_any(members);
    match (fault, visited) {
        (Some(fault), _) => Err(fault),
        (None, Err(error)) if path.is_empty() => Err(DecodeError::new(error.to_string())),
        (None, Err(error)) => Err(DecodeError::new(format!("{path}: {error}"))),
        (None, Ok(())) => Ok(()),
    }
}

type Visit<'v> = dyn FnMut(&str, &str) -> Result<(), DecodeError> + 'v;

struct Members<'v, 'f> {
    visit: &'f mut Visit<'v>,
    /// The error with which a visit ended.
    fault: &'f mut Option<DecodeError>,
}

impl<'de> Visitor<'de> for Members<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some((name, value)) = members.next_entry::<String, &RawValue>()? {
            if let Err(fault) = (self.visit)(&name, value.get()) {
                *self.fault = Some(fault);
                return Err(de::Error::custom("a member is invalid"));
            }
        }
        Ok(())
    }
}

/// A request, or the error of an argument that is not valid in its path.
type Built = Result<Box<http::Request<Vec<u8>>>, InvalidRequest>;

const OBJECT: &str = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}";
const OBJECTS: &str = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases";
const JSON: &[&str] = &["application/json"];

static READ: Operation = lease(Operation::new(Verb::Get, "readLease", "GET", OBJECT));
static CREATE: Operation =
    lease(Operation::new(Verb::Create, "createLease", "POST", OBJECTS)).media_types(JSON);
static REPLACE: Operation =
    lease(Operation::new(Verb::Replace, "replaceLease", "PUT", OBJECT)).media_types(JSON);

const fn lease(operation: Operation) -> Operation {
    operation.resource("coordination.k8s.io", "v1", "leases").kind("Lease")
}

pub(super) fn read(namespace: &str, name: &str) -> Built {
    finish(Builder::new(&READ, &[namespace, name]))
}

pub(super) fn create(namespace: &str, record: &Record) -> Built {
    finish(Builder::new(&CREATE, &[namespace]).body(&record.to_json()))
}

pub(super) fn replace(namespace: &str, name: &str, record: &Record) -> Built {
    finish(Builder::new(&REPLACE, &[namespace, name]).body(&record.to_json()))
}

fn finish(builder: Builder) -> Built {
    match builder.finish() {
        Ok(request) => Ok(Box::new(Request::<RawJson>::into_http(request))),
        Err(Error::Invalid(error)) => Err(error),
        Err(error) => Err(InvalidRequest::Parameters(error.to_string())),
    }
}

/// A number that differs between candidates, so that they do not send requests at the same moments.
pub(super) fn seed(identity: &str) -> u64 {
    identity.bytes().fold(0, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)))
}

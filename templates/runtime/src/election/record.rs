//! The record of an election: a Lease, of which this module handles the fields that an election needs.

use crate::codec::json::DecodeError;
use crate::meta_v1::MicroTime;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

/// A Lease as a server has it. Members that an election does not need stay as they are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    object: Value,
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
        let metadata = json!({ "namespace": namespace, "name": name });
        let object = json!({ "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": metadata });
        let mut record = Self { object };
        record.claim(claim);
        record.spec_mut().insert("leaseTransitions".to_owned(), json!(0));
        record
    }

    /// Decodes the record from a response body.
    pub(super) fn decode(body: &[u8]) -> Result<Self, DecodeError> {
        let object: Value = serde_json::from_slice(body).map_err(|error| DecodeError::new(error.to_string()))?;
        if object["kind"] != "Lease" {
            return Err(DecodeError::new("kind: expected Lease"));
        }
        if object["metadata"]["resourceVersion"].as_str().is_none_or(str::is_empty) {
            return Err(DecodeError::new("metadata.resourceVersion: a Lease without it cannot be written"));
        }
        Ok(Self { object })
    }

    /// The object to write. With its resource version, so that the server refuses it if the record has changed.
    pub(super) fn object(&self) -> &Value {
        &self.object
    }

    /// The identity of the holder. Empty if there is none.
    pub(super) fn holder(&self) -> &str {
        self.object["spec"]["holderIdentity"].as_str().unwrap_or_default()
    }

    /// The time for which the holder leads without renewing, in seconds, if it states one.
    pub(super) fn seconds(&self) -> Option<u64> {
        self.object["spec"]["leaseDurationSeconds"].as_u64().filter(|seconds| *seconds > 0)
    }

    /// Whether the record has not been written since another one was read. Labels and the like do not count.
    pub(super) fn is_unchanged_since(&self, other: &Self) -> bool {
        self.object["spec"] == other.object["spec"]
    }

    /// Writes a claim into the record: a renewal, or that of a new holder.
    pub(super) fn claim(&mut self, claim: Claim<'_>) {
        let is_renewal = self.holder() == claim.holder && !claim.holder.is_empty();
        let now = self.time_other_than_last(claim.now);
        let spec = self.spec_mut();
        spec.insert("leaseDurationSeconds".to_owned(), json!(claim.seconds));
        spec.insert("renewTime".to_owned(), json!(now));
        if !is_renewal {
            let transitions = spec.get("leaseTransitions").and_then(Value::as_i64).unwrap_or_default();
            spec.insert("holderIdentity".to_owned(), json!(claim.holder));
            spec.insert("acquireTime".to_owned(), json!(now));
            spec.insert("leaseTransitions".to_owned(), json!(transitions.saturating_add(1)));
        }
    }

    /// A time for the record. It differs from the last one even if the clock stands still, since others see a renewal
    /// by nothing else.
    fn time_other_than_last(&self, now: Timestamp) -> String {
        let time = MicroTime::from(now).to_string();
        if self.object["spec"]["renewTime"] != time.as_str() {
            return time;
        }
        let later = now.checked_add(SignedDuration::from_micros(1)).unwrap_or(now);
        MicroTime::from(later).to_string()
    }

    fn spec_mut(&mut self) -> &mut Map<String, Value> {
        let spec = &mut self.object["spec"];
        if !spec.is_object() {
            *spec = json!({});
        }
        spec.as_object_mut().expect("it was made an object")
    }
}

//! The requests of an election.

use super::record::Record;
use crate::meta_v1::RawJson;
use crate::operation::{Operation, Verb};
use crate::request::{Builder, InvalidRequest, Request};
use crate::response::Error;

/// A request, or the error of an argument that is not valid in its path.
pub(super) type Built = Result<Box<http::Request<Vec<u8>>>, InvalidRequest>;

const OBJECT: &str = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}";
const OBJECTS: &str = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases";
const JSON: &[&str] = &["application/json"];

static READ: Operation = lease(Operation::new(Verb::Get, "readLease", "GET", OBJECT));
static CREATE: Operation = lease(Operation::new(Verb::Create, "createLease", "POST", OBJECTS)).media_types(JSON);
static REPLACE: Operation = lease(Operation::new(Verb::Replace, "replaceLease", "PUT", OBJECT)).media_types(JSON);

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

/// A number that differs for candidates, so that they do not ask at the same moments.
pub(super) fn seed(identity: &str) -> u64 {
    identity.bytes().fold(0, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)))
}

//! The end of a process, as a `Status`.

use crate::encode::encode;
use kapigen_runtime::streams::Protocol;
use serde_json::{Value, json};

/// The status of a process that ended with a code, or that does not run and why.
pub(super) fn ended(protocol: Protocol, end: Result<i32, String>, what: &str) -> Vec<u8> {
    match end {
        Ok(0) => status(protocol, json!({"status": "Success"})),
        Ok(code) => {
            let why = match protocol {
                Protocol::V5 => "command terminated with exit code",
                Protocol::V4 => "exit status",
            };
            let message = format!("command terminated with non-zero exit code: {why} {code}");
            let causes = json!([{"reason": "ExitCode", "message": code.to_string()}]);
            let members = json!({
                "status": "Failure", "message": message, "reason": "NonZeroExitCode",
                "details": {"causes": causes},
            });
            status(protocol, members)
        }
        Err(why) => {
            // In v5 the server passes on the error of the node as one of its own.
            let outer = match protocol {
                Protocol::V5 => "Internal error occurred: ",
                Protocol::V4 => "",
            };
            internal(protocol, &format!("{outer}{what}: {why}"))
        }
    }
}

/// The status of a process of which the client wants nothing.
pub(super) fn without_streams(protocol: Protocol) -> Vec<u8> {
    let why = "you must specify at least 1 of stdin, stdout, stderr";
    internal(protocol, &format!("unable to upgrade connection: {why}"))
}

fn internal(protocol: Protocol, why: &str) -> Vec<u8> {
    let members = json!({
        "status": "Failure", "message": format!("Internal error occurred: {why}"),
        "reason": "InternalError", "details": {"causes": [{"message": why}]}, "code": 500,
    });
    status(protocol, members)
}

/// In v4 it has no metadata.
fn status(protocol: Protocol, members: Value) -> Vec<u8> {
    let mut status = if protocol == Protocol::V5 { json!({"metadata": {}}) } else { json!({}) };
    if let (Value::Object(status), Value::Object(mut members)) = (&mut status, members) {
        status.append(&mut members);
    }
    encode(&status)
}

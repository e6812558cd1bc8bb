//! Times that are none.

use super::Exception;
use openshift_api::meta_v1::{MicroTime, Time};
use openshift_api::{from_str, to_vec};
use serde_json::Value;

pub(super) const ZERO: Exception = Exception {
    message: "written as ",
    reason: "the zero time is written as `null`, as by servers, and then an optional one is absent",
    example: (
        r#"{"metadata":{"creationTimestamp":"0001-01-01T00:00:00Z"}}"#,
        "io.k8s.api.core.v1.Pod",
    ),
    excuses: |text| serde_json::from_slice(text).is_ok_and(|value| has_zero(&value)),
};

fn has_zero(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.values().any(has_zero),
        Value::Array(elements) => elements.iter().any(has_zero),
        Value::String(_) => {
            let text = value.to_string();
            from_str::<Time>(&text).is_ok_and(|time| to_vec(&time) == b"null")
                || from_str::<MicroTime>(&text).is_ok_and(|time| to_vec(&time) == b"null")
        }
        _ => false,
    }
}

//! Requests for an operation, from a namespace and a name. Nothing is generic, so that it is compiled once.

use crate::invalid::InvalidRequest;
use crate::operation::Operation;
use crate::request::Builder;

/// Begins a request for one object.
pub(super) fn object(operation: &'static Operation, namespace: Option<&str>, name: &str) -> Builder {
    begin(operation, namespace, Some(name))
}

/// Begins a request for the objects of a namespace, or of the cluster: an object is created there.
pub(super) fn objects(operation: &'static Operation, namespace: Option<&str>) -> Builder {
    begin(operation, namespace, None)
}

/// Begins a request for the objects of a namespace, of the cluster or, by the second operation, of all namespaces.
pub(super) fn collection(
    operation: &'static Operation,
    all: Option<&'static Operation>,
    namespace: Option<&str>,
) -> Builder {
    let all = all.filter(|_| namespace.is_none());
    begin(all.unwrap_or(operation), namespace, None)
}

fn begin(operation: &'static Operation, namespace: Option<&str>, name: Option<&str>) -> Builder {
    let refuse = |namespace: &str, why| {
        let value = namespace.to_owned();
        Builder::refused(operation, InvalidRequest::Argument { name: "namespace", value, why })
    };
    let has_namespace = operation.path.split('/').any(|segment| segment == "{namespace}");
    match (has_namespace, namespace) {
        (true, None) => refuse("", "this operation needs one"),
        (false, Some(namespace)) => refuse(namespace, "the kind is cluster-scoped"),
        (true, Some(namespace)) => match name {
            Some(name) => Builder::new(operation, &[namespace, name]),
            None => Builder::new(operation, &[namespace]),
        },
        (false, None) => Builder::new(operation, name.as_slice()),
    }
}

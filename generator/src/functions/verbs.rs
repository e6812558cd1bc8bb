//! The traits of verbs that a kind implements: its resource has exactly one operation for each.

use super::{Function, RequestBody, ResourceEndpoints, ResponseKind};
use crate::model::{Api, GroupVersion, Operation, Role, Scope, Type, TypeId, Verb};

/// Subresources, and their marker traits.
const MARKERS: [(&str, &str); 7] = [
    ("attach", "HasAttach"),
    ("ephemeralcontainers", "HasEphemeralContainers"),
    ("eviction", "HasEviction"),
    ("exec", "HasExec"),
    ("log", "HasLog"),
    ("portforward", "HasPortForward"),
    ("resize", "HasResize"),
];

/// The operations of the traits that a kind implements.
#[derive(Clone, Debug, PartialEq)]
pub struct KindVerbs<'a> {
    /// The type of the kind.
    pub kind: TypeId,
    /// The operations on one object and on one collection, by the verb of the trait.
    pub operations: Vec<(Verb, &'a Operation)>,
    /// The list.
    pub list: Option<ListVerb<'a>>,
    /// The operations on the status: get, replace and patch.
    pub status: Option<[&'a Operation; 3]>,
    /// The marker traits of its other subresources.
    pub markers: Vec<&'static str>,
}

/// The operations that list a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct ListVerb<'a> {
    /// The type of the list.
    pub list: TypeId,
    /// The operation for one namespace, or for the cluster.
    pub operation: &'a Operation,
    /// The operation for all namespaces.
    pub all_namespaces: Option<&'a Operation>,
    /// Whether they can be watched.
    pub watch: bool,
}

/// The traits that the kind of a resource implements, if it is a kind of the emitted crate.
pub(super) fn of<'a>(
    api: &Api,
    group_version: &GroupVersion,
    plural: &str,
    endpoints: &ResourceEndpoints<'a>,
) -> Option<KindVerbs<'a>> {
    let functions = Functions { functions: &endpoints.functions, namespaced: false };
    let id = functions.served()?;
    let kind =
        api.get(id)?.kind.as_ref().filter(|kind| kind.identity.group_version == *group_version)?;
    let functions = match &kind.role {
        Role::Resource { plural: own, namespaced } if own == plural => {
            Functions { namespaced: *namespaced, ..functions }
        }
        _ => return None,
    };
    let get = functions.object(Verb::Get, None, id);
    let list = functions.list(api, id);
    // An object that can be created but not read is a review: its result is in the response.
    let create = functions.create(id).filter(|_| get.is_some() || list.is_some());
    let found = [
        (Verb::Get, get),
        (Verb::Create, create),
        (Verb::Replace, functions.object(Verb::Replace, None, id)),
        (Verb::Patch, functions.object(Verb::Patch, None, id)),
        (Verb::Delete, functions.object(Verb::Delete, None, id)),
        (
            Verb::DeleteCollection,
            list.as_ref().and_then(|list| functions.delete_collection(&list.list)),
        ),
    ];
    let operations =
        found.into_iter().filter_map(|(verb, operation)| Some((verb, operation?))).collect();
    let status = functions.view("status", id);
    let markers = functions.markers(id);
    Some(KindVerbs { kind: id.clone(), operations, list, status, markers })
}

/// The functions of a resource, and whether its objects live in namespaces.
#[derive(Clone, Copy)]
struct Functions<'f, 'a> {
    functions: &'f [Function<'a>],
    namespaced: bool,
}

impl<'f, 'a> Functions<'f, 'a> {
    /// The kind that the resource serves: its operations without a subresource return or watch it.
    fn served(self) -> Option<&'f TypeId> {
        let mut own =
            self.functions.iter().filter(|function| function.operation.subresource.is_none());
        own.find_map(|function| match (&function.response, function.operation.verb) {
            (ResponseKind::Watch(id), _)
            | (ResponseKind::Object(id), Verb::Get | Verb::Create | Verb::Replace) => Some(id),
            _ => None,
        })
    }

    /// An operation on one object that returns it, or deletes it.
    fn object(self, verb: Verb, subresource: Option<&str>, id: &TypeId) -> Option<&'a Operation> {
        let returns = if verb == Verb::Delete {
            ResponseKind::Deleted(id.clone())
        } else {
            ResponseKind::Object(id.clone())
        };
        let path: &[&str] = if self.namespaced { &["namespace", "name"] } else { &["name"] };
        self.only(self.scope(), path, |function| {
            let operation = function.operation;
            let body_fits = match (verb, function.body) {
                (Verb::Replace, RequestBody::Object(Type::Named(body))) => body == id,
                (Verb::Patch, body) => body == RequestBody::Patch,
                (Verb::Delete, body) => body == RequestBody::None || body == RequestBody::Options,
                (_, body) => body == RequestBody::None,
            };
            operation.verb == verb
                && operation.subresource.as_deref() == subresource
                && function.response == returns
                && body_fits
        })
    }

    /// The operations on a subresource that is a view of the whole object: get, replace and patch.
    fn view(self, subresource: &str, id: &TypeId) -> Option<[&'a Operation; 3]> {
        let verbs = [Verb::Get, Verb::Replace, Verb::Patch];
        let [get, replace, patch] = verbs.map(|verb| self.object(verb, Some(subresource), id));
        Some([get?, replace?, patch?])
    }

    /// The marker traits of subresources that have the operations which clients use.
    fn markers(self, id: &TypeId) -> Vec<&'static str> {
        let served = MARKERS.iter().filter(|(subresource, _)| self.is_usable(subresource, id));
        served.map(|(_, marker)| *marker).collect()
    }

    /// Whether a subresource has the operations that clients use.
    fn is_usable(self, subresource: &str, id: &TypeId) -> bool {
        match subresource {
            "ephemeralcontainers" | "resize" => self.view(subresource, id).is_some(),
            "eviction" => self.has(subresource, Verb::Create, |function| {
                matches!(function.body, RequestBody::Object(_))
            }),
            "log" => {
                self.has(subresource, Verb::Get, |function| function.response == ResponseKind::Text)
            }
            // By a WebSocket.
            _ => {
                self.has(subresource, Verb::Connect, |function| function.operation.method == "GET")
            }
        }
    }

    /// Whether one object of the kind has a subresource with such an operation.
    fn has(self, subresource: &str, verb: Verb, is_meant: impl Fn(&Function<'a>) -> bool) -> bool {
        self.functions.iter().any(|function| {
            let operation = function.operation;
            operation.subresource.as_deref() == Some(subresource)
                && operation.below.is_none()
                && operation.scope == self.scope()
                && operation.verb == verb
                && is_meant(function)
        })
    }

    fn create(self, id: &TypeId) -> Option<&'a Operation> {
        let object = Type::Named(id.clone());
        self.collection(self.scope(), |function| {
            function.operation.verb == Verb::Create
                && function.body == RequestBody::Object(&object)
                && function.response == ResponseKind::Object(id.clone())
        })
    }

    fn delete_collection(self, list: &TypeId) -> Option<&'a Operation> {
        let returns = ResponseKind::DeletedCollection(list.clone());
        self.collection(self.scope(), |function| function.response == returns)
    }

    fn list(self, api: &Api, id: &TypeId) -> Option<ListVerb<'a>> {
        let mut lists = self.functions.iter().filter_map(|function| match &function.response {
            ResponseKind::Object(list) if function.operation.verb == Verb::List => Some(list),
            _ => None,
        });
        let list = lists.find(|list| api.list_item(list) == Some(id))?;
        let returns = ResponseKind::Object(list.clone());
        let [operation, all_namespaces] = [self.scope(), Scope::AllNamespaces].map(|scope| {
            self.collection(scope, |function| {
                function.operation.verb == Verb::List && function.response == returns
            })
        });
        let operation = operation?;
        let watch = [Some(operation), all_namespaces].into_iter().flatten().all(|operation| {
            self.functions.iter().any(|f| f.watch && f.operation.path == operation.path)
        });
        Some(ListVerb { list: list.clone(), operation, all_namespaces, watch })
    }

    /// An operation on a collection, without a subresource.
    fn collection(
        self,
        scope: Scope,
        is_meant: impl Fn(&Function<'a>) -> bool,
    ) -> Option<&'a Operation> {
        let path: &[&str] = if scope == Scope::Namespace { &["namespace"] } else { &[] };
        self.only(scope, path, |function| {
            function.operation.subresource.is_none() && is_meant(function)
        })
    }

    fn scope(self) -> Scope {
        if self.namespaced { Scope::Namespace } else { Scope::Cluster }
    }

    /// The operation that `is_meant` accepts and that takes only the arguments of a trait. `None`:
    /// there is none, or more than one.
    fn only(
        self,
        scope: Scope,
        path: &[&str],
        is_meant: impl Fn(&Function<'a>) -> bool,
    ) -> Option<&'a Operation> {
        let mut meant = self.functions.iter().filter(|function| {
            let params = &function.operation.path_params;
            !function.legacy
                && !function.watch
                && function.operation.scope == scope
                && params.iter().map(|param| param.wire.as_str()).eq(path.iter().copied())
                && function.operation.query_params.iter().all(|param| !param.required)
                && is_meant(function)
        });
        meant.next().filter(|_| meant.next().is_none()).map(|function| function.operation)
    }
}

//! Objects, lists and events in the form that the client accepts.

use crate::discovery::Listing;
use crate::encode::encode;
use crate::failure::Failure;
use crate::object::Tree;
use crate::registry::Resource;
use crate::request::Incoming;
use crate::store::Stored;
use crate::tables::{self, Include, partial};
use crate::verbs::Event;
use bytes::Bytes;
use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::route::{Accept, Form, MediaType};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::Arc;

/// The format of a response.
#[derive(Clone, Debug)]
pub(crate) struct Rendering {
    accept: Accept,
    /// The part of an object that a row of a table holds.
    include: Include,
    pretty: bool,
    /// Whether a table has stated its columns.
    has_columns: bool,
}

impl Rendering {
    pub(crate) fn new(accept: Accept, include: Include, pretty: bool) -> Self {
        Self { accept, include, pretty: pretty || accept.pretty, has_columns: false }
    }

    pub(crate) fn content_type(&self) -> &'static str {
        self.accept.media_type.as_str()
    }

    /// One object.
    pub(crate) fn object(
        &mut self,
        resource: &Resource,
        object: &Value,
        now: Timestamp,
    ) -> Vec<u8> {
        if self.accept.form == Form::Object && !is_sorted(resource, object) {
            return self.bytes(object);
        }
        let tree = self.tree(resource, object, now);
        self.bytes(&tree)
    }

    fn tree(&mut self, resource: &Resource, object: &Value, now: Timestamp) -> Value {
        let kind = object.text("kind");
        match self.accept.form {
            Form::Table if object["kind"] != "Status" => {
                let metadata = json!({"resourceVersion": object["metadata"]["resourceVersion"]});
                self.table(resource, &[object], &metadata, now, kind)
            }
            Form::Metadata | Form::MetadataList if object["kind"] != "Status" => {
                partial(object, self.accept.form_version)
            }
            _ => in_order(resource, object).into_owned(),
        }
    }

    /// One object as it is stored, which most clients request.
    pub(crate) fn stored(&mut self, resource: &Resource, object: &Stored, now: Timestamp) -> Bytes {
        if self.is_plain() {
            json(resource, object)
        } else {
            self.object(resource, &tree(resource, object), now).into()
        }
    }

    /// One object as a write has left it. If it was stored, it need not be encoded again.
    pub(crate) fn written(
        &mut self,
        resource: &Resource,
        object: &Value,
        stored: Option<&Stored>,
        now: Timestamp,
    ) -> Bytes {
        match stored.filter(|_| self.is_plain()) {
            Some(stored) => json(resource, stored),
            None => self.object(resource, object, now).into(),
        }
    }

    /// Refuses a list in the form of one object, and the other way round.
    pub(crate) fn check_form(&self, resource: &Resource, is_list: bool) -> Result<(), Failure> {
        let wanted = match (self.accept.form, is_list) {
            (Form::Metadata, true) => "PartialObjectMetadata",
            (Form::MetadataList, false) => "PartialObjectMetadataList",
            _ => return Ok(()),
        };
        let is_custom = resource.custom.is_some();
        if is_custom && !is_list {
            return Err(Failure::internal("content is not a list"));
        }
        let is = if is_list { "is a list" } else { "is not a list" };
        let kind = if is_custom {
            "unstructured.Unstructured"
        } else {
            &*format!("{}.{}", resource.package(), resource.kind)
        };
        let list = if is_list { "List" } else { "" };
        let message =
            format!("you requested {wanted}, but the requested object {is} (*{kind}{list})");
        Err(Failure::new(406, message))
    }

    /// Whether objects are written as they are stored.
    fn is_plain(&self) -> bool {
        self.accept.form == Form::Object
            && self.accept.media_type == MediaType::Json
            && !self.pretty
    }

    /// A list.
    pub(crate) fn list(
        &mut self,
        resource: &Resource,
        items: &[Arc<Stored>],
        metadata: &Value,
        now: Timestamp,
    ) -> Vec<u8> {
        if self.is_plain() {
            return plain_list(resource, items, metadata);
        }
        let items: Vec<_> = items.iter().map(|item| tree(resource, item)).collect();
        let version = self.accept.form_version;
        let tree = match self.accept.form {
            Form::Table => {
                let items: Vec<_> = items.iter().collect();
                self.table(resource, &items, &without_empty(metadata), now, &resource.kind)
            }
            Form::Metadata | Form::MetadataList => json!({
                "kind": "PartialObjectMetadataList",
                "apiVersion": version,
                "metadata": without_empty(metadata),
                // Go writes an empty slice that was never made as `null`.
                "items": if items.is_empty() { Value::Null } else { items.iter().map(|item| partial(item, version)).collect() },
            }),
            _ => {
                let mut list = json!({
                    "kind": list_kind(resource),
                    "apiVersion": resource.api_version(),
                    "metadata": metadata,
                    "items": items.into_iter().map(|item| in_list(resource, item)).collect::<Vec<_>>(),
                });
                if resource.custom.is_some() {
                    list.sort_all_objects();
                }
                list
            }
        };
        self.bytes(&tree)
    }

    /// An event of a watch, on a line of its own.
    pub(crate) fn event(&mut self, resource: &Resource, event: &Event, now: Timestamp) -> Vec<u8> {
        match event {
            Event::Stored(kind, object) if self.accept.form == Form::Object => [
                br#"{"type":""#,
                kind.as_bytes(),
                br#"","object":"#,
                json(resource, object).as_ref(),
                b"}\n",
            ]
            .concat(),
            Event::Stored(kind, object) => {
                self.tree_event(resource, kind, &tree(resource, object), now)
            }
            Event::Tree(kind, object) => self.tree_event(resource, kind, object, now),
        }
    }

    fn tree_event(
        &mut self,
        resource: &Resource,
        kind: &str,
        object: &Value,
        now: Timestamp,
    ) -> Vec<u8> {
        let object =
            if kind == "ERROR" { object.clone() } else { self.tree(resource, object, now) };
        let mut line = encode(&json!({"type": kind, "object": object}));
        line.push(b'\n');
        line
    }

    /// Any tree.
    pub(crate) fn bytes(&self, tree: &Value) -> Vec<u8> {
        match self.accept.media_type {
            // Servers make YAML from maps and sort their keys.
            MediaType::Yaml => {
                let mut tree = tree.clone();
                tree.sort_all_objects();
                kapigen_yaml::write(&tree).into_bytes()
            }
            _ if self.pretty => serde_json::to_vec_pretty(tree).unwrap_or_default(),
            _ => encode(tree),
        }
    }

    fn table(
        &mut self,
        resource: &Resource,
        items: &[&Value],
        metadata: &Value,
        now: Timestamp,
        kind: &str,
    ) -> Value {
        let columns = tables::columns(resource, kind);
        let definitions =
            if self.has_columns { Value::Null } else { tables::definitions(&columns) };
        self.has_columns = true;
        let version = self.accept.form_version;
        let rows = items.iter().map(|item| {
            // Partial metadata is a built-in type.
            let item = if self.include == Include::Object {
                in_order(resource, item)
            } else {
                Cow::Borrowed(*item)
            };
            tables::row(&columns, &item, now, self.include, version)
        });
        let rows: Vec<_> = rows.collect();
        json!({
            "kind": "Table", "apiVersion": version, "metadata": metadata,
            "columnDefinitions": definitions, "rows": rows,
        })
    }
}

/// A list of objects as they are stored, put together without parsing them.
fn plain_list(resource: &Resource, items: &[Arc<Stored>], metadata: &Value) -> Vec<u8> {
    let [kind, version] = [&*list_kind(resource), resource.api_version()].map(|text| json!(text));
    let is_custom = resource.custom.is_some();
    let [head, tail] = if is_custom {
        let mut metadata = metadata.clone();
        metadata.sort_all_objects();
        [
            format!(r#"{{"apiVersion":{version},"items":["#),
            format!(r#"],"kind":{kind},"metadata":{metadata}}}"#),
        ]
    } else {
        [
            format!(r#"{{"kind":{kind},"apiVersion":{version},"metadata":{metadata},"items":["#),
            "]}".to_owned(),
        ]
    };
    let size: usize = items.iter().map(|item| item.json().len() + 1).sum();
    let mut bytes = Vec::with_capacity(head.len() + size + tail.len());
    bytes.extend_from_slice(head.as_bytes());
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            bytes.push(b',');
        }
        match item.json().strip_prefix(resource.head().as_bytes()) {
            _ if is_custom => bytes.extend_from_slice(&json(resource, item)),
            Some(rest) => {
                bytes.push(b'{');
                bytes.extend_from_slice(rest);
            }
            None => bytes.extend_from_slice(&encode(&in_list(resource, tree(resource, item)))),
        }
    }
    bytes.extend_from_slice(tail.as_bytes());
    bytes
}

/// Whether the members of an object are sorted. Servers hold custom resources as maps; built-in
/// kinds are structs, which declare their members in an order. Stored objects are sorted already.
fn is_sorted(resource: &Resource, object: &Value) -> bool {
    resource.custom.is_some() && object["kind"] == *resource.kind
}

/// An object with its members in the order in which servers encode them.
fn in_order<'a>(resource: &Resource, object: &'a Value) -> Cow<'a, Value> {
    if !is_sorted(resource, object) {
        return Cow::Borrowed(object);
    }
    let mut object = object.clone();
    object.sort_all_objects();
    Cow::Owned(object)
}

/// Metadata of a list without an empty token.
fn without_empty(metadata: &Value) -> Value {
    let mut metadata = metadata.clone();
    if let Value::Object(members) = &mut metadata {
        members.retain(|_, value| value != "");
    }
    metadata
}

/// A stored object in the version of the resource.
fn tree(resource: &Resource, object: &Stored) -> Value {
    let mut tree = object.tree();
    resource.convert(&mut tree);
    tree
}

/// A stored object in the version of the resource, as JSON.
fn json(resource: &Resource, object: &Stored) -> Bytes {
    if resource.serves(object.json()) {
        object.json().clone()
    } else {
        encode(&tree(resource, object)).into()
    }
}

/// The kind of a list.
fn list_kind(resource: &Resource) -> String {
    let custom = resource.custom.as_ref().map(|custom| custom.list_kind.clone());
    custom.unwrap_or_else(|| format!("{}List", resource.kind))
}

/// Items of built-in kinds do not state their kind.
fn in_list(resource: &Resource, mut item: Value) -> Value {
    if let Value::Object(members) = &mut item
        && resource.custom.is_none()
    {
        members.shift_remove("kind");
        members.shift_remove("apiVersion");
    }
    item
}

/// The form of responses that do not depend on what the client accepts.
pub(super) fn plain(request: &Incoming<'_>) -> Rendering {
    Rendering::new(Accept::plain(MediaType::Json), Include::Metadata, request.is_set("pretty"))
}

/// The form of errors: the media type that the client accepts, if there is one.
pub(super) fn of_errors(request: &Incoming<'_>) -> Rendering {
    let accept = Accept::negotiate(request.headers, &[MediaType::Json, MediaType::Yaml]);
    let media_type = accept.map_or(MediaType::Json, |accept| accept.media_type);
    Rendering::new(Accept::plain(media_type), Include::Metadata, request.is_set("pretty"))
}

/// The form of the response that the client accepts.
pub(super) fn rendering(request: &Incoming<'_>, is_watch: bool) -> Result<Rendering, Failure> {
    // Nothing separates the events of a stream in YAML.
    let offered: &[_] =
        if is_watch { &[MediaType::Json] } else { &[MediaType::Json, MediaType::Yaml] };
    let accept = Accept::negotiate(request.headers, offered)
        .ok_or_else(|| not_acceptable(request, is_watch))?;
    let include = match request.get("includeObject") {
        "None" => Include::Nothing,
        "" | "Metadata" => Include::Metadata,
        "Object" => Include::Object,
        other if accept.form == Form::Table => {
            let why = format!(
                "includeObject: Invalid value: \"{other}\": must be 'Metadata', 'Object', 'None', \
                 or empty"
            );
            return Err(Failure::bad_request(format!(
                "Unable to convert to Table as requested: {why}"
            )));
        }
        _ => Include::Metadata,
    };
    Ok(Rendering::new(accept, include, request.is_set("pretty")))
}

/// The form of groups and resources. They have neither tables nor a metadata-only form.
pub(super) fn of_listing(request: &Incoming<'_>, listing: Listing) -> Result<Rendering, Failure> {
    let mut headers = HeaderMap::new();
    for value in request.headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()) {
        let plain: Vec<_> = value.split(',').filter(|clause| !clause.contains("as=")).collect();
        // An empty header would accept everything.
        let plain = if plain.is_empty() { NOTHING.to_owned() } else { plain.join(",") };
        headers.append(
            ACCEPT,
            HeaderValue::from_str(&plain).unwrap_or(HeaderValue::from_static(NOTHING)),
        );
    }
    match Accept::negotiate(&headers, &[MediaType::Json, MediaType::Yaml]) {
        Some(accept) => Ok(Rendering::new(accept, Include::Metadata, request.is_set("pretty"))),
        None => Err(match listing {
            Listing::Routed => not_acceptable(request, false),
            Listing::Handled => only(OFFERED),
        }),
    }
}

/// A media type that matches nothing.
const NOTHING: &str = "none/none";
/// The media types of servers.
const OFFERED: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/// 406 of a handler.
fn only(offered: &str) -> Failure {
    Failure::new(406, format!("only the following media types are accepted: {offered}"))
}

fn not_acceptable(request: &Incoming<'_>, is_watch: bool) -> Failure {
    const STREAMS: &str =
        "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
    let stated =
        request.headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_known =
        ["application/json", "application/yaml"].iter().any(|known| stated.contains(known));
    if is_known {
        return only(if is_watch { STREAMS } else { OFFERED });
    }
    let message = format!("406: Not Acceptable\n\nAvailable representations: {OFFERED}");
    Failure::new(406, message).with_details(json!({}))
}

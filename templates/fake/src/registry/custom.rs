//! Resources of custom resource definitions.

use super::Resource;
use super::document::Document;
use crate::schema::Subschema;
use kapigen_definitions::{
    Cause, Conversion, Definition, Document as Published, Incomplete, Version, refusals_of_names,
};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// The settings of a custom resource beyond its document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Custom {
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) list_kind: String,
    pub(crate) columns: Vec<Column>,
    /// Paths of members that field selectors may name, without the first dot.
    pub(crate) selectable: Vec<String>,
    pub(crate) scale: Option<ScalePaths>,
    /// The version in which objects are stored. Empty if only a document is known.
    pub(crate) storage: String,
    /// The webhook that converts between versions, if one does.
    pub(crate) webhook: Option<Value>,
    /// The rules of the schema for the name of an object and its prefix.
    pub(crate) metadata: Option<Arc<Subschema>>,
    /// The rules of the schema that are expressions.
    #[cfg(feature = "cel")]
    pub(crate) expressions: Option<Arc<crate::cel::Schema>>,
    /// The warning of a deprecated version, with every response.
    pub(crate) warning: Option<String>,
}

impl Custom {
    /// The paths of the numbers of replicas.
    pub(crate) fn replicas(&self) -> Vec<&str> {
        self.scale.iter().flat_map(|scale| [&*scale.spec, &*scale.status]).collect()
    }
}

/// A column of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) format: String,
    pub(crate) description: String,
    pub(crate) priority: i64,
    pub(crate) path: String,
}

/// The paths of the numbers of a scale.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScalePaths {
    pub(crate) spec: String,
    pub(crate) status: String,
    pub(crate) selector: Option<String>,
}

impl ScalePaths {
    /// The paths that nearly all definitions have.
    pub(super) fn usual() -> Self {
        Self {
            spec: "spec.replicas".to_owned(),
            status: "status.replicas".to_owned(),
            selector: None,
        }
    }
}

/// The group and the plural name of the resource that a definition defines.
///
/// # Errors
/// When the definition lacks something, which the message names, or a server refuses its names.
pub(super) fn identity(definition: &Value) -> Result<(&str, &str), String> {
    let read = Definition::read(definition).map_err(|absent| {
        let lines: Vec<_> = absent
            .iter()
            .map(|Incomplete { field, wanted, .. }| format!("`{field}` is not {wanted}"))
            .collect();
        format!("the definition is incomplete: {}", lines.join(", "))
    })?;
    if let Some(Cause { field, message, .. }) = refusals_of_names(definition).into_iter().next() {
        return Err(format!("{field}: {message}"));
    }
    Ok((read.group(), read.plural()))
}

/// The resources of a definition, one for each served version.
pub(super) fn resources(manifest: &Value) -> Vec<Arc<Resource>> {
    let Ok(definition) = Definition::read(manifest) else { return Vec::new() };
    let documents = kapigen_definitions::documents(std::slice::from_ref(&definition));
    let resources = documents.iter().flat_map(|document| {
        let mut read = Document::read(document.value());
        let served = definition.served().find(|version| version.name() == document.version());
        read.update(|resource| {
            if let Some(version) = served {
                resource.singular = definition.singular().into_owned();
                resource.custom = Some(Arc::new(custom(&definition, version)));
            }
        });
        read.into_resources()
    });
    resources.collect()
}

/// The document of the definitions of a group in a version.
pub(super) fn document<'a>(
    manifests: impl Iterator<Item = &'a Value>,
    group: &str,
    version: &str,
) -> Option<Value> {
    let definitions = manifests.filter_map(|manifest| Definition::read(manifest).ok());
    let definitions: Vec<_> =
        definitions.filter(|definition| definition.group() == group).collect();
    let mut documents = kapigen_definitions::documents(&definitions).into_iter();
    documents.find(|document| document.version() == version).map(Published::into_value)
}

fn custom(definition: &Definition<'_>, version: &Version<'_>) -> Custom {
    Custom {
        short_names: definition.short_names().map(str::to_owned).collect(),
        categories: definition.categories().map(str::to_owned).collect(),
        list_kind: definition.list_kind().into_owned(),
        columns: version.columns().map(column).collect(),
        selectable: version.selectable_fields().map(str::to_owned).collect(),
        scale: version.scale().map(|scale| ScalePaths {
            spec: undotted(scale.spec_replicas),
            status: undotted(scale.status_replicas),
            selector: scale.label_selector.map(undotted),
        }),
        storage: definition.storage().map_or_else(String::new, |version| version.name().to_owned()),
        webhook: match definition.conversion() {
            Conversion::Webhook(webhook) => Some(webhook.clone()),
            Conversion::None => None,
        },
        metadata: version
            .schema()
            .and_then(|schema| schema.pointer("/properties/metadata"))
            .map(|metadata| Arc::new(Subschema::read(metadata))),
        #[cfg(feature = "cel")]
        expressions: version.schema().and_then(crate::cel::Schema::of_kind).map(Arc::new),
        warning: definition.warning(version).map(Cow::into_owned),
    }
}

fn column(column: kapigen_definitions::Column<'_>) -> Column {
    let description = if column.description.is_empty() {
        format!("Custom resource definition column (in JSONPath format): {}", column.path)
    } else {
        column.description.to_owned()
    };
    Column {
        name: column.name.to_owned(),
        kind: column.kind.to_owned(),
        format: column.format.to_owned(),
        description,
        priority: column.priority,
        path: undotted(column.path),
    }
}

/// A path without the dot with which definitions write it.
fn undotted(path: &str) -> String {
    path.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use crate::server::Server;
    use kapigen_runtime::jiff::Timestamp;
    use serde_json::{Value, json};
    use std::sync::Arc;

    const PATH: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    /// A server with the kind of definitions.
    fn server() -> Server {
        let server = Server::default();
        let kind = json!({"group": "apiextensions.k8s.io", "version": "v1", "kind": "CustomResourceDefinition"});
        let operation = json!({"x-kubernetes-group-version-kind": kind});
        let paths = json!({
            PATH: {"get": operation, "post": operation},
            format!("{PATH}/{{name}}"): {"get": operation, "put": operation, "delete": operation},
        });
        server.add_document(&json!({"paths": paths}));
        server
    }

    fn definition(versions: &[&str]) -> Value {
        let names = json!({"plural": "widgets", "kind": "Widget"});
        let version = |name: &&str| {
            let schema = json!({"openAPIV3Schema": {"type": "object"}});
            json!({"name": name, "served": true, "storage": versions.ends_with(&[name]), "schema": schema})
        };
        let versions: Vec<_> = versions.iter().map(version).collect();
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.a.io"},
            "spec": {"group": "a.io", "scope": "Namespaced", "names": names, "versions": versions},
        })
    }

    fn send(server: &Server, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let request = http::Request::builder().method(method).uri(path).body(body).unwrap();
        let response = server.handle(request, Timestamp::UNIX_EPOCH).response;
        let code = response.status().as_u16();
        (
            code,
            serde_json::from_slice(&response.into_body().into_whole().unwrap_or_default())
                .unwrap_or_default(),
        )
    }

    #[test]
    fn definitions_are_read_again_only_when_they_change() {
        let server = server();
        let (code, mut stored) = send(&server, "POST", PATH, &definition(&["v1", "v2"]));
        assert_eq!(code, 201, "{stored}");
        // The server accepts its names right after that.
        stored = send(&server, "GET", &format!("{PATH}/widgets.a.io"), &Value::Null).1;
        let resource =
            || server.shared.lock().state.registry.get("a.io", "v1", "widgets").cloned().unwrap();
        let before = resource();
        let path = format!("{PATH}/widgets.a.io");
        for count in 0..3 {
            stored["metadata"]["annotations"] = json!({"count": format!("{count}")});
            let (code, next) = send(&server, "PUT", &path, &stored);
            assert!(code == 200 && Arc::ptr_eq(&resource(), &before));
            stored = next;
        }
        stored["spec"] = definition(&["v2"])["spec"].take();
        assert_eq!(send(&server, "PUT", &path, &stored).0, 200);
        let get = |version| {
            send(&server, "GET", &format!("/apis/a.io/{version}/widgets"), &Value::Null).0
        };
        assert_eq!([get("v1"), get("v2")], [404, 200]);
        // A definition that is refused leaves the kinds as they were.
        stored = send(&server, "GET", &path, &Value::Null).1;
        stored["spec"]["versions"] = Value::Null;
        assert_eq!(send(&server, "PUT", &path, &stored).0, 422);
        assert_eq!(get("v2"), 200);
    }

    #[test]
    fn definitions_do_not_replace_built_in_resources() {
        let server = server();
        let mut definition = definition(&["v1"]);
        definition["spec"]["group"] = json!("apiextensions.k8s.io");
        definition["spec"]["names"]["plural"] = json!("customresourcedefinitions");
        definition["metadata"]["name"] = json!("customresourcedefinitions.apiextensions.k8s.io");
        definition["metadata"]["annotations"] =
            json!({"api-approved.kubernetes.io": "https://example.com/1"});
        let (code, refusal) = send(&server, "POST", PATH, &definition);
        assert!(
            code >= 400 && refusal["message"].to_string().contains("is a built-in resource"),
            "{refusal}"
        );
        assert_eq!(send(&server, "GET", PATH, &Value::Null).0, 200);
    }

    #[test]
    fn definitions_with_names_that_servers_refuse_are_invalid() {
        let server = server();
        for (kind, list_kind, field) in [
            ("Widget", "Widget", "spec.names.listKind"),
            ("Wid/get", "WidgetList", "spec.names.kind"),
            ("Wid~get", "WidgetList", "spec.names.kind"),
            ("1Widget", "WidgetList", "spec.names.kind"),
            ("", "WidgetList", "spec.names.kind"),
            ("Widget", "Widget/List", "spec.names.listKind"),
        ] {
            let mut definition = definition(&["v1"]);
            definition["spec"]["names"] = json!({"plural": "widgets", "singular": "widget", "kind": kind, "listKind": list_kind});
            let (code, refusal) = send(&server, "POST", PATH, &definition);
            assert_eq!((code, &refusal["reason"]), (422, &json!("Invalid")), "{refusal}");
            assert_eq!(refusal["details"]["causes"][0]["field"], field, "{refusal}");
            let error = server.add_definition(&definition).unwrap_err();
            assert!(error.contains(field), "{error}");
        }
        assert_eq!(send(&server, "POST", PATH, &definition(&["v1"])).0, 201);
        let mut stored = send(&server, "GET", &format!("{PATH}/widgets.a.io"), &Value::Null).1;
        stored["spec"]["names"]["listKind"] = json!("Widget");
        assert_eq!(send(&server, "PUT", &format!("{PATH}/widgets.a.io"), &stored).0, 422);
    }

    #[test]
    fn kinds_go_with_their_definition() {
        let server = server();
        assert_eq!(send(&server, "POST", PATH, &definition(&["v1"])).0, 201);
        let widget = json!({"apiVersion": "a.io/v1", "kind": "Widget", "metadata": {"name": "a"}});
        server.create(&widget).unwrap();
        let widgets = "/apis/a.io/v1/widgets";
        let request = http::Request::get(format!("{widgets}?watch=true")).body(Vec::new()).unwrap();
        let body = server.handle(request, Timestamp::UNIX_EPOCH).response.into_body();
        let crate::server::ReplyBody::Stream(mut events) = body else { panic!("no stream") };
        assert_eq!(send(&server, "DELETE", &format!("{PATH}/widgets.a.io"), &Value::Null).0, 200);
        assert_eq!(send(&server, "GET", widgets, &Value::Null).0, 404);
        for kind in ["ADDED", "DELETED"] {
            let crate::server::NextEvent::Event(line) = events.next(Timestamp::UNIX_EPOCH) else {
                panic!("no event")
            };
            assert_eq!(serde_json::from_slice::<Value>(&line).unwrap()["type"], kind);
        }
        assert_eq!(events.next(Timestamp::UNIX_EPOCH), crate::server::NextEvent::End);
        // The next kind of this name begins without objects.
        assert_eq!(send(&server, "POST", PATH, &definition(&["v1"])).0, 201);
        assert_eq!(send(&server, "GET", widgets, &Value::Null).1["items"], json!([]));
    }
}

//! Resources of custom resource definitions.

use super::kinds::bad_kinds;
use super::{Derived, Facts, Resource, Subresource};
use crate::cause::Cause;
use crate::schema::Schema;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The settings of a definition beyond the schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Custom {
    /// `openAPIV3Schema` of the version, with its descriptions.
    pub(crate) schema: Value,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) list_kind: String,
    pub(crate) columns: Vec<Column>,
    /// Paths of members that field selectors may name, without the first dot.
    pub(crate) selectable: Vec<String>,
    pub(crate) scale: Option<ScalePaths>,
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

/// The group and the plural name of what a definition defines.
pub(super) fn identity(definition: &Value) -> Result<(&str, &str), String> {
    Ok((text(definition, "/spec/group")?, text(definition, "/spec/names/plural")?))
}

fn text<'a>(definition: &'a Value, pointer: &str) -> Result<&'a str, String> {
    let value = definition.pointer(pointer).and_then(Value::as_str);
    value.ok_or_else(|| format!("the definition has no string at {pointer}"))
}

pub(super) fn resources(definition: &Value) -> Result<Vec<Resource>, String> {
    let text = |pointer: &str| text(definition, pointer).map(str::to_owned);
    let (group, plural, kind) = (text("/spec/group")?, text("/spec/names/plural")?, text("/spec/names/kind")?);
    if let Some(Cause { field, message, .. }) = bad_kinds(definition).into_iter().next() {
        return Err(format!("{field}: {message}"));
    }
    let namespaced = text("/spec/scope")? == "Namespaced";
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    let versions = versions.ok_or("the definition has no versions")?;
    let mut resources = Vec::new();
    for version in versions.iter().filter(|version| version.get("served") == Some(&Value::Bool(true))) {
        let name = version.get("name").and_then(Value::as_str).ok_or("a version has no name")?;
        let schema = version.pointer("/schema/openAPIV3Schema").unwrap_or(&Value::Null);
        let schema = Schema::from_definition(schema);
        let singular = text("/spec/names/singular").unwrap_or_else(|_| kind.to_lowercase());
        let mut resource = Resource {
            group: group.clone(),
            version: name.to_owned(),
            plural: plural.clone(),
            singular,
            kind: kind.clone(),
            namespaced,
            collection: methods(&["GET", "POST", "DELETE"]),
            object: methods(&["GET", "PUT", "PATCH", "DELETE"]),
            subresources: subresources(version, &group, name, &kind),
            schema,
            facts: Facts::default(),
            custom: Some(Arc::new(custom(definition, version, &kind))),
            derived: Derived::default(),
        };
        resource.facts = Facts::of(&resource);
        resources.push(resource);
    }
    Ok(resources)
}

fn methods(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn subresources(version: &Value, group: &str, name: &str, kind: &str) -> BTreeMap<String, Subresource> {
    let mut found = BTreeMap::new();
    let mut add = |path: &str, group: &str, version: &str, kind: &str| {
        let [group, version, kind] = [group, version, kind].map(str::to_owned);
        found.insert(path.to_owned(), Subresource { group, version, kind, methods: methods(&["GET", "PUT", "PATCH"]) });
    };
    if version.pointer("/subresources/status").is_some() {
        add("status", group, name, kind);
    }
    if version.pointer("/subresources/scale").is_some() {
        add("scale", "autoscaling", "v1", "Scale");
    }
    found
}

fn custom(definition: &Value, version: &Value, kind: &str) -> Custom {
    let names = |pointer: &str| strings(definition.pointer(pointer));
    let columns = version.get("additionalPrinterColumns").and_then(Value::as_array);
    let selectable = version.get("selectableFields").and_then(Value::as_array);
    let path = |field: &Value| field.get("jsonPath")?.as_str().map(|path| path.trim_start_matches('.').to_owned());
    let list_kind = definition.pointer("/spec/names/listKind").and_then(Value::as_str);
    Custom {
        schema: version.pointer("/schema/openAPIV3Schema").cloned().unwrap_or_default(),
        short_names: names("/spec/names/shortNames"),
        categories: names("/spec/names/categories"),
        list_kind: list_kind.map_or_else(|| format!("{kind}List"), str::to_owned),
        columns: columns.into_iter().flatten().map(column).collect(),
        selectable: selectable.into_iter().flatten().filter_map(path).collect(),
        scale: version.pointer("/subresources/scale").map(scale),
    }
}

fn strings(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn column(column: &Value) -> Column {
    let text = |key: &str| column.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let path = text("jsonPath");
    let description = Some(text("description")).filter(|text| !text.is_empty());
    let generic = || format!("Custom resource definition column (in JSONPath format): {path}");
    Column {
        name: text("name"),
        kind: text("type"),
        format: text("format"),
        description: description.unwrap_or_else(generic),
        priority: column.get("priority").and_then(Value::as_i64).unwrap_or_default(),
        path: path.trim_start_matches('.').to_owned(),
    }
}

fn scale(scale: &Value) -> ScalePaths {
    let path = |key: &str| scale.get(key)?.as_str().map(|path| path.trim_start_matches('.').to_owned());
    ScalePaths {
        spec: path("specReplicasPath").unwrap_or_default(),
        status: path("statusReplicasPath").unwrap_or_default(),
        selector: path("labelSelectorPath"),
    }
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
        let version = |name: &&str| json!({"name": name, "served": true, "schema": {}});
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
        (code, serde_json::from_slice(&response.into_body().into_whole().unwrap_or_default()).unwrap_or_default())
    }

    #[test]
    fn definitions_are_read_again_only_when_they_change() {
        let server = server();
        let (code, mut stored) = send(&server, "POST", PATH, &definition(&["v1", "v2"]));
        assert_eq!(code, 201, "{stored}");
        let resource = || server.shared.lock().state.registry.get("a.io", "v1", "widgets").cloned().unwrap();
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
        let get = |version| send(&server, "GET", &format!("/apis/a.io/{version}/widgets"), &Value::Null).0;
        assert_eq!([get("v1"), get("v2")], [404, 200]);
        // A definition that cannot be served leaves the kinds as they were.
        stored = send(&server, "GET", &path, &Value::Null).1;
        stored["spec"]["versions"] = Value::Null;
        assert_eq!(send(&server, "PUT", &path, &stored).0, 200);
        assert_eq!(get("v2"), 200);
    }

    #[test]
    fn definitions_do_not_replace_built_in_resources() {
        let server = server();
        let mut definition = definition(&["v1"]);
        definition["spec"]["group"] = json!("apiextensions.k8s.io");
        definition["spec"]["names"]["plural"] = json!("customresourcedefinitions");
        definition["metadata"]["name"] = json!("customresourcedefinitions.apiextensions.k8s.io");
        let (code, refusal) = send(&server, "POST", PATH, &definition);
        assert!(code >= 400 && refusal["message"].to_string().contains("is a built-in resource"), "{refusal}");
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
            definition["spec"]["names"] = json!({"plural": "widgets", "kind": kind, "listKind": list_kind});
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
        server.create("default", &widget, Timestamp::UNIX_EPOCH).unwrap();
        let widgets = "/apis/a.io/v1/widgets";
        let request = http::Request::get(format!("{widgets}?watch=true")).body(Vec::new()).unwrap();
        let body = server.handle(request, Timestamp::UNIX_EPOCH).response.into_body();
        let crate::server::Body::Stream(mut events) = body else { panic!("no stream") };
        assert_eq!(send(&server, "DELETE", &format!("{PATH}/widgets.a.io"), &Value::Null).0, 200);
        assert_eq!(send(&server, "GET", widgets, &Value::Null).0, 404);
        for kind in ["ADDED", "DELETED"] {
            let crate::server::Next::Event(line) = events.next(Timestamp::UNIX_EPOCH) else { panic!("no event") };
            assert_eq!(serde_json::from_slice::<Value>(&line).unwrap()["type"], kind);
        }
        assert_eq!(events.next(Timestamp::UNIX_EPOCH), crate::server::Next::End);
        // The next kind of this name begins without objects.
        assert_eq!(send(&server, "POST", PATH, &definition(&["v1"])).0, 201);
        assert_eq!(send(&server, "GET", widgets, &Value::Null).1["items"], json!([]));
    }
}

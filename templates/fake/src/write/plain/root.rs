//! The members of an object that every kind has, and the rest of it.

use super::fields::Repeated;
use super::scan::{Next, Nulls, Scan, Scanned};
use super::scratch::Scratch;
use crate::registry::Resource;
use crate::schema::{Schemas, Shape};
use crate::write::conform;
use serde_json::{Map, Value};
use std::ops::Range;

/// The most levels of an object. Deeper ones are for [`is_too_deep`](crate::object::is_too_deep) to judge.
const DEPTH: usize = 90;

/// An object whose body needs no change.
#[derive(Debug)]
pub(in crate::write) struct Plain {
    /// All parts of it: the object as JSON, without `apiVersion`, `kind`, and a status that is written on its own, its
    /// metadata, and the fields of the manager that creates it.
    pub(super) scratch: Scratch,
    /// The position of metadata in the object.
    pub(super) metadata_range: Range<usize>,
}

impl Plain {
    /// Parses a body into `scratch`. `None` if it needs a change, or is to be refused; there is a part of it then.
    pub(super) fn parse(
        body: &[u8],
        resource: &Resource,
        schemas: &Schemas,
        scratch: &mut Scratch,
    ) -> Option<Range<usize>> {
        let text = std::str::from_utf8(body).ok()?;
        let mut scan = Scan::new(schemas, text, scratch);
        let metadata_range = scan.root(resource);
        let Scan { input, fields, keys, metadata, .. } = scan;
        scratch.json = input.into_copied();
        scratch.fields = fields.into_buffers();
        (scratch.keys, scratch.metadata) = (keys, metadata);
        metadata_range
    }

    /// A string of metadata without escapes. Empty if it is absent.
    pub(super) fn metadata_string(&self, name: &str) -> &str {
        self.scratch.metadata.string(&self.scratch.json, name).unwrap_or_default()
    }
}

impl<'a> Scan<'a> {
    /// Reads a whole body, and returns the position of metadata in the copy.
    fn root(&mut self, resource: &'a Resource) -> Option<Range<usize>> {
        let blank = resource.blank(self.schemas).as_object()?;
        let level = self.fields.open(false);
        let mut metadata_range = None;
        let mut is_cut = false;
        let mut has_next = self.input.open(b'{', b'}')?;
        while has_next {
            let before = self.input.length();
            let is_dropped = self.root_member(resource, blank, &mut metadata_range)?;
            has_next = self.input.has_next(b'}')?;
            if is_dropped {
                self.input.truncate(before);
                is_cut = !has_next;
            }
        }
        let metadata_range = metadata_range?;
        if is_cut {
            self.input.close();
        }
        add_root_defaults(self, resource, blank)?;
        self.fields.close(level).map_err(|Repeated| ()).ok()?;
        self.input.is_at_end().then_some(metadata_range)
    }

    /// Reads a member of an object, and returns whether it is left out. That of metadata is `metadata_range`, too.
    fn root_member(
        &mut self,
        resource: &Resource,
        blank: &'a Map<String, Value>,
        metadata_range: &mut Option<Range<usize>>,
    ) -> Option<bool> {
        let name = self.input.name()?;
        let schemas = self.schemas;
        let (schema, is_known) = schemas.member(resource.schema, name);
        // A secret encodes the strings of `stringData`.
        if !is_known || name == "stringData" {
            return None;
        }
        let is_status = name == "status" && resource.has_status();
        let is_listed = !is_status && !matches!(name, "apiVersion" | "kind");
        let is_metadata = name == "metadata";
        self.begin_member(name, is_listed);
        let start = self.input.length();
        let nulls = if is_listed && !is_metadata { Nulls::Dropped } else { Nulls::Declined };
        let blank = blank.get(name).filter(|_| is_listed);
        let next = Next { schema, blank, is_listed, is_metadata, keys: &[], nulls, depth: DEPTH };
        let Scanned { has_field, is_dropped } = self.value(&next)?;
        if is_listed {
            self.fields.end(has_field);
        } else if !is_status && !states_kind(resource, name, &self.input.copied()[start..]) {
            return None;
        }
        if is_dropped || !is_listed {
            // Its default would be a second entry.
            return (!is_listed || !schemas.is_always_present(schema)).then_some(true);
        }
        if is_metadata {
            *metadata_range = Some(start..self.input.length());
        }
        Some(false)
    }
}

/// Whether `apiVersion` or `kind` are those of the resource.
fn states_kind(resource: &Resource, name: &str, json: &[u8]) -> bool {
    let stated = json.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    if name == "kind" {
        return stated == Some(resource.kind.as_bytes());
    }
    stated == Some(resource.api_version().as_bytes())
}

/// Adds the members that are never absent, and the status that some objects have from the beginning. `None` if their
/// defaults are not plain.
fn add_root_defaults<'a>(scan: &mut Scan<'a>, resource: &Resource, blank: &'a Map<String, Value>) -> Option<()> {
    let schemas = scan.schemas;
    let Shape::Struct { fields, .. } = schemas.shape(resource.schema) else { return Some(()) };
    scan.input.reopen();
    for (name, field) in schemas.always_present(resource.schema).iter().filter_map(|index| fields.at(*index)) {
        if name == "status" && resource.has_status() {
            // An empty map is left out later.
            if matches!(schemas.shape(field), Shape::Map(_)) {
                return None;
            }
            scan.write_name(name);
            scan.input.write(conform::default(schemas, field).to_string().as_bytes());
        } else if !scan.fields.has_member(0, name) {
            scan.add_default(name, field, blank.get(name), true)?;
        } else {
            continue;
        }
        scan.input.write(b",");
    }
    scan.input.close();
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{Plain, Scratch};
    use crate::registry::Registry;
    use serde_json::{Value, json};

    fn registry() -> Registry {
        let kind = json!({"group": "a.io", "version": "v1", "kind": "A"});
        let path = |methods: &[&str]| {
            methods.iter().map(|method| (*method, json!({"x-kubernetes-group-version-kind": kind}))).collect::<Value>()
        };
        let port = json!({"type": "object", "properties": {
            "port": {"type": "integer"}, "protocol": {"type": "string", "default": "TCP"}, "size": {"type": "number"},
        }});
        let keys = json!(["port", "protocol"]);
        let ports = json!({
            "type": "array", "items": port, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
        });
        let texts = json!({"type": "array", "items": {"type": "string"}});
        let rich = json!({"type": "object", "default": {"a": 1}, "properties": {"a": {"type": "integer"}}});
        let spec = json!({"type": "object", "properties": {
            "ports": ports, "texts": texts, "none": texts, "deep": {"type": "object", "properties": {"rich": rich}},
            "always": {"type": "object", "default": {}, "properties": {}},
        }});
        let status = json!({"type": "object", "default": {}, "properties": {"spec": spec}});
        let schema = json!({
            "type": "object",
            "properties": {"spec": spec, "status": status},
            "x-kubernetes-group-version-kind": [kind],
        });
        let mut registry = Registry::default();
        registry.add_document(&json!({
            "paths": {
                "/apis/a.io/v1/as": path(&["get", "post"]),
                "/apis/a.io/v1/as/{name}": path(&["get", "put"]),
                "/apis/a.io/v1/as/{name}/status": path(&["get", "put"]),
            },
            "components": {"schemas": {"io.a.v1.A": schema}},
        }));
        registry
    }

    fn parse(registry: &Registry, spec: &str) -> Option<(String, String)> {
        let body = format!(r#"{{ "metadata": {{"name": "a", "uid": "1"}}, "kind": "A", {spec}}}"#);
        let resource = registry.get("a.io", "v1", "as").expect("the resource");
        let mut scratch = Scratch::default();
        let metadata_range = Plain::parse(body.as_bytes(), resource, &registry.schemas, &mut scratch)?;
        assert_eq!(&scratch.json[metadata_range], br#"{"name":"a","uid":"1"}"#);
        let [json, fields] = [scratch.json, scratch.fields.json].map(|text| String::from_utf8(text).expect("UTF-8"));
        Some((json, fields))
    }

    #[test]
    fn plain_bodies_are_copied_and_their_fields_are_listed() {
        let registry = registry();
        let spec = r#""status": {"no": 1.0, "spec": null}, "spec": {"texts" : ["\u0062", "a"], "none": [],
            "ports": [{"port": 2, "size": 1e2}, {"port": 10, "protocol": "UDP", "size": null}]}"#;
        assert!(parse(&registry, spec).is_none(), "a status may have no unknown members either");
        let (json, fields) = parse(&registry, &spec.replace("\"no\": 1.0, ", "")).expect("a plain body");
        let metadata = r#""metadata":{"name":"a","uid":"1"}"#;
        let ports = r#"[{"port":2,"size":100.0,"protocol":"TCP"},{"port":10,"protocol":"UDP"}]"#;
        let spec = format!(r#""spec":{{"texts":["b","a"],"ports":{ports},"always":{{}}}}"#);
        assert_eq!(json, format!(r#"{{{metadata},{spec},"status":{{}}}}"#));
        let first = r#""k:{\"port\":10,\"protocol\":\"UDP\"}":{".":{},"f:port":{},"f:protocol":{}}"#;
        let second = r#""k:{\"port\":2,\"protocol\":\"TCP\"}":{".":{},"f:port":{},"f:protocol":{},"f:size":{}}"#;
        let ports = format!(r#""f:ports":{{".":{{}},{first},{second}}}"#);
        assert_eq!(fields, format!(r#"{{"f:spec":{{".":{{}},"f:always":{{}},{ports},"f:texts":{{}}}}}}"#));
    }

    #[test]
    fn the_order_of_earlier_bodies_changes_nothing() {
        let specs = [
            r#""spec": {"always": {}, "texts": ["a"], "ports": [{"port": 1, "protocol": "UDP"}, {"port": 2}]}"#,
            r#""spec": {"ports": [{"protocol": "UDP", "port": 1}], "texts": ["a"], "always": {}}"#,
            r#""spec" : { "texts" : ["a"], "always" : {} }"#,
            r#""spec": {"always": {}}"#,
            // Declined, each after members that others have, too.
            r#""spec": {"always": {}, "text": []}"#,
            r#""spec": {"always": {}, "texts": ["a"], "texts": ["b"]}"#,
            r#""spec": {"always": {}, "texts" ["a"]}"#,
            r#""spec": {"always": {}, "\u0074exts": ["a"]}"#,
            r#""spec": {"always": {}, "tex"#,
        ];
        for first in specs {
            for second in specs {
                let used = registry();
                parse(&used, first);
                assert_eq!(parse(&used, second), parse(&registry(), second), "{first}, {second}");
            }
        }
    }

    #[test]
    fn bodies_that_need_a_change_are_declined() {
        let registry = registry();
        assert!(parse(&registry, r#""apiVersion": "a.io/v1", "spec": {"always": {}}"#).is_some());
        for (members, reason) in [
            (r#""apiVersion": "a.io/v2""#, "another version"),
            (r#""spec": {"always": {}}, "spec": {"always": {}}"#, "a repeated member"),
            (r#""spec": {"always": {}, "deep": {}}"#, "a default with members"),
            (r#""spec": {"always": {}, "texts": [[]]}"#, "an empty list in a list"),
            (r#""spec": {"always": {}, "texts": [null]}"#, "null in a list"),
            (r#""spec": {"always": {}, "texts": [1]}"#, "a number for a string"),
            (r#""spec": {"always": {}, "texts": "a"}"#, "a string for a list"),
            (r#""spec": {"always": {}, "ports": [{"port": 1}, {"port": 1}]}"#, "a repeated element"),
            (r#""spec": {"always": {}, "ports": [{"port": 1.5}]}"#, "a fraction for an integer"),
            (r#""spec": {"always": {}, "no": 1}"#, "an unknown member"),
            (r#""spec": {"always": {}, "\u0074exts": ["a"]}"#, "a name with an escape"),
            (r#""spec": {"always": {"#, "an end of input"),
        ] {
            assert!(parse(&registry, members).is_none(), "{reason}");
        }
    }
}

//! Texts for people: descriptions, titles, links and examples of documents, definitions and tables.
//! They are left out of the data, and so of each comparison with it.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// An object of OpenAPI, by the objects that stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Callback,
    Components,
    Document,
    Info,
    Media,
    Operation,
    Parameter,
    Path,
    /// One in which no other object with texts stands.
    Plain,
    Response,
    Schema,
}

/// Where a node stands in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The value of this member.
    At(&'static str),
    /// Every value in the object or array of this member.
    In(&'static str),
    /// Every member.
    Everywhere,
}

use Place::{At, Everywhere, In};

/// Members that are for people, wherever they stand in an object of OpenAPI.
const TEXTS: [&str; 9] = [
    "contact",
    "description",
    "example",
    "examples",
    "externalDocs",
    "license",
    "summary",
    "termsOfService",
    "title",
];

impl Node {
    /// The nodes in it, of OpenAPI 3 and of version 2.
    fn nodes(self) -> &'static [(Place, Node)] {
        match self {
            Self::Callback => &[(Everywhere, Self::Path)],
            Self::Components => &[
                (In("callbacks"), Self::Callback),
                (In("headers"), Self::Parameter),
                (In("links"), Self::Plain),
                (In("parameters"), Self::Parameter),
                (In("requestBodies"), Self::Response),
                (In("responses"), Self::Response),
                (In("schemas"), Self::Schema),
                (In("securitySchemes"), Self::Plain),
            ],
            Self::Document => &[
                (At("components"), Self::Components),
                (In("definitions"), Self::Schema),
                (At("info"), Self::Info),
                (In("parameters"), Self::Parameter),
                (In("paths"), Self::Path),
                (In("responses"), Self::Response),
                (In("securityDefinitions"), Self::Plain),
                (In("servers"), Self::Plain),
                (In("tags"), Self::Plain),
            ],
            Self::Info | Self::Plain => &[],
            Self::Media => &[(At("schema"), Self::Schema), (In("encoding"), Self::Response)],
            Self::Operation => &[
                (In("callbacks"), Self::Callback),
                (In("parameters"), Self::Parameter),
                (At("requestBody"), Self::Response),
                (In("responses"), Self::Response),
                (In("servers"), Self::Plain),
            ],
            Self::Parameter => &[
                (In("content"), Self::Media),
                (At("items"), Self::Schema),
                (At("schema"), Self::Schema),
            ],
            Self::Path => &[
                (At("delete"), Self::Operation),
                (At("get"), Self::Operation),
                (At("head"), Self::Operation),
                (At("options"), Self::Operation),
                (In("parameters"), Self::Parameter),
                (At("patch"), Self::Operation),
                (At("post"), Self::Operation),
                (At("put"), Self::Operation),
                (In("servers"), Self::Plain),
                (At("trace"), Self::Operation),
            ],
            Self::Response => &[
                (In("content"), Self::Media),
                (In("headers"), Self::Parameter),
                (In("links"), Self::Plain),
                (At("schema"), Self::Schema),
            ],
            Self::Schema => &[
                (At("additionalItems"), Self::Schema),
                (At("additionalProperties"), Self::Schema),
                (In("allOf"), Self::Schema),
                (In("anyOf"), Self::Schema),
                (In("definitions"), Self::Schema),
                (In("dependencies"), Self::Schema),
                (At("items"), Self::Schema),
                (At("not"), Self::Schema),
                (In("oneOf"), Self::Schema),
                (In("patternProperties"), Self::Schema),
                (In("properties"), Self::Schema),
            ],
        }
    }

    /// Whether a member of it is for people. A document needs a title, which is a name.
    fn is_text(self, member: &str) -> bool {
        TEXTS.contains(&member) && !(self == Self::Info && member == "title")
    }

    /// Calls `visit` with this node and all below it.
    fn visit(self, value: &mut Value, visit: &mut dyn FnMut(Node, &mut Map<String, Value>)) {
        // `items` of old schemas can be a list of schemas.
        if let Value::Array(elements) = value {
            for element in elements {
                self.visit(element, visit);
            }
        }
        let Value::Object(object) = value else { return };
        visit(self, object);
        for (place, node) in self.nodes() {
            match *place {
                At(name) => {
                    object.get_mut(name).into_iter().for_each(|one| node.visit(one, visit));
                }
                In(name) => match object.get_mut(name) {
                    Some(Value::Object(all)) => {
                        all.values_mut().for_each(|one| node.visit(one, visit));
                    }
                    Some(all) => node.visit(all, visit),
                    None => {}
                },
                Everywhere => object.values_mut().for_each(|one| node.visit(one, visit)),
            }
        }
    }
}

/// Removes the texts for people from any value that a server sends or accepts: from documents of
/// OpenAPI, and from schemas and columns of definitions, wherever they stand. Where a text is
/// required, as in the columns of tables, it becomes empty.
pub fn remove(value: &mut Value) {
    each_part(value, &mut |part, value| match part {
        Part::Node(node) => node.visit(value, &mut |node, object| {
            object.retain(|member, _| !node.is_text(member) || is_required(node, member));
            if let Some(description) = object.get_mut("description") {
                *description = "".into();
            }
        }),
        Part::Columns => each_object(value, |column| _ = column.remove("description")),
        Part::TableColumns => each_object(value, |column| {
            if let Some(description) = column.get_mut("description") {
                *description = "".into();
            }
        }),
    });
}

/// The same value without the texts for people.
#[must_use]
pub fn removed(mut value: Value) -> Value {
    remove(&mut value);
    value
}

/// Replaces the messages of rules in schemas by names of the rules: `rule 2`, counted within their
/// list. A message that an expression makes is code.
pub fn name_rules(value: &mut Value) {
    each_part(value, &mut |part, value| {
        let Part::Node(node) = part else { return };
        node.visit(value, &mut |node, object| {
            let rules = object.get_mut("x-kubernetes-validations").and_then(Value::as_array_mut);
            for (index, rule) in
                rules.filter(|_| node == Node::Schema).into_iter().flatten().enumerate()
            {
                if let Some(message) = rule.get_mut("message") {
                    *message = format!("rule {}", index + 1).into();
                }
            }
        });
    });
}

/// This many equal words in a row count as copied.
pub const RUN: usize = 8;

/// All runs of [`RUN`] words of a text.
#[must_use]
pub fn runs(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().windows(RUN).map(|run| run.join(" ")).collect()
}

/// The hash of words, which identifies them but does not reveal them.
#[must_use]
pub fn hash(words: &str) -> String {
    // FNV-1a.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:010x}", words.bytes().fold(0xcbf2_9ce4_8422_2325, step) >> 24)
}

/// The hashes of the descriptions that only a server writes into a document of custom resources, by
/// their pointers: of operations, of responses, and of the members that all objects and lists have.
/// All others come from a definition, or describe parameters and shared schemas, which kapigen has
/// in its own words.
#[must_use]
pub fn of_server(document: &Value) -> BTreeMap<String, String> {
    let is_common = |pointer: &str| {
        let member = pointer.split_once("/properties/").map(|(_, member)| member);
        ["apiVersion", "items", "kind", "metadata"]
            .iter()
            .any(|name| member == Some(format!("{name}/description").as_str()))
    };
    let mut found = BTreeMap::new();
    each_description(document, "", &mut |pointer, text| {
        let is_of_operation = pointer.starts_with("/paths/") && !pointer.contains("/parameters/");
        let schema = pointer.strip_prefix("/components/schemas/");
        let is_own = schema.is_some_and(|name| !name.starts_with("io.k8s."));
        if is_of_operation || is_own && is_common(pointer) {
            found.insert(pointer.to_owned(), hash(text));
        }
    });
    found
}

/// Calls `visit` with each description in a value, and its pointer.
pub fn each_description(value: &Value, at: &str, visit: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                each_description(element, &format!("{at}/{index}"), visit);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                match member {
                    Value::String(text) if name == "description" => visit(&at, text),
                    member => each_description(member, &at, visit),
                }
            }
        }
        _ => {}
    }
}

/// Whether a member has to be there for a document to be valid.
fn is_required(node: Node, member: &str) -> bool {
    node == Node::Response && member == "description"
}

/// A part of a value that has texts.
#[derive(Clone, Copy, Debug)]
enum Part {
    Node(Node),
    /// The columns of a definition.
    Columns,
    TableColumns,
}

/// Calls `visit` with the outermost parts of a value.
fn each_part(value: &mut Value, visit: &mut dyn FnMut(Part, &mut Value)) {
    match value {
        Value::Array(elements) => {
            for element in elements {
                each_part(element, visit);
            }
        }
        Value::Object(object) if is_document(object) => visit(Part::Node(Node::Document), value),
        Value::Object(object) => {
            for (name, member) in object {
                match name.as_str() {
                    "openAPIV3Schema" => visit(Part::Node(Node::Schema), member),
                    "additionalPrinterColumns" => visit(Part::Columns, member),
                    "columnDefinitions" => visit(Part::TableColumns, member),
                    _ => each_part(member, visit),
                }
            }
        }
        _ => {}
    }
}

fn is_document(object: &Map<String, Value>) -> bool {
    ["openapi", "swagger"].iter().any(|version| object.get(*version).is_some_and(Value::is_string))
}

fn each_object(value: &mut Value, mut visit: impl FnMut(&mut Map<String, Value>)) {
    let elements = value.as_array_mut().into_iter().flatten();
    elements.filter_map(Value::as_object_mut).for_each(&mut visit);
}

#[cfg(test)]
mod tests {
    use super::{name_rules, removed};
    use serde_json::{Value, json};

    #[test]
    fn texts_go_and_members_with_their_names_stay() {
        let schema = |text: Value| {
            let mut schema = json!({"type": "object", "properties": {
                "description": {"type": "string"},
                "title": {"type": "array", "items": {"type": "string", "default": {"title": "x"}}},
            }});
            schema.as_object_mut().unwrap().extend(text.as_object().unwrap().clone());
            schema
        };
        let document = |texts: Value, response: &str| {
            json!({"openapi": "3.0.0", "info": {"title": "API", "version": "1"},
                "paths": {"/description": {"get": {"responses": {"200": {"description": response,
                    "content": {"application/json": {"schema": schema(texts.clone())}}}}}}},
                "components": {"schemas": {"description": schema(texts.clone()), "title": {
                    "allOf": [schema(texts.clone())], "additionalProperties": schema(texts)}}}})
        };
        let texts = json!({"title": "A", "description": "A sentence.", "example": {"title": 1}});
        let found = removed(document(texts.clone(), "OK"));
        assert_eq!(found, document(json!({}), ""));
        assert_eq!(removed(found.clone()), found);
        let definition = |texts: Value, column: Value| {
            json!({"items": [{"spec": {"description": "stays", "versions": [
                {"schema": {"openAPIV3Schema": schema(texts)}, "additionalPrinterColumns": [column]}
            ]}}]})
        };
        assert_eq!(
            removed(definition(texts, json!({"name": "A", "description": "A column."}))),
            definition(json!({}), json!({"name": "A"}))
        );
    }

    #[test]
    fn columns_of_tables_have_empty_descriptions() {
        let table = |text: &str| {
            json!([{"type": "ADDED", "object": {"kind": "Table", "columnDefinitions":
                [{"name": "Name", "description": text}], "rows": [{"object": {"description": "x"}}]}}])
        };
        assert_eq!(removed(table("The name.")), table(""));
    }

    #[test]
    fn messages_of_rules_are_names() {
        let definition = |messages: [&str; 2]| {
            json!({"schema": {"openAPIV3Schema": {"properties": {"message": {"items": {
            "x-kubernetes-validations": [
                {"rule": "self > 0", "message": messages[0]},
                {"rule": "self > 1", "messageExpression": "'is ' + string(self)"},
                {"rule": "self > 2", "message": messages[1]},
            ]}}}}}})
        };
        let mut found = definition(["must be positive", "must be large"]);
        name_rules(&mut found);
        assert_eq!(found, definition(["rule 1", "rule 3"]));
    }
}

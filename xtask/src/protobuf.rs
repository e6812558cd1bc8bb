//! The table of the fields of built-in kinds in protobuf, which `templates/fake` reads.

use crate::{Failure, data};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The path of the table, from the root of the repository.
pub(crate) const PATH: &str = "templates/fake/src/protobuf/fields.table";

/// The beginning of the table: what it is, and its format.
const HEADER: &str = "\
# The fields of built-in kinds in protobuf: made by `cargo xtask codegen`, read by `table.rs`.
";

/// The sets of documents with the kinds: all groups of one release, and the newest documents.
const DOCUMENTS: [&str; 2] = ["kubernetes-1.34", "kubernetes-1.36"];

/// The options of a delete, which have the version of any kind.
const DELETE_OPTIONS: &str = "k8s.io.apimachinery.pkg.apis.meta.v1.DeleteOptions";

/// Messages that JSON has another form for, by their last names, with the letters of their forms.
const FORMS: [(&str, char); 7] = [
    ("FieldsV1", 'j'),
    ("IntOrString", 'i'),
    ("JSON", 'j'),
    ("MicroTime", 'm'),
    ("Quantity", 'q'),
    ("RawExtension", 'j'),
    ("Time", 't'),
];

/// Messages that JSON has in the form of the one member that they hold, by their last names.
const WRAPPERS: [&str; 5] = [
    "ExtraValue",
    "JSONSchemaPropsOrArray",
    "JSONSchemaPropsOrBool",
    "JSONSchemaPropsOrStringArray",
    "Verbs",
];

/// The messages of Kubernetes.
struct Messages {
    /// The fields of each, by name.
    fields: Map<String, Value>,
    /// How Go declares them.
    declared: Map<String, Value>,
}

/// The table.
pub(crate) fn table() -> Result<String, Failure> {
    let messages = Messages {
        fields: lines("protobuf", "fields.jsonl")?,
        declared: lines("declarations", "declarations.jsonl")?,
    };
    let kinds = kinds(&messages)?;
    let mut uses = BTreeMap::new();
    let roots = kinds.values().flat_map(BTreeMap::values).map(String::as_str);
    roots.chain([DELETE_OPTIONS]).for_each(|root| messages.visit(root, &mut uses));
    let classes = messages.classes(&uses);
    let mut total: BTreeMap<usize, (usize, &str)> = BTreeMap::new();
    for (name, count) in &uses {
        total.entry(classes[name.as_str()]).or_insert((0, name)).0 += count;
    }
    // The most used one has the shortest number.
    let mut sorted: Vec<_> = total.into_iter().collect();
    sorted.sort_by_key(|(_, (count, name))| (usize::MAX - count, *name));
    let numbers: BTreeMap<usize, usize> =
        sorted.iter().enumerate().map(|(number, (class, _))| (*class, number)).collect();
    let numbers: BTreeMap<&str, usize> =
        classes.into_iter().map(|(name, class)| (name, numbers[&class])).collect();
    let mut table = HEADER.to_owned();
    for (_, (_, name)) in &sorted {
        table += &messages.line(name, &numbers);
        table.push('\n');
    }
    for (version, kinds) in kinds {
        let kinds = kinds.iter().map(|(kind, name)| format!(" {kind}>{}", numbers[name.as_str()]));
        let _ = writeln!(table, "{version}:{}", kinds.collect::<String>());
    }
    let _ = writeln!(table, "*: DeleteOptions>{}", numbers[DELETE_OPTIONS]);
    Ok(table)
}

impl Messages {
    /// Counts how often each message is used by the ones that a message leads to.
    fn visit(&self, name: &str, uses: &mut BTreeMap<String, usize>) {
        let count = uses.entry(name.to_owned()).or_default();
        *count += 1;
        if *count > 1 {
            return;
        }
        for field in self.fields_of(name) {
            if let Some(target) = self.target(name, field.to).filter(|to| form(to).is_none()) {
                self.visit(&target, uses);
            }
        }
    }

    /// Numbers of messages: messages with the same fields have the same one.
    fn classes<'a>(&self, uses: &'a BTreeMap<String, usize>) -> BTreeMap<&'a str, usize> {
        let mut classes: BTreeMap<&str, usize> = uses.keys().map(|name| (&**name, 0)).collect();
        let mut known = 1;
        loop {
            let mut lines = BTreeMap::new();
            let mut next = BTreeMap::new();
            for name in uses.keys() {
                let count = lines.len();
                let line = self.line(name, &classes);
                next.insert(&**name, *lines.entry(line).or_insert(count));
            }
            let is_stable = lines.len() == known;
            (known, classes) = (lines.len(), next);
            if is_stable {
                return classes;
            }
        }
    }

    /// The fields of a message, by number.
    fn fields_of(&self, name: &str) -> Vec<Field<'_>> {
        let members = self.fields.get(name).and_then(Value::as_object).into_iter().flatten();
        let mut fields: Vec<_> = members
            .map(|(name, field)| {
                let text = field[1].as_str().unwrap_or_default();
                let (repeats, to) = text.split_once(' ').unwrap_or(("", text));
                Field { name, number: field[0].as_u64().unwrap_or_default(), repeats, to }
            })
            .collect();
        fields.sort_by_key(|field| field.number);
        fields
    }

    /// The message that a type is, if it is one.
    fn target(&self, within: &str, to: &str) -> Option<String> {
        let name = match to.strip_prefix('.') {
            Some(full) => full.to_owned(),
            None => format!("{}.{to}", split(within).0),
        };
        self.fields.contains_key(&name).then_some(name)
    }

    /// The line of a message, with the numbers of others.
    fn line(&self, name: &str, numbers: &BTreeMap<&str, usize>) -> String {
        let declared = self.declared.get(name).unwrap_or(&Value::Null);
        let mut line = if WRAPPERS.contains(&split(name).1) { "|" } else { "" }.to_owned();
        let mut expected = 1;
        for field in self.fields_of(name) {
            let separator = if line.len() > 1 { " " } else { "" };
            let shown = declared["renamed"][field.name].as_str().unwrap_or(field.name);
            let repeats = match field.repeats {
                "list" => "*",
                "map" => "%",
                _ => "",
            };
            let _ = write!(line, "{separator}{shown}{repeats}");
            match self.target(name, field.to) {
                Some(target) => {
                    let symbol = if names(&declared["inline"], field.name) { '<' } else { '>' };
                    let form = match form(&target) {
                        Some(letter) => letter.to_string(),
                        None => numbers[target.as_str()].to_string(),
                    };
                    let _ = write!(line, "{symbol}{form}");
                }
                None => line.push(scalar(field.to, names(&declared["kept"], field.name))),
            }
            if field.number != expected {
                let _ = write!(line, "@{}", field.number);
            }
            expected = field.number + 1;
        }
        line
    }
}

/// Whether a list of fields names this one.
fn names(list: &Value, field: &str) -> bool {
    list.as_array().is_some_and(|list| list.iter().any(|known| known == field))
}

/// A field of a message.
struct Field<'a> {
    name: &'a str,
    number: u64,
    /// `list`, `map`, or nothing.
    repeats: &'a str,
    to: &'a str,
}

/// The symbol of a scalar type. It has another one if JSON keeps zeros.
fn scalar(name: &str, is_kept: bool) -> char {
    let (zeros_absent, zeros_kept) = match name {
        "bool" => ('?', '!'),
        "bytes" => ('=', '&'),
        "double" => ('~', '^'),
        "int32" | "int64" => ('#', '+'),
        "string" => ('.', ','),
        _ => unreachable!("`{name}` is no type of Kubernetes"),
    };
    if is_kept { zeros_kept } else { zeros_absent }
}

/// The letter of a message that JSON has another form for.
fn form(name: &str) -> Option<char> {
    FORMS.iter().find(|(known, _)| *known == split(name).1).map(|(_, letter)| *letter)
}

/// The parts of a name before and behind its last dot.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

/// The objects of a file, all in one.
fn lines(set: &str, file: &str) -> Result<Map<String, Value>, Failure> {
    let path = format!("{set}/{file}");
    let files = data::files(set)?;
    let bytes = files.get(file).ok_or_else(|| Failure::in_file(&path, "the file is not there"))?;
    let mut all = Map::new();
    for line in serde_json::Deserializer::from_slice(bytes).into_iter::<Map<String, Value>>() {
        all.extend(line.map_err(|error| Failure::in_file(&path, error))?);
    }
    Ok(all)
}

/// The messages of the kinds in published documents, by version and group. Lists are no bodies.
fn kinds(messages: &Messages) -> Result<BTreeMap<String, BTreeMap<String, String>>, Failure> {
    let mut kinds: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (path, bytes) in documents()? {
        let document: Value =
            serde_json::from_slice(&bytes).map_err(|error| Failure::in_file(&path, error))?;
        for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
            let stated = schema["x-kubernetes-group-version-kind"].as_array();
            let Some([stated]) = stated.map(Vec::as_slice) else { continue };
            let [group, version, kind] =
                ["group", "version", "kind"].map(|key| stated[key].as_str().unwrap_or_default());
            let (package, name) = split(name);
            let package = package.replace('-', "_");
            let message = format!("k8s.io.{}.{name}", package.trim_start_matches("io.k8s."));
            if !messages.fields.contains_key(&message) || kind.ends_with("List") {
                continue;
            }
            let slash = if group.is_empty() { "" } else { "/" };
            let of_version = kinds.entry(format!("{group}{slash}{version}")).or_default();
            of_version.insert(kind.to_owned(), message);
        }
    }
    Ok(kinds)
}

/// The files of the documents.
fn documents() -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut all = Vec::new();
    for set in DOCUMENTS {
        all.extend(data::files(set)?);
    }
    Ok(all)
}

//! Definitions of custom resources, and their parts.

use crate::cause::{Cause, Causes};
use crate::path::Path;
use crate::structural;
use crate::{rules, schema};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// The kind of definitions.
const KIND: &str = "CustomResourceDefinition";
/// The group of definitions.
const GROUP: &str = "apiextensions.k8s.io";

/// The greatest number of versions of a definition. Each may become a document, which is a thousand
/// times as long as its name; definitions that are in use have fewer than 30.
pub const MOST_VERSIONS: usize = 100;
/// The words for such a list.
const VERSIONS: &str = "a list of at most 100 versions";

/// A `CustomResourceDefinition` of `apiextensions.k8s.io/v1`, or of `v1beta1`, in which all
/// versions may share a schema.
///
/// It borrows the manifest, and only its versions are read to make it.
#[derive(Clone, Debug)]
pub struct Definition<'a> {
    manifest: &'a Value,
    group: &'a str,
    plural: &'a str,
    kind: &'a str,
    is_namespaced: bool,
    versions: Vec<Version<'a>>,
}

/// One version of a definition.
#[derive(Clone, Debug)]
pub struct Version<'a> {
    name: &'a str,
    /// The members of the version. None for the single version of an older definition.
    members: Option<&'a Map<String, Value>>,
    /// The members of `spec` that apply to all versions, where the form allows them.
    shared: Option<&'a Map<String, Value>>,
    pointer: String,
}

/// The error of a definition that does not identify its resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    /// The JSON pointer in the manifest, to the nearest value that exists.
    pub pointer: String,
    /// The path of the field that is absent or of another type, such as `spec.names.plural`.
    pub field: String,
    /// The words for its type, such as `a string`.
    pub wanted: &'static str,
}

/// A column of a table, beside the name of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// The heading.
    pub name: &'a str,
    /// `string`, `integer`, `number`, `boolean` or `date`.
    pub kind: &'a str,
    /// The OpenAPI format. Empty if it has none.
    pub format: &'a str,
    /// The description. Empty if it has none.
    pub description: &'a str,
    /// 0 for columns that are always shown, more for columns of wide tables.
    pub priority: i64,
    /// The path of the value, with its first dot: `.spec.replicas`.
    pub path: &'a str,
}

/// The paths of the subresource `scale`, with their first dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale<'a> {
    /// The path of the desired number.
    pub spec_replicas: &'a str,
    /// The path of the observed number.
    pub status_replicas: &'a str,
    /// The path of the label selector as a string.
    pub label_selector: Option<&'a str>,
}

/// The strategy by which objects are converted between versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion<'a> {
    /// Only `apiVersion` changes.
    None,
    /// A webhook converts, with this configuration: the member `webhook`.
    Webhook(&'a Value),
}

/// Whether an object is a definition, of any version of its group.
#[must_use]
pub fn is_definition(object: &Value) -> bool {
    let group = object["apiVersion"].as_str().and_then(|version| version.split_once('/'));
    object["kind"] == KIND && group.is_some_and(|(group, _)| group == GROUP)
}

impl<'a> Definition<'a> {
    /// Reads a definition. [`refusals`] finds further reasons for which a server refuses it, and
    /// [`Version::published`] schemas that are published without members.
    ///
    /// [`refusals`]: crate::refusals
    ///
    /// # Errors
    /// All members that are absent or have another type, without which the resource is unknown: the
    /// group, the plural name, the kind, the scope, and the names of versions. More than 100
    /// versions.
    pub fn read(manifest: &'a Value) -> Result<Self, Vec<Incomplete>> {
        let mut absent = Vec::new();
        let spec = manifest.get("spec").and_then(Value::as_object);
        let group = required(manifest, "/spec/group", &mut absent);
        let plural = required(manifest, "/spec/names/plural", &mut absent);
        let kind = required(manifest, "/spec/names/kind", &mut absent);
        // Older definitions are namespaced by default.
        let is_older = manifest["apiVersion"] == "apiextensions.k8s.io/v1beta1";
        let stated_scope = manifest.pointer("/spec/scope");
        let has_no_scope =
            is_older && stated_scope.is_none_or(|scope| scope.is_null() || *scope == "");
        let scope = if has_no_scope {
            "Namespaced"
        } else {
            required(manifest, "/spec/scope", &mut absent)
        };
        if !["Namespaced", "Cluster", ""].contains(&scope) {
            absent.push(Incomplete::new(manifest, "/spec/scope", "`Namespaced` or `Cluster`"));
        }
        let versions =
            spec.map(|spec| versions(manifest, spec, is_older, &mut absent)).unwrap_or_default();
        if !absent.is_empty() {
            return Err(absent);
        }
        Ok(Self { manifest, group, plural, kind, is_namespaced: scope == "Namespaced", versions })
    }

    /// The manifest.
    #[must_use]
    pub fn manifest(&self) -> &'a Value {
        self.manifest
    }

    /// `metadata.name`. Empty if it is absent.
    #[must_use]
    pub fn name(&self) -> &'a str {
        text(self.manifest, "/metadata/name").unwrap_or_default()
    }

    /// The group.
    #[must_use]
    pub fn group(&self) -> &'a str {
        self.group
    }

    /// The name in paths.
    #[must_use]
    pub fn plural(&self) -> &'a str {
        self.plural
    }

    /// The kind of objects.
    #[must_use]
    pub fn kind(&self) -> &'a str {
        self.kind
    }

    /// The kind of lists: the kind and `List`, if the definition has no other.
    #[must_use]
    pub fn list_kind(&self) -> Cow<'a, str> {
        let stated = text(self.manifest, "/spec/names/listKind").filter(|kind| !kind.is_empty());
        stated.map_or_else(|| Cow::Owned(format!("{}List", self.kind)), Cow::Borrowed)
    }

    /// The singular name: the kind in lower case, if the definition has no other.
    #[must_use]
    pub fn singular(&self) -> Cow<'a, str> {
        let stated = text(self.manifest, "/spec/names/singular").filter(|name| !name.is_empty());
        stated.map_or_else(|| Cow::Owned(self.kind.to_lowercase()), Cow::Borrowed)
    }

    /// Short names, such as `po`.
    pub fn short_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        texts(self.manifest.pointer("/spec/names/shortNames"))
    }

    /// Categories, such as `all`.
    pub fn categories(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        texts(self.manifest.pointer("/spec/names/categories"))
    }

    /// Whether objects are in namespaces.
    #[must_use]
    pub fn is_namespaced(&self) -> bool {
        self.is_namespaced
    }

    /// All versions, in the order of the definition.
    #[must_use]
    pub fn versions(&self) -> &[Version<'a>] {
        &self.versions
    }

    /// The served versions.
    pub fn served(&self) -> impl Iterator<Item = &Version<'a>> {
        self.versions.iter().filter(|version| version.is_served())
    }

    /// The version in which objects are stored.
    #[must_use]
    pub fn storage(&self) -> Option<&Version<'a>> {
        self.versions.iter().find(|version| version.is_storage())
    }

    /// The strategy by which objects are converted between versions.
    #[must_use]
    pub fn conversion(&self) -> Conversion<'a> {
        let conversion = &self.manifest["spec"]["conversion"];
        match conversion["strategy"].as_str() {
            Some("Webhook") => {
                Conversion::Webhook(conversion.get("webhook").unwrap_or(&Value::Null))
            }
            _ => Conversion::None,
        }
    }

    /// The warning that servers send with responses of a version: its own, or the servers' default
    /// if it has none. `None` if the version is not deprecated.
    #[must_use]
    pub fn warning(&self, version: &Version<'a>) -> Option<Cow<'a, str>> {
        if !version.is_deprecated() {
            return None;
        }
        Some(match version.own("deprecationWarning").and_then(Value::as_str) {
            Some(stated) => stated.into(),
            None => format!("{}/{} {} is deprecated", self.group, version.name, self.kind).into(),
        })
    }
}

/// The versions of a definition. Older ones may have a single version without a list.
fn versions<'a>(
    manifest: &Value,
    spec: &'a Map<String, Value>,
    is_older: bool,
    absent: &mut Vec<Incomplete>,
) -> Vec<Version<'a>> {
    let shared = is_older.then_some(spec);
    let list = spec.get("versions").and_then(Value::as_array).filter(|list| !list.is_empty());
    let single =
        spec.get("version").and_then(Value::as_str).filter(|name| is_older && !name.is_empty());
    if list.is_some_and(|list| list.len() > MOST_VERSIONS) {
        absent.push(Incomplete::new(manifest, "/spec/versions", VERSIONS));
        return Vec::new();
    }
    let Some(list) = list else {
        let version =
            single.map(|name| Version { name, members: None, shared, pointer: "/spec".to_owned() });
        if version.is_none() {
            absent.push(Incomplete::new(manifest, "/spec/versions", VERSIONS));
        }
        return version.into_iter().collect();
    };
    let mut versions = Vec::new();
    for (index, version) in list.iter().enumerate() {
        let pointer = format!("/spec/versions/{index}");
        match (version.as_object(), version["name"].as_str().filter(|name| !name.is_empty())) {
            (Some(members), Some(name)) => {
                versions.push(Version { name, members: Some(members), shared, pointer });
            }
            _ => absent.push(Incomplete::new(manifest, &format!("{pointer}/name"), "a string")),
        }
    }
    versions
}

impl<'a> Version<'a> {
    /// The name, such as `v1`.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The JSON pointer of the version in the manifest.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Whether servers serve it.
    #[must_use]
    pub fn is_served(&self) -> bool {
        self.flag("served")
    }

    /// Whether objects are stored in it.
    #[must_use]
    pub fn is_storage(&self) -> bool {
        self.flag("storage")
    }

    /// Whether it is deprecated. [`Definition::warning`] has the words.
    #[must_use]
    pub fn is_deprecated(&self) -> bool {
        self.own("deprecated") == Some(&Value::Bool(true))
    }

    /// `openAPIV3Schema`, as the definition has it.
    #[must_use]
    pub fn schema(&self) -> Option<&'a Value> {
        let own = self.own("schema").and_then(|schema| schema.get("openAPIV3Schema"));
        own.or_else(|| self.shared?.get("validation")?.get("openAPIV3Schema"))
            .filter(|schema| !schema.is_null())
    }

    /// The JSON pointer of the schema in the manifest.
    #[must_use]
    pub fn schema_pointer(&self) -> String {
        let is_own =
            self.own("schema").is_some_and(|schema| schema.get("openAPIV3Schema").is_some());
        if is_own || self.shared.is_none() {
            format!("{}/schema/openAPIV3Schema", self.pointer)
        } else {
            "/spec/validation/openAPIV3Schema".to_owned()
        }
    }

    /// The schema as servers publish it, before a resource's members `apiVersion`, `kind` and
    /// `metadata` are added to it. Keywords that servers do not know are left out, and it has the
    /// alternatives that they add for `x-kubernetes-int-or-string`.
    ///
    /// # Errors
    /// The reasons for which the schema is not structural, or uses an invalid type. Servers publish
    /// such a kind as `{"type": "object"}`. The list is empty if the version has no schema.
    pub fn published(&self) -> Result<Value, Vec<Cause>> {
        let Some(schema) = self.schema() else { return Err(Vec::new()) };
        let pointer = self.schema_pointer();
        let name = crate::path::field(&pointer);
        let path = Path::Start(&name, &pointer);
        let members = structural::decoded(schema, &path)?;
        let mut causes = Causes::default();
        structural::check(members, &path, &mut causes);
        rules::check_keywords_and_types(members, &path, &mut causes);
        if causes.is_empty() { Ok(schema::published(members)) } else { Err(causes.into_list()) }
    }

    /// The schema as [`published`](Self::published) has it, even if it is not structural, without
    /// the values that no server decodes. `None` if the version has no schema.
    #[must_use]
    pub fn with_all_members(&self) -> Option<Value> {
        let schema = self.schema()?;
        let decoded = structural::decoded(schema, &Path::ROOT);
        Some(
            decoded
                .map_or_else(|_| schema::published(&structural::mended(schema)), schema::published),
        )
    }

    /// Whether it has the subresource `status`.
    #[must_use]
    pub fn has_status(&self) -> bool {
        self.inherited("subresources").is_some_and(|subresources| !subresources["status"].is_null())
    }

    /// The subresource `scale`.
    #[must_use]
    pub fn scale(&self) -> Option<Scale<'a>> {
        let scale =
            self.inherited("subresources")?.get("scale").filter(|scale| scale.is_object())?;
        Some(Scale {
            spec_replicas: text(scale, "/specReplicasPath").unwrap_or_default(),
            status_replicas: text(scale, "/statusReplicasPath").unwrap_or_default(),
            label_selector: text(scale, "/labelSelectorPath"),
        })
    }

    /// The columns of tables. Without any, servers show the age.
    pub fn columns(&self) -> impl Iterator<Item = Column<'a>> + use<'a> {
        self.inherited("additionalPrinterColumns")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(column)
    }

    /// The paths of members that field selectors may name, without their first dot: `spec.color`.
    pub fn selectable_fields(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let fields = self.inherited("selectableFields").and_then(Value::as_array);
        fields
            .into_iter()
            .flatten()
            .filter_map(|field| field["jsonPath"].as_str())
            .map(|path| path.strip_prefix('.').unwrap_or(path))
    }

    /// A member of the version itself.
    fn own(&self, name: &str) -> Option<&'a Value> {
        self.members?.get(name).filter(|value| !value.is_null())
    }

    /// A member of the version, or else the member of `spec` for all versions.
    pub(crate) fn inherited(&self, name: &str) -> Option<&'a Value> {
        self.own(name).or_else(|| self.shared?.get(name))
    }

    /// A flag. The single version of an older definition is served and stored.
    fn flag(&self, name: &str) -> bool {
        self.members.is_none() || self.own(name) == Some(&Value::Bool(true))
    }
}

impl Incomplete {
    fn new(manifest: &Value, pointer: &str, wanted: &'static str) -> Self {
        let mut there = pointer;
        while manifest.pointer(there).is_none() {
            there = there.rsplit_once('/').map_or("", |(parent, _)| parent);
        }
        Self { pointer: there.to_owned(), field: crate::path::field(pointer), wanted }
    }
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the definition has no `{}`, or it is not {}", self.field, self.wanted)
    }
}

impl std::error::Error for Incomplete {}

fn column(column: &Value) -> Column<'_> {
    // Older definitions have it in capitals.
    let path = text(column, "/jsonPath").or_else(|| text(column, "/JSONPath"));
    Column {
        name: text(column, "/name").unwrap_or_default(),
        kind: text(column, "/type").unwrap_or_default(),
        format: text(column, "/format").unwrap_or_default(),
        description: text(column, "/description").unwrap_or_default(),
        priority: column["priority"].as_i64().unwrap_or_default(),
        path: path.unwrap_or_default(),
    }
}

/// The string at a pointer. Without one, the definition is incomplete.
fn required<'a>(manifest: &'a Value, pointer: &str, absent: &mut Vec<Incomplete>) -> &'a str {
    text(manifest, pointer).unwrap_or_else(|| {
        absent.push(Incomplete::new(manifest, pointer, "a string"));
        ""
    })
}

/// The string at a pointer, unless it is empty.
fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str().filter(|text| !text.is_empty())
}

/// The strings of a list.
fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> + use<'_> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

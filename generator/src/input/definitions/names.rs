//! Names of definitions that no server accepts.

use super::notes::Finding;
use super::refusals::{Indexed, Refusal};
use kapigen_definitions::{Definition, refusals};
use serde_json::{Value, json};

/// The beginnings of placeholders: of Helm and Go, and of shells.
const PLACEHOLDERS: [&str; 2] = ["{{", "${"];

/// Errors of names that are placeholders in quotes, as in a template: such a text is YAML, but
/// defines another resource than the author meant.
pub(super) fn placeholders(one: &Indexed<'_>) -> Vec<Refusal> {
    const HELP: &str = "it looks like a template: render it first, as `helm template` does, and \
                        give the result";
    let definition = &one.definition;
    let manifest = definition.manifest();
    let names = ["/spec/group", "/spec/names/plural", "/spec/names/kind", "/spec/names/listKind"]
        .map(|pointer| (pointer.to_owned(), manifest.pointer(pointer)));
    let versions = definition.versions().iter().map(|version| {
        let place = format!("{}/name", version.pointer());
        let stated = manifest.pointer(&place);
        (place, stated)
    });
    let names = names.into_iter().chain(versions);
    let found = names.filter_map(|(pointer, name)| {
        let name = name?.as_str()?;
        let is_placeholder = PLACEHOLDERS.iter().any(|start| name.contains(start));
        let message = format!("`{name}` is a placeholder, and no name");
        is_placeholder.then(|| Refusal::new(one.index, pointer, message, HELP))
    });
    found.collect()
}

/// Notes on names, versions and paths for which servers refuse a definition. Rules of schemas are
/// noted elsewhere.
pub(super) fn refused(one: &Indexed<'_>) -> Vec<Finding> {
    let Indexed { index, definition } = one;
    let index = *index;
    let manifest = definition.manifest();
    let spec = &manifest["spec"];
    let versions = definition.versions().iter().map(|version| {
        let own = manifest.pointer(version.pointer()).unwrap_or(&Value::Null);
        json!({"name": version.name(), "subresources": own["subresources"]})
    });
    // A server checks all of it in the order of its own form; the rest is left out.
    let reduced = json!({
        "metadata": {"name": manifest["metadata"]["name"]},
        "spec": {
            "group": spec["group"],
            "names": spec["names"],
            "versions": versions.collect::<Vec<_>>(),
        },
    });
    let name = format!("`{}`", one.resource());
    // A server states the name of the first version twice.
    let causes = refusals(&reduced)
        .into_iter()
        .filter(|cause| is_of_names(&cause.pointer) && cause.field != "spec.version");
    let mut found = Vec::new();
    for cause in causes {
        let message = format!("no server accepts {name}: {cause}");
        let pointer = pointer_in(definition, cause.pointer);
        found.push(Finding { index, pointer, message });
    }
    for version in definition.versions() {
        let paths = version.scale().into_iter().flat_map(|scale| {
            [Some(scale.spec_replicas), Some(scale.status_replicas), scale.label_selector]
        });
        for path in paths.flatten().filter(|path| path.contains('[')) {
            let message = format!(
                "no server finds a value for `scale` of {name}: its paths have names and dots \
                 alone, and `{path}` has a bracket"
            );
            let pointer = format!("{}/subresources/scale", version.pointer());
            found.push(Finding { index, pointer, message });
        }
    }
    found.sort_by(|one, other| (&one.pointer, &one.message).cmp(&(&other.pointer, &other.message)));
    found.dedup_by(|one, other| (&one.pointer, &one.message) == (&other.pointer, &other.message));
    found
}

/// Whether a pointer is to a name, or to what names decide.
fn is_of_names(pointer: &str) -> bool {
    pointer == "/metadata/name"
        || ["/spec/group", "/spec/names"].iter().any(|start| pointer.starts_with(start))
        || pointer.starts_with("/spec/versions/")
            && (pointer.ends_with("/name") || pointer.contains("/subresources/"))
}

/// The pointer in a definition, which may state its single version elsewhere.
fn pointer_in(definition: &Definition<'_>, pointer: String) -> String {
    let inner = pointer.strip_prefix("/spec/versions/").and_then(|rest| rest.split_once('/'));
    let version =
        inner.and_then(|(number, _)| definition.versions().get(number.parse::<usize>().ok()?));
    match (inner, version) {
        (Some((_, member)), Some(version)) => format!("{}/{member}", version.pointer()),
        _ => pointer,
    }
}

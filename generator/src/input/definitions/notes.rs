//! Notes on the parts of definitions that servers do not serve.

use super::refusals::Indexed;
use kapigen_definitions::{Cause, Definition};
use std::collections::BTreeMap;

/// A note, by the index of a manifest and the pointer in it.
pub(super) struct Finding {
    pub(super) index: usize,
    pub(super) pointer: String,
    pub(super) message: String,
}

/// Notes the definitions with a kind or list kind that an earlier definition has taken: a server
/// serves only the first.
pub(super) fn left_out(read: &[Indexed<'_>]) -> Vec<Finding> {
    let mut taken: BTreeMap<(&str, &str, String), &Definition<'_>> = BTreeMap::new();
    let mut notes = Vec::new();
    for Indexed { index, definition } in read {
        for version in definition.served() {
            let names = [definition.kind().to_owned(), definition.list_kind().into_owned()];
            let keys = names.map(|name| (definition.group(), version.name(), name));
            let found = keys.iter().find_map(|key| Some((&key.2, taken.get(key)?)));
            let Some((name, other)) = found else {
                taken.extend(keys.map(|key| (key, definition)));
                continue;
            };
            if other.plural() != definition.plural() {
                let [left_out, first] = [definition.kind(), other.kind()];
                let place = format!("{}/{}", definition.group(), version.name());
                let message = format!(
                    "`{left_out}` of {place} is left out, as a server does: `{name}` is also a \
                     kind or list kind of `{first}`"
                );
                let pointer = "/spec/names".to_owned();
                notes.push(Finding { index: *index, pointer, message });
            }
        }
    }
    notes
}

/// Notes the versions that servers publish without members, with the reason. Each value that no
/// server decodes is named, since it is left out.
pub(super) fn not_structural(one: &Indexed<'_>) -> Vec<Finding> {
    let Indexed { index, definition } = one;
    let index = *index;
    let mut notes = Vec::new();
    for version in definition.served() {
        let kind = format!("`{}` of {}/{}", definition.kind(), definition.group(), version.name());
        if version.schema().is_none() {
            let message = format!("{kind} has no schema, and so no members");
            notes.push(Finding { index, pointer: version.pointer().to_owned(), message });
            continue;
        }
        let causes = version.published().err().unwrap_or_default();
        let (mistyped, others): (Vec<_>, Vec<_>) = causes.into_iter().partition(Cause::is_mistyped);
        for cause in mistyped {
            let message =
                format!("left out of the schema of {kind}, as no server decodes it: {cause}");
            notes.push(Finding { index, pointer: cause.pointer, message });
        }
        let more = match others.len() {
            0 | 1 => String::new(),
            many => format!(", and {} more", many - 1),
        };
        if let Some(first) = others.into_iter().next() {
            let message = format!("no server accepts the schema of {kind}: {first}{more}");
            notes.push(Finding { index, pointer: first.pointer, message });
        }
    }
    notes
}

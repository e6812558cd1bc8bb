//! Changes of definitions for people, for pull requests, and for programs.

use super::change::{Affected, DefinitionChange, DefinitionChangeKind};
use crate::diff::report::{code, line, plural};
use crate::visible::{quoted, visible};
use serde_json::{Value, json};

/// The changes for a terminal. `highlight` formats the words for the affected parties.
#[must_use]
pub fn text(changes: &[DefinitionChange], highlight: &dyn Fn(&str) -> String) -> String {
    let width = Affected::Both.as_str().len();
    let mut text = String::new();
    for changes in changes.chunk_by(|one, other| one.resource == other.resource) {
        line(&mut text, format_args!("definition {}", visible(&changes[0].resource)));
        for change in changes {
            let affected = change.kind.affects().as_str();
            let space = " ".repeat(width - affected.len());
            let sentence = sentence(change, &quoted);
            line(&mut text, format_args!("  {}{space} {sentence}", highlight(affected)));
        }
    }
    text + &total(changes) + "\n"
}

/// The changes for a pull request.
#[must_use]
pub fn markdown(changes: &[DefinitionChange]) -> String {
    let mut list = String::new();
    for changes in changes.chunk_by(|one, other| one.resource == other.resource) {
        line(&mut list, format_args!("- definition {}", code(&changes[0].resource)));
        for change in changes {
            let affected = change.kind.affects().as_str();
            line(&mut list, format_args!("  - **{affected}**: {}", sentence(change, &code)));
        }
    }
    let space = if list.is_empty() { "" } else { "\n" };
    format!("### Clients and stored objects\n\n{list}{space}{}\n", total(changes))
}

/// The changes for programs.
#[must_use]
pub fn json(changes: &[DefinitionChange]) -> Value {
    let list = changes.iter().map(|change| {
        let affected = change.kind.affects();
        json!({
            "definition": change.resource,
            "version": change.version,
            "field": change.field,
            "change": change.kind.as_str(),
            "breaksClients": affected != Affected::Objects,
            "breaksObjects": affected != Affected::Clients,
            "old": change.old,
            "new": change.new,
        })
    });
    json!({ "breaking": changes.len(), "changes": list.collect::<Vec<_>>() })
}

fn total(changes: &[DefinitionChange]) -> String {
    let [clients, objects] = [Affected::Objects, Affected::Clients]
        .map(|other| changes.iter().filter(|change| change.kind.affects() != other).count());
    if (clients, objects) == (0, 0) {
        return "The definitions break neither clients nor stored objects.".to_owned();
    }
    format!(
        "{clients} change{} that break{} clients, {objects} that break{} stored objects.",
        plural(clients),
        if clients == 1 { "s" } else { "" },
        if objects == 1 { "s" } else { "" },
    )
}

/// The change in words; `code` writes names, types and rules.
fn sentence(change: &DefinitionChange, code: &dyn Fn(&str) -> String) -> String {
    let field = Some(change.field.as_str()).filter(|field| !field.is_empty());
    let place = match (field, &change.version) {
        (Some(field), Some(version)) => format!("{} of {}: ", code(field), code(version)),
        (Some(part), None) => format!("{}: ", code(part)),
        (None, Some(version)) => format!("{}: ", code(version)),
        (None, None) => String::new(),
    };
    format!("{place}{}", predicate(change, code))
}

fn predicate(change: &DefinitionChange, code: &dyn Fn(&str) -> String) -> String {
    use DefinitionChangeKind as Kind;
    let [old, new] = [&change.old, &change.new]
        .map(|state| state.as_deref().map_or_else(|| "none".to_owned(), code));
    let subject = match change.kind {
        Kind::Removed | Kind::FieldRemoved => return "removed".to_owned(),
        Kind::ScopeChanged => "scope now",
        Kind::KindChanged => "kind now",
        Kind::ListKindChanged => "kind of lists now",
        Kind::VersionUnserved => return "no longer served".to_owned(),
        Kind::StorageRemoved => return "removed, and objects were stored in it".to_owned(),
        Kind::StorageChanged => "objects now stored in",
        Kind::StatusAdded => {
            return "subresource `status` added: writes of objects no longer change it".to_owned();
        }
        Kind::StatusRemoved => return "subresource `status` removed".to_owned(),
        Kind::ConversionRemoved => {
            return "webhook of conversions removed: only `apiVersion` changes between versions"
                .to_owned();
        }
        Kind::ScaleRemoved => return "subresource `scale` removed".to_owned(),
        Kind::ScaleChanged => "paths of the subresource `scale` now",
        Kind::SelectableRemoved => return "no longer in field selectors".to_owned(),
        Kind::UnknownPruned => return "no longer keeps unknown members".to_owned(),
        Kind::TypeChanged => "type now",
        Kind::RequiredAdded => return "now required, without a default".to_owned(),
        Kind::NullableRemoved => return "no longer `null`".to_owned(),
        Kind::DefaultAdded | Kind::DefaultChanged | Kind::DefaultRemoved => "default now",
        Kind::EnumNarrowed if change.old.is_none() => {
            return format!("only {new} allowed, was any value");
        }
        Kind::EnumNarrowed => return format!("no longer {old}; allowed are {new}"),
        Kind::PatternChanged => "pattern now",
        Kind::FormatChanged => "format now",
        Kind::BoundNarrowed => "bound now",
        Kind::ListTypeChanged => "list type now",
        Kind::ListKeysChanged => "list keys now",
        Kind::MapTypeChanged => "map type now",
        Kind::EmbeddedAdded => return "now an object with `apiVersion` and `kind`".to_owned(),
        Kind::AlternativesChanged => "alternatives now",
        Kind::RuleAdded => return format!("rule added: {new}"),
        Kind::RuleChanged => "rule now",
    };
    format!("{subject} {new}, was {old}")
}

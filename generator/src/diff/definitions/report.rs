//! Changes of definitions for people, for pull requests, and for programs.

use super::change::{Affected, DefinitionChange, DefinitionChangeKind};
use crate::emit::markdown::Markdown;
use crate::visible::visible;
use serde_json::{Value, json};

/// The changes for a terminal. `highlight` formats the words for the affected parties.
#[must_use]
pub fn text(changes: &[DefinitionChange], highlight: &dyn Fn(&str) -> String) -> String {
    let code = |string: &str| format!("`{}`", visible(string));
    let width = Affected::Both.as_str().len();
    let line = |change: &DefinitionChange| {
        let affected = change.kind.affects().as_str();
        let space = " ".repeat(width - affected.len());
        format!("  {}{space} {}\n", highlight(affected), sentence(change, &code))
    };
    let of_resource = |changes: &[DefinitionChange]| {
        let lines: String = changes.iter().map(line).collect();
        format!("definition {}\n{lines}", visible(&changes[0].resource))
    };
    let groups = changes.chunk_by(|one, other| one.resource == other.resource);
    groups.map(of_resource).collect::<String>() + &total(changes) + "\n"
}

/// The changes for a pull request.
#[must_use]
pub fn markdown(changes: &[DefinitionChange]) -> String {
    let code = |string: &str| Markdown::code(string).to_string();
    let line = |change: &DefinitionChange| {
        format!("  - **{}**: {}\n", change.kind.affects().as_str(), sentence(change, &code))
    };
    let of_resource = |changes: &[DefinitionChange]| {
        let lines: String = changes.iter().map(line).collect();
        format!("- definition {}\n{lines}", code(&changes[0].resource))
    };
    let groups = changes.chunk_by(|one, other| one.resource == other.resource);
    let list: String = groups.map(of_resource).collect();
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
    let count =
        |other: Affected| changes.iter().filter(|change| change.kind.affects() != other).count();
    match (count(Affected::Objects), count(Affected::Clients)) {
        (0, 0) => "The definitions break neither clients nor stored objects.".to_owned(),
        (clients, objects) => {
            let plural = |count| if count == 1 { "" } else { "s" };
            format!(
                "{clients} change{} that break{} clients, {objects} that break{} stored objects.",
                plural(clients),
                if clients == 1 { "s" } else { "" },
                if objects == 1 { "s" } else { "" },
            )
        }
    }
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
    let shown = |state: &Option<String>| state.as_deref().map_or_else(|| "none".to_owned(), code);
    let was =
        |subject: &str| format!("{subject} {}, was {}", shown(&change.new), shown(&change.old));
    match change.kind {
        Kind::Removed | Kind::FieldRemoved => "removed".to_owned(),
        Kind::ScopeChanged => was("scope now"),
        Kind::KindChanged => was("kind now"),
        Kind::ListKindChanged => was("kind of lists now"),
        Kind::VersionUnserved => "no longer served".to_owned(),
        Kind::StorageRemoved => "removed, and objects were stored in it".to_owned(),
        Kind::StorageChanged => was("objects now stored in"),
        Kind::StatusAdded => {
            "subresource `status` added: writes of objects no longer change it".to_owned()
        }
        Kind::StatusRemoved => "subresource `status` removed".to_owned(),
        Kind::ConversionRemoved => {
            "webhook of conversions removed: only `apiVersion` changes between versions".to_owned()
        }
        Kind::ScaleRemoved => "subresource `scale` removed".to_owned(),
        Kind::ScaleChanged => was("paths of the subresource `scale` now"),
        Kind::SelectableRemoved => "no longer in field selectors".to_owned(),
        Kind::UnknownPruned => "no longer keeps unknown members".to_owned(),
        Kind::TypeChanged => was("type now"),
        Kind::RequiredAdded => "now required, without a default".to_owned(),
        Kind::NullableRemoved => "no longer `null`".to_owned(),
        Kind::DefaultAdded | Kind::DefaultChanged | Kind::DefaultRemoved => was("default now"),
        Kind::EnumNarrowed => match &change.old {
            Some(gone) => format!("no longer {}; allowed are {}", code(gone), shown(&change.new)),
            None => format!("only {} allowed, was any value", shown(&change.new)),
        },
        Kind::PatternChanged => was("pattern now"),
        Kind::FormatChanged => was("format now"),
        Kind::BoundNarrowed => was("bound now"),
        Kind::ListTypeChanged => was("list type now"),
        Kind::ListKeysChanged => was("list keys now"),
        Kind::MapTypeChanged => was("map type now"),
        Kind::EmbeddedAdded => "now an object with `apiVersion` and `kind`".to_owned(),
        Kind::AlternativesChanged => was("alternatives now"),
        Kind::RuleAdded => format!("rule added: {}", shown(&change.new)),
        Kind::RuleChanged => was("rule now"),
    }
}

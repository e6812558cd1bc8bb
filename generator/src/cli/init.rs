//! A first `groups.yaml`, which selects all resources of the documents, for users to trim.

use crate::lower::Offered;
use crate::names;
use std::fmt::Write;

const HEAD: &str = "\
# Which parts of the documents the crate has. Remove what you do not need: types that nothing else \
                    needs go with it.
# A group without `resources` has all that the documents offer.
groups:
";

const TAIL: &str = "
# The releases of the documents, for the documentation of the crate and its constant `RELEASES`.
# releases:
#   Kubernetes: \"1.34\"

# Schemas that the crate has although no resource needs them, by their names under \
                    `components/schemas`.
# types:
#   - io.k8s.api.core.v1.Binding

# Rust names that differ from what the rules make of a schema, or of a member of one.
# rename:
#   com.example.v1.Widget: Gadget
#   com.example.v1.Widget.colour: color

# Nested schemas that are copies of named ones, whose types they have then.
# same-as:
#   com.example.v1.Widget/properties/spec/properties/template: io.k8s.api.core.v1.PodTemplateSpec
";

/// The content of a `groups.yaml` that selects everything.
#[must_use]
pub fn groups(offered: &Offered) -> String {
    let mut text = HEAD.to_owned();
    for (group_version, plurals) in offered {
        let module =
            names::default_module(&group_version.group, &group_version.version).unwrap_or_default();
        let lines = [
            format!("  - group: {}", scalar(&group_version.group)),
            format!("    version: {}", scalar(&group_version.version)),
            format!("    # module: {module}"),
            "    resources:".to_owned(),
        ];
        let plurals = plurals.iter().map(|plural| format!("      - {}", scalar(plural)));
        for line in lines.into_iter().chain(plurals) {
            writeln!(text, "{line}").expect("writing to a string does not fail");
        }
    }
    text + TAIL
}

/// A scalar of YAML: plain where that is safe, else quoted as in JSON, which is YAML.
fn scalar(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
        && !matches!(text, "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n");
    if plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Source, parse};
    use crate::visible::visible_yaml;

    #[test]
    fn escaped_scalars_keep_the_string() {
        for hostile in ["a\u{feff}b", "\u{e0041}", "\u{202e}\u{2028}\u{9b}", "é\u{1f600}\u{a0}"] {
            let text = visible_yaml(&scalar(hostile)).into_owned();
            let source = Source { name: "groups.yaml".to_owned(), text };
            assert_eq!(parse::file::<String>(&source), Ok(hostile.to_owned()));
        }
    }
}

//! Names of the modules of group-versions.

use super::module;

/// The longest name of a group-version's module and of the file of a type. Longer ones are cut,
/// before numbers follow.
const LONGEST_MADE: usize = 80;

/// The longest version that stays whole in a cut name. API servers have no longer ones than 63
/// characters.
const LONGEST_VERSION: usize = 63;

/// The longest module that `groups.yaml` can choose: a cut name with a number, so that each made
/// name can be chosen.
pub const LONGEST_MODULE: usize = LONGEST_MADE + 10;

/// The longest name of a resource's module, and of a subresource in the name of a function. Longer
/// ones are refused.
pub const LONGEST_RESOURCE: usize = 150;

/// The default module of a group-version: `.k8s.io` is dropped, other groups are kept in full.
#[must_use]
pub fn default_module(group: &str, version: &str) -> Option<String> {
    module_of(short(group), version)
}

/// The name of a module with the whole group, for use where another group has the default name.
#[must_use]
pub fn full_module(group: &str, version: &str) -> Option<String> {
    let group = if group.is_empty() { "core" } else { group };
    module_of(group, version)
}

/// Whether the default module of a group-version is cut.
#[must_use]
pub fn is_cut(group: &str, version: &str) -> bool {
    uncut_module(short(group), version).is_some_and(|name| name.len() > LONGEST_MADE)
}

fn short(group: &str) -> &str {
    match group {
        "" => "core",
        group => group.strip_suffix(".k8s.io").unwrap_or(group),
    }
}

/// The name of a module, cut before its version: the versions of a group have different names,
/// whichever are served.
fn module_of(group: &str, version: &str) -> Option<String> {
    let name = uncut_module(group, version)?;
    if name.len() <= LONGEST_MADE {
        return Some(name);
    }
    let version = module(version).unwrap_or_default();
    let group = name.strip_suffix(&version).unwrap_or(&name).trim_end_matches('_').to_owned();
    let version = cut(version, LONGEST_VERSION);
    let group = cut(group, LONGEST_MADE - 1 - version.len());
    Some(format!("{group}_{version}").trim_matches('_').to_owned())
}

fn uncut_module(group: &str, version: &str) -> Option<String> {
    module(&format!("{}_{version}", group.replace(['.', '-'], "_")))
}

/// Cuts the name of the file of a type.
pub(super) fn cut_file(name: String) -> String {
    cut(name, LONGEST_MADE)
}

/// Cuts a name after a number of characters. Names of modules are ASCII.
fn cut(mut name: String, longest: usize) -> String {
    if name.len() > longest {
        name.truncate(longest);
        name.truncate(name.trim_end_matches('_').len());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_after_their_group() {
        let cases = [
            ("", "v1", "core_v1"),
            ("apps", "v1", "apps_v1"),
            ("coordination.k8s.io", "v1beta1", "coordination_v1beta1"),
            ("rbac.authorization.k8s.io", "v1", "rbac_authorization_v1"),
            ("stable.example.com", "v1", "stable_example_com_v1"),
            ("image.openshift.io", "v1", "image_openshift_io_v1"),
        ];
        for (group, version, name) in cases {
            assert_eq!(default_module(group, version).as_deref(), Some(name));
        }
    }

    #[test]
    fn long_groups_are_cut_before_their_version() {
        let group = |length: usize| format!("{}.example.com", "a".repeat(length));
        assert_eq!(default_module(&group(10), "v1").as_deref(), Some("aaaaaaaaaa_example_com_v1"));
        for version in ["v1", "v2", "v1beta1", &"v".repeat(LONGEST_VERSION)] {
            let name = format!("{}_{version}", "a".repeat(LONGEST_MADE - 1 - version.len()));
            assert_eq!(default_module(&group(100), version).as_deref(), Some(name.as_str()));
            assert_eq!(full_module(&group(100), version), Some(name));
        }
        assert_eq!(
            default_module("a", &"v".repeat(100)),
            Some(format!("a_{}", "v".repeat(LONGEST_VERSION)))
        );
        assert_eq!(full_module(&group(100), "\u{540d}"), Some("a".repeat(LONGEST_MADE - 1)));
        let ends = format!("{}-b", "a".repeat(LONGEST_MADE - "_v1".len() - 1));
        assert_eq!(default_module(&ends, "v1"), Some(format!("{}_v1", &ends[..ends.len() - 2])));
    }

    #[test]
    fn cut_is_a_name_that_would_be_longer() {
        let group = "a".repeat(LONGEST_MADE - "_v1".len());
        assert!(!is_cut(&group, "v1") && !is_cut(&format!("{group}.k8s.io"), "v1"));
        assert!(is_cut(&group, "v10") && is_cut(&format!("{group}a.k8s.io"), "v1"));
    }
}

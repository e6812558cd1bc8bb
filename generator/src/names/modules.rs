//! Names of the modules of group-versions.

use super::module;

/// The longest name of a group-version's module and of the file of a type. Longer ones are cut, before numbers follow;
/// `groups.yaml` may not give longer ones.
pub const LONGEST_MODULE: usize = 80;

/// The longest name of a resource's module, and of a subresource in the name of a function. Longer ones are refused.
pub const LONGEST_RESOURCE: usize = 150;

/// The default module of a group-version: `.k8s.io` is dropped, other groups are kept in full.
#[must_use]
pub fn default_module(group: &str, version: &str) -> Option<String> {
    let group = match group {
        "" => "core",
        group => group.strip_suffix(".k8s.io").unwrap_or(group),
    };
    module_of(group, version)
}

/// The name of a module with the whole group: where the default name is that of another group.
#[must_use]
pub fn full_module(group: &str, version: &str) -> Option<String> {
    let group = if group.is_empty() { "core" } else { group };
    module_of(group, version)
}

fn module_of(group: &str, version: &str) -> Option<String> {
    module(&format!("{}_{version}", group.replace(['.', '-'], "_"))).map(cut)
}

/// Cuts the name of a folder or file after [`LONGEST_MODULE`] characters. Names of modules are ASCII.
pub(super) fn cut(mut name: String) -> String {
    if name.len() > LONGEST_MODULE {
        name.truncate(LONGEST_MODULE);
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
    fn long_groups_are_cut() {
        let group = |length: usize| format!("{}.example.com", "a".repeat(length));
        assert_eq!(default_module(&group(10), "v1").as_deref(), Some("aaaaaaaaaa_example_com_v1"));
        assert_eq!(default_module(&group(100), "v1"), Some("a".repeat(LONGEST_MODULE)));
        assert_eq!(full_module(&group(LONGEST_MODULE - 1), "v1"), Some("a".repeat(LONGEST_MODULE - 1)));
    }
}

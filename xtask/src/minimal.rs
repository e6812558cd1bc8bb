//! `cargo xtask minimal`: compiles the packages with the lowest versions that their requirements
//! allow.

use crate::{Failure, at, succeeds};
use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};
use toml::{Table, Value};

/// Packages that are compiled with the lowest versions of their dependencies, and the other
/// packages of this repository that they need.
struct Case {
    name: &'static str,
    /// The folders that are compiled.
    members: &'static [&'static str],
    /// The folders of the manifests with the requirements that count.
    lowest: &'static [&'static str],
    /// Arguments that enable features of other packages.
    features: &'static [&'static str],
}

const CASES: [Case; 6] = [
    Case { name: "yaml", members: &["templates/yaml"], lowest: &["templates/yaml"], features: &[] },
    Case {
        name: "client",
        // Emitted code has no dependencies of its own, but its macros use the runtime's.
        members: &["templates/yaml", "templates/runtime", "templates/client", "generated"],
        lowest: &["templates/runtime", "templates/client"],
        features: &[],
    },
    Case {
        name: "connect",
        members: &["templates/yaml", "templates/connect"],
        lowest: &["templates/connect"],
        features: &[],
    },
    Case {
        name: "definitions",
        members: &["templates/yaml", "templates/definitions"],
        lowest: &["templates/definitions"],
        features: &[],
    },
    Case {
        name: "fake",
        members: &[
            "templates/yaml",
            "templates/definitions",
            "templates/runtime",
            "templates/fake",
        ],
        // The version of clap is in the manifest of the workspace.
        lowest: &["templates/fake", ""],
        features: &[],
    },
    Case {
        name: "kapigen",
        members: &["templates/yaml", "templates/definitions", "generator"],
        // Its requirements are in its own manifest and in the workspace's.
        lowest: &["generator", ""],
        features: &[],
    },
];

/// kapigen-kube alone: kube compiles for longer than all of the others together.
const KUBE: Case = Case {
    name: "kube",
    members: &["templates/runtime", "templates/kube"],
    // kube needs newer versions than the runtime alone.
    lowest: &["templates/kube"],
    // Programs select the version of Kubernetes.
    features: &["--features", "k8s-openapi/latest"],
};

/// Compiles all but kapigen-kube, or only that, each case in a workspace of its own below `target`.
/// Returns whether all compile.
///
/// # Errors
/// When the disk fails, a manifest is not understood, or cargo cannot be started.
pub fn run(root: &Path, kube: bool) -> Result<bool, Failure> {
    let target = root.join("target/minimal");
    let mut good = true;
    for case in if kube { std::slice::from_ref(&KUBE) } else { &CASES } {
        let folder = target.join(case.name);
        prepare(case, root, &folder)?;
        let cargo = |arguments: &[&str]| {
            let mut command = crate::cargo(&folder);
            succeeds(command.args(arguments).env("CARGO_TARGET_DIR", target.join("target")))
        };
        // All other packages are at their newest, so that only our own requirements can be the
        // cause.
        let check = [&["check", "--workspace", "--all-features"], case.features].concat();
        good &= cargo(&["update", "--quiet"])? && cargo(&check)?;
    }
    Ok(good)
}

fn prepare(case: &Case, root: &Path, folder: &Path) -> Result<(), Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(at(folder))?;
    }
    for member in case.members {
        copy(&root.join(member), &folder.join(member))?;
    }
    for member in [""].iter().chain(case.members) {
        let path = root.join(member).join("Cargo.toml");
        let mut manifest = read(&path)?;
        if member.is_empty() {
            section(&mut manifest, "workspace")
                .insert("members".to_owned(), case.members.to_vec().into());
        }
        // Development dependencies do not matter to users.
        manifest.remove("dev-dependencies");
        if !member.is_empty() {
            remove_absent(&mut manifest, case.members);
        }
        if let Some(package) = manifest.get_mut("package").and_then(Value::as_table_mut) {
            package.remove("workspace");
        }
        if case.lowest.contains(member) {
            let holder =
                if member.is_empty() { section(&mut manifest, "workspace") } else { &mut manifest };
            pin(section(holder, "dependencies")).map_err(|error| invalid(&path, &error))?;
        }
        let path = folder.join(member).join("Cargo.toml");
        fs::write(&path, manifest.to_string()).map_err(at(&path))?;
    }
    Ok(())
}

/// Removes optional dependencies on our packages that are no members, and features of them: they
/// are cases of their own.
fn remove_absent(manifest: &mut Table, members: &[&str]) {
    let is_absent = |name: &str, dependency: &Value| {
        let is_optional = dependency.get("optional").and_then(Value::as_bool) == Some(true);
        let folder = name.strip_prefix("kapigen-").map(|name| format!("templates/{name}"));
        is_optional && folder.is_some_and(|folder| !members.contains(&&*folder))
    };
    let dependencies = section(manifest, "dependencies");
    let absent: BTreeSet<String> = dependencies
        .iter()
        .filter(|(name, dependency)| is_absent(name, dependency))
        .map(|(name, _)| name.clone())
        .collect();
    dependencies.retain(|name, _| !absent.contains(name));
    let features = section(manifest, "features");
    features.retain(|_, enabled| {
        let enabled = enabled.as_array().into_iter().flatten().filter_map(Value::as_str);
        !enabled.filter_map(|name| name.strip_prefix("dep:")).any(|name| absent.contains(name))
    });
}

fn read(path: &Path) -> Result<Table, Failure> {
    fs::read_to_string(path).map_err(at(path))?.parse().map_err(|error| invalid(path, &error))
}

fn invalid(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Manifest(format!("{}: {error}", path.display()))
}

fn section<'a>(table: &'a mut Table, name: &str) -> &'a mut Table {
    let section = table.entry(name).or_insert_with(|| Table::new().into());
    section.as_table_mut().expect("cargo takes nothing else")
}

/// Makes each dependency the lowest version that its requirement allows.
fn pin(dependencies: &mut Table) -> Result<(), String> {
    for (name, dependency) in dependencies {
        let requirement = match dependency {
            Value::Table(keys) if keys.contains_key("path") => None,
            Value::Table(keys) => keys.get_mut("version"),
            version => Some(version),
        };
        if let Some(Value::String(version)) = requirement {
            *version = lowest(version).ok_or_else(|| {
                format!("`{name}`: cannot find the lowest version of `{version}`")
            })?;
        }
    }
    Ok(())
}

/// The lowest version of a requirement such as `1.2`, as a requirement of exactly this version.
fn lowest(requirement: &str) -> Option<String> {
    let numbers: Vec<&str> = requirement.split('.').collect();
    let plain = numbers.len() <= 3 && numbers.iter().all(|number| number.parse::<u64>().is_ok());
    plain.then(|| format!("={requirement}{}", ".0".repeat(3 - numbers.len())))
}

/// Copies a folder, without cargo's outputs in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to).map_err(at(to))?;
    for entry in fs::read_dir(from).map_err(at(from))? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if !path.is_dir() {
            fs::copy(&path, to.join(name)).map_err(at(&path))?;
        } else if name != "target" {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_version_is_spelled_out() {
        let cases = [("1", "=1.0.0"), ("0.2", "=0.2.0"), ("1.0.203", "=1.0.203")];
        assert!(
            cases
                .iter()
                .all(|(requirement, version)| lowest(requirement).as_deref() == Some(*version))
        );
        assert!(
            [">=1, <3", "^1", "*", "", "1.2.3.4"]
                .iter()
                .all(|requirement| lowest(requirement).is_none())
        );
    }

    #[test]
    fn requirements_are_pinned_and_paths_are_not() {
        let text = "a = \"1.5\"\nb = { version = \"0.2\", features = [\"x\"] }\nc = { path = \
                    \"c\", version = \"0.1\" }\nd = { workspace = true }\n";
        let mut dependencies: Table = text.parse().unwrap();
        pin(&mut dependencies).unwrap();
        let expected = text.replace("1.5", "=1.5.0").replace("0.2", "=0.2.0");
        assert_eq!(dependencies, expected.parse().unwrap());
        let error = pin(&mut "a = \"*\"".parse().unwrap()).unwrap_err();
        assert_eq!(error, "`a`: cannot find the lowest version of `*`");
    }
}

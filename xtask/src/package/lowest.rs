//! Compiles packages with the lowest versions that their requirements allow.
//!
//! All other packages are at their newest, so that only our own requirements can be the cause when
//! one does not compile.

use crate::{Failure, at, cargo, manifest, succeeds};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::{env, fs};
use toml::{Table, Value};

/// Packages that are compiled together.
struct Case {
    /// The package with the requirements that count.
    name: &'static str,
    /// Other packages, which it needs or which need it.
    others: &'static [&'static str],
    /// Arguments that enable features.
    features: &'static [&'static str],
}

const ALL: &[&str] = &["--all-features"];

const CASES: [Case; 7] = [
    Case { name: "kapigen-yaml", others: &[], features: ALL },
    // Emitted code has no dependencies of its own, but its macros use the runtime's.
    Case { name: "kapigen-runtime", others: &["openshift-api"], features: ALL },
    Case { name: "kapigen-client", others: &["kapigen-yaml", "kapigen-runtime"], features: ALL },
    // All but the one for aws-lc-rs, which only enables a feature of rustls and compiles C for a
    // minute of processor time.
    Case { name: "kapigen-connect", others: &["kapigen-yaml"], features: &["--features", "ring"] },
    Case { name: "kapigen-definitions", others: &["kapigen-yaml"], features: ALL },
    Case {
        name: "kapigen-fake",
        others: &["kapigen-yaml", "kapigen-definitions", "kapigen-runtime"],
        features: ALL,
    },
    Case { name: "kapigen", others: &["kapigen-yaml", "kapigen-definitions"], features: ALL },
];

/// It needs newer versions than the runtime alone.
const KUBE: Case = Case {
    name: "kapigen-kube",
    others: &["kapigen-runtime"],
    // Programs select the version of Kubernetes.
    features: &["--all-features", "--features", "k8s-openapi/latest"],
};

/// Compiles the packages that are in a folder, each case in a workspace of its own: all but
/// kapigen-kube, or only that. Returns whether all compile.
///
/// # Errors
/// When the disk fails, a manifest is not understood, or a program cannot be started.
pub(super) fn compile(folder: &Path, kube: bool) -> Result<bool, Failure> {
    let mut good = true;
    for case in if kube { std::slice::from_ref(&KUBE) } else { &CASES } {
        let workspace = folder.join("lowest").join(case.name);
        if !prepare(case, &folder.join("package"), &workspace)? {
            return Ok(false);
        }
        if !succeeds(cargo(&workspace).args(["update", "--quiet"]))? {
            good = false;
            continue;
        }
        let mut check = cargo(&workspace);
        check.args(["check", "--workspace"]).args(case.features);
        good &= succeeds(check.env("CARGO_TARGET_DIR", folder.join("target")))?;
    }
    Ok(good)
}

/// Unpacks the packages of a case into a workspace. Returns whether it could.
fn prepare(case: &Case, packages: &Path, workspace: &Path) -> Result<bool, Failure> {
    if workspace.exists() {
        fs::remove_dir_all(workspace).map_err(at(workspace))?;
    }
    fs::create_dir_all(workspace).map_err(at(workspace))?;
    let members = [&[case.name], case.others].concat();
    let mut manifest = Table::new();
    let mut folders = Vec::new();
    for name in &members {
        let folder = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let mut unpack = Command::new("tar");
        unpack.arg("-xzf").arg(packages.join(format!("{folder}.crate"))).arg("-C").arg(workspace);
        if !succeeds(&mut unpack)? {
            return Ok(false);
        }
        let is_lowest = *name == case.name;
        adapt(&workspace.join(&folder).join("Cargo.toml"), &members, is_lowest)?;
        let patch = section(section(&mut manifest, "patch"), "crates-io");
        section(patch, name).insert("path".to_owned(), folder.clone().into());
        folders.push(folder);
    }
    let keys = section(&mut manifest, "workspace");
    keys.insert("members".to_owned(), folders.into());
    keys.insert("resolver".to_owned(), "3".into());
    let path = workspace.join("Cargo.toml");
    fs::write(&path, manifest.to_string()).map_err(at(&path))?;
    Ok(true)
}

/// Changes the manifest of a package for its workspace.
fn adapt(path: &Path, members: &[&str], is_lowest: bool) -> Result<(), Failure> {
    let mut manifest = manifest(path)?;
    // Development dependencies do not matter to users.
    manifest.remove("dev-dependencies");
    remove_absent(&mut manifest, members);
    if is_lowest {
        for table in dependencies(&mut manifest) {
            pin(table).map_err(|why| Failure::in_file(path.display(), why))?;
        }
    }
    Ok(fs::write(path, manifest.to_string()).map_err(at(path))?)
}

/// The dependencies of a package, on all systems and on some.
fn dependencies(manifest: &mut Table) -> Vec<&mut Table> {
    let mut tables = Vec::new();
    for (key, value) in manifest {
        match (&**key, value) {
            ("dependencies", Value::Table(table)) => tables.push(table),
            ("target", Value::Table(targets)) => tables.extend(
                targets.iter_mut().filter_map(|(_, on)| on.get_mut("dependencies")?.as_table_mut()),
            ),
            _ => {}
        }
    }
    tables
}

/// Removes optional dependencies on our packages that are no members, and features of them: they
/// are cases of their own.
fn remove_absent(manifest: &mut Table, members: &[&str]) {
    let mut absent = BTreeSet::new();
    for table in dependencies(manifest) {
        for (name, dependency) in &*table {
            let is_optional = dependency.get("optional").and_then(Value::as_bool) == Some(true);
            if is_optional && name.starts_with("kapigen-") && !members.contains(&name.as_str()) {
                absent.insert(name.clone());
            }
        }
        table.retain(|name, _| !absent.contains(name));
    }
    let features = section(manifest, "features");
    features.retain(|_, enabled| {
        let enabled = enabled.as_array().into_iter().flatten().filter_map(Value::as_str);
        !enabled.filter_map(|name| name.strip_prefix("dep:")).any(|name| absent.contains(name))
    });
}

fn section<'a>(table: &'a mut Table, name: &str) -> &'a mut Table {
    let section = table.entry(name).or_insert_with(|| Table::new().into());
    section.as_table_mut().expect("cargo takes nothing else")
}

/// Makes each dependency on another's package the lowest version that its requirement allows.
fn pin(dependencies: &mut Table) -> Result<(), String> {
    for (name, dependency) in dependencies {
        let requirement = match dependency {
            _ if name.starts_with("kapigen-") => None,
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
    fn requirements_on_packages_of_others_are_pinned() {
        let text = "a = \"1.5\"\nb = { version = \"0.2\", features = [\"x\"] }\n\
                    kapigen-yaml = { version = \"0.1\" }\n";
        let mut dependencies: Table = text.parse().unwrap();
        pin(&mut dependencies).unwrap();
        let expected = text.replace("1.5", "=1.5.0").replace("0.2", "=0.2.0");
        assert_eq!(dependencies, expected.parse().unwrap());
        let error = pin(&mut "a = \"*\"".parse().unwrap()).unwrap_err();
        assert_eq!(error, "`a`: cannot find the lowest version of `*`");
    }
}

//! `cargo xtask release`: checks that the packages can be published, as `.ci/publish` does.

use crate::{Failure, at, manifest, package};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use toml::{Table, Value};

/// The folders of the packages that are published. kapigen-connect and kapigen-kube are in another
/// workspace.
const FOLDERS: [&str; 9] = [
    "generated",
    "generator",
    "templates/client",
    "templates/connect",
    "templates/definitions",
    "templates/fake",
    "templates/kube",
    "templates/runtime",
    "templates/yaml",
];

/// The packages of the workspace of kube: the client depends on the first one, and the other one on
/// the runtime.
const CONNECT: &str = "kapigen-connect";
const CLIENT: &str = "kapigen-client";
const KUBE: &str = "kapigen-kube";

/// The manifest of the workspace. All packages have its version.
const WORKSPACE: &str = "Cargo.toml";

/// The list of changes.
const CHANGELOG: &str = "CHANGELOG.md";

/// The action of a run on a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Makes and compiles the packages. Without a tag, the missing steps of a release are only
    /// reported.
    Check,
    /// Prints its changes.
    Notes,
}

/// The state of the repository, as far as a release is made of it.
struct Release {
    version: String,
    /// The changes of the version, without the title.
    notes: String,
    /// The packages in the order in which they are published.
    order: Vec<String>,
    /// Faults, whether it is released now or later.
    faults: Vec<String>,
    /// The steps that are left before it is released.
    missing: Vec<String>,
}

/// Checks the versions, order and changes of the packages, and performs the action. Returns whether
/// everything is in order. A tag must match the version, such as `v0.1.0`, and then no step may be
/// left.
///
/// # Errors
/// When a file cannot be read, or cargo cannot be started.
pub fn run(
    root: &Path,
    action: Action,
    tag: Option<&str>,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let release = Release::read(root, tag)?;
    for fault in &release.faults {
        anstream::eprintln!("error: {fault}");
    }
    if action == Action::Notes {
        write!(out, "{}", release.notes)?;
        return Ok(release.faults.is_empty());
    }
    let severity = if tag.is_some() { "error" } else { "before the release" };
    for missing in &release.missing {
        anstream::eprintln!("{severity}: {missing}");
    }
    writeln!(out, "{} in this order: {}", release.version, release.order.join(", "))?;
    if !release.faults.is_empty() || tag.is_some() && !release.missing.is_empty() {
        return Ok(false);
    }
    package::run(root, false)
}

impl Release {
    fn read(root: &Path, tag: Option<&str>) -> Result<Self, Failure> {
        let workspace = manifest(&root.join(WORKSPACE))?;
        let version =
            workspace["workspace"]["package"]["version"].as_str().unwrap_or_default().to_owned();
        let manifests: Vec<Table> = FOLDERS
            .iter()
            .map(|folder| manifest(&root.join(folder).join("Cargo.toml")))
            .collect::<Result<_, _>>()?;
        let path = root.join(CHANGELOG);
        let changelog = fs::read_to_string(&path).map_err(at(&path))?;
        let mut order = Vec::new();
        for name in package::PACKAGES {
            if name == CLIENT {
                order.push(CONNECT.to_owned());
            }
            order.push(name.to_owned());
        }
        order.push(KUBE.to_owned());
        let mut release =
            Self { version, notes: String::new(), order, faults: Vec::new(), missing: Vec::new() };
        release.check_packages(&manifests);
        release.check_changelog(&changelog);
        if let Some(tag) = tag.filter(|tag| *tag != format!("v{}", release.version)) {
            release.faults.push(format!(
                "the tag is `{tag}`, and the version of the packages is {}",
                release.version
            ));
        }
        Ok(release)
    }

    /// All packages have the version, and depend on no package that is published after them.
    fn check_packages(&mut self, manifests: &[Table]) {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (place, name) in self.order.iter().enumerate() {
            places.insert(name, place);
        }
        let mut count = 0;
        let mut homeless = Vec::new();
        for manifest in manifests {
            let package = &manifest["package"];
            let name = package["name"].as_str().unwrap_or_default();
            let Some(place) = places.get(name) else {
                self.faults.push(format!("{name} has no place in the order"));
                continue;
            };
            count += 1;
            if package["version"].as_str().is_some_and(|version| version != self.version) {
                self.faults.push(format!(
                    "{name} has the version {}, not {}",
                    package["version"], self.version
                ));
            }
            if package.get("repository").is_none() {
                homeless.push(name);
            }
            let dependencies =
                manifest.get("dependencies").and_then(Value::as_table).into_iter().flatten();
            let later = dependencies
                .map(|(name, _)| name)
                .filter(|other| places.get(other.as_str()) > Some(place));
            self.faults.extend(
                later.map(|other| {
                    format!("{name} is published before {other}, on which it depends")
                }),
            );
        }
        if !homeless.is_empty() {
            self.missing.push(format!("no `repository` is stated by {}", homeless.join(", ")));
        }
        if count != self.order.len() {
            self.faults.push(format!(
                "{} packages are published, and {count} have a manifest",
                self.order.len()
            ));
        }
    }

    /// The changes have a section for the version, with a date once it is released.
    fn check_changelog(&mut self, changelog: &str) {
        let title = format!("## [{}] - ", self.version);
        let Some((_, section)) = changelog.split_once(&title) else {
            self.faults
                .push(format!("{CHANGELOG} has no section `{}`", title.trim_end_matches(" - ")));
            return;
        };
        let (date, rest) = section.split_once('\n').unwrap_or((section, ""));
        rest.split("\n## [").next().unwrap_or_default().trim().clone_into(&mut self.notes);
        self.notes.push('\n');
        if !is_date(date) {
            self.missing
                .push(format!("{CHANGELOG} has no date for {}, but `{date}`", self.version));
        }
    }
}

/// Whether it is a day, as in `2026-01-31`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([4, 2, 2])
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release() -> Release {
        let order = ["a", "b"].map(str::to_owned).to_vec();
        Release {
            version: "1.2.3".to_owned(),
            notes: String::new(),
            order,
            faults: Vec::new(),
            missing: Vec::new(),
        }
    }

    fn manifests(texts: [&str; 2]) -> Vec<Table> {
        texts.map(|text| text.parse().unwrap()).to_vec()
    }

    #[test]
    fn packages_stand_on_those_before_them() {
        let mut good = release();
        let a = "[package]\nname = \"a\"\nversion = \"1.2.3\"\nrepository = \
                 \"x\"\n[dependencies]\nhttp = \"1\"";
        let b = "[package]\nname = \"b\"\nversion.workspace = true\nrepository.workspace = \
                 true\n[dependencies]\na = {}";
        good.check_packages(&manifests([a, b]));
        assert!(
            good.faults.is_empty() && good.missing.is_empty(),
            "{:?} {:?}",
            good.faults,
            good.missing
        );
        let mut bad = release();
        bad.check_packages(&manifests([
            &a.replace("1.2.3", "1.2.4").replace("http", "b"),
            &b.replace("\"b\"", "\"c\""),
        ]));
        let faults = [
            "a has the version \"1.2.4\", not 1.2.3",
            "a is published before b, on which it depends",
            "c has no place in the order",
            "2 packages are published, and 1 have a manifest",
        ];
        assert_eq!(bad.faults, faults);
    }

    #[test]
    fn a_release_has_dated_changes() {
        let mut dated = release();
        dated.check_changelog(
            "# Changes\n\n## [1.2.3] - 2026-01-31\n\n- All.\n\n## [1.2.2] - 2026-01-30\n\n- \
             Less.\n",
        );
        assert!(dated.missing.is_empty() && dated.faults.is_empty());
        assert_eq!(dated.notes, "- All.\n");
        let mut early = release();
        early.check_changelog("## [1.2.3] - unreleased\n");
        assert_eq!(early.missing, ["CHANGELOG.md has no date for 1.2.3, but `unreleased`"]);
        let mut none = release();
        none.check_changelog("## [1.2.2] - 2026-01-30\n");
        assert_eq!(none.faults, ["CHANGELOG.md has no section `## [1.2.3]`"]);
    }

    #[test]
    fn the_workflow_takes_all_packages() {
        let workflow = include_str!("../../.github/workflows/release.yml");
        let list = format!("for package in {}; do", package::PACKAGES.join(" "));
        assert_eq!(workflow.matches(&list).count(), workflow.matches("for package in").count());
        assert!(workflow.contains(&list));
    }

    #[test]
    fn a_tag_is_that_of_the_version() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let faults = |tag: &str| Release::read(root, Some(tag)).unwrap().faults;
        assert_eq!(faults(&format!("v{version}")), [""; 0]);
        let fault = format!("the tag is `v9.9.9`, and the version of the packages is {version}");
        assert_eq!(faults("v9.9.9"), [fault]);
    }
}

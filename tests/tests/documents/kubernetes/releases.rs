//! Changes in Rust from one release of Kubernetes to another.

use crate::upgrades;
use kapigen::diff;
use kapigen::input::{Input, Source, Sources};
use kapigen::model::Api;
use kapigen_tests::places;
use std::collections::BTreeSet;

#[test]
fn breaking_changes_from_1_27_to_1_34_are_known() {
    let changes = diff::diff(&api("1.27"), &api("1.34"));
    let breaking = changes.iter().filter(|change| change.is_breaking());
    let found: Vec<_> = breaking
        .map(|change| {
            (
                change.item.path.as_str(),
                change.kind.as_str(),
                change.part.as_deref().unwrap_or_default(),
            )
        })
        .collect();
    let expected = [
        ("core_v1::ClaimSource", "removed", ""),
        ("core_v1::HostAlias", "optionality-changed", "ip"),
        ("core_v1::PersistentVolumeClaimSpec", "field-type-changed", "resources"),
        ("core_v1::PersistentVolumeClaimStatus", "field-removed", "resize_status"),
        ("core_v1::PodIP", "optionality-changed", "ip"),
        ("core_v1::PodResourceClaim", "field-removed", "source"),
    ];
    assert_eq!(found, expected);
    let count = |kind: &str| changes.iter().filter(|change| change.kind.as_str() == kind).count();
    // As counted in the documents themselves: 44 properties, and `stream` of logs.
    assert_eq!(count("field-added"), 45);
}

/// The page about other releases shows what the command prints first, and the number of changes.
#[test]
fn the_page_shows_the_changes_of_pods() {
    let groups = "groups: [{group: '', version: v1, resources: [pods]}]";
    let groups = || Some(Source::new("groups.yaml", groups));
    let pods = |release: &str| Sources { groups: groups(), ..upgrades::release(release) };
    let (before, now) = (pods("1.27"), pods("1.34"));
    let [old, new] = [&before, &now].map(|sources| kapigen::model(sources).unwrap().api);
    let mut changes = diff::diff(&old, &new);
    let over = kapigen::held(&before, &now, &new).unwrap();
    diff::state_held(&mut changes, &old, &over.api);
    let report = diff::text(&changes, &str::to_owned);
    let page = places::text(&places::root().join("docs/upgrades.md"));
    let shown =
        page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    assert!(report.starts_with(shown), "{report}");
    let last = report.lines().next_back().expect("a number of changes");
    assert!(page.contains(&format!("ends with `{last}`")), "{last}");
}

/// The number of places is in the README and on the page about upgrades.
#[test]
fn an_upgrade_keeps_the_interface() {
    let (mut old, new) = (upgrades::release("1.34"), upgrades::release("1.36"));
    let common: BTreeSet<String> =
        new.documents.iter().map(|document| document.name.clone()).collect();
    old.documents.retain(|document| common.contains(&document.name));
    let before = kapigen::generate(&old).unwrap();
    let now = upgrades::over(&before, new);
    let breaking = diff::diff(&before.api, &now.api).into_iter().filter(diff::Change::is_breaking);
    assert_eq!(breaking.collect::<Vec<_>>(), []);
    let held = now.held.held.len();
    for page in ["README.md", "docs/upgrades.md"] {
        let text = places::text(&places::root().join(page));
        assert!(text.contains(&format!("{held} places")), "{page}: {held} places");
    }
}

#[test]
fn nothing_changes_from_a_release_to_itself() {
    let sources = Input::folder(places::data("kubernetes-1.34")).read().unwrap();
    let api = kapigen::model(&Sources { shipped_fixups: true, ..sources }).unwrap().api;
    assert_eq!(diff::diff(&api, &api), []);
}

/// The core group and the group of leases.
fn api(release: &str) -> Api {
    let folder = places::data(&format!("kubernetes-{release}"));
    let spec = vec![folder.join("api/v1.json"), folder.join("apis/coordination.k8s.io/v1.json")];
    let sources = Input { spec, ..Input::default() }.read().unwrap();
    kapigen::model(&Sources { shipped_fixups: true, ..sources }).unwrap().api
}

//! Owners of dependents.

use kapigen_runtime::dynamic::Object as Thing;
use kapigen_runtime::informer::{Event, Key};
use kapigen_runtime::meta_v1::OwnerReference;
use kapigen_runtime::owners::Owners;
use std::sync::Arc;

/// A dependent with owners: `apiVersion Kind name`, and `!` for the one that manages it.
fn applied(owners: &[&str]) -> Event<Thing> {
    let reference = |owner: &&str| {
        let parts: Vec<&str> = owner.split(' ').collect();
        OwnerReference {
            api_version: parts[0].to_owned(),
            kind: parts[1].to_owned(),
            name: parts[2].trim_end_matches('!').to_owned(),
            controller: Some(parts[2].ends_with('!')),
            ..OwnerReference::default()
        }
    };
    let mut object = Thing::default();
    object.metadata.owner_references = Some(owners.iter().map(reference).collect());
    Event::Applied { key: Key::new("default", "dependent"), object: Arc::new(object) }
}

fn deleted() -> Event<Thing> {
    Event::Deleted { key: Key::new("default", "dependent"), object: None }
}

fn names(keys: &[Key]) -> Vec<String> {
    keys.iter().map(Key::to_string).collect()
}

#[test]
fn owners_of_before_and_of_now_are_reported() {
    let mut owners = Owners::named("example.com", "Widget", true);
    assert_eq!(names(&owners.of(&applied(&["example.com/v1 Widget a"]))), ["default/a"]);
    // Another version is the same kind.
    assert_eq!(
        names(&owners.of(&applied(&["example.com/v2 Widget b"]))),
        ["default/a", "default/b"]
    );
    // The event of a missed deletion has no object.
    assert_eq!(names(&owners.of(&deleted())), ["default/b"]);
    assert!(owners.of(&deleted()).is_empty());
}

#[test]
fn only_owners_of_the_kind_count() {
    let others = ["v1 Widget a", "example.com/v1 Gadget a", "example.org/v1 Widget a"];
    assert!(Owners::named("example.com", "Widget", true).of(&applied(&others)).is_empty());
    let two = applied(&["v1 Node one", "v1 Node two!"]);
    assert_eq!(
        names(&Owners::named("", "Node", false).of(&two)),
        ["one", "two"],
        "without a namespace"
    );
    assert_eq!(names(&Owners::named("", "Node", false).controllers_only().of(&two)), ["two"]);
}

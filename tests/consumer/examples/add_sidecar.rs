//! Adds a sidecar to a pod of a server that is newer than the types, in each of the ways, and
//! prints the patches.
//!
//! Nothing is lost: the pod has members that no type has, inside of a list too, and no patch
//! touches them.

use openshift_api::Patch;
use openshift_api::change::{differences, extract};
use openshift_api::core_v1::{Container, Pod, PodSpec, pods};
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::params::PatchParams;

/// As a server of the future sends it.
const POD: &str = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop","resourceVersion":"7",
    "managedFields":[{"manager":"deployer","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1",
        "fieldsV1":{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:image":{},"f:name":{}}}}}}]},
    "spec":{"containers":[{"name":"app","image":"app:1","restartBudget":{"max":3}}]}}"#;

fn sidecar() -> Container {
    Container {
        name: "proxy".to_owned(),
        image: Some("proxy:1".to_owned()),
        ..Container::default()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let old: Pod = openshift_api::from_str(POD)?;
    let mut new = old.clone();
    new.spec.get_or_insert_default().containers.push(sidecar());
    for difference in differences(&old, &new) {
        println!("{difference}");
    }

    // For the version that was read: 409 if somebody else was faster.
    send("JSON patch", &Patch::json_between(&old, &new))?;
    // By the names of containers, whatever else has changed. Built-in kinds only.
    send("strategic merge patch", &Patch::strategic_between(&old, &new)?)?;
    // Replaces the list of containers, so it is for the version, too.
    send("merge patch", &Patch::merge_between(&old, &new)?)?;

    // A manager of its own applies the sidecar, and owns nothing else.
    let spec = PodSpec { containers: vec![sidecar()], ..PodSpec::default() };
    let metadata = ObjectMeta { name: old.metadata.name.clone(), ..ObjectMeta::default() };
    let own = Pod { metadata, spec: Some(Box::new(spec)), ..Pod::default() };
    send("apply", &Patch::apply(&own))?;

    // The manager of the other container extends what it has applied before.
    let mut applied = extract(&old, "deployer", "")?;
    applied.spec.get_or_insert_default().containers.push(sidecar());
    send("apply of more", &Patch::apply(&applied))
}

/// Where a program would send the request.
fn send(form: &str, patch: &Patch) -> Result<(), Box<dyn std::error::Error>> {
    let request =
        pods::patch("shop", "web", patch, &PatchParams::default().field_manager("example"))?
            .into_http();
    println!("{form}: {} {}", request.uri(), String::from_utf8_lossy(request.body()));
    Ok(())
}

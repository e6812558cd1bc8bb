//! Objects of two crates, handled by one function.

use ci_api::ci_example_com_v1::{Runner, RunnerSpec};
use openshift_api::AnyResource;
use openshift_api::core_v1::{Pod, PodSpec};

/// Sets a label of any kind of any crate: all share `AnyResource` and `ObjectMeta`.
fn label(object: &mut impl AnyResource, key: &str, value: &str) {
    object.metadata_mut().labels.get_or_insert_default().insert(key.to_owned(), value.to_owned());
}

fn main() {
    let mut pod = Pod { spec: Some(Box::default()), ..Pod::default() };
    let spec: Option<Box<PodSpec>> = pod.spec.clone();
    let spec = RunnerSpec { pod: spec, ..RunnerSpec::default() };
    let mut runner = Runner { spec: Some(Box::new(spec)), ..Runner::default() };
    label(&mut pod, "app", "ci");
    label(&mut runner, "app", "ci");
    assert_eq!(pod.metadata, runner.metadata);
}

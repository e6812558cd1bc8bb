//! Applies a file of manifests or a folder of them, as `kubectl apply --server-side -f PATH` does.
//! A second argument may be `--dry-run=server`. Finds the cluster as `kubectl` does.

use kapigen_client::{Client, Error, Resources, manifest};
use openshift_api::params::{GetParams, PatchParams};
use openshift_api::{Patch, dynamic::Object, prelude::*};

/// Applies an object, to the namespace `default` if it states none. Returns what kubectl says of
/// it.
async fn apply(
    all: &mut Resources,
    object: &mut Object,
    params: &PatchParams,
) -> Result<&'static str, Error> {
    let resource = all.kind(object.api_version(), object.kind()).await?.resource;
    let namespace = object.metadata.namespace.take().unwrap_or("default".to_owned());
    object.metadata.namespace = Some(namespace).filter(|_| resource.is_namespaced());
    let get = resource.get(resource.scope(object), object.name(), &GetParams::default())?;
    let found = all.client().send(get).await.map(|found| Some(found.body));
    let mut before = found.or_else(|error| error.is_not_found().then_some(None).ok_or(error))?;
    let patch =
        resource.patch(resource.scope(object), object.name(), &Patch::apply(object), params)?;
    let mut after = all.client().send(patch).await?.body;
    if resource.kind() == "CustomResourceDefinition" && !params.dry_run {
        all.established(object.name()).await?;
    }
    for object in before.iter_mut().chain([&mut after]) {
        object.metadata.managed_fields = None;
        object.metadata.resource_version = None;
    }
    Ok(before.map_or("created", |before| if before == after { "unchanged" } else { "configured" }))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut manifests =
        manifest::read(std::env::args().nth(1).ok_or("usage: apply PATH [--dry-run=server]")?)?;
    manifests.sort();
    let client = Client::connect().await?;
    let mut resources = client.resources();
    let is_dry_run = std::env::args().any(|argument| argument == "--dry-run=server");
    let params = PatchParams::default().field_manager("apply").dry_run(is_dry_run);
    let mut code = 0;
    for mut manifest in manifests.objects {
        let applied = apply(&mut resources, &mut manifest.object, &params).await;
        let applied = applied.map_err(|error| eprintln!("{}: {error}", manifest.origin));
        applied.iter().for_each(|word| {
            println!("{} {} {word}", manifest.object.kind(), manifest.object.name())
        });
        code |= i32::from(applied.is_err());
    }
    std::process::exit(code)
}

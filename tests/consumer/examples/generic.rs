//! Functions for all kinds: lists in pages, removes a label, creates or replaces. Run
//! `kubectl proxy`, then this.

use openshift_api::coordination_v1::Lease;
use openshift_api::core_v1::Pod;
use openshift_api::image_v1::Image;
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::params::{CreateParams, GetParams, ListParams, PatchParams, ReplaceParams};
use openshift_api::prelude::*;
use openshift_api::scope::{AllNamespaces, Cluster, ListScope, ObjectScope};
use openshift_api::{Patch, verbs};
use podwatch::{Cluster as Server, Failure};
use serde_json::json;

fn main() -> Result<(), Failure> {
    let base = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:8001".to_owned());
    let server = Server::new(&base);
    // A scope that does not fit the kind does not compile.
    remove_label::<Pod>(&server, "default")?;
    remove_label::<Lease>(&server, AllNamespaces)?;
    remove_label::<Image>(&server, Cluster)?;
    let metadata = ObjectMeta { name: Some("leader".to_owned()), ..ObjectMeta::default() };
    let lease = ensure(&server, "default", Lease { metadata, ..Lease::default() })?;
    println!("{} leader {}", Lease::KIND, lease.metadata.resource_version.unwrap_or_default());
    Ok(())
}

/// All objects of a kind in a scope, page by page.
fn list<T: verbs::Listable>(
    server: &Server,
    scope: impl ListScope<T::Scope>,
) -> Result<Vec<T>, Failure> {
    let mut objects = Vec::new();
    let mut next = Some(T::list(scope, &ListParams::default().label_selector("old").limit(500))?);
    while let Some(request) = next {
        let mut page = server.send(&request)?.body;
        next = request.next_page(&page)?;
        objects.extend(page.take_items());
    }
    Ok(objects)
}

/// Removes a label of all objects of a kind in a scope.
fn remove_label<T>(server: &Server, scope: impl ListScope<T::Scope>) -> Result<(), Failure>
where
    T: verbs::Listable + verbs::Patchable,
{
    let patch = Patch::merge(&json!({"metadata": {"labels": {"old": null}}}));
    for object in list::<T>(server, scope)? {
        let name = object.metadata().name.as_deref().unwrap_or_default();
        // An object has a scope that is known at run time only.
        server.send(&T::patch(object.scope(), name, &patch, &PatchParams::default())?)?;
        println!("{} {name}", T::KIND);
    }
    Ok(())
}

/// Replaces an object, or creates it if it is absent.
fn ensure<T>(
    server: &Server,
    scope: impl ObjectScope<T::Scope> + Copy,
    mut object: T,
) -> Result<T, Failure>
where
    T: verbs::Gettable + verbs::Creatable + verbs::Replaceable,
{
    let name = object.metadata().name.clone().unwrap_or_default();
    match server.send(&T::get(scope, &name, &GetParams::default())?) {
        Ok(found) => {
            object
                .metadata_mut()
                .resource_version
                .clone_from(&found.body.metadata().resource_version);
            Ok(server.send(&T::replace(scope, &name, &object, &ReplaceParams::default())?)?.body)
        }
        Err(Failure::Api(error)) if error.is_not_found() => {
            Ok(server.send(&T::create(scope, &object, &CreateParams::default())?)?.body)
        }
        Err(failure) => Err(failure),
    }
}

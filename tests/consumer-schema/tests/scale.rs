//! The subresource `scale` of a kind that is written in Rust, on a server with its definition.

use kapigen_client::Client;
use kapigen_fake::{FakeService, Server};
use openshift_api::autoscaling_v1::Scale;
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::prelude::*;
use openshift_api::{Patch, custom_resource};
use serde::{Deserialize, Serialize};
use serde_json::json;

custom_resource! {
    /// A crew.
    #[resource(group = "example.com", version = "v1", plural = "crews", scope = Namespaced, list = CrewList, scale = Scale)]
    pub struct Crew {
        /// Its state as desired.
        pub spec: CrewSpec,
    }
}

/// The desired state of a crew.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct CrewSpec {
    /// Its number of people.
    pub size: i32,
}

fn server() -> Server {
    let size =
        json!({"type": "object", "properties": {"size": {"type": "integer", "format": "int32"}}});
    let schema = json!({"type": "object", "properties": {"spec": size}});
    let paths = json!({"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"});
    let version = json!({"name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": schema}, "subresources": {"scale": paths}});
    let names = json!({"plural": "crews", "kind": "Crew"});
    let spec = json!({"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]});
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    let definition = json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "crews.example.com"}, "spec": spec});
    server.add_definition(&definition).expect("a definition that servers accept");
    server
}

#[tokio::test(flavor = "current_thread")]
async fn reads_replaces_and_patches_the_scale() -> Result<(), Box<dyn std::error::Error>> {
    let server = server();
    let client = Client::new(FakeService::new(server.clone()));
    let metadata = ObjectMeta { name: Some("argo".to_owned()), ..Default::default() };
    let crew = Crew { metadata, spec: CrewSpec { size: 50 }, ..Default::default() };
    client.send(Crew::create("default", &crew, &Default::default())?).await?;

    let mut scale =
        client.send(Crew::get_scale("default", "argo", &Default::default())?).await?.body;
    let wanted = |scale: &Scale| scale.spec.as_ref().and_then(|spec| spec.replicas);
    assert_eq!(wanted(&scale), Some(50));
    scale.spec.get_or_insert_default().replicas = Some(40);
    let replace = Crew::replace_scale("default", "argo", &scale, &Default::default())?;
    assert_eq!(wanted(&client.send(replace).await?.body), Some(40));
    let patch = Patch::merge(&json!({"spec": {"replicas": 30}}));
    let patch = Crew::patch_scale("default", "argo", &patch, &Default::default())?;
    assert_eq!(wanted(&client.send(patch).await?.body), Some(30));
    assert_eq!(server.get::<Crew>("default", "argo").map(|crew| crew.spec.size), Some(30));
    Ok(())
}

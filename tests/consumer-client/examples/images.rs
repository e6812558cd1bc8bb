//! Lists the images of a cluster, and labels those that have no label `reviewed`, by server-side
//! apply.

use kapigen_client::Client;
use openshift_api::image_v1::{Image, images};
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::params::{ListParams, PatchParams};
use openshift_api::{Error, Patch, Request};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::connect().await?;
    let mut list = client.items(images::list(&ListParams::default().limit(100))?);
    while let Some(image) = list.next().await {
        let image = image?;
        let name = image.metadata.name.as_deref().unwrap_or_default();
        println!("{name} {}", image.docker_image_reference.as_deref().unwrap_or("?"));
        if image.metadata.labels.as_ref().is_none_or(|labels| !labels.contains_key("reviewed")) {
            client.send(label(name)?).await?;
            println!("{name} is labelled");
        }
    }
    Ok(())
}

/// The request that applies the label, and nothing else.
fn label(name: &str) -> Result<Request<Image>, Error> {
    let labels = [("reviewed".to_owned(), "no".to_owned())].into();
    let metadata =
        ObjectMeta { name: Some(name.to_owned()), labels: Some(labels), ..ObjectMeta::default() };
    let image = Image { metadata, ..Image::default() };
    images::patch(name, &Patch::apply(&image), &PatchParams::default().field_manager("reviewer"))
}

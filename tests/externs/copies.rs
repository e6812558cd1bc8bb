//! Creates and lists in the fake server, and reads a manifest, with copies of kapigen-client and
//! kapigen-fake.

use kapigen_client::Client;
use kapigen_fake::{FakeService, Server};
use my_api::coordination_v1::{Lease, LeaseSpec, leases};
use my_api::{Store, informer::Event, meta_v1::ObjectMeta};

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let server = Server::new(&[my_api::DOCUMENTS]);
        let client = Client::new(FakeService::new(server));
        let lease = Lease {
            metadata: ObjectMeta { name: Some("a".to_owned()), ..Default::default() },
            spec: Some(Box::new(LeaseSpec { holder_identity: Some("me".to_owned()), ..Default::default() })),
            ..Default::default()
        };
        client.send(leases::create("default", &lease, &Default::default()).unwrap()).await.unwrap();
        let list = leases::list("default", &Default::default()).unwrap();
        let listed = client.send(list.clone()).await.unwrap().body.items;
        let store = Store::<Lease>::new();
        let mut events = client.informer(list).unwrap();
        while let Some(event) = events.next().await {
            store.apply(&event);
            if let Event::InitDone = event {
                break;
            }
        }
        let holder = listed[0].spec.as_ref().and_then(|spec| spec.holder_identity.as_deref());
        let manifests = kapigen_client::manifest::parse("lease.yaml", b"{kind: Lease, apiVersion: v1}").unwrap().objects;
        println!("{} {} {} {}", listed.len(), holder.unwrap(), store.snapshot().len(), manifests.len());
    });
}

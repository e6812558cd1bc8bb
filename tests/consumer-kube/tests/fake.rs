//! kube's client with the fake API server in place of a cluster.

use k8s_openapi::api::core::v1::Pod;
use kapigen_fake::{Action, FakeService, Fault, Server};
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::{Api, Client};
use serde_json::json;

fn pod(name: &str) -> Pod {
    let pod = json!({"metadata": {"name": name}, "spec": {"containers": [{"name": "main", "image": "a:1"}]}});
    serde_json::from_value(pod).expect("a pod")
}

#[test]
fn kube_reads_and_writes() {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    let client = server.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let pods: Api<Pod> =
            Api::default_namespaced(Client::new(FakeService::new(client), "default"));
        let created = pods.create(&PostParams::default(), &pod("web")).await.expect("created");
        assert_eq!(pods.get("web").await.expect("a pod"), created);
        let change = Patch::Merge(json!({"metadata": {"labels": {"app": "web"}}}));
        pods.patch("web", &PatchParams::default(), &change).await.expect("patched");
        let selected = pods.list(&ListParams::default().labels("app=web")).await.expect("a list");
        assert_eq!(selected.items.len(), 1);
        let stale =
            pods.replace("web", &PostParams::default(), &created).await.expect_err("a conflict");
        assert!(matches!(stale, kube::Error::Api(status) if status.code == 409));
        pods.delete("web", &DeleteParams::default()).await.expect("deleted");
        assert!(pods.get_opt("web").await.expect("a response").is_none());
        server.inject(
            Fault::new(Action::Refuse(
                openshift_api::http::StatusCode::INTERNAL_SERVER_ERROR,
                None,
            ))
            .times(1),
        );
        let failed = pods.list(&ListParams::default()).await.expect_err("injected");
        assert!(matches!(failed, kube::Error::Api(status) if status.code == 500));
    });
}

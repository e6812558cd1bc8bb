//! The traits of verbs build the same requests as the functions of the resources.

use http::StatusCode;
use openshift_api::core_v1::{Pod, pods};
use openshift_api::image_v1::{Image, images};
use openshift_api::meta_v1::{DeleteOptions, ObjectMeta, OwnerReference};
use openshift_api::params::*;
use openshift_api::prelude::*;
use openshift_api::request::InvalidRequest;
use openshift_api::scope::{AllNamespaces, Cluster, DynamicScope};
use openshift_api::{Error, Patch, Request, verbs};
use serde_json::json;

/// The whole HTTP request: method, URI, headers and body.
fn sent<T>(request: Result<Request<T>, Error>) -> String {
    format!("{:?}", request.unwrap().into_http())
}

#[test]
fn builds_the_requests_of_a_namespaced_kind() {
    let ns = "default";
    let name = "web";
    let pod = Pod {
        metadata: ObjectMeta { name: Some("web".to_owned()), ..<_>::default() },
        ..<_>::default()
    };
    let patch = Patch::merge(&json!({"metadata": {"labels": {"a": "b"}}}));
    let list = ListParams::default().label_selector("a=b");
    let watch = WatchParams::default().resource_version("7");
    let get = GetParams::default();
    let create = CreateParams::default();
    let replace = ReplaceParams::default();
    let patched = PatchParams::default().field_manager("me");
    let options = DeleteOptions { grace_period_seconds: Some(5), ..DeleteOptions::default() };
    let delete = DeleteParams::default().options(options.clone());
    let delete_all = DeleteCollectionParams::default().label_selector("a=b").options(options);

    assert_eq!(sent(Pod::list(ns, &list)), sent(pods::list(ns, &list)));
    assert_eq!(sent(Pod::list(AllNamespaces, &list)), sent(pods::list_all_namespaces(&list)));
    assert_eq!(sent(Pod::watch(ns, &watch)), sent(pods::watch(ns, &watch)));
    assert_eq!(sent(Pod::watch(AllNamespaces, &watch)), sent(pods::watch_all_namespaces(&watch)));
    assert_eq!(sent(Pod::get(ns, name, &get)), sent(pods::get(ns, name, &get)));
    assert_eq!(sent(Pod::create(ns, &pod, &create)), sent(pods::create(ns, &pod, &create)));
    assert_eq!(
        sent(Pod::replace(ns, name, &pod, &replace)),
        sent(pods::replace(ns, name, &pod, &replace))
    );
    assert_eq!(
        sent(Pod::patch(ns, name, &patch, &patched)),
        sent(pods::patch(ns, name, &patch, &patched))
    );
    assert_eq!(sent(Pod::delete(ns, name, &delete)), sent(pods::delete(ns, name, &delete)));
    assert_eq!(
        sent(Pod::delete_collection(ns, &delete_all)),
        sent(pods::delete_collection(ns, &delete_all))
    );
    assert_eq!(sent(Pod::get_status(ns, name, &get)), sent(pods::get_status(ns, name, &get)));
    let replaced = Pod::replace_status(ns, name, &pod, &replace);
    assert_eq!(sent(replaced), sent(pods::replace_status(ns, name, &pod, &replace)));
    let patched_status = Pod::patch_status(ns, name, &patch, &patched);
    assert_eq!(sent(patched_status), sent(pods::patch_status(ns, name, &patch, &patched)));
}

#[test]
fn builds_the_requests_of_a_cluster_scoped_kind() {
    let list = ListParams::default();
    let get = GetParams::default();
    assert_eq!(sent(Image::list(Cluster, &list)), sent(images::list(&list)));
    assert_eq!(sent(Image::get(Cluster, "sha256:0", &get)), sent(images::get("sha256:0", &get)));
    let delete = DeleteCollectionParams::default();
    assert_eq!(
        sent(Image::delete_collection(Cluster, &delete)),
        sent(images::delete_collection(&delete))
    );
}

/// The path of a list, for a scope that is known at run time.
fn path<T: verbs::Listable>(namespace: Option<&str>) -> Result<String, Error> {
    Ok(T::list(DynamicScope { namespace }, &ListParams::default())?.uri().path().to_owned())
}

#[test]
fn takes_a_scope_of_run_time_for_all_kinds() {
    assert_eq!(path::<Pod>(Some("default")).unwrap(), "/api/v1/namespaces/default/pods");
    assert_eq!(path::<Pod>(None).unwrap(), "/api/v1/pods");
    assert_eq!(path::<Image>(None).unwrap(), "/apis/image.openshift.io/v1/images");
    let error = path::<Image>(Some("default")).unwrap_err();
    let expected = "the request cannot be made: `default` cannot be the namespace in a path: the \
                    kind is cluster-scoped";
    assert_eq!(error.to_string(), expected);
    let error = Pod::get(DynamicScope::default(), "web", &GetParams::default()).unwrap_err();
    assert!(
        matches!(error, Error::Invalid(InvalidRequest::Argument { name: "namespace", .. })),
        "{error}"
    );
    assert!(Pod::get("", "web", &GetParams::default()).is_err());
}

#[test]
fn gives_the_scope_of_an_object() {
    let metadata = || ObjectMeta { namespace: Some("default".to_owned()), ..ObjectMeta::default() };
    let pod = Pod { metadata: metadata(), ..Pod::default() };
    let image = Image { metadata: metadata(), ..Image::default() };
    assert_eq!(pod.scope(), DynamicScope { namespace: Some("default") });
    assert_eq!(
        image.scope(),
        DynamicScope { namespace: None },
        "cluster-scoped, whatever is in the metadata"
    );
}

#[test]
fn an_owner_needs_a_name_and_a_uid() {
    let new = Pod {
        metadata: ObjectMeta { name: Some("web".to_owned()), ..<_>::default() },
        ..<_>::default()
    };
    assert_eq!((new.name(), new.namespace(), new.owner_reference()), ("web", "", None));
    let stored: Pod = openshift_api::from_str(
        r#"{"metadata":{"name":"web","namespace":"default","uid":"5d1e"}}"#,
    )
    .unwrap();
    assert_eq!((stored.name(), stored.namespace()), ("web", "default"));
    let json = |owner: Option<OwnerReference>| {
        String::from_utf8(openshift_api::to_vec(&owner.unwrap())).unwrap()
    };
    assert_eq!(
        json(stored.owner_reference()),
        r#"{"apiVersion":"v1","kind":"Pod","name":"web","uid":"5d1e"}"#
    );
    let expected =
        r#"{"apiVersion":"v1","controller":true,"kind":"Pod","name":"web","uid":"5d1e"}"#;
    assert_eq!(json(stored.controller_reference()), expected);
}

#[test]
fn finalizers_are_a_set_in_order() {
    let mut metadata = ObjectMeta::default();
    assert!(!metadata.remove_finalizer("a") && metadata.finalizers.is_none());
    assert!(
        metadata.add_finalizer("a") && metadata.add_finalizer("b") && !metadata.add_finalizer("a")
    );
    assert_eq!(metadata.finalizers.as_deref(), Some(&["a".to_owned(), "b".to_owned()][..]));
    assert!(
        metadata.remove_finalizer("a")
            && !metadata.has_finalizer("a")
            && metadata.has_finalizer("b")
    );
    assert!(metadata.remove_finalizer("b") && metadata.finalizers.is_none());
    // A server may send an empty list, which stays.
    metadata.finalizers = Some(Vec::new());
    assert!(!metadata.remove_finalizer("b") && metadata.finalizers.is_some());
}

/// Generic code: the name of every object of one page.
fn names<T: verbs::Listable>(bytes: &[u8]) -> Vec<String> {
    let request = T::list(DynamicScope::default(), &ListParams::default()).unwrap();
    let mut list =
        request.decode_parts(StatusCode::OK, &http::HeaderMap::new(), bytes).unwrap().body;
    list.take_items().iter().filter_map(|item| item.metadata().name.clone()).collect()
}

#[test]
fn decodes_the_list_of_the_kind() {
    let list = br#"{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"web"}}]}"#;
    assert_eq!(names::<Pod>(list), ["web"]);
}

#[test]
fn marks_kinds_by_their_subresources() {
    fn marks<T: verbs::HasAttach + verbs::HasEphemeralContainers + verbs::HasEviction>()
    -> &'static str {
        T::PLURAL
    }
    fn marks_more<T: verbs::HasExec + verbs::HasLog + verbs::HasPortForward + verbs::HasResize>()
    -> &'static str {
        T::PLURAL
    }
    assert_eq!((marks::<Pod>(), marks_more::<Pod>()), ("pods", "pods"));
}

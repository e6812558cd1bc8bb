//! The contents of the crates: every operation, and every type in the module of its own group.

use super::crates::{IMAGE, NEWEST};
use kapigen::Output;
use kapigen::cli::list;
use serde_json::Value;
use std::collections::BTreeSet;

/// Types with the same `version.Kind` in several groups.
const NAMESAKES: [(&str, &[&str]); 9] = [
    ("TokenRequest", &["authentication_v1", "storage_v1"]),
    ("EndpointPort", &["core_v1", "discovery_v1"]),
    ("Event", &["core_v1", "events_v1"]),
    ("EventList", &["core_v1", "events_v1"]),
    ("EventSeries", &["core_v1", "events_v1"]),
    ("ResourceClaim", &["core_v1", "resource_v1"]),
    ("ServiceReference", &["admissionregistration_v1", "apiextensions_v1", "apiregistration_v1"]),
    ("WebhookClientConfig", &["admissionregistration_v1", "apiextensions_v1"]),
    ("Subject", &["flowcontrol_apiserver_v1", "rbac_authorization_v1"]),
];

#[test]
fn namesakes_live_in_modules_of_their_own() {
    let output = NEWEST.output();
    for (name, modules) in NAMESAKES {
        let mut schemas = BTreeSet::new();
        for module in modules {
            let def = output.api.modules.get(*module).and_then(|content| content.types.get(name));
            schemas.insert(&def.unwrap_or_else(|| panic!("{module} has no {name}")).schema);
        }
        assert_eq!(schemas.len(), modules.len(), "{name}: {schemas:?}");
    }
}

/// Functions that are easily lost: connections, paths that go on, methods that few documents have.
const OF_KUBERNETES: [(&str, &str, &str); 16] = [
    ("core_v1::pods::get_attach", "GET", "/api/v1/namespaces/{namespace}/pods/{name}/attach"),
    ("core_v1::pods::get_exec", "GET", "/api/v1/namespaces/{namespace}/pods/{name}/exec"),
    ("core_v1::pods::post_exec", "POST", "/api/v1/namespaces/{namespace}/pods/{name}/exec"),
    ("core_v1::pods::get_log", "GET", "/api/v1/namespaces/{namespace}/pods/{name}/log"),
    (
        "core_v1::pods::post_port_forward",
        "POST",
        "/api/v1/namespaces/{namespace}/pods/{name}/portforward",
    ),
    (
        "core_v1::pods::create_eviction",
        "POST",
        "/api/v1/namespaces/{namespace}/pods/{name}/eviction",
    ),
    (
        "core_v1::pods::head_proxy_path",
        "HEAD",
        "/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}",
    ),
    (
        "core_v1::pods::options_proxy_path",
        "OPTIONS",
        "/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}",
    ),
    (
        "core_v1::services::get_proxy_path",
        "GET",
        "/api/v1/namespaces/{namespace}/services/{name}/proxy/{path}",
    ),
    ("core_v1::nodes::patch_proxy_path", "PATCH", "/api/v1/nodes/{name}/proxy/{path}"),
    ("core_v1::nodes::delete_proxy", "DELETE", "/api/v1/nodes/{name}/proxy"),
    ("core_v1::namespaces::replace_finalize", "PUT", "/api/v1/namespaces/{name}/finalize"),
    (
        "core_v1::serviceaccounts::create_token",
        "POST",
        "/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token",
    ),
    (
        "apps_v1::deployments::patch_scale",
        "PATCH",
        "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale",
    ),
    (
        "certificates_v1::certificatesigningrequests::replace_approval",
        "PUT",
        "/apis/certificates.k8s.io/v1/certificatesigningrequests/{name}/approval",
    ),
    (
        "authorization_v1::subjectaccessreviews::create",
        "POST",
        "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    ),
];

#[test]
fn all_of_kubernetes_has_its_functions() {
    let output = NEWEST.output();
    let functions = functions(output);
    has_all(&functions, &OF_KUBERNETES);
    for method in ["HEAD", "OPTIONS"] {
        let number = functions.iter().filter(|function| function.method == method).count();
        assert_eq!(number, 6, "{method}: pods, services and nodes, with a path and without");
    }
    assert_eq!(
        functions.iter().filter(|function| function.path.ends_with("/proxy/{path}")).count(),
        21
    );
    let operations: BTreeSet<(&str, &str)> =
        functions.iter().map(|f| (f.method.as_str(), f.path.as_str())).collect();
    // 1033 in the documents, 36 of which list resources and belong to none.
    assert_eq!(operations.len(), 997);
}

const STREAMS: &str = "/apis/image.openshift.io/v1/namespaces/{namespace}";

/// Names in paths are written as in the documents; arguments are tested in `requests::paths`.
const OF_IMAGES: [(&str, &str, &str); 8] = [
    ("image_openshift_io_v1::imagestreams::get", "GET", "/imagestreams/{name}"),
    ("image_openshift_io_v1::imagestreams::get_secrets", "GET", "/imagestreams/{name}/secrets"),
    ("image_openshift_io_v1::imagestreams::get_layers", "GET", "/imagestreams/{name}/layers"),
    ("image_openshift_io_v1::imagestreamtags::get", "GET", "/imagestreamtags/{name}"),
    ("image_openshift_io_v1::imagetags::list", "GET", "/imagetags"),
    ("image_openshift_io_v1::imagestreamimages::get", "GET", "/imagestreamimages/{name}"),
    ("image_openshift_io_v1::imagestreamimports::create", "POST", "/imagestreamimports"),
    ("image_openshift_io_v1::imagestreammappings::create", "POST", "/imagestreammappings"),
];

#[test]
fn all_of_images_has_its_functions() {
    let output = IMAGE.output();
    let expected =
        OF_IMAGES.map(|(function, method, path)| (function, method, format!("{STREAMS}{path}")));
    let expected =
        expected.each_ref().map(|(function, method, path)| (*function, *method, path.as_str()));
    has_all(&functions(output), &expected);
}

/// A function as it is listed.
#[derive(Debug)]
struct Function {
    name: String,
    method: String,
    path: String,
}

fn functions(output: &Output) -> Vec<Function> {
    let listed = list::json(&output.api);
    let each = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let resources =
        each(&listed, "modules").into_iter().flat_map(|module| each(&module, "resources"));
    let functions = resources.flat_map(|resource| each(&resource, "functions"));
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let function = |f: Value| Function {
        name: text(&f, "function"),
        method: text(&f, "method"),
        path: text(&f, "path"),
    };
    functions.map(function).collect()
}

fn has_all(functions: &[Function], expected: &[(&str, &str, &str)]) {
    for (name, method, path) in expected {
        let there =
            functions.iter().any(|f| f.name == *name && f.method == *method && f.path == *path);
        let near: Vec<_> = functions.iter().filter(|f| f.path == *path).collect();
        assert!(there, "there is no {name}: {method} {path}; there is {near:#?}");
    }
}

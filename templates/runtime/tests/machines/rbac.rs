//! RBAC rules of requests.

use http::Request;
use kapigen_runtime::rbac::{Access, Role};

fn request(line: &str) -> Request<()> {
    let (method, uri) = line.split_once(' ').expect("method and path");
    Request::builder().method(method).uri(uri).body(()).expect("a request")
}

#[test]
fn access_is_read_from_method_path_and_query() {
    let cases = [
        ("GET /api/v1/pods", "list /pods of "),
        ("GET /api/v1/namespaces/a/pods?watch=true", "watch /pods of a"),
        ("GET /api/v1/pods?watch", "watch /pods of "),
        ("GET /api/v1/pods?limit=1&watch=True", "watch /pods of "),
        ("GET /api/v1/pods?w%61tch=t", "watch /pods of "),
        ("GET /api/v1/pods?watch=", "watch /pods of "),
        ("GET /api/v1/pods?watch=False", "list /pods of "),
        ("GET /api/v1/pods?watch=0&watch=1", "list /pods of "),
        ("GET /api/v1/pods?limit=1&&watch=%46alse", "list /pods of "),
        ("GET /api/v1/namespaces/a/pods/web", "get /pods of a"),
        ("GET /api/v1/namespaces/a/pods/", "list /pods of a"),
        // An empty namespace stands for all.
        ("GET /api/v1/namespaces//pods", "list /pods of "),
        ("GET /api/v1/namespaces/a/pods/web/log", "get /pods/log of a"),
        ("POST /api/v1/namespaces/a/pods/web/eviction", "create /pods/eviction of a"),
        (
            "PUT /apis/apps/v1/namespaces/a/deployments/web/scale",
            "update apps/deployments/scale of a",
        ),
        ("PATCH /apis/example.com/v1/widgets/x", "patch example.com/widgets of "),
        ("DELETE /apis/example.com/v1/widgets/x", "delete example.com/widgets of "),
        (
            "DELETE /apis/example.com/v1/namespaces/a/widgets",
            "deletecollection example.com/widgets of a",
        ),
        ("GET /api/v1/namespaces", "list /namespaces of "),
        ("GET /api/v1/namespaces/a", "get /namespaces of "),
        ("PUT /api/v1/namespaces/a/finalize", "update /namespaces/finalize of "),
        ("GET /api/v1/namespaces/a/status/x", "get /namespaces/status of "),
        ("GET /api/v1/namespaces/a/services/web/proxy/x/y", "get /services/proxy of a"),
        ("GET /api/v1/namespaces/a/services/web/proxy/x?watch=true", "get /services/proxy of a"),
        ("GET /api/v1/namespaces/a/pods/web?watch=true", "get /pods of a"),
        ("POST /api/v1/namespaces/a/pods/web/%65xec", "create /pods/exec of a"),
        ("GET /api/v1/watch/namespaces/a/pods", "watch /pods of a"),
        ("GET /apis/apps/v1/watch/deployments", "watch apps/deployments of "),
        ("GET /api/v1/watch/namespaces/a/pods/web", "watch /pods of a"),
        ("GET /apis/example.com/v1/watch", "list example.com/watch of "),
    ];
    for (line, expected) in cases {
        let access = Access::of(&request(line)).expect(line);
        assert_eq!(
            format!("{} {}/{} of {}", access.verb, access.group, access.resource, access.namespace),
            expected
        );
    }
    for line in ["GET /version", "GET /apis", "GET /apis/apps/v1", "GET /openapi/v3", "GET /"] {
        assert_eq!(Access::of(&request(line)), None, "{line}");
    }
}

#[test]
fn roles_have_one_rule_for_resources_with_the_same_verbs() {
    let lines = [
        "GET /api/v1/pods",
        "GET /api/v1/pods?watch=1",
        "GET /api/v1/endpoints?watch=1",
        "GET /api/v1/endpoints",
        "PUT /apis/coordination.k8s.io/v1/namespaces/system/leases/a",
        // The cluster role allows it.
        "GET /api/v1/namespaces/system/pods",
        "GET /version",
    ];
    let requests: Vec<_> = lines.iter().map(|line| request(line)).collect();
    let mut apply = request("PATCH /api/v1/namespaces/test/endpoints/web");
    apply
        .headers_mut()
        .insert("content-type", http::HeaderValue::from_static("application/apply-patch+yaml"));
    let role = Role::of(requests.iter().chain([&apply])).cluster_wide("test");
    let expected = r#"apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: "example"
rules:
- apiGroups: [""]
  resources: ["endpoints"]
  verbs: ["create", "list", "patch", "watch"]
- apiGroups: [""]
  resources: ["pods"]
  verbs: ["list", "watch"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: "example"
  namespace: "system"
rules:
- apiGroups: ["coordination.k8s.io"]
  resources: ["leases"]
  verbs: ["update"]
"#;
    assert_eq!(role.to_yaml("example"), expected);
}

#[test]
fn an_apply_needs_create_by_the_media_type_that_servers_compare_as_spelled() {
    let cases = [
        ("application/apply-patch+yaml", true),
        ("application/apply-patch+yaml; charset=utf-8", true),
        ("application/apply-patch+yaml ;charset=utf-8", true),
        ("application/apply-patch+cbor", true),
        ("application/apply-patch+cbor;x=1", true),
        ("application/Apply-Patch+YAML", false),
        ("application/apply-patch+json", false),
        ("application/merge-patch+json", false),
    ];
    for (content_type, needs_create) in cases {
        let mut patch = request("PATCH /api/v1/namespaces/a/pods/web");
        patch.headers_mut().insert("content-type", http::HeaderValue::from_static(content_type));
        let role = Role::of([&patch]).to_yaml("example");
        let verbs =
            if needs_create { r#"verbs: ["create", "patch"]"# } else { r#"verbs: ["patch"]"# };
        assert!(role.contains(verbs), "{content_type}: {role}");
    }
}

#[test]
fn roles_are_yaml_whatever_they_name() {
    let names = [
        "a\u{7f}b",
        "\u{80}\u{85}\u{9f}",
        "\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}",
        "\u{202e}\u{200b}\u{e0041}",
        "\"quotes\" \\ \u{0} \n # é 🦀",
    ];
    for name in names {
        let mut access = Access::of(&request("GET /api/v1/pods")).expect("an access");
        for member in [&mut access.group, &mut access.resource, &mut access.namespace] {
            name.clone_into(member);
        }
        let mut role = Role::default();
        role.allow(&access);
        let text = role.to_yaml(name);
        let unseen = |c: char| !matches!(c, '\n' | ' '..='~' | 'é' | '🦀');
        assert!(!text.contains(unseen), "{text:?}");
        let role: serde_json::Value = serde_yaml::from_str(&text).expect("it is YAML");
        assert_eq!(role["metadata"], serde_json::json!({"name": name, "namespace": name}));
        assert_eq!(role["rules"][0]["resources"][0], name);
    }
}

//! Reviews of webhooks: their bytes in, the bytes of the response out.

use openshift_api::admission::{
    AdmissionOperation, AdmissionRequest, ConversionRequest, ReviewError,
};
use openshift_api::core_v1::{Container, Pod};
use openshift_api::meta_v1::{RawJson, Status};
use serde_json::{Value, json};

/// A pod as a server sends it: with members that no type has.
fn pod() -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "web", "namespace": "default", "uid": "7", "resourceVersion": "41", "shard": "a"},
        "spec": {
            "containers": [{"name": "app", "image": "app:1", "restartBudget": {"max": 3}}, {"name": "log"}],
            "placement": {"zones": ["a", null]}
        }
    })
}

fn review(operation: &str, members: Value) -> Value {
    let mut request = json!({
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
        "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "resource": {"group": "", "version": "v1", "resource": "pods"},
        "requestKind": {"group": "", "version": "v1", "kind": "Pod"},
        "name": "web", "namespace": "default", "operation": operation,
        "userInfo": {"username": "admin", "groups": ["system:masters"], "extra": {"scopes": ["a", "b"]}},
        "options": {"apiVersion": "meta.k8s.io/v1", "kind": "UpdateOptions", "fieldManager": "kubectl"},
        "dryRun": false
    });
    if let (Some(request), Value::Object(members)) = (request.as_object_mut(), members) {
        request.extend(members);
    }
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
}

fn request(operation: &str, members: Value) -> AdmissionRequest {
    AdmissionRequest::decode(review(operation, members).to_string().as_bytes()).unwrap()
}

fn tree(body: &[u8]) -> Value {
    serde_json::from_slice(body).expect("a review is JSON")
}

/// The object of a request with the patch of a response, as another crate applies it.
fn patched(request: &AdmissionRequest, response: &Value) -> (Value, Value) {
    let patch = response["patch"].as_str().unwrap();
    let bytes: openshift_api::meta_v1::ByteString = serde_json::from_value(patch.into()).unwrap();
    let steps = tree(bytes.as_ref());
    let mut object = request.object.as_ref().unwrap().to_value().unwrap();
    let patch: json_patch::Patch = serde_json::from_value(steps.clone()).unwrap();
    json_patch::patch(&mut object, &patch).unwrap();
    (object, steps)
}

#[test]
fn an_allowed_request_has_its_uid_and_nothing_else() {
    let request = request("CREATE", json!({"object": pod()}));
    assert_eq!(request.operation, AdmissionOperation::CREATE);
    assert_eq!(request.user_info.extra.as_ref().unwrap()["scopes"], ["a", "b"]);
    let expected = json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "response": {"uid": "705ab4f5-6393-11e8-b7cc-42010a800002", "allowed": true}
    });
    assert_eq!(tree(&request.allow().encode()), expected);
    let same = request.object_as::<Pod>().unwrap();
    assert_eq!(
        tree(&request.allow_with(&same, &same).unwrap().encode()),
        expected,
        "no empty patch"
    );
}

#[test]
fn a_patch_leaves_unknown_members_and_tests_no_version() {
    let request = request("UPDATE", json!({"object": pod(), "oldObject": pod()}));
    let old: Pod = request.object_as().unwrap();
    let mut new = old.clone();
    new.metadata.labels = Some([("team".to_owned(), "a".to_owned())].into());
    let spec = new.spec.as_mut().unwrap();
    spec.containers[1].image = Some("log:2".to_owned());
    spec.containers.push(Container { name: "proxy".to_owned(), ..Default::default() });
    let response = tree(&request.allow_with(&old, &new).unwrap().encode())["response"].clone();
    assert_eq!(response["patchType"], "JSONPatch");
    let (object, steps) = patched(&request, &response);
    let mut expected = pod();
    expected["metadata"]["labels"] = json!({"team": "a"});
    expected["spec"]["containers"][1]["image"] = "log:2".into();
    expected["spec"]["containers"].as_array_mut().unwrap().push(json!({"name": "proxy"}));
    assert_eq!(object, expected);
    assert_eq!(steps.as_array().map(Vec::len), Some(3), "{steps}");
    assert!(
        !steps.to_string().contains("resourceVersion") && !steps.to_string().contains("test"),
        "{steps}"
    );
}

#[test]
fn objects_of_any_kind_are_changed_as_free_json() {
    let request = request("CREATE", json!({"object": pod()}));
    let old: RawJson = request.object_as().unwrap();
    let mut new = pod();
    new["spec"]["containers"][0]["image"] = "app:2".into();
    new["metadata"]["labels"] = json!({"a/b~c": "d"});
    let response = tree(&request.allow_with(&old, &RawJson::from_value(&new)).unwrap().encode());
    let (object, steps) = patched(&request, &response["response"]);
    assert_eq!(object, new);
    let expected = json!([
        {"op": "add", "path": "/metadata/labels", "value": {"a/b~c": "d"}},
        {"op": "replace", "path": "/spec/containers/0/image", "value": "app:2"}
    ]);
    assert_eq!(steps, expected);
}

#[test]
fn operations_have_the_objects_that_servers_send() {
    let delete = request("DELETE", json!({"object": null, "oldObject": pod()}));
    assert_eq!(delete.old_object_as::<Pod>().unwrap().metadata.name.as_deref(), Some("web"));
    assert_eq!(
        delete.object_as::<Pod>().unwrap_err().to_string(),
        "the review has no `request.object`"
    );
    let create = request("CREATE", json!({"object": pod(), "oldObject": null}));
    assert_eq!(
        create.old_object_as::<Pod>().unwrap_err(),
        ReviewError::Missing { path: "request.oldObject" }
    );
    let options = json!({"apiVersion": "v1", "kind": "PodExecOptions", "command": ["sh"], "container": "app"});
    let exec = json!({"object": options, "subResource": "exec", "requestSubResource": "exec"});
    let connect = request("CONNECT", exec);
    assert_eq!(connect.sub_resource.as_deref(), Some("exec"));
    assert_eq!(
        connect.object_as::<RawJson>().unwrap().to_value().unwrap()["command"],
        json!(["sh"])
    );
    let error = connect.object_as::<Pod>().unwrap_err().to_string();
    assert_eq!(
        error,
        "`request.object` of the review: expected kind `Pod` of `v1`, found kind `PodExecOptions` \
         of `v1` at line 1 column 1"
    );
}

#[test]
fn denials_have_what_clients_see() {
    let request = request("CREATE", json!({"object": pod()}));
    let denied =
        tree(&request.deny("no owner is set").warn("set `team`").encode())["response"].clone();
    let status = json!({
        "apiVersion": "v1", "kind": "Status", "metadata": {}, "status": "Failure",
        "message": "no owner is set", "reason": "Forbidden", "code": 403
    });
    assert_eq!((&denied["allowed"], &denied["status"]), (&json!(false), &status));
    assert_eq!(denied["warnings"], json!(["set `team`"]));
    let status =
        Status { code: Some(422), reason: Some("Invalid".to_owned()), ..Status::default() };
    let denied = tree(&request.deny_with(status).encode());
    let status = &denied["response"]["status"];
    assert_eq!(
        (&status["status"], &status["reason"], &status["code"]),
        (&json!("Failure"), &json!("Invalid"), &json!(422))
    );
}

#[test]
fn warnings_are_within_the_limits_of_servers() {
    let request = request("CREATE", json!({"object": pod()}));
    let response = request
        .allow()
        .warn("line\nbreak \u{1b}[2J")
        .warn("\u{e9}".repeat(256))
        .warn("\u{e9}".repeat(257));
    let warnings = response.warnings.clone().unwrap();
    assert_eq!(warnings[0], r"line\nbreak \u{1b}[2J");
    assert_eq!(warnings[1], "\u{e9}".repeat(256));
    assert_eq!(warnings[2], format!("{}…", "\u{e9}".repeat(255)));
    let full = (0..40).fold(response, |response, _| response.warn("w".repeat(256))).warn("short");
    let warnings = full.warnings.unwrap();
    let count = |text: &String| text.chars().count();
    assert!(warnings.iter().map(count).sum::<usize>() <= 4096, "{}", warnings.len());
    assert_eq!(warnings.last().map(String::as_str), Some("short"), "one that fits is kept");
}

#[test]
fn keys_of_audit_annotations_are_names() {
    let request = request("CREATE", json!({"object": pod()}));
    let response =
        request.allow().audit("image-check", "passed").unwrap().audit("A.1_b", "").unwrap();
    let expected = json!({"A.1_b": "", "image-check": "passed"});
    assert_eq!(tree(&response.encode())["response"]["auditAnnotations"], expected);
    for key in ["", "a/b", "-a", "a.", "a b", "\u{e9}", &"a".repeat(64)] {
        let error = request.allow().audit(key, "value").unwrap_err();
        assert_eq!(error, ReviewError::AuditKey(key.to_owned()));
    }
}

#[test]
fn changes_that_servers_refuse_are_errors() {
    let request = request("UPDATE", json!({"object": pod(), "oldObject": pod()}));
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut new = pod();
        change(&mut new);
        let old: RawJson = request.object_as().unwrap();
        request.allow_with(&old, &RawJson::from_value(&new)).map(drop).unwrap_err().to_string()
    };
    let reason = "a webhook cannot change what identifies the object";
    assert_eq!(
        refused(&|pod| pod["metadata"]["name"] = "other".into()),
        format!("the object cannot be changed so: /metadata/name: {reason}")
    );
    assert!(refused(&|pod| pod["kind"] = "Job".into()).contains("/kind: "));
    assert!(refused(&|pod| pod["apiVersion"] = Value::Null).contains("/apiVersion: "));
    assert!(refused(&|pod| pod["metadata"] = 1.into()).contains("/metadata: "));
    assert!(refused(&|pod| *pod = json!([])).contains(reason));
    let old: Pod = request.object_as().unwrap();
    let mut new = old.clone();
    new.metadata.uid = None;
    assert!(matches!(request.allow_with(&old, &new), Err(ReviewError::Change(_))));
    // A name may be added to an object for which the server would generate one.
    let mut nameless = pod();
    nameless["metadata"].as_object_mut().unwrap().remove("name");
    let create = self::request("CREATE", json!({"object": nameless}));
    assert!(
        create
            .allow_with(&create.object_as::<RawJson>().unwrap(), &RawJson::from_value(&pod()))
            .is_ok()
    );
    let delete = self::request("DELETE", json!({"oldObject": pod()}));
    let old: Pod = delete.old_object_as().unwrap();
    let mut new = old.clone();
    new.metadata.labels = Some([("a".to_owned(), "b".to_owned())].into());
    let error = delete.allow_with(&old, &new).unwrap_err().to_string();
    assert_eq!(
        error,
        "the object cannot be changed so: the request of a DELETE has no object to change"
    );
}

#[test]
fn bodies_that_are_no_review_are_refused_whole() {
    let error = |review: &Value| {
        AdmissionRequest::decode(review.to_string().as_bytes()).unwrap_err().to_string()
    };
    let with = |member: &str, value: Value| {
        let mut review = review("CREATE", json!({"object": pod()}));
        review[member] = value;
        review
    };
    assert_eq!(
        error(&with("apiVersion", "admission.k8s.io/v1beta1".into())),
        "expected kind `AdmissionReview` of `admission.k8s.io/v1`, found kind `AdmissionReview` \
         of `admission.k8s.io/v1beta1`; let the configuration of the webhook list version `v1` of \
         reviews"
    );
    assert_eq!(
        error(&with("kind", Value::Null)),
        "expected kind `AdmissionReview` of `admission.k8s.io/v1`, found kind `` of \
         `admission.k8s.io/v1`"
    );
    assert!(error(&pod()).ends_with("found kind `Pod` of `v1`"));
    assert_eq!(error(&with("request", Value::Null)), "the review has no `request`");
    assert_eq!(
        error(&review("CREATE", json!({"uid": "", "object": pod()}))),
        "the review has no `request.uid`"
    );
    assert_eq!(
        error(&review("CREATE", json!({"object": null}))),
        "the review has no `request.object`"
    );
    let number = review("CREATE", json!({"uid": 7, "object": pod()}));
    assert!(
        error(&number)
            .starts_with("the body is not a review: request.uid: expected a string, found 7")
    );
    for body in
        [&b""[..], b"[]", b"null", b"\xff", b"{\"apiVersion\":", b"apiVersion: admission.k8s.io/v1"]
    {
        assert!(AdmissionRequest::decode(body).is_err(), "{body:?}");
        assert!(ConversionRequest::decode(body).is_err(), "{body:?}");
    }
}

fn boat(version: &str, name: &str) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"), "kind": "Boat",
        "metadata": {"name": name, "namespace": "sea", "uid": "7"}, "spec": {"crew": 3}
    })
}

fn conversion(objects: &Value) -> ConversionRequest {
    let review = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "request": {"uid": "705ab4f5", "desiredAPIVersion": "example.com/v2", "objects": objects}
    });
    ConversionRequest::decode(review.to_string().as_bytes()).unwrap()
}

#[test]
fn objects_are_converted_in_their_order() {
    let request = conversion(&json!([boat("v1", "a"), boat("v2", "b"), boat("v1beta1", "c")]));
    let mut versions = Vec::new();
    let response = request.convert(|version, object| {
        versions.push(version.to_owned());
        object.as_str().replace(version, "example.com/v2").parse::<RawJson>()
    });
    assert_eq!(
        versions,
        ["example.com/v1", "example.com/v1beta1"],
        "the second has the version already"
    );
    let expected = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "response": {
            "uid": "705ab4f5", "result": {"apiVersion": "v1", "kind": "Status", "metadata": {}, "status": "Success"},
            "convertedObjects": [boat("v2", "a"), boat("v2", "b"), boat("v2", "c")]
        }
    });
    assert_eq!(tree(&response.encode()), expected);
}

#[test]
fn one_object_that_cannot_be_converted_fails_all() {
    let request = conversion(&json!([boat("v1", "a"), boat("v1", "b")]));
    let failure = |convert: &dyn Fn(&mut Value) -> Result<(), String>| {
        let response = request.convert(|_, object| {
            let mut object = object.to_value().unwrap();
            convert(&mut object).map(|()| RawJson::from_value(&object))
        });
        let response = tree(&response.encode())["response"].clone();
        assert_eq!(
            (&response["result"]["status"], &response["convertedObjects"]),
            (&json!("Failure"), &json!([]))
        );
        response["result"]["message"].as_str().unwrap().to_owned()
    };
    let to_v2 = |object: &mut Value| object["apiVersion"] = "example.com/v2".into();
    let second = |object: &mut Value| {
        to_v2(object);
        if object["metadata"]["name"] == "b" {
            Err("the crew is too large".to_owned())
        } else {
            Ok(())
        }
    };
    assert_eq!(failure(&second), "objects[1]: Boat `sea/b`: the crew is too large");
    assert_eq!(
        failure(&|_| Ok(())),
        "objects[0]: Boat `sea/a`: the converted object has the apiVersion `example.com/v1`, \
         expected `example.com/v2`"
    );
    for (pointer, path) in [
        ("/kind", "kind"),
        ("/metadata/name", "metadata.name"),
        ("/metadata/namespace", "metadata.namespace"),
    ] {
        let message = failure(&|object| {
            to_v2(object);
            *object.pointer_mut(pointer).unwrap() = "other".into();
            Ok(())
        });
        assert!(
            message.contains(&format!("the converted object has the {path} `other`, expected `")),
            "{message}"
        );
    }
    let message = failure(&|object| {
        *object = Value::Null;
        Ok(())
    });
    assert!(message.contains("has the apiVersion ``"), "{message}");
}

#[test]
fn conversions_without_what_they_need_are_refused() {
    let error = |change: &dyn Fn(&mut Value)| {
        let mut review = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
            "request": {"uid": "705ab4f5", "desiredAPIVersion": "example.com/v2", "objects": []}
        });
        change(&mut review);
        ConversionRequest::decode(review.to_string().as_bytes()).unwrap_err().to_string()
    };
    assert_eq!(error(&|review| review["request"] = Value::Null), "the review has no `request`");
    assert_eq!(
        error(&|review| review["request"]["uid"] = Value::Null),
        "the review has no `request.uid`"
    );
    let missing = "the review has no `request.desiredAPIVersion`";
    assert_eq!(error(&|review| review["request"]["desiredAPIVersion"] = "".into()), missing);
    let found = error(&|review| review["apiVersion"] = "apiextensions.k8s.io/v1beta1".into());
    assert!(
        found.contains("found kind `ConversionReview` of `apiextensions.k8s.io/v1beta1`; let"),
        "{found}"
    );
}

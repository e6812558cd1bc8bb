//! Rules of custom resources and of metadata, compared with a real server.

use crate::replay;
use crate::testing::{send, time};
use http::{Method, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use test_support::places;
use test_support::probes::{changed, lines};

/// The messages of rules that are expressions, which are not evaluated.
const EXPRESSIONS: [&str; 3] =
    ["Forbidden: fixed is immutable", "Invalid value: min is above max", "Invalid value: too long"];

/// The status code, and the causes or the message of a refusal.
fn outcome(status: u64, message: &Value, causes: &Value) -> Value {
    let is_expression = |cause: &&Value| EXPRESSIONS.iter().any(|known| cause["message"] == *known);
    let others: Vec<_> = causes
        .as_array()
        .into_iter()
        .flatten()
        .filter(|cause| !is_expression(cause))
        .cloned()
        .collect();
    match status {
        422 if others.is_empty() => json!("taken"),
        422 => json!(others),
        200 | 201 => json!("taken"),
        _ => json!([status, message]),
    }
}

/// A recorded change of an object, the outcome here, and the recorded one.
struct Probed {
    kind: String,
    verb: String,
    at: String,
    change: Value,
    found: Value,
    recorded: Value,
}

/// Makes the recorded changes below a pointer, for the wanted kinds.
fn probed(server: &Server, is_wanted: impl Fn(&Value) -> bool, below: &str) -> Vec<Probed> {
    let mut objects = BTreeMap::new();
    for object in
        lines("rules/objects.jsonl").into_iter().filter(|object| is_wanted(&object["sent"]))
    {
        let path = object["path"].as_str().expect("a path").to_owned();
        let sent = object["sent"].clone();
        let (code, stored) = send(server, Method::POST, &path, &sent);
        assert_eq!(code, StatusCode::CREATED, "{stored}");
        // Controllers change it once more.
        let name = sent["metadata"]["name"].as_str().expect("a name");
        let (_, stored) = send(server, Method::GET, &format!("{path}/{name}"), &Value::Null);
        let known = [&sent["apiVersion"], &sent["kind"]].map(ToString::to_string);
        objects.insert(known, (path, sent, stored));
    }
    let mut all = Vec::new();
    for probe in lines("rules/rules.jsonl") {
        let known = [&probe["apiVersion"], &probe["kind"]].map(ToString::to_string);
        let Some((path, sent, stored)) = objects.get(&known) else { continue };
        let text = |key: &str| probe[key].as_str().expect("a text").to_owned();
        let is_create = probe["verb"] == "create";
        // Beside the object itself there is nothing of which a server would not have the members.
        if !text("at").starts_with(below) || !is_create && stored.pointer(&text("at")).is_none() {
            continue;
        }
        let name = &sent["metadata"]["name"];
        let mut object = changed(if is_create { sent } else { stored }, &probe);
        if is_create && object["metadata"]["name"] == *name {
            object["metadata"]["name"] = json!("y");
        }
        let path = if is_create {
            path.clone()
        } else {
            format!("{path}/{}", name.as_str().expect("a name"))
        };
        let method = if is_create { Method::POST } else { Method::PUT };
        let (code, body) = send(server, method, &format!("{path}?dryRun=All"), &object);
        all.push(Probed {
            kind: text("kind"),
            verb: text("verb"),
            at: text("at"),
            change: json!([probe["op"], probe["with"]]),
            found: outcome(u64::from(code.as_u16()), &body["message"], &body["details"]["causes"]),
            recorded: outcome(
                probe["status"].as_u64().expect("a code"),
                &probe["message"],
                &probe["causes"],
            ),
        });
    }
    all
}

/// Requires that all outcomes agree, except for known differences: a kind, a pointer, and the
/// reason. Each of these must differ.
fn check(all: &[Probed], differences: &[(&str, &str, &str)]) {
    let is_of = |probe: &Probed, (kind, at, _): &(&str, &str, &str)| {
        probe.kind == *kind && probe.at.starts_with(at)
    };
    let (known, unknown): (Vec<_>, Vec<_>) = all
        .iter()
        .filter(|probe| probe.found != probe.recorded)
        .partition(|probe| differences.iter().any(|difference| is_of(probe, difference)));
    let shown = unknown.iter().map(|Probed { kind, verb, at, change, found, recorded }| {
        format!("{verb} {kind} {at} {change}\n  found    {found}\n  recorded {recorded}")
    });
    let shown: Vec<_> = shown.collect();
    assert!(shown.is_empty(), "{}:\n{}", shown.len(), shown.join("\n"));
    for difference in differences {
        assert!(
            known.iter().any(|probe| is_of(probe, difference)),
            "{difference:?} agrees: remove it"
        );
    }
}

#[test]
fn custom_resources_are_refused_as_by_a_server() {
    let server = Server::default();
    server.set_time(time(0));
    let definition = places::text(&places::data("rules/crd.json"));
    server
        .add_definition(&serde_json::from_str(&definition).expect("a definition"))
        .expect("a kind");
    let all = probed(&server, |sent| sent["kind"] == "Probe", "");
    assert!(all.len() > 300, "only {} probes", all.len());
    check(&all, &[]);
}

/// Where others differ, a server prints types of Go, or the difference of two objects.
#[test]
fn built_in_kinds_are_refused_as_by_a_server() {
    let server = || {
        let server = Server::new(&[replay::documents(&places::data("kubernetes-1.34"))]);
        server.set_time(time(0));
        let namespace =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "probe"}});
        server.create(&namespace).expect("a namespace");
        server
    };
    // Events of both groups have the same name here, and are the same objects.
    let is_event = |sent: &Value| sent["apiVersion"] == "events.k8s.io/v1";
    let is_other = |sent: &Value| sent["kind"] != "Probe" && !is_event(sent);
    let mut all = probed(&server(), is_other, "");
    all.extend(probed(&server(), is_event, ""));
    let code = |outcome: &Value| match outcome {
        Value::Array(parts) if parts[0].is_u64() => parts[0].clone(),
        outcome => json!(outcome == "taken"),
    };
    let is_same = |probe: &&Probed| code(&probe.found) == code(&probe.recorded);
    let by_status = all.iter().filter(is_same).count();
    let by_causes = all.iter().filter(|probe| probe.found == probe.recorded).count();
    for Probed { kind, verb, at, change, found, recorded } in &all {
        if found != recorded {
            println!("{verb} {kind} {at} {change}\n  found    {found}\n  recorded {recorded}");
        }
    }
    let count = all.len();
    places::log(&format!("of {count} changes {by_status} agree by status, {by_causes} by causes"));
    assert!(by_status * 1000 >= count * 999 && by_causes * 1000 >= count * 950, "see above");
}

/// A definition with this schema of `spec.value`.
fn server_of(schema: &Value) -> Server {
    let spec = json!({"type": "object", "properties": {"value": schema}});
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}});
    let server = Server::default();
    let names = json!({"plural": "things", "kind": "Thing"});
    let versions = json!([{"name": "v1", "served": true, "storage": true, "schema": schema}]);
    let spec = json!({"group": "a.io", "scope": "Cluster", "names": names, "versions": versions});
    server.add_definition(&json!({"spec": spec})).expect("a definition");
    server
}

/// The messages for which a value is refused, each with its field.
fn refusals(server: &Server, value: &Value) -> Vec<String> {
    let object = json!({"apiVersion": "a.io/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"value": value}});
    let (_, body) = send(server, Method::POST, "/apis/a.io/v1/things?dryRun=All", &object);
    let causes = body["details"]["causes"].as_array().into_iter().flatten();
    let text = |cause: &Value, key: &str| cause[key].as_str().expect("a text").to_owned();
    let all = causes.map(|cause| format!("{}: {}", text(cause, "field"), text(cause, "message")));
    all.filter(|line| !line.contains("some validation rules were not checked")).collect()
}

#[test]
fn combined_schemas_restrict_values() {
    let any = |causes: &[&str]| causes.iter().map(|cause| (*cause).to_owned()).collect::<Vec<_>>();
    let own = |why: &str| format!("<nil>: Invalid value: \"\": \"spec.value\" must {why}");
    let object = |more: Value| {
        let mut schema = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}});
        schema
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        schema
    };
    let small = json!({"properties": {"a": {"maximum": 3}}});
    let named = json!({"required": ["b"], "properties": {"b": {"minLength": 2}}});
    let least =
        "spec.value.b: Invalid value: \"x\": spec.value.b in body should be at least 2 chars long";
    let most =
        "spec.value.a: Invalid value: 9: spec.value.a in body should be less than or equal to 3";

    let server = server_of(&object(json!({"anyOf": [small, named]})));
    assert_eq!(refusals(&server, &json!({"a": 9, "b": "xx"})), any(&[]));
    assert_eq!(
        refusals(&server, &json!({"a": 9, "b": "x"})),
        any(&[&own("validate at least one schema (anyOf)"), most])
    );
    let server = server_of(&object(json!({"allOf": [small, named]})));
    assert_eq!(
        refusals(&server, &json!({"a": 1, "b": "x"})),
        any(&[least, &own("validate all the schemas (allOf)")])
    );
    assert_eq!(
        refusals(&server, &json!({"a": 9, "b": "x"})),
        any(&[most, least, &own("validate all the schemas (allOf). None validated")])
    );
    let server = server_of(&object(json!({"oneOf": [small, named]})));
    assert_eq!(
        refusals(&server, &json!({"a": 1, "b": "xx"})),
        any(&[&own("validate one and only one schema (oneOf). Found 2 valid alternatives")])
    );
    let server = server_of(&object(json!({"not": named})));
    assert_eq!(refusals(&server, &json!({"b": "x"})), any(&[]));
    assert_eq!(
        refusals(&server, &json!({"b": "xx"})),
        any(&[&own("not validate the schema (not)")])
    );
}

/// Numbers with units are often written as one or the other, of which the string has a pattern.
#[test]
fn integers_or_strings_have_patterns_of_strings() {
    let server = server_of(&json!({
        "x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}],
        "pattern": "^([0-9]+(\\.[0-9]*)?)(Ki|Mi|m)?$",
    }));
    for value in [json!(1), json!("1.5Gi"), json!("1.5Mi"), json!(true)] {
        let expected = match &value {
            Value::String(text) if text == "1.5Gi" => {
                "spec.value: Invalid value: \"1.5Gi\": spec.value in body should match \
                 '^([0-9]+(\\.[0-9]*)?)(Ki|Mi|m)?$'"
            }
            Value::Bool(_) => {
                "spec.value: Invalid value: \"boolean\": spec.value in body must be of type \
                 integer,string: \"boolean\""
            }
            _ => "",
        };
        assert_eq!(refusals(&server, &value).concat(), expected, "{value}");
    }
}

/// All causes name the path. Anything quadratic would take hours.
#[test]
fn long_paths_cost_a_multiple_of_their_size() {
    let entries = json!({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}});
    let server = server_of(&entries);
    let value = json!({"x".repeat(1 << 20): vec![0; 300_000]});
    assert!(refusals(&server, &value).len() < 100);
}

/// No string is taken without a match, whatever its match would cost.
#[test]
fn patterns_are_never_unchecked() {
    let long = json!("a".repeat(1 << 20));
    for (pattern, refused) in [
        ("^a*$", ""),
        ("^b*$", "should match '^b*$'"),
        ("^(a{0,30}){0,30}$", "it is too long here to be matched"),
        ("^(?!a)", "error parsing regexp: invalid or unsupported Perl syntax: `(?!`"),
    ] {
        let server = server_of(&json!({"type": "string", "pattern": pattern}));
        let found = refusals(&server, &long).concat();
        assert_eq!(found.is_empty(), refused.is_empty(), "{pattern}");
        assert!(found.contains(refused), "{pattern}");
    }
}

/// The code and the message with which a value is stored or refused.
fn stored(server: &Server, value: &Value) -> (StatusCode, String) {
    let object = json!({"apiVersion": "a.io/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"value": value}});
    let (code, body) = send(server, Method::POST, "/apis/a.io/v1/things", &object);
    (code, body["message"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn defaults_are_part_of_the_size_of_an_object() {
    let filled = |count: usize| {
        let default = json!({"type": "string", "default": "x".repeat(50_000)});
        let members: BTreeMap<_, _> =
            (0..count).map(|index| (format!("m{index}"), default.clone())).collect();
        json!({"type": "object", "properties": members})
    };
    let refused =
        (StatusCode::INTERNAL_SERVER_ERROR, "etcdserver: request is too large".to_owned());
    assert_eq!(stored(&server_of(&filled(20)), &json!({})).0, StatusCode::CREATED);
    // Too many for etcd, and for memory.
    for count in [35, 100] {
        assert_eq!(stored(&server_of(&filled(count)), &json!({})), refused);
    }
    let server = server_of(&json!({"type": "array", "items": filled(100)}));
    assert_eq!(stored(&server, &json!(vec![json!({}); 100_000])), refused);
}

#[test]
fn numbers_are_multiples_as_far_as_floats_show() {
    let is_taken = |step: &Value, value: &Value| {
        let server = server_of(&json!({"type": "number", "multipleOf": step}));
        refusals(&server, value).is_empty()
    };
    for (step, value) in
        [("0.1", "0.3"), ("0.1", "0.7"), ("0.1", "2"), ("2.5", "7.5"), ("3", "9007199254740993")]
    {
        let [step, value] = [step, value].map(|text| serde_json::from_str(text).expect("a number"));
        assert!(is_taken(&step, &value), "{step} {value}");
    }
    for (step, value) in [("0.1", "0.35"), ("2", "3"), ("2", "9007199254740993"), ("2.5", "7.4")] {
        let [step, value] = [step, value].map(|text| serde_json::from_str(text).expect("a number"));
        assert!(!is_taken(&step, &value), "{step} {value}");
    }
}

#[test]
fn bounds_of_integers_are_compared_as_integers() {
    let bound = 9_007_199_254_740_992_i64;
    let server = server_of(&json!({"type": "integer", "maximum": bound}));
    assert_eq!(refusals(&server, &json!(bound)), Vec::<String>::new());
    assert_eq!(refusals(&server, &json!(bound + 1)).len(), 1);
    let server =
        server_of(&json!({"type": "integer", "minimum": -bound, "exclusiveMinimum": true}));
    assert_eq!(refusals(&server, &json!(-bound)).len(), 1);
    assert_eq!(refusals(&server, &json!(1 - bound)), Vec::<String>::new());
}

#[test]
fn numbers_of_schemas_need_no_fraction() {
    let server = server_of(&json!({"type": "number", "enum": [0.5, 1.0]}));
    assert_eq!(refusals(&server, &json!(1)), Vec::<String>::new());
    assert_eq!(refusals(&server, &json!(1.0)), Vec::<String>::new());
    let count = json!({"type": "integer", "default": 1.0});
    let server = server_of(&json!({"type": "object", "properties": {"count": count}}));
    assert_eq!(refusals(&server, &json!({})), Vec::<String>::new());
}

#[test]
fn patterns_escape_angle_brackets() {
    let server = server_of(&json!({"type": "string", "pattern": r"^\<a\>$"}));
    assert_eq!(refusals(&server, &json!("<a>")), Vec::<String>::new());
    assert_eq!(refusals(&server, &json!("a")).len(), 1);
}

const SERVICES: &str = "/api/v1/namespaces/default/services";

#[test]
fn services_get_addresses_and_ports_and_keep_them() {
    let server = Server::new(&[replay::documents(&places::data("kubernetes-1.34"))]);
    server.set_time(time(0));
    let service = |name: &str, spec: Value| json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": name}, "spec": spec});
    let create = |name: &str, spec: Value| {
        let (code, body) = send(&server, Method::POST, SERVICES, &service(name, spec));
        assert_eq!(code, StatusCode::CREATED, "{body}");
        body["spec"].clone()
    };
    let ports = json!([{"port": 80}]);
    let open = create("a", json!({"type": "NodePort", "ports": ports}));
    let address = open["clusterIP"].as_str().expect("an address").to_owned();
    assert!(address.starts_with("10.0.") && open["clusterIPs"] == json!([address]), "{open}");
    assert_eq!(
        (&open["ipFamilies"], &open["ipFamilyPolicy"]),
        (&json!(["IPv4"]), &json!("SingleStack"))
    );
    let number = open["ports"][0]["nodePort"].clone();
    assert!((30_000..=32_767).contains(&number.as_i64().expect("a port")), "{open}");
    let other = create("b", json!({"ports": ports}));
    assert!(other["clusterIP"] != open["clusterIP"] && other["ports"][0]["nodePort"].is_null());
    let headless = create("c", json!({"clusterIP": "None", "ports": ports}));
    assert_eq!(
        (&headless["clusterIPs"], &headless["ipFamilyPolicy"]),
        (&json!(["None"]), &json!("RequireDualStack"))
    );
    let path = format!("{SERVICES}/a");
    let replace = |spec: Value| send(&server, Method::PUT, &path, &service("a", spec)).1;
    let kept = replace(json!({"type": "NodePort", "ports": ports}))["spec"].clone();
    assert_eq!((&kept["clusterIP"], &kept["ports"][0]["nodePort"]), (&json!(address), &number));
    let refused = replace(json!({"type": "NodePort", "ports": [{"port": 80, "nodePort": 99}]}));
    let message = refused["message"].as_str().unwrap_or_default();
    assert!(message.ends_with("The range of valid ports is 30000-32767"), "{message}");
    let named = replace(json!({"type": "ExternalName", "externalName": "a.io"}))["spec"].clone();
    assert!(named["clusterIP"].is_null() && named["ipFamilies"].is_null(), "{named}");
}

#[test]
fn accounts_that_pods_name_must_exist() {
    let server = Server::new(&[replay::documents(&places::data("kubernetes-1.34"))]);
    server.set_time(time(0));
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
        "spec": {"serviceAccountName": "me", "containers": [{"name": "a", "image": "i"}]},
    });
    let create = || send(&server, Method::POST, "/api/v1/namespaces/default/pods", &pod);
    let (code, body) = create();
    let why = "pods \"p\" is forbidden: error looking up service account default/me: \
               serviceaccount \"me\" not found";
    assert_eq!((code, &body["message"]), (StatusCode::FORBIDDEN, &json!(why)));
    let account = json!({
        "apiVersion": "v1", "kind": "ServiceAccount",
        "metadata": {"name": "me", "namespace": "default"},
    });
    server.create(&account).expect("an account");
    assert_eq!(create().0, StatusCode::CREATED);
}

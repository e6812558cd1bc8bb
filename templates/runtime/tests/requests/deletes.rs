//! Deletes: parameters and options of the body never contradict each other, and none is lost.

use openshift_api::core_v1::pods;
use openshift_api::meta_v1::{DeleteOptions, Preconditions};
use openshift_api::params::{DeleteCollectionParams, DeleteParams};
use openshift_api::request::Request;
use serde_json::{Value, json};

/// Options that are parameters, too, and two values of each.
fn choices() -> [(&'static str, [Value; 2]); 5] {
    [
        ("dryRun", [json!(["All"]), json!(["All", "Some"])]),
        ("gracePeriodSeconds", [json!(0), json!(30)]),
        ("ignoreStoreReadErrorWithClusterBreakingPotential", [json!(false), json!(true)]),
        ("orphanDependents", [json!(false), json!(true)]),
        // A string stays a string, even if it looks like a Boolean.
        ("propagationPolicy", [json!("Orphan"), json!("true")]),
    ]
}

fn params(name: &str, value: &Value) -> DeleteParams {
    let params = DeleteParams::default();
    match name {
        "dryRun" => params.dry_run(!value.as_array().unwrap().is_empty()),
        "gracePeriodSeconds" => params.grace_period_seconds(value.as_i64().unwrap()),
        "ignoreStoreReadErrorWithClusterBreakingPotential" => {
            params.ignore_store_read_error_with_cluster_breaking_potential(value.as_bool().unwrap())
        }
        "orphanDependents" => params.orphan_dependents(value.as_bool().unwrap()),
        _ => params.propagation_policy(value.as_str().unwrap()),
    }
}

/// A flag has one value only.
fn is_parameter(name: &str, value: &Value) -> bool {
    name != "dryRun" || *value == json!(["All"])
}

fn options(name: &str, value: &Value) -> DeleteOptions {
    serde_json::from_value(json!({ name: value })).unwrap()
}

fn body<T>(request: &Request<T>) -> Value {
    serde_json::from_slice(request.body()).expect("it is JSON")
}

#[test]
fn parameters_move_into_the_options_of_the_body() {
    for (name, values) in choices() {
        for value in values {
            let expected = json!({ name: value });
            let moved = params(name, &value).options(options(name, &Value::Null));
            let equal = params(name, &value).options(options(name, &value));
            let stated = DeleteParams::default().options(options(name, &value));
            let all = [moved, equal, stated];
            for params in if is_parameter(name, &value) { &all[..] } else { &all[2..] } {
                let request =
                    pods::delete("default", "web", &params.clone().pretty("false")).unwrap();
                assert_eq!(body(&request), expected, "{params:?}");
                assert_eq!(request.uri().query(), Some("pretty=false"), "{params:?}");
            }
        }
    }
    let neither = DeleteParams::default().options(DeleteOptions::default());
    let request = pods::delete("default", "web", &neither).unwrap();
    assert_eq!(body(&request), json!({"apiVersion": "v1", "kind": "DeleteOptions"}));
}

#[test]
fn a_parameter_that_is_named_moves_like_its_field() {
    for (name, [value, _]) in choices() {
        let text = match &value {
            Value::Array(elements) => elements[0].as_str().unwrap().to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let named = DeleteParams::default().with(name, text);
        for stated in [&Value::Null, &value] {
            let request =
                pods::delete("default", "web", &named.clone().options(options(name, stated)))
                    .unwrap();
            assert_eq!((body(&request), request.uri().query()), (json!({ name: value }), None));
        }
    }
}

#[test]
fn a_contradiction_is_refused() {
    for (name, values) in choices() {
        for index in [0, 1] {
            let asked = &values[index];
            let stated = &values[1 - index];
            if !is_parameter(name, asked) {
                continue;
            }
            let params = params(name, asked).options(options(name, stated));
            let expected = format!(
                "the request cannot be made: `{name}` is {asked} in the parameters and {stated} \
                 in the options of the body"
            );
            assert_eq!(pods::delete("default", "web", &params).unwrap_err().to_string(), expected);
        }
    }
}

#[test]
fn all_contradictions_are_reported_at_once() {
    let params = DeleteParams::default().grace_period_seconds(0).propagation_policy("Orphan");
    let options = DeleteOptions {
        grace_period_seconds: Some(30),
        propagation_policy: Some("Background".into()),
        ..DeleteOptions::default()
    };
    let error = pods::delete("default", "web", &params.options(options)).unwrap_err().to_string();
    let all = [
        "`gracePeriodSeconds` is 0 in the parameters and 30 in the options of the body",
        r#"`propagationPolicy` is "Orphan" in the parameters and "Background" in the options of the body"#,
    ];
    assert_eq!(error, format!("the request cannot be made: {}", all.join("; ")));
}

#[test]
fn without_options_nothing_is_sent_but_the_query() {
    let params = DeleteParams::default()
        .dry_run(true)
        .grace_period_seconds(0)
        .propagation_policy("Background");
    let request = pods::delete("default", "web", &params).unwrap();
    assert_eq!(
        request.uri().query(),
        Some("dryRun=All&gracePeriodSeconds=0&propagationPolicy=Background")
    );
    assert!(request.body().is_empty());
    assert!(!request.to_http().headers().contains_key("content-type"));
}

#[test]
fn options_without_a_parameter_are_kept() {
    let uid = Some("0f".to_owned());
    let resource_version = Some("7".to_owned());
    let preconditions = Preconditions { uid, resource_version, ..Preconditions::default() };
    let options = DeleteOptions {
        preconditions: Some(Box::new(preconditions)),
        api_version: None,
        kind: None,
        ..DeleteOptions::default()
    };
    let params = DeleteParams::default().dry_run(true).options(options);
    let request = pods::delete("default", "web", &params).unwrap();
    let expected =
        json!({"preconditions": {"resourceVersion": "7", "uid": "0f"}, "dryRun": ["All"]});
    assert_eq!(body(&request), expected);
    assert_eq!(request.uri().query(), None);
}

#[test]
fn a_dry_run_beside_an_empty_list_of_the_body_is_refused() {
    let options = DeleteOptions { dry_run: Some(Vec::new()), ..DeleteOptions::default() };
    let error =
        pods::delete("default", "web", &DeleteParams::default().dry_run(true).options(options))
            .unwrap_err();
    let expected = "the request cannot be made: `dryRun` is [\"All\"] in the parameters and [] in \
                    the options of the body";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_collection_is_still_chosen_in_the_query() {
    let params = DeleteCollectionParams::default()
        .label_selector("app=web")
        .limit(7)
        .resource_version("9")
        .dry_run(true)
        .options(DeleteOptions::default());
    let request = pods::delete_collection("default", &params).unwrap();
    assert_eq!(request.uri().query(), Some("labelSelector=app%3Dweb&limit=7&resourceVersion=9"));
    assert_eq!(
        body(&request),
        json!({"apiVersion": "v1", "dryRun": ["All"], "kind": "DeleteOptions"})
    );
}

//! Refusals of definitions, by field, reason and message, as servers word them.

use super::{definition, schema};
use kapigen_definitions::{Definition, refusals};
use serde_json::{Value, json};

/// The refusals of the schema of a property `a`, without the beginning of their paths.
fn of(property: &Value) -> Vec<String> {
    let mut schema = schema();
    schema["properties"]["spec"]["properties"]["a"] = property.clone();
    let refusals = refusals(&definition(&schema));
    let start = "spec.validation.openAPIV3Schema.properties[spec].properties[a]";
    refusals
        .iter()
        .map(|cause| cause.to_string().strip_prefix(start).unwrap_or(&cause.to_string()).to_owned())
        .collect()
}

#[test]
fn accepts_each_construct() {
    assert_eq!(refusals(&definition(&schema())), []);
}

#[test]
fn quotes_strings_as_go() {
    for (text, quoted) in [
        ("a \"b\" \\", r#""a \"b\" \\""#),
        ("\u{7}\u{8}\t\n\u{b}\u{c}\r", r#""\a\b\t\n\v\f\r""#),
        ("\0\u{1b}\u{7f}", r#""\x00\x1b\x7f""#),
        ("\u{85}\u{a0}\u{200b}\u{feff}\u{e000}", r#""\u0085\u00a0\u200b\ufeff\ue000""#),
        ("\u{e0001}", r#""\U000e0001""#),
        ("ä 日 \u{301} \u{1f600} <&>", "\"ä 日 \u{301} \u{1f600} <&>\""),
    ] {
        let mut manifest = definition(&schema());
        manifest["spec"]["scope"] = json!(text);
        let expected = format!(
            "spec.scope: Unsupported value: {quoted}: supported values: \"Cluster\", \
             \"Namespaced\""
        );
        assert_eq!(
            refusals(&manifest).iter().map(ToString::to_string).collect::<Vec<_>>(),
            [expected]
        );
    }
}

#[test]
fn refuses_schemas_that_are_not_structural() {
    let string = json!({"type": "string"});
    for (property, expected) in [
        (json!({}), &[".type: Required value: must not be empty for specified object fields"][..]),
        (
            json!({"type": "array", "items": {}}),
            &[".items.type: Required value: must not be empty for specified array items"],
        ),
        (json!({"type": "array"}), &[".items: Required value: must be specified"]),
        (
            json!({"type": "object", "anyOf": [{"type": "object", "description": "d"}]}),
            &[
                ".anyOf[0].description: Forbidden: must be empty to be structural",
                ".anyOf[0].type: Forbidden: must be empty to be structural",
            ],
        ),
        (
            json!({"type": "object", "not": {"default": 1, "nullable": true, "x-kubernetes-list-type": "set"}}),
            &[
                ".not.default: Forbidden: must be undefined to be structural",
                ".not.nullable: Forbidden: must be false to be structural",
                ".not.x-kubernetes-list-type: Forbidden: must be undefined to be structural",
                ".not.type: Required value: must be array if x-kubernetes-list-type is specified",
            ],
        ),
        (
            json!({"type": "object", "properties": {"b": string}, "allOf": [{"properties": {"c": {"minLength": 1}}}]}),
            &[".properties[c]: Required value: because it is defined in \
               spec.validation.openAPIV3Schema.properties[spec].properties[a].allOf[0].\
               properties[c]"],
        ),
        (
            json!({"x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true}),
            &[".x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if \
               x-kubernetes-int-or-string is true"],
        ),
        (
            json!({"type": "string", "x-kubernetes-embedded-resource": true}),
            &[
                ".properties: Required value: must not be empty if x-kubernetes-embedded-resource \
                 is true without x-kubernetes-preserve-unknown-fields",
                ".type: Invalid value: \"string\": must be object if \
                 x-kubernetes-embedded-resource is true",
            ],
        ),
    ] {
        assert_eq!(of(&property), expected, "{property}");
    }
}

#[test]
fn refuses_what_no_schema_may_have() {
    for (property, expected) in [
        (
            json!({"type": "string", "$ref": "#/x"}),
            &[".$ref: Forbidden: $ref is not supported"][..],
        ),
        (
            json!({"type": "BoolString"}),
            &[".type: Unsupported value: \"BoolString\": supported values: \"array\", \
               \"boolean\", \"integer\", \"number\", \"object\", \"string\""],
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true}),
            &[".uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime \
               complexity becomes quadratic"],
        ),
        (
            json!({"type": "object", "additionalProperties": false}),
            &[".additionalProperties: Forbidden: additionalProperties cannot be set to false"],
        ),
        (
            json!({
                "type": "object", "properties": {"b": {"type": "string"}}, "additionalProperties": {"type": "string"},
            }),
            &[".additionalProperties: Forbidden: additionalProperties and properties are mutual \
               exclusive"],
        ),
        (
            json!({"type": "string", "x-kubernetes-map-type": "other"}),
            &[
                ".type: Invalid value: \"string\": must be object if x-kubernetes-map-type is \
                 specified",
                ".x-kubernetes-map-type: Unsupported value: \"other\": supported values: \
                 \"atomic\", \"granular\"",
            ],
        ),
        (json!({"type": 5}), &[".type: Invalid value: \"integer\": must be a string"]),
    ] {
        assert_eq!(of(&property), expected, "{property}");
    }
}

#[test]
fn unknown_keywords_are_dropped() {
    let property =
        json!({"type": "string", "readOnly": true, "x-doc": {"a": 1}, "title": "", "minLength": 0});
    assert_eq!(of(&property), [""; 0]);
    let manifest = definition(&json!({"type": "object", "properties": {"spec": property}}));
    let definition = Definition::read(&manifest).unwrap();
    let published = definition.versions()[0].published().unwrap();
    assert_eq!(published["properties"]["spec"], json!({"type": "string", "minLength": 0}));
}

#[test]
fn refuses_names_scopes_and_versions() {
    for (pointer, value, expected) in [
        (
            "/metadata/name",
            json!("w"),
            &["metadata.name: Invalid value: \"w\": must be spec.names.plural+\".\"+spec.group"][..],
        ),
        (
            "/spec/group",
            json!("example"),
            &[
                "metadata.name: Invalid value: \"widgets.example.com\": must be \
                 spec.names.plural+\".\"+spec.group",
                "spec.group: Invalid value: \"example\": should be a domain with at least one dot",
            ],
        ),
        (
            "/spec/scope",
            json!("Global"),
            &["spec.scope: Unsupported value: \"Global\": supported values: \"Cluster\", \
               \"Namespaced\""],
        ),
        (
            "/spec/names/listKind",
            json!("Widget"),
            &["spec.names.listKind: Invalid value: \"Widget\": kind and listKind may not be the \
               same"],
        ),
        (
            "/spec/versions/0/deprecationWarning",
            json!("old"),
            &["spec.versions[0].deprecationWarning: Invalid value: \"old\": can only be set for \
               deprecated versions"],
        ),
        (
            "/spec/versions/0/subresources/scale/specReplicasPath",
            json!(".status.n"),
            &["spec.subresources.scale.specReplicasPath: Invalid value: \".status.n\": should be \
               a json path under .spec"],
        ),
        (
            "/spec/conversion",
            json!({"strategy": "Webhook"}),
            &[
                "spec.conversion.webhookClientConfig: Required value: required when strategy is \
                 set to Webhook",
                "spec.conversion.conversionReviewVersions: Required value",
            ],
        ),
    ] {
        let mut manifest = definition(&schema());
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        manifest.pointer_mut(parent).unwrap()[name] = value;
        let refusals: Vec<_> = refusals(&manifest).iter().map(ToString::to_string).collect();
        assert_eq!(refusals, expected, "{pointer}");
    }
}

#[test]
fn parts_that_versions_do_not_share_are_refused_at_the_version() {
    let mut manifest = definition(&schema());
    let mut other = manifest["spec"]["versions"][0].clone();
    other["name"] = json!("v2");
    other["storage"] = json!(false);
    other["schema"]["openAPIV3Schema"]["properties"]["spec"]["type"] = json!(null);
    manifest["spec"]["versions"].as_array_mut().unwrap().push(other);
    let refusals = refusals(&manifest);
    let [cause] = &refusals[..] else { panic!("{refusals:?}") };
    assert_eq!(cause.field, "spec.versions[1].schema.openAPIV3Schema.properties[spec].type");
    assert_eq!(cause.pointer, "/spec/versions/1/schema/openAPIV3Schema/properties/spec/type");
}

#[test]
fn groups_of_the_community_need_an_approval() {
    let mut manifest = definition(&schema());
    manifest["metadata"]["name"] = json!("widgets.a.k8s.io");
    manifest["spec"]["group"] = json!("a.k8s.io");
    let fields = |manifest: &Value| {
        refusals(manifest).into_iter().map(|cause| cause.field).collect::<Vec<_>>()
    };
    assert_eq!(fields(&manifest), ["metadata.annotations[api-approved.kubernetes.io]"]);
    manifest["metadata"]["annotations"] =
        json!({"api-approved.kubernetes.io": "unapproved, for a test"});
    assert_eq!(fields(&manifest), [""; 0]);
}

/// The bytes of all refusals of a schema, and of the reasons why it is not published.
fn bytes(schema: &Value) -> usize {
    let manifest = definition(schema);
    let published = Definition::read(&manifest).unwrap().versions()[0].published();
    let causes = refusals(&manifest).into_iter().chain(published.err().unwrap_or_default());
    causes.map(|cause| cause.field.len() + cause.message.len() + cause.pointer.len()).sum()
}

#[test]
fn long_names_with_many_faults_have_few_refusals() {
    let faults: [fn(usize) -> Value; 4] = [
        |count| json!({"properties": (0..count).map(|index| (format!("p{index}"), json!({}))).collect::<Value>()}),
        |count| json!({"properties": (0..count).map(|index| (format!("p{index}"), json!(1))).collect::<Value>()}),
        |count| json!({"type": "object", "allOf": (0..count).map(|_| json!({"required": [], "type": "a", "properties": {"b": {}}})).collect::<Value>()}),
        |count| json!({"type": "object", "x-kubernetes-validations": vec![json!({}); count]}),
    ];
    for (index, fault) in faults.into_iter().enumerate() {
        let bytes = [1_000, 2_000].map(|count| {
            bytes(&json!({"type": "object", "properties": {"n".repeat(count * 40): fault(count)}}))
        });
        assert!(bytes[0] > 0 && bytes[1] * 2 <= bytes[0] * 5, "{index}: {bytes:?}");
    }
    // All refusals of fields with short names are reported, and the selectable field's.
    let many = json!({"type": "object", "properties": (0..500).map(|index| (format!("p{index}"), json!({}))).collect::<Value>()});
    assert_eq!(refusals(&definition(&many)).len(), 501);
}

#[test]
fn a_definition_has_at_most_100_versions() {
    let mut manifest = definition(&schema());
    let version = manifest["spec"]["versions"][0].clone();
    let versions = |count: usize| -> Value {
        let named = |index: usize| {
            let mut version = version.clone();
            version["name"] = format!("v{index}").into();
            version["storage"] = (index == 1).into();
            version
        };
        (1..=count).map(named).collect()
    };
    manifest["spec"]["versions"] = versions(100);
    assert_eq!(refusals(&manifest), []);
    assert!(Definition::read(&manifest).is_ok());
    manifest["spec"]["versions"] = versions(101);
    let said: Vec<_> = refusals(&manifest).iter().map(ToString::to_string).collect();
    assert_eq!(said, ["spec.versions: Too many: 101: must have at most 100 items"]);
    let incomplete = &Definition::read(&manifest).unwrap_err()[0];
    assert_eq!(
        incomplete.to_string(),
        "the definition has no `spec.versions`, or it is not a list of at most 100 versions"
    );
}

/// The refusals of a definition with this conversion, without the path that all have.
fn refusals_of_conversion(conversion: Value) -> Vec<String> {
    let mut manifest = definition(&schema());
    manifest["spec"]["conversion"] = conversion;
    let refusals = refusals(&manifest);
    let texts = refusals.iter().map(ToString::to_string);
    texts.map(|text| text.replacen("spec.conversion.", "", 1)).collect()
}

#[test]
fn webhooks_have_one_address_and_a_version_that_servers_know() {
    let service = json!({"name": "a", "namespace": "b"});
    let of = |client: Value, versions: Value| {
        let webhook = json!({"clientConfig": client, "conversionReviewVersions": versions});
        refusals_of_conversion(json!({"strategy": "Webhook", "webhook": webhook}))
    };
    for client in [json!({"service": service}), json!({"url": "https://a.b:1/c/d"})] {
        assert!(of(client, json!(["v2", "v1"])).is_empty());
    }
    let both = "webhookClientConfig: Required value: exactly one of url or service is required";
    assert_eq!(of(json!({}), json!(["v1"])), [both]);
    assert_eq!(of(json!({"url": "https://a", "service": service}), json!(["v1"])), [both]);
    let list = "conversionReviewVersions";
    for (versions, expected) in [
        (
            json!(["v2", "x"]),
            vec![format!(
                "{list}: Invalid value: [\"v2\",\"x\"]: must include at least one of v1, v1beta1"
            )],
        ),
        (json!(["v1", "v1"]), vec![format!("{list}[1]: Invalid value: \"v1\": duplicate version")]),
        (json!([]), vec![format!("{list}: Required value")]),
    ] {
        assert_eq!(of(json!({"service": service}), versions), expected);
    }
    let [odd] = &of(json!({"service": service}), json!(["v1", "1"]))[..] else { panic!() };
    assert!(odd.starts_with(&format!("{list}[1]: Invalid value: \"1\": a DNS-1035")), "{odd}");
    let why = "should not be set when strategy is not set to Webhook";
    assert_eq!(
        refusals_of_conversion(json!({"strategy": "None", "webhook": {
            "clientConfig": {"service": service}, "conversionReviewVersions": ["v1"],
        }})),
        [format!("webhookClientConfig: Forbidden: {why}"), format!("{list}: Forbidden: {why}")]
    );
}

#[test]
fn addresses_of_webhooks_are_checked() {
    let of = |client: Value| {
        let webhook = json!({"clientConfig": client, "conversionReviewVersions": ["v1"]});
        let causes = refusals_of_conversion(json!({"strategy": "Webhook", "webhook": webhook}));
        let place = "webhookClientConfig.";
        causes.iter().map(|cause| cause.replacen(place, "", 1)).collect::<Vec<_>>()
    };
    let form = "desired format: https://host[/path]";
    let scheme = format!("'https' is the only allowed URL scheme; {form}");
    for (url, expected) in [
        ("http://a/b", vec![format!("url: Invalid value: \"http\": {scheme}")]),
        ("HTTPS://a", vec![]),
        (
            "a/b",
            vec![
                format!("url: Invalid value: \"\": {scheme}"),
                format!("url: Invalid value: \"\": host must be specified; {form}"),
            ],
        ),
        ("https:///a", vec![format!("url: Invalid value: \"\": host must be specified; {form}")]),
        (
            "https://me:pw@a?b#c",
            vec![
                "url: Invalid value: \"me:pw\": user information is not permitted in the URL"
                    .to_owned(),
                "url: Invalid value: \"c\": fragments are not permitted in the URL".to_owned(),
                "url: Invalid value: \"b\": query parameters are not permitted in the URL"
                    .to_owned(),
            ],
        ),
    ] {
        assert_eq!(of(json!({"url": url})), expected, "{url}");
    }
    let service = json!({"name": "", "port": 0, "path": "a//"});
    assert_eq!(
        of(json!({"service": service})),
        [
            "service.name: Required value",
            "service.namespace: Required value",
            "service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, \
             inclusive",
            "service.path: Invalid value: \"a//\": must start with a '/'",
            "service.path: Invalid value: \"a//\": segment[0] may not be empty",
            "service.path: Invalid value: \"a//\": segment[1] may not be empty",
        ]
    );
}

#[test]
fn at_most_eight_fields_are_selectable_each_once() {
    let of = |names: &[&str]| {
        let mut manifest = definition(&schema());
        let string = json!({"type": "string"});
        let properties: serde_json::Map<_, _> =
            ('a'..='j').map(|name| (name.to_string(), string.clone())).collect();
        let version = &mut manifest["spec"]["versions"][0];
        version["schema"]["openAPIV3Schema"]["properties"]["spec"] =
            json!({"type": "object", "properties": properties});
        let fields = names.iter().map(|name| json!({"jsonPath": format!(".spec.{name}")}));
        version["selectableFields"] = fields.collect();
        refusals(&manifest).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(of(&["a", "b", "c", "d", "e", "f", "g", "h"]).is_empty());
    assert_eq!(
        of(&["a", "b", "a"]),
        ["spec.selectableFields[2].jsonPath: Duplicate value: \".spec.a\""]
    );
    assert_eq!(
        of(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]),
        ["spec.selectableFields: Too many: 10: must have at most 8 items"]
    );
}

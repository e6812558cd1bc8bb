//! The changes of the definitions `tests/upgrades/probes.yaml`.

use super::Change;

/// The version that a change takes away.
pub(super) const OLDER: &str = "example.com/v1alpha1";

const CHECK: &str = "message: {type: string}, lastTransitionTime: {type: string}";
const CONDITION: &str = "message: {type: string}, lastTransitionTime: {type: string, format: \
                         date-time}";
const DEPOT: &str = "---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: depots.example.com}
spec:
  group: example.com
  names: {kind: Depot, plural: depots, singular: depot}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {room: {type: \
                     integer}}}}}
";

const CLAIMING: &str = "---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: probespecs.example.com}
spec:
  group: example.com
  names: {kind: ProbeSpec, plural: probespecs, singular: probespec}
  scope: Cluster
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
---
";

const BAY: &str = "bay: {type: object, properties: {door: {type: string}}}";
const RAIL: &str = "rail: {type: object, properties: {length: {type: integer}}}";
const CARGO: &str = "cargo: {type: object, x-kubernetes-preserve-unknown-fields: true}";
const LABELS: &str = "labels: {type: object, additionalProperties: {type: string}}";
const MASS: &str =
    "mass: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}";

/// The changes that a crate holds.
pub(super) const HELD: &[Change] = &[
    (
        "members are required, with and without a default, or no longer",
        &[
            ("required: [target, steps]", "required: [target, crew, bay, mode]"),
            ("mode: {type: string}", "mode: {type: string, default: fast}"),
        ],
    ),
    (
        "only servers notice new rules, bounds, kinds of lists, null, the stored version",
        &[
            ("crew: {type", "crew: {nullable: true, type"),
            ("steps: {type", "steps: {maxItems: 9, x-kubernetes-list-type: set, type"),
            (
                "notes: {type",
                "notes: {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], type",
            ),
            ("labels: {", "labels: {x-kubernetes-validations: [{rule: \"self.size() < 9\"}], "),
            ("target: {type", "target: {pattern: '^[a-z]+$', maxLength: 63, type"),
            ("cargo: {type", "cargo: {x-kubernetes-embedded-resource: true, type"),
            ("storage: false", "storage: yes"),
            ("storage: true\n    subresources", "storage: false\n    subresources"),
            ("storage: yes", "storage: true"),
        ],
    ),
    (
        "strings are an enum, a time or bytes, and an integer is short",
        &[
            ("mode: {type: string}", "mode: {type: string, enum: [Fast, Slow]}"),
            ("launched: {type: string}", "launched: {type: string, format: date-time}"),
            ("key: {type: string}", "key: {type: string, format: byte}"),
            ("crew: {type: integer, format: int64}", "crew: {type: integer, format: int32}"),
        ],
    ),
    (
        "an enum is any string",
        &[("state: {type: string, enum: [Idle, Busy]}", "state: {type: string}")],
    ),
    ("an enum lost a value, and has a new one", &[("[Idle, Busy]", "[Busy, Gone]")]),
    (
        "free JSON has a schema",
        &[(
            "values: {x-kubernetes-preserve-unknown-fields: true}",
            "values: {type: object, properties: {depth: {type: integer}}}",
        )],
    ),
    (
        "a time is any string",
        &[("landed: {type: string, format: date-time}", "landed: {type: string}")],
    ),
    (
        "a member and a nested type are lost",
        &[("              lost: {type: string}\n", ""), (BAY, "")],
    ),
    (
        "two nested types are equal",
        &[(BAY, "bay: {type: object, properties: {door: {type: string}, size: {type: integer}}}")],
    ),
    (
        "two equal nested types differ",
        &[(
            RAIL,
            "rail: {type: object, properties: {length: {type: integer}, gauge: {type: integer}}}",
        )],
    ),
    (
        "types that two versions share differ",
        &[
            (
                "pier: {type: object, properties: {",
                "pier: {type: object, properties: {depth: {type: integer}, ",
            ),
            (
                "side: {type: string, enum: [Port]}}}}}\n              memo",
                "side: {type: string, enum: [Port, Stern]}, lock: {type: boolean}}}}}\n              memo",
            ),
        ],
    ),
    (
        "types of two versions are equal",
        &[("name: {type: string}}}}\n---", "name: {type: string}, text: {type: string}}}}\n---")],
    ),
    ("a nested type fits a listed one", &[(CHECK, CONDITION)]),
    (
        "a nested type does not fit a listed one any more",
        &[(CONDITION, "message: {type: string}, lastTransitionTime: {type: string}")],
    ),
    ("a subresource is lost", &[("    subresources: {status: {}}\n", "")]),
    ("a definition is lost", &[(DEPOT, "")]),
    ("objects are in no namespace", &[("scope: Namespaced", "scope: Cluster")]),
    ("another kind claims the name of a type", &[("---\n", CLAIMING)]),
];

/// The changes that no type would hold.
pub(super) const REFUSED: &[Change] = &[
    (
        "members have types of other JSON",
        &[
            ("target: {type: string}", "target: {x-kubernetes-int-or-string: true}"),
            (MASS, "mass: {type: string}"),
            ("mode: {type: string}", "mode: {type: object, properties: {speed: {type: integer}}}"),
            ("launched: {type: string}", "launched: {type: array, items: {type: string}}"),
            ("manned: {type: boolean}", "manned: {type: string}"),
            ("fuel: {type: number}", "fuel: {type: integer}"),
            ("port: {type: integer, format: int32}", "port: {type: integer, format: int64}"),
            (
                "steps: {type: array, items: {type: string}}",
                "steps: {type: object, additionalProperties: {type: string}}",
            ),
            (
                LABELS,
                "labels: {type: object, additionalProperties: {type: object, properties: {text: \
                 {type: string}}}}",
            ),
            (BAY, "bay: {x-kubernetes-preserve-unknown-fields: true}"),
            (CARGO, "cargo: {type: object, properties: {crates: {type: integer}}}"),
        ],
    ),
    ("a version is lost", &[("v1alpha1\n    served: true", "v1alpha1\n    served: false")]),
    (
        "a resource has another plural",
        &[
            ("plural: probes, singular", "plural: rovers, singular"),
            ("name: probes.example.com", "name: rovers.example.com"),
        ],
    ),
    ("a kind has another name", &[("kind: Probe,", "kind: Rover,")]),
];

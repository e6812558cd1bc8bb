//! The changes of the document `tests/upgrades/stars.yaml`.

use super::Change;

const SEEN: &str =
    "seen: {$ref: '../meta/v1.yaml#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time'}";
const SINCE: &str = "since: {$ref: \
    '../meta/v1.yaml#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time'}";
const NAMED: &str = "    com.example.v1.StarCore: {type: object, properties: {radius: {type: \
                     integer}}}\n    com.example.v1.Orbit:\n";
const RING: &str =
    "        ring: {$ref: '#/components/schemas/com.example.v1.StarCore'}\n        mass:";
const MOONS: &str = "  /apis/example-com/v1/moons/{name}:
    get:
      operationId: readMoon
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: OK}}
      x-kubernetes-action: get
      x-kubernetes-group-version-kind: {group: example-com, version: v1, kind: Moon}
components:
";
const TWIN: &str = "twin: {$ref: '#/components/schemas/com.example.v1.Orbit'}";

/// The changes that a crate holds.
pub(super) const HELD: &[Change] = &[
    (
        "a member is new, and required",
        &[
            ("        mass:", "        crew: {type: string}\n        mass:"),
            ("size]", "size, crew]"),
        ],
    ),
    ("members that are required now", &[(", size", ", size, twin, tags, mass, class")]),
    (
        "members that are optional now",
        &[("[orbit, names, ", "["), ("required: [period]", "required: [center]")],
    ),
    (
        "a string is an enum",
        &[("class: {type: string}", "class: {type: string, enum: [Dwarf, Giant]}")],
    ),
    ("a string is a time", &[("seen: {type: string}", SEEN)]),
    ("a string is bytes", &[("code: {type: string}", "code: {type: string, format: byte}")]),
    (
        "a string is a quantity",
        &[
            (
                "light: {type: string}",
                "light: {$ref: \
                 '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity'}",
            ),
            (
                "  schemas:\n",
                "  schemas:\n    io.k8s.apimachinery.pkg.api.resource.Quantity: {type: string}\n",
            ),
        ],
    ),
    (
        "an enum is any string",
        &[("color: {type: string, enum: [Blue, Red]}", "color: {type: string}")],
    ),
    ("an enum lost a value, and has a new one", &[("[Old, Young]", "[Young, Dead]")]),
    (
        "an integer is short",
        &[("size: {type: integer, format: int64}", "size: {type: integer, format: int32}")],
    ),
    (
        "free JSON has a schema",
        &[("any: {}", "any: {type: object, properties: {rays: {type: integer}}}")],
    ),
    ("a member is lost", &[("        lost: {type: string}\n", "")]),
    (
        "a type is lost",
        &[("        dust: {type: object, properties: {grains: {type: integer}}}\n", "")],
    ),
    (
        "a type splits",
        &[
            (TWIN, "twin: {$ref: '#/components/schemas/com.example.v1.Path'}"),
            (
                "    com.example.v1.Orbit:\n",
                "    com.example.v1.Path: {type: object, required: [period], properties: {\
                 period: {type: integer, format: int64}, speed: {type: integer}}}\n    \
                 com.example.v1.Orbit:\n",
            ),
        ],
    ),
    (
        "another schema claims the name of a type",
        &[("    com.example.v1.Orbit:\n", NAMED), ("        mass:", RING)],
    ),
    (
        "another property claims the name of a field",
        &[("        Halo:", "        halo: {type: string}\n        Halo:")],
    ),
    (
        "two types are equal",
        &[(
            "core: {type: object, properties: {",
            "core: {type: object, properties: {glow: {type: \
           integer}, ",
        )],
    ),
    (
        "an operation is lost",
        &[(
            "    delete:
      operationId: deleteStar
      responses: {'200': {description: OK}}
      x-kubernetes-action: delete
      x-kubernetes-group-version-kind: {group: example.com, version: v1, kind: Star}
",
            "",
        )],
    ),
    (
        "a parameter is lost",
        &[("        - {name: since, in: query, schema: {type: string}}\n", "")],
    ),
    (
        "a parameter is required",
        &[("{name: depth, in: query,", "{name: depth, in: query, required: true,")],
    ),
    (
        "a function without parameters gets one",
        &[(
            "      operationId: replaceStar\n",
            "      operationId: replaceStar\n      parameters: [{name: dryRun, in: query, schema: \
             {type: string}}]\n",
        )],
    ),
    ("another group claims the name of a module", &[("components:\n", MOONS)]),
    (
        "a parameter is new",
        &[(
            "        - {name: depth,",
            "        - {name: width, in: query, schema: {type: integer}}\n        - {name: depth,",
        )],
    ),
];

/// The changes that no type would hold.
pub(super) const REFUSED: &[Change] = &[
    (
        "a string is an integer or a string",
        &[("class: {type: string}", "class: {x-kubernetes-int-or-string: true}")],
    ),
    (
        "a function without parameters needs one",
        &[(
            "      operationId: replaceStar\n",
            "      operationId: replaceStar\n      parameters: [{name: dryRun, in: query, required: \
             true, schema: {type: string}}]\n",
        )],
    ),
    (
        "a scalar is an object",
        &[("class: {type: string}", "class: {type: object, properties: {letter: {type: string}}}")],
    ),
    (
        "a scalar is a list",
        &[("class: {type: string}", "class: {type: array, items: {type: string}}")],
    ),
    (
        "an integer is long",
        &[("port: {type: integer, format: int32}", "port: {type: integer, format: int64}")],
    ),
    ("a time is any string", &[(SINCE, "since: {type: string}")]),
    (
        "a list is a map",
        &[(
            "tags: {type: array, items: {type: string}}",
            "tags: {type: object, additionalProperties: {type: string}}",
        )],
    ),
    ("a struct is free JSON", &[(TWIN, "twin: {}")]),
    (
        "a struct contains itself",
        &[(
            "        center: {type: string}",
            "        center: {$ref: '#/components/schemas/com.example.v1.Orbit'}",
        )],
    ),
];

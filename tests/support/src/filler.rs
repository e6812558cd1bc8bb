//! Values with every member set.

use crate::documents::{Documents, Leaf, Object, Shape};
use serde_json::{Map, Value, json};

/// Makes values that have every member. Another seed gives another value; with [`SEEDS`] seeds,
/// every member gets every example.
#[derive(Debug)]
pub struct Filler<'a> {
    documents: &'a Documents,
    turn: usize,
    depth: usize,
}

/// The number of seeds that give different values: the length of the longest list of examples.
pub const SEEDS: usize = 17;

/// Lists and maps have two entries near the top and one below it. Types deep inside one object are
/// near the top of another, and doubling at every level only takes time.
const NEAR: usize = 2;

/// The keys of maps. One is a label's, one is a trap.
const KEYS: [&str; 2] = ["app.kubernetes.io/name", "null: \"ü\" #"];

impl<'a> Filler<'a> {
    /// Begins with a seed.
    #[must_use]
    pub fn new(documents: &'a Documents, seed: usize) -> Self {
        Self { documents, turn: seed, depth: 0 }
    }

    /// A value of this shape.
    #[must_use]
    pub fn fill(&mut self, shape: Shape<'_>) -> Value {
        let entries = if self.depth < NEAR { 2 } else { 1 };
        self.depth += 1;
        let value = match shape {
            Shape::Leaf(leaf) => self.next(&examples(leaf)),
            Shape::List(elements) => {
                (0..entries).map(|_| self.fill(self.documents.shape(elements))).collect()
            }
            Shape::Map(values) => {
                let keys = KEYS.iter().take(entries);
                keys.map(|key| ((*key).to_owned(), self.fill(self.documents.shape(values))))
                    .collect()
            }
            Shape::Object(object) => self.object(object),
        };
        self.depth -= 1;
        value
    }

    fn object(&mut self, object: Object<'_>) -> Value {
        let mut map: Map<String, Value> = Map::new();
        for member in object.members() {
            map.insert(member.key.to_owned(), self.fill(self.documents.shape(member.schema)));
        }
        if object.states_kind() {
            let (api_version, kind) = self.next(&object.kinds());
            map.extend([
                ("apiVersion".to_owned(), api_version.into()),
                ("kind".to_owned(), kind.into()),
            ]);
        }
        map.into()
    }

    fn next<T: Clone>(&mut self, choices: &[T]) -> T {
        self.turn += 1;
        choices[self.turn % choices.len()].clone()
    }
}

/// Values of a leaf as servers write them: extremes, and values that formats and parsers often get
/// wrong.
#[must_use]
pub fn examples(leaf: Leaf) -> Vec<Value> {
    let values = match leaf {
        Leaf::Bool => json!([true, false]),
        Leaf::Int32 => json!([0, 1, -1, i32::MAX, i32::MIN]),
        Leaf::Int64 => json!([0, 1, -1, i64::MAX, i64::MIN, (1_i64 << 53) + 1]),
        Leaf::Text => return texts(),
        Leaf::Bytes => json!(["", "AA==", "AAE=", "AAEC", "+/+/", "aHR0cDovL2E="]),
        Leaf::Time => json!([
            "2024-02-29T12:34:56Z",
            "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:01Z",
            "1969-12-31T23:59:59Z",
            "9999-12-31T23:59:59Z",
        ]),
        Leaf::MicroTime => json!([
            "2024-02-29T12:34:56.000000Z",
            "0000-01-01T00:00:00.000000Z",
            "0001-01-01T00:00:00.000001Z",
            "1969-12-31T23:59:59.999999Z",
            "9999-12-31T23:59:59.123450Z",
        ]),
        Leaf::Quantity => {
            json!([
                "0",
                "500m",
                "1Gi",
                "-1.5",
                "+.5",
                "1.",
                "1E",
                "1E2",
                "2e-3",
                "00.10k",
                "123456789012345678901Ei"
            ])
        }
        Leaf::IntOrString => json!([0, "http", -1, "80", i32::MAX, "25%", i32::MIN, ""]),
        Leaf::Fields => json!([{}, {"f:metadata": {".": {}, "k:{\"name\":\"a b\"}": {"v:1": {}}}}]),
        Leaf::Any => json!([
            {},
            {"kind": "Any", "null": null, "nested": [null, {"empty": [[], {}, ""]}], "1": [0.5, -0.25, u64::MAX]},
            [],
            [null],
            "",
            0,
            -1.5,
            false,
        ]),
    };
    let Value::Array(values) = values else { unreachable!("every literal above is a list") };
    values
}

fn texts() -> Vec<Value> {
    let texts = [
        "a",
        "",
        " blanks \t\r\n",
        "\u{0}\u{1}\u{7f}\u{85}\u{a0}",
        "\"quotes\" 'and' \\ / \u{8}",
        "Grüße, 世界 🦀 e\u{301}",
        "\u{2028}\u{2029}\u{feff}\u{fffd}\u{10ffff}",
        "null",
        "~",
        "true",
        "no",
        "0x1F",
        "1e3",
        "2024-05-01",
        "- a: [b, {c: d}] # e",
        "---\n...\n  indented\n",
    ];
    texts.iter().map(|text| Value::from(*text)).chain([Value::from("long ".repeat(300))]).collect()
}

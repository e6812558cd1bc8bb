//! Validation of custom resources by the rules of their schemas, in the order in which servers
//! check and report them.

mod check;
mod combined;
mod findings;
mod number;
mod read;

pub(crate) use check::Work;
pub(super) use check::check;
pub(super) use findings::Findings;

use super::{ListRule, Node};
use serde_json::Value;
use std::collections::BTreeMap;

/// The rules of a schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// The name of the type, such as `integer`. Empty if any type will do.
    kind: String,
    format: String,
    required: Vec<String>,
    choices: Vec<Value>,
    multiple_of: Option<f64>,
    minimum: Option<Bound>,
    maximum: Option<Bound>,
    /// The number of characters.
    length: Count,
    pattern: Option<String>,
    elements: Count,
    members: Count,
    all_of: Vec<Subschema>,
    any_of: Vec<Subschema>,
    one_of: Vec<Subschema>,
    not: Option<Box<Subschema>>,
    /// Whether values are resources of their own.
    is_embedded: bool,
}

/// The least or the greatest number, inclusive or exclusive.
#[derive(Clone, Copy, Debug)]
struct Bound {
    number: f64,
    is_exclusive: bool,
}

/// The least and the greatest count.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    least: Option<usize>,
    most: Option<usize>,
}

/// A schema within `allOf`, `anyOf`, `oneOf` or `not`: it has rules for values that are described
/// around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subschema {
    rules: Rules,
    properties: BTreeMap<String, Subschema>,
    entries: Option<Box<Subschema>>,
    items: Option<Box<Subschema>>,
}

/// The type of a value that is an integer or a string, in the words of servers.
const EITHER: &str = "integer,string";

impl Rules {
    pub(super) fn is_embedded(&self) -> bool {
        self.is_embedded
    }
}

/// A schema that has rules for values.
pub(crate) trait Checked: Copy {
    /// Its rules. `None` if there are none, neither for the value nor below it.
    fn rules(&self) -> Option<&Rules>;
    fn is_nullable(self) -> bool;
    /// The schema of a member of this name.
    fn below(self, name: &str) -> Option<Self>;
    fn of_elements(self) -> Option<Self>;
    /// The rule by which the elements of a list are told apart.
    fn list_rule(&self) -> &ListRule;
}

impl Checked for Node<'_> {
    fn rules(&self) -> Option<&Rules> {
        Node::rules(*self)
    }

    fn is_nullable(self) -> bool {
        Node::is_nullable(self)
    }

    fn below(self, name: &str) -> Option<Self> {
        Some(self.member(name))
    }

    fn of_elements(self) -> Option<Self> {
        Some(self.element())
    }

    fn list_rule(&self) -> &ListRule {
        Node::list_rule(*self)
    }
}

impl Checked for &Subschema {
    fn rules(&self) -> Option<&Rules> {
        Some(&self.rules)
    }

    fn is_nullable(self) -> bool {
        self.rules.kind.is_empty()
    }

    fn below(self, name: &str) -> Option<Self> {
        self.properties.get(name).or(self.entries.as_deref())
    }

    fn of_elements(self) -> Option<Self> {
        self.items.as_deref()
    }

    fn list_rule(&self) -> &ListRule {
        ListRule::ATOMIC
    }
}

#[cfg(test)]
mod tests {
    use super::findings::MOST_WORK;
    use super::{Findings, Subschema, check};
    use kapigen_definitions::Path;
    use serde_json::{Value, json};

    /// The number of causes, and the work that was spent of some.
    fn checked(schema: &Value, value: &Value, work: usize) -> (usize, usize) {
        let mut found = Findings { budget: work, ..Findings::default() };
        check(&Subschema::read(schema), value, None, Path::ROOT, &mut found);
        (found.causes.len(), work - found.budget)
    }

    #[test]
    fn choices_strings_and_matches_are_paid_for() {
        let choices: Vec<_> = (0..1000).collect();
        let schema = json!({"items": {"enum": choices}});
        let (causes, spent) = checked(&schema, &json!(vec![999; 100]), MOST_WORK);
        assert!(causes == 0 && (100_000..101_000).contains(&spent), "{spent}");
        let schema = json!({"items": {"type": "string", "maxLength": 64_000}});
        let strings = json!(vec!["x".repeat(64_000); 10]);
        let (causes, spent) = checked(&schema, &strings, MOST_WORK);
        assert!(causes == 0 && (10_000..10_100).contains(&spent), "{spent}");
        let schema = json!({"items": {"pattern": "x".repeat(64)}});
        let (causes, spent) = checked(&schema, &strings, MOST_WORK);
        assert!(causes == 0 && (2_570_000..2_571_000).contains(&spent), "{spent}");
    }

    #[test]
    fn work_that_ends_early_refuses_nothing() {
        let integers = json!({"items": {"type": "integer"}});
        let strings = json!({"items": {"type": "string"}});
        let value = json!([1, 1, 1, 1, "a"]);
        for schema in [
            json!({"not": integers}),
            json!({"oneOf": [integers, integers]}),
            json!({"anyOf": [strings, strings]}),
            json!({"allOf": [strings, integers]}),
        ] {
            for work in 1..8 {
                assert_eq!(checked(&schema, &value, work).0, 0, "{schema} {work}");
            }
        }
    }

    /// Definitions state them so already. Documents are taken as they are.
    #[test]
    fn choices_need_no_fraction() {
        let schema = json!({"enum": [0.5, 1.0, [2.0]]});
        for (value, causes) in [(json!(1), 0), (json!([2]), 0), (json!(0.5), 0), (json!(2), 1)] {
            assert_eq!(checked(&schema, &value, MOST_WORK).0, causes, "{value}");
        }
    }
}

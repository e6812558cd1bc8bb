// not vendored
//! The rules that servers refuse when a definition is made.

use super::names::field_path;
use super::rule::{Rule, text};
use super::types::{self, Type};
use kapigen_definitions::schema_keywords::{LIST_TYPE, MAP_TYPE, VALIDATIONS};
use kapigen_definitions::{Cause, Path};
use serde_json::{Value, json};

/// The warning of a definition with rules.
pub(crate) const UNCHECKED: &str = "the cost and some types of the expressions in x-kubernetes-validations are not checked here: \
     a server may refuse this definition";

/// The reasons that a rule can state.
const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/// The bytes of texts after which no more causes are made.
const MOST_BYTES: usize = 256 << 10;

/// The causes for which a server refuses the rules of a definition, and whether it has any.
pub(crate) fn refusals(definition: &Value) -> (Vec<Cause>, bool) {
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    let schemas: Vec<_> = versions
        .into_iter()
        .flatten()
        .map(|version| version.pointer("/schema/openAPIV3Schema").unwrap_or(&Value::Null))
        .collect();
    let mut check = Check { causes: Vec::new(), bytes: 0, has_rules: false };
    let is_shared = schemas.iter().all(|schema| Some(schema) == schemas.first());
    for (index, schema) in schemas.iter().enumerate() {
        let pointer = format!("/spec/versions/{index}/schema/openAPIV3Schema");
        if is_shared {
            check.schema(schema, Path::Start("spec.validation.openAPIV3Schema", &pointer), None);
            break;
        }
        let field = format!("spec.versions[{index}].schema.openAPIV3Schema");
        check.schema(schema, Path::Start(&field, &pointer), None);
    }
    (check.causes, check.has_rules)
}

struct Check {
    causes: Vec<Cause>,
    bytes: usize,
    has_rules: bool,
}

impl Check {
    fn push(&mut self, cause: Cause) {
        if self.bytes < MOST_BYTES {
            self.bytes += cause.field.len() + cause.message.len();
            self.causes.push(cause);
        }
    }

    /// Checks a schema after the ones in it. Old values cannot be found within `lost`.
    fn schema(&mut self, schema: &Value, path: Path<'_>, lost: Option<&Path<'_>>) {
        let is = |key: &str, value: &str| schema.get(key).is_some_and(|found| found == value);
        let is_atomic = is(MAP_TYPE, "atomic");
        let below = lost.or_else(|| is_atomic.then_some(&path));
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            self.schema(property, path.member("properties").key(name), below);
        }
        if let Some(entries) = schema.get("additionalProperties") {
            self.schema(entries, path.member("additionalProperties"), below);
        }
        if let Some(items) = schema.get("items") {
            let is_map = is(LIST_TYPE, "map");
            let below = lost.or_else(|| (!is_map).then_some(&path));
            self.schema(items, path.member("items"), below);
        }
        let rules = schema.get(VALIDATIONS).and_then(Value::as_array);
        let is_root = matches!(path, Path::Start(..));
        let path = path.member(VALIDATIONS);
        let rules: Vec<_> = rules.into_iter().flatten().collect();
        let own = Type::of(schema, is_root);
        self.has_rules |= !rules.is_empty();
        for (index, rule) in rules.iter().enumerate() {
            self.form(rule, schema, path.index(index));
        }
        for (index, rule) in rules.iter().enumerate() {
            self.program(rule, (schema, &own), path.index(index), lost);
        }
    }

    /// Checks the form of a rule.
    fn form(&mut self, rule: &Value, schema: &Value, path: Path<'_>) {
        let given = |key: &str| rule.get(key).and_then(Value::as_str).unwrap_or_default();
        let has_lines = |text: &str| text.contains(['\n', '\r']);
        let [source, message] = ["rule", "message"].map(|key| given(key).trim());
        let at = path.member("message");
        if source.is_empty() {
            self.push(Cause::required(&path.member("rule"), "rule is not specified"));
        } else if message.is_empty() && !given("message").is_empty() {
            let why = "message must be non-empty if specified";
            self.push(Cause::invalid(&at, &json!(given("message")), why));
        } else if has_lines(message) {
            let why = "message must not contain line breaks";
            self.push(Cause::invalid(&at, &json!(given("message")), why));
        } else if has_lines(source) && message.is_empty() {
            let why = "message must be specified if rule contains line breaks";
            self.push(Cause::required(&at, why));
        }
        let expression = given("messageExpression");
        if expression.trim().is_empty() && !expression.is_empty() {
            let why = "messageExpression must be non-empty if specified";
            self.push(Cause::required(&path.member("messageExpression"), why));
        }
        if let Some(reason) = rule.get("reason").and_then(Value::as_str)
            && !REASONS.contains(&reason)
        {
            self.push(Cause::unsupported(&path.member("reason"), &json!(reason), &REASONS));
        }
        self.field_path(given("fieldPath"), schema, path.member("fieldPath"));
    }

    fn field_path(&mut self, given: &str, schema: &Value, path: Path<'_>) {
        if given.is_empty() {
            return;
        }
        let mut refuse = |why: &str| self.push(Cause::invalid(&path, &json!(given), why));
        if given.trim().is_empty() {
            refuse("fieldPath must be non-empty if specified");
        }
        if given.contains(['\n', '\r']) {
            refuse("fieldPath must not contain line breaks");
        }
        if field_path(given, schema).is_none() {
            refuse("must be a valid path");
        }
    }

    /// Checks the types of a rule that compiles, and of its message.
    fn types(&mut self, compiled: &Rule, rule: &Value, own: &Type<'_>, path: Path<'_>) {
        let old = || if compiled.is_old_optional { Type::Any } else { own.clone() };
        let mut refuse = |key: &str, why: &str| {
            self.push(Cause::invalid(&path.member(key), &in_go(rule), why));
        };
        if let Ok(node) = &compiled.program {
            match types::check(node, text(rule, "rule").trim(), own, old()) {
                Ok(Type::Bool | Type::Any) => {}
                Ok(_) => refuse("rule", "cel expression must evaluate to a bool"),
                Err(why) => refuse("rule", &format!("compilation failed: {why}")),
            }
        }
        if let Some(Ok(node)) = &compiled.message_program {
            let source = text(rule, "messageExpression").trim();
            match types::check(node, source, own, old()) {
                Ok(Type::String | Type::Any) => {}
                Ok(_) => refuse("messageExpression", "messageExpression must evaluate to a string"),
                Err(why) => {
                    let why = format!("messageExpression compilation failed: {why}");
                    refuse("messageExpression", &why);
                }
            }
        }
    }

    /// Compiles a rule, and checks that the old value that it needs can be found.
    fn program(
        &mut self,
        rule: &Value,
        (schema, own): (&Value, &Type<'_>),
        path: Path<'_>,
        lost: Option<&Path<'_>>,
    ) {
        if text(rule, "rule").trim().is_empty() {
            return;
        }
        let compiled = Rule::read(rule, schema);
        if let Err(why) = &compiled.program {
            let why = format!("compilation failed: {why}");
            self.push(Cause::invalid(&path.member("rule"), &in_go(rule), &why));
        }
        if let Some(Err(why)) = &compiled.message_program {
            let why = format!("messageExpression compilation failed: {why}");
            self.push(Cause::invalid(&path.member("messageExpression"), &in_go(rule), &why));
        }
        self.types(&compiled, rule, own, path);
        if compiled.uses_old {
            if let Some(lost) = lost {
                let why = format!(
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within {lost}"
                );
                let source = json!(text(rule, "rule"));
                self.push(Cause::invalid(&path.member("rule"), &source, &why));
            }
        } else if compiled.program.is_ok()
            && let Some(flag) = rule.get("optionalOldSelf").filter(|flag| flag.is_boolean())
        {
            let why = "may not be set if oldSelf is not used in rule";
            self.push(Cause::invalid(&path.member("optionalOldSelf"), flag, why));
        }
    }
}

/// A rule as a server shows it.
fn in_go(rule: &Value) -> Value {
    let optional = |key: &str| rule.get(key).cloned().unwrap_or_default();
    json!({
        "Rule": text(rule, "rule"),
        "Message": text(rule, "message"),
        "MessageExpression": text(rule, "messageExpression"),
        "Reason": optional("reason"),
        "FieldPath": text(rule, "fieldPath"),
        "OptionalOldSelf": optional("optionalOldSelf"),
    })
}

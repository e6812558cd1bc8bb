// not vendored
//! The rules that servers refuse when a definition is made.

use super::decl::{Decl, LARGEST_REQUEST, is_embedded, limit, subschema};
use super::names::{escape, field_path};
use super::rule::Rule;
use crate::object::Tree;
use kapigen_definitions::schema_keywords::{LIST_TYPE, MAP_TYPE, VALIDATIONS};
use kapigen_definitions::{Cause, Path};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::sync::Arc;

/// The most that an expression may cost for all values of an object.
const MOST_OF_RULE: u64 = 10_000_000;
/// The most that all expressions of a schema may cost.
const MOST_OF_ALL: u64 = 100_000_000;

/// The reasons that a rule can state.
const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

const LINE_BREAKS: [char; 2] = ['\n', '\r'];

/// The bytes of texts after which no more causes are made.
const MOST_BYTES: usize = 256 << 10;

/// The causes for which a server refuses the rules of a definition.
pub(crate) fn refusals(definition: &Value) -> Vec<Cause> {
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    let schemas: Vec<_> = versions
        .into_iter()
        .flatten()
        .map(|version| version.pointer("/schema/openAPIV3Schema").unwrap_or(&Value::Null))
        .collect();
    let is_shared = schemas.iter().all(|schema| Some(schema) == schemas.first());
    let mut causes = Vec::new();
    for (index, schema) in schemas.iter().enumerate().take(if is_shared { 1 } else { usize::MAX }) {
        let pointer = format!("/spec/versions/{index}/schema/openAPIV3Schema");
        let field = if is_shared {
            "spec.validation.openAPIV3Schema".to_owned()
        } else {
            format!("spec.versions[{index}].schema.openAPIV3Schema")
        };
        let path = Path::Start(&field, &pointer);
        let mut check = Check::default();
        check.schema(&Site { schema, decl: None, count: Some(1), lost: None }, path);
        check.add_total(path);
        causes.extend(check.forms.into_iter().chain(check.causes));
    }
    causes
}

/// Checks the rules of a schema.
#[derive(Default)]
struct Check {
    /// The causes in the form of rules, which servers report first.
    forms: Vec<Cause>,
    causes: Vec<Cause>,
    bytes: usize,
    /// The cost of all expressions.
    total: u64,
    /// The costs of the most expensive ones, with their causes.
    expensive: Vec<(u64, Cause)>,
}

/// A schema in a definition, and the facts that the cost of its rules depends on.
struct Site<'a> {
    schema: &'a Value,
    /// The declaration of the schema with rules around it.
    decl: Option<&'a Arc<Decl>>,
    /// The most values that an object can have. `None` if there is no limit.
    count: Option<u64>,
    /// The list or map in which old values cannot be found.
    lost: Option<&'a Path<'a>>,
}

impl Check {
    fn push(&mut self, cause: Cause) {
        if self.fits(&cause) {
            self.causes.push(cause);
        }
    }

    fn push_form(&mut self, cause: Cause) {
        if self.fits(&cause) {
            self.forms.push(cause);
        }
    }

    fn fits(&mut self, cause: &Cause) -> bool {
        let is_fit = self.bytes < MOST_BYTES;
        self.bytes += cause.field.len() + cause.message.len();
        is_fit
    }

    /// Checks a schema after the ones in it.
    fn schema(&mut self, site: &Site<'_>, path: Path<'_>) {
        let schema = site.schema;
        let forms = self.forms.len();
        let rules = schema.get(VALIDATIONS).and_then(Value::as_array);
        let rules = rules.map(Vec::as_slice).unwrap_or_default();
        let is_resource = matches!(path, Path::Start(..)) || is_embedded(schema);
        let decl = site.decl.cloned();
        let decl = decl.or_else(|| Decl::of(schema, is_resource).filter(|_| !rules.is_empty()));
        self.below(&Site { decl: decl.as_ref(), ..*site }, path);
        let path = path.member(VALIDATIONS);
        for (index, rule) in rules.iter().enumerate() {
            self.form(rule, schema, path.index(index));
        }
        if rules.is_empty() || self.forms.len() > forms {
            return;
        }
        let Some(decl) = &decl else {
            let why = "internal error: failed to construct type information for \
                       x-kubernetes-validations rules: unable to convert structural schema to CEL \
                       declarations";
            return self.push(Cause::new(&path, "InternalError", format!("Internal error: {why}")));
        };
        for (index, rule) in rules.iter().enumerate() {
            self.program(rule, site, decl, path.index(index));
        }
    }

    /// Checks the schemas in a schema.
    fn below(&mut self, site: &Site<'_>, path: Path<'_>) {
        let Site { schema, decl, count, lost } = *site;
        let element = decl.and_then(|decl| decl.element());
        if let Some(entries) = subschema(schema, "additionalProperties") {
            let count = multiplied(count, limit(schema, "maxProperties"));
            let site = Site { schema: entries, decl: element, count, lost };
            self.schema(&site, path.member("additionalProperties"));
        }
        let lost_below = lost.or_else(|| (schema.text(MAP_TYPE) == "atomic").then_some(&path));
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            let decl = decl.and_then(|decl| decl.field(&escape(name)));
            let site = Site { schema, decl, count, lost: lost_below };
            self.schema(&site, path.member("properties").key(name));
        }
        if let Some(items) = schema.get("items") {
            let lost = lost.or_else(|| (schema.text(LIST_TYPE) != "map").then_some(&path));
            let count = multiplied(count, limit(schema, "maxItems"));
            let site = Site { schema: items, decl: element, count, lost };
            self.schema(&site, path.member("items"));
        }
    }

    /// Checks the form of a rule.
    fn form(&mut self, rule: &Value, schema: &Value, path: Path<'_>) {
        let [source, given] = ["rule", "message"].map(|key| rule.text(key));
        let [source, message] = [source.trim(), given.trim()];
        let at = path.member("message");
        if source.is_empty() {
            self.push_form(Cause::required(&path.member("rule"), "rule is not specified"));
        } else if message.is_empty() && !given.is_empty() {
            let why = "must be non-empty if specified";
            self.push_form(Cause::invalid(&at, &json!(given), why));
        } else if message.contains(LINE_BREAKS) {
            let why = "must not contain line breaks";
            self.push_form(Cause::invalid(&at, &json!(given), why));
        } else if source.contains(LINE_BREAKS) && message.is_empty() {
            let why = "message must be specified if rule contains line breaks";
            self.push_form(Cause::required(&at, why));
        }
        let expression = rule.text("messageExpression");
        if expression.trim().is_empty() && !expression.is_empty() {
            let why = "messageExpression must be non-empty if specified";
            self.push_form(Cause::required(&path.member("messageExpression"), why));
        }
        if let Some(reason) = rule.get("reason").and_then(Value::as_str)
            && !REASONS.contains(&reason)
        {
            self.push_form(Cause::unsupported(&path.member("reason"), &json!(reason), &REASONS));
        }
        self.field_path(rule.text("fieldPath"), schema, path.member("fieldPath"));
    }

    fn field_path(&mut self, given: &str, schema: &Value, path: Path<'_>) {
        if given.is_empty() {
            return;
        }
        let problems = [
            (given.trim().is_empty(), "must be non-empty if specified"),
            (given.contains(LINE_BREAKS), "must not contain line breaks"),
            (field_path(given, schema).is_none(), "must be a valid path"),
        ];
        for (applies, why) in problems {
            if applies {
                self.push_form(Cause::invalid(&path, &json!(given), why));
            }
        }
    }

    /// Compiles a rule, and checks its cost and that the old value that it needs can be found.
    fn program(&mut self, rule: &Value, site: &Site<'_>, decl: &Arc<Decl>, path: Path<'_>) {
        let compiled = Rule::read(rule, site.schema, decl);
        let at = path.member("rule");
        match &compiled.program {
            Ok(program) => {
                let count = site.count.unwrap_or(LARGEST_REQUEST / (decl.smallest + 1));
                self.spend(program.cost.saturating_mul(count), "rule", &at);
            }
            Err(why) => self.push(Cause::invalid(&at, &in_go(rule), why)),
        }
        let of_message = path.member("messageExpression");
        match &compiled.message_program {
            Some(Ok(program)) => self.spend(program.cost, "messageExpression", &of_message),
            Some(Err(why)) => self.push(Cause::invalid(&of_message, &in_go(rule), why)),
            None => {}
        }
        if compiled.uses_old {
            if let Some(lost) = site.lost {
                let why = format!(
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within {lost}"
                );
                self.push(Cause::invalid(&at, &json!(rule.text("rule")), &why));
            }
        } else if let Some(flag) = rule.get("optionalOldSelf").filter(|flag| flag.is_boolean()) {
            let why = "may not be set if oldSelf is not used in rule";
            self.push(Cause::invalid(&path.member("optionalOldSelf"), flag, why));
        }
    }

    /// Adds the cost of an expression.
    fn spend(&mut self, cost: u64, name: &str, path: &Path<'_>) {
        if cost > MOST_OF_RULE {
            let name = format!("estimated {name} cost");
            self.push(Cause::forbidden(path, &exceeded(&name, cost, MOST_OF_RULE)));
        }
        self.total = self.total.saturating_add(cost);
        if cost >= MOST_OF_ALL / 100 {
            let why = "contributed to estimated rule cost total exceeding cost limit for entire \
                       OpenAPIv3 schema";
            self.expensive.push((cost, Cause::forbidden(path, why)));
            self.expensive.sort_by_key(|(cost, _)| Reverse(*cost));
            self.expensive.truncate(4);
        }
    }

    /// Refuses the cost of all expressions.
    fn add_total(&mut self, path: Path<'_>) {
        if self.total > MOST_OF_ALL {
            for (_, cause) in std::mem::take(&mut self.expensive) {
                self.push(cause);
            }
            let name =
                "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
            self.push(Cause::forbidden(&path, &exceeded(name, self.total, MOST_OF_ALL)));
        }
    }
}

/// The most values that a number of lists or maps have together. `None` without a limit.
fn multiplied(count: Option<u64>, each: Option<u64>) -> Option<u64> {
    Some(count?.saturating_mul(each?))
}

/// A cost above a limit, in the words of servers.
#[expect(clippy::cast_precision_loss, reason = "printed with few digits")]
fn exceeded(name: &str, cost: u64, limit: u64) -> String {
    let factor = match cost as f64 / limit as f64 {
        factor if factor > 100.0 => "more than 100x".to_owned(),
        factor if factor < 1.5 => format!("{factor:.6}x"),
        factor => format!("{factor:.1}x"),
    };
    format!(
        "{name} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, \
         maxProperties, and maxLength where arrays, maps, and strings are declared)"
    )
}

/// A rule as a server shows it.
fn in_go(rule: &Value) -> Value {
    json!({
        "Rule": rule.text("rule"),
        "Message": rule.text("message"),
        "MessageExpression": rule.text("messageExpression"),
        "Reason": rule.get("reason"),
        "FieldPath": rule.text("fieldPath"),
        "OptionalOldSelf": rule.get("optionalOldSelf"),
    })
}

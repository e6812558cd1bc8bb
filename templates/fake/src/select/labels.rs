//! Label selectors.

use super::terms::{Terms, of_label};
use crate::validate::{label_key, label_value};

/// Conditions on labels, all of which must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LabelSelector(Vec<Requirement>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    operator: Operator,
    values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Exists,
    Absent,
    In,
    NotIn,
    Greater,
    Less,
}

impl LabelSelector {
    pub(super) fn matches(&self, terms: &Terms) -> bool {
        self.0.iter().all(|requirement| requirement.matches(terms.label(&requirement.key)))
    }

    /// For each label that must have one of some values, the terms of these.
    pub(super) fn alternatives(&self) -> impl Iterator<Item = Vec<String>> {
        let listed = self.0.iter().filter(|requirement| requirement.operator == Operator::In);
        listed.map(|requirement| requirement.values.iter().map(|value| of_label(&requirement.key, value)).collect())
    }

    /// Parses a selector. Errors are worded as a server words them.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let tokens = tokens(text);
        let mut parser = Parser { tokens: &tokens, position: 0 };
        let mut requirements = Vec::new();
        loop {
            match parser.peek() {
                "" => break,
                "!" => requirements.push(parser.requirement()?),
                token if is_word(token) => requirements.push(parser.requirement()?),
                other => return Err(format!("found '{other}', expected: !, identifier, or 'end of string'")),
            }
            match parser.next() {
                "" => break,
                "," => {
                    let after = parser.peek();
                    if after != "!" && !is_word(after) {
                        return Err(format!("found '{after}', expected: identifier after ','"));
                    }
                }
                other => return Err(format!("found '{other}', expected: ',' or 'end of string'")),
            }
        }
        Ok(Self(requirements))
    }
}

impl Requirement {
    fn matches(&self, value: Option<&str>) -> bool {
        let is_listed = |value: &str| self.values.iter().any(|known| known == value);
        let number = |text: &str| text.parse::<i64>().ok();
        let bound = self.values.first().and_then(|value| number(value));
        match (self.operator, value) {
            (Operator::Exists, value) => value.is_some(),
            (Operator::Absent, value) => value.is_none(),
            (Operator::In, value) => value.is_some_and(is_listed),
            (Operator::NotIn, value) => !value.is_some_and(is_listed),
            (Operator::Greater, value) => value.and_then(number).zip(bound).is_some_and(|(value, bound)| value > bound),
            (Operator::Less, value) => value.and_then(number).zip(bound).is_some_and(|(value, bound)| value < bound),
        }
    }
}

struct Parser<'a> {
    tokens: &'a [&'a str],
    position: usize,
}

impl<'a> Parser<'a> {
    /// The next token. Empty at the end.
    fn peek(&self) -> &'a str {
        self.tokens.get(self.position).copied().unwrap_or_default()
    }

    fn next(&mut self) -> &'a str {
        let token = self.peek();
        self.position += 1;
        token
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        self.unchecked().and_then(Requirement::checked).map_err(|error| format!("unable to parse requirement: {error}"))
    }

    fn unchecked(&mut self) -> Result<Requirement, String> {
        let is_negated = self.peek() == "!";
        if is_negated {
            self.next();
        }
        let key = self.next();
        if !is_word(key) {
            return Err(format!("found '{key}', expected: identifier"));
        }
        let requirement = |operator, values| Requirement { key: key.to_owned(), operator, values };
        if is_negated {
            return Ok(requirement(Operator::Absent, Vec::new()));
        }
        if matches!(self.peek(), "" | ",") {
            return Ok(requirement(Operator::Exists, Vec::new()));
        }
        let operator = match self.next() {
            "=" | "==" | "in" => (Operator::In, self.tokens[self.position - 1] == "in"),
            "!=" => (Operator::NotIn, false),
            "notin" => (Operator::NotIn, true),
            ">" => (Operator::Greater, false),
            "<" => (Operator::Less, false),
            other => return Err(format!("found '{other}', expected: in, notin, =, ==, !=, gt, lt")),
        };
        let values = if operator.1 { self.values()? } else { vec![self.value()?] };
        Ok(requirement(operator.0, values))
    }

    /// A value behind an operator. None is the empty one.
    fn value(&mut self) -> Result<String, String> {
        match self.peek() {
            "" | "," => Ok(String::new()),
            token if is_word(token) => Ok(self.next().to_owned()),
            other => Err(format!("found '{other}', expected: identifier")),
        }
    }

    fn values(&mut self) -> Result<Vec<String>, String> {
        let open = self.next();
        if open != "(" {
            return Err(format!("found '{open}' expected: '('"));
        }
        let mut values = Vec::new();
        let mut value = String::new();
        loop {
            match self.next() {
                ")" => break,
                "," => values.push(std::mem::take(&mut value)),
                "" => return Err("found '', expected: ',', or identifier".to_owned()),
                token => token.clone_into(&mut value),
            }
        }
        values.push(value);
        Ok(values)
    }
}

impl Requirement {
    fn checked(self) -> Result<Self, String> {
        label_key(&self.key).map_err(|why| format!("<nil>: Invalid value: \"{}\": {why}", self.key))?;
        for (index, value) in self.values.iter().enumerate() {
            if matches!(self.operator, Operator::Greater | Operator::Less) {
                let why = "for 'Gt', 'Lt' operators, the value must be an integer";
                value.parse::<i64>().map_err(|_| format!("values[{index}]: Invalid value: \"{value}\": {why}"))?;
            }
            label_value(value)
                .map_err(|why| format!("values[{index}][{}]: Invalid value: \"{value}\": {why}", self.key))?;
        }
        Ok(self)
    }
}

fn is_word(token: &str) -> bool {
    !token.is_empty() && !token.starts_with(['!', '=', '<', '>', '(', ')', ','])
}

/// The words and operators of a selector.
fn tokens(text: &str) -> Vec<&str> {
    let is_special = |c: char| "!=<>(),".contains(c);
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if ["==", "!="].iter().any(|operator| rest.starts_with(operator)) {
            2
        } else if is_special(first) {
            1
        } else {
            rest.find(|c: char| is_special(c) || c.is_whitespace()).unwrap_or(rest.len())
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::{LabelSelector, Terms};
    use serde_json::json;

    #[test]
    fn selects_by_all_operators() {
        let object = json!({"metadata": {"labels": {"app": "web", "n": "3"}}});
        let terms = Terms::of(&object, &[], Into::into);
        for selector in [
            "",
            "app",
            "!nope",
            "app=web",
            "app==web",
            "app in (db, web)",
            "app notin (db)",
            "nope notin (x)",
            "n>2",
            "n<4",
            "app=web,n=3",
            " app = web ",
            "nope!=x",
        ] {
            assert!(LabelSelector::parse(selector).unwrap().matches(&terms), "{selector}");
        }
        for selector in ["nope", "!app", "app=db", "app!=web", "app in (db)", "app notin (web)", "n>3", "n<3", "app="] {
            assert!(!LabelSelector::parse(selector).unwrap().matches(&terms), "{selector}");
        }
    }
}

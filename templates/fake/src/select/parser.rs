//! The label selectors of query parameters: their syntax, and errors in the words of servers.

use super::labels::{LabelSelector, Operator, Requirement};
use crate::validate::{label_key_errors, label_value_errors};

impl LabelSelector {
    /// Parses a selector.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let tokens = tokens(text);
        let mut parser = Parser { tokens: &tokens, position: 0 };
        let mut requirements = Vec::new();
        loop {
            match parser.peek() {
                "" => break,
                "!" => requirements.push(parser.requirement()?),
                token if is_word(token) => requirements.push(parser.requirement()?),
                other => {
                    return Err(format!(
                        "found '{other}', expected: !, identifier, or 'end of string'"
                    ));
                }
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
        Ok(Self::new(requirements))
    }
}

impl Requirement {
    fn checked(mut self) -> Result<Self, String> {
        let errors = label_key_errors(&self.key);
        if !errors.is_empty() {
            return Err(format!("<nil>: Invalid value: \"{}\": {}", self.key, errors.join("; ")));
        }
        for (index, value) in self.values.iter().enumerate() {
            if matches!(self.operator, Operator::Greater | Operator::Less) {
                let why = "for 'Gt', 'Lt' operators, the value must be an integer";
                value
                    .parse::<i64>()
                    .map_err(|_| format!("values[{index}]: Invalid value: \"{value}\": {why}"))?;
            }
            let errors = label_value_errors(value);
            if !errors.is_empty() {
                let why = errors.join("; ");
                return Err(format!(
                    "values[{index}][{}]: Invalid value: \"{value}\": {why}",
                    self.key
                ));
            }
        }
        self.values.sort();
        Ok(self)
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
        self.unchecked()
            .and_then(Requirement::checked)
            .map_err(|error| format!("unable to parse requirement: {error}"))
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
        let (operator, values) = if is_negated {
            (Operator::Absent, Vec::new())
        } else if matches!(self.peek(), "" | ",") {
            (Operator::Exists, Vec::new())
        } else {
            self.condition()?
        };
        Ok(Requirement { key: key.to_owned(), operator, values })
    }

    /// An operator with its values.
    fn condition(&mut self) -> Result<(Operator, Vec<String>), String> {
        let word = self.next();
        let operator = match word {
            "=" | "==" => Operator::Equals,
            "in" => Operator::In,
            "!=" | "notin" => Operator::NotIn,
            ">" => Operator::Greater,
            "<" => Operator::Less,
            other => {
                return Err(format!("found '{other}', expected: in, notin, =, ==, !=, gt, lt"));
            }
        };
        let is_list = matches!(word, "in" | "notin");
        let values = if is_list { self.values()? } else { vec![self.value()?] };
        Ok((operator, values))
    }

    /// A value after an operator. None is the empty one.
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

fn is_word(token: &str) -> bool {
    !token.is_empty() && !token.starts_with(|c| SPECIAL.contains(c))
}

/// The characters of operators and lists.
const SPECIAL: &str = "!=<>(),";

/// The words and operators of a selector.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if ["==", "!="].iter().any(|operator| rest.starts_with(operator)) {
            2
        } else if SPECIAL.contains(first) {
            1
        } else {
            rest.find(|c: char| SPECIAL.contains(c) || c.is_whitespace()).unwrap_or(rest.len())
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

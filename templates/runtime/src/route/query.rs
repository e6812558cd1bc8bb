//! Decoding of a query into parameters.

use crate::codec::query::{ExtraParameter, ParameterType, Source, is_true, pairs};
use crate::codec::{Expected, Slot, Target, Value, json};

/// The pairs of a query, from which parameters are decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pairs(Vec<(String, String)>);

impl Pairs {
    pub(super) fn parse(query: &str) -> Self {
        Self(pairs(query).map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// The names and values, in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The values with this name.
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.iter().filter(move |(other, _)| *other == name).map(|(_, value)| value)
    }
}

/// The query of a request and, for the options of a delete, its body.
#[derive(Debug)]
pub(super) struct Query<'a> {
    pairs: &'a Pairs,
    /// The extra parameters of the operation.
    extra: &'a [ExtraParameter],
    body: &'a [u8],
    /// The first error.
    error: Option<String>,
}

impl<'a> Query<'a> {
    pub(super) fn new(pairs: &'a Pairs, extra: &'a [ExtraParameter], body: &'a [u8]) -> Self {
        Self { pairs, extra, body, error: None }
    }

    /// The first error, if there was one.
    pub(super) fn finish(self) -> Result<(), String> {
        self.error.map_or(Ok(()), Err)
    }
}

impl Source for Query<'_> {
    fn read(&mut self, name: &'static str, value: &mut dyn Value) {
        let mut texts = self.pairs.values(name).peekable();
        let Some(first) = texts.peek().copied() else { return };
        let result = match value.slot(true) {
            Slot::List(list) => {
                let result = texts.try_for_each(|text| put(list.push(true), text));
                list.finish();
                result
            }
            slot => put(slot, first),
        };
        if let Err(message) = result {
            self.error.get_or_insert_with(|| format!("{name}: {message}"));
        }
    }

    fn flag(&mut self, name: &'static str, value: &str, flag: &mut bool) {
        for text in self.pairs.values(name) {
            if text == value {
                *flag = true;
            } else {
                self.error
                    .get_or_insert_with(|| format!("{name}: expected `{value}`, found `{text}`"));
            }
        }
    }

    fn extra(&mut self, extra: &mut Vec<(String, String)>) {
        for (name, text) in self.pairs.iter() {
            let Some(parameter) = self.extra.iter().find(|parameter| parameter.name == name) else {
                continue;
            };
            if !parameter.is_list && extra.iter().any(|(known, _)| known == name) {
                continue;
            }
            let text = if parameter.ty == ParameterType::Boolean {
                is_true(text).to_string()
            } else {
                text.to_owned()
            };
            if parameter.ty.is_value(&text) {
                extra.push((name.to_owned(), text));
            } else {
                self.error.get_or_insert_with(|| {
                    format!("{name}: expected {}, found `{text}`", parameter.ty)
                });
            }
        }
    }

    fn read_options(&mut self, value: &mut dyn Value) {
        if self.body.is_empty() {
            return;
        }
        if let Err(error) = json::read(Target::Value(value), self.body) {
            self.error.get_or_insert_with(|| error.to_string());
        }
    }
}

/// Decodes one value as an API server does.
fn put(slot: Slot<'_>, text: &str) -> Result<(), String> {
    let number = |_| format!("`{text}` is not an integer, or out of range");
    match slot {
        Slot::Bool(value) => *value = is_true(text),
        Slot::Int32(value) => *value = text.parse().map_err(number)?,
        Slot::Int64(value) => *value = text.parse().map_err(number)?,
        Slot::Double(value) => {
            *value = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
        }
        Slot::String(value) => text.clone_into(value),
        Slot::Scalar(value) => {
            value.read_text(text).map_err(|Expected(wanted)| format!("expected {wanted}"))?;
        }
        _ => return Err("this cannot be decoded from a query".to_owned()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{ExtraParameter, Pairs, Query, Source};

    #[test]
    fn decodes_values_by_their_type() {
        let pairs = Pairs::parse("text=x%20y%2Bz+&number=-7&list=1&list=2");
        let mut source = Query::new(&pairs, &[], b"");
        let mut text = None::<String>;
        let mut number = None::<i64>;
        let mut list = Vec::<i32>::new();
        source.read("text", &mut text);
        source.read("number", &mut number);
        source.read("list", &mut list);
        assert_eq!(source.finish(), Ok(()));
        assert_eq!((text.as_deref(), number, list), (Some("x y+z "), Some(-7), vec![1, 2]));
    }

    #[test]
    fn a_boolean_without_a_value_is_true() {
        let pairs = Pairs::parse("empty&word=false&other=no&zero=0");
        let mut source = Query::new(&pairs, &[], b"");
        let values = ["empty", "word", "other", "zero", "absent"].map(|name| {
            let mut value = None::<bool>;
            source.read(name, &mut value);
            value
        });
        assert_eq!(source.finish(), Ok(()));
        assert_eq!(values, [Some(true), Some(false), Some(true), Some(false), None]);
    }

    #[test]
    fn a_flag_has_one_value() {
        let mut set = false;
        let mut unset = false;
        let pairs = Pairs::parse("dryRun=All");
        let mut source = Query::new(&pairs, &[], b"");
        source.flag("dryRun", "All", &mut set);
        source.flag("absent", "All", &mut unset);
        assert_eq!((source.finish(), set, unset), (Ok(()), true, false));
        let pairs = Pairs::parse("dryRun=all");
        let mut source = Query::new(&pairs, &[], b"");
        source.flag("dryRun", "All", &mut unset);
        assert_eq!(
            (source.finish(), unset),
            (Err("dryRun: expected `All`, found `all`".to_owned()), false)
        );
    }

    #[test]
    fn reports_the_first_error_with_its_parameter() {
        let pairs = Pairs::parse("limit=many&timeoutSeconds=99999999999999999999");
        let mut source = Query::new(&pairs, &[], b"");
        let mut limit = None::<i64>;
        let mut timeout = None::<i64>;
        source.read("limit", &mut limit);
        source.read("timeoutSeconds", &mut timeout);
        assert_eq!(
            source.finish().unwrap_err(),
            "limit: `many` is not an integer, or out of range"
        );
    }

    #[test]
    fn decodes_extra_parameters_by_their_types() {
        const EXTRA: &[ExtraParameter] = &[
            ExtraParameter::integer("depth"),
            ExtraParameter::string("tag").list(),
            ExtraParameter::boolean("trace"),
        ];
        let decode = |query: &str| {
            let pairs = Pairs::parse(query);
            let mut source = Query::new(&pairs, EXTRA, b"");
            let mut extra = Vec::new();
            source.extra(&mut extra);
            source.finish().map(|()| extra)
        };
        let pair = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
        let all = [("trace", "true"), ("tag", "a b"), ("tag", "c"), ("depth", "3")].map(pair);
        assert_eq!(decode("trace&tag=a+b&other=1&tag=c&depth=3&depth=4"), Ok(all.to_vec()));
        assert_eq!(
            decode("depth=deep").unwrap_err(),
            "depth: expected an integer of 64 bits, found `deep`"
        );
    }
}

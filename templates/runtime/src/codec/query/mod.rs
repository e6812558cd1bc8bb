//! The driver for the query of a request.

mod pairs;

pub use pairs::pairs;

use super::json;
use super::value::{Value, View};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt;
use std::fmt::Write;

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Parameters that are encoded into the query of a request, and decoded from it.
pub trait Params {
    /// Adds the parameters that are set.
    fn add_to(&self, query: &mut Query);
    /// Decodes the parameters that a source has. Only routing calls it: it is not compiled
    /// elsewhere, since it is inlined and not called through a pointer.
    fn read_from(&mut self, source: &mut dyn Source)
    where
        Self: Sized;
}

/// A source of parameters to decode.
pub trait Source {
    /// Decodes a parameter, if the query has it. A list gets all values with the name, any other
    /// type the first.
    fn read(&mut self, name: &'static str, value: &mut dyn Value);
    /// Sets a flag if the query has the parameter, which can only have this value.
    fn flag(&mut self, name: &'static str, value: &str, flag: &mut bool);
    /// Decodes the parameters that a struct has no field for. For a parameter that is not a list,
    /// the first value counts.
    fn extra(&mut self, extra: &mut Vec<(String, String)>);
    /// Decodes the body as the options of a delete, if there is one.
    fn read_options(&mut self, value: &mut dyn Value);
}

/// Whether the text of a parameter is a boolean that is true to an API server: any but `0` and
/// `false`, in any case, even an empty one.
#[must_use]
pub fn is_true(text: &str) -> bool {
    text != "0" && !text.eq_ignore_ascii_case("false")
}

/// Names and values, in the order in which they are sent.
#[derive(Clone, Debug, Default)]
pub struct Query {
    pairs: Vec<Pair>,
    /// Parameters by names of the program's choice, not compared with the operation's parameters
    /// yet.
    extra: Vec<(String, String)>,
    /// The names of flags, whether they are set or not.
    flags: Vec<&'static str>,
    /// The query of a raw request, pair by pair, in front of all others.
    #[cfg(feature = "dynamic")]
    raw: Vec<RawPair>,
}

/// A pair of a raw query.
#[cfg(feature = "dynamic")]
#[derive(Clone, Debug)]
struct RawPair {
    /// As it is sent.
    spelled: String,
    name: String,
    value: String,
}

#[derive(Clone, Debug)]
struct Pair {
    name: &'static str,
    /// The values as strings: one, or one for each element of a list.
    texts: Vec<String>,
    /// The value as JSON: some parameters move into a body.
    json: Vec<u8>,
    /// Whether it is an extra parameter, which is in no table of options.
    is_extra: bool,
}

impl Query {
    /// Adds a parameter if it is set: booleans as `true` and `false`, numbers in base ten, a list
    /// as one pair for each element. A value that was added before under this name is replaced.
    pub fn add(&mut self, name: &'static str, value: &dyn Value) {
        let mut texts = Vec::new();
        add_texts(&value.view(), &mut texts);
        if !texts.is_empty() {
            self.take(name);
            self.pairs.push(Pair {
                name,
                texts,
                json: json::write(&value.view()),
                is_extra: false,
            });
        }
    }

    /// Adds a parameter that has only one value, if it is set. As JSON it is a list, as in
    /// `DeleteOptions`.
    pub fn flag(&mut self, name: &'static str, value: &str, is_set: bool) {
        self.flags.push(name);
        if is_set {
            self.add(name, &vec![value.to_owned()]);
        }
    }

    /// Adds parameters that the parameter struct has no field for.
    pub fn extra(&mut self, extra: &[(String, String)]) {
        self.extra.extend_from_slice(extra);
    }

    /// Removes the parameters that are not compared with the operation's parameters yet.
    pub(crate) fn take_extra(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.extra)
    }

    /// Adds an extra parameter of a type that was checked: to the elements of a list, or in place
    /// of a value before.
    pub(crate) fn add_extra(&mut self, parameter: &ExtraParameter, text: String) {
        let before = if parameter.is_list { self.texts(parameter.name) } else { Vec::new() };
        let texts = [before, vec![text]].concat();
        let elements: Vec<_> = texts.iter().map(|text| as_json(parameter.ty, text)).collect();
        let json = if parameter.is_list {
            [b"[", &*elements.join(&b','), b"]"].concat()
        } else {
            elements.concat()
        };
        self.take(parameter.name);
        self.pairs.push(Pair { name: parameter.name, texts, json, is_extra: true });
    }

    /// Adds a parameter by the name that a field has. Its type is not known here: its JSON is
    /// guessed from the text, and is a list for a flag.
    pub(crate) fn add_named(&mut self, name: &'static str, text: String) {
        let types = [ParameterType::Integer, ParameterType::Boolean];
        let ty = types.into_iter().find(|ty| ty.is_value(&text)).unwrap_or(ParameterType::String);
        let json = as_json(ty, &text);
        let json = if self.flags.contains(&name) { [b"[", &*json, b"]"].concat() } else { json };
        self.take(name);
        self.pairs.push(Pair { name, json, texts: vec![text], is_extra: false });
    }

    /// Removes the values of a parameter.
    fn texts(&mut self, name: &str) -> Vec<String> {
        let pair = self.pairs.iter_mut().find(|pair| pair.name == name);
        pair.map(|pair| std::mem::take(&mut pair.texts)).unwrap_or_default()
    }

    /// The names of parameters that the operation does not have.
    pub(crate) fn unresolved(&self) -> impl Iterator<Item = &str> {
        self.extra.iter().map(|(name, _)| name.as_str())
    }

    /// The names of the extra parameters, and their values as JSON.
    pub(crate) fn extra_values(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        self.pairs.iter().filter(|pair| pair.is_extra).map(|pair| (pair.name, &*pair.json))
    }

    /// The names of the parameters.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.pairs.iter().map(|pair| pair.name)
    }

    /// Adds a query that is sent as it is spelled. Its pairs are found by their names, as all
    /// others.
    #[cfg(feature = "dynamic")]
    pub(crate) fn add_raw(&mut self, query: &str) {
        self.raw.extend(query.split('&').map(|spelled| {
            let (name, value) = pairs::pair(spelled);
            RawPair {
                spelled: spelled.to_owned(),
                name: name.into_owned(),
                value: value.into_owned(),
            }
        }));
    }

    /// Removes a parameter and returns its value as JSON, unless it is one of a raw query.
    pub(crate) fn take(&mut self, name: &str) -> Option<Vec<u8>> {
        #[cfg(feature = "dynamic")]
        self.raw.retain(|pair| pair.name != name);
        let index = self.pairs.iter().position(|pair| pair.name == name)?;
        Some(self.pairs.remove(index).json)
    }

    /// The value of a parameter, or the first one of a list.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let pair = self.pairs.iter().find(|pair| pair.name == name);
        #[cfg(feature = "dynamic")]
        if pair.is_none() {
            return self.raw.iter().find(|pair| pair.name == name).map(|pair| pair.value.as_str());
        }
        pair?.texts.first().map(String::as_str)
    }

    /// Appends the query to a path, with its question mark.
    pub(crate) fn write(&self, target: &mut String) {
        let mut separator = '?';
        #[cfg(feature = "dynamic")]
        for RawPair { spelled, .. } in &self.raw {
            write!(target, "{separator}{spelled}").expect("a string takes everything");
            separator = '&';
        }
        for Pair { name, texts, .. } in &self.pairs {
            for text in texts {
                let name = utf8_percent_encode(name, RESERVED);
                let text = utf8_percent_encode(text, RESERVED);
                write!(target, "{separator}{name}={text}").expect("a string takes everything");
                separator = '&';
            }
        }
    }
}

/// A string of the query as JSON.
fn as_json(ty: ParameterType, text: &str) -> Vec<u8> {
    let view = match ty {
        ParameterType::String => None,
        ParameterType::Integer => text.parse().ok().map(View::Int),
        ParameterType::Number => text.parse().ok().map(View::Double),
        ParameterType::Boolean => text.parse().ok().map(View::Bool),
    };
    json::write(&view.unwrap_or(View::Str(text)))
}

/// Adds the strings of a value. There are none if it is absent, or of a type that no query can
/// hold.
fn add_texts(view: &View<'_>, texts: &mut Vec<String>) {
    match *view {
        View::Bool(value) => texts.push(value.to_string()),
        View::Int(value) => texts.push(value.to_string()),
        View::Double(value) => texts.push(value.to_string()),
        View::Str(value) | View::Zero(value) => texts.push(value.to_owned()),
        View::Display(value) => texts.push(value.to_string()),
        View::List(list) => {
            (0..list.count()).for_each(|index| add_texts(&list.element(index), texts));
        }
        View::Absent
        | View::Null
        | View::Raw(_)
        | View::BySerde(_)
        | View::Object(_)
        | View::Map(_)
        | View::Unknown(_) => {}
    }
}

/// A query parameter of an operation that its parameter struct has no field for. `with` sets it,
/// such as [`ListParams::with`](crate::params::ListParams::with).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtraParameter {
    /// Its name.
    pub name: &'static str,
    /// The type of its value, or of the elements of a list.
    pub ty: ParameterType,
    /// Whether it is a list, which is sent as one pair for each element.
    pub is_list: bool,
}

/// The type of a query parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterType {
    /// Any string.
    String,
    /// An integer of 64 bits.
    Integer,
    /// A number, which may have a fraction.
    Number,
    /// `true` or `false`.
    Boolean,
}

impl ParameterType {
    /// Whether a string is a value of the type.
    pub(crate) fn is_value(self, text: &str) -> bool {
        match self {
            ParameterType::String => true,
            ParameterType::Integer => text.parse::<i64>().is_ok(),
            ParameterType::Number => text.parse::<f64>().is_ok_and(f64::is_finite),
            ParameterType::Boolean => text == "true" || text == "false",
        }
    }
}

impl fmt::Display for ParameterType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParameterType::String => "a string",
            ParameterType::Integer => "an integer of 64 bits",
            ParameterType::Number => "a number",
            ParameterType::Boolean => "`true` or `false`",
        })
    }
}

/// Constructors for generated code.
#[doc(hidden)]
impl ExtraParameter {
    #[must_use]
    pub const fn string(name: &'static str) -> Self {
        Self { name, ty: ParameterType::String, is_list: false }
    }

    #[must_use]
    pub const fn integer(name: &'static str) -> Self {
        Self { name, ty: ParameterType::Integer, is_list: false }
    }

    #[must_use]
    pub const fn number(name: &'static str) -> Self {
        Self { name, ty: ParameterType::Number, is_list: false }
    }

    #[must_use]
    pub const fn boolean(name: &'static str) -> Self {
        Self { name, ty: ParameterType::Boolean, is_list: false }
    }

    #[must_use]
    pub const fn list(self) -> Self {
        Self { is_list: true, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::{Query, Value};

    fn text(pairs: &[(&'static str, &dyn Value)]) -> String {
        let mut query = Query::default();
        for (name, value) in pairs {
            query.add(name, *value);
        }
        let mut text = String::new();
        query.write(&mut text);
        text
    }

    #[test]
    fn values_are_written_by_their_type() {
        let words = vec!["ls".to_owned(), "-l".to_owned()];
        assert_eq!(
            text(&[("a", &true), ("b", &Some(-7_i64)), ("c", &words)]),
            "?a=true&b=-7&c=ls&c=-l"
        );
        assert_eq!(
            text(&[("a", &String::new()), ("b", &"x y+z&ü/~".to_owned())]),
            "?a=&b=x%20y%2Bz%26%C3%BC%2F~"
        );
    }

    #[test]
    fn what_is_not_set_is_not_written() {
        assert_eq!(text(&[]), "");
        assert_eq!(text(&[("a", &None::<String>), ("b", &Vec::<i64>::new())]), "");
        assert_eq!(text(&[("a", &None::<bool>), ("b", &1_i32), ("c", &None::<i64>)]), "?b=1");
    }

    #[test]
    fn a_value_replaces_the_one_before() {
        assert_eq!(text(&[("a", &1_i64), ("b", &2_i64), ("a", &vec![3_i64, 4])]), "?b=2&a=3&a=4");
    }

    #[test]
    fn what_is_taken_is_no_longer_there() {
        let mut query = Query::default();
        query.add("a", &vec!["x y".to_owned(), "z".to_owned()]);
        assert_eq!(query.get("a"), Some("x y"));
        assert_eq!(
            (query.take("a"), query.take("a"), query.get("a")),
            (Some(br#"["x y","z"]"#.to_vec()), None, None)
        );
    }
}

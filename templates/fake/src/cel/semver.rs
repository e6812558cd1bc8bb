// not vendored
//! Semantic versions.

use super::outcome::{Called, error};
use super::value::Value;
use std::cmp::Ordering;
use std::rc::Rc;

/// A version, without its build metadata.
#[derive(Clone, Debug)]
pub(super) struct Version {
    numbers: [u64; 3],
    prerelease: Vec<String>,
    text: String,
}

pub(super) fn call<'a>(name: &str, values: &[Value<'a>]) -> Called<'a> {
    Some(Ok(match (name, values) {
        ("isSemver", [Value::String(text)]) => parse(text).is_ok().into(),
        ("isSemver", [Value::String(text), Value::Bool(flag)]) => {
            parse_as(text, *flag).is_ok().into()
        }
        ("semver", [Value::String(text), rest @ ..]) => {
            let flag = match rest {
                [] => false,
                [Value::Bool(flag)] => *flag,
                _ => return None,
            };
            match parse_as(text, flag) {
                Ok(version) => Value::Semver(Rc::new(version)),
                Err(why) => return Some(error(why)),
            }
        }
        ("string", [Value::Semver(one)]) => one.text.clone().into(),
        (_, [Value::Semver(one)]) => {
            let index = ["major", "minor", "patch"].iter().position(|part| *part == name)?;
            Value::Int(i64::try_from(one.numbers[index]).unwrap_or(i64::MAX))
        }
        (_, [Value::Semver(one), Value::Semver(other)]) => match name {
            "compareTo" => Value::Int(one.cmp(other) as i64),
            "isGreaterThan" => one.cmp(other).is_gt().into(),
            "isLessThan" => one.cmp(other).is_lt().into(),
            _ => return None,
        },
        _ => return None,
    }))
}

fn parse_as(text: &str, normalizes: bool) -> Result<Version, String> {
    if normalizes { parse(&normalized(text)) } else { parse(text) }
}

/// A version without a `v`, with three numbers, without leading zeros.
fn normalized(text: &str) -> String {
    let text = text.strip_prefix('v').unwrap_or(text);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at(end);
    let mut parts: Vec<_> = numbers
        .split('.')
        .map(|part| match part.trim_start_matches('0') {
            "" if !part.is_empty() => "0",
            part => part,
        })
        .collect();
    while parts.len() < 3 {
        parts.push("0");
    }
    parts.join(".") + rest
}

fn parse(text: &str) -> Result<Version, String> {
    if text.is_empty() {
        return Err("Version string empty".to_owned());
    }
    let parts: Vec<_> = text.splitn(3, '.').collect();
    let [major, minor, rest] = parts[..] else {
        return Err("No Major.Minor.Patch elements found".to_owned());
    };
    let (rest, build) =
        rest.split_once('+').map_or((rest, None), |(rest, build)| (rest, Some(build)));
    let (patch, prerelease) =
        rest.split_once('-').map_or((rest, None), |(patch, before)| (patch, Some(before)));
    let numbers = [number(major, "major")?, number(minor, "minor")?, number(patch, "patch")?];
    let mut identifiers = Vec::new();
    for identifier in prerelease.into_iter().flat_map(|before| before.split('.')) {
        check_identifier(identifier, "Prerelease")?;
        let is_number = identifier.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && identifier.len() > 1 && identifier.starts_with('0') {
            return Err(format!(
                "Numeric PreRelease version must not contain leading zeroes {identifier:?}"
            ));
        }
        identifiers.push(identifier.to_owned());
    }
    for identifier in build.into_iter().flat_map(|build| build.split('.')) {
        check_identifier(identifier, "Build meta data")?;
    }
    Ok(Version { numbers, prerelease: identifiers, text: text.to_owned() })
}

fn number(text: &str, name: &str) -> Result<u64, String> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("Invalid character(s) found in {name} number {text:?}"));
    }
    if text.len() > 1 && text.starts_with('0') {
        let name = name[..1].to_uppercase() + &name[1..];
        return Err(format!("{name} number must not contain leading zeroes {text:?}"));
    }
    text.parse().map_err(|_| format!("strconv.ParseUint: parsing {text:?}: invalid syntax"))
}

fn check_identifier(text: &str, name: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err(format!("{name} is empty"));
    }
    if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Err(format!("Invalid character(s) found in {} {text:?}", name.to_lowercase()));
    }
    Ok(())
}

impl Version {
    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        let release = self.numbers.cmp(&other.numbers);
        release.then_with(|| match (self.prerelease.is_empty(), other.prerelease.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => {
                let [one, other] = [self, other].map(|version| version.prerelease.iter());
                one.map(|part| key(part)).cmp(other.map(|part| key(part)))
            }
        })
    }
}

/// The order of identifiers: numbers by their value, before all words.
fn key(identifier: &str) -> (bool, u128, &str) {
    match identifier.parse::<u128>() {
        Ok(number) if identifier.bytes().all(|byte| byte.is_ascii_digit()) => (false, number, ""),
        _ => (true, 0, identifier),
    }
}

//! JSON trees as YAML.

use crate::scalar::is_ambiguous;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Writes a tree as a YAML document in block style, as kubectl prints objects: members in their
/// order, lists at the indentation of their key, strings of several lines as blocks. Strings that a
/// reader of YAML could take for something else are in quotes.
#[must_use]
pub fn write(value: &Value) -> String {
    let mut text = String::new();
    node(&mut text, value, 0);
    text
}

/// Writes a value where a line has been begun, up to and with the end of its last line. Further
/// lines of a container are indented by `indent` characters.
fn node(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(members) if !members.is_empty() => object(text, members, indent),
        Value::Array(list) if !list.is_empty() => {
            for (index, element) in list.iter().enumerate() {
                if index > 0 {
                    pad(text, indent);
                }
                text.push_str("- ");
                node(text, element, indent + 2);
            }
        }
        other => scalar(text, other, indent),
    }
}

fn object(text: &mut String, members: &Map<String, Value>, indent: usize) {
    for (index, (name, value)) in members.iter().enumerate() {
        if index > 0 {
            pad(text, indent);
        }
        let start = text.len();
        key(text, name);
        if text.len() - start > LONGEST_KEY {
            text.insert_str(start, "? ");
            text.push('\n');
            pad(text, indent);
            text.push_str(": ");
            node(text, value, indent + 2);
            continue;
        }
        text.push(':');
        match value {
            Value::Object(members) if !members.is_empty() => {
                text.push('\n');
                pad(text, indent + 2);
                object(text, members, indent + 2);
            }
            Value::Array(list) if !list.is_empty() => {
                text.push('\n');
                pad(text, indent);
                node(text, value, indent);
            }
            other => {
                text.push(' ');
                scalar(text, other, indent + 2);
            }
        }
    }
}

/// The longest key that may precede its colon without a `?`. The limit of YAML is 1024 characters.
const LONGEST_KEY: usize = 1000;

fn pad(text: &mut String, indent: usize) {
    text.extend(std::iter::repeat_n(' ', indent));
}

/// Writes a value without children, and the end of its line.
fn scalar(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::String(string) if is_block(string) => block(text, string, indent.max(2)),
        Value::String(string) => {
            line(text, string);
            text.push('\n');
        }
        Value::Object(_) => text.push_str("{}\n"),
        Value::Array(_) => text.push_str("[]\n"),
        Value::Null => text.push_str("null\n"),
        Value::Bool(value) => text.push_str(if *value { "true\n" } else { "false\n" }),
        Value::Number(number) => {
            let _ = writeln!(text, "{number}");
        }
    }
}

fn key(text: &mut String, name: &str) {
    line(text, name);
}

/// Writes a string in one line: plain, in single quotes, or in double quotes.
fn line(text: &mut String, string: &str) {
    if !string.chars().all(is_printable) || is_ambiguous(string) {
        double_quoted(text, string);
    } else if is_plain(string) {
        text.push_str(string);
    } else {
        text.push('\'');
        text.push_str(&string.replace('\'', "''"));
        text.push('\'');
    }
}

/// Whether a printable string needs no quotes.
fn is_plain(string: &str) -> bool {
    const INDICATORS: &str = ",[]{}#&*!|>'\"%@`:=";
    let mut characters = string.chars();
    let Some(first) = characters.next() else { return false };
    let is_dash =
        matches!(first, '-' | '?') && characters.next().is_none_or(|second| second == ' ');
    !is_dash
        && !INDICATORS.contains(first)
        && !string.starts_with(' ')
        && !string.ends_with([' ', ':'])
        && !string.contains(": ")
        && !string.contains(" #")
        && !string.starts_with("---")
        && !string.starts_with("...")
}

/// Whether a character needs no escape within a line.
fn is_printable(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn double_quoted(text: &mut String, string: &str) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            printable if is_printable(printable) => text.push(printable),
            other => {
                let _ = write!(text, "\\u{:04x}", u32::from(other));
            }
        }
    }
    text.push('"');
}

/// Whether a string of several lines keeps all of its characters as a block.
fn is_block(string: &str) -> bool {
    string.contains('\n')
        && !string.starts_with([' ', '\n', '\t'])
        && string
            .chars()
            .all(|character| matches!(character, '\n' | '\t') || is_printable(character))
        && string
            .split('\n')
            .all(|line| line.is_empty() || !line.trim_matches([' ', '\t']).is_empty())
}

fn block(text: &mut String, string: &str, indent: usize) {
    let (content, style) = match string.strip_suffix('\n') {
        None => (string, "|-\n"),
        Some(content) if content.ends_with('\n') => (content, "|+\n"),
        Some(content) => (content, "|\n"),
    };
    text.push_str(style);
    for line in content.split('\n') {
        if !line.is_empty() {
            pad(text, indent);
            text.push_str(line);
        }
        text.push('\n');
    }
}

//! The driver for JSON.
//!
//! Most programs decode and encode nothing but JSON, so it has a driver of its own: one decoder and
//! one encoder that are not generic, use the same tables as serde's driver (see
//! [`codec`](crate::codec)) and follow the same rules, in less than half the time.
//! [`serde::Deserialize`] and [`serde::Serialize`] serve all other formats.

mod error;
mod read;
mod stream;
mod write;

pub use error::DecodeError;
#[cfg(feature = "dynamic")]
pub(crate) use error::path_at;
#[cfg(feature = "machines")]
pub(crate) use stream::Item;
pub(crate) use stream::Stream;

use crate::codec::{Target, UnknownMembers, Value, View};
use crate::lexer;
use error::Base;
pub(crate) use read::Mask;
use read::Reader;
use std::{io, mem};
use write::Writer;

/// Decodes a value from JSON in UTF-8.
///
/// ```
/// use kapigen_runtime::meta_v1::PartialObjectMetadata;
/// use kapigen_runtime::{from_slice, to_vec};
///
/// let object: PartialObjectMetadata = from_slice(br#"{"metadata":{"name":"web"}}"#)?;
/// assert_eq!(object.metadata.name.as_deref(), Some("web"));
/// assert_eq!(to_vec(&object), br#"{"metadata":{"name":"web"}}"#);
/// let error = from_slice::<PartialObjectMetadata>(br#"{"metadata":{"name":5}}"#).unwrap_err();
/// assert_eq!(error.to_string(), "metadata.name: expected a string, found 5 at line 1 column 21");
/// # Ok::<(), kapigen_runtime::DecodeError>(())
/// ```
///
/// # Errors
/// When the input is not JSON, or not such a value.
pub fn from_slice<T: Value>(text: &[u8]) -> Result<T, DecodeError> {
    let mut value = T::empty();
    read(Target::Value(&mut value), text)?;
    Ok(value)
}

/// Decodes a value from a JSON string.
///
/// # Errors
/// As [`from_slice`].
#[inline]
pub fn from_str<T: Value>(text: &str) -> Result<T, DecodeError> {
    from_slice(text.as_bytes())
}

/// Decodes a value from a reader of JSON in UTF-8. Of a list, which can be large, only one item at
/// a time is buffered as JSON; any other value is buffered as a whole.
///
/// It requests 64 KiB from `input` at a time, which therefore needs no buffer of its own.
///
/// ```
/// use kapigen_runtime::from_reader;
/// use kapigen_runtime::meta_v1::ObjectMeta;
///
/// let file: &[u8] = br#"{"name":"web"}"#;
/// let metadata: ObjectMeta = from_reader(file)?;
/// assert_eq!(metadata.name.as_deref(), Some("web"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When `input` returns one. When the input is not JSON, or not such a value: then it is of the
/// kind [`InvalidData`](io::ErrorKind::InvalidData), with a [`DecodeError`] inside.
pub fn from_reader<T: Value>(mut input: impl io::Read) -> io::Result<T> {
    let mut value = T::empty();
    stream::read_from(&mut value, &mut input)?;
    Ok(value)
}

/// Decodes a value from JSON in UTF-8, and lists the unknown members.
///
/// ```
/// use kapigen_runtime::from_slice_strict;
/// use kapigen_runtime::meta_v1::ObjectMeta;
///
/// let (metadata, unknown) = from_slice_strict::<ObjectMeta>(br#"{"name":"web","nmae":"web"}"#)?;
/// assert_eq!((metadata.name.as_deref(), unknown.paths), (Some("web"), vec!["nmae".to_owned()]));
/// # Ok::<(), kapigen_runtime::DecodeError>(())
/// ```
///
/// # Errors
/// As [`from_slice`]; unknown members are not an error here.
pub fn from_slice_strict<T: Value>(text: &[u8]) -> Result<(T, UnknownMembers), DecodeError> {
    let mut value = T::empty();
    let unknown = read_strict(Target::Value(&mut value), text)?;
    Ok((value, unknown))
}

/// Encodes a value as JSON, without white space.
///
/// # Panics
/// When a member of a [`custom_resource!`](crate::custom_resource) returns an error from its
/// `Serialize`. Requests and patches return it.
#[must_use]
pub fn to_vec<T: Value>(value: &T) -> Vec<u8> {
    write(&value.view())
}

/// Encodes a value as JSON in a `String`, without white space. [`to_vec`] saves the check for
/// UTF-8.
///
/// # Panics
/// As [`to_vec`].
#[must_use]
pub fn to_string<T: Value>(value: &T) -> String {
    String::from_utf8(to_vec(value)).expect("strings are encoded, which are UTF-8")
}

/// Encodes a value as JSON to a writer, without white space, in chunks: a large list is never in
/// memory as a whole.
///
/// ```
/// use kapigen_runtime::meta_v1::ObjectMeta;
/// use kapigen_runtime::to_writer;
///
/// let mut file = Vec::new();
/// to_writer(&mut file, &ObjectMeta { name: Some("web".into()), ..Default::default() })?;
/// assert_eq!(file, br#"{"name":"web"}"#);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When `output` returns one, or a member of a [`custom_resource!`](crate::custom_resource) from its
/// `Serialize`.
pub fn to_writer<T: Value>(mut output: impl io::Write, value: &T) -> io::Result<()> {
    write_to(&mut output, &value.view())
}

/// Not generic, so that the reader is compiled here and not in every crate that uses this one.
pub(crate) fn read(target: Target<'_>, text: &[u8]) -> Result<(), DecodeError> {
    read_part(target, text, None)
}

/// Decodes the parts of a value that a mask selects.
pub(crate) fn read_part(
    target: Target<'_>,
    text: &[u8],
    mask: Option<&Mask>,
) -> Result<(), DecodeError> {
    let text = in_utf8(text)?;
    Reader::new(text)
        .document(target, mask)
        .map_err(|fault| DecodeError::of_fault(&fault, text, &Base::default()))
}

#[inline]
fn read_strict(target: Target<'_>, text: &[u8]) -> Result<UnknownMembers, DecodeError> {
    let text = in_utf8(text)?;
    let mut reader = Reader::listing_unknown(text);
    reader
        .document(target, None)
        .map_err(|fault| DecodeError::of_fault(&fault, text, &Base::default()))?;
    Ok(reader.into_unknown().locate(text))
}

fn in_utf8(text: &[u8]) -> Result<&str, DecodeError> {
    str::from_utf8(text).map_err(|error| DecodeError::of_utf8(text, error, &Base::default()))
}

pub(crate) fn write(view: &View<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    append(&mut text, view);
    text
}

/// Appends a value to JSON.
pub(crate) fn append(text: &mut Vec<u8>, view: &View<'_>) {
    // A writer has a block of its own, which costs more than a short value.
    match *view {
        View::Str(value) | View::Zero(value) if lexer::plain(value.as_bytes()) == value.len() => {
            text.reserve(value.len() + 2);
            text.push(b'"');
            text.extend_from_slice(value.as_bytes());
            text.push(b'"');
        }
        View::Absent | View::Null => text.extend_from_slice(b"null"),
        View::Bool(value) => text.extend_from_slice(if value { b"true" } else { b"false" }),
        View::Raw(value) => text.extend_from_slice(value.as_bytes()),
        _ => append_in_blocks(text, view),
    }
}

/// Not inlined, so that short values need no stack.
#[inline(never)]
fn append_in_blocks(text: &mut Vec<u8>, view: &View<'_>) {
    let mut writer = Writer::after(mem::take(text));
    writer.value(view);
    *text = writer.into_text();
}

fn write_to(output: &mut dyn io::Write, view: &View<'_>) -> io::Result<()> {
    let mut writer = Writer::to(output);
    writer.value(view);
    writer.finish()
}

#[cfg(test)]
mod tests;

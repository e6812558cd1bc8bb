//! Free JSON, as a string, from any serde format and into any.

mod read;
mod tree;
mod write;

pub(crate) use read::{deserialize, has_text};
pub(crate) use write::{serialize, takes_compact_text};

/// The name by which `serde_json` passes JSON through its serializers and deserializers verbatim: the protocol of its
/// `RawValue`, which is not used itself since it works with no other format.
///
/// If a later `serde_json` chooses another name, then nothing breaks: both directions detect it, and transcode as for
/// every other format. Only the spelling of numbers is lost.
pub(crate) const TOKEN: &str = "$serde_json::private::RawValue";

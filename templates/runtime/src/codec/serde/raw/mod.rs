//! Free JSON, as text, from any serde format and into any.

mod read;
mod write;

pub(crate) use read::{deserialize, has_text};
pub(crate) use write::serialize;

/// The name by which `serde_json` hands text through its serializers and deserializers as it is: the protocol of its
/// `RawValue`, which is not used itself since it works with no other format.
///
/// Should `serde_json` choose another name one day, then nothing breaks: both directions notice, and transcode as
/// they do for every other format. What gets lost is the spelling of numbers.
pub(crate) const TOKEN: &str = "$serde_json::private::RawValue";

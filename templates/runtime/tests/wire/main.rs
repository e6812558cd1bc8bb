//! Objects on the wire: decoding, encoding, and the values in them.

mod bounds; // Memory and the length of messages, whatever is decoded.
mod decoding; // The exact errors and results of decoding, at a few types that stand for all.
mod dynamic; // Objects of any kind, and values by path.
mod every_field; // Round trips of values with every field set, made from the documents.
mod formats; // Formats of serde other than JSON, and its own deserializers.
mod json; // The JSON reader and writer of the runtime against serde_json.
mod laws; // One rule for every field of every type: zeros, null, repeated members, errors with a path.
mod order; // The order of members.
mod properties; // Round trips of random values of every type.
mod round_trips; // Round trips of objects of real servers.
mod schemas; // JSON schemas of all types, by the rules of structural schemas.
mod unknown; // Unknown members, and required ones that are absent, are kept.
mod values; // Times, quantities, byte strings and other values that are written by hand.

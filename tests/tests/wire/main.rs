//! Objects on the wire: decoding, encoding, and the values in them.

mod bounds; // Memory and the length of messages, whatever is decoded.
mod decoding; // The exact errors and results of decoding, at a few types that stand for all.
mod every_field; // Values with every field set, made from the documents, come back.
mod json; // The JSON reader and writer of the runtime against serde_json.
mod laws; // One rule for every field of every type: zeros, null, repeated members, errors with a path.
mod properties; // Random values of every type come back.
mod round_trips; // Objects of real servers come back.
mod schemas; // JSON schemas of all types, by the rules of structural schemas.
mod unknown; // Members that no type knows, and required ones that are absent, come back.
mod values; // Times, quantities, byte strings and other values that are written by hand.

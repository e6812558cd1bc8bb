//! The runtime's JSON decoder and encoder, compared with those of `serde_json`.

mod agreement;
mod grammar;
mod texts;

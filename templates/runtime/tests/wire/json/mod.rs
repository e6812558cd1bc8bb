//! The runtime's JSON decoder and encoder, compared with `serde_json`.

mod agreement;
mod grammar;
mod texts;

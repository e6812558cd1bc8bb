//! The hand-written Rust that every emitted crate has.

/// Path below the folder of the crate, and text.
pub const FILES: &[(&str, &str)] = &[
    ("src/codec/mod.rs", include_str!("../../templates/codec/mod.rs")),
    ("src/codec/path.rs", include_str!("../../templates/codec/path.rs")),
    ("src/codec/read.rs", include_str!("../../templates/codec/read.rs")),
    ("src/codec/tests.rs", include_str!("../../templates/codec/tests.rs")),
    ("src/codec/value.rs", include_str!("../../templates/codec/value.rs")),
    ("src/codec/write.rs", include_str!("../../templates/codec/write.rs")),
    ("src/kind.rs", include_str!("../../templates/kind.rs")),
    ("src/values/byte_string.rs", include_str!("../../templates/values/byte_string.rs")),
    ("src/values/int_or_string.rs", include_str!("../../templates/values/int_or_string.rs")),
    ("src/values/mod.rs", include_str!("../../templates/values/mod.rs")),
    ("src/values/quantity.rs", include_str!("../../templates/values/quantity.rs")),
    ("src/values/quantity/number.rs", include_str!("../../templates/values/quantity/number.rs")),
    ("src/values/quantity/tests.rs", include_str!("../../templates/values/quantity/tests.rs")),
    ("src/values/raw_json.rs", include_str!("../../templates/values/raw_json.rs")),
    ("src/values/raw_json/read.rs", include_str!("../../templates/values/raw_json/read.rs")),
    ("src/values/raw_json/tests.rs", include_str!("../../templates/values/raw_json/tests.rs")),
    ("src/values/raw_json/write.rs", include_str!("../../templates/values/raw_json/write.rs")),
    ("src/values/tests.rs", include_str!("../../templates/values/tests.rs")),
    ("src/values/time.rs", include_str!("../../templates/values/time.rs")),
    ("src/values/time/tests.rs", include_str!("../../templates/values/time/tests.rs")),
];

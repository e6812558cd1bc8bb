//! The controllers in `own` and `peer`, through the same faults: see `tests/faults.rs`.

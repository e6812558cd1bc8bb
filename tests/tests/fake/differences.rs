//! Where the fake server differs from what was recorded.

/// A scenario, the steps that differ, and the reason.
pub(crate) const DIFFERENCES: &[(&str, &[usize], &str)] = &[];

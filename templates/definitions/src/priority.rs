//! The order of the versions of a group.

use std::cmp::Reverse;

/// The priority of a version, as servers order them: stable ones before betas before alphas, later
/// ones before earlier ones, and then all others, by name.
#[must_use]
pub fn version_priority(name: &str) -> impl Ord + use<'_> {
    rank(name)
}

fn rank(name: &str) -> (u8, u64, u64, Reverse<&str>) {
    let others = (0, 0, 0, Reverse(name));
    let Some(rest) = name.strip_prefix('v') else { return others };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (major, stage) = rest.split_at(end);
    let Some(major) = number(major) else { return others };
    if stage.is_empty() {
        return (3, major, 0, Reverse(""));
    }
    let mut stages = [("alpha", 1), ("beta", 2)].into_iter();
    let minor = stages.find_map(|(word, rank)| Some((rank, number(stage.strip_prefix(word)?)?)));
    minor.map_or(others, |(rank, minor)| (rank, major, minor, Reverse("")))
}

fn number(text: &str) -> Option<u64> {
    if text.starts_with('0') { None } else { text.parse().ok() }
}

//! Distinct names for items whose natural names are the same. The result depends only on the order of the items' keys.

use std::collections::{BTreeMap, BTreeSet};

/// Gives each item a name of its own. Of those with the same natural name the least keeps it, unless it was
/// chosen for something else; the others get the first free number, from 2.
///
/// Natural and chosen names are never given as numbered ones. The number replaces the `_` of a keyword or another
/// reserved name: `self_`, `self_2`.
#[must_use]
pub fn distinct<K: Clone + Ord>(
    natural: &BTreeMap<String, BTreeSet<K>>,
    chosen: &BTreeSet<String>,
    separator: &str,
) -> BTreeMap<K, String> {
    let mut names = BTreeMap::new();
    let mut given = BTreeSet::new();
    for (name, all) in natural {
        let mut numbers = 2_usize..;
        let stem = name.trim_end_matches('_');
        let mut numbered = || {
            numbers.find_map(|number| {
                let numbered = format!("{stem}{separator}{number}");
                let free = !natural.contains_key(&numbered) && !chosen.contains(&numbered);
                (free && given.insert(numbered.clone())).then_some(numbered)
            })
        };
        for (index, key) in all.iter().enumerate() {
            let keeps = index == 0 && !chosen.contains(name);
            let own = if keeps { Some(name.clone()) } else { numbered() };
            names.extend(own.map(|own| (key.clone(), own)));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::distinct;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn names_are_numbered_around_those_that_are_taken() {
        let natural =
            [("url", vec!["a", "b", "c", "d"]), ("url_2", vec!["e"]), ("port", vec!["f"]), ("self_", vec!["g", "h"])];
        let natural = natural.map(|(name, all)| (name.to_owned(), BTreeSet::from_iter(all)));
        let chosen = ["url_3", "port"].map(str::to_owned);
        let names = distinct(&BTreeMap::from(natural), &BTreeSet::from(chosen), "_");
        let urls = [("a", "url"), ("b", "url_4"), ("c", "url_5"), ("d", "url_6"), ("e", "url_2")];
        let others = [("f", "port_2"), ("g", "self_"), ("h", "self_2")];
        assert_eq!(names, urls.into_iter().chain(others).map(|(key, name)| (key, name.to_owned())).collect());
    }
}

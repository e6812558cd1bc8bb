//! Distinct names for neighbors with the same natural name: parameters of a function, fields of a
//! parameter struct, modules, files. They do not depend on the order of a document.
//!
//! Different wire names can make the same Rust name. The rule for parameters, modules and files:
//!
//! 1. A name that is reserved gets the suffix `_`.
//! 2. Of wire names that make the same name, the one that is spelled like it keeps it, or else the
//!    one in camelCase, or else the first in byte order.
//! 3. The others, in this order, get the first free number as a suffix, instead of the `_` of a
//!    reserved one: `field_manager_2`, `default_2`.

use super::modules::cut_file;
use super::{field, is_exact_camel, module};
use std::collections::{BTreeMap, BTreeSet};

/// Gives each item a name of its own. Of several items with the same natural name the least keeps
/// it, unless it was chosen for something else; the others get the first free number, from 2.
///
/// Natural and chosen names are never given as numbered ones. The number replaces the `_` of a
/// keyword or another reserved name: `self_`, `self_2`.
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
        for (index, key) in all.iter().enumerate() {
            if index == 0 && !chosen.contains(name) {
                names.insert(key.clone(), name.clone());
                continue;
            }
            let numbered = numbers.find_map(|number| {
                let numbered = format!("{stem}{separator}{number}");
                let free = !natural.contains_key(&numbered) && !chosen.contains(&numbered);
                (free && given.insert(numbered.clone())).then_some(numbered)
            });
            names.extend(numbered.map(|numbered| (key.clone(), numbered)));
        }
    }
    names
}

/// Arguments that functions have beside their path parameters.
const ARGUMENTS: [&str; 3] = ["body", "params", "patch"];

/// A setter called `default` would hide `Default::default`.
const FIELDS: [&str; 1] = ["default"];

/// The field for the body of a delete.
const OPTIONS: &str = "options";

/// The module of the types of a group-version, beside the modules of its resources.
const TYPES: &str = "types";

/// Devices of Windows: no file and no folder there can have such a name, with any extension.
const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];

/// Devices with a number.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// The arguments of a function for its path parameters.
#[must_use]
pub fn arguments<'a>(wires: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, String> {
    side_by_side(
        wires,
        |wire| field(wire).unwrap_or_else(|| "argument".to_owned()),
        |name| ARGUMENTS.contains(&name),
    )
}

/// The fields of a parameter struct. A struct with options has a field for them, too.
#[must_use]
pub fn parameters<'a>(
    wires: impl Iterator<Item = &'a str>,
    has_options: bool,
) -> BTreeMap<&'a str, String> {
    side_by_side(
        wires,
        |wire| field(wire).unwrap_or_else(|| "parameter".to_owned()),
        |name| FIELDS.contains(&name) || (has_options && name == OPTIONS),
    )
}

/// The modules of the resources of a group-version. Each is a file.
#[must_use]
pub fn resource_modules<'a>(plurals: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, String> {
    side_by_side(
        plurals,
        |plural| module(plural).unwrap_or_else(|| "resource".to_owned()),
        |name| name == TYPES || is_device(name),
    )
}

/// The files of types, without their ending. Names that differ only in capitals are one file on
/// some disks, and long names are cut.
#[must_use]
pub fn files<'a>(types: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, String> {
    side_by_side(
        types,
        |name| module(name).map_or_else(|| "unnamed".to_owned(), cut_file),
        is_device,
    )
}

/// Whether Windows has a device of this name, in small letters.
#[must_use]
pub fn is_device(name: &str) -> bool {
    let number = NUMBERED_DEVICES.iter().find_map(|device| name.strip_prefix(device));
    DEVICES.contains(&name)
        || number.is_some_and(|number| number.len() == 1 && number.as_bytes()[0].is_ascii_digit())
}

fn side_by_side<'a>(
    wires: impl Iterator<Item = &'a str>,
    name: impl Fn(&str) -> String,
    is_reserved: impl Fn(&str) -> bool,
) -> BTreeMap<&'a str, String> {
    let mut natural: BTreeMap<String, BTreeSet<_>> = BTreeMap::new();
    for wire in wires {
        let made = name(wire);
        let free = if is_reserved(&made) { format!("{made}_") } else { made };
        let key = (wire != free, !is_exact_camel(wire), wire);
        natural.entry(free).or_default().insert(key);
    }
    let names = distinct(&natural, &BTreeSet::new(), "_");
    names.into_iter().map(|((_, _, wire), name)| (wire, name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn names_are_numbered_around_those_that_are_taken() {
        let natural = [
            ("url", vec!["a", "b", "c", "d"]),
            ("url_2", vec!["e"]),
            ("port", vec!["f"]),
            ("self_", vec!["g", "h"]),
        ];
        let natural = natural.map(|(name, all)| (name.to_owned(), BTreeSet::from_iter(all)));
        let chosen = ["url_3", "port"].map(str::to_owned);
        let names = distinct(&BTreeMap::from(natural), &BTreeSet::from(chosen), "_");
        let urls = [("a", "url"), ("b", "url_4"), ("c", "url_5"), ("d", "url_6"), ("e", "url_2")];
        let others = [("f", "port_2"), ("g", "self_"), ("h", "self_2")];
        assert_eq!(
            names,
            urls.into_iter().chain(others).map(|(key, name)| (key, name.to_owned())).collect()
        );
    }

    #[test]
    fn names_do_not_depend_on_the_order() {
        let wires = [
            "field-Manager",
            "fieldManager",
            "field_manager_2",
            "field_manager",
            "名",
            "前",
            "default",
        ];
        let names = [
            ("fieldManager", "field_manager_3"),
            ("field-Manager", "field_manager_4"),
            ("field_manager", "field_manager"),
            ("field_manager_2", "field_manager_2"),
            ("default", "default_"),
            ("前", "parameter"),
            ("名", "parameter_2"),
        ];
        let expected: BTreeMap<&str, String> =
            names.map(|(wire, name)| (wire, name.to_owned())).into();
        assert_eq!(parameters(wires.into_iter(), false), expected);
        assert_eq!(parameters(wires.into_iter().rev(), false), expected);
    }

    #[test]
    fn reserved_names_are_left_free() {
        assert_eq!(arguments(["params", "name"].into_iter())["params"], "params_");
        assert_eq!(parameters(["options"].into_iter(), true)["options"], "options_");
        assert_eq!(parameters(["options"].into_iter(), false)["options"], "options");
        let both = parameters(["Default", "default", "DEFAULT"].into_iter(), false);
        assert_eq!(
            ["default", "DEFAULT", "Default"].map(|wire| both[wire].as_str()),
            ["default_", "default_2", "default_3"]
        );
        assert_eq!(resource_modules(["types"].into_iter())["types"], "types_");
        assert_eq!(
            files(["Aux", "Com1", "Com10"].into_iter()).into_values().collect::<Vec<_>>(),
            ["aux_", "com1_", "com10"]
        );
    }

    #[test]
    fn long_files_are_cut_and_stay_different() {
        let [one, other, short] = ["a", "b", ""].map(|end| format!("K{}{end}", "x".repeat(79)));
        let files = files([one.as_str(), &other, &short].into_iter());
        let cut = format!("k{}", "x".repeat(79));
        assert_eq!(files[short.as_str()], cut);
        assert_eq!(
            [&files[one.as_str()], &files[other.as_str()]],
            [&format!("{cut}_2"), &format!("{cut}_3")]
        );
    }
}

//! Suggestions for misspelled names.

/// The longest name that is compared: comparing takes time that grows with the square of the
/// length.
const LONGEST: usize = 100;

/// The most similar of some names, if one is similar: at most a third of its letters differ.
/// Capitals, hyphens and underscores make no difference.
pub(crate) fn nearest<'a>(
    name: &str,
    mut candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest_of(name, &mut candidates)
}

/// Not generic, so that it is compiled once.
fn nearest_of<'a>(name: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = letters(name);
    if name.len() > LONGEST {
        return None;
    }
    let mut nearest = None;
    for candidate in candidates {
        let distance = distance(&name, &letters(candidate));
        let is_nearer = nearest.is_none_or(|(least, _)| distance < least);
        if is_nearer && distance <= name.len().min(candidate.len()) / 3 {
            nearest = Some((distance, candidate));
        }
    }
    nearest.map(|(_, candidate)| candidate)
}

/// The letters of a name that is not too long, in one case.
fn letters(name: &str) -> Vec<char> {
    let letters = name.chars().filter(|letter| !matches!(letter, '-' | '_'));
    letters.flat_map(char::to_lowercase).take(LONGEST + 1).collect()
}

/// The number of letters to insert, remove or replace that turns one name into the other.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn suggests_a_name_only_when_it_is_similar() {
        let names = ["continue", "fieldSelector", "labelSelector", "limit"];
        let of = |name| nearest(name, names.into_iter());
        assert_eq!(of("labelSelectors"), Some("labelSelector"));
        assert_eq!(of("field_selector"), Some("fieldSelector"));
        assert_eq!(of("Limit"), Some("limit"));
        assert_eq!(of("limits"), Some("limit"));
        assert_eq!(of("shard"), None);
        assert_eq!(of(""), None);
        assert_eq!(of(&"limit".repeat(1_000_000)), None);
    }
}

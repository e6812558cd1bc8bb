//! Suggestions for misspelled names.

/// The longest name that is compared: comparing takes time that grows with the square of the
/// length.
const LONGEST: usize = 100;

/// The most similar of some names, if one is similar: at most a third of its letters differ.
/// Capitals, hyphens and underscores make no difference.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let name = letters(name);
    let distances = candidates.map(|candidate| (distance(&name, &letters(candidate)), candidate));
    let is_similar =
        |(distance, candidate): &(usize, &str)| *distance <= name.len().min(candidate.len()) / 3;
    let similar = distances.filter(is_similar).min_by_key(|(distance, _)| *distance);
    similar.filter(|_| name.len() <= LONGEST).map(|(_, candidate)| candidate)
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

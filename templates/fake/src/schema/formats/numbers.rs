//! Numbers of books, cards and persons, and colors.

use super::is_space;

/// A number of a book with ten digits, the last of which may be an X.
pub(super) fn is_book_of_10(text: &str) -> bool {
    let Some(digits) = digits_of_book(text, 10) else { return false };
    let sum: u32 = (1..).zip(digits).map(|(factor, digit)| factor * digit).sum();
    sum.is_multiple_of(11)
}

/// A number of a book with thirteen digits.
pub(super) fn is_book_of_13(text: &str) -> bool {
    let Some(digits) = digits_of_book(text, 13) else { return false };
    let sum: u32 =
        [1, 3].into_iter().cycle().zip(digits).map(|(factor, digit)| factor * digit).sum();
    sum.is_multiple_of(10)
}

/// The digits, between which there may be dashes and spaces.
fn digits_of_book(text: &str, count: usize) -> Option<Vec<u32>> {
    let plain: Vec<char> = text.chars().filter(|c| *c != '-' && !is_space(*c)).collect();
    let digits = plain.iter().enumerate().map_while(|(index, c)| match c {
        'X' if count == 10 && index == 9 => Some(10),
        c => c.to_digit(10),
    });
    let digits: Vec<_> = digits.collect();
    (digits.len() == count && plain.len() == count).then_some(digits)
}

/// A number of a credit card, whatever is between its digits.
pub(super) fn is_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    let [one, two, three, four] = [1, 2, 3, 4]
        .map(|count| digits.iter().take(count).fold(0, |number, digit| number * 10 + digit));
    let is_issued = match digits.len() {
        13 => one == 4,
        14 => matches!(three, 300..=305) || matches!(two, 36 | 38),
        15 => matches!(two, 34 | 37) || matches!(four, 1800 | 2131),
        16 => one == 4 || matches!(two, 51..=55 | 65 | 35) || four == 6011,
        _ => false,
    };
    if !is_issued {
        return false;
    }
    let mut sum: u32 = 0;
    for (factor, digit) in [1, 2].into_iter().cycle().zip(digits.iter().rev()) {
        sum += match digit * factor {
            high @ 10.. => high - 9,
            low => low,
        };
    }
    sum.is_multiple_of(10)
}

/// A social security number with its separators.
pub(super) fn is_person(text: &str) -> bool {
    text.len() == 11
        && text.bytes().enumerate().all(|(index, byte)| match index {
            3 | 6 => matches!(byte, b'-' | b' '),
            _ => byte.is_ascii_digit(),
        })
}

/// Three or six hexadecimal digits.
pub(super) fn is_hexadecimal_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or(text);
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Three numbers of a byte, such as `rgb(0, 0, 255)`.
pub(super) fn is_color(text: &str) -> bool {
    let inner = text.strip_prefix("rgb(").and_then(|inner| inner.strip_suffix(')'));
    let Some(inner) = inner else { return false };
    inner.split(',').count() == 3
        && inner.split(',').all(|text| {
            let text = text.trim_matches(is_space);
            let is_plain = text == "0" || text.starts_with(|c| matches!(c, '1'..='9'));
            is_plain && text.parse::<u8>().is_ok()
        })
}

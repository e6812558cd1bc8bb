//! Numbers of books, cards and persons, and colors.

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
    let is_separator = |c: char| matches!(c, '-' | ' ' | '\t' | '\n' | '\u{c}' | '\r');
    let plain: Vec<char> = text.chars().filter(|c| !is_separator(*c)).collect();
    let digit = |(index, c): (usize, &char)| match c {
        'X' if count == 10 && index == 9 => Some(10),
        c => c.to_digit(10),
    };
    let digits: Vec<_> = plain.iter().enumerate().map_while(digit).collect();
    (digits.len() == count && plain.len() == count).then_some(digits)
}

/// A number of a credit card, whatever is between its digits.
pub(super) fn is_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    let starts =
        |count: usize| digits.iter().take(count).fold(0, |number, digit| number * 10 + digit);
    let is_issued = match digits.len() {
        13 => starts(1) == 4,
        14 => matches!(starts(3), 300..=305) || matches!(starts(2), 36 | 38),
        15 => matches!(starts(2), 34 | 37) || matches!(starts(4), 1800 | 2131),
        16 => starts(1) == 4 || matches!(starts(2), 51..=55 | 65 | 35) || starts(4) == 6011,
        _ => false,
    };
    let doubled = |(factor, digit): (u32, &u32)| match digit * factor {
        high @ 10.. => high - 9,
        low => low,
    };
    is_issued
        && [1, 2]
            .into_iter()
            .cycle()
            .zip(digits.iter().rev())
            .map(doubled)
            .sum::<u32>()
            .is_multiple_of(10)
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
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\u{c}' | '\r');
    let inner = text.strip_prefix("rgb(").and_then(|inner| inner.strip_suffix(')'));
    let Some(inner) = inner else { return false };
    let is_byte = |text: &str| {
        let text = text.trim_matches(is_space);
        let is_plain = text == "0" || text.starts_with(|c| matches!(c, '1'..='9'));
        is_plain && text.parse::<u8>().is_ok()
    };
    inner.split(',').count() == 3 && inner.split(',').all(is_byte)
}

//! Parsing and printing of times in the form of RFC 3339.

use super::YEARS;
use jiff::civil::{DateTime, Time as Clock};

/// The seconds of a day.
const DAY: i32 = 24 * 60 * 60;

/// Parses RFC 3339 as Go does. The fraction of a second is cut to nanoseconds.
///
/// jiff parses more forms than that, so it gets only the numbers, and computes the time.
pub(super) fn parse(text: &str) -> Option<DateTime> {
    let (date, rest) = text.split_at_checked(19)?;
    let &[y0, y1, y2, y3, b'-', mo0, mo1, b'-', d0, d1, b'T', h0, h1, b':', mi0, mi1, b':', s0, s1] = date.as_bytes()
    else {
        return None;
    };
    let (nanosecond, zone) = match rest.strip_prefix('.') {
        None => (0, rest),
        Some(rest) => {
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            let (digits, zone) = rest.split_at(end);
            (nanoseconds(digits)?, zone)
        }
    };
    let year = i16::from(number([y0, y1])?) * 100 + i16::from(number([y2, y3])?);
    let (month, day) = (number([mo0, mo1])?, number([d0, d1])?);
    let (hour, minute, second) = (number([h0, h1])?, number([mi0, mi1])?, number([s0, s1])?);
    let local = DateTime::new(year, month, day, hour, minute, second, nanosecond).ok()?;
    let offset = offset(zone)?;
    if offset == 0 {
        return Some(local);
    }
    earlier(local, offset).filter(|utc| YEARS.contains(&utc.year()))
}

/// The time that is this many seconds earlier, at most a day in either direction.
fn earlier(time: DateTime, seconds: i32) -> Option<DateTime> {
    let clock = (i32::from(time.hour()) * 60 + i32::from(time.minute())) * 60 + i32::from(time.second()) - seconds;
    let date = match clock {
        ..0 => time.date().yesterday().ok()?,
        0..DAY => time.date(),
        _ => time.date().tomorrow().ok()?,
    };
    let clock = clock.rem_euclid(DAY);
    let part = |number: i32| i8::try_from(number).ok();
    let (hour, minute, second) = (part(clock / 3600)?, part(clock / 60 % 60)?, part(clock % 60)?);
    Some(date.to_datetime(Clock::new(hour, minute, second, time.subsec_nanosecond()).ok()?))
}

fn number([tens, ones]: [u8; 2]) -> Option<i8> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| (tens * 10 + ones).cast_signed())
}

fn nanoseconds(digits: &str) -> Option<i32> {
    let mut nanoseconds = 0;
    for index in 0..9 {
        let digit = digits.as_bytes().get(index).map_or(0, |digit| digit - b'0');
        nanoseconds = nanoseconds * 10 + i32::from(digit);
    }
    (!digits.is_empty()).then_some(nanoseconds)
}

/// The offset of a zone in seconds.
fn offset(zone: &str) -> Option<i32> {
    let (sign, h0, h1, m0, m1) = match *zone.as_bytes() {
        [b'Z'] => return Some(0),
        [b'+', h0, h1, b':', m0, m1] => (1, h0, h1, m0, m1),
        [b'-', h0, h1, b':', m0, m1] => (-1, h0, h1, m0, m1),
        _ => return None,
    };
    let (hours, minutes) = (number([h0, h1])?, number([m0, m1])?);
    (hours < 24 && minutes < 60).then(|| sign * (i32::from(hours) * 3600 + i32::from(minutes) * 60))
}

/// Prints RFC 3339 with so many digits of the fraction: none or six.
pub(super) fn print(time: DateTime, digits: usize, buffer: &mut [u8; 32]) -> &[u8] {
    buffer[..27].copy_from_slice(b"0000-00-00T00:00:00.000000Z");
    let mut add = |at: usize, number: u8| {
        buffer[at] += number / 10;
        buffer[at + 1] += number % 10;
    };
    let pair = |number: i32| u8::try_from(number).unwrap_or_default();
    let (year, micros) = (i32::from(time.year()), time.subsec_nanosecond() / 1000);
    add(0, pair(year / 100));
    add(2, pair(year % 100));
    add(5, time.month().cast_unsigned());
    add(8, time.day().cast_unsigned());
    add(11, time.hour().cast_unsigned());
    add(14, time.minute().cast_unsigned());
    add(17, time.second().cast_unsigned());
    if digits == 0 {
        buffer[19] = b'Z';
        return &buffer[..20];
    }
    add(20, pair(micros / 10_000));
    add(22, pair(micros / 100 % 100));
    add(24, pair(micros % 100));
    &buffer[..27]
}

//! Times in the form of RFC 3339.

#[cfg(test)]
mod tests;

use crate::codec::value::{Expected, Scalar, Slot, Value, View};
use crate::codec::{Formatted, ScalarType};
use jiff::Timestamp;
use jiff::civil::{DateTime, Time as Clock};
use jiff::tz::Offset;
use std::fmt;
use std::str::FromStr;

const EXPECTED: &str = "a time in the form of RFC 3339 such as 2024-05-01T12:00:00Z";

/// Go's zero time.
const ZERO: DateTime = DateTime::constant(1, 1, 1, 0, 0, 0, 0);
/// The first and the last year RFC 3339 can write.
const YEARS: std::ops::RangeInclusive<i16> = 0..=9999;

/// Cuts to a multiple of `unit` nanoseconds. Always towards the past, also before 1970, because the fraction of a
/// civil time counts forward from its second: Go prints such times the same way.
fn cut(time: DateTime, unit: i32) -> DateTime {
    let nanosecond = time.subsec_nanosecond();
    if nanosecond % unit == 0 {
        return time;
    }
    let clock = Clock::new(time.hour(), time.minute(), time.second(), nanosecond - nanosecond % unit);
    clock.map_or(time, |clock| time.date().to_datetime(clock))
}

#[inline]
fn from_timestamp(timestamp: Timestamp) -> DateTime {
    let time = Offset::UTC.to_datetime(timestamp);
    if YEARS.contains(&time.year()) { time } else { DateTime::constant(0, 1, 1, 0, 0, 0, 0) }
}

#[inline]
fn to_timestamp(time: DateTime) -> Timestamp {
    // Years start at 0, so only the end can be out of range.
    Offset::UTC.to_timestamp(time).unwrap_or(Timestamp::MAX)
}

/// A type that writes its time with a fraction of this many digits, that is, in units of so many nanoseconds.
macro_rules! time {
    ($(#[$doc:meta])* $name:ident, $digits:literal digits, $unit:literal nanoseconds) => {
        $(#[$doc])*
        // Not a `Timestamp`: jiff's end 26 hours before the year 9999 does, and "never" is often written as
        // 9999-12-31T23:59:59Z.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(DateTime);

        impl $name {
            /// The current time.
            #[must_use]
            #[inline]
            pub fn now() -> Self {
                Timestamp::now().into()
            }

            /// This time for jiff. The last 26 hours of the year 9999 become [`Timestamp::MAX`].
            #[must_use]
            #[inline]
            pub fn timestamp(self) -> Timestamp {
                to_timestamp(self.0)
            }

            /// Whether this is Go's zero time, which means "never" or "not yet" and is written as `null`.
            #[must_use]
            #[inline]
            pub fn is_zero(self) -> bool {
                self.0 == ZERO
            }
        }

        /// Go's zero time, 0001-01-01T00:00:00Z.
        impl Default for $name {
            #[inline]
            fn default() -> Self {
                $name(ZERO)
            }
        }

        /// Truncates digits that are too precise, towards the past. Times before the year 0 become its start.
        impl From<Timestamp> for $name {
            #[inline]
            fn from(timestamp: Timestamp) -> Self {
                $name(cut(from_timestamp(timestamp), $unit))
            }
        }

        /// The same as `timestamp`.
        impl From<$name> for Timestamp {
            #[inline]
            fn from(time: $name) -> Self {
                time.timestamp()
            }
        }

        impl FromStr for $name {
            type Err = Expected;

            #[inline]
            fn from_str(text: &str) -> Result<Self, Expected> {
                parse(text).map(|time| $name(cut(time, $unit))).ok_or(Expected(EXPECTED))
            }
        }

        /// RFC 3339 in UTC, as on the wire. The zero time is written out here.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(str::from_utf8(print(self.0, $digits, &mut [0; 32])).unwrap_or_default())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl Scalar for $name {
            fn read_text(&mut self, text: &str) -> Result<(), Expected> {
                *self = text.parse()?;
                Ok(())
            }

            fn read_int(&mut self, _: i64) -> Result<(), Expected> {
                Err(Expected(EXPECTED))
            }

            fn read_float(&mut self, _: f64) -> Result<(), Expected> {
                Err(Expected(EXPECTED))
            }

            fn clear(&mut self) {
                *self = Self::default();
            }

            fn scalar_type(&self) -> ScalarType {
                ScalarType::Format("date-time")
            }
        }

        impl Formatted for $name {
            fn short<'a>(&self, buffer: &'a mut [u8; 32]) -> Option<&'a [u8]> {
                Some(print(self.0, $digits, buffer))
            }
        }

        impl Value for $name {
            fn empty() -> Self {
                Self::default()
            }

            fn slot(&mut self, _: bool) -> Slot<'_> {
                Slot::Scalar(self)
            }

            fn view(&self) -> View<'_> {
                // A server writes its zero time as `null` wherever the member cannot be left out, and takes `null`
                // for it; the text 0001-01-01T00:00:00Z would come back as `null`.
                if self.is_zero() { View::Null } else { View::Display(self) }
            }
        }

        serde_of_scalar!($name, EXPECTED);
    };
}

time! {
    /// A point in time, in whole seconds.
    ///
    /// Stands for the schema `io.k8s.apimachinery.pkg.apis.meta.v1.Time`.
    ///
    /// On the wire it is a JSON string in the form of RFC 3339, always in UTC: `"2024-05-01T12:00:00Z"`. It is read
    /// with any offset and any fraction, and the fraction is cut off, as a server does. Any other text is an error.
    ///
    /// The default is Go's zero time, 0001-01-01T00:00:00Z. It means "not set" and is `null` on the wire.
    ///
    /// It holds the years 0 to 9999, all that RFC 3339 can write.
    ///
    /// ```
    /// use kapigen_runtime::jiff::SignedDuration;
    /// use kapigen_runtime::meta_v1::Time;
    ///
    /// let created: Time = "2024-05-01T14:00:00+02:00".parse()?;
    /// assert_eq!(created.to_string(), "2024-05-01T12:00:00Z");
    /// let started: Time = "2024-05-01T12:00:07Z".parse()?;
    /// assert_eq!(started.timestamp().duration_since(created.timestamp()), SignedDuration::from_secs(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Time, 0 digits, 1_000_000_000 nanoseconds
}

time! {
    /// A point in time, in whole microseconds.
    ///
    /// Stands for the schema `io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime`.
    ///
    /// On the wire it is a JSON string in the form of RFC 3339, always in UTC and with six digits after the point,
    /// since a server takes no fewer: `"2024-05-01T12:00:00.000000Z"`. It is read with any offset and any fraction,
    /// and digits beyond microseconds are cut off. Any other string is an error.
    ///
    /// The default is Go's zero time, 0001-01-01T00:00:00Z. It means "not set" and is `null` on the wire.
    ///
    /// It holds the years 0 to 9999, all that RFC 3339 can write.
    MicroTime, 6 digits, 1_000 nanoseconds
}

/// The seconds of a day.
const DAY: i32 = 24 * 60 * 60;

/// Parses RFC 3339 as Go does. The fraction of a second is cut to nanoseconds.
///
/// jiff parses more forms than that, so it gets only the numbers, and computes the time.
fn parse(text: &str) -> Option<DateTime> {
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
    let month = number([mo0, mo1])?;
    let day = number([d0, d1])?;
    let hour = number([h0, h1])?;
    let minute = number([mi0, mi1])?;
    let second = number([s0, s1])?;
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
    let hour = part(clock / 3600)?;
    let minute = part(clock / 60 % 60)?;
    let second = part(clock % 60)?;
    Some(date.to_datetime(Clock::new(hour, minute, second, time.subsec_nanosecond()).ok()?))
}

fn number([tens, ones]: [u8; 2]) -> Option<i8> {
    let tens = tens.wrapping_sub(b'0');
    let ones = ones.wrapping_sub(b'0');
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
    let hours = number([h0, h1])?;
    let minutes = number([m0, m1])?;
    (hours < 24 && minutes < 60).then(|| sign * (i32::from(hours) * 3600 + i32::from(minutes) * 60))
}

/// Prints RFC 3339 with so many digits of the fraction: none or six.
fn print(time: DateTime, digits: usize, buffer: &mut [u8; 32]) -> &[u8] {
    buffer[..27].copy_from_slice(b"0000-00-00T00:00:00.000000Z");
    let mut add = |at: usize, number: u8| {
        buffer[at] += number / 10;
        buffer[at + 1] += number % 10;
    };
    let pair = |number: i32| u8::try_from(number).unwrap_or_default();
    let year = i32::from(time.year());
    let micros = time.subsec_nanosecond() / 1000;
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

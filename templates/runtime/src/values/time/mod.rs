//! Times in the form of RFC 3339.

#[cfg(test)]
mod tests;

use crate::codec::value::{Expected, Scalar, Slot, Value, View};
use crate::codec::{Formatted, ScalarType};
use jiff::Timestamp;
use jiff::civil::{DateTime, Time as Clock};
use jiff::tz::Offset;
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

const EXPECTED: &str = "a time in the form of RFC 3339 such as 2024-05-01T12:00:00Z";

/// The first and the last year RFC 3339 can write.
const YEARS: std::ops::RangeInclusive<i16> = 0..=9999;

/// A civil time with microseconds, in eight bytes even where it is optional: most objects have
/// several times, many of which are absent. Year, month and so on stand from the highest bits to
/// the lowest, so that times are in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Packed(NonZeroU64);

/// The lowest bit of each part. Microseconds begin at the first.
const SECOND: u32 = 20;
const MINUTE: u32 = 26;
const HOUR: u32 = 32;
const DAY: u32 = 37;
const MONTH: u32 = 42;
const YEAR: u32 = 46;

impl Packed {
    /// Go's zero time.
    const ZERO: Self = Self(NonZeroU64::new(1 << YEAR | 1 << MONTH | 1 << DAY).unwrap());

    /// A time of the years that RFC 3339 can write. Cuts nanoseconds below a microsecond, and then
    /// bits below the lowest one. Always towards the past, also before 1970, because the fraction
    /// of a civil time counts forward from its second: Go prints such times the same way.
    fn new(time: DateTime, lowest: u32) -> Self {
        let part = |number: i8, at: u32| u64::from(number.cast_unsigned()) << at;
        let date = u64::from(time.year().cast_unsigned()) << YEAR
            | part(time.month(), MONTH)
            | part(time.day(), DAY);
        let clock =
            part(time.hour(), HOUR) | part(time.minute(), MINUTE) | part(time.second(), SECOND);
        let bits = date | clock | u64::from((time.subsec_nanosecond() / 1000).cast_unsigned());
        // Months and days begin at 1.
        NonZeroU64::new(bits >> lowest << lowest).map_or(Self::ZERO, Self)
    }

    /// The part from one bit up to another.
    #[expect(clippy::cast_possible_truncation, reason = "no part has more than 20 bits")]
    fn part(self, from: u32, to: u32) -> i32 {
        (self.0.get() >> from) as i32 & ((1 << (to - from)) - 1)
    }

    fn year(self) -> i32 {
        self.part(YEAR, 60)
    }

    fn micros(self) -> i32 {
        self.part(0, SECOND)
    }

    /// Month, day, hour, minute and second.
    #[expect(clippy::cast_possible_truncation, reason = "at most 6 bits")]
    fn small_parts(self) -> [i8; 5] {
        [(MONTH, YEAR), (DAY, MONTH), (HOUR, DAY), (MINUTE, HOUR), (SECOND, MINUTE)]
            .map(|(from, to)| self.part(from, to) as i8)
    }

    fn timestamp(self) -> Timestamp {
        let [month, day, hour, minute, second] = self.small_parts();
        #[expect(clippy::cast_possible_truncation, reason = "14 bits")]
        let time = DateTime::new(
            self.year() as i16,
            month,
            day,
            hour,
            minute,
            second,
            self.micros() * 1000,
        );
        // Years start at 0, so only the end can be out of range.
        time.and_then(|time| Offset::UTC.to_timestamp(time)).unwrap_or(Timestamp::MAX)
    }
}

fn from_timestamp(timestamp: Timestamp, lowest: u32) -> Packed {
    let time = Offset::UTC.to_datetime(timestamp);
    let is_known = YEARS.contains(&time.year());
    Packed::new(if is_known { time } else { DateTime::constant(0, 1, 1, 0, 0, 0, 0) }, lowest)
}

/// A type that writes its time with a fraction of this many digits, and keeps the bits from the
/// lowest one on.
macro_rules! time {
    ($(#[$doc:meta])* $name:ident, $digits:literal digits, from $lowest:expr) => {
        $(#[$doc])*
        // Not a `Timestamp`: jiff's end 26 hours before the year 9999 does, and "never" is often
        // written as 9999-12-31T23:59:59Z.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Packed);

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
                self.0.timestamp()
            }

            /// Whether this is Go's zero time, which means "never" or "not yet" and is written as
            /// `null`.
            #[must_use]
            #[inline]
            pub fn is_zero(self) -> bool {
                self.0 == Packed::ZERO
            }
        }

        /// Go's zero time, 0001-01-01T00:00:00Z.
        impl Default for $name {
            #[inline]
            fn default() -> Self {
                $name(Packed::ZERO)
            }
        }

        /// Truncates digits that are too precise, towards the past. Times before the year 0 become
        /// its start.
        impl From<Timestamp> for $name {
            #[inline]
            fn from(timestamp: Timestamp) -> Self {
                $name(from_timestamp(timestamp, $lowest))
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
                parse(text).map(|time| $name(Packed::new(time, $lowest))).ok_or(Expected(EXPECTED))
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

            // Servers do not normalize times of custom resources. Where they have digits after the
            // point, servers want all of them.
            fn keeps_text(&self, text: &str) -> bool {
                $digits == 0 && text.len() != CANONICAL.len()
            }

            fn scalar_type(&self) -> ScalarType {
                ScalarType::Format("date-time")
            }
        }

        impl Formatted for $name {
            fn is_text(&self, text: &str) -> bool {
                text.parse() == Ok(*self)
            }

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
                // A server writes its zero time as `null` wherever the member cannot be left out,
                // and takes `null` for it; the text 0001-01-01T00:00:00Z would come back as `null`.
                if self.is_zero() { View::Raw("null") } else { View::Display(self) }
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
    /// On the wire it is a JSON string in the form of RFC 3339, always in UTC:
    /// `"2024-05-01T12:00:00Z"`. It is read with any offset and any fraction, and the fraction is
    /// cut off, as a server does. Any other text is an error. Servers keep such texts in custom
    /// resources, and so does a decoded object until it gets another time.
    ///
    /// The default is Go's zero time, 0001-01-01T00:00:00Z. It means "not set" and is `null` on the
    /// wire.
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
    Time, 0 digits, from SECOND
}

time! {
    /// A point in time, in whole microseconds.
    ///
    /// Stands for the schema `io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime`.
    ///
    /// On the wire it is a JSON string in the form of RFC 3339, always in UTC and with six digits
    /// after the point, since a server takes no fewer: `"2024-05-01T12:00:00.000000Z"`. It is read
    /// with any offset and any fraction, and digits beyond microseconds are cut off. Any other
    /// string is an error.
    ///
    /// The default is Go's zero time, 0001-01-01T00:00:00Z. It means "not set" and is `null` on the
    /// wire.
    ///
    /// It holds the years 0 to 9999, all that RFC 3339 can write.
    MicroTime, 6 digits, from 0
}

/// A time without a fraction, as servers write it.
const CANONICAL: &str = "0001-01-01T00:00:00Z";

/// The seconds of a day.
const SECONDS: i32 = 24 * 60 * 60;

/// Parses RFC 3339 as Go does. The fraction of a second is cut to nanoseconds.
///
/// jiff parses more forms than that, so it gets only the numbers, and computes the time.
fn parse(text: &str) -> Option<DateTime> {
    let (date, rest) = text.split_at_checked(19)?;
    let &[y0, y1, y2, y3, b'-', mo0, mo1, b'-', d0, d1, b'T', h0, h1, b':', mi0, mi1, b':', s0, s1] =
        date.as_bytes()
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
    let clock = (i32::from(time.hour()) * 60 + i32::from(time.minute())) * 60
        + i32::from(time.second())
        - seconds;
    let date = match clock {
        ..0 => time.date().yesterday().ok()?,
        0..SECONDS => time.date(),
        _ => time.date().tomorrow().ok()?,
    };
    let clock = clock.rem_euclid(SECONDS);
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
fn print(time: Packed, digits: usize, buffer: &mut [u8; 32]) -> &[u8] {
    buffer[..27].copy_from_slice(b"0000-00-00T00:00:00.000000Z");
    let mut add = |at: usize, number: i32| {
        let number = u8::try_from(number).unwrap_or_default();
        buffer[at] += number / 10;
        buffer[at + 1] += number % 10;
    };
    let year = time.year();
    let micros = time.micros();
    add(0, year / 100);
    add(2, year % 100);
    for (number, at) in time.small_parts().into_iter().zip([5, 8, 11, 14, 17]) {
        add(at, number.into());
    }
    if digits == 0 {
        buffer[19] = b'Z';
        return &buffer[..20];
    }
    add(20, micros / 10_000);
    add(22, micros / 100 % 100);
    add(24, micros % 100);
    &buffer[..27]
}

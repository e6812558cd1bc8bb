// not vendored
//! The encoding of protobuf: the fields of a message, each a number and a value.

use std::fmt;

/// Why bytes are no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Error {
    UnexpectedEnd,
    Overflow,
    NegativeLength,
    /// A field number that no field has, and the wire type with it.
    Tag(i64, u8),
    /// A wire type that there is not.
    UnknownType(u8),
    /// A wire type that the field of this name does not have.
    WireType(u8, &'static str),
    EndOfNoGroup,
    TooDeep,
    /// A value that JSON does not have.
    Value(String),
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WireValue<'a> {
    Varint(u64),
    Fixed64(u64),
    /// A string, bytes, a message, or packed numbers.
    Bytes(&'a [u8]),
    Fixed32(u32),
    /// Obsolete, and not in any message: it is skipped.
    Group,
}

/// The fields of a message, in the order of its bytes. It ends after an error.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> WireValue<'a> {
    pub(super) fn wire_type(&self) -> u8 {
        match self {
            Self::Varint(_) => 0,
            Self::Fixed64(_) => 1,
            Self::Bytes(_) => 2,
            Self::Group => 3,
            Self::Fixed32(_) => 5,
        }
    }

    /// The bytes of a field of this name, which must have some.
    pub(super) fn bytes_of(&self, name: &'static str) -> Result<&'a [u8], Error> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            other => Err(Error::WireType(other.wire_type(), name)),
        }
    }
}

impl<'a> Fields<'a> {
    pub(super) fn new(message: &'a [u8]) -> Self {
        Self { rest: message }
    }

    fn field(&mut self) -> Result<(u32, WireValue<'a>), Error> {
        let (number, wire_type) = self.tag()?;
        if wire_type == 4 {
            return Err(Error::EndOfNoGroup);
        }
        let part = self.value(wire_type)?;
        if part == WireValue::Group {
            self.skip_group()?;
        }
        Ok((number, part))
    }

    /// Skips the rest of a group, and the groups in it.
    fn skip_group(&mut self) -> Result<(), Error> {
        let mut open = 1_usize;
        while open > 0 {
            match self.tag()?.1 {
                4 => open -= 1,
                wire_type => open += usize::from(self.value(wire_type)? == WireValue::Group),
            }
        }
        Ok(())
    }

    fn tag(&mut self) -> Result<(u32, u8), Error> {
        let tag = varint(&mut self.rest)?;
        let wire_type = (tag & 7) as u8;
        match i32::try_from(tag >> 3) {
            Ok(number @ 1..) => Ok((number.cast_unsigned(), wire_type)),
            _ => Err(Error::Tag((tag >> 3).cast_signed(), wire_type)),
        }
    }

    fn value(&mut self, wire_type: u8) -> Result<WireValue<'a>, Error> {
        Ok(match wire_type {
            0 => WireValue::Varint(varint(&mut self.rest)?),
            1 => WireValue::Fixed64(u64::from_le_bytes(self.array()?)),
            2 => {
                let length = varint(&mut self.rest)?;
                let length = i64::try_from(length).map_err(|_| Error::NegativeLength)?;
                let length = usize::try_from(length).map_err(|_| Error::NegativeLength)?;
                let (bytes, rest) =
                    self.rest.split_at_checked(length).ok_or(Error::UnexpectedEnd)?;
                self.rest = rest;
                WireValue::Bytes(bytes)
            }
            3 => WireValue::Group,
            5 => WireValue::Fixed32(u32::from_le_bytes(self.array()?)),
            other => return Err(Error::UnknownType(other)),
        })
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (array, rest) = self.rest.split_first_chunk().ok_or(Error::UnexpectedEnd)?;
        self.rest = rest;
        Ok(*array)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u32, WireValue<'a>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.rest = &[];
        }
        Some(field)
    }
}

/// Takes a number of at most ten bytes, with seven bits in each.
pub(super) fn varint(rest: &mut &[u8]) -> Result<u64, Error> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, behind) = rest.split_first().ok_or(Error::UnexpectedEnd)?;
        *rest = behind;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(Error::Overflow)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnexpectedEnd => f.write_str("unexpected EOF"),
            Self::Overflow => f.write_str("proto: integer overflow"),
            Self::NegativeLength => f.write_str("proto: negative length found during unmarshaling"),
            Self::Tag(number, wire_type) => {
                write!(f, "proto: illegal tag {number} (wire type {wire_type})")
            }
            Self::UnknownType(wire_type) => write!(f, "proto: illegal wireType {wire_type}"),
            Self::WireType(wire_type, field) => {
                write!(f, "proto: wrong wireType = {wire_type} for field {field}")
            }
            Self::EndOfNoGroup => f.write_str("proto: wiretype end group for non-group"),
            Self::TooDeep => f.write_str("the object is nested too deeply"),
            Self::Value(why) => f.write_str(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, Fields, WireValue};

    fn fields(message: &[u8]) -> Result<Vec<(u32, WireValue<'_>)>, Error> {
        Fields::new(message).collect()
    }

    #[test]
    fn fields_are_read_in_their_order() {
        let message = b"\x08\x96\x01\x12\x01a\x1d\x01\0\0\0\x21\x02\0\0\0\0\0\0\0";
        let expected = [
            (1, WireValue::Varint(150)),
            (2, WireValue::Bytes(b"a")),
            (3, WireValue::Fixed32(1)),
            (4, WireValue::Fixed64(2)),
        ];
        assert_eq!(fields(message).unwrap(), expected);
        assert_eq!(
            fields(b"\x0b\x0b\x08\x01\x0c\x0c\x10\x02").unwrap()[1],
            (2, WireValue::Varint(2))
        );
    }

    #[test]
    fn malformed_fields_are_errors() {
        for (message, error) in [
            (&b"\x08"[..], Error::UnexpectedEnd),
            (b"\x0a\x02a", Error::UnexpectedEnd),
            (b"\x09\x01", Error::UnexpectedEnd),
            (b"\x0b", Error::UnexpectedEnd),
            (b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", Error::Overflow),
            (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", Error::NegativeLength),
            (b"\x00\x01", Error::Tag(0, 0)),
            (b"\x0c", Error::EndOfNoGroup),
            (b"\x0e", Error::UnknownType(6)),
        ] {
            assert_eq!(fields(message), Err(error), "{message:?}");
        }
    }
}

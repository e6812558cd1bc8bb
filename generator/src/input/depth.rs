//! The depth of a YAML document, determined before it is read.
//!
//! The reader needs time that grows with the square of the depth of `[[[…`, and looks at the depth only afterwards.
//! This parser goes event by event, so that it stops where a document is too deep. Nothing else is taken from it.

use saphyr_parser::{Event, Parser, ScanError};

/// The greatest depth of a document. The reader has the same limit, and that of JSON too.
pub(super) const DEEPEST: usize = 128;

/// The number of steps that the reader may need. It takes less than a second for them.
const MOST_STEPS: usize = 1 << 29;

/// The result of determining the depth of a document.
pub(super) enum Depth {
    /// It can be read.
    Fits,
    /// It is nested too deep at this line and column.
    Exceeded(usize, usize),
    /// It is no YAML to this parser, and it could be deep behind the error. The reader allows more, such as
    /// lists whose lines are not indented.
    Unknown(ScanError),
}

pub(super) fn depth(text: &str) -> Depth {
    let mut depth = 0_usize;
    for event in Parser::new_from_str(text) {
        match event {
            Ok((Event::SequenceStart(..) | Event::MappingStart(..), span)) => {
                depth += 1;
                if depth > DEEPEST {
                    return Depth::Exceeded(span.start.line(), span.start.col() + 1);
                }
            }
            Ok((Event::SequenceEnd | Event::MappingEnd, _)) => depth = depth.saturating_sub(1),
            Ok(_) => {}
            Err(_) if openers(text).saturating_mul(text.len()) <= MOST_STEPS => return Depth::Fits,
            Err(error) => return Depth::Unknown(error),
        }
    }
    Depth::Fits
}

/// The number of opening brackets, an upper bound of the depth: some may be in strings or comments.
fn openers(text: &str) -> usize {
    text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count()
}

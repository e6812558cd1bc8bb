//! The response to a request, as far as it arrived.

use super::{End, Failure, FailureKind, Input, Sending};
use crate::codec::json::{DecodeError, Item, Stream};
use crate::codec::path::{KEY, shortened};
use crate::codec::{MemberVisitor, Object, Slot, Table, Value, View, identity};
use crate::meta_v1::ListMeta;
use crate::request::{RequestLine, Template};
use crate::response::{ApiError, Head};
use crate::watch::Lines;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use std::fmt;
use std::time::Duration;

/// The largest event, item or object. API servers refuse far smaller ones, so that only garbage is
/// larger.
const LARGEST: usize = 64 << 20;
/// The number of characters that are kept of the cause of a broken connection.
const LONGEST_CAUSE: usize = 500;
/// The number of bytes that are kept of a refusal.
const LARGEST_REFUSAL: usize = 1 << 20;

/// The form of the response body, if the status code is a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// An object of JSON, taken as a whole.
    Object,
    /// A list of JSON, taken item by item.
    Items,
    /// Objects of JSON, each on a line.
    Events,
    /// Lines of any kind.
    Text,
}

/// A response that arrives.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// The request, for messages.
    request: RequestLine,
    /// The time of the request.
    pub(crate) sent: Duration,
    /// The time of the last part of the response, or of the request.
    pub(crate) heard: Duration,
    format: Format,
    /// The maximum number of bytes of an event, item or object.
    largest: usize,
    head: Option<(StatusCode, HeaderMap)>,
    body: Body,
    /// Whether there was a byte of the body that is not blank.
    has_begun: bool,
    /// The end, if the response is complete or failed. The first one counts.
    end: Option<End>,
}

enum Body {
    Whole(Vec<u8>),
    Lines(Lines),
    Items(Stream),
}

/// Shows nothing of the input.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Body::Whole(bytes) => write!(f, "Whole({} bytes)", bytes.len()),
            Body::Lines(lines) => lines.fmt(f),
            Body::Items(items) => items.fmt(f),
        }
    }
}

impl Exchange {
    pub(crate) fn new(request: RequestLine, format: Format, now: Duration) -> Self {
        let body = Body::Whole(Vec::new());
        let largest = LARGEST;
        Self {
            request,
            sent: now,
            heard: now,
            format,
            largest,
            head: None,
            body,
            has_begun: false,
            end: None,
        }
    }

    /// The request of a template, and the response to it.
    pub(crate) fn send(
        template: &Template,
        format: Format,
        now: Duration,
    ) -> Result<Sending, FailureKind> {
        let request = template.to_http().map_err(FailureKind::Invalid)?;
        Ok((request, Self::new(template.line(), format, now)))
    }

    /// Refuses an event, item or object of more bytes.
    pub(crate) fn at_most(self, largest: usize) -> Self {
        Self { largest, ..self }
    }

    /// The failure of the request for a reason.
    pub(crate) fn failed(&self, kind: FailureKind) -> Failure {
        Failure::new(kind, &self.request)
    }

    pub(crate) fn feed(&mut self, input: Input<'_>, now: Duration) {
        match input {
            Input::SentTo(uri) => self.request = self.request.clone().at(uri),
            Input::Head(status, headers) => self.on_head(status, headers, now),
            Input::Bytes(bytes) => self.on_bytes(bytes, now),
            Input::End => self.on_end(now),
            Input::Disconnected(cause) => self.end_with(FailureKind::Disconnected, cause),
            Input::Unsendable(cause) => self.end_with(FailureKind::Unsendable, cause),
        }
    }

    fn on_head(&mut self, status: StatusCode, headers: &HeaderMap, now: Duration) {
        self.heard = now;
        self.head = Some((status, headers.clone()));
        if !status.is_success() {
            return;
        }
        match self.format {
            Format::Object => {}
            Format::Items => self.body = Body::Items(Stream::incremental()),
            Format::Events | Format::Text => self.body = Body::Lines(Lines::default()),
        }
        if let Some(wrong) = wrong_head(self.format, headers) {
            self.fault(wrong);
        }
    }

    fn on_bytes(&mut self, bytes: &[u8], now: Duration) {
        if self.end.is_some() || self.head.is_none() {
            return;
        }
        self.heard = now;
        self.look_at_start(bytes);
        let pending = match &mut self.body {
            Body::Whole(_) => {
                let limit = if self.is_success() { self.largest } else { LARGEST_REFUSAL };
                return self.add_to_whole(bytes, limit);
            }
            Body::Lines(lines) => {
                lines.push(bytes);
                lines.pending()
            }
            Body::Items(stream) => {
                stream.push(bytes);
                stream.pending()
            }
        };
        // A chunk holds many lines, so it does not count itself.
        if pending > self.largest + bytes.len() {
            self.fault(format!("more than {} bytes without an end of an object", self.largest));
        }
    }

    fn on_end(&mut self, now: Duration) {
        self.heard = now;
        if self.head.is_some() {
            self.end.get_or_insert(Ok(()));
        } else {
            self.end_with(FailureKind::Disconnected, "there was no response");
        }
    }

    /// Ends the response before its end, for a cause.
    fn end_with(&mut self, kind: fn(String) -> FailureKind, cause: &str) {
        self.end.get_or_insert_with(|| Err(kind(shortened(cause, LONGEST_CAUSE).into_owned())));
    }

    pub(crate) fn has_head(&self) -> bool {
        self.head.is_some()
    }

    /// The next complete line.
    pub(crate) fn line(&mut self) -> Option<&[u8]> {
        match (&mut self.body, &self.end) {
            (_, Some(Err(FailureKind::Decode(_)))) => None,
            (Body::Lines(lines), _) => lines.next(),
            _ => None,
        }
    }

    /// The bytes after the last line.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        match &mut self.body {
            Body::Lines(lines) => lines.take_rest(),
            Body::Items(_) | Body::Whole(_) => Vec::new(),
        }
    }

    /// The next complete item. The members before the items go into `list`.
    pub(crate) fn item(&mut self, list: &mut dyn Object) -> Option<Result<Item<'_>, DecodeError>> {
        match (&mut self.body, &self.end) {
            (_, Some(Err(FailureKind::Decode(_)))) => None,
            (Body::Items(stream), _) => stream.next(list),
            _ => None,
        }
    }

    /// Takes the list out, to decode its end.
    pub(crate) fn take_list(&mut self) -> Stream {
        match &mut self.body {
            Body::Items(stream) => std::mem::take(stream),
            Body::Lines(_) | Body::Whole(_) => Stream::default(),
        }
    }

    /// The body, if it was requested as a whole.
    pub(crate) fn whole(&self) -> &[u8] {
        match &self.body {
            Body::Whole(body) => body,
            Body::Lines(_) | Body::Items(_) => &[],
        }
    }

    /// Takes the end, once there is no line and no item to take. `None` if there may be more.
    pub(crate) fn take_end(&mut self) -> Option<End> {
        Some(match self.end.take()? {
            Ok(()) => self.refusal().map_or(Ok(()), |error| Err(FailureKind::Api(error))),
            Err(failure @ FailureKind::Disconnected(_)) => Err(self.refusal_or(failure)),
            end => end,
        })
    }

    /// The refusal, or this failure where the status code is none.
    pub(crate) fn refusal_or(&self, failure: FailureKind) -> FailureKind {
        self.refusal().map_or(failure, FailureKind::Api)
    }

    /// The refusal, as far as it arrived, if the status code is one.
    pub(crate) fn refusal(&self) -> Option<Box<ApiError>> {
        let (status, headers) = self.head.as_ref().filter(|(status, _)| !status.is_success())?;
        Some(Box::new(ApiError::new(&Head { status: *status, headers }, self.whole())))
    }

    fn is_success(&self) -> bool {
        self.head.as_ref().is_some_and(|(status, _)| status.is_success())
    }

    /// Refuses what cannot be JSON at its first byte, such as compressed bytes or a page of HTML:
    /// waiting for the end of a line would take memory.
    fn look_at_start(&mut self, bytes: &[u8]) {
        if self.has_begun || self.format == Format::Text || !self.is_success() {
            return;
        }
        let Some(first) = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) else { return };
        self.has_begun = true;
        if *first != b'{' {
            self.fault(
                "expected an object at the start of the body, found something else".to_owned(),
            );
        }
    }

    fn add_to_whole(&mut self, bytes: &[u8], limit: usize) {
        let is_success = self.is_success();
        if let Body::Whole(body) = &mut self.body {
            let room = limit - body.len().min(limit);
            body.extend_from_slice(&bytes[..bytes.len().min(room)]);
            if is_success && bytes.len() > room {
                self.fault(format!("more than {limit} bytes"));
            }
        }
    }

    fn fault(&mut self, message: String) {
        self.end = Some(Err(FailureKind::Decode(DecodeError::new(message))));
    }
}

/// The reason to reject a body with these headers, such as the login page of a proxy. `None` if it
/// may have this form.
fn wrong_head(format: Format, headers: &HeaderMap) -> Option<String> {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(coding) =
        header(CONTENT_ENCODING).filter(|coding| !coding.eq_ignore_ascii_case("identity"))
    {
        return Some(format!(
            "expected a body that is not compressed, found `{}`",
            shortened(coding, KEY)
        ));
    }
    let content_type = header(CONTENT_TYPE)?;
    let (is_right, wanted) = match format {
        Format::Text => (!content_type.contains("html"), "plain text"),
        Format::Object | Format::Items | Format::Events => (content_type.contains("json"), "JSON"),
    };
    (!is_right).then(|| {
        format!("expected {wanted}, found a body of the type `{}`", shortened(content_type, KEY))
    })
}

/// Memory for the object that is decoded next.
pub(crate) trait Holder {
    /// Makes an empty object, replacing the last one.
    fn begin(&mut self) -> &mut dyn Object;

    /// The object that was made last.
    fn object(&self) -> &dyn Object;
}

/// A list without its items.
#[derive(Debug, Default)]
pub(crate) struct Page {
    api_version: String,
    kind: String,
    pub(crate) metadata: ListMeta,
    /// The items where they are not an array that was taken item by item: `null`, or something
    /// else.
    items: String,
    has_items: bool,
}

impl Page {
    /// States the kind of an item, unless its type knows it.
    pub(crate) fn complete(&self, item: &mut dyn Object) {
        #[cfg(feature = "dynamic")]
        crate::codec::stated::complete(item, &self.api_version, &self.kind);
        #[cfg(not(feature = "dynamic"))]
        let _ = (self, item);
    }

    /// Rejects a list that states another type than this one. It may state its kind later: servers
    /// sort the members of custom resources and of their lists, so that `items` come before `kind`.
    pub(crate) fn check(&self, wanted: &Table) -> Result<(), DecodeError> {
        identity::mismatch(wanted, &self.api_version, &self.kind)
            .map_or(Ok(()), |mismatch| Err(DecodeError::new(mismatch)))
    }

    /// Rejects everything but a complete list of this type. To take something else for an empty
    /// list would delete everything, so this precedes the first deletion.
    pub(crate) fn check_end(&self, wanted: &Table) -> Result<(), DecodeError> {
        self.check(wanted)?;
        if self.kind.is_empty() {
            return Err(DecodeError::new(format!(
                "expected {}, found an object that states no kind",
                wanted.name
            )));
        }
        if !self.has_items || !matches!(self.items.as_str(), "" | "[]") {
            return Err(DecodeError::new("items: expected an array"));
        }
        Ok(())
    }

    /// The error of a page that repeats the token of an earlier one.
    pub(crate) fn repeated_token() -> DecodeError {
        DecodeError::new(
            "metadata.continue: a token that was there before, so that the list would never end",
        )
    }
}

impl Object for Page {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("List", "! apiVersion kind metadata items");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.api_version.visit_as_member(0, visitor);
        self.kind.visit_as_member(1, visitor);
        self.metadata.visit_as_member(2, visitor);
        visitor.visit(3, View::Raw(&self.items));
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.api_version.slot(is_present),
            1 => self.kind.slot(is_present),
            2 => self.metadata.slot(is_present),
            3 => {
                self.has_items = true;
                Slot::Raw(&mut self.items)
            }
            _ => Slot::Absent,
        }
    }
}

//! Requests to API servers, as data.
//!
//! Nothing here does I/O. A [`Request`] turns into an [`http::Request`] for any client, and decodes
//! the response: a whole one by [`Request::decode`], a stream such as a watch by [`Request::open`].

#[cfg(feature = "change")]
mod between;
mod builder;
#[cfg(feature = "streams")]
mod command;
mod line;
mod patch;
#[cfg(feature = "dynamic")]
mod raw;
#[cfg(feature = "dynamic")]
mod stating;
#[cfg(feature = "machines")]
mod template;

pub use crate::invalid::InvalidRequest;
pub use builder::Builder;
pub use line::RequestLine;
pub use patch::{Patch, PatchObject};
#[cfg(feature = "machines")]
pub(crate) use template::Template;

use crate::codec::path::{KEY, shortened};
use crate::codec::query::{Query, is_true};
use crate::kind::ResourceList;
use crate::mask::{FieldMask, MaskOf, ObservedList, ResponseMask};
use crate::operation::{Operation, SharedOperation, Verb};
use crate::response::{
    Decoder, Error, ErrorHead, FromResponse, FromStream, Head, Requested, RequestedStream,
    Response, Text, Upgrade,
};
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// The path of operations that take their path as an argument, which only the feature `dynamic`
/// has.
const RAW_PATH: &str = "{path}";

/// A request with a response that is decoded as `T`.
///
/// The functions in the modules of the resources make it, such as `core_v1::pods::list`.
///
/// ```
/// use kapigen_runtime::params::GetParams;
/// use kapigen_runtime::scope::DynamicScope;
/// use kapigen_runtime::{Error, http, verbs};
///
/// type Sent = http::Response<Vec<u8>>;
///
/// /// Reads an object of any kind, through any client.
/// fn read<T: verbs::Gettable>(name: &str, send: impl Fn(http::Request<Vec<u8>>) -> Sent) -> Result<T, Error> {
///     let request = T::get(DynamicScope::from(Some("default")), name, &GetParams::default())?;
///     let response = send(request.to_http());
///     Ok(request.decode(&response)?.body)
/// }
/// ```
pub struct Request<T> {
    parts: Box<Parts>,
    response: PhantomData<fn() -> T>,
}

/// A request without the type of its response.
#[derive(Clone)]
struct Parts {
    operation: SharedOperation,
    path: String,
    query: Query,
    uri: Uri,
    accept: HeaderValue,
    content_type: Option<HeaderValue>,
    body: Vec<u8>,
    /// The members of the response that are decoded, unless it is all of them.
    mask: Option<Arc<ResponseMask>>,
}

impl<T> Request<T> {
    /// The operation that is requested.
    #[must_use]
    pub fn operation(&self) -> Operation<&str> {
        self.parts.operation.named()
    }

    /// Path and query. Scheme and host are up to the client.
    #[must_use]
    pub fn uri(&self) -> &Uri {
        &self.parts.uri
    }

    /// The request body, which may be empty.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.parts.body
    }

    /// The media type of the request body.
    #[cfg(feature = "machines")]
    pub(crate) fn content_type(&self) -> Option<&HeaderValue> {
        self.parts.content_type.as_ref()
    }

    /// Whether the path is an argument of the operation.
    #[cfg(all(feature = "dynamic", feature = "machines"))]
    pub(crate) fn is_raw(&self) -> bool {
        self.parts.operation.constant().path == RAW_PATH
    }

    /// Whether the response is open-ended: a watch, or a log that is followed.
    #[must_use]
    pub fn is_open_ended(&self) -> bool {
        self.parts.is_stream()
    }

    /// The request for a client. Its URI has path and query only: put scheme, host and the path of
    /// the server in front.
    #[must_use]
    pub fn to_http(&self) -> http::Request<Vec<u8>> {
        self.parts.to_http(self.parts.body.clone())
    }

    /// The request for a client, as [`to_http`](Self::to_http), without a copy of the body.
    ///
    /// [`Response::decode`] and [`Response::open`] decode the response then, or the
    /// [`decoder`](Self::decoder) of this request, which decodes responses of any type.
    #[must_use]
    pub fn into_http(mut self) -> http::Request<Vec<u8>> {
        let body = std::mem::take(&mut self.parts.body);
        self.parts.to_http(body)
    }

    /// The decoder of the response, which outlives the request.
    #[must_use]
    pub fn decoder(&self) -> Decoder<T> {
        Decoder::new(self.parts.mask.clone())
    }

    /// Requests the same, of which only the members of a mask are decoded: an object, the items of
    /// a list, or the objects of a watch. See [`mask`](crate::mask).
    ///
    /// If the mask leaves `metadata.managedFields` out, and this is a GET, `Accept` allows the
    /// server to do so, too. Send the [`fallback`](Self::fallback) where a server refuses that.
    ///
    /// ```
    /// use kapigen_runtime::mask::{FieldMask, Masked};
    /// use kapigen_runtime::meta_v1::{PartialObjectMetadata, PartialObjectMetadataList};
    /// use kapigen_runtime::{Error, Request, http};
    ///
    /// /// The number of labels of each object of a list.
    /// fn count_labels(
    ///     list: Request<PartialObjectMetadataList>,
    ///     send: impl Fn(http::Request<Vec<u8>>) -> http::Response<Vec<u8>>,
    /// ) -> Result<Vec<usize>, Error> {
    ///     let mask = FieldMask::<PartialObjectMetadata>::only(["metadata.labels"])?;
    ///     let request = list.masked(&mask);
    ///     let decoder = request.decoder();
    ///     let list: Masked<PartialObjectMetadataList> = decoder.decode(&send(request.into_http()))?.body;
    ///     Ok(list.get().items.iter().map(|item| item.metadata.labels.iter().flatten().count()).collect())
    /// }
    /// ```
    #[must_use]
    #[inline]
    pub fn masked<K, S>(
        mut self,
        mask: &FieldMask<K>,
    ) -> Request<<FieldMask<K> as MaskOf<T, S>>::Response>
    where
        FieldMask<K>: MaskOf<T, S>,
    {
        let mask = mask.response_mask();
        // A write that is refused would have to be sent twice.
        if mask.drops_managed_fields
            && self.parts.operation.constant().method == "GET"
            && let Some(accept) = with_drop(&self.parts.accept)
        {
            self.parts.accept = accept;
        }
        self.parts.mask = Some(Arc::new(mask));
        self.with_response()
    }

    /// The request to send in place of this one, if there is one: where the response has the status
    /// code 406, since the server does not accept that it may leave members out.
    ///
    /// Clients that send masked requests should remember such servers. Machines do so.
    #[must_use]
    pub fn fallback(&self, status: StatusCode) -> Option<Self> {
        let accept =
            without_drop(&self.parts.accept).filter(|_| status == StatusCode::NOT_ACCEPTABLE)?;
        Some(self.clone().accept(accept))
    }

    /// Requests the same with a response of another type, and sets `Accept` to what that type
    /// needs.
    ///
    /// Servers return the objects of any kind as a [`Table`](crate::meta_v1::Table), which has the
    /// columns that `kubectl get` prints, or without anything but metadata, as
    /// [`PartialObjectMetadata`](crate::meta_v1::PartialObjectMetadata) and
    /// [`PartialObjectMetadataList`](crate::meta_v1::PartialObjectMetadataList). [`Text`] and
    /// [`RawJson`](crate::meta_v1::RawJson) are any response, undecoded,
    /// [`Json`](crate::response::Json) is one of a type of your own.
    #[must_use]
    pub fn decode_as<U: FromResponse>(self) -> Request<U> {
        self.accept(U::accept()).whole().with_response()
    }

    /// Requests the same as a stream of another type, and sets `Accept` to what that type needs: a
    /// list as [`Items`](crate::Items), a watch as a `Watch` of [`Table`](crate::meta_v1::Table) or
    /// [`PartialObjectMetadata`](crate::meta_v1::PartialObjectMetadata).
    #[must_use]
    pub fn stream_as<U: FromStream>(self) -> Request<U> {
        self.accept(U::accept()).whole().with_response()
    }

    /// Requests the same as a connection that switches to a protocol: of a subresource without a
    /// function, by a `raw` request.
    #[must_use]
    pub fn upgrade_as<S>(self) -> Request<Upgrade<S>> {
        self.whole().with_response()
    }

    /// Sets the header `Accept`, which is `application/json` unless the type of the response needs
    /// something else.
    #[must_use]
    pub fn accept(mut self, media_types: HeaderValue) -> Self {
        self.parts.accept = media_types;
        self
    }

    /// Without a mask.
    fn whole(mut self) -> Self {
        self.parts.mask = None;
        self
    }

    fn with_response<U>(self) -> Request<U> {
        Request { parts: self.parts, response: PhantomData }
    }
}

impl<T: Requested> Request<T> {
    /// Decodes the response.
    ///
    /// # Errors
    /// [`Error::Api`] when the server refused, [`Error::Decode`] when the body is no `T`.
    pub fn decode<B: AsRef<[u8]>>(
        &self,
        response: &http::Response<B>,
    ) -> Result<Response<T>, Error> {
        self.decoder().decode(response)
    }

    /// Decodes a response that is not in one piece.
    ///
    /// # Errors
    /// As [`Request::decode`].
    pub fn decode_parts(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Response<T>, Error> {
        self.decoder().decode_parts(status, headers, body)
    }
}

impl<S> Request<Upgrade<S>> {
    /// Decodes the head of the response to a request that switches the connection.
    ///
    /// # Errors
    /// [`Error::Api`] when the server did not switch. It has the body.
    pub fn decode_upgrade(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Response<Upgrade<S>>, Error> {
        let head = Head { status, headers };
        Response::of_upgrade(&head, body, Upgrade::of_head(&head))
    }
}

impl<T: RequestedStream> Request<T> {
    /// Begins to decode a stream, when status and headers have arrived. Push the bytes of the body
    /// to the `body` of the response as they arrive.
    ///
    /// # Errors
    /// An [`ErrorHead`] in place of the stream, when the status code is not a success.
    pub fn open(&self, status: StatusCode, headers: &HeaderMap) -> Result<Response<T>, ErrorHead> {
        self.decoder().open(status, headers)
    }
}

impl<L: ObservedList> Request<L> {
    /// The request for the next page of a list, or `None` if this was the last one.
    ///
    /// A page has at most `limit` items; all pages together are one consistent list. After some
    /// minutes a server drops the list and responds with 410, see [`Request::resume`].
    ///
    /// # Errors
    /// When path and query are too long for a URL, with the token of the server.
    pub fn next_page(&self, page: &L) -> Result<Option<Self>, Error> {
        self.page(page.object().metadata().continue_.as_deref())
    }

    /// The request that continues after the response to one for a next page was 410: with the items
    /// after the last page, but as they are by now. `None` if the server does not offer that, or
    /// the error is another one; then, or to have a consistent list, start again without
    /// `continue`.
    ///
    /// # Errors
    /// As [`Request::next_page`].
    pub fn resume(&self, error: &Error) -> Result<Option<Self>, Error> {
        let expired = error.api().filter(|error| error.code == StatusCode::GONE);
        let status = expired.and_then(|error| error.status.as_deref());
        self.page(status.and_then(|status| status.metadata.continue_.as_deref()))
    }

    fn page(&self, token: Option<&str>) -> Result<Option<Self>, Error> {
        let Some(token) = token.filter(|token| !token.is_empty()) else { return Ok(None) };
        let mut parts = self.parts.clone();
        // The token has the version that is listed; servers refuse it beside the token.
        parts.query.take("resourceVersion");
        parts.query.take("resourceVersionMatch");
        parts.query.add("continue", &token.to_owned());
        parts.uri = uri(&parts.path, &parts.query)?;
        Ok(Some(Self { parts, response: PhantomData }))
    }
}

impl Parts {
    fn to_http(&self, body: Vec<u8>) -> http::Request<Vec<u8>> {
        let mut request = http::Request::new(body);
        *request.method_mut() =
            Method::from_bytes(self.operation.constant().method.as_bytes()).unwrap_or_default();
        *request.uri_mut() = self.uri.clone();
        request.headers_mut().insert(ACCEPT, self.accept.clone());
        if let Some(content_type) = &self.content_type {
            request.headers_mut().insert(CONTENT_TYPE, content_type.clone());
        }
        if self.is_stream() {
            // A compressing server or proxy withholds the bytes of a stream until a block is full.
            request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        }
        request
    }

    /// Whether the response is an open-ended stream: a watch, or a log that is followed.
    fn is_stream(&self) -> bool {
        let is_set = |name| self.query.get(name).is_some_and(is_true);
        let Operation { verb, path, .. } = self.operation.constant();
        // Beside a name, servers ignore it. The path of a raw request may have none.
        let ignores_watch = *verb == Verb::Get && *path != RAW_PATH;
        *verb == Verb::Watch || is_set("follow") || !ignores_watch && is_set("watch")
    }
}

/// Whether the response to a request is open-ended: a watch, or a log that is followed. Only for
/// these, a request of this crate refuses compression.
///
/// ```
/// use kapigen_runtime::http;
/// use kapigen_runtime::request::is_open_ended;
///
/// assert!(!is_open_ended(&http::Request::new(Vec::new())));
/// ```
#[must_use]
pub fn is_open_ended(request: &http::Request<Vec<u8>>) -> bool {
    request.headers().contains_key(ACCEPT_ENCODING)
}

/// The parameter of a media type by which servers may leave out the owners of fields.
const DROP: &str = ";drop=metadata.managedFields";

/// The media type with the parameter. `None` for several, and for others than JSON.
#[inline]
pub(crate) fn with_drop(accept: &HeaderValue) -> Option<HeaderValue> {
    let accept = accept
        .to_str()
        .ok()
        .filter(|accept| accept.starts_with("application/json") && !accept.contains(','))?;
    if accept.contains(DROP) { None } else { HeaderValue::try_from(format!("{accept}{DROP}")).ok() }
}

/// The media type without the parameter. `None` if it has none.
pub(crate) fn without_drop(accept: &HeaderValue) -> Option<HeaderValue> {
    HeaderValue::from_str(accept.to_str().ok()?.strip_suffix(DROP)?).ok()
}

fn uri(path: &str, query: &Query) -> Result<Uri, InvalidRequest> {
    let mut text = path.to_owned();
    query.write(&mut text);
    // Everything that a URI may not hold is encoded, so only the length can be an error.
    Uri::try_from(&text).map_err(|_| InvalidRequest::TooLong { length: text.len() })
}

impl<T> From<Request<T>> for http::Request<Vec<u8>> {
    fn from(request: Request<T>) -> Self {
        request.into_http()
    }
}

impl<T> Clone for Request<T> {
    fn clone(&self) -> Self {
        Self { parts: self.parts.clone(), response: PhantomData }
    }
}

impl<T> fmt::Debug for Request<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.fmt(f)
    }
}

#[expect(
    clippy::missing_fields_in_debug,
    reason = "only the length of the body, which may be a secret"
)]
impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.operation.constant().method)
            .field("uri", &self.uri)
            .field("content_type", &self.content_type)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}

impl Request<Text> {
    /// Sets the request body of a POST, PUT or PATCH to a proxy, which passes it on: bytes of a
    /// media type such as `application/octet-stream`.
    ///
    /// # Errors
    /// When the operation is another one, or the media type cannot be a header.
    pub fn payload(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Result<Self, Error> {
        self.parts.content_type = Some(content_type(self.parts.operation.constant(), media_type)?);
        self.parts.body = body.into();
        Ok(self)
    }
}

#[inline]
fn content_type(operation: &Operation, media_type: &str) -> Result<HeaderValue, InvalidRequest> {
    let is_proxy = operation.verb == Verb::Connect && operation.subresource == Some("proxy");
    if !is_proxy || !["POST", "PUT", "PATCH"].contains(&operation.method) {
        return Err(InvalidRequest::Parameters(format!(
            "`{}` takes no payload, only POST, PUT and PATCH of proxies",
            operation.id
        )));
    }
    content_type_of(media_type)
}

#[inline]
fn content_type_of(media_type: &str) -> Result<HeaderValue, InvalidRequest> {
    let value = HeaderValue::from_str(media_type).ok().filter(|value| !value.is_empty());
    value.ok_or_else(|| {
        InvalidRequest::Parameters(format!(
            "`{}` is not a media type",
            shortened(media_type, KEY).escape_debug()
        ))
    })
}

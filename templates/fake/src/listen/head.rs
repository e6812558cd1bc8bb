//! The head of a request in HTTP/1.1.

use http::header::{CONNECTION, CONTENT_LENGTH, EXPECT, HeaderName, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri};

/// The head of a request, and what it says of the connection.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) request: Request<Vec<u8>>,
    pub(super) framing: Framing,
    /// Whether the client waits to be told that its body is wanted.
    pub(super) expects_continue: bool,
    /// Whether the client wants no other request on this connection.
    pub(super) is_last: bool,
}

/// The end of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    Length(u64),
    Chunked,
}

/// The refusal of a request that cannot be read. The connection ends with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) code: StatusCode,
    pub(super) why: &'static str,
}

impl Refusal {
    pub(super) fn bad(why: &'static str) -> Self {
        Self { code: StatusCode::BAD_REQUEST, why }
    }
}

impl Head {
    /// Parses the lines of a head.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut lines = bytes.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let first = lines.next().and_then(|line| std::str::from_utf8(line).ok());
        let mut words = first.unwrap_or_default().split(' ');
        let (Some(method), Some(uri), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(Refusal::bad("malformed request line"));
        };
        let is_old = match version {
            "HTTP/1.1" => false,
            "HTTP/1.0" => true,
            _ if version.starts_with("HTTP/") => {
                return Err(Refusal { code: StatusCode::HTTP_VERSION_NOT_SUPPORTED, why: "unsupported version" });
            }
            _ => return Err(Refusal::bad("malformed version")),
        };
        let mut request = Request::new(Vec::new());
        *request.method_mut() = Method::from_bytes(method.as_bytes()).map_err(|_| Refusal::bad("invalid method"))?;
        *request.uri_mut() = uri.parse::<Uri>().map_err(|_| Refusal::bad("invalid path"))?;
        *request.headers_mut() = headers(lines)?;
        let headers = request.headers();
        let framing = framing(headers)?;
        let expects_continue = expectation(headers)?;
        let is_last = is_old || has_token(headers, &CONNECTION, "close");
        Ok(Self { request, framing, expects_continue, is_last })
    }
}

/// The headers up to an empty line.
fn headers<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Result<HeaderMap, Refusal> {
    let mut headers = HeaderMap::new();
    for line in lines.take_while(|line| !line.is_empty()) {
        let colon = line.iter().position(|byte| *byte == b':').ok_or(Refusal::bad("malformed header"))?;
        let name = HeaderName::from_bytes(&line[..colon]).map_err(|_| Refusal::bad("invalid header name"))?;
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii());
        let value = value.map_err(|_| Refusal::bad("invalid header value"))?;
        headers.try_append(name, value).map_err(|_| Refusal::bad("too many headers"))?;
    }
    Ok(headers)
}

/// The end of the body. A request of two lengths could be read as two requests.
fn framing(headers: &HeaderMap) -> Result<Framing, Refusal> {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    if let Some(coding) = codings.next() {
        if codings.next().is_some() || !coding.as_bytes().eq_ignore_ascii_case(b"chunked") {
            return Err(Refusal { code: StatusCode::NOT_IMPLEMENTED, why: "unsupported transfer encoding" });
        }
        return Ok(Framing::Chunked);
    }
    let mut lengths = headers.get_all(CONTENT_LENGTH).iter();
    let Some(length) = lengths.next() else { return Ok(Framing::Length(0)) };
    if lengths.any(|other| other != length) {
        return Err(Refusal::bad("two lengths of the body"));
    }
    let digits = length.to_str().ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let length = digits.and_then(|digits| digits.parse().ok()).ok_or(Refusal::bad("invalid length of the body"))?;
    Ok(Framing::Length(length))
}

/// Whether the client waits for `100 Continue`.
fn expectation(headers: &HeaderMap) -> Result<bool, Refusal> {
    match headers.get(EXPECT) {
        None => Ok(false),
        Some(expected) if expected.as_bytes().eq_ignore_ascii_case(b"100-continue") => Ok(true),
        Some(_) => Err(Refusal { code: StatusCode::EXPECTATION_FAILED, why: "unknown expectation" }),
    }
}

/// Whether a header, which is a list, has a token.
fn has_token(headers: &HeaderMap, name: &HeaderName, token: &str) -> bool {
    let lists = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|found| found.trim().eq_ignore_ascii_case(token))
}

#[cfg(test)]
mod tests {
    use super::{Framing, Head};

    /// The status code of the refusal of a request with these lines, or 200.
    fn code(text: &str) -> u16 {
        Head::parse(text.as_bytes()).map_or_else(|refusal| refusal.code.as_u16(), |_| 200)
    }

    #[test]
    fn malformed_heads_are_refused() {
        for (head, expected) in [
            ("GET / HTTP/1.1\r\na: b\r\n\r\n", 200),
            ("GET / HTTP/1.1\na: b\n\n", 200),
            ("GET / HTTP/1.1\r\nexpect: 100-Continue\r\n\r\n", 200),
            ("\r\n", 400),
            ("GET /\r\n\r\n", 400),
            ("GET / HTTP/1.1 x\r\n\r\n", 400),
            ("GET / http\r\n\r\n", 400),
            ("PRI * HTTP/2.0\r\n\r\n", 505),
            ("G,T / HTTP/1.1\r\n\r\n", 400),
            ("GET  HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\na\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\na : b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\na: \u{1}\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\ncontent-length: +2\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\ncontent-length: \r\n\r\n", 400),
            ("GET / HTTP/1.1\r\ncontent-length: 99999999999999999999\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n", 200),
            ("GET / HTTP/1.1\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\ntransfer-encoding: gzip, chunked\r\n\r\n", 501),
            ("GET / HTTP/1.1\r\nexpect: tea\r\n\r\n", 417),
        ] {
            assert_eq!(code(head), expected, "{head:?}");
        }
    }

    #[test]
    fn headers_decide_about_the_body_and_the_connection() {
        let head = |text: &str| {
            let head = Head::parse(text.as_bytes()).expect("a head");
            (head.framing, head.is_last)
        };
        assert_eq!(head("GET / HTTP/1.1\r\n\r\n"), (Framing::Length(0), false));
        assert_eq!(head("GET / HTTP/1.0\r\ncontent-length: 3\r\n\r\n"), (Framing::Length(3), true));
        assert_eq!(head("GET / HTTP/1.1\r\nconnection: keep-alive, Close\r\n\r\n"), (Framing::Length(0), true));
        let both = "GET / HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding: Chunked\r\n\r\n";
        assert_eq!(head(both), (Framing::Chunked, false));
    }

    #[test]
    fn header_values_may_be_more_than_ascii() {
        let head = Head::parse(b"GET / HTTP/1.1\r\na: \xff\r\n\r\n").expect("a head");
        assert_eq!(head.request.headers()["a"].as_bytes(), b"\xff");
    }
}

//! An exchange as it is recorded.

use super::All;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use kapigen_tests::places;
use openshift_api::params::ListParams;
use openshift_api::response::{Error, FromResponse, Response};
use openshift_api::scope::DynamicScope;
use openshift_api::{Request, from_slice};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use test_support::order::Order;

/// A request and its response.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    pub(super) name: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) accept: String,
    content_type: Option<String>,
    sent: Option<String>,
    pub(super) status: u16,
    headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
}

/// All of them.
pub(super) fn all() -> Vec<Exchange> {
    let text = places::text(&places::data("wire/exchanges.jsonl"));
    text.lines().map(|line| read(&serde_json::from_str(line).expect("an exchange"))).collect()
}

fn read(line: &Value) -> Exchange {
    let text = |name: &str| line[name].as_str().map(str::to_owned);
    let headers = line["headers"].as_object().expect("headers").iter();
    Exchange {
        name: text("name").expect("a name"),
        method: text("method").expect("a method"),
        path: text("path").expect("a path"),
        accept: text("accept").unwrap_or_default(),
        content_type: text("content_type"),
        sent: text("sent"),
        status: line["status"].as_u64().and_then(|code| u16::try_from(code).ok()).expect("a code"),
        headers: headers
            .map(|(name, value)| (name.clone(), value.as_str().expect("text").to_owned()))
            .collect(),
        body: text("body").expect("a body").into_bytes(),
    }
}

impl Exchange {
    pub(super) fn in_order(&self, order: Order) -> Self {
        Self { body: order.of_body(&self.body), ..self.clone() }
    }

    /// The request as it was sent.
    pub(super) fn request(&self) -> http::Request<Vec<u8>> {
        let mut request = http::Request::builder()
            .method(&*self.method)
            .uri(&self.path)
            .header("accept", &self.accept);
        if let Some(content_type) = &self.content_type {
            request = request.header("content-type", content_type);
        }
        request.body(self.sent.clone().unwrap_or_default().into_bytes()).expect("a request")
    }

    pub(super) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).expect("a code")
    }

    pub(super) fn headers(&self) -> HeaderMap {
        let pair = |(name, value): (&String, &String)| {
            (
                HeaderName::try_from(name).expect("a name"),
                HeaderValue::try_from(value).expect("a value"),
            )
        };
        self.headers.iter().map(pair).collect()
    }

    pub(super) fn has_header(&self, name: &str) -> bool {
        self.headers.contains_key(name)
    }

    /// The form that the request asks for: `as` in its header, `yaml`, or nothing.
    pub(super) fn form(&self) -> &str {
        if self.accept == "application/yaml" {
            return "yaml";
        }
        self.accept.split(';').find_map(|part| part.strip_prefix("as=")).unwrap_or_default()
    }

    pub(super) fn decode<T: FromResponse>(
        &self,
        request: &Request<T>,
    ) -> Result<Response<T>, Error> {
        request.decode_parts(self.status(), &self.headers(), &self.body)
    }

    /// The typed request is the one that was sent.
    pub(super) fn check_request<T>(&self, request: &Request<T>) {
        let parts = |uri: &str| -> (String, BTreeSet<String>) {
            let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
            (path.to_owned(), query.split('&').map(|pair| pair.replace("%3D", "=")).collect())
        };
        assert_eq!(parts(&request.uri().to_string()), parts(&self.path), "{}", self.name);
        let sent: Value = self
            .sent
            .as_deref()
            .map_or(Value::Null, |sent| serde_json::from_str(sent).expect("JSON"));
        let body =
            if request.body().is_empty() { Value::Null } else { from_slice_value(request.body()) };
        assert_eq!(body, sent, "{}", self.name);
    }

    /// An object has all that its response has.
    pub(super) fn check_round_trip<T: Serialize>(&self, object: &T) -> usize {
        let mut sent: Value = from_slice_value(&self.body);
        drop_null(&mut sent);
        let mut encoded = serde_json::to_value(object).expect("it can be encoded");
        drop_null(&mut encoded);
        assert_eq!(encoded, sent, "{}", self.name);
        1
    }
}

fn from_slice_value(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

/// Members that are null are as absent.
fn drop_null(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(drop_null),
        Value::Object(members) => {
            members.retain(|_, value| !value.is_null());
            members.values_mut().for_each(drop_null);
        }
        _ => {}
    }
}

/// The list of a kind, as an informer asks for it.
pub(super) fn list_of<T: All>() -> Request<T::List> {
    T::list(DynamicScope::from(Some("wire")), &ListParams::default()).expect("a list")
}

/// The list that a body is.
pub(super) fn decoded<L: openshift_api::ResourceList>(body: &[u8]) -> L {
    from_slice(body).expect("a list")
}

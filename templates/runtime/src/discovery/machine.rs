//! The requests of discovery.

use super::{APIGroupDiscoveryList, Mapper};
use crate::codec::Value;
use crate::codec::json::{self, DecodeError};
use crate::controller::machine::{
    self, Decide, Driver, End, Exchange, Failure, FailureKind, Format, Input, Machine, Open,
    Sending, Step,
};
use crate::controller::retry::{Attempts, Policy};
use crate::kind::Kind;
use crate::meta_v1::{APIGroupList, APIResourceList, APIVersions, RawJson};
use crate::request::RequestLine;
use http::header::ACCEPT;
use http::{HeaderValue, Request, StatusCode};
use std::collections::{BTreeMap, VecDeque};
use std::mem;
use std::time::Duration;

/// All groups at once, in the form `v2` of servers since 1.30 or `v2beta1` since 1.27, or one by
/// one.
const AGGREGATED: HeaderValue = HeaderValue::from_static(
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;\
     g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
);
const PLAIN: HeaderValue = HeaderValue::from_static("application/json");

/// Requests the resources of a server. A [`Machine`] that ends with one event: a [`Mapper`], or the
/// failure of a request.
///
/// Where a server cannot list the resources of a group and version, for example because an
/// aggregated server does not respond, the others are in the mapper, and this one is in
/// [`Mapper::unavailable`]. Requests that fail are repeated by the rules of
/// [`retry`](crate::retry).
#[derive(Debug)]
pub struct Discovery {
    queue: VecDeque<Query>,
    driver: Driver<Query, Result<Mapper, Failure>>,
    mapper: Mapper,
    attempts: Attempts,
}

/// A request of discovery.
#[derive(Clone, Debug)]
pub(crate) enum Query {
    /// Of the core group.
    Core,
    /// Of all other groups.
    Groups,
    /// Of a group and version, from older servers.
    Version { group: String, version: String },
}

impl Default for Discovery {
    fn default() -> Self {
        Self {
            queue: [Query::Groups].into(),
            driver: Driver::new(Query::Core, Err),
            mapper: Mapper::default(),
            attempts: Attempts::new(),
        }
    }
}

impl Discovery {
    /// A machine that requests all resources.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how long to wait for each part of a response. The default is one minute.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.driver.timeout = timeout;
        self
    }

    /// Sets the time since the first request after which requests are no longer repeated. There is
    /// no such limit by default.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.attempts.deadline = deadline;
        self
    }

    /// Sets how often and when a request that fails is repeated.
    #[must_use]
    pub fn retry(mut self, policy: Policy) -> Self {
        self.attempts.policy = policy;
        self.attempts.begin();
        self
    }

    /// Sets the seed of the random parts of waiting times.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.attempts.seed = seed;
        self.attempts.begin();
        self
    }

    /// Sends the next request, or ends.
    fn next(&mut self, now: Duration) {
        self.attempts.begin();
        match self.queue.pop_front() {
            Some(query) => self.driver.wait(now, query),
            None => self.driver.report(Ok(mem::take(&mut self.mapper))),
        }
    }

    /// Takes a complete response.
    fn add(&mut self, query: &Query, body: &[u8]) -> Result<(), DecodeError> {
        match query {
            Query::Core => match groups(body) {
                Ok(groups) => self.mapper.add_groups(&groups),
                Err(error) => {
                    let core = decode::<APIVersions>(body, |versions| &versions.kind)
                        .map_err(|_| error)?;
                    self.ask("", core.versions.into_iter());
                }
            },
            Query::Groups => match groups(body) {
                Ok(groups) => self.mapper.add_groups(&groups),
                Err(error) => {
                    let groups =
                        decode::<APIGroupList>(body, |list| &list.kind).map_err(|_| error)?;
                    for group in groups.groups {
                        let preferred = group.preferred_version.map(|preferred| preferred.version);
                        let versions = group.versions.into_iter().map(|version| version.version);
                        let others = versions
                            .filter(|version| Some(version) != preferred.as_ref())
                            .collect::<Vec<_>>();
                        self.ask(&group.name, preferred.into_iter().chain(others));
                    }
                }
            },
            Query::Version { group, version } => {
                let list = decode::<APIResourceList>(body, |list| &list.kind)?;
                let wanted =
                    if group.is_empty() { version.clone() } else { format!("{group}/{version}") };
                if list.group_version != wanted {
                    let found = format!(
                        "groupVersion: expected `{wanted}`, found `{}`",
                        list.group_version
                    );
                    return Err(DecodeError::custom(found));
                }
                self.mapper.add_resources(&list);
            }
        }
        Ok(())
    }

    /// Queues requests for versions of a group, the core ones before all others.
    fn ask(&mut self, group: &str, versions: impl Iterator<Item = String>) {
        for version in versions {
            if is_segment(group) && is_segment(&version) && !version.is_empty() {
                self.queue.push_back(Query::Version { group: group.to_owned(), version });
            } else {
                self.mapper.add_unavailable(group, &version);
            }
        }
    }

    /// Whether a refusal that stays leaves out a part of the resources only, and does not end
    /// discovery.
    fn skip(&mut self, query: &Query, status: StatusCode) -> bool {
        match query {
            // A server may have no core group, or nothing else.
            Query::Core | Query::Groups => status == StatusCode::NOT_FOUND,
            // These are about the client, and not about the server that has the group.
            Query::Version { .. } if [401, 403, 429].contains(&status.as_u16()) => false,
            Query::Version { group, version } => {
                self.mapper.add_unavailable(group, version);
                true
            }
        }
    }
}

/// Whether names of groups and versions fit into a path.
fn is_segment(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
        && !matches!(name, "." | "..")
}

/// Decodes all groups at once. The form of older servers differs in its version only.
fn groups(body: &[u8]) -> Result<APIGroupDiscoveryList, DecodeError> {
    decode::<APIGroupDiscoveryList>(body, |list| &list.kind)
        .or_else(|error| beta_groups(body).ok_or(error))
}

fn beta_groups(body: &[u8]) -> Option<APIGroupDiscoveryList> {
    let members: BTreeMap<String, RawJson> = json::from_slice(body).ok()?;
    let states =
        |name: &str, value: &str| members.get(name).is_some_and(|stated| stated.as_str() == value);
    let is_beta = states("apiVersion", "\"apidiscovery.k8s.io/v2beta1\"")
        && states("kind", "\"APIGroupDiscoveryList\"");
    let items = members.get("items").filter(|_| is_beta)?;
    Some(APIGroupDiscoveryList {
        items: json::from_str(items.as_str()).ok()?,
        ..APIGroupDiscoveryList::default()
    })
}

/// Decodes a document that states its kind: anything else, such as `{}`, would be a server without
/// resources.
fn decode<T: Kind + Value>(
    body: &[u8],
    kind: impl Fn(&T) -> &Option<String>,
) -> Result<T, DecodeError> {
    let document: T = json::from_slice(body)?;
    match kind(&document).as_deref() {
        Some(kind) if kind == T::KIND => Ok(document),
        _ => Err(DecodeError::custom(format!(
            "expected kind `{}`, found an object that states none",
            T::KIND
        ))),
    }
}

impl Decide<Query, Result<Mapper, Failure>> for Discovery {
    fn driver(&mut self) -> &mut Driver<Query, Result<Mapper, Failure>> {
        &mut self.driver
    }

    fn open(&mut self, query: &mut Query, now: Duration) -> Result<Sending, FailureKind> {
        let (path, accept) = match query {
            Query::Core => ("/api".to_owned(), AGGREGATED),
            Query::Groups => ("/apis".to_owned(), AGGREGATED),
            Query::Version { group, version } if group.is_empty() => {
                (format!("/api/{version}"), PLAIN)
            }
            Query::Version { group, version } => (format!("/apis/{group}/{version}"), PLAIN),
        };
        let request = Request::get(path).header(ACCEPT, accept).body(Vec::new());
        // Only names with characters that no segment of a path has, and those were left out.
        let request = request.map_err(|error| FailureKind::Unsendable(error.to_string()))?;
        self.attempts.on_send(now);
        let exchange = Exchange::new(RequestLine::of(&request), Format::Object, now);
        Ok((Box::new(request), exchange))
    }

    fn on_end(&mut self, open: Open<Query>, end: End, now: Duration) {
        let Open { query, exchange } = open;
        let end =
            end.and_then(|()| self.add(&query, exchange.whole()).map_err(FailureKind::Decode));
        let Err(failure) = end else { return self.next(now) };
        if let Some(until) = self.attempts.again(&failure, now) {
            return self.driver.wait(until, query);
        }
        match &failure {
            FailureKind::Api(error) if self.skip(&query, error.code) => self.next(now),
            _ => self.driver.fail(Some(&exchange), failure),
        }
    }
}

impl Machine for Discovery {
    type Event = Result<Mapper, Failure>;

    fn poll(&mut self, now: Duration) -> Step<Self::Event> {
        machine::poll(self, now, |_| None)
    }

    fn feed(&mut self, input: Input<'_>, now: Duration) {
        self.driver.feed(input, now);
    }
}

//! The requests of an informer: one list request with other parameters each time.

use crate::request::{InvalidRequest, Template};
use http::HeaderValue;
use std::time::Duration;

/// Parameters that an informer sets itself.
const OWN: [&str; 8] = [
    "allowWatchBookmarks",
    "continue",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "timeoutSeconds",
    "watch",
];

/// Accepts data that is at least as new as a version.
const NOT_OLDER_THAN: &str = "NotOlderThan";

/// The version at which to begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Start {
    /// Any state that the server has cached.
    #[default]
    Any,
    /// A state that is at least as new as this version.
    Version(String),
    /// The state of now.
    Latest,
}

/// Something to ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Changes after a version.
    Watch,
    /// All objects, and then changes, in one watch.
    Stream,
    /// All objects, or those from a token on.
    List { token: String },
}

/// Builds requests.
#[derive(Debug)]
pub(super) struct Requests {
    template: Template,
    /// The header `Accept` of watches: that of lists may say that they are lists.
    watch_accept: HeaderValue,
    page_size: i64,
}

impl Requests {
    /// Requests that select what this one does.
    ///
    /// # Errors
    /// When the operation cannot watch.
    pub(super) fn new(mut template: Template, watch_accept: HeaderValue) -> Result<Self, InvalidRequest> {
        if !template.has_parameter("watch") || !template.has_parameter("resourceVersion") {
            let id = template.id();
            return Err(InvalidRequest::Parameters(format!("`{id}` cannot watch: it has no parameter `watch`")));
        }
        let page_size = template.get("limit").and_then(|limit| limit.parse().ok()).unwrap_or(500);
        template.remove(&OWN);
        Ok(Self { template, watch_accept, page_size })
    }

    /// Whether the operation can send all objects in a watch.
    pub(super) fn can_stream(&self) -> bool {
        self.template.has_parameter("sendInitialEvents") && self.template.has_parameter("allowWatchBookmarks")
    }

    /// Builds a request. A list has pages unless `is_whole`; a watch ends after `timeout`.
    ///
    /// # Errors
    /// When path and query are too long for a URL, with a token or a version of the server.
    pub(super) fn build(
        &self,
        purpose: &Purpose,
        from: &Start,
        is_whole: bool,
        timeout: Duration,
    ) -> Result<Box<http::Request<Vec<u8>>>, InvalidRequest> {
        let mut request = self.template.clone();
        match purpose {
            Purpose::List { token } => {
                if !is_whole {
                    request.set("limit", &self.page_size);
                }
                if token.is_empty() {
                    set_version(&mut request, from, true);
                } else {
                    request.set("continue", token);
                }
            }
            Purpose::Watch | Purpose::Stream => {
                request.set_accept(self.watch_accept.clone());
                request.set("watch", &true);
                request.set("allowWatchBookmarks", &true);
                request.set("timeoutSeconds", &i64::try_from(timeout.as_secs()).unwrap_or(i64::MAX));
                let is_stream = *purpose == Purpose::Stream;
                set_version(&mut request, from, false);
                if is_stream {
                    request.set("sendInitialEvents", &true);
                    request.set("resourceVersionMatch", &NOT_OLDER_THAN.to_owned());
                }
            }
        }
        request.to_http()
    }
}

fn set_version(request: &mut Template, from: &Start, is_list: bool) {
    match from {
        // Only a list needs the parameter. A stream without a version gets the current state.
        Start::Any if is_list => request.set("resourceVersion", &"0".to_owned()),
        Start::Version(version) => {
            request.set("resourceVersion", version);
            if is_list {
                // With a limit and without this, a list would be of exactly this version, which may be forgotten.
                request.set("resourceVersionMatch", &NOT_OLDER_THAN.to_owned());
            }
        }
        Start::Any | Start::Latest => {}
    }
}

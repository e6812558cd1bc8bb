//! List, then watch, and again: the loop by which a program keeps up with a cluster.

use crate::cluster::{Cluster, Failure};
use openshift_api::core_v1::{Pod, PodStatusPhase, pods};
use openshift_api::params::{ListParams, WatchParams};
use openshift_api::{Error, WatchEvent};
use std::convert::Infallible;
use std::fmt::Display;
use std::thread;
use std::time::Duration;

/// Follows the pods of a namespace.
pub struct Follower<'a> {
    pub cluster: &'a Cluster,
    pub namespace: &'a str,
    /// Receives each change, and its object.
    pub report: &'a mut dyn FnMut(&str, &dyn Display),
    /// The wait before the next request.
    pub pause: Duration,
}

impl Follower<'_> {
    /// Goes on until something stops it, which it returns.
    pub fn run(&mut self) -> Failure {
        loop {
            let Err(failure) = self.list().and_then(|version| self.watch(version));
            let Some(wait) = self.patience(&failure) else { return failure };
            (self.report)("AGAIN", &failure);
            thread::sleep(wait);
        }
    }

    /// The wait after a failure, if it makes sense to begin anew.
    fn patience(&self, failure: &Failure) -> Option<Duration> {
        let refusal = failure.api()?.api()?;
        // 410: the server has forgotten where the list or the watch stood.
        let forgotten = (refusal.code.as_u16() == 410).then_some(self.pause);
        refusal.retry_after.or(forgotten)
    }

    /// Lists in pages, and returns the version that was listed.
    fn list(&mut self) -> Result<String, Failure> {
        let mut request = pods::list(self.namespace, &ListParams::default().limit(500))?;
        loop {
            let page = self.cluster.send(&request)?.body;
            for pod in &page.items {
                self.tell_pod("LISTED", pod);
            }
            match request.next_page(&page)? {
                Some(next) => request = next,
                None => return Ok(page.metadata.resource_version.unwrap_or_default()),
            }
        }
    }

    /// Watches from a version on. Servers end a watch every now and then, which means nothing.
    fn watch(&mut self, mut version: String) -> Result<Infallible, Failure> {
        loop {
            let params =
                WatchParams::default().resource_version(&version).allow_watch_bookmarks(true);
            for event in self.cluster.watch(&pods::watch(self.namespace, &params)?)? {
                match event {
                    Ok(event) => version = self.heed(event)?.unwrap_or(version),
                    Err(
                        broken @ (Failure::Transport(_) | Failure::Api(Error::Truncated { .. })),
                    ) => {
                        (self.report)("BROKEN", &broken);
                    }
                    Err(failure) => return Err(failure),
                }
            }
            thread::sleep(self.pause);
        }
    }

    /// Reports an event, and returns its resource version.
    fn heed(&mut self, event: WatchEvent<Pod>) -> Result<Option<String>, Failure> {
        let (what, pod) = match event {
            WatchEvent::Added(pod) => ("ADDED", pod),
            WatchEvent::Modified(pod) => ("MODIFIED", pod),
            WatchEvent::Deleted(pod) => ("DELETED", pod),
            WatchEvent::Bookmark(bookmark) => return Ok(Some(bookmark.resource_version)),
            WatchEvent::Error(error) => return Err(Error::Api(error).into()),
        };
        self.tell_pod(what, &pod);
        Ok(pod.metadata.resource_version)
    }

    fn tell_pod(&mut self, what: &str, pod: &Pod) {
        let name = pod.metadata.name.as_deref().unwrap_or_default();
        let phase = pod.status.as_ref().and_then(|status| status.phase.as_ref());
        let phase = phase.map_or("Unknown", PodStatusPhase::as_str);
        (self.report)(what, &format_args!("{name} {phase}"));
    }
}

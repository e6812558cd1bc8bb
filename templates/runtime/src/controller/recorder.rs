//! Events about objects, which `kubectl describe` shows: recorded, counted, aggregated and limited.
//!
//! ```
//! use kapigen_runtime::jiff::Timestamp;
//! use kapigen_runtime::recorder::Recorder;
//! use kapigen_runtime::{AnyResource, Error, Request, meta_v1::RawJson};
//!
//! /// The request that records an event about an object of any kind, if one is to be sent.
//! fn reserved(recorder: &mut Recorder, object: &impl AnyResource) -> Result<Option<Request<RawJson>>, Error> {
//!     recorder.normal(object, "Reserved", "an address is reserved", Timestamp::now())
//! }
//! ```
//!
//! As client-go does:
//! * An event that occurs again is the same object, with a count and the time of the last
//!   occurrence.
//! * After 10 events of one object with one reason and different messages within 10 minutes,
//!   further ones are combined into one.
//! * An object gets 25 requests at once, and then one every 5 minutes. Further ones are counted,
//!   but not sent.
//! * The 4,096 events and objects that were used last are remembered.
//!
//! An event is sent as an apply patch, which does no harm when it is repeated, and creates the
//! event again after the server has removed it, an hour later. RBAC: `create` and `patch` on
//! `events`.

use crate::kind::AnyResource;
use crate::meta_v1::RawJson;
use crate::operation::{Operation, Verb};
use crate::params::PatchParams;
use crate::patch_type::PatchType;
use crate::request::{Builder, Patch, Request};
use crate::response::Error;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

/// The number of events, and of objects, that are remembered.
const REMEMBERED: usize = 4096;
/// The number of different messages of one reason, before they are combined.
const DIFFERENT: usize = 10;
/// The time after which messages no longer count as similar.
const SIMILAR: SignedDuration = SignedDuration::from_secs(600);
/// The requests for one object at once.
const BURST: i64 = 25;
/// The time after which there may be one request more.
const REFILL: SignedDuration = SignedDuration::from_secs(300);
/// The maximum number of bytes of a message that servers take.
const LONGEST_MESSAGE: usize = 1024;
/// The maximum number of bytes of a name.
const LONGEST_NAME: usize = 253;

/// Records events of one program. See the [module](self).
#[doc(alias = "events")]
#[derive(Clone, Debug)]
pub struct Recorder {
    component: String,
    instance: String,
    series: Recent<Series, Occurrences>,
    similar: Recent<Similar, Messages>,
    limits: Recent<String, Limit>,
}

/// The identity of equal events: the object, by its uid, the type, the reason and the message.
type Series = (String, &'static str, String, String);
/// The identity of similar events: the object, the type and the reason.
type Similar = (String, &'static str, String);

#[derive(Clone, Debug)]
struct Occurrences {
    name: String,
    count: i64,
    first: Timestamp,
    last: Timestamp,
}

#[derive(Clone, Debug)]
struct Messages {
    different: BTreeSet<String>,
    last: Timestamp,
}

#[derive(Clone, Copy, Debug)]
struct Limit {
    /// The requests that may be sent.
    left: i64,
    /// The start of the interval after which there may be one more.
    since: Timestamp,
}

static APPLY: Operation = Operation::new(
    Verb::Patch,
    "applyEvent",
    "PATCH",
    "/api/v1/namespaces/{namespace}/events/{name}",
)
.resource("", "v1", "events")
.kind("Event")
.rbac_verbs(&["create", "patch"])
.media_types(&[PatchType::Apply.media_type()])
.parameters(&["fieldManager", "force"]);

impl Recorder {
    /// Records events of a program, such as `example.com/addresses`, in one of its instances, such
    /// as the name of the pod.
    #[must_use]
    pub fn new(component: &str, instance: &str) -> Self {
        Self {
            component: component.to_owned(),
            instance: instance.to_owned(),
            series: Recent::default(),
            similar: Recent::default(),
            limits: Recent::default(),
        }
    }

    /// Records an event about an object: a reason in CamelCase, and a message for people. Returns
    /// the request to send, or `None` if there were too many for this object.
    ///
    /// # Errors
    /// When the name of the object is not valid in a path.
    pub fn normal(
        &mut self,
        object: &impl AnyResource,
        reason: &str,
        message: &str,
        now: Timestamp,
    ) -> Result<Option<Request<RawJson>>, Error> {
        self.record(&About::of(object), "Normal", reason, message, now)
    }

    /// Records a warning about an object, as [`normal`](Self::normal).
    ///
    /// # Errors
    /// When the name of the object is not valid in a path.
    pub fn warning(
        &mut self,
        object: &impl AnyResource,
        reason: &str,
        message: &str,
        now: Timestamp,
    ) -> Result<Option<Request<RawJson>>, Error> {
        self.record(&About::of(object), "Warning", reason, message, now)
    }

    fn record(
        &mut self,
        about: &About<'_>,
        type_: &'static str,
        reason: &str,
        message: &str,
        now: Timestamp,
    ) -> Result<Option<Request<RawJson>>, Error> {
        let message = shortened(message, LONGEST_MESSAGE);
        let is_combined = self.is_one_of_many((about.id(), type_, reason.to_owned()), message, now);
        // Combined events are one series, with the last message.
        let series = (
            about.id(),
            type_,
            reason.to_owned(),
            if is_combined { String::new() } else { message.to_owned() },
        );
        let id = (&series, &self.component, &self.instance, now);
        let id = BuildHasherDefault::<DefaultHasher>::default().hash_one(id);
        let begin = || Occurrences { name: about.event_name(id), count: 0, first: now, last: now };
        let occurrences = self.series.get_or_insert_with(series, begin);
        occurrences.count += 1;
        occurrences.last = now;
        let occurrences = occurrences.clone();
        if !self.is_allowed(about.id(), now) {
            return Ok(None);
        }
        let message = if is_combined {
            format!("(combined from similar events): {message}")
        } else {
            message.to_owned()
        };
        let event = json!({
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": { "name": occurrences.name, "namespace": about.event_namespace() },
            "involvedObject": about.reference(),
            "type": type_,
            "reason": reason,
            "message": shortened(&message, LONGEST_MESSAGE),
            "source": { "component": self.component, "host": self.instance },
            "reportingComponent": self.component,
            "reportingInstance": self.instance,
            "firstTimestamp": seconds(occurrences.first),
            "lastTimestamp": seconds(occurrences.last),
            "count": occurrences.count,
        });
        let params =
            PatchParams::default().field_manager(shortened(&self.component, 128)).force(true);
        let builder =
            Builder::new(&APPLY, &[about.event_namespace(), &occurrences.name]).params(&params);
        builder.patch(&Patch::apply(&event)).finish().map(Some)
    }

    /// Whether an event is to be combined with similar ones.
    fn is_one_of_many(&mut self, similar: Similar, message: &str, now: Timestamp) -> bool {
        let begin = || Messages { different: BTreeSet::new(), last: now };
        let messages = self.similar.get_or_insert_with(similar, begin);
        if now.duration_since(messages.last) > SIMILAR {
            messages.different.clear();
        }
        messages.last = now;
        if messages.different.contains(message) {
            return false;
        }
        let is_many = messages.different.len() >= DIFFERENT;
        if !is_many {
            messages.different.insert(message.to_owned());
        }
        is_many
    }

    /// Whether a request for this object may be sent, which it counts.
    fn is_allowed(&mut self, object: String, now: Timestamp) -> bool {
        let limit = self.limits.get_or_insert_with(object, || Limit { left: BURST, since: now });
        let refills = now.duration_since(limit.since).as_secs().max(0) / REFILL.as_secs();
        limit.left = limit.left.saturating_add(refills).min(BURST);
        // The current interval has not ended yet.
        let counted = SignedDuration::from_secs(refills.saturating_mul(REFILL.as_secs()));
        limit.since = if limit.left == BURST {
            now
        } else {
            limit.since.saturating_add(counted).unwrap_or(now)
        };
        let is_allowed = limit.left > 0;
        limit.left -= i64::from(is_allowed);
        is_allowed
    }
}

/// The object of an event.
struct About<'a> {
    api_version: &'a str,
    kind: &'a str,
    namespace: &'a str,
    name: &'a str,
    uid: &'a str,
    resource_version: Option<&'a str>,
}

impl<'a> About<'a> {
    fn of<T: AnyResource>(object: &'a T) -> Self {
        let metadata = object.metadata();
        Self {
            api_version: object.api_version(),
            kind: object.kind(),
            namespace: object.namespace(),
            name: object.name(),
            uid: metadata.uid.as_deref().unwrap_or_default(),
            resource_version: metadata.resource_version.as_deref(),
        }
    }

    /// The identity of the object.
    fn id(&self) -> String {
        format!("{} {} {}/{} {}", self.api_version, self.kind, self.namespace, self.name, self.uid)
    }

    /// Events are in namespaces: those about other objects in `default`.
    fn event_namespace(&self) -> &'a str {
        if self.namespace.is_empty() { "default" } else { self.namespace }
    }

    /// A unique name of an event: the name of the object, and the hash of the event and its first
    /// time.
    fn event_name(&self, id: u64) -> String {
        let suffix = format!("{id:016x}");
        // The names of some kinds have other characters, such as `system:node`.
        let valid = |char: char| match char.to_ascii_lowercase() {
            char @ ('a'..='z' | '0'..='9' | '.') => char,
            _ => '-',
        };
        let name: String =
            shortened(self.name, LONGEST_NAME - 1 - suffix.len()).chars().map(valid).collect();
        let labels =
            name.split('.').map(|label| label.trim_matches('-')).filter(|label| !label.is_empty());
        labels.chain([suffix.as_str()]).collect::<Vec<_>>().join(".")
    }

    fn reference(&self) -> serde_json::Value {
        let mut reference =
            json!({ "apiVersion": self.api_version, "kind": self.kind, "name": self.name });
        let optional = [
            ("namespace", Some(self.namespace)),
            ("uid", Some(self.uid)),
            ("resourceVersion", self.resource_version),
        ];
        for (name, value) in optional {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                reference[name] = value.into();
            }
        }
        reference
    }
}

/// The time as events state it.
fn seconds(time: Timestamp) -> String {
    crate::meta_v1::Time::from(time).to_string()
}

/// The beginning of a string, of at most this many bytes.
fn shortened(text: &str, most: usize) -> &str {
    let end = (0..=text.len().min(most)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or_default()]
}

/// Up to [`REMEMBERED`] entries. A new one takes the place of the one that was not used for the
/// longest time.
#[derive(Clone, Debug)]
struct Recent<K, V> {
    /// Values with their last uses.
    entries: HashMap<K, (u64, V)>,
    /// Keys by their last uses.
    uses: BTreeMap<u64, K>,
    /// The number of uses.
    used: u64,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self { entries: HashMap::new(), uses: BTreeMap::new(), used: 0 }
    }
}

impl<K: Clone + Eq + Hash, V> Recent<K, V> {
    /// Uses an entry.
    fn get_or_insert_with(&mut self, key: K, value: impl FnOnce() -> V) -> &mut V {
        self.used += 1;
        if let Some((last, _)) = self.entries.get(&key) {
            self.uses.remove(last);
        } else if self.entries.len() >= REMEMBERED
            && let Some((_, oldest)) = self.uses.pop_first()
        {
            self.entries.remove(&oldest);
        }
        self.uses.insert(self.used, key.clone());
        let (last, value) = self.entries.entry(key).or_insert_with(|| (0, value()));
        *last = self.used;
        value
    }
}

//! Status conditions: what programs report about an object.
//!
//! ```
//! use kapigen_runtime::conditions;
//! use kapigen_runtime::jiff::Timestamp;
//! use kapigen_runtime::meta_v1::Condition;
//!
//! let mut status = Vec::new();
//! let ready = conditions::condition("Ready", true, "Reserved", "an address is reserved");
//! assert!(conditions::set(&mut status, ready.clone(), Timestamp::now()));
//! assert!(!conditions::set(&mut status, ready, Timestamp::now()), "nothing to write");
//! assert!(conditions::is_true(&status, "Ready"));
//! ```

use crate::meta_v1::{Condition, Time};
use jiff::Timestamp;

/// A condition of this type, which holds or not, with a reason in CamelCase and a message for
/// people.
#[must_use]
pub fn condition(type_: &str, holds: bool, reason: &str, message: &str) -> Condition {
    Condition {
        type_: type_.to_owned(),
        status: if holds { "True" } else { "False" }.to_owned(),
        reason: reason.to_owned(),
        message: message.to_owned(),
        ..Condition::default()
    }
}

/// The condition of this type.
#[must_use]
pub fn find<'a>(conditions: &'a [Condition], type_: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| condition.type_ == type_)
}

/// Whether the condition of this type is known to hold.
#[must_use]
pub fn is_true(conditions: &[Condition], type_: &str) -> bool {
    find(conditions, type_).is_some_and(|condition| condition.status == "True")
}

/// Sets a condition, replacing the one of its type. Returns whether anything changed, and so has to
/// be written.
///
/// The transition time is kept while the status stays the same; otherwise it becomes `now`. An
/// absent `observed_generation` keeps the previous one.
pub fn set(conditions: &mut Vec<Condition>, mut new: Condition, now: Timestamp) -> bool {
    let old = conditions.iter_mut().find(|condition| condition.type_ == new.type_);
    new.last_transition_time = match &old {
        Some(old) if old.status == new.status => old.last_transition_time,
        _ => Time::from(now),
    };
    let Some(old) = old else {
        conditions.push(new);
        return true;
    };
    new.observed_generation = new.observed_generation.or(old.observed_generation);
    new.unknown_.clone_from(&old.unknown_);
    let is_changed = *old != new;
    *old = new;
    is_changed
}

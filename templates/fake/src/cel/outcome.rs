// not vendored
//! The results of evaluations.

use super::value::Value;

/// The reason for which an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// An error in the words of servers. `&&`, `||`, `all` and `exists` may not need the value.
    Error(String),
    /// The budget is used up, and the evaluation ends.
    Exhausted,
}

/// What was evaluated, or the reason for which it has no value.
pub(super) type Evaluated<T> = Result<T, Failure>;

/// The value of an expression.
pub(super) type Outcome<'a> = Evaluated<Value<'a>>;

/// The result of a function. `None` if there is none of its name that takes the arguments.
pub(super) type Called<'a> = Option<Outcome<'a>>;

/// An error in the words of servers.
pub(super) fn error<T>(why: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Error(why.into()))
}

pub(super) const NO_OVERLOAD: &str = "no such overload";

/// Whether a result is the decisive one. Keeps the first error.
pub(super) fn decides(
    result: Outcome<'_>,
    decisive: bool,
    failure: &mut Option<Failure>,
) -> Evaluated<bool> {
    let found = match result {
        Ok(Value::Bool(flag)) => return Ok(flag == decisive),
        Ok(_) => Failure::Error(NO_OVERLOAD.to_owned()),
        Err(Failure::Exhausted) => return Err(Failure::Exhausted),
        Err(found) => found,
    };
    failure.get_or_insert(found);
    Ok(false)
}

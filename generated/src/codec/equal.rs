//! Comparisons: `PartialEq` of every type, for the reason that copies have.

use super::value::{List, Map, Object, View};

/// Whether two objects of one type hold the same.
pub(crate) fn equal(one: &dyn Object, other: &dyn Object) -> bool {
    objects(one, other, &mut Vec::new())
}

/// Members of the other side: those of the innermost object stand last.
type Members<'a> = Vec<(usize, View<'a>)>;

fn objects<'a>(one: &'a dyn Object, other: &'a dyn Object, others: &mut Members<'a>) -> bool {
    let start = others.len();
    other.each(&mut |index, view| others.push((index, view)));
    let (end, mut next, mut is_equal) = (others.len(), start, true);
    one.each(&mut |index, view| {
        if is_equal {
            is_equal = next < end && {
                let (other_index, other) = others[next];
                index == other_index && values(view, other, others)
            };
            next += 1;
        }
    });
    others.truncate(start);
    is_equal && next == end
}

fn lists<'a>(one: &'a dyn List, other: &'a dyn List, others: &mut Members<'a>) -> bool {
    one.count() == other.count()
        && (0..one.count()).all(|index| values(one.element(index), other.element(index), others))
}

fn maps<'a>(one: &'a dyn Map, other: &'a dyn Map, others: &mut Members<'a>) -> bool {
    let mut entries = Vec::new();
    other.each(&mut |key, view| entries.push((key, view)));
    let mut rest = entries.into_iter();
    let mut is_equal = true;
    one.each(&mut |key, view| {
        is_equal =
            is_equal && rest.next().is_some_and(|(other_key, other)| key == other_key && values(view, other, others));
    });
    is_equal && rest.next().is_none()
}

fn values<'a>(one: View<'a>, other: View<'a>, others: &mut Members<'a>) -> bool {
    match (one, other) {
        (View::Str(one), View::Str(other)) | (View::Raw(one), View::Raw(other)) => one == other,
        (View::Bool(one), View::Bool(other)) => one == other,
        (View::Int(one), View::Int(other)) => one == other,
        #[allow(clippy::float_cmp)] // as derived code does
        (View::Double(one), View::Double(other)) => one == other,
        (View::Scalar(one), View::Scalar(other)) => one.is_equal(other),
        (View::Object(one), View::Object(other)) => objects(one, other, others),
        (View::List(one), View::List(other)) => lists(one, other, others),
        (View::Map(one), View::Map(other)) => maps(one, other, others),
        _ => false,
    }
}

//! Objects: visits of their members, and objects as values, alone and in boxes.

use super::table::Table;
use super::unknown::Unknown;
use super::value::{List, Object, Slot, Value, View};

/// A callback for members: the index in [`Table::keys`], and the value. Unknown members have the index after the last.
///
/// A struct around the function, because it is an argument for each member of each type: to check whether a trait
/// object fits another one takes the compiler longer.
#[allow(missing_debug_implementations)] // a function
pub struct MemberVisitor<'v, 'a>(&'v mut dyn FnMut(usize, View<'a>));

impl<'a> MemberVisitor<'_, 'a> {
    /// Calls the function with this member.
    #[inline]
    pub fn visit(&mut self, index: usize, view: View<'a>) {
        (self.0)(index, view);
    }

    /// Calls the function with a member that is a string. Not inlined, as each type would compile it.
    ///
    /// For generated code: the compiler would take longer to find out that a `String` is a `str` there.
    #[inline(never)]
    #[allow(clippy::ptr_arg)] // as above
    pub fn visit_string(&mut self, index: usize, text: &'a String) {
        self.visit(index, View::Str(text));
    }

    /// Calls the function with a member that is an object. Not inlined, as each type of a member would compile it.
    #[inline(never)]
    pub(super) fn visit_object(&mut self, index: usize, object: &'a dyn Object) {
        self.visit(index, View::Object(object));
    }

    /// Calls the function with a member that is a list. Not inlined, as [`visit_object`](Self::visit_object).
    #[inline(never)]
    pub(super) fn visit_list(&mut self, index: usize, list: &'a dyn List) {
        self.visit(index, View::List(list));
    }

    /// Calls the function with unknown members. Most objects have none.
    #[cold]
    pub(super) fn visit_present_unknown(&mut self, index: usize, members: &'a Unknown) {
        self.visit(index, View::Unknown(members));
    }

    /// Calls the function with the unknown members, if there are any.
    #[inline]
    pub fn visit_unknown(&mut self, index: usize, members: &'a Unknown) {
        members.visit_as_member(index, self);
    }
}

impl dyn Object + '_ {
    /// Calls `visit` for each present member, see [`Object::accept`].
    #[inline]
    pub fn visit_members<'a>(&'a self, visit: &mut dyn FnMut(usize, View<'a>)) {
        self.accept(&mut MemberVisitor(visit));
    }
}

/// No generated struct has an implementation of its own, which every program would check for each of them.
impl<T: Object + Default> Value for T {
    #[inline]
    fn empty() -> Self {
        T::without_members()
    }
    #[inline]
    fn visit_empty(visit: &mut dyn FnMut(Slot<'_>)) {
        T::visit_without_members(visit);
    }
    #[inline]
    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Object(self.unboxed_mut())
    }
    #[inline]
    fn view(&self) -> View<'_> {
        View::Object(self.unboxed())
    }
    #[inline]
    fn visit_as_member<'a>(&'a self, index: usize, visitor: &mut MemberVisitor<'_, 'a>) {
        visitor.visit_object(index, self.unboxed());
    }
}

/// The object in the box. That boxes are objects, rather than values, makes the implementation above possible: those of
/// [`Value`] for all objects and for boxes of values would overlap.
impl<T: Object + Default> Object for Box<T> {
    fn table(&self) -> &'static Table {
        (**self).table()
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        (**self).accept(visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        (**self).member_mut(index, is_present)
    }
    #[inline]
    fn without_members() -> Self {
        Box::new(T::without_members())
    }
    #[inline]
    fn visit_without_members(visit: &mut dyn FnMut(Slot<'_>)) {
        T::visit_without_members(visit);
    }
    #[inline]
    fn unboxed(&self) -> &dyn Object {
        &**self
    }
    #[inline]
    fn unboxed_mut(&mut self) -> &mut dyn Object {
        &mut **self
    }
}

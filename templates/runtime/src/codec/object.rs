//! Objects as values, alone and in boxes.

use super::table::Table;
use super::value::{MemberVisitor, Object, Slot, Value, View};

/// No generated struct has an implementation of its own, which every program would check for each of them.
impl<T: Object + Default> Value for T {
    #[inline(never)]
    fn empty() -> Self {
        T::without_members()
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
    fn visit_as_member<'a>(&'a self, index: usize, visit: &mut MemberVisitor<'_, 'a>) {
        visit(index, View::Object(self.unboxed()));
    }
}

/// The object in the box. That boxes are objects, rather than values, makes the implementation above possible: those of
/// [`Value`] for all objects and for boxes of values would overlap.
impl<T: Object + Default> Object for Box<T> {
    fn table(&self) -> &'static Table {
        (**self).table()
    }
    fn visit_members<'a>(&'a self, visit: &mut MemberVisitor<'_, 'a>) {
        (**self).visit_members(visit);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        (**self).member_mut(index, is_present)
    }
    #[inline]
    fn without_members() -> Self {
        Box::new(T::empty())
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
